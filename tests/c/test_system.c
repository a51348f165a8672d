// Assembly: mass blocks, weight, energies, and the rows of contacts in the system's numbering.
#include "mechanism.h"

#include "simulation/simulation_struct.h"

static const char content[] =
    "<gravity x='1' y='-10'/>"
    "<point_mass name='m' mass='2' initial_x='0.5' initial_y='0.25' initial_velocity_x='1'>"
    "<point name='p'/></point_mass>"
    "<ground><line name='floor'/></ground>"
    "<planar_body name='b' mass='3' inertia='4' initial_x='-1' initial_y='2' initial_angle='0.1'"
    " initial_velocity_x='5' initial_velocity_y='6' initial_angular_velocity='7'>"
    "<circle name='c' x='1' radius='0.5'/></planar_body>"
    "<spring_damper name='k' first='m' second='b.c' stiffness='6' free_length='1'/>"
    "<contact name='c1' first='b.c' second='ground.floor'/>"
    "<contact name='c2' first='m.p' second='b.c'/>";

static void test_numbering(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    const System* sys = &simulation->model.system;
    assert_int_equal(sys->nq, 5);
    assert_int_equal(sys->nu, 5);
    assert_int_equal(sys->n_bodies, 2);
    assert_int_equal(sys->n_mass, 4 + 9);
    assert_int_equal(sys->n_contacts, 2);
    assert_true(sys->velocity_dependent);
    start(simulation);
    const double q[5] = {0.5, 0.25, -1.0, 2.0, 0.1};
    const double u[5] = {1.0, 0.0, 5.0, 6.0, 7.0};
    assert_memory_equal(simulation->state.q, q, sizeof q);
    assert_memory_equal(simulation->state.u, u, sizeof u);
    // the body alone, since the ground has no velocities; the mass (first), then the body
    const int velocities[5] = {0, 1, 2, 3, 4};
    const int of_two[5] = {0, 1, 6, 7, 11};
    const Coupling* coupling = &sys->laws[0].coupling;
    assert_int_equal(coupling->n, 3);
    assert_memory_equal(coupling->u, velocities + 2, 3 * sizeof(int));
    assert_memory_equal(coupling->column, ((int[]){0, 1, 5}), 3 * sizeof(int));
    for (int i = 0; i < 2; i++) {
        coupling = i == 0 ? &sys->laws[1].coupling : &sys->forces[0].coupling;
        assert_int_equal(coupling->n, 5);
        assert_memory_equal(coupling->u, velocities, sizeof velocities);
        assert_memory_equal(coupling->column, of_two, sizeof of_two);
    }
    simulation_destroy(simulation);
}

static void test_mass(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    const System* sys = &simulation->model.system;
    const Instant* instant = &simulation->workspace.present;
    start(simulation);
    const double diagonal[5] = {2.0, 2.0, 3.0, 3.0, 4.0};
    const double x[5] = {1.0, -2.0, 3.0, -4.0, 5.0};
    double y[5];
    double scratch[SYSTEM_MASS_SCRATCH * 5];
    system_mass_multiply(sys, instant, x, y);
    double twice = 0.0;
    for (int i = 0; i < 5; i++) {
        assert_close(y[i], diagonal[i] * x[i], 1e-14, "M x");
        twice += diagonal[i] * x[i] * x[i];
        assert_close(instant->properties->M_diagonal[i], diagonal[i], 0.0, "diagonal");
    }
    system_mass_solve(sys, instant, scratch, y);
    for (int i = 0; i < 5; i++) {
        assert_close(y[i], x[i], 1e-14, "M^-1 M x");
    }
    assert_close(system_kinetic_energy_of(sys, instant, x), 0.5 * twice, 1e-13, "kinetic energy");
    simulation_destroy(simulation);
}

static void test_weight_and_energy(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    set_value(simulation, "k.stiffness", 0.0);
    start(simulation);
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    Instant* c = &simulation->workspace.present;
    instant_set(sys, s, 0.0, s->q, s->u, c);
    double h[5];
    system_forces(sys, c, h);
    const double weight[5] = {2.0, -20.0, 3.0, -30.0, 0.0};
    double power = 0.0;
    for (int i = 0; i < 5; i++) {
        assert_close(h[i], weight[i], 1e-14, "weight");
        power += weight[i] * s->u[i];
    }
    assert_close(system_potential_energy(sys, c), -2.0 * (0.5 - 2.5) - 3.0 * (-1.0 - 20.0), 1e-13,
                 "potential energy");
    assert_close(system_potential_rate(sys, c), -power, 1e-13, "rate");
    simulation_destroy(simulation);
}

// Masses that are no masses are found when the factors are computed.
static void test_singular_mass(void** state) {
    (void)state;
    static const double bad[] = {0.0, -1.0, NAN};
    Simulation* simulation = mechanism_new(content);
    const System* sys = &simulation->model.system;
    for (unsigned i = 0; i < 3; i++) {
        double* p = simulation->state.p + sys->bodies[1]->p.at;
        const double good = p[0];
        p[0] = bad[i];
        assert_int_equal(
            system_update_parameters(sys, simulation->state.p, &simulation->workspace.properties),
            STATUS_SINGULAR);
        p[0] = good;
    }
    assert_int_equal(
        system_update_parameters(sys, simulation->state.p, &simulation->workspace.properties),
        STATUS_OK);
    simulation_destroy(simulation);
}

// Signals see time, parameters and inputs; inputs run on with their slope.
static void test_signals(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<parameter name='a' value='3' tunable='true'/><input name='x'/><input name='y' start='2'/>"
        "<point_mass name='m' mass='1'/><force name='f' on='m' x='a*t + x' y='y^2'/>");
    set_value(simulation, "x", 7.0);
    start(simulation);
    assert_int_equal(simulation_set_slope(simulation, index_of(simulation, "x"), 10.0), STATUS_OK);
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    Instant* c = &simulation->workspace.present;
    instant_set(sys, s, 0.5, s->q, s->u, c);
    assert_close(c->signals[0].v, 1.5 + 7.0 + 5.0, 1e-14, "x");
    assert_close(c->signals[0].d, 3.0 + 10.0, 1e-14, "x'");
    assert_close(c->signals[0].dd, 0.0, 1e-14, "x''");
    assert_close(c->signals[1].v, 4.0, 1e-14, "y");
    set_value(simulation, "a", 4.0);
    instant_set(sys, s, 0.5, s->q, s->u, c);
    assert_close(c->signals[0].v, 2.0 + 7.0 + 5.0, 1e-14, "x");
    simulation_destroy(simulation);
}

// A bar of one element flies against a wall with a point at a quarter of it, T = (3/4, 1/4). With
// M = m/6 [2 1; 1 2] the percussion P that stops the point is v / (T M^-1 T^T) = 4/7 m v, and
// M^-1 T^T P = (10/7, -2/7) v: in a step this short the bar has no time to spring back.
static void test_impact_between_nodes(void** state) {
    (void)state;
    for (int i = 0; i < n_schemes; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<solver scheme='%s' step_size='1e-7'/><gravity x='0' y='0'/>"
                 "<elastic_bar name='bar' length='1' elements='1' area='2' youngs_modulus='1' "
                 "density='3' initial_x='-0.2499995' initial_velocity_x='-5'>"
                 "<point name='p' x='0.25'/></elastic_bar>"
                 "<ground><line name='wall' normal_angle='0'/></ground>"
                 "<contact name='c' first='bar.p' second='ground.wall'/>",
                 schemes[i].item.name);
        Simulation* simulation = mechanism_new(text);
        start(simulation);
        assert_close(value_of(simulation, "c.gap"), 5e-7, 1e-12, "gap");
        double total = 0.0;  // percussion
        for (int n = 0; n < 5; n++) {
            advance(simulation, 1e-7);
            total += value_of(simulation, "c.normal_percussion");
        }
        assert_close(total, 4.0 / 7.0 * 6.0 * 5.0, 1e-6, "percussion");
        assert_close(value_of(simulation, "bar.first_velocity_x"), -5.0 + 5.0 * 10.0 / 7.0, 1e-5,
                     "first");
        assert_close(value_of(simulation, "bar.last_velocity_x"), -5.0 - 5.0 * 2.0 / 7.0, 1e-5,
                     "last");
        simulation_destroy(simulation);
    }
}

// The state lies in one block, its arrays one after the other.
static void test_state_layout(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    assert_ptr_equal(s->q, (double*)(void*)(s->head + 1));
    assert_ptr_equal(s->u, s->q + 5);
    assert_ptr_equal(s->P_g, s->u + 5);
    assert_ptr_equal(s->la_g, s->P_g + sys->nla_g);
    assert_ptr_equal(s->p, s->input + 3 * sys->n_inputs);
    assert_ptr_equal((const unsigned char*)(s->p + sys->n_open),
                     (const unsigned char*)s->head + s->n_fixed);
    assert_int_equal(state_saved_size(s), s->n_fixed);  // no contacts yet
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbering),         cmocka_unit_test(test_mass),
        cmocka_unit_test(test_weight_and_energy), cmocka_unit_test(test_singular_mass),
        cmocka_unit_test(test_signals),           cmocka_unit_test(test_impact_between_nodes),
        cmocka_unit_test(test_state_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
