// Outlines of all kinds for tests, and what is known of them by other means than the library's:
// their parts as curves x(s) by angles, distances of points from parts, support by parts.
#pragma once

#include "numbers.h"

#include "geometry/outline.h"

#define PI 3.14159265358979323846

enum { MOST_STEPS = 400, MOST_PARTS = 2 * MOST_STEPS };

typedef struct Shape {
    const char* name;
    OutlinePart parts[MOST_PARTS];
    Outline outline;
} Shape;

static inline void shape_path(Shape* shape, const char* name, int n, const OutlineStep* steps) {
    shape->name = name;
    const char* error = outline_from_path(n, steps, shape->parts, &shape->outline);
    if (error) {
        fail_msg("%s: %s", name, error);
    }
}

static inline void shape_polygon(Shape* shape, const char* name, int n, const Vec2* x) {
    OutlineStep steps[MOST_STEPS];
    for (int i = 0; i < n; i++) {
        steps[i] = (OutlineStep){.to = x[i]};
    }
    shape_path(shape, name, n, steps);
}

static inline void shape_box(Shape* shape, double width, double height) {
    const double w = 0.5 * width, h = 0.5 * height;
    shape_polygon(shape, "box", 4, (Vec2[]){{-w, -h}, {w, -h}, {w, h}, {-w, h}});
}

static inline Vec2 polar(double radius, double angle) {
    return (Vec2){radius * cos(angle), radius * sin(angle)};
}

static inline void shape_regular(Shape* shape, int n, double radius) {
    Vec2 x[MOST_STEPS];
    for (int i = 0; i < n; i++) {
        x[i] = polar(radius, 2.0 * PI * i / n);
    }
    shape_polygon(shape, "regular polygon", n, x);
}

// Corners at random angles on an ellipse
static inline void shape_random_convex(Shape* shape, int n, double radius) {
    Vec2 x[MOST_STEPS];
    const double squeeze = random_in(0.3, 1.0);
    for (int i = 0; i < n; i++) {
        x[i] = polar(radius, 2.0 * PI * (i + random_in(0.1, 0.9)) / n);
        x[i].y *= squeeze;
    }
    shape_polygon(shape, "convex polygon", n, x);
}

static inline void shape_star(Shape* shape, int n, double outer, double inner) {
    Vec2 x[MOST_STEPS];
    for (int i = 0; i < 2 * n; i++) {
        x[i] = polar(i % 2 ? inner : outer, PI * i / n);
    }
    shape_polygon(shape, "star", 2 * n, x);
}

static inline void shape_L(Shape* shape, double size, double thickness) {
    const double s = size, t = thickness;
    shape_polygon(shape, "L", 6, (Vec2[]){{0, 0}, {s, 0}, {s, t}, {t, t}, {t, s}, {0, s}});
}

static inline void shape_rounded_box(Shape* shape, double width, double height, double r) {
    const double w = 0.5 * width, h = 0.5 * height;
    const OutlineStep steps[] = {{{w - r, -h}, 0, 0}, {{w, r - h}, r, 0}, {{w, h - r}, 0, 0},
                                 {{w - r, h}, r, 0},  {{r - w, h}, 0, 0}, {{-w, h - r}, r, 0},
                                 {{-w, r - h}, 0, 0}, {{r - w, -h}, r, 0}};
    shape_path(shape, "rounded box", 8, steps);
}

// Teeth with straight flanks and tips, and hollow roots between them: four parts a tooth
static inline void shape_gear(Shape* shape, int teeth, double radius, double height) {
    OutlineStep steps[MOST_STEPS];
    const double root = radius - 0.5 * height, tip = radius + 0.5 * height;
    const double pitch = 2.0 * PI / teeth;
    int n = 0;
    for (int i = 0; i < teeth; i++) {
        const double middle = pitch * i;
        steps[n++] =
            (OutlineStep){.to = polar(root, middle - 0.3 * pitch), .bulge = -0.3 * pitch * root};
        steps[n++] = (OutlineStep){.to = polar(tip, middle - 0.15 * pitch)};
        steps[n++] = (OutlineStep){.to = polar(tip, middle + 0.15 * pitch), .bulge = tip};
        steps[n++] = (OutlineStep){.to = polar(root, middle + 0.3 * pitch)};
    }
    shape_path(shape, "gear", n, steps);
}

// A Geneva wheel: slots with round ends, hollow rims between them
static inline void shape_geneva(Shape* shape, int slots, double radius) {
    OutlineStep steps[MOST_STEPS];
    const double half = 0.06 * radius, deep = 0.45 * radius;
    int n = 0;
    for (int i = 0; i < slots; i++) {
        const double angle = 2.0 * PI * i / slots, next = 2.0 * PI * (i + 1) / slots;
        const Vec2 e = polar(1.0, angle), f = left2(e), e_1 = polar(1.0, next), f_1 = left2(e_1);
        steps[n++] = (OutlineStep){.to = sub2(scale2(deep, e), scale2(half, f))};
        steps[n++] = (OutlineStep){.to = add2(scale2(deep, e), scale2(half, f)), .bulge = -half};
        steps[n++] = (OutlineStep){.to = add2(scale2(radius, e), scale2(half, f))};
        steps[n++] = (OutlineStep){.to = sub2(scale2(radius, e_1), scale2(half, f_1)),
                                   .bulge = -1.2 * radius};
    }
    shape_path(shape, "Geneva wheel", n, steps);
}

// Two arcs that meet at sharp tips
static inline void shape_lens(Shape* shape, double width, double radius) {
    const OutlineStep steps[] = {{{0.5 * width, 0.0}, radius, false},
                                 {{-0.5 * width, 0.0}, radius, false}};
    shape_path(shape, "lens", 2, steps);
}

static inline void shape_plain(Shape* shape, const char* name, double size) {
    const Vec2 o = {0.1 * size, -0.2 * size};
    shape->name = name;
    if (strcmp(name, "point") == 0) {
        outline_point(o, shape->parts, &shape->outline);
    } else if (strcmp(name, "circle") == 0) {
        outline_circle(o, size, shape->parts, &shape->outline);
    } else if (strcmp(name, "ring") == 0) {
        outline_ring(o, size, shape->parts, &shape->outline);
    } else if (strcmp(name, "line") == 0) {
        outline_line(o, (Vec2){0.6, 0.8}, shape->parts, &shape->outline);
    } else if (strcmp(name, "segment") == 0) {
        assert_true(outline_segment(o, (Vec2){size, size}, 0.0, shape->parts, &shape->outline));
    } else if (strcmp(name, "thick segment") == 0) {
        assert_true(
            outline_segment(o, (Vec2){size, size}, 0.3 * size, shape->parts, &shape->outline));
    } else if (strcmp(name, "arc") == 0) {
        outline_arc(o, size, -0.5, 2.2, 0.1 * size, shape->parts, &shape->outline);
    } else {
        outline_arc(o, size, -2.5, 3.4, 0.2 * size, shape->parts, &shape->outline);
    }
}

// --- placing ---

static inline Placement placed(double x, double y, double angle) {
    return (Placement){.r = {x, y, 0.0}, .R = rotation3_z(angle)};
}

static inline Vec2 in_world(const Placement* p, Vec2 x) {
    const Vec3 y = add3(p->r, turn3(p->R, ((Vec3){x.x, x.y, 0.0})));
    return (Vec2){y.x, y.y};
}

// --- parts as curves ---

// A straight line from p to q, or an arc about c from an angle by a signed angle
typedef struct Curve {
    bool straight;
    Vec2 p, q, c;
    double radius, start, sweep;
    Vec2 middle;  // of a circle around it
    double reach;
} Curve;

static inline Vec2 curve_at(const Curve* k, double s) {
    if (k->straight) {
        return add2(k->p, scale2(s, sub2(k->q, k->p)));
    }
    return add2(k->c, polar(k->radius, k->start + s * k->sweep));
}

static inline double angle_between(double from, double to) {
    double angle = fmod(to - from, 2.0 * PI);
    return angle < 0.0 ? angle + 2.0 * PI : angle;
}

static inline Curve curve_of(const OutlinePart* part, const Placement* place) {
    Curve k = {.straight = part->kind == OUTLINE_STRAIGHT, .radius = part->radius};
    const double turn = atan2(place->R.e[0].y, place->R.e[0].x);
    if (k.straight) {
        const Vec2 along = left2(part->from);
        k.p = in_world(place, part->at);
        k.q = in_world(place, add2(part->at, scale2(part->length, along)));
    } else {
        const double flip = part->kind == OUTLINE_HOLLOW ? PI : 0.0;
        const double from = atan2(part->from.y, part->from.x) + flip + turn;
        const double to = atan2(part->to.y, part->to.x) + flip + turn;
        k.c = in_world(place, part->at);
        k.start = from;
        k.sweep = part->kind == OUTLINE_HOLLOW ? -angle_between(to, from) : angle_between(from, to);
        if (part->whole) {
            k.sweep = 2.2 * PI;  // for no least value to lie between the ends
        }
    }
    k.middle = k.straight ? scale2(0.5, add2(k.p, k.q)) : k.c;
    k.reach = k.straight ? 0.5 * length2(sub2(k.p, k.q)) : k.radius;
    return k;
}

static inline double curve_distance(const Curve* k, Vec2 x) {
    if (k->straight) {
        const Vec2 d = sub2(k->q, k->p);
        const double s = dot2(sub2(x, k->p), d) / dot2(d, d);
        return length2(sub2(x, curve_at(k, fmin(fmax(s, 0.0), 1.0))));
    }
    const Vec2 d = sub2(x, k->c);
    const double angle = atan2(d.y, d.x);
    const double on =
        k->sweep >= 0.0 ? angle_between(k->start, angle) : angle_between(angle, k->start);
    if (on <= fabs(k->sweep)) {
        return fabs(length2(d) - k->radius);
    }
    return fmin(length2(sub2(x, curve_at(k, 0.0))), length2(sub2(x, curve_at(k, 1.0))));
}

typedef struct Curves {
    int n;
    Curve k[MOST_PARTS];
} Curves;

// Without inward corners, which are ends of others
static inline void curves_of(const Outline* o, const Placement* place, Curves* curves) {
    curves->n = o->n;
    for (int i = 0; i < o->n; i++) {
        curves->k[i] = curve_of(&o->parts[i], place);
    }
}
