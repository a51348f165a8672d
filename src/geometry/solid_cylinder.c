// Cylinders with flat ends: what is low of one over a plane.
//
// On its side it touches with a line, of which both ends are listed, the lowest points of its rims
// (FEATURE_RIM). Upright it touches with a disc, of which four points of the rim are listed: the
// lowest one, which travels round the rim as the cylinder tumbles, and three fixed to it.
#include "geometry/solid_parts.h"

#include <stddef.h>

// |n - (n.k) k| above which it is known which point of a rim is the lowest
#define LEAST_TILT 1e-3
// rad: a tilt that rounding makes
#define UPRIGHT 1e-13

SolidTube solid_tube(const SolidPair* pair, bool of_a) {
    const Solid* s = of_a ? pair->a : pair->b;
    SolidTube t = {.c = s->centre, .k = s->axis, .r = s->radius, .h = s->half_length, .of_a = of_a};
    if (of_a) {
        t.c = solid_from_a(pair, s->centre);
        t.k = turn3(pair->R, s->axis);
    }
    return t;
}

double solid_tube_support(const SolidTube* t, Vec3 n) {
    return t->h * fabs(dot3(n, t->k)) + t->r * length3(solid_part_across(n, t->k));
}

// Of a normal along the axis the middle of the end
Vec3 solid_tube_first(const SolidTube* t, Vec3 n) {
    const double along = dot3(n, t->k);
    const Vec3 across = solid_part_across(n, t->k);
    const double length = length3(across);
    const Vec3 end = add3(t->c, scale3(along < 0.0 ? -t->h : t->h, t->k));
    if (length <= UPRIGHT) {
        return end;
    }
    // once more, for rounding has left something along the axis
    return add3(end,
                scale3(t->r, solid_unit(solid_part_across(scale3(1.0 / length, across), t->k))));
}

Vec3 solid_tube_nearest(const SolidTube* t, Vec3 x) {
    const Vec3 d = sub3(x, t->c);
    const double z = dot3(d, t->k);
    const Vec3 across = sub3(d, scale3(z, t->k));
    const double rho = length3(across);
    const double inner = rho > t->r ? t->r / rho : 1.0;
    return add3(add3(t->c, scale3(fmax(fmin(z, t->h), -t->h), t->k)), scale3(inner, across));
}

void solid_tube_across(const SolidPair* pair, const SolidTube* t, Vec3 across[2]) {
    const Vec3 k = t->of_a ? pair->a->axis : pair->b->axis;
    const Vec3 e = fabs(k.x) < 0.6 ? (Vec3){1.0, 0.0, 0.0} : (Vec3){0.0, 1.0, 0.0};
    Vec3 u = solid_unit(cross3(k, e));
    u = t->of_a ? turn3(pair->R, u) : u;
    across[0] = u;
    across[1] = cross3(t->k, u);
}

// --- over a plane ---

static unsigned floor_key(const SolidTube* t, const SolidFloor* floor, int part) {
    return t->of_a ? solid_key(PART_OTHER, part, PART_FACE, floor->face)
                   : solid_key(PART_FACE, floor->face, PART_OTHER, part);
}

static Feature over_floor(const SolidPair* pair, FeatureKind kind, const SolidTube* t,
                          const SolidFloor* floor, FeatureSide low, double gap, int part) {
    const FeatureSide plane = solid_side(pair, !t->of_a, floor->p, floor->n, 0.0);
    const unsigned key = floor_key(t, floor, part);
    return t->of_a ? solid_feature(pair, kind, true, low, plane, gap, key)
                   : solid_feature(pair, kind, false, plane, low, gap, key);
}

static Vec3 end_of(const SolidTube* t, int end) {
    return add3(t->c, scale3(end == 0 ? -t->h : t->h, t->k));
}

static Feature rim_feature(const SolidPair* pair, const SolidTube* t, const SolidFloor* floor,
                           int end, Vec3* x) {
    const Vec3 across = solid_part_across(floor->n, t->k);
    *x = sub3(end_of(t, end), scale3(t->r / length3(across), across));
    return over_floor(pair, FEATURE_RIM, t, floor,
                      solid_side(pair, t->of_a, end_of(t, end), t->k, t->r),
                      dot3(floor->n, sub3(*x, floor->p)), TUBE_RIM + end);
}

static Feature point_feature(const SolidPair* pair, const SolidTube* t, const SolidFloor* floor,
                             Vec3 x, int part) {
    return over_floor(pair, FEATURE_FLAT, t, floor, solid_side(pair, t->of_a, x, t->k, 0.0),
                      dot3(floor->n, sub3(x, floor->p)), part);
}

static int lower_end(const SolidTube* t, const SolidFloor* floor) {
    return dot3(floor->n, t->k) > 0.0 ? 0 : 1;
}

Feature solid_floor_feature(const SolidPair* pair, const SolidTube* t, const SolidFloor* floor) {
    const int end = lower_end(t, floor);
    Vec3 x;
    if (length3(solid_part_across(floor->n, t->k)) > pair->rim_tilt) {
        return rim_feature(pair, t, floor, end, &x);
    }
    x = solid_tube_first(t, solid_opposite(floor->n));
    return point_feature(pair, t, floor, x, TUBE_RIM_POINT + 8 * end + 4);
}

static void add_over(SolidList* list, const SolidTube* t, const SolidFloor* floor,
                     const Feature* feature, Vec3 x) {
    const SolidPair* pair = list->pair;
    if (floor->tube != NULL) {
        const Vec3 off = solid_part_across(sub3(x, floor->tube->c), floor->tube->k);
        if (length3(off) > floor->tube->r + pair->same) {
            return;
        }
    }
    if (floor->hull != NULL) {
        const Vec3 at = t->of_a ? x : solid_to_a(pair, x);
        if (!solid_face_covers(floor->hull, floor->face, at, pair->same)) {
            return;
        }
    }
    solid_list_add(list, feature, x);
}

// Four points of the rim, the lowest among them. Of those fixed to the cylinder the one that is
// nearest to it makes room.
static void add_rim_points(SolidList* list, const SolidTube* t, const SolidFloor* floor, int end) {
    const Vec3 across = solid_part_across(floor->n, t->k);
    const double tilt = length3(across);
    Vec3 e[2];
    solid_tube_across(list->pair, t, e);
    int nearest = -1;
    if (tilt >
        LEAST_TILT) {  // quarters of a turn from the lowest, which may be a feature of its own
        e[0] = scale3(-1.0 / tilt, across);
        e[1] = cross3(t->k, e[0]);
        nearest = tilt > list->pair->rim_tilt ? 0 : -1;
    } else if (tilt * t->r > list->pair->tie) {
        const double x = -dot3(across, e[0]), y = -dot3(across, e[1]);
        nearest = fabs(x) >= fabs(y) ? (x > 0.0 ? 0 : 2) : (y > 0.0 ? 1 : 3);
        const Vec3 low = solid_tube_first(t, solid_opposite(floor->n));
        const Feature f = point_feature(list->pair, t, floor, low, TUBE_RIM_POINT + 8 * end + 4);
        add_over(list, t, floor, &f, low);
    }
    for (int slot = 0; slot < 4; slot++) {
        if (slot != nearest) {
            const Vec3 d = scale3(slot < 2 ? t->r : -t->r, e[slot % 2]);
            const Vec3 x = add3(end_of(t, end), d);
            const int part = TUBE_RIM_POINT + 8 * end + slot;
            const Feature f = point_feature(list->pair, t, floor, x, part);
            add_over(list, t, floor, &f, x);
        }
    }
}

void solid_add_floor(SolidList* list, const SolidTube* t, const SolidFloor* floor) {
    const SolidPair* pair = list->pair;
    const int low = lower_end(t, floor);
    const double tilt = length3(solid_part_across(floor->n, t->k));
    for (int i = 0; i < 2; i++) {
        const int end = i == 0 ? low : 1 - low;
        if (tilt > pair->rim_tilt && (end == low || fabs(dot3(floor->n, t->k)) <= pair->sin_tilt)) {
            Vec3 x;
            const Feature f = rim_feature(pair, t, floor, end, &x);
            add_over(list, t, floor, &f, x);
        }
    }
    if (tilt <= pair->sin_tilt) {
        add_rim_points(list, t, floor, low);
    }
}

static int near_cylinder_plane(const SolidPair* pair, Feature* features) {
    const SolidTube t = solid_tube(pair, true);
    const SolidFloor floor = {.p = pair->b->centre, .n = pair->b->axis};
    const Feature nearest = solid_floor_feature(pair, &t, &floor);
    SolidList list;
    solid_list_begin(&list, pair, floor.n, nearest.gap);
    solid_add_floor(&list, &t, &floor);
    solid_list_add_nearest(&list, &nearest, solid_tube_first(&t, solid_opposite(floor.n)));
    return solid_list_finish(&list, pair->most, features);
}

int solid_near_cylinder(const SolidPair* pair, Feature* features) {
    switch (pair->b->kind) {
        case SOLID_PLANE:
            return near_cylinder_plane(pair, features);
        case SOLID_BORE:
        case SOLID_HOLLOW:
            return solid_near_cylinder_hole(pair, features);
        default:
            return pair->a->kind == SOLID_CYLINDER ? solid_near_cylinders(pair, features)
                                                   : solid_near_cylinder_hull(pair, features);
    }
}
