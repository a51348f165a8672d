// Rungs for hard problems of few rows: Lemke's algorithm and path following, each with damped
// Newton steps from what it finds.
#include <string.h>

#include "solvers/contact_lemke.h"
#include "solvers/contact_path.h"
#include "solvers/contact_rungs.h"

enum {
    PIVOTINGS = 5,
    PIVOTINGS_ON_PATH = 2,
    PATH_LEVELS = 12,  // tenths of the smoothing
    PATH_SYSTEMS = 1000,
};

// Changes of the data against ties in Lemke's algorithm, in the order in which they are tried
static const double EPSILONS[PIVOTINGS] = {1e-9, 1e-12, 1e-7, 1e-14, 1e-5};

// Lemke's algorithm with the directions of slip at P (m), which is overwritten.
static void pivot(ContactSolve* s, double epsilon, double* P) {
    if (!contact_solve_done(s) &&
        contact_lemke_solve(s->problem, &s->scratch->lemke, epsilon, P) == STATUS_OK) {
        s->info->pivotings++;
        (void)contact_solve_keep(s, P);
        contact_solve_damped(s, P);
    }
}

bool contact_lemke(ContactSolve* s) {
    double* P = s->scratch->P_before;
    contact_solve_damped(s, s->P);
    for (int i = 0; i < PIVOTINGS; i++) {
        memcpy(P, s->P, (size_t)s->problem->m * sizeof(double));
        pivot(s, EPSILONS[i], P);
    }
    return contact_solve_done(s);
}

bool contact_path(ContactSolve* s) {
    double* P = s->scratch->P_before;
    ContactPath path;
    if (contact_path_start(s->problem, &s->scratch->path, &path) != STATUS_OK) {
        return false;
    }
    for (int i = 0; i < PATH_LEVELS && !contact_solve_done(s); i++) {
        if (contact_path_advance(&path, PATH_SYSTEMS) != STATUS_OK) {
            break;
        }
        contact_path_point(&path, P);
        (void)contact_solve_keep(s, P);
        contact_solve_damped(s, P);
        for (int j = 0; j < PIVOTINGS_ON_PATH; j++) {
            contact_path_point(&path, P);
            pivot(s, EPSILONS[j], P);
        }
    }
    s->info->iterations += path.n_solved;
    return contact_solve_done(s);
}
