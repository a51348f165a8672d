// Memory straight from the operating system, for what is large: one platform_pages_*.c each, chosen
// by CMake. What is not touched of it takes no memory, and what is given back is the system's
// again; malloc clears what it hands out a second time.
#pragma once

#include <stddef.h>

// Zeros, or NULL
void* platform_pages_take(size_t n_bytes);
void platform_pages_give(void* pages, size_t n_bytes);
