/* Puts whole files into the executable's read-only data, each between NAME and NAME_end; the paths
   and the name of the section come from CMakeLists.txt, the declarations are in embedded.h. A 0
   follows each, uncounted, so that a text can be used as a string. */
#define EMBED(name, end, path) \
    .global name; \
    .global end; \
    .balign 16; \
name: \
    .incbin path; \
end: \
    .byte 0

    .section EMBEDDED_SECTION
    EMBED(embedded_linux64, embedded_linux64_end, EMBEDDED_LINUX64)
    EMBED(embedded_win64, embedded_win64_end, EMBEDDED_WIN64)
    EMBED(embedded_aarch64_linux, embedded_aarch64_linux_end, EMBEDDED_AARCH64_LINUX)
    EMBED(embedded_linux64_fmi3, embedded_linux64_fmi3_end, EMBEDDED_LINUX64_FMI3)
    EMBED(embedded_win64_fmi3, embedded_win64_fmi3_end, EMBEDDED_WIN64_FMI3)
    EMBED(embedded_aarch64_linux_fmi3, embedded_aarch64_linux_fmi3_end, EMBEDDED_AARCH64_LINUX_FMI3)
    EMBED(embedded_icon, embedded_icon_end, EMBEDDED_ICON)
    EMBED(embedded_schema, embedded_schema_end, EMBEDDED_SCHEMA)
    EMBED(embedded_page, embedded_page_end, EMBEDDED_PAGE)
