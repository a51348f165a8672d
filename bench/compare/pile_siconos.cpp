// The pile in Siconos: Moreau-Jean's scheme with theta = 1/2, contacts found by its collision
// manager with Bullet in single precision, nonsmooth Gauss-Seidel on the friction cones. Contacts
// are hard: what has penetrated stays. Settings:
//   iterations   of Gauss-Seidel, at most (1000)
//   tolerance    of it (1e-4)
#include <cmath>
#include <vector>

#include <MechanicsFwd.hpp>  // first: it tells the kernel of the shapes

#include <RigidBodyDS.hpp>
#include <SiconosBulletCollisionManager.hpp>
#include <SiconosContactor.hpp>
#include <SiconosKernel.hpp>
#include <SiconosShape.hpp>
#include <SolverOptions.h>

#include "pile.h"

namespace {

struct SiconosMotion {
    Motion motion;
    SP::NonSmoothDynamicalSystem nsds;
    SP::SiconosBulletCollisionManager contacts;
    SP::TimeStepping simulation;
    std::vector<SP::RigidBodyDS> spheres;
};

bool steps(Motion* motion, int from, int to) {
    auto* m = reinterpret_cast<SiconosMotion*>(motion);
    try {
        for (int i = from; i < to; i++) {
            m->simulation->computeOneStep();
            m->simulation->nextStep();
        }
    } catch (...) {
        return false;
    }
    return std::isfinite((*m->spheres[0]->q())(2));
}

void observe(Motion* motion, double* row) {
    auto* m = reinterpret_cast<SiconosMotion*>(motion);
    for (const SP::RigidBodyDS& sphere : m->spheres) {
        for (unsigned j = 0; j < 3; j++) {
            row[j] = (*sphere->q())(j);
            row[3 + j] = (*sphere->twist())(j);
            row[6 + j] = (*sphere->twist())(3 + j);
        }
        row += PILE_COLUMNS;
    }
}

void destroy(Motion* motion) { delete reinterpret_cast<SiconosMotion*>(motion); }

// Position and quaternion
SP::SiconosVector place(double x, double y, double z, double e_0, double e_x, double e_y) {
    SP::SiconosVector q(new SiconosVector(7));
    q->zero();
    const double values[] = {x, y, z, e_0, e_x, e_y};
    for (unsigned i = 0; i < 6; i++) {
        (*q)(i) = values[i];
    }
    return q;
}

SP::SiconosContactorSet contactor(SP::SiconosShape shape) {
    SP::SiconosContactorSet set(new SiconosContactorSet());
    set->append(SP::SiconosContactor(new SiconosContactor(shape)));
    return set;
}

// Walls of finite size: on planes, which are boxes of 1000 m here, spheres sink in.
void add_wall(SiconosMotion* m, double size, const double middle[3]) {
    SP::SiconosShape box(new SiconosBox(size, size, size));
    box->setInsideMargin(0.1);  // m, of rounding at the edges, which nothing touches
    m->contacts->insertStaticContactorSet(contactor(box),
                                          place(middle[0], middle[1], middle[2], 1, 0, 0));
}

void add_box(SiconosMotion* m, const Pile& pile) {
    const int layers = (pile.n + pile.n_x * pile.n_y - 1) / (pile.n_x * pile.n_y);
    const double size = 2.0 * (pile.half_width + pile.half_depth) + 2.4 * pile.radius * layers;
    const double below[3] = {0.0, 0.0, -0.5 * size};
    add_wall(m, size, below);
    for (double side : {-1.0, 1.0}) {
        const double beside[3] = {side * (pile.half_width + 0.5 * size), 0.0, 0.4 * size};
        const double behind[3] = {0.0, side * (pile.half_depth + 0.5 * size), 0.4 * size};
        add_wall(m, size, beside);
        add_wall(m, size, behind);
    }
}

void add_sphere(SiconosMotion* m, const Pile& pile, SP::SiconosContactorSet set, int i) {
    double r[3];
    pile_start(&pile, i, r);
    SP::SiconosVector v(new SiconosVector(6));
    v->zero();
    SP::SimpleMatrix inertia(new SimpleMatrix(3, 3));
    inertia->eye();
    *inertia *= pile.inertia;
    SP::RigidBodyDS sphere(
        new RigidBodyDS(place(r[0], r[1], r[2], 1, 0, 0), v, pile.mass, inertia));
    sphere->setUseContactorInertia(false);
    SP::SiconosVector weight(new SiconosVector(3));
    weight->zero();
    (*weight)(2) = -pile.mass * pile.gravity;
    sphere->setFExtPtr(weight);
    sphere->setContactors(set);
    m->nsds->insertDynamicalSystem(sphere);
    m->spheres.push_back(sphere);
}

void set_up(SiconosMotion* m, const Pile& pile, const Options* options) {
    SiconosBulletOptions detection;
    detection.contactBreakingThreshold = 0.02 * pile.radius;
    detection.perturbationIterations = 0;
    detection.minimumPointsPerturbationThreshold = 0;
    m->contacts.reset(new SiconosBulletCollisionManager(detection));
    m->contacts->useEqualityConstraints(false);
    m->contacts->insertNonSmoothLaw(
        SP::NonSmoothLaw(new NewtonImpactFrictionNSL(0.0, 0.0, pile.mu, 3)), 0, 0);
    add_box(m, pile);
    SP::SiconosShape shape(new SiconosSphere(static_cast<float>(pile.radius)));
    const SP::SiconosContactorSet set = contactor(shape);
    for (int i = 0; i < pile.n; i++) {
        add_sphere(m, pile, set, i);
    }
    SP::FrictionContact impacts(new FrictionContact(3, SICONOS_FRICTION_3D_NSGS));
    SolverOptions* solver = impacts->numericsSolverOptions().get();
    solver->iparam[SICONOS_IPARAM_MAX_ITER] =
        static_cast<int>(pile_setting(options, "iterations", 1000.0));
    solver->dparam[SICONOS_DPARAM_TOL] = pile_setting(options, "tolerance", 1e-4);
    solver->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
    impacts->setMStorageType(NM_SPARSE_BLOCK);
    impacts->setMaxSize(30 * pile.n);
    impacts->setKeepLambdaAndYState(true);  // a step starts from the impulses of the last one
    m->simulation.reset(
        new TimeStepping(m->nsds, SP::TimeDiscretisation(new TimeDiscretisation(0.0, options->dt)),
                         SP::OneStepIntegrator(new MoreauJeanOSI(0.5)), impacts));
    m->simulation->insertInteractionManager(m->contacts);
    m->simulation->setNewtonOptions(SICONOS_TS_LINEAR);
    m->simulation->setCheckSolverFunction(
        +[](int, Simulation*) {});  // iterations may end before the tolerance
}

Motion* create(const Options* options, const char** why) {
    const Pile pile = pile_of(options);
    auto* m = new SiconosMotion;
    m->motion = Motion{steps, observe, destroy, PILE_COLUMNS * pile.n};
    m->nsds.reset(new NonSmoothDynamicalSystem(0.0, options->stop + 10.0 * options->dt));
    try {
        set_up(m, pile, options);
    } catch (...) {
        *why = "Siconos refuses it";
        delete m;
        return nullptr;
    }
    return &m->motion;
}

}  // namespace

int main(int argc, char** argv) {
    const Program program = {SICONOS_PACKAGE, create};
    return driver_main(&program, argc, argv);
}
