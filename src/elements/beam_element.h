// One finite element of a beam of the plane: shape functions, strains and the forces that belong to
// them. The derivation is in beam.c.
#pragma once

#include "elements/element.h"
#include "linalg/vec2.h"

enum { BEAM_NODE = 3 };  // coordinates of a node: of its displacement and rotation
enum { BEAM_MOST_NODES = 3, BEAM_MOST_POINTS = 2 };  // of an element

typedef struct BeamSection {
    double EA, GA, EI;  // stiffnesses
    double m, J;        // mass and moment of inertia per length
    double tau;         // damping
} BeamSection;

typedef struct BeamMesh {
    int n;         // elements
    int order;     // nodes of one, less one
    double h;      // length of one
    double c, s;   // direction of the relaxed beam at its first end
    double angle;  // of that direction
    double kappa;  // and its curvature
} BeamMesh;

// One point of integration: the shape functions there, which are those of every element
typedef struct BeamPoint {
    double w;  // weight, with the length
    double N[BEAM_MOST_NODES], N_s[BEAM_MOST_NODES];
} BeamPoint;

// Where they are in an element, 0 ... 1, by its order: (1 -+ 1/sqrt 3) / 2
static const double BEAM_GAUSS[BEAM_MOST_POINTS][BEAM_MOST_POINTS] = {
    {0.5}, {0.21132486540518711775, 0.78867513459481288225}};

// What strains are functions of: e = (d_x', d_y', vartheta, vartheta'), and its time derivative
enum { BEAM_X, BEAM_Y, BEAM_THETA, BEAM_KAPPA, BEAM_N_E };
typedef struct BeamStrains {
    double Gamma_1, Gamma_2, kappa;
} BeamStrains;
typedef struct BeamStation {
    double c, s;  // of theta
    BeamStrains strain;
    BeamStrains change;  // since the beam was relaxed
    BeamStrains rate;
    double theta_t;
    double N, Q, M;
} BeamStation;

// r_0(s): where the relaxed beam is, from its first end
Vec2 beam_relaxed_place(const BeamMesh* mesh, double s);
// Shape functions and their derivatives in s at x, which is 0 at the first node of an element of
// length h and 1 at the last
void beam_shape_functions(int order, double x, double h, double* N, double* N_s);
// Integrals of products of two shape functions over an element of length 1
static inline const double* beam_mass_pattern(int order) {
    static const double linear[] = {2.0 / 6, 1.0 / 6, 1.0 / 6, 2.0 / 6};
    static const double quadratic[] = {4.0 / 30, 2.0 / 30,  -1.0 / 30, 2.0 / 30, 16.0 / 30,
                                       2.0 / 30, -1.0 / 30, 2.0 / 30,  4.0 / 30};
    return order == 1 ? linear : quadratic;
}
// What point of integration i of an element has in the line through all of them, at x
double beam_linear_share(int n_points, int i, double x);
// The points of integration of strains, and how many they are
int beam_points(const BeamMesh* mesh, BeamPoint* points);
// Strains and forces at point p of element k; rates: are those of strains wanted, though nothing
// damps them?
BeamStation beam_station(const BodyView* b, const BeamMesh* mesh, const BeamSection* section,
                         const BeamPoint* p, int k, bool rates);
// The forces that belong to e: of its variation, the power is g . de
void beam_conjugate_forces(const BeamStation* x, double* g);
// k dg/de + d dg/d(e_t)
void beam_conjugate_tangent(const BeamStation* x, const BeamSection* section, double k, double d,
                            double g_e[BEAM_N_E][BEAM_N_E]);
// Adds -w S^T g_e S to the block of an element, S being e in its nodes' values; symmetric: to what
// is above the diagonal, and whatever beside it.
void beam_add_stiffness(const BeamMesh* mesh, const BeamPoint* p, double g_e[BEAM_N_E][BEAM_N_E],
                        bool symmetric, double* block);
