// The pile in the Open Dynamics Engine: its iterating stepper, its collision detection. Settings:
//   iterations   of the stepper (ODE's default: 20)
//   erp          the part of a penetration that a step takes back (0.2)
//   cfm          softness of contacts (0; ODE's default is 1e-10 in double precision)
#include <cmath>
#include <vector>

#include <ode/ode.h>

#include "pile.h"

namespace {

enum { MAX_POINTS = 1 };  // of two spheres, or a sphere and a plane

struct OdeMotion {
    Motion motion;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    std::vector<dBodyID> bodies;
    double mu, dt;
};

void touch(void* data, dGeomID first, dGeomID second) {
    auto* m = static_cast<OdeMotion*>(data);
    dBodyID a = dGeomGetBody(first), b = dGeomGetBody(second);
    if (a == nullptr && b == nullptr) {
        return;
    }
    dContact contact;
    if (dCollide(first, second, MAX_POINTS, &contact.geom, sizeof contact) == 0) {
        return;
    }
    contact.surface.mode = dContactApprox1;  // friction in proportion to the normal force
    contact.surface.mu = m->mu;
    dJointAttach(dJointCreateContact(m->world, m->contacts, &contact), a, b);
}

bool steps(Motion* motion, int from, int to) {
    auto* m = reinterpret_cast<OdeMotion*>(motion);
    for (int i = from; i < to; i++) {
        dSpaceCollide(m->space, m, touch);
        if (dWorldQuickStep(m->world, m->dt) == 0) {
            return false;
        }
        dJointGroupEmpty(m->contacts);
    }
    return std::isfinite(dBodyGetPosition(m->bodies[0])[2]);
}

void observe(Motion* motion, double* row) {
    auto* m = reinterpret_cast<OdeMotion*>(motion);
    for (dBodyID body : m->bodies) {
        for (const dReal* v :
             {dBodyGetPosition(body), dBodyGetLinearVel(body), dBodyGetAngularVel(body)}) {
            for (int j = 0; j < 3; j++) {
                *row++ = v[j];
            }
        }
    }
}

void destroy(Motion* motion) {
    auto* m = reinterpret_cast<OdeMotion*>(motion);
    dJointGroupDestroy(m->contacts);
    dSpaceDestroy(m->space);
    dWorldDestroy(m->world);
    delete m;
}

void add_sphere(OdeMotion* m, const Pile& pile, int i) {
    double r[3];
    pile_start(&pile, i, r);
    dBodyID body = dBodyCreate(m->world);
    dMass M;
    dMassSetSphereTotal(&M, pile.mass, pile.radius);
    dBodySetMass(body, &M);
    dBodySetPosition(body, r[0], r[1], r[2]);
    dGeomSetBody(dCreateSphere(m->space, pile.radius), body);
    m->bodies.push_back(body);
}

Motion* create(const Options* options, const char**) {
    const Pile pile = pile_of(options);
    auto* m = new OdeMotion{{steps, observe, destroy, PILE_COLUMNS * pile.n},
                            dWorldCreate(),
                            dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ),
                            dJointGroupCreate(0),
                            {},
                            pile.mu,
                            options->dt};
    dWorldSetGravity(m->world, 0.0, 0.0, -pile.gravity);
    dWorldSetERP(m->world, pile_setting(options, "erp", 0.2));
    dWorldSetCFM(m->world, pile_setting(options, "cfm", 0.0));
    dWorldSetQuickStepNumIterations(m->world, (int)pile_setting(options, "iterations", 20.0));
    dCreatePlane(m->space, 0.0, 0.0, 1.0, 0.0);
    dCreatePlane(m->space, 1.0, 0.0, 0.0, -pile.half_width);
    dCreatePlane(m->space, -1.0, 0.0, 0.0, -pile.half_width);
    dCreatePlane(m->space, 0.0, 1.0, 0.0, -pile.half_depth);
    dCreatePlane(m->space, 0.0, -1.0, 0.0, -pile.half_depth);
    for (int i = 0; i < pile.n; i++) {
        add_sphere(m, pile, i);
    }
    return &m->motion;
}

}  // namespace

int main(int argc, char** argv) {
    dInitODE();
    const Program program = {ODE_PACKAGE, create};
    const int status = driver_main(&program, argc, argv);
    dCloseODE();
    return status;
}
