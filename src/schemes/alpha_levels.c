// Newton updates of the three kinematic levels of generalized-alpha, each with the contact problem
// of its level.
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "schemes/alpha_step.h"
#include "solvers/contact_solver.h"

// Assembles and factorises the matrix of a level unless it is at hand.
static Status prepare_matrix(AlphaStep* step, Level level) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const double k = level == POSITION && sys->position_dependent ? -step->weight[level] : 0.0;
    const double d = level == VELOCITY && sys->velocity_dependent ? -step->weight[level] : 0.0;
    const bool positions_only = level == POSITION && sys->nonholonomic;
    const double* q_0 = level == POSITION && sys->turning ? step->s->q : NULL;
    if (step->factored && step->k == k && step->d == d && w->q_0 == q_0 &&
        step->positions_only == positions_only) {
        return STATUS_OK;
    }
    step->factored = true;
    step->delassus = false;
    step->k = k;
    step->d = d;
    step->positions_only = positions_only;
    w->q_0 = q_0;
    w->plain_mass = sys->n_joints == 0 && sys->mass_is_blocks && k == 0.0 && d == 0.0;
    if (w->plain_mass || w->saddle == NULL) {
        return STATUS_OK;
    }
    profile_count(&w->profile, COUNT_FACTORISATIONS, 1);
    system_joint_matrices(sys, &w->end, w->joint_rows, w->W_g);
    const MatrixTerms terms = {.k = k, .d = d, .q_0 = q_0, .positions_only = positions_only};
    system_assemble(sys, &w->end, w->W_g, &terms, (MatrixPattern){false, false}, w->saddle);
    return saddle_factor(w->saddle);
}

// The update without changes of contact forces, into w->solution: x and minus mu_g
static void free_update(AlphaStep* step, Level level) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    if (sys->n_joints > 0 && saddle_redundant(w->saddle, NULL) > 0) {
        // the forces of redundant joints are those of least norm, not of least change
        memset(alpha->mu_g[level], 0, (size_t)sys->nla_g * sizeof(double));
        step->known[level] = false;
    }
    const double* r = alpha_dynamics(step, level);
    for (int i = 0; i < sys->nu; i++) {
        w->solution[i] = -r[i];
    }
    for (int i = 0; i < sys->nla_g; i++) {
        w->solution[sys->nu + i] = -alpha->rate_g[level][i];
    }
    newton_matrix_solve(sys, w, 1, w->solution);
}

// The nearest forces that the law allows, as a start value: where the joints take up a friction
// force whatever it is, it does not enter the problem, and nothing else would bring it there.
static void admit(const ContactLaw* law, double* P) {
    const int F = law->normal ? 1 : 0;
    double R = law->bound;
    if (law->normal) {
        P[0] = larger(0.0, P[0]);
        R = law->mu * P[0];
    }
    double square = 0.0;
    for (int r = F; r < F + law->n_F; r++) {
        square += P[r] * P[r];
    }
    const double size = sqrt(square);
    for (int r = F; r < F + law->n_F; r++) {
        P[r] = law->slides ? -R * law->slip[r - F] : size > R ? P[r] * (R / size) : P[r];
    }
}

// The laws of the level and their rows: a problem in part of the rows of the active laws. w->b
// becomes rate = G mu + b on these.
static ContactProblem level_problem(const AlphaStep* step, Level level) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    ContactProblem problem = {
        .laws = alpha->laws,
        .G = alpha->G,
        .b = w->b,
        .scale = (level == POSITION ? step->seen_scale : step->scale) / step->unit[level],
        .r = step->s->p[sys->solver + SOLVER_PROX_PARAMETER]};
    for (int i = 0; i < w->n_active; i++) {
        if (!alpha_holds(step, level, i)) {
            continue;
        }
        const Link* link = &sys->laws[w->active[i]];
        ContactLaw law = alpha_level_law(step, level, i);
        double change[LAW_MAX_ROWS];
        directions_dot(&link->coupling, &w->directions[i], w->solution, change);
        for (int r = 0; r < law_rows(&law); r++) {
            const int row = law.at + r;
            alpha->rows[problem.m + r] = row;
            w->P[problem.m + r] = alpha->mu[level][link->la.at + r];
            w->b[problem.m + r] = alpha->rate[level][row] + change[r];
        }
        admit(&law, w->P + problem.m);
        law.at = problem.m;
        problem.m += law_rows(&law);
        alpha->laws[problem.n++] = law;
    }
    if (problem.m == step->m) {  // all rows, and in the same order
        problem.G = w->G;
        return problem;
    }
    for (int j = 0; j < problem.m; j++) {
        const double* column = w->G + (size_t)alpha->rows[j] * (size_t)step->m;
        for (int i = 0; i < problem.m; i++) {
            alpha->G[(size_t)j * (size_t)problem.m + (size_t)i] = column[alpha->rows[i]];
        }
    }
    return problem;
}

// b less G times the mu of all rows before the update: those that hold no law become zero
static void subtract_present(const AlphaStep* step, Level level, const ContactProblem* problem) {
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    for (int i = 0; i < w->n_active; i++) {
        const int full = alpha_first_row(step, i);
        for (int r = 0; r < (level == POSITION ? w->laws[i].normal : law_rows(&w->laws[i])); r++) {
            const double mu = alpha->mu[level][full + r];
            const double* column = w->G + (size_t)(w->laws[i].at + r) * (size_t)step->m;
            if (mu == 0.0) {
                continue;
            }
            for (int j = 0; j < problem->m; j++) {
                w->b[j] -= column[alpha->rows[j]] * mu;
            }
        }
    }
}

// The sets that follow from the solution of the level's problem
static void take_sets(const AlphaStep* step, Level level, const ContactProblem* problem) {
    const Workspace* w = step->w;
    unsigned* sets = w->alpha.sets;
    int n = 0;
    if (level == ACCELERATION) {
        return;
    }
    for (int i = 0; i < w->n_active; i++) {
        if (!alpha_holds(step, level, i)) {
            continue;
        }
        const ContactLaw* law = &problem->laws[n++];
        double xi[CONTACT_MAX_ROWS];
        double G[CONTACT_MAX_ROWS];
        for (int r = 0; r < law_rows(law); r++) {
            const size_t row = (size_t)law->at + (size_t)r;
            xi[r] = contact_problem_xi(problem, w->P, law->at + r);
            G[r] = problem->G[row * (size_t)problem->m + row];
        }
        const double* P = w->P + law->at;
        if (level == POSITION) {
            sets[i] = G[0] * P[0] >= xi[0] ? sets[i] | IN_A : 0;
        } else {
            sets[i] = IN_A | alpha_velocity_sets(step, law, P, xi, G);
        }
    }
}

// Adds the change of mu to the solution and takes mu over.
static void take_forces(const AlphaStep* step, Level level, const ContactProblem* problem) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    const int size = sys->nu + sys->nla_g;
    int n = 0;
    for (int i = 0; i < w->n_active; i++) {
        const bool holding = alpha_holds(step, level, i);
        const double* P = holding ? w->P + problem->laws[n++].at : NULL;
        for (int r = 0; r < (level == POSITION ? w->laws[i].normal : law_rows(&w->laws[i])); r++) {
            double* mu = &alpha->mu[level][alpha_first_row(step, i) + r];
            const double change = (holding ? P[r] : 0.0) - *mu;
            const double* V = w->V + (size_t)(w->laws[i].at + r) * (size_t)size;
            *mu += step->damping * change;
            if (change == 0.0) {
                continue;
            }
            for (int j = 0; j < size; j++) {
                w->solution[j] += V[j] * change;
            }
        }
    }
}

static Status solve_contacts(AlphaStep* step, Level level, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const double* par = step->s->p + sys->solver;
    const int maximum = (int)par[SOLVER_MAXIMUM_ITERATIONS];
    // solved to a fraction of the tolerance, so that the step can reach it
    const ContactSolverOptions options = {.tolerance = 0.1 * par[SOLVER_TOLERANCE],
                                          .maximum_iterations = maximum,
                                          .maximum_sweeps = 200 * maximum};
    // on position level friction has no law: its rows are wanted if another level has this matrix
    const bool own_matrix =
        sys->turning || sys->position_dependent || sys->velocity_dependent || sys->nonholonomic;
    const bool normals_only = level == POSITION && own_matrix;
    if (!step->delassus || (step->normals_only && !normals_only)) {
        const bool symmetric = step->k == 0.0 && step->d == 0.0 && w->q_0 == NULL;
        contact_delassus(sys, w, step->m, (DelassusOptions){normals_only, symmetric});
        step->delassus = true;
        step->normals_only = normals_only;
    }
    profile_enter(&w->profile, PROFILE_CONTACT);
    profile_count(&w->profile, COUNT_CONTACT_PROBLEMS, 1);
    const ContactProblem problem = level_problem(step, level);
    subtract_present(step, level, &problem);
    ContactSolverInfo contact_info;
    const Status status =
        contact_solver_solve(&problem, &options, &w->contact_scratch, w->P, &contact_info);
    info->contact_iterations += contact_info.iterations + contact_info.sweeps;
    info->regularised = info->regularised || contact_info.regularised;
    info->swept = info->swept || contact_info.swept;
    // the order matters: who holds a law on this level follows from the sets before
    take_forces(step, level, &problem);
    take_sets(step, level, &problem);
    return status;
}

Status alpha_solve_level(AlphaStep* step, Level level, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    profile_enter(&w->profile, PROFILE_FACTOR);
    Status status = prepare_matrix(step, level);
    if (status != STATUS_OK) {
        return status;
    }
    free_update(step, level);
    if (w->n_active > 0) {
        status = solve_contacts(step, level, info);
        profile_enter(&w->profile, PROFILE_FACTOR);
    }
    step->known[level] = step->known[POSITION] = false;
    for (int i = 0; i < sys->nu + sys->nla_g; i++) {
        w->solution[i] *= step->damping;
    }
    const double* change = w->solution;
    if (level == POSITION) {
        system_pull_back(sys, w->q_1, step->s->q, w->solution, alpha->d);
        change = alpha->d;
    }
    for (int i = 0; i < sys->nu; i++) {
        alpha->x[level][i] += change[i];
    }
    for (int i = 0; i < sys->nla_g; i++) {  // the border has the sign of W_g: the unknown is -mu_g
        alpha->mu_g[level][i] -= w->solution[sys->nu + i];
    }
    return status;
}
