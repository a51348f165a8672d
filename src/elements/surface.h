// The surface of a shape from its parameters: an outline of the plane, or a solid of space.
#pragma once

#include "base/arena.h"
#include "elements/element.h"

// The shape as its surface is made from it: elements are all of the model, p all parameters, with
// which its function is from then on.
ShapeView surface_view(const Element* elements, const Element* shape, const double* p);

// Does the shape have one?
static inline bool surface_exists(const Element* shape) { return shape->kind->surface != NULL; }

// Takes the arrays of a surface from the arena; false: no memory.
bool surface_create(SurfaceSize size, Arena* arena, Surface* surface);
