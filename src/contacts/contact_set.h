// The laws that a step considers: contacts that are closed or about to be, and friction in joints.
// Their rows at an iterate, in the velocities of the system, and the islands that they form: laws
// that act, through bodies and joints, on each other. Islands share nothing and are solved apart.
#pragma once

#include "base/arena.h"
#include "solvers/contact_problem.h"
#include "system/instant.h"
#include "system/state.h"
#include "system/system.h"

// The entries from ... to - 1 of a law's coupling, which belong to one assembly.
typedef struct LawSide {
    int assembly;
    int from, to;
} LawSide;

enum { LAW_MAX_SIDES = 2 };

typedef struct LawSides {
    LawSide sides[LAW_MAX_SIDES];
    int n;
} LawSides;

typedef struct ActiveLaw {
    int law;                    // its number in the system
    int row;                    // its first row in the set
    int island;                 // that it belongs to
    const Link* link;           // of the system
    const LawSides* sides;      // of its coupling
    ContactLaw form;            // the law; its rows are numbered from the first of the island
    double* W;                  // (coupling.n x LAW_MAX_ROWS) rows; those that do not act are zero
    double g[LAW_MAX_ROWS];     // gap; zero for friction
    double g_t[LAW_MAX_ROWS];   // prescribed velocities
    double U[LAW_MAX_ROWS];     // velocities of all rows of the link, whether they act or not
    double zeta[LAW_MAX_ROWS];  // what of the second derivatives does not come from accelerations
    double* V[LAW_MAX_SIDES];   // contacts/delassus.h
    // of a step that was solved:
    bool impact;                // it closed faster than forces explain
    bool knows_work;            // the scheme knows better than the mean velocity of the step what
    double work[LAW_MAX_ROWS];  // the forces of each row have done
} ActiveLaw;

typedef struct Island {
    Range laws;  // of ContactSet.active
    Range rows;
    double* G;  // (rows.n x rows.n) column-major, contacts/delassus.h; NULL: it is in blocks
    ContactBlocks blocks;  // G of an island that is too large for a dense matrix
    bool unsolved;         // a problem of it was not solved
} Island;

typedef struct ContactSet {
    ActiveLaw* active;  // (n of n_laws) island by island, the laws of each ascending
    int n;
    int m;            // rows of the active laws
    int* slot;        // (n_laws) where each law of the system is in active; -1: it is not
    Island* islands;  // (n_islands of n_laws)
    int n_islands;
    double* gamma;     // (m of nla_c) velocities of the rows
    double* b;         // (m of nla_c) xi without percussions of the set
    double* P;         // (m of nla_c) percussions
    ContactLaw* laws;  // (n of n_laws) the laws of one problem, in the order of active
    // contacts/delassus.h: V and G are those of this version of the Newton matrix; 0: of none
    long long version;
    bool normals_only;
    // what is behind this
    LawSides* sides;  // (n_laws) of those that have been active since laws were numbered
    double* W;        // (n_W of ...) of these ...
    size_t* W_at;     // (n_laws) ... where that of each begins
    size_t n_W;
    long long laws_version;  // of the system's numbering that all this is of
    int* parent;             // (assemblies) the tree of those that are tied together
    int* island_of;          // (assemblies)
    int* chosen;             // (n_laws) by ascending number
    int* island_of_law;      // (n_laws) of each chosen one
} ContactSet;

// STATUS_OUT_OF_MEMORY if the arena is exhausted.
MUST_CHECK Status contact_set_create(const System* sys, Arena* arena, ContactSet* set);

// The laws of the system have been numbered anew: no law is active. Nothing if they have not.
void contact_set_renumber(const System* sys, ContactSet* set);

// The law of a contact, or of friction in a joint. p, dt: as in contact_set_choose
ContactLaw contact_set_form(const Link* link, const double* p, double dt);

// Makes set->chosen (n, by ascending number) the active laws. p: parameters; NULL: contacts alone,
// without friction. dt: the time over which bounds of joint friction are summed up.
void contact_set_choose(const System* sys, const double* p, double dt, int n, ContactSet* set);

// Rows of all active laws at an instant, zeta if wanted, and gamma.
void contact_set_evaluate(const Instant* instant, bool zeta, ContactSet* set);
// Those of active law i alone.
void contact_set_evaluate_law(const Instant* instant, bool zeta, int i, ContactSet* set);
// zeta and gamma after the velocities of the instant alone have changed.
void contact_set_evaluate_velocities(const Instant* instant, ContactSet* set);
// gamma of velocities u (nu), along the directions of the last evaluation.
void contact_set_keep_directions(const double* u, ContactSet* set);

// y (LAW_MAX_ROWS) = W^T x, and x += W f.
static inline void active_dot(const ActiveLaw* active, const double* x, double* y) {
    const int* u = active->link->coupling.u;
    const double* W = active->W;
    double sum[LAW_MAX_ROWS] = {0.0};
    for (int k = 0; k < active->link->coupling.n; k++, W += LAW_MAX_ROWS) {
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            sum[r] += W[r] * x[u[k]];
        }
    }
    for (int r = 0; r < LAW_MAX_ROWS; r++) {
        y[r] = sum[r];
    }
}
static inline void active_add(const ActiveLaw* active, const double* f, double* x) {
    const int* u = active->link->coupling.u;
    const double* W = active->W;
    for (int k = 0; k < active->link->coupling.n; k++, W += LAW_MAX_ROWS) {
        double sum = 0.0;
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            sum += W[r] * f[r];
        }
        x[u[k]] += sum;
    }
}
// What a closed law does, its rows moving with xi: it sticks if there is friction and no row of it
// moves faster than a velocity in the norm of energy, small.
ContactState active_closed_state(const ActiveLaw* active, const double* xi, const double* G,
                                 double small);
// G (LAW_MAX_ROWS) = W^T M^-1 W by row, M's diagonal: squares of what unit energy could give
void active_mobility(const ActiveLaw* active, const double* M_diagonal, double* G);
