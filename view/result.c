#include "view/result.h"

#include <math.h>
#include <string.h>

#include "view/recorder.h"

// --- columns ---

// The length of what stands before the names of variables in those of the columns: 0, or that of a
// prefix and its point. -1 after an error: no column tells where a body is, or it is not clear
// which one does.
static int find_prefix(const Result* result, const char** prefix, Report* report) {
    const CsvTable* table = result->table;
    const Scene* scene = &result->frames.scene;
    const VariableTable* variables = simulation_variables(result->frames.simulation);
    for (int b = 0; b < scene->n_bodies; b++) {
        for (int i = 0; i < scene->bodies[b].n_places; i++) {
            const char* name = variables->variables[scene->bodies[b].places[i]].name;
            const size_t n_name = strlen(name);
            int found = csv_table_find(table, name);
            if (found >= 0) {
                return 0;
            }
            for (int c = 0; c < table->n_columns; c++) {
                const size_t n = strlen(table->names[c]);
                const char* end = table->names[c] + n - n_name;
                if (n <= n_name + 1 || end[-1] != '.' || strcmp(end, name) != 0) {
                    continue;
                }
                if (found >= 0) {
                    report_add(report, SEVERITY_ERROR, csv_table_place(table, -1, c),
                               "%s and %s may both be %s of the model: leave one of them out of "
                               "the file",
                               table->names[found], table->names[c], name);
                    return -1;
                }
                found = c;
            }
            if (found >= 0) {
                *prefix = table->names[found];
                return (int)(strlen(*prefix) - n_name);
            }
        }
    }
    return 0;
}

static Status find_columns(Result* result, Report* report) {
    const VariableTable* variables = simulation_variables(result->frames.simulation);
    const char* prefix = "";
    const int n_prefix = find_prefix(result, &prefix, report);
    TextBuffer name = {0};
    for (int i = 0; i < variables->n_variables && n_prefix >= 0; i++) {
        name.n = 0;
        text_add_bytes(&name, prefix, (size_t)n_prefix);
        text_add(&name, variables->variables[i].name);
        result->columns[i] = name.failed ? -1 : csv_table_find(result->table, name.text);
    }
    const bool failed = name.failed;
    text_buffer_free(&name);
    return n_prefix < 0 ? STATUS_INVALID_MODEL : failed ? STATUS_OUT_OF_MEMORY : STATUS_OK;
}

// variable: -1 if the model has none, so that no table can tell it
static bool note_missing(Result* result, int variable) {
    if (variable < 0) {
        return true;
    }
    const bool is_missing = result->columns[variable] < 0;
    if (is_missing) {
        result->missing[result->n_missing++] = variable;
    }
    return is_missing;
}

// False after an error: the table tells of no body where it is.
static bool find_missing(Result* result, Report* report) {
    const Scene* scene = &result->frames.scene;
    const VariableTable* variables = simulation_variables(result->frames.simulation);
    const int* example = NULL;
    int n_placed = 0;
    for (int b = 0; b < scene->n_bodies; b++) {
        bool placed = scene->bodies[b].n_places > 0;
        for (int i = 0; i < scene->bodies[b].n_places; i++) {
            placed = !note_missing(result, scene->bodies[b].places[i]) && placed;
        }
        n_placed += placed;
        example =
            example == NULL && scene->bodies[b].n_places > 0 ? scene->bodies[b].places : example;
    }
    for (int k = 0; k < scene->n_contacts; k++) {
        result->n_untold_contacts += scene->contacts[k].state < 0;
        (void)note_missing(result, scene->contacts[k].state);
        for (int r = 0; r < scene->contacts[k].n_directions; r++) {
            (void)note_missing(result, scene->contacts[k].forces[r]);
        }
    }
    if (n_placed == 0 && example != NULL) {
        report_add(report, SEVERITY_ERROR, csv_table_place(result->table, -1, 0),
                   "no column tells where a body is: expected those of the model's variables, such "
                   "as %s",
                   variables->variables[*example].name);
    }
    return n_placed > 0 || example == NULL;
}

static int find_time(const CsvTable* table, Report* report) {
    static const char* const names[] = {"time", "Time", "t"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const int column = csv_table_find(table, names[i]);
        if (column >= 0) {
            return column;
        }
    }
    report_add(report, SEVERITY_ERROR, csv_table_place(table, -1, 0),
               "there is no column named time");
    return -1;
}

// --- rows ---

// Times that stand still are those of hosts that write a row before and one after an event.
static bool check_times(const Result* result, int column, Report* report) {
    const CsvTable* table = result->table;
    char cell[CSV_TABLE_CELL];
    for (long row = 0; row < table->n_rows; row++) {
        const double t = result->time[row];
        if (!isfinite(t)) {
            report_add(report, SEVERITY_ERROR, csv_table_place(table, row, column),
                       "'%s' is no time", csv_table_cell(table, row, column, cell));
            return false;
        }
        if (row > 0 && t < result->time[row - 1]) {
            report_add(report, SEVERITY_ERROR, csv_table_place(table, row, column),
                       "the time goes back to %s s", csv_table_cell(table, row, column, cell));
            return false;
        }
    }
    return true;
}

static bool check_places(const Result* result, long row, Report* report) {
    const Scene* scene = &result->frames.scene;
    char cell[CSV_TABLE_CELL];
    for (int b = 0; b < scene->n_bodies; b++) {
        for (int i = 0; i < scene->bodies[b].n_places; i++) {
            const int column = result->columns[scene->bodies[b].places[i]];
            if (column >= 0 && !isfinite(csv_table_column(result->table, column)[row])) {
                report_add(report, SEVERITY_ERROR, csv_table_place(result->table, row, column),
                           "'%s' is no number, but tells where %s is",
                           csv_table_cell(result->table, row, column, cell), scene->bodies[b].name);
                return false;
            }
        }
    }
    return true;
}

static double cell_of(const Result* result, int variable, long row) {
    const int column = variable >= 0 ? result->columns[variable] : -1;
    return column >= 0 ? csv_table_column(result->table, column)[row] : (double)NAN;
}

// Contacts that did not press in the row before and now do. Rows that are not at every step tell
// of the last step before them alone.
static void look_for_impacts(Result* result, long row) {
    const Scene* scene = &result->frames.scene;
    for (int k = 0; k < scene->n_contacts; k++) {
        const SceneContact* contact = &scene->contacts[k];
        const double impulse = cell_of(result, contact->normal_impulse, row);
        const double percussion = cell_of(result, contact->normal_percussion, row);
        const bool presses = percussion > 0.0;
        if (presses && !result->pressed[k] && row > 0) {
            impacts_add(result->impacts,
                        (ImpactRecord){result->time[row], k, impulse > 0.0 ? impulse : percussion});
        }
        result->pressed[k] = presses;
    }
}

static Status add_row(Result* result, long row) {
    Frames* frames = &result->frames;
    const VariableTable* variables = simulation_variables(frames->simulation);
    for (int i = 0; i < variables->n_variables; i++) {
        result->values[i] = cell_of(result, i, row);
    }
    scene_place(frames->simulation, &frames->scene, result->time[row], result->values,
                &frames->instant);
    for (int i = 0; i < frames->n_outputs; i++) {
        frames->values[i] = result->values[frames->outputs[i]];
    }
    return frames_add(frames);
}

static Status add_rows(Result* result, Report* report) {
    const long n = result->table->n_rows;
    for (long row = 0; row < n; row++) {
        // of rows at the same time the last one holds
        const bool last = row == n - 1;
        const bool holds = last || result->time[row + 1] > result->time[row];
        if (!check_places(result, row, report)) {
            return STATUS_INVALID_MODEL;
        }
        look_for_impacts(result, row);
        if (holds && (frames_are_due(&result->frames, result->time[row]) || last)) {
            const Status status = add_row(result, row);
            if (status != STATUS_OK) {
                return status;
            }
        }
    }
    return STATUS_OK;
}

// --- all of it ---

static Status take_memory(Result* result) {
    Arena* arena = &result->frames.arena;
    const int n = simulation_variables(result->frames.simulation)->n_variables;
    result->columns = ARENA_NEW(arena, n, int);
    result->values = ARENA_NEW(arena, n, double);
    result->missing = ARENA_NEW(arena, n, int);
    result->pressed = ARENA_NEW(arena, result->frames.scene.n_contacts, bool);
    result->impacts = impacts_create(MOST_IMPACTS, arena);
    const bool ok = result->columns != NULL && result->values != NULL && result->missing != NULL &&
                    result->pressed != NULL && result->impacts != NULL;
    return ok ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// The outputs that are shown are those that have columns.
static Status choose_outputs(Result* result) {
    const int n = simulation_variables(result->frames.simulation)->n_variables;
    bool* available = ARENA_NEW(&result->frames.arena, n, bool);
    if (available == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        available[i] = result->columns[i] >= 0;
    }
    return frames_choose_outputs(&result->frames, available);
}

Status result_read(const CsvTable* table, Simulation* simulation, double interval, Report* report,
                   Result* result) {
    *result = (Result){.table = table};
    const int time = find_time(table, report);
    if (time < 0) {
        return STATUS_INVALID_MODEL;
    }
    result->time = csv_table_column(table, time);
    if (!check_times(result, time, report)) {
        return STATUS_INVALID_MODEL;
    }
    const Span times = {result->time[0], result->time[table->n_rows - 1]};
    Status status = frames_open(&result->frames, simulation, times, interval);
    if (status == STATUS_OK) {
        status = take_memory(result);
    }
    if (status == STATUS_OK) {
        status = find_columns(result, report);
    }
    if (status == STATUS_OK && !find_missing(result, report)) {
        status = STATUS_INVALID_MODEL;
    }
    if (status == STATUS_OK) {
        status = choose_outputs(result);
    }
    return status == STATUS_OK ? add_rows(result, report) : status;
}

Status result_write(Result* result, Document* document, const PageTemplate* page, TextBuffer* out) {
    document->missing = result->missing;
    document->n_missing = result->n_missing;
    document->n_untold_contacts = result->n_untold_contacts;
    document->impacts =
        impacts_sorted(result->impacts, &document->n_impacts, &document->n_all_impacts);
    return frames_write(&result->frames, document, page, out);
}

void result_free(Result* result) { frames_free(&result->frames); }
