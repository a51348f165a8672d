// Coefficients of the Lobatto IIIA methods with two to five stages, rows 2 ... s of a, which are
// the integrals of the Lagrange polynomials of the Lobatto nodes from 0 to c_i; the first row is
// zero. test_lobatto_tableau.c checks them by the conditions on their order.
#include "schemes/lobatto_tableau.h"

enum { ROWS = STAGES_MAX - 1, N_METHODS = STAGES_MAX - 1 };

static const double IIIA[N_METHODS][ROWS][STAGES_MAX] = {
    {{0.5, 0.5}},
    {{5.0 / 24.0, 1.0 / 3.0, -1.0 / 24.0}, {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0}},
    {{0.11030056647916491414, 0.18969943352083508586, -0.033907364229143883778,
      0.010300566479164914137},
     {0.073032766854168419197, 0.45057403089581055044, 0.2269672331458315808,
      -0.026967233145831580803},
     {1.0 / 12.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0}},
    {{0.067728432186156897969, 0.11974476934341168252, -0.021735721866558113666,
      0.010635824225415491883, -0.0037001392424145306022},
     {0.040625, 0.30318418332304277802, 0.17777777777777777778, -0.030961961100820555796, 0.009375},
     {0.053700139242414530602, 0.26158639799680673034, 0.37729127742211366922,
      0.15247745287881053971, -0.017728432186156897969},
     {0.05, 49.0 / 180.0, 16.0 / 45.0, 49.0 / 180.0, 0.05}},
};

// Lobatto nodes
static const double NODES[N_METHODS][STAGES_MAX] = {
    {0.0, 1.0},
    {0.0, 0.5, 1.0},
    {0.0, 0.27639320225002103036, 0.72360679774997896964, 1.0},
    {0.0, 0.17267316464601142810, 0.5, 0.82732683535398857190, 1.0},
};

Stages lobatto_tableau(int s) {
    Stages stages = {.s = s};
    for (int i = 0; i < s; i++) {
        stages.c[i] = NODES[s - 2][i];
        for (int j = 0; j < s; j++) {
            stages.a[i][j] = i > 0 ? IIIA[s - 2][i - 1][j] : 0.0;
            stages.b[j] = IIIA[s - 2][s - 2][j];
        }
    }
    for (int i = 0; i < s; i++) {
        for (int j = 0; j < s; j++) {  // LO (46)
            stages.a_hat[i][j] =
                j == s - 1 ? 0.0 : stages.b[j] - stages.b[j] * stages.a[j][i] / stages.b[i];
        }
    }
    stages_complete(&stages);
    return stages;
}
