// The SI units of everything a user can see, in Modelica spelling, with their base-unit exponents.
#pragma once

typedef struct Unit {
    const char* name;           // "N.m"
    signed char kg, m, s, rad;  // exponents of the base units
    const char* display_name;   // customary unit, NULL if none: "deg"
    double display_factor;      // value in display unit = factor * value in SI
    const char* quantity;       // name of what is measured in it: "Torque"
    const char* help;
} Unit;

typedef enum UnitId {
    UNIT_ONE,  // dimensionless
    UNIT_KILOGRAM,
    UNIT_METRE,
    UNIT_SECOND,
    UNIT_RADIAN,
    UNIT_METRE_PER_SECOND,
    UNIT_RADIAN_PER_SECOND,
    UNIT_METRE_PER_SECOND_SQUARED,
    UNIT_RADIAN_PER_SECOND_SQUARED,
    UNIT_KILOGRAM_METRE_SQUARED,
    UNIT_NEWTON,
    UNIT_NEWTON_METRE,
    UNIT_NEWTON_SECOND,
    UNIT_NEWTON_METRE_SECOND,
    UNIT_NEWTON_PER_METRE,
    UNIT_NEWTON_SECOND_PER_METRE,
    UNIT_NEWTON_METRE_PER_RADIAN,
    UNIT_NEWTON_METRE_SECOND_PER_RADIAN,
    UNIT_JOULE,
    UNIT_METRE_SQUARED,
    UNIT_PASCAL,
    UNIT_KILOGRAM_PER_CUBIC_METRE,
    UNIT_HERTZ,
    UNIT_NEWTON_METRE_SQUARED,
    UNIT_KILOGRAM_PER_METRE,
    UNIT_KILOGRAM_METRE,
    UNIT_RADIAN_PER_METRE,
    UNIT_KILOGRAM_PER_SQUARE_METRE,
    UNIT_COUNT
} UnitId;

// Never NULL for a valid id; the name of UNIT_ONE is "1".
const Unit* unit_get(UnitId id);

// The unit of that name, or UNIT_COUNT if there is none.
UnitId unit_find(const char* name);
