// The writers of modelDescription.xml and of the documentation, on a table that has one variable of
// each kind, and on hostile text.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <expat.h>

#include "modelDescription/documentation.h"
#include "modelDescription/integer_enumerations.h"
#include "modelDescription/model_description.h"

enum {
    TIME,
    MASS,
    ANGLE_0,
    FORCE,
    SCHEME,
    COUNT,
    ON,
    INERTIA,
    X,
    V,
    A,
    STATE,
    N_ITER,
    OK,
    TEXT,
    N
};

static const EnumerationItem schemes[] = {{"moreau_jean", "Moreau–Jean"}, {"other", ""}};
static const EnumerationType scheme = {"Scheme", "how time is stepped", schemes, 2, 0};
static const EnumerationItem states[] = {{"open", ""}, {"slip", ""}, {"stick", ""}};
static const EnumerationType state = {"State", "", states, 3, 0};

static const int unordered[] = {FORCE, MASS, FORCE};
static const int force_alone[] = {FORCE};

#define NO_BOUNDS .min = -INFINITY, .max = INFINITY, .derivative_of = -1

// clang-format off
static const Variable variables[N] = {
    [TIME] = {"time", "Time", VARIABLE_REAL, CAUSALITY_INDEPENDENT, VARIABILITY_CONTINUOUS,
              UNIT_SECOND, NO_BOUNDS},
    [MASS] = {"a.mass", "1 < 2 & \"3\" \n é", VARIABLE_REAL, CAUSALITY_PARAMETER,
              VARIABILITY_TUNABLE, UNIT_KILOGRAM, .start = 0.1, .min = 0, .max = INFINITY,
              .nominal = 2, .derivative_of = -1},
    [ANGLE_0] = {"a.initial_angle", "", VARIABLE_REAL, CAUSALITY_PARAMETER, VARIABILITY_FIXED,
                 UNIT_RADIAN, NO_BOUNDS},
    [FORCE] = {"Force", "", VARIABLE_REAL, CAUSALITY_INPUT, VARIABILITY_CONTINUOUS, UNIT_NEWTON,
               .start = 3, NO_BOUNDS},
    [SCHEME] = {"solver.scheme", "", VARIABLE_ENUMERATION, CAUSALITY_PARAMETER, VARIABILITY_FIXED,
                UNIT_ONE, &scheme, .start = 2, NO_BOUNDS},
    [COUNT] = {"solver.count", "", VARIABLE_INTEGER, CAUSALITY_PARAMETER, VARIABILITY_FIXED,
               UNIT_ONE, .start = 7, .min = 1, .max = 1e300, .derivative_of = -1},
    [ON] = {"solver.on", "", VARIABLE_BOOLEAN, CAUSALITY_PARAMETER, VARIABILITY_FIXED, UNIT_ONE,
            .start = 1, NO_BOUNDS},
    [INERTIA] = {"a.inertia", "", VARIABLE_REAL, CAUSALITY_CALCULATED_PARAMETER, VARIABILITY_FIXED,
                 UNIT_KILOGRAM_METRE_SQUARED, .start = 4, NO_BOUNDS, .known_initially = unordered,
                 .n_known_initially = 3},
    [X] = {"a.x", "", VARIABLE_REAL, CAUSALITY_OUTPUT, VARIABILITY_CONTINUOUS, UNIT_METRE,
           NO_BOUNDS},
    [V] = {"a.velocity_x", "", VARIABLE_REAL, CAUSALITY_OUTPUT, VARIABILITY_CONTINUOUS,
           UNIT_METRE_PER_SECOND, .min = -INFINITY, .max = INFINITY, .derivative_of = X,
           .known_inputs = force_alone, .n_known_inputs = 1},
    [A] = {"a.acceleration_x", "", VARIABLE_REAL, CAUSALITY_LOCAL, VARIABILITY_CONTINUOUS,
           UNIT_METRE_PER_SECOND, .min = -INFINITY, .max = INFINITY, .derivative_of = V},
    [STATE] = {"c.state", "the contact", VARIABLE_ENUMERATION, CAUSALITY_OUTPUT, VARIABILITY_DISCRETE,
               UNIT_ONE, &state, NO_BOUNDS},
    [N_ITER] = {"solver.iterations", "", VARIABLE_INTEGER, CAUSALITY_LOCAL, VARIABILITY_DISCRETE,
                UNIT_ONE, NO_BOUNDS},
    [OK] = {"State", "like a type", VARIABLE_BOOLEAN, CAUSALITY_LOCAL, VARIABILITY_DISCRETE,
            UNIT_ONE, NO_BOUNDS},
    [TEXT] = {"solver.message", "", VARIABLE_STRING, CAUSALITY_LOCAL, VARIABILITY_DISCRETE,
              UNIT_ONE, NO_BOUNDS},
};
// clang-format on

static int by_name[N];  // filled by set_up
static const VariableTable table = {variables, N, by_name};

static const ModelInfo info = {
    .name = "thing",
    .description = "A <thing> & \"more\", größer",
    .author = "",
    .version = "1.2",
    .guid = "{01234567-89ab-cdef-0123-456789abcdef}",
    .stop_time = 2,
    .step_size = 0.001,
    .tolerance = 1e-8,
};

static int compare_names(const void* a, const void* b) {
    return strcmp(variables[*(const int*)a].name, variables[*(const int*)b].name);
}

static int set_up(void** state_) {
    TextBuffer* out = calloc(1, sizeof *out);
    for (int i = 0; i < N; i++) {
        by_name[i] = i;
    }
    qsort(by_name, N, sizeof by_name[0], compare_names);
    model_description_write(&info, &table, out);
    *state_ = out;
    return out->failed;
}

static int tear_down(void** state_) {
    text_buffer_free(*state_);
    free(*state_);
    return 0;
}

static void assert_has(const TextBuffer* out, const char* part) {
    if (strstr(out->text, part) == NULL) {
        fail_msg("missing: %s\nin:\n%s", part, out->text);
    }
}

static void assert_lacks(const TextBuffer* out, const char* part) {
    if (strstr(out->text, part) != NULL) {
        fail_msg("unexpected: %s", part);
    }
}

static int count_parts(const TextBuffer* out, const char* part) {
    int n = 0;
    for (const char* at = out->text; (at = strstr(at, part)) != NULL; at++) {
        n++;
    }
    return n;
}

static void is_well_formed_and_escaped(void** state_) {
    const TextBuffer* out = *state_;
    XML_Parser parser = XML_ParserCreate(NULL);
    assert_int_equal(XML_Parse(parser, out->text, (int)out->n, 1), XML_STATUS_OK);
    XML_ParserFree(parser);
    assert_has(out, "description=\"A &lt;thing&gt; &amp; &quot;more&quot;, größer\"");
    assert_has(out, "description=\"1 &lt; 2 &amp; &quot;3&quot;   é\"");
    assert_lacks(out, "author=");
    assert_lacks(out, "generationDateAndTime");
}

static void repeats_byte_for_byte(void** state_) {
    const TextBuffer* out = *state_;
    TextBuffer again = {0};
    model_description_write(&info, &table, &again);
    assert_int_equal(again.n, out->n);
    assert_memory_equal(again.text, out->text, out->n);
    text_buffer_free(&again);
}

static void starts_are_given_where_fmi_wants_them(void** state_) {
    const TextBuffer* out = *state_;
    assert_lacks(out, "independent");  // time is there without being listed
    assert_has(out,
               "causality=\"parameter\" variability=\"tunable\" initial=\"exact\">"
               "<Real declaredType=\"Mass\" min=\"0\" nominal=\"2\" start=\"0.1\" unit=\"kg\"/>");
    assert_has(out,
               "causality=\"input\" variability=\"continuous\"><Real declaredType=\"Force_\" "
               "start=\"3\" unit=\"N\"/>");
    assert_has(out, "<Enumeration declaredType=\"Scheme\" start=\"2\"/>");
    assert_has(out, "<Integer min=\"1\" start=\"7\"/>");  // a maximum that no fmi2Integer can hold
    assert_has(out, "<Boolean start=\"true\"/>");
    assert_has(out,
               "causality=\"calculatedParameter\" variability=\"fixed\" initial=\"calculated\">"
               "<Real declaredType=\"MomentOfInertia\" unit=\"kg.m2\"/>");
    assert_has(out, "<Real declaredType=\"Velocity\" derivative=\"8\" unit=\"m/s\"/>");
    assert_lacks(out, "derivative=\"9\"");  // of a velocity that is an output, but itself is none
    assert_int_equal(count_parts(out, " start="), 6);
    assert_int_equal(count_parts(out, "initial=\"exact\""), 5);
    assert_int_equal(count_parts(out, "initial=\"calculated\""), 8);
}

static void units_are_those_in_use(void** state_) {
    const TextBuffer* out = *state_;
    assert_int_equal(count_parts(out, "<Unit name="), 7);
    assert_has(out, "<Unit name=\"N\">\n      <BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/>");
    assert_has(out, "<DisplayUnit name=\"deg\" factor=\"57.2957795130823");
    assert_lacks(out, "N.m/rad");
}

static void types_are_declared_once_and_named_unlike_variables(void** state_) {
    const TextBuffer* out = *state_;
    assert_int_equal(count_parts(out, "<SimpleType name=\"Scheme\""), 1);
    assert_has(out, "<SimpleType name=\"Force_\"");
    assert_has(out, "<SimpleType name=\"State_\"");
    assert_lacks(out, "<SimpleType name=\"State\"");
    assert_has(out, "<Item name=\"stick\" value=\"3\"/>");
    assert_has(out, "<Enumeration declaredType=\"State_\"/>");
}

static void enumerations_can_be_integers(void** state_) {
    (void)state_;
    Arena arena = {0};
    VariableTable integers;
    TextBuffer out = {0};
    assert_int_equal(integer_enumerations(&table, &arena, &integers), STATUS_OK);
    model_description_write(&info, &integers, &out);
    assert_lacks(&out, "Enumeration");
    assert_lacks(&out, "SimpleType name=\"Scheme\"");
    assert_has(&out, "<Integer min=\"1\" max=\"2\" start=\"2\"/>");
    assert_has(&out, "<Integer min=\"1\" max=\"3\"/>");
    assert_has(&out, "description=\"the contact: 1 open, 2 slip, 3 stick\"");
    text_buffer_free(&out);
    arena_free(&arena);
}

static void structure_lists_unknowns_with_ordered_dependencies(void** state_) {
    const TextBuffer* out = *state_;
    assert_has(out,
               "    <Outputs>\n"
               "      <Unknown index=\"8\" dependencies=\"\"/>\n"
               "      <Unknown index=\"9\" dependencies=\"3\" dependenciesKind=\"dependent\"/>\n"
               "      <Unknown index=\"11\" dependencies=\"\"/>\n"
               "    </Outputs>\n"
               "    <InitialUnknowns>\n"
               "      <Unknown index=\"7\" dependencies=\"1 3\" "
               "dependenciesKind=\"dependent dependent\"/>\n"
               "      <Unknown index=\"8\" dependencies=\"\"/>\n"
               "      <Unknown index=\"9\" dependencies=\"\"/>\n"
               "      <Unknown index=\"11\" dependencies=\"\"/>\n"
               "    </InitialUnknowns>\n");
}

static void a_model_without_outputs_has_no_empty_lists(void** state_) {
    (void)state_;
    const int first = TIME;
    const VariableTable only_time = {variables, 1, &first};
    TextBuffer out = {0};
    model_description_write(&info, &only_time, &out);
    assert_lacks(&out, "<Outputs>");
    assert_lacks(&out, "<InitialUnknowns>");
    text_buffer_free(&out);
}

static void documentation_escapes_the_model(void** state_) {
    (void)state_;
    const char model[] = "<model a=\"1 & 2\">\n\tgrün</model>";
    TextBuffer out = {0};
    documentation_write(&info, &table, 2, (Pictures){0}, model, sizeof model - 1, &out);
    assert_has(&out, "<pre>&lt;model a=\"1 &amp; 2\"&gt;\n\tgrün&lt;/model&gt;</pre>");
    assert_has(&out, "<h1>thing</h1>");
    assert_has(&out, "(1 = open, 2 = slip, 3 = stick)");
    assert_lacks(&out, "inf");
    text_buffer_free(&out);
}

static void documentation_stays_utf8_whatever_the_model_is(void** state_) {
    (void)state_;
    // an overlong slash, a surrogate, beyond U+10FFFF, a cut character, a 0 and a stray byte
    const char model[] = "\xC0\xAF \xED\xA0\x80 \xF4\x90\x80\x80 a\0b \xFF \xE2\x82";
    TextBuffer out = {0};
    documentation_write(&info, &table, 2, (Pictures){0}, model, sizeof model - 1, &out);
    const char* shown = strstr(out.text, "resources/model.xml");
    assert_non_null(shown);
    for (const char* c = shown; *c != 0; c++) {
        if ((unsigned char)*c >= 0x80) {
            assert_memory_equal(c, "\xEF\xBF\xBD", 3);
            c += 2;
        }
    }
    assert_has(&out, " ab ");
    text_buffer_free(&out);
}

static void documentation_leaves_huge_models_out(void** state_) {
    (void)state_;
    const size_t n = 1000000;
    char* model = malloc(n);
    assert_non_null(model);
    memset(model, '<', n);
    TextBuffer out = {0};
    documentation_write(&info, &table, 2, (Pictures){0}, model, n, &out);
    assert_has(&out, "too long to be shown");
    assert_true(out.n < 100000);
    text_buffer_free(&out);
    free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_well_formed_and_escaped),
        cmocka_unit_test(repeats_byte_for_byte),
        cmocka_unit_test(starts_are_given_where_fmi_wants_them),
        cmocka_unit_test(units_are_those_in_use),
        cmocka_unit_test(types_are_declared_once_and_named_unlike_variables),
        cmocka_unit_test(enumerations_can_be_integers),
        cmocka_unit_test(structure_lists_unknowns_with_ordered_dependencies),
        cmocka_unit_test(a_model_without_outputs_has_no_empty_lists),
        cmocka_unit_test(documentation_escapes_the_model),
        cmocka_unit_test(documentation_stays_utf8_whatever_the_model_is),
        cmocka_unit_test(documentation_leaves_huge_models_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
