#include "system/motion.h"

#include <math.h>

Jet motion_at(const Motion* motion, double t) {
    const double since = t - motion->time;
    return (Jet){.v = motion->value + since * (motion->slope + 0.5 * since * motion->bend),
                 .d = motion->slope + since * motion->bend,
                 .dd = motion->bend};
}

void motion_rest(Motion* motion, double t, double value) {
    *motion = (Motion){.value = value, .time = t};
}

// The smaller of two numbers of the same sign; of different ones zero.
static double smaller(double a, double b) { return a * b <= 0.0 ? 0.0 : fabs(a) < fabs(b) ? a : b; }

void motion_continue(Motion* motion, double t, double t_1, double value) {
    const double length = t_1 - t;
    const double secant = (value - motion_at(motion, t).v) / length;
    const double curvature = 2.0 * (secant - motion->secant) / (length + motion->length);
    const double bend = smaller(curvature, motion->curvature);
    *motion = (Motion){.value = value,
                       .slope = secant + 0.5 * length * bend,
                       .bend = bend,
                       .time = t_1,
                       .length = length,
                       .secant = secant,
                       .curvature = curvature};
}
