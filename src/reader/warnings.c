// What is allowed in a model but hardly meant.
#include <math.h>

#include "elements/settings.h"
#include "elements/shapes.h"
#include "reader/reader.h"

#define ELEMENT_WARNING(reader, element, ...) \
    report_add((reader)->report, SEVERITY_WARNING, (element)->place, __VA_ARGS__)

// What a shape is written by: of the copies of one text one that is used will do.
static bool* text_of_shape(const Reader* reader, bool* texts, int shape) {
    const XmlNode* node = reader->nodes[shape];
    const bool copied = node->scope != NULL && node->scope->outer != NULL;
    return copied && texts != NULL && (size_t)node->offset < reader->tree->n ? &texts[node->offset]
                                                                             : NULL;
}

static void note_used_texts(const Reader* reader, const bool* used, bool* texts) {
    for (int i = 0; i < reader->n_elements; i++) {
        const bool shape = reader->elements[i].kind->role == ROLE_SHAPE;
        bool* text = shape && used[i] ? text_of_shape(reader, texts, i) : NULL;
        if (text != NULL) {
            *text = true;
        }
    }
}

// Shapes that nothing refers to
static void warn_of_idle_shapes(Reader* reader) {
    const bool copies = reader->tree->root->scope != NULL;
    bool* texts = copies ? ARENA_NEW(reader->arena, reader->tree->n, bool) : NULL;
    bool* used = ARENA_NEW(reader->arena, reader->n_elements, bool);
    for (int i = 0; i < reader->n_elements && used != NULL; i++) {
        const Element* element = &reader->elements[i];
        for (int j = 0; j < element->kind->n_references; j++) {
            if (element_target(element, j) >= 0) {
                used[element_target(element, j)] = true;
            }
        }
    }
    if (used != NULL) {
        note_used_texts(reader, used, texts);
    }
    for (int i = 0; i < reader->n_elements && used != NULL; i++) {
        const Element* element = &reader->elements[i];
        const bool idle = element->kind->role == ROLE_SHAPE && !used[i] && element->group == 0;
        bool* text = idle ? text_of_shape(reader, texts, i) : NULL;
        if (idle && (text == NULL || !*text)) {
            ELEMENT_WARNING(reader, element,
                            "%s is in no contact, joint, force or sensor: nothing touches it",
                            element->name);
        }
        if (text != NULL) {
            *text = true;  // once is enough
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

// --- what may slip through a skin ---

static MarkerView shape_view(const Reader* reader, const Element* shape, const double* p) {
    const Element* body = &reader->elements[shape->parent];
    MarkerView view = {
        .par = p + shape->p.at, .body = body->kind->body, .body_par = p + body->p.at};
    view.n = shape->kind->count != NULL ? shape->kind->count(&view) : 1;
    return view;
}

// The radius of a shape, and how far apart its cross sections are if it has several: 0 if not
static double shape_spacing(const Reader* reader, const Element* shape, const double* p,
                            double* radius) {
    Marker markers[2] = {{.radius = 0.0}};
    double spacing = 0.0;
    if (shape->kind->count != NULL) {
        const MarkerView view = shape_view(reader, shape, p);
        shape->kind->corner(&view, 0, &markers[0]);
        shape->kind->corner(&view, 1, &markers[1]);
        spacing = length3(sub3(markers[1].rho, markers[0].rho));
    } else if (shape->kind->marker != NULL) {
        shape->kind->marker(p + shape->p.at, &markers[0]);
    }
    *radius = markers[0].radius;
    return spacing;
}

// Something round, of the sum of radii reach, passes between cross sections that are further apart
// than twice that; two skins that cross do where the diagonal of their meshes is.
static void warn_of_gaps(Reader* reader, const Element* contact, const double* p) {
    const Element* shapes[2];
    double radius[2];
    double spacing[2];
    bool skin = false;
    for (int i = 0; i < 2; i++) {
        shapes[i] = &reader->elements[contact->references[i]];
        const ShapeType type = shapes[i]->kind->shape;
        if (type != SHAPE_ROUND && type != SHAPE_POINT && type != SHAPE_SHAFT) {
            return;  // flat or hollow: it cannot come between them
        }
        spacing[i] = shape_spacing(reader, shapes[i], p, &radius[i]);
        skin = skin || spacing[i] > 0.0;
    }
    const double reach = radius[0] + radius[1];
    const double diagonal = sqrt(spacing[0] * spacing[0] + spacing[1] * spacing[1]);
    if (!skin || !(diagonal > 2.0 * reach)) {
        return;
    }
    const int worse = spacing[0] >= spacing[1] ? 0 : 1;
    const MarkerView view = shape_view(reader, shapes[worse], p);
    // then it sinks in by an eighth of the reach, at most
    ELEMENT_WARNING(reader, contact,
                    "%s can slip through between the stations of %s, which are %g m apart: that "
                    "takes %.0f stations instead of %d",
                    shapes[1 - worse]->name, shapes[worse]->name, spacing[worse],
                    1.0 + ceil((view.n - 1) * spacing[worse] / reach), view.n);
}

static void warn_of_slipping(Reader* reader, const double* p) {
    for (int i = 0; i < reader->n_elements; i++) {
        const Element* contact = &reader->elements[i];
        if (contact->kind->role == ROLE_CONTACT && element_target(contact, 0) >= 0 &&
            element_target(contact, 1) >= 0) {
            warn_of_gaps(reader, contact, p);
        }
    }
}

// Densities of shapes whose body does not ask for them
static void warn_of_idle_densities(Reader* reader) {
    for (int i = 0; i < reader->n_elements; i++) {
        const Element* shape = &reader->elements[i];
        const int density = shape_density(shape->kind);
        if (density < 0 || xml_attribute(reader->nodes[i], SHAPE_DENSITY) == NULL) {
            continue;
        }
        const Element* body = &reader->elements[shape->parent];
        if (body->p.n == 0 || !reader->parameters[body->p.at].from_shapes) {
            report_add(reader->report, SEVERITY_WARNING,
                       xml_attribute_place(reader->tree, reader->nodes[i], SHAPE_DENSITY, 0),
                       "the density of %s has no effect: %s %s", shape->name, body->name,
                       body->kind->body->take_moments != NULL ? "has a mass of its own"
                                                              : "takes no mass from shapes");
        }
    }
}

void warn_of_oddities(Reader* reader, const double* p) {
    warn_of_idle_shapes(reader);
    warn_of_idle_densities(reader);
    warn_of_idle_groups(reader);
    warn_of_idle_tables(reader);
    warn_of_gravity(reader, p);
    warn_of_slipping(reader, p);
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
