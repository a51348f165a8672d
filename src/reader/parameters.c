// Parameters of what is repeated: there may be millions of them, and nobody can set them. The model
// knows the start values of all, and which ones follow from user parameters.
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
