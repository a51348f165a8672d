// With l = x_a - x_b, the equations F_1 = d_b . l, F_2 = d_b x d_a have the derivatives
//   dF_1/ds_a = d_b . d_a,    dF_1/ds_b = dd_b . l - d_b . d_b,
//   dF_2/ds_a = d_b x dd_a,   dF_2/ds_b = dd_b x d_a.
#include "geometry/smooth_curve.h"

#include <math.h>
#include <stddef.h>

static Vec2 turned(const TouchSide* side, Vec2 d) {
    return add2(scale2(d.x, side->e), scale2(d.y, left2(side->e)));
}

SmoothPoint touch_point(const TouchSide* side, bool second, double s) {
    if (side->smooth != NULL) {
        const SmoothPoint p = smooth_at(side->smooth, s);
        return (SmoothPoint){add2(side->r, turned(side, p.x)), turned(side, p.d),
                             turned(side, p.dd), turned(side, p.ddd)};
    }
    if (!second) {
        return (SmoothPoint){.x = side->r};
    }
    return (SmoothPoint){.x = add2(side->r, scale2(s, side->e)), .d = side->e};
}

// The step of Newton's method
static void newton_step(const SmoothPoint* a, const SmoothPoint* b, bool point, double step[2]) {
    const Vec2 l = sub2(a->x, b->x);
    const double straight = dot2(b->d, b->d);
    const double F_1 = dot2(b->d, l), F_2 = cross2(b->d, a->d);
    const double J_1a = dot2(b->d, a->d), J_1b = dot2(b->dd, l) - straight;
    const double J_2a = cross2(b->d, a->dd), J_2b = cross2(b->dd, a->d);
    const double det = J_1a * J_2b - J_1b * J_2a;
    const double size = fabs(J_1a * J_2b) + fabs(J_1b * J_2a);
    if (point || !(fabs(det) > TOUCH_DEGENERATE * size)) {
        step[0] = 0.0;
        step[1] = F_1 / (fabs(J_1b) > TOUCH_DEGENERATE * straight ? -J_1b : straight);
        return;
    }
    step[0] = (J_1b * F_2 - J_2b * F_1) / det;
    step[1] = (J_2a * F_1 - J_1a * F_2) / det;
}

// The next parameter of a side: steps are bounded, so that none leads to another place that faces
// the other side as well.
static double next_of(const TouchSide* side, double s, double step) {
    static const double LONGEST = 0.25;  // of the span
    if (side->smooth == NULL) {
        return s + step;
    }
    const double longest = LONGEST * side->span;
    const double next = s + fmax(-longest, fmin(step, longest));
    return fmax(side->s - side->span, fmin(next, side->s + side->span));
}

static bool is_inside(const TouchSide* side, double s) {
    return side->smooth == NULL || fabs(s - side->s) < side->span;
}

bool touch_solve(const TouchSide sides[2], double s[2]) {
    enum { MOST_STEPS = 40 };
    static const double CLOSE = 1e-10;  // of the span: the next step would change nothing
    const bool point = sides[0].smooth == NULL;
    s[0] = sides[0].s;
    s[1] = sides[1].s;
    for (int i = 0; i < MOST_STEPS; i++) {
        const SmoothPoint a = touch_point(&sides[0], false, s[0]);
        const SmoothPoint b = touch_point(&sides[1], true, s[1]);
        double step[2];
        bool close = true;
        newton_step(&a, &b, point, step);
        for (int k = 0; k < 2; k++) {
            const double next = next_of(&sides[k], s[k], step[k]);
            const bool moves = sides[k].smooth != NULL;
            close = close && (!moves || fabs(next - s[k]) <= CLOSE * sides[k].span);
            s[k] = next;
        }
        if (close && is_inside(&sides[0], s[0]) && is_inside(&sides[1], s[1])) {
            return true;
        }
    }
    s[0] = sides[0].s;
    s[1] = sides[1].s;
    return false;
}
