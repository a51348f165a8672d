#include "base/platform_threads.h"

#include <stdlib.h>
#include <windows.h>

static DWORD WINAPI run(void* context) {
    const PlatformThread* thread = context;
    thread->run(thread->context);
    return 0;
}

bool platform_thread_begin(PlatformThread* thread) {
    thread->handle.pointer = CreateThread(NULL, 0, run, thread, 0, NULL);
    return thread->handle.pointer != NULL;
}

void platform_thread_join(PlatformThread* thread) {
    (void)WaitForSingleObject(thread->handle.pointer, INFINITE);
    (void)CloseHandle(thread->handle.pointer);
}

struct PlatformBed {
    SRWLOCK lock;
    CONDITION_VARIABLE wake;
};

PlatformBed* platform_bed_create(void) {
    PlatformBed* bed = malloc(sizeof *bed);
    if (bed != NULL) {
        *bed = (PlatformBed){SRWLOCK_INIT, CONDITION_VARIABLE_INIT};
    }
    return bed;
}

void platform_bed_destroy(PlatformBed* bed) { free(bed); }
void platform_bed_lock(PlatformBed* bed) { AcquireSRWLockExclusive(&bed->lock); }
void platform_bed_unlock(PlatformBed* bed) { ReleaseSRWLockExclusive(&bed->lock); }
void platform_bed_sleep(PlatformBed* bed) {
    (void)SleepConditionVariableSRW(&bed->wake, &bed->lock, INFINITE, 0);
}
void platform_bed_wake_all(PlatformBed* bed) { WakeAllConditionVariable(&bed->wake); }
void platform_yield(void) { (void)SwitchToThread(); }
