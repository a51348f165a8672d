// Model files: what they mean, and every way in which they can be wrong, with the place. Nothing
// that a file says may crash the reader.
#include "mechanism.h"

#include "base/file.h"
#include "simulation/simulation_struct.h"

#define HEAD "<mechanism xmlns='urn:clatter:model:1' name='m'>\n"
#define TAIL "</mechanism>"
#define BODY \
    "<planar_body name='b' mass='1' inertia='1'><circle name='c' radius='1'/></planar_body>\n"
#define GROUND "<ground><line name='l'/></ground>\n"

static Messages messages;

static void assert_says(const char* text, const char* says) {
    Simulation* simulation = mechanism_read(text, NULL, &messages);
    if (simulation != NULL || strstr(messages.text, says) == NULL) {
        fail_msg("%s\ngives %s\nexpected %s", text, messages.text, says);
    }
}

static void test_values(void** state) {
    (void)state;
    Simulation* simulation = mechanism_read(
        "<mechanism xmlns='urn:clatter:model:1' name='arm' description='d' author='a' "
        "version='1.2'>"
        "<experiment start_time='-1' stop_time='4'/>"
        "<parameter name='m' value='2'/><parameter name='n' value='m*3'/>"
        "<planar_body name='b' mass='n+1' inertia='m/4' initial_angle='pi/2'/>"
        "</mechanism>",
        NULL, &messages);
    assert_non_null(simulation);
    const ModelInfo* info = simulation_info(simulation);
    assert_string_equal(info->name, "arm");
    assert_string_equal(info->description, "d");
    assert_string_equal(info->author, "a");
    assert_string_equal(info->version, "1.2");
    assert_close(info->start_time, -1.0, 0.0, "start");
    assert_close(info->stop_time, 4.0, 0.0, "stop");
    assert_close(info->step_size, 1e-3, 0.0, "default step");
    assert_int_equal(info->n_bodies, 1);
    assert_int_equal(info->n_coordinates, 3);
    assert_close(value_of(simulation, "b.mass"), 7.0, 0.0, "mass");
    assert_close(value_of(simulation, "b.inertia"), 0.5, 0.0, "inertia");
    assert_close(value_of(simulation, "b.initial_angle"), 1.5707963267948966, 0.0, "angle");
    assert_close(value_of(simulation, "gravity.y"), 0.0, 0.0, "no gravity unless written");
    simulation_destroy(simulation);
}

// The GUID is of the content: the same text has the same, any change another.
static void test_guid(void** state) {
    (void)state;
    Simulation* one = mechanism_read(HEAD BODY TAIL, NULL, &messages);
    Simulation* same = mechanism_read(HEAD BODY TAIL, NULL, &messages);
    Simulation* other = mechanism_read(HEAD BODY " " TAIL, NULL, &messages);
    assert_string_equal(simulation_info(one)->guid, simulation_info(same)->guid);
    assert_string_not_equal(simulation_info(one)->guid, simulation_info(other)->guid);
    simulation_destroy(one);
    simulation_destroy(same);
    simulation_destroy(other);
}

static void test_problems(void** state) {
    (void)state;
    static const struct {
        const char* text;
        const char* says;
    } cases[] = {
        // structure
        {"<machine xmlns='urn:clatter:model:1'/>", "1:1: "},
        {HEAD TAIL, "at least one body"},
        {HEAD GROUND TAIL, "at least one body"},
        {HEAD "<wheel name='w'/>" BODY TAIL, "2:1: <wheel>"},
        {HEAD "<circle name='c' radius='1'/>" BODY TAIL, "2:1: <circle>"},
        {HEAD "<point_mass name='a' mass='1'><spring_damper name='k' first='a'/></point_mass>" TAIL,
         "<spring_damper>"},
        {HEAD BODY GROUND GROUND TAIL, "only once"},
        {HEAD BODY "<gravity/><gravity/>" TAIL, "only once"},
        {"<mechanism xmlns='urn:clatter:model:1'>" BODY TAIL, "needs a name"},
        {"<mechanism xmlns='urn:clatter:model:1' name='m' colour='red'>" BODY TAIL, "colour"},
        // names
        {HEAD BODY "<point_mass mass='1'/>" TAIL, "needs a name"},
        {HEAD BODY "<point_mass name='b' mass='1'/>" TAIL, "3:"},
        {HEAD BODY "<point_mass name='1b' mass='1'/>" TAIL, "1b"},
        {HEAD BODY "<point_mass name='a.b' mass='1'/>" TAIL, "a.b"},
        {HEAD BODY "<point_mass name='' mass='1'/>" TAIL, "name"},
        {HEAD BODY "<point_mass name='time' mass='1'/>" TAIL, "time"},
        {HEAD BODY "<point_mass name='solver' mass='1'/>" TAIL, "solver"},
        {HEAD BODY "<point_mass name='energy' mass='1'/>" TAIL, "energy"},
        {HEAD BODY "<parameter name='pi' value='3'/>" TAIL, "pi"},
        {HEAD BODY "<parameter name='b' value='3'/>" TAIL, "b"},
        {HEAD BODY "<parameter name='p' value='3'/><input name='p'/>" TAIL, "p"},
        // values
        {HEAD "<point_mass name='a'/>" TAIL, "mass"},
        {HEAD "<point_mass name='a' mass='-1'/>" TAIL, "2:28: "},
        {HEAD "<point_mass name='a' mass='0'/>" TAIL, "mass"},
        {HEAD "<point_mass name='a' mass='heavy'/>" TAIL, "heavy"},
        {HEAD "<point_mass name='a' mass=''/>" TAIL, "mass"},
        {HEAD "<point_mass name='a' mass='1e999'/>" TAIL, "mass"},
        {HEAD "<point_mass name='a' mass='0/0'/>" TAIL, "mass"},
        {HEAD "<point_mass name='a' mass='1,5'/>" TAIL, "mass"},
        {HEAD "<point_mass name='a' mass='t'/>" TAIL, "t"},
        {HEAD "<point_mass name='a' mass='1' weight='2'/>" TAIL, "weight"},
        {HEAD BODY "<solver scheme='magic'/>" TAIL, "magic"},
        {HEAD BODY "<solver maximum_iterations='2.5'/>" TAIL, "whole"},
        {HEAD BODY "<solver step_size='0'/>" TAIL, "step_size"},
        {HEAD BODY "<solver step_size='-1e-3'/>" TAIL, "step_size"},
        {HEAD BODY "<experiment start_time='2' stop_time='1'/>" TAIL, "stop_time"},
        {HEAD BODY "<experiment stop='1'/>" TAIL, "stop"},
        // parameters and inputs
        {HEAD BODY "<parameter name='p'/>" TAIL, "value"},
        {HEAD BODY "<parameter name='p' value='q'/><parameter name='q' value='1'/>" TAIL, "q"},
        {HEAD BODY "<parameter name='p' value='p'/>" TAIL, "p"},
        {HEAD BODY "<parameter name='p' value='3' max='2'/>" TAIL, "3"},
        {HEAD BODY "<parameter name='p' value='3' unit='furlong'/>" TAIL, "furlong"},
        {HEAD BODY "<parameter name='p' value='3' tunable='maybe'/>" TAIL, "maybe"},
        {HEAD "<parameter name='p' value='3' tunable='true'/>"
              "<point_mass name='a' mass='p'/>" TAIL,
         "tunable"},
        {HEAD
         "<parameter name='q' value='p'/><parameter name='p' value='3' tunable='true'/>" BODY TAIL,
         "p"},
        {HEAD BODY "<input name='p' start='3' max='2'/>" TAIL, "3"},
        {HEAD "<input name='i'/><point_mass name='a' mass='i'/>" TAIL, "i"},
        // references
        {HEAD BODY "<spring_damper name='k'/>" TAIL, "first"},
        {HEAD BODY "<spring_damper name='k' first='x'/>" TAIL, "\"x\""},
        {HEAD BODY "<force name='f' on='f'/>" TAIL, "<force>"},
        {HEAD BODY "<torque name='f' on='f' value='1'/>" TAIL, "<torque>"},
        {HEAD BODY "<torque name='f' on='b'/>" TAIL, "value"},
        {HEAD BODY GROUND "<contact name='k' first='b' second='ground.l'/>" TAIL, "<planar_body>"},
        {HEAD BODY GROUND "<contact name='k' first='b.c'/>" TAIL, "second"},
        {HEAD BODY "<ground><line name='l'/><line name='l2'/></ground>"
                   "<contact name='k' first='ground.l2' second='ground.l'/>" TAIL,
         "cannot meet"},
        {HEAD "<planar_body name='b' mass='1' inertia='1'><circle name='c' radius='1'/>"
              "<point name='d'/></planar_body><contact name='k' first='b.c' second='b.d'/>" TAIL,
         "the same body, b"},
        {HEAD BODY "<outputs><output variable='b.z'/></outputs>" TAIL, "b.z"},
        {HEAD BODY "<outputs><output variable='b.mass'/></outputs>" TAIL, "b.mass"},
        {HEAD BODY "<outputs><input/></outputs>" TAIL, "output"},
        {HEAD BODY "<outputs><output/></outputs>" TAIL, "output"},
        {HEAD BODY "<hinge/>" TAIL, "<hinge> is not known in <mechanism>: here it is <revolute>"},
        {HEAD "<body><disc/></body>" TAIL, "here it is <planar_body> or <spatial_body>"},
        {HEAD "<ground><disc/></ground>" TAIL,
         "<disc> is not known in <ground>: here it is <circle>"},
        {HEAD "<ground><pont/></ground>" TAIL, "did you mean 'point'?"},
        {HEAD "<ground><gravity/></ground>" TAIL, "expected a shape such as <point> or <circle>"},
        {HEAD "<froce name='f' on='b'/>" TAIL, "did you mean 'force'?"},
        {HEAD "<rang/>" TAIL, "did you mean 'ring'?"},
        {HEAD "<revolute name='j' first='b' axis_y='1'/>" TAIL,
         "<revolute> has no attribute axis_y: here it is that of the joint's frames"},
        {HEAD "<revolute name='j' first='b' friction_trque='1'/>" TAIL,
         "has no attribute friction_trque, did you mean 'friction_torque'?"},
        {HEAD "<hanga/>" TAIL, "<hanga> is not known in <mechanism>\n"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_says(cases[i].text, cases[i].says);
    }
}

// All problems of a file, not only the first.
static void test_all_problems_are_reported(void** state) {
    (void)state;
    assert_says(HEAD
                "<point_mass name='a' mass='-1'/>\n<wheel/>\n<spring_damper name='k' first='x'/>\n"
                "<contact name='c' first='a' second='nowhere'/>\n" TAIL,
                "-1");
    static const char* const places[] = {"2:28: ", "3:1: ", "4:32: ", "5:"};
    for (unsigned i = 0; i < 4; i++) {
        if (strstr(messages.text, places[i]) == NULL) {
            fail_msg("nothing about %s in\n%s", places[i], messages.text);
        }
    }
}

static void test_expressions_in_signals(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<parameter name='p' value='3' tunable='true'/><input name='i' start='2'/>"
        "<point_mass name='a' mass='1'/><force name='f' on='a' x='p*i + sin(pi*t)' y='p'/>");
    start(simulation);
    assert_close(value_of(simulation, "a.acceleration_x"), 6.0, 1e-14, "a_x");
    set_value(simulation, "p", 5.0);
    assert_close(value_of(simulation, "a.acceleration_x"), 10.0, 1e-14, "a_x");
    assert_close(value_of(simulation, "a.acceleration_y"), 5.0, 1e-14, "a_y");
    simulation_destroy(simulation);
}

// --- hostile texts ---

static char* read_ball(size_t* n) {
    char* text;
    assert_int_equal(file_read("resources/models/rotating_ball.xml", 1 << 20, &text, n), STATUS_OK);
    return text;
}

static void try_bytes(const char* text, size_t n) {
    const ModelFiles files = {.model_name = "m", .model = text, .n_model = n};
    Report report = {0};
    Simulation* simulation = simulation_create(&files, &report);
    assert_true((simulation == NULL) == (report.n_errors > 0));
    simulation_destroy(simulation);
}

static void test_truncated(void** state) {
    (void)state;
    size_t n;
    char* text = read_ball(&n);
    for (size_t i = 0; i < n; i++) {
        char* exact = malloc(i > 0 ? i : 1);
        assert_non_null(exact);
        memcpy(exact, text, i);
        try_bytes(exact, i);
        free(exact);
    }
    free(text);
}

// Bytes exchanged, removed and doubled at random places.
static void test_mutated(void** state) {
    (void)state;
    size_t n;
    char* text = read_ball(&n);
    char* mutant = malloc(2 * n);
    assert_non_null(mutant);
    for (int trial = 0; trial < 3000; trial++) {
        size_t size = n;
        memcpy(mutant, text, n);
        for (int k = 0; k < 1 + trial % 4; k++) {
            const size_t at = random_bits() % size;
            const size_t from = random_bits() % size;
            const size_t length = random_bits() % 20;
            switch (random_bits() % 3) {
                case 0:
                    mutant[at] = (char)random_bits();
                    break;
                case 1:
                    mutant[at] = text[from % n];
                    break;
                default:
                    if (at + length < size && from + length < size) {
                        memmove(mutant + at, mutant + from, length);
                    }
            }
        }
        try_bytes(mutant, size);
    }
    free(mutant);
    free(text);
}

// Very many elements, all valid, and all with the same name.
static void test_absurd_counts(void** state) {
    (void)state;
    enum { COUNT = 20000, LINE = 64 };
    for (int same = 0; same <= 1; same++) {
        char* text = malloc(COUNT * LINE + 256);
        assert_non_null(text);
        size_t n = (size_t)snprintf(text, 256, HEAD BODY);
        for (int i = 0; i < COUNT; i++) {
            n += (size_t)snprintf(text + n, LINE, "<parameter name='p%d' value='%d'/>\n",
                                  same ? 0 : i, i);
        }
        n += (size_t)snprintf(text + n, LINE, TAIL);
        try_bytes(text, n);
        free(text);
    }
}

// Whatever the memory ends with, it is told once, with a place in the file and the amount.
static void test_memory_that_does_not_suffice(void** state) {
    (void)state;
    static const char model[] =
        "<mechanism xmlns='urn:clatter:model:1' name='m' materials='m.xml'>\n"
        "<parameter name='r' value='0.5' unit='m'/>\n<input name='F' unit='N'/>\n" BODY GROUND
        "<force name='f' on='b' x='F*sin(t)'/>\n<revolute name='j' first='b' second='ground'/>\n"
        "<contact name='k' first='b.c' second='ground.l'/>\n"
        "<outputs><output variable='b.x'/></outputs>\n" TAIL;
    static const char materials[] =
        "<materials xmlns='urn:clatter:materials:1'><pair first='a' second='b'/></materials>";
    const ModelFile table = {
        .name = "m.xml", .path = "m.xml", .text = materials, .n = strlen(materials)};
    const ModelFiles files = {.model_name = "model.xml",
                              .model = model,
                              .n_model = strlen(model),
                              .named = &table,
                              .n_named = 1};
    Status status = STATUS_OUT_OF_MEMORY;
    size_t limit = 16;
    for (; status != STATUS_OK; limit += 16) {
        Arena arena = {.limit = limit};
        Model read;
        messages = (Messages){0};
        Report report = {.context = &messages, .add = messages_add};
        status = model_read(&files, &arena, &arena, &report, &read);
        if (status != STATUS_OK && (report.n_errors != 1 || strstr(messages.text, "MiB") == NULL ||
                                    strncmp(messages.text, "0:", 2) == 0)) {
            fail_msg("%zu bytes: %s: %s", limit, status_text(status), messages.text);
        }
        arena_free(&arena);
    }
    assert_true(limit > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_guid),
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_all_problems_are_reported),
        cmocka_unit_test(test_expressions_in_signals),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_mutated),
        cmocka_unit_test(test_absurd_counts),
        cmocka_unit_test(test_memory_that_does_not_suffice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
