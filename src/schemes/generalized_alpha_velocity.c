// The schemes of CH: smooth forces by generalized-alpha, HHT or Newmark, joints and contacts on
// velocity level by their impulses. Both are the step of velocity_step.h with its own coefficients.
//
// CH (25) to (29) with the smooth velocity v_smooth = v - W, W = M^-1 (W_g P_g + W P):
//   v - W = u_n + dt (1-gamma) a_n + dt gamma a_1,  M v'_1 = h_1
//   (1-alpha_m) a_1 = (1-alpha_f) v'_1 + alpha_f v'_n - alpha_m a_n
//   q_1 = q_n moved by dt (u_n + dt (1/2-beta) a_n + dt beta a_1 + W / 2)
// a_1 taken from the second line, and from the first:
//   M (v - u_n - c) - kappa h_1 = W_g P_g + W P,  kappa = dt gamma (1-alpha_f) / (1-alpha_m)
//   c = dt (1-gamma) a_n + dt gamma (alpha_f v'_n - alpha_m a_n) / (1-alpha_m)
//   u_mean = u_n + dt (1/2-beta) a_n + beta/gamma (v - W - u_n - dt (1-gamma) a_n) + W / 2
#include "schemes/generalized_alpha_velocity.h"

#include <string.h>

#include "schemes/activation.h"
#include "schemes/settings.h"

// What is kept from step to step, after the first guess of the velocity step
typedef struct SmoothOwn {
    double* a;      // (nu) CH's a_n; of the implicit Newmark scheme the last mean acceleration
    double* v_dot;  // (nu) CH's v'_n
} SmoothOwn;

static SmoothOwn smooth_own(const System* sys, const State* s) {
    double* a = s->own + velocity_step_room(sys).n_own;
    return (SmoothOwn){a, a + sys->nu};
}

static StateRoom room(const System* sys, int n) {
    StateRoom result = velocity_step_room(sys);
    result.n_own += n * sys->nu;
    return result;
}

static Status solve(VelocityStep* step, SolveInfo* info) {
    *info = (SolveInfo){0};
    const Status status = activation_update(step, info);  // CH (19)
    return status == STATUS_OK ? velocity_iterate(step, info) : status;
}

// --- CH Algorithm 1 ---

typedef struct AlphaParameters {
    double alpha_m, alpha_f, beta, gamma;
} AlphaParameters;

static AlphaParameters alpha_parameters(const double* par) {
    const double rho = par[SOLVER_SPECTRAL_RADIUS];
    AlphaParameters alpha = {0};
    switch ((int)par[SOLVER_ALPHA]) {
        case ALPHA_GENERALIZED:
            alpha.alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
            alpha.alpha_f = rho / (rho + 1.0);
            break;
        case ALPHA_HHT:  // whose rho is 1/2 at least
            alpha.alpha_f = (1.0 - (rho > 0.5 ? rho : 0.5)) / (1.0 + (rho > 0.5 ? rho : 0.5));
            break;
        default:  // ALPHA_NEWMARK: the trapezoidal rule
            break;
    }
    alpha.gamma = 0.5 + alpha.alpha_f - alpha.alpha_m;
    alpha.beta = 0.25 * (alpha.gamma + 0.5) * (alpha.gamma + 0.5);
    return alpha;
}

StateRoom generalized_alpha_velocity_room(const System* sys) { return room(sys, 2); }

// v' at the state, from the smooth forces alone
static void evaluate_v_dot(const StepInput* in, const State* s, const VelocityScratch* m,
                           double* v_dot) {
    instant_set(in->sys, s, in->t, s->q, s->u, &in->w->present);
    system_forces(in->sys, &in->w->present, v_dot);
    system_mass_solve(in->sys, &in->w->present, m->solve, v_dot);
}

// a_0 = v'_0
void generalized_alpha_velocity_start(const StepInput* in, const double* a, State* s,
                                      void* scratch) {
    const System* sys = in->sys;
    (void)a;
    velocity_step_start(sys, s);
    s->head->n_own = generalized_alpha_velocity_room(sys).n_own;
    const SmoothOwn own = smooth_own(sys, s);
    evaluate_v_dot(in, s, scratch, own.v_dot);
    memcpy(own.a, own.v_dot, (size_t)sys->nu * sizeof(double));
}

// a_n jumps with v'_n: their difference, which makes the scheme one of second order, stays.
void generalized_alpha_velocity_jump(const StepInput* in, const double* a, const double* la_g,
                                     State* s, void* scratch) {
    const VelocityScratch* m = scratch;
    const SmoothOwn own = smooth_own(in->sys, s);
    (void)a;
    (void)la_g;
    evaluate_v_dot(in, s, m, m->jump);
    for (int i = 0; i < in->sys->nu; i++) {
        own.a[i] += m->jump[i] - own.v_dot[i];
        own.v_dot[i] = m->jump[i];
    }
}

Status generalized_alpha_velocity_step(const StepInput* in, State* s, void* scratch,
                                       SolveInfo* info) {
    const System* sys = in->sys;
    const double dt = in->dt;
    const AlphaParameters alpha = alpha_parameters(s->p + sys->solver);
    const double ratio = alpha.beta / alpha.gamma;
    const SmoothOwn own = smooth_own(sys, s);
    VelocityStep step = velocity_step_begin(in, s, 1.0, scratch);
    VelocityScratch* m = step.m;
    step.kappa = dt * alpha.gamma * (1.0 - alpha.alpha_f) / (1.0 - alpha.alpha_m);
    step.k = ratio;
    step.k_W = 0.5 - ratio;
    for (int i = 0; i < sys->nu; i++) {
        const double before = (alpha.alpha_f * own.v_dot[i] - alpha.alpha_m * own.a[i]) /
                              (1.0 - alpha.alpha_m);  // of a_1, CH (27)
        m->c[i] = dt * ((1.0 - alpha.gamma) * own.a[i] + alpha.gamma * before);
        m->u_0[i] = (1.0 - ratio) * in->u_start[i] +
                    dt * (0.5 - alpha.beta - ratio * (1.0 - alpha.gamma)) * own.a[i];
    }
    const Status status = solve(&step, info);
    if (status != STATUS_OK) {
        return status;
    }
    system_mass_solve(sys, &m->end, m->solve, m->h);  // v'_1, CH (21)
    const Status committed = velocity_commit(&step, s, info);
    for (int i = 0; i < sys->nu && committed == STATUS_OK; i++) {
        own.a[i] = ((1.0 - alpha.alpha_f) * m->h[i] + alpha.alpha_f * own.v_dot[i] -
                    alpha.alpha_m * own.a[i]) /
                   (1.0 - alpha.alpha_m);
        own.v_dot[i] = m->h[i];
    }
    return committed;
}

// --- the fully implicit Newmark scheme ---

// CH 5.1: gamma = 1, so that impulses act in their own step alone
static const double NEWMARK_BETA = 0.5625;

// The length of the last step if there was an impact in it, else 0; behind a
static double* newmark_dt_n(const System* sys, const State* s) {
    return smooth_own(sys, s).a + sys->nu;
}

StateRoom implicit_newmark_room(const System* sys) {
    StateRoom result = room(sys, 1);
    result.n_own++;
    return result;
}

void implicit_newmark_start(const StepInput* in, const double* a, State* s, void* scratch) {
    (void)scratch;
    velocity_step_start(in->sys, s);
    s->head->n_own = implicit_newmark_room(in->sys).n_own;
    memcpy(smooth_own(in->sys, s).a, a, (size_t)in->sys->nu * sizeof(double));
    *newmark_dt_n(in->sys, s) = 0.0;
}

// For how long a_n goes on into a step: that of an impact not for longer than the step that it was
// in, which may have been short, as a part of one that was divided; it would throw bodies through
// others.
static double lasting(double dt, double dt_n) { return dt_n > 0.0 && dt_n < dt ? dt_n : dt; }

// v = u_n + dt a_1, q_1 = q_n + dt u_n + dt^2 ((1/2-beta) a_n + beta a_1), all forces in a
Status implicit_newmark_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    const System* sys = in->sys;
    const SmoothOwn own = smooth_own(sys, s);
    VelocityStep step = velocity_step_begin(in, s, 1.0, scratch);
    VelocityScratch* m = step.m;
    const double known = lasting(in->dt, *newmark_dt_n(sys, s)) * (0.5 - NEWMARK_BETA);
    step.k = NEWMARK_BETA;
    for (int i = 0; i < sys->nu; i++) {
        m->u_0[i] = (1.0 - NEWMARK_BETA) * in->u_start[i] + known * own.a[i];
    }
    const Status status = solve(&step, info);
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < sys->nu; i++) {
        m->h[i] = (m->end.u[i] - s->u[i]) / in->dt;
    }
    const Status committed = velocity_commit(&step, s, info);
    if (committed == STATUS_OK) {
        memcpy(own.a, m->h, (size_t)sys->nu * sizeof(double));
        *newmark_dt_n(sys, s) = info->impact ? in->dt : 0.0;
    }
    return committed;
}
