#include "elements/settings.h"

#include <math.h>

static const ParameterInfo gravity_parameters[N_GRAVITY] = {
    [GRAVITY_X] = {.name = "x",
                   .help = "gravitational acceleration x",
                   .unit = UNIT_METRE_PER_SECOND_SQUARED,
                   .min = -INFINITY,
                   .max = INFINITY,
                   .tunable = true},
    [GRAVITY_Z] = {.name = "z",
                   .help = "gravitational acceleration z",
                   .unit = UNIT_METRE_PER_SECOND_SQUARED,
                   .min = -INFINITY,
                   .max = INFINITY,
                   .tunable = true},
    [GRAVITY_Y] = {.name = "y",
                   .help = "gravitational acceleration y",
                   .unit = UNIT_METRE_PER_SECOND_SQUARED,
                   .min = -INFINITY,
                   .max = INFINITY,
                   .tunable = true},
};

const ElementKind gravity_kind = {
    .tag = "gravity",
    .help = "Gravitational acceleration of all bodies; none without this element.",
    .role = ROLE_SETTING,
    .setting = SETTING_GRAVITY,
    .parameters = gravity_parameters,
    .n_parameters = N_GRAVITY,
};
