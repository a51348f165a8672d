// Writes documentation/index.html of an FMU: what the model is, its variables, how to use it, and
// the model file itself.
#include "modelDescription/documentation.h"

#include <math.h>

enum { LONGEST_MODEL_SHOWN = 256 * 1024 };  // bytes; a longer one would only slow a browser down

static const char licences[] =
    "<h2>Licences</h2>\n<p>The binary in this FMU was made by Clatter (BSD 2-Clause) and contains "
    "parts of Expat (MIT), reference LAPACK, BLAS and LAPACKE (modified BSD), and of "
    "SuiteSparse&#39;s "
    "AMD (BSD 3-Clause).</p>\n";

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;color:#1d2733;max-width:62rem;margin:2rem auto;"
    "padding:0 1rem}\n"
    "h1{margin-bottom:0}h2{margin-top:2.2rem;border-bottom:2px solid "
    "#d5dde6;padding-bottom:.2rem}\n"
    ".lead{font-size:1.15rem;color:#4a5b6d;margin-top:.3rem}\n"
    "table{border-collapse:collapse;width:100%;font-size:.92rem}\n"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .7rem .3rem 0;"
    "border-bottom:1px solid #e4eaf0}\n"
    "th{color:#4a5b6d;font-weight:600}td.n{font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "code,pre{font-family:ui-monospace,Consolas,monospace;font-size:.88rem}\n"
    "figure{margin:1.5rem 0}figcaption{font-size:.92rem;color:#4a5b6d}\n"
    "pre{background:#f4f7fa;border:1px solid #e4eaf0;border-radius:6px;padding:1rem;"
    "overflow-x:auto}\n"
    "@media(prefers-color-scheme:dark){body{background:#14191f;color:#dce4ec}"
    "th,.lead,figcaption{color:#9fb0c0}th,td,h2{border-color:#2c3742}"
    "pre{background:#1c232b;border-color:#2c3742}}\n";

// Unlike text_add_xml it keeps line ends, and it takes any bytes: model files need not be UTF-8.
static void add_preformatted(TextBuffer* out, const char* text, size_t n) {
    for (size_t i = 0; i < n;) {
        const size_t length = text_utf8_length(text + i, n - i);
        const char c = text[i];
        if (length == 0) {
            text_add(out, "\xEF\xBF\xBD");  // U+FFFD, the replacement character
        } else if (c == '&') {
            text_add(out, "&amp;");
        } else if (c == '<') {
            text_add(out, "&lt;");
        } else if (c == '>') {
            text_add(out, "&gt;");
        } else if (length > 1 || (unsigned char)c >= ' ' || c == '\n' || c == '\t') {
            text_add_bytes(out, text + i, length);
        }
        i += length > 0 ? length : 1;
    }
}

static void add_element(TextBuffer* out, const char* name, const char* content) {
    text_add_format(out, "<%s>", name);
    text_add_xml(out, content);
    text_add_format(out, "</%s>", name);
}

static void add_fact(TextBuffer* out, const char* name, const char* value) {
    if (value[0] != 0) {
        text_add(out, "<tr>");
        add_element(out, "th", name);
        add_element(out, "td", value);
        text_add(out, "</tr>\n");
    }
}

static void add_count(TextBuffer* out, const char* name, int count) {
    text_add_format(out, "<tr><th>%s</th><td>%d</td></tr>\n", name, count);
}

static void write_facts(const ModelInfo* info, int fmi, TextBuffer* out) {
    text_add(out, "<h2>The model</h2>\n<table>\n");
    add_fact(out, "Name", info->name);
    add_fact(out, "Version", info->version);
    add_fact(out, "Author", info->author);
    add_count(out, "Bodies", info->n_bodies);
    add_count(out, "Contacts", info->n_contacts);
    add_count(out, "Forces", info->n_forces);
    add_count(out, "Coordinates", info->n_coordinates);
    text_add(out, "<tr><th>Default experiment</th><td>from ");
    text_add_double(out, info->start_time);
    text_add(out, " s to ");
    text_add_double(out, info->stop_time);
    text_add(out, " s in steps of ");
    text_add_double(out, info->step_size);
    text_add(out, " s</td></tr>\n");
    add_fact(out, "Interface",
             fmi == 2 ? "FMI 2.0 for co-simulation" : "FMI 3.0 for co-simulation");
    add_fact(out, "Made by", "Clatter " CLATTER_VERSION);
    add_fact(out, "Fingerprint", info->guid);
    text_add(out, "</table>\n");
}

static void add_value(TextBuffer* out, const Variable* variable, double value, bool shown) {
    text_add(out, "<td class=\"n\">");
    if (shown && variable->type == VARIABLE_BOOLEAN) {
        text_add(out, value != 0 ? "true" : "false");
    } else if (shown && variable->type == VARIABLE_ENUMERATION && value >= 1 &&
               value <= variable->enumeration->n_items) {
        text_add_xml(out, enumeration_item(variable->enumeration, (int)value - 1)->name);
    } else if (shown && variable->type != VARIABLE_STRING) {
        text_add_double(out, value);
    }
    text_add(out, "</td>");
}

static const char* type_word(const Variable* variable) {
    static const char* const words[] = {
        [VARIABLE_REAL] = "real",       [VARIABLE_INTEGER] = "integer",
        [VARIABLE_BOOLEAN] = "boolean", [VARIABLE_ENUMERATION] = "enumeration",
        [VARIABLE_STRING] = "text",
    };
    return words[variable->type];
}

// The items of an enumeration are what a reader wants to know of it.
static void add_help(TextBuffer* out, const Variable* variable) {
    text_add(out, "<td>");
    text_add_xml(out, variable->help != NULL ? variable->help : "");
    if (variable->type == VARIABLE_ENUMERATION) {
        for (int i = 0; i < variable->enumeration->n_items; i++) {
            text_add_format(out, "%s%d = ", i == 0 ? " (" : ", ", i + 1);
            text_add_xml(out, enumeration_item(variable->enumeration, i)->name);
        }
        text_add(out, ")");
    }
    text_add(out, "</td>");
}

static void write_row(const Variable* variable, bool with_start, TextBuffer* out) {
    const bool is_number = variable->type == VARIABLE_REAL || variable->type == VARIABLE_INTEGER;
    text_add(out, "<tr><td><code>");
    text_add_xml(out, variable->name);
    text_add(out, "</code></td><td class=\"n\">");
    text_add_xml(out, variable->type == VARIABLE_REAL ? unit_get(variable->unit)->name : "");
    text_add(out, "</td><td>");
    text_add(out, type_word(variable));
    text_add(out, variable->variability == VARIABILITY_TUNABLE ? ", tunable</td>" : "</td>");
    if (with_start) {
        add_value(out, variable, variable->start, true);
    }
    add_value(out, variable, variable->min, is_number && isfinite(variable->min));
    add_value(out, variable, variable->max, is_number && isfinite(variable->max));
    add_help(out, variable);
    text_add(out, "</tr>\n");
}

static void write_variables(const VariableTable* table, Causality causality, const char* title,
                            const char* lead, TextBuffer* out) {
    const bool with_start = causality == CAUSALITY_PARAMETER || causality == CAUSALITY_INPUT ||
                            causality == CAUSALITY_CALCULATED_PARAMETER;
    bool any = false;
    for (int i = 0; i < table->n_variables; i++) {
        if (table->variables[i].causality != causality) {
            continue;
        }
        if (!any) {
            text_add_format(out, "<h2>%s</h2>\n<p>%s</p>\n<table>\n<tr><th>name</th><th>unit</th>",
                            title, lead);
            text_add_format(out, "<th>type</th>%s<th>min</th><th>max</th><th>meaning</th></tr>\n",
                            with_start ? "<th>start</th>" : "");
        }
        any = true;
        write_row(&table->variables[i], with_start, out);
    }
    text_add(out, any ? "</table>\n" : "");
}

static void write_usage(const ModelInfo* info, int fmi, TextBuffer* out) {
    text_add_format(
        out,
        "<h2>How to use it</h2>\n"
        "<p>Any importer of FMI %d.0 co-simulation takes this FMU. With FMPy:</p>\n<pre>",
        fmi);
    text_add(out, "from fmpy import simulate_fmu\n\nresult = simulate_fmu('");
    text_add_xml(out, info->name);
    text_add(out, ".fmu', stop_time=");
    text_add_double(out, info->stop_time);
    text_add(out, ", output_interval=");
    text_add_double(out, info->step_size);
    text_add(out,
             ")</pre>\n<p>Internal steps have the length of <code>solver.step_size</code>; a "
             "communication step that is a multiple of it is done in that many internal "
             "steps, any other in equal ones that are no longer. If a step cannot be solved the "
             "FMU stays at its last successful time and says why in its log; ");
    text_add_format(out,
                    "it returns <code>fmi%dDiscard</code> if a part of the step was made, else "
                    "<code>fmi%dError</code>. ",
                    fmi, fmi);
    text_add(out, "Impacts, sticking and sliding need no events and no small steps.</p>\n");
}

static void write_model(const char* model_xml, size_t n, TextBuffer* out) {
    text_add(out, "<h2>Model file</h2>\n<p>Kept in the FMU as <code>resources/model.xml</code>.");
    if (n > LONGEST_MODEL_SHOWN) {
        text_add(out, " It is too long to be shown here.</p>\n");
        return;
    }
    text_add(out, "</p>\n<pre>");
    add_preformatted(out, model_xml, n);
    text_add(out, "</pre>\n");
}

static void write_pictures(Pictures pictures, TextBuffer* out) {
    if (pictures.drawing != NULL) {
        text_add(out, "<figure>\n");
        text_add(out, pictures.drawing);
        text_add(out, "<figcaption>The mechanism at its start.</figcaption>\n</figure>\n");
    }
    if (pictures.animation != NULL) {
        text_add(out, "<p><a href=\"");
        text_add_xml(out, pictures.animation);
        text_add(out, "\">See it move</a> as it does by default.</p>\n");
    }
}

void documentation_write(const ModelInfo* info, const VariableTable* table, int fmi,
                         Pictures pictures, const char* model_xml, size_t n, TextBuffer* out) {
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add_element(out, "title", info->name);
    text_add(out, "\n<style>\n");
    text_add(out, style);
    text_add(out, "</style>\n</head>\n<body>\n");
    add_element(out, "h1", info->name);
    text_add(out, "\n<p class=\"lead\">");
    text_add_xml(out, info->description);
    text_add(out, "</p>\n");
    write_pictures(pictures, out);
    write_facts(info, fmi, out);
    write_usage(info, fmi, out);
    write_variables(table, CAUSALITY_INPUT, "Inputs",
                    fmi == 2 ? "May be set before each step, with a slope for the time within it."
                             : "May be set before each step, and between internal steps.",
                    out);
    write_variables(table, CAUSALITY_OUTPUT, "Outputs", "May be read after each step.", out);
    write_variables(table, CAUSALITY_PARAMETER, "Parameters",
                    "May be set before the simulation starts; tunable ones also between steps.",
                    out);
    write_variables(table, CAUSALITY_CALCULATED_PARAMETER, "Calculated parameters",
                    "Follow from the parameters.", out);
    write_variables(table, CAUSALITY_LOCAL, "Local variables", "May be read at any time.", out);
    write_model(model_xml, n, out);
    text_add(out, licences);
    text_add(out, "</body>\n</html>\n");
}
