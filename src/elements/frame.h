// Position and velocity of a body-fixed frame in the plane.
#pragma once

#include "linalg/vec2.h"

typedef struct Frame {
    Vec2 r;  // origin: the centre of mass of a body
    double angle;
    double c, s;   // its cosine and sine
    Vec2 v;        // velocity of the origin
    double omega;  // angular velocity
} Frame;

// A vector given in the frame, in world components.
static inline Vec2 frame_turn(const Frame* frame, Vec2 a) {
    return (Vec2){frame->c * a.x - frame->s * a.y, frame->s * a.x + frame->c * a.y};
}

// Velocity of the body's material point at r + arm, arm in world components.
static inline Vec2 frame_velocity(const Frame* frame, Vec2 arm) {
    return vec2_add(frame->v, vec2_scale(frame->omega, vec2_turn(arm)));
}
