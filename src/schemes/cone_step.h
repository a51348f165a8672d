// One step of cone_complementarity: what its files share.
#pragma once

#include "contacts/cone_graph.h"
#include "schemes/scheme.h"
#include "schemes/settings.h"

typedef struct ConeScratch {
    ConeGraph graph;
    Instant ahead;   // where forces are, if they depend on where bodies are
    double* change;  // (nu + nla_g) what percussions of contacts change
    double* u_1;     // (nu) velocities at the end
    double* q_1;     // (nq) where the step ends
    double* P_g;     // (nla_g)
    double* P;       // (rows) percussions of the active laws
} ConeScratch;

typedef struct ConeStep {
    const System* sys;
    const StepInput* in;
    const State* s;
    Workspace* w;  // rows are taken at w->present, which moves on to the end with the positions
    ConeScratch* m;
    const double* par;   // (N_SOLVER)
    bool projects;       // positions, after the step
    double scale;        // a velocity in the norm of energy: that of a body, in the mean
    double gain;         // likewise, what forces change of it in the step
    double restitution;  // the largest one normal to the surfaces, of all contacts that act
} ConeStep;

// Percussions of the problem that has been laid (m->graph), from those that points and active laws
// begin with; those of a projection stay zero where that leaves next to nothing. STATUS_NO_ROOM
MUST_CHECK Status cone_solve_problem(const ConeStep* step, SolveInfo* info);

// What follows from percussions and the rows at the start, before these are those of the end: work,
// and which contacts close by an impact. Percussions are kept. Has restitution added energy?
bool cone_settle_laws(ConeStep* step, SolveInfo* info);
// What is kept of them in the state at the end
void cone_record_laws(const ConeStep* step, State* s);

// Moves the bodies on from where the step ends, m->q_1, to where joints hold and nothing
// penetrates, by a displacement of least energy without friction: velocities stay.
MUST_CHECK Status cone_project_positions(const ConeStep* step, SolveInfo* info);
