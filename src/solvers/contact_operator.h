// The Delassus operator G of a contact problem behind an interface: solvers multiply by it and see
// blocks of it, how it is stored is its own affair.
//
// Two ways to store it are here: a dense matrix, and blocks per pair of laws for many contacts of
// which each knows few others. All arrays belong to the caller and outlive the operator.
#pragma once

#include <stddef.h>

#include "solvers/contact_law.h"

typedef struct ContactOperator ContactOperator;

typedef struct ContactOperatorFunctions {
    // y (m) = G P
    void (*apply)(const ContactOperator* G, const double* P, double* y);
    // y (rows of law k) = (G P) on these rows
    void (*apply_rows)(const ContactOperator* G, int k, const double* P, double* y);
    // the diagonal block of law k, column-major, columns stride apart
    const double* (*own_block)(const ContactOperator* G, int k, int* stride);
} ContactOperatorFunctions;

struct ContactOperator {
    const ContactOperatorFunctions* functions;
    int n;                   // laws
    int m;                   // rows
    const ContactLaw* laws;  // (n)
    const double* diagonal;  // G_ii is diagonal[i * stride]
    size_t stride;
    const double* dense;  // (m x m) column-major, or NULL: there is no such matrix
    const void* data;     // of the way in which it is stored
};

// Blocks of G by rows of laws. The blocks of law k are start[k] ... start[k + 1] - 1: block e has
// (rows of law k x rows of law neighbour[e]) values, column-major, from values[offset[e]] on. The
// first block of each law is its own, neighbour[start[k]] = k.
typedef struct ContactBlocks {
    const int* start;      // (n + 1)
    const int* neighbour;  // (start[n])
    const size_t* offset;  // (start[n])
    const double* values;
    const double* diagonal;  // (m)
} ContactBlocks;

ContactOperator contact_operator_dense(int n, int m, const ContactLaw* laws, const double* G);
ContactOperator contact_operator_blocks(int n, int m, const ContactLaw* laws,
                                        const ContactBlocks* blocks);

static inline double contact_operator_diagonal(const ContactOperator* G, int i) {
    return G->diagonal[(size_t)i * G->stride];
}

static inline void contact_operator_apply(const ContactOperator* G, const double* P, double* y) {
    G->functions->apply(G, P, y);
}

static inline void contact_operator_apply_rows(const ContactOperator* G, int k, const double* P,
                                               double* y) {
    G->functions->apply_rows(G, k, P, y);
}

static inline const double* contact_operator_own_block(const ContactOperator* G, int k,
                                                       int* stride) {
    return G->functions->own_block(G, k, stride);
}
