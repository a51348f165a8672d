"""The schemes of PR and CH against a second implementation of each, written from the papers. Both
solve the same equations, so they must agree to the tolerance of the solvers."""

import re

import numpy as np
import pytest

import generalized_alpha_reference as alpha_reference
import tools
import velocity_schemes_reference as reference
from tools import MODELS, mechanism


def known_schemes():
    """Names that solver.scheme can have, as the program's complaint lists them."""
    done = tools.try_clatter("run", MODELS / "bouncing_point.xml", "--scheme", "?")
    return re.search("expected one of (.*)", done.stderr)[1].split(", ")


SCHEMES = [name for name in known_schemes() if name in reference.SCHEMES]
PLANAR = ["x", "y", "angle"], ["velocity_x", "velocity_y", "angular_velocity"]
POINT = ["x", "y"], ["velocity_x", "velocity_y"]
BAR = mechanism("""
<elastic_bar name="bar" length="10" elements="6" area="1" youngs_modulus="900" density="1"
             initial_x="5.007" initial_velocity_x="-10"><point name="tip"/></elastic_bar>
<ground><line name="wall" normal_angle="0"/></ground>
<contact name="wall_contact" first="bar.tip" second="ground.wall"/>""")

# model, system, dt, number of steps, bodies, contacts, joints, names, settings
CASES = {
    # not at the paper's height, whose impacts fall on the grid: rounding would decide about them
    "ball": ("bouncing_point", lambda: reference.Point((0.0, 1.00371), 0.4567, (0.0, -2.0)), 2e-2, 200,
             ["ball"], ["floor_contact"], [], POINT,
             {"ball.initial_y": 1.00371, "floor_contact.normal_restitution": 0.4567}),
    "oscillator": ("linear_oscillator", reference.LinearOscillator, 1e-2, 300, ["mass"],
                   ["wall_contact"], [], POINT, {}),
    "block": ("rocking_block", lambda: reference.RockingBlock(e=0.45), 1e-2, 120, ["block"],
              ["contact_a", "contact_b"], [], PLANAR,
              {f"contact_{side}.normal_restitution": 0.45 for side in "ab"}),
    "pendulum": ("impacting_pendulum", reference.ImpactingPendulum, 5e-3, 300, ["bob"], ["stop"],
                 ["hinge"], PLANAR, {}),
    "slider_crank": ("slider_crank", alpha_reference.SliderCrank, 1e-4, 120,
                     ["crank", "rod", "slider"],
                     ["front_top", "rear_top", "front_bottom", "rear_bottom"],
                     ["axle", "crank_pin", "slider_pin"], PLANAR, {}),
    "spinning_ball": ("rotating_ball", lambda: alpha_reference.RotatingBall(50.0, 0.3), 2e-3, 450,
                      ["ball"], ["floor_contact"], [], PLANAR,
                      {"ball.initial_angular_velocity": 50.0,
                       "floor_contact.normal_restitution": 0.3}),
    "bar": (BAR, lambda: reference.Bar(6, 10.0, 900.0, 1.0, 5.007, -10.0), 2e-3, 700, ["bar"],
            ["wall_contact"], [], (["first_x", "last_x"], []), {}),
}
FRICTION = {"slider_crank", "spinning_ball"}  # which schatzman_paoli does not take
ONCE = {"slider_crank", "spinning_ball", "bar"}  # with a scheme's first options alone
PAPERS = {"keep_active": False}
OPTIONS = {"moreau_jean": [{}, {"activation": "free"} | PAPERS],
           "moreau_jean_projected": [{}, {"forecast": 0.0} | PAPERS, {"forecast": 2.0} | PAPERS,
                                     {"activation": "free"} | PAPERS, {"theta": 1.0}],
           "moreau_jean_combined": [{}, PAPERS, {"theta": 1.0}],
           "schatzman_paoli": [{}, {"theta": 1.0}],
           "generalized_alpha_velocity": [{}, {"rho": 0.0}, {"alpha": "hht"}, {"alpha": "newmark"}],
           "implicit_newmark": [{}, PAPERS]}
SETTINGS = {"theta": "solver.theta", "forecast": "solver.forecast",
            "activation": "solver.activation", "rho": "solver.spectral_radius",
            "alpha": "solver.alpha", "keep_active": "solver.keep_active"}


def cases():
    for scheme in SCHEMES:
        for options in OPTIONS[scheme]:
            for name in CASES:
                if (scheme == "schatzman_paoli" and name in FRICTION) or (options and name in ONCE):
                    continue
                chosen = "-".join(f"{key}_{value}" for key, value in options.items())
                yield pytest.param(scheme, options, *CASES[name],
                                   id="-".join(filter(None, [scheme, chosen, name])))


def settings_of(scheme, options):
    """As the program's --set wants them; enumerations by name."""
    options = ({"rho": 0.8} if scheme == "generalized_alpha_velocity" else {"theta": 0.5}) | options
    words = {True: "yes", False: "no"}
    return {"solver.scheme": scheme} | {SETTINGS[key]: words.get(value, value) if
                                        key == "keep_active" else value
                                        for key, value in options.items()}


@pytest.fixture
def simulate(tmp_path):
    def simulate_model(model, stop, dt, settings):
        path = MODELS / f"{model}.xml"
        if "<" in model:
            path = tmp_path / "model.xml"
            path.write_text(model)
        options = [f"--set={name}={value}" for name, value in settings.items()]
        tools.clatter("run", path, "--all", "--stop", stop, "--step", dt, "-o",
                      tmp_path / "out.csv", *options)
        result = tools.read_csv(tmp_path / "out.csv")
        assert result["solver.failed_steps"][-1] == 0 and result["solver.retried_steps"][-1] == 0
        return result

    return simulate_model


@pytest.mark.parametrize("scheme, options, model, system, dt, n, bodies, contacts, joints, names, "
                         "settings", list(cases()))
def test_same_steps_as_the_papers_equations(simulate, scheme, options, model, system, dt, n, bodies,
                                            contacts, joints, names, settings):
    stepper = reference.SCHEMES[scheme](system(), dt, **options)
    expected = stepper.run(n)
    found = simulate(model, n * dt, dt,
                     settings | settings_of(scheme, options) | {"solver.tolerance": 1e-12})

    def agree(name, values, like=None, sign=1.0):
        difference = np.abs(sign * np.array(values).T - like)[1:]
        assert difference.max() <= 1e-8 * np.abs(like).max(), (
            name, difference.max(axis=1).argmax() + 1, difference.max())

    coordinates, velocities = names
    q = expected["q"]
    if bodies == ["bar"]:
        q = q[:, [0, -1]] + [5.007, 15.007]
    agree("q", [found[f"{body}.{name}"] for body in bodies for name in coordinates], q)
    if velocities:
        agree("u", [found[f"{body}.{name}"] for body in bodies for name in velocities],
              expected["u"])
    agree("P", [found[f"{contact}.{name}_percussion"] for contact in contacts
                for name in ("normal", "friction")], expected["P"])
