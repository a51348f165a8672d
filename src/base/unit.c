#include "base/unit.h"

#include <stddef.h>

#include <string.h>

static const double DEGREES = 57.295779513082320877;  // 180/pi
static const double RPM = 9.5492965855137201461;      // 30/pi

const Unit* unit_get(UnitId id) {
    static const Unit units[UNIT_COUNT] = {
        [UNIT_ONE] = {"1", 0, 0, 0, 0, NULL, 0},
        [UNIT_KILOGRAM] = {"kg", 1, 0, 0, 0, NULL, 0},
        [UNIT_METRE] = {"m", 0, 1, 0, 0, "mm", 1e3},
        [UNIT_SECOND] = {"s", 0, 0, 1, 0, NULL, 0},
        [UNIT_RADIAN] = {"rad", 0, 0, 0, 1, "deg", DEGREES},
        [UNIT_METRE_PER_SECOND] = {"m/s", 0, 1, -1, 0, NULL, 0},
        [UNIT_RADIAN_PER_SECOND] = {"rad/s", 0, 0, -1, 1, "rev/min", RPM},
        [UNIT_METRE_PER_SECOND_SQUARED] = {"m/s2", 0, 1, -2, 0, NULL, 0},
        [UNIT_RADIAN_PER_SECOND_SQUARED] = {"rad/s2", 0, 0, -2, 1, NULL, 0},
        [UNIT_KILOGRAM_METRE_SQUARED] = {"kg.m2", 1, 2, 0, 0, NULL, 0},
        [UNIT_NEWTON] = {"N", 1, 1, -2, 0, NULL, 0},
        [UNIT_NEWTON_METRE] = {"N.m", 1, 2, -2, 0, NULL, 0},
        [UNIT_NEWTON_SECOND] = {"N.s", 1, 1, -1, 0, NULL, 0},
        [UNIT_NEWTON_PER_METRE] = {"N/m", 1, 0, -2, 0, NULL, 0},
        [UNIT_NEWTON_SECOND_PER_METRE] = {"N.s/m", 1, 0, -1, 0, NULL, 0},
        [UNIT_NEWTON_METRE_PER_RADIAN] = {"N.m/rad", 1, 2, -2, -1, NULL, 0},
        [UNIT_NEWTON_METRE_SECOND_PER_RADIAN] = {"N.m.s/rad", 1, 2, -1, -1, NULL, 0},
        [UNIT_JOULE] = {"J", 1, 2, -2, 0, NULL, 0},
    };
    return &units[id];
}

UnitId unit_find(const char* name) {
    int id = 0;
    while (id < UNIT_COUNT && strcmp(unit_get((UnitId)id)->name, name) != 0) {
        id++;
    }
    return (UnitId)id;
}
