#include "base/platform_pages.h"

#include <windows.h>

void* platform_pages_take(size_t n_bytes) {
    return VirtualAlloc(NULL, n_bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void platform_pages_give(void* pages, size_t n_bytes) {
    (void)n_bytes;
    (void)VirtualFree(pages, 0, MEM_RELEASE);
}
