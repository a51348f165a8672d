// From the XML tree to a Model: first the structure (which elements there are, their names and
// numbers), then values, then references; every problem is reported and reading goes on.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/element_kinds.h"
#include "reader/other_words.h"
#include "base/suggest.h"
#include "base/text.h"
#include "elements/bodies.h"
#include "schemes/settings.h"
#include "reader/reader.h"

void* reader_scratch(const Reader* reader, size_t count, size_t size) {
    void* bytes = arena_alloc(reader->scratch, count, size);
    reader->arena->exhausted = reader->arena->exhausted || bytes == NULL;
    return bytes;
}

bool reader_has_memory(Reader* reader, const XmlNode* node) {
    char words[ARENA_WORDS];
    if (!reader->arena->exhausted || reader->told_of_shortage) {
        return !reader->arena->exhausted;
    }
    reader->told_of_shortage = true;
    arena_shortage(reader->arena, words);
    if (node == NULL) {
        NODE_ERROR(reader, reader->tree->root, "%s for the %d elements of the model", words,
                   reader->tree->n_nodes);
    } else {
        const char* name = xml_attribute(node, "name");
        NODE_ERROR(reader, node, "%s for <%s>%s%.80s and what comes before it", words, node->tag,
                   name != NULL ? " " : "", name != NULL ? name : "");
    }
    return false;
}

static int compare_names(const void* a, const void* b) {
    const Name* first = a;
    const Name* second = b;
    const int order = strcmp(first->text, second->text);
    if (order != 0 || first->node == second->node) {
        return order;
    }
    const long place_1 = first->node != NULL ? first->node->offset : -1;
    const long place_2 = second->node != NULL ? second->node->offset : -1;
    return (place_1 > place_2) - (place_1 < place_2);
}

const Name* reader_find(const Reader* reader, const char* text, size_t n) {
    int low = 0;
    int high = reader->n_names;
    while (low < high) {
        const int middle = (low + high) / 2;
        const char* candidate = reader->names[middle].text;
        int order = strncmp(candidate, text, n);
        order = order == 0 && candidate[n] != '\0' ? 1 : order;
        if (order == 0) {
            return &reader->names[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

static void add_name(Reader* reader, const char* text, NameType type, int index,
                     const XmlNode* node) {
    reader->names[reader->n_names++] = (Name){text, type, index, node};
}

// The name that the user gave, NULL after an error.
static const char* given_name(Reader* reader, const XmlNode* node) {
    const char* name = xml_attribute(node, "name");
    if (name == NULL) {
        NODE_ERROR(reader, node, "<%s> needs a name", node->tag);
    } else if (!text_is_indexed_name(name)) {
        ATTRIBUTE_ERROR(reader, node, "name",
                        "name=\"%.80s\": expected a letter, then letters, digits and underscores%s",
                        name, strchr(name, '[') != NULL ? ", then indices such as [2]" : "");
        return NULL;
    }
    return name;
}

static bool is_reserved(const char* name) {
    bool reserved = false;
    for (int i = 0; format_reserved_names[i] != NULL; i++) {
        reserved = reserved || strcmp(name, format_reserved_names[i]) == 0;
    }
    return reserved;
}

// What stands in a body: its full name and scope. NULL: it stands in the mechanism.
typedef struct Owner {
    const char* name;
    const XmlScope* scope;
} Owner;

// The full name of something that users name, from the arena if it is written nowhere; NULL after
// an error.
static const char* full_name(Reader* reader, const XmlNode* node, const Owner* owner,
                             Arena* arena) {
    const char* name = given_name(reader, node);
    const XmlScope* within = owner != NULL ? owner->scope : NULL;
    if (name == NULL) {
        return NULL;
    }
    if (owner == NULL && is_reserved(name)) {
        ATTRIBUTE_ERROR(reader, node, "name", "the name %s is taken by the program", name);
    }
    if (strchr(name, '[') != NULL && scope_has_indices(node->scope, within)) {
        ATTRIBUTE_ERROR(reader, node, "name",
                        "name=\"%.80s\": in a <repeat> the program adds the index", name);
        return NULL;
    }
    if (owner == NULL && node->scope == NULL) {
        return name;
    }
    return scope_name(reader, node->scope, owner != NULL ? owner->name : NULL, within, name, arena);
}

static void add_element(Reader* reader, const XmlNode* node, const ElementKind* kind, int parent,
                        const Owner* owner) {
    // a setting that the file leaves out has no node
    const bool named = node != NULL && !format_kind_is_single(kind);
    const char* text = named ? full_name(reader, node, owner, reader->arena) : kind->tag;
    const XmlScope* scope = node != NULL ? node->scope : NULL;
    const int index = reader->n_elements++;
    reader->nodes[index] = node;
    reader->elements[index] = (Element){
        .kind = kind,
        .name = text != NULL ? text : "",
        .place = node != NULL ? xml_place(reader->tree, node)
                              : (Place){.file = reader->tree->file, .line = 0, .column = 0},
        .parent = parent,
        .use = scope_use(scope),
        .hidden = scope != NULL && scope->repeated,
    };
    for (int i = 0; i < ELEMENT_MAX_REFERENCES && kind->n_references > 0; i++) {
        reader->elements[index].references[i] = -1;
    }
    if (text != NULL) {
        add_name(reader, text, NAME_ELEMENT, index, node);
    }
}

// Says that an element cannot stand here: what it is called here, or which one may be meant.
static void refuse_element(Reader* reader, const XmlNode* node, const char* where,
                           const Suggestion* suggestion) {
    char words[SUGGEST_WORDS];
    const char* ours = other_word(node->tag);
    NODE_ERROR(reader, node, "<%s> is not known in <%s>%s%s", node->tag, where,
               ours != NULL ? ": here it is " : suggest_words(suggestion, words),
               ours != NULL ? ours : "");
}

static void refuse_shape(Reader* reader, const XmlNode* node, const char* body) {
    Suggestion suggestion = {0};
    for (int i = 0; i < element_kinds_count && reader_may_suggest(reader); i++) {
        if (element_kinds[i]->role == ROLE_SHAPE) {
            suggest_consider(&suggestion, node->tag, element_kinds[i]->tag);
        }
    }
    if (suggestion.name != NULL || other_word(node->tag) != NULL) {
        refuse_element(reader, node, body, &suggestion);
    } else {
        NODE_ERROR(reader, node,
                   "<%s> is not known in <%s>: expected a shape such as <point> or <circle>",
                   node->tag, body);
    }
}

static void add_body_children(Reader* reader, const XmlNode* body, int parent, const char* name) {
    const Owner owner = {name, body->scope};
    for (const XmlNode* node = body->first_child; node != NULL; node = node->next) {
        const ElementKind* kind = element_kind_find(node->tag);
        if (kind == NULL || kind->role != ROLE_SHAPE) {
            refuse_shape(reader, node, body->tag);
            continue;
        }
        const int shape = reader->n_elements;
        add_element(reader, node, kind, parent, &owner);
        add_vertices(reader, node, shape);
    }
}

// The ground need not be written, may be written once in the mechanism, and in every part.
static void add_ground(Reader* reader, const XmlNode* node) {
    const bool in_part = node->scope != NULL && scope_use(node->scope) > 0;
    if (scope_has_indices(node->scope, NULL)) {
        NODE_ERROR(reader, node,
                   "<ground> cannot be repeated: expected the <repeat> in the <ground>");
        return;
    }
    if (reader->ground < 0) {
        add_element(reader, in_part ? NULL : node, &ground_kind, -1, NULL);
        reader->ground = reader->n_elements - 1;
    }
    if (!in_part) {
        reader->nodes[reader->ground] = node;
        reader->elements[reader->ground].place = xml_place(reader->tree, node);
        add_body_children(reader, node, reader->ground, ground_kind.tag);
        return;
    }
    check_element_attributes(reader, &reader->elements[reader->ground], node);
    const char* name = scope_name(reader, node->scope, NULL, NULL, ground_kind.tag, reader->arena);
    if (name != NULL) {
        add_body_children(reader, node, reader->ground, name);
    }
}

static int compare_texts(const void* a, const void* b) {
    return strcmp(((const Name*)a)->text, ((const Name*)b)->text);
}

// Which outputs there are is known when all elements are.
static void add_outputs(Reader* reader, const XmlNode* outputs) {
    check_format(reader, outputs, &outputs_format);
    reader->model->declares_outputs = true;
    for (const XmlNode* node = outputs->first_child; node != NULL; node = node->next) {
        if (strcmp(node->tag, "output") != 0 || xml_attribute(node, "variable") == NULL) {
            NODE_ERROR(reader, node, "expected <output variable=\"NAME\"/>");
            continue;
        }
        check_format(reader, node, &output_format);
        reader->output_nodes[reader->n_output_nodes++] = node;
    }
}

// The element of that name, which then has declared outputs.
static const char* find_owner(const Reader* reader, const XmlScope* scope, const char* name,
                              size_t n) {
    const Name* owner = n > 0 ? scope_find(reader, scope, name, n) : NULL;
    if (owner == NULL || owner->type != NAME_ELEMENT) {
        return NULL;
    }
    reader->elements[owner->index].declared = true;
    return owner->text;
}

// The name of one of the points of a contact whose own name is what is before the last index of
// the text (n); NULL if there is no such contact.
static const char* point_name(const Reader* reader, const XmlScope* scope, char* text, size_t n) {
    size_t at = n;
    while (at > 0 && text[at - 1] != ',' && text[at - 1] != '[') {
        at--;
    }
    if (at == 0 || text[n - 1] != ']') {
        return NULL;
    }
    const char separator = text[at - 1];
    text[at - 1] = ']';
    const char* owner = find_owner(reader, scope, text, separator == ',' ? at : at - 1);
    const size_t size = owner != NULL ? strlen(owner) + n + 2 : 0;
    char* name = owner != NULL ? ARENA_NEW(reader->arena, size, char) : NULL;
    if (name != NULL) {
        const size_t n_owner = strlen(owner);
        const bool indexed = owner[n_owner - 1] == ']';
        (void)snprintf(name, size, "%.*s%c%.*s", (int)(indexed ? n_owner - 1 : n_owner), owner,
                       indexed ? ',' : '[', (int)(n - at), text + at);
    }
    text[at - 1] = separator;
    return name;
}

// The full name of a variable that an <output> names; NULL: no memory.
static const char* output_name(Reader* reader, const XmlNode* node) {
    const char* variable = xml_attribute(node, "variable");
    const char* written = node->scope != NULL && strchr(variable, '.') != NULL
                              ? scope_write(reader, node->scope, variable, strlen(variable))
                              : NULL;
    if (written == NULL) {
        return variable;  // as it is, or there is none of that name
    }
    char* text = arena_copy(reader->arena, written, reader->written->n);
    char* point = text != NULL ? strrchr(text, '.') : NULL;
    if (point == NULL) {
        return text;
    }
    const size_t n = (size_t)(point - text);
    const char* owner = find_owner(reader, node->scope, text, n);
    owner = owner != NULL ? owner : point_name(reader, node->scope, text, n);
    return owner != NULL ? arena_join(reader->arena, owner, point + 1) : text;
}

static void read_outputs(Reader* reader) {
    const int n = reader->n_output_nodes;
    Name* names = SCRATCH_NEW(reader, n, Name);
    const char** texts = ARENA_NEW(reader->arena, n, const char*);
    Place* places = ARENA_NEW(reader->arena, n, Place);
    Model* model = reader->model;
    for (int i = 0; i < n && names != NULL; i++) {
        const char* text = output_name(reader, reader->output_nodes[i]);
        names[i] = (Name){.text = text != NULL ? text : "", .node = reader->output_nodes[i]};
    }
    if (names == NULL || texts == NULL || places == NULL) {
        return;  // the arena is exhausted
    }
    qsort(names, (size_t)n, sizeof *names, compare_texts);
    for (int i = 0; i < n; i++) {
        texts[i] = names[i].text;
        places[i] = xml_attribute_place(reader->tree, names[i].node, "variable", 0);
    }
    model->outputs = texts;
    model->output_places = places;
    model->n_outputs = n;
}

static void refuse_child(Reader* reader, const XmlNode* node) {
    static const FormatElement* const formats[] = {
        &experiment_format, &parameter_format, &input_format,  &table_format,
        &outputs_format,    &constant_format,  &repeat_format, &part_format};
    Suggestion suggestion = {0};
    for (int i = 0; i < element_kinds_count && reader_may_suggest(reader); i++) {
        suggest_consider(&suggestion, node->tag, element_kinds[i]->tag);
    }
    for (size_t i = 0; i < sizeof formats / sizeof formats[0] && reader_may_suggest(reader); i++) {
        suggest_consider(&suggestion, node->tag, formats[i]->tag);
    }
    refuse_element(reader, node, "mechanism", &suggestion);
}

// An element that is a name for expressions alone; names: NULL if it is that of its attribute
static void add_named(Reader* reader, const XmlNode* node, NameType type, const XmlNode** nodes,
                      const char** names, int* n) {
    const char* name = full_name(reader, node, NULL, reader->arena);
    if (name != NULL) {
        add_name(reader, name, type, *n, node);
        if (names != NULL) {
            names[*n] = name;
        }
        nodes[(*n)++] = node;
    }
}

// A name without indices, of what stands in the mechanism itself
static bool is_plain(Reader* reader, const XmlNode* node) {
    const char* name = xml_attribute(node, "name");
    if (name != NULL && strchr(name, '[') != NULL) {
        ATTRIBUTE_ERROR(reader, node, "name", "the name of a <%s> has no indices", node->tag);
        return false;
    }
    return true;
}

// Is this something that can stand only in the mechanism itself, and stands elsewhere?
static bool stands_too_deep(Reader* reader, const XmlNode* node) {
    static const char* const tags[] = {"experiment", "gravity", "solver", "table"};
    bool top = false;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        top = top || strcmp(node->tag, tags[i]) == 0;
    }
    if (!top || node->scope == NULL || node->scope->outer == NULL) {
        return false;
    }
    NODE_ERROR(reader, node, "<%s> stands in <mechanism> itself, not in a <part> or <repeat>",
               node->tag);
    return true;
}

static void add_child(Reader* reader, const XmlNode* node, unsigned* seen) {
    static const char* const once[] = {"experiment", "outputs", "gravity", "solver", "ground"};
    if (stands_too_deep(reader, node)) {
        return;
    }
    const bool alone = node->scope == NULL || node->scope->outer == NULL;
    for (unsigned i = 0; i < sizeof once / sizeof once[0] && alone; i++) {
        if (strcmp(node->tag, once[i]) == 0) {
            if ((*seen & 1U << i) != 0) {
                NODE_ERROR(reader, node, "<%s> can stand only once in a mechanism", node->tag);
                return;
            }
            *seen |= 1U << i;
        }
    }
    System* sys = &reader->model->system;
    const ElementKind* kind = element_kind_find(node->tag);
    if (strcmp(node->tag, "parameter") == 0) {
        add_named(reader, node, NAME_USER_PARAMETER, reader->user_parameters,
                  reader->parameter_names, &sys->n_user_parameters);
    } else if (strcmp(node->tag, "input") == 0) {
        add_named(reader, node, NAME_INPUT, reader->inputs, reader->input_names, &sys->n_inputs);
    } else if (strcmp(node->tag, "table") == 0) {
        if (is_plain(reader, node)) {
            add_named(reader, node, NAME_TABLE, reader->table_nodes, NULL, &reader->n_tables);
        }
    } else if (strcmp(node->tag, "constant") == 0 || strcmp(node->tag, "part") == 0) {
        const bool constant = node->tag[0] == 'c';
        const char* name = constant || is_plain(reader, node)
                               ? full_name(reader, node, NULL, reader->scratch)
                               : NULL;
        if (name != NULL) {
            add_name(reader, name, constant ? NAME_CONSTANT : NAME_PART, -1, node);
        }
    } else if (strcmp(node->tag, "experiment") == 0) {
        reader->experiment = node;
    } else if (strcmp(node->tag, "outputs") == 0) {
        add_outputs(reader, node);
    } else if (kind == NULL) {
        refuse_child(reader, node);
    } else if (kind->role == ROLE_SHAPE) {
        NODE_ERROR(reader, node,
                   "<%s> is not known in <mechanism>: a shape stands in a body or in <ground>",
                   node->tag);
    } else if (kind->role == ROLE_VERTEX) {
        NODE_ERROR(reader, node, "<%s> is not known in <mechanism>: it stands in a shape",
                   node->tag);
    } else if (kind == &ground_kind) {
        add_ground(reader, node);
    } else {
        const int index = reader->n_elements;
        add_element(reader, node, kind, -1, NULL);
        if (kind->role == ROLE_BODY) {
            add_body_children(reader, node, index, reader->elements[index].name);
        } else {
            refuse_children(reader, node);
        }
    }
}

// What has the name with fewer indices, or none: "link" for "link[2]"; NULL if nothing has.
static const Name* find_with_fewer(const Reader* reader, const char* text) {
    TextBuffer* out = reader->full;
    size_t at = strlen(text);
    const Name* found = NULL;
    while (at > 0 && text[at - 1] != '[' && found == NULL) {
        at--;
        if (text[at] == ',' || (at > 0 && text[at - 1] == '[')) {
            out->n = 0;
            text_add_bytes(out, text, text[at] == ',' ? at : at - 1);
            text_add(out, text[at] == ',' ? "]" : "");
            found = out->failed ? NULL : reader_find(reader, out->text, out->n);
        }
    }
    return found;
}

// The points of a contact are numbered: what has the same name with other indices could be taken
// for one.
static void check_indices(Reader* reader, const Name* name) {
    const size_t n = strlen(name->text);
    const bool indexed = n > 0 && name->text[n - 1] == ']';
    const Name* other = indexed ? find_with_fewer(reader, name->text) : NULL;
    if (other != NULL && other->type != NAME_PART) {
        ATTRIBUTE_ERROR(reader, name->node, "name",
                        "the names %s and %s, of line %ld, differ in their indices alone: expected "
                        "the same number of them",
                        name->text, other->text, other->node != NULL ? other->node->line : 0);
    }
}

static void check_names(Reader* reader) {
    qsort(reader->names, (size_t)reader->n_names, sizeof *reader->names, compare_names);
    for (int i = 1; i < reader->n_names; i++) {
        const Name* name = &reader->names[i];
        const Name* before = &reader->names[i - 1];
        if (strcmp(name->text, before->text) == 0 && name->node != NULL) {
            const long line = before->node != NULL ? before->node->line : 0;
            ATTRIBUTE_ERROR(reader, name->node, "name",
                            "the name %s is used twice, first in line "
                            "%ld",
                            name->text, line);
        }
    }
    for (int i = 0; i < reader->n_names; i++) {
        check_indices(reader, &reader->names[i]);
    }
}

static const char* text_of(const XmlNode* node, const char* attribute) {
    const char* text = xml_attribute(node, attribute);
    return text != NULL ? text : "";
}

static void read_mechanism(Reader* reader) {
    const XmlNode* root = reader->tree->root;
    ModelInfo* info = &reader->model->info;
    check_format(reader, root, &mechanism_format);
    const char* name = is_plain(reader, root) ? given_name(reader, root) : NULL;
    info->name = name != NULL ? name : "mechanism";
    info->description = text_of(root, "description");
    info->author = text_of(root, "author");
    info->version = text_of(root, "version");
}

static void allocate_structure(Reader* reader) {
    const int n = reader->tree->n_nodes + 3;  // gravity, solver and ground may be left out
    reader->elements = SCRATCH_NEW(reader, n, Element);
    reader->nodes = SCRATCH_NEW(reader, n, const XmlNode*);
    reader->user_parameters = SCRATCH_NEW(reader, n, const XmlNode*);
    reader->parameter_names = SCRATCH_NEW(reader, n, const char*);
    reader->inputs = SCRATCH_NEW(reader, n, const XmlNode*);
    reader->input_names = SCRATCH_NEW(reader, n, const char*);
    reader->output_nodes = SCRATCH_NEW(reader, n, const XmlNode*);
    reader->table_nodes = SCRATCH_NEW(reader, n, const XmlNode*);
    reader->names = SCRATCH_NEW(reader, n, Name);
}

// All elements are known: the model has as many as there are.
static void keep_elements(Reader* reader) {
    const int n = reader->n_elements;
    Element* kept = ARENA_NEW(reader->arena, n, Element);
    if (kept != NULL) {
        memcpy(kept, reader->elements, (size_t)n * sizeof *kept);
        reader->elements = kept;
    }
}

static Status read_tree(Reader* reader, const ModelFiles* files) {
    const XmlNode* root = reader->tree->root;
    System* sys = &reader->model->system;
    if (strcmp(root->tag, "mechanism") != 0) {
        NODE_ERROR(reader, root, "the first element is <%s>: expected <mechanism>", root->tag);
        return STATUS_INVALID_MODEL;
    }
    allocate_structure(reader);
    if (!reader_has_memory(reader, NULL)) {
        return STATUS_OUT_OF_MEMORY;
    }
    read_mechanism(reader);
    unsigned seen = 0;
    for (const XmlNode* node = root->first_child; node != NULL; node = node->next) {
        add_child(reader, node, &seen);
        if (!reader_has_memory(reader, node)) {
            return STATUS_OUT_OF_MEMORY;
        }
    }
    for (int i = 0; i < element_kinds_count; i++) {  // settings left out take their defaults
        const ElementKind* kind = element_kinds[i];
        bool present = kind->role != ROLE_SETTING;
        for (int j = 0; j < reader->n_elements && !present; j++) {
            present = reader->elements[j].kind == kind;
        }
        if (!present) {
            add_element(reader, NULL, kind, -1, NULL);
        }
    }
    keep_elements(reader);
    check_names(reader);
    read_outputs(reader);
    read_tables(reader, files);
    read_shape_files(reader, files);
    if (!reader_has_memory(reader, NULL)) {
        return STATUS_OUT_OF_MEMORY;
    }
    read_experiment(reader);
    number_elements(reader);
    reader->parameters = ARENA_NEW(reader->arena, sys->n_open, ModelParameter);
    reader->p = ARENA_NEW(reader->start, sys->n_parameters, double);
    reader->arena->exhausted = reader->arena->exhausted || reader->p == NULL;
    reader->signals = ARENA_NEW(reader->arena, sys->n_signals, const Expression*);
    reader->signal_places = ARENA_NEW(reader->arena, sys->n_signals, Place);
    reader->user_values = SCRATCH_NEW(reader, sys->n_user_parameters, double);
    if (!reader_has_memory(reader, NULL)) {
        return STATUS_OUT_OF_MEMORY;
    }
    reader->model->signal_places = reader->signal_places;
    reader->model->parameters = reader->parameters;
    read_user_parameters(reader);
    read_inputs(reader);
    if (!reader_has_memory(reader, NULL)) {
        return STATUS_OUT_OF_MEMORY;
    }
    const Status status = connect_elements(reader);
    if (status == STATUS_OK && sys->nu == 0) {
        NODE_ERROR(reader, root, "a mechanism needs at least one body");
    }
    return status;
}

// Pairs of surfaces that <contact> and <contacts> let meet, those of one body and of bodies that
// joints connect among them
static long long count_pairs(const System* sys) {
    long long n = 0;
    for (int i = 0; i < sys->n_meetings; i++) {
        n += (long long)sys->meetings[i].first.n * sys->meetings[i].second.n;
    }
    for (int g = 0; g < sys->n_groups * sys->n_groups; g++) {
        const int first = g / sys->n_groups + 1, second = g % sys->n_groups + 1;
        long long n_first = 0, n_second = 0;
        for (int c = 0; c < sys->n_colliders && first <= second && sys->group_contacts[g] != NULL;
             c++) {
            n_first += sys->colliders[c].group == first;
            n_second += sys->colliders[c].group == second;
        }
        n += first == second ? n_first * (n_first - 1) / 2 : n_first * n_second;
    }
    return n;
}

static void fill_info(const ModelFiles* files, Model* model) {
    const System* sys = &model->system;
    ModelInfo* info = &model->info;
    info->step_size = model->parameters[sys->solver + SOLVER_STEP_SIZE].start;
    info->tolerance = model->parameters[sys->solver + SOLVER_TOLERANCE].start;
    info->n_bodies = sys->n_bodies;
    info->n_contacts = sys->n_contacts;
    for (int i = 0; i < sys->n_elements; i++) {
        info->n_contact_elements += sys->elements[i].kind->role == ROLE_CONTACT;
        info->n_forces += sys->elements[i].kind->role == ROLE_FORCE;
    }
    info->n_coordinates = sys->nq;
    info->n_surfaces = sys->n_colliders;
    info->n_found_pairs = count_pairs(sys);
    static const char version[] = CLATTER_VERSION;  // other versions may number variables otherwise
    Hash hash = hash_bytes(hash_start(), version, sizeof version);
    hash = hash_bytes(hash, files->model, files->n_model);
    for (int i = 0; i < files->n_named; i++) {
        hash = hash_bytes(hash, &files->named[i].n, sizeof files->named[i].n);
        hash = hash_bytes(hash, files->named[i].text, files->named[i].n);
    }
    hash_to_guid(hash, info->guid);
}

static bool all_files_are_there(const ModelFiles* files) {
    for (int i = 0; i < files->n_named; i++) {
        if (files->named[i].text == NULL) {
            return false;
        }
    }
    return true;
}

static Status read_model(Reader* reader, const ModelFiles* files, XmlTree* tree) {
    MaterialTable materials;
    Status status = read_materials(reader, files, &materials);
    if (status != STATUS_OK) {
        return status;
    }
    status = expand_tree(reader, tree);
    if (status == STATUS_OK) {
        status = read_tree(reader, files);
    }
    reader->arena->exhausted = reader->arena->exhausted || status == STATUS_OUT_OF_MEMORY;
    return reader_has_memory(reader, NULL) ? status : STATUS_OUT_OF_MEMORY;
}

Status model_read(const ModelFiles* files, Arena* arena, Arena* start, Report* report,
                  Model* model) {
    const int n_errors = report->n_errors;
    *model = (Model){0};
    XmlTree tree;
    const char* file = arena_copy(arena, files->model_name, strlen(files->model_name));
    if (file == NULL) {
        char words[ARENA_WORDS];
        report_add(report, SEVERITY_ERROR,
                   (Place){.file = files->model_name, .line = 1, .column = 1}, "%s",
                   arena_shortage(arena, words));
        return STATUS_OUT_OF_MEMORY;
    }
    Status status =
        xml_tree_parse(file, files->model, files->n_model, MODEL_NAMESPACE, arena, report, &tree);
    if (status != STATUS_OK) {
        return status;
    }
    TextBuffer written = {0};
    TextBuffer full = {0};
    Arena scratch = {.limit = arena->limit};
    Reader reader = {.tree = &tree,
                     .source = tree.root,
                     .arena = arena,
                     .scratch = &scratch,
                     .start = start,
                     .report = report,
                     .model = model,
                     .ground = -1,
                     .written = &written,
                     .full = &full};
    status = read_model(&reader, files, &tree);
    text_buffer_free(&written);
    text_buffer_free(&full);
    arena_free(&scratch);
    if (status == STATUS_OUT_OF_MEMORY) {
        return status;
    }
    if (status != STATUS_OK || report->n_errors != n_errors || !all_files_are_there(files)) {
        return status != STATUS_OK ? status : STATUS_INVALID_MODEL;
    }
    fill_info(files, model);
    return STATUS_OK;
}
