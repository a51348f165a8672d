// An XML document as a tree in memory, with the place of every element and attribute.
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/report.h"

typedef struct XmlAttribute {
    const char* name;
    const char* value;
    long line, column;  // where the value begins; 0 if that is not known
    long offset;        // likewise in the text
} XmlAttribute;

typedef struct XmlNode {
    const char* tag;                 // without namespace
    const XmlAttribute* attributes;  // (n_attributes) those without namespace
    int n_attributes;
    struct XmlNode *parent, *first_child, *last_child, *next;
    long line, column;
    long offset;  // of its '<' in the text
} XmlNode;

typedef struct XmlTree {
    const char* file;  // for messages
    const char* text;  // (n), must outlive the tree
    size_t n;
    XmlNode* root;
    int n_nodes;
} XmlTree;

// Reads a document whose elements are all in one namespace. Document type declarations (and with
// them entities) are refused; limits: 64 MiB, depth 32, a million elements.
// STATUS_INVALID_MODEL after reporting what is wrong.
MUST_CHECK Status xml_tree_parse(const char* file, const char* text, size_t n,
                                 const char* xml_namespace, Arena* arena, Report* report,
                                 XmlTree* tree);

// The attribute's value, or NULL.
const char* xml_attribute(const XmlNode* node, const char* name);

Place xml_place(const XmlTree* tree, const XmlNode* node);
// Where the attribute's value begins; offset counts characters into it. The element's place if
// there is no such attribute.
Place xml_attribute_place(const XmlTree* tree, const XmlNode* node, const char* name, int offset);
// The same of an attribute that was found, or of NULL.
Place xml_value_place(const XmlTree* tree, const XmlNode* node, const XmlAttribute* attribute,
                      int offset);
