// Which shapes can meet by the features of their surfaces, and where these are.
#include "system/colliders.h"

#include <math.h>
#include <string.h>

#include "elements/contact.h"
#include "elements/surface.h"
#include "system/found_laws.h"
#include "system/system_builder.h"

// --- which contacts are found ---

static bool has_surface(const ElementKind* kind) { return kind->surface != NULL; }

// The cross sections of a skin are circles, in space spheres.
static bool is_skin(const ElementKind* kind) {
    return kind->role == ROLE_SHAPE && kind->along_line && kind->shape == SHAPE_ROUND;
}

static bool collides(const ElementKind* kind) { return has_surface(kind) || is_skin(kind); }

bool builder_is_found(const Builder* b, const Element* element) {
    const ElementKind* kind = element->kind;
    if (kind->role != ROLE_CONTACT || kind_names_groups(kind)) {
        return kind->role == ROLE_CONTACT;
    }
    if (element->references[0] < 0 || element->references[1] < 0) {
        return false;
    }
    const ElementKind* first = b->elements[element->references[0]].kind;
    const ElementKind* second = b->elements[element->references[1]].kind;
    return contact_is_found(first->shape, second->shape, kind->spatial != NULL);
}

// --- what can meet ---

typedef struct Lister {
    const Builder* b;
    bool* wanted;         // (n elements) the shape becomes colliders
    Range* colliders_of;  // (n elements)
    int n_groups;
} Lister;

static void want_shapes(Lister* l) {
    const Builder* b = l->b;
    for (int i = 0; i < b->n; i++) {
        const Element* element = &b->elements[i];
        l->n_groups = element->group > l->n_groups ? element->group : l->n_groups;
        for (int j = 0; element->found && j < 2 && !kind_names_groups(element->kind); j++) {
            l->wanted[element->references[j]] = true;
        }
    }
    for (int i = 0; i < b->n; i++) {  // shapes of groups that some contacts name
        const Element* contacts = &b->elements[i];
        if (!contacts->found || !kind_names_groups(contacts->kind)) {
            continue;
        }
        for (int k = 0; k < b->n; k++) {
            const Element* shape = &b->elements[k];
            const bool member = shape->group > 0 && (shape->group == contacts->references[0] ||
                                                     shape->group == contacts->references[1]);
            if (member && !collides(shape->kind)) {
                ELEMENT_ERROR(b, shape, "a <%s> cannot be in a group: it has no surface",
                              shape->kind->tag);
            } else if (member) {
                l->wanted[k] = true;
            }
        }
    }
}

static Collider make_collider(const Builder* b, const Element* shape, int i) {
    const Element* body = &b->elements[shape->parent];
    return (Collider){
        .shape = shape,
        .marker = is_skin(shape->kind) ? shape->marker + i : -1,
        .frame = shape->frame + (has_points(body) ? i : 0),
        .group = shape->group,
    };
}

static bool any_spatial_body(const Builder* b) {
    bool any = false;
    for (int i = 0; i < b->n; i++) {
        const ElementKind* kind = b->elements[i].kind;
        any = any || (kind->role == ROLE_BODY && kind->body->spatial);
    }
    return any;
}

// Is a shape one of the plane, in a model that has bodies of space?
static bool is_out_of_place(const Builder* b, const Element* shape, bool spatial) {
    const ShapeView view = surface_view(b->elements, shape, b->p);
    return spatial && has_surface(shape->kind) && shape->kind->surface_size(&view).parts > 0;
}

static Status list_colliders(Lister* l) {
    const Builder* b = l->b;
    const bool spatial = any_spatial_body(b);
    int n = 0;
    for (int i = 0; i < b->n; i++) {
        const Element* shape = &b->elements[i];
        const bool skin = is_skin(shape->kind);
        l->colliders_of[i] = (Range){n, !l->wanted[i] ? 0 : skin ? shape->n_markers : 1};
        n += l->colliders_of[i].n;
        if (l->wanted[i] && is_out_of_place(b, shape, spatial)) {
            ELEMENT_ERROR(b, shape,
                          "a <%s> on a body of the plane meets others by its surface only where "
                          "there are no bodies of space",
                          shape->kind->tag);
        }
        if (l->wanted[i] && !skin && shape->n_markers > 1 && has_points(body_of(b, i))) {
            ELEMENT_ERROR(b, shape, "a <%s> on a <%s> meets lines and planes only",
                          shape->kind->tag, body_of(b, i)->kind->tag);
        }
    }
    Collider* colliders = ARENA_NEW(b->arena, n, Collider);
    if (colliders == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    b->sys->colliders = colliders;
    b->sys->n_colliders = n;
    for (int i = 0; i < b->n; i++) {
        b->sys->curved =
            b->sys->curved || (l->wanted[i] && b->elements[i].kind->shape == SHAPE_CURVE);
        for (int j = 0; j < l->colliders_of[i].n; j++) {
            colliders[l->colliders_of[i].at + j] = make_collider(b, &b->elements[i], j);
        }
    }
    return STATUS_OK;
}

static Status list_meetings(const Lister* l) {
    const Builder* b = l->b;
    Meeting* meetings = ARENA_NEW(b->arena, b->sys->n_totals, Meeting);
    if (meetings == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    b->sys->meetings = meetings;
    for (int i = 0; i < b->n; i++) {
        const Element* contact = &b->elements[i];
        if (contact->found && !kind_names_groups(contact->kind)) {
            meetings[b->sys->n_meetings++] =
                (Meeting){.contact = contact,
                          .first = l->colliders_of[contact->references[0]],
                          .second = l->colliders_of[contact->references[1]]};
        }
    }
    return STATUS_OK;
}

// Which contacts let two groups meet; the first ones that do
static Status list_groups(const Lister* l) {
    const Builder* b = l->b;
    const int n = l->n_groups;
    const Element** table = ARENA_NEW(b->arena, (size_t)n * (size_t)n, const Element*);
    if (table == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < b->n; i++) {
        const Element* contacts = &b->elements[i];
        if (!contacts->found || !kind_names_groups(contacts->kind)) {
            continue;
        }
        const int first = contacts->references[0] - 1;
        const int second = contacts->references[1] > 0 ? contacts->references[1] - 1 : first;
        if (first < 0 || first >= n || second >= n) {
            continue;  // reported by whoever made the elements
        }
        if (table[first * n + second] != NULL) {
            ELEMENT_ERROR(b, contacts, "<contacts> %s lets the same groups meet already",
                          table[first * n + second]->name);
        }
        table[first * n + second] = table[second * n + first] = contacts;
    }
    b->sys->group_contacts = table;
    b->sys->n_groups = n;
    return STATUS_OK;
}

// Room at the start, for contacts of each pair and of each shape in a group; there can be more.
static int first_room(const System* sys) {
    enum { PER_PAIR = 4, PER_SHAPE = 4, MOST = 4096 };
    long long n = 0;
    for (int i = 0; i < sys->n_meetings; i++) {
        n += (long long)PER_PAIR * sys->meetings[i].first.n * sys->meetings[i].second.n;
    }
    n = n < MOST ? n : MOST;
    for (int i = 0; i < sys->n_colliders; i++) {
        n += sys->colliders[i].group > 0 ? PER_SHAPE : 0;
    }
    return (int)n;
}

Status builder_list_colliders(const Builder* b) {
    Lister l = {.b = b,
                .wanted = ARENA_NEW(b->scratch, b->n, bool),
                .colliders_of = ARENA_NEW(b->scratch, b->n, Range)};
    if (l.wanted == NULL || l.colliders_of == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    want_shapes(&l);
    Status status = list_colliders(&l);
    if (status == STATUS_OK) {
        status = list_meetings(&l);
    }
    if (status == STATUS_OK) {
        status = list_groups(&l);
    }
    return status == STATUS_OK ? found_laws_reserve(first_room(b->sys), b->arena, b->sys) : status;
}

// --- surfaces ---

static SurfaceSize size_of(const System* sys, const Collider* collider) {
    if (collider->marker >= 0) {
        return (SurfaceSize){.parts = 1, .points = 1};
    }
    const ShapeView view = surface_view(sys->elements, collider->shape, sys->p_start);
    // numbers alone
    return collider->shape->kind->surface_size(&view);  // cppcheck-suppress returnDanglingLifetime
}

// Has the shape a surface that never changes, made of its parameters alone?
static bool is_constant(const Element* shape) {
    return shape->constant && shape->function == NULL && shape->vertices.n == 0 &&
           shape->n_points == 0;
}

// Do two colliders have the same surface?
static bool share_surface(const System* sys, const Collider* a, const Collider* b) {
    return a->marker < 0 && b->marker < 0 && a->shape->kind == b->shape->kind &&
           is_constant(a->shape) && is_constant(b->shape) &&
           memcmp(sys->p_start + a->shape->p.at, sys->p_start + b->shape->p.at,
                  (size_t)a->shape->p.n * sizeof(double)) == 0;
}

// May the axes of a collider's place be others than those of its frame?
static bool has_axes(const System* sys, const Collider* collider) {
    return collider->marker >= 0 || collider_body(sys, collider)->kind == &ground_kind;
}

static bool create_surface(const System* sys, int c, Arena* arena, Properties* properties) {
    if (c > 0 && share_surface(sys, &sys->colliders[c - 1], &sys->colliders[c])) {
        properties->surfaces[c] = properties->surfaces[c - 1];
        return true;
    }
    properties->surfaces[c] = ARENA_NEW(arena, 1, Surface);
    return properties->surfaces[c] != NULL &&
           surface_create(size_of(sys, &sys->colliders[c]), arena, properties->surfaces[c]);
}

Status surfaces_create(const System* sys, Arena* arena, Properties* properties) {
    const int n = sys->n_colliders;
    int n_axes = 1;
    for (int c = 0; c < n; c++) {
        n_axes += has_axes(sys, &sys->colliders[c]);
    }
    properties->places = ARENA_NEW(arena, n, const ColliderPlace*);
    properties->own_places = ARENA_NEW(arena, n, ColliderPlace);
    properties->place_axes = ARENA_NEW(arena, n_axes, Mat3);
    properties->surfaces = ARENA_NEW(arena, n, Surface*);
    properties->halves = ARENA_NEW(arena, n, Vec3);
    bool ok = properties->places != NULL && properties->own_places != NULL &&
              properties->place_axes != NULL && properties->surfaces != NULL &&
              properties->halves != NULL;
    for (int c = 0; c < n && ok; c++) {
        properties->places[c] = &properties->own_places[c];
        ok = create_surface(sys, c, arena, properties);
    }
    return ok ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// The coordinates of a surface as seen from the frame that it moves with: those of a cross
// section's marker, or of the body
static Marker place_of(const System* sys, const double* p, const Properties* properties,
                       const Collider* collider) {
    if (collider->marker >= 0) {
        return properties->markers[collider->marker];
    }
    Marker place = {.frame = collider->frame, .A = MAT3_IDENTITY};
    const Element* body = collider_body(sys, collider);
    const Pose* pose = &properties->poses[collider->shape->use];
    if (has_points(body)) {
        place.X = properties->markers[collider->shape->marker].X;
        place.rho = scale3(-1.0, place.X);
    }
    if (body->kind == &ground_kind && !pose->at_rest) {
        pose_carry_marker(pose, &place);
    }
    if (body->kind->body->centre_of_mass != NULL) {
        place.rho = sub3(place.rho, body->kind->body->centre_of_mass(p + body->p.at));
    }
    return place;
}

static double support_of(const Surface* surface, bool planar, Vec3 d) {
    return planar ? outline_support(&surface->outline, (Vec2){d.x, d.y})
                  : solid_support(&surface->solid, d);
}

static double width_of(const Surface* surface, bool planar, Vec3 d) {
    return support_of(surface, planar, d) + support_of(surface, planar, scale3(-1.0, d));
}

static Vec3 half_of(const Surface* surface, bool planar) {
    const Vec2 centre = surface->outline.centre;
    const Vec3 middle = planar ? (Vec3){centre.x, centre.y, 0.0} : surface->solid.middle;
    double half[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < (planar ? 2 : 3); i++) {
        const Vec3 e = MAT3_IDENTITY.e[i];
        const double at = dot3(e, middle);
        half[i] = fmax(support_of(surface, planar, e) - at,
                       support_of(surface, planar, scale3(-1.0, e)) + at);
    }
    return (Vec3){half[0], half[1], half[2]};
}

// The smallest width of a polygon is across a side, and of a polyhedron across a face or between
// two edges, which is not much less than across some face.
static double thickness_of(const Surface* surface, bool planar) {
    double least = INFINITY;
    if (planar ? surface->outline.infinite
               : surface->solid.kind != SOLID_HULL && surface->solid.kind != SOLID_CYLINDER) {
        return INFINITY;
    }
    for (int i = 0; i < 3; i++) {
        least = fmin(least, width_of(surface, planar, MAT3_IDENTITY.e[planar && i == 2 ? 0 : i]));
    }
    for (int i = 0; planar && i < surface->outline.n; i++) {
        const Vec2 n = surface->outline.parts[i].from;
        least = fmin(least, width_of(surface, planar, (Vec3){n.x, n.y, 0.0}));
    }
    for (int i = 0; !planar && i < surface->solid.n_faces; i++) {
        least = fmin(least, width_of(surface, planar, surface->solid.faces[i].normal));
    }
    return least;
}

// In words why the collider has no surface, or NULL
static const char* update_surface(const System* sys, int c, const double* p,
                                  const Properties* properties) {
    const Collider* collider = &sys->colliders[c];
    Surface* surface = properties->surfaces[c];
    if (collider->marker < 0) {
        const ShapeView view = surface_view(sys->elements, collider->shape, p);
        const char* why = collider->shape->kind->surface(&view, surface);
        return why;  // cppcheck-suppress returnDanglingLifetime ; a text that is always there
    }
    const double radius = properties->markers[collider->marker].radius;
    if (properties->planar) {
        outline_circle((Vec2){0.0, 0.0}, radius, surface->outline.parts, &surface->outline);
    } else {
        solid_sphere((Vec3){0.0, 0.0, 0.0}, radius, &surface->solid);
    }
    return NULL;
}

bool surfaces_update(const System* sys, const double* p, Properties* properties) {
    int n_axes = 0;
    properties->place_axes[n_axes++] = MAT3_IDENTITY;
    for (int c = 0; c < sys->n_colliders; c++) {
        const Collider* collider = &sys->colliders[c];
        Surface* surface = properties->surfaces[c];
        const Marker place = place_of(sys, p, properties, collider);
        const int axes = has_axes(sys, collider) ? n_axes++ : 0;
        properties->own_places[c] =
            (ColliderPlace){.frame = place.frame, .axes = axes, .rho = place.rho};
        properties->place_axes[axes] = place.A;
        if (c > 0 && surface == properties->surfaces[c - 1]) {
            properties->halves[c] = properties->halves[c - 1];
            continue;
        }
        const char* missing = update_surface(sys, c, p, properties);
        if (missing != NULL) {
            properties->missing = missing;
            properties->fault = collider->shape;
            return false;
        }
        surface->thickness = thickness_of(surface, properties->planar);
        properties->halves[c] = half_of(surface, properties->planar);
    }
    return true;
}
