// Points taken down one by one, in memory that does not grow with their number.
#pragma once

#include "base/status.h"

typedef struct Series {
    double* x;  // (n)
    double* y;  // (n)
    long n, capacity;
    long every;    // of series over another variable every so many points are kept
    long skipped;  // since the last one that was
} Series;

// A new point of a series over time. Where there are too many, of four points one after the other
// the lowest and the highest stay.
MUST_CHECK Status series_add_over_time(Series* series, double t, double y);
// A new point of a series over something else. Where there are too many, every other one stays.
MUST_CHECK Status series_add(Series* series, double x, double y);
void series_free(Series* series);
