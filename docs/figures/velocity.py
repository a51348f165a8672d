#!/usr/bin/env python3
"""Draws docs/figures/ch_*.svg: the results of the paper on the generalized-alpha scheme with contacts
on velocity level (CH in docs/notation.md), from FMUs that FMPy simulates.

    .venv/bin/python docs/figures/velocity.py [FOLDER]

as figures.py. docs/velocity-schemes.md shows them.
"""

import sys

import numpy as np
from matplotlib import pyplot as plt

from figures import (ALPHA_VELOCITY, BLUE, COMBINED, GENERALIZED_ALPHA, GREEN, GREY, HERE,
                     IMPLICIT_NEWMARK, INK, MOREAU_JEAN, RED, exact, main, mark_time, mark_value,
                     panels, pathlib, tools)

RHO = 0.8
PURPLE = "#8250b4"
# CH's three schemes, with its parameters
SCHEMES = ((MOREAU_JEAN, GREY, "Moreau–Jean, θ = 1", {"solver.theta": 1.0}),
           (IMPLICIT_NEWMARK, RED, "implicit Newmark", {}),
           (ALPHA_VELOCITY, BLUE, "generalized-α, ρ∞ = 0.8", {}))
CH_GAP = {"solver.forecast": 0.0}  # CH (19) with the gap at the start of the step


def simulate(models, name, stop, dt, outputs, scheme, settings, **options):
    return models.simulate(name, stop, dt, outputs, CH_GAP | settings, rho=RHO, scheme=scheme,
                           **options)


# --- spectral radii ---

# a torsional spring is linear at any amplitude
OSCILLATOR = tools.mechanism("""
<parameter name="stiffness" value="1"/>
<planar_body name="disc" mass="1" inertia="1" initial_angle="1"/>
<torsional_spring_damper name="spring" first="ground" second="disc" stiffness="stiffness"/>""", step=1)


def measured_radius(models, omega, scheme, settings):
    """The largest root of the linear recurrence that the positions of unit steps follow."""
    order, steps = (3, 9.0) if scheme == ALPHA_VELOCITY else (2, 4.0)
    x = simulate(models, "unit_oscillator", steps, 1.0, ["disc.angle"], scheme,
                 settings | {"stiffness": omega**2}, text=OSCILLATOR)["disc.angle"]
    rows = np.array([x[i:i + order + 1] for i in range(len(x) - order)])
    rows /= np.abs(rows).max(axis=1, keepdims=True)
    c = np.linalg.lstsq(rows[:, :-1], -rows[:, -1], rcond=None)[0]
    return np.abs(np.roots([1, *c[::-1]])).max()


def formula_radius(w, scheme):
    """From CH (25) to (27) or (32), (33) with omega dt = w and dt = 1, state (q, v, a)."""
    if scheme == MOREAU_JEAN:
        return 1 / np.sqrt(1 + w * w)
    gamma, alpha_m, alpha_f = 1.0, 0.0, 0.0
    if scheme == ALPHA_VELOCITY:
        alpha_m, alpha_f = (2 * RHO - 1) / (RHO + 1), RHO / (RHO + 1)
        gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) ** 2
    new = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - alpha_f) * w * w, 0, 1 - alpha_m]])
    old = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-alpha_f * w * w, 0, -alpha_m]])
    return np.abs(np.linalg.eigvals(np.linalg.solve(new, old))).max()


def spectral_radii(models):
    """CH figure 1."""
    figure, ax = panels(1, 3.6)
    fine, coarse = np.geomspace(1e-2, 1e3, 200), np.geomspace(3e-2, 3e2, 17)
    for scheme, colour, label, settings in SCHEMES:
        ax.semilogx(fine, [formula_radius(w, scheme) for w in fine], color=colour, label=label)
        ax.semilogx(coarse, [measured_radius(models, w, scheme, settings) for w in coarse], "o",
                    color=colour, ms=4)
    mark_value(ax, RHO, "ρ∞ = 0.8")
    ax.set(title="Spectral radius: formulas (lines) and FMU runs (dots)", xlabel="ω Δt",
           ylim=(0, 1.05))
    ax.legend(loc="lower left")
    return figure


# --- ball and oscillator ---

def smooth_alpha_ball(dt, stop, gravity=10.0, height=0.801, e=0.8):
    """CH figure 4: the classical generalized-alpha scheme with the contact force as one of its
    forces, the law on velocity level. Heights above the floor."""
    alpha_m, alpha_f = (2 * RHO - 1) / (RHO + 1), RHO / (RHO + 1)
    gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) ** 2
    q, v, a, v_dot, result = height, 0.0, -gravity, -gravity, [(height, 0.0)]
    for _ in range(round(stop / dt)):
        def end(force):
            new = -gravity + force
            a_1 = ((1 - alpha_f) * new + alpha_f * v_dot - alpha_m * a) / (1 - alpha_m)
            return new, a_1, v + dt * ((1 - gamma) * a + gamma * a_1)
        force = 0.0
        if q <= 0 and end(0.0)[2] + e * v < 0:
            slope = end(1.0)[2] - end(0.0)[2]
            force = (-e * v - end(0.0)[2]) / slope
        new, a_1, v_1 = end(force)
        q, v, a, v_dot = (q + dt * v + dt**2 * ((0.5 - beta) * a + beta * a_1), v_1, a_1, new)
        result.append((q, v))
    return np.transpose(result)


def ball(models):
    """CH figures 3 and 4."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 5), sharex=True)
    fine = np.linspace(0, 4, 4001)
    for column in axes.T:
        column[0].plot(fine, exact.bounce(fine, 10, 0.801, 0.8) + 0.2, color=GREY, lw=4, alpha=0.4,
                       label="exact")
        column[1].plot(fine, exact.bounce_velocity(fine, 10, 0.801, 0.8), color=GREY, lw=4,
                       alpha=0.4)
    for scheme, colour, label, settings in SCHEMES:
        r = simulate(models, "bouncing_ball", 4.0, 1e-3, ["ball.y", "ball.velocity_y"], scheme,
                     settings)
        axes[0, 0].plot(r["time"], r["ball.y"], color=INK if colour == GREY else colour, lw=1,
                        label=label)
        axes[1, 0].plot(r["time"], r["ball.velocity_y"], color=INK if colour == GREY else colour,
                        lw=1)
    y, v = smooth_alpha_ball(1e-3, 4.0)
    t = 1e-3 * np.arange(len(y))
    axes[0, 1].plot(t, y + 0.2, color=GREEN, lw=1.2, label="smooth generalized-α")
    axes[1, 1].plot(t, v, color=GREEN, lw=1)
    axes[0, 0].set(title="Consistent schemes, Δt = 1 ms", ylabel="height in m", ylim=(0, 1.1))
    axes[0, 1].set(title="Contact force as a smooth one: not consistent", ylim=(0, 1.1))
    axes[1, 0].set(xlabel="time in s", ylabel="velocity in m/s", ylim=(-5, 5))
    axes[1, 1].set(xlabel="time in s", ylim=(-5, 5))
    for ax in axes[0]:
        ax.legend(loc="upper right", fontsize=8)
    return figure


def ball_error(models, dt, scheme, settings):
    r = simulate(models, "bouncing_ball", 4.0, dt, ["ball.y", "ball.velocity_y"], scheme, settings)
    t = r["time"]
    return (exact.relative_l1(r["ball.y"], exact.bounce(t, 10, 0.801, 0.8) + 0.2),
            exact.relative_l1(r["ball.velocity_y"], exact.bounce_velocity(t, 10, 0.801, 0.8)))


def oscillator_error(models, dt, scheme, settings):
    r = simulate(models, "bouncing_oscillator", 1.0, dt, ["lower.y", "lower.velocity_y"], scheme,
                 settings)
    r = r[r["time"] >= 0.4 - 1e-9]
    y, v = exact.BouncingOscillator().states(r["time"])
    return (exact.relative_l1(r["lower.y"], y[:, 0]),
            exact.relative_l1(r["lower.velocity_y"], v[:, 0]))


def pendulum_error(models, dt, scheme, settings):
    r = simulate(models, "impacting_pendulum", 1.0, dt, ["bob.x", "bob.velocity_x"], scheme,
                 settings)
    angle, rate = exact.impacting_pendulum(r["time"])
    return (exact.relative_l1(r["bob.x"], np.cos(angle)),
            exact.relative_l1(r["bob.velocity_x"], -np.sin(angle) * rate))


def errors(models):
    """CH figures 5, 7 and 15."""
    figure, axes = panels(3, 3.4)
    for ax, (title, error, steps) in zip(axes, (
            ("Ball", ball_error, (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)),
            ("Oscillator", oscillator_error, (1e-3, 5e-4, 2.5e-4, 1e-4, 5e-5, 2e-5)),
            ("Pendulum", pendulum_error, (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 1e-4)))):
        for scheme, colour, label, settings in SCHEMES:
            found = np.transpose([error(models, dt, scheme, settings) for dt in steps])
            ax.loglog(steps, found[0], color=colour, marker="o", ms=3, label=label)
            ax.loglog(steps, found[1], color=colour, marker="s", ms=3, ls="--")
        scale = np.array(steps) / steps[0]
        ax.loglog(steps, found[1][0] * 2 * scale, color=INK, lw=0.8)
        ax.set(title=title, xlabel="Δt in s")
    axes[0].set_ylabel("relative L1 error of\nposition, velocity (dashed)")
    axes[0].legend(fontsize=7)
    return figure


def oscillator_energy(models):
    """CH figures 6 and 8."""
    figure, (left, middle, right) = panels(3, 3.2)
    t = np.linspace(0.4, 1.0, 1201)
    y, v = exact.BouncingOscillator().states(t)
    left.plot(t, y[:, 0], color=GREY, lw=4, alpha=0.4, label="exact")
    middle.plot(t, v[:, 0], color=GREY, lw=4, alpha=0.4)
    for scheme, colour, label, settings in SCHEMES:
        r = simulate(models, "bouncing_oscillator", 1.0, 5e-4,
                     ["lower.y", "lower.velocity_y", "energy.total"], scheme, settings)
        k = r["time"] >= 0.4
        colour = INK if colour == GREY else colour
        left.plot(r["time"][k], r["lower.y"][k], color=colour, lw=1.1, label=label)
        middle.plot(r["time"][k], r["lower.velocity_y"][k], color=colour, lw=1)
        right.plot(r["time"], r["energy.total"], color=colour, label=label)
    left.set(title="Lower ball, Δt = 0.5 ms", xlabel="time in s", ylabel="m")
    middle.set(title="Its velocity", xlabel="time in s", ylabel="m/s")
    right.set(title="Total energy", xlabel="time in s", ylabel="J")
    right.legend(fontsize=8)
    return figure


def bar(models):
    """CH figures 9 and 10. From 5 m the bar arrives on the grid, and rounding decides when."""
    figure, axes = panels(3, 3.2)
    start, arrives, leaves = 5.01, 0.501, 0.501 + 2 / 3
    axes[0].plot([0, arrives, leaves, 2], [start, 0, 0, 10 * (2 - leaves)], color=GREY, lw=4,
                 alpha=0.4, label="exact")
    for scheme, colour, label, settings in SCHEMES:
        r = simulate(models, "bouncing_bar", 2.0, 2e-3,
                     ["bar.first_x", "wall_contact.normal_percussion", "energy.total"], scheme,
                     settings | {"bar.initial_x": start})
        colour = INK if colour == GREY else colour
        axes[0].plot(r["time"], r["bar.first_x"], color=colour, lw=1.1, label=label)
        axes[1].plot(r["time"], r["wall_contact.normal_percussion"] / 2e-3, color=colour, lw=1)
        axes[2].plot(r["time"], r["energy.total"], color=colour)
    mark_value(axes[1], 300, "300 Pa")
    mark_time(axes[1], arrives, "", 0.5)
    mark_time(axes[1], leaves, "", 0.5)
    axes[0].set(title="Lower end", xlabel="time in s", ylabel="m")
    axes[1].set(title="Pressure", xlabel="time in s", ylabel="Pa")
    axes[2].set(title="Total energy", xlabel="time in s", ylabel="J", ylim=(400, 510))
    axes[0].legend(fontsize=7)
    return figure


def pendulum(models):
    """CH figures 13 and 14."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 5), sharex=True)
    axes = axes.ravel()
    fine = np.linspace(0, 2, 2001)
    axes[0].plot(fine, np.cos(exact.impacting_pendulum(fine)[0]), color=GREY, lw=4, alpha=0.4,
                 label="exact")
    schemes = (*SCHEMES, (COMBINED, GREEN, "combined (PR), θ = 1", {"solver.theta": 1.0}))
    for scheme, colour, label, settings in schemes:
        r = simulate(models, "impacting_pendulum", 2.0, 1e-3,
                     ["bob.x", "solver.joint_violation", "stop.normal_percussion",
                      "hinge.force_x", "hinge.impulse_x", "hinge.force_y", "hinge.impulse_y"],
                     scheme, settings)
        colour = INK if colour == GREY else colour
        axes[0].plot(r["time"], r["bob.x"], color=colour, lw=1)
        axes[1].semilogy(r["time"], np.maximum(r["solver.joint_violation"], 1e-17), color=colour,
                         label=label)
        if scheme == ALPHA_VELOCITY:
            for along, line in (("x", RED), ("y", BLUE)):
                percussion = 1e-3 * r[f"hinge.force_{along}"] + r[f"hinge.impulse_{along}"]
                axes[2].plot(r["time"], percussion, color=line, lw=1.1, label=along)
            axes[3].plot(r["time"], r["stop.normal_percussion"], color=colour)
    mark_value(axes[1], 5e-6, "5e-6 m", at=0.85)
    axes[0].set(title="x of the bob, Δt = 1 ms", ylabel="m")
    axes[1].set(title="Violation of the hinge", ylabel="m", ylim=(1e-17, 3e-2))
    axes[1].legend(fontsize=7, loc=(0.45, 0.3))
    axes[2].set(title="Percussions of the hinge, generalized-α", xlabel="time in s", ylabel="N s",
                ylim=(-0.03, 0.03))
    axes[2].legend(fontsize=7, loc="lower right")
    axes[3].set(title="Percussions of the contact", xlabel="time in s", ylabel="N s")
    return figure


def slider_crank(models):
    """CH figures 16 and 17: frictionless, gravity 10."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 5), sharex=True)
    axes = axes.ravel()
    corners = "front_top", "rear_top", "front_bottom", "rear_bottom"
    frictionless = {f"{corner}.friction_coefficient": 0.0 for corner in corners}
    frictionless["gravity.y"] = -10.0
    finer = (MOREAU_JEAN, GREEN, "Moreau–Jean, Δt = 0.01 ms", {"solver.theta": 1.0})
    for scheme, colour, label, settings in (*SCHEMES, finer):
        dt = 1e-5 if colour == GREEN else 1e-4
        r = simulate(models, "slider_crank", 0.15, dt,
                     ["crank.angle", "crank.angular_velocity", "slider.x",
                      *(f"{corner}.gap" for corner in corners)], scheme,
                     settings | frictionless, interval=1e-4)
        turns = r["crank.angle"] / (2 * np.pi)
        colour = INK if colour == GREY else colour
        for ax, side in zip(axes, ("top", "bottom")):
            ax.plot(turns, 1e3 * r[f"front_{side}.gap"], color=colour, lw=1, label=label)
            ax.plot(turns, 1e3 * r[f"rear_{side}.gap"], color=colour, lw=1, ls=":")
        axes[2].plot(turns, r["crank.angular_velocity"], color=colour, lw=1.1)
        axes[3].plot(turns, r["slider.x"], color=colour, lw=1.1)
    axes[0].set(title="Gaps of the upper corners", ylabel="mm", ylim=(-0.2, 2.2))
    axes[1].set(title="Gaps of the lower corners", ylim=(-0.2, 2.2))
    axes[2].set(title="Crank speed", ylabel="rad/s", xlabel="turns of the crank")
    axes[3].set(title="x of the slider", ylabel="m", xlabel="turns of the crank")
    axes[0].set_xlim(0, 2)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure


def beam_runs(models, name, stop, dt, fine_dt, outputs):
    """CH's schemes, GA's, and Moreau-Jean at a small step: colour, label, results"""
    others = ((GENERALIZED_ALPHA, PURPLE, "generalized-α (GA), ρ∞ = 0.8", {}, dt),
              (MOREAU_JEAN, GREEN, f"Moreau–Jean, Δt = {1e3 * fine_dt:g} ms", {"solver.theta": 1.0},
               fine_dt))
    for scheme, colour, label, settings, step in (*((*entry, dt) for entry in SCHEMES), *others):
        r = simulate(models, name, stop, step, outputs, scheme, settings, interval=dt)
        yield INK if colour == GREY else colour, label, r


def rotating_beam(models):
    """CH figures 11 and 12."""
    figure, axes = plt.subplots(3, 1, figsize=(9, 7), sharex=True)
    for colour, label, r in beam_runs(models, "rotating_beam", 1.0, 5e-4, 2e-5,
                                      ["rod.last_x", "rod.last_velocity_x", "energy.total"]):
        for ax, name in zip(axes, ("rod.last_x", "rod.last_velocity_x", "energy.total")):
            ax.plot(r["time"], r[name], color=colour, lw=1, label=label)
    mark_value(axes[0], np.sqrt(0.5), "wall")
    axes[0].set(title="Elastic pendulum: tip, Δt = 0.5 ms", ylabel="x in m")
    axes[1].set(ylabel="velocity x in m/s", ylim=(-6, 6))
    axes[2].set(ylabel="energy in J", xlabel="time in s")
    axes[0].legend(fontsize=8)
    return figure


def flexible_slider_crank(models):
    """CH figures 18 and 19. The slider does not turn: its corners have one gap above, one below."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 5.5))
    axes = axes.ravel()
    for colour, label, r in beam_runs(models, "flexible_slider_crank", 0.1, 1e-4, 1e-6,
                                      ["crank.first_angle", "crank.first_angular_velocity",
                                       "slider.y", "energy.total"]):
        turns = r["crank.first_angle"] / (2 * np.pi)
        for ax, over in ((axes[0], turns), (axes[1], 1e3 * r["time"])):
            ax.plot(over, 1.0 - 1e3 * r["slider.y"], color=colour, lw=1, label=label)
        axes[2].plot(1e3 * r["time"], r["crank.first_angular_velocity"], color=colour, lw=0.8)
        axes[3].plot(1e3 * r["time"], r["energy.total"], color=colour, lw=1.1)
    axes[0].set(title="Gap of the upper corners", xlabel="turns of the crank", ylabel="mm",
                xlim=(0, 1))
    axes[1].set(title="The same", xlabel="time in ms", xlim=(0, 50))
    axes[2].set(title="Crank speed at the axle", ylabel="rad/s", xlabel="time in ms", xlim=(0, 50))
    axes[3].set(title="Energy", ylabel="J", xlabel="time in ms")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3,
                  fontsize=8)
    return figure


FIGURES = {
    "ch_1_spectral_radii": spectral_radii, "ch_3_ball": ball, "ch_5_errors": errors,
    "ch_8_oscillator": oscillator_energy, "ch_9_bar": bar, "ch_13_pendulum": pendulum,
    "ch_16_slider_crank": slider_crank, "ch_11_rotating_beam": rotating_beam,
    "ch_18_flexible_slider_crank": flexible_slider_crank,
}

if __name__ == "__main__":
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else HERE, FIGURES)
