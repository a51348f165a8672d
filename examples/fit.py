"""Friction and restitution of a ball from a record of its motion, by least squares with scipy.

The record is made here, with known coefficients and noise of 2 mm, so that one sees what comes back.

    pip install scipy
    python examples/fit.py
"""

from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

import clatter

MODEL = Path(__file__).parents[1] / "resources" / "models" / "rotating_ball.xml"
NAMES = ["floor_contact.friction_coefficient", "floor_contact.normal_restitution"]
TRUTH = [0.23, 0.62]
NOISE = 2e-3  # m
# A ball with backspin bounces a few times and slides in each of its impacts. Where impacts are
# located the motion is a smooth function of the coefficients, which least squares can follow.
SETTINGS = {
    "ball.initial_angular_velocity": 200,  # rad/s
    "solver.scheme": "generalized_alpha",
    "solver.locate_impacts": True,
}
STOP, INTERVAL = 1.0, 0.01  # s


def positions(motion):
    return np.concatenate([motion["ball.x"], motion["ball.y"]])


def main():
    model = clatter.Model(MODEL)

    def simulate(coefficients):
        parameters = SETTINGS | dict(zip(NAMES, coefficients, strict=True))
        return positions(model.simulate(STOP, parameters=parameters, interval=INTERVAL))

    record = simulate(TRUTH)
    record += np.random.default_rng(1).normal(0, NOISE, record.shape)

    # A coarse grid first: least squares finds the valley that it starts in.
    grid = {NAMES[0]: np.linspace(0.05, 0.45, 9), NAMES[1]: np.linspace(0.1, 0.9, 9)}
    errors = clatter.sweep(
        model, grid, stop=STOP, interval=INTERVAL, parameters=SETTINGS,
        reduce=lambda motion: np.sum((positions(motion) - record) ** 2),
    )
    best = errors["value"].where(errors["value"] == errors["value"].min(), drop=True)
    start = [float(best[name][0]) for name in NAMES]

    fit = least_squares(lambda x: simulate(x) - record, start, diff_step=1e-4, bounds=(0, 1))
    # Standard errors from the curvature of the sum of squares and the scatter about the fit.
    scatter = fit.fun @ fit.fun / (len(fit.fun) - len(fit.x))
    sigma = np.sqrt(scatter * np.diag(np.linalg.inv(fit.jac.T @ fit.jac)))
    for name, truth, value, error in zip(NAMES, TRUTH, fit.x, sigma, strict=True):
        print(f"{name}: {value:.4f} ± {error:.4f} (made with {truth})")
    return fit.x, sigma


if __name__ == "__main__":
    main()
