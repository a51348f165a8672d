// Contact problems for the tests of their solvers, and judges that share no code with the solvers:
// the laws as they stand in words, and all solutions by trying every combination of modes.
// Included by tests, each a program.
#pragma once

#include "mechanism.h"

#include "solvers/contact_lemke.h"
#include "solvers/contact_solver.h"

enum { CASE_CONTACTS = 20, CASE_ROWS = 2 * CASE_CONTACTS, CASE_NU = 48 };
enum { CASE_LEMKE = LEMKE_PARTS * CASE_CONTACTS };

typedef struct Case {
    int n, nu;
    double W[CASE_NU * CASE_ROWS];  // (nu x 2n) column-major
    double M[CASE_NU];              // diagonal
    double v[CASE_NU];              // velocities without contact
    double G[CASE_ROWS * CASE_ROWS], b[CASE_ROWS], mu[CASE_CONTACTS];
    signed char slip[CASE_CONTACTS];
    ContactProblem problem;
    // scratch
    double P_try[CASE_ROWS], A[CASE_ROWS * CASE_ROWS], x[CASE_ROWS];
    int pivots[CASE_ROWS];
    signed char mode[CASE_CONTACTS];
    double tableau[CASE_LEMKE * (CASE_LEMKE + 2)], sizes[CASE_ROWS];
    int rows[CASE_LEMKE], columns[CASE_LEMKE + 1], unknowns[CASE_LEMKE];
    ContactScratch scratch;
} Case;

// G = W^T M^-1 W, b = W^T v, and the scale that the schemes use
static inline void case_finish(Case* c) {
    const int m = 2 * c->n;
    double energy = 0.0;
    for (int i = 0; i < m; i++) {
        c->b[i] = 0.0;
        for (int k = 0; k < c->nu; k++) {
            c->b[i] += c->W[i * c->nu + k] * c->v[k];
        }
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            for (int k = 0; k < c->nu; k++) {
                sum += c->W[i * c->nu + k] * c->W[j * c->nu + k] / c->M[k];
            }
            c->G[j * m + i] = sum;
        }
    }
    for (int k = 0; k < c->nu; k++) {
        energy += c->M[k] * c->v[k] * c->v[k];
    }
    c->problem =
        (ContactProblem){.n = c->n, .G = c->G, .b = c->b, .mu = c->mu, .scale = sqrt(energy)};
    c->scratch = (ContactScratch){.P_try = c->P_try,
                                  .A = c->A,
                                  .x = c->x,
                                  .pivots = c->pivots,
                                  .mode = c->mode,
                                  .lemke = {.tableau = c->tableau,
                                            .rows = c->rows,
                                            .columns = c->columns,
                                            .unknowns = c->unknowns,
                                            .sizes = c->sizes,
                                            .n = CASE_CONTACTS}};
}

// nu < 2n makes G singular.
static inline void case_random(Case* c, int n, int nu, double mu_max) {
    c->n = n;
    c->nu = nu;
    for (int k = 0; k < nu; k++) {
        c->M[k] = random_in(0.2, 3.0);
        c->v[k] = random_in(-1.0, 1.0);
    }
    for (int i = 0; i < 2 * n * nu; i++) {
        c->W[i] = random_in(-1.0, 1.0);
    }
    for (int k = 0; k < n; k++) {
        c->mu[k] = random_in(0.0, mu_max);
    }
    case_finish(c);
}

// One rigid body in the plane, contacts at (x, y) with normals at an angle: W as a real one.
static inline void case_body(Case* c, int n, const double (*contacts)[3], double mu) {
    c->n = n;
    c->nu = 3;
    for (int k = 0; k < n; k++) {
        const double nx = cos(contacts[k][2]);
        const double ny = sin(contacts[k][2]);
        const double rows[2][2] = {{nx, ny}, {ny, -nx}};
        for (int row = 0; row < 2; row++) {
            double* w = c->W + (2 * k + row) * 3;
            w[0] = rows[row][0];
            w[1] = rows[row][1];
            w[2] = contacts[k][0] * w[1] - contacts[k][1] * w[0];
        }
        c->mu[k] = mu;
    }
}

static inline double case_xi(const Case* c, const double* P, int i) {
    const int m = 2 * c->n;
    double sum = c->b[i];
    for (int j = 0; j < m; j++) {
        sum += c->G[j * m + i] * P[j];
    }
    return sum;
}

// Signorini and Coulomb in words; NULL if they hold to a tolerance relative to velocities and
// percussions of the problem, else what is violated.
static inline const char* case_violation(const Case* c, const double* P, double tolerance) {
    const int m = 2 * c->n;
    double speed = 0.0;
    double percussion = 0.0;
    for (int i = 0; i < m; i++) {
        speed = fmax(speed, fabs(c->b[i]));
        percussion = fmax(percussion, fmax(fabs(P[i]), fabs(c->b[i]) / c->G[i * m + i]));
    }
    const double small_v = tolerance * speed;
    const double small_P = tolerance * percussion;
    for (int k = 0; k < c->n; k++) {
        const double P_N = P[2 * k];
        const double P_F = P[2 * k + 1];
        const double xi_N = case_xi(c, P, 2 * k);
        const double xi_F = case_xi(c, P, 2 * k + 1);
        const int slip = c->problem.slip != NULL ? c->problem.slip[k] : 0;
        if (!(P_N >= -small_P)) return "a contact pulls";
        if (!(xi_N >= -small_v)) return "a contact closes further";
        if (P_N > small_P && xi_N > small_v) return "a contact that opens presses";
        if (!(fabs(P_F) <= c->mu[k] * P_N + small_P * (1.0 + c->mu[k]))) {
            return "friction exceeds its bound";
        }
        const double direction = slip != 0 ? slip : xi_F;
        if ((slip != 0 || fabs(xi_F) > small_v) && P_N > small_P &&
            !(fabs(P_F + copysign(c->mu[k] * P_N, direction)) <= small_P * (1.0 + c->mu[k]))) {
            return "friction of a slipping contact is not at its bound against the motion";
        }
    }
    return NULL;
}

// Solves A x = b (n x n row-major, destroyed) by elimination with full row pivoting; false if A is
// singular.
static inline bool eliminate(int n, double* A, double* x) {
    for (int j = 0; j < n; j++) {
        int pivot = j;
        for (int i = j + 1; i < n; i++) {
            pivot = fabs(A[i * n + j]) > fabs(A[pivot * n + j]) ? i : pivot;
        }
        if (fabs(A[pivot * n + j]) < 1e-11) {
            return false;
        }
        for (int k = 0; k < n; k++) {
            const double swap = A[j * n + k];
            A[j * n + k] = A[pivot * n + k];
            A[pivot * n + k] = swap;
        }
        const double swap = x[j];
        x[j] = x[pivot];
        x[pivot] = swap;
        for (int i = 0; i < n; i++) {
            const double factor = i != j ? A[i * n + j] / A[j * n + j] : 0.0;
            for (int k = 0; k < n; k++) {
                A[i * n + k] -= factor * A[j * n + k];
            }
            x[i] -= factor * x[j];
        }
    }
    for (int i = 0; i < n; i++) {
        x[i] /= A[i * n + i];
    }
    return true;
}

// All solutions for n <= 3, by the 4^n combinations of open, stick, slip one way and the other;
// each is a full linear system of 2n equations. Returns how many were found (at most capacity).
static inline int case_enumerate(const Case* c, double (*solutions)[6], int capacity) {
    const int m = 2 * c->n;
    int n_found = 0;
    for (int code = 0; code < 1 << m && n_found < capacity; code++) {
        double A[36] = {0.0};
        double x[6] = {0.0};
        for (int k = 0; k < c->n; k++) {
            const int mode = code >> 2 * k & 3;
            const int i = 2 * k;
            for (int j = 0; j < m && mode != 0; j++) {  // closed: xi_N = 0; stick: xi_F = 0
                A[i * m + j] = c->G[j * m + i];
                A[(i + 1) * m + j] = mode == 1 ? c->G[j * m + i + 1] : 0.0;
            }
            x[i] = mode != 0 ? -c->b[i] : 0.0;
            x[i + 1] = mode == 1 ? -c->b[i + 1] : 0.0;
            if (mode == 0) {  // open
                A[i * m + i] = A[(i + 1) * m + i + 1] = 1.0;
            } else if (mode > 1) {  // slip: P_F +- mu P_N = 0
                A[(i + 1) * m + i + 1] = 1.0;
                A[(i + 1) * m + i] = mode == 2 ? c->mu[k] : -c->mu[k];
            }
        }
        if (eliminate(m, A, x) && case_violation(c, x, 1e-9) == NULL) {
            memcpy(solutions[n_found++], x, sizeof x);
        }
    }
    return n_found;
}
