// Two masses m_a, m_b at c_a, c_b together, c being the new centre:
//   m = m_a + m_b,  c = c_a + m_b/m (c_b - c_a),
//   S = S_a + S_b + m_a m_b/m (c_b - c_a)(c_b - c_a)^T,
// sums without differences of large numbers.
#include "system/shape_masses.h"

#include <math.h>
#include <string.h>

#include "elements/shapes.h"
#include "elements/surface.h"

int shape_density(const ElementKind* kind) {
    for (int i = 0; i < kind->n_parameters && kind->role == ROLE_SHAPE; i++) {
        if (strcmp(kind->parameters[i].name, SHAPE_DENSITY) == 0) {
            return i;
        }
    }
    return -1;
}

// --- one shape ---

static MassMoments moments_of_area(double density, const Outline* outline) {
    const OutlineMoments moments = outline_moments(outline);
    const double half = 0.5 * density * moments.polar;
    return (MassMoments){.mass = density * moments.area,
                         .centre = {moments.centre.x, moments.centre.y, 0.0},
                         .second = {{{half, 0.0, 0.0}, {0.0, half, 0.0}, {0.0, 0.0, 0.0}}}};
}

static MassMoments moments_of_volume(double density, const Solid* solid) {
    const SolidMoments moments = solid_moments(solid);
    MassMoments result = {.mass = density * moments.volume, .centre = moments.centre};
    for (int i = 0; i < 3; i++) {
        result.second.e[i] = scale3(density, moments.second.e[i]);
    }
    return result;
}

static void add_moments(MassMoments* sum, const MassMoments* other) {
    const double mass = sum->mass + other->mass;
    const Vec3 d = sub3(other->centre, sum->centre);
    const double reduced = mass > 0.0 ? sum->mass * other->mass / mass : 0.0;
    const Mat3 apart = {{scale3(d.x, d), scale3(d.y, d), scale3(d.z, d)}};
    for (int i = 0; i < 3; i++) {
        sum->second.e[i] =
            add3(add3(sum->second.e[i], other->second.e[i]), scale3(reduced, apart.e[i]));
    }
    sum->centre = mass > 0.0 ? add3(sum->centre, scale3(other->mass / mass, d)) : sum->centre;
    sum->mass = mass;
}

// Adds what a shape weighs; in words why that is not known, or NULL.
static const char* add_shape(const Element* elements, const Element* shape, const double* p,
                             Surface scratch, MassMoments* sum) {
    const ShapeView view = surface_view(elements, shape, p);
    const int parameter = shape_density(shape->kind);
    const double density = parameter >= 0 ? view.par[parameter] : 0.0;
    if (!(density > 0.0)) {
        return NULL;
    }
    const char* problem = shape->kind->surface(&view, &scratch);
    if (problem == NULL) {
        const bool plane = shape->kind->surface_size(&view).parts > 0;
        const MassMoments moments = plane ? moments_of_area(density, &scratch.outline)
                                          : moments_of_volume(density, &scratch.solid);
        add_moments(sum, &moments);
    }
    // a text that is always there
    return problem;  // cppcheck-suppress returnDanglingLifetime
}

// --- bodies ---

int shape_masses_end(const Element* elements, int n_elements, int body) {
    int i = body + 1;
    while (i < n_elements && elements[i].parent >= body &&
           (elements[i].kind->role == ROLE_SHAPE || elements[i].kind->role == ROLE_VERTEX)) {
        i++;
    }
    return i;
}

bool shape_masses_create(const Element* elements, int n_elements, const double* p,
                         const int* bodies, int n_bodies, Arena* arena, ShapeMasses* masses) {
    SurfaceSize most = {0};
    for (int k = 0; k < n_bodies; k++) {
        const int end = shape_masses_end(elements, n_elements, bodies[k]);
        for (int i = bodies[k] + 1; i < end; i++) {
            if (shape_density(elements[i].kind) >= 0) {
                const ShapeView view = surface_view(elements, &elements[i], p);
                const SurfaceSize size = elements[i].kind->surface_size(&view);
                most.steps = size.steps > most.steps ? size.steps : most.steps;
                most.parts = size.parts > most.parts ? size.parts : most.parts;
                most.stations = size.stations > most.stations ? size.stations : most.stations;
                most.points = size.points > most.points ? size.points : most.points;
            }
        }
    }
    *masses = (ShapeMasses){.bodies = bodies, .n_bodies = n_bodies};
    return surface_create(most, arena, &masses->scratch);
}

// The element at which there is a problem, or NULL
static const Element* update_body(const ShapeMasses* masses, const Element* elements,
                                  int n_elements, int body, double* p, const char** problem) {
    MassMoments sum = {0};
    const Element* fault = NULL;
    const int end = shape_masses_end(elements, n_elements, body);
    *problem = NULL;
    for (int i = body + 1; i < end && fault == NULL; i++) {
        if (elements[i].kind->role == ROLE_SHAPE) {
            *problem = add_shape(elements, &elements[i], p, masses->scratch, &sum);
            fault = *problem != NULL ? &elements[i] : NULL;
        }
    }
    if (*problem == NULL && !(sum.mass > 0.0)) {
        *problem = "has no mass: expected mass and inertia, or shapes with a density";
        fault = &elements[body];
    }
    sum.mass = *problem != NULL ? NAN : sum.mass;
    elements[body].kind->body->take_moments(&sum, p + elements[body].p.at);
    return fault;
}

// Are the parameters of all shapes of a body the same? Those of their functions stand elsewhere.
static bool shapes_stay(const Element* elements, int n_elements, int body, const double* before,
                        const double* p) {
    const int end = shape_masses_end(elements, n_elements, body);
    bool stay = true;
    for (int i = body + 1; i < end && stay; i++) {
        const Range at = elements[i].p;
        stay = elements[i].function == NULL &&
               memcmp(before + at.at, p + at.at, (size_t)at.n * sizeof(double)) == 0;
    }
    return stay;
}

const Element* shape_masses_update(const ShapeMasses* masses, const Element* elements,
                                   int n_elements, const double* before, double* p,
                                   const char** problem) {
    const Element* fault = NULL;
    *problem = NULL;
    for (int k = 0; k < masses->n_bodies; k++) {
        const char* words = NULL;
        const int body = masses->bodies[k];
        const bool stays = before != NULL && shapes_stay(elements, n_elements, body, before, p);
        const Element* of_body =
            stays ? NULL : update_body(masses, elements, n_elements, body, p, &words);
        if (fault == NULL && of_body != NULL) {
            fault = of_body;
            *problem = words;
        }
    }
    return fault;
}
