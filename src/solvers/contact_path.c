// The prox equations GA (131), (137) of all laws, smoothed by epsilon: in percussions y and
// velocities x measured by sqrt(G_ii) and scale, with x made larger by epsilon / 10 y (compliance)
//   normal:    (y_N + x_N - sqrt((y_N - x_N)^2 + 4 epsilon^2)) / 2 = 0, so y_N x_N = epsilon^2
//   friction:  y_F + R p / max(R, |p|) = 0,  p = x_F - y_F
// where R = mu (y_N + sqrt(y_N^2 + epsilon^2)) / 2 with a mu that epsilon lessens, |p| is
// sqrt(p.p + epsilon^2) and max(a, b) = (a + b + sqrt((a - b)^2 + 4 epsilon^2)) / 2. With epsilon =
// 0 these are the laws themselves.
//
// H(y, tau) = 0 with tau = log(epsilon) is a smooth curve. It is followed by its arc length: a step
// along the tangent, then Newton steps across it. Unlike a method that lessens epsilon step by step
// this passes points where the solution turns back, as it does where friction is large and
// solutions are not unique.
#include "solvers/contact_path.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "linalg/lu.h"

enum { CORRECTOR_STEPS = 6, START_STEPS = 50, HALVINGS = 8 };

static const double FIRST_EPSILON = 10.0;
static const double COMPLIANCE = 0.1;  // in relation to epsilon
static const double ACCURACY = 1e-3;   // of the points of the path, in relation to epsilon
static const double SHORTEST_STEP = 1e-8;

// The equations of one law and their derivatives
typedef struct LawEquations {
    double H[LAW_MAX_ROWS];
    double H_y[LAW_MAX_ROWS][LAW_MAX_ROWS];
    double H_x[LAW_MAX_ROWS][LAW_MAX_ROWS];
} LawEquations;

static double entry(const ContactProblem* problem, int i, int j) {
    return problem->G.dense[(size_t)j * (size_t)problem->m + (size_t)i];
}

static double length_2(double a, double b) { return sqrt(a * a + b * b); }

static double length_of(int n, const double* v) {
    double square = 0.0;
    for (int i = 0; i < n; i++) {
        square += v[i] * v[i];
    }
    return sqrt(square);
}

// sqrt(G_ii), for the friction of a law that of its largest row, 1 where there is none
static void fill_sizes(const ContactPath* path) {
    const ContactProblem* problem = path->problem;
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        double g = 0.0;
        for (int i = contact_law_friction_at(law); i < contact_law_end(law); i++) {
            g = fmax(g, entry(problem, i, i));
        }
        for (int i = law->at; i < contact_law_end(law); i++) {
            const double G_ii = i < contact_law_friction_at(law) ? entry(problem, i, i) : g;
            path->s->sizes[i] = G_ii > 0.0 ? sqrt(G_ii) : 1.0;
        }
    }
}

static double scaled_G(const ContactPath* path, int i, int j) {
    return entry(path->problem, i, j) / (path->s->sizes[i] * path->s->sizes[j]);
}

// x (m) without compliance
static void fill_x(const ContactPath* path, const double* y) {
    const ContactProblem* problem = path->problem;
    for (int i = 0; i < problem->m; i++) {
        double x = problem->b[i] / (path->s->sizes[i] * problem->scale);
        for (int j = 0; j < problem->m; j++) {
            x += scaled_G(path, i, j) * y[j];
        }
        path->s->x[i] = x;
    }
}

static void normal_equation(double epsilon, double y, double x, LawEquations* e) {
    const double root = length_2(y - x, 2.0 * epsilon);
    e->H[0] = 0.5 * (y + x - root);
    e->H_y[0][0] = 0.5 * (1.0 - (y - x) / root);
    e->H_x[0][0] = 0.5 * (1.0 + (y - x) / root);
}

// R and its derivative by y_N
static double radius(const ContactPath* path, const ContactLaw* law, double epsilon, double y_N,
                     double* R_y) {
    const double size_F = path->s->sizes[contact_law_friction_at(law)];
    *R_y = 0.0;
    if (!law->normal) {
        return law->bound * size_F / path->problem->scale;
    }
    const double mu = law->mu * size_F / path->s->sizes[law->at];
    const double less = mu / (1.0 + epsilon * (1.0 + mu));
    const double root = length_2(y_N, epsilon);
    *R_y = 0.5 * less * (1.0 + y_N / root);
    return 0.5 * less * (y_N + root);
}

// active: 1 for rows with an effect on the motion, 0 for others, which carry nothing
static void friction_equations(double epsilon, int n_F, const double* active, double R, double R_y,
                               const double* y, const double* x, int F, LawEquations* e) {
    double p[LAW_MAX_F];
    for (int i = 0; i < n_F; i++) {
        p[i] = active[i] * (x[i] - y[i]);
    }
    const double size = length_2(length_of(n_F, p), epsilon);
    const double root = length_2(R - size, 2.0 * epsilon);
    const double max = 0.5 * (R + size + root);
    const double max_R = 0.5 * (1.0 + (R - size) / root);
    const double max_size = 0.5 * (1.0 - (R - size) / root);
    const double c = R / max;
    for (int i = 0; i < n_F; i++) {
        e->H[F + i] = y[i] + c * p[i];
        if (F > 0) {
            e->H_y[F + i][0] = (1.0 - c * max_R) / max * R_y * p[i];
        }
        for (int j = 0; j < n_F; j++) {
            const double along = c * max_size / max * p[i] * (p[j] / size);
            const double by_p = active[i] * active[j] * ((i == j ? c : 0.0) - along);
            e->H_x[F + i][F + j] = by_p;
            e->H_y[F + i][F + j] = (i == j ? 1.0 : 0.0) - by_p;
        }
    }
}

// P_F = -R slip
static void sliding_equations(const ContactLaw* law, const double* active, double R, double R_y,
                              const double* y, int F, LawEquations* e) {
    for (int i = 0; i < law->n_F; i++) {
        e->H[F + i] = y[i] + active[i] * R * law->slip[i];
        e->H_y[F + i][F + i] = 1.0;
        if (F > 0) {
            e->H_y[F + i][0] = active[i] * R_y * law->slip[i];
        }
    }
}

static LawEquations law_equations(const ContactPath* path, const ContactLaw* law, double epsilon,
                                  const double* y) {
    const int n_rows = contact_law_end(law) - law->at;
    const int F = contact_law_F(law);
    LawEquations e = {.H = {0.0}};
    double x[LAW_MAX_ROWS] = {0.0};
    double active[LAW_MAX_ROWS] = {0.0};
    y += law->at;
    for (int i = 0; i < n_rows; i++) {
        active[i] = entry(path->problem, law->at + i, law->at + i) > 0.0 ? 1.0 : 0.0;
        x[i] = path->s->x[law->at + i] + COMPLIANCE * epsilon * y[i];
    }
    if (law->normal && active[0] > 0.0) {
        normal_equation(epsilon, y[0], x[0], &e);
    } else if (law->normal) {
        e.H[0] = y[0];
        e.H_y[0][0] = 1.0;
    }
    if (law->n_F > 0) {
        double R_y = 0.0;
        const double R = radius(path, law, epsilon, y[0], &R_y);
        if (law->slides) {
            sliding_equations(law, active + F, R, R_y, y + F, F, &e);
        } else {
            friction_equations(epsilon, law->n_F, active + F, R, R_y, y + F, x + F, F, &e);
        }
    }
    return e;
}

// H (m) at z = (y, tau); returns its length.
static double fill_H(const ContactPath* path, const double* z, double* H) {
    const ContactProblem* problem = path->problem;
    const double epsilon = exp(z[problem->m]);
    fill_x(path, z);
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        const LawEquations e = law_equations(path, law, epsilon, z);
        memcpy(H + law->at, e.H, (size_t)(contact_law_end(law) - law->at) * sizeof(double));
    }
    return length_of(problem->m, H);
}

// Row i of the law's equations in the matrix: by y exactly, by tau by a central difference
static void fill_row(const ContactPath* path, const ContactLaw* law, const LawEquations* e, int i,
                     double epsilon) {
    const ContactProblem* problem = path->problem;
    const int n = problem->m + 1;
    const int n_rows = contact_law_end(law) - law->at;
    double* A = path->s->A + law->at + i;
    for (int j = 0; j < problem->m; j++) {
        double sum = 0.0;
        for (int r = 0; r < n_rows; r++) {
            sum += e->H_x[i][r] * scaled_G(path, law->at + r, j);
        }
        A[(size_t)j * (size_t)n] = sum;
    }
    for (int r = 0; r < n_rows; r++) {
        A[(size_t)(law->at + r) * (size_t)n] += e->H_y[i][r] + COMPLIANCE * epsilon * e->H_x[i][r];
    }
}

// Factors the matrix of H at z, bordered by the row of the tangent.
static Status factor(ContactPath* path, const double* z) {
    static const double d = 1e-6;
    const ContactProblem* problem = path->problem;
    const size_t n = (size_t)problem->m + 1;
    double* A = path->s->A;
    const double tau = z[problem->m];
    fill_x(path, z);
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        const LawEquations e = law_equations(path, law, exp(tau), z);
        const LawEquations more = law_equations(path, law, exp(tau + d), z);
        const LawEquations less = law_equations(path, law, exp(tau - d), z);
        for (int i = 0; i < contact_law_end(law) - law->at; i++) {
            fill_row(path, law, &e, i, exp(tau));
            A[(n - 1) * n + (size_t)(law->at + i)] = (more.H[i] - less.H[i]) / (2.0 * d);
        }
    }
    for (size_t j = 0; j < n; j++) {
        A[j * n + n - 1] = path->s->tangent[j];
    }
    path->n_solved++;
    return lu_factor((int)n, A, path->s->pivots);
}

// Newton steps from z_try across the tangent: the number taken, or -1 if they do not converge.
static int correct(ContactPath* path) {
    const int m = path->problem->m;
    double* z = path->s->z_try;
    double* H = path->s->H;
    double last = INFINITY;
    for (int n = 0; n < CORRECTOR_STEPS; n++) {
        const double length = fill_H(path, z, H);
        if (length <= ACCURACY * exp(z[m])) {
            return n;
        }
        if (!(length < 0.9 * last) || factor(path, z) != STATUS_OK) {
            break;
        }
        last = length;
        H[m] = 0.0;
        lu_solve(m + 1, 1, path->s->A, path->s->pivots, H);
        for (int i = 0; i <= m; i++) {
            z[i] -= H[i];
        }
    }
    return -1;
}

// The new tangent at z, in the direction of the last.
static Status turn_tangent(ContactPath* path) {
    const int m = path->problem->m;
    double* t = path->s->tangent;
    const Status status = factor(path, path->s->z);
    if (status != STATUS_OK) {
        return status;
    }
    memset(t, 0, (size_t)m * sizeof(double));
    t[m] = 1.0;
    lu_solve(m + 1, 1, path->s->A, path->s->pivots, t);
    const double length = length_of(m + 1, t);
    for (int i = 0; i <= m; i++) {
        t[i] /= length;
    }
    return isfinite(length) ? STATUS_OK : STATUS_SINGULAR;
}

// Newton's method with a line search at constant epsilon, from any z.
static Status find_start(ContactPath* path) {
    const int m = path->problem->m;
    const PathScratch* s = path->s;
    double length = fill_H(path, s->z, s->H);
    for (int n = 0; n < START_STEPS && length > ACCURACY * FIRST_EPSILON; n++) {
        if (factor(path, s->z) != STATUS_OK) {
            return STATUS_NO_CONVERGENCE;
        }
        memcpy(s->direction, s->H, (size_t)m * sizeof(double));
        s->direction[m] = 0.0;
        lu_solve(m + 1, 1, s->A, s->pivots, s->direction);
        double part = 1.0;
        double reached = INFINITY;
        for (int i = 0; i < HALVINGS && !(reached <= (1.0 - 0.1 * part) * length); i++) {
            part = i > 0 ? 0.5 * part : 1.0;
            for (int j = 0; j <= m; j++) {
                s->z_try[j] = s->z[j] - part * s->direction[j];
            }
            reached = fill_H(path, s->z_try, s->H);
        }
        if (!(reached < length)) {
            return STATUS_NO_CONVERGENCE;
        }
        memcpy(s->z, s->z_try, (size_t)(m + 1) * sizeof(double));
        length = reached;
    }
    return length <= ACCURACY * FIRST_EPSILON ? STATUS_OK : STATUS_NO_CONVERGENCE;
}

Status contact_path_start(const ContactProblem* problem, const PathScratch* scratch,
                          ContactPath* path) {
    const size_t n = (size_t)problem->m + 1;
    *path = (ContactPath){.problem = problem, .s = scratch, .h = 0.5};
    if (problem->m > scratch->m || !(problem->scale > 0.0)) {
        return STATUS_NO_CONVERGENCE;
    }
    fill_sizes(path);
    memset(scratch->z, 0, n * sizeof(double));
    memset(scratch->tangent, 0, n * sizeof(double));
    for (int k = 0; k < problem->n; k++) {
        if (problem->laws[k].normal) {
            scratch->z[problem->laws[k].at] = FIRST_EPSILON;
        }
    }
    scratch->z[n - 1] = log(FIRST_EPSILON);
    scratch->tangent[n - 1] = -1.0;  // towards less smoothing
    return find_start(path);
}

Status contact_path_advance(ContactPath* path, int most) {
    const int m = path->problem->m;
    const PathScratch* s = path->s;
    const double end = s->z[m] - log(10.0);
    bool turned = false;
    while (s->z[m] > end) {
        if (!turned && turn_tangent(path) != STATUS_OK) {
            return STATUS_NO_CONVERGENCE;
        }
        turned = true;
        const double rest = s->tangent[m] < 0.0 ? (end - s->z[m]) / s->tangent[m] : INFINITY;
        const double h = fmin(path->h, 1.01 * rest);
        for (int i = 0; i <= m; i++) {
            s->z_try[i] = s->z[i] + h * s->tangent[i];
        }
        const int n_steps = correct(path);
        if (n_steps >= 0) {
            memcpy(s->z, s->z_try, (size_t)(m + 1) * sizeof(double));
            path->h = n_steps > 3 ? h : fmin(2.0 * path->h, 2.0 + 2.0 * length_of(m, s->z));
            turned = false;
        } else {
            path->h = 0.25 * h;
        }
        if (path->h < SHORTEST_STEP || path->n_solved > most || s->z[m] > log(1e4)) {
            return STATUS_NO_CONVERGENCE;
        }
    }
    return STATUS_OK;
}

void contact_path_point(const ContactPath* path, double* P) {
    for (int i = 0; i < path->problem->m; i++) {
        P[i] = path->s->z[i] * path->problem->scale / path->s->sizes[i];
    }
}
