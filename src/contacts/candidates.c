#include "contacts/candidates.h"

#include <math.h>
#include <stdlib.h>

#include "contacts/candidate_features.h"
#include "contacts/candidate_list.h"
#include "contacts/candidate_pairs.h"
#include "contacts/follow_smooth.h"

static const double SLACK = 1e-3;     // of the size of a shape
static const double TOUCHING = 1e-9;  // of the size of a shape: a gap that counts as closed

// --- creation ---

static bool is_endless(const Properties* properties, int collider) {
    const Surface* surface = properties->surfaces[collider];
    if (properties->planar) {
        return surface->outline.infinite;
    }
    return surface->solid.kind != SOLID_HULL && surface->solid.kind != SOLID_CYLINDER;
}

Status candidates_create(const System* sys, Arena* arena, Candidates* c) {
    const int n = sys->n_colliders;
    *c = (Candidates){.sys = sys, .dt = -1.0};
    if (n == 0) {
        return STATUS_OK;
    }
    c->boxes = ARENA_NEW(arena, n, Box);
    c->reach = ARENA_NEW(arena, n, ColliderReach);
    if (c->boxes == NULL || c->reach == NULL || candidate_pairs_list(sys, arena, c) != STATUS_OK) {
        return STATUS_OUT_OF_MEMORY;
    }
    c->phase = broad_phase_create();
    return c->phase != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

void candidates_destroy(Candidates* c) {
    broad_phase_destroy(c->phase);
    free(c->endless);
    free(c->contacts);
    free(c->applied);
    free(c->closed);
    free(c->pairs);
    free(c->merged);
    *c = (Candidates){0};
}

// --- where everything is ---

// Half the sides, along the axes of the world, of a box that holds a turned one
static Vec3 turned_half(Mat3 R, Vec3 half) {
    return (Vec3){fabs(R.e[0].x) * half.x + fabs(R.e[1].x) * half.y + fabs(R.e[2].x) * half.z,
                  fabs(R.e[0].y) * half.x + fabs(R.e[1].y) * half.y + fabs(R.e[2].y) * half.z,
                  fabs(R.e[0].z) * half.x + fabs(R.e[1].z) * half.y + fabs(R.e[2].z) * half.z};
}

static double smaller(double a, double b) { return a < b ? a : b; }  // no call, as fmin is

// Half a box that holds a finite collider wherever it may come. Those whose boxes are apart are
// farther from each other than both of their margins.
static Vec3 reached_half(const Properties* properties, int i, Mat3 R, const ColliderReach* reach) {
    const Vec3 turned = turned_half(R, properties->halves[i]);
    const double radius = reach->radius, margin = reach->margin;
    return (Vec3){smaller(turned.x, radius) + margin, smaller(turned.y, radius) + margin,
                  properties->planar ? 0.0 : smaller(turned.z, radius) + margin};
}

// False if memory is short.
static bool list_endless(const Properties* properties, const Placement* place, int i,
                         Candidates* c) {
    const Solid* solid = &properties->surfaces[i]->solid;
    if (!candidate_list_make_room((void**)&c->endless, &c->room_endless, c->n_endless + 1,
                                  sizeof *c->endless)) {
        return false;
    }
    Endless* endless = &c->endless[c->n_endless++];
    *endless = (Endless){.collider = i};
    if (!properties->planar && solid->kind == SOLID_PLANE) {
        endless->is_plane = true;
        endless->n = turn3(place->R, solid->axis);
        endless->from = add3(place->r, turn3(place->R, solid->centre));
    }
    return true;
}

// Where a collider may come within the step. False if memory is short.
static bool place_collider(const Instant* instant, double dt, double gravity, int i,
                           Candidates* c) {
    static const Vec3 NONE = {-INFINITY, -INFINITY, -INFINITY};
    const Properties* properties = instant->properties;
    const Surface* surface = properties->surfaces[i];
    const bool planar = properties->planar;
    const Frame* frame = &instant->frames[properties->places[i]->frame];
    const Vec2 centre = surface->outline.centre;
    const Vec3 own_middle = planar ? (Vec3){centre.x, centre.y, 0.0} : surface->solid.middle;
    const bool endless = is_endless(properties, i);
    const bool of_group = c->sys->colliders[i].group != 0;
    const double radius = planar ? surface->outline.reach : surface->solid.reach;
    const Placement place = collider_placement(instant, i);
    const Vec3 middle = add3(place.r, turn3(place.R, own_middle));
    const double arm = length3(sub3(middle, frame->r)) + (endless ? 0.0 : radius);
    const double spin = length3(frame->Omega);
    const double way = dt * (length3(frame->v) + spin * arm) + dt * dt * gravity;
    ColliderReach* reach = &c->reach[i];
    *reach =
        (ColliderReach){.radius = endless ? (double)INFINITY : radius,
                        .margin = CANDIDATE_REACH_OUT * way + (endless ? 0.0 : SLACK * radius)};
    c->boxes[i] = box_around(
        middle, of_group && !endless ? reached_half(properties, i, place.R, reach) : NONE);
    return !(of_group && endless) || list_endless(properties, &place, i, c);
}

// --- all pairs ---

// Adds two colliders, in either order, if the balls around them are not farther apart than they may
// come. False if memory is short.
static bool add_near(const Element* contact, int i, int j, Candidates* c) {
    const int a = i < j ? i : j, b = i < j ? j : i;
    const ColliderReach* first = &c->reach[a];
    const ColliderReach* second = &c->reach[b];
    const double middles = length3(sub3(c->boxes[a].middle, c->boxes[b].middle));
    if (middles - first->radius - second->radius > first->margin + second->margin) {
        return true;
    }
    const NearPair pair = {a, b, (int)(contact - c->sys->elements)};
    return candidate_list_add_pair(c, &pair);
}

static bool list_meetings(Candidates* c) {
    const System* sys = c->sys;
    for (int i = 0; i < sys->n_meetings; i++) {
        const Meeting* meeting = &sys->meetings[i];
        for (int j = 0; j < meeting->first.n; j++) {
            for (int k = 0; k < meeting->second.n; k++) {
                if (!add_near(meeting->contact, meeting->first.at + j, meeting->second.at + k, c)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Is a shape, within the ball around it, farther from a plane of space than either may come?
static bool is_far_from_plane(const Endless* endless, int shape, const Candidates* c) {
    const ColliderReach* plane = &c->reach[endless->collider];
    const ColliderReach* reach = &c->reach[shape];
    return endless->is_plane &&
           dot3(endless->n, sub3(c->boxes[shape].middle, endless->from)) - reach->radius >
               plane->margin + reach->margin;
}

// Of two colliders a < b of groups
static bool list_pair(int a, int b, Candidates* c) {
    const Element* contacts = candidate_pairs_contacts(c, a, b);
    return contacts == NULL || add_near(contacts, a, b, c);
}

// What a finite collider meets of those after it
static bool list_after(int a, Candidates* c) {
    int n;
    const int* partners = broad_phase_partners(c->phase, a, &n);
    for (int i = 0; i < n; i++) {
        const int b = partners[i];
        if (box_overlaps(&c->boxes[a], &c->boxes[b]) && !list_pair(a, b, c)) {
            return false;
        }
    }
    for (int i = 0; i < c->n_endless; i++) {
        const int b = c->endless[i].collider;
        if (b > a && !is_far_from_plane(&c->endless[i], a, c) && !list_pair(a, b, c)) {
            return false;
        }
    }
    return true;
}

// What one without end meets of finite ones after it
static bool list_after_endless(const Endless* endless, Candidates* c) {
    for (int b = endless->collider + 1; b < c->sys->n_colliders; b++) {
        if (!box_is_none(&c->boxes[b]) && !is_far_from_plane(endless, b, c) &&
            !list_pair(endless->collider, b, c)) {
            return false;
        }
    }
    return true;
}

// Collider by collider, with all that it may meet: what is known of it is read once, and the pairs
// are nearly in order.
static Status list_in_groups(Candidates* c) {
    const int n = c->sys->n_colliders;
    const Status status = broad_phase_find(c->phase, n, c->boxes);
    if (status != STATUS_OK) {
        return status;
    }
    bool ok = true;
    for (int a = 0; a < n && ok; a++) {
        ok = box_is_none(&c->boxes[a]) || list_after(a, c);
    }
    for (int i = 0; i < c->n_endless && ok; i++) {
        ok = list_after_endless(&c->endless[i], c);
    }
    return ok ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// Features come by ascending id, as the pairs do.
static bool find_features(const Instant* instant, double dt, Candidates* c) {
    if (!candidate_list_sort_pairs(c)) {
        return false;
    }
    for (int i = 0; i < c->n_pairs; i++) {
        if (!candidate_features_find(instant, &c->pairs[i], dt, c)) {
            return false;
        }
    }
    return true;
}

// What became laws is kept beside what is found from now on.
static void keep_applied(Candidates* c) {
    if (c->is_applied) {
        FoundContact* contacts = c->applied;
        const int room = c->room_applied;
        c->applied = c->contacts;
        c->n_applied = c->n;
        c->room_applied = c->room;
        c->contacts = contacts;
        c->room = room;
        c->is_applied = false;
    }
}

Status candidates_find(const Instant* instant, double dt, double gravity, Candidates* c) {
    keep_applied(c);
    c->n = c->n_endless = c->n_pairs = 0;
    bool ok = true;
    for (int i = 0; i < c->sys->n_colliders && ok; i++) {
        ok = place_collider(instant, dt, gravity, i, c);
    }
    Status status = ok && list_meetings(c) ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    if (status == STATUS_OK && c->sys->n_groups > 0) {
        status = list_in_groups(c);
    }
    if (status == STATUS_OK && !find_features(instant, dt, c)) {
        status = STATUS_OUT_OF_MEMORY;
    }
    c->dt = dt;
    return status;
}

// --- laws of the system ---

static bool note_closed(Candidates* c, long long pair, long long state) {
    if (!candidate_list_make_room((void**)&c->closed, &c->room_closed, c->n_closed + 1,
                                  sizeof *c->closed)) {
        return false;
    }
    c->closed[c->n_closed++] = (ClosedPair){pair, state};
    return true;
}

// Contacts that stay keep their records; of those that are gone it is noted that they were closed.
// False if the records are in no order, as those of a state that is none, or if memory is short.
static bool renumber_records(const System* sys, State* s, Candidates* c) {
    long long n = 0;
    int last = -1;
    c->n_closed = 0;
    for (long long i = 0; i < s->head->n_records; i++) {
        const ContactRecord* record = &s->records[i];
        const int k = found_laws_find(sys, record->id, last + 1);
        if (k >= 0 && k <= last) {
            return false;
        }
        if (k >= 0) {
            last = k;
            state_move_record(i, n++, k, s);
        } else if (record->state != CONTACT_OPEN &&
                   !note_closed(c, record->id.pair, record->state)) {
            return false;
        }
    }
    s->head->n_records = n;
    return true;
}

// Where the features by which two bodies press on each other change, those that touch now press on:
// otherwise the bodies would fall for a step.
static void go_on_pressing(const System* sys, State* s, const Candidates* c) {
    for (int i = 0, at = 0; i < c->n && at < c->n_closed; i++) {
        const FoundContact* found = &c->contacts[i];
        while (at < c->n_closed && c->closed[at].pair < found->id.pair) {
            at++;
        }
        const double size = candidate_features_size(c, found->id);
        if (at < c->n_closed && c->closed[at].pair == found->id.pair &&
            found->feature.gap <= TOUCHING * size && state_record(s, sys->n_fixed + i) == NULL) {
            ContactRecord* record = state_make_record(sys->n_fixed + i, s);
            record->id = found->id;
            record->state = c->closed[at].state;
        }
    }
}

Status candidates_apply(const Properties* properties, System* sys, State* s, Candidates* c) {
    if (c->n > sys->found->most) {
        return STATUS_NO_ROOM;
    }
    found_laws_set(c->contacts, c->n, properties, sys);
    follow_smooth(sys, properties, c, s);
    if (!renumber_records(sys, s, c)) {
        return STATUS_NOT_ALLOWED;
    }
    go_on_pressing(sys, s, c);
    c->is_applied = true;
    return STATUS_OK;
}

// --- distances ---

double candidates_penetration(const Instant* instant, const Candidates* c) {
    double penetration = 0.0;
    for (int i = 0; i < c->n; i++) {
        const FoundContact* contact = &c->contacts[i];
        if (!contact->passes) {  // those are of where the shapes will touch; now they are apart
            const Placement first = collider_placement(instant, found_contact_side(contact, 0));
            const Placement second = collider_placement(instant, found_contact_side(contact, 1));
            penetration = fmax(penetration, -feature_gap(&contact->feature, &first, &second));
        }
    }
    return penetration;
}

double candidates_distance(const Instant* instant, const Meeting* meeting) {
    double least = INFINITY;
    for (int j = 0; j < meeting->first.n; j++) {
        for (int k = 0; k < meeting->second.n; k++) {
            least = fmin(least, candidate_features_distance(instant, meeting->first.at + j,
                                                            meeting->second.at + k));
        }
    }
    return least;
}
