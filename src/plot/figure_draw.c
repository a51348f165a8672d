// Draws a figure on any canvas.
#include <math.h>
#include <stdlib.h>

#include "plot/figure.h"
#include "plot/figure_parts.h"
#include "plot/ticks.h"

enum { INK = 0x222222, GREY = 0x666666, GRID = 0xe4e4e4, AXIS = 0x999999, N_COLOURS = 7 };

// Okabe and Ito's colours without yellow, which is too pale for a line on white.
static const uint32_t colours[N_COLOURS] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                            0xe69f00, 0x56b4e9, 0x000000};

Stroke figure_stroke(int curve) {
    return (Stroke){colours[curve % N_COLOURS], 1.6, curve < N_COLOURS ? 0 : 6};
}

static double to_x(const PanelLayout* layout, double value) {
    return layout->frame.x +
           (value - layout->x_0) / (layout->x_1 - layout->x_0) * layout->frame.width;
}

static double to_y(const PanelLayout* layout, double value) {
    return layout->frame.y + layout->frame.height -
           (value - layout->y_0) / (layout->y_1 - layout->y_0) * layout->frame.height;
}

// --- points ---

typedef struct Path {
    double* points;  // (2 n)
    long n;
} Path;

static void add_point(Path* path, double x, double y) {
    path->points[2 * path->n] = x;
    path->points[2 * path->n + 1] = y;
    path->n++;
}

// Of the points that are within one pixel of width the first, the lowest and highest in their
// order, and the last
static void add_column(Path* path, const PanelLayout* layout, const Curve* curve, long from,
                       long to) {
    long low = from, high = from;
    for (long i = from; i < to; i++) {
        low = curve->y[i] < curve->y[low] ? i : low;
        high = curve->y[i] > curve->y[high] ? i : high;
    }
    const long kept[] = {from, low < high ? low : high, low < high ? high : low, to - 1};
    for (int k = 0; k < 4; k++) {
        if (k == 0 || kept[k] > kept[k - 1]) {
            const double x = to_x(layout, curve->x[kept[k]]);
            const double y = to_y(layout, curve->y[kept[k]]);
            if (curve->stepped && path->n > 0) {
                add_point(path, x, path->points[2 * path->n - 1]);
            }
            add_point(path, x, y);
        }
    }
}

static void add_over_time(Path* path, const PanelLayout* layout, const Curve* curve) {
    long from = 0;
    for (long i = 1; i <= curve->n; i++) {
        if (i == curve->n ||
            floor(to_x(layout, curve->x[i])) != floor(to_x(layout, curve->x[from]))) {
            add_column(path, layout, curve, from, i);
            from = i;
        }
    }
}

// Points nearer to the last one than this are left out, but for the end.
static void add_over_other(Path* path, const PanelLayout* layout, const Curve* curve) {
    static const double NEAR = 0.3;  // pixels
    double last_x = NAN, last_y = NAN;
    for (long i = 0; i < curve->n; i++) {
        const double x = to_x(layout, curve->x[i]);
        const double y = to_y(layout, curve->y[i]);
        if (!(hypot(x - last_x, y - last_y) < NEAR) || i + 1 == curve->n) {
            add_point(path, x, y);
            last_x = x;
            last_y = y;
        }
    }
}

static const double APART = 1.8;  // pixels

double* figure_points(const Panel* panel, const PanelLayout* layout, int curve, long* n) {
    const Curve* drawn = &panel->curves[curve];
    Path path = {malloc(((size_t)drawn->n * 4 + 2) * sizeof(double)), 0};
    if (path.points != NULL && panel->x_label == NULL) {
        add_over_time(&path, layout, drawn);
    } else if (path.points != NULL) {
        add_over_other(&path, layout, drawn);
    }
    // Curves between words often coincide: side by side all of them are seen.
    const double shift = panel->words != NULL ? APART * (curve - 0.5 * (panel->n_curves - 1)) : 0;
    for (long i = 0; i < path.n; i++) {
        path.points[2 * i + 1] += shift;
    }
    *n = path.n;
    return path.points;
}

// --- axes ---

static void draw_line(Canvas* canvas, double x_0, double y_0, double x_1, double y_1,
                      uint32_t colour) {
    const double points[] = {x_0, y_0, x_1, y_1};
    const Stroke stroke = {colour, 1, 0};
    canvas->kind->line(canvas, points, 2, &stroke);
}

// In the middle of a pixel, for thin lines to be sharp
static double snap(double value) { return floor(value) + 0.5; }

static void draw_x_axis(const Panel* panel, const PanelLayout* layout, Canvas* canvas) {
    const Box* frame = &layout->frame;
    const double bottom = frame->y + frame->height;
    const Ticks ticks = ticks_choose(layout->x_0, layout->x_1, (int)(frame->width / 90));
    const TextStyle style = {.colour = GREY, .size = FIGURE_SMALL, .anchor = 0.5};
    for (int i = 0; i < ticks.n; i++) {
        const double x = snap(to_x(layout, ticks_at(&ticks, i)));
        char label[TICK_LABEL];
        ticks_label(&ticks, i, label);
        draw_line(canvas, x, frame->y, x, bottom, GRID);
        if (layout->has_x_labels) {
            canvas->kind->text(canvas, x, bottom + 16, label, &style);
        }
    }
    if (layout->has_x_labels) {
        const TextStyle ink = {.colour = INK, .size = FIGURE_SMALL, .anchor = 0.5};
        canvas->kind->text(canvas, frame->x + 0.5 * frame->width, bottom + 35,
                           panel->x_label != NULL ? panel->x_label : "time in s", &ink);
    }
}

static void draw_y_axis(const Panel* panel, const PanelLayout* layout, Canvas* canvas) {
    const Box* frame = &layout->frame;
    const TextStyle style = {.colour = GREY, .size = FIGURE_SMALL, .anchor = 1};
    const Ticks ticks = panel->words != NULL
                            ? (Ticks){panel->first_word, 1, panel->n_words}
                            : ticks_choose(layout->y_0, layout->y_1, figure_y_ticks(layout));
    for (int i = 0; i < ticks.n; i++) {
        const double y = snap(to_y(layout, ticks_at(&ticks, i)));
        char label[TICK_LABEL];
        ticks_label(&ticks, i, label);
        draw_line(canvas, frame->x, y, frame->x + frame->width, y, GRID);
        canvas->kind->text(canvas, frame->x - 7, y + 4,
                           panel->words != NULL ? panel->words[i] : label, &style);
    }
    const TextStyle upwards = {.colour = INK, .size = FIGURE_SMALL, .anchor = 0.5, .upwards = true};
    canvas->kind->text(canvas, 26, frame->y + 0.5 * frame->height, panel->y_label, &upwards);
}

static void draw_legend(const Panel* panel, const PanelLayout* layout, Canvas* canvas) {
    const TextStyle style = {.colour = INK, .size = FIGURE_SMALL};
    double end = 0;
    int last = 0;
    for (int c = 0; c < panel->n_curves; c++) {
        figure_place_legend(&panel->curves[c], layout->frame.width, &end, &last);
    }
    double x = 0;
    int line = 0;
    for (int c = 0; c < panel->n_curves; c++) {
        const double before = x;
        const int line_before = line;
        figure_place_legend(&panel->curves[c], layout->frame.width, &x, &line);
        const double at = layout->frame.x + (line == line_before ? before : 0);
        const double y = layout->frame.y - 8 - FIGURE_LEGEND_LINE * (last - line);
        const double sample[] = {at, y - 4, at + 0.75 * FIGURE_SAMPLE, y - 4};
        Stroke stroke = figure_stroke(c);
        stroke.width = 2.5;
        canvas->kind->line(canvas, sample, 2, &stroke);
        canvas->kind->text(canvas, at + FIGURE_SAMPLE, y, panel->curves[c].name, &style);
    }
}

static Status draw_panel(const Panel* panel, const PanelLayout* layout, Canvas* canvas) {
    const Box* frame = &layout->frame;
    const double bottom = snap(frame->y + frame->height);
    draw_x_axis(panel, layout, canvas);
    draw_y_axis(panel, layout, canvas);
    draw_line(canvas, snap(frame->x), frame->y, snap(frame->x), bottom, AXIS);
    draw_line(canvas, frame->x, bottom, frame->x + frame->width, bottom, AXIS);
    // Half a line's width outside, for lines along the border to be whole
    const Box clip = {frame->x - 1, frame->y - 1, frame->width + 2, frame->height + 2};
    canvas->kind->clip(canvas, &clip);
    Status status = STATUS_OK;
    for (int c = 0; c < panel->n_curves && status == STATUS_OK; c++) {
        const Stroke stroke = figure_stroke(c);
        long n = 0;
        double* points = figure_points(panel, layout, c, &n);
        if (points != NULL) {
            canvas->kind->line(canvas, points, n, &stroke);
        }
        status = points != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
        free(points);
    }
    canvas->kind->clip(canvas, NULL);
    draw_legend(panel, layout, canvas);
    return status;
}

Status figure_draw(const Figure* figure, const PanelLayout* layouts, Canvas* canvas) {
    const TextStyle title = {.colour = INK, .size = 16, .bold = true};
    canvas->kind->fill(canvas, (Box){0, 0, canvas->width, canvas->height}, 0xffffff);
    Status status = STATUS_OK;
    for (int i = 0; i < figure->n_panels && status == STATUS_OK; i++) {
        status = draw_panel(&figure->panels[i], &layouts[i], canvas);
    }
    canvas->kind->text(canvas, layouts[0].frame.x, 32, figure->title, &title);
    return status;
}
