// Groups of shapes: the shapes whose attribute group is the same name. <contacts> name them.
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "reader/reader.h"

// Whether one is in space is looked for among all shapes.
enum { MOST_CONTACTS = 256 };

static int compare_groups(const void* a, const void* b) {
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// The name of a shape's group; NULL: it is in none, or it has an error, which is told.
static const char* group_of(Reader* reader, int shape) {
    const XmlNode* node = reader->nodes[shape];
    const ElementKind* kind = reader->elements[shape].kind;
    const bool may = kind->role == ROLE_SHAPE && format_kind_has_common(kind, COMMON_GROUP);
    const char* name = may && node != NULL ? xml_attribute(node, "group") : NULL;
    if (name != NULL && !text_is_name(name)) {
        ATTRIBUTE_ERROR(reader, node, "group",
                        "group=\"%.80s\": expected a letter, then letters, digits and underscores",
                        name);
        return NULL;
    }
    return name;
}

static void count_contacts(Reader* reader) {
    int n = 0;
    for (int i = 0; i < reader->n_elements; i++) {
        const ElementKind* kind = reader->elements[i].kind;
        n += kind->n_references > 0 && kind->references[0].type == REFERENCE_GROUP;
        if (n > MOST_CONTACTS) {
            NODE_ERROR(reader, reader->nodes[i], "more than %d <%s>", (int)MOST_CONTACTS,
                       kind->tag);
            return;
        }
    }
}

// The names of groups at a node of the source and below it: how many there are, and into names
// unless that is NULL. A group whose shapes stand in a repetition that is made no times is empty.
static int collect_names(const XmlNode* node, const char** names) {
    const char* name = xml_attribute(node, "group");
    int n = name != NULL && text_is_name(name);
    if (n > 0 && names != NULL) {
        names[0] = name;
    }
    for (const XmlNode* child = node->first_child; child != NULL; child = child->next) {
        n += collect_names(child, names != NULL ? names + n : NULL);
    }
    return n;
}

// The names of groups, each once and sorted, are numbered from 1.
void read_groups(Reader* reader) {
    const bool all_made = reader->source == reader->tree->root;
    const int n_written = all_made ? 0 : collect_names(reader->source, NULL);
    const char** names = SCRATCH_NEW(reader, reader->n_elements + n_written, const char*);
    int n = 0;
    for (int i = 0; i < reader->n_elements && names != NULL; i++) {
        const char* name = group_of(reader, i);
        if (name != NULL) {
            names[n++] = name;
        }
    }
    if (names == NULL) {
        return;  // the arena is exhausted
    }
    n += all_made ? 0 : collect_names(reader->source, names + n);
    qsort(names, (size_t)n, sizeof *names, compare_groups);
    for (int i = 0; i < n; i++) {
        if (reader->n_groups == 0 || strcmp(names[reader->n_groups - 1], names[i]) != 0) {
            names[reader->n_groups++] = names[i];
        }
    }
    reader->groups = names;
    for (int i = 0; i < reader->n_elements && n > 0; i++) {
        const XmlNode* node = reader->nodes[i];
        const bool shape = reader->elements[i].kind->role == ROLE_SHAPE;
        const char* name = shape && node != NULL ? xml_attribute(node, "group") : NULL;
        reader->elements[i].group = name != NULL ? find_group(reader, name) : 0;
        reader->elements[i].group = reader->elements[i].group > 0 ? reader->elements[i].group : 0;
    }
    count_contacts(reader);
}

int find_group(const Reader* reader, const char* name) {
    int low = 0;
    int high = reader->n_groups;
    while (low < high) {
        const int middle = (low + high) / 2;
        const int order = strcmp(reader->groups[middle], name);
        if (order == 0) {
            return middle + 1;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

int resolve_group(Reader* reader, const XmlNode* node, const ReferenceInfo* info,
                  const char* name) {
    const int group = find_group(reader, name);
    if (group < 0) {
        char words[SUGGEST_WORDS];
        Suggestion suggestion = {0};
        for (int i = 0; i < reader->n_groups && reader_may_suggest(reader); i++) {
            suggest_consider(&suggestion, name, reader->groups[i]);
        }
        ATTRIBUTE_ERROR(reader, node, info->name,
                        "%s=\"%.80s\": no shape is in a group of that name: expected shapes with "
                        "group=\"%.80s\"%s",
                        info->name, name, name, suggest_words(&suggestion, words));
    }
    return group;
}

// Groups that no <contacts> names: told once, of the first shape
void warn_of_idle_groups(Reader* reader) {
    bool* used = SCRATCH_NEW(reader, 1 + reader->n_groups, bool);
    for (int i = 0; i < reader->n_elements && used != NULL; i++) {
        for (int j = 0; j < ELEMENT_MAX_REFERENCES; j++) {
            used[element_group(&reader->elements[i], j)] = true;
        }
    }
    for (int i = 0; i < reader->n_elements && used != NULL; i++) {
        const Element* shape = &reader->elements[i];
        if (shape->group > 0 && !used[shape->group]) {
            report_add(reader->report, SEVERITY_WARNING,
                       xml_attribute_place(reader->tree, reader->nodes[i], "group", 0),
                       "no <contacts> names the group %s: its shapes do not touch",
                       reader->groups[shape->group - 1]);
            used[shape->group] = true;
        }
    }
}
