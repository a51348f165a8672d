// Pairs of materials within one <contacts>. Where its groups have shapes of several materials, what
// holds is a matter of each pair of materials of which shapes can meet: such pairs are listed, and
// the values that they take from the table are parameters of their own, after those of all
// elements.
//
// Whether shapes of two materials can meet is found without looking at all their pairs: members are
// sorted so that those of one body follow each other, bodies that move first. Of two bodies that
// are different, not joined and not both at rest, any two shapes will do that no <contact> names.
#include <stdlib.h>
#include <string.h>

#include "reader/reader.h"

enum { MOST_MATERIALS = 64 };  // of one <contacts>

typedef struct Member {
    int shape, body;  // elements
    int material;
    bool second;  // it is in the second group
    bool point;   // points do not meet points
    bool moves;   // its body does
    int end;      // where those that differ in the shape alone end
} Member;

// What keeps shapes apart that are in groups, each list sorted
typedef struct Exclusions {
    long long* joined;    // (n_joined) bodies that a joint connects
    long long* declared;  // (n_declared) shapes of a <contact> whose contacts are found
    int n_joined, n_declared;
} Exclusions;

typedef struct Lister {
    Reader* reader;
    int contacts;     // the element
    bool same_group;  // there is no second one
    Member* members;  // (n)
    int n;
    int materials[MOST_MATERIALS];  // (n_materials) ascending
    int n_materials;
    Exclusions exclusions;
} Lister;

// --- numbers of materials ---

static int compare_names(const void* a, const void* b) {
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// Materials of shapes in groups are numbered in the order of their names.
static void number_materials(Reader* reader) {
    const char** names = SCRATCH_NEW(reader, reader->n_elements, const char*);
    int n = 0, n_different = 0;
    for (int i = 0; i < reader->n_elements && names != NULL; i++) {
        const char* material = reader->elements[i].group > 0 ? material_of(reader, i) : NULL;
        if (material != NULL) {
            names[n++] = material;
        }
    }
    if (n == 0) {
        return;  // or the arena is exhausted
    }
    qsort(names, (size_t)n, sizeof *names, compare_names);
    for (int i = 0; i < n; i++) {
        if (i == 0 || strcmp(names[i], names[n_different - 1]) != 0) {
            names[n_different++] = names[i];
        }
    }
    for (int i = 0; i < reader->n_elements; i++) {
        const char* material = reader->elements[i].group > 0 ? material_of(reader, i) : NULL;
        if (material != NULL) {
            const char** at =
                bsearch(&material, names, (size_t)n_different, sizeof *names, compare_names);
            reader->elements[i].material = 1 + (int)(at - names);
        }
    }
}

bool group_has_one_material(const Reader* reader, int group, int* material) {
    *material = -1;
    for (int i = 0; i < reader->n_elements; i++) {
        const Element* shape = &reader->elements[i];
        if (shape->group == group && *material >= 0 && shape->material != *material) {
            return false;
        }
        *material = shape->group == group ? shape->material : *material;
    }
    return true;
}

// Does a <contacts> have shapes of several materials? Not if a group has none at all: then the
// attributes and their defaults hold.
static bool is_of_several(const Reader* reader, const Element* contacts) {
    const int first = element_group(contacts, 0);
    const int second = element_group(contacts, 1) > 0 ? element_group(contacts, 1) : first;
    int a, b;
    const bool one_a = group_has_one_material(reader, first, &a);
    const bool one_b = group_has_one_material(reader, second, &b);
    return !(one_a && one_b) && !(one_a && a == 0) && !(one_b && b == 0);
}

// --- members ---

static int compare_members(const void* a, const void* b) {
    const Member* x = a;
    const Member* y = b;
    const int orders[] = {x->second - y->second, x->material - y->material, x->point - y->point,
                          y->moves - x->moves,   x->body - y->body,         x->shape - y->shape};
    int i = 0;
    while (i < 5 && orders[i] == 0) {
        i++;
    }
    return orders[i];
}

static void find_ends(Lister* l) {
    for (int i = l->n - 1; i >= 0; i--) {
        Member* m = &l->members[i];
        const Member* next = i + 1 < l->n ? m + 1 : NULL;
        const bool same = next != NULL && next->second == m->second &&
                          next->material == m->material && next->point == m->point &&
                          next->body == m->body;
        m->end = same ? next->end : i + 1;
    }
}

static void list_members(Lister* l) {
    Reader* reader = l->reader;
    const Element* contacts = &reader->elements[l->contacts];
    const int first = element_group(contacts, 0);
    const int second = element_group(contacts, 1);
    l->same_group = second == 0 || second == first;
    l->members = SCRATCH_NEW(reader, reader->n_elements, Member);
    for (int i = 0; i < reader->n_elements && l->members != NULL; i++) {
        const Element* shape = &reader->elements[i];
        if (shape->group > 0 && (shape->group == first || shape->group == second)) {
            l->members[l->n++] = (Member){
                .shape = i,
                .body = shape->parent,
                .material = shape->material,
                .second = shape->group != first,
                .point = shape->kind->shape == SHAPE_POINT,
                .moves = body_moves(reader->elements[shape->parent].kind->body),
            };
        }
    }
    if (l->n > 0) {
        qsort(l->members, (size_t)l->n, sizeof *l->members, compare_members);
    }
    find_ends(l);
}

// Every shape needs a material, and its name is to be part of others; false after an error.
static bool check_materials(const Lister* l) {
    Reader* reader = l->reader;
    bool ok = true;
    for (int i = 0; i < l->n && ok; i++) {
        const int shape = l->members[i].shape;
        const char* material = material_of(reader, shape);
        const XmlNode* own = reader->nodes[shape];
        if (material == NULL) {
            NODE_ERROR(reader, reader->nodes[l->contacts],
                       "%s has no material, and others of the group %s have: expected materials of "
                       "all shapes, or all values here",
                       reader->elements[shape].name,
                       reader->groups[reader->elements[shape].group - 1]);
            ok = false;
        } else if (!text_is_name(material)) {
            const bool of_body = xml_attribute(own, "material") == NULL;
            ATTRIBUTE_ERROR(reader, of_body ? own->parent : own, "material",
                            "material=\"%.80s\": %s has shapes of several materials, whose names "
                            "are parts of variables: expected a letter, then letters, digits and "
                            "underscores",
                            material, reader->elements[l->contacts].name);
            ok = false;
        }
    }
    return ok;
}

// False after an error
static bool list_materials(Lister* l) {
    for (int i = 0; i < l->n; i++) {
        const int material = l->members[i].material;
        int at = 0;
        while (at < l->n_materials && l->materials[at] < material) {
            at++;
        }
        if (at < l->n_materials && l->materials[at] == material) {
            continue;
        }
        if (l->n_materials == MOST_MATERIALS) {
            NODE_ERROR(l->reader, l->reader->nodes[l->contacts],
                       "its shapes have more than %d materials", (int)MOST_MATERIALS);
            return false;
        }
        memmove(l->materials + at + 1, l->materials + at,
                (size_t)(l->n_materials - at) * sizeof *l->materials);
        l->materials[at] = material;
        l->n_materials++;
    }
    return true;
}

// --- what can meet ---

static long long pair_of(long long a, long long b) { return a < b ? (a << 32 | b) : (b << 32 | a); }

static int compare_pairs(const void* a, const void* b) {
    const long long first = *(const long long*)a;
    const long long second = *(const long long*)b;
    return (first > second) - (first < second);
}

static bool contains(const long long* pairs, int n, int a, int b) {
    const long long pair = pair_of(a, b);
    return n > 0 && bsearch(&pair, pairs, (size_t)n, sizeof pair, compare_pairs) != NULL;
}

static int body_of(const Reader* reader, int element) {
    const int parent = reader->elements[element].parent;
    return parent >= 0 ? parent : element;
}

static void list_exclusions(Reader* reader, Exclusions* e) {
    e->joined = SCRATCH_NEW(reader, reader->n_elements, long long);
    e->declared = SCRATCH_NEW(reader, reader->n_elements, long long);
    for (int i = 0; i < reader->n_elements && e->joined != NULL && e->declared != NULL; i++) {
        const Element* element = &reader->elements[i];
        const ElementKind* kind = element->kind;
        const int a = element_target(element, 0), b = element_target(element, 1);
        if (kind->n_references < 2 || a < 0 || b < 0) {
            continue;
        }
        if (kind->role == ROLE_JOINT) {
            e->joined[e->n_joined++] = pair_of(body_of(reader, a), body_of(reader, b));
        } else if (kind->role == ROLE_CONTACT &&
                   contact_is_found(reader->elements[a].kind->shape,
                                    reader->elements[b].kind->shape, kind->spatial != NULL)) {
            e->declared[e->n_declared++] = pair_of(a, b);
        }
    }
    if (e->n_joined > 0) {
        qsort(e->joined, (size_t)e->n_joined, sizeof *e->joined, compare_pairs);
    }
    if (e->n_declared > 0) {
        qsort(e->declared, (size_t)e->n_declared, sizeof *e->declared, compare_pairs);
    }
}

// Members of one group, material and sort: points or others
static Range members_of(const Lister* l, bool second, int material, bool point) {
    Range range = {0, 0};
    int low = 0;
    int high = l->n;
    while (low < high) {  // the first that is not before them
        const int middle = (low + high) / 2;
        const Member* m = &l->members[middle];
        const bool before = m->second != second       ? second
                            : m->material != material ? m->material < material
                                                      : m->point < point;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    range.at = low;
    while (low < l->n && l->members[low].second == second && l->members[low].material == material &&
           l->members[low].point == point) {
        low = l->members[low].end;
    }
    range.n = low - range.at;
    return range;
}

// Two shapes of two bodies that no <contact> names
static bool find_shapes(const Lister* l, Range first, Range second, int shapes[2]) {
    const Exclusions* e = &l->exclusions;
    for (int i = first.at; i < first.at + first.n; i++) {
        for (int j = second.at; j < second.at + second.n; j++) {
            shapes[0] = l->members[i].shape;
            shapes[1] = l->members[j].shape;
            if (!contains(e->declared, e->n_declared, shapes[0], shapes[1])) {
                return true;
            }
        }
    }
    return false;
}

// Two shapes of these that can meet; false: there are none.
static bool find_meeting(const Lister* l, Range first, Range second, int shapes[2]) {
    const Exclusions* e = &l->exclusions;
    for (int i = first.at; i < first.at + first.n; i = l->members[i].end) {
        const Member* a = &l->members[i];
        for (int j = second.at; j < second.at + second.n; j = l->members[j].end) {
            const Member* b = &l->members[j];
            if (!a->moves && !b->moves) {
                break;  // nor do those after it
            }
            if (a->body != b->body && !contains(e->joined, e->n_joined, a->body, b->body) &&
                find_shapes(l, (Range){i, a->end - i}, (Range){j, b->end - j}, shapes)) {
                return true;
            }
        }
    }
    return false;
}

// Shapes of the first material that are in the first group, with those of the second in the other
static bool meet_in_order(const Lister* l, int a, int b, int shapes[2]) {
    const bool other = !l->same_group;
    const Range first = members_of(l, false, a, false), second = members_of(l, other, b, false);
    return find_meeting(l, first, second, shapes) ||
           find_meeting(l, first, members_of(l, other, b, true), shapes) ||
           find_meeting(l, members_of(l, false, a, true), second, shapes);
}

// Two shapes, the first of the material a, the second of b
static bool find_pair(const Lister* l, int a, int b, int shapes[2]) {
    if (meet_in_order(l, a, b, shapes)) {
        return true;
    }
    int swapped[2];
    if (a == b || l->same_group || !meet_in_order(l, b, a, swapped)) {
        return false;
    }
    shapes[0] = swapped[1];
    shapes[1] = swapped[0];
    return true;
}

static void list_pairs(const Lister* l) {
    Reader* reader = l->reader;
    Element* contacts = &reader->elements[l->contacts];
    System* sys = &reader->model->system;
    const int most = l->n_materials * (l->n_materials + 1) / 2;
    MaterialValues* pairs = ARENA_NEW(reader->arena, most, MaterialValues);
    for (int i = 0; i < l->n_materials && pairs != NULL; i++) {
        for (int j = i; j < l->n_materials; j++) {
            MaterialValues* pair = &pairs[contacts->n_pairs];
            *pair = (MaterialValues){.first = l->materials[i], .second = l->materials[j]};
            if (!find_pair(l, pair->first, pair->second, pair->shapes)) {
                continue;
            }
            for (int k = 0; k < N_CONTACT_PARAMETERS; k++) {
                const bool from_table = takes_from_materials(reader, l->contacts, k);
                pair->p[k] = from_table ? sys->n_open++ : contacts->p.at + k;
            }
            contacts->n_pairs++;
        }
    }
    contacts->pairs = pairs;
}

void number_material_pairs(Reader* reader) {
    Exclusions exclusions = {0};
    number_materials(reader);
    for (int i = 0; i < reader->n_elements; i++) {
        const Element* contacts = &reader->elements[i];
        if (element_group(contacts, 0) == 0 || reader->lacks_materials ||
            !needs_materials(reader, i) || !is_of_several(reader, contacts)) {
            continue;
        }
        if (exclusions.joined == NULL) {
            list_exclusions(reader, &exclusions);
        }
        const char* joined = xml_attribute(reader->nodes[i], CONTACTS_JOINED_BODIES);
        Lister lister = {.reader = reader, .contacts = i, .exclusions = exclusions};
        if (joined != NULL && strcmp(joined, "pass") != 0) {
            lister.exclusions.n_joined = 0;
        }
        list_members(&lister);
        if (lister.members != NULL && exclusions.declared != NULL && check_materials(&lister) &&
            list_materials(&lister)) {
            list_pairs(&lister);
        }
    }
}
