// Every kind of force: its derivatives in q and u against differences of the force itself, its
// potential against the force. Goes through the table of kinds, so that a new kind without a model
// here fails by its name.
#include "mechanism.h"

#include "elements/forces.h"
#include "simulation/simulation_struct.h"

#define BODIES                                                                                    \
    "<planar_body name='a' mass='2' inertia='3'><point name='p' x='0.7' y='-0.4'/>"               \
    "<point name='o' x='-0.3' y='0.6'/></planar_body>"                                            \
    "<planar_body name='b' mass='2' inertia='3'><point name='p' x='-1.1' y='0.9'/></planar_body>" \
    "<point_mass name='m' mass='2'/><ground><point name='p' x='5' y='4'/></ground>"
#define SPRING "stiffness='3' damping='0.7' free_length='1.3'"
#define TORSION "stiffness='3' damping='0.7' free_angle='0.4'"

// Models with one force each: between bodies, on the ground, on point masses, on one body twice.
static const struct {
    const char* tag;
    const char* content;
} models[] = {
    {"spring_damper", BODIES "<spring_damper name='f' first='a.p' second='b.p' " SPRING "/>"},
    {"spring_damper", BODIES "<spring_damper name='f' first='a' second='b' " SPRING "/>"},
    {"spring_damper", BODIES "<spring_damper name='f' first='a.p' second='m' " SPRING "/>"},
    {"spring_damper", BODIES "<spring_damper name='f' first='m' second='b.p' " SPRING "/>"},
    {"spring_damper", BODIES "<spring_damper name='f' first='a.p' second='ground.p' " SPRING "/>"},
    {"spring_damper", BODIES "<spring_damper name='f' first='ground.p' second='a.p' " SPRING "/>"},
    {"spring_damper", BODIES "<spring_damper name='f' first='a.p' " SPRING "/>"},
    {"spring_damper", BODIES "<spring_damper name='f' first='a.p' second='a.o' " SPRING "/>"},
    {"torsional_spring_damper",
     BODIES "<torsional_spring_damper name='f' first='a' second='b' " TORSION "/>"},
    {"torsional_spring_damper", BODIES "<torsional_spring_damper name='f' first='a' " TORSION "/>"},
    {"torsional_spring_damper",
     BODIES "<torsional_spring_damper name='f' first='ground' second='b' " TORSION "/>"},
    {"force", BODIES "<force name='f' on='a.p' x='2+t' y='-3'/>"},
    {"force", BODIES "<force name='f' on='a.p' x='2+t' y='-3' frame='body'/>"},
    {"force", BODIES "<force name='f' on='b' x='2' y='-3' frame='body'/>"},
    {"force", BODIES "<force name='f' on='m' x='2' y='-3'/>"},
    {"torque", BODIES "<torque name='f' on='a' value='2*t+1'/>"},
    {"torque", BODIES "<torque name='f' on='a' against='b' value='2*t+1'/>"},
};
enum { N_MODELS = sizeof models / sizeof models[0], MAXIMUM_NU = 16 };

static const double TIME = 0.3;

typedef struct Point {
    Simulation* simulation;
    double q[MAXIMUM_NU], u[MAXIMUM_NU];
    double* moved;  // the coordinate, of q or u, that a derivative moves
    double moved_at;
    int row;  // of h
} Point;

static Configuration configuration(Point* point) {
    return system_configuration(&point->simulation->model.system, TIME, &point->simulation->state,
                                point->q, point->u, &point->simulation->workspace);
}

static void forces(Point* point, double* h) {
    const Configuration c = configuration(point);
    system_forces(&point->simulation->model.system, &point->simulation->workspace, &c, h);
}

static double moved_force(void* context, double s) {
    Point* point = context;
    double h[MAXIMUM_NU];
    *point->moved = point->moved_at + s;
    forces(point, h);
    *point->moved = point->moved_at;
    return h[point->row];
}

static void randomize(Point* point) {
    for (int i = 0; i < MAXIMUM_NU; i++) {
        point->q[i] = random_in(-2.0, 2.0);
        point->u[i] = random_in(-2.0, 2.0);
    }
}

// column j of dh/dq or dh/du against differences
static void check_column(Point* point, double* x, int j, const double* A, const char* what) {
    const System* sys = &point->simulation->model.system;
    point->moved = &x[j];
    point->moved_at = x[j];
    for (int i = 0; i < sys->nu; i++) {
        point->row = i;
        const double expected = derivative_at_zero(moved_force, point, 0.02);
        const double value = A[j * sys->nu + i];
        if (!(fabs(value - expected) <= 1e-9 * (10.0 + fabs(expected)))) {
            fail_msg("%s[%d][%d] = %.15g, differences give %.15g", what, i, j, value, expected);
        }
    }
}

static void test_jacobians(void** state) {
    (void)state;
    for (int m = 0; m < N_MODELS; m++) {
        Point point = {.simulation = mechanism_new(models[m].content)};
        start(point.simulation);
        const System* sys = &point.simulation->model.system;
        assert_int_equal(sys->n_forces, 1);
        assert_string_equal(sys->forces[0]->kind->tag, models[m].tag);
        for (int trial = 0; trial < 10; trial++) {
            double K[MAXIMUM_NU * MAXIMUM_NU] = {0.0};
            double D[MAXIMUM_NU * MAXIMUM_NU] = {0.0};
            randomize(&point);
            const Configuration c = configuration(&point);
            system_add_force_jacobian(sys, &c, 1.0, 0.0, K);
            system_add_force_jacobian(sys, &c, 0.0, 1.0, D);
            for (int j = 0; j < sys->nu; j++) {
                check_column(&point, point.q, j, K, "dh/dq");
                check_column(&point, point.u, j, D, "dh/du");
            }
        }
        simulation_destroy(point.simulation);
    }
}

// Weights of the two matrices, and adding to what is there.
static void test_jacobian_is_added_with_weights(void** state) {
    (void)state;
    Point point = {.simulation = mechanism_new(models[0].content)};
    start(point.simulation);
    const System* sys = &point.simulation->model.system;
    double K[MAXIMUM_NU * MAXIMUM_NU] = {0.0};
    double D[MAXIMUM_NU * MAXIMUM_NU] = {0.0};
    double A[MAXIMUM_NU * MAXIMUM_NU];
    randomize(&point);
    const Configuration c = configuration(&point);
    for (int i = 0; i < MAXIMUM_NU * MAXIMUM_NU; i++) {
        A[i] = i;
    }
    system_add_force_jacobian(sys, &c, 1.0, 0.0, K);
    system_add_force_jacobian(sys, &c, 0.0, 1.0, D);
    system_add_force_jacobian(sys, &c, -0.25, 3.0, A);
    for (int i = 0; i < sys->nu * sys->nu; i++) {
        assert_close(A[i], i - 0.25 * K[i] + 3.0 * D[i], 1e-12, "A");
    }
    simulation_destroy(point.simulation);
}

static double moved_potential(void* context, double s) {
    Point* point = context;
    *point->moved = point->moved_at + s;
    const Configuration c = configuration(point);
    *point->moved = point->moved_at;
    return system_potential_energy(&point->simulation->model.system, &point->simulation->workspace,
                                   &c);
}

// At rest -dV/dq is the force (a damper rests, too); V' = dV/dq u.
static void test_potentials(void** state) {
    (void)state;
    for (int m = 0; m < N_MODELS; m++) {
        if (element_kind_find(models[m].tag)->force->potential == NULL) {
            continue;
        }
        Point point = {.simulation = mechanism_new(models[m].content)};
        start(point.simulation);
        const System* sys = &point.simulation->model.system;
        for (int trial = 0; trial < 10; trial++) {
            double h[MAXIMUM_NU];
            double u[MAXIMUM_NU];
            randomize(&point);
            const Configuration c = configuration(&point);
            const double rate = system_potential_rate(sys, &point.simulation->workspace, &c);
            memcpy(u, point.u, sizeof u);
            memset(point.u, 0, sizeof point.u);
            forces(&point, h);
            double expected_rate = 0.0;
            for (int j = 0; j < sys->nu; j++) {
                point.moved = &point.q[j];
                point.moved_at = point.q[j];
                const double gradient = derivative_at_zero(moved_potential, &point, 0.02);
                assert_close(h[j], -gradient, 1e-9 * (10.0 + fabs(gradient)), models[m].tag);
                expected_rate += gradient * u[j];
            }
            assert_close(rate, expected_rate, 1e-8 * (10.0 + fabs(rate)), models[m].tag);
        }
        simulation_destroy(point.simulation);
    }
}

// Forces between bodies have no resultant: neither force nor moment about the origin.
static void test_action_and_reaction(void** state) {
    (void)state;
    static const int of_pairs[] = {0, 1, 7, 8, 16};
    for (unsigned m = 0; m < sizeof of_pairs / sizeof of_pairs[0]; m++) {
        Point point = {.simulation = mechanism_new(models[of_pairs[m]].content)};
        double h[MAXIMUM_NU];
        start(point.simulation);
        randomize(&point);
        forces(&point, h);
        const double* q = point.q;
        assert_close(h[0] + h[3], 0.0, 1e-13, "sum of forces x");
        assert_close(h[1] + h[4], 0.0, 1e-13, "sum of forces y");
        assert_close(q[0] * h[1] - q[1] * h[0] + h[2] + q[3] * h[4] - q[4] * h[3] + h[5], 0.0,
                     1e-12, "sum of moments");
        simulation_destroy(point.simulation);
    }
}

// Where the direction of a spring is not defined, everything stays finite.
static void test_spring_of_no_length(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<point_mass name='m' mass='1'/><spring_damper name='f' first='m' stiffness='9' "
        "damping='1' free_length='0.5'/>");
    start(simulation);
    advance(simulation, 0.01);
    assert_close(value_of(simulation, "m.x"), 0.0, 0.0, "x");
    assert_close(value_of(simulation, "f.length"), 0.0, 0.0, "length");
    simulation_destroy(simulation);
}

static void test_every_kind_is_covered(void** state) {
    (void)state;
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        bool covered = kind->role != ROLE_FORCE;
        for (int m = 0; m < N_MODELS && !covered; m++) {
            covered = strcmp(models[m].tag, kind->tag) == 0;
        }
        if (!covered) {
            fail_msg("no model in this test has a <%s>", kind->tag);
        }
        if (kind->role == ROLE_FORCE) {
            assert_non_null(kind->force->force);
            assert_true(kind->force->state_dependent == (kind->force->jacobian != NULL));
            assert_true((kind->force->potential == NULL) == (kind->force->potential_rate == NULL));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_is_covered),
        cmocka_unit_test(test_jacobians),
        cmocka_unit_test(test_jacobian_is_added_with_weights),
        cmocka_unit_test(test_potentials),
        cmocka_unit_test(test_action_and_reaction),
        cmocka_unit_test(test_spring_of_no_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
