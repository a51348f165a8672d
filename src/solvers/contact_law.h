// The law of one contact, or of the friction in one joint, in a contact problem.
//
// A law has one normal row (if it has one) followed by n_F friction rows. Its friction is bounded
// by a ball of radius R = mu P_N for a law with a normal row, R = bound otherwise.
#pragma once

#include <stdbool.h>

enum { LAW_MAX_F = 3, LAW_MAX_ROWS = 1 + LAW_MAX_F };

typedef struct ContactLaw {
    int at;       // its first row
    bool normal;  // has a normal row
    int n_F;      // friction rows, 0 ... LAW_MAX_F
    double mu;
    double bound;
    bool slides;             // the direction of sliding is known:
    double slip[LAW_MAX_F];  // unit vector
} ContactLaw;

// Its first friction row, counted among its own and among those of the problem
static inline int contact_law_F(const ContactLaw* law) { return law->normal ? 1 : 0; }
static inline int contact_law_friction_at(const ContactLaw* law) {
    return law->at + contact_law_F(law);
}

// The row after its last
static inline int contact_law_end(const ContactLaw* law) {
    return contact_law_friction_at(law) + law->n_F;
}

static inline int contact_law_rows(const ContactLaw* law) { return contact_law_end(law) - law->at; }

// Can it have friction at all?
static inline bool contact_law_has_friction(const ContactLaw* law) {
    return law->n_F > 0 && (law->normal ? law->mu : law->bound) > 0.0;
}

// Radius of the ball of friction for given percussions of all rows
static inline double contact_law_radius(const ContactLaw* law, const double* P) {
    if (!law->normal) {
        return law->bound;
    }
    return P[law->at] > 0.0 ? law->mu * P[law->at] : 0.0;
}
