// clatter check: every problem of a model file, one per line, or what is in it.
#include <stdio.h>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/model_files.h"
#include "cli/options.h"
#include "cli/setting.h"

enum { OPTION_SCHEME, OPTION_HELP };

static const Option options[] = {
    [OPTION_SCHEME] = {"--scheme", 0, "NAME", "start with this scheme instead of the model's own"},
    [OPTION_HELP] = {"--help", 'h', NULL, "this text"},
};

enum { N_OPTIONS = sizeof options / sizeof options[0] };

static void print_help(void) {
    puts(
        "usage: clatter check MODEL.xml [--scheme NAME]\n"
        "\n"
        "Reads a model, and the table of materials it names, and prints every problem found, one\n"
        "per line, as FILE:LINE:COLUMN: what is wrong and what was expected. Then starts the\n"
        "motion to see that it can, and prints what the model contains.\n"
        "\n"
        "options:");
    options_print_help(options, N_OPTIONS);
    setting_print_schemes();
    puts(
        "\n"
        "example:\n"
        "  $ clatter check ball.xml\n"
        "  ball.xml:3:34: error: mass=\"-1\" is -1: expected at least 1e-12\n"
        "\n"
        "Exit codes: 0 the model can be used, 1 it cannot, 2 wrong command line.");
}

static int count(const VariableTable* table, Causality causality) {
    int n = 0;
    for (int i = 0; i < table->n_variables; i++) {
        n += table->variables[i].causality == causality;
    }
    return n;
}

static void print_facts(const char* path, const Simulation* simulation,
                        const ConstraintSummary* joints) {
    const int rank = joints->n_constraints - joints->n_redundant;
    const ModelInfo* info = simulation_info(simulation);
    const VariableTable* table = simulation_variables(simulation);
    printf("%s: can be used\n", path);
    printf("  name         %s\n", info->name);
    if (info->description[0] != 0) {
        printf("  description  %s\n", info->description);
    }
    printf("  bodies       %d\n", info->n_bodies);
    printf("  contacts     %d", info->n_contacts);
    if (info->n_contact_elements < info->n_contacts) {
        printf(" (pairs of points of %d <contact>)", info->n_contact_elements);
    }
    puts("");
    if (info->n_surfaces > 0) {
        printf("  surfaces     %d, %lld pairs of which can meet\n", info->n_surfaces,
               info->n_found_pairs);
    }
    printf("  forces       %d\n", info->n_forces);
    printf("  coordinates  %d\n", info->n_coordinates);
    printf("  constraints  %d, of rank %d\n", joints->n_constraints, rank);
    printf("  freedom      %d\n", joints->n_velocities - rank);
    printf("  parameters   %d\n", count(table, CAUSALITY_PARAMETER));
    printf("  inputs       %d\n", count(table, CAUSALITY_INPUT));
    printf("  outputs      %d\n", count(table, CAUSALITY_OUTPUT));
    printf("  experiment   %g s to %g s in steps of %g s\n", info->start_time, info->stop_time,
           info->step_size);
}

// scheme: NULL for the model's own
static bool check(const char* path, const char* scheme) {
    LoadedModel model;
    bool usable = model_files_load(path, stdout, &model);
    if (usable && scheme != NULL) {
        const Setting setting = {"solver.scheme", scheme};
        usable = setting_apply(&setting, "clatter check", model.simulation);
    }
    if (usable) {
        Report report = model_files_report(stdout);
        const double t_0 = simulation_info(model.simulation)->start_time;
        ConstraintSummary joints;
        usable = simulation_initialize(model.simulation, t_0, &report) == STATUS_OK &&
                 simulation_constraints(model.simulation, &report, &joints) == STATUS_OK;
        if (usable) {
            print_facts(path, model.simulation, &joints);
        } else if (report.n_errors == 0) {
            printf("%s: error: the motion cannot start: %s\n", path,
                   simulation_message(model.simulation));
        }
    }
    model_files_free(&model);
    return usable;
}

int command_check(int argc, char** argv) {
    OptionReader reader = {.command = "clatter check",
                           .options = options,
                           .n_options = N_OPTIONS,
                           .argc = argc,
                           .argv = argv,
                           .at = 1};
    const char* path = NULL;
    const char* scheme = NULL;
    const char* value;
    for (int option; (option = options_next(&reader, &value)) != OPTION_END;) {
        if (option == OPTION_ERROR) {
            return EXIT_CODE_USAGE;
        }
        if (option == OPTION_HELP) {
            print_help();
            return EXIT_CODE_OK;
        }
        if (option == OPTION_SCHEME) {
            scheme = value;
            continue;
        }
        if (path != NULL) {
            fprintf(stderr, "clatter check: one model at a time: '%s' is one too many\n", value);
            return EXIT_CODE_USAGE;
        }
        path = value;
    }
    if (path == NULL) {
        fputs("clatter check: which model? usage: clatter check MODEL.xml\n", stderr);
        return EXIT_CODE_USAGE;
    }
    return check(path, scheme) ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}
