// Which FMI function may be called when: the state machines of FMI 2.0 and FMI 3.0 co-simulation,
// each as one table (fmi2_rules.c, fmi3_rules.c). Functions that do the same have one name here.
#pragma once

#include <stdbool.h>

// The states of an instance. FMI's "fatal" is missing: nothing here can damage other instances.
// Saved states hold these numbers: new ones go to the end.
typedef enum Mode {
    MODE_INSTANTIATED,
    MODE_INITIALIZATION,
    MODE_STEP_COMPLETE,     // initialised; the last step, if any, reached its end
    MODE_STEP_IN_PROGRESS,  // seen only by other threads, and by a logger called during a step
    MODE_STEP_FAILED,       // after a discarded step: a part of it was made
    MODE_STEP_CANCELED,     // after fmi2CancelStep
    MODE_TERMINATED,
    MODE_ERROR,  // no motion could start, or no part of a step be made: restore, reset or free
    MODE_EVENT,  // FMI 3.0: event mode
    MODE_INTERMEDIATE_UPDATE,  // FMI 3.0: in the host's callback between two internal steps
    MODE_COUNT
} Mode;

typedef enum Call {
    CALL_INSTANTIATE,
    CALL_SET_DEBUG_LOGGING,
    CALL_FREE_INSTANCE,
    CALL_SETUP_EXPERIMENT,
    CALL_ENTER_INITIALIZATION_MODE,
    CALL_EXIT_INITIALIZATION_MODE,
    CALL_TERMINATE,
    CALL_RESET,
    CALL_GET_REAL,
    CALL_GET_INTEGER,  // and enumerations
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
    CALL_GET_OUTPUT_DERIVATIVES,
    CALL_DO_STEP,
    // FMI 2.0 alone
    CALL_SET_REAL_INPUT_DERIVATIVES,
    CALL_CANCEL_STEP,
    CALL_GET_STATUS,
    CALL_GET_REAL_STATUS,
    CALL_GET_INTEGER_STATUS,
    CALL_GET_BOOLEAN_STATUS,
    CALL_GET_STRING_STATUS,
    // FMI 3.0 alone
    CALL_ENTER_EVENT_MODE,
    CALL_ENTER_STEP_MODE,
    CALL_EVALUATE_DISCRETE_STATES,
    CALL_UPDATE_DISCRETE_STATES,
    CALL_COUNT
} Call;

typedef struct CallRule {
    const char* name;  // "fmi2DoStep"; NULL: there is no such function
    int modes;         // bit 1 << Mode
} CallRule;

// What tells one version of FMI from another.
typedef struct FmiVersion {
    const CallRule* calls;          // (CALL_COUNT)
    const char* const* mode_names;  // (MODE_COUNT) "step complete"
    const char* call_category;      // of log messages about calls: "logFmi2Call"
    const char* token_name;         // what says which model is meant: "GUID"
} FmiVersion;

extern const FmiVersion fmi2_version, fmi3_version;

static inline bool call_allowed(const FmiVersion* version, Call call, Mode mode) {
    return ((version->calls[call].modes >> mode) & 1) != 0;
}
