// The exported functions of FMI 3.0 co-simulation but for values (fmi3_values.c) and for what there
// is nothing to do (fmi3_absent.c): each checks that it may be called now and hands over to the
// module that does the work.
#include "fmi3Functions.h"

#include <stdlib.h>

#include "fmi/derivatives.h"
#include "fmi/fmi3_step.h"
#include "fmi/fmu_state.h"
#include "fmi/life_cycle.h"
#include "fmi/values.h"

_Static_assert((int)fmi3OK == FMI_OK && (int)fmi3Warning == FMI_WARNING &&
                   (int)fmi3Discard == FMI_DISCARD && (int)fmi3Error == FMI_ERROR,
               "numbers of a status");

static fmi3Status to_fmi3(FmiStatus status) { return (fmi3Status)status; }

// --- creation, logging ---

const char* fmi3GetVersion(void) { return fmi3Version; }

static void send(const Logger* logger, FmiStatus status, const char* category,
                 const char* message) {
    ((fmi3LogMessageCallback)logger->callback)(logger->environment, to_fmi3(status), category,
                                               message);
}

static Instance* create(fmi3String name, fmi3String token, fmi3String path, bool co_simulation,
                        bool logging, fmi3InstanceEnvironment environment,
                        fmi3LogMessageCallback log_message) {
    return instance_create(&(InstanceRequest){
        .version = &fmi3_version,
        .send = send,
        .callback = (void (*)(void))log_message,
        .environment = environment,
        .name = name,
        .token = token,
        .location = path,
        .co_simulation = co_simulation,
        .logging = logging,
    });
}

// Of what is to be read or set between internal steps: all of it must be there, and inputs are
// asked for only if there are some.
static bool take_intermediate(Instance* instance, const fmi3ValueReference vr[], size_t n) {
    if (n > 0 && !vr) {
        (void)instance_refuse(instance, CALL_INSTANTIATE, "an array is NULL");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (values_array(instance, vr[i])) {
            continue;
        }
        const Variable* variable = values_find(instance, CALL_INSTANTIATE, vr[i], TYPES_ALL);
        if (!variable) {
            return false;
        }
        instance->events.inputs_wanted |= variable->causality == CAUSALITY_INPUT;
    }
    return true;
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
    fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[],
    size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate) {
    (void)visible;  // there is nothing to show
    Instance* instance = create(instanceName, instantiationToken, resourcePath, true, loggingOn,
                                instanceEnvironment, logMessage);
    if (!instance) {
        return NULL;
    }
    Events* events = &instance->events;
    events->use_event_mode = eventModeUsed;
    events->return_early = earlyReturnAllowed;
    events->update = (void (*)(void))intermediateUpdate;
    if (array_variables_find(instance->variables, &events->arena, &events->arrays) != STATUS_OK) {
        (void)instance_refuse(instance, CALL_INSTANTIATE, "%s", status_text(STATUS_OUT_OF_MEMORY));
        instance_destroy(instance);
        return NULL;
    }
    if (!take_intermediate(instance, requiredIntermediateVariables,
                           nRequiredIntermediateVariables)) {
        instance_destroy(instance);
        return NULL;
    }
    fmi3_step_watch(instance);
    return instance;
}

// Neither model exchange nor scheduled execution: the logger is told so.
fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                          fmi3String resourcePath, fmi3Boolean visible,
                                          fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage) {
    (void)visible;
    return create(instanceName, instantiationToken, resourcePath, false, loggingOn,
                  instanceEnvironment, logMessage);
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
    fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption) {
    (void)visible;
    (void)clockUpdate;
    (void)lockPreemption;
    (void)unlockPreemption;
    return create(instanceName, instantiationToken, resourcePath, false, loggingOn,
                  instanceEnvironment, logMessage);
}

void fmi3FreeInstance(fmi3Instance instance) {
    if (instance_accepts(instance, CALL_FREE_INSTANCE)) {
        instance_destroy(instance);
    }
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,
                               const fmi3String categories[]) {
    return to_fmi3(instance_accepts(instance, CALL_SET_DEBUG_LOGGING)
                       ? life_cycle_set_logging(instance, loggingOn, nCategories, categories)
                       : FMI_ERROR);
}

// --- life cycle ---

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                       fmi3Float64 tolerance, fmi3Float64 startTime,
                                       fmi3Boolean stopTimeDefined, fmi3Float64 stopTime) {
    if (!instance_accepts(instance, CALL_ENTER_INITIALIZATION_MODE)) {
        return fmi3Error;
    }
    const FmiStatus status = life_cycle_set_up(instance, toleranceDefined, tolerance, startTime,
                                               stopTimeDefined, stopTime);
    return to_fmi3(status == FMI_OK ? life_cycle_enter_initialization(instance) : status);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
    return to_fmi3(instance_accepts(instance, CALL_EXIT_INITIALIZATION_MODE)
                       ? life_cycle_exit_initialization(instance)
                       : FMI_ERROR);
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
    return to_fmi3(instance_accepts(instance, CALL_TERMINATE) ? life_cycle_terminate(instance)
                                                              : FMI_ERROR);
}

fmi3Status fmi3Reset(fmi3Instance instance) {
    return to_fmi3(instance_accepts(instance, CALL_RESET) ? life_cycle_reset(instance) : FMI_ERROR);
}

// --- event mode ---

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
    if (!instance_accepts(instance, CALL_ENTER_EVENT_MODE)) {
        return fmi3Error;
    }
    if (!((Instance*)instance)->events.use_event_mode) {
        return to_fmi3(instance_refuse(instance, CALL_ENTER_EVENT_MODE,
                                       "event mode was not asked for at instantiation"));
    }
    instance_set_mode(instance, MODE_EVENT);
    return fmi3OK;
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
    if (!instance_accepts(instance, CALL_ENTER_STEP_MODE)) {
        return fmi3Error;
    }
    instance_set_mode(instance, MODE_STEP_COMPLETE);
    return fmi3OK;
}

// The state behind an impact is there when the step has ended: nothing is left to be done.
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
    return instance_accepts(instance, CALL_EVALUATE_DISCRETE_STATES) ? fmi3OK : fmi3Error;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation,
                                    fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged,
                                    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime) {
    if (!instance_accepts(instance, CALL_UPDATE_DISCRETE_STATES)) {
        return fmi3Error;
    }
    if (!discreteStatesNeedUpdate || !terminateSimulation || !nominalsOfContinuousStatesChanged ||
        !valuesOfContinuousStatesChanged || !nextEventTimeDefined || !nextEventTime) {
        return to_fmi3(instance_refuse(instance, CALL_UPDATE_DISCRETE_STATES,
                                       "a pointer to a result is NULL"));
    }
    *discreteStatesNeedUpdate = fmi3False;
    *terminateSimulation = fmi3False;  // a mechanism never asks for the end of the simulation
    *nominalsOfContinuousStatesChanged = fmi3False;
    *valuesOfContinuousStatesChanged = fmi3False;
    *nextEventTimeDefined = fmi3False;  // nobody knows when the next impact will be
    *nextEventTime = 0.0;
    return fmi3OK;
}

// --- snapshots ---

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
    return to_fmi3(instance_accepts(instance, CALL_GET_FMU_STATE)
                       ? fmu_state_get(instance, FMUState)
                       : FMI_ERROR);
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState) {
    return to_fmi3(instance_accepts(instance, CALL_SET_FMU_STATE)
                       ? fmu_state_set(instance, FMUState)
                       : FMI_ERROR);
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
    return to_fmi3(instance_accepts(instance, CALL_FREE_FMU_STATE)
                       ? fmu_state_free(instance, FMUState)
                       : FMI_ERROR);
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, size_t* size) {
    return to_fmi3(instance_accepts(instance, CALL_SERIALIZED_FMU_STATE_SIZE)
                       ? fmu_state_serialized_size(instance, FMUState, size)
                       : FMI_ERROR);
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState,
                                 fmi3Byte serializedState[], size_t size) {
    return to_fmi3(instance_accepts(instance, CALL_SERIALIZE_FMU_STATE)
                       ? fmu_state_serialize(instance, FMUState, serializedState, size)
                       : FMI_ERROR);
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serializedState[],
                                   size_t size, fmi3FMUState* FMUState) {
    return to_fmi3(instance_accepts(instance, CALL_DESERIALIZE_FMU_STATE)
                       ? fmu_state_deserialize(instance, serializedState, size, FMUState)
                       : FMI_ERROR);
}

// --- derivatives ---

// Scalars of n variables in a row, as many as n_values, which the caller frees; NULL, and the
// reason logged, if there are more or fewer of them.
static unsigned* expand(Instance* instance, Call call, const fmi3ValueReference vr[], size_t n,
                        size_t n_values) {
    unsigned* scalars = calloc(n_values + 1, sizeof *scalars);
    size_t at = 0;
    for (size_t i = 0; i < n && scalars && vr && at <= n_values; i++) {
        const Elements elements = values_elements(instance, &vr[i]);
        for (size_t k = 0; k < elements.n && at + k < n_values; k++) {
            scalars[at + k] = elements.vr[k];
        }
        at += elements.n;
    }
    if (!scalars) {
        (void)instance_refuse(instance, call, "%s", status_text(STATUS_OUT_OF_MEMORY));
    } else if (at != n_values) {
        (void)instance_refuse(instance, call,
                              "the variables do not have %zu values, for which the array is",
                              n_values);
        free(scalars);
        return NULL;
    }
    return scalars;
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        size_t nUnknowns, const fmi3ValueReference knowns[],
                                        size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                        fmi3Float64 sensitivity[], size_t nSensitivity) {
    const Call call = CALL_GET_DIRECTIONAL_DERIVATIVE;
    if (!instance_accepts(instance, call)) {
        return fmi3Error;
    }
    if (nKnowns != nSeed) {
        return to_fmi3(
            instance_refuse(instance, call, "there are %zu seeds for %zu values", nSeed, nKnowns));
    }
    unsigned* scalars = expand(instance, call, unknowns, nUnknowns, nSensitivity);
    if (!scalars) {
        return fmi3Error;
    }
    const FmiStatus status = derivatives_get_directional(instance, scalars, nSensitivity, knowns,
                                                         nKnowns, seed, sensitivity);
    free(scalars);
    return to_fmi3(status);
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance,
                                    const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, const fmi3Int32 orders[],
                                    fmi3Float64 values[], size_t nValues) {
    const Call call = CALL_GET_OUTPUT_DERIVATIVES;
    if (!instance_accepts(instance, call)) {
        return fmi3Error;
    }
    if (nValueReferences > 0 && (!valueReferences || !orders || !values)) {
        return to_fmi3(instance_refuse(instance, call, "an array is NULL"));
    }
    size_t at = 0;
    for (size_t i = 0; i < nValueReferences; i++) {
        const Elements elements = values_elements(instance, &valueReferences[i]);
        const int order[ARRAY_SIZE_MAX] = {orders[i], orders[i], orders[i], orders[i]};
        if (elements.n > nValues - at) {
            return to_fmi3(instance_refuse(instance, call, "the array of values is too small"));
        }
        const FmiStatus status =
            derivatives_get_outputs(instance, elements.vr, elements.n, order, values + at);
        if (status != FMI_OK) {
            return to_fmi3(status);
        }
        at += elements.n;
    }
    return at == nValues
               ? fmi3OK
               : to_fmi3(instance_refuse(instance, call, "the array of values is too large"));
}

// --- steps ---

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                      fmi3Float64 communicationStepSize,
                      fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                      fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
    (void)noSetFMUStatePriorToCurrentPoint;  // nothing is kept that this would allow to forget
    if (!instance_accepts(instance, CALL_DO_STEP)) {
        return fmi3Error;
    }
    if (!eventHandlingNeeded || !terminateSimulation || !earlyReturn || !lastSuccessfulTime) {
        return to_fmi3(instance_refuse(instance, CALL_DO_STEP, "a pointer to a result is NULL"));
    }
    StepResult result;
    const FmiStatus status =
        fmi3_step_do(instance, currentCommunicationPoint, communicationStepSize, &result);
    *eventHandlingNeeded = result.event;
    *terminateSimulation = fmi3False;  // a mechanism never asks for the end of the simulation
    *earlyReturn = result.early;
    *lastSuccessfulTime = result.last_time;
    return to_fmi3(status);
}
