#!/usr/bin/env python3
"""Draws docs/figures/lo_*.svg: the results of the paper on Lobatto schemes (LO in docs/notation.md,
its figures 3, 4, 6, 8 and 9), orders on other motions, long runs, and error against processor time,
from FMUs.

    .venv/bin/python docs/figures/lobatto.py [FOLDER]

as figures.py, in some minutes. docs/lobatto.md shows them. lo_cost.svg is not the same each time: it
measures.
"""

import sys
import time

import fmpy
import fmpy.fmi2
import numpy as np
from matplotlib import pyplot as plt

from figures import (ALPHA_VELOCITY, BLUE, COMBINED, GENERALIZED_ALPHA, GREEN, GREY, HERE,
                     IMPLICIT_NEWMARK, INK, LOBATTO, MOREAU_JEAN, PROJECTED, RED,
                     SCHATZMAN_PAOLI, T_IMPACT, T_ROLL, exact, main, mark_time, mark_value, panels,
                     pathlib)
from smooth_motions import MOTIONS, extrapolate, slope_rate

PURPLE = "#7b4fa3"
COLOURS = {2: GREY, 3: BLUE, 4: GREEN, 5: RED}
TIGHT = {"solver.tolerance": 1e-13}


def run(models, name, stop, dt, outputs, s, settings=None, **options):
    return models.simulate(name, stop, dt, outputs, {"solver.stages": s} | (settings or {}),
                           scheme=LOBATTO, **options)


def order_line(ax, steps, error, order):
    """A line of the order through the error of the first step."""
    ax.loglog(steps, error * (np.array(steps) / steps[0])**order, color=INK, lw=0.6, ls="--",
              zorder=0)
    ax.annotate(f"{order}", (steps[0], error), fontsize=8.5, xytext=(5, -7),
                textcoords="offset points", va="center")


# --- the paper's ---

def ball(models):
    """LO figure 3: the gap of the ball that bounces, case 1."""
    dt, fine = 1e-2, np.linspace(0, 2, 4001)
    figure, ax = panels(1, 3.0)
    ax.plot(fine, exact.bounce(fine, 9.81, 0.9, 0.5), color=GREY, lw=4, alpha=0.5, label="exact")
    for s, line in ((2, ":"), (3, "-"), (4, "--")):
        r = run(models, "rotating_ball", 2.0, dt, ["floor_contact.gap"], s)
        ax.plot(r["time"], r["floor_contact.gap"], color=COLOURS[s], lw=1.2, ls=line,
                label=f"s = {s}")
    mark_time(ax, 3 * T_IMPACT, "1.28506 s", 0.8)
    ax.set(title="Gap of the bouncing ball, Δt = 10 ms", xlabel="time in s", ylabel="g in m")
    ax.legend()
    return figure


def percussions(models):
    """LO figure 4: percussions of the ball that slides and of the one that sticks, s = 3."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 4.6), sharex=True)
    dt, names = 1e-2, ["floor_contact.normal_percussion", "floor_contact.friction_percussion"]
    for column, (omega, title) in zip(axes.T, ((50.0, "ω = 50 rad/s: slides, then rolls"),
                                               (10.0, "ω = 10 rad/s: rolls at once"))):
        r = run(models, "rotating_ball", 1.0, dt, names, 3,
                {"ball.initial_angular_velocity": omega, "floor_contact.normal_restitution": 0.0})
        for ax, name, colour in zip(column, names, (BLUE, RED)):
            ax.plot(r["time"], r[name] / dt, color=colour, marker=".", ms=3, lw=1)
        mark_value(column[0], 9.81, "m g", below=True)
        mark_value(column[1], -1.962 if omega == 50 else 0.0, "−μ m g" if omega == 50 else "")
        if omega == 50:
            mark_time(column[1], T_ROLL, "0.72812 s", 0.2)
        impact = np.argmax(r[names[0]] > 1)
        for ax, name, low, high in zip(column, names, (-1, -3.5), (14, 1)):
            ax.set(ylim=(low, high))
            ax.annotate(f"impact: {r[name][impact]:.4f} N s", (r["time"][impact], high if low == -1
                        else low), xytext=(6, -10 if low == -1 else 6),
                        textcoords="offset points", fontsize=8.5)
        column[0].set_title(title)
        column[1].set_xlabel("time in s")
    axes[0, 0].set_ylabel("P_N / Δt in N")
    axes[1, 0].set_ylabel("P_F / Δt in N")
    return figure


def slider_crank(models):
    """LO figure 6, and what joints and gaps are violated by."""
    names = ["front_top.gap", "front_bottom.gap", "slider.angle", "slider.angular_velocity",
             "slider.x", "slider.y", "slider.velocity_y", "solver.penetration",
             "solver.joint_violation", "solver.joint_velocity_violation"]
    r = run(models, "slider_crank", 0.1, 1e-4, names, 3, {"slider.initial_angle": 0.017})
    t = 1e3 * r["time"]
    figure, axes = plt.subplots(2, 3, figsize=(9, 5))
    cosine, sine = np.cos(r["slider.angle"]), np.sin(r["slider.angle"])
    for ax, name, title, side in zip(axes[0], names, ("(a) P₁", "(b) P₃"), (1, -1)):
        lever = 0.05 * cosine - side * 0.025 * sine  # of the corner, by the slider's half sizes
        rate = -side * (r["slider.velocity_y"] + lever * r["slider.angular_velocity"])
        ax.plot(t, rate, color=RED, lw=0.7, label="ġ in m/s")
        ax.plot(t, 1e3 * r[name], color=BLUE, lw=1.2, label="g in mm")
        ax.set(title=f"{title}: gap, its rate", xlabel="time in ms")
        ax.axhline(0, color=INK, lw=0.8)
    axes[0, 0].legend(fontsize=7.5, loc="lower right")
    axes[0, 2].plot(t, r["slider.angle"], color=BLUE, lw=1)
    axes[0, 2].set(title="(c) φ₃ in rad", xlabel="time in ms")
    axes[1, 0].plot(t, r["slider.angular_velocity"], color=RED, lw=1)
    axes[1, 0].set(title="(c) its rate in rad/s", xlabel="time in ms")
    axes[1, 1].plot(r["slider.x"], 1e3 * r["slider.y"], color=BLUE, lw=1)
    axes[1, 1].set(title="(d) path of S₃", xlabel="x in m", ylabel="y in mm")
    floor = 1e-19
    for name, colour, label in zip(names[7:], (RED, BLUE, GREEN), (
            "gaps, m", "joints, m", "joints, m/s")):
        axes[1, 2].semilogy(t, r[name] + floor, ".", ms=2, color=colour, label=label)
    mark_value(axes[1, 2], 1e-10, "1e-10")
    axes[1, 2].set(title="Violation", xlabel="time in ms", ylim=(1e-18, 1e-7))
    axes[1, 2].legend(loc="upper right", fontsize=7.5, markerscale=4, ncols=3, columnspacing=0.6,
                      handletextpad=0.1)
    return figure


def slope(models):
    """LO figure 8: positions and velocities of both cases."""
    names = ["mass.x", "mass.y", "mass.velocity_x", "mass.velocity_y"]
    figure, axes = plt.subplots(2, 2, figsize=(9, 4.6), sharex=True, sharey="row")
    for column, height in zip(axes.T, (1.0, 1.5)):
        r = run(models, "point_on_slope", 3.0, 1e-2, names, 3, {"initial_height": height})
        for ax, pair in zip(column, (names[:2], names[2:])):
            for name, colour in zip(pair, (BLUE, RED)):
                ax.plot(r["time"], r[name], color=colour, label=name[-1])
        column[0].set(title=f"Case {1 if height == 1 else 2}")
        column[1].set(xlabel="time in s")
        mark_time(column[1], 2.097 if height == 1 else 2.188, "rest", 0.85)
    axes[0, 0].set_ylabel("q in m")
    axes[1, 0].set_ylabel("v in m/s")
    axes[0, 0].legend()
    return figure


def fallen(t, height=1.5):
    """Case 2: the exact state at the times t: fall, impact that slides, slope."""
    arrival = np.sqrt((height - 1) / 5)
    q = np.array([np.zeros_like(t), height - 5 * t * t]).T
    v = np.array([np.zeros_like(t), -10 * t]).T
    way = [0.0, 0.7 * 10 * arrival / np.sqrt(2)]
    now = arrival
    for i in np.flatnonzero(t > arrival):
        way, now = extrapolate(slope_rate, way, t[i] - now, 4)[-1], t[i]
        f = np.exp(-way[0])
        root = np.sqrt(1 + f * f)
        q[i], v[i] = (way[0], f), (way[1] / root, -f * way[1] / root)
    return q, v


def slope_orders(models):
    """LO figure 9: (74) against the paper's steps, both cases."""
    steps = 3.2e-3 * 2.0 ** np.arange(8)
    figure, axes = plt.subplots(2, 2, figsize=(9, 6), sharex=True, sharey="row",
                                height_ratios=(1.7, 1))
    motion = MOTIONS["slope"]
    names = [*motion.coordinates, *motion.velocities]
    for row, height in zip(axes, (1.0, 1.5)):
        for s, colour in COLOURS.items():
            errors = []
            for dt in steps:
                n = int(1.6 / dt + 1e-9)
                r = run(models, "point_on_slope", n * dt, dt, names, s,
                        TIGHT | {"initial_height": height})
                if height == 1.0:
                    e = motion.errors(r, dt, n)
                else:
                    e = [np.abs(np.array([r[name] for name in pair]).T - truth).sum(axis=1)
                         for pair, truth in zip((names[:2], names[2:]), fallen(r["time"]))]
                errors.append([dt * one[1:].sum() for one in e])
            for ax, error in zip(row, np.transpose(errors)):
                ax.loglog(steps, error, color=colour, marker="o", ms=3, label=f"s = {s}")
                if height == 1.0:
                    at = 6 if s < 4 else 5
                    order_line(ax, steps[at::-1], error[at], 2 * s - 2)
        if height > 1.0:
            for ax in row:
                order_line(ax, steps[::-1], 3e-1, 1)
        row[0].set(ylabel=f"case {1 if height == 1 else 2}: error (74)",
                   ylim=(1e-15, 1) if height == 1.0 else (1e-5, 1))
    axes[0, 0].set_title("Positions")
    axes[0, 1].set_title("Velocities")
    for ax in axes[1]:
        ax.set_xlabel("Δt in s")
    axes[1, 1].legend(loc="lower right")
    return figure


# --- orders on other motions ---

def model_name(name):
    """Of a motion's FMU, and its text if it is not one of resources/models."""
    motion = MOTIONS[name]
    if not isinstance(motion.model, str):
        return motion.model.stem, None
    return name.replace(" ", "_").replace("-", "_"), motion.model


def motion_errors(models, name, counts, scheme, settings):
    motion = MOTIONS[name]
    fmu, text = model_name(name)
    errors = []
    for n in counts:
        dt = motion.duration / n
        r = models.simulate(fmu, motion.duration, dt, [*motion.coordinates, *motion.velocities],
                            motion.settings | TIGHT | settings, scheme=scheme, text=text)
        errors.append([np.trapezoid(e, dx=dt) for e in motion.errors(r, dt, n)])
    return np.transpose(errors)


def other_orders(models):
    """Errors of positions (solid) and velocities (dashed) on other smooth motions."""
    figure, axes = plt.subplots(2, 4, figsize=(9, 5.4), sharey=True)
    counts = np.array([8, 16, 32, 64, 128])
    for ax, name in zip(axes.flat, [name for name in MOTIONS if name != "slope"]):
        steps = MOTIONS[name].duration / counts
        for s, colour in COLOURS.items():
            for error, line in zip(motion_errors(models, name, counts, LOBATTO,
                                                 {"solver.stages": s}), ("-", "--")):
                ax.loglog(steps, error, color=colour, ls=line, marker="o", ms=2.5, lw=1.2,
                          label=f"s = {s}" if line == "-" else None)
        ax.set_title(name.capitalize())
        ax.minorticks_off()
    for ax in axes[1]:
        ax.set_xlabel("Δt in s")
    for ax in axes[:, 0]:
        ax.set_ylabel("error")
    axes[0, 0].legend(fontsize=7.5)
    return figure


# --- long runs ---

def energy(models):
    """Energy over a million steps, relative to the largest kinetic energy."""
    figure, axes = panels(2, 3.2)
    for ax, (name, dt, title) in zip(axes, (("double_pendulum", 5e-3, "Double pendulum, Δt = 5 ms"),
                                            ("free_top", 5e-2, "Free top, Δt = 50 ms"))):
        for s in (2, 3):
            r = run(models, name, 1e6 * dt, dt, ["energy.total", "energy.kinetic"], s,
                    {"solver.tolerance": 1e-14}, interval=500 * dt)
            change = np.abs(r["energy.total"] - r["energy.total"][0]) / r["energy.kinetic"].max()
            ax.semilogy(r["time"] / dt / 1e6, change + 1e-17, ".", ms=1.5, color=COLOURS[s],
                        label=f"s = {s}", rasterized=True)
            parts = np.array_split(r["energy.total"] / r["energy.kinetic"].max(), 10)
            print(f"{name} s={s}: largest {change.max():.2e}, mean of the last tenth - first "
                  f"{parts[-1].mean() - parts[0].mean():.2e}")
        ax.set(title=title, xlabel="million steps", ylim=(1e-16, 1e-1))
    axes[0].set_ylabel("|E − E₀| / largest kinetic energy")
    axes[0].legend(markerscale=6, loc="lower right")
    return figure


# --- error against processor time ---

SCHEMES = {"moreau_jean": (MOREAU_JEAN, {}, GREY, "-"),
           "moreau_jean_projected": (PROJECTED, {}, GREY, "--"),
           "moreau_jean_combined": (COMBINED, {}, GREY, ":"),
           "generalized_alpha": (GENERALIZED_ALPHA, {}, INK, "-"),
           "generalized_alpha_velocity": (ALPHA_VELOCITY, {}, INK, "--"),
           "implicit_newmark": (IMPLICIT_NEWMARK, {}, PURPLE, "-"),
           "schatzman_paoli": (SCHATZMAN_PAOLI, {}, PURPLE, "--")} | {
    f"lobatto, s = {s}": (LOBATTO, {"solver.stages": s}, colour, "-") for s, colour in (
        (2, "#9ac7e8"), (3, BLUE), (4, GREEN), (5, RED))}
ROUNDS, LEAST = 5, 0.02  # runs of which the shortest counts; s of processor time that each lasts


class TimedFmu:
    """One FMU whose steps are timed alone, through one call of fmi2DoStep: the host's part is none."""

    def __init__(self, fmu):
        self.directory = fmpy.extract(str(fmu))
        self.description = fmpy.read_model_description(self.directory)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.types = {v.name: v.type for v in self.description.modelVariables}

    def motion(self, settings):
        slave = fmpy.fmi2.FMU2Slave(guid=self.description.guid, unzipDirectory=self.directory,
                                    modelIdentifier=self.description.coSimulation.modelIdentifier)
        slave.instantiate()
        slave.setupExperiment()
        for name, value in settings.items():
            put = slave.setReal if self.types[name] == "Real" else slave.setInteger
            put([self.references[name]], [value])
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        return slave

    def run(self, duration, settings, outputs):
        """Values at the end and processor time of the steps."""
        slave = self.motion(settings)
        start = time.process_time()
        slave.doStep(0.0, duration)
        spent = time.process_time() - start
        values = slave.getReal([self.references[name] for name in outputs])
        slave.terminate()
        slave.freeInstance()
        return np.array(values), spent


def processor_time(fmu, duration, settings):
    """Shortest of some rounds, each of as many runs as it takes to be measured."""
    best = np.inf
    for _ in range(ROUNDS):
        total, n = 0.0, 0
        while total < LEAST:
            total += fmu.run(duration, settings, [])[1]
            n += 1
        best = min(best, total / n)
    return best


def cost(models):
    """Error of positions at the end against processor time of the steps, default tolerance."""
    figure, axes = panels(3, 4.0, sharey=True)
    for ax, name in zip(axes, ("slope", "double pendulum", "slider-crank")):
        motion = MOTIONS[name]
        fmu_name, _ = model_name(name)
        models.simulate(fmu_name, 1e-3, 1e-4, motion.coordinates)  # packs it
        fmu = TimedFmu(models.folder / f"{fmu_name}.fmu")
        truth = motion.solution(motion.duration, 96)[0][-1]
        for label, (scheme, settings, colour, line) in SCHEMES.items():
            if scheme == SCHATZMAN_PAOLI and name != "double pendulum":
                continue  # there is friction
            points = []
            counts = 2 ** (np.arange(3, 9) if scheme == LOBATTO else np.arange(4, 13))
            for n in counts.tolist():
                chosen = motion.settings | settings | {
                    "solver.scheme": scheme, "solver.step_size": motion.duration / n}
                values, _ = fmu.run(motion.duration, chosen, motion.coordinates)
                points.append((processor_time(fmu, motion.duration, chosen),
                               np.abs(values - truth).max()))
            print(name, label, " ".join(f"{1e6 * spent:.0f}:{error:.1e}" for spent, error in points))
            ax.loglog(*np.transpose(points), color=colour, ls=line, marker="o", ms=2.5, lw=1.2,
                      label=label)
        ax.set(title=name.capitalize(), xlabel="processor time in s")
        ax.minorticks_off()
    axes[0].set_ylabel("error of positions at the end")
    handles, labels = axes[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=7.5)
    return figure


FIGURES = {
    "lo_3_ball": ball, "lo_4_percussions": percussions, "lo_6_slider_crank": slider_crank,
    "lo_8_slope": slope, "lo_9_orders": slope_orders, "lo_orders": other_orders,
    "lo_energy": energy, "lo_cost": cost,
}

if __name__ == "__main__":
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else HERE, FIGURES)
