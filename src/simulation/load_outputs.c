// What sensors tell of the contacts on a body: those that were found are summed up in the state at
// the end of each step, before they are looked for anew; those of points that the model names are
// added when asked for.
#include <string.h>

#include "simulation/simulation_struct.h"
#include "system/contact_loads.h"

// In the order of the tables: force, torque and their impulses
static void put_out(const ContactLoad* load, bool planar, double* y) {
    const double plane[] = {load->force.x,   load->force.y,   load->torque.z,
                            load->impulse.x, load->impulse.y, load->angular_impulse.z};
    if (planar) {
        memcpy(y, plane, sizeof plane);
    } else {
        memcpy(y, load, sizeof *load);
    }
}

void simulation_load_outputs(Simulation* simulation, const Instant* c, double* y) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    ContactLoad* loads = simulation->loads;
    if (sys->n_loads == 0) {
        return;
    }
    memcpy(loads, s->loads, (size_t)sys->n_loads * sizeof *loads);
    for (long long i = 0; i < s->head->n_records && s->records[i].key < sys->n_fixed; i++) {
        const Link* contact = &sys->laws[s->records[i].key];
        if (contact_loads_want(sys, contact)) {
            Rows rows;
            system_rows(c, contact, false, &rows);
            contact_loads_add(sys, c, contact, &rows, &s->records[i], loads);
        }
    }
    for (int i = 0; i < sys->n_loads; i++) {
        const Element* sensor = sys->load_sensors[i].sensor;
        put_out(&loads[i], sensor->kind->spatial != NULL, y + sensor->y.at);
    }
}
