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

// Two colliders and where they are
typedef struct PlacedPair {
    int a, b;
    Placement place_a, place_b;
} PlacedPair;

static int near_features(const Properties* properties, const PlacedPair* pair,
                         const NearOptions* options, Feature* features) {
    const Surface* first = properties->surfaces[pair->a];
    const Surface* second = properties->surfaces[pair->b];
    return properties->planar ? outline_near(&first->outline, &pair->place_a, &second->outline,
                                             &pair->place_b, options, features)
                              : solid_near(&first->solid, &pair->place_a, &second->solid,
                                           &pair->place_b, options, features);
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

static const Frame* frame_of(const Instant* instant, int collider) {
    return &instant->frames[instant->properties->places[collider]->frame];
}

static Vec3 velocity_of(const Instant* instant, int collider) {
    return frame_of(instant, collider)->v;
}

// The angle by which a shape turns in a step
static double turn_of(const Instant* instant, int collider, double dt) {
    return length3(frame_of(instant, collider)->Omega) * dt;
}

static double smaller_thickness(const Instant* instant, int a, int b) {
    const Properties* properties = instant->properties;
    return fmin(properties->surfaces[a]->thickness, properties->surfaces[b]->thickness);
}

// How far a shape's farthest point comes in a step by its turning
static double turned_way(const Instant* instant, int i, double dt, const Candidates* c) {
    const double radius = c->reach[i].radius;
    return isfinite(radius) ? turn_of(instant, i, dt) * radius : 0.0;
}

// Do two shapes come so far in a step that one could pass through the other, or its edge?
static bool may_pass(const Instant* instant, int a, int b, double dt) {
    const Vec3 v = sub3(velocity_of(instant, a), velocity_of(instant, b));
    return dt * length3(v) > PASSING * smaller_thickness(instant, a, b);
}

// Or do their farthest points?
static bool may_turn_through(const Instant* instant, int a, int b, double dt, const Candidates* c) {
    const Vec3 v = sub3(velocity_of(instant, a), velocity_of(instant, b));
    return dt * length3(v) + turned_way(instant, a, dt, c) + turned_way(instant, b, dt, c) >
           PASSING_TURNED * smaller_thickness(instant, a, b);
}

static bool is_convex(const Properties* properties, int i) {
    return !properties->planar || properties->surfaces[i]->outline.convex;
}

// How fast two shapes can come nearer: of convex ones, which a plane across the normal of their
// nearest features parts, along the normal alone
static double closing_speed(const Properties* properties, const PlacedPair* pair,
                            const Feature* nearest, Vec3 v) {
    if (!is_convex(properties, pair->a) || !is_convex(properties, pair->b)) {
        return length3(v);
    }
    const bool swapped = nearest->swapped;
    const Vec3 n = feature_normal(nearest, swapped ? &pair->place_b : &pair->place_a,
                                  swapped ? &pair->place_a : &pair->place_b);
    return (swapped ? 1.0 : -1.0) * dot3(n, v);
}

// The features by which they first touch on straight ways within the step, v being the velocity of
// the first against the second: they move on by their distance at the time, divided by the speed at
// which they can come nearer, until they touch.
static int features_on_way(const Instant* instant, const PlacedPair* pair, double turn, double dt,
                           const Candidates* c, Feature* features) {
    enum { MOST_MOVES = 200 };
    static const double NEAR = 1e-6;  // of the smaller shape
    const Vec3 v = sub3(velocity_of(instant, pair->a), velocity_of(instant, pair->b));
    const double near = NEAR * fmin(c->reach[pair->a].radius, c->reach[pair->b].radius);
    const NearOptions options = {.margin = near, .turn = turn, .most = MOST_FEATURES};
    PlacedPair moved = *pair;
    double t = 0.0;
    int n = 0;
    for (int i = 0; i < MOST_MOVES; i++) {
        moved.place_a.r = add3(pair->place_a.r, scale3(t, v));
        n = near_features(instant->properties, &moved, &options, features);
        if (n == 0 || features[0].gap <= near) {
            return n;
        }
        const double speed = closing_speed(instant->properties, &moved, &features[0], v);
        t += speed > 0.0 ? features[0].gap / speed : (double)INFINITY;
        if (!(t <= CANDIDATE_REACH_OUT * dt)) {
            return 0;
        }
    }
    return n;  // nearly touching, and slow to come nearer
}

static double size_of(const Candidates* c, int a, int b) {
    const double first = c->reach[a].radius, second = c->reach[b].radius;
    const double least = fmin(first, second);
    const double size = least > 0.0 ? least : fmax(first, second);
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

bool candidate_features_find(const Instant* instant, const NearPair* near, double dt,
                             Candidates* c) {
    Feature features[MOST_FEATURES];
    const int a = near->a, b = near->b;
    const PlacedPair pair = {a, b, collider_placement(instant, a), collider_placement(instant, b)};
    const double margin = c->reach[a].margin + c->reach[b].margin;
    const double turn = turn_of(instant, a, dt) + turn_of(instant, b, dt) + c->extra_turn;
    const NearOptions options = {.margin = margin, .turn = turn, .most = MOST_FEATURES};
    int n = near_features(instant->properties, &pair, &options, features);
    while (n > 0 && features[n - 1].gap > margin) {
        n--;
    }
    double passing = INFINITY;
    if (n > 0 && may_pass(instant, a, b, dt) && features[0].gap > touching_gap(c, a, b, features)) {
        const double apart = features[0].gap;  // now; not where they were picked
        n = features_on_way(instant, &pair, turn, dt, c, features);
        for (int i = 0; i < n; i++) {
            features[i].gap = apart;
        }
        passing = 0.0;
    } else if (n > 0 && may_turn_through(instant, a, b, dt, c)) {
        passing = PASSING_BESIDE * smaller_thickness(instant, a, b);
    }
    return add_features(near, passing, n, features, c);
}

double candidate_features_distance(const Instant* instant, int a, int b) {
    const NearOptions options = {.most = 1};
    const Properties* properties = instant->properties;
    const PlacedPair pair = {a, b, collider_placement(instant, a), collider_placement(instant, b)};
    Feature feature;
    return near_features(properties, &pair, &options, &feature) > 0
               ? feature.gap
               : -smaller_thickness(instant, a, b);
}
