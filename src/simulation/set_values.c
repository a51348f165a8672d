// Parameters and inputs. While a simulation is being set up its parameters may contradict each
// other, as they come one by one in any order; its start asks for all of them to be in range.
// Afterwards what is set in one call has to fit together.
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "simulation/simulation_struct.h"

// --- parameters that are expressions of others ---

void simulation_calculate_parameters(Simulation* simulation, const double* before) {
    const Model* model = &simulation->model;
    double* p = simulation->state.p;
    for (int i = 0; i < model->system.n_open; i++) {
        if (model->parameters[i].expression != NULL) {
            p[i] = expression_value(model->parameters[i].expression, 0.0, p);
        }
    }
    for (int i = 0; i < model->n_computed; i++) {
        const ComputedParameter* computed = &model->computed[i];
        p[computed->at] = expression_value(computed->expression, 0.0, p);
    }
    const char* problem = NULL;  // then a mass is NaN, which is told when parameters are checked
    (void)shape_masses_update(&model->masses, model->system.elements, model->system.n_elements,
                              before, p, &problem);
}

static void append(char* text, size_t size, const char* format, ...) PRINTF_LIKE(3, 4);
static void append(char* text, size_t size, const char* format, ...) {
    const size_t n = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    text_format(text + n, size - n, format, arguments);
    va_end(arguments);
}

static bool is_first_use(const Expression* expression, int i) {
    int j = 0;
    while (expression_symbol(expression, j) != expression_symbol(expression, i)) {
        j++;
    }
    return j == i;
}

// The parameters that an expression is made of, with their values: "lo = 2, hi = 1".
static void describe_origin(const Simulation* simulation, const Expression* expression, size_t size,
                            char* text) {
    const Model* model = &simulation->model;
    text[0] = '\0';
    for (int i = 0, slot; (slot = expression_symbol(expression, i)) >= 0; i++) {
        if (is_first_use(expression, i)) {
            append(text, size, "%s%s = %g", text[0] != '\0' ? ", " : "",
                   model->parameters[slot].name, simulation->state.p[slot]);
        }
    }
}

static bool is_in_range(const ParameterInfo* info, double p) {
    return isfinite(p) && p >= info->min && p <= info->max;
}

// A parameter that is out of range as it follows from others; its name begins with that of its
// element, or is "" and its own
static Status fail_of_expression(Simulation* simulation, const char* element, const char* name,
                                 const ParameterInfo* info, double p,
                                 const Expression* expression) {
    char origin[MESSAGE_SIZE / 2];
    describe_origin(simulation, expression, sizeof origin, origin);
    return simulation_fail(simulation, STATUS_OUT_OF_RANGE,
                           "%s%s%s would become %g, outside of %g to %g; it is computed from %s",
                           element, element[0] != '\0' ? "." : "", name, p, info->min, info->max,
                           origin);
}

// Or a mass that follows from shapes: because one of them has no surface?
static Status fail_of_shapes(Simulation* simulation, const Element* body, const ParameterInfo* info,
                             double p) {
    const Model* model = &simulation->model;
    const char* problem = NULL;
    const Element* fault =
        shape_masses_update(&model->masses, model->system.elements, model->system.n_elements, NULL,
                            simulation->state.p, &problem);
    if (fault != NULL) {
        return simulation_fail(simulation, STATUS_OUT_OF_RANGE, "%s: %s", fault->name, problem);
    }
    return simulation_fail(simulation, STATUS_OUT_OF_RANGE,
                           "%s.%s would become %g, outside of %g to %g; it follows from the shapes",
                           body->name, info->name, p, info->min, info->max);
}

static Status check_masses(Simulation* simulation, const Element* body) {
    for (int i = 0; i < body->p.n; i++) {
        const ParameterInfo* info = &body->kind->parameters[i];
        const double p = simulation->state.p[body->p.at + i];
        if (info->from_shapes && !is_in_range(info, p)) {
            return fail_of_shapes(simulation, body, info, p);
        }
    }
    return STATUS_OK;
}

Status simulation_check_parameters(Simulation* simulation) {
    const Model* model = &simulation->model;
    const double* p = simulation->state.p;
    Status status = STATUS_OK;
    for (int i = 0; i < model->system.n_open && status == STATUS_OK; i++) {
        const ModelParameter* parameter = &model->parameters[i];
        if (parameter->expression != NULL && !is_in_range(parameter->info, p[i])) {
            status = fail_of_expression(simulation, "", parameter->name, parameter->info, p[i],
                                        parameter->expression);
        }
    }
    for (int i = 0; i < model->n_computed && status == STATUS_OK; i++) {
        const ComputedParameter* computed = &model->computed[i];
        const Element* element = &model->system.elements[computed->element];
        const ParameterInfo* info = &element->kind->parameters[computed->at - element->p.at];
        if (!is_in_range(info, p[computed->at])) {
            status = fail_of_expression(simulation, element->name, info->name, info,
                                        p[computed->at], computed->expression);
        }
    }
    for (int i = 0; i < model->masses.n_bodies && status == STATUS_OK; i++) {
        status = check_masses(simulation, &model->system.elements[model->masses.bodies[i]]);
    }
    return status;
}

// --- setting ---

static bool valid_index(const Simulation* simulation, int variable) {
    return variable >= 0 && variable < simulation->variables.n_variables;
}

static Status check_value(Simulation* simulation, const Variable* variable, double value) {
    if (!isfinite(value)) {
        return simulation_fail(simulation, STATUS_NOT_FINITE, "%s cannot be %g", variable->name,
                               value);
    }
    if (value < variable->min || value > variable->max) {
        return simulation_fail(simulation, STATUS_OUT_OF_RANGE, "%s = %g is outside of %g to %g",
                               variable->name, value, variable->min, variable->max);
    }
    if (variable->type != VARIABLE_REAL && value != floor(value)) {
        return simulation_fail(simulation, STATUS_OUT_OF_RANGE, "%s = %g is not a whole number",
                               variable->name, value);
    }
    return STATUS_OK;
}

static Status check_setting(Simulation* simulation, int index, double value) {
    if (!valid_index(simulation, index)) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "there is no variable %d", index);
    }
    const Variable* variable = &simulation->variables.variables[index];
    if (variable->causality != CAUSALITY_PARAMETER && variable->causality != CAUSALITY_INPUT) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "%s is computed and cannot be set",
                               variable->name);
    }
    if (variable->causality == CAUSALITY_PARAMETER &&
        variable->variability != VARIABILITY_TUNABLE &&
        simulation->state.head->phase == PHASE_MOVING) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED,
                               "%s is fixed and cannot change after the start", variable->name);
    }
    return check_value(simulation, variable, value);
}

// All parameters among the variables; as before if what is computed from them leaves its range.
static Status set_parameters(Simulation* simulation, const int* indices, const double* values,
                             int n) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    Workspace* w = &simulation->workspace;
    const bool started = s->head->phase != PHASE_SET_UP;
    const StateHead head = *s->head;
    bool any = false;
    for (int i = 0; i < n; i++) {
        const Variable* variable = &simulation->variables.variables[indices[i]];
        if (variable->causality != CAUSALITY_PARAMETER) {
            continue;
        }
        if (!any) {
            memcpy(simulation->p_before, s->p, (size_t)sys->n_parameters * sizeof(double));
        }
        if (!any && started) {
            energy_before_change(sys, state_time(s), s, w);
        }
        any = true;
        s->p[variable->at] = values[i];
    }
    if (!any) {
        return STATUS_OK;
    }
    simulation_calculate_parameters(simulation, simulation->p_before);
    w->laws_known = false;  // joints may have friction now
    const Status status = started ? simulation_check_parameters(simulation) : STATUS_OK;
    if (status != STATUS_OK) {
        memcpy(s->p, simulation->p_before, (size_t)sys->n_parameters * sizeof(double));
        *s->head = head;
    } else if (started) {
        s->head->moving = s->head->moving || sys->n_motions > 0;
        energy_after_change(sys, state_time(s), s, w);
    }
    return status;
}

static void set_input(Simulation* simulation, int i, double value) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    const double t = state_time(s);
    if (sys->driven && s->head->phase != PHASE_SET_UP) {  // perhaps by this input
        energy_before_change(sys, t, s, &simulation->workspace);
    }
    s->input[i] = value;
    s->input_time[i] = t;
    s->head->moving = s->head->moving || sys->n_motions > 0;
    simulation->workspace.laws_known = simulation->workspace.laws_known && !sys->driven;
}

Status simulation_set_all(Simulation* simulation, const int* indices, const double* values, int n) {
    Status status = STATUS_OK;
    for (int i = 0; i < n && status == STATUS_OK; i++) {
        status = check_setting(simulation, indices[i], values[i]);
    }
    if (status == STATUS_OK) {  // parameters may still be refused, inputs not
        status = set_parameters(simulation, indices, values, n);
    }
    for (int i = 0; i < n && status == STATUS_OK; i++) {
        const Variable* variable = &simulation->variables.variables[indices[i]];
        if (variable->causality == CAUSALITY_INPUT) {
            set_input(simulation, variable->at, values[i]);
        }
    }
    simulation->values_set = true;
    simulation_forget_values(simulation);
    return status;
}

Status simulation_set(Simulation* simulation, int index, double value) {
    return simulation_set_all(simulation, &index, &value, 1);
}

Status simulation_set_slope(Simulation* simulation, int index, double slope) {
    if (!valid_index(simulation, index) ||
        simulation->variables.variables[index].causality != CAUSALITY_INPUT) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "only inputs have a slope");
    }
    const Variable* variable = &simulation->variables.variables[index];
    if (!isfinite(slope)) {
        return simulation_fail(simulation, STATUS_NOT_FINITE, "the slope of %s cannot be %g",
                               variable->name, slope);
    }
    State* s = &simulation->state;
    const int i = variable->at;
    const double t = state_time(s);
    s->input[i] += s->input_slope[i] * (t - s->input_time[i]);
    s->input_slope[i] = slope;
    s->input_sloped[i] = 1.0;
    simulation->values_set = true;
    s->input_time[i] = t;
    simulation->a_valid = false;
    return STATUS_OK;
}
