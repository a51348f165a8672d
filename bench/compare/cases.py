"""The mechanisms of the comparison: what each program runs, and what is exact.

A row of a trajectory holds, the same for every program:
    bouncing_ball   y
    rotating_ball, painleve_rod   x, y, angle
    slider_crank    slider x, y, angle, crank angle
    bouncing_bar    position of the tip
    chain           x, y, angle of every link
    tippe_top       x, y, z, quaternion
"""

import math
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import numpy as np

import models

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "resources" / "models"
sys.path.insert(0, str(ROOT / "tests" / "python"))
import exact  # noqa: E402  (closed forms that the tests use, too)

CORNERS = ("front_top", "rear_top", "front_bottom", "rear_bottom")
FRICTIONLESS = tuple(f"{corner}.friction_coefficient=0" for corner in CORNERS)


@dataclass(frozen=True)
class Case:
    name: str                # of the table
    title: str
    step: float              # s
    stop: float              # s
    clatter: Path            # model file
    observe: tuple           # Clatter's names of the columns
    gap: Callable            # rows to the least gap at each step
    place: Callable          # rows to the positions of which the error is taken, (n, k)
    exact: Callable = None   # times to positions; None: converged
    reference_step: float = 0.0  # of the converged solution
    cross_check: tuple = ()  # program, variant, step and end of an independent converged solution
    settings: tuple = ()     # Clatter's NAME=VALUE
    mechanism: str = ""      # the peers' name of it, if not that of the table
    mujoco: Path = None
    peers: dict = field(default_factory=dict)  # program to its variants
    size: int = 0
    ends: tuple = ()         # of phases timed apart, s

    @property
    def n_steps(self):
        return round(self.stop / self.step)


# --- exact solutions ---

def rotating_ball(t, g=9.81, R=0.1, mu=0.2, y_0=1.0, omega=50.0):
    """Falls, hits without rebound, slides until its surface rests on the floor, then rolls."""
    t_1 = math.sqrt(2 * (y_0 - R) / g)
    P_N = g * t_1                      # unit mass
    v_1 = -mu * P_N
    slip_1 = v_1 + R * (omega - R * mu * P_N / (0.4 * R**2))
    t_2 = t_1 + slip_1 / (3.5 * mu * g)
    tau = np.clip(t - t_1, 0, t_2 - t_1)
    x = v_1 * tau - mu * g * tau**2 / 2
    x += (v_1 - mu * g * (t_2 - t_1)) * np.clip(t - t_2, 0, None)
    y = np.where(t < t_1, y_0 - g * t**2 / 2, R)
    return np.column_stack((x, y))


def bar_tip(t):
    """Arrives with 10 m/s at t = 0.5, stays while the wave runs through 10 m and back at 30 m/s."""
    return np.maximum(np.maximum(5 - 10 * t, 0), 10 * (t - 0.5 - 2 / 3))[:, None]


# --- gaps ---

def slider_gap(rows):
    _, y, angle = rows[:, 0], rows[:, 1], rows[:, 2]
    s, c = np.sin(angle), np.cos(angle)
    corners = [y + a * s + b * c for a in (0.05, -0.05) for b in (0.025, -0.025)]
    return np.min([0.026 - np.abs(corner) for corner in corners], axis=0)


def top_gap(rows):
    cosine = 1 - 2 * (rows[:, 4] ** 2 + rows[:, 5] ** 2)
    return np.minimum(rows[:, 2] + 3e-3 * cosine - 1.5e-2, rows[:, 2] + 1.6e-2 * cosine - 5e-3)


def chain_gap(rows):
    n = rows.shape[1] // 3
    return np.min(rows[:, 1::3] + np.sin(rows[:, 2::3]) / (2 * n), axis=1)


# --- the cases ---

def first_two(rows):
    return rows[:, :2]


def body(name, *columns):
    return tuple(f"{name}.{column}" for column in columns)


SICONOS_ALL = ["moreau_jean", "direct_projection", "combined_projection"]
ODE = ["step", "quickstep"]
MUJOCO = ["Euler", "implicitfast", "RK4"]


def slider_crank(name, title, settings):
    return Case(name, title, 1e-4, 0.1, MODELS / "slider_crank.xml",
                (*body("slider", "x", "y", "angle"), "crank.angle"), slider_gap, first_two,
                reference_step=1e-6, cross_check=("siconos", "moreau_jean", 1e-6, 0.1),
                settings=settings, mujoco=ROOT / "bench/models/slider_crank.mjcf",
                peers={"siconos": SICONOS_ALL, "mujoco": MUJOCO, "ode": ODE})


def bar(directory, n, peers=("moreau_jean", "moreau_jean_dense"), stop=2.0):
    text = (MODELS / "bouncing_bar.xml").read_text()
    path = directory / f"bar_{n}.xml"
    path.write_text(re.sub(r'elements="\d+"', f'elements="{n}"', text))
    return Case(f"bar_{n}", f"elastic bar of {n} elements against a wall", 2e-3, stop, path,
                ("wall_contact.gap",), lambda rows: rows[:, 0], lambda rows: rows, exact=bar_tip,
                mechanism="bouncing_bar", peers={"siconos": list(peers)}, size=n)


def chain(directory, n, contacts=True, length=None):
    kind = ('' if contacts else '_free') + ('' if length is None else '_long')
    path = directory / f"chain_{n}{kind}.xml"
    path.write_text(models.chain(n, contacts, length))
    mjcf = directory / f"chain_{n}.mjcf"
    mjcf.write_text(models.chain_mjcf(n))
    columns = sum((body(f"link_{i}", "x", "y", "angle") for i in range(n)), ())
    return Case(f"chain_{n}", f"chain of {n} links that falls on a floor", 1e-3, 0.5, path, columns,
                chain_gap, lambda rows: rows[:, -3:-1], reference_step=2.5e-5, mechanism="chain",
                mujoco=mjcf, peers={"siconos": ["moreau_jean"], "mujoco": MUJOCO, "ode": ODE}, size=n)


def row_of_balls(directory, n):
    path = directory / f"row_of_balls_{n}.xml"
    path.write_text(models.row_of_balls(n))
    return Case(f"row_of_balls_{n}", f"{n} balls on a floor", 1e-3, 0.2, path, ("ball_0.y",),
                lambda rows: rows[:, 0] - 0.1, lambda rows: rows, size=n)


def all_cases(directory):
    """directory takes the models that are made here."""
    mjcf = ROOT / "bench" / "models"
    return [
        Case("bouncing_ball", "ball that bounces until it rests", 1e-3, 4.0,
             MODELS / "bouncing_ball.xml", ("ball.y",), lambda rows: rows[:, 0] - 0.2,
             lambda rows: rows, exact=lambda t: 0.2 + exact.bounce(t, 10.0, 0.801, 0.8)[:, None],
             mujoco=mjcf / "bouncing_ball.mjcf",
             peers={"siconos": ["moreau_jean"], "mujoco": MUJOCO, "ode": ODE}),
        Case("rotating_ball", "ball that falls with a spin, slides and rolls", 2e-3, 1.5,
             MODELS / "rotating_ball.xml", body("ball", "x", "y", "angle"),
             lambda rows: rows[:, 1] - 0.1, first_two, exact=rotating_ball,
             settings=("ball.initial_angular_velocity=50", "floor_contact.normal_restitution=0"),
             mujoco=mjcf / "rotating_ball.mjcf",
             peers={"siconos": ["moreau_jean"], "mujoco": MUJOCO, "ode": ODE},
             ends=(0.42, 0.72, 1.5)),
        slider_crank("slider_crank", "slider-crank with clearance, friction 0.01", ()),
        slider_crank("slider_crank_frictionless", "slider-crank with clearance, no friction",
                     FRICTIONLESS),
        Case("painleve_rod", "rod that slides on its tip", 8e-4, 1.5, MODELS / "painleve_rod.xml",
             body("rod", "x", "y", "angle"), lambda rows: rows[:, 1] + np.sin(rows[:, 2]), first_two,
             reference_step=8e-6,
             # Later, in the blow-up, the solution is not unique: Siconos takes one or another of
             # them, depending on the step.
             cross_check=("siconos", "moreau_jean", 8e-6, 0.8),
             mujoco=mjcf / "painleve_rod.mjcf",
             peers={"siconos": ["moreau_jean"], "mujoco": MUJOCO, "ode": ODE}),
        Case("tippe_top", "tippe top", 1e-3, 2.0, MODELS / "tippe_top.xml",
             body("top", "x", "y", "z", *(f"quaternion_{i}" for i in range(4))), top_gap,
             lambda rows: rows[:, :3], reference_step=2e-5, mujoco=mjcf / "tippe_top.mjcf",
             peers={"mujoco": MUJOCO}),
        chain(directory, 10),
        bar(directory, 10),
        bar(directory, 100),
        bar(directory, 1000, ["moreau_jean"], stop=0.02),
    ]
