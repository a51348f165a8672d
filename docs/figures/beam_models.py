#!/usr/bin/env python3
"""Draws docs/figures/bm_models.svg: a cable on a post, an arch that snaps through and a valve train,
from FMUs that FMPy simulates, beside what equilibrium and kinematics say.

    .venv/bin/python docs/figures/beam_models.py [FOLDER]

as figures.py. docs/beams.md shows it.
"""

import math
import sys

import numpy as np
from matplotlib import pyplot as plt

from figures import BLUE, GREY, HERE, INK, MOREAU_JEAN, RED, main, pathlib
from test_beam_models import arch_forces


def draw_capstan(ax, models):
    r = models.simulate("capstan_cable", 1.0, 1e-3, ["slack.normal_force", "tight.normal_force"],
                        {"solver.theta": 1.0}, scheme=MOREAU_JEAN)
    ax.axhline(20 * math.exp(0.3 * math.pi), color=INK, lw=0.8, ls="--",
               label=r"$T_0\,e^{\mu\varphi}$")
    ax.plot(r["time"], r["tight.normal_force"], color=RED, label="winch")
    ax.plot(r["time"], r["slack.normal_force"], color=BLUE, label="held end")
    ax.set(xlabel="time, s", ylabel="tension, N", title="capstan_cable", ylim=(0, 60))
    ax.legend(loc="lower right")


def draw_arch(ax, models):
    falls = 5.6e-3 * np.linspace(0, 1, 71) ** 2
    rise, forces = arch_forces(falls)
    r = models.simulate("snap_arch", 0.5, 5e-5, ["crown.y"], rho=1.0, scheme=MOREAU_JEAN,
                        interval=2e-4)
    ax.plot(1e3 * falls, forces, color=INK, lw=0.8, ls="--", label="equilibrium")
    ax.plot(1e3 * (rise - r["crown.y"]), 21 * np.sin(math.pi * r["time"] / 0.5) ** 2, color=BLUE,
            lw=1.0, label="motion")
    ax.set(xlabel="fall of the crown, mm", ylabel="force, N", title="snap_arch", ylim=(0, 24))
    ax.legend(loc="lower right")


def draw_valve(ax, models):
    for speed, color in ((30.0, BLUE), (45.0, RED)):
        r = models.simulate("valve_train", 1.1 / speed, 1e-5, ["cam.y", "head.y"],
                            {"speed": speed}, rho=1.0, scheme=MOREAU_JEAN, interval=1e-4)
        turn = 360 * speed * r["time"]
        ax.plot(turn, 1e3 * (r["head.y"][0] - r["head.y"]), color=color, label=f"{speed:.0f} turns/s")
    ax.plot(turn, 1e3 * np.maximum(1.5 * r["cam.y"] - 1e-4, 0), color=GREY, lw=0.8, ls="--",
            label="cam")
    ax.set(xlabel="angle of the cam, °", ylabel="lift of the valve, mm", title="valve_train",
           xlim=(60, 390))
    ax.legend(loc="upper right")


def figure_models(models):
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.3))
    for draw, ax in zip((draw_capstan, draw_arch, draw_valve), axes):
        draw(ax, models)
    return figure


FIGURES = {"bm_models": figure_models}

if __name__ == "__main__":
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else HERE, FIGURES)
