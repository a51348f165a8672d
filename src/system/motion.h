// The continuous motion that is made of an input or parameter where it prescribes a position and
// jumps from value to value between steps of the user: a row of parabolas, each from where the last
// one ended to the value set before the step, which it reaches at the end of the step.
//
// A parabola's second derivative is that of the last three values, or of the three before them if
// that is smaller, or zero if the two differ in sign. So values of a smooth function give a motion
// whose velocity is nearly continuous and of second order, and whose acceleration is of first
// order; while from rest, and after a jump, the motion is straight, stands still if a value is
// kept, and does not go beyond it.
#pragma once

#include "elements/element.h"

typedef struct Motion {
    double value, slope, bend;  // and derivatives, at the end
    double time;                // of the end
    double length;              // in time
    double secant, curvature;   // mean slope, and its change from that of the parabola before
} Motion;

// Value and derivatives at a time up to the end.
Jet motion_at(const Motion* motion, double t);
// It rests at a value from t on.
void motion_rest(Motion* motion, double t, double value);
// It goes on from t to a value at t_1.
void motion_continue(Motion* motion, double t, double t_1, double value);
