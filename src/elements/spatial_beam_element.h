// One finite element of a beam of space: strains, forces and their derivatives. The derivation is
// in spatial_beam.c.
#pragma once

#include "elements/beam_element.h"
#include "elements/spatial_node.h"

enum { SPATIAL_ELEMENT_SIZE = SPATIAL_NU * BEAM_MOST_NODES };  // velocities

typedef struct SpatialBeamSection {
    Vec3 C[2];   // stiffnesses (EA, GA_y, GA_z) and (GJ, EI_y, EI_z)
    double m;    // mass per length
    Vec3 J;      // moments of inertia per length
    double tau;  // damping
} SpatialBeamSection;

typedef struct SpatialBeamMesh {
    int n;          // elements
    int order;      // nodes of one, less one
    int reference;  // the node of an element from which rotations are measured
    double h;       // length of one
    Vec3 K_0;       // curvature and twist of the relaxed beam
} SpatialBeamMesh;

// One point of integration: shape functions, and the strains (Gamma, K) of the relaxed beam
typedef struct SpatialBeamPoint {
    BeamPoint shape;
    Vec3 relaxed[2];
} SpatialBeamPoint;

// What strains at a point are functions of: e = (R_c^T r', Phi, Phi')
enum { SPATIAL_Y, SPATIAL_PHI, SPATIAL_PHI_S, SPATIAL_N_E };

// An element as seen from its reference node c
typedef struct SpatialBeamElement {
    int n_nodes, reference;
    Mat3 R;                       // of the reference
    Vec3 Omega[BEAM_MOST_NODES];  // of the nodes
    Vec3 y[BEAM_MOST_NODES];      // R_c^T (r_i - r_c)
    Vec3 y_v[BEAM_MOST_NODES];    // R_c^T (v_i - v_c)
    Vec3 Phi[BEAM_MOST_NODES];    // rotation vectors of R_c^T R_i
    Vec3 Phi_t[BEAM_MOST_NODES];  // and their rates
} SpatialBeamElement;

// What a cross section has at a point of integration
typedef struct SpatialBeamStation {
    Vec3 strain[2];  // Gamma, K
    Vec3 change[2];  // since the beam was relaxed
    Vec3 rate[2];
    Vec3 stress[2];  // force, moment
} SpatialBeamStation;

// Where the relaxed beam is, from its first end and along the axes there; s may be negative
Vec3 spatial_beam_relaxed_place(const SpatialBeamMesh* mesh, double s);
// The points of integration, which are those of every element, and how many they are
int spatial_beam_points(const SpatialBeamMesh* mesh, SpatialBeamPoint* points);
SpatialBeamElement spatial_beam_element(const BodyView* b, const SpatialBeamMesh* mesh, int k);
SpatialBeamStation spatial_beam_station(const SpatialBeamElement* element,
                                        const SpatialBeamSection* section,
                                        const SpatialBeamPoint* p);
// Adds the forces of strains and damping to h (SPATIAL_NU per node of the element).
void spatial_beam_add_forces(const SpatialBeamElement* element, const SpatialBeamSection* section,
                             const SpatialBeamPoint* points, int n_points, double* h);
// Adds k dh/dq + d dh/du of these to a block (n x n) in the velocities of the element's nodes.
void spatial_beam_add_tangent(const SpatialBeamElement* element, const SpatialBeamSection* section,
                              const SpatialBeamPoint* points, int n_points, double k, double d,
                              int n, double* block);
// The frame of a point where the shape functions are N (between nodes), and the rows A (n_nodes) of
// its Omega in those of the nodes; and as they change along the displacement (or, if velocity, the
// change of velocity) j of the element's nodes.
void spatial_beam_point(const SpatialBeamElement* element, const double* N, Frame* frame, Mat3* A);
void spatial_beam_point_dual(const SpatialBeamElement* element, const double* N, int j,
                             bool velocity, DualFrame* frame, DualMat3* A);
