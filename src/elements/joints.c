// Joints are lists of scalar constraints of a few types between the markers' points x and axes e_0,
// e_1, e_2. Axes of rotation are e_2 (z), axes of sliding e_0 (x) of the first marker. Between
// bodies of the plane only the rows that act in the plane are kept.
#include "elements/joints.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "elements/frame_plane.h"

typedef enum JointRowType {
    ROW_POINT,           // x_a = x_b along axis i of the world
    ROW_OFFSET,          // x_b - x_a perpendicular to axis i of a
    ROW_PERPENDICULAR,   // axis i of a perpendicular to axis j of b
    ROW_DISTANCE,        // |x_a - x_b| = par[0]
    ROW_SLIDE,           // x_b - x_a along axis i of a is signal 0
    ROW_ANGLE,           // angle of e_0 of b against e_0 of a about e_2 is signal 0
    ROW_CROSS_VELOCITY,  // x_a' - x_b' has no component along axis i of a
    ROW_SPIN,            // angular velocity of b against a about axis i of a is signal 0
    ROW_TURNING,         // the same without a signal: for friction
    ROW_SLIDING,         // velocity of x_b against a along axis i of a: for friction
} JointRowType;

typedef struct JointRow {
    JointRowType type;
    int i, j;
} JointRow;

typedef struct JointDetail {
    const JointRow* rows;
    int n_rows;
} JointDetail;

#include "linalg/real.inc"
#include "elements/joint.inc"
#include "linalg/undefine.inc"
#include "linalg/dual.inc"
#include "elements/joint.inc"
#include "linalg/undefine.inc"
#include "elements/joint_plane.inc"

// The row of friction in a hinge or slide
static void turning_real(const Surroundings* s, const Frame* a, const Frame* b, Rows* r) {
    friction_row_real(ROW_TURNING, s, a, b, r);
}
static void turning_dual(const Surroundings* s, const DualFrame* a, const DualFrame* b,
                         DualRows* r) {
    friction_row_dual(ROW_TURNING, s, a, b, r);
}
static void sliding_real(const Surroundings* s, const Frame* a, const Frame* b, Rows* r) {
    friction_row_real(ROW_SLIDING, s, a, b, r);
}
static void sliding_dual(const Surroundings* s, const DualFrame* a, const DualFrame* b,
                         DualRows* r) {
    friction_row_dual(ROW_SLIDING, s, a, b, r);
}
static const RowFunctions turning = {
    .n_rows = 1, .rows = turning_real, .rows_dual = turning_dual, .rows_plane = turning_plane};
static const RowFunctions sliding = {
    .n_rows = 1, .rows = sliding_real, .rows_dual = sliding_dual, .rows_plane = sliding_plane};

static const ParameterInfo revolute_parameters[] = {
    {.name = "friction_torque",
     .help = "largest torque of dry friction in the hinge",
     .unit = UNIT_NEWTON_METRE,
     .min = 0.0,
     .max = INFINITY,
     .tunable = true},
};
static const ParameterInfo prismatic_parameters[] = {
    {.name = "friction_force",
     .help = "largest force of dry friction in the slide",
     .unit = UNIT_NEWTON,
     .min = 0.0,
     .max = INFINITY,
     .tunable = true},
};

#define LOCAL_OUTPUT(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .derivative_of = -1 }
#define SHOWN_OUTPUT(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .by_default = true, .derivative_of = -1 }
#define VIOLATION                                                                             \
    LOCAL_OUTPUT("violation", "largest violation of the joint's equations on position level", \
                 UNIT_ONE)
#define FORCE(c) SHOWN_OUTPUT("force_" c, "force on the second body, component " c, UNIT_NEWTON)
#define TORQUE(c) \
    SHOWN_OUTPUT("torque_" c, "torque on the second body, component " c, UNIT_NEWTON_METRE)
#define IMPULSE(c) \
    LOCAL_OUTPUT("impulse_" c, "impulse of force_" c " at an impact", UNIT_NEWTON_SECOND)
#define ANGULAR_IMPULSE(c)                                                     \
    LOCAL_OUTPUT("angular_impulse_" c, "impulse of torque_" c " at an impact", \
                 UNIT_NEWTON_METRE_SECOND)
#define PLANAR_OUTPUTS                                                                        \
    VIOLATION, FORCE("x"), FORCE("y"),                                                        \
        SHOWN_OUTPUT("torque", "torque on the second body", UNIT_NEWTON_METRE), IMPULSE("x"), \
        IMPULSE("y"),                                                                         \
        LOCAL_OUTPUT("angular_impulse", "impulse of torque at an impact",                     \
                     UNIT_NEWTON_METRE_SECOND)
#define SPATIAL_OUTPUTS                                                                       \
    VIOLATION, FORCE("x"), FORCE("y"), FORCE("z"), TORQUE("x"), TORQUE("y"), TORQUE("z"),     \
        IMPULSE("x"), IMPULSE("y"), IMPULSE("z"), ANGULAR_IMPULSE("x"), ANGULAR_IMPULSE("y"), \
        ANGULAR_IMPULSE("z")
#define FRICTION_OUTPUTS(what, force_unit, impulse_unit)                                          \
    LOCAL_OUTPUT("acting_friction", what " of the joint's friction on the second body",           \
                 force_unit),                                                                     \
        LOCAL_OUTPUT("friction_impulse", "impulse of the joint's friction at an impact",          \
                     impulse_unit),                                                               \
        LOCAL_OUTPUT("friction_percussion",                                                       \
                     "impulse of the joint's friction on the second body over the last internal " \
                     "step",                                                                      \
                     impulse_unit)
#define TURNING_FRICTION FRICTION_OUTPUTS("torque", UNIT_NEWTON_METRE, UNIT_NEWTON_METRE_SECOND)
#define SLIDING_FRICTION FRICTION_OUTPUTS("force", UNIT_NEWTON, UNIT_NEWTON_SECOND)

#define DRIVE_OUTPUTS(name_, help_, unit_) \
    SHOWN_OUTPUT(name_, help_, unit_),     \
        SHOWN_OUTPUT("work", "work done on the two bodies since the start", UNIT_JOULE)
#define DRIVE_TORQUE                                                                          \
    DRIVE_OUTPUTS("drive_torque", "torque of the drive on the second body, about its z axis", \
                  UNIT_NEWTON_METRE)
#define DRIVE_FORCE                                                                         \
    DRIVE_OUTPUTS("drive_force", "force of the drive on the second body, along its x axis", \
                  UNIT_NEWTON)

static const OutputInfo planar_outputs[] = {PLANAR_OUTPUTS};
static const OutputInfo spatial_outputs[] = {SPATIAL_OUTPUTS};
static const OutputInfo planar_hinge_outputs[] = {PLANAR_OUTPUTS, TURNING_FRICTION};
static const OutputInfo spatial_hinge_outputs[] = {SPATIAL_OUTPUTS, TURNING_FRICTION};
static const OutputInfo planar_slide_outputs[] = {PLANAR_OUTPUTS, SLIDING_FRICTION};
static const OutputInfo spatial_slide_outputs[] = {SPATIAL_OUTPUTS, SLIDING_FRICTION};
static const OutputInfo planar_turning_drive_outputs[] = {PLANAR_OUTPUTS, DRIVE_TORQUE};
static const OutputInfo spatial_turning_drive_outputs[] = {SPATIAL_OUTPUTS, DRIVE_TORQUE};
static const OutputInfo planar_sliding_drive_outputs[] = {PLANAR_OUTPUTS, DRIVE_FORCE};
static const OutputInfo spatial_sliding_drive_outputs[] = {SPATIAL_OUTPUTS, DRIVE_FORCE};

int joint_effort_count(const ElementKind* kind) {
    const int n_friction = kind->friction != NULL ? N_JOINT_FRICTION_OUTPUTS : 0;
    const int n_drive = kind->works ? N_DRIVE_OUTPUTS : 0;
    return (kind->n_outputs - JOINT_EFFORTS - n_friction - n_drive) / 2;
}

// --- what a violated row means ---

// NULL: a row of two shapes that roll on each other
static const JointRow* row_of(const Element* joint, int r) {
    const JointDetail* detail = joint->kind->detail;
    return detail != NULL ? &detail->rows[r] : NULL;
}

bool joint_row_is_askew(const Element* joint, int r) {
    const JointRow* row = row_of(joint, r);
    return row != NULL && row->type == ROW_PERPENDICULAR;
}

void joint_describe_violation(const Element* joint, int r, double g, char* text, size_t n) {
    static const double DEGREES = 180.0 / 3.14159265358979323846;
    const JointRow* row = row_of(joint, r);
    const char axis = (char)('x' + (row != NULL ? row->i : 0));
    const double size = fabs(g);
    text[0] = '\0';
    if (row == NULL) {
        text_append(text, n, "the shapes are %.6g m apart", size);
    } else if (row->type == ROW_POINT) {
        text_append(text, n, "the two points are %.6g m apart along %c", size, axis);
    } else if (row->type == ROW_OFFSET) {
        text_append(text, n, "the second point is off by %.6g m along the %c axis of the first",
                    size, axis);
    } else if (row->type == ROW_PERPENDICULAR) {
        text_append(text, n, "the axes of the two are turned against each other by %.6g deg",
                    DEGREES * asin(fmin(size, 1.0)));
    } else if (row->type == ROW_DISTANCE) {
        text_append(text, n, "the distance of the two points is off its length by %.6g m", size);
    } else if (row->type == ROW_SLIDE) {
        text_append(text, n, "the position is off the prescribed one by %.6g m", size);
    } else {
        text_append(text, n, "the angle is off the prescribed one by an angle of sine %.6g", size);
    }
}

UnitId joint_row_velocity_unit(const Element* joint, int r) {
    const JointRow* row = row_of(joint, r);
    const bool turns = row != NULL && (row->type == ROW_PERPENDICULAR || row->type == ROW_ANGLE ||
                                       row->type == ROW_SPIN);
    return turns ? UNIT_RADIAN_PER_SECOND : UNIT_METRE_PER_SECOND;
}

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define JOINT_FUNCTIONS(list, n_position)                                                \
    .detail = &(const JointDetail){(list), COUNT(list)}, .rows = &(const RowFunctions) { \
        .n_rows = COUNT(list), .n_position_rows = (n_position), .rows = joint_rows_real, \
        .rows_dual = joint_rows_dual, .rows_plane = joint_rows_plane                     \
    }
// of points and directions that are fixed to the frames: W does not change with their places
#define TURNING_JOINT_FUNCTIONS(list, n_position)                                          \
    .detail = &(const JointDetail){(list), COUNT(list)}, .rows = &(const RowFunctions) {   \
        .n_rows = COUNT(list), .n_position_rows = (n_position), .rows = joint_rows_real,   \
        .rows_dual = joint_rows_dual,                                                      \
        .rows_plane = COUNT(list) == 2 ? pin_plane : joint_rows_plane, .turns_only = true, \
        .pins = COUNT(list) == 2                                                           \
    }
#define OUTPUTS(table) .outputs = (table), .n_outputs = COUNT(table)
#define FRICTION_TABLES(parameters_, row, table)                                        \
    .role = ROLE_JOINT, .references = element_pair, .n_references = 2, OUTPUTS(table),  \
    .parameters = (parameters_), .n_parameters = COUNT(parameters_), .friction = (row), \
    .friction_bound = 0
#define JOINT_TABLES(table) \
    .role = ROLE_JOINT, .references = element_pair, .n_references = 2, OUTPUTS(table)
// Joints of the same equations in plane and space, which differ in what there is to tell of them
#define WITH_OUTPUTS(tag_, of_plane, of_space, ...)                                       \
    .tag = (tag_), JOINT_TABLES(of_plane), __VA_ARGS__, .spatial = &(const ElementKind) { \
        .tag = (tag_), JOINT_TABLES(of_space), __VA_ARGS__                                \
    }
#define IN_PLANE_AND_SPACE(tag_, ...) \
    WITH_OUTPUTS(tag_, planar_outputs, spatial_outputs, __VA_ARGS__)
#define DRIVE(tag_, turning_or_sliding, list, n_position, table)                                  \
    WITH_OUTPUTS(tag_, planar_##turning_or_sliding##_drive_outputs,                               \
                 spatial_##turning_or_sliding##_drive_outputs, JOINT_FUNCTIONS(list, n_position), \
                 .signals = (table), .n_signals = 1, .works = true)

static const JointRow revolute_planar[] = {{ROW_POINT, 0, 0}, {ROW_POINT, 1, 0}};
static const JointRow revolute_spatial[] = {{ROW_POINT, 0, 0},
                                            {ROW_POINT, 1, 0},
                                            {ROW_POINT, 2, 0},
                                            {ROW_PERPENDICULAR, 2, 0},
                                            {ROW_PERPENDICULAR, 2, 1}};
static const ElementKind revolute_spatial_kind = {
    .tag = "revolute",
    FRICTION_TABLES(revolute_parameters, &turning, spatial_hinge_outputs),
    TURNING_JOINT_FUNCTIONS(revolute_spatial, 5)};
const ElementKind revolute_kind = {
    .tag = "revolute",
    .help = "A hinge: the two points coincide and the bodies turn about the z axis of the markers.",
    FRICTION_TABLES(revolute_parameters, &turning, planar_hinge_outputs),
    TURNING_JOINT_FUNCTIONS(revolute_planar, 2),
    .spatial = &revolute_spatial_kind,
};

static const JointRow spherical_spatial[] = {
    {ROW_POINT, 0, 0}, {ROW_POINT, 1, 0}, {ROW_POINT, 2, 0}};
static const ElementKind spherical_spatial_kind = {.tag = "spherical",
                                                   JOINT_TABLES(spatial_outputs),
                                                   TURNING_JOINT_FUNCTIONS(spherical_spatial, 3)};
const ElementKind spherical_kind = {
    .tag = "spherical",
    .help = "The two points coincide; all rotations are free.",
    JOINT_TABLES(planar_outputs),
    TURNING_JOINT_FUNCTIONS(revolute_planar, 2),
    .spatial = &spherical_spatial_kind,
};

static const JointRow prismatic_planar[] = {{ROW_OFFSET, 1, 0}, {ROW_PERPENDICULAR, 1, 0}};
static const JointRow prismatic_spatial[] = {{ROW_OFFSET, 1, 0},
                                             {ROW_OFFSET, 2, 0},
                                             {ROW_PERPENDICULAR, 1, 0},
                                             {ROW_PERPENDICULAR, 2, 0},
                                             {ROW_PERPENDICULAR, 1, 2}};
static const ElementKind prismatic_spatial_kind = {
    .tag = "prismatic",
    FRICTION_TABLES(prismatic_parameters, &sliding, spatial_slide_outputs),
    JOINT_FUNCTIONS(prismatic_spatial, 5)};
const ElementKind prismatic_kind = {
    .tag = "prismatic",
    .help =
        "A slide: the second body moves along the x axis of the first marker and does not turn "
        "against the first.",
    FRICTION_TABLES(prismatic_parameters, &sliding, planar_slide_outputs),
    JOINT_FUNCTIONS(prismatic_planar, 2),
    .spatial = &prismatic_spatial_kind,
};

static const JointRow cylindrical_rows[] = {
    {ROW_OFFSET, 0, 0}, {ROW_OFFSET, 1, 0}, {ROW_PERPENDICULAR, 2, 0}, {ROW_PERPENDICULAR, 2, 1}};
const ElementKind cylindrical_kind = {
    .tag = "cylindrical",
    .help =
        "The second body turns about and slides along the z axis of the first marker; for "
        "bodies of space.",
    JOINT_TABLES(spatial_outputs),
    JOINT_FUNCTIONS(cylindrical_rows, 4),
    .spatial_only = true,
};

static const JointRow planar_rows[] = {
    {ROW_OFFSET, 2, 0}, {ROW_PERPENDICULAR, 2, 0}, {ROW_PERPENDICULAR, 2, 1}};
const ElementKind planar_joint_kind = {
    .tag = "planar",
    .help = "The second body moves in the x-y plane of the first marker; for bodies of space.",
    JOINT_TABLES(spatial_outputs),
    JOINT_FUNCTIONS(planar_rows, 3),
    .spatial_only = true,
};

static const JointRow rigid_planar[] = {
    {ROW_POINT, 0, 0}, {ROW_POINT, 1, 0}, {ROW_PERPENDICULAR, 1, 0}};
static const JointRow rigid_spatial[] = {{ROW_POINT, 0, 0},         {ROW_POINT, 1, 0},
                                         {ROW_POINT, 2, 0},         {ROW_PERPENDICULAR, 1, 0},
                                         {ROW_PERPENDICULAR, 2, 0}, {ROW_PERPENDICULAR, 1, 2}};
static const ElementKind rigid_spatial_kind = {
    .tag = "rigid", JOINT_TABLES(spatial_outputs), TURNING_JOINT_FUNCTIONS(rigid_spatial, 6)};
const ElementKind rigid_kind = {
    .tag = "rigid",
    .help = "The two markers stay on each other with parallel axes.",
    JOINT_TABLES(planar_outputs),
    TURNING_JOINT_FUNCTIONS(rigid_planar, 3),
    .spatial = &rigid_spatial_kind,
};

static const ParameterInfo distance_parameters[] = {
    {.name = "length",
     .help = "distance of the two points",
     .unit = UNIT_METRE,
     .start = NAN,
     .min = 1e-9,
     .max = INFINITY},
};
static const JointRow distance_rows[] = {{ROW_DISTANCE, 0, 0}};
const ElementKind distance_kind = {
    .help = "A massless rod: the two points keep their distance.",
    IN_PLANE_AND_SPACE("distance", JOINT_FUNCTIONS(distance_rows, 1),
                       .parameters = distance_parameters, .n_parameters = 1),
};

static const SignalInfo angle_signals[] = {
    {.name = "angle",
     .help = "angle of the second marker against the first about its z axis",
     .unit = UNIT_RADIAN,
     .moves = true,
     .n_derivatives = 2},
};
static const JointRow angle_rows[] = {{ROW_ANGLE, 0, 0}};
const ElementKind angle_drive_kind = {
    .help =
        "Prescribes the angle between two bodies as a function of time and inputs; a hinge is a "
        "joint of its own beside it. A value set before a step is reached at its end.",
    DRIVE("angle_drive", turning, angle_rows, 1, angle_signals),
};

static const SignalInfo slide_signals[] = {
    {.name = "position",
     .help = "position of the second point along the x axis of the first marker",
     .unit = UNIT_METRE,
     .moves = true,
     .n_derivatives = 2},
};
static const JointRow slide_rows[] = {{ROW_SLIDE, 0, 0}};
const ElementKind slide_drive_kind = {
    .help =
        "Prescribes the position along a slide as a function of time and inputs; the slide is a "
        "joint of its own beside it. A value set before a step is reached at its end.",
    DRIVE("slide_drive", sliding, slide_rows, 1, slide_signals),
};

static const SignalInfo speed_signals[] = {
    {.name = "speed",
     .help = "angular velocity of the second body against the first about the z "
             "axis of the first marker",
     .unit = UNIT_RADIAN_PER_SECOND,
     .n_derivatives = 1},
};
static const JointRow speed_rows[] = {{ROW_SPIN, 2, 0}};
const ElementKind speed_drive_kind = {
    .help =
        "Prescribes the angular velocity between two bodies as a function of time and inputs; a "
        "value set before a step holds from its start.",
    DRIVE("speed_drive", turning, speed_rows, 0, speed_signals),
};

static const JointRow skate_rows[] = {{ROW_CROSS_VELOCITY, 1, 0}};
const ElementKind skate_kind = {
    .help =
        "A blade or wheel that cannot move sideways: the first point has no velocity along the "
        "y axis of its marker relative to the second body.",
    IN_PLANE_AND_SPACE("skate", JOINT_FUNCTIONS(skate_rows, 0)),
};

static const ReferenceInfo rolling_references[] = {
    {.name = "first", .help = "one shape", .type = REFERENCE_SHAPE, .required = true},
    {.name = "second", .help = "the other shape", .type = REFERENCE_SHAPE, .required = true},
};
// Its rows are those of a contact of the two shapes, see connect.c.
#define ROLLING_TABLE(table)                                                                   \
    .tag = "rolling", .role = ROLE_JOINT, .references = rolling_references, .n_references = 2, \
    OUTPUTS(table)
static const ElementKind spatial_rolling_kind = {ROLLING_TABLE(spatial_outputs)};
const ElementKind rolling_kind = {
    .help = "Two shapes that stay in touch and roll on each other without sliding.",
    ROLLING_TABLE(planar_outputs),
    .spatial = &spatial_rolling_kind,
};
