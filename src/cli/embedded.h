// Files that the executable carries within itself; see embedded.S.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The binary of every FMU for each platform, as gzip files: of FMI 2.0, then of 3.0; empty for
// those that were not built
extern const unsigned char embedded_linux64[];
extern const unsigned char embedded_linux64_end[];
extern const unsigned char embedded_win64[];
extern const unsigned char embedded_win64_end[];
extern const unsigned char embedded_aarch64_linux[];
extern const unsigned char embedded_aarch64_linux_end[];
extern const unsigned char embedded_linux64_fmi3[];
extern const unsigned char embedded_linux64_fmi3_end[];
extern const unsigned char embedded_win64_fmi3[];
extern const unsigned char embedded_win64_fmi3_end[];
extern const unsigned char embedded_aarch64_linux_fmi3[];
extern const unsigned char embedded_aarch64_linux_fmi3_end[];
extern const unsigned char embedded_icon[];  // PNG
extern const unsigned char embedded_icon_end[];
extern const unsigned char embedded_schema[];  // XSD of the model format
extern const unsigned char embedded_schema_end[];
extern const unsigned char embedded_page[];  // HTML of animations
extern const unsigned char embedded_page_end[];

// Number of bytes: EMBEDDED_SIZE(embedded_icon). To C the two are different objects, whose pointers
// must not be subtracted.
#define EMBEDDED_SIZE(name) ((size_t)((uintptr_t)name##_end - (uintptr_t)(name)))
