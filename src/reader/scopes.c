// Names in repetitions and in uses of parts. What stands in the repetitions i = 3, j = 2 of a part
// that is used as "left" is called left.NAME[3,2]; there NAME alone means it, too. A name is looked
// for where it stands first, then in the repetition, the use and the mechanism around.
#include <math.h>
#include <string.h>

#include "reader/reader.h"

enum { MOST_INDICES = 64, LARGEST_INDEX = 1000000000 };

static bool is_use(const XmlScope* scope) { return scope->index == NULL; }

// The use or the mechanism that a scope is, or is a repetition in.
static const XmlScope* use_of(const XmlScope* scope) {
    while (!is_use(scope)) {
        scope = scope->outer;
    }
    return scope;
}

int scope_use(const XmlScope* scope) {
    const XmlNode* use = scope != NULL ? use_of(scope)->use : NULL;
    return use != NULL ? use->use : 0;
}

bool scope_has_indices(const XmlScope* scope, const XmlScope* owner_scope) {
    return scope != NULL && scope != owner_scope && !is_use(scope);
}

// --- writing ---

static void start(TextBuffer* out) {
    out->n = 0;
    text_add(out, "");
}

// "[3,2]", the indices of the repetitions from the one within another scope (NULL: use) inwards
static void add_indices(const XmlScope* scope, const XmlScope* within, TextBuffer* out) {
    long numbers[MOST_INDICES];
    int n = 0;
    for (; scope != NULL && scope_has_indices(scope, within) && n < MOST_INDICES;
         scope = scope->outer) {
        numbers[n++] = scope->number;
    }
    for (int i = n - 1; i >= 0; i--) {
        text_add(out, i == n - 1 ? "[" : ",");
        text_add_count(out, numbers[i]);
    }
    text_add(out, n > 0 ? "]" : "");
}

static void add_prefix(const XmlScope* scope, TextBuffer* out) {
    const char* prefix = use_of(scope)->prefix;
    if (prefix != NULL) {
        text_add(out, prefix);
        text_add(out, ".");
    }
}

const char* scope_name(const Reader* reader, const XmlScope* scope, const char* owner,
                       const XmlScope* owner_scope, const char* name, Arena* arena) {
    TextBuffer* out = reader->full;
    start(out);
    if (owner != NULL) {
        text_add(out, owner);
        text_add(out, ".");
    } else if (scope != NULL) {
        add_prefix(scope, out);
    }
    text_add(out, name);
    add_indices(scope, owner_scope, out);
    const char* text = out->failed ? NULL : arena_copy(arena, out->text, out->n);
    reader->arena->exhausted = reader->arena->exhausted || text == NULL;
    return text;
}

// --- indices in brackets ---

typedef struct IndexContext {
    const Reader* reader;
    const XmlScope* scope;
} IndexContext;

static bool find_constant(const void* context, const char* name, int n, double* value) {
    const IndexContext* c = context;
    const bool indexed = memchr(name, '[', (size_t)n) != NULL;  // no indices within indices
    return !indexed && scope_constant(c->reader, c->scope, name, (size_t)n, value);
}

// The value of one index; -1 if it is no whole number that there can be.
static long index_value(const Reader* reader, const XmlScope* scope, const char* text, size_t n) {
    Arena arena = {0};
    ExpressionError error;
    const IndexContext context = {reader, scope};
    const SymbolTable symbols = {.context = &context, .constant = find_constant};
    const char* copy = arena_copy(&arena, text, n);
    const Expression* expression =
        copy != NULL ? expression_compile(copy, &symbols, &arena, &error) : NULL;
    const double value = expression != NULL ? expression_value(expression, 0.0, NULL) : NAN;
    arena_free(&arena);
    return value >= 0.0 && value <= LARGEST_INDEX && value == floor(value) ? (long)value : -1;
}

// Length of one index, up to the comma or bracket behind it
static size_t index_length(const char* text, size_t n) {
    int depth = 0;
    size_t i = 0;
    while (i < n && (depth > 0 || (text[i] != ',' && text[i] != ']'))) {
        depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
        i++;
    }
    return i;
}

// Indices and the bracket at the start of a text, which '[' is before; how long they are, or 0.
static size_t write_indices(const Reader* reader, const XmlScope* scope, const char* text, size_t n,
                            TextBuffer* out) {
    size_t at = 0;
    for (;;) {
        const size_t length = index_length(text + at, n - at);
        const long value = index_value(reader, scope, text + at, length);
        if (value < 0 || at + length >= n) {
            return 0;
        }
        text_add_count(out, value);
        text_add_bytes(out, text + at + length, 1);
        at += length + 1;
        if (text[at - 1] == ']') {
            return at;
        }
    }
}

const char* scope_write(const Reader* reader, const XmlScope* scope, const char* text, size_t n) {
    TextBuffer* out = reader->written;
    start(out);
    for (size_t at = 0; at < n;) {
        const char* bracket = memchr(text + at, '[', n - at);
        const size_t plain = bracket != NULL ? (size_t)(bracket - text) + 1 - at : n - at;
        text_add_bytes(out, text + at, plain);
        at += plain;
        if (bracket != NULL) {
            const size_t length = write_indices(reader, scope, text + at, n - at, out);
            if (length == 0) {
                return NULL;
            }
            at += length;
        }
    }
    return out->failed ? NULL : out->text;
}

// --- finding ---

// What the name is in one scope alone; text has numbers as indices.
static const Name* find_in(const Reader* reader, const XmlScope* scope, const char* text,
                           size_t n) {
    TextBuffer* out = reader->full;
    size_t head = 0;
    while (head < n && text[head] != '.' && text[head] != '[') {
        head++;
    }
    if (!is_use(scope) && head < n && text[head] == '[') {
        return NULL;  // it says itself of which repetitions it is
    }
    start(out);
    add_prefix(scope, out);
    text_add_bytes(out, text, head);
    add_indices(scope, NULL, out);
    text_add_bytes(out, text + head, n - head);
    return out->failed ? NULL : reader_find(reader, out->text, out->n);
}

const Name* scope_find(const Reader* reader, const XmlScope* scope, const char* text, size_t n) {
    const char* written = text;
    size_t n_written = n;
    if (memchr(text, '[', n) != NULL) {
        written = scope_write(reader, scope, text, n);
        n_written = written != NULL ? reader->written->n : 0;
    }
    if (written == NULL || scope == NULL) {
        return written != NULL ? reader_find(reader, written, n_written) : NULL;
    }
    const Name* found = NULL;
    for (; scope != NULL && found == NULL; scope = scope->outer) {
        found = find_in(reader, scope, written, n_written);
    }
    return found;
}

static bool is_text(const char* candidate, const char* text, size_t n) {
    return strncmp(candidate, text, n) == 0 && candidate[n] == '\0';
}

static const XmlConstant* constant_in(const XmlScope* scope, const char* text, size_t n) {
    const XmlConstant* constant = scope->constants;
    while (constant != NULL && !is_text(constant->name, text, n)) {
        constant = constant->next;
    }
    return constant;
}

bool scope_constant(const Reader* reader, const XmlScope* scope, const char* text, size_t n,
                    double* value) {
    const Name* name = NULL;
    for (const XmlScope* s = scope; s != NULL && name == NULL; s = s->outer) {
        const XmlConstant* constant = constant_in(s, text, n);
        if (constant != NULL || (!is_use(s) && is_text(s->index, text, n))) {
            *value = constant != NULL ? constant->value : (double)s->number;
            return true;
        }
        name = memchr(text, '[', n) == NULL ? find_in(reader, s, text, n) : NULL;
    }
    // constants of other repetitions and uses: n[2], left.n
    name = name != NULL ? name : scope_find(reader, scope, text, n);
    if (name == NULL || name->type != NAME_CONSTANT) {
        return false;
    }
    *value = name->node->number;
    return true;
}
