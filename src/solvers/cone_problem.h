// Contact laws on a graph of bodies, without a matrix: the cone complementarity problem CC (10) and
// Coulomb's law itself, for many contacts.
//
//   xi_k = W_k^T (u + M^-1 sum_j W_j P_j) + b_k
//   relaxed:   K_k contains P_k, orthogonal to xi_k in the dual cone of K_k          CC (7), (10)
//   Coulomb:   the same of xi_k + mu_k |xi_F| e_N: Signorini's and Coulomb's laws
// with K_k = { |P_F| <= mu_k P_N }. Joints are part of M where bodies are joined (ConeWide).
//
// A body's velocities are kept as the change that percussions make, multiplied by the root of its
// mass, M = L L^T: y = L^T du, so that y += L^-1 W P, xi = (L^-1 W)^T y + b, and |y|^2/2 is an
// energy. Translations of both bodies of a law have the same directions: they are stored once.
#pragma once

#include <stddef.h>

#include "base/crew.h"
#include "base/range.h"
#include "solvers/cone_block.h"

// Blocks that follow each other
typedef struct ConePart {
    Range blocks;
    int ground;  // its own body that does not move, 0 or one like it: threads write to them
    // scratch, of what is asked for:
    double largest;  // change of percussions, squared
    int worst;       // the place that has it
    double Pb, Pxi;  // sums of the powers of percussions
} ConePart;

// Parts come in phases: those of one phase share no body that moves, and are done at once.
enum { CONE_PHASES = 3, CONE_MOST_SPANS = 32 };

// Contacts of free bodies have places, CONE_PLACES in each block. Wide laws count on from there.
typedef struct ConeProblem {
    ConeBlock* blocks;  // (n_blocks) in the order in which they are swept over
    int n_blocks;
    ConePart* parts;              // (n_parts) that they are divided into
    int phases[CONE_PHASES + 1];  // where each one begins among these; the last: n_parts
    Crew* crew;                   // who does them; NULL: the caller
    ConeWide* wide;               // (n_wide)
    int n_wide;
    ConeJoined* joined;  // (n_joined) what their sides change beside bodies
    int n_joined;
    ConeBody* bodies;  // (n_bodies)
    int n_bodies;
    int* order;    // bodies by where they are, ...
    Range* spans;  // (n_spans of order) ... so that a thread has those whose contacts it solves
    int n_spans;
    int n_rows;    // of contacts of free bodies: CONE_ROWS, or 1: friction takes no part
    bool relaxed;  // CC's law instead of Coulomb's
    double scale;  // a velocity in the norm of energy: errors are relative to it
} ConeProblem;

typedef struct ConeOptions {
    int maximum_iterations;
    double tolerance;  // of the error, relative to the scale
} ConeOptions;

typedef struct ConeInfo {
    int iterations;
    double error;  // cone_problem_error, and ...
    int worst;     // ... the law that has it
} ConeInfo;

// Does work(job, part) for each part, phase by phase from the first on or from the last: what
// changes bodies sees those of a part before or behind its own, never on the way. All parts of one
// phase and one after the other give the same.
void cone_problem_do(const ConeProblem* problem, bool forwards, CrewWork* work, void* job);

// Where contacts of free bodies go: into a block with others with which they share no body, near
// those that came before them.
enum { CONE_OPEN_BLOCKS = 64 };
typedef struct ConeOrder {
    unsigned long long* taken;     // (n_bodies, zero at first) the open blocks that a body is in
    unsigned long long open;       // blocks that have a place left; of each one of them:
    int block[CONE_OPEN_BLOCKS];   // its number
    int filled[CONE_OPEN_BLOCKS];  // places that are taken ...
    int bodies[CONE_OPEN_BLOCKS][2 * CONE_PLACES];  // ... by contacts of these
    int n_blocks;
} ConeOrder;

// The place of a contact of two bodies
int cone_order_place(ConeOrder* order, int a, int b);
// What comes next goes into other blocks.
void cone_order_end_part(ConeOrder* order);

// Puts a contact of free bodies at its place. The places of a block are filled in ascending order:
// with the first one the others become those of no contact.
void cone_problem_set(ConeProblem* problem, int place, const ConeLaw* law);
// Goes on without friction, from nothing: all y and the P of normals are zero, those of friction
// take no part. Contacts stay at their places, each with a normal of its own to come.
void cone_problem_restart_normals(ConeProblem* problem);
// The normal row of the contact at a place
void cone_problem_set_normal(ConeProblem* problem, int place, const ConeNormal* law);
// The contacts at all places of a part have its ground as what does not move.
void cone_problem_ground(ConeProblem* problem, const ConePart* part);
// b and, as start values, P (CONE_ROWS) of the law at a place
void cone_problem_begin(ConeProblem* problem, int place, const double* b, const double* P);
// What percussions change of the velocities of its rows (CONE_ROWS): xi - b
void cone_problem_change(const ConeProblem* problem, int place, double* change);
// Percussions of the law at a place (CONE_ROWS), or of a wide one (LAW_MAX_ROWS)
void cone_problem_percussions(const ConeProblem* problem, int place, double* P);
// W^T M^-1 W of the normal of the contact at a place
static inline double cone_problem_mobility(const ConeProblem* problem, int place) {
    return problem->blocks[place / CONE_PLACES].G_N[place % CONE_PLACES];
}
static inline int cone_problem_places(const ConeProblem* problem) {
    return CONE_PLACES * problem->n_blocks;
}

// Takes the percussions P as they are: what they change, from nothing. All y are zero before.
void cone_problem_push(ConeProblem* problem);
// Takes percussions of another problem as a start: the part of them, of 0 to 1, at which
// P . (G P/2 + b) is least. So a start adds no energy, and neither do sweeps, which begin there:
// the impulse of an impact would be a start for the next step that a small budget does not mend.
void cone_problem_start(ConeProblem* problem);

// The one error measure: by how much percussions would have to move to satisfy the worst law, in
// the norm of energy, relative to the scale. worst: its place; may be NULL.
double cone_problem_error(ConeProblem* problem, int* worst);

// What momentum needs of a body: y where the present pair of sweeps began, and at the end of the
// one before
typedef struct ConeWay {
    _Alignas(16) double from[6], last[6];
} ConeWay;

// Projected Gauss-Seidel sweeps, forwards and backwards in turn, from the P and y that are there,
// until the error is below the tolerance or the budget is used up. ways (n_bodies): scratch for
// momentum (cone_momentum.h); NULL: without it, which takes several times as many
void cone_sweeps_solve(ConeProblem* problem, const ConeOptions* options, ConeWay* ways,
                       ConeInfo* info);

// Accelerated projected gradients, with restart (Nesterov; Mazhar, Heyn, Negrut, Tasora 2015).
// scratch: (cone_gradient_size) with the alignment of two doubles
size_t cone_gradient_size(const ConeProblem* problem);
void cone_gradient_solve(ConeProblem* problem, const ConeOptions* options, double* scratch,
                         ConeInfo* info);
