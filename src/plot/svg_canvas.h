// Drawing as SVG.
#pragma once

#include "base/text.h"
#include "plot/canvas.h"

typedef struct SvgCanvas {
    Canvas canvas;
    TextBuffer* out;
    bool clipped;
    int n_clips;
} SvgCanvas;

// Begins a picture of this size at the end of out; svg_canvas_end ends it. Failures are out's.
SvgCanvas svg_canvas_begin(TextBuffer* out, double width, double height);
void svg_canvas_end(SvgCanvas* svg);
