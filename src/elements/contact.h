// A contact of two shapes: Signorini's law, Newton's impact law and Coulomb friction.
#pragma once

#include "elements/shapes.h"

enum { FRICTION_COEFFICIENT, NORMAL_RESTITUTION, TANGENTIAL_RESTITUTION, N_CONTACT_PARAMETERS };

typedef enum ContactState { CONTACT_OPEN = 1, CONTACT_SLIP, CONTACT_STICK } ContactState;

// What the contact's outputs are, in the order of its table.
typedef struct ContactOutputs {
    double gap, sliding_velocity, normal_percussion, friction_percussion, state, closed;
} ContactOutputs;

extern const ElementKind contact_kind;

enum { ROW_N, ROW_F, CONTACT_ROWS };

// Local kinematics: rows ROW_N, ROW_F; columns BODY_MAX_NU of the first, then of the second body.
typedef struct ContactBlock {
    double g_N;
    double gamma[CONTACT_ROWS];        // velocities W^T u: g_N_dot and gamma_F
    double zeta[CONTACT_ROWS];         // their derivatives are W^T a + zeta
    double W[CONTACT_ROWS][LOCAL_NU];  // transposed columns of W_N and W_F
} ContactBlock;

// Evaluates the block of shapes a and b (in the order proximity expects).
void contact_block(ProximityFunction proximity, const Element* a, const Element* b,
                   const Configuration* c, ContactBlock* block);
