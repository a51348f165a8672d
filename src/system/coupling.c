#include "system/coupling.h"

#include <stddef.h>
#include <string.h>

// Entry of the velocity in the coupling, which it becomes one of if it is not yet; known: how many
// of those that there are it may be among
static int coupling_entry(int velocity, int known, int* u, int* n) {
    for (int i = 0; i < known; i++) {
        if (u[i] == velocity) {
            return i;
        }
    }
    u[*n] = velocity;
    return (*n)++;
}

// One side of a coupling: velocities, and components of the twist of the frame that is number side
static void couple_side(const FrameSource* source, int side, bool same_body, Coupling* coupling,
                        int* u, int* entries, int* columns) {
    const Element* body = source->body;
    const int known = same_body ? coupling->n : 0;
    const FramePoint* point = source->point;
    const bool rigid = point == NULL;
    const int n = rigid ? body->u.n : point->n;
    coupling->sides[side] = (CouplingSide){.n = n,
                                           .entry = entries,
                                           .twist = rigid ? body->kind->body->twist : NULL,
                                           .source = source};
    for (int i = 0; i < n; i++) {
        const int velocity = body->u.at + (rigid ? i : point->at[i]);
        entries[i] = coupling_entry(velocity, known, u, &coupling->n);
        if (rigid) {
            columns[entries[i]] = side * TWIST_SIZE + body->kind->body->twist[i];
        }
    }
}

// Rigid bodies have their velocities in the order of the components of their twists: all of them in
// space, three in the plane. Two of these, or one and what does not move, differ in u alone.
static const int OF_SPACE[2 * TWIST_SIZE] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
enum { N_PLANE = 3 };
static const int OF_PLANE[2 * N_PLANE] = {0, 1, 5, TWIST_SIZE, TWIST_SIZE + 1, TWIST_SIZE + 5};

static bool moves(const FrameSource* source) { return source != NULL && source->body->u.n > 0; }

// Is a frame that of a rigid body with these components (n) as its velocities, or does it not move?
static bool is_alike(const FrameSource* source, const int* components, int n) {
    return !moves(source) ||
           (source->point == NULL && source->body->u.n == n &&
            memcmp(source->body->kind->body->twist, components, (size_t)n * sizeof(int)) == 0);
}

// columns: of the two bodies, as they begin with each other's
static void couple_alike(const FrameSource* const sources[ELEMENT_MAX_REFERENCES],
                         const int* columns, int* u, Coupling* coupling) {
    coupling->column = columns;
    for (int side = 0; side < ELEMENT_MAX_REFERENCES; side++) {
        const FrameSource* source = sources[side];
        if (source == NULL) {
            continue;
        }
        const int n = source->body->u.n;
        coupling->sides[side] = (CouplingSide){.n = n,
                                               .entry = OF_SPACE + coupling->n,
                                               .twist = source->body->kind->body->twist,
                                               .source = source};
        if (coupling->n == 0) {
            coupling->column = columns + (ptrdiff_t)side * n;
        }
        for (int i = 0; i < n; i++) {
            u[coupling->n++] = source->body->u.at + i;
        }
    }
}

// The columns of two rigid bodies that are alike, or NULL
static const int* columns_of(const FrameSource* const sources[ELEMENT_MAX_REFERENCES]) {
    if (sources[0] != NULL && sources[1] != NULL && sources[0]->body == sources[1]->body) {
        return NULL;
    }
    return is_alike(sources[0], OF_SPACE, TWIST_SIZE) && is_alike(sources[1], OF_SPACE, TWIST_SIZE)
               ? OF_SPACE
           : is_alike(sources[0], OF_PLANE, N_PLANE) && is_alike(sources[1], OF_PLANE, N_PLANE)
               ? OF_PLANE
               : NULL;
}

void coupling_make(const FrameSource* const sources[ELEMENT_MAX_REFERENCES], bool swapped,
                   int width, int* u, int* others, Coupling* coupling) {
    const int* alike = swapped ? NULL : columns_of(sources);
    int* columns = others;
    int* entries = others + width;
    bool rigid = true;
    *coupling = (Coupling){.u = u};
    if (alike != NULL) {
        couple_alike(sources, alike, u, coupling);
        return;
    }
    for (int i = 0; i < ELEMENT_MAX_REFERENCES; i++) {
        const int side = swapped ? 1 - i : i;
        const FrameSource* source = sources[side];
        if (source != NULL) {
            const FrameSource* other = sources[1 - side];
            const bool same_body = other != NULL && other->body == source->body;
            couple_side(source, side, same_body, coupling, u, entries + i * (width / 2), columns);
            rigid = rigid && source->point == NULL;
        }
    }
    coupling->column = rigid ? columns : NULL;
}
