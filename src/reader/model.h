// What a model file says, checked and numbered: the System and the descriptions of its values.
#pragma once

#include "base/arena.h"
#include "base/report.h"
#include "reader/model_files.h"
#include "system/shape_masses.h"
#include "system/system.h"

typedef struct ModelParameter {
    const char* name;  // full
    const ParameterInfo* info;
    const Expression* expression;  // of user parameters before it; NULL: a plain number
    bool from_shapes;              // follows from the shapes of its body (system/shape_masses.h)
    double start;                  // value with all start values
} ModelParameter;

// A parameter of what is repeated that follows from user parameters.
typedef struct ComputedParameter {
    int at;       // in p
    int element;  // whose it is
    const Expression* expression;
} ComputedParameter;

typedef struct ModelInput {
    const char* name;
    const char* help;
    UnitId unit;
    double start, min, max;
} ModelInput;

typedef struct Model {
    ModelInfo info;
    System system;
    const ModelParameter* parameters;   // (system.n_open) user parameters first
    const ComputedParameter* computed;  // (n_computed) of the others, by ascending at
    int n_computed;
    ShapeMasses masses;          // those that follow from shapes
    const ModelInput* inputs;    // (system.n_inputs)
    const Place* signal_places;  // (system.n_signals) of the attributes or their elements
    const char* const* outputs;  // (n_outputs) names that the model declares, sorted
    const Place* output_places;  // (n_outputs)
    int n_outputs;
    bool declares_outputs;  // otherwise the defaults of the elements hold
} Model;

// The expression of a parameter; NULL: it is a plain number, or follows from shapes.
const Expression* model_expression(const Model* model, int parameter);

#define MODEL_NAMESPACE "urn:clatter:model:1"
#define MATERIALS_NAMESPACE "urn:clatter:materials:1"

// Reads a model, reporting every problem. All memory of *model comes from the arena, but for
// system.p_start, which is from start and needed no longer than until there is a state (they may be
// the same); the texts in files need not outlive the call.
MUST_CHECK Status model_read(const ModelFiles* files, Arena* arena, Arena* start, Report* report,
                             Model* model);
