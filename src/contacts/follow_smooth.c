// The id of a contact on a smooth curve is its place there, which changes from step to step. Of all
// places at which the same other part touches the same curve, the nearest one is the same contact.
// Places are compared with what was found, so that what becomes of a record follows from the state.
#include "contacts/follow_smooth.h"

#include <limits.h>
#include <stddef.h>

static long long smaller(long long a, long long b) { return a < b ? a : b; }

// Of places on a curve, in steps of FEATURE_PLACE: round a closed one, the shorter way
static long long apart(const SmoothCurve* curve, long long a, long long b) {
    const long long d = a > b ? a - b : b - a;
    const long long whole = curve->period > 0.0 ? (long long)(curve->period / FEATURE_PLACE)
                                                : 1LL << FEATURE_PLACE_BITS;
    return smaller(d, whole > d ? whole - d : d);
}

// How far two contacts of a pair are from each other; -1: they are of different parts
static long long distance_of(const Properties* properties, const FoundContact* found,
                             long long key) {
    long long sum = 0;
    for (int i = 0; i < 2; i++) {
        const SmoothCurve* curve =
            properties->surfaces[found_id_collider(found->id, i)]->outline.smooth;
        const long long was = feature_key_place(key, i);
        const long long is = feature_key_place(found->id.feature, i);
        if (curve == NULL && was != is) {
            return -1;
        }
        sum += curve != NULL ? apart(curve, was, is) : 0;
    }
    return sum;
}

static bool is_taken(const State* s, long long n, FoundId id) {
    for (long long i = n - 1; i >= 0 && s->records[i].id.pair == id.pair; i--) {
        if (s->records[i].id.feature == id.feature) {
            return true;
        }
    }
    return false;
}

static int first_of_pair(const Candidates* c, long long pair) {
    int low = 0, high = c->n;
    while (low < high) {
        const int middle = (low + high) / 2;
        const bool before = c->contacts[middle].id.pair < pair;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

// The id that a record, number n of the state, goes on with
static FoundId next_id(const Properties* properties, const Candidates* c, const State* s,
                       long long n) {
    const FoundId id = s->records[n].id;
    FoundId nearest = id;
    long long least = LLONG_MAX;
    for (int i = first_of_pair(c, id.pair); i < c->n && c->contacts[i].id.pair == id.pair; i++) {
        const FoundContact* found = &c->contacts[i];
        const long long distance = feature_key_is_place(found->id.feature)
                                       ? distance_of(properties, found, id.feature)
                                       : -1;
        if (distance >= 0 && distance < least && !is_taken(s, n, found->id)) {
            least = distance;
            nearest = found->id;
        }
    }
    return nearest;
}

// Puts record n, of a pair whose records before it are in order, where it belongs.
static void insert_record(State* s, long long n) {
    const FoundId id = s->records[n].id;
    for (long long i = n; i > 0; i--) {
        const FoundId before = s->records[i - 1].id;
        if (before.pair != id.pair || before.feature <= id.feature) {
            return;
        }
        state_swap_records(i - 1, i, s);
    }
}

void follow_smooth(const System* sys, const Properties* properties, const Candidates* c, State* s) {
    if (!properties->planar || sys->n_colliders == 0) {
        return;
    }
    for (long long i = 0; i < s->head->n_records; i++) {
        const FoundId id = s->records[i].id;
        if (id.pair >= 0 && id.pair != LLONG_MAX && feature_key_is_place(id.feature)) {
            s->records[i].id = next_id(properties, c, s, i);
            insert_record(s, i);
        }
    }
}
