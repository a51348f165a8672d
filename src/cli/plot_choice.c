// Which variables are plotted, and in which panels.
#include "cli/plot_choice.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

enum { NAME_SIZE = 512 };

static bool varies(const Variable* variable) {
    return variable->causality == CAUSALITY_OUTPUT || variable->causality == CAUSALITY_LOCAL ||
           variable->causality == CAUSALITY_INPUT;
}

// Does a name fit a pattern of characters, * and ?
static bool fits(const char* pattern, const char* name) {
    const char* star = NULL;  // behind the last one
    const char* retry = NULL;
    while (*name != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            retry = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star;
            name = ++retry;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

static bool are_alike(const Variable* a, const Variable* b) {
    return a->type == b->type && a->unit == b->unit && a->enumeration == b->enumeration;
}

// Puts a variable into a panel of its group that it fits into, or into a new one; false if there
// are too many.
static bool place(PlotChoice* choice, const VariableTable* table, int variable, int over) {
    for (int i = 0; i < choice->n_panels; i++) {
        PlotPanel* panel = &choice->panels[i];
        if (panel->group == choice->n_groups && panel->n_variables < PLOT_MOST_CURVES &&
            are_alike(&table->variables[variable], &table->variables[panel->variables[0]])) {
            panel->variables[panel->n_variables++] = variable;
            return true;
        }
    }
    if (choice->n_panels == PLOT_MOST_PANELS) {
        return false;
    }
    choice->panels[choice->n_panels++] =
        (PlotPanel){over, {variable}, .n_variables = 1, .group = choice->n_groups};
    return true;
}

// --- a choice in words ---

typedef struct Reading {
    PlotChoice* choice;
    const VariableTable* table;
    const char* command;
} Reading;

// A part of a text without the blanks around it; false if it is empty or too long.
static bool copy_part(const char* text, size_t n, char part[NAME_SIZE]) {
    while (n > 0 && text[0] == ' ') {
        text++;
        n--;
    }
    while (n > 0 && text[n - 1] == ' ') {
        n--;
    }
    if (n == 0 || n >= NAME_SIZE) {
        return false;
    }
    memcpy(part, text, n);
    part[n] = '\0';
    return true;
}

// The variable of that name, or -1 after a message.
static int find(const Reading* reading, const char* name) {
    const VariableTable* table = reading->table;
    const int found = variable_find(table, name);
    if (found >= 0 && table->variables[found].type != VARIABLE_STRING) {
        return found;
    }
    Suggestion suggestion = {0};
    for (int i = 0; i < table->n_variables && found < 0; i++) {
        suggest_consider(&suggestion, name, table->variables[i].name);
    }
    fprintf(stderr,
            found < 0 ? "%s: --plot-variables: the model has no variable '%s'%s\n"
                      : "%s: --plot-variables: '%s' is a text%s\n",
            reading->command, name, suggest_words(&suggestion, (char[SUGGEST_WORDS]){""}));
    return -1;
}

static bool take_name(Reading* reading, const char* name, int over) {
    const VariableTable* table = reading->table;
    bool placed = true, any = false;
    if (strpbrk(name, "*?") == NULL) {
        const int variable = find(reading, name);
        any = variable >= 0;
        placed = !any || place(reading->choice, table, variable, over);
    } else {
        for (int i = 0; i < table->n_variables && placed; i++) {
            const Variable* variable = &table->variables[i];
            if (varies(variable) && variable->type != VARIABLE_STRING &&
                fits(name, variable->name)) {
                any = true;
                placed = place(reading->choice, table, i, over);
            }
        }
        if (!any) {
            fprintf(stderr, "%s: --plot-variables: no output, local or input fits '%s'\n",
                    reading->command, name);
        }
    }
    if (!placed) {
        fprintf(stderr,
                "%s: --plot-variables: '%s' makes more than %d panels of %d curves: choose fewer\n",
                reading->command, name, PLOT_MOST_PANELS, PLOT_MOST_CURVES);
    }
    return any && placed;
}

static bool tell_expected(const Reading* reading) {
    fprintf(stderr, "%s: --plot-variables: expected names, such as \"ball.x, ball.y; *.state\"\n",
            reading->command);
    return false;
}

// Up to the comma behind it; those in brackets belong to a name: cell[3,2].x
static size_t name_length(const char* text) {
    size_t n = 0;
    bool inside = false;
    while (text[n] != 0 && (inside || text[n] != ',')) {
        inside = text[n] == '[' || (inside && text[n] != ']');
        n++;
    }
    return n;
}

// "a, b over c"
static bool take_group(Reading* reading, const char* text, size_t n) {
    static const char separator[] = " over ";
    char group[NAME_SIZE], name[NAME_SIZE];
    if (!copy_part(text, n, group)) {
        return tell_expected(reading);
    }
    char* behind = strstr(group, separator);
    int over = -1;
    if (behind != NULL) {
        const char* other = behind + strlen(separator);
        *behind = '\0';
        if (!copy_part(other, strlen(other), name)) {
            return tell_expected(reading);
        }
        over = find(reading, name);
        if (over < 0) {
            return false;
        }
    }
    const char* at = group;
    while (true) {
        const size_t length = name_length(at);
        if (!copy_part(at, length, name)) {
            return tell_expected(reading);
        }
        if (!take_name(reading, name, over)) {
            return false;
        }
        if (at[length] == '\0') {
            break;
        }
        at += length + 1;
    }
    reading->choice->n_groups++;
    return true;
}

bool plot_choice_add(PlotChoice* choice, const char* text, const VariableTable* variables,
                     const char* command) {
    Reading reading = {choice, variables, command};
    while (true) {
        const size_t n = strcspn(text, ";");
        if (!take_group(&reading, text, n)) {
            return false;
        }
        if (text[n] == '\0') {
            return true;
        }
        text += n + 1;
    }
}

// --- what is chosen without words ---

typedef struct Patterns {
    const char* const* patterns;  // (n)
    size_t n;
} Patterns;

static bool is_wanted(const Variable* variable, const Patterns* wanted) {
    bool any = false;
    for (size_t i = 0; i < wanted->n && !any; i++) {
        any = fits(wanted->patterns[i], variable->name);
    }
    return any && variable->causality == CAUSALITY_OUTPUT && variable->type != VARIABLE_STRING &&
           strncmp(variable->name, "solver.", 7) != 0;
}

// Is there a panel for this variable that has no room?
static bool is_full(const PlotChoice* choice, const VariableTable* table,
                    const Variable* variable) {
    bool any = false;
    for (int i = 0; i < choice->n_panels && !any; i++) {
        const PlotPanel* panel = &choice->panels[i];
        any = panel->n_variables == PLOT_MOST_CURVES &&
              are_alike(variable, &table->variables[panel->variables[0]]);
    }
    return any;
}

static void add_outputs(PlotChoice* choice, const VariableTable* table, const Patterns* wanted) {
    for (int i = 0; i < table->n_variables; i++) {
        const Variable* variable = &table->variables[i];
        if (is_wanted(variable, wanted) && !is_full(choice, table, variable) &&
            !place(choice, table, i, -1)) {
            return;
        }
    }
}

void plot_choice_default(PlotChoice* choice, const VariableTable* variables) {
    static const char* const most[] = {"*.x",
                                       "*.y",
                                       "*.z",
                                       "*.angle",
                                       "*.last_x",
                                       "*.last_y",
                                       "*.last_z",
                                       "*.last_angle",
                                       "*.state",
                                       "*.normal_force",
                                       "*.total_normal_force"};
    static const char* const more[] = {"*velocity*", "*.normal_percussion", "energy.total"};
    static const char* const all[] = {"*"};
    enum { FEW = 3 };  // panels
    *choice = (PlotChoice){0};
    add_outputs(choice, variables, &(Patterns){most, sizeof most / sizeof most[0]});
    if (choice->n_panels < FEW) {
        add_outputs(choice, variables, &(Patterns){more, sizeof more / sizeof more[0]});
    }
    if (choice->n_panels == 0) {
        add_outputs(choice, variables, &(Patterns){all, 1});
    }
}
