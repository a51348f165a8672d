// What arranging and drawing a figure have in common.
#pragma once

#include "plot/figure.h"

static const double FIGURE_SMALL = 12;        // size of the font of all but the title
static const double FIGURE_SAMPLE = 30;       // width of a line in the legend, with a gap
static const double FIGURE_LEGEND_GAP = 18;   // between its entries
static const double FIGURE_LEGEND_LINE = 20;  // height

int figure_y_ticks(const PanelLayout* layout);
int figure_place_legend(const Curve* curve, double width, double* x, int* line);
