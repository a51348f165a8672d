#include "reader/xml_tree.h"

#include <expat.h>
#include <stdbool.h>
#include <string.h>

enum { MAXIMUM_DEPTH = 32, MAXIMUM_BYTES = 64 * 1024 * 1024 };
enum { SEPARATOR = '|' };

typedef struct Builder {
    XML_Parser parser;
    XmlTree* tree;
    const char* xml_namespace;
    Arena* arena;
    Report* report;
    XmlNode* open;  // innermost element not yet closed
    int depth;
    bool stopped;
} Builder;

static Place here(const Builder* b) {
    return (Place){.file = b->tree->file,
                   .line = (long)XML_GetCurrentLineNumber(b->parser),
                   .column = (long)XML_GetCurrentColumnNumber(b->parser) + 1};
}

static void stop(Builder* b) {
    b->stopped = true;
    (void)XML_StopParser(b->parser, XML_FALSE);
}

// Walks the raw text of a start tag, counting lines and columns as Expat does.
typedef struct Cursor {
    const char *at, *end;
    long line, column;
} Cursor;

static void advance(Cursor* cursor) {
    if (*cursor->at == '\n') {
        cursor->line++;
        cursor->column = 1;
    } else if (((unsigned char)*cursor->at & 0xC0) != 0x80) {  // not inside a UTF-8 sequence
        cursor->column++;
    }
    cursor->at++;
}

static bool skip_to(Cursor* cursor, const char* stops) {
    while (cursor->at < cursor->end &&
           (*cursor->at == '\0' || strchr(stops, *cursor->at) == NULL)) {
        advance(cursor);
    }
    return cursor->at < cursor->end;
}

// Finds the values of the node's attributes in its raw start tag, where they stand in the same
// order among those of other namespaces. In encodings other than UTF-8 nothing is found.
static void find_places(const XmlTree* tree, const XmlNode* node, XmlAttribute* attributes) {
    static const char space[] = " \t\r\n";
    if (node->offset < 0 || (size_t)node->offset >= tree->n) {
        return;
    }
    Cursor cursor = {tree->text + node->offset, tree->text + tree->n, node->line, node->column};
    bool more = skip_to(&cursor, " \t\r\n>");
    for (int i = 0; more && i < node->n_attributes;) {
        while (cursor.at < cursor.end && *cursor.at != '\0' && strchr(space, *cursor.at) != NULL) {
            advance(&cursor);
        }
        const char* name = cursor.at;
        more = skip_to(&cursor, " \t\r\n=>");
        const size_t n = (size_t)(cursor.at - name);
        if (!more || !skip_to(&cursor, "\"'>") || *cursor.at == '>') {
            return;
        }
        const char quote[] = {*cursor.at, '\0'};
        advance(&cursor);
        if (strlen(attributes[i].name) == n && memcmp(attributes[i].name, name, n) == 0) {
            attributes[i].line = cursor.line;
            attributes[i].column = cursor.column;
            attributes[i++].offset = (long)(cursor.at - tree->text);
        }
        more = skip_to(&cursor, quote);
        if (more) {
            advance(&cursor);
        }
    }
}

static bool copy_attributes(Builder* b, XmlNode* node, const XML_Char** pairs) {
    int n = 0;
    while (pairs[2 * n] != NULL) {
        n++;
    }
    XmlAttribute* attributes = ARENA_NEW(b->arena, n, XmlAttribute);
    node->attributes = attributes;
    for (int i = 0; attributes != NULL && i < n; i++) {
        const char* name = pairs[2 * i];
        if (strchr(name, SEPARATOR) != NULL) {
            continue;  // of another namespace, such as xsi:schemaLocation
        }
        XmlAttribute* attribute = &attributes[node->n_attributes++];
        attribute->name = arena_copy(b->arena, name, strlen(name));
        attribute->value = arena_copy(b->arena, pairs[2 * i + 1], strlen(pairs[2 * i + 1]));
        if (attribute->name == NULL || attribute->value == NULL) {
            return false;
        }
    }
    if (attributes != NULL) {
        find_places(b->tree, node, attributes);
    }
    return attributes != NULL;
}

static void link_node(Builder* b, XmlNode* node) {
    node->parent = b->open;
    if (b->open == NULL) {
        b->tree->root = node;
    } else if (b->open->last_child == NULL) {
        b->open->first_child = b->open->last_child = node;
    } else {
        b->open->last_child->next = node;
        b->open->last_child = node;
    }
    b->open = node;
    b->tree->n_nodes++;
}

static void XMLCALL start_element(void* context, const XML_Char* name, const XML_Char** pairs) {
    Builder* b = context;
    if (b->stopped) {
        return;
    }
    if (++b->depth > MAXIMUM_DEPTH || b->tree->n_nodes >= XML_MOST_NODES) {
        report_add(b->report, SEVERITY_ERROR, here(b),
                   b->depth > MAXIMUM_DEPTH ? "elements are nested more than %d deep"
                                            : "more than %d elements",
                   b->depth > MAXIMUM_DEPTH ? (int)MAXIMUM_DEPTH : (int)XML_MOST_NODES);
        stop(b);
        return;
    }
    const char* tag = strrchr(name, SEPARATOR);
    const size_t n_namespace = tag != NULL ? (size_t)(tag - name) : 0;
    tag = tag != NULL ? tag + 1 : name;
    if (n_namespace != strlen(b->xml_namespace) ||
        memcmp(name, b->xml_namespace, n_namespace) != 0) {
        report_add(b->report, SEVERITY_ERROR, here(b),
                   "<%s> is not in the namespace of this format: write xmlns=\"%s\" in the first "
                   "element",
                   tag, b->xml_namespace);
        stop(b);
        return;
    }
    const Place place = here(b);
    XmlNode* node = ARENA_NEW(b->arena, 1, XmlNode);
    if (node != NULL) {
        node->tag = arena_copy(b->arena, tag, strlen(tag));
        node->line = place.line;
        node->column = place.column;
        node->offset = XML_GetCurrentByteIndex(b->parser);
    }
    if (node == NULL || node->tag == NULL || !copy_attributes(b, node, pairs)) {
        char words[ARENA_WORDS];
        report_add(b->report, SEVERITY_ERROR, place,
                   "%s for the elements up to this <%s>, number %d",
                   arena_shortage(b->arena, words), tag, b->tree->n_nodes + 1);
        stop(b);
        return;
    }
    link_node(b, node);
}

static void XMLCALL end_element(void* context, const XML_Char* name) {
    Builder* b = context;
    (void)name;
    if (!b->stopped) {
        b->depth--;
        b->open = b->open->parent;
    }
}

static void XMLCALL character_data(void* context, const XML_Char* text, int n) {
    Builder* b = context;
    for (int i = 0; i < n && !b->stopped; i++) {
        if (strchr(" \t\r\n", text[i]) == NULL || text[i] == '\0') {
            report_add(b->report, SEVERITY_ERROR, here(b),
                       "text is not expected between elements: values go into attributes");
            stop(b);
        }
    }
}

static void XMLCALL start_doctype(void* context, const XML_Char* name, const XML_Char* system_id,
                                  const XML_Char* public_id, int has_internal_subset) {
    Builder* b = context;
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_internal_subset;
    report_add(b->report, SEVERITY_ERROR, here(b),
               "a document type declaration is not allowed here, nor are entities");
    stop(b);
}

static Status run(Builder* b) {
    XML_SetUserData(b->parser, b);
    XML_SetElementHandler(b->parser, start_element, end_element);
    XML_SetCharacterDataHandler(b->parser, character_data);
    XML_SetStartDoctypeDeclHandler(b->parser, start_doctype);
    const enum XML_Status status = XML_Parse(b->parser, b->tree->text, (int)b->tree->n, XML_TRUE);
    if (status == XML_STATUS_OK && b->tree->root != NULL && !b->stopped) {
        return STATUS_OK;
    }
    if (!b->stopped) {
        report_add(b->report, SEVERITY_ERROR, here(b), "not well-formed XML: %s",
                   XML_ErrorString(XML_GetErrorCode(b->parser)));
    }
    return b->arena->exhausted ? STATUS_OUT_OF_MEMORY : STATUS_INVALID_MODEL;
}

Status xml_tree_parse(const char* file, const char* text, size_t n, const char* xml_namespace,
                      Arena* arena, Report* report, XmlTree* tree) {
    *tree = (XmlTree){.file = file, .text = text, .n = n};
    if (n > MAXIMUM_BYTES) {
        report_add(report, SEVERITY_ERROR, (Place){.file = file, .line = 1, .column = 1},
                   "the file is larger than %d MiB", MAXIMUM_BYTES / (1024 * 1024));
        return STATUS_INVALID_MODEL;
    }
    Builder b = {.parser = XML_ParserCreateNS(NULL, SEPARATOR),
                 .tree = tree,
                 .xml_namespace = xml_namespace,
                 .arena = arena,
                 .report = report};
    if (b.parser == NULL) {
        report_add(report, SEVERITY_ERROR, (Place){.file = file, .line = 1, .column = 1},
                   "there is no memory to read the XML with");
        return STATUS_OUT_OF_MEMORY;
    }
    const Status status = run(&b);
    XML_ParserFree(b.parser);
    return status;
}

static const XmlAttribute* find_attribute(const XmlNode* node, const char* name) {
    for (int i = 0; i < node->n_attributes; i++) {
        if (strcmp(node->attributes[i].name, name) == 0) {
            return &node->attributes[i];
        }
    }
    return NULL;
}

const char* xml_attribute(const XmlNode* node, const char* name) {
    const XmlAttribute* attribute = find_attribute(node, name);
    return attribute != NULL ? attribute->value : NULL;
}

// Of the mechanism itself there is nothing to tell.
static const Occasion* occasion_of(const XmlNode* node) {
    return node->scope != NULL && node->scope->outer != NULL ? node->scope->occasion : NULL;
}

Place xml_place(const XmlTree* tree, const XmlNode* node) {
    return (Place){.file = tree->file,
                   .line = node->line,
                   .column = node->column,
                   .occasion = occasion_of(node)};
}

Place xml_attribute_place(const XmlTree* tree, const XmlNode* node, const char* name, int offset) {
    return xml_value_place(tree, node, find_attribute(node, name), offset);
}

Place xml_value_place(const XmlTree* tree, const XmlNode* node, const XmlAttribute* attribute,
                      int offset) {
    if (attribute == NULL || attribute->line == 0) {
        return xml_place(tree, node);
    }
    Cursor cursor = {tree->text + attribute->offset, tree->text + tree->n, attribute->line,
                     attribute->column};
    const char quote = cursor.at[-1];
    while (offset-- > 0 && cursor.at < cursor.end && *cursor.at != quote) {
        if (*cursor.at == '&') {  // one character, such as &lt;
            (void)skip_to(&cursor, ";");
        }
        advance(&cursor);
    }
    return (Place){.file = tree->file,
                   .line = cursor.line,
                   .column = cursor.column,
                   .occasion = occasion_of(node)};
}
