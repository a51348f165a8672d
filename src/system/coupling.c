#include "system/coupling.h"

#include <stddef.h>

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
    const bool rigid = source->marker < 0;
    const int n = rigid ? body->u.n : source->n;
    coupling->sides[side] = (CouplingSide){.n = n,
                                           .entry = entries,
                                           .twist = rigid ? body->kind->body->twist : NULL,
                                           .source = source};
    for (int i = 0; i < n; i++) {
        const int velocity = body->u.at + (rigid ? i : source->at[i]);
        entries[i] = coupling_entry(velocity, known, u, &coupling->n);
        if (rigid) {
            columns[entries[i]] = side * TWIST_SIZE + body->kind->body->twist[i];
        }
    }
}

// A rigid body of space has its velocities in the order of the components of its twist.
static const int IN_ORDER[2 * TWIST_SIZE] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static bool is_in_order(const FrameSource* source) {
    return source == NULL || (source->marker < 0 && source->body->u.n == TWIST_SIZE) ||
           source->body->u.n == 0;
}

// Two rigid bodies of space, or one and what does not move: u alone is not the same for all.
static void couple_in_order(const FrameSource* const sources[ELEMENT_MAX_REFERENCES], int* u,
                            Coupling* coupling) {
    coupling->column = IN_ORDER;
    for (int side = 0; side < ELEMENT_MAX_REFERENCES; side++) {
        const FrameSource* source = sources[side];
        const int n = source != NULL ? source->body->u.n : 0;
        if (source == NULL) {
            continue;
        }
        coupling->sides[side] = (CouplingSide){.n = n,
                                               .entry = IN_ORDER + coupling->n,
                                               .twist = source->body->kind->body->twist,
                                               .source = source};
        if (coupling->n == 0) {
            coupling->column = IN_ORDER + side * TWIST_SIZE;
        }
        for (int i = 0; i < n; i++) {
            u[coupling->n++] = source->body->u.at + i;
        }
    }
}

void coupling_make(const FrameSource* const sources[ELEMENT_MAX_REFERENCES], bool swapped,
                   int width, int* numbers, Coupling* coupling) {
    int* u = numbers;
    int* columns = numbers + width;
    int* entries = numbers + (ptrdiff_t)2 * width;
    bool rigid = true;
    *coupling = (Coupling){.u = u};
    if (!swapped && is_in_order(sources[0]) && is_in_order(sources[1]) &&
        (sources[0] == NULL || sources[1] == NULL || sources[0]->body != sources[1]->body)) {
        couple_in_order(sources, u, coupling);
        return;
    }
    for (int i = 0; i < ELEMENT_MAX_REFERENCES; i++) {
        const int side = swapped ? 1 - i : i;
        const FrameSource* source = sources[side];
        if (source != NULL) {
            const FrameSource* other = sources[1 - side];
            const bool same_body = other != NULL && other->body == source->body;
            couple_side(source, side, same_body, coupling, u, entries + i * (width / 2), columns);
            rigid = rigid && source->marker < 0;
        }
    }
    coupling->column = rigid ? columns : NULL;
}
