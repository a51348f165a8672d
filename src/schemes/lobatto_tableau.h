#pragma once

#include "system/stages.h"

// LO (33), (46): the coefficients a of Lobatto IIIA and a_hat of Lobatto IIIB, s = 2 ... 5
Stages lobatto_tableau(int s);
