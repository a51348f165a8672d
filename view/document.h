// All that a page tells of a motion beside the motion itself, and the JSON that it becomes
// (docs/view.md).
#pragma once

#include "base/text.h"
#include "simulation/impacts.h"
#include "simulation/scene.h"

typedef struct Span {
    double low, high;
} Span;

// Outputs in one plot
typedef struct DocumentPlot {
    const int* variables;  // (n_variables)
    int n_variables;
} DocumentPlot;

typedef struct Document {
    const ModelInfo* info;
    const VariableTable* table;
    const Scene* scene;
    const char* source;           // name of the file from which the motion is
    double start, stop;           // of the motion
    const char* failure;          // why it ends there, or NULL
    const Span* curves;           // (n_shapes) what of each curve is drawn
    const ImpactRecord* impacts;  // (n_impacts)
    int n_impacts;
    long long n_all_impacts;  // those that are too small to be listed, too
    const int* outputs;       // (n_outputs) variables in the motion
    int n_outputs;
    int n_more_outputs;         // that were left out
    const DocumentPlot* plots;  // (n_plots) to show at first; none: the page chooses
    int n_plots;
    const int* missing;  // (n_missing) variables that the result has not
    int n_missing;
    int n_untold_contacts;  // of which no variable tells what they do, so that a result cannot
    size_t n_frames, n_contact_records, n_bytes;  // of the motion
} Document;

void document_write(const Document* document, TextBuffer* out);
