#include "modelDescription/glyphs.h"

#include <math.h>
#include <string.h>

static const double THIN = 0.8, LINE = 1.4, THICK = 2.4;  // pixels

// What a glyph is drawn with
typedef struct Glyph {
    Canvas* canvas;
    const SceneInstant* instant;
    const SceneShape* shape;
    const char* colour;
} Glyph;

static Vec3 at(const Glyph* g, double x, double y, double z) {
    return scene_point(g->instant, &g->shape->marker, (Vec3){x, y, z});
}

static Vec3 along(const Glyph* g, int axis, double length) {
    const double e[3] = {axis == 0 ? length : 0.0, axis == 1 ? length : 0.0,
                         axis == 2 ? length : 0.0};
    return scene_direction(g->instant, &g->shape->marker, (Vec3){e[0], e[1], e[2]});
}

// --- shapes ---

static Vec3 shape_point(const Glyph* g, int i) {
    return scene_point(g->instant, &g->shape->marker, g->shape->points[i]);
}

static void draw_point(const Glyph* g) {
    canvas_circle(g->canvas, canvas_project(g->canvas, at(g, 0, 0, 0)), 2.2,
                  (Pen){g->colour, THIN, 0.9, NULL});
}

static void draw_frame(const Glyph* g) {
    (void)g;  // an aid of the model, nothing that one could see
}

// A disc with a spoke
static void draw_circle(const Glyph* g) {
    const double r = g->shape->radius;
    canvas_ellipse(g->canvas, at(g, 0, 0, 0), along(g, 0, r), along(g, 1, r),
                   (Pen){g->colour, LINE, 0.22, NULL});
    canvas_segment(g->canvas, at(g, 0, 0, 0), at(g, r, 0, 0), (Pen){g->colour, THIN, 0.0, NULL});
}

static void draw_ring(const Glyph* g) {
    const double r = g->shape->radius;
    canvas_ellipse(g->canvas, at(g, 0, 0, 0), along(g, 0, r), along(g, 1, r),
                   (Pen){g->colour, THICK, 0.0, NULL});
}

// The outline, and the circle about its third axis, from which one sees how it is turned
static void draw_ball(const Glyph* g, Pen pen) {
    const double r = g->shape->radius;
    canvas_circle(g->canvas, canvas_project(g->canvas, at(g, 0, 0, 0)), g->canvas->scale * r, pen);
    canvas_ellipse(g->canvas, at(g, 0, 0, 0), along(g, 0, r), along(g, 1, r),
                   (Pen){g->colour, THIN, 0.0, NULL});
}

static void draw_sphere(const Glyph* g) { draw_ball(g, (Pen){g->colour, LINE, 0.22, NULL}); }

static void draw_hollow_sphere(const Glyph* g) {
    draw_ball(g, (Pen){g->colour, LINE, 0.05, "5 3"});
}

// Where the line through p in the direction d, both in metres, is within the window; false: nowhere
static bool clip(const Window* window, Spot p, Spot d, double* first, double* last) {
    const double starts[2] = {p.x, p.y}, slopes[2] = {d.x, d.y};
    const double low[2] = {window->low.x, window->low.y};
    const double high[2] = {window->high.x, window->high.y};
    *first = -INFINITY;
    *last = INFINITY;
    for (int i = 0; i < 2; i++) {
        if (slopes[i] == 0.0) {
            if (starts[i] < low[i] || starts[i] > high[i]) {
                return false;
            }
            continue;
        }
        const double a = (low[i] - starts[i]) / slopes[i];
        const double b = (high[i] - starts[i]) / slopes[i];
        *first = fmax(*first, fmin(a, b));
        *last = fmin(*last, fmax(a, b));
    }
    return *first < *last;
}

// Short strokes into what is solid, below the spots
static void hatch(const Glyph* g, const Spot* spots, int n, Spot into) {
    static const double SPACING = 9.0, LENGTH = 7.0;  // pixels
    double left = 0.5 * SPACING;                      // until the next stroke
    for (int i = 0; i + 1 < n; i++) {
        const Spot d = {spots[i + 1].x - spots[i].x, spots[i + 1].y - spots[i].y};
        const double length = hypot(d.x, d.y);
        while (left < length) {
            const double s = left / length;
            const Spot from = {spots[i].x + s * d.x, spots[i].y + s * d.y};
            const Spot to = {from.x + LENGTH * (into.x - 0.6 * d.x / length),
                             from.y + LENGTH * (into.y - 0.6 * d.y / length)};
            canvas_line(g->canvas, (Spot[]){from, to}, 2, false, (Pen){g->colour, THIN, 0.0, NULL});
            left += SPACING;
        }
        left -= length;
    }
}

static void draw_line(const Glyph* g) {
    const Canvas* c = g->canvas;
    const Vec3 p = at(g, 0, 0, 0), d = along(g, 0, 1.0), n = along(g, 1, 1.0);
    double first, last;
    if (clip(&c->window, canvas_flatten(c, p), canvas_flatten(c, d), &first, &last)) {
        const Spot ends[2] = {canvas_project(c, add3(p, scale3(first, d))),
                              canvas_project(c, add3(p, scale3(last, d)))};
        const Spot normal = canvas_flatten(c, n);
        hatch(g, ends, 2, (Spot){-normal.x, normal.y});
        canvas_line(g->canvas, ends, 2, false, (Pen){g->colour, LINE, 0.0, NULL});
    }
}

// A patch about the place below the middle of the picture
static void draw_plane(const Glyph* g) {
    static const double SIZE = 0.24;  // half of it, of the picture
    const Canvas* c = g->canvas;
    const Vec3 p = at(g, 0, 0, 0), n = along(g, 1, 1.0);
    const Vec3 middle = canvas_middle(c, p);
    const Vec3 foot = sub3(middle, scale3(dot3(n, sub3(middle, p)), n));
    const double size = SIZE * canvas_extent(c);
    const Vec3 a = along(g, 0, size), b = along(g, 2, size);
    const Vec3 corners[4] = {add3(foot, add3(a, b)), add3(foot, sub3(a, b)), sub3(foot, add3(a, b)),
                             sub3(foot, sub3(a, b))};
    canvas_polyline(g->canvas, corners, 4, true, (Pen){g->colour, THIN, 0.10, NULL});
}

// Two circles about the axis, from low to high along it, and the outline between them
static void draw_cylinder(const Glyph* g, double low, double high, Pen pen) {
    const double r = g->shape->radius;
    const Vec3 across = cross3(along(g, 2, 1.0), g->canvas->toward);
    const double width = length3(across);
    const Vec3 ends[2] = {at(g, 0, 0, low), at(g, 0, 0, high)};
    if (width > 1e-6) {
        const Vec3 side = scale3(r / width, across);
        const Vec3 outline[4] = {add3(ends[0], side), add3(ends[1], side), sub3(ends[1], side),
                                 sub3(ends[0], side)};
        canvas_polyline(g->canvas, outline, 4, true, pen);
    }
    for (int i = 0; i < 2; i++) {
        canvas_ellipse(g->canvas, ends[i], along(g, 0, r), along(g, 1, r), pen);
    }
}

// A piece of a cylinder without ends, where it is nearest to the middle of the picture
static void draw_endless(const Glyph* g, Pen pen) {
    const Vec3 p = at(g, 0, 0, 0), axis = along(g, 2, 1.0);
    const Spot d = canvas_flatten(g->canvas, axis);
    const Spot to = canvas_flatten(g->canvas, sub3(canvas_middle(g->canvas, p), p));
    const double square = d.x * d.x + d.y * d.y;
    const double middle = square > 1e-6 ? (d.x * to.x + d.y * to.y) / square : 0.0;
    const double half = fmax(0.4 * g->shape->radius, 0.12 * canvas_extent(g->canvas));
    draw_cylinder(g, middle - half, middle + half, pen);
}

static void draw_shaft(const Glyph* g) { draw_endless(g, (Pen){g->colour, LINE, 0.15, NULL}); }

static void draw_bore(const Glyph* g) { draw_endless(g, (Pen){g->colour, LINE, 0.05, "5 3"}); }

static void draw_pin(const Glyph* g) {
    const double half = 0.5 * g->shape->sizes[0];
    draw_cylinder(g, -half, half, (Pen){g->colour, LINE, 0.22, NULL});
}

static void draw_box(const Glyph* g) {
    static const int faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    Vec3 corners[GLYPH_MAX_CORNERS];
    const int n = glyph_corners(g->instant, g->shape, corners);
    for (int f = 0; f < (n == 4 ? 1 : 6); f++) {
        Vec3 face[4];
        for (int i = 0; i < 4; i++) {
            face[i] = corners[faces[f][i]];
        }
        canvas_polyline(g->canvas, face, 4, true,
                        (Pen){g->colour, LINE, n == 4 ? 0.22 : 0.09, NULL});
    }
}

// A shape of the plane that its points go around; two of them are a wall without thickness.
static void draw_area(const Glyph* g) {
    const SceneShape* shape = g->shape;
    if (shape->n_points < 3) {
        canvas_segment(g->canvas, shape_point(g, 0), shape_point(g, shape->n_points - 1),
                       (Pen){g->colour, THICK, 0.0, NULL});
        return;
    }
    canvas_area_begin(g->canvas);
    for (int i = 0; i < shape->n_points; i++) {
        canvas_area_point(g->canvas, canvas_project(g->canvas, shape_point(g, i)),
                          i == 0 || i == shape->n_rim,
                          i == shape->n_rim - 1 || i == shape->n_points - 1);
    }
    canvas_area_end(g->canvas, (Pen){g->colour, LINE, 0.22, NULL});
}

// What is seen of all that is within r of some points: in each direction the outermost of them.
static void draw_silhouette(const Glyph* g, int n, const Spot* spots, double r) {
    enum { N = 96 };
    Spot around[N];
    if (n == 0) {
        return;
    }
    for (int k = 0; k < N; k++) {
        const double angle = 2.0 * 3.14159265358979323846 * k / N;
        const Spot d = {cos(angle), sin(angle)};
        int outermost = 0;
        for (int i = 1; i < n; i++) {
            const double further =
                d.x * (spots[i].x - spots[outermost].x) + d.y * (spots[i].y - spots[outermost].y);
            outermost = further > 0.0 ? i : outermost;
        }
        const double pixels = r * g->canvas->scale;
        around[k] = (Spot){spots[outermost].x + pixels * d.x, spots[outermost].y + pixels * d.y};
    }
    canvas_line(g->canvas, around, N, true, (Pen){g->colour, LINE, 0.22, NULL});
}

static void draw_capsule(const Glyph* g) {
    const double half = 0.5 * g->shape->sizes[0];
    const Spot ends[2] = {canvas_project(g->canvas, at(g, 0, 0, -half)),
                          canvas_project(g->canvas, at(g, 0, 0, half))};
    draw_silhouette(g, 2, ends, g->shape->radius);
}

// Twice the area of a face times its outward normal: the sum of the products of its sides' ends
static Vec3 face_normal(const Glyph* g, const SceneFace* face) {
    Vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < face->n; k++) {
        const Vec3 a = g->shape->points[face->corners[k]];
        const Vec3 b = g->shape->points[face->corners[(k + 1) % face->n]];
        sum = add3(sum, cross3(a, b));
    }
    return scene_direction(g->instant, &g->shape->marker, sum);
}

// The silhouette, and the faces in front of it
static void draw_hull(const Glyph* g) {
    enum { MOST_POINTS = 512, MOST_FACES = 300 };  // more are not told apart
    const SceneShape* shape = g->shape;
    const int step = 1 + shape->n_points / MOST_POINTS;
    Spot spots[MOST_POINTS];
    int n = 0;
    for (int i = 0; i < shape->n_points; i += step) {
        spots[n++] = canvas_project(g->canvas, shape_point(g, i));
    }
    draw_silhouette(g, n, spots, shape->radius);
    for (int f = 0; f < shape->n_faces && shape->n_faces <= MOST_FACES; f++) {
        const SceneFace* face = &shape->faces[f];
        const Vec3 normal = face_normal(g, face);
        if (!(dot3(normal, g->canvas->toward) > 0.0)) {
            continue;
        }
        const Vec3 out = scale3(shape->radius / length3(normal), normal);
        canvas_area_begin(g->canvas);
        for (int k = 0; k < face->n; k++) {
            const Vec3 corner = add3(shape_point(g, face->corners[k]), out);
            canvas_area_point(g->canvas, canvas_project(g->canvas, corner), k == 0,
                              k == face->n - 1);
        }
        canvas_area_end(g->canvas, (Pen){g->colour, THIN, 0.0, NULL});
    }
}

// What of it is within the window, in pieces
static void draw_curve(const Glyph* g) {
    enum { N = 120 };
    const Window* w = &g->canvas->window;
    const double reach = canvas_extent(g->canvas);
    const Vec3 e = along(g, 0, 1.0);
    const Vec3 origin = at(g, 0, 0, 0);
    const double middle = dot3(e, sub3(canvas_middle(g->canvas, origin), origin));
    Spot piece[N + 1];
    int n = 0;
    for (int i = 0; i <= N; i++) {
        const double x = middle + reach * ((double)i / N - 0.5);
        const double y = scene_curve_height(g->shape, x);
        const Vec3 p = isfinite(y) ? at(g, x, y, 0) : origin;
        const Spot flat = canvas_flatten(g->canvas, p);
        const bool seen = isfinite(y) && flat.x >= w->low.x && flat.x <= w->high.x &&
                          flat.y >= w->low.y && flat.y <= w->high.y;
        if (seen) {
            piece[n++] = canvas_project(g->canvas, p);
        }
        if (n > 1 && (!seen || i == N)) {
            const Spot down = canvas_flatten(g->canvas, along(g, 1, -1.0));
            hatch(g, piece, n, (Spot){down.x, -down.y});
            canvas_line(g->canvas, piece, n, false, (Pen){g->colour, LINE, 0.0, NULL});
        }
        n = seen ? n : 0;
    }
}

static const struct {
    const char* kind;
    void (*draw)(const Glyph* g);
    bool endless;
} shapes[] = {
    {"point", draw_point, false},     {"frame", draw_frame, false},
    {"circle", draw_circle, false},   {"ring", draw_ring, false},
    {"line", draw_line, true},        {"curve", draw_curve, true},
    {"sphere", draw_sphere, false},   {"hollow_sphere", draw_hollow_sphere, false},
    {"plane", draw_plane, true},      {"shaft", draw_shaft, true},
    {"bore", draw_bore, true},        {"box", draw_box, false},
    {"pin", draw_pin, false},         {"cylinder", draw_pin, false},
    {"capsule", draw_capsule, false}, {"hull", draw_hull, false},
    {"polygon", draw_area, false},    {"outline", draw_area, false},
    {"segment", draw_area, false},    {"arc", draw_area, false},
};

enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

// A kind that has no picture of its own is a point.
static int find_shape(const char* kind) {
    int i = 0;
    while (i < N_SHAPES && strcmp(shapes[i].kind, kind) != 0) {
        i++;
    }
    return i < N_SHAPES ? i : 0;
}

typedef struct Box {
    Vec3 low, high;
} Box;

// All of a shape with ends, in its own coordinates
static Box box_of(const SceneShape* shape) {
    const double r = shape->radius;
    double half[3] = {r, r, r};
    for (int i = 0; i < shape->n_sizes && shape->n_sizes > 1; i++) {
        half[i] = 0.5 * shape->sizes[i];
    }
    if (shape->n_sizes == 1) {
        half[2] = 0.5 * shape->sizes[0] + (strcmp(shape->kind, "capsule") == 0 ? r : 0.0);
    }
    Box box = {{-half[0], -half[1], -half[2]}, {half[0], half[1], half[2]}};
    for (int i = 0; i < shape->n_points; i++) {
        const Vec3 p = shape->points[i];
        const Vec3 low = i > 0 ? box.low : (Vec3){INFINITY, INFINITY, INFINITY};
        const Vec3 high = i > 0 ? box.high : (Vec3){-INFINITY, -INFINITY, -INFINITY};
        box.low = (Vec3){fmin(low.x, p.x - r), fmin(low.y, p.y - r), fmin(low.z, p.z - r)};
        box.high = (Vec3){fmax(high.x, p.x + r), fmax(high.y, p.y + r), fmax(high.z, p.z + r)};
    }
    return box;
}

int glyph_corners(const SceneInstant* instant, const SceneShape* shape, Vec3* corners) {
    if (shapes[find_shape(shape->kind)].endless) {
        return 0;
    }
    const Box box = box_of(shape);
    const bool flat = shape->n_sizes == 2 || shape->n_rim > 0;
    const int n = flat ? 4 : 8;
    for (int i = 0; i < n; i++) {
        const Vec3 x = {(i & 1) != 0 ? box.high.x : box.low.x,
                        (i & 2) != 0 ? box.high.y : box.low.y,
                        flat           ? 0.0
                        : (i & 4) != 0 ? box.high.z
                                       : box.low.z};
        corners[i] = scene_point(instant, &shape->marker, x);
    }
    return n;
}

void glyph_shape(Canvas* canvas, const SceneInstant* instant, const SceneShape* shape,
                 const char* colour) {
    const Glyph g = {canvas, instant, shape, colour};
    shapes[find_shape(shape->kind)].draw(&g);
}
