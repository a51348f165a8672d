// Masses of bodies that follow from their shapes: each shape is filled with its density.
#pragma once

#include "base/arena.h"
#include "elements/element.h"

typedef struct ShapeMasses {
    const int* bodies;  // (n_bodies) elements: those whose mass is left out
    int n_bodies;
    Surface scratch;  // room for each of the surfaces
} ShapeMasses;

// The parameter that is the density of a shape, or -1.
int shape_density(const ElementKind* kind);

// The shapes of a body stand after it, with their vertices: the element behind the last of them.
int shape_masses_end(const Element* elements, int n_elements, int body);

// bodies (n_bodies) must stay where they are; p are start values. False: no memory.
bool shape_masses_create(const Element* elements, int n_elements, const double* p,
                         const int* bodies, int n_bodies, Arena* arena, ShapeMasses* masses);

// Writes what follows from the shapes into the parameters p of these bodies; with others as they
// were before (NULL: not known), of those alone whose shapes have changed. NULL, or the first
// element for which that cannot be done, and why in words; its body's mass is then NaN.
const Element* shape_masses_update(const ShapeMasses* masses, const Element* elements,
                                   int n_elements, const double* before, double* p,
                                   const char** problem);
