#include "reader/other_words.h"

#include <stddef.h>
#include <string.h>

typedef struct Word {
    const char* theirs;
    const char* ours;
} Word;

static const Word tags[] = {
    {"body", "<planar_body> or <spatial_body>"},
    {"rigid_body", "<planar_body> or <spatial_body>"},
    {"link", "<planar_body> or <spatial_body>, or <distance> for a bar without mass"},
    {"mass", "<point_mass>"},
    {"particle", "<point_mass>"},
    {"bar", "<elastic_bar>, or <distance> for one that is rigid and has no mass"},
    {"rod", "<distance>, or a body if it has mass"},
    {"world", "<ground>"},
    {"fixed", "<rigid>, or <ground> for what does not move"},
    {"weld", "<rigid>"},
    {"hinge", "<revolute>"},
    {"pin_joint", "<revolute>"},
    {"slider", "<prismatic>"},
    {"slide", "<prismatic>"},
    {"ball_joint", "<spherical>"},
    {"gear", "<rolling>"},
    {"spring", "<spring_damper>"},
    {"damper", "<spring_damper>"},
    {"dashpot", "<spring_damper>"},
    {"rope", "<spring_damper> with compression_factor=\"0\""},
    {"torsion_spring", "<torsional_spring_damper>"},
    {"torsional_spring", "<torsional_spring_damper>"},
    {"motor", "<angle_actuator>, <angle_drive> or <speed_drive>"},
    {"servo", "<angle_actuator> or <slide_actuator>"},
    {"load", "<force> or <torque>"},
    {"moment", "<torque>"},
    {"collision", "<contact>"},
    {"friction", "<contact> with friction_coefficient, or friction_torque of a joint"},
    {"marker", "<frame>"},
    {"disc", "<circle>"},
    {"disk", "<circle>"},
    {"ball", "<circle> in the plane, <sphere> in space"},
    {"hole", "<ring> in the plane, <bore> or <hollow_sphere> in space"},
    {"cube", "<box>"},
    {"rectangle", "<box>"},
    {"square", "<box>"},
    {"triangle", "<polygon>"},
    {"mesh", "<hull>, which is convex"},
    {"convex", "<polygon> in the plane, <hull> in space"},
    {"path", "<outline>"},
    {"floor", "<line> in the plane, <plane> in space, in <ground>"},
    {"wall", "<line> or <segment> in the plane, <plane> in space, in <ground>"},
    {"stadium", "<segment> with a thickness"},
    {"simulation", "<experiment>"},
    {"for", "<repeat>"},
    {"loop", "<repeat>"},
    {"array", "<repeat>"},
    {"component", "<part>, which a <use> makes"},
    {"module", "<part>, which a <use> makes"},
    {"instance", "<use> of a <part>"},
    {"variable", "<parameter> or <input>"},
};

#define AXES_OF_FRAMES                                                      \
    "that of the joint's frames, which rotation_x, rotation_y, rotation_z " \
    "(in the plane: angle) of a <frame> turn"
#define ROTATION_VECTOR "rotation_x, rotation_y, rotation_z: a rotation vector, axis times angle"

static const Word attributes[] = {
    {"axis", AXES_OF_FRAMES},
    {"axis_x", AXES_OF_FRAMES},
    {"axis_y", AXES_OF_FRAMES},
    {"axis_z", AXES_OF_FRAMES},
    {"quaternion", ROTATION_VECTOR},
    {"rpy", ROTATION_VECTOR},
    {"euler", ROTATION_VECTOR},
    {"position", "x, y and z; of a body initial_x and so on"},
    {"pos", "x, y and z; of a body initial_x and so on"},
    {"velocity", "initial_velocity_x and so on"},
    {"size", "length, width and height"},
    {"diameter", "radius"},
    {"mu", "friction_coefficient"},
    {"friction", "friction_coefficient; of joints friction_torque or friction_force"},
    {"restitution", "normal_restitution"},
    {"e", "normal_restitution"},
    {"dt", "step_size"},
    {"timestep", "step_size"},
    {"time_step", "step_size"},
    {"reaction", "against"},
};

static const char* find(const Word* words, size_t n, const char* theirs) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(words[i].theirs, theirs) == 0) {
            return words[i].ours;
        }
    }
    return NULL;
}

const char* other_word(const char* tag) { return find(tags, sizeof tags / sizeof tags[0], tag); }

const char* other_attribute(const char* name) {
    return find(attributes, sizeof attributes / sizeof attributes[0], name);
}
