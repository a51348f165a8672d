// The kinds of bodies.
#pragma once

#include "elements/element.h"

// kg m2: that of the least mass, 1e-12 kg, a micrometre away from the axis
#define LEAST_MOMENT_OF_INERTIA 1e-24

extern const ElementKind point_mass_kind;
extern const ElementKind planar_body_kind;
extern const ElementKind spatial_body_kind;
extern const ElementKind ground_kind;
extern const ElementKind driven_frame_kind;
extern const ElementKind elastic_bar_kind;
extern const ElementKind beam_kind;
extern const ElementKind spline_beam_kind;
extern const ElementKind spatial_beam_kind;

// The weight of a body whose first n velocities are those of its centre of mass: its forces, and
// its energy for positions x (n) or the rate of that for velocities x.
void weight_forces(double mass, const double* gravity, int n, double* h);
double weight_work(double mass, const double* gravity, int n, const double* x);
