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
    int at = c->n++;
    for (; at > 0 && found_is_before(contact, &c->contacts[at - 1]); at--) {
        c->contacts[at] = c->contacts[at - 1];
    }
    c->contacts[at] = *contact;
    return true;
}

bool candidate_list_add_pair(Candidates* c, const NearPair* pair) {
    if (!candidate_list_make_room((void**)&c->pairs, &c->room_pairs, c->n_pairs + 1,
                                  sizeof *pair)) {
        return false;
    }
    c->pairs[c->n_pairs++] = *pair;
    return true;
}

static bool is_before(const NearPair* p, const NearPair* q) {
    return p->a != q->a ? p->a < q->a : p->b < q->b;
}

// Where the run of ascending pairs that begins at a place ends
static int run_end(const Candidates* c, int at) {
    int end = at < c->n_pairs ? at + 1 : at;
    while (end < c->n_pairs && !is_before(&c->pairs[end], &c->pairs[end - 1])) {
        end++;
    }
    return end;
}

// Two runs, from ... middle - 1 and middle ... to - 1, become one.
static void merge_runs(const NearPair* pairs, int from, int middle, int to, NearPair* merged) {
    for (int i = from, j = middle, k = from; k < to; k++) {
        const bool second = i == middle || (j < to && is_before(&pairs[j], &pairs[i]));
        merged[k] = pairs[second ? j++ : i++];
    }
}

static void change_places(Candidates* c) {
    NearPair* pairs = c->pairs;
    const int room = c->room_pairs;
    c->pairs = c->merged;
    c->room_pairs = c->room_merged;
    c->merged = pairs;
    c->room_merged = room;
}

bool candidate_list_sort_pairs(Candidates* c) {
    while (run_end(c, 0) < c->n_pairs) {
        if (!candidate_list_make_room((void**)&c->merged, &c->room_merged, c->n_pairs,
                                      sizeof *c->merged)) {
            return false;
        }
        for (int from = 0; from < c->n_pairs;) {
            const int middle = run_end(c, from);
            const int to = run_end(c, middle);
            merge_runs(c->pairs, from, middle, to, c->merged);
            from = to;
        }
        change_places(c);
    }
    return true;
}
