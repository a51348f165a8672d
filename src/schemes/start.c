#include "schemes/start.h"

#include <math.h>
#include <string.h>

#include "schemes/accelerations.h"
#include "schemes/projection.h"

// --- contacts ---

static const double ROUNDING = 1e-12;  // m: gaps of rounding size count as closed
static const double STILL = 1e-10;     // of the velocity of the whole system, in the norm of energy

// The state of an active law that touches, at w->present; small: a velocity in the norm of energy
static ContactState state_at(const Workspace* w, const ActiveLaw* active, double small) {
    const double* gamma = w->contacts.gamma + active->row;
    double G[LAW_MAX_ROWS];
    active_mobility(active, w->properties.M_diagonal, G);
    if (active->form.normal && gamma[0] > small * sqrt(G[0])) {
        return CONTACT_OPEN;
    }
    return active_closed_state(active, gamma, G, small);
}

void start_states(const System* sys, double t, const Touching* touching, State* s, Workspace* w) {
    ContactSet* set = &w->contacts;
    int n = 0;
    w->laws_known = false;
    workspace_update_laws(sys, t, s, w);
    instant_set(sys, s, t, s->q, s->u, &w->present);
    for (int k = 0; k < sys->n_laws; k++) {
        const bool contact = sys->laws[k].bound < 0;
        if (!contact || (touching != NULL ? touching->contacts[k] : w->g_N[k] <= ROUNDING)) {
            set->chosen[n++] = k;
        }
    }
    contact_set_choose(sys, s->p, 1.0, n, set);
    contact_set_evaluate(&w->present, false, set);
    const double small = touching != NULL
                             ? touching->still
                             : STILL * sqrt(2.0 * system_kinetic_energy(sys, &w->present));
    s->head->n_records = 0;
    for (int c = 0; c < n; c++) {
        const int k = set->chosen[c];
        const ContactState state = state_at(w, &set->active[set->slot[k]], small);
        if (state != CONTACT_OPEN) {
            s->records[s->head->n_records++] = (ContactRecord){.key = k, .state = state};
        }
    }
}

// --- forces ---

void start_forces(const System* sys, double t, State* s, Workspace* w, double* a) {
    const ContactSet* set = &w->contacts;
    const bool solved = accelerations_solve(sys, t, s, s->u, w, a, s->la_g) == STATUS_OK;
    memset(s->La_g, 0, (size_t)sys->nla_g * sizeof(double));
    if (!solved) {
        memset(a, 0, (size_t)sys->nu * sizeof(double));
        memset(s->la_g, 0, (size_t)sys->nla_g * sizeof(double));
    }
    for (long long i = 0; i < s->head->n_records; i++) {
        ContactRecord* record = &s->records[i];
        *record = (ContactRecord){.key = record->key, .id = record->id, .state = record->state};
        const int slot = set->slot[record->key];
        const int n = slot >= 0 && solved ? contact_law_rows(&set->active[slot].form) : 0;
        for (int r = 0; r < n; r++) {
            record->la[r] = set->P[set->active[slot].row + r];
        }
    }
}

// --- joints ---

JointViolation joint_violation(const System* sys, double t, const State* s, Workspace* w) {
    JointViolation worst = {.position_joint = -1, .velocity_joint = -1};
    if (sys->n_joints == 0) {
        return worst;
    }
    instant_set(sys, s, t, s->q, s->u, &w->present);
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        Rows rows;
        double gamma[MAX_ROWS];
        system_rows(&w->present, joint, false, &rows);
        system_row_velocities(&w->present, joint, &rows, gamma);
        for (int r = 0; r < joint->la.n; r++) {
            if (r < joint->rows->n_position_rows && !(fabs(rows.g[r]) <= worst.position)) {
                worst.position = fabs(rows.g[r]);
                worst.position_joint = i;
                worst.position_row = r;
            }
            if (!(fabs(gamma[r]) <= worst.velocity)) {
                worst.velocity = fabs(gamma[r]);
                worst.velocity_joint = i;
                worst.velocity_row = r;
            }
        }
    }
    return worst;
}

// The mass matrices bordered by W_g at w->present, factorised
static Status factor_mass(const System* sys, Workspace* w) {
    newton_matrix_forget(w->matrix);
    joint_set_evaluate(sys, &w->present, false, &w->joints);
    return newton_matrix_factor(sys, &w->present, &w->joints, &(MatrixTerms){0}, w->matrix);
}

Status start_redundant_rows(const System* sys, double t, const State* s, Workspace* w, int* rows,
                            int* n) {
    *n = 0;
    if (sys->n_joints == 0) {
        return STATUS_OK;
    }
    instant_set(sys, s, t, s->q, s->u, &w->present);
    const Status status = factor_mass(sys, w);
    if (status == STATUS_OK) {
        *n = newton_matrix_redundant(sys, w->matrix, rows);
    }
    return status;
}

// The velocities nearest to those of the start for which the joints hold: linear
static Status project_velocities(const System* sys, double t, State* s, Workspace* w) {
    instant_set(sys, s, t, s->q, s->u, &w->present);
    const Status status = factor_mass(sys, w);
    if (status != STATUS_OK) {
        return status;
    }
    memset(w->solution, 0, (size_t)sys->nu * sizeof(double));
    for (int i = 0; i < sys->nla_g; i++) {
        w->solution[sys->nu + i] = -w->joints.g_dot[i];
    }
    newton_matrix_solve(sys, w->matrix, w->solution);
    for (int j = 0; j < sys->nu; j++) {
        s->u[j] += w->solution[j];
    }
    return STATUS_OK;
}

// The positions nearest to those of the start where the joints hold; a start that holds stays as it
// is. The velocities take no part.
static Status project_positions(const System* sys, double t, State* s, Workspace* w) {
    Arena scratch = {0};  // a start is no step: it may take memory
    Projection projection;
    Status status = projection_create(sys, &scratch, &projection);
    if (status == STATUS_OK) {
        projection_begin(sys, 0.0, &projection);
        instant_set(sys, s, t, s->q, s->u, &w->present);
        joint_set_evaluate(sys, &w->present, false, &w->joints);
        status = projection_solve(sys, s, w, s->q, &w->present, &projection);
    }
    if (status == STATUS_OK) {
        memcpy(s->q, w->present.q, (size_t)sys->nq * sizeof(double));
    }
    arena_free(&scratch);
    return status;
}

Status start_project(const System* sys, double t, State* s, Workspace* w) {
    if (sys->n_joints == 0) {
        return STATUS_OK;
    }
    const Status status = project_positions(sys, t, s, w);
    return status == STATUS_OK ? project_velocities(sys, t, s, w) : status;
}
