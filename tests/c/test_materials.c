// Tables of material pairs: found in either order, checked, and used by contacts.
#include "mechanism.h"

#include "reader/materials.h"

#define TABLE(content) "<materials xmlns='urn:clatter:materials:1'>" content "</materials>"

static Arena arena;
static Messages messages;
static MaterialTable table;

static Status read(const char* text) {
    arena_free(&arena);
    messages = (Messages){0};
    Report report = {.context = &messages, .add = messages_add};
    const Status status =
        materials_read("materials.xml", text, strlen(text), &arena, &report, &table);
    assert_true((status == STATUS_OK) == (report.n_errors == 0));
    return status;
}

static void test_pairs(void** state) {
    (void)state;
    assert_int_equal(read(TABLE("<pair first='steel' second='rubber' friction_coefficient='0.8'"
                                " normal_restitution='0.4' source='a book'/>"
                                "<pair first='steel' second='steel' friction_coefficient='2e-1'"
                                " tangential_restitution='-0.5'/>")),
                     STATUS_OK);
    assert_int_equal(table.n_pairs, 2);
    const MaterialPair* pair = materials_find(&table, "rubber", "steel");
    assert_non_null(pair);
    assert_ptr_equal(pair, materials_find(&table, "steel", "rubber"));
    assert_close(pair->values[FRICTION_COEFFICIENT], 0.8, 0.0, "friction");
    assert_close(pair->values[NORMAL_RESTITUTION], 0.4, 0.0, "restitution");
    assert_true(isnan(pair->values[TANGENTIAL_RESTITUTION]));
    assert_close(materials_find(&table, "steel", "steel")->values[TANGENTIAL_RESTITUTION], -0.5,
                 0.0, "tangential restitution");
    assert_null(materials_find(&table, "rubber", "rubber"));
    assert_null(materials_find(&table, "", ""));
    arena_free(&arena);
}

static void test_refused(void** state) {
    (void)state;
    static const struct {
        const char* text;
        const char* says;
    } cases[] = {
        {"<materials/>", "namespace"},
        {"<pairs xmlns='urn:clatter:materials:1'/>", "expected <materials>"},
        {TABLE("<pear first='a' second='b'/>"), "1:"},
        {TABLE("<pair first='a'/>"), "first and second"},
        {TABLE("<pair first='a' second='b' friction='1'/>"), "friction"},
        {TABLE("<pair first='a' second='b' friction_coefficient='-1'/>"), "-1"},
        {TABLE("<pair first='a' second='b' normal_restitution='1.01'/>"), "1.01"},
        {TABLE("<pair first='a' second='b' friction_coefficient='nan'/>"), "nan"},
        {TABLE("<pair first='a' second='b' friction_coefficient='1e999'/>"), "1e999"},
        {TABLE("<pair first='a' second='b' friction_coefficient='0,5'/>"), "0,5"},
        {TABLE("<pair first='a' second='b' friction_coefficient=''/>"), "friction_coefficient"},
        {TABLE("<pair first='a' second='b'/><pair first='b' second='a'/>"), "twice"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(read(cases[i].text), STATUS_INVALID_MODEL);
        if (strstr(messages.text, cases[i].says) == NULL) {
            fail_msg("%s\ngives %s", cases[i].text, messages.text);
        }
    }
    arena_free(&arena);
}

// Contacts of a model take what the table has, unless they say it themselves.
static void test_contacts_take_their_pair(void** state) {
    (void)state;
    static const char model[] =
        "<mechanism xmlns='urn:clatter:model:1' name='m' materials='materials.xml'>"
        "<point_mass name='a' mass='1' material='steel'><point name='p'/>"
        "<point name='q' material='wood'/></point_mass><ground material='steel'>"
        "<line name='floor'/></ground>"
        "<contact name='c1' first='a.p' second='ground.floor'/>"
        "<contact name='c2' first='a.q' second='ground.floor' friction_coefficient='0.1'/>"
        "</mechanism>";
    static const char good[] = TABLE(
        "<pair first='steel' second='steel' friction_coefficient='0.15'/>"
        "<pair first='steel' second='wood' friction_coefficient='0.5'"
        " normal_restitution='0.25'/>");
    Simulation* simulation = mechanism_read(model, good, &messages);
    assert_non_null(simulation);
    assert_close(value_of(simulation, "c1.friction_coefficient"), 0.15, 0.0, "from the table");
    assert_close(value_of(simulation, "c1.normal_restitution"), 0.0, 0.0, "the default");
    assert_close(value_of(simulation, "c2.friction_coefficient"), 0.1, 0.0, "its own");
    assert_close(value_of(simulation, "c2.normal_restitution"), 0.25, 0.0, "from the table");
    simulation_destroy(simulation);
    assert_null(mechanism_read(model, NULL, &messages));
    assert_null(mechanism_read(model, TABLE(""), &messages));
    assert_non_null(strstr(messages.text, "no pair of steel and steel"));
    assert_null(mechanism_read(model, TABLE("<pair/>"), &messages));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_contacts_take_their_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
