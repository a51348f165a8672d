// With d a direction of a law, arms from the frames to the point and L the roots of the inertias:
//   W = (d, R_a^T (arm_a x d), -d, -R_b^T (arm_b x d)),   D = d,
//   R_a = K_a (arm_a x d),   R_b = -K_b (arm_b x d)   with   K = L^-1 R^T,
//   W^T u = d . (v_a + omega_a x arm_a - v_b - omega_b x arm_b)
#include "contacts/cone_points.h"

#include <math.h>

#include "contacts/contact_set.h"

// --- which ones ---

// The assembly of one side, -1: it does not move.
static int assembly_of(const System* sys, const Coupling* coupling, int side) {
    const CouplingSide* coupled = &coupling->sides[side];
    return coupled->n > 0 ? sys->assemblies.of_u[coupling->u[coupled->entry[0]]] : -1;
}

static bool is_free(const BodyRoot* roots, int assembly, bool planar) {
    return assembly < 0 ||
           (body_root_is_free(&roots[assembly]) && (planar || roots[assembly].mass->in_space));
}

bool cone_points_add(const System* sys, const BodyRoot* roots, const double* p, int law,
                     ConePoints* points) {
    const Link* link = &sys->laws[law];
    if (link->bound >= 0 || link->rows->point == NULL || link->coupling.column == NULL) {
        return false;
    }
    const ContactLaw form = contact_set_form(link, p, 0.0);
    const int a = assembly_of(sys, &link->coupling, 0), b = assembly_of(sys, &link->coupling, 1);
    const bool planar = link->rows->n_rows == 2;
    if (form.n_F >= CONE_ROWS || a == b || !is_free(roots, a, planar) ||
        !is_free(roots, b, planar)) {
        return false;
    }
    points->points[points->n++] = (ConePoint){.law = law,
                                              .bodies = {1 + a, 1 + b},
                                              .n = contact_law_rows(&form),
                                              .mu = form.n_F > 0 ? form.mu : 0.0};
    return true;
}

static void place_part(ConeOrder* order, const Range* part, ConePoints* points) {
    for (int i = part->at; i < part->at + part->n; i++) {
        ConePoint* point = &points->points[points->order[i]];
        const int* bodies = point->bodies;
        point->place = bodies[0] > 0 ? cone_order_place(order, bodies[0], bodies[1])
                                     : cone_order_place(order, bodies[1], bodies[0]);
    }
}

void cone_points_place(ConeOrder* order, ConePoints* points, ConeProblem* problem) {
    for (int k = 0; k < problem->phases[CONE_PHASES]; k++) {
        Range* blocks = &problem->parts[k].blocks;
        blocks->at = order->n_blocks;
        place_part(order, &points->parts[k], points);
        cone_order_end_part(order);
        blocks->n = order->n_blocks - blocks->at;
    }
}

// --- bodies ---

static PointBody free_body(const BodyRoot* root, const Frame* frame) {
    PointBody body = {.s = root->mass->s};
    const Mat3 R = frame->R;
    double K[3][3] = {{R.e[0].x, R.e[1].x, R.e[2].x},
                      {R.e[0].y, R.e[1].y, R.e[2].y},
                      {R.e[0].z, R.e[1].z, R.e[2].z}};  // R^T, by columns
    for (int i = 0; i < 3; i++) {
        body_root_scale(root->mass->L_inverse, K[i]);
        body.K.e[i] = (Vec3){K[i][0], K[i][1], K[i][2]};
    }
    return body;
}

static void place_bodies(const System* sys, const BodyRoot* roots, const Instant* instant,
                         ConePoints* points) {
    points->bodies[0] = (PointBody){.s = 0.0};
    for (int a = 0; a < sys->assemblies.n; a++) {
        if (body_root_is_free(&roots[a])) {
            points->bodies[1 + a] = free_body(&roots[a], &instant->frames[roots[a].frame]);
        }
    }
}

// --- the law ---

static void put_row(Vec3 a, double* row) {
    row[0] = a.x;
    row[1] = a.y;
    row[2] = a.z;
}

// Rows of two bodies
typedef struct PointRows {
    Vec3 D[CONE_ROWS], R_a[CONE_ROWS], R_b[CONE_ROWS];
    double translation;  // sum of the inverse masses
} PointRows;

// W^T M^-1 W of two rows
static double mobility(const PointRows* rows, int r, int c) {
    return rows->translation * dot3(rows->D[r], rows->D[c]) + dot3(rows->R_a[r], rows->R_a[c]) +
           dot3(rows->R_b[r], rows->R_b[c]);
}

// G of normal and friction. A projection to the cone moves both at once: it needs measures that are
// no less than the whole block.
static void measure(const PointRows* rows, bool relaxed, ConeLaw* law) {
    const double G_11 = mobility(rows, 1, 1);
    const double G_22 = mobility(rows, 2, 2);
    const double G_12 = mobility(rows, 1, 2);
    const double half = 0.5 * (G_11 - G_22);
    law->G_N = mobility(rows, 0, 0);
    law->G_F = 0.5 * (G_11 + G_22) + sqrt(half * half + G_12 * G_12);
    law->G_FN[0] = mobility(rows, 1, 0);
    law->G_FN[1] = mobility(rows, 2, 0);
    if (relaxed) {
        const double coupling = sqrt(law->G_FN[0] * law->G_FN[0] + law->G_FN[1] * law->G_FN[1]);
        law->G_N += coupling;
        law->G_F += coupling;
    }
}

// The first n rows; those that do not act are zero
static void fill_law(const ContactPoint* contact, int n, const PointBody* a, const PointBody* b,
                     bool relaxed, ConeLaw* law) {
    PointRows rows = {.translation = a->s * a->s + b->s * b->s};
    for (int r = 0; r < CONE_ROWS; r++) {
        const Vec3 d = r < n ? contact->d[r] : (Vec3){0.0, 0.0, 0.0};
        rows.D[r] = d;
        rows.R_a[r] = turn3(a->K, cross3(contact->arm_a, d));
        rows.R_b[r] = turn3(b->K, cross3(d, contact->arm_b));
        put_row(rows.D[r], law->D[r]);
        put_row(rows.R_a[r], law->R_a[r]);
        put_row(rows.R_b[r], law->R_b[r]);
    }
    measure(&rows, relaxed, law);
}

// The first body of a law is one that moves.
static void swap_sides(ConeLaw* law) {
    law->bodies[0] = law->bodies[1];
    law->bodies[1] = 0;
    for (int r = 0; r < CONE_ROWS; r++) {
        for (int i = 0; i < 3; i++) {
            law->D[r][i] = -law->D[r][i];
            law->R_a[r][i] = law->R_b[r][i];
            law->R_b[r][i] = 0.0;
        }
    }
}

static void set_law(const ConePoints* points, const ConePoint* point, const ContactPoint* contact,
                    ConeProblem* problem) {
    ConeLaw law = {.mu = point->mu, .bodies = {point->bodies[0], point->bodies[1]}};
    fill_law(contact, point->n, &points->bodies[point->bodies[0]],
             &points->bodies[point->bodies[1]], problem->relaxed, &law);
    if (law.bodies[0] == 0) {
        swap_sides(&law);
    }
    cone_problem_set(problem, point->place, &law);
}

static void set_normal(const ConePoints* points, const ConePoint* point,
                       const ContactPoint* contact, double dt, ConeProblem* problem) {
    const PointBody* a = &points->bodies[point->bodies[0]];
    const PointBody* b = &points->bodies[point->bodies[1]];
    const Vec3 n = contact->d[0];
    const Vec3 R_a = turn3(a->K, cross3(contact->arm_a, n));
    const Vec3 R_b = turn3(b->K, cross3(n, contact->arm_b));
    const bool swapped = point->bodies[0] == 0;  // as in its law
    const double mass = a->s * a->s + b->s * b->s;
    ConeNormal normal = {.b = contact->g / dt,
                         .G_N = mass * dot3(n, n) + dot3(R_a, R_a) + dot3(R_b, R_b)};
    put_row(swapped ? scale3(-1.0, n) : n, normal.D);
    put_row(swapped ? R_b : R_a, normal.R_a);
    put_row(swapped ? R_a : R_b, normal.R_b);
    cone_problem_set_normal(problem, point->place, &normal);
}

// --- velocities ---

static const Frame* frame_of(const Instant* instant, int marker) {
    return &instant->frames[instant->properties->markers[marker].frame];
}

static Vec3 velocity_at(Vec3 v, Vec3 omega, Vec3 arm) { return add3(v, cross3(omega, arm)); }

static Vec3 frame_velocity(const Frame* frame, Vec3 arm) {
    return velocity_at(frame->v, turn3(frame->R, frame->Omega), arm);
}

// What a change of all velocities makes of that at the end of an arm on a side of a contact
static Vec3 velocity_change(const Coupling* coupling, int side, const Frame* frame,
                            const double* change, Vec3 arm) {
    const CouplingSide* coupled = &coupling->sides[side];
    double du[6] = {0.0};
    for (int i = 0; i < coupled->n; i++) {
        du[coupled->twist[i]] = change[coupling->u[coupled->entry[i]]];
    }
    return velocity_at((Vec3){du[0], du[1], du[2]}, turn3(frame->R, ((Vec3){du[3], du[4], du[5]})),
                       arm);
}

static void find_velocities(const Instant* instant, const double* change, const Link* link,
                            const ContactPoint* contact, ConePoint* point) {
    const Frame* a = frame_of(instant, link->marker_a);
    const Frame* b = frame_of(instant, link->marker_b);
    const Vec3 V = sub3(frame_velocity(a, contact->arm_a), frame_velocity(b, contact->arm_b));
    const Vec3 dV = sub3(velocity_change(&link->coupling, 0, a, change, contact->arm_a),
                         velocity_change(&link->coupling, 1, b, change, contact->arm_b));
    for (int r = 0; r < CONE_ROWS; r++) {
        point->U[r] = dot3(contact->d[r], V);
        point->dU[r] = dot3(contact->d[r], dV);
    }
}

// --- all ---

// What the parts of the points are evaluated with
typedef struct Evaluation {
    const System* sys;
    const Instant* instant;
    const double* change;
    double dt;  // of normals alone
    ConePoints* points;
    ConeProblem* problem;
} Evaluation;

static void evaluate_part(void* job, int k) {
    const Evaluation* of = job;
    const Range* part = &of->points->parts[k];
    for (int i = part->at; i < part->at + part->n; i++) {
        ConePoint* point = &of->points->points[of->points->order[i]];
        const Link* link = &of->sys->laws[point->law];
        ContactPoint contact;
        system_contact_point(of->instant, link, &contact);
        point->g = contact.g;
        find_velocities(of->instant, of->change, link, &contact, point);
        set_law(of->points, point, &contact, of->problem);
    }
    cone_problem_ground(of->problem, &of->problem->parts[k]);
}

static void evaluate_normals(void* job, int k) {
    const Evaluation* of = job;
    const Range* part = &of->points->parts[k];
    for (int i = part->at; i < part->at + part->n; i++) {
        const ConePoint* point = &of->points->points[of->points->order[i]];
        ContactPoint contact;
        system_contact_point(of->instant, &of->sys->laws[point->law], &contact);
        set_normal(of->points, point, &contact, of->dt, of->problem);
    }
}

void cone_points_evaluate(const System* sys, const BodyRoot* roots, const Instant* instant,
                          const double* change, ConePoints* points, ConeProblem* problem) {
    Evaluation of = {sys, instant, change, 0.0, points, problem};
    place_bodies(sys, roots, instant, points);
    cone_problem_do(problem, true, evaluate_part, &of);
}

void cone_points_evaluate_normals(const System* sys, const BodyRoot* roots, const Instant* instant,
                                  double dt, ConePoints* points, ConeProblem* problem) {
    Evaluation of = {sys, instant, NULL, dt, points, problem};
    place_bodies(sys, roots, instant, points);
    cone_problem_do(problem, true, evaluate_normals, &of);
}
