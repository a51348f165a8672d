// What all beams of the plane have in common beside their parameters: outputs, points on the axis,
// how they are drawn.
#pragma once

#include "elements/beam_parameters.h"

enum { BEAM_FIRST_END, BEAM_LAST_END = 6, BEAM_STRAIN_ENERGY = 12, N_BEAM_OUTPUTS };
extern const OutputInfo beam_outputs[N_BEAM_OUTPUTS];
enum { N_BEAM_PLACES = 6 };  // x, y and angle of the first end, then of the last
extern const int beam_places[N_BEAM_PLACES];

// Which of n elements of length h X lies in, and where in it (0 ... 1); -1: in none. Within a
// rounding of one of the element's nodes, which divide it into order parts, it is the node.
int beam_locate(int n, double h, int order, double X, double* x);
// The stresses in the outer fibres of a cross section, from the other entries of y
// (N_SECTION_OUTPUTS)
void beam_stresses(const double* par, double* y);
// BodyFunctions.line. A beam without a cross section is as thick as a rectangle of its stiffnesses.
void beam_line(const double* par, double s, Vec3* X, double* radius);
int beam_pieces(const double* par);  // BodyFunctions.pieces: elements
// A cubic curve from end to end, in the directions that the places y (N_BEAM_PLACES) give them: its
// point at x, 0 at the first end and 1 at the last
Vec2 beam_between_ends(const double* par, const double* y, double x);
