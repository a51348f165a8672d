// What is allowed in a model but hardly meant.
#include "elements/settings.h"
#include "reader/reader.h"

#define ELEMENT_WARNING(reader, element, ...) \
    report_add((reader)->report, SEVERITY_WARNING, (element)->place, __VA_ARGS__)

// Shapes that nothing refers to
static void warn_of_idle_shapes(Reader* reader) {
    bool* used = ARENA_NEW(reader->arena, reader->n_elements, bool);
    for (int i = 0; i < reader->n_elements && used != NULL; i++) {
        const Element* element = &reader->elements[i];
        for (int j = 0; j < element->kind->n_references; j++) {
            if (element->references[j] >= 0) {
                used[element->references[j]] = true;
            }
        }
    }
    for (int i = 0; i < reader->n_elements && used != NULL; i++) {
        const Element* element = &reader->elements[i];
        if (element->kind->role == ROLE_SHAPE && !used[i]) {
            ELEMENT_WARNING(reader, element,
                            "%s is in no contact, joint, force or sensor: nothing touches it",
                            element->name);
        }
    }
}

// Bodies of the plane do not feel gravity along z.
static void warn_of_gravity(Reader* reader, const double* p) {
    const System* sys = &reader->model->system;
    bool planar = true;
    const Element* gravity = NULL;
    for (int i = 0; i < reader->n_elements; i++) {
        const Element* element = &reader->elements[i];
        planar = planar && !(element->kind->role == ROLE_BODY && element->kind->body->spatial);
        gravity = element->kind->setting == SETTING_GRAVITY ? element : gravity;
    }
    if (planar && gravity != NULL && p[sys->gravity + GRAVITY_Z] != 0.0) {
        ELEMENT_WARNING(
            reader, gravity,
            "gravity along z acts on no body: all bodies are of the plane, and up is y");
    }
}

static void warn_of_idle_tables(Reader* reader) {
    for (int i = 0; i < reader->n_tables; i++) {
        if (!reader->table_is_used[i]) {
            report_add(reader->report, SEVERITY_WARNING,
                       xml_place(reader->tree, reader->table_nodes[i]),
                       "no expression calls the table %s", reader->tables[i].name);
        }
    }
}

void warn_of_oddities(Reader* reader, const double* p) {
    warn_of_idle_shapes(reader);
    warn_of_idle_tables(reader);
    warn_of_gravity(reader, p);
    for (int i = 0; i < reader->n_elements; i++) {
        const Element* element = &reader->elements[i];
        const bool is_body = element->kind->role == ROLE_BODY;
        const char* doubt = is_body && element->kind->body->doubt != NULL
                                ? element->kind->body->doubt(p + element->p.at)
                                : NULL;
        if (doubt != NULL) {
            ELEMENT_WARNING(reader, element, "%s: %s", element->name, doubt);
        }
    }
}
