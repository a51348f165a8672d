#!/usr/bin/env python3
"""Draws docs/figures/sb_*.svg: the 45 degree bend of Bathe and Bolourchi, from an FMU that FMPy
simulates.

    .venv/bin/python docs/figures/beams.py [FOLDER]

as figures.py. docs/beams.md shows it.
"""

import sys

import numpy as np
from matplotlib import pyplot as plt

from figures import BLUE, GREEN, GREY, HERE, INK, RED, main, pathlib, tools

# Tip at loads: Simo and Vu-Quoc 1986, Bathe and Bolourchi 1979
SIMO = {300: (58.84, 22.33, 40.08), 600: (47.23, 15.79, 53.37)}
BATHE = {300: (59.2, 22.5, 39.5), 600: (47.2, 15.9, 53.4)}
NODES = 9
RAMP = 40.0  # s: so slow that the tip is where it would be at rest


def model():
    """bathe_bend with a sensor at each node, and a load that grows all the time."""
    text = (tools.MODELS / "bathe_bend.xml").read_text().replace("t/4", f"t/{RAMP}")
    frames = "".join(f'<frame name="f{i}" x="25*pi*{i}/{NODES - 1}"/>' for i in range(NODES))
    sensors = "".join(f'<sensor name="n{i}" at="bend.f{i}"/>' for i in range(NODES))
    return text.replace("</spatial_beam>", frames + "</spatial_beam>" + sensors)


def figure_bathe_bend(models):
    outputs = [f"n{i}.{axis}" for i in range(NODES) for axis in "xyz"]
    r = models.simulate("slow_bend", RAMP, 0.02, outputs, rho=0.8, text=model())
    load = 600 * r["time"] / RAMP
    figure = plt.figure(figsize=(9, 3.8))
    shapes = figure.add_subplot(1, 2, 1, projection="3d")
    for value, color in ((0, GREY), (300, GREEN), (450, BLUE), (600, RED)):
        row = r[np.argmin(np.abs(load - value))]
        places = np.array([[row[f"n{i}.{axis}"] for axis in "xyz"] for i in range(NODES)])
        shapes.plot(*places.T, color=color, marker=".", ms=3, label=f"{value} lb")
    shapes.set(xlabel="x", ylabel="y", zlabel="z", title="Shape", box_aspect=(70, 40, 55))
    shapes.view_init(elev=25, azim=-120)
    shapes.legend(loc="upper left")
    tip = figure.add_subplot(1, 2, 2)
    for k, (axis, color) in enumerate(zip("xyz", (BLUE, GREEN, RED))):
        tip.plot(load, r[f"n{NODES - 1}.{axis}"], color=color, label=f"tip {axis}")
        for published, marker in ((SIMO, "o"), (BATHE, "x")):
            tip.plot(list(published), [place[k] for place in published.values()], marker, color=INK,
                     ms=5, mfc="none")
    tip.plot([], [], "o", color=INK, mfc="none", label="Simo, Vu-Quoc")
    tip.plot([], [], "x", color=INK, label="Bathe, Bolourchi")
    tip.set(xlabel="load, lb", ylabel="position", title="Tip")
    tip.set_ylim(-18, 78)
    tip.legend(loc="lower right", ncol=2)
    return figure


FIGURES = {"sb_bathe_bend": figure_bathe_bend}

if __name__ == "__main__":
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else HERE, FIGURES)
