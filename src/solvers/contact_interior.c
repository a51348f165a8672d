// Interior-point method on the contact problem itself.
//
// Coulomb's law (De Saxce's form) in a cone that is its own dual: x = (mu P_N, P_F) and
// y = (xi_N / mu + |xi_F|, xi_F) lie in the cone |x_F| <= x_0 and x.y = 0. A law without friction,
// or with a known direction of slip, is x = P_N, y = xi_N in one dimension. Friction with a fixed
// bound is x = (bound, P_F), y = (t, xi_F) with an unknown t.
//
// The equations x o y = tau e, y = F(P) are solved for tau -> 0 by Newton steps in the scaling W of
// Nesterov and Todd (contact_cone.h), with Mehrotra's predictor and corrector:
//   W dx + W^-1 dy = c,   dy = dF - (y - F).
// With dx = D dP, D = diag(mu, 1, ...), and dF = D^-1 dxi + e_0 n.dxi_F, n = xi_F / |xi_F|, this is
//   (G + mu e_N n^T G_F + D W^2 D) dP = D (W c + y - F),
// where the second term, the derivative of mu |xi_F|, makes the matrix unsymmetric. For a fixed
// bound dx_0 = 0: the first row gives dt, the others are as above. W becomes very large in some
// directions and very small in others, near the boundary of a cone within one law. With its
// eigenvectors Q and eigenvalues, W = Q L Q^T (for a bound those of (W^2)_FF), the unknowns are
// therefore du = L Q^T D dP, and the matrix is the unit matrix plus T (...) T^T, T = L^-1 Q^T D^-1.
#include "solvers/contact_interior.h"

#include <math.h>
#include <string.h>

#include "linalg/lu.h"

enum { MAXIMUM_STEPS = 60 };

static const double FRACTION = 0.99;       // of the way to the boundary of the cones
static const double GAP = 1e-20;           // x.y, relative to the energy of the start, at the end
static const double SHORTEST_STEP = 1e-6;  // below it the method has stalled
static const double MOST_CENTRING = 0.9;

static double entry(const ContactProblem* problem, int i, int j) {
    return problem->G.dense[(size_t)j * (size_t)problem->m + (size_t)i];
}

// --- set-up ---

static void choose_kind(const ContactProblem* problem, const ContactLaw* law, InteriorLaw* l) {
    const int F = contact_law_friction_at(law);
    *l = (InteriorLaw){.kind = INTERIOR_NONE};
    if (law->normal && entry(problem, law->at, law->at) > 0.0) {
        l->kind = INTERIOR_NORMAL;
        l->rows[l->n_unknowns++] = law->at;
    }
    const bool has_law = law->normal ? l->kind == INTERIOR_NORMAL : true;
    if (!has_law || law->slides || !contact_law_has_friction(law)) {
        l->d = l->n_unknowns;
        return;
    }
    for (int i = F; i < F + law->n_F; i++) {
        if (entry(problem, i, i) > 0.0) {
            l->rows[l->n_unknowns++] = i;
            l->kind = law->normal ? INTERIOR_COULOMB : INTERIOR_BOUND;
        }
    }
    l->d = l->n_unknowns + (l->kind == INTERIOR_BOUND ? 1 : 0);
}

// Percussions of a law from x, or their change from dx and a bound of zero; those that are not
// unknowns follow.
static void set_percussions(const ContactProblem* problem, int k, const InteriorLaw* l,
                            const double* x, double bound, double* P) {
    const ContactLaw* law = &problem->laws[k];
    const int F = contact_law_friction_at(law);
    const int first = l->d - l->n_unknowns;
    for (int i = law->at; i < contact_law_end(law); i++) {
        P[i] = 0.0;
    }
    for (int i = 0; i < l->n_unknowns; i++) {
        P[l->rows[i]] = x[first + i];
    }
    if (l->kind == INTERIOR_COULOMB) {
        P[law->at] /= law->mu;
    }
    const double R = law->normal ? law->mu * P[law->at] : bound;
    for (int i = 0; law->slides && i < law->n_F; i++) {
        P[F + i] = entry(problem, F + i, F + i) > 0.0 ? -R * law->slip[i] : 0.0;
    }
}

// The size of the problem: what velocities without percussions and bounds amount to
static double start_size(const ContactProblem* problem) {
    double size = 0.0;
    for (int i = 0; i < problem->m; i++) {
        const double G_ii = entry(problem, i, i);
        size = G_ii > 0.0 ? fmax(size, fabs(problem->b[i]) / sqrt(G_ii)) : size;
    }
    return size > 0.0 ? size : problem->scale;
}

// On the central path, in the middle of the cones
static int start(const ContactProblem* problem, const ContactScratch* scratch, double* P) {
    const double size = start_size(problem);
    int n_unknowns = 0;
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        InteriorLaw* l = &scratch->laws[k];
        choose_kind(problem, law, l);
        l->place = n_unknowns;
        n_unknowns += l->n_unknowns;
        if (l->kind != INTERIOR_NONE) {
            const double G_00 = entry(problem, l->rows[0], l->rows[0]);
            const double mu = l->kind == INTERIOR_COULOMB ? law->mu : 1.0;
            l->x[0] = l->kind == INTERIOR_BOUND ? law->bound : mu * size / sqrt(G_00);
            l->y[0] = size * size / l->x[0];
        }
        set_percussions(problem, k, l, l->x, law->bound, P);
    }
    return n_unknowns;
}

// --- one step ---

// Unit vectors of friction, the first along w_F: columns of a reflection
static void set_basis(const ConeScaling* w, double size, double H[LAW_MAX_F][LAW_MAX_F]) {
    const int n = w->d - 1 < LAW_MAX_F ? w->d - 1 : LAW_MAX_F;
    double h[LAW_MAX_F] = {1.0, 0.0, 0.0};
    for (int i = 0; i < n && size > 0.0; i++) {
        h[i] = w->w[1 + i] / size;
    }
    const double sign = h[0] >= 0.0 ? 1.0 : -1.0;
    h[0] += sign;  // h.h = 2 + 2 |w_F1| / |w_F|
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            H[i][j] = -sign * ((i == j ? 1.0 : 0.0) - h[i] * h[j] / fabs(h[0]));
        }
    }
}

// Q, L and T of a law. The eigenvectors of W are (1, v), (1, -v), v = w_F / |w_F|, and those across
// with the eigenvalues beta (w_0 +- |w_F|) and beta, where w_0 - |w_F| = 1 / (w_0 + |w_F|).
static void set_transform(const ContactLaw* law, InteriorLaw* l) {
    const ConeScaling* w = &l->scaling;
    const int n = l->n_unknowns;
    double square = 0.0;
    for (int i = 1; i < l->d; i++) {
        square += w->w[i] * w->w[i];
    }
    const double size = sqrt(square);
    double H[LAW_MAX_F][LAW_MAX_F] = {{0.0}};
    set_basis(w, size, H);
    memset(l->Q, 0, sizeof l->Q);
    for (int c = 0; c < n; c++) {
        l->L[c] = w->beta;
    }
    if (l->kind == INTERIOR_NORMAL) {
        l->Q[0][0] = 1.0;
    } else if (l->kind == INTERIOR_BOUND) {
        l->L[0] *= sqrt(1.0 + 2.0 * square);
        for (int i = 0; i < n; i++) {
            memcpy(l->Q[i], H[i], sizeof H[i]);
        }
    } else {
        l->L[0] *= w->w[0] + size;
        l->L[1] /= w->w[0] + size;
        l->Q[0][0] = l->Q[0][1] = sqrt(0.5);
        for (int i = 1; i < n; i++) {
            l->Q[i][0] = sqrt(0.5) * H[i - 1][0];
            l->Q[i][1] = -l->Q[i][0];
            for (int c = 2; c < n; c++) {
                l->Q[i][c] = H[i - 1][c - 1];
            }
        }
    }
    for (int c = 0; c < n; c++) {
        for (int i = 0; i < n; i++) {
            const double D = l->kind == INTERIOR_COULOMB && i == 0 ? law->mu : 1.0;
            l->T[c][i] = l->Q[i][c] / (l->L[c] * D);
        }
    }
}

// F(P), n and the scaling of each law; the mean of x.y.
static double evaluate(const ContactProblem* problem, const ContactScratch* scratch,
                       const double* P) {
    double gap = 0.0;
    int n_cones = 0;
    contact_operator_apply(&problem->G, P, scratch->xi);
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        InteriorLaw* l = &scratch->laws[k];
        if (l->kind == INTERIOR_NONE) {
            continue;
        }
        const int first = l->d - l->n_unknowns;
        for (int i = 0; i < l->n_unknowns; i++) {
            l->F[first + i] = scratch->xi[l->rows[i]] + problem->b[l->rows[i]];
        }
        double speed = 0.0;
        for (int i = 1; i < l->d; i++) {
            speed += l->F[i] * l->F[i];
        }
        speed = sqrt(speed);
        for (int i = 1; i < l->d; i++) {
            l->n[i - 1] = speed > 0.0 ? l->F[i] / speed : 0.0;
        }
        if (l->kind == INTERIOR_COULOMB) {
            l->F[0] = l->F[0] / law->mu + speed;
        } else if (l->kind == INTERIOR_BOUND) {
            l->F[0] = l->y[0];
        }
        l->scaling = cone_scaling(l->d, l->x, l->y);
        cone_scale(&l->scaling, l->x, l->lambda);
        set_transform(law, l);
        double product[LAW_MAX_ROWS];
        cone_multiply(l->d, l->x, l->y, product);
        gap += product[0];
        n_cones++;
    }
    return n_cones > 0 ? gap / n_cones : 0.0;
}

// v (unknowns of the law) := T v
static void transform(const InteriorLaw* l, double* v) {
    double old[LAW_MAX_ROWS];
    for (int i = 0; i < l->n_unknowns; i++) {
        old[i] = v[i];
    }
    for (int i = 0; i < l->n_unknowns; i++) {
        v[i] = 0.0;
        for (int j = 0; j < l->n_unknowns; j++) {
            v[i] += l->T[i][j] * old[j];
        }
    }
}

// full (m) = G times the percussions of one law in proportion to column c of T^T
static void multiply_law(const ContactProblem* problem, const ContactLaw* law, const InteriorLaw* l,
                         int c, double* full) {
    const int F = contact_law_friction_at(law);
    double P[LAW_MAX_ROWS] = {0.0};  // by rows of the law
    for (int i = 0; i < l->n_unknowns; i++) {
        P[l->rows[i] - law->at] = l->T[c][i];
    }
    for (int i = F; law->slides && i < contact_law_end(law); i++) {
        P[i - law->at] = entry(problem, i, i) > 0.0 ? -law->mu * P[0] * law->slip[i - F] : 0.0;
    }
    memset(full, 0, (size_t)problem->m * sizeof(double));
    for (int j = law->at; j < contact_law_end(law); j++) {
        const double* column = problem->G.dense + (size_t)j * (size_t)problem->m;
        const double P_j = P[j - law->at];
        for (int i = 0; i < problem->m && P_j != 0.0; i++) {
            full[i] += column[i] * P_j;
        }
    }
}

// The matrix; rows and columns are divided by the square roots of its diagonal, kept in roots.
static void fill(const ContactProblem* problem, const ContactScratch* scratch, int size) {
    double* full = scratch->x;
    double* roots = scratch->roots;
    for (int k = 0; k < problem->n; k++) {
        const InteriorLaw* l = &scratch->laws[k];
        for (int c = 0; c < l->n_unknowns; c++) {
            double* column = scratch->A + (size_t)(l->place + c) * (size_t)size;
            multiply_law(problem, &problem->laws[k], l, c, full);
            for (int o = 0; o < problem->n; o++) {
                const InteriorLaw* other = &scratch->laws[o];
                double along = 0.0;
                for (int i = 0; i < other->n_unknowns; i++) {
                    column[other->place + i] = full[other->rows[i]];
                    along += i > 0 ? other->n[i - 1] * full[other->rows[i]] : 0.0;
                }
                if (other->kind == INTERIOR_COULOMB) {  // the derivative of mu |xi_F|
                    column[other->place] += problem->laws[o].mu * along;
                }
                transform(other, column + other->place);
            }
            column[l->place + c] += 1.0;
            roots[l->place + c] = sqrt(fmax(1.0, column[l->place + c]));
        }
    }
    for (int j = 0; j < size; j++) {
        double* column = scratch->A + (size_t)j * (size_t)size;
        for (int i = 0; i < size; i++) {
            column[i] /= roots[i] * roots[j];
        }
    }
}

// Right-hand side of a law: Q^T c + L^-1 Q^T (y - F), for a bound L^-1 Q^T (W c + y - F)_F
static void set_right(const InteriorLaw* l, double* right) {
    const int first = l->d - l->n_unknowns;
    double W_c[LAW_MAX_ROWS];
    cone_scale(&l->scaling, l->c, W_c);
    for (int k = 0; k < l->n_unknowns; k++) {
        double c = 0.0;
        double defect = 0.0;
        for (int i = 0; i < l->n_unknowns; i++) {
            c += l->Q[i][k] * (first == 1 ? W_c[1 + i] / l->L[k] : l->c[i]);
            defect += l->Q[i][k] * (l->y[first + i] - l->F[first + i]);
        }
        right[k] = c + defect / l->L[k];
    }
}

// dx = Q L^-1 du; for a bound also dt, the first row of dy = W c - W^2 dx
static void set_direction(InteriorLaw* l, const double* du) {
    const int first = l->d - l->n_unknowns;
    l->dx[0] = 0.0;
    for (int i = 0; i < l->n_unknowns; i++) {
        double sum = 0.0;
        for (int k = 0; k < l->n_unknowns; k++) {
            sum += l->Q[i][k] * du[k] / l->L[k];
        }
        l->dx[first + i] = sum;
    }
    if (l->kind == INTERIOR_BOUND) {
        double W_c[LAW_MAX_ROWS];
        cone_scale(&l->scaling, l->c, W_c);
        l->dy[0] = W_c[0];
        for (int i = 1; i < l->d; i++) {
            l->dy[0] -= cone_square(&l->scaling, 0, i) * l->dx[i];
        }
    }
}

// dy = dF - (y - F): what follows from dx, so that rounding in the linear system does not part y
// from F
static void follow_velocities(const ContactProblem* problem, const ContactScratch* scratch) {
    double* dP = scratch->x;
    for (int k = 0; k < problem->n; k++) {
        const InteriorLaw* l = &scratch->laws[k];
        set_percussions(problem, k, l, l->dx, 0.0, dP);
    }
    contact_operator_apply(&problem->G, dP, scratch->xi);
    for (int k = 0; k < problem->n; k++) {
        InteriorLaw* l = &scratch->laws[k];
        const int first = l->d - l->n_unknowns;
        double along = 0.0;
        for (int i = first; i < l->d; i++) {
            const double change = scratch->xi[l->rows[i - first]];
            l->dy[i] = change - (l->y[i] - l->F[i]);
            along += i > 0 ? l->n[i - 1] * change : 0.0;
        }
        if (l->kind == INTERIOR_COULOMB) {
            l->dy[0] = scratch->xi[l->rows[0]] / problem->laws[k].mu + along - (l->y[0] - l->F[0]);
        }
    }
}

// dx and dy of all laws for their c.
static void solve(const ContactProblem* problem, const ContactScratch* scratch, int size) {
    double* right = scratch->x;
    for (int k = 0; k < problem->n; k++) {
        if (scratch->laws[k].kind != INTERIOR_NONE) {
            set_right(&scratch->laws[k], right + scratch->laws[k].place);
        }
    }
    for (int i = 0; i < size; i++) {
        right[i] /= scratch->roots[i];
    }
    lu_solve(size, 1, scratch->A, scratch->pivots, right);
    for (int i = 0; i < size; i++) {
        right[i] /= scratch->roots[i];
    }
    for (int k = 0; k < problem->n; k++) {
        if (scratch->laws[k].kind != INTERIOR_NONE) {
            set_direction(&scratch->laws[k], right + scratch->laws[k].place);
        }
    }
    follow_velocities(problem, scratch);
}

// The longest step, at most 1, with all x and y in their cones
static double reach(const ContactProblem* problem, const ContactScratch* scratch) {
    double step = 1.0;
    for (int k = 0; k < problem->n; k++) {
        const InteriorLaw* l = &scratch->laws[k];
        if (l->kind != INTERIOR_NONE) {
            step = fmin(step, FRACTION * cone_reach(l->d, l->x, l->dx));
            step = fmin(step, FRACTION * cone_reach(l->d, l->y, l->dy));
        }
    }
    return step;
}

// c of the predictor: straight to tau = 0
static void set_predictor(const ContactProblem* problem, const ContactScratch* scratch) {
    for (int k = 0; k < problem->n; k++) {
        InteriorLaw* l = &scratch->laws[k];
        for (int i = 0; i < l->d; i++) {
            l->c[i] = -l->lambda[i];
        }
    }
}

// c of the corrector: lambda o c = tau e - lambda o lambda - (W dx) o (W^-1 dy) of the predictor
static void set_corrector(const ContactProblem* problem, const ContactScratch* scratch,
                          double tau) {
    for (int k = 0; k < problem->n; k++) {
        InteriorLaw* l = &scratch->laws[k];
        if (l->kind == INTERIOR_NONE) {
            continue;
        }
        double dx[LAW_MAX_ROWS] = {0.0};
        double dy[LAW_MAX_ROWS] = {0.0};
        double second[LAW_MAX_ROWS] = {0.0};
        double right[LAW_MAX_ROWS] = {0.0};
        cone_scale(&l->scaling, l->dx, dx);
        cone_unscale(&l->scaling, l->dy, dy);
        cone_multiply(l->d, dx, dy, second);
        cone_multiply(l->d, l->lambda, l->lambda, right);
        for (int i = 0; i < l->d; i++) {
            right[i] = (i == 0 ? tau : 0.0) - right[i] - second[i];
        }
        cone_divide(l->d, l->lambda, right, l->c);
    }
}

static void advance(const ContactProblem* problem, const ContactScratch* scratch, double step,
                    double* P) {
    for (int k = 0; k < problem->n; k++) {
        InteriorLaw* l = &scratch->laws[k];
        for (int i = 0; i < l->d; i++) {
            l->x[i] += step * l->dx[i];
            l->y[i] += step * l->dy[i];
        }
        set_percussions(problem, k, l, l->x, problem->laws[k].bound, P);
    }
}

Status contact_interior_solve(const ContactProblem* problem, const ContactScratch* scratch,
                              double* P, int* steps) {
    double* inside = scratch->P_try;
    const size_t bytes = (size_t)problem->m * sizeof(double);
    const int size = start(problem, scratch, inside);
    double gap = evaluate(problem, scratch, inside);
    const double enough = GAP * gap;
    for (int i = 0; i < MAXIMUM_STEPS; i++) {
        fill(problem, scratch, size);
        if (lu_factor(size, scratch->A, scratch->pivots) != STATUS_OK) {
            return i == 0 ? STATUS_SINGULAR : STATUS_NO_CONVERGENCE;
        }
        ++*steps;
        set_predictor(problem, scratch);
        solve(problem, scratch, size);
        const double left = 1.0 - reach(problem, scratch);
        set_corrector(problem, scratch, fmin(MOST_CENTRING, left * left * left) * gap);
        solve(problem, scratch, size);
        const double step = reach(problem, scratch);
        if (!(step > SHORTEST_STEP)) {
            return STATUS_NO_CONVERGENCE;
        }
        advance(problem, scratch, step, inside);
        gap = evaluate(problem, scratch, inside);
        if (!isfinite(gap)) {
            return STATUS_NO_CONVERGENCE;
        }
        memcpy(P, inside, bytes);
        if (gap <= enough) {
            return STATUS_OK;
        }
    }
    return STATUS_NO_CONVERGENCE;
}
