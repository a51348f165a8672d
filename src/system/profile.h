// What steps cost: counts of their parts and the time of each phase. The library reads no clock by
// itself; without one from the caller there is no profile, and a phase costs one branch. At any
// time of a step one phase is under way, so that the phases add up to the whole.
#pragma once

#include <stddef.h>

typedef enum ProfileCount {
    COUNT_UPDATES,             // Newton updates, for generalized-alpha passes over its levels
    COUNT_EVALUATIONS,         // of rows of joints and contacts, and of forces, at an iterate
    COUNT_RESIDUALS,           // of all equations and laws
    COUNT_FACTORISATIONS,      // of the Newton matrix
    COUNT_DELASSUS,            // assemblies of W^T A^-1 W
    COUNT_CONTACT_PROBLEMS,    // solved
    COUNT_CONTACT_ITERATIONS,  // Newton steps and sweeps in them
    N_COUNTS
} ProfileCount;

typedef enum ProfilePhase {
    PROFILE_EVALUATE,
    PROFILE_FACTOR,  // and solve: linear algebra, Delassus matrix included
    PROFILE_CONTACT,
    PROFILE_RESIDUAL,
    PROFILE_COMMIT,  // the new state, and its energies
    PROFILE_FIND,    // contacts, where bodies have moved
    PROFILE_REST,
    N_PROFILE_PHASES
} ProfilePhase;

typedef struct Profile {
    long long n_steps;                 // internal steps, retried and failed ones included
    long long total[N_COUNTS];         // over all steps
    long long maximum[N_COUNTS];       // in one step
    long long of_step[N_COUNTS];       // in the present step
    double (*now)(void);               // s; NULL: there is no profile
    double seconds[N_PROFILE_PHASES];  // over all steps
    long long n_readings;              // of the clock
    ProfilePhase phase;                // under way ...
    double since;                      // ... since this time
} Profile;

static inline void profile_count(Profile* profile, ProfileCount count, int n) {
    profile->of_step[count] += n;
}

// Ends the phase under way.
static inline void profile_enter(Profile* profile, ProfilePhase phase) {
    if (profile->now != NULL) {
        const double time = profile->now();
        profile->seconds[profile->phase] += time - profile->since;
        profile->since = time;
        profile->phase = phase;
        profile->n_readings++;
    }
}

static inline void profile_begin_step(Profile* profile) {
    if (profile->now == NULL) {
        return;
    }
    for (int i = 0; i < N_COUNTS; i++) {
        profile->of_step[i] = 0;
    }
    profile->phase = PROFILE_REST;
    profile->since = profile->now();
    profile->n_readings++;
}

static inline void profile_end_step(Profile* profile) {
    if (profile->now == NULL) {
        return;
    }
    profile_enter(profile, PROFILE_REST);
    profile->n_steps++;
    for (int i = 0; i < N_COUNTS; i++) {
        const long long n = profile->of_step[i];
        profile->total[i] += n;
        profile->maximum[i] = n > profile->maximum[i] ? n : profile->maximum[i];
    }
}
