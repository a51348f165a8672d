// Tables of separated values: what is read, and where problems are told to be.
#include "base/csv_table.h"

#include "numbers.h"

typedef struct Told {
    int n;
    long line, column;  // of the first problem
    char message[512];  // of the first problem
} Told;

static void take_note(void* context, Severity severity, Place place, const char* message) {
    Told* told = context;
    assert_int_equal(severity, SEVERITY_ERROR);
    assert_string_equal(place.file, "t.csv");
    if (told->n++ == 0) {
        told->line = place.line;
        told->column = place.column;
        snprintf(told->message, sizeof told->message, "%s", message);
    }
}

static Status read_text(const char* text, size_t n, CsvTable* table, Told* told) {
    *told = (Told){0};
    Report report = {.context = told, .add = take_note};
    return csv_table_read(text, n, "t.csv", &report, table);
}

static CsvTable expect_table(const char* text, int n_columns, long n_rows) {
    CsvTable table;
    Told told;
    const Status status = read_text(text, strlen(text), &table, &told);
    if (status != STATUS_OK || table.n_columns != n_columns || table.n_rows != n_rows) {
        fail_msg("\"%s\": %d columns, %ld rows, %s", text, table.n_columns, table.n_rows,
                 told.message);
    }
    return table;
}

static void expect_cell(const CsvTable* table, long row, int column, double value,
                        const char* text) {
    char cell[CSV_TABLE_CELL];
    const double found = csv_table_column(table, column)[row];
    assert_true(isnan(value) ? isnan(found) : found == value);
    assert_string_equal(csv_table_cell(table, row, column, cell), text);
}

static void expect_place(const CsvTable* table, long row, int column, long line, long at) {
    const Place place = csv_table_place(table, row, column);
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, at);
}

static void test_plain_table(void** state) {
    (void)state;
    CsvTable table = expect_table("time,x,ball.y\n0,1.5,-2e3\n.5, 7 ,\t8.\n", 3, 2);
    assert_int_equal(csv_table_find(&table, "time"), 0);
    assert_int_equal(csv_table_find(&table, "ball.y"), 2);
    assert_int_equal(csv_table_find(&table, "ball"), -1);
    assert_string_equal(table.names[1], "x");
    expect_cell(&table, 0, 2, -2000, "-2e3");
    expect_cell(&table, 1, 0, 0.5, ".5");
    expect_cell(&table, 1, 1, 7, "7");
    expect_cell(&table, 1, 2, 8, "8.");
    expect_place(&table, -1, 2, 1, 8);
    expect_place(&table, 1, 1, 3, 5);
    csv_table_free(&table);
}

static void test_separators_are_found(void** state) {
    (void)state;
    static const char* const texts[] = {"t;a,b\n1;2\n",       "t\ta;b\n1\t2\n", "t,\"a;b\"\n1,2\n",
                                        "\"t;\ta\",b\n1,2\n", "t;a\r1;2\r",     "t;a\r\n\r\n1;2"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CsvTable table = expect_table(texts[i], 2, 1);
        expect_cell(&table, 0, 0, 1, "1");
        expect_cell(&table, 0, 1, 2, "2");
        csv_table_free(&table);
    }
    CsvTable single = expect_table("t\n1\n2", 1, 2);
    csv_table_free(&single);
    CsvTable empty_cells = expect_table("a\tb\tc\n\t\t\n1\t\t3\n", 3, 1);
    expect_cell(&empty_cells, 0, 1, NAN, "");
    csv_table_free(&empty_cells);
}

static void test_quotes_comments_and_mark(void** state) {
    (void)state;
    CsvTable table = expect_table(
        "\xef\xbb\xbf# made by hand\n\n  # twice\n\"time\" , \"say \"\"x\"\"\"\n"
        " \"1\" ,\"two\nlines\"\n# between\n3,nan\n\xc3\xa4,inf\n1e999,\"#\"",
        2, 4);
    assert_string_equal(table.names[0], "time");
    assert_string_equal(table.names[1], "say \"x\"");
    expect_cell(&table, 0, 0, 1, "1");
    expect_cell(&table, 0, 1, NAN, "two?lines");
    expect_cell(&table, 1, 1, NAN, "nan");
    expect_cell(&table, 2, 0, NAN, "??");
    expect_cell(&table, 3, 0, INFINITY, "1e999");
    expect_place(&table, -1, 0, 4, 1);
    expect_place(&table, 0, 1, 5, 7);
    expect_place(&table, 1, 1, 8, 3);
    csv_table_free(&table);
}

static void test_long_cells_are_cut(void** state) {
    (void)state;
    char text[300] = "a\n";
    memset(text + 2, 'x', 200);
    CsvTable table = expect_table(text, 1, 1);
    char cell[CSV_TABLE_CELL];
    assert_int_equal(strlen(csv_table_cell(&table, 0, 0, cell)), CSV_TABLE_CELL - 1);
    csv_table_free(&table);
}

static void expect_problem(const char* text, long line, long column, const char* words) {
    CsvTable table;
    Told told;
    assert_int_equal(read_text(text, strlen(text), &table, &told), STATUS_INVALID_MODEL);
    if (told.line != line || told.column != column || strstr(told.message, words) == NULL) {
        fail_msg("\"%s\": %ld:%ld: %s", text, told.line, told.column, told.message);
    }
    assert_int_equal(table.n_columns, 0);
}

static void test_problems_have_places(void** state) {
    (void)state;
    expect_problem("", 1, 1, "empty");
    expect_problem("# nothing\n\n", 3, 1, "empty");
    expect_problem("a,b\n", 1, 1, "no rows");
    expect_problem("1,2\n3,4\n", 1, 1, "names");
    expect_problem("a,,c\n1,2,3\n", 1, 3, "column 2 has no name");
    expect_problem("a,b,a\n1,2,3\n", 1, 5, "two columns 'a'");
    expect_problem("a,\"b\n1,2\n", 1, 3, "quotes");
    expect_problem("a,b\n1,\"2\n3,4\n", 2, 3, "quotes");
    expect_problem("a,b\n1,\"2\"3\n", 2, 3, "behind the quotes");
    expect_problem("a,b\n1,2\n1\n", 3, 1, "1 cell, but there are 2 columns");
    expect_problem("a,b\n1,2,3,4\n", 2, 5, "4 cells");
    expect_problem("a;b\n1,2\n", 2, 1, "1 cell");
    expect_problem(
        "\xff\xfe"
        "a",
        0, 0, "UTF-16");
    expect_problem("\x1f\x8b\x08", 0, 0, "compressed");
}

static void test_many_problems_are_counted(void** state) {
    (void)state;
    char text[2000] = "a,b\n";
    for (int i = 0; i < 300; i++) {
        strcat(text, "1\n2,3\n");
    }
    CsvTable table;
    Told told;
    assert_int_equal(read_text(text, strlen(text), &table, &told), STATUS_INVALID_MODEL);
    assert_int_equal(told.n, 11);
    assert_int_equal(read_text("a\n1\0\n", 5, &table, &told), STATUS_INVALID_MODEL);
    assert_non_null(strstr(told.message, "no text"));
}

// Texts made of what matters to the reader, at random: the sanitizers look on.
static void test_random_texts(void** state) {
    (void)state;
    static const char letters[] = "a1,;\t\"\n\r# .-e\xef\xbb\xbf";
    uint32_t seed = 1;
    int n_read = 0;
    const int n_texts = tries(200000);
    for (int i = 0; i < n_texts; i++) {
        char text[33];
        seed = seed * 1664525U + 1013904223U;
        const size_t n = seed >> 27;
        for (size_t k = 0; k < n; k++) {
            seed = seed * 1664525U + 1013904223U;
            text[k] = letters[(seed >> 16) % (sizeof letters - 1)];
        }
        text[n] = '\0';
        char* exact = malloc(n + 1);  // for every byte beyond to be found out
        assert_non_null(exact);
        memcpy(exact, text, n + 1);
        CsvTable table;
        Told told;
        const Status status = read_text(exact, n, &table, &told);
        assert_true((status == STATUS_OK) == (told.n == 0));
        for (long row = 0; row < table.n_rows; row++) {
            for (int column = 0; column < table.n_columns; column++) {
                char cell[CSV_TABLE_CELL];
                csv_table_cell(&table, row, column, cell);
                assert_true(csv_table_place(&table, row, column).column >= 1);
            }
        }
        n_read += status == STATUS_OK;
        csv_table_free(&table);
        free(exact);
    }
    assert_true(n_read > n_texts / 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_table),
        cmocka_unit_test(test_separators_are_found),
        cmocka_unit_test(test_quotes_comments_and_mark),
        cmocka_unit_test(test_long_cells_are_cut),
        cmocka_unit_test(test_problems_have_places),
        cmocka_unit_test(test_many_problems_are_counted),
        cmocka_unit_test(test_random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
