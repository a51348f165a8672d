// Vectors of the plane, by value.
#pragma once

#include <math.h>

typedef struct Vec2 {
    double x, y;
} Vec2;

static inline Vec2 vec2_add(Vec2 a, Vec2 b) { return (Vec2){a.x + b.x, a.y + b.y}; }
static inline Vec2 vec2_sub(Vec2 a, Vec2 b) { return (Vec2){a.x - b.x, a.y - b.y}; }
static inline Vec2 vec2_scale(double s, Vec2 a) { return (Vec2){s * a.x, s * a.y}; }
static inline double vec2_dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
// z component of a x b
static inline double vec2_cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
// e_z x a: a turned by +90 degrees
static inline Vec2 vec2_turn(Vec2 a) { return (Vec2){-a.y, a.x}; }
static inline double vec2_length(Vec2 a) { return sqrt(vec2_dot(a, a)); }
