// Functions that are given by their values: rows in the model or in a file of separated values.
#include <math.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/suggest.h"
#include "base/text.h"
#include "reader/reader.h"

enum { MOST_PROBLEMS = 5 };  // of the rows of one table that are told

// Where the rows of a table come from, for the places of messages.
typedef struct Source {
    const CsvTable* csv;  // NULL: the attribute rows
    int columns[2];       // of the file: argument and value
    const XmlNode* node;
    int index;           // among all tables
    Table table;         // as far as it is known
    double* numbers[2];  // (table.n) arguments and values
    int n_problems;
} Source;

static Source start_source(const Reader* reader, int index, const CsvTable* csv) {
    return (Source){.csv = csv,
                    .node = reader->table_nodes[index],
                    .index = index,
                    .table = reader->tables[index]};
}

// --- rows in the model ---

static bool is_blank(char c) { return c != '\0' && strchr(" \t\r\n", c) != NULL; }

static const char* skip_blanks(const char* at) {
    while (is_blank(*at)) {
        at++;
    }
    return at;
}

// The row at the start of a text; what is behind it, or NULL with the problem told.
static const char* read_row(Reader* reader, const XmlNode* node, const char* text, const char* at,
                            double pair[2]) {
    for (int i = 0; i < 2; i++) {
        at = skip_blanks(at);
        const char* end = text_to_double(at, &pair[i]);
        const Place place = xml_attribute_place(reader->tree, node, "rows", (int)(at - text));
        if (end == NULL || (*end != '\0' && *end != ';' && !is_blank(*end))) {
            report_add(reader->report, SEVERITY_ERROR, place,
                       "expected %s, a number, not '%.*s': rows are argument and value, separated "
                       "by a blank, and end with a semicolon",
                       i == 0 ? "an argument" : "a value", (int)strcspn(at, " \t\r\n;"), at);
            return NULL;
        }
        at = end;
    }
    at = skip_blanks(at);
    if (*at != '\0' && *at != ';') {
        report_add(reader->report, SEVERITY_ERROR,
                   xml_attribute_place(reader->tree, node, "rows", (int)(at - text)),
                   "expected a semicolon after the argument and the value of a row, not '%.20s'",
                   at);
        return NULL;
    }
    return *at == ';' ? at + 1 : at;
}

static bool make_room(Reader* reader, Source* source, size_t n) {
    for (int i = 0; i < 2; i++) {
        source->numbers[i] = ARENA_NEW(reader->arena, n, double);
    }
    return !reader->arena->exhausted;
}

// False after an error.
static bool read_inline_rows(Reader* reader, Source* source) {
    const char* text = xml_attribute(source->node, "rows");
    size_t n_most = 1;
    for (const char* c = text; *c != '\0'; c++) {
        n_most += *c == ';';
    }
    if (!make_room(reader, source, n_most)) {
        return false;
    }
    int n = 0;
    const char* at = text;
    while (at != NULL && *skip_blanks(at) != '\0') {
        double pair[2];
        at = read_row(reader, source->node, text, at, pair);
        if (at != NULL) {
            source->numbers[0][n] = pair[0];
            source->numbers[1][n++] = pair[1];
        }
    }
    source->table.n = n;
    return at != NULL;
}

// --- rows in a file ---

// The column that an attribute names; -1 after an error.
static int find_column(Reader* reader, const XmlNode* node, const char* attribute, int otherwise,
                       const CsvTable* csv) {
    const char* name = xml_attribute(node, attribute);
    if (name == NULL) {
        return otherwise;
    }
    const int column = csv_table_find(csv, name);
    if (column < 0) {
        Suggestion suggestion = {0};
        char words[SUGGEST_WORDS];
        for (int i = 0; i < csv->n_columns && reader_may_suggest(reader); i++) {
            suggest_consider(&suggestion, name, csv->names[i]);
        }
        ATTRIBUTE_ERROR(reader, node, attribute, "%s=\"%.80s\": %s has no column of that name%s",
                        attribute, name, csv->file, suggest_words(&suggestion, words));
    }
    return column;
}

static bool find_columns(Reader* reader, Source* source) {
    const CsvTable* csv = source->csv;
    const XmlNode* node = source->node;
    if (csv->n_columns < 2) {
        ATTRIBUTE_ERROR(reader, node, "file",
                        "%s has one column: expected one of arguments and one of values",
                        csv->file);
        return false;
    }
    if (csv->n_columns > 2 && xml_attribute(node, "value") == NULL) {
        NODE_ERROR(reader, node,
                   "<table> needs the attribute value: %s has %d columns, and one is to be named",
                   csv->file, csv->n_columns);
        return false;
    }
    source->columns[0] = find_column(reader, node, "argument", 0, csv);
    source->columns[1] = find_column(reader, node, "value", source->columns[0] == 1 ? 0 : 1, csv);
    return source->columns[0] >= 0 && source->columns[1] >= 0;
}

static bool read_file_rows(Reader* reader, Source* source) {
    const size_t n = (size_t)source->csv->n_rows;
    if (!find_columns(reader, source) || !make_room(reader, source, n)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        memcpy(source->numbers[i], csv_table_column(source->csv, source->columns[i]),
               n * sizeof(double));
    }
    source->table.n = (int)n;
    return true;
}

// --- checks ---

static Place row_place(const Reader* reader, const Source* source, int row, int i) {
    if (source->csv != NULL) {
        return csv_table_place(source->csv, row, source->columns[i]);
    }
    const char* text = xml_attribute(source->node, "rows");
    const char* at = skip_blanks(text);
    for (int k = 0; k < 2 * row + i; k++) {  // numbers before it, which were read
        double number;
        at = skip_blanks(text_to_double(at, &number));
        at = *at == ';' ? skip_blanks(at + 1) : at;
    }
    return xml_attribute_place(reader->tree, source->node, "rows", (int)(at - text));
}

static void check_number(Reader* reader, Source* source, int row, int i) {
    const double number = source->numbers[i][row];
    if (isfinite(number)) {
        return;
    }
    source->n_problems++;
    char cell[CSV_TABLE_CELL] = "";
    if (isnan(number)) {  // of a file: those of the model are read one by one
        csv_table_cell(source->csv, row, source->columns[i], cell);
    }
    report_add(reader->report, SEVERITY_ERROR, row_place(reader, source, row, i),
               isinf(number)     ? "expected a number below 1.8e308, which this is not%s"
               : cell[0] == '\0' ? "expected a number: the cell is empty%s"
                                 : "expected a number, not '%s'",
               cell);
}

// Numbers that are none, and arguments that do not increase
static void check_rows(Reader* reader, Source* source) {
    const Table* table = &source->table;
    for (int row = 0; row < table->n && source->n_problems < MOST_PROBLEMS; row++) {
        check_number(reader, source, row, 0);
        check_number(reader, source, row, 1);
        if (row > 0 && isfinite(source->numbers[0][row - 1]) &&
            source->numbers[0][row] <= source->numbers[0][row - 1]) {
            source->n_problems++;
            report_add(reader->report, SEVERITY_ERROR, row_place(reader, source, row, 0),
                       "arguments must increase from row to row: %.15g follows %.15g",
                       source->numbers[0][row], source->numbers[0][row - 1]);
        }
    }
    if (table->n < 2) {
        source->n_problems++;
        report_add(reader->report, SEVERITY_ERROR,
                   table->n == 1 ? row_place(reader, source, 0, 0)
                                 : xml_attribute_place(reader->tree, source->node, "rows", 0),
                   "a table needs two rows at least: this one has %s",
                   table->n == 1 ? "one" : "none");
    }
}

static bool ends_differ(const Table* table) {
    static const double ROUNDING = 1e-9;  // of the largest value
    double scale = 0.0;
    for (int i = 0; i < table->n; i++) {
        scale = fmax(scale, fabs(table->y[i]));
    }
    return fabs(table->y[table->n - 1] - table->y[0]) > ROUNDING * scale;
}

// Do the choices fit each other and the rows?
static void check_choices(Reader* reader, Source* source) {
    const Table* table = &source->table;
    if (table->interpolation == INTERPOLATION_HELD && table->beyond == BEYOND_EXTRAPOLATE) {
        source->n_problems++;
        ATTRIBUTE_ERROR(reader, source->node, "beyond",
                        "a held table has no slope to extrapolate with: expected beyond=\"hold\"");
    }
    if (table->interpolation == INTERPOLATION_SMOOTH && table->beyond == BEYOND_REPEAT &&
        source->n_problems == 0 && ends_differ(table)) {
        source->n_problems++;
        report_add(reader->report, SEVERITY_ERROR, row_place(reader, source, table->n - 1, 1),
                   "the last row of a smooth table that repeats ends the period and must have the "
                   "value of the first: %.15g, not %.15g",
                   table->y[0], table->y[table->n - 1]);
    }
}

// The table of the rows that were read, in place of the constant.
static void finish_table(Reader* reader, Source* source) {
    Table* table = &source->table;
    table->x = source->numbers[0];
    table->y = source->numbers[1];
    check_rows(reader, source);
    check_choices(reader, source);
    if (source->n_problems > 0) {
        return;
    }
    if (table->interpolation == INTERPOLATION_SMOOTH && table->beyond == BEYOND_REPEAT) {
        source->numbers[1][table->n - 1] = table->y[0];  // to the last digit
    }
    const Status status = table_prepare(table, reader->arena);
    if (status == STATUS_OUT_OF_RANGE) {
        NODE_ERROR(reader, source->node,
                   "the numbers of table %s are too large or its rows too close to go from one to "
                   "the next",
                   table->name);
    } else if (status == STATUS_OK) {
        reader->tables[source->index] = *table;
    }
}

// --- all tables ---

static void read_table_element(Reader* reader, int i) {
    static const char* const of_files[] = {"argument", "value"};
    static const double zero_to_one[] = {0.0, 1.0}, ones[] = {1.0, 1.0}, zeros[] = {0.0, 0.0};
    const XmlNode* node = reader->table_nodes[i];
    Table* table = &reader->tables[i];
    check_format(reader, node, &table_format);
    // If there is an error in its rows, expressions that call it are checked with a constant.
    *table = (Table){
        .name = xml_attribute(node, "name"), .n = 2, .x = zero_to_one, .y = ones, .slope = zeros};
    table->interpolation = (Interpolation)read_choice(
        reader, node, "interpolation", format_choices(FORM_INTERPOLATION), INTERPOLATION_LINEAR);
    table->beyond =
        (Beyond)read_choice(reader, node, "beyond", format_choices(FORM_BEYOND), BEYOND_HOLD);
    const bool has_rows = xml_attribute(node, "rows") != NULL;
    const bool has_file = xml_attribute(node, "file") != NULL;
    if (expression_has_function(table->name)) {
        ATTRIBUTE_ERROR(reader, node, "name", "%s is a function of every expression", table->name);
    }
    if (has_rows == has_file) {
        NODE_ERROR(reader, node, "<table> needs either rows or a file");
    }
    for (int k = 0; k < 2 && has_rows && !has_file; k++) {
        if (xml_attribute(node, of_files[k]) != NULL) {
            ATTRIBUTE_ERROR(reader, node, of_files[k], "%s names a column of a file: there is none",
                            of_files[k]);
        }
    }
    if (has_rows && !has_file) {
        Source source = start_source(reader, i, NULL);
        if (read_inline_rows(reader, &source)) {
            finish_table(reader, &source);
        }
    }
}

// All tables with rows of this file
static void read_file(Reader* reader, const ModelFile* file) {
    CsvTable csv = {0};
    Status status = STATUS_NOT_AVAILABLE;
    for (int i = 0; i < reader->n_tables; i++) {
        const XmlNode* node = reader->table_nodes[i];
        const char* name = xml_attribute(node, "file");
        if (name == NULL || strcmp(name, file->name) != 0 || xml_attribute(node, "rows") != NULL) {
            continue;
        }
        if (status == STATUS_NOT_AVAILABLE) {  // for the first of them
            status = csv_table_read(file->text, file->n, file->path, reader->report, &csv);
        }
        Source source = start_source(reader, i, &csv);
        if (status == STATUS_OK && read_file_rows(reader, &source)) {
            finish_table(reader, &source);
        }
    }
    reader->arena->exhausted = reader->arena->exhausted || status == STATUS_OUT_OF_MEMORY;
    csv_table_free(&csv);
}

void read_tables(Reader* reader, const ModelFiles* files) {
    if (reader->n_tables > MODEL_FILES_MOST_TABLES) {
        NODE_ERROR(reader, reader->table_nodes[MODEL_FILES_MOST_TABLES], "more than %d tables",
                   (int)MODEL_FILES_MOST_TABLES);
        reader->n_tables = MODEL_FILES_MOST_TABLES;
    }
    reader->tables = ARENA_NEW(reader->arena, reader->n_tables, Table);
    reader->table_is_used = ARENA_NEW(reader->arena, reader->n_tables, bool);
    for (int i = 0; i < reader->n_tables && !reader->arena->exhausted; i++) {
        read_table_element(reader, i);
        const char* name = xml_attribute(reader->table_nodes[i], "file");
        if (name != NULL && model_files_find(files, name) == NULL) {
            ATTRIBUTE_ERROR(reader, reader->table_nodes[i], "file",
                            "file=\"%.80s\": there is no such file", name);
        }
    }
    for (int i = 0; i < files->n_named && !reader->arena->exhausted; i++) {
        if (files->named[i].text != NULL) {  // otherwise whoever tried to read it has told
            read_file(reader, &files->named[i]);
        }
    }
}

// --- uses ---

// Does the argument of a call change in the course of a motion?
static bool argument_changes(const Reader* reader, const Expression* expression,
                             const TableUse* use, bool of_x) {
    bool changes = use->of_time;
    for (int i = 0; i < use->n_symbols && !changes; i++) {
        const int slot = expression_symbol(expression, use->first_symbol + i);
        changes = of_x ? slot == 0
                       : slot >= reader->model->system.n_user_parameters ||
                             reader->parameters[slot].info->tunable;
    }
    return changes;
}

void check_table_uses(Reader* reader, const XmlNode* node, const SignalInfo* info,
                      const Expression* expression) {
    if (expression == NULL || (!info->moves && !info->of_x)) {
        return;
    }
    const char* what = info->variable != NULL ? "a cam"
                       : info->of_x           ? "a curve"
                                              : "a prescribed position";
    const TableUse* use;
    for (int i = 0; (use = expression_table(expression, i)) != NULL; i++) {
        const Table* table = use->table;
        const bool jumps = table->interpolation == INTERPOLATION_HELD ||
                           (table->beyond == BEYOND_REPEAT && ends_differ(table));
        if (table->interpolation == INTERPOLATION_SMOOTH ||
            !argument_changes(reader, expression, use, info->of_x)) {
            continue;
        }
        const Place place = xml_attribute_place(reader->tree, node, info->name, use->at);
        if (jumps) {
            report_add(reader->report, SEVERITY_ERROR, place,
                       "%s cannot jump as the table %s does: expected one with "
                       "interpolation=\"smooth\"%s",
                       what, table->name,
                       table->interpolation == INTERPOLATION_HELD
                           ? ""
                           : " and the same value at both ends");
        } else {
            report_add(reader->report, SEVERITY_WARNING, place,
                       info->of_x ? "%s has a kink at every row of the linear table %s: "
                                    "interpolation=\"smooth\" has none"
                                  : "%s changes its velocity by a jump at every row of the linear "
                                    "table %s: interpolation=\"smooth\" does not",
                       what, table->name);
        }
    }
}
