// Momentum of pairs of sweeps (momentum.h) over a cone problem. Bodies' velocities are linear in
// percussions, so that they move ahead as percussions do: bodies between two pairs, percussions of
// a block where the first sweep of the next pair visits it.
#pragma once

#include "solvers/cone_problem.h"

typedef struct ConeMomentum {
    ConeProblem* problem;
    double theta;
    double beta;    // with which blocks move ahead
    ConeWay* ways;  // (n_bodies)
} ConeMomentum;

// Before the first pair, which begins where the problem is. ways (n_bodies): scratch
ConeMomentum cone_momentum_begin(ConeProblem* problem, ConeWay* ways);
// Between two pairs
void cone_momentum_go_on(ConeMomentum* momentum);
