// XML schemas (XSD 1.0) of model files and of tables of materials. They say what can be said
// without evaluating anything: elements, attributes, names and choices. That a reference leads
// somewhere, that an expression can be read, and that a value is in range, `clatter check` says.
#include <math.h>
#include <string.h>

#include "reader/element_kinds.h"
#include "elements/contact.h"
#include "expression/expression.h"
#include "kind_union.h"
#include "model_format.h"
#include "reader/format.h"
#include "reader/model.h"

#define NAME_PATTERN "[A-Za-z][A-Za-z0-9_]*"
#define INDEXED_PATTERN NAME_PATTERN "(\\[[^\\[\\]]+\\])?"
#define PATH_PATTERN INDEXED_PATTERN "(\\." INDEXED_PATTERN ")*"

// What stands in a mechanism, in a part and in a repetition there
#define CONSTANT "      <xs:element name=\"constant\" type=\"constant\"/>\n"
#define NAMED_CONTENT                                                      \
    "      <xs:element name=\"parameter\" type=\"parameter\"/>\n" CONSTANT \
    "      <xs:element name=\"input\" type=\"input\"/>\n"                  \
    "      <xs:element name=\"outputs\" type=\"outputs\"/>\n"              \
    "      <xs:element name=\"repeat\" type=\"repeat\"/>\n"

static void add_documentation(TextBuffer* out, const char* indent, const char* text) {
    text_add_format(out, "%s<xs:annotation><xs:documentation>", indent);
    text_add_xml(out, text);
    text_add(out, "</xs:documentation></xs:annotation>\n");
}

static void open_schema(TextBuffer* out, const char* xml_namespace, const char* help) {
    text_add_format(out,
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<!-- Written by tools/model_format from the tables of the program. -->\n"
                    "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns=\"%s\"\n"
                    "           targetNamespace=\"%s\" elementFormDefault=\"qualified\">\n",
                    xml_namespace, xml_namespace);
    add_documentation(out, "  ", help);
}

// --- simple types ---

static void add_pattern_type(TextBuffer* out, const char* name, const char* help,
                             const char* pattern) {
    text_add_format(out, "  <xs:simpleType name=\"%s\">\n", name);
    add_documentation(out, "    ", help);
    text_add_format(out,
                    "    <xs:restriction base=\"xs:string\"><xs:pattern value=\"%s\"/>"
                    "</xs:restriction>\n  </xs:simpleType>\n",
                    pattern);
}

static void open_enumeration(TextBuffer* out, const char* name, const char* help) {
    text_add_format(out, "  <xs:simpleType name=\"%s\">\n", name);
    add_documentation(out, "    ", help);
    text_add(out, "    <xs:restriction base=\"xs:string\">\n");
}

static void add_enumeration_item(TextBuffer* out, const char* name, const char* help) {
    text_add_format(out, "      <xs:enumeration value=\"%s\">\n", name);
    add_documentation(out, "        ", help);
    text_add(out, "      </xs:enumeration>\n");
}

static void close_enumeration(TextBuffer* out) {
    text_add(out, "    </xs:restriction>\n  </xs:simpleType>\n");
}

static void add_expression_type(TextBuffer* out) {
    text_add(out, "  <xs:simpleType name=\"expression\">\n");
    add_documentation(out, "    ", "a number, or an expression such as 2/5*mass*radius^2");
    text_add_format(out,
                    "    <xs:restriction base=\"xs:string\"><xs:minLength value=\"1\"/>"
                    "<xs:maxLength value=\"%d\"/></xs:restriction>\n  </xs:simpleType>\n",
                    (int)EXPRESSION_LENGTH);
}

static void add_unit_type(TextBuffer* out) {
    open_enumeration(out, "unit", "a unit of the SI; 1 for numbers without a unit");
    for (int id = 0; id < UNIT_COUNT; id++) {
        text_add_format(out, "      <xs:enumeration value=\"%s\"/>\n", unit_get((UnitId)id)->name);
    }
    close_enumeration(out);
}

// Does a kind before this one, or this one before this entry, use the same type?
static bool enumeration_is_new(const EnumerationType* type, int kind, int entry) {
    for (int i = 0; i <= kind; i++) {
        const KindUnion all = kind_union(element_kinds[i], TABLE_PARAMETERS);
        for (int j = 0; j < (i < kind ? all.n : entry); j++) {
            if (all.entries[j].kind->parameters[all.entries[j].index].enumeration == type) {
                return false;
            }
        }
    }
    return true;
}

static void add_enumeration_type(TextBuffer* out, const EnumerationType* type) {
    open_enumeration(out, type->name, type->help);
    for (int item = 0; item < type->n_items; item++) {
        add_enumeration_item(out, enumeration_item(type, item)->name,
                             enumeration_item(type, item)->help);
    }
    close_enumeration(out);
}

static void add_enumeration_types(TextBuffer* out) {
    for (int i = 0; i < element_kinds_count; i++) {
        const KindUnion all = kind_union(element_kinds[i], TABLE_PARAMETERS);
        for (int j = 0; j < all.n; j++) {
            const EnumerationType* type =
                all.entries[j].kind->parameters[all.entries[j].index].enumeration;
            if (type == NULL || !enumeration_is_new(type, i, j)) {
                continue;
            }
            add_enumeration_type(out, type);
        }
    }
    add_enumeration_type(out, format_choices(FORM_INTERPOLATION));
    add_enumeration_type(out, format_choices(FORM_BEYOND));
}

// --- attributes ---

static const char* form_type(AttributeForm form) {
    switch (form) {
        case FORM_NAME:
            return "name";
        case FORM_PLAIN_NAME:
            return "plain_name";
        case FORM_TEXT:
            return "xs:string";
        case FORM_NUMBER:
            return "xs:double";
        case FORM_CONSTANT:
        case FORM_EXPRESSION:
            return "expression";
        case FORM_UNIT:
            return "unit";
        case FORM_TRUTH:
            return "truth";
        case FORM_VARIABLE:
            return "variable";
        case FORM_INTERPOLATION:
        case FORM_BEYOND:
            return format_choices(form)->name;
    }
    return "";
}

static void add_attribute(TextBuffer* out, const char* name, const char* type, bool required,
                          const char* help) {
    text_add_format(out, "    <xs:attribute name=\"%s\" type=\"%s\"%s>\n", name, type,
                    required ? " use=\"required\"" : "");
    add_documentation(out, "      ", help);
    text_add(out, "    </xs:attribute>\n");
}

static void add_format_attribute(TextBuffer* out, const AttributeInfo* info) {
    TextBuffer help = {0};
    text_add(&help, info->help);
    if (info->otherwise != NULL) {
        text_add_format(&help, "; default: %s", info->otherwise);
    }
    add_attribute(out, info->name, form_type(info->form), info->otherwise == NULL,
                  help.text != NULL ? help.text : "");
    out->failed = out->failed || help.failed;
    text_buffer_free(&help);
}

static void describe_parameter(TextBuffer* out, const ParameterInfo* info, Variant variant) {
    text_add_format(out, "%s%s", info->help, variant_words(variant));
    if (info->type == VARIABLE_REAL) {
        text_add_format(out, "; unit %s", unit_get(info->unit)->name);
    }
    if (isnan(info->start) && info->from_shapes) {
        text_add(out, "; default: from its shapes");
    } else if (!isnan(info->start)) {
        text_add(out, "; default: ");
        if (info->from_materials) {
            text_add(out, "from the table of material pairs, else ");
        }
        if (info->enumeration != NULL) {
            text_add(out, enumeration_item(info->enumeration, (int)info->start - 1)->name);
        } else {
            text_add_double(out, info->start);
        }
    }
    text_add(out, info->structural ? "; a constant" : info->tunable ? "; tunable" : "; fixed");
}

// What one of two variants alone has cannot be required: the other does without.
static void add_parameter(TextBuffer* out, const ParameterInfo* info, Variant variant,
                          const char* number_type) {
    TextBuffer help = {0};
    describe_parameter(&help, info, variant);
    add_attribute(out, info->name,
                  info->enumeration != NULL ? info->enumeration->name : number_type,
                  isnan(info->start) && !info->from_shapes && variant == VARIANT_BOTH,
                  help.text != NULL ? help.text : "");
    out->failed = out->failed || help.failed;
    text_buffer_free(&help);
}

static void add_signal(TextBuffer* out, const SignalInfo* info, Variant variant) {
    TextBuffer help = {0};
    text_add_format(&help, "%s%s, an expression of %s; unit %s", info->help, variant_words(variant),
                    info->variable != NULL ? "the angle, parameters and tables"
                    : info->of_x           ? "x, parameters and tables"
                                           : "time and inputs",
                    unit_get(info->unit)->name);
    if (info->start != NULL) {
        text_add_format(&help, "; default: %s", info->start);
    }
    add_attribute(out, info->name, "expression", info->start == NULL && variant == VARIANT_BOTH,
                  help.text != NULL ? help.text : "");
    out->failed = out->failed || help.failed;
    text_buffer_free(&help);
}

// --- elements ---

static void add_element(TextBuffer* out, const char* tag) {
    text_add_format(out, "      <xs:element name=\"%s\" type=\"%s\"/>\n", tag, tag);
}

// What stands in a shape
static void add_vertices(TextBuffer* out, const ElementKind* shape) {
    text_add(out,
             "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n"
             "      <xs:element name=\"repeat\" type=\"repeat_of_vertices\"/>\n");
    for (int i = 0; i < shape->n_vertex_kinds; i++) {
        add_element(out, shape->vertices[i]->tag);
    }
    text_add(out, "    </xs:choice>\n");
}

static void add_kind_type(TextBuffer* out, const ElementKind* kind) {
    const KindUnion parameters = kind_union(kind, TABLE_PARAMETERS);
    const KindUnion signals = kind_union(kind, TABLE_SIGNALS);
    text_add_format(out, "  <xs:complexType name=\"%s\">\n", kind->tag);
    add_documentation(out, "    ", kind->help);
    if (kind->role == ROLE_BODY) {
        text_add(out,
                 "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n"
                 "      <xs:element name=\"repeat\" type=\"repeat_of_shapes\"/>\n"
                 "      <xs:group ref=\"shapes\"/>\n"
                 "    </xs:choice>\n");
    }
    if (kind->n_vertex_kinds > 0) {
        add_vertices(out, kind);
    }
    for (int i = 0; i < N_COMMON_ATTRIBUTES; i++) {
        if (format_kind_has_common(kind, i)) {
            const AttributeInfo info = format_common(kind, i);
            add_format_attribute(out, &info);
        }
    }
    for (int i = 0; i < kind->n_references; i++) {
        const ReferenceInfo* info = &kind->references[i];
        add_attribute(out, info->name, info->type == REFERENCE_GROUP ? "plain_name" : "reference",
                      info->required, info->help);
    }
    for (int i = 0; i < parameters.n; i++) {
        const UnionEntry* entry = &parameters.entries[i];
        add_parameter(out, &entry->kind->parameters[entry->index], entry->variant, "expression");
    }
    for (int i = 0; i < signals.n; i++) {
        const UnionEntry* entry = &signals.entries[i];
        add_signal(out, &entry->kind->signals[entry->index], entry->variant);
    }
    if (kind->role == ROLE_USE) {  // the parameters of the part
        text_add(out, "    <xs:anyAttribute namespace=\"##local\" processContents=\"skip\"/>\n");
    }
    text_add(out, "  </xs:complexType>\n");
}

static void add_named_type(TextBuffer* out, const char* name, const FormatElement* format,
                           const char* content) {
    text_add_format(out, "  <xs:complexType name=\"%s\">\n", name);
    add_documentation(out, "    ", format->help);
    text_add(out, content);
    for (int i = 0; i < format->n_attributes; i++) {
        add_format_attribute(out, &format->attributes[i]);
    }
}

static void add_format_type(TextBuffer* out, const FormatElement* format, const char* content) {
    add_named_type(out, format->tag, format, content);
}

static void close_type(TextBuffer* out) { text_add(out, "  </xs:complexType>\n"); }

// What stands in a mechanism, in a body or in a shape
static ElementRole place_of(const ElementKind* kind) {
    return kind->role == ROLE_SHAPE || kind->role == ROLE_VERTEX ? kind->role : ROLE_BODY;
}

static void add_group(TextBuffer* out, const char* name, ElementRole place) {
    text_add_format(out, "  <xs:group name=\"%s\">\n    <xs:choice>\n", name);
    for (int i = 0; i < element_kinds_count; i++) {
        const ElementKind* kind = element_kinds[i];
        if (place_of(kind) != place) {
            continue;
        }
        if (kind->role == ROLE_BODY) {  // the shapes on one body have names of their own
            text_add_format(out,
                            "      <xs:element name=\"%s\" type=\"%s\">\n"
                            "        <xs:unique name=\"names_in_%s\"><xs:selector xpath=\"*\"/>"
                            "<xs:field xpath=\"@name\"/></xs:unique>\n      </xs:element>\n",
                            kind->tag, kind->tag, kind->tag);
        } else {
            add_element(out, kind->tag);
        }
    }
    text_add(out, "    </xs:choice>\n  </xs:group>\n");
}

static void add_simple_types(TextBuffer* out) {
    add_pattern_type(out, "plain_name", "a letter, then letters, digits and underscores",
                     NAME_PATTERN);
    add_pattern_type(out, "name",
                     "a letter, then letters, digits and underscores; indices may follow, as in "
                     "link[2]",
                     NAME_PATTERN "(\\[[1-9][0-9]*(,[1-9][0-9]*)*\\])?");
    add_pattern_type(out, "reference",
                     "the name of a body, ground, or a shape written as body.shape; of what is "
                     "repeated or in a part, link[i-1].end or left.thigh.foot",
                     PATH_PATTERN);
    add_pattern_type(out, "variable", "the name of a variable of the FMU", PATH_PATTERN);
    add_pattern_type(out, "truth", "true or false", "true|false");
    add_expression_type(out);
    add_unit_type(out);
    add_enumeration_types(out);
}

// Parts, and repetitions by what they stand in
static void add_repetitions(TextBuffer* out) {
    static const char open[] = "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n";
    static const struct {
        const char* name;
        const FormatElement* format;
        const char* content;
    } types[] = {
        {"part", &part_format, NAMED_CONTENT "      <xs:group ref=\"elements\"/>\n"},
        {"repeat", &repeat_format, NAMED_CONTENT "      <xs:group ref=\"elements\"/>\n"},
        {"repeat_of_shapes", &repeat_format,
         CONSTANT "      <xs:element name=\"repeat\" type=\"repeat_of_shapes\"/>\n"
                  "      <xs:group ref=\"shapes\"/>\n"},
        {"repeat_of_vertices", &repeat_format,
         CONSTANT "      <xs:element name=\"repeat\" type=\"repeat_of_vertices\"/>\n"
                  "      <xs:group ref=\"vertices\"/>\n"},
        {"repeat_of_outputs", &repeat_format,
         CONSTANT "      <xs:element name=\"repeat\" type=\"repeat_of_outputs\"/>\n"
                  "      <xs:element name=\"output\" type=\"output\"/>\n"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        TextBuffer content = {0};
        text_add_format(&content, "%s%s    </xs:choice>\n", open, types[i].content);
        add_named_type(out, types[i].name, types[i].format,
                       content.text != NULL ? content.text : "");
        close_type(out);
        out->failed = out->failed || content.failed;
        text_buffer_free(&content);
    }
}

void model_schema_write(TextBuffer* out) {
    static const FormatElement* const simple[] = {&experiment_format, &parameter_format,
                                                  &constant_format,   &input_format,
                                                  &table_format,      &output_format};
    open_schema(out, MODEL_NAMESPACE,
                "Mechanisms with hard contacts, version 1. Whether references lead somewhere, "
                "expressions can be read and values are in range, the command clatter check says.");
    text_add(out,
             "  <xs:element name=\"mechanism\" type=\"mechanism\">\n"
             "    <xs:unique name=\"names\"><xs:selector xpath=\"*\"/>"
             "<xs:field xpath=\"@name\"/></xs:unique>\n  </xs:element>\n");
    add_format_type(out, &mechanism_format,
                    "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n"
                    "      <xs:element name=\"experiment\" type=\"experiment\"/>\n" NAMED_CONTENT
                    "      <xs:element name=\"table\" type=\"table\"/>\n"
                    "      <xs:element name=\"part\" type=\"part\">\n"
                    "        <xs:unique name=\"names_in_part\"><xs:selector xpath=\"*\"/>"
                    "<xs:field xpath=\"@name\"/></xs:unique>\n      </xs:element>\n"
                    "      <xs:group ref=\"elements\"/>\n"
                    "    </xs:choice>\n");
    close_type(out);
    add_repetitions(out);
    for (size_t i = 0; i < sizeof simple / sizeof simple[0]; i++) {
        add_format_type(out, simple[i], "");
        close_type(out);
    }
    add_format_type(out, &outputs_format,
                    "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n"
                    "      <xs:element name=\"output\" type=\"output\"/>\n"
                    "      <xs:element name=\"repeat\" type=\"repeat_of_outputs\"/>\n"
                    "    </xs:choice>\n");
    close_type(out);
    add_group(out, "elements", ROLE_BODY);
    add_group(out, "shapes", ROLE_SHAPE);
    add_group(out, "vertices", ROLE_VERTEX);
    for (int i = 0; i < element_kinds_count; i++) {
        add_kind_type(out, element_kinds[i]);
    }
    add_simple_types(out);
    text_add(out, "</xs:schema>\n");
}

void materials_schema_write(TextBuffer* out) {
    open_schema(out, MATERIALS_NAMESPACE, "Tables of material pairs, version 1.");
    text_add(out, "  <xs:element name=\"materials\" type=\"materials\"/>\n");
    add_format_type(out, &materials_format,
                    "    <xs:sequence minOccurs=\"0\" maxOccurs=\"unbounded\">\n"
                    "      <xs:element name=\"pair\" type=\"pair\"/>\n"
                    "    </xs:sequence>\n");
    close_type(out);
    add_format_type(out, &pair_format, "");
    for (int i = 0; i < contact_kind.n_parameters; i++) {
        if (contact_kind.parameters[i].from_materials) {
            ParameterInfo info = contact_kind.parameters[i];
            info.from_materials = false;
            add_parameter(out, &info, VARIANT_BOTH, "xs:double");
        }
    }
    close_type(out);
    text_add(out, "</xs:schema>\n");
}
