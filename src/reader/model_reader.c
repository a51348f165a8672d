// From the XML tree to a Model: first the structure (which elements there are, their names and
// numbers), then values, then references; every problem is reported and reading goes on.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader/element_kinds.h"
#include "reader/other_words.h"
#include "base/suggest.h"
#include "base/text.h"
#include "elements/bodies.h"
#include "schemes/settings.h"
#include "reader/reader.h"

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
    return place_1 < place_2 ? -1 : 1;
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
    } else if (!text_is_name(name)) {
        ATTRIBUTE_ERROR(reader, node, "name",
                        "name=\"%.80s\": expected a letter, then letters, digits and underscores",
                        name);
        return NULL;
    }
    return name;
}

static void add_element(Reader* reader, const XmlNode* node, const ElementKind* kind, int parent) {
    // a setting that the file leaves out has no node
    const bool named = node != NULL && !format_kind_is_single(kind);
    const char* name = named ? given_name(reader, node) : kind->tag;
    const int index = reader->n_elements++;
    const char* text = name;
    if (name != NULL && parent >= 0) {
        text = arena_join(reader->arena, reader->elements[parent].name, name);
    }
    reader->nodes[index] = node;
    reader->elements[index] = (Element){
        .kind = kind,
        .name = text != NULL ? text : "",
        .place = node != NULL ? xml_place(reader->tree, node) : (Place){reader->tree->file, 0, 0},
        .parent = parent,
        .references = {-1, -1},
    };
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

static void add_body_children(Reader* reader, const XmlNode* body, int parent) {
    for (const XmlNode* node = body->first_child; node != NULL; node = node->next) {
        const ElementKind* kind = element_kind_find(node->tag);
        if (kind == NULL || kind->role != ROLE_SHAPE) {
            refuse_shape(reader, node, body->tag);
            continue;
        }
        add_element(reader, node, kind, parent);
        refuse_children(reader, node);
    }
}

static int compare_texts(const void* a, const void* b) {
    return strcmp(((const Name*)a)->text, ((const Name*)b)->text);
}

static void read_outputs(Reader* reader, const XmlNode* outputs) {
    int n = 0;
    check_format(reader, outputs, &outputs_format);
    for (const XmlNode* node = outputs->first_child; node != NULL; node = node->next) {
        n++;
    }
    Name* names = ARENA_NEW(reader->arena, n, Name);
    const char** texts = ARENA_NEW(reader->arena, n, const char*);
    Place* places = ARENA_NEW(reader->arena, n, Place);
    Model* model = reader->model;
    n = 0;
    for (const XmlNode* node = outputs->first_child; node != NULL && names != NULL;
         node = node->next) {
        const char* variable = xml_attribute(node, "variable");
        if (strcmp(node->tag, "output") != 0 || variable == NULL) {
            NODE_ERROR(reader, node, "expected <output variable=\"NAME\"/>");
            continue;
        }
        check_format(reader, node, &output_format);
        names[n++] = (Name){.text = variable, .node = node};
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
    model->declares_outputs = true;
}

static void refuse_child(Reader* reader, const XmlNode* node) {
    static const FormatElement* const formats[] = {&experiment_format, &parameter_format,
                                                   &input_format, &table_format, &outputs_format};
    Suggestion suggestion = {0};
    for (int i = 0; i < element_kinds_count && reader_may_suggest(reader); i++) {
        suggest_consider(&suggestion, node->tag, element_kinds[i]->tag);
    }
    for (size_t i = 0; i < sizeof formats / sizeof formats[0] && reader_may_suggest(reader); i++) {
        suggest_consider(&suggestion, node->tag, formats[i]->tag);
    }
    refuse_element(reader, node, "mechanism", &suggestion);
}

// An element that is a name for expressions alone
static void add_named(Reader* reader, const XmlNode* node, NameType type, const XmlNode** nodes,
                      int* n) {
    const char* name = given_name(reader, node);
    if (name != NULL) {
        add_name(reader, name, type, *n, node);
        nodes[(*n)++] = node;
    }
}

static void add_child(Reader* reader, const XmlNode* node, unsigned* seen) {
    static const char* const once[] = {"experiment", "outputs", "gravity", "solver", "ground"};
    for (unsigned i = 0; i < sizeof once / sizeof once[0]; i++) {
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
                  &sys->n_user_parameters);
    } else if (strcmp(node->tag, "input") == 0) {
        add_named(reader, node, NAME_INPUT, reader->inputs, &sys->n_inputs);
    } else if (strcmp(node->tag, "table") == 0) {
        add_named(reader, node, NAME_TABLE, reader->table_nodes, &reader->n_tables);
    } else if (strcmp(node->tag, "experiment") == 0) {
        reader->experiment = node;
    } else if (strcmp(node->tag, "outputs") == 0) {
        read_outputs(reader, node);
    } else if (kind == NULL) {
        refuse_child(reader, node);
    } else if (kind->role == ROLE_SHAPE) {
        NODE_ERROR(reader, node,
                   "<%s> is not known in <mechanism>: a shape stands in a body or in <ground>",
                   node->tag);
    } else {
        add_element(reader, node, kind, -1);
        if (kind->role == ROLE_BODY) {
            add_body_children(reader, node, reader->n_elements - 1);
        } else {
            refuse_children(reader, node);
        }
    }
}

static void check_names(Reader* reader) {
    const int n_user = reader->n_names;
    for (int i = 0; format_reserved_names[i] != NULL; i++) {
        const char* reserved = format_reserved_names[i];
        const Name* found = NULL;
        for (int j = 0; j < n_user && found == NULL; j++) {
            const Name* name = &reader->names[j];
            const bool built_in =
                name->type == NAME_ELEMENT &&
                strcmp(name->text, reader->elements[name->index].kind->tag) == 0 &&
                format_kind_is_single(reader->elements[name->index].kind);
            found = strcmp(name->text, reserved) == 0 && !built_in ? name : NULL;
        }
        if (found != NULL) {
            ATTRIBUTE_ERROR(reader, found->node, "name", "the name %s is taken by the program",
                            reserved);
        }
    }
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
}

static const char* text_of(const XmlNode* node, const char* attribute) {
    const char* text = xml_attribute(node, attribute);
    return text != NULL ? text : "";
}

static void read_mechanism(Reader* reader) {
    const XmlNode* root = reader->tree->root;
    ModelInfo* info = &reader->model->info;
    check_format(reader, root, &mechanism_format);
    const char* name = given_name(reader, root);
    info->name = name != NULL ? name : "mechanism";
    info->description = text_of(root, "description");
    info->author = text_of(root, "author");
    info->version = text_of(root, "version");
}

static void allocate_structure(Reader* reader) {
    const int n = reader->tree->n_nodes + 2;  // gravity and solver may be left out
    reader->elements = ARENA_NEW(reader->arena, n, Element);
    reader->nodes = ARENA_NEW(reader->arena, n, const XmlNode*);
    reader->user_parameters = ARENA_NEW(reader->arena, n, const XmlNode*);
    reader->inputs = ARENA_NEW(reader->arena, n, const XmlNode*);
    reader->table_nodes = ARENA_NEW(reader->arena, n, const XmlNode*);
    reader->names = ARENA_NEW(reader->arena, n, Name);
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
            add_element(reader, NULL, kind, -1);
        }
    }
    check_names(reader);
    read_tables(reader, files);
    if (!reader_has_memory(reader, NULL)) {
        return STATUS_OUT_OF_MEMORY;
    }
    read_experiment(reader);
    number_elements(reader);
    reader->parameters = ARENA_NEW(reader->arena, sys->n_parameters, ModelParameter);
    reader->signals = ARENA_NEW(reader->arena, sys->n_signals, const Expression*);
    reader->signal_places = ARENA_NEW(reader->arena, sys->n_signals, Place);
    reader->user_values = ARENA_NEW(reader->arena, sys->n_user_parameters, double);
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

Status model_read(const ModelFiles* files, Arena* arena, Report* report, Model* model) {
    const int n_errors = report->n_errors;
    *model = (Model){0};
    MaterialTable materials;
    XmlTree tree;
    const char* file = arena_copy(arena, files->model_name, strlen(files->model_name));
    if (file == NULL) {
        char words[ARENA_WORDS];
        report_add(report, SEVERITY_ERROR, (Place){files->model_name, 1, 1}, "%s",
                   arena_shortage(arena, words));
        return STATUS_OUT_OF_MEMORY;
    }
    Status status =
        xml_tree_parse(file, files->model, files->n_model, MODEL_NAMESPACE, arena, report, &tree);
    if (status != STATUS_OK) {
        return status;
    }
    Reader reader = {.tree = &tree, .arena = arena, .report = report, .model = model};
    status = read_materials(&reader, files, &materials);
    if (status != STATUS_OK) {
        return status;
    }
    status = read_tree(&reader, files);
    arena->exhausted = arena->exhausted || status == STATUS_OUT_OF_MEMORY;
    if (!reader_has_memory(&reader, NULL)) {
        return STATUS_OUT_OF_MEMORY;
    }
    if (status != STATUS_OK || report->n_errors != n_errors || !all_files_are_there(files)) {
        return status != STATUS_OK ? status : STATUS_INVALID_MODEL;
    }
    fill_info(files, model);
    return STATUS_OK;
}
