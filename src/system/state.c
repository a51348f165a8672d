#include "system/state.h"

#include <string.h>

#include "system/system.h"

enum { N_ARRAYS = 15, MOTION_SIZE = sizeof(Motion) / sizeof(double) };

// input, input_slope, input_sloped, p as far as it is open
static int value_count(const System* sys) { return 3 * sys->n_inputs + sys->n_open; }

Status state_create(const System* sys, StateRoom room, bool whole, Arena* arena, State* s) {
    double* motions = NULL;
    double* totals = NULL;
    double* loads = NULL;
    const struct {
        double** array;
        int n;
    } arrays[N_ARRAYS] = {
        {&s->q, sys->nq},
        {&s->u, sys->nu},
        {&s->P_g, sys->nla_g},
        {&s->la_g, sys->nla_g},
        {&s->La_g, sys->nla_g},
        {&s->last, value_count(sys)},
        {&s->input_time, sys->n_inputs},
        {&motions, MOTION_SIZE * sys->n_motions},
        {&s->work, sys->n_works},
        {&totals, sys->n_totals * (int)(sizeof(FoundTotal) / sizeof(double))},
        {&loads, sys->n_loads * (int)(sizeof(ContactLoad) / sizeof(double))},
        {&s->input, sys->n_inputs},
        {&s->input_slope, sys->n_inputs},
        {&s->input_sloped, sys->n_inputs},
        {&s->p, sys->n_open},
    };
    size_t n = 0;
    for (int i = 0; i < N_ARRAYS; i++) {
        n += (size_t)arrays[i].n;
    }
    *s = (State){.n_fixed = sizeof(StateHead) + n * sizeof(double)};
    const size_t n_others = whole ? (size_t)(sys->n_parameters - sys->n_open) * sizeof(double) : 0;
    s->head = arena_alloc(arena, 1, s->n_fixed + n_others);
    s->own = ARENA_NEW(arena, room.n_own, double);
    s->records = ARENA_NEW(arena, sys->most_laws, ContactRecord);
    s->own_contact = ARENA_NEW(arena, sys->most_laws * room.n_own_contact, double);
    if (s->head == NULL || s->own == NULL || s->records == NULL || s->own_contact == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    double* next = (double*)(void*)(s->head + 1);
    for (int i = 0; i < N_ARRAYS; i++) {
        *arrays[i].array = next;
        next += arrays[i].n;
    }
    s->motions = (Motion*)(void*)motions;
    s->totals = (FoundTotal*)(void*)totals;
    s->loads = (ContactLoad*)(void*)loads;
    if (whole) {
        memcpy(s->p, sys->p_start, (size_t)sys->n_parameters * sizeof(double));
    }
    return STATUS_OK;
}

// The parts of a state that a snapshot is made of, one after the other.
enum { N_PARTS = 4 };

typedef struct Part {
    void* data;
    size_t n;
} Part;

static void list_parts(const State* s, const StateHead* head, Part parts[N_PARTS]) {
    const size_t n_records = (size_t)head->n_records;
    parts[0] = (Part){s->head, s->n_fixed};
    parts[1] = (Part){s->own, (size_t)head->n_own * sizeof(double)};
    parts[2] = (Part){s->records, n_records * sizeof(ContactRecord)};
    parts[3] = (Part){s->own_contact, n_records * (size_t)head->n_own_contact * sizeof(double)};
}

static size_t size_with(const State* s, const StateHead* head) {
    Part parts[N_PARTS];
    size_t n = 0;
    list_parts(s, head, parts);
    for (int i = 0; i < N_PARTS; i++) {
        n += parts[i].n;
    }
    return n;
}

size_t state_saved_size(const State* s) { return size_with(s, s->head); }

size_t state_saved_limit(const System* sys, StateRoom room, const State* s) {
    const StateHead most = {
        .n_records = sys->most_laws, .n_own = room.n_own, .n_own_contact = room.n_own_contact};
    return size_with(s, &most);
}

void state_save(const State* s, void* bytes) {
    Part parts[N_PARTS];
    char* next = bytes;
    list_parts(s, s->head, parts);
    for (int i = 0; i < N_PARTS; i++) {
        memcpy(next, parts[i].data, parts[i].n);
        next += parts[i].n;
    }
}

// Are the records in bytes those of laws, by ascending key?
static bool records_are_valid(const System* sys, const char* bytes, long long n) {
    long long last = -1;
    for (long long i = 0; i < n; i++) {
        ContactRecord record;  // bytes need not be aligned
        memcpy(&record, bytes + (size_t)i * sizeof record, sizeof record);
        if (record.key <= last || record.key >= sys->most_laws || record.state < CONTACT_OPEN ||
            record.state > CONTACT_STICK) {
            return false;
        }
        last = record.key;
    }
    return true;
}

static bool within(long long value, int most) { return value >= 0 && value <= most; }

Status state_restore(const System* sys, StateRoom room, const void* bytes, size_t n, State* s) {
    StateHead head;
    if (n < s->n_fixed) {
        return STATUS_NOT_ALLOWED;
    }
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.fingerprint, s->head->fingerprint, sizeof head.fingerprint) != 0 ||
        !within(head.n_records, sys->most_laws) || !within(head.n_own, room.n_own) ||
        !within(head.n_own_contact, room.n_own_contact) || size_with(s, &head) != n) {
        return STATUS_NOT_ALLOWED;
    }
    const char* next = bytes;
    Part parts[N_PARTS];
    list_parts(s, &head, parts);
    if (!records_are_valid(sys, next + parts[0].n + parts[1].n, head.n_records)) {
        return STATUS_NOT_ALLOWED;
    }
    for (int i = 0; i < N_PARTS; i++) {
        memcpy(parts[i].data, next, parts[i].n);
        next += parts[i].n;
    }
    return STATUS_OK;
}

bool state_same_parameters(const System* sys, const void* bytes, const State* s) {
    const size_t at = (size_t)((const char*)s->p - (const char*)s->head);
    return memcmp((const char*)bytes + at, s->p, (size_t)sys->n_open * sizeof(double)) == 0;
}

bool state_take_values(const System* sys, State* s) {
    const double* values = s->input;  // those behind it included
    bool changed = false;
    for (int i = 0; i < value_count(sys); i++) {
        changed = changed || values[i] != s->last[i];
        s->last[i] = values[i];
    }
    return changed;
}

// Where the record of a law is, or would be.
static long long record_place(const State* s, int law) {
    long long low = 0;
    long long high = s->head->n_records;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (s->records[middle].key < law) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_record_of(const State* s, long long place, int law) {
    return place < s->head->n_records && s->records[place].key == law;
}

const ContactRecord* state_record(const State* s, int law) {
    const long long place = record_place(s, law);
    return is_record_of(s, place, law) ? &s->records[place] : NULL;
}

ContactRecord* state_make_record(int law, State* s) {
    const long long place = record_place(s, law);
    if (is_record_of(s, place, law)) {
        return &s->records[place];
    }
    const size_t n_after = (size_t)(s->head->n_records - place);
    const long long n_own = s->head->n_own_contact;
    double* own = s->own_contact + place * n_own;
    memmove(s->records + place + 1, s->records + place, n_after * sizeof *s->records);
    memmove(own + n_own, own, n_after * (size_t)n_own * sizeof *own);
    memset(own, 0, (size_t)n_own * sizeof *own);
    s->records[place] = (ContactRecord){.key = law, .state = CONTACT_OPEN};
    s->head->n_records++;
    return &s->records[place];
}

void state_move_record(long long i, long long n, int law, State* s) {
    const long long n_own = s->head->n_own_contact;
    if (n != i) {
        s->records[n] = s->records[i];
        memmove(s->own_contact + n * n_own, s->own_contact + i * n_own,
                (size_t)n_own * sizeof(double));
    }
    s->records[n].key = law;
}

void state_swap_records(long long i, long long j, State* s) {
    const long long n_own = s->head->n_own_contact;
    const ContactRecord record = s->records[i];
    const long long key = record.key;
    s->records[i] = s->records[j];
    s->records[j] = record;
    s->records[j].key = s->records[i].key;
    s->records[i].key = key;
    for (long long k = 0; k < n_own; k++) {
        const double own = s->own_contact[i * n_own + k];
        s->own_contact[i * n_own + k] = s->own_contact[j * n_own + k];
        s->own_contact[j * n_own + k] = own;
    }
}

void state_copy(const State* from, State* to) {
    Part of_from[N_PARTS], of_to[N_PARTS];
    list_parts(from, from->head, of_from);
    list_parts(to, from->head, of_to);
    for (int i = 0; i < N_PARTS; i++) {
        memcpy(of_to[i].data, of_from[i].data, of_from[i].n);
    }
}

void state_set_percussions(const System* sys, const double* P, const double* La, State* s) {
    for (int k = 0; k < sys->n_laws; k++) {
        const Range rows = sys->laws[k].la;
        bool any = state_record(s, k) != NULL;
        for (int r = 0; r < rows.n; r++) {
            any = any || P[rows.at + r] != 0.0 || La[rows.at + r] != 0.0;
        }
        if (any) {
            ContactRecord* record = state_make_record(k, s);
            memcpy(record->P, P + rows.at, (size_t)rows.n * sizeof(double));
            memcpy(record->La, La + rows.at, (size_t)rows.n * sizeof(double));
        }
    }
}
