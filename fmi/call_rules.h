// Which FMI function may be called when: the state machine of FMI 2.0 co-simulation as one table.
#pragma once

#include <stdbool.h>

// The states of an instance. FMI's "fatal" is missing: nothing here can damage other instances.
typedef enum Mode {
    MODE_INSTANTIATED,
    MODE_INITIALIZATION,
    MODE_STEP_COMPLETE,     // initialised; the last step, if any, reached its end
    MODE_STEP_IN_PROGRESS,  // seen only by other threads, and by a logger called during a step
    MODE_STEP_FAILED,       // after fmi2Discard: a part of the step was made
    MODE_STEP_CANCELED,     // after fmi2CancelStep
    MODE_TERMINATED,
    MODE_ERROR,  // no motion could start, or no part of a step be made: restore, reset or free
    MODE_COUNT
} Mode;

typedef enum Call {
    CALL_SET_DEBUG_LOGGING,
    CALL_FREE_INSTANCE,
    CALL_SETUP_EXPERIMENT,
    CALL_ENTER_INITIALIZATION_MODE,
    CALL_EXIT_INITIALIZATION_MODE,
    CALL_TERMINATE,
    CALL_RESET,
    CALL_GET_REAL,
    CALL_GET_INTEGER,
    CALL_GET_BOOLEAN,
    CALL_GET_STRING,
    CALL_SET_REAL,
    CALL_SET_INTEGER,
    CALL_SET_BOOLEAN,
    CALL_SET_STRING,
    CALL_GET_FMU_STATE,
    CALL_SET_FMU_STATE,
    CALL_FREE_FMU_STATE,
    CALL_SERIALIZED_FMU_STATE_SIZE,
    CALL_SERIALIZE_FMU_STATE,
    CALL_DESERIALIZE_FMU_STATE,
    CALL_GET_DIRECTIONAL_DERIVATIVE,
    CALL_SET_REAL_INPUT_DERIVATIVES,
    CALL_GET_REAL_OUTPUT_DERIVATIVES,
    CALL_DO_STEP,
    CALL_CANCEL_STEP,
    CALL_GET_STATUS,
    CALL_GET_REAL_STATUS,
    CALL_GET_INTEGER_STATUS,
    CALL_GET_BOOLEAN_STATUS,
    CALL_GET_STRING_STATUS,
    CALL_COUNT
} Call;

bool call_allowed(Call call, Mode mode);
const char* call_name(Call call);  // "fmi2DoStep"
const char* mode_name(Mode mode);  // "step complete"
