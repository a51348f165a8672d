#include "contacts/cone_slabs.h"

#include <string.h>

enum {
    MOST_SLABS = CONE_MOST_SPANS,
    LEAST_SLABS = 4,        // fewer are not worth it
    POINTS_PER_SLAB = 256,  // at least: less work than that is no work for a thread
    SAMPLES_PER_SLAB = 16,  // bodies by which slabs are chosen
    MOST_SAMPLES = MOST_SLABS * SAMPLES_PER_SLAB,
};

typedef struct Slabs {
    int n;     // a power of two; 1: all in one
    int axis;  // of the world
    double bounds[MOST_SLABS - 1];
} Slabs;

static double along(Vec3 r, int axis) { return axis == 0 ? r.x : axis == 1 ? r.y : r.z; }

static Vec3 place_of(const BodyRoot* roots, const Instant* instant, int body) {
    return instant->frames[roots[body - 1].frame].r;
}

// --- which slabs ---

// Shell's sort: few numbers, and any order of them
static void sort(double* x, int n) {
    for (int gap = n / 2; gap > 0; gap = gap > 2 ? gap * 5 / 11 : gap - 1) {
        for (int i = gap; i < n; i++) {
            const double moved = x[i];
            int at = i;
            for (; at >= gap && x[at - gap] > moved; at -= gap) {
                x[at] = x[at - gap];
            }
            x[at] = moved;
        }
    }
}

static void take_samples(const BodyRoot* roots, const Instant* instant, const ConePoints* points,
                         int axis, int n, double* x) {
    for (int i = 0; i < n; i++) {
        const int* bodies = points->points[(long long)i * points->n / n].bodies;
        x[i] = along(place_of(roots, instant, bodies[0] > 0 ? bodies[0] : bodies[1]), axis);
    }
    sort(x, n);
}

static int most_slabs(int n_points) {
    int n = LEAST_SLABS;
    while (n < MOST_SLABS && n_points >= 2 * n * POINTS_PER_SLAB) {
        n *= 2;
    }
    return n_points >= n * POINTS_PER_SLAB ? n : 1;
}

// Slabs with as many samples in each. The few bodies that have flown away do not count for how far
// all are spread.
static Slabs choose_slabs(const BodyRoot* roots, const Instant* instant, int most,
                          const ConePoints* points) {
    Slabs slabs = {.n = most};
    double widest = -1.0;
    for (int axis = 0; axis < 3 && slabs.n > 1; axis++) {
        double x[MOST_SAMPLES];
        const int n = slabs.n * SAMPLES_PER_SLAB;
        take_samples(roots, instant, points, axis, n, x);
        const double spread = x[n - 1 - n / 16] - x[n / 16];
        if (spread > widest) {
            widest = spread;
            slabs.axis = axis;
            for (int k = 1; k < slabs.n; k++) {
                slabs.bounds[k - 1] = x[k * SAMPLES_PER_SLAB];
            }
        }
    }
    return slabs;
}

static int slab_of(const Slabs* slabs, double x) {
    int slab = 0;
    for (int half = slabs->n / 2; half > 0; half /= 2) {
        slab += x >= slabs->bounds[slab + half - 1] ? half : 0;
    }
    return slab;
}

// --- which slab a body is in, and a point ---

static void put_bodies(const Slabs* slabs, const BodyRoot* roots, const Instant* instant,
                       int n_bodies, unsigned char* slab) {
    memset(slab, 0, (size_t)n_bodies);
    for (int body = 1; body < n_bodies && slabs->n > 1; body++) {
        if (body_root_is_free(&roots[body - 1])) {
            slab[body] =
                (unsigned char)slab_of(slabs, along(place_of(roots, instant, body), slabs->axis));
        }
    }
}

typedef struct Span {
    int low, high;  // the slabs of the two bodies
} Span;

static Span span_of(const unsigned char* slab, const int* bodies) {
    const int a = slab[bodies[bodies[0] > 0 ? 0 : 1]];
    const int b = slab[bodies[bodies[1] > 0 ? 1 : 0]];
    return a < b ? (Span){a, b} : (Span){b, a};
}

// Points between slabs that are no neighbours are done by themselves. Where these are many the
// slabs are too thin: pairs of them become one, and so on. By how many bits are their numbers
// shorter?
static int find_shift(const Slabs* slabs, const ConePoints* points, const unsigned char* slab) {
    enum { FEW = 32 };
    int shift = 0;
    for (; slabs->n >> shift >= LEAST_SLABS; shift++) {
        int n_far = 0;
        for (int i = 0; i < points->n; i++) {
            const Span span = span_of(slab, points->points[i].bodies);
            n_far += (span.high >> shift) - (span.low >> shift) > 1 ? 1 : 0;
        }
        if (n_far <= points->n / FEW) {
            return shift;
        }
    }
    while (slabs->n >> shift > 1) {
        shift++;
    }
    return shift;
}

// --- parts ---

// The part of a point: those that reach far, then the slabs of even number, then the others
static int part_of(Span span, int n_slabs, int shift) {
    const int low = span.low >> shift, high = span.high >> shift;
    const int n = n_slabs >> shift;
    if (high - low > 1) {
        return 0;
    }
    return n == 1 ? 0 : 1 + low / 2 + (low % 2) * (n / 2);
}

static void set_phases(int n_slabs, int n_bodies, ConeProblem* problem) {
    const int n_even = n_slabs > 1 ? n_slabs / 2 : 0;
    problem->phases[0] = 0;
    problem->phases[1] = 1;
    problem->phases[2] = 1 + n_even;
    problem->phases[3] = 1 + 2 * n_even;
    problem->parts[0] = (ConePart){.ground = 0};
    for (int k = 1; k < problem->phases[3]; k++) {
        problem->parts[k] = (ConePart){.ground = n_bodies + k - 1};
    }
    problem->n_bodies = n_bodies + problem->phases[3] - 1;
}

// Numbers (n) by their parts (n_parts), within each ascending
static void sort_by_part(const unsigned char* part_of_each, int n, int n_parts, Range* parts,
                         int* order) {
    memset(parts, 0, (size_t)n_parts * sizeof *parts);
    for (int i = 0; i < n; i++) {
        parts[part_of_each[i]].n++;
    }
    int at = 0;
    for (int k = 0; k < n_parts; k++) {
        parts[k].at = at;
        at += parts[k].n;
        parts[k].n = 0;
    }
    for (int i = 0; i < n; i++) {
        Range* part = &parts[part_of_each[i]];
        order[part->at + part->n++] = i;
    }
}

Status cone_slabs_divide(const BodyRoot* roots, const Instant* instant, Pool* pool,
                         ConePoints* points, ConeProblem* problem) {
    const size_t n_points = (size_t)points->n;
    const int n_bodies = problem->n_bodies;
    points->order = pool_take_bytes(pool, n_points, sizeof *points->order);
    points->parts = pool_take_bytes(pool, 1 + MOST_SLABS, sizeof *points->parts);
    problem->parts = pool_take_bytes(pool, 1 + MOST_SLABS, sizeof *problem->parts);
    problem->order = pool_take_bytes(pool, (size_t)n_bodies, sizeof *problem->order);
    problem->spans = pool_take_bytes(pool, MOST_SLABS, sizeof *problem->spans);
    const size_t used = pool->used;
    unsigned char* slab = pool_take_bytes(pool, (size_t)n_bodies, sizeof *slab);
    unsigned char* parts = pool_take_bytes(pool, n_points, sizeof *parts);
    if (points->order == NULL || points->parts == NULL || problem->parts == NULL ||
        problem->order == NULL || problem->spans == NULL || slab == NULL || parts == NULL) {
        return STATUS_NO_ROOM;
    }
    const Slabs slabs =
        choose_slabs(roots, instant, problem->crew != NULL ? most_slabs(points->n) : 1, points);
    put_bodies(&slabs, roots, instant, n_bodies, slab);
    const int shift = find_shift(&slabs, points, slab);
    for (int i = 0; i < points->n; i++) {
        parts[i] = (unsigned char)part_of(span_of(slab, points->points[i].bodies), slabs.n, shift);
    }
    for (int i = 0; i < n_bodies; i++) {
        slab[i] = (unsigned char)(slab[i] >> shift);
    }
    set_phases(slabs.n >> shift, n_bodies, problem);
    sort_by_part(parts, points->n, problem->phases[CONE_PHASES], points->parts, points->order);
    problem->n_spans = slabs.n >> shift;
    sort_by_part(slab, n_bodies, problem->n_spans, problem->spans, problem->order);
    pool->used = used;
    return STATUS_OK;
}
