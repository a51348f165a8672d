#include "contacts/candidate_list.h"

#include <stdlib.h>

bool candidate_list_make_room(void** array, int* room, int n, size_t size) {
    if (n <= *room) {
        return true;
    }
    const int larger_room = n + n / 2 + 16;
    void* larger = realloc(*array, (size_t)larger_room * size);
    if (larger == NULL) {
        return false;
    }
    *array = larger;
    *room = larger_room;
    return true;
}

bool candidate_list_add(Candidates* c, const FoundContact* contact) {
    if (!candidate_list_make_room((void**)&c->contacts, &c->room, c->n + 1, sizeof *contact)) {
        return false;
    }
    c->contacts[c->n++] = *contact;
    return true;
}

static bool is_before(const FoundContact* a, const FoundContact* b) {
    return a->id.pair != b->id.pair ? a->id.pair < b->id.pair : a->id.feature < b->id.feature;
}

// Where the run of ascending ids that begins at a place of the order ends
static int run_end(const Candidates* c, const int* order, int at) {
    int end = at < c->n ? at + 1 : at;
    while (end < c->n && !is_before(&c->contacts[order[end]], &c->contacts[order[end - 1]])) {
        end++;
    }
    return end;
}

// Two runs, from ... middle - 1 and middle ... to - 1, become one.
static void merge_runs(const Candidates* c, const int* order, int from, int middle, int to,
                       int* merged) {
    for (int i = from, j = middle, k = from; k < to; k++) {
        const bool second =
            i == middle || (j < to && is_before(&c->contacts[order[j]], &c->contacts[order[i]]));
        merged[k] = order[second ? j++ : i++];
    }
}

// The contacts themselves in the order given, which is used up: each circle of them that change
// places in turn
static void put_in_order(Candidates* c, int* order) {
    for (int i = 0; i < c->n; i++) {
        if (order[i] == i) {
            continue;
        }
        const FoundContact first = c->contacts[i];
        int at = i;
        for (int from = order[at]; from != i; from = order[at]) {
            c->contacts[at] = c->contacts[from];
            order[at] = at;
            at = from;
        }
        c->contacts[at] = first;
        order[at] = at;
    }
}

bool candidate_list_sort(Candidates* c) {
    if (!candidate_list_make_room((void**)&c->order, &c->room_order, c->n, sizeof *c->order) ||
        !candidate_list_make_room((void**)&c->merged, &c->room_merged, c->n, sizeof *c->merged)) {
        return false;
    }
    for (int i = 0; i < c->n; i++) {
        c->order[i] = i;
    }
    int* order = c->order;
    int* merged = c->merged;
    while (run_end(c, order, 0) < c->n) {
        for (int from = 0; from < c->n;) {
            const int middle = run_end(c, order, from);
            const int to = run_end(c, order, middle);
            merge_runs(c, order, from, middle, to, merged);
            from = to;
        }
        int* last = order;
        order = merged;
        merged = last;
    }
    put_in_order(c, order);
    return true;
}
