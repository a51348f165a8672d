// The pile in Bullet: btDiscreteDynamicsWorld with its sequential impulses, bounding volume trees
// and contacts kept from step to step. Built twice, with double and with single precision.
// Nothing falls asleep. Two of Bullet's defaults would make it slower here (in one noisy trial 11.4
// instead of 4.2 ms a step): boxes around spheres that are larger by 5 cm on each side, and contacts
// sorted by islands, of which a pile is one. Settings:
//   iterations   of the solver (Bullet's default: 10)
//   erp          the part of a penetration that a step takes back (0.2)
#include <cmath>
#include <memory>
#include <vector>

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <btBulletDynamicsCommon.h>

#include "pile.h"

extern btScalar gDbvtMargin;  // m, of the boxes around what moves

namespace {

const double MARGIN = 0.1;  // of the boxes, in radii

struct BulletMotion {
    Motion motion;
    double dt;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> walls, spheres;
};

bool steps(Motion* motion, int from, int to) {
    auto* m = reinterpret_cast<BulletMotion*>(motion);
    for (int i = from; i < to; i++) {
        m->world.stepSimulation(static_cast<btScalar>(m->dt), 0);  // one step of that length
    }
    return std::isfinite(m->spheres[0]->getCenterOfMassPosition().z());
}

void observe(Motion* motion, double* row) {
    auto* m = reinterpret_cast<BulletMotion*>(motion);
    for (const auto& sphere : m->spheres) {
        for (const btVector3& v : {sphere->getCenterOfMassPosition(), sphere->getLinearVelocity(),
                                   sphere->getAngularVelocity()}) {
            for (int j = 0; j < 3; j++) {
                *row++ = v[j];
            }
        }
    }
}

void destroy(Motion* motion) {
    auto* m = reinterpret_cast<BulletMotion*>(motion);
    for (auto* bodies : {&m->walls, &m->spheres}) {
        for (const auto& body : *bodies) {
            m->world.removeRigidBody(body.get());
        }
    }
    delete m;
}

std::unique_ptr<btRigidBody> add_body(BulletMotion* m, double mass, double inertia, double mu,
                                      btCollisionShape* shape, const btVector3& at) {
    const auto J = static_cast<btScalar>(inertia);
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape,
                                                  btVector3(J, J, J));
    info.m_startWorldTransform.setOrigin(at);
    info.m_friction = static_cast<btScalar>(std::sqrt(mu));  // coefficients are multiplied
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    m->world.addRigidBody(body.get());
    return body;
}

// A plane across an axis, its free side towards the middle
void add_wall(BulletMotion* m, const Pile& pile, int axis, double at) {
    btVector3 normal(0, 0, 0), point(0, 0, 0);
    normal[axis] = at > 0.0 ? -1 : 1;
    point[axis] = static_cast<btScalar>(at);
    m->shapes.push_back(std::make_unique<btStaticPlaneShape>(normal, 0));
    m->walls.push_back(add_body(m, 0.0, 0.0, pile.mu, m->shapes.back().get(), point));
}

Motion* create(const Options* options, const char**) {
    const Pile pile = pile_of(options);
    gDbvtMargin = static_cast<btScalar>(MARGIN * pile.radius);
    auto* m = new BulletMotion{{steps, observe, destroy, PILE_COLUMNS * pile.n}, options->dt};
    m->world.setGravity(btVector3(0, 0, static_cast<btScalar>(-pile.gravity)));
    m->world.getSimulationIslandManager()->setSplitIslands(false);
    btContactSolverInfo& info = m->world.getSolverInfo();
    info.m_numIterations = static_cast<int>(pile_setting(options, "iterations", 10.0));
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;  // one would be half of friction
    info.m_erp2 = static_cast<btScalar>(pile_setting(options, "erp", 0.2));
    add_wall(m, pile, 2, 0.0);
    for (double side : {-1.0, 1.0}) {
        add_wall(m, pile, 0, side * pile.half_width);
        add_wall(m, pile, 1, side * pile.half_depth);
    }
    m->shapes.push_back(std::make_unique<btSphereShape>(static_cast<btScalar>(pile.radius)));
    btCollisionShape* sphere = m->shapes.back().get();
    for (int i = 0; i < pile.n; i++) {
        double r[3];
        pile_start(&pile, i, r);
        const btVector3 at(static_cast<btScalar>(r[0]), static_cast<btScalar>(r[1]),
                           static_cast<btScalar>(r[2]));
        m->spheres.push_back(add_body(m, pile.mass, pile.inertia, pile.mu, sphere, at));
    }
    return &m->motion;
}

}  // namespace

int main(int argc, char** argv) {
    const Program program = {BULLET_PACKAGE, create};
    return driver_main(&program, argc, argv);
}
