// Contacts of free bodies in one point, straight from their kernels to the laws of the solver: no
// rows in the velocities of the system are made of them.
#pragma once

#include "base/pool.h"
#include "contacts/body_root.h"
#include "solvers/cone_problem.h"
#include "system/instant.h"

typedef struct ConePoint {
    int law;        // its number in the system
    int bodies[2];  // of its sides in the problem, 0: what does not move
    int place;      // in the problem
    int n;          // rows that act
    bool impact;
    double mu;
    double g;              // where it was evaluated: gap, ...
    double U[CONE_ROWS];   // ... velocities of its rows, ...
    double dU[CONE_ROWS];  // ... and what a change of the bodies' velocities makes of them
    double P[CONE_ROWS];   // percussions of a step that was solved
} ConePoint;

// What all points of a body take from it; zero: it does not move freely
typedef struct PointBody {
    Mat3 K;    // a moment in the world to its scaled rotations
    double s;  // one over the root of its mass
} PointBody;

typedef struct ConePoints {
    ConePoint* points;  // (n) by ascending number of the law
    int n;
    PointBody* bodies;  // (1 + assemblies) as the problem numbers them: those that move freely
    int* order;         // (n) points in the order of the problem, ...
    Range* parts;       // ... of which each of its parts has these (cone_slabs.h)
} ConePoints;

// Is the contact one of free bodies in a point, with these roots (assemblies) of their masses? If
// so, and there is room for it, it becomes the last one. p: parameters
bool cone_points_add(const System* sys, const BodyRoot* roots, const double* p, int law,
                     ConePoints* points);

// Gives all of them their places, part by part, and the parts of the problem their blocks.
void cone_points_place(ConeOrder* order, ConePoints* points, ConeProblem* problem);

// Their laws at an instant, as far as they do not depend on percussions, in the blocks of the
// problem; change (nu): what dU is of
void cone_points_evaluate(const System* sys, const BodyRoot* roots, const Instant* instant,
                          const double* change, ConePoints* points, ConeProblem* problem);
// Their normals alone, at their places: what closes their gaps within dt
void cone_points_evaluate_normals(const System* sys, const BodyRoot* roots, const Instant* instant,
                                  double dt, ConePoints* points, ConeProblem* problem);
