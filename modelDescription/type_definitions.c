// UnitDefinitions and TypeDefinitions of modelDescription.xml.
//
// Every real has a declared type that names its physical quantity, one per unit. FMI 2.0 wants the
// names of types to differ from those of all variables (importers put both in one scope), and users
// name their inputs as they like: underscores are appended to a type's name until it is free.
#include "modelDescription/type_definitions.h"

#include <stdio.h>
#include <string.h>

#include "modelDescription/attribute.h"

static void find_used_units(const VariableTable* table, bool used[UNIT_COUNT]) {
    for (int i = 0; i < table->n_variables; i++) {
        if (table->variables[i].type == VARIABLE_REAL) {
            used[table->variables[i].unit] = true;
        }
    }
}

static void write_exponent(TextBuffer* out, const char* base_unit, int exponent) {
    if (exponent != 0) {
        attribute_integer(out, base_unit, exponent);
    }
}

static void write_unit(const Unit* unit, TextBuffer* out) {
    text_add(out, "    <Unit");
    attribute_text(out, "name", unit->name);
    text_add(out, ">\n      <BaseUnit");
    write_exponent(out, "kg", unit->kg);
    write_exponent(out, "m", unit->m);
    write_exponent(out, "s", unit->s);
    write_exponent(out, "rad", unit->rad);
    text_add(out, "/>\n");
    if (unit->display_name != NULL) {
        text_add(out, "      <DisplayUnit");
        attribute_text(out, "name", unit->display_name);
        attribute_double(out, "factor", unit->display_factor);
        text_add(out, "/>\n");
    }
    text_add(out, "    </Unit>\n");
}

void type_definitions_write_units(const VariableTable* table, TextBuffer* out) {
    bool used[UNIT_COUNT] = {false};
    find_used_units(table, used);
    bool any = false;
    for (int id = 0; id < UNIT_COUNT; id++) {
        if (used[id]) {
            text_add(out, any ? "" : "  <UnitDefinitions>\n");
            write_unit(unit_get((UnitId)id), out);
            any = true;
        }
    }
    text_add(out, any ? "  </UnitDefinitions>\n" : "");
}

static void write_type_attribute(const VariableTable* table, const char* attribute,
                                 const char* type, TextBuffer* out) {
    char name[160] = {0};
    snprintf(name, sizeof name / 2, "%s", type);
    for (size_t n = strlen(name); n + 1 < sizeof name && variable_find(table, name) >= 0; n++) {
        name[n] = '_';
    }
    attribute_text(out, attribute, name);
}

static void write_real_type(const VariableTable* table, UnitId id, int fmi, TextBuffer* out) {
    const Unit* unit = unit_get(id);
    text_add(out, fmi == 2 ? "    <SimpleType" : "    <Float64Type");
    write_type_attribute(table, "name", unit->quantity, out);
    attribute_text(out, "description", unit->help);
    text_add(out, fmi == 2 ? ">\n      <Real" : "");
    attribute_text(out, "quantity", unit->quantity);
    attribute_text(out, "unit", unit->name);
    if (id == UNIT_RADIAN) {  // shown in degrees at once; other display units are there to choose
        attribute_text(out, "displayUnit", unit->display_name);
    }
    text_add(out, fmi == 2 ? "/>\n    </SimpleType>\n" : "/>\n");
}

static void write_enumeration_type(const VariableTable* table, const EnumerationType* type, int fmi,
                                   TextBuffer* out) {
    text_add(out, fmi == 2 ? "    <SimpleType" : "    <EnumerationType");
    write_type_attribute(table, "name", type->name, out);
    if (type->help != NULL && type->help[0] != 0) {
        attribute_text(out, "description", type->help);
    }
    text_add(out, fmi == 2 ? ">\n      <Enumeration>\n" : ">\n");
    for (int i = 0; i < type->n_items; i++) {
        text_add(out, "        <Item");
        attribute_text(out, "name", enumeration_item(type, i)->name);
        attribute_integer(out, "value", i + 1);
        if (enumeration_item(type, i)->help != NULL && enumeration_item(type, i)->help[0] != 0) {
            attribute_text(out, "description", enumeration_item(type, i)->help);
        }
        text_add(out, "/>\n");
    }
    text_add(out,
             fmi == 2 ? "      </Enumeration>\n    </SimpleType>\n" : "    </EnumerationType>\n");
}

// Is variable i the first of the table with its enumeration type? Types are told apart by name.
static bool is_first_use(const VariableTable* table, int i) {
    const char* name = table->variables[i].enumeration->name;
    int first = 0;
    while (first < i && (table->variables[first].type != VARIABLE_ENUMERATION ||
                         strcmp(table->variables[first].enumeration->name, name) != 0)) {
        first++;
    }
    return first == i;
}

void type_definitions_write_types(const VariableTable* table, int fmi, TextBuffer* out) {
    bool used[UNIT_COUNT] = {false};
    find_used_units(table, used);
    bool any = false;
    for (int id = 0; id < UNIT_COUNT; id++) {
        if (used[id]) {
            text_add(out, any ? "" : "  <TypeDefinitions>\n");
            write_real_type(table, (UnitId)id, fmi, out);
            any = true;
        }
    }
    for (int i = 0; i < table->n_variables; i++) {
        if (table->variables[i].type == VARIABLE_ENUMERATION && is_first_use(table, i)) {
            text_add(out, any ? "" : "  <TypeDefinitions>\n");
            write_enumeration_type(table, table->variables[i].enumeration, fmi, out);
            any = true;
        }
    }
    text_add(out, any ? "  </TypeDefinitions>\n" : "");
}

void type_definitions_write_declared_type(const VariableTable* table, const Variable* variable,
                                          TextBuffer* out) {
    if (variable->type == VARIABLE_REAL) {
        write_type_attribute(table, "declaredType", unit_get(variable->unit)->quantity, out);
    } else if (variable->type == VARIABLE_ENUMERATION) {
        write_type_attribute(table, "declaredType", variable->enumeration->name, out);
    }
}
