// Derivatives of rows and forces in assembled systems against differences, and the Newton matrix
// that is made of them. The systems have every kind of joint, contact and force that the table of
// kinds has, between bodies of the plane, of space, driven ones and the ground.
#include "reader/element_kinds.h"
#include "mechanism.h"

#include "simulation/simulation_struct.h"
#include "system/derivatives.h"

enum { TEXT_SIZE = 1 << 16, MOST = 64 };

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
            add(out, " %s='%.3f'", info->name, product ? 0.05 : random_in(0.4, 0.9));
        }
    }
    for (int i = 0; i < kind->n_signals; i++) {
        const char* function = kind->signals[i].of_x ? "0.01*x^2" : "sin(2*t)";
        add(out, " %s='%.3f + %s'", kind->signals[i].name, random_in(-0.5, 0.5), function);
    }
}

// What an attribute names where a marker is meant: the body alone, the marker, or a shape, round if
// it is the first
static void add_reference(Text* out, const ReferenceInfo* info, bool spatial, int i,
                          const char* target) {
    static const char* const shapes[2][2] = {{"circle", "line"}, {"sphere", "plane"}};
    const int n_body = (int)strcspn(target, ".");
    if (info->type == REFERENCE_BODY) {
        add(out, " %s='%.*s'", info->name, n_body, target);
    } else if (info->type == REFERENCE_SHAPE && strchr(target, '.') == NULL) {
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

static void add_shapes(Text* out, bool spatial) {
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        if (kind->role == ROLE_SHAPE && (spatial || !kind->spatial_only)) {
            add(out, "<%s name='%s'", kind->tag, kind->tag);
            add_values(out, spatial && kind->spatial != NULL ? kind->spatial : kind);
            add(out, "/>");
        }
    }
}

static void add_contacts(Text* out, bool spatial, const char* first, const char* second) {
    for (int i = 0; i < element_kinds_count; i++) {
        for (int j = 0; j < element_kinds_count; j++) {
            const ElementKind* a = element_kinds[i];
            const ElementKind* b = element_kinds[j];
            const bool shapes = a->role == ROLE_SHAPE && b->role == ROLE_SHAPE &&
                                (spatial || (!a->spatial_only && !b->spatial_only));
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

static void add_links(Text* out, ElementRole role, bool spatial) {
    static const char* const pairs[][2] = {{"a.frame", "b.frame"},
                                           {"a.frame", "ground.frame"},
                                           {"driven.frame", "b.frame"},
                                           {"b.point", "a"}};
    static const char* const bodies[][2] = {
        {"a", "b"}, {"a", "ground"}, {"driven", "b"}, {"b", "a"}};
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        for (int k = 0; k < 4 && kind->role == role && (spatial || !kind->spatial_only); k++) {
            const bool shapes = kind->references[0].type == REFERENCE_SHAPE;
            const char* const* pair = shapes ? bodies[k] : pairs[k];
            if (kind->n_references == 2 || strncmp(pair[0], "driven", 6) != 0) {
                add_element(out, kind, spatial, pair[0], pair[1]);
            }
        }
    }
}

// Bodies a, b, driven and the ground with one shape of each kind, and all links of one role
static Simulation* system_of(ElementRole role, bool spatial) {
    static Text out;
    out = (Text){.n = 0};
    add(&out, "<gravity x='1' y='-9.81'/>");
    for (int i = 0; i < 4; i++) {
        static const char* const tags[] = {"spatial_body", "spatial_body", "driven_frame",
                                           "ground"};
        static const char* const names[] = {"a", "b", "driven", ""};
        const ElementKind* kind = element_kind_find(i < 2 && !spatial ? "planar_body" : tags[i]);
        add(&out, "<%s", kind->tag);
        add(&out, i < 3 ? " name='%s'" : "%s", names[i]);
        add_values(&out, kind);
        add(&out, ">");
        add_shapes(&out, spatial);
        add(&out, "</%s>\n", kind->tag);
    }
    if (role == ROLE_CONTACT) {
        add_contacts(&out, spatial, "a", "b");
        add_contacts(&out, spatial, "driven", "a");
        add_contacts(&out, spatial, "b", "ground");
    } else {
        add_links(&out, role, spatial);
    }
    return mechanism_new(out.text);
}

// --- a state and its neighbours ---

typedef struct Neighbourhood {
    Simulation* simulation;
    double q[MOST], u[MOST];
} Neighbourhood;

static const double TIME = 0.3;

static const Instant* instant_at(const Neighbourhood* instant, const double* q, const double* u) {
    Instant* result = &instant->simulation->workspace.present;
    instant_set(&instant->simulation->model.system, &instant->simulation->state, TIME, q, u,
                result);
    return result;
}

static Neighbourhood random_instant(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    Neighbourhood instant = {.simulation = simulation};
    assert_true(sys->nq <= MOST);
    assert_int_equal(
        system_update_parameters(sys, simulation->state.p, &simulation->workspace.properties),
        STATUS_OK);
    for (int i = 0; i < sys->nq; i++) {
        instant.q[i] = random_in(-0.5, 0.5);
    }
    for (int i = 0; i < sys->nu; i++) {
        instant.u[i] = random_in(-1.0, 1.0);
    }
    for (int i = 0; i < sys->n_bodies; i++) {  // apart from each other and from the ground
        double* q = instant.q + sys->bodies[i]->q.at;
        if (sys->bodies[i]->q.n > 1) {
            q[0] += 5.0 + 4.0 * i;
            q[1] -= 5.0 + 6.0 * i;
        }
        if (sys->bodies[i]->kind->body->spatial) {
            q[2] += 4.0 * i + 5.0;  // tangents jump where the normal is horizontal
        }
        if (sys->bodies[i]->kind->body->normalize != NULL) {
            sys->bodies[i]->kind->body->normalize(q);
        }
    }
    return instant;
}

// The instant moved along velocity j of the system: in q, or in u
static const Instant* moved(const Neighbourhood* instant, int j, bool velocity, double s, double* q,
                            double* u) {
    const System* sys = &instant->simulation->model.system;
    double direction[MOST] = {0.0};
    direction[j] = 1.0;
    system_move(sys, instant->q, velocity ? 0.0 : s, direction, q);
    memcpy(u, instant->u, sizeof instant->u);
    u[j] += velocity ? s : 0.0;
    return instant_at(instant, q, u);
}

// Shapes may be close to the axis of a shaft or bore, where differences are a little less accurate
// than in test_kernels.c.
static void check_near(const char* what, const char* tag, double value, double expected) {
    if (!(fabs(value - expected) <= 1e-9 * (1.0 + fabs(expected)))) {
        fail_msg("%s of %s: %.15g, expected %.15g", what, tag, value, expected);
    }
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
    for (int k = 0; k < link->coupling.n; k++) {
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

static void check_links(ElementRole role, bool spatial) {
    Simulation* simulation = system_of(role, spatial);
    const System* sys = &simulation->model.system;
    assert_true((role == ROLE_JOINT ? sys->n_joints : sys->n_contacts) > 0);
    for (int trial = 0; trial < 3; trial++) {
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
    check_links(ROLE_JOINT, false);
    check_links(ROLE_JOINT, true);
}

static void test_contacts(void** state) {
    (void)state;
    check_links(ROLE_CONTACT, false);
    check_links(ROLE_CONTACT, true);
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

static void test_forces(void** state) {
    (void)state;
    for (int spatial = 0; spatial < 2; spatial++) {
        Simulation* simulation = system_of(ROLE_FORCE, spatial == 1);
        const System* sys = &simulation->model.system;
        assert_true(sys->n_forces > 0);
        for (int trial = 0; trial < 3; trial++) {
            const Neighbourhood instant = random_instant(simulation);
            for (int i = 0; i < sys->n_forces; i++) {
                check_force(&instant, &sys->forces[i]);
            }
        }
        simulation_destroy(simulation);
    }
}

// --- the Newton matrix ---

// y = (M + k dh/dq + d dh/du) x by differences of h
static void matrix_times(const Neighbourhood* instant, double k, double d, const double* x,
                         double* y) {
    const System* sys = &instant->simulation->model.system;
    const Workspace* w = &instant->simulation->workspace;
    system_mass_multiply(sys, &w->present, x, y);
    for (int j = 0; j < sys->nu; j++) {
        for (int velocity = 0; velocity < 2; velocity++) {
            double h[N_POINTS][MOST];
            for (int p = 0; p < N_POINTS; p++) {
                double q[MOST];
                double u[MOST];
                const Instant* c = moved(instant, j, velocity == 1, POINTS[p] * STEP, q, u);
                system_forces(sys, c, h[p]);
            }
            for (int i = 0; i < sys->nu; i++) {
                y[i] += (velocity == 1 ? d : k) * difference_of(&h[0][i], MOST) * x[j];
            }
        }
    }
}

// The factorised matrix, with one joint of each row type as border, undoes the product.
static void check_matrix(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    Workspace* w = &simulation->workspace;
    const Neighbourhood instant = random_instant(simulation);
    double x[MOST] = {0.0};
    double f[MOST] = {0.0};
    assert_true(sys->nu + sys->nla_g <= MOST);
    for (int i = 0; i < sys->nu + sys->nla_g; i++) {
        x[i] = random_in(-1.0, 1.0);
    }
    matrix_times(&instant, -0.02, 0.03, x, f);
    const Instant* c = instant_at(&instant, instant.q, instant.u);
    joint_set_evaluate(sys, c, false, &w->joints);
    joint_set_add(sys, &w->joints, 1.0, x + sys->nu, f);
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        joint_rows_dot(link, &w->joints.joints[i], x, f + sys->nu + link->la.at);
    }
    newton_matrix_forget(w->matrix);
    assert_int_equal(
        newton_matrix_factor(sys, c, &w->joints, &(MatrixTerms){.k = -0.02, .d = 0.03}, w->matrix),
        STATUS_OK);
    newton_matrix_solve(sys, w->matrix, f);
    for (int i = 0; i < sys->nu + sys->nla_g; i++) {
        assert_close(f[i], x[i], 1e-7, i < sys->nu ? "x" : "y");
    }
}

static void test_newton_matrix(void** state) {
    (void)state;
    static const char* const bodies[] = {
        "<planar_body name='a' mass='2' inertia='1'><frame name='f' x='0.3'/></planar_body>"
        "<planar_body name='b' mass='3' inertia='2'><frame name='f' y='0.2'/></planar_body>",
        "<spatial_body name='a' mass='2' inertia_xx='1' inertia_yy='2' inertia_zz='2.5' "
        "inertia_xy='0.1'><frame name='f' x='0.3'/></spatial_body>"
        "<spatial_body name='b' mass='3' inertia_xx='1' inertia_yy='2' inertia_zz='1.5'>"
        "<frame name='f' y='0.2' z='0.1'/></spatial_body>"};
    static const char links[] =
        "<gravity y='-9.81'/><spring_damper name='s' first='a.f' second='b' stiffness='30' "
        "damping='2' free_length='1'/><force name='p' on='b.f' x='2' y='1' frame='body'/>"
        "<torsional_spring_damper name='k' first='a.f' stiffness='3' damping='1'/>"
        "<revolute name='hinge' first='a.f' second='b.f'/><skate name='edge' first='b.f'/>";
    for (int i = 0; i < 2; i++) {
        char content[2048];
        snprintf(content, sizeof content, "%s%s", bodies[i], links);
        Simulation* simulation = mechanism_new(content);
        for (int trial = 0; trial < 5; trial++) {
            check_matrix(simulation);
        }
        simulation_destroy(simulation);
    }
}

// --- all terms of a matrix at once ---

static const double LOAD = 0.05;    // what h is multiplied by in the residual
static const double FOLLOWS = 0.7;  // velocities follow the change of a step by this factor

// A step from q_0 and the multipliers that act at its end
typedef struct Trial {
    Neighbourhood start;
    double w[MOST], mu_g[MOST];
} Trial;

static void add_row_forces(const Instant* c, const Link* links, int n, const double* mu,
                           double* r) {
    for (int i = 0; i < n; i++) {
        Rows rows;
        system_rows(c, &links[i], false, &rows);
        for (int k = 0; k < links[i].la.n; k++) {
            system_row_add(c, &links[i], rows.W[k], -mu[links[i].la.at + k], r);
        }
    }
}

// The end of the step with the change w: q_1 = q_0 + B(q_0) w, u_1 = u_0 + FOLLOWS w
static const Instant* end_of(const Trial* trial, const double* w) {
    const System* sys = &trial->start.simulation->model.system;
    double q[MOST];
    double u[MOST];
    system_q_dot(sys, trial->start.q, w, q);
    for (int i = 0; i < sys->nq; i++) {
        q[i] += trial->start.q[i];
    }
    for (int i = 0; i < sys->nu; i++) {
        u[i] = trial->start.u[i] + FOLLOWS * w[i];
    }
    return instant_at(&trial->start, q, u);
}

// r = M w - LOAD h - W_g mu_g
static void residual(const Trial* trial, const double* w, double* r) {
    const System* sys = &trial->start.simulation->model.system;
    const Instant* c = end_of(trial, w);
    double h[MOST];
    system_mass_multiply(sys, c, w, r);
    system_forces(sys, c, h);
    for (int i = 0; i < sys->nu; i++) {
        r[i] -= LOAD * h[i];
    }
    add_row_forces(c, sys->joints, sys->n_joints, trial->mu_g, r);
}

// f = A x: the change of the residual along the w that displaces the frames by x, and the border
static void product(const Trial* trial, const double* x, double* f) {
    const System* sys = &trial->start.simulation->model.system;
    double change[MOST];
    double r[N_POINTS][MOST];
    const Instant* c = end_of(trial, trial->w);
    system_pull_back(sys, c->q, trial->start.q, x, change);
    for (int k = 0; k < N_POINTS; k++) {
        double w[MOST];
        for (int i = 0; i < sys->nu; i++) {
            w[i] = trial->w[i] + POINTS[k] * STEP * change[i];
        }
        residual(trial, w, r[k]);
    }
    for (int i = 0; i < sys->nu; i++) {
        f[i] = difference_of(&r[0][i], MOST);
    }
    c = end_of(trial, trial->w);
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        Rows rows;
        system_rows(c, link, false, &rows);
        for (int k = 0; k < link->la.n; k++) {
            const int row = sys->nu + link->la.at + k;
            f[row] = system_row_dot(c, link, rows.W[k], x);
            system_row_add(c, link, rows.W[k], x[row], f);
        }
    }
}

static void check_terms(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    Workspace* w = &simulation->workspace;
    Trial trial = {.start = random_instant(simulation)};
    double x[MOST];
    double f[MOST];
    assert_true(sys->nu + sys->nla_g <= MOST);
    for (int i = 0; i < MOST; i++) {
        x[i] = random_in(-1.0, 1.0);
        trial.w[i] = random_in(-0.3, 0.3);
        trial.mu_g[i] = random_in(-0.3, 0.3);
    }
    product(&trial, x, f);
    const Instant* c = end_of(&trial, trial.w);
    joint_set_evaluate(sys, c, false, &w->joints);
    const MatrixTerms terms = {.k = -LOAD,
                               .d = -LOAD * FOLLOWS,
                               .q_0 = trial.start.q,
                               .geometric = 1.0,
                               .mu_g = trial.mu_g};
    newton_matrix_forget(w->matrix);
    assert_int_equal(newton_matrix_factor(sys, c, &w->joints, &terms, w->matrix), STATUS_OK);
    newton_matrix_solve(sys, w->matrix, f);
    for (int i = 0; i < sys->nu + sys->nla_g; i++) {
        assert_close(f[i], x[i], 1e-7, i < sys->nu ? "x" : "y");
    }
}

static void test_matrix_terms(void** state) {
    (void)state;
    static const char* const systems[] = {
        "<gravity y='-9.81'/>"
        "<planar_body name='a' mass='2' inertia='1'><frame name='f' x='0.3'/>"
        "<circle name='c' radius='0.1'/></planar_body>"
        "<planar_body name='b' mass='3' inertia='2'><frame name='f' y='0.2'/>"
        "<line name='l'/></planar_body>"
        "<elastic_bar name='bar' length='1' elements='3' area='1' youngs_modulus='5' density='2'>"
        "<point name='p' x='0.25'/></elastic_bar>"
        "<spring_damper name='s' first='a.f' second='bar.p' stiffness='30' damping='2' "
        "free_length='1'/><distance name='rod' first='b.f' second='bar.p' length='2'/>"
        "<revolute name='hinge' first='a.f' second='b.f' friction_torque='1'/>"
        "<contact name='k' first='a.c' second='b.l' friction_coefficient='0.3'/>"
        "<contact name='m' first='bar.p' second='a.c' friction_coefficient='0.3'/>",
        "<gravity y='-9.81'/>"
        "<spatial_body name='a' mass='2' inertia_xx='1' inertia_yy='2' inertia_zz='2.5' "
        "inertia_xy='0.1'><frame name='f' x='0.3'/><sphere name='c' radius='0.1'/></spatial_body>"
        "<spatial_body name='b' mass='3' inertia_xx='1' inertia_yy='2' inertia_zz='1.5'>"
        "<frame name='f' y='0.2' z='0.1'/><plane name='l'/></spatial_body>"
        "<spring_damper name='s' first='a.f' second='b' stiffness='30' damping='2' "
        "free_length='1'/><torsional_spring_damper name='coil' first='a.f' stiffness='3' "
        "damping='1'/>"
        "<spherical name='ball' first='a.f' second='b.f'/><skate name='edge' first='b.f'/>"
        "<contact name='k' first='a.c' second='b.l' friction_coefficient='0.3'/>"};
    for (int i = 0; i < 2; i++) {
        Simulation* simulation = mechanism_new(systems[i]);
        for (int trial = 0; trial < 5; trial++) {
            check_terms(simulation);
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
    for (int spatial = 0; spatial < 2; spatial++) {
        Simulation* simulation = system_of(ROLE_FORCE, spatial == 1);
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
        cmocka_unit_test(test_newton_matrix),
        cmocka_unit_test(test_matrix_terms),
        cmocka_unit_test(test_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
