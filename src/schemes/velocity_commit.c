// The state at the end of a step on velocity level: what contacts do, forces and impulses.
#include <math.h>
#include <string.h>

#include "schemes/settings.h"
#include "schemes/velocity_step.h"

// What counts as zero in the solution, in the norm of kinetic energy
static double negligible(const VelocityStep* step) {
    return 10.0 * step->s->p[step->sys->solver + SOLVER_TOLERANCE] * step->scale;
}

// Sticking or sliding, to the accuracy of the solution
static ContactState closed_state(const VelocityStep* step, const ActiveLaw* active) {
    const ContactSet* set = &step->w->contacts;
    double xi[LAW_MAX_ROWS];
    double G[LAW_MAX_ROWS];
    for (int r = contact_law_F(&active->form); r < contact_law_rows(&active->form); r++) {
        xi[r] = set->gamma[active->row + r] + velocity_restitution(step, active, r);
        G[r] = delassus_diagonal(set, active, r);
    }
    return active_closed_state(active, xi, G, negligible(step));
}

static bool is_closed(const VelocityStep* step, ActiveLaw* active, SolveInfo* info) {
    const ContactSet* set = &step->w->contacts;
    const double free = set->b[active->row] - velocity_restitution(step, active, 0);
    return contact_is_closed(set, active, step->w->gamma[active->link->la.at], free,
                             negligible(step), info);
}

// Records of the laws that are closed or have percussions
static void classify(const VelocityStep* step, State* s, SolveInfo* info) {
    const ContactSet* set = &step->w->contacts;
    s->head->n_records = 0;
    for (int c = 0; c < set->n; c++) {
        ActiveLaw* active = &set->active[set->slot[set->chosen[c]]];
        ContactRecord record = {.key = active->law, .state = CONTACT_OPEN};
        bool any = false;
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            record.P[r] = set->P[active->row + r];
            any = any || record.P[r] != 0.0;
        }
        if (is_closed(step, active, info)) {
            record.state = closed_state(step, active);
        }
        if (any || record.state != CONTACT_OPEN) {
            s->records[s->head->n_records++] = record;
        }
    }
}

// P contains finite forces and impacts alike: it counts as a mean force over the step if there is
// no impact, else as an impulse.
static void split_percussions(int n, const double* P, double dt, bool impact, double* la,
                              double* La) {
    for (int i = 0; i < n; i++) {
        la[i] = impact ? 0.0 : P[i] / dt;
        La[i] = impact ? P[i] : 0.0;
    }
}

// Gaps and velocities at the end are what the next step starts from.
static void commit_laws(const VelocityStep* step) {
    const System* sys = step->sys;
    if (step->w->contacts.n == 0 && sys->n_joints == 0 && !step->projects) {  // else it has been
        step->m->end.t = step->in->t_1;
        instant_evaluate(sys, step->s, &step->m->end);
    }
    workspace_take_laws(sys, &step->m->end, step->w);
}

// change (n) becomes that from old to new, bend its own change; both are zero after an impact, and
// there is no bend before the second smooth step.
static void keep_change(int n, const double* new, const double* old, double n_smooth,
                        double* change, double* bend) {
    for (int i = 0; i < n; i++) {
        const double next = n_smooth > 0.0 ? new[i] - old[i] : 0.0;
        bend[i] = n_smooth > 1.0 ? next - change[i] : 0.0;
        change[i] = next;
    }
}

// Are velocities left in rows of joints that depend on others? These hold with the others, to the
// tolerance, where positions do.
static bool joints_contradict(const VelocityStep* step) {
    const System* sys = step->sys;
    const JointSet* joints = &step->w->joints;
    const double most = step->s->p[sys->solver + SOLVER_TOLERANCE] * step->scale;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        for (int r = 0; r < joint->la.n; r++) {
            const double G =
                joint_rows_mobility(joint, &joints->joints[i], r, step->w->properties.M_diagonal);
            if (!step->m->counts[joint->la.at + r] &&
                fabs(joints->g_dot[joint->la.at + r]) > most * sqrt(G)) {
                return true;
            }
        }
    }
    return false;
}

// An impact is no guess for what comes next. Rows of joints that depend on others hold only as well
// as Newton's method leaves them, and better with an update more than a good guess would take.
static void keep_changes(const VelocityStep* step, State* s, bool impact) {
    const System* sys = step->sys;
    const VelocityScratch* m = step->m;
    if (step->linear) {
        return;
    }
    const VelocityOwn own = velocity_own(sys, s);
    *own.n_smooth = impact ? 0.0 : m->n_redundant > 0 ? 1.0 : *own.n_smooth + 1.0;
    *own.regular = m->n_redundant == 0;
    *own.contradict = *own.contradict != 0.0 || (m->n_redundant > 0 && joints_contradict(step));
    keep_change(sys->nu, m->end.u, s->u, *own.n_smooth, own.u_change, own.u_bend);
    keep_change(sys->nla_g, m->P_g, s->P_g, *own.n_smooth, own.P_g_change, own.P_g_bend);
    if (step->projects) {
        velocity_project_keep(step, *own.n_smooth, s);
    }
}

// Energies must be finite, too.
static bool is_finite(const VelocityStep* step) {
    double square = 0.0;
    for (int i = 0; i < step->sys->nu; i++) {
        const double u = step->m->end.u[i];
        square += step->w->properties.M_diagonal[i] * u * u;
    }
    return isfinite(square) && isfinite(step->scale);
}

Status velocity_commit(const VelocityStep* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    const VelocityScratch* m = step->m;
    const double dt = step->in->dt;
    if (!is_finite(step)) {
        info->residual = velocity_residual(step, info);
        return STATUS_NOT_FINITE;
    }
    profile_enter(&step->w->profile, PROFILE_COMMIT);
    classify(step, s, info);
    keep_changes(step, s, info->impact);
    memcpy(s->q, m->end.q, (size_t)sys->nq * sizeof(double));
    memcpy(s->u, m->end.u, (size_t)sys->nu * sizeof(double));
    memcpy(s->P_g, m->P_g, (size_t)sys->nla_g * sizeof(double));
    split_percussions(sys->nla_g, s->P_g, dt, info->impact, s->la_g, s->La_g);
    for (long long i = 0; i < s->head->n_records; i++) {
        ContactRecord* record = &s->records[i];
        split_percussions(CONTACT_MAX_ROWS, record->P, dt, info->impact, record->la, record->La);
    }
    commit_laws(step);
    return STATUS_OK;
}
