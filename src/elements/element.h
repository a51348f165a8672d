// What a model is made of. Each kind of element is one table (its tag, attributes and outputs, with
// units, bounds and help) and a few functions of its role; the reader, the FMU's variables and the
// documentation all work from the table, the System from the functions. Adding an element means one
// file and one line in element_kinds.c.
#pragma once

#include <stdbool.h>

#include "base/quantity.h"
#include "base/range.h"
#include "base/report.h"
#include "elements/frame.h"
#include "expression/expression.h"

// Real, integer and enumeration attributes are parameters of the model (p). Bounds are inclusive.
typedef struct ParameterInfo {
    const char* name;  // XML attribute and last part of the variable's name
    const char* help;
    UnitId unit;
    double start;  // default; NAN: the attribute must be given
    double min, max;
    bool tunable;  // may change between steps
    VariableType type;
    const EnumerationType* enumeration;  // of VARIABLE_ENUMERATION
    bool from_materials;                 // the default comes from the table of material pairs
} ParameterInfo;

// Expressions of time, inputs and user parameters.
typedef struct SignalInfo {
    const char* name;
    const char* help;
    UnitId unit;
    const char* start;  // default expression, NULL: the attribute must be given
} SignalInfo;

// Attributes that name other elements.
typedef enum ReferenceType {
    REFERENCE_BODY,   // a body or the ground
    REFERENCE_POINT,  // the same, or a shape on it: then its centre
    REFERENCE_SHAPE,  // a shape
} ReferenceType;

typedef struct ReferenceInfo {
    const char* name;
    const char* help;
    ReferenceType type;
    bool required;  // otherwise absent means the ground
} ReferenceInfo;

typedef struct OutputInfo {
    const char* name;
    const char* help;
    UnitId unit;
    VariableType type;
    const EnumerationType* enumeration;
    bool by_default;         // an output even if the model declares no outputs
    int derivative_of;       // index in the same table, or -1
    bool depends_on_inputs;  // directly, at fixed state
    const char* start_from;  // the parameter of the same element that is its initial value, or NULL
} OutputInfo;

typedef enum ElementRole {
    ROLE_SETTING,  // gravity, solver: parameters alone
    ROLE_BODY,     // owns coordinates
    ROLE_SHAPE,    // a geometry fixed to the body it stands in
    ROLE_FORCE,    // adds to h
    ROLE_CONTACT,  // adds g_N, W_N, W_F
} ElementRole;

typedef enum ShapeType { SHAPE_ROUND, SHAPE_LINE, SHAPE_RING } ShapeType;

enum { BODY_MAX_NU = 3, ELEMENT_MAX_REFERENCES = 2 };
// Degrees of freedom of the bodies that a force or contact couples.
enum { LOCAL_NU = ELEMENT_MAX_REFERENCES * BODY_MAX_NU };

typedef struct Element Element;

// Where all elements are at one instant.
typedef struct Configuration {
    double t;
    const double* p;        // (n_parameters)
    const double* signals;  // (n_signals) values at t
    const double* q;        // (nq)
    const double* u;        // (nu)
    const Frame* frames;    // (n_bodies + 1), the ground last
} Configuration;

typedef struct BodyFunctions {
    int nq, nu;
    void (*initial)(const double* par, double* q, double* u);
    void (*frame)(const double* q, const double* u, Frame* frame);
    void (*mass)(const double* par, double* M);  // (nu x nu)
} BodyFunctions;

typedef struct ForceFunctions {
    bool state_dependent;  // h depends on q or u: the force then has a jacobian
    // f (LOCAL_NU): generalised forces on the two bodies referred to, BODY_MAX_NU entries each
    void (*force)(const Element* element, const Configuration* c, double* f);
    // K, D (LOCAL_NU x LOCAL_NU, row-major) = df/dq, df/du
    void (*jacobian)(const Element* element, const Configuration* c, double* K, double* D);
    // energy stored and its time derivative, NULL if the force stores none
    double (*potential)(const Element* element, const Configuration* c);
    double (*potential_rate)(const Element* element, const Configuration* c);
} ForceFunctions;

typedef struct ElementKind {
    const char* tag;
    const char* help;
    ElementRole role;
    const ParameterInfo* parameters;
    int n_parameters;
    const SignalInfo* signals;
    int n_signals;
    const ReferenceInfo* references;
    int n_references;
    const OutputInfo* outputs;
    int n_outputs;
    // Role and function table that belongs to it
    const BodyFunctions* body;
    const ForceFunctions* force;
    ShapeType shape;
    // Outputs that follow from the configuration alone (bodies, forces); y (n_outputs)
    void (*output)(const Element* element, const Configuration* c, const double* a, double* y);
} ElementKind;

// A point fixed to a body.
typedef struct Anchor {
    int body;    // index of its frame
    int offset;  // p[offset], p[offset+1]: coordinates in the body frame; -1: the body's origin
} Anchor;

struct Element {
    const ElementKind* kind;
    const char* name;  // full: "ball", "ball.rim"; "" never
    Place place;
    int parent;                              // element in which it stands, -1 for the mechanism
    int body;                                // bodies and shapes: index of the frame
    Range p;                                 // its parameters
    Range signals;                           // its signals
    Range q, u;                              // bodies: its coordinates and velocities
    Range y;                                 // its outputs
    int references[ELEMENT_MAX_REFERENCES];  // elements referred to, -1: the ground
    Anchor anchors[ELEMENT_MAX_REFERENCES];  // where these are
};

// All kinds, in the order of the documentation.
extern const ElementKind* const element_kinds[];
extern const int element_kinds_count;

const ElementKind* element_kind_find(const char* tag);

static inline const double* element_parameters(const Element* element, const Configuration* c) {
    return c->p + element->p.at;
}
// Vector from the body's origin to the anchor, in the world frame.
static inline Vec2 anchor_arm(Anchor anchor, const Configuration* c) {
    if (anchor.offset < 0) {
        return (Vec2){0.0, 0.0};
    }
    return frame_turn(&c->frames[anchor.body],
                      (Vec2){c->p[anchor.offset], c->p[anchor.offset + 1]});
}
