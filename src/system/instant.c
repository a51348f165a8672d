#include "system/instant.h"

#include <math.h>
#include <string.h>

#include "system/system.h"

Status instant_create(const System* sys, const Properties* properties, Arena* arena,
                      Instant* instant) {
    *instant = (Instant){
        .q = ARENA_NEW(arena, sys->nq, double),
        .u = ARENA_NEW(arena, sys->nu, double),
        .frames = ARENA_NEW(arena, sys->n_frames + 1, Frame),
        .T = ARENA_NEW(arena, sys->n_T, double),
        .signals = ARENA_NEW(arena, sys->n_signals, Jet),
        .symbols = ARENA_NEW(arena, system_symbols(sys), Jet),
        .moving = ARENA_NEW(arena, sys->n_motions > 0 ? system_symbols(sys) : 0, Jet),
        .properties = properties,
    };
    if (instant->q == NULL || instant->u == NULL || instant->frames == NULL || instant->T == NULL ||
        instant->signals == NULL || instant->symbols == NULL || instant->moving == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    instant->frames[sys->n_frames] = (Frame){.R = MAT3_IDENTITY};  // the ground
    return STATUS_OK;
}

// Inputs that follow given slopes are as they are.
static void evaluate_motions(const System* sys, const State* s, Instant* instant) {
    memcpy(instant->moving, instant->symbols, (size_t)system_symbols(sys) * sizeof(Jet));
    for (int k = 0; k < sys->n_motions; k++) {
        const int input = sys->motions[k] - sys->n_user_parameters;
        if (input < 0 || s->input_sloped[input] == 0.0) {
            instant->moving[sys->motions[k]] = motion_at(&s->motions[k], instant->t);
        }
    }
}

// Parameters and inputs at the instant's t
static void evaluate_symbols(const System* sys, const State* s, Instant* instant) {
    for (int i = 0; i < sys->n_user_parameters; i++) {
        instant->symbols[i] = (Jet){.v = s->p[i]};
    }
    for (int i = 0; i < sys->n_inputs; i++) {
        instant->symbols[sys->n_user_parameters + i] =
            (Jet){.v = s->input[i] + s->input_slope[i] * (instant->t - s->input_time[i]),
                  .d = s->input_slope[i]};
    }
    if (s->head->moving) {
        evaluate_motions(sys, s, instant);
    }
}

static Jet signal_at(const System* sys, const State* s, const Instant* instant, int i) {
    const bool moves = s->head->moving && sys->moves[i];
    return expression_jet(sys->signals[i], instant->t, moves ? instant->moving : instant->symbols);
}

void instant_evaluate_signals(const System* sys, const State* s, Instant* instant) {
    if (sys->n_signals == 0) {
        return;
    }
    evaluate_symbols(sys, s, instant);
    for (int i = 0; i < sys->n_signals; i++) {
        instant->signals[i] = signal_at(sys, s, instant, i);
    }
}

SignalFault instant_find_fault(const System* sys, const State* s, double t, bool constants,
                               Instant* scratch) {
    const double before = scratch->t;
    SignalFault fault = {.signal = -1};
    if (sys->n_signals == 0) {
        return fault;
    }
    scratch->t = t;
    evaluate_symbols(sys, s, scratch);
    for (int i = 0; i < sys->n_signals && fault.signal < 0; i++) {
        if (!constants && expression_is_constant(sys->signals[i])) {
            continue;
        }
        const Jet x = signal_at(sys, s, scratch, i);
        const double orders[] = {x.v, x.d, x.dd};
        for (int order = sys->signal_infos[i]->n_derivatives; order >= 0; order--) {
            if (!isfinite(orders[order])) {
                fault = (SignalFault){i, order, orders[order]};
            }
        }
    }
    scratch->t = before;
    return fault;
}

static void evaluate_point(const FrameSource* source, Instant* instant, Frame* frame) {
    const Element* body = source->body;
    const FramePoint* point = source->point;
    const BodyView view = system_point_view(instant, body);
    body->kind->body->point(&view, instant->properties->markers[point->marker].X, point->n,
                            point->at, frame, instant->T + point->T);
}

// The frame of a rigid body
static void evaluate_rigid(const FrameSource* source, const Instant* instant, Frame* frame) {
    const Properties* properties = instant->properties;
    const Element* body = source->body;
    body->kind->body->frame(properties->p + body->p.at, instant->signals + body->signals.at,
                            instant->q + body->q.at, instant->u + body->u.at, frame);
    if (body->u.n == 0 && !properties->poses[body->use].at_rest) {
        pose_carry_frame(&properties->poses[body->use], frame);
    }
}

// Those of bodies that are not rigid
static void evaluate_points(const System* sys, Instant* instant) {
    for (int i = 0; i < sys->n_frames; i++) {
        if (sys->frames[i].point != NULL) {
            evaluate_point(&sys->frames[i], instant, &instant->frames[i]);
        }
    }
}

void instant_evaluate_frames(const System* sys, Instant* instant) {
    for (int i = 0; i < sys->n_frames; i++) {
        if (sys->frames[i].point == NULL) {
            evaluate_rigid(&sys->frames[i], instant, &instant->frames[i]);
        }
    }
    evaluate_points(sys, instant);
    instant->version = instant->properties->version;
}

// Each velocity of a rigid body is one component of its frame's twist.
static void set_twist(const Element* body, const double* u, Frame* frame) {
    double twist[TWIST_SIZE] = {0.0};
    for (int i = 0; i < body->u.n; i++) {
        twist[body->kind->body->twist[i]] = u[i];
    }
    frame->v = (Vec3){twist[0], twist[1], twist[2]};
    frame->Omega = (Vec3){twist[3], twist[4], twist[5]};
}

void instant_evaluate_velocities(const System* sys, Instant* instant) {
    for (int i = 0; i < sys->n_frames; i++) {
        const FrameSource* source = &sys->frames[i];
        const Element* body = source->body;
        if (source->point != NULL) {
            evaluate_point(source, instant, &instant->frames[i]);
        } else if (body->u.n > 0) {
            set_twist(body, instant->u + body->u.at, &instant->frames[i]);
        }
    }
}

void instant_evaluate(const System* sys, const State* s, Instant* instant) {
    instant_evaluate_signals(sys, s, instant);
    instant_evaluate_frames(sys, instant);
}

static bool are_same(const double* a, const double* b, Range range) {
    return memcmp(a + range.at, b + range.at, (size_t)range.n * sizeof *a) == 0;
}

static void copy(const double* from, Range range, double* to) {
    memcpy(to + range.at, from + range.at, (size_t)range.n * sizeof *to);
}

// Is the frame of a body that nothing else moves that of q and u already?
static bool stays(const Element* body, const double* q, const double* u, const Instant* instant) {
    return body->u.n > 0 && body->signals.n == 0 && are_same(instant->u, u, body->u) &&
           are_same(instant->q, q, body->q);
}

void instant_set(const System* sys, const State* s, double t, const double* q, const double* u,
                 Instant* instant) {
    const bool known = instant->version == instant->properties->version;
    int n_rigid = 0;  // velocities of rigid bodies
    instant->t = t;
    instant_evaluate_signals(sys, s, instant);
    for (int i = 0; i < sys->n_frames; i++) {
        const FrameSource* source = &sys->frames[i];
        const Element* body = source->body;
        if (source->point != NULL) {
            continue;
        }
        n_rigid += body->u.n;
        if (!(known && stays(body, q, u, instant))) {
            copy(q, body->q, instant->q);
            copy(u, body->u, instant->u);
            evaluate_rigid(source, instant, &instant->frames[i]);
        }
    }
    if (n_rigid < sys->nu) {
        copy(q, (Range){0, sys->nq}, instant->q);
        copy(u, (Range){0, sys->nu}, instant->u);
        evaluate_points(sys, instant);
    }
    instant->version = instant->properties->version;
}
