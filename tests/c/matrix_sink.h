// A matrix (n x n) that bodies add their blocks to.
#pragma once

#include "elements/element.h"

typedef struct MatrixSink {
    BlockSink sink;  // .add = add_to_matrix
    int n;
    double* A;  // (n x n) row-major
} MatrixSink;

static inline void add_to_matrix(const BlockSink* sink, int n, const int* at, const double* block) {
    const MatrixSink* matrix = (const MatrixSink*)sink;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            matrix->A[at[i] * matrix->n + at[j]] += block[i * n + j];
        }
    }
}
