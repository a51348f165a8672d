// The status of a step after it failed or while it runs.
#include "fmi/fmi2_status.h"

enum { NO_KIND = -1 };

// True if kind is what this function serves; otherwise *answer is what it has to return: a kind of
// FMI's that has another type is discarded, anything else is an error.
static bool kind_is(Instance* instance, Call call, fmi2StatusKind kind, int served,
                    const void* value, fmi2Status* answer) {
    if (!value) {
        *answer = (fmi2Status)instance_refuse(instance, call, "the pointer to the result is NULL");
        return false;
    }
    if ((int)kind < (int)fmi2DoStepStatus || (int)kind > (int)fmi2Terminated) {
        *answer =
            (fmi2Status)instance_refuse(instance, call, "there is no status kind %d", (int)kind);
        return false;
    }
    if ((int)kind == served) {
        return true;
    }
    logger_write(&instance->logger, LOG_DISCARD, "%s: status kind %d is not of this type",
                 instance_call_name(instance, call), (int)kind);
    *answer = fmi2Discard;
    return false;
}

fmi2Status fmi2_get_status(Instance* instance, fmi2StatusKind kind, fmi2Status* value) {
    fmi2Status answer;
    if (!kind_is(instance, CALL_GET_STATUS, kind, fmi2DoStepStatus, value, &answer)) {
        return answer;
    }
    bool running = instance_mode(instance) == MODE_STEP_IN_PROGRESS;
    *value = running ? fmi2Pending : (fmi2Status)instance->step_status;
    return fmi2OK;
}

fmi2Status fmi2_get_real_status(Instance* instance, fmi2StatusKind kind, double* value) {
    fmi2Status answer;
    if (!kind_is(instance, CALL_GET_REAL_STATUS, kind, fmi2LastSuccessfulTime, value, &answer)) {
        return answer;
    }
    bool running = instance_mode(instance) == MODE_STEP_IN_PROGRESS;
    *value = running ? instance->step_start_time : simulation_time(instance->simulation);
    return fmi2OK;
}

// FMI defines no status of type Integer: no kind is served.
fmi2Status fmi2_get_integer_status(Instance* instance, fmi2StatusKind kind, int* value) {
    fmi2Status answer;
    (void)kind_is(instance, CALL_GET_INTEGER_STATUS, kind, NO_KIND, value, &answer);
    return answer;
}

fmi2Status fmi2_get_boolean_status(Instance* instance, fmi2StatusKind kind, fmi2Boolean* value) {
    fmi2Status answer;
    if (!kind_is(instance, CALL_GET_BOOLEAN_STATUS, kind, fmi2Terminated, value, &answer)) {
        return answer;
    }
    *value = fmi2False;  // a mechanism never asks for the end of the simulation
    return fmi2OK;
}

fmi2Status fmi2_get_string_status(Instance* instance, fmi2StatusKind kind, const char** value) {
    fmi2Status answer;
    if (!kind_is(instance, CALL_GET_STRING_STATUS, kind, fmi2PendingStatus, value, &answer)) {
        return answer;
    }
    if (instance_mode(instance) == MODE_STEP_IN_PROGRESS) {
        *value = "the step is being computed";
    } else if (instance_mode(instance) == MODE_STEP_CANCELED) {
        *value = "the step was canceled";
    } else if (instance->step_status == FMI_OK) {
        *value = "no step is pending";
    } else {
        *value = simulation_message(instance->simulation);
    }
    return fmi2OK;
}
