#include "solvers/cone_momentum.h"

#include <string.h>

#include "solvers/momentum.h"

#define LANES 2
#include "solvers/cone_block.inc"

enum { N_Y = 6 };

ConeMomentum cone_momentum_begin(ConeProblem* problem, ConeWay* ways) {
    for (int i = 0; i < problem->n_bodies; i++) {
        memcpy(ways[i].from, problem->bodies[i].y, sizeof ways[i].from);
        memcpy(ways[i].last, problem->bodies[i].y, sizeof ways[i].last);
    }
    for (int i = 0; i < problem->n_joined; i++) {
        memcpy(problem->joined[i].last, problem->joined[i].y,
               (size_t)problem->joined[i].n * sizeof(double));
    }
    for (int i = 0; i < problem->n_wide; i++) {
        ConeWide* law = &problem->wide[i];
        memcpy(law->from, law->P, sizeof law->P);
        memcpy(law->last, law->P, sizeof law->P);
    }
    return (ConeMomentum){.problem = problem, .theta = 1.0, .ways = ways};
}

// --- does the way lead uphill? ---

// Of spans of the bodies
typedef struct BodiesJob {
    const ConeMomentum* m;
    double slope[CONE_MOST_SPANS];
} BodiesJob;

// (x_0 - x_1) . (x_1 - x_last), the pair having led from x_0 to x_1
static void find_slope(void* job, int span) {
    BodiesJob* of = job;
    const ConeProblem* problem = of->m->problem;
    const Range* bodies = &problem->spans[span];
    Lanes sums[N_Y / LANES] = {{0.0}};
    for (int i = bodies->at; i < bodies->at + bodies->n; i++) {
        const double* moved = problem->bodies[problem->order[i]].y;
        const ConeWay* way = &of->m->ways[problem->order[i]];
        for (int at = 0; at < N_Y; at += LANES) {
            const Lanes y = LANES_OF(moved);
            sums[at / LANES] += (LANES_OF(way->from) - y) * (y - LANES_OF(way->last));
        }
    }
    const Lanes sum = sums[0] + sums[1] + sums[2];
    of->slope[span] = sum[0] + sum[1];
}

// In the norm of energy: of bodies that are joined by what their laws do to themselves
static double find_slopes(const ConeMomentum* m) {
    const ConeProblem* problem = m->problem;
    BodiesJob job = {.m = m};
    double slope = 0.0;
    crew_run(problem->crew, problem->n_spans, find_slope, &job);
    for (int span = 0; span < problem->n_spans; span++) {
        slope += job.slope[span];
    }
    for (int i = 0; i < problem->n_wide; i++) {
        const ConeWide* law = &problem->wide[i];
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            slope += law->G[r] * momentum_slope(law->from[r], law->P[r], law->last[r]);
        }
    }
    return slope;
}

// --- ahead ---

static void move_bodies(void* job, int span) {
    const ConeMomentum* m = ((const BodiesJob*)job)->m;
    const ConeProblem* problem = m->problem;
    const Range* bodies = &problem->spans[span];
    for (int i = bodies->at; i < bodies->at + bodies->n; i++) {
        double* ahead = problem->bodies[problem->order[i]].y;
        ConeWay* way = &m->ways[problem->order[i]];
        for (int at = 0; at < N_Y; at += LANES) {
            const Lanes y = LANES_OF(ahead);
            *(Lanes*)(ahead + at) = y + m->beta * (y - LANES_OF(way->last));
            *(Lanes*)(way->from + at) = LANES_OF(ahead);
            *(Lanes*)(way->last + at) = y;
        }
    }
}

void cone_momentum_go_on(ConeMomentum* m) {
    const ConeProblem* problem = m->problem;
    if (find_slopes(m) > 0.0) {
        m->theta = 1.0;
    }
    m->beta = momentum_next(&m->theta);
    crew_run(problem->crew, problem->n_spans, move_bodies, &(BodiesJob){.m = m});
    for (int i = 0; i < problem->n_joined; i++) {
        const ConeJoined* joined = &problem->joined[i];
        momentum_move(m->beta, joined->n, joined->y, joined->last);
    }
    for (int i = 0; i < problem->n_wide; i++) {
        ConeWide* law = &problem->wide[i];
        momentum_move(m->beta, LAW_MAX_ROWS, law->P, law->last);
        memcpy(law->from, law->P, sizeof law->P);
    }
}
