#include "reader/points_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

// Binary STL: a head, the number of triangles, and of each its normal, three corners and two bytes
enum { HEAD = 80, COUNTED = HEAD + 4, TRIANGLE = 50, NORMAL = 12, CORNER = 12 };

typedef struct PointReader {
    const char *at, *end;
    const char* line_start;
    long line;
    const ModelFile* file;
    Report* report;
    Vec3* points;  // (n) with room for more
    size_t n, room;
    bool failed, no_memory;
} PointReader;

PointsFormat points_file_format(const char* name) {
    const char* point = strrchr(name, '.');
    char end[4] = "";
    for (int i = 0; i < 3 && point != NULL && strlen(point) == 4; i++) {
        const char c = point[1 + i];
        end[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return strcmp(end, "stl") == 0   ? POINTS_STL
           : strcmp(end, "obj") == 0 ? POINTS_OBJ
                                     : POINTS_UNKNOWN;
}

static void add_point(PointReader* r, Vec3 point) {
    if (r->n == r->room) {
        const size_t room = r->room == 0 ? 1024 : 2 * r->room;
        Vec3* points = realloc(r->points, room * sizeof *points);
        if (points == NULL) {
            r->failed = r->no_memory = true;
            return;
        }
        r->points = points;
        r->room = room;
    }
    r->points[r->n++] = point;
}

// --- texts ---

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_blanks(PointReader* r) {
    while (r->at < r->end && is_blank(*r->at)) {
        r->at++;
    }
}

static void skip_line(PointReader* r) {
    const char* newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = newline != NULL ? newline + 1 : r->end;
    r->line_start = r->at;
    r->line++;
}

static size_t word_length(const PointReader* r) {
    size_t n = 0;
    while (r->at + n < r->end && !is_blank(r->at[n]) && r->at[n] != '\n') {
        n++;
    }
    return n;
}

static bool take_number(PointReader* r, double* number) {
    char word[64] = "";
    skip_blanks(r);
    const size_t n = word_length(r);
    memcpy(word, r->at, n < sizeof word ? n : 0);
    const char* end = text_to_double(word, number);
    if (end == NULL || end != word + n || !isfinite(*number)) {
        const Place place = {
            .file = r->file->path, .line = r->line, .column = (long)(r->at - r->line_start) + 1};
        report_add(r->report, SEVERITY_ERROR, place,
                   "expected a coordinate, a finite number, not '%.40s'", word);
        r->failed = true;
        return false;
    }
    r->at += n;
    return true;
}

static bool is_word(const PointReader* r, const char* word) {
    const size_t n = word_length(r);
    return n == strlen(word) && memcmp(r->at, word, n) == 0;
}

// Lines that begin with the word have a point behind it.
static void read_lines(PointReader* r, const char* word) {
    while (r->at < r->end && !r->failed) {
        skip_blanks(r);
        if (is_word(r, word)) {
            Vec3 point;
            r->at += strlen(word);
            if (take_number(r, &point.x) && take_number(r, &point.y) && take_number(r, &point.z)) {
                add_point(r, point);
            }
        }
        skip_line(r);
    }
}

// --- binary ---

static uint32_t little_endian(const char* bytes) {
    uint32_t number = 0;
    for (int i = 3; i >= 0; i--) {
        number = number << 8 | (unsigned char)bytes[i];
    }
    return number;
}

static double number_at(const char* bytes) {
    const uint32_t bits = little_endian(bytes);
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static void read_triangles(PointReader* r, Place named_at) {
    for (uint32_t i = 0; r->at + TRIANGLE <= r->end && !r->failed; i++, r->at += TRIANGLE) {
        for (int k = 0; k < 3 && !r->failed; k++) {
            const char* at = r->at + NORMAL + k * CORNER;
            const Vec3 point = {number_at(at), number_at(at + 4), number_at(at + 8)};
            if (!isfinite(point.x) || !isfinite(point.y) || !isfinite(point.z)) {
                report_add(r->report, SEVERITY_ERROR, named_at,
                           "%.200s: triangle %lu has a coordinate that is no finite number",
                           r->file->path, (unsigned long)i + 1);
                r->failed = true;
            }
            add_point(r, point);
        }
    }
}

static void read_stl(PointReader* r, Place named_at) {
    const size_t n = r->file->n;
    const size_t n_triangles = n >= COUNTED ? little_endian(r->at + HEAD) : 0;
    const bool says_binary = n >= COUNTED && n == COUNTED + TRIANGLE * n_triangles;
    const bool says_text =
        n >= 5 && memcmp(r->at, "solid", 5) == 0 && memchr(r->at, '\0', n) == NULL;
    if (!says_binary && says_text) {
        read_lines(r, "vertex");
        return;
    }
    if (!says_binary) {
        report_add(r->report, SEVERITY_ERROR, named_at,
                   "%.200s is no STL file, or not all of it: expected %zu bytes for %zu triangles, "
                   "and there are %zu",
                   r->file->path, COUNTED + TRIANGLE * n_triangles, n_triangles, n);
        r->failed = true;
        return;
    }
    r->at += COUNTED;
    read_triangles(r, named_at);
}

// --- all ---

static int compare_points(const void* a, const void* b) {
    const Vec3* p = a;
    const Vec3* q = b;
    const double d[3] = {p->x - q->x, p->y - q->y, p->z - q->z};
    for (int i = 0; i < 3; i++) {
        if (d[i] != 0.0) {
            return d[i] < 0.0 ? -1 : 1;
        }
    }
    return 0;
}

static size_t remove_duplicates(Vec3* points, size_t n) {
    size_t n_kept = 0;
    if (n > 0) {
        qsort(points, n, sizeof *points, compare_points);
    }
    for (size_t i = 0; i < n; i++) {
        if (n_kept == 0 || compare_points(&points[n_kept - 1], &points[i]) != 0) {
            points[n_kept++] = points[i];
        }
    }
    return n_kept;
}

static Status take_points(PointReader* r, Place named_at, Arena* arena, const Vec3** points,
                          int* n) {
    if (r->failed) {
        return r->no_memory ? STATUS_OUT_OF_MEMORY : STATUS_INVALID_MODEL;
    }
    const size_t n_kept = remove_duplicates(r->points, r->n);
    if (n_kept == 0 || n_kept > POINTS_FILE_MOST) {
        report_add(r->report, SEVERITY_ERROR, named_at,
                   n_kept == 0 ? "%.200s has no points"
                               : "%.200s has %zu different points: expected %d at most, as of a "
                                 "surface that was made coarser",
                   r->file->path, n_kept, (int)POINTS_FILE_MOST);
        return STATUS_INVALID_MODEL;
    }
    Vec3* kept = ARENA_NEW(arena, n_kept, Vec3);
    if (kept == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    memcpy(kept, r->points, n_kept * sizeof *kept);
    *points = kept;
    *n = (int)n_kept;
    return STATUS_OK;
}

Status points_file_read(const ModelFile* file, PointsFormat format, Place named_at, Arena* arena,
                        Report* report, const Vec3** points, int* n) {
    PointReader r = {.at = file->text,
                     .end = file->text + file->n,
                     .line_start = file->text,
                     .line = 1,
                     .file = file,
                     .report = report};
    if (format == POINTS_STL) {
        read_stl(&r, named_at);
    } else {
        read_lines(&r, "v");
    }
    const Status status = take_points(&r, named_at, arena, points, n);
    free(r.points);
    return status;
}
