// The table of variables: what is in it, in which order, and that its parts agree with each other,
// for every model that comes with the project and for one with all kinds of elements.
#include "reader/element_kinds.h"
#include "mechanism.h"

#include <dirent.h>

#include "elements/element.h"
#include "reader/model.h"
#include "simulation/variables.h"

// A mechanism of the plane
#define PLANE                                                                                   \
    "<experiment start_time='1' stop_time='2'/><solver step_size='0.001'/><gravity y='-9.81'/>" \
    "<parameter name='size' value='0.1' unit='m' min='0.01' max='1' description='a size'/>"     \
    "<parameter name='stiff' value='20' unit='N/m' tunable='true'/>"                            \
    "<parameter name='twice' value='2*size' max='1.5'/>"                                        \
    "<input name='push' unit='N' start='1' min='-5' max='5'/><input name='twist'/>"             \
    "<point_mass name='m' mass='1' initial_y='3'><point name='p'/></point_mass>"                \
    "<planar_body name='b' mass='1' inertia='size^2' initial_y='1'>"                            \
    "<circle name='rim' radius='size'/><point name='p' x='twice'/></planar_body>"               \
    "<spring_damper name='spring' first='m' second='b.p' stiffness='stiff' damping='1'/>"       \
    "<torsional_spring_damper name='torsion' first='b' stiffness='3'/>"                         \
    "<force name='f' on='b.p' x='push' frame='body'/><torque name='t1' on='b' value='twist'/>"  \
    "<contact name='c1' first='b.rim' second='ground.floor' friction_coefficient='0.3'/>"       \
    "<contact name='c2' first='m.p' second='ground.hole'/>"

// Joints of the plane, each on a body of its own that starts where the joint holds
#define JOINTS                                                                                  \
    "<planar_body name='p1' mass='1' inertia='1' initial_x='10'/>"                              \
    "<revolute name='j1' first='ground.at_10' second='p1' friction_torque='0.1'/>"              \
    "<angle_drive name='j2' first='ground.at_10' second='p1' angle='(t - 1)^2'/>"               \
    "<planar_body name='p2' mass='1' inertia='1' initial_x='12'/>"                              \
    "<prismatic name='j3' first='ground.at_12' second='p2'/>"                                   \
    "<slide_drive name='j4' first='ground.at_12' second='p2' position='(t - 1)^2'/>"            \
    "<planar_body name='p3' mass='1' inertia='1' initial_x='14'/>"                              \
    "<rigid name='j5' first='ground.at_14' second='p3'/>"                                       \
    "<planar_body name='p4' mass='1' inertia='1' initial_x='16'/>"                              \
    "<distance name='j6' first='p4' second='ground.at_14' length='2'/>"                         \
    "<planar_body name='p5' mass='1' inertia='1' initial_y='20'/><skate name='j7' first='p5'/>" \
    "<speed_drive name='j8' first='p4' second='p5' speed='0'/>"                                 \
    "<planar_body name='p6' mass='1' inertia='1' initial_x='3' initial_y='size'>"               \
    "<circle name='wheel' radius='size'/></planar_body>"                                        \
    "<rolling name='j9' first='p6.wheel' second='ground.floor'/>"                               \
    "<angle_actuator name='motor' first='p5' second='p6' proportional_gain='1'/>"               \
    "<slide_actuator name='ram' first='p5' second='p6' derivative_gain='1' force='push'/>"      \
    "<elastic_bar name='bar' length='1' area='1e-4' youngs_modulus='2e9' density='7800'/>"      \
    "<beam name='rod' length='1' width='0.01' height='0.01' youngs_modulus='2e9' density='1'>"  \
    "<point name='end'/><skin name='skin'/></beam><line_load name='wind' on='rod' y='0.1'/>"    \
    "<contact name='skid' first='rod.skin' second='ground.floor'/>"                             \
    "<sensor name='eye' at='rod.end'/><gauge name='g' at='rod.end'/>"                           \
    "<spline_beam name='leaf' length='1' width='0.01' height='0.01' youngs_modulus='2e9' "      \
    "density='1'/>"                                                                             \
    "<driven_frame name='table' x='sin(t)'><point name='p'/></driven_frame>"

// Bodies, shapes and joints of space
#define INERTIA " mass='1' inertia_xx='1' inertia_yy='1' inertia_zz='1' "
#define SPACE                                                                                   \
    "<spatial_body name='s1'" INERTIA                                                           \
    "initial_z='5'><sphere name='ball' radius='1'/>"                                            \
    "<box name='cube' length='1' width='1' height='1'/><pin name='pin' radius='1' length='1'/>" \
    "</spatial_body>"                                                                           \
    "<spatial_body name='s2'" INERTIA                                                           \
    "initial_x='10'/>"                                                                          \
    "<cylindrical name='k1' first='ground.at_10' second='s2'/>"                                 \
    "<spatial_body name='s3'" INERTIA                                                           \
    "initial_x='12'/>"                                                                          \
    "<spherical name='k2' first='ground.at_12' second='s3'/>"                                   \
    "<spatial_body name='s4'" INERTIA                                                           \
    "initial_x='14'/>"                                                                          \
    "<planar name='k3' first='ground.at_14' second='s4'/>"                                      \
    "<ground><line name='floor'/><ring name='hole' radius='100'/><frame name='at_10' x='10'/>"  \
    "<frame name='at_12' x='12'/><frame name='at_14' x='14'/><plane name='base'/><curve "       \
    "name='hill' y='-5' function='-x^2'/>"                                                      \
    "<hollow_sphere name='cave' radius='100'/><shaft name='pole' x='50' radius='1'/>"           \
    "<bore name='pipe' radius='50'/></ground>"                                                  \
    "<contact name='d1' first='s1.ball' second='ground.base'/>"                                 \
    "<contact name='d2' first='s1.ball' second='ground.cave'/>"                                 \
    "<contact name='d3' first='s1.ball' second='ground.pole'/>"                                 \
    "<contact name='d4' first='s1.ball' second='ground.pipe'/>"                                 \
    "<contact name='c3' first='m.p' second='ground.hill'/>"                                     \
    "<contact name='d5' first='s1.cube' second='ground.base'/>"                                 \
    "<contact name='d6' first='s1.pin' second='ground.pipe'/>"

static const char everything[] = PLANE JOINTS SPACE;  // with what follows: in one it is too long
static const char more[] =
    "<spatial_beam name='rope' length='1' width='0.01' height='0.01' youngs_modulus='2e9' "
    "density='1' initial_z='3'><skin name='skin'/></spatial_beam><ground><plane "
    "name='base'/></ground>"
    "<contact name='lies' first='rope.skin' second='ground.base'/>"
    "<part name='pair'><parameter name='size' value='0.5' min='0.1'/>"
    "<spatial_body name='a'" INERTIA
    "initial_x='30*size'/><planar_body name='b' mass='1' inertia='1' initial_y='40'/></part>"
    "<use name='here' part='pair' x='3' rotation_z='1' size='2'/>"
    "<spatial_body name='c'" INERTIA
    "initial_z='90'><capsule name='capsule' x_2='1' radius='0.1' group='parts'/><cylinder "
    "name='cylinder' radius='1' length='2' group='parts'/><hull name='hull' group='parts'><vertex "
    "x='1'/><vertex y='1'/><vertex z='1'/><vertex /></hull></spatial_body>"
    "<contacts name='all' first='parts'/><contact_sensor name='load' on='c.hull' of='all'/>";
static const char surfaces[] =
    "<planar_body name='b' mass='1' inertia='1' initial_y='40'>"
    "<segment name='segment' x_2='1'/><cam name='cam' function='1 + 0.1*cos(angle)'/><arc "
    "name='arc' radius='1' from_angle='0' to_angle='1' "
    "thickness='0.1'/><polygon name='polygon' sides='5' radius='1'/>"
    "<outline name='outline'><to x='1'/><arc_to x='-1' radius='1'/></outline></planar_body>";

static const Variable* find(const Simulation* simulation, const char* name) {
    return &simulation_variables(simulation)->variables[index_of(simulation, name)];
}

// --- rules that hold for every table ---

static void check_names(const VariableTable* table) {
    for (int i = 0; i < table->n_variables; i++) {
        assert_int_equal(variable_find(table, table->variables[i].name), i);  // unique, too
        assert_non_null(table->variables[i].help);
    }
    for (int i = 1; i < table->n_variables; i++) {
        assert_true(strcmp(table->variables[table->by_name[i - 1]].name,
                           table->variables[table->by_name[i]].name) < 0);
    }
    assert_int_equal(variable_find(table, ""), -1);
    assert_int_equal(variable_find(table, "zzz"), -1);
    assert_int_equal(variable_find(table, "tim"), -1);
}

static bool settable(const Variable* variable) {
    return variable->causality == CAUSALITY_PARAMETER || variable->causality == CAUSALITY_INPUT;
}

static void check_variable(const VariableTable* table, int i) {
    const Variable* v = &table->variables[i];
    assert_true((v->type == VARIABLE_ENUMERATION) == (v->enumeration != NULL));
    if (v->store == STORE_PARAMETER || v->store == STORE_INPUT) {
        assert_true(isfinite(v->start) && v->start >= v->min && v->start <= v->max);
    }
    if (v->type != VARIABLE_REAL) {  // FMI: only reals are continuous
        assert_int_not_equal(v->variability, VARIABILITY_CONTINUOUS);
    }
    const bool parameter =
        v->causality == CAUSALITY_PARAMETER || v->causality == CAUSALITY_CALCULATED_PARAMETER;
    const bool constant = v->causality == CAUSALITY_LOCAL && v->store == STORE_PARAMETER;
    assert_true((parameter || constant) ==
                (v->variability == VARIABILITY_FIXED || v->variability == VARIABILITY_TUNABLE));
    assert_false(constant && v->variability == VARIABILITY_TUNABLE);
    if (v->derivative_of >= 0) {
        const Variable* of = &table->variables[v->derivative_of];
        assert_int_equal(of->derivative, i);
        assert_int_equal(unit_get(v->unit)->s, unit_get(of->unit)->s - 1);
        assert_int_equal(unit_get(v->unit)->m, unit_get(of->unit)->m);
    }
    if (v->derivative >= 0) {
        assert_int_equal(table->variables[v->derivative].derivative_of, i);
    }
    for (int k = 0; k < v->n_known_inputs; k++) {
        assert_int_equal(table->variables[v->known_inputs[k]].causality, CAUSALITY_INPUT);
    }
    for (int k = 0; k < v->n_known_initially; k++) {
        assert_true(settable(&table->variables[v->known_initially[k]]));
    }
}

// Every value can be read once the motion has started, and time has its place.
static void check_values(Simulation* simulation) {
    const VariableTable* table = simulation_variables(simulation);
    start(simulation);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < table->n_variables; i++) {
            double value = NAN;
            const char* text = NULL;
            if (table->variables[i].type == VARIABLE_STRING) {
                assert_int_equal(simulation_get_string(simulation, i, &text), STATUS_OK);
                assert_non_null(text);
                assert_int_equal(simulation_get(simulation, i, &value), STATUS_NOT_ALLOWED);
                continue;
            }
            assert_int_equal(simulation_get(simulation, i, &value), STATUS_OK);
            assert_true(isfinite(value));
            assert_true(value >= table->variables[i].min && value <= table->variables[i].max);
            assert_int_equal(simulation_get_string(simulation, i, &text), STATUS_NOT_ALLOWED);
        }
        advance(simulation, simulation_info(simulation)->step_size);
    }
}

static void check_table(Simulation* simulation) {
    const VariableTable* table = simulation_variables(simulation);
    check_names(table);
    assert_int_equal(table->variables[0].causality, CAUSALITY_INDEPENDENT);
    for (int i = 0; i < table->n_variables; i++) {
        check_variable(table, i);
    }
    check_values(simulation);
}

static void check_model(const char* text) {
    Simulation* simulation = mechanism_new(text);
    check_table(simulation);
    simulation_destroy(simulation);
}

static void test_models_with_everything(void** state) {
    (void)state;
    for (int i = 0; i < element_kinds_count; i++) {  // they have every kind of element
        char tag[64];
        snprintf(tag, sizeof tag, "<%s ", element_kinds[i]->tag);
        if (strstr(everything, tag) == NULL && strstr(more, tag) == NULL &&
            strstr(surfaces, tag) == NULL && strcmp(element_kinds[i]->tag, "ground") != 0) {
            fail_msg("the models of this test lack a <%s>", element_kinds[i]->tag);
        }
    }
    check_model(everything);
    check_model(more);
    check_model(surfaces);
}

static void test_models_of_the_project(void** state) {
    (void)state;
    DIR* directory = opendir("resources/models");
    assert_non_null(directory);
    int n_models = 0;
    for (const struct dirent* entry = readdir(directory); entry != NULL;
         entry = readdir(directory)) {
        if (strstr(entry->d_name, ".xml") == NULL) {
            continue;
        }
        char path[512];
        static Messages messages;
        Report report = {.context = &messages, .add = messages_add};
        ModelFiles files;
        snprintf(path, sizeof path, "resources/models/%s", entry->d_name);
        assert_true(model_files_read(path, &report, &files));
        Simulation* simulation = simulation_create(&files, &report);
        if (simulation == NULL) {
            fail_msg("%s: %s", path, messages.text);
        }
        check_table(simulation);
        simulation_destroy(simulation);
        model_files_release(&files);
        n_models++;
    }
    closedir(directory);
    assert_true(n_models > 0);
}

// --- what the model says, in the table ---

static void test_causalities(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(everything);
    static const struct {
        const char* name;
        Causality causality;
        Variability variability;
        UnitId unit;
    } expected[] = {
        {"size", CAUSALITY_PARAMETER, VARIABILITY_FIXED, UNIT_METRE},
        {"stiff", CAUSALITY_PARAMETER, VARIABILITY_TUNABLE, UNIT_NEWTON_PER_METRE},
        {"twice", CAUSALITY_CALCULATED_PARAMETER, VARIABILITY_FIXED, UNIT_ONE},
        {"push", CAUSALITY_INPUT, VARIABILITY_CONTINUOUS, UNIT_NEWTON},
        {"b.inertia", CAUSALITY_CALCULATED_PARAMETER, VARIABILITY_FIXED,
         UNIT_KILOGRAM_METRE_SQUARED},
        {"b.mass", CAUSALITY_PARAMETER, VARIABILITY_FIXED, UNIT_KILOGRAM},
        {"b.rim.radius", CAUSALITY_CALCULATED_PARAMETER, VARIABILITY_FIXED, UNIT_METRE},
        {"spring.stiffness", CAUSALITY_CALCULATED_PARAMETER, VARIABILITY_TUNABLE,
         UNIT_NEWTON_PER_METRE},
        {"spring.damping", CAUSALITY_PARAMETER, VARIABILITY_TUNABLE, UNIT_NEWTON_SECOND_PER_METRE},
        {"c1.friction_coefficient", CAUSALITY_PARAMETER, VARIABILITY_TUNABLE, UNIT_ONE},
        {"b.x", CAUSALITY_OUTPUT, VARIABILITY_CONTINUOUS, UNIT_METRE},
        {"b.acceleration_x", CAUSALITY_LOCAL, VARIABILITY_CONTINUOUS,
         UNIT_METRE_PER_SECOND_SQUARED},
        {"c1.state", CAUSALITY_OUTPUT, VARIABILITY_DISCRETE, UNIT_ONE},
        {"c1.gap", CAUSALITY_OUTPUT, VARIABILITY_CONTINUOUS, UNIT_METRE},
        {"energy.total", CAUSALITY_OUTPUT, VARIABILITY_CONTINUOUS, UNIT_JOULE},
        {"time", CAUSALITY_INDEPENDENT, VARIABILITY_CONTINUOUS, UNIT_SECOND},
    };
    for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const Variable* v = find(simulation, expected[i].name);
        if (v->causality != expected[i].causality || v->variability != expected[i].variability ||
            v->unit != expected[i].unit) {
            fail_msg("%s", expected[i].name);
        }
    }
    assert_close(find(simulation, "push")->max, 5.0, 0.0, "max");
    assert_close(find(simulation, "push")->start, 1.0, 0.0, "start");
    assert_close(find(simulation, "b.inertia")->start, 0.01, 1e-17, "start");
    assert_string_equal(find(simulation, "size")->help, "a size");
    simulation_destroy(simulation);
}

static bool knows_initially(const Simulation* simulation, const char* of, const char* name) {
    const Variable* v = find(simulation, of);
    for (int i = 0; i < v->n_known_initially; i++) {
        if (v->known_initially[i] == index_of(simulation, name)) {
            return true;
        }
    }
    return false;
}

static void test_dependencies(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(everything);
    assert_true(knows_initially(simulation, "twice", "size"));
    assert_true(knows_initially(simulation, "b.x", "b.initial_x"));
    assert_false(knows_initially(simulation, "b.x", "b.mass"));
    assert_true(knows_initially(simulation, "c1.gap", "size"));  // through the radius
    assert_true(knows_initially(simulation, "b.acceleration_x", "push"));
    assert_true(knows_initially(simulation, "spring.tension", "stiff"));
    assert_int_equal(find(simulation, "b.acceleration_x")->n_known_inputs, 2);
    assert_int_equal(find(simulation, "b.velocity_x")->n_known_inputs, 0);
    simulation_destroy(simulation);
}

static void test_declared_outputs(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<point_mass name='m' mass='1'/><outputs><output variable='m.acceleration_x'/>"
        "<output variable='energy.kinetic'/></outputs>");
    int n_outputs = 0;
    const VariableTable* table = simulation_variables(simulation);
    for (int i = 0; i < table->n_variables; i++) {
        n_outputs += table->variables[i].causality == CAUSALITY_OUTPUT;
    }
    assert_int_equal(n_outputs, 2);
    assert_int_equal(find(simulation, "m.acceleration_x")->causality, CAUSALITY_OUTPUT);
    assert_int_equal(find(simulation, "m.x")->causality, CAUSALITY_LOCAL);
    simulation_destroy(simulation);
}

// Wherever memory ends, that is what is told; and it ends where all fit.
static void test_shortage(void** state) {
    (void)state;
    const char* text =
        "<mechanism xmlns='urn:clatter:model:1' name='m'><point_mass name='m' mass='1'/>"
        "<repeat index='i' count='50'><point_mass name='hidden' mass='i'/></repeat></mechanism>";
    const ModelFiles files = {.model_name = "m", .model = text, .n_model = strlen(text)};
    Arena arena = {0};
    Messages messages = {0};
    Report report = {.add = messages_add, .context = &messages};
    Model model;
    assert_int_equal(model_read(&files, &arena, &arena, &report, &model), STATUS_OK);
    Status status = STATUS_OUT_OF_MEMORY;
    size_t limit = 0;
    while (status != STATUS_OK) {
        assert_int_equal(status, STATUS_OUT_OF_MEMORY);
        limit += 64;
        Arena short_of = {.limit = limit};
        VariableTable table;
        status = variables_create(&model, &short_of, &report, &table);
        arena_free(&short_of);
    }
    assert_true(limit < 60000);  // what is repeated has no variables, and takes no room for them
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_with_everything),
        cmocka_unit_test(test_models_of_the_project),
        cmocka_unit_test(test_causalities),
        cmocka_unit_test(test_dependencies),
        cmocka_unit_test(test_declared_outputs),
        cmocka_unit_test(test_shortage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
