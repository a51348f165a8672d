// The mechanisms of the comparison in Siconos, from C++, its plug-in functions compiled in.
// Variants:
//   moreau_jean           Moreau-Jean, theta = 1/2
//   moreau_jean_dense     the same with dense matrices (of the bar)
//   direct_projection     with projection of positions on the constraints (PR Algorithm 1)
//   combined_projection   with projection and activation (PR Algorithm 2)
//   schatzman_paoli       the scheme of Schatzman and Paoli, theta = 1 (of linear systems alone:
//                         the balls and bars; with theta = 1/2 it is unstable on stiff ones)
// The generalized-alpha scheme that Siconos has goes by events, not by steps: it is not CH's.
// The settings of the solvers and projections are those of Siconos' own examples.
#include <cmath>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <SiconosKernel.hpp>
#include <SolverOptions.h>

#include "driver.h"

namespace {

using Observe = std::function<void(double*)>;

struct SiconosMotion {
    Motion motion;
    SP::NonSmoothDynamicalSystem nsds;
    SP::TimeStepping simulation;
    bool by_events;  // the projected schemes go by events, the others by steps
    Observe observe;
};

bool steps(Motion* motion, int from, int to) {
    SiconosMotion* m = reinterpret_cast<SiconosMotion*>(motion);
    try {
        for (int i = from; i < to; i++) {
            if (m->by_events) {
                m->simulation->advanceToEvent();
                m->simulation->processEvents();
            } else {
                m->simulation->computeOneStep();
                m->simulation->nextStep();
            }
        }
    } catch (...) {
        return false;
    }
    return true;
}

void observe(Motion* motion, double* row) {
    reinterpret_cast<SiconosMotion*>(motion)->observe(row);
}

void destroy(Motion* motion) { delete reinterpret_cast<SiconosMotion*>(motion); }

SP::SiconosVector vector(std::initializer_list<double> values) {
    SP::SiconosVector v(new SiconosVector(values.size()));
    unsigned i = 0;
    for (double value : values) {
        (*v)(i++) = value;
    }
    return v;
}

struct Link {
    SP::Relation relation;
    SP::NonSmoothLaw law;
    SP::LagrangianDS first, second;  // second: of a joint between two bodies
};

// Everything but the integrator is the same for all mechanisms.
Motion* assemble(const Options& o, const std::vector<SP::LagrangianDS>& systems,
                 const std::vector<Link>& links, SP::OneStepNSProblem impact, int width,
                 Observe observed) {
    auto* m = new SiconosMotion;
    m->motion = Motion{steps, observe, destroy, width};
    m->observe = std::move(observed);
    m->nsds.reset(new NonSmoothDynamicalSystem(0.0, o.stop + 10.0 * o.dt));
    for (const SP::LagrangianDS& system : systems) {
        m->nsds->insertDynamicalSystem(system);
    }
    for (const Link& link : links) {
        SP::Interaction interaction(new Interaction(link.law, link.relation));
        if (link.second) {
            m->nsds->link(interaction, link.first, link.second);
        } else {
            m->nsds->link(interaction, link.first);
        }
    }
    SP::TimeDiscretisation grid(new TimeDiscretisation(0.0, o.dt));
    const std::string variant = o.variant;
    m->by_events = variant == "direct_projection" || variant == "combined_projection";
    if (variant == "direct_projection") {
        SP::MoreauJeanDirectProjectionOSI osi(new MoreauJeanDirectProjectionOSI(0.5, 0.0));
        osi->setDeactivateYPosThreshold(1e-7);
        osi->setDeactivateYVelThreshold(0.0);
        osi->setActivateYPosThreshold(1e-6);
        osi->setActivateYVelThreshold(100.0);
        SP::OneStepNSProblem position(new MLCPProjectOnConstraints());
        SP::TimeSteppingDirectProjection s(
            new TimeSteppingDirectProjection(m->nsds, grid, osi, impact, position, 0));
        s->setProjectionMaxIteration(10);
        s->setConstraintTolUnilateral(1e-10);
        s->setConstraintTol(1e-10);
        m->simulation = s;
    } else if (variant == "combined_projection") {
        SP::MoreauJeanCombinedProjectionOSI osi(new MoreauJeanCombinedProjectionOSI(0.5));
        SP::OneStepNSProblem position(new MLCPProjectOnConstraints());
        SP::TimeSteppingCombinedProjection s(
            new TimeSteppingCombinedProjection(m->nsds, grid, osi, impact, position, 2));
        s->setProjectionMaxIteration(500);
        s->setConstraintTolUnilateral(1e-10);
        s->setConstraintTol(1e-10);
        m->simulation = s;
    } else if (variant == "schatzman_paoli") {
        SP::SchatzmanPaoliOSI osi(new SchatzmanPaoliOSI(1.0));
        m->simulation.reset(new TimeStepping(m->nsds, grid, osi, impact));
    } else {
        SP::MoreauJeanOSI osi(new MoreauJeanOSI(0.5));
        m->simulation.reset(new TimeStepping(m->nsds, grid, osi, impact));
    }
    return &m->motion;
}

SP::OneStepNSProblem friction_problem() {
    SP::OneStepNSProblem problem(new FrictionContact(2, SICONOS_FRICTION_2D_ENUM));
    problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-8;
    problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 100;
    return problem;
}

SP::OneStepNSProblem normal_problem() { return SP::OneStepNSProblem(new LCP()); }

// --- balls ---

Motion* bouncing_ball(const Options& o) {
    const double radius = 0.2;
    SP::SimpleMatrix M(new SimpleMatrix(2, 2));
    M->eye();
    SP::LagrangianLinearTIDS ball(
        new LagrangianLinearTIDS(vector({0.0, 1.001}), vector({0.0, 0.0}), M));
    ball->setFExtPtr(vector({0.0, -10.0}));
    SP::SimpleMatrix H(new SimpleMatrix(1, 2));
    (*H)(0, 1) = 1.0;
    const Link floor = {SP::Relation(new LagrangianLinearTIR(H, vector({-radius}))),
                        SP::NonSmoothLaw(new NewtonImpactNSL(0.8)), ball, nullptr};
    SP::SiconosVector q = ball->q();
    return assemble(o, {ball}, {floor}, normal_problem(), 1,
                    [q](double* row) { row[0] = (*q)(1); });
}

Motion* rotating_ball(const Options& o) {
    const double radius = 0.1;
    SP::SimpleMatrix M(new SimpleMatrix(3, 3));
    (*M)(0, 0) = (*M)(1, 1) = 1.0;
    (*M)(2, 2) = 0.4 * radius * radius;
    SP::LagrangianLinearTIDS ball(
        new LagrangianLinearTIDS(vector({0.0, 1.0, 0.0}), vector({0.0, 0.0, 50.0}), M));
    ball->setFExtPtr(vector({0.0, -9.81, 0.0}));
    SP::SimpleMatrix H(new SimpleMatrix(2, 3));
    (*H)(0, 1) = 1.0;
    (*H)(1, 0) = 1.0;
    (*H)(1, 2) = radius;
    const Link floor = {SP::Relation(new LagrangianLinearTIR(H, vector({-radius, 0.0}))),
                        SP::NonSmoothLaw(new NewtonImpactFrictionNSL(0.0, 0.0, 0.2, 2)), ball,
                        nullptr};
    SP::SiconosVector q = ball->q();
    return assemble(o, {ball}, {floor}, friction_problem(), 3, [q](double* row) {
        for (unsigned i = 0; i < 3; i++) {
            row[i] = (*q)(i);
        }
    });
}

// --- the rod that slides on its tip: q = (x, y, angle) ---

// Gap of the tip and, for friction, its way along the floor
class TipRelation : public LagrangianScleronomousR {
   public:
    void initialize(Interaction& interaction) override {
        LagrangianScleronomousR::initialize(interaction);
        if (!_jachq) {
            _jachq.reset(new SimpleMatrix(2, 3));
        }
    }
    void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
        y(0) = q(1) + std::sin(q(2));
        y(1) = q(0) + std::cos(q(2));
    }
    void computeJachq(const BlockVector& q, BlockVector&) override {
        SimpleMatrix& J = *_jachq;
        J(0, 0) = 0.0, J(0, 1) = 1.0, J(0, 2) = std::cos(q(2));
        J(1, 0) = 1.0, J(1, 1) = 0.0, J(1, 2) = -std::sin(q(2));
    }
};

Motion* painleve_rod(const Options& o) {
    const double inclination = 31.0 * M_PI / 180.0;
    SP::SimpleMatrix M(new SimpleMatrix(3, 3));
    (*M)(0, 0) = (*M)(1, 1) = 1.0;
    (*M)(2, 2) = 1.0 / 3.0;
    SP::LagrangianDS rod(new LagrangianDS(vector({0.0, std::sin(inclination), -inclination}),
                                          vector({30.0, 0.0, 0.0}), M));
    rod->setFExtPtr(vector({0.0, -10.0, 0.0}));
    const Link tip = {SP::Relation(new TipRelation),
                      SP::NonSmoothLaw(new NewtonImpactFrictionNSL(0.0, 0.0, 5.0 / 3.0, 2)), rod,
                      nullptr};
    SP::SiconosVector q = rod->q();
    return assemble(o, {rod}, {tip}, friction_problem(), 3, [q](double* row) {
        for (unsigned i = 0; i < 3; i++) {
            row[i] = (*q)(i);
        }
    });
}

// --- the slider-crank in its three angles, q = (crank, rod, slider) ---

namespace crank {

const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, half_distance = 0.026;
const double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
const double gravity = 9.81;
const double coupling = (0.5 * m2 + m3) * l1 * l2;

void mass(unsigned, double* q, double* M, unsigned, double*) {
    std::memset(M, 0, 9 * sizeof *M);
    M[0] = J1 + (0.25 * m1 + m2 + m3) * l1 * l1;
    M[4] = J2 + (0.25 * m2 + m3) * l2 * l2;
    M[8] = J3;
    M[1] = M[3] = coupling * std::cos(q[0] - q[1]);
}

void gyroscopic(unsigned, double* q, double* v, double* F, unsigned, double*) {
    const double s = coupling * std::sin(q[0] - q[1]);
    F[0] = s * v[1] * v[1];
    F[1] = -s * v[0] * v[0];
    F[2] = 0.0;
}

void gyroscopic_dq(unsigned, double* q, double* v, double* J, unsigned, double*) {
    const double c = coupling * std::cos(q[0] - q[1]);
    std::memset(J, 0, 9 * sizeof *J);  // by columns
    J[0] = c * v[1] * v[1];
    J[1] = -c * v[0] * v[0];
    J[3] = -J[0];
    J[4] = -J[1];
}

void gyroscopic_dv(unsigned, double* q, double* v, double* J, unsigned, double*) {
    const double s = coupling * std::sin(q[0] - q[1]);
    std::memset(J, 0, 9 * sizeof *J);
    J[1] = -2.0 * s * v[0];
    J[3] = 2.0 * s * v[1];
}

void weight(double, unsigned, double* q, double*, double* F, unsigned, double*) {
    F[0] = (0.5 * m1 + m2 + m3) * gravity * l1 * std::cos(q[0]);
    F[1] = (0.5 * m2 + m3) * gravity * l2 * std::cos(q[1]);
    F[2] = 0.0;
}

void weight_dq(double, unsigned, double* q, double*, double* J, unsigned, double*) {
    std::memset(J, 0, 9 * sizeof *J);
    J[0] = -(0.5 * m1 + m2 + m3) * gravity * l1 * std::sin(q[0]);
    J[4] = -(0.5 * m2 + m3) * gravity * l2 * std::sin(q[1]);
}

void weight_dv(double, unsigned, double*, double*, double* J, unsigned, double*) {
    std::memset(J, 0, 9 * sizeof *J);
}

// A corner (x, y) of the slider and the wall on its side, with or without friction
class Corner : public LagrangianScleronomousR {
   public:
    Corner(double x, double y, bool friction) : x(x), y(y), friction(friction) {}
    void initialize(Interaction& interaction) override {
        LagrangianScleronomousR::initialize(interaction);
        if (!_jachq) {
            _jachq.reset(new SimpleMatrix(friction ? 2 : 1, 3));
        }
    }
    void computeh(const BlockVector& q, BlockVector&, SiconosVector& h) override {
        const double s = std::sin(q(2)), c = std::cos(q(2));
        h(0) = half_distance - side() * (l1 * std::sin(q(0)) + l2 * std::sin(q(1)) + x * s + y * c);
        if (friction) {
            h(1) = l1 * std::cos(q(0)) + l2 * std::cos(q(1)) + x * c - y * s;
        }
    }
    void computeJachq(const BlockVector& q, BlockVector&) override {
        SimpleMatrix& J = *_jachq;
        const double s = std::sin(q(2)), c = std::cos(q(2));
        J(0, 0) = -side() * l1 * std::cos(q(0));
        J(0, 1) = -side() * l2 * std::cos(q(1));
        J(0, 2) = -side() * (x * c - y * s);
        if (friction) {
            J(1, 0) = -l1 * std::sin(q(0));
            J(1, 1) = -l2 * std::sin(q(1));
            J(1, 2) = -x * s - y * c;
        }
    }

   private:
    double side() const { return y > 0.0 ? 1.0 : -1.0; }
    double x, y;
    bool friction;
};

Motion* create(const Options& o, bool friction) {
    SP::LagrangianDS ds(new LagrangianDS(vector({0.0, 0.0, 0.0}), vector({150.0, -75.0, 0.0})));
    ds->setComputeMassFunction(mass);
    ds->setComputeFGyrFunction(gyroscopic);
    ds->setComputeJacobianFGyrqFunction(gyroscopic_dq);
    ds->setComputeJacobianFGyrqDotFunction(gyroscopic_dv);
    ds->setComputeFIntFunction(weight);
    ds->setComputeJacobianFIntqFunction(weight_dq);
    ds->setComputeJacobianFIntqDotFunction(weight_dv);
    std::vector<Link> corners;
    for (double y : {b, -b}) {
        for (double x : {a, -a}) {
            SP::NonSmoothLaw law;
            if (friction) {
                law.reset(new NewtonImpactFrictionNSL(0.4, 0.0, 0.01, 2));
            } else {
                law.reset(new NewtonImpactNSL(0.4));
            }
            corners.push_back({SP::Relation(new Corner(x, y, friction)), law, ds, nullptr});
        }
    }
    SP::SiconosVector q = ds->q();
    return assemble(o, {ds}, corners, friction ? friction_problem() : normal_problem(), 4,
                    [q](double* row) {
                        row[0] = l1 * std::cos((*q)(0)) + l2 * std::cos((*q)(1));
                        row[1] = l1 * std::sin((*q)(0)) + l2 * std::sin((*q)(1));
                        row[2] = (*q)(2);
                        row[3] = (*q)(0);
                    });
}

}  // namespace crank

// --- elastic bars against a wall: n linear elements ---

struct BarData {
    double length, stiffness, density;  // m, N (of the whole section), kg/m
    double gap, velocity;               // at the start
};
const BarData bouncing_bar = {10.0, 900.0, 1.0, 5.0, -10.0};
const BarData impacting_bar = {1.0, 210e9 * 3.14e-4, 7800.0 * 3.14e-4, 5.007e-5, -0.1};

Motion* elastic_bar(const Options& o, const BarData& data) {
    const unsigned n = static_cast<unsigned>(o.n) + 1;
    const double length = data.length / o.n, rho = data.density, E = data.stiffness;
    const std::string variant = o.variant;
    const bool dense = variant == "moreau_jean_dense";
    // Schatzman and Paoli's scheme starts with a step of its own, q_0 = q_before + dt v_0.
    const double before = variant == "schatzman_paoli" ? o.dt : 0.0;
    const Siconos::UBLAS_TYPE type = dense ? Siconos::DENSE : Siconos::SPARSE;
    SP::SimpleMatrix M(new SimpleMatrix(n, n, type, 3 * n));
    SP::SimpleMatrix K(new SimpleMatrix(n, n, type, 3 * n));
    SP::SimpleMatrix C(new SimpleMatrix(n, n, type, 0));
    SP::SiconosVector q0(new SiconosVector(n)), v0(new SiconosVector(n));
    for (unsigned i = 0; i < n; i++) {
        const double elements = i == 0 || i == n - 1 ? 1.0 : 2.0;
        M->setValue(i, i, elements * rho * length / 3.0);
        K->setValue(i, i, elements * E / length);
        if (i > 0) {
            M->setValue(i, i - 1, rho * length / 6.0);
            M->setValue(i - 1, i, rho * length / 6.0);
            K->setValue(i, i - 1, -E / length);
            K->setValue(i - 1, i, -E / length);
        }
        // displacements, counted from a bar whose tip is at the wall
        (*q0)(i) = data.gap - before * data.velocity;
        (*v0)(i) = data.velocity;
    }
    SP::LagrangianLinearTIDS bar(new LagrangianLinearTIDS(q0, v0, M, K, C));
    SP::SimpleMatrix H(new SimpleMatrix(1, n));
    (*H)(0, 0) = 1.0;
    const Link wall = {SP::Relation(new LagrangianLinearTIR(H)),
                       SP::NonSmoothLaw(new NewtonImpactNSL(0.0)), bar, nullptr};
    SP::SiconosVector q = bar->q();
    return assemble(o, {bar}, {wall}, normal_problem(), 1, [q](double* row) { row[0] = (*q)(0); });
}

// --- a chain of rods that falls on a floor: every rod with its (x, y, angle), and hinges ---

namespace chain {

const double height = 0.6;

// Near end of a rod at the far end of the one before, or at the hook
class Hinge : public LagrangianScleronomousR {
   public:
    Hinge(double length, bool hook) : half(length / 2.0), hook(hook) {}
    void initialize(Interaction& interaction) override {
        LagrangianScleronomousR::initialize(interaction);
        if (!_jachq) {
            _jachq.reset(new SimpleMatrix(2, hook ? 3 : 6));
        }
    }
    void computeh(const BlockVector& q, BlockVector&, SiconosVector& h) override {
        const unsigned i = hook ? 0 : 3;
        h(0) = q(i) - half * std::cos(q(i + 2));
        h(1) = q(i + 1) - half * std::sin(q(i + 2));
        h(0) -= hook ? 0.0 : q(0) + half * std::cos(q(2));
        h(1) -= hook ? height : q(1) + half * std::sin(q(2));
    }
    void computeJachq(const BlockVector& q, BlockVector&) override {
        SimpleMatrix& J = *_jachq;
        const unsigned i = hook ? 0 : 3;
        J.zero();
        J(0, i) = J(1, i + 1) = 1.0;
        J(0, i + 2) = half * std::sin(q(i + 2));
        J(1, i + 2) = -half * std::cos(q(i + 2));
        if (!hook) {
            J(0, 0) = J(1, 1) = -1.0;
            J(0, 2) = half * std::sin(q(2));
            J(1, 2) = -half * std::cos(q(2));
        }
    }

   private:
    double half;
    bool hook;
};

// Height of the far end
class FarEnd : public LagrangianScleronomousR {
   public:
    explicit FarEnd(double length) : half(length / 2.0) {}
    void initialize(Interaction& interaction) override {
        LagrangianScleronomousR::initialize(interaction);
        if (!_jachq) {
            _jachq.reset(new SimpleMatrix(1, 3));
        }
    }
    void computeh(const BlockVector& q, BlockVector&, SiconosVector& h) override {
        h(0) = q(1) + half * std::sin(q(2));
    }
    void computeJachq(const BlockVector& q, BlockVector&) override {
        SimpleMatrix& J = *_jachq;
        J(0, 0) = 0.0, J(0, 1) = 1.0, J(0, 2) = half * std::cos(q(2));
    }

   private:
    double half;
};

Motion* create(const Options& o) {
    const int n = o.n;
    const double length = 1.0 / n, mass = 1.0 / n;
    std::vector<SP::LagrangianDS> rods;
    std::vector<Link> links;
    for (int i = 0; i < n; i++) {
        SP::SimpleMatrix M(new SimpleMatrix(3, 3));
        (*M)(0, 0) = (*M)(1, 1) = mass;
        (*M)(2, 2) = mass * length * length / 12.0;
        SP::LagrangianLinearTIDS rod(new LagrangianLinearTIDS(
            vector({(i + 0.5) * length, height, 0.0}), vector({0.0, 0.0, 0.0}), M));
        rod->setFExtPtr(vector({0.0, -9.81 * mass, 0.0}));
        SP::NonSmoothLaw joint(new EqualityConditionNSL(2));
        SP::Relation hinge(new Hinge(length, i == 0));
        if (i == 0) {
            links.push_back({hinge, joint, rod, nullptr});
        } else {
            links.push_back({hinge, joint, rods.back(), rod});
        }
        links.push_back({SP::Relation(new FarEnd(length)),
                         SP::NonSmoothLaw(new NewtonImpactNSL(0.0)), rod, nullptr});
        rods.push_back(rod);
    }
    return assemble(o, rods, links, SP::OneStepNSProblem(new MLCP()), 3 * n, [rods](double* row) {
        for (const SP::LagrangianDS& rod : rods) {
            for (unsigned k = 0; k < 3; k++) {
                *row++ = (*rod->q())(k);
            }
        }
    });
}

}  // namespace chain

Motion* create(const Options* options, const char** why) {
    const std::string name = options->case_name;
    static const std::set<std::string> variants = {"moreau_jean", "moreau_jean_dense",
                                                   "direct_projection", "combined_projection",
                                                   "schatzman_paoli"};
    if (variants.count(options->variant) == 0) {
        *why = "no such scheme";
        return nullptr;
    }
    if (name == "bouncing_ball") {
        return bouncing_ball(*options);
    }
    if (name == "rotating_ball") {
        return rotating_ball(*options);
    }
    if (name == "painleve_rod") {
        return painleve_rod(*options);
    }
    if (name == "slider_crank" || name == "slider_crank_frictionless") {
        return crank::create(*options, name == "slider_crank");
    }
    if (name == "bouncing_bar" || name == "impacting_bar") {
        return elastic_bar(*options, name == "bouncing_bar" ? bouncing_bar : impacting_bar);
    }
    if (name == "chain") {
        return chain::create(*options);
    }
    *why = "no model of it here";
    return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
    const Program program = {SICONOS_PACKAGE, create};
    return driver_main(&program, argc, argv);
}
