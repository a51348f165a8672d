// The Newton matrix of an assembled system, with all of its terms, against products by differences
// of the residual that it belongs to.
#include "neighbourhood.h"
#include "system/derivatives.h"

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
        "<frame name='f' y='0.2' z='0.1'/></spatial_body>",
        "<spatial_beam name='a' length='1' elements='2' order='1' width='0.2' height='0.3' "
        "youngs_modulus='50' density='20' damping_time='0.1' curvature='0.4'>"
        "<frame name='f' x='0.3'/></spatial_beam>"
        "<spatial_beam name='b' length='1' elements='1' diameter='0.3' youngs_modulus='50' "
        "density='20'><frame name='f' x='0.9' y='0.2' z='0.1'/></spatial_beam>"};
    static const char links[] =
        "<gravity y='-9.81'/><spring_damper name='s' first='a.f' second='b' stiffness='30' "
        "damping='2' free_length='1'/><force name='p' on='b.f' x='2' y='1' frame='body'/>"
        "<torsional_spring_damper name='k' first='a.f' stiffness='3' damping='1'/>"
        "<revolute name='hinge' first='a.f' second='b.f'/><skate name='edge' first='b.f'/>";
    for (int i = 0; i < 3; i++) {
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
        "<contact name='k' first='a.c' second='b.l' friction_coefficient='0.3'/>",
        "<gravity y='-9.81'/>"
        "<spatial_beam name='a' length='1' elements='2' order='1' width='0.2' height='0.3' "
        "youngs_modulus='50' density='20' damping_time='0.1' curvature='0.4'>"
        "<frame name='f' x='0.3'/></spatial_beam>"
        "<spatial_beam name='b' length='1' elements='1' diameter='0.3' youngs_modulus='50' "
        "density='20'><frame name='f' x='0.9' y='0.2' z='0.1'/></spatial_beam>"
        "<spring_damper name='s' first='a.f' second='b' stiffness='30' damping='2' "
        "free_length='1'/><torsional_spring_damper name='coil' first='a.f' stiffness='3' "
        "damping='1'/>"
        "<spherical name='ball' first='a.f' second='b.f'/><skate name='edge' first='b.f'/>"};
    for (int i = 0; i < 3; i++) {
        Simulation* simulation = mechanism_new(systems[i]);
        for (int trial = 0; trial < 5; trial++) {
            check_terms(simulation);
        }
        simulation_destroy(simulation);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newton_matrix),
        cmocka_unit_test(test_matrix_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
