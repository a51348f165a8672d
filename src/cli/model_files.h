// Reads a model file and the table of materials it names, and makes the simulation of them.
#pragma once

#include <stdio.h>

#include "simulation/simulation.h"

typedef struct LoadedModel {
    ModelFiles files;  // the texts, owned
    Simulation* simulation;
    char* materials_path;  // owned; NULL if the model uses none
} LoadedModel;

// Problems are printed to messages, one line each: FILE:LINE:COLUMN: error: TEXT. False if the
// model cannot be used; model_files_free is to be called in either case.
bool model_files_load(const char* path, FILE* messages, LoadedModel* model);
void model_files_free(LoadedModel* model);

// A report that prints to messages in that form.
Report model_files_report(FILE* messages);

// Why a file could not be read or written, in words; call it right after the failure.
const char* model_files_reason(Status status, const char* path);

// Are both paths the same existing file? For refusing to write over what was read.
bool model_files_are_same(const char* path_a, const char* path_b);
