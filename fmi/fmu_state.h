// Snapshots of an instance: the simulation's bytes behind a header that says what they are.
//
// A state of FMI points to exactly the bytes that serialization gives away, checksum aside: no
// pointers, so another process restores them bit for bit. They are as the machine stores them;
// a machine of other byte order refuses them. Each is made only after instance_accepts.
#pragma once

#include "fmi/instance.h"

FmiStatus fmu_state_get(Instance* instance, void** state);
FmiStatus fmu_state_set(Instance* instance, void* state);
FmiStatus fmu_state_free(Instance* instance, void** state);
FmiStatus fmu_state_serialized_size(Instance* instance, void* state, size_t* size);
FmiStatus fmu_state_serialize(Instance* instance, void* state, unsigned char bytes[], size_t size);
FmiStatus fmu_state_deserialize(Instance* instance, const unsigned char bytes[], size_t size,
                                void** state);
