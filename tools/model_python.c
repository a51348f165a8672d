// The elements of the model format as methods of Python classes (python/clatter/elements.py), with
// types, and units and help in their descriptions.
#include <math.h>
#include <string.h>

#include "reader/element_kinds.h"
#include "kind_union.h"
#include "model_format.h"
#include "reader/format.h"

static const char head[] =
    "\"\"\"Written by tools/model_format from the tables of the program: the elements of a "
    "mechanism.\"\"\"\n"
    "\n"
    "from __future__ import annotations\n"
    "\n"
    "from typing import Literal\n"
    "\n"
    "from clatter._element import Container, Element, Number, Reference, Rows\n"
    "\n"
    "Unit = Literal[\n";

// --- arguments ---

// Type and default of an argument; required: it has to be given.
static void add_argument(TextBuffer* out, const char* name, const char* type, bool required) {
    text_add_format(out, "        %s: %s%s,\n", name, type, required ? "" : " | None = None");
}

static void add_choice(TextBuffer* out, const char* name, const EnumerationType* type,
                       bool required) {
    text_add_format(out, "        %s: Literal[\n", name);
    for (int i = 0; i < type->n_items; i++) {
        text_add_format(out, "            \"%s\",\n", enumeration_item(type, i)->name);
    }
    text_add_format(out, "        ]%s,\n", required ? "" : " | None = None");
}

static const char* form_type(const AttributeInfo* info) {
    switch (info->form) {
        case FORM_NUMBER:
        case FORM_CONSTANT:
        case FORM_EXPRESSION:
            return "Number";
        case FORM_UNIT:
            return "Unit";
        case FORM_TRUTH:
            return "bool";
        case FORM_TEXT:
            return strcmp(info->name, "rows") == 0 ? "str | Rows" : "str";
        default:
            return "str";
    }
}

static void add_format_argument(TextBuffer* out, const AttributeInfo* info) {
    const EnumerationType* choices = format_choices(info->form);
    if (choices != NULL) {
        add_choice(out, info->name, choices, info->otherwise == NULL);
    } else {
        add_argument(out, info->name, form_type(info), info->otherwise == NULL);
    }
}

// --- descriptions ---

// Python reads backslashes and three quotes in them.
static void add_text(TextBuffer* out, const char* text) {
    for (; *text != '\0'; text++) {
        if (*text == '\\' || *text == '"') {
            text_add(out, "\\");
        }
        text_add_bytes(out, text, 1);
    }
}

static void add_line(TextBuffer* out, const char* name, const char* help) {
    text_add_format(out, "        %s: ", name);
    add_text(out, help);
}

static void describe_format(TextBuffer* out, const AttributeInfo* info) {
    add_line(out, info->name, info->help);
    if (info->otherwise != NULL) {
        text_add(out, "; default: ");
        add_text(out, info->otherwise);
    }
    text_add(out, "\n");
}

static void describe_parameter(TextBuffer* out, const ParameterInfo* info, Variant variant) {
    add_line(out, info->name, info->help);
    text_add(out, variant_words(variant));
    if (info->type == VARIABLE_REAL && info->unit != UNIT_ONE) {
        text_add_format(out, ", %s", unit_get(info->unit)->name);
    }
    if (isnan(info->start) && info->from_shapes) {
        text_add(out, "; default: from its shapes");
    } else if (!isnan(info->start)) {
        text_add(out,
                 info->from_materials ? "; default: from the materials, else " : "; default: ");
        if (info->enumeration != NULL) {
            text_add(out, enumeration_item(info->enumeration, (int)info->start - 1)->name);
        } else {
            text_add_double(out, info->start);
        }
    }
    text_add(out, "\n");
}

static void describe_signal(TextBuffer* out, const SignalInfo* info, Variant variant) {
    add_line(out, info->name, info->help);
    text_add_format(out, "%s%s%s; an expression of %s", variant_words(variant),
                    info->unit != UNIT_ONE ? ", " : "",
                    info->unit != UNIT_ONE ? unit_get(info->unit)->name : "",
                    info->variable != NULL ? "the angle and parameters"
                    : info->of_x           ? "x and parameters"
                                           : "time and inputs");
    if (info->start != NULL) {
        text_add_format(out, "; default: %s", info->start);
    }
    text_add(out, "\n");
}

// --- methods ---

static void open_method(TextBuffer* out, const char* tag) {
    text_add_format(out, "\n    def %s(\n        self,\n", tag);
}

static void open_description(TextBuffer* out, const char* type, const char* help) {
    text_add_format(out, "    ) -> %s:\n        \"\"\"", type);
    add_text(out, help);
    text_add(out, "\n\n");
}

static void close_method(TextBuffer* out, const char* tag, const char* type) {
    text_add_format(out, "        \"\"\"\n        return self._add(\"%s\", %s, locals())\n", tag,
                    type);
}

// type: of what is made
static void add_format_method(TextBuffer* out, const FormatElement* format, const char* type) {
    open_method(out, format->tag);
    for (int i = 0; i < format->n_attributes; i++) {
        if (format->attributes[i].otherwise == NULL) {
            add_format_argument(out, &format->attributes[i]);
        }
    }
    bool opened = false;
    for (int i = 0; i < format->n_attributes; i++) {
        if (format->attributes[i].otherwise != NULL) {
            text_add(out, opened ? "" : "        *,\n");
            opened = true;
            add_format_argument(out, &format->attributes[i]);
        }
    }
    open_description(out, type, format->help);
    for (int i = 0; i < format->n_attributes; i++) {
        describe_format(out, &format->attributes[i]);
    }
    close_method(out, format->tag, type);
}

static void add_kind_arguments(TextBuffer* out, const ElementKind* kind) {
    const KindUnion parameters = kind_union(kind, TABLE_PARAMETERS);
    const KindUnion signals = kind_union(kind, TABLE_SIGNALS);
    if (format_kind_has_common(kind, COMMON_NAME)) {
        add_argument(out, "name", "str", true);
    }
    if (format_kind_has_common(kind, COMMON_PART)) {
        add_argument(out, "part", "Reference", true);
    }
    text_add(out, "        *,\n");
    for (int i = 0; i < kind->n_references; i++) {
        add_argument(out, kind->references[i].name, "Reference", kind->references[i].required);
    }
    for (int i = 0; i < parameters.n; i++) {
        const UnionEntry* entry = &parameters.entries[i];
        const ParameterInfo* info = &entry->kind->parameters[entry->index];
        const bool required =
            isnan(info->start) && !info->from_shapes && entry->variant == VARIANT_BOTH;
        if (info->enumeration != NULL) {
            add_choice(out, info->name, info->enumeration, required);
        } else {
            add_argument(out, info->name, "Number", required);
        }
    }
    for (int i = 0; i < signals.n; i++) {
        const UnionEntry* entry = &signals.entries[i];
        const SignalInfo* info = &entry->kind->signals[entry->index];
        add_argument(out, info->name, "Number",
                     info->start == NULL && entry->variant == VARIANT_BOTH);
    }
    for (int i = COMMON_PART + 1; i < N_COMMON_ATTRIBUTES; i++) {
        if (format_kind_has_common(kind, i)) {
            const AttributeInfo info = format_common(kind, i);
            add_format_argument(out, &info);
        }
    }
    if (kind->role == ROLE_USE) {
        text_add(out, "        **parameters: Number,\n");
    }
}

static void add_kind_method(TextBuffer* out, const ElementKind* kind) {
    const KindUnion parameters = kind_union(kind, TABLE_PARAMETERS);
    const KindUnion signals = kind_union(kind, TABLE_SIGNALS);
    const char* type = kind->role == ROLE_BODY    ? "Body"
                       : kind->n_vertex_kinds > 0 ? "Vertices"
                                                  : "Element";
    open_method(out, kind->tag);
    add_kind_arguments(out, kind);
    open_description(out, type, kind->help);
    for (int i = 0; i < kind->n_references; i++) {
        add_line(out, kind->references[i].name, kind->references[i].help);
        text_add(out, kind->references[i].required                    ? "\n"
                      : kind->references[i].type == REFERENCE_GROUP   ? "; default: the same\n"
                      : kind->references[i].type == REFERENCE_CONTACT ? "; default: all\n"
                                                                      : "; default: the ground\n");
    }
    for (int i = 0; i < parameters.n; i++) {
        const UnionEntry* entry = &parameters.entries[i];
        describe_parameter(out, &entry->kind->parameters[entry->index], entry->variant);
    }
    for (int i = 0; i < signals.n; i++) {
        const UnionEntry* entry = &signals.entries[i];
        describe_signal(out, &entry->kind->signals[entry->index], entry->variant);
    }
    for (int i = 0; i < N_COMMON_ATTRIBUTES; i++) {
        if (format_kind_has_common(kind, i)) {
            const AttributeInfo info = format_common(kind, i);
            describe_format(out, &info);
        }
    }
    if (kind->role == ROLE_USE) {
        add_line(out, "parameters", "values for parameters and constants of the part\n");
    }
    close_method(out, kind->tag, type);
}

// Those of shapes, of vertices, or of all else
static void add_kind_methods(TextBuffer* out, ElementRole place) {
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementRole role = element_kinds[i]->role;
        const bool inner = role == ROLE_SHAPE || role == ROLE_VERTEX;
        if (inner ? role == place : place == ROLE_BODY) {
            add_kind_method(out, element_kinds[i]);
        }
    }
}

static bool is_body(const ElementKind* kind) { return kind->role == ROLE_BODY; }
static bool has_vertices(const ElementKind* kind) { return kind->n_vertex_kinds > 0; }

// Tags of some kinds, after another one or NULL
static void add_tags(TextBuffer* out, const char* name, const char* help,
                     bool (*is_one)(const ElementKind*), const char* first) {
    text_add_format(out, "\n#: tags of %s\n%s = frozenset((\n", help, name);
    if (first != NULL) {
        text_add_format(out, "    \"%s\",\n", first);
    }
    for (int i = 0; i < element_kinds_count; i++) {
        if (is_one(element_kinds[i])) {
            text_add_format(out, "    \"%s\",\n", element_kinds[i]->tag);
        }
    }
    text_add(out, "))\n");
}

void model_python_write(TextBuffer* out) {
    static const FormatElement* const elements[] = {&experiment_format, &parameter_format,
                                                    &constant_format,   &input_format,
                                                    &table_format,      &output_format};
    text_add(out, head);
    for (int id = 0; id < UNIT_COUNT; id++) {
        text_add_format(out, "    \"%s\",\n", unit_get((UnitId)id)->name);
    }
    text_add(out, "]\n");
    add_tags(out, "BODIES", "bodies, on which shapes stand", is_body, NULL);
    add_tags(out, "SINGLE", "elements of which there is one at most", format_kind_is_single,
             experiment_format.tag);
    add_tags(out, "WITH_VERTICES", "shapes in which vertices stand", has_vertices, NULL);
    text_add(out,
             "\n\nclass Vertices(Element):\n"
             "    \"\"\"A shape with its vertices, or a repetition of them.\"\"\"\n");
    add_format_method(out, &repeat_format, "Vertices");
    add_kind_methods(out, ROLE_VERTEX);
    text_add(out,
             "\n\nclass Body(Element):\n"
             "    \"\"\"A body, or the ground, with its shapes; or a repetition of shapes.\"\"\"\n"
             "\n    holds_shapes = True\n");
    add_format_method(out, &repeat_format, "Body");
    add_kind_methods(out, ROLE_SHAPE);
    text_add(out,
             "\n\nclass Elements(Container):\n"
             "    \"\"\"What stands in a mechanism, a part or a repetition.\"\"\"\n"
             "\n    single = SINGLE\n");
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        add_format_method(out, elements[i], "Element");
    }
    add_format_method(out, &repeat_format, "Elements");
    add_format_method(out, &part_format, "Elements");
    add_kind_methods(out, ROLE_BODY);
}
