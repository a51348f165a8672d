// The table of clatter run --profile: what steps cost, in counts and in time.
#include "cli/profile_table.h"

#include "base/platform_program.h"

static const char* const count_names[N_COUNTS] = {
    [COUNT_UPDATES] = "Newton updates",
    [COUNT_EVALUATIONS] = "evaluations of rows and forces",
    [COUNT_RESIDUALS] = "residuals",
    [COUNT_FACTORISATIONS] = "factorisations",
    [COUNT_DELASSUS] = "Delassus matrices",
    [COUNT_CONTACT_PROBLEMS] = "contact problems",
    [COUNT_CONTACT_ITERATIONS] = "contact iterations",
};

static const char* const phase_names[N_PROFILE_PHASES] = {
    [PROFILE_EVALUATE] = "evaluate rows and forces",
    [PROFILE_FACTOR] = "factorise and solve",
    [PROFILE_CONTACT] = "contact laws",
    [PROFILE_RESIDUAL] = "residual",
    [PROFILE_COMMIT] = "new state and energies",
    [PROFILE_FIND] = "find contacts",
    [PROFILE_REST] = "the rest",
};

// Seconds that one reading takes
static double reading(void) {
    enum { N = 1000 };
    const double start = platform_program_clock();
    double end = start;
    for (int i = 0; i < N; i++) {
        end = platform_program_clock();
    }
    return (end - start) / N;
}

static void print_counts(const Profile* profile, double n_steps, FILE* out) {
    fprintf(out, "  %-32s %12s %10s %10s\n", "cost of steps", "total", "per step", "most");
    for (int i = 0; i < N_COUNTS; i++) {
        fprintf(out, "  %-32s %12lld %10.3f %10lld\n", count_names[i], profile->total[i],
                (double)profile->total[i] / n_steps, profile->maximum[i]);
    }
}

static void print_times(const Profile* profile, double n_steps, FILE* out) {
    double total = 0;
    for (int i = 0; i < N_PROFILE_PHASES; i++) {
        total += profile->seconds[i];
    }
    fprintf(out, "  %-32s %12s %10s %10s\n", "time of steps", "s", "ns per step", "percent");
    for (int i = 0; i < N_PROFILE_PHASES; i++) {
        fprintf(out, "  %-32s %12.6f %10.0f %10.1f\n", phase_names[i], profile->seconds[i],
                1e9 * profile->seconds[i] / n_steps,
                total > 0 ? 100 * profile->seconds[i] / total : 0.0);
    }
    fprintf(out, "  %-32s %12.6f %10.0f %10.1f\n", "all phases", total, 1e9 * total / n_steps,
            total > 0 ? 100.0 : 0.0);
    const double clock = reading() * (double)profile->n_readings;
    fprintf(out, "  %-32s %12.6f %10.0f %10.1f\n", "  of this, reading the clock", clock,
            1e9 * clock / n_steps, total > 0 ? 100 * clock / total : 0.0);
}

void profile_table_print(const Profile* profile, FILE* out) {
    const double n_steps = profile->n_steps > 0 ? (double)profile->n_steps : 1;
    print_counts(profile, n_steps, out);
    print_times(profile, n_steps, out);
}
