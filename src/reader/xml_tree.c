#include "reader/xml_tree.h"

#include <expat.h>
#include <stdbool.h>
#include <string.h>

enum { MAXIMUM_DEPTH = 32, MAXIMUM_NODES = 1000000, MAXIMUM_BYTES = 64 * 1024 * 1024 };
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
    return (Place){b->tree->file, (long)XML_GetCurrentLineNumber(b->parser),
                   (long)XML_GetCurrentColumnNumber(b->parser) + 1};
}

static void stop(Builder* b) {
    b->stopped = true;
    (void)XML_StopParser(b->parser, XML_FALSE);
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
    if (++b->depth > MAXIMUM_DEPTH || b->tree->n_nodes >= MAXIMUM_NODES) {
        report_add(b->report, SEVERITY_ERROR, here(b),
                   b->depth > MAXIMUM_DEPTH ? "elements are nested more than %d deep"
                                            : "more than %d elements",
                   b->depth > MAXIMUM_DEPTH ? (int)MAXIMUM_DEPTH : (int)MAXIMUM_NODES);
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
        report_add(b->report, SEVERITY_ERROR, place, "out of memory");
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
    return STATUS_INVALID_MODEL;
}

Status xml_tree_parse(const char* file, const char* text, size_t n, const char* xml_namespace,
                      Arena* arena, Report* report, XmlTree* tree) {
    *tree = (XmlTree){.file = file, .text = text, .n = n};
    if (n > MAXIMUM_BYTES) {
        report_add(report, SEVERITY_ERROR, (Place){file, 1, 1}, "the file is larger than %d MiB",
                   MAXIMUM_BYTES / (1024 * 1024));
        return STATUS_INVALID_MODEL;
    }
    Builder b = {.parser = XML_ParserCreateNS(NULL, SEPARATOR),
                 .tree = tree,
                 .xml_namespace = xml_namespace,
                 .arena = arena,
                 .report = report};
    if (b.parser == NULL) {
        report_add(report, SEVERITY_ERROR, (Place){file, 1, 1}, "out of memory");
        return STATUS_OUT_OF_MEMORY;
    }
    const Status status = run(&b);
    XML_ParserFree(b.parser);
    return status;
}

const char* xml_attribute(const XmlNode* node, const char* name) {
    for (int i = 0; i < node->n_attributes; i++) {
        if (strcmp(node->attributes[i].name, name) == 0) {
            return node->attributes[i].value;
        }
    }
    return NULL;
}

Place xml_place(const XmlTree* tree, const XmlNode* node) {
    return (Place){tree->file, node->line, node->column};
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

static bool skip_past(Cursor* cursor, const char* stops) {
    while (cursor->at < cursor->end && strchr(stops, *cursor->at) == NULL) {
        advance(cursor);
    }
    return cursor->at < cursor->end;
}

Place xml_attribute_place(const XmlTree* tree, const XmlNode* node, const char* name, int offset) {
    const Place fallback = xml_place(tree, node);
    if (node->offset < 0 || (size_t)node->offset >= tree->n) {
        return fallback;
    }
    Cursor cursor = {tree->text + node->offset, tree->text + tree->n, node->line, node->column};
    const size_t n_name = strlen(name);
    if (!skip_past(&cursor, " \t\r\n>")) {
        return fallback;
    }
    while (cursor.at < cursor.end && *cursor.at != '>' && *cursor.at != '/') {
        if (strchr(" \t\r\n", *cursor.at) != NULL) {
            advance(&cursor);
            continue;
        }
        const char* start = cursor.at;
        if (!skip_past(&cursor, " \t\r\n=")) {
            return fallback;
        }
        const bool found =
            (size_t)(cursor.at - start) == n_name && memcmp(start, name, n_name) == 0;
        if (!skip_past(&cursor, "\"'")) {
            return fallback;
        }
        const char quote[2] = {*cursor.at, '\0'};
        advance(&cursor);
        if (found) {
            while (offset-- > 0 && cursor.at < cursor.end && *cursor.at != quote[0]) {
                advance(&cursor);
            }
            return (Place){tree->file, cursor.line, cursor.column};
        }
        if (!skip_past(&cursor, quote)) {
            return fallback;
        }
        advance(&cursor);
    }
    return fallback;
}
