// Random surroundings for the kernels of joints, contacts and forces, and displacements of their
// frames. Included by tests, each a program.
#pragma once

#include "numbers.h"

#include "elements/element.h"

enum { CASE_PARAMETERS = 32, CASE_SIGNALS = 8 };

typedef struct Case {
    Surroundings s;
    Frame frames[2];
    Marker markers[2];
    Element element;
    double par[CASE_PARAMETERS];
    Jet signals[CASE_SIGNALS];
} Case;

static inline Vec3 random_vector(double size) {
    return (Vec3){random_in(-size, size), random_in(-size, size), random_in(-size, size)};
}

static inline Jet random_jet(void) {
    return (Jet){.v = random_in(-1.0, 1.0), .d = random_in(-1.0, 1.0), .dd = random_in(-1.0, 1.0)};
}

// A signal with constant second derivative a time t later
static inline Jet jet_after(Jet s, double t) {
    return (Jet){.v = s.v + t * s.d + 0.5 * t * t * s.dd, .d = s.d + t * s.dd, .dd = s.dd};
}

// Rotation exp(w~) by Rodrigues' formula
static inline Mat3 rotation(Vec3 w) {
    const double angle = length3(w);
    Mat3 R = MAT3_IDENTITY;
    if (angle == 0.0) {
        return R;
    }
    const Vec3 n = scale3(1.0 / angle, w);
    for (int i = 0; i < 3; i++) {
        const Vec3 e = MAT3_IDENTITY.e[i];
        const Vec3 along = scale3((1.0 - cos(angle)) * dot3(n, e), n);
        R.e[i] = add3(add3(scale3(cos(angle), e), along), scale3(sin(angle), cross3(n, e)));
    }
    return R;
}

// Frame and marker of one side, well apart from the other and not along the axes of cylinders, so
// that differences are accurate
static inline void random_side(Case* c, int side, bool planar) {
    Frame* f = &c->frames[side];
    Marker* marker = &c->markers[side];
    Vec3 turn = random_vector(0.4);
    const Vec3 apart = {side == 0 ? 0.0 : 2.0, side == 0 ? 0.0 : -1.5, 0.0};
    *f = (Frame){
        .r = add3(apart, random_vector(0.5)), .v = random_vector(1.0), .Omega = random_vector(1.0)};
    *marker = (Marker){.rho = random_vector(0.3),
                       .A = rotation(random_vector(0.4)),
                       .radius = random_in(0.1, 0.3),
                       .weight = random_in(0.1, 0.3)};
    if (planar) {
        turn.x = turn.y = f->r.z = f->v.z = f->Omega.x = f->Omega.y = 0.0;
        marker->rho.z = 0.0;
        marker->A = rotation((Vec3){0.0, 0.0, random_in(-1.0, 1.0)});
    }
    f->R = rotation(turn);
    f->angle = turn.z;
}

static inline void random_case(const ElementKind* kind, bool planar, Case* c) {
    assert_true(kind->n_parameters <= CASE_PARAMETERS && kind->n_signals <= CASE_SIGNALS);
    *c = (Case){.element = {.kind = kind}};
    for (int i = 0; i < CASE_PARAMETERS; i++) {
        c->par[i] = random_in(0.3, 0.9);
    }
    for (int i = 0; i < kind->n_parameters; i++) {
        if (kind->parameters[i].enumeration != NULL) {
            c->par[i] = 1.0 + random_below(kind->parameters[i].enumeration->n_items);
        }
    }
    for (int i = 0; i < CASE_SIGNALS; i++) {
        c->signals[i] = random_jet();
    }
    random_side(c, 0, planar);
    random_side(c, 1, planar);
    c->s = (Surroundings){.element = &c->element,
                          .zeta = true,
                          .par = c->par,
                          .signals = c->signals,
                          .a = &c->markers[0],
                          .b = &c->markers[1]};
}

// The frame after a displacement s (dr, dtheta), its velocity components unchanged
static inline Frame displaced(const Frame* frame, double s, Vec3 dr, Vec3 dtheta) {
    Frame moved = *frame;
    moved.r = add3(frame->r, scale3(s, dr));
    moved.R = product3(frame->R, rotation(scale3(s, dtheta)));
    moved.angle = frame->angle + s * dtheta.z;
    return moved;
}

static inline Vec3 unit_vector(int i) { return (Vec3){i == 0, i == 1, i == 2}; }

// One of the ways in which two frames can change: displacement or velocity along a component of
// the twist of one of them
typedef struct Variation {
    int side, component;
    bool velocity;
} Variation;
enum { N_VARIATIONS = 2 * LOCAL_SIZE };

static inline Variation variation(int i) {
    return (Variation){i / TWIST_SIZE % 2, i % TWIST_SIZE, i >= LOCAL_SIZE};
}

static inline bool in_plane(Variation v) {
    return v.component == 0 || v.component == 1 || v.component == 5;
}

static inline void vary(const Case* c, Variation v, double s, Frame frames[2]) {
    const Vec3 linear = unit_vector(v.component);
    const Vec3 angular = unit_vector(v.component - 3);
    frames[0] = c->frames[0];
    frames[1] = c->frames[1];
    Frame* f = &frames[v.side];
    if (v.velocity) {
        f->v = add3(f->v, scale3(s, linear));
        f->Omega = add3(f->Omega, scale3(s, angular));
    } else {
        *f = displaced(f, s, linear, angular);
    }
}

static inline void vary_dual(const Case* c, Variation v, DualFrame frames[2]) {
    for (int side = 0; side < 2; side++) {
        const int component = side == v.side ? v.component : -1;
        frames[side] =
            frame_vary(&c->frames[side], v.velocity ? -1 : component, v.velocity ? component : -1);
    }
}
