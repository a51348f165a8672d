#!/usr/bin/env python3
"""Draws docs/figures/mechanisms.png: four models of resources/models, run by the command line.

    .venv/bin/python docs/figures/mechanisms.py build/release/clatter
"""
import pathlib
import subprocess
import sys
import tempfile

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parent.parent / "resources" / "models"


def run(clatter, model, *options):
    with tempfile.TemporaryDirectory() as folder:
        csv = pathlib.Path(folder) / "out.csv"
        subprocess.run([clatter, "run", MODELS / f"{model}.xml", "-o", csv, *options], check=True,
                       stdout=subprocess.DEVNULL)
        return np.genfromtxt(csv, delimiter=",", names=True, deletechars="", replace_space=None)


def draw(clatter, path):
    figure, axes = plt.subplots(2, 2, figsize=(10, 6.4), layout="constrained")

    top = run(clatter, "tippe_top", "--stop", "4", "--interval", "2e-3")
    cosine = 1 - 2 * (top["top.quaternion_1"] ** 2 + top["top.quaternion_2"] ** 2)
    axes[0, 0].plot(top["time"], np.degrees(np.arccos(cosine)))
    axes[0, 0].axhline(90, color="0.8", lw=0.8)
    axes[0, 0].set(title="Tippe top", xlabel="t in s", ylabel="inclination in degrees")

    crank = run(clatter, "slider_crank", "--stop", "0.085")
    axes[0, 1].plot(1e3 * crank["slider.x"], 1e3 * crank["slider.y"], lw=0.8)
    axes[0, 1].set(title="Slider-crank with clearance", xlabel="slider x in mm",
                   ylabel="slider y in mm")

    breaker = run(clatter, "circuit_breaker", "--set", "trip_force=5", "--stop", "0.04")
    for body in ("arm", "latch", "handle"):
        axes[1, 0].plot(1e3 * breaker["time"], breaker[f"{body}.angle"], label=body)
    axes[1, 0].set(title="Circuit breaker, tripped with 5 N", xlabel="t in ms",
                   ylabel="angle in rad")
    axes[1, 0].legend()

    leg = run(clatter, "hopping_leg")
    axes[1, 1].plot(leg["time"], leg["trunk.y"], label="trunk")
    axes[1, 1].plot(leg["time"], leg["foot_contact.gap"], label="foot")
    axes[1, 1].set(title="Hopping leg", xlabel="t in s", ylabel="height in m")
    axes[1, 1].legend()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    draw(sys.argv[1], HERE / "mechanisms.png")
