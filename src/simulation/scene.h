// What there is to draw of a simulation: bodies, shapes, joints, forces and contacts, and where
// they are at an instant. Valid once the motion has been started; the sizes are those of the
// parameters at that time.
//
// A pose is the place and orientation of a frame: of a rigid body, whose origin is its centre of
// mass, or of a point of a body that is not rigid, at which a shape stands. Positions and axes of
// shapes and of the ends of joints are in the coordinates of their pose.
#pragma once

#include "base/arena.h"
#include "linalg/vec3.h"
#include "simulation/simulation.h"

struct Expression;

typedef struct SceneBody {
    const char* name;
    const char* kind;   // its XML tag
    int pose;           // -1: it does not move, or it is a line
    int line;           // of a line: its first point among those of an instant, else -1 ...
    int n_points;       // ... how many there are, from end to end ...
    double radius;      // ... and of its section
    const int* places;  // (n_places) the variables that tell where it is
    int n_places;
} SceneBody;

typedef struct SceneMarker {
    int body;
    int pose;  // -1: of the ground, which does not move
    Vec3 position;
    Mat3 axes;
} SceneMarker;

enum { SCENE_MAX_SIZES = 3 };

// A face of a hull: its corners among the shape's points, counter-clockwise seen from outside.
typedef struct SceneFace {
    const int* corners;  // (n)
    int n;
} SceneFace;

typedef struct SceneShape {
    const char* name;
    const char* kind;
    SceneMarker marker;  // its centre; of a capsule with the third axis along it
    double radius;       // 0 of those that are not round; of a hull its rounding
    double sizes[SCENE_MAX_SIZES];
    int n_sizes;  // along the axes: of a box all of them; of a pin, cylinder or capsule its length
    const struct Expression* function;  // of a curve, else NULL: scene_curve_height
    // Of shapes with a surface of their own, in the marker's coordinates. In the plane all around
    // it, counter-clockwise: the first n_rim points, those after them around its hole, clockwise;
    // two points alone are a wall without thickness. In space the corners of a hull.
    const Vec3* points;  // (n_points)
    int n_points, n_rim;
    const SceneFace* faces;  // (n_faces) of a hull
    int n_faces;
} SceneShape;

typedef struct SceneLink {
    const char* name;
    const char* kind;
    bool joint;  // otherwise a force
    SceneMarker markers[2];
    int n_markers;  // 1: a force from nowhere
} SceneLink;

enum { SCENE_MAX_DIRECTIONS = 3 };

// One law of contact: a contact in several points has as many; those that are found while bodies
// move are one, for all that touch by it.
typedef struct SceneContact {
    const char* name;            // as in the FMU: "touch", "touch[3]"
    const char *first, *second;  // shapes; NULL: those of groups
    double friction;             // coefficient; of several materials the largest
    int n_directions;            // normal and tangents
    // the variables that tell what it does; -1: there is none, the contact is repeated
    int state, normal_impulse, normal_percussion;
    int forces[SCENE_MAX_DIRECTIONS];  // (n_directions)
} SceneContact;

typedef struct Scene {
    const SceneBody* bodies;  // (n_bodies) the ground is the first
    int n_bodies;
    const SceneShape* shapes;  // (n_shapes)
    int n_shapes;
    const SceneLink* links;  // (n_links)
    int n_links;
    const SceneContact* contacts;  // (n_contacts)
    int n_contacts;
    int most_touches;  // that are shown at an instant
    Vec3 gravity;
    bool planar;  // all is in the plane z = 0
    int n_poses, n_points;
} Scene;

typedef struct ScenePose {
    Vec3 r;
    double w, x, y, z;  // unit quaternion
} ScenePose;

// A contact that is closed.
typedef struct SceneTouch {
    int contact;
    int state;   // as in the FMU: 2 slip, 3 stick
    Vec3 point;  // midway between the two surfaces
    Vec3 force;  // on the first shape's body, N
} SceneTouch;

typedef struct SceneInstant {
    double t;
    ScenePose* poses;     // (n_poses)
    Vec3* points;         // (n_points)
    SceneTouch* touches;  // (n_touches of most_touches)
    int n_touches;
} SceneInstant;

// Both take their memory from the arena (STATUS_OUT_OF_MEMORY).
MUST_CHECK Status scene_create(const Simulation* simulation, Arena* arena, Scene* scene);
MUST_CHECK Status scene_instant_create(const Scene* scene, Arena* arena, SceneInstant* instant);

// The simulation as it is.
void scene_take(Simulation* simulation, const Scene* scene, SceneInstant* instant);

// The simulation as values (n_variables) tell that it was at t: bodies without known places, all or
// nothing of each, are where they were at the start, driven ones where their expressions put them;
// contacts without a known state are open, and forces that are not known zero. NaN: not known. The
// inputs become those of the values: the simulation is good for nothing else afterwards.
void scene_place(Simulation* simulation, const Scene* scene, double t, const double* values,
                 SceneInstant* instant);

// A direction and a point given in the marker's own coordinates, in the world.
Vec3 scene_direction(const SceneInstant* instant, const SceneMarker* marker, Vec3 x);
Vec3 scene_point(const SceneInstant* instant, const SceneMarker* marker, Vec3 x);

// y = f(x) of a shape that is a curve; NaN where it has no value.
double scene_curve_height(const SceneShape* curve, double x);
