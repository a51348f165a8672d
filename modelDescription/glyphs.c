#include "modelDescription/glyphs.h"

#include <math.h>
#include <string.h>

static const double THIN = 0.8, LINE = 1.4, THICK = 2.4;  // pixels
static const char neutral[] = "#7a8794";                  // of what belongs to no body

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
    {"point", draw_point, false},   {"frame", draw_frame, false},
    {"circle", draw_circle, false}, {"ring", draw_ring, false},
    {"line", draw_line, true},      {"curve", draw_curve, true},
    {"sphere", draw_sphere, false}, {"hollow_sphere", draw_hollow_sphere, false},
    {"plane", draw_plane, true},    {"shaft", draw_shaft, true},
    {"bore", draw_bore, true},      {"box", draw_box, false},
    {"pin", draw_pin, false},
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

int glyph_corners(const SceneInstant* instant, const SceneShape* shape, Vec3* corners) {
    const double r = shape->radius;
    double half[3] = {r, r, r};
    for (int i = 0; i < shape->n_sizes && shape->n_sizes > 1; i++) {
        half[i] = 0.5 * shape->sizes[i];
    }
    half[2] = shape->n_sizes == 1 ? 0.5 * shape->sizes[0] : half[2];
    if (shapes[find_shape(shape->kind)].endless) {
        return 0;
    }
    const int n = shape->n_sizes == 2 ? 4 : 8;
    for (int i = 0; i < n; i++) {
        const Vec3 x = {(i & 1) != 0 ? half[0] : -half[0], (i & 2) != 0 ? half[1] : -half[1],
                        n == 4         ? 0.0
                        : (i & 4) != 0 ? half[2]
                                       : -half[2]};
        corners[i] = scene_point(instant, &shape->marker, x);
    }
    return n;
}

void glyph_shape(Canvas* canvas, const SceneInstant* instant, const SceneShape* shape,
                 const char* colour) {
    const Glyph g = {canvas, instant, shape, colour};
    shapes[find_shape(shape->kind)].draw(&g);
}

// --- joints and forces ---

// Both ends, on the drawing
typedef struct LinkGlyph {
    Canvas* canvas;
    Spot a, b;
    Spot axis;  // the first marker's x, a unit vector of the drawing or 0
} LinkGlyph;

static const Pen joint_pen = {"#7a8794", 1.4, 0.0, NULL};
static const double JOINT_SIZE = 4.0;  // pixels

static void draw_hinge(const LinkGlyph* g) {
    canvas_circle(g->canvas, g->a, JOINT_SIZE, joint_pen);
}

static void draw_ball_joint(const LinkGlyph* g) {
    canvas_circle(g->canvas, g->a, JOINT_SIZE, (Pen){neutral, LINE, 0.6, NULL});
}

// A rectangle along the direction in which the joint slides
static void draw_slide(const LinkGlyph* g) {
    const Spot e = g->axis, n = {-e.y, e.x};
    const double l = 2.2 * JOINT_SIZE, w = 1.2 * JOINT_SIZE;
    const Spot corners[4] = {{g->a.x + l * e.x + w * n.x, g->a.y + l * e.y + w * n.y},
                             {g->a.x - l * e.x + w * n.x, g->a.y - l * e.y + w * n.y},
                             {g->a.x - l * e.x - w * n.x, g->a.y - l * e.y - w * n.y},
                             {g->a.x + l * e.x - w * n.x, g->a.y + l * e.y - w * n.y}};
    canvas_line(g->canvas, corners, 4, true, joint_pen);
}

static void draw_weld(const LinkGlyph* g) {
    const double s = 0.8 * JOINT_SIZE;
    const Spot corners[4] = {{g->a.x - s, g->a.y - s},
                             {g->a.x + s, g->a.y - s},
                             {g->a.x + s, g->a.y + s},
                             {g->a.x - s, g->a.y + s}};
    canvas_line(g->canvas, corners, 4, true, (Pen){neutral, LINE, 0.6, NULL});
}

static void draw_rod(const LinkGlyph* g) {
    canvas_line(g->canvas, (Spot[]){g->a, g->b}, 2, false, (Pen){neutral, LINE, 0.0, NULL});
}

// A zigzag with straight ends
static void draw_spring(const LinkGlyph* g) {
    enum { FEWEST = 11, MOST = 61, STRAIGHT = 2 };
    const Spot d = {g->b.x - g->a.x, g->b.y - g->a.y};
    const double length = hypot(d.x, d.y);
    if (length < 1.0) {
        draw_hinge(g);
        return;
    }
    const int n = (int)fmax(FEWEST, fmin(MOST, length / 7.0));
    const double width = fmin(6.0, 0.12 * length);
    Spot spots[MOST + 1];
    for (int i = 0; i <= n; i++) {
        const bool straight = i < STRAIGHT || i > n - STRAIGHT;
        const double side = straight ? 0.0 : i % 2 == 0 ? width : -width;
        spots[i] = (Spot){g->a.x + d.x * i / n - side * d.y / length,
                          g->a.y + d.y * i / n + side * d.x / length};
    }
    canvas_line(g->canvas, spots, n + 1, false, (Pen){"#009e73", LINE, 0.0, NULL});
}

// Three quarters of a turn
static void draw_turn(const LinkGlyph* g) {
    enum { N = 18 };
    Spot spots[N + 1];
    for (int i = 0; i <= N; i++) {
        const double angle = 4.7 * i / N;
        const double r = 2.2 * JOINT_SIZE * (0.75 + 0.25 * i / N);
        spots[i] = (Spot){g->a.x + r * cos(angle), g->a.y - r * sin(angle)};
    }
    canvas_line(g->canvas, spots, N + 1, false, (Pen){"#009e73", LINE, 0.0, NULL});
}

static void draw_push(const LinkGlyph* g) {
    canvas_line(g->canvas, (Spot[]){g->a, g->b}, 2, false, (Pen){"#009e73", THICK, 0.0, "7 3"});
}

static void draw_load(const LinkGlyph* g) {
    canvas_circle(g->canvas, g->a, 1.4 * JOINT_SIZE, (Pen){"#009e73", LINE, 0.0, "2 2"});
}

// Drives and rolling have no picture: a joint beside them, or the shapes, have.
static const struct {
    const char* kind;
    void (*draw)(const LinkGlyph* g);
} links[] = {
    {"revolute", draw_hinge},       {"spherical", draw_ball_joint},
    {"prismatic", draw_slide},      {"cylindrical", draw_slide},
    {"planar", draw_weld},          {"rigid", draw_weld},
    {"distance", draw_rod},         {"skate", draw_slide},
    {"spring_damper", draw_spring}, {"torsional_spring_damper", draw_turn},
    {"angle_actuator", draw_turn},  {"slide_actuator", draw_push},
    {"force", draw_load},           {"line_load", draw_load},
    {"torque", draw_turn},
};

void glyph_link(Canvas* canvas, const SceneInstant* instant, const SceneLink* link) {
    const Vec3 origin = {0.0, 0.0, 0.0};
    const SceneMarker* first = &link->markers[0];
    const SceneMarker* last = &link->markers[link->n_markers - 1];
    const Spot axis =
        canvas_flatten(canvas, scene_direction(instant, first, (Vec3){1.0, 0.0, 0.0}));
    const double length = hypot(axis.x, axis.y);
    const LinkGlyph g = {
        .canvas = canvas,
        .a = canvas_project(canvas, scene_point(instant, first, origin)),
        .b = canvas_project(canvas, scene_point(instant, last, origin)),
        .axis = {length > 0.0 ? axis.x / length : 1.0, length > 0.0 ? -axis.y / length : 0.0}};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        if (strcmp(links[i].kind, link->kind) == 0) {
            links[i].draw(&g);
        }
    }
}
