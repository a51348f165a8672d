// The contact problem as a linear complementarity problem w = M z + q, w >= 0, z >= 0, w.z = 0,
// with P_F = beta_p - beta_m and per contact (Stewart and Trinkle's form, in one tangent direction)
//   z:  P_N    beta_p         beta_m          lambda
//   w:  xi_N   xi_F + lambda  -xi_F + lambda  mu P_N - beta_p - beta_m
// M is copositive, so that Lemke's algorithm ends with a solution if there is one. A contact
// without friction, or one that slides in a known direction, has P_N alone. Percussions are
// measured by sqrt(G_ii), so that all entries are of order one.
//
// Dictionary: basic = q + T nonbasic; the artificial variable z_0 has the column of ones. Ties of
// the ratio test are broken lexicographically.
#include "solvers/contact_lemke.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { PART_NORMAL, PART_PLUS, PART_MINUS, PART_LAMBDA };

// Variables are numbered: w_i is i, z_i is N + i, z_0 is 2 N.
typedef struct Lemke {
    const ContactProblem* problem;
    const LemkeScratch* s;
    int N;       // complementary pairs
    double tie;  // ratios that differ by less count as equal
} Lemke;

static double* row_of(const Lemke* l, int row) {
    return l->s->tableau + (size_t)row * (size_t)(l->N + 2);
}

// The normal row of law k; its friction row, if there is one, comes after it.
static int row_N(const Lemke* l, int k) { return l->problem->laws[k].at; }

// Sign of the known sliding velocity, 0 where friction may stick.
static double slip_of(const ContactLaw* law) {
    return law->slides && law->n_F > 0 ? law->slip[0] : 0.0;
}

static double scaled_mu(const Lemke* l, int k) {
    const double* sizes = l->s->sizes + row_N(l, k);
    return l->problem->laws[k].mu * sizes[1] / sizes[0];
}

// Entry (i, j) of G for the scaled percussions.
static double scaled_G(const Lemke* l, int i, int j) {
    return l->problem->G[(long)j * l->problem->m + i] / (l->s->sizes[i] * l->s->sizes[j]);
}

// Which unknowns there are.
static void number(Lemke* l) {
    const ContactProblem* problem = l->problem;
    const int m = problem->m;
    for (int i = 0; i < m; i++) {
        const double G_ii = problem->G[(long)i * m + i];
        l->s->sizes[i] = G_ii > 0.0 ? sqrt(G_ii) : 1.0;
    }
    l->N = 0;
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        const bool one = law->n_F == 0 || law->mu == 0.0 || law->slides;
        for (int part = 0; part < (one ? 1 : LEMKE_PARTS); part++) {
            l->s->unknowns[l->N++] = LEMKE_PARTS * k + part;
        }
    }
}

// What the unknown adds to xi in row i of G.
static double effect(const Lemke* l, int unknown, int i) {
    const int k = unknown / LEMKE_PARTS;
    const int N = row_N(l, k);
    const double slip = slip_of(&l->problem->laws[k]);
    switch (unknown % LEMKE_PARTS) {
        case PART_NORMAL:
            return scaled_G(l, i, N) -
                   (slip != 0.0 ? slip * scaled_mu(l, k) * scaled_G(l, i, N + 1) : 0.0);
        case PART_PLUS:
            return scaled_G(l, i, N + 1);
        case PART_MINUS:
            return -scaled_G(l, i, N + 1);
        default:
            return 0.0;
    }
}

static double entry(const Lemke* l, int row_unknown, int unknown) {
    const int k = row_unknown / LEMKE_PARTS;
    const int part = unknown % LEMKE_PARTS;
    const bool own = unknown / LEMKE_PARTS == k;
    switch (row_unknown % LEMKE_PARTS) {
        case PART_NORMAL:
            return effect(l, unknown, row_N(l, k));
        case PART_PLUS:
            return effect(l, unknown, row_N(l, k) + 1) + (own && part == PART_LAMBDA ? 1.0 : 0.0);
        case PART_MINUS:
            return -effect(l, unknown, row_N(l, k) + 1) + (own && part == PART_LAMBDA ? 1.0 : 0.0);
        default:
            return !own                  ? 0.0
                   : part == PART_NORMAL ? scaled_mu(l, k)
                   : part == PART_LAMBDA ? 0.0
                                         : -1.0;
    }
}

static void fill(const Lemke* l) {
    const ContactProblem* problem = l->problem;
    const int N = l->N;
    const double scale = problem->scale > 0.0 ? problem->scale : 1.0;
    for (int i = 0; i < N; i++) {
        const int unknown = l->s->unknowns[i];
        const int part = unknown % LEMKE_PARTS;
        const int at = row_N(l, unknown / LEMKE_PARTS) + (part == PART_NORMAL ? 0 : 1);
        const double sign = part == PART_LAMBDA ? 0.0 : part == PART_MINUS ? -1.0 : 1.0;
        double* T = row_of(l, i);
        for (int j = 0; j < N; j++) {
            T[j] = entry(l, unknown, l->s->unknowns[j]);
        }
        T[N] = 1.0;
        T[N + 1] = sign * problem->b[at] / (l->s->sizes[at] * scale);
        l->s->rows[i] = i;
        l->s->columns[i] = N + i;
    }
    l->s->columns[N] = 2 * N;
}

// Exchanges the basic variable of the row and the nonbasic one of the column.
static void pivot(const Lemke* l, int row, int column) {
    const int n_columns = l->N + 2;
    double* R = row_of(l, row);
    const double inverse = 1.0 / R[column];
    R[column] = -1.0;
    for (int j = 0; j < n_columns; j++) {
        R[j] *= -inverse;
    }
    for (int i = 0; i < l->N; i++) {
        double* T = row_of(l, i);
        const double factor = T[column];
        if (i == row || factor == 0.0) {
            continue;
        }
        T[column] = 0.0;
        for (int j = 0; j < n_columns; j++) {
            T[j] += factor * R[j];
        }
    }
    const int leaving = l->s->rows[row];
    l->s->rows[row] = l->s->columns[column];
    l->s->columns[column] = leaving;
}

// Coefficient of the perturbation of q_k in the row: of w_k if that is nonbasic, with the sign
// changed, else that of the unit vector of its own row.
static double perturbation(const Lemke* l, int row, int k) {
    for (int j = 0; j <= l->N; j++) {
        if (l->s->columns[j] == k) {
            return -row_of(l, row)[j];
        }
    }
    return l->s->rows[row] == k ? 1.0 : 0.0;
}

// The row that limits the growth of the column's variable, -1 if none does. z_0 leaves if it can.
static int leaving_row(const Lemke* l, int column) {
    static const double smallest_pivot = 1e-11;
    const double tie = l->tie;
    double smallest = INFINITY;
    for (int i = 0; i < l->N; i++) {
        const double* T = row_of(l, i);
        if (T[column] < -smallest_pivot) {
            smallest = fmin(smallest, fmax(0.0, T[l->N + 1]) / -T[column]);
        }
    }
    int best = -1;
    for (int i = 0; i < l->N; i++) {
        const double* T = row_of(l, i);
        if (!(T[column] < -smallest_pivot) ||
            fmax(0.0, T[l->N + 1]) / -T[column] > smallest + tie * (1.0 + smallest)) {
            continue;
        }
        if (l->s->rows[i] == 2 * l->N) {
            return i;
        }
        bool less = best < 0;
        for (int k = 0; best >= 0 && k < l->N; k++) {
            const double a = perturbation(l, i, k) / -T[column];
            const double b = perturbation(l, best, k) / -row_of(l, best)[column];
            if (fabs(a - b) > tie * (fabs(a) + fabs(b))) {
                less = a < b;
                break;
            }
        }
        best = less ? i : best;
    }
    return best;
}

static int column_of(const Lemke* l, int variable) {
    int j = 0;
    while (l->s->columns[j] != variable) {
        j++;
    }
    return j;
}

static Status run(const Lemke* l) {
    const int N = l->N;
    int row = 0;
    for (int i = 1; i < N; i++) {
        row = row_of(l, i)[N + 1] < row_of(l, row)[N + 1] ? i : row;
    }
    if (!(row_of(l, row)[N + 1] < 0.0)) {
        return STATUS_OK;  // z = 0
    }
    int column = N;
    for (int n_pivots = 0; n_pivots < 50 * N; n_pivots++) {
        const int leaving = l->s->rows[row];
        pivot(l, row, column);
        if (leaving == 2 * N) {
            return STATUS_OK;
        }
        column = column_of(l, leaving < N ? leaving + N : leaving - N);  // its complement enters
        row = leaving_row(l, column);
        if (row < 0) {
            break;
        }
    }
    return STATUS_NO_CONVERGENCE;
}

// P from the basic z.
static void read_out(const Lemke* l, double* P) {
    const ContactProblem* problem = l->problem;
    const LemkeScratch* scratch = l->s;
    const double scale = problem->scale > 0.0 ? problem->scale : 1.0;
    for (int i = 0; i < problem->m; i++) {
        P[i] = 0.0;
    }
    for (int i = 0; i < l->N; i++) {
        const int z = scratch->rows[i] - l->N;
        if (z < 0) {
            continue;
        }
        const int unknown = scratch->unknowns[z];
        const int part = unknown % LEMKE_PARTS;
        const ContactLaw* law = &problem->laws[unknown / LEMKE_PARTS];
        const double* sizes = scratch->sizes + law->at;
        double* P_law = P + law->at;
        const double value = fmax(0.0, row_of(l, i)[l->N + 1]) * scale;
        if (part == PART_NORMAL) {
            P_law[0] = value / sizes[0];
            if (slip_of(law) != 0.0) {
                P_law[1] -= slip_of(law) * law->mu * P_law[0];
            }
        } else if (part != PART_LAMBDA) {
            P_law[1] += (part == PART_PLUS ? value : -value) / sizes[1];
        }
    }
    for (int k = 0; k < problem->n; k++) {  // against rounding
        const ContactLaw* law = &problem->laws[k];
        const double bound = law->mu * P[law->at];
        if (law->n_F > 0) {
            P[law->at + 1] = fmax(-bound, fmin(bound, P[law->at + 1]));
        }
    }
}

// All laws have one normal row and at most one friction row.
static bool fits(const ContactProblem* problem, const LemkeScratch* scratch) {
    bool planar = problem->n <= scratch->n;
    for (int k = 0; k < problem->n; k++) {
        planar = planar && problem->laws[k].normal && problem->laws[k].n_F <= 1;
    }
    return planar;
}

Status contact_lemke_solve(const ContactProblem* problem, const LemkeScratch* scratch, double* P) {
    if (!fits(problem, scratch)) {
        return STATUS_NO_CONVERGENCE;
    }
    // small ties are accurate, large ones stand more rounding
    static const double ties[] = {1e-14, 1e-13, 1e-12};
    Lemke l = {.problem = problem, .s = scratch};
    Status status = STATUS_NO_CONVERGENCE;
    number(&l);
    for (int i = 0; i < 3 && status != STATUS_OK; i++) {
        l.tie = ties[i];
        fill(&l);
        status = run(&l);
    }
    if (status != STATUS_OK) {
        return status;
    }
    read_out(&l, P);
    return STATUS_OK;
}
