// Accelerations and forces at an instant, and velocities after a jump, GA (52), (56), (60):
//   M a = h + W_g la_g + W la,  W_g^T a + zeta_g = 0,
//   g_N_ddot = W_N^T a + zeta_N complementary to la_N,
//   friction: if it sticks, by gamma_F_dot = W_F^T a + zeta_F; if it slides,
//             la_F = -mu la_N gamma_F/|gamma_F|
// for the contacts that are closed.
#pragma once

#include "schemes/scheme.h"

// a (nu) at (t, s) with velocities u; la_g (nla_g) unless NULL; la of the laws that act into
// w->contacts.P, by rows of w->contacts. STATUS_NO_CONVERGENCE where the laws have no solution.
MUST_CHECK Status accelerations_solve(const System* sys, double t, const State* s, const double* u,
                                      Workspace* w, double* a, double* la_g);

// Velocities u (nu) right after t where prescribed motions, as the inputs of s have them, jump at
// t:
//   M (u - s->u) = W_g P_g + W P,  g_dot = 0,  the laws of impact for the contacts that are closed.
// On failure u is s->u.
MUST_CHECK Status velocities_after_jump(const System* sys, double t, const State* s, Workspace* w,
                                        double* u);

// Velocities u (nu) right after an impact at in->t of the contacts that are closed and of those
// that close (n_contacts), the laws of impact on all of them:
//   M (u - s->u) = W_g P_g + W P,  g_dot = 0
// with P_g (nla_g), and P in w->contacts by its rows. STATUS_NO_CONVERGENCE where the laws have no
// solution.
MUST_CHECK Status velocities_after_impact(const StepInput* in, const bool* closes, const State* s,
                                          double* u, double* P_g, PercussionInfo* info);
