// What there is to draw: contact points and forces of every pair of shapes against formulas of
// their own, poses, points of bodies that bend, impacts.
#include "mechanism.h"

#include "simulation/impacts.h"
#include "simulation/scene.h"

// --- contact points ---

// What touches: a shape on a body, its touching point in the body's coordinates, and its radius.
typedef struct Toucher {
    const char* kind;
    const char* xml;
    Vec3 local;
    double radius;
    int n;  // that many contacts; the last one is looked at
    bool in_plane, in_space;
} Toucher;

static const Toucher touchers[] = {
    {"point", "<point name='p' x='0.1' y='0.2'/>", {0.1, 0.2, 0.0}, 0.0, 1, true, true},
    {"circle",
     "<circle name='p' x='0.1' y='0.2' radius='0.25'/>",
     {0.1, 0.2, 0},
     0.25,
     1,
     true,
     false},
    {"sphere",
     "<sphere name='p' x='0.1' z='0.2' radius='0.25'/>",
     {0.1, 0, 0.2},
     0.25,
     1,
     false,
     true},
    {"box",
     "<box name='p' x='0.1' y='0.2' length='0.4' height='0.6'/>",
     {0.3, 0.5, 0},
     0,
     4,
     true,
     false},
    {"box",
     "<box name='p' x='0.1' length='0.4' width='0.2' height='0.6'/>",
     {0.3, 0.1, 0.3},
     0,
     8,
     false,
     true},
    {"pin",
     "<pin name='p' y='0.1' radius='0.25' length='0.5'/>",
     {0, 0.1, 0.25},
     0.25,
     2,
     false,
     true},
};

// What is touched, at the ground's origin: from the centre of what touches, the normal there and
// the point of the surface.
typedef struct Surface {
    const char* kind;
    const char* xml;
    bool in_plane, in_space;
    bool corners;  // boxes and pins touch it
    void (*foot)(Vec3 c, Vec3* n, Vec3* on_surface);
} Surface;

static const double SMALL = 1.0, WIDE = 2.0;  // radii

static Vec3 unit(Vec3 a) { return scale3(1.0 / length3(a), a); }

static void on_round(Vec3 c, Vec3* n, Vec3* x) {
    *n = unit(c);
    *x = scale3(SMALL, unit(c));
}
static void in_ring(Vec3 c, Vec3* n, Vec3* x) {
    *n = scale3(-1.0, unit(c));
    *x = scale3(WIDE, unit(c));
}
static void on_flat(Vec3 normal, Vec3 c, Vec3* n, Vec3* x) {
    *n = normal;
    *x = sub3(c, scale3(dot3(normal, c), normal));
}
static void on_line(Vec3 c, Vec3* n, Vec3* x) { on_flat((Vec3){cos(1.2), sin(1.2), 0.0}, c, n, x); }
static void on_plane(Vec3 c, Vec3* n, Vec3* x) {
    on_flat((Vec3){1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, c, n, x);
}
// y = 0.3 x^2: where the way to c is perpendicular to the curve, found by halving what surrounds
// the nearest of many points
static double along_curve(Vec3 c, double s) { return (s - c.x) + (0.3 * s * s - c.y) * 0.6 * s; }

static void on_curve(Vec3 c, Vec3* n, Vec3* x) {
    static const double SPACING = 1e-3;
    double nearest = c.x;
    for (int i = -2000; i <= 2000; i++) {
        const double s = c.x + SPACING * i;
        const bool nearer =
            hypot(c.x - s, c.y - 0.3 * s * s) < hypot(c.x - nearest, c.y - 0.3 * nearest * nearest);
        nearest = nearer ? s : nearest;
    }
    double low = nearest - SPACING, high = nearest + SPACING;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(along_curve(c, middle) < 0.0 ? &low : &high) = middle;
    }
    *n = unit((Vec3){-0.6 * low, 1.0, 0.0});
    *x = (Vec3){low, 0.3 * low * low, 0.0};
}
static void on_shaft(Vec3 c, Vec3* n, Vec3* x) {
    *n = unit((Vec3){c.x, c.y, 0.0});
    *x = add3(scale3(SMALL, *n), ((Vec3){0.0, 0.0, c.z}));
}
static void in_bore(Vec3 c, Vec3* n, Vec3* x) {
    *n = scale3(-1.0, unit((Vec3){c.x, c.y, 0.0}));
    *x = add3(scale3(-WIDE, *n), ((Vec3){0.0, 0.0, c.z}));
}

static const Surface surfaces[] = {
    {"circle", "<circle name='s' radius='1'/>", true, false, false, on_round},
    {"ring", "<ring name='s' radius='2'/>", true, false, true, in_ring},
    {"line", "<line name='s' normal_angle='1.2'/>", true, false, true, on_line},
    {"curve", "<curve name='s' function='0.3*x^2'/>", true, false, true, on_curve},
    {"sphere", "<sphere name='s' radius='1'/>", false, true, false, on_round},
    {"hollow_sphere", "<hollow_sphere name='s' radius='2'/>", false, true, true, in_ring},
    {"plane", "<plane name='s' normal_x='1' normal_y='2' normal_z='2'/>", false, true, true,
     on_plane},
    {"shaft", "<shaft name='s' radius='1'/>", false, true, false, on_shaft},
    {"bore", "<bore name='s' radius='2'/>", false, true, true, in_bore},
};

enum { N_TOUCHERS = sizeof touchers / sizeof touchers[0] };
enum { N_SURFACES = sizeof surfaces / sizeof surfaces[0] };

static const Vec3 place = {0.8, 0.7, 0.4};  // of the body; z of those in space
static const double ANGLE = 0.3;            // of its rotation

static Simulation* make_pair(const Toucher* toucher, const Surface* surface, bool planar,
                             bool swapped) {
    char text[1024];
    snprintf(text, sizeof text,
             "<%s name='a' mass='1' %s>%s</%s><ground>%s</ground>"
             "<contact name='c' first='%s' second='%s'/>",
             planar ? "planar_body" : "spatial_body",
             planar ? "inertia='1'" : "inertia_xx='1' inertia_yy='1' inertia_zz='1'", toucher->xml,
             planar ? "planar_body" : "spatial_body", surface->xml, swapped ? "ground.s" : "a.p",
             swapped ? "a.p" : "ground.s");
    Simulation* simulation = mechanism_new(text);
    start(simulation);
    return simulation;
}

static void give(const Simulation* simulation, double* values, const char* name, double value) {
    values[index_of(simulation, name)] = value;
}

// The body where it is to be, and its last contact closed with a normal force of 7 N
static void fill_values(const Simulation* simulation, const Toucher* toucher, bool planar,
                        Vec3 axis, double* values) {
    char name[32];
    for (int i = 0; i < simulation_variables(simulation)->n_variables; i++) {
        values[i] = NAN;
    }
    give(simulation, values, "a.x", place.x);
    give(simulation, values, "a.y", place.y);
    if (planar) {
        give(simulation, values, "a.angle", ANGLE);
    } else {
        const double s = sin(0.5 * ANGLE);
        give(simulation, values, "a.z", place.z);
        give(simulation, values, "a.quaternion_0", cos(0.5 * ANGLE));
        give(simulation, values, "a.quaternion_1", s * axis.x);
        give(simulation, values, "a.quaternion_2", s * axis.y);
        give(simulation, values, "a.quaternion_3", s * axis.z);
    }
    snprintf(name, sizeof name, toucher->n > 1 ? "c[%d].state" : "c.state", toucher->n);
    give(simulation, values, name, 3.0);
    snprintf(name, sizeof name, toucher->n > 1 ? "c[%d].normal_force" : "c.normal_force",
             toucher->n);
    give(simulation, values, name, 7.0);
}

static void assert_vector(Vec3 found, Vec3 expected, const char* what) {
    if (!(length3(sub3(found, expected)) < 1e-9)) {
        fail_msg("%s: (%.12g %.12g %.12g), not (%.12g %.12g %.12g)", what, found.x, found.y,
                 found.z, expected.x, expected.y, expected.z);
    }
}

static void check_pair(const Toucher* toucher, const Surface* surface, bool planar, bool swapped) {
    Simulation* simulation = make_pair(toucher, surface, planar, swapped);
    const Vec3 axis = planar ? (Vec3){0.0, 0.0, 1.0} : (Vec3){1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
    double* values = calloc((size_t)simulation_variables(simulation)->n_variables, sizeof *values);
    Arena arena = {0};
    Scene scene;
    SceneInstant instant;
    assert_non_null(values);
    fill_values(simulation, toucher, planar, axis, values);
    assert_int_equal(scene_create(simulation, &arena, &scene), STATUS_OK);
    assert_int_equal(scene_instant_create(&scene, &arena, &instant), STATUS_OK);
    scene_place(simulation, &scene, 0.0, values, &instant);

    char what[64];
    snprintf(what, sizeof what, "%s on %s%s", toucher->kind, surface->kind,
             swapped ? ", the other way round" : "");
    assert_int_equal(instant.n_touches, 1);
    Vec3 n, on_surface;
    const Vec3 body = planar ? (Vec3){place.x, place.y, 0.0} : place;
    const Vec3 c = add3(body, turn3(rotation3(axis, ANGLE), toucher->local));
    surface->foot(c, &n, &on_surface);
    const Vec3 on_toucher = sub3(c, scale3(toucher->radius, n));
    assert_vector(instant.touches[0].point, scale3(0.5, add3(on_toucher, on_surface)), what);
    assert_vector(instant.touches[0].force, scale3(swapped ? -7.0 : 7.0, n), what);
    assert_int_equal(instant.touches[0].state, 3);
    arena_free(&arena);
    free(values);
    simulation_destroy(simulation);
}

static void test_contact_points(void** state) {
    (void)state;
    int n = 0;
    for (int i = 0; i < N_TOUCHERS; i++) {
        for (int j = 0; j < N_SURFACES; j++) {
            const bool meet = touchers[i].n == 1 || surfaces[j].corners;
            for (int planar = 0; planar < 2 && meet; planar++) {
                const bool lies = planar ? touchers[i].in_plane && surfaces[j].in_plane
                                         : touchers[i].in_space && surfaces[j].in_space;
                for (int swapped = 0; swapped < 2 && lies; swapped++, n++) {
                    check_pair(&touchers[i], &surfaces[j], planar != 0, swapped != 0);
                }
            }
        }
    }
    assert_int_equal(n, 2 * (11 + 16));  // all pairs of contact_pairs, both ways
}

// --- bodies ---

static void test_bodies_shapes_links(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<gravity y='-9.81'/>"
        "<planar_body name='a' mass='1' inertia='1' initial_x='3' initial_y='4' "
        "initial_angle='1.1'><box name='b' x='1' length='0.4' height='0.6'/></planar_body>"
        "<elastic_bar name='bar' length='2' elements='5' area='0.01' youngs_modulus='1e6' "
        "density='1000' initial_x='-7'><point name='tip' x='2'/></elastic_bar>"
        "<revolute name='hinge' first='a' second='ground'/>"
        "<force name='pull' on='bar.tip' x='1'/>"
        "<ground><line name='floor'/></ground>");
    Arena arena = {0};
    Scene scene;
    SceneInstant instant;
    Report silent = {0};
    if (simulation_initialize(simulation, 0.0, &silent) != STATUS_OK) {
        fail_msg("%s", simulation_message(simulation));
    }
    assert_int_equal(scene_create(simulation, &arena, &scene), STATUS_OK);
    assert_int_equal(scene_instant_create(&scene, &arena, &instant), STATUS_OK);
    scene_take(simulation, &scene, &instant);
    assert_true(scene.planar);
    assert_int_equal(scene.n_bodies, 3);
    assert_string_equal(scene.bodies[0].kind, "ground");
    assert_string_equal(scene.bodies[1].name, "a");
    const ScenePose* pose = &instant.poses[scene.bodies[1].pose];
    assert_vector(pose->r, (Vec3){3.0, 4.0, 0.0}, "place of a");
    assert_close(2.0 * atan2(pose->z, pose->w), 1.1, 1e-12, "its angle");
    assert_int_equal(scene.shapes[0].n_sizes, 2);
    assert_vector(scene.shapes[0].marker.position, (Vec3){1.0, 0.0, 0.0}, "middle of the box");
    assert_vector(
        scene_point(&instant, &scene.shapes[0].marker, (Vec3){0.2, 0.3, 0.0}),
        (Vec3){3.0 + 1.2 * cos(1.1) - 0.3 * sin(1.1), 4.0 + 1.2 * sin(1.1) + 0.3 * cos(1.1), 0.0},
        "its corner");
    const SceneBody* bar = &scene.bodies[2];
    assert_int_equal(bar->pose, -1);
    assert_vector(instant.points[bar->line], (Vec3){-7.0, 0.0, 0.0}, "first end");
    assert_vector(instant.points[bar->line + bar->n_points - 1], (Vec3){-5.0, 0.0, 0.0},
                  "last end");
    assert_vector(scene_point(&instant, &scene.shapes[1].marker, (Vec3){0.0, 0.0, 0.0}),
                  (Vec3){-5.0, 0.0, 0.0}, "what stands on the last end");
    assert_int_equal(scene.n_links, 2);
    assert_true(scene.links[0].joint && !scene.links[1].joint);
    assert_int_equal(scene.links[1].n_markers, 1);
    arena_free(&arena);
    simulation_destroy(simulation);
}

// --- impacts ---

// A ball that falls from 1 m strikes at sqrt(2/9.81) s with a momentum of 2 kg times 4.43 m/s,
// which restitution 0.5 makes 3/2 of; one that rests meanwhile does not strike.
static void test_impacts(void** state) {
    (void)state;
    for (int scheme = 1; scheme <= 2; scheme++) {
        Simulation* simulation = mechanism_new(
            "<gravity y='-10'/>"
            "<point_mass name='a' mass='2' initial_y='1'><point name='p'/></point_mass>"
            "<point_mass name='rest' mass='3' initial_x='1'><point name='p'/></point_mass>"
            "<ground><line name='floor'/></ground>"
            "<contact name='r' first='rest.p' second='ground.floor'/>"
            "<contact name='c' first='a.p' second='ground.floor' normal_restitution='0.5'/>");
        Arena arena = {0};
        set_value(simulation, "solver.scheme", scheme);
        start(simulation);
        ImpactList* list = impacts_watch(simulation, 10, &arena);
        assert_non_null(list);
        advance(simulation, 0.7);
        int n;
        long long n_all;
        const ImpactRecord* impacts = impacts_sorted(list, &n, &n_all);
        assert_int_equal(n, 1);
        assert_int_equal((int)n_all, 1);
        assert_int_equal(impacts[0].contact, 1);
        assert_close(impacts[0].time, sqrt(0.2), 2e-3, "time");
        assert_close(impacts[0].impulse, 1.5 * 2.0 * sqrt(20.0), 0.1, "impulse");
        arena_free(&arena);
        simulation_destroy(simulation);
    }
}

static void test_largest_impacts_are_kept(void** state) {
    (void)state;
    Arena arena = {0};
    ImpactList* list = impacts_create(3, &arena);
    int n;
    long long n_all;
    assert_non_null(list);
    for (int i = 0; i < 20; i++) {
        impacts_add(list, (ImpactRecord){.time = i, .contact = i, .impulse = (7 * i) % 20 + 1.0});
    }
    const ImpactRecord* impacts = impacts_sorted(list, &n, &n_all);
    assert_int_equal(n, 3);
    assert_int_equal((int)n_all, 20);
    for (int i = 0; i < n; i++) {
        assert_true(impacts[i].impulse >= 18.0);
        assert_true(i == 0 || impacts[i].time > impacts[i - 1].time);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contact_points),
        cmocka_unit_test(test_bodies_shapes_links),
        cmocka_unit_test(test_impacts),
        cmocka_unit_test(test_largest_impacts_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
