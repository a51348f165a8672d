#!/usr/bin/env python3
"""Draws docs/figures/li_*.svg: errors with impacts at their own instants (solver.locate_impacts) and
at the ends of their steps, from FMUs that FMPy simulates.

    .venv/bin/python docs/figures/impacts.py [FOLDER]

as figures.py. docs/impacts.md shows them.
"""

import sys

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter

from figures import (ALPHA_VELOCITY, BLUE, COMBINED, GENERALIZED_ALPHA, GREEN, GREY, HERE,
                     IMPLICIT_NEWMARK, INK, LOBATTO, MOREAU_JEAN, PROJECTED, RED, main, panels, pathlib)

SCHEMES = ((GENERALIZED_ALPHA, BLUE, "o", "generalized_alpha"),
           (MOREAU_JEAN, RED, "s", "moreau_jean"),
           (PROJECTED, GREEN, "^", "moreau_jean_projected"),
           (COMBINED, "#8e5ea2", "v", "moreau_jean_combined"),
           (ALPHA_VELOCITY, "#c99a2e", "D", "generalized_alpha_velocity"),
           (IMPLICIT_NEWMARK, INK, "x", "implicit_newmark"),
           (LOBATTO, "#17becf", "P", "lobatto, 3 stages"))
NO, YES = 1, 2
FINER = 4  # than the smallest step: the reference


def draw_errors(axes, models, name, stop, steps, outputs, settings=None):
    """The error of positions at the end, against located impacts at a step much finer, by lobatto."""
    def positions(scheme, dt, locate):
        r = models.simulate(name, stop, dt, outputs, (settings or {}) |
                            {"solver.locate_impacts": locate}, scheme=scheme, interval=stop / 10)
        return np.array([r[output][-1] for output in outputs])

    truth = positions(LOBATTO, steps[-1] / FINER, YES)
    for scheme, color, mark, _ in SCHEMES:
        for locate, line in ((NO, (0, (2, 2))), (YES, "-")):
            errors = [np.abs(positions(scheme, dt, locate) - truth).max() for dt in steps]
            axes.loglog(steps, errors, color=color, ls=line, marker=mark, ms=4,
                        alpha=1.0 if locate == YES else 0.55)


def guide(axes, steps, order, start):
    """A line of this order."""
    error = start * (np.array(steps) / steps[0]) ** order
    axes.loglog(steps, error, color=GREY, lw=0.9, zorder=0)
    axes.annotate(f"order {order}", (steps[-1], error[-1]), fontsize=8.5, va="top", color=GREY)


def slider_crank(models):
    figure, (left, right) = panels(2, height=4.2)
    steps = [2e-2 / 2**k for k in range(5)]
    draw_errors(left, models, "point_on_slope", 1.6, steps, ["mass.x", "mass.y"],
                {"initial_height": 1.5})
    guide(left, steps, 1, 2e-1)
    guide(left, steps, 2, 2e-4)
    left.set(title="Onto a slope, then sliding", xlabel="step in s",
             ylabel="error of the position in m")
    steps = [2e-4 / 2**k for k in range(5)]
    draw_errors(right, models, "slider_crank", 0.05, steps,
                ["slider.x", "slider.y", "slider.angle"])
    guide(right, steps, 1, 1e-1)
    guide(right, steps, 2, 5e-5)
    right.set(title="Slider-crank with clearance, 39 impacts", xlabel="step in s",
              ylabel="error of x, y in m, angle in rad")
    for axes in (left, right):
        axes.xaxis.set_minor_formatter(NullFormatter())
    handles = [Line2D([], [], color=color, marker=mark, ms=4, label=label)
               for _, color, mark, label in SCHEMES]
    handles += [Line2D([], [], color=GREY, label="impacts located"),
                Line2D([], [], color=GREY, ls=(0, (2, 2)), label="at the ends of steps")]
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure


FIGURES = {"li_1_slider_crank": slider_crank}

if __name__ == "__main__":
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else HERE, FIGURES)
