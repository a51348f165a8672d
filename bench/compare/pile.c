#include "pile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

double pile_setting(const Options* options, const char* name, double otherwise) {
    const size_t n = strlen(name);
    for (const char* s = options->settings; s != NULL && *s != '\0';) {
        if (strncmp(s, name, n) == 0 && s[n] == '=') {
            return atof(s + n + 1);
        }
        s = strchr(s, ',');
        s = s != NULL ? s + 1 : NULL;
    }
    return otherwise;
}

Pile pile_of(const Options* options) {
    Pile pile = {.n = options->n,
                 .n_x = (int)pile_setting(options, "n_x", 10.0),
                 .n_y = (int)pile_setting(options, "n_y", 10.0),
                 .radius = 0.05,
                 .mu = 0.3,
                 .gravity = 9.81};
    const double density = 1000.0;
    pile.mass = 4.0 / 3.0 * PI * pow(pile.radius, 3.0) * density;
    pile.inertia = 0.4 * pile.mass * pile.radius * pile.radius;
    pile.half_width = 1.15 * pile.radius * pile.n_x;
    pile.half_depth = 1.15 * pile.radius * pile.n_y;
    return pile;
}

// A grid with gaps of a fifth of the radius, each sphere moved out of its place by less than a
// tenth of it along each axis, in a way that has no pattern.
void pile_start(const Pile* pile, int i, double position[3]) {
    const double R = pile->radius, k = (double)(i + 1) * (double)(i + 1);
    const int column = i % pile->n_x, row = i / pile->n_x % pile->n_y,
              layer = i / (pile->n_x * pile->n_y);
    position[0] = 2.2 * R * (column - 0.5 * (pile->n_x - 1)) + 0.08 * R * sin(k);
    position[1] = 2.2 * R * (row - 0.5 * (pile->n_y - 1)) + 0.08 * R * cos(1.3 * k);
    position[2] = 2.2 * R * (layer + 0.5) + 0.08 * R * sin(0.7 * k + 1.0);
}
