// What differs between operating systems in threads: one platform_threads_*.c each, chosen by
// CMake.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct PlatformThread {
    void (*run)(void* context);
    void* context;
    union {
        void* pointer;
        uintptr_t number;
    } handle;  // of the system
} PlatformThread;

// A thread that runs run(context), both set before, with the rounding of numbers of the one that
// makes it; false if there can be none. It stays where it is until it has been joined.
bool platform_thread_begin(PlatformThread* thread);
void platform_thread_join(PlatformThread* thread);

// Something that threads sleep for until another one wakes them, and its lock
typedef struct PlatformBed PlatformBed;
PlatformBed* platform_bed_create(void);  // NULL: out of memory
void platform_bed_destroy(PlatformBed* bed);
void platform_bed_lock(PlatformBed* bed);
void platform_bed_unlock(PlatformBed* bed);
void platform_bed_sleep(PlatformBed* bed);  // gives the lock away meanwhile; may end by itself
void platform_bed_wake_all(PlatformBed* bed);

// Waiting for a moment: for what another thread is about to do, and for it to get a processor
static inline void platform_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}
void platform_yield(void);
