// The list of features of a patch, and the few of them that are kept: the deepest, the farthest
// from it, and those that add most area. All comparisons have a tolerance and go through the
// features in the order in which parts are numbered, so that rounding does not change the choice.
#include "geometry/solid_parts.h"

// Squared lengths and areas that differ by less, relative to the patch, are ties.
#define SPAN_TIE 1e-6
// Of features in a hole: a peg with four sides touches with both ends of each.
enum { MOST_APART = 8 };

SolidView solid_view(const SolidPair* pair, bool of_a, Vec3 n) {
    if (!of_a) {
        return (SolidView){pair->b, pair->a, pair->R, pair->r, n, false};
    }
    SolidView view = {.self = pair->a, .other = pair->b, .self_is_a = true};
    const Mat3 R = pair->R;
    view.R = (Mat3){{{R.e[0].x, R.e[1].x, R.e[2].x},
                     {R.e[0].y, R.e[1].y, R.e[2].y},
                     {R.e[0].z, R.e[1].z, R.e[2].z}}};
    view.r = solid_opposite(turn_back3(R, pair->r));
    view.out = solid_opposite(turn_back3(R, n));
    return view;
}

SolidPair solid_exchanged(const SolidPair* pair) {
    SolidPair other = *pair;
    const SolidView view = solid_view(pair, true, (Vec3){0.0, 0.0, 0.0});
    other.a = pair->b;
    other.b = pair->a;
    other.flipped = !pair->flipped;
    other.R = view.R;
    other.r = view.r;
    return other;
}

// Two bits for the part and 14 for its index, of each; indices beyond that are mixed.
unsigned solid_key(SolidPart part_a, int index_a, SolidPart part_b, int index_b) {
    const unsigned a = (unsigned)part_a << 14 | ((unsigned)index_a & 0x3FFFu);
    const unsigned b = (unsigned)part_b << 14 | ((unsigned)index_b & 0x3FFFu);
    const unsigned beyond = (unsigned)index_a >> 14 | (unsigned)index_b >> 14 << 8;
    return (a << 16 | b) ^ beyond * 0x9E3779B9u;
}

Feature solid_feature(const SolidPair* pair, FeatureKind kind, bool a_first, FeatureSide a,
                      FeatureSide b, double gap, unsigned key) {
    return (Feature){.kind = kind,
                     .swapped = a_first == pair->flipped,
                     .sides = {a_first ? a : b, a_first ? b : a},
                     .gap = gap,
                     .key = key};
}

void solid_list_begin(SolidList* list, const SolidPair* pair, Vec3 n, double least) {
    list->pair = pair;
    list->n = n;
    list->least = least;
    list->n_features = 0;
}

// Removes feature i and closes the gap.
static void drop(SolidList* list, int i) {
    list->n_features--;
    for (int k = i; k < list->n_features; k++) {
        list->features[k] = list->features[k + 1];
        list->at[k] = list->at[k + 1];
    }
}

// Room for one more: of the two that are nearest to each other the shallower goes.
static void make_room(SolidList* list) {
    int drop_i = 0;
    double nearest = INFINITY;
    for (int i = 0; i < list->n_features; i++) {
        for (int k = 0; k < i; k++) {
            const Vec3 d = sub3(list->at[i], list->at[k]);
            if (dot3(d, d) < nearest) {
                nearest = dot3(d, d);
                drop_i = list->features[k].gap > list->features[i].gap ? k : i;
            }
        }
    }
    drop(list, drop_i);
}

void solid_list_add(SolidList* list, const Feature* feature, Vec3 at) {
    const SolidPair* pair = list->pair;
    const double limit = fmax(pair->margin, list->least + pair->tie);
    if (!(feature->gap <= limit) || feature->gap < list->least - pair->tie) {
        return;
    }
    for (int i = 0; i < list->n_features; i++) {
        const Vec3 d = sub3(at, list->at[i]);
        const bool same = dot3(d, d) <= pair->same * pair->same;
        if (same || feature->key == list->features[i].key) {
            if (feature->gap < list->features[i].gap - pair->tie) {
                list->features[i] = *feature;
                list->at[i] = at;
            }
            return;
        }
    }
    if (list->n_features == SOLID_CANDIDATES) {
        make_room(list);
    }
    list->features[list->n_features] = *feature;
    list->at[list->n_features++] = at;
}

void solid_list_add_nearest(SolidList* list, const Feature* feature, Vec3 at) {
    for (int i = 0; i < list->n_features; i++) {
        if (list->features[i].gap <= feature->gap + list->pair->tie) {
            return;
        }
    }
    solid_list_add(list, feature, at);
}

// --- choice ---

// Of the deepest, the first along a direction that is fixed to b
static int deepest(const SolidList* list) {
    double least = INFINITY;
    for (int i = 0; i < list->n_features; i++) {
        least = fmin(least, list->features[i].gap);
    }
    static const Vec3 along = {0.61, 0.53, 0.37};  // along no edge of the usual shapes
    int best = -1;
    for (int i = 0; i < list->n_features; i++) {
        if (list->features[i].gap <= least + list->pair->tie &&
            (best < 0 || dot3(along, sub3(list->at[i], list->at[best])) > 1e3 * list->pair->same)) {
            best = i;
        }
    }
    return best;
}

// How much a point adds to those chosen so far: its distance to one, the triangle with two, and
// with three the largest triangle that it makes outside of a side of theirs
static double added(const SolidList* list, const int* chosen, int n, int i) {
    const Vec3 x = list->at[i];
    const Vec3 d = sub3(x, list->at[chosen[0]]);
    if (n == 1) {
        return dot3(d, d);
    }
    const Vec3 e = sub3(list->at[chosen[1]], list->at[chosen[0]]);
    const double turn = dot3(list->n, cross3(e, d));
    if (n == 2) {
        return fabs(turn);
    }
    const Vec3 third = sub3(list->at[chosen[2]], list->at[chosen[0]]);
    const double sense = dot3(list->n, cross3(e, third)) < 0.0 ? -1.0 : 1.0;
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        const Vec3 p = list->at[chosen[k]], q = list->at[chosen[(k + 1) % 3]];
        most = fmax(most, -sense * dot3(list->n, cross3(sub3(q, p), sub3(x, p))));
    }
    return most;
}

static bool is_chosen(const int* chosen, int n, int i) {
    for (int k = 0; k < n; k++) {
        if (chosen[k] == i) {
            return true;
        }
    }
    return false;
}

// How many of at most four; less if there is nothing that they would add
static int choose(const SolidList* list, int most, int chosen[4]) {
    const double same = list->pair->same;
    chosen[0] = deepest(list);
    int n = 1;
    double span = 0.0;
    while (n < most && n < 4) {
        int best = -1;
        double best_added = same * (n == 1 ? same : sqrt(span));
        for (int i = 0; i < list->n_features; i++) {
            const double more = is_chosen(chosen, n, i) ? 0.0 : added(list, chosen, n, i);
            if (more > best_added + SPAN_TIE * span) {
                best = i;
                best_added = more;
                span = n == 1 ? fmax(span, more) : span;
            }
        }
        if (best < 0) {
            break;
        }
        chosen[n++] = best;
    }
    return n;
}

static void write_sorted(const SolidList* list, const int* chosen, int n, Feature* features) {
    for (int i = 0; i < n; i++) {
        const Feature* f = &list->features[chosen[i]];
        int k = i;
        for (; k > 0 && features[k - 1].gap > f->gap; k--) {
            features[k] = features[k - 1];
        }
        features[k] = *f;
    }
}

int solid_list_finish(SolidList* list, int most, Feature* features) {
    int chosen[4];
    const int n = choose(list, most, chosen);
    write_sorted(list, chosen, n, features);
    return n;
}

// The squared distance to the nearest of those that are chosen
static double distance_to_chosen(const SolidList* list, const int* chosen, int n, int i) {
    double nearest = INFINITY;
    for (int k = 0; k < n; k++) {
        const Vec3 d = sub3(list->at[i], list->at[chosen[k]]);
        nearest = fmin(nearest, dot3(d, d));
    }
    return nearest;
}

int solid_list_finish_apart(SolidList* list, int most, Feature* features) {
    int chosen[MOST_APART] = {deepest(list)};
    int n = 1;
    while (n < most && n < MOST_APART) {
        int best = -1;
        double farthest = list->pair->same * list->pair->same;
        for (int i = 0; i < list->n_features; i++) {
            const double distance = distance_to_chosen(list, chosen, n, i);
            if (distance > farthest * (1.0 + SPAN_TIE)) {
                farthest = distance;
                best = i;
            }
        }
        if (best < 0) {
            break;
        }
        chosen[n++] = best;
    }
    write_sorted(list, chosen, n, features);
    return n;
}
