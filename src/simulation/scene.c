#include "simulation/scene.h"

#include <math.h>

#include "elements/surface.h"
#include "simulation/scene_surface.h"
#include "simulation/simulation_struct.h"

enum { POINTS_OF_LINE = 33 };  // straight pieces between them are not seen as such

typedef struct SceneBuilder {
    const Simulation* simulation;
    const System* sys;
    Arena* arena;
    int* body_of;      // (n_elements) number among the scene's bodies
    int* variable_of;  // (n_outputs) that tells each output; -1: none, it is repeated
} SceneBuilder;

static const Properties* properties_of(const Simulation* simulation) {
    return &simulation->workspace.properties;
}

// --- the variables that tell an instant ---

// How many of a body's outputs tell where it is
static int place_count(const Element* body) {
    return body->kind->body->from_outputs != NULL ? body->kind->body->n_places : body->q.n;
}

// Normal and tangents; drilling friction is no force.
static int direction_count(const Link* link) {
    return link->la.n < SCENE_MAX_DIRECTIONS ? link->la.n : SCENE_MAX_DIRECTIONS;
}

// Variables of the outputs of the elements
static Status find_outputs(SceneBuilder* b) {
    const VariableTable* table = &b->simulation->variables;
    b->variable_of = ARENA_NEW(b->arena, b->sys->n_outputs, int);
    for (int i = 0; i < b->sys->n_outputs && b->variable_of != NULL; i++) {
        b->variable_of[i] = -1;
    }
    for (int i = 0; i < table->n_variables && b->variable_of != NULL; i++) {
        const Variable* variable = &table->variables[i];
        if (variable->store == STORE_OUTPUT && variable->at < b->sys->n_outputs) {
            b->variable_of[variable->at] = i;
        }
    }
    return b->variable_of != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// --- bodies, shapes, joints and forces ---

static SceneBody body_of_element(const SceneBuilder* b, const Element* element, Scene* scene) {
    const BodyFunctions* functions = element->kind->body;
    SceneBody body = {.name = element->name,
                      .kind = element->kind->tag,
                      .pose = -1,
                      .line = -1,
                      .n_places = place_count(element)};
    if (functions->line != NULL) {
        Vec3 X;
        functions->line(properties_of(b->simulation)->p + element->p.at, 0.0, &X, &body.radius);
        body.line = scene->n_points;
        body.n_points = POINTS_OF_LINE;
        scene->n_points += POINTS_OF_LINE;
    } else if (functions->point == NULL) {
        body.pose = element->frame;
    }
    return body;
}

// The variables that tell where a body is, none if not all of them are there; NULL if memory is
// exhausted.
static const int* places_of(const SceneBuilder* b, const Element* element, int* n) {
    const BodyFunctions* functions = element->kind->body;
    const int n_all = *n;
    int* places = ARENA_NEW(b->arena, n_all, int);
    for (int i = 0; i < n_all && places != NULL; i++) {
        const int output = functions->from_outputs != NULL ? functions->places[i] : i;
        places[i] = element->y.n > 0 ? b->variable_of[element->y.at + output] : -1;
        *n = places[i] < 0 ? 0 : *n;
    }
    return places;
}

static Status add_bodies(SceneBuilder* b, Scene* scene) {
    const System* sys = b->sys;
    SceneBody* bodies = ARENA_NEW(b->arena, 1 + sys->n_bodies, SceneBody);
    b->body_of = ARENA_NEW(b->arena, sys->n_elements, int);
    if (bodies == NULL || b->body_of == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    bodies[0] = (SceneBody){.name = "ground", .kind = "ground", .pose = -1, .line = -1};
    for (int i = 0; i < sys->n_bodies; i++) {
        bodies[1 + i] = body_of_element(b, sys->bodies[i], scene);
        bodies[1 + i].places = places_of(b, sys->bodies[i], &bodies[1 + i].n_places);
        b->body_of[sys->bodies[i] - sys->elements] = 1 + i;
        if (bodies[1 + i].places == NULL) {
            return STATUS_OUT_OF_MEMORY;
        }
    }
    scene->bodies = bodies;
    scene->n_bodies = 1 + sys->n_bodies;
    return STATUS_OK;
}

// element: whose the marker is; NULL: the ground's origin
static SceneMarker scene_marker(const SceneBuilder* b, const Element* element,
                                const Marker* marker) {
    const bool on_body = element != NULL && element->parent >= 0;
    const int body = on_body           ? element->parent
                     : element != NULL ? (int)(element - b->sys->elements)
                                       : -1;
    return (SceneMarker){.body = body >= 0 ? b->body_of[body] : 0,
                         .pose = marker->frame < b->sys->n_frames ? marker->frame : -1,
                         .position = marker->rho,
                         .axes = marker->A};
}

static SceneMarker marker_at(const SceneBuilder* b, int index) {
    return scene_marker(b, b->sys->marker_elements[index],
                        &properties_of(b->simulation)->markers[index]);
}

// A shape that touches in several points is where these are in the mean.
static SceneShape shape_of_element(const SceneBuilder* b, const Element* element) {
    const Properties* properties = properties_of(b->simulation);
    const double* par = properties->p + element->p.at;
    const int n = element->n_markers;
    const Marker first = properties_marker(b->sys, properties, element, 0);
    SceneShape shape = {.name = element->name,
                        .kind = element->kind->tag,
                        .marker = scene_marker(b, element, &first),
                        .radius = first.radius,
                        .n_sizes = element->kind->sizes.n,
                        .function = first.function};
    for (int i = 1; i < n; i++) {
        const Marker marker = properties_marker(b->sys, properties, element, i);
        shape.marker.position = add3(shape.marker.position, marker.rho);
    }
    shape.marker.position = scale3(1.0 / n, shape.marker.position);
    for (int i = 0; i < shape.n_sizes; i++) {
        shape.sizes[i] = par[element->kind->sizes.at + i];
    }
    return shape;
}

// The surface of a shape that nothing else tells, made anew: only those of colliders are kept.
static Status add_surface(const SceneBuilder* b, const Element* element, SceneShape* shape) {
    const ElementKind* kind = element->kind;
    const double* p = properties_of(b->simulation)->p;
    const ShapeView view = surface_view(b->sys->elements, element, p);
    const SurfaceSize size = kind->surface_size(&view);
    Surface surface;
    Marker own;
    if (!surface_create(size, b->arena, &surface)) {
        return STATUS_OUT_OF_MEMORY;
    }
    kind->marker(view.par, &own);
    const bool made = kind->surface(&view, &surface) == NULL;
    const bool kept = !made || scene_surface_take(&surface, size.parts > 0, &own, b->arena, shape);
    return kept ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

static Status add_shapes(const SceneBuilder* b, Scene* scene) {
    SceneShape* shapes = ARENA_NEW(b->arena, b->sys->n_elements, SceneShape);
    Status status = shapes != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    scene->shapes = shapes;
    for (int i = 0; i < b->sys->n_elements && status == STATUS_OK; i++) {
        const Element* element = &b->sys->elements[i];
        if (element->kind->role != ROLE_SHAPE || element->kind->along_line) {
            continue;  // what stands along a line is drawn as its body's line
        }
        SceneShape* shape = &shapes[scene->n_shapes++];
        *shape = shape_of_element(b, element);
        if (element->kind->shape == SHAPE_SURFACE) {
            status = add_surface(b, element, shape);
        }
    }
    return status;
}

static SceneLink scene_link(const SceneBuilder* b, const Link* of) {
    const Element* element = of->element;
    SceneLink link = {.name = element->name,
                      .kind = element->kind->tag,
                      .joint = element->kind->role == ROLE_JOINT,
                      .n_markers = element->kind->n_references};
    for (int i = 0; i < link.n_markers && i < ELEMENT_MAX_REFERENCES; i++) {
        const bool own = i == 0 && element->n_markers > 0;
        link.markers[i] = marker_at(b, own ? of->marker_a : element->markers[i]);
    }
    return link;
}

static Status add_links(const SceneBuilder* b, Scene* scene) {
    const System* sys = b->sys;
    SceneLink* links = ARENA_NEW(b->arena, sys->n_joints + sys->n_forces, SceneLink);
    scene->links = links;
    for (int i = 0; i < sys->n_joints && links != NULL; i++) {
        links[scene->n_links++] = scene_link(b, &sys->joints[i]);
    }
    for (int i = 0; i < sys->n_forces && links != NULL; i++) {
        links[scene->n_links++] = scene_link(b, &sys->forces[i]);
    }
    return links != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// The coefficient of a contact; of several materials the largest
static double largest_friction(const Element* contact, const double* p) {
    double friction = contact->n_pairs > 0 ? 0.0 : p[contact->p.at + FRICTION_COEFFICIENT];
    for (int i = 0; i < contact->n_pairs; i++) {
        friction = fmax(friction, p[contact->pairs[i].p[FRICTION_COEFFICIENT]]);
    }
    return friction;
}

// What was found has no variables of its own but those of all together.
static SceneContact contact_of_element(const SceneBuilder* b, const Element* element) {
    const bool group = kind_names_groups(element->kind);
    const Element* elements = b->sys->elements;
    return (SceneContact){.name = element->name,
                          .first = group ? NULL : elements[element->references[0]].name,
                          .second = group ? NULL : elements[element->references[1]].name,
                          .friction = largest_friction(element, properties_of(b->simulation)->p),
                          .n_directions = properties_of(b->simulation)->planar ? 2 : 3,
                          .state = -1,
                          .normal_impulse = -1,
                          .normal_percussion = -1,
                          .forces = {-1, -1, -1}};
}

static SceneContact contact_of_law(const SceneBuilder* b, const Link* link) {
    const Element* element = link->element;
    const int* outputs = b->variable_of + link->y.at;
    SceneContact contact = {
        .name = link->name,
        .first = b->sys->elements[element->references[0]].name,
        .second = b->sys->elements[element->references[1]].name,
        .friction = link_parameter(link, properties_of(b->simulation)->p, FRICTION_COEFFICIENT),
        .n_directions = direction_count(link),
        .state = outputs[CONTACT_OUTPUT_STATE],
        .normal_impulse = outputs[CONTACT_OUTPUT_FORCES + link->la.n],
        .normal_percussion = outputs[CONTACT_OUTPUT_FORCES + 2 * link->la.n]};
    for (int r = 0; r < contact.n_directions; r++) {
        contact.forces[r] = outputs[CONTACT_OUTPUT_FORCES + r];
    }
    return contact;
}

static Status add_contacts(const SceneBuilder* b, Scene* scene) {
    const System* sys = b->sys;
    enum { TOUCHES_PER_SHAPE = 8 };
    const int n = sys->n_fixed + sys->n_totals;
    SceneContact* contacts = ARENA_NEW(b->arena, n, SceneContact);
    scene->contacts = contacts;
    scene->n_contacts = n;
    scene->most_touches = sys->n_fixed + TOUCHES_PER_SHAPE * sys->n_colliders;
    for (int k = 0; k < sys->n_fixed && contacts != NULL; k++) {
        contacts[k] = contact_of_law(b, &sys->laws[k]);
    }
    for (int i = 0; i < sys->n_elements && contacts != NULL; i++) {
        const Element* element = &sys->elements[i];
        if (element->found) {
            contacts[sys->n_fixed + element->total] = contact_of_element(b, element);
        }
    }
    return contacts != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

Status scene_create(const Simulation* simulation, Arena* arena, Scene* scene) {
    const System* sys = &simulation->model.system;
    const double* gravity = properties_of(simulation)->p + sys->gravity;
    SceneBuilder b = {.simulation = simulation, .sys = sys, .arena = arena};
    *scene = (Scene){.gravity = {gravity[0], gravity[1], gravity[2]},
                     .planar = properties_of(simulation)->planar,
                     .n_poses = sys->n_frames};
    Status status = find_outputs(&b);
    if (status == STATUS_OK) {
        status = add_bodies(&b, scene);
    }
    if (status == STATUS_OK) {
        status = add_shapes(&b, scene);
    }
    if (status == STATUS_OK) {
        status = add_links(&b, scene);
    }
    if (status == STATUS_OK) {
        status = add_contacts(&b, scene);
    }
    return status;
}

// --- an instant ---

Status scene_instant_create(const Scene* scene, Arena* arena, SceneInstant* instant) {
    *instant = (SceneInstant){.poses = ARENA_NEW(arena, scene->n_poses, ScenePose),
                              .points = ARENA_NEW(arena, scene->n_points, Vec3),
                              .touches = ARENA_NEW(arena, scene->most_touches, SceneTouch)};
    const bool ok = instant->poses != NULL && instant->points != NULL && instant->touches != NULL;
    return ok ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

static ScenePose pose_of(const Frame* frame) {
    double p[4];
    quaternion3(frame->R, p);
    return (ScenePose){frame->r, p[0], p[1], p[2], p[3]};
}

static void place_line(const System* sys, const Instant* c, const Element* body, Vec3* points) {
    const BodyView view = system_body_view(sys, c, body);
    for (int i = 0; i < POINTS_OF_LINE; i++) {
        int at[POINT_MAX_VELOCITIES];
        double T[TWIST_SIZE * POINT_MAX_VELOCITIES];
        double radius;
        Vec3 X;
        Frame frame = {0};
        body->kind->body->line(view.par, (double)i / (POINTS_OF_LINE - 1), &X, &radius);
        const int n = body->kind->body->point_velocities(view.par, view.nu, X, at);
        body->kind->body->point(&view, X, n, at, &frame, T);
        points[i] = frame.r;
    }
}

static void place_bodies(const System* sys, const Instant* c, const Scene* scene,
                         SceneInstant* instant) {
    for (int i = 0; i < scene->n_poses; i++) {
        instant->poses[i] = pose_of(&c->frames[i]);
    }
    for (int i = 0; i < sys->n_bodies; i++) {
        const int line = scene->bodies[1 + i].line;
        if (line >= 0) {
            place_line(sys, c, sys->bodies[i], instant->points + line);
        }
    }
}

// Where and how the forces la of a contact's rows act. A direction d of the rows acts at an arm
// from the frame's origin with the moment m = arm x d. The directions are perpendicular to each
// other and span the plane (n = 2, the arm being in it) or space (n = 3), so that
//   sum of d x m / |d|^2 = (n - 1) arm.
static SceneTouch touch_of(const System* sys, const Instant* c, const Link* link,
                           const double* la) {
    const bool swapped = !system_keeps_order(sys, link);
    const Frame* frame = &c->frames[c->properties->markers[link->marker_a].frame];
    const int n = direction_count(link);
    Rows rows;
    Vec3 arm = {0.0, 0.0, 0.0};
    Vec3 force = {0.0, 0.0, 0.0};
    system_rows(c, link, false, &rows);
    for (int r = 0; r < n; r++) {
        const double* W = rows.W[r];
        const Vec3 d = {W[0], W[1], W[2]};
        const Vec3 m = turn3(frame->R, ((Vec3){W[3], W[4], W[5]}));
        arm = add3(arm, scale3(1.0 / dot3(d, d), cross3(d, m)));
        force = add3(force, scale3(la[r], d));
    }
    const Vec3 normal = {rows.W[0][0], rows.W[0][1], rows.W[0][2]};
    const Vec3 on_a = add3(frame->r, scale3(1.0 / (n - 1), arm));
    return (SceneTouch){.point = sub3(on_a, scale3(0.5 * rows.g[0], normal)),
                        .force = swapped ? scale3(-1.0, force) : force};
}

static void add_touch(const System* sys, const Instant* c, int contact, int state, const double* la,
                      SceneInstant* instant) {
    const Link* link = &sys->laws[contact];
    SceneTouch* touch = &instant->touches[instant->n_touches++];
    *touch = touch_of(sys, c, link, la);
    touch->contact = contact < sys->n_fixed ? contact : sys->n_fixed + link->element->total;
    touch->state = state;
}

void scene_take(Simulation* simulation, const Scene* scene, SceneInstant* instant) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    Instant* c = &simulation->workspace.present;
    instant_set(sys, s, state_time(s), s->q, s->u, c);
    instant->t = simulation_time(simulation);
    instant->n_touches = 0;
    place_bodies(sys, c, scene, instant);
    for (long long i = 0; i < s->head->n_records; i++) {
        const ContactRecord* record = &s->records[i];
        if (record->key < sys->n_contacts && record->state != CONTACT_OPEN &&
            instant->n_touches < scene->most_touches) {
            add_touch(sys, c, (int)record->key, (int)record->state, record->la, instant);
        }
    }
}

// --- an instant from values ---

// q and signals of a body from its places, if all of them are known.
static void take_places(const System* sys, const Element* body, const SceneBody* shown,
                        const double* values, Instant* c) {
    double y[BODY_MAX_PLACES];
    const BodyFunctions* functions = body->kind->body;
    for (int i = 0; i < shown->n_places; i++) {
        y[i] = values[shown->places[i]];
        if (isnan(y[i])) {
            return;
        }
    }
    if (functions->from_outputs != NULL) {
        const BodyView view = system_body_view(sys, c, body);
        functions->from_outputs(&view, y, c->q + body->q.at, c->signals + body->signals.at);
    } else {
        for (int i = 0; i < shown->n_places; i++) {
            c->q[body->q.at + i] = y[i];
        }
    }
}

static void place_touches(const System* sys, const Instant* c, const Scene* scene,
                          const double* values, SceneInstant* instant) {
    for (int k = 0; k < sys->n_fixed; k++) {
        const SceneContact* contact = &scene->contacts[k];
        const double state = contact->state >= 0 ? values[contact->state] : NAN;
        double la[CONTACT_MAX_ROWS] = {0.0};
        if (state != CONTACT_SLIP && state != CONTACT_STICK) {
            continue;
        }
        for (int r = 0; r < contact->n_directions; r++) {
            const double value = contact->forces[r] >= 0 ? values[contact->forces[r]] : NAN;
            // rows of elliptic friction are scaled, outputs are not
            const int p = sys->laws[k].element->p.at;
            const double scale = r == 2 ? c->properties->p[p + FRICTION_RATIO] : 1.0;
            la[r] = isnan(value) ? 0.0 : value / scale;
        }
        add_touch(sys, c, k, (int)state, la, instant);
    }
}

// Inputs among the values, for what they drive
static void take_inputs(Simulation* simulation, const double* values) {
    const VariableTable* table = &simulation->variables;
    for (int i = 0; i < table->n_variables; i++) {
        const Variable* variable = &table->variables[i];
        if (variable->store == STORE_INPUT && !isnan(values[i])) {
            simulation->state.input[variable->at] = values[i];
        }
    }
}

void scene_place(Simulation* simulation, const Scene* scene, double t, const double* values,
                 SceneInstant* instant) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    Instant* c = &simulation->workspace.present;
    take_inputs(simulation, values);
    instant_set(sys, s, t, s->q, s->u, c);
    for (int i = 0; i < sys->n_bodies; i++) {
        take_places(sys, sys->bodies[i], &scene->bodies[1 + i], values, c);
    }
    instant_evaluate_frames(sys, c);
    instant->t = t;
    instant->n_touches = 0;
    place_bodies(sys, c, scene, instant);
    place_touches(sys, c, scene, values, instant);
}

double scene_curve_height(const SceneShape* curve, double x) {
    return expression_value(curve->function, 0.0, &x);
}

// R x of a unit quaternion (w, e): x + 2 w e x x + 2 e x (e x x)
static Vec3 turn_pose(const ScenePose* pose, Vec3 x) {
    const Vec3 e = {pose->x, pose->y, pose->z};
    const Vec3 twice = scale3(2.0, cross3(e, x));
    return add3(x, add3(scale3(pose->w, twice), cross3(e, twice)));
}

Vec3 scene_direction(const SceneInstant* instant, const SceneMarker* marker, Vec3 x) {
    const Vec3 in_pose = turn3(marker->axes, x);
    return marker->pose >= 0 ? turn_pose(&instant->poses[marker->pose], in_pose) : in_pose;
}

Vec3 scene_point(const SceneInstant* instant, const SceneMarker* marker, Vec3 x) {
    const Vec3 in_pose = add3(marker->position, turn3(marker->axes, x));
    if (marker->pose < 0) {
        return in_pose;
    }
    const ScenePose* pose = &instant->poses[marker->pose];
    return add3(pose->r, turn_pose(pose, in_pose));
}
