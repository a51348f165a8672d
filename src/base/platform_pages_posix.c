#define _DEFAULT_SOURCE  // MAP_ANONYMOUS

#include <sys/mman.h>

#include "base/platform_pages.h"

void* platform_pages_take(size_t n_bytes) {
    void* pages = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages != MAP_FAILED ? pages : NULL;
}

void platform_pages_give(void* pages, size_t n_bytes) { (void)munmap(pages, n_bytes); }
