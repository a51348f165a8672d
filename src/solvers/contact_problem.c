#include "solvers/contact_problem.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

double contact_problem_xi(const ContactProblem* problem, const double* P, int i) {
    const int m = 2 * problem->n;
    const double* row = problem->G + i;
    double xi = problem->b[i];
    for (int j = 0; j < m; j++) {
        xi += row[(long)j * m] * P[j];
    }
    return xi;
}

// NaN stays NaN
static double clamp(double x, double bound) { return x > bound ? bound : x < -bound ? -bound : x; }

double contact_law_error(double G_NN, double G_FF, double mu, int slip, const double P[2],
                         const double xi[2]) {
    // P_N = -prox_{R-}(r xi_N - P_N); an xi_N that is NaN goes into the error
    double R_N = P[0];
    if (G_NN > 0.0 && !(G_NN * P[0] <= xi[0])) {
        R_N = xi[0] / G_NN;
    }
    // P_F = -prox_{C(P_N)}(r xi_F - P_F), or the known point of C while sliding
    const double bound = mu * fmax(0.0, P[0]);
    double R_F = P[1];
    if (slip != 0) {
        R_F = P[1] + slip * bound;
    } else if (G_FF > 0.0) {
        R_F = P[1] + clamp(xi[1] / G_FF - P[1], bound);
    }
    const double size_F = G_FF > 0.0 ? G_FF : 1.0;
    return sqrt(G_NN * R_N * R_N + size_F * R_F * R_F);
}

double contact_problem_error(const ContactProblem* problem, const double* P) {
    const int m = 2 * problem->n;
    double worst = 0.0;
    for (int k = 0; k < problem->n; k++) {
        const int i = 2 * k;
        const double xi[2] = {contact_problem_xi(problem, P, i),
                              contact_problem_xi(problem, P, i + 1)};
        const double error = contact_law_error(
            problem->G[(long)i * m + i], problem->G[(long)(i + 1) * m + i + 1], problem->mu[k],
            problem->slip != NULL ? problem->slip[k] : 0, P + i, xi);
        worst = error > worst || isnan(error) ? error : worst;  // NaN counts as worst, and stays
    }
    return worst / (problem->scale > 0.0 ? problem->scale : DBL_MIN);
}

// One contact with xi = [G_NN G_NF; G_FN G_FF] P + beta. The cases open, stick and the two
// directions of slip are tried in turn; each gives P by a linear equation and is right if its
// inequalities hold.
typedef struct LocalProblem {
    double G_NN, G_NF, G_FN, G_FF;
    double beta_N, beta_F;
    double mu;
} LocalProblem;

static void local_slip(const LocalProblem* l, double sign, double P[2]) {
    const double a = l->G_NN - sign * l->mu * l->G_NF;  // P_F = -sign mu P_N in xi_N = 0
    P[0] = a > 0.0 ? fmax(0.0, -l->beta_N / a) : 0.0;
    P[1] = -sign * l->mu * P[0];
}

// False if the two directions are dependent or friction cannot hold.
static bool local_stick(const LocalProblem* l, double P[2]) {
    const double det = l->G_NN * l->G_FF - l->G_NF * l->G_FN;
    if (!(det > 4.0 * DBL_EPSILON * l->G_NN * l->G_FF)) {
        return false;
    }
    P[0] = (l->G_NF * l->beta_F - l->G_FF * l->beta_N) / det;
    P[1] = (l->G_FN * l->beta_N - l->G_NN * l->beta_F) / det;
    return P[0] >= 0.0 && fabs(P[1]) <= l->mu * P[0];
}

static double local_error(const LocalProblem* l, const double P[2]) {
    const double xi[2] = {l->G_NN * P[0] + l->G_NF * P[1] + l->beta_N,
                          l->G_FN * P[0] + l->G_FF * P[1] + l->beta_F};
    return contact_law_error(l->G_NN, l->G_FF, l->mu, 0, P, xi);
}

static void local_solve(const LocalProblem* l, int slip, double P[2]) {
    P[0] = P[1] = 0.0;
    if (l->beta_N >= 0.0 || !(l->G_NN > 0.0)) {
        return;  // open
    }
    if (slip != 0 || l->mu == 0.0) {
        local_slip(l, slip, P);
        return;
    }
    if (local_stick(l, P)) {
        return;
    }
    double P_other[2];
    local_slip(l, 1.0, P);
    local_slip(l, -1.0, P_other);
    if (local_error(l, P_other) < local_error(l, P)) {
        P[0] = P_other[0];
        P[1] = P_other[1];
    }
}

void contact_problem_solve_one(const ContactProblem* problem, int k, double* P) {
    const int m = 2 * problem->n;
    const int i = 2 * k;
    const double* G = problem->G;
    LocalProblem local = {.G_NN = G[(long)i * m + i],
                          .G_NF = G[(long)(i + 1) * m + i],
                          .G_FN = G[(long)i * m + i + 1],
                          .G_FF = G[(long)(i + 1) * m + i + 1],
                          .beta_N = contact_problem_xi(problem, P, i),
                          .beta_F = contact_problem_xi(problem, P, i + 1),
                          .mu = problem->mu[k]};
    local.beta_N -= local.G_NN * P[i] + local.G_NF * P[i + 1];  // what the others contribute
    local.beta_F -= local.G_FN * P[i] + local.G_FF * P[i + 1];
    local_solve(&local, problem->slip != NULL ? problem->slip[k] : 0, P + i);
}
