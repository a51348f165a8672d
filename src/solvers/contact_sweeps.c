// Block Gauss-Seidel: each law in turn is solved exactly, the others held. Needs no more of G than
// products, so that it is there for problems of any size; it converges slowly.
#include <string.h>

#include "solvers/contact_rungs.h"

enum { SWEEPS_AT_ONCE = 8 };  // between two looks at the error

bool contact_sweeps(ContactSolve* s) {
    double* P = s->scratch->P_try;
    memcpy(P, s->P, (size_t)s->problem->m * sizeof(double));
    while (!contact_solve_done(s) && s->info->sweeps < s->options->maximum_sweeps) {
        for (int i = 0; i < SWEEPS_AT_ONCE; i++) {
            for (int k = 0; k < s->problem->n; k++) {
                contact_problem_solve_one(s->problem, k, P);
            }
        }
        s->info->sweeps += SWEEPS_AT_ONCE;
        (void)contact_solve_keep(s, P);
    }
    return contact_solve_done(s);
}
