// Kinematics of all joints and contacts at random states against independent derivatives: finite
// differences along screw motions of the two frames. Goes through the table of kinds, so that a
// kind that is not covered fails by its name. Forces are in test_forces.c, bodies in test_bodies.c.
#include "reader/element_kinds.h"
#include "kernel_cases.h"

#include "elements/contact.h"
#include "elements/shapes.h"

enum { TRIALS = 10 };

static double velocity(const Frame frames[2], const Rows* rows, int i) {
    double sum = rows->g_t[i];
    for (int side = 0; side < 2; side++) {
        const double* W = rows->W[i] + side * TWIST_SIZE;
        const Frame* f = &frames[side];
        sum += W[0] * f->v.x + W[1] * f->v.y + W[2] * f->v.z;
        sum += W[3] * f->Omega.x + W[4] * f->Omega.y + W[5] * f->Omega.z;
    }
    return sum;
}

// The frames and signals a time t later
static void follow(Case* c, const Case* at_start, double t, Frame frames[2]) {
    for (int side = 0; side < 2; side++) {
        const Frame* f = &at_start->frames[side];
        frames[side] = displaced(f, t, f->v, f->Omega);
    }
    for (int i = 0; i < CASE_SIGNALS; i++) {
        c->signals[i] = jet_after(at_start->signals[i], t);
    }
}

// The rows along the motion: g' = velocity for rows on position level, velocity' = zeta for all
static void check_motion(const RowFunctions* f, const char* tag, Case* c) {
    double g[MAX_ROWS][N_POINTS];
    double gamma[MAX_ROWS][N_POINTS];
    const Case at_start = *c;
    Rows rows;
    f->rows(&c->s, &c->frames[0], &c->frames[1], &rows);
    for (int k = 0; k < N_POINTS; k++) {
        Frame frames[2];
        Rows moved;
        follow(c, &at_start, POINTS[k] * STEP, frames);
        f->rows(&c->s, &frames[0], &frames[1], &moved);
        for (int i = 0; i < f->n_rows; i++) {
            g[i][k] = moved.g[i];
            gamma[i][k] = velocity(frames, &moved, i);
        }
    }
    memcpy(c->signals, at_start.signals, sizeof c->signals);
    for (int i = 0; i < f->n_rows; i++) {
        if (i < f->n_position_rows) {
            assert_near("velocity", tag, velocity(c->frames, &rows, i), difference(g[i]));
        }
        assert_near("zeta", tag, rows.zeta[i], difference(gamma[i]));
    }
}

// One row of the dual numbers against differences
static void check_row(const char* tag, const Rows moved[N_POINTS], const DualRows* rows, int i) {
    double values[N_POINTS];
    for (int k = 0; k < N_POINTS; k++) {
        values[k] = moved[k].zeta[i];
    }
    assert_near("d zeta", tag, dual_derivative(rows->zeta[i]), difference(values));
    for (int k = 0; k < N_POINTS; k++) {
        values[k] = moved[k].g[i];
    }
    assert_near("d g", tag, dual_derivative(rows->g[i]), difference(values));
    for (int w = 0; w < LOCAL_SIZE; w++) {
        for (int k = 0; k < N_POINTS; k++) {
            values[k] = moved[k].W[i][w];
        }
        assert_near("d W", tag, dual_derivative(rows->W[i][w]), difference(values));
    }
}

// Dual numbers along every displacement and velocity against differences of the rows
static void check_variations(const RowFunctions* f, const char* tag, bool planar, const Case* c) {
    for (int n = 0; n < N_VARIATIONS; n++) {
        const Variation v = variation(n);
        Rows moved[N_POINTS];
        DualFrame varied[2];
        DualRows rows;
        if (planar && !in_plane(v)) {
            continue;
        }
        for (int k = 0; k < N_POINTS; k++) {
            Frame frames[2];
            vary(c, v, POINTS[k] * STEP, frames);
            f->rows(&c->s, &frames[0], &frames[1], &moved[k]);
        }
        vary_dual(c, v, varied);
        f->rows_dual(&c->s, &varied[0], &varied[1], &rows);
        for (int i = 0; i < f->n_rows; i++) {
            check_row(tag, moved, &rows, i);
        }
    }
}

// The values of both scalar types are the same; zeta does not change the others.
static void check_values(const RowFunctions* f, const char* tag, Case* c) {
    Rows rows;
    Rows without_zeta;
    DualRows dual;
    const DualFrame a = frame_vary(&c->frames[0], -1, -1);
    const DualFrame b = frame_vary(&c->frames[1], -1, -1);
    f->rows(&c->s, &c->frames[0], &c->frames[1], &rows);
    f->rows_dual(&c->s, &a, &b, &dual);
    c->s.zeta = false;
    f->rows(&c->s, &c->frames[0], &c->frames[1], &without_zeta);
    c->s.zeta = true;
    for (int i = 0; i < f->n_rows; i++) {
        assert_near("g", tag, dual_value(dual.g[i]), rows.g[i]);
        assert_near("g_t", tag, dual_value(dual.g_t[i]), rows.g_t[i]);
        assert_near("zeta", tag, dual_value(dual.zeta[i]), rows.zeta[i]);
        assert_true(without_zeta.g[i] == rows.g[i] && without_zeta.g_t[i] == rows.g_t[i]);
        for (int j = 0; j < LOCAL_SIZE; j++) {
            assert_near("W", tag, dual_value(dual.W[i][j]), rows.W[i][j]);
            assert_true(without_zeta.W[i][j] == rows.W[i][j]);
        }
    }
}

static Vec3 random_in_plane(void) {
    return (Vec3){random_in(-1.0, 1.0), random_in(-1.0, 1.0), 0.0};
}

static void assert_same_rows(const RowFunctions* f, const char* tag, const Rows* a, const Rows* b,
                             bool zeta) {
    for (int i = 0; i < f->n_rows; i++) {
        assert_near("g", tag, a->g[i], b->g[i]);
        assert_near("g_t", tag, a->g_t[i], b->g_t[i]);
        if (zeta) {
            assert_near("zeta", tag, a->zeta[i], b->zeta[i]);
        }
        for (int j = 0; j < LOCAL_SIZE; j++) {
            assert_near("W", tag, a->W[i][j], b->W[i][j]);
        }
    }
}

// The rows and the gap of the plane are those of space, with accelerations that are prescribed.
static void check_faster(const RowFunctions* f, const char* tag, bool planar, const Case* c) {
    Case driven = *c;
    driven.s.a = &driven.markers[0];
    driven.s.b = &driven.markers[1];
    for (int side = 0; side < 2 && planar; side++) {
        driven.frames[side].a = random_in_plane();
        driven.frames[side].Psi = (Vec3){0.0, 0.0, random_in(-1.0, 1.0)};
    }
    const Frame* frames = driven.frames;
    Rows rows;
    f->rows(&driven.s, &frames[0], &frames[1], &rows);
    for (int zeta = 0; zeta < 2 && planar && f->rows_plane != NULL; zeta++) {
        Rows of_plane;
        memset(&of_plane, 0xff, sizeof of_plane);  // NAN: all entries are to be written
        driven.s.zeta = zeta == 1;
        f->rows_plane(&driven.s, &frames[0], &frames[1], &of_plane);
        assert_same_rows(f, tag, &of_plane, &rows, driven.s.zeta);
    }
    if (f->gap != NULL && (planar || f->rows_plane == NULL)) {
        assert_near("gap", tag, f->gap(&driven.s, &frames[0], &frames[1]), rows.g[0]);
    }
}

// The rows but that of drilling are made of the point.
static void check_point(const RowFunctions* f, const char* tag, const Case* c) {
    ContactPoint point;
    Rows rows;
    f->rows(&c->s, &c->frames[0], &c->frames[1], &rows);
    f->point(&c->s, &c->frames[0], &c->frames[1], &point);
    assert_near("g", tag, point.g, rows.g[0]);
    for (int i = 0; i < f->n_rows && i < CONTACT_DIRECTIONS; i++) {
        const Vec3 d = point.d[i];
        const Vec3 a = turn_back3(c->frames[0].R, cross3(point.arm_a, d));
        const Vec3 b = turn_back3(c->frames[1].R, cross3(point.arm_b, d));
        const double W[LOCAL_SIZE] = {d.x,  d.y,  d.z,  a.x,  a.y,  a.z,
                                      -d.x, -d.y, -d.z, -b.x, -b.y, -b.z};
        for (int j = 0; j < LOCAL_SIZE; j++) {
            assert_near("W", tag, W[j], rows.W[i][j]);
        }
    }
}

static void check_case(const RowFunctions* f, const char* tag, bool planar, Case* c) {
    check_motion(f, tag, c);
    check_variations(f, tag, planar, c);
    check_values(f, tag, c);
    check_faster(f, tag, planar, c);
    if (f->point != NULL && c->s.element->kind->role == ROLE_CONTACT) {
        check_point(f, tag, c);
    }
}

static void check_rows(const RowFunctions* f, const ElementKind* kind, const char* tag,
                       bool planar) {
    assert_true(f->n_rows <= MAX_ROWS && f->n_position_rows <= f->n_rows);
    for (int trial = 0; trial < TRIALS; trial++) {
        Case c;
        random_case(kind, planar, &c);
        check_case(f, tag, planar, &c);
    }
}

// --- curves ---

static int find_x(const void* context, const char* name, int n) {
    (void)context;
    return n == 1 && name[0] == 'x' ? 0 : -1;
}

// No point of the curve is nearer to (xi, eta) than the distance.
static void scan_curve(const Expression* f, double xi, double eta, double distance) {
    for (double s = -5.0; s < 5.0; s += 1e-3) {
        const double nearer = hypot(xi - s, eta - expression_value(f, 0.0, &s));
        assert_true(nearer >= distance - 1e-12);
    }
}

// A state in which the centre of the round shape is at a signed distance from the point of the
// curve at s, less than the radius of curvature there, so that this is its foot
static void curve_case(const Expression* f, double s, double distance, Case* c) {
    const Jet x = {.v = s, .d = 1.0};
    const Jet y = expression_jet(f, 0.0, &x);
    const double w = sqrt(1.0 + y.d * y.d);
    const double xi = s - distance * y.d / w;
    const double eta = y.v + distance / w;
    random_case(&contact_kind, true, c);
    c->markers[1].function = f;
    const Vec3 centre = add3(c->frames[0].r, turn3(c->frames[0].R, c->markers[0].rho));
    const Vec3 local = {xi, eta, 0.0};
    const Vec3 arm = add3(c->markers[1].rho, turn3(c->markers[1].A, local));
    c->frames[1].r = sub3(centre, turn3(c->frames[1].R, arm));
    scan_curve(f, xi, eta, fabs(distance));
    assert_near("foot", "a curve", curve_foot(f, xi, eta), s);
}

static void check_curve(const RowFunctions* f, const char* tag) {
    static const char* const functions[] = {"exp(-x)", "0.3*sin(2*x)", "0.2*x^2 - 0.1*x", "0.4"};
    static const SymbolTable symbols = {.find = find_x};
    for (int i = 0; i < (int)(sizeof functions / sizeof functions[0]); i++) {
        Arena arena = {0};
        ExpressionError error;
        const Expression* function = expression_compile(functions[i], &symbols, &arena, &error);
        assert_non_null(function);
        for (int trial = 0; trial < TRIALS; trial++) {
            Case c;
            Rows rows;
            const double distance = random_in(-0.4, 0.6);
            curve_case(function, random_in(-1.5, 1.5), distance, &c);
            f->rows(&c.s, &c.frames[0], &c.frames[1], &rows);
            assert_near("gap", tag, rows.g[0], distance - c.markers[0].radius);
            check_case(f, tag, true, &c);
        }
        arena_free(&arena);
    }
}

// --- all kinds ---

// The rows of a joint between shapes are those of their contact, with the joint as element.
static bool joins_shapes(const ElementKind* kind) {
    return kind->role == ROLE_JOINT && kind->references[0].type == REFERENCE_SHAPE;
}

static void check_joint(const ElementKind* kind, bool planar) {
    bool swap;
    check_rows(
        joins_shapes(kind) ? contact_rows_find(SHAPE_ROUND, SHAPE_FLAT, planar, &swap) : kind->rows,
        kind, kind->tag, planar);
    if (kind->friction != NULL) {
        assert_int_equal(kind->friction->n_position_rows, 0);
        assert_true(kind->friction_bound < kind->n_parameters);
        check_rows(kind->friction, kind, kind->tag, planar);
    }
}

static void test_joints(void** state) {
    (void)state;
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        if (kind->role != ROLE_JOINT) {
            continue;
        }
        if (!kind->spatial_only) {
            check_joint(kind, true);
        }
        check_joint(kind->spatial != NULL ? kind->spatial : kind, false);
    }
}

// Number of contacts of the shape with others that are covered, in the order of the kernels
static int check_contacts_of(const ElementKind* first) {
    int n = 0;
    for (int j = 0; j < element_kinds_count; j++) {
        const ElementKind* second = element_kinds[j];
        for (int planar = 0; planar < 2 && second->role == ROLE_SHAPE; planar++) {
            bool swap;
            char tag[80];
            const RowFunctions* f =
                contact_rows_find(first->shape, second->shape, planar == 1, &swap);
            snprintf(tag, sizeof tag, "%s on %s", first->tag, second->tag);
            if (f != NULL && second->shape == SHAPE_CURVE) {
                check_curve(f, tag);
            } else if (f != NULL && !swap) {
                check_rows(f, planar ? &contact_kind : contact_kind.spatial, tag, planar == 1);
            }
            n += f != NULL;
        }
    }
    return n;
}

static void test_contacts(void** state) {
    (void)state;
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        const bool touches = kind->shape != SHAPE_NONE && kind->shape != SHAPE_SURFACE;
        if (kind->role == ROLE_SHAPE && touches && check_contacts_of(kind) == 0) {
            fail_msg("no contact with a <%s> is covered", kind->tag);
        }
    }
}

// --- smooth curves ---

// An ellipse
static SmoothPoint ellipse_at(const SmoothCurve* curve, double s) {
    const Vec2 half = {0.5, 0.3};
    const double c = cos(s), d = sin(s);
    return (SmoothPoint){smooth_placed(curve, (Vec2){half.x * c, half.y * d}),
                         smooth_turned(curve, (Vec2){-half.x * d, half.y * c}),
                         smooth_turned(curve, (Vec2){-half.x * c, -half.y * d}),
                         smooth_turned(curve, (Vec2){half.x * d, -half.y * c})};
}

// A side's point of contact and outward normal, in the coordinates of its frame
static void side_contact(const Marker* m, Vec2* x, Vec2* n) {
    const SmoothPoint p = smooth_at(m->smooth, m->s);
    const Vec3 at = add3(m->rho, turn3(m->A, ((Vec3){p.x.x, p.x.y, 0.0})));
    const Vec3 along = turn3(m->A, ((Vec3){p.d.x, p.d.y, 0.0}));
    *x = (Vec2){at.x, at.y};
    *n = scale2(1.0 / length2(p.d), (Vec2){along.y, -along.x});
}

static Vec3 world_direction(const Frame* f, Vec2 d) { return turn3(f->R, ((Vec3){d.x, d.y, 0.0})); }

// Frames and markers whose sides face each other at a distance, the first from the second: a ball,
// from outside or hollow, over a curve; a curve over a line; two curves
static void smooth_case(int sides, const SmoothCurve* curve, double distance, Case* c) {
    random_case(&contact_kind, true, c);
    for (int side = 0; side < 2; side++) {
        c->markers[side].smooth = (side == 0 ? sides >= 2 : sides != 2) ? curve : NULL;
        c->markers[side].s = random_in(-3.0, 3.0);
        c->markers[side].span = 1.0;
    }
    const Frame *a = &c->frames[0], *b = &c->frames[1];
    Marker *first = &c->markers[0], *second = &c->markers[1];
    first->radius = sides == 0 ? 0.1 : sides == 1 ? -1.5 : 0.0;
    Vec2 x_a = {first->rho.x, first->rho.y}, n_a = {0.0, -1.0}, x_b, n_b;
    if (first->smooth != NULL) {
        side_contact(first, &x_a, &n_a);
    }
    // the second marker is turned until its normal is against the first one's
    const Vec3 n = scale3(-1.0, world_direction(a, n_a));
    const Vec3 wanted = turn_back3(b->R, n);
    if (second->smooth != NULL) {
        side_contact(second, &x_b, &n_b);
        const double turn =
            atan2(n_b.x * wanted.y - n_b.y * wanted.x, n_b.x * wanted.x + n_b.y * wanted.y);
        second->A = product3(rotation3_z(turn), second->A);
        side_contact(second, &x_b, &n_b);
    } else {
        second->A = contact_feature_axes(FEATURE_SMOOTH, 1, wanted, true);
        x_b = (Vec2){second->rho.x, second->rho.y};
    }
    const Vec3 centre = add3(a->r, world_direction(a, x_a));
    const Vec3 touched = sub3(centre, scale3(first->radius + distance, n));
    c->frames[1].r = sub3(touched, world_direction(b, x_b));
    first->s += first->smooth != NULL ? random_in(-0.1, 0.1) : 0.0;  // is found from nearby
    second->s += second->smooth != NULL ? random_in(-0.1, 0.1) : 0.0;
}

static void test_smooth(void** state) {
    (void)state;
    const SmoothCurve curve = {
        .at = ellipse_at, .origin = {0.1, -0.2}, .e_x = {0.8, 0.6}, .period = 6.283185307179586};
    const RowFunctions* f = contact_feature_rows(FEATURE_SMOOTH, true);
    static const char* const tags[] = {"ball on ellipse", "ellipse in circle", "ellipse on line",
                                       "ellipse on ellipse"};
    for (int sides = 0; sides < 4; sides++) {
        for (int trial = 0; trial < TRIALS; trial++) {
            Case c;
            Rows rows;
            const double distance = random_in(-0.02, 0.1);
            smooth_case(sides, &curve, distance, &c);
            f->rows(&c.s, &c.frames[0], &c.frames[1], &rows);
            assert_near("gap", tags[sides], rows.g[0], distance);
            check_case(f, tags[sides], true, &c);
        }
    }
}

// The rows of features that are found, with lines that cross and a circle that is not parallel to
// the plane
static void test_features(void** state) {
    (void)state;
    for (int kind = 0; kind < N_FEATURE_KINDS; kind++) {
        const RowFunctions* f = contact_feature_rows((FeatureKind)kind, false);
        char tag[80];
        snprintf(tag, sizeof tag, "feature %d", kind);
        if (kind == FEATURE_SMOOTH) {
            assert_null(f);  // of the plane alone: test_smooth
            continue;
        }
        assert_non_null(f);
        for (int trial = 0; trial < TRIALS; trial++) {
            Case c;
            random_case(contact_kind.spatial, false, &c);
            for (int side = 0; side < 2; side++) {
                const Mat3 axes =
                    contact_feature_axes((FeatureKind)kind, side, c.markers[side].A.e[side], false);
                c.markers[side].A = axes;
                for (int i = 0; i < 3; i++) {
                    const Vec3 cross = cross3(axes.e[i], axes.e[(i + 1) % 3]);
                    assert_near("axes", tag, length3(sub3(cross, axes.e[(i + 2) % 3])), 0.0);
                }
            }
            check_case(f, tag, false, &c);
        }
    }
}

// The markers of a shape have axes that are orthonormal and right-handed.
static void check_marker(const ElementKind* kind, const Marker* marker) {
    for (int i = 0; i < 3; i++) {
        const Vec3 e = marker->A.e[(i + 2) % 3];
        const Vec3 cross = cross3(marker->A.e[i], marker->A.e[(i + 1) % 3]);
        assert_near("length of an axis", kind->tag, length3(marker->A.e[i]), 1.0);
        assert_near("right-handed", kind->tag, length3(sub3(cross, e)), 0.0);
    }
    assert_true(marker->radius >= 0.0 && isfinite(length3(marker->rho)));
}

static void check_markers(const ElementKind* kind) {
    assert_true((kind->marker == NULL) == (kind->corner != NULL));
    for (int trial = 0; trial < TRIALS; trial++) {
        double par[CASE_PARAMETERS];
        Marker marker;
        for (int i = 0; i < CASE_PARAMETERS; i++) {
            par[i] = random_in(0.1, 2.0);
        }
        for (int i = 0; i < kind->n_markers && kind->corner != NULL; i++) {
            const MarkerView view = {.par = par, .n = kind->n_markers};
            kind->corner(&view, i, &marker);
            check_marker(kind, &marker);
        }
        if (kind->marker != NULL) {
            kind->marker(par, &marker);
            check_marker(kind, &marker);
        }
    }
}

// The mass of a body is symmetric and couples translations with nothing.
static void check_mass(const ElementKind* kind) {
    const BodyFunctions* body = kind->body;
    double par[CASE_PARAMETERS];
    double M[TWIST_SIZE * TWIST_SIZE];
    for (int i = 0; i < CASE_PARAMETERS; i++) {
        par[i] = random_in(0.1, 2.0);
    }
    for (int i = 0; i < TWIST_SIZE * TWIST_SIZE; i++) {
        M[i] = NAN;
    }
    if (body->mass == NULL) {
        return;
    }
    body->mass(par, M);
    for (int i = 0; i < body->nu; i++) {
        assert_true(i == 0 || body->twist[i] > body->twist[i - 1]);
        for (int j = 0; j < body->nu; j++) {
            const bool coupled = i == j || (body->twist[i] >= 3 && body->twist[j] >= 3);
            assert_true(coupled || M[i * body->nu + j] == 0.0);
            assert_true(M[i * body->nu + j] == M[j * body->nu + i]);
        }
    }
}

// What each role needs is there, for the plane and for space.
static void check_kind(const ElementKind* kind) {
    switch (kind->role) {
        case ROLE_SETTING:
            return;
        case ROLE_BODY:
            assert_non_null(kind->body);
            check_mass(kind);
            return;
        case ROLE_SHAPE:
            check_markers(kind);
            assert_true((kind->surface != NULL) == (kind->surface_size != NULL));
            return;
        case ROLE_VERTEX:
            assert_true(kind->n_parameters > 0 && kind->n_outputs == 0);
            return;
        case ROLE_FORCE:
            assert_non_null(kind->force);
            return;
        case ROLE_JOINT:
            assert_true((kind->rows != NULL) == !joins_shapes(kind));
            return;
        case ROLE_CONTACT:
            assert_ptr_equal(element_kind_find("contact"), &contact_kind);
            return;
        case ROLE_USE:
            assert_true(kind->n_parameters > 0 && kind->n_outputs == 0);
            return;
        case ROLE_SENSOR:
            assert_true(kind->n_outputs > 0 && kind->n_references > 0);
            return;
    }
    fail_msg("<%s> has a role that this test does not know", kind->tag);
}

static void test_kinds(void** state) {
    (void)state;
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        assert_ptr_equal(element_kind_find(kind->tag), kind);
        assert_non_null(kind->help);
        check_kind(kind);
        if (kind->spatial != NULL) {
            assert_string_equal(kind->spatial->tag, kind->tag);
            assert_int_equal(kind->spatial->role, kind->role);
            assert_null(kind->spatial->spatial);
            check_kind(kind->spatial);
        }
    }
    assert_null(element_kind_find("no_such_kind"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),    cmocka_unit_test(test_joints),
        cmocka_unit_test(test_contacts), cmocka_unit_test(test_features),
        cmocka_unit_test(test_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
