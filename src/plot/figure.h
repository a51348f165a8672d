// Curves in panels, one below the other, those over time with a common axis.
#pragma once

#include "base/status.h"
#include "plot/canvas.h"

typedef struct Curve {
    const char* name;
    const double* x;  // (n)
    const double* y;  // (n)
    long n;
    bool stepped;  // the value holds until the next point
} Curve;

typedef struct Panel {
    const char* x_label;  // NULL: time
    const char* y_label;
    const char* unit;     // of y; "" for words
    const Curve* curves;  // (n_curves)
    int n_curves;
    const char* const* words;  // (n_words) for the values first_word, first_word + 1, ...; or NULL
    int n_words;
    double first_word;
    bool equal_scales;  // of x and y
    double noise;       // values that differ by no more are shown as constant
} Panel;

typedef struct Figure {
    const char* title;
    const Panel* panels;  // (n_panels)
    int n_panels;
    double t_0, t_1;  // s
} Figure;

typedef struct PanelLayout {
    Box frame;                  // where the curves are
    double x_0, x_1, y_0, y_1;  // values at its borders
    bool has_x_labels;          // else they are those of a panel below
} PanelLayout;

// Places of the panels, (n_panels); the size of the whole.
void figure_arrange(const Figure* figure, PanelLayout* layouts, double* width, double* height);
MUST_CHECK Status figure_draw(const Figure* figure, const PanelLayout* layouts, Canvas* canvas);

// Colour of the curve of that index in a panel, and its dashes: safe for the colour-blind.
Stroke figure_stroke(int curve);

// The points of a curve as they are drawn, (2 n) in pixels: no more than four per pixel of width
// for curves over time. Freed by the caller with free(); NULL without memory.
double* figure_points(const Panel* panel, const PanelLayout* layout, int curve, long* n);
