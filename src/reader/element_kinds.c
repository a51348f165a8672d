#include "reader/element_kinds.h"

#include <stddef.h>
#include <string.h>

#include "elements/bodies.h"
#include "elements/contact.h"
#include "elements/forces.h"
#include "elements/joints.h"
#include "elements/sensors.h"
#include "elements/settings.h"
#include "elements/shapes.h"
#include "elements/use.h"
#include "schemes/settings.h"

const ElementKind* const element_kinds[] = {
    &gravity_kind,
    &solver_kind,
    &point_mass_kind,
    &planar_body_kind,
    &spatial_body_kind,
    &elastic_bar_kind,
    &beam_kind,
    &spline_beam_kind,
    &spatial_beam_kind,
    &driven_frame_kind,
    &ground_kind,
    &frame_kind,
    &point_kind,
    &circle_kind,
    &ring_kind,
    &line_kind,
    &curve_kind,
    &cam_kind,
    &sphere_kind,
    &hollow_sphere_kind,
    &plane_kind,
    &shaft_kind,
    &bore_kind,
    &box_kind,
    &pin_kind,
    &skin_kind,
    &segment_kind,
    &arc_kind,
    &polygon_kind,
    &outline_kind,
    &capsule_kind,
    &cylinder_kind,
    &hull_kind,
    &vertex_kind,
    &to_kind,
    &arc_to_kind,
    &revolute_kind,
    &prismatic_kind,
    &cylindrical_kind,
    &spherical_kind,
    &planar_joint_kind,
    &rigid_kind,
    &distance_kind,
    &angle_drive_kind,
    &slide_drive_kind,
    &speed_drive_kind,
    &skate_kind,
    &rolling_kind,
    &spring_damper_kind,
    &torsional_spring_damper_kind,
    &angle_actuator_kind,
    &slide_actuator_kind,
    &force_kind,
    &line_load_kind,
    &torque_kind,
    &contact_kind,
    &contacts_kind,
    &sensor_kind,
    &gauge_kind,
    &contact_sensor_kind,
    &use_kind,
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
