"""The schemes of PR and CH against a second implementation of each, written from the papers. Both
solve the same equations, so they must agree to the tolerance of the solvers."""

import re

import numpy as np
import pytest

import exact
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
    "ball": ("bouncing_point", lambda: reference.Point((0.0, 1.00371), 0.4567, (0.0, -2.0)), 2e-2,
             200, ["ball"], ["floor_contact"], [], POINT,
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
                id = "-".join(filter(None, [scheme, chosen, name]))
                yield pytest.param(scheme, options, *CASES[name], id=id)


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


@pytest.mark.parametrize("scheme", SCHEMES)
def test_strong_dampers_take_one_update(simulate, scheme):
    """Newton's matrix has the derivatives of forces that each scheme's own equations have."""
    model = mechanism("""<point_mass name="mass" mass="1" initial_x="1" initial_velocity_x="3"/>
<ground><point name="anchor" x="-50"/></ground>
<spring_damper name="spring" first="mass" second="ground.anchor" stiffness="1e5" damping="1e4"
               free_length="50"/>""", step=1)
    r = simulate(model, 0.1, 1e-3, {"solver.scheme": scheme})
    assert r["solver.total_iterations"][-1] <= 101


@pytest.mark.parametrize("rho", [0.0, 0.8])
def test_stiff_bar_in_contact_takes_one_update(simulate, rho):
    """CH (29): percussions displace the bar, and its stiff elements answer within the step."""
    r = simulate("impacting_bar", 8e-4, 4e-6, {"solver.scheme": "generalized_alpha_velocity",
                                               "solver.spectral_radius": rho})
    assert (r["wall_contact.normal_percussion"] > 0).sum() > 50
    assert r["solver.total_iterations"][-1] == r["solver.steps"][-1]


# --- what CH says of its schemes ---

CH_SCHEMES = {"moreau_jean": {"solver.theta": 1.0}, "implicit_newmark": {},
              "generalized_alpha_velocity": {"solver.spectral_radius": 0.8}}


def ch_settings(scheme):
    return {"solver.scheme": scheme, "solver.forecast": 0.0} | CH_SCHEMES[scheme]


@pytest.mark.parametrize("scheme", CH_SCHEMES)
def test_ball_converges_with_order_one(simulate, scheme):
    """CH figure 5, position and velocity on [0, 4] s in the norm (42)."""
    steps, errors = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4], []
    for dt in steps:
        r = simulate("bouncing_ball", 4.0, dt, ch_settings(scheme))
        t = r["time"]
        errors.append((exact.relative_l1(r["ball.y"], exact.bounce(t, 10, 0.801, 0.8) + 0.2),
                       exact.relative_l1(r["ball.velocity_y"],
                                         exact.bounce_velocity(t, 10, 0.801, 0.8))))
    orders = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert (0.85 < orders).all() and (orders < 1.2).all(), orders


def test_oscillator_is_ten_times_as_accurate(simulate):
    """CH figures 7 and 8 at 5e-4 s on [0.4, 1.0] s."""
    error, energy = {}, {}
    for scheme in CH_SCHEMES:
        r = simulate("bouncing_oscillator", 1.0, 5e-4, ch_settings(scheme))
        energy[scheme] = r["energy.total"][-1]
        r = r[r["time"] >= 0.4 - 1e-9]
        y, v = exact.BouncingOscillator().states(r["time"])
        error[scheme] = (exact.relative_l1(r["lower.y"], y[:, 0]),
                         exact.relative_l1(r["lower.velocity_y"], v[:, 0]))
    alpha, newmark, euler = (np.array(error[name]) for name in (
        "generalized_alpha_velocity", "implicit_newmark", "moreau_jean"))
    assert (alpha < newmark).all() and (newmark < euler).all()
    assert (alpha < euler / 8).all()
    assert (energy["generalized_alpha_velocity"] > energy["implicit_newmark"]
            > energy["moreau_jean"])


def test_bar_keeps_its_energy(simulate):
    """CH figures 9 and 10: pressure 300 Pa for 2/3 s. From CH's 5 m the bar arrives on the grid, and
    rounding decides the step of the impact: not here."""
    energy = {}
    for scheme in CH_SCHEMES:
        r = simulate("bouncing_bar", 2.0, 2e-3, ch_settings(scheme) | {"bar.initial_x": 5.01})
        force = r["wall_contact.normal_percussion"] / 2e-3
        assert np.median(force[force > 0]) == pytest.approx(300, rel=1e-3)
        pressed = r["time"][force > 0]  # damping rounds the end of the pressure, not of the contact
        assert 0.501 < pressed[0] < 0.5045  # an impact is noticed at the end of its step
        assert pressed[-1] == pytest.approx(0.501 + 2 / 3, abs=5e-3)
        energy[scheme] = r["energy.total"][-1] / r["energy.total"][0]
    assert energy["generalized_alpha_velocity"] > 0.99
    assert 0.99 > energy["implicit_newmark"] > energy["moreau_jean"] > 0.8


def test_pendulum_converges_and_its_hinge_drifts_little(simulate):
    """CH figures 13 and 15, against an integration between impacts."""
    for scheme in CH_SCHEMES:
        steps, errors = [4e-3, 2e-3, 1e-3], []
        for dt in steps:
            r = simulate("impacting_pendulum", 1.0, dt, ch_settings(scheme))
            angle, _ = exact.impacting_pendulum(r["time"])
            errors.append(exact.relative_l1(r["bob.x"], np.cos(angle)))
        assert tools.orders(steps, errors) == pytest.approx(1.0, abs=0.2), (scheme, errors)
        drift = r["solver.joint_violation"].max()
        assert drift > 5e-4 if scheme == "moreau_jean" else drift < 5e-6, (scheme, drift)


def test_slider_crank_of_ch(simulate):
    """CH figures 16 and 17: frictionless, g 10, 1e-4 s; joints drift least with CH's scheme."""
    frictionless = {f"{side}.friction_coefficient": 0.0 for side in
                    ("front_top", "rear_top", "front_bottom", "rear_bottom")} | {"gravity.y": -10.0}
    drift = {}
    for scheme in CH_SCHEMES:
        r = simulate("slider_crank", 0.08, 1e-4, ch_settings(scheme) | frictionless)
        drift[scheme] = r["solver.joint_violation"].max()
        assert r["solver.penetration"].max() < 3e-4 and r["crank.angle"][-1] > 2 * np.pi
    assert drift["generalized_alpha_velocity"] < 1e-5 and drift["implicit_newmark"] < 1e-5
    assert drift["moreau_jean"] > 1e-4


ALPHAS = "generalized_alpha_velocity", "generalized_alpha"
OTHERS = "moreau_jean", "implicit_newmark"


def follow(tmp_path, model, stop, dt, fine):
    """Runs of CH's schemes and of GA's, and of Moreau-Jean at the fine step"""
    def run(scheme, step):
        settings = ch_settings(scheme) if scheme in CH_SCHEMES else {"solver.scheme": scheme}
        tools.clatter("run", MODELS / f"{model}.xml", "--stop", stop, "--step", step, "--interval", dt,
                      "-o", tmp_path / "run.csv", *(f"--set={k}={v}" for k, v in settings.items()))
        r = tools.read_csv(tmp_path / "run.csv")
        assert r["solver.failed_steps"][-1] == 0
        return r

    return run("moreau_jean", fine), {scheme: run(scheme, dt) for scheme in (*ALPHAS, *OTHERS)}


def test_rotating_beam_of_ch(tmp_path):
    """CH figures 11 and 12: until the second impact generalized-alpha of both kinds at 5e-4 follows
    the tip and the energy of Moreau-Jean at 2e-5 closer than the other two; 1e-3 still converges."""
    reference, runs = follow(tmp_path, "rotating_beam", 0.7, 5e-4, 2e-5)
    tip = {name: np.abs(r["rod.last_x"] - reference["rod.last_x"]).max()
           for name, r in runs.items()}
    energy = {name: np.abs(r["energy.total"] - reference["energy.total"])[-1]
              for name, r in runs.items()}
    assert max(tip[name] for name in ALPHAS) < 0.8 * min(tip[name] for name in OTHERS), tip
    assert max(energy[name] for name in ALPHAS) < 0.8 * min(energy[name] for name in OTHERS), energy
    _, runs = follow(tmp_path, "rotating_beam", 1.0, 1e-3, 1e-3)
    for name in ALPHAS:
        assert runs[name]["rod.last_x"].min() > np.sqrt(0.5) - 5e-3


def test_flexible_slider_crank_of_ch(tmp_path):
    """CH figures 18 and 19: generalized-alpha at 1e-4 keeps the energy of vibrations as Moreau-Jean
    at 1e-6 does, the other two lose it at once."""
    reference, runs = follow(tmp_path, "flexible_slider_crank", 0.05, 1e-4, 1e-6)
    energy = {name: np.abs(r["energy.total"] - reference["energy.total"]).max()
              for name, r in runs.items()}
    assert max(energy[name] for name in ALPHAS) < 0.1 * min(energy[name] for name in OTHERS), energy

    def shake(r):  # of the crank, from step to step
        return np.std(np.diff(r["crank.first_angular_velocity"][300:]))

    for name in ALPHAS:
        assert 0.5 < shake(runs[name]) / shake(reference) < 2.0
    for name in OTHERS:
        assert shake(runs[name]) < 0.3 * shake(reference)


def test_spectral_radii(simulate):
    """CH figure 1: what a step leaves of an oscillation of frequency omega dt, by the recurrence
    that positions follow, against eigenvalues of the schemes' formulas."""
    model = mechanism("""<parameter name="stiffness" value="1"/>
<point_mass name="mass" mass="1" initial_x="1"/><ground><point name="anchor" x="-50"/></ground>
<spring_damper name="spring" first="mass" second="ground.anchor" stiffness="stiffness"
               free_length="50"/>""", step=1)
    for w in (0.3, 1.0, 3.0):
        for scheme, expected in (("moreau_jean", 1 / np.sqrt(1 + w * w)),
                                 ("implicit_newmark", radius(w, 1.0, 0.0, 0.0)),
                                 ("generalized_alpha_velocity",
                                  radius(w, 0.5 + 1 / 9, 1 / 3, 4 / 9))):
            order = 3 if scheme == "generalized_alpha_velocity" else 2
            x = simulate(model, 3.0 * order, 1.0,
                         ch_settings(scheme) | {"stiffness": w * w})["mass.x"]
            rows = np.array([x[i:i + order + 1] for i in range(len(x) - order)])
            c = np.linalg.lstsq(rows[:, :-1], -rows[:, -1], rcond=None)[0]
            assert np.abs(np.roots([1, *c[::-1]])).max() == pytest.approx(expected, rel=1e-4)


def radius(w, gamma, alpha_m, alpha_f):
    """CH (25) to (27) with omega dt = w, dt = 1, as a map of (q, v, a)."""
    beta = 0.25 * (gamma + 0.5) ** 2
    new = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - alpha_f) * w * w, 0, 1 - alpha_m]])
    old = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-alpha_f * w * w, 0, -alpha_m]])
    return np.abs(np.linalg.eigvals(np.linalg.solve(new, old))).max()
