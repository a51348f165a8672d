// The files that make a model: found beside it, packed or not, and told of when they cannot be
// read.
#define _GNU_SOURCE  // mkdtemp

#include "mechanism.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "reader/model_files.h"

#define MODEL(materials)                                                                 \
    "<mechanism xmlns='urn:clatter:model:1' name='m'" materials                          \
    ">\n<point_mass name='a' mass='1' material='steel'><point name='p'/></point_mass>\n" \
    "<ground material='steel'><line name='l'/></ground>\n"                               \
    "<contact name='c' first='a.p' second='ground.l'/>\n</mechanism>"
#define TABLE \
    "<materials xmlns='urn:clatter:materials:1'><pair first='steel' second='steel'/></materials>"

static Messages messages;
static Report report;
static ModelFiles files;

static int set_up(void** state) {
    char* directory = strdup("test_model_files.XXXXXX");
    *state = directory;
    return directory != NULL && mkdtemp(directory) != NULL && chdir(directory) == 0 &&
                   mkdir("in", 0700) == 0
               ? 0
               : -1;
}

static int tear_down(void** state) {
    static const char* const names[] = {"in/model.xml", "in/materials.xml", "in/x y.xml", "in",
                                        "x y.xml"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)remove(names[i]);
    }
    const int result = chdir("..") == 0 && rmdir(*state) == 0 ? 0 : -1;
    free(*state);
    return result;
}

static void write_text(const char* path, const char* text) {
    assert_int_equal(file_write(path, text, strlen(text)), STATUS_OK);
}

static void begin(void) {
    messages = (Messages){0};
    report = (Report){.context = &messages, .add = messages_add};
}

// Whether a simulation can be made of the files, which are given back.
static bool is_complete(void) {
    Simulation* simulation = simulation_create(&files, &report);
    simulation_destroy(simulation);
    model_files_release(&files);
    return simulation != NULL;
}

static void test_without_others(void** state) {
    (void)state;
    begin();
    assert_true(model_files_read("../resources/models/simple_pendulum.xml", &report, &files));
    assert_int_equal(files.n_named, 0);
    assert_null(model_files_find(&files, "materials.xml"));
    assert_true(is_complete());
}

static void test_beside_the_model(void** state) {
    (void)state;
    begin();
    write_text("in/model.xml", MODEL(" materials='../x y.xml'"));
    write_text("x y.xml", TABLE);
    assert_true(model_files_read("in/model.xml", &report, &files));
    assert_int_equal(files.n_named, 1);
    const ModelFile* file = model_files_find(&files, "../x y.xml");
    assert_non_null(file);
    assert_string_equal(file->path, "in/../x y.xml");
    assert_string_equal(file->packed, "materials.xml");
    assert_string_equal(file->text, TABLE);
    assert_int_equal(file->n, strlen(TABLE));
    assert_true(is_complete());
    assert_string_equal(messages.text, "");
}

// The resources of an FMU: whatever the model calls a file, it is read under its packed name.
static void test_packed(void** state) {
    (void)state;
    begin();
    write_text("in/model.xml", MODEL(" materials='/etc/../x y.xml'"));
    write_text("in/materials.xml", TABLE);
    assert_true(model_files_read_packed("in", &report, &files));
    assert_string_equal(files.model_name, "model.xml");
    assert_string_equal(model_files_find(&files, "/etc/../x y.xml")->path, "materials.xml");
    assert_true(is_complete());
    assert_string_equal(messages.text, "");
}

// One message for a file that is not there, at the name, and those for all else in the model.
static void test_missing(void** state) {
    (void)state;
    begin();
    write_text("in/model.xml", MODEL(" materials='gone.xml'"));
    assert_false(model_files_read("in/model.xml", &report, &files));
    assert_int_equal(report.n_errors, 1);
    assert_non_null(strstr(messages.text, "1:60: the table of materials 'in/gone.xml', which"));
    assert_false(is_complete());
    assert_int_equal(report.n_errors, 1);

    begin();
    write_text("in/model.xml", MODEL(" materials='gone.xml' version_='1'"));
    assert_false(model_files_read("in/model.xml", &report, &files));
    assert_false(is_complete());
    assert_int_equal(report.n_errors, 2);

    begin();
    (void)remove("in/materials.xml");
    assert_false(model_files_read_packed("in", &report, &files));
    assert_non_null(strstr(messages.text, "'in/materials.xml', which"));
    model_files_release(&files);
}

static void test_unreadable_models(void** state) {
    (void)state;
    static const struct {
        const char *path, *says;
    } cases[] = {{"in/gone.xml", "No such file"},
                 {"in", "it is a directory"},
                 {"", "No such file"},
                 {"/dev/zero", "limit"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        assert_false(model_files_read(cases[i].path, &report, &files));
        assert_null(files.model);
        assert_int_equal(report.n_errors, 1);
        assert_non_null(strstr(messages.text, cases[i].says));
        model_files_release(&files);
    }
}

// A text that names a file and is no model otherwise
static void test_broken_models(void** state) {
    (void)state;
    begin();
    write_text("in/x y.xml", TABLE);
    write_text("in/model.xml",
               "<mechanism xmlns='urn:clatter:model:1' materials='x y.xml'><nonsense>");
    assert_true(model_files_read("in/model.xml", &report, &files));
    assert_non_null(model_files_find(&files, "x y.xml"));
    assert_false(is_complete());
    assert_true(report.n_errors > 0);
}

// Files of tables: each once, named in an FMU by the first table that uses it.
static void test_files_of_tables(void** state) {
    (void)state;
    static const char model[] =
        "<mechanism xmlns='urn:clatter:model:1' name='m'>\n<table name='f' file='../x y.xml'/>"
        "<table name='g' file='x y.xml'/><table name='h' file='../x y.xml'/>"
        "<table name='../i' file='i.csv'/><table file='k.csv'/><table name='l' rows='0 0;1 1'/>"
        "<point_mass name='a' mass='1'/></mechanism>";
    begin();
    write_text("in/model.xml", model);
    write_text("x y.xml", "one");
    write_text("in/x y.xml", "two");
    assert_true(model_files_read("in/model.xml", &report, &files));
    assert_int_equal(files.n_named, 2);
    assert_string_equal(files.named[0].packed, "tables/f.csv");
    assert_string_equal(files.named[0].text, "one");
    assert_string_equal(files.named[1].packed, "tables/g.csv");
    assert_string_equal(files.named[1].text, "two");
    model_files_release(&files);

    assert_false(model_files_read_packed("in", &report, &files));  // nothing outside is read
    assert_int_equal(files.n_named, 2);
    assert_int_equal(report.n_errors, 2);
    assert_non_null(strstr(messages.text, "2:23: the file of a table 'in/tables/f.csv', which"));
    model_files_release(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_others),
        cmocka_unit_test(test_beside_the_model),
        cmocka_unit_test(test_packed),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_unreadable_models),
        cmocka_unit_test(test_broken_models),
        cmocka_unit_test(test_files_of_tables),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
