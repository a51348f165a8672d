"""resources/models/leaf_switch.xml against the modes of a cantilever (Euler, Bernoulli): free at its
tip while the switch is open, pinned while it touches. Each mode moves exactly; what is searched for
are the instants at which the gap closes and at which the pressing force ends."""

import numpy as np
import pytest
from scipy.optimize import brentq

from tools import MODELS, clatter, read_csv

# as in the model
LENGTH, WIDTH, HEIGHT, E, RHO, TAU = 0.02, 0.004, 2e-4, 1.1e11, 8800.0, 4e-6
SPEED, GAP, OVERTRAVEL, BRAKE = 0.1, 1.977e-4, 1e-4, 1000.0
EI, MASS = E * WIDTH * HEIGHT**3 / 12, RHO * WIDTH * HEIGHT
STEP = 5e-6


class Modes:
    """w(x) of length 1 in the norm of the integral of w²: with r = b x / L and a factor
    cosh r - cos r - sigma (sinh r - sin r), written without differences of large numbers."""

    def __init__(self, b, c):
        """b: roots of the frequency equation, c = 1 - sigma."""
        x, weight = np.polynomial.legendre.leggauss(16)
        edges = np.linspace(0.0, 1.0, 4 * len(b) + 1)
        self.x = (edges[:-1, None] + (x + 1) / 2 * edges[1]).ravel() * LENGTH
        self.weight = np.tile(weight * edges[1] / 2, len(edges) - 1) * LENGTH
        self.omega = (b / LENGTH) ** 2 * np.sqrt(EI / MASS)

        def parts(x):
            r = np.outer(b, x / LENGTH)
            half = c[:, None] / 2
            return half * np.exp(r), (1 - half) * np.exp(-r), np.cos(r), (1 - 2 * half) * np.sin(r)

        up, down, cos, sin = parts(self.x)
        size = np.sqrt((up + down - cos + sin) ** 2 @ self.weight)[:, None]
        self.w = (up + down - cos + sin) / size
        up, down, cos, _ = parts(np.array([LENGTH]))
        sin = np.sin(b)[:, None]
        sigma = (1 - c)[:, None]
        self.tip = ((up + down - cos + sigma * sin) / size).ravel()
        self.third = ((up - down - sin - sigma * cos) / size).ravel() * (b / LENGTH) ** 3

    def project(self, values):
        return self.w @ (self.weight * values)

    def move(self, a, a_t, f, t):
        """Amplitudes and velocities after t (n, ), with a'' + TAU omega² a' + omega² a = f."""
        rest = f / self.omega**2
        root = np.sqrt((TAU * self.omega / 2) ** 2 - 1 + 0j) * self.omega
        first, second = (-TAU * self.omega**2 / 2 + sign * root for sign in (1, -1))
        A = (a_t - second * (a - rest)) / (first - second)
        B = (first * (a - rest) - a_t) / (first - second)
        e, g = (np.exp(np.multiply.outer(t, rate)) for rate in (first, second))
        return (A * e + B * g).real + rest, (A * first * e + B * second * g).real


def free_modes(n):
    b = np.array([brentq(lambda b: np.cos(b) + 1 / np.cosh(b), k * np.pi + 0.3, (k + 1) * np.pi)
                  for k in range(n)])
    return Modes(b, (np.sin(b) - np.cos(b) - np.exp(-b)) / (np.sinh(b) + np.sin(b)))


def pinned_modes(n):
    b = np.array([brentq(lambda b: np.sin(b) - np.cos(b) * np.tanh(b), k * np.pi + 0.1,
                         (k + 0.5) * np.pi) for k in range(1, n + 1)])
    return Modes(b, (np.cos(b) - np.sin(b) - np.exp(-b)) / (np.sinh(b) - np.sin(b)))


class Holder:
    stops = ((GAP + OVERTRAVEL) / SPEED - SPEED / BRAKE / 2,
             (GAP + OVERTRAVEL) / SPEED + SPEED / BRAKE / 2)

    def place(self, t):
        since = [np.maximum(0.0, t - stop) for stop in self.stops]
        return -SPEED * t + BRAKE / 2 * (since[0] ** 2 - since[1] ** 2)

    def velocity(self, t):
        since = [np.maximum(0.0, t - stop) for stop in self.stops]
        return -SPEED + BRAKE * (since[0] - since[1])

    def acceleration(self, t):
        return BRAKE if self.stops[0] <= t < self.stops[1] else 0.0


class Blade:
    """The motion of the blade relative to its holder, phase by phase."""

    def __init__(self, n):
        self.holder, self.free, self.pinned = Holder(), free_modes(n), pinned_modes(n)
        x = self.pinned.x
        self.x, self.u, self.u_t = x, 0 * x, 0 * x
        self.bend = (3 * LENGTH * x**2 - x**3) / (2 * LENGTH**3)  # the tip moved by 1
        assert np.array_equal(x, self.free.x)

    def deflection(self, t):
        """Of the tip, while it touches; and its velocity."""
        return -GAP - self.holder.place(t), -self.holder.velocity(t)

    def phase(self, touches, start, stop):
        """Moves on to where the gap closes or the force ends; that time, and the largest gap or force
        before it."""
        modes = self.pinned if touches else self.free
        around = self.bend if touches else 0 * self.x
        d, d_t = self.deflection(start)
        a = modes.project(self.u - around * d)
        a_t = modes.project(self.u_t - around * d_t)
        # the series ends: the tip is not quite where the pinned one was
        play = 1e-10 - min(0.0, GAP + self.holder.place(start) + a @ modes.tip)
        largest = 0.0
        for end in sorted({*(s for s in self.holder.stops if start < s < stop), stop}):
            f = modes.project(around - 1) * self.holder.acceleration(0.5 * (start + end))

            def value(t, f=f, start=start, a=a, a_t=a_t):
                """What is positive in the phase: the force, or the gap and a tiny play."""
                b, b_t = modes.move(a, a_t, f, t - start)
                if touches:
                    d, d_t = self.deflection(t)
                    return EI * (3 / LENGTH**3 * (d + TAU * d_t) - (b + TAU * b_t) @ modes.third)
                return GAP + self.holder.place(t) + b @ modes.tip + play

            t = np.arange(start, end, 5e-7)[1:]
            v = value(t)
            below = np.flatnonzero(v < 0)
            event = len(below) > 0
            if event:
                before = t[below[0] - 1] if below[0] > 0 else start
                end = brentq(lambda t: value(np.array([t]))[0], before, t[below[0]])
            largest = max(largest, v[t < end].max(initial=0.0))
            a, a_t = modes.move(a, a_t, f, end - start)
            start = end
            if event:
                break
        d, d_t = self.deflection(start)
        self.u, self.u_t = a @ modes.w + around * d, a_t @ modes.w + around * d_t
        return start, largest


def contacts_by_modes(n, stop):
    """(touches, leaves) of each contact, and how far it opens before each"""
    blade, contacts, heights, t = Blade(n), [], [], 0.0
    while t < stop:
        touches, height = blade.phase(False, t, stop)
        if touches >= stop:
            break
        t, _ = blade.phase(True, touches, stop)
        contacts.append((touches, t))
        heights.append(height)
    return np.array(contacts), np.array(heights)


def contacts_of_run(path, *options):
    """The same of a run, from step to step; force that is interrupted by a step is one contact."""
    clatter("run", MODELS / "leaf_switch.xml", "--all", "-o", path, *options)
    rows = read_csv(path)
    assert rows["solver.failed_steps"][-1] == 0
    presses = np.flatnonzero(rows["switch.normal_percussion"] > 1e-13)
    parts = np.split(presses, np.flatnonzero(np.diff(presses) > 3) + 1)
    ends = [(part[0], part[-1]) for part in parts]
    starts = [0] + [end for _, end in ends[:-1]]
    heights = [rows["switch.gap"][start:end + 1].max() for start, (end, _) in zip(starts, ends)]
    return np.array([rows["time"][[*end]] for end in ends]), np.array(heights), rows


STOP = 0.01


@pytest.fixture(scope="module")
def expected():
    return contacts_by_modes(12, STOP)


def test_modes():
    free, pinned = free_modes(12), pinned_modes(12)
    for modes in free, pinned:
        assert np.allclose(modes.w @ (modes.weight * modes.w).T, np.eye(12), atol=1e-12)
    assert np.allclose(np.abs(free.tip) * np.sqrt(LENGTH), 2.0)
    assert np.allclose(pinned.tip * np.sqrt(LENGTH), 0.0, atol=1e-12)
    b = np.sqrt(free.omega[:2] / np.sqrt(EI / MASS)) * LENGTH
    assert b == pytest.approx([1.87510407, 4.69409113], rel=1e-8)  # of any textbook
    b = np.sqrt(pinned.omega[:2] / np.sqrt(EI / MASS)) * LENGTH
    assert b == pytest.approx([3.92660231, 7.06858275], rel=1e-8)


def test_modes_are_enough(expected):
    """Half as many modes say the same."""
    contacts, heights = contacts_by_modes(6, STOP)
    assert contacts == pytest.approx(expected[0], abs=1e-6)
    assert heights == pytest.approx(expected[1], rel=5e-3)


def test_bounces(expected, tmp_path):
    """Contact times and bounces, instants to a step and a half, heights to 1 % of the first."""
    contacts, heights = expected
    assert len(contacts) == 5  # four bounces, then it stays closed
    found, found_heights, rows = contacts_of_run(tmp_path / "switch.csv")
    assert len(found) == len(contacts)
    assert np.abs(found - contacts).max() < 1.5 * STEP
    assert found_heights == pytest.approx(heights, abs=0.01 * heights[1])
    assert rows["solver.penetration"].max() < 1e-10
    # over four periods of the vibration between clamp and contact, the closed switch presses with
    # the overtravel and the stiffness of a cantilever
    period = 2 * np.pi / pinned_modes(1).omega[0]
    closed = rows["switch.normal_force"][rows["time"] > STOP - 4 * period]
    assert closed.mean() == pytest.approx(3 * EI / LENGTH**3 * OVERTRAVEL, rel=0.01)


@pytest.mark.parametrize("scheme, step, times", [("moreau_jean", 1e-6, 3.5e-5),
                                                 ("implicit_newmark", 1e-6, 1.5e-5)])
def test_other_schemes(expected, scheme, step, times, tmp_path):
    """They lose more of the vibrations, and need a fifth of the step to show all bounces."""
    found, *_ = contacts_of_run(tmp_path / "switch.csv", "--scheme", scheme, "--step", step,
                                "--stop", 6e-3)
    assert len(found) == len(expected[0])
    assert np.abs(found - expected[0]).ravel()[:-1].max() < times


@pytest.mark.parametrize("scheme", ["generalized_alpha", "generalized_alpha_velocity", "moreau_jean"])
def test_friction_does_not_stop_it(expected, scheme, tmp_path):
    """Friction at the bump, two thicknesses of the blade away from its axis, would spin the
    cross section whose inertia is tiny. It spins no faster than an impact makes it, and energy does
    not grow."""
    found, _, rows = contacts_of_run(tmp_path / "switch.csv", "--scheme", scheme, "--step", 1e-5,
                                     "--stop", 4e-3, "--set", "switch.friction_coefficient=0.3")
    assert rows["solver.retried_steps"][-1] <= 10
    assert found[0, 0] == pytest.approx(expected[0][0, 0], abs=2e-5)
    spin = SPEED / np.sqrt(HEIGHT**2 / 12)  # an impact at one radius of gyration would give half
    assert np.abs(rows["blade.last_angular_velocity"]).max() < 3 * spin
    work = rows["energy.input_work"].max() + rows["energy.total"][0]
    # the clamp of generalized_alpha_velocity gives way, docs/beams.md
    assert rows["energy.total"].max() < (1.5 if scheme == "generalized_alpha_velocity" else 1.1) * work
