// A drawing of a mechanism, as SVG for a page of HTML: bodies by their shapes, joints, springs and
// what touches. Its lines are in colours that are seen on light and on dark alike; text has the
// colour of the page's.
#pragma once

#include "base/text.h"
#include "simulation/scene.h"

void drawing_write(const Scene* scene, const SceneInstant* instant, TextBuffer* out);
