// Every kind of flexible body: mass and forces against its energies.
#include "kernel_cases.h"

enum { TRIALS = 20, BODY_PARAMETERS = 64, MOST_NODES = 32 };

typedef struct FlexibleBody {
    const ElementKind* kind;
    const FlexibleFunctions* f;
    int n;
    double par[BODY_PARAMETERS], gravity[3];
    double q[MOST_NODES], u[MOST_NODES];
} FlexibleBody;

static void random_flexible(const ElementKind* kind, FlexibleBody* body) {
    *body = (FlexibleBody){.kind = kind, .f = kind->body->flexible};
    for (int i = 0; i < kind->n_parameters; i++) {
        const bool whole = kind->parameters[i].type == VARIABLE_INTEGER;
        body->par[i] = whole ? 1.0 + random_below(9) : random_in(0.5, 2.0);
    }
    body->n = body->f->count(body->par);
    assert_in_range(body->n, 1, MOST_NODES);
    body->f->initial(body->par, body->n, body->q, body->u);
    for (int i = 0; i < 3; i++) {
        body->gravity[i] = random_in(-9.0, 9.0);
    }
    for (int i = 0; i < body->n; i++) {
        body->q[i] += random_in(-0.1, 0.1);
        body->u[i] += random_in(-1.0, 1.0);
    }
}

// The mass is symmetric with the diagonal that is told, and makes the kinetic energy.
static void check_flexible_mass(const FlexibleBody* body) {
    double M[MOST_NODES][MOST_NODES];
    double diagonal[MOST_NODES];
    double twice = 0.0;
    body->f->mass_diagonal(body->par, body->n, diagonal);
    for (int j = 0; j < body->n; j++) {
        double unit[MOST_NODES] = {0.0};
        unit[j] = 1.0;
        body->f->mass_multiply(body->par, body->n, unit, M[j]);
    }
    for (int i = 0; i < body->n; i++) {
        assert_near("diagonal of M", body->kind->tag, diagonal[i], M[i][i]);
        for (int j = 0; j < body->n; j++) {
            assert_near("M", body->kind->tag, M[i][j], M[j][i]);
            twice += body->u[i] * M[i][j] * body->u[j];
        }
    }
    assert_true(twice > 0.0);
    assert_near("kinetic energy", body->kind->tag, body->f->kinetic(body->par, body->n, body->u),
                0.5 * twice);
}

// Forces are those of the potential; its rate is their power.
static void check_flexible_forces(FlexibleBody* body) {
    double h[MOST_NODES];
    double power = 0.0;
    body->f->forces(body->par, body->n, body->gravity, body->q, h);
    for (int i = 0; i < body->n; i++) {
        const double q_i = body->q[i];
        double V[N_POINTS];
        for (int k = 0; k < N_POINTS; k++) {
            body->q[i] = q_i + POINTS[k] * STEP;
            V[k] = body->f->potential(body->par, body->n, body->gravity, body->q);
        }
        body->q[i] = q_i;
        assert_close(h[i], -difference(V), 1e-7, body->kind->tag);
        power += h[i] * body->u[i];
    }
    assert_near("rate of the potential", body->kind->tag,
                body->f->potential_rate(body->par, body->n, body->gravity, body->q, body->u),
                -power);
}

static void test_flexible_bodies(void** state) {
    (void)state;
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        for (int n = 0; n < TRIALS && kind->role == ROLE_BODY && kind->body->flexible != NULL;
             n++) {
            FlexibleBody body;
            random_flexible(kind, &body);
            check_flexible_mass(&body);
            check_flexible_forces(&body);
            assert_int_equal(body.f->node_at(body.par, body.n, -1.0), -1);
            assert_int_equal(body.f->node_at(body.par, body.n, NAN), -1);
            assert_int_equal(body.f->node_at(body.par, body.n, 0.0), 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flexible_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
