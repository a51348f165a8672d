// Takes down chosen variables of a run and writes them as a plot.
#include "cli/plot_sink.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/text.h"
#include "base/unit.h"
#include "plot/figure.h"
#include "plot/plot_page.h"
#include "plot/png_canvas.h"
#include "plot/svg_canvas.h"

typedef enum PlotForm { FORM_SVG, FORM_PNG, FORM_HTML, FORM_UNKNOWN } PlotForm;

// In SI units; what has none, as residuals, may be small and still of interest.
static const double NOISE = 1e-12;
static const double PNG_SCALE = 2;  // pixels of the picture per pixel of a screen

static PlotForm form_of(const char* path) {
    static const char* const endings[] = {
        [FORM_SVG] = ".svg", [FORM_PNG] = ".png", [FORM_HTML] = ".html"};
    const size_t n = strlen(path);
    for (int form = 0; form < FORM_UNKNOWN; form++) {
        const size_t n_ending = strlen(endings[form]);
        if (n > n_ending && strcmp(path + n - n_ending, endings[form]) == 0) {
            return (PlotForm)form;
        }
    }
    return FORM_UNKNOWN;
}

bool plot_sink_knows(const char* path, const char* command) {
    const bool known = form_of(path) != FORM_UNKNOWN;
    if (!known) {
        fprintf(stderr, "%s: --plot %s: expected a name that ends with .svg, .png or .html\n",
                command, path);
    }
    return known;
}

bool plot_sink_choose(PlotWriter* plot, const VariableTable* variables) {
    for (int i = 0; i < plot->n_wanted; i++) {
        if (!plot_choice_add(&plot->choice, plot->wanted[i], variables, plot->command)) {
            return false;
        }
    }
    if (plot->n_wanted == 0) {
        plot_choice_default(&plot->choice, variables);
    }
    if (plot->choice.n_panels == 0) {
        fprintf(stderr, "%s: --plot: the model has no outputs to plot\n", plot->command);
    }
    return plot->choice.n_panels > 0;
}

// --- taking down ---

static Status plot_open(RunSink* sink, Simulation* simulation, double stop) {
    (void)stop;
    PlotWriter* plot = sink->self;
    plot->simulation = simulation;
    plot->t_0 = simulation_time(simulation);
    plot->series = calloc((size_t)plot->choice.n_panels * PLOT_MOST_CURVES, sizeof *plot->series);
    if (plot->series == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    plot->file = platform_open(sink->path, "wb");
    return plot->file != NULL ? STATUS_OK : STATUS_NO_FILE;
}

static Status plot_row(RunSink* sink, Simulation* simulation) {
    PlotWriter* plot = sink->self;
    Status status = STATUS_OK;
    plot->t_1 = simulation_time(simulation);
    for (int i = 0; i < plot->choice.n_panels; i++) {
        const PlotPanel* panel = &plot->choice.panels[i];
        double x = plot->t_1;
        if (panel->over >= 0) {
            status = simulation_get(simulation, panel->over, &x);
        }
        for (int k = 0; k < panel->n_variables && status == STATUS_OK; k++) {
            Series* series = &plot->series[i * PLOT_MOST_CURVES + k];
            double y = 0;
            status = simulation_get(simulation, panel->variables[k], &y);
            if (status == STATUS_OK) {
                status =
                    panel->over < 0 ? series_add_over_time(series, x, y) : series_add(series, x, y);
            }
        }
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

// --- the figure ---

// What a figure refers to, beside the series
typedef struct Drawing {
    Figure figure;
    Panel panels[PLOT_MOST_PANELS];
    PanelLayout layouts[PLOT_MOST_PANELS];
    Curve curves[PLOT_MOST_PANELS][PLOT_MOST_CURVES];
    const char** words;  // (n_words) of all panels
    char x_labels[PLOT_MOST_PANELS][256];
    char y_labels[PLOT_MOST_PANELS][256];
    double width, height;
} Drawing;

static const char* unit_of(const Variable* variable) {
    return variable->type == VARIABLE_REAL && variable->unit != UNIT_ONE
               ? unit_get(variable->unit)->name
               : "";
}

// "ball.x in m"
static void label(const char* name, const Variable* variable, char text[256]) {
    const char* unit = unit_of(variable);
    snprintf(text, 256, "%s%s%s", name, unit[0] != '\0' && name[0] != '\0' ? " in " : "", unit);
}

// The words of a panel's values, in the room behind those of other panels
static void take_words(const Variable* variable, Panel* panel, const char** room) {
    static const char* const truths[] = {"false", "true"};
    if (variable->type == VARIABLE_BOOLEAN) {
        panel->words = truths;
        panel->n_words = 2;
    } else if (variable->type == VARIABLE_ENUMERATION) {
        for (int i = 0; i < variable->enumeration->n_items; i++) {
            room[i] = enumeration_item(variable->enumeration, i)->name;
        }
        panel->words = room;
        panel->n_words = variable->enumeration->n_items;
        panel->first_word = 1;
    }
}

static void make_panel(const PlotWriter* plot, int i, Drawing* drawing, const char** words) {
    const VariableTable* table = simulation_variables(plot->simulation);
    const PlotPanel* chosen = &plot->choice.panels[i];
    const Variable* first = &table->variables[chosen->variables[0]];
    Panel* panel = &drawing->panels[i];
    *panel = (Panel){.curves = drawing->curves[i],
                     .n_curves = chosen->n_variables,
                     .y_label = drawing->y_labels[i],
                     .unit = unit_of(first),
                     .noise = unit_of(first)[0] != '\0' ? NOISE : 0};
    take_words(first, panel, words);
    for (int k = 0; k < chosen->n_variables; k++) {
        const Series* series = &plot->series[i * PLOT_MOST_CURVES + k];
        const Variable* variable = &table->variables[chosen->variables[k]];
        drawing->curves[i][k] = (Curve){variable->name, series->x, series->y, series->n,
                                        variable->type != VARIABLE_REAL && chosen->over < 0};
    }
    label(chosen->over >= 0 && chosen->n_variables == 1 ? first->name : "", first,
          drawing->y_labels[i]);
    if (chosen->over >= 0) {
        const Variable* over = &table->variables[chosen->over];
        label(over->name, over, drawing->x_labels[i]);
        panel->x_label = drawing->x_labels[i];
        panel->equal_scales = over->unit == UNIT_METRE && first->unit == UNIT_METRE &&
                              over->type == VARIABLE_REAL && first->type == VARIABLE_REAL;
    }
}

static size_t count_words(const PlotWriter* plot) {
    const VariableTable* table = simulation_variables(plot->simulation);
    size_t n = 0;
    for (int i = 0; i < plot->choice.n_panels; i++) {
        const Variable* first = &table->variables[plot->choice.panels[i].variables[0]];
        n += first->enumeration != NULL ? (size_t)first->enumeration->n_items : 0;
    }
    return n;
}

static bool make_drawing(const PlotWriter* plot, Drawing* drawing) {
    drawing->words = calloc(count_words(plot) + 1, sizeof *drawing->words);
    if (drawing->words == NULL) {
        return false;
    }
    const char** words = drawing->words;
    for (int i = 0; i < plot->choice.n_panels; i++) {
        make_panel(plot, i, drawing, words);
        words += drawing->panels[i].words == words ? drawing->panels[i].n_words : 0;
    }
    drawing->figure = (Figure){simulation_info(plot->simulation)->name, drawing->panels,
                               plot->choice.n_panels, plot->t_0, plot->t_1};
    figure_arrange(&drawing->figure, drawing->layouts, &drawing->width, &drawing->height);
    return true;
}

static Status draw(const Drawing* drawing, PlotForm form, TextBuffer* out) {
    Status status;
    if (form == FORM_HTML) {
        return plot_page_write(&drawing->figure, drawing->layouts, drawing->width, drawing->height,
                               out);
    }
    if (form == FORM_SVG) {
        SvgCanvas svg = svg_canvas_begin(out, drawing->width, drawing->height);
        status = figure_draw(&drawing->figure, drawing->layouts, &svg.canvas);
        svg_canvas_end(&svg);
        return out->failed ? STATUS_OUT_OF_MEMORY : status;
    }
    PngCanvas png;
    status = png_canvas_begin(&png, drawing->width, drawing->height, PNG_SCALE);
    if (status == STATUS_OK) {
        status = figure_draw(&drawing->figure, drawing->layouts, &png.canvas);
    }
    if (status == STATUS_OK) {
        status = png_canvas_write(&png, out);
    }
    png_canvas_free(&png);
    return status;
}

static Status write_plot(PlotWriter* plot, const char* path) {
    TextBuffer out = {0};
    Drawing* drawing = calloc(1, sizeof *drawing);
    Status status =
        drawing != NULL && make_drawing(plot, drawing) ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    if (status == STATUS_OK) {
        status = draw(drawing, form_of(path), &out);
    }
    if (status == STATUS_OK && fwrite(out.text, 1, out.n, plot->file) != out.n) {
        status = STATUS_NO_FILE;
    }
    if (drawing != NULL) {
        free(drawing->words);
    }
    free(drawing);
    text_buffer_free(&out);
    return status;
}

static Status plot_close(RunSink* sink) {
    PlotWriter* plot = sink->self;
    Status status = STATUS_OK;
    if (plot->file != NULL) {
        status = plot->series[0].n > 0 ? write_plot(plot, sink->path) : STATUS_OK;
        status = fclose(plot->file) != 0 && status == STATUS_OK ? STATUS_NO_FILE : status;
    }
    for (int i = 0; plot->series != NULL && i < plot->choice.n_panels * PLOT_MOST_CURVES; i++) {
        series_free(&plot->series[i]);
    }
    free(plot->series);
    plot->series = NULL;
    plot->file = NULL;
    return status;
}

static void plot_describe(const RunSink* sink, FILE* out) {
    const PlotChoice* choice = &((const PlotWriter*)sink->self)->choice;
    int n_curves = 0;
    for (int i = 0; i < choice->n_panels; i++) {
        n_curves += choice->panels[i].n_variables;
    }
    fprintf(out, "%s: %d panel%s, %d curve%s", sink->path, choice->n_panels,
            choice->n_panels == 1 ? "" : "s", n_curves, n_curves == 1 ? "" : "s");
}

const RunSinkKind plot_sink = {.what = "the plot",
                               .option = "--plot",
                               .open = plot_open,
                               .row = plot_row,
                               .close = plot_close,
                               .describe = plot_describe};
