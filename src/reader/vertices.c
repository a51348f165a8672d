// What stands in a shape: the points that it is made of.
#include <stdio.h>
#include <string.h>

#include "reader/reader.h"

static const ElementKind* find_vertex_kind(const ElementKind* shape, const char* tag) {
    for (int i = 0; i < shape->n_vertex_kinds; i++) {
        if (strcmp(shape->vertices[i]->tag, tag) == 0) {
            return shape->vertices[i];
        }
    }
    return NULL;
}

static void refuse_vertex(Reader* reader, const XmlNode* node, const ElementKind* shape) {
    char expected[256] = "";
    for (int i = 0; i < shape->n_vertex_kinds; i++) {
        text_append(expected, sizeof expected, "%s<%s>", i > 0 ? " or " : "",
                    shape->vertices[i]->tag);
    }
    NODE_ERROR(reader, node, "<%s> is not known in <%s>: expected %s", node->tag, shape->tag,
               expected);
}

// What stands in a shape needs no name, and nobody refers to it.
static void add_vertex(Reader* reader, const XmlNode* node, const ElementKind* kind, int shape,
                       int number) {
    enum { ROOM = 16 };  // for brackets, the number and what ends a text
    const char* owner = reader->elements[shape].name;
    const size_t size = strlen(owner) + strlen(kind->tag) + ROOM;
    char* name = ARENA_NEW(reader->arena, size, char);
    if (name != NULL) {
        (void)snprintf(name, size, "%s.%s[%d]", owner, kind->tag, number);
    }
    const int index = reader->n_elements++;
    reader->nodes[index] = node;
    reader->elements[index] = (Element){.kind = kind,
                                        .name = name != NULL ? name : "",
                                        .place = xml_place(reader->tree, node),
                                        .parent = shape,
                                        .use = scope_use(node->scope),
                                        .hidden = true};
    refuse_children(reader, node);
}

void add_vertices(Reader* reader, const XmlNode* node, int shape) {
    enum { MOST_VERTICES = 2000 };  // looking for crossings takes time in proportion to the square
    const ElementKind* kind = reader->elements[shape].kind;
    const int first = reader->n_elements;
    if (kind->n_vertex_kinds == 0) {
        refuse_children(reader, node);
        return;
    }
    for (const XmlNode* child = node->first_child; child != NULL; child = child->next) {
        const ElementKind* vertex = find_vertex_kind(kind, child->tag);
        const int number = reader->n_elements - first + 1;
        if (vertex == NULL) {
            refuse_vertex(reader, child, kind);
        } else if (number > MOST_VERTICES) {
            NODE_ERROR(reader, child, "a <%s> has at most %d points", kind->tag,
                       (int)MOST_VERTICES);
            break;
        } else {
            add_vertex(reader, child, vertex, shape, number);
        }
    }
    reader->elements[shape].vertices = (Range){first, reader->n_elements - first};
}
