// Shapes of space: how they are made, and how far they reach.
#include "geometry/solid_parts.h"

#include <math.h>

// The middle of the box around the points, and how far the solid reaches from there
static void bound_hull(Solid* solid) {
    Vec3 low = solid->points[0], high = low;
    for (int i = 1; i < solid->n_points; i++) {
        const Vec3 p = solid->points[i];
        low = (Vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (Vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    solid->middle = scale3(0.5, add3(low, high));
    double reach = 0.0;
    for (int i = 0; i < solid->n_points; i++) {
        reach = fmax(reach, length3(sub3(solid->points[i], solid->middle)));
    }
    solid->reach = reach + solid->radius;
}

// Sets all but the arrays, which are the caller's.
static void set_scalars(Solid* solid, SolidKind kind, double radius, Vec3 centre, Vec3 axis) {
    solid->kind = kind;
    solid->radius = radius;
    solid->centre = solid->middle = centre;
    solid->axis = axis;
    solid->half_length = 0.0;
    solid->n_points = solid->n_edges = solid->n_faces = 0;
    solid->reach = INFINITY;
}

void solid_finish_hull(double radius, Solid* solid) {
    solid->kind = SOLID_HULL;
    solid->radius = radius;
    solid->axis = (Vec3){0.0, 0.0, 1.0};
    solid->half_length = 0.0;
    bound_hull(solid);
    solid->centre = solid->middle;
}

// Point i of the box is at the upper end of axis j where bit j of i is set.
void solid_box(Vec3 centre, Mat3 axes, Vec3 sizes, Solid* solid) {
    static const int corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    static const SolidEdge edges[12] = {{{0, 1}, {2, 4}}, {{2, 3}, {4, 3}}, {{4, 5}, {5, 2}},
                                        {{6, 7}, {3, 5}}, {{0, 2}, {4, 0}}, {{1, 3}, {1, 4}},
                                        {{4, 6}, {0, 5}}, {{5, 7}, {5, 1}}, {{0, 4}, {0, 2}},
                                        {{1, 5}, {2, 1}}, {{2, 6}, {3, 0}}, {{3, 7}, {1, 3}}};
    const double halves[3] = {0.5 * sizes.x, 0.5 * sizes.y, 0.5 * sizes.z};
    solid->n_points = 8;
    solid->n_edges = 12;
    solid->n_faces = 6;
    for (int i = 0; i < 8; i++) {
        Vec3 p = centre;
        for (int j = 0; j < 3; j++) {
            p = add3(p, scale3((i >> j & 1) != 0 ? halves[j] : -halves[j], axes.e[j]));
        }
        solid->points[i] = p;
    }
    for (int i = 0; i < 12; i++) {
        solid->edges[i] = edges[i];
    }
    for (int i = 0; i < 6; i++) {
        const Vec3 n = scale3(i % 2 != 0 ? 1.0 : -1.0, axes.e[i / 2]);
        const double offset = dot3(n, centre) + halves[i / 2];
        solid->faces[i] = (SolidFace){.normal = n, .offset = offset, .first = 4 * i, .n = 4};
        for (int k = 0; k < 4; k++) {
            solid->face_points[4 * i + k] = corners[i][k];
        }
    }
    solid_finish_hull(0.0, solid);
}

void solid_capsule(Vec3 a, Vec3 b, double radius, Solid* solid) {
    const Vec3 d = sub3(b, a);
    if (dot3(d, d) == 0.0) {
        solid_sphere(a, radius, solid);
        return;
    }
    solid->points[0] = a;
    solid->points[1] = b;
    solid->edges[0] = (SolidEdge){{0, 1}, {-1, -1}};
    solid->n_points = 2;
    solid->n_edges = 1;
    solid->n_faces = 0;
    solid_finish_hull(radius, solid);
}

void solid_sphere(Vec3 centre, double radius, Solid* solid) {
    solid->points[0] = centre;
    solid->n_points = 1;
    solid->n_edges = solid->n_faces = 0;
    solid_finish_hull(radius, solid);
}

void solid_cylinder(Vec3 centre, Vec3 axis, double radius, double length, Solid* solid) {
    set_scalars(solid, SOLID_CYLINDER, radius, centre, solid_unit(axis));
    solid->half_length = 0.5 * length;
    solid->reach = sqrt(radius * radius + 0.25 * length * length);
}

void solid_plane(Vec3 at, Vec3 normal, Solid* solid) {
    set_scalars(solid, SOLID_PLANE, 0.0, at, solid_unit(normal));
}

void solid_shaft(Vec3 at, Vec3 axis, double radius, Solid* solid) {
    set_scalars(solid, SOLID_SHAFT, radius, at, solid_unit(axis));
}

void solid_bore(Vec3 at, Vec3 axis, double radius, Solid* solid) {
    set_scalars(solid, SOLID_BORE, radius, at, solid_unit(axis));
}

void solid_hollow(Vec3 centre, double radius, Solid* solid) {
    set_scalars(solid, SOLID_HOLLOW, radius, centre, (Vec3){0.0, 0.0, 1.0});
}

double solid_support(const Solid* solid, Vec3 d) {
    if (solid->kind == SOLID_CYLINDER) {
        const double along = dot3(d, solid->axis);
        const double across = length3(sub3(d, scale3(along, solid->axis)));
        return dot3(d, solid->centre) + solid->half_length * fabs(along) + solid->radius * across;
    }
    if (solid->kind != SOLID_HULL) {
        return INFINITY;
    }
    double most = -INFINITY;
    for (int i = 0; i < solid->n_points; i++) {
        most = fmax(most, dot3(d, solid->points[i]));
    }
    return most + solid->radius;
}
