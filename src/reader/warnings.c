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
    bool* texts = copies ? SCRATCH_NEW(reader, reader->tree->n, bool) : NULL;
    bool* used = SCRATCH_NEW(reader, reader->n_elements, bool);
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
        if (!body->of_shapes) {
            report_add(reader->report, SEVERITY_WARNING,
                       xml_attribute_place(reader->tree, reader->nodes[i], SHAPE_DENSITY, 0),
                       "the density of %s has no effect: %s %s", shape->name, body->name,
                       body->kind->body->take_moments != NULL ? "has a mass of its own"
                                                              : "takes no mass from shapes");
        }
    }
}

// --- sensors of contacts that cannot be ---

// Does a shape take part in this contact?
static bool takes_part(const Reader* reader, int shape, const Element* contact) {
    const int group = reader->elements[shape].group;
    return element_target(contact, 0) == shape || element_target(contact, 1) == shape ||
           (group > 0 &&
            (element_group(contact, 0) == group || element_group(contact, 1) == group));
}

// The shapes that take part in any contact; NULL: no memory
static const bool* list_touching(const Reader* reader) {
    bool* touching = SCRATCH_NEW(reader, reader->n_elements, bool);
    bool* groups = SCRATCH_NEW(reader, 1 + reader->n_groups, bool);
    for (int i = 0; i < reader->n_elements && touching != NULL && groups != NULL; i++) {
        const Element* contact = &reader->elements[i];
        for (int j = 0; j < 2 && contact->kind->role == ROLE_CONTACT; j++) {
            groups[element_group(contact, j)] = true;
            if (element_target(contact, j) >= 0) {
                touching[element_target(contact, j)] = true;
            }
        }
    }
    for (int i = 0; i < reader->n_elements && touching != NULL && groups != NULL; i++) {
        const int group = reader->elements[i].group;
        touching[i] = touching[i] || (group > 0 && groups[group]);
    }
    return groups != NULL ? touching : NULL;
}

// Can the sensor tell anything but zero? *left is how many shapes may still be looked at. Those of
// a body follow it, but for the ground's: parts have some of their own.
static bool feels(const Reader* reader, const Element* sensor, const bool* touching, int* left) {
    const int on = element_target(sensor, 0), of = element_target(sensor, 1);
    const Element* elements = reader->elements;
    if (on < 0) {
        return false;
    }
    const bool one_shape = elements[on].kind->shape != SHAPE_NONE;
    const int body = elements[on].parent >= 0 ? elements[on].parent : on;
    const int end = one_shape                ? on + 1
                    : body == reader->ground ? reader->n_elements
                                             : shape_masses_end(elements, reader->n_elements, body);
    bool any = false;
    for (int i = one_shape ? on : body + 1; i < end && !any && --*left >= 0; i++) {
        any = elements[i].kind->role == ROLE_SHAPE && elements[i].parent == body &&
              (of >= 0 ? takes_part(reader, i, &elements[of]) : touching[i]);
    }
    return any || *left < 0;
}

static void warn_of_idle_sensors(Reader* reader) {
    int left = 10000000;  // a fraction of a second
    const bool* touching = list_touching(reader);
    for (int i = 0; i < reader->n_elements && touching != NULL; i++) {
        const Element* sensor = &reader->elements[i];
        if (!sensor->kind->of_contacts || feels(reader, sensor, touching, &left)) {
            continue;
        }
        const int on = element_target(sensor, 0), of = element_target(sensor, 1);
        const Element* what = on >= 0 ? &reader->elements[on] : NULL;
        const bool one_shape = what != NULL && what->kind->shape != SHAPE_NONE;
        const bool frame = !one_shape && what != NULL && what->parent >= 0;
        what = frame ? &reader->elements[what->parent] : what;
        report_add(reader->report, SEVERITY_WARNING,
                   xml_attribute_place(reader->tree, reader->nodes[i], "on", 0),
                   "%s%s takes %s in %s: the force on it is always zero",
                   one_shape ? "" : "no shape of ", what != NULL ? what->name : "the ground",
                   one_shape ? "no part" : "part",
                   of >= 0 ? reader->elements[of].name : "any contact");
    }
}

void warn_of_oddities(Reader* reader, const double* p) {
    warn_of_idle_shapes(reader);
    warn_of_idle_densities(reader);
    warn_of_idle_groups(reader);
    warn_of_idle_tables(reader);
    warn_of_idle_sensors(reader);
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
