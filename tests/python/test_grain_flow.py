"""How grains flow and lie: resources/grains/hopper.xml and repose.xml. With CLATTER_HOPPER=1 the whole
hopper runs with four outlets, for Beverloo's law: some ten minutes of processor time."""

import csv
import math
import os
import re

import numpy as np
import pytest

import tools

GRAINS = tools.ROOT / "resources" / "grains"
G = 9.81
D_BALL, DENSITY, STEP = 0.02, 2500.0, 1.5e-3  # of hopper.xml: mean diameter in m, kg/m3, s
K = 1.4  # diameters by which an outlet is narrower than it looks (Beverloo, Leniger and van de Velde)


@pytest.fixture
def run(tmp_path):
    """A model of grains with other constants and more outputs; all of its columns by name."""

    def run_model(name, constants, outputs, *options):
        text = (GRAINS / f"{name}.xml").read_text()
        for constant, value in constants.items():
            text, n = re.subn(f'(<constant name="{constant}" value=)"[^"]*"', rf'\1"{value}"', text)
            assert n == 1, constant
        (tmp_path / "model.xml").write_text(text.replace("</mechanism>", outputs + "</mechanism>"))
        tools.clatter("run", tmp_path / "model.xml", "-o", tmp_path / "out.csv", *options,
                      timeout=3600)
        with open(tmp_path / "out.csv", newline="") as file:  # names have commas: ball[1,2].z
            names, *rows = csv.reader(file)
        result = dict(zip(names, np.array(rows, float).T))
        assert result["solver.failed_steps"][-1] == 0
        return result

    return run_model


def outputs(single, outer, inner, repeated):
    """Some variables, and those of every body in two repetitions."""
    return ("<outputs>" + "".join(f'<output variable="{name}"/>' for name in single)
            + f'<repeat index="k" count="{outer}"><repeat index="i" count="{inner}">'
            + "".join(f'<output variable="{name}"/>' for name in repeated)
            + "</repeat></repeat></outputs>")


def columns(result, ending):
    """(times x bodies)"""
    return np.array([result[name] for name in result if name.endswith("]." + ending)]).T


# --- the hopper ---

def empty(run, opening, stop, **constants):
    """Time, how many balls are below the outlet, and all that was seen."""
    r = run("hopper", {"D": f"{opening}*d", **constants},
            '<contact_sensor name="fixed" on="ground"/>' + outputs(
                ["scale.force_z", "scale.impulse_z", "fixed.force_z", "fixed.impulse_z",
                 "solver.penetration", "solver.failed_steps"], "layers", "per_layer", ["ball.z"]),
            "--stop", stop, "--interval", "0.03")
    return r["time"], (columns(r, "z") < 0).sum(axis=1), r


def balls_weight(layers, per_layer):
    k, i = np.meshgrid(np.arange(1, layers + 1), np.arange(1, per_layer + 1))
    radii = 0.5 * D_BALL * (1 - 0.1 * np.sin(7 * i + 3 * k))
    return (4 / 3 * math.pi * radii**3).sum() * DENSITY * G


def flow(t, out, first, last):
    """Balls per second while between so many have left."""
    steady = (out >= first) & (out <= last)
    return np.polyfit(t[steady], out[steady], 1)[0]


def test_a_small_hopper_empties(run):
    """All of it, into a bin that then weighs it; through the wider outlet as much faster as Beverloo's
    law says, within what a hundred balls tell."""
    size = {"R": "5*d", "layers": 6, "per_layer": 40, "open": 0.3, "depth": 0.25}
    flows = []
    for opening, stop in ((4, 3.0), (5.5, 2.0)):
        t, out, r = empty(run, opening, stop, **size)
        assert out[t <= 0.3].max() == 0
        assert out[-1] == 240
        assert r["solver.penetration"].max() < 0.05 * D_BALL
        vertical = sum(r[f"{sensor}.force_z"] + r[f"{sensor}.impulse_z"] / STEP
                       for sensor in ("scale", "fixed"))  # wall friction holds up, or down, a part
        assert -vertical[t > stop - 0.2].mean() == pytest.approx(balls_weight(6, 40), rel=1e-3)
        flows.append(flow(t, out, 20, 140))
    assert 0.6 < flows[1] / flows[0] / ((5.5 - K) / (4 - K)) ** 2.5 < 1.6


@pytest.mark.skipif("CLATTER_HOPPER" not in os.environ, reason="takes long")
def test_beverloo(run):
    """The flow of 3,000 balls through outlets of 4 to 7 diameters: exponent 2.5 of D - 1.4 d."""
    openings, flows = (4, 5, 6, 7), []
    for opening, stop in zip(openings, (3.6, 3.0, 2.4, 1.8)):
        t, out, _ = empty(run, opening, stop)
        later = t > 0.9
        flows.append(np.polyfit(t[later], out[later], 1)[0])
        print(f"D = {opening} d: {flows[-1]:.0f} balls/s, {out[-1]} have left", flush=True)
    exponent, intercept = np.polyfit(np.log(np.array(openings) - K), np.log(flows), 1)
    factor = math.exp(intercept) / math.sqrt(G / D_BALL)
    print(f"exponent {exponent:.3f}, flow = {factor:.3f} sqrt(g/d) (D/d - {K})^exponent")
    assert exponent == pytest.approx(2.5, abs=0.3)


# --- the heap ---

def heap_angle(run, friction, **constants):
    """Degrees: in a heap whose section is a triangle the mean height is to the mean distance from its
    middle as its height to half its width."""
    r = run("repose", constants, outputs(["energy.kinetic", "solver.failed_steps"], "rows", "columns",
                                         ["grain.x", "grain.y"]),
            "--stop", "2", "--interval", "0.1", "--set", f"friction={friction}")
    x, y = columns(r, "x")[-1], columns(r, "y")[-1]
    # It lies, but for a disc that rolls to and fro between two bumps: 1.2e-3 J is what one gains as it
    # falls by its diameter.
    assert r["energy.kinetic"][-1] < 1e-2 * 1.2e-3 * x.size
    return math.degrees(math.atan2(y.mean(), np.abs(x - x.mean()).mean()))


def test_friction_makes_heaps_steep(run):
    """Small heaps, whose angles differ by some 2 degrees from one to the next of a kind."""
    angles = [heap_angle(run, friction, columns=14, rows=14) for friction in (0.05, 0.15, 0.8)]
    assert angles[0] < angles[1] < angles[2], angles
    assert angles[2] - angles[0] > 5
