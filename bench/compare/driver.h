// What every driver of the comparison has in common, Clatter's and the peers' alike: it reads the
// options, times variants in turn, measures memory, writes the trajectory and prints one JSON
// object. A driver supplies one function that creates a motion.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Options {
    const char* case_name;  // which mechanism
    const char* variant;    // scheme and the like; the driver's own words
    const char* model;      // model file, where the driver reads one
    const char* library;    // shared object, where the driver loads one
    const char* observe;    // names of the columns, separated by commas, or @FILE with one in each
                            // line, where the driver uses names
    const char* settings;   // NAME=VALUE, separated by commas, where the driver uses them
    double dt;              // s
    double stop;            // s
    int n;                  // size of the mechanism, where it has one
} Options;

// A mechanism in motion; the first member of a driver's own struct.
typedef struct Motion Motion;
struct Motion {
    bool (*steps)(Motion* motion, int from, int to);  // false if a step failed
    void (*observe)(Motion* motion, double* row);     // (width)
    void (*destroy)(Motion* motion);
    int width;  // columns of the trajectory
};

typedef struct Program {
    const char* version;  // name and version of the program
    // NULL, and why in words, if the driver does not have that case or variant
    Motion* (*create)(const Options* options, const char** why);
} Program;

// DRIVER case=NAME variants=A,B,... dt=... stop=... [budget=...] [n=...] [model=...] [library=...]
//        [observe=...] [settings=...] [ends=T1,T2,...] [trajectory=PREFIX] [rows=PREFIX]
//        [limit=...] [threads=...] [instances=...] [memory=yes]
// variants: run in turn, again and again until the budget (s) is spent; the shortest time counts.
// ends: ends of phases that are timed apart, the last being stop.
// trajectory: PREFIX.VARIANT gets the rows at all steps as doubles, from a run that is not timed.
// rows: PREFIX.VARIANT gets the rows at the start and at the end of each phase, from the run that
// is timed, while its time stands still. limit: a run ends with the phase in which it has taken so
// many seconds. threads: so many motions at once, each in a thread of its own. instances: so many
// motions, one step of each in turn.
int driver_main(const Program* program, int argc, char** argv);

#ifdef __cplusplus
}
#endif
