// Lemke's algorithm for contact problems of the plane: a pivoting method that needs no start value
// and cannot cycle among modes. For the problems that Newton's method does not solve.
#pragma once

#include "solvers/contact_problem.h"

enum { LEMKE_PARTS = 4, LEMKE_MAXIMUM_CONTACTS = 64 };  // unknowns per contact; the most it takes

// P (m). STATUS_NO_CONVERGENCE if the algorithm ends on a ray, a law has no normal row or more than
// one friction row, or there is no room; P is unchanged then. The result is as accurate as the
// pivots allow: improve it by a Newton step.
MUST_CHECK Status contact_lemke_solve(const ContactProblem* problem, const LemkeScratch* scratch,
                                      double* P);
