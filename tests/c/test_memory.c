// How much a body takes that is one of many: counted in what the arenas hand out, not in what the
// system happens to have at hand.
#include "mechanism.h"

#include "simulation/simulation_struct.h"

// Balls beside each other, of a radius that follows from a parameter or of a constant one
static Simulation* make_balls(int n, bool computed) {
    enum { SIZE = 1024 };
    char text[SIZE];
    snprintf(text, sizeof text,
             "<solver scheme='cone_complementarity' step_size='1e-3'/><gravity z='-9.81'/>"
             "<parameter name='radius' value='0.1' min='0.01' max='1'/>"
             "<spatial_body name='first' mass='1' inertia_xx='1' inertia_yy='1' inertia_zz='1'/>"
             "<repeat count='%d'><spatial_body name='ball' initial_x='i'>"
             "<sphere name='skin' radius='%s' density='1000'/></spatial_body></repeat>",
             n, computed ? "radius*(1 + 0.001*i)" : "0.1");
    return mechanism_new(text);
}

static void start_and_move(Simulation* simulation) {
    start(simulation);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(simulation_advance(simulation, 1e-3, NULL), STATUS_OK);
    }
}

typedef struct Taken {
    double bytes, snapshot;
} Taken;

static Taken measure(int n) {
    Simulation* simulation = make_balls(n, false);
    start_and_move(simulation);
    const Taken taken = {(double)(simulation->arena.n_bytes + simulation->contact_arena.n_bytes +
                                  simulation->outgrown.n_bytes),
                         (double)simulation_snapshot_size(simulation)};
    simulation_destroy(simulation);
    return taken;
}

static void test_bytes_per_body(void** state) {
    (void)state;
    enum { FEW = 100, MANY = 1100 };
    static const double MOST = 3850.0;
    const Taken few = measure(FEW);
    const Taken many = measure(MANY);
    const double bytes = (many.bytes - few.bytes) / (MANY - FEW);
    const double snapshot = (many.snapshot - few.snapshot) / (MANY - FEW);
    if (bytes > MOST) {
        fail_msg("%g bytes of a body: at most %g are expected", bytes, MOST);
    }
    assert_close(snapshot, 13.0 * sizeof(double), 0.0, "q and u alone");
}

// Of equal shapes the parameters are there once, and none has markers that nobody refers to; what
// follows from user parameters is each one's own.
static void test_shapes_share(void** state) {
    (void)state;
    enum { N = 5 };
    for (int computed = 0; computed < 2; computed++) {
        Simulation* simulation = make_balls(N, computed);
        const System* sys = &simulation->model.system;
        const Element* last = NULL;
        int n_shapes = 0;
        for (int i = 0; i < sys->n_elements; i++) {
            const Element* shape = &sys->elements[i];
            if (shape->kind->role != ROLE_SHAPE) {
                continue;
            }
            if (last != NULL) {
                assert_int_equal(shape->p.at == last->p.at, !computed);
            }
            assert_int_equal(shape->marker, -1);
            last = shape;
            n_shapes++;
        }
        assert_int_equal(n_shapes, N);
        assert_int_equal(sys->n_markers, 1);  // the ground's origin
        assert_true(last->p.at + last->p.n <= sys->n_parameters);
        simulation_destroy(simulation);
    }
}

// What no state keeps follows from what it does.
static void test_computed_parameters_follow_states(void** state) {
    (void)state;
    Simulation* simulation = make_balls(5, true);
    const System* sys = &simulation->model.system;
    const Element* body = sys->bodies[3];
    const int mass = body->p.at;
    const int n = sys->n_parameters;
    double* p = calloc((size_t)n, sizeof *p);
    void* snapshot = malloc(simulation_snapshot_size(simulation));
    assert_true(p != NULL && snapshot != NULL && mass >= sys->n_open);
    memcpy(p, simulation->state.p, (size_t)n * sizeof *p);
    simulation_save(simulation, snapshot);
    const size_t size = simulation_snapshot_size(simulation);

    set_value(simulation, "radius", 0.2);
    assert_close(simulation->state.p[mass] / p[mass], 8.0, 1e-12, "mass of the larger ball");
    start_and_move(simulation);
    assert_int_equal(simulation_restore(simulation, snapshot, size), STATUS_OK);
    assert_memory_equal(p, simulation->state.p, (size_t)n * sizeof *p);

    set_value(simulation, "radius", 0.2);
    simulation_reset(simulation);
    assert_memory_equal(p, simulation->state.p, (size_t)n * sizeof *p);

    assert_int_equal(simulation_initialize(simulation, 0.0, NULL), STATUS_OK);
    assert_int_equal(simulation_set(simulation, index_of(simulation, "radius"), 2.0),
                     STATUS_OUT_OF_RANGE);
    assert_memory_equal(p, simulation->state.p, (size_t)n * sizeof *p);
    free(p);
    free(snapshot);
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_per_body),
        cmocka_unit_test(test_shapes_share),
        cmocka_unit_test(test_computed_parameters_follow_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
