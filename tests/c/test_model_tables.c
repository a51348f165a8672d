// Tables of a model, in its text and in files: what they do in expressions, and what is told of
// those that cannot be used.
#include "mechanism.h"

#include "reader/model_files.h"

#define HEAD "<mechanism xmlns='urn:clatter:model:1' name='m'>\n"
#define TAIL "\n<point_mass name='a' mass='f(1)'/></mechanism>"
#define DRIVEN(x) "\n<point_mass name='a' mass='1'/><driven_frame name='d' x='" x "'/></mechanism>"
#define FILE_TABLE(attributes) HEAD "<table name='f' file='t.csv' " attributes "/>" TAIL

static Messages messages;
static char places[MECHANISM_MESSAGES];  // "file:line:column\n" for each problem

static void add_place(void* context, Severity severity, Place place, const char* message) {
    messages_add(context, severity, place, message);
    const size_t used = strlen(places);
    snprintf(places + used, sizeof places - used, "%s:%ld:%ld\n", place.file, place.line,
             place.column);
}

static Simulation* read_bytes(const char* model, const char* csv, size_t n) {
    const ModelFile file = {.name = "t.csv", .path = "t.csv", .text = csv, .n = n};
    const ModelFiles files = {.model_name = "m.xml",
                              .model = model,
                              .n_model = strlen(model),
                              .named = &file,
                              .n_named = csv != NULL ? 1 : 0};
    messages = (Messages){0};
    places[0] = '\0';
    Report report = {.context = &messages, .add = add_place};
    Simulation* simulation = simulation_create(&files, &report);
    assert_true((simulation == NULL) == (report.n_errors > 0));
    return simulation;
}

static Simulation* read(const char* model, const char* csv) {
    return read_bytes(model, csv, csv != NULL ? strlen(csv) : 0);
}

static double mass_of(const char* model, const char* csv) {
    Simulation* simulation = read(model, csv);
    if (simulation == NULL) {
        fail_msg("%s\n%s", messages.text, model);
    }
    const double mass = value_of(simulation, "a.mass");
    simulation_destroy(simulation);
    return mass;
}

static void refuse(const char* model, const char* csv, const char* place, const char* says) {
    Simulation* simulation = read(model, csv);
    if (simulation != NULL || strstr(messages.text, says) == NULL ||
        strncmp(places, place, strlen(place)) != 0 || places[strlen(place)] != '\n') {
        fail_msg("expected %s: %s\ngot %s%s\n%s", place, says, places, messages.text, model);
    }
}

static void test_rows_of_the_model(void** state) {
    (void)state;
    assert_close(mass_of(HEAD "<table name='f' rows='0 1; 2 4'/>" TAIL, NULL), 2.5, 0.0, "linear");
    assert_close(mass_of(HEAD "<table name='f' rows='\n 0\t1;\r\n 2  4 ;\n'/>" TAIL, NULL), 2.5,
                 0.0, "over lines");
    assert_close(
        mass_of(HEAD "<table name='f' interpolation='held' rows='-1e0 3;+2 4'/>" TAIL, NULL), 3.0,
        0.0, "held");
    assert_close(
        mass_of(HEAD "<table name='f' interpolation='smooth' rows='0 1;2 9;3 19'/>" TAIL, NULL),
        3.0, 1e-14, "the parabola 1 + 2x^2");
}

static void test_rows_of_files(void** state) {
    (void)state;
    static const char two[] = "t,v\n0,1\n2,4\n";
    static const char many[] =
        "# a record\n\"the time\"; note ;force\n0;start;1\n\n2;\"end; really\";4\n";
    assert_close(mass_of(FILE_TABLE(""), two), 2.5, 0.0, "two columns");
    assert_close(mass_of(FILE_TABLE("argument='v' value='t'"), "t,v\n3,0\n5,2\n"), 4.0, 0.0,
                 "exchanged");
    assert_close(mass_of(FILE_TABLE("argument='the time' value='force'"), many), 2.5, 0.0, "named");
    // several tables of one file
    assert_close(mass_of(HEAD "<table name='f' file='t.csv'/>"
                              "<table name='g' file='t.csv' interpolation='held'/>\n"
                              "<point_mass name='a' mass='f(1)*g(2)'/></mechanism>",
                         two),
                 10.0, 0.0, "two tables");
}

static void test_refused_rows(void** state) {
    (void)state;
    static const struct {
        const char *rows, *place, *says;
    } cases[] = {
        {"", "m.xml:2:23", "two rows at least: this one has none"},
        {" ", "m.xml:2:23", "has none"},
        {"0 1", "m.xml:2:23", "this one has one"},
        {"0 1; 1", "m.xml:2:29", "expected a value"},
        {"0 1; 1 2 3", "m.xml:2:32", "expected a semicolon"},
        {"0 1; 1,5 2", "m.xml:2:28", "not '1,5'"},
        {"0 1;; 1 2", "m.xml:2:27", "expected an argument"},
        {"0 1; 1 x", "m.xml:2:30", "expected a value, a number, not 'x'"},
        {"0 1; 1 nan", "m.xml:2:30", "not 'nan'"},
        {"0 1; 1 1e999", "m.xml:2:30", "below 1.8e308"},
        {"0 1; 0 2", "m.xml:2:28", "0 follows 0"},
        {"0 1; 2 2; 1 3", "m.xml:2:33", "1 follows 2"},
        {"0 1; 1e-320 2", "m.xml:2:1", "too close"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char model[512];
        snprintf(model, sizeof model, HEAD "<table name='f' rows='%s'/>" TAIL, cases[i].rows);
        refuse(model, NULL, cases[i].place, cases[i].says);
    }
}

static void test_refused_files(void** state) {
    (void)state;
    static const struct {
        const char *attributes, *csv, *place, *says;
    } cases[] = {
        {"", "t,v\n0,1\n", "t.csv:2:1", "this one has one"},
        {"", "t,v\n0,1\n0,2\n", "t.csv:3:1", "0 follows 0"},
        {"", "t,v\n0,1\n1,two\n", "t.csv:3:3", "expected a number, not 'two'"},
        {"", "t,v\n0,1\n1,\n", "t.csv:3:3", "the cell is empty"},
        {"", "t,v\n0,nan\n1,2\n", "t.csv:2:3", "not 'nan'"},
        {"", "t,v\n0,1e999\n1,2\n", "t.csv:2:3", "below 1.8e308"},
        {"", "t,v\n0,1\n1,2,3\n", "t.csv:3:5", "this row has 3 cells"},
        {"", "0,1\n1,2\n", "t.csv:1:1", "expected the names"},
        {"", "", "t.csv:1:1", "the file is empty"},
        {"", "t\n0\n1\n", "m.xml:2:23", "has one column"},
        {"", "t,v,w\n0,1,2\n1,2,3\n", "m.xml:2:1", "needs the attribute value"},
        {"value='forces'", "t,force\n0,1\n1,2\n", "m.xml:2:37", "did you mean 'force'?"},
        {"argument='x'", "t,v\n0,1\n1,2\n", "m.xml:2:40", "has no column of that name"},
        {"", NULL, "m.xml:2:23", "there is no such file"},
        {"rows='0 1;1 2'", "t,v\n0,1\n1,2\n", "m.xml:2:1", "either rows or a file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char model[512];
        snprintf(model, sizeof model, FILE_TABLE("%s"), cases[i].attributes);
        refuse(model, cases[i].csv, cases[i].place, cases[i].says);
    }
}

static void test_refused_elements(void** state) {
    (void)state;
#define ROWS " rows='0 1;1 2'"
    static const struct {
        const char *model, *place, *says;
    } cases[] = {
        {HEAD "<table" ROWS "/>" TAIL, "m.xml:2:1", "needs a name"},
        {HEAD "<table name='f'/>" TAIL, "m.xml:2:1", "either rows or a file"},
        {HEAD "<table name='sin'" ROWS "/>" TAIL, "m.xml:2:14", "is a function"},
        {HEAD "<table name='if'" ROWS "/>" TAIL, "m.xml:2:14", "taken by the program"},
        {HEAD "<table name='a'" ROWS "/>" TAIL, "m.xml:3:19", "used twice"},
        {HEAD "<table name='f' row='0 1;1 2'/>" TAIL, "m.xml:2:22", "did you mean 'rows'"},
        {HEAD "<table name='f'" ROWS " value='v'/>" TAIL, "m.xml:2:39", "there is none"},
        {HEAD "<table name='f'" ROWS " interpolation='cubic'/>" TAIL, "m.xml:2:47",
         "expected linear or held or smooth"},
        {HEAD "<table name='f'" ROWS " beyond='stop'/>" TAIL, "m.xml:2:40",
         "expected hold or repeat or extrapolate or error"},
        {HEAD "<table name='f'" ROWS " interpolation='held' beyond='extrapolate'/>" TAIL,
         "m.xml:2:61", "no slope"},
        {HEAD "<table name='f'" ROWS " interpolation='smooth' beyond='repeat'/>" TAIL, "m.xml:2:29",
         "value of the first: 1, not 2"},
        {HEAD "<table name='f'" ROWS "><row/></table>" TAIL, "m.xml:2:32", "other elements"},
        {HEAD "<table name='profile'" ROWS
              "/>\n<point_mass name='a' mass='profil(1)'/></mechanism>",
         "m.xml:3:28", "did you mean 'profile'?"},
        {HEAD "<table name='f'" ROWS "/><parameter name='p' value='f'/>" TAIL, "m.xml:2:60",
         "is a table, expected '('"},
        {HEAD "<table name='f'" ROWS "/><parameter name='p' value='f(1, 2)'/>" TAIL, "m.xml:2:63",
         "f takes 1 argument"},
        {HEAD "<table name='f'" ROWS "/><parameter name='p' value='f()'/>" TAIL, "m.xml:2:62",
         "expected a number"},
        {HEAD "<parameter name='f' value='2'/>" TAIL, "m.xml:3:28",
         "is a parameter and no function"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        refuse(cases[i].model, NULL, cases[i].place, cases[i].says);
    }
}

// Calls within calls, whole and torn off
static void test_nested(void** state) {
    (void)state;
    enum { DEEPEST = 63 };
    char model[1024], calls[512] = "";
    for (int n = 1; n <= DEEPEST + 3; n++) {
        strcat(calls, "f(");
        int used = snprintf(model, sizeof model,
                            HEAD
                            "<table name='f' rows='0 1; 9 1'/>\n"
                            "<point_mass name='a' mass='%s2%.*s'/></mechanism>",
                            calls, n,
                            "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))");
        assert_true(used < (int)sizeof model);
        Simulation* simulation = read(model, NULL);
        assert_true((simulation != NULL) == (n <= DEEPEST + 1));
        simulation_destroy(simulation);
        used = snprintf(model, sizeof model,
                        HEAD
                        "<table name='f' rows='0 1; 9 1'/>\n"
                        "<point_mass name='a' mass='%s'/></mechanism>",
                        calls);
        assert_true(used < (int)sizeof model);
        assert_null(read(model, NULL));
    }
}

// Positions and curves: what jumps is refused, what has kinks is warned of, constants are neither.
static void test_jumps_and_kinks(void** state) {
    (void)state;
    static const struct {
        const char* model;
        const char* says;  // NULL: nothing
        bool refused;
    } cases[] = {
        {HEAD "<table name='f' interpolation='smooth'" ROWS "/>" DRIVEN("f(t)"), NULL, false},
        {HEAD "<table name='f'" ROWS "/>" DRIVEN("f(t)"), "velocity by a jump", false},
        {HEAD "<table name='f' interpolation='held'" ROWS "/>" DRIVEN("2*f(t - 1)"), "cannot jump",
         true},
        {HEAD "<table name='f' beyond='repeat'" ROWS "/>" DRIVEN("f(t)"), "same value at both ends",
         true},
        {HEAD "<table name='f' interpolation='held'" ROWS "/>" DRIVEN("f(0.5) + sin(t)"), NULL,
         false},
        {HEAD "<table name='f' interpolation='held'" ROWS
              "/><parameter name='p' value='1'/>" DRIVEN("t + f(p)"),
         NULL, false},
        {HEAD "<table name='f' interpolation='held'" ROWS
              "/><parameter name='p' value='1' tunable='true'/>" DRIVEN("t + f(p)"),
         "cannot jump", true},
        {HEAD "<table name='f'" ROWS "/><input name='p'/>" DRIVEN("t + f(p)"), "by a jump", false},
        {HEAD "<table name='f'" ROWS "/><point_mass name='a' mass='1'/>"
              "<force name='F' on='a' x='f(t)'/></mechanism>",
         NULL, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Simulation* simulation = read(cases[i].model, NULL);
        const bool told = cases[i].says != NULL ? strstr(messages.text, cases[i].says) != NULL
                                                : messages.text[0] == '\0';
        if (!told || (simulation == NULL) != cases[i].refused) {
            fail_msg("%s: %s", cases[i].model, messages.text);
        }
        simulation_destroy(simulation);
    }
}

#define CURVED(table)                                                                        \
    HEAD table                                                                               \
        "<point_mass name='a' mass='1' initial_x='0.3 - 0.24/sqrt(1.36)' initial_y='0.09 + " \
        "0.4/sqrt(1.36)'><circle name='c' radius='0.1'/>"                                    \
        "</point_mass><ground><curve name='k' function='f(x)'/></ground>"                    \
        "<contact name='o' first='a.c' second='ground.k'/></mechanism>"

static void test_curves(void** state) {
    (void)state;
    Simulation* simulation = read(
        CURVED("<table name='f' interpolation='smooth' beyond='extrapolate' rows='-1 1;0 0;1 1'/>"),
        NULL);
    assert_non_null(simulation);
    assert_string_equal(messages.text, "");
    start(simulation);
    // the circle's centre is 0.4 from (0.3, 0.09), along the normal of y = x^2 there
    assert_close(value_of(simulation, "o.gap"), 0.3, 1e-14, "gap");
    simulation_destroy(simulation);
    simulation = read(CURVED("<table name='f' rows='-1 1;0 0;1 1'/>"), NULL);
    assert_non_null(simulation);
    assert_non_null(strstr(messages.text, "a kink at every row"));
    simulation_destroy(simulation);
    assert_null(read(CURVED("<table name='f' interpolation='held' rows='-1 1;1 0'/>"), NULL));
    assert_non_null(strstr(messages.text, "a curve cannot jump"));
}

static void test_unused(void** state) {
    (void)state;
    Simulation* simulation =
        read(HEAD "<table name='f'" ROWS "/><table name='g'" ROWS "/>" TAIL, NULL);
    assert_non_null(simulation);
    assert_string_equal(messages.text, "2:33: no expression calls the table g\n");
    simulation_destroy(simulation);
}

static void test_too_many(void** state) {
    (void)state;
    enum { COUNT = 1001, LINE = 64 };
    char* text = malloc(COUNT * LINE + 256);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, 256, HEAD);
    for (int i = 0; i < COUNT; i++) {
        n += (size_t)snprintf(text + n, LINE, "<table name='f%d' rows='0 0;1 1'/>\n", i);
    }
    snprintf(text + n, 256, "<point_mass name='a' mass='f1000(1)'/></mechanism>");
    assert_null(read(text, NULL));
    assert_non_null(strstr(messages.text, "1002:1: more than 1000 tables"));
    free(text);
}

// --- hostile texts ---

static void mutate(const char* text, size_t n, char* mutant) {
    memcpy(mutant, text, n + 1);
    for (int k = 0; k < 1 + (int)(random_bits() % 4); k++) {
        static const char favourites[] = ";,\"#\n\r\t 0e-.+x\xff(";
        mutant[random_bits() % n] = favourites[random_bits() % (sizeof favourites - 1)];
    }
}

static void test_mutated(void** state) {
    (void)state;
    static const char model[] = HEAD
        "<table name='f' rows='0 1; 1 2; 2.5e0 -3' interpolation='smooth' beyond='error'/>"
        "<table name='g' file='t.csv' argument='t' value='w' beyond='repeat'/>"
        "\n<point_mass name='a' mass='1+f(1)*g(f(2))'/></mechanism>";
    static const char csv[] = "# c\n\"t\"; v;w\n0;1;2\n1;2;3\n\n2;3e1;-4\n";
    char text[sizeof model], table[sizeof csv];
    int n_good = 0;
    for (int trial = 0; trial < 4000; trial++) {
        mutate(model, sizeof model - 1, text);
        mutate(csv, sizeof csv - 1, table);
        Simulation* simulation = read(trial % 2 ? model : text, trial % 3 ? table : csv);
        n_good += simulation != NULL;
        simulation_destroy(simulation);
    }
    assert_true(n_good > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_of_the_model),
        cmocka_unit_test(test_rows_of_files),
        cmocka_unit_test(test_refused_rows),
        cmocka_unit_test(test_refused_files),
        cmocka_unit_test(test_refused_elements),
        cmocka_unit_test(test_jumps_and_kinks),
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_unused),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_mutated),
        cmocka_unit_test(test_nested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
