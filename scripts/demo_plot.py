#!/usr/bin/env python3
"""Simulates the FMU of the model rotating_ball with FMPy and draws what happened.

usage: demo_plot.py FMU PNG

The ball (1 kg, radius 0.1 m) falls from a height of 1 m on a rough floor, twice: without spin and
with half of the velocity restored at each impact, until it rests; and with a spin of 50 rad/s and
no rebound, so that it slides until it rolls. Both have exact solutions, which the results are
compared with.
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from fmpy import read_model_description, simulate_fmu
from fmpy.validation import validate_fmu

RADIUS = 0.1
REST_TIME = 1.28506  # the Zeno point: infinitely many impacts before it, none after
IMPACT_TIME = 0.42835
ROLLING_TIME = 0.72812  # slip to stick
NORMAL_PERCUSSION = 4.2021
FRICTION_PERCUSSION = -0.8404
ROLLING_VELOCITY = -1.42857

SPIN = {"ball.initial_angular_velocity": 50.0, "floor_contact.normal_restitution": 0.0}

OUTPUTS = [
    "ball.y",
    "ball.velocity_x",
    "ball.velocity_y",
    "ball.angular_velocity",
    "floor_contact.normal_percussion",
    "floor_contact.friction_percussion",
]

BLUE, RED, GREY, INK = "#1f6fb2", "#e4572e", "#8796a5", "#1d2733"


def validate(fmu):
    problems = validate_fmu(fmu)
    for problem in problems:
        print(f"{fmu}: {problem}", file=sys.stderr)
    if problems:
        sys.exit(1)


def simulate(fmu, step, stop_time, start_values):
    return simulate_fmu(
        fmu,
        stop_time=stop_time,
        output_interval=step,
        start_values=start_values,
        output=OUTPUTS,
    )


def sliding_velocity(result):
    """Of the ball's lowest point relative to the floor."""
    return result["ball.velocity_x"] + RADIUS * result["ball.angular_velocity"]


def rest_time(result, step):
    """End of the last step in which the ball moved faster than one step of gravity explains."""
    moving = np.flatnonzero(np.abs(result["ball.velocity_y"]) > 2 * 9.81 * step)
    return result["time"][moving[-1]]


def rolling_time(result):
    touched = np.flatnonzero(result["floor_contact.normal_percussion"] > 0)[0]
    sticking = np.flatnonzero(np.abs(sliding_velocity(result)[touched:]) < 1e-3)
    return result["time"][touched + sticking[0]] if sticking.size else np.nan


def compare(bounce, spin, step):
    """(what, unit, FMU, exact, allowed difference); steps of finite length smear events."""
    impact = np.argmax(spin["floor_contact.normal_percussion"])
    normal = spin["floor_contact.normal_percussion"][impact]
    friction = spin["floor_contact.friction_percussion"][impact]
    return [
        ("at rest after the Zeno point", "s", rest_time(bounce, step), REST_TIME, 0.05),
        ("height at rest", "m", bounce["ball.y"][-1], RADIUS, 5 * step),
        ("normal percussion", "N s", normal, NORMAL_PERCUSSION, 10 * step),
        ("friction percussion", "N s", friction, FRICTION_PERCUSSION, 5 * step),
        ("sliding turns into rolling", "s", rolling_time(spin), ROLLING_TIME, 3 * step),
        ("velocity when rolling", "m/s", spin["ball.velocity_x"][-1], ROLLING_VELOCITY, 0.01),
    ]


def print_comparison(rows):
    """True if all differences are within what the step size explains."""
    print(f"{'':32}{'FMU':>10}{'exact':>10}")
    for what, unit, value, exact, allowed in rows:
        remark = "" if abs(value - exact) <= allowed else "   too far off"
        print(f"{what + ', ' + unit:32}{value:10.4f}{exact:10.4f}{remark}")
    return all(abs(value - exact) <= allowed for _, _, value, exact, allowed in rows)


def mark(axes, time, text, height):
    axes.axvline(time, color=GREY, lw=1, ls=(0, (4, 3)), zorder=0)
    axes.annotate(text, (time, height), xytext=(6, 0), textcoords="offset points", color=INK,
                  fontsize=9, va="center", xycoords=("data", "axes fraction"))


def draw_height(axes, bounce, spin):
    axes.axhspan(-0.2, 0, color="#dfe5ea", lw=0)
    axes.axhline(0, color=INK, lw=1.5)
    axes.plot(bounce["time"], bounce["ball.y"], color=BLUE, label="restitution 0.5, no spin")
    axes.plot(spin["time"], spin["ball.y"], color=RED, ls="--", label="restitution 0, spin 50 rad/s")
    mark(axes, REST_TIME, f"Zeno point {REST_TIME} s:\nat rest", 0.55)
    axes.set(title="Height of the ball's centre", ylabel="m", ylim=(-0.08, 1.08))
    axes.legend(frameon=False, loc="upper right")


def draw_sliding(axes, spin):
    axes.axhline(0, color=GREY, lw=0.8)
    axes.plot(spin["time"], sliding_velocity(spin), color=RED, label="contact point (sliding)")
    axes.plot(spin["time"], spin["ball.velocity_x"], color=BLUE, label="centre of the ball")
    mark(axes, ROLLING_TIME, f"{ROLLING_TIME} s:\nsliding turns into rolling", 0.55)
    axes.set(title="Horizontal velocity, with spin", ylabel="m/s")
    axes.legend(frameon=False, loc="upper right")


def draw_percussions(axes, spin, step):
    """As mean forces: the impact alone is out of scale, so its percussions are written out."""
    normal = spin["floor_contact.normal_percussion"]
    friction = spin["floor_contact.friction_percussion"]
    impact = np.argmax(normal)
    axes.axhline(0, color=GREY, lw=0.8)
    axes.plot(spin["time"], normal / step, color=BLUE, label="normal")
    axes.plot(spin["time"], friction / step, color=RED, label="friction")
    mark(axes, ROLLING_TIME, "no friction needed\nto go on rolling", 0.55)
    axes.annotate(f"impact: {normal[impact]:.3f} N s\nand {friction[impact]:.3f} N s",
                  (IMPACT_TIME, 11.3), xytext=(-10, 0), textcoords="offset points", ha="right",
                  va="center", fontsize=9, color=INK, arrowprops={"arrowstyle": "-", "color": GREY})
    axes.set(title="Percussion of each step divided by its length, with spin", ylabel="N",
             xlabel="time in s", ylim=(-4, 14))
    axes.legend(frameon=False, loc="upper right")


def draw(bounce, spin, step, path):
    plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False,
                         "axes.titlelocation": "left", "axes.titleweight": "bold",
                         "axes.edgecolor": GREY, "lines.linewidth": 1.8})
    figure, panels = plt.subplots(3, 1, figsize=(9, 9.5), sharex=True, layout="constrained")
    draw_height(panels[0], bounce, spin)
    draw_sliding(panels[1], spin)
    draw_percussions(panels[2], spin, step)
    panels[0].set_xlim(0, bounce["time"][-1])
    figure.savefig(path, dpi=130)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    fmu, png = sys.argv[1:]
    validate(fmu)
    experiment = read_model_description(fmu).defaultExperiment
    step, stop_time = float(experiment.stepSize), float(experiment.stopTime)
    bounce = simulate(fmu, step, stop_time, {})
    spin = simulate(fmu, step, stop_time, SPIN)
    good = print_comparison(compare(bounce, spin, step))
    draw(bounce, spin, step, png)
    if not good:
        sys.exit("the FMU does not reproduce the exact solution")


if __name__ == "__main__":
    main()
