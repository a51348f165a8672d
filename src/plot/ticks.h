// Round numbers on an axis.
#pragma once

enum { TICK_LABEL = 32 };

typedef struct Ticks {
    double first, step;  // step is 1, 2 or 5 times a power of ten
    int n;
} Ticks;

// At most the wanted number of ticks within low < high, and at least two.
Ticks ticks_choose(double low, double high, int wanted);
double ticks_at(const Ticks* ticks, int i);
void ticks_label(const Ticks* ticks, int i, char label[TICK_LABEL]);
