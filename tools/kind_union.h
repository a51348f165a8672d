// A kind of element together with its variant for space: all attributes and outputs that a file or
// an FMU can have under its tag.
#pragma once

#include "elements/element.h"

typedef enum KindTable { TABLE_PARAMETERS, TABLE_SIGNALS, TABLE_OUTPUTS, TABLE_TOTALS } KindTable;
typedef enum Variant { VARIANT_BOTH, VARIANT_PLANE, VARIANT_SPACE } Variant;  // where it exists

enum { UNION_SIZE = 128 };  // more than any kind has

// Entry index of the table of the kind, which is one of the two variants
typedef struct UnionEntry {
    const ElementKind* kind;
    int index;
    Variant variant;
} UnionEntry;

typedef struct KindUnion {
    UnionEntry entries[UNION_SIZE];
    int n;
} KindUnion;

// What the plane has, then what space has besides
KindUnion kind_union(const ElementKind* kind, KindTable table);
// " (in the plane)", " (in space)" or ""
const char* variant_words(Variant variant);
