#include "reader/materials.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "reader/format.h"
#include "reader/model.h"
#include "reader/xml_tree.h"

static void read_value(const XmlTree* tree, const XmlNode* node, const ParameterInfo* info,
                       Report* report, double* value) {
    const char* text = xml_attribute(node, info->name);
    *value = NAN;
    if (text == NULL) {
        return;
    }
    const char* end = text_to_double(text, value);
    if (end == NULL || *end != '\0' || !isfinite(*value) || *value < info->min ||
        *value > info->max) {
        report_add(report, SEVERITY_ERROR, xml_attribute_place(tree, node, info->name, 0),
                   "%s=\"%s\" must be a number from %g to %g", info->name, text, info->min,
                   info->max);
        *value = NAN;
    }
}

static bool known_attribute(const char* name) {
    bool known = format_has_attribute(&pair_format, name);
    for (int i = 0; i < N_CONTACT_PARAMETERS; i++) {
        known = known || strcmp(name, contact_kind.parameters[i].name) == 0;
    }
    return known;
}

static void read_pair(const XmlTree* tree, const XmlNode* node, Report* report,
                      const MaterialTable* before, MaterialPair* pair) {
    if (strcmp(node->tag, "pair") != 0) {
        report_add(report, SEVERITY_ERROR, xml_place(tree, node),
                   "<%s> is not known here: expected <pair>", node->tag);
        return;
    }
    for (int i = 0; i < node->n_attributes; i++) {
        const char* name = node->attributes[i].name;
        if (!known_attribute(name)) {
            report_add(report, SEVERITY_ERROR, xml_value_place(tree, node, &node->attributes[i], 0),
                       "<pair> has no attribute %s: expected first, second, source or a parameter "
                       "of contacts",
                       name);
        }
    }
    pair->first = xml_attribute(node, "first");
    pair->second = xml_attribute(node, "second");
    if (pair->first == NULL || pair->second == NULL) {
        report_add(report, SEVERITY_ERROR, xml_place(tree, node),
                   "<pair> needs the names of two materials: first and second");
        pair->first = pair->second = "";
        return;
    }
    if (materials_find(before, pair->first, pair->second) != NULL) {
        report_add(report, SEVERITY_ERROR, xml_place(tree, node),
                   "the pair %s and %s is given twice", pair->first, pair->second);
    }
    for (int i = 0; i < N_CONTACT_PARAMETERS; i++) {
        read_value(tree, node, &contact_kind.parameters[i], report, &pair->values[i]);
    }
}

Status materials_read(const char* file, const char* text, size_t n, Arena* arena, Report* report,
                      MaterialTable* table) {
    enum { MAXIMUM_PAIRS = 2000 };  // each is compared with those before it
    const int n_errors = report->n_errors;
    XmlTree tree;
    *table = (MaterialTable){.file = file};
    Status status = xml_tree_parse(file, text, n, MATERIALS_NAMESPACE, arena, report, &tree);
    if (status != STATUS_OK) {
        return status;
    }
    if (strcmp(tree.root->tag, "materials") != 0) {
        report_add(report, SEVERITY_ERROR, xml_place(&tree, tree.root),
                   "the first element is <%s>: expected <materials>", tree.root->tag);
        return STATUS_INVALID_MODEL;
    }
    if (tree.n_nodes > MAXIMUM_PAIRS) {
        report_add(report, SEVERITY_ERROR, xml_place(&tree, tree.root), "more than %d pairs",
                   (int)MAXIMUM_PAIRS);
        return STATUS_INVALID_MODEL;
    }
    MaterialPair* pairs = ARENA_NEW(arena, tree.n_nodes, MaterialPair);
    if (pairs == NULL) {
        char words[ARENA_WORDS];
        report_add(report, SEVERITY_ERROR, xml_place(&tree, tree.root), "%s for %d pairs",
                   arena_shortage(arena, words), tree.n_nodes);
        return STATUS_OUT_OF_MEMORY;
    }
    table->pairs = pairs;
    for (const XmlNode* node = tree.root->first_child; node != NULL; node = node->next) {
        MaterialPair* pair = &pairs[table->n_pairs];
        pair->first = pair->second = "";
        read_pair(&tree, node, report, table, pair);
        table->n_pairs++;
    }
    return report->n_errors == n_errors ? STATUS_OK : STATUS_INVALID_MODEL;
}

const MaterialPair* materials_find(const MaterialTable* table, const char* a, const char* b) {
    for (int i = 0; i < table->n_pairs; i++) {
        const MaterialPair* pair = &table->pairs[i];
        if ((strcmp(pair->first, a) == 0 && strcmp(pair->second, b) == 0) ||
            (strcmp(pair->first, b) == 0 && strcmp(pair->second, a) == 0)) {
            return pair;
        }
    }
    return NULL;
}
