// Vectors of the plane, by value.
#pragma once

#include <math.h>

typedef struct Vec2 {
    double x, y;
} Vec2;

static inline Vec2 add2(Vec2 a, Vec2 b) { return (Vec2){a.x + b.x, a.y + b.y}; }
static inline Vec2 sub2(Vec2 a, Vec2 b) { return (Vec2){a.x - b.x, a.y - b.y}; }
static inline Vec2 scale2(double s, Vec2 a) { return (Vec2){s * a.x, s * a.y}; }
static inline double dot2(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
static inline double cross2(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }  // along z
static inline Vec2 left2(Vec2 a) { return (Vec2){-a.y, a.x}; }                 // z x a
static inline Vec2 right2(Vec2 a) { return (Vec2){a.y, -a.x}; }                // -z x a
static inline double length2(Vec2 a) { return sqrt(dot2(a, a)); }
