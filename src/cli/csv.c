// Values of a simulation as rows of comma-separated numbers, one column per variable.
#include "cli/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void choose_columns(CsvWriter* csv, const VariableTable* table, bool with_locals) {
    for (int i = 0; i < table->n_variables; i++) {
        const Causality causality = table->variables[i].causality;
        if (causality == CAUSALITY_OUTPUT || (with_locals && causality == CAUSALITY_LOCAL)) {
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

static Status write_out(CsvWriter* csv) {
    text_add(&csv->row, "\n");
    if (csv->row.failed) {
        return STATUS_OUT_OF_MEMORY;
    }
    const bool written = fwrite(csv->row.text, 1, csv->row.n, csv->file) == csv->row.n;
    csv->row.n = 0;  // keeps the memory for the next row
    return written ? STATUS_OK : STATUS_NO_FILE;
}

Status csv_open(CsvWriter* csv, const char* path, Simulation* simulation, bool with_locals) {
    const VariableTable* table = simulation_variables(simulation);
    *csv = (CsvWriter){.simulation = simulation};
    csv->columns = calloc((size_t)table->n_variables + 1, sizeof *csv->columns);
    if (csv->columns == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    csv->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    if (csv->file == NULL) {
        return STATUS_NO_FILE;
    }
    choose_columns(csv, table, with_locals);
    text_add(&csv->row, "time");
    for (int i = 0; i < csv->n_columns; i++) {
        text_add(&csv->row, ",");
        add_field(&csv->row, table->variables[csv->columns[i]].name);
    }
    return write_out(csv);
}

static Status add_value(CsvWriter* csv, int variable) {
    if (simulation_variables(csv->simulation)->variables[variable].type == VARIABLE_STRING) {
        const char* text = NULL;
        const Status status = simulation_get_string(csv->simulation, variable, &text);
        add_field(&csv->row, status == STATUS_OK ? text : "");
        return status;
    }
    double value;
    const Status status = simulation_get(csv->simulation, variable, &value);
    if (status == STATUS_OK) {
        text_add_double(&csv->row, value);
    }
    return status;
}

Status csv_write_row(CsvWriter* csv) {
    text_add_double(&csv->row, simulation_time(csv->simulation));
    for (int i = 0; i < csv->n_columns; i++) {
        text_add(&csv->row, ",");
        const Status status = add_value(csv, csv->columns[i]);
        if (status != STATUS_OK) {
            csv->row.n = 0;  // a row without all its values is none
            return status;
        }
    }
    csv->n_rows++;
    return write_out(csv);
}

Status csv_close(CsvWriter* csv) {
    Status status = STATUS_OK;
    if (csv->file != NULL) {
        const bool failed_before = ferror(csv->file) != 0;
        const bool failed_now =
            csv->file == stdout ? fflush(csv->file) != 0 : fclose(csv->file) != 0;
        status = failed_before || failed_now ? STATUS_NO_FILE : STATUS_OK;
    }
    free(csv->columns);
    text_buffer_free(&csv->row);
    csv->file = NULL;
    csv->columns = NULL;
    return status;
}
