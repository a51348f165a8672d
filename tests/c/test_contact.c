// Contact kinematics of every pair of shapes, in both orders, on every kind of body: g_N_dot, W,
// and zeta against differences of g_N and of the velocities; gamma_F against the velocities of the
// material points. Goes through the table of kinds.
#include "mechanism.h"

#include "simulation/simulation_struct.h"

enum { MAXIMUM_NU = 8, N_BODY_KINDS = 3 };

static const char* const bodies[N_BODY_KINDS][2] = {
    {"<planar_body name='%s' mass='1' inertia='1'>", "</planar_body>"},
    {"<point_mass name='%s' mass='1'>", "</point_mass>"},
    {"<ground>", "</ground>"},
};

typedef struct Point {
    Simulation* simulation;
    double q[MAXIMUM_NU], u[MAXIMUM_NU];
    double direction[MAXIMUM_NU];  // in which q moves
    int row;                       // of gamma; -1: g_N
} Point;

static void block_at(Point* point, double s, ContactBlock* block) {
    const System* sys = &point->simulation->model.system;
    double q[MAXIMUM_NU];
    for (int i = 0; i < sys->nq; i++) {
        q[i] = point->q[i] + s * point->direction[i];
    }
    const Configuration c = system_configuration(sys, 0.0, &point->simulation->state, q, point->u,
                                                 &point->simulation->workspace);
    system_contact(sys, &c, 0, block);
}

static double moved(void* context, double s) {
    Point* point = context;
    ContactBlock block;
    block_at(point, s, &block);
    return point->row < 0 ? block.g_N : block.gamma[point->row];
}

static double along(Point* point, int row) {
    point->row = row;
    return derivative_at_zero(moved, point, 0.01);
}

// One column of W as a vector of nu.
static void column(const Point* point, const ContactBlock* block, int row, double* w) {
    const System* sys = &point->simulation->model.system;
    memset(w, 0, MAXIMUM_NU * sizeof(double));
    system_contact_add(&sys->contacts[0], block->W[row], 1.0, w);
}

// Velocity of body-fixed matter at x.
static Vec2 velocity_at(const Frame* frame, Vec2 x) {
    return frame_velocity(frame, vec2_sub(x, frame->r));
}

// gamma_F from first principles: on a the foot of the round shape in the direction of the other
// body, on b the point a gap further.
static void check_sliding(Point* point, const ContactBlock* block) {
    const System* sys = &point->simulation->model.system;
    const ContactEntry* contact = &sys->contacts[0];
    const Frame* frames = point->simulation->workspace.frames;
    const double* par = point->simulation->state.p + contact->a->p.at;
    const double R = contact->a->kind->n_parameters > 2 ? par[2] : 0.0;
    const Vec2 n = {block->W[ROW_N][0], block->W[ROW_N][1]};
    const Vec2 centre = vec2_add(frames[contact->a->body].r,
                                 frame_turn(&frames[contact->a->body], (Vec2){par[0], par[1]}));
    const Vec2 x_a = vec2_sub(centre, vec2_scale(R, n));
    const Vec2 x_b = vec2_sub(x_a, vec2_scale(block->g_N, n));
    const Vec2 V = vec2_sub(velocity_at(&frames[contact->a->body], x_a),
                            velocity_at(&frames[contact->b->body], x_b));
    assert_close(vec2_length(n), 1.0, 1e-14, "length of the normal");
    assert_close(block->gamma[ROW_N], vec2_dot(n, V), 1e-12, "g_N_dot");
    assert_close(block->gamma[ROW_F], vec2_cross(V, n), 1e-12, "gamma_F");
}

static void check_point(Point* point) {
    const System* sys = &point->simulation->model.system;
    ContactBlock block;
    double w[CONTACT_ROWS][MAXIMUM_NU];
    memset(point->direction, 0, sizeof point->direction);
    block_at(point, 0.0, &block);
    check_sliding(point, &block);
    for (int row = 0; row < CONTACT_ROWS; row++) {  // gamma = W^T u
        column(point, &block, row, w[row]);
        double gamma = 0.0;
        for (int i = 0; i < sys->nu; i++) {
            gamma += w[row][i] * point->u[i];
        }
        assert_close(block.gamma[row], gamma, 1e-12, "W^T u");
    }
    for (int j = 0; j < sys->nu; j++) {  // W_N = dg_N/dq
        point->direction[j] = 1.0;
        assert_close(w[ROW_N][j], along(point, -1), 1e-9, "W_N");
        point->direction[j] = 0.0;
    }
    memcpy(point->direction, point->u, sizeof point->u);  // q' = u, u constant
    assert_close(block.gamma[ROW_N], along(point, -1), 1e-8, "g_N_dot");
    assert_close(block.zeta[ROW_N], along(point, ROW_N), 1e-7, "zeta_N");
    assert_close(block.zeta[ROW_F], along(point, ROW_F), 1e-7, "zeta_F");
}

static int shape_text(const ElementKind* kind, char* text, size_t size) {
    const char* third = kind->n_parameters > 2 ? kind->parameters[2].name : NULL;
    int n = snprintf(text, size, "<%s name='s' x='%.3f' y='%.3f'", kind->tag, random_in(-1.0, 1.0),
                     random_in(-1.0, 1.0));
    if (third != NULL) {
        n += snprintf(text + n, size - (size_t)n, " %s='%.3f'", third, random_in(0.1, 3.0));
    }
    return n + snprintf(text + n, size - (size_t)n, "/>");
}

static Simulation* pair_of(const ElementKind* first, int body_1, const ElementKind* second,
                           int body_2) {
    const ElementKind* const kinds[2] = {first, second};
    const int body[2] = {body_1, body_2};
    const char* const names[2] = {body_1 == 2 ? "ground" : "a", body_2 == 2 ? "ground" : "b"};
    char text[2048];
    size_t n = 0;
    for (int i = 0; i < 2; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, bodies[body[i]][0], names[i]);
        n += (size_t)shape_text(kinds[i], text + n, sizeof text - n);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", bodies[body[i]][1]);
    }
    snprintf(text + n, sizeof text - n, "<contact name='c' first='%s.s' second='%s.s'/>", names[0],
             names[1]);
    return mechanism_new(text);
}

static void check_pair(const ElementKind* first, const ElementKind* second) {
    for (int b = 0; b < N_BODY_KINDS * N_BODY_KINDS; b++) {
        if (b == N_BODY_KINDS * N_BODY_KINDS - 1) {
            continue;  // the ground against itself
        }
        Point point = {.simulation = pair_of(first, b / N_BODY_KINDS, second, b % N_BODY_KINDS)};
        start(point.simulation);
        for (int trial = 0; trial < 6; trial++) {
            for (int i = 0; i < MAXIMUM_NU; i++) {
                point.q[i] = random_in(-6.0, 6.0);
                point.u[i] = random_in(-2.0, 2.0);
            }
            point.q[0] += 12.0;  // centres far from each other: the functions are smooth
            check_point(&point);
        }
        simulation_destroy(point.simulation);
    }
}

static void test_every_pair(void** state) {
    (void)state;
    int n_pairs = 0;
    for (int i = 0; i < element_kinds_count; i++) {
        for (int j = 0; j < element_kinds_count; j++) {
            const ElementKind* first = element_kinds[i];
            const ElementKind* second = element_kinds[j];
            bool swap;
            if (first->role == ROLE_SHAPE && second->role == ROLE_SHAPE &&
                proximity_find(first->shape, second->shape, &swap) != NULL) {
                check_pair(first, second);
                n_pairs++;
            }
        }
    }
    assert_int_equal(n_pairs, 12);  // point and circle with each other, with a line, with a ring
}

// The tables that the kernels' indices stand for.
static void test_tables(void** state) {
    (void)state;
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        if (kind->role == ROLE_SHAPE) {
            assert_string_equal(kind->parameters[0].name, "x");
            assert_string_equal(kind->parameters[1].name, "y");
        }
    }
    assert_int_equal(contact_kind.n_outputs * (int)sizeof(double), sizeof(ContactOutputs));
}

// Known distances and directions.
static void test_gaps(void** state) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_coincident_centres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
