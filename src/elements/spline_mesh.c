#include "elements/spline_mesh.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// --- sizes ---

// Points of integration in an element: by default enough for the energy of small displacements
static int points_of(int degree, double given) { return given > 0.0 ? (int)given : degree; }

SplineMesh spline_mesh(const double* par) {
    const int n = (int)par[BEAM_N_ELEMENTS];
    const int degree = (int)par[SPLINE_DEGREE];
    const int n_functions = degree + 1;
    SplineMesh mesh = {.n = n,
                       .degree = degree,
                       .n_points = points_of(degree, par[SPLINE_GAUSS_POINTS]),
                       .mean_stretch = !(par[SPLINE_GAUSS_POINTS] > 0.0),
                       .n_control = n + degree,
                       .h = par[BEAM_LENGTH] / n,
                       .stride = POINT_FUNCTIONS + 2 * n_functions};
    mesh.angle = mesh.r_0 + SPLINE_AXES * mesh.n_control;
    mesh.share = mesh.angle + n + 1;
    mesh.mass = mesh.share + mesh.n_control;
    mesh.points = mesh.mass + n * n_functions * n_functions;
    mesh.band = mesh.points + n * mesh.n_points * mesh.stride;
    mesh.total = mesh.band + mesh.n_control * (2 * degree + 1);
    return mesh;
}

int spline_mesh_size(const double* par) { return spline_mesh(par).total; }

// --- the relaxed curve ---

// A point that goes along the relaxed curve
typedef struct Walk {
    const Expression* curvature;  // of the arc length, or NULL: straight
    GaussRule rule;
    double s, angle;
    Vec2 r;
} Walk;

static double curvature_at(const Walk* walk, double s) {
    return walk->curvature != NULL ? expression_value(walk->curvature, 0.0, &s) : 0.0;
}

// The angle by which the curve turns from walk->s to s
static double turn_to(const Walk* walk, double s) {
    const double length = s - walk->s;
    double turn = 0.0;
    for (int i = 0; i < walk->rule.n; i++) {
        turn += length * walk->rule.w[i] * curvature_at(walk, walk->s + walk->rule.x[i] * length);
    }
    return turn;
}

static void walk_to(Walk* walk, double s) {
    Vec2 way = {0.0, 0.0};
    const double length = s - walk->s;
    for (int i = 0; i < walk->rule.n; i++) {
        const double angle = walk->angle + turn_to(walk, walk->s + walk->rule.x[i] * length);
        way = add2(way, scale2(walk->rule.w[i] * length, (Vec2){cos(angle), sin(angle)}));
    }
    walk->angle += turn_to(walk, s);
    walk->r = add2(walk->r, way);
    walk->s = s;
}

// The condition on the control points that belongs to number i of them: the curve goes through a
// point, or has a direction where it begins and ends, which are what a clamp holds.
typedef struct Condition {
    double s;
    bool direction;
} Condition;

static Condition condition(const SplineMesh* mesh, int i) {
    const int last = mesh->n_control - 1;
    if (i == 1 || (i == last - 1 && last > 2)) {
        return (Condition){i == 1 ? 0.0 : mesh->n * mesh->h, true};
    }
    return (Condition){spline_abscissa(mesh->n, mesh->degree, mesh->h, i), false};
}

// Row i of the band: its entries are those of the columns i - degree ... i + degree.
static double* band_row(const SplineMesh* mesh, double* band, int i) {
    return band + i * (2 * mesh->degree + 1) + mesh->degree - i;
}

static void fill_conditions(const SplineMesh* mesh, Walk* walk, double* band, double* r) {
    memset(band, 0, (size_t)(mesh->n_control * (2 * mesh->degree + 1)) * sizeof(double));
    for (int i = 0; i < mesh->n_control; i++) {
        const Condition c = condition(mesh, i);
        const int k = (int)fmin(c.s / mesh->h, mesh->n - 1);
        const SplineFunctions f =
            spline_functions(mesh->n, mesh->degree, mesh->h, k, c.s / mesh->h - k);
        if (c.s > walk->s) {
            walk_to(walk, c.s);
        }
        memcpy(band_row(mesh, band, i) + k, c.direction ? f.N_s : f.N,
               (size_t)spline_functions_of(mesh) * sizeof(double));
        r[SPLINE_AXES * i] = c.direction ? cos(walk->angle) : walk->r.x;
        r[SPLINE_AXES * i + 1] = c.direction ? sin(walk->angle) : walk->r.y;
    }
}

// r = band \ r: pivots are not small, since the matrix is totally positive but for the signs of the
// rows of directions
static void solve_band(const SplineMesh* mesh, double* band, double* r) {
    const int n = mesh->n_control;
    for (int j = 0; j < n; j++) {
        const double* pivot_row = band_row(mesh, band, j);
        for (int i = j + 1; i < n && i <= j + mesh->degree; i++) {
            double* row = band_row(mesh, band, i);
            const double factor = row[j] / pivot_row[j];
            for (int c = j; c < n && c <= j + mesh->degree; c++) {
                row[c] -= factor * pivot_row[c];
            }
            r[SPLINE_AXES * i] -= factor * r[SPLINE_AXES * j];
            r[SPLINE_AXES * i + 1] -= factor * r[SPLINE_AXES * j + 1];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        const double* row = band_row(mesh, band, i);
        for (int axis = 0; axis < SPLINE_AXES; axis++) {
            double sum = r[SPLINE_AXES * i + axis];
            for (int c = i + 1; c < n && c <= i + mesh->degree; c++) {
                sum -= row[c] * r[SPLINE_AXES * c + axis];
            }
            r[SPLINE_AXES * i + axis] = sum / row[i];
        }
    }
}

// The control points, and the angles at the ends of elements; false if they are not all finite
static bool make_curve(const SplineMesh* mesh, const double* par, const Expression* curvature,
                       double* constants) {
    const Walk start = {.curvature = curvature,
                        .rule = gauss_rule(GAUSS_MAX_POINTS),
                        .angle = par[BEAM_INITIAL_ANGLE]};
    double* angle = constants + mesh->angle;
    double* r_0 = constants + mesh->r_0;
    bool finite = true;
    Walk walk = start;
    fill_conditions(mesh, &walk, constants + mesh->band, r_0);
    solve_band(mesh, constants + mesh->band, r_0);
    walk = start;
    angle[0] = walk.angle;
    for (int k = 1; k <= mesh->n; k++) {
        walk.angle += turn_to(&walk, k * mesh->h);
        walk.s = k * mesh->h;
        angle[k] = walk.angle;
    }
    for (int i = 0; i < SPLINE_AXES * mesh->n_control; i++) {
        finite = finite && isfinite(r_0[i]);
    }
    return finite && isfinite(angle[mesh->n]);
}

// --- tables of elements ---

static void make_mass(const SplineMesh* mesh, const GaussRule* rule, int k, double* constants) {
    const int n = spline_functions_of(mesh);
    double* mass = constants + mesh->mass + k * n * n;
    double* share = constants + mesh->share + k;
    memset(mass, 0, (size_t)(n * n) * sizeof(double));
    for (int p = 0; p < rule->n; p++) {
        const SplineFunctions f = spline_functions(mesh->n, mesh->degree, mesh->h, k, rule->x[p]);
        for (int i = 0; i < n; i++) {
            share[i] += mesh->h * rule->w[p] * f.N[i];
            for (int j = 0; j < n; j++) {
                mass[i * n + j] += mesh->h * rule->w[p] * f.N[i] * f.N[j];
            }
        }
    }
}

void spline_mesh_point(const SplineMesh* mesh, const double* constants, int k, double x,
                       double* point) {
    const int n = spline_functions_of(mesh);
    const SplineFunctions f = spline_functions(mesh->n, mesh->degree, mesh->h, k, x);
    const Vec2 r_s = spline_sum(mesh, f.N_s, k, constants + mesh->r_0);
    const Vec2 r_ss = spline_sum(mesh, f.N_ss, k, constants + mesh->r_0);
    point[POINT_WEIGHT] = 0.0;
    point[POINT_R_S] = r_s.x;
    point[POINT_R_S + 1] = r_s.y;
    point[POINT_R_SS] = r_ss.x;
    point[POINT_R_SS + 1] = r_ss.y;
    point[POINT_STRETCH] = length2(r_s);
    point[POINT_KAPPA] = cross2(r_s, r_ss) / dot2(r_s, r_s);
    memcpy(point + POINT_FUNCTIONS, f.N_s, (size_t)n * sizeof(double));
    memcpy(point + POINT_FUNCTIONS + n, f.N_ss, (size_t)n * sizeof(double));
}

static void make_points(const SplineMesh* mesh, const GaussRule* rule, int k, double* constants) {
    double* point = constants + mesh->points + k * mesh->n_points * mesh->stride;
    for (int p = 0; p < rule->n; p++) {
        spline_mesh_point(mesh, constants, k, rule->x[p], point);
        point[POINT_WEIGHT] = mesh->h * rule->w[p];
        point += mesh->stride;
    }
}

const char* spline_mesh_prepare(const double* par, const Expression* function, double* constants) {
    const SplineMesh mesh = spline_mesh(par);
    if (!make_curve(&mesh, par, function, constants)) {
        return "has a curvature that is not finite all along its length";
    }
    memset(constants + mesh.share, 0, (size_t)mesh.n_control * sizeof(double));
    const GaussRule exact = gauss_rule(spline_functions_of(&mesh));  // of products of two functions
    const GaussRule rule = gauss_rule(mesh.n_points);
    for (int k = 0; k < mesh.n; k++) {
        make_mass(&mesh, &exact, k, constants);
        make_points(&mesh, &rule, k, constants);
    }
    return NULL;
}
