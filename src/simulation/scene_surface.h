// What is drawn of a shape that touches with all of its surface.
#pragma once

#include "elements/element.h"
#include "simulation/scene.h"

// Adds points, faces, radius and axes to a shape whose own marker, in the coordinates of its body,
// is given. The surface is in the coordinates of the body, too. False: no memory.
bool scene_surface_take(const Surface* surface, bool outlined, const Marker* own, Arena* arena,
                        SceneShape* shape);
