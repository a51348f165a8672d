#define _POSIX_C_SOURCE 200809L  // clock_gettime, strdup

#include "driver.h"

#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_VARIANTS = 16, MAX_PHASES = 64, MAX_THREADS = 64, MAX_MOTIONS = 4096, N_MEMORY = 20 };

typedef struct Request {
    Options options;
    char* variants[MAX_VARIANTS];
    int n_variants;
    int ends[MAX_PHASES];  // steps
    int n_phases;
    double budget;  // s
    double limit;   // s, of a run
    int threads, instances;
    bool memory;
    const char* trajectory;
    const char* rows;
} Request;

typedef struct Result {
    const char* absent;         // why there is none
    double best;                // s, of all steps
    double phases[MAX_PHASES];  // s, of each phase's steps
    int n_phases;               // that were reached within the limit
    long memory;                // bytes per motion
    bool failed;
} Result;

static double now(clockid_t clock) {
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop_with(const char* what, const char* detail) {
    (void)fprintf(stderr, "%s %s\n", what, detail);
    exit(2);
}

// --- options ---

// Divides a text at commas, in place.
static int split(char* text, char** parts, int n_max) {
    int n = 0;
    char* rest = NULL;
    for (char* part = strtok_r(text, ",", &rest); part != NULL && n < n_max;
         part = strtok_r(NULL, ",", &rest)) {
        parts[n++] = part;
    }
    return n;
}

static void take_ends(Request* request, char* text) {
    char* parts[MAX_PHASES];
    request->n_phases = split(text, parts, MAX_PHASES);
    for (int i = 0; i < request->n_phases; i++) {
        request->ends[i] = (int)lround(atof(parts[i]) / request->options.dt);
    }
}

static bool take(Request* request, const char* key, char* value) {
    Options* o = &request->options;
    const struct {
        const char* key;
        const char** text;
        double* real;
        int* integer;
    } table[] = {{"case", &o->case_name, NULL, NULL},
                 {"model", &o->model, NULL, NULL},
                 {"library", &o->library, NULL, NULL},
                 {"observe", &o->observe, NULL, NULL},
                 {"settings", &o->settings, NULL, NULL},
                 {"dt", NULL, &o->dt, NULL},
                 {"stop", NULL, &o->stop, NULL},
                 {"n", NULL, NULL, &o->n},
                 {"budget", NULL, &request->budget, NULL},
                 {"limit", NULL, &request->limit, NULL},
                 {"threads", NULL, NULL, &request->threads},
                 {"instances", NULL, NULL, &request->instances},
                 {"trajectory", &request->trajectory, NULL, NULL},
                 {"rows", &request->rows, NULL, NULL}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(key, table[i].key) != 0) {
            continue;
        }
        if (table[i].text != NULL) {
            *table[i].text = value;
        } else if (table[i].real != NULL) {
            *table[i].real = atof(value);
        } else {
            *table[i].integer = atoi(value);
        }
        return true;
    }
    return false;
}

static Request read_request(int argc, char** argv) {
    Request request = {.threads = 1, .instances = 1, .limit = INFINITY};
    request.options = (Options){.case_name = "", .model = "", .observe = "", .settings = ""};
    char* ends = NULL;
    for (int i = 1; i < argc; i++) {
        char* value = strchr(argv[i], '=');
        if (value == NULL) {
            stop_with("this is no option:", argv[i]);
        }
        *value++ = '\0';
        if (strcmp(argv[i], "variants") == 0) {
            request.n_variants = split(value, request.variants, MAX_VARIANTS);
        } else if (strcmp(argv[i], "memory") == 0) {
            request.memory = strcmp(value, "yes") == 0;
        } else if (strcmp(argv[i], "ends") == 0) {
            ends = value;
        } else if (!take(&request, argv[i], value)) {
            stop_with("there is no option", argv[i]);
        }
    }
    if (request.options.dt <= 0.0 || request.options.stop <= 0.0 || request.n_variants == 0) {
        stop_with("wanted:", "variants, dt > 0 and stop > 0");
    }
    if (request.threads < 1 || request.threads > MAX_THREADS || request.instances < 1 ||
        request.threads * request.instances > MAX_MOTIONS) {
        stop_with("too few or too many", "threads or instances");
    }
    request.n_phases = 1;
    request.ends[0] = (int)lround(request.options.stop / request.options.dt);
    if (ends != NULL) {
        take_ends(&request, ends);
    }
    return request;
}

// --- measuring ---

typedef struct Worker {
    Motion** motions;  // (n) that take turns
    int n;
    int from, to;
    bool good;
} Worker;

static void* work(void* argument) {
    Worker* worker = argument;
    worker->good = true;
    if (worker->n == 1) {
        worker->good = worker->motions[0]->steps(worker->motions[0], worker->from, worker->to);
        return NULL;
    }
    for (int step = worker->from; step < worker->to; step++) {
        for (int i = 0; i < worker->n; i++) {
            worker->good &= worker->motions[i]->steps(worker->motions[i], step, step + 1);
        }
    }
    return NULL;
}

// One phase of all motions; seconds, or a negative number if a step failed. One thread is measured
// by the time that the processor gives to the program (to all its threads, if it has started some):
// what else runs on the machine disturbs it least. Several threads are measured by the clock on the
// wall.
static double run_phase(const Request* request, Motion** motions, int from, int to) {
    Worker workers[MAX_THREADS] = {0};
    pthread_t threads[MAX_THREADS];
    const int n_threads = request->threads;
    for (int i = 0; i < n_threads; i++) {
        workers[i] = (Worker){.motions = motions + i * request->instances,
                              .n = request->instances,
                              .from = from,
                              .to = to};
    }
    const clockid_t clock = n_threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    const double began = now(clock);
    for (int i = 1; i < n_threads; i++) {
        if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0) {
            stop_with("no", "thread");
        }
    }
    (void)work(&workers[0]);
    bool good = workers[0].good;
    for (int i = 1; i < n_threads; i++) {
        (void)pthread_join(threads[i], NULL);
        good = good && workers[i].good;
    }
    return good ? now(clock) - began : -1.0;
}

static FILE* open_rows(const char* prefix, const char* variant) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s.%s", prefix, variant);
    FILE* file = fopen(path, "wb");
    if (file == NULL) {
        stop_with("cannot write", path);
    }
    return file;
}

static void write_row(FILE* file, Motion* motion) {
    const size_t width = (size_t)motion->width;
    double* row = calloc(width, sizeof *row);
    if (row == NULL) {
        stop_with("out of", "memory");
    }
    motion->observe(motion, row);
    if (fwrite(row, sizeof *row, width, file) != width) {
        stop_with("cannot write", "a row");
    }
    free(row);
}

// rows: gets those of the first motion before the first and after each phase, or NULL
static void run(const Program* program, const Request* request, const Options* options, FILE* rows,
                Result* result) {
    static Motion* motions[MAX_MOTIONS];
    const int n = request->threads * request->instances;
    for (int i = 0; i < n; i++) {
        motions[i] = program->create(options, &result->absent);
        if (motions[i] == NULL) {
            return;
        }
    }
    double total = 0.0;
    int from = 0;
    if (rows != NULL) {
        write_row(rows, motions[0]);
    }
    for (int phase = 0; phase < result->n_phases && !result->failed; phase++) {
        const double duration = run_phase(request, motions, from, request->ends[phase]);
        result->failed = duration < 0.0;
        if (rows != NULL) {
            write_row(rows, motions[0]);
        }
        result->phases[phase] = fmin(result->phases[phase], duration);
        total += duration;
        from = request->ends[phase];
        if (total > request->limit) {
            result->n_phases = phase + 1;
        }
    }
    result->best = fmin(result->best, total);
    for (int i = 0; i < n; i++) {
        motions[i]->destroy(motions[i]);
    }
}

static size_t allocated(void) {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;  // small ones and mapped ones
}

// What one more motion takes from the allocator, after its first step.
static void measure_memory(const Program* program, const Options* options, Result* result) {
    Motion* motions[N_MEMORY];
    size_t before = 0;
    for (int i = 0; i < N_MEMORY; i++) {
        if (i == 1) {  // the first one pays for what all share
            before = allocated();
        }
        motions[i] = program->create(options, &result->absent);
        if (motions[i] == NULL || !motions[i]->steps(motions[i], 0, 1)) {
            return;
        }
    }
    result->memory = (long)((allocated() - before) / (N_MEMORY - 1));
    for (int i = 0; i < N_MEMORY; i++) {
        motions[i]->destroy(motions[i]);
    }
}

static void write_trajectory(const Program* program, const Request* request, const Options* options,
                             Result* result) {
    Motion* motion = program->create(options, &result->absent);
    if (motion == NULL) {
        stop_with("cannot create", options->variant);
    }
    FILE* file = open_rows(request->trajectory, options->variant);
    const int n = request->ends[request->n_phases - 1];
    for (int i = 0; i <= n && !result->failed; i++) {
        write_row(file, motion);
        result->failed = i < n && !motion->steps(motion, i, i + 1);
    }
    (void)fclose(file);
    motion->destroy(motion);
}

// --- report ---

static void print_result(const Request* request, int i, const Result* result) {
    printf("%s\"%s\": {", i > 0 ? ", " : "", request->variants[i]);
    if (result->absent != NULL) {
        printf("\"absent\": \"%s\"}", result->absent);
        return;
    }
    const int n_steps = request->ends[result->n_phases - 1];
    printf("\"steps\": %d, \"failed\": %s, \"memory\": %ld", n_steps,
           result->failed ? "true" : "false", result->memory);
    if (!result->failed) {
        printf(", \"seconds\": %.9g, \"phases\": [", result->best);
        for (int phase = 0; phase < result->n_phases; phase++) {
            const int from = phase > 0 ? request->ends[phase - 1] : 0;
            printf("%s%.9g", phase > 0 ? ", " : "",
                   result->phases[phase] / (request->ends[phase] - from));
        }
        printf("]");
    }
    printf("}");
}

static void measure(const Program* program, const Request* request, bool first, int i,
                    Result* result) {
    Options options = request->options;
    options.variant = request->variants[i];
    if (result->absent != NULL || result->failed) {
        return;
    }
    FILE* rows = first && request->rows != NULL ? open_rows(request->rows, options.variant) : NULL;
    run(program, request, &options, rows, result);
    if (rows != NULL) {
        (void)fclose(rows);
    }
    if (!first || result->absent != NULL || result->failed) {
        return;
    }
    if (request->memory) {
        measure_memory(program, &options, result);
    }
    if (request->trajectory != NULL) {
        write_trajectory(program, request, &options, result);
    }
}

int driver_main(const Program* program, int argc, char** argv) {
    const Request request = read_request(argc, argv);
    Result results[MAX_VARIANTS];
    for (int i = 0; i < request.n_variants; i++) {
        results[i] = (Result){.best = INFINITY, .n_phases = request.n_phases};
        for (int phase = 0; phase < MAX_PHASES; phase++) {
            results[i].phases[phase] = INFINITY;
        }
    }
    const double end = now(CLOCK_MONOTONIC) + request.budget;
    bool first = true;
    do {
        for (int i = 0; i < request.n_variants; i++) {
            measure(program, &request, first, i, &results[i]);
        }
        first = false;
    } while (now(CLOCK_MONOTONIC) < end);
    printf("{\"version\": \"%s\", \"variants\": {", program->version);
    for (int i = 0; i < request.n_variants; i++) {
        print_result(&request, i, &results[i]);
    }
    printf("}}\n");
    return 0;
}
