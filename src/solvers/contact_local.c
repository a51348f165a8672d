// The solution of one law of the contact problem, the others held.
//
// The friction of one law is brought to the form
//   xi = G P + beta in the normal cone of the ball of radius R(P) = R_0 + c.P at -P      (F)
// with at most three rows: a closed contact has xi_N = 0, that is
//   P_N = -(beta_N + G_NF P_F) / G_NN,
// which turns G_FF, beta_F and mu P_N into G = G_FF - G_FN G_NF / G_NN,
// beta = beta_F - G_FN beta_N / G_NN, R_0 = -mu beta_N / G_NN and c = -mu G_NF / G_NN.
// A multiplier s >= 0 with xi = -s P writes (F) as
//   (G + s I) P = -beta   with  s = 0, |P| <= R (stick)  or  |P| = R (slip),
// one equation in one unknown: psi(s) = R / |P| - 1 = 0. It is negative at s = 0 if friction does
// not hold, positive for large s, so that a bracketed Newton iteration cannot miss the root; psi is
// a straight line for isotropic G and constant R, and concave for symmetric G and constant R.
#include <float.h>
#include <math.h>
#include <string.h>

#include "solvers/contact_problem.h"

enum { MAXIMUM_ROOT_STEPS = 200 };

static double dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double norm(int n, const double* a) { return sqrt(dot(n, a, a)); }

// Problem (F).
typedef struct FrictionProblem {
    int n;  // 0 ... LAW_MAX_F
    double G[LAW_MAX_F][LAW_MAX_F];
    double beta[LAW_MAX_F];
    double R_0;
    double c[LAW_MAX_F];
    double smallest;  // what counts as zero against the entries of G_FF
} FrictionProblem;

static void swap(double* a, double* b) {
    const double swapped = *a;
    *a = *b;
    *b = swapped;
}

// LU factors of G + s I with row exchanges. Functions are called with n as a constant, so that
// their loops become straight code.
typedef struct ShiftedFactors {
    double A[LAW_MAX_F][LAW_MAX_F];
    int pivots[LAW_MAX_F];
} ShiftedFactors;

// By Gauss elimination with partial pivoting; false if a pivot is not above smallest.
static inline bool factor_rows(const int n, double smallest, ShiftedFactors* factors) {
    double(*A)[LAW_MAX_F] = factors->A;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
        }
        if (!(fabs(A[pivot][k]) > smallest)) {
            return false;
        }
        factors->pivots[k] = pivot;
        for (int j = 0; j < n && pivot != k; j++) {
            swap(&A[k][j], &A[pivot][j]);
        }
        for (int i = k + 1; i < n; i++) {
            A[i][k] /= A[k][k];
            for (int j = k + 1; j < n; j++) {
                A[i][j] -= A[i][k] * A[k][j];
            }
        }
    }
    return true;
}

// x = -A^-1 x
static inline void solve_rows(const int n, const ShiftedFactors* factors, double* x) {
    const double(*A)[LAW_MAX_F] = factors->A;
    for (int k = 0; k < n; k++) {
        swap(&x[k], &x[factors->pivots[k]]);
    }
    for (int i = 0; i < n; i++) {
        x[i] = -x[i];
        for (int k = 0; k < i; k++) {
            x[i] -= A[i][k] * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            x[i] -= A[i][j] * x[j];
        }
        x[i] /= A[i][i];
    }
}

static void solve_shifted(const FrictionProblem* f, const ShiftedFactors* factors, double* x) {
    switch (f->n) {
        case 1:
            solve_rows(1, factors, x);
            break;
        case 2:
            solve_rows(2, factors, x);
            break;
        default:
            solve_rows(LAW_MAX_F, factors, x);
            break;
    }
}

// P = -(G + s I)^-1 beta, and the factors; false if the matrix is singular
static bool friction_at(const FrictionProblem* f, double s, ShiftedFactors* factors, double* P) {
    const double smallest = 0.5 * f->smallest;
    for (int i = 0; i < LAW_MAX_F; i++) {
        for (int j = 0; j < LAW_MAX_F; j++) {
            factors->A[i][j] = f->G[i][j];
        }
        factors->A[i][i] += s;
        P[i] = f->beta[i];
    }
    const bool regular = f->n == 1   ? factor_rows(1, smallest, factors)
                         : f->n == 2 ? factor_rows(2, smallest, factors)
                                     : factor_rows(LAW_MAX_F, smallest, factors);
    if (regular) {
        solve_shifted(f, factors, P);
    }
    return regular;
}

// s - psi / psi' at s, where P = P(s), P' = -(G + s I)^-1 P and R' = c.P'
static double newton_on_multiplier(const FrictionProblem* f, double s,
                                   const ShiftedFactors* factors, const double* P, double psi) {
    double dP[LAW_MAX_F];
    for (int i = 0; i < f->n; i++) {
        dP[i] = P[i];
    }
    solve_shifted(f, factors, dP);
    const double size = norm(f->n, P);
    const double R = f->R_0 + dot(f->n, f->c, P);
    const double dpsi = dot(f->n, f->c, dP) / size - R / size * (dot(f->n, P, dP) / size / size);
    return s - psi / dpsi;
}

// The multiplier of a guess P for slip: s = |xi| / |P|, or 0
static double guess_multiplier(const FrictionProblem* f, const double* P) {
    double xi[LAW_MAX_F];
    for (int i = 0; i < f->n; i++) {
        xi[i] = f->beta[i] + dot(f->n, f->G[i], P);
    }
    const double size = norm(f->n, P);
    return size > 0.0 ? norm(f->n, xi) / size : 0.0;
}

// Slip in two or three dimensions, from P(s) at an s where friction does not hold; guess: another
// s to begin with.
static void slip_by_root(const FrictionProblem* f, double s, double guess, ShiftedFactors* factors,
                         double* P) {
    double low = s;
    double high = INFINITY;
    if (guess > s && isfinite(guess) && friction_at(f, guess, factors, P)) {
        s = guess;
    }
    for (int step = 0; step < MAXIMUM_ROOT_STEPS; step++) {
        const double psi = (f->R_0 + dot(f->n, f->c, P)) / norm(f->n, P) - 1.0;
        if (psi > 0.0) {
            high = s;
        } else {
            low = s;
        }
        if (fabs(psi) <= 2.0 * DBL_EPSILON) {
            return;
        }
        double next = newton_on_multiplier(f, s, factors, P, psi);
        if (fabs(next - s) <= 0.5 * DBL_EPSILON * s) {
            return;
        }
        if (!(next > low && next < high)) {
            const double start = fmax(low, f->smallest);
            next = isinf(high) ? 16.0 * start : sqrt(start) * sqrt(high);
            if (!(next > low && next < high)) {
                return;  // the bracket has closed
            }
        }
        s = next;
        if (!friction_at(f, s, factors, P)) {
            return;
        }
    }
}

// Slip in one dimension: P = -sign R, R = R_0 / (1 + sign c), for the sign that xi has.
static void slip_by_cases(const FrictionProblem* f, double* P) {
    double best = -INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double a = 1.0 + sign * f->c[0];
        const double P_try = -sign * (f->R_0 / a);
        const double agreement = sign * (f->G[0][0] * P_try + f->beta[0]);
        if (a > 0.0 && agreement > best) {
            best = agreement;
            P[0] = P_try;
        }
    }
}

// P: a guess on entry. True if it slips.
static bool friction_solve(const FrictionProblem* f, double* P) {
    const double guess = f->n > 1 ? guess_multiplier(f, P) : 0.0;
    double s = 0.0;
    ShiftedFactors factors = {0};
    bool stick = friction_at(f, s, &factors, P);
    if (!stick && f->n > 1) {  // singular: a shift to rounding gives the smallest P that sticks
        s = f->smallest;
        stick = friction_at(f, s, &factors, P);
    }
    if (stick && norm(f->n, P) <= f->R_0 + dot(f->n, f->c, P)) {
        return false;
    }
    if (f->n == 1) {
        slip_by_cases(f, P);
    } else if (stick) {
        slip_by_root(f, s, guess, &factors, P);
    } else {
        memset(P, 0, LAW_MAX_F * sizeof(double));  // not a number in G
    }
    return true;
}

// One law with the percussions of the others in beta. The friction rows kept have G_ii > 0.
typedef struct LocalProblem {
    const ContactLaw* law;
    int n;
    int rows[LAW_MAX_F];
    double G_NN;
    double G_NF[LAW_MAX_F];
    double G_FN[LAW_MAX_F];
    double beta_N;
    double slip[LAW_MAX_F];
    FrictionProblem friction;  // to begin with G_FF and beta_F
} LocalProblem;

// beta (rows of the law) = b + G P without the law's own percussions
static void others(const ContactProblem* problem, int k, double* P, double* beta) {
    const ContactLaw* law = &problem->laws[k];
    const int n_rows = contact_law_rows(law);
    if (problem->n > 1) {
        double own[LAW_MAX_ROWS];
        for (int i = 0; i < n_rows; i++) {
            own[i] = P[law->at + i];
            P[law->at + i] = 0.0;
        }
        contact_operator_apply_rows(&problem->G, k, P, beta);
        for (int i = 0; i < n_rows; i++) {
            P[law->at + i] = own[i];
        }
    }
    for (int i = 0; i < n_rows; i++) {
        beta[i] += problem->b[law->at + i];
    }
}

static LocalProblem local_problem(const ContactProblem* problem, int k, double* P) {
    const ContactLaw* law = &problem->laws[k];
    LocalProblem l = {.law = law};
    FrictionProblem* f = &l.friction;
    const int first = contact_law_F(law);  // friction row of the law's own block
    double beta[LAW_MAX_ROWS] = {0.0};
    int stride;
    const double* G = contact_operator_own_block(&problem->G, k, &stride);
    others(problem, k, P, beta);
    for (int i = first; i < first + law->n_F; i++) {
        if (G[i * stride + i] > 0.0) {
            l.slip[l.n] = law->slip[i - first];
            l.rows[l.n++] = i;
        }
    }
    f->n = l.n;
    f->R_0 = law->bound;
    for (int i = 0; i < l.n; i++) {
        f->beta[i] = beta[l.rows[i]];
        for (int j = 0; j < l.n; j++) {
            f->G[i][j] = G[l.rows[j] * stride + l.rows[i]];
        }
        f->smallest = fmax(f->smallest, 8.0 * DBL_EPSILON * f->G[i][i]);
        if (law->normal) {
            l.G_NF[i] = G[l.rows[i] * stride];
            l.G_FN[i] = G[l.rows[i]];
        }
    }
    for (int i = 0; i < l.n; i++) {
        l.rows[i] += law->at;
    }
    if (law->normal) {
        l.G_NN = G[0];
        l.beta_N = beta[0];
    }
    return l;
}

// Eliminates P_N by xi_N = 0.
static void eliminate_normal(LocalProblem* l) {
    FrictionProblem* f = &l->friction;
    f->R_0 = -l->law->mu * (l->beta_N / l->G_NN);
    for (int i = 0; i < l->n; i++) {
        f->c[i] = -l->law->mu * (l->G_NF[i] / l->G_NN);
        f->beta[i] -= l->G_FN[i] * (l->beta_N / l->G_NN);
        for (int j = 0; j < l->n; j++) {
            f->G[i][j] -= l->G_FN[i] * (l->G_NF[j] / l->G_NN);
        }
    }
}

// P_F = -R slip for a known direction; with a normal row G_NN P_N - mu G_NF slip P_N = -beta_N.
static double solve_sliding(const LocalProblem* l, double* P_F) {
    double P_N = 0.0;
    double R = l->law->bound;
    if (l->law->normal) {
        const double a = l->G_NN - l->law->mu * dot(l->n, l->G_NF, l->slip);
        P_N = a > 0.0 ? -l->beta_N / a : 0.0;
        R = l->law->mu * P_N;
    }
    for (int i = 0; i < l->n; i++) {
        P_F[i] = -R * l->slip[i];
    }
    return P_N;
}

// P_N of xi_N = 0 for given P_F, which is brought back to the ball that it left by rounding.
static double close_contact(const LocalProblem* l, double* P_F) {
    double P_N = 0.0;
    double R = l->law->bound;
    if (l->law->normal) {
        P_N = fmax(0.0, -(l->beta_N + dot(l->n, l->G_NF, P_F)) / l->G_NN);
        R = l->law->mu * P_N;
    }
    const double size = norm(l->n, P_F);
    for (int i = 0; size > R && i < l->n; i++) {
        P_F[i] *= R / size;
    }
    return P_N;
}

static double solve_free(LocalProblem* l, double* P_F) {
    bool slips = false;
    if (l->law->normal) {
        eliminate_normal(l);
    }
    if (l->n > 0 && contact_law_has_friction(l->law)) {
        slips = friction_solve(&l->friction, P_F);
    } else {
        memset(P_F, 0, LAW_MAX_F * sizeof(double));
    }
    if (!slips || dot(l->n, l->G_NF, P_F) <= 0.0) {
        return close_contact(l, P_F);
    }
    // friction that opposes the normal percussion, strongly where mu is large: beta_N + G_NF P_F
    // then cancels, while the direction of P_F gives both without cancellation
    const double size = norm(l->n, P_F);
    for (int i = 0; i < l->n; i++) {
        l->slip[i] = -P_F[i] / size;
    }
    return solve_sliding(l, P_F);
}

void contact_problem_solve_one(const ContactProblem* problem, int k, double* P) {
    LocalProblem l = local_problem(problem, k, P);
    const ContactLaw* law = l.law;
    double P_N = 0.0;
    double P_F[LAW_MAX_F] = {0.0};
    if (!law->normal || (l.G_NN > 0.0 && l.beta_N < 0.0)) {  // else it opens
        for (int i = 0; i < l.n; i++) {
            P_F[i] = P[l.rows[i]];
        }
        P_N = law->slides ? solve_sliding(&l, P_F) : solve_free(&l, P_F);
    }
    for (int i = 0; i < law->n_F; i++) {
        P[contact_law_friction_at(law) + i] = 0.0;
    }
    if (law->normal) {
        P[law->at] = P_N;
    }
    for (int i = 0; i < l.n; i++) {
        P[l.rows[i]] = P_F[i];
    }
}
