// The exported functions of FMI 2.0 co-simulation: each checks that it may be called now and hands
// over to the module that does the work. Functions of model exchange are not offered.
#include "fmi2Functions.h"

#include "fmi/derivatives.h"
#include "fmi/fmu_state.h"
#include "fmi/instance.h"
#include "fmi/life_cycle.h"
#include "fmi/step.h"
#include "fmi/values.h"

// --- creation, logging ---

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }

const char* fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                              fmi2Boolean loggingOn) {
    (void)visible;  // there is nothing to show
    return instance_create(instanceName, fmuType, fmuGUID, fmuResourceLocation, functions,
                           loggingOn != fmi2False);
}

void fmi2FreeInstance(fmi2Component c) {
    Instance* instance = c;
    if (instance_accepts(instance, CALL_FREE_INSTANCE)) {
        instance_destroy(instance);
    }
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories,
                               const fmi2String categories[]) {
    Instance* instance = c;
    if (!instance_accepts(instance, CALL_SET_DEBUG_LOGGING)) {
        return fmi2Error;
    }
    if (nCategories > 0 && !categories) {
        return instance_refuse(instance, CALL_SET_DEBUG_LOGGING, "an array is NULL");
    }
    const char* unknown =
        logger_select(&instance->logger, loggingOn != fmi2False, nCategories, categories);
    if (unknown) {
        return instance_refuse(instance, CALL_SET_DEBUG_LOGGING, "there is no log category \"%s\"",
                               unknown);
    }
    return fmi2OK;
}

// --- life cycle ---

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
    return instance_accepts(c, CALL_SETUP_EXPERIMENT)
               ? life_cycle_set_up(c, toleranceDefined != fmi2False, tolerance, startTime,
                                   stopTimeDefined != fmi2False, stopTime)
               : fmi2Error;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return instance_accepts(c, CALL_ENTER_INITIALIZATION_MODE) ? life_cycle_enter_initialization(c)
                                                               : fmi2Error;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return instance_accepts(c, CALL_EXIT_INITIALIZATION_MODE) ? life_cycle_exit_initialization(c)
                                                              : fmi2Error;
}

fmi2Status fmi2Terminate(fmi2Component c) {
    return instance_accepts(c, CALL_TERMINATE) ? life_cycle_terminate(c) : fmi2Error;
}

fmi2Status fmi2Reset(fmi2Component c) {
    return instance_accepts(c, CALL_RESET) ? life_cycle_reset(c) : fmi2Error;
}

// --- values ---

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                       fmi2Real value[]) {
    return instance_accepts(c, CALL_GET_REAL) ? values_get_real(c, vr, nvr, value) : fmi2Error;
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          fmi2Integer value[]) {
    return instance_accepts(c, CALL_GET_INTEGER) ? values_get_integer(c, vr, nvr, value)
                                                 : fmi2Error;
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          fmi2Boolean value[]) {
    return instance_accepts(c, CALL_GET_BOOLEAN) ? values_get_boolean(c, vr, nvr, value)
                                                 : fmi2Error;
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                         fmi2String value[]) {
    return instance_accepts(c, CALL_GET_STRING) ? values_get_string(c, vr, nvr, value) : fmi2Error;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                       const fmi2Real value[]) {
    return instance_accepts(c, CALL_SET_REAL) ? values_set_real(c, vr, nvr, value) : fmi2Error;
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Integer value[]) {
    return instance_accepts(c, CALL_SET_INTEGER) ? values_set_integer(c, vr, nvr, value)
                                                 : fmi2Error;
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Boolean value[]) {
    return instance_accepts(c, CALL_SET_BOOLEAN) ? values_set_boolean(c, vr, nvr, value)
                                                 : fmi2Error;
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                         const fmi2String value[]) {
    return instance_accepts(c, CALL_SET_STRING) ? values_set_string(c, vr, nvr, value) : fmi2Error;
}

// --- snapshots ---

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    return instance_accepts(c, CALL_GET_FMU_STATE) ? fmu_state_get(c, FMUstate) : fmi2Error;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate) {
    return instance_accepts(c, CALL_SET_FMU_STATE) ? fmu_state_set(c, FMUstate) : fmi2Error;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    return instance_accepts(c, CALL_FREE_FMU_STATE) ? fmu_state_free(c, FMUstate) : fmi2Error;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t* size) {
    return instance_accepts(c, CALL_SERIALIZED_FMU_STATE_SIZE)
               ? fmu_state_serialized_size(c, FMUstate, size)
               : fmi2Error;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte bytes[],
                                 size_t size) {
    return instance_accepts(c, CALL_SERIALIZE_FMU_STATE)
               ? fmu_state_serialize(c, FMUstate, bytes, size)
               : fmi2Error;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size,
                                   fmi2FMUstate* FMUstate) {
    return instance_accepts(c, CALL_DESERIALIZE_FMU_STATE)
               ? fmu_state_deserialize(c, serializedState, size, FMUstate)
               : fmi2Error;
}

// --- derivatives ---

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference vUnknown_ref[],
                                        size_t nUnknown, const fmi2ValueReference vKnown_ref[],
                                        size_t nKnown, const fmi2Real dvKnown[],
                                        fmi2Real dvUnknown[]) {
    return instance_accepts(c, CALL_GET_DIRECTIONAL_DERIVATIVE)
               ? derivatives_get_directional(c, vUnknown_ref, nUnknown, vKnown_ref, nKnown, dvKnown,
                                             dvUnknown)
               : fmi2Error;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[]) {
    return instance_accepts(c, CALL_SET_REAL_INPUT_DERIVATIVES)
               ? derivatives_set_inputs(c, vr, nvr, order, value)
               : fmi2Error;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[]) {
    return instance_accepts(c, CALL_GET_REAL_OUTPUT_DERIVATIVES)
               ? derivatives_get_outputs(c, vr, nvr, order, value)
               : fmi2Error;
}

// --- steps ---

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint,
                      fmi2Real communicationStepSize,
                      fmi2Boolean noSetFMUStatePriorToCurrentPoint) {
    (void)noSetFMUStatePriorToCurrentPoint;  // nothing is kept that this would allow to forget
    return instance_accepts(c, CALL_DO_STEP)
               ? step_do(c, currentCommunicationPoint, communicationStepSize)
               : fmi2Error;
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    return instance_accepts(c, CALL_CANCEL_STEP) ? step_cancel(c) : fmi2Error;
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status* value) {
    return instance_accepts(c, CALL_GET_STATUS) ? step_get_status(c, s, value) : fmi2Error;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real* value) {
    return instance_accepts(c, CALL_GET_REAL_STATUS) ? step_get_real_status(c, s, value)
                                                     : fmi2Error;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer* value) {
    return instance_accepts(c, CALL_GET_INTEGER_STATUS) ? step_get_integer_status(c, s, value)
                                                        : fmi2Error;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean* value) {
    return instance_accepts(c, CALL_GET_BOOLEAN_STATUS) ? step_get_boolean_status(c, s, value)
                                                        : fmi2Error;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String* value) {
    return instance_accepts(c, CALL_GET_STRING_STATUS) ? step_get_string_status(c, s, value)
                                                       : fmi2Error;
}
