// The pile in Jolt Physics, on one thread, velocities and impulses in single precision as they
// always are there, positions in double. The walls are boxes: version 5.0 has no planes. Nothing
// falls asleep, and no penetration is left alone (Jolt's default leaves 2 cm). Settings:
//   iterations   on velocities (Jolt's default: 10)
//   positions    iterations on positions (2)
//   baumgarte    the part of a penetration that one of these takes back (0.2)
#include <Jolt/Jolt.h>

#include <cmath>
#include <thread>
#include <vector>

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include "pile.h"

namespace {

using namespace JPH;

enum { RESTING = 0, MOVING = 1, N_LAYERS = 2 };

class Layers final : public BroadPhaseLayerInterface {
   public:
    uint GetNumBroadPhaseLayers() const override { return N_LAYERS; }
    BroadPhaseLayer GetBroadPhaseLayer(ObjectLayer layer) const override {
        return BroadPhaseLayer(static_cast<BroadPhaseLayer::Type>(layer));
    }
};

class MeetsLayer final : public ObjectVsBroadPhaseLayerFilter {
   public:
    bool ShouldCollide(ObjectLayer layer, BroadPhaseLayer other) const override {
        return layer == MOVING || other == BroadPhaseLayer(MOVING);
    }
};

class Meets final : public ObjectLayerPairFilter {
   public:
    bool ShouldCollide(ObjectLayer a, ObjectLayer b) const override {
        return a == MOVING || b == MOVING;
    }
};

struct JoltMotion {
    Motion motion;
    float dt;
    TempAllocatorMalloc allocator;
    JobSystemSingleThreaded jobs{cMaxPhysicsJobs};
    Layers layers;
    MeetsLayer meets_layer;
    Meets meets;
    PhysicsSystem system;
    std::vector<BodyID> spheres;
};

bool steps(Motion* motion, int from, int to) {
    auto* m = reinterpret_cast<JoltMotion*>(motion);
    for (int i = from; i < to; i++) {
        if (m->system.Update(m->dt, 1, &m->allocator, &m->jobs) != EPhysicsUpdateError::None) {
            return false;
        }
    }
    return true;
}

void observe(Motion* motion, double* row) {
    auto* m = reinterpret_cast<JoltMotion*>(motion);
    const BodyInterface& bodies = m->system.GetBodyInterfaceNoLock();
    for (BodyID sphere : m->spheres) {
        const RVec3 r = bodies.GetCenterOfMassPosition(sphere);
        const Vec3 v = bodies.GetLinearVelocity(sphere), omega = bodies.GetAngularVelocity(sphere);
        for (uint j = 0; j < 3; j++) {
            row[j] = r[static_cast<int>(j)];
            row[3 + j] = v[j];
            row[6 + j] = omega[j];
        }
        row += PILE_COLUMNS;
    }
}

void destroy(Motion* motion) { delete reinterpret_cast<JoltMotion*>(motion); }

// No larger than it has to be: in single precision the corners of a box of 100 m are 0.01 mm off.
void add_wall(JoltMotion* m, const Pile& pile, Vec3 normal, double distance) {
    const int layers = (pile.n + pile.n_x * pile.n_y - 1) / (pile.n_x * pile.n_y);
    const auto across =
        static_cast<float>(pile.half_width + pile.half_depth + 1.2 * pile.radius * layers);
    const float thick = 0.5f;
    const Vec3 half = Vec3::sReplicate(across) + (thick - across) * normal.Abs();
    const double middle = distance + thick;
    BodyCreationSettings wall(new BoxShape(half, 0.0f), -middle * RVec3(normal), Quat::sIdentity(),
                              EMotionType::Static, RESTING);
    wall.mPosition += RVec3(0.0, 0.0, across * (1.0 - std::abs(normal.GetZ())));
    wall.mFriction = static_cast<float>(pile.mu);
    m->system.GetBodyInterfaceNoLock().CreateAndAddBody(wall, EActivation::DontActivate);
}

void add_sphere(JoltMotion* m, const Pile& pile, const Shape* shape, int i) {
    double r[3];
    pile_start(&pile, i, r);
    BodyCreationSettings sphere(shape, RVec3(r[0], r[1], r[2]), Quat::sIdentity(),
                                EMotionType::Dynamic, MOVING);
    sphere.mFriction = static_cast<float>(pile.mu);  // of two: the root of their product
    sphere.mLinearDamping = sphere.mAngularDamping = 0.0f;
    sphere.mAllowSleeping = false;
    sphere.mOverrideMassProperties = EOverrideMassProperties::CalculateInertia;
    sphere.mMassPropertiesOverride.mMass = static_cast<float>(pile.mass);
    m->spheres.push_back(
        m->system.GetBodyInterfaceNoLock().CreateAndAddBody(sphere, EActivation::Activate));
}

void set_up(JoltMotion* m, const Pile& pile, const Options* options) {
    const auto n = static_cast<uint>(pile.n);
    m->system.Init(n + 16, 1, 64 * n + 1024, 32 * n + 1024, m->layers, m->meets_layer, m->meets);
    m->system.SetGravity(Vec3(0.0f, 0.0f, static_cast<float>(-pile.gravity)));
    PhysicsSettings settings;
    settings.mNumVelocitySteps = static_cast<uint>(pile_setting(options, "iterations", 10.0));
    settings.mNumPositionSteps = static_cast<uint>(pile_setting(options, "positions", 2.0));
    settings.mBaumgarte = static_cast<float>(pile_setting(options, "baumgarte", 0.2));
    settings.mPenetrationSlop = 0.0f;
    // 2 cm are 0.4 radii here
    settings.mSpeculativeContactDistance = static_cast<float>(0.02 * pile.radius);
    settings.mUseLargeIslandSplitter = false;  // for threads
    settings.mAllowSleeping = false;
    m->system.SetPhysicsSettings(settings);
}

Motion* create(const Options* options, const char**) {
    const Pile pile = pile_of(options);
    auto* m = new JoltMotion{{steps, observe, destroy, PILE_COLUMNS * pile.n},
                             static_cast<float>(options->dt)};
    set_up(m, pile, options);
    add_wall(m, pile, Vec3(0, 0, 1), 0.0);
    for (float side : {-1.0f, 1.0f}) {
        add_wall(m, pile, Vec3(side, 0, 0), pile.half_width);
        add_wall(m, pile, Vec3(0, side, 0), pile.half_depth);
    }
    const Ref<Shape> shape = new SphereShape(static_cast<float>(pile.radius));
    for (int i = 0; i < pile.n; i++) {
        add_sphere(m, pile, shape, i);
    }
    m->system.OptimizeBroadPhase();
    return &m->motion;
}

}  // namespace

int main(int argc, char** argv) {
    RegisterDefaultAllocator();
    Factory::sInstance = new Factory();
    RegisterTypes();
    const Program program = {JOLT_PACKAGE, create};
    const int status = driver_main(&program, argc, argv);
    UnregisterTypes();
    delete Factory::sInstance;
    return status;
}
