// Cubic splines by their slopes s_i at the points. With h_i = x_{i+1} - x_i and the secants
// d_i = (y_{i+1} - y_i)/h_i, the second derivative is continuous at x_i if
//
//   b s_{i-1} + 2 s_i + a s_{i+1} = 3 (b d_{i-1} + a d_i),  a = h_{i-1}/(h_{i-1} + h_i), b = 1 - a
//
// and the third one at x_1, not-a-knot, if with a and b of i = 1
//
//   b s_0 + s_1 = (2 + a) b d_0 + a^2 d_1.
//
// Likewise at the other end. The matrices have three diagonals and need no pivots: the pivots of
// not-a-knot rows are b and, in the last one, b (1 - 1/p) with p > 1 + b.
#include "expression/table.h"

#include <math.h>

#include "expression/jet.h"

static double width(const Table* table, int i) { return table->x[i + 1] - table->x[i]; }

static double secant(const Table* table, int i) {
    return (table->y[i + 1] - table->y[i]) / width(table, i);
}

// --- slopes of a spline ---

// lower[i] s[i-1] + diagonal[i] s[i] + upper[i] s[i+1] = right side
typedef struct Tridiagonal {
    double *lower, *diagonal, *upper;  // (n) after eliminate, lower are the multipliers
} Tridiagonal;

static void eliminate(Tridiagonal m, int n) {
    for (int i = 1; i < n; i++) {
        m.lower[i] /= m.diagonal[i - 1];
        m.diagonal[i] -= m.lower[i] * m.upper[i - 1];
    }
}

static void substitute(Tridiagonal m, int n, double* s) {
    for (int i = 1; i < n; i++) {
        s[i] -= m.lower[i] * s[i - 1];
    }
    s[n - 1] /= m.diagonal[n - 1];
    for (int i = n - 2; i >= 0; i--) {
        s[i] = (s[i] - m.upper[i] * s[i + 1]) / m.diagonal[i];
    }
}

// Continuity of the second derivative where the pieces left and right meet in point i
static void join_pieces(const Table* table, int left, int right, int i, Tridiagonal m, double* s) {
    const double a = width(table, left) / (width(table, left) + width(table, right));
    m.lower[i] = 1.0 - a;
    m.diagonal[i] = 2.0;
    m.upper[i] = a;
    s[i] = 3.0 * ((1.0 - a) * secant(table, left) + a * secant(table, right));
}

// The right side of a not-a-knot end, end being its outer piece; *b is the coefficient of its slope
static double end_equation(const Table* table, int end, int next, double* b) {
    const double a = width(table, end) / (width(table, end) + width(table, next));
    *b = 1.0 - a;
    return (2.0 + a) * *b * secant(table, end) + a * a * secant(table, next);
}

static void find_open_slopes(const Table* table, Tridiagonal m, double* s) {
    const int n = table->n;
    for (int i = 1; i < n - 1; i++) {
        join_pieces(table, i - 1, i, i, m, s);
    }
    s[0] = end_equation(table, 0, 1, &m.diagonal[0]);
    m.upper[0] = 1.0;
    s[n - 1] = end_equation(table, n - 2, n - 3, &m.diagonal[n - 1]);
    m.lower[n - 1] = 1.0;
    eliminate(m, n);
    substitute(m, n, s);
}

// Through two points the line, through three the parabola
static void find_few_slopes(const Table* table, double* s) {
    const double d = secant(table, 0);
    if (table->n == 2) {
        s[0] = s[1] = d;
        return;
    }
    const double bend = (secant(table, 1) - d) / (width(table, 0) + width(table, 1));
    s[0] = d - bend * width(table, 0);
    s[1] = d + bend * width(table, 0);
    s[2] = secant(table, 1) + bend * width(table, 1);
}

// The slope z in the last point before the period ends is set apart: s = p + w z with the rows of
// all others, then its own row gives z. w: (n) scratch
static void find_periodic_slopes(const Table* table, Tridiagonal m, double* s, double* w) {
    const int last = table->n - 2;
    if (last == 0) {
        s[0] = s[1] = 0.0;
        return;
    }
    for (int i = 0; i <= last; i++) {
        join_pieces(table, i > 0 ? i - 1 : last, i, i, m, s);
        w[i] = 0.0;
    }
    w[0] -= m.lower[0];
    w[last - 1] -= m.upper[last - 1];
    eliminate(m, last);
    substitute(m, last, s);
    substitute(m, last, w);
    const double lower = m.lower[last], upper = m.upper[last];
    const double z =
        (s[last] - lower * s[last - 1] - upper * s[0]) / (2.0 + lower * w[last - 1] + upper * w[0]);
    for (int i = 0; i < last; i++) {
        s[i] += w[i] * z;
    }
    s[last] = z;
    s[last + 1] = s[0];
}

static Status find_slopes(Table* table, Arena* arena) {
    const size_t n = (size_t)table->n;
    double* s = ARENA_NEW(arena, n, double);
    Arena scratch = {0};
    double* block = ARENA_NEW(&scratch, 4 * n, double);
    const bool has_memory = s != NULL && block != NULL;
    if (has_memory) {
        const Tridiagonal m = {block, block + n, block + 2 * n};
        if (table->beyond == BEYOND_REPEAT) {
            find_periodic_slopes(table, m, s, block + 3 * n);
        } else if (n < 4) {
            find_few_slopes(table, s);
        } else {
            find_open_slopes(table, m, s);
        }
    }
    table->slope = s;
    arena_free(&scratch);
    return has_memory ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// --- values ---

// Piece i at u, with derivatives
static Jet piece_at(const Table* table, int i, double u) {
    const double h = width(table, i), r = u - table->x[i], d = secant(table, i);
    if (table->interpolation == INTERPOLATION_HELD) {
        return (Jet){.v = table->y[r < h ? i : i + 1]};
    }
    if (table->interpolation == INTERPOLATION_LINEAR) {
        return (Jet){.v = table->y[i] + r * d, .d = d};
    }
    const double s = table->slope[i], s_1 = table->slope[i + 1];
    const double c = (3.0 * d - 2.0 * s - s_1) / h, e = (s + s_1 - 2.0 * d) / h / h;
    return (Jet){.v = table->y[i] + r * (s + r * (c + r * e)),
                 .d = s + r * (2.0 * c + r * 3.0 * e),
                 .dd = 2.0 * c + r * 6.0 * e,
                 .ddd = 6.0 * e};
}

Status table_prepare(Table* table, Arena* arena) {
    if (table->interpolation == INTERPOLATION_SMOOTH) {
        const Status status = find_slopes(table, arena);
        if (status != STATUS_OK) {
            return status;
        }
    }
    for (int i = 0; i + 1 < table->n; i++) {
        const Jet end = piece_at(table, i, table->x[i + 1]);
        if (!isfinite(end.v) || !isfinite(end.d) || !isfinite(end.dd) || !isfinite(end.ddd) ||
            !isfinite(width(table, i))) {
            return STATUS_OUT_OF_RANGE;
        }
    }
    return STATUS_OK;
}

// The piece of an argument from x_0 to x_{n-1}: the last one that begins at or before it
static int find_piece(const Table* table, double u) {
    int low = 0;
    int high = table->n - 1;  // x_low <= u < x_high, or u is the end
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (table->x[middle] <= u) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double into_period(const Table* table, double x) {
    const double first = table->x[0], last = table->x[table->n - 1];
    const double r = fmod(x - first, last - first);
    const double u = first + (r < 0.0 ? r + (last - first) : r);
    return u < last || isnan(u) ? u : first;
}

// Beyond the end at x_end with what is there
static Jet beyond_at(const Table* table, double x, double x_end, Jet end) {
    if (table->beyond == BEYOND_EXTRAPOLATE) {
        return (Jet){.v = end.v + (x - x_end) * end.d, .d = end.d};
    }
    if (table->beyond == BEYOND_HOLD) {
        return (Jet){.v = end.v};
    }
    return (Jet){NAN, NAN, NAN, NAN};
}

Jet table_at(const Table* table, double x) {
    // Hosts and steps round times: an end is reached within this part of the piece beside it.
    static const double ROUNDING = 1e-6;
    const int last = table->n - 1;
    const double u = table->beyond == BEYOND_REPEAT ? into_period(table, x) : x;
    if (isnan(u)) {
        return (Jet){u, u, u, u};
    }
    if (u < table->x[0]) {
        const Jet end = piece_at(table, 0, table->x[0]);
        const bool near = u >= table->x[0] - ROUNDING * width(table, 0);
        return near ? end : beyond_at(table, u, table->x[0], end);
    }
    if (u >= table->x[last]) {
        const Jet end = piece_at(table, last - 1, table->x[last]);
        const bool near = u <= table->x[last] + ROUNDING * width(table, last - 1);
        return near ? end : beyond_at(table, u, table->x[last], end);
    }
    return piece_at(table, find_piece(table, u), u);
}

Jet table_jet(const Table* table, Jet x) {
    const Jet f = table_at(table, x.v);
    return jet_chain(x, f.v, f.d, f.dd, f.ddd);
}
