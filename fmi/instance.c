// From what a host asks for to a loaded model, and back to nothing.
#include "fmi/instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi/resource_uri.h"

enum { MESSAGE_SIZE = 1536 };

static char* copy_text(const char* text) {
    size_t n = strlen(text) + 1;
    char* copy = malloc(n);
    return copy ? memcpy(copy, text, n) : NULL;
}

// --- messages ---

FmiStatus instance_refuse(Instance* instance, Call call, const char* format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(message, sizeof message, format, arguments) < 0) {
        message[0] = '\0';
    }
    va_end(arguments);
    logger_write(&instance->logger, LOG_ERROR, "%s: %s", instance_call_name(instance, call),
                 message);
    return FMI_ERROR;
}

bool instance_accepts(Instance* instance, Call call) {
    if (!instance) {
        return false;
    }
    if (logger_wants(&instance->logger, LOG_FMI_CALL)) {
        logger_write(&instance->logger, LOG_FMI_CALL, "%s", instance_call_name(instance, call));
    }
    Mode mode = instance_mode(instance);
    if (!call_allowed(instance->version, call, mode)) {
        (void)instance_refuse(instance, call, "the call is not allowed in state \"%s\"",
                              instance->version->mode_names[mode]);
        return false;
    }
    return true;
}

static void add_report(void* context, Severity severity, Place place, const char* message) {
    static const LogCategory categories[] = {
        [SEVERITY_NOTE] = LOG_SOLVER,
        [SEVERITY_WARNING] = LOG_WARNING,
        [SEVERITY_ERROR] = LOG_ERROR,
    };
    Instance* instance = context;
    if (place.file && place.line > 0) {
        logger_write(&instance->logger, categories[severity], "%s:%ld:%ld: %s", place.file,
                     place.line, place.column, message);
    } else if (place.file) {
        logger_write(&instance->logger, categories[severity], "%s: %s", place.file, message);
    } else {
        logger_write(&instance->logger, categories[severity], "%s", message);
    }
}

Report instance_report(Instance* instance) {
    return (Report){.context = instance, .add = add_report};
}

// --- creation ---

// From model.xml and the files beside it that it names. The reasons of a failure are logged.
static Simulation* load_model(Instance* instance, const char* directory) {
    ModelFiles files;
    Report report = instance_report(instance);
    const bool has_files = model_files_read_packed(directory, &report, &files);
    Simulation* simulation = has_files ? simulation_create(&files, &report) : NULL;
    if (!simulation) {
        (void)instance_refuse(instance, CALL_INSTANTIATE,
                              "the model in %s/%s cannot be used, problems found: %d", directory,
                              files.model_name, report.n_errors);
    }
    model_files_release(&files);
    return simulation;
}

static bool arguments_are_good(Instance* instance, const InstanceRequest* request) {
    if (!instance->name[0]) {
        (void)instance_refuse(instance, CALL_INSTANTIATE, "the instance name is missing or empty");
    } else if (!request->co_simulation) {
        (void)instance_refuse(instance, CALL_INSTANTIATE, "only co-simulation is offered");
    } else if (!request->token) {
        (void)instance_refuse(instance, CALL_INSTANTIATE, "the %s is missing",
                              instance->version->token_name);
    } else {
        return true;
    }
    return false;
}

static bool token_matches(Instance* instance, const char* token) {
    const char* own = simulation_info(instance->simulation)->guid;
    if (strcmp(token, own) == 0) {
        return true;
    }
    (void)instance_refuse(instance, CALL_INSTANTIATE,
                          "%s %s was asked for, but the model in the resources has %s",
                          instance->version->token_name, token, own);
    return false;
}

static bool open_resources(Instance* instance, const char* location) {
    const char* problem;
    char* directory = resource_uri_to_path(location, &problem);
    if (!directory) {
        (void)instance_refuse(instance, CALL_INSTANTIATE,
                              "resource location \"%s\" cannot be used: %s",
                              location ? location : "", problem);
        return false;
    }
    instance->simulation = load_model(instance, directory);
    free(directory);
    if (!instance->simulation) {
        return false;
    }
    instance->variables = simulation_variables(instance->simulation);
    const size_t n = (size_t)instance->variables->n_variables;
    instance->values = calloc(n ? n : 1, sizeof *instance->values);
    instance->warned = calloc(n ? n : 1, sizeof *instance->warned);
    if (!instance->values || !instance->warned) {
        (void)instance_refuse(instance, CALL_INSTANTIATE, "%s", status_text(STATUS_OUT_OF_MEMORY));
    }
    return instance->values && instance->warned;
}

Instance* instance_create(const InstanceRequest* request) {
    Instance* instance = calloc(1, sizeof *instance);
    if (!instance) {
        return NULL;
    }
    instance->version = request->version;
    instance->name = copy_text(request->name ? request->name : "");
    atomic_init(&instance->logger.enabled, 0u);
    atomic_init(&instance->mode, (int)MODE_INSTANTIATED);
    atomic_init(&instance->cancel, 0);
    if (!instance->name) {
        instance_destroy(instance);
        return NULL;
    }
    instance->logger.send = request->send;
    instance->logger.callback = request->callback;
    instance->logger.environment = request->environment;
    instance->logger.instance_name = instance->name;
    instance->logger.call_category = request->version->call_category;
    (void)logger_select(&instance->logger, request->logging, 0, NULL);
    logger_write(&instance->logger, LOG_FMI_CALL, "%s",
                 instance_call_name(instance, CALL_INSTANTIATE));
    if (!arguments_are_good(instance, request) || !open_resources(instance, request->location) ||
        !token_matches(instance, request->token)) {
        instance_destroy(instance);
        return NULL;
    }
    instance_forget_experiment(instance);
    return instance;
}

void instance_destroy(Instance* instance) {
    if (instance->simulation) {
        simulation_destroy(instance->simulation);
    }
    arena_free(&instance->events.arena);
    free(instance->values);
    free(instance->warned);
    free(instance->name);
    free(instance);
}

// --- initialisation ---

void instance_forget_experiment(Instance* instance) {
    instance->start_time = simulation_info(instance->simulation)->start_time;
    instance->stop_time = INFINITY;  // the default experiment's end is a proposal, not a limit
    instance->step_status = FMI_OK;
    instance->must_initialize = false;
    memset(instance->warned, 0,
           (size_t)instance->variables->n_variables * sizeof *instance->warned);
}

bool instance_should_warn(Instance* instance, const Variable* variable) {
    bool* warned = &instance->warned[variable - instance->variables->variables];
    const bool first = !*warned;
    *warned = true;
    return first;
}

bool instance_initialize_if_needed(Instance* instance, Call call) {
    if (!instance->must_initialize) {
        return true;
    }
    Report report = instance_report(instance);
    if (simulation_initialize(instance->simulation, instance->start_time, &report) != STATUS_OK) {
        (void)instance_refuse(instance, call, "the motion cannot start: %s",
                              simulation_message(instance->simulation));
        return false;
    }
    instance->must_initialize = false;
    return true;
}
