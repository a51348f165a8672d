// How fast springs and elastic bodies can make a mechanism oscillate.
#pragma once

#include "system/newton_matrix.h"
#include "system/system.h"

// An upper bound (rad/s) on the angular frequencies of small oscillations about the instant without
// joints: by Gershgorin's circles of M^-1/2 K M^-1/2, K = -dh/dq, masses that are not blocks being
// as small as their rows allow. scratch (2 nu). Zero if no force depends on places.
double system_frequency_bound(const System* sys, const Instant* instant, double* scratch);

// The largest of them with the joints, by power iteration, to about a tenth and not below that: no
// more than the bound. matrix: the factorised masses, bordered by the joints at the instant.
// scratch (2 nu + nla_g)
double system_frequency(const System* sys, const Instant* instant, const NewtonMatrix* matrix,
                        double bound, double* scratch);
