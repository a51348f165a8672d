// Variables in the order of the file: time, user parameters, inputs, then each element's parameters
// and outputs, then the energies. Every name is the element's name, a point, and the attribute's or
// output's name.
#include "simulation/variables.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "elements/contact.h"
#include "elements/settings.h"

// Dependencies of more parameters than this are told as dependence on all: a list of its own for
// each variable would make the work, and the FMU's files, grow with the square of the model.
enum { LONGEST_LIST = 256 };

// Contacts in more points than this show by default what they tell of all together: the corners of
// a box each, the stations of a skin not.
enum { MOST_POINTS_SHOWN = 8 };

enum { MOST_OUTPUTS = 128 };  // more than any kind of element has

typedef struct Builder {
    const Model* model;
    Arena* arena;
    Variable* variables;  // (n of capacity)
    int n, capacity;
    int* of_parameter;  // (n_open) variable of each parameter, -1: it is none, as are all others
    int first_input;    // variable of the first input
    bool* used;         // (n_open) scratch of dependency lists
    int* marked;        // (n_open) the parameters of which used is set
    int n_marked;
    bool marked_users;  // what is marked stands for all of user_known beside
    const int* all_inputs;
    const int* all_known;  // (n_all_known) all parameters that are not computed, and all inputs
    int n_all_known;
    const int* user_known;  // (n_user_known) all user parameters that are not computed
    int n_user_known;
    bool failed;
} Builder;

int variables_element_outputs(const Model* model) { return model->system.n_outputs; }

static Variable* add(Builder* b, Variable variable) {
    assert(b->n < b->capacity);
    variable.help = variable.help != NULL ? variable.help : "";
    variable.derivative = -1;
    if (variable.derivative_of >= 0) {
        b->variables[variable.derivative_of].derivative = b->n;
    }
    b->variables[b->n] = variable;
    return &b->variables[b->n++];
}

static const char* join(Builder* b, const char* prefix, const char* name) {
    const char* text = arena_join(b->arena, prefix, name);
    b->failed = b->failed || text == NULL;
    return text != NULL ? text : "";
}

// --- dependencies ---

// What is no variable is not known, either.
static void mark(Builder* b, int i) {
    if (i < b->model->system.n_open && !b->used[i] && b->of_parameter[i] >= 0 &&
        !b->model->parameters[i].info->structural) {
        b->used[i] = true;
        b->marked[b->n_marked++] = i;
    }
}

// Marks the parameters that must be known to know parameter i: itself, or what it is computed from.
// Those before it have their lists already, so that no expression is followed twice.
static void mark_parameter(Builder* b, int i) {
    const Expression* expression = model_expression(b->model, i);
    if (i < b->model->system.n_open && b->model->parameters[i].from_shapes) {
        return;  // those of the shapes are marked with the body
    }
    if (expression == NULL) {
        mark(b, i);
        return;
    }
    for (int j = 0, slot; (slot = expression_symbol(expression, j)) >= 0; j++) {
        const Variable* before = &b->variables[b->of_parameter[slot]];
        if (b->model->parameters[slot].expression == NULL) {
            mark(b, slot);
        } else if (before->known_initially == b->user_known) {
            b->marked_users = true;
        } else {
            for (int k = 0; k < before->n_known_initially; k++) {
                mark(b, b->variables[before->known_initially[k]].at);
            }
        }
    }
}

static void mark_range(Builder* b, Range p) {
    for (int i = 0; i < p.n; i++) {
        mark_parameter(b, p.at + i);
    }
}

// Of a body whose mass follows from its shapes: what these are made of
static void mark_shapes_of(Builder* b, const Element* body) {
    const System* sys = &b->model->system;
    const int first = (int)(body - sys->elements);
    const int end = shape_masses_end(sys->elements, sys->n_elements, first);
    for (int i = first + 1; i < end; i++) {
        mark_range(b, sys->elements[i].p);
    }
}

// Those of an element, and of the uses of parts that carry it
static void mark_element(Builder* b, const Element* element) {
    const System* sys = &b->model->system;
    mark_range(b, element->p);
    for (int i = 0, slot;
         element->function != NULL && (slot = expression_symbol(element->function, i)) >= 0; i++) {
        if (slot > 0) {  // not x: a user parameter
            mark_parameter(b, slot - 1);
        }
    }
    if (element_has_mass_of_shapes(element)) {
        mark_shapes_of(b, element);
    }
    for (int use = element->use; use > 0; use = sys->uses[use - 1]->use) {
        mark_range(b, sys->uses[use - 1]->p);
    }
}

static int compare_indices(const void* a, const void* b) {
    const int first = *(const int*)a;
    const int second = *(const int*)b;
    return (first > second) - (first < second);
}

static void clear_marks(Builder* b) {
    for (int i = 0; i < b->n_marked; i++) {
        b->used[b->marked[i]] = false;
    }
    b->n_marked = 0;
    b->marked_users = false;
}

// The variables of what is marked, as a new list.
static const int* list_marked(Builder* b, int* n) {
    int* known = ARENA_NEW(b->arena, b->n_marked, int);
    b->failed = b->failed || known == NULL;
    qsort(b->marked, (size_t)b->n_marked, sizeof *b->marked, compare_indices);
    *n = known != NULL ? b->n_marked : 0;
    for (int i = 0; i < *n; i++) {
        known[i] = b->of_parameter[b->marked[i]];
    }
    clear_marks(b);
    return known;
}

// All parameters that are not computed, and all inputs: one list, made once, that many variables
// share.
static void take_all(Builder* b, Variable* variable, bool inputs) {
    const System* sys = &b->model->system;
    clear_marks(b);
    if (b->all_known == NULL && !b->failed) {
        int* known = ARENA_NEW(b->arena, sys->n_open + sys->n_inputs, int);
        for (int i = 0; i < sys->n_open && known != NULL; i++) {
            const ModelParameter* parameter = &b->model->parameters[i];
            if (parameter->expression == NULL && !parameter->from_shapes &&
                !parameter->info->structural && b->of_parameter[i] >= 0) {
                known[b->n_all_known++] = b->of_parameter[i];
            }
        }
        for (int i = 0; i < sys->n_inputs && known != NULL; i++) {
            known[b->n_all_known++] = b->first_input + i;
        }
        b->failed = known == NULL;
        b->all_known = known;
    }
    variable->known_initially = b->all_known;
    variable->n_known_initially = b->failed ? 0 : b->n_all_known - (inputs ? 0 : sys->n_inputs);
}

// Takes the marked parameters as what fixes an output initially.
static void take_marked(Builder* b, Variable* variable) {
    if (b->marked_users || b->n_marked > LONGEST_LIST) {
        take_all(b, variable, false);
    } else {
        variable->known_initially = list_marked(b, &variable->n_known_initially);
    }
}

// The same of a parameter that is computed: from user parameters alone.
static void take_marked_users(Builder* b, Variable* variable) {
    if (b->marked_users || b->n_marked > LONGEST_LIST) {
        clear_marks(b);
        variable->known_initially = b->user_known;
        variable->n_known_initially = b->n_user_known;
    } else {
        variable->known_initially = list_marked(b, &variable->n_known_initially);
    }
}

static void mark_shape(Builder* b, const Element* shape) {
    const Element* body = &b->model->system.elements[shape->parent];
    mark_element(b, shape);
    for (int i = 0; i < shape->vertices.n; i++) {
        mark_range(b, b->model->system.elements[shape->vertices.at + i].p);
    }
    mark_element(b, body);
}

// Does a sensor look at, or from, what has a prescribed motion?
static bool looks_at_driven(const System* sys, const Element* element) {
    bool driven = false;
    for (int i = 0; i < element->kind->n_references && element->kind->role == ROLE_SENSOR; i++) {
        const int target = element_target(element, i);
        const bool is_shape = target >= 0 && sys->elements[target].kind->role == ROLE_SHAPE;
        const int body = is_shape ? sys->elements[target].parent : target;
        driven = driven || (body >= 0 && sys->elements[body].kind->n_signals > 0);
    }
    return driven;
}

static bool is_listed(const char* list, const char* name) {
    const size_t n = strlen(name);
    const char* at = strstr(list, name);
    while (at != NULL && ((at > list && at[-1] != ' ') || (at[n] != ' ' && at[n] != '\0'))) {
        at = strstr(at + 1, name);
    }
    return at != NULL;
}

// The parameters that an initial value is made of
static void mark_start(Builder* b, const Element* element, const char* start_from) {
    bool of_shapes = false;
    for (int i = 0; i < element->kind->n_parameters; i++) {
        if (is_listed(start_from, element->kind->parameters[i].name)) {
            mark_parameter(b, element->p.at + i);
            of_shapes = of_shapes || (element_has_mass_of_shapes(element) &&
                                      element->kind->parameters[i].from_shapes);
        }
    }
    if (of_shapes) {
        mark_shapes_of(b, element);
    }
}

// What an element's output depends on in initialisation mode.
static void output_dependencies(Builder* b, const Element* element, const OutputInfo* info,
                                Variable* variable) {
    const System* sys = &b->model->system;
    if (info->start_from != NULL && element->use > 0) {
        mark_element(b, element);
    } else if (info->start_from != NULL) {
        mark_start(b, element, info->start_from);
    } else if (info->depends_on_inputs || info->from_accelerations ||
               (looks_at_driven(sys, element) && !element->kind->of_contacts)) {
        take_all(b, variable, true);
        variable->known_inputs = b->all_inputs;
        variable->n_known_inputs = sys->n_inputs;
        return;
    } else if (element->kind->role == ROLE_SETTING || kind_names_groups(element->kind) ||
               element->kind->of_contacts) {
        take_all(b, variable, false);
        return;
    } else {
        mark_element(b, element);
        for (int i = 0; i < element->kind->n_references; i++) {
            const int target = element_target(element, i);
            if (target >= 0 && sys->elements[target].kind->role == ROLE_SHAPE) {
                mark_shape(b, &sys->elements[target]);
            } else if (target >= 0) {
                mark_element(b, &sys->elements[target]);
            }
        }
    }
    take_marked(b, variable);
}

// --- rows of the table ---

static void add_parameter(Builder* b, int i) {
    const ModelParameter* parameter = &b->model->parameters[i];
    const ParameterInfo* info = parameter->info;
    const bool calculated = parameter->expression != NULL || parameter->from_shapes;
    b->of_parameter[i] = b->n;
    Variable* variable =
        add(b, (Variable){.name = parameter->name,
                          .help = info->help,
                          .type = info->type,
                          .causality = info->structural ? CAUSALITY_LOCAL
                                       : calculated     ? CAUSALITY_CALCULATED_PARAMETER
                                                        : CAUSALITY_PARAMETER,
                          .variability = info->tunable ? VARIABILITY_TUNABLE : VARIABILITY_FIXED,
                          .unit = info->unit,
                          .enumeration = info->enumeration,
                          .start = parameter->start,
                          .min = info->min,
                          .max = info->max,
                          .derivative_of = -1,
                          .store = STORE_PARAMETER,
                          .at = i});
    if (parameter->expression != NULL) {
        mark_parameter(b, i);
        take_marked_users(b, variable);
    }
}

static void add_shown_parameter(Builder* b, int i, bool shown) {
    if (shown) {
        add_parameter(b, i);
    } else {
        b->of_parameter[i] = -1;
    }
}

// Where pairs of materials have values of their own, the element has none.
static void add_element_parameters(Builder* b, const Element* element) {
    const int n_pairs = element->kind->role == ROLE_CONTACT ? element->n_pairs : 0;
    for (int i = 0; i < element->p.n && element_is_open(element); i++) {
        const bool by_pair =
            n_pairs > 0 && i < N_CONTACT_PARAMETERS && element->pairs[0].p[i] != element->p.at + i;
        add_shown_parameter(b, element->p.at + i, !element->hidden && !by_pair);
    }
    for (int i = 0; i < n_pairs * N_CONTACT_PARAMETERS; i++) {
        const int k = i % N_CONTACT_PARAMETERS;
        const int p = element->pairs[i / N_CONTACT_PARAMETERS].p[k];
        if (p != element->p.at + k) {
            add_shown_parameter(b, p, !element->hidden);
        }
    }
}

// What masses from shapes depend on, when all parameters are numbered
static void add_mass_dependencies(Builder* b) {
    const System* sys = &b->model->system;
    for (int i = 0; i < sys->n_elements; i++) {
        const Element* element = &sys->elements[i];
        for (int j = 0; j < element->p.n && !element->hidden && element_has_mass_of_shapes(element);
             j++) {
            if (element->kind->parameters[j].from_shapes) {
                mark_shapes_of(b, element);
                take_marked(b, &b->variables[b->of_parameter[element->p.at + j]]);
            }
        }
    }
}

// Is this one of the names that the model declares, which are sorted?
static bool is_declared(const Model* model, const char* name) {
    int low = 0;
    int high = model->n_outputs;
    while (low < high) {
        const int middle = (low + high) / 2;
        const int order = strcmp(model->outputs[middle], name);
        if (order == 0) {
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

// Some outputs of an element, or of one of the contacts that it stands for
typedef struct OutputGroup {
    const Element* element;
    const char* name;         // before the names of the outputs
    const OutputInfo* infos;  // (n)
    int n;
    int y;       // where the first is in y
    bool shown;  // they are outputs unless the model declares others
} OutputGroup;

// Adds output j; of: the variable of which it is the derivative, or -1.
static void add_output(Builder* b, const OutputGroup* group, int j, const char* name, int of) {
    const OutputInfo* info = &group->infos[j];
    const bool real = info->type == VARIABLE_REAL;
    Variable* variable =
        add(b, (Variable){.name = name,
                          .help = info->help,
                          .type = info->type,
                          .causality =
                              info->by_default && group->shown ? CAUSALITY_OUTPUT : CAUSALITY_LOCAL,
                          .variability = real ? VARIABILITY_CONTINUOUS : VARIABILITY_DISCRETE,
                          .unit = info->unit,
                          .enumeration = info->enumeration,
                          .min = info->enumeration != NULL ? 1.0 : -INFINITY,
                          .max = info->enumeration != NULL ? (double)info->enumeration->n_items
                                                           : (double)INFINITY,
                          .derivative_of = of,
                          .from_accelerations = info->from_accelerations,
                          .store = STORE_OUTPUT,
                          .at = group->y + j});
    output_dependencies(b, group->element, info, variable);
}

// All of them; of what is repeated those that the model declares, and their time derivatives.
static void add_outputs(Builder* b, OutputGroup group) {
    int variables[MOST_OUTPUTS];
    assert(group.n <= MOST_OUTPUTS);
    for (int j = 0; j < group.n && (!group.element->hidden || group.element->declared); j++) {
        const char* name = join(b, group.name, group.infos[j].name);
        const int of = group.infos[j].derivative_of;  // stands before
        const int of_variable = of >= 0 ? variables[of] : -1;
        variables[j] = -1;
        if (!group.element->hidden || of_variable >= 0 || is_declared(b->model, name)) {
            variables[j] = b->n;
            add_output(b, &group, j, name, of_variable);
        }
    }
}

static void add_energies(Builder* b) {
    static const struct {
        const char* name;
        const char* help;
    } energies[N_ENERGIES] = {
        [ENERGY_KINETIC] = {"energy.kinetic", "kinetic energy of all bodies"},
        [ENERGY_POTENTIAL] = {"energy.potential", "potential energy of gravity and springs"},
        [ENERGY_TOTAL] = {"energy.total", "kinetic and potential energy"},
        [ENERGY_DISSIPATED_BY_IMPACT] = {"energy.dissipated_by_impact",
                                         "energy that the normal forces of contacts have taken "
                                         "since the start"},
        [ENERGY_DISSIPATED_BY_FRICTION] = {"energy.dissipated_by_friction",
                                           "energy that friction in contacts and joints has taken "
                                           "since the start"},
        [ENERGY_DISSIPATED_BY_DAMPING] = {"energy.dissipated_by_damping",
                                          "energy that dampers have taken since the start"},
        [ENERGY_INPUT_WORK] = {"energy.input_work",
                               "work that applied forces, actuators, drives, driven frames and "
                               "changes of parameters have done since the start"},
        [ENERGY_BALANCE] = {"energy.balance",
                            "change of the total energy since the start, plus what was dissipated, "
                            "less the work put in: zero but for the error of the scheme"},
    };
    for (int i = 0; i < N_ENERGIES; i++) {
        Variable* variable = add(b, (Variable){.name = energies[i].name,
                                               .help = energies[i].help,
                                               .causality = CAUSALITY_OUTPUT,
                                               .variability = VARIABILITY_CONTINUOUS,
                                               .unit = UNIT_JOULE,
                                               .min = -INFINITY,
                                               .max = INFINITY,
                                               .derivative_of = -1,
                                               .store = STORE_OUTPUT,
                                               .at = variables_element_outputs(b->model) + i});
        take_all(b, variable, false);
    }
}

// User parameters are the variables after time.
static void list_user_parameters(Builder* b) {
    const int n = b->model->system.n_user_parameters;
    int* known = ARENA_NEW(b->arena, n, int);
    b->failed = b->failed || known == NULL;
    b->user_known = known;
    for (int i = 0; i < n && known != NULL; i++) {
        if (b->model->parameters[i].expression == NULL) {
            known[b->n_user_known++] = 1 + i;
        }
    }
}

static void add_all(Builder* b) {
    const Model* model = b->model;
    const System* sys = &model->system;
    list_user_parameters(b);
    add(b, (Variable){.name = "time",
                      .help = "time",
                      .causality = CAUSALITY_INDEPENDENT,
                      .variability = VARIABILITY_CONTINUOUS,
                      .unit = UNIT_SECOND,
                      .min = -INFINITY,
                      .max = INFINITY,
                      .derivative_of = -1,
                      .store = STORE_TIME});
    for (int i = 0; i < sys->n_user_parameters; i++) {
        add_parameter(b, i);
    }
    b->first_input = b->n;
    for (int i = 0; i < sys->n_inputs; i++) {
        const ModelInput* input = &model->inputs[i];
        add(b, (Variable){.name = input->name,
                          .help = input->help,
                          .causality = CAUSALITY_INPUT,
                          .variability = VARIABILITY_CONTINUOUS,
                          .unit = input->unit,
                          .start = input->start,
                          .min = input->min,
                          .max = input->max,
                          .derivative_of = -1,
                          .store = STORE_INPUT,
                          .at = i});
    }
    int* all_inputs = ARENA_NEW(b->arena, sys->n_inputs, int);
    b->failed = b->failed || all_inputs == NULL;
    for (int i = 0; i < sys->n_inputs && all_inputs != NULL; i++) {
        all_inputs[i] = b->first_input + i;
    }
    b->all_inputs = all_inputs;
    for (int i = 0; i < sys->n_elements; i++) {  // dependency lists need all parameters numbered
        add_element_parameters(b, &sys->elements[i]);
    }
    add_mass_dependencies(b);
    int law = 0;
    for (int i = 0; i < sys->n_elements; i++) {
        const Element* element = &sys->elements[i];
        const bool contact = element->kind->role == ROLE_CONTACT;
        for (int k = 0; k < element->n_links; k++) {
            add_outputs(b, (OutputGroup){.element = element,
                                         .name = contact ? sys->laws[law++].name : element->name,
                                         .infos = element->kind->outputs,
                                         .n = element->kind->n_outputs,
                                         .y = element->y.at + k * element->kind->n_outputs,
                                         .shown = element->n_links <= MOST_POINTS_SHOWN});
        }
        const int n_totals = element_has_totals(element) ? element->kind->n_total_outputs : 0;
        add_outputs(b, (OutputGroup){.element = element,
                                     .name = element->name,
                                     .infos = element->kind->total_outputs,
                                     .n = n_totals,
                                     .y = element->y.at + element->y.n - n_totals,
                                     .shown = true});
    }
    add_energies(b);
    add(b, (Variable){.name = "solver.message",
                      .help = "why the last failed step failed",
                      .type = VARIABLE_STRING,
                      .causality = CAUSALITY_LOCAL,
                      .variability = VARIABILITY_DISCRETE,
                      .derivative_of = -1,
                      .store = STORE_MESSAGE});
}

// --- names ---

typedef struct NamedIndex {
    const char* name;
    int index;
} NamedIndex;

static int compare_names(const void* a, const void* b) {
    return strcmp(((const NamedIndex*)a)->name, ((const NamedIndex*)b)->name);
}

static const int* sort_by_name(Builder* b) {
    NamedIndex* pairs = ARENA_NEW(b->arena, b->n, NamedIndex);
    int* by_name = ARENA_NEW(b->arena, b->n, int);
    if (pairs == NULL || by_name == NULL) {
        b->failed = true;
        return NULL;
    }
    for (int i = 0; i < b->n; i++) {
        pairs[i] = (NamedIndex){b->variables[i].name, i};
    }
    qsort(pairs, (size_t)b->n, sizeof *pairs, compare_names);
    for (int i = 0; i < b->n; i++) {
        by_name[i] = pairs[i].index;
    }
    return by_name;
}

int variable_find(const VariableTable* table, const char* name) {
    int low = 0;
    int high = table->n_variables;
    while (low < high) {
        const int middle = (low + high) / 2;
        const int order = strcmp(table->variables[table->by_name[middle]].name, name);
        if (order == 0) {
            return table->by_name[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return -1;
}

// Declared output i is no variable; for the first errors the nearest one is looked for.
static void refuse_output(const Builder* b, int i, Report* report) {
    enum { MOST_SUGGESTIONS = 20 };
    char words[SUGGEST_WORDS];
    Suggestion suggestion = {0};
    for (int j = 0; j < b->n && report->n_errors < MOST_SUGGESTIONS; j++) {
        if (b->variables[j].store == STORE_OUTPUT) {
            suggest_consider(&suggestion, b->model->outputs[i], b->variables[j].name);
        }
    }
    report_add(report, SEVERITY_ERROR, b->model->output_places[i],
               "there is no variable %s to put out%s", b->model->outputs[i],
               suggest_words(&suggestion, words));
}

// The outputs that the model declares take the place of the default ones.
static void select_outputs(Builder* b, const VariableTable* table, Report* report) {
    const Model* model = b->model;
    if (!model->declares_outputs) {
        return;
    }
    for (int i = 0; i < b->n; i++) {
        if (b->variables[i].causality == CAUSALITY_OUTPUT) {
            b->variables[i].causality = CAUSALITY_LOCAL;
        }
    }
    for (int i = 0; i < model->n_outputs; i++) {
        const int index = variable_find(table, model->outputs[i]);
        if (index < 0) {
            refuse_output(b, i, report);
        } else if (b->variables[index].store != STORE_OUTPUT) {
            report_add(report, SEVERITY_ERROR, model->output_places[i],
                       "%s is a parameter or input and cannot be put out", model->outputs[i]);
        } else {
            b->variables[index].causality = CAUSALITY_OUTPUT;
        }
    }
}

// What is repeated has no parameters, and no outputs unless the model declares some of them.
static int most_variables(const Model* model) {
    const System* sys = &model->system;
    int n = 1 + sys->n_open + sys->n_inputs + sys->n_outputs + N_ENERGIES + 1;
    for (int i = 0; i < sys->n_elements; i++) {
        const Element* element = &sys->elements[i];
        n -= element->hidden && !element->declared ? element->y.n : 0;
    }
    return n;
}

Status variables_create(const Model* model, Arena* arena, Report* report, VariableTable* table) {
    const System* sys = &model->system;
    const int capacity = most_variables(model);
    const int n_errors = report->n_errors;
    Builder b = {.model = model,
                 .arena = arena,
                 .variables = ARENA_NEW(arena, capacity, Variable),
                 .capacity = capacity,
                 .of_parameter = ARENA_NEW(arena, sys->n_open, int),
                 .used = ARENA_NEW(arena, sys->n_open, bool),
                 .marked = ARENA_NEW(arena, sys->n_open, int)};
    if (b.variables == NULL || b.of_parameter == NULL || b.used == NULL || b.marked == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    add_all(&b);
    *table =
        (VariableTable){.variables = b.variables, .n_variables = b.n, .by_name = sort_by_name(&b)};
    if (b.failed) {
        return STATUS_OUT_OF_MEMORY;
    }
    select_outputs(&b, table, report);
    return report->n_errors == n_errors ? STATUS_OK : STATUS_INVALID_MODEL;
}
