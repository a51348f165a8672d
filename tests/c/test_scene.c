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
    {"curve", "<curve name='s' function='0.3*x^2'/>", true, false, false, on_curve},
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
    assert_int_equal(n, 2 * (10 + 16));  // all pairs of contact_pairs, both ways
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

// --- surfaces ---

typedef struct Drawn {
    Simulation* simulation;
    Arena arena;
    Scene scene;
    SceneInstant instant;
} Drawn;

static void draw(const char* content, Drawn* drawn) {
    *drawn = (Drawn){.simulation = mechanism_new(content)};
    start(drawn->simulation);
    assert_int_equal(scene_create(drawn->simulation, &drawn->arena, &drawn->scene), STATUS_OK);
    assert_int_equal(scene_instant_create(&drawn->scene, &drawn->arena, &drawn->instant),
                     STATUS_OK);
    scene_take(drawn->simulation, &drawn->scene, &drawn->instant);
}

static void drawn_free(Drawn* drawn) {
    arena_free(&drawn->arena);
    simulation_destroy(drawn->simulation);
}

static const SceneShape* drawn_shape(const Drawn* drawn, const char* name) {
    for (int i = 0; i < drawn->scene.n_shapes; i++) {
        if (strcmp(drawn->scene.shapes[i].name, name) == 0) {
            return &drawn->scene.shapes[i];
        }
    }
    fail_msg("there is no shape %s", name);
    return NULL;
}

static Vec3 drawn_point(const Drawn* drawn, const SceneShape* shape, int i) {
    return scene_point(&drawn->instant, &shape->marker, shape->points[i]);
}

// Of n points in the world from the first one on
static double area_between(const Drawn* drawn, const SceneShape* shape, int first, int n) {
    double area = 0.0;
    for (int i = 0; i < n; i++) {
        const Vec3 a = drawn_point(drawn, shape, first + i);
        const Vec3 b = drawn_point(drawn, shape, first + (i + 1) % n);
        area += 0.5 * (a.x * b.y - a.y * b.x);
    }
    return area;
}

// A half disc of radius 2 whose bottom is 3 long to each side beyond it, on a body with its centre
// of mass aside: straight parts have their ends, arcs points on their circle.
static void test_points_around_an_outline(void** state) {
    (void)state;
    Drawn drawn;
    draw(
        "<planar_body name='a' mass='1' inertia='1' centre_of_mass_x='0.3' centre_of_mass_y='-0.2' "
        "initial_x='3' initial_y='4' initial_angle='0.7'><outline name='o' x='1' angle='0.4'>"
        "<to x='5' y='0'/><to x='2' y='0'/><arc_to x='-2' y='0' radius='2'/><to x='-5' y='0'/>"
        "<to x='0' y='-1'/></outline></planar_body>",
        &drawn);
    const SceneShape* shape = drawn_shape(&drawn, "a.o");
    const Vec3 centre = {3.0 + cos(0.7), 4.0 + sin(0.7), 0.0};
    const Vec3 along = {cos(1.1), sin(1.1), 0.0};
    int n_round = 0, n_ends = 0;
    assert_int_equal(shape->n_points, shape->n_rim);
    for (int i = 0; i < shape->n_points; i++) {
        const Vec3 p = drawn_point(&drawn, shape, i);
        const Vec3 next = drawn_point(&drawn, shape, (i + 1) % shape->n_points);
        const bool round = fabs(length3(sub3(p, centre)) - 2.0) < 1e-9;
        const bool round_next = fabs(length3(sub3(next, centre)) - 2.0) < 1e-9;
        n_round += round;
        n_ends += length3(sub3(p, add3(centre, scale3(5.0, along)))) < 1e-9;
        if (round && round_next) {
            const double middle = length3(sub3(scale3(0.5, add3(p, next)), centre));
            assert_true(middle > 0.998 * 2.0);
        }
    }
    assert_int_equal(n_ends, 1);
    assert_int_equal(n_round, shape->n_points - 3);
    assert_true(n_round >= 25 && n_round <= 30);
    const double area = 0.5 * 3.14159265358979 * 4.0 + 5.0;
    assert_close(area_between(&drawn, shape, 0, shape->n_rim), area, 0.02, "area");
    drawn_free(&drawn);
}

static void test_walls_and_holes(void** state) {
    (void)state;
    Drawn drawn;
    draw(
        "<ground><segment name='thin' x_1='1' y_1='2' x_2='3' y_2='5'/>"
        "<segment name='thick' x_2='2' thickness='0.4'/>"
        "<arc name='half' radius='1' from_angle='0' to_angle='pi' thickness='0.2'/>"
        "<arc name='hoop' x='7' radius='1' from_angle='1' to_angle='1+2*pi' thickness='0.2'/>"
        "</ground><point_mass name='a' mass='1'/>"
        "<part name='moved'><ground><polygon name='tile' sides='4' radius='1'/></ground></part>"
        "<use part='moved' name='there' x='10' y='20' angle='pi/4'/>",
        &drawn);
    const double pi = 3.14159265358979;
    const SceneShape* thin = drawn_shape(&drawn, "ground.thin");
    assert_int_equal(thin->n_points, 2);
    const Vec3 ends = add3(drawn_point(&drawn, thin, 0), drawn_point(&drawn, thin, 1));
    assert_vector(ends, (Vec3){4.0, 7.0, 0.0}, "ends of the wall");
    const SceneShape* thick = drawn_shape(&drawn, "ground.thick");
    assert_close(area_between(&drawn, thick, 0, thick->n_rim), 0.8 + 0.04 * pi, 2e-3, "wall");
    const SceneShape* half = drawn_shape(&drawn, "ground.half");
    assert_int_equal(half->n_points, half->n_rim);
    assert_close(area_between(&drawn, half, 0, half->n_rim), 0.2 * pi + 0.01 * pi, 4e-3, "arc");
    const SceneShape* hoop = drawn_shape(&drawn, "ground.hoop");
    const int n_hole = hoop->n_points - hoop->n_rim;
    assert_close(area_between(&drawn, hoop, 0, hoop->n_rim), 1.21 * pi, 0.02, "hoop");
    assert_close(area_between(&drawn, hoop, hoop->n_rim, n_hole), -0.81 * pi, 0.02, "its hole");
    const SceneShape* tile = drawn_shape(&drawn, "there.ground.tile");
    assert_int_equal(tile->n_points, 4);
    for (int i = 0; i < 4; i++) {
        const Vec3 p = drawn_point(&drawn, tile, i);
        assert_close(fabs(p.x - 10.0), sqrt(0.5), 1e-12, "x of a corner");
        assert_close(fabs(p.y - 20.0), sqrt(0.5), 1e-12, "y of a corner");
    }
    drawn_free(&drawn);
}

// A gear of many arcs has more of them than are worth points.
static void test_points_of_many_arcs(void** state) {
    (void)state;
    enum { TEETH = 200 };
    char* text = calloc(TEETH + 2, 128);
    assert_non_null(text);
    char* at = text + sprintf(text, "<ground><outline name='gear'>");
    for (int i = 0; i < 2 * TEETH; i++) {
        const double angle = 3.14159265358979 * i / TEETH;
        at += sprintf(at, "<arc_to x='%.9f' y='%.9f' radius='%s'/>", 100.0 * cos(angle),
                      100.0 * sin(angle), i % 2 == 0 ? "0.8" : "-0.8");
    }
    sprintf(at, "</outline></ground><planar_body name='a' mass='1' inertia='1'/>");
    Drawn drawn;
    draw(text, &drawn);
    const SceneShape* gear = drawn_shape(&drawn, "ground.gear");
    assert_true(gear->n_points >= 2 * TEETH && gear->n_points < 1000);
    drawn_free(&drawn);
    free(text);
}

// Faces look outwards, and the volume between them and the origin is that of the hull.
static void test_solids(void** state) {
    (void)state;
    Drawn drawn;
    draw(
        "<spatial_body name='a' mass='1' inertia_xx='1' inertia_yy='1' inertia_zz='1' "
        "centre_of_mass_x='0.25' initial_x='3' initial_z='2'>"
        "<hull name='h' x='1' rotation_z='0.3' rounding='0.05'>"
        "<vertex/><vertex x='2'/><vertex y='3'/><vertex z='4'/><vertex x='2' y='3'/>"
        "<vertex x='2' z='4'/><vertex y='3' z='4'/><vertex x='2' y='3' z='4'/>"
        "<vertex x='1' y='1' z='1'/></hull>"
        "<capsule name='c' x_1='1' y_1='2' z_1='3' x_2='2' y_2='4' z_2='5' radius='0.5'/>"
        "<cylinder name='z' x='1' axis_y='2' axis_z='0' radius='0.5' length='3'/></spatial_body>",
        &drawn);
    const SceneShape* hull = drawn_shape(&drawn, "a.h");
    double volume = 0.0;
    assert_int_equal(hull->n_points, 8);
    assert_int_equal(hull->n_faces, 6);
    assert_close(hull->radius, 0.05, 1e-15, "rounding");
    for (int f = 0; f < hull->n_faces; f++) {
        const SceneFace* face = &hull->faces[f];
        assert_int_equal(face->n, 4);
        for (int k = 1; k + 1 < face->n; k++) {
            const Vec3 a = hull->points[face->corners[0]];
            const Vec3 b = hull->points[face->corners[k]];
            const Vec3 c = hull->points[face->corners[k + 1]];
            volume += dot3(a, cross3(b, c)) / 6.0;
        }
    }
    assert_close(volume, 24.0, 1e-12, "volume");
    double furthest = 0.0;
    for (int i = 0; i < hull->n_points; i++) {
        furthest = fmax(furthest, drawn_point(&drawn, hull, i).x);
    }
    assert_close(furthest, 4.0 + 2.0 * cos(0.3), 1e-12, "x of the hull in the world");
    const SceneShape* capsule = drawn_shape(&drawn, "a.c");
    assert_int_equal(capsule->n_sizes, 1);
    assert_close(capsule->sizes[0], 3.0, 1e-12, "length");
    for (int side = -1; side <= 1; side += 2) {
        const Vec3 end = scene_point(&drawn.instant, &capsule->marker, (Vec3){0, 0, 1.5 * side});
        assert_vector(end, (Vec3){4.5 + 0.5 * side, 3.0 + side, 6.0 + side}, "end of the capsule");
    }
    const SceneShape* cylinder = drawn_shape(&drawn, "a.z");
    assert_close(cylinder->sizes[0], 3.0, 1e-15, "length");
    assert_vector(scene_point(&drawn.instant, &cylinder->marker, (Vec3){0, 0, 1.5}),
                  (Vec3){4.0, 1.5, 2.0}, "end of the cylinder");
    drawn_free(&drawn);
}

// Contacts that are found are one for all their points, of groups without shapes; each point has a
// touch of its own.
static void test_found_contacts(void** state) {
    (void)state;
    Drawn drawn;
    draw(
        "<gravity y='-10'/><solver step_size='0.01'/>"
        "<planar_body name='a' mass='1' inertia='1' initial_y='0.5'>"
        "<polygon name='p' group='grain'><vertex x='-1' y='-0.5'/><vertex x='1' y='-0.5'/>"
        "<vertex y='1'/></polygon></planar_body>"
        "<planar_body name='b' mass='1' inertia='1' initial_x='5' initial_y='0.5'>"
        "<polygon name='p'><vertex x='-1' y='-0.5'/><vertex x='1' y='-0.5'/><vertex y='1'/>"
        "</polygon></planar_body><ground><line name='floor' group='wall'/></ground>"
        "<contacts name='all' first='grain' second='wall'/>"
        "<contact name='one' first='b.p' second='ground.floor'/>",
        &drawn);
    advance(drawn.simulation, 0.05);
    scene_take(drawn.simulation, &drawn.scene, &drawn.instant);
    assert_int_equal(drawn.scene.n_contacts, 2);
    double sums[2] = {0.0, 0.0};
    for (int i = 0; i < drawn.instant.n_touches; i++) {
        const SceneTouch* touch = &drawn.instant.touches[i];
        assert_close(touch->point.y, 0.0, 1e-3, "height of a touch");
        sums[touch->contact] += touch->force.y;
    }
    for (int k = 0; k < 2; k++) {
        const SceneContact* contact = &drawn.scene.contacts[k];
        const bool group = strcmp(contact->name, "all") == 0;
        assert_true((contact->first == NULL) == group);
        assert_int_equal(contact->state, -1);
        assert_close(fabs(sums[k]), 10.0, 1e-6, "weight");
    }
    assert_int_equal(drawn.instant.n_touches, 4);
    drawn_free(&drawn);
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
        cmocka_unit_test(test_contact_points),           cmocka_unit_test(test_bodies_shapes_links),
        cmocka_unit_test(test_points_around_an_outline), cmocka_unit_test(test_walls_and_holes),
        cmocka_unit_test(test_points_of_many_arcs),      cmocka_unit_test(test_solids),
        cmocka_unit_test(test_found_contacts),           cmocka_unit_test(test_impacts),
        cmocka_unit_test(test_largest_impacts_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
