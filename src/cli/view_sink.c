#include "cli/view_sink.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "cli/embedded.h"

static PageTemplate embedded_template(void) {
    return (PageTemplate){(const char*)embedded_page, EMBEDDED_SIZE(embedded_page)};
}

bool view_page(const char* command, PageTemplate* page) {
    *page = embedded_template();
    const bool whole = page_template_is_whole(page);
    if (!whole) {
        fprintf(stderr,
                "%s: this program was built without three.js, which its pages need: install it "
                "(Debian and Ubuntu: apt-get install libjs-three) and build again\n",
                command);
    }
    return whole;
}

bool view_choose(const ViewPlots* plots, const Simulation* simulation, const char* command,
                 PlotChoice* choice) {
    bool found = true;
    for (int i = 0; i < plots->n && found; i++) {
        found = plot_choice_add(choice, plots->texts[i], simulation_variables(simulation), command);
    }
    return found;
}

int view_plots(const PlotChoice* choice, DocumentPlot plots[PLOT_MOST_PANELS]) {
    const int n = choice != NULL ? choice->n_panels : 0;
    for (int i = 0; i < n; i++) {
        plots[i] = (DocumentPlot){choice->panels[i].variables, choice->panels[i].n_variables};
    }
    return n;
}

Status view_write(const char* path, const TextBuffer* text) {
    errno = 0;
    if (strcmp(path, "-") != 0) {
        return file_write(path, text->text, text->n);
    }
    const bool written = fwrite(text->text, 1, text->n, stdout) == text->n && fflush(stdout) == 0;
    return written ? STATUS_OK : STATUS_NO_FILE;
}

void view_tell(const char* path, size_t n_frames, size_t n_bytes, FILE* out) {
    fprintf(out, "%s: %zu frames, %.1f MB; open it in a browser",
            strcmp(path, "-") == 0 ? "standard output" : path, n_frames, 1e-6 * (double)n_bytes);
}

static Status view_open(RunSink* sink, Simulation* simulation, double stop) {
    ViewWriter* view = sink->self;
    return recorder_open(&view->recorder, simulation, stop, view->interval);
}

static Status view_row(RunSink* sink, Simulation* simulation) {
    ViewWriter* view = sink->self;
    (void)simulation;
    return recorder_row(&view->recorder);
}

static Status write_page(ViewWriter* view, const char* path) {
    const Simulation* simulation = view->recorder.frames.simulation;
    const bool failed = simulation_statistics(simulation).n_failed_steps > 0;
    const PageTemplate page = embedded_template();
    DocumentPlot plots[PLOT_MOST_PANELS];
    Document document = {.source = view->source,
                         .failure = failed ? simulation_message(simulation) : NULL,
                         .plots = plots,
                         .n_plots = view_plots(view->choice, plots)};
    TextBuffer text = {0};
    Status status = recorder_write(&view->recorder, &document, &page, &text);
    if (status == STATUS_OK) {
        status = view_write(path, &text);
    }
    view->n_frames = document.n_frames;
    view->n_bytes = text.n;
    text_buffer_free(&text);
    return status;
}

static Status view_close(RunSink* sink) {
    ViewWriter* view = sink->self;
    const bool opened = view->recorder.impacts != NULL;
    const Status status = opened ? write_page(view, sink->path) : STATUS_OK;
    recorder_free(&view->recorder);
    return status;
}

static void view_describe(const RunSink* sink, FILE* out) {
    const ViewWriter* view = sink->self;
    view_tell(sink->path, view->n_frames, view->n_bytes, out);
}

const RunSinkKind view_sink = {.what = "the page",
                               .option = "--view",
                               .open = view_open,
                               .row = view_row,
                               .close = view_close,
                               .describe = view_describe};
