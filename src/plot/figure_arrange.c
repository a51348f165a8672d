// Where the panels of a figure are, and which values they show.
#include <math.h>
#include <stddef.h>

#include "plot/figure.h"
#include "plot/figure_parts.h"
#include "plot/font.h"
#include "plot/ticks.h"

static const double WIDTH = 960;
static const double BORDER = 16;   // around all
static const double TITLE = 30;    // height of its line
static const double GAP = 14;      // between panels
static const double X_AXIS = 42;   // labels of ticks and of the axis below a frame
static const double Y_LABEL = 22;  // width of the axis' own label
static const double WORD = 26;     // height of a word's row
static const double XY_HEIGHT = 440;

// Grows low ... high to hold a value.
static void include(double value, double* low, double* high) {
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

// A little room around the values; around one that is constant but for rounding more. Differences
// up to noise are none.
static void pad(double* low, double* high, double noise) {
    static const double ROUNDING = 1e-9, ROOM = 0.05;
    if (!(*low <= *high)) {
        *low = *high = 0;
    }
    const double largest = fmax(fabs(*low), fabs(*high));
    double room = ROOM * (*high - *low);
    if (*high - *low <= fmax(noise, ROUNDING * largest)) {
        room = largest > noise ? 0.5 * largest : 1;
    }
    *low -= room;
    *high += room;
}

static void find_ranges(const Figure* figure, const Panel* panel, PanelLayout* layout) {
    double x_0 = INFINITY, x_1 = -INFINITY, y_0 = INFINITY, y_1 = -INFINITY;
    for (int c = 0; c < panel->n_curves; c++) {
        const Curve* curve = &panel->curves[c];
        for (long i = 0; i < curve->n; i++) {
            include(curve->x[i], &x_0, &x_1);
            include(curve->y[i], &y_0, &y_1);
        }
    }
    pad(&y_0, &y_1, panel->noise);
    if (panel->words != NULL) {
        y_0 = panel->first_word - 0.5;
        y_1 = panel->first_word + panel->n_words - 0.5;
    }
    if (panel->x_label == NULL) {
        x_0 = figure->t_0;
        x_1 = figure->t_1 > figure->t_0 ? figure->t_1 : figure->t_0 + 1;
    } else {
        pad(&x_0, &x_1, panel->noise);
    }
    *layout = (PanelLayout){.x_0 = x_0, .x_1 = x_1, .y_0 = y_0, .y_1 = y_1};
}

// One metre along x as long as one along y: the range that has room grows.
static void equalise(PanelLayout* layout) {
    const double x = (layout->x_1 - layout->x_0) / layout->frame.width;
    const double y = (layout->y_1 - layout->y_0) / layout->frame.height;
    const double grow_x = 0.5 * (fmax(x, y) - x) * layout->frame.width;
    const double grow_y = 0.5 * (fmax(x, y) - y) * layout->frame.height;
    layout->x_0 -= grow_x;
    layout->x_1 += grow_x;
    layout->y_0 -= grow_y;
    layout->y_1 += grow_y;
}

static double frame_height(const Figure* figure, const Panel* panel) {
    if (panel->words != NULL) {
        return WORD * panel->n_words;
    }
    if (panel->x_label != NULL) {
        return XY_HEIGHT;
    }
    return figure->n_panels <= 2 ? 240 : figure->n_panels <= 4 ? 180 : 140;
}

int figure_y_ticks(const PanelLayout* layout) { return (int)fmax(3, layout->frame.height / 36); }

// Width of the labels at the y axis
static double label_width(const Panel* panel, const PanelLayout* layout) {
    double width = 0;
    for (int i = 0; i < panel->n_words; i++) {
        width = fmax(width, font_width(panel->words[i], FIGURE_SMALL));
    }
    if (panel->words == NULL) {
        const Ticks ticks = ticks_choose(layout->y_0, layout->y_1, figure_y_ticks(layout));
        for (int i = 0; i < ticks.n; i++) {
            char label[TICK_LABEL];
            ticks_label(&ticks, i, label);
            width = fmax(width, font_width(label, FIGURE_SMALL));
        }
    }
    return width;
}

// Places one entry of a legend behind the last one, in a new line where there is no room; returns
// its line.
int figure_place_legend(const Curve* curve, double width, double* x, int* line) {
    const double needed = FIGURE_SAMPLE + font_width(curve->name, FIGURE_SMALL);
    if (*x > 0 && *x + needed > width) {
        *x = 0;
        ++*line;
    }
    *x += needed + FIGURE_LEGEND_GAP;
    return *line;
}

static int count_legend_lines(const Panel* panel, double width) {
    double x = 0;
    int line = 0;
    for (int c = 0; c < panel->n_curves; c++) {
        figure_place_legend(&panel->curves[c], width, &x, &line);
    }
    return line + 1;
}

// Is the time axis of this panel labelled? Only the last of those one below the other is.
static bool has_x_labels(const Figure* figure, int panel) {
    return figure->panels[panel].x_label != NULL || panel + 1 == figure->n_panels ||
           figure->panels[panel + 1].x_label != NULL;
}

void figure_arrange(const Figure* figure, PanelLayout* layouts, double* width, double* height) {
    double left = 0;
    for (int i = 0; i < figure->n_panels; i++) {
        find_ranges(figure, &figure->panels[i], &layouts[i]);
        layouts[i].frame.height = frame_height(figure, &figure->panels[i]);
        left = fmax(left, label_width(&figure->panels[i], &layouts[i]));
    }
    left += BORDER + Y_LABEL + 10;
    double y = BORDER + TITLE;
    for (int i = 0; i < figure->n_panels; i++) {
        PanelLayout* layout = &layouts[i];
        layout->frame.x = left;
        layout->frame.width = WIDTH - left - BORDER - 8;
        y += FIGURE_LEGEND_LINE * count_legend_lines(&figure->panels[i], layout->frame.width);
        layout->frame.y = y;
        layout->has_x_labels = has_x_labels(figure, i);
        if (figure->panels[i].equal_scales) {
            equalise(layout);
        }
        y += layout->frame.height + GAP + (layout->has_x_labels ? X_AXIS : 0);
    }
    *width = WIDTH;
    *height = y - GAP + BORDER;
}
