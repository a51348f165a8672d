// One step of the Lobatto IIIA-IIIB scheme (LO): what its files share.
//
// With X_j = M^-1 F_j, LO (47) is, for constant masses,
//   M X_j = dt h(t_j, Q_j, V_j) + W_g(Q_j) R_g,j + W(Q_j) R_j          (47f)  j = 1 ... s
//   V_i = u_n + sum over j < s of a_hat_ij X_j                         (47d)
//   Q_i = q_n + dt sum over j of a_ij q'(Q_j, V_j)                     (47c)
//   u_1 = u_n + sum over j of b_j X_j,  q_1 = Q_s                      (47a), (47b)
// The last column of a_hat is zero: the stages follow from X_1 ... X_n, n = s - 1, alone, with the
// joints and laws at stages 2 ... s, (50) to (52), (57). R_s does not move them, and fulfils the
// joints and the impact laws on velocities at the end, (50), (51), (56), (58), for
// Delta P = sum of b_j R_j: one contact problem as that of an impact at q_1.
#pragma once

#include "contacts/stage_percussions.h"
#include "schemes/lobatto_tableau.h"
#include "schemes/scheme.h"
#include "schemes/settings.h"

// What the scheme keeps from step to step, in State.own and, by record, in State.own_contact: X_j,
// R_g,j and R_j of the last step over its length, a first guess for the next.
typedef struct LobattoOwn {
    double* dt;                // (1) of the last step; 0: it is no guess
    double* omega;             // (1) highest frequency (system/frequency.h), as of the last jump
    double* a[STAGES_MAX];     // (nu)
    double* la_g[STAGES_MAX];  // (nla_g)
} LobattoOwn;
typedef struct LobattoContact {
    double la[STAGES_MAX][CONTACT_MAX_ROWS];
} LobattoContact;

typedef struct LobattoScratch {
    const System* sys;
    Stages tableau[STAGES_MAX + 1];  // by number of stages, from 2 on
    Instant stages[STAGES_MAX];
    JointSet own_joints[STAGES_MAX_FORCES];  // rows at the stages but the last, whose are the
    ContactSet own_sets[STAGES_MAX_FORCES];  // workspace's
    StageMatrix* matrix[STAGES_MAX + 1];     // by number of stages; NULL: not used yet
    double* h[STAGES_MAX];                   // (nu)
    double* X[STAGES_MAX];                   // (nu) iterate
    double* R_g[STAGES_MAX];                 // (nla_g) iterate
    double* R[STAGES_MAX];                   // (nla_c) iterate, by rows of all laws
    double* r[STAGES_MAX_FORCES];            // (nu) residuals of the dynamics but for W R
    double* solution;                        // (STAGES_MAX_FORCES (nu + nla_g))
    double* sum;                             // (nu)
    double* solve;                           // (SYSTEM_MASS_SCRATCH * nu)
    bool* considered;                        // (n_laws) the law is active in the step
    bool* slides;                            // (n_laws) it slides, in a direction that may turn
} LobattoScratch;

typedef struct LobattoStep {
    const System* sys;
    const StepInput* in;
    double dt;
    const State* s;  // at the start of the step
    LobattoOwn own;  // likewise
    Workspace* w;
    LobattoScratch* m;
    const Stages* stages;
    StageMatrix* matrix;
    const JointSet* joints[STAGES_MAX];  // rows at the stages
    ContactSet* sets[STAGES_MAX];        // active laws, alike at all stages; the last: Delta P
    double energy_n;                     // kinetic energy at the start
    double scale;                        // a velocity in the norm of M to which errors are relative
    double place_rounding;               // of positions
    double force_rounding;               // of forces, in the norm of M^-1; 0: not asked for
    bool evaluated;  // the first stage and forces that do not depend on the motion are known
} LobattoStep;

// --- lobatto_state.c ---

// Of an oscillator with angular frequency omega the scheme is stable up to omega dt of this, by
// number of stages: where the trace of its matrix leaves [-2, 2]
double lobatto_stable(int n_stages);
LobattoOwn lobatto_own(const System* sys, const State* s, int n_stages);
LobattoContact* lobatto_contact(const State* s, long long record);

// --- lobatto_evaluate.c ---

// X, R_g and R go on as polynomials through the stages of the last step.
void lobatto_predict(const LobattoStep* step);
// Laws that may act without having closed first become active: friction in joints, and contacts
// that were closed.
void lobatto_choose_laws(LobattoStep* step);
// Contacts that have closed at a stage become active, too, and their rows are evaluated. Have any?
bool lobatto_close_contacts(LobattoStep* step);
// Everything at all stages of the iterate: (47c), (47d) and what follows from them
void lobatto_evaluate(LobattoStep* step);
// The laws of the stages
StageProblem lobatto_problem(const LobattoStep* step, const PercussionTask* task);
// M X_j - dt h_j - W_g R_g into m->r
void lobatto_dynamics(LobattoStep* step);

// --- lobatto_newton.c ---

// The stages: (47), (50) to (52), (57)
MUST_CHECK Status lobatto_iterate(LobattoStep* step, SolveInfo* info);
// The end of the step: u_1, which becomes the last stage's velocity, and Delta P: (47b), (50),
// (51), (56), (58)
MUST_CHECK Status lobatto_end(LobattoStep* step, SolveInfo* info);
// Relative residual of the stages. info: takes note of what has it, unless it is NULL.
double lobatto_residual(LobattoStep* step, SolveInfo* info);

// --- lobatto_commit.c ---

// The state at the end.
void lobatto_commit(const LobattoStep* step, State* s, SolveInfo* info);
