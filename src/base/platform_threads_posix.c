#define _POSIX_C_SOURCE 200809L

#include "base/platform_threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

// An FMU is to load where glibc is old, and has its threads in a library that only programs with
// threads load: there, and in such a program alone, are these. Newer ones have them as well.
#ifdef CLATTER_OLD_GLIBC
#if defined(__x86_64__)
#define VERSION "GLIBC_2.2.5"
#else
#define VERSION "GLIBC_2.17"
#endif
__asm__(".symver old_pthread_create, pthread_create@" VERSION);
__asm__(".symver old_pthread_join, pthread_join@" VERSION);
__attribute__((weak)) extern int old_pthread_create(pthread_t* thread, const pthread_attr_t* how,
                                                    void* (*run)(void*), void* context);
__attribute__((weak)) extern int old_pthread_join(pthread_t thread, void** result);
#define HAS_THREADS (old_pthread_create != NULL && old_pthread_join != NULL)
#define pthread_create old_pthread_create
#define pthread_join old_pthread_join
#else
#define HAS_THREADS true
#endif

static void* run(void* context) {
    const PlatformThread* thread = context;
    thread->run(thread->context);
    return NULL;
}

// Signals are for the threads of the program, as if there were no others. (sigprocmask is that of
// the calling thread on Linux; pthread_sigmask is in the library of old threads.)
bool platform_thread_begin(PlatformThread* thread) {
    sigset_t all, before;
    pthread_t handle;
    if (!HAS_THREADS || sigfillset(&all) != 0 || sigprocmask(SIG_SETMASK, &all, &before) != 0) {
        return false;
    }
    const int status = pthread_create(&handle, NULL, run, thread);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    if (status == 0) {
        thread->handle.number = (uintptr_t)handle;
    }
    return status == 0;
}

void platform_thread_join(PlatformThread* thread) {
    (void)pthread_join((pthread_t)thread->handle.number, NULL);
}

struct PlatformBed {
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

PlatformBed* platform_bed_create(void) {
    PlatformBed* bed = malloc(sizeof *bed);
    if (bed != NULL) {
        *bed = (PlatformBed){PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
    }
    return bed;
}

void platform_bed_destroy(PlatformBed* bed) { free(bed); }
void platform_bed_lock(PlatformBed* bed) { (void)pthread_mutex_lock(&bed->lock); }
void platform_bed_unlock(PlatformBed* bed) { (void)pthread_mutex_unlock(&bed->lock); }
void platform_bed_sleep(PlatformBed* bed) { (void)pthread_cond_wait(&bed->wake, &bed->lock); }
void platform_bed_wake_all(PlatformBed* bed) { (void)pthread_cond_broadcast(&bed->wake); }
void platform_yield(void) { (void)sched_yield(); }
