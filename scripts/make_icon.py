#!/usr/bin/env python3
"""Draws modelDescription/icon.png, the picture an FMU shows in importers: a ball that bounces."""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

SIZE = 128  # pixels
RADIUS = 0.11
RESTITUTION = 0.62  # of the height
FLOOR = 0.14


def arc(x_start, x_end, height):
    """One flight between two impacts, as the ball's centre goes."""
    x = np.linspace(x_start, x_end, 60)
    s = (x - x_start) / (x_end - x_start)
    return x, FLOOR + RADIUS + 4 * height * s * (1 - s)


def draw(path):
    figure = plt.figure(figsize=(1, 1), dpi=SIZE)
    axes = figure.add_axes([0, 0, 1, 1])
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.axis("off")

    x, y = arc(-0.18, 0.46, 0.62)
    falling = x >= 0.14  # the ball starts at the top of its first flight
    axes.plot(x[falling], y[falling], color="#8aa4bf", lw=2, ls=(0, (2.2, 1.6)))
    axes.plot(*arc(0.46, 0.78, 0.62 * RESTITUTION), color="#8aa4bf", lw=2, ls=(0, (2.2, 1.6)))
    axes.plot(*arc(0.78, 0.96, 0.62 * RESTITUTION**2.2), color="#8aa4bf", lw=2, ls=(0, (2.2, 1.6)))

    axes.plot([0.04, 0.96], [FLOOR, FLOOR], color="#1d2733", lw=3.5, solid_capstyle="round")
    for x_hatch in np.arange(0.12, 0.97, 0.14):
        axes.plot([x_hatch, x_hatch - 0.07], [FLOOR - 0.02, FLOOR - 0.09], color="#1d2733", lw=1.2)

    axes.add_patch(plt.Circle((0.14 + 0.02, 0.86), RADIUS, color="#e4572e", zorder=3))
    axes.add_patch(plt.Circle((0.12, 0.9), 0.03, color="#f6b7a3", zorder=4))
    figure.savefig(path, dpi=SIZE, transparent=True, metadata={"Software": None})


if __name__ == "__main__":
    default = pathlib.Path(__file__).resolve().parent.parent / "modelDescription" / "icon.png"
    draw(sys.argv[1] if len(sys.argv) > 1 else default)
