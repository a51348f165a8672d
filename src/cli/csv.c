// Values of a simulation as rows of comma-separated numbers, one column per variable; numbers in
// the shortest form that reads back the same.
#include "cli/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

static void choose_columns(CsvWriter* csv, const VariableTable* table) {
    for (int i = 0; i < table->n_variables; i++) {
        const Causality causality = table->variables[i].causality;
        if (causality == CAUSALITY_OUTPUT || (csv->with_locals && causality == CAUSALITY_LOCAL)) {
            csv->columns[csv->n_columns++] = i;
        }
    }
}

// RFC 4180: quotes are needed around commas, quotes and line ends, and quotes inside are doubled.
static void add_field(TextBuffer* row, const char* text) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        text_add(row, text);
        return;
    }
    text_add(row, "\"");
    for (; *text != 0; text++) {
        text_add_bytes(row, text, 1);
        if (*text == '"') {
            text_add(row, "\"");
        }
    }
    text_add(row, "\"");
}

static bool write_packed(CsvWriter* csv) {
    static const size_t MOST_HELD = 256 * 1024;
    csv->n_held += csv->row.n;
    bool written = gzwrite(csv->packed, csv->row.text, (unsigned)csv->row.n) == (int)csv->row.n;
    if (written && csv->n_held > MOST_HELD) {
        written = gzflush(csv->packed, Z_SYNC_FLUSH) == Z_OK;
        csv->n_held = 0;
    }
    return written;
}

static Status write_out(CsvWriter* csv) {
    text_add(&csv->row, "\n");
    if (csv->row.failed) {
        return STATUS_OUT_OF_MEMORY;
    }
    const bool written = csv->packed != NULL
                             ? write_packed(csv)
                             : fwrite(csv->row.text, 1, csv->row.n, csv->file) == csv->row.n;
    csv->row.n = 0;  // keeps the memory for the next row
    return written ? STATUS_OK : STATUS_NO_FILE;
}

static gzFile open_packed(const char* path) {
    const int descriptor = platform_open_descriptor(path);
    return descriptor >= 0 ? gzdopen(descriptor, "wb") : NULL;
}

// Opens the file; false with errno.
static bool open_file(CsvWriter* csv, const char* path) {
    const size_t n = strlen(path);
    if (n > 3 && strcmp(path + n - 3, ".gz") == 0) {
        csv->packed = open_packed(path);
    } else {
        csv->file = strcmp(path, "-") == 0 ? stdout : platform_open(path, "wb");
    }
    return csv->packed != NULL || csv->file != NULL;
}

static Status csv_open(RunSink* sink, Simulation* simulation, double stop) {
    (void)stop;
    CsvWriter* csv = sink->self;
    const VariableTable* table = simulation_variables(simulation);
    csv->columns = calloc((size_t)table->n_variables + 1, sizeof *csv->columns);
    if (csv->columns == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    if (!open_file(csv, sink->path)) {
        return STATUS_NO_FILE;
    }
    choose_columns(csv, table);
    text_add(&csv->row, "time");
    for (int i = 0; i < csv->n_columns; i++) {
        text_add(&csv->row, ",");
        add_field(&csv->row, table->variables[csv->columns[i]].name);
    }
    return write_out(csv);
}

static Status add_value(CsvWriter* csv, Simulation* simulation, int variable) {
    if (simulation_variables(simulation)->variables[variable].type == VARIABLE_STRING) {
        const char* text = NULL;
        const Status status = simulation_get_string(simulation, variable, &text);
        add_field(&csv->row, status == STATUS_OK ? text : "");
        return status;
    }
    double value;
    const Status status = simulation_get(simulation, variable, &value);
    if (status == STATUS_OK) {
        text_add_double(&csv->row, value);
    }
    return status;
}

static Status csv_write_row(RunSink* sink, Simulation* simulation) {
    CsvWriter* csv = sink->self;
    text_add_double(&csv->row, simulation_time(simulation));
    for (int i = 0; i < csv->n_columns; i++) {
        text_add(&csv->row, ",");
        const Status status = add_value(csv, simulation, csv->columns[i]);
        if (status != STATUS_OK) {
            csv->row.n = 0;  // a row without all its values is none
            return status;
        }
    }
    csv->n_rows++;
    return write_out(csv);
}

static Status csv_close(RunSink* sink) {
    CsvWriter* csv = sink->self;
    Status status = STATUS_OK;
    if (csv->file != NULL) {
        const bool failed_before = ferror(csv->file) != 0;
        const bool failed_now =
            csv->file == stdout ? fflush(csv->file) != 0 : fclose(csv->file) != 0;
        status = failed_before || failed_now ? STATUS_NO_FILE : STATUS_OK;
    }
    if (csv->packed != NULL) {
        status = gzclose(csv->packed) == Z_OK ? STATUS_OK : STATUS_NO_FILE;
        csv->packed = NULL;
    }
    free(csv->columns);
    text_buffer_free(&csv->row);
    csv->file = NULL;
    csv->columns = NULL;
    return status;
}

static void csv_describe(const RunSink* sink, FILE* out) {
    const CsvWriter* csv = sink->self;
    fprintf(out, "%s: %lld rows, %d columns",
            strcmp(sink->path, "-") == 0 ? "standard output" : sink->path, csv->n_rows,
            csv->n_columns + 1);
}

const RunSinkKind csv_sink = {.what = "the CSV",
                              .option = "-o",
                              .open = csv_open,
                              .row = csv_write_row,
                              .close = csv_close,
                              .describe = csv_describe};
