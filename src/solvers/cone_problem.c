#include "solvers/cone_problem.h"

#include <math.h>
#include <string.h>

#define LANES 2
#include "solvers/cone_block.inc"

// --- laws of bodies that are joined, or deform, and friction in joints ---

void cone_wide_xi(const ConeWide* law, double* xi) {
    memcpy(xi, law->b, sizeof law->b);
    for (int j = 0; j < law->n_sides; j++) {
        const ConeSide* side = &law->sides[j];
        const double* W = side->W;
        for (int k = 0; k < side->n; k++, W += LAW_MAX_ROWS) {
            const double y = side->y[side->at != NULL ? side->at[k] : k];
            for (int r = 0; r < LAW_MAX_ROWS; r++) {
                xi[r] += W[r] * y;
            }
        }
    }
}

void cone_wide_push(const ConeWide* law, const double* dP) {
    for (int j = 0; j < law->n_sides; j++) {
        const ConeSide* side = &law->sides[j];
        const double* V = side->V;
        for (int k = 0; k < side->n_V; k++, V += LAW_MAX_ROWS) {
            double sum = 0.0;
            for (int r = 0; r < LAW_MAX_ROWS; r++) {
                sum += V[r] * dP[r];
            }
            side->y[k] += sum;
        }
    }
}

double cone_wide_friction_G(const ConeWide* law) {
    double G = 0.0;
    for (int r = contact_law_F(&law->form); r < contact_law_rows(&law->form); r++) {
        G = fmax(G, law->G[r]);
    }
    return G;
}

void cone_wide_bound(const ConeWide* law, double* P) {
    double square = 0.0;
    for (int r = 0; r < law->form.n_F; r++) {
        square += P[r] * P[r];
    }
    if (square > law->form.bound * law->form.bound) {
        const double part = law->form.bound / sqrt(square);
        for (int r = 0; r < law->form.n_F; r++) {
            P[r] *= part;
        }
    }
}

void cone_wide_step(const ConeWide* law, bool relaxed, const double* xi, double* dP) {
    const double G_F = cone_wide_friction_G(law);
    double P[LAW_MAX_ROWS] = {0.0};
    for (int r = 0; r < contact_law_rows(&law->form); r++) {
        const double G = law->form.normal && r == 0 ? law->G[0] : G_F;
        P[r] = G > 0.0 ? law->P[r] - xi[r] / G : 0.0;  // what moves nothing carries nothing
    }
    if (law->form.normal) {
        cone_project(law->form.mu, law->G[0], G_F, relaxed && law->G[0] > 0.0, law->form.n_F, P);
    } else {
        cone_wide_bound(law, P);
    }
    for (int r = 0; r < LAW_MAX_ROWS; r++) {
        dP[r] = P[r] - law->P[r];
    }
}

double cone_wide_change(const ConeWide* law, const double* dP) {
    const double G_F = cone_wide_friction_G(law);
    double change = 0.0;
    for (int r = contact_law_F(&law->form); r < contact_law_rows(&law->form); r++) {
        change += G_F * dP[r] * dP[r];
    }
    return law->form.normal ? fmax(change, law->G[0] * dP[0] * dP[0]) : change;
}

// --- places ---

// Nothing more goes there.
static void close_block(ConeOrder* order, int k) {
    for (int i = 0; i < 2 * order->filled[k]; i++) {
        order->taken[order->bodies[k][i]] &= ~(1ULL << k);
    }
    order->open &= ~(1ULL << k);
}

static int open_block(ConeOrder* order) {
    int k = 0;
    if (~order->open == 0) {  // all have bodies in common with the contact that is to be placed
        close_block(order, k);
    } else {
        k = __builtin_ctzll(~order->open);
    }
    order->open |= 1ULL << k;
    order->block[k] = order->n_blocks++;
    order->filled[k] = 0;
    return k;
}

int cone_order_place(ConeOrder* order, int a, int b) {
    const unsigned long long may = order->open & ~order->taken[a] & ~order->taken[b];
    const int k = may != 0 ? __builtin_ctzll(may) : open_block(order);
    const int sides[2] = {a, b};
    const int place = CONE_PLACES * order->block[k] + order->filled[k];
    for (int j = 0; j < 2; j++) {
        order->bodies[k][2 * order->filled[k] + j] = sides[j];
        if (sides[j] > 0) {  // what does not move can be shared
            order->taken[sides[j]] |= 1ULL << k;
        }
    }
    order->filled[k]++;
    if (order->filled[k] == CONE_PLACES) {
        close_block(order, k);
    }
    return place;
}

void cone_order_end_part(ConeOrder* order) {
    while (order->open != 0) {
        close_block(order, __builtin_ctzll(order->open));
    }
}

void cone_problem_set(ConeProblem* problem, int place, const ConeLaw* law) {
    ConeBlock* block = &problem->blocks[place / CONE_PLACES];
    const int at = place % CONE_PLACES;
    if (at == 0) {
        memset(block, 0, sizeof *block);
    }
    for (int r = 0; r < CONE_ROWS; r++) {
        ConeBlockRow* row = &block->rows[r];
        for (int i = 0; i < 3; i++) {
            row->D[i][at] = law->D[r][i];
            row->R_a[i][at] = law->R_a[r][i];
            row->R_b[i][at] = law->R_b[r][i];
        }
        row->b[at] = law->b[r];
        row->P[at] = law->P[r];
    }
    block->G_N[at] = law->G_N;
    block->G_F[at] = law->G_F;
    block->r_N[at] = law->G_N > 0.0 ? 1.0 / law->G_N : 0.0;
    block->r_F[at] = law->G_F > 0.0 ? 1.0 / law->G_F : 0.0;
    block->mu[at] = law->mu;
    for (int j = 0; j < 2; j++) {
        block->G_FN[j][at] = law->G_FN[j];
        block->bodies[j][at] = law->bodies[j];
    }
}

void cone_problem_ground(ConeProblem* problem, const ConePart* part) {
    for (int i = part->blocks.at; i < part->blocks.at + part->blocks.n && part->ground > 0; i++) {
        for (int j = 0; j < 2; j++) {
            int* bodies = problem->blocks[i].bodies[j];
            for (int k = 0; k < CONE_PLACES; k++) {
                bodies[k] = bodies[k] > 0 ? bodies[k] : part->ground;
            }
        }
    }
}

void cone_problem_restart_normals(ConeProblem* problem) {
    problem->n_rows = 1;
    for (int i = 0; i < problem->n_bodies; i++) {
        memset(problem->bodies[i].y, 0, sizeof problem->bodies[i].y);
    }
    for (int i = 0; i < problem->n_blocks; i++) {
        ConeBlockRow* normal = &problem->blocks[i].rows[0];
        memset(normal->P, 0, sizeof normal->P);
    }
}

void cone_problem_set_normal(ConeProblem* problem, int place, const ConeNormal* law) {
    ConeBlock* block = &problem->blocks[place / CONE_PLACES];
    const int at = place % CONE_PLACES;
    ConeBlockRow* normal = &block->rows[0];
    for (int i = 0; i < 3; i++) {
        normal->D[i][at] = law->D[i];
        normal->R_a[i][at] = law->R_a[i];
        normal->R_b[i][at] = law->R_b[i];
    }
    normal->b[at] = law->b;
    block->G_N[at] = law->G_N;
    block->r_N[at] = law->G_N > 0.0 ? 1.0 / law->G_N : 0.0;
}

void cone_problem_begin(ConeProblem* problem, int place, const double* b, const double* P) {
    ConeBlock* block = &problem->blocks[place / CONE_PLACES];
    for (int r = 0; r < CONE_ROWS; r++) {
        block->rows[r].b[place % CONE_PLACES] = b[r];
        block->rows[r].P[place % CONE_PLACES] = P[r];
    }
}

void cone_problem_change(const ConeProblem* problem, int place, double* change) {
    const ConeBlock* block = &problem->blocks[place / CONE_PLACES];
    const int at = place % CONE_PLACES;
    const ConeBody* a = &problem->bodies[block->bodies[0][at]];
    const ConeBody* b = &problem->bodies[block->bodies[1][at]];
    for (int r = 0; r < CONE_ROWS; r++) {
        change[r] = 0.0;
        for (int i = 0; i < 3; i++) {
            change[r] += block->rows[r].D[i][at] * (a->s * a->y[i] - b->s * b->y[i]) +
                         block->rows[r].R_a[i][at] * a->y[3 + i] +
                         block->rows[r].R_b[i][at] * b->y[3 + i];
        }
    }
}

void cone_problem_percussions(const ConeProblem* problem, int place, double* P) {
    const int wide = place - cone_problem_places(problem);
    if (wide >= 0) {
        memcpy(P, problem->wide[wide].P, sizeof problem->wide[wide].P);
        return;
    }
    for (int r = 0; r < CONE_ROWS; r++) {
        P[r] = problem->blocks[place / CONE_PLACES].rows[r].P[place % CONE_PLACES];
    }
}

// --- parts ---

typedef struct Phase {
    CrewWork* work;
    void* job;
    int first;  // of its parts
} Phase;

static void do_part(void* job, int k) {
    const Phase* phase = job;
    phase->work(phase->job, phase->first + k);
}

void cone_problem_do(const ConeProblem* problem, bool forwards, CrewWork* work, void* job) {
    for (int i = 0; i < CONE_PHASES; i++) {
        const int* phase = &problem->phases[forwards ? i : CONE_PHASES - 1 - i];
        Phase of = {work, job, phase[0]};
        crew_run(problem->crew, phase[1] - phase[0], do_part, &of);
    }
}

// What is done to all parts: with a number
typedef struct PartsJob {
    ConeProblem* problem;
    double factor;
} PartsJob;

// --- all of them ---

// Of a part; n_rows is constant where this is used, here and below.
KERNEL void push_blocks(ConeProblem* problem, const Range* blocks, double share, int n_rows) {
    for (int i = blocks->at; i < blocks->at + blocks->n; i++) {
        const ConeBlock* block = &problem->blocks[i];
        for (int at = 0; at < CONE_PLACES; at += LANES) {
            const Lanes P[CONE_ROWS] = {share * LANES_OF(block->rows[0].P),
                                        share * LANES_OF(block->rows[1].P),
                                        share * LANES_OF(block->rows[2].P)};
            ConeView view;
            cone_block_gather(block, at, problem->bodies, &view);
            cone_block_push(block, at, P, n_rows, &view);
            cone_block_scatter(block, at, &view, problem->bodies);
        }
    }
}

static void push_part(void* job, int part) {
    const PartsJob* of = job;
    const Range* blocks = &of->problem->parts[part].blocks;
    if (of->problem->n_rows == 1) {
        push_blocks(of->problem, blocks, of->factor, 1);
    } else {
        push_blocks(of->problem, blocks, of->factor, CONE_ROWS);
    }
}

// Adds a share of the percussions to what they change.
static void push_share(ConeProblem* problem, double share) {
    cone_problem_do(problem, true, push_part, &(PartsJob){problem, share});
    for (int i = 0; i < problem->n_wide; i++) {
        const ConeWide* law = &problem->wide[i];
        double P[LAW_MAX_ROWS];
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            P[r] = share * law->P[r];
        }
        cone_wide_push(law, P);
    }
}

void cone_problem_push(ConeProblem* problem) { push_share(problem, 1.0); }

static void find_powers_of_part(void* job, int k) {
    const ConeProblem* problem = ((const PartsJob*)job)->problem;
    ConePart* part = &problem->parts[k];
    Lanes with_b = {0.0}, with_xi = {0.0};
    for (int i = part->blocks.at; i < part->blocks.at + part->blocks.n; i++) {
        const ConeBlock* block = &problem->blocks[i];
        for (int at = 0; at < CONE_PLACES; at += LANES) {
            ConeView view;
            Lanes xi[CONE_ROWS];
            cone_block_gather(block, at, problem->bodies, &view);
            cone_block_xi(block, at, &view, CONE_ROWS, xi);
            for (int r = 0; r < CONE_ROWS; r++) {
                with_b += LANES_OF(block->rows[r].P) * LANES_OF(block->rows[r].b);
                with_xi += LANES_OF(block->rows[r].P) * xi[r];
            }
        }
    }
    part->Pb = with_b[0] + with_b[1];
    part->Pxi = with_xi[0] + with_xi[1];
}

// P . b and P . xi of all rows, where percussions have been pushed
static void find_powers(ConeProblem* problem, double* Pb, double* Pxi) {
    *Pb = *Pxi = 0.0;
    cone_problem_do(problem, true, find_powers_of_part, &(PartsJob){problem, 0.0});
    for (int i = 0; i < problem->phases[CONE_PHASES]; i++) {
        *Pb += problem->parts[i].Pb;
        *Pxi += problem->parts[i].Pxi;
    }
    for (int i = 0; i < problem->n_wide; i++) {
        const ConeWide* law = &problem->wide[i];
        double xi[LAW_MAX_ROWS];
        cone_wide_xi(law, xi);
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            *Pb += law->P[r] * law->b[r];
            *Pxi += law->P[r] * xi[r];
        }
    }
}

static void multiply_part(void* job, int part) {
    const PartsJob* of = job;
    const Range* blocks = &of->problem->parts[part].blocks;
    for (int i = blocks->at; i < blocks->at + blocks->n; i++) {
        for (int r = 0; r < CONE_ROWS; r++) {
            for (int k = 0; k < CONE_PLACES; k++) {
                of->problem->blocks[i].rows[r].P[k] *= of->factor;
            }
        }
    }
}

static void multiply_percussions(ConeProblem* problem, double factor) {
    cone_problem_do(problem, true, multiply_part, &(PartsJob){problem, factor});
    for (int i = 0; i < problem->n_wide; i++) {
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            problem->wide[i].P[r] *= factor;
        }
    }
}

void cone_problem_start(ConeProblem* problem) {
    double Pb, Pxi;
    cone_problem_push(problem);
    find_powers(problem, &Pb, &Pxi);
    const double PGP = Pxi - Pb;
    if (-Pb >= PGP) {
        return;
    }
    const double share = PGP > 0.0 && Pb < 0.0 ? -Pb / PGP : 0.0;
    push_share(problem, share - 1.0);
    multiply_percussions(problem, share);
}

static double relative(const ConeProblem* problem, double square) {
    return problem->scale > 0.0 ? sqrt(square) / problem->scale : square > 0.0 ? 1.0 : 0.0;
}

// The larger one, or what is no number, and whose it is
static void note_change(double change, int place, double* largest, int* worst) {
    if (!(change <= *largest)) {
        *largest = change;
        *worst = place;
    }
}

KERNEL void find_largest_change(const ConeProblem* problem, int n_rows, ConePart* part) {
    part->largest = 0.0;
    for (int i = part->blocks.at; i < part->blocks.at + part->blocks.n; i++) {
        const ConeBlock* block = &problem->blocks[i];
        for (int at = 0; at < CONE_PLACES; at += LANES) {
            ConeView view;
            Lanes xi[CONE_ROWS], dP[CONE_ROWS], change;
            cone_block_gather(block, at, problem->bodies, &view);
            cone_block_xi(block, at, &view, n_rows, xi);
            cone_block_step(block, at, problem->relaxed, xi, n_rows, dP);
            cone_block_change(block, at, dP, n_rows, &change);
            for (int k = 0; k < LANES; k++) {
                note_change(change[k], CONE_PLACES * i + at + k, &part->largest, &part->worst);
            }
        }
    }
}

static void find_largest_of_part(void* job, int part) {
    const ConeProblem* problem = ((const PartsJob*)job)->problem;
    if (problem->n_rows == 1) {
        find_largest_change(problem, 1, &problem->parts[part]);
    } else {
        find_largest_change(problem, CONE_ROWS, &problem->parts[part]);
    }
}

double cone_problem_error(ConeProblem* problem, int* worst) {
    double largest = 0.0;
    int worst_at = 0;
    cone_problem_do(problem, true, find_largest_of_part, &(PartsJob){problem, 0.0});
    for (int i = 0; i < problem->phases[CONE_PHASES]; i++) {
        note_change(problem->parts[i].largest, problem->parts[i].worst, &largest, &worst_at);
    }
    for (int i = 0; i < problem->n_wide; i++) {
        const ConeWide* law = &problem->wide[i];
        double xi[LAW_MAX_ROWS], dP[LAW_MAX_ROWS];
        cone_wide_xi(law, xi);
        cone_wide_step(law, problem->relaxed, xi, dP);
        note_change(cone_wide_change(law, dP), cone_problem_places(problem) + i, &largest,
                    &worst_at);
    }
    if (worst != NULL) {
        *worst = worst_at;
    }
    return relative(problem, largest);
}
