#include "solvers/cone_problem.h"

#include <math.h>
#include <string.h>

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

enum { BLOCK = 4, N_OPEN = 64 };  // places of a block; blocks that are open at once

// Nothing more goes there.
static void close_block(ConeOrder* order, int k) {
    for (int i = 0; i < 2 * order->filled[k]; i++) {
        order->taken[order->bodies[k][i]] &= ~(1ULL << k);
    }
    order->open &= ~(1ULL << k);
}

static int open_block(ConeOrder* order) {
    int k = 0;
    while (k < N_OPEN && (order->open >> k & 1) != 0) {
        k++;
    }
    if (k == N_OPEN) {  // all have bodies in common with the contact that is to be placed
        k = 0;
        close_block(order, k);
    }
    order->open |= 1ULL << k;
    order->block[k] = order->n_blocks++;
    order->filled[k] = 0;
    return k;
}

int cone_order_place(ConeOrder* order, int a, int b) {
    unsigned long long may = order->open & ~order->taken[a] & ~order->taken[b];
    int k = 0;
    while (may != 0 && (may & 1) == 0) {
        may >>= 1;
        k++;
    }
    k = may != 0 ? k : open_block(order);
    const int sides[2] = {a, b};
    const int place = BLOCK * order->block[k] + order->filled[k];
    for (int j = 0; j < 2; j++) {
        order->bodies[k][2 * order->filled[k] + j] = sides[j];
        if (sides[j] > 0) {  // what does not move can be shared
            order->taken[sides[j]] |= 1ULL << k;
        }
    }
    order->filled[k]++;
    if (order->filled[k] == BLOCK) {
        close_block(order, k);
    }
    return place;
}

void cone_problem_set(ConeProblem* problem, int place, const ConeLaw* law) {
    ConePair* pair = &problem->pairs[place / CONE_LANES];
    const int lane = place % CONE_LANES;
    for (int r = 0; r < CONE_ROWS; r++) {
        for (int i = 0; i < 3; i++) {
            pair->D[r][i][lane] = law->D[r][i];
            pair->R_a[r][i][lane] = law->R_a[r][i];
            pair->R_b[r][i][lane] = law->R_b[r][i];
        }
        pair->b[r][lane] = law->b[r];
        pair->P[r][lane] = law->P[r];
    }
    pair->G_N[lane] = law->G_N;
    pair->G_F[lane] = law->G_F;
    pair->G_FN[0][lane] = law->G_FN[0];
    pair->G_FN[1][lane] = law->G_FN[1];
    pair->r_N[lane] = law->G_N > 0.0 ? 1.0 / law->G_N : 0.0;
    pair->r_F[lane] = law->G_F > 0.0 ? 1.0 / law->G_F : 0.0;
    pair->mu[lane] = law->mu;
    pair->a[lane] = law->bodies[0];
    pair->b_of[lane] = law->bodies[1];
}

void cone_problem_percussions(const ConeProblem* problem, int place, double* P) {
    const int wide = place - cone_problem_places(problem);
    if (wide >= 0) {
        memcpy(P, problem->wide[wide].P, sizeof problem->wide[wide].P);
        return;
    }
    for (int r = 0; r < CONE_ROWS; r++) {
        P[r] = problem->pairs[place / CONE_LANES].P[r][place % CONE_LANES];
    }
}

// --- all of them ---

void cone_problem_push(ConeProblem* problem) {
    for (int i = 0; i < problem->n_pairs; i++) {
        const ConePair* pair = &problem->pairs[i];
        if (pair->P[0][0] != 0.0 || pair->P[0][1] != 0.0) {
            ConePairView view;
            cone_pair_gather(pair, problem->bodies, &view);
            cone_pair_push(pair, pair->P, &view);
            cone_pair_scatter(pair, &view, problem->bodies);
        }
    }
    for (int i = 0; i < problem->n_wide; i++) {
        cone_wide_push(&problem->wide[i], problem->wide[i].P);
    }
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

double cone_problem_error(const ConeProblem* problem, int* worst) {
    double largest = 0.0;
    int at = 0;
    for (int i = 0; i < problem->n_pairs; i++) {
        const ConePair* pair = &problem->pairs[i];
        ConePairView view;
        Pair xi[CONE_ROWS], dP[CONE_ROWS];
        cone_pair_gather(pair, problem->bodies, &view);
        cone_pair_xi(pair, &view, xi);
        cone_pair_step(pair, problem->relaxed, xi, dP);
        const Pair change = cone_pair_change(pair, dP);
        for (int lane = 0; lane < CONE_LANES; lane++) {
            note_change(change[lane], CONE_LANES * i + lane, &largest, &at);
        }
    }
    for (int i = 0; i < problem->n_wide; i++) {
        const ConeWide* law = &problem->wide[i];
        double xi[LAW_MAX_ROWS], dP[LAW_MAX_ROWS];
        cone_wide_xi(law, xi);
        cone_wide_step(law, problem->relaxed, xi, dP);
        note_change(cone_wide_change(law, dP), cone_problem_places(problem) + i, &largest, &at);
    }
    if (worst != NULL) {
        *worst = at;
    }
    return relative(problem, largest);
}
