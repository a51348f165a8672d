/* Clatter as a shared library, for C, Python (ctypes), Julia and whatever else can call C: load a
   model, set and read its variables by index, and simulate it, step by step or all at once.

   A simulation is set up (parameters set, in any order), initialised, advanced and read. A reset
   leads back to the set-up with all start values. One simulation is used by one thread at a time,
   clatter_cancel excepted; different simulations share nothing.

   Values of all types are doubles: booleans 0 or 1, enumerations 1 ... n. Texts are UTF-8, end with
   0, and live as long as the simulation unless said otherwise. Functions that can fail return a
   ClatterStatus; after a failure clatter_message says why, in words. */
#ifndef CLATTER_H
#define CLATTER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CLATTER_API __attribute__((visibility("default")))
#else
#define CLATTER_API
#endif

/* Changes whenever a function or a struct below changes its meaning or shape. */
enum { CLATTER_API_VERSION = 2 };

typedef struct ClatterSimulation ClatterSimulation;

enum {
    CLATTER_OK = 0,
    CLATTER_REFUSED = 1,       /* wrong argument, value or phase; nothing has changed */
    CLATTER_UNUSABLE = 2,      /* the model has errors: see the problems */
    CLATTER_NO_START = 3,      /* the motion cannot start with these parameters */
    CLATTER_STEP_FAILED = 4,   /* the simulation stays at the last step that could be solved */
    CLATTER_CANCELLED = 5,     /* likewise at the last step that was made */
    CLATTER_NOT_AVAILABLE = 6, /* the quantity does not exist at this instant */
    CLATTER_NO_MEMORY = 7
};
typedef int32_t ClatterStatus;

enum { CLATTER_NOTE = 0, CLATTER_WARNING = 1, CLATTER_ERROR = 2 };
enum {
    CLATTER_PARAMETER = 0,
    CLATTER_CALCULATED_PARAMETER = 1,
    CLATTER_INPUT = 2,
    CLATTER_OUTPUT = 3,
    CLATTER_LOCAL = 4,
    CLATTER_INDEPENDENT = 5 /* the time */
};
enum { CLATTER_FIXED = 0, CLATTER_TUNABLE = 1, CLATTER_DISCRETE = 2, CLATTER_CONTINUOUS = 3 };
enum {
    CLATTER_REAL = 0,
    CLATTER_INTEGER = 1,
    CLATTER_BOOLEAN = 2,
    CLATTER_ENUMERATION = 3,
    CLATTER_STRING = 4
};
enum {
    CLATTER_HELD = 0,  /* an input keeps the value of a row until the next one */
    CLATTER_LINEAR = 1 /* a real input goes straight from one row's value to the next one's */
};

/* A text that a model is made of. */
typedef struct ClatterFile {
    const char* name; /* of the model: for messages; of others: as the model writes it */
    const char* text; /* (n) */
    size_t n;
} ClatterFile;

typedef struct ClatterProblem {
    const char* file;    /* "" if it is in none */
    const char* message; /* what is wrong and what was expected */
    int64_t line;        /* from 1; 0 if there is none */
    int64_t column;
    int32_t severity;
} ClatterProblem;

typedef struct ClatterInfo {
    const char* name;
    const char* description; /* this and the next two may be "" */
    const char* author;
    const char* version;
    const char* guid;                        /* of model and files: equal models have equal ones */
    double start_time, stop_time, step_size; /* s; the default experiment */
    int32_t n_bodies, n_contacts, n_forces, n_coordinates;
} ClatterInfo;

typedef struct ClatterVariable {
    const char* name; /* "ball.velocity_x" */
    const char* description;
    const char* unit; /* of a real; "1" without one; "" of other types */
    int32_t type, causality, variability;
    int32_t n_words;       /* of an enumeration, whose values are 1 ... n_words */
    double start;          /* of parameters and inputs */
    double min, max;       /* -INFINITY, INFINITY where there is no bound */
    int32_t derivative_of; /* the variable of which this is the time derivative, or -1 */
} ClatterVariable;

typedef struct ClatterStatistics {
    int64_t n_steps;      /* internal steps completed */
    int64_t n_iterations; /* Newton updates in them */
    int64_t n_contact_iterations;
    int64_t n_regularised_steps, n_swept_steps, n_inexact_steps, n_inelastic_steps;
    int64_t n_damped_steps, n_retried_steps, n_failed_steps;
    double worst_residual;    /* relative */
    double worst_penetration; /* m */
} ClatterStatistics;

/* What is set and read at each row of clatter_simulate and at each clatter_step. */
typedef struct ClatterSignals {
    int32_t n_inputs;
    const int32_t* inputs; /* (n_inputs) inputs, or tunable parameters, which are held */
    int32_t interpolation; /* of clatter_simulate: CLATTER_HELD or CLATTER_LINEAR */
    int32_t n_outputs;
    const int32_t* outputs; /* (n_outputs) any variables that are no texts */
} ClatterSignals;

CLATTER_API int32_t clatter_api_version(void);
CLATTER_API const char* clatter_version(void);

/* --- models --- */

/* Reads the model file at path and the files that it names. NULL if there is no memory; else a
   simulation, being set up, or what has only problems if the model cannot be used. */
CLATTER_API ClatterSimulation* clatter_load(const char* path);
/* The same from memory: files[0] is the model, the others those that it names. The texts are
   copied. */
CLATTER_API ClatterSimulation* clatter_load_texts(const ClatterFile* files, int32_t n_files);
CLATTER_API void clatter_free(ClatterSimulation* simulation);

CLATTER_API int32_t clatter_usable(const ClatterSimulation* simulation); /* 1 or 0 */
/* Why the last call that failed did so; until the next call. */
CLATTER_API const char* clatter_message(const ClatterSimulation* simulation);
/* Of loading the model, of clatter_initialize and of the motion since then. Those of loading stay,
   the others go with the next clatter_initialize or clatter_reset. */
CLATTER_API int32_t clatter_problem_count(const ClatterSimulation* simulation);
CLATTER_API ClatterStatus clatter_problem(ClatterSimulation* simulation, int32_t i,
                                          ClatterProblem* problem);
/* The texts that were read, as clatter_load_texts takes them. */
CLATTER_API int32_t clatter_file_count(const ClatterSimulation* simulation);
CLATTER_API ClatterStatus clatter_file(ClatterSimulation* simulation, int32_t i, ClatterFile* file);

/* The following functions refuse a model that cannot be used. */

CLATTER_API ClatterStatus clatter_info(ClatterSimulation* simulation, ClatterInfo* info);
CLATTER_API int32_t clatter_variable_count(const ClatterSimulation* simulation);
CLATTER_API ClatterStatus clatter_variable(ClatterSimulation* simulation, int32_t variable,
                                           ClatterVariable* description);
/* Name of the value 1 + i of an enumeration; NULL if there is none. */
CLATTER_API const char* clatter_variable_word(const ClatterSimulation* simulation, int32_t variable,
                                              int32_t i);
CLATTER_API int32_t clatter_variable_find(const ClatterSimulation* simulation, const char* name);

/* --- values --- */

/* All n of them, or none: values that depend on each other are set together. Parameters that are
   not tunable can be set before the first step alone; after clatter_initialize this leads back to
   the set-up. */
CLATTER_API ClatterStatus clatter_set(ClatterSimulation* simulation, int32_t n,
                                      const int32_t* variables, const double* values);
CLATTER_API ClatterStatus clatter_get(ClatterSimulation* simulation, int32_t n,
                                      const int32_t* variables, double* values);
/* NULL if the variable is no text; until the next call that changes the simulation. */
CLATTER_API const char* clatter_get_text(const ClatterSimulation* simulation, int32_t variable);
/* Time derivatives of real outputs at the present time, contact laws included. */
CLATTER_API ClatterStatus clatter_get_derivatives(ClatterSimulation* simulation, int32_t n,
                                                  const int32_t* variables, double* values);
/* derivative (n_unknowns) = d(unknowns)/d(knowns) seed at the present state; unknowns: real
   outputs; knowns: inputs and tunable parameters. */
CLATTER_API ClatterStatus clatter_directional_derivative(ClatterSimulation* simulation,
                                                         int32_t n_unknowns,
                                                         const int32_t* unknowns, int32_t n_knowns,
                                                         const int32_t* knowns, const double* seed,
                                                         double* derivative);

/* --- motion --- */

CLATTER_API ClatterStatus clatter_initialize(ClatterSimulation* simulation, double start_time);
/* By a duration > 0 in internal steps of at most solver.step_size. */
CLATTER_API ClatterStatus clatter_advance(ClatterSimulation* simulation, double duration);
/* Sets the inputs, advances and reads the outputs. After CLATTER_STEP_FAILED and CLATTER_CANCELLED
   the outputs are those of the time reached. */
CLATTER_API ClatterStatus clatter_step(ClatterSimulation* simulation, double duration,
                                       const ClatterSignals* signals, const double* inputs,
                                       double* outputs);
/* Goes through times (n_times, rising) with the inputs (n_times x n_inputs) and writes a row of
   results (n_times x n_outputs) at each of them; rows are contiguous. Starts the motion at times[0]
   if that was not done, else times[0] has to be the present time. *n_rows rows were written: fewer
   than n_times after a failure, the last of them then being at the time reached (clatter_time),
   which may lie between two of the times. */
CLATTER_API ClatterStatus clatter_simulate(ClatterSimulation* simulation, int64_t n_times,
                                           const double* times, const ClatterSignals* signals,
                                           const double* inputs, double* results, int64_t* n_rows);
/* From any thread: the motion that is under way stops at the end of its internal step, the next one
   does not begin. clatter_clear_cancel, or a reset, takes it back. */
CLATTER_API void clatter_cancel(ClatterSimulation* simulation);
CLATTER_API void clatter_clear_cancel(ClatterSimulation* simulation);
CLATTER_API ClatterStatus clatter_reset(ClatterSimulation* simulation);

/* How many equations the joints have at the present time; how many, and which, follow from the
   others is added to the problems as notes. */
typedef struct ClatterConstraints {
    int32_t n_velocities; /* degrees of freedom without joints */
    int32_t n_equations;  /* on velocity level */
    int32_t n_redundant;
} ClatterConstraints;
CLATTER_API ClatterStatus clatter_constraints(ClatterSimulation* simulation,
                                              ClatterConstraints* constraints);

CLATTER_API double clatter_time(const ClatterSimulation* simulation);
CLATTER_API ClatterStatus clatter_statistics(ClatterSimulation* simulation,
                                             ClatterStatistics* statistics);

/* --- snapshots --- */

/* The whole state with parameters and inputs, in any phase, as bytes that may be kept and be given
   to any simulation of the same model. Their number changes with the contacts that are closed. */
CLATTER_API size_t clatter_snapshot_size(const ClatterSimulation* simulation);
CLATTER_API ClatterStatus clatter_save(ClatterSimulation* simulation, void* bytes, size_t n);
CLATTER_API ClatterStatus clatter_restore(ClatterSimulation* simulation, const void* bytes,
                                          size_t n);

#ifdef __cplusplus
}
#endif
#endif
