// Pairs of boxes that overlap, against all pairs.
#include "numbers.h"

#include <stdlib.h>

#include "geometry/broad_phase.h"

enum { MOST = 400 };

static bool overlaps(const Box* a, const Box* b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static void check(BroadPhase* phase, int n, const Box* boxes) {
    const BoxPair* pairs;
    int n_pairs;
    int at = 0;
    assert_int_equal(broad_phase_pairs(phase, n, boxes, &pairs, &n_pairs), STATUS_OK);
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            if (overlaps(&boxes[i], &boxes[j])) {
                assert_true(at < n_pairs);
                assert_int_equal(pairs[at].a, i);
                assert_int_equal(pairs[at].b, j);
                at++;
            }
        }
    }
    assert_int_equal(at, n_pairs);
}

static Box random_box(double room, double size, bool planar) {
    const Vec3 low = {random_in(-room, room), random_in(-room, room),
                      planar ? 0.0 : random_in(-room, room)};
    const Vec3 extent = {random_in(0.0, size), random_in(0.0, size),
                         planar ? 0.0 : random_in(0.0, size)};
    return (Box){low, add3(low, extent)};
}

// Sizes from a millimetre to ten metres beside each other, in the plane and in space
static void test_random_boxes(void** state) {
    (void)state;
    BroadPhase* phase = broad_phase_create();
    Box boxes[MOST];
    assert_non_null(phase);
    for (int trial = 0; trial < 40; trial++) {
        const int n = 1 + random_below(MOST);
        for (int i = 0; i < n; i++) {
            const double size = random_below(10) == 0 ? 10.0 : random_below(3) == 0 ? 1.0 : 1e-3;
            boxes[i] = random_box(trial % 4 == 0 ? 0.1 : 5.0, size, trial % 2 == 0);
        }
        check(phase, n, boxes);
    }
    broad_phase_destroy(phase);
}

// Boxes that move by parts of their size: pairs are those of where they are
static void test_moving_boxes(void** state) {
    (void)state;
    BroadPhase* phase = broad_phase_create();
    Box boxes[MOST];
    assert_non_null(phase);
    for (int i = 0; i < MOST; i++) {
        boxes[i] = random_box(1.0, 0.4, false);
    }
    for (int step = 0; step < 60; step++) {
        check(phase, MOST, boxes);
        for (int i = 0; i < MOST; i++) {
            const double way = step % 20 < 15 ? 1e-3 : 0.1;
            const Vec3 moved = {random_in(-way, way), random_in(-way, way), random_in(-way, way)};
            boxes[i] = (Box){add3(boxes[i].low, moved), add3(boxes[i].high, moved)};
        }
    }
    broad_phase_destroy(phase);
}

// Boxes of no extent, boxes that touch at a corner, and places where cells are not told apart
static void test_degenerate_boxes(void** state) {
    (void)state;
    BroadPhase* phase = broad_phase_create();
    Box boxes[MOST];
    assert_non_null(phase);
    check(phase, 0, boxes);
    for (int i = 0; i < 64; i++) {
        const Vec3 low = {i % 4, i / 4 % 4, i / 16};
        boxes[i] = (Box){low, add3(low, ((Vec3){1.0, 1.0, 1.0}))};
    }
    check(phase, 64, boxes);
    for (int i = 0; i < 64; i++) {
        boxes[i].high = boxes[i].low;
    }
    boxes[7] = boxes[8];
    check(phase, 64, boxes);
    for (int i = 0; i < 64; i++) {
        const Vec3 low = {1e30 * (i % 2 == 0 ? 1.0 : -1.0), 1e-30 * i, 0.0};
        boxes[i] = (Box){low, add3(low, ((Vec3){1e-6, 1e-6, 1e-6}))};
    }
    check(phase, 64, boxes);
    broad_phase_destroy(phase);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_boxes),
        cmocka_unit_test(test_moving_boxes),
        cmocka_unit_test(test_degenerate_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
