// The points of a file that describes a surface by triangles or polygons: STL, as text or binary,
// and OBJ. How they are connected is left out.
#pragma once

#include "base/arena.h"
#include "base/report.h"
#include "linalg/vec3.h"
#include "reader/model_files.h"

enum { POINTS_FILE_MOST = 20000 };  // different points

typedef enum PointsFormat { POINTS_UNKNOWN, POINTS_STL, POINTS_OBJ } PointsFormat;

// By the end of its name.
PointsFormat points_file_format(const char* name);

// All points, each once and sorted by x, y and z, from the arena. STATUS_INVALID_MODEL after
// reporting what is wrong, STATUS_OUT_OF_MEMORY. named_at: where the model names the file, for what
// is wrong with it as a whole.
MUST_CHECK Status points_file_read(const ModelFile* file, PointsFormat format, Place named_at,
                                   Arena* arena, Report* report, const Vec3** points, int* n);
