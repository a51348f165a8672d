#include "system/assembly.h"

#include "system/system.h"

// --- which bodies are tied together ---

// The representative of a set of bodies; parent[i] <= i, so that it is the first of them.
static int find(int* parent, int i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void unite(int* parent, int a, int b) {
    a = find(parent, a);
    b = find(parent, b);
    parent[a > b ? a : b] = a < b ? a : b;
}

static void tie(const Link* link, const int* body_of_u, int* parent) {
    for (int k = 1; k < link->coupling.n; k++) {
        unite(parent, body_of_u[link->coupling.u[0]], body_of_u[link->coupling.u[k]]);
    }
}

static bool depends_on_motion(const Link* force) {
    return force->element->kind->force->state_dependent && force->coupling.n > 0;
}

// --- lists by assembly ---

// Numbers 0 ... n - 1 sorted by group, those of each group ascending; start (n_groups + 1).
typedef struct Groups {
    int* items;
    int* start;
} Groups;

// of (n): the group of each item, -1: none; scratch: of start
static bool group(int n, const int* of, int n_groups, Arena* arena, Arena* scratch,
                  Groups* groups) {
    groups->items = ARENA_NEW(arena, n, int);
    groups->start = ARENA_NEW(scratch, n_groups + 2, int);  // one ahead while it is filled
    if (groups->items == NULL || groups->start == NULL) {
        return false;
    }
    int* next = groups->start + 1;
    for (int i = 0; i < n; i++) {
        if (of[i] >= 0) {
            next[of[i] + 1]++;
        }
    }
    for (int g = 0; g < n_groups; g++) {
        next[g + 1] += next[g];
    }
    for (int i = 0; i < n; i++) {
        if (of[i] >= 0) {
            groups->items[next[of[i]]++] = i;
        }
    }
    return true;
}

static Range range_of(const Groups* groups, int g) {
    return (Range){groups->start[g], groups->start[g + 1] - groups->start[g]};
}

// What belongs to which assembly, while they are made
typedef struct Owners {
    int *of_body, *of_u, *of_joint, *of_row, *of_force;
    int n;  // assemblies
} Owners;

static bool take_owners(const System* sys, Arena* scratch, Owners* o) {
    o->of_body = ARENA_NEW(scratch, sys->n_bodies, int);
    o->of_u = ARENA_NEW(scratch, sys->nu, int);
    o->of_joint = ARENA_NEW(scratch, sys->n_joints, int);
    o->of_row = ARENA_NEW(scratch, sys->nla_g, int);
    o->of_force = ARENA_NEW(scratch, sys->n_forces, int);
    return o->of_body != NULL && o->of_u != NULL && o->of_joint != NULL && o->of_row != NULL &&
           o->of_force != NULL;
}

static void find_owners(const System* sys, int* parent, int* body_of_u, Owners* o) {
    for (int b = 0; b < sys->n_bodies; b++) {
        parent[b] = b;
        for (int i = 0; i < sys->bodies[b]->u.n; i++) {
            body_of_u[sys->bodies[b]->u.at + i] = b;
        }
    }
    for (int i = 0; i < sys->n_joints; i++) {
        tie(&sys->joints[i], body_of_u, parent);
    }
    for (int i = 0; i < sys->n_forces; i++) {
        if (depends_on_motion(&sys->forces[i])) {
            tie(&sys->forces[i], body_of_u, parent);
        }
    }
    for (int b = 0; b < sys->n_bodies; b++) {
        const bool moves = sys->bodies[b]->u.n > 0;
        const int first = find(parent, b);
        o->of_body[b] = !moves ? -1 : first == b ? o->n++ : o->of_body[first];
    }
    for (int i = 0; i < sys->nu; i++) {
        o->of_u[i] = o->of_body[body_of_u[i]];
    }
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        o->of_joint[i] = joint->coupling.n > 0 ? o->of_u[joint->coupling.u[0]] : -1;
        for (int r = 0; r < joint->la.n; r++) {
            o->of_row[joint->la.at + r] = o->of_joint[i];
        }
    }
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* force = &sys->forces[i];
        o->of_force[i] = depends_on_motion(force) ? o->of_u[force->coupling.u[0]] : -1;
    }
}

// The body on a side of a joint; the ground is the one after the last.
static int body_at(const System* sys, const Link* joint, int side, const int* body_of_u) {
    const CouplingSide* at = &joint->coupling.sides[side];
    return at->n > 0 ? body_of_u[joint->coupling.u[at->entry[0]]] : sys->n_bodies;
}

// Joints close a loop if they join bodies that others have joined already. A drive, which says how
// the joint beside it moves, does not, nor does a joint on velocity level. parent (n_bodies + 1).
static void find_loops(const System* sys, const Owners* o, const int* body_of_u, int* parent,
                       Assembly* assemblies) {
    for (int b = 0; b <= sys->n_bodies; b++) {
        parent[b] = b;
    }
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        if (o->of_joint[i] < 0 || joint->rows->n_position_rows == 0 ||
            joint->element->kind->n_signals > 0) {
            continue;
        }
        const int a = body_at(sys, joint, 0, body_of_u);
        const int b = body_at(sys, joint, 1, body_of_u);
        if (find(parent, a) == find(parent, b)) {
            assemblies[o->of_joint[i]].closed = true;
        }
        unite(parent, a, b);
    }
}

// The numbers of each joint's velocities in their assembly; NULL if the arena is exhausted.
static const int** number_joints(const System* sys, const int* local_u, Arena* arena) {
    const int** joint_u = ARENA_NEW(arena, sys->n_joints, const int*);
    for (int i = 0; i < sys->n_joints && joint_u != NULL; i++) {
        const Coupling* coupling = &sys->joints[i].coupling;
        int* at = ARENA_NEW(arena, coupling->n, int);
        for (int k = 0; k < coupling->n && at != NULL; k++) {
            at[k] = local_u[coupling->u[k]];
        }
        if (at == NULL) {
            return NULL;
        }
        joint_u[i] = at;
    }
    return joint_u;
}

static Status make_assemblies(const System* sys, const Owners* o, const int* body_of_u, int* parent,
                              Arena* arena, Arena* scratch, Assemblies* found) {
    Groups bodies, u, joints, rows, forces;
    Assembly* assemblies = ARENA_NEW(arena, o->n + 1, Assembly);
    int* of_u = ARENA_NEW(arena, sys->nu, int);
    int* local_u = ARENA_NEW(arena, sys->nu, int);
    int* local_row = ARENA_NEW(arena, sys->nla_g, int);
    if (!group(sys->n_bodies, o->of_body, o->n, arena, scratch, &bodies) ||
        !group(sys->nu, o->of_u, o->n, arena, scratch, &u) ||
        !group(sys->n_joints, o->of_joint, o->n, arena, scratch, &joints) ||
        !group(sys->nla_g, o->of_row, o->n, arena, scratch, &rows) ||
        !group(sys->n_forces, o->of_force, o->n, arena, scratch, &forces) || assemblies == NULL ||
        of_u == NULL || local_u == NULL || local_row == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int a = 0; a <= o->n; a++) {
        Assembly* assembly = &assemblies[a];
        const Range own_u = a < o->n ? range_of(&u, a) : (Range){0, 0};
        const Range own_rows = a < o->n ? range_of(&rows, a) : (Range){0, 0};
        *assembly = (Assembly){.u = u.items + own_u.at,
                               .n = own_u.n,
                               .rows = rows.items + own_rows.at,
                               .n_c = own_rows.n,
                               .bodies = bodies.start[a],
                               .joints = joints.start[a],
                               .forces = forces.start[a]};
        for (int i = 0; i < assembly->n; i++) {
            of_u[assembly->u[i]] = a;
            local_u[assembly->u[i]] = i;
        }
        for (int i = 0; i < assembly->n_c; i++) {
            local_row[assembly->rows[i]] = i;
        }
    }
    const int** joint_u = number_joints(sys, local_u, arena);
    if (joint_u == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    find_loops(sys, o, body_of_u, parent, assemblies);
    *found = (Assemblies){.assemblies = assemblies,
                          .n = o->n,
                          .bodies = bodies.items,
                          .joints = joints.items,
                          .forces = forces.items,
                          .of_u = of_u,
                          .local_u = local_u,
                          .local_row = local_row,
                          .joint_u = joint_u};
    return STATUS_OK;
}

Status assemblies_find(const System* sys, Arena* arena, Assemblies* found) {
    Arena scratch = {0};
    Owners owners = {0};
    int* parent = ARENA_NEW(&scratch, sys->n_bodies + 1, int);
    int* body_of_u = ARENA_NEW(&scratch, sys->nu, int);
    Status status = STATUS_OUT_OF_MEMORY;
    if (parent != NULL && body_of_u != NULL && take_owners(sys, &scratch, &owners)) {
        find_owners(sys, parent, body_of_u, &owners);
        status = make_assemblies(sys, &owners, body_of_u, parent, arena, &scratch, found);
    }
    arena_free(&scratch);
    return status;
}
