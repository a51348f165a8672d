// Laws of contacts that are found: their order, what they share, and that their kernels see what
// the search has found.
#include "mechanism.h"

#include <math.h>

#include "simulation/simulation_struct.h"

static const char SPACE[] =
    "<solver scheme='cone_complementarity' step_size='1e-3'/><gravity z='-9.81'/>"
    "<spatial_body name='low' initial_z='0.1'>"
    "<sphere name='skin' radius='0.1' density='1000' group='balls'/></spatial_body>"
    "<ground><plane name='floor' group='walls'/>"
    "<plane name='wall' x='-0.1' normal_x='1' normal_z='0' group='walls'/></ground>"
    "<spatial_body name='high' initial_z='0.3' initial_x='0.001'>"
    "<sphere name='skin' radius='0.1' density='1000' group='balls'/></spatial_body>"
    "<spatial_body name='brick' initial_x='0.3' initial_z='0.1'>"
    "<box name='skin' length='0.2' width='0.2' height='0.2' density='1000' group='balls'/>"
    "</spatial_body>"
    "<contacts name='own' first='balls' friction_coefficient='0.3'/>"
    "<contacts name='bounds' first='balls' second='walls'/>";

static const char PLANE[] =
    "<solver scheme='moreau_jean' step_size='1e-3'/><gravity y='-9.81'/>"
    "<planar_body name='low' initial_y='0.1'>"
    "<circle name='skin' radius='0.1' density='1000' group='discs'/></planar_body>"
    "<ground><line name='floor' group='walls'/></ground>"
    "<planar_body name='high' initial_y='0.3' initial_x='0.001'>"
    "<circle name='skin' radius='0.1' density='1000' group='discs'/></planar_body>"
    "<contacts name='own' first='discs' friction_coefficient='0.3'/>"
    "<contacts name='bounds' first='discs' second='walls'/>";

// Two elements name the same shapes: contacts of both have the same ids.
static const char TWICE[] =
    "<solver scheme='moreau_jean' step_size='1e-3'/><gravity z='-9.81'/>"
    "<spatial_body name='brick' initial_z='0.11' initial_rotation_x='0.01'>"
    "<box name='skin' length='0.2' width='0.2' height='0.2' density='1000'/></spatial_body>"
    "<ground><box name='table' z='-0.5' length='3' width='3' height='1'/></ground>"
    "<contact name='one' first='brick.skin' second='ground.table' friction_coefficient='0.3'/>"
    "<contact name='other' first='brick.skin' second='ground.table'/>";

static Simulation* make(const char* text) {
    Simulation* simulation = mechanism_new(text);
    start(simulation);
    return simulation;
}

static const Element* shape_of(const System* sys, const Link* law, int side) {
    return sys->marker_elements[side == 0 ? law->marker_a : law->marker_b];
}

// The first law between two shapes
static const Link* law_between(const System* sys, const char* first, const char* second) {
    for (int k = sys->n_fixed; k < sys->n_contacts; k++) {
        const char* names[2] = {shape_of(sys, &sys->laws[k], 0)->name,
                                shape_of(sys, &sys->laws[k], 1)->name};
        if ((strcmp(names[0], first) == 0 && strcmp(names[1], second) == 0) ||
            (strcmp(names[0], second) == 0 && strcmp(names[1], first) == 0)) {
            return &sys->laws[k];
        }
    }
    fail_msg("nothing is found between %s and %s", first, second);
    return NULL;
}

static void check_laws(const Simulation* simulation) {
    const System* sys = &simulation->model.system;
    const Candidates* c = &simulation->candidates;
    assert_int_equal(c->n, sys->n_contacts - sys->n_fixed);
    for (int i = 0; i < c->n; i++) {
        const Link* law = &sys->laws[sys->n_fixed + i];
        const FoundContact* contact = &c->contacts[i];
        assert_close(system_gap(&simulation->workspace.present, law), contact->feature.gap, 1e-12,
                     "gap");
        assert_true(law->id.pair == contact->id.pair && law->id.feature == contact->id.feature);
        assert_ptr_equal(law->element, &sys->elements[contact->contact]);
        for (int side = 0; side < 2; side++) {
            assert_ptr_equal(shape_of(sys, law, side),
                             sys->colliders[found_contact_side(contact, side)].shape);
        }
        if (i > 0) {
            const FoundId before = contact[-1].id;
            assert_true(before.pair < contact->id.pair ||
                        (before.pair == contact->id.pair && before.feature <= contact->id.feature));
        }
    }
}

static void test_order_and_gaps(void** state) {
    (void)state;
    static const char* const models[] = {SPACE, PLANE, TWICE};
    for (int i = 0; i < 3; i++) {
        Simulation* simulation = make(models[i]);
        check_laws(simulation);
        for (int n = 0; n < 20; n++) {
            assert_int_equal(simulation_advance(simulation, 1e-3, NULL), STATUS_OK);
            check_laws(simulation);
        }
        simulation_destroy(simulation);
    }
}

// A ball has one marker for all its contacts; the corners of a box have one each.
static void test_markers(void** state) {
    (void)state;
    Simulation* simulation = make(SPACE);
    const System* sys = &simulation->model.system;
    const Link* pair = law_between(sys, "low.skin", "high.skin");
    const Link* on_floor = law_between(sys, "low.skin", "ground.floor");
    const Link* corner = law_between(sys, "brick.skin", "ground.floor");
    assert_true(on_floor->marker_a == pair->marker_a || on_floor->marker_a == pair->marker_b);
    assert_ptr_equal(shape_of(sys, corner + 1, 0), shape_of(sys, corner, 0));
    assert_int_not_equal(corner[1].marker_a, corner->marker_a);
    assert_true(sys->found->n_markers <= sys->n_markers + 2 * simulation->candidates.n - 3);
    simulation_destroy(simulation);
}

// Two rigid bodies of the plane, and one of them on the ground: the second in the order of the
// markers is the one whose components come later.
static void test_couplings(void** state) {
    (void)state;
    Simulation* simulation = make(PLANE);
    const System* sys = &simulation->model.system;
    const Coupling* pair = &law_between(sys, "low.skin", "high.skin")->coupling;
    const Coupling* alone = &law_between(sys, "low.skin", "ground.floor")->coupling;
    assert_int_equal(pair->n, 6);
    assert_int_equal(alone->n, 3);
    assert_memory_equal(pair->u, ((int[]){0, 1, 2, 3, 4, 5}), 6 * sizeof(int));
    assert_memory_equal(pair->column, ((int[]){0, 1, 5, 6, 7, 11}), 6 * sizeof(int));
    assert_memory_equal(pair->sides[1].entry, ((int[]){3, 4, 5}), 3 * sizeof(int));
    assert_memory_equal(alone->u, ((int[]){0, 1, 2}), 3 * sizeof(int));
    const int first = alone->sides[0].n > 0 ? 0 : TWIST_SIZE;
    assert_memory_equal(alone->column, ((int[]){first, first + 1, first + 5}), 3 * sizeof(int));
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_gaps),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_couplings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
