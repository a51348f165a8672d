// An XML document as a tree in memory, with the place of every element and attribute.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/report.h"

typedef struct XmlAttribute {
    const char* name;
    const char* value;
    long line, column;  // where the value begins; 0 if that is not known
    long offset;        // likewise in the text
} XmlAttribute;

struct XmlNode;

// A number with a name that a repetition, a use of a part or the mechanism has.
typedef struct XmlConstant {
    const char* name;
    double value;
    const struct XmlConstant* next;
} XmlConstant;

// What a copy of a node was made for (expand.c): the mechanism itself, a repetition, or a use of a
// part.
typedef struct XmlScope {
    const Occasion* occasion;      // for messages; NULL: the mechanism
    const struct XmlScope* outer;  // NULL: the mechanism
    const char* index;             // of a repetition: the name of its index, else NULL
    long number;                   // and its value
    const char* prefix;            // of a use: its full name, before those of what it makes
    const struct XmlNode* use;     // of a use: its <use>
    bool repeated;                 // is it, or one around it, a repetition?
    int depth;                     // how many there are around it
    const XmlConstant* constants;  // newest first
    int n_constants;
} XmlScope;

typedef struct XmlNode {
    const char* tag;                 // without namespace
    const XmlAttribute* attributes;  // (n_attributes) those without namespace
    int n_attributes;
    struct XmlNode *parent, *first_child, *last_child, *next;
    long line, column;
    long offset;  // of its '<' in the text
    // of copies that expand.c makes
    const XmlScope* scope;       // NULL: the model repeats nothing
    const struct XmlNode* part;  // of a <use>: its part
    int use;                     // of a <use>: its number, from 1
    const struct XmlNode*
        given_by;   // of a <parameter> or <constant>: the <use> that gives its value
    double number;  // of a <constant>: its value
} XmlNode;

typedef struct XmlTree {
    const char* file;  // for messages
    const char* text;  // (n), must outlive the tree
    size_t n;
    XmlNode* root;
    int n_nodes;
} XmlTree;

enum { XML_MOST_NODES = 1000000 };  // with all repetitions

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
