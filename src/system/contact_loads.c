// A contact acts on the frame of each of its two bodies with the force and moment that its rows W
// and their multipliers amount to: the force F = sum of W_v la in components of the world, the
// moment M = sum of W_Omega la about the frame's origin r in components of the frame. About the
// point x of the sensor the torque is R M + (r - x) x F.
#include "system/contact_loads.h"

#include "system/system_builder.h"

// --- which sensors ---

Status builder_list_load_sensors(const Builder* b) {
    System* sys = b->sys;
    int n = 0;
    for (int i = 0; i < b->n; i++) {
        n += b->elements[i].kind->of_contacts;
    }
    LoadSensor* sensors = ARENA_NEW(b->arena, n, LoadSensor);
    if (sensors == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    sys->load_sensors = sensors;
    for (int i = 0; i < b->n; i++) {
        const Element* sensor = &b->elements[i];
        if (!sensor->kind->of_contacts) {
            continue;
        }
        const int target = element_target(sensor, 0), contact = element_target(sensor, 1);
        const Element* on = target >= 0 ? &b->elements[target] : NULL;
        const bool one_shape = on != NULL && on->kind->shape != SHAPE_NONE;
        LoadSensor* own = &sensors[sys->n_loads];
        *own = (LoadSensor){.sensor = sensor,
                            .shape = one_shape ? on : NULL,
                            .contact = contact >= 0 ? &b->elements[contact] : NULL,
                            .marker = sensor->markers[0]};
        if (on != NULL) {
            Element* body = &b->elements[on->parent >= 0 ? on->parent : target];
            own->marker = one_shape ? body->marker : own->marker;
            own->next = body->first_load;  // those of one body are a list that begins there
            body->first_load = 1 + sys->n_loads;
        }
        sys->n_loads++;
    }
    return STATUS_OK;
}

// --- what they tell ---

static const Element* body_at(const System* sys, int marker) {
    const Element* element = sys->marker_elements[marker];
    return element->parent >= 0 ? &sys->elements[element->parent] : element;
}

bool contact_loads_want(const System* sys, const Link* contact) {
    return sys->n_loads > 0 && (body_at(sys, contact->marker_a)->first_load > 0 ||
                                body_at(sys, contact->marker_b)->first_load > 0);
}

typedef struct Wrench {
    Vec3 force, moment;  // in the world; in the frame, about its origin
} Wrench;

static Wrench wrench_of(const Link* contact, const Rows* rows, int side, const double* la) {
    double F[TWIST_SIZE] = {0.0};
    for (int r = 0; r < contact->la.n; r++) {
        for (int i = 0; i < TWIST_SIZE; i++) {
            F[i] += rows->W[r][side * TWIST_SIZE + i] * la[r];
        }
    }
    return (Wrench){{F[0], F[1], F[2]}, {F[3], F[4], F[5]}};
}

static void add_wrench(const Frame* frame, const Wrench* wrench, Vec3 about, Vec3* force,
                       Vec3* torque) {
    const Vec3 moment =
        add3(turn3(frame->R, wrench->moment), cross3(sub3(frame->r, about), wrench->force));
    *force = add3(*force, wrench->force);
    *torque = add3(*torque, moment);
}

static void add_side(const System* sys, const Instant* instant, const Link* contact,
                     const Rows* rows, const ContactRecord* record, int side, ContactLoad* loads) {
    const int marker = side == 0 ? contact->marker_a : contact->marker_b;
    const Element* shape = sys->marker_elements[marker];
    const Marker* markers = instant->properties->markers;
    const Frame* frame = &instant->frames[markers[marker].frame];
    int next = body_at(sys, marker)->first_load;
    if (next == 0) {
        return;
    }
    const Wrench la = wrench_of(contact, rows, side, record->la);
    const Wrench La = wrench_of(contact, rows, side, record->La);
    for (int i = next - 1; i >= 0; i = next - 1) {
        const LoadSensor* sensor = &sys->load_sensors[i];
        const Marker* own = &markers[sensor->marker];
        const Frame* base = &instant->frames[own->frame];
        const Vec3 about = add3(base->r, turn3(base->R, own->rho));
        next = sensor->next;
        if ((sensor->shape == NULL || sensor->shape == shape) &&
            (sensor->contact == NULL || sensor->contact == contact->element)) {
            add_wrench(frame, &la, about, &loads[i].force, &loads[i].torque);
            add_wrench(frame, &La, about, &loads[i].impulse, &loads[i].angular_impulse);
        }
    }
}

void contact_loads_add(const System* sys, const Instant* instant, const Link* contact,
                       const Rows* rows, const ContactRecord* record, ContactLoad* loads) {
    add_side(sys, instant, contact, rows, record, 0, loads);
    add_side(sys, instant, contact, rows, record, 1, loads);
}
