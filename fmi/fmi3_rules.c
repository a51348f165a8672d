// FMI 3.0: the state machine of co-simulation, section 4.2. Beyond it, fmi3DoStep may go on from
// the last successful time after fmi3Discard, and inputs and tunable parameters may be set in step
// mode whether event mode is used or not: nothing here needs an event to take a value.
#include "fmi/call_rules.h"

enum {
    IN_INSTANTIATED = 1 << MODE_INSTANTIATED,
    IN_INITIALIZATION = 1 << MODE_INITIALIZATION,
    IN_STEP_MODE = 1 << MODE_STEP_COMPLETE,
    IN_PROGRESS = 1 << MODE_STEP_IN_PROGRESS,
    IN_FAILED = 1 << MODE_STEP_FAILED,
    IN_EVENT_MODE = 1 << MODE_EVENT,
    IN_UPDATE = 1 << MODE_INTERMEDIATE_UPDATE,
    IN_TERMINATED = 1 << MODE_TERMINATED,
    IN_ERROR = 1 << MODE_ERROR,

    BEFORE_STEPS = IN_INSTANTIATED | IN_INITIALIZATION,
    AFTER_STEPS = IN_STEP_MODE | IN_EVENT_MODE | IN_FAILED | IN_TERMINATED | IN_ERROR,
    AT_REST = BEFORE_STEPS | AFTER_STEPS,
    READABLE = IN_INITIALIZATION | AFTER_STEPS | IN_UPDATE,
    SETTABLE = BEFORE_STEPS | IN_STEP_MODE | IN_EVENT_MODE,
};

static const CallRule calls[CALL_COUNT] = {
    [CALL_INSTANTIATE] = {"fmi3InstantiateCoSimulation", 0},
    [CALL_SET_DEBUG_LOGGING] = {"fmi3SetDebugLogging", AT_REST | IN_PROGRESS | IN_UPDATE},
    [CALL_FREE_INSTANCE] = {"fmi3FreeInstance", AT_REST},
    [CALL_SETUP_EXPERIMENT] = {"fmi3EnterInitializationMode", IN_INSTANTIATED},
    [CALL_ENTER_INITIALIZATION_MODE] = {"fmi3EnterInitializationMode", IN_INSTANTIATED},
    [CALL_EXIT_INITIALIZATION_MODE] = {"fmi3ExitInitializationMode", IN_INITIALIZATION},
    [CALL_TERMINATE] = {"fmi3Terminate", IN_STEP_MODE | IN_EVENT_MODE | IN_FAILED},
    [CALL_RESET] = {"fmi3Reset", AT_REST},
    [CALL_GET_REAL] = {"fmi3GetFloat64", READABLE},
    [CALL_GET_INTEGER] = {"fmi3GetInt64", READABLE},
    [CALL_GET_BOOLEAN] = {"fmi3GetBoolean", READABLE},
    [CALL_GET_STRING] = {"fmi3GetString", READABLE},
    [CALL_SET_REAL] = {"fmi3SetFloat64", SETTABLE | IN_UPDATE},
    [CALL_SET_INTEGER] = {"fmi3SetInt64", SETTABLE},
    [CALL_SET_BOOLEAN] = {"fmi3SetBoolean", SETTABLE},
    [CALL_SET_STRING] = {"fmi3SetString", SETTABLE},
    [CALL_GET_FMU_STATE] = {"fmi3GetFMUState", AT_REST},
    [CALL_SET_FMU_STATE] = {"fmi3SetFMUState", AT_REST},
    [CALL_FREE_FMU_STATE] = {"fmi3FreeFMUState", AT_REST},
    [CALL_SERIALIZED_FMU_STATE_SIZE] = {"fmi3SerializedFMUStateSize", AT_REST},
    [CALL_SERIALIZE_FMU_STATE] = {"fmi3SerializeFMUState", AT_REST},
    [CALL_DESERIALIZE_FMU_STATE] = {"fmi3DeserializeFMUState", AT_REST},
    [CALL_GET_DIRECTIONAL_DERIVATIVE] = {"fmi3GetDirectionalDerivative", READABLE & ~IN_UPDATE},
    [CALL_GET_OUTPUT_DERIVATIVES] = {"fmi3GetOutputDerivatives", AFTER_STEPS | IN_UPDATE},
    [CALL_DO_STEP] = {"fmi3DoStep", IN_STEP_MODE | IN_FAILED},
    [CALL_ENTER_EVENT_MODE] = {"fmi3EnterEventMode", IN_STEP_MODE},
    [CALL_ENTER_STEP_MODE] = {"fmi3EnterStepMode", IN_EVENT_MODE},
    [CALL_EVALUATE_DISCRETE_STATES] = {"fmi3EvaluateDiscreteStates", IN_EVENT_MODE},
    [CALL_UPDATE_DISCRETE_STATES] = {"fmi3UpdateDiscreteStates", IN_EVENT_MODE},
};

static const char* const mode_names[MODE_COUNT] = {
    [MODE_INSTANTIATED] = "instantiated",
    [MODE_INITIALIZATION] = "initialization mode",
    [MODE_STEP_COMPLETE] = "step mode",
    [MODE_STEP_IN_PROGRESS] = "step in progress",
    [MODE_STEP_FAILED] = "step failed",
    [MODE_TERMINATED] = "terminated",
    [MODE_ERROR] = "error",
    [MODE_EVENT] = "event mode",
    [MODE_INTERMEDIATE_UPDATE] = "intermediate update mode",
};

const FmiVersion fmi3_version = {calls, mode_names, "logFmi3Call", "instantiation token"};
