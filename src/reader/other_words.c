#include "reader/other_words.h"

#include <stddef.h>
#include <string.h>

typedef struct Word {
    const char* theirs;
    const char* ours;
} Word;

static const Word words[] = {
    {"body", "<planar_body> or <spatial_body>"},
    {"rigid_body", "<planar_body> or <spatial_body>"},
    {"link", "<planar_body> or <spatial_body>, or <distance> for a bar without mass"},
    {"mass", "<point_mass>"},
    {"particle", "<point_mass>"},
    {"beam", "<elastic_bar>, which deforms along itself"},
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

const char* other_word(const char* tag) {
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].theirs, tag) == 0) {
            return words[i].ours;
        }
    }
    return NULL;
}
