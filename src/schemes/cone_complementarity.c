// The scheme of CC (5) to (12). With everything at the start of the step but the velocities,
//   (M - dt D - dt^2 K) (u_1 - u_n) = dt h + W_g P_g + W P                              CC (5b)
//   W_g^T u_1 + g_t + g/dt = 0, dt being that of the settings                           CC (5c)
//   xi = W^T u_1 + (max(g_N/dt, -v_r), 0, 0)                                            CC (5d)
//   relaxed: K contains P, orthogonal to xi in the dual cone                       CC (7), (10)
//   Coulomb: the same of xi + mu |xi_F| e_N, Signorini's and Coulomb's laws themselves
//   q_1 = q_n moved by dt u_1                                                           CC (5a)
// Departing from CC: forces that depend on the motion are taken where the bodies are heading, with
// their derivatives D and K (one step of Newton's method), so that springs and beams do not limit
// the step; bodies that joints connect are solved for exactly instead of iterating on the joints; a
// penetration is taken back by a displacement after the step (v_r = 0), or by a velocity no faster
// than v_r; contacts with restitution that close in the step leave with e times their speed, and
// what parts may come back with e times its own.
#include "schemes/cone_complementarity.h"

#include <math.h>
#include <string.h>

#include "schemes/cone_step.h"

StateRoom cone_complementarity_room(const System* sys) {
    (void)sys;
    return (StateRoom){0, 0};
}

Status cone_complementarity_create(const System* sys, const Properties* properties, Arena* arena,
                                   void** scratch) {
    ConeScratch* m = ARENA_NEW(arena, 1, ConeScratch);
    *scratch = m;
    if (m == NULL || cone_graph_create(sys, arena, &m->graph) != STATUS_OK ||
        (sys->position_dependent &&
         instant_create(sys, properties, arena, &m->ahead) != STATUS_OK)) {
        return STATUS_OUT_OF_MEMORY;
    }
    m->change = ARENA_NEW(arena, sys->nu + sys->nla_g, double);
    m->u_1 = ARENA_NEW(arena, sys->nu, double);
    m->q_1 = ARENA_NEW(arena, sys->nq, double);
    m->P_g = ARENA_NEW(arena, sys->nla_g, double);
    m->P = ARENA_NEW(arena, sys->most_rows, double);
    return m->u_1 != NULL && m->change != NULL && m->q_1 != NULL && m->P_g != NULL && m->P != NULL
               ? STATUS_OK
               : STATUS_OUT_OF_MEMORY;
}

void cone_complementarity_start(const StepInput* in, const double* a, State* s, void* scratch) {
    (void)in;
    (void)a;
    (void)scratch;
    s->head->n_own = s->head->n_own_contact = 0;
}

// --- terms ---

// All contacts take part: those that were found are within reach of the step. Those of free bodies
// are points, unless their restitution is left out, of which the set tells.
static Status choose_laws(ConeStep* step) {
    ContactSet* set = &step->w->contacts;
    ConeGraph* graph = &step->m->graph;
    int n = 0;
    const Status status = cone_graph_begin(&step->w->pool, graph);
    for (int k = 0; k < step->sys->n_laws && status == STATUS_OK; k++) {
        const Link* law = &step->sys->laws[k];
        const bool acts =
            law->bound >= 0 ? step->s->p[law->bound] > 0.0 : !step_holds_open(step->in, k);
        if (acts) {
            step->restitution =
                larger(step->restitution, step_law_restitution(step->in, step->s->p, k, 0));
        }
        if (acts &&
            (step_is_inelastic(step->in, k) || !cone_graph_add_point(step->s->p, k, graph))) {
            set->chosen[n++] = k;
        }
    }
    contact_set_choose(step->sys, step->s->p, step->in->dt, n, set);
    contact_set_evaluate(&step->w->present, false, set);
    return status;
}

// Rows of joints at the start; forces, if they depend on where bodies are, where these are heading
static void evaluate(const ConeStep* step) {
    const System* sys = step->sys;
    ConeScratch* m = step->m;
    const double* u = step->in->u_start;
    profile_enter(&step->w->profile, PROFILE_EVALUATE);
    profile_count(&step->w->profile, COUNT_EVALUATIONS, 1);
    instant_set(sys, step->s, step->in->t, step->s->q, u, &step->w->present);
    joint_set_evaluate(sys, &step->w->present, false, &step->w->joints);
    if (sys->position_dependent) {
        system_move(sys, step->s->q, step->in->dt, u, m->q_1);
        instant_set(sys, step->s, step->in->t_1, m->q_1, u, &m->ahead);
    }
}

static const Instant* forces_at(const ConeStep* step) {
    return step->sys->position_dependent ? &step->m->ahead : &step->w->present;
}

// In w->solution: what velocities change without contacts, and minus the percussions of joints
static Status solve_free(const ConeStep* step) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const double dt = step->in->dt;
    // Steps that an impact divides may be as short as rounding: they take back their share of g.
    const double recovery = 1.0 / larger(dt, step->par[SOLVER_STEP_SIZE]);
    const MatrixTerms terms = {.k = -dt * dt, .d = -dt};
    profile_enter(&w->profile, PROFILE_FACTOR);
    newton_matrix_forget(w->matrix);
    const Status status = newton_matrix_factor(sys, forces_at(step), &w->joints, &terms, w->matrix);
    if (status != STATUS_OK) {
        return status;
    }
    system_forces(sys, forces_at(step), w->solution);
    for (int i = 0; i < sys->nu; i++) {
        w->solution[i] *= dt;
    }
    for (int i = 0; i < sys->n_joints; i++) {
        const Range rows = sys->joints[i].la;
        for (int r = 0; r < rows.n; r++) {  // CC (5c)
            w->solution[sys->nu + rows.at + r] =
                -w->joints.g_dot[rows.at + r] - recovery * w->joints.joints[i].g[r];
        }
    }
    newton_matrix_solve(sys, w->matrix, w->solution);
    return STATUS_OK;
}

// Roots of the mean over all bodies of the energy of what forces change of their velocities in the
// step, and of that or of the velocities themselves if these are larger
static void find_scales(ConeStep* step) {
    const double* M = step->w->properties.M_diagonal;
    double motion = 0.0;
    double change = 0.0;
    for (int i = 0; i < step->sys->nu; i++) {
        const double u = step->in->u_start[i];
        const double du = step->w->solution[i];
        motion += M[i] * u * u;
        change += M[i] * du * du;
    }
    const int n = step->sys->n_bodies > 1 ? step->sys->n_bodies : 1;
    step->gain = sqrt(change / n);
    step->scale = sqrt(larger(motion, change) / n);
}

// The gap over the step: how fast a contact may close, or has to part
static double approach_speed(const ConeStep* step, double g) {
    const double least =
        step->projects ? 0.0 : -step->par[SOLVER_RECOVERY_VELOCITY];  // else positions follow
    return larger(g / step->in->dt, least);
}

// What the velocities U (n) of a contact's rows, v being that of the normal one at the end without
// percussions, have to make up for beside themselves: the gap g, or the bounce of a contact that
// closes in the step. One that parts, and is pressed by what others do, may come back with e times
// its speed, e being the largest of all contacts: with b >= e U in normal rows and b = e U along
// the surfaces P . (U_1 + b) <= 0, so that the work of contacts is, where no forces act,
//   P . (U + U_1)/2 <= -((1 - e)/2 P . G P + P . (b - e U))/(1 + e) <= 0
// Held to its gap, b < e U, it could add energy, and bodies that have no room to give way would ask
// for percussions without end.
static void add_targets(const ConeStep* step, int law, double g, const double* U, double v, int n,
                        double* b) {
    const bool closes = g + step->in->dt * v <= 0.0;
    const double bounce = step_law_restitution(step->in, step->s->p, law, 0) * U[0];
    const double parts = closes ? 0.0 : step->restitution * (U[0] < v ? U[0] : v);
    if (closes && bounce < 0.0) {
        b[0] += bounce;
    } else {
        const double approach = approach_speed(step, g);
        b[0] += parts > 0.0 ? larger(approach, parts) : approach;
    }
    for (int r = 1; r < n; r++) {
        b[r] += step_law_restitution(step->in, step->s->p, law, r) * U[r];
    }
}

// The record of a law, or NULL; laws are asked for by ascending number, at being where the search
// goes on, by larger and larger strides.
static const ContactRecord* next_record(const State* s, int law, long long* at) {
    long long end = *at;
    for (long long stride = 1; end < s->head->n_records && s->records[end].key < law; stride *= 2) {
        *at = end + 1;
        end += stride;
    }
    end = end < s->head->n_records ? end : s->head->n_records;
    while (*at < end) {
        const long long middle = *at + (end - *at) / 2;
        if (s->records[middle].key < law) {
            *at = middle + 1;
        } else {
            end = middle;
        }
    }
    const bool known = *at < s->head->n_records && s->records[*at].key == law;
    return known ? &s->records[*at] : NULL;
}

// b: xi without percussions; start values from the last step
static void fill_laws(const ConeStep* step) {
    ContactSet* set = &step->w->contacts;
    long long at = 0;
    for (int c = 0; c < set->n; c++) {
        const int k = set->chosen[c];
        const ActiveLaw* active = &set->active[set->slot[k]];
        const ContactRecord* record = next_record(step->s, k, &at);
        const int n = contact_law_rows(&active->form);
        double moved[LAW_MAX_ROWS];
        double* b = set->b + active->row;
        active_dot(active, step->w->solution, moved);
        for (int r = 0; r < n; r++) {
            b[r] = active->U[r] + moved[r];
            set->P[active->row + r] = record != NULL ? record->P[r] : 0.0;
        }
        if (active->form.normal) {
            add_targets(step, k, active->g[0], active->U, active->U[0] + moved[0], n, b);
        }
    }
}
static void fill_points(void* job, int part) {
    const ConeStep* step = job;
    ConeGraph* graph = &step->m->graph;
    const ConePoints* points = &graph->points;
    const Range* some = &points->parts[part];
    long long at = 0;
    for (int i = some->at; i < some->at + some->n; i++) {
        const ConePoint* point = &points->points[points->order[i]];
        const ContactRecord* record = next_record(step->s, point->law, &at);
        double b[CONE_ROWS] = {0.0}, P[CONE_ROWS] = {0.0};
        for (int r = 0; r < point->n; r++) {
            b[r] = point->U[r] + point->dU[r];
            P[r] = record != NULL ? record->P[r] : 0.0;
        }
        add_targets(step, point->law, point->g, point->U, b[0], point->n, b);
        cone_problem_begin(&graph->problem, point->place, b, P);
    }
}

// --- the problem ---

// Bytes of scratch; 0: none is needed
static size_t method_size(int method, const ConeProblem* problem) {
    return method == CONE_METHOD_GRADIENT ? cone_gradient_size(problem) * sizeof(double)
           : method == CONE_METHOD_SWEEPS ? (size_t)problem->n_bodies * sizeof(ConeWay)
                                          : 0;
}

static void solve(const ConeStep* step, const ConeOptions* options, void* scratch,
                  ConeInfo* solved) {
    ConeProblem* problem = &step->m->graph.problem;
    if (problem->n_rows > 1) {
        cone_problem_start(problem);
    } else {                                 // a projection, from nothing, which may suffice
        static const double NOTHING = 1e-3;  // of the tolerance: one contact is closed to rounding
        *solved = (ConeInfo){0};
        solved->error = cone_problem_error(problem, &solved->worst);
        if (solved->error <= NOTHING * options->tolerance) {
            return;
        }
    }
    if (step->par[SOLVER_CONE_METHOD] == CONE_METHOD_GRADIENT) {
        cone_gradient_solve(problem, options, scratch, solved);
    } else {
        cone_sweeps_solve(problem, options, scratch, solved);
    }
}

// A projection's velocities are displacements over dt, and a part of a step may be as short as
// rounding: they are measured by the way of a whole one.
static double way_of_step(const ConeStep* step, const ConeProblem* problem) {
    const bool projection = problem->n_rows == 1;
    return projection ? larger(1.0, step->par[SOLVER_STEP_SIZE] / step->in->dt) : 1.0;
}

Status cone_solve_problem(const ConeStep* step, SolveInfo* info) {
    Workspace* w = step->w;
    ConeGraph* graph = &step->m->graph;
    ConeProblem* problem = &graph->problem;
    const ConeOptions options = {(int)step->par[SOLVER_CONE_ITERATIONS],
                                 step->par[SOLVER_CONE_TOLERANCE]};
    const int method = (int)step->par[SOLVER_CONE_METHOD];
    void* scratch = NULL;
    ConeInfo solved;
    const Status status = cone_graph_fill(&w->contacts, w->matrix, &w->pool, graph);
    if (status != STATUS_OK || problem->n_blocks + problem->n_wide == 0) {
        return status;
    }
    const size_t size = method_size(method, problem);
    if (size > 0 && (scratch = pool_take_bytes(&w->pool, size, 1)) == NULL) {
        return STATUS_NO_ROOM;
    }
    profile_enter(&w->profile, PROFILE_CONTACT);
    profile_count(&w->profile, COUNT_CONTACT_PROBLEMS, 1);
    problem->scale = step->scale * way_of_step(step, problem);
    solve(step, &options, scratch, &solved);
    profile_enter(&w->profile, PROFILE_FACTOR);
    info->contact_iterations += solved.iterations;
    info->residual = larger(info->residual, solved.error);
    info->inexact = info->residual > options.tolerance;
    solve_info_note(&step->sys->laws[graph->law_of[solved.worst]], solved.error, info);
    return STATUS_OK;
}

static Status solve_percussions(ConeStep* step, SolveInfo* info) {
    memset(step->m->change, 0, bytes(step->sys->nu + step->sys->nla_g));
    const bool relaxed = step->par[SOLVER_CONE_LAW] == CONE_LAW_RELAXED;
    Crew* crew = step->par[SOLVER_THREADS] > 1.0 ? step->w->crew : NULL;
    Status status = cone_graph_lay(&step->w->contacts, &step->w->present, step->w->solution,
                                   relaxed, crew, &step->w->pool, &step->m->graph);
    if (status == STATUS_OK) {
        fill_laws(step);
        cone_problem_do(&step->m->graph.problem, true, fill_points, step);
        status = cone_solve_problem(step, info);
    }
    if (status == STATUS_OK) {
        cone_graph_take_percussions(&step->m->graph, &step->w->contacts);
        cone_graph_add_velocities(&step->m->graph, step->m->change);
    }
    return status;
}

// --- the end of the step ---

static bool is_finite(const ConeStep* step, const double* u_1) {
    double square = 0.0;
    for (int i = 0; i < step->sys->nu; i++) {
        square += step->w->properties.M_diagonal[i] * u_1[i] * u_1[i];
    }
    return isfinite(square);
}

// CC (5a): q_1 in m->q_1
static Status move_on(const ConeStep* step, SolveInfo* info) {
    const ConeScratch* m = step->m;
    system_move(step->sys, step->s->q, step->in->dt, m->u_1, m->q_1);
    return step->projects ? cone_project_positions(step, info) : STATUS_OK;
}

static Status commit(ConeStep* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    ConeScratch* m = step->m;
    Workspace* w = step->w;
    for (int i = 0; i < sys->nu; i++) {
        m->u_1[i] = step->in->u_start[i] + w->solution[i] + m->change[i];
    }
    for (int i = 0; i < sys->nla_g; i++) {
        m->P_g[i] = -(w->solution[sys->nu + i] + m->change[sys->nu + i]);
    }
    if (!is_finite(step, m->u_1)) {
        return STATUS_NOT_FINITE;
    }
    profile_enter(&w->profile, PROFILE_COMMIT);
    // Newton's law with friction may add energy, and percussions run away where it has no solution:
    // in parts of the step impacts come one after the other, and at last without restitution.
    if (cone_settle_laws(step, info)) {
        return STATUS_NO_CONVERGENCE;
    }
    const Status status = move_on(step, info);
    if (status != STATUS_OK) {
        return status;
    }
    cone_record_laws(step, s);
    memcpy(s->q, m->q_1, bytes(sys->nq));
    memcpy(s->u, m->u_1, bytes(sys->nu));
    for (int i = 0; i < sys->nla_g; i++) {
        s->P_g[i] = m->P_g[i];
        s->la_g[i] = s->P_g[i] / step->in->dt;
        s->La_g[i] = 0.0;
    }
    w->laws_known = false;
    return STATUS_OK;
}

Status cone_complementarity_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    const double* par = s->p + in->sys->solver;
    ConeStep step = {.sys = in->sys,
                     .in = in,
                     .s = s,
                     .w = in->w,
                     .m = scratch,
                     .par = par,
                     .projects = par[SOLVER_CONE_PROJECTION] > 1.0};
    *info = (SolveInfo){0};
    evaluate(&step);
    Status status = solve_free(&step);
    if (status == STATUS_OK) {
        cone_graph_update(&step.w->properties, step.w->matrix, &step.m->graph);
        status = choose_laws(&step);
    }
    if (status == STATUS_OK) {
        find_scales(&step);
        status = solve_percussions(&step, info);
    }
    return status == STATUS_OK ? commit(&step, s, info) : status;
}
