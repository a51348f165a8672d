#include "modelDescription/canvas.h"

#include <math.h>

static const double WIDEST = 720.0, HIGHEST = 460.0, LOWEST = 150.0;  // pixels
static const double MARGIN = 46.0;                                    // for labels and gravity

static Vec3 unit(Vec3 a) {
    const double length = length3(a);
    return length > 0.0 ? scale3(1.0 / length, a) : a;
}

// The axis that points most against gravity, z if there is none
static Vec3 upward(Vec3 gravity) {
    const Vec3 axes[3] = {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
    Vec3 best = axes[0];
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        const double along = -dot3(gravity, axes[i]);
        if (fabs(along) > most) {
            most = fabs(along);
            best = along > 0.0 ? axes[i] : scale3(-1.0, axes[i]);
        }
    }
    return best;
}

void canvas_choose_axes(const Scene* scene, Canvas* canvas) {
    static const double TURN = -0.55, RISE = 0.4;  // of who looks, rad
    if (scene->planar) {
        canvas->right = (Vec3){1.0, 0.0, 0.0};
        canvas->up = (Vec3){0.0, 1.0, 0.0};
        canvas->toward = (Vec3){0.0, 0.0, 1.0};
        return;
    }
    const Vec3 up = upward(scene->gravity);
    const Vec3 helper = fabs(up.x) < 0.5 ? (Vec3){1.0, 0.0, 0.0} : (Vec3){0.0, 1.0, 0.0};
    const Vec3 front = unit(cross3(helper, up));  // from the origin to who looks, level
    const Vec3 level = add3(scale3(cos(TURN), front), scale3(-sin(TURN), helper));
    canvas->toward = add3(scale3(cos(RISE), level), scale3(sin(RISE), up));
    canvas->right = unit(cross3(up, canvas->toward));
    canvas->up = cross3(canvas->toward, canvas->right);
}

void canvas_fit(Window seen, Canvas* canvas) {
    const double w = seen.high.x - seen.low.x;
    const double h = seen.high.y - seen.low.y;
    const double size = fmax(w, h) > 0.0 ? fmax(w, h) : 1.0;
    const double room_x = WIDEST - 2.0 * MARGIN;
    const double room_y = HIGHEST - 2.0 * MARGIN;
    canvas->scale = fmin(room_x / fmax(w, 1e-3 * size), room_y / fmax(h, 1e-3 * size));
    canvas->width = WIDEST;
    canvas->height = fmax(LOWEST, canvas->scale * h + 2.0 * MARGIN);
    const Spot middle = {0.5 * (seen.low.x + seen.high.x), 0.5 * (seen.low.y + seen.high.y)};
    const Spot half = {0.5 * canvas->width / canvas->scale, 0.5 * canvas->height / canvas->scale};
    canvas->window =
        (Window){{middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}};
}

Spot canvas_flatten(const Canvas* canvas, Vec3 x) {
    return (Spot){dot3(canvas->right, x), dot3(canvas->up, x)};
}

Spot canvas_project(const Canvas* canvas, Vec3 x) {
    const Spot flat = canvas_flatten(canvas, x);
    return (Spot){canvas->scale * (flat.x - canvas->window.low.x),
                  canvas->scale * (canvas->window.high.y - flat.y)};
}

double canvas_depth(const Canvas* canvas, Vec3 x) { return dot3(canvas->toward, x); }

double canvas_extent(const Canvas* canvas) {
    return hypot(canvas->window.high.x - canvas->window.low.x,
                 canvas->window.high.y - canvas->window.low.y);
}

Vec3 canvas_middle(const Canvas* canvas, Vec3 x) {
    const double right = 0.5 * (canvas->window.low.x + canvas->window.high.x);
    const double up = 0.5 * (canvas->window.low.y + canvas->window.high.y);
    return add3(scale3(canvas_depth(canvas, x), canvas->toward),
                add3(scale3(right, canvas->right), scale3(up, canvas->up)));
}

// --- lines ---

// In hundredths: a pixel is not seen any finer.
static void add_number(TextBuffer* out, double value) {
    const double rounded = nearbyint(100.0 * value) / 100.0;
    text_add_double(out, rounded == 0.0 ? 0.0 : rounded);
}

void canvas_number(Canvas* canvas, const char* name, double value) {
    text_add_format(canvas->out, " %s=\"", name);
    add_number(canvas->out, value);
    text_add(canvas->out, "\"");
}

static void add_pen(Canvas* canvas, Pen pen) {
    text_add_format(canvas->out, " stroke=\"%s\"", pen.colour);
    canvas_number(canvas, "stroke-width", pen.width);
    text_add_format(canvas->out, " fill=\"%s\"", pen.fill_opacity > 0.0 ? pen.colour : "none");
    if (pen.fill_opacity > 0.0) {
        canvas_number(canvas, "fill-opacity", pen.fill_opacity);
    }
    if (pen.dashes != NULL) {
        text_add_format(canvas->out, " stroke-dasharray=\"%s\"", pen.dashes);
    }
    text_add(canvas->out, "/>\n");
}

void canvas_line(Canvas* canvas, const Spot* spots, int n, bool closed, Pen pen) {
    text_add_format(canvas->out, "<%s points=\"", closed ? "polygon" : "polyline");
    for (int i = 0; i < n; i++) {
        text_add(canvas->out, i > 0 ? " " : "");
        add_number(canvas->out, spots[i].x);
        text_add(canvas->out, ",");
        add_number(canvas->out, spots[i].y);
    }
    text_add(canvas->out, "\"");
    add_pen(canvas, pen);
}

void canvas_polyline(Canvas* canvas, const Vec3* points, int n, bool closed, Pen pen) {
    enum { LONGEST = 128 };
    Spot spots[LONGEST];
    const int count = n < LONGEST ? n : LONGEST;
    for (int i = 0; i < count; i++) {
        spots[i] = canvas_project(canvas, points[i]);
    }
    canvas_line(canvas, spots, count, closed, pen);
}

void canvas_segment(Canvas* canvas, Vec3 a, Vec3 b, Pen pen) {
    canvas_polyline(canvas, (Vec3[]){a, b}, 2, false, pen);
}

void canvas_area_begin(Canvas* canvas) {
    text_add(canvas->out, "<path fill-rule=\"evenodd\" d=\"");
}

void canvas_area_point(Canvas* canvas, Spot spot, bool first, bool last) {
    text_add(canvas->out, first ? "M" : "L");
    add_number(canvas->out, spot.x);
    text_add(canvas->out, ",");
    add_number(canvas->out, spot.y);
    text_add(canvas->out, last ? "Z" : "");
}

void canvas_area_end(Canvas* canvas, Pen pen) {
    text_add(canvas->out, "\"");
    add_pen(canvas, pen);
}

void canvas_circle(Canvas* canvas, Spot centre, double radius, Pen pen) {
    text_add(canvas->out, "<circle");
    canvas_number(canvas, "cx", centre.x);
    canvas_number(canvas, "cy", centre.y);
    canvas_number(canvas, "r", radius);
    add_pen(canvas, pen);
}

void canvas_ellipse(Canvas* canvas, Vec3 c, Vec3 a, Vec3 b, Pen pen) {
    enum { N = 48 };
    Vec3 points[N];
    for (int i = 0; i < N; i++) {
        const double angle = 2.0 * 3.14159265358979323846 * i / N;
        points[i] = add3(c, add3(scale3(cos(angle), a), scale3(sin(angle), b)));
    }
    canvas_polyline(canvas, points, N, true, pen);
}
