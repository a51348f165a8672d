// Joints that do not hold at the start of a motion: what is told of them, and what is done.
#include "base/text.h"
#include "elements/joints.h"
#include "schemes/start.h"
#include "simulation/simulation_struct.h"

enum { TEXT_SIZE = 256 };
static const double TOLERATED = 1e-9;  // m, rad, m/s, rad/s: not worth a warning

// Bodies that stand askew by more than this (the sine of the angle) were not meant to be moved.
static const double ASKEW = 0.1;

// What is wrong with a joint on position level, and what its author may have to change
static void describe(const Link* joint, int row, double g, const char* otherwise, char* text) {
    char fault[TEXT_SIZE / 2];
    const bool askew = joint_row_is_askew(joint->element, row) && g > ASKEW;
    joint_describe_violation(joint->element, row, g, fault, sizeof fault);
    text[0] = '\0';
    text_append(text, TEXT_SIZE, "%s%s", fault,
                askew ? " (the body, or the <frame> that the joint refers to, has to be turned)"
                      : otherwise);
}

static void warn(const System* sys, const JointViolation* worst, Report* report) {
    if (worst->position > TOLERATED) {
        const Link* joint = &sys->joints[worst->position_joint];
        char text[TEXT_SIZE];
        describe(joint, worst->position_row, worst->position,
                 " (project_start=\"yes\" in <solver> would mend it)", text);
        report_add(report, SEVERITY_WARNING, joint->element->place,
                   "joint %s does not hold at the start: %s", joint->name, text);
    }
    if (worst->velocity > TOLERATED) {
        const Link* joint = &sys->joints[worst->velocity_joint];
        const UnitId unit = joint_row_velocity_unit(joint->element, worst->velocity_row);
        report_add(report, SEVERITY_WARNING, joint->element->place,
                   "the initial velocities violate joint %s by %.6g %s (project_start=\"yes\" in "
                   "<solver> would mend it)",
                   joint->name, worst->velocity, unit_get(unit)->name);
    }
}

// A start that cannot be made to hold: worst tells how it was.
static Status refuse(Simulation* simulation, Status status, const JointViolation* worst) {
    const Link* joint = &simulation->model.system.joints[worst->position_joint];
    const Place place = joint->element->place;
    char text[TEXT_SIZE];
    describe(joint, worst->position_row, worst->position, "", text);
    return simulation_fail(simulation, status,
                           "the bodies could not be moved to where the joints hold: %s. At the "
                           "start as it is given the worst is joint %s (line %ld, column %ld): %s",
                           status_text(status), joint->name, place.line, place.column, text);
}

Status simulation_start_joints(Simulation* simulation, double t_0, Report* report) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    Workspace* w = &simulation->workspace;
    JointViolation worst = joint_violation(sys, t_0, s, w);
    if (sys->n_joints > 0 && s->p[sys->solver + SOLVER_PROJECT_START] > 1.0) {
        const Status status = start_project(sys, t_0, s, w);
        if (status != STATUS_OK) {
            return refuse(simulation, status, &worst);
        }
        worst = joint_violation(sys, t_0, s, w);
    }
    if (report != NULL) {
        warn(sys, &worst, report);
    }
    return STATUS_OK;
}
