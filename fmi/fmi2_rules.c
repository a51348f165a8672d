// FMI 2.0: the table of section 4.2.4, with two additions, both needed because a step is never
// asynchronous here: fmi2DoStep may go on from the last successful time after fmi2Discard, and the
// status of a cancelled step may be asked for.
#include "fmi/call_rules.h"

enum {
    IN_INSTANTIATED = 1 << MODE_INSTANTIATED,
    IN_INITIALIZATION = 1 << MODE_INITIALIZATION,
    IN_COMPLETE = 1 << MODE_STEP_COMPLETE,
    IN_PROGRESS = 1 << MODE_STEP_IN_PROGRESS,
    IN_FAILED = 1 << MODE_STEP_FAILED,
    IN_CANCELED = 1 << MODE_STEP_CANCELED,
    IN_TERMINATED = 1 << MODE_TERMINATED,
    IN_ERROR = 1 << MODE_ERROR,

    BEFORE_STEPS = IN_INSTANTIATED | IN_INITIALIZATION,
    AFTER_STEPS = IN_COMPLETE | IN_FAILED | IN_CANCELED | IN_TERMINATED | IN_ERROR,
    AT_REST = BEFORE_STEPS | AFTER_STEPS,
    READABLE = IN_INITIALIZATION | AFTER_STEPS,
    SETTABLE = BEFORE_STEPS | IN_COMPLETE,
    STATUS_KNOWN = IN_COMPLETE | IN_PROGRESS | IN_FAILED | IN_CANCELED | IN_TERMINATED,
};

static const CallRule calls[CALL_COUNT] = {
    [CALL_INSTANTIATE] = {"fmi2Instantiate", 0},
    [CALL_SET_DEBUG_LOGGING] = {"fmi2SetDebugLogging", AT_REST | IN_PROGRESS},
    [CALL_FREE_INSTANCE] = {"fmi2FreeInstance", AT_REST},
    [CALL_SETUP_EXPERIMENT] = {"fmi2SetupExperiment", IN_INSTANTIATED},
    [CALL_ENTER_INITIALIZATION_MODE] = {"fmi2EnterInitializationMode", IN_INSTANTIATED},
    [CALL_EXIT_INITIALIZATION_MODE] = {"fmi2ExitInitializationMode", IN_INITIALIZATION},
    [CALL_TERMINATE] = {"fmi2Terminate", IN_COMPLETE | IN_FAILED},
    [CALL_RESET] = {"fmi2Reset", AT_REST},
    [CALL_GET_REAL] = {"fmi2GetReal", READABLE},
    [CALL_GET_INTEGER] = {"fmi2GetInteger", READABLE},
    [CALL_GET_BOOLEAN] = {"fmi2GetBoolean", READABLE},
    [CALL_GET_STRING] = {"fmi2GetString", READABLE},
    [CALL_SET_REAL] = {"fmi2SetReal", SETTABLE},
    [CALL_SET_INTEGER] = {"fmi2SetInteger", SETTABLE},
    [CALL_SET_BOOLEAN] = {"fmi2SetBoolean", SETTABLE},
    [CALL_SET_STRING] = {"fmi2SetString", SETTABLE},
    [CALL_GET_FMU_STATE] = {"fmi2GetFMUstate", AT_REST},
    [CALL_SET_FMU_STATE] = {"fmi2SetFMUstate", AT_REST},
    [CALL_FREE_FMU_STATE] = {"fmi2FreeFMUstate", AT_REST},
    [CALL_SERIALIZED_FMU_STATE_SIZE] = {"fmi2SerializedFMUstateSize", AT_REST},
    [CALL_SERIALIZE_FMU_STATE] = {"fmi2SerializeFMUstate", AT_REST},
    [CALL_DESERIALIZE_FMU_STATE] = {"fmi2DeSerializeFMUstate", AT_REST},
    [CALL_GET_DIRECTIONAL_DERIVATIVE] = {"fmi2GetDirectionalDerivative", READABLE},
    [CALL_SET_REAL_INPUT_DERIVATIVES] = {"fmi2SetRealInputDerivatives", SETTABLE},
    [CALL_GET_OUTPUT_DERIVATIVES] = {"fmi2GetRealOutputDerivatives", AFTER_STEPS},
    [CALL_DO_STEP] = {"fmi2DoStep", IN_COMPLETE | IN_FAILED},
    [CALL_CANCEL_STEP] = {"fmi2CancelStep", IN_PROGRESS},
    [CALL_GET_STATUS] = {"fmi2GetStatus", STATUS_KNOWN},
    [CALL_GET_REAL_STATUS] = {"fmi2GetRealStatus", STATUS_KNOWN},
    [CALL_GET_INTEGER_STATUS] = {"fmi2GetIntegerStatus", STATUS_KNOWN},
    [CALL_GET_BOOLEAN_STATUS] = {"fmi2GetBooleanStatus", STATUS_KNOWN},
    [CALL_GET_STRING_STATUS] = {"fmi2GetStringStatus", STATUS_KNOWN},
};

static const char* const mode_names[MODE_COUNT] = {
    [MODE_INSTANTIATED] = "instantiated",   [MODE_INITIALIZATION] = "initialization mode",
    [MODE_STEP_COMPLETE] = "step complete", [MODE_STEP_IN_PROGRESS] = "step in progress",
    [MODE_STEP_FAILED] = "step failed",     [MODE_STEP_CANCELED] = "step canceled",
    [MODE_TERMINATED] = "terminated",       [MODE_ERROR] = "error",
};

const FmiVersion fmi2_version = {calls, mode_names, "logFmi2Call", "GUID"};
