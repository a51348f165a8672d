// The table of clatter run --profile.
#pragma once

#include <stdio.h>

#include "simulation/simulation.h"

void profile_table_print(const Profile* profile, FILE* out);
