#include "solvers/contact_operator.h"

#include <string.h>

// --- dense ---

static void dense_apply(const ContactOperator* G, const double* P, double* y) {
    memset(y, 0, (size_t)G->m * sizeof(double));
    for (int j = 0; j < G->m; j++) {
        const double* column = G->dense + (size_t)j * (size_t)G->m;
        const double P_j = P[j];
        for (int i = 0; i < G->m && P_j != 0.0; i++) {
            y[i] += column[i] * P_j;
        }
    }
}

static void dense_apply_rows(const ContactOperator* G, int k, const double* P, double* y) {
    const ContactLaw* law = &G->laws[k];
    const int n_rows = contact_law_rows(law);
    for (int i = 0; i < n_rows; i++) {
        const double* row = G->dense + law->at + i;
        double sum = 0.0;
        for (int j = 0; j < G->m; j++) {
            sum += row[(size_t)j * (size_t)G->m] * P[j];
        }
        y[i] = sum;
    }
}

static const double* dense_own_block(const ContactOperator* G, int k, int* stride) {
    *stride = G->m;
    return G->dense + (size_t)G->laws[k].at * ((size_t)G->m + 1);
}

static const ContactOperatorFunctions DENSE = {dense_apply, dense_apply_rows, dense_own_block};

ContactOperator contact_operator_dense(int n, int m, const ContactLaw* laws, const double* G) {
    return (ContactOperator){.functions = &DENSE,
                             .n = n,
                             .m = m,
                             .laws = laws,
                             .diagonal = G,
                             .stride = (size_t)m + 1,
                             .dense = G};
}

// --- blocks ---

static void blocks_apply_rows(const ContactOperator* G, int k, const double* P, double* y) {
    const ContactBlocks* blocks = G->data;
    const int n_rows = contact_law_rows(&G->laws[k]);
    double sum[LAW_MAX_ROWS] = {0.0};
    for (int e = blocks->start[k]; e < blocks->start[k + 1]; e++) {
        const ContactLaw* other = &G->laws[blocks->neighbour[e]];
        const double* column = blocks->values + blocks->offset[e];
        for (int j = other->at; j < contact_law_end(other); j++, column += n_rows) {
            for (int i = 0; i < n_rows; i++) {
                sum[i] += column[i] * P[j];
            }
        }
    }
    memcpy(y, sum, (size_t)n_rows * sizeof(double));
}

static void blocks_apply(const ContactOperator* G, const double* P, double* y) {
    for (int k = 0; k < G->n; k++) {
        blocks_apply_rows(G, k, P, y + G->laws[k].at);
    }
}

static const double* blocks_own_block(const ContactOperator* G, int k, int* stride) {
    const ContactBlocks* blocks = G->data;
    *stride = contact_law_rows(&G->laws[k]);
    return blocks->values + blocks->offset[blocks->start[k]];
}

static const ContactOperatorFunctions BLOCKS = {blocks_apply, blocks_apply_rows, blocks_own_block};

ContactOperator contact_operator_blocks(int n, int m, const ContactLaw* laws,
                                        const ContactBlocks* blocks) {
    return (ContactOperator){.functions = &BLOCKS,
                             .n = n,
                             .m = m,
                             .laws = laws,
                             .diagonal = blocks->diagonal,
                             .stride = 1,
                             .data = blocks};
}
