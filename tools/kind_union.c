#include "kind_union.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static int count(const ElementKind* kind, KindTable table) {
    switch (table) {
        case TABLE_PARAMETERS:
            return kind->n_parameters;
        case TABLE_SIGNALS:
            return kind->n_signals;
        case TABLE_OUTPUTS:
            return kind->n_outputs;
        case TABLE_TOTALS:
            return kind->n_total_outputs;
    }
    return 0;
}

static const char* name(const ElementKind* kind, KindTable table, int i) {
    switch (table) {
        case TABLE_PARAMETERS:
            return kind->parameters[i].name;
        case TABLE_SIGNALS:
            return kind->signals[i].name;
        case TABLE_OUTPUTS:
            return kind->outputs[i].name;
        case TABLE_TOTALS:
            return kind->total_outputs[i].name;
    }
    return "";
}

static bool has(const ElementKind* kind, KindTable table, const char* wanted) {
    for (int i = 0; i < count(kind, table); i++) {
        if (strcmp(name(kind, table, i), wanted) == 0) {
            return true;
        }
    }
    return false;
}

static void add(KindUnion* result, const ElementKind* kind, int index, Variant variant) {
    assert(result->n < UNION_SIZE);
    result->entries[result->n++] = (UnionEntry){kind, index, variant};
}

KindUnion kind_union(const ElementKind* kind, KindTable table) {
    const ElementKind* spatial = kind->spatial;
    KindUnion result = {.n = 0};
    for (int i = 0; i < count(kind, table); i++) {
        const bool both = spatial == NULL || has(spatial, table, name(kind, table, i));
        add(&result, kind, i, both ? VARIANT_BOTH : VARIANT_PLANE);
    }
    for (int i = 0; spatial != NULL && i < count(spatial, table); i++) {
        if (!has(kind, table, name(spatial, table, i))) {
            add(&result, spatial, i, VARIANT_SPACE);
        }
    }
    return result;
}

const char* variant_words(Variant variant) {
    switch (variant) {
        case VARIANT_BOTH:
            return "";
        case VARIANT_PLANE:
            return " (in the plane)";
        case VARIANT_SPACE:
            return " (in space)";
    }
    return "";
}
