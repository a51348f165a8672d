// Snapshots of an instance: the simulation's bytes behind a header that says what they are.
//
// An fmi2FMUstate points to exactly the bytes that serialization gives away, checksum aside: no
// pointers, so another process restores them bit for bit. They are as the machine stores them;
// a machine of other byte order refuses them. Each is made only after instance_accepts.
#pragma once

#include "fmi/instance.h"

fmi2Status fmu_state_get(Instance* instance, fmi2FMUstate* state);
fmi2Status fmu_state_set(Instance* instance, fmi2FMUstate state);
fmi2Status fmu_state_free(Instance* instance, fmi2FMUstate* state);
fmi2Status fmu_state_serialized_size(Instance* instance, fmi2FMUstate state, size_t* size);
fmi2Status fmu_state_serialize(Instance* instance, fmi2FMUstate state, fmi2Byte bytes[],
                               size_t size);
fmi2Status fmu_state_deserialize(Instance* instance, const fmi2Byte bytes[], size_t size,
                                 fmi2FMUstate* state);
