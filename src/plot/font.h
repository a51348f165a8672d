// A font of strokes, for pictures made of pixels and for how wide a text is about.
#pragma once

#include <stdint.h>

#include "plot/canvas.h"

// Width of a text in a font of this size.
double font_width(const char* text, double size);

// Draws a text as lines.
void font_draw(Canvas* canvas, double x, double y, const char* text, const TextStyle* style);
