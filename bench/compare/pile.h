// The pile of spheres that falls into a box, the same for the drivers of all programs: where each
// sphere starts, how wide the box is, and what stands in a row. pile.py and models.py have the
// same formulas; piles.py checks that all programs start alike.
#pragma once

#include "driver.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PILE_COLUMNS = 9 };  // of a sphere: position, velocity, angular velocity, in space

typedef struct Pile {
    int n;              // spheres
    int n_x, n_y;       // of a layer
    double radius;      // m
    double mass;        // kg
    double inertia;     // kg m2
    double mu;          // friction coefficient of everything with everything; no restitution
    double gravity;     // m/s2, along -z
    double half_width;  // m, of the box, which is open above, along x; the floor is z = 0
    double half_depth;  // m, along y
} Pile;

// n, and of the settings n_x and n_y
Pile pile_of(const Options* options);

void pile_start(const Pile* pile, int i, double position[3]);

// Of the settings NAME=VALUE,...
double pile_setting(const Options* options, const char* name, double otherwise);

#ifdef __cplusplus
}
#endif
