// Shapes of space: a convex polyhedron, or a segment or point, with a rounding radius around it;
// finite cylinders; and those without end.
#pragma once

#include "geometry/feature.h"

typedef enum SolidKind {
    SOLID_HULL,      // points, edges and faces, and what is within radius of them: sphere, capsule,
                     // box, hull
    SOLID_CYLINDER,  // flat ends, at half_length along the axis from the centre
    SOLID_PLANE,     // a half-space: axis is its outward normal
    SOLID_SHAFT,     // a cylinder without ends
    SOLID_BORE,      // a cylindrical hole without ends
    SOLID_HOLLOW,    // a spherical hole
} SolidKind;

typedef struct SolidEdge {
    int ends[2];   // points
    int faces[2];  // on its left and right as it goes from its first to its second end; -1: none
} SolidEdge;

typedef struct SolidFace {
    Vec3 normal;    // outward, unit
    double offset;  // normal . x of its points
    int first, n;   // its points, counter-clockwise seen from outside: face_points[first ...]
} SolidFace;

typedef struct Solid {
    SolidKind kind;
    double radius;       // rounding, or of the cylinder, hole ...; 0 of sharp ones
    Vec3 centre, axis;   // of those that have them
    double half_length;  // of a cylinder
    // of a hull:
    Vec3* points;  // (n_points)
    SolidEdge* edges;
    SolidFace* faces;
    int* face_points;  // of all faces
    int n_points, n_edges, n_faces;
    // around all of it, if it is finite
    Vec3 middle;
    double reach;
} Solid;

// Room for the hull of n points: points n, edges and faces as these; face_points 2 * edges.
static inline int solid_most_edges(int n_points) { return n_points < 4 ? 3 : 3 * n_points - 6; }
static inline int solid_most_faces(int n_points) { return n_points < 4 ? 2 : 2 * n_points - 4; }

// The convex hull of points, which must span a volume; coplanar triangles are joined to one face,
// points within it are left out. Deterministic. NULL, or in words what is wrong with the points.
// solid has room for the hull of n points, which are not its own array.
const char* solid_hull(int n, const Vec3* points, double radius, Solid* solid);
// A box with its centre, axes (orthonormal) and sizes: room for 8 points. A capsule: 2. A
// sphere: 1.
void solid_box(Vec3 centre, Mat3 axes, Vec3 sizes, Solid* solid);
void solid_capsule(Vec3 a, Vec3 b, double radius, Solid* solid);
void solid_sphere(Vec3 centre, double radius, Solid* solid);
void solid_cylinder(Vec3 centre, Vec3 axis, double radius, double length, Solid* solid);
void solid_plane(Vec3 at, Vec3 normal, Solid* solid);
void solid_shaft(Vec3 at, Vec3 axis, double radius, Solid* solid);
void solid_bore(Vec3 at, Vec3 axis, double radius, Solid* solid);
void solid_hollow(Vec3 centre, double radius, Solid* solid);

// Volume, centre of volume and the second moments of volume about it, integral of (x - c)(x - c)^T,
// of finite solids
typedef struct SolidMoments {
    double volume;
    Vec3 centre;
    Mat3 second;
} SolidMoments;
SolidMoments solid_moments(const Solid* solid);
// The largest product of a point of a finite solid with the unit vector d, in its coordinates
double solid_support(const Solid* solid, Vec3 d);

// The features of two solids (not both infinite) that are nearest: a small set that spans the patch
// in which they touch or are about to, in ascending order of their gaps; how many. If the shapes
// are apart, the first has their distance as its gap; if they penetrate, minus the depth by which
// one has to be moved to part them; in a hole, the gap of the point that is nearest to the wall or
// beyond it most. At most four, in a hole eight. Two infinite ones have none.
int solid_near(const Solid* a, const Placement* place_a, const Solid* b, const Placement* place_b,
               const NearOptions* options, Feature* features);
