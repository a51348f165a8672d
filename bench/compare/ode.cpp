// The planar mechanisms of the comparison in the Open Dynamics Engine. Variants are its two
// steppers:
//   step        exact solution of the contact problem
//   quickstep   iterations on it
// Bodies are held in the plane by a plane-2d joint. Contact points are found here, without ODE's
// collision detection, which would only add to the time; ERP and CFM are ODE's defaults.
#include <cmath>
#include <string>
#include <vector>

#include <ode/ode.h>

#include "driver.h"

namespace {

struct Point {
    dBodyID body;
    double x, y, radius;  // of a sphere, in the frame of the body
    double normal;        // the wall is y = -offset below (1) or y = offset above (-1)
    double offset;
    double mu, restitution;
};

struct OdeMotion {
    Motion motion;
    dWorldID world;
    dJointGroupID contacts;
    std::vector<dBodyID> bodies;
    std::vector<double> turned;  // angle of each body, turns counted
    std::vector<Point> points;
    std::string name;
    bool quick;
    double dt;
};

double angle_of(dBodyID body) {
    const dReal* R = dBodyGetRotation(body);
    return std::atan2(R[4], R[0]);
}

void touch(OdeMotion* m, const Point& p) {
    dVector3 r;
    dBodyGetRelPointPos(p.body, p.x, p.y, 0.0, r);
    const double depth = p.radius - p.offset - p.normal * r[1];  // of (x, y) behind the wall
    if (depth < 0.0) {
        return;
    }
    dContact contact = {};
    contact.surface.mode = dContactBounce | dContactApprox1;
    contact.surface.mu = p.mu;
    contact.surface.bounce = p.restitution;
    contact.surface.bounce_vel = 1e-6;
    contact.geom.pos[0] = r[0];
    contact.geom.pos[1] = r[1] - p.normal * p.radius;
    contact.geom.normal[1] = p.normal;
    contact.geom.depth = depth;
    dJointAttach(dJointCreateContact(m->world, m->contacts, &contact), p.body, nullptr);
}

bool steps(Motion* motion, int from, int to) {
    auto* m = reinterpret_cast<OdeMotion*>(motion);
    for (int i = from; i < to; i++) {
        for (const Point& point : m->points) {
            touch(m, point);
        }
        if (m->quick) {
            dWorldQuickStep(m->world, m->dt);
        } else {
            dWorldStep(m->world, m->dt);
        }
        dJointGroupEmpty(m->contacts);
    }
    return std::isfinite(dBodyGetPosition(m->bodies[0])[1]);
}

void observe(Motion* motion, double* row) {
    auto* m = reinterpret_cast<OdeMotion*>(motion);
    for (size_t i = 0; i < m->bodies.size(); i++) {
        const double change = angle_of(m->bodies[i]) - m->turned[i];
        m->turned[i] += std::remainder(change, 2.0 * M_PI);
    }
    if (m->name == "bouncing_ball") {
        row[0] = dBodyGetPosition(m->bodies[0])[1];
        return;
    }
    const bool slider = m->name == "slider_crank" || m->name == "slider_crank_frictionless";
    for (size_t i = slider ? 2 : 0; i < m->bodies.size(); i++, row += 3) {
        row[0] = dBodyGetPosition(m->bodies[i])[0];
        row[1] = dBodyGetPosition(m->bodies[i])[1];
        row[2] = m->turned[i];
    }
    if (slider) {
        row[0] = m->turned[0];
    }
}

void destroy(Motion* motion) {
    auto* m = reinterpret_cast<OdeMotion*>(motion);
    dJointGroupDestroy(m->contacts);
    dWorldDestroy(m->world);
    delete m;
}

// --- set-up ---

dBodyID add_body(OdeMotion* m, double mass, double inertia, double x, double y, double angle) {
    dBodyID body = dBodyCreate(m->world);
    dMass M;
    dMassSetParameters(&M, mass, 0.0, 0.0, 0.0, inertia, inertia, inertia, 0.0, 0.0, 0.0);
    dBodySetMass(body, &M);
    dBodySetPosition(body, x, y, 0.0);
    dMatrix3 R;
    dRFromAxisAndAngle(R, 0.0, 0.0, 1.0, angle);
    dBodySetRotation(body, R);
    dJointAttach(dJointCreatePlane2D(m->world, nullptr), body, nullptr);
    m->bodies.push_back(body);
    m->turned.push_back(angle);
    return body;
}

void set_velocity(dBodyID body, double v_x, double v_y, double omega) {
    dBodySetLinearVel(body, v_x, v_y, 0.0);
    dBodySetAngularVel(body, 0.0, 0.0, omega);
}

void add_hinge(OdeMotion* m, dBodyID first, dBodyID second, double x, double y) {
    dJointID hinge = dJointCreateHinge(m->world, nullptr);
    dJointAttach(hinge, first, second);
    dJointSetHingeAnchor(hinge, x, y, 0.0);
    dJointSetHingeAxis(hinge, 0.0, 0.0, 1.0);
}

void bouncing_ball(OdeMotion* m) {
    dWorldSetGravity(m->world, 0.0, -10.0, 0.0);
    dBodyID ball = add_body(m, 1.0, 0.016, 0.0, 1.001, 0.0);
    m->points = {{ball, 0.0, 0.0, 0.2, 1.0, 0.0, 0.0, 0.8}};
    m->motion.width = 1;
}

void rotating_ball(OdeMotion* m) {
    dWorldSetGravity(m->world, 0.0, -9.81, 0.0);
    dBodyID ball = add_body(m, 1.0, 0.004, 0.0, 1.0, 0.0);
    set_velocity(ball, 0.0, 0.0, 50.0);
    m->points = {{ball, 0.0, 0.0, 0.1, 1.0, 0.0, 0.2, 0.0}};
    m->motion.width = 3;
}

void painleve_rod(OdeMotion* m) {
    dWorldSetGravity(m->world, 0.0, -10.0, 0.0);
    const double inclination = 31.0 * M_PI / 180.0;
    dBodyID rod = add_body(m, 1.0, 1.0 / 3.0, 0.0, std::sin(inclination), -inclination);
    set_velocity(rod, 30.0, 0.0, 0.0);
    m->points = {{rod, 1.0, 0.0, 0.0, 1.0, 0.0, 5.0 / 3.0, 0.0}};
    m->motion.width = 3;
}

void slider_crank(OdeMotion* m, double mu) {
    const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, half_distance = 0.026;
    dWorldSetGravity(m->world, 0.0, -9.81, 0.0);
    dBodyID crank = add_body(m, 0.038, 7.4e-5, l1 / 2, 0.0, 0.0);
    dBodyID rod = add_body(m, 0.038, 5.9e-4, l1 + l2 / 2, 0.0, 0.0);
    dBodyID slider = add_body(m, 0.076, 2.7e-6, l1 + l2, 0.0, 0.0);
    set_velocity(crank, 0.0, 150.0 * l1 / 2, 150.0);
    set_velocity(rod, 0.0, 150.0 * l1 - 75.0 * l2 / 2, -75.0);
    add_hinge(m, crank, nullptr, 0.0, 0.0);
    add_hinge(m, crank, rod, l1, 0.0);
    add_hinge(m, rod, slider, l1 + l2, 0.0);
    for (double y : {b, -b}) {
        for (double x : {a, -a}) {
            m->points.push_back({slider, x, y, 0.0, y > 0.0 ? -1.0 : 1.0, half_distance, mu, 0.4});
        }
    }
    m->motion.width = 4;
}

void chain(OdeMotion* m, int n) {
    const double height = 0.6, length = 1.0 / n, mass = 1.0 / n;
    dWorldSetGravity(m->world, 0.0, -9.81, 0.0);
    for (int i = 0; i < n; i++) {
        dBodyID link =
            add_body(m, mass, mass * length * length / 12.0, (i + 0.5) * length, height, 0.0);
        add_hinge(m, link, i > 0 ? m->bodies[static_cast<size_t>(i) - 1] : nullptr, i * length,
                  height);
        m->points.push_back({link, length / 2, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0});
    }
    m->motion.width = 3 * n;
}

Motion* create(const Options* options, const char** why) {
    const std::string variant = options->variant;
    if (variant != "step" && variant != "quickstep") {
        *why = "no such stepper";
        return nullptr;
    }
    auto* m = new OdeMotion{
        {steps, observe, destroy, 0}, dWorldCreate(),         dJointGroupCreate(0), {}, {}, {},
        options->case_name,           variant == "quickstep", options->dt};
    if (m->name == "bouncing_ball") {
        bouncing_ball(m);
    } else if (m->name == "rotating_ball") {
        rotating_ball(m);
    } else if (m->name == "painleve_rod") {
        painleve_rod(m);
    } else if (m->name == "slider_crank" || m->name == "slider_crank_frictionless") {
        slider_crank(m, m->name == "slider_crank" ? 0.01 : 0.0);
    } else if (m->name == "chain") {
        chain(m, options->n);
    } else {
        *why = "no model of it here";
        destroy(&m->motion);
        return nullptr;
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
