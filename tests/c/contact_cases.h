// Contact problems for the tests of their solvers, and judges that share no code with the solvers:
// the laws as they stand in words, and all solutions of small planar problems by trying every
// combination of modes. Included by tests, each a program.
#pragma once

#include "numbers.h"

#include "solvers/contact_lemke.h"
#include "solvers/contact_path.h"
#include "solvers/contact_solver.h"

enum { MOST_LAWS = 20, MOST_ROWS = MOST_LAWS * LAW_MAX_ROWS, MOST_COORDINATES = 128 };

typedef struct Case {
    int n, m, nu;
    ContactLaw laws[MOST_LAWS];
    double mass[MOST_COORDINATES];
    double u[MOST_COORDINATES];  // velocities without contact
    double W[MOST_ROWS][MOST_COORDINATES];
    double G[MOST_ROWS * MOST_ROWS];
    double b[MOST_ROWS];
    double scale;
    double r;  // prox parameter, 0: that of the solver
    double P[MOST_ROWS];
    double xi[MOST_ROWS];
    ContactSolverInfo info;
} Case;

// --- problems ---

static inline ContactProblem case_problem(const Case* c) {
    return (ContactProblem){.n = c->n,
                            .m = c->m,
                            .laws = c->laws,
                            .G = contact_operator_dense(c->n, c->m, c->laws, c->G),
                            .b = c->b,
                            .scale = c->scale,
                            .r = c->r};
}

static inline void add_law(Case* c, bool normal, int n_F, double mu, double bound) {
    ContactLaw* law = &c->laws[c->n++];
    *law = (ContactLaw){.at = c->m, .normal = normal, .n_F = n_F, .mu = mu, .bound = bound};
    c->m += contact_law_rows(law);
}

// Four feet of a body of space at (+-x, +-y, -z) from its centre, on a floor
static inline void add_feet(Case* c, double x, double y, double z, double mu) {
    for (int foot = 0; foot < 4; foot++) {
        const double r[3] = {foot & 1 ? x : -x, foot & 2 ? y : -y, -z};
        add_law(c, true, 2, mu, 0.0);
        for (int row = 0; row < 3; row++) {
            const int axis = row == 0 ? 2 : row - 1;  // z first, then x and y
            double* W = c->W[3 * foot + row];
            W[axis] = 1.0;  // velocity u + omega x r
            W[3 + (axis + 1) % 3] = r[(axis + 2) % 3];
            W[3 + (axis + 2) % 3] = -r[(axis + 1) % 3];
        }
    }
}

// G = W^T M^-1 W, b = W^T u; the scale is the energy that the velocities can lose, as in schemes.
static inline void case_build(Case* c) {
    double energy = 0.0;
    for (int k = 0; k < c->nu; k++) {
        energy += c->mass[k] * c->u[k] * c->u[k];
    }
    c->scale = sqrt(energy);
    for (int i = 0; i < c->m; i++) {
        c->b[i] = 0.0;
        for (int k = 0; k < c->nu; k++) {
            c->b[i] += c->W[i][k] * c->u[k];
        }
        for (int j = 0; j < c->m; j++) {
            double sum = 0.0;
            for (int k = 0; k < c->nu; k++) {
                sum += c->W[i][k] * c->W[j][k] / c->mass[k];
            }
            c->G[j * c->m + i] = sum;
        }
    }
}

// nu < m makes G singular.
static inline void case_fill(Case* c, int nu) {
    c->nu = nu;
    for (int k = 0; k < nu; k++) {
        c->mass[k] = random_in(0.5, 2.0);
        c->u[k] = random_in(-1.0, 1.0);
        for (int i = 0; i < c->m; i++) {
            c->W[i][k] = random_in(-1.0, 1.0);
        }
    }
}

// Contacts of the plane
static inline void case_planar(Case* c, int n, int nu, double mu_max) {
    memset(c, 0, sizeof *c);
    for (int k = 0; k < n; k++) {
        add_law(c, true, 1, random_in(0.0, mu_max), 0.0);
    }
    case_fill(c, nu);
    case_build(c);
}

static inline void random_direction(int n, double* v) {
    double square = 0.0;
    for (int i = 0; i < n; i++) {
        v[i] = random_in(-1.0, 1.0) + 0.01;
        square += v[i] * v[i];
    }
    for (int i = 0; i < n; i++) {
        v[i] /= sqrt(square);
    }
}

// --- mechanisms: few bodies with many contacts, so that G is singular or nearly so ---

typedef struct Body {
    double size;
    int at;  // its first coordinate: two velocities and a rotation, in space three and three
} Body;

// row += sign times the velocity of the body's point r along d
static inline void add_velocity(Case* c, int row, int dim, const Body* body, const double* r,
                                const double* d, double sign) {
    double* W = c->W[row] + body->at;
    for (int i = 0; i < dim; i++) {
        W[i] += sign * d[i];
    }
    if (dim == 2) {
        W[2] += sign * (r[0] * d[1] - r[1] * d[0]);
        return;
    }
    for (int i = 0; i < 3; i++) {
        W[3 + i] += sign * (r[(i + 1) % 3] * d[(i + 2) % 3] - r[(i + 2) % 3] * d[(i + 1) % 3]);
    }
}

// Unit vectors: n, then one or two across it
static inline void tangents(int dim, double d[3][3]) {
    if (dim == 2) {
        d[1][0] = d[0][1];
        d[1][1] = -d[0][0];
        return;
    }
    const int least = fabs(d[0][0]) < 0.6 ? 0 : 1;
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        d[1][i] = (i == least ? 1.0 : 0.0) - d[0][least] * d[0][i];
        square += d[1][i] * d[1][i];
    }
    for (int i = 0; i < 3; i++) {
        d[1][i] /= sqrt(square);
    }
    for (int i = 0; i < 3; i++) {
        d[2][i] = d[0][(i + 1) % 3] * d[1][(i + 2) % 3] - d[0][(i + 2) % 3] * d[1][(i + 1) % 3];
    }
}

// A contact of body a with body b, or with the ground if b is NULL, at its corners or anywhere
static inline void add_contact(Case* c, int dim, const double* normal, const Body* a, const Body* b,
                               double mu) {
    double d[3][3] = {{normal[0], normal[1], normal[2]}};
    double r_a[3] = {0.0};
    double r_b[3] = {0.0};
    const bool corner = random_below(2) == 0;
    for (int i = 0; i < dim; i++) {
        r_a[i] = a->size * (corner ? 2.0 * random_below(2) - 1.0 : random_in(-1.0, 1.0));
        r_b[i] = b != NULL ? b->size * random_in(-1.0, 1.0) : 0.0;
    }
    tangents(dim, d);
    const int at = c->m;
    add_law(c, true, mu > 0.0 ? dim - 1 : 0, mu, 0.0);
    for (int row = at; row < c->m; row++) {
        add_velocity(c, row, dim, a, r_a, d[row - at], 1.0);
        if (b != NULL) {
            add_velocity(c, row, dim, b, r_b, d[row - at], -1.0);
        }
    }
}

// n laws between up to four bodies and the ground, masses over the given decades: normals in all
// directions, nearly or exactly the same; some without friction, some friction in joints; at rest
// under gravity or thrown.
static inline void case_mechanism(Case* c, int dim, int n, double mu_max, double decades) {
    Body bodies[4];
    const int n_bodies = 1 + random_below(4);
    const int per_body = dim == 2 ? 3 : 6;
    const double spread =
        random_below(3) == 0 ? 1.0 : random_below(2) * pow(10.0, -random_in(1, 6));
    const bool rests = random_below(3) == 0;
    memset(c, 0, sizeof *c);
    c->nu = n_bodies * per_body;
    for (int k = 0; k < n_bodies; k++) {
        bodies[k] = (Body){.size = pow(10.0, random_in(-1.0, 0.3)), .at = k * per_body};
        const double mass = pow(10.0, random_in(-0.5, 0.5) * decades);
        for (int i = 0; i < per_body; i++) {
            const double radius = i < dim ? 1.0 : bodies[k].size * random_in(0.2, 0.6);
            c->mass[bodies[k].at + i] = mass * radius * radius;
            c->u[bodies[k].at + i] = rests ? 0.0 : random_in(-1.0, 1.0) / radius;
        }
        c->u[bodies[k].at + dim - 1] -= 9.81e-3;
    }
    for (int k = 0; k < n; k++) {
        const Body* a = &bodies[random_below(n_bodies)];
        const Body* b = &bodies[random_below(n_bodies)];
        double normal[3] = {0.0};
        random_direction(dim, normal);
        double square = 0.0;
        for (int i = 0; i < dim; i++) {
            normal[i] = spread * normal[i] + (i == dim - 1 && spread < 1.0 ? 1.0 : 0.0);
            square += normal[i] * normal[i];
        }
        for (int i = 0; i < dim; i++) {
            normal[i] /= sqrt(square);
        }
        if (random_below(8) == 0) {
            add_law(c, false, 1, 0.0, pow(10.0, random_in(-4.0, 0.0)));
            c->W[c->m - 1][a->at + per_body - 1] = 1.0;
        } else {
            const double mu = random_below(6) == 0 ? 0.0 : random_in(0.0, mu_max);
            add_contact(c, dim, normal, a, a == b || random_below(2) == 0 ? NULL : b, mu);
        }
    }
    case_build(c);
}

// Laws of all kinds, without coordinates as yet
static inline void case_laws(Case* c, int n, double mu) {
    memset(c, 0, sizeof *c);
    for (int k = 0; k < n; k++) {
        const bool normal = random_below(4) > 0;
        const int n_F = normal ? random_below(4) : 1 + random_below(3);
        const double bound = random_in(0.0, 0.3);
        add_law(c, normal, n_F, random_below(6) == 0 ? 0.0 : random_in(0.0, mu), bound);
        if (n_F > 0 && random_below(8) == 0) {
            c->laws[k].slides = true;
            c->laws[k].mu *= 0.3;  // a large one may have no solution (Painleve)
            random_direction(n_F, c->laws[k].slip);
        }
    }
}

static inline void case_velocities(Case* c) {
    for (int i = 0; i < c->m; i++) {
        c->xi[i] = c->b[i];
        for (int j = 0; j < c->m; j++) {
            c->xi[i] += c->G[j * c->m + i] * c->P[j];
        }
    }
}

// --- scratch of the solvers ---

static inline ContactScratch contact_scratch(void) {
    static void* block = NULL;
    if (block == NULL) {
        block = malloc(contact_scratch_size(MOST_LAWS, MOST_ROWS));
        assert_non_null(block);
    }
    return contact_scratch_lay(block, MOST_LAWS, MOST_ROWS);
}

static inline Status case_solve(Case* c, double tolerance) {
    const ContactSolverOptions options = {
        .tolerance = tolerance, .maximum_iterations = 100, .maximum_sweeps = 20000};
    const ContactProblem problem = case_problem(c);
    const ContactScratch scratch = contact_scratch();
    const Status status = contact_solver_solve(&problem, &options, &scratch, c->P, &c->info);
    case_velocities(c);
    return status;
}

static inline void expect_solved(Case* c, double tolerance) {
    const Status status = case_solve(c, tolerance);
    if (status != STATUS_OK) {
        fail_msg("%d laws, %d rows, %d coordinates: %s, error %g", c->n, c->m, c->nu,
                 status_text(status), c->info.error);
    }
}

// --- the laws in words ---

static inline double length_of(int n, const double* v) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

static inline const char* friction_violation(const Case* c, const ContactLaw* law, double R,
                                             double tol_P, double tol_xi) {
    const double* P = c->P + contact_law_friction_at(law);
    const double* xi = c->xi + contact_law_friction_at(law);
    if (!(length_of(law->n_F, P) <= R + tol_P)) {
        return "friction exceeds its bound";
    }
    const double speed = length_of(law->n_F, xi);
    for (int i = 0; i < law->n_F; i++) {
        if (law->slides && !(fabs(P[i] + R * law->slip[i]) <= tol_P)) {
            return "friction of a sliding contact is not at its bound";
        }
        if (!law->slides && speed > 1e3 * tol_xi &&
            !(fabs(P[i] + R * xi[i] / speed) <= tol_P * (1.0 + R / speed))) {
            return "friction of a slipping contact is not at its bound against the motion";
        }
    }
    return NULL;
}

// Signorini and Coulomb to tolerances on percussions and velocities; NULL if they hold.
static inline const char* case_violation(const Case* c, double tol_P, double tol_xi) {
    for (int k = 0; k < c->n; k++) {
        const ContactLaw* law = &c->laws[k];
        double R = law->bound;
        if (law->normal) {
            const double P_N = c->P[law->at];
            const double xi_N = c->xi[law->at];
            if (!(P_N >= -tol_P)) return "a contact pulls";
            if (!(xi_N >= -tol_xi)) return "a contact closes further";
            if (!(P_N <= tol_P || xi_N <= tol_xi)) return "a contact that opens presses";
            R = law->mu * fmax(0.0, P_N);
        }
        const char* friction = friction_violation(c, law, R, tol_P * (1.0 + law->mu), tol_xi);
        if (friction != NULL) {
            return friction;
        }
    }
    return NULL;
}

// The same to a tolerance relative to the velocities and percussions of the problem
static inline const char* case_relative_violation(const Case* c, double tolerance) {
    double speed = 0.0;
    double percussion = 0.0;
    for (int i = 0; i < c->m; i++) {
        speed = fmax(speed, fabs(c->b[i]));
        percussion = fmax(percussion, fmax(fabs(c->P[i]), fabs(c->b[i]) / c->G[i * c->m + i]));
    }
    return case_violation(c, tolerance * percussion, tolerance * speed);
}

static inline void check_laws(const Case* c, double tol_P, double tol_xi) {
    const char* violation = case_violation(c, tol_P, tol_xi);
    if (violation != NULL) {
        fail_msg("%d laws, %d rows, error %g: %s", c->n, c->m, c->info.error, violation);
    }
}

// --- all solutions of up to three contacts of the plane ---

enum { ENUMERATED = 3, ENUMERATED_ROWS = 2 * ENUMERATED };
enum { MODE_OPEN, MODE_STICK, MODE_FORWARD, MODE_BACKWARD };  // two bits of a code per contact

// Dense elimination with row pivoting; A has the right-hand side as column n.
static inline bool eliminate(int n, long double A[][ENUMERATED_ROWS + 1], long double* x) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++) {
            p = fabsl(A[i][k]) > fabsl(A[p][k]) ? i : p;
        }
        if (fabsl(A[p][k]) < 1e-12L) {
            return false;
        }
        for (int j = 0; j <= n; j++) {
            const long double swapped = A[k][j];
            A[k][j] = A[p][j];
            A[p][j] = swapped;
        }
        for (int i = 0; i < n; i++) {
            const long double factor = A[i][k] / A[k][k];
            for (int j = k; i != k && j <= n; j++) {
                A[i][j] -= factor * A[k][j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        x[i] = A[i][n] / A[i][i];
    }
    return true;
}

// Do the inequalities of a contact's mode hold?
static inline bool mode_holds(const Case* c, int k, int mode, const long double* P) {
    long double xi[2] = {c->b[2 * k], c->b[2 * k + 1]};
    for (int j = 0; j < c->m; j++) {
        xi[0] += c->G[j * c->m + 2 * k] * P[j];
        xi[1] += c->G[j * c->m + 2 * k + 1] * P[j];
    }
    switch (mode) {
        case MODE_OPEN:
            return xi[0] >= 0.0L;
        case MODE_STICK:
            return P[2 * k] >= 0.0L && fabsl(P[2 * k + 1]) <= c->laws[k].mu * P[2 * k];
        case MODE_FORWARD:
            return P[2 * k] >= 0.0L && xi[1] >= 0.0L;
        default:
            return P[2 * k] >= 0.0L && xi[1] <= 0.0L;
    }
}

// P of one combination of modes; false if it is no solution.
static inline bool try_modes(const Case* c, int code, long double* P) {
    const int m = c->m;
    long double A[ENUMERATED_ROWS][ENUMERATED_ROWS + 1] = {{0}};
    for (int k = 0; k < c->n; k++) {
        const int mode = code >> 2 * k & 3;
        const int N = 2 * k;
        const int F = 2 * k + 1;
        for (int j = 0; j < m; j++) {  // closed: xi_N = 0; stick: xi_F = 0
            A[N][j] = mode == MODE_OPEN ? (j == N) : (long double)c->G[j * m + N];
            A[F][j] = mode == MODE_STICK ? (long double)c->G[j * m + F] : (j == F);
        }
        A[N][m] = mode == MODE_OPEN ? 0.0L : -(long double)c->b[N];
        A[F][m] = mode == MODE_STICK ? -(long double)c->b[F] : 0.0L;
        if (mode == MODE_FORWARD || mode == MODE_BACKWARD) {  // P_F +- mu P_N = 0
            A[F][N] = (mode == MODE_FORWARD ? 1.0L : -1.0L) * c->laws[k].mu;
        }
    }
    bool solved = eliminate(m, A, P);
    for (int k = 0; k < c->n && solved; k++) {
        solved = mode_holds(c, k, code >> 2 * k & 3, P);
    }
    return solved;
}

// How far P is from the nearest of all solutions, relative to 1 + |P|; infinite if there is none.
static inline double distance_from_solutions(const Case* c) {
    double nearest = INFINITY;
    assert_true(c->n <= ENUMERATED && c->m == 2 * c->n);
    for (int code = 0; code < 1 << 2 * c->n; code++) {
        long double P[ENUMERATED_ROWS] = {0.0L};
        if (!try_modes(c, code, P)) {
            continue;
        }
        double distance = 0.0;
        for (int i = 0; i < c->m; i++) {
            distance = fmax(distance, fabs((double)P[i] - c->P[i]) / (1.0 + fabs(c->P[i])));
        }
        nearest = fmin(nearest, distance);
    }
    return nearest;
}
