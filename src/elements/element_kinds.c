#include <stddef.h>
#include <string.h>

#include "elements/bodies.h"
#include "elements/contact.h"
#include "elements/forces.h"
#include "elements/settings.h"

const ElementKind* const element_kinds[] = {
    &gravity_kind,
    &solver_kind,
    &point_mass_kind,
    &planar_body_kind,
    &ground_kind,
    &point_kind,
    &circle_kind,
    &ring_kind,
    &line_kind,
    &spring_damper_kind,
    &torsional_spring_damper_kind,
    &force_kind,
    &torque_kind,
    &contact_kind,
};
const int element_kinds_count = sizeof element_kinds / sizeof element_kinds[0];

const ElementKind* element_kind_find(const char* tag) {
    for (int i = 0; i < element_kinds_count; i++) {
        if (strcmp(element_kinds[i]->tag, tag) == 0) {
            return element_kinds[i];
        }
    }
    return NULL;
}
