// One step of the nonsmooth generalized-alpha scheme: what its three files share.
//
// GA's unknowns a, U, Q and their multipliers are used in sums, one per kinematic level, in which
// the contact laws are written (GA (95), (102), (113)). With a_bar_1 = ... + a_1 c, GA (71), and
// gamma' = dt gamma c, beta' = dt^2 beta c:
//   position      x = beta' a + Q   mu = kappa_hat = k_0 + beta' la + kappa   rate g_N
//   velocity      x = gamma' a + U  mu = P = p_0 + gamma' la + La             rate xi_N, xi_F
//   acceleration  x = a             mu = la                                   rate g_N'', gamma_F'
// (k_0, p_0: the parts of forces before.) GA (74), (78), (80) then are, level by level,
//   M x = weight h + W_g mu_g + W (mu - offset),   weight = beta', gamma', 1
// the same saddle-point problem with its own contact laws, (101), (94) and (112), (87) and (117).
// On the position level friction and joints on velocity level act by
//   kappa = dt/2 La + beta' la = dt/2 (P - p_0) + (beta' - dt/2 gamma') la.
// Each level depends on those above it through q_1 and u_1; they act back through h and friction
// alone, by factors of dt.
#pragma once

#include "schemes/contact_assembly.h"

// GA's sets A (closed), B (pressing or in persistent contact), D^st (sticking)
enum { IN_A = 1, IN_B = 2, IN_D_ST = 4 };

typedef struct AlphaStep {
    const System* sys;
    double t_1, dt, damping;
    const State* s;  // at the start of the step
    Workspace* w;
    // GA (70)-(72): coefficients of the new auxiliary values, and of what their old ones and the
    // old values contribute to integrals and double integrals over the step
    double of_bar, of_old, of_new;
    double integral_of_bar, integral_of_old, double_of_bar, double_of_old;
    double weight[N_LEVELS];    // of h: beta', gamma', 1
    double unit[N_LEVELS];      // turns a level's errors into those of velocities
    int m;                      // rows of the active laws
    double energy_n;            // kinetic energy at the start
    double rounding;            // of gaps, which come from positions
    double scale;               // a velocity in the norm of M to which errors are relative
    double seen_scale;          // the same for the violation of joints and gaps
    double residual[N_LEVELS];  // relative, at the last evaluation
    bool known[N_LEVELS];       // w->alpha.r of the level is at the iterate
    bool factored;              // w->saddle holds the factors of M + k dh/dq + d dh/du
    double k, d;                // of these
    bool positions_only;        // bordered by the joints on position level alone
    bool delassus;              // w->V and w->G are those of this matrix ...
    bool normals_only;          // ... in the normal rows alone
} AlphaStep;

// Of two numbers; the second one if one of them is none.
static inline double larger(double a, double b) { return a > b ? a : b; }

// First row of active law i among all rows of laws; its rows are numbered alike among the active.
static inline int alpha_first_row(const AlphaStep* step, int i) {
    return step->sys->laws[step->w->active[i]].la.at;
}

// scale from the forces and velocities at the iterate
void alpha_update_scale(AlphaStep* step);
// What counts as zero velocity of a row, given its mobility W^T M^-1 W
double alpha_negligible(const AlphaStep* step, double G);
// Rates of position and velocity level at the iterate, from the rows in w; moved: q_1 is another
// one than the last time, or the active laws are.
void alpha_rates(AlphaStep* step, bool moved);
// Those of acceleration level alone, the others being as they were.
void alpha_acceleration_rates(AlphaStep* step);
// The sets of the active laws at the iterate.
void alpha_sets(AlphaStep* step);
// GA (133), (139) for P and xi of a law's rows, G its mobilities.
unsigned alpha_velocity_sets(const AlphaStep* step, const ContactLaw* law, const double* P,
                             const double* xi, const double* G);
// The law of active law i on one level; its rows are the first ones of law i.
ContactLaw alpha_level_law(const AlphaStep* step, Level level, int i);
// Is active law i on this level, or are its mu zero?
bool alpha_holds(const AlphaStep* step, Level level, int i);
// (nu) M x - weight h - W_g mu_g - W (mu - offset) at the iterate, GA (74), (78), (80)
const double* alpha_dynamics(AlphaStep* step, Level level);
// Relative residual of all equations and laws at the iterate.
double alpha_residual(AlphaStep* step);
// Newton update of one level: x, mu_g and mu, by the solution of its contact problem. On position
// level x is moved so that the frames at q_1 are displaced by the solution.
MUST_CHECK Status alpha_solve_level(AlphaStep* step, Level level, SolveInfo* info);
