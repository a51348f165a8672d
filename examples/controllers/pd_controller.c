// An FMI 2.0 co-simulation FMU in one C file: a PD controller that moves a carriage. The same law
// as pd_controller.py.
//
// It is a sampled controller. fmi2DoStep takes the inputs of the step's beginning, and the force
// that follows from them is the output at its end: so outputs never depend directly on inputs, and
// every master that exchanges values between steps gives the same motion. Until start_time it only
// watches; then it takes the measured position as the beginning of its way.
//
//   s(tau) = 10 tau^3 - 15 tau^4 + 6 tau^5                       the way, tau from 0 to 1
//   force  = stiffness (x_c - position) + damping (v_c - velocity),  at most +-limit
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2Functions.h"

static const char GUID[] = "{5c8f0d0e-6b1e-4d55-9c0e-7a3b7e0f6a11}";  // as in modelDescription.xml

enum {  // value references
    POSITION,
    VELOCITY,
    FORCE,
    STIFFNESS,
    DAMPING,
    DISTANCE,
    DURATION,
    START_TIME,
    LIMIT,
    N_REALS
};

typedef struct Controller {
    double real[N_REALS];
    double origin;  // m, the position at start_time
    bool started;
} Controller;

static const Controller AT_REST = {.real = {[STIFFNESS] = 200.0,
                                            [DAMPING] = 40.0,
                                            [DISTANCE] = 0.6,
                                            [DURATION] = 1.0,
                                            [START_TIME] = 0.1,
                                            [LIMIT] = 50.0}};

static double control(Controller* c, double t) {
    const double* p = c->real;
    if (t < p[START_TIME]) {
        return 0.0;
    }
    if (!c->started) {
        c->started = true;
        c->origin = p[POSITION];
    }
    const double tau = (t - p[START_TIME]) / p[DURATION];
    double way = 1.0, speed = 0.0;
    if (tau < 1.0) {
        way = tau * tau * tau * (10.0 + tau * (-15.0 + 6.0 * tau));
        speed = 30.0 * tau * tau * (1.0 - tau) * (1.0 - tau) / p[DURATION];
    }
    const double command = c->origin + p[DISTANCE] * way;
    const double command_velocity = p[DISTANCE] * speed;
    const double force =
        p[STIFFNESS] * (command - p[POSITION]) + p[DAMPING] * (command_velocity - p[VELOCITY]);
    return force > p[LIMIT] ? p[LIMIT] : force < -p[LIMIT] ? -p[LIMIT] : force;
}

// --- life cycle ---

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }

const char* fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                              fmi2Boolean logging) {
    (void)name, (void)resources, (void)functions, (void)visible, (void)logging;
    Controller* c = type == fmi2CoSimulation && guid != NULL && strcmp(guid, GUID) == 0
                        ? malloc(sizeof *c)
                        : NULL;
    if (c != NULL) {
        *c = AT_REST;
    }
    return c;
}

void fmi2FreeInstance(fmi2Component c) { free(c); }

fmi2Status fmi2Reset(fmi2Component c) {
    *(Controller*)c = AT_REST;
    return fmi2OK;
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                               const fmi2String categories[]) {
    (void)c, (void)on, (void)n, (void)categories;
    return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
    (void)c, (void)tolerance_defined, (void)tolerance, (void)start, (void)stop_defined, (void)stop;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    (void)c;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return ((Controller*)c)->real[DURATION] > 0.0 ? fmi2OK : fmi2Error;
}

fmi2Status fmi2Terminate(fmi2Component c) {
    (void)c;
    return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real dt, fmi2Boolean no_set_state) {
    Controller* controller = c;
    (void)dt, (void)no_set_state;
    controller->real[FORCE] = control(controller, t);
    return fmi2OK;
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    (void)c;
    return fmi2Error;  // no step is ever pending
}

// --- values ---

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[]) {
    for (size_t i = 0; i < n; i++) {
        if (vr[i] >= N_REALS) {
            return fmi2Error;
        }
        value[i] = ((Controller*)c)->real[vr[i]];
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                       const fmi2Real value[]) {
    for (size_t i = 0; i < n; i++) {
        if (vr[i] >= N_REALS || vr[i] == FORCE) {
            return fmi2Error;
        }
        ((Controller*)c)->real[vr[i]] = value[i];
    }
    return fmi2OK;
}

// There are no variables of other types: only calls without any succeed.
#define NO_VARIABLES(Type)                                                             \
    fmi2Status fmi2Get##Type(fmi2Component c, const fmi2ValueReference vr[], size_t n, \
                             fmi2##Type value[]) {                                     \
        (void)c, (void)vr, (void)value;                                                \
        return n == 0 ? fmi2OK : fmi2Error;                                            \
    }                                                                                  \
    fmi2Status fmi2Set##Type(fmi2Component c, const fmi2ValueReference vr[], size_t n, \
                             const fmi2##Type value[]) {                               \
        (void)c, (void)vr, (void)value;                                                \
        return n == 0 ? fmi2OK : fmi2Error;                                            \
    }                                                                                  \
    fmi2Status fmi2Get##Type##Status(fmi2Component c, const fmi2StatusKind kind,       \
                                     fmi2##Type* value) {                              \
        (void)c, (void)kind, (void)value;                                              \
        return fmi2Discard;                                                            \
    }
NO_VARIABLES(Integer)
NO_VARIABLES(Boolean)
NO_VARIABLES(String)

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value) {
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}

// --- states: the whole controller, for masters that go back ---

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
    if (*state == NULL) {
        *state = malloc(sizeof(Controller));
    }
    if (*state == NULL) {
        return fmi2Error;
    }
    *(Controller*)*state = *(Controller*)c;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    *(Controller*)c = *(Controller*)state;
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
    (void)c;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

// --- what modelDescription.xml does not offer ---

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
    (void)c, (void)state, (void)size;
    return fmi2Error;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t n) {
    (void)c, (void)state, (void)bytes, (void)n;
    return fmi2Error;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t n,
                                   fmi2FMUstate* state) {
    (void)c, (void)bytes, (void)n, (void)state;
    return fmi2Error;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t n_unknown, const fmi2ValueReference known[],
                                        size_t n_known, const fmi2Real seed[], fmi2Real value[]) {
    (void)c, (void)unknown, (void)n_unknown, (void)known, (void)n_known, (void)seed, (void)value;
    return fmi2Error;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[]) {
    (void)c, (void)vr, (void)n, (void)order, (void)value;
    return fmi2Error;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[]) {
    (void)c, (void)vr, (void)n, (void)order, (void)value;
    return fmi2Error;
}
