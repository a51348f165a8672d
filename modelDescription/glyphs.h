// How each kind of shape, joint and force is drawn.
#pragma once

#include "modelDescription/canvas.h"

// The corners of what a shape takes up, at most GLYPH_MAX_CORNERS; 0: it has no end.
enum { GLYPH_MAX_CORNERS = 8 };
int glyph_corners(const SceneInstant* instant, const SceneShape* shape, Vec3* corners);

void glyph_shape(Canvas* canvas, const SceneInstant* instant, const SceneShape* shape,
                 const char* colour);
void glyph_link(Canvas* canvas, const SceneInstant* instant, const SceneLink* link);
