// Time-stepping schemes: they know the System and nothing of its elements. A scheme is one value;
// the list of them (settings.c) makes the enumeration solver.scheme, its documentation and the
// dispatch.
#pragma once

#include "base/quantity.h"
#include "schemes/workspace.h"

// What is tried in turn: Newton's method, then with shortened updates, in the whole step and in its
// halves; and once more in the whole step, taking rows that nearly depend on others for dependent
// and accepting a larger residual.
typedef enum Attempt { ATTEMPT_FIRST, ATTEMPT_DAMPED, ATTEMPT_LAST } Attempt;

// The part of its way that an update goes.
static inline double step_damping(Attempt attempt) { return attempt == ATTEMPT_FIRST ? 1.0 : 0.5; }

// One step, or the start of a motion: from time t to t_1, of length dt.
typedef struct StepInput {
    const System* sys;
    double t, t_1, dt;
    const double* u_start;  // (nu) velocities right after t: the state's, unless prescribed motions
                            // jump at t
    Attempt attempt;
    const bool* inelastic;  // (n_contacts) these have no restitution in this step; NULL: all have
    const bool* held_open;  // (n_contacts) these do not act in this step, whatever their gaps:
                            // where they close is being looked for (impact.h); NULL: none
    Workspace* w;
} StepInput;

static inline bool step_is_inelastic(const StepInput* in, int contact) {
    return in->inelastic != NULL && in->inelastic[contact];
}

static inline bool step_holds_open(const StepInput* in, int contact) {
    return in->held_open != NULL && in->held_open[contact];
}

// e_N or e_F of row r of a law, p being the parameters of the system
double step_law_restitution(const StepInput* in, const double* p, int law, int r);
double step_restitution(const StepInput* in, const double* p, const ActiveLaw* active, int r);

// The joints and contacts that are violated most.
enum { N_WORST = 3 };
typedef struct WorstLink {
    const Link* link;  // NULL: there is none
    double residual;
    // of the link as it was: those of contacts that are found may be numbered anew since
    const Element* element;
    const char* name;
    FoundId id;
} WorstLink;

typedef struct SolveInfo {
    int iterations;                                    // Newton updates of the step
    int contact_iterations;                            // of the contact solver
    int projection_iterations, activation_iterations;  // of projected schemes
    bool regularised;          // a contact problem had dependent force directions
    bool swept;                // a contact problem was not solved by Newton's method
    bool inexact;              // accepted above the tolerance: its error is small for the user
    bool unsolvable;           // the laws of some contacts have no solution
    double residual;           // relative, on the laws of the step
    WorstLink worst[N_WORST];  // where it is largest, in descending order
    double impact_work;        // of applied forces along displacements that an impact makes at once
    bool impact;               // some contact closed faster than the forces of a step explain
    bool knows_work;           // Workspace.work is that of all laws that have a record
} SolveInfo;

typedef struct Scheme {
    EnumerationItem item;  // name and help
    // What it keeps from step to step: its own part of the state.
    StateRoom (*room)(const System* sys);
    // Its scratch, from the arena; schemes with the same function share it. STATUS_OUT_OF_MEMORY.
    Status (*create)(const System* sys, const Properties* properties, Arena* arena, void** scratch);
    // What of the scratch depends on the parameters p, for steps to come; between steps, as often
    // as one likes. STATUS_OUT_OF_MEMORY, STATUS_TOO_LARGE. NULL: nothing.
    Status (*prepare)(const double* p, Arena* arena, void* scratch);
    // Frees what is not the arena's, before that is freed. NULL: there is nothing.
    void (*destroy)(void* scratch);
    // Its own part of the state at the start of a motion. q, u, contact states and forces are
    // there; a (nu): accelerations.
    void (*start)(const StepInput* in, const double* a, State* s, void* scratch);
    // Inputs or parameters have jumped: a (nu), la_g (nla_g) and the workspace's contacts.P are
    // accelerations and forces right after it, which the motion goes on from. NULL: the scheme
    // keeps none of them.
    void (*jump)(const StepInput* in, const double* a, const double* la_g, State* s, void* scratch);
    // Its step takes jumps of prescribed velocities by itself: those right after a jump are not
    // solved for before it.
    bool takes_jumps;
    // It tells the work of all of its laws (Workspace.work), and needs neither gaps nor velocities
    // of laws at the start from the workspace: they are evaluated where somebody asks for them.
    bool knows_work;
    // Where a step is divided because bodies could pass through each other, the part after it makes
    // the impact, to the scheme's own tolerance: the laws of impact are not solved apart.
    bool makes_impacts;
    // A step of it may add energy where bodies turn while contacts press: then it is divided.
    bool guards_energy;
    // One internal step. On success s is the state at t_1, and the workspace's g_N and gamma are
    // those of s, or not known; otherwise s is as it was. STATUS_NO_ROOM: the workspace's pool has
    // to grow.
    Status (*step)(const StepInput* in, State* s, void* scratch, SolveInfo* info);
    // The joint or contact that it cannot take with parameters p, and why; NULL: it can take all.
    // NULL: as do others.
    const Element* (*refuses)(const System* sys, const double* p, const char** why);
} Scheme;

// In the order of solver.scheme, which counts from 1.
extern const Scheme schemes[];
extern const int n_schemes;

// The most that any of them keeps.
StateRoom schemes_room(const System* sys);

// When an iteration ends: at the tolerance; or, where it makes no more progress, at an error that
// is small against what the user sees.
typedef struct Convergence {
    double tolerance;
    double inexact;  // the residual up to which a step is accepted where there is no more progress
    int maximum;     // updates
    double best;     // residual so far
    int n_idle;      // checks since there was progress
} Convergence;
typedef enum Verdict { GO_ON, SOLVED, SOLVED_INEXACTLY, NOT_SOLVED } Verdict;
Verdict convergence_check(Convergence* convergence, double residual, int iterations);
// Of n doubles
static inline size_t bytes(int n) { return (size_t)n * sizeof(double); }
// Of two numbers; the second one if one of them is none. fmax is a call.
static inline double larger(double a, double b) { return a > b ? a : b; }
// An error relative to a scale; a whole one where there is no motion yet to compare it with.
static inline double relative_error(double error, double scale) {
    return scale > 0.0 ? error / scale : error > 0.0 ? 1.0 : error;
}
// From the parameters par (N_SOLVER) of <solver>, settings.h: how a step's iteration and its
// contact problems end.
Convergence solver_convergence(const double* par, Attempt attempt);
ContactSolverOptions solver_contact_options(const double* par);
// STATUS_OK if it is solved.
MUST_CHECK Status verdict_status(Verdict verdict, double residual);

// Takes note of the residual of a joint or contact if it is among the largest: each of them once.
void solve_info_note(const Link* link, double residual, SolveInfo* info);
// Takes an error into the worst of all; NaN is larger than any other. info: takes note of the link
// that has it, unless it is NULL.
void solve_info_worsen(double error, const Link* link, double* worst, SolveInfo* info);
// Forgets what was taken note of; makes it relative to a scale.
void solve_info_clear(SolveInfo* info);
void solve_info_scale(double scale, SolveInfo* info);
// Adds what contact problems have taken, and tells the contact where laws without a solution are
// violated most. Whether a problem that was not solved is good enough is for the residual to tell,
// unless there is no solution: the status with which the step goes on.
MUST_CHECK Status solve_info_judge(const ContactSet* set, const PercussionInfo* contacts,
                                   Status status, const Convergence* convergence, SolveInfo* info);
// Of a step that was solved: is an active contact closed at its end? Closed contacts press on each
// other and do not part faster than the forces of half a step can bring them together again; an
// impact is a closing speed beyond the same measure, which is taken note of. before and free: its
// velocity at the start, and at the end without percussions; small: a velocity in the norm of
// energy that counts as zero.
bool contact_is_closed(const ContactSet* set, ActiveLaw* active, double before, double free,
                       double small, SolveInfo* info);
