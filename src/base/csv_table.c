// Reads tables of separated values: a line of names, then rows of numbers or words.
#include "base/csv_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST_PROBLEMS = 10 };  // of a file that are told

// Where reading is in a text
typedef struct Cursor {
    const char* at;
    const char* end;
    const char* line_start;
    long line;
    char separator;
} Cursor;

typedef struct Cell {
    const char* begin;  // without quotes and the blanks around it
    const char* end;
    bool quoted;
    bool last;            // of its row
    const char* problem;  // NULL, or what is wrong with it, in words
} Cell;

static bool is_blank(char c, char separator) { return (c == ' ' || c == '\t') && c != separator; }

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

static void skip_blanks(Cursor* cursor) {
    while (cursor->at < cursor->end && is_blank(*cursor->at, cursor->separator)) {
        cursor->at++;
    }
}

// Goes behind the end of a line, where the cursor is.
static void end_line(Cursor* cursor) {
    if (cursor->at < cursor->end) {
        const bool pair =
            cursor->at[0] == '\r' && cursor->at + 1 < cursor->end && cursor->at[1] == '\n';
        cursor->at += pair ? 2 : 1;
        cursor->line++;
        cursor->line_start = cursor->at;
    }
}

// The inside of quotes, which may go over several lines
static void take_quoted(Cursor* cursor, Cell* cell) {
    cell->quoted = true;
    cell->begin = ++cursor->at;
    while (cursor->at < cursor->end) {
        if (*cursor->at == '"' && (cursor->at + 1 == cursor->end || cursor->at[1] != '"')) {
            break;
        }
        if (is_line_end(*cursor->at)) {
            end_line(cursor);
        } else {
            cursor->at += *cursor->at == '"' ? 2 : 1;
        }
    }
    cell->end = cursor->at;
    if (cursor->at == cursor->end) {
        cell->problem = "the quotes are not closed";
        return;
    }
    cursor->at++;
    skip_blanks(cursor);
    if (cursor->at < cursor->end && *cursor->at != cursor->separator && !is_line_end(*cursor->at)) {
        cell->problem = "expected a separator or the end of the line behind the quotes";
    }
}

static void take_plain(Cursor* cursor, Cell* cell) {
    cell->begin = cursor->at;
    while (cursor->at < cursor->end && *cursor->at != cursor->separator &&
           !is_line_end(*cursor->at)) {
        cursor->at++;
    }
    cell->end = cursor->at;
    while (cell->end > cell->begin && is_blank(cell->end[-1], cursor->separator)) {
        cell->end--;
    }
}

// The cell at the cursor, which goes on to the next cell or line.
static Cell take_cell(Cursor* cursor) {
    Cell cell = {0};
    skip_blanks(cursor);
    if (cursor->at < cursor->end && *cursor->at == '"') {
        take_quoted(cursor, &cell);
    } else {
        take_plain(cursor, &cell);
    }
    if (cell.problem == NULL && cursor->at < cursor->end && *cursor->at == cursor->separator) {
        cursor->at++;
    } else {
        cell.last = true;
        if (cell.problem == NULL) {
            end_line(cursor);
        }
    }
    return cell;
}

static void skip_line(Cursor* cursor) {
    while (cursor->at < cursor->end && !is_line_end(*cursor->at)) {
        cursor->at++;
    }
    end_line(cursor);
}

// Goes to the start of the next line that is neither empty nor a comment; false at the end.
static bool find_row(Cursor* cursor) {
    while (cursor->at < cursor->end) {
        const char* start = cursor->at;
        while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t')) {
            cursor->at++;
        }
        if (cursor->at < cursor->end && !is_line_end(*cursor->at) && *cursor->at != '#') {
            cursor->at = start;
            return true;
        }
        skip_line(cursor);
    }
    return false;
}

// What separates the names: the first of these that is there outside quotes
static char find_separator(Cursor cursor) {
    bool tab = false, semicolon = false, quoted = false;
    for (; cursor.at < cursor.end && (quoted || !is_line_end(*cursor.at)); cursor.at++) {
        quoted = quoted != (*cursor.at == '"');
        tab = tab || (!quoted && *cursor.at == '\t');
        semicolon = semicolon || (!quoted && *cursor.at == ';');
    }
    return tab ? '\t' : semicolon ? ';' : ',';
}

// The content of a cell with single quotes for doubled ones, and '?' for what cannot be shown
static void copy_cell(const Cell* cell, char* text, size_t size) {
    size_t n = 0;
    for (const char* c = cell->begin; c < cell->end && n + 1 < size; c++) {
        text[n++] = *c >= ' ' && *c <= '~' ? *c : '?';
        c += cell->quoted && c[0] == '"' ? 1 : 0;
    }
    text[n] = '\0';
}

static bool read_number(const Cell* cell, double* value) {
    return cell->begin < cell->end && text_to_double(cell->begin, value) == cell->end;
}

// --- the table ---

typedef struct Reading {
    CsvTable* table;
    Cursor cursor;
    Report* report;
    int n_problems;
} Reading;

// Tells of a problem of a cell, unless many were told of before; row -1: of a name.
static void tell(Reading* reading, long row, int column, const char* format, ...) PRINTF_LIKE(4, 5);

static void tell(Reading* reading, long row, int column, const char* format, ...) {
    reading->n_problems++;
    if (reading->n_problems > MOST_PROBLEMS) {
        return;
    }
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    text_format(message, sizeof message, format, arguments);
    va_end(arguments);
    report_add(reading->report, SEVERITY_ERROR, csv_table_place(reading->table, row, column), "%s",
               message);
}

static void begin_row(Reading* reading, long row) {
    CsvTable* table = reading->table;
    table->starts[row + 1] = (size_t)(reading->cursor.at - table->text);
    table->lines[row + 1] = reading->cursor.line;
}

// Memory for the names, which are at the cursor, and for all rows that the text can hold: each
// takes a line, and each cell a byte.
static bool make_room(Reading* reading) {
    CsvTable* table = reading->table;
    Cursor cursor = reading->cursor;
    table->n_columns = 1;
    while (!take_cell(&cursor).last) {
        table->n_columns++;
    }
    size_t n_lines = 1;
    for (const char* c = cursor.at; c < cursor.end; c++) {
        n_lines += is_line_end(*c);
    }
    const size_t most = (size_t)(cursor.end - cursor.at) / (size_t)table->n_columns + 1;
    table->room = n_lines < most ? n_lines : most;
    table->names = ARENA_NEW(&table->arena, table->n_columns, const char*);
    table->by_name = ARENA_NEW(&table->arena, table->n_columns, CsvName);
    table->starts = ARENA_NEW(&table->arena, table->room + 1, size_t);
    table->lines = ARENA_NEW(&table->arena, table->room + 1, long);
    table->values = ARENA_NEW(&table->arena, (size_t)table->n_columns * table->room, double);
    return !table->arena.exhausted;
}

static int compare_names(const void* a, const void* b) {
    return strcmp(((const CsvName*)a)->name, ((const CsvName*)b)->name);
}

// The order of columns of one name is that of the table, whatever qsort does with equal ones.
static int compare_columns(const void* a, const void* b) {
    const int order = compare_names(a, b);
    return order != 0 ? order : ((const CsvName*)a)->column - ((const CsvName*)b)->column;
}

static void check_names(Reading* reading) {
    CsvTable* table = reading->table;
    for (int i = 0; i < table->n_columns; i++) {
        table->by_name[i] = (CsvName){table->names[i], i};
        if (table->names[i][0] == '\0') {
            tell(reading, -1, i, "column %d has no name", i + 1);
        }
    }
    qsort(table->by_name, (size_t)table->n_columns, sizeof *table->by_name, compare_columns);
    for (int i = 1; i < table->n_columns; i++) {
        const CsvName* name = &table->by_name[i];
        if (name->name[0] != '\0' && strcmp(name->name, name[-1].name) == 0) {
            tell(reading, -1, name->column, "there are two columns '%s'", name->name);
        }
    }
}

static bool read_names(Reading* reading) {
    CsvTable* table = reading->table;
    bool numbers = true;
    begin_row(reading, -1);
    for (int i = 0; i < table->n_columns; i++) {
        const Cell cell = take_cell(&reading->cursor);
        const size_t size = (size_t)(cell.end - cell.begin) + 1;
        char* name = ARENA_NEW(&table->arena, size, char);
        double value;
        if (name == NULL) {
            return false;
        }
        copy_cell(&cell, name, size);
        table->names[i] = name;
        numbers = numbers && read_number(&cell, &value);
        if (cell.problem != NULL) {
            tell(reading, -1, i, "%s", cell.problem);
            return true;
        }
    }
    if (numbers) {
        tell(reading, -1, 0,
             "expected the names of the columns, not numbers: they are in the first line that is "
             "no comment");
    } else {
        check_names(reading);
    }
    return true;
}

static void read_row(Reading* reading) {
    CsvTable* table = reading->table;
    const long row = table->n_rows;
    int n = 0;
    begin_row(reading, row);
    Cell cell;
    do {
        cell = take_cell(&reading->cursor);
        double value;
        if (n < table->n_columns) {
            table->values[(size_t)n * table->room + (size_t)row] =
                read_number(&cell, &value) ? value : NAN;
        }
        n++;
    } while (!cell.last);
    if (cell.problem != NULL) {
        tell(reading, row, n - 1, "%s", cell.problem);
        skip_line(&reading->cursor);
    } else if (n != table->n_columns) {
        tell(reading, row, n < table->n_columns ? n - 1 : table->n_columns,
             "this row has %d cell%s, but there are %d columns", n, n == 1 ? "" : "s",
             table->n_columns);
    } else {
        table->n_rows++;
    }
}

// Texts in other encodings, and files that are none
static bool check_bytes(const CsvTable* table, Report* report) {
    const unsigned char* bytes = (const unsigned char*)table->text;
    const Place place = {.file = table->file, .line = 0, .column = 0};
    const size_t n = table->n_text;
    if (n >= 2 &&
        ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff))) {
        report_add(report, SEVERITY_ERROR, place, "the file is UTF-16: save it as UTF-8");
        return false;
    }
    if (n >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) {
        report_add(report, SEVERITY_ERROR, place, "the file is compressed: unpack it with gunzip");
        return false;
    }
    if (memchr(bytes, 0, n) != NULL) {
        report_add(report, SEVERITY_ERROR, place, "the file is no text");
        return false;
    }
    return true;
}

static bool read_table(Reading* reading) {
    CsvTable* table = reading->table;
    Cursor* cursor = &reading->cursor;
    if (cursor->end - cursor->at >= 3 && memcmp(cursor->at, "\xef\xbb\xbf", 3) == 0) {
        cursor->at += 3;
        cursor->line_start += 3;
    }
    if (!find_row(cursor)) {
        reading->n_problems++;
        report_add(reading->report, SEVERITY_ERROR,
                   (Place){.file = table->file, .line = cursor->line, .column = 1},
                   "the file is empty: expected a line with the names of the columns");
        return true;
    }
    cursor->separator = find_separator(*cursor);
    table->separator = cursor->separator;
    if (!make_room(reading) || !read_names(reading)) {
        return false;
    }
    if (reading->n_problems > 0) {
        return true;
    }
    while (find_row(cursor)) {
        read_row(reading);
    }
    if (reading->n_problems == 0 && table->n_rows == 0) {
        tell(reading, -1, 0, "there are no rows below the names of the columns");
    }
    if (reading->n_problems > MOST_PROBLEMS) {
        report_add(reading->report, SEVERITY_ERROR,
                   (Place){.file = table->file, .line = 0, .column = 0}, "%d more problems",
                   reading->n_problems - MOST_PROBLEMS);
    }
    return true;
}

Status csv_table_read(const char* text, size_t n, const char* file, Report* report,
                      CsvTable* table) {
    *table = (CsvTable){.file = file, .text = text, .n_text = n};
    Reading reading = {.table = table,
                       .cursor = {.at = text, .end = text + n, .line_start = text, .line = 1},
                       .report = report};
    const bool has_memory = !check_bytes(table, report) || read_table(&reading);
    if (has_memory && reading.n_problems == 0 && table->n_rows > 0) {
        return STATUS_OK;
    }
    csv_table_free(table);
    return has_memory ? STATUS_INVALID_MODEL : STATUS_OUT_OF_MEMORY;
}

void csv_table_free(CsvTable* table) {
    arena_free(&table->arena);
    *table = (CsvTable){0};
}

int csv_table_find(const CsvTable* table, const char* name) {
    const CsvName key = {name, 0};
    const CsvName* found = bsearch(&key, table->by_name, (size_t)table->n_columns,
                                   sizeof *table->by_name, compare_names);
    return found != NULL ? found->column : -1;
}

const double* csv_table_column(const CsvTable* table, int column) {
    return &table->values[(size_t)column * table->room];
}

// A cell once more, and where it is
static Cell find_cell(const CsvTable* table, long row, int column, Place* place) {
    const char* start = table->text + table->starts[row + 1];
    Cursor cursor = {start, table->text + table->n_text, start, table->lines[row + 1],
                     table->separator};
    Cursor before = cursor;
    Cell cell = take_cell(&cursor);
    for (int i = 0; i < column && !cell.last; i++) {
        before = cursor;
        cell = take_cell(&cursor);
    }
    const char* at = cell.begin - cell.quoted;
    *place = (Place){
        .file = table->file, .line = before.line, .column = (long)(at - before.line_start) + 1};
    return cell;
}

const char* csv_table_cell(const CsvTable* table, long row, int column, char text[CSV_TABLE_CELL]) {
    Place place;
    const Cell cell = find_cell(table, row, column, &place);
    copy_cell(&cell, text, CSV_TABLE_CELL);
    return text;
}

Place csv_table_place(const CsvTable* table, long row, int column) {
    Place place;
    (void)find_cell(table, row, column, &place);
    return place;
}
