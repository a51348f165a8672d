// A contact of two shapes: Signorini's law, Newton's impact law and Coulomb friction.
#pragma once

#include "elements/element.h"

enum {
    FRICTION_COEFFICIENT,
    NORMAL_RESTITUTION,
    TANGENTIAL_RESTITUTION,
    N_CONTACT_PARAMETERS,
    FRICTION_RATIO = N_CONTACT_PARAMETERS,  // of space
    CONTACT_RADIUS,
    N_SPATIAL_CONTACT_PARAMETERS
};

// What holds between two materials, in a <contacts> with shapes of several ones: where friction and
// restitutions stand among all parameters. Those that the element gives are its own.
typedef struct MaterialValues {
    int first, second;  // numbers of the materials, first <= second
    int shapes[2];      // elements: two of these materials that can meet
    int p[N_CONTACT_PARAMETERS];
} MaterialValues;

typedef enum ContactState { CONTACT_OPEN = 1, CONTACT_SLIP, CONTACT_STICK } ContactState;

// Where its state and the forces of its rows are among its outputs; the impulses
// and then the percussions of the rows follow.
enum { CONTACT_OUTPUT_STATE = 1, CONTACT_OUTPUT_FORCES = 3 };

// What a contact in several points tells of all together; the components of the force, which come
// last, are two in the plane and three in space.
enum {
    SMALLEST_GAP,
    CLOSED_POINTS,
    TOTAL_NORMAL_FORCE,
    TOTAL_NORMAL_IMPULSE,
    TOTAL_FRICTION_FORCE,
    TOTAL_FORCE
};

// Row 0 is the normal direction; 1 ... n_F are friction.
enum { CONTACT_MAX_F = 3, CONTACT_MAX_ROWS = 1 + CONTACT_MAX_F };

extern const ElementKind contact_kind;  // in the plane; its spatial variant for space
// Everything in a group with everything in another, or in the same: contacts are found while the
// bodies move. What it tells of all of them, among its outputs:
extern const ElementKind contacts_kind;
enum { GROUP_CONTACTS, GROUP_PENETRATION, GROUP_NORMAL_FORCE, GROUP_KINETIC_ENERGY };
// Its last parameter: what bodies do that a joint connects
typedef enum JoinedBodies { JOINED_PASS = 1, JOINED_TOUCH } JoinedBodies;
extern const char CONTACTS_JOINED_BODIES[];  // its name
static inline bool contacts_join(const Element* contacts, const double* p) {
    return p[contacts->p.at + contacts->p.n - 1] == JOINED_TOUCH;
}

// Two types of shapes that meet: every point in which they can touch is covered, so that neither
// goes through the other.
typedef struct ContactPair {
    ShapeType first, second;    // in the order that the rows take them
    const RowFunctions* plane;  // NULL: not in the plane
    const RowFunctions* space;  // NULL: not in space
    const char* help;           // what of the shapes touches
    bool in_plane, in_space;    // they meet there by features that are found while bodies move
} ContactPair;
extern const ContactPair contact_pairs[];  // all that there are
extern const int n_contact_pairs;

static inline bool contact_pair_meets(const ContactPair* pair, bool planar) {
    return (planar ? pair->plane : pair->space) != NULL ||
           (planar ? pair->in_plane : pair->in_space);
}
// Do shapes of these types meet by features that are found while bodies move?
bool contact_is_found(ShapeType first, ShapeType second, bool planar);

// The rows of a pair of shapes, or NULL if the pair does not meet, or by features that are found.
// *swap: the second shape is to be taken as first. planar: the pair lies in the plane.
const RowFunctions* contact_rows_find(ShapeType first, ShapeType second, bool planar, bool* swap);

// The rows of a pair of features, and the axes that the kernel wants of one side of it: those of
// its marker in the coordinates in which its axis is given.
const RowFunctions* contact_feature_rows(FeatureKind kind, bool planar);
Mat3 contact_feature_axes(FeatureKind kind, int side, Vec3 axis, bool planar);

// Where friction and restitutions of a contact of two shapes stand among all parameters.
void contact_parameters_find(const Element* contact, const Element* a, const Element* b,
                             int p[N_CONTACT_PARAMETERS]);

// The tags of shapes of a type, "<circle>, <sphere>"; those of the plane alone, or all.
const char* shape_type_tags(ShapeType type, bool planar);
