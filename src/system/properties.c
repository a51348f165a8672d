#include "system/properties.h"

#include <string.h>

#include "linalg/cholesky.h"
#include "system/system.h"

static bool is_planar(const System* sys) {
    bool planar = true;
    for (int i = 0; i < sys->n_bodies; i++) {
        planar = planar && !sys->bodies[i]->kind->body->spatial;
    }
    return planar;
}

Status properties_create(const System* sys, Arena* arena, Properties* properties) {
    *properties = (Properties){
        .p = ARENA_NEW(arena, sys->n_parameters, double),
        .M = ARENA_NEW(arena, sys->n_mass, double),
        .M_inverse = ARENA_NEW(arena, sys->n_mass, double),
        .M_diagonal = ARENA_NEW(arena, sys->nu, double),
        .markers = ARENA_NEW(arena, sys->n_markers, Marker),
        .planar = is_planar(sys),
    };
    const bool ok = properties->p != NULL && properties->M != NULL &&
                    properties->M_inverse != NULL && properties->M_diagonal != NULL &&
                    properties->markers != NULL;
    return ok ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

static void update_markers(const System* sys, const double* p, Properties* properties) {
    for (int i = 0; i < sys->n_markers; i++) {
        const Element* element = sys->marker_elements[i];
        Marker* marker = &properties->markers[i];
        *marker = (Marker){.frame = sys->n_frames, .A = MAT3_IDENTITY};
        if (element == NULL) {
            continue;  // the ground's origin
        }
        const bool shape = element->kind->role == ROLE_SHAPE;
        const Element* body = shape ? &sys->elements[element->parent] : element;
        if (shape && element->kind->corner != NULL) {
            element->kind->corner(p + element->p.at, i - element->marker, marker);
        } else if (shape) {
            element->kind->marker(p + element->p.at, marker);
            marker->function = element->function;
        }
        marker->frame = element->frame;
        if (body->kind->body->flexible != NULL) {
            marker->rho.x = 0.0;  // the frame is that of the node
        }
        if (body->kind->body->centre_of_mass != NULL) {
            marker->rho = sub3(marker->rho, body->kind->body->centre_of_mass(p + body->p.at));
        }
    }
}

// False if M is not positive definite.
static bool invert_mass(int n, const double* M, double* inverse) {
    double L[TWIST_SIZE * TWIST_SIZE];
    memcpy(L, M, (size_t)(n * n) * sizeof(double));
    if (!cholesky_factor(n, L)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        double* row = inverse + i * n;  // symmetric: a column as well
        for (int j = 0; j < n; j++) {
            row[j] = i == j ? 1.0 : 0.0;
        }
        cholesky_solve(n, L, row);
    }
    return true;
}

// The diagonal of a body's block of M; false if there are other entries.
static bool take_diagonal(int n, const double* M, double* diagonal) {
    bool alone = true;
    for (int i = 0; i < n * n; i++) {
        alone = alone && (i % (n + 1) == 0 || M[i] == 0.0);
    }
    for (int i = 0; i < n; i++) {
        diagonal[i] = M[i * n + i];
    }
    return alone;
}

Status system_update_parameters(const System* sys, const double* p, Properties* properties) {
    int at = 0;
    properties->p = p;
    properties->diagonal = true;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const FlexibleFunctions* flexible = body->kind->body->flexible;
        const int nu = body->u.n;
        if (flexible != NULL) {
            flexible->mass_diagonal(p + body->p.at, nu, properties->M_diagonal + body->u.at);
            properties->diagonal = false;
        }
        if (flexible != NULL || nu == 0) {
            continue;
        }
        body->kind->body->mass(p + body->p.at, properties->M + at);
        if (!invert_mass(nu, properties->M + at, properties->M_inverse + at)) {
            return STATUS_SINGULAR;
        }
        properties->diagonal =
            take_diagonal(nu, properties->M + at, properties->M_diagonal + body->u.at) &&
            properties->diagonal;
        at += nu * nu;
    }
    update_markers(sys, p, properties);
    return STATUS_OK;
}
