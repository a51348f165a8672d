// What a plot is drawn with: rectangles, lines and text within a clipping box, whatever they are
// drawn on. x goes to the right and y downwards from the top left corner, in pixels of a screen.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct Box {
    double x, y, width, height;
} Box;

typedef struct Stroke {
    uint32_t colour;  // 0xRRGGBB
    double width;
    double dash;  // length of dashes and the gaps between them; 0: none
} Stroke;

typedef struct TextStyle {
    uint32_t colour;
    double size;    // of the font
    double anchor;  // 0: the text begins at the point, 0.5: its middle is there, 1: it ends there
    bool upwards;   // turned by a quarter to the left
    bool bold;
} TextStyle;

typedef struct Canvas Canvas;

typedef struct CanvasKind {
    void (*clip)(Canvas* canvas, const Box* box);  // NULL: no more
    void (*fill)(Canvas* canvas, Box box, uint32_t colour);
    // points: (2 n) x and y in turn
    void (*line)(Canvas* canvas, const double* points, long n, const Stroke* stroke);
    // y is the line that letters stand on.
    void (*text)(Canvas* canvas, double x, double y, const char* text, const TextStyle* style);
} CanvasKind;

struct Canvas {
    const CanvasKind* kind;
    double width, height;
};
