// Moreau-Jean theta scheme, PR (18), with joints on velocity level:
//   M (v - u_n) - dt h(t_theta, q_theta, u_theta) = W_g(q_theta) P_g + W(q_1) P  (18a)
//   u_theta = (1-theta) u_n + theta v,  q_1 = q_n moved by dt u_theta            (18b)
//   g_dot(t_1, q_1, v) = 0,  U_1 = W^T(q_1) v                                    (18c)
//   contacts whose forecast gap is closed:  the contact laws on U_1 + e U_n      (18d)
// The forecast: g_n + forecast dt U_n (61), or g_n + dt (theta U_free + (1-theta) U_n) (62).
// Departing from PR, the percussions of joints act along their directions at q_theta instead of
// q_1: with theta = 1/2 they then do no work to second order, and motion with joints is of second
// order. With friction by the same inclusion on the tangential velocities, GA (112). Newton's
// method on (18a) with the exact derivatives of h; the directions W follow the iterate q_1.
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "schemes/contact_assembly.h"
#include "solvers/contact_solver.h"

// The step's constants and the size against which its residuals are measured.
typedef struct Step {
    const System* sys;
    double t, dt, theta, damping;
    const State* s;
    Workspace* w;
    int m;            // rows of the active contacts
    double energy_n;  // kinetic energy of u_n
    double scale;     // sqrt of an energy: the largest of u_n, v and dt M^-1 h in the norm of M
    bool updated;     // v, P_g and P come from a Newton update with the active laws
} Step;

// PR (18b): q_theta and q_1 for the iterate v
static void drift(const Step* step) {
    const Workspace* w = step->w;
    for (int i = 0; i < step->sys->nu; i++) {
        w->u_theta[i] = (1.0 - step->theta) * step->s->u[i] + step->theta * w->v[i];
    }
    system_move(step->sys, step->s->q, step->theta * step->dt, w->u_theta, w->q_theta);
    system_move(step->sys, step->s->q, step->dt, w->u_theta, w->q_1);
}

// r = M (v - u_n) - dt h - W_g P_g, and the size of the terms
static void evaluate_dynamics(Step* step) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const double dt = step->dt;
    double force = 0.0;
    for (int i = 0; i < sys->nu; i++) {
        w->solution[i] = w->v[i] - step->s->u[i];
        force += dt * dt * w->h[i] * w->h[i] / w->properties.M_diagonal[i];
    }
    system_mass_multiply(sys, &w->end, w->solution, w->r);
    for (int i = 0; i < sys->nu; i++) {
        w->r[i] -= dt * w->h[i] + w->joint_force[i];
    }
    const double energy = fmax(system_kinetic_energy_of(sys, &w->end, w->v), step->energy_n);
    step->scale = sqrt(fmax(2.0 * energy, force));
}

// Rows of the joints and of the active contacts at (t_1, q_1, v)
static void evaluate_rows(const Step* step) {
    const System* sys = step->sys;
    const Instant* c = &step->w->end;
    Workspace* w = step->w;
    for (int i = 0; i < sys->n_joints; i++) {
        system_rows(c, &sys->joints[i], false, &w->joint_rows[i]);
        system_row_velocities(c, &sys->joints[i], &w->joint_rows[i],
                              w->g_dot + sys->joints[i].la.at);
    }
    for (int i = 0; i < w->n_active; i++) {
        const Link* link = &sys->laws[w->active[i]];
        double gamma[MAX_ROWS];
        system_rows(c, link, false, &w->rows[i]);
        directions_set(c, link, &w->rows[i], &w->directions[i]);
        system_row_velocities(c, link, &w->rows[i], gamma);
        memcpy(w->gamma + w->laws[i].at, gamma, (size_t)law_rows(&w->laws[i]) * sizeof(double));
    }
}

// e U_n of row r of active law i
static double restitution(const Step* step, int i, int r) {
    const Link* link = &step->sys->laws[step->w->active[i]];
    const double* par = step->s->p + link->element->p.at;
    if (link->bound >= 0) {
        return 0.0;
    }
    const double e = par[r == 0 ? NORMAL_RESTITUTION : TANGENTIAL_RESTITUTION];
    return e * step->s->gamma[link->la.at + r];
}

// W_g(q_theta) P_g
static void evaluate_joint_forces(const Step* step, const Instant* c) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    memset(w->joint_force, 0, (size_t)sys->nu * sizeof(double));
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        Rows rows;
        system_rows(c, link, false, &rows);
        for (int r = 0; r < link->la.n; r++) {
            system_row_add(c, link, rows.W[r], w->P_g[link->la.at + r], w->joint_force);
        }
    }
}

// Forces at the iterate; again: those that do not depend on the state are as they were.
static void evaluate_forces(const Step* step, bool again) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const bool state_dependent = sys->position_dependent || sys->velocity_dependent;
    if (again && !state_dependent && sys->n_joints == 0) {
        return;
    }
    instant_set(sys, step->s, step->t + step->theta * step->dt, w->q_theta, w->u_theta, &w->middle);
    const Instant* c = &w->middle;
    system_forces(sys, c, w->h);
    evaluate_joint_forces(step, c);
}

// Everything at the iterate (v, P_g): r, the velocities of joints and contacts, the Newton matrix
// M - dt theta dh/du - dt^2 theta^2 dh/dq bordered by W_g(q_1)
static Status evaluate(Step* step, bool again) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    profile_enter(&w->profile, PROFILE_EVALUATE);
    profile_count(&w->profile, COUNT_EVALUATIONS, 1);
    drift(step);
    evaluate_forces(step, again);
    evaluate_dynamics(step);
    if (sys->n_joints > 0 || w->n_active > 0) {
        instant_set(sys, step->s, step->t + step->dt, w->q_1, w->v, &w->end);
        evaluate_rows(step);
    }
    if (w->saddle != NULL) {
        const bool state_dependent = sys->position_dependent || sys->velocity_dependent;
        const double d = state_dependent ? -step->dt * step->theta : 0.0;
        system_joint_matrices(sys, &w->end, w->joint_rows, w->W_g);
        system_assemble(sys, &w->middle, w->W_g, &(MatrixTerms){.k = -d * d, .d = d},
                        (MatrixPattern){false, false}, w->saddle);
    }
    return isfinite(step->scale) ? STATUS_OK : STATUS_NOT_FINITE;
}

// Violation of the joints on velocity level, as the size of the velocities that would mend it.
static double joint_residual(const Step* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    double worst = 0.0;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        for (int r = 0; r < link->la.n; r++) {
            const double G = row_mobility(w, link, w->joint_rows[i].W[r]);
            const double g_dot = fabs(w->g_dot[link->la.at + r]);
            worst = G > 0.0 ? fmax(worst, g_dot / sqrt(G)) : worst;
        }
    }
    return worst;
}

// Relative residual of (18a), the joints and the contact laws at the iterate (v, P_g, P).
static double residual(const Step* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    double worst = joint_residual(step);
    double smooth = 0.0;
    memcpy(w->solution, w->r, (size_t)sys->nu * sizeof(double));
    for (int i = 0; i < w->n_active; i++) {
        const ContactLaw* law = &w->laws[i];
        const Link* link = &sys->laws[w->active[i]];
        double xi[CONTACT_MAX_ROWS];
        double G[CONTACT_MAX_ROWS];
        for (int r = 0; r < law_rows(law); r++) {
            const size_t row = (size_t)law->at + (size_t)r;
            system_row_add(&w->end, link, w->rows[i].W[r], -w->P[row], w->solution);
            xi[r] = w->gamma[row] + restitution(step, i, r);
            G[r] = w->G[row * (size_t)step->m + row];
        }
        worst = fmax(worst, contact_law_error(law, G, w->P + law->at, xi));
    }
    for (int i = 0; i < sys->nu; i++) {
        smooth += w->solution[i] * w->solution[i] / w->properties.M_diagonal[i];
    }
    const double error = fmax(worst, sqrt(smooth));
    return error > 0.0 ? error / step->scale : 0.0;
}

// v and P_g without contact percussions: the Newton update of (18a) and (18c)
static Status free_update(const Step* step, double damping) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    if (w->saddle != NULL) {
        profile_count(&w->profile, COUNT_FACTORISATIONS, 1);
        const Status status = saddle_factor(w->saddle);
        if (status != STATUS_OK) {
            return status;
        }
    }
    for (int i = 0; i < sys->nu; i++) {
        w->solution[i] = -damping * w->r[i];
    }
    for (int i = 0; i < sys->nla_g; i++) {
        w->solution[sys->nu + i] = -damping * w->g_dot[i];
    }
    newton_matrix_solve(sys, w, 1, w->solution);
    for (int i = 0; i < sys->nu; i++) {
        w->v[i] += w->solution[i];
    }
    for (int i = 0; i < sys->nla_g; i++) {  // the border has the sign of W_g: the unknown is -dP_g
        w->P_g[i] -= w->solution[sys->nu + i];
    }
    return STATUS_OK;
}

// One Newton update of v, P_g and P.
static Status update(Step* step, double damping, const ContactSolverOptions* options,
                     SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    profile_enter(&w->profile, PROFILE_FACTOR);
    info->iterations++;
    step->updated = true;
    Status status = free_update(step, damping);
    if (status != STATUS_OK || w->n_active == 0) {
        return status;
    }
    contact_delassus(sys, w, step->m, (DelassusOptions){.symmetric = w->saddle == NULL});
    for (int i = 0; i < w->n_active; i++) {
        double moved[LAW_MAX_ROWS];
        directions_dot(&sys->laws[w->active[i]].coupling, &w->directions[i], w->solution, moved);
        for (int r = 0; r < law_rows(&w->laws[i]); r++) {
            // W^T v_free plus what moves by itself (driven frames): gamma at v less W^T v
            const int row = w->laws[i].at + r;
            w->b[row] = w->gamma[row] + moved[r] + restitution(step, i, r);
        }
    }
    const ContactProblem problem = {.n = w->n_active,
                                    .m = step->m,
                                    .laws = w->laws,
                                    .G = w->G,
                                    .b = w->b,
                                    .scale = step->scale,
                                    .r = step->s->p[sys->solver + SOLVER_PROX_PARAMETER]};
    ContactSolverInfo contact_info;
    profile_enter(&w->profile, PROFILE_CONTACT);
    profile_count(&w->profile, COUNT_CONTACT_PROBLEMS, 1);
    status = contact_solver_solve(&problem, options, &w->contact_scratch, w->P, &contact_info);
    profile_enter(&w->profile, PROFILE_FACTOR);
    info->contact_iterations += contact_info.iterations + contact_info.sweeps;
    info->regularised = info->regularised || contact_info.regularised;
    info->swept = info->swept || contact_info.swept;
    const size_t size = (size_t)sys->nu + (size_t)sys->nla_g;
    for (int j = 0; j < step->m; j++) {
        const double* V = w->V + (size_t)j * size;
        for (int i = 0; i < sys->nu; i++) {
            w->v[i] += V[i] * w->P[j];
        }
        for (int i = 0; i < sys->nla_g; i++) {
            w->P_g[i] -= V[sys->nu + i] * w->P[j];
        }
    }
    return status;
}

// PR (61)
static double explicit_forecast(const Step* step, int k) {
    const State* s = step->s;
    const double fraction = s->p[step->sys->solver + SOLVER_FORECAST];
    return s->g_N[k] + fraction * step->dt * s->gamma[step->sys->laws[k].la.at];
}

// PR (62), with U_free at step->end, where the free motion ends
static double free_forecast(const Step* step, int k) {
    const Link* link = &step->sys->laws[k];
    Rows rows;
    double U_free[MAX_ROWS];
    system_rows(&step->w->end, link, false, &rows);
    system_row_velocities(&step->w->end, link, &rows, U_free);
    const double U_n = step->s->gamma[link->la.at];
    return step->s->g_N[k] + step->dt * (step->theta * U_free[0] + (1.0 - step->theta) * U_n);
}

// Newton's method starts from what the last step ended with.
static void start(Step* step) {
    const System* sys = step->sys;
    const State* s = step->s;
    Workspace* w = step->w;
    step->m = contact_laws(sys, s, step->dt, false, w);
    memcpy(w->v, s->u, (size_t)sys->nu * sizeof(double));
    memcpy(w->P_g, s->P_g, (size_t)sys->nla_g * sizeof(double));
    for (int i = 0; i < w->n_active; i++) {
        memcpy(w->P + w->laws[i].at, s->P + sys->laws[w->active[i]].la.at,
               (size_t)law_rows(&w->laws[i]) * sizeof(double));
    }
}

// The laws that the step considers: friction in joints, and contacts (none without a forecast of
// their gaps). Those that pressed in the last step stay in consideration, so that rounding in a gap
// of zero does not let a resting body fall for a step.
static void activate(Step* step, double (*forecast)(const Step* step, int k)) {
    const System* sys = step->sys;
    const State* s = step->s;
    Workspace* w = step->w;
    const int n_before = w->n_active;
    w->n_active = 0;
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* link = &sys->laws[k];
        const bool active = link->bound >= 0
                                ? s->p[link->bound] > 0.0
                                : forecast != NULL && (s->contact_state[k] != CONTACT_OPEN ||
                                                       forecast(step, k) <= 0.0);
        if (active) {
            w->active[w->n_active++] = k;
        }
    }
    step->updated = step->updated && w->n_active == n_before;
    if (!step->updated) {
        start(step);
    }
}

static bool has_open_contact(const Step* step) {
    bool result = false;
    for (int k = 0; k < step->sys->n_contacts; k++) {
        result = result || step->s->contact_state[k] == CONTACT_OPEN;
    }
    return result;
}

// The contacts of the step. The free motion is that of one Newton update without contacts, which is
// the step's own if it closes none.
static Status choose_contacts(Step* step, const ContactSolverOptions* options, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    if (step->s->p[sys->solver + SOLVER_ACTIVATION] != ACTIVATION_FREE || !has_open_contact(step)) {
        activate(step, explicit_forecast);
        return STATUS_OK;
    }
    activate(step, NULL);
    Status status = evaluate(step, false);
    if (status == STATUS_OK) {
        status = update(step, 1.0, options, info);
    }
    if (status != STATUS_OK) {
        return status;
    }
    drift(step);
    instant_set(sys, step->s, step->t + step->dt, w->q_1, w->v, &w->end);
    activate(step, free_forecast);
    return STATUS_OK;
}

static Status iterate(Step* step, const ContactSolverOptions* options, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const double tolerance = step->s->p[sys->solver + SOLVER_TOLERANCE];
    const bool linear = w->n_active == 0 && w->saddle == NULL;
    for (int i = 0;; i++) {
        if (step->updated && linear) {
            drift(step);
            return STATUS_OK;  // (18a) had constant coefficients: the update solved it
        }
        Status status = evaluate(step, info->iterations > 0);
        if (status != STATUS_OK) {
            return status;
        }
        if (step->updated) {
            profile_enter(&w->profile, PROFILE_RESIDUAL);
            profile_count(&w->profile, COUNT_RESIDUALS, 1);
            info->residual = residual(step);
            if (info->residual <= tolerance) {
                return STATUS_OK;
            }
        }
        if (!isfinite(info->residual)) {
            return STATUS_NOT_FINITE;
        }
        if (i == options->maximum_iterations) {
            return STATUS_NO_CONVERGENCE;
        }
        status = update(step, step->damping, options, info);
        if (status != STATUS_OK) {
            return status;
        }
    }
}

// What counts as zero in the solution, in the norm of kinetic energy
static double negligible(const Step* step) {
    return 10.0 * step->s->p[step->sys->solver + SOLVER_TOLERANCE] * step->scale;
}

// Does the friction of active law i stick, to the accuracy of the solution?
static bool sticks(const Step* step, int i) {
    const Workspace* w = step->w;
    const ContactLaw* law = &w->laws[i];
    const double small = negligible(step);
    bool result = law->normal ? law->mu > 0.0 : true;
    for (int r = law->normal ? 1 : 0; r < law_rows(law); r++) {
        const size_t row = (size_t)law->at + (size_t)r;
        const double G = w->G[row * (size_t)step->m + row];
        const double xi = w->gamma[row] + restitution(step, i, r);
        result = result && fabs(xi) <= small * sqrt(G);
    }
    return result;
}

// Closed contacts press on each other and do not part faster than the forces of half a step can
// bring them together again; an impact is a closing speed beyond the same measure.
static bool is_closed(const Step* step, int i, SolveInfo* info) {
    const Workspace* w = step->w;
    const ContactLaw* law = &w->laws[i];
    if (!law->normal) {
        return true;
    }
    const double before = step->s->gamma[step->sys->laws[w->active[i]].la.at];
    const double free = w->b[law->at] - restitution(step, i, 0);
    const double G = w->G[(size_t)law->at * (size_t)step->m + (size_t)law->at];
    const double threshold = fmax(0.5 * (before - free), negligible(step) * sqrt(G));
    const bool presses = w->P[law->at] > 0.0;
    info->impact = info->impact || (presses && -before > threshold);
    return presses && w->gamma[law->at] <= threshold;
}

static void classify(const Step* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    for (int k = 0; k < sys->n_laws; k++) {
        s->contact_state[k] = CONTACT_OPEN;
    }
    memset(s->P, 0, (size_t)sys->nla_c * sizeof(double));
    for (int i = 0; i < w->n_active; i++) {
        const int k = w->active[i];
        const ContactLaw* law = &w->laws[i];
        memcpy(s->P + sys->laws[k].la.at, w->P + law->at, (size_t)law_rows(law) * sizeof(double));
        if (is_closed(step, i, info)) {
            s->contact_state[k] = sticks(step, i) ? CONTACT_STICK : CONTACT_SLIP;
        }
    }
}

// P contains finite forces and impacts alike: it counts as a mean force over the step if there is
// no impact, else as an impulse.
static void tell_apart(int n, const double* P, double dt, bool impact, double* la, double* La) {
    for (int i = 0; i < n; i++) {
        la[i] = impact ? 0.0 : P[i] / dt;
        La[i] = impact ? P[i] : 0.0;
    }
}

// q_1, v and the percussions become the state; the gaps at t + dt are what the next step starts
// from.
static void commit(const Step* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    classify(step, s, info);
    memcpy(s->q, w->q_1, (size_t)sys->nq * sizeof(double));
    memcpy(s->u, w->v, (size_t)sys->nu * sizeof(double));
    memcpy(s->P_g, w->P_g, (size_t)sys->nla_g * sizeof(double));
    tell_apart(sys->nla_g, s->P_g, step->dt, info->impact, s->la_g, s->La_g);
    tell_apart(sys->nla_c, s->P, step->dt, info->impact, s->la, s->La);
    if (sys->n_laws == 0) {
        return;
    }
    if (w->n_active == 0 && sys->n_joints == 0) {  // otherwise the residual was taken there
        instant_set(sys, s, step->t + step->dt, s->q, s->u, &w->end);
        const Instant* c = &w->end;
        scheme_update_contacts(sys, c, s);
        return;
    }
    int i = 0;  // the active laws were evaluated there: the residual needed them
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* link = &sys->laws[k];
        const bool active = i < w->n_active && w->active[i] == k;
        if (active && law_rows(&w->laws[i]) == link->la.n) {
            s->g_N[k] = w->rows[i].g[0];
            memcpy(s->gamma + link->la.at, w->gamma + w->laws[i].at,
                   (size_t)link->la.n * sizeof(double));
        } else {
            scheme_update_contact(sys, &step->w->end, k, s);
        }
        i += active;
    }
}

Status moreau_step(const System* sys, double t, double dt, double damping, State* s, Workspace* w,
                   SolveInfo* info) {
    Step step = {.sys = sys,
                 .t = t,
                 .dt = dt,
                 .theta = s->p[sys->solver + SOLVER_THETA],
                 .damping = damping,
                 .s = s,
                 .w = w,
                 .energy_n = system_kinetic_energy_of(sys, &w->end, s->u)};
    const double* par = s->p + sys->solver;
    const int maximum = (int)par[SOLVER_MAXIMUM_ITERATIONS];
    // the inner problem is solved to a fraction of the tolerance, so that the outer one can reach
    // it
    const ContactSolverOptions options = {.tolerance = 0.1 * par[SOLVER_TOLERANCE],
                                          .maximum_iterations = maximum,
                                          .maximum_sweeps = 200 * maximum};
    *info = (SolveInfo){0};
    Status status = choose_contacts(&step, &options, info);
    if (status == STATUS_OK) {
        status = iterate(&step, &options, info);
    }
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < sys->nu; i++) {
        if (!isfinite(w->v[i])) {
            return STATUS_NOT_FINITE;
        }
    }
    profile_enter(&w->profile, PROFILE_COMMIT);
    commit(&step, s, info);
    return STATUS_OK;
}
