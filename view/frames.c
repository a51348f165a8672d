#include "view/frames.h"

#include <math.h>
#include <string.h>

static const double FRAMES_PER_SECOND = 60.0;
enum { FEWEST_FRAMES = 200, MOST_FRAMES = 6000 };
enum {
    MOST_BYTES = 64 << 20,
    MOST_OUTPUT_BYTES = 16 << 20
};  // of all frames, and of outputs alone

static double frame_interval(double span, double wished) {
    if (!isnan(wished)) {
        return wished;
    }
    const double interval = fmin(1.0 / FRAMES_PER_SECOND, span / FEWEST_FRAMES);
    return fmax(interval, span / MOST_FRAMES);
}

// --- which outputs ---

static bool is_of(const char* group, const Variable* variable) {
    const size_t n = strlen(group);
    return strncmp(variable->name, group, n) == 0 && variable->name[n] == '.';
}

// What is kept first if there is no room for all: lowest number first; RANK_NONE: never.
enum { RANK_WHOLE, RANK_OUTPUT, RANK_LOCAL, RANK_NONE };

// Accelerations cost a solution of the contact laws, which need not exist.
static int rank_of(const VariableTable* table, int i, const bool* available) {
    const Variable* variable = &table->variables[i];
    const bool varies = variable->store == STORE_OUTPUT || variable->store == STORE_INPUT;
    if (!varies || (available != NULL && !available[i])) {
        return RANK_NONE;
    }
    if (is_of("energy", variable) || is_of("solver", variable)) {
        return RANK_WHOLE;
    }
    if (variable->causality != CAUSALITY_LOCAL || available != NULL) {
        return RANK_OUTPUT;
    }
    return variable->from_accelerations ? RANK_NONE : RANK_LOCAL;
}

Status frames_choose_outputs(Frames* frames, const bool* available) {
    const VariableTable* table = simulation_variables(frames->simulation);
    const double n_frames = frames->interval > 0.0 ? 1.0 + frames->span / frames->interval : 1.0;
    const double room = MOST_OUTPUT_BYTES / (n_frames * sizeof(float));
    int left[RANK_NONE];  // how many of each rank there is room for
    int counts[RANK_NONE + 1] = {0};
    for (int i = 0; i < table->n_variables; i++) {
        counts[rank_of(table, i, available)]++;
    }
    for (int rank = 0; rank < RANK_NONE; rank++) {
        const double free_room = fmax(0.0, floor(room) - frames->n_outputs);
        left[rank] = free_room < counts[rank] ? (int)free_room : counts[rank];
        frames->n_outputs += left[rank];
        frames->n_more_outputs += counts[rank] - left[rank];
    }
    frames->outputs = ARENA_NEW(&frames->arena, frames->n_outputs, int);
    frames->values = ARENA_NEW(&frames->arena, frames->n_outputs, double);
    if (frames->outputs == NULL || frames->values == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0, n = 0; i < table->n_variables; i++) {
        const int rank = rank_of(table, i, available);
        if (rank != RANK_NONE && left[rank]-- > 0) {
            frames->outputs[n++] = i;
        }
    }
    frames->motion.n_outputs = frames->n_outputs;
    if (!frames->wished) {
        const double size = (double)motion_frame_size(&frames->motion);
        frames->interval = fmax(frames->interval, frames->span * size / MOST_BYTES);
    }
    return STATUS_OK;
}

// --- the motion ---

static Status create_scene(Frames* frames) {
    Arena* arena = &frames->arena;
    Status status = scene_create(frames->simulation, arena, &frames->scene);
    if (status == STATUS_OK) {
        status = scene_instant_create(&frames->scene, arena, &frames->instant);
    }
    frames->curves = ARENA_NEW(arena, frames->scene.n_shapes, Span);
    for (int i = 0; i < frames->scene.n_shapes && frames->curves != NULL; i++) {
        frames->curves[i] = (Span){INFINITY, -INFINITY};
    }
    return frames->curves != NULL ? status : STATUS_OUT_OF_MEMORY;
}

Status frames_open(Frames* frames, Simulation* simulation, Span times, double interval) {
    *frames = (Frames){.simulation = simulation,
                       .start = times.low,
                       .span = fmax(0.0, times.high - times.low),
                       .wished = !isnan(interval)};
    frames->interval = frame_interval(frames->span, interval);
    frames->motion.scene = &frames->scene;
    return create_scene(frames);
}

bool frames_are_due(Frames* frames, double t) {
    static const double ROUNDING = 1e-6;  // of an interval
    const double elapsed = t - frames->start;
    const double due = frames->interval > 0.0 ? elapsed / frames->interval + ROUNDING : 0.0;
    if (due < (double)frames->n_due) {
        return false;
    }
    frames->n_due = (long long)fmin(floor(due), 1e15) + 1;
    return true;
}

static void widen(Span* span, double x) {
    span->low = fmin(span->low, x);
    span->high = fmax(span->high, x);
}

// The box that holds all frames and points, seen along x of each curve
static void widen_curves(Frames* frames) {
    const SceneInstant* instant = &frames->instant;
    Span box[2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    for (int i = 0; i < frames->scene.n_poses + frames->scene.n_points; i++) {
        const int n = frames->scene.n_poses;
        const Vec3 r = i < n ? instant->poses[i].r : instant->points[i - n];
        widen(&box[0], r.x);
        widen(&box[1], r.y);
    }
    for (int i = 0; i < frames->scene.n_shapes; i++) {
        const SceneShape* shape = &frames->scene.shapes[i];
        if (shape->function == NULL) {
            continue;
        }
        const Vec3 e = scene_direction(instant, &shape->marker, (Vec3){1.0, 0.0, 0.0});
        const Vec3 origin = scene_point(instant, &shape->marker, (Vec3){0.0, 0.0, 0.0});
        for (int corner = 0; corner < 4; corner++) {
            const double x = (corner & 1) != 0 ? box[0].high : box[0].low;
            const double y = (corner & 2) != 0 ? box[1].high : box[1].low;
            widen(&frames->curves[i], e.x * (x - origin.x) + e.y * (y - origin.y));
        }
    }
}

Status frames_add(Frames* frames) {
    widen_curves(frames);
    frames->last = frames->instant.t;
    return motion_add(&frames->motion, &frames->instant, frames->values);
}

// --- the page ---

// Curves are drawn somewhat beyond what the bodies have been above.
static void pad_curves(Frames* frames) {
    double largest = 0.0;
    for (int i = 0; i < frames->scene.n_shapes; i++) {
        const SceneShape* shape = &frames->scene.shapes[i];
        largest = fmax(largest, fmax(shape->radius, fmax(shape->sizes[0], shape->sizes[1])));
    }
    for (int i = 0; i < frames->scene.n_shapes; i++) {
        Span* span = &frames->curves[i];
        const double width = span->high > span->low ? span->high - span->low : 0.0;
        const double margin = 0.25 * width + 2.0 * largest;
        const double middle = span->high >= span->low ? 0.5 * (span->low + span->high) : 0.0;
        const double half = 0.5 * width + (margin > 0.0 ? margin : 1.0);
        *span = (Span){middle - half, middle + half};
    }
}

Status frames_write(Frames* frames, Document* document, const PageTemplate* page, TextBuffer* out) {
    TextBuffer scene = {0}, motion = {0};
    document->info = simulation_info(frames->simulation);
    document->table = simulation_variables(frames->simulation);
    document->scene = &frames->scene;
    document->start = frames->start;
    document->stop = frames->last;
    document->curves = frames->curves;
    document->outputs = frames->outputs;
    document->n_outputs = frames->n_outputs;
    document->n_more_outputs = frames->n_more_outputs;
    document->n_frames = frames->motion.n_frames;
    document->n_contact_records = frames->motion.n_contact_records;
    pad_curves(frames);
    Status status = motion_write(&frames->motion, &motion, &document->n_bytes);
    if (status == STATUS_OK) {
        document_write(document, &scene);
        page_write(page, &scene, &motion, out);
        status = out->failed ? STATUS_OUT_OF_MEMORY : STATUS_OK;
    }
    text_buffer_free(&scene);
    text_buffer_free(&motion);
    return status;
}

void frames_free(Frames* frames) {
    motion_free(&frames->motion);
    arena_free(&frames->arena);
}
