// One step on velocity level, the equations that schemes of this kind share. With the force h taken
// at the part theta of the step:
//   M (v - u_n - c) - kappa h(t_theta, q_theta, u_theta) = W_g P_g + W(q_1) P
//   q_1 = q_n moved by dt u_mean,  u_mean = u_0 + k v + k_W M^-1 (W_g P_g + W P)
//   g_dot(t_1, q_1, v) = 0,  U_1 = W^T(q_1) v
//   active laws:  the contact laws on U_1 + e U_n
// Moreau-Jean, PR (18a) to (18d): kappa = dt, k = theta, u_0 = (1-theta) u_n, c = 0, k_W = 0.
// Departing from PR, the percussions of joints act along their directions at q_theta instead of
// q_1: with theta = 1/2 they then do no work to second order, and motion with joints is of second
// order. With friction by the same inclusion on the tangential velocities, GA (112). Where
// prescribed motions jump at t, u_n in u_mean is the velocity right after that, and P_g has its
// impulse. Schemes of CH: generalized_alpha_velocity.c.
//
// Projected schemes move q_1 on to where joints and gaps hold, PR (56b).
//
// A scheme begins a step, chooses the active laws (activation.h), makes the first update with them,
// iterates, and commits.
#pragma once

#include "schemes/projection.h"
#include "schemes/scheme.h"

typedef struct VelocityScratch {
    Instant middle;       // at (t_theta, q_theta, u_theta)
    Instant end;          // at (t_1, q_1, v)
    JointSet directions;  // of the joints at q_theta
    double* h;            // (nu)
    double* r;            // (nu) residual of the dynamics but for W P
    double* change;       // (nu)
    double* u_0;          // (nu) what of u_mean is known before the step
    double* c;            // (nu) what of v - u_n is
    double* jump;         // (nu) M^-1 (W_g P_g + W P)
    double* solve;        // (SYSTEM_MASS_SCRATCH * nu)
    Projection projection;
    double *q_1, *q_theta;  // (nq) those of projected schemes without the displacement
    double* P_g;            // (nla_g) iterate
    int* redundant;   // (nla_g) rows of joints that depend on others, as found by the last factors
    int n_redundant;  // their number
    bool* counts;     // (nla_g) the others
    double* joint_basis;  // velocity_displaced.c: vectors (nla_g) and x (nu + nla_g), or NULL
} VelocityScratch;

typedef struct VelocityStep VelocityStep;

// Of schemes whose laws are on positions: v is the velocity between q_n and q_1.
typedef struct PositionLaws {
    const double* v_n;  // (nu) that of the last step
    double dt_n;        // its length
    double weight;      // u_1 = weight v + (1-weight) v_n
    // Puts the laws' rows, which the contact problem sees as velocities, in place of those of U_1
    // and g_dot.
    void (*evaluate)(const VelocityStep* step);
    void* scratch;  // the scheme's own
} PositionLaws;

// v, the iterate of u_1, is that of the instant at the end; P is that of the workspace's contacts.
struct VelocityStep {
    const System* sys;
    const StepInput* in;
    const State* s;  // at the start of the step
    Workspace* w;
    VelocityScratch* m;
    bool projects;         // q_1, where joints and gaps do not hold, PR (58) ...
    bool gaps_free;        // ... joints alone
    bool projects_active;  // ... gaps of active contacts alone, to 0 where they press, PR (68)
    const PositionLaws* positions;  // NULL: laws are on velocities
    bool linear;     // the dynamics have constant coefficients, velocity_step_is_linear ...
    bool placeless;  // ... and forces and masses take no regard to places
    double theta, kappa, k, k_W;
    double energy_n;  // kinetic energy of u_n
    double force;     // square of kappa M^-1 h in the norm of M, M's diagonal: an energy
    double scale_n;   // sqrt of an energy: the larger of u_n and dt M^-1 h at the first guess
    double scale;     // sqrt of an energy: the largest of u_n, v and dt M^-1 h in the norm of M
    double rounding;  // likewise, what rounding of forces leaves of the dynamics; 0: not asked for
    double last_change;  // of v, by the last update, in the norm of M, relative to the scale
    double residual;     // at the last iterate; 0: not known
    double unprojected;  // residual of positions that no displacement removes; 0: there is none
};

// --- velocity_step.c: its memory and its start ---

// What is kept from step to step, in State.own, where Newton's method has to iterate: the changes
// of velocities and of joints' percussions over the last step, and the changes of these, a first
// guess for the next.
typedef struct VelocityOwn {
    double* n_smooth;               // (1) steps without redundant rows since the start or an impact
    double* regular;                // (1) 1: no row of a joint depended on others in the last step
    double* contradict;             // (1) 1: since the start, such rows have contradicted others
    double *u_change, *u_bend;      // (nu)
    double *P_g_change, *P_g_bend;  // (nla_g)
} VelocityOwn;
StateRoom velocity_step_room(const System* sys);
VelocityOwn velocity_own(const System* sys, const State* s);
// Schemes without scratch of their own share it. STATUS_OUT_OF_MEMORY.
MUST_CHECK Status velocity_scratch_create(const System* sys, const Properties* properties,
                                          Arena* arena, void** scratch);
// No changes yet, at the start of a motion.
void velocity_step_start(const System* sys, State* s);
// With the coefficients of Moreau-Jean
VelocityStep velocity_step_begin(const StepInput* in, const State* s, double theta, void* scratch);
// Where forces are taken and the percussions of joints have their directions
static inline bool velocity_at_end(const VelocityStep* step) {
    return step->theta == 1.0 && step->positions == NULL;
}
static inline const Instant* velocity_forces_at(const VelocityStep* step) {
    return velocity_at_end(step) ? &step->m->end : &step->m->middle;
}
static inline const JointSet* velocity_directions(const VelocityStep* step) {
    return velocity_at_end(step) ? &step->w->joints : &step->m->directions;
}
// The dynamics have constant coefficients: no joints, and forces that do not depend on the motion.
bool velocity_step_is_linear(const System* sys);

// --- velocity_evaluate.c: the terms at an iterate ---

// q_theta and q_1 for the iterate; PR (56b) of projected schemes
void velocity_drift(const VelocityStep* step);
// Does nothing depend on places: are bodies in free flight, whose forces are constant?
static inline bool velocity_flies(const VelocityStep* step) {
    return step->linear && step->placeless && step->w->contacts.n == 0;
}
// Then v = u_n + c + kappa M^-1 h is known at once.
void velocity_fly(VelocityStep* step);
// Are places at q_theta wanted?
bool velocity_has_middle(const VelocityStep* step);
// Everything at the first guess and at a later iterate: forces that do not depend on the motion are
// then as they were.
void velocity_evaluate_guess(VelocityStep* step);
void velocity_evaluate(VelocityStep* step);
// That of it which follows from q_theta and from q_1 with the rows of its joints
void velocity_evaluate_terms(VelocityStep* step);
// e U_n of row r of an active law
double velocity_restitution(const VelocityStep* step, const ActiveLaw* active, int r);

// --- velocity_project.c: the displacement of q_1, of projected schemes alone ---

StateRoom velocity_projected_room(const System* sys);
// The displacement by the joints goes on as in the last steps, if these are smooth.
void velocity_project_guess(const VelocityStep* step, bool smooth);
// Moves q_1 and q_theta from where v leads by the displacement.
void velocity_displace(const VelocityStep* step);
// PR (58), or (60) with N = M^-1, where an update changes v by a part of a change (nu): with the
// matrix of (57) where that is near. STATUS_NO_ROOM and what the factorisation says.
MUST_CHECK Status velocity_project_update(const VelocityStep* step, double part,
                                          const double* change, SolveInfo* info);
// Do joints and gaps hold at q_1, or are they not projected? Otherwise: the projection, and the
// terms where it ends.
bool velocity_is_projected(const VelocityStep* step);
MUST_CHECK Status velocity_project(VelocityStep* step, SolveInfo* info);
// What the next guess is made of, n_smooth steps since the start or an impact
void velocity_project_keep(const VelocityStep* step, double n_smooth, State* s);

// --- velocity_residual.c ---

// Relative residual of the dynamics, beyond step->rounding, the joints and the laws at the iterate
// (v, P_g, P). info: takes note of what has it, unless it is NULL.
double velocity_residual(const VelocityStep* step, SolveInfo* info);
// Where a projection has ended: the same of the positions of joints and of gaps, as velocities
// over the step.
double velocity_position_residual(const VelocityStep* step, SolveInfo* info);

// --- velocity_newton.c: Newton's method ---

// Is the change of a quantity (n) so small against it that the next steps go on like the last?
// weights: those of the squares that are compared; NULL: all alike
bool velocity_is_steady(int n, const double* weights, const double* quantity, const double* change);

// From the first guess, with the laws that are active. STATUS_NO_ROOM, STATUS_NO_SOLUTION and what
// the factorisation says.
MUST_CHECK Status velocity_first_update(VelocityStep* step, SolveInfo* info);
// From an update to the tolerance; likewise, and STATUS_NO_CONVERGENCE.
MUST_CHECK Status velocity_iterate(VelocityStep* step, SolveInfo* info);

// --- velocity_displaced.c: what percussions displace, k_W, where forces follow ---

enum { VELOCITY_JOINT_VECTORS = 12 };  // of GMRES, at most
// Those (nla_g) of the scratch's joint_basis, 0: none, beside one (nu)
int velocity_joint_vectors(const System* sys);
// Does the step ask for it?
static inline bool velocity_displaces(const VelocityStep* step) {
    return step->k_W != 0.0 && step->sys->position_dependent;
}
// w->solution, the right-hand side of the dynamics and the joints: with the percussions of the
// iterate, whose displacement is in the forces, solved for
void velocity_solve_displaced(const VelocityStep* step);
// The columns of the contact problem; w->solution becomes that without the percussions of the
// iterate.
MUST_CHECK Status velocity_fill_displaced(const VelocityStep* step, DelassusOptions options);
// w->solution += sign times what the percussions of the active laws do
void velocity_add_percussions(const VelocityStep* step, double sign);

// --- velocity_commit.c ---

// q_1, v and the percussions become the state; STATUS_NOT_FINITE if they cannot.
MUST_CHECK Status velocity_commit(const VelocityStep* step, State* s, SolveInfo* info);
