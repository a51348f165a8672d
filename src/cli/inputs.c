// Inputs of a run from a table: a column of times, and one for each input.
#include "cli/inputs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/suggest.h"
#include "cli/model_files.h"

static const size_t LARGEST_TABLE = (size_t)1 << 30;  // bytes
enum { MOST_PROBLEMS = 10, NONE = -2 };

// --- reading ---

// Is there a --set of this name? The value follows '='.
static bool is_set(const RunOptions* options, const char* name) {
    const size_t n = strlen(name);
    for (int i = 0; i < options->n_settings; i++) {
        const Setting* setting = &options->settings[i];
        if (setting->name == NULL && strncmp(setting->text, name, n) == 0 &&
            setting->text[n] == '=') {
            return true;
        }
    }
    return false;
}

static void tell_unknown(const Inputs* inputs, int column, const VariableTable* variables,
                         Report* report) {
    Suggestion suggestion = {0};
    const char* name = inputs->table.names[column];
    int n_inputs = 0;
    for (int i = 0; i < variables->n_variables; i++) {
        if (variables->variables[i].causality == CAUSALITY_INPUT) {
            suggest_consider(&suggestion, name, variables->variables[i].name);
            n_inputs++;
        }
    }
    report_add(report, SEVERITY_ERROR, csv_table_place(&inputs->table, -1, column),
               "the model has no %s'%s'%s", n_inputs > 0 ? "input " : "inputs, nor a variable ",
               name, suggest_words(&suggestion, (char[SUGGEST_WORDS]){""}));
}

// Finds the input of a column, or reports that it is none.
static void take_column(Inputs* inputs, int column, const RunOptions* options,
                        const VariableTable* variables, Report* report) {
    const char* name = inputs->table.names[column];
    const Place place = csv_table_place(&inputs->table, -1, column);
    const int found = variable_find(variables, name);
    if (found < 0) {
        tell_unknown(inputs, column, variables, report);
    } else if (variables->variables[found].causality == CAUSALITY_PARAMETER) {
        report_add(report, SEVERITY_ERROR, place,
                   "'%s' is a parameter, not an input: it is set with --set %s=VALUE", name, name);
    } else if (variables->variables[found].causality != CAUSALITY_INPUT) {
        report_add(report, SEVERITY_ERROR, place,
                   "'%s' is no input: it is computed and cannot be set", name);
    } else if (is_set(options, name)) {
        report_add(report, SEVERITY_ERROR, place,
                   "'%s' has values here and from --set: one of them has to go", name);
    } else {
        inputs->variables[inputs->n] = found;
        inputs->columns[inputs->n++] = column;
    }
}

static void find_columns(Inputs* inputs, const RunOptions* options, const VariableTable* variables,
                         Report* report) {
    const CsvTable* table = &inputs->table;
    const int time = csv_table_find(table, "time");
    if (time < 0) {
        Suggestion suggestion = {0};
        for (int i = 0; i < table->n_columns; i++) {
            suggest_consider(&suggestion, "time", table->names[i]);
        }
        report_add(report, SEVERITY_ERROR, csv_table_place(table, -1, 0),
                   "there is no column 'time'%s%s%s", suggestion.name != NULL ? ", but '" : "",
                   suggestion.name != NULL ? suggestion.name : "",
                   suggestion.name != NULL ? "'" : "");
        return;
    }
    inputs->time = csv_table_column(table, time);
    for (int i = 0; i < table->n_columns; i++) {
        if (i != time) {
            take_column(inputs, i, options, variables, report);
        }
    }
    if (table->n_columns == 1) {
        report_add(report, SEVERITY_ERROR, csv_table_place(table, -1, 0),
                   "there is no column beside 'time': expected one for each input");
    }
}

static bool tells_more(Report* report, Place place) {
    if (report->n_errors == MOST_PROBLEMS) {
        report_add(report, SEVERITY_ERROR, place, "there may be more problems");
    }
    return report->n_errors < MOST_PROBLEMS;
}

static void check_numbers(const Inputs* inputs, int column, double min, double max,
                          Report* report) {
    const CsvTable* table = &inputs->table;
    const double* values = csv_table_column(table, column);
    for (long row = 0; row < table->n_rows; row++) {
        const double value = values[row];
        if (value >= min && value <= max && isfinite(value)) {
            continue;
        }
        const Place place = csv_table_place(table, row, column);
        char cell[CSV_TABLE_CELL];
        csv_table_cell(table, row, column, cell);
        if (!tells_more(report, place)) {
            return;
        }
        if (isfinite(value)) {
            report_add(report, SEVERITY_ERROR, place, "%s = %g is outside of %g to %g",
                       table->names[column], value, min, max);
        } else {
            const bool comma = cell[strspn(cell, "+-0123456789")] == ',';
            report_add(report, SEVERITY_ERROR, place, "%s: expected a number%s%s%s%s",
                       table->names[column], cell[0] != '\0' ? ", not '" : "", cell,
                       cell[0] != '\0' ? "'" : "", comma ? ": decimals have a point" : "");
        }
    }
}

static void check_times(const Inputs* inputs, Report* report) {
    const CsvTable* table = &inputs->table;
    const double* time = inputs->time;
    const int column = csv_table_find(table, "time");
    check_numbers(inputs, column, -INFINITY, INFINITY, report);
    if (report->n_errors > 0) {
        return;
    }
    for (long row = 1; row < table->n_rows && report->n_errors < MOST_PROBLEMS; row++) {
        if (time[row] < time[row - 1]) {
            report_add(report, SEVERITY_ERROR, csv_table_place(table, row, column),
                       "time %g comes after %g: times must not decrease", time[row], time[row - 1]);
        } else if (row > 1 && time[row] == time[row - 2]) {
            report_add(report, SEVERITY_ERROR, csv_table_place(table, row, column),
                       "a third row at time %g: a jump is two, before and after it", time[row]);
        }
    }
}

static bool take_memory(Inputs* inputs) {
    const size_t n_columns = (size_t)inputs->table.n_columns;
    inputs->variables = calloc(n_columns, sizeof *inputs->variables);
    inputs->columns = calloc(n_columns, sizeof *inputs->columns);
    inputs->values = calloc(n_columns, sizeof *inputs->values);
    inputs->breaks = calloc((size_t)inputs->table.n_rows, sizeof *inputs->breaks);
    inputs->sampled = calloc((size_t)inputs->table.n_rows, sizeof *inputs->sampled);
    return inputs->variables != NULL && inputs->columns != NULL && inputs->values != NULL &&
           inputs->breaks != NULL && inputs->sampled != NULL;
}

bool inputs_load(Inputs* inputs, const RunOptions* options, Simulation* simulation) {
    const VariableTable* variables = simulation_variables(simulation);
    const char* path = options->inputs;
    Report report = model_files_report(stderr);
    *inputs = (Inputs){.held = options->inputs_held};
    if (path == NULL) {
        return true;
    }
    size_t n_text = 0;
    errno = 0;
    Status status = file_read(path, LARGEST_TABLE, &inputs->text, &n_text);
    if (status != STATUS_OK) {
        fprintf(stderr, "%s: error: the inputs cannot be read: %s\n", path, file_reason(status));
        return false;
    }
    status = csv_table_read(inputs->text, n_text, path, &report, &inputs->table);
    if (status == STATUS_OK && !take_memory(inputs)) {
        status = STATUS_OUT_OF_MEMORY;
    }
    if (status == STATUS_OUT_OF_MEMORY) {
        fprintf(stderr, "%s: error: the inputs cannot be read: %s\n", path, status_text(status));
    }
    if (status != STATUS_OK) {
        return false;
    }
    find_columns(inputs, options, variables, &report);
    if (inputs->time != NULL) {
        check_times(inputs, &report);
    }
    for (int i = 0; i < inputs->n; i++) {
        const Variable* variable = &variables->variables[inputs->variables[i]];
        check_numbers(inputs, inputs->columns[i], variable->min, variable->max, &report);
    }
    return report.n_errors == 0;
}

void inputs_free(Inputs* inputs) {
    csv_table_free(&inputs->table);
    free(inputs->text);
    free(inputs->variables);
    free(inputs->columns);
    free(inputs->values);
    free(inputs->breaks);
    free(inputs->sampled);
    *inputs = (Inputs){0};
}

// --- rows at which a step ends ---

static bool is_jump(const Inputs* inputs, long row) {
    return row > 0 && inputs->time[row - 1] == inputs->time[row];
}

static double slope_after(const Inputs* inputs, const double* values, long row) {
    const double* time = inputs->time;
    return row < 0 || row + 1 >= inputs->table.n_rows
               ? 0.0
               : (values[row + 1] - values[row]) / (time[row + 1] - time[row]);
}

// Does an input change at this row, the last one at its time? Slopes that are the same but for
// rounding are the same.
static bool is_change(const Inputs* inputs, int input, long row) {
    static const double ROUNDING = 1e-9;
    const double* values = csv_table_column(&inputs->table, inputs->columns[input]);
    const bool jump = is_jump(inputs, row);
    if (inputs->held) {
        return row == 0 || values[row] != values[row - 1];
    }
    const double before = slope_after(inputs, values, jump ? row - 2 : row - 1);
    const double after = slope_after(inputs, values, row);
    return (jump && values[row] != values[row - 1]) ||
           fabs(after - before) > ROUNDING * fmax(fabs(after), fabs(before));
}

static bool is_any_change(const Inputs* inputs, long row) {
    bool any = false;
    for (int i = 0; i < inputs->n && !any; i++) {
        any = is_change(inputs, i, row);
    }
    return any;
}

// Takes all rows where an input changes, then keeps those that are jumps or have not both
// neighbours within one step. The number of those that are left out.
static long find_breaks(Inputs* inputs, double step) {
    const double* time = inputs->time;
    const long n_rows = inputs->table.n_rows;
    long n = 0, n_kept = 0;
    for (long row = 0; row < n_rows; row++) {
        const bool last_at_its_time = row + 1 == n_rows || time[row + 1] > time[row];
        if (last_at_its_time && is_any_change(inputs, row)) {
            inputs->breaks[n++] = row;
        }
    }
    double before = -INFINITY;
    for (long i = 0; i < n; i++) {
        const long row = inputs->breaks[i];
        const double after = i + 1 < n ? time[inputs->breaks[i + 1]] : INFINITY;
        if (is_jump(inputs, row) || after - before >= step - inputs->remnant) {
            inputs->breaks[n_kept++] = row;
        } else {
            inputs->sampled[n_kept - 1] = true;  // the first one is never left out
        }
        before = time[row];
    }
    inputs->n_breaks = n_kept;
    return n - n_kept;
}

// --- values ---

// Value at a time from the row at or before it on, or before a jump that is there.
static double value_at(const Inputs* inputs, int input, double t, bool before_jump) {
    const double* values = csv_table_column(&inputs->table, inputs->columns[input]);
    const double* time = inputs->time;
    const long last = inputs->table.n_rows - 1;
    long row = inputs->row;
    while (row < last && time[row + 1] <= t + inputs->remnant) {
        row++;
    }
    if (row < 0) {
        return values[0];
    }
    if (fabs(t - time[row]) <= inputs->remnant || row == last || inputs->held) {
        return values[before_jump && is_jump(inputs, row) ? row - 1 : row];
    }
    return values[row] + (t - time[row]) * slope_after(inputs, values, row);
}

static void go_to(Inputs* inputs, double t) {
    const double* time = inputs->time;
    while (inputs->row + 1 < inputs->table.n_rows && time[inputs->row + 1] <= t + inputs->remnant) {
        inputs->row++;
    }
    while (inputs->segment + 1 < inputs->n_breaks &&
           time[inputs->breaks[inputs->segment + 1]] <= t + inputs->remnant) {
        inputs->segment++;
    }
}

static Status set(const Inputs* inputs, Simulation* simulation, double t, double t_1,
                  bool before_jump) {
    for (int i = 0; i < inputs->n; i++) {
        inputs->values[i] = value_at(inputs, i, t, before_jump);
    }
    Status status = simulation_set_all(simulation, inputs->variables, inputs->values, inputs->n);
    for (int i = 0; i < inputs->n && !inputs->held && status == STATUS_OK; i++) {
        const double from = value_at(inputs, i, t, false);
        const double slope =
            t_1 < INFINITY ? (value_at(inputs, i, t_1, true) - from) / (t_1 - t) : 0.0;
        status = simulation_set_slope(simulation, inputs->variables[i], slope);
    }
    return status;
}

// The time of the next break behind t, where the cursor is
static double next_break(const Inputs* inputs) {
    return inputs->segment + 1 < inputs->n_breaks
               ? inputs->time[inputs->breaks[inputs->segment + 1]]
               : INFINITY;
}

Status inputs_start(Inputs* inputs, Simulation* simulation, double t_0, double stop, double step) {
    static const double REMNANT = 1e-7;  // of a step, as simulation_advance has it
    if (inputs->n == 0) {
        return STATUS_OK;
    }
    const double end = inputs->time[inputs->table.n_rows - 1];
    Report report = model_files_report(stderr);
    const Place place = {.file = inputs->table.file, .line = 0, .column = 0};
    inputs->remnant = REMNANT * step;
    inputs->row = -1;
    inputs->segment = -1;
    inputs->applied = NONE;
    const long n_skipped = find_breaks(inputs, step);
    if (end < stop - inputs->remnant) {
        report_add(&report, SEVERITY_WARNING, place,
                   "the table ends at %g s: its last values hold until %g s", end, stop);
    }
    if (n_skipped > 0) {
        report_add(&report, SEVERITY_WARNING, place,
                   "%ld rows are less than half a step of %g s apart: there inputs are taken at "
                   "the ends of steps only; --step sets a smaller one",
                   n_skipped, step);
    }
    go_to(inputs, t_0);
    return set(inputs, simulation, t_0, next_break(inputs), true);
}

double inputs_next(Inputs* inputs, double t, double limit) {
    if (inputs->n == 0) {
        return limit;
    }
    go_to(inputs, t);
    const double next = next_break(inputs);
    return next < limit - inputs->remnant ? next : limit;
}

bool inputs_are_sampled(Inputs* inputs, double t) {
    if (inputs->n == 0) {
        return false;
    }
    go_to(inputs, t);
    return inputs->segment >= 0 && inputs->sampled[inputs->segment];
}

Status inputs_apply(Inputs* inputs, Simulation* simulation, double t, double t_1) {
    const bool sampled = inputs_are_sampled(inputs, t);
    if (inputs->n == 0 || (!sampled && inputs->applied == inputs->segment)) {
        return STATUS_OK;
    }
    inputs->applied = inputs->segment;
    return set(inputs, simulation, t, sampled ? t_1 : next_break(inputs), false);
}
