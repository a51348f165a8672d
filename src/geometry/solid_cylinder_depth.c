// The least depth of two cylinders in each other, over all directions. In coordinates in which the
// axes are k = (s, 0, c) and (-s, 0, c), theta apart, and d, between the centres, has d_y >= 0, the
// depth along a unit vector n, from b to a,
//     H = -n.d + sum of h |cos(alpha)| + r sin(alpha),   alpha the angle between n and an axis,
// depends on the two angles alone, as n_y >= 0 is better than its opposite. The quarters of the
// sphere, by the signs of the cosines, are divided into cells of intervals of both angles, each
// with a lower bound of H: r sin(alpha) is concave in cos(alpha), thus above its chord
//     r (cos(half width) - cos(middle) cos(alpha)) / sin(middle),
// and what is left, a constant and n.v, is least where n = -v / |v|, at a border of the cell or at
// one of its corners. A cell whose bound is not below the least depth known is done with, others
// are halved. So no local minimum is missed, however near to each other they are; Newton's method
// takes the least one to rounding.
#include "geometry/solid_parts.h"

#define PI 3.14159265358979323846
// Cells looked at, of which some 100 are usual; room for those that wait: one for each halving
enum { MOST_CELLS = 5000, MOST_WAITING = 160, NEWTON_STEPS = 30, SHORTER_STEPS = 12 };
// Ties within which a bound will do, and what is known already is as good
#define ENOUGH 20.0
// rad: directions this near to an axis are as good as the axis, which has been tried
#define UPRIGHT 1e-11
// Sine below which axes are parallel
#define PARALLEL 1e-12
// A cosine of which only rounding is left
#define ACROSS 1e-12
// rad: steps of Newton's method, the longest one and those that are not compared any more
#define LONGEST_STEP 0.3
#define CLOSE 1e-6

typedef struct Axes {
    Vec3 d, k[2];
    double r[2], h[2];
    double s, c, theta;
} Axes;

typedef struct Cell {
    double low[2], high[2];  // rad, of the angles between n and sign k, within a quarter of a turn
    double sign[2];
} Cell;

typedef struct Least {
    double depth;
    Vec3 n;
} Least;

static double sine_of(const Axes* x, Vec3 n, int i) { return length3(cross3(n, x->k[i])); }

static double depth_along(const Axes* x, Vec3 n) {
    double depth = -dot3(n, x->d);
    for (int i = 0; i < 2; i++) {
        depth += x->h[i] * fabs(dot3(n, x->k[i])) + x->r[i] * sine_of(x, n, i);
    }
    return depth;
}

// --- Newton's method on the sphere ---

// Gradient: the point of the difference of the two that is first along n; curvature of H across n,
// that of a rim being r / sin along the unit vector across k and n. On the side of a cylinder n
// stays across its axis.
typedef struct Slopes {
    Vec3 e[2];  // across n
    double g[2], A[3];
    bool on_side;
} Slopes;

static Slopes slopes_at(const Axes* x, Vec3 n, double depth) {
    Vec3 first = solid_opposite(x->d), round[2];
    double bend[2];
    Slopes m = {.A = {-depth, 0.0, -depth}};
    int side = 0;
    for (int i = 0; i < 2; i++) {
        const double along = dot3(n, x->k[i]), sine = fmax(sine_of(x, n, i), 1e-300);
        if (fabs(along) < ACROSS) {
            m.on_side = true;
            side = i;
        } else {
            first = add3(first, scale3(copysign(x->h[i], along), x->k[i]));
        }
        first = add3(first, scale3(x->r[i] / sine, solid_part_across(n, x->k[i])));
        round[i] = scale3(1.0 / sine, cross3(x->k[i], n));
        bend[i] = x->r[i] / sine;
    }
    m.e[0] = round[side];
    m.e[1] = cross3(n, m.e[0]);
    for (int i = 0; i < 2; i++) {
        const double p = dot3(round[i], m.e[0]), q = dot3(round[i], m.e[1]);
        m.g[i] = dot3(first, m.e[i]);
        m.A[0] += bend[i] * p * p;
        m.A[1] += bend[i] * p * q;
        m.A[2] += bend[i] * q * q;
    }
    return m;
}

static Vec3 newton_step(const Slopes* m) {
    const double det = m->A[0] * m->A[2] - m->A[1] * m->A[1];
    double p, q;
    if (m->on_side) {
        p = -m->g[0] / (m->A[0] > 0.0 ? m->A[0] : 1.0);
        q = 0.0;
    } else if (m->A[0] > 0.0 && det > 0.0) {
        p = (m->A[1] * m->g[1] - m->A[2] * m->g[0]) / det;
        q = (m->A[1] * m->g[0] - m->A[0] * m->g[1]) / det;
    } else {  // not near a minimum: downhill
        const double scale = fabs(m->A[0]) + fabs(m->A[1]) + fabs(m->A[2]);
        p = -m->g[0] / scale;
        q = -m->g[1] / scale;
    }
    const Vec3 step = add3(scale3(p, m->e[0]), scale3(q, m->e[1]));
    return scale3(fmin(1.0, LONGEST_STEP / fmax(length3(step), 1e-300)), step);
}

// Steps that make the depth less, and at the end those of which rounding leaves no more to be seen
static void descend(const Axes* x, Vec3 n, Least* least) {
    double depth = depth_along(x, n);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        const Slopes m = slopes_at(x, n, depth);
        Vec3 step = newton_step(&m), next = solid_unit(add3(n, step));
        double there = depth_along(x, next);
        for (int k = 0; k < SHORTER_STEPS && there >= depth && length3(step) > CLOSE; k++) {
            step = scale3(0.5, step);
            next = solid_unit(add3(n, step));
            there = depth_along(x, next);
        }
        const double length = length3(step);
        if (there >= depth && length > CLOSE) {
            break;
        }
        depth = there;
        n = next;
        if (length <= 1e-15) {
            break;
        }
    }
    if (depth < least->depth) {
        *least = (Least){depth, n};
    }
}

// --- the bound of a cell ---

// Of the angles that two directions t apart can have to one n, the others cannot be; false if none
// are left
static bool narrow_cell(const Axes* x, Cell* cell) {
    const double t = cell->sign[0] == cell->sign[1] ? x->theta : PI - x->theta;
    for (int i = 0; i < 2; i++) {
        const double low = cell->low[1 - i], high = cell->high[1 - i];
        cell->low[i] = fmax(cell->low[i], fmax(low - t, t - high));
        cell->high[i] = fmin(cell->high[i], high + t);
    }
    return cell->low[0] <= cell->high[0] && cell->low[1] <= cell->high[1];
}

// n at the angle a to one axis, with its sign, where n.v is least
static Vec3 least_on_border(const Axes* x, const Cell* cell, int i, double a, Vec3 v) {
    const Vec3 across = solid_part_across(v, x->k[i]);
    const double length = length3(across);
    return sub3(scale3(cell->sign[i] * cos(a), x->k[i]),
                scale3(length > 0.0 ? sin(a) / length : 0.0, across));
}

// n at given angles to both: n_y from the sides of the triangle on the sphere. False if they do not
// meet, but for rounding, which makes n_y too large rather than too small.
static bool corner_of(const Axes* x, const Cell* cell, const double a[2], Vec3* n) {
    const bool same = cell->sign[0] == cell->sign[1];
    const double t = same ? x->theta : PI - x->theta;
    const double slack[3] = {0.5 * (a[1] + t - a[0]), 0.5 * (a[0] + t - a[1]),
                             0.5 * (a[0] + a[1] - t)};
    double square = 4.0 * fmax(sin(0.5 * (a[0] + a[1] + t)), 1e-16);
    for (int i = 0; i < 3; i++) {
        const double noise = 2e-16 * (a[0] + a[1] + t);
        if (slack[i] < -noise) {
            return false;
        }
        square *= fmax(sin(slack[i]), noise);
    }
    const double mean = 0.5 * (a[0] + a[1]), half = 0.5 * (a[0] - a[1]);
    const double difference = same ? -2.0 * sin(mean) * sin(half) : cos(a[0]) + cos(a[1]);
    const double sum = same ? cos(a[0]) + cos(a[1]) : -2.0 * sin(mean) * sin(half);
    const double sine = sin(t);
    *n = (Vec3){0.5 * cell->sign[0] * difference / x->s, sqrt(square) / sine,
                0.5 * cell->sign[0] * sum / x->c};
    return true;
}

// The angle to one axis that is nearest to that of n and within the cell; whether it is another one
static bool beyond(const Axes* x, const Cell* cell, int i, Vec3 n, double* angle) {
    const double along = cell->sign[i] * dot3(n, x->k[i]);
    const bool low = along > cos(cell->low[i]), high = along < cos(cell->high[i]);
    *angle = low ? cell->low[i] : cell->high[i];
    return low || high;
}

// Where n.v is least within the cell. If the least one of all is beyond borders, it is on one of
// those: where it is least there, or at the corner towards which that is beyond the other border.
static double least_product(const Axes* x, const Cell* cell, Vec3 v, Vec3* n) {
    const double length = length3(v);
    *n = length > 0.0 ? scale3(-1.0 / length, v) : x->k[0];
    double angles[2];
    const bool out[2] = {beyond(x, cell, 0, *n, &angles[0]), beyond(x, cell, 1, *n, &angles[1])};
    if (!out[0] && !out[1]) {
        return -length;
    }
    double least = INFINITY;
    for (int i = 0; i < 2; i++) {
        if (!out[i]) {
            continue;
        }
        Vec3 at = least_on_border(x, cell, i, angles[i], v);
        double corner[2] = {angles[0], angles[1]};
        bool there = true;
        if (x->s > 0.0 && beyond(x, cell, 1 - i, at, &corner[1 - i])) {
            there = corner_of(x, cell, corner, &at);
        }
        if (there && dot3(at, v) < least) {
            least = dot3(at, v);
            *n = at;
        }
    }
    return least;
}

static double bound_of(const Axes* x, const Cell* cell, Vec3* n) {
    double constant = 0.0;
    Vec3 v = solid_opposite(x->d);
    for (int i = 0; i < 2; i++) {
        const double middle = 0.5 * (cell->low[i] + cell->high[i]);
        const double half = 0.5 * (cell->high[i] - cell->low[i]);
        const double sine = sin(middle);
        constant += x->r[i] * cos(half) / sine;
        v = add3(v, scale3(cell->sign[i] * (x->h[i] - x->r[i] * cos(middle) / sine), x->k[i]));
    }
    return constant + least_product(x, cell, v, n);
}

// By how much the chord of r sin is too low
static double chord_error(const Axes* x, const Cell* cell, int i) {
    const double sine = sin(0.25 * (cell->high[i] - cell->low[i]));
    return 2.0 * x->r[i] * sine * sine / sin(0.5 * (cell->low[i] + cell->high[i]));
}

// --- the search ---

// How far from an axis p it is sure that no direction is better: with y the point of all but the
// disc of this end that is first along p, H(n) >= n.y + h cos + r sin.
static double cap_around(const Axes* x, int i, double sign) {
    const int o = 1 - i;
    const Vec3 p = scale3(sign, x->k[i]);
    const double along = dot3(p, x->k[o]), sine = sine_of(x, p, o);
    Vec3 y = add3(solid_opposite(x->d), scale3(copysign(x->h[o], along), x->k[o]));
    if (sine > 0.0) {
        y = add3(y, scale3(x->r[o] / sine, solid_part_across(p, x->k[o])));
    }
    const double wide = x->r[i] - length3(solid_part_across(y, p));
    return wide > 0.0 ? 2.0 * atan(wide / fmax(depth_along(x, p), 1e-300)) : 0.0;
}

static void search(const Axes* x, double enough, Least* least) {
    Cell waiting[MOST_WAITING];
    int n_waiting = 0;
    for (int i = 0; i < 4; i++) {
        Cell cell = {.high = {0.5 * PI, 0.5 * PI}, .sign = {i < 2 ? 1 : -1, i % 2 == 0 ? 1 : -1}};
        for (int k = 0; k < 2; k++) {
            cell.low[k] = fmax(UPRIGHT, fmin(cap_around(x, k, cell.sign[k]), 0.5 * PI));
        }
        waiting[n_waiting++] = cell;
    }
    for (int i = 0; i < MOST_CELLS && n_waiting > 0; i++) {
        Cell cell = waiting[--n_waiting];
        Vec3 n;
        if (!narrow_cell(x, &cell) || bound_of(x, &cell, &n) >= least->depth - enough) {
            continue;
        }
        n = solid_unit(n);
        if (depth_along(x, n) < least->depth) {
            descend(x, n, least);
        }
        const double errors[2] = {chord_error(x, &cell, 0), chord_error(x, &cell, 1)};
        if (errors[0] + errors[1] > enough && n_waiting + 2 <= MOST_WAITING) {
            const int k = errors[0] >= errors[1] ? 0 : 1;
            const double middle = 0.5 * (cell.low[k] + cell.high[k]);
            waiting[n_waiting] = waiting[n_waiting + 1] = cell;
            waiting[n_waiting++].low[k] = middle;
            waiting[n_waiting++].high[k] = middle;
        }
    }
}

bool solid_least_depth(const SolidPair* pair, const SolidTube* a, const SolidTube* b, double known,
                       Vec3* n) {
    const Vec3 k_b = dot3(a->k, b->k) < 0.0 ? solid_opposite(b->k) : b->k;
    const Vec3 sum = add3(a->k, k_b), difference = sub3(a->k, k_b), d = sub3(a->c, b->c);
    Axes x = {.r = {a->r, b->r}, .h = {a->h, b->h}};
    x.c = 0.5 * length3(sum);
    x.s = 0.5 * length3(difference);
    x.s = x.s < PARALLEL ? 0.0 : x.s;
    x.theta = 2.0 * atan2(x.s, x.c);
    Vec3 across[2];
    solid_tube_across(pair, a, across);
    const Vec3 e_z = scale3(0.5 / x.c, sum);
    // once more, for of a small difference rounding leaves something along the sum
    const Vec3 apart = x.s > 0.0 ? scale3(0.5 / x.s, difference) : across[0];
    const Vec3 e_x = solid_unit(solid_part_across(apart, e_z));
    Vec3 e_y = cross3(e_z, e_x);
    e_y = dot3(d, e_y) < 0.0 ? solid_opposite(e_y) : e_y;
    x.d = (Vec3){dot3(d, e_x), dot3(d, e_y), dot3(d, e_z)};
    x.k[0] = (Vec3){x.s, 0.0, x.c};
    x.k[1] = (Vec3){-x.s, 0.0, x.c};
    Least least = {.depth = known};
    const double enough = ENOUGH * pair->tie;
    search(&x, enough, &least);
    *n = add3(scale3(least.n.x, e_x), add3(scale3(least.n.y, e_y), scale3(least.n.z, e_z)));
    return least.depth < known - enough;
}
