// The page of a result that a host has written.
#pragma once

#include "cli/run_options.h"
#include "cli/view_sink.h"

// options: model, settings and interval count. The exit code, after messages to stderr.
int view_result(const RunOptions* options, const ViewPlots* plots, const char* result,
                const char* output);
