// Contacts of shapes with known distances and directions, in the plane and in space. Derivatives of
// all pairs are in test_kernels.c.
#include "mechanism.h"

#include "elements/contact.h"
#include "reader/element_kinds.h"

static void test_gaps_of_the_plane(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<planar_body name='a' mass='1' inertia='1' initial_x='3' initial_y='4'>"
        "<circle name='s' radius='0.5'/></planar_body>"
        "<ground><circle name='disc' radius='1'/><ring name='hole' radius='7'/>"
        "<line name='floor' y='1'/><line name='wall' x='5' normal_angle='pi'/></ground>"
        "<contact name='c1' first='a.s' second='ground.disc'/>"
        "<contact name='c2' first='ground.hole' second='a.s'/>"
        "<contact name='c3' first='a.s' second='ground.floor'/>"
        "<contact name='c4' first='ground.wall' second='a.s'/>");
    start(simulation);
    assert_close(value_of(simulation, "c1.gap"), 3.5, 1e-15, "disc");
    assert_close(value_of(simulation, "c2.gap"), 1.5, 1e-15, "hole");
    assert_close(value_of(simulation, "c3.gap"), 2.5, 1e-15, "floor");
    assert_close(value_of(simulation, "c4.gap"), 1.5, 1e-15, "wall");
    simulation_destroy(simulation);
}

static void test_gaps_of_space(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<spatial_body name='a' mass='1' inertia_xx='1' inertia_yy='1' inertia_zz='1' "
        "initial_x='3' initial_y='4' initial_z='2' centre_of_mass_x='0.3'>"
        "<sphere name='s' radius='0.5'/><point name='p' z='1'/></spatial_body>"
        "<ground><sphere name='ball' z='2' radius='1'/><hollow_sphere name='hole' z='2' "
        "radius='7'/>"
        "<plane name='floor' z='1'/><plane name='wall' x='5' normal_x='-2' normal_z='0'/>"
        "<shaft name='shaft' z='9' radius='1'/><bore name='bore' axis_x='3' axis_z='0' radius='9'/>"
        "</ground>"
        "<contact name='c1' first='a.s' second='ground.ball'/>"
        "<contact name='c2' first='ground.hole' second='a.s'/>"
        "<contact name='c3' first='a.s' second='ground.floor'/>"
        "<contact name='c4' first='ground.wall' second='a.s'/>"
        "<contact name='c5' first='a.s' second='ground.shaft'/>"
        "<contact name='c6' first='ground.bore' second='a.s'/>"
        "<contact name='c7' first='a.p' second='ground.floor'/>");
    start(simulation);
    assert_close(value_of(simulation, "c1.gap"), 3.5, 1e-14, "ball");
    assert_close(value_of(simulation, "c2.gap"), 1.5, 1e-14, "hole");
    assert_close(value_of(simulation, "c3.gap"), 0.5, 1e-14, "floor");
    assert_close(value_of(simulation, "c4.gap"), 1.5, 1e-14, "wall");
    assert_close(value_of(simulation, "c5.gap"), 3.5, 1e-14, "shaft");
    assert_close(value_of(simulation, "c6.gap"), 9.0 - 0.5 - sqrt(20.0), 1e-14, "bore");
    assert_close(value_of(simulation, "c7.gap"), 2.0, 1e-14, "point");
    simulation_destroy(simulation);
}

// Of a ball on a floor the tangent points to the right, whichever shape is named first: rotation
// to the left adds to it.
static void test_sliding_velocity(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<planar_body name='a' mass='1' inertia='1' initial_y='0.5' initial_velocity_x='2' "
        "initial_angular_velocity='3'><circle name='s' radius='0.5'/></planar_body>"
        "<ground><line name='floor'/></ground>"
        "<contact name='c1' first='a.s' second='ground.floor'/>"
        "<contact name='c2' first='ground.floor' second='a.s'/>");
    start(simulation);
    assert_close(value_of(simulation, "c1.sliding_velocity"), 2.0 + 0.5 * 3.0, 1e-14, "first");
    assert_close(value_of(simulation, "c2.sliding_velocity"), 2.0 + 0.5 * 3.0, 1e-14, "second");
    simulation_destroy(simulation);
}

// Drilling: the angular velocity about the normal, scaled by the radius of the contact area.
static void test_drilling_velocity(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<spatial_body name='a' mass='1' inertia_xx='1' inertia_yy='1' inertia_zz='1' "
        "initial_z='0.5' initial_velocity_x='3' initial_velocity_y='4' "
        "initial_angular_velocity_z='2'><sphere name='s' radius='0.5'/></spatial_body>"
        "<ground><plane name='floor'/></ground>"
        "<contact name='c' first='a.s' second='ground.floor' contact_radius='0.01'/>");
    start(simulation);
    const double along_1 = value_of(simulation, "c.sliding_velocity_1");
    const double along_2 = value_of(simulation, "c.sliding_velocity_2");
    assert_close(along_1 * along_1 + along_2 * along_2, 25.0, 1e-13, "sliding");
    assert_close(value_of(simulation, "c.drilling_velocity"),
                 3.0 * 3.14159265358979323846 / 16.0 * 0.01 * 2.0, 1e-15, "drilling");
    simulation_destroy(simulation);
}

// Coincident centres have no normal; the values stay finite.
static void test_coincident_centres(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<planar_body name='a' mass='1' inertia='1' initial_velocity_x='1'>"
        "<circle name='s' radius='0.5'/></planar_body>"
        "<ground><ring name='hole' radius='1'/><circle name='disc' radius='1'/></ground>"
        "<contact name='in' first='a.s' second='ground.hole'/>"
        "<contact name='on' first='a.s' second='ground.disc'/>");
    start(simulation);
    assert_close(value_of(simulation, "in.gap"), 0.5, 0.0, "gap inside");
    assert_close(value_of(simulation, "on.gap"), -1.5, 0.0, "gap outside");
    assert_true(isfinite(value_of(simulation, "in.sliding_velocity")));
    assert_true(isfinite(value_of(simulation, "a.acceleration_x")));
    simulation_destroy(simulation);
}

static void test_coincident_axes(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<spatial_body name='a' mass='1' inertia_xx='1' inertia_yy='1' inertia_zz='1' "
        "initial_velocity_x='1'><sphere name='s' radius='0.5'/></spatial_body>"
        "<ground><bore name='bore' radius='1'/><shaft name='shaft' radius='1'/></ground>"
        "<contact name='in' first='a.s' second='ground.bore'/>"
        "<contact name='on' first='a.s' second='ground.shaft'/>");
    start(simulation);
    assert_close(value_of(simulation, "in.gap"), 0.5, 0.0, "gap inside");
    assert_close(value_of(simulation, "on.gap"), -1.5, 0.0, "gap outside");
    assert_true(isfinite(value_of(simulation, "in.sliding_velocity_1")));
    assert_true(isfinite(value_of(simulation, "a.acceleration_x")));
    simulation_destroy(simulation);
}

// A pair is found in either order, and none that is not in the list.
static void test_pairs(void** state) {
    (void)state;
    int n_found = 0;
    for (ShapeType first = SHAPE_NONE; first < N_SHAPE_TYPES; first++) {
        for (ShapeType second = first; second < N_SHAPE_TYPES; second++) {
            for (int planar = 0; planar < 2; planar++) {
                bool swap = true;
                bool swap_back = true;
                const RowFunctions* f = contact_rows_find(first, second, planar == 1, &swap);
                assert_ptr_equal(contact_rows_find(second, first, planar == 1, &swap_back), f);
                assert_true(f == NULL || first == second ? !swap : swap != swap_back);
                assert_true(f == NULL || f->n_rows <= CONTACT_MAX_ROWS);
                n_found += f != NULL;
            }
        }
    }
    for (int i = 0; i < n_contact_pairs; i++) {
        n_found -= (contact_pairs[i].plane != NULL) + (contact_pairs[i].space != NULL);
    }
    assert_int_equal(n_found, 0);
    bool swap;
    assert_null(contact_rows_find(SHAPE_FLAT, SHAPE_FLAT, true, &swap));
    assert_null(contact_rows_find(SHAPE_RING, SHAPE_FLAT, true, &swap));
    assert_null(contact_rows_find(SHAPE_ROUND, SHAPE_NONE, true, &swap));
    assert_null(contact_rows_find(SHAPE_ROUND, SHAPE_SHAFT, true, &swap));
    assert_null(contact_rows_find(SHAPE_CORNERS, SHAPE_CORNERS, true, &swap));
}

// Messages and documents name shapes by their tags.
static void test_tags_of_types(void** state) {
    (void)state;
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        char tag[40];
        snprintf(tag, sizeof tag, "<%s>", kind->tag);
        if (kind->role == ROLE_SHAPE) {
            assert_non_null(strstr(shape_type_tags(kind->shape, false), tag));
            assert_true((strstr(shape_type_tags(kind->shape, true), tag) != NULL) ==
                        !kind->spatial_only);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps_of_the_plane),
        cmocka_unit_test(test_gaps_of_space),
        cmocka_unit_test(test_sliding_velocity),
        cmocka_unit_test(test_drilling_velocity),
        cmocka_unit_test(test_coincident_centres),
        cmocka_unit_test(test_coincident_axes),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_tags_of_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
