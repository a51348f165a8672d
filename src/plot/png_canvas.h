// Drawing as a picture of pixels.
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "plot/canvas.h"

typedef struct PngCanvas {
    Canvas canvas;
    double scale;  // pixels of the picture per pixel of a screen
    int width, height;
    unsigned char* pixels;    // (height x width x 3) red, green, blue
    unsigned char* coverage;  // (height x width) of the line that is being drawn
    Box clip;                 // in pixels of the picture
} PngCanvas;

// A white picture; png_canvas_free frees it, also after a failure.
MUST_CHECK Status png_canvas_begin(PngCanvas* png, double width, double height, double scale);
// Adds the file to the end of out, whose failure is one.
MUST_CHECK Status png_canvas_write(const PngCanvas* png, TextBuffer* out);
void png_canvas_free(PngCanvas* png);
