// Lemke's algorithm for contact problems: a pivoting method that needs no start value and cannot
// cycle among modes. For the problems that Newton's method does not solve.
#pragma once

#include "base/status.h"
#include "solvers/contact_problem.h"
#include "solvers/contact_scratch.h"

// P (m): where the directions of slip are taken from on entry, in the plane of no influence; the
// solution on exit. epsilon: by how much, relative to scale, the data are changed to keep equal
// numbers apart, 1e-9 or so; the result has an error of the same order if this changes the modes,
// and in space one that depends on the directions: improve it by Newton steps.
// STATUS_NO_CONVERGENCE, STATUS_SINGULAR if the algorithm ends on a ray or there is no room; P is
// unchanged then.
MUST_CHECK Status contact_lemke_solve(const ContactProblem* problem, const LemkeScratch* scratch,
                                      double epsilon, double* P);
