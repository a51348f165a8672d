#include "system/force_rounding.h"

#include <float.h>
#include <math.h>

#include "system/derivatives.h"

// --- bodies ---

// What the blocks of a body's derivatives are multiplied with
typedef struct SizeSink {
    BlockSink sink;
    const double* y;  // (nu) coordinates or velocities of the body; NULL: all are `largest`
    double largest;
    double* size;  // (nu) of the body
} SizeSink;

static void add_sizes(const BlockSink* sink, int n, const int* at, const double* block) {
    const SizeSink* body = (const SizeSink*)sink;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double y = body->y != NULL ? body->y[at[j]] : body->largest;
            body->size[at[i]] += fabs(block[i * n + j] * y);
        }
    }
}

static void add_body(const System* sys, const Instant* instant, const Element* body, double* size) {
    const BodyFunctions* functions = body->kind->body;
    const BodyView view = system_body_view(sys, instant, body);
    functions->forces(&view, size);
    for (int i = 0; i < body->u.n; i++) {
        size[i] = fabs(size[i]);
    }
    SizeSink sink = {.sink = {add_sizes}, .size = size};
    for (int i = 0; i < body->q.n; i++) {
        sink.largest = fmax(sink.largest, fabs(view.q[i]));
    }
    if (functions->tangent != NULL && functions->position_dependent) {
        functions->tangent(&view, (BodyTerms){.k = 1.0}, &sink.sink);
    }
    if (functions->tangent != NULL && functions->velocity_dependent) {
        sink.y = view.u;
        functions->tangent(&view, (BodyTerms){.d = 1.0}, &sink.sink);
    }
}

// --- forces ---

// How far from the origin the points are between which a force acts, and how far they have turned.
typedef struct Reach {
    double length, angle;
} Reach;

static Reach reach_of(const Instant* instant, const Link* link) {
    const int markers[ELEMENT_MAX_REFERENCES] = {link->marker_a, link->marker_b};
    Reach reach = {0.0, 1.0};  // rad: what directions are rounded against
    for (int s = 0; s < ELEMENT_MAX_REFERENCES; s++) {
        const Marker* marker = &instant->properties->markers[markers[s]];
        const Frame* frame = &instant->frames[marker->frame];
        reach.length = fmax(reach.length, length3(frame->r) + length3(marker->rho));
        reach.angle = fmax(reach.angle, fabs(frame->angle));
    }
    return reach;
}

static void add_force(const Instant* instant, const Link* link, double* size) {
    const Coupling* coupling = &link->coupling;
    const Reach reach = reach_of(instant, link);
    double F[LOCAL_SIZE] = {0.0};
    double row[COUPLING_MAX];
    double K[COUPLING_MAX * COUPLING_MAX];
    double D[COUPLING_MAX * COUPLING_MAX];
    system_force(instant, link, F);
    system_project(instant, link, F, row);
    system_force_derivatives(instant, link, K, D);
    for (int i = 0; i < coupling->n; i++) {
        double sum = fabs(row[i]);
        for (int j = 0; j < coupling->n; j++) {
            const bool turns =
                coupling->column != NULL && coupling->column[j] % TWIST_SIZE >= TWIST_SIZE / 2;
            sum += fabs(K[i * coupling->n + j]) * (turns ? reach.angle : reach.length) +
                   fabs(D[i * coupling->n + j] * instant->u[coupling->u[j]]);
        }
        size[coupling->u[i]] += sum;
    }
}

double system_force_rounding(const System* sys, const Instant* instant, double* scratch) {
    static const double ROUNDINGS = 4.0;  // in a term
    double square = 0.0;
    for (int i = 0; i < sys->n_bodies; i++) {
        if (sys->bodies[i]->u.n > 0) {
            add_body(sys, instant, sys->bodies[i], scratch + sys->bodies[i]->u.at);
        }
    }
    for (int i = 0; i < sys->n_forces; i++) {
        add_force(instant, &sys->forces[i], scratch);
    }
    for (int i = 0; i < sys->nu; i++) {
        square += scratch[i] * scratch[i] / instant->properties->M_diagonal[i];
    }
    return ROUNDINGS * DBL_EPSILON * sqrt(square);
}
