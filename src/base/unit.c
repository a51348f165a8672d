#include "base/unit.h"

#include <stddef.h>
#include <string.h>

static const double DEGREES = 57.295779513082320877;  // 180/pi
static const double RPM = 9.5492965855137201461;      // 30/pi

const Unit* unit_get(UnitId id) {
    static const Unit units[UNIT_COUNT] = {
        [UNIT_ONE] = {"1", 0, 0, 0, 0, NULL, 0, "Dimensionless", "A number without dimension"},
        [UNIT_KILOGRAM] = {"kg", 1, 0, 0, 0, NULL, 0, "Mass", "A mass"},
        [UNIT_METRE] = {"m", 0, 1, 0, 0, "mm", 1e3, "Length",
                        "A length or a coordinate of a position"},
        [UNIT_SECOND] = {"s", 0, 0, 1, 0, NULL, 0, "Time", "A time or a duration"},
        [UNIT_RADIAN] = {"rad", 0, 0, 0, 1, "deg", DEGREES, "Angle",
                         "An angle, positive counterclockwise"},
        [UNIT_METRE_PER_SECOND] = {"m/s", 0, 1, -1, 0, NULL, 0, "Velocity", "A velocity"},
        [UNIT_RADIAN_PER_SECOND] = {"rad/s", 0, 0, -1, 1, "rev/min", RPM, "AngularVelocity",
                                    "An angular velocity"},
        [UNIT_METRE_PER_SECOND_SQUARED] = {"m/s2", 0, 1, -2, 0, NULL, 0, "Acceleration",
                                           "An acceleration"},
        [UNIT_RADIAN_PER_SECOND_SQUARED] = {"rad/s2", 0, 0, -2, 1, NULL, 0, "AngularAcceleration",
                                            "An angular acceleration"},
        [UNIT_KILOGRAM_METRE_SQUARED] = {"kg.m2", 1, 2, 0, 0, NULL, 0, "MomentOfInertia",
                                         "A moment of inertia"},
        [UNIT_NEWTON] = {"N", 1, 1, -2, 0, NULL, 0, "Force", "A force"},
        [UNIT_NEWTON_METRE] = {"N.m", 1, 2, -2, 0, NULL, 0, "Torque", "A torque"},
        [UNIT_NEWTON_SECOND] = {"N.s", 1, 1, -1, 0, NULL, 0, "Impulse",
                                "A percussion: the integral of a force over a step"},
        [UNIT_NEWTON_METRE_SECOND] = {"N.m.s", 1, 2, -1, 0, NULL, 0, "AngularImpulse",
                                      "The integral of a torque over a step"},
        [UNIT_NEWTON_PER_METRE] = {"N/m", 1, 0, -2, 0, NULL, 0, "Stiffness",
                                   "The stiffness of a spring"},
        [UNIT_NEWTON_SECOND_PER_METRE] = {"N.s/m", 1, 0, -1, 0, NULL, 0, "Damping",
                                          "The coefficient of a damper"},
        [UNIT_NEWTON_METRE_PER_RADIAN] = {"N.m/rad", 1, 2, -2, -1, NULL, 0, "RotationalStiffness",
                                          "The stiffness of a torsion spring"},
        [UNIT_NEWTON_METRE_SECOND_PER_RADIAN] = {"N.m.s/rad", 1, 2, -1, -1, NULL, 0,
                                                 "RotationalDamping",
                                                 "The coefficient of a torsion damper"},
        [UNIT_JOULE] = {"J", 1, 2, -2, 0, NULL, 0, "Energy", "An energy"},
        [UNIT_METRE_SQUARED] = {"m2", 0, 2, 0, 0, NULL, 0, "Area", "An area"},
        [UNIT_PASCAL] = {"Pa", 1, -1, -2, 0, NULL, 0, "Stress", "A stress or elastic modulus"},
        [UNIT_KILOGRAM_PER_CUBIC_METRE] = {"kg/m3", 1, -3, 0, 0, NULL, 0, "Density", "A density"},
        [UNIT_HERTZ] = {"Hz", 0, 0, -1, 0, NULL, 0, "Frequency", "A frequency"},
        [UNIT_NEWTON_METRE_SQUARED] = {"N.m2", 1, 3, -2, 0, NULL, 0, "BendingStiffness",
                                       "The stiffness of a cross section in bending"},
        [UNIT_KILOGRAM_PER_METRE] = {"kg/m", 1, -1, 0, 0, NULL, 0, "LinearDensity",
                                     "A mass per length"},
        [UNIT_KILOGRAM_METRE] = {"kg.m", 1, 1, 0, 0, NULL, 0, "LinearInertia",
                                 "A moment of inertia per length"},
        [UNIT_RADIAN_PER_METRE] = {"rad/m", 0, -1, 0, 1, NULL, 0, "Curvature", "A curvature"},
        [UNIT_KILOGRAM_PER_SQUARE_METRE] = {"kg/m2", 1, -2, 0, 0, NULL, 0, "ArealDensity",
                                            "A mass per area"},
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
