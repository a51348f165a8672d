#!/usr/bin/env python3
"""Draws docs/figures/pr_*.svg: the results of the report on projected schemes (PR in
docs/notation.md), from FMUs that FMPy simulates.

    .venv/bin/python docs/figures/projected.py [FOLDER]

as figures.py. docs/projected-schemes.md shows them.
"""

import sys

import numpy as np
from matplotlib import pyplot as plt

from figures import (BLUE, COMBINED, GREEN, GREY, HERE, INK, MOREAU_JEAN, PROJECTED, RED,
                     SCHATZMAN_PAOLI, exact, main, mark_time, mark_value, panels, pathlib, tools)

AS_PRINTED = {"solver.keep_active": 1}  # contacts are active by the forecast alone, as in PR
EXPLICIT, FREE = 1, 2
PR_STEP = 5e-2


def forecast(gamma):
    return {"solver.activation": EXPLICIT, "solver.forecast": gamma} | AS_PRINTED


def orders(models):
    """PR figure 2: errors of the ball and the oscillator in three norms."""
    figure, axes = panels(2, 3.6)
    steps = 1e-2 / 2.0 ** np.arange(6)
    for ax, (model, variable, title, settings, truth) in zip(axes, (
            ("bouncing_point", "ball.y", "Bouncing ball", {"ball.initial_y": 1.003},
             lambda t: exact.bounce(t, 2.0, 1.003, 0.5)),
            ("linear_oscillator", "mass.x", "Oscillator", {},
             lambda t: exact.linear_oscillator(t)[0]))):
        for scheme, colour, label in ((SCHATZMAN_PAOLI, GREEN, "Schatzman–Paoli"),
                                      (MOREAU_JEAN, GREY, "Moreau–Jean"),
                                      (PROJECTED, BLUE, "projected (Algorithm 1)"),
                                      (COMBINED, RED, "combined (Algorithm 2)")):
            errors = []
            for dt in steps:
                result = models.simulate(model, 4.0, dt, [variable], settings | forecast(0.0),
                                         scheme=scheme)
                d = np.abs(result[variable] - truth(result["time"]))
                errors.append((d.sum() * dt, np.sqrt((d * d).sum() * dt), d.max()))
            for error, line, norm in zip(np.transpose(errors), ("-", "--", ":"),
                                         ("l1", "l2", "max")):
                ax.loglog(steps, error, color=colour, ls=line, marker="o", ms=3,
                          label=label if norm == "l1" else None)
        ax.loglog(steps, 20 * steps, color=INK, lw=0.8)
        ax.annotate("order 1", (steps[2], 25 * steps[2]), fontsize=8.5)
        ax.set(title=title, xlabel="Δt in s", ylabel="error of position in m" if ax is axes[0]
               else None)
    axes[0].legend(loc="lower right")
    return figure


def multiplier(models):
    """PR figure 3: the displacement of the projection, which is the multiplier of a unit mass."""
    figure, ax = panels(1, 3.2)
    steps = 1e-2 / 2.0 ** np.arange(8)
    for start, colour, label in ((1.003, BLUE, "from 1.003 m"), (1.03, GREEN, "from 1.03 m")):
        largest = []
        for dt in steps:
            r = models.simulate("bouncing_point", 4.0, dt, ["ball.y", "ball.velocity_y"],
                                {"ball.initial_y": start} | forecast(0.0), scheme=PROJECTED)
            y, v = r["ball.y"], r["ball.velocity_y"]
            largest.append(np.abs(np.diff(y) - dt * (v[1:] + v[:-1]) / 2).max())  # PR (28)
        ax.loglog(steps, largest, color=colour, marker="o", ms=3, label=label)
    ax.loglog(steps, steps, color=INK, lw=0.8)
    ax.annotate("order 1", (steps[2], 1.3 * steps[2]), fontsize=8.5, ha="right")
    ax.set(title="Largest multiplier of the projection", xlabel="Δt in s", ylabel="τ in kg m")
    ax.legend()
    return figure


def chattering(models):
    """PR figures 4 and 5: position and velocity after the accumulation of impacts."""
    figure, axes = plt.subplots(2, 4, figsize=(9, 4.4), sharex=True, sharey="row")
    for column, (title, settings) in zip(axes.T, (
            ("(61), γ = 0", forecast(0.0)), ("(61), γ = 1", forecast(1.0)),
            ("(61), γ = 2", forecast(2.0)), ("(62), free", {"solver.activation": FREE}
                                             | AS_PRINTED))):
        names = ["ball.y", "ball.velocity_y"]
        kept = models.simulate("bouncing_point", 5.0, PR_STEP, names,
                               settings | {"solver.keep_active": 2}, scheme=PROJECTED)
        result = models.simulate("bouncing_point", 5.0, PR_STEP, names, settings, scheme=PROJECTED)
        for ax, name, factor in zip(column, names, (1e3, 1.0)):
            ax.plot(kept["time"], factor * kept[name], color=GREY, lw=1.2,
                    label="with solver.keep_active")
            ax.plot(result["time"], factor * result[name], color=BLUE, marker=".", ms=3, lw=1,
                    label="as printed")
        column[0].set(title=title, xlim=(3, 5), ylim=(-1, 12))
        column[1].set(xlabel="time in s", ylim=(-0.3, 0.3))
    axes[0, 0].set_ylabel("height in mm")
    axes[1, 0].set_ylabel("velocity in m/s")
    axes[0, 3].legend(loc="upper right", fontsize=7.5)
    return figure


def ball_energy(models):
    """PR figures 6 and 7: energies of the projected ball, e = 1/2 and e = 1."""
    figure, axes = panels(2, 3.2)
    for ax, e in zip(axes, (0.5, 1.0)):
        result = models.simulate("bouncing_point", 5.0, PR_STEP, ["ball.y", "ball.velocity_y"],
                                 forecast(0.0) | {"floor_contact.normal_restitution": e,
                                                  "ball.initial_y": 1.03},
                                 scheme=PROJECTED)
        kinetic, potential = result["ball.velocity_y"] ** 2 / 2, 2 * result["ball.y"]
        for value, colour, label in ((kinetic, RED, "kinetic"), (potential, GREEN, "potential"),
                                     (kinetic + potential, INK, "total")):
            ax.plot(result["time"], value, color=colour, lw=1.2, label=label)
        ax.set(title=f"e = {e:g}", xlabel="time in s")
    axes[0].set_ylabel("energy in J")
    axes[0].legend(loc="upper right")
    return figure


def rocking_block(models):
    """PR figure 9."""
    figure, axes = panels(3, 3.2)
    names = ["contact_a.gap", "contact_b.gap", "block.velocity_y", "energy.kinetic", "block.y"]
    for scheme, colour, label in ((PROJECTED, RED, "Algorithm 1"), (COMBINED, BLUE, "Algorithm 2")):
        r = models.simulate("rocking_block", 2.0, 1e-2, names, forecast(0.0), scheme=scheme)
        axes[0].plot(r["time"], r["contact_a.gap"], color=colour, label=label)
        axes[0].plot(r["time"], r["contact_b.gap"], color=colour, ls="--")
        axes[1].plot(r["time"], r["block.velocity_y"], color=colour, lw=1.1)
        axes[2].plot(r["time"], r["energy.kinetic"] + 9.81 * (r["block.y"] - 0.75), color=colour)
    axes[0].set(title="Gaps of both corners", xlabel="time in s", ylabel="m")
    axes[1].set(title="Vertical velocity", xlabel="time in s", ylabel="m/s", xlim=(1, 2),
                ylim=(-0.3, 0.3))
    axes[2].set(title="Energy above rest", xlabel="time in s", ylabel="J", yscale="log")
    axes[0].legend()
    return figure


def bar_text(elements):
    text = (tools.MODELS / "impacting_bar.xml").read_text()
    return text.replace('elements="1000"', f'elements="{elements}"')


def impacting_bar(models):
    """PR figures 12 and 16 to 18: force, position and velocity of the bar's tip."""
    figure, axes = plt.subplots(2, 3, figsize=(9, 5))
    names = ["wall_contact.normal_percussion", "bar.first_x", "bar.first_velocity_x"]
    force_axes, motion_axes = axes
    for ax, elements in zip(force_axes[:2], (1000, 10)):
        r = models.simulate(f"bar_{elements}", 1.2e-3, 2e-6, names, scheme=MOREAU_JEAN,
                            text=bar_text(elements))
        ax.plot(1e3 * r["time"], r[names[0]] / 2e-6, color=GREY, lw=1.2)
        ax.set(title=f"Moreau–Jean, N = {elements}")
    for theta, dt, colour in ((0.5, 2e-6, BLUE), (1.0, 2e-7, RED)):
        r = models.simulate("bar_1000", 1.2e-3, dt, names, {"solver.theta": theta},
                            scheme=COMBINED, interval=2e-6)
        label = f"θ = {theta:g}, Δt = {1e6 * dt:g} µs"
        force_axes[2].plot(1e3 * r["time"], r[names[0]] / dt, color=colour, lw=1, label=label)
        for ax, name, factor in zip(motion_axes, names[1:], (1e6, 1.0)):
            ax.plot(1e3 * r["time"], factor * r[name], color=colour, lw=1, label=label)
    force_axes[2].set(title="Algorithm 2, N = 1000")
    for ax in force_axes:
        mark_value(ax, 1271.47, "1271 N")
        ax.set(ylim=(-50, 1800), xlabel="time in ms")
    force_axes[0].set_ylabel("force in N")
    motion_axes[0].set(title="Position of the tip", xlabel="time in ms", ylabel="µm")
    motion_axes[1].set(title="Its velocity", xlabel="time in ms", ylabel="m/s")
    for ax in motion_axes[:2]:
        mark_time(ax, 0.5007, "", 0.5)
        mark_time(ax, 0.5007 + 0.38545, "", 0.5)
    motion_axes[0].legend(fontsize=7.5)
    r = models.simulate("bar_1000", 1.2e-3, 2e-6, ["wall_contact.gap"], scheme=MOREAU_JEAN)
    q = models.simulate("bar_1000", 1.2e-3, 2e-6, ["wall_contact.gap"], scheme=COMBINED)
    motion_axes[2].plot(1e3 * r["time"], 1e9 * r["wall_contact.gap"], color=GREY,
                        label="Moreau–Jean")
    motion_axes[2].plot(1e3 * q["time"], 1e9 * q["wall_contact.gap"], color=BLUE,
                        label="Algorithm 2")
    motion_axes[2].set(title="Gap in contact", xlabel="time in ms", ylabel="nm", ylim=(-50, 30),
                       xlim=(0.49, 0.9))
    motion_axes[2].legend(fontsize=7.5)
    return figure


def bar_impacts(models):
    """PR figures 13 to 15: the force at the start by elements and by steps, and restitution."""
    figure, (by_elements, by_steps, restitution) = panels(3, 3.0)
    names = ["wall_contact.normal_percussion", "bar.first_velocity_x"]
    near = {"bar.initial_x": 1.007e-6}  # m: arrives after 1e-5 s
    for elements, colour in ((10, RED), (25, GREEN), (100, BLUE), (1000, GREY)):
        r = models.simulate(f"bar_{elements}", 4.2e-4, 2e-6, names[:1], near, scheme=MOREAU_JEAN,
                            text=bar_text(elements))
        by_elements.plot(1e3 * r["time"], r[names[0]] / 2e-6, color=colour, lw=1,
                         label=f"N = {elements}")
    for dt, colour in ((2e-8, RED), (2e-7, GREEN), (2e-6, BLUE), (2e-5, GREY)):
        r = models.simulate("bar_100", 8e-5, dt, names[:1], near, scheme=MOREAU_JEAN)
        by_steps.plot(1e3 * r["time"], r[names[0]] / dt, color=colour, lw=1,
                      label=f"Δt = {dt:g} s")
    for e, colour in ((0.95, RED), (0.0, BLUE)):
        settings = near | {"wall_contact.normal_restitution": e}
        r = models.simulate("bar_100", 6e-4, 2e-6, names[1:], settings, scheme=MOREAU_JEAN)
        restitution.plot(1e3 * r["time"], r[names[1]], color=colour, lw=1, label=f"e = {e:g}")
    for ax in (by_elements, by_steps):
        mark_value(ax, 1271.47, "")
        ax.set(xlabel="time in ms")
    by_elements.set(title="Δt = 2e-6 s", ylabel="force in N", ylim=(-50, 8000))
    by_steps.set(title="N = 100", yscale="log", ylim=(500, 2e5))
    restitution.set(title="Velocity of the tip, N = 100", xlabel="time in ms", ylabel="m/s")
    for ax in (by_elements, by_steps, restitution):
        ax.legend(fontsize=7.5, loc="upper right")
    return figure


def pendulum_in_ring(models):
    """PR figure 20."""
    figure, (left, right) = panels(2, 3.2)
    for scheme, colour, label in ((MOREAU_JEAN, GREY, "Moreau–Jean"),
                                  (COMBINED, BLUE, "Algorithm 2")):
        r = models.simulate("pendulum_in_ring", 5.0, 5e-4, ["hook_contact.gap", "rod.x"],
                            forecast(0.0), scheme=scheme)
        left.plot(r["time"], r["rod.x"], color=colour, label=label)
        right.plot(r["time"], 1e3 * r["hook_contact.gap"], color=colour)
    left.set(title="Sideways position of the rod", xlabel="time in s", ylabel="m")
    left.legend()
    right.set(title="Gap in the ring, Δt = 0.5 ms", xlabel="time in s", ylabel="mm",
              ylim=(-0.4, 0.2))
    return figure


def slider_motion(models):
    """PR figures 23 and 24: two turns of the crank with Moreau-Jean at 1e-6 s, and the corners of
    the slider at three steps, 1 and -1 being the walls."""
    figure, axes = plt.subplots(2, 3, figsize=(9, 4.8), sharex=True)
    corners = "front_top", "rear_top", "front_bottom", "rear_bottom"
    names = ["crank.angle", "crank.angular_velocity", "rod.angular_velocity", "slider.x",
             "slider.velocity_x", *(f"{corner}.gap" for corner in corners)]
    for ax, dt in zip(axes[1], (1e-4, 1e-5, 1e-6)):
        r = models.simulate("slider_crank", 0.14, dt, names, forecast(0.0), scheme=MOREAU_JEAN,
                            interval=1e-4)
        turns = r["crank.angle"] / (2 * np.pi)
        for corner, colour, line in zip(corners, (BLUE, RED, GREEN, INK), ("-", "--", "-.", ":")):
            side = 1 if corner.endswith("top") else -1
            ax.plot(turns, side * (1 - 1e3 * r[f"{corner}.gap"]), color=colour, ls=line, lw=1,
                    label=corner.replace("_", ", "))
        for wall in (-1, 1):
            ax.axhline(wall, color=GREY, lw=0.8, zorder=0)
        ax.set(title=f"Corners, Δt = {1e3 * dt:g} ms", xlabel="turns of the crank",
               ylim=(-1.2, 1.2), xlim=(0, 2))
    axes[1, 0].set_ylabel("y / c")
    axes[1, 2].legend(fontsize=7)
    axes[0, 0].plot(turns, r["crank.angular_velocity"], color=BLUE, label="crank")
    axes[0, 0].plot(turns, r["rod.angular_velocity"], color=RED, label="rod")
    axes[0, 0].set(title="Angular velocities, Δt = 1 µs", ylabel="rad/s")
    axes[0, 0].legend(fontsize=7)
    axes[0, 1].plot(turns, r["slider.x"], color=BLUE)
    axes[0, 1].set(title="x of the slider in m")
    axes[0, 2].plot(turns, r["slider.velocity_x"], color=BLUE)
    axes[0, 2].set(title="Its velocity in m/s")
    return figure


def slider_portrait(models):
    """PR figures 25 and 26: the slider's path and the velocity of a corner at 1e-4 s."""
    figure, axes = plt.subplots(3, 3, figsize=(9, 6.4), sharey="row")
    names = ["slider.x", "slider.y", "slider.velocity_y", "crank.angle"]
    for column, (scheme, title) in zip(axes.T, ((MOREAU_JEAN, "Moreau–Jean"),
                                                (PROJECTED, "Algorithm 1"),
                                                (COMBINED, "Algorithm 2"))):
        r = models.simulate("slider_crank", 0.0838, 1e-4, names, forecast(0.0), scheme=scheme)
        column[0].plot(r["slider.x"], 1e3 * r["slider.y"], color=BLUE, lw=1)
        for wall in (-1, 1):
            column[0].axhline(wall, color=INK, lw=0.8)
        column[0].set(title=title, xlabel="x in m", ylim=(-1.25, 1.25))
        turn = r["crank.angle"] / (2 * np.pi)
        column[1].plot(turn, r["slider.velocity_y"], color=BLUE, lw=1)
        column[1].set(xlim=(0, 0.25), ylim=(-1.3, 1.3))
        column[2].plot(turn, r["slider.velocity_y"], color=BLUE, lw=1)
        column[2].set(xlabel="turns of the crank", xlim=(0.12, 0.25), ylim=(-0.05, 0.05))
    axes[0, 0].set_ylabel("y of the slider in mm")
    axes[1, 0].set_ylabel("its velocity in m/s")
    axes[2, 0].set_ylabel("enlarged")
    return figure


def clearance_in_space(models):
    """PR figures 28 to 30: speeds with play in the crank pin, and how deep the pin is in its bore."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 5.4), sharex=True, sharey="row")
    for (speed, depth), play in zip(axes.T, (5e-4, 5e-3)):
        for scheme, colour, label in ((MOREAU_JEAN, GREY, "Moreau–Jean"),
                                      (COMBINED, BLUE, "Algorithm 2")):
            r = models.simulate("slider_crank_3d", 0.0838, 1e-5,
                                ["crank.angular_velocity_z", "rod.angular_velocity_z",
                                 "pin_front.gap", "pin_back.gap"],
                                forecast(0.0) | {"play": play}, scheme=scheme, interval=1e-4)
            speed.plot(r["time"], r["crank.angular_velocity_z"], color=colour, label=label)
            speed.plot(r["time"], r["rod.angular_velocity_z"], color=colour, ls="--")
            deepest = -np.minimum(r["pin_front.gap"], r["pin_back.gap"])
            depth.plot(r["time"], 100 * deepest / play, color=colour)
        speed.set(title=f"Play {1e3 * play:g} mm: crank, rod (dashed)")
        depth.set(xlabel="time in s", ylim=(-1, 6))
    axes[0, 0].set_ylabel("rad/s")
    axes[1, 0].set_ylabel("depth in % of the play")
    axes[0, 0].legend()
    return figure


FIGURES = {
    "pr_2_orders": orders, "pr_3_multiplier": multiplier, "pr_4_chattering": chattering,
    "pr_6_energy": ball_energy, "pr_9_rocking_block": rocking_block,
    "pr_12_impacting_bar": impacting_bar, "pr_13_bar_impacts": bar_impacts,
    "pr_20_pendulum_in_ring": pendulum_in_ring, "pr_23_slider_crank": slider_motion,
    "pr_25_slider_crank": slider_portrait,
    "pr_28_slider_crank_3d": clearance_in_space,
}

if __name__ == "__main__":
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else HERE, FIGURES)
