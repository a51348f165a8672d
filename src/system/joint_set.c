#include "system/joint_set.h"

#include <math.h>
#include <string.h>

Status joint_set_create(const System* sys, Arena* arena, JointSet* set) {
    *set = (JointSet){.joints = ARENA_NEW(arena, sys->n_joints, JointRows),
                      .g_dot = ARENA_NEW(arena, sys->nla_g, double)};
    if (set->joints == NULL || set->g_dot == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        set->joints[i].W = ARENA_NEW(arena, joint->coupling.n * joint->la.n, double);
        if (set->joints[i].W == NULL) {
            return STATUS_OUT_OF_MEMORY;
        }
    }
    return STATUS_OK;
}

void joint_set_evaluate(const System* sys, const Instant* instant, bool zeta, JointSet* set) {
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        JointRows* to = &set->joints[i];
        Rows rows;
        system_rows(instant, joint, zeta, &rows);
        system_row_velocities(instant, joint, &rows, set->g_dot + joint->la.at);
        system_link_matrix(instant, joint, &rows, joint->la.n, joint->la.n, to->W);
        memcpy(to->g, rows.g, (size_t)joint->la.n * sizeof(double));
        if (zeta) {
            memcpy(to->zeta, rows.zeta, (size_t)joint->la.n * sizeof(double));
        }
    }
}

void joint_set_evaluate_velocities(const System* sys, const Instant* instant, JointSet* set) {
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        Rows rows;
        system_rows(instant, joint, true, &rows);
        system_row_velocities(instant, joint, &rows, set->g_dot + joint->la.at);
        memcpy(set->joints[i].zeta, rows.zeta, (size_t)joint->la.n * sizeof(double));
    }
}

// y += alpha W (f_0, f_1) of a joint with two rows, as most in the plane have
static inline void add_two(const Coupling* coupling, const double* W, double alpha, const double* f,
                           double* y) {
    const double f_0 = f[0], f_1 = f[1];
    for (int k = 0; k < coupling->n; k++, W += 2) {
        y[coupling->u[k]] += alpha * (W[0] * f_0 + W[1] * f_1);
    }
}

void joint_set_add(const System* sys, const JointSet* set, double alpha, const double* mu,
                   double* y) {
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        const double* W = set->joints[i].W;
        const double* f = mu + joint->la.at;
        if (joint->la.n == 2) {
            add_two(&joint->coupling, W, alpha, f, y);
            continue;
        }
        for (int k = 0; k < joint->coupling.n; k++) {
            double sum = 0.0;
            for (int r = 0; r < joint->la.n; r++) {
                sum += *W++ * f[r];
            }
            y[joint->coupling.u[k]] += alpha * sum;
        }
    }
}

void joint_rows_dot(const Link* joint, const JointRows* rows, const double* x, double* y) {
    const double* W = rows->W;
    if (joint->la.n == 2) {
        double sum_0 = 0.0, sum_1 = 0.0;
        for (int k = 0; k < joint->coupling.n; k++, W += 2) {
            const double x_k = x[joint->coupling.u[k]];
            sum_0 += W[0] * x_k;
            sum_1 += W[1] * x_k;
        }
        y[0] = sum_0;
        y[1] = sum_1;
        return;
    }
    for (int r = 0; r < joint->la.n; r++) {
        y[r] = 0.0;
    }
    for (int k = 0; k < joint->coupling.n; k++) {
        const double x_k = x[joint->coupling.u[k]];
        for (int r = 0; r < joint->la.n; r++) {
            y[r] += *W++ * x_k;
        }
    }
}

double joint_rows_mobility(const Link* joint, const JointRows* rows, int r,
                           const double* M_diagonal) {
    double G = 0.0;
    for (int k = 0; k < joint->coupling.n; k++) {
        const double W = rows->W[k * joint->la.n + r];
        G += W * W / M_diagonal[joint->coupling.u[k]];
    }
    return G;
}

double joint_rows_size(const Link* joint, const JointRows* rows, int r, double length) {
    double size = 0.0;
    for (int k = 0; k < joint->coupling.n; k++) {
        const double unit = coupling_is_rotation(&joint->coupling, k) ? 1.0 : length;
        size = fmax(size, unit * fabs(rows->W[k * joint->la.n + r]));
    }
    return size;
}

double joint_set_stiffness(const System* sys, const JointSet* set, const double* mu_g,
                           const double* M_diagonal, double enough) {
    double largest = 0.0;
    for (int i = 0; i < sys->n_joints && !(largest > enough); i++) {
        const Link* joint = &sys->joints[i];
        const double* W = set->joints[i].W;
        for (int k = 0; k < joint->coupling.n; k++, W += joint->la.n) {
            if (!coupling_is_rotation(&joint->coupling, k)) {
                continue;
            }
            double sum = 0.0;
            for (int r = 0; r < joint->la.n; r++) {
                sum += fabs(W[r] * mu_g[joint->la.at + r]);
            }
            const double part = sum / M_diagonal[joint->coupling.u[k]];
            largest = part > largest ? part : largest;
        }
    }
    return largest;
}
