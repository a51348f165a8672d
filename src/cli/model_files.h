// Reads a model file and the files it names, and makes the simulation of them.
#pragma once

#include <stdio.h>

#include "simulation/simulation.h"

typedef struct LoadedModel {
    ModelFiles files;
    Simulation* simulation;
} LoadedModel;

// Problems are printed to messages, one line each: FILE:LINE:COLUMN: error: TEXT. False if the
// model cannot be used; model_files_free is to be called in either case.
bool model_files_load(const char* path, FILE* messages, LoadedModel* model);
void model_files_free(LoadedModel* model);

// A report that prints to messages in that form.
Report model_files_report(FILE* messages);

// Is the path one of the files that the model was read from? For refusing to write over them.
bool model_files_include(const LoadedModel* model, const char* path);
