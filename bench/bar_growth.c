// How the cost of a step grows with the size of a sparse system: the elastic bar of
// resources/models/bouncing_bar.xml with 100, 300 and 1000 elements, in turn, best of several runs.
#define _POSIX_C_SOURCE 199309L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/text.h"
#include "simulation/simulation.h"

enum { N_SIZES = 3, N_STEPS = 200 };
static const int sizes[N_SIZES] = {100, 300, 1000};

static void check(bool condition, const char* message) {
    if (!condition) {
        fprintf(stderr, "bar_growth: %s\n", message);
        exit(1);
    }
}

static double now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// The model with another number of elements
static Simulation* create(const char* text, int n) {
    static const char attribute[] = "elements=\"";
    const char* at = strstr(text, attribute);
    check(at != NULL, "the model has no bar");
    at += sizeof attribute - 1;
    TextBuffer model = {0};
    text_add_bytes(&model, text, (size_t)(at - text));
    text_add_format(&model, "%d", n);
    text_add(&model, strchr(at, '"'));
    check(!model.failed, "out of memory");
    Report report = {0};
    const ModelFiles files = {.model_name = "bar", .model = model.text, .n_model = model.n};
    Simulation* simulation = simulation_create(&files, &report);
    check(simulation != NULL && simulation_initialize(simulation, 0.0, &report) == STATUS_OK,
          "the model is not valid");
    text_buffer_free(&model);
    return simulation;
}

// Seconds per step, from the start of the motion
static double measure(Simulation* simulation, double step_size) {
    simulation_reset(simulation);
    check(simulation_initialize(simulation, 0.0, NULL) == STATUS_OK, "no start");
    const double began = now();
    for (int i = 0; i < N_STEPS; i++) {
        check(simulation_advance(simulation, step_size, NULL) == STATUS_OK, "a step failed");
    }
    return (now() - began) / N_STEPS;
}

int main(int argc, char** argv) {
    check(argc == 3, "usage: bar_growth BOUNCING_BAR.xml REPETITIONS");
    char* text = NULL;
    size_t n = 0;
    check(file_read(argv[1], 1 << 20, &text, &n) == STATUS_OK, "no model file");
    Simulation* simulations[N_SIZES];
    double best[N_SIZES];
    for (int i = 0; i < N_SIZES; i++) {
        simulations[i] = create(text, sizes[i]);
        best[i] = INFINITY;
    }
    const double step_size = simulation_info(simulations[0])->step_size;
    for (int repetition = 0; repetition < atoi(argv[2]); repetition++) {
        for (int i = 0; i < N_SIZES; i++) {
            best[i] = fmin(best[i], measure(simulations[i], step_size));
        }
    }
    for (int i = 0; i < N_SIZES; i++) {
        printf("elastic bar, %4d elements: %7.1f us per step, %5.1f times that of 100\n", sizes[i],
               1e6 * best[i], best[i] / best[0]);
        simulation_destroy(simulations[i]);
    }
    free(text);
    return 0;
}
