// Within the narrow phase of solids: two solids in one set of coordinates, the list of features
// that are picked, and what the parts of it offer each other.
#pragma once

#include "geometry/solid.h"

#include <math.h>

// Sets what a hull has beside its points, edges and faces.
void solid_finish_hull(double radius, Solid* solid);

static inline Vec3 solid_unit(Vec3 a) { return scale3(1.0 / length3(a), a); }
static inline Vec3 solid_opposite(Vec3 a) { return (Vec3){-a.x, -a.y, -a.z}; }

// --- two solids ---

// Tolerances relative to sizes. A tie: distances that rounding alone tells apart.
#define SOLID_TIE 1e-12
// Points this near, relative to the smaller solid, are one; a point this far beyond a border is
// still within it.
#define SOLID_SAME 1e-8
// Faces and edges turned by less than this (rad) against each other touch as a patch.
#define SOLID_LEAST_TILT 0.1
// Lines at a smaller angle (its sine) are taken as parallel: their common normal turns too fast.
#define SOLID_PARALLEL 0.05
// A rim that is tilted by less (rad), or by less than it may turn and an impact turn it as much
// again, has no lowest point to follow.
#define SOLID_RIM_TILT 0.05

// All in coordinates of b but for what belongs to a.
typedef struct SolidPair {
    const Solid* a;
    const Solid* b;
    bool flipped;  // a is the second of the shapes that were asked about
    Mat3 R;        // of a's coordinates: x = r + R x_a
    Vec3 r;
    double tie;     // m
    double same;    // m
    double margin;  // m, of features to list
    double sin_tilt, cos_tilt;
    double rim_tilt;  // |n - (n.k) k| below which the lowest point of a rim may change sides
    int most;
} SolidPair;

static inline Vec3 solid_from_a(const SolidPair* pair, Vec3 x) {
    return add3(pair->r, turn3(pair->R, x));
}
static inline Vec3 solid_to_a(const SolidPair* pair, Vec3 x) {
    return turn_back3(pair->R, sub3(x, pair->r));
}
static inline Vec3 solid_direction_to_a(const SolidPair* pair, Vec3 n) {
    return turn_back3(pair->R, n);
}

// The same with a and b exchanged
SolidPair solid_exchanged(const SolidPair* pair);

// One of the two, in its own coordinates, and where the other is in them
typedef struct SolidView {
    const Solid* self;
    const Solid* other;
    Mat3 R;  // of the other's coordinates: x = r + R x_other
    Vec3 r;
    Vec3 out;  // unit: towards the other
    bool self_is_a;
} SolidView;
SolidView solid_view(const SolidPair* pair, bool of_a, Vec3 n);

// --- keys ---

typedef enum SolidPart { PART_POINT, PART_EDGE, PART_FACE, PART_OTHER } SolidPart;
unsigned solid_key(SolidPart part_a, int index_a, SolidPart part_b, int index_b);

// --- the list of features ---

enum { SOLID_CANDIDATES = 40 };

typedef struct SolidList {
    const SolidPair* pair;
    Vec3 n;        // unit, from b to a: the normal of the patch
    double least;  // gap of the nearest: what is deeper is no feature of the patch
    int n_features;
    Feature features[SOLID_CANDIDATES];
    Vec3 at[SOLID_CANDIDATES];  // contact points
} SolidList;

void solid_list_begin(SolidList* list, const SolidPair* pair, Vec3 n, double least);
Feature solid_feature(const SolidPair* pair, FeatureKind kind, bool a_first, FeatureSide a,
                      FeatureSide b, double gap, unsigned key);
// Unless it is beyond the margin, deeper than the nearest, or where another one is already
void solid_list_add(SolidList* list, const Feature* feature, Vec3 at);
// The nearest feature, unless there is one with its gap already
void solid_list_add_nearest(SolidList* list, const Feature* feature, Vec3 at);
// Writes those that span the patch, at most `most`, in ascending order of gaps; how many
int solid_list_finish(SolidList* list, int most, Feature* features);
// Of features whose normals differ: those that are farthest from each other
int solid_list_finish_apart(SolidList* list, int most, Feature* features);

// --- features of points, lines and planes ---

// A point and a direction of b's coordinates as a side of a, or of b
FeatureSide solid_side(const SolidPair* pair, bool of_a, Vec3 at, Vec3 axis, double radius);
// Points x_a and x_b of the cores (both in b's coordinates), with the solids' radii; n from b to a
Feature solid_points_feature(const SolidPair* pair, Vec3 x_a, Vec3 x_b, Vec3 n, unsigned key);
// Point i of the one (its core) over face f of the other: of b if face_of_b
Feature solid_face_feature(const SolidPair* pair, bool face_of_b, int i, int f);
// Point i over edge e of the other
Feature solid_shaft_feature(const SolidPair* pair, bool edge_of_b, int i, int e, Vec3 n);
// Two edges
Feature solid_edges_feature(const SolidPair* pair, int e_a, int e_b, Vec3 n);

// --- parts of hulls ---

static inline Vec3 solid_edge_vector(const Solid* s, const SolidEdge* e) {
    return sub3(s->points[e->ends[1]], s->points[e->ends[0]]);
}
// Parameters in [0, 1] of the nearest points of the segments p + s d and q + t e
void solid_segments(Vec3 p, Vec3 d, Vec3 q, Vec3 e, double* s, double* t);
// Is the point, which is projected along the normal, within the face?
bool solid_face_covers(const Solid* s, int f, Vec3 x, double beyond);
// Do the outward normals around the edge come within the pair's tilt of the unit vector d?
bool solid_edge_faces(const SolidPair* pair, const Solid* s, const SolidEdge* e, Vec3 d);

// An edge with its arc of normals, in b's coordinates; those of a are turned round: from b to a
typedef struct SolidArc {
    Vec3 p, e;    // a point of it and its direction, of any length
    Vec3 u, v;    // the arc goes from u to v, about e
    bool circle;  // all directions perpendicular to e
    int index;
} SolidArc;
SolidArc solid_arc(const SolidPair* pair, bool of_a, int i);
// The largest n.d over the arc
double solid_arc_most(const SolidArc* arc, Vec3 d);

// --- cores apart and penetrating ---

typedef enum SolidAxisKind {
    AXIS_FACE_B,  // point i_a over face i_b
    AXIS_FACE_A,  // point i_b over face i_a
    AXIS_EDGES,   // edges i_a and i_b
    AXIS_EDGE_B,  // point i_a over edge i_b
    AXIS_EDGE_A,  // point i_b over edge i_a
    AXIS_POINTS,  // x_a and x_b
} SolidAxisKind;

typedef struct SolidAxis {
    SolidAxisKind kind;
    int i_a, i_b;
    double gap;     // of the cores
    Vec3 n;         // from b to a
    Vec3 x_a, x_b;  // of points
    unsigned key;   // of points
} SolidAxis;

// The axis on which the cores of two hulls (not both single points) are apart most, or penetrate
// least. If they are apart, nearest points.
SolidAxis solid_axis(const SolidPair* pair);
// The nearest points of the cores of two hulls, if they are apart; false if they are not.
bool solid_gjk(const SolidPair* pair, Vec3 start, SolidAxis* axis);
// Lists the features of two hulls around the normal list->n; gap: of the cores
void solid_patch(SolidList* list, double gap);

// --- pairs of kinds; how many features were written ---

int solid_near_rounds(const SolidPair* pair, Feature* features);  // of 1 or 2 points each
int solid_near_ball_hull(const SolidPair* pair, Feature* features);
int solid_near_hulls(const SolidPair* pair, Feature* features);
int solid_near_plane(const SolidPair* pair, Feature* features);
int solid_near_shaft(const SolidPair* pair, Feature* features);
int solid_near_hole(const SolidPair* pair, Feature* features);

// --- cylinders ---

// A cylinder in b's coordinates
typedef struct SolidTube {
    Vec3 c, k;  // centre and axis
    double r, h;
    bool of_a;  // whose it is
} SolidTube;

SolidTube solid_tube(const SolidPair* pair, bool of_a);
// Parts of a cylinder in keys, of PART_OTHER; end: 0 or 1, slot: 0 ... 7
enum { TUBE_SIDE = 0, TUBE_CAP = 2, TUBE_RIM = 4, TUBE_RIM_POINT = 16, TUBE_EDGE_POINT = 32 };

static inline Vec3 solid_part_along(Vec3 d, Vec3 k) { return scale3(dot3(d, k), k); }
static inline Vec3 solid_part_across(Vec3 d, Vec3 k) { return sub3(d, solid_part_along(d, k)); }
// The part of k across e, and their product, both unit: of all but parallel ones without
// cancellation
static inline Vec3 solid_apart(Vec3 k, Vec3 e) {
    return dot3(k, e) < 0.0 ? add3(k, e) : sub3(k, e);
}
static inline Vec3 solid_unit_across(Vec3 k, Vec3 e) {
    return solid_part_across(solid_apart(k, e), e);
}
static inline Vec3 solid_unit_cross(Vec3 k, Vec3 e) { return cross3(solid_apart(k, e), e); }
// The largest product of a point of it, relative to its centre, with the unit vector n, and such a
// point (in the world of b, not relative)
double solid_tube_support(const SolidTube* t, Vec3 n);
Vec3 solid_tube_first(const SolidTube* t, Vec3 n);
// The point of it that is nearest to x, which may be x itself
Vec3 solid_tube_nearest(const SolidTube* t, Vec3 x);
// Two directions across the axis, fixed to the cylinder
void solid_tube_across(const SolidPair* pair, const SolidTube* t, Vec3 across[2]);

// A plane below a cylinder: of b, or a face of a hull
typedef struct SolidFloor {
    Vec3 p, n;          // with the rounding radius of the hull; n towards the cylinder
    const Solid* hull;  // whose face it is, or NULL
    int face;
    const SolidTube* tube;  // whose end it is, or NULL
} SolidFloor;
// Lists what of the cylinder is low over the floor, within the face.
void solid_add_floor(SolidList* list, const SolidTube* t, const SolidFloor* floor);
// The lowest point of the cylinder as a feature, beside all borders
Feature solid_floor_feature(const SolidPair* pair, const SolidTube* t, const SolidFloor* floor);

// Of the gap along the normals n around a line with direction e (unit) through p, of a cylinder,
//     n.(p - c) - h(n),
// the largest local maximum on the arc; false if there is none
bool solid_tube_arc(const SolidTube* t, const SolidArc* arc, Vec3* n, double* gap);

// Two cylinders in each other: the direction n, from b to a, in which their depth is least; false
// if none is less than the one known
bool solid_least_depth(const SolidPair* pair, const SolidTube* a, const SolidTube* b, double known,
                       Vec3* n);

int solid_near_cylinder(const SolidPair* pair, Feature* features);
int solid_near_cylinder_hull(const SolidPair* pair, Feature* features);
int solid_near_cylinders(const SolidPair* pair, Feature* features);
int solid_near_cylinder_hole(const SolidPair* pair, Feature* features);
