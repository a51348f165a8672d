// Threads that do the parts of a job beside each other.
#include "base/crew.h"

#include <fenv.h>
#include <stdatomic.h>

#include "base/platform_threads.h"
#include "numbers.h"

enum { MOST_PARTS = 200 };

static Crew* create(int n_threads) {
    Crew* crew = crew_create();
    assert_non_null(crew);
    crew_begin(crew, n_threads);
    return crew;
}

typedef struct Counts {
    int done[MOST_PARTS];  // by the one who does the part, without a lock
} Counts;

static void count(void* job, int part) { ((Counts*)job)->done[part]++; }

static void check_counts(Crew* crew, int n) {
    Counts counts = {{0}};
    crew_run(crew, n, count, &counts);
    for (int i = 0; i < MOST_PARTS; i++) {
        assert_int_equal(counts.done[i], i < n ? 1 : 0);
    }
}

static void test_each_part_is_done_once(void** state) {
    (void)state;
    for (int n_threads = 1; n_threads <= 9; n_threads++) {
        Crew* crew = create(n_threads);
        for (int i = 0; i < tries(2000); i++) {
            check_counts(crew, i % (MOST_PARTS + 1));
        }
        crew_destroy(crew);
    }
}

static void test_without_a_crew_the_caller_does_all(void** state) {
    (void)state;
    Crew* crew = crew_create();
    check_counts(NULL, MOST_PARTS);
    check_counts(crew, MOST_PARTS);  // has not begun
    crew_begin(crew, 2);
    crew_end(crew);
    check_counts(crew, MOST_PARTS);
    crew_destroy(crew);
    crew_destroy(NULL);
}

static void test_begins_again_and_sleeps_between_jobs(void** state) {
    (void)state;
    Crew* crew = create(3);
    for (int i = 0; i < tries(200); i++) {
        if (i % 3 == 0) {
            crew_begin(crew, 2 + i % 4);
        }
        check_counts(crew, 50);
        for (int k = 0; k < i % 7 * 1000; k++) {  // longer than the others look for work, at times
            platform_pause();
        }
    }
    crew_destroy(crew);
}

// All parts of it are begun before one of them ends.
static void meet(void* job, int part) {
    atomic_int* here = job;
    (void)part;
    (void)atomic_fetch_add(here, 1);
    while (atomic_load(here) < 3) {
        platform_yield();
    }
}

static void test_parts_are_done_beside_each_other(void** state) {
    (void)state;
    Crew* crew = create(3);
    atomic_int here = 0;
    crew_run(crew, 3, meet, &here);
    assert_int_equal(atomic_load(&here), 3);
    crew_destroy(crew);
}

typedef struct Quotients {
    volatile double one, three;
    double values[MOST_PARTS];
} Quotients;

static void divide(void* job, int part) {
    Quotients* of = job;
    of->values[part] = of->one / of->three;
}

static void test_all_round_as_the_caller_does(void** state) {
    (void)state;
    Crew* crew = crew_create();
    const int ways[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD};
    for (int k = 0; k < 3; k++) {
        Quotients of = {.one = 1.0, .three = 3.0};
        crew_begin(crew, 4);
        assert_int_equal(fesetround(ways[k]), 0);
        for (int i = 0; i < 100; i++) {
            crew_run(crew, MOST_PARTS, divide, &of);
            const double wanted = of.one / of.three;
            for (int p = 0; p < MOST_PARTS; p++) {
                assert_true(of.values[p] == wanted);
            }
        }
        assert_int_equal(fesetround(FE_TONEAREST), 0);
    }
    crew_destroy(crew);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_part_is_done_once),
        cmocka_unit_test(test_without_a_crew_the_caller_does_all),
        cmocka_unit_test(test_begins_again_and_sleeps_between_jobs),
        cmocka_unit_test(test_parts_are_done_beside_each_other),
        cmocka_unit_test(test_all_round_as_the_caller_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
