// What the processor has, asked while the program runs.
#pragma once

#include <stdbool.h>

// Registers of four doubles, for code that was compiled for them (CMakeLists.txt: *_avx2.c)
static inline bool platform_has_avx2(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}
