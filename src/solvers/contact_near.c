#include "solvers/contact_near.h"

#include <math.h>
#include <string.h>

#include "solvers/contact_interior.h"

static const double NORMAL_WEIGHT = 1e-3;  // so that friction acts only where it is needed

// delta w_i
static double proximal_term(const ContactProblem* problem, const ContactLaw* law, int i,
                            double delta) {
    const double G_ii = contact_operator_diagonal(&problem->G, i);
    if (!law->normal) {
        return delta * G_ii;
    }
    const double G_NN = contact_operator_diagonal(&problem->G, law->at);
    return delta * (i == law->at ? NORMAL_WEIGHT * G_NN : fmax(G_ii, G_NN));
}

ContactProblem contact_near_problem(const ContactSolve* s, double delta) {
    const ContactProblem* problem = s->problem;
    const ContactScratch* scratch = s->scratch;
    const size_t m = (size_t)problem->m;
    memcpy(scratch->G_near, problem->G.dense, m * m * sizeof(double));
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        for (int i = law->at; i < contact_law_end(law); i++) {
            scratch->G_near[(size_t)i * (m + 1)] += proximal_term(problem, law, i, delta);
        }
    }
    contact_near_move(s, delta, scratch->P_anchor);
    ContactProblem near = *problem;
    near.G = contact_operator_dense(near.n, near.m, near.laws, scratch->G_near);
    near.b = scratch->b_near;
    return near;
}

void contact_near_move(const ContactSolve* s, double delta, const double* P_a) {
    for (int k = 0; k < s->problem->n; k++) {
        const ContactLaw* law = &s->problem->laws[k];
        for (int i = law->at; i < contact_law_end(law); i++) {
            s->scratch->b_near[i] =
                s->problem->b[i] - proximal_term(s->problem, law, i, delta) * P_a[i];
        }
    }
}

NewtonResult contact_near_solve(ContactSolve* s, const ContactProblem* near,
                                const NewtonOptions* options, bool interior) {
    const ContactScratch* scratch = s->scratch;
    const NewtonResult newton = contact_newton_solve(near, scratch, options, scratch->P_near);
    s->info->iterations += newton.steps;
    double* P = scratch->P_start;
    memcpy(P, scratch->P_near, contact_solve_bytes(s));
    if (newton.error <= options->tolerance || !interior ||
        contact_interior_solve(near, scratch, P, &s->info->interior_steps) == STATUS_SINGULAR) {
        return newton;
    }
    const NewtonOptions patient = {options->tolerance, options->maximum_steps, NEWTON_PATIENCE};
    const NewtonResult polish = contact_newton_solve(near, scratch, &patient, P);
    s->info->iterations += polish.steps;
    if (polish.error < newton.error) {
        memcpy(scratch->P_near, P, contact_solve_bytes(s));
        return polish;
    }
    return newton;
}
