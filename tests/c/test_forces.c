// Every kind of force, in the plane and in space: derivatives against differences, potential
// against the force, action and reaction.
#include "reader/element_kinds.h"
#include "kernel_cases.h"

#include "mechanism.h"

enum { TRIALS = 10 };

typedef void (*KindCheck)(const ElementKind* kind, bool planar);

static void for_every_force(KindCheck check) {
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        if (kind->role != ROLE_FORCE) {
            continue;
        }
        if (!kind->spatial_only) {
            check(kind, true);
        }
        check(kind->spatial != NULL ? kind->spatial : kind, false);
    }
}

static void check_variation(const ElementKind* kind, const Case* c, Variation v) {
    double F[N_POINTS][LOCAL_SIZE] = {{0.0}};
    Dual dual[LOCAL_SIZE] = {0.0};
    DualFrame varied[2];
    for (int k = 0; k < N_POINTS; k++) {
        Frame frames[2];
        vary(c, v, POINTS[k] * STEP, frames);
        kind->force->force(&c->s, &frames[0], &frames[1], F[k]);
    }
    vary_dual(c, v, varied);
    kind->force->force_dual(&c->s, &varied[0], &varied[1], dual);
    for (int i = 0; i < LOCAL_SIZE; i++) {
        const double derivative = difference_of(&F[0][i], LOCAL_SIZE);
        assert_near("dF", kind->tag, dual_derivative(dual[i]), derivative);
        assert_true(kind->force->state_dependent || derivative == 0.0);
    }
}

static void check_derivatives(const ElementKind* kind, bool planar) {
    for (int trial = 0; trial < TRIALS; trial++) {
        Case c;
        random_case(kind, planar, &c);
        for (int n = 0; n < N_VARIATIONS; n++) {
            if (!planar || in_plane(variation(n))) {
                check_variation(kind, &c, variation(n));
            }
        }
    }
}

static void test_derivatives(void** state) {
    (void)state;
    for_every_force(check_derivatives);
}

// Turns the second body until the z axes of the markers are the same, as a hinge does.
static void align_axes(Case* c) {
    const Mat3 A_a = product3(c->frames[0].R, c->markers[0].A);
    const Mat3 A_b = product3(A_a, rotation((Vec3){0.0, 0.0, random_in(-1.0, 1.0)}));
    Mat3 back = c->markers[1].A;  // transposed
    for (int i = 0; i < 3; i++) {
        back.e[i] = turn_back3(c->markers[1].A, unit_vector(i));
    }
    c->frames[1].R = product3(A_b, back);
}

// At rest -dV/dq is the force (a damper rests, too); the dual potential has the same derivative.
static void check_potential(const ElementKind* kind, bool planar) {
    const ForceFunctions* f = kind->force;
    assert_true((f->potential == NULL) == (f->potential_dual == NULL));
    for (int trial = 0; trial < TRIALS && f->potential != NULL; trial++) {
        Case c;
        double F[LOCAL_SIZE] = {0.0};
        random_case(kind, planar, &c);
        if (!planar && strcmp(kind->tag, "torsional_spring_damper") == 0) {
            align_axes(&c);  // its potential is one of the angle of a hinge
        }
        c.frames[0].v = c.frames[0].Omega = c.frames[1].v = c.frames[1].Omega = unit_vector(-1);
        f->force(&c.s, &c.frames[0], &c.frames[1], F);
        for (int n = 0; n < LOCAL_SIZE; n++) {
            const Variation v = variation(n);
            double V[N_POINTS];
            DualFrame varied[2];
            if (planar && !in_plane(v)) {
                continue;
            }
            for (int k = 0; k < N_POINTS; k++) {
                Frame frames[2];
                vary(&c, v, POINTS[k] * STEP, frames);
                V[k] = f->potential(&c.s, &frames[0], &frames[1]);
            }
            vary_dual(&c, v, varied);
            const Dual dual = f->potential_dual(&c.s, &varied[0], &varied[1]);
            assert_near("-dV", kind->tag, F[n], -difference(V));
            assert_near("dV", kind->tag, dual_derivative(dual), difference(V));
        }
    }
}

static void test_potentials(void** state) {
    (void)state;
    for_every_force(check_potential);
}

// Forces between bodies have no resultant: neither force nor moment about the origin.
static void check_resultant(const ElementKind* kind, bool planar) {
    for (int trial = 0; trial < TRIALS && kind->n_references == 2; trial++) {
        Case c;
        double F[LOCAL_SIZE] = {0.0};
        Vec3 force = {0.0, 0.0, 0.0};
        Vec3 moment = {0.0, 0.0, 0.0};
        random_case(kind, planar, &c);
        kind->force->force(&c.s, &c.frames[0], &c.frames[1], F);
        for (int side = 0; side < 2; side++) {
            const double* F_side = F + side * TWIST_SIZE;
            const Vec3 f = {F_side[0], F_side[1], F_side[2]};
            const Vec3 m = {F_side[3], F_side[4], F_side[5]};
            force = add3(force, f);
            moment = add3(moment, cross3(c.frames[side].r, f));
            moment = add3(moment, turn3(c.frames[side].R, m));
        }
        assert_near("resultant force", kind->tag, length3(force), 0.0);
        assert_near("resultant moment", kind->tag, length3(moment), 0.0);
    }
}

static void test_action_and_reaction(void** state) {
    (void)state;
    for_every_force(check_resultant);
}

// Where the direction of a spring is not defined, everything stays finite.
static void test_spring_of_no_length(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<point_mass name='m' mass='1'/><spring_damper name='f' first='m' stiffness='9' "
        "damping='1' free_length='0.5'/>");
    start(simulation);
    advance(simulation, 0.01);
    assert_close(value_of(simulation, "m.x"), 0.0, 0.0, "x");
    assert_close(value_of(simulation, "f.length"), 0.0, 0.0, "length");
    simulation_destroy(simulation);
}

// Springs that are softer when short, and ropes, which do not push.
static void test_compression(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<point_mass name='near' mass='1' initial_x='0.5'/><point_mass name='far' mass='1' "
        "initial_x='3'/>"
        "<spring_damper name='long' first='far' stiffness='8' free_length='1' "
        "compression_factor='0'/>"
        "<spring_damper name='short' first='near' stiffness='8' free_length='1' "
        "compression_factor='0.25'/>"
        "<spring_damper name='rope' first='near' stiffness='8' free_length='1' "
        "compression_factor='0'/>");
    start(simulation);
    assert_close(value_of(simulation, "long.tension"), 16.0, 1e-14, "long");
    assert_close(value_of(simulation, "short.tension"), -1.0, 1e-14, "short");
    assert_close(value_of(simulation, "rope.tension"), 0.0, 0.0, "rope");
    assert_close(value_of(simulation, "far.acceleration_x"), -16.0, 1e-12, "pulled");
    assert_close(value_of(simulation, "near.acceleration_x"), 1.0, 1e-12, "pushed");
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),         cmocka_unit_test(test_potentials),
        cmocka_unit_test(test_action_and_reaction), cmocka_unit_test(test_spring_of_no_length),
        cmocka_unit_test(test_compression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
