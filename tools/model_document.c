// The reference of the model format in Markdown: what the tables say, put into the places that the
// template leaves for it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reader/element_kinds.h"
#include "elements/contact.h"
#include "expression/program.h"
#include "kind_union.h"
#include "model_format.h"
#include "reader/format.h"

// --- cells of tables ---

// Text in a table's cell and outside of XML: < and | have meanings in Markdown.
static void add_cell(TextBuffer* out, const char* text) {
    for (; *text != '\0'; text++) {
        if (*text == '|' || *text == '<') {
            text_add(out, "\\");
        }
        text_add_bytes(out, text, 1);
    }
}

static void add_code(TextBuffer* out, const char* text) { text_add_format(out, "`%s`", text); }

static void add_range(TextBuffer* out, double min, double max) {
    if (isinf(min) && isinf(max)) {
        text_add(out, "any");
    } else if (isinf(max)) {
        text_add(out, "≥ ");
        text_add_double(out, min);
    } else {
        text_add_double(out, min);
        text_add(out, " … ");
        text_add_double(out, max);
    }
}

static void add_choices(TextBuffer* out, const EnumerationType* type) {
    for (int i = 0; i < type->n_items; i++) {
        text_add(out, i > 0 ? ", " : "");
        add_code(out, enumeration_item(type, i)->name);
    }
}

static void add_default(TextBuffer* out, const ParameterInfo* info) {
    if (isnan(info->start)) {
        text_add(out, info->from_shapes ? "from its shapes" : "required");
        return;
    }
    if (info->enumeration != NULL) {
        add_code(out, enumeration_item(info->enumeration, (int)info->start - 1)->name);
    } else {
        text_add_double(out, info->start);
    }
    text_add(out, info->from_materials ? ", or from the materials"
                  : info->from_shapes  ? ", or from its shapes"
                                       : "");
}

static const char* form_words(AttributeForm form) {
    switch (form) {
        case FORM_NAME:
        case FORM_PLAIN_NAME:
            return "name";
        case FORM_TEXT:
            return "text";
        case FORM_NUMBER:
            return "number";
        case FORM_CONSTANT:
            return "constant";
        case FORM_EXPRESSION:
            return "expression of the parameters before it";
        case FORM_UNIT:
            return "unit";
        case FORM_TRUTH:
            return "`true` or `false`";
        case FORM_VARIABLE:
            return "variable of the FMU";
        case FORM_INTERPOLATION:
        case FORM_BEYOND:
            return "";  // their choices are listed
    }
    return "";
}

static const char* reference_words(ReferenceType type) {
    switch (type) {
        case REFERENCE_MARKER:
            return "a body, `ground` or `body.shape`";
        case REFERENCE_SHAPE:
            return "`body.shape`";
        case REFERENCE_GROUP:
            return "name of a group";
        case REFERENCE_CONTACT:
            return "name of a `<contact>` or `<contacts>`";
    }
    return "";
}

// --- rows ---

static void add_table_head(TextBuffer* out) {
    text_add(out,
             "| attribute | value | unit | default | range | changes | meaning |\n"
             "|---|---|---|---|---|---|---|\n");
}

static void add_format_row(TextBuffer* out, const AttributeInfo* info) {
    const EnumerationType* choices = format_choices(info->form);
    text_add_format(out, "| `%s` | %s", info->name, form_words(info->form));
    if (choices != NULL) {
        add_choices(out, choices);
    }
    text_add_format(out, choices != NULL ? " | | `%s` | | | " : " | | %s | | | ",
                    info->otherwise != NULL ? info->otherwise : "required");
    add_cell(out, info->help);
    text_add(out, " |\n");
}

static const char* value_words(const ParameterInfo* info) {
    if (info->type == VARIABLE_INTEGER) {
        return "whole number";
    }
    return info->structural ? "constant" : "expression of parameters";
}

static void add_help(TextBuffer* out, const char* help, Variant variant) {
    add_cell(out, help);
    text_add_format(out, "%s |\n", variant_words(variant));
}

static void add_parameter_row(TextBuffer* out, const ParameterInfo* info, Variant variant) {
    text_add_format(out, "| `%s` | ", info->name);
    if (info->enumeration != NULL) {
        add_choices(out, info->enumeration);
    } else {
        text_add(out, value_words(info));
    }
    text_add_format(out, " | %s | ", info->type == VARIABLE_REAL ? unit_get(info->unit)->name : "");
    add_default(out, info);
    text_add(out, " | ");
    if (info->enumeration == NULL) {
        add_range(out, info->min, info->max);
    }
    text_add(out, info->structural ? " | never | "
                  : info->tunable  ? " | tunable | "
                                   : " | fixed | ");
    add_help(out, info->help, variant);
}

static void add_signal_row(TextBuffer* out, const SignalInfo* info, Variant variant) {
    text_add_format(out, "| `%s` | expression of %s | %s | %s | any | | ", info->name,
                    info->variable != NULL ? "the angle, parameters and tables"
                    : info->of_x           ? "x, parameters and tables"
                                           : "time, inputs and parameters",
                    unit_get(info->unit)->name, info->start != NULL ? info->start : "required");
    add_help(out, info->help, variant);
}

static void add_reference_row(TextBuffer* out, const ReferenceInfo* info) {
    text_add_format(out, "| `%s` | %s | | %s | | | ", info->name, reference_words(info->type),
                    info->required                    ? "required"
                    : info->type == REFERENCE_GROUP   ? "the same group"
                    : info->type == REFERENCE_CONTACT ? "all contacts"
                                                      : "the ground");
    add_cell(out, info->help);
    text_add(out, " |\n");
}

static void add_output_row(TextBuffer* out, const char* owner, const OutputInfo* info,
                           Variant variant) {
    text_add_format(out, "| `%s.%s` | ", owner, info->name);
    if (info->enumeration != NULL) {
        add_choices(out, info->enumeration);
    } else if (info->type == VARIABLE_REAL) {
        text_add(out, unit_get(info->unit)->name);
    } else {
        text_add(out, info->type == VARIABLE_INTEGER ? "whole number" : "true or false");
    }
    text_add_format(out, " | %s | ", info->by_default ? "output" : "local");
    add_help(out, info->help, variant);
}

// type: NULL if there is nothing to choose
static void add_choice_meanings(TextBuffer* out, const char* attribute,
                                const EnumerationType* type) {
    for (int item = 0; type != NULL && item < type->n_items; item++) {
        if (strcmp(enumeration_item(type, item)->name, enumeration_item(type, item)->help) != 0) {
            text_add_format(out, "%s- `%s=\"%s\"`: %s\n", item == 0 ? "\n" : "", attribute,
                            enumeration_item(type, item)->name, enumeration_item(type, item)->help);
        }
    }
}

// --- sections ---

static void add_format_element(TextBuffer* out, const FormatElement* format) {
    text_add_format(out, "### `<%s>`\n\n%s\n", format->tag, format->help);
    if (format->n_attributes > 0) {
        text_add(out, "\n");
        add_table_head(out);
    }
    for (int i = 0; i < format->n_attributes; i++) {
        add_format_row(out, &format->attributes[i]);
    }
    for (int i = 0; i < format->n_attributes; i++) {
        add_choice_meanings(out, format->attributes[i].name,
                            format_choices(format->attributes[i].form));
    }
}

static void add_file_elements(TextBuffer* out) {
    static const FormatElement* const elements[] = {
        &mechanism_format, &experiment_format, &parameter_format, &constant_format,
        &input_format,     &table_format,      &outputs_format,   &output_format};
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        add_format_element(out, elements[i]);
        text_add(out, "\n");
    }
}

static void add_repeat(TextBuffer* out) {
    add_format_element(out, &repeat_format);
    text_add(out, "\n");
}

static void add_part(TextBuffer* out) {
    add_format_element(out, &part_format);
    text_add(out, "\n");
}

// NAME of a body or force, BODY.NAME of a shape, the tag of what there is once.
static void name_owner(const ElementKind* kind, char* owner, size_t size) {
    if (format_kind_is_single(kind)) {
        (void)snprintf(owner, size, "%s", kind->tag);
    } else {
        (void)snprintf(owner, size, kind->role == ROLE_SHAPE ? "BODY.NAME" : "NAME");
    }
}

static void add_variables(TextBuffer* out, const ElementKind* kind) {
    const KindUnion parameters = kind_union(kind, TABLE_PARAMETERS);
    const KindUnion outputs = kind_union(kind, TABLE_OUTPUTS);
    const KindUnion totals = kind_union(kind, TABLE_TOTALS);
    char owner[40];
    name_owner(kind, owner, sizeof owner);
    if (parameters.n > 0 && kind->role != ROLE_VERTEX) {
        text_add(out, "\nParameters of the FMU: ");
        for (int i = 0; i < parameters.n; i++) {
            const UnionEntry* entry = &parameters.entries[i];
            text_add_format(out, "%s`%s.%s`", i > 0 ? ", " : "", owner,
                            entry->kind->parameters[entry->index].name);
        }
        text_add(out, ".\n");
    }
    if (outputs.n + totals.n > 0) {
        text_add(out,
                 "\n| variable of the FMU | unit or values | by default | meaning |\n"
                 "|---|---|---|---|\n");
    }
    for (int i = 0; i < outputs.n; i++) {
        const UnionEntry* entry = &outputs.entries[i];
        add_output_row(out, owner, &entry->kind->outputs[entry->index], entry->variant);
    }
    for (int i = 0; i < totals.n; i++) {
        const UnionEntry* entry = &totals.entries[i];
        add_output_row(out, owner, &entry->kind->total_outputs[entry->index], entry->variant);
    }
}

static void add_attributes(TextBuffer* out, const ElementKind* kind) {
    const KindUnion parameters = kind_union(kind, TABLE_PARAMETERS);
    const KindUnion signals = kind_union(kind, TABLE_SIGNALS);
    for (int i = 0; i < N_COMMON_ATTRIBUTES; i++) {
        if (format_kind_has_common(kind, i)) {
            const AttributeInfo info = format_common(kind, i);
            add_format_row(out, &info);
        }
    }
    for (int i = 0; i < kind->n_references; i++) {
        add_reference_row(out, &kind->references[i]);
    }
    for (int i = 0; i < parameters.n; i++) {
        const UnionEntry* entry = &parameters.entries[i];
        add_parameter_row(out, &entry->kind->parameters[entry->index], entry->variant);
    }
    for (int i = 0; i < signals.n; i++) {
        const UnionEntry* entry = &signals.entries[i];
        add_signal_row(out, &entry->kind->signals[entry->index], entry->variant);
    }
}

// What the choices of its attributes mean
static void add_meanings(TextBuffer* out, const ElementKind* kind) {
    const KindUnion parameters = kind_union(kind, TABLE_PARAMETERS);
    for (int i = 0; i < parameters.n; i++) {
        const UnionEntry* entry = &parameters.entries[i];
        const ParameterInfo* info = &entry->kind->parameters[entry->index];
        add_choice_meanings(out, info->name, info->enumeration);
    }
}

static void add_kind(TextBuffer* out, const ElementKind* kind) {
    text_add_format(out, "### `<%s>`\n\n", kind->tag);
    add_cell(out, kind->help);
    text_add(out, format_kind_is_single(kind) ? " At most once." : "");
    text_add(out, kind->spatial_only ? " For mechanisms of space only.\n\n" : "\n\n");
    add_table_head(out);
    add_attributes(out, kind);
    add_meanings(out, kind);
    add_variables(out, kind);
    text_add(out, "\n");
}

static void add_kinds(TextBuffer* out, ElementRole role) {
    for (int i = 0; i < element_kinds_count; i++) {
        if (element_kinds[i]->role == role) {
            add_kind(out, element_kinds[i]);
        }
    }
}

static void add_settings(TextBuffer* out) { add_kinds(out, ROLE_SETTING); }
static void add_bodies(TextBuffer* out) { add_kinds(out, ROLE_BODY); }
static void add_shapes(TextBuffer* out) { add_kinds(out, ROLE_SHAPE); }
static void add_vertices(TextBuffer* out) { add_kinds(out, ROLE_VERTEX); }
static void add_joints(TextBuffer* out) { add_kinds(out, ROLE_JOINT); }
static void add_forces(TextBuffer* out) { add_kinds(out, ROLE_FORCE); }
static void add_contacts(TextBuffer* out) { add_kinds(out, ROLE_CONTACT); }
static void add_sensors(TextBuffer* out) { add_kinds(out, ROLE_SENSOR); }
static void add_uses(TextBuffer* out) { add_kinds(out, ROLE_USE); }

static void add_materials(TextBuffer* out) {
    add_format_element(out, &pair_format);
    for (int i = 0; i < contact_kind.n_parameters; i++) {
        ParameterInfo info = contact_kind.parameters[i];
        if (info.from_materials) {
            text_add_format(out, "| `%s` | number | %s | ", info.name, unit_get(info.unit)->name);
            text_add_double(out, info.start);
            text_add(out, " | ");
            add_range(out, info.min, info.max);
            text_add_format(out, " | | %s |\n", info.help);
        }
    }
    text_add(out, "\n");
}

static void add_functions(TextBuffer* out) {
    for (int i = 0; i < PROGRAM_FUNCTIONS; i++) {
        text_add_format(out, "%s`%s(%s)`", i > 0 ? ", " : "", program_functions[i].name,
                        program_functions[i].n_arguments == 2
                            ? (strcmp(program_functions[i].name, "atan2") == 0 ? "y, x" : "a, b")
                            : "x");
    }
    text_add(out, ", `if(condition, a, b)`, and `NAME(x)` of each `<table>`\n");
}

static void add_units(TextBuffer* out) {
    for (int id = 0; id < UNIT_COUNT; id++) {
        text_add_format(out, "%s`%s`", id > 0 ? ", " : "", unit_get((UnitId)id)->name);
    }
    text_add(out, "\n");
}

static void add_reserved(TextBuffer* out) {
    for (int i = 0; format_reserved_names[i] != NULL; i++) {
        text_add_format(out, "%s`%s`", i > 0 ? ", " : "", format_reserved_names[i]);
    }
    text_add(out, "\n");
}

static void add_tags(TextBuffer* out, ShapeType type, bool planar) {
    for (const char* tag = shape_type_tags(type, planar); *tag != '\0'; tag++) {
        text_add(out, *tag == '<' ? "`<" : "");
        text_add_bytes(out, tag, *tag == '<' ? 0 : 1);
        text_add(out, *tag == '>' ? "`" : "");
    }
}

// The pairs of shapes that meet
static void add_pairs(TextBuffer* out) {
    text_add(out, "| shape | meets | where | what touches |\n|---|---|---|---|\n");
    for (int i = 0; i < n_contact_pairs; i++) {
        const ContactPair* pair = &contact_pairs[i];
        text_add(out, "| ");
        const bool plane = contact_pair_meets(pair, true), space = contact_pair_meets(pair, false);
        add_tags(out, pair->first, !space);
        text_add(out, " | ");
        add_tags(out, pair->second, !space);
        text_add_format(out, " | %s | %s |\n",
                        !space   ? "plane"
                        : !plane ? "space"
                                 : "plane, space",
                        pair->help);
    }
    text_add(out, "\n");
}

// --- the template ---

typedef struct TemplatePlace {
    const char* line;
    void (*add)(TextBuffer* out);
} TemplatePlace;

static const TemplatePlace places[] = {
    {"<!-- file_elements -->", add_file_elements},
    {"<!-- settings -->", add_settings},
    {"<!-- bodies -->", add_bodies},
    {"<!-- shapes -->", add_shapes},
    {"<!-- vertices -->", add_vertices},
    {"<!-- pairs -->", add_pairs},
    {"<!-- joints -->", add_joints},
    {"<!-- forces -->", add_forces},
    {"<!-- contacts -->", add_contacts},
    {"<!-- sensors -->", add_sensors},
    {"<!-- repeat -->", add_repeat},
    {"<!-- part -->", add_part},
    {"<!-- uses -->", add_uses},
    {"<!-- materials -->", add_materials},
    {"<!-- functions -->", add_functions},
    {"<!-- units -->", add_units},
    {"<!-- reserved_names -->", add_reserved},
};

static bool add_place(TextBuffer* out, const char* line, size_t n) {
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (strlen(places[i].line) == n && memcmp(places[i].line, line, n) == 0) {
            places[i].add(out);
            return true;
        }
    }
    return false;
}

Status model_document_write(const char* template_text, TextBuffer* out) {
    static const char mark[] = "<!-- ";
    while (*template_text != '\0') {
        const size_t n = strcspn(template_text, "\n");
        if (strncmp(template_text, mark, strlen(mark)) != 0) {
            text_add_bytes(out, template_text, n);
            text_add(out, "\n");
        } else if (!add_place(out, template_text, n)) {
            return STATUS_NOT_AVAILABLE;
        }
        template_text += n + (template_text[n] == '\n');
    }
    return STATUS_OK;
}
