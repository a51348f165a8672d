#include "cli/pack_pictures.h"

#include <math.h>
#include <stdio.h>

#include "cli/view_sink.h"
#include "modelDescription/drawing.h"

static Status make_drawing(Simulation* simulation, TextBuffer* out) {
    Arena arena = {0};
    Scene scene;
    SceneInstant instant;
    Status status = scene_create(simulation, &arena, &scene);
    if (status == STATUS_OK) {
        status = scene_instant_create(&scene, &arena, &instant);
    }
    if (status == STATUS_OK) {
        scene_take(simulation, &scene, &instant);
        drawing_write(&scene, &instant, out);
        status = out->failed ? STATUS_OUT_OF_MEMORY : STATUS_OK;
    }
    arena_free(&arena);
    return status;
}

// Step by step to the end of the default experiment, or to a failure, of which the page tells.
static Status move(Simulation* simulation, Recorder* recorder, const char** failure) {
    const ModelInfo* info = simulation_info(simulation);
    const double span = info->stop_time - info->start_time;
    const double n = fmax(0.0, ceil(span / info->step_size * (1.0 - 1e-6)));
    Status status = recorder_row(recorder);
    for (double i = 0; i < n && status == STATUS_OK; i++) {
        if (simulation_advance(simulation, span / n, NULL) != STATUS_OK) {
            *failure = simulation_message(simulation);
            return STATUS_OK;
        }
        status = recorder_row(recorder);
    }
    return status;
}

static Status make_animation(Simulation* simulation, const char* source, TextBuffer* out) {
    Recorder recorder = {0};
    Document document = {.source = source};
    PageTemplate page;
    if (!view_page("clatter pack", &page)) {
        return STATUS_OK;
    }
    Status status =
        recorder_open(&recorder, simulation, simulation_info(simulation)->stop_time, NAN);
    if (status == STATUS_OK) {
        status = move(simulation, &recorder, &document.failure);
    }
    if (status == STATUS_OK) {
        status = recorder_write(&recorder, &document, &page, out);
    }
    if (document.failure != NULL) {
        fprintf(stderr, "%s: warning: the animation ends early: %s\n", source, document.failure);
    }
    recorder_free(&recorder);
    return status;
}

Status pack_pictures_make(Simulation* simulation, const char* source, bool animation,
                          PackPictures* pictures) {
    Report silent = {0};  // the FMU reports what its own start is like
    const double t_0 = simulation_info(simulation)->start_time;
    *pictures = (PackPictures){0};
    if (simulation_initialize(simulation, t_0, &silent) != STATUS_OK) {
        fprintf(stderr, "%s: warning: the FMU has no picture, as it cannot start like this: %s\n",
                source, simulation_message(simulation));
        return STATUS_OK;
    }
    Status status = make_drawing(simulation, &pictures->drawing);
    if (status == STATUS_OK && animation) {
        status = make_animation(simulation, source, &pictures->animation);
    }
    return status;
}

void pack_pictures_free(PackPictures* pictures) {
    text_buffer_free(&pictures->drawing);
    text_buffer_free(&pictures->animation);
}
