// The mechanisms of the comparison in MuJoCo, through its C functions. Variants are the names of
// its integrators: Euler, RK4, implicitfast. Contacts are soft: the driver makes them as stiff as
// the step allows. A rebound is half a period of a damped oscillation that takes five steps, with
// the damping that returns the coefficient of restitution; without restitution the time constant is
// two steps, the least that MuJoCo's documentation recommends.
#include <cmath>
#include <cstring>
#include <string>

#include <mujoco/mujoco.h>

#include "driver.h"

namespace {

struct MujocoMotion {
    Motion motion;
    mjModel* model;
    mjData* data;
    std::string name;
};

bool steps(Motion* motion, int from, int to) {
    auto* m = reinterpret_cast<MujocoMotion*>(motion);
    for (int i = from; i < to; i++) {
        mj_step(m->model, m->data);
    }
    return m->data->warning[mjWARN_BADQACC].number == 0;
}

// Position and angle in the plane x, y of a body's centre of mass
void observe_planar(const mjModel* model, const mjData* data, int body, double* row) {
    const double* r = data->xipos + 3 * body;
    const double* R = data->xmat + 9 * body;
    row[0] = r[0];
    row[1] = r[1];
    row[2] = std::atan2(R[3], R[0]);
    (void)model;
}

void observe(Motion* motion, double* row) {
    auto* m = reinterpret_cast<MujocoMotion*>(motion);
    mj_kinematics(m->model, m->data);
    mj_comPos(m->model, m->data);
    if (m->name == "bouncing_ball") {
        row[0] = m->data->xipos[3 + 1];
    } else if (m->name == "tippe_top") {
        std::memcpy(row, m->data->qpos, 7 * sizeof *row);
    } else if (m->name == "chain") {
        for (int i = 1; i < m->model->nbody; i++) {
            observe_planar(m->model, m->data, i, row + 3 * (i - 1));
        }
    } else if (m->name == "slider_crank" || m->name == "slider_crank_frictionless") {
        observe_planar(m->model, m->data, 3, row);
        row[3] = m->data->qpos[0];
    } else {
        observe_planar(m->model, m->data, 1, row);
        row[2] = m->data->qpos[2];  // turns are counted
    }
}

void destroy(Motion* motion) {
    auto* m = reinterpret_cast<MujocoMotion*>(motion);
    mj_deleteData(m->data);
    mj_deleteModel(m->model);
    delete m;
}

void set_contacts(mjModel* model, double restitution, double dt) {
    for (int i = 0; i < model->ngeom; i++) {
        mjtNum* solref = model->geom_solref + mjNREF * i;
        if (restitution > 0.0) {
            const double decay = -std::log(restitution);
            const double zeta = decay / std::hypot(M_PI, decay);
            const double omega = M_PI / (5.0 * dt) / std::sqrt(1.0 - zeta * zeta);
            solref[0] = -omega * omega;
            solref[1] = -2.0 * zeta * omega;
        } else {
            solref[0] = 2.0 * dt;
            solref[1] = 1.0;
        }
        mjtNum* solimp = model->geom_solimp + mjNIMP * i;
        solimp[0] = solimp[1] = 0.99;
    }
}

bool set_integrator(mjModel* model, const std::string& name) {
    if (name == "Euler") {
        model->opt.integrator = mjINT_EULER;
    } else if (name == "RK4") {
        model->opt.integrator = mjINT_RK4;
    } else if (name == "implicitfast") {
        model->opt.integrator = mjINT_IMPLICITFAST;
    } else {
        return false;
    }
    return true;
}

// Initial values and the law of impact, which the model file does not have; the width of a row
int start(const std::string& name, mjModel* model, mjData* data, double dt) {
    if (name == "bouncing_ball") {
        set_contacts(model, 0.8, dt);
        return 1;
    }
    if (name == "slider_crank" || name == "slider_crank_frictionless") {
        set_contacts(model, 0.4, dt);
        data->qvel[0] = 150.0;
        data->qvel[1] = -75.0 - 150.0;
        data->qvel[2] = 75.0;
        for (int i = 0; i < model->ngeom && name != "slider_crank"; i++) {
            model->geom_condim[i] = 1;
        }
        return 4;
    }
    set_contacts(model, 0.0, dt);
    if (name == "rotating_ball") {
        data->qvel[2] = 50.0;
        return 3;
    }
    if (name == "painleve_rod") {
        data->qpos[1] = std::sin(31.0 * M_PI / 180.0);
        data->qpos[2] = -31.0 * M_PI / 180.0;
        data->qvel[0] = 30.0;
        return 3;
    }
    if (name == "tippe_top") {
        data->qpos[3] = std::cos(0.05);
        data->qpos[4] = std::sin(0.05);
        data->qvel[5] = 180.0;  // in the frame of the body
        return 7;
    }
    return 3 * (model->nbody - 1);  // the chain
}

Motion* create(const Options* options, const char** why) {
    char error[512] = "";
    mjModel* model = mj_loadXML(options->model, nullptr, error, sizeof error);
    if (model == nullptr) {
        *why = "no model of it here";
        return nullptr;
    }
    if (!set_integrator(model, options->variant)) {
        mj_deleteModel(model);
        *why = "no such integrator";
        return nullptr;
    }
    model->opt.timestep = options->dt;
    auto* m = new MujocoMotion{
        {steps, observe, destroy, 0}, model, mj_makeData(model), options->case_name};
    m->motion.width = start(m->name, model, m->data, options->dt);
    return &m->motion;
}

}  // namespace

int main(int argc, char** argv) {
    static const std::string version = std::string("MuJoCo ") + mj_versionString();
    const Program program = {version.c_str(), create};
    return driver_main(&program, argc, argv);
}
