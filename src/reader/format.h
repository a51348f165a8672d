// The parts of the file formats that are no kind of element: one table each, for the reader, the
// schema and the documentation alike.
#pragma once

#include <stdbool.h>

#include "elements/element.h"

typedef enum AttributeForm {
    FORM_NAME,        // a letter, then letters, digits and underscores; indices may follow
    FORM_TEXT,        // anything
    FORM_NUMBER,      // a plain number
    FORM_CONSTANT,    // an expression of numbers
    FORM_EXPRESSION,  // an expression of numbers and of parameters that stand before it
    FORM_UNIT,        // the name of a unit
    FORM_TRUTH,       // true or false
    FORM_VARIABLE,    // the name of a variable of the FMU
    FORM_PLAIN_NAME,  // the same without indices behind it
    FORM_INTERPOLATION,
    FORM_BEYOND,
} AttributeForm;

typedef struct AttributeInfo {
    const char* name;
    const char* help;
    AttributeForm form;
    const char* otherwise;  // what holds if it is left out, in words; NULL: it must be given
} AttributeInfo;

typedef struct FormatElement {
    const char* tag;
    const char* help;
    const AttributeInfo* attributes;  // (n_attributes)
    int n_attributes;
    bool has_children;
} FormatElement;

// Elements of a model file
extern const FormatElement mechanism_format;
extern const FormatElement experiment_format;
extern const FormatElement parameter_format;
extern const FormatElement input_format;
extern const FormatElement table_format;
extern const FormatElement outputs_format;
extern const FormatElement output_format;
extern const FormatElement constant_format;
extern const FormatElement repeat_format;
extern const FormatElement part_format;

// Elements of a table of materials; a pair also has the parameters of contacts from materials.
extern const FormatElement materials_format;
extern const FormatElement pair_format;

// What can be chosen where an attribute has one of the last two forms, in the order of
// Interpolation and Beyond (expression/table.h); NULL of the others.
const EnumerationType* format_choices(AttributeForm form);

bool format_has_attribute(const FormatElement* format, const char* name);

// Attributes that many kinds of elements have beside those of their own table.
enum {
    COMMON_NAME,
    COMMON_PART,
    COMMON_DESCRIPTION,
    COMMON_MATERIAL,
    COMMON_GROUP,
    COMMON_FILE,
    N_COMMON_ATTRIBUTES
};
bool format_kind_has_common(const ElementKind* kind, int common);
AttributeInfo format_common(const ElementKind* kind, int common);

// Kinds of which a mechanism has one at most; it is called by its tag.
bool format_kind_is_single(const ElementKind* kind);

// Names that users cannot give, NULL-terminated.
extern const char* const format_reserved_names[];
