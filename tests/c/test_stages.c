// The stages of the Lobatto scheme: coefficients by the conditions on their order, positions by the
// equations that they fulfil, and the matrix of Newton's method against differences.
#include "neighbourhood.h"
#include "schemes/lobatto_tableau.h"
#include "system/frequency.h"
#include "system/stage_matrix.h"

// --- coefficients ---

static double power(double base, int exponent) {
    double value = 1.0;
    for (int i = 0; i < exponent; i++) {
        value *= base;
    }
    return value;
}

// B(2s - 2), C(s) of a and D(s) of a_hat: those of Lobatto IIIA and IIIB
static void test_conditions_on_the_order(void** state) {
    (void)state;
    for (int s = 2; s <= STAGES_MAX; s++) {
        const Stages stages = lobatto_tableau(s);
        for (int k = 1; k <= 2 * s - 2; k++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) {
                sum += stages.b[j] * power(stages.c[j], k - 1);
            }
            assert_close(sum, 1.0 / k, 3e-16, "B");
        }
        for (int i = 0; i < s; i++) {
            for (int k = 1; k <= s; k++) {
                double sum = 0.0;
                double adjoint = 0.0;
                for (int j = 0; j < s; j++) {
                    sum += stages.a[i][j] * power(stages.c[j], k - 1);
                    adjoint += stages.b[j] * power(stages.c[j], k - 1) * stages.a_hat[j][i];
                }
                assert_close(sum, power(stages.c[i], k) / k, 3e-16, "C");
                assert_close(adjoint, stages.b[i] / k * (1.0 - power(stages.c[i], k)), 3e-16, "D");
            }
            assert_close(stages.a[0][i], 0.0, 0.0, "first row of a");
            assert_close(stages.a_hat[i][s - 1], 0.0, 0.0, "last column of a_hat");
        }
    }
}

// What combines the rates of the stages: of rates that follow from X_p by T or a_hat, the p-th one
// is X_p itself.
static void test_combined_rows_belong_to_their_forces(void** state) {
    (void)state;
    for (int s = 2; s <= STAGES_MAX; s++) {
        const Stages stages = lobatto_tableau(s);
        for (int p = 0; p < s - 1; p++) {
            double at_node = 0.0;
            for (int l = 0; l < s - 1; l++) {
                double position = 0.0;
                double velocity = 0.0;
                for (int i = 0; i < s; i++) {
                    position += stages.of_positions[p][i] * stages.T[i][l];
                    velocity += stages.of_velocities[p][i] * stages.a_hat[i][l];
                }
                assert_close(position, p == l ? 1.0 : 0.0, 1e-13, "positions");
                assert_close(velocity, p == l ? 1.0 : 0.0, 1e-13, "velocities");
            }
            for (int i = 0; i < s; i++) {  // a polynomial of degree s - 2 is its own projection
                at_node += stages.of_friction[p][i] * power(stages.c[i], s - 2);
            }
            assert_close(at_node, power(stages.c[p + 1], s - 2), 2e-15, "friction");
        }
    }
}

// --- stages of a motion ---

static const char SPATIAL[] =
    "<gravity y='-9.81'/>"
    "<spatial_body name='a' mass='2' inertia_xx='1' inertia_yy='2' inertia_zz='2.5' "
    "inertia_xy='0.1'><frame name='f' x='0.3'/></spatial_body>"
    "<spatial_body name='b' mass='3' inertia_xx='1' inertia_yy='2' inertia_zz='1.5'>"
    "<frame name='f' y='0.2' z='0.1'/></spatial_body>"
    "<spring_damper name='s' first='a.f' second='b' stiffness='30' damping='2' free_length='1'/>"
    "<revolute name='hinge' first='a.f' second='b.f'/><skate name='edge' first='b.f'/>";
static const char PLANAR[] =
    "<gravity y='-9.81'/>"
    "<planar_body name='a' mass='2' inertia='1'><frame name='f' x='0.3'/></planar_body>"
    "<planar_body name='b' mass='3' inertia='2'><frame name='f' y='0.2'/></planar_body>"
    "<spring_damper name='s' first='a.f' second='b' stiffness='30' damping='2' free_length='1'/>"
    "<revolute name='hinge' first='a.f' second='b.f'/><skate name='edge' first='b.f'/>";

static const char BEAMS[] =
    "<gravity y='-9.81'/>"
    "<spatial_beam name='a' length='1' elements='2' order='1' width='0.2' height='0.3' "
    "youngs_modulus='50' density='20' damping_time='0.1' curvature='0.4'>"
    "<frame name='f' x='0.3'/></spatial_beam>"
    "<spatial_beam name='b' length='1' elements='1' diameter='0.3' youngs_modulus='50' "
    "density='20'><frame name='f' x='0.9' y='0.2' z='0.1'/></spatial_beam>"
    "<spring_damper name='s' first='a.f' second='b' stiffness='30' damping='2' free_length='1'/>"
    "<revolute name='hinge' first='a.f' second='b.f'/>";

typedef struct StagesOf {
    Simulation* simulation;
    Stages stages;
    double dt;
    Neighbourhood start;
    Arena arena;
    Instant instants[STAGES_MAX];
    JointSet joints[STAGES_MAX];
} StagesOf;

static void stages_begin(const char* content, int s, double dt, StagesOf* of) {
    *of = (StagesOf){.simulation = mechanism_new(content), .stages = lobatto_tableau(s), .dt = dt};
    const System* sys = &of->simulation->model.system;
    of->start = random_instant(of->simulation);
    for (int i = 0; i < s; i++) {
        assert_int_equal(instant_create(sys, &of->simulation->workspace.properties, &of->arena,
                                        &of->instants[i]),
                         STATUS_OK);
        assert_int_equal(joint_set_create(sys, &of->arena, &of->joints[i]), STATUS_OK);
    }
}

static void stages_end(StagesOf* of) {
    simulation_destroy(of->simulation);
    arena_free(&of->arena);
}

// Everything at the stages for X (n x nu)
static void stages_set(StagesOf* of, const double* X) {
    const System* sys = &of->simulation->model.system;
    memcpy(of->instants[0].q, of->start.q, (size_t)sys->nq * sizeof(double));
    for (int i = 0; i < of->stages.s; i++) {
        of->instants[i].t = TIME + of->stages.c[i] * of->dt;
        for (int k = 0; k < sys->nu; k++) {
            of->instants[i].u[k] = of->start.u[k];
            for (int l = 0; l < of->stages.n; l++) {
                of->instants[i].u[k] += of->stages.a_hat[i][l] * X[l * sys->nu + k];
            }
        }
    }
    stages_collocate(sys, &of->stages, of->dt, of->instants);
    for (int i = 0; i < of->stages.s; i++) {
        instant_evaluate(sys, &of->simulation->state, &of->instants[i]);
        joint_set_evaluate(sys, &of->instants[i], false, &of->joints[i]);
    }
}

static void random_X(const StagesOf* of, double* X) {
    for (int i = 0; i < of->stages.n * of->simulation->model.system.nu; i++) {
        X[i] = random_in(-of->dt, of->dt);
    }
}

// Q_i = q_n + dt sum of a_ij q'(Q_j, V_j), unit quaternions being of unit length at the end alone
static void test_positions_of_the_stages(void** state) {
    (void)state;
    for (int s = 2; s <= STAGES_MAX; s++) {
        StagesOf of;
        double X[MOST];
        double q_dot[STAGES_MAX][MOST];
        stages_begin(SPATIAL, s, 0.3, &of);
        const System* sys = &of.simulation->model.system;
        random_X(&of, X);
        stages_set(&of, X);
        double scale = 1.0;  // of the last stage's quaternions before they were made unit ones
        for (int body = 0; body < sys->n_bodies; body++) {
            const int at = sys->bodies[body]->q.at;
            for (int j = 0; j < s; j++) {
                sys->bodies[body]->kind->body->node->q_dot(
                    of.instants[j].q + at, of.instants[j].u + sys->bodies[body]->u.at,
                    q_dot[j] + at);
            }
            double square = 0.0;
            // p_s / l = p_0 + sum of others + dt a_ss p'_s / l: l from the first component
            double known = of.instants[0].q[at + 3];
            for (int j = 0; j < s - 1; j++) {
                known += of.dt * of.stages.a[s - 1][j] * q_dot[j][at + 3];
            }
            scale = (of.instants[s - 1].q[at + 3] -
                     of.dt * of.stages.a[s - 1][s - 1] * q_dot[s - 1][at + 3]) /
                    known;
            for (int k = 0; k < 7; k++) {
                for (int i = 1; i < s; i++) {
                    double sum = of.instants[0].q[at + k];
                    for (int j = 0; j < s; j++) {
                        const double unit = j == s - 1 && k >= 3 ? scale : 1.0;
                        sum += of.dt * of.stages.a[i][j] * q_dot[j][at + k] / unit;
                    }
                    const double unit = i == s - 1 && k >= 3 ? scale : 1.0;
                    assert_close(of.instants[i].q[at + k] / unit, sum, 1e-13, "stage");
                }
                square += k >= 3 ? power(of.instants[s - 1].q[at + k], 2) : 0.0;
            }
            assert_close(square, 1.0, 1e-14, "length");
            assert_true(fabs(scale - 1.0) < 0.05);
        }
        stages_end(&of);
    }
}

// --- the matrix ---

// r_j and the combined rows of the joints, as stage_matrix.h has them
static void residual(StagesOf* of, const double* X, const double* R, double* f) {
    const System* sys = &of->simulation->model.system;
    const int n = of->stages.n;
    stages_set(of, X);
    memset(f, 0, (size_t)(n * (sys->nu + sys->nla_g)) * sizeof(double));
    for (int j = 0; j < n; j++) {
        double h[MOST];
        double* r = f + (ptrdiff_t)j * sys->nu;
        system_forces(sys, &of->instants[j], h);
        system_mass_multiply(sys, &of->instants[j], X + (ptrdiff_t)j * sys->nu, r);
        for (int i = 0; i < sys->nu; i++) {
            r[i] -= of->dt * h[i];
        }
        joint_set_add(sys, &of->joints[j], -1.0, R + (ptrdiff_t)j * sys->nla_g, r);
    }
    for (int i = 0; i < of->stages.s; i++) {
        for (int k = 0; k < sys->n_joints; k++) {
            const Link* joint = &sys->joints[k];
            for (int r = 0; r < joint->la.n; r++) {
                const bool on_position = r < joint->rows->n_position_rows;
                const double value = on_position ? of->joints[i].joints[k].g[r] / of->dt
                                                 : of->joints[i].g_dot[joint->la.at + r];
                stage_matrix_add_row(sys, &of->stages, joint->la.at + r, on_position, i, value, f);
            }
        }
    }
}

// The factorised matrix undoes the derivative of the residual along a random direction, up to what
// it leaves out: the derivative of rows on velocity level in positions, and, of bodies that turn,
// the error of the quadrature.
static void check_stage_matrix(const char* content, int s, double dt, double tolerance) {
    StagesOf of;
    stages_begin(content, s, dt, &of);
    const System* sys = &of.simulation->model.system;
    const int n = of.stages.n;
    const int n_X = n * sys->nu;
    const int n_all = n * (sys->nu + sys->nla_g);
    enum { ALL = 4 * MOST };
    double x[ALL];
    double direction[ALL];
    double f[N_POINTS][ALL];
    double product[ALL];
    assert_true(n_all <= ALL);
    for (int i = 0; i < n_all; i++) {
        x[i] = random_in(-dt, dt);
        direction[i] = random_in(-1.0, 1.0);
    }
    const JointSet* joints[STAGES_MAX];
    const double* R_g[STAGES_MAX_FORCES];
    for (int i = 0; i < s; i++) {
        joints[i] = &of.joints[i];
    }
    for (int j = 0; j < n; j++) {
        R_g[j] = x + n_X + (ptrdiff_t)j * sys->nla_g;
    }
    StageMatrix* matrix = NULL;
    stages_set(&of, x);
    assert_int_equal(stage_matrix_create(sys, of.instants, s, &of.arena, &matrix), STATUS_OK);
    const StageTerms terms = {.stages = &of.stages,
                              .dt = dt,
                              .instants = of.instants,
                              .joints = joints,
                              .R_g = R_g,
                              .geometric = true};
    assert_int_equal(stage_matrix_factor(sys, &terms, matrix), STATUS_OK);
    for (int p = 0; p < N_POINTS; p++) {
        double moved_x[ALL];
        for (int i = 0; i < n_all; i++) {
            moved_x[i] = x[i] + POINTS[p] * STEP * direction[i];
        }
        residual(&of, moved_x, moved_x + n_X, f[p]);
    }
    for (int i = 0; i < n_all; i++) {
        product[i] = difference_of(&f[0][i], ALL);
    }
    stage_matrix_solve(sys, matrix, product);
    for (int i = 0; i < n_all; i++) {  // the border has the sign of W_g: the unknown is -R
        assert_close(product[i], i < n_X ? direction[i] : -direction[i], tolerance, "direction");
    }
    stage_matrix_destroy(matrix);
    stages_end(&of);
}

static void test_stage_matrix(void** state) {
    (void)state;
    for (int s = 2; s <= STAGES_MAX; s++) {
        // rows on velocity level leave out dt d(gamma)/dq
        check_stage_matrix(PLANAR, s, 1e-5, 1e-3);
        check_stage_matrix(SPATIAL, s, 1e-5, 1e-3);
        // with a shorter step the differences of g/dt are rounding, a longer one shows the
        // quadrature
        check_stage_matrix(BEAMS, s, 1e-3, 1e-5);
    }
}

// Without rows on velocity level the matrix is exact in the plane at any step.
static void test_stage_matrix_of_hinges(void** state) {
    (void)state;
    static const char hinges[] =
        "<gravity y='-9.81'/>"
        "<planar_body name='a' mass='2' inertia='1'><frame name='f' x='0.3'/></planar_body>"
        "<planar_body name='b' mass='3' inertia='2'><frame name='f' y='0.2'/></planar_body>"
        "<spring_damper name='s' first='a.f' second='b' stiffness='30' damping='2' "
        "free_length='1'/>"
        "<revolute name='hinge' first='a.f' second='b.f'/><distance name='rod' first='a' "
        "length='2'/>";
    for (int s = 2; s <= STAGES_MAX; s++) {
        check_stage_matrix(hinges, s, 0.1, 1e-6);
    }
}

// --- frequencies ---

static void test_bound_on_frequencies(void** state) {
    (void)state;
    static const struct {
        const char* content;
        double omega;  // largest of the mechanism
    } cases[] = {
        {"<point_mass name='a' mass='2'/><point_mass name='b' mass='2' initial_x='1'/>"
         "<spring_damper name='s' first='a' second='b' stiffness='9' free_length='1'/>",
         3.0},
        // linear elements with consistent masses: 12 E / (rho h^2)
        {"<elastic_bar name='a' length='10' elements='10' area='1' "
         "youngs_modulus='3' density='1'/>",
         6.0},
        {"<point_mass name='a' mass='2'/>", 0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Simulation* simulation = mechanism_new(cases[i].content);
        const System* sys = &simulation->model.system;
        double scratch[2 * MOST];
        start(simulation);
        const State* s = &simulation->state;
        Instant* present = &simulation->workspace.present;
        instant_set(sys, s, 0.0, s->q, s->u, present);
        const double bound = system_frequency_bound(sys, present, scratch);
        assert_true(bound >= cases[i].omega * (1.0 - 1e-12) && bound <= cases[i].omega * 1.1);
        simulation_destroy(simulation);
    }
}

// A torsional spring on a pendulum: k / (theta + m l^2), not k / theta
static void test_frequency_with_joints(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<planar_body name='a' mass='2' inertia='0.5' initial_x='3'><point name='top' x='-3'/>"
        "</planar_body><revolute name='r' first='a.top'/>"
        "<torsional_spring_damper name='s' first='a' stiffness='37'/>");
    const System* sys = &simulation->model.system;
    Workspace* w = &simulation->workspace;
    double scratch[2 * MOST];
    start(simulation);
    const State* s = &simulation->state;
    instant_set(sys, s, 0.0, s->q, s->u, &w->present);
    joint_set_evaluate(sys, &w->present, false, &w->joints);
    newton_matrix_forget(w->matrix);
    assert_int_equal(
        newton_matrix_factor(sys, &w->present, &w->joints, &(MatrixTerms){0}, w->matrix),
        STATUS_OK);
    const double bound = system_frequency_bound(sys, &w->present, scratch);
    const double omega = system_frequency(sys, &w->present, w->matrix, bound, scratch);
    assert_close(bound, sqrt(37.0 / 0.5), 1e-12, "bound");
    assert_true(omega >= sqrt(2.0) * (1.0 - 1e-12) && omega <= sqrt(2.0) * 1.11);
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions_on_the_order),
        cmocka_unit_test(test_combined_rows_belong_to_their_forces),
        cmocka_unit_test(test_positions_of_the_stages),
        cmocka_unit_test(test_stage_matrix),
        cmocka_unit_test(test_stage_matrix_of_hinges),
        cmocka_unit_test(test_bound_on_frequencies),
        cmocka_unit_test(test_frequency_with_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
