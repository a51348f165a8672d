// The elements of a beam on B-splines: its relaxed curve and the tables that follow from the
// parameters alone (BodyFunctions.prepare). The derivation is in spline_beam.c.
#pragma once

#include "elements/beam_parameters.h"
#include "elements/spline.h"

// Parameters beside those that all beams have
enum { SPLINE_DEGREE = N_BEAM_COMMON, SPLINE_GAUSS_POINTS, N_SPLINE_PARAMETERS };

enum { SPLINE_AXES = 2 };  // coordinates of a control point
enum { SPLINE_BLOCK = SPLINE_AXES * SPLINE_MAX_FUNCTIONS };

// What the constants have of one point of integration: weight with the length, r_0', r_0'', |r_0'|,
// kappa_0, then N' and N'' of the functions of its element
enum {
    POINT_WEIGHT,
    POINT_R_S,
    POINT_R_SS = POINT_R_S + SPLINE_AXES,
    POINT_STRETCH = POINT_R_SS + SPLINE_AXES,
    POINT_KAPPA,
    POINT_FUNCTIONS,
    POINT_MAX_SIZE = POINT_FUNCTIONS + 2 * SPLINE_MAX_FUNCTIONS
};

typedef struct SplineMesh {
    int n, degree;      // elements, and the degree of their functions
    int n_points;       // of integration, in each
    bool mean_stretch;  // forces follow from the mean stretch of elements, so that they do not lock
    int n_control;      // control points
    double h;           // length of an element
    int stride;         // numbers of a point of integration
    // Where tables begin among the constants:
    int r_0;    // (n_control x 2) control points of the relaxed curve from its first end
    int angle;  // (n + 1) angle of the relaxed curve at the ends of elements, not reduced to a turn
    int share;  // (n_control) integrals of the functions
    int mass;   // (n x functions x functions) integrals of products of two of them, by element
    int points;  // (n x n_points x stride)
    int band;    // (n_control x (2 degree + 1)) scratch of spline_mesh_prepare
    int total;
} SplineMesh;

SplineMesh spline_mesh(const double* par);
int spline_mesh_size(const double* par);  // BodyFunctions.n_constants
const char* spline_mesh_prepare(const double* par, const Expression* function, double* constants);

// The same (point) for x, 0 ... 1, of element k, without a weight
void spline_mesh_point(const SplineMesh* mesh, const double* constants, int k, double x,
                       double* point);

static inline int spline_functions_of(const SplineMesh* mesh) { return mesh->degree + 1; }
static inline const double* spline_point(const SplineMesh* mesh, const double* constants, int k,
                                         int p) {
    return constants + mesh->points + (k * mesh->n_points + p) * mesh->stride;
}

// The vector sum of N_i x_i over the functions of element k, x (n_control x 2)
static inline Vec2 spline_sum(const SplineMesh* mesh, const double* N, int k, const double* x) {
    Vec2 sum = {0.0, 0.0};
    const double* x_k = x + SPLINE_AXES * k;
    for (int i = 0; i <= mesh->degree; i++) {
        sum.x += N[i] * x_k[SPLINE_AXES * i];
        sum.y += N[i] * x_k[SPLINE_AXES * i + 1];
    }
    return sum;
}
