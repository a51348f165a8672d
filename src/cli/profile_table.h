// The table of clatter run --profile.
#pragma once

#include <stdio.h>

#include "simulation/simulation.h"

// Seconds of the clock that profiles are taken with.
double profile_clock(void);

void profile_table_print(const Profile* profile, FILE* out);
