// The active laws of a step on velocity level: friction in joints, and the contacts whose forecast
// gap is closed. Those that pressed in the last step stay active (solver.keep_active), so that
// rounding in a gap of zero does not let a resting body fall for a step.
#pragma once

#include "schemes/velocity_step.h"

// The forecast gap of a contact; no contact is closed without one.
typedef double (*GapForecast)(const VelocityStep* step, int law);
#define NO_CONTACTS ((GapForecast)NULL)
// PR (61): g_n + forecast dt U_n
double forecast_explicit(const VelocityStep* step, int law);
// PR (62): g_n + dt (theta U_free + (1-theta) U_n), U_free at the step's end instant, where the
// motion without contacts ends
double forecast_free(const VelocityStep* step, int law);
// PR (66): closed if it is active already or g_1 <= 0
double forecast_at_end(const VelocityStep* step, int law);
// None closes but those that pressed in the last step.
double forecast_open(const VelocityStep* step, int law);
// Does the choice depend on the motion without contacts? That of (62) does, unless all contacts
// pressed in the last step and stay active: then there is nothing to forecast.
bool activation_needs_free_motion(const VelocityStep* step);

// Makes the laws active.
void activation_choose(const VelocityStep* step, GapForecast forecast);
// Adds contacts to the choice; false if there are none to add.
bool activation_add_contacts(const VelocityStep* step, GapForecast forecast);

// The laws by solver.activation, and the first Newton update with them. The free motion of (62) is
// that of an update without contacts, which is the step's own if it closes none.
MUST_CHECK Status activation_update(VelocityStep* step, SolveInfo* info);
