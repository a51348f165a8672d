// From names to a System: what elements refer to and their values are read here, numbers and
// connections are the affair of system/system_build.h.
#include "reader/reader.h"
#include "system/system_build.h"

// What elements refer to, as far as it can be found; read_references reports what cannot.
static void find_references(Reader* reader) {
    for (int i = 0; i < reader->n_elements; i++) {
        Element* element = &reader->elements[i];
        for (int j = 0; j < element->kind->n_references; j++) {
            element->references[j] =
                find_reference(reader, reader->nodes[i], &element->kind->references[j]);
        }
    }
}

void number_elements(Reader* reader) {
    read_groups(reader);
    find_references(reader);
    system_number(reader->elements, reader->n_elements, reader->report, &reader->model->system);
    number_material_pairs(reader);
    system_number_repeated(reader->elements, &reader->model->system);
}

static void take_start_values(Reader* reader) {
    for (int i = 0; i < reader->model->system.n_open; i++) {
        reader->p[i] = start_value(&reader->parameters[i]);
    }
}

Status connect_elements(Reader* reader) {
    System* sys = &reader->model->system;
    reader->n_p = sys->n_open;
    for (int i = 0; i < reader->n_elements; i++) {
        const ElementRole role = reader->elements[i].kind->role;
        place_parameters(reader, &reader->elements[i]);
        read_element_values(reader, i);
        share_parameters(reader, &reader->elements[i]);
        if (reader->elements[i].kind->n_references > 0) {
            read_references(reader, i);
        }
        if (role == ROLE_CONTACT) {
            read_contact_materials(reader, i);
        }
        if (!reader_has_memory(reader, reader->nodes[i])) {
            return STATUS_OUT_OF_MEMORY;
        }
    }
    sys->n_parameters = reader->n_p;
    take_start_values(reader);
    if (reader->report->n_errors == 0) {  // otherwise there is enough to tell
        check_surfaces(reader, reader->p);
    }
    if (reader->report->n_errors == 0) {
        read_masses(reader, reader->p);
        warn_of_oddities(reader, reader->p);
    }
    list_computed(reader);
    if (!reader_has_memory(reader, NULL)) {
        return STATUS_OUT_OF_MEMORY;
    }
    return system_connect(reader->elements, reader->p, reader->signals, reader->arena,
                          reader->report, sys);
}
