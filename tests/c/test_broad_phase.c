// Partners of boxes, against all pairs.
#include "numbers.h"

#include <stdlib.h>

#include "geometry/broad_phase.h"

enum { MOST = 400 };

// Do boxes overlap that are so many times as large?
static bool overlap(const Box* a, const Box* b, double times) {
    const Vec3 apart = sub3(a->middle, b->middle);
    const double d[3] = {apart.x, apart.y, apart.z};
    bool all = true;
    for (int i = 0; i < 3; i++) {
        all = all && fabs(d[i]) <= times * ((double)a->half[i] + (double)b->half[i]);
    }
    return all;
}

// All that overlap are partners, in order and once, and nothing that is far.
static void check(BroadPhase* phase, int n, const Box* boxes) {
    static const double NEAR = 1.5;
    assert_int_equal(broad_phase_find(phase, n, boxes), STATUS_OK);
    for (int i = 0; i < n; i++) {
        int n_partners;
        int at = 0;
        const int* partners = broad_phase_partners(phase, i, &n_partners);
        for (int j = i + 1; j < n; j++) {
            const bool is_partner = at < n_partners && partners[at] == j;
            assert_true(is_partner || !overlap(&boxes[i], &boxes[j], 1.0));
            assert_true(!is_partner || overlap(&boxes[i], &boxes[j], NEAR));
            assert_true(box_overlaps(&boxes[i], &boxes[j]) == overlap(&boxes[i], &boxes[j], 1.0));
            at += is_partner;
        }
        assert_int_equal(at, n_partners);
    }
}

static Box random_box(double room, double size, bool planar) {
    const Vec3 middle = {random_in(-room, room), random_in(-room, room),
                         planar ? 0.0 : random_in(-room, room)};
    const Vec3 half = {random_in(0.0, 0.5 * size), random_in(0.0, 0.5 * size),
                       planar ? 0.0 : random_in(0.0, 0.5 * size)};
    return box_around(middle, half);
}

// Half a side is no smaller than asked for, and no more digits off than a float has.
static void test_half_is_rounded_up(void** state) {
    (void)state;
    for (int i = 0; i < 1000; i++) {
        const double half = pow(10.0, random_in(-12.0, 12.0));
        const Box box = box_around((Vec3){1.0, 2.0, 3.0}, (Vec3){half, 0.0, half});
        assert_true((double)box.half[0] >= half && (double)box.half[0] <= half * (1.0 + 3e-7));
        assert_true(box.half[1] == 0.0F && box.half[2] == box.half[0]);
        assert_false(box_is_none(&box));
    }
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
            boxes[i].middle = add3(boxes[i].middle, moved);
        }
    }
    broad_phase_destroy(phase);
}

// One box over many, wherever it stands among them, which are of several sizes
static void test_one_large_box(void** state) {
    (void)state;
    static const int PLACES[] = {0, MOST / 2, MOST - 1};
    BroadPhase* phase = broad_phase_create();
    Box boxes[MOST];
    assert_non_null(phase);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < MOST; i++) {
            boxes[i] = random_box(5.0, i % 3 == 0 ? 0.1 : 0.4, false);
        }
        boxes[PLACES[k]] = box_around((Vec3){0.0, 0.0, 0.0}, (Vec3){6.0, 6.0, 6.0});
        check(phase, MOST, boxes);
    }
    broad_phase_destroy(phase);
}

// Some are none, and come and go.
static void test_boxes_that_are_none(void** state) {
    (void)state;
    static const Vec3 NONE = {-INFINITY, -INFINITY, -INFINITY};
    BroadPhase* phase = broad_phase_create();
    Box boxes[MOST];
    assert_non_null(phase);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < MOST; i++) {
            boxes[i] = random_box(1.0, 0.4, false);
        }
        check(phase, MOST, boxes);
        for (int i = step; i < MOST; i += 3) {
            boxes[i] = box_around(boxes[i].middle, NONE);
        }
        for (int i = 0; i < MOST; i++) {
            assert_false(box_is_none(&boxes[i]) && box_overlaps(&boxes[i], &boxes[(i + 1) % MOST]));
        }
        assert_int_equal(broad_phase_find(phase, MOST, boxes), STATUS_OK);
        for (int i = 0; i < MOST; i++) {
            boxes[i] = random_box(1.0, 0.4, false);
            boxes[i] = i % 3 == step ? box_around(boxes[i].middle, NONE) : boxes[i];
        }
        check(phase, MOST, boxes);
    }
    broad_phase_destroy(phase);
}

// Boxes of no extent, boxes that touch at a corner, places where cells are not told apart, and
// sizes beyond all reason
static void test_degenerate_boxes(void** state) {
    (void)state;
    BroadPhase* phase = broad_phase_create();
    Box boxes[MOST];
    assert_non_null(phase);
    check(phase, 0, boxes);
    for (int i = 0; i < 64; i++) {
        boxes[i] = box_around((Vec3){i % 4, i / 4 % 4, i / 16}, (Vec3){0.5, 0.5, 0.5});
    }
    check(phase, 64, boxes);
    for (int i = 0; i < 64; i++) {
        boxes[i] = box_around(boxes[i].middle, (Vec3){0.0, 0.0, 0.0});
    }
    boxes[7] = boxes[8];
    check(phase, 64, boxes);
    for (int i = 0; i < 64; i++) {
        boxes[i] = box_around((Vec3){1e30 * (i % 2 == 0 ? 1.0 : -1.0), 1e-30 * i, 0.0},
                              (Vec3){5e-7, 5e-7, 5e-7});
    }
    check(phase, 64, boxes);
    for (int i = 0; i < 64; i++) {
        const double half = pow(10.0, 5.0 * i);
        boxes[i] = box_around((Vec3){half, -half, 0.0}, (Vec3){half, half, half});
    }
    boxes[63] = box_around((Vec3){0.0, 0.0, 0.0}, (Vec3){INFINITY, 1.0, 1.0});
    boxes[62] = box_around((Vec3){NAN, 0.0, 0.0}, (Vec3){NAN, 1.0, 1.0});
    check(phase, 64, boxes);
    broad_phase_destroy(phase);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_is_rounded_up),  cmocka_unit_test(test_random_boxes),
        cmocka_unit_test(test_moving_boxes),        cmocka_unit_test(test_one_large_box),
        cmocka_unit_test(test_boxes_that_are_none), cmocka_unit_test(test_degenerate_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
