// What a model is made of. Each kind of element is one table (its tag, attributes and outputs, with
// units, bounds and help) and a few functions of its role; the reader, the FMU's variables and the
// documentation all work from the table, the System from the functions. Adding an element means one
// file and one line in reader/element_kinds.c.
#pragma once

#include <math.h>
#include <stdbool.h>

#include "base/quantity.h"
#include "base/range.h"
#include "base/report.h"
#include "elements/frame.h"
#include "expression/expression.h"
#include "geometry/outline.h"
#include "geometry/solid.h"

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
    bool structural;                     // fixes how many coordinates there are: a constant
    bool from_shapes;                    // of a body: all of them follow from its shapes' densities
                                         // if the first one, its mass, is left out
} ParameterInfo;

// Expressions of time, inputs and user parameters, or of x and user parameters.
typedef struct SignalInfo {
    const char* name;
    const char* help;
    UnitId unit;
    const char* start;  // default expression, NULL: the attribute must be given
    bool moves;         // prescribes a position: inputs that jump become a motion (system/motion.h)
    bool of_x;          // a function of x and parameters: Element.function; as a signal it is 0
    const char* variable;  // the name of its x, if it is another one; NULL: x
    int n_derivatives;     // how many of its time derivatives the element uses
} SignalInfo;

// Attributes that name other elements.
typedef enum ReferenceType {
    REFERENCE_MARKER,   // a body, the ground, or a shape on one: its centre and axes
    REFERENCE_SHAPE,    // a shape
    REFERENCE_GROUP,    // the shapes whose attribute group is this name
    REFERENCE_CONTACT,  // a contact, or contacts of groups
} ReferenceType;

typedef struct ReferenceInfo {
    const char* name;
    const char* help;
    ReferenceType type;
    bool required;  // otherwise absent means the ground, the same group, or all contacts
} ReferenceInfo;

typedef struct OutputInfo {
    const char* name;
    const char* help;
    UnitId unit;
    VariableType type;
    const EnumerationType* enumeration;
    bool by_default;          // an output even if the model declares no outputs
    int derivative_of;        // index in the same table, or -1
    bool depends_on_inputs;   // directly, at fixed state
    bool from_accelerations;  // needs the accelerations, and depends on inputs through them
    const char* start_from;   // the parameters of the same element from which its initial value
                              // follows, with blanks between them; NULL: all, and others
} OutputInfo;

typedef enum ElementRole {
    ROLE_SETTING,  // gravity, solver: parameters alone
    ROLE_BODY,     // owns coordinates or a prescribed motion, and has a frame
    ROLE_SHAPE,    // a geometry fixed to the body it stands in
    ROLE_VERTEX,   // one of the points of the shape it stands in
    ROLE_FORCE,    // adds to h
    ROLE_JOINT,    // adds rows of W_g and W_gamma
    ROLE_CONTACT,  // adds rows of W_N and W_F
    ROLE_SENSOR,   // looks at markers: outputs alone
    ROLE_USE,      // a use of a part: carries where its content starts
} ElementRole;

enum { ELEMENT_MAX_REFERENCES = 2, LOCAL_SIZE = ELEMENT_MAX_REFERENCES * TWIST_SIZE };
enum { MAX_ROWS = 6, BODY_MAX_NQ = 7 };  // coordinates of a rigid body, or of a node
enum { BODY_MAX_PLACES = 2 * BODY_MAX_NQ };

typedef struct Element Element;
typedef struct Pose Pose;  // where a part is used, see use.h

// A point fixed to a body, with axes and a size; follows from the parameters alone.
typedef struct Marker {
    int frame;      // of the body
    Vec3 rho;       // position from the frame's origin, in the frame
    Mat3 A;         // axes, in the frame
    double radius;  // of round shapes
    double turned;  // by the use of a part, about z: turns count, as in Frame.angle
    union {
        Vec3 X;  // of shapes and loads on bodies that are not rigid: the frame's point of the axis
        struct {
            const SmoothCurve* smooth;  // of a side of FEATURE_SMOOTH that is a smooth curve
            double s, span;             // and where on it, as in FeatureCurve
        };
    };
    union {
        double weight;               // of loads along a line: the length that it stands for
        const Expression* function;  // of curves: f(x), x being symbol 0
    };
} Marker;

// Angle of a marker's x axis in its frame, in the plane
static inline double marker_angle(const Marker* marker) {
    static const double TURN = 6.28318530717958647693;
    const double angle = atan2(marker->A.e[0].y, marker->A.e[0].x);
    return marker->turned == 0.0 ? angle : marker->turned + remainder(angle - marker->turned, TURN);
}

// Rows of a joint or contact: functions g of the two frames, with
//   g' = W (twist of the first, twist of the second) + g_t
//   g'' = W (accelerations of the two) + zeta.
// Rows on velocity level (rolling, friction) have g = 0. Rows beyond those of the element are
// whatever they were.
typedef struct Rows {
    double g[MAX_ROWS];
    double g_t[MAX_ROWS];
    double zeta[MAX_ROWS];
    double W[MAX_ROWS][LOCAL_SIZE];
} Rows;
typedef struct DualRows {
    Dual g[MAX_ROWS];
    Dual g_t[MAX_ROWS];
    Dual zeta[MAX_ROWS];
    Dual W[MAX_ROWS][LOCAL_SIZE];
} DualRows;

// A contact in one point. Without friction against drilling its rows are made of this:
//   g_0 = g,  W = (d, R_a^T (arm_a x d), -d, -R_b^T (arm_b x d)),  g_t = 0
enum { CONTACT_DIRECTIONS = 3 };
typedef struct ContactPoint {
    double g;                    // gap
    Vec3 d[CONTACT_DIRECTIONS];  // of the rows, in the world: normal, tangents
    Vec3 arm_a, arm_b;           // from the origin of each frame to the point of its side
} ContactPoint;

// What the kernel of a force, joint or contact is evaluated with besides the two frames.
typedef struct Surroundings {
    const Element* element;
    const double* par;        // the element's parameters
    const Jet* signals;       // the element's signals at the time of evaluation
    const Marker *a, *b;      // first and second marker
    const double* constants;  // of a body, as in BodyView
    bool zeta;                // is zeta wanted?
} Surroundings;

// What a body is evaluated with: its own parameters, signals, coordinates and velocities.
typedef struct BodyView {
    const double* par;
    const double* constants;  // (n) what BodyFunctions.prepare has computed
    const Jet* signals;
    const double* gravity;  // (3)
    const double* q;        // (nq)
    const double* u;        // (nu)
    int nq, nu;
} BodyView;

// What blocks (n x n, row-major) of a matrix in the velocities at (n) are added to; a body numbers
// its own velocities from 0.
typedef struct BlockSink {
    void (*add)(const struct BlockSink* sink, int n, const int* at, const double* block);
} BlockSink;

// The sum mass M + k dh/dq + d dh/du, "dq" being displacements measured like velocities
typedef struct BodyTerms {
    double mass, k, d;
} BodyTerms;

// The most velocities on which the twist of one point of a body depends.
enum { POINT_MAX_VELOCITIES = 18, COUPLING_MAX = ELEMENT_MAX_REFERENCES * POINT_MAX_VELOCITIES };

// The coordinates q of one rigid frame whose q' is not its u, as a whole body or a node of one has
// them: q' = B(q) u; q'' for u' = a; the displacement d of the frame at q_1 that a change w of a
// step q_1 = ... + B(q_0) w makes, and the w that makes d; unit length; the motion q_0 -> q_1 over
// dt with constant u; the stages 1 ... s-1 of q_i = q_0 + sum over j of a_ij q'(q_j, u_j), a
// (s x s); and the frame's orientation. The last three of u are rotations; those before them are q'
// themselves.
typedef struct NodeFunctions {
    int nq, nu;
    void (*q_dot)(const double* q, const double* u, double* q_dot);
    void (*q_ddot)(const double* q, const double* u, const double* a, double* q_ddot);
    void (*push_forward)(const double* q_1, const double* q_0, const double* w, double* d);
    void (*pull_back)(const double* q_1, const double* q_0, const double* d, double* w);
    void (*normalize)(double* q);
    void (*move)(const double* q_0, double dt, const double* u, double* q_1);
    void (*collocate)(int s, const double* a, const double* const* u, double* const* q);
    Mat3 (*orientation)(const double* q);
} NodeFunctions;

// What has a mass, in the coordinates of a body; of the plane, the second moments are about z
// alone.
typedef struct MassMoments {
    double mass;
    Vec3 centre;
    Mat3 second;  // integral of (x - c)(x - c)^T dm, c being the centre
} MassMoments;

// A body with its coordinates q and velocities u. A rigid one has one frame for all its points, and
// each of its velocities is one component of the frame's twist. Points of other bodies have frames
// of their own.
typedef struct BodyFunctions {
    int nq, nu;
    void (*size)(const double* par, int* nq, int* nu);  // by structural parameters; NULL: as above
    bool spatial;                                       // leaves the plane z = 0
    bool position_dependent;                            // h depends on q
    bool velocity_dependent;                            // h depends on u
    // What takes computing and follows from parameters and the element's function of x: how many
    // numbers, and the numbers, or in words why there are none. NULL: nothing.
    int (*n_constants)(const double* par);
    const char* (*prepare)(const double* par, const Expression* function, double* constants);
    void (*initial)(const BodyView* b, double* q, double* u);  // b has no q, u and signals
    // Carries what initial says from the coordinates of a part into those of the mechanism. NULL:
    // the body can stand in no part that is moved.
    void (*carry)(const BodyView* b, const Pose* pose, double* q, double* u);
    // Rigid bodies: the component of the twist that each velocity is (nu), and the frame.
    int twist[TWIST_SIZE];
    void (*frame)(const double* par, const Jet* signals, const double* q, const double* u,
                  Frame* frame);
    // Others: the velocities (numbers of the body's own) on which the twist of the material point X
    // depends, and how many they are (-1: X is no point of the body); the point's frame, and the
    // rows T (TWIST_SIZE x n, row-major) of its twist in these velocities, twist = T u. Where T
    // depends on q, the frame's a and Psi are T' u, and point_dual gives frame (with a and Psi) and
    // T as they change along the velocity at[k]: q displaced along it at the same u, or u changed.
    // NULL: T is constant.
    int (*point_velocities)(const double* par, int nu, Vec3 X, int* at);
    void (*point)(const BodyView* b, Vec3 X, int n, const int* at, Frame* frame, double* T);
    void (*point_dual)(const BodyView* b, Vec3 X, int n, const int* at, int k, bool velocity,
                       DualFrame* frame, Dual* T);
    // The mass as one constant block (nu x nu): about the centre of mass, so that translations,
    // which come before rotations among the velocities, are coupled with nothing. NULL: the mass is
    // given by mass_multiply (y = M x), mass_diagonal, kinetic (energy) and tangent.
    void (*mass)(const double* par, double* M);
    void (*mass_multiply)(const BodyView* b, const double* x, double* y);
    void (*mass_diagonal)(const BodyView* b, double* diagonal);
    double (*kinetic)(const BodyView* b);
    // h (nu): weight and the body's own forces
    void (*forces)(const BodyView* b, double* h);
    // adds these terms to a matrix, always the same blocks; a body with a mass block is asked for
    // terms without mass only. NULL: there are no others
    void (*tangent)(const BodyView* b, BodyTerms terms, const BlockSink* sink);
    // the energy of weight and own forces, and its time derivative
    double (*potential)(const BodyView* b);
    double (*potential_rate)(const BodyView* b);
    // what the cross section at a point X of the axis carries (sensors.h); NULL: it has none
    void (*section)(const BodyView* b, Vec3 X, double* y);
    double (*dissipation)(const BodyView* b);   // the power that own damping takes; NULL: none
    const NodeFunctions* node;                  // what its coordinates are made of; NULL: q' is u
    Vec3 (*centre_of_mass)(const double* par);  // in the body's own coordinates; NULL: the origin
    // writes the parameters that follow from the shapes (ParameterInfo.from_shapes); NULL: none do
    void (*take_moments)(const MassMoments* moments, double* par);
    const char* (*doubt)(const double* par);    // what no real body has, in words, or NULL
    const char* (*missing)(const double* par);  // without which it is no body, in words, or NULL
    // Where the body is, told by some of its outputs y (n_places): they become its q and the values
    // of its signals. from_outputs NULL: the first nq outputs are q.
    const int* places;  // (n_places, BODY_MAX_PLACES at most) their numbers
    int n_places;
    void (*from_outputs)(const BodyView* b, const double* y, double* q, Jet* signals);
    // Of bodies that are lines: the material point at s, 0 <= s <= 1 from end to end, and half its
    // thickness. NULL: the body is no line.
    void (*line)(const double* par, double s, Vec3* X, double* radius);
    // and into how many pieces of equal length, smooth each, it is divided; NULL: it is smooth
    int (*pieces)(const double* par);
} BodyFunctions;

// Does a body move by itself? Others are at rest or have a prescribed motion.
static inline bool body_moves(const BodyFunctions* body) {
    return body->nu > 0 || body->size != NULL;
}

// What an element with several markers is evaluated with: its parameters, and the body it stands on
// with the parameters of that one.
typedef struct MarkerView {
    const double* par;
    const BodyFunctions* body;
    const double* body_par;
    int n;  // how many markers it has
} MarkerView;

typedef struct ForceFunctions {
    bool state_dependent;  // depends on q or u
    // F (LOCAL_SIZE): generalised forces on the two frames, by component of their twists
    void (*force)(const Surroundings* s, const Frame* a, const Frame* b, double* F);
    void (*force_dual)(const Surroundings* s, const DualFrame* a, const DualFrame* b, Dual* F);
    // energy stored; NULL if none
    double (*potential)(const Surroundings* s, const Frame* a, const Frame* b);
    Dual (*potential_dual)(const Surroundings* s, const DualFrame* a, const DualFrame* b);
    // the part of F that a damper in an element with a potential adds; NULL: there is none
    void (*damping)(const Surroundings* s, const Frame* a, const Frame* b, double* F);
} ForceFunctions;

typedef struct RowFunctions {
    int n_rows;
    int n_position_rows;  // the first ones; the others are on velocity level
    void (*rows)(const Surroundings* s, const Frame* a, const Frame* b, Rows* rows);
    void (*rows_dual)(const Surroundings* s, const DualFrame* a, const DualFrame* b,
                      DualRows* rows);
    // rows for frames and markers of the plane alone, faster; NULL: there are none
    void (*rows_plane)(const Surroundings* s, const Frame* a, const Frame* b, Rows* rows);
    // g of row 0 alone, for frames and markers of the plane if rows_plane is; NULL: from the rows
    double (*gap)(const Surroundings* s, const Frame* a, const Frame* b);
    // of a contact: what its rows are made of; the tangents that the plane has not are zero
    void (*point)(const Surroundings* s, const Frame* a, const Frame* b, ContactPoint* point);
    bool turns_only;  // W depends on the orientations of the frames, not on their places
    bool pins;        // in the plane: two points coincide, the rows being along x and y
} RowFunctions;

typedef enum ShapeType {
    SHAPE_NONE,     // a marker
    SHAPE_POINT,    // point
    SHAPE_ROUND,    // circle, sphere: touched from outside
    SHAPE_CORNERS,  // box: its corners touch as points
    SHAPE_ENDS,     // pin: its ends touch as spheres
    SHAPE_RING,     // round hole of the plane, spherical hole of space
    SHAPE_FLAT,     // line, plane: axis 1 (the second) is the normal
    SHAPE_SHAFT,    // cylinder touched from outside: axis 2 (the third) is its axis
    SHAPE_BORE,     // cylindrical hole: likewise
    SHAPE_CURVE,    // y = f(x) of the plane
    SHAPE_SURFACE,  // touches by features of its surface alone
    N_SHAPE_TYPES
} ShapeType;

// What a shape's surface is made from.
typedef struct ShapeView {
    const double* par;        // the shape's own parameters
    const double* p;          // all parameters
    const Element* vertices;  // (n_vertices) the vertices that stand in it; theirs are p + p.at
    int n_vertices;
    const Vec3* points;  // (n_points) of the file that it names
    int n_points;
    const Expression* function;  // its function of one variable
} ShapeView;

// Room that a surface needs.
typedef struct SurfaceSize {
    int steps, parts;  // of an outline, in the plane
    int stations;      // of a smooth curve among outlines
    int points;        // of a hull, in space
} SurfaceSize;

// The surface of a shape in the coordinates of its body: an outline of a shape of the plane, a
// solid of one of space.
typedef struct Surface {
    Outline outline;
    Solid solid;
    OutlineStep* steps;  // scratch of an outline made of a path
    SmoothCurve smooth;  // of a smooth curve: the outline's
    double* stations;    // the outline's
    double thickness;    // its smallest width
    int fault;           // the vertex at which there is none, -1: not one alone
} Surface;

// Settings that a System has to know.
typedef enum Setting { SETTING_OTHER, SETTING_GRAVITY, SETTING_SOLVER } Setting;

typedef struct ElementKind {
    const char* tag;
    const char* help;
    ElementRole role;
    Setting setting;
    const ParameterInfo* parameters;
    int n_parameters;
    const SignalInfo* signals;
    int n_signals;
    const ReferenceInfo* references;
    int n_references;
    const OutputInfo* outputs;
    int n_outputs;
    // of a contact in several points: those of all together, after those of each point
    const OutputInfo* total_outputs;
    int n_total_outputs;
    // what belongs to the role
    const BodyFunctions* body;
    const ForceFunctions* force;
    const RowFunctions* rows;      // of a joint
    const RowFunctions* friction;  // of a joint with friction: its row, on velocity level
    int friction_bound;            // and the parameter that bounds the force or torque
    const void* detail;            // what the kernel of the kind needs to know
    ShapeType shape;
    void (*marker)(const double* par, Marker* marker);  // of a shape: rho, A, radius
    // elements with several markers, instead of marker: how many, or how many by the parameters at
    // the start (NULL: n_markers), and the marker of each
    int n_markers;
    int (*count)(const MarkerView* view);
    void (*corner)(const MarkerView* view, int i, Marker* marker);
    // of a shape: its surface, whose arrays have the room that surface_size says, or in words why
    // there is none. The size follows from the number of vertices and points alone. NULL: the shape
    // is no outline or solid.
    SurfaceSize (*surface_size)(const ShapeView* view);
    const char* (*surface)(const ShapeView* view, Surface* surface);
    const struct ElementKind* const* vertices;  // (n_vertex_kinds) what may stand in the shape
    int n_vertex_kinds;
    bool has_file;    // of a shape: its attribute file names points
    bool along_line;  // stands along a body that is a line; forces name it as their first reference
    Range
        sizes;  // of a shape: the parameters that are its sizes along its axes, one after the other
    bool works;  // its last output is the work that it has done, which the state sums up
    const struct ElementKind* spatial;  // the kind to take if a spatial body takes part
    bool spatial_only;                  // has no meaning among bodies of the plane
    bool of_section;                    // of a sensor: it tells what BodyFunctions.section does
    bool of_contacts;                   // of a sensor: it tells what contacts exert
    // outputs of bodies, forces and sensors; y (n_outputs), a (nu) accelerations
    void (*output)(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                   const double* q, const double* u, const double* a, double* y);
} ElementKind;

struct Element {
    // what every step reads
    const ElementKind* kind;
    Range p;        // its parameters
    Range signals;  // its signals
    Range y;        // its outputs
    int frame;      // of bodies and shapes: its own, or its first
    int parent;     // of shapes and loads along lines: the body, of vertices: the shape, else -1
    union {
        struct {             // of bodies:
            Range q, u;      // its coordinates and velocities
            int block;       // the mass block
            int constants;   // where its constants begin
            int first_load;  // its first LoadSensor, from 1; 0: none
            bool of_shapes;  // mass and inertia follow from its shapes: element_has_mass_of_shapes
        };
        struct {                 // of shapes:
            const Vec3* points;  // (n_points) of its file
            int n_points;
            Range vertices;  // the elements that are its vertices
            int material;    // of those in groups: its number, from 1; 0: none
        };
        struct {                                     // of what refers to others:
            int references[ELEMENT_MAX_REFERENCES];  // elements, -1: the ground; or groups, -1:
                                                     // none (element_target, element_group)
            int markers[ELEMENT_MAX_REFERENCES];     // theirs
            const struct MaterialValues* pairs;      // (n_pairs) of <contacts> with shapes of
                                                     // several materials: by ascending numbers
                                                     // (contact.h)
            int n_pairs;
            int total;  // the number, among those that the state keeps, of what is summed up: of
                        // contacts that are found, or of the work of what works
        };
    };
    // what is told of it and where it belongs
    const char* name;  // full: "ball", "ball.rim"; "" never
    Place place;
    const Expression* function;  // its signal that is a function of x
    int use;                     // the use of a part that made it, from 1; 0: none
    int group;                   // of shapes: the group that it is in, from 1; 0: none
    int marker;                  // of bodies and shapes: its own, or its first; -1: none is kept
    int n_markers;               // and how many it has; of what has none: 0
    int n_links;                 // contacts: pairs of points; loads along lines: points
    bool hidden;                 // is repeated: no variables but declared outputs
    bool constant;               // is repeated: its parameters never change
    bool declared;               // the model declares outputs of it
    bool found;                  // contacts: they are found while the bodies move
};

static inline bool element_has_mass_of_shapes(const Element* element) {
    return element->kind->role == ROLE_BODY && element->of_shapes;
}

// Does it name others? Then it has references.
static inline bool element_refers(const Element* element) {
    return element->kind->n_references > 0;
}

// Do its parameters stand among the first ones, which the state keeps (System.n_open)? Those of
// what is repeated are constants, or follow from these.
static inline bool element_is_open(const Element* element) {
    return !element->hidden || element->kind->role == ROLE_CONTACT;
}

// Does a contact tell what all its points do together?
static inline bool element_has_totals(const Element* element) {
    return element->found || element->n_links > 1;
}

// Does an element name groups of shapes, instead of elements?
static inline bool kind_names_groups(const ElementKind* kind) {
    return kind->n_references > 0 && kind->references[0].type == REFERENCE_GROUP;
}

// The element that reference i names; -1: the ground, or there is none or it names a group
static inline int element_target(const Element* element, int i) {
    const ElementKind* kind = element->kind;
    const bool names = i < kind->n_references && kind->references[i].type != REFERENCE_GROUP;
    return names ? element->references[i] : -1;
}
// The group that reference i names, from 1; 0: none, or the reference names an element
static inline int element_group(const Element* element, int i) {
    const ElementKind* kind = element->kind;
    const bool group = i < kind->n_references && kind->references[i].type == REFERENCE_GROUP;
    return group && element->references[i] > 0 ? element->references[i] : 0;
}

// The references of what acts between two bodies: first and second.
extern const ReferenceInfo element_pair[ELEMENT_MAX_REFERENCES];
