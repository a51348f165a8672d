// Shapes as the reader makes them: vertices, groups and masses from shapes, and what is wrong with
// them.
#include "mechanism.h"

#include <math.h>

#include "elements/surface.h"
#include "reader/model.h"
#include "system/shape_masses.h"

static Messages messages;
static Arena arena;
static Model model;

// Reads a model of some elements; true if it can be used.
static bool read_elements(const char* elements) {
    static char text[1 << 16];
    Report report = {.context = &messages, .add = messages_add};
    messages = (Messages){0};
    arena_free(&arena);
    (void)snprintf(text, sizeof text,
                   "<mechanism xmlns='urn:clatter:model:1' name='m'>\n%s</mechanism>", elements);
    const ModelFiles files = {.model_name = "m.xml", .model = text, .n_model = strlen(text)};
    return model_read(&files, &arena, &arena, &report, &model) == STATUS_OK;
}

static const Element* find_element(const char* name) {
    for (int i = 0; i < model.system.n_elements; i++) {
        if (strcmp(model.system.elements[i].name, name) == 0) {
            return &model.system.elements[i];
        }
    }
    fail_msg("there is no %s", name);
    return NULL;
}

static double start_of(const char* name) {
    for (int i = 0; i < model.system.n_elements; i++) {
        const Element* element = &model.system.elements[i];
        const size_t n = strlen(element->name);
        for (int j = 0; j < element->p.n && strncmp(element->name, name, n) == 0; j++) {
            if (name[n] == '.' && strcmp(element->kind->parameters[j].name, name + n + 1) == 0) {
                return model.system.p_start[element->p.at + j];
            }
        }
    }
    fail_msg("there is no parameter %s", name);
    return 0.0;
}

static int free_model(void** state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

#define BODY(shapes) "<planar_body name='b' mass='1' inertia='1'>\n" shapes "</planar_body>\n"

static void test_vertices(void** state) {
    (void)state;
    assert_true(read_elements("<parameter name='r' value='2'/>" BODY(
        "<outline name='o'><to x='r'/><repeat count='3'><to x='-i' y='i'/></repeat><arc_to "
        "x='-1' y='-5' radius='-9' large='no'/></outline><point name='p'/>")));
    const Element* shape = find_element("b.o");
    assert_int_equal(shape->vertices.n, 5);
    assert_ptr_equal(&model.system.elements[shape->vertices.at], shape + 1);
    const Element* vertex = find_element("b.o.to[4]");
    assert_ptr_equal(vertex, shape + 4);
    assert_true(vertex->hidden);
    assert_int_equal(vertex->parent, (int)(shape - model.system.elements));
    assert_true(fabs(start_of("b.o.to[4].y") - 3.0) <= 0.0);
    assert_true(fabs(start_of("b.o.to[1].x") - 2.0) <= 0.0);
    assert_true(fabs(start_of("b.o.arc_to[5].radius") + 9.0) <= 0.0);
    assert_true(fabs(start_of("b.o.arc_to[5].large") - 1.0) <= 0.0);
}

static void test_surfaces(void** state) {
    (void)state;
    static const char* const shapes[] = {"b.point", "b.circle",  "b.ring",    "b.line",
                                         "b.box",   "b.segment", "b.polygon", "b.arc"};
    assert_true(read_elements(
        BODY("<point name='point'/><circle name='circle' radius='1'/><ring name='ring' radius='1'/>"
             "<line name='line'/><box name='box' length='1' height='2' angle='1'/>"
             "<segment name='segment' x_2='1'/><polygon name='polygon' sides='5' radius='1'/>"
             "<arc name='arc' radius='1' from_angle='0' to_angle='7-4' thickness='0.1'/>")));
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const Element* shape = find_element(shapes[i]);
        const ShapeView view = surface_view(model.system.elements, shape, model.system.p_start);
        Surface surface;
        assert_true(surface_create(shape->kind->surface_size(&view), &arena, &surface));
        assert_null(shape->kind->surface(&view, &surface));
        assert_int_equal(surface.fault, -1);
        assert_true(surface.outline.n > 0);
    }
}

static void test_groups(void** state) {
    (void)state;
    assert_true(
        read_elements(BODY("<repeat count='3'><circle name='c' radius='1' group='wheels'/></repeat>"
                           "<point name='p'/><point name='q' group='feet'/>")  //
                      "<contacts name='all' first='wheels' second='feet'/>"
                      "<contacts name='own' first='wheels'/>"));
    const int wheels = find_element("b.c[1]")->group;
    const int feet = find_element("b.q")->group;
    assert_true(wheels > 0 && feet > 0 && wheels != feet);
    assert_int_equal(find_element("b.c[3]")->group, wheels);
    assert_int_equal(find_element("b.p")->group, 0);
    const Element* contacts = find_element("all");
    assert_int_equal(element_group(contacts, 0), wheels);
    assert_int_equal(element_group(contacts, 1), feet);
    assert_int_equal(element_target(contacts, 0), -1);
    assert_int_equal(element_group(find_element("own"), 1), 0);
    assert_int_equal(find_element("own")->references[1], -1);
}

static void test_contacts_are_of_space_with_their_shapes(void** state) {
    (void)state;
    assert_true(read_elements(
        "<spatial_body name='b' mass='1' inertia_xx='1' inertia_yy='1' inertia_zz='1'>"
        "<sphere name='s' radius='1' group='balls'/></spatial_body>"
        "<ground><plane name='p' group='floor'/></ground>"
        "<contacts name='all' first='floor' second='balls' contact_radius='0.1'/>"));
    assert_null(find_element("all")->kind->spatial);
}

static void test_masses(void** state) {
    (void)state;
    assert_true(
        read_elements("<planar_body name='b'><box name='p' length='2' height='1' density='3'/>"
                      "<box name='q' x='4' length='2' height='1' density='3'/></planar_body>"));
    assert_true(fabs(start_of("b.mass") - 12.0) <= 1e-12);
    assert_true(fabs(start_of("b.centre_of_mass_x") - 2.0) <= 1e-12);
    const double inertia = 2.0 * 6.0 * 5.0 / 12.0 + 12.0 * 4.0;
    assert_true(fabs(start_of("b.inertia") - inertia) <= 1e-11);
    assert_int_equal(model.masses.n_bodies, 1);
    assert_true(model.parameters[find_element("b")->p.at].from_shapes);
}

static void test_problems(void** state) {
    (void)state;
    static const struct {
        const char *elements, *message;
    } cases[] = {
        {BODY("<polygon name='p'><vertex/><vertex x='1'/><vertex x='0.1' y='0.1'/><vertex y='1'/>"
              "</polygon>"),
         "3:43: b.p: the polygon is not convex at this vertex"},
        {BODY("<polygon name='p'><circle/></polygon>"), "3:19: <circle> is not known in"},
        {BODY("<circle name='p' radius='1' group='1'/>"), "3:36: group=\"1\": expected"},
        {BODY("") "<contacts name='c' first='none'/>", "4:27: first=\"none\": no shape is"},
        {"<planar_body name='b'/>", "2:1: b has no mass"},
        {"<planar_body name='b' mass='1'/>", "2:1: <planar_body> needs the attribute inertia"},
        {"<planar_body name='b' centre_of_mass_x='1'/>", "2:41: centre_of_mass_x=\"1\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_false(read_elements(cases[i].elements));
        if (strstr(messages.text, cases[i].message) == NULL) {
            fail_msg("expected '%s', not '%s'", cases[i].message, messages.text);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_contacts_are_of_space_with_their_shapes),
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_problems),
    };
    return cmocka_run_group_tests(tests, NULL, free_model);
}
