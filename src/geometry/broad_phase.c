// A box of extent s, its largest one, is of level l where 2^(l-1) <= s < 2^l, and is kept in the
// cell of the grid of 2^l that its middle is in. Boxes of level l' >= l that overlap it have their
// middles within its own extent and 2^l'/2 on either side: at most three cells in each direction.
// So each box asks the grids of its own level and of those above.
//
// A cell is a place of a table, by hash; others may be kept at the same place. Boxes of these only
// cost a look: who overlaps is a partner, wherever it was met, and of one that was met twice the
// second is dropped.
//
// Partners of a box are those after it. Boxes ask from the last one to the first, so that a larger
// one before the one that asks can be told of it: its turn is yet to come.
//
// All this is done with boxes that are larger by a margin. As long as each box stays within its
// larger one, boxes can overlap only where their larger ones do.
#include "geometry/broad_phase.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LOWEST_LEVEL = -40, N_LEVELS = 162 };  // 1e-12 m ... 2^121 m
static const double LARGEST = 1e36;           // half a side, m: smaller than the highest level
static const double LAST_CELL = 1e15;         // beyond it, cells are not told apart
static const double MARGIN = 0.1;             // of the extent of a box, on each side
static const double WITHIN = 0.999;           // of a larger box: for nothing to hang on rounding

typedef struct CellPlace {
    long long x, y, z;
} CellPlace;

// A box that has been found by one after it, for when its turn comes
typedef struct Told {
    int by;
    int next;  // by whom else; -1: by nobody
} Told;

struct BroadPhase {
    Box* larger;    // (n of n_room)
    int* next;      // (n) box at the same place of the table, ascending; -1: there is none
    int* cells;     // (n_cells, a power of two) the first box at each place; -1: there is none
    int* end;       // (n + 1) of the partners of each box; they begin at the end of those of the
                    // next. Before its turn the last one of told, or -1
    int n, n_room;  // n: for which partners are known
    int n_cells;
    int* partners;  // (n_partners of partners_room)
    int n_partners, partners_room;
    Told* told;  // (n_told of told_room)
    int n_told, told_room;
    bool used[N_LEVELS];
    int highest;            // of the levels that are used
    double size[N_LEVELS];  // of the cells of each level
};

// --- boxes ---

static float rounded_up(double x) {
    static const double UP = 1.0 + 1e-7;  // more than the nearest float may be below
    return (float)(x > LARGEST ? LARGEST : UP * x);
}

Box box_around(Vec3 middle, Vec3 half) {
    return (Box){.middle = middle,
                 .half = {rounded_up(half.x), rounded_up(half.y), rounded_up(half.z)}};
}

static Box enlarged(const Box* box) {
    const double part = 1.0 + 2.0 * MARGIN;
    return box_around(box->middle, (Vec3){part * (double)box->half[0], part * (double)box->half[1],
                                          part * (double)box->half[2]});
}

static bool is_within(const Box* box, const Box* larger) {
    const Vec3 from = sub3(box->middle, larger->middle);
    return fabs(from.x) + (double)box->half[0] <= WITHIN * (double)larger->half[0] &&
           fabs(from.y) + (double)box->half[1] <= WITHIN * (double)larger->half[1] &&
           fabs(from.z) + (double)box->half[2] <= WITHIN * (double)larger->half[2];
}

static double extent_of(const Box* box) {
    float largest = 0.0F;  // what is no number is left out
    for (int i = 0; i < 3; i++) {
        largest = box->half[i] > largest ? box->half[i] : largest;
    }
    return 2.0 * (double)largest;
}

static int level_of(const Box* box) {
    const double extent = extent_of(box);
    int exponent = LOWEST_LEVEL;
    if (extent > 0.0) {
        (void)frexp(extent, &exponent);  // extent < 2^exponent
    }
    return exponent < LOWEST_LEVEL ? 0 : exponent - LOWEST_LEVEL;
}

// --- creation ---

BroadPhase* broad_phase_create(void) {
    BroadPhase* phase = calloc(1, sizeof(BroadPhase));
    for (int level = 0; level < N_LEVELS && phase != NULL; level++) {
        phase->size[level] = ldexp(1.0, level + LOWEST_LEVEL);
    }
    return phase;
}

void broad_phase_destroy(BroadPhase* phase) {
    if (phase != NULL) {
        free(phase->larger);
        free(phase->next);
        free(phase->cells);
        free(phase->end);
        free(phase->partners);
        free(phase->told);
        free(phase);
    }
}

// --- room ---

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
    if (n <= phase->n_room) {
        return true;
    }
    int n_cells = 16;
    while (n_cells < n && n_cells < INT_MAX / 4) {
        n_cells *= 2;
    }
    if (!make_room((void**)&phase->larger, (size_t)n, sizeof *phase->larger) ||
        !make_room((void**)&phase->next, (size_t)n, sizeof *phase->next) ||
        !make_room((void**)&phase->end, (size_t)n + 1, sizeof *phase->end) ||
        !make_room((void**)&phase->cells, (size_t)n_cells, sizeof *phase->cells)) {
        return false;
    }
    phase->n_room = n;
    phase->n_cells = n_cells;
    return true;
}

// Room for one more than the n there are: half as many again
static bool room_for_more(void** array, int n, int* room, size_t size) {
    if (n < *room) {
        return true;
    }
    const int more = n + n / 2 + 64;
    if (n > INT_MAX / 2 || !make_room(array, (size_t)more, size)) {
        return false;
    }
    *room = more;
    return true;
}

// --- cells ---

// The largest whole number that is not above x / size; a size is a power of two, and its inverse
// exact
static long long cell_at(double x, double inverse_size) {
    const double scaled = x * inverse_size;
    const double above = scaled > -LAST_CELL ? scaled : -LAST_CELL;
    const double at = above < LAST_CELL ? above : LAST_CELL;
    const long long whole = (long long)at;
    return whole - ((double)whole > at);
}

static CellPlace cell_of(Vec3 x, double inverse_size) {
    return (CellPlace){cell_at(x.x, inverse_size), cell_at(x.y, inverse_size),
                       cell_at(x.z, inverse_size)};
}

// Of all cells with the same x and y, and the first box at the place of one of them
static unsigned long long hash_of_column(long long x, long long y, int level) {
    unsigned long long h = (unsigned long long)x * 0x9E3779B97F4A7C15ULL;
    h = (h ^ (h >> 29) ^ (unsigned long long)y) * 0xBF58476D1CE4E5B9ULL;
    return (h ^ (h >> 32) ^ (unsigned long long)level) * 0x94D049BB133111EBULL;
}
static int* first_in_cell(const BroadPhase* phase, unsigned long long column, long long z) {
    const unsigned long long h =
        ((column ^ (column >> 31) ^ (unsigned long long)z) * 0x9E3779B97F4A7C15ULL) >> 32;
    return &phase->cells[(size_t)h & ((size_t)phase->n_cells - 1)];
}

static void insert(BroadPhase* phase, int i) {
    const Box* box = &phase->larger[i];
    const int level = level_of(box);
    const CellPlace at = cell_of(box->middle, 1.0 / phase->size[level]);
    int* first = first_in_cell(phase, hash_of_column(at.x, at.y, level), at.z);
    phase->next[i] = *first;
    *first = i;
    phase->used[level] = true;
    phase->highest = level > phase->highest ? level : phase->highest;
}

// --- partners ---

static bool add_partner(BroadPhase* phase, int j) {
    if (!room_for_more((void**)&phase->partners, phase->n_partners, &phase->partners_room,
                       sizeof *phase->partners)) {
        return false;
    }
    phase->partners[phase->n_partners++] = j;
    return true;
}

// Box j, whose turn is yet to come, is told of box i.
static bool tell(BroadPhase* phase, int j, int i) {
    if (!room_for_more((void**)&phase->told, phase->n_told, &phase->told_room,
                       sizeof *phase->told)) {
        return false;
    }
    phase->told[phase->n_told] = (Told){.by = i, .next = phase->end[j]};
    phase->end[j] = phase->n_told++;
    return true;
}

// Those kept at one place of the table that box i overlaps; own_level: they ask as well
static bool ask_cell(BroadPhase* phase, int i, int first, bool own_level) {
    const Box* box = &phase->larger[i];
    for (int j = first; j >= 0; j = phase->next[j]) {
        if ((j > i || !own_level) && j != i && box_overlaps(box, &phase->larger[j]) &&
            !(j > i ? add_partner(phase, j) : tell(phase, j, i))) {
            return false;
        }
    }
    return true;
}

static bool ask_level(BroadPhase* phase, int i, int level, bool own_level) {
    const Box* box = &phase->larger[i];
    const double size = phase->size[level];
    const Vec3 way = {(double)box->half[0] + 0.5 * size, (double)box->half[1] + 0.5 * size,
                      (double)box->half[2] + 0.5 * size};
    const CellPlace low = cell_of(sub3(box->middle, way), 1.0 / size);
    const CellPlace high = cell_of(add3(box->middle, way), 1.0 / size);
    for (long long x = low.x; x <= high.x; x++) {
        for (long long y = low.y; y <= high.y; y++) {
            const unsigned long long column = hash_of_column(x, y, level);
            for (long long z = low.z; z <= high.z; z++) {
                if (!ask_cell(phase, i, *first_in_cell(phase, column, z), own_level)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Ascending, each once: in few runs that ascend, as they were met
static void sort_partners(BroadPhase* phase, int from) {
    int* partners = phase->partners;
    int n = from;
    for (int k = from; k < phase->n_partners; k++) {
        const int partner = partners[k];
        int at = n;
        for (; at > from && partners[at - 1] > partner; at--) {
        }
        if (at > from && partners[at - 1] == partner) {
            continue;
        }
        memmove(&partners[at + 1], &partners[at], (size_t)(n - at) * sizeof *partners);
        partners[at] = partner;
        n++;
    }
    phase->n_partners = n;
}

static bool find_partners(BroadPhase* phase, int i) {
    const int from = phase->n_partners;
    const int own = level_of(&phase->larger[i]);
    bool ok = true;
    for (int level = own; level <= phase->highest && ok; level++) {
        ok = !phase->used[level] || ask_level(phase, i, level, level == own);
    }
    for (int k = phase->end[i]; k >= 0 && ok; k = phase->told[k].next) {
        ok = add_partner(phase, phase->told[k].by);
    }
    sort_partners(phase, from);
    phase->end[i] = phase->n_partners;
    return ok;
}

// --- all of them ---

static bool are_within(const BroadPhase* phase, int n, const Box* boxes) {
    bool all = n == phase->n;
    for (int i = 0; i < n && all; i++) {
        all = is_within(&boxes[i], &phase->larger[i]);
    }
    return all;
}

static void enlarge(BroadPhase* phase, int n, const Box* boxes) {
    phase->highest = 0;
    memset(phase->used, 0, sizeof phase->used);
    for (int i = 0; i < phase->n_cells; i++) {
        phase->cells[i] = -1;
    }
    for (int i = n - 1; i >= 0; i--) {
        phase->larger[i] = enlarged(&boxes[i]);
        if (!box_is_none(&boxes[i])) {
            insert(phase, i);
        }
    }
}

Status broad_phase_find(BroadPhase* phase, int n, const Box* boxes) {
    if (are_within(phase, n, boxes)) {
        return STATUS_OK;
    }
    phase->n = phase->n_partners = phase->n_told = 0;
    if (!room_for_boxes(phase, n)) {
        return STATUS_OUT_OF_MEMORY;
    }
    enlarge(phase, n, boxes);
    for (int i = 0; i <= n; i++) {
        phase->end[i] = i < n ? -1 : 0;
    }
    for (int i = n - 1; i >= 0; i--) {
        if (box_is_none(&boxes[i])) {
            phase->end[i] = phase->n_partners;
        } else if (!find_partners(phase, i)) {
            return STATUS_OUT_OF_MEMORY;
        }
    }
    phase->n = n;
    return STATUS_OK;
}

const int* broad_phase_partners(const BroadPhase* phase, int i, int* n) {
    const int from = phase->end[i + 1];
    *n = phase->end[i] - from;
    return *n > 0 ? &phase->partners[from] : NULL;
}
