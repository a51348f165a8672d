#!/usr/bin/env python3
"""Draws docs/figures/gr_solvers.svg: residual against processor time of every solver, on a settling
pile of 216 balls and on one of 27, which the exact solver of moreau_jean takes, too.

    .venv/bin/python docs/figures/grains.py [FOLDER]

as figures.py, but with times of the machine on which it runs: half a minute of processor time on an
idle one. docs/grain-models.md shows it.
"""

import csv
import re
import resource
import sys

import numpy as np

from figures import BLUE, GREEN, GREY, HERE, INK, RED, main, panels, pathlib, tools

WAYS = (("coulomb", "sweeps", BLUE, "o"), ("coulomb", "gradient", GREEN, "^"),
        ("coulomb", "plain_sweeps", GREY, "v"), ("relaxed", "sweeps", RED, "s"),
        ("relaxed", "gradient", INK, "D"))
BUDGETS = (5, 10, 20, 50, 100, 200, 500, 1000)
STEP, STOP, FROM = 2e-3, 0.8, 0.4  # s; the residual is the median of the steps from FROM on


def pile(count):
    text = (tools.ROOT / "resources" / "grains" / "pile.xml").read_text()
    return re.sub('(name="count_[xyz]" value=)"10"', rf'\1"{count}"', text)


def solve(folder, count, *options):
    """Processor time of a step in ms, and the median residual."""
    path, out = folder / f"pile_{count}.xml", folder / "out.csv"
    path.write_text(pile(count))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    tools.clatter("run", path, "--stop", STOP, "-o", out, *options, timeout=3600)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    with open(out, newline="") as file:
        names, *rows = csv.reader(file)
    result = dict(zip(names, np.array(rows, float).T))
    return 1e3 * spent * STEP / STOP, np.median(result["solver.residual"][result["time"] > FROM])


def draw_piles(axes, folder, count):
    for law, method, color, mark in WAYS:
        points = [solve(folder, count, f"--set=solver.cone_law={law}",
                        f"--set=solver.cone_method={method}", f"--set=solver.cone_iterations={n}",
                        "--set=solver.cone_tolerance=1e-12") for n in BUDGETS]
        axes.loglog(*np.array(points).T, color=color, marker=mark, ms=4, label=f"{law}, {method.replace('_', ' ')}")
    axes.set(title=f"{count**3} balls", xlabel="processor time of a step in ms")


def solvers(models):
    figure, (left, right) = panels(2, height=3.8, sharey=True)
    draw_piles(left, models.folder, 6)
    draw_piles(right, models.folder, 3)
    time, residual = solve(models.folder, 3, "--scheme", "moreau_jean")
    right.loglog(time, residual, color=GREY, marker="*", ms=11, ls="", label="moreau_jean, exact")
    left.set(ylabel="residual, median of the steps")
    right.legend()
    return figure


FIGURES = {"gr_solvers": solvers}

if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE, FIGURES)
