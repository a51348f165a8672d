// Strains and forces of a beam on B-splines at one point of integration. The derivation is in
// spline_beam.c.
#pragma once

#include "elements/spline_mesh.h"

// What strains are functions of: e = (d_x', d_y', d_x'', d_y''), and its time derivative
enum { SPLINE_S, SPLINE_SS = SPLINE_S + SPLINE_AXES, SPLINE_N_E = SPLINE_SS + SPLINE_AXES };

typedef struct SplineStation {
    Vec2 r_s;                          // r'
    double stretch;                    // |r'|
    double kappa;                      // theta'
    double eps_change, kappa_change;   // since the beam was relaxed
    double eps_rate, kappa_rate;       // time derivatives
    double eps_e[SPLINE_N_E];          // derivatives in e
    double kappa_e[SPLINE_N_E];        // ...
    double eps_rate_e[SPLINE_N_E];     // of the rates, at constant e_t
    double kappa_rate_e[SPLINE_N_E];   // ...
    double eps_taken, eps_rate_taken;  // the stretch that makes the force (SplineStretch)
    double N, M;                       // force and moment
} SplineStation;

// The stretch that makes the force at a point: by the share own that of the point itself, else its
// mean over the element
typedef struct SplineStretch {
    double own;
    double mean, mean_rate;
} SplineStretch;

// Strains and forces at the points of integration of element k; x (mesh->n_points)
SplineStretch spline_element(const BodyView* b, const SplineMesh* mesh, const BeamSection* section,
                             int k, SplineStation* x);
// At any point of element k (spline_mesh_point)
SplineStation spline_station(const BodyView* b, const SplineMesh* mesh, const BeamSection* section,
                             const double* point, int k);
// The forces that belong to e: of its variation, the power is g . de
void spline_conjugate_forces(const SplineStation* x, double* g);
// k dg/de + d dg/d(e_t), the mean stretch being as it is
void spline_conjugate_tangent(const SplineStation* x, const BeamSection* section, double own,
                              double k, double d, double g_e[SPLINE_N_E][SPLINE_N_E]);
