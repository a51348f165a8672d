// The laws of a step as a problem on the graph of bodies (solvers/cone_problem.h): no matrix of
// them is made. Bodies that nothing else holds are nodes of the graph; an assembly of several, or
// one that deforms, is a node with the columns V = A^-1 W of its factorised matrix. Contacts of
// free bodies are points (cone_points.h); all other laws are the active ones of a ContactSet.
#pragma once

#include "base/pool.h"
#include "contacts/cone_points.h"
#include "contacts/contact_set.h"
#include "solvers/cone_problem.h"
#include "system/newton_matrix.h"

typedef struct ConeGraph {
    const System* sys;
    BodyRoot* roots;      // (assemblies) ...
    MassRoot* masses;     // (assemblies at most) equal ones that follow each other once ...
    long long of_masses;  // ... of this version of the properties
    // of a step, in memory of the pool:
    ConePoints points;
    size_t used;          // of the pool, by these ...
    size_t laid;          // ... and by the problem but for what wide laws are filled with
    ConeProblem problem;  // body 1 + a is that of assembly a; wide law i is active law i of the set
    double** joined;  // (assemblies) what changes of those that are not one free body (n + n_c);
                      // NULL: nothing
    int* law_of;      // (places, wide laws) the number of the law at each place that is used
} ConeGraph;

// STATUS_OUT_OF_MEMORY
MUST_CHECK Status cone_graph_create(const System* sys, Arena* arena, ConeGraph* graph);
// Before a step: masses may have changed.
void cone_graph_update(const Properties* properties, const NewtonMatrix* matrix, ConeGraph* graph);

// A step begins, with no laws yet. STATUS_NO_ROOM if the pool has to grow, here and below.
MUST_CHECK Status cone_graph_begin(Pool* pool, ConeGraph* graph);
// Takes a law, by ascending numbers, if it is a contact of free bodies in a point. p: parameters
bool cone_graph_add_point(const double* p, int law, ConeGraph* graph);

// A problem with room for the points and for the active laws of the set, of several parts if there
// is a crew for them; the points are evaluated at an instant. change (nu): ConePoint.dU. Their b
// and P are zero until cone_problem_begin. relaxed: CC's law instead of Coulomb's
MUST_CHECK Status cone_graph_lay(const ContactSet* set, const Instant* instant,
                                 const double* change, bool relaxed, Crew* crew, Pool* pool,
                                 ConeGraph* graph);
// The same laws without friction, from nothing, at another instant: displacements over dt that
// close the gaps of the points
void cone_graph_lay_normals(const Instant* instant, double dt, Pool* pool, ConeGraph* graph);
// The active laws, whose rows have been evaluated, with set->b (m) and, as start value, set->P (m),
// by row.
MUST_CHECK Status cone_graph_fill(const ContactSet* set, const NewtonMatrix* matrix, Pool* pool,
                                  ConeGraph* graph);
// set->P (m) from the problem
void cone_graph_take_percussions(const ConeGraph* graph, ContactSet* set);
// What percussions change is added to x (nu + nla_g), of which the last are minus the percussions
// of joints.
void cone_graph_add_velocities(const ConeGraph* graph, double* x);
