#include "contacts/candidate_features.h"

#include <math.h>

#include "contacts/candidate_list.h"

// Of the thickness: a step that goes further could pass, or one in which the farthest points of
// shapes that turn do; features of the latter count that are so far apart.
static const double PASSING = 0.25;
static const double PASSING_TURNED = 1.0;
static const double PASSING_BESIDE = 0.1;
static const double TOUCHING = 1e-9;  // of the size of a shape: a gap of a follower on its curve
enum { MOST_FEATURES = 16 };          // of one pair

static int near_features(const Properties* properties, int a, const Placement* place_a, int b,
                         const Placement* place_b, const NearOptions* options, Feature* features) {
    const Surface* first = properties->surfaces[a];
    const Surface* second = properties->surfaces[b];
    return properties->planar
               ? outline_near(&first->outline, place_a, &second->outline, place_b, options,
                              features)
               : solid_near(&first->solid, place_a, &second->solid, place_b, options, features);
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
static bool add_features(const NearPair* pair, double passing, int n, Feature* features,
                         Candidates* c) {
    sort_features(n, features);
    for (int i = 0; i < n; i++) {
        const FoundContact found = {.id = {found_id_pair(pair->a, pair->b), features[i].key},
                                    .contact = pair->contact,
                                    .passes = features[i].gap > passing,
                                    .feature = features[i]};
        if (!candidate_list_add(c, &found)) {
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
        if (!(t <= CANDIDATE_REACH_OUT * dt)) {
            return 0;
        }
    }
    return n;  // nearly touching, and slow to come nearer
}

static double size_of(const Candidates* c, int a, int b) {
    const double least = fmin(c->reach[a], c->reach[b]);
    const double size = least > 0.0 ? least : fmax(c->reach[a], c->reach[b]);
    return isfinite(size) ? size : 1.0;
}

double candidate_features_size(const Candidates* c, FoundId id) {
    return size_of(c, found_id_collider(id, 0), found_id_collider(id, 1));
}

// The gap up to which two shapes touch: a follower, even a point without thickness, stays on its
// smooth curve to rounding.
static double touching_gap(const Candidates* c, int a, int b, const Feature* nearest) {
    return feature_key_is_place(nearest->key) ? TOUCHING * size_of(c, a, b) : 0.0;
}

bool candidate_features_find(const Instant* instant, const NearPair* pair, double dt,
                             Candidates* c) {
    Feature features[MOST_FEATURES];
    const int a = pair->a, b = pair->b;
    const double margin = c->margin[a] + c->margin[b];
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
    return add_features(pair, passing, n, features, c);
}

double candidate_features_distance(const Instant* instant, int a, int b) {
    const NearOptions options = {.most = 1};
    const Properties* properties = instant->properties;
    const Placement place_a = collider_placement(instant, a);
    const Placement place_b = collider_placement(instant, b);
    Feature feature;
    return near_features(properties, a, &place_a, b, &place_b, &options, &feature) > 0
               ? feature.gap
               : -fmin(properties->thickness[a], properties->thickness[b]);
}
