// Joints and forces as the symbols of mechanics.
#include <math.h>
#include <string.h>

#include "modelDescription/glyphs.h"

static const double LINE = 1.4, THICK = 2.4;  // pixels
static const char neutral[] = "#7a8794";      // of what belongs to no body

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
