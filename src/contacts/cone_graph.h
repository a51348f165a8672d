// The active laws of a step as a problem on the graph of bodies (solvers/cone_problem.h): no matrix
// of them is made. Bodies that nothing else holds are nodes of the graph; an assembly of several,
// or one that deforms, is a node with the columns V = A^-1 W of its factorised matrix.
#pragma once

#include "base/pool.h"
#include "contacts/contact_set.h"
#include "solvers/cone_problem.h"
#include "system/newton_matrix.h"

// What follows from the mass of a body alone, M = L L^T
typedef struct BodyRoot {
    const Element* body;  // NULL: the assembly is not one free body
    double s;             // one over the root of its mass
    double L_inverse[6];  // of its inertia, by rows: 00, 10, 11, 20, 21, 22
} BodyRoot;

typedef struct ConeGraph {
    const System* sys;
    BodyRoot* roots;  // (assemblies)
    // of a step, in memory of the pool:
    ConeProblem problem;  // body 1 + a is that of assembly a
    double** joined;  // (assemblies) what changes of those that are not one free body (n + n_c);
                      // NULL: nothing
    int* place;       // (active laws) that each has in the problem; -1: it takes no part
    int* law_of;      // (places) the active law at each place that is used
} ConeGraph;

// STATUS_OUT_OF_MEMORY
MUST_CHECK Status cone_graph_create(const System* sys, Arena* arena, ConeGraph* graph);
// After the masses have changed
void cone_graph_update(const Properties* properties, const NewtonMatrix* matrix, ConeGraph* graph);

typedef struct ConeGraphOptions {
    bool relaxed;       // CC's law instead of Coulomb's
    bool normals_only;  // no friction takes part
} ConeGraphOptions;

// The problem of the active laws, whose rows have been evaluated, with set->b (m) and, as start
// value, set->P (m), by row. STATUS_NO_ROOM if the pool has to grow.
MUST_CHECK Status cone_graph_fill(const ContactSet* set, const NewtonMatrix* matrix,
                                  ConeGraphOptions options, Pool* pool, ConeGraph* graph);
// set->P (m) from the problem
void cone_graph_take_percussions(const ConeGraph* graph, ContactSet* set);
// What percussions change is added to x (nu + nla_g), of which the last are minus the percussions
// of joints.
void cone_graph_add_velocities(const ConeGraph* graph, double* x);
