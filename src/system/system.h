// One mechanical system (GA 3, 8): numbering of coordinates and assembly of
//   q' = B u,   M du = h dt + W_g dP_g + W_gamma dP_gamma + W_N dP_N + W_F dP_F
// and of the constraints and contact kinematics from the local blocks that the elements supply.
// Constant after it is built (system_build.h), but for the contacts that are found while bodies
// move (found_laws.h). Rows of joints on position and velocity level share one numbering, 0 ...
// nla_g - 1; contacts, with one normal row and n_F friction rows each, and friction in joints, with
// one row, have another, 0 ... nla_c - 1.
#pragma once

#include "elements/contact.h"
#include "elements/element.h"
#include "system/assembly.h"
#include "system/instant.h"
#include "system/state.h"

// One of the two frames that a link connects, seen from the velocities of its coupling.
typedef struct CouplingSide {
    int n;             // velocities on which the frame's twist depends
    const int* entry;  // (n) which ones of the coupling's
    const int* twist;  // (n) of a rigid body: the component of the twist that each is, else NULL
    const struct FrameSource* source;  // of others: the point, FrameSource.point
} CouplingSide;

// The velocities that a force, joint or contact couples, each once.
typedef struct Coupling {
    int n;              // at most COUPLING_MAX
    const int* u;       // (n) numbers of the system's velocities
    const int* column;  // (n) between rigid bodies: the component of the two twists that each is;
                        // NULL: the sides tell
    CouplingSide sides[ELEMENT_MAX_REFERENCES];  // in the order of the markers
} Coupling;
// Is velocity k a rotation of a rigid body: the fourth component of a twist, or one after it?
static inline bool coupling_is_rotation(const Coupling* coupling, int k) {
    if (coupling->column == NULL) {
        return false;
    }
    const int component = coupling->column[k];
    return (component < TWIST_SIZE ? component : component - TWIST_SIZE) >= 3;
}

// A force, joint or contact with what it connects.
typedef struct Link {
    const Element* element;
    const RowFunctions* rows;  // of joints and contacts
    const char* name;
    int marker_a, marker_b;  // in the order that the kernel expects
    Coupling coupling;
    Range la;   // rows of joints among the bilateral ones, of laws among the rows of laws
    int bound;  // of friction in a joint: the parameter that bounds it; contacts have none: -1
    // of a contact: where its friction and restitutions stand among the parameters
    int p[N_CONTACT_PARAMETERS];
    Range y;      // outputs; of a contact that was found none
    FoundId id;   // of a contact that was found
    bool passes;  // and its bodies can pass through each other within a step
} Link;

// FRICTION_COEFFICIENT or a restitution of a contact, p being all parameters
static inline double link_parameter(const Link* contact, const double* p, int i) {
    return p[contact->p[i]];
}

// A point of a body that is not rigid, which a marker stands on.
typedef struct FramePoint {
    int marker;
    int n;          // velocities on which the marker's twist depends
    const int* at;  // (n) which ones of the body's
    int T;          // where the rows of its twist (TWIST_SIZE x n) begin in Instant.T
} FramePoint;
// What has a frame: a rigid body, or a point of another one.
typedef struct FrameSource {
    const Element* body;
    const FramePoint* point;  // NULL: the body is rigid
} FrameSource;

// A shape that meets others by the features of its surface, or one cross section of a skin.
typedef struct Collider {
    const Element* shape;
    int marker;  // of a cross section: its own; -1: the shape has one surface
    int frame;   // that it moves with
    int group;   // as Element.group
} Collider;

// A <contact> whose contacts are found: each of its first colliders meets each of the second.
typedef struct Meeting {
    const Element* contact;
    Range first, second;  // colliders
} Meeting;

// A sensor of what contacts exert on a body, or on one shape of it (contact_loads.h).
typedef struct LoadSensor {
    const Element* sensor;
    const Element* shape;    // NULL: all of the body
    const Element* contact;  // NULL: all contacts
    int marker;              // about which torques are: the body's, or that of a frame on it
    int next;                // sensor of the same body, from 1; 0: there are no more
} LoadSensor;

typedef struct FoundLaws FoundLaws;

typedef struct System {
    const Element* elements;  // (n_elements)
    int n_elements;
    const Element* const* bodies;  // (n_bodies) without the ground
    int n_bodies;
    const FrameSource* frames;  // (n_frames)
    int n_frames;               // the ground's frame comes after them
    int n_T;                    // entries of the rows of all points' twists
    const Link* forces;         // (n_forces)
    int n_forces;
    const Link* joints;  // (n_joints)
    int n_joints;
    const Link* laws;  // (n_laws) contacts, the fixed ones first, then friction in joints
    int n_laws, n_contacts;
    int n_fixed;  // contacts of points that the model names; the others are found (found_laws.h)
    int most_laws, most_contacts, most_rows;  // for which there is room
    long long laws_version;                   // counts how often the laws were numbered anew
    FoundLaws* found;                         // what is behind the laws
    const Collider* colliders;                // (n_colliders)
    int n_colliders;
    const Meeting* meetings;  // (n_meetings)
    int n_meetings;
    const Element** group_contacts;  // (n_groups x n_groups) that lets two groups meet, or NULL
    int n_groups;
    int n_totals;                   // elements whose contacts are found: Element.total
    const Element* const* sensors;  // (n_sensors)
    int n_sensors;
    const LoadSensor* load_sensors;  // (n_loads)
    int n_loads;
    const Element* const* uses;  // (n_uses) of parts
    int n_uses;
    const Expression* const* signals;       // (n_signals)
    const SignalInfo* const* signal_infos;  // (n_signals)
    int n_signals;
    const bool* moves;   // (n_signals) the signal prescribes a position
    const int* motions;  // (n_motions) the symbols of these signals, parameters and inputs
    int n_motions;
    bool steered;  // some prescribed motion depends on parameters or inputs
    // (n_markers + up to 2 per found contact) bodies and shapes that are referred to, that stand on
    // the ground or a body that deforms, or are these; the ground's origin is last of the n_markers
    const Element* const* marker_elements;
    int n_markers;
    int n_user_parameters;  // the first of p: symbols 0 ... of signals; inputs are those after them
    int n_open;             // of p, the first ones: what the state keeps (element_is_open)
    int n_parameters, n_inputs, n_outputs;
    const double* p_start;  // (n_parameters) start values, later the state's: structural ones are
                            // the same in both
    int n_works;            // elements whose work is summed up
    int nq, nu;
    int nla_g;                // bilateral rows
    int nla_c;                // rows of contacts and of friction in joints
    int n_blocks, n_mass;     // blocks of masses, and their entries
    int n_constants;          // of all bodies
    Assemblies assemblies;    // of bodies
    int gravity, solver;      // where the parameters of these settings begin in p
    bool driven;              // some frame has a prescribed motion
    bool mass_is_blocks;      // every body's mass is one constant block
    bool turning;             // some body's q' is not u
    bool curved;              // some contact is with a curve, whose function may have no value
    bool nonholonomic;        // some joint has rows on velocity level
    bool position_dependent;  // some force depends on q
    bool velocity_dependent;  // some force depends on u, gyroscopic terms included
} System;

static inline const Element* collider_body(const System* sys, const Collider* collider) {
    return &sys->elements[collider->shape->parent];
}
// What has its frame; NULL: the ground
static inline const FrameSource* collider_source(const System* sys, const Collider* collider) {
    return collider->frame < sys->n_frames ? &sys->frames[collider->frame] : NULL;
}

// What expressions of signals refer to: user parameters, then inputs.
static inline int system_symbols(const System* sys) {
    return sys->n_user_parameters + sys->n_inputs;
}

// Initial q and u from what follows from the parameters.
void system_initial(const System* sys, const Properties* properties, double* q, double* u);

// GA (121), (123): q' = B(q) u, and q'' for u' = a; (nq)
void system_q_dot(const System* sys, const double* q, const double* u, double* q_dot);
void system_q_ddot(const System* sys, const double* q, const double* u, const double* a,
                   double* q_ddot);
// GA (125) in two parts: base = q_0 + dt^2/2 q''(q_0, u_0, 0), and q_1 = base + B(q_0) w, unit
// quaternions made so again.
void system_base(const System* sys, const double* q_0, const double* u_0, double dt, double* base);
void system_displace(const System* sys, const double* base, const double* q_0, const double* w,
                     double* q_1);
// How a change w of such a step displaces the frames at q_1, in place; and the change w that
// displaces them by d.
void system_push_forward(const System* sys, const double* q_1, const double* q_0, double* w);
void system_pull_back(const System* sys, const double* q_1, const double* q_0, const double* d,
                      double* w);
// q_1 = q_0 moved on for dt with constant u
void system_move(const System* sys, const double* q_0, double dt, const double* u, double* q_1);

void system_forces(const System* sys, const Instant* instant, double* h);
// Adds the force of one link to F (LOCAL_SIZE), by components of the two twists.
void system_force(const Instant* instant, const Link* link, double* F);
void system_mass_multiply(const System* sys, const Instant* instant, const double* x, double* y);
// x = M^-1 x; scratch (SYSTEM_MASS_SCRATCH * nu)
enum { SYSTEM_MASS_SCRATCH = 4 };
void system_mass_solve(const System* sys, const Instant* instant, double* scratch, double* x);

// Rows of a joint or contact (zeta of contacts only if wanted) and their velocities (la.n) g' or
// gamma.
void system_rows(const Instant* instant, const Link* link, bool zeta, Rows* rows);
void system_row_velocities(const Instant* instant, const Link* link, const Rows* rows,
                           double* gamma);
// The first n_rows rows in the velocities of the coupling: W[k * stride + r], k < coupling.n
void system_link_matrix(const Instant* instant, const Link* link, const Rows* rows, int n_rows,
                        int stride, double* W);
// One row, or a force, by components of the two twists (LOCAL_SIZE): in the velocities of the
// coupling (coupling.n), and its products with those of the system, y += alpha W^T and W x.
void system_project(const Instant* instant, const Link* link, const double* W_row, double* row);
void system_row_add(const Instant* instant, const Link* link, const double* W_row, double alpha,
                    double* y);
double system_row_dot(const Instant* instant, const Link* link, const double* W_row,
                      const double* x);
// W^T M^-1 W of a row, M's diagonal: the square of the velocity that unit energy could give it
double system_row_mobility(const Instant* instant, const Link* link, const double* W_row);
// What the rows of a contact are made of
void system_contact_point(const Instant* instant, const Link* contact, ContactPoint* point);
// The gap of a contact alone: row 0's g.
double system_gap(const Instant* instant, const Link* link);

// At the instant; the second with other velocities u.
double system_kinetic_energy(const System* sys, const Instant* instant);
double system_kinetic_energy_of(const System* sys, const Instant* instant, const double* u);
double system_kinetic_energy_of_body(const System* sys, const Instant* instant,
                                     const Element* body);
// The potential energy and its time derivative.
double system_potential_energy(const System* sys, const Instant* instant);
double system_potential_rate(const System* sys, const Instant* instant);

// Is the first marker of a contact that of the shape, or group, that its element names first?
bool system_keeps_order(const System* sys, const Link* contact);

// What a force, joint or contact is evaluated with.
Surroundings system_surroundings(const Instant* instant, const Link* link);
// What a body is evaluated with.
// The body as points of it see it: no gravity
BodyView system_point_view(const Instant* instant, const Element* body);
BodyView system_body_view(const System* sys, const Instant* instant, const Element* body);
