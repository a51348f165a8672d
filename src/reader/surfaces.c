// Surfaces of shapes, made once with the start values: a path that crosses itself, or points
// without a volume between them, are told where they stand.
#include <math.h>

#include "elements/contact.h"
#include "elements/surface.h"
#include "reader/reader.h"
#include "system/shape_masses.h"

// Shapes that a contact names whose rows follow from no pair of types, but from features
static const bool* list_asked(Reader* reader) {
    bool* asked = SCRATCH_NEW(reader, reader->n_elements, bool);
    for (int i = 0; i < reader->n_elements && asked != NULL; i++) {
        const Element* contact = &reader->elements[i];
        const int first = element_target(contact, 0);
        const int second = element_target(contact, 1);
        bool swap;
        if (contact->kind->role == ROLE_CONTACT && first >= 0 && second >= 0 &&
            contact_rows_find(reader->elements[first].kind->shape,
                              reader->elements[second].kind->shape, contact->kind->spatial != NULL,
                              &swap) == NULL) {
            asked[first] = asked[second] = true;
        }
    }
    return asked;
}

// Does somebody ask for the surface? Boxes and round shapes may do without: they have corners and
// radii, too.
static bool needs_surface(const Element* shape, const double* p) {
    const int density = shape_density(shape->kind);
    const bool has_mass = density >= 0 && p[shape->p.at + density] > 0.0;
    return shape->kind->shape == SHAPE_SURFACE || shape->group > 0 || has_mass;
}

static void check_surface(Reader* reader, const Element* shape, const double* p, Arena* arena) {
    const ShapeView view = surface_view(reader->elements, shape, p);
    Surface surface;
    if (!surface_create(shape->kind->surface_size(&view), arena, &surface)) {
        reader->arena->exhausted = true;
        return;
    }
    const char* problem = shape->kind->surface(&view, &surface);
    const bool of_vertex = surface.fault >= 0 && surface.fault < shape->vertices.n;
    const bool of_function = shape->function != NULL && shape->signals.n > 0;
    if (problem != NULL) {
        const Place place = of_vertex ? reader->elements[shape->vertices.at + surface.fault].place
                            : of_function ? reader->signal_places[shape->signals.at]
                                          : shape->place;
        report_add(reader->report, SEVERITY_ERROR, place, "%s: %s", shape->name, problem);
    }
}

// Is there room for the surface beside those before it, of n points together?
static bool count_points(Reader* reader, const Element* shape, const double* p, long* n) {
    enum { MOST_POINTS = 10000000 };  // a GB, about
    const ShapeView view = surface_view(reader->elements, shape, p);
    const SurfaceSize size = shape->kind->surface_size(&view);
    *n += size.steps + size.parts + size.points;
    if (*n > MOST_POINTS) {
        report_add(reader->report, SEVERITY_ERROR, shape->place,
                   "the shapes have more than %d points up to %s", (int)MOST_POINTS, shape->name);
    }
    return *n <= MOST_POINTS;
}

void check_surfaces(Reader* reader, const double* p) {
    long n = 0;
    const bool* asked = list_asked(reader);
    for (int i = 0; i < reader->n_elements && !reader->arena->exhausted; i++) {
        const Element* element = &reader->elements[i];
        const bool unread = element->kind->n_signals > 0 && element->function == NULL;  // told
        if (surface_exists(element) && !unread && (asked[i] || needs_surface(element, p))) {
            if (!count_points(reader, element, p, &n)) {
                return;
            }
            Arena arena = {0};
            check_surface(reader, element, p, &arena);
            arena_free(&arena);
        }
    }
}

// --- masses ---

// Is what was computed from the shapes in range?
static void check_masses(Reader* reader, const Element* body, const double* p) {
    for (int i = 0; i < body->p.n; i++) {
        const ParameterInfo* info = &body->kind->parameters[i];
        const double value = p[body->p.at + i];
        if (info->from_shapes && !(isfinite(value) && value >= info->min && value <= info->max)) {
            report_add(reader->report, SEVERITY_ERROR, body->place,
                       "%s.%s is %g with the densities of its shapes: expected at least %g",
                       body->name, info->name, value, info->min);
            return;
        }
    }
}

// Takes over what was computed as start values.
static void keep_masses(Reader* reader, const Element* body, const double* p) {
    for (int i = 0; i < body->p.n && element_is_open(body); i++) {
        if (body->kind->parameters[i].from_shapes) {
            reader->parameters[body->p.at + i].start = p[body->p.at + i];
        }
    }
}

// The bodies whose mass is left out
static int* list_bodies(Reader* reader, int* n) {
    for (int i = 0; i < reader->n_elements; i++) {
        *n += element_has_mass_of_shapes(&reader->elements[i]);
    }
    int* bodies = ARENA_NEW(reader->arena, *n, int);
    for (int i = 0, k = 0; i < reader->n_elements && bodies != NULL; i++) {
        if (element_has_mass_of_shapes(&reader->elements[i])) {
            bodies[k++] = i;
        }
    }
    return bodies;
}

void read_masses(Reader* reader, double* p) {
    ShapeMasses* masses = &reader->model->masses;
    const char* problem = NULL;
    int n = 0;
    const int* bodies = list_bodies(reader, &n);
    if (bodies == NULL || !shape_masses_create(reader->elements, reader->n_elements, p, bodies, n,
                                               reader->arena, masses)) {
        return;  // the arena is exhausted
    }
    const Element* fault =
        shape_masses_update(masses, reader->elements, reader->n_elements, NULL, p, &problem);
    if (fault != NULL) {
        report_add(reader->report, SEVERITY_ERROR, fault->place, "%s %s", fault->name, problem);
        return;
    }
    for (int i = 0; i < n; i++) {
        check_masses(reader, &reader->elements[bodies[i]], p);
        keep_masses(reader, &reader->elements[bodies[i]], p);
    }
}
