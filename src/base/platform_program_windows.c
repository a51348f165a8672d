#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#include <shellapi.h>

#include "base/platform_program.h"

static UINT code_page_before;

static void restore_console(void) { (void)SetConsoleOutputCP(code_page_before); }

static char* narrow(const wchar_t* text) {
    const int n = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char* out = n > 0 ? malloc((size_t)n) : NULL;
    if (out != NULL) {
        (void)WideCharToMultiByte(CP_UTF8, 0, text, -1, out, n, NULL, NULL);
    }
    return out;
}

// Those of the command line, until the program ends; main's own are in the code page of the system.
static bool take_arguments(int* argc, char*** argv) {
    int n = 0;
    wchar_t** arguments = CommandLineToArgvW(GetCommandLineW(), &n);
    char** texts = arguments != NULL ? calloc((size_t)n + 1, sizeof *texts) : NULL;
    bool taken = texts != NULL;
    for (int i = 0; i < n && taken; i++) {
        texts[i] = narrow(arguments[i]);
        taken = texts[i] != NULL;
    }
    (void)LocalFree(arguments);
    if (taken) {
        *argc = n;
        *argv = texts;
    }
    return taken;
}

bool platform_program_start(int* argc, char*** argv) {
    // What is written to a pipe or a file has the same bytes everywhere.
    (void)_setmode(_fileno(stdout), _O_BINARY);
    (void)_setmode(_fileno(stderr), _O_BINARY);
    code_page_before = GetConsoleOutputCP();
    if (code_page_before != 0 && SetConsoleOutputCP(CP_UTF8) != 0) {
        (void)atexit(restore_console);
    }
    return take_arguments(argc, argv);
}

bool platform_program_has_terminal(void) {
    HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode = 0;
    return GetConsoleMode(console, &mode) != 0 &&
           SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

// The C library forgets a handler when it calls it.
void platform_program_on_interrupt(void (*handler)(int)) { (void)signal(SIGINT, handler); }

double platform_program_clock(void) {
    LARGE_INTEGER count, frequency;
    (void)QueryPerformanceCounter(&count);
    (void)QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
}
