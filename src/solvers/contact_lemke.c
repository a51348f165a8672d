// The contact problem as a linear complementarity problem w = M z + q, w >= 0, z >= 0, w.z = 0,
// with P_F = sum_i beta_i d_i and per law (Stewart and Trinkle's form)
//   z:  P_N    beta_i               lambda
//   w:  xi_N   d_i.xi_F + lambda    R - sum_i beta_i
// with R = mu P_N, or the bound where there is no normal row. The directions d_i are two for each
// friction row, plus and minus an orthonormal basis. M is copositive, so that Lemke's algorithm
// ends with a solution if there is one. A law without friction, or one that slides in a known
// direction, has P_N alone. Percussions are measured by sqrt(G_ii), so that all entries are of
// order one.
//
// In the plane this is the problem itself. In space the ball of friction becomes a polytope whose
// corners lie on it; the first direction is the one in which the law slips at the P given, so that
// the solution is exact where these directions were right.
//
// Dictionary: basic = q + T nonbasic; the artificial variable z_0 has the column of ones.
//
// In resting configurations many ratios of the ratio test are equal, and deciding between them by
// rounding errors leads to cycles and false rays. q is therefore made larger by different small
// amounts: contacts may approach, sticking ones creep and friction exceed its bound by as much.
// Larger q never makes a solvable problem unsolvable. The last basis is taken with the original q.
// Pivots accumulate rounding errors; the dictionary is built anew from M for its basis every few
// pivots, before a ray is believed, and at the end.
#include "solvers/contact_lemke.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// What an unknown stands for: LEMKE_PARTS times the number of its law plus one of these
enum { PART_NORMAL, PART_FRICTION, PART_LAMBDA = PART_FRICTION + 2 * LAW_MAX_F, LEMKE_PARTS };
enum { PIVOTS_BETWEEN = 12, PIVOTS_PER_PAIR = 50 };  // until a new dictionary; at most

// Against entries of order one: what counts as zero in q, as a pivot, and in a basis that is built
static const double ROUNDING = 1e-13;
static const double SMALLEST_PIVOT = 1e-11;
static const double SMALLEST_ENTRY = 1e-14;

// Variables are numbered: w_i is i, z_i is N + i, z_0 is 2 N.
typedef struct Lemke {
    const ContactProblem* problem;
    const LemkeScratch* s;
    int N;           // complementary pairs
    double scale;    // of P in the norm of energy
    double epsilon;  // by which q is made larger
} Lemke;

static double* row_of(const Lemke* l, int row) {
    return l->s->tableau + (size_t)row * (size_t)(l->N + 2);
}

static const ContactLaw* law_of(const Lemke* l, int unknown) {
    return &l->problem->laws[unknown / LEMKE_PARTS];
}

static int row_F(const ContactLaw* law) { return contact_law_friction_at(law); }

static double G_at(const Lemke* l, int i, int j) {
    return l->problem->G.dense[(size_t)j * (size_t)l->problem->m + (size_t)i];
}

static bool has_friction(const ContactLaw* law) {
    return law->n_F > 0 && !law->slides && (law->normal ? law->mu : law->bound) > 0.0;
}

static double scaled_mu(const Lemke* l, const ContactLaw* law) {
    return law->mu * l->s->sizes[row_F(law)] / l->s->sizes[law->at];
}

// Component r of the direction of a friction part: plus or minus a column of the reflection
// I - 2 v v^T, the first of which is the direction that was guessed.
static double direction(const Lemke* l, const ContactLaw* law, int part, int r) {
    const double* v = l->s->v + row_F(law);
    const int axis = (part - PART_FRICTION) / 2;
    const double sign = (part - PART_FRICTION) % 2 == 0 ? 1.0 : -1.0;
    return sign * ((r == axis ? 1.0 : 0.0) - 2.0 * v[r] * v[axis]);
}

// v from the direction in which the law slips at P, or would slip without friction.
static void guess_direction(const Lemke* l, const ContactLaw* law, const double* P) {
    const int F = row_F(law);
    double* v = l->s->v + F;
    double square = 0.0;
    const double g = l->s->sizes[F] * l->s->sizes[F];
    double xi[LAW_MAX_ROWS];
    contact_problem_xi(l->problem, (int)(law - l->problem->laws), P, xi);
    for (int r = 0; r < law->n_F; r++) {
        v[r] = G_at(l, F + r, F + r) > 0.0 ? xi[F - law->at + r] - g * P[F + r] : 0.0;
        square += v[r] * v[r];
    }
    const double size = sqrt(square);
    if (!(size > 0.0)) {
        return;
    }
    // v = (e + s p) / |e + s p| with the sign s that does not cancel; its reflection turns e into
    // -s p
    const double sign = v[0] < 0.0 ? -1.0 : 1.0;
    square = 0.0;
    for (int r = 0; r < law->n_F; r++) {
        v[r] = sign * v[r] / size + (r == 0 ? 1.0 : 0.0);
        square += v[r] * v[r];
    }
    for (int r = 0; r < law->n_F; r++) {
        v[r] /= sqrt(square);
    }
}

// Sizes, directions, and which unknowns there are.
static void number(Lemke* l, const double* P) {
    const ContactProblem* problem = l->problem;
    l->N = 0;
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        const int F = row_F(law);
        double g = 0.0;
        for (int i = F; i < F + law->n_F; i++) {
            g = fmax(g, G_at(l, i, i));
        }
        for (int i = law->at; i < F + law->n_F; i++) {
            const double G_ii = i < F ? G_at(l, i, i) : g;
            l->s->sizes[i] = G_ii > 0.0 ? sqrt(G_ii) : 1.0;
            l->s->v[i] = 0.0;
        }
        if (law->normal) {
            l->s->unknowns[l->N++] = LEMKE_PARTS * k + PART_NORMAL;
        }
        if (has_friction(law)) {
            guess_direction(l, law, P);
            for (int i = 0; i < 2 * law->n_F; i++) {
                l->s->unknowns[l->N++] = LEMKE_PARTS * k + PART_FRICTION + i;
            }
            l->s->unknowns[l->N++] = LEMKE_PARTS * k + PART_LAMBDA;
        }
    }
}

// What the unknown adds to xi in row i, for scaled percussions.
static double effect(const Lemke* l, int unknown, int i) {
    const ContactLaw* law = law_of(l, unknown);
    const int part = unknown % LEMKE_PARTS;
    const int F = row_F(law);
    double xi = 0.0;
    if (part == PART_NORMAL) {
        xi = G_at(l, i, law->at) / l->s->sizes[law->at];
        for (int r = 0; law->slides && r < law->n_F; r++) {
            xi -= law->slip[r] * scaled_mu(l, law) * G_at(l, i, F + r) / l->s->sizes[F + r];
        }
    } else if (part != PART_LAMBDA) {
        for (int r = 0; r < law->n_F; r++) {
            xi += direction(l, law, part, r) * G_at(l, i, F + r) / l->s->sizes[F + r];
        }
    }
    return xi / l->s->sizes[i];
}

static double entry(const Lemke* l, int row_unknown, int unknown) {
    const ContactLaw* law = law_of(l, row_unknown);
    const int row_part = row_unknown % LEMKE_PARTS;
    const int part = unknown % LEMKE_PARTS;
    const bool own = unknown / LEMKE_PARTS == row_unknown / LEMKE_PARTS;
    if (row_part == PART_NORMAL) {
        return effect(l, unknown, law->at);
    }
    if (row_part == PART_LAMBDA) {
        return !own || part == PART_LAMBDA ? 0.0 : part == PART_NORMAL ? scaled_mu(l, law) : -1.0;
    }
    double sum = own && part == PART_LAMBDA ? 1.0 : 0.0;
    for (int r = 0; r < law->n_F; r++) {
        sum += direction(l, law, row_part, r) * effect(l, unknown, row_F(law) + r);
    }
    return sum;
}

// xi of row i without unknowns: b, and friction of known size and direction.
static double constant(const Lemke* l, int i) {
    const ContactProblem* problem = l->problem;
    double xi = problem->b[i];
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        for (int r = 0; !law->normal && law->slides && r < law->n_F; r++) {
            xi -= G_at(l, i, law->at + r) * law->bound * law->slip[r];
        }
    }
    return xi / (l->s->sizes[i] * l->scale);
}

// q of the unknown of number i
static double right_hand_side(const Lemke* l, int i) {
    const int unknown = l->s->unknowns[i];
    const int part = unknown % LEMKE_PARTS;
    const ContactLaw* law = law_of(l, unknown);
    const double golden = 0.6180339887498949;
    double q = l->epsilon * (1.0 + fmod(golden * (i + 1), 1.0));
    if (part == PART_NORMAL) {
        return q + constant(l, law->at);
    }
    if (part == PART_LAMBDA) {
        return q + (law->normal ? 0.0 : law->bound * l->s->sizes[law->at] / l->scale);
    }
    for (int r = 0; r < law->n_F; r++) {
        q += direction(l, law, part, r) * constant(l, row_F(law) + r);
    }
    return q;
}

static void fill(const Lemke* l) {
    const int N = l->N;
    for (int i = 0; i < N; i++) {
        double* T = row_of(l, i);
        for (int j = 0; j < N; j++) {
            T[j] = entry(l, l->s->unknowns[i], l->s->unknowns[j]);
        }
        T[N] = 1.0;
        T[N + 1] = right_hand_side(l, i);
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

// The largest entry where a variable that is to leave the basis meets one that is to enter it.
static bool largest_exchange(const Lemke* l, const bool* wanted, int* row, int* column) {
    double largest = 0.0;
    for (int i = 0; i < l->N; i++) {
        for (int j = 0; j <= l->N && !wanted[l->s->rows[i]]; j++) {
            const double size = fabs(row_of(l, i)[j]);
            if (wanted[l->s->columns[j]] && size > largest) {
                largest = size;
                *row = i;
                *column = j;
            }
        }
    }
    return largest > SMALLEST_ENTRY;
}

// Builds the dictionary of the present basis from M, with pivots as large as can be.
static Status rebuild(const Lemke* l) {
    bool* wanted = l->s->basic;
    int n_missing = 0;
    memset(wanted, 0, (size_t)(2 * l->N + 1) * sizeof(bool));
    for (int i = 0; i < l->N; i++) {
        wanted[l->s->rows[i]] = true;
        n_missing += l->s->rows[i] >= l->N ? 1 : 0;
    }
    fill(l);
    for (; n_missing > 0; n_missing--) {
        int row = 0;
        int column = 0;
        if (!largest_exchange(l, wanted, &row, &column)) {
            return STATUS_SINGULAR;
        }
        pivot(l, row, column);
    }
    return STATUS_OK;
}

// The row that limits the growth of the column's variable, -1 if none does: among those that limit
// it equally the one with the largest pivot, z_0 if it can leave.
static int leaving_row(const Lemke* l, int column) {
    double largest = 1.0;
    for (int i = 0; i < l->N; i++) {
        largest = fmax(largest, fabs(row_of(l, i)[column]));
    }
    const double smallest_pivot = SMALLEST_PIVOT * largest;
    double ratio = INFINITY;
    for (int i = 0; i < l->N; i++) {
        const double* T = row_of(l, i);
        if (T[column] < -smallest_pivot) {
            ratio = fmin(ratio, (fmax(0.0, T[l->N + 1]) + ROUNDING) / -T[column]);
        }
    }
    int best = -1;
    for (int i = 0; i < l->N; i++) {
        const double* T = row_of(l, i);
        if (!(T[column] < -smallest_pivot) || fmax(0.0, T[l->N + 1]) / -T[column] > ratio) {
            continue;
        }
        if (l->s->rows[i] == 2 * l->N) {
            return i;
        }
        if (best < 0 || T[column] < row_of(l, best)[column]) {
            best = i;
        }
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

// As leaving_row for the variable that enters, in a new dictionary if it is time for one or if no
// row limits it.
static int next_row(const Lemke* l, int entering, int n_pivots) {
    if (n_pivots % PIVOTS_BETWEEN > 0) {
        const int row = leaving_row(l, column_of(l, entering));
        if (row >= 0) {
            return row;
        }
    }
    return rebuild(l) == STATUS_OK ? leaving_row(l, column_of(l, entering)) : -1;
}

static Status run(const Lemke* l) {
    const int N = l->N;
    int row = 0;
    for (int i = 1; i < N; i++) {
        row = row_of(l, i)[N + 1] < row_of(l, row)[N + 1] ? i : row;
    }
    if (N == 0 || !(row_of(l, row)[N + 1] < 0.0)) {
        return STATUS_OK;  // z = 0
    }
    int entering = 2 * N;
    for (int n_pivots = 1; n_pivots < PIVOTS_PER_PAIR * N && row >= 0; n_pivots++) {
        const int leaving = l->s->rows[row];
        pivot(l, row, column_of(l, entering));
        if (leaving == 2 * N) {
            return STATUS_OK;
        }
        entering = leaving < N ? leaving + N : leaving - N;  // its complement
        row = next_row(l, entering, n_pivots);
    }
    return STATUS_NO_CONVERGENCE;
}

// The friction of a law within its bound, and nothing on rows without effect.
static void bring_back(const Lemke* l, const ContactLaw* law, double* P) {
    const double R = law->normal ? law->mu * P[law->at] : law->bound;
    double* P_F = P + row_F(law);
    double square = 0.0;
    for (int r = 0; r < law->n_F; r++) {
        const bool moves = G_at(l, row_F(law) + r, row_F(law) + r) > 0.0;
        P_F[r] = !moves ? 0.0 : law->slides ? -R * law->slip[r] : P_F[r];
        square += P_F[r] * P_F[r];
    }
    const double size = sqrt(square);
    for (int r = 0; r < law->n_F && size > R; r++) {
        P_F[r] *= R / size;
    }
}

// P from the basic z.
static void read_out(const Lemke* l, double* P) {
    const ContactProblem* problem = l->problem;
    for (int i = 0; i < problem->m; i++) {
        P[i] = 0.0;
    }
    for (int i = 0; i < l->N; i++) {
        const int z = l->s->rows[i] - l->N;
        if (z < 0 || z >= l->N) {
            continue;
        }
        const int part = l->s->unknowns[z] % LEMKE_PARTS;
        const ContactLaw* law = law_of(l, l->s->unknowns[z]);
        const double value = fmax(0.0, row_of(l, i)[l->N + 1]) * l->scale;
        if (part == PART_NORMAL) {
            P[law->at] = value / l->s->sizes[law->at];
        } else if (part != PART_LAMBDA) {
            for (int r = 0; r < law->n_F; r++) {
                P[row_F(law) + r] += direction(l, law, part, r) * value / l->s->sizes[row_F(law)];
            }
        }
    }
    for (int k = 0; k < problem->n; k++) {
        bring_back(l, &problem->laws[k], P);
    }
}

static bool fits(const ContactProblem* problem, const LemkeScratch* scratch) {
    int N = 0;
    for (int k = 0; k < problem->n; k++) {
        N += 2 + 2 * problem->laws[k].n_F;
    }
    return N <= scratch->N;
}

Status contact_lemke_solve(const ContactProblem* problem, const LemkeScratch* scratch,
                           double epsilon, double* P) {
    if (!fits(problem, scratch)) {
        return STATUS_NO_CONVERGENCE;
    }
    Lemke l = {.problem = problem,
               .s = scratch,
               .scale = problem->scale > 0.0 ? problem->scale : 1.0,
               .epsilon = epsilon};
    number(&l, P);
    fill(&l);
    Status status = run(&l);
    l.epsilon = 0.0;
    if (status == STATUS_OK) {
        status = rebuild(&l);
    }
    if (status == STATUS_OK) {
        read_out(&l, P);
    }
    return status;
}
