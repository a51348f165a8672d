// Points taken down one by one, in memory that does not grow with their number.
#include "plot/series.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_ROOM = 1024, MOST_POINTS = 65536 };

static bool grow(Series* series) {
    const long capacity = series->capacity > 0 ? 2 * series->capacity : FIRST_ROOM;
    double* x = realloc(series->x, (size_t)capacity * sizeof *x);
    if (x == NULL) {
        return false;
    }
    series->x = x;
    double* y = realloc(series->y, (size_t)capacity * sizeof *y);
    if (y == NULL) {
        return false;
    }
    series->y = y;
    series->capacity = capacity;
    return true;
}

static void keep(Series* series, long from) {
    series->x[series->n] = series->x[from];
    series->y[series->n++] = series->y[from];
}

static void keep_extremes(Series* series) {
    const long n = series->n;
    series->n = 0;
    for (long i = 0; i < n; i += 4) {
        long low = i, high = i;
        for (long k = i; k < i + 4 && k < n; k++) {
            low = series->y[k] < series->y[low] ? k : low;
            high = series->y[k] > series->y[high] ? k : high;
        }
        const long first = low < high ? low : high;
        keep(series, first);
        keep(series, low == high ? i + 3 : low + high - first);
    }
}

static void keep_every_other(Series* series) {
    const long n = series->n;
    series->n = 0;
    for (long i = 0; i < n; i += 2) {
        keep(series, i);
    }
    series->every *= 2;
}

Status series_add_over_time(Series* series, double t, double y) {
    if (series->n == MOST_POINTS) {
        keep_extremes(series);
    }
    if (series->n == series->capacity && !grow(series)) {
        return STATUS_OUT_OF_MEMORY;
    }
    series->x[series->n] = t;
    series->y[series->n++] = y;
    return STATUS_OK;
}

Status series_add(Series* series, double x, double y) {
    series->every = series->every > 0 ? series->every : 1;
    if (++series->skipped < series->every) {
        return STATUS_OK;
    }
    series->skipped = 0;
    if (series->n == MOST_POINTS) {
        keep_every_other(series);
    }
    if (series->n == series->capacity && !grow(series)) {
        return STATUS_OUT_OF_MEMORY;
    }
    series->x[series->n] = x;
    series->y[series->n++] = y;
    return STATUS_OK;
}

void series_free(Series* series) {
    free(series->x);
    free(series->y);
    *series = (Series){0};
}
