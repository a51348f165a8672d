// Path following for contact problems that pivoting and Newton's method do not solve: the laws are
// smoothed and the contacts made compliant, so much that one solution is found from anywhere, and
// the solution is followed while both are taken back.
#pragma once

#include "base/status.h"
#include "solvers/contact_problem.h"
#include "solvers/contact_scratch.h"

typedef struct ContactPath {
    const ContactProblem* problem;
    const PathScratch* s;
    double h;      // length of the next step along the path
    int n_solved;  // linear systems
} ContactPath;

// Finds the first point. STATUS_NO_CONVERGENCE if there is none, or no room.
MUST_CHECK Status contact_path_start(const ContactProblem* problem, const PathScratch* scratch,
                                     ContactPath* path);

// Follows the path until the smoothing is a tenth of what it was; most is the number of linear
// systems that may be solved from the start on. STATUS_NO_CONVERGENCE if the path ends, turns back
// or is too long.
MUST_CHECK Status contact_path_advance(ContactPath* path, int most);

// P (m) of the point reached
void contact_path_point(const ContactPath* path, double* P);
