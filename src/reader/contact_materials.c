// What contacts take from the table of materials: of two shapes, of two groups of one material
// each, and of groups with shapes of several materials, whose pairs material_pairs.c lists.
#include <math.h>

#include "reader/reader.h"

const char* material_of(const Reader* reader, int shape) {
    const XmlNode* node = reader->nodes[shape];
    const char* material = xml_attribute(node, "material");
    return material != NULL ? material : xml_attribute(node->parent, "material");
}

bool takes_from_materials(const Reader* reader, int contact, int parameter) {
    const ParameterInfo* info = &reader->elements[contact].kind->parameters[parameter];
    return info->from_materials && xml_attribute(reader->nodes[contact], info->name) == NULL;
}

bool needs_materials(const Reader* reader, int contact) {
    bool needs = false;
    for (int i = 0; i < reader->elements[contact].kind->n_parameters; i++) {
        needs = needs || takes_from_materials(reader, contact, i);
    }
    return needs;
}

// Two shapes, or what stands for two groups, and where the values of their materials belong
typedef struct Taker {
    int contact;
    const char* materials[2];
    const int* shapes;  // (2) to be named in messages; NULL: none
    const int* p;       // (N_CONTACT_PARAMETERS)
} Taker;

static void refuse_pair(Reader* reader, const Taker* taker, const char* parameter) {
    const XmlNode* node = reader->nodes[taker->contact];
    const char* a = taker->materials[0];
    const char* b = taker->materials[1];
    if (taker->shapes == NULL) {
        NODE_ERROR(reader, node, "%s has no pair of %s and %s: add it there or give %s here",
                   reader->materials->file, a, b, parameter);
    } else {
        NODE_ERROR(reader, node,
                   "%s has no pair of %s and %s, the materials of %s and %s: add it there or give "
                   "%s here",
                   reader->materials->file, a, b, reader->elements[taker->shapes[0]].name,
                   reader->elements[taker->shapes[1]].name, parameter);
    }
}

// The values of a pair of materials, for the attributes that the contact leaves out; false after an
// error.
static bool take_pair(Reader* reader, const Taker* taker) {
    const char* a = taker->materials[0];
    const char* b = taker->materials[1];
    const MaterialPair* pair =
        reader->materials != NULL ? materials_find(reader->materials, a, b) : NULL;
    for (int i = 0; i < N_CONTACT_PARAMETERS; i++) {
        if (!takes_from_materials(reader, taker->contact, i)) {
            continue;
        }
        if (reader->materials == NULL) {
            NODE_ERROR(reader, reader->nodes[taker->contact],
                       "the shapes have the materials %s and %s but <mechanism> names "
                       "no table of materials: expected materials=\"FILE\"",
                       a, b);
            return false;
        }
        if (pair == NULL) {
            refuse_pair(reader, taker, contact_kind.parameters[i].name);
            return false;
        }
        if (!isnan(pair->values[i])) {
            reader->parameters[taker->p[i]].start = pair->values[i];
        }
    }
    return true;
}

// Both have one material, or at least one has none, so that the attributes and their defaults hold.
static void take_own(Reader* reader, int contact, const char* a, const char* b) {
    int p[N_CONTACT_PARAMETERS];
    const Taker taker = {.contact = contact, .materials = {a, b}, .p = p};
    for (int i = 0; i < N_CONTACT_PARAMETERS; i++) {
        p[i] = reader->elements[contact].p.at + i;
    }
    if (a != NULL && b != NULL) {
        (void)take_pair(reader, &taker);
    }
}

// --- groups ---

// The parameters of a pair that are not the element's own: "grains.steel.wood.friction_coefficient"
static void name_values(Reader* reader, const Element* contacts, const MaterialValues* pair,
                        const char* const* materials) {
    const char* name = arena_join(reader->arena, contacts->name, materials[0]);
    name = name != NULL ? arena_join(reader->arena, name, materials[1]) : NULL;
    for (int i = 0; i < N_CONTACT_PARAMETERS && name != NULL; i++) {
        ModelParameter* parameter = &reader->parameters[pair->p[i]];
        const ParameterInfo* info = &contacts->kind->parameters[i];
        if (pair->p[i] != contacts->p.at + i) {
            const char* full = arena_join(reader->arena, name, info->name);
            *parameter = (ModelParameter){
                .name = full != NULL ? full : "", .info = info, .start = info->start};
        }
    }
}

// No more than some missing pairs are told: what is missing may be the right table.
static void take_pairs(Reader* reader, int index) {
    enum { MOST_TOLD = 10 };
    const Element* contacts = &reader->elements[index];
    int n_missing = 0;
    for (int i = 0; i < contacts->n_pairs && n_missing < MOST_TOLD; i++) {
        const MaterialValues* pair = &contacts->pairs[i];
        const Taker taker = {
            .contact = index,
            .materials = {material_of(reader, pair->shapes[0]),
                          material_of(reader, pair->shapes[1])},
            .shapes = pair->shapes,
            .p = pair->p,
        };
        name_values(reader, contacts, pair, taker.materials);
        n_missing += !take_pair(reader, &taker);
        if (n_missing > 0 && reader->materials == NULL) {
            return;  // it is told once
        }
    }
}

// The material of the first shape of a group, which is that of all
static const char* material_of_group(const Reader* reader, int group) {
    int shape = 0;
    while (shape < reader->n_elements && reader->elements[shape].group != group) {
        shape++;
    }
    return shape < reader->n_elements ? material_of(reader, shape) : NULL;
}

static void take_groups(Reader* reader, int index) {
    const Element* contacts = &reader->elements[index];
    const int first = element_group(contacts, 0);
    const int second = element_group(contacts, 1) > 0 ? element_group(contacts, 1) : first;
    int material;
    if (contacts->n_pairs > 0) {
        take_pairs(reader, index);
    } else if (first > 0 && group_has_one_material(reader, first, &material) &&
               group_has_one_material(reader, second, &material)) {
        take_own(reader, index, material_of_group(reader, first),
                 material_of_group(reader, second));
    }
}

void read_contact_materials(Reader* reader, int index) {
    const Element* contact = &reader->elements[index];
    if (reader->lacks_materials) {
        return;  // which is told
    }
    if (kind_names_groups(contact->kind)) {
        take_groups(reader, index);
    } else if (contact->references[0] >= 0 && contact->references[1] >= 0) {
        take_own(reader, index, material_of(reader, contact->references[0]),
                 material_of(reader, contact->references[1]));
    }
}
