// A simulation's state as bytes that may leave the process: with a head that tells other bytes,
// other models and damage apart.
#include <stdlib.h>
#include <string.h>

#include "api/handle.h"

#define SNAPSHOT_MAGIC UINT64_C(0x434c415454455241)  // "CLATTERA"; tells the byte order too

typedef struct SnapshotHead {
    uint64_t magic;
    uint64_t n_bytes;      // of head and state
    uint64_t checksum[2];  // of everything else
    uint64_t phase;        // a HandlePhase
} SnapshotHead;

size_t clatter_snapshot_size(const ClatterSimulation* handle) {
    return clatter_usable(handle)
               ? sizeof(SnapshotHead) + simulation_snapshot_size(handle->simulation)
               : 0;
}

static void compute_checksum(SnapshotHead head, const void* state, size_t n, uint64_t sum[2]) {
    memset(head.checksum, 0, sizeof head.checksum);
    Hash hash = hash_bytes(hash_start(), &head, sizeof head);
    hash = hash_bytes(hash, state, n);
    memcpy(sum, hash.lane, sizeof hash.lane);
}

ClatterStatus clatter_save(ClatterSimulation* handle, void* bytes, size_t n) {
    const ClatterStatus status = handle_check(handle);
    if (status != CLATTER_OK) {
        return status;
    }
    const size_t n_bytes = clatter_snapshot_size(handle);
    if (bytes == NULL || n < n_bytes) {
        return handle_refuse(handle, "the state has %zu bytes, for which there is no room",
                             n_bytes);
    }
    SnapshotHead head = {
        .magic = SNAPSHOT_MAGIC, .n_bytes = n_bytes, .phase = (uint64_t)handle->phase};
    char* state = (char*)bytes + sizeof head;
    simulation_save(handle->simulation, state);
    compute_checksum(head, state, n_bytes - sizeof head, head.checksum);
    memcpy(bytes, &head, sizeof head);
    return CLATTER_OK;
}

// Why these bytes are no snapshot, or NULL.
static const char* find_fault(const void* bytes, size_t n, SnapshotHead* head) {
    if (bytes == NULL || n < sizeof *head) {
        return "there are too few bytes";
    }
    memcpy(head, bytes, sizeof *head);
    if (head->magic != SNAPSHOT_MAGIC) {
        return "these bytes are no state";
    }
    if (head->n_bytes != n) {
        return "its size is wrong";
    }
    uint64_t checksum[2];
    compute_checksum(*head, (const char*)bytes + sizeof *head, n - sizeof *head, checksum);
    if (memcmp(checksum, head->checksum, sizeof checksum) != 0 || head->phase >= N_HANDLE_PHASES) {
        return "it is damaged";
    }
    return NULL;
}

ClatterStatus clatter_restore(ClatterSimulation* handle, const void* bytes, size_t n) {
    const ClatterStatus status = handle_check(handle);
    if (status != CLATTER_OK) {
        return status;
    }
    SnapshotHead head;
    const char* fault = find_fault(bytes, n, &head);
    if (fault != NULL) {
        return handle_refuse(handle, "the state cannot be restored: %s", fault);
    }
    // The simulation reads structs: a copy is aligned, whatever the bytes are.
    void* state = malloc(n);
    if (state == NULL) {
        (void)handle_refuse(handle, "%s", status_text(STATUS_OUT_OF_MEMORY));
        return CLATTER_NO_MEMORY;
    }
    memcpy(state, (const char*)bytes + sizeof head, n - sizeof head);
    const Status restored = simulation_restore(handle->simulation, state, n - sizeof head);
    free(state);
    if (restored == STATUS_OK) {
        handle->phase = (HandlePhase)head.phase;
    }
    return handle_status(handle, restored, CLATTER_REFUSED);
}
