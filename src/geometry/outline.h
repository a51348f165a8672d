// Shapes of the plane as what bounds them: straight and round parts, and the corners between them.
// All shapes of the plane are outlines: a point is one corner, a circle one round part, a ring one
// hollow part, a line one straight part without ends; smooth curves are made of arcs, whose
// features are then those of the curve (smooth_curve.h).
#pragma once

#include "geometry/feature.h"
#include "linalg/vec2.h"

typedef enum OutlinePartKind {
    OUTLINE_STRAIGHT,
    OUTLINE_ROUND,   // an arc that bulges out; a corner if its radius is 0
    OUTLINE_HOLLOW,  // an arc that bulges in: others touch it from inside its circle
} OutlinePartKind;

// Outward normals go from "from" to "to", counter-clockwise as the outline does (of a hollow part,
// whose normals point to its centre, the other way round).
typedef struct OutlinePart {
    OutlinePartKind kind;
    bool whole;     // without ends: a whole circle, a point, a line
    Vec2 at;        // centre; of a straight part where it begins (without ends: any point of it)
    double radius;  // of arcs; 0: a corner
    double length;  // of a straight part, which goes from at along its normal turned left
    Vec2 from, to;  // unit normals at its beginning and end; of a straight part the same
    bool inward;  // a corner at which the solid side has more than 180 degrees: nothing touches it
} OutlinePart;

typedef struct Outline {
    OutlinePart*
        parts;  // (n) along the outline, the solid side on the left; corners between others
    int n;
    bool closed;  // the parts go round a solid; otherwise inside means nothing
    bool convex;  // without hollow parts and inward corners, and not infinite; points and segments
                  // without thickness are convex but not closed
    bool infinite;              // goes on without end, or is solid outside (lines, rings)
    Vec2 centre;                // of a circle around it, if it is not infinite
    double reach;               // its radius
    const SmoothCurve* smooth;  // the smooth curve that the parts stand for; NULL: there is none.
                                // An infinite one has no parts until something is near it
    const double* stations;  // (n_stations) the curve's parameters at which its first parts begin
                             // and the last of these ends
    int n_stations;
} Outline;

// One step of a path around an outline: to a point, straight or along an arc.
typedef struct OutlineStep {
    Vec2 to;
    double bulge;  // of an arc: its radius; > 0 turns left on the way (bulges out of a path that
                   // goes counter-clockwise), < 0 turns right; 0: straight
    bool large;    // of an arc: the longer one of the two that there are
} OutlineStep;

// The most parts that a path of n steps makes.
static inline int outline_most_parts(int n_steps) { return 2 * n_steps; }

// The outline of a closed path, whose last step ends where the first one begins. It may be given in
// either sense; parts (outline_most_parts) are turned to counter-clockwise. Corners between parts
// that go on smoothly (within 1e-9 rad) are left out. NULL, or in words what is wrong: fewer than
// two steps, steps of no length, arcs too small for their ends, a path that crosses or touches
// itself, an area of nothing.
const char* outline_from_path(int n_steps, const OutlineStep* steps, OutlinePart* parts,
                              Outline* outline);

// The others; parts has the room that is said.
void outline_point(Vec2 at, OutlinePart parts[1], Outline* outline);
void outline_circle(Vec2 centre, double radius, OutlinePart parts[1], Outline* outline);
void outline_ring(Vec2 centre, double radius, OutlinePart parts[1], Outline* outline);
void outline_line(Vec2 at, Vec2 normal, OutlinePart parts[1], Outline* outline);
// A segment between two points, with round ends where it has a thickness; without one it has two
// sides and two corners. false: the points coincide.
bool outline_segment(Vec2 a, Vec2 b, double thickness, OutlinePart parts[4], Outline* outline);
// An arc that is a thin curved wall, solid on neither side, about a centre from an angle to a
// larger one, at most a turn; round ends and both sides at half the thickness, which must be > 0
// and smaller than twice the radius. A whole turn has no ends.
void outline_arc(Vec2 centre, double radius, double from, double to, double thickness,
                 OutlinePart parts[4], Outline* outline);

// The closed outline of arcs with matching tangents that stands for a closed smooth, over one
// period from s = 0. parts has room for OUTLINE_SMOOTH_PARTS, stations for one more. NULL, or in
// words what is wrong: the curve is not finite, or has kinks or more detail than so many arcs have.
enum { OUTLINE_SMOOTH_PARTS = 1024 };
const char* outline_from_smooth(const SmoothCurve* smooth, OutlinePart* parts, double* stations,
                                Outline* outline);

// Is a point within a closed outline?
bool outline_contains(const Outline* outline, Vec2 x);
// Of a closed outline; those of a smooth curve itself
OutlineMoments outline_moments(const Outline* outline);
// How far the outline reaches in a direction: the largest product of a point of it with the unit
// vector d, in the outline's coordinates; INFINITY of infinite ones
double outline_support(const Outline* outline, Vec2 d);

// The features of two outlines (of two infinite ones, one at least a smooth curve) with gaps of the
// margin at the most, or the nearest one if there are none, most at the most; how many. If the
// shapes are apart, the first has their distance as its gap. If they are convex and penetrate, the
// first has minus the depth by which one has to be moved to part them; if one is not convex, the
// gap of the deepest corner or arc, or, if they lie in each other so deep that no corner or arc of
// one faces what it has gone through, minus a way along which they part (outline_overlap.h). So
// outlines that overlap by more than 1e-8 of the smaller one always have a feature that penetrates.
// The others are in ascending order of their gaps (of convex shapes that penetrate one of them may
// be deeper than the first, along a normal that is a little different). Each pair of features
// counts once. The kinds are FLAT, ROUND and RING, and SMOOTH of smooth curves, z = 0.
//
// Keys are made of the numbers of two parts and unique for outlines of up to 65536 parts. Places
// turn about z. Two corners, or two arcs whose centres coincide, have a normal that is kept: FLAT.
// Keys of SMOOTH are where on the curves they are (feature_key_places).
int outline_near(const Outline* a, const Placement* place_a, const Outline* b,
                 const Placement* place_b, const NearOptions* options, Feature* features);
