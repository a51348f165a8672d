// One step of the nonsmooth generalized-alpha scheme: what its files share.
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
// alone, by factors of dt, but for friction on stiff bodies (alpha_levels.c).
#pragma once

#include "schemes/scheme.h"
#include "schemes/settings.h"

typedef enum Level { POSITION, VELOCITY, ACCELERATION, N_LEVELS } Level;

// GA's sets A (closed), B (pressing or in persistent contact), D^st (sticking)
enum { IN_A = 1, IN_B = 2, IN_D_ST = 4 };

// What the scheme keeps from step to step, in State.own and, by record, in State.own_contact.
typedef struct AlphaOwn {
    double* n_smooth;      // (1) steps since a contact changed its state or there was an impact
    double* dt;            // (1) the last step: differences over it are of use for one as long
    double* a;             // (nu) accelerations
    double* a_bar;         // (nu) GA (71)
    double* a_change;      // (nu) change over the last step, and that of it over the step before:
    double* a_bend;        // (nu) a first guess for the next
    double* la_g_bar;      // (nla_g) GA (96), (114)
    double* la_g_change;   // (nla_g)
    double* la_g_bend;     // (nla_g)
    double *Q, *Q_change;  // (nu) of the last step, and the change since the one before
    double *U, *U_change;  // (nu)
    double *kappa_g, *kappa_g_change;  // (nla_g)
    double* La_g_change;               // (nla_g) La_g itself is in the state
} AlphaOwn;
typedef struct AlphaContact {
    double la_bar[CONTACT_MAX_ROWS];
    double la_change[CONTACT_MAX_ROWS];
    double la_bend[CONTACT_MAX_ROWS];
    double kappa[CONTACT_MAX_ROWS];
} AlphaContact;
// alpha_state.c
AlphaOwn alpha_own(const System* sys, const State* s);
AlphaContact* alpha_contact(const State* s, long long record);

enum { ALPHA_ARRAYS_OF_LAWS = N_LEVELS + 4 };  // in AlphaScratch.forces_n

// What the friction force of a law has done in the passes of a step, alpha_levels.c
typedef enum ForceCourse { FORCE_UNKNOWN, FORCE_FOLLOWS, FORCE_BOUND } ForceCourse;

// Arrays of pointers are by level. "All rows" are those of all laws of the system, "rows" those of
// the active ones.
typedef struct AlphaScratch {
    Instant end;     // at (t_1, q_1, u_1)
    double* q_base;  // (nq) GA (125) without what B(q_0) multiplies
    double* w_0;     // (nu) displacement but for x[POSITION]
    double* u_star;  // (nu) velocity but for x[VELOCITY]
    double* h;       // (nu)
    double* d;       // (nu) a displacement
    // the iterate
    double* z;  // (n_z) x, mu_g and mu of all levels, in this order
    int n_z;
    double* x[N_LEVELS];       // (nu) beta' a + Q, gamma' a + U, a
    double* mu_g[N_LEVELS];    // (nla_g) kappa_g + beta' la_g, La_g + gamma' la_g, la_g
    double* mu[N_LEVELS];      // (all rows) kappa_hat, P, la
    double* offset[N_LEVELS];  // (all rows) what the forces before have in kappa_hat and P
    // of passes, for their acceleration
    double* z_before;  // (n_z) at the start of the last two passes ...
    double* z_after;   // (n_z) ... and at the end of the one before
    double* change;    // (n_z) that it made
    // at the iterate
    double* rate[N_LEVELS];    // (rows) g_N, xi, second derivatives
    double* rate_g[N_LEVELS];  // (nla_g) g, g_dot, g_ddot of joints
    double* gamma_n;           // (rows) velocities before the step along the rows at its end
    double* mobility;          // (rows) W^T M^-1 W, M's diagonal
    double* G_M;               // (all rows) the same with M and joints, when last known; 0: not yet
    double* parts;             // (rows) of M in the contact problem of velocity level, if not 1
    double* unit_g;            // (nla_g) 1 / sqrt(W^T M^-1 W) of the joints at the first guess
    double* r[N_LEVELS];       // (nu) residuals of the equations of motion
    unsigned* sets;            // (active laws) GA's sets that each is in
    // at the start of the step, by law
    double* forces_n;         // (ALPHA_ARRAYS_OF_LAWS x all rows) offset and the four that follow
    double *la_n, *la_bar_n;  // (all rows)
    double* la_change_n;      // (all rows)
    double* slip;             // (all rows) directions of sliding that are kept; 0: none yet
    ContactState* state_n;    // (n_laws)
    ForceCourse* course;      // (n_laws)
    bool* considered;         // (n_laws) the law is active in the step
} AlphaScratch;

typedef struct AlphaStep {
    const System* sys;
    const StepInput* in;
    double dt;
    const State* s;  // at the start of the step
    AlphaOwn own;    // likewise
    Workspace* w;
    AlphaScratch* alpha;
    // GA (70)-(72): coefficients of the new auxiliary values, and of what their old ones and the
    // old values contribute to integrals and double integrals over the step
    double of_bar, of_old, of_new;
    double integral_of_bar, integral_of_old, double_of_bar, double_of_old;
    double weight[N_LEVELS];    // of h: beta', gamma', 1
    double unit[N_LEVELS];      // turns a level's errors into those of velocities
    bool stiff;                 // d(W_g mu_g)/dq is part of the position level's matrix
    double energy_n;            // kinetic energy at the start
    double rounding;            // of gaps, which come from positions
    double force_rounding;      // of h, in the norm of M^-1; 0: not asked for
    double scale;               // a velocity in the norm of M to which errors are relative
    double visible_scale;       // the same for the violation of joints and gaps
    double most_scale;          // errors are relative to no more: an iterate may have run away
    double residual[N_LEVELS];  // relative, when last looked at
    bool known[N_LEVELS];       // alpha->r of the level is at the iterate
    bool solved[N_LEVELS];      // the contact problem of the level has been solved in this step
    bool zeta_known;            // so are the rates of acceleration level
    bool yields;                // bodies are stiff against what friction displaces, alpha_levels.c
    bool keep_slip;             // directions of sliding stay while they are accurate enough
    bool keep_closed;           // laws that are in A stay there
    bool impulsive;             // contacts have no forces in this step, but impulses alone
} AlphaStep;

// First row of an active law among all rows; its rows are numbered alike among the active.
static inline int alpha_first_row(const ActiveLaw* active) { return active->link->la.at; }

// GA (71), (96), (114) solved for the new auxiliary value
static inline double alpha_next_bar(const AlphaStep* step, double bar, double old, double value) {
    return step->of_bar * bar + step->of_old * old + step->of_new * value;
}
// GA (70) with the new value left out: what has been before contributes to velocities
static inline double alpha_integral(const AlphaStep* step, double bar, double old) {
    return step->integral_of_bar * bar + step->integral_of_old * old;
}

// --- alpha_predict.c ---

// GA (72), and the weights of the levels
void alpha_set_coefficients(AlphaStep* step);
// Start value: accelerations and forces go on as in the last steps.
void alpha_predict(const AlphaStep* step);
// Its defect on position level, evaluated, relative to what the step would move without forces. The
// accelerations of stiff bodies alternate after an impact, and a guess with them may turn the cross
// sections of a beam by radians, from where Newton's method does not come back.
double alpha_guess_defect(AlphaStep* step);
// A guess for such steps: positions stay as they are, by accelerations.
void alpha_predict_rest(AlphaStep* step);

// --- alpha_evaluate.c ---

// Laws that may act without having closed first become active: friction in joints, and contacts
// with forces in this step or before.
void alpha_choose_laws(AlphaStep* step);
// Contacts that have closed at q_1 become active, too, and all rows are evaluated anew. Have any?
bool alpha_close_contacts(AlphaStep* step);
// What of the iterate has changed since the last evaluation, and what is wanted of it.
typedef struct Evaluation {
    bool first;   // of a step
    bool moved;   // q_1; otherwise u_1 alone
    bool forces;  // are wanted anew
    bool zeta;    // the rows' second derivatives are wanted; they always are if q_1 has not moved
} Evaluation;
// Everything at the iterate: q_1 of GA (125) and u_1 of (73) from x, and what follows from them
void alpha_evaluate(AlphaStep* step, Evaluation what);
// Rates of acceleration level alone, the others being as they were.
void alpha_acceleration_rates(AlphaStep* step);
// The sets of the active laws at the iterate.
void alpha_sets(AlphaStep* step);
// GA (133), (139) for P and xi of a law's rows, G its mobilities.
unsigned alpha_velocity_sets(const AlphaStep* step, const ContactLaw* law, const double* P,
                             const double* xi, const double* G);

// --- alpha_residual.c ---

// scale from the forces and velocities at the iterate
void alpha_update_scale(AlphaStep* step);
// What counts as zero velocity of a row, given its mobility W^T M^-1 W
double alpha_negligible(const AlphaStep* step, double G);
// The law of active law i on one level; no rows if it is not on this level.
ContactLaw alpha_level_law(const AlphaStep* step, Level level, int i);
// (nu) M x - weight h - W_g mu_g - W (mu - offset) at the iterate, GA (74), (78), (80)
const double* alpha_dynamics(AlphaStep* step, Level level);
// Relative residual of the equations and laws of one level, or of all from one on, at the iterate.
// info: takes note of what has it, unless it is NULL.
double alpha_level_residual(AlphaStep* step, Level level, SolveInfo* info);
double alpha_residual(AlphaStep* step, Level first, SolveInfo* info);

// --- alpha_levels.c ---

// Newton update of one level: x, mu_g and mu, by the solution of its contact problem. On position
// level x is moved so that the frames at q_1 are displaced by the solution.
// Does any of the active laws have friction?
bool alpha_has_friction(const ContactSet* set);
MUST_CHECK Status alpha_solve_level(AlphaStep* step, Level level, SolveInfo* info);

// --- alpha_commit.c ---

// The iterate becomes the state.
void alpha_commit(const AlphaStep* step, State* s, SolveInfo* info);
