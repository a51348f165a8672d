// Drawing as a picture of pixels.
//
// A line covers a pixel by how far the pixel's centre is inside of it: width/2 + 1/2 - distance,
// cut to 0 ... 1. Coverage of a whole polyline is gathered as the largest of its segments and then
// blended once, so that joints are round and no pixel is painted twice.
#include "plot/png_canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "plot/font.h"

enum { LARGEST_SIDE = 20000 };  // pixels

typedef struct Pixels {
    int x_0, y_0, x_1, y_1;  // the last ones are outside
} Pixels;

static int clamp(double value, int low, int high) {
    return value <= low ? low : value >= high ? high : (int)value;
}

// The pixels that a box touches, within the clipping box
static Pixels pixels_of(const PngCanvas* png, double x_0, double y_0, double x_1, double y_1) {
    const Box* clip = &png->clip;
    const int left = clamp(clip->x, 0, png->width);
    const int right = clamp(ceil(clip->x + clip->width), 0, png->width);
    const int top = clamp(clip->y, 0, png->height);
    const int bottom = clamp(ceil(clip->y + clip->height), 0, png->height);
    return (Pixels){clamp(floor(x_0), left, right), clamp(floor(y_0), top, bottom),
                    clamp(ceil(x_1), left, right), clamp(ceil(y_1), top, bottom)};
}

static void blend(PngCanvas* png, int x, int y, uint32_t colour, int coverage) {
    unsigned char* pixel = &png->pixels[3 * ((size_t)y * (size_t)png->width + (size_t)x)];
    for (int k = 0; k < 3; k++) {
        const int wanted = (int)(colour >> (16 - 8 * k)) & 0xff;
        pixel[k] = (unsigned char)((pixel[k] * (255 - coverage) + wanted * coverage + 127) / 255);
    }
}

static void png_clip(Canvas* canvas, const Box* box) {
    PngCanvas* png = (PngCanvas*)canvas;
    const double s = png->scale;
    png->clip = box != NULL ? (Box){box->x * s, box->y * s, box->width * s, box->height * s}
                            : (Box){0, 0, png->width, png->height};
}

static void png_fill(Canvas* canvas, Box box, uint32_t colour) {
    PngCanvas* png = (PngCanvas*)canvas;
    const double s = png->scale;
    const Pixels at = pixels_of(png, round(box.x * s), round(box.y * s),
                                round((box.x + box.width) * s), round((box.y + box.height) * s));
    for (int y = at.y_0; y < at.y_1; y++) {
        for (int x = at.x_0; x < at.x_1; x++) {
            blend(png, x, y, colour, 255);
        }
    }
}

// Distance of a point from the segment from a to b
static double distance(double x, double y, const double* a, const double* b) {
    const double dx = b[0] - a[0], dy = b[1] - a[1];
    const double square = dx * dx + dy * dy;
    double along = square > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0;
    along = fmax(0, fmin(1, along));
    return hypot(x - a[0] - along * dx, y - a[1] - along * dy);
}

static void cover_segment(PngCanvas* png, const double* a, const double* b, double width,
                          Pixels* touched) {
    const double reach = 0.5 * width + 0.5;
    const Pixels at = pixels_of(png, fmin(a[0], b[0]) - reach, fmin(a[1], b[1]) - reach,
                                fmax(a[0], b[0]) + reach, fmax(a[1], b[1]) + reach);
    for (int y = at.y_0; y < at.y_1; y++) {
        for (int x = at.x_0; x < at.x_1; x++) {
            const double part = fmin(1, reach - distance(x + 0.5, y + 0.5, a, b));
            unsigned char* coverage = &png->coverage[(size_t)y * (size_t)png->width + (size_t)x];
            if (part > 0 && 255 * part > *coverage) {
                *coverage = (unsigned char)(255 * part);
            }
        }
    }
    touched->x_0 = at.x_0 < touched->x_0 ? at.x_0 : touched->x_0;
    touched->y_0 = at.y_0 < touched->y_0 ? at.y_0 : touched->y_0;
    touched->x_1 = at.x_1 > touched->x_1 ? at.x_1 : touched->x_1;
    touched->y_1 = at.y_1 > touched->y_1 ? at.y_1 : touched->y_1;
}

// A segment in dashes; *walked is the length of the line before it.
static void cover_dashes(PngCanvas* png, const double* a, const double* b, double width,
                         double dash, double* walked, Pixels* touched) {
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    double done = 0;
    while (done < length) {
        const double phase = fmod(*walked + done, 2 * dash);
        const double rest = (phase < dash ? dash : 2 * dash) - phase;
        const double next = fmin(length, done + fmax(rest, 1e-3 * dash));
        if (phase < dash) {
            const double from[] = {a[0] + done / length * (b[0] - a[0]),
                                   a[1] + done / length * (b[1] - a[1])};
            const double to[] = {a[0] + next / length * (b[0] - a[0]),
                                 a[1] + next / length * (b[1] - a[1])};
            cover_segment(png, from, to, width, touched);
        }
        done = next;
    }
    *walked += length;
}

static void png_line(Canvas* canvas, const double* points, long n, const Stroke* stroke) {
    PngCanvas* png = (PngCanvas*)canvas;
    const double s = png->scale;
    Pixels touched = {png->width, png->height, 0, 0};
    double walked = 0;
    for (long i = 0; i + 1 < n; i++) {
        const double a[] = {s * points[2 * i], s * points[2 * i + 1]};
        const double b[] = {s * points[2 * i + 2], s * points[2 * i + 3]};
        if (stroke->dash > 0) {
            cover_dashes(png, a, b, s * stroke->width, s * stroke->dash, &walked, &touched);
        } else {
            cover_segment(png, a, b, s * stroke->width, &touched);
        }
    }
    for (int y = touched.y_0; y < touched.y_1; y++) {
        for (int x = touched.x_0; x < touched.x_1; x++) {
            unsigned char* coverage = &png->coverage[(size_t)y * (size_t)png->width + (size_t)x];
            if (*coverage > 0) {
                blend(png, x, y, stroke->colour, *coverage);
                *coverage = 0;
            }
        }
    }
}

static const CanvasKind png_kind = {
    .clip = png_clip, .fill = png_fill, .line = png_line, .text = font_draw};

Status png_canvas_begin(PngCanvas* png, double width, double height, double scale) {
    *png = (PngCanvas){.canvas = {&png_kind, width, height}, .scale = scale};
    if (!(width * scale >= 1 && width * scale <= LARGEST_SIDE) ||
        !(height * scale >= 1 && height * scale <= LARGEST_SIDE)) {
        return STATUS_TOO_LARGE;
    }
    png->width = (int)(width * scale);
    png->height = (int)(height * scale);
    const size_t n = (size_t)png->width * (size_t)png->height;
    png->pixels = malloc(3 * n);
    png->coverage = calloc(n, 1);
    if (png->pixels == NULL || png->coverage == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    memset(png->pixels, 0xff, 3 * n);
    png_clip(&png->canvas, NULL);
    return STATUS_OK;
}

void png_canvas_free(PngCanvas* png) {
    free(png->pixels);
    free(png->coverage);
    *png = (PngCanvas){0};
}

// --- the file ---

static void add_big_endian(TextBuffer* out, uint32_t value) {
    const unsigned char bytes[] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                                   (unsigned char)(value >> 8), (unsigned char)value};
    text_add_bytes(out, bytes, sizeof bytes);
}

static void add_chunk(TextBuffer* out, const char type[4], const void* bytes, size_t n) {
    uLong crc = crc32(0, (const Bytef*)type, 4);
    crc = n > 0 ? crc32(crc, bytes, (uInt)n) : crc;
    add_big_endian(out, (uint32_t)n);
    text_add_bytes(out, type, 4);
    text_add_bytes(out, bytes, n);
    add_big_endian(out, (uint32_t)crc);
}

static void add_header(const PngCanvas* png, TextBuffer* out) {
    TextBuffer header = {0};
    add_big_endian(&header, (uint32_t)png->width);
    add_big_endian(&header, (uint32_t)png->height);
    text_add_bytes(&header, "\x08\x02\x00\x00\x00", 5);  // 8 bits each of red, green and blue
    text_add_bytes(out, "\x89PNG\r\n\x1a\n", 8);
    out->failed = out->failed || header.failed;
    if (!header.failed) {
        add_chunk(out, "IHDR", header.text, header.n);
    }
    text_buffer_free(&header);
}

Status png_canvas_write(const PngCanvas* png, TextBuffer* out) {
    const size_t row = 3 * (size_t)png->width;
    const size_t n = (row + 1) * (size_t)png->height;
    uLongf n_packed = compressBound((uLong)n);
    unsigned char* rows = malloc(n);
    unsigned char* packed = malloc(n_packed);
    bool made = rows != NULL && packed != NULL;
    for (int y = 0; y < png->height && made; y++) {
        unsigned char* at = rows + (size_t)y * (row + 1);
        at[0] = 0;  // no filter
        memcpy(at + 1, png->pixels + (size_t)y * row, row);
    }
    made = made && compress2(packed, &n_packed, rows, (uLong)n, Z_BEST_COMPRESSION) == Z_OK;
    if (made) {
        add_header(png, out);
        add_chunk(out, "IDAT", packed, n_packed);
        add_chunk(out, "IEND", NULL, 0);
    }
    free(rows);
    free(packed);
    return made && !out->failed ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}
