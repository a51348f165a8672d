// Semismooth Newton step on the prox equations GA (131), (137). For friction of dimension one they
// are piecewise linear: the point P assigns each contact a mode (GA's sets B and D), and the step
// solves the linear equations of these modes,
//   open:  P_N = 0, P_F = 0      stick: xi_N = 0, xi_F = 0      slip: xi_N = 0, P_F = -s mu P_N.
// The unknowns that are zero or proportional to P_N are eliminated.
#include <math.h>
#include <stddef.h>

#include "linalg/lu.h"
#include "solvers/contact_solver.h"

enum { MODE_OPEN = 2, MODE_STICK = 0 };  // slip is the sign of xi_F: -1 or 1

static signed char contact_mode(const ContactProblem* problem, int k, const double* P) {
    const int m = 2 * problem->n;
    const int i = 2 * k;
    const double G_NN = problem->G[(long)i * m + i];
    const double G_FF = problem->G[(long)(i + 1) * m + i + 1];
    const double xi_N = contact_problem_xi(problem, P, i);
    if (!(xi_N - G_NN * P[i] < 0.0)) {
        return MODE_OPEN;
    }
    if (problem->slip != NULL && problem->slip[k] != 0) {
        return problem->slip[k];
    }
    const double trial = contact_problem_xi(problem, P, i + 1) - G_FF * P[i + 1];
    const double bound = G_FF * problem->mu[k] * fmax(0.0, P[i]);
    if (fabs(trial) <= bound && problem->mu[k] > 0.0) {
        return MODE_STICK;
    }
    return trial > 0.0 ? 1 : -1;
}

// Row r of the reduced system: xi_row = 0 in the unknowns left.
static void fill_row(const ContactProblem* problem, const signed char* mode, int row, int r,
                     int size, double* A) {
    const int m = 2 * problem->n;
    int column = 0;
    for (int k = 0; k < problem->n; k++) {
        if (mode[k] == MODE_OPEN) {
            continue;
        }
        const double G_N = problem->G[(long)(2 * k) * m + row];
        const double G_F = problem->G[(long)(2 * k + 1) * m + row];
        if (mode[k] == MODE_STICK) {
            A[(long)column++ * size + r] = G_N;
            A[(long)column++ * size + r] = G_F;
        } else {
            A[(long)column++ * size + r] = G_N - mode[k] * problem->mu[k] * G_F;
        }
    }
}

Status contact_newton_step(const ContactProblem* problem, const ContactScratch* scratch,
                           double* P) {
    signed char* mode = scratch->mode;
    int size = 0;
    for (int k = 0; k < problem->n; k++) {
        mode[k] = contact_mode(problem, k, P);
        size += mode[k] == MODE_OPEN ? 0 : mode[k] == MODE_STICK ? 2 : 1;
    }
    int r = 0;
    for (int k = 0; k < problem->n; k++) {
        const int n_rows = mode[k] == MODE_OPEN ? 0 : mode[k] == MODE_STICK ? 2 : 1;
        for (int i = 0; i < n_rows; i++, r++) {
            fill_row(problem, mode, 2 * k + i, r, size, scratch->A);
            scratch->x[r] = -problem->b[2 * k + i];
        }
    }
    if (size > 0) {
        const Status status = lu_factor(size, scratch->A, scratch->pivots);
        if (status != STATUS_OK) {
            return status;
        }
        lu_solve(size, 1, scratch->A, scratch->pivots, scratch->x);
    }
    r = 0;
    for (int k = 0; k < problem->n; k++) {
        const int i = 2 * k;
        P[i] = mode[k] == MODE_OPEN ? 0.0 : scratch->x[r++];
        P[i + 1] = mode[k] == MODE_OPEN    ? 0.0
                   : mode[k] == MODE_STICK ? scratch->x[r++]
                                           : -mode[k] * problem->mu[k] * P[i];
    }
    return STATUS_OK;
}
