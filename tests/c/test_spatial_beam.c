// The beam of space: forces against its energy, their derivatives and points against differences,
// rigid motions, and cross sections against known ones.
#include "elements/bodies.h"
#include "elements/spatial_beam_parameters.h"
#include "kernel_cases.h"
#include "matrix_sink.h"

enum { TRIALS = 10, ELEMENTS = 2, MOST = SPATIAL_NU * (2 * ELEMENTS + 1) };
enum { MOST_Q = SPATIAL_NQ * (2 * ELEMENTS + 1) };

static const BodyFunctions* functions(void) { return spatial_beam_kind.body; }

typedef struct Beam {
    BodyView view;
    int n_nodes, n;  // velocities
    double par[N_SPATIAL_BEAM_PARAMETERS], gravity[3];
    double q[MOST_Q], u[MOST];
} Beam;

// Displaced along w (n) times s, from q to q_1
static void displace(const Beam* b, const double* q, double s, const double* w, double* q_1) {
    for (int i = 0; i < b->n_nodes; i++) {
        spatial_node.move(q + SPATIAL_NQ * i, s, w + SPATIAL_NU * i, q_1 + SPATIAL_NQ * i);
    }
}

static void displace_along(const Beam* b, int j, double s, double* q_1) {
    double w[MOST] = {0.0};
    w[j] = 1.0;
    displace(b, b->q, s, w, q_1);
}

// As it starts, relaxed and moving as a rigid body
static void random_relaxed(int order, Beam* b) {
    *b = (Beam){.n_nodes = order * ELEMENTS + 1};
    b->n = SPATIAL_NU * b->n_nodes;
    for (int i = 0; i < N_SPATIAL_BEAM_PARAMETERS; i++) {
        const ParameterInfo* info = &spatial_beam_parameters[i];
        b->par[i] = info->min < 0.0 ? random_in(-0.5, 0.5) : random_in(0.5, 2.0);
    }
    b->par[SPATIAL_BEAM_N_ELEMENTS] = ELEMENTS;
    b->par[SPATIAL_BEAM_ORDER] = order;
    b->view = (BodyView){.par = b->par,
                         .gravity = b->gravity,
                         .q = b->q,
                         .u = b->u,
                         .nq = SPATIAL_NQ * b->n_nodes,
                         .nu = b->n};
    functions()->initial(&b->view, b->q, b->u);
}

// Bent, stretched and twisted, in a motion of any kind
static void random_beam(int order, Beam* b) {
    double w[MOST];
    double q[MOST_Q];
    random_relaxed(order, b);
    for (int i = 0; i < b->n; i++) {
        w[i] = random_in(-0.4, 0.4);
        b->u[i] = random_in(-1.0, 1.0);
    }
    for (int i = 0; i < 3; i++) {
        b->gravity[i] = random_in(-9.0, 9.0);
    }
    displace(b, b->q, 1.0, w, q);
    memcpy(b->q, q, sizeof q);
}

static BodyView view_at(const Beam* b, const double* q, const double* u) {
    BodyView view = b->view;
    view.q = q;
    view.u = u;
    return view;
}

// --- forces ---

static void check_energy(const Beam* b) {
    const double at_rest[MOST] = {0.0};
    const BodyView rest = view_at(b, b->q, at_rest);
    double h[MOST];
    functions()->forces(&rest, h);
    for (int j = 0; j < b->n; j++) {
        double V[N_POINTS];
        for (int k = 0; k < N_POINTS; k++) {
            double q[MOST_Q];
            displace_along(b, j, POINTS[k] * STEP, q);
            const BodyView moved = view_at(b, q, at_rest);
            V[k] = functions()->potential(&moved);
        }
        assert_close(h[j], -difference(V), 1e-8, "force");
    }
    double power = 0.0;
    functions()->forces(&b->view, h);
    for (int j = 0; j < b->n; j++) {
        power += h[j] * b->u[j];
    }
    const double lost = functions()->dissipation(&b->view);
    assert_true(b->par[SPATIAL_BEAM_DAMPING] > 0.0 ? lost > 0.0 : lost == 0.0);
    assert_near("rate of the potential", "spatial_beam", functions()->potential_rate(&b->view),
                -power - lost);
}

static void check_tangent(Beam* b) {
    const BodyTerms terms = {.mass = 0.7, .k = -0.3, .d = 0.2};
    static double entries[MOST * MOST];
    memset(entries, 0, sizeof entries);
    const MatrixSink matrix = {.sink = {add_to_matrix}, .n = MOST, .A = entries};
    functions()->tangent(&b->view, terms, &matrix.sink);
    for (int j = 0; j < b->n; j++) {
        double unit[MOST] = {0.0};
        double column[MOST];
        double h_q[N_POINTS][MOST];
        double h_u[N_POINTS][MOST];
        unit[j] = 1.0;
        functions()->mass_multiply(&b->view, unit, column);
        for (int k = 0; k < N_POINTS; k++) {
            double q[MOST_Q];
            double u[MOST];
            displace_along(b, j, POINTS[k] * STEP, q);
            memcpy(u, b->u, sizeof u);
            u[j] += POINTS[k] * STEP;
            const BodyView displaced_q = view_at(b, q, b->u);
            const BodyView changed_u = view_at(b, b->q, u);
            functions()->forces(&displaced_q, h_q[k]);
            functions()->forces(&changed_u, h_u[k]);
        }
        for (int i = 0; i < b->n; i++) {
            const double expected = terms.mass * column[i] +
                                    terms.k * difference_of(&h_q[0][i], MOST) +
                                    terms.d * difference_of(&h_u[0][i], MOST);
            assert_close(entries[i * MOST + j], expected, 1e-7, "tangent");
        }
    }
}

static void check_mass(const Beam* b) {
    double M[MOST][MOST];
    double diagonal[MOST];
    double twice = 0.0;
    functions()->mass_diagonal(&b->view, diagonal);
    for (int j = 0; j < b->n; j++) {
        double unit[MOST] = {0.0};
        unit[j] = 1.0;
        functions()->mass_multiply(&b->view, unit, M[j]);
    }
    for (int i = 0; i < b->n; i++) {
        assert_near("diagonal of M", "spatial_beam", diagonal[i], M[i][i]);
        for (int j = 0; j < b->n; j++) {
            assert_near("M", "spatial_beam", M[i][j], M[j][i]);
            twice += b->u[i] * M[i][j] * b->u[j];
        }
    }
    assert_near("kinetic energy", "spatial_beam", functions()->kinetic(&b->view), 0.5 * twice);
}

// Turned and moved as a whole by any angle, the beam has the same energy, and forces that are
// turned along.
static void check_objectivity(const Beam* b) {
    const double none[3] = {0.0};
    double p[4];
    double q[MOST_Q];
    double u[MOST];
    double h[MOST];
    double turned[MOST];
    quaternion_of(random_vector(2.0), p);
    const Mat3 Q = quaternion_rotation(p);
    const Vec3 shift = random_vector(3.0);
    for (int i = 0; i < b->n_nodes; i++) {
        const double* q_i = b->q + SPATIAL_NQ * i;
        const double* u_i = b->u + SPATIAL_NU * i;
        vector_to(add3(shift, turn3(Q, vector_from(q_i))), q + SPATIAL_NQ * i);
        quaternion_product(p, q_i + 3, q + SPATIAL_NQ * i + 3);
        vector_to(turn3(Q, vector_from(u_i)), u + SPATIAL_NU * i);
        memcpy(u + SPATIAL_NU * i + 3, u_i + 3, 3 * sizeof(double));
    }
    BodyView before = b->view;
    BodyView after = view_at(b, q, u);
    before.gravity = after.gravity = none;
    const double V = functions()->potential(&before);
    assert_true(fabs(functions()->potential(&after) - V) <= 1e-13 * V);
    functions()->forces(&before, h);
    functions()->forces(&after, turned);
    for (int i = 0; i < b->n_nodes; i++) {
        const Vec3 force = turn3(Q, vector_from(h + SPATIAL_NU * i));
        const Vec3 torque = vector_from(h + SPATIAL_NU * i + 3);
        const Vec3 off = sub3(vector_from(turned + SPATIAL_NU * i), force);
        const Vec3 off_torque = sub3(vector_from(turned + SPATIAL_NU * i + 3), torque);
        assert_true(length3(off) <= 1e-12 * (1.0 + length3(force)));
        assert_true(length3(off_torque) <= 1e-12 * (1.0 + length3(torque)));
    }
}

// Own forces of a free beam sum up to nothing, and so do their moments; gyroscopic torques, which
// do not, are left out by cross sections that have next to no inertia.
static void check_sums(const Beam* b) {
    Beam light = *b;
    const double none[3] = {0.0};
    double h[MOST];
    BodyView view = b->view;
    light.par[SPATIAL_BEAM_ROTARY_Y] = light.par[SPATIAL_BEAM_ROTARY_Z] = 1e-30;
    view.par = light.par;
    view.gravity = none;
    functions()->forces(&view, h);
    Vec3 force = {0.0, 0.0, 0.0};
    Vec3 moment = {0.0, 0.0, 0.0};
    double scale = 0.0;
    for (int i = 0; i < b->n_nodes; i++) {
        const double* q = b->q + SPATIAL_NQ * i;
        const Vec3 f = vector_from(h + SPATIAL_NU * i);
        const Vec3 torque = turn3(quaternion_rotation(q + 3), vector_from(h + SPATIAL_NU * i + 3));
        force = add3(force, f);
        moment = add3(moment, add3(cross3(vector_from(q), f), torque));
        scale = fmax(scale, fmax(length3(f), length3(torque)));
    }
    assert_true(length3(force) + length3(moment) <= 1e-13 * scale * b->n);
}

static void test_forces(void** state) {
    (void)state;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        Beam b;
        random_beam(1 + trial % 2, &b);
        b.par[SPATIAL_BEAM_DAMPING] *= trial % 3;
        check_mass(&b);
        check_energy(&b);
        check_tangent(&b);
        check_objectivity(&b);
        check_sums(&b);
    }
}

// Curved and twisted as it may be: relaxed, it has no energy and no forces of its own, and moving
// as a rigid body it dissipates nothing.
static void test_relaxed(void** state) {
    (void)state;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        Beam b;
        double h[MOST];
        random_relaxed(1 + trial % 2, &b);
        const double at_rest[MOST] = {0.0};
        const BodyView rest = view_at(&b, b.q, at_rest);
        functions()->forces(&rest, h);
        for (int i = 0; i < b.n; i++) {
            assert_true(fabs(h[i]) < 1e-13);
        }
        assert_true(functions()->potential(&rest) < 1e-28);
        assert_true(functions()->dissipation(&b.view) < 1e-26);
    }
}

// --- points ---

typedef struct PointSample {
    Frame frame;
    double T[TWIST_SIZE * POINT_MAX_VELOCITIES];
} PointSample;

static void sample_point(const Beam* b, Vec3 X, const double* q, const double* u,
                         PointSample* sample) {
    int at[POINT_MAX_VELOCITIES];
    const BodyView view = view_at(b, q, u);
    const int n = functions()->point_velocities(b->par, b->n, X, at);
    functions()->point(&view, X, n, at, &sample->frame, sample->T);
}

#define SAMPLE_DIFFERENCE(samples, member) \
    difference_of(&(samples)[0].member, sizeof(PointSample) / sizeof(double))

static Vec3 vector_difference(const PointSample* samples, const Vec3* member) {
    const size_t at = (size_t)((const double*)member - (const double*)samples);
    const double* first = (const double*)samples + at;
    const size_t stride = sizeof(PointSample) / sizeof(double);
    return (Vec3){difference_of(first, stride), difference_of(first + 1, stride),
                  difference_of(first + 2, stride)};
}

static void assert_vector(const char* what, Vec3 value, Vec3 expected) {
    assert_near(what, "x", value.x, expected.x);
    assert_near(what, "y", value.y, expected.y);
    assert_near(what, "z", value.z, expected.z);
}

static void assert_dual(const char* what, DualVec3 value, Vec3 frame, Vec3 expected) {
    assert_near(what, "x", dual_value(value.x), frame.x);
    assert_near(what, "y", dual_value(value.y), frame.y);
    assert_near(what, "z", dual_value(value.z), frame.z);
    assert_vector(
        what, (Vec3){dual_derivative(value.x), dual_derivative(value.y), dual_derivative(value.z)},
        expected);
}

// The frame moves with its velocity, which is T u; a and Psi are what that changes by at constant
// u.
static void check_motion(const Beam* b, Vec3 X) {
    int at[POINT_MAX_VELOCITIES];
    PointSample now;
    PointSample samples[N_POINTS];
    const int n = functions()->point_velocities(b->par, b->n, X, at);
    sample_point(b, X, b->q, b->u, &now);
    for (int k = 0; k < N_POINTS; k++) {
        double q[MOST_Q];
        displace(b, b->q, POINTS[k] * STEP, b->u, q);
        sample_point(b, X, q, b->u, &samples[k]);
    }
    double twist[TWIST_SIZE] = {0.0};
    for (int i = 0; i < TWIST_SIZE; i++) {
        for (int k = 0; k < n; k++) {
            twist[i] += now.T[i * n + k] * b->u[at[k]];
        }
    }
    assert_vector("v = T u", now.frame.v, vector_from(twist));
    assert_vector("Omega = T u", now.frame.Omega, vector_from(twist + 3));
    assert_vector("r'", now.frame.v, vector_difference(samples, &samples[0].frame.r));
    assert_vector("v'", now.frame.a, vector_difference(samples, &samples[0].frame.v));
    assert_vector("Omega'", now.frame.Psi, vector_difference(samples, &samples[0].frame.Omega));
    for (int j = 0; j < 3; j++) {
        const Vec3 expected = turn3(now.frame.R, cross3(now.frame.Omega, MAT3_IDENTITY.e[j]));
        assert_vector("R'", expected, vector_difference(samples, &samples[0].frame.R.e[j]));
    }
}

static void check_dual(const Beam* b, Vec3 X, int k, bool velocity) {
    int at[POINT_MAX_VELOCITIES];
    PointSample now;
    PointSample samples[N_POINTS];
    DualFrame frame;
    Dual T[TWIST_SIZE * POINT_MAX_VELOCITIES];
    const int n = functions()->point_velocities(b->par, b->n, X, at);
    sample_point(b, X, b->q, b->u, &now);
    functions()->point_dual(&b->view, X, n, at, k, velocity, &frame, T);
    for (int i = 0; i < N_POINTS; i++) {
        double q[MOST_Q];
        double u[MOST];
        displace_along(b, at[k], velocity ? 0.0 : POINTS[i] * STEP, q);
        memcpy(u, b->u, sizeof u);
        u[at[k]] += velocity ? POINTS[i] * STEP : 0.0;
        sample_point(b, X, q, u, &samples[i]);
    }
    const Frame* f = &samples[0].frame;
    assert_dual("dr", frame.r, now.frame.r, vector_difference(samples, &f->r));
    assert_dual("dv", frame.v, now.frame.v, vector_difference(samples, &f->v));
    assert_dual("da", frame.a, now.frame.a, vector_difference(samples, &f->a));
    assert_dual("dOmega", frame.Omega, now.frame.Omega, vector_difference(samples, &f->Omega));
    assert_dual("dPsi", frame.Psi, now.frame.Psi, vector_difference(samples, &f->Psi));
    for (int j = 0; j < 3; j++) {
        assert_dual("dR", frame.R.e[j], now.frame.R.e[j], vector_difference(samples, &f->R.e[j]));
    }
    for (int i = 0; i < TWIST_SIZE * n; i++) {
        assert_near("T", "value", dual_value(T[i]), now.T[i]);
        assert_near("T", "derivative", dual_derivative(T[i]), SAMPLE_DIFFERENCE(samples, T[i]));
    }
}

static void test_points(void** state) {
    (void)state;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        Beam b;
        int at[POINT_MAX_VELOCITIES];
        random_beam(1 + trial % 2, &b);
        for (int i = 0; i <= 8; i++) {  // nodes, and points between them
            const Vec3 X = {b.par[SPATIAL_BEAM_LENGTH] * (i / 8.0), 0.0, 0.0};
            const int n = functions()->point_velocities(b.par, b.n, X, at);
            assert_int_equal(n,
                             SPATIAL_NU * (i * 2 * (1 + trial % 2) % 8 == 0 ? 1 : 2 + trial % 2));
            check_motion(&b, X);
            for (int k = 0; k < n; k++) {
                check_dual(&b, X, k, false);
                check_dual(&b, X, k, true);
            }
        }
        const double length = b.par[SPATIAL_BEAM_LENGTH];
        const Vec3 outside[] = {{-0.01 * length, 0, 0}, {1.01 * length, 0, 0}, {NAN, 0, 0}};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(functions()->point_velocities(b.par, b.n, outside[i], at), -1);
        }
    }
}

// Relaxed, of any curvature and twist, its coordinates follow from its outputs.
static void test_from_outputs(void** state) {
    (void)state;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        Beam b;
        double y[64];
        double places[BODY_MAX_PLACES];
        double q[MOST_Q];
        random_relaxed(1 + trial % 2, &b);
        const Surroundings around = {.par = b.par};
        spatial_beam_kind.output(&around, NULL, NULL, b.q, b.u, NULL, y);
        assert_in_range(functions()->n_places, 1, BODY_MAX_PLACES);
        for (int i = 0; i < functions()->n_places; i++) {
            places[i] = y[functions()->places[i]];
        }
        functions()->from_outputs(&b.view, places, q, NULL);
        for (int i = 0; i < b.view.nq; i++) {
            assert_near("q from outputs", "spatial_beam", q[i], b.q[i]);
        }
    }
}

// --- cross sections ---

// Roark's table of St. Venant's torsion: I_x = k a b^3, W_x = alpha a b^2
static void test_torsion_of_rectangles(void** state) {
    static const double table[][3] = {{1.0, 0.1406, 0.208}, {1.5, 0.196, 0.231},
                                      {2.0, 0.229, 0.246},  {3.0, 0.263, 0.267},
                                      {10.0, 0.312, 0.312}, {1e6, 1.0 / 3.0, 1.0 / 3.0}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (int turned = 0; turned < 2; turned++) {
            double par[N_SPATIAL_BEAM_PARAMETERS] = {0.0};
            par[turned ? SPATIAL_BEAM_WIDTH : SPATIAL_BEAM_HEIGHT] = 0.02;
            par[turned ? SPATIAL_BEAM_HEIGHT : SPATIAL_BEAM_WIDTH] = 0.02 * table[i][0];
            const SpatialBeamShape shape = spatial_beam_shape(par);
            const double a = 0.02 * table[i][0];
            assert_close(shape.I_x / (a * 8e-6), table[i][1], 5e-4, "torsion constant");
            assert_close(spatial_beam_torsion_modulus(&shape) / (a * 4e-4), table[i][2], 5e-4,
                         "torsion modulus");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_relaxed),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_from_outputs),
        cmocka_unit_test(test_torsion_of_rectangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
