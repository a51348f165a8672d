// A figure as one page for a browser: the SVG, and a cursor that reads values.
//
// The script gets, of each panel, its frame in the picture and the values at its borders, and of
// each curve the points that are drawn, in pixels.
#include "plot/plot_page.h"

#include <stdlib.h>

#include "plot/svg_canvas.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";
static const char style[] =
    "</title>\n<style>\n"
    "body { margin: 0 auto; max-width: 1200px; background: #fff; color: #222;\n"
    "  font: 14px system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif; }\n"
    "#plot { position: relative; touch-action: pan-y; }\n"
    "#plot svg { display: block; width: 100%; height: auto; }\n"
    "#cursor line { stroke: #555; stroke-width: 1; stroke-dasharray: 3; }\n"
    "#values { position: absolute; display: none; pointer-events: none; background: #fffe;\n"
    "  border: 1px solid #bbb; border-radius: 4px; padding: 4px 8px; white-space: nowrap;\n"
    "  font-size: 12px; line-height: 1.4; box-shadow: 0 1px 4px #0003; }\n"
    "#values b { display: inline-block; width: 14px; height: 3px; margin: 0 6px 3px 0; }\n"
    "</style>\n</head>\n<body>\n<div id=\"plot\">\n";
static const char script[] =
    "</script>\n<script>\n"
    "'use strict';\n"
    "const panels = JSON.parse(document.getElementById('data').textContent);\n"
    "const plot = document.getElementById('plot'), svg = plot.querySelector('svg');\n"
    "const values = document.getElementById('values');\n"
    "const size = svg.viewBox.baseVal;\n"
    "const cursor = document.createElementNS(svg.namespaceURI, 'g');\n"
    "cursor.id = 'cursor';\n"
    "svg.append(cursor);\n"
    "const number = v => String(+v.toPrecision(5));\n"
    "const valueX = (p, x) => p.x0 + (x - p.left) / p.width * (p.x1 - p.x0);\n"
    "const valueY = (p, y) => p.y0 + (p.top + p.height - y) / p.height * (p.y1 - p.y0);\n"
    "function show(p, y) {\n"
    "  const i = p.words ? Math.round(valueY(p, y) - p.firstWord) : -1;\n"
    "  return p.words ? p.words[Math.max(0, Math.min(i, p.words.length - 1))]\n"
    "                 : number(valueY(p, y)) + ' ' + p.unit;\n"
    "}\n"
    "// Index of the last point at or before x, of points sorted by x\n"
    "function before(points, x) {\n"
    "  let low = 0, high = points.length / 2 - 1;\n"
    "  while (low < high) {\n"
    "    const middle = Math.ceil((low + high) / 2);\n"
    "    if (points[2 * middle] <= x) low = middle; else high = middle - 1;\n"
    "  }\n"
    "  return low;\n"
    "}\n"
    "function nearest(points, x, y) {\n"
    "  let best = 0, least = Infinity;\n"
    "  for (let i = 0; i < points.length / 2; i++) {\n"
    "    const d = (points[2 * i] - x) ** 2 + (points[2 * i + 1] - y) ** 2;\n"
    "    if (d < least) { least = d; best = i; }\n"
    "  }\n"
    "  return best;\n"
    "}\n"
    "// Height of a curve over time at x: straight between points, or held\n"
    "function heightAt(p, points, x) {\n"
    "  const i = before(points, x), end = i + 1 >= points.length / 2;\n"
    "  const [x0, y0, x1, y1] = points.slice(2 * i, 2 * i + 4);\n"
    "  return end || p.stepped || x <= x0 || x1 === x0 ? y0 : y0 + (x - x0) / (x1 - x0) * (y1 - "
    "y0);\n"
    "}\n"
    "function element(name, attributes) {\n"
    "  const made = document.createElementNS(svg.namespaceURI, name);\n"
    "  for (const key in attributes) made.setAttribute(key, attributes[key]);\n"
    "  cursor.append(made);\n"
    "}\n"
    "function row(colour, text) {\n"
    "  const line = document.createElement('div');\n"
    "  if (colour) {\n"
    "    const mark = document.createElement('b');\n"
    "    mark.style.background = colour;\n"
    "    line.append(mark);\n"
    "  }\n"
    "  line.append(text);\n"
    "  values.append(line);\n"
    "}\n"
    "function read(p, x, y) {\n"
    "  if (p.overTime) row('', 'time ' + number(valueX(p, x)) + ' s');\n"
    "  for (const q of p.overTime ? panels.filter(other => other.overTime) : [p]) {\n"
    "    if (p.overTime) element('line', {x1: x, x2: x, y1: q.top, y2: q.top + q.height});\n"
    "    for (const c of q.curves) {\n"
    "      const i = p.overTime ? 0 : nearest(c.points, x, y);\n"
    "      const cx = p.overTime ? x : c.points[2 * i];\n"
    "      const cy = p.overTime ? heightAt(q, c.points, x) : c.points[2 * i + 1];\n"
    "      element('circle', {cx, cy, r: 3.5, fill: c.colour});\n"
    "      if (q === p) row(c.colour, c.name + ' ' + show(q, cy) +\n"
    "          (p.overTime ? '' : ' at ' + number(valueX(p, cx))));\n"
    "    }\n"
    "  }\n"
    "}\n"
    "function hide() {\n"
    "  cursor.replaceChildren();\n"
    "  values.style.display = 'none';\n"
    "}\n"
    "plot.addEventListener('pointermove', event => {\n"
    "  const box = svg.getBoundingClientRect(), scale = size.width / box.width;\n"
    "  const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;\n"
    "  hide();\n"
    "  const p = panels.find(one => x >= one.left && x <= one.left + one.width &&\n"
    "                               y >= one.top - 10 && y <= one.top + one.height + 10);\n"
    "  if (!p) return;\n"
    "  values.replaceChildren();\n"
    "  read(p, x, y);\n"
    "  values.style.display = 'block';\n"
    "  const right = event.clientX - box.left, room = box.width - values.offsetWidth - 16;\n"
    "  values.style.left = (right > room ? right - values.offsetWidth - 16 : right + 16) + 'px';\n"
    "  values.style.top = event.clientY - box.top + 16 + 'px';\n"
    "});\n"
    "plot.addEventListener('pointerleave', hide);\n"
    "</script>\n</body>\n</html>\n";

// A text as JSON, which stands inside a script: '<' must not begin a tag.
static void add_text(TextBuffer* out, const char* text) {
    text_add(out, "\"");
    for (const char* c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\' || *c == '<' || (unsigned char)*c < ' ') {
            text_add_format(out, "\\u%04x", (unsigned)(unsigned char)*c);
        } else {
            text_add_bytes(out, c, 1);
        }
    }
    text_add(out, "\"");
}

static void add_number(TextBuffer* out, const char* key, double value) {
    text_add_format(out, "\"%s\":", key);
    text_add_double(out, value);
    text_add(out, ",");
}

static Status add_curve(const Panel* panel, const PanelLayout* layout, int curve, TextBuffer* out) {
    long n = 0;
    double* points = figure_points(panel, layout, curve, &n);
    if (points == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    text_add(out, curve > 0 ? ",\n{\"name\":" : "\n{\"name\":");
    add_text(out, panel->curves[curve].name);
    text_add_format(out, ",\"colour\":\"#%06x\",\"points\":[",
                    (unsigned)figure_stroke(curve).colour);
    for (long i = 0; i < 2 * n; i++) {
        char text[32] = "";
        text_append(text, sizeof text, "%s%.7g", i > 0 ? "," : "", points[i]);
        text_add(out, text);
    }
    text_add(out, "]}");
    free(points);
    return STATUS_OK;
}

static Status add_panel(const Panel* panel, const PanelLayout* layout, TextBuffer* out) {
    text_add(out, "{");
    add_number(out, "left", layout->frame.x);
    add_number(out, "top", layout->frame.y);
    add_number(out, "width", layout->frame.width);
    add_number(out, "height", layout->frame.height);
    add_number(out, "x0", layout->x_0);
    add_number(out, "x1", layout->x_1);
    add_number(out, "y0", layout->y_0);
    add_number(out, "y1", layout->y_1);
    text_add_format(out, "\"overTime\":%s,\"stepped\":%s,",
                    panel->x_label == NULL ? "true" : "false",
                    panel->curves[0].stepped ? "true" : "false");
    text_add(out, "\"unit\":");
    add_text(out, panel->unit);
    if (panel->words != NULL) {
        text_add(out, ",\"words\":[");
        for (int i = 0; i < panel->n_words; i++) {
            text_add(out, i > 0 ? "," : "");
            add_text(out, panel->words[i]);
        }
        text_add(out, "],");
        add_number(out, "firstWord", panel->first_word);
    } else {
        text_add(out, ",");
    }
    text_add(out, "\"curves\":[");
    Status status = STATUS_OK;
    for (int c = 0; c < panel->n_curves && status == STATUS_OK; c++) {
        status = add_curve(panel, layout, c, out);
    }
    text_add(out, "]}");
    return status;
}

Status plot_page_write(const Figure* figure, const PanelLayout* layouts, double width,
                       double height, TextBuffer* out) {
    text_add(out, head);
    text_add_xml(out, figure->title);
    text_add(out, style);
    SvgCanvas svg = svg_canvas_begin(out, width, height);
    Status status = figure_draw(figure, layouts, &svg.canvas);
    svg_canvas_end(&svg);
    text_add(out,
             "<div id=\"values\"></div>\n</div>\n<script type=\"application/json\" id=\"data\">[");
    for (int i = 0; i < figure->n_panels && status == STATUS_OK; i++) {
        text_add(out, i > 0 ? ",\n" : "\n");
        status = add_panel(&figure->panels[i], &layouts[i], out);
    }
    text_add(out, "]\n");
    text_add(out, script);
    return out->failed ? STATUS_OUT_OF_MEMORY : status;
}
