// A System from elements alone: no file, no reader, no simulation.
#include "reader/element_kinds.h"
#include "numbers.h"

#include "elements/bodies.h"
#include "elements/settings.h"
#include "system/system_build.h"
#include "system/system_matrix.h"

enum { MOST_PARAMETERS = 128, N_BUILT = 8 };

typedef struct Built {
    Arena arena;
    Report report;
    Element elements[N_BUILT];
    int n;
    char message[256];
    double p[MOST_PARAMETERS];
    System sys;
} Built;

static void keep_message(void* context, Severity severity, Place place, const char* message) {
    Built* built = context;
    (void)severity;
    (void)place;
    snprintf(built->message, sizeof built->message, "%s", message);
}

// The number of the element
static int add_element(Built* built, const char* tag, int parent, int first, int second) {
    assert_true(built->n < N_BUILT);
    built->elements[built->n] = (Element){.kind = element_kind_find(tag),
                                          .name = tag,
                                          .parent = parent,
                                          .references = {first, second}};
    return built->n++;
}

static void start_building(Built* built) {
    *built = (Built){.n = 0};
    built->report = (Report){.context = built, .add = keep_message};
    add_element(built, "gravity", -1, -1, -1);
    add_element(built, "solver", -1, -1, -1);
}

static void set(Built* built, int element, const char* name, double value) {
    const Element* e = &built->elements[element];
    for (int i = 0; i < e->kind->n_parameters; i++) {
        if (strcmp(e->kind->parameters[i].name, name) == 0) {
            built->p[e->p.at + i] = value;
            return;
        }
    }
    fail_msg("<%s> has no %s", e->kind->tag, name);
}

// Kinds, numbers and start values; the rest is for system_connect.
static void number(Built* built) {
    system_number(built->elements, built->n, &built->report, &built->sys);
    assert_true(built->sys.n_parameters <= MOST_PARAMETERS);
    for (int i = 0; i < built->n; i++) {
        const Element* e = &built->elements[i];
        for (int k = 0; k < e->kind->n_parameters; k++) {
            const double start = e->kind->parameters[k].start;
            built->p[e->p.at + k] = isnan(start) ? 1.0 : start;
        }
    }
}

// A bar of two elements along x, a point at a quarter of the first one, and a wall at x = 0
typedef struct BarOnWall {
    Built built;
    int bar, point, wall;
} BarOnWall;

static void build_bar(BarOnWall* b) {
    Built* built = &b->built;
    start_building(built);
    b->bar = add_element(built, "elastic_bar", -1, -1, -1);
    b->point = add_element(built, "point", b->bar, -1, -1);
    const int ground = add_element(built, "ground", -1, -1, -1);
    b->wall = add_element(built, "line", ground, -1, -1);
    add_element(built, "contact", -1, b->point, b->wall);
    number(built);
    set(built, b->bar, "elements", 2.0);
    set(built, b->bar, "length", 4.0);
    set(built, b->point, "x", 0.5);
    set(built, b->wall, "normal_angle", 0.0);
    set(built, 0, "x", -3.0);
    set(built, 0, "y", 0.0);
}

static void test_bar_on_wall(void** state) {
    (void)state;
    static BarOnWall b;
    Built* built = &b.built;
    const System* sys = &built->sys;
    build_bar(&b);
    assert_int_equal(
        system_connect(built->elements, built->p, NULL, &built->arena, &built->report, &built->sys),
        STATUS_OK);
    assert_int_equal(built->report.n_errors, 0);
    assert_int_equal(sys->nu, 3);
    assert_int_equal(sys->n_laws, 1);
    assert_false(sys->mass_is_blocks);
    const Link* link = &sys->laws[0];
    assert_int_equal(link->coupling.n, 2);
    assert_memory_equal(link->coupling.u, ((int[]){0, 1}), 2 * sizeof(int));
    Properties properties;
    Instant instant;
    assert_int_equal(properties_create(sys, &built->arena, &properties), STATUS_OK);
    assert_int_equal(system_update_parameters(sys, built->p, &properties), STATUS_OK);
    assert_int_equal(instant_create(sys, &properties, &built->arena, &instant), STATUS_OK);
    const State s = {.p = built->p};
    // nodes at 1, 3.4 and 5: displaced from 0, 2 and 4
    instant_set(sys, &s, 0.0, (double[]){1.0, 1.4, 1.0}, (double[]){2.0, 6.0, 1.0}, &instant);
    Rows rows;
    double gamma[MAX_ROWS];
    double W[2 * 2];
    double h[3];
    system_rows(&instant, link, false, &rows);
    system_row_velocities(&instant, link, &rows, gamma);
    system_link_matrix(&instant, link, &rows, link->la.n, 2, W);
    assert_close(system_gap(&instant, link), 0.75 * 1.0 + 0.25 * 3.4, 1e-15, "gap");
    assert_close(gamma[0], 0.75 * 2.0 + 0.25 * 6.0, 1e-15, "velocity of the gap");
    assert_close(W[0], 0.75, 1e-15, "W of the first node");
    assert_close(W[2], 0.25, 1e-15, "W of the second node");
    // E A / h = 1/2, stretched by 0.4 and -0.4; mass of an element 2, its weight -6
    system_forces(sys, &instant, h);
    assert_close(h[0], -3.0 + 0.2, 1e-14, "h of the first node");
    assert_close(h[1], -6.0 - 0.2 - 0.2, 1e-14, "h of the second node");
    // the point cannot go over into the other element
    set(built, b.point, "x", 2.5);
    assert_int_equal(system_update_parameters(sys, built->p, &properties), STATUS_OUT_OF_RANGE);
    set(built, b.point, "x", 1.9);
    assert_int_equal(system_update_parameters(sys, built->p, &properties), STATUS_OK);
    arena_free(&built->arena);
}

// Any number of instants side by side
static void test_instants(void** state) {
    (void)state;
    static Built built;
    start_building(&built);
    const int body = add_element(&built, "planar_body", -1, -1, -1);
    number(&built);
    set(&built, body, "mass", 2.0);
    assert_int_equal(
        system_connect(built.elements, built.p, NULL, &built.arena, &built.report, &built.sys),
        STATUS_OK);
    Properties properties;
    Instant instants[3];
    const State s = {.p = built.p};
    assert_int_equal(properties_create(&built.sys, &built.arena, &properties), STATUS_OK);
    assert_int_equal(system_update_parameters(&built.sys, built.p, &properties), STATUS_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(instant_create(&built.sys, &properties, &built.arena, &instants[i]),
                         STATUS_OK);
    }
    for (int i = 0; i < 3; i++) {
        const double q[3] = {i, 2.0 * i, 0.1 * i};
        instant_set(&built.sys, &s, i, q, q, &instants[i]);
    }
    for (int i = 0; i < 3; i++) {
        assert_close(instants[i].t, i, 0.0, "t");
        assert_close(instants[i].frames[0].r.y, 2.0 * i, 0.0, "y");
        assert_close(instants[i].frames[0].angle, 0.1 * i, 0.0, "angle");
        assert_close(system_kinetic_energy(&built.sys, &instants[i]),
                     0.5 * (2.0 * (i * i + 4.0 * i * i) + 0.01 * i * i), 1e-14, "energy");
    }
    arena_free(&built.arena);
}

static void test_problems(void** state) {
    (void)state;
    static BarOnWall b;
    build_bar(&b);
    set(&b.built, b.point, "x", 4.1);
    assert_int_equal(system_connect(b.built.elements, b.built.p, NULL, &b.built.arena,
                                    &b.built.report, &b.built.sys),
                     STATUS_OK);
    assert_int_equal(b.built.report.n_errors, 1);
    assert_string_equal(b.built.message, "point stands outside of elastic_bar");
    arena_free(&b.built.arena);
    static Built built;
    start_building(&built);
    add_element(&built, "point_mass", -1, -1, -1);
    add_element(&built, "revolute", -1, 2, 2);
    number(&built);
    assert_int_equal(
        system_connect(built.elements, built.p, NULL, &built.arena, &built.report, &built.sys),
        STATUS_OK);
    assert_string_equal(built.message,
                        "<revolute> connects two points of the same body, point_mass");
    arena_free(&built.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bar_on_wall),
        cmocka_unit_test(test_instants),
        cmocka_unit_test(test_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
