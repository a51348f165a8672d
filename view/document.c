#include "view/document.h"

#include <math.h>
#include <string.h>

#include "view/json.h"

enum { POINTS_OF_CURVE = 257, FORMAT_VERSION = 1 };

// The elements of an array, with commas between them: text between two of them
static void separate(TextBuffer* out, int i) { text_add(out, i > 0 ? ",\n" : "\n"); }

static void add_axes(TextBuffer* out, const Mat3* axes) {
    json_add_name(out, "axes");
    for (int i = 0; i < 3; i++) {
        const Vec3 e = axes->e[i];
        text_add(out, i == 0 ? "[" : ",");
        json_add_number(out, e.x);
        text_add(out, ",");
        json_add_number(out, e.y);
        text_add(out, ",");
        json_add_number(out, e.z);
    }
    text_add(out, "]");
}

// On a body that is not rigid a marker has a pose of its own.
static void add_marker(TextBuffer* out, const Scene* scene, const SceneMarker* marker) {
    json_add_number_member(out, "body", marker->body);
    if (marker->pose != scene->bodies[marker->body].pose) {
        json_add_number_member(out, "pose", marker->pose);
    }
    json_add_vector_member(out, "position", marker->position);
    add_axes(out, &marker->axes);
}

static void add_bodies(TextBuffer* out, const Scene* scene) {
    json_add_name(out, "bodies");
    text_add(out, "[");
    for (int i = 0; i < scene->n_bodies; i++) {
        const SceneBody* body = &scene->bodies[i];
        separate(out, i);
        text_add(out, "{");
        json_add_string_member(out, "name", body->name);
        json_add_string_member(out, "kind", body->kind);
        if (body->pose >= 0) {
            json_add_number_member(out, "pose", body->pose);
            json_add_vector_member(out, "centre", (Vec3){0.0, 0.0, 0.0});
        }
        if (body->line >= 0) {
            json_add_number_member(out, "line", body->line);
            json_add_number_member(out, "n_points", body->n_points);
            json_add_number_member(out, "radius", body->radius);
        }
        text_add(out, "}");
    }
    text_add(out, "]");
}

// Points where the curve has a value, and one that is worth drawing
static void add_curve(TextBuffer* out, const SceneShape* curve, Span span) {
    static const double STEEPEST = 20.0;  // height over width of what is drawn
    const double width = span.high - span.low;
    int n = 0;
    json_add_name(out, "points");
    text_add(out, "[");
    for (int i = 0; i < POINTS_OF_CURVE; i++) {
        const double x = span.low + width * i / (POINTS_OF_CURVE - 1);
        const double y = scene_curve_height(curve, x);
        if (isfinite(y) && fabs(y) <= STEEPEST * width) {
            text_add(out, n++ > 0 ? "," : "");
            json_add_vector(out, (Vec3){x, y, 0.0});
        }
    }
    text_add(out, "]");
}

// Points n ... of a shape as far as a picture shows them, for the page not to grow by digits
static void add_points(TextBuffer* out, const char* name, const Vec3* points, int n, bool planar) {
    static const double DIGITS = 1e6;  // of the largest coordinate
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, length3(points[i]));
    }
    const double scale = largest > 0.0 ? DIGITS / pow(10.0, floor(log10(largest))) : 1.0;
    json_add_name(out, name);
    text_add(out, "[");
    for (int i = 0; i < n; i++) {
        const double x[3] = {points[i].x, points[i].y, points[i].z};
        for (int k = 0; k < (planar ? 2 : 3); k++) {
            text_add(out, k > 0 ? "," : i > 0 ? ",[" : "[");
            json_add_number(out, round(x[k] * scale) / scale);
        }
        text_add(out, "]");
    }
    text_add(out, "]");
}

static void add_faces(TextBuffer* out, const SceneShape* shape) {
    json_add_name(out, "faces");
    text_add(out, "[");
    for (int i = 0; i < shape->n_faces; i++) {
        for (int k = 0; k < shape->faces[i].n; k++) {
            text_add(out, k > 0 ? "," : i > 0 ? ",[" : "[");
            json_add_number(out, shape->faces[i].corners[k]);
        }
        text_add(out, "]");
    }
    text_add(out, "]");
}

static void add_surface(TextBuffer* out, const SceneShape* shape) {
    if (shape->n_faces > 0) {
        add_points(out, "points", shape->points, shape->n_points, false);
        add_faces(out, shape);
    } else if (shape->n_points > 0) {
        add_points(out, "points", shape->points, shape->n_rim, true);
    }
    if (shape->n_faces == 0 && shape->n_points > shape->n_rim) {
        add_points(out, "hole", shape->points + shape->n_rim, shape->n_points - shape->n_rim, true);
    }
}

static void add_shapes(TextBuffer* out, const Scene* scene, const Span* curves) {
    json_add_name(out, "shapes");
    text_add(out, "[");
    for (int i = 0; i < scene->n_shapes; i++) {
        const SceneShape* shape = &scene->shapes[i];
        separate(out, i);
        text_add(out, "{");
        json_add_string_member(out, "name", shape->name);
        json_add_string_member(out, "kind", shape->kind);
        add_marker(out, scene, &shape->marker);
        if (shape->radius > 0.0) {
            json_add_number_member(out, "radius", shape->radius);
        }
        if (shape->n_sizes > 0) {
            json_add_name(out, "size");
            for (int j = 0; j < shape->n_sizes; j++) {
                text_add(out, j == 0 ? "[" : ",");
                json_add_number(out, shape->sizes[j]);
            }
            text_add(out, "]");
        }
        if (shape->function != NULL) {
            add_curve(out, shape, curves[i]);
        }
        add_surface(out, shape);
        text_add(out, "}");
    }
    text_add(out, "]");
}

static void add_links(TextBuffer* out, const Scene* scene) {
    static const char* const sides[] = {"first", "second"};
    json_add_name(out, "links");
    text_add(out, "[");
    for (int i = 0; i < scene->n_links; i++) {
        const SceneLink* link = &scene->links[i];
        separate(out, i);
        text_add(out, "{");
        json_add_string_member(out, "name", link->name);
        json_add_string_member(out, "kind", link->kind);
        json_add_string_member(out, "role", link->joint ? "joint" : "force");
        for (int j = 0; j < link->n_markers && j < 2; j++) {
            json_add_name(out, sides[j]);
            text_add(out, "{");
            add_marker(out, scene, &link->markers[j]);
            text_add(out, "}");
        }
        text_add(out, "}");
    }
    text_add(out, "]");
}

static void add_contacts(TextBuffer* out, const Document* d) {
    json_add_name(out, "contacts");
    text_add(out, "[");
    for (int i = 0; i < d->scene->n_contacts; i++) {
        const SceneContact* contact = &d->scene->contacts[i];
        separate(out, i);
        text_add(out, "{");
        json_add_string_member(out, "name", contact->name);
        if (contact->first != NULL) {
            json_add_string_member(out, "first", contact->first);
            json_add_string_member(out, "second", contact->second);
        }
        json_add_number_member(out, "friction", contact->friction);
        text_add(out, "}");
    }
    text_add(out, "]");
    json_add_name(out, "impacts");
    text_add(out, "[");
    for (int i = 0; i < d->n_impacts; i++) {
        separate(out, i);
        text_add(out, "{");
        json_add_number_member(out, "time", d->impacts[i].time);
        json_add_number_member(out, "contact", d->impacts[i].contact);
        json_add_number_member(out, "impulse", d->impacts[i].impulse);
        text_add(out, "}");
    }
    text_add(out, "]");
    json_add_number_member(out, "n_impacts", (double)d->n_all_impacts);
}

// The element that an output belongs to: all of its name before the last point
static void add_group(TextBuffer* out, const char* name) {
    const char* point = strrchr(name, '.');
    TextBuffer group = {0};
    text_add_bytes(&group, name, point != NULL ? (size_t)(point - name) : 0);
    json_add_string_member(out, "group", group.text != NULL ? group.text : "");
    out->failed = out->failed || group.failed;
    text_buffer_free(&group);
}

static void add_output(TextBuffer* out, const Variable* variable) {
    text_add(out, "{");
    json_add_string_member(out, "name", variable->name);
    json_add_string_member(out, "unit",
                           variable->type == VARIABLE_REAL ? unit_get(variable->unit)->name : "1");
    json_add_string_member(out, "help", variable->help);
    add_group(out, variable->name);
    if (variable->type == VARIABLE_ENUMERATION) {
        json_add_name(out, "values");
        for (int i = 0; i < variable->enumeration->n_items; i++) {
            text_add(out, i == 0 ? "[" : ",");
            json_add_string(out, enumeration_item(variable->enumeration, i)->name);
        }
        text_add(out, "]");
    }
    text_add(out, "}");
}

static void add_outputs(TextBuffer* out, const Document* d) {
    json_add_name(out, "outputs");
    text_add(out, "[");
    for (int i = 0; i < d->n_outputs; i++) {
        separate(out, i);
        add_output(out, &d->table->variables[d->outputs[i]]);
    }
    text_add(out, "]");
    json_add_number_member(out, "n_more_outputs", d->n_more_outputs);
    json_add_name(out, "plots");
    text_add(out, "[");
    for (int i = 0; i < d->n_plots; i++) {
        text_add(out, i == 0 ? "[" : ",[");
        for (int j = 0; j < d->plots[i].n_variables; j++) {
            text_add(out, j == 0 ? "" : ",");
            json_add_string(out, d->table->variables[d->plots[i].variables[j]].name);
        }
        text_add(out, "]");
    }
    text_add(out, "]");
    json_add_number_member(out, "n_untold_contacts", d->n_untold_contacts);
    json_add_name(out, "missing");
    text_add(out, "[");
    for (int i = 0; i < d->n_missing; i++) {
        text_add(out, i == 0 ? "" : ",");
        json_add_string(out, d->table->variables[d->missing[i]].name);
    }
    text_add(out, "]");
}

static void add_layout(TextBuffer* out, const Document* d) {
    json_add_name(out, "layout");
    text_add(out, "{");
    json_add_number_member(out, "n_frames", (double)d->n_frames);
    json_add_number_member(out, "n_poses", d->scene->n_poses);
    json_add_number_member(out, "n_points", d->scene->n_points);
    json_add_number_member(out, "n_outputs", d->n_outputs);
    json_add_number_member(out, "n_contact_records", (double)d->n_contact_records);
    json_add_name(out, "deflated");
    text_add(out, "true");
    json_add_number_member(out, "n_bytes", (double)d->n_bytes);
    text_add(out, "}");
}

void document_write(const Document* d, TextBuffer* out) {
    text_add(out, "{");
    json_add_number_member(out, "version", FORMAT_VERSION);
    json_add_string_member(out, "name", d->info->name);
    json_add_string_member(out, "description", d->info->description);
    json_add_name(out, "plane");
    text_add(out, d->scene->planar ? "true" : "false");
    json_add_vector_member(out, "gravity", d->scene->gravity);
    json_add_number_member(out, "start", d->start);
    json_add_number_member(out, "stop", d->stop);
    json_add_string_member(out, "source", d->source);
    if (d->failure != NULL) {
        json_add_string_member(out, "failure", d->failure);
    }
    add_bodies(out, d->scene);
    add_shapes(out, d->scene, d->curves);
    add_links(out, d->scene);
    add_contacts(out, d);
    add_outputs(out, d);
    add_layout(out, d);
    text_add(out, "}\n");
}
