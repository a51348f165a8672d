// Derivatives of rows and forces in assembled systems against differences. The systems have every
// kind of joint, contact and force that the table of kinds has, between bodies of the plane, of
// space, driven ones and the ground.
#include "reader/element_kinds.h"
#include "neighbourhood.h"
#include "system/derivatives.h"

enum { TEXT_SIZE = 1 << 16 };

// --- systems ---

typedef struct Text {
    char text[TEXT_SIZE];
    int n, n_elements;
} Text;

static void add(Text* out, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    out->n += vsnprintf(out->text + out->n, (size_t)(TEXT_SIZE - out->n), format, arguments);
    va_end(arguments);
    assert_true(out->n < TEXT_SIZE);
}

// Values for the attributes that must be given, and for those that would be zero otherwise
static void add_values(Text* out, const ElementKind* kind) {
    for (int i = 0; i < kind->n_parameters; i++) {
        const ParameterInfo* info = &kind->parameters[i];
        if (info->type == VARIABLE_REAL && !(info->start >= 1.0)) {
            const bool product = info->unit == UNIT_KILOGRAM_METRE_SQUARED && info->min < 0.0;
            const double along = strcmp(info->name, "x") == 0 ? 0.4 : 0.0;  // corners on beams
            add(out, " %s='%.3f'", info->name, product ? 0.05 : along + random_in(0.4, 0.9));
        }
    }
    for (int i = 0; i < kind->n_signals; i++) {
        const char* function = kind->signals[i].of_x ? "0.01*x^2" : "sin(2*t)";
        add(out, " %s='%.3f + %s'", kind->signals[i].name, random_in(-0.5, 0.5), function);
    }
}

// What an attribute names where a marker is meant: the marker, or a shape, round if
// it is the first
static void add_reference(Text* out, const ReferenceInfo* info, bool spatial, int i,
                          const char* target) {
    static const char* const shapes[2][2] = {{"circle", "line"}, {"sphere", "plane"}};
    if (info->type == REFERENCE_SHAPE && strchr(target, '.') == NULL) {
        add(out, " %s='%s.%s'", info->name, target, shapes[spatial][i]);
    } else {
        add(out, " %s='%s'", info->name, target);
    }
}

// An element of the kind between two markers
static void add_element(Text* out, const ElementKind* kind, bool spatial, const char* first,
                        const char* second) {
    const char* const targets[2] = {first, second};
    add(out, "<%s name='e%d'", kind->tag, out->n_elements++);
    for (int i = 0; i < kind->n_references; i++) {
        add_reference(out, &kind->references[i], spatial, i, targets[i]);
    }
    add_values(out, spatial && kind->spatial != NULL ? kind->spatial : kind);
    add(out, "/>\n");
}

// Does a shape, or a load, stand where bodies are of space, or lines? Boxes and pins, which touch
// as points and spheres do, stand on rigid ones alone: each corner has a frame on a beam.
static bool fits(const ElementKind* kind, bool spatial, bool line) {
    return (spatial || !kind->spatial_only) &&
           (line ? kind->n_markers <= 1 || kind->role != ROLE_SHAPE : !kind->along_line);
}

static void add_shapes(Text* out, bool spatial, bool line) {
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        const bool simple = kind->shape != SHAPE_SURFACE;  // any numbers make one
        if (kind->role == ROLE_SHAPE && simple && fits(kind, spatial, line)) {
            add(out, "<%s name='%s'", kind->tag, kind->tag);
            add_values(out, spatial && kind->spatial != NULL ? kind->spatial : kind);
            add(out, kind->along_line ? " stations='2'/>" : "/>");
        }
    }
}

// lines: the first shape's body is a line, the second's
static void add_contacts(Text* out, bool spatial, const bool* lines, const char* first,
                         const char* second) {
    for (int i = 0; i < element_kinds_count; i++) {
        for (int j = 0; j < element_kinds_count; j++) {
            const ElementKind* a = element_kinds[i];
            const ElementKind* b = element_kinds[j];
            const bool shapes = a->role == ROLE_SHAPE && b->role == ROLE_SHAPE &&
                                fits(a, spatial, lines[0]) && fits(b, spatial, lines[1]);
            bool swap;
            if (!shapes || contact_rows_find(a->shape, b->shape, !spatial, &swap) == NULL) {
                continue;
            }
            char names[2][80];
            snprintf(names[0], sizeof names[0], "%s.%s", first, a->tag);
            snprintf(names[1], sizeof names[1], "%s.%s", second, b->tag);
            add_element(out, &contact_kind, spatial, names[0], names[1]);
        }
    }
}

static void add_links(Text* out, ElementRole role, bool spatial, bool line) {
    static const char* const pairs[][2] = {{"a.frame", "b.frame"},
                                           {"a.frame", "ground.frame"},
                                           {"driven.frame", "b.frame"},
                                           {"b.point", "a"}};
    static const char* const bodies[][2] = {
        {"a", "b"}, {"a", "ground"}, {"driven", "b"}, {"b", "a"}};
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        if (kind->along_line && kind->role == role && line) {
            add_element(out, kind, spatial, "a", NULL);
        }
        for (int k = 0; k < 4 && kind->role == role && fits(kind, spatial, false); k++) {
            const bool shapes = kind->references[0].type == REFERENCE_SHAPE;
            const char* const* pair = shapes ? bodies[k] : pairs[k];
            if (kind->n_references == 2 || strncmp(pair[0], "driven", 6) != 0) {
                add_element(out, kind, spatial, pair[0], pair[1]);
            }
        }
    }
}

// What bodies a and b are: rigid, or with points whose twists depend on how they bend
typedef struct BodyText {
    const char *tag, *attributes;
    bool spatial, line;
} BodyText;

static const BodyText bodies_of_links[] = {
    {.tag = "planar_body"},
    {.tag = "spatial_body", .spatial = true},
    {.tag = "beam",
     .line = true,
     .attributes =
         " length='2' elements='3' order='1' width='0.1' height='0.2' youngs_modulus='50' "
         "density='10' curvature='0.3'"},
    {.tag = "beam",
     .line = true,
     .attributes = " length='2' elements='2' width='0.1' height='0.2' youngs_modulus='50' "
                   "density='10'"},
    {.tag = "spline_beam",
     .line = true,
     .attributes = " length='2' elements='2' degree='2' width='0.1' height='0.2' "
                   "youngs_modulus='50' density='10'"},
    {.tag = "spline_beam",
     .line = true,
     .attributes = " length='2' elements='2' degree='3' width='0.1' height='0.2' "
                   "youngs_modulus='50' density='10' curvature='0.4 - 0.1*x'"},
    {.tag = "spatial_beam",
     .line = true,
     .attributes = " length='2' elements='1' order='1' width='0.1' height='0.2' "
                   "youngs_modulus='50' density='10' curvature='0.3'",
     .spatial = true},
};
enum { N_BODY_TEXTS = sizeof bodies_of_links / sizeof bodies_of_links[0] };

static void add_body(Text* out, const BodyText* text, const char* name) {
    add(out, "<%s name='%s'", text->tag, name);
    if (text->attributes != NULL) {
        add(out, "%s", text->attributes);
    } else {
        add_values(out, element_kind_find(text->tag));
    }
    add(out, ">");
    add_shapes(out, text->spatial, text->line);
    add(out, "</%s>\n", text->tag);
}

// Bodies a, b, driven and the ground with one shape of each kind, and all links of one role
static Simulation* system_of(ElementRole role, const BodyText* body) {
    static Text out;
    const bool spatial = body->spatial;
    out = (Text){.n = 0};
    add(&out, "<gravity x='1' y='-9.81'/>");
    add_body(&out, body, "a");
    add_body(&out, body, "b");
    add_body(&out, &(const BodyText){.tag = "driven_frame", .spatial = spatial}, "driven");
    add(&out, "<ground>");
    add_shapes(&out, spatial, false);
    add(&out, "</ground>\n");
    if (role == ROLE_CONTACT) {
        add_contacts(&out, spatial, (bool[]){body->line, body->line}, "a", "b");
    }
    if (role == ROLE_CONTACT && !body->line) {  // beams are slow, and joints have these pairs, too
        add_contacts(&out, spatial, (bool[]){false, false}, "driven", "a");
        add_contacts(&out, spatial, (bool[]){false, false}, "b", "ground");
    }
    if (role != ROLE_CONTACT) {
        add_links(&out, role, spatial, body->line);
    }
    return mechanism_new(out.text);
}

// --- rows ---

typedef struct Sample {
    Rows rows;
    double gamma[MAX_ROWS];
    double W[COUPLING_MAX][MAX_ROWS];  // in the velocities of the coupling
} Sample;

static void sample(const Neighbourhood* instant, const Link* link, int j, bool velocity,
                   Sample samples[N_POINTS]) {
    for (int k = 0; k < N_POINTS; k++) {
        double q[MOST];
        double u[MOST];
        const Instant* c = moved(instant, j, velocity, POINTS[k] * STEP, q, u);
        system_rows(c, link, true, &samples[k].rows);
        system_row_velocities(c, link, &samples[k].rows, samples[k].gamma);
        system_link_matrix(c, link, &samples[k].rows, link->la.n, MAX_ROWS, samples[k].W[0]);
    }
}

#define DIFFERENCE(samples, member) \
    difference_of(&(samples)[0].member, sizeof((samples)[0]) / sizeof(double))

static void check_rows(const Neighbourhood* instant, const Link* link) {
    static RowDerivatives d;
    const char* tag = link->element->kind->tag;
    const Instant* c = instant_at(instant, instant->q, instant->u);
    double rates_q[MAX_ROWS * COUPLING_MAX];
    system_row_derivatives(c, link, &d);
    system_row_rates_derivative(c, link, rates_q);
    for (int k = 0; k < link->coupling.n; k += 5 / tries(5)) {  // some, where valgrind runs it
        Sample samples[N_POINTS];
        sample(instant, link, link->coupling.u[k], false, samples);
        for (int i = 0; i < link->la.n; i++) {
            check_near("g_q", tag, d.g_q[i][k], DIFFERENCE(samples, rows.g[i]));
            check_near("gamma_q", tag, d.gamma_q[i][k], DIFFERENCE(samples, gamma[i]));
            check_near("gamma_q alone", tag, rates_q[i * link->coupling.n + k],
                       DIFFERENCE(samples, gamma[i]));
            check_near("zeta_q", tag, d.zeta_q[i][k], DIFFERENCE(samples, rows.zeta[i]));
            for (int j = 0; j < link->coupling.n; j++) {
                check_near("W_q", tag, d.W_q[k][i][j], DIFFERENCE(samples, W[j][i]));
            }
        }
        sample(instant, link, link->coupling.u[k], true, samples);
        for (int i = 0; i < link->la.n; i++) {
            check_near("zeta_u", tag, d.zeta_u[i][k], DIFFERENCE(samples, rows.zeta[i]));
        }
    }
}

// Products with W: velocities are W u where nothing is driven, and g_q is W on position level
static void check_products(const Neighbourhood* instant, const Link* link) {
    static RowDerivatives d;
    const char* tag = link->element->kind->tag;
    const Instant* c = instant_at(instant, instant->q, instant->u);
    Rows rows;
    system_row_derivatives(c, link, &d);
    system_rows(c, link, false, &rows);
    for (int i = 0; i < link->la.n; i++) {
        double column[MOST] = {0.0};
        double product = 0.0;
        system_row_add(c, link, rows.W[i], 2.0, column);
        for (int j = 0; j < instant->simulation->model.system.nu; j++) {
            product += 0.5 * column[j] * instant->u[j];
        }
        check_near("W u", tag, system_row_dot(c, link, rows.W[i], instant->u), product);
        double row[COUPLING_MAX];
        system_project(c, link, rows.W[i], row);
        for (int k = 0; k < link->coupling.n && i < link->rows->n_position_rows; k++) {
            check_near("W", tag, row[k], d.g_q[i][k]);
        }
    }
}

// d(W mu)/dq by its own way against W_q
static void check_force_of_rows(const Neighbourhood* instant, const Link* link) {
    static RowDerivatives d;
    const char* tag = link->element->kind->tag;
    const Instant* c = instant_at(instant, instant->q, instant->u);
    const int n = link->coupling.n;
    double mu[MAX_ROWS];
    double B[COUPLING_MAX * COUPLING_MAX];
    for (int r = 0; r < link->la.n; r++) {
        mu[r] = random_in(-1.0, 1.0);
    }
    system_row_derivatives(c, link, &d);
    system_force_of_rows_derivative(c, link, mu, B);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double expected = 0.0;
            for (int r = 0; r < link->la.n; r++) {
                expected += mu[r] * d.W_q[k][r][i];
            }
            check_near("d(W mu)/dq", tag, B[i * n + k], expected);
        }
    }
}

static void check_links(ElementRole role, const BodyText* body) {
    Simulation* simulation = system_of(role, body);
    const System* sys = &simulation->model.system;
    assert_true((role == ROLE_JOINT ? sys->n_joints : sys->n_contacts) > 0);
    for (int trial = 0; trial < (body->line ? 1 : tries(3)); trial++) {
        const Neighbourhood instant = random_instant(simulation);
        for (int i = 0; i < sys->n_joints; i++) {
            check_rows(&instant, &sys->joints[i]);
            check_products(&instant, &sys->joints[i]);
            check_force_of_rows(&instant, &sys->joints[i]);
        }
        for (int i = 0; i < sys->n_laws; i++) {  // contacts, and friction in joints
            check_rows(&instant, &sys->laws[i]);
            check_products(&instant, &sys->laws[i]);
            check_force_of_rows(&instant, &sys->laws[i]);
        }
    }
    simulation_destroy(simulation);
}

static void test_joints(void** state) {
    (void)state;
    for (int i = 0; i < N_BODY_TEXTS; i++) {
        check_links(ROLE_JOINT, &bodies_of_links[i]);
    }
}

static void test_contacts(void** state) {
    (void)state;
    for (int i = 0; i < N_BODY_TEXTS; i++) {
        check_links(ROLE_CONTACT, &bodies_of_links[i]);
    }
}

// --- forces ---

typedef struct ForceSample {
    double F[LOCAL_SIZE];    // by component of the twists
    double h[COUPLING_MAX];  // in the velocities of the coupling
} ForceSample;

static void check_force(const Neighbourhood* instant, const Link* link) {
    const char* tag = link->element->kind->tag;
    double K[COUPLING_MAX * COUPLING_MAX];
    double D[COUPLING_MAX * COUPLING_MAX];
    const Instant* c = instant_at(instant, instant->q, instant->u);
    system_force_derivatives(c, link, K, D);
    for (int n = 0; n < 2 * link->coupling.n; n++) {
        const bool velocity = n >= link->coupling.n;
        const int k = n % link->coupling.n;
        ForceSample samples[N_POINTS] = {{{0.0}, {0.0}}};
        for (int p = 0; p < N_POINTS; p++) {
            double q[MOST];
            double u[MOST];
            c = moved(instant, link->coupling.u[k], velocity, POINTS[p] * STEP, q, u);
            const Surroundings s = system_surroundings(c, link);
            link->element->kind->force->force(&s, &c->frames[s.a->frame], &c->frames[s.b->frame],
                                              samples[p].F);
            system_project(c, link, samples[p].F, samples[p].h);
        }
        for (int i = 0; i < link->coupling.n; i++) {
            const double derivative = (velocity ? D : K)[i * link->coupling.n + k];
            check_near(velocity ? "D" : "K", tag, derivative, DIFFERENCE(samples, h[i]));
        }
    }
}

// The angle of a torsional spring jumps at half a turn, where it has no derivative: states of its
// own, whatever the tests before have drawn, keep away from there.
static void test_forces(void** state) {
    (void)state;
    random_state = 0x9E3779B97F4A7C15u;
    for (int k = 0; k < N_BODY_TEXTS; k++) {
        Simulation* simulation = system_of(ROLE_FORCE, &bodies_of_links[k]);
        const System* sys = &simulation->model.system;
        assert_true(sys->n_forces > 0);
        for (int trial = 0; trial < tries(3); trial++) {
            const Neighbourhood instant = random_instant(simulation);
            for (int i = 0; i < sys->n_forces; i++) {
                check_force(&instant, &sys->forces[i]);
            }
        }
        simulation_destroy(simulation);
    }
}

// --- points of bodies that deform ---

static void test_points(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<elastic_bar name='bar' length='1' elements='4' area='1' youngs_modulus='5' density='2'>"
        "<point name='node' x='0.5'/><point name='p' x='0.3'/><circle name='c' x='0.9' y='0.1' "
        "radius='0.2'/></elastic_bar>"
        "<elastic_bar name='other' length='2' elements='2' area='1' youngs_modulus='5' density='2'>"
        "<point name='p' x='1.3' y='0.4'/></elastic_bar>"
        "<planar_body name='b' mass='3' inertia='2'><circle name='c' x='0.1' radius='0.3'/>"
        "</planar_body>"
        "<contact name='k1' first='bar.p' second='b.c' friction_coefficient='0.3'/>"
        "<contact name='k2' first='b.c' second='bar.c' friction_coefficient='0.3'/>"
        "<contact name='k3' first='bar.c' second='other.p' friction_coefficient='0.3'/>"
        "<revolute name='hinge' first='b' second='bar.node'/>"
        "<distance name='rod' first='other.p' second='b' length='2'/>"
        "<spring_damper name='s' first='bar.p' second='other.p' stiffness='30' damping='2' "
        "free_length='1'/>");
    const System* sys = &simulation->model.system;
    assert_int_equal(sys->laws[0].coupling.n, 2 + 3);
    assert_int_equal(sys->laws[2].coupling.n, 2 + 2);
    assert_int_equal(sys->joints[0].coupling.n, 1 + 3);
    for (int trial = 0; trial < 5; trial++) {
        const Neighbourhood instant = random_instant(simulation);
        for (int i = 0; i < sys->n_joints; i++) {
            check_rows(&instant, &sys->joints[i]);
            check_products(&instant, &sys->joints[i]);
            check_force_of_rows(&instant, &sys->joints[i]);
        }
        for (int i = 0; i < sys->n_laws; i++) {
            check_rows(&instant, &sys->laws[i]);
            check_products(&instant, &sys->laws[i]);
            check_force_of_rows(&instant, &sys->laws[i]);
        }
        check_force(&instant, &sys->forces[0]);
    }
    simulation_destroy(simulation);
}

// q' along the motion with constant u, and q'' as the change of q' while u changes by a, GA (123)
static void check_kinematic_equation(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    const Neighbourhood instant = random_instant(simulation);
    double a[MOST];
    double q[N_POINTS][MOST];
    double q_dot[N_POINTS][MOST];
    for (int i = 0; i < sys->nu; i++) {
        a[i] = random_in(-2.0, 2.0);
    }
    for (int k = 0; k < N_POINTS; k++) {
        double u[MOST];
        for (int i = 0; i < sys->nu; i++) {
            u[i] = instant.u[i] + POINTS[k] * STEP * a[i];
        }
        system_move(sys, instant.q, POINTS[k] * STEP, instant.u, q[k]);
        system_q_dot(sys, q[k], u, q_dot[k]);
    }
    double rate[MOST];
    double second[MOST];
    system_q_dot(sys, instant.q, instant.u, rate);
    system_q_ddot(sys, instant.q, instant.u, a, second);
    for (int i = 0; i < sys->nq; i++) {
        assert_near("q'", "the system", rate[i], difference_of(&q[0][i], MOST));
        assert_near("q''", "the system", second[i], difference_of(&q_dot[0][i], MOST));
    }
}

static void test_kinematic_equation(void** state) {
    (void)state;
    for (int k = 0; k < N_BODY_TEXTS; k++) {
        Simulation* simulation = system_of(ROLE_FORCE, &bodies_of_links[k]);
        for (int trial = 0; trial < 20; trial++) {
            check_kinematic_equation(simulation);
        }
        simulation_destroy(simulation);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinematic_equation),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
