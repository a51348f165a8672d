#include "api/problem_list.h"

#include <stdlib.h>
#include <string.h>

static char* copy_text(const char* text) {
    const size_t n = strlen(text) + 1;
    char* copy = malloc(n);
    return copy != NULL ? memcpy(copy, text, n) : NULL;
}

static bool has_room(ProblemList* list) {
    if (list->n_problems < list->capacity) {
        return true;
    }
    const int capacity = 2 * list->capacity + 8;
    ClatterProblem* grown = realloc(list->problems, (size_t)capacity * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    list->problems = grown;
    list->capacity = capacity;
    return true;
}

static void add_problem(void* context, Severity severity, Place place, const char* message) {
    ProblemList* list = context;
    char* file = copy_text(place.file != NULL ? place.file : "");
    char* text = copy_text(message);
    if (file == NULL || text == NULL || !has_room(list)) {
        free(file);
        free(text);
        list->failed = true;
        return;
    }
    list->problems[list->n_problems++] = (ClatterProblem){.file = file,
                                                          .message = text,
                                                          .line = place.line,
                                                          .column = place.column,
                                                          .severity = (int32_t)severity};
}

Report problem_list_report(ProblemList* list) {
    return (Report){.context = list, .add = add_problem};
}

void problem_list_cut(ProblemList* list, int n) {
    while (list->n_problems > n) {
        list->n_problems--;
        free((char*)list->problems[list->n_problems].file);
        free((char*)list->problems[list->n_problems].message);
    }
}

void problem_list_free(ProblemList* list) {
    problem_list_cut(list, 0);
    free(list->problems);
    *list = (ProblemList){0};
}
