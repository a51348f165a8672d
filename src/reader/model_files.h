// What a model is read from, and what it says about itself.
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/report.h"

// A file that a model names.
typedef struct ModelFile {
    const char* name;    // as the model writes it, relative to the model file
    const char* path;    // for messages, and for reading
    const char* packed;  // its name among the resources of an FMU
    const char* text;    // (n) NULL if it could not be read
    size_t n;
} ModelFile;

// The texts that make a model.
typedef struct ModelFiles {
    const char* model_name;  // for messages
    const char* model;       // (n_model) XML
    size_t n_model;
    const ModelFile* named;  // (n_named) all that the model names, each once
    int n_named;
    Arena arena;  // of the names, if model_files_read made them
} ModelFiles;

// Reads the model file at path and all files that it names; false, with the problems reported, if
// one of them cannot be read. What could be read is there even then, so that simulation_create can
// tell all other problems: it gives no simulation as long as a file is missing.
// model_files_release is to be called in either case.
bool model_files_read(const char* path, Report* report, ModelFiles* files);
// The same from the resources of an FMU, where every file has the name that it is packed with.
bool model_files_read_packed(const char* directory, Report* report, ModelFiles* files);
void model_files_release(ModelFiles* files);

// The file that a model calls so, or NULL.
const ModelFile* model_files_find(const ModelFiles* files, const char* name);

// The most tables of values, and files of these and of points, that a model can have
enum { MODEL_FILES_MOST_TABLES = 1000 };

// The names of a model file and of a table of materials in the resources of an FMU
#define MODEL_FILES_PACKED_MODEL "model.xml"
#define MODEL_FILES_PACKED_MATERIALS "materials.xml"

typedef struct ModelInfo {
    const char* name;         // of the mechanism: a C identifier
    const char* description;  // may be empty, never NULL
    const char* author;       // may be empty, never NULL
    const char* version;      // may be empty, never NULL
    char guid[HASH_GUID_SIZE];
    double start_time, stop_time, step_size, tolerance;  // default experiment
    int n_bodies, n_contacts, n_forces, n_coordinates;
    int n_surfaces;           // shapes whose contacts are found while bodies move ...
    long long n_found_pairs;  // ... and how many pairs of them can meet
    int n_contact_elements;   // each stands for one contact of every pair of points of its shapes
} ModelInfo;
