// Contacts between a round shape and another: gap, normal and tangential directions and their
// rates.
#include "elements/contact.h"

#include <math.h>
#include <string.h>

#include "elements/frame_plane.h"
#include "elements/shapes.h"

static const double DRILLING_FACTOR = 3.0 * 3.14159265358979323846 / 16.0;  // GA (157)

// A function of s, given its value and slope at the value of s
static inline double extended_real(double value, double slope, double s) {
    (void)slope;
    (void)s;
    return value;
}
static inline Dual extended_dual(double value, double slope, Dual s) {
    return dual_parts(value, slope * cimag(s));
}

// n.z below which the tangents of balls are others: their rates are at most 4.4 times those of n
static const double TANGENTS_TURN = -0.9;

#include "linalg/real.inc"
#include "elements/contact.inc"
#include "linalg/undefine.inc"
#include "linalg/dual.inc"
#include "elements/contact.inc"
#include "linalg/undefine.inc"
#include "elements/contact_gap.inc"
#include "elements/contact_plane.inc"
#include "elements/contact_point.inc"

#define COULOMB_PARAMETERS                                                                        \
    [FRICTION_COEFFICIENT] = {.name = "friction_coefficient",                                     \
                              .help = "Coulomb friction coefficient",                             \
                              .unit = UNIT_ONE,                                                   \
                              .min = 0.0,                                                         \
                              .max = INFINITY,                                                    \
                              .tunable = true,                                                    \
                              .from_materials = true},                                            \
    [NORMAL_RESTITUTION] = {.name = "normal_restitution",                                         \
                            .help = "Newton's coefficient of restitution normal to the surfaces", \
                            .unit = UNIT_ONE,                                                     \
                            .min = 0.0,                                                           \
                            .max = 1.0,                                                           \
                            .tunable = true,                                                      \
                            .from_materials = true},                                              \
    [TANGENTIAL_RESTITUTION] = {.name = "tangential_restitution",                                 \
                                .help = "coefficient of restitution along the surfaces",          \
                                .unit = UNIT_ONE,                                                 \
                                .min = -1.0,                                                      \
                                .max = 1.0,                                                       \
                                .tunable = true,                                                  \
                                .from_materials = true}
#define SPATIAL_PARAMETERS                                                                        \
    [FRICTION_RATIO] = {.name = "friction_ratio",                                                 \
                        .help =                                                                   \
                            "friction coefficient along the second tangent divided by that "      \
                            "along the first: other than 1, the set of forces is an ellipse. On " \
                            "cylinders the first tangent is the axis; on planes and spheres "     \
                            "the tangents follow from the normal alone",                          \
                        .unit = UNIT_ONE,                                                         \
                        .start = 1.0,                                                             \
                        .min = 1e-6,                                                              \
                        .max = 1e6,                                                               \
                        .tunable = true},                                                         \
    [CONTACT_RADIUS] = {.name = "contact_radius",                                                 \
                        .help =                                                                   \
                            "radius of the contact area, for friction against drilling "          \
                            "(Coulomb-Contensou); 0: none",                                       \
                        .unit = UNIT_METRE,                                                       \
                        .min = 0.0,                                                               \
                        .max = INFINITY,                                                          \
                        .tunable = true}

static const ParameterInfo parameters[] = {COULOMB_PARAMETERS, SPATIAL_PARAMETERS};

const char CONTACTS_JOINED_BODIES[] = "joined_bodies";
static const EnumerationItem joined_items[] = {
    [JOINED_PASS - 1] = {"pass", "they do not touch each other, as parts of one hinge"},
    [JOINED_TOUCH - 1] = {"touch", "they touch as all others do, as a door and its stop"},
};
static const EnumerationType joined_type = {.name = "JoinedBodies",
                                            .help = "what bodies do that a joint connects",
                                            .items = joined_items,
                                            .n_items = 2};
#define JOINED_PARAMETER                                                                          \
    {                                                                                             \
        .name = CONTACTS_JOINED_BODIES, .help = "do shapes touch whose bodies a joint connects?", \
        .type = VARIABLE_ENUMERATION, .enumeration = &joined_type, .start = JOINED_PASS,          \
        .min = JOINED_PASS, .max = JOINED_TOUCH, .structural = true                               \
    }
static const ParameterInfo group_parameters[] = {
    COULOMB_PARAMETERS, [N_CONTACT_PARAMETERS] = JOINED_PARAMETER};
static const ParameterInfo spatial_group_parameters[] = {
    COULOMB_PARAMETERS, SPATIAL_PARAMETERS, [N_SPATIAL_CONTACT_PARAMETERS] = JOINED_PARAMETER};

static const ReferenceInfo references[] = {
    {.name = "first", .help = "one shape", .type = REFERENCE_SHAPE, .required = true},
    {.name = "second", .help = "the other shape", .type = REFERENCE_SHAPE, .required = true},
};

static const EnumerationItem state_items[] = {
    {"open", "the shapes do not press on each other"},
    {"slip", "closed, the surfaces slide"},
    {"stick", "closed, the surfaces do not slide"},
};
static const EnumerationType state_type = {
    .name = "ContactState", .help = "state of a contact", .items = state_items, .n_items = 3};

#define SHOWN(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .by_default = true, .derivative_of = -1 }
#define HIDDEN(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .derivative_of = -1 }
#define COMMON_OUTPUTS                                                                \
    SHOWN("gap", "distance of the shapes, negative when they penetrate", UNIT_METRE), \
        {.name = "state",                                                             \
         .help = "open, slip or stick",                                               \
         .type = VARIABLE_ENUMERATION,                                                \
         .enumeration = &state_type,                                                  \
         .by_default = true,                                                          \
         .derivative_of = -1},                                                        \
    {                                                                                 \
        .name = "closed", .help = "true while the shapes press on each other",        \
        .type = VARIABLE_BOOLEAN, .derivative_of = -1                                 \
    }

// gap, state, closed, then forces, impulses and percussions of all rows, then sliding velocities
static const OutputInfo planar_outputs[] = {
    COMMON_OUTPUTS,
    SHOWN("normal_force", "normal force that presses the shapes apart", UNIT_NEWTON),
    SHOWN("friction_force", "friction force on the first body along the tangent", UNIT_NEWTON),
    SHOWN("normal_impulse", "impulse of the normal force at an impact in the last internal step",
          UNIT_NEWTON_SECOND),
    SHOWN("friction_impulse",
          "impulse of the friction force on the first body at an impact in the last internal step",
          UNIT_NEWTON_SECOND),
    SHOWN("normal_percussion",
          "impulse of the normal force over the last internal step, impacts included",
          UNIT_NEWTON_SECOND),
    SHOWN("friction_percussion",
          "impulse of the friction force on the first body over the last internal step, impacts "
          "included",
          UNIT_NEWTON_SECOND),
    HIDDEN("sliding_velocity",
           "velocity of the first surface relative to the second along the tangent, which is the "
           "normal turned clockwise by 90 degrees",
           UNIT_METRE_PER_SECOND),
};
static const OutputInfo spatial_outputs[] = {
    COMMON_OUTPUTS,
    SHOWN("normal_force", "normal force that presses the shapes apart", UNIT_NEWTON),
    SHOWN("friction_force_1", "friction force on the first body along the first tangent",
          UNIT_NEWTON),
    SHOWN("friction_force_2", "friction force on the first body along the second tangent",
          UNIT_NEWTON),
    HIDDEN("drilling_force", "drilling friction, scaled to a force", UNIT_NEWTON),
    SHOWN("normal_impulse", "impulse of the normal force at an impact in the last internal step",
          UNIT_NEWTON_SECOND),
    SHOWN("friction_impulse_1",
          "impulse of the friction force along the first tangent at an impact in the last "
          "internal step",
          UNIT_NEWTON_SECOND),
    SHOWN("friction_impulse_2",
          "impulse of the friction force along the second tangent at an impact in the last "
          "internal step",
          UNIT_NEWTON_SECOND),
    HIDDEN("drilling_impulse",
           "impulse of drilling friction, scaled to a force, at an impact in the last internal "
           "step",
           UNIT_NEWTON_SECOND),
    SHOWN("normal_percussion",
          "impulse of the normal force over the last internal step, impacts included",
          UNIT_NEWTON_SECOND),
    SHOWN("friction_percussion_1",
          "impulse of the friction force along the first tangent over the last internal step",
          UNIT_NEWTON_SECOND),
    SHOWN("friction_percussion_2",
          "impulse of the friction force along the second tangent over the last internal step",
          UNIT_NEWTON_SECOND),
    HIDDEN("drilling_percussion",
           "impulse of drilling friction, scaled to a force, over the last internal step",
           UNIT_NEWTON_SECOND),
    HIDDEN("sliding_velocity_1", "sliding velocity along the first tangent", UNIT_METRE_PER_SECOND),
    HIDDEN("sliding_velocity_2", "sliding velocity along the second tangent",
           UNIT_METRE_PER_SECOND),
    HIDDEN("drilling_velocity", "drilling velocity, scaled to a sliding velocity",
           UNIT_METRE_PER_SECOND),
};

#define TOTAL_COMPONENT(c)                                                                       \
    SHOWN("total_force_" c,                                                                      \
          "force on the first body, the sum over all points, normal and friction, component " c, \
          UNIT_NEWTON)
// in the plane without the last
static const OutputInfo total_outputs[] = {
    [SMALLEST_GAP] = SHOWN("smallest_gap",
                           "gap of the points that are nearest to each other, or "
                           "penetrate the most",
                           UNIT_METRE),
    [CLOSED_POINTS] = {.name = "closed_points",
                       .help = "how many points press on each other",
                       .type = VARIABLE_INTEGER,
                       .by_default = true,
                       .derivative_of = -1},
    [TOTAL_NORMAL_FORCE] =
        SHOWN("total_normal_force", "sum of the normal forces of all points", UNIT_NEWTON),
    [TOTAL_NORMAL_IMPULSE] =
        SHOWN("total_normal_impulse",
              "sum of the impulses of the normal forces of all points at impacts in the last "
              "internal step",
              UNIT_NEWTON_SECOND),
    [TOTAL_FRICTION_FORCE] = SHOWN("total_friction_force",
                                   "magnitude of the vector sum of the friction forces of all "
                                   "points",
                                   UNIT_NEWTON),
    [TOTAL_FORCE] = TOTAL_COMPONENT("x"),
    TOTAL_COMPONENT("y"),
    TOTAL_COMPONENT("z"),
};

static const ElementKind spatial_contact_kind = {
    .tag = "contact",
    .role = ROLE_CONTACT,
    .parameters = parameters,
    .n_parameters = N_SPATIAL_CONTACT_PARAMETERS,
    .references = references,
    .n_references = 2,
    .outputs = spatial_outputs,
    .n_outputs = (int)(sizeof spatial_outputs / sizeof spatial_outputs[0]),
    .total_outputs = total_outputs,
    .n_total_outputs = TOTAL_FORCE + 3,
};
const ElementKind contact_kind = {
    .tag = "contact",
    .help = "A contact between two shapes: no penetration, impact with restitution, dry friction.",
    .role = ROLE_CONTACT,
    .parameters = parameters,
    .n_parameters = N_CONTACT_PARAMETERS,
    .references = references,
    .n_references = 2,
    .outputs = planar_outputs,
    .n_outputs = (int)(sizeof planar_outputs / sizeof planar_outputs[0]),
    .total_outputs = total_outputs,
    .n_total_outputs = TOTAL_FORCE + 2,
    .spatial = &spatial_contact_kind,
};

static const ReferenceInfo group_references[] = {
    {.name = "first", .help = "one group of shapes", .type = REFERENCE_GROUP, .required = true},
    {.name = "second",
     .help = "the other group; left out: the same one, each shape of it touching all others",
     .type = REFERENCE_GROUP},
};
static const OutputInfo group_outputs[] = {
    [GROUP_CONTACTS] = {.name = "contacts",
                        .help = "number of points that press on each other",
                        .type = VARIABLE_INTEGER,
                        .by_default = true,
                        .derivative_of = -1},
    [GROUP_PENETRATION] = SHOWN("largest_penetration",
                                "how deep two shapes penetrate each other at most", UNIT_METRE),
    [GROUP_NORMAL_FORCE] =
        SHOWN("total_normal_force", "sum of the normal forces of all points", UNIT_NEWTON),
    [GROUP_KINETIC_ENERGY] =
        SHOWN("kinetic_energy", "kinetic energy of the bodies in both groups", UNIT_JOULE),
};
#define GROUP_TABLE(parameters_)                                                       \
    .tag = "contacts", .role = ROLE_CONTACT, .parameters = (parameters_),              \
    .n_parameters = (int)(sizeof(parameters_) / sizeof((parameters_)[0])),             \
    .references = group_references, .n_references = 2, .total_outputs = group_outputs, \
    .n_total_outputs = (int)(sizeof group_outputs / sizeof group_outputs[0])
static const ElementKind spatial_contacts_kind = {GROUP_TABLE(spatial_group_parameters)};
const ElementKind contacts_kind = {
    GROUP_TABLE(group_parameters),
    .help =
        "Contacts of everything in a group of shapes with everything in another group, or in the "
        "same: they are found while the bodies move. Shapes of one body do not touch each other; "
        "those of bodies that a joint connects do if joined_bodies says so.",
    .spatial = &spatial_contacts_kind,
};

#define ROWS_OF_PLANE(name)                                                                       \
    {                                                                                             \
        .n_rows = 2, .n_position_rows = 1, .rows = planar_##name##_real,                          \
        .rows_dual = planar_##name##_dual, .rows_plane = plane_##name, .gap = plane_##name##_gap, \
        .point = planar_##name##_point                                                            \
    }
#define ROWS_OF_SPACE(name)                                               \
    {                                                                     \
        .n_rows = 4, .n_position_rows = 1, .rows = spatial_##name##_real, \
        .rows_dual = spatial_##name##_dual, .gap = spatial_##name##_gap,  \
        .point = spatial_##name##_point                                   \
    }
static const RowFunctions plane_round_rows = ROWS_OF_PLANE(round);
static const RowFunctions plane_ring_rows = ROWS_OF_PLANE(ring);
static const RowFunctions plane_flat_rows = ROWS_OF_PLANE(flat);
static const RowFunctions plane_curve_rows = {.n_rows = 2,
                                              .n_position_rows = 1,
                                              .rows = planar_curve_real,
                                              .rows_dual = planar_curve_dual,
                                              .point = planar_curve_point};
static const RowFunctions plane_smooth_rows = {.n_rows = 2,
                                               .n_position_rows = 1,
                                               .rows = planar_smooth_real,
                                               .rows_dual = planar_smooth_dual,
                                               .point = planar_smooth_point};
static const RowFunctions space_round_rows = ROWS_OF_SPACE(round);
static const RowFunctions space_ring_rows = ROWS_OF_SPACE(ring);
static const RowFunctions space_flat_rows = ROWS_OF_SPACE(flat);
static const RowFunctions space_shaft_rows = ROWS_OF_SPACE(shaft);
static const RowFunctions space_bore_rows = ROWS_OF_SPACE(bore);
static const RowFunctions space_edges_rows = ROWS_OF_SPACE(edges);
static const RowFunctions space_rim_rows = ROWS_OF_SPACE(rim);

const RowFunctions* contact_feature_rows(FeatureKind kind, bool planar) {
    static const RowFunctions* const plane[N_FEATURE_KINDS] = {
        [FEATURE_FLAT] = &plane_flat_rows,
        [FEATURE_ROUND] = &plane_round_rows,
        [FEATURE_RING] = &plane_ring_rows,
        [FEATURE_SMOOTH] = &plane_smooth_rows};
    static const RowFunctions* const space[N_FEATURE_KINDS] = {
        [FEATURE_FLAT] = &space_flat_rows, [FEATURE_ROUND] = &space_round_rows,
        [FEATURE_RING] = &space_ring_rows, [FEATURE_SHAFT] = &space_shaft_rows,
        [FEATURE_BORE] = &space_bore_rows, [FEATURE_EDGES] = &space_edges_rows,
        [FEATURE_RIM] = &space_rim_rows,
    };
    return (planar ? plane : space)[kind];
}

Mat3 contact_feature_axes(FeatureKind kind, int side, Vec3 axis, bool planar) {
    const bool normal =
        side == 1 && (kind == FEATURE_FLAT || kind == FEATURE_RIM || kind == FEATURE_SMOOTH);
    if (normal && planar) {
        return (Mat3){{{axis.y, -axis.x, 0.0}, axis, {0.0, 0.0, 1.0}}};
    }
    const bool has_axis = kind == FEATURE_EDGES || (kind == FEATURE_RIM && side == 0) ||
                          (side == 1 && (kind == FEATURE_SHAFT || kind == FEATURE_BORE));
    return normal ? axes3(1, axis) : has_axis ? axes3(2, axis) : MAT3_IDENTITY;
}

// Points do not meet points: nothing would stop them from passing each other. The corners of a box,
// or the ends of a pin, cannot be all that touches where the other shape could come between them:
// boxes then meet others by features that are found while bodies move, pins do not.
#define FOUND(first_, second_, plane_, help_)                                          \
    {                                                                                  \
        .first = (first_), .second = (second_), .help = (help_), .in_plane = (plane_), \
        .in_space = true                                                               \
    }
const ContactPair contact_pairs[] = {
    {SHAPE_POINT, SHAPE_ROUND, &plane_round_rows, &space_round_rows, "the point, from outside",
     false, false},
    {SHAPE_ROUND, SHAPE_ROUND, &plane_round_rows, &space_round_rows, "both, from outside", false,
     false},
    {SHAPE_POINT, SHAPE_RING, &plane_ring_rows, &space_ring_rows, "the point, from inside", false,
     false},
    {SHAPE_ROUND, SHAPE_RING, &plane_ring_rows, &space_ring_rows,
     "the round shape, from inside: it has to be the smaller one", false, false},
    {SHAPE_CORNERS, SHAPE_RING, &plane_ring_rows, &space_ring_rows,
     "the corners of the box, from inside", false, false},
    {SHAPE_ENDS, SHAPE_RING, NULL, &space_ring_rows,
     "the ends of the pin, as spheres of its radius, from inside", false, false},
    {SHAPE_POINT, SHAPE_FLAT, &plane_flat_rows, &space_flat_rows, "the point", false, false},
    {SHAPE_ROUND, SHAPE_FLAT, &plane_flat_rows, &space_flat_rows, "the round shape", false, false},
    {SHAPE_CORNERS, SHAPE_FLAT, &plane_flat_rows, &space_flat_rows, "the corners of the box", false,
     false},
    {SHAPE_ENDS, SHAPE_FLAT, NULL, &space_flat_rows,
     "the ends of the pin, as spheres of its radius: right for a pin that lies, not for one that "
     "stands",
     false, false},
    {SHAPE_POINT, SHAPE_CURVE, &plane_curve_rows, NULL, "the point, from above", false, false},
    {SHAPE_ROUND, SHAPE_CURVE, &plane_curve_rows, NULL,
     "the circle, from above, in one point: hollows of the curve that are narrower than the "
     "circle are felt on both sides in groups alone",
     false, false},
    {SHAPE_CORNERS, SHAPE_CURVE, NULL, NULL, "all of both", true, false},
    {SHAPE_SURFACE, SHAPE_CURVE, NULL, NULL, "all of both", true, false},
    {SHAPE_FLAT, SHAPE_CURVE, NULL, NULL, "the curve, within its reach", true, false},
    {SHAPE_CURVE, SHAPE_CURVE, NULL, NULL, "both, within their reach", true, false},
    {SHAPE_POINT, SHAPE_SHAFT, NULL, &space_shaft_rows, "the point, from outside", false, false},
    {SHAPE_ROUND, SHAPE_SHAFT, NULL, &space_shaft_rows, "the sphere, from outside", false, false},
    {SHAPE_POINT, SHAPE_BORE, NULL, &space_bore_rows, "the point, from inside", false, false},
    {SHAPE_ROUND, SHAPE_BORE, NULL, &space_bore_rows, "the sphere, from inside", false, false},
    {SHAPE_CORNERS, SHAPE_BORE, NULL, &space_bore_rows, "the corners of the box, from inside",
     false, false},
    {SHAPE_ENDS, SHAPE_BORE, NULL, &space_bore_rows,
     "the ends of the pin, as spheres of its radius, from inside: right while the tilt is small",
     false, false},
    FOUND(SHAPE_POINT, SHAPE_CORNERS, true, "the point, with sides, edges and corners"),
    FOUND(SHAPE_ROUND, SHAPE_CORNERS, true, "all of both"),
    FOUND(SHAPE_CORNERS, SHAPE_CORNERS, true, "all of both"),
    FOUND(SHAPE_POINT, SHAPE_SURFACE, true, "the point, with all of the other"),
    FOUND(SHAPE_ROUND, SHAPE_SURFACE, true, "all of both"),
    FOUND(SHAPE_CORNERS, SHAPE_SURFACE, true, "all of both"),
    FOUND(SHAPE_SURFACE, SHAPE_SURFACE, true, "all of both"),
    FOUND(SHAPE_SURFACE, SHAPE_FLAT, true, "corners, edges and round sides"),
    FOUND(SHAPE_SURFACE, SHAPE_RING, true, "corners, edges and round sides, from inside"),
    FOUND(SHAPE_CORNERS, SHAPE_SHAFT, false, "all of the box, from outside"),
    FOUND(SHAPE_SURFACE, SHAPE_SHAFT, false, "all of it, from outside"),
    FOUND(SHAPE_SURFACE, SHAPE_BORE, false, "corners, edges and round sides, from inside"),
};
const int n_contact_pairs = sizeof contact_pairs / sizeof contact_pairs[0];

static const ContactPair* find_pair(ShapeType first, ShapeType second, bool* swap) {
    for (int i = 0; i < n_contact_pairs; i++) {
        const ContactPair* pair = &contact_pairs[i];
        const bool straight = pair->first == first && pair->second == second;
        if (straight || (pair->first == second && pair->second == first)) {
            *swap = !straight;
            return pair;
        }
    }
    *swap = false;
    return NULL;
}

bool contact_is_found(ShapeType first, ShapeType second, bool planar) {
    bool swap;
    const ContactPair* pair = find_pair(first, second, &swap);
    return pair != NULL && (planar ? pair->in_plane : pair->in_space);
}

const RowFunctions* contact_rows_find(ShapeType first, ShapeType second, bool planar, bool* swap) {
    const ContactPair* pair = find_pair(first, second, swap);
    const RowFunctions* rows = pair == NULL ? NULL : planar ? pair->plane : pair->space;
    *swap = *swap && rows != NULL;
    return rows;
}

static const MaterialValues* find_values(const Element* contact, int first, int second) {
    int low = 0;
    int high = contact->n_pairs;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const MaterialValues* pair = &contact->pairs[middle];
        if (pair->first == first && pair->second == second) {
            return pair;
        }
        const bool before = pair->first != first ? pair->first < first : pair->second < second;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return NULL;
}

void contact_parameters_find(const Element* contact, const Element* a, const Element* b,
                             int p[N_CONTACT_PARAMETERS]) {
    const bool ordered = a->material <= b->material;
    const MaterialValues* pair = find_values(contact, ordered ? a->material : b->material,
                                             ordered ? b->material : a->material);
    for (int i = 0; i < N_CONTACT_PARAMETERS; i++) {
        p[i] = pair != NULL ? pair->p[i] : contact->p.at + i;
    }
}

const char* shape_type_tags(ShapeType type, bool planar) {
    static const struct {
        const char *plane, *all;
    } tags[N_SHAPE_TYPES] = {
        [SHAPE_NONE] = {"<frame>", "<frame>"},
        [SHAPE_POINT] = {"<point>", "<point>"},
        [SHAPE_ROUND] = {"<circle>, <skin>", "<circle>, <sphere>, <skin>"},
        [SHAPE_CORNERS] = {"<box>", "<box>"},
        [SHAPE_ENDS] = {"", "<pin>"},
        [SHAPE_RING] = {"<ring>", "<ring>, <hollow_sphere>"},
        [SHAPE_FLAT] = {"<line>", "<line>, <plane>"},
        [SHAPE_SHAFT] = {"", "<shaft>"},
        [SHAPE_BORE] = {"", "<bore>"},
        [SHAPE_CURVE] = {"<curve>", "<curve>"},
        [SHAPE_SURFACE] = {"<segment>, <arc>, <polygon>, <outline>, <cam>",
                           "<segment>, <arc>, <polygon>, <outline>, <cam>, <capsule>, <cylinder>, "
                           "<hull>"},
    };
    return planar ? tags[type].plane : tags[type].all;
}
