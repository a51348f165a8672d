// A progress bar on stderr, for people: nothing is shown where stderr is no terminal.
#include "cli/progress.h"

#include <stdio.h>

#include "base/platform_program.h"

Progress progress_start(void) {
    const double started = platform_program_clock();
    return (Progress){
        .shown = platform_program_has_terminal(), .started = started, .drawn = started};
}

static void draw_remaining(double seconds) {
    if (seconds < 60) {
        fprintf(stderr, "%.0f s", seconds);
    } else if (seconds < 3600) {
        fprintf(stderr, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    } else if (seconds < 1e6) {
        fprintf(stderr, "%d h %02d min", (int)seconds / 3600, (int)seconds / 60 % 60);
    } else {
        fputs("very long", stderr);
    }
}

void progress_update(Progress* progress, double done) {
    enum { WIDTH = 40 };
    if (!progress->shown) {
        return;
    }
    const double time = platform_program_clock();
    if (time - progress->drawn < 0.1) {
        return;
    }
    progress->drawn = time;
    progress->visible = true;
    const double share = done > 0 ? (done < 1 ? done : 1) : 0;  // NaN counts as 0
    const int n_full = (int)(share * WIDTH);
    fputs("\r[", stderr);
    for (int i = 0; i < WIDTH; i++) {
        fputc(i < n_full ? '#' : '.', stderr);
    }
    fprintf(stderr, "] %3d %%", (int)(100 * share));
    if (share > 0) {
        fputs("  remaining: ", stderr);
        draw_remaining((time - progress->started) * (1 - share) / share);
    }
    fputs("\033[K", stderr);  // clears what an earlier, longer line left
    fflush(stderr);
}

void progress_end(Progress* progress) {
    if (progress->visible) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->visible = false;
}

double progress_elapsed(const Progress* progress) {
    return platform_program_clock() - progress->started;
}
