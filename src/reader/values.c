// Values of attributes: numbers and expressions of parameters, signals, choices.
#include <math.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "reader/element_kinds.h"
#include "reader/other_words.h"
#include "reader/reader.h"

static const Expression* compile(Reader* reader, const XmlNode* node, const char* text,
                                 const Scope* scope) {
    ExpressionError error;
    const SymbolTable symbols = scope_symbols(scope);
    const Expression* expression = expression_compile(text, &symbols, reader->arena, &error);
    if (expression == NULL && !reader->arena->exhausted) {
        const Place place =
            node != NULL ? xml_attribute_place(reader->tree, node, scope->attribute, error.at)
                         : (Place){.file = reader->tree->file, .line = 0, .column = 0};
        report_add(reader->report, SEVERITY_ERROR, place, "%s=\"%.80s\": %s", scope->attribute,
                   text, error.message);
    }
    return expression;
}

static bool in_range(double value, double min, double max) {
    return isfinite(value) && value >= min && value <= max;
}

static void report_range(Reader* reader, const XmlNode* node, const char* name, double value,
                         double min, double max) {
    const char* text = xml_attribute(node, name);
    if (isinf(min) && isinf(max)) {
        ATTRIBUTE_ERROR(reader, node, name, "%s=\"%.80s\" is %g: expected a finite number", name,
                        text, value);
    } else if (isinf(max)) {
        ATTRIBUTE_ERROR(reader, node, name, "%s=\"%.80s\" is %g: expected at least %g", name, text,
                        value, min);
    } else {
        ATTRIBUTE_ERROR(reader, node, name, "%s=\"%.80s\" is %g: expected from %g to %g", name,
                        text, value, min, max);
    }
}

double read_number(Reader* reader, const XmlNode* node, const char* name, double otherwise,
                   double min, double max) {
    const char* text = xml_attribute(node, name);
    if (text == NULL) {
        return otherwise;
    }
    const Scope scope = {.reader = reader, .where = node->scope, .attribute = name};
    const ArenaMark mark = arena_mark(reader->arena);
    const Expression* expression = compile(reader, node, text, &scope);
    if (expression == NULL) {
        return NAN;
    }
    const double value = expression_value(expression, 0.0, NULL);
    arena_return(reader->arena, mark);
    if (!in_range(value, min, max)) {
        report_range(reader, node, name, value, min, max);
        return NAN;
    }
    return value;
}

long read_count(Reader* reader, const XmlNode* node, const char* name, long otherwise, long min,
                long max) {
    if (xml_attribute(node, name) == NULL) {
        if (otherwise < 0) {
            NODE_ERROR(reader, node, "<%s> needs the attribute %s", node->tag, name);
        }
        return otherwise;
    }
    const double value = read_number(reader, node, name, NAN, (double)min, (double)max);
    if (value != floor(value) && !isnan(value)) {
        ATTRIBUTE_ERROR(reader, node, name, "%s=\"%.80s\" is %g: expected a whole number", name,
                        xml_attribute(node, name), value);
        return -1;
    }
    return isnan(value) ? -1 : (long)value;
}

double read_constant(Reader* reader, const XmlNode* node) {
    if (node->given_by != NULL) {
        return read_number(reader, node->given_by, xml_attribute(node, "name"), NAN, -INFINITY,
                           INFINITY);
    }
    if (xml_attribute(node, "value") == NULL) {
        NODE_ERROR(reader, node, "<constant> needs the attribute value");
    }
    return read_number(reader, node, "value", NAN, -INFINITY, INFINITY);
}

int read_choice(Reader* reader, const XmlNode* node, const char* name, const EnumerationType* type,
                int otherwise) {
    const char* text = xml_attribute(node, name);
    char expected[256] = "";
    for (int i = 0; i < type->n_items && text != NULL; i++) {
        if (strcmp(enumeration_item(type, i)->name, text) == 0) {
            return i + 1;
        }
        text_append(expected, sizeof expected, "%s%s", i > 0 ? " or " : "",
                    enumeration_item(type, i)->name);
    }
    if (text != NULL) {
        ATTRIBUTE_ERROR(reader, node, name, "%s=\"%.80s\": expected %s", name, text, expected);
    }
    return otherwise;
}

// Is the expression allowed to depend on the user parameters that it uses?
static void check_tunable(Reader* reader, const XmlNode* node, const char* attribute,
                          const Element* owner, const ModelParameter* parameter) {
    for (int i = 0, slot; (slot = expression_symbol(parameter->expression, i)) >= 0; i++) {
        if (!parameter->info->tunable && reader->parameters[slot].info->tunable) {
            ATTRIBUTE_ERROR(reader, node, attribute,
                            "%s%s%s is fixed and cannot depend on the tunable parameter %s",
                            owner != NULL ? owner->name : "", owner != NULL ? "." : "",
                            parameter->info->name, reader->parameters[slot].name);
            return;
        }
    }
}

// owner: the element that it is of, NULL: a user parameter
static void read_parameter(Reader* reader, const XmlNode* node, const char* attribute, Scope scope,
                           const Element* owner, ModelParameter* parameter) {
    const ParameterInfo* info = parameter->info;
    const char* text = node != NULL ? xml_attribute(node, attribute) : NULL;
    parameter->start = info->start;
    if (parameter->from_shapes) {
        parameter->start = fmax(1.0, info->min);  // until surfaces are known
        if (text != NULL) {
            ATTRIBUTE_ERROR(reader, node, attribute,
                            "%s=\"%.80s\" without mass: both are given, or both follow from the "
                            "densities of the shapes",
                            attribute, text);
        }
        return;
    }
    if (text == NULL) {
        if (isnan(info->start) && node != NULL) {
            NODE_ERROR(reader, node, "<%s> needs the attribute %s (%s)", node->tag, attribute,
                       info->help[0] != '\0' ? info->help : "a number or an expression");
            parameter->start = fmax(1.0, info->min);
        }
        return;
    }
    if (info->type == VARIABLE_ENUMERATION) {
        parameter->start =
            read_choice(reader, node, attribute, info->enumeration, (int)info->start);
        return;
    }
    scope.attribute = attribute;
    scope.n_user_parameters = info->structural ? 0 : scope.n_user_parameters;
    const ArenaMark mark = arena_mark(reader->arena);
    const Expression* expression = compile(reader, node, text, &scope);
    if (expression == NULL) {
        return;
    }
    parameter->start = expression_value(expression, 0.0, reader->user_values);
    if (!in_range(parameter->start, info->min, info->max)) {
        report_range(reader, node, attribute, parameter->start, info->min, info->max);
    } else if (info->type == VARIABLE_INTEGER && parameter->start != floor(parameter->start)) {
        ATTRIBUTE_ERROR(reader, node, attribute, "%s=\"%.80s\": expected a whole number", attribute,
                        text);
    }
    if (!expression_is_constant(expression)) {
        parameter->expression = expression;
        check_tunable(reader, node, attribute, owner, parameter);
    } else {
        arena_return(reader->arena, mark);  // the number is all that counts
    }
}

static UnitId read_unit(Reader* reader, const XmlNode* node) {
    const char* name = xml_attribute(node, "unit");
    if (name == NULL) {
        return UNIT_ONE;
    }
    const UnitId unit = unit_find(name);
    if (unit < UNIT_COUNT) {
        return unit;
    }
    char known[256] = "";
    for (int id = 0; id < UNIT_COUNT; id++) {
        const size_t used = strlen(known);
        memcpy(known + used, " ", 2);
        memcpy(known + used + 1, unit_get((UnitId)id)->name,
               strlen(unit_get((UnitId)id)->name) + 1);
    }
    ATTRIBUTE_ERROR(reader, node, "unit", "unit=\"%.40s\" is not known: expected one of%s", name,
                    known);
    return UNIT_ONE;
}

static const char* description(const XmlNode* node) {
    const char* text = xml_attribute(node, "description");
    return text != NULL ? text : "";
}

void refuse_children(Reader* reader, const XmlNode* node) {
    if (node->first_child != NULL) {
        NODE_ERROR(reader, node->first_child, "<%s> cannot contain other elements", node->tag);
    }
}

// Says that attribute i is none of the element, and which one may be meant.
static void refuse_attribute(Reader* reader, const XmlNode* node, int i,
                             const Suggestion* suggestion) {
    char words[SUGGEST_WORDS];
    const char* name = node->attributes[i].name;
    const char* other = suggestion->name == NULL ? other_attribute(name) : NULL;
    report_add(reader->report, SEVERITY_ERROR,
               xml_value_place(reader->tree, node, &node->attributes[i], 0),
               "<%s> has no attribute %s%s%s%s", node->tag, name, suggest_words(suggestion, words),
               other != NULL ? ": here it is " : "", other != NULL ? other : "");
}

void check_format(Reader* reader, const XmlNode* node, const FormatElement* format) {
    for (int i = 0; i < node->n_attributes; i++) {
        const char* name = node->attributes[i].name;
        if (format_has_attribute(format, name)) {
            continue;
        }
        Suggestion suggestion = {0};
        for (int j = 0; j < format->n_attributes && reader_may_suggest(reader); j++) {
            suggest_consider(&suggestion, name, format->attributes[j].name);
        }
        refuse_attribute(reader, node, i, &suggestion);
    }
    if (!format->has_children) {
        refuse_children(reader, node);
    }
}

void read_user_parameters(Reader* reader) {
    for (int i = 0; i < reader->model->system.n_user_parameters; i++) {
        const XmlNode* node = reader->user_parameters[i];
        check_format(reader, node, &parameter_format);
        ParameterInfo* info = ARENA_NEW(reader->arena, 1, ParameterInfo);
        if (info == NULL) {
            return;  // the arena is exhausted
        }
        const char* tunable = xml_attribute(node, "tunable");
        if (tunable != NULL && strcmp(tunable, "true") != 0 && strcmp(tunable, "false") != 0) {
            ATTRIBUTE_ERROR(reader, node, "tunable", "tunable=\"%.80s\": expected true or false",
                            tunable);
        }
        *info = (ParameterInfo){
            .name = reader->parameter_names[i],
            .help = description(node),
            .unit = read_unit(reader, node),
            .start = NAN,
            .min = read_number(reader, node, "min", -INFINITY, -INFINITY, INFINITY),
            .max = read_number(reader, node, "max", INFINITY, -INFINITY, INFINITY),
            .tunable = tunable != NULL && strcmp(tunable, "true") == 0,
        };
        reader->parameters[i] = (ModelParameter){.name = info->name, .info = info};
        const XmlNode* giver = node->given_by != NULL ? node->given_by : node;
        const char* attribute = giver == node ? "value" : xml_attribute(node, "name");
        read_parameter(
            reader, giver, attribute,
            (Scope){
                .reader = reader, .where = giver->scope, .n_user_parameters = i, .ordered = true},
            NULL, &reader->parameters[i]);
        reader->user_values[i] = reader->parameters[i].start;
        if (!reader_has_memory(reader, node)) {
            return;
        }
    }
}

void read_inputs(Reader* reader) {
    ModelInput* inputs = ARENA_NEW(reader->arena, reader->model->system.n_inputs, ModelInput);
    reader->model->inputs = inputs;
    for (int i = 0; inputs != NULL && i < reader->model->system.n_inputs; i++) {
        const XmlNode* node = reader->inputs[i];
        check_format(reader, node, &input_format);
        const double min = read_number(reader, node, "min", -INFINITY, -INFINITY, INFINITY);
        const double max = read_number(reader, node, "max", INFINITY, -INFINITY, INFINITY);
        inputs[i] = (ModelInput){
            .name = reader->input_names[i],
            .help = description(node),
            .unit = read_unit(reader, node),
            .start = read_number(reader, node, "start", 0.0, min, max),
            .min = min,
            .max = max,
        };
    }
}

void read_experiment(Reader* reader) {
    const XmlNode* node = reader->experiment;
    ModelInfo* info = &reader->model->info;
    info->stop_time = 1.0;
    if (node == NULL) {
        return;
    }
    check_format(reader, node, &experiment_format);
    info->start_time = read_number(reader, node, "start_time", 0.0, -1e12, 1e12);
    info->stop_time = read_number(reader, node, "stop_time", info->start_time + 1.0, -1e12, 1e12);
    if (!(info->stop_time > info->start_time)) {
        NODE_ERROR(reader, node, "stop_time must be later than start_time");
    }
}

// Is this the name that a user has written? If not, it may be the one that was meant.
static bool compare_name(const char* written, const char* name, Suggestion* suggestion) {
    if (strcmp(written, name) == 0) {
        return true;
    }
    if (suggestion != NULL) {
        suggest_consider(suggestion, written, name);
    }
    return false;
}

// Does the kind have an attribute of this name? suggestion may be NULL.
static bool has_attribute(const ElementKind* kind, const char* name, Suggestion* suggestion) {
    bool known = false;
    for (int i = 0; i < N_COMMON_ATTRIBUTES && !known; i++) {
        known = format_kind_has_common(kind, i) &&
                compare_name(name, format_common(kind, i).name, suggestion);
    }
    for (int i = 0; i < kind->n_parameters && !known; i++) {
        known = compare_name(name, kind->parameters[i].name, suggestion);
    }
    for (int i = 0; i < kind->n_signals && !known; i++) {
        known = compare_name(name, kind->signals[i].name, suggestion);
    }
    for (int i = 0; i < kind->n_references && !known; i++) {
        known = compare_name(name, kind->references[i].name, suggestion);
    }
    return known;
}

// Does a <use> give a value to something that its part has?
static bool is_given(const XmlNode* node, const char* name, Suggestion* suggestion) {
    if (node->part == NULL) {
        return false;
    }
    for (const XmlNode* child = node->part->first_child; child != NULL && suggestion != NULL;
         child = child->next) {
        const char* candidate = xml_attribute(child, "name");
        if (candidate != NULL && part_has_parameter(node->part, candidate)) {
            suggest_consider(suggestion, name, candidate);
        }
    }
    return part_has_parameter(node->part, name);
}

void check_element_attributes(Reader* reader, const Element* element, const XmlNode* node) {
    for (int i = 0; i < node->n_attributes; i++) {
        const char* name = node->attributes[i].name;
        if (has_attribute(element->kind, name, NULL) || is_given(node, name, NULL)) {
            continue;
        }
        const ElementKind* in_plane = element_kind_find(element->kind->tag);
        const bool is_spatial = element->kind != in_plane;
        const ElementKind* other = is_spatial ? in_plane : in_plane->spatial;
        if (other != NULL && has_attribute(other, name, NULL)) {
            report_add(reader->report, SEVERITY_ERROR,
                       xml_value_place(reader->tree, node, &node->attributes[i], 0),
                       "<%s> has the attribute %s only %s", node->tag, name,
                       is_spatial ? "in the plane, and this one is of space"
                                  : "in space, and this one is of the plane");
            continue;
        }
        Suggestion suggestion = {0};
        if (reader_may_suggest(reader)) {
            (void)has_attribute(element->kind, name, &suggestion);
            (void)is_given(node, name, &suggestion);
        }
        refuse_attribute(reader, node, i, &suggestion);
    }
}

// An expression of x and of parameters that are fixed; NULL after an error.
static const Expression* read_function(Reader* reader, const XmlNode* node, const SignalInfo* info,
                                       const char* text) {
    const Scope scope = {.reader = reader,
                         .where = node != NULL ? node->scope : NULL,
                         .attribute = info->name,
                         .n_user_parameters = reader->model->system.n_user_parameters,
                         .of_x = true,
                         .variable = info->variable != NULL ? info->variable : "x"};
    const Expression* function = compile(reader, node, text, &scope);
    check_table_uses(reader, node, info, function);
    for (int i = 0, slot; function != NULL && (slot = expression_symbol(function, i)) >= 0; i++) {
        if (slot > 0 && reader->parameters[slot - 1].info->tunable) {
            ATTRIBUTE_ERROR(reader, node, info->name,
                            "%s is fixed and cannot depend on the tunable parameter %s", info->name,
                            reader->parameters[slot - 1].name);
            return NULL;
        }
    }
    const Expression* bound = function != NULL ? expression_bind(function, 1, reader->arena) : NULL;
    if (bound != NULL) {
        expression_set_bound(bound, reader->user_values);
    }
    return bound;
}

// Parameter i of an element: among the open ones with all that there is to know of it, otherwise
// its start value, and its expression if it has one
static void read_element_parameter(Reader* reader, int index, int i) {
    const Element* element = &reader->elements[index];
    const XmlNode* node = reader->nodes[index];
    const ParameterInfo* info = &element->kind->parameters[i];
    const int at = element->p.at + i;
    ModelParameter parameter = {
        .info = info, .from_shapes = info->from_shapes && element_has_mass_of_shapes(element)};
    read_parameter(reader, node, info->name,
                   (Scope){.reader = reader,
                           .where = node != NULL ? node->scope : NULL,
                           .n_user_parameters = reader->model->system.n_user_parameters},
                   element, &parameter);
    if (element_is_open(element)) {
        const char* name = arena_join(reader->arena, element->name, info->name);
        parameter.name = name != NULL ? name : "";
        reader->parameters[at] = parameter;
        return;
    }
    reader->p[at] = start_value(&parameter);
    if (parameter.expression != NULL) {
        add_computed(reader, at, index, parameter.expression);
    }
}

void read_element_values(Reader* reader, int index) {
    Element* element = &reader->elements[index];
    const ElementKind* kind = element->kind;
    const XmlNode* node = reader->nodes[index];
    const int n_user = reader->model->system.n_user_parameters;
    const XmlScope* where = node != NULL ? node->scope : NULL;
    if (node != NULL) {
        check_element_attributes(reader, element, node);
    }
    if (kind->role == ROLE_BODY) {
        element->of_shapes = kind->n_parameters > 0 && kind->parameters[0].from_shapes &&
                             xml_attribute(node, kind->parameters[0].name) == NULL;
    }
    const int n_computed = reader->n_computed;
    for (int i = 0; i < kind->n_parameters; i++) {
        read_element_parameter(reader, index, i);
    }
    element->constant = !element_is_open(element) && reader->n_computed == n_computed;
    for (int i = 0; i < kind->n_signals; i++) {
        const SignalInfo* info = &kind->signals[i];
        const char* given = xml_attribute(node, info->name);
        const char* text = given != NULL ? given : info->start;
        if (text == NULL) {
            NODE_ERROR(reader, node, "<%s> needs the attribute %s (%s)", kind->tag, info->name,
                       info->help);
            continue;
        }
        const Scope scope = {.reader = reader,
                             .where = where,
                             .attribute = info->name,
                             .n_user_parameters = n_user,
                             .inputs = true};
        if (info->of_x) {
            element->function = read_function(reader, node, info, text);
            text = "0";
        }
        reader->signal_places[element->signals.at + i] =
            xml_attribute_place(reader->tree, node, info->name, 0);
        reader->signals[element->signals.at + i] =
            compile(reader, given != NULL ? node : NULL, text, &scope);
        check_table_uses(reader, node, info, reader->signals[element->signals.at + i]);
    }
}
