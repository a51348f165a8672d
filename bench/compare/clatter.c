// Clatter's side of the comparison. A variant is SCHEME.WAY, with the way being
//   core     simulation_advance, linked
//   fmi      fmi2DoStep, linked: what it takes beyond core is the cost of the FMI layer
//   shared   fmi2DoStep of the shared object, loaded as hosts load it
// The communication step is the internal step.
#define _POSIX_C_SOURCE 200809L  // mkdtemp

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "driver.h"
#include "fmi2Functions.h"
#include "simulation/simulation.h"

enum { MAX_NAMES = 1 << 24, MAX_SETTINGS = 16 };  // bytes of a file of names

// The functions of one shared object, or those linked.
typedef struct Fmu {
    fmi2InstantiateTYPE* instantiate;
    fmi2SetupExperimentTYPE* set_up;
    fmi2EnterInitializationModeTYPE* enter;
    fmi2ExitInitializationModeTYPE* leave;
    fmi2SetRealTYPE* set_real;
    fmi2SetIntegerTYPE* set_integer;
    fmi2GetRealTYPE* get_real;
    fmi2DoStepTYPE* do_step;
    fmi2FreeInstanceTYPE* free_instance;
} Fmu;

static const Fmu linked = {fmi2Instantiate,
                           fmi2SetupExperiment,
                           fmi2EnterInitializationMode,
                           fmi2ExitInitializationMode,
                           fmi2SetReal,
                           fmi2SetInteger,
                           fmi2GetReal,
                           fmi2DoStep,
                           fmi2FreeInstance};

typedef struct Setting {
    unsigned reference;
    bool real;
    double value;
} Setting;

typedef struct ClatterMotion {
    Motion motion;
    Simulation* simulation;  // of the way core
    const Fmu* fmu;          // of the other ways
    fmi2Component component;
    double dt;
    unsigned* columns;  // (motion.width)
} ClatterMotion;

static void check(bool good, const char* what) {
    if (!good) {
        (void)fprintf(stderr, "clatter: %s\n", what);
        exit(2);
    }
}

static void ignore(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                   fmi2String category, fmi2String message, ...) {
    (void)environment, (void)name, (void)status, (void)category, (void)message;
}
static const fmi2CallbackFunctions callbacks = {.logger = ignore};

// POSIX makes of dlsym's object pointer a function pointer; ISO C has no cast for it.
#define LOAD(library, member, symbol)                                           \
    do {                                                                        \
        void* address_ = dlsym((library), (symbol));                            \
        check(address_ != NULL, "the shared object lacks a function: " symbol); \
        memcpy(&(member), &address_, sizeof address_);                          \
    } while (0)

static const Fmu* load(const char* path) {
    static Fmu fmu;
    if (fmu.instantiate != NULL) {
        return &fmu;
    }
    void* library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    check(library != NULL, "no shared object (library=...)");
    LOAD(library, fmu.instantiate, "fmi2Instantiate");
    LOAD(library, fmu.set_up, "fmi2SetupExperiment");
    LOAD(library, fmu.enter, "fmi2EnterInitializationMode");
    LOAD(library, fmu.leave, "fmi2ExitInitializationMode");
    LOAD(library, fmu.set_real, "fmi2SetReal");
    LOAD(library, fmu.set_integer, "fmi2SetInteger");
    LOAD(library, fmu.get_real, "fmi2GetReal");
    LOAD(library, fmu.do_step, "fmi2DoStep");
    LOAD(library, fmu.free_instance, "fmi2FreeInstance");
    return &fmu;
}

// --- steps ---

static bool core_steps(Motion* motion, int from, int to) {
    const ClatterMotion* m = (const ClatterMotion*)motion;
    bool good = true;
    for (int i = from; i < to; i++) {
        good &= simulation_advance(m->simulation, m->dt, NULL) == STATUS_OK;
    }
    return good;
}

static bool fmi_steps(Motion* motion, int from, int to) {
    const ClatterMotion* m = (const ClatterMotion*)motion;
    bool good = true;
    for (int i = from; i < to; i++) {
        good &= m->fmu->do_step(m->component, i * m->dt, m->dt, fmi2True) == fmi2OK;
    }
    return good;
}

static void core_observe(Motion* motion, double* row) {
    const ClatterMotion* m = (const ClatterMotion*)motion;
    for (int i = 0; i < motion->width; i++) {
        check(simulation_get(m->simulation, (int)m->columns[i], &row[i]) == STATUS_OK, "no value");
    }
}

static void fmi_observe(Motion* motion, double* row) {
    const ClatterMotion* m = (const ClatterMotion*)motion;
    check(m->fmu->get_real(m->component, m->columns, (size_t)motion->width, row) == fmi2OK,
          "no value");
}

static void destroy(Motion* motion) {
    ClatterMotion* m = (ClatterMotion*)motion;
    if (m->component != NULL) {
        m->fmu->free_instance(m->component);
    }
    simulation_destroy(m->simulation);
    free(m->columns);
    free(m);
}

// --- set-up ---

static unsigned find(const VariableTable* table, const char* name) {
    const int found = variable_find(table, name);
    if (found < 0) {
        (void)fprintf(stderr, "clatter: the model has no %s\n", name);
        exit(2);
    }
    return (unsigned)found;
}

// Names separated by commas, or @FILE with one in each line: indices have commas, and many names do
// not fit into an argument
static char* read_names(const char* names) {
    if (names[0] != '@') {
        return strdup(names);
    }
    char* text = NULL;
    size_t n = 0;
    check(file_read(names + 1, MAX_NAMES, &text, &n) == STATUS_OK, "no file of names");
    return text;
}

static void find_columns(ClatterMotion* m, const VariableTable* table, const char* names) {
    char* copy = read_names(names);
    check(copy != NULL, "out of memory");
    const char* separator = names[0] == '@' ? "\n" : ",";
    int n_max = 1;
    for (const char* end = copy; (end = strchr(end, *separator)) != NULL; end++) {
        n_max++;
    }
    m->columns = calloc((size_t)n_max, sizeof *m->columns);
    check(m->columns != NULL, "out of memory");
    char* rest = NULL;
    for (const char* name = strtok_r(copy, separator, &rest); name != NULL;
         name = strtok_r(NULL, separator, &rest)) {
        m->columns[m->motion.width++] = find(table, name);
    }
    free(copy);
}

// 1 ... n, or 0 if there is no scheme of that name
static int find_scheme(const Variable* variable, const char* name, size_t n_name) {
    for (int i = 0; i < variable->enumeration->n_items; i++) {
        const char* item = enumeration_item(variable->enumeration, i)->name;
        if (strlen(item) == n_name && strncmp(item, name, n_name) == 0) {
            return i + 1;
        }
    }
    return 0;
}

static int find_settings(const VariableTable* table, const Options* options, int scheme,
                         Setting* settings) {
    settings[0] = (Setting){find(table, "solver.scheme"), false, scheme};
    settings[1] = (Setting){find(table, "solver.step_size"), true, options->dt};
    int n = 2;
    char* copy = strdup(options->settings);
    check(copy != NULL, "out of memory");
    char* rest = NULL;
    for (char* name = strtok_r(copy, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        char* value = strchr(name, '=');
        check(value != NULL && n < MAX_SETTINGS, "settings are NAME=VALUE, and not too many");
        *value++ = '\0';
        const unsigned found = find(table, name);
        settings[n++] =
            (Setting){found, table->variables[found].type == VARIABLE_REAL, atof(value)};
    }
    free(copy);
    return n;
}

static bool start_core(const ClatterMotion* m, const Setting* settings, int n) {
    bool good = true;
    for (int i = 0; i < n; i++) {
        good = good && simulation_set(m->simulation, (int)settings[i].reference,
                                      settings[i].value) == STATUS_OK;
    }
    return good && simulation_initialize(m->simulation, 0.0, NULL) == STATUS_OK;
}

static bool start_fmi(const ClatterMotion* m, const Setting* settings, int n) {
    bool good = m->fmu->set_up(m->component, fmi2False, 0.0, 0.0, fmi2False, 0.0) == fmi2OK;
    for (int i = 0; i < n; i++) {
        const int integer = (int)settings[i].value;
        good = good &&
               (settings[i].real
                    ? m->fmu->set_real(m->component, &settings[i].reference, 1, &settings[i].value)
                    : m->fmu->set_integer(m->component, &settings[i].reference, 1, &integer)) ==
                   fmi2OK;
    }
    return good && m->fmu->enter(m->component) == fmi2OK && m->fmu->leave(m->component) == fmi2OK;
}

// An FMU reads its model from a directory of resources, once.
static fmi2Component instantiate(const Fmu* fmu, const ModelFiles* files, const char* guid) {
    char directory[] = "/tmp/clatter_bench_XXXXXX";
    check(mkdtemp(directory) != NULL, "no temporary directory");
    char uri[64];
    char file[64];
    (void)snprintf(uri, sizeof uri, "file://%s", directory);
    (void)snprintf(file, sizeof file, "%s/model.xml", directory);
    check(file_write(file, files->model, files->n_model) == STATUS_OK, "no resource");
    fmi2Component component =
        fmu->instantiate("bench", fmi2CoSimulation, guid, uri, &callbacks, fmi2False, fmi2False);
    (void)unlink(file);
    (void)rmdir(directory);
    check(component != NULL, "no instance");
    return component;
}

static const Fmu* find_fmu(const char* way, const char* library) {
    if (strcmp(way, ".fmi") == 0) {
        return &linked;
    }
    return strcmp(way, ".shared") == 0 ? load(library) : NULL;
}

static Motion* create(const Options* options, const char** why) {
    const char* way = strchr(options->variant, '.');
    check(way != NULL, "a variant is SCHEME.core, SCHEME.fmi or SCHEME.shared");
    char* text = NULL;
    ModelFiles files = {.model_name = options->model};
    check(file_read(options->model, 1 << 24, &text, &files.n_model) == STATUS_OK, "no model file");
    files.model = text;
    Report report = {0};
    Simulation* simulation = simulation_create(&files, &report);
    check(simulation != NULL, "the model is not valid");
    const VariableTable* table = simulation_variables(simulation);

    ClatterMotion* m = calloc(1, sizeof *m);
    check(m != NULL, "out of memory");
    *m = (ClatterMotion){.motion = {.destroy = destroy}, .dt = options->dt};
    m->fmu = find_fmu(way, options->library);
    find_columns(m, table, options->observe);
    Setting settings[MAX_SETTINGS];
    const int scheme = find_scheme(&table->variables[find(table, "solver.scheme")],
                                   options->variant, (size_t)(way - options->variant));
    const int n = find_settings(table, options, scheme, settings);
    bool good = scheme > 0;
    if (m->fmu != NULL) {
        m->component = instantiate(m->fmu, &files, simulation_info(simulation)->guid);
        simulation_destroy(simulation);
        m->motion.steps = fmi_steps;
        m->motion.observe = fmi_observe;
        good = good && start_fmi(m, settings, n);
    } else {
        m->simulation = simulation;
        m->motion.steps = core_steps;
        m->motion.observe = core_observe;
        good = good && start_core(m, settings, n);
    }
    free(text);
    if (!good) {
        *why = scheme > 0 ? "does not start" : "no such scheme";
        destroy(&m->motion);
        return NULL;
    }
    return &m->motion;
}

int main(int argc, char** argv) {
    const Program program = {.version = "Clatter " CLATTER_VERSION, .create = create};
    return driver_main(&program, argc, argv);
}
