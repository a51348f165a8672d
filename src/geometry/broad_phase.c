// A box of extent s, its largest one, is of level l where 2^(l-1) < s <= 2^l, and is kept in the
// cell of the grid of 2^l that its centre is in. Boxes of level l' >= l that overlap it have their
// centres within its own extent and 2^l'/2 on either side: at most three cells in each direction.
// So each box asks the grids of its own level and of those above; of its own level, where the other
// one would ask as well, the cells from its own on alone.
//
// All this is done with boxes that are larger by a margin. As long as each box stays within its
// larger one, the pairs of these are looked through for those that overlap: what is found is the
// same, whenever the larger boxes were made.
#include "geometry/broad_phase.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LOWEST_LEVEL = -40, N_LEVELS = 81 };  // 1e-12 m ... 1e12 m
static const double LAST_CELL = 1e15;        // beyond it, cells are not told apart
static const double MARGIN = 0.1;            // of the extent of a box, on each side

typedef struct Cell {
    long long x, y, z;
    int level;
    int first;  // box, -1: the cell is not used
} Cell;

typedef struct CellPlace {
    long long x, y, z;
} CellPlace;

struct BroadPhase {
    Cell* cells;  // (n_cells, a power of two) by hash, the next free one where one is taken
    int n_cells;
    int* next;  // (n_boxes) in the same cell, -1: it is the last
    unsigned char* level;
    int n_boxes;
    Box* larger;      // (n_boxes)
    int n_larger;     // for which the pairs are known; 0: they are not
    BoxPair* found;   // (n_room) of larger boxes, as found; then those of the boxes themselves
    BoxPair* sorted;  // (n_room) of larger boxes
    int n_room;
    int* count;  // (n_boxes + 1) of pairs by their first box
    int n_found;
    bool used[N_LEVELS];
    int highest;            // of the levels that are used
    double size[N_LEVELS];  // of the cells of each level
};

BroadPhase* broad_phase_create(void) {
    BroadPhase* phase = calloc(1, sizeof(BroadPhase));
    for (int level = 0; level < N_LEVELS && phase != NULL; level++) {
        phase->size[level] = ldexp(1.0, level + LOWEST_LEVEL);
    }
    return phase;
}

void broad_phase_destroy(BroadPhase* phase) {
    if (phase != NULL) {
        free(phase->cells);
        free(phase->next);
        free(phase->level);
        free(phase->larger);
        free(phase->found);
        free(phase->sorted);
        free(phase->count);
        free(phase);
    }
}

// Room for n of an array; what is in it stays.
static bool make_room(void** array, size_t n, size_t size) {
    void* larger = realloc(*array, n * size);
    if (larger == NULL) {
        return false;
    }
    *array = larger;
    return true;
}

static bool room_for_boxes(BroadPhase* phase, int n) {
    if (n <= phase->n_boxes) {
        return true;
    }
    int n_cells = 16;
    while (n_cells < 2 * n && n_cells < INT_MAX / 4) {
        n_cells *= 2;
    }
    if (!make_room((void**)&phase->next, (size_t)n, sizeof *phase->next) ||
        !make_room((void**)&phase->level, (size_t)n, sizeof *phase->level) ||
        !make_room((void**)&phase->larger, (size_t)n, sizeof *phase->larger) ||
        !make_room((void**)&phase->count, (size_t)n + 1, sizeof *phase->count) ||
        !make_room((void**)&phase->cells, (size_t)n_cells, sizeof *phase->cells)) {
        return false;
    }
    phase->n_boxes = n;
    phase->n_cells = n_cells;
    return true;
}

static bool add_pair(BroadPhase* phase, int i, int j) {
    if (phase->n_found == phase->n_room) {
        const int n = phase->n_room > 0 ? 2 * phase->n_room : 256;
        if (phase->n_room > INT_MAX / 4 ||
            !make_room((void**)&phase->found, (size_t)n, sizeof *phase->found) ||
            !make_room((void**)&phase->sorted, (size_t)n, sizeof *phase->sorted)) {
            return false;
        }
        phase->n_room = n;
    }
    phase->found[phase->n_found++] = i < j ? (BoxPair){i, j} : (BoxPair){j, i};
    return true;
}

static int level_of(const Box* box) {
    const Vec3 extent = sub3(box->high, box->low);
    const double largest = fmax(extent.x, fmax(extent.y, extent.z));
    int exponent = 0;
    (void)frexp(largest, &exponent);  // largest < 2^exponent
    exponent = exponent < LOWEST_LEVEL || !(largest > 0.0) ? LOWEST_LEVEL : exponent;
    return exponent >= LOWEST_LEVEL + N_LEVELS ? N_LEVELS - 1 : exponent - LOWEST_LEVEL;
}

// The largest whole number that is not above x / size; a size is a power of two, and its inverse
// exact
static long long cell_at(double x, double inverse_size) {
    const double scaled = x * inverse_size;
    const double above = scaled > -LAST_CELL ? scaled : -LAST_CELL;
    const double at = above < LAST_CELL ? above : LAST_CELL;
    const long long whole = (long long)at;
    return whole - ((double)whole > at);
}

// Of all cells with the same x and y, and of one of them
static unsigned long long hash_of_column(long long x, long long y, int level) {
    unsigned long long h = (unsigned long long)x * 0x9E3779B97F4A7C15ULL;
    h = (h ^ (h >> 29) ^ (unsigned long long)y) * 0xBF58476D1CE4E5B9ULL;
    return (h ^ (h >> 32) ^ (unsigned long long)level) * 0x94D049BB133111EBULL;
}
static size_t hash_of(unsigned long long column, long long z) {
    return (size_t)(((column ^ (column >> 31) ^ (unsigned long long)z) * 0x9E3779B97F4A7C15ULL) >>
                    32);
}

// The cell, or the free one that would become it
static Cell* find_cell(const BroadPhase* phase, unsigned long long column, long long x, long long y,
                       long long z, int level) {
    const size_t mask = (size_t)phase->n_cells - 1;
    size_t i = hash_of(column, z) & mask;
    for (;; i = (i + 1) & mask) {
        Cell* cell = &phase->cells[i];
        if (cell->first < 0 ||
            (cell->x == x && cell->y == y && cell->z == z && cell->level == level)) {
            return cell;
        }
    }
}

static CellPlace place_of(const Box* box, double inverse_size) {
    return (CellPlace){cell_at(0.5 * (box->low.x + box->high.x), inverse_size),
                       cell_at(0.5 * (box->low.y + box->high.y), inverse_size),
                       cell_at(0.5 * (box->low.z + box->high.z), inverse_size)};
}

static void insert(BroadPhase* phase, int i, const Box* box) {
    const int level = phase->level[i];
    const CellPlace at = place_of(box, 1.0 / phase->size[level]);
    Cell* cell = find_cell(phase, hash_of_column(at.x, at.y, level), at.x, at.y, at.z, level);
    phase->next[i] = cell->first;
    *cell = (Cell){at.x, at.y, at.z, level, i};
}

static bool overlap(const Box* a, const Box* b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// Those in one cell that box i overlaps; own: it is in there, too, and each pair counts once
static bool ask_cell(BroadPhase* phase, int i, const Box* boxes, const Cell* cell, bool own) {
    for (int j = cell->first; j >= 0; j = phase->next[j]) {
        if ((!own || j < i) && overlap(&boxes[i], &boxes[j]) && !add_pair(phase, i, j)) {
            return false;
        }
    }
    return true;
}

static bool ask_level(BroadPhase* phase, int i, const Box* boxes, int level) {
    const double size = phase->size[level];
    const Box* box = &boxes[i];
    const double half = 0.5 * size;
    const double inverse = 1.0 / size;
    const bool of_level = level == phase->level[i];
    const CellPlace own = place_of(box, inverse);
    const CellPlace low = {cell_at(box->low.x - half, inverse), cell_at(box->low.y - half, inverse),
                           cell_at(box->low.z - half, inverse)};
    const CellPlace high = {cell_at(box->high.x + half, inverse),
                            cell_at(box->high.y + half, inverse),
                            cell_at(box->high.z + half, inverse)};
    for (long long x = of_level ? own.x : low.x; x <= high.x; x++) {
        const bool same_x = of_level && x == own.x;
        for (long long y = same_x ? own.y : low.y; y <= high.y; y++) {
            const bool same_y = same_x && y == own.y;
            const unsigned long long column = hash_of_column(x, y, level);
            for (long long z = same_y ? own.z : low.z; z <= high.z; z++) {
                const Cell* cell = find_cell(phase, column, x, y, z, level);
                if (cell->first >= 0 && !ask_cell(phase, i, boxes, cell, same_y && z == own.z)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// By the first box, then by the second: counted, then put in order among few
static void sort_pairs(BroadPhase* phase, int n) {
    memset(phase->count, 0, ((size_t)n + 1) * sizeof *phase->count);
    for (int k = 0; k < phase->n_found; k++) {
        phase->count[phase->found[k].a + 1]++;
    }
    for (int i = 0; i < n; i++) {
        phase->count[i + 1] += phase->count[i];
    }
    for (int k = 0; k < phase->n_found; k++) {
        phase->sorted[phase->count[phase->found[k].a]++] = phase->found[k];
    }
    for (int k = 1; k < phase->n_found; k++) {
        const BoxPair pair = phase->sorted[k];
        int at = k;
        for (; at > 0 && phase->sorted[at - 1].a == pair.a && phase->sorted[at - 1].b > pair.b;
             at--) {
            phase->sorted[at] = phase->sorted[at - 1];
        }
        phase->sorted[at] = pair;
    }
}

// --- larger boxes ---

static Box enlarged(const Box* box) {
    const Vec3 margin = scale3(MARGIN, sub3(box->high, box->low));
    return (Box){.low = sub3(box->low, margin), .high = add3(box->high, margin)};
}

static bool is_within(const Box* box, const Box* larger) {
    return box->low.x >= larger->low.x && box->high.x <= larger->high.x &&
           box->low.y >= larger->low.y && box->high.y <= larger->high.y &&
           box->low.z >= larger->low.z && box->high.z <= larger->high.z;
}

static bool are_within(const BroadPhase* phase, int n, const Box* boxes) {
    bool all = n == phase->n_larger;
    for (int i = 0; i < n && all; i++) {
        all = is_within(&boxes[i], &phase->larger[i]);
    }
    return all;
}

// The pairs of larger boxes, by their numbers
static bool find_larger(BroadPhase* phase, int n, const Box* boxes) {
    const Box* larger = phase->larger;
    phase->n_larger = phase->n_found = phase->highest = 0;
    memset(phase->used, 0, sizeof phase->used);
    for (int i = 0; i < phase->n_cells; i++) {
        phase->cells[i].first = -1;
    }
    for (int i = 0; i < n; i++) {
        phase->larger[i] = enlarged(&boxes[i]);
        phase->level[i] = (unsigned char)level_of(&larger[i]);
        phase->used[phase->level[i]] = true;
        phase->highest = phase->level[i] > phase->highest ? phase->level[i] : phase->highest;
        insert(phase, i, &larger[i]);
    }
    for (int i = 0; i < n; i++) {
        for (int level = phase->level[i]; level <= phase->highest; level++) {
            if (phase->used[level] && !ask_level(phase, i, larger, level)) {
                return false;
            }
        }
    }
    sort_pairs(phase, n);
    phase->n_larger = n;
    return true;
}

Status broad_phase_pairs(BroadPhase* phase, int n, const Box* boxes, const BoxPair** pairs,
                         int* n_pairs) {
    *n_pairs = 0;
    *pairs = NULL;
    if (n < 2) {
        return STATUS_OK;
    }
    if (!room_for_boxes(phase, n) ||
        (!are_within(phase, n, boxes) && !find_larger(phase, n, boxes))) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < phase->n_found; k++) {
        const BoxPair pair = phase->sorted[k];
        phase->found[*n_pairs] = pair;
        *n_pairs += overlap(&boxes[pair.a], &boxes[pair.b]);
    }
    *pairs = phase->found;
    return STATUS_OK;
}
