#include "system/found_laws.h"

#include <limits.h>
#include <string.h>

#include "elements/contact.h"
#include "system/coupling.h"

// The most velocities that two colliders depend on
static int widest_coupling(const System* sys) {
    int widest = 0;
    for (int c = 0; c < sys->n_colliders; c++) {
        const FrameSource* source = collider_source(sys, &sys->colliders[c]);
        const int n = source == NULL          ? 0
                      : source->point == NULL ? source->body->u.n
                                              : source->point->n;
        widest = n > widest ? n : widest;
    }
    return 2 * widest;
}

Status found_laws_reserve(int most, Arena* arena, System* sys) {
    const FoundLaws* before = sys->found;
    const int n_frictions = before != NULL ? before->n_frictions : sys->n_laws - sys->n_contacts;
    const int n_rows = most > 0 ? CONTACT_MAX_ROWS * most : 0;
    FoundLaws* found = ARENA_NEW(arena, 1, FoundLaws);
    const int n_laws = sys->n_fixed + most + n_frictions;
    Link* laws = ARENA_NEW(arena, n_laws, Link);
    Link* frictions = ARENA_NEW(arena, n_frictions, Link);
    const Element** markers = ARENA_NEW(arena, sys->n_markers + 2 * most, const Element*);
    const int width = widest_coupling(sys);
    int* u = ARENA_NEW(arena, (size_t)most * (size_t)width, int);
    int* others = ARENA_NEW(arena, 2 * (size_t)most * (size_t)width, int);
    int* last_marker = ARENA_NEW(arena, sys->n_colliders, int);
    if (found == NULL || laws == NULL || frictions == NULL || markers == NULL || u == NULL ||
        others == NULL || last_marker == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    const Link* from = before != NULL ? before->frictions : sys->laws + sys->n_contacts;
    memcpy(laws, sys->laws, (size_t)sys->n_laws * sizeof *laws);
    memcpy(frictions, from, (size_t)n_frictions * sizeof *frictions);
    for (int i = 0; i < sys->n_markers; i++) {
        markers[i] = sys->marker_elements[i];
    }
    *found = (FoundLaws){.laws = laws,
                         .marker_elements = markers,
                         .frictions = frictions,
                         .n_frictions = n_frictions,
                         .most = most,
                         .last_marker = last_marker,
                         .width = width,
                         .u = u,
                         .others = others};
    sys->found = found;
    sys->laws = laws;
    sys->marker_elements = markers;
    sys->most_contacts = sys->n_fixed + most;
    sys->most_laws = n_laws;
    int n_fixed_rows = 0;
    for (int k = 0; k < sys->n_fixed; k++) {
        n_fixed_rows += laws[k].la.n;
    }
    sys->most_rows = n_fixed_rows + n_rows + n_frictions;
    sys->laws_version++;
    return STATUS_OK;
}

// The marker of one side of a feature: in the frame of its collider
static Marker make_marker(const Properties* properties, int collider, const Feature* feature,
                          int side) {
    const ColliderPlace* place = properties->places[collider];
    const Mat3 A = properties->place_axes[place->axes];
    const FeatureKind kind = feature->kind;
    const FeatureSide* from = &feature->sides[side];
    Marker marker = {
        .frame = place->frame, .rho = add3(place->rho, turn3(A, from->at)), .X = {0.0, 0.0, 0.0}};
    if (feature->curved[side]) {
        marker.A = A;
        marker.smooth = from->curve.smooth;
        marker.s = from->curve.s;
        marker.span = from->curve.span;
        return marker;
    }
    marker.A = contact_feature_axes(kind, side, turn3(A, from->axis), properties->planar);
    if (kind == FEATURE_SMOOTH && side == 1) {
        marker.s = from->s;
    } else {
        marker.radius = from->radius;
    }
    return marker;
}

static bool are_same(const double* a, const double* b, size_t n) {
    return memcmp(a, b, n * sizeof *a) == 0;
}

// Are two markers the same to the bit?
static bool is_same_marker(const Marker* a, const Marker* b) {
    return a->frame == b->frame && a->radius == b->radius && a->turned == b->turned &&
           a->function == b->function &&
           are_same((const double*)&a->rho, (const double*)&b->rho, 3) &&
           are_same((const double*)&a->A, (const double*)&b->A, 9) &&
           are_same((const double*)&a->X, (const double*)&b->X, 3);
}

// The number of the marker of a side: the last one of the same collider, as a ball's, if it is the
// same, so that all its contacts share it; else one more. Numbers from before markers were handed
// out anew do no harm: what is there now has to be the same.
static int find_marker(const System* sys, const FoundContact* contact, int side,
                       const Properties* properties) {
    FoundLaws* found = sys->found;
    const int collider = found_contact_side(contact, side);
    const Element* shape = sys->colliders[collider].shape;
    const Marker marker = make_marker(properties, collider, &contact->feature, side);
    int* last = &found->last_marker[collider];
    if (*last < found->n_markers && found->marker_elements[*last] == shape &&
        is_same_marker(&marker, &properties->markers[*last])) {
        return *last;
    }
    *last = found->n_markers++;
    properties->markers[*last] = marker;
    found->marker_elements[*last] = shape;
    return *last;
}

// Is a link one of two frames already, with these numbers, and of an element? Pairs often are what
// they were in the step before.
static bool is_link_of(const Link* link, const Element* element,
                       const FrameSource* const sources[2], const int* u) {
    const Coupling* coupling = &link->coupling;
    return link->element == element && coupling->u == u &&
           coupling->sides[0].source == sources[0] && coupling->sides[1].source == sources[1];
}

static void set_link(const System* sys, const FoundContact* contact, int i,
                     const Properties* properties, Link* link) {
    FoundLaws* found = sys->found;
    const bool planar = properties->planar;
    const Element* element = &sys->elements[contact->contact];
    const Collider* first = &sys->colliders[found_contact_side(contact, 0)];
    const Collider* second = &sys->colliders[found_contact_side(contact, 1)];
    const FrameSource* sources[2] = {collider_source(sys, first), collider_source(sys, second)};
    const size_t at = (size_t)i * (size_t)found->width;
    if (!is_link_of(link, element, sources, found->u + at)) {
        *link = (Link){.element = element,
                       .name = element->name,
                       .la = {.n = planar ? 2 : CONTACT_MAX_ROWS},
                       .bound = -1};
        coupling_make(sources, false, found->width, found->u + at, found->others + 2 * at,
                      &link->coupling);
    }
    link->marker_a = find_marker(sys, contact, 0, properties);
    link->marker_b = find_marker(sys, contact, 1, properties);
    link->rows = contact_feature_rows(contact->feature.kind, planar);
    link->id = contact->id;
    link->passes = contact->passes;
    contact_parameters_find(element, first->shape, second->shape, link->p);
}

void found_laws_set(const FoundContact* contacts, int n, const Properties* properties,
                    System* sys) {
    FoundLaws* found = sys->found;
    int at = 0;
    found->n_passing = 0;
    found->n_markers = sys->n_markers;
    for (int i = 0; i < n; i++) {
        found->n_passing += contacts[i].passes;
        set_link(sys, &contacts[i], i, properties, &found->laws[sys->n_fixed + i]);
    }
    sys->n_contacts = sys->n_fixed + n;
    sys->n_laws = sys->n_contacts + found->n_frictions;
    memcpy(found->laws + sys->n_contacts, found->frictions,
           (size_t)found->n_frictions * sizeof *found->laws);
    for (int k = 0; k < sys->n_laws; k++) {
        Link* law = &found->laws[k];
        law->la.at = at;
        at += law->la.n;
    }
    sys->nla_c = at;
    sys->laws_version++;
}

static int compare_ids(FoundId a, FoundId b) {
    return a.pair != b.pair ? (a.pair < b.pair ? -1 : 1)
                            : (a.feature > b.feature) - (a.feature < b.feature);
}

// Those that are not found: ids below and above all others
enum { PAIR_FIXED = -1 };
static const long long PAIR_FRICTION = LLONG_MAX;

void found_laws_identify(const System* sys, State* s) {
    for (long long i = 0; i < s->head->n_records; i++) {
        ContactRecord* record = &s->records[i];
        const int k = (int)record->key;
        record->id = k < sys->n_fixed      ? (FoundId){PAIR_FIXED, k}
                     : k < sys->n_contacts ? sys->laws[k].id
                                           : (FoundId){PAIR_FRICTION, k - sys->n_contacts};
    }
}

int found_laws_find(const System* sys, FoundId id, int guess) {
    enum { MOST_AFTER = 4 };
    int low = sys->n_fixed;
    int high = sys->n_contacts;
    if (id.pair == PAIR_FIXED) {
        return id.feature >= 0 && id.feature < sys->n_fixed ? (int)id.feature : -1;
    }
    if (id.pair == PAIR_FRICTION) {
        return id.feature >= 0 && id.feature < sys->found->n_frictions ? high + (int)id.feature
                                                                       : -1;
    }
    for (int k = guess; k >= low && k < high && k <= guess + MOST_AFTER; k++) {
        if (compare_ids(sys->laws[k].id, id) == 0) {
            return k;
        }
    }
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int order = compare_ids(sys->laws[middle].id, id);
        if (order == 0) {
            return middle;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

Placement collider_placement(const Instant* instant, int collider) {
    const ColliderPlace* place = instant->properties->places[collider];
    const Frame* frame = &instant->frames[place->frame];
    return (Placement){.r = add3(frame->r, turn3(frame->R, place->rho)),
                       .R = product3(frame->R, instant->properties->place_axes[place->axes])};
}
