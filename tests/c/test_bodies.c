// Every kind of body: frame, velocity, motion, mass and gyroscopic forces against differences and
// against each other. Goes through the table of kinds; flexible ones are in test_flexible_bodies.c.
#include "reader/element_kinds.h"
#include "kernel_cases.h"
#include "matrix_sink.h"

enum { TRIALS = 20, BODY_PARAMETERS = 64 };

typedef struct Body {
    const char* tag;
    const BodyFunctions* f;
    double par[BODY_PARAMETERS];
    double q[BODY_MAX_NQ], u[TWIST_SIZE];
} Body;

// Parameters within their bounds (off-diagonal inertias smaller than the others), and coordinates
// and velocities as the body starts with
static void random_body(const ElementKind* kind, Body* body) {
    *body = (Body){.tag = kind->tag, .f = kind->body};
    assert_true(kind->n_parameters <= BODY_PARAMETERS);
    for (int i = 0; i < kind->n_parameters; i++) {
        const ParameterInfo* info = &kind->parameters[i];
        body->par[i] = info->min > 0.0                             ? random_in(1.0, 2.0)
                       : info->unit == UNIT_KILOGRAM_METRE_SQUARED ? random_in(-0.3, 0.3)
                       : info->min == 0.0                          ? random_in(0.1, 1.0)
                                                                   : random_in(-1.0, 1.0);
    }
    body->f->initial(&(BodyView){.par = body->par}, body->q, body->u);
}

static Frame frame_of(const Body* body, const double* q) {
    Frame frame;
    body->f->frame(body->par, NULL, q, body->u, &frame);
    return frame;
}

static void move(const Body* body, double dt, const double* u, double* q_1) {
    if (body->f->node != NULL) {
        body->f->node->move(body->q, dt, u, q_1);
        return;
    }
    for (int i = 0; i < body->f->nq; i++) {
        q_1[i] = body->q[i] + dt * u[i];
    }
}

// (dr, dtheta) of a change of the frame: R^T dR = dtheta~
static void twist_of(const Frame* frame, const Frame frames[N_POINTS], double* twist) {
    double r[3][N_POINTS];
    double R[3][3][N_POINTS];
    for (int k = 0; k < N_POINTS; k++) {
        const Vec3 x = frames[k].r;
        r[0][k] = x.x;
        r[1][k] = x.y;
        r[2][k] = x.z;
        for (int j = 0; j < 3; j++) {
            const Vec3 e = turn_back3(frame->R, frames[k].R.e[j]);
            R[0][j][k] = e.x;
            R[1][j][k] = e.y;
            R[2][j][k] = e.z;
        }
    }
    for (int i = 0; i < 3; i++) {
        twist[i] = difference(r[i]);
        twist[3 + i] = difference(R[(i + 2) % 3][(i + 1) % 3]);
    }
}

// The twist of a frame, as its velocity, and as the differences of a motion with the velocities w
static void twist_along(const Body* body, const double* w, double* twist) {
    const Frame frame = frame_of(body, body->q);
    Frame frames[N_POINTS];
    for (int k = 0; k < N_POINTS; k++) {
        double q[BODY_MAX_NQ];
        move(body, POINTS[k] * STEP, w, q);
        frames[k] = frame_of(body, q);
    }
    twist_of(&frame, frames, twist);
}

// The frame's velocity is u in the components of the table, and how the frame moves.
static void check_velocity(const Body* body) {
    const Frame frame = frame_of(body, body->q);
    const double given[TWIST_SIZE] = {frame.v.x,     frame.v.y,     frame.v.z,
                                      frame.Omega.x, frame.Omega.y, frame.Omega.z};
    double expected[TWIST_SIZE] = {0.0};
    double twist[TWIST_SIZE];
    for (int i = 0; i < body->f->nu; i++) {
        expected[body->f->twist[i]] = body->u[i];
    }
    twist_along(body, body->u, twist);
    for (int i = 0; i < TWIST_SIZE; i++) {
        assert_near("velocity", body->tag, given[i], expected[i]);
        assert_near("motion", body->tag, twist[i], expected[i]);
    }
    assert_near("a and Psi", body->tag, length3(frame.a) + length3(frame.Psi), 0.0);
    assert_true(body->f->spatial || (frame.r.z == 0.0 && frame.v.z == 0.0));
}

// q' is the derivative of the motion; the motion keeps coordinates normal.
static void check_q_dot(const Body* body) {
    double q_dot[BODY_MAX_NQ];
    double q[N_POINTS][BODY_MAX_NQ];
    if (body->f->node == NULL) {
        assert_int_equal(body->f->nq, body->f->nu);
        return;
    }
    body->f->node->q_dot(body->q, body->u, q_dot);
    for (int k = 0; k < N_POINTS; k++) {
        move(body, POINTS[k] * STEP, body->u, q[k]);
        double normal[BODY_MAX_NQ];
        memcpy(normal, q[k], sizeof normal);
        body->f->node->normalize(normal);
        for (int i = 0; i < body->f->nq; i++) {
            assert_near("normal", body->tag, q[k][i], normal[i]);
        }
    }
    for (int i = 0; i < body->f->nq; i++) {
        assert_near("q'", body->tag, q_dot[i], difference_of(&q[0][i], BODY_MAX_NQ));
    }
}

// Half a motion twice is the whole motion, over large angles too.
static void check_move(const Body* body) {
    double whole[BODY_MAX_NQ];
    double twice[BODY_MAX_NQ];
    Body half = *body;
    move(body, 3.0, body->u, whole);
    move(body, 1.5, body->u, half.q);
    move(&half, 1.5, body->u, twice);
    for (int i = 0; i < body->f->nq; i++) {
        assert_near("move", body->tag, twice[i], whole[i]);
    }
}

// The twist of the frame at q_1 = q_0 + B(q_0) w per w_j is pulled back to w_j, also for large w
static void check_pull_back(const Body* body) {
    double w[TWIST_SIZE];
    double rate[BODY_MAX_NQ];
    double q_1[BODY_MAX_NQ];
    if (body->f->node == NULL) {
        return;
    }
    for (int i = 0; i < body->f->nu; i++) {
        w[i] = random_in(-0.5, 0.5);
    }
    body->f->node->q_dot(body->q, w, rate);
    for (int i = 0; i < body->f->nq; i++) {
        q_1[i] = body->q[i] + rate[i];
    }
    const Frame frame = frame_of(body, q_1);
    for (int j = 0; j < body->f->nu; j++) {
        const double direction[TWIST_SIZE] = {j == 0, j == 1, j == 2, j == 3, j == 4, j == 5};
        double twist[TWIST_SIZE];
        Frame frames[N_POINTS];
        body->f->node->q_dot(body->q, direction, rate);
        for (int k = 0; k < N_POINTS; k++) {
            double q[BODY_MAX_NQ];
            for (int i = 0; i < body->f->nq; i++) {
                q[i] = q_1[i] + POINTS[k] * STEP * rate[i];
            }
            frames[k] = frame_of(body, q);
        }
        twist_of(&frame, frames, twist);
        double d[TWIST_SIZE];
        double back[TWIST_SIZE];
        for (int i = 0; i < body->f->nu; i++) {
            d[i] = twist[body->f->twist[i]];
        }
        body->f->node->pull_back(q_1, body->q, d, back);
        for (int i = 0; i < body->f->nu; i++) {
            assert_near("pull_back", body->tag, back[i], direction[i]);
        }
    }
}

// Lengths other than one mean the same frame; normalizing brings them back.
static void check_normalize(const Body* body) {
    if (body->f->node == NULL) {
        return;
    }
    double q[BODY_MAX_NQ];
    memcpy(q, body->q, sizeof q);
    for (int i = TWIST_SIZE / 2; i < body->f->nq; i++) {
        q[i] *= 1.7;
    }
    const Frame stretched = frame_of(body, q);
    const Frame frame = frame_of(body, body->q);
    body->f->node->normalize(q);
    for (int i = 0; i < 3; i++) {
        assert_near("R", body->tag, length3(sub3(stretched.R.e[i], frame.R.e[i])), 0.0);
        assert_near("length", body->tag, length3(frame.R.e[i]), 1.0);
        assert_near("perpendicular", body->tag, dot3(frame.R.e[i], frame.R.e[(i + 1) % 3]), 0.0);
    }
    for (int i = 0; i < body->f->nq; i++) {
        assert_near("normalize", body->tag, q[i], body->q[i]);
    }
}

// Symmetric and positive definite
static void check_mass(const Body* body) {
    const int n = body->f->nu;
    double M[TWIST_SIZE * TWIST_SIZE];
    body->f->mass(body->par, M);
    for (int trial = 0; trial < TRIALS; trial++) {
        double x[TWIST_SIZE];
        double energy = 0.0;
        for (int i = 0; i < n; i++) {
            x[i] = random_in(-1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                assert_true(M[i * n + j] == M[j * n + i]);
                energy += x[i] * M[i * n + j] * x[j];
            }
        }
        assert_true(energy > 0.0);
    }
}

static BodyView view_of(const Body* body, const double* gravity) {
    return (BodyView){.par = body->par,
                      .gravity = gravity,
                      .q = body->q,
                      .u = body->u,
                      .nq = body->f->nq,
                      .nu = body->f->nu};
}

// Weight is that of the mass at the frame's origin; its potential and the rate of that fit.
static void check_weight(Body* body) {
    static const double none[3] = {0.0, 0.0, 0.0};
    const double gravity[3] = {random_in(-9.0, 9.0), random_in(-9.0, 9.0), random_in(-9.0, 9.0)};
    const BodyView view = view_of(body, gravity);
    const BodyView weightless = view_of(body, none);
    const Frame frame = frame_of(body, body->q);
    double M[TWIST_SIZE * TWIST_SIZE];
    double h[TWIST_SIZE];
    double without[TWIST_SIZE];
    double power = 0.0;
    body->f->mass(body->par, M);
    body->f->forces(&view, h);
    body->f->forces(&weightless, without);
    for (int i = 0; i < body->f->nu; i++) {
        const int component = body->f->twist[i];
        const double weight = component < 3 ? M[0] * gravity[component] : 0.0;
        assert_near("weight", body->tag, h[i] - without[i], weight);
        power += weight * body->u[i];
    }
    const Vec3 field = {gravity[0], gravity[1], gravity[2]};
    assert_near("potential", body->tag, body->f->potential(&view), -M[0] * dot3(field, frame.r));
    assert_near("its rate", body->tag, body->f->potential_rate(&view), -power);
}

// Gyroscopic forces do no work, and D is their derivative; they are those of M: angular momentum of
// a free body stays, d(R Theta Omega)/dt = R (Theta Omega' + Omega x Theta Omega) = 0.
static void check_gyroscopic(Body* body) {
    static const double none[3] = {0.0, 0.0, 0.0};
    const int n = body->f->nu;
    const BodyView view = view_of(body, none);
    double D_entries[TWIST_SIZE * TWIST_SIZE] = {0.0};
    const MatrixSink D = {.sink = {add_to_matrix}, .n = n, .A = D_entries};
    double h[TWIST_SIZE] = {0.0};
    double M[TWIST_SIZE * TWIST_SIZE];
    double L[TWIST_SIZE] = {0.0};
    double power = 0.0;
    assert_int_equal(body->f->velocity_dependent, body->f->tangent != NULL);
    if (body->f->tangent == NULL) {
        return;
    }
    body->f->forces(&view, h);
    body->f->tangent(&view, (BodyTerms){.k = 3.0, .d = 2.0}, &D.sink);
    body->f->mass(body->par, M);
    for (int i = 0; i < n; i++) {
        power += h[i] * body->u[i];
        for (int j = 0; j < n; j++) {
            L[i] += M[i * n + j] * body->u[j];
        }
    }
    assert_near("gyroscopic power", body->tag, power, 0.0);
    const Vec3 momentum = {L[3], L[4], L[5]};
    const Vec3 torque = {h[3], h[4], h[5]};
    const Vec3 expected = cross3(momentum, frame_of(body, body->q).Omega);
    assert_near("torque", body->tag, length3(sub3(torque, expected)), 0.0);
    for (int j = 0; j < n; j++) {
        double moved[N_POINTS][TWIST_SIZE] = {{0.0}};
        const double u_j = body->u[j];
        for (int k = 0; k < N_POINTS; k++) {
            body->u[j] = u_j + POINTS[k] * STEP;
            body->f->forces(&view, moved[k]);
        }
        body->u[j] = u_j;
        for (int i = 0; i < n; i++) {
            assert_near("D", body->tag, 0.5 * D.A[i * n + j],
                        difference_of(&moved[0][i], TWIST_SIZE));
        }
    }
}

static void test_bodies(void** state) {
    (void)state;
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        if (kind->role != ROLE_BODY || kind->body->nu == 0) {
            continue;  // what has a prescribed motion or deforms
        }
        for (int trial = 0; trial < TRIALS; trial++) {
            Body body;
            random_body(kind, &body);
            check_velocity(&body);
            check_q_dot(&body);
            check_move(&body);
            check_pull_back(&body);
            check_normalize(&body);
            check_mass(&body);
            check_weight(&body);
            check_gyroscopic(&body);
        }
    }
}

// The start: the origin of the body's coordinates is where the attributes say, and turned so.
static void test_start_of_spatial_body(void** state) {
    (void)state;
    const ElementKind* kind = element_kind_find("spatial_body");
    for (int trial = 0; trial < TRIALS; trial++) {
        Body body;
        Vec3 origin = {0.0, 0.0, 0.0};
        Vec3 turn = {0.0, 0.0, 0.0};
        random_body(kind, &body);
        for (int i = 0; i < kind->n_parameters; i++) {
            const char* name = kind->parameters[i].name;
            origin.x = strcmp(name, "initial_x") == 0 ? body.par[i] : origin.x;
            origin.y = strcmp(name, "initial_y") == 0 ? body.par[i] : origin.y;
            origin.z = strcmp(name, "initial_z") == 0 ? body.par[i] : origin.z;
            turn.x = strcmp(name, "initial_rotation_x") == 0 ? body.par[i] : turn.x;
            turn.y = strcmp(name, "initial_rotation_y") == 0 ? body.par[i] : turn.y;
            turn.z = strcmp(name, "initial_rotation_z") == 0 ? body.par[i] : turn.z;
        }
        const Frame frame = frame_of(&body, body.q);
        const Mat3 R = rotation(turn);
        const Vec3 centre = turn3(R, body.f->centre_of_mass(body.par));
        assert_near("origin", body.tag, length3(sub3(sub3(frame.r, centre), origin)), 0.0);
        for (int i = 0; i < 3; i++) {
            assert_near("R", body.tag, length3(sub3(frame.R.e[i], R.e[i])), 0.0);
        }
    }
}

static Vec3 vector_difference(const Vec3 x[N_POINTS]) {
    const size_t stride = sizeof(Vec3) / sizeof(double);
    return (Vec3){difference_of(&x[0].x, stride), difference_of(&x[0].y, stride),
                  difference_of(&x[0].z, stride)};
}

// Bodies that do not move by themselves: the frame moves as its velocity and acceleration say.
static void check_prescribed(const ElementKind* kind) {
    double par[BODY_PARAMETERS];
    Jet signals[CASE_SIGNALS];
    Frame frame;
    Frame frames[N_POINTS];
    Vec3 v[N_POINTS];
    Vec3 Omega[N_POINTS];
    double twist[TWIST_SIZE];
    assert_true(kind->n_signals <= CASE_SIGNALS && kind->n_parameters <= BODY_PARAMETERS);
    for (int i = 0; i < kind->n_parameters; i++) {
        par[i] = random_in(-1.0, 1.0);
    }
    for (int i = 0; i < CASE_SIGNALS; i++) {
        signals[i] = random_jet();
    }
    kind->body->frame(par, signals, NULL, NULL, &frame);
    for (int k = 0; k < N_POINTS; k++) {
        Jet later[CASE_SIGNALS];
        for (int i = 0; i < CASE_SIGNALS; i++) {
            later[i] = jet_after(signals[i], POINTS[k] * STEP);
        }
        kind->body->frame(par, later, NULL, NULL, &frames[k]);
        v[k] = frames[k].v;
        Omega[k] = frames[k].Omega;
    }
    twist_of(&frame, frames, twist);
    const Vec3 dr = {twist[0], twist[1], twist[2]};
    const Vec3 dtheta = {twist[3], twist[4], twist[5]};
    assert_near("v", kind->tag, length3(sub3(dr, frame.v)), 0.0);
    assert_near("Omega", kind->tag, length3(sub3(dtheta, frame.Omega)), 0.0);
    assert_near("a", kind->tag, length3(sub3(vector_difference(v), frame.a)), 0.0);
    assert_near("Psi", kind->tag, length3(sub3(vector_difference(Omega), frame.Psi)), 0.0);
}

static void test_prescribed_motion(void** state) {
    (void)state;
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        const bool prescribed =
            kind->role == ROLE_BODY && kind->body->nu == 0 && kind->body->size == NULL;
        for (int n = 0; n < TRIALS && prescribed; n++) {
            check_prescribed(kind);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_start_of_spatial_body),
        cmocka_unit_test(test_prescribed_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
