/* Puts whole files into the executable's read-only data, each between NAME and NAME_end; the paths
   come from CMakeLists.txt, the declarations are in embedded.h. A 0 follows each, uncounted, so
   that a text can be used as a string. */
#define EMBED(name, end, path) \
    .global name; \
    .global end; \
    .balign 16; \
name: \
    .incbin path; \
end: \
    .byte 0

    .section .rodata
    EMBED(embedded_fmu_binary, embedded_fmu_binary_end, EMBEDDED_FMU_BINARY)
    EMBED(embedded_fmi3_binary, embedded_fmi3_binary_end, EMBEDDED_FMI3_BINARY)
    EMBED(embedded_icon, embedded_icon_end, EMBEDDED_ICON)
    EMBED(embedded_schema, embedded_schema_end, EMBEDDED_SCHEMA)
    EMBED(embedded_page, embedded_page_end, EMBEDDED_PAGE)

/* The stack need not be executable. */
    .section .note.GNU-stack, "", %progbits
