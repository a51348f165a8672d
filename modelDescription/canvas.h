// A drawing in the making: the projection of space, or of the plane, onto an SVG, and lines on it.
#pragma once

#include "base/text.h"
#include "simulation/scene.h"

typedef struct Spot {
    double x, y;
} Spot;

// What is seen, in metres: x to the right, y up
typedef struct Window {
    Spot low, high;
} Window;

typedef struct Canvas {
    TextBuffer* out;
    Vec3 right, up, toward;  // axes of the drawing, in the world; toward: to who looks at it
    Window window;
    double scale;          // pixels per metre
    double width, height;  // pixels
} Canvas;

// How a line or an area looks
typedef struct Pen {
    const char* colour;
    double width;         // of the line, pixels
    double fill_opacity;  // 0: lines alone
    const char* dashes;   // as SVG has them, or NULL
} Pen;

// The plane from above; space from the front, the right and above, gravity pulling down.
void canvas_choose_axes(const Scene* scene, Canvas* canvas);
// Window and scale follow from what is to be seen; nothing may be drawn before.
void canvas_fit(Window seen, Canvas* canvas);

Spot canvas_flatten(const Canvas* canvas, Vec3 x);  // metres
Spot canvas_project(const Canvas* canvas, Vec3 x);  // pixels
double canvas_depth(const Canvas* canvas, Vec3 x);  // the larger, the nearer
// Window's size, and its middle as a point of space that lies as deep as x.
double canvas_extent(const Canvas* canvas);
Vec3 canvas_middle(const Canvas* canvas, Vec3 x);

void canvas_number(Canvas* canvas, const char* name, double value);  // an attribute
void canvas_line(Canvas* canvas, const Spot* spots, int n, bool closed, Pen pen);
void canvas_polyline(Canvas* canvas, const Vec3* points, int n, bool closed, Pen pen);
void canvas_segment(Canvas* canvas, Vec3 a, Vec3 b, Pen pen);
// An area by closed lines of any number of points: those within others are its holes.
void canvas_area_begin(Canvas* canvas);
void canvas_area_point(Canvas* canvas, Spot spot, bool first, bool last);  // of a line
void canvas_area_end(Canvas* canvas, Pen pen);
void canvas_circle(Canvas* canvas, Spot centre, double radius, Pen pen);  // pixels
// A circle of space about c with radii along the directions a and b
void canvas_ellipse(Canvas* canvas, Vec3 c, Vec3 a, Vec3 b, Pen pen);
