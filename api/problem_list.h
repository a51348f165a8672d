// Problems as values that stay: what a Report hands on, copied.
#pragma once

#include <stdbool.h>

#include "api/clatter.h"
#include "base/report.h"

typedef struct ProblemList {
    ClatterProblem* problems;  // (n_problems) texts owned
    int n_problems, capacity;
    bool failed;  // some could not be kept, as there was no memory
} ProblemList;

// A report that adds to the list.
Report problem_list_report(ProblemList* list);
// Forgets all but the first n.
void problem_list_cut(ProblemList* list, int n);
void problem_list_free(ProblemList* list);
