// A font of strokes, for pictures made of pixels and for how wide a text is about.
//
// A glyph is a list of strokes, each a list of points: a digit for x, then a character for y, 0 to
// 9 above the line that letters stand on, a to c below it. Capitals are 9 high, small letters 6. A
// stroke that begins with ~ is rounded by cutting its corners twice (Chaikin).
#include "plot/font.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    FIRST = ' ',
    LAST = '~',
    MOST_POINTS = 128,  // of a stroke, with its corners cut
    CAPITAL = 9,
    SPACING = 3,  // between glyphs
    BLANK = 2,    // width of a space, without the spacing
};

static const double CAPITAL_HEIGHT = 0.70;  // of the size of the font
static const double BOLD = 0.135;           // widths of strokes, likewise
static const double PLAIN = 0.085;

static const char* const glyphs[LAST - FIRST + 1] = {
    "",                                                            // blank
    "09 03,01 00",                                                 // !
    "09 07,29 27",                                                 // "
    "20 29,50 59,03 73,06 76",                                     // #
    "~68 49 29 07 06 25 44 63 62 40 20 01,3a 39",                  // $
    "~19 08 06 15 26 28 19,~61 50 5a 6a 7a 70 61,00 79",           // %
    "~70 26 18 29 39 48 47 14 02 20 40 63",                        // &
    "09 07",                                                       // '
    "~29 07 02 2a",                                                // (
    "~09 27 22 0a",                                                // )
    "29 25,08 46,06 48",                                           // *
    "04 64,31 37",                                                 // +
    "01 00 0b",                                                    // ,
    "04 44",                                                       // -
    "01 00",                                                       // .
    "0a 49",                                                       // /
    "~20 02 07 29 49 67 62 40 20",                                 // 0
    "07 29 20,00 40",                                              // 1
    "~07 29 49 67 66 44 11 00,00 60",                              // 2
    "~08 29 49 67 66 45 25,~25 45 63 62 40 20 01",                 // 3
    "40 49 03 63",                                                 // 4
    "59 19 05,~05 26 46 64 62 40 20 01",                           // 5
    "~58 49 29 07 02 20 40 62 63 45 25 03",                        // 6
    "09 69 20",                                                    // 7
    "~25 07 08 29 49 68 67 45 25,~25 03 02 20 40 62 63 45 25",     // 8
    "~11 20 40 62 67 49 29 07 06 24 44 66",                        // 9
    "01 00,06 05",                                                 // :
    "06 05,01 00 0b",                                              // ;
    "57 04 51",                                                    // <
    "03 63,05 65",                                                 // =
    "07 54 01",                                                    // >
    "~07 29 49 67 66 34 33,31 30",                                 // ?
    "~71 50 20 02 07 29 59 77 74 63 53 56,~55 46 36 24 33 43 54",  // @
    "00 39 60,13 53",                                              // A
    "00 09,~09 49 68 66 45 05,~05 45 64 61 40 00",                 // B
    "~68 49 29 07 02 20 40 61",                                    // C
    "00 09,~09 39 49 67 62 40 30 00",                              // D
    "59 09 00 50,05 45",                                           // E
    "59 09 00,05 45",                                              // F
    "~68 49 29 07 02 20 40 62,62 64 34",                           // G
    "00 09,60 69,05 65",                                           // H
    "00 09",                                                       // I
    "~49 44 42 30 10 02",                                          // J
    "00 09,69 03,25 60",                                           // K
    "09 00 50",                                                    // L
    "00 09 33 69 60",                                              // M
    "00 09 60 69",                                                 // N
    "~20 02 07 29 49 67 62 40 20",                                 // O
    "00 09,~09 49 68 66 44 04",                                    // P
    "~20 02 07 29 49 67 62 40 20,42 6a",                           // Q
    "00 09,~09 49 68 66 44 04,34 60",                              // R
    "~68 49 29 07 06 25 44 63 62 40 20 01",                        // S
    "09 69,39 30",                                                 // T
    "~09 04 02 20 40 62 64 69",                                    // U
    "09 30 69",                                                    // V
    "09 20 47 60 89",                                              // W
    "00 69,09 60",                                                 // X
    "09 35 69,35 30",                                              // Y
    "09 69 00 60",                                                 // Z
    "29 09 0a 2a",                                                 // [
    "09 4a",                                                       // backslash
    "09 29 2a 0a",                                                 // ]
    "06 39 66",                                                    // ^
    "0a 6a",                                                       // _
    "09 17",                                                       // `
    "~54 36 26 04 02 20 30 52,56 50",                              // a
    "09 00,~04 26 36 54 52 30 20 02",                              // b
    "~55 36 26 04 02 20 30 51",                                    // c
    "59 50,~54 36 26 04 02 20 30 52",                              // d
    "03 53,~53 54 36 26 04 02 20 30 51",                           // e
    "~10 16 17 29 39,06 36",                                       // f
    "~54 36 26 04 02 20 30 52,~56 51 5b 3c 2c 0b",                 // g
    "09 00,~04 26 36 54 53 50",                                    // h
    "06 00,09 08",                                                 // i
    "~26 2b 1c 0c,29 28",                                          // j
    "09 00,56 02,24 50",                                           // k
    "09 00",                                                       // l
    "06 00,~04 16 26 44 43 40,~44 56 66 84 83 80",                 // m
    "06 00,~04 26 36 54 53 50",                                    // n
    "~20 02 04 26 36 54 52 30 20",                                 // o
    "06 0c,~04 26 36 54 52 30 20 02",                              // p
    "56 5c,~54 36 26 04 02 20 30 52",                              // q
    "06 00,~03 15 26 36",                                          // r
    "~45 36 16 05 04 13 33 42 41 30 10 01",                        // s
    "~19 12 11 20 30,06 36",                                       // t
    "~06 02 20 30 52,56 50",                                       // u
    "06 20 46",                                                    // v
    "06 20 35 40 66",                                              // w
    "00 46,06 40",                                                 // x
    "06 20,46 1c",                                                 // y
    "06 46 00 40",                                                 // z
    "~39 28 26 15 04 13 22 20 3a",                                 // {
    "09 0b",                                                       // |
    "~09 18 16 25 34 23 12 10 0a",                                 // }
    "~03 15 25 43 53 65",                                          // ~
};

static const char* glyph_of(char c) { return glyphs[(c >= FIRST && c <= LAST ? c : '?') - FIRST]; }

static int glyph_width(char c) {
    int width = c == ' ' ? BLANK : 0;
    bool is_x = true;
    for (const char* g = glyph_of(c); *g != '\0'; g++) {
        if (*g == ' ' || *g == ',' || *g == '~') {
            is_x = true;
        } else {
            width = is_x && *g - '0' > width ? *g - '0' : width;
            is_x = !is_x;
        }
    }
    return width;
}

double font_width(const char* text, double size) {
    double units = 0;
    for (const char* c = text; *c != '\0'; c++) {
        units += glyph_width(*c) + (c[1] != '\0' ? SPACING : 0);
    }
    return units * size * CAPITAL_HEIGHT / CAPITAL;
}

// A stroke at the start of *glyph, which goes behind it. Number of points (2 each) in units.
static int take_stroke(const char** glyph, double* points, bool* rounded) {
    const char* g = *glyph;
    int n = 0;
    *rounded = *g == '~';
    g += *rounded;
    while (*g != '\0' && *g != ',') {
        if (*g == ' ') {
            g++;
            continue;
        }
        points[2 * n] = g[0] - '0';
        points[2 * n + 1] = g[1] >= 'a' ? 'a' - 1 - g[1] : g[1] - '0';
        n++;
        g += 2;
    }
    *glyph = *g == ',' ? g + 1 : g;
    return n;
}

// Cuts the corners of a stroke of n points; a closed one is cut at its ends, too.
static int cut_corners(double* points, int n) {
    double before[2 * MOST_POINTS];
    const bool closed = points[0] == points[2 * n - 2] && points[1] == points[2 * n - 1];
    memcpy(before, points, 2 * (size_t)n * sizeof *points);
    int m = closed ? 0 : 1;  // an end stays
    for (int i = 0; i + 1 < n; i++) {
        const double* a = &before[2 * i];
        const double* b = a + 2;
        const bool from_end = i == 0 && !closed;
        const bool to_end = i + 2 == n && !closed;
        for (int k = 0; k < 2; k++) {
            const double share = k == 0 ? 0.25 : 0.75;
            if ((k == 0 && from_end) || (k == 1 && to_end)) {
                continue;
            }
            points[2 * m] = a[0] + share * (b[0] - a[0]);
            points[2 * m + 1] = a[1] + share * (b[1] - a[1]);
            m++;
        }
    }
    const double* end = closed ? points : &before[2 * n - 2];
    points[2 * m] = end[0];
    points[2 * m + 1] = end[1];
    return m + 1;
}

static void draw_glyph(Canvas* canvas, double x, double y, char c, const TextStyle* style) {
    const double unit = style->size * CAPITAL_HEIGHT / CAPITAL;
    const Stroke pen = {style->colour, style->size * (style->bold ? BOLD : PLAIN), 0};
    const char* glyph = glyph_of(c);
    while (*glyph != '\0') {
        double points[2 * MOST_POINTS];
        bool rounded;
        int n = take_stroke(&glyph, points, &rounded);
        for (int times = 0; rounded && times < 2 && n > 1 && 2 * n <= MOST_POINTS; times++) {
            n = cut_corners(points, n);
        }
        for (int i = 0; i < n; i++) {
            const double right = points[2 * i] * unit, up = points[2 * i + 1] * unit;
            points[2 * i] = style->upwards ? x - up : x + right;
            points[2 * i + 1] = style->upwards ? y - right : y - up;
        }
        canvas->kind->line(canvas, points, n, &pen);
    }
}

void font_draw(Canvas* canvas, double x, double y, const char* text, const TextStyle* style) {
    const double unit = style->size * CAPITAL_HEIGHT / CAPITAL;
    double along = -style->anchor * font_width(text, style->size);
    for (const char* c = text; *c != '\0'; c++) {
        draw_glyph(canvas, style->upwards ? x : x + along, style->upwards ? y - along : y, *c,
                   style);
        along += (glyph_width(*c) + SPACING) * unit;
    }
}
