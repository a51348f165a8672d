// Steps per second of the rotating ball, the communication step being the internal step: through
// fmi2DoStep of the shared object as hosts load it, through fmi2DoStep linked into this program,
// and of the core alone (simulation_advance, linked too). The difference of the last two is what
// the FMI layer costs. Each way runs the same motion again and again, in turn with the others, and
// the best time of each phase counts: disturbances only ever add to it.
#define _POSIX_C_SOURCE 200809L  // clock_gettime, mkdtemp

#include <dlfcn.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "fmi2Functions.h"
#include "simulation/simulation.h"

// Case 2 of the model: falls with a spin, slides, rolls. The impact belongs to the sliding.
enum { FLIGHT, SLIDING, ROLLING, N_PHASES };
static const char* const phase_names[N_PHASES] = {"free flight", "sliding", "rolling"};
static const double phase_ends[N_PHASES] = {0.42, 0.72, 1.5};
static const double STEP = 2e-3;

typedef struct Setting {
    const char* name;
    double value;
} Setting;
static const Setting settings[] = {{"ball.initial_angular_velocity", 50.0},
                                   {"floor_contact.normal_restitution", 0.0}};
enum { N_SETTINGS = sizeof settings / sizeof settings[0] };

// The functions of one shared object, or those linked.
typedef struct Fmu {
    fmi2InstantiateTYPE* instantiate;
    fmi2SetupExperimentTYPE* set_up;
    fmi2EnterInitializationModeTYPE* enter;
    fmi2ExitInitializationModeTYPE* leave;
    fmi2SetRealTYPE* set_real;
    fmi2DoStepTYPE* do_step;
    fmi2ResetTYPE* reset;
    fmi2FreeInstanceTYPE* free_instance;
} Fmu;

static const Fmu linked = {fmi2Instantiate,
                           fmi2SetupExperiment,
                           fmi2EnterInitializationMode,
                           fmi2ExitInitializationMode,
                           fmi2SetReal,
                           fmi2DoStep,
                           fmi2Reset,
                           fmi2FreeInstance};

typedef struct Bench {
    ModelFiles files;
    char* model;  // the text in files
    char directory[32];
    char uri[64];
    Simulation* simulation;  // the core, and the source of names and GUID
    unsigned references[N_SETTINGS];
    fmi2CallbackFunctions callbacks;
} Bench;

typedef struct Way {
    const char* name;
    const Fmu* fmu;  // NULL: the core alone
    fmi2Component component;
    double best[N_PHASES + 1];  // s per step, of the phases and overall
} Way;

static void fail(const char* what) {
    (void)fprintf(stderr, "fmi_step: %s\n", what);
    exit(1);
}

static void check(int good, const char* what) {
    if (!good) {
        fail(what);
    }
}

static void ignore(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                   fmi2String category, fmi2String message, ...) {
    (void)environment, (void)name, (void)status, (void)category, (void)message;
}

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// --- set-up ---

static void open_bench(Bench* bench, const char* path) {
    char* text;
    check(file_read(path, 1 << 20, &text, &bench->files.n_model) == STATUS_OK, "no model file");
    bench->model = text;
    bench->files.model = text;
    bench->files.model_name = path;
    Report report = {0};
    bench->simulation = simulation_create(&bench->files, &report);
    check(bench->simulation != NULL, "the model is not valid");
    for (int i = 0; i < N_SETTINGS; i++) {
        const int found = variable_find(simulation_variables(bench->simulation), settings[i].name);
        check(found >= 0, "this is not the rotating ball");
        bench->references[i] = (unsigned)found;
    }
    (void)snprintf(bench->directory, sizeof bench->directory, "/tmp/clatter_bench_XXXXXX");
    check(mkdtemp(bench->directory) != NULL, "no temporary directory");
    (void)snprintf(bench->uri, sizeof bench->uri, "file://%s", bench->directory);
    char file[64];
    (void)snprintf(file, sizeof file, "%s/model.xml", bench->directory);
    check(file_write(file, text, bench->files.n_model) == STATUS_OK, "no resource");
    bench->callbacks = (fmi2CallbackFunctions){.logger = ignore};
}

static void close_bench(Bench* bench) {
    char file[64];
    (void)snprintf(file, sizeof file, "%s/model.xml", bench->directory);
    (void)unlink(file);
    (void)rmdir(bench->directory);
    simulation_destroy(bench->simulation);
    free(bench->model);
}

// POSIX makes of dlsym's object pointer a function pointer; ISO C has no cast for it.
#define LOAD(library, member, symbol)                                           \
    do {                                                                        \
        void* address_ = dlsym((library), (symbol));                            \
        check(address_ != NULL, "the shared object lacks a function: " symbol); \
        memcpy(&(member), &address_, sizeof address_);                          \
    } while (0)

static Fmu load(const char* path) {
    Fmu fmu;
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fail(dlerror());
    }
    LOAD(library, fmu.instantiate, "fmi2Instantiate");
    LOAD(library, fmu.set_up, "fmi2SetupExperiment");
    LOAD(library, fmu.enter, "fmi2EnterInitializationMode");
    LOAD(library, fmu.leave, "fmi2ExitInitializationMode");
    LOAD(library, fmu.set_real, "fmi2SetReal");
    LOAD(library, fmu.do_step, "fmi2DoStep");
    LOAD(library, fmu.reset, "fmi2Reset");
    LOAD(library, fmu.free_instance, "fmi2FreeInstance");
    return fmu;
}

static fmi2Component instantiate(const Bench* bench, const Fmu* fmu) {
    fmi2Component c =
        fmu->instantiate("bench", fmi2CoSimulation, simulation_info(bench->simulation)->guid,
                         bench->uri, &bench->callbacks, fmi2False, fmi2False);
    check(c != NULL, "no instance");
    return c;
}

// --- one motion ---

static void restart(const Bench* bench, const Way* way) {
    for (int i = 0; way->fmu == NULL && i < N_SETTINGS; i++) {
        if (i == 0) {
            simulation_reset(bench->simulation);
        }
        check(simulation_set(bench->simulation, (int)bench->references[i], settings[i].value) ==
                  STATUS_OK,
              "a parameter was refused");
    }
    if (way->fmu == NULL) {
        check(simulation_initialize(bench->simulation, 0.0, NULL) == STATUS_OK, "no start");
        return;
    }
    check(way->fmu->reset(way->component) == fmi2OK &&
              way->fmu->set_up(way->component, fmi2False, 0.0, 0.0, fmi2False, 0.0) == fmi2OK,
          "no reset");
    for (int i = 0; i < N_SETTINGS; i++) {
        check(way->fmu->set_real(way->component, &bench->references[i], 1, &settings[i].value) ==
                  fmi2OK,
              "a parameter was refused");
    }
    check(way->fmu->enter(way->component) == fmi2OK && way->fmu->leave(way->component) == fmi2OK,
          "no start");
}

static void steps(const Bench* bench, const Way* way, int from, int to) {
    int good = 1;
    if (way->fmu == NULL) {
        for (int i = from; i < to; i++) {
            good &= simulation_advance(bench->simulation, STEP, NULL) == STATUS_OK;
        }
    } else {
        for (int i = from; i < to; i++) {
            good &= way->fmu->do_step(way->component, i * STEP, STEP, fmi2True) == fmi2OK;
        }
    }
    check(good, "a step failed");
}

static void run(const Bench* bench, Way* way) {
    restart(bench, way);
    double total = 0.0;
    int from = 0;
    for (int phase = 0; phase < N_PHASES; phase++) {
        const int to = (int)lround(phase_ends[phase] / STEP);
        const double before = now();
        steps(bench, way, from, to);
        const double duration = now() - before;
        way->best[phase] = fmin(way->best[phase], duration / (to - from));
        total += duration;
        from = to;
    }
    way->best[N_PHASES] = fmin(way->best[N_PHASES], total / from);
}

// --- report ---

static void print_times(const Way* ways, int n_ways) {
    printf("%-34s", "million steps/s (ns per step)");
    for (int phase = 0; phase <= N_PHASES; phase++) {
        printf("  %16s", phase < N_PHASES ? phase_names[phase] : "overall");
    }
    printf("\n");
    for (int i = 0; i < n_ways; i++) {
        printf("%-34s", ways[i].name);
        for (int phase = 0; phase <= N_PHASES; phase++) {
            printf("  %7.2f (%6.0f)", 1e-6 / ways[i].best[phase], 1e9 * ways[i].best[phase]);
        }
        printf("\n");
    }
    const double fmi = ways[n_ways - 2].best[N_PHASES];
    const double core = ways[n_ways - 1].best[N_PHASES];
    printf("FMI overhead: %.0f ns per call, %.1f %% of the call\n", 1e9 * (fmi - core),
           100.0 * (fmi - core) / fmi);
}

static void print_memory(const Bench* bench) {
    enum { N = 100 };
    fmi2Component components[N];
    const struct mallinfo2 before = mallinfo2();
    for (int i = 0; i < N; i++) {
        components[i] = instantiate(bench, &linked);
    }
    const struct mallinfo2 after = mallinfo2();
    for (int i = 0; i < N; i++) {
        linked.free_instance(components[i]);
    }
    const size_t bytes =
        after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;  // small and mapped ones
    printf("memory: %zu bytes per instance, %zu of them its state\n", bytes / N,
           simulation_snapshot_size(bench->simulation));
}

int main(int argc, char** argv) {
    if (argc < 3) {
        (void)fprintf(
            stderr,
            "usage: fmi_step MODEL.xml CLATTER.so [REPETITIONS]\n"
            "MODEL.xml is resources/models/rotating_ball.xml. With 0 repetitions the\n"
            "shared object makes one untimed run, for programs that count instructions.\n");
        return 2;
    }
    Bench bench = {0};
    open_bench(&bench, argv[1]);
    const Fmu loaded = load(argv[2]);
    Way ways[] = {{.name = "fmi2DoStep of the shared object", .fmu = &loaded},
                  {.name = "fmi2DoStep linked", .fmu = &linked},
                  {.name = "core alone (simulation_advance)"}};
    enum { N_WAYS = sizeof ways / sizeof ways[0] };
    const int repetitions = argc > 3 ? atoi(argv[3]) : 1000;
    const int n_ways = repetitions > 0 ? N_WAYS : 1;
    for (int i = 0; i < n_ways; i++) {
        ways[i].component = ways[i].fmu != NULL ? instantiate(&bench, ways[i].fmu) : NULL;
        for (int phase = 0; phase <= N_PHASES; phase++) {
            ways[i].best[phase] = INFINITY;
        }
    }
    for (int repetition = 0; repetition < (repetitions > 0 ? repetitions : 1); repetition++) {
        for (int i = 0; i < n_ways; i++) {
            run(&bench, &ways[i]);
        }
    }
    if (repetitions > 0) {
        print_times(ways, N_WAYS);
        print_memory(&bench);
    } else {
        printf("%ld steps\n", lround(phase_ends[N_PHASES - 1] / STEP));
    }
    for (int i = 0; i < n_ways; i++) {
        if (ways[i].fmu != NULL) {
            ways[i].fmu->free_instance(ways[i].component);
        }
    }
    close_bench(&bench);
    return 0;
}
