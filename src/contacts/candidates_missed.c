// Contacts that a step has missed: of features that penetrate at its end, and that were not those
// of its start.
#include <math.h>

#include "contacts/candidate_features.h"
#include "contacts/candidate_list.h"

static const double MISSED = 1e-9;  // of the size of a shape: a penetration that counts

// Is what was applied the same as what is found now, as far as the step has seen it?
static bool sees_same(const Instant* instant, const FoundContact* before,
                      const FoundContact* contact) {
    static const double AS_DEEP = 0.5;
    static const double SAME_NORMAL = 0.99;
    const Placement first = collider_placement(instant, found_contact_side(before, 0));
    const Placement second = collider_placement(instant, found_contact_side(before, 1));
    if (!feature_key_is_place(contact->feature.key)) {
        return before->feature.key == contact->feature.key &&
               feature_gap(&before->feature, &first, &second) <= AS_DEEP * contact->feature.gap;
    }
    // a place on a smooth curve has travelled: it is the same one where its normal is
    const bool same_sides = found_contact_side(before, 0) == found_contact_side(contact, 0);
    const Vec3 n = feature_normal(&contact->feature, same_sides ? &first : &second,
                                  same_sides ? &second : &first);
    const Vec3 n_before = feature_normal(&before->feature, &first, &second);
    return (same_sides ? 1.0 : -1.0) * dot3(n, n_before) >= SAME_NORMAL &&
           feature_gap(&before->feature, &first, &second) <= AS_DEEP * contact->feature.gap;
}

// The contacts of a pair that were applied, those of lesser pairs ending at from
static Range applied_of(const Candidates* c, long long pair, int from) {
    int at = from;
    while (at < c->n_applied && c->applied[at].id.pair < pair) {
        at++;
    }
    int end = at;
    while (end < c->n_applied && c->applied[end].id.pair == pair) {
        end++;
    }
    return (Range){at, end - at};
}

// Did the step see that these features penetrate? What stands for the same features then may be
// another point of an edge, or another normal of a corner.
static bool was_seen(const Instant* instant, const Candidates* c, Range applied,
                     const FoundContact* contact) {
    const bool place = feature_key_is_place(contact->feature.key);
    bool seen = false;
    for (int i = 0; i < applied.n && !seen; i++) {
        const FoundContact* before = &c->applied[applied.at + i];
        seen = (place || before->feature.key == contact->feature.key) &&
               sees_same(instant, before, contact);
    }
    return seen;
}

// By how much two shapes penetrated at the start, by the features that were nearest there
static double depth_at_start(const Candidates* c, Range applied) {
    double depth = 0.0;
    for (int i = 0; i < applied.n; i++) {
        const FoundContact* contact = &c->applied[applied.at + i];
        depth = contact->missed ? depth : fmax(depth, -contact->feature.gap);
    }
    return depth;
}

// Does a contact that was found penetrate, and deeper than the shapes did at the start? Its own gap
// there tells nothing: a side goes on beyond its ends, where a shape was then. from: where those of
// its pair begin among those applied, or before
static bool was_missed(const Instant* instant, const FoundContact* contact, const Candidates* c,
                       int* from) {
    const double seen = MISSED * candidate_features_size(c, contact->id);
    if (!(contact->feature.gap < 0.0 && contact->feature.gap <= -seen)) {
        return false;
    }
    const Range applied = applied_of(c, contact->id.pair, *from);
    *from = applied.at;
    return -contact->feature.gap > depth_at_start(c, applied) + seen &&
           !was_seen(instant, c, applied, contact);
}

// Each id once
static void tell_apart(Candidates* c) {
    for (int i = 1; i < c->n; i++) {
        const FoundId before = c->contacts[i - 1].id;
        FoundId* id = &c->contacts[i].id;
        if (id->pair == before.pair && id->feature <= before.feature) {
            id->feature = before.feature + 1;
        }
    }
}

// Those applied come between those found, after them where ids are the same: from the last one on.
// False if memory is short.
static bool merge_applied(Candidates* c) {
    if (!candidate_list_make_room((void**)&c->contacts, &c->room, c->n + c->n_applied,
                                  sizeof *c->contacts)) {
        return false;
    }
    int i = c->n, j = c->n_applied;
    c->n += c->n_applied;
    while (j > 0) {
        const bool found = i > 0 && found_is_before(&c->applied[j - 1], &c->contacts[i - 1]);
        c->contacts[i + j - 1] = found ? c->contacts[i - 1] : c->applied[j - 1];
        i -= found;
        j -= !found;
    }
    return true;
}

bool candidates_add_missed(const Instant* instant, Candidates* c) {
    int n = 0, from = 0;
    for (int i = 0; i < c->n; i++) {  // both are by ascending id
        if (was_missed(instant, &c->contacts[i], c, &from)) {
            c->contacts[n] = c->contacts[i];
            c->contacts[n++].missed = true;
        }
    }
    if (n == 0) {
        return false;
    }
    c->n = n;
    if (!merge_applied(c)) {
        return false;
    }
    tell_apart(c);
    return true;
}
