#include "contacts/body_root.h"

#include <math.h>

// The inverse of L, J = L L^T, from the inertia (3 x 3), by rows
static void invert_root(const double* J, double* inverse) {
    const double l00 = sqrt(J[0]);
    const double l10 = J[3] / l00;
    const double l11 = sqrt(J[4] - l10 * l10);
    const double l20 = J[6] / l00;
    const double l21 = (J[7] - l20 * l10) / l11;
    const double l22 = sqrt(J[8] - l20 * l20 - l21 * l21);
    inverse[0] = 1.0 / l00;
    inverse[2] = 1.0 / l11;
    inverse[5] = 1.0 / l22;
    inverse[1] = -l10 * inverse[0] * inverse[2];
    inverse[4] = -l21 * inverse[2] * inverse[5];
    inverse[3] = -(l20 * inverse[0] + l21 * inverse[1]) * inverse[5];
}

MassRoot mass_root_make(const Element* body, const double* M) {
    static const int DIAGONAL[3] = {0, 2, 5};  // of L
    const int n = body->u.n;
    double J[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};  // of rotations that it has not
    bool turns[3] = {false, false, false};
    int n_translations = 0;
    const int* twist = body->kind->body->twist;
    MassRoot root = {.M = M, .twist = twist, .n = n};
    for (int i = 0; i < n; i++) {
        const int at = twist[i] - 3;
        if (at < 0) {
            root.s = 1.0 / sqrt(M[i * n + i]);
            n_translations++;
        } else {
            turns[at] = true;
        }
        for (int k = 0; k < n && at >= 0; k++) {
            const int other = twist[k] - 3;
            if (other >= 0) {
                J[at * 3 + other] = M[i * n + k];
            }
        }
    }
    root.in_space = n_translations == 3;
    invert_root(J, root.L_inverse);
    for (int i = 0; i < 3; i++) {
        root.L_inverse[DIAGONAL[i]] *= turns[i] ? 1.0 : 0.0;
    }
    return root;
}
