#include "system/properties.h"

#include <string.h>

#include "elements/bodies.h"
#include "linalg/cholesky.h"
#include "system/colliders.h"
#include "system/system.h"

static bool is_planar(const System* sys) {
    bool planar = true;
    for (int i = 0; i < sys->n_bodies; i++) {
        planar = planar && !sys->bodies[i]->kind->body->spatial;
    }
    return planar;
}

// A use stands after the one around it.
static void update_poses(const System* sys, const double* p, Properties* properties) {
    properties->poses[0] = POSE_NONE;
    for (int i = 0; i < sys->n_uses; i++) {
        const Element* use = sys->uses[i];
        properties->poses[1 + i] = use_pose(use, p + use->p.at, &properties->poses[use->use]);
    }
}

Status properties_create(const System* sys, Arena* arena, Properties* properties) {
    *properties = (Properties){
        .p = sys->p_start,
        .M = ARENA_NEW(arena, sys->n_mass, double),
        .M_inverse = ARENA_NEW(arena, sys->n_mass, double),
        .M_diagonal = ARENA_NEW(arena, sys->nu, double),
        .blocks = ARENA_NEW(arena, sys->n_blocks, int),
        .poses = ARENA_NEW(arena, 1 + sys->n_uses, Pose),
        .markers =
            ARENA_NEW(arena, sys->n_markers + 2 * (sys->most_contacts - sys->n_fixed), Marker),
        .constants = ARENA_NEW(arena, sys->n_constants, double),
        .planar = is_planar(sys),
    };
    const bool ok = properties->M != NULL && properties->M_inverse != NULL &&
                    properties->M_diagonal != NULL && properties->blocks != NULL &&
                    properties->poses != NULL && properties->markers != NULL &&
                    properties->constants != NULL;
    if (ok) {
        update_poses(sys, properties->p, properties);
    }
    return ok ? surfaces_create(sys, arena, properties) : STATUS_OUT_OF_MEMORY;
}

// Why the body cannot be where its part is used, or NULL
static const char* refused_by(const Pose* pose, const Element* body) {
    if (pose->at_rest) {
        return NULL;
    }
    if (body->kind->body->carry == NULL) {
        return "can stand in no part that a <use> moves: it lies on the x axis";
    }
    return body->kind->body->spatial || pose->in_plane
               ? NULL
               : "is of the plane, and the <use> of its part leaves it";
}

Marker properties_marker(const System* sys, const Properties* properties, const Element* element,
                         int i) {
    const double* p = properties->p;
    const Element* body = element->parent >= 0 ? &sys->elements[element->parent] : element;
    Marker marker = {.A = MAT3_IDENTITY};
    if (element->kind->corner != NULL) {
        const MarkerView view = {.par = p + element->p.at,
                                 .body = body->kind->body,
                                 .body_par = p + body->p.at,
                                 .n = element->n_markers};
        element->kind->corner(&view, i, &marker);
    } else if (element->kind->role == ROLE_SHAPE) {
        element->kind->marker(p + element->p.at, &marker);
        marker.function = element->function;
    }
    marker.frame = element->frame;
    if (body->kind->body->point != NULL) {  // a frame of its own, on the axis
        marker.frame += i;
        marker.X = (Vec3){marker.rho.x, 0.0, 0.0};
        marker.rho.x = 0.0;
    }
    const Pose* pose = &properties->poses[element->use];
    if (body->kind == &ground_kind && element != body && !pose->at_rest) {
        pose_carry_marker(pose, &marker);
    }
    if (body->kind->body->centre_of_mass != NULL) {
        marker.rho = sub3(marker.rho, body->kind->body->centre_of_mass(p + body->p.at));
    }
    return marker;
}

static void update_markers(const System* sys, Properties* properties) {
    for (int i = 0; i < sys->n_markers; i++) {
        const Element* element = sys->marker_elements[i];
        properties->markers[i] =
            element != NULL ? properties_marker(sys, properties, element, i - element->marker)
                            : (Marker){.frame = sys->n_frames, .A = MAT3_IDENTITY};  // the ground's
    }
}

// Do the twists of all points depend on the velocities that the system was built with?
static bool points_stay(const System* sys, Properties* properties) {
    for (int i = 0; i < sys->n_frames; i++) {
        const FramePoint* point = sys->frames[i].point;
        const Element* body = sys->frames[i].body;
        if (point == NULL) {
            continue;
        }
        int at[POINT_MAX_VELOCITIES];
        const int n = body->kind->body->point_velocities(properties->p + body->p.at, body->u.n,
                                                         properties->markers[point->marker].X, at);
        if (n != point->n || memcmp(at, point->at, (size_t)n * sizeof(int)) != 0) {
            properties->fault = sys->marker_elements[point->marker];
            return false;
        }
    }
    return true;
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

// Takes note of the mass of a body: the block that ends at *end if it is equal to that, else a new
// one, n_last being the number of velocities of the last. False if it is not positive definite.
static bool take_mass(const Element* body, const double* p, int* end, int* n_last,
                      Properties* properties) {
    const int n = body->u.n;
    const size_t size = (size_t)(n * n) * sizeof(double);
    double* M = properties->M + *end;
    body->kind->body->mass(p + body->p.at, M);
    const bool equal = *n_last == n && memcmp(M - (ptrdiff_t)n * n, M, size) == 0;
    properties->blocks[body->block] = equal ? *end - n * n : *end;
    properties->diagonal =
        take_diagonal(n, M, properties->M_diagonal + body->u.at) && properties->diagonal;
    if (equal) {
        return true;
    }
    *n_last = n;
    *end += n * n;
    return invert_mass(n, M, properties->M_inverse + properties->blocks[body->block]);
}

// What a body lacks, in words, or NULL; its constants
static const char* prepare_body(const Element* body, const double* par, double* constants) {
    const BodyFunctions* f = body->kind->body;
    const char* missing = f->missing != NULL ? f->missing(par) : NULL;
    return missing == NULL && f->prepare != NULL ? f->prepare(par, body->function, constants)
                                                 : missing;
}

Status system_update_parameters(const System* sys, const double* p, Properties* properties) {
    int end = 0;  // of the blocks
    int n_last = 0;
    properties->p = p;
    properties->version++;
    properties->diagonal = true;
    update_poses(sys, p, properties);
    for (int i = 0; i < sys->n_elements; i++) {
        if (sys->elements[i].function != NULL) {  // of x and of user parameters, the first of p
            expression_set_bound(sys->elements[i].function, p);
        }
    }
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const int nu = body->u.n;
        if (nu == 0) {
            continue;
        }
        double* constants = properties->constants + body->constants;
        properties->missing = prepare_body(body, p + body->p.at, constants);
        if (properties->missing == NULL) {
            properties->missing = refused_by(&properties->poses[body->use], body);
        }
        if (properties->missing != NULL) {
            properties->fault = body;
            return STATUS_SINGULAR;
        }
        if (body->kind->body->mass == NULL) {
            const BodyView view = {
                .par = p + body->p.at, .constants = constants, .nq = body->q.n, .nu = nu};
            body->kind->body->mass_diagonal(&view, properties->M_diagonal + body->u.at);
            properties->diagonal = false;
            continue;
        }
        if (!take_mass(body, p, &end, &n_last, properties)) {
            properties->fault = body;
            return STATUS_SINGULAR;
        }
    }
    update_markers(sys, properties);
    if (!surfaces_update(sys, p, properties)) {
        return STATUS_SINGULAR;
    }
    return points_stay(sys, properties) ? STATUS_OK : STATUS_OUT_OF_RANGE;
}
