// One mechanical system (GA 3, 8): numbering of coordinates and assembly of
//   q' = B u,   M du = h dt + W_g dP_g + W_gamma dP_gamma + W_N dP_N + W_F dP_F
// and of the constraints and contact kinematics from the local blocks that the elements supply.
// Constant after it is built. Bilateral rows on position and velocity level share one numbering
// (la); contacts have one normal row and n_F friction rows each, friction in joints has one row.
#pragma once

#include "elements/contact.h"
#include "elements/element.h"
#include "system/instant.h"
#include "system/state.h"
#include "system/workspace.h"

// The velocities that a force, joint or contact couples: entry k is velocity u[k] of the system and
// component column[k] of the two frames' twists.
typedef struct Coupling {
    int n;
    int u[LOCAL_SIZE];
    int column[LOCAL_SIZE];
} Coupling;

// A force, joint or contact with what it connects.
typedef struct Link {
    const Element* element;
    const RowFunctions* rows;  // of joints and contacts
    const char* name;
    int marker_a, marker_b;  // in the order that the kernel expects
    Coupling coupling;
    Range la;   // rows of joints among the bilateral ones, of laws among the rows of laws
    int bound;  // of friction in a joint: the parameter that bounds it; contacts have none: -1
    Range y;    // outputs
} Link;

typedef struct System {
    const Element* elements;  // (n_elements)
    int n_elements;
    const Element* const* bodies;  // (n_bodies) without the ground
    int n_bodies;
    const Element* const* frame_elements;  // (n_frames) bodies, and shapes on flexible bodies
    int n_frames;                          // the ground's frame comes after them
    const Link* forces;                    // (n_forces)
    int n_forces;
    const Link* joints;  // (n_joints)
    int n_joints;
    const Link* laws;  // (n_laws) contacts, then friction in joints
    int n_laws, n_contacts;
    const Expression* const* signals;  // (n_signals)
    int n_signals;
    const Element* const* marker_elements;  // (n_markers) bodies and shapes; the ground's is last
    int n_markers;
    int n_user_parameters;  // the first of p: symbols 0 ... of signals; inputs are those after them
    int n_parameters, n_inputs, n_outputs;
    int nq, nu;
    int nla_g;                // bilateral rows
    int nla_c;                // rows of contacts and of friction in joints
    int n_mass;               // entries of all mass blocks
    int gravity, solver;      // where the parameters of these settings begin in p
    bool driven;              // some frame has a prescribed motion
    bool flexible;            // some body is
    bool turning;             // some body's q' is not u
    bool nonholonomic;        // some joint has rows on velocity level
    bool position_dependent;  // some force depends on q
    bool velocity_dependent;  // some force depends on u, gyroscopic terms included
} System;

// Initial q and u from the parameters.
void system_initial(const System* sys, const double* p, double* q, double* u);

// GA (121), (123): q' = B(q) u, and q'' for u' = a; (nq)
void system_q_dot(const System* sys, const double* q, const double* u, double* q_dot);
void system_q_ddot(const System* sys, const double* q, const double* u, const double* a,
                   double* q_ddot);
// GA (125) in two parts: base = q_0 + dt^2/2 q''(q_0, u_0, 0), q_1 = base + B(q_0) w of unit
// length; and the w that displaces the frames at q_1 by d
void system_base(const System* sys, const double* q_0, const double* u_0, double dt, double* base);
void system_displace(const System* sys, const double* base, const double* q_0, const double* w,
                     double* q_1);
// and the d that w makes
void system_push_forward(const System* sys, const double* q_1, const double* q_0, double* w);
void system_pull_back(const System* sys, const double* q_1, const double* q_0, const double* d,
                      double* w);
// q_1 = q_0 moved on for dt with constant u
void system_move(const System* sys, const double* q_0, double dt, const double* u, double* q_1);

void system_forces(const System* sys, const Instant* instant, double* h);
void system_mass_multiply(const System* sys, const Instant* instant, const double* x, double* y);
// x = M^-1 x; without flexible bodies
void system_mass_solve(const System* sys, const Instant* instant, double* x);

// The matrix of w->saddle: M + k dh/dq + d dh/du, with which it is started anew (derivatives are
// evaluated unless both k and d are zero; with w->q_0, for displacements of a step from there: the
// mass acts on what system_pull_back makes of them), then the border of the joints' rows
// (n_joints), or of those on position level alone.
void system_assemble_forces(const System* sys, const Instant* instant, double k, double d,
                            Workspace* w);
void system_assemble_joints(const System* sys, const Rows* joint_rows, bool positions_only,
                            Workspace* w);
// Records the pattern of the two.
MUST_CHECK Status system_record_pattern(const System* sys, Workspace* w);

// Rows of a joint or contact (zeta of contacts only if wanted), their velocities (la.n) g' or
// gamma, and products with W.
void system_rows(const Instant* instant, const Link* link, bool zeta, Rows* rows);
void system_row_velocities(const Instant* instant, const Link* link, const Rows* rows,
                           double* gamma);
void system_row_add(const Instant* instant, const Link* link, const double* W_row, double alpha,
                    double* y);
double system_row_dot(const Instant* instant, const Link* link, const double* W_row,
                      const double* x);
// The gap of a contact alone: row 0's g.
double system_gap(const Instant* instant, const Link* link);

double system_kinetic_energy(const System* sys, const Instant* instant);
double system_kinetic_energy_of(const System* sys, const Instant* instant,
                                const double* u);  // of other u
double system_potential_energy(const System* sys, const Instant* instant);
// its time derivative
double system_potential_rate(const System* sys, const Instant* instant);

// What a force, joint or contact is evaluated with.
Surroundings system_surroundings(const Instant* instant, const Link* link);
