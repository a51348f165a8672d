#include "solvers/cone_problem.h"

#include <math.h>
#include <string.h>

// --- laws of bodies that are joined, or deform, and friction in joints ---

void cone_wide_xi(const ConeWide* law, double* xi) {
    memcpy(xi, law->b, sizeof law->b);
    for (int j = 0; j < law->n_sides; j++) {
        const ConeSide* side = &law->sides[j];
        const double* W = side->W;
        for (int k = 0; k < side->n; k++, W += LAW_MAX_ROWS) {
            const double y = side->y[side->at != NULL ? side->at[k] : k];
            for (int r = 0; r < LAW_MAX_ROWS; r++) {
                xi[r] += W[r] * y;
            }
        }
    }
}

void cone_wide_push(const ConeWide* law, const double* dP) {
    for (int j = 0; j < law->n_sides; j++) {
        const ConeSide* side = &law->sides[j];
        const double* V = side->V;
        for (int k = 0; k < side->n_V; k++, V += LAW_MAX_ROWS) {
            double sum = 0.0;
            for (int r = 0; r < LAW_MAX_ROWS; r++) {
                sum += V[r] * dP[r];
            }
            side->y[k] += sum;
        }
    }
}

double cone_wide_friction_G(const ConeWide* law) {
    double G = 0.0;
    for (int r = contact_law_F(&law->form); r < contact_law_rows(&law->form); r++) {
        G = fmax(G, law->G[r]);
    }
    return G;
}

void cone_wide_bound(const ConeWide* law, double* P) {
    double square = 0.0;
    for (int r = 0; r < law->form.n_F; r++) {
        square += P[r] * P[r];
    }
    if (square > law->form.bound * law->form.bound) {
        const double part = law->form.bound / sqrt(square);
        for (int r = 0; r < law->form.n_F; r++) {
            P[r] *= part;
        }
    }
}

void cone_wide_step(const ConeWide* law, bool relaxed, const double* xi, double* dP) {
    const double G_F = cone_wide_friction_G(law);
    double P[LAW_MAX_ROWS] = {0.0};
    for (int r = 0; r < contact_law_rows(&law->form); r++) {
        const double G = law->form.normal && r == 0 ? law->G[0] : G_F;
        P[r] = G > 0.0 ? law->P[r] - xi[r] / G : 0.0;  // what moves nothing carries nothing
    }
    if (law->form.normal) {
        cone_project(law->form.mu, law->G[0], G_F, relaxed && law->G[0] > 0.0, law->form.n_F, P);
    } else {
        cone_wide_bound(law, P);
    }
    for (int r = 0; r < LAW_MAX_ROWS; r++) {
        dP[r] = P[r] - law->P[r];
    }
}

double cone_wide_change(const ConeWide* law, const double* dP) {
    const double G_F = cone_wide_friction_G(law);
    double change = 0.0;
    for (int r = contact_law_F(&law->form); r < contact_law_rows(&law->form); r++) {
        change += G_F * dP[r] * dP[r];
    }
    return law->form.normal ? fmax(change, law->G[0] * dP[0] * dP[0]) : change;
}

// --- all of them ---

void cone_problem_push(ConeProblem* problem) {
    for (int i = 0; i < problem->n; i++) {
        const ConeLaw* law = &problem->laws[i];
        if (law->P[0] != 0.0) {
            cone_law_push(law, law->P, &problem->bodies[law->bodies[0]],
                          &problem->bodies[law->bodies[1]]);
        }
    }
    for (int i = 0; i < problem->n_wide; i++) {
        cone_wide_push(&problem->wide[i], problem->wide[i].P);
    }
}

static double relative(const ConeProblem* problem, double square) {
    return problem->scale > 0.0 ? sqrt(square) / problem->scale : square > 0.0 ? 1.0 : 0.0;
}

double cone_problem_error(const ConeProblem* problem, int* worst) {
    double largest = 0.0;
    int at = 0;
    for (int i = 0; i < problem->n + problem->n_wide; i++) {
        double xi[LAW_MAX_ROWS], dP[LAW_MAX_ROWS];
        double change;
        if (i < problem->n) {
            const ConeLaw* law = &problem->laws[i];
            cone_law_xi(law, &problem->bodies[law->bodies[0]], &problem->bodies[law->bodies[1]],
                        xi);
            cone_law_step(law, problem->relaxed, xi, dP);
            change = cone_change(law->G_N, law->G_F, CONE_ROWS - 1, dP);
        } else {
            const ConeWide* law = &problem->wide[i - problem->n];
            cone_wide_xi(law, xi);
            cone_wide_step(law, problem->relaxed, xi, dP);
            change = cone_wide_change(law, dP);
        }
        if (!(change <= largest)) {
            largest = change;
            at = i;
        }
    }
    if (worst != NULL) {
        *worst = at;
    }
    return relative(problem, largest);
}
