// clatter: turns a model file into an FMU, simulates it, or says what is wrong with it.
#include <stdio.h>
#include <string.h>

#include "base/platform_program.h"
#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/fmu_binaries.h"

typedef struct Command {
    const char* name;
    const char* help;
    int (*run)(int argc, char** argv);
} Command;

static const Command commands[] = {
    {"pack", "make a co-simulation FMU of a model", command_pack},
    {"run", "simulate a model and write its outputs as CSV", command_run},
    {"view", "make a page that shows the motion of a model", command_view},
    {"check", "say what is wrong with a model", command_check},
};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(void) {
    puts(
        "Clatter turns an XML description of a mechanism with hard contacts into an FMI\n"
        "co-simulation FMU.\n"
        "\n"
        "usage: clatter COMMAND MODEL.xml [options]\n");
    for (int i = 0; i < N_COMMANDS; i++) {
        printf("  %-8s%s\n", commands[i].name, commands[i].help);
    }
    puts(
        "\n"
        "  clatter COMMAND --help   what a command does, its options, an example\n"
        "  clatter --version        the version of this program\n"
        "\n"
        "A first session:\n"
        "  clatter check ball.xml                      is the file in order?\n"
        "  clatter run ball.xml --stop 2 -o ball.csv   how does it move?\n"
        "  clatter view ball.xml -o ball.html          see it move, in a browser\n"
        "  clatter pack ball.xml -o ball.fmu           an FMU for any FMI 2.0 importer\n"
        "\n"
        "Exit codes: 0 done, 1 the model or the simulation failed, 2 wrong command line.");
}

static void print_version(void) {
    TextBuffer platforms = {0};
    fmu_binaries_list(&platforms);
    printf("clatter " CLATTER_VERSION "\nFMUs for %s\n",
           platforms.text != NULL ? platforms.text : "no platform");
    text_buffer_free(&platforms);
}

static int unknown_command(const char* name) {
    Suggestion suggestion = {0};
    for (int i = 0; i < N_COMMANDS; i++) {
        suggest_consider(&suggestion, name, commands[i].name);
    }
    suggest_consider(&suggestion, name, "--help");
    suggest_consider(&suggestion, name, "--version");
    fprintf(stderr, "clatter: there is no %s '%s'", name[0] == '-' ? "option" : "command", name);
    fprintf(stderr, "%s\n", suggest_words(&suggestion, (char[SUGGEST_WORDS]){""}));
    fputs("'clatter --help' lists the commands.\n", stderr);
    return EXIT_CODE_USAGE;
}

int main(int argc, char** argv) {
    if (!platform_program_start(&argc, &argv)) {
        fputs("clatter: memory is exhausted\n", stderr);
        return EXIT_CODE_FAILED;
    }
    if (argc < 2) {
        fputs(
            "usage: clatter COMMAND MODEL.xml [options]\n"
            "'clatter --help' lists the commands.\n",
            stderr);
        return EXIT_CODE_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return EXIT_CODE_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        print_version();
        return EXIT_CODE_OK;
    }
    for (int i = 0; i < N_COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    return unknown_command(argv[1]);
}
