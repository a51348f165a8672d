// What follows from the parameters alone: masses, markers and constants of bodies. Valid until
// parameters are set.
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/status.h"
#include "elements/use.h"

typedef struct System System;

// Where the coordinates of a collider's surface are
typedef struct ColliderPlace {
    int frame;  // that they move with
    int axes;   // theirs in the frame: Properties.place_axes
    Vec3 rho;   // their origin, in the frame
} ColliderPlace;

typedef struct Properties {
    const double* p;     // (n_parameters) the parameters themselves, in the state
    double* M;           // (n_mass at most) mass blocks, row-major; equal ones that follow each
                         // other are there once
    double* M_inverse;   // likewise their inverses
    int* blocks;         // (n_blocks) where that of each body with one begins: properties_mass
    double* M_diagonal;  // (nu)
    bool diagonal;       // M has no other entries
    Pose* poses;         // (1 + n_uses) of the mechanism itself, then of uses of parts
    Marker* markers;     // (n_markers + up to 2 per found contact)
    const ColliderPlace** places;  // (n_colliders) ...
    ColliderPlace* own_places;     // ... all of them ...
    Mat3* place_axes;              // ... and their axes: the first ones are those of the frame
    Surface** surfaces;            // (n_colliders) equal ones of constant shapes are shared
    Vec3* halves;       // (n_colliders) half the sides of a box around each that is finite, about
                        // its middle, along the axes of its coordinates
    double* constants;  // (n_constants) of bodies (BodyFunctions.prepare)
    bool planar;        // no body leaves the plane z = 0
    long long version;  // counts how often they have been taken from parameters
    const Element* fault;  // the body or shape for which system_update_parameters has failed
    const char* missing;   // what it lacks, in words, or NULL
} Properties;

// The block of a body that has one (nu x nu, row-major), and its inverse
static inline const double* properties_mass(const Properties* properties, const Element* body) {
    return properties->M + properties->blocks[body->block];
}
static inline const double* properties_mass_inverse(const Properties* properties,
                                                    const Element* body) {
    return properties->M_inverse + properties->blocks[body->block];
}

// Takes the arrays from the arena; the parameters are the start values until they are set.
MUST_CHECK Status properties_create(const System* sys, Arena* arena, Properties* properties);

// Marker i of a body or shape, which need not be among the markers
Marker properties_marker(const System* sys, const Properties* properties, const Element* element,
                         int i);

// All of them from the parameters, which must stay where they are. STATUS_SINGULAR if a mass
// is not positive definite; STATUS_OUT_OF_RANGE if a marker on a body that deforms has moved to
// other nodes than those that the system was built with.
MUST_CHECK Status system_update_parameters(const System* sys, const double* p,
                                           Properties* properties);
