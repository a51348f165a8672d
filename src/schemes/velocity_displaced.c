// Newton's method where percussions displace q_1 by dt k_W M^-1 (W_g P_g + W P) beside what they do
// to v, and forces follow, CH (29), (36): those of a row act on the dynamics by
//   W + F W,  F = kappa dt k_W dh/dq M^-1.
// Of stiff bodies, whose mass is small against their stiffness in a step, F W is the larger part.
#include <math.h>
#include <string.h>

#include "schemes/velocity_step.h"

// F w of a percussion w (nu) in the velocities of the system, which becomes M^-1 w, into f (nu).
// The derivative is a difference of forces: the matrix of Newton's method need not be exact.
static void displaced_force(const VelocityStep* step, double* w, double* f) {
    static const double DISPLACEMENT = 1e-8;  // m, rad: small against bodies, not against rounding
    const System* sys = step->sys;
    const VelocityScratch* m = step->m;
    Instant* displaced = &step->m->middle;
    double largest = 0.0;
    system_mass_solve(sys, &m->end, m->solve, w);
    for (int i = 0; i < sys->nu; i++) {
        largest = larger(fabs(w[i]), largest);
    }
    memset(f, 0, (size_t)sys->nu * sizeof(double));
    if (!(largest > 0.0) || !isfinite(largest)) {
        return;
    }
    system_move(sys, m->end.q, DISPLACEMENT / largest, w, displaced->q);
    memcpy(displaced->u, m->end.u, (size_t)sys->nu * sizeof(double));
    displaced->t = m->end.t;
    instant_evaluate(sys, step->s, displaced);
    system_forces(sys, displaced, f);
    const double factor = step->kappa * step->in->dt * step->k_W * largest / DISPLACEMENT;
    for (int i = 0; i < sys->nu; i++) {
        f[i] = factor * (f[i] - m->h[i]);
    }
}

// --- joints ---

// With the update p of P_g, that of v is x, where
//   A x = W_g p + F W_g p - residual,  W_g^T x = -g_dot.
// The factors are those of [A, W_g; W_g^T, 0] alone: they give x and p for a right-hand side that
// has F W_g p, so that p follows from itself, p = p_0 + T p. T has next to nothing as eigenvalues,
// and large numbers where a joint holds a stiff body, but few different ones: GMRES ends after a
// few vectors.

static const double LEFT = 1e-6;        // of p, by GMRES: Newton's method squares errors anyway
static const double NEGLIGIBLE = 1e-3;  // part of p: without T, Newton's method converges as fast

int velocity_joint_vectors(const System* sys) {
    return sys->position_dependent && sys->n_joints > 0 ? VELOCITY_JOINT_VECTORS + 3 : 0;
}

// Percussions as energies: p . p' of two of them
static double joint_product(const VelocityStep* step, const double* a, const double* b) {
    const System* sys = step->sys;
    const JointSet* set = &step->w->joints;
    double sum = 0.0;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        for (int r = 0; r < joint->la.n; r++) {
            const int row = joint->la.at + r;
            sum += a[row] * b[row] *
                   joint_rows_mobility(joint, &set->joints[i], r, step->w->properties.M_diagonal);
        }
    }
    return sum;
}

// x (nu + nla_g), the solution with F W_g p as right-hand side
static void solve_for_joints(const VelocityStep* step, const double* p, double* x) {
    const System* sys = step->sys;
    const VelocityScratch* m = step->m;
    memset(m->jump, 0, (size_t)sys->nu * sizeof(double));
    joint_set_add(sys, velocity_directions(step), 1.0, p, m->jump);
    displaced_force(step, m->jump, x);
    memset(x + sys->nu, 0, (size_t)sys->nla_g * sizeof(double));
    newton_matrix_solve(sys, step->w->matrix, x);
}

// Tp = T p; w->solution is scratch
static void apply_T(const VelocityStep* step, const double* p, double* Tp) {
    const System* sys = step->sys;
    double* x = step->w->solution;
    solve_for_joints(step, p, x);
    for (int i = 0; i < sys->nla_g; i++) {  // the border's unknown is minus the multiplier
        Tp[i] = -x[sys->nu + i];
    }
}

// y (n) += factor x
static void add(int n, double factor, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        y[i] += factor * x[i];
    }
}

// Makes the vector (nla_g) behind the first j + 1 of the basis orthogonal to them and of length 1;
// h (j + 2): what it had of each
static void orthogonalise(const VelocityStep* step, double* const* basis, int j, double* h) {
    const int n = step->sys->nla_g;
    double* v = basis[j + 1];
    for (int i = 0; i <= j; i++) {
        h[i] = joint_product(step, basis[i], v);
        add(n, -h[i], basis[i], v);
    }
    h[j + 1] = sqrt(joint_product(step, v, v));
    for (int i = 0; i < n && h[j + 1] > 0.0; i++) {
        v[i] /= h[j + 1];
    }
}

// GMRES keeps H, triangular by rotations, and what they leave of the right-hand side.
typedef struct Triangle {
    double H[VELOCITY_JOINT_VECTORS][VELOCITY_JOINT_VECTORS + 1];  // by column
    double c[VELOCITY_JOINT_VECTORS], s[VELOCITY_JOINT_VECTORS];
    double rhs[VELOCITY_JOINT_VECTORS + 1];
} Triangle;

// Column j becomes triangular.
static void rotate(Triangle* t, int j) {
    double* h = t->H[j];
    for (int i = 0; i < j; i++) {
        const double upper = t->c[i] * h[i] + t->s[i] * h[i + 1];
        h[i + 1] = t->c[i] * h[i + 1] - t->s[i] * h[i];
        h[i] = upper;
    }
    const double size = sqrt(h[j] * h[j] + h[j + 1] * h[j + 1]);
    t->c[j] = size > 0.0 ? h[j] / size : 1.0;
    t->s[j] = size > 0.0 ? h[j + 1] / size : 0.0;
    h[j] = size;
    t->rhs[j + 1] = -t->s[j] * t->rhs[j];
    t->rhs[j] *= t->c[j];
}

// y (n) with H y = rhs
static void back_substitute(const Triangle* t, int n, double* y) {
    for (int i = n - 1; i >= 0; i--) {
        y[i] = t->rhs[i];
        for (int j = i + 1; j < n; j++) {
            y[i] -= t->H[j][i] * y[j];
        }
        y[i] = t->H[i][i] != 0.0 ? y[i] / t->H[i][i] : 0.0;
    }
}

// p (nla_g) with p - T p = p_0, which is in p; false: p_0 is as good
static bool solve_joints(const VelocityStep* step, double* const* basis, double* p) {
    const int n = step->sys->nla_g;
    Triangle t;
    const double size = sqrt(joint_product(step, p, p));
    if (!(size > 0.0) || !isfinite(size)) {
        return false;
    }
    t.rhs[0] = size;
    for (int i = 0; i < n; i++) {
        basis[0][i] = p[i] / size;
    }
    int m = 0;
    while (m < VELOCITY_JOINT_VECTORS && fabs(t.rhs[m]) > LEFT * size) {
        double* v = basis[m + 1];
        apply_T(step, basis[m], v);
        if (m == 0 && joint_product(step, v, v) <= NEGLIGIBLE * NEGLIGIBLE) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            v[i] = basis[m][i] - v[i];
        }
        orthogonalise(step, basis, m, t.H[m]);
        rotate(&t, m);
        m++;
    }
    double y[VELOCITY_JOINT_VECTORS];
    back_substitute(&t, m, y);
    memset(p, 0, (size_t)n * sizeof(double));
    for (int j = 0; j < m; j++) {
        add(n, y[j], basis[j], p);
    }
    return true;
}

// w->solution, the update by the factors, with what the joints' percussions displace
static void displace_by_joints(const VelocityStep* step) {
    const System* sys = step->sys;
    const VelocityScratch* m = step->m;
    const size_t size = (size_t)(sys->nu + sys->nla_g) * sizeof(double);
    double* x = step->w->solution;
    double* basis[VELOCITY_JOINT_VECTORS + 1];
    for (int i = 0; i <= VELOCITY_JOINT_VECTORS; i++) {
        basis[i] = m->joint_basis + (ptrdiff_t)i * sys->nla_g;
    }
    double* p = m->joint_basis + (ptrdiff_t)(VELOCITY_JOINT_VECTORS + 1) * sys->nla_g;
    double* x_0 = p + sys->nla_g;
    for (int i = 0; i < sys->nla_g; i++) {
        p[i] = -x[sys->nu + i];
    }
    memcpy(x_0, x, size);
    if (!solve_joints(step, basis, p)) {
        memcpy(x, x_0, size);
        return;
    }
    solve_for_joints(step, p, x);
    add(sys->nu, 1.0, x_0, x);
    for (int i = 0; i < sys->nla_g; i++) {
        x[sys->nu + i] = -p[i];
    }
}

// --- contacts ---

void velocity_add_percussions(const VelocityStep* step, double sign) {
    const ContactSet* set = &step->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const int n = contact_law_rows(&active->form);
        double P[LAW_MAX_ROWS];
        for (int r = 0; r < n; r++) {
            P[r] = sign * set->P[active->row + r];
        }
        delassus_add(step->sys, active, n, P, step->w->solution);
    }
}

void velocity_solve_displaced(const VelocityStep* step) {
    const Workspace* w = step->w;
    for (int i = 0; i < w->contacts.n; i++) {
        const ActiveLaw* active = &w->contacts.active[i];
        double P[LAW_MAX_ROWS] = {0.0};
        memcpy(P, w->contacts.P + active->row,
               (size_t)contact_law_rows(&active->form) * sizeof(double));
        active_add(active, P, w->solution);
    }
    newton_matrix_solve(step->sys, w->matrix, w->solution);
    if (step->m->joint_basis != NULL) {
        displace_by_joints(step);
    }
}

Status velocity_fill_displaced(const VelocityStep* step, DelassusOptions options) {
    Workspace* w = step->w;
    const VelocityScratch* m = step->m;
    Status status = delassus_fill_columns(step->sys, w->matrix, options, &w->contacts, &w->pool);
    for (int i = 0; i < w->contacts.n && status == STATUS_OK; i++) {
        const ActiveLaw* active = &w->contacts.active[i];
        for (int r = 0; r < contact_law_rows(&active->form) && status == STATUS_OK; r++) {
            double unit[LAW_MAX_ROWS] = {0.0};
            unit[r] = 1.0;
            memset(m->jump, 0, (size_t)step->sys->nu * sizeof(double));
            active_add(active, unit, m->jump);
            displaced_force(step, m->jump, m->change);
            status = delassus_add_to_column(step->sys, w->matrix, active, r, m->change, &w->pool);
        }
    }
    if (status == STATUS_OK) {
        status = delassus_finish_columns(step->sys, w->matrix, options, &w->contacts, &w->pool);
    }
    if (status == STATUS_OK) {
        velocity_add_percussions(step, -1.0);
    }
    return status;
}
