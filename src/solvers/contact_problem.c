#include "solvers/contact_problem.h"

#include <float.h>
#include <math.h>

void contact_problem_xi(const ContactProblem* problem, int k, const double* P, double* xi) {
    const ContactLaw* law = &problem->laws[k];
    contact_operator_apply_rows(&problem->G, k, P, xi);
    for (int i = 0; i < contact_law_rows(law); i++) {
        xi[i] += problem->b[law->at + i];
    }
}

static double positive(double x) { return x > 0.0 ? x : 0.0; }

// Rows without effect on the motion (G_ii = 0) carry no percussion; they take no part in friction.
static double friction_error_squared(const ContactLaw* law, double R, const double* G_diagonal,
                                     const double* P, const double* xi) {
    double g = 0.0;
    for (int i = 0; i < law->n_F; i++) {
        g = G_diagonal[i] > g ? G_diagonal[i] : g;
    }
    double p[LAW_MAX_F] = {0.0};  // r xi_F - P_F
    for (int i = 0; i < law->n_F; i++) {
        p[i] = G_diagonal[i] > 0.0 ? xi[i] / g - P[i] : 0.0;
    }
    const double size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    const double shrink = size > R ? R / size : 1.0;
    double sum = 0.0;
    for (int i = 0; i < law->n_F; i++) {
        double error = P[i];
        if (G_diagonal[i] > 0.0 && law->slides) {
            error += R * law->slip[i];
        } else if (G_diagonal[i] > 0.0) {
            error = shrink == 1.0 ? xi[i] / g : P[i] + shrink * p[i];
        }
        sum += (G_diagonal[i] > 0.0 ? g : 1.0) * error * error;
    }
    return sum;
}

// GA (131): P_N + prox_{R-}(p), p = r xi_N - P_N, is the smaller one of P_N and r xi_N. As a
// difference it would be zero for whatever xi_N once P_N is beyond its digits, as where contacts
// are pressed against each other by something that does not give way.
static double normal_error(double G_NN, double P_N, double xi_N) {
    if (!(G_NN > 0.0)) {
        return P_N;
    }
    const double moved = xi_N / G_NN;
    return moved < P_N ? moved : moved >= P_N ? P_N : NAN;
}

double contact_law_error(const ContactLaw* law, const double* G_diagonal, const double* P,
                         const double* xi) {
    const int F = contact_law_F(law);
    double sum = 0.0;
    double R = law->bound;
    if (law->normal) {
        const double error = normal_error(G_diagonal[0], P[0], xi[0]);
        sum = (G_diagonal[0] > 0.0 ? G_diagonal[0] : 1.0) * error * error;
        R = law->mu * positive(P[0]);
    }
    // GA (137): P_F = -prox_{B(R)}(r xi_F - P_F), or the known point of the ball while sliding
    sum += friction_error_squared(law, R, G_diagonal + F, P + F, xi + F);
    return sqrt(sum);
}

double contact_problem_worst(const ContactProblem* problem, const double* P, int* worst_law) {
    double worst = 0.0;
    *worst_law = 0;
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        double xi[LAW_MAX_ROWS] = {0.0};
        double G_diagonal[LAW_MAX_ROWS] = {0.0};
        contact_problem_xi(problem, k, P, xi);
        for (int i = 0; i < contact_law_rows(law); i++) {
            G_diagonal[i] = contact_operator_diagonal(&problem->G, law->at + i);
        }
        const double error = contact_law_error(law, G_diagonal, P + law->at, xi);
        if (!(error <= worst)) {
            worst = error;
            *worst_law = k;
        }
        if (isnan(error)) {  // counts as worst
            break;
        }
    }
    return worst / (problem->scale > 0.0 ? problem->scale : DBL_MIN);
}

double contact_problem_error(const ContactProblem* problem, const double* P) {
    int worst_law;
    return contact_problem_worst(problem, P, &worst_law);
}
