// Every kind of flexible body of the plane: mass and forces against its energies.
#include "reader/element_kinds.h"
#include "elements/spline_mesh.h"
#include "kernel_cases.h"
#include "matrix_sink.h"

enum { TRIALS = 20, BODY_PARAMETERS = 64, MOST_NODES = 64, MOST_CONSTANTS = 4096 };

typedef struct FlexibleBody {
    const ElementKind* kind;
    const BodyFunctions* f;
    BodyView view;
    int n;
    double par[BODY_PARAMETERS], gravity[3];
    double q[MOST_NODES], u[MOST_NODES];
    double constants[MOST_CONSTANTS];
} FlexibleBody;

// The view is of the body's own arrays, its constants those of its parameters and the function.
static void connect_view(FlexibleBody* body, const Expression* function) {
    body->view.par = body->par;
    body->view.constants = body->constants;
    body->view.gravity = body->gravity;
    body->view.q = body->q;
    body->view.u = body->u;
    if (body->f->prepare != NULL) {
        assert_in_range(body->f->n_constants(body->par), 1, MOST_CONSTANTS);
        assert_null(body->f->prepare(body->par, function, body->constants));
    }
}

static void random_flexible(const ElementKind* kind, const Expression* function,
                            FlexibleBody* body) {
    *body = (FlexibleBody){.kind = kind, .f = kind->body};
    for (int i = 0; i < kind->n_parameters; i++) {
        const ParameterInfo* info = &kind->parameters[i];
        const bool whole = info->type == VARIABLE_INTEGER;
        const double number = random_below(3) == 0 ? info->min : 1 + random_below(9);
        body->par[i] = fmax(fmin(whole ? number : random_in(0.5, 2.0), info->max), info->min);
    }
    int nq;
    body->f->size(body->par, &nq, &body->n);
    assert_in_range(body->n, 1, MOST_NODES);
    assert_int_equal(nq, body->n);
    body->view = (BodyView){.nq = nq, .nu = body->n};
    connect_view(body, function);
    body->f->initial(&body->view, body->q, body->u);
    for (int i = 0; i < 3; i++) {
        body->gravity[i] = random_in(-9.0, 9.0);
    }
    const double shift = fmin(0.1, 0.4 * body->par[0] / body->n);  // less than nodes are apart
    for (int i = 0; i < body->n; i++) {
        body->q[i] += random_in(-shift, shift);
        body->u[i] += random_in(-1.0, 1.0);
    }
}

// The mass is symmetric with the diagonal that is told, and makes the kinetic energy.
static void check_flexible_mass(const FlexibleBody* body) {
    double M[MOST_NODES][MOST_NODES];
    double diagonal[MOST_NODES];
    double twice = 0.0;
    body->f->mass_diagonal(&body->view, diagonal);
    for (int j = 0; j < body->n; j++) {
        double unit[MOST_NODES] = {0.0};
        unit[j] = 1.0;
        body->f->mass_multiply(&body->view, unit, M[j]);
    }
    for (int i = 0; i < body->n; i++) {
        assert_near("diagonal of M", body->kind->tag, diagonal[i], M[i][i]);
        for (int j = 0; j < body->n; j++) {
            assert_near("M", body->kind->tag, M[i][j], M[j][i]);
            twice += body->u[i] * M[i][j] * body->u[j];
        }
    }
    assert_true(twice > 0.0);
    assert_near("kinetic energy", body->kind->tag, body->f->kinetic(&body->view), 0.5 * twice);
}

// At rest, forces are those of the potential; its rate and what damping takes are their power.
static void check_flexible_forces(FlexibleBody* body) {
    double h[MOST_NODES];
    double power = 0.0;
    BodyView at_rest = body->view;
    at_rest.u = (double[MOST_NODES]){0.0};
    body->f->forces(&at_rest, h);
    for (int i = 0; i < body->n; i++) {
        const double q_i = body->q[i];
        double V[N_POINTS];
        for (int k = 0; k < N_POINTS; k++) {
            body->q[i] = q_i + POINTS[k] * STEP;
            V[k] = body->f->potential(&body->view);
        }
        body->q[i] = q_i;
        assert_close(h[i], -difference(V), 1e-7 + 1e-10 * fabs(V[0]), body->kind->tag);
    }
    body->f->forces(&body->view, h);
    for (int i = 0; i < body->n; i++) {
        power += h[i] * body->u[i];
    }
    const double lost = body->f->dissipation != NULL ? body->f->dissipation(&body->view) : 0.0;
    assert_true(lost >= 0.0);
    assert_near("rate of the potential", body->kind->tag, body->f->potential_rate(&body->view),
                -power - lost);
}

// Own forces of a free body sum up to nothing, and so do their moments: with a twist that moves it
// as a whole they have no power, and no energy comes from such a motion.
static void check_rigid_motions(const FlexibleBody* body) {
    double h[MOST_NODES];
    BodyView view = body->view;
    const double none[3] = {0.0};
    view.gravity = none;
    body->f->forces(&view, h);
    double force = 0.0;
    double moment = 0.0;
    double scale = 0.0;
    for (int i = 0; i < body->n; i++) {
        scale = fmax(scale, fabs(h[i]));
    }
    if (strcmp(body->kind->tag, "spline_beam") == 0) {
        const double* r_0 = body->constants + spline_mesh(body->par).r_0;
        Vec3 sum = {0.0, 0.0, 0.0};
        for (int i = 0; i < body->n; i += 2) {
            const Vec3 own = {
                h[i], h[i + 1],
                (r_0[i] + body->q[i]) * h[i + 1] - (r_0[i + 1] + body->q[i + 1]) * h[i]};
            sum = add3(sum, own);
        }
        assert_true(length3(sum) <= 1e-12 * scale * body->n);
        return;
    }
    if (body->n % 3 != 0 || strcmp(body->kind->tag, "beam") != 0) {
        for (int i = 0; i < body->n; i++) {  // a bar: translations along x alone
            force += h[i];
        }
        assert_true(fabs(force) <= 1e-12 * scale * body->n);
        return;
    }
    const int n_nodes = body->n / 3;
    double force_y = 0.0;
    for (int i = 0; i < n_nodes; i++) {
        const Vec3 X = {body->par[0] * i / (n_nodes - 1), 0.0, 0.0};
        int at[POINT_MAX_VELOCITIES];
        double T[TWIST_SIZE * POINT_MAX_VELOCITIES];
        Frame frame;
        const int n = body->f->point_velocities(body->par, body->n, X, at);
        assert_int_equal(n, 3);  // a node
        body->f->point(&view, X, n, at, &frame, T);
        force += h[at[0]];
        force_y += h[at[1]];
        moment += frame.r.x * h[at[1]] - frame.r.y * h[at[0]] + h[at[2]];
    }
    assert_true(fabs(force) + fabs(force_y) + fabs(moment) <= 1e-12 * scale * body->n);
}

// mass M + k dh/dq + d dh/du, column by column
static void check_flexible_tangent(FlexibleBody* body) {
    const BodyTerms terms = {.mass = 0.7, .k = -0.3, .d = 0.2};
    double entries[MOST_NODES * MOST_NODES] = {0.0};
    const MatrixSink matrix = {.sink = {add_to_matrix}, .n = MOST_NODES, .A = entries};
    double h[MOST_NODES];
    double scale = 0.0;
    body->f->tangent(&body->view, terms, &matrix.sink);
    body->f->forces(&body->view, h);
    for (int i = 0; i < body->n; i++) {
        scale = fmax(scale, fabs(h[i]));
    }
    for (int j = 0; j < body->n; j++) {
        double unit[MOST_NODES] = {0.0};
        double column[MOST_NODES];
        double h_q[N_POINTS][MOST_NODES];
        double h_u[N_POINTS][MOST_NODES];
        const double q_j = body->q[j];
        const double u_j = body->u[j];
        unit[j] = 1.0;
        body->f->mass_multiply(&body->view, unit, column);
        for (int k = 0; k < N_POINTS; k++) {
            body->q[j] = q_j + POINTS[k] * STEP;
            body->f->forces(&body->view, h_q[k]);
            body->q[j] = q_j;
            body->u[j] = u_j + POINTS[k] * STEP;
            body->f->forces(&body->view, h_u[k]);
            body->u[j] = u_j;
        }
        for (int i = 0; i < body->n; i++) {
            const double expected = terms.mass * column[i] +
                                    terms.k * difference_of(&h_q[0][i], MOST_NODES) +
                                    terms.d * difference_of(&h_u[0][i], MOST_NODES);
            assert_close(matrix.A[i * MOST_NODES + j], expected, 1e-7 + 1e-10 * scale,
                         body->kind->tag);
        }
    }
}

// Numbers of a frame: r, R, v, Omega, a, Psi, angle
enum { FRAME_NUMBERS = 25 };

static void add_numbers(Vec3 a, double** to) {
    *(*to)++ = a.x;
    *(*to)++ = a.y;
    *(*to)++ = a.z;
}

static void frame_numbers(const Frame* f, double* to) {
    const Vec3 vectors[] = {f->r, f->R.e[0], f->R.e[1], f->R.e[2], f->v, f->Omega, f->a, f->Psi};
    for (int i = 0; i < 8; i++) {
        add_numbers(vectors[i], &to);
    }
    *to = f->angle;
}

static Vec3 derivative3(DualVec3 a) {
    return (Vec3){dual_derivative(a.x), dual_derivative(a.y), dual_derivative(a.z)};
}

static void frame_derivatives(const DualFrame* f, double* to) {
    const DualVec3 vectors[] = {f->r, f->R.e[0], f->R.e[1], f->R.e[2],
                                f->v, f->Omega,  f->a,      f->Psi};
    for (int i = 0; i < 8; i++) {
        add_numbers(derivative3(vectors[i]), &to);
    }
    *to = dual_derivative(f->angle);
}

// Frame and T as they change along a velocity, against differences
static void check_point_dual(const FlexibleBody* body, Vec3 X, int n, const int* at, int k,
                             bool velocity) {
    FlexibleBody moved = *body;
    DualFrame dual;
    Dual T_dual[TWIST_SIZE * POINT_MAX_VELOCITIES];
    double slopes[FRAME_NUMBERS];
    double numbers[N_POINTS][FRAME_NUMBERS];
    double T[N_POINTS][TWIST_SIZE * POINT_MAX_VELOCITIES];
    moved.view.q = moved.q;
    moved.view.u = moved.u;
    for (int i = 0; i < N_POINTS; i++) {
        double* x = (velocity ? moved.u : moved.q) + at[k];
        const double before = *x;
        Frame frame;
        *x += POINTS[i] * STEP;
        body->f->point(&moved.view, X, n, at, &frame, T[i]);
        *x = before;
        frame_numbers(&frame, numbers[i]);
    }
    body->f->point_dual(&body->view, X, n, at, k, velocity, &dual, T_dual);
    frame_derivatives(&dual, slopes);
    for (int i = 0; i < FRAME_NUMBERS; i++) {
        assert_close(slopes[i], difference_of(&numbers[0][i], FRAME_NUMBERS),
                     1e-9 * (1.0 + fabs(slopes[i]) + fabs(numbers[0][i])), "frame");
    }
    for (int i = 0; i < TWIST_SIZE * n; i++) {
        const double slope = dual_derivative(T_dual[i]);
        assert_close(slope, difference_of(&T[0][i], TWIST_SIZE * POINT_MAX_VELOCITIES),
                     1e-9 * (1.0 + fabs(slope) + fabs(T[0][i])), "T");
    }
}

// The frame of a point moves with its velocity, which is T u; with constant u its accelerations are
// a and Psi, or none if T is constant.
static void check_point(FlexibleBody* body, Vec3 X) {
    int at[POINT_MAX_VELOCITIES];
    double T[TWIST_SIZE * POINT_MAX_VELOCITIES];
    Frame frame;
    double x[N_POINTS][FRAME_NUMBERS];
    const int n = body->f->point_velocities(body->par, body->n, X, at);
    assert_in_range(n, 1, POINT_MAX_VELOCITIES);
    body->f->point(&body->view, X, n, at, &frame, T);
    const double twist[TWIST_SIZE] = {frame.v.x,     frame.v.y,     frame.v.z,
                                      frame.Omega.x, frame.Omega.y, frame.Omega.z};
    for (int i = 0; i < TWIST_SIZE; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += T[i * n + k] * body->u[at[k]];
        }
        assert_near("T u", body->kind->tag, sum, twist[i]);
    }
    FlexibleBody moved = *body;
    moved.view.q = moved.q;
    moved.view.par = moved.par;
    for (int k = 0; k < N_POINTS; k++) {
        Frame later;
        for (int i = 0; i < body->n; i++) {
            moved.q[i] = body->q[i] + POINTS[k] * STEP * body->u[i];
        }
        body->f->point(&moved.view, X, n, at, &later, T);
        frame_numbers(&later, x[k]);
    }
    double rate[FRAME_NUMBERS];
    for (int i = 0; i < FRAME_NUMBERS; i++) {
        rate[i] = difference_of(&x[0][i], FRAME_NUMBERS);
    }
    const double accelerations[TWIST_SIZE] = {frame.a.x,   frame.a.y,   frame.a.z,
                                              frame.Psi.x, frame.Psi.y, frame.Psi.z};
    const Vec3 spin = turn3(frame.R, frame.Omega);
    for (int i = 0; i < 3; i++) {
        assert_near("velocity", body->kind->tag, rate[i], twist[i]);
        const Vec3 turning = cross3(spin, frame.R.e[i]);
        assert_near("spin", body->kind->tag, rate[3 * (1 + i)], turning.x);
        assert_near("spin", body->kind->tag, rate[3 * (1 + i) + 1], turning.y);
        assert_near("spin", body->kind->tag, rate[3 * (1 + i) + 2], turning.z);
    }
    for (int i = 0; i < TWIST_SIZE; i++) {
        assert_near("acceleration", body->kind->tag, rate[12 + i], accelerations[i]);
    }
    for (int k = 0; k < n && body->f->point_dual != NULL; k++) {
        check_point_dual(body, X, n, at, k, false);
        check_point_dual(body, X, n, at, k, true);
    }
}

// A body of the same parameters that is straight when relaxed, as it starts
static void relax_straight(const FlexibleBody* body, FlexibleBody* relaxed) {
    *relaxed = *body;
    for (int i = 0; i < body->kind->n_parameters; i++) {
        if (strcmp(body->kind->parameters[i].name, "curvature") == 0) {
            relaxed->par[i] = 0.0;
        }
    }
    connect_view(relaxed, NULL);
    body->f->initial(&relaxed->view, relaxed->q, relaxed->u);
}

// Relaxed, a point is where its coordinate says; beyond the ends there is none.
static void check_bar_points(FlexibleBody* body) {
    const double length = body->par[0];
    int at[POINT_MAX_VELOCITIES];
    for (int i = 0; i <= 8; i++) {
        check_point(body, (Vec3){length * i / 8.0, 0.0, 0.0});
    }
    FlexibleBody relaxed;
    Frame first;
    relax_straight(body, &relaxed);
    for (int i = 0; i <= 8; i++) {
        const Vec3 X = {length * i / 8.0, 0.0, 0.0};
        double T[TWIST_SIZE * POINT_MAX_VELOCITIES];
        Frame frame;
        const int n = body->f->point_velocities(relaxed.par, body->n, X, at);
        body->f->point(&relaxed.view, X, n, at, &frame, T);
        first = i == 0 ? frame : first;
        const Vec3 way = sub3(frame.r, first.r);
        assert_near("x", body->kind->tag, dot3(frame.R.e[0], way), X.x);
        assert_near("y", body->kind->tag, dot3(frame.R.e[1], way), 0.0);
    }
    const Vec3 outside[] = {{-0.01 * length, 0, 0}, {1.01 * length, 0, 0}, {NAN, 0, 0}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(body->f->point_velocities(body->par, body->n, outside[i], at), -1);
    }
}

// Relaxed and straight, its coordinates follow from its outputs.
static void check_from_outputs(const FlexibleBody* body) {
    FlexibleBody relaxed;
    relax_straight(body, &relaxed);
    const Element element = {.kind = body->kind, .q = {0, body->n}, .u = {0, body->n}};
    const Surroundings around = {
        .element = &element, .par = relaxed.par, .constants = relaxed.constants};
    double y[BODY_PARAMETERS];
    double places[BODY_PARAMETERS];
    double q[MOST_NODES];
    body->kind->output(&around, NULL, NULL, relaxed.q, relaxed.u, NULL, y);
    for (int i = 0; i < body->f->n_places; i++) {
        places[i] = y[body->f->places[i]];
    }
    body->f->from_outputs(&relaxed.view, places, q, NULL);
    for (int i = 0; i < body->n; i++) {
        assert_near("q from outputs", body->kind->tag, q[i], relaxed.q[i]);
    }
}

static int find_x(const void* context, const char* name, int n) {
    (void)context;
    return n == 1 && name[0] == 'x' ? 0 : -1;
}

// Those made of nodes of space are in test_spatial_beam.c.
static bool is_flexible(const ElementKind* kind) {
    return kind->role == ROLE_BODY && kind->body->point != NULL && kind->body->node == NULL;
}

static void test_flexible_bodies(void** state) {
    (void)state;
    Arena arena = {0};
    ExpressionError error;
    const SymbolTable x = {.find = find_x};
    const Expression* function = expression_compile("1 - 2*x", &x, &arena, &error);
    assert_non_null(function);
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        for (int n = 0; n < TRIALS && is_flexible(kind); n++) {
            FlexibleBody body;
            random_flexible(kind, function, &body);
            check_flexible_mass(&body);
            check_flexible_forces(&body);
            check_flexible_tangent(&body);
            check_rigid_motions(&body);
            check_bar_points(&body);
            check_from_outputs(&body);
        }
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flexible_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
