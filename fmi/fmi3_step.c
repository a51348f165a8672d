// A communication step is one simulation_advance unless something happens in it: an impact after
// which the step returns early, a return that the host asks for, or inputs that it sets between two
// internal steps. Each of them ends the advance with the internal step; what is left of the
// communication step is another one, as if the host had divided it there.
#include "fmi/fmi3_step.h"

#include <math.h>

#include "fmi3FunctionTypes.h"

// Of a step: what is left of it by no more than this is the end of it.
static const double ROUNDING = 1e-9;

// Tells the host that an internal step is done. It may read values and set inputs, and ask for a
// return at a time that is not over yet.
static void tell_host(Instance* instance, double time) {
    Events* events = &instance->events;
    fmi3Boolean wants_return = fmi3False;
    fmi3Float64 return_time = time;
    instance_set_mode(instance, MODE_INTERMEDIATE_UPDATE);
    ((fmi3IntermediateUpdateCallback)events->update)(
        instance->logger.environment, time, events->inputs_wanted, fmi3True, fmi3True,
        events->return_early, &wants_return, &return_time);
    instance_set_mode(instance, MODE_STEP_IN_PROGRESS);
    if (wants_return && events->return_early) {
        events->return_time = return_time > time ? return_time : time;  // a NaN means now
    }
}

static void end_internal_step(void* context) {
    Instance* instance = context;
    Events* events = &instance->events;
    const double time = simulation_time(instance->simulation);
    const double next = time + (time - events->time);
    const bool impact = simulation_had_impact(instance->simulation);
    events->time = time;
    events->impact = events->impact || impact;
    if (events->update) {
        tell_host(instance, time);
    }
    if ((impact && events->return_early) || events->inputs_set || next > events->return_time) {
        simulation_stop(instance->simulation);
    }
}

// Is the step to end here, before its end?
static bool returns_here(const Events* events) {
    return (events->impact && events->return_early) || events->time >= events->return_time;
}

static Status advance(Instance* instance, double duration) {
    Events* events = &instance->events;
    Simulation* simulation = instance->simulation;
    const double start = simulation_time(simulation);
    double left = duration;
    Status status;
    do {
        events->inputs_set = false;
        events->time = simulation_time(simulation);
        status = simulation_advance(simulation, left, NULL);
        left = fmin(start + duration, events->return_time) - simulation_time(simulation);
    } while (status == STATUS_OK && left > 0.0 && !returns_here(events));
    return status;
}

void fmi3_step_watch(Instance* instance) {
    const Events* events = &instance->events;
    if (events->use_event_mode || events->return_early || events->update) {
        simulation_watch_steps(instance->simulation, end_internal_step, instance);
    }
}

FmiStatus fmi3_step_do(Instance* instance, double point, double size, StepResult* result) {
    Events* events = &instance->events;
    const double start = simulation_time(instance->simulation);
    events->impact = false;
    events->return_time = INFINITY;
    const FmiStatus status = step_do(instance, point, size, advance);
    const double time = simulation_time(instance->simulation);
    const double left = start + size - time;
    *result = (StepResult){
        .event = status == FMI_OK && events->impact && events->use_event_mode,
        .early = status == FMI_OK && returns_here(events) && left > ROUNDING * size,
        .last_time = time,
    };
    return status;
}
