// Parameters of what is repeated: there may be millions of them, and nobody can set them. The model
// knows the start values of all, and which ones follow from user parameters. Those that never
// change and are equal to the last ones of the same kind of element are there once.
#include <math.h>
#include <string.h>

#include "reader/reader.h"

double start_value(const ModelParameter* parameter) {
    const ParameterInfo* info = parameter->info;
    return info != NULL && info->structural ? fmin(fmax(parameter->start, info->min), info->max)
                                            : parameter->start;
}

void add_computed(Reader* reader, int at, int element, const Expression* expression) {
    if (reader->n_computed == reader->room_for_computed) {
        const int room = 2 * reader->room_for_computed + 16;
        ComputedParameter* more = SCRATCH_NEW(reader, room, ComputedParameter);
        if (more == NULL) {
            return;  // the arena is exhausted
        }
        if (reader->n_computed > 0) {
            memcpy(more, reader->computed, (size_t)reader->n_computed * sizeof *more);
        }
        reader->computed = more;
        reader->room_for_computed = room;
    }
    reader->computed[reader->n_computed++] = (ComputedParameter){at, element, expression};
}

void place_parameters(Reader* reader, Element* element) {
    if (!element_is_open(element)) {
        element->p.at = reader->n_p;
        reader->n_p += element->p.n;
    }
}

// NULL: no memory
static LastParameters* last_of(Reader* reader, const ElementKind* kind) {
    LastParameters* last = reader->last_parameters;
    while (last != NULL && last->kind != kind) {
        last = last->next;
    }
    if (last == NULL) {
        last = SCRATCH_NEW(reader, 1, LastParameters);
        if (last == NULL) {
            return NULL;
        }
        *last = (LastParameters){.next = reader->last_parameters, .kind = kind, .at = -1};
        reader->last_parameters = last;
    }
    return last;
}

void share_parameters(Reader* reader, Element* element) {
    const Range p = element->p;
    LastParameters* last = element->constant && !element_has_mass_of_shapes(element) && p.n > 0
                               ? last_of(reader, element->kind)
                               : NULL;
    if (last == NULL) {
        return;
    }
    if (last->at >= 0 &&
        memcmp(reader->p + last->at, reader->p + p.at, (size_t)p.n * sizeof(double)) == 0) {
        element->p.at = last->at;
        reader->n_p = p.at;
    }
    last->at = element->p.at;
}

void list_computed(Reader* reader) {
    const int n = reader->n_computed;
    ComputedParameter* computed = ARENA_NEW(reader->arena, n, ComputedParameter);
    if (computed != NULL && n > 0) {
        memcpy(computed, reader->computed, (size_t)n * sizeof *computed);
    }
    reader->model->computed = computed;
    reader->model->n_computed = computed != NULL ? n : 0;
}

const Expression* model_expression(const Model* model, int parameter) {
    if (parameter < model->system.n_open) {
        return model->parameters[parameter].expression;
    }
    int low = 0;
    int high = model->n_computed;
    while (low < high) {
        const int middle = (low + high) / 2;
        low = model->computed[middle].at < parameter ? middle + 1 : low;
        high = model->computed[middle].at < parameter ? high : middle;
    }
    return low < model->n_computed && model->computed[low].at == parameter
               ? model->computed[low].expression
               : NULL;
}
