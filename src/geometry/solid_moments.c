// Volume, centre and second moments of solids.
//
// A hull with a rounding radius r is the hull itself, a prism of height r on each face, a wedge of
// a cylinder around each edge, and around each point the sector of a ball over its normals N, a
// spherical polygon. With arcs of the polygon from u to v by an angle theta and with outward
// conormals nu (unit, tangent to the sphere, perpendicular to the arc), by the divergence theorem
// on the sphere,
//     int_N n dA     = 1/2 sum of theta (-nu),
//     int_N n n^T dA = (|N| I - sum of (int n ds) nu^T) / 3,   int n ds = 2 sin(theta/2)
//     (u+v)/|u+v|,
// |N| being the sum of the solid angles of a fan of triangles.
#include "geometry/solid.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

// Integrals of 1, x and x x^T
typedef struct Integrals {
    double volume;
    Vec3 first;
    Mat3 second;
} Integrals;

static Mat3 outer(Vec3 a, Vec3 b) {  // a b^T
    return (Mat3){{scale3(b.x, a), scale3(b.y, a), scale3(b.z, a)}};
}

static void add_scaled(Mat3* A, double s, Mat3 B) {
    for (int i = 0; i < 3; i++) {
        A->e[i] = add3(A->e[i], scale3(s, B.e[i]));
    }
}

// A piece with integrals about p, moved by p: x = p + y
static void add_piece(Integrals* sum, Vec3 p, double volume, Vec3 first, Mat3 second) {
    sum->volume += volume;
    sum->first = add3(sum->first, add3(first, scale3(volume, p)));
    add_scaled(&sum->second, 1.0, second);
    add_scaled(&sum->second, 1.0, outer(p, first));
    add_scaled(&sum->second, 1.0, outer(first, p));
    add_scaled(&sum->second, volume, outer(p, p));
}

// The tetrahedron of the origin and a triangle: second moments V/20 (S S^T + sum of x_i x_i^T)
static void add_tetrahedron(Integrals* sum, Vec3 a, Vec3 b, Vec3 c) {
    const double volume = dot3(a, cross3(b, c)) / 6.0;
    const Vec3 s = add3(add3(a, b), c);
    sum->volume += volume;
    sum->first = add3(sum->first, scale3(0.25 * volume, s));
    add_scaled(&sum->second, 0.05 * volume, outer(s, s));
    add_scaled(&sum->second, 0.05 * volume, outer(a, a));
    add_scaled(&sum->second, 0.05 * volume, outer(b, b));
    add_scaled(&sum->second, 0.05 * volume, outer(c, c));
}

// The prism of height r on a triangle: with y in the triangle and n along it, x = y + z n.
static void add_prism(Integrals* sum, Vec3 a, Vec3 b, Vec3 c, Vec3 n, double r) {
    const double area = 0.5 * length3(cross3(sub3(b, a), sub3(c, a)));
    const Vec3 s = add3(add3(a, b), c);
    Mat3 in_plane = outer(s, s);  // integral of y y^T = A/12 (S S^T + sum)
    add_scaled(&in_plane, 1.0, outer(a, a));
    add_scaled(&in_plane, 1.0, outer(b, b));
    add_scaled(&in_plane, 1.0, outer(c, c));
    const Vec3 y = scale3(area / 3.0, s);
    sum->volume += area * r;
    sum->first = add3(sum->first, add3(scale3(r, y), scale3(0.5 * area * r * r, n)));
    add_scaled(&sum->second, r * area / 12.0, in_plane);
    add_scaled(&sum->second, 0.5 * r * r, outer(y, n));
    add_scaled(&sum->second, 0.5 * r * r, outer(n, y));
    add_scaled(&sum->second, area * r * r * r / 3.0, outer(n, n));
}

// The wedge of a cylinder along e from a, with normals from u through angle theta about e
static void add_wedge(Integrals* sum, Vec3 a, Vec3 e, Vec3 u, double theta, double r) {
    const double length = length3(e);
    const Vec3 k = scale3(1.0 / length, e);
    const Vec3 w = cross3(k, u);
    const double s = sin(theta), c = cos(theta);
    const double volume = 0.5 * theta * r * r * length;
    const double third = r * r * r / 3.0, fourth = r * r * r * r / 4.0;
    const Vec3 across = add3(scale3(third * s, u), scale3(third * (1.0 - c), w));
    const Vec3 first = add3(scale3(length, across), scale3(0.5 * length * volume, k));  // about a
    Mat3 second = {0};
    add_scaled(&second, volume * length * length / 3.0, outer(k, k));
    add_scaled(&second, 0.5 * length * length, outer(k, across));
    add_scaled(&second, 0.5 * length * length, outer(across, k));
    add_scaled(&second, length * fourth * 0.5 * (theta + s * c), outer(u, u));
    add_scaled(&second, length * fourth * 0.5 * (theta - s * c), outer(w, w));
    add_scaled(&second, length * fourth * 0.5 * s * s, outer(u, w));
    add_scaled(&second, length * fourth * 0.5 * s * s, outer(w, u));
    add_piece(sum, a, volume, first, second);
}

// Points are taken relative to the middle, against cancellation.
static Vec3 point_of(const Solid* s, int i) { return sub3(s->points[i], s->middle); }

static double angle_between(Vec3 u, Vec3 v) { return atan2(length3(cross3(u, v)), dot3(u, v)); }

// What an edge adds to the sectors of balls at its ends: the arc from u to v is a side of the
// spherical polygon of each, the edge's direction k being outward conormal at the end it leaves
// for.
static void add_sectors_of_edge(Integrals* sum, const Solid* s, const SolidEdge* edge, double r) {
    const Vec3 p = point_of(s, edge->ends[0]), q = point_of(s, edge->ends[1]);
    const Vec3 u = s->faces[edge->faces[0]].normal, v = s->faces[edge->faces[1]].normal;
    const Vec3 k = scale3(1.0 / length3(sub3(q, p)), sub3(q, p));
    const double theta = angle_between(u, v);
    const Vec3 bisector = scale3(1.0 / length3(add3(u, v)), add3(u, v));
    const Vec3 along = scale3(2.0 * sin(0.5 * theta), bisector);  // int n ds
    for (int end = 0; end < 2; end++) {
        const Vec3 nu = end == 0 ? k : scale3(-1.0, k);  // points out of the normals of this end
        const double fourth = r * r * r * r / 4.0, fifth = fourth * r * 0.8;
        const Vec3 first = scale3(-0.5 * theta * fourth, nu);
        Mat3 second = {0};
        add_scaled(&second, -fifth / 3.0, outer(along, nu));
        add_piece(sum, end == 0 ? p : q, 0.0, first, second);
    }
}

// Solid angle of the triangle of unit vectors (van Oosterom and Strackee), signed
static double solid_angle(Vec3 a, Vec3 b, Vec3 c) {
    const double triple = dot3(a, cross3(b, c));
    return 2.0 * atan2(triple, 1.0 + dot3(a, b) + dot3(b, c) + dot3(c, a));
}

// |N| of a point from a fan about the direction from the middle to it: over the arcs of its edges
static void add_angle_of_point(Integrals* sum, const Solid* s, int i, double r) {
    const Vec3 out = point_of(s, i);
    const Vec3 apex = scale3(1.0 / length3(out), out);
    double angle = 0.0;
    for (int j = 0; j < s->n_edges; j++) {
        const SolidEdge* edge = &s->edges[j];
        const int end = edge->ends[0] == i ? 0 : edge->ends[1] == i ? 1 : -1;
        if (end >= 0) {  // seen from outside the arcs go round counter-clockwise
            const Vec3 u = s->faces[edge->faces[end]].normal;
            const Vec3 v = s->faces[edge->faces[1 - end]].normal;
            angle += solid_angle(apex, v, u);
        }
    }
    Mat3 second = {0};
    add_scaled(&second, angle * r * r * r * r * r / 15.0, MAT3_IDENTITY);
    add_piece(sum, out, angle * r * r * r / 3.0, (Vec3){0.0, 0.0, 0.0}, second);
}

static Integrals hull_integrals(const Solid* s) {
    Integrals sum = {0};
    for (int i = 0; i < s->n_faces; i++) {
        const SolidFace* face = &s->faces[i];
        const int* of = s->face_points + face->first;
        for (int k = 1; k + 1 < face->n; k++) {
            const Vec3 a = point_of(s, of[0]), b = point_of(s, of[k]), c = point_of(s, of[k + 1]);
            add_tetrahedron(&sum, a, b, c);
            add_prism(&sum, a, b, c, face->normal, s->radius);
        }
    }
    return sum;
}

static void add_rounding(Integrals* sum, const Solid* s) {
    for (int i = 0; i < s->n_edges; i++) {
        const SolidEdge* edge = &s->edges[i];
        const Vec3 p = point_of(s, edge->ends[0]), q = point_of(s, edge->ends[1]);
        const Vec3 u = s->faces[edge->faces[0]].normal, v = s->faces[edge->faces[1]].normal;
        add_wedge(sum, p, sub3(q, p), u, angle_between(u, v), s->radius);
        add_sectors_of_edge(sum, s, edge, s->radius);
    }
    for (int i = 0; i < s->n_points; i++) {
        add_angle_of_point(sum, s, i, s->radius);
    }
}

// About an axis k through the centre: a cylinder of given length, with half balls at its ends
static SolidMoments turned_moments(Vec3 centre, Vec3 k, double r, double half, bool round) {
    const double cylinder = 2.0 * PI * r * r * half;
    const double ball = round ? 4.0 / 3.0 * PI * r * r * r : 0.0;
    const double across = cylinder * r * r / 4.0 + ball * r * r / 5.0;
    // of the half balls: centres at half + 3/8 r, int z^2 = ball (r^2/5 + 3/4 r half + half^2)
    const double along =
        cylinder * half * half / 3.0 + ball * (r * r / 5.0 + 0.75 * r * half + half * half);
    Mat3 second = {0};
    add_scaled(&second, across, MAT3_IDENTITY);
    add_scaled(&second, along - across, outer(k, k));
    return (SolidMoments){.volume = cylinder + ball, .centre = centre, .second = second};
}

SolidMoments solid_moments(const Solid* solid) {
    const double r = solid->radius;
    if (solid->kind == SOLID_CYLINDER) {
        return turned_moments(solid->centre, solid->axis, r, solid->half_length, false);
    }
    if (solid->n_points <= 2) {
        const Vec3 d = sub3(solid->points[solid->n_points - 1], solid->points[0]);
        const double length = length3(d);
        const Vec3 k = length > 0.0 ? scale3(1.0 / length, d) : (Vec3){0.0, 0.0, 1.0};
        return turned_moments(solid->middle, k, r, 0.5 * length, true);
    }
    Integrals sum = hull_integrals(solid);
    if (r > 0.0) {
        add_rounding(&sum, solid);
    }
    const Vec3 c = scale3(1.0 / sum.volume, sum.first);
    add_scaled(&sum.second, -sum.volume, outer(c, c));
    return (SolidMoments){
        .volume = sum.volume, .centre = add3(solid->middle, c), .second = sum.second};
}
