// A contact that did not press in the step before and now does has struck. So has one that pressed
// already, if an impact elsewhere reaches it: records tell impulses La of a step apart from forces
// la. Schemes on velocity level cannot: in a step with an impact all percussions are impulses,
// those of contacts that merely rest meanwhile, too. Of these the impulse is what the force before
// would have given; an impact gives more.
#include "simulation/impacts.h"

#include <stdlib.h>

#include "simulation/simulation_struct.h"

// An impulse counts if it is this many times that of the force before: steps differ in length, and
// forces change.
static const double MORE_THAN_FORCE = 2.0;

struct ImpactList {
    Simulation* simulation;  // that is being watched, or NULL
    double* force;       // (contacts of the scene) normal force in the last step without an impact
    long long* pressed;  // (likewise) the last step in which it pressed; 0: none
    ImpactRecord* heap;  // (n of n_most) the smallest first: heap[(i - 1) / 2] <= heap[i]
    int n, n_most;
    long long n_all;
};

static void swap(ImpactRecord* a, ImpactRecord* b) {
    const ImpactRecord kept = *a;
    *a = *b;
    *b = kept;
}

static void sift_down(ImpactRecord* heap, int n) {
    for (int i = 0, child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && heap[child + 1].impulse < heap[child].impulse) {
            child++;
        }
        if (heap[i].impulse <= heap[child].impulse) {
            return;
        }
        swap(&heap[i], &heap[child]);
    }
}

void impacts_add(ImpactList* list, ImpactRecord impact) {
    list->n_all++;
    if (list->n < list->n_most) {
        int i = list->n++;
        list->heap[i] = impact;
        while (i > 0 && list->heap[(i - 1) / 2].impulse > list->heap[i].impulse) {
            swap(&list->heap[i], &list->heap[(i - 1) / 2]);
            i = (i - 1) / 2;
        }
    } else if (list->n > 0 && impact.impulse > list->heap[0].impulse) {
        list->heap[0] = impact;
        sift_down(list->heap, list->n);
    }
}

// The normal percussion, force and impulse of a contact in a step
typedef struct Pressing {
    double P, la, La;
} Pressing;

// An impact in the step that has been made? force: the normal force before, or 0.
static bool strikes(const StateHead* head, const Pressing* pressing, bool pressed,
                    bool impact_anywhere, double force) {
    const bool starts = head->n_steps == 1;  // what touches from the start has not struck
    return (!pressed && !starts) ||
           (impact_anywhere && pressing->La > MORE_THAN_FORCE * head->dt * force);
}

// Contact k of the scene
static void look_at(ImpactList* list, int k, const Pressing* pressing, double time, bool impact) {
    const StateHead* head = list->simulation->state.head;
    const bool pressed = list->pressed[k] == head->n_steps - 1;
    if (!(pressing->P > 0.0)) {
        return;  // what is left of a force that has ended
    }
    if (!pressed || !impact) {
        list->force[k] = impact ? 0.0 : pressing->la;
    }
    list->pressed[k] = head->n_steps;
    if (strikes(head, pressing, pressed, impact, list->force[k])) {
        const double impulse = pressing->La > 0.0 ? pressing->La : pressing->P;
        impacts_add(list, (ImpactRecord){time, k, impulse});
    }
}

static void look_at_step(void* context) {
    ImpactList* list = context;
    const State* s = &list->simulation->state;
    const StateHead* head = s->head;
    const bool impact = simulation_had_impact(list->simulation);
    const double time = impact ? head->last_impact_time : state_time(s);
    const System* sys = &list->simulation->model.system;
    for (long long i = 0; i < head->n_records; i++) {
        const ContactRecord* record = &s->records[i];
        if (record->key < sys->n_fixed) {  // no friction in joints
            const Pressing pressing = {record->P[0], record->la[0], record->La[0]};
            look_at(list, (int)record->key, &pressing, time, impact);
        }
    }
    for (int i = 0; i < sys->n_totals; i++) {  // what was found, all together
        const FoundTotal* total = &s->totals[i];
        const Pressing pressing = {total->impulse + head->dt * total->normal, total->normal,
                                   total->impulse};
        look_at(list, sys->n_fixed + i, &pressing, time, impact);
    }
}

ImpactList* impacts_create(int n_most, Arena* arena) {
    ImpactList* list = ARENA_NEW(arena, 1, ImpactList);
    ImpactRecord* heap = ARENA_NEW(arena, n_most, ImpactRecord);
    if (list == NULL || heap == NULL) {
        return NULL;
    }
    *list = (ImpactList){.heap = heap, .n_most = n_most};
    return list;
}

ImpactList* impacts_watch(Simulation* simulation, int n_most, Arena* arena) {
    const System* sys = &simulation->model.system;
    const int n = sys->n_fixed + sys->n_totals;
    ImpactList* list = impacts_create(n_most, arena);
    double* force = ARENA_NEW(arena, n, double);
    long long* pressed = ARENA_NEW(arena, n, long long);
    if (list == NULL || force == NULL || pressed == NULL) {
        return NULL;
    }
    list->simulation = simulation;
    list->force = force;
    list->pressed = pressed;
    simulation_watch_steps(simulation, look_at_step, list);
    return list;
}

static int compare_times(const void* a, const void* b) {
    const ImpactRecord* first = a;
    const ImpactRecord* second = b;
    const int order = (first->time > second->time) - (first->time < second->time);
    return order != 0 ? order
                      : (first->contact > second->contact) - (first->contact < second->contact);
}

// The order by time leaves the heap's: nothing is to be added afterwards.
const ImpactRecord* impacts_sorted(ImpactList* list, int* n, long long* n_all) {
    static const double ROUNDING = 1e-9;  // of the largest: no impact, but what is left of one
    double largest = 0.0;
    for (int i = 0; i < list->n; i++) {
        largest = list->heap[i].impulse > largest ? list->heap[i].impulse : largest;
    }
    int kept = 0;
    for (int i = 0; i < list->n; i++) {
        if (list->heap[i].impulse > ROUNDING * largest) {
            list->heap[kept++] = list->heap[i];
        }
    }
    list->n_all -= list->n - kept;
    list->n = kept;
    qsort(list->heap, (size_t)kept, sizeof *list->heap, compare_times);
    if (list->simulation != NULL) {
        simulation_watch_steps(list->simulation, NULL, NULL);
    }
    *n = kept;
    *n_all = list->n_all;
    return list->heap;
}
