#include "reader/format.h"

#include <stddef.h>
#include <string.h>

#include "elements/bodies.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

// --- model ---

static const AttributeInfo mechanism_attributes[] = {
    {"name", "name of the model: the FMU's model name and identifier", FORM_PLAIN_NAME, NULL},
    {"description", "what the model is, in a sentence", FORM_TEXT, "empty"},
    {"author", "who wrote it", FORM_TEXT, "empty"},
    {"version", "version of the model", FORM_TEXT, "empty"},
    {"materials", "file with the table of material pairs, relative to the model file", FORM_TEXT,
     "no table"},
};
const FormatElement mechanism_format = {
    .tag = "mechanism",
    .help =
        "The whole model. The order of the elements in it does not matter, except that a "
        "parameter's expression can use only parameters that stand before it.",
    .attributes = mechanism_attributes,
    .n_attributes = COUNT(mechanism_attributes),
    .has_children = true,
};

static const AttributeInfo experiment_attributes[] = {
    {"start_time", "time at which the motion starts, s", FORM_CONSTANT, "0"},
    {"stop_time", "time at which it ends, s; later than start_time", FORM_CONSTANT,
     "start_time + 1"},
};
const FormatElement experiment_format = {
    .tag = "experiment",
    .help = "The default experiment: from when to when a simulation runs if nobody says otherwise.",
    .attributes = experiment_attributes,
    .n_attributes = COUNT(experiment_attributes),
};

static const AttributeInfo parameter_attributes[] = {
    {"name", "name, for expressions and of the FMU's variable", FORM_NAME, NULL},
    {"value", "value in SI units", FORM_EXPRESSION, NULL},
    {"unit", "unit of the FMU's variable", FORM_UNIT, "1"},
    {"min", "smallest value allowed", FORM_CONSTANT, "no bound"},
    {"max", "largest value allowed", FORM_CONSTANT, "no bound"},
    {"description", "what it is", FORM_TEXT, "empty"},
    {"tunable", "may it change between steps?", FORM_TRUTH, "false"},
};
const FormatElement parameter_format = {
    .tag = "parameter",
    .help =
        "A number of your own that expressions can use by its name. The attributes that depend "
        "on it follow when it is set in the FMU.",
    .attributes = parameter_attributes,
    .n_attributes = COUNT(parameter_attributes),
};

static const AttributeInfo input_attributes[] = {
    {"name", "name, for expressions and of the FMU's variable", FORM_NAME, NULL},
    {"unit", "unit of the FMU's variable", FORM_UNIT, "1"},
    {"start", "value until the host sets another", FORM_CONSTANT, "0"},
    {"min", "smallest value allowed", FORM_CONSTANT, "no bound"},
    {"max", "largest value allowed", FORM_CONSTANT, "no bound"},
    {"description", "what it is", FORM_TEXT, "empty"},
};
const FormatElement input_format = {
    .tag = "input",
    .help = "A signal that the host of the FMU sets while it runs; forces and torques can use it.",
    .attributes = input_attributes,
    .n_attributes = COUNT(input_attributes),
};

static const EnumerationItem interpolations[] = {
    {"linear", "straight from row to row"},
    {"held", "the value of the last row at or before the argument, constant up to the next"},
    {"smooth",
     "a cubic spline through all rows, whose first two derivatives are continuous; between rows it "
     "can go beyond their values"},
};
static const EnumerationType interpolation_type = {"interpolation",
                                                   "what is between the rows of a table",
                                                   interpolations, COUNT(interpolations), 0};

static const EnumerationItem beyonds[] = {
    {"hold", "the value of the first or last row"},
    {"repeat",
     "the rows again and again: the last one ends a period and is the first of the next one"},
    {"extrapolate", "a straight line with the slope that the table has at its end"},
    {"error", "none: the motion ends there with an error"},
};
static const EnumerationType beyond_type = {
    "beyond", "what is before the first and after the last row", beyonds, COUNT(beyonds), 0};

static const AttributeInfo table_attributes[] = {
    {"name", "name, to be called in expressions", FORM_PLAIN_NAME, NULL},
    {"rows",
     "the rows, separated by semicolons: argument and value of each, separated by blanks; "
     "arguments increase",
     FORM_TEXT, "those of the file"},
    {"file", "file with the rows as CSV, relative to the model file", FORM_TEXT, "rows are given"},
    {"argument", "name of the file's column with the arguments, which increase", FORM_TEXT,
     "the first column"},
    {"value", "name of the file's column with the values", FORM_TEXT,
     "the second column of a file that has two"},
    {"interpolation", "what is between the rows", FORM_INTERPOLATION, "linear"},
    {"beyond", "what is before the first and after the last row", FORM_BEYOND, "hold"},
    {"description", "a note for readers of the file", FORM_TEXT, "empty"},
};
const FormatElement table_format = {
    .tag = "table",
    .help =
        "A function of one argument that is given by its values: expressions call it by its name, "
        "as in profile(t).",
    .attributes = table_attributes,
    .n_attributes = COUNT(table_attributes),
};

const FormatElement outputs_format = {
    .tag = "outputs",
    .help =
        "The outputs of the FMU. Without this element they are those marked as output in the "
        "tables of this page; with it they are those listed in it, and all others are local "
        "variables.",
    .has_children = true,
};

static const AttributeInfo output_attributes[] = {
    {"variable", "name of a variable of the FMU, such as ball.velocity_x", FORM_VARIABLE, NULL},
};
const FormatElement output_format = {
    .tag = "output",
    .help = "One output.",
    .attributes = output_attributes,
    .n_attributes = COUNT(output_attributes),
};

static const AttributeInfo constant_attributes[] = {
    {"name", "name, for expressions", FORM_NAME, NULL},
    {"value", "value in SI units", FORM_CONSTANT, NULL},
    {"description", "a note for readers of the file", FORM_TEXT, "empty"},
};
const FormatElement constant_format = {
    .tag = "constant",
    .help =
        "A number with a name that every expression can use, also where a constant is expected, "
        "such as in the count of a repetition. It stands in a mechanism, a part or any repetition "
        "and is no variable of the FMU.",
    .attributes = constant_attributes,
    .n_attributes = COUNT(constant_attributes),
};

static const AttributeInfo repeat_attributes[] = {
    {"count", "how often, a whole number", FORM_CONSTANT, NULL},
    {"index", "name of the index, which expressions in it can use", FORM_PLAIN_NAME, "i"},
    {"first", "index of the first repetition", FORM_CONSTANT, "1"},
};
const FormatElement repeat_format = {
    .tag = "repeat",
    .help =
        "Makes what stands in it again and again. It can stand in a mechanism, a part, a body, "
        "the outputs or another repetition.",
    .attributes = repeat_attributes,
    .n_attributes = COUNT(repeat_attributes),
    .has_children = true,
};

static const AttributeInfo part_attributes[] = {
    {"name", "name, for <use>", FORM_PLAIN_NAME, NULL},
    {"description", "a note for readers of the file", FORM_TEXT, "empty"},
};
const FormatElement part_format = {
    .tag = "part",
    .help =
        "What a mechanism has more than once: bodies, joints and all else that stands in a "
        "mechanism. It is made where a <use> says so, and nowhere else.",
    .attributes = part_attributes,
    .n_attributes = COUNT(part_attributes),
    .has_children = true,
};

// --- materials ---

const FormatElement materials_format = {
    .tag = "materials",
    .help = "A table of material pairs.",
    .has_children = true,
};

static const AttributeInfo pair_attributes[] = {
    {"first", "one material", FORM_TEXT, NULL},
    {"second", "the other material, or the same", FORM_TEXT, NULL},
    {"source", "where the values come from", FORM_TEXT, "empty"},
};
const FormatElement pair_format = {
    .tag = "pair",
    .help =
        "What holds in a contact of two materials, in either order. Values left out take the "
        "defaults of contacts.",
    .attributes = pair_attributes,
    .n_attributes = COUNT(pair_attributes),
};

const EnumerationType* format_choices(AttributeForm form) {
    return form == FORM_INTERPOLATION ? &interpolation_type
           : form == FORM_BEYOND      ? &beyond_type
                                      : NULL;
}

bool format_has_attribute(const FormatElement* format, const char* name) {
    for (int i = 0; i < format->n_attributes; i++) {
        if (strcmp(format->attributes[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// --- kinds of elements ---

static const AttributeInfo common_attributes[N_COMMON_ATTRIBUTES] = {
    [COMMON_NAME] = {"name", "name, unique where it stands", FORM_NAME, NULL},
    [COMMON_PART] = {"part", "name of the <part>", FORM_PLAIN_NAME, NULL},
    [COMMON_DESCRIPTION] = {"description", "a note for readers of the file", FORM_TEXT, "empty"},
    [COMMON_MATERIAL] = {"material", "name of its material in the table of material pairs",
                         FORM_TEXT, "that of the body it stands in"},
    [COMMON_GROUP] = {"group", "name of the group that it is in, for <contacts>", FORM_PLAIN_NAME,
                      "none"},
    [COMMON_FILE] = {"file",
                     "file with its points, STL (binary or text) or OBJ, relative to the model "
                     "file; how they are connected does not matter",
                     FORM_TEXT, "it has vertices"},
};

bool format_kind_is_single(const ElementKind* kind) {
    return kind->role == ROLE_SETTING || kind == &ground_kind;
}

bool format_kind_has_common(const ElementKind* kind, int common) {
    switch (common) {
        case COMMON_NAME:
            return !format_kind_is_single(kind) && kind->role != ROLE_VERTEX;
        case COMMON_PART:
            return kind->role == ROLE_USE;
        case COMMON_MATERIAL:
            return kind->role == ROLE_BODY || kind->role == ROLE_SHAPE;
        case COMMON_GROUP:  // what has a surface, or is the skin of a body that has one
            return kind->role == ROLE_SHAPE && (kind->surface != NULL || kind->along_line);
        case COMMON_FILE:
            return kind->has_file;
        default:
            return true;
    }
}

AttributeInfo format_common(const ElementKind* kind, int common) {
    AttributeInfo info = common_attributes[common];
    if (common == COMMON_MATERIAL && kind->role == ROLE_BODY) {
        info.otherwise = "none";
    }
    return info;
}

const char* const format_reserved_names[] = {"time",    "energy", "t",   "e",  "pi",
                                             "ground",  "if",     "and", "or", "not",
                                             "gravity", "solver", NULL};
