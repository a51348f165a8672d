// Repetitions and uses of parts, written out: a tree in which what is repeated stands as often as
// it is repeated, and what a part contains after each of its uses. Copies share the attributes of
// what they are copied from; their scope (xml_tree.h) says which repetition and which use they are
// of, so that names, values and messages can tell (scopes.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "elements/use.h"
#include "reader/reader.h"

enum { MOST_DEPTH = 32, MOST_CONSTANTS = 256 };

typedef struct Expander {
    Reader* reader;
    XmlNode* root;          // of the copy
    const XmlNode** parts;  // (n_parts) sorted by name
    bool* used;             // (n_parts)
    int n_parts;
    int n_nodes;  // made so far; each repetition counts as one
    int n_uses;
    bool stopped;
} Expander;

static bool is_tag(const XmlNode* node, const char* tag) { return strcmp(node->tag, tag) == 0; }

static bool is_new_tag(const XmlNode* node) {
    return is_tag(node, "repeat") || is_tag(node, "use") || is_tag(node, "part") ||
           is_tag(node, "constant");
}

// Is there anything to write out?
static bool has_any(const XmlNode* node) {
    bool any = is_new_tag(node);
    for (const XmlNode* child = node->first_child; child != NULL && !any; child = child->next) {
        any = has_any(child);
    }
    return any;
}

static int count_below(const XmlNode* node) {
    int n = 0;
    for (const XmlNode* child = node->first_child; child != NULL; child = child->next) {
        n += 1 + count_below(child);
    }
    return n;
}

// --- parts ---

static const char* name_of(const XmlNode* node) {
    const char* name = xml_attribute(node, "name");
    return name != NULL ? name : "";
}

static int compare_parts(const void* a, const void* b) {
    return strcmp(name_of(*(const XmlNode* const*)a), name_of(*(const XmlNode* const*)b));
}

static bool can_be_given(const XmlNode* node) {
    return is_tag(node, "parameter") || is_tag(node, "constant");
}

bool part_has_parameter(const XmlNode* part, const char* name) {
    for (const XmlNode* child = part->first_child; child != NULL; child = child->next) {
        if (can_be_given(child) && strcmp(name_of(child), name) == 0) {
            return true;
        }
    }
    return false;
}

// Each use is compared with all of them, and has attributes of its own.
static void check_part(Reader* reader, const XmlNode* part) {
    int n = 0;
    check_format(reader, part, &part_format);
    for (const XmlNode* child = part->first_child; child != NULL; child = child->next) {
        n += can_be_given(child);
        if (n > MOST_CONSTANTS) {
            NODE_ERROR(reader, child, "a part has at most %d parameters and constants",
                       (int)MOST_CONSTANTS);
            return;
        }
        if (can_be_given(child) && use_has_attribute(name_of(child))) {
            ATTRIBUTE_ERROR(reader, child, "name",
                            "a %s of a part cannot be called %s: every <use> has an attribute of "
                            "that name",
                            child->tag, name_of(child));
        }
    }
}

static void collect_parts(Expander* x, const XmlNode* root) {
    int n = 0;
    for (const XmlNode* child = root->first_child; child != NULL; child = child->next) {
        n += is_tag(child, "part");
    }
    x->parts = SCRATCH_NEW(x->reader, n, const XmlNode*);
    x->used = SCRATCH_NEW(x->reader, n, bool);
    for (const XmlNode* child = root->first_child; child != NULL && x->used != NULL;
         child = child->next) {
        if (is_tag(child, "part")) {
            check_part(x->reader, child);
            x->parts[x->n_parts++] = child;
        }
    }
    if (x->n_parts > 0) {
        qsort(x->parts, (size_t)x->n_parts, sizeof(const XmlNode*), compare_parts);
    }
}

// The part that a use names; NULL after an error.
static const XmlNode* find_part(Expander* x, const XmlNode* use) {
    Reader* reader = x->reader;
    const char* name = xml_attribute(use, "part");
    Suggestion suggestion = {0};
    char words[SUGGEST_WORDS];
    if (name == NULL) {
        NODE_ERROR(reader, use, "<use> needs the attribute part: the name of a <part>");
        return NULL;
    }
    int low = 0;
    int high = x->n_parts;
    while (low < high) {
        const int middle = (low + high) / 2;
        const int order = strcmp(name_of(x->parts[middle]), name);
        if (order == 0) {
            x->used[middle] = true;
            return x->parts[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    for (int i = 0; i < x->n_parts && reader_may_suggest(reader); i++) {
        suggest_consider(&suggestion, name, name_of(x->parts[i]));
    }
    ATTRIBUTE_ERROR(reader, use, "part", "part=\"%.80s\" is not the name of a <part>%s", name,
                    suggest_words(&suggestion, words));
    return NULL;
}

static void warn_of_idle_parts(const Expander* x) {
    for (int i = 0; i < x->n_parts; i++) {
        if (!x->used[i]) {
            report_add(x->reader->report, SEVERITY_WARNING, xml_place(x->reader->tree, x->parts[i]),
                       "no <use> uses the part %s: what stands in it is not checked",
                       name_of(x->parts[i]));
        }
    }
}

// --- copies ---

static void tell_too_many(Expander* x, const XmlNode* node) {
    if (!x->stopped) {
        NODE_ERROR(x->reader, node,
                   "repetitions and uses of parts make more than %d elements up to here",
                   (int)XML_MOST_NODES);
    }
    x->stopped = true;
}

static XmlNode* copy_node(Expander* x, const XmlNode* source, XmlNode* parent,
                          const XmlScope* scope) {
    if (x->n_nodes >= XML_MOST_NODES) {
        tell_too_many(x, source);
        return NULL;
    }
    XmlNode* copy = SCRATCH_NEW(x->reader, 1, XmlNode);
    if (copy == NULL) {
        x->stopped = true;
        return NULL;
    }
    *copy = *source;
    copy->scope = scope;
    copy->parent = parent;
    copy->first_child = copy->last_child = copy->next = NULL;
    if (parent != NULL && parent->last_child == NULL) {
        parent->first_child = parent->last_child = copy;
    } else if (parent != NULL) {
        parent->last_child->next = copy;
        parent->last_child = copy;
    }
    x->n_nodes++;
    return copy;
}

// A request at a node, which elements keep as long as they live; NULL: no memory
static const Request* make_request(Expander* x, const XmlNode* node, const Occasion* outer,
                                   const char* name, bool counted) {
    Arena* arena = x->reader->arena;
    Request* request = ARENA_NEW(arena, 1, Request);
    int* n_told = counted ? ARENA_NEW(arena, 1, int) : NULL;
    if (request == NULL || (counted && n_told == NULL)) {
        x->stopped = true;
        return NULL;
    }
    *request = (Request){.outer = outer, .name = name, .line = node->line, .n_told = n_told};
    return request;
}

// A scope around what is written out for a node; NULL if there are too many.
static XmlScope* new_scope(Expander* x, const XmlNode* node, Occasion* occasion,
                           const XmlScope* outer) {
    if (outer->depth >= MOST_DEPTH) {
        NODE_ERROR(x->reader, node, "repetitions and uses of parts are nested more than %d deep",
                   (int)MOST_DEPTH);
        x->stopped = true;
        return NULL;
    }
    XmlScope* scope = SCRATCH_NEW(x->reader, 1, XmlScope);
    if (scope == NULL) {
        x->stopped = true;
        return NULL;
    }
    *scope = (XmlScope){.occasion = occasion,
                        .outer = outer,
                        .repeated = outer->repeated,
                        .depth = outer->depth + 1};
    return scope;
}

static void define_constant(Expander* x, XmlNode* node, XmlScope* scope) {
    Reader* reader = x->reader;
    XmlConstant* constant = SCRATCH_NEW(reader, 1, XmlConstant);
    check_format(reader, node, &constant_format);
    if (++scope->n_constants > MOST_CONSTANTS || constant == NULL) {
        if (constant != NULL) {
            NODE_ERROR(reader, node, "more than %d constants stand beside each other",
                       (int)MOST_CONSTANTS);
        }
        x->stopped = true;
        return;
    }
    node->number = read_constant(reader, node);
    *constant =
        (XmlConstant){.name = name_of(node), .value = node->number, .next = scope->constants};
    scope->constants = constant;
}

static void expand_children(Expander* x, const XmlNode* source, XmlNode* target, XmlScope* scope);

// --- repetitions ---

// Is the name of an index one, and no other's? A name that it hides could not be meant.
static bool check_index(Expander* x, const XmlNode* repeat, const char* index) {
    Reader* reader = x->reader;
    bool reserved = false;
    for (int i = 0; format_reserved_names[i] != NULL; i++) {
        reserved = reserved || strcmp(format_reserved_names[i], index) == 0;
    }
    if (!text_is_name(index) || reserved) {
        ATTRIBUTE_ERROR(reader, repeat, "index", "index=\"%.80s\": %s", index,
                        reserved ? "the name is taken by the program"
                                 : "expected a letter, then letters, digits and underscores");
        return false;
    }
    for (const XmlScope* s = repeat->scope; s != NULL && s->index != NULL; s = s->outer) {
        if (strcmp(s->index, index) == 0) {
            ATTRIBUTE_ERROR(reader, repeat, "index",
                            "%s is the index of the <repeat> in line %ld, too: expected "
                            "index=\"NAME\" with another name",
                            index, s->occasion->request->line);
            return false;
        }
    }
    for (const XmlNode* child = repeat->first_child; child != NULL; child = child->next) {
        if (strcmp(name_of(child), index) == 0) {
            ATTRIBUTE_ERROR(reader, child, "name", "%s is the index of the <repeat> in line %ld",
                            index, repeat->line);
            return false;
        }
    }
    return true;
}

static void expand_repeat(Expander* x, const XmlNode* source, XmlNode* target,
                          const XmlScope* scope) {
    Reader* reader = x->reader;
    XmlNode repeat = *source;
    repeat.scope = scope;
    const int n_errors = reader->report->n_errors;
    check_format(reader, &repeat, &repeat_format);
    const char* index = xml_attribute(&repeat, "index");
    index = index != NULL ? index : "i";
    const long count = read_count(reader, &repeat, "count", -1, 0, XML_MOST_NODES);
    const long first = read_count(reader, &repeat, "first", 1, 1, XML_MOST_NODES);
    if (!check_index(x, &repeat, index) || reader->report->n_errors != n_errors) {
        return;
    }
    if ((double)count * (1 + count_below(source)) > XML_MOST_NODES - x->n_nodes) {
        tell_too_many(x, &repeat);
    }
    const Request* request = make_request(x, &repeat, scope->occasion, index, true);
    Occasion* occasions = ARENA_NEW(reader->arena, count, Occasion);
    x->stopped = x->stopped || occasions == NULL;
    for (long k = 0; k < count && !x->stopped; k++) {
        occasions[k] = (Occasion){.request = request, .number = first + k};
        XmlScope* inner = new_scope(x, &repeat, &occasions[k], scope);
        if (inner == NULL) {
            return;
        }
        inner->index = index;
        inner->number = first + k;
        inner->repeated = true;
        x->n_nodes++;
        expand_children(x, source, target, inner);
    }
}

// --- uses ---

// A part that uses itself, also through others, would have no end.
static bool is_inside_itself(Expander* x, const XmlNode* use, const XmlNode* part) {
    for (const XmlScope* s = use->scope; s != NULL; s = s->outer) {
        if (s->use != NULL && s->use->part == part) {
            ATTRIBUTE_ERROR(x->reader, use, "part", "the part %s uses itself", name_of(part));
            return true;
        }
    }
    return false;
}

static void expand_use(Expander* x, const XmlNode* source, XmlNode* target, const XmlScope* scope) {
    Reader* reader = x->reader;
    XmlNode* use = copy_node(x, source, target, scope);
    if (use == NULL) {
        return;
    }
    refuse_children(reader, source);
    const char* name = name_of(use);
    const XmlNode* part = find_part(x, use);
    if (target != x->root) {
        NODE_ERROR(reader, use, "<use> stands in <mechanism>, <part> or <repeat>, not in <%s>",
                   target->tag);
        return;
    }
    if (part == NULL || is_inside_itself(x, use, part) || !text_is_indexed_name(name)) {
        return;  // the name is told with those of all elements
    }
    use->part = part;
    use->use = ++x->n_uses;
    const char* prefix = scope_name(reader, scope, NULL, NULL, name, reader->arena);
    const Request* request = make_request(x, use, scope->occasion, prefix, false);
    Occasion* occasion = ARENA_NEW(reader->arena, 1, Occasion);
    if (prefix == NULL || request == NULL || occasion == NULL) {
        x->stopped = true;
        return;
    }
    *occasion = (Occasion){.request = request, .number = -1};
    XmlScope* inner = new_scope(x, use, occasion, scope);
    if (inner != NULL) {
        inner->prefix = prefix;
        inner->use = use;
        expand_children(x, part, target, inner);
    }
}

// Constants of a repetition are names for expressions in it wherever it stands: none of the body,
// shape or outputs around it.
static bool is_of_repeat(const XmlNode* node) {
    return is_tag(node, "constant") && is_tag(node->parent, "repeat");
}

static void expand_child(Expander* x, const XmlNode* source, XmlNode* target, XmlScope* scope) {
    if (is_tag(source, "repeat")) {
        expand_repeat(x, source, target, scope);
        return;
    }
    if (is_tag(source, "use")) {
        expand_use(x, source, target, scope);
        return;
    }
    XmlNode* copy = copy_node(x, source, is_of_repeat(source) ? x->root : target, scope);
    if (copy == NULL) {
        return;
    }
    const bool given = scope->use != NULL && source->parent == scope->use->part &&
                       can_be_given(source) && xml_attribute(scope->use, name_of(source)) != NULL;
    copy->given_by = given ? scope->use : NULL;
    if (is_tag(source, "constant")) {
        define_constant(x, copy, scope);
    }
    if (!is_tag(source, "part")) {
        expand_children(x, source, copy, scope);
    } else if (scope->outer != NULL || target != x->root) {
        NODE_ERROR(x->reader, copy, "<part> stands in <mechanism> alone");
    }
}

static void expand_children(Expander* x, const XmlNode* source, XmlNode* target, XmlScope* scope) {
    for (const XmlNode* child = source->first_child; child != NULL && !x->stopped;
         child = child->next) {
        expand_child(x, child, target, scope);
    }
}

Status expand_tree(Reader* reader, XmlTree* tree) {
    const int n_errors = reader->report->n_errors;
    if (!has_any(tree->root)) {
        return STATUS_OK;
    }
    Expander x = {.reader = reader};
    XmlScope* scope = SCRATCH_NEW(reader, 1, XmlScope);
    collect_parts(&x, tree->root);
    x.root = scope != NULL ? copy_node(&x, tree->root, NULL, scope) : NULL;
    if (x.root != NULL && !reader->arena->exhausted) {
        expand_children(&x, tree->root, x.root, scope);
    }
    if (!reader_has_memory(reader, NULL)) {
        return STATUS_OUT_OF_MEMORY;
    }
    if (reader->report->n_errors != n_errors) {  // what follows from them is not worth telling
        return STATUS_INVALID_MODEL;
    }
    warn_of_idle_parts(&x);
    tree->root = x.root;
    tree->n_nodes = x.n_nodes;
    return STATUS_OK;
}
