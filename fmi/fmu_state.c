// Get, set, free, serialize and deserialize the state of an instance.
#include "fmi/fmu_state.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define STATE_MAGIC UINT64_C(0x434c415454455231)  // "CLATTER1"; tells the byte order too

// No padding: every byte is defined, so equal states give equal bytes.
typedef struct StateHeader {
    uint64_t magic;
    uint64_t n_bytes;      // of header and snapshot
    uint64_t checksum[2];  // of everything else; 0 while in the FMU
    char guid[48];         // of the model, 0-padded
    double start_time;
    uint32_t mode;             // a Mode
    uint32_t step_status;      // an FmiStatus
    uint32_t must_initialize;  // 0 or 1
    uint32_t unused[3];        // 0; rounds the size up
} StateHeader;

// The snapshot follows the header directly and is aligned for any type.
_Static_assert(sizeof(StateHeader) == 112 && sizeof(StateHeader) % 16 == 0, "header has padding");
_Static_assert(HASH_GUID_SIZE <= sizeof(((StateHeader*)0)->guid), "GUID fits");

// Of the instance as it is now: it changes with the contacts that are closed.
static size_t state_size(const Instance* instance) {
    return sizeof(StateHeader) + simulation_snapshot_size(instance->simulation);
}

// Why these bytes are no state of the instance's model, NULL if they are.
static const char* state_problem(const Instance* instance, const StateHeader* state) {
    if (state->magic != STATE_MAGIC) {
        return "it is not a state of an FMU of this kind";
    }
    const char* guid = simulation_info(instance->simulation)->guid;
    if (memcmp(state->guid, guid, strlen(guid) + 1) != 0) {
        return "it belongs to another model";
    }
    if (state->n_bytes < sizeof *state) {
        return "its size is wrong";
    }
    bool known_mode = state->mode < MODE_COUNT && state->mode != MODE_STEP_IN_PROGRESS &&
                      state->mode != MODE_INTERMEDIATE_UPDATE;
    bool known_status = state->step_status == FMI_OK || state->step_status == FMI_DISCARD ||
                        state->step_status == FMI_ERROR;
    if (!known_mode || !known_status || !isfinite(state->start_time) ||
        state->must_initialize > 1) {
        return "it is damaged";
    }
    if (!instance->version->mode_names[state->mode] ||
        (state->mode == MODE_EVENT && !instance->events.use_event_mode)) {
        return "it was saved in a mode that this instance does not use";
    }
    return NULL;
}

FmiStatus fmu_state_get(Instance* instance, void** state) {
    const Call call = CALL_GET_FMU_STATE;
    if (!state) {
        return instance_refuse(instance, call, "the pointer to the state is NULL");
    }
    StateHeader* header = *state;
    const char* problem = header ? state_problem(instance, header) : NULL;
    if (problem) {
        return instance_refuse(instance, call, "the state to be overwritten cannot be used: %s",
                               problem);
    }
    const size_t n_bytes = state_size(instance);
    if (!header || header->n_bytes != n_bytes) {
        StateHeader* resized = realloc(header, n_bytes);
        if (!resized) {
            return instance_refuse(instance, call, "%s", status_text(STATUS_OUT_OF_MEMORY));
        }
        header = resized;
        *state = header;
    }
    *header = (StateHeader){
        .magic = STATE_MAGIC,
        .n_bytes = n_bytes,
        .start_time = instance->start_time,
        .mode = (uint32_t)instance_mode(instance),
        .step_status = (uint32_t)instance->step_status,
        .must_initialize = instance->must_initialize,
    };
    const char* guid = simulation_info(instance->simulation)->guid;
    memcpy(header->guid, guid, strlen(guid) + 1);
    simulation_save(instance->simulation, header + 1);
    *state = header;
    return FMI_OK;
}

// The stop time is the host's experiment, not a part of the state: a run can be resumed with a
// later one than it was saved with.
FmiStatus fmu_state_set(Instance* instance, void* state) {
    const StateHeader* header = state;
    const char* problem = header ? state_problem(instance, header) : "it is NULL";
    if (!problem) {
        Status status = simulation_restore(instance->simulation, header + 1,
                                           (size_t)header->n_bytes - sizeof *header);
        problem = status == STATUS_OK ? NULL : status_text(status);
    }
    if (problem) {
        return instance_refuse(instance, CALL_SET_FMU_STATE, "the state cannot be restored: %s",
                               problem);
    }
    instance->start_time = header->start_time;
    instance->step_status = (FmiStatus)header->step_status;
    instance->must_initialize = header->must_initialize != 0;
    instance_set_mode(instance, (Mode)header->mode);
    return FMI_OK;
}

// Some hosts pass the state itself where a pointer to it is due (fmusim 0.0.39). What is pointed to
// then begins with the magic number, which is no address.
static bool is_state_itself(void* const* state) {
    uintptr_t first;
    memcpy(&first, state, sizeof first);
    return first == STATE_MAGIC;
}

FmiStatus fmu_state_free(Instance* instance, void** state) {
    (void)instance;
    if (state && is_state_itself(state)) {
        free(state);
    } else if (state) {
        free(*state);
        *state = NULL;
    }
    return FMI_OK;
}

FmiStatus fmu_state_serialized_size(Instance* instance, void* state, size_t* size) {
    const Call call = CALL_SERIALIZED_FMU_STATE_SIZE;
    const char* problem = state && size ? state_problem(instance, state) : "a pointer is NULL";
    if (problem) {
        return instance_refuse(instance, call, "the state cannot be used: %s", problem);
    }
    *size = (size_t)((const StateHeader*)state)->n_bytes;
    return FMI_OK;
}

// Over the header without its checksum, then the snapshot. Bytes need not be aligned.
static void compute_checksum(const unsigned char bytes[], size_t size, uint64_t checksum[2]) {
    StateHeader header;
    memcpy(&header, bytes, sizeof header);
    memset(header.checksum, 0, sizeof header.checksum);
    Hash hash = hash_bytes(hash_start(), &header, sizeof header);
    hash = hash_bytes(hash, bytes + sizeof header, size - sizeof header);
    memcpy(checksum, hash.lane, sizeof hash.lane);
}

FmiStatus fmu_state_serialize(Instance* instance, void* state, unsigned char bytes[], size_t size) {
    const char* problem = state && bytes ? state_problem(instance, state) : "a pointer is NULL";
    const size_t n = problem ? 0 : (size_t)((const StateHeader*)state)->n_bytes;
    if (!problem && size < n) {
        problem = "the array for its bytes is too small";
    }
    if (problem) {
        return instance_refuse(instance, CALL_SERIALIZE_FMU_STATE,
                               "the state cannot be serialized: %s", problem);
    }
    StateHeader header;
    memcpy(&header, state, sizeof header);
    memcpy(bytes, state, n);
    compute_checksum(bytes, n, header.checksum);
    memcpy(bytes, &header, sizeof header);
    return FMI_OK;
}

// Why the bytes cannot be turned into a state, NULL if they can.
static const char* bytes_problem(const Instance* instance, const unsigned char bytes[],
                                 size_t size) {
    StateHeader header;
    if (size < sizeof header) {
        return "there are too few bytes";
    }
    memcpy(&header, bytes, sizeof header);
    const char* problem = state_problem(instance, &header);
    if (problem) {
        return problem;
    }
    if (size < header.n_bytes) {
        return "there are too few bytes";
    }
    uint64_t checksum[2];
    compute_checksum(bytes, (size_t)header.n_bytes, checksum);
    bool intact = memcmp(checksum, header.checksum, sizeof checksum) == 0;
    return intact ? NULL : "its checksum is wrong";
}

FmiStatus fmu_state_deserialize(Instance* instance, const unsigned char bytes[], size_t size,
                                void** state) {
    const Call call = CALL_DESERIALIZE_FMU_STATE;
    const char* problem =
        bytes && state ? bytes_problem(instance, bytes, size) : "a pointer is NULL";
    if (problem) {
        return instance_refuse(instance, call, "the bytes cannot be used: %s", problem);
    }
    StateHeader wanted;
    memcpy(&wanted, bytes, sizeof wanted);
    StateHeader* header = malloc((size_t)wanted.n_bytes);
    if (!header) {
        return instance_refuse(instance, call, "%s", status_text(STATUS_OUT_OF_MEMORY));
    }
    memcpy(header, bytes, (size_t)wanted.n_bytes);
    memset(header->checksum, 0, sizeof header->checksum);
    *state = header;
    return FMI_OK;
}
