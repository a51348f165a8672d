// What a model is read from, and what it says about itself.
#pragma once

#include <stddef.h>

#include "base/hash.h"

// The texts that make a model. Names are for messages only.
typedef struct ModelFiles {
    const char* model_name;
    const char* model;  // (n_model) XML
    size_t n_model;
    const char* materials_name;
    const char* materials;  // (n_materials) XML, or NULL if the model uses none
    size_t n_materials;
} ModelFiles;

typedef struct ModelInfo {
    const char* name;         // of the mechanism: a C identifier
    const char* description;  // may be empty, never NULL
    const char* author;       // may be empty, never NULL
    const char* version;      // may be empty, never NULL
    char guid[HASH_GUID_SIZE];
    double start_time, stop_time, step_size, tolerance;  // default experiment
    int n_bodies, n_contacts, n_forces, n_coordinates;
} ModelInfo;
