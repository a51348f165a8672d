// What elements refer to: bodies, points, shapes and groups; and the table of materials.
#include <string.h>

#include "base/suggest.h"
#include "reader/reader.h"

static const char* expected_target(ReferenceType type) {
    switch (type) {
        case REFERENCE_MARKER:
            return "a body, the ground, or a shape written as body.shape";
        case REFERENCE_SHAPE:
            return "a shape written as body.shape";
        case REFERENCE_GROUP:
            return "the name of a group of shapes";
        case REFERENCE_CONTACT:
            return "a <contact> or <contacts>";
    }
    return "";
}

static bool fits(ReferenceType type, ElementRole role) {
    if (type == REFERENCE_CONTACT) {
        return role == ROLE_CONTACT;
    }
    return role == ROLE_SHAPE || (role == ROLE_BODY && type == REFERENCE_MARKER);
}

// What a reference of this type could name, and is nearest to the text
static const char* suggest_target(const Reader* reader, const ReferenceInfo* info, const char* text,
                                  char words[SUGGEST_WORDS]) {
    Suggestion suggestion = {0};
    for (int i = 0; i < reader->n_elements && reader_may_suggest(reader); i++) {
        if (fits(info->type, reader->elements[i].kind->role)) {
            suggest_consider(&suggestion, text, reader->elements[i].name);
        }
    }
    return suggest_words(&suggestion, words);
}

static void refuse_name(Reader* reader, const XmlNode* node, const ReferenceInfo* info,
                        const char* text) {
    char words[SUGGEST_WORDS];
    const char* written = scope_write(reader, node->scope, text, strlen(text));
    if (written == NULL) {
        ATTRIBUTE_ERROR(reader, node, info->name,
                        "%s=\"%.80s\": an index in it is no whole number from 0 on", info->name,
                        text);
        return;
    }
    const bool same = strcmp(written, text) == 0;
    ATTRIBUTE_ERROR(reader, node, info->name,
                    "%s=\"%.80s\"%s%.80s is not the name of an element: expected %s%s", info->name,
                    text, same ? "" : ", here ", same ? "" : written, expected_target(info->type),
                    suggest_target(reader, info, written, words));
}

// The element or group that an attribute names; -1 after an error.
static int resolve(Reader* reader, const XmlNode* node, const ReferenceInfo* info,
                   const char* text) {
    if (info->type == REFERENCE_GROUP) {
        return resolve_group(reader, node, info, text);
    }
    const Name* name = scope_find(reader, node->scope, text, strlen(text));
    if (name == NULL && strcmp(text, "ground") == 0 && info->type == REFERENCE_MARKER) {
        return -1;  // the ground need not be written
    }
    if (name == NULL || name->type != NAME_ELEMENT) {
        refuse_name(reader, node, info, text);
        return -1;
    }
    const ElementKind* kind = reader->elements[name->index].kind;
    if (!fits(info->type, kind->role)) {
        ATTRIBUTE_ERROR(reader, node, info->name, "%s=\"%.80s\" is a <%s>: expected %s", info->name,
                        text, kind->tag, expected_target(info->type));
        return -1;
    }
    return name->index;
}

int find_reference(const Reader* reader, const XmlNode* node, const ReferenceInfo* info) {
    const char* text = xml_attribute(node, info->name);
    if (info->type == REFERENCE_GROUP) {
        return text != NULL ? find_group(reader, text) : -1;
    }
    const Name* name = text != NULL ? scope_find(reader, node->scope, text, strlen(text)) : NULL;
    return name != NULL && name->type == NAME_ELEMENT ? name->index : -1;
}

void read_references(Reader* reader, int index) {
    Element* element = &reader->elements[index];
    const XmlNode* node = reader->nodes[index];
    for (int i = 0; i < ELEMENT_MAX_REFERENCES; i++) {
        element->references[i] = -1;
    }
    for (int i = 0; i < element->kind->n_references; i++) {
        const ReferenceInfo* info = &element->kind->references[i];
        const char* text = xml_attribute(node, info->name);
        if (text == NULL) {
            if (info->required) {
                NODE_ERROR(reader, node, "<%s> needs the attribute %s: %s", node->tag, info->name,
                           expected_target(info->type));
            }
            continue;
        }
        element->references[i] = resolve(reader, node, info, text);
    }
}

Status read_materials(Reader* reader, const ModelFiles* files, MaterialTable* table) {
    const XmlNode* root = reader->tree->root;
    const char* name = xml_attribute(root, "materials");
    if (name == NULL) {
        return STATUS_OK;
    }
    const ModelFile* file = model_files_find(files, name);
    if (file == NULL || file->text == NULL) {
        reader->lacks_materials = true;
        if (file == NULL) {  // otherwise whoever tried to read it has told
            ATTRIBUTE_ERROR(reader, root, "materials", "materials=\"%.80s\": there is no such file",
                            name);
        }
        return STATUS_OK;
    }
    reader->materials = table;
    const Status status =
        materials_read(file->path, file->text, file->n, reader->arena, reader->report, table);
    return status == STATUS_OUT_OF_MEMORY ? status : STATUS_OK;
}
