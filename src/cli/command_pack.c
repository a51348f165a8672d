// clatter pack: an FMU from a model file. The binaries, the same for every model, the icon and the
// schema are inside this program, so that no compiler and no other file is needed.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/zip.h"
#include "cli/commands.h"
#include "cli/embedded.h"
#include "cli/exit_code.h"
#include "cli/fmu_binaries.h"
#include "cli/model_files.h"
#include "cli/options.h"
#include "cli/pack_pictures.h"
#include "cli/pack_ssp.h"
#include "cli/view_sink.h"
#include "modelDescription/documentation.h"
#include "modelDescription/integer_enumerations.h"
#include "modelDescription/model_description.h"

enum {
    OPTION_OUTPUT,
    OPTION_FMI,
    OPTION_NO_ENUMERATIONS,
    OPTION_NO_VECTORS,
    OPTION_ANIMATION,
    OPTION_SSP,
    OPTION_CONNECT,
    OPTION_HELP
};

static const Option options[] = {
    [OPTION_OUTPUT] = {"--output", 'o', "OUT.fmu",
                       "the FMU to write; default: the model's name with .fmu, in the\n"
                       "current directory"},
    [OPTION_FMI] = {"--fmi", 0, "2|3",
                    "version of FMI; default: 2. FMI 3.0 has vectors for poses, and event\n"
                    "mode and early return at impacts"},
    [OPTION_NO_ENUMERATIONS] = {"--no-enumerations", 0, NULL,
                                "write enumerations as integers, for hosts that cannot read\n"
                                "them (Maestro, libcosim, Ecos); the numbers are the same"},
    [OPTION_NO_VECTORS] = {"--no-vectors", 0, NULL,
                           "of FMI 3.0: scalars alone, for hosts that take every variable for\n"
                           "one (fmi-sim)"},
    [OPTION_ANIMATION] = {"--animation", 0, NULL,
                          "add a page that shows the motion of the default experiment, linked\n"
                          "from the FMU's documentation"},
    [OPTION_SSP] = {"--ssp", 0, "OTHER.fmu",
                    "make an SSP archive of the model's FMU and this one, which may be given\n"
                    "several times; inputs get the outputs of equal names"},
    [OPTION_CONNECT] = {"--connect", 0, "FROM=TO",
                        "COMPONENT.OUTPUT=COMPONENT.INPUT for names that differ; components are\n"
                        "called as the model or as the file of the FMU"},
    [OPTION_HELP] = {"--help", 'h', NULL, "this text"},
};

enum { N_OPTIONS = sizeof options / sizeof options[0] };

typedef struct PackTask {
    const char* model_path;
    const char* output;  // NULL: named after the model
    int fmi;             // 2 or 3
    bool no_enumerations;
    bool no_vectors;
    bool animation;
    PackSsp ssp;  // with FMUs in it: the FMU becomes a part of an SSP archive
} PackTask;

static void print_help(void) {
    TextBuffer platforms = {0};
    fmu_binaries_list(&platforms);
    printf(
        "usage: clatter pack MODEL.xml [-o OUT.fmu] [options]\n"
        "       clatter pack MODEL.xml --ssp CONTROLLER.fmu [-o OUT.ssp] [options]\n"
        "\n"
        "Makes an FMI 2.0 or 3.0 co-simulation FMU of a model. It holds the model and its\n"
        "materials, so it needs neither this program nor any other file. It runs on these\n"
        "platforms, as FMI calls them: %s.\n"
        "\n"
        "options:\n",
        platforms.text != NULL ? platforms.text : "none");
    text_buffer_free(&platforms);
    options_print_help(options, N_OPTIONS);
    puts(
        "\n"
        "example:\n"
        "  $ clatter pack ball.xml -o ball.fmu\n"
        "  $ clatter pack ball.xml --fmi 3 -o ball_fmi3.fmu\n"
        "  $ python3 -m fmpy simulate ball.fmu --show-plot\n"
        "  $ clatter pack cart.xml --ssp pd.fmu --connect cart.carriage.x=pd.position -o loop.ssp\n"
        "\n"
        "Exit codes: 0 done, 1 the model cannot be used or the file not written, 2 wrong command\n"
        "line. Problems are printed as FILE:LINE:COLUMN: what is wrong and what was expected.");
}

static void add_text(ZipWriter* zip, const char* name, TextBuffer* text) {
    zip_add(zip, name, text->text, text->n, false);
    zip->out->failed |= text->failed;
    text_buffer_free(text);
}

// The page about the model, with what there is to look at
static void write_documentation(const LoadedModel* model, const VariableTable* table, int fmi,
                                const PackPictures* made, ZipWriter* zip) {
    static const char animation_name[] = "animation.html";
    TextBuffer documentation = {0};
    const Pictures pictures = {made->drawing.text, made->animation.n > 0 ? animation_name : NULL};
    documentation_write(simulation_info(model->simulation), table, fmi, pictures,
                        model->files.model, model->files.n_model, &documentation);
    add_text(zip, "documentation/index.html", &documentation);
    if (made->animation.n > 0) {
        zip_add(zip, "documentation/animation.html", made->animation.text, made->animation.n,
                false);
    }
}

static void write_description(const ModelInfo* info, const VariableTable* table,
                              const PackTask* task, TextBuffer* description) {
    Arena arena = {0};
    ArrayTable arrays = {0};
    if (task->fmi == 2) {
        model_description_write(info, table, description);
    } else if (task->no_vectors || array_variables_find(table, &arena, &arrays) == STATUS_OK) {
        model_description_write_fmi3(info, table, &arrays, description);
    } else {
        description->failed = true;
    }
    arena_free(&arena);
}

// The archive, in the order in which importers read it.
static void write_archive(const LoadedModel* model, const VariableTable* table,
                          const PackTask* task, const PackPictures* pictures, TextBuffer* archive) {
    const int fmi = task->fmi;
    const ModelInfo* info = simulation_info(model->simulation);
    const ModelFiles* files = &model->files;
    ZipWriter zip = {.out = archive};
    TextBuffer description = {0};

    write_description(info, table, task, &description);
    add_text(&zip, "modelDescription.xml", &description);
    zip_add(&zip, fmi == 2 ? "model.png" : "terminalsAndIcons/icon.png", embedded_icon,
            EMBEDDED_SIZE(embedded_icon), false);
    fmu_binaries_add(&zip, fmi, info->name);
    zip_add(&zip, "resources/" MODEL_FILES_PACKED_MODEL, files->model, files->n_model, false);
    for (int i = 0; i < files->n_named; i++) {
        TextBuffer name = {0};
        text_add(&name, "resources/");
        text_add(&name, files->named[i].packed);
        archive->failed |= name.failed;
        if (!archive->failed) {
            zip_add(&zip, name.text, files->named[i].text, files->named[i].n, false);
        }
        text_buffer_free(&name);
    }
    zip_add(&zip, "resources/model.xsd", embedded_schema, EMBEDDED_SIZE(embedded_schema), false);

    write_documentation(model, table, fmi, pictures, &zip);
    zip_finish(&zip);
}

static bool pack(const LoadedModel* model, const PackTask* task, const char* path) {
    VariableTable table = *simulation_variables(model->simulation);
    Arena arena = {0};
    TextBuffer archive = {0};
    PackPictures pictures = {0};
    bool told = false;  // what is wrong with the other FMUs or connections
    Status status =
        task->no_enumerations ? integer_enumerations(&table, &arena, &table) : STATUS_OK;
    if (status == STATUS_OK) {
        status =
            pack_pictures_make(model->simulation, task->model_path, task->animation, &pictures);
    }
    if (status == STATUS_OK) {
        write_archive(model, &table, task, &pictures, &archive);
        told = task->ssp.n_fmus > 0 && !archive.failed &&
               !pack_ssp_wrap(&task->ssp, simulation_info(model->simulation), &table, &archive);
    }
    if (status == STATUS_OK && !told) {
        errno = 0;
        status = archive.failed ? STATUS_OUT_OF_MEMORY : file_write(path, archive.text, archive.n);
    }
    if (told) {
        status = STATUS_NOT_ALLOWED;
    } else if (status == STATUS_OK) {
        printf("%s: %zu bytes, %d variables\n", path, archive.n,
               simulation_variables(model->simulation)->n_variables);
    } else {
        fprintf(stderr, "%s: error: the %s cannot be written: %s\n", path,
                task->ssp.n_fmus > 0 ? "SSP archive" : "FMU", file_reason(status));
    }
    text_buffer_free(&archive);
    pack_pictures_free(&pictures);
    arena_free(&arena);
    return status == STATUS_OK;
}

static int load_and_pack(const PackTask* task) {
    const char* model_path = task->model_path;
    LoadedModel model;
    PageTemplate page;
    int exit_code = EXIT_CODE_FAILED;
    if (task->animation && !view_page("clatter pack", &page)) {
        return EXIT_CODE_FAILED;
    }
    if (model_files_load(model_path, stderr, &model)) {
        TextBuffer default_output = {0};
        text_add(&default_output, simulation_info(model.simulation)->name);
        text_add(&default_output, task->ssp.n_fmus > 0 ? ".ssp" : ".fmu");
        const char* path = task->output != NULL ? task->output : default_output.text;
        if (path == NULL) {
            fprintf(stderr, "clatter pack: %s\n", status_text(STATUS_OUT_OF_MEMORY));
        } else if (model_files_include(&model, path) || pack_ssp_includes(&task->ssp, path)) {
            fprintf(stderr, "clatter pack: '%s' is %s; -o names what is to be made\n", path,
                    model_files_include(&model, path) ? "the model itself" : "one of the FMUs");
            exit_code = EXIT_CODE_USAGE;
        } else if (pack(&model, task, path)) {
            exit_code = EXIT_CODE_OK;
        }
        text_buffer_free(&default_output);
    }
    model_files_free(&model);
    return exit_code;
}

int command_pack(int argc, char** argv) {
    OptionReader reader = {.command = "clatter pack",
                           .options = options,
                           .n_options = N_OPTIONS,
                           .argc = argc,
                           .argv = argv,
                           .at = 1};
    PackTask task = {.fmi = 2};
    const char* value;
    for (int option; (option = options_next(&reader, &value)) != OPTION_END;) {
        if (option == OPTION_ERROR) {
            return EXIT_CODE_USAGE;
        } else if (option == OPTION_HELP) {
            print_help();
            return EXIT_CODE_OK;
        } else if (option == OPTION_OUTPUT) {
            task.output = value;
        } else if (option == OPTION_FMI) {
            if (strcmp(value, "2") != 0 && strcmp(value, "3") != 0) {
                fprintf(stderr, "clatter pack: --fmi is 2 or 3, not '%s'\n", value);
                return EXIT_CODE_USAGE;
            }
            task.fmi = value[0] - '0';
        } else if (option == OPTION_NO_ENUMERATIONS) {
            task.no_enumerations = true;
        } else if (option == OPTION_NO_VECTORS) {
            task.no_vectors = true;
        } else if (option == OPTION_ANIMATION) {
            task.animation = true;
        } else if (option == OPTION_SSP || option == OPTION_CONNECT) {
            const bool is_fmu = option == OPTION_SSP;
            if (!pack_ssp_add(is_fmu ? task.ssp.fmus : task.ssp.connections,
                              is_fmu ? &task.ssp.n_fmus : &task.ssp.n_connections, value)) {
                return EXIT_CODE_USAGE;
            }
        } else if (task.model_path != NULL) {
            fprintf(stderr, "clatter pack: one model at a time: '%s' is one too many\n", value);
            return EXIT_CODE_USAGE;
        } else {
            task.model_path = value;
        }
    }
    if (task.model_path == NULL) {
        fputs("clatter pack: which model? usage: clatter pack MODEL.xml [-o OUT.fmu]\n", stderr);
        return EXIT_CODE_USAGE;
    }
    if (task.ssp.n_connections > 0 && task.ssp.n_fmus == 0) {
        fputs("clatter pack: --connect needs another FMU to connect: --ssp OTHER.fmu\n", stderr);
        return EXIT_CODE_USAGE;
    }
    return load_and_pack(&task);
}
