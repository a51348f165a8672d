// A table of material pairs and the contact parameters that belong to them.
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/report.h"
#include "elements/contact.h"

typedef struct MaterialPair {
    const char *first, *second;
    double values[N_CONTACT_PARAMETERS];  // NAN where the table gives none
} MaterialPair;

typedef struct MaterialTable {
    const char* file;
    const MaterialPair* pairs;  // (n_pairs)
    int n_pairs;
} MaterialTable;

MUST_CHECK Status materials_read(const char* file, const char* text, size_t n, Arena* arena,
                                 Report* report, MaterialTable* table);

// The pair in either order, or NULL.
const MaterialPair* materials_find(const MaterialTable* table, const char* a, const char* b);
