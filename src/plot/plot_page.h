// A figure as one page for a browser: the SVG, and a cursor that reads values.
#pragma once

#include "base/text.h"
#include "plot/figure.h"

// Adds the page to the end of out, whose failure is one.
MUST_CHECK Status plot_page_write(const Figure* figure, const PanelLayout* layouts, double width,
                                  double height, TextBuffer* out);
