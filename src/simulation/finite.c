// Values that are no numbers: signals and curves are what can bring them in from outside, and every
// output is looked at before it is handed out.
#include <math.h>

#include "simulation/simulation_struct.h"

static const char* words_of(double value) { return isnan(value) ? "not a number" : "infinite"; }

static Status tell_signal(Simulation* simulation, double t, const SignalFault* fault) {
    static const char* const orders[] = {"", "the first time derivative of ",
                                         "the second time derivative of "};
    const Model* model = &simulation->model;
    const Place place = model->signal_places[fault->signal];
    int i = 0;
    while (fault->signal >=
           model->system.elements[i].signals.at + model->system.elements[i].signals.n) {
        i++;
    }
    const Element* element = &model->system.elements[i];
    const char* table = expression_ending_table(model->system.signals[fault->signal]);
    return simulation_fail(simulation, STATUS_NOT_FINITE,
                           "%s%s of %s %s (line %ld, column %ld) is %s at t = %.9g s%s%.80s%s",
                           orders[fault->order], model->system.signal_infos[fault->signal]->name,
                           element->kind->tag, element->name, place.line, place.column,
                           words_of(fault->value), t,
                           table != NULL ? ": is that beyond the rows of table " : "",
                           table != NULL ? table : "", table != NULL ? "?" : "");
}

Status simulation_check_signals(Simulation* simulation, double t) {
    if (simulation->model.system.n_signals == 0) {
        return STATUS_OK;
    }
    const bool starting = simulation->state.head->phase != PHASE_MOVING;
    const SignalFault fault = instant_find_fault(&simulation->model.system, &simulation->state, t,
                                                 starting, &simulation->workspace.present);
    return fault.signal < 0 ? STATUS_OK : tell_signal(simulation, t, &fault);
}

Status simulation_check_gaps(Simulation* simulation, double t) {
    const System* sys = &simulation->model.system;
    for (int k = 0; k < sys->n_contacts; k++) {
        const double gap = simulation->workspace.g_N[k];
        if (!isfinite(gap)) {
            const Element* contact = sys->laws[k].element;
            return simulation_fail(
                simulation, STATUS_NOT_FINITE,
                "the gap of contact %s (line %ld, column %ld) is %s at t = %.9g s%s", contact->name,
                contact->place.line, contact->place.column, words_of(gap), t,
                sys->curved ? ": is the function of its curve finite there?" : "");
        }
    }
    return STATUS_OK;
}

Status simulation_check_outputs(Simulation* simulation, OutputParts parts) {
    const int n = variables_element_outputs(&simulation->model) + N_ENERGIES;
    double sum = 0.0;  // of zeros, unless a value is no number
    for (int i = 0; i < n; i++) {
        sum += 0.0 * simulation->y[i];
    }
    for (int i = 0; sum != 0.0 && i < simulation->variables.n_variables; i++) {
        const Variable* variable = &simulation->variables.variables[i];
        if (variable->store == STORE_OUTPUT && !isfinite(simulation->y[variable->at]) &&
            (simulation_part_of_output(simulation, variable->at) & parts) != 0) {
            return simulation_fail(simulation, STATUS_NOT_FINITE, "%s is %s at t = %.9g s",
                                   variable->name, words_of(simulation->y[variable->at]),
                                   simulation_time(simulation));
        }
    }
    return STATUS_OK;
}
