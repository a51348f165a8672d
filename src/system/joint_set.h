// The rows of all joints at an instant, in the velocities of the system.
#pragma once

#include "system/instant.h"
#include "system/system.h"

typedef struct JointRows {
    double g[MAX_ROWS];     // zero for rows on velocity level
    double zeta[MAX_ROWS];  // what of the second derivatives does not come from accelerations
    double* W;              // (coupling.n x la.n)
} JointRows;

typedef struct JointSet {
    JointRows* joints;  // (n_joints)
    double* g_dot;      // (nla_g) velocities of the rows
} JointSet;

// STATUS_OUT_OF_MEMORY if the arena is exhausted.
MUST_CHECK Status joint_set_create(const System* sys, Arena* arena, JointSet* set);

// zeta only if wanted.
void joint_set_evaluate(const System* sys, const Instant* instant, bool zeta, JointSet* set);
// g_dot and zeta after the velocities of the instant alone have changed.
void joint_set_evaluate_velocities(const System* sys, const Instant* instant, JointSet* set);

// In the plane, does a joint make two points coincide? Its rows 0 and 1 have, for the rotation of
// each frame, the components of z x R rho; turning the frame turns this by a right angle: (w_0,
// w_1) becomes (-w_1, w_0). No frame changes the other's forces.
static inline bool joint_is_pin(const Instant* instant, const Link* joint) {
    return joint->rows->pins && instant->properties->planar && joint->coupling.column != NULL;
}

// y += alpha W_g mu, mu (nla_g)
void joint_set_add(const System* sys, const JointSet* set, double alpha, const double* mu,
                   double* y);
// y (la.n) = W^T x of one joint
void joint_rows_dot(const Link* joint, const JointRows* rows, const double* x, double* y);
// W^T M^-1 W of row r of a joint, M's diagonal: the square of the velocity that unit energy could
// give it
double joint_rows_mobility(const Link* joint, const JointRows* rows, int r,
                           const double* M_diagonal);
// What row r of a joint measures where bodies are moved by a length or turned by a radian
double joint_rows_size(const Link* joint, const JointRows* rows, int r, double length);

// How much d(W_g mu_g)/dq is against the mass matrix, roughly: the largest ratio of mu_g times the
// arm of a row to the inertia about it, or the first one above enough
double joint_set_stiffness(const System* sys, const JointSet* set, const double* mu_g,
                           const double* M_diagonal, double enough);
