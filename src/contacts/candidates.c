#include "contacts/candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contacts/follow_smooth.h"

// How much further than by its velocity a shape may come in a step: forces of the step and impacts
// change it.
static const double REACH_OUT = 1.5;
static const double SLACK = 1e-3;  // of the size of a shape
// Of the thickness: a step that goes further could pass, or one in which the farthest points of
// shapes that turn do; features of the latter count that are so far apart.
static const double PASSING = 0.25;
static const double PASSING_TURNED = 1.0;
static const double PASSING_BESIDE = 0.1;
static const double TOUCHING = 1e-9;  // of the size of a shape: a gap that counts as closed
static const double MISSED = 1e-9;    // of the size of a shape: a penetration that counts
enum { MOST_FEATURES = 16 };          // of one pair

// --- creation ---

static bool is_endless(const Properties* properties, int collider) {
    const Surface* surface = properties->surfaces[collider];
    if (properties->planar) {
        return surface->outline.infinite;
    }
    return surface->solid.kind != SOLID_HULL && surface->solid.kind != SOLID_CYLINDER;
}

static int compare_pairs(const void* a, const void* b) {
    const long long first = *(const long long*)a;
    const long long second = *(const long long*)b;
    return (first > second) - (first < second);
}

static bool contains(const long long* pairs, int n, long long pair) {
    return n > 0 && bsearch(&pair, pairs, (size_t)n, sizeof pair, compare_pairs) != NULL;
}

// The collider of a side of a fixed contact, or -1; first (n_elements): those of each shape, -1:
// none
static int collider_of(const System* sys, const int* first, int marker) {
    const Element* shape = sys->marker_elements[marker];
    int i = shape != NULL ? first[shape - sys->elements] : -1;
    while (i >= 0 && i < sys->n_colliders && sys->colliders[i].shape == shape) {
        if (sys->colliders[i].marker < 0 || sys->colliders[i].marker == marker) {
            return i;
        }
        i++;
    }
    return -1;
}

static Status list_fixed(const System* sys, Arena* arena, Candidates* c) {
    int* first = ARENA_NEW(arena, sys->n_elements, int);
    if (first == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < sys->n_elements; i++) {
        first[i] = -1;
    }
    for (int i = sys->n_colliders - 1; i >= 0; i--) {
        first[sys->colliders[i].shape - sys->elements] = i;
    }
    for (int k = 0; k < sys->n_fixed; k++) {
        const int a = collider_of(sys, first, sys->laws[k].marker_a);
        const int b = collider_of(sys, first, sys->laws[k].marker_b);
        if (a >= 0 && b >= 0) {
            c->declared[c->n_declared++] = found_id_pair(a, b);
        }
    }
    return STATUS_OK;
}

// Pairs of which a <contact> tells: groups leave them alone.
static Status list_declared(const System* sys, Arena* arena, Candidates* c) {
    if (sys->n_groups == 0) {
        return STATUS_OK;
    }
    size_t n = (size_t)sys->n_fixed;
    for (int i = 0; i < sys->n_meetings; i++) {
        n += (size_t)sys->meetings[i].first.n * (size_t)sys->meetings[i].second.n;
    }
    c->declared = ARENA_NEW(arena, n, long long);
    if (c->declared == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < sys->n_meetings; i++) {
        const Meeting* meeting = &sys->meetings[i];
        for (int a = 0; a < meeting->first.n; a++) {
            for (int b = 0; b < meeting->second.n; b++) {
                c->declared[c->n_declared++] =
                    found_id_pair(meeting->first.at + a, meeting->second.at + b);
            }
        }
    }
    const Status status = list_fixed(sys, arena, c);
    qsort(c->declared, (size_t)c->n_declared, sizeof *c->declared, compare_pairs);
    return status;
}

// Bodies by their elements, from 1; the ground, which need not be written, is 0.
static long long body_number(const System* sys, const Element* body) {
    const bool ground = body == NULL || (body->u.n == 0 && body->kind->n_signals == 0);
    return ground ? 0 : 1 + (body - sys->elements);
}

static const Element* body_of(const System* sys, int marker) {
    const Element* element = sys->marker_elements[marker];
    return element != NULL && element->parent >= 0 ? &sys->elements[element->parent] : element;
}

static Status list_joined(const System* sys, Arena* arena, Candidates* c) {
    c->joined = ARENA_NEW(arena, sys->n_joints, long long);
    if (c->joined == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < sys->n_joints; i++) {
        c->joined[c->n_joined++] =
            found_id_pair(body_number(sys, body_of(sys, sys->joints[i].marker_a)),
                          body_number(sys, body_of(sys, sys->joints[i].marker_b)));
    }
    qsort(c->joined, (size_t)c->n_joined, sizeof *c->joined, compare_pairs);
    return STATUS_OK;
}

Status candidates_create(const System* sys, Arena* arena, Candidates* c) {
    const int n = sys->n_colliders;
    *c = (Candidates){.sys = sys, .dt = -1.0};
    if (n == 0) {
        return STATUS_OK;
    }
    c->places = ARENA_NEW(arena, n, Placement);
    c->middle = ARENA_NEW(arena, n, Vec3);
    c->reach = ARENA_NEW(arena, n, double);
    c->margin = ARENA_NEW(arena, n, double);
    c->turn = ARENA_NEW(arena, n, double);
    c->boxes = ARENA_NEW(arena, n, Box);
    c->finite = ARENA_NEW(arena, n, int);
    c->endless = ARENA_NEW(arena, n, int);
    if (c->places == NULL || c->middle == NULL || c->reach == NULL || c->margin == NULL ||
        c->turn == NULL || c->boxes == NULL || c->finite == NULL || c->endless == NULL ||
        list_declared(sys, arena, c) != STATUS_OK || list_joined(sys, arena, c) != STATUS_OK) {
        return STATUS_OUT_OF_MEMORY;
    }
    c->phase = broad_phase_create();
    return c->phase != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

void candidates_destroy(Candidates* c) {
    broad_phase_destroy(c->phase);
    free(c->contacts);
    free(c->applied);
    free(c->closed);
    free(c->order);
    free(c->merged);
    *c = (Candidates){0};
}

// --- where everything is ---

static void place_collider(const Instant* instant, double dt, double gravity, int i,
                           Candidates* c) {
    const Properties* properties = instant->properties;
    const Surface* surface = properties->surfaces[i];
    const bool planar = properties->planar;
    const Frame* frame = &instant->frames[properties->places[i]->frame];
    const Vec2 centre = surface->outline.centre;
    const Vec3 middle = planar ? (Vec3){centre.x, centre.y, 0.0} : surface->solid.middle;
    const bool endless = is_endless(properties, i);
    const double reach = planar ? surface->outline.reach : surface->solid.reach;
    c->places[i] = collider_placement(instant, i);
    c->middle[i] = add3(c->places[i].r, turn3(c->places[i].R, middle));
    c->reach[i] = endless ? (double)INFINITY : reach;
    const double arm = length3(sub3(c->middle[i], frame->r)) + (endless ? 0.0 : reach);
    const double spin = length3(frame->Omega);
    const double way = dt * (length3(frame->v) + spin * arm) + dt * dt * gravity;
    c->margin[i] = REACH_OUT * way + (endless ? 0.0 : SLACK * reach);
    c->turn[i] = spin * dt;
}

// Half the sides, along the axes of the world, of a box that holds a turned one
static Vec3 turned_half(Mat3 R, Vec3 half) {
    return (Vec3){fabs(R.e[0].x) * half.x + fabs(R.e[1].x) * half.y + fabs(R.e[2].x) * half.z,
                  fabs(R.e[0].y) * half.x + fabs(R.e[1].y) * half.y + fabs(R.e[2].y) * half.z,
                  fabs(R.e[0].z) * half.x + fabs(R.e[1].z) * half.y + fabs(R.e[2].z) * half.z};
}

// Finite colliders of groups have a box that holds them wherever they may come. Those whose boxes
// are apart are farther from each other than both of their margins.
static void list_groups(const Properties* properties, Candidates* c) {
    const System* sys = c->sys;
    c->n_finite = c->n_endless = 0;
    for (int i = 0; i < sys->n_colliders; i++) {
        if (sys->colliders[i].group == 0) {
            continue;
        }
        if (!isfinite(c->reach[i])) {
            c->endless[c->n_endless++] = i;
            continue;
        }
        const Vec3 turned = turned_half(c->places[i].R, properties->halves[i]);
        const double reach = c->reach[i], margin = c->margin[i];
        const Vec3 half = {fmin(turned.x, reach) + margin, fmin(turned.y, reach) + margin,
                           properties->planar ? 0.0 : fmin(turned.z, reach) + margin};
        c->boxes[c->n_finite] =
            (Box){.low = sub3(c->middle[i], half), .high = add3(c->middle[i], half)};
        c->finite[c->n_finite++] = i;
    }
}

// --- one pair ---

static int near_features(const Properties* properties, int a, const Placement* place_a, int b,
                         const Placement* place_b, const NearOptions* options, Feature* features) {
    const Surface* first = properties->surfaces[a];
    const Surface* second = properties->surfaces[b];
    return properties->planar
               ? outline_near(&first->outline, place_a, &second->outline, place_b, options,
                              features)
               : solid_near(&first->solid, place_a, &second->solid, place_b, options, features);
}

// Room for n of an array; false if memory is short.
static bool make_room(void** array, int* room, int n, size_t size) {
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

static bool add_contact(Candidates* c, const FoundContact* contact) {
    if (!make_room((void**)&c->contacts, &c->room, c->n + 1, sizeof *contact)) {
        return false;
    }
    c->contacts[c->n++] = *contact;
    return true;
}

// Features of one pair by ascending key, each key once
static void sort_features(int n, Feature* features) {
    for (int i = 1; i < n; i++) {
        const Feature feature = features[i];
        int at = i;
        for (; at > 0 && features[at - 1].key > feature.key; at--) {
            features[at] = features[at - 1];
        }
        features[at] = feature;
    }
    for (int i = 1; i < n; i++) {
        if (features[i].key <= features[i - 1].key) {
            features[i].key = features[i - 1].key + 1;
        }
    }
}

// passing: features farther apart than this can pass through each other
static bool add_features(const Element* contact, int a, int b, double passing, int n,
                         Feature* features, Candidates* c) {
    sort_features(n, features);
    for (int i = 0; i < n; i++) {
        const FoundContact found = {.id = {found_id_pair(a, b), features[i].key},
                                    .contact = contact,
                                    .a = a,
                                    .b = b,
                                    .passes = features[i].gap > passing,
                                    .feature = features[i]};
        if (!add_contact(c, &found)) {
            return false;
        }
    }
    return true;
}

static Vec3 velocity_of(const Instant* instant, int collider) {
    return instant->frames[instant->properties->places[collider]->frame].v;
}

static double smaller_thickness(const Instant* instant, int a, int b) {
    const double* thickness = instant->properties->thickness;
    return fmin(thickness[a], thickness[b]);
}

// How far a shape's farthest point comes in a step by its turning
static double turned_way(const Candidates* c, int i) {
    return isfinite(c->reach[i]) ? c->turn[i] * c->reach[i] : 0.0;
}

// Do two shapes come so far in a step that one could pass through the other, or its edge?
static bool may_pass(const Instant* instant, int a, int b, double dt) {
    const Vec3 v = sub3(velocity_of(instant, a), velocity_of(instant, b));
    return dt * length3(v) > PASSING * smaller_thickness(instant, a, b);
}

// Or do their farthest points?
static bool may_turn_through(const Instant* instant, int a, int b, double dt, const Candidates* c) {
    const Vec3 v = sub3(velocity_of(instant, a), velocity_of(instant, b));
    return dt * length3(v) + turned_way(c, a) + turned_way(c, b) >
           PASSING_TURNED * smaller_thickness(instant, a, b);
}

static bool is_convex(const Properties* properties, int i) {
    return !properties->planar || properties->surfaces[i]->outline.convex;
}

// How fast two shapes can come nearer: of convex ones, which a plane across the normal of their
// nearest features parts, along the normal alone
static double closing_speed(const Properties* properties, int a, const Placement* place_a, int b,
                            const Placement* place_b, const Feature* nearest, Vec3 v) {
    if (!is_convex(properties, a) || !is_convex(properties, b)) {
        return length3(v);
    }
    const bool swapped = nearest->swapped;
    const Vec3 n =
        feature_normal(nearest, swapped ? place_b : place_a, swapped ? place_a : place_b);
    return (swapped ? 1.0 : -1.0) * dot3(n, v);
}

// The features by which they first touch on straight ways within the step, v being the velocity of
// the first against the second: they move on by their distance at the time, divided by the speed at
// which they can come nearer, until they touch.
static int features_on_way(const Instant* instant, int a, int b, double dt, const Candidates* c,
                           Feature* features) {
    enum { MOST_MOVES = 200 };
    static const double NEAR = 1e-6;  // of the smaller shape
    const Vec3 v = sub3(velocity_of(instant, a), velocity_of(instant, b));
    const double near = NEAR * fmin(c->reach[a], c->reach[b]);
    const NearOptions options = {
        .margin = near, .turn = c->turn[a] + c->turn[b] + c->extra_turn, .most = MOST_FEATURES};
    double t = 0.0;
    int n = 0;
    for (int i = 0; i < MOST_MOVES; i++) {
        Placement place_a = c->places[a];
        place_a.r = add3(place_a.r, scale3(t, v));
        n = near_features(instant->properties, a, &place_a, b, &c->places[b], &options, features);
        if (n == 0 || features[0].gap <= near) {
            return n;
        }
        const double speed =
            closing_speed(instant->properties, a, &place_a, b, &c->places[b], &features[0], v);
        t += speed > 0.0 ? features[0].gap / speed : (double)INFINITY;
        if (!(t <= REACH_OUT * dt)) {
            return 0;
        }
    }
    return n;  // nearly touching, and slow to come nearer
}

// Of the smaller one of two shapes, which is not a point; of those without end a metre
static double smaller_size(const Candidates* c, int a, int b) {
    const double least = fmin(c->reach[a], c->reach[b]);
    const double size = least > 0.0 ? least : fmax(c->reach[a], c->reach[b]);
    return isfinite(size) ? size : 1.0;
}

// The gap up to which two shapes touch: a follower, even a point without thickness, stays on its
// smooth curve to rounding.
static double touching_gap(const Candidates* c, int a, int b, const Feature* nearest) {
    return feature_key_is_place(nearest->key) ? TOUCHING * smaller_size(c, a, b) : 0.0;
}

static bool find_pair(const Instant* instant, const Element* contact, int a, int b, double dt,
                      Candidates* c) {
    Feature features[MOST_FEATURES];
    const double margin = c->margin[a] + c->margin[b];
    const double away = length3(sub3(c->middle[a], c->middle[b])) - c->reach[a] - c->reach[b];
    if (away > margin) {
        return true;
    }
    const NearOptions options = {
        .margin = margin, .turn = c->turn[a] + c->turn[b] + c->extra_turn, .most = MOST_FEATURES};
    int n =
        near_features(instant->properties, a, &c->places[a], b, &c->places[b], &options, features);
    while (n > 0 && features[n - 1].gap > margin) {
        n--;
    }
    double passing = INFINITY;
    if (n > 0 && may_pass(instant, a, b, dt) && features[0].gap > touching_gap(c, a, b, features)) {
        const double apart = features[0].gap;  // now; not where they were picked
        n = features_on_way(instant, a, b, dt, c, features);
        for (int i = 0; i < n; i++) {
            features[i].gap = apart;
        }
        passing = 0.0;
    } else if (n > 0 && may_turn_through(instant, a, b, dt, c)) {
        passing = PASSING_BESIDE * smaller_thickness(instant, a, b);
    }
    return add_features(contact, a, b, passing, n, features, c);
}

// --- all pairs ---

static bool find_meetings(const Instant* instant, double dt, Candidates* c) {
    const System* sys = c->sys;
    for (int i = 0; i < sys->n_meetings; i++) {
        const Meeting* meeting = &sys->meetings[i];
        for (int j = 0; j < meeting->first.n; j++) {
            for (int k = 0; k < meeting->second.n; k++) {
                const int a = meeting->first.at + j;
                const int b = meeting->second.at + k;
                if (!find_pair(instant, meeting->contact, a < b ? a : b, a < b ? b : a, dt, c)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool are_joined(const Candidates* c, const Element* first, const Element* second) {
    return contains(c->joined, c->n_joined,
                    found_id_pair(body_number(c->sys, first), body_number(c->sys, second)));
}

// The contacts that let two colliders of groups meet, or NULL
static const Element* contacts_of(const Candidates* c, int a, int b) {
    const System* sys = c->sys;
    const Collider* first = &sys->colliders[a];
    const Collider* second = &sys->colliders[b];
    const Element* contacts =
        sys->group_contacts[(first->group - 1) * sys->n_groups + second->group - 1];
    const bool points = first->shape->kind->shape == SHAPE_POINT &&
                        second->shape->kind->shape == SHAPE_POINT;  // they pass each other
    if (contacts == NULL || points || first->body == second->body ||
        (first->body->u.n == 0 && second->body->u.n == 0) ||
        (c->n_joined > 0 && are_joined(c, first->body, second->body)) ||
        contains(c->declared, c->n_declared, found_id_pair(a, b))) {
        return NULL;
    }
    return contacts;
}

// Is a shape, within the ball around it, farther from a plane of space than either may come?
static bool is_far_from_plane(const Properties* properties, int plane, int shape,
                              const Candidates* c) {
    const Solid* solid = &properties->surfaces[plane]->solid;
    if (properties->planar || solid->kind != SOLID_PLANE) {
        return false;
    }
    const Placement* place = &c->places[plane];
    const Vec3 n = turn3(place->R, solid->axis);
    const Vec3 from = add3(place->r, turn3(place->R, solid->centre));
    return dot3(n, sub3(c->middle[shape], from)) - c->reach[shape] >
           c->margin[plane] + c->margin[shape];
}

static Status find_in_groups(const Instant* instant, double dt, Candidates* c) {
    const BoxPair* pairs;
    int n;
    list_groups(instant->properties, c);
    const Status status = broad_phase_pairs(c->phase, c->n_finite, c->boxes, &pairs, &n);
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < n; i++) {
        const int a = c->finite[pairs[i].a], b = c->finite[pairs[i].b];
        const Element* contacts = contacts_of(c, a, b);
        if (contacts != NULL && !find_pair(instant, contacts, a, b, dt, c)) {
            return STATUS_OUT_OF_MEMORY;
        }
    }
    for (int i = 0; i < c->n_endless; i++) {
        for (int j = 0; j < c->n_finite; j++) {
            const int a = c->endless[i], b = c->finite[j];
            if (is_far_from_plane(instant->properties, a, b, c)) {
                continue;
            }
            const Element* contacts = contacts_of(c, a, b);
            if (contacts != NULL &&
                !find_pair(instant, contacts, a < b ? a : b, a < b ? b : a, dt, c)) {
                return STATUS_OUT_OF_MEMORY;
            }
        }
    }
    return STATUS_OK;
}

static bool is_before(const FoundContact* a, const FoundContact* b) {
    return a->id.pair != b->id.pair ? a->id.pair < b->id.pair : a->id.feature < b->id.feature;
}

// What became laws is kept beside what is found from now on.
static void keep_applied(Candidates* c) {
    if (c->is_applied) {
        FoundContact* contacts = c->applied;
        const int room = c->room_applied;
        c->applied = c->contacts;
        c->n_applied = c->n;
        c->room_applied = c->room;
        c->contacts = contacts;
        c->room = room;
        c->is_applied = false;
    }
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

// By ascending id. Contacts come in order from each source, so that a few runs are merged. False if
// memory is short.
static bool sort_contacts(Candidates* c) {
    if (!make_room((void**)&c->order, &c->room_order, c->n, sizeof *c->order) ||
        !make_room((void**)&c->merged, &c->room_merged, c->n, sizeof *c->merged)) {
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

Status candidates_find(const Instant* instant, double dt, double gravity, Candidates* c) {
    keep_applied(c);
    c->n = 0;
    for (int i = 0; i < c->sys->n_colliders; i++) {
        place_collider(instant, dt, gravity, i, c);
    }
    Status status = find_meetings(instant, dt, c) ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    if (status == STATUS_OK && c->sys->n_groups > 0) {
        status = find_in_groups(instant, dt, c);
    }
    if (status == STATUS_OK && !sort_contacts(c)) {
        status = STATUS_OUT_OF_MEMORY;
    }
    c->dt = dt;
    return status;
}

// --- laws of the system ---

static bool note_closed(Candidates* c, long long pair, long long state) {
    if (!make_room((void**)&c->closed, &c->room_closed, c->n_closed + 1, sizeof *c->closed)) {
        return false;
    }
    c->closed[c->n_closed++] = (ClosedPair){pair, state};
    return true;
}

// Contacts that stay keep their records; of those that are gone it is noted that they were closed.
// False if the records are in no order, as those of a state that is none, or if memory is short.
static bool renumber_records(const System* sys, State* s, Candidates* c) {
    long long n = 0;
    int last = -1;
    c->n_closed = 0;
    for (long long i = 0; i < s->head->n_records; i++) {
        const ContactRecord* record = &s->records[i];
        const int k = found_laws_find(sys, record->id, last + 1);
        if (k >= 0 && k <= last) {
            return false;
        }
        if (k >= 0) {
            last = k;
            state_move_record(i, n++, k, s);
        } else if (record->state != CONTACT_OPEN &&
                   !note_closed(c, record->id.pair, record->state)) {
            return false;
        }
    }
    s->head->n_records = n;
    return true;
}

// Where the features by which two bodies press on each other change, those that touch now press on:
// otherwise the bodies would fall for a step.
static void go_on_pressing(const System* sys, State* s, const Candidates* c) {
    for (int i = 0, at = 0; i < c->n && at < c->n_closed; i++) {
        const FoundContact* found = &c->contacts[i];
        while (at < c->n_closed && c->closed[at].pair < found->id.pair) {
            at++;
        }
        const double size = smaller_size(c, found->a, found->b);
        if (at < c->n_closed && c->closed[at].pair == found->id.pair &&
            found->feature.gap <= TOUCHING * size && state_record(s, sys->n_fixed + i) == NULL) {
            state_make_record(sys->n_fixed + i, s)->state = c->closed[at].state;
        }
    }
}

Status candidates_apply(const Properties* properties, System* sys, State* s, Candidates* c) {
    if (c->n > sys->found->most) {
        return STATUS_NO_ROOM;
    }
    found_laws_set(c->contacts, c->n, properties, sys);
    follow_smooth(sys, properties, c, s);
    if (!renumber_records(sys, s, c)) {
        return STATUS_NOT_ALLOWED;
    }
    go_on_pressing(sys, s, c);
    found_laws_identify(sys, s);
    c->is_applied = true;
    return STATUS_OK;
}

// --- what a step has missed ---

static int first_of(const FoundContact* contact) {
    return contact->feature.swapped ? contact->b : contact->a;
}
static int second_of(const FoundContact* contact) {
    return contact->feature.swapped ? contact->a : contact->b;
}

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
    const Placement* first = &c->places[first_of(before)];
    const Placement* second = &c->places[second_of(before)];
    if (!feature_key_is_place(contact->feature.key)) {
        return before->feature.key == contact->feature.key &&
               feature_gap(&before->feature, first, second) <= AS_DEEP * contact->feature.gap;
    }
    // a place on a smooth curve has travelled: it is the same one where its normal is
    const bool same_sides = first_of(before) == first_of(contact);
    const Vec3 n = feature_normal(&contact->feature, &c->places[first_of(contact)],
                                  &c->places[second_of(contact)]);
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
    const double seen = MISSED * smaller_size(c, contact->a, contact->b);
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
        if (!add_contact(c, &c->applied[i])) {
            return false;
        }
    }
    if (!sort_contacts(c)) {
        return false;
    }
    tell_apart(c);
    return true;
}

double candidates_penetration(const Instant* instant, const Candidates* c) {
    double penetration = 0.0;
    for (int i = 0; i < c->n; i++) {
        const FoundContact* contact = &c->contacts[i];
        if (!contact->passes) {  // those are of where the shapes will touch; now they are apart
            const Placement first = collider_placement(instant, first_of(contact));
            const Placement second = collider_placement(instant, second_of(contact));
            penetration = fmax(penetration, -feature_gap(&contact->feature, &first, &second));
        }
    }
    return penetration;
}

// Shapes that overlap so far that no feature tells by how much count as if the smaller one were
// within the other.
static double pair_distance(const Instant* instant, int a, int b) {
    const NearOptions options = {.most = 1};
    const Properties* properties = instant->properties;
    const Placement place_a = collider_placement(instant, a);
    const Placement place_b = collider_placement(instant, b);
    Feature feature;
    return near_features(properties, a, &place_a, b, &place_b, &options, &feature) > 0
               ? feature.gap
               : -fmin(properties->thickness[a], properties->thickness[b]);
}

double candidates_distance(const Instant* instant, const Meeting* meeting) {
    double least = INFINITY;
    for (int j = 0; j < meeting->first.n; j++) {
        for (int k = 0; k < meeting->second.n; k++) {
            least =
                fmin(least, pair_distance(instant, meeting->first.at + j, meeting->second.at + k));
        }
    }
    return least;
}
