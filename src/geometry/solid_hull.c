// Convex hull in space by gift wrapping: beginning with one face, each edge that has only one face
// gets its second one, the plane through the edge that leaves all points on its inner side. All
// points within a tolerance of that plane belong to the face, whose border is wrapped likewise in
// the plane; so coplanar points make one face and collinear ones one edge. O(points * edges),
// without storage beside the result.
//
// Points for which a tolerance decides one way on one face and the other way on the next give edges
// that do not close; the hull is then wrapped again with a larger tolerance.
#include "geometry/solid_parts.h"

#include <stddef.h>

// Relative to the size of the points: the tolerance, by what it grows, and how often it is tried
#define HULL_TOLERANCE 1e-10
#define HULL_GROWTH 10.0
enum { HULL_TRIES = 4 };

typedef struct Wrap {
    Solid* s;
    double tolerance;  // m
    int n_face_points;
    int room_edges, room_faces;
} Wrap;

// Leaves out points that are the same as earlier ones.
static int unique_points(int n, const Vec3* points, double tolerance, Vec3* unique) {
    int n_unique = 0;
    for (int i = 0; i < n; i++) {
        bool is_new = true;
        for (int j = 0; j < n_unique && is_new; j++) {
            const Vec3 d = sub3(points[i], unique[j]);
            is_new = dot3(d, d) > tolerance * tolerance;
        }
        if (is_new) {
            unique[n_unique++] = points[i];
        }
    }
    return n_unique;
}

// The unit normal of the plane through an edge (a, unit k) and p, as wide as p is off the edge;
// false: p is on it
static bool plane_normal(const Wrap* w, Vec3 a, Vec3 k, Vec3 p, Vec3* normal) {
    const Vec3 c = cross3(k, sub3(p, a));
    const double off = length3(c);
    if (off <= w->tolerance) {
        return false;
    }
    *normal = scale3(1.0 / off, c);
    return true;
}

// The plane that contains an edge from a along k and has all points on its inner side, the face's
// points being on the left of the edge: its normal. Each point that is outside of the plane so far
// turns it. false: all points are on one line.
static bool wrap_edge(const Wrap* w, Vec3 a, Vec3 k, Vec3* normal) {
    bool found = false;
    for (int i = 0; i < w->s->n_points; i++) {
        const Vec3 p = w->s->points[i];
        Vec3 n;
        const bool outside = !found || dot3(*normal, sub3(p, a)) > 0.0;
        if (outside && plane_normal(w, a, k, p, &n)) {
            *normal = n;
            found = true;
        }
    }
    return found;
}

static bool in_plane(const Wrap* w, Vec3 at, Vec3 normal, int i) {
    return fabs(dot3(normal, sub3(w->s->points[i], at))) <= w->tolerance;
}

// From point i of a plane the next one counter-clockwise on the border of its points; of those on
// one line the farthest
static int next_on_border(const Wrap* w, Vec3 at, Vec3 normal, int from) {
    const Vec3 a = w->s->points[from];
    int next = -1;
    Vec3 d = {0.0, 0.0, 0.0};
    for (int i = 0; i < w->s->n_points; i++) {
        if (i == from || !in_plane(w, at, normal, i)) {
            continue;
        }
        const Vec3 e = sub3(w->s->points[i], a);
        if (next >= 0) {
            const double length = fmax(length3(d), length3(e));
            const double side = dot3(normal, cross3(d, e));  // < 0: right of the edge so far
            const bool right = side < -w->tolerance * length;
            const bool farther = fabs(side) <= w->tolerance * length && dot3(d, e) > dot3(d, d);
            if (!right && !farther) {
                continue;
            }
        }
        next = i;
        d = e;
    }
    return next;
}

static int find_edge(const Solid* s, int i, int j) {
    for (int e = 0; e < s->n_edges; e++) {
        const int* ends = s->edges[e].ends;
        if ((ends[0] == i && ends[1] == j) || (ends[0] == j && ends[1] == i)) {
            return e;
        }
    }
    return -1;
}

// Adds the edge from i to j of a face on its left, or closes it; false: there is no room for it, or
// it has two faces already.
static bool add_edge(Wrap* w, int i, int j, int face) {
    Solid* s = w->s;
    const int e = find_edge(s, i, j);
    if (e < 0) {
        if (s->n_edges == w->room_edges) {
            return false;
        }
        s->edges[s->n_edges++] = (SolidEdge){{i, j}, {face, -1}};
        return true;
    }
    if (s->edges[e].ends[0] != j || s->edges[e].faces[1] >= 0) {
        return false;
    }
    s->edges[e].faces[1] = face;
    return true;
}

// Twice the area of a face times its normal, from its points relative to the first of them
static Vec3 area_vector(const Solid* s, const SolidFace* face) {
    const int* of = s->face_points + face->first;
    Vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 1; k + 1 < face->n; k++) {
        const Vec3 a = s->points[of[0]];
        sum = add3(sum, cross3(sub3(s->points[of[k]], a), sub3(s->points[of[k + 1]], a)));
    }
    return sum;
}

// The face of all points in a plane, beginning with an edge's end that is on its border
static bool add_face(Wrap* w, Vec3 normal, int start) {
    Solid* s = w->s;
    if (s->n_faces == w->room_faces) {
        return false;
    }
    const Vec3 at = s->points[start];
    SolidFace* face = &s->faces[s->n_faces];
    *face = (SolidFace){.first = w->n_face_points, .n = 0};
    int i = start;
    do {
        if (w->n_face_points == 2 * w->room_edges || face->n == s->n_points) {
            return false;
        }
        s->face_points[w->n_face_points++] = i;
        face->n++;
        const int next = next_on_border(w, at, normal, i);
        if (next < 0 || !add_edge(w, i, next, s->n_faces)) {
            return false;
        }
        i = next;
    } while (i != start);
    const Vec3 area = area_vector(s, face);
    if (face->n < 3 || dot3(area, normal) <= 0.0) {
        return false;
    }
    face->normal = solid_unit(area);
    double sum = 0.0;
    for (int k = 0; k < face->n; k++) {
        sum += dot3(face->normal, s->points[s->face_points[face->first + k]]);
    }
    face->offset = sum / face->n;
    s->n_faces++;
    return true;
}

static bool is_before(Vec3 a, Vec3 b) {
    return a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)));
}

// The point that is first in x (y, z): a corner of the hull. Around a line through it that is
// perpendicular to x no point is on the far side: the plane wrapped around that line touches a
// point, and around the line to it a face.
static bool first_face(Wrap* w) {
    const Solid* s = w->s;
    int first = 0;
    for (int i = 1; i < s->n_points; i++) {
        first = is_before(s->points[i], s->points[first]) ? i : first;
    }
    const Vec3 a = s->points[first];
    Vec3 normal;
    if (!wrap_edge(w, a, (Vec3){0.0, 0.0, 1.0}, &normal)) {
        return false;
    }
    const int next = next_on_border(w, a, normal, first);
    if (next < 0) {
        return false;
    }
    const Vec3 k = solid_unit(sub3(s->points[next], a));
    return wrap_edge(w, a, k, &normal) && add_face(w, normal, first);
}

static bool wrap(Wrap* w) {
    Solid* s = w->s;
    s->n_edges = s->n_faces = w->n_face_points = 0;
    if (!first_face(w)) {
        return false;
    }
    for (int e = 0; e < s->n_edges; e++) {
        if (s->edges[e].faces[1] >= 0) {
            continue;
        }
        const int i = s->edges[e].ends[1], j = s->edges[e].ends[0];  // the other way round
        const Vec3 a = s->points[i];
        Vec3 normal;
        if (!wrap_edge(w, a, solid_unit(sub3(s->points[j], a)), &normal) ||
            !add_face(w, normal, i) || s->edges[e].faces[1] < 0) {
            return false;
        }
    }
    return true;
}

// Leaves out the points that no edge has. How many are left
static void keep_corners(Solid* s) {
    int kept = 0;
    for (int i = 0; i < s->n_points; i++) {
        bool used = false;
        for (int e = 0; e < s->n_edges; e++) {
            int* ends = s->edges[e].ends;
            for (int k = 0; k < 2; k++) {
                if (ends[k] == i) {
                    ends[k] = kept;  // kept <= i: not met again
                    used = true;
                }
            }
        }
        if (!used) {
            continue;
        }
        for (int k = 0; k < 2 * s->n_edges; k++) {
            s->face_points[k] = s->face_points[k] == i ? kept : s->face_points[k];
        }
        s->points[kept++] = s->points[i];
    }
    s->n_points = kept;
}

// Do the points span a volume? The farthest from the first, from the line to it, from their plane
static const char* check_points(int n, const Vec3* points, double* size) {
    if (n < 4) {
        return "a hull needs at least four points";
    }
    double far = 0.0, off_line = 0.0, off_plane = 0.0;
    Vec3 k = {0.0, 0.0, 0.0}, normal = k;
    for (int i = 0; i < n; i++) {
        const Vec3 d = sub3(points[i], points[0]);
        if (!isfinite(dot3(d, d))) {
            return "a point is not finite";
        }
        if (length3(d) > far) {
            far = length3(d);
            k = scale3(1.0 / far, d);
        }
    }
    for (int i = 0; i < n; i++) {
        const Vec3 c = cross3(k, sub3(points[i], points[0]));
        if (length3(c) > off_line) {
            off_line = length3(c);
            normal = scale3(1.0 / off_line, c);
        }
    }
    for (int i = 0; i < n; i++) {
        off_plane = fmax(off_plane, fabs(dot3(normal, sub3(points[i], points[0]))));
    }
    *size = far;
    if (far == 0.0) {
        return "all points are the same";
    }
    const double least = 100.0 * HULL_TOLERANCE * far;
    return off_line <= least    ? "all points are on one line"
           : off_plane <= least ? "all points are in one plane"
                                : NULL;
}

const char* solid_hull(int n, const Vec3* points, double radius, Solid* solid) {
    double size = 0.0;
    const char* problem = check_points(n, points, &size);
    if (problem != NULL) {
        return problem;
    }
    Wrap w = {.s = solid,
              .tolerance = HULL_TOLERANCE * size,
              .room_edges = solid_most_edges(n),
              .room_faces = solid_most_faces(n)};
    for (int try = 0; try < HULL_TRIES; try++, w.tolerance *= HULL_GROWTH) {
        solid->n_points = unique_points(n, points, w.tolerance, solid->points);
        if (wrap(&w)) {
            keep_corners(solid);
            solid_finish_hull(radius, solid);
            return NULL;
        }
    }
    return "the points are too close to each other for a hull";
}
