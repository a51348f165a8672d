#include "modelDescription/drawing.h"

#include <math.h>
#include <string.h>

#include "modelDescription/glyphs.h"

// Colours that colour-blind people tell apart, after Okabe and Ito; the ground has none.
static const char* const colours[] = {"#0072b2", "#d55e00", "#009e73",
                                      "#cc79a7", "#b8860b", "#56a4d9"};
static const char ground_colour[] = "#7a8794";
enum { N_COLOURS = sizeof colours / sizeof colours[0] };
enum { MOST_LABELS = 40 };  // more would hide what they name

static const char* colour_of(int body) {
    return body == 0 ? ground_colour : colours[(body - 1) % N_COLOURS];
}

static const Vec3 origin = {0.0, 0.0, 0.0};

// --- what is to be seen ---

static void widen(Window* window, Spot spot) {
    window->low = (Spot){fmin(window->low.x, spot.x), fmin(window->low.y, spot.y)};
    window->high = (Spot){fmax(window->high.x, spot.x), fmax(window->high.y, spot.y)};
}

static bool is_empty(const Window* window) { return !(window->low.x <= window->high.x); }

static void widen_by_shapes(const Canvas* canvas, const Scene* scene, const SceneInstant* instant,
                            Window* window) {
    for (int i = 0; i < scene->n_shapes; i++) {
        Vec3 corners[GLYPH_MAX_CORNERS];
        const int n = glyph_corners(instant, &scene->shapes[i], corners);
        for (int k = 0; k < n; k++) {
            widen(window, canvas_flatten(canvas, corners[k]));
        }
    }
}

// The place of a shape without end that is nearest to the middle m of what is seen, as far as it
// is flat; of one that is round, its outline at its origin.
static int endless_corners(const SceneInstant* instant, const SceneShape* shape, Vec3 m,
                           Vec3* corners) {
    const double r = shape->radius;
    const Vec3 p = scene_point(instant, &shape->marker, origin);
    const Vec3 n = scene_direction(instant, &shape->marker, (Vec3){0.0, 1.0, 0.0});
    corners[0] = shape->function != NULL ? p : sub3(m, scale3(dot3(n, sub3(m, p)), n));
    for (int i = 0; i < 4 && r > 0.0; i++) {
        const Vec3 x = {i == 0 ? r : i == 1 ? -r : 0.0, i == 2 ? r : i == 3 ? -r : 0.0, 0.0};
        corners[i] = scene_point(instant, &shape->marker, x);
    }
    return r > 0.0 ? 4 : 1;
}

// Lines and planes without end come into view where they pass by near enough.
static void widen_by_endless(const Canvas* canvas, const Scene* scene, const SceneInstant* instant,
                             Window* window) {
    static const double NEAR = 12.0;  // sizes of what is seen so far
    const Spot middle = {0.5 * (window->low.x + window->high.x),
                         0.5 * (window->low.y + window->high.y)};
    const double size = hypot(window->high.x - window->low.x, window->high.y - window->low.y);
    const Vec3 m = add3(scale3(middle.x, canvas->right), scale3(middle.y, canvas->up));
    for (int i = 0; i < scene->n_shapes; i++) {
        Vec3 corners[GLYPH_MAX_CORNERS];
        if (glyph_corners(instant, &scene->shapes[i], corners) > 0) {
            continue;
        }
        const int n = endless_corners(instant, &scene->shapes[i], m, corners);
        for (int k = 0; k < n; k++) {
            const Spot spot = canvas_flatten(canvas, corners[k]);
            if (!(size > 0.0) || hypot(spot.x - middle.x, spot.y - middle.y) < NEAR * size) {
                widen(window, spot);
            }
        }
    }
}

static Window find_window(const Canvas* canvas, const Scene* scene, const SceneInstant* instant) {
    Window window = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < scene->n_poses; i++) {
        widen(&window, canvas_flatten(canvas, instant->poses[i].r));
    }
    for (int i = 0; i < scene->n_points; i++) {
        widen(&window, canvas_flatten(canvas, instant->points[i]));
    }
    for (int i = 0; i < scene->n_links; i++) {
        for (int k = 0; k < scene->links[i].n_markers; k++) {
            widen(&window, canvas_flatten(
                               canvas, scene_point(instant, &scene->links[i].markers[k], origin)));
        }
    }
    widen_by_shapes(canvas, scene, instant, &window);
    if (is_empty(&window)) {
        window = (Window){{0.0, 0.0}, {0.0, 0.0}};
    }
    widen_by_endless(canvas, scene, instant, &window);
    if (window.high.x - window.low.x <= 0.0 && window.high.y - window.low.y <= 0.0) {
        window = (Window){{window.low.x - 0.5, window.low.y - 0.25},
                          {window.high.x + 0.5, window.high.y + 0.25}};
    }
    return window;
}

// --- bodies ---

// A rod from the centre of mass to what holds the body, for one to see what belongs together
static void draw_rod(Canvas* canvas, const SceneInstant* instant, const SceneMarker* marker) {
    if (marker->body > 0 && marker->pose >= 0) {
        const Vec3 centre = instant->poses[marker->pose].r;
        text_add(canvas->out, "<g opacity=\"0.4\" stroke-linecap=\"round\">");
        canvas_segment(canvas, centre, scene_point(instant, marker, origin),
                       (Pen){colour_of(marker->body), 4.0, 0.0, NULL});
        text_add(canvas->out, "</g>\n");
    }
}

static bool is_point(const SceneShape* shape) { return strcmp(shape->kind, "point") == 0; }

// Shapes of a body stand one after the other: the first that is on another one.
static int end_of_body(const Scene* scene, int first) {
    int i = first;
    while (i < scene->n_shapes &&
           scene->shapes[i].marker.body == scene->shapes[first].marker.body) {
        i++;
    }
    return i;
}

// Is c to the right of the way from a to b?
static bool turns_right(Spot a, Spot b, Spot c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) < 0.0;
}

// A body of the plane that is known by three points or more is the area between them: wrapped from
// the leftmost one on. False if there are too few of them, or too many.
static bool draw_hull(Canvas* canvas, const Scene* scene, const SceneInstant* instant, int first,
                      int next) {
    enum { MOST = 64 };
    Spot spots[MOST], hull[MOST];
    int n = 0, n_hull = 0, start = 0;
    const int body = scene->shapes[first].marker.body;
    for (int i = first; i < next && n < MOST; i++) {
        if (is_point(&scene->shapes[i])) {
            const Vec3 r = scene_point(instant, &scene->shapes[i].marker, origin);
            spots[n++] = canvas_project(canvas, r);
        }
    }
    if (!scene->planar || body == 0 || n < 3 || n == MOST || scene->bodies[body].pose < 0) {
        return false;
    }
    for (int i = 1; i < n; i++) {
        start = spots[i].x < spots[start].x ? i : start;
    }
    int at = start;
    do {
        int to = at == 0 ? 1 : 0;
        hull[n_hull++] = spots[at];
        for (int i = 0; i < n; i++) {
            to = i != at && turns_right(spots[at], spots[to], spots[i]) ? i : to;
        }
        at = to;
    } while (at != start && n_hull < n);
    canvas_line(canvas, hull, n_hull, true, (Pen){colour_of(body), 1.4, 0.22, NULL});
    return true;
}

static void draw_rods(Canvas* canvas, const Scene* scene, const SceneInstant* instant) {
    for (int i = 0; i < scene->n_links; i++) {
        for (int k = 0; k < scene->links[i].n_markers && scene->links[i].joint; k++) {
            draw_rod(canvas, instant, &scene->links[i].markers[k]);
        }
    }
    for (int first = 0, next; first < scene->n_shapes; first = next) {
        next = end_of_body(scene, first);
        if (!draw_hull(canvas, scene, instant, first, next)) {
            for (int i = first; i < next; i++) {
                if (is_point(&scene->shapes[i])) {
                    draw_rod(canvas, instant, &scene->shapes[i].marker);
                }
            }
        }
    }
}

static void draw_lines(Canvas* canvas, const Scene* scene, const SceneInstant* instant) {
    for (int i = 0; i < scene->n_bodies; i++) {
        const SceneBody* body = &scene->bodies[i];
        if (body->line >= 0) {
            const double width = fmax(2.5, fmin(16.0, 2.0 * body->radius * canvas->scale));
            canvas_polyline(canvas, instant->points + body->line, body->n_points, false,
                            (Pen){colour_of(i), width, 0.0, NULL});
        }
    }
}

// Shapes of the ground first, those of bodies over them
static void draw_shapes(Canvas* canvas, const Scene* scene, const SceneInstant* instant) {
    for (int moving = 0; moving < 2; moving++) {
        for (int i = 0; i < scene->n_shapes; i++) {
            const SceneShape* shape = &scene->shapes[i];
            if ((shape->marker.body > 0) == (moving == 1)) {
                glyph_shape(canvas, instant, shape, colour_of(shape->marker.body));
            }
        }
    }
}

static void draw_centres(Canvas* canvas, const Scene* scene, const SceneInstant* instant) {
    for (int i = 1; i < scene->n_bodies; i++) {
        if (scene->bodies[i].pose >= 0) {
            const Vec3 r = instant->poses[scene->bodies[i].pose].r;
            canvas_circle(canvas, canvas_project(canvas, r), 2.4,
                          (Pen){colour_of(i), 1.4, 0.0, NULL});
        }
    }
}

// Bodies of a mechanism without shapes and joints are axes: there is nothing else to see.
static void draw_axes(Canvas* canvas, const Scene* scene, const SceneInstant* instant) {
    static const double LENGTH = 0.12;  // of the picture
    const double length = LENGTH * canvas_extent(canvas);
    for (int i = 1; i < scene->n_bodies && scene->n_shapes + scene->n_links == 0; i++) {
        const SceneMarker marker = {
            .body = i, .pose = scene->bodies[i].pose, .axes = MAT3_IDENTITY};
        for (int k = 0; k < 3 && marker.pose >= 0; k++) {
            const Vec3 e = scene_direction(instant, &marker, MAT3_IDENTITY.e[k]);
            const Vec3 r = instant->poses[marker.pose].r;
            canvas_segment(canvas, r, add3(r, scale3(length, e)),
                           (Pen){colour_of(i), 1.4, 0.0, NULL});
        }
    }
}

static void draw_touches(Canvas* canvas, const SceneInstant* instant) {
    for (int i = 0; i < instant->n_touches; i++) {
        canvas_circle(canvas, canvas_project(canvas, instant->touches[i].point), 3.2,
                      (Pen){"#e63946", 1.2, 0.8, NULL});
    }
}

// --- words ---

static void add_text(Canvas* canvas, Spot at, const char* anchor, const char* text) {
    text_add(canvas->out, "<text");
    canvas_number(canvas, "x", at.x);
    canvas_number(canvas, "y", at.y);
    text_add_format(canvas->out, " text-anchor=\"%s\" fill=\"currentColor\">", anchor);
    text_add_xml(canvas->out, text);
    text_add(canvas->out, "</text>\n");
}

typedef struct Label {
    Spot low, high;  // pixels
} Label;

static bool overlaps(const Label* labels, int n, const Label* label) {
    for (int i = 0; i < n; i++) {
        if (label->low.x < labels[i].high.x && label->high.x > labels[i].low.x &&
            label->low.y < labels[i].high.y && label->high.y > labels[i].low.y) {
            return true;
        }
    }
    return false;
}

// The first place around the spot that is free, starting on the upper right
static Spot find_place(const Canvas* canvas, Spot spot, const char* text, Label* labels, int n) {
    static const double WIDTH = 7.4, HEIGHT = 13.0;  // of a letter, about
    const double width = WIDTH * (double)strlen(text);
    Label label = {0};
    for (int i = 0; i < 12; i++) {
        const int ring = i / 4;
        const bool above = i / 2 % 2 == 0;
        const double side = i % 2 == 0 ? 8.0 : -8.0 - width;
        const double rise = above ? -8.0 - 13.0 * ring : 18.0 + 13.0 * ring;
        const double x = fmax(2.0, fmin(canvas->width - width - 2.0, spot.x + side));
        const double y = fmax(HEIGHT, fmin(canvas->height - 4.0, spot.y + rise));
        label = (Label){{x, y - HEIGHT}, {x + width, y + 3.0}};
        if (!overlaps(labels, n, &label)) {
            break;
        }
    }
    labels[n] = label;
    return (Spot){label.low.x, label.high.y - 3.0};
}

static void draw_labels(Canvas* canvas, const Scene* scene, const SceneInstant* instant) {
    Label labels[MOST_LABELS];
    int n = 0;
    if (scene->n_bodies - 1 > MOST_LABELS) {
        return;
    }
    for (int i = 1; i < scene->n_bodies; i++) {
        const SceneBody* body = &scene->bodies[i];
        if (body->pose < 0 && body->line < 0) {
            continue;
        }
        const Vec3 r = body->pose >= 0 ? instant->poses[body->pose].r
                                       : instant->points[body->line + body->n_points / 2];
        const Spot place = find_place(canvas, canvas_project(canvas, r), body->name, labels, n);
        n++;
        add_text(canvas, place, "start", body->name);
    }
}

// An arrow in the upper right corner
static void draw_gravity(Canvas* canvas, const Scene* scene) {
    static const double LENGTH = 26.0;
    const Spot g = canvas_flatten(canvas, scene->gravity);
    const double size = hypot(g.x, g.y);
    if (!(size > 0.0)) {
        return;
    }
    const Spot d = {g.x / size, -g.y / size}, middle = {canvas->width - 24.0, 26.0};
    const Spot from = {middle.x - 0.5 * LENGTH * d.x, middle.y - 0.5 * LENGTH * d.y};
    const Spot to = {middle.x + 0.5 * LENGTH * d.x, middle.y + 0.5 * LENGTH * d.y};
    const Spot head[3] = {{to.x - 7.0 * d.x - 3.5 * d.y, to.y - 7.0 * d.y + 3.5 * d.x},
                          to,
                          {to.x - 7.0 * d.x + 3.5 * d.y, to.y - 7.0 * d.y - 3.5 * d.x}};
    const Pen pen = {ground_colour, 1.6, 0.0, NULL};
    canvas_line(canvas, (Spot[]){from, to}, 2, false, pen);
    canvas_line(canvas, head, 3, false, pen);
    add_text(canvas, (Spot){middle.x + 8.0 * fabs(d.y) + 2.0, middle.y + 4.0 + 14.0 * fabs(d.x)},
             "start", "g");
}

void drawing_write(const Scene* scene, const SceneInstant* instant, TextBuffer* out) {
    Canvas canvas = {.out = out};
    canvas_choose_axes(scene, &canvas);
    canvas_fit(find_window(&canvas, scene, instant), &canvas);
    text_add(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"the mechanism "
             "at its start\" font-family=\"system-ui,sans-serif\" font-size=\"12\" "
             "stroke-linejoin=\"round\"");
    canvas_number(&canvas, "width", canvas.width);
    canvas_number(&canvas, "height", canvas.height);
    text_add_format(out, " viewBox=\"0 0 %d %d\" style=\"max-width:100%%;height:auto\">\n",
                    (int)ceil(canvas.width), (int)ceil(canvas.height));
    draw_shapes(&canvas, scene, instant);
    draw_rods(&canvas, scene, instant);
    draw_lines(&canvas, scene, instant);
    for (int i = 0; i < scene->n_links; i++) {
        glyph_link(&canvas, instant, &scene->links[i]);
    }
    draw_centres(&canvas, scene, instant);
    draw_axes(&canvas, scene, instant);
    draw_touches(&canvas, instant);
    draw_gravity(&canvas, scene);
    draw_labels(&canvas, scene, instant);
    text_add(out, "</svg>\n");
}
