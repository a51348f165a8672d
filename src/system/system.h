// One mechanical system (GA 3): numbering of coordinates and assembly of
//   M du = h dt + W_N dP_N + W_F dP_F,   q' = u,   g_N, g_N_dot, gamma_F
// from the local blocks that the elements supply. Constant after it is built.
#pragma once

#include "elements/contact.h"
#include "elements/element.h"
#include "system/state.h"
#include "system/workspace.h"

typedef struct ContactEntry {
    const Element* element;
    const Element *a, *b;  // shapes, in the order that proximity expects
    ProximityFunction proximity;
    Range u_a, u_b;  // velocities of their bodies, empty for the ground
} ContactEntry;

typedef struct System {
    const Element* elements;  // (n_elements)
    int n_elements;
    const Element* const* bodies;  // (n_bodies) without the ground
    int n_bodies;
    const Element* const* forces;  // (n_forces)
    int n_forces;
    const ContactEntry* contacts;  // (n_contacts)
    int n_contacts;
    const Expression* const* signals;  // (n_signals)
    int n_signals;
    int n_user_parameters;  // the first of p: symbols 0 ... of signals; inputs are those after them
    int n_parameters, n_inputs;
    int nq, nu;
    int n_mass;            // entries of all mass blocks
    int gravity, solver;   // where the parameters of these settings begin in p
    bool state_dependent;  // some force depends on q or u
} System;

// M and its Cholesky factors from the parameters; STATUS_SINGULAR if a mass is not positive.
MUST_CHECK Status system_update_mass(const System* sys, const double* p, Workspace* w);

// Initial q and u from the parameters.
void system_initial(const System* sys, const double* p, double* q, double* u);

// Frames and signals at (t, q, u), with the parameters and inputs of s.
Configuration system_configuration(const System* sys, double t, const State* s, const double* q,
                                   const double* u, Workspace* w);

void system_forces(const System* sys, const Workspace* w, const Configuration* c, double* h);
// A (nu x nu, column-major) += k dh/dq + d dh/du
void system_add_force_jacobian(const System* sys, const Configuration* c, double k, double d,
                               double* A);

void system_mass_multiply(const System* sys, const Workspace* w, const double* x, double* y);
void system_mass_solve(const System* sys, const Workspace* w, double* x);  // x = M^-1 x
void system_add_mass(const System* sys, const Workspace* w, double* A);    // A += M

void system_contact(const System* sys, const Configuration* c, int k, ContactBlock* block);
// y += alpha W_row, and W_row . x, for one row of a contact's block
void system_contact_add(const ContactEntry* contact, const double* W_row, double alpha, double* y);
double system_contact_dot(const ContactEntry* contact, const double* W_row, const double* x);

double system_kinetic_energy(const System* sys, const Workspace* w, const double* u);
double system_potential_energy(const System* sys, const Workspace* w, const Configuration* c);
// its time derivative
double system_potential_rate(const System* sys, const Workspace* w, const Configuration* c);
