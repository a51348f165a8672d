// Files that the executable carries within itself; see embedded.S.
#pragma once

#include <stddef.h>
#include <stdint.h>

extern const unsigned char embedded_fmu_binary[];  // the shared object of every FMU of FMI 2.0
extern const unsigned char embedded_fmu_binary_end[];
extern const unsigned char embedded_fmi3_binary[];  // likewise of FMI 3.0
extern const unsigned char embedded_fmi3_binary_end[];
extern const unsigned char embedded_icon[];  // PNG
extern const unsigned char embedded_icon_end[];
extern const unsigned char embedded_schema[];  // XSD of the model format
extern const unsigned char embedded_schema_end[];
extern const unsigned char embedded_page[];  // HTML of animations
extern const unsigned char embedded_page_end[];

// Number of bytes: EMBEDDED_SIZE(embedded_icon). To C the two are different objects, whose pointers
// must not be subtracted.
#define EMBEDDED_SIZE(name) ((size_t)((uintptr_t)name##_end - (uintptr_t)(name)))
