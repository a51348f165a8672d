// Each thread has a share of the parts, and the same one of the same job again: what it works on
// stays in its caches. Who is through with his own takes from those of the others, and nobody waits
// for a part that has not been taken, so that a job is done even if a thread gets no processor.
// Those without work look for some for a while, as the jobs of a step follow each other quickly,
// before they sleep.
#include "base/crew.h"

#include <fenv.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/platform_threads.h"

// What a thread is given of a job, in a line of most caches by itself: to begin and to end a job
// costs little more than the way of a line from one processor to another.
typedef struct Share {
    atomic_int left;  // parts that nobody has taken; the next one is end - left
    int end;
    CrewWork* work;
    void* job;
    char unused[64 - 2 * sizeof(int) - 2 * sizeof(void*)];
} Share;

// A thread beside that of the caller
typedef struct Member {
    Crew* crew;
    int share;
    PlatformThread thread;
} Member;

struct Crew {
    Share shares[CREW_MOST];  // that of the caller, those of the members
    atomic_int undone;        // parts of the job that are not done
    char unused[64 - sizeof(int)];
    atomic_int n_asleep;
    atomic_bool ends;
    PlatformBed* bed;
    fenv_t numbers;  // how the caller's thread rounds
    int n_wanted;    // members ...
    int n_begun;     // ... and those that there are; all of them where a job has begun
    Member members[CREW_MOST - 1];
};

Crew* crew_create(void) {
    Crew* crew = calloc(1, sizeof *crew);
    if (crew != NULL && (crew->bed = platform_bed_create()) == NULL) {
        free(crew);
        return NULL;
    }
    return crew;
}

void crew_destroy(Crew* crew) {
    if (crew != NULL) {
        crew_end(crew);
        platform_bed_destroy(crew->bed);
        free(crew);
    }
}

// Takes one part of a share and does it. False if none is left. What a share is of changes only
// when all parts of the job are done.
static bool do_part(Crew* crew, Share* share) {
    int left = atomic_load_explicit(&share->left, memory_order_acquire);
    do {
        if (left == 0) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&share->left, &left, left - 1,
                                                    memory_order_acq_rel, memory_order_acquire));
    share->work(share->job, share->end - left);
    (void)atomic_fetch_sub_explicit(&crew->undone, 1, memory_order_release);
    return true;
}

// Does what is left of one's own share. False if nothing was.
static bool do_own(Crew* crew, int own) {
    bool did = false;
    while (do_part(crew, &crew->shares[own])) {
        did = true;
    }
    return did;
}

static bool has_job(Crew* crew) {
    return atomic_load_explicit(&crew->undone, memory_order_acquire) > 0;
}

static void help_others(Crew* crew, int own) {
    for (int i = 1; i <= crew->n_begun && has_job(crew); i++) {
        (void)do_own(crew, (own + i) % (crew->n_begun + 1));
    }
}

static bool has_reason_to_wake(Crew* crew) {
    return atomic_load(&crew->undone) > 0 || atomic_load(&crew->ends);
}

// Either this one sees the parts of a new job, or the one that brings them sees n_asleep.
static void sleep_for_work(Crew* crew) {
    platform_bed_lock(crew->bed);
    (void)atomic_fetch_add(&crew->n_asleep, 1);
    while (!has_reason_to_wake(crew)) {
        platform_bed_sleep(crew->bed);
    }
    (void)atomic_fetch_sub(&crew->n_asleep, 1);
    platform_bed_unlock(crew->bed);
}

static void wake(Crew* crew) {
    if (atomic_load(&crew->n_asleep) > 0) {
        platform_bed_lock(crew->bed);
        platform_bed_wake_all(crew->bed);
        platform_bed_unlock(crew->bed);
    }
}

static void help(void* context) {
    enum { PATIENCE = 2000 };  // looks in vain: some ten microseconds
    const Member* member = context;
    Crew* crew = member->crew;
    (void)fesetenv(&crew->numbers);
    int in_vain = 0;
    while (!atomic_load_explicit(&crew->ends, memory_order_acquire)) {
        if (do_own(crew, member->share)) {
            help_others(crew, member->share);
            in_vain = 0;
        } else if (++in_vain < PATIENCE) {
            platform_pause();
        } else {
            sleep_for_work(crew);
            help_others(crew, member->share);
            in_vain = 0;
        }
    }
}

static void begin_threads(Crew* crew) {
    if (crew->n_begun == crew->n_wanted) {
        return;
    }
    (void)fegetenv(&crew->numbers);
    while (crew->n_begun < crew->n_wanted) {
        Member* member = &crew->members[crew->n_begun];
        *member = (Member){crew, crew->n_begun + 1, {.run = help, .context = member}};
        if (!platform_thread_begin(&member->thread)) {
            crew->n_wanted = crew->n_begun;
            return;
        }
        crew->n_begun++;
    }
}

void crew_begin(Crew* crew, int n_threads) {
    crew_end(crew);
    crew->n_wanted = (n_threads < CREW_MOST ? n_threads : CREW_MOST) - 1;
}

void crew_end(Crew* crew) {
    atomic_store(&crew->ends, true);
    wake(crew);
    for (int i = 0; i < crew->n_begun; i++) {
        platform_thread_join(&crew->members[i].thread);
    }
    atomic_store(&crew->ends, false);
    crew->n_begun = crew->n_wanted = 0;
}

static void wait_until_done(Crew* crew) {
    enum { PATIENCE = 10000 };
    for (int i = 0; has_job(crew); i++) {
        if (i < PATIENCE) {
            platform_pause();
        } else {
            platform_yield();
        }
    }
}

// Shares come last: who sees a part of one sees the job.
static void begin_job(Crew* crew, int n, CrewWork* work, void* job) {
    const int n_shares = crew->n_begun + 1;
    atomic_store(&crew->undone, n);
    for (int i = n_shares - 1, end = n; i >= 0; i--) {
        const int from = (int)((long long)n * i / n_shares);
        Share* share = &crew->shares[i];
        if (end > from) {
            share->end = end;
            share->work = work;
            share->job = job;
            atomic_store_explicit(&share->left, end - from, memory_order_release);
        }
        end = from;
    }
    wake(crew);
}

void crew_run(Crew* crew, int n, CrewWork* work, void* job) {
    if (crew == NULL || crew->n_wanted <= 0 || n < 2) {
        for (int i = 0; i < n; i++) {
            work(job, i);
        }
        return;
    }
    begin_threads(crew);
    begin_job(crew, n, work, job);
    (void)do_own(crew, 0);
    help_others(crew, 0);
    wait_until_done(crew);
}
