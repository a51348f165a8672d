// Reads tables of separated values: a line of names, then rows of numbers or words.
//
// Cells are separated by commas, semicolons or tabs, whichever the first line has outside quotes
// (tabs before semicolons before commas, as names may contain commas). Quotes around a cell are
// taken off, doubled ones inside it are one. Blanks around cells, empty lines, lines that begin
// with
// #, and a byte order mark at the start are skipped; lines end with LF, CR LF or CR. Numbers have a
// decimal point in every locale. All rows have as many cells as there are names.
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/report.h"

typedef struct CsvName {
    const char* name;
    int column;
} CsvName;

typedef struct CsvTable {
    const char* file;  // for places; the caller's
    const char* text;  // (n_text) what was read; the caller's, who keeps it as long as the table
    size_t n_text;
    char separator;
    int n_columns;
    long n_rows;         // at least 1
    const char** names;  // (n_columns) all different, none empty
    CsvName* by_name;    // (n_columns) sorted
    size_t* starts;      // (1 + n_rows) where the names and then each row begin in the text
    long* lines;         // (1 + n_rows) in which line that is
    double* values;      // (n_columns x room) column after column
    size_t room;         // for rows
    Arena arena;
} CsvTable;

// text: (n) and a 0 behind. Problems are reported with line and column, the first ones of many.
// STATUS_INVALID_MODEL after one, or STATUS_OUT_OF_MEMORY; the table is then empty.
MUST_CHECK Status csv_table_read(const char* text, size_t n, const char* file, Report* report,
                                 CsvTable* table);
void csv_table_free(CsvTable* table);

// Index of the column of that name, or -1.
int csv_table_find(const CsvTable* table, const char* name);

// (n_rows) numbers of a column; NaN where a cell is empty, a word or "nan", infinite where a number
// is too large.
const double* csv_table_column(const CsvTable* table, int column);

// The text of a cell without its quotes, for words and messages: cut at the size, '?' for what is
// not printable ASCII.
enum { CSV_TABLE_CELL = 80 };
const char* csv_table_cell(const CsvTable* table, long row, int column, char text[CSV_TABLE_CELL]);

// Where a cell is; row -1: the name of the column.
Place csv_table_place(const CsvTable* table, long row, int column);
