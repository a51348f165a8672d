// The pile in MuJoCo, through its C functions. Contacts are soft, with elliptic friction cones.
// Settings:
//   solver       0: PGS, 1: CG, 2: Newton (MuJoCo's default)
//   iterations   at most (100)
//   stiffness    time constant of contacts in steps, 2 being the least that is recommended (2)
//   tolerance    of the solver (1e-8)
#include <cstring>
#include <string>

#include <mujoco/mujoco.h>

#include "pile.h"

namespace {

struct MujocoMotion {
    Motion motion;
    mjModel* model;
    mjData* data;
};

bool steps(Motion* motion, int from, int to) {
    auto* m = reinterpret_cast<MujocoMotion*>(motion);
    for (int i = from; i < to; i++) {
        mj_step(m->model, m->data);
    }
    for (int warning : {mjWARN_BADQACC, mjWARN_BADQPOS, mjWARN_CONTACTFULL, mjWARN_CNSTRFULL}) {
        if (m->data->warning[warning].number > 0) {
            return false;
        }
    }
    return true;
}

void observe(Motion* motion, double* row) {
    auto* m = reinterpret_cast<MujocoMotion*>(motion);
    for (int i = 0; i < m->model->njnt; i++, row += PILE_COLUMNS) {
        const double* q = m->data->qpos + 7 * i;  // position, quaternion
        const double* u = m->data->qvel + 6 * i;  // velocity, angular velocity in the body
        std::memcpy(row, q, 3 * sizeof *row);
        std::memcpy(row + 3, u, 3 * sizeof *row);
        mju_rotVecQuat(row + 6, u + 3, q + 3);
    }
}

void destroy(Motion* motion) {
    auto* m = reinterpret_cast<MujocoMotion*>(motion);
    mj_deleteData(m->data);
    mj_deleteModel(m->model);
    delete m;
}

void set_contacts(mjModel* model, double steps) {
    for (int i = 0; i < model->ngeom; i++) {
        model->geom_solref[mjNREF * i] = steps * model->opt.timestep;
        model->geom_solref[mjNREF * i + 1] = 1.0;  // damped critically
        model->geom_solimp[mjNIMP * i] = model->geom_solimp[mjNIMP * i + 1] = 0.99;
    }
}

Motion* create(const Options* options, const char** why) {
    static char error[512];
    mjModel* model = mj_loadXML(options->model, nullptr, error, sizeof error);
    if (model == nullptr) {
        *why = "the model cannot be read";
        return nullptr;
    }
    const Pile pile = pile_of(options);
    const int solvers[] = {mjSOL_PGS, mjSOL_CG, mjSOL_NEWTON};
    model->opt.timestep = options->dt;
    model->opt.solver = solvers[static_cast<int>(pile_setting(options, "solver", 2.0))];
    model->opt.iterations = static_cast<int>(pile_setting(options, "iterations", 100.0));
    model->opt.tolerance = pile_setting(options, "tolerance", 1e-8);
    set_contacts(model, pile_setting(options, "stiffness", 2.0));
    mjData* data = mj_makeData(model);
    if (data == nullptr) {
        *why = "out of memory";
        mj_deleteModel(model);
        return nullptr;
    }
    auto* m = new MujocoMotion{{steps, observe, destroy, PILE_COLUMNS * pile.n}, model, data};
    return &m->motion;
}

}  // namespace

int main(int argc, char** argv) {
    static const std::string version = std::string("MuJoCo ") + mj_versionString();
    const Program program = {version.c_str(), create};
    return driver_main(&program, argc, argv);
}
