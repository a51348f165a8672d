// What forces are rounded against. The force of a spring is a difference of places, which are
// rounded themselves: a spring of 50 m that is relaxed has a force of k eps 50 m. Equations of
// motion cannot be solved to less.
#pragma once

#include "system/system.h"

// Rounding of h at the instant, in the norm of M^-1: of the sum of its terms, and of what rounding
// of places, angles and velocities makes of them. scratch (nu).
double system_force_rounding(const System* sys, const Instant* instant, double* scratch);
