// Contacts that a step has missed: of features that penetrate at its end, and that were not those
// of its start.
#include <math.h>

#include "contacts/candidate_features.h"
#include "contacts/candidate_list.h"

static const double MISSED = 1e-9;  // of the size of a shape: a penetration that counts

// The first of the contacts that were applied that does not come before an id
static int first_applied(const Candidates* c, FoundId id) {
    int low = 0, high = c->n_applied;
    while (low < high) {
        const int middle = (low + high) / 2;
        const FoundId at = c->applied[middle].id;
        const bool before = at.pair != id.pair ? at.pair < id.pair : at.feature < id.feature;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

// Is what was applied the same as what is found now, as far as the step has seen it?
static bool sees_same(const Candidates* c, const FoundContact* before,
                      const FoundContact* contact) {
    static const double AS_DEEP = 0.5;
    static const double SAME_NORMAL = 0.99;
    const Placement* first = &c->places[found_first(before)];
    const Placement* second = &c->places[found_second(before)];
    if (!feature_key_is_place(contact->feature.key)) {
        return before->feature.key == contact->feature.key &&
               feature_gap(&before->feature, first, second) <= AS_DEEP * contact->feature.gap;
    }
    // a place on a smooth curve has travelled: it is the same one where its normal is
    const bool same_sides = found_first(before) == found_first(contact);
    const Vec3 n = feature_normal(&contact->feature, &c->places[found_first(contact)],
                                  &c->places[found_second(contact)]);
    const Vec3 n_before = feature_normal(&before->feature, first, second);
    return (same_sides ? 1.0 : -1.0) * dot3(n, n_before) >= SAME_NORMAL &&
           feature_gap(&before->feature, first, second) <= AS_DEEP * contact->feature.gap;
}

// Did the step see that these features penetrate? What stands for the same features then may be
// another point of an edge, or another normal of a corner.
static bool was_seen(const Candidates* c, const FoundContact* contact) {
    const bool place = feature_key_is_place(contact->feature.key);
    const FoundId from = {contact->id.pair, place ? 0 : contact->id.feature};
    bool seen = false;
    for (int i = first_applied(c, from); i < c->n_applied && !seen; i++) {
        const FoundContact* before = &c->applied[i];
        if (before->id.pair != contact->id.pair ||
            (!place && before->feature.key != contact->feature.key)) {
            break;
        }
        seen = sees_same(c, before, contact);
    }
    return seen;
}

// By how much two shapes penetrated at the start, by the features that were nearest there
static double depth_at_start(const Candidates* c, long long pair) {
    double depth = 0.0;
    for (int i = first_applied(c, (FoundId){.pair = pair}); i < c->n_applied; i++) {
        const FoundContact* contact = &c->applied[i];
        if (contact->id.pair != pair) {
            break;
        }
        depth = contact->missed ? depth : fmax(depth, -contact->feature.gap);
    }
    return depth;
}

// Does a contact that was found penetrate, and deeper than the shapes did at the start? Its own gap
// there tells nothing: a side goes on beyond its ends, where a shape was then.
static bool was_missed(const FoundContact* contact, const Candidates* c) {
    if (contact->feature.gap >= 0.0) {
        return false;
    }
    const double seen = MISSED * candidate_features_size(c, contact->a, contact->b);
    return contact->feature.gap <= -seen && !was_seen(c, contact) &&
           -contact->feature.gap > depth_at_start(c, contact->id.pair) + seen;
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

bool candidates_add_missed(Candidates* c) {
    int n = 0;
    for (int i = 0; i < c->n; i++) {
        if (was_missed(&c->contacts[i], c)) {
            c->contacts[n] = c->contacts[i];
            c->contacts[n++].missed = true;
        }
    }
    if (n == 0) {
        return false;
    }
    c->n = n;
    for (int i = 0; i < c->n_applied; i++) {
        if (!candidate_list_add(c, &c->applied[i])) {
            return false;
        }
    }
    if (!candidate_list_sort(c)) {
        return false;
    }
    tell_apart(c);
    return true;
}
