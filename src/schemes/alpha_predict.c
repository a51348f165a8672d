// The coefficients of a step of generalized-alpha and its first guess.
#include <math.h>
#include <string.h>

#include "schemes/alpha_step.h"

// GA (72), and the weights of alpha_step.h
void alpha_set_coefficients(AlphaStep* step) {
    const double rho = step->s->p[step->sys->solver + SOLVER_SPECTRAL_RADIUS];
    const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    const double alpha_f = rho / (rho + 1.0);
    const double gamma = 0.5 + alpha_f - alpha_m;
    const double beta = 0.25 * (0.5 + gamma) * (0.5 + gamma);
    const double dt = step->dt;
    // (71) solved for the new auxiliary value
    step->of_bar = -alpha_m / (1.0 - alpha_m);
    step->of_old = alpha_f / (1.0 - alpha_m);
    step->of_new = (1.0 - alpha_f) / (1.0 - alpha_m);
    // (70) with it
    step->integral_of_bar = dt * (1.0 - gamma + gamma * step->of_bar);
    step->integral_of_old = dt * gamma * step->of_old;
    step->double_of_bar = dt * dt * (0.5 - beta + beta * step->of_bar);
    step->double_of_old = dt * dt * beta * step->of_old;
    step->weight[POSITION] = dt * dt * beta * step->of_new;
    step->weight[VELOCITY] = dt * gamma * step->of_new;
    step->weight[ACCELERATION] = 1.0;
    step->unit[POSITION] = 1.0 / dt;
    step->unit[VELOCITY] = 1.0;
    step->unit[ACCELERATION] = dt;
}

// GA (70) with the new value left out: what has been before contributes to displacements
static double double_integral(const AlphaStep* step, double bar, double old) {
    return step->double_of_bar * bar + step->double_of_old * old;
}

// Accelerations and forces go on as a parabola through their last three values once these belong to
// one smooth motion, as a line or as they are before. In smooth motion Q, U and their multipliers
// correct the error of the integration formula; those of bodies and joints go on as a line, those
// of contacts, which are mostly rests of rounding, as they are. Newton's first pass squares the
// error of the guess, so that it is the last one in most smooth steps.
typedef struct Guess {
    double once, twice;  // factors of differences over one and over two steps: one or zero
} Guess;

static Guess choose_guess(const AlphaOwn* own, double dt) {
    // the first smooth step begins with what an impact left
    return (Guess){.once = *own->dt == dt && *own->n_smooth > 1.0 ? 1.0 : 0.0,
                   .twice = *own->dt == dt && *own->n_smooth > 2.0 ? 1.0 : 0.0};
}

static double guess_next(Guess guess, double value, double change, double bend) {
    return value + guess.once * change + guess.twice * bend;
}

// What alternates, as it does after an impact until it has decayed, does not go on as a line.
static double guess_correction(Guess guess, double value, double change) {
    static const double STEADY = 0.5;  // of the value, at most, changes in a step
    return fabs(change) <= STEADY * fabs(value) ? guess.twice * (value + change) : 0.0;
}

// Contacts without a record are open and have no forces.
static void clear_laws(const AlphaStep* step) {
    const AlphaScratch* alpha = step->alpha;
    if (step->sys->n_laws == 0) {
        return;
    }
    for (int k = 0; k < step->sys->n_laws; k++) {
        alpha->state_n[k] = CONTACT_OPEN;
        alpha->course[k] = FORCE_UNKNOWN;
    }
    memset(alpha->forces_n, 0, bytes(ALPHA_ARRAYS_OF_LAWS * step->sys->most_rows));
    memset(alpha->mu[POSITION], 0, bytes(N_LEVELS * step->sys->most_rows));
    memset(alpha->G_M, 0, bytes(step->sys->nla_c));
}

// The forces of contacts before the step, by law, and the guess of those in it.
static void read_records(const AlphaStep* step, Guess guess) {
    const System* sys = step->sys;
    const State* s = step->s;
    const AlphaScratch* alpha = step->alpha;
    const double of_position = step->weight[POSITION];
    const double of_velocity = step->weight[VELOCITY];
    clear_laws(step);
    for (long long j = 0; j < s->head->n_records; j++) {
        const ContactRecord* record = &s->records[j];
        const AlphaContact* contact = alpha_contact(s, j);
        const Range rows = sys->laws[record->key].la;
        alpha->state_n[record->key] = (ContactState)record->state;
        for (int r = 0; r < rows.n; r++) {
            const int row = rows.at + r;
            const double la_n = record->la[r];
            const double bar = contact->la_bar[r];
            const double la = guess_next(guess, la_n, contact->la_change[r], contact->la_bend[r]);
            const double kappa = guess.twice * contact->kappa[r];
            const double La = guess.twice * record->La[r];
            const double k_0 = double_integral(step, bar, la_n);
            const double p_0 = alpha_integral(step, bar, la_n);
            alpha->la_n[row] = la_n;
            alpha->la_bar_n[row] = bar;
            alpha->la_change_n[row] = contact->la_change[r];
            alpha->offset[POSITION][row] = k_0;
            alpha->offset[VELOCITY][row] = p_0;
            alpha->mu[POSITION][row] = k_0 + of_position * la + kappa;
            alpha->mu[VELOCITY][row] = p_0 + of_velocity * la + La;
            alpha->mu[ACCELERATION][row] = la;
        }
    }
}

// Start value: accelerations and forces go on as in the last steps.
void alpha_predict(const AlphaStep* step) {
    const System* sys = step->sys;
    const State* s = step->s;
    const AlphaOwn* own = &step->own;
    const AlphaScratch* alpha = step->alpha;
    const double of_position = step->weight[POSITION];
    const double of_velocity = step->weight[VELOCITY];
    const Guess guess = choose_guess(own, step->dt);
    system_base(sys, s->q, s->u, step->dt, alpha->q_base);
    for (int i = 0; i < sys->nu; i++) {
        const double a_n = own->a[i];
        const double a = guess_next(guess, a_n, own->a_change[i], own->a_bend[i]);
        alpha->w_0[i] = step->dt * s->u[i] + double_integral(step, own->a_bar[i], a_n);
        alpha->u_star[i] = s->u[i] + alpha_integral(step, own->a_bar[i], a_n);
        alpha->x[POSITION][i] =
            of_position * a + guess_correction(guess, own->Q[i], own->Q_change[i]);
        alpha->x[VELOCITY][i] =
            of_velocity * a + guess_correction(guess, own->U[i], own->U_change[i]);
        alpha->x[ACCELERATION][i] = a;
    }
    for (int i = 0; i < sys->nla_g; i++) {
        const double la = guess_next(guess, s->la_g[i], own->la_g_change[i], own->la_g_bend[i]);
        alpha->mu_g[POSITION][i] =
            of_position * la + guess_correction(guess, own->kappa_g[i], own->kappa_g_change[i]);
        alpha->mu_g[VELOCITY][i] =
            of_velocity * la + guess_correction(guess, s->La_g[i], own->La_g_change[i]);
        alpha->mu_g[ACCELERATION][i] = la;
    }
    read_records(step, guess);
}

double alpha_guess_defect(AlphaStep* step) {
    const AlphaScratch* alpha = step->alpha;
    const double* M_diagonal = step->w->properties.M_diagonal;
    double defect = 0.0;
    double displacement = 0.0;
    const double* r = alpha_dynamics(step, POSITION);
    for (int i = 0; i < step->sys->nu; i++) {
        defect += r[i] * r[i] / M_diagonal[i];
        displacement += M_diagonal[i] * alpha->w_0[i] * alpha->w_0[i];
    }
    return relative_error(sqrt(defect), sqrt(displacement));
}

void alpha_predict_rest(AlphaStep* step) {
    const AlphaScratch* alpha = step->alpha;
    const double ratio = step->weight[VELOCITY] / step->weight[POSITION];
    for (int i = 0; i < step->sys->nu; i++) {
        alpha->x[POSITION][i] = -alpha->w_0[i];
        alpha->x[VELOCITY][i] = -ratio * alpha->w_0[i];
    }
    step->known[POSITION] = step->known[VELOCITY] = false;
}
