#!/usr/bin/env python3
"""Draws docs/figures/ga_*.svg: the results of the paper on the generalized-alpha scheme (GA in
docs/notation.md, its figures 1 to 7), from FMUs that FMPy simulates, beside exact values.

    .venv/bin/python docs/figures/figures.py [FOLDER]

after ./demo.sh or ./test.sh, which make .venv and build/release (or CLATTER_BUILD names another
build). The same build draws the same files. README.md in this folder says what they show.
"""

import math
import pathlib
import sys
import tempfile

import fmpy
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "python"))
import exact  # noqa: E402
import tools  # noqa: E402

BLUE, RED, GREEN, GREY, INK = "#1f6fb2", "#e4572e", "#2a8c6a", "#8796a5", "#1d2733"
(MOREAU_JEAN, GENERALIZED_ALPHA, PROJECTED, COMBINED, ALPHA_VELOCITY, IMPLICIT_NEWMARK,
 SCHATZMAN_PAOLI, LOBATTO) = range(1, 9)  # solver.scheme
G, R = 9.81, 0.1
T_IMPACT = math.sqrt(2 * 0.9 / G)
T_ROLL = 0.72812


# --- simulation ---

class Models:
    """FMUs of resources/models, packed when they are first needed."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def simulate(self, name, stop, dt, outputs, settings=None, rho=0.5, scheme=GENERALIZED_ALPHA,
                 interval=None, text=None):
        """With text: a model that is not in resources/models, under a name of its own."""
        fmu = self.folder / f"{name}.fmu"
        if not fmu.exists():
            path = tools.MODELS / f"{name}.xml"
            if text is not None:
                path = self.folder / f"{name}.xml"
                path.write_text(text)
            tools.clatter("pack", path, "-o", fmu)
        start_values = {"solver.scheme": scheme, "solver.step_size": dt,
                        "solver.spectral_radius": rho} | (settings or {})
        result = fmpy.simulate_fmu(str(fmu), validate=False, stop_time=stop,
                                   output_interval=interval or dt, start_values=start_values,
                                   output=[*outputs, "solver.failed_steps"])
        if result["solver.failed_steps"][-1] > 0:
            sys.exit(f"{name}: a step failed")
        return result


# --- style ---

def set_style():
    plt.rcParams.update({
        "font.size": 10, "font.family": "DejaVu Sans", "axes.spines.top": False,
        "axes.spines.right": False, "axes.titlelocation": "left", "axes.titlesize": 10.5,
        "axes.titleweight": "bold", "axes.edgecolor": GREY, "axes.labelcolor": INK,
        "text.color": INK, "xtick.color": INK, "ytick.color": INK, "lines.linewidth": 1.6,
        "legend.frameon": False, "legend.fontsize": 9, "figure.constrained_layout.use": True,
        "figure.facecolor": "white", "svg.hashsalt": "clatter"})


def panels(columns, height=3.2, **options):
    return plt.subplots(1, columns, figsize=(9, height), **options)


def mark_time(axes, time, text, height, left=False):
    axes.axvline(time, color=GREY, lw=0.9, ls=(0, (4, 3)), zorder=0)
    axes.annotate(text, (time, height), xytext=(-5 if left else 5, 0), textcoords="offset points",
                  xycoords=("data", "axes fraction"), fontsize=8.5, va="center",
                  ha="right" if left else "left")


def mark_value(axes, value, text, at=0.02, below=False):
    axes.axhline(value, color=GREY, lw=0.9, ls=(0, (1, 2)), zorder=0)
    axes.annotate(text, (at, value), xycoords=("axes fraction", "data"),
                  xytext=(0, -4 if below else 4), textcoords="offset points", fontsize=8.5,
                  va="top" if below else "bottom")


# --- figures ---

def bouncing_ball(models):
    """GA figure 1: height of the ball without spin, with its exact bounces."""
    dt = 2e-3
    result = models.simulate("rotating_ball", 1.5, dt, ["ball.y"])
    t = result["time"]
    fine = np.linspace(0, 1.5, 3001)
    figure, (left, right) = panels(2, width_ratios=(2, 1.2))
    left.plot(fine, exact.bounce(fine, G, 0.9, 0.5) + R, color=GREY, lw=4, alpha=0.5, label="exact")
    left.plot(t, result["ball.y"], color=BLUE, label="FMU, Δt = 2 ms")
    left.axhline(R, color=INK, lw=0.8)
    left.annotate("on the floor", (0.02, R), xytext=(0, 4), textcoords="offset points",
                  fontsize=8.5)
    mark_time(left, 3 * T_IMPACT, "the bounces\nend: 1.28506 s", 0.6, left=True)
    left.set(title="Height of the centre", xlabel="time in s", ylabel="y in m", ylim=(0, 1.05),
             xlim=(0, 1.55))
    left.legend(loc=(0.42, 0.8))
    error = result["ball.y"] - R - exact.bounce(t, G, 0.9, 0.5)
    right.plot(t, 1e3 * error, color=BLUE)
    right.axhline(0, color=GREY, lw=0.8)
    right.set(title="Difference from the exact height", xlabel="time in s", ylabel="mm",
              xlim=(0, 1.55))
    return figure


def friction_forces(models):
    """GA figure 2: friction of the spinning ball, force and impulse."""
    figure, axes = panels(2, sharey=True)
    for ax, omega, impulse in zip(axes, (50, 10), (-0.2 * G * T_IMPACT, -2 / 7)):
        result = models.simulate("rotating_ball", 1.0, 2e-3,
                                 ["floor_contact.friction_force", "floor_contact.friction_impulse"],
                                 {"ball.initial_angular_velocity": float(omega),
                                  "floor_contact.normal_restitution": 0.0})
        t = result["time"]
        mark_value(ax, impulse, f"exact impulse\n−{abs(impulse):.4f} N s", below=True)
        ax.plot(t, result["floor_contact.friction_force"], color=BLUE, ls="--",
                label="force $\\lambda_F$ in N")
        ax.plot(t, result["floor_contact.friction_impulse"], color=RED,
                label="impulse $\\Lambda_F$ in N s")
        mark_time(ax, T_IMPACT, "impact\n0.42835 s", 0.35, left=True)
        ax.set(title=f"Spin {omega} rad/s", xlabel="time in s", ylim=(-2.25, 0.3))
    mark_value(axes[0], -0.2 * G, "exact force\n−1.962 N")
    mark_time(axes[0], T_ROLL, "rolls from\n0.72812 s", 0.35)
    axes[0].set_ylabel("friction on the ball")
    axes[1].legend(loc="lower right")
    return figure


def corner_gaps(models):
    """GA figure 3: gaps of the ball in the corner."""
    names = ["left_contact.gap", "right_contact.gap"]
    result = models.simulate("ball_in_corner", 2.0, 1e-4, names)
    t = result["time"]
    figure, (left, right) = panels(2, width_ratios=(1.6, 1))
    for side, colour in (("right", BLUE), ("left", RED)):
        left.plot(t, result[f"{side}_contact.gap"], color=colour, label=f"{side} plane")
    left.axhline(0, color=GREY, lw=0.8, zorder=0)
    mark_time(left, 1.36, "at rest\nfrom 1.36 s", 0.5)
    left.set(title="Distance from the planes", xlabel="time in s", ylabel="gap in m", xlim=(0, 2))
    left.legend(loc="upper right")
    late = (t > 1.2) & (t < 1.45)
    for side, colour in (("right", BLUE), ("left", RED)):
        right.plot(t[late], 1e3 * result[f"{side}_contact.gap"][late], color=colour)
    mark_time(right, 1.36, "", 0.5)
    right.axhline(0, color=GREY, lw=0.8, zorder=0)
    right.set(title="The last bounces", xlabel="time in s", ylabel="gap in mm", ylim=(-0.4, 8),
              xlim=(1.2, 1.45))
    return figure


def ball_in_cylinder(models):
    """GA figure 4: path of the ball in the cylinder and its distance from the wall."""
    names = ["ball.x", "ball.y", "wall_contact.gap"]
    alpha, moreau = (models.simulate("ball_in_cylinder", 10.0, 1e-2, names, scheme=scheme)
                     for scheme in (GENERALIZED_ALPHA, MOREAU_JEAN))
    figure, (left, right) = panels(2, width_ratios=(1.3, 1))
    angle = np.linspace(-math.pi, 0, 181)
    left.plot(np.cos(angle), 1 + np.sin(angle), color=INK, lw=1.2)
    left.annotate("wall", (0.78, 0.2), fontsize=8.5)
    left.plot(0.9 * np.cos(angle), 1 + 0.9 * np.sin(angle), color=GREY, lw=4, alpha=0.5,
              label="where the ball touches")
    left.plot(alpha["ball.x"], alpha["ball.y"], color=BLUE, label="generalized-α")
    left.set(title="Path of the centre", xlabel="x in m", ylabel="y in m", aspect="equal",
             xlim=(-1.12, 1.12), ylim=(-0.08, 1.08))
    left.legend(loc="upper center")
    right.plot(moreau["time"], 1e3 * moreau["wall_contact.gap"], color=GREY, label="Moreau–Jean")
    right.plot(alpha["time"], 1e3 * alpha["wall_contact.gap"], color=BLUE, label="generalized-α")
    right.set(title="Distance from the wall, Δt = 10 ms", xlabel="time in s", ylabel="gap in mm",
              ylim=(-0.02, 0.25))
    right.legend(loc="upper right", ncols=2)
    return figure


def sliding_rod(dt=1e-5):
    """Angle, rate and force of the Painleve rod while its tip slides, by Runge-Kutta's method, up
    to where the force is singular."""

    def force(angle, rate):
        s, c = math.sin(angle), math.cos(angle)
        return (10 + s * rate * rate) / (1 + 3 * c * (c + 5 / 3 * s))

    def f(x):
        moment = math.cos(x[0]) + 5 / 3 * math.sin(x[0])
        return np.array([x[1], 3 * force(*x) * moment])

    x, result = np.array([math.radians(-31), 0.0]), []
    while x[0] > -math.pi / 4 + 1e-4:
        result.append((len(result) * dt, *x))
        a = f(x)
        b = f(x + dt / 2 * a)
        c = f(x + dt / 2 * b)
        x = x + dt / 6 * (a + 2 * b + 2 * c + f(x + dt * c))
    return np.transpose(result)


def painleve_rod(models):
    """GA figure 5: angular velocity of the rod at three steps."""
    figure, axes = panels(2, width_ratios=(1.4, 1))
    t, _, rate = sliding_rod()
    for ax in axes:
        ax.plot(t, rate, color=GREY, lw=4, alpha=0.5, label="exact while it slides")
    for dt, colour, line in ((8e-4, BLUE, "-"), (4e-4, RED, "--"), (2e-4, GREEN, ":")):
        result = models.simulate("painleve_rod", 1.0, dt, ["rod.angular_velocity"], rho=0.9)
        for ax in axes:
            ax.plot(result["time"], result["rod.angular_velocity"], color=colour, ls=line,
                    label=f"Δt = {1e3 * dt:.1f} ms")
    axes[0].set(title="Angular velocity of the rod", xlabel="time in s", ylabel="rad/s",
                xlim=(0, 1))
    mark_time(axes[0], 0.8145, "the tip lets go\n0.8145 s", 0.5, left=True)
    axes[0].legend(loc="lower left")
    axes[1].set(title="Where the force blows up", xlabel="time in s", xlim=(0.805, 0.819),
                ylim=(-9.2, -2.3),
                xticks=[0.806, 0.810, 0.814, 0.818])
    axes[1].annotate("touches again:\nimpact without\ncollision", (0.8147, -6.5), fontsize=8.5,
                     ha="right", va="center")
    mark_value(axes[1], -math.sqrt(10 * math.sqrt(2)), "exact limit −3.7606 rad/s",
               below=True)
    return figure


def guided_hopper(models):
    """GA figure 6: percussions of the hopper's foot, all of them and the first contact."""
    names = ["foot.normal_percussion", "foot.friction_percussion"]
    result = models.simulate("guided_hopper", 1.0, 5e-5, names, rho=0.0)
    t, P_N, P_F = result["time"], result[names[0]], result[names[1]]
    figure, axes = panels(2, 3.6, width_ratios=(1.2, 1))
    for ax, title, first, last in ((axes[0], "Percussions of the foot", 0, 1),
                                   (axes[1], "The first contact", 0.12, 0.185)):
        part = (t >= first) & (t <= last)
        ax.plot(t[part], 1e3 * 0.2 * P_N[part], color=GREY, lw=1, label="$\\pm\\mu P_N$")
        ax.plot(t[part], -1e3 * 0.2 * P_N[part], color=GREY, lw=1)
        ax.plot(t[part], 1e3 * P_F[part], color=INK, lw=1, label="$P_F$")
        ax.set(title=title, xlabel="time in s", xlim=(first, last))
    axes[0].set_ylabel("mN s per step of 0.05 ms")
    axes[0].legend(loc="upper right")
    return figure


def tippe_top(models):
    """GA figure 7: inclination of the tippe top."""
    names = ["top.quaternion_1", "top.quaternion_2"]
    figure, ax = panels(1, 3.6)
    for scheme, dt, colour, width, label in (
            (MOREAU_JEAN, 1e-4, GREY, 2.4, "Moreau–Jean, Δt = 0.1 ms"),
            (GENERALIZED_ALPHA, 1e-3, INK, 1.4, "generalized-α, Δt = 1 ms")):
        result = models.simulate("tippe_top", 8.0, dt, names, scheme=scheme, interval=4e-3)
        cosine = 1 - 2 * (result[names[0]] ** 2 + result[names[1]] ** 2)
        ax.plot(result["time"], np.arccos(cosine), color=colour, lw=width, label=label)
    mark_value(ax, math.pi / 2, "90°", at=0.3)
    ax.plot([0.97, 1.82], [math.pi / 2, 3.10], "o", color=RED, ms=6, mfc="none", mew=1.6,
            label="the paper: 90° at 0.97 s, 3.10 rad at 1.82 s")
    ax.set(title="Inclination of the tippe top", xlabel="time in s", ylabel="θ in rad",
           xlim=(0, 8), ylim=(0, 3.4))
    ax.legend(loc="lower right")
    return figure


FIGURES = {
    "ga_1_bouncing_ball": bouncing_ball, "ga_2_friction_forces": friction_forces,
    "ga_3_ball_in_corner": corner_gaps, "ga_4_ball_in_cylinder": ball_in_cylinder,
    "ga_5_painleve_rod": painleve_rod, "ga_6_guided_hopper": guided_hopper,
    "ga_7_tippe_top": tippe_top,
}


def main(folder, figures):
    set_style()
    with tempfile.TemporaryDirectory() as place:
        models = Models(place)
        for name, draw in figures.items():
            figure = draw(models)
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
            plt.close(figure)
            print(folder / f"{name}.svg")


if __name__ == "__main__":
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else HERE, FIGURES)
