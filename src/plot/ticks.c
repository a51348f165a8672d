// Round numbers on an axis.
#include "plot/ticks.h"

#include <math.h>

#include "base/text.h"

static Ticks choose(double low, double high, int wanted) {
    static const double factors[] = {1, 2, 5, 10};
    static const double ROUNDING = 1e-9;  // of a step
    const double least = (high - low) / wanted;
    const double power = pow(10, floor(log10(least)));
    double step = 10 * power;
    for (int i = 3; i >= 0; i--) {
        step = factors[i] * power >= least * (1 - ROUNDING) ? factors[i] * power : step;
    }
    const double first = ceil(low / step - ROUNDING);
    const double last = floor(high / step + ROUNDING);
    return (Ticks){first * step, step, last >= first ? (int)(last - first) + 1 : 0};
}

Ticks ticks_choose(double low, double high, int wanted) {
    enum { TOO_MANY = 12 };
    Ticks ticks = choose(low, high, wanted);
    while (ticks.n < 2 && wanted < TOO_MANY) {  // one number tells nothing of the scale
        ticks = choose(low, high, ++wanted);
    }
    return ticks;
}

double ticks_at(const Ticks* ticks, int i) {
    const double value = (round(ticks->first / ticks->step) + i) * ticks->step;
    return value == 0 ? 0 : value;  // no -0
}

void ticks_label(const Ticks* ticks, int i, char label[TICK_LABEL]) {
    const double value = ticks_at(ticks, i);
    const double largest =
        fmax(fabs(ticks_at(ticks, 0)), fabs(ticks_at(ticks, ticks->n > 0 ? ticks->n - 1 : 0)));
    const double decimals = fmax(0, -floor(log10(ticks->step) + 1e-9));
    label[0] = '\0';
    if (value == 0) {
        text_append(label, TICK_LABEL, "0");
    } else if (largest < 1e5 && decimals <= 4) {
        text_append(label, TICK_LABEL, "%.*f", (int)decimals, value);
    } else {
        const double digits = floor(log10(largest)) - floor(log10(ticks->step) + 1e-9) + 1;
        text_append(label, TICK_LABEL, "%.*g", digits < 15 ? (int)fmax(digits, 1) : 15, value);
    }
}
