#include "view/recorder.h"

Status recorder_open(Recorder* recorder, Simulation* simulation, double stop, double interval) {
    *recorder = (Recorder){0};
    const Span times = {simulation_time(simulation), stop};
    Status status = frames_open(&recorder->frames, simulation, times, interval);
    if (status == STATUS_OK) {
        status = frames_choose_outputs(&recorder->frames, NULL);
    }
    if (status == STATUS_OK) {
        recorder->impacts = impacts_watch(simulation, MOST_IMPACTS, &recorder->frames.arena);
    }
    return status == STATUS_OK && recorder->impacts == NULL ? STATUS_OUT_OF_MEMORY : status;
}

static Status take_frame(Frames* frames) {
    scene_take(frames->simulation, &frames->scene, &frames->instant);
    for (int i = 0; i < frames->n_outputs; i++) {
        const Status status =
            simulation_get(frames->simulation, frames->outputs[i], &frames->values[i]);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return frames_add(frames);
}

Status recorder_row(Recorder* recorder) {
    Frames* frames = &recorder->frames;
    return frames_are_due(frames, simulation_time(frames->simulation)) ? take_frame(frames)
                                                                       : STATUS_OK;
}

Status recorder_write(Recorder* recorder, Document* document, const PageTemplate* page,
                      TextBuffer* out) {
    Frames* frames = &recorder->frames;
    if (frames->motion.n_frames == 0 || simulation_time(frames->simulation) > frames->last) {
        const Status status = take_frame(frames);
        if (status != STATUS_OK) {
            return status;
        }
    }
    document->impacts =
        impacts_sorted(recorder->impacts, &document->n_impacts, &document->n_all_impacts);
    return frames_write(frames, document, page, out);
}

void recorder_free(Recorder* recorder) { frames_free(&recorder->frames); }
