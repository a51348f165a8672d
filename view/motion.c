// Numbers are written as they are in memory: Clatter runs on machines whose bytes are in the order
// that browsers expect, least significant first.
#define ZLIB_CONST  // zlib does not write to what it reads
#include "view/motion.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "view/base64.h"

enum { POSE_SIZE = 7, POINT_SIZE = 3, RECORD_SIZE = 8 };

size_t motion_frame_size(const Motion* motion) {
    const Scene* scene = motion->scene;
    const size_t floats = (size_t)scene->n_poses * POSE_SIZE +
                          (size_t)scene->n_points * POINT_SIZE + (size_t)motion->n_outputs;
    return sizeof(double) + sizeof(uint32_t) + floats * sizeof(float);
}

static void add_floats(TextBuffer* buffer, const double* values, int n) {
    for (int i = 0; i < n; i++) {
        const float value = (float)values[i];
        text_add_bytes(buffer, &value, sizeof value);
    }
}

static void add_poses(Motion* motion, const SceneInstant* instant) {
    for (int i = 0; i < motion->scene->n_poses; i++) {
        const ScenePose* p = &instant->poses[i];
        add_floats(&motion->poses, (double[]){p->r.x, p->r.y, p->r.z, p->w, p->x, p->y, p->z},
                   POSE_SIZE);
    }
    for (int i = 0; i < motion->scene->n_points; i++) {
        const Vec3 r = instant->points[i];
        add_floats(&motion->points, (double[]){r.x, r.y, r.z}, POINT_SIZE);
    }
}

static void add_contacts(Motion* motion, const SceneInstant* instant) {
    for (int i = 0; i < instant->n_touches; i++) {
        const SceneTouch* t = &instant->touches[i];
        const double record[RECORD_SIZE] = {t->contact, t->state,   t->point.x, t->point.y,
                                            t->point.z, t->force.x, t->force.y, t->force.z};
        add_floats(&motion->contacts, record, RECORD_SIZE);
    }
    motion->n_contact_records += (size_t)instant->n_touches;
    const uint32_t end = (uint32_t)motion->n_contact_records;
    text_add_bytes(&motion->contact_ends, &end, sizeof end);
}

static bool failed(const Motion* motion) {
    return motion->time.failed || motion->poses.failed || motion->points.failed ||
           motion->contact_ends.failed || motion->contacts.failed || motion->outputs.failed;
}

Status motion_add(Motion* motion, const SceneInstant* instant, const double* outputs) {
    text_add_bytes(&motion->time, &instant->t, sizeof instant->t);
    add_poses(motion, instant);
    add_contacts(motion, instant);
    add_floats(&motion->outputs, outputs, motion->n_outputs);
    motion->n_frames++;
    return failed(motion) ? STATUS_OUT_OF_MEMORY : STATUS_OK;
}

// --- the bytes ---

typedef struct Deflater {
    z_stream stream;
    Base64Writer base64;
    size_t n_bytes;  // taken so far
    bool failed;
} Deflater;

static void deflate_bytes(Deflater* deflater, const void* bytes, size_t n, int flush) {
    enum { PIECE = 1 << 16, LONGEST = 1 << 30 };  // zlib counts in unsigned
    unsigned char piece[PIECE];
    const unsigned char* next = bytes;
    deflater->n_bytes += n;
    do {
        const size_t part = n < LONGEST ? n : LONGEST;
        deflater->stream.next_in = next;
        deflater->stream.avail_in = (unsigned)part;
        next += part;
        n -= part;
        do {
            deflater->stream.next_out = piece;
            deflater->stream.avail_out = PIECE;
            const int result = deflate(&deflater->stream, n == 0 ? flush : Z_NO_FLUSH);
            deflater->failed = deflater->failed || result == Z_STREAM_ERROR;
            base64_add(&deflater->base64, piece, PIECE - deflater->stream.avail_out);
        } while (deflater->stream.avail_out == 0 && !deflater->failed);
    } while (n > 0 && !deflater->failed);
}

static void take_buffer(Deflater* deflater, TextBuffer* buffer) {
    if (buffer->n > 0) {
        deflate_bytes(deflater, buffer->text, buffer->n, Z_NO_FLUSH);
    }
    text_buffer_free(buffer);
}

// One output after the other: neighbours in time differ least.
static void take_outputs(Deflater* deflater, Motion* motion) {
    const size_t n = (size_t)motion->n_outputs;
    const size_t n_frames = motion->n_frames;
    float* column = calloc(n_frames + 1, sizeof *column);
    deflater->failed = deflater->failed || column == NULL;
    for (size_t i = 0; i < n && !deflater->failed; i++) {
        for (size_t frame = 0; frame < n_frames; frame++) {
            const size_t at = (frame * n + i) * sizeof(float);
            memcpy(&column[frame], motion->outputs.text + at, sizeof(float));
        }
        deflate_bytes(deflater, column, n_frames * sizeof *column, Z_NO_FLUSH);
    }
    free(column);
}

Status motion_write(Motion* motion, TextBuffer* out, size_t* n_bytes) {
    Deflater deflater = {.base64 = {.out = out}};
    if (deflateInit(&deflater.stream, Z_DEFAULT_COMPRESSION) != Z_OK) {
        return STATUS_OUT_OF_MEMORY;
    }
    TextBuffer* const buffers[] = {&motion->time, &motion->poses, &motion->points,
                                   &motion->contact_ends, &motion->contacts};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        take_buffer(&deflater, buffers[i]);
    }
    take_outputs(&deflater, motion);
    deflate_bytes(&deflater, "", 0, Z_FINISH);
    deflateEnd(&deflater.stream);
    base64_end(&deflater.base64);
    motion_free(motion);
    *n_bytes = deflater.n_bytes;
    return deflater.failed || out->failed ? STATUS_OUT_OF_MEMORY : STATUS_OK;
}

void motion_free(Motion* motion) {
    text_buffer_free(&motion->time);
    text_buffer_free(&motion->poses);
    text_buffer_free(&motion->points);
    text_buffer_free(&motion->contact_ends);
    text_buffer_free(&motion->contacts);
    text_buffer_free(&motion->outputs);
}
