// The frames of a motion: poses, points, closed contacts and outputs, as the bytes that the page
// reads (docs/view.md).
#pragma once

#include "base/text.h"
#include "simulation/scene.h"

typedef struct Motion {
    const Scene* scene;
    int n_outputs;
    // as they come, one frame after the other
    TextBuffer time;          // double (n_frames)
    TextBuffer poses;         // float (n_frames x n_poses x 7)
    TextBuffer points;        // float (n_frames x n_points x 3)
    TextBuffer contact_ends;  // uint32_t (n_frames)
    TextBuffer contacts;      // float (n_contact_records x 8)
    TextBuffer outputs;       // float (n_frames x n_outputs)
    size_t n_frames, n_contact_records;
} Motion;

// Bytes of a frame without its contacts
size_t motion_frame_size(const Motion* motion);

// Adds a frame; outputs (n_outputs). STATUS_OUT_OF_MEMORY.
MUST_CHECK Status motion_add(Motion* motion, const SceneInstant* instant, const double* outputs);

// Deflates all and adds it to out as base64; *n_bytes: how many these are before. The motion is
// freed on the way.
MUST_CHECK Status motion_write(Motion* motion, TextBuffer* out, size_t* n_bytes);

// Harmless on a motion that is all zero.
void motion_free(Motion* motion);
