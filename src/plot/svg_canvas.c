// Drawing as SVG.
#include "plot/svg_canvas.h"

#include <string.h>

// Two decimals are finer than any screen; zeros behind the point are left out.
static void add_number(TextBuffer* out, double value) {
    char text[64] = "";
    text_append(text, sizeof text, "%.2f", value);
    size_t n = strlen(text);
    while (n > 1 && text[n - 1] == '0') {
        n--;
    }
    n -= text[n - 1] == '.';
    text_add_bytes(out, text, n);
}

static void add_attribute(TextBuffer* out, const char* name, double value) {
    text_add_format(out, " %s=\"", name);
    add_number(out, value);
    text_add(out, "\"");
}

static void add_box(TextBuffer* out, const Box* box) {
    add_attribute(out, "x", box->x);
    add_attribute(out, "y", box->y);
    add_attribute(out, "width", box->width);
    add_attribute(out, "height", box->height);
}

static void svg_clip(Canvas* canvas, const Box* box) {
    SvgCanvas* svg = (SvgCanvas*)canvas;
    if (svg->clipped) {
        text_add(svg->out, "</g>\n");
    }
    svg->clipped = box != NULL;
    if (box != NULL) {
        text_add_format(svg->out, "<clipPath id=\"clip%d\"><rect", svg->n_clips);
        add_box(svg->out, box);
        text_add_format(svg->out, "/></clipPath>\n<g clip-path=\"url(#clip%d)\">\n", svg->n_clips);
        svg->n_clips++;
    }
}

static void svg_fill(Canvas* canvas, Box box, uint32_t colour) {
    SvgCanvas* svg = (SvgCanvas*)canvas;
    text_add(svg->out, "<rect");
    add_box(svg->out, &box);
    text_add_format(svg->out, " fill=\"#%06x\"/>\n", (unsigned)colour);
}

static void svg_line(Canvas* canvas, const double* points, long n, const Stroke* stroke) {
    SvgCanvas* svg = (SvgCanvas*)canvas;
    text_add(svg->out, "<polyline points=\"");
    for (long i = 0; i < n; i++) {
        text_add(svg->out, i > 0 ? " " : "");
        add_number(svg->out, points[2 * i]);
        text_add(svg->out, ",");
        add_number(svg->out, points[2 * i + 1]);
    }
    text_add_format(svg->out, "\" stroke=\"#%06x\"", (unsigned)stroke->colour);
    add_attribute(svg->out, "stroke-width", stroke->width);
    if (stroke->dash > 0) {
        add_attribute(svg->out, "stroke-dasharray", stroke->dash);
    }
    text_add(svg->out, "/>\n");
}

static void svg_text(Canvas* canvas, double x, double y, const char* text, const TextStyle* style) {
    SvgCanvas* svg = (SvgCanvas*)canvas;
    text_add(svg->out, "<text");
    add_attribute(svg->out, "x", x);
    add_attribute(svg->out, "y", y);
    if (style->upwards) {
        text_add(svg->out, " transform=\"rotate(-90 ");
        add_number(svg->out, x);
        text_add(svg->out, " ");
        add_number(svg->out, y);
        text_add(svg->out, ")\"");
    }
    add_attribute(svg->out, "font-size", style->size);
    text_add_format(svg->out, " text-anchor=\"%s\" fill=\"#%06x\"%s>",
                    style->anchor > 0.75   ? "end"
                    : style->anchor > 0.25 ? "middle"
                                           : "start",
                    (unsigned)style->colour, style->bold ? " font-weight=\"bold\"" : "");
    text_add_xml(svg->out, text);
    text_add(svg->out, "</text>\n");
}

static const CanvasKind svg_kind = {
    .clip = svg_clip, .fill = svg_fill, .line = svg_line, .text = svg_text};

SvgCanvas svg_canvas_begin(TextBuffer* out, double width, double height) {
    text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    add_attribute(out, "width", width);
    add_attribute(out, "height", height);
    text_add(out, " viewBox=\"0 0 ");
    add_number(out, width);
    text_add(out, " ");
    add_number(out, height);
    text_add(out,
             "\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, "
             "sans-serif\" fill=\"none\" stroke-linejoin=\"round\">\n");
    return (SvgCanvas){.canvas = {&svg_kind, width, height}, .out = out};
}

void svg_canvas_end(SvgCanvas* svg) {
    svg_clip(&svg->canvas, NULL);
    text_add(svg->out, "</svg>\n");
}
