// The symbols of expressions, and why a name is none where it stands.
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "reader/reader.h"

static const Name* find_name(const Scope* scope, const char* name, int n) {
    return scope_find(scope->reader, scope->where, name, (size_t)n);
}

// Is it the variable of a function?
static bool is_variable(const Scope* scope, const char* name, int n) {
    return scope->of_x && strlen(scope->variable) == (size_t)n &&
           memcmp(scope->variable, name, (size_t)n) == 0;
}

static bool find_constant(const void* context, const char* name, int n, double* value) {
    const Scope* scope = context;
    return !is_variable(scope, name, n) &&
           scope_constant(scope->reader, scope->where, name, (size_t)n, value);
}

static int find_symbol(const void* context, const char* name, int n) {
    const Scope* scope = context;
    const Name* found = find_name(scope, name, n);
    if (is_variable(scope, name, n)) {
        return 0;
    }
    if (found == NULL) {
        return -1;
    }
    if (found->type == NAME_USER_PARAMETER && found->index < scope->n_user_parameters) {
        return found->index + scope->of_x;  // x comes before them
    }
    if (found->type == NAME_INPUT && scope->inputs) {
        return scope->reader->model->system.n_user_parameters + found->index;
    }
    return -1;
}

// --- what is wrong with a name ---

enum { SHOWN = 40 };  // characters of a name in a message

static bool has_output(const ElementKind* kind, const char* name, size_t n) {
    for (int i = 0; i < kind->n_outputs; i++) {
        if (strlen(kind->outputs[i].name) == n && memcmp(kind->outputs[i].name, name, n) == 0) {
            return true;
        }
    }
    return false;
}

// A name with a point: a shape, or an attribute or an output of an element
static bool explain_member(const Scope* scope, const char* name, int n, char* text, size_t size) {
    int point = n;
    while (point > 0 && name[point - 1] != '.') {
        point--;
    }
    const Name* owner = point > 0 ? find_name(scope, name, point - 1) : NULL;
    if (owner == NULL || owner->type != NAME_ELEMENT) {
        return false;
    }
    const ElementKind* kind = scope->reader->elements[owner->index].kind;
    const bool output = has_output(kind, name + point, (size_t)(n - point));
    (void)snprintf(text, size,
                   output ? "'%.*s' is an output, and expressions know no outputs: expected a "
                            "<parameter> or an <input>"
                          : "'%.*s' belongs to an element, and expressions know the names of "
                            "<parameter> and <input> only",
                   n < SHOWN ? n : SHOWN, name);
    return true;
}

static bool explain_parameter(const Scope* scope, const Name* name, char* text, size_t size) {
    const char* reason = "and a constant is expected here";
    if (scope->ordered && name->index == scope->n_user_parameters) {
        reason = "which cannot depend on itself";
    } else if (scope->ordered) {
        reason = "but stands after this one: expected a name defined before";
    }
    (void)snprintf(text, size, "'%.40s' is a parameter, %s", name->text, reason);
    return true;
}

static bool explain_name(const Scope* scope, const Name* name, char* text, size_t size) {
    switch (name->type) {
        case NAME_USER_PARAMETER:
            return explain_parameter(scope, name, text, size);
        case NAME_INPUT:
            (void)snprintf(text, size, "'%.40s' is an input, and %s cannot depend on one",
                           name->text, scope->attribute);
            return true;
        case NAME_TABLE:
            (void)snprintf(text, size, "'%.40s' is a table, expected '(' and its argument after it",
                           name->text);
            return true;
        case NAME_CONSTANT:  // is known everywhere
            return false;
        case NAME_PART:
            (void)snprintf(text, size, "'%.40s' is a <part>, and expressions know no parts",
                           name->text);
            return true;
        case NAME_ELEMENT:
            (void)snprintf(text, size,
                           "'%.40s' is a <%s>, and expressions know the names of <parameter> and "
                           "<input> only",
                           name->text, scope->reader->elements[name->index].kind->tag);
            return true;
    }
    return false;
}

// The nearest name that could stand here
static bool explain_spelling(const Scope* scope, const char* name, int n, char* text, size_t size) {
    char written[SHOWN + 1] = "";
    char words[SUGGEST_WORDS];
    Suggestion suggestion = {0};
    if (n > SHOWN || !reader_may_suggest(scope->reader)) {
        return false;
    }
    memcpy(written, name, (size_t)n);
    for (int i = 0; i < scope->reader->n_names; i++) {
        const char* candidate = scope->reader->names[i].text;
        if (find_symbol(scope, candidate, (int)strlen(candidate)) >= 0) {
            suggest_consider(&suggestion, written, candidate);
        }
    }
    if (scope->inputs && strcmp(written, "time") == 0) {
        suggestion.name = "t";
    }
    (void)snprintf(text, size, "unknown name '%s'%s", written, suggest_words(&suggestion, words));
    return suggestion.name != NULL;
}

// While repetitions are written out there are no names yet but those of constants.
static bool explain_early(const Scope* scope, const char* name, int n, char* text, size_t size) {
    const XmlNode* node =
        scope->reader->n_names == 0 ? scope->reader->tree->root->first_child : NULL;
    for (; node != NULL; node = node->next) {
        const char* candidate = xml_attribute(node, "name");
        if (candidate != NULL && strcmp(node->tag, "parameter") == 0 &&
            strlen(candidate) == (size_t)n && memcmp(candidate, name, (size_t)n) == 0) {
            (void)snprintf(text, size,
                           "'%.40s' is a parameter, which can change in the FMU: expected a "
                           "<constant>",
                           candidate);
            return true;
        }
    }
    return false;
}

static bool explain(const void* context, const char* name, int n, char* text, size_t size) {
    const Scope* scope = context;
    const Name* found = find_name(scope, name, n);
    return explain_early(scope, name, n, text, size) ||
           (found != NULL && explain_name(scope, found, text, size)) ||
           explain_member(scope, name, n, text, size) ||
           explain_spelling(scope, name, n, text, size);
}

// --- what is called ---

static const Table* find_table(const void* context, const char* name, int n) {
    const Reader* reader = ((const Scope*)context)->reader;
    const Name* found = reader->n_tables > 0 ? find_name(context, name, n) : NULL;
    if (found == NULL || found->type != NAME_TABLE || found->index >= reader->n_tables) {
        return NULL;  // there is none, or there were too many
    }
    reader->table_is_used[found->index] = true;
    return &reader->tables[found->index];
}

static bool explain_call(const void* context, const char* written, Suggestion* suggestion,
                         char* text, size_t size) {
    const Reader* reader = ((const Scope*)context)->reader;
    const Name* found = find_name(context, written, (int)strlen(written));
    if (found != NULL && found->type != NAME_TABLE) {
        static const char* const kinds[] = {[NAME_ELEMENT] = "an element",
                                            [NAME_USER_PARAMETER] = "a parameter",
                                            [NAME_INPUT] = "an input",
                                            [NAME_CONSTANT] = "a constant",
                                            [NAME_PART] = "a part"};
        (void)snprintf(text, size, "'%s' is %s and no function: expected an operator before '('",
                       written, kinds[found->type]);
        return true;
    }
    for (int i = 0; i < reader->n_tables && reader_may_suggest(reader); i++) {
        suggest_consider(suggestion, written, reader->tables[i].name);
    }
    return false;
}

SymbolTable scope_symbols(const Scope* scope) {
    return (SymbolTable){.context = scope,
                         .constant = find_constant,
                         .find = find_symbol,
                         .allow_time = scope->inputs,
                         .explain = explain,
                         .find_table = find_table,
                         .explain_call = explain_call};
}
