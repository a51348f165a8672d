// The exported functions of FMI 2.0 co-simulation: each checks that it may be called now and hands
// over to the module that does the work. Functions of model exchange are not offered.
#include "fmi2Functions.h"

#include <limits.h>
#include <math.h>

#include "fmi/derivatives.h"
#include "fmi/fmi2_status.h"
#include "fmi/fmu_state.h"
#include "fmi/instance.h"
#include "fmi/life_cycle.h"
#include "fmi/step.h"
#include "fmi/values.h"

_Static_assert((int)fmi2OK == FMI_OK && (int)fmi2Warning == FMI_WARNING &&
                   (int)fmi2Discard == FMI_DISCARD && (int)fmi2Error == FMI_ERROR,
               "numbers of a status");

static fmi2Status to_fmi2(FmiStatus status) { return (fmi2Status)status; }

// --- creation, logging ---

static void send(const Logger* logger, FmiStatus status, const char* category,
                 const char* message) {
    // The host formats what it is given: a % in the message must not reach it as a format.
    ((fmi2CallbackLogger)logger->callback)(logger->environment, logger->instance_name,
                                           to_fmi2(status), category, "%s", message);
}

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }

const char* fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                              fmi2Boolean loggingOn) {
    (void)visible;  // there is nothing to show
    if (!functions) {
        return NULL;
    }
    return instance_create(&(InstanceRequest){
        .version = &fmi2_version,
        .send = send,
        .callback = (void (*)(void))functions->logger,
        .environment = functions->componentEnvironment,
        .name = instanceName,
        .token = fmuGUID,
        .location = fmuResourceLocation,
        .co_simulation = fmuType == fmi2CoSimulation,
        .logging = loggingOn != fmi2False,
    });
}

void fmi2FreeInstance(fmi2Component c) {
    Instance* instance = c;
    if (instance_accepts(instance, CALL_FREE_INSTANCE)) {
        instance_destroy(instance);
    }
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories,
                               const fmi2String categories[]) {
    return to_fmi2(instance_accepts(c, CALL_SET_DEBUG_LOGGING)
                       ? life_cycle_set_logging(c, loggingOn != fmi2False, nCategories, categories)
                       : FMI_ERROR);
}

// --- life cycle ---

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
    return to_fmi2(instance_accepts(c, CALL_SETUP_EXPERIMENT)
                       ? life_cycle_set_up(c, toleranceDefined != fmi2False, tolerance, startTime,
                                           stopTimeDefined != fmi2False, stopTime)
                       : FMI_ERROR);
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return to_fmi2(instance_accepts(c, CALL_ENTER_INITIALIZATION_MODE)
                       ? life_cycle_enter_initialization(c)
                       : FMI_ERROR);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return to_fmi2(instance_accepts(c, CALL_EXIT_INITIALIZATION_MODE)
                       ? life_cycle_exit_initialization(c)
                       : FMI_ERROR);
}

fmi2Status fmi2Terminate(fmi2Component c) {
    return to_fmi2(instance_accepts(c, CALL_TERMINATE) ? life_cycle_terminate(c) : FMI_ERROR);
}

fmi2Status fmi2Reset(fmi2Component c) {
    return to_fmi2(instance_accepts(c, CALL_RESET) ? life_cycle_reset(c) : FMI_ERROR);
}

// --- values ---

// Counters may outgrow 32 bits: they stay at the largest value then.
static void put_integer(void* values, size_t i, double value) {
    ((fmi2Integer*)values)[i] = (fmi2Integer)fmin(fmax(value, INT_MIN), INT_MAX);
}
static void put_real(void* values, size_t i, double value) { ((fmi2Real*)values)[i] = value; }
static void put_boolean(void* values, size_t i, double value) {
    ((fmi2Boolean*)values)[i] = value != 0.0 ? fmi2True : fmi2False;
}

static double real_at(const void* values, size_t i) { return ((const fmi2Real*)values)[i]; }
static double integer_at(const void* values, size_t i) { return ((const fmi2Integer*)values)[i]; }
static double boolean_at(const void* values, size_t i) {
    return ((const fmi2Boolean*)values)[i] != fmi2False ? 1.0 : 0.0;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                       fmi2Real value[]) {
    return to_fmi2(instance_accepts(c, CALL_GET_REAL)
                       ? values_get(c, CALL_GET_REAL, vr, nvr, TYPES_REAL, value, put_real)
                       : FMI_ERROR);
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          fmi2Integer value[]) {
    return to_fmi2(instance_accepts(c, CALL_GET_INTEGER)
                       ? values_get(c, CALL_GET_INTEGER, vr, nvr, TYPES_INTEGER, value, put_integer)
                       : FMI_ERROR);
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          fmi2Boolean value[]) {
    return to_fmi2(instance_accepts(c, CALL_GET_BOOLEAN)
                       ? values_get(c, CALL_GET_BOOLEAN, vr, nvr, TYPES_BOOLEAN, value, put_boolean)
                       : FMI_ERROR);
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                         fmi2String value[]) {
    return to_fmi2(instance_accepts(c, CALL_GET_STRING) ? values_get_string(c, vr, nvr, value)
                                                        : FMI_ERROR);
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                       const fmi2Real value[]) {
    return to_fmi2(instance_accepts(c, CALL_SET_REAL)
                       ? values_set(c, CALL_SET_REAL, vr, nvr, TYPES_REAL, value, real_at)
                       : FMI_ERROR);
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Integer value[]) {
    return to_fmi2(instance_accepts(c, CALL_SET_INTEGER)
                       ? values_set(c, CALL_SET_INTEGER, vr, nvr, TYPES_INTEGER, value, integer_at)
                       : FMI_ERROR);
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Boolean value[]) {
    return to_fmi2(instance_accepts(c, CALL_SET_BOOLEAN)
                       ? values_set(c, CALL_SET_BOOLEAN, vr, nvr, TYPES_BOOLEAN, value, boolean_at)
                       : FMI_ERROR);
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                         const fmi2String value[]) {
    return to_fmi2(instance_accepts(c, CALL_SET_STRING) ? values_set_string(c, vr, nvr, value)
                                                        : FMI_ERROR);
}

// --- snapshots ---

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    return to_fmi2(instance_accepts(c, CALL_GET_FMU_STATE) ? fmu_state_get(c, FMUstate)
                                                           : FMI_ERROR);
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate) {
    return to_fmi2(instance_accepts(c, CALL_SET_FMU_STATE) ? fmu_state_set(c, FMUstate)
                                                           : FMI_ERROR);
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    return to_fmi2(instance_accepts(c, CALL_FREE_FMU_STATE) ? fmu_state_free(c, FMUstate)
                                                            : FMI_ERROR);
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t* size) {
    return to_fmi2(instance_accepts(c, CALL_SERIALIZED_FMU_STATE_SIZE)
                       ? fmu_state_serialized_size(c, FMUstate, size)
                       : FMI_ERROR);
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte bytes[],
                                 size_t size) {
    return to_fmi2(instance_accepts(c, CALL_SERIALIZE_FMU_STATE)
                       ? fmu_state_serialize(c, FMUstate, (unsigned char*)bytes, size)
                       : FMI_ERROR);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size,
                                   fmi2FMUstate* FMUstate) {
    return to_fmi2(
        instance_accepts(c, CALL_DESERIALIZE_FMU_STATE)
            ? fmu_state_deserialize(c, (const unsigned char*)serializedState, size, FMUstate)
            : FMI_ERROR);
}

// --- derivatives ---

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference vUnknown_ref[],
                                        size_t nUnknown, const fmi2ValueReference vKnown_ref[],
                                        size_t nKnown, const fmi2Real dvKnown[],
                                        fmi2Real dvUnknown[]) {
    return to_fmi2(instance_accepts(c, CALL_GET_DIRECTIONAL_DERIVATIVE)
                       ? derivatives_get_directional(c, vUnknown_ref, nUnknown, vKnown_ref, nKnown,
                                                     dvKnown, dvUnknown)
                       : FMI_ERROR);
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[]) {
    return to_fmi2(instance_accepts(c, CALL_SET_REAL_INPUT_DERIVATIVES)
                       ? derivatives_set_inputs(c, vr, nvr, order, value)
                       : FMI_ERROR);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[]) {
    return to_fmi2(instance_accepts(c, CALL_GET_OUTPUT_DERIVATIVES)
                       ? derivatives_get_outputs(c, vr, nvr, order, value)
                       : FMI_ERROR);
}

// --- steps ---

static Status advance(Instance* instance, double duration) {
    return simulation_advance(instance->simulation, duration, &instance->cancel);
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint,
                      fmi2Real communicationStepSize,
                      fmi2Boolean noSetFMUStatePriorToCurrentPoint) {
    (void)noSetFMUStatePriorToCurrentPoint;  // nothing is kept that this would allow to forget
    return to_fmi2(instance_accepts(c, CALL_DO_STEP)
                       ? step_do(c, currentCommunicationPoint, communicationStepSize, advance)
                       : FMI_ERROR);
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    Instance* instance = c;
    if (!instance_accepts(instance, CALL_CANCEL_STEP)) {
        return fmi2Error;
    }
    atomic_store_explicit(&instance->cancel, 1, memory_order_relaxed);
    return fmi2OK;
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status* value) {
    return instance_accepts(c, CALL_GET_STATUS) ? fmi2_get_status(c, s, value) : fmi2Error;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real* value) {
    return instance_accepts(c, CALL_GET_REAL_STATUS) ? fmi2_get_real_status(c, s, value)
                                                     : fmi2Error;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer* value) {
    return instance_accepts(c, CALL_GET_INTEGER_STATUS) ? fmi2_get_integer_status(c, s, value)
                                                        : fmi2Error;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean* value) {
    return instance_accepts(c, CALL_GET_BOOLEAN_STATUS) ? fmi2_get_boolean_status(c, s, value)
                                                        : fmi2Error;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String* value) {
    return instance_accepts(c, CALL_GET_STRING_STATUS) ? fmi2_get_string_status(c, s, value)
                                                       : fmi2Error;
}
