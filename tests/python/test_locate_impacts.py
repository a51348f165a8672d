"""Impacts at their own instants (solver.locate_impacts), through FMUs: the order of the schemes, rest
behind accumulations, energies, and that communication points, snapshots and splits are as ever."""

import math

import numpy as np
import pytest

import exact
import tools
from fmi2 import OK, Instance
from tools import MODELS

SCHEMES = {"moreau_jean": 1, "generalized_alpha": 2, "moreau_jean_projected": 3,
           "moreau_jean_combined": 4, "generalized_alpha_velocity": 5, "implicit_newmark": 6,
           "schatzman_paoli": 7, "lobatto": 8}
FRICTION = [name for name in SCHEMES if name != "schatzman_paoli"]
NO, YES = 1, 2


def simulate(fmu, scheme, stop, dt, output, locate=YES, communication=None, **settings):
    parameters = {"solver.scheme": SCHEMES[scheme], "solver.locate_impacts": locate}
    parameters |= {name.replace("__", "."): value for name, value in settings.items()}
    result = tools.simulate(fmu, stop, dt, parameters, [*output, "solver.failed_steps"],
                            communication=communication)
    assert abs(result["time"][-1] - stop) < 1e-9 and result["solver.failed_steps"][-1] == 0
    return result


# --- order ---

# Case 2 of the source: from 1.5 above the foot of the slope, onto it, and down
SLOPE = ["mass.x", "mass.y", "mass.velocity_x", "mass.velocity_y"]


def slope_at_end(stop=1.6, gravity=10.0, mu=0.3):
    """Falls along x = 0 to the slope, which falls at 45 degrees there; slides on."""
    t = math.sqrt(2 * 0.5 / gravity)
    speed = gravity * t * math.sqrt(0.5) * (1 - mu)  # P_N takes the velocity along the normal

    def slide(x):
        slope = -math.exp(-x[0])
        w = math.hypot(1.0, slope)
        N = gravity / w - slope / w**3 * x[1] ** 2
        return np.array([x[1] / w, -gravity * slope / w - mu * N])

    n = 4000
    x, speed = exact.rk4(slide, [0.0, speed], (stop - t) / n, n)[-1]
    w = math.hypot(1.0, math.exp(-x))
    return np.array([x, math.exp(-x), speed / w, -math.exp(-x) * speed / w])


@pytest.mark.parametrize("stages, steps", [(2, [2e-2, 1e-2, 5e-3]), (3, [0.1, 0.05, 0.025]),
                                           (4, [0.2, 0.1, 0.05]), (5, [0.2, 0.1])])
def test_onto_a_slope_and_down_with_stages(pack, stages, steps):
    """The order of the Lobatto schemes, 2s - 2, through the impact."""
    fmu = pack(MODELS / "point_on_slope.xml")
    truth = slope_at_end()
    errors = []
    for dt in steps:
        r = simulate(fmu, "lobatto", 1.6, dt, SLOPE, initial_height=1.5, solver__stages=stages,
                     solver__tolerance=1e-13)
        errors.append(max(abs(r[name][-1] - value) for name, value in zip(SLOPE, truth)))
    assert tools.orders(steps, errors) == pytest.approx(2 * stages - 2, abs=0.6)
    assert errors[-1] < [1e-4, 1e-6, 1e-9, 1e-10][stages - 2]


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_onto_a_slope_and_down_is_of_order_two(pack, rho):
    fmu = pack(MODELS / "point_on_slope.xml")
    truth = slope_at_end()
    steps = [2e-2, 1e-2, 5e-3, 2.5e-3]
    errors = {locate: [] for locate in (NO, YES)}
    for locate, found in errors.items():
        for dt in steps:
            r = simulate(fmu, "generalized_alpha", 1.6, dt, SLOPE, locate, initial_height=1.5,
                         solver__spectral_radius=rho)
            found.append(max(abs(r[name][-1] - value) for name, value in zip(SLOPE, truth)))
    assert tools.orders(steps, errors[YES]) == pytest.approx(2, abs=0.1)
    assert errors[YES][-1] < 0.1 * errors[NO][-1]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_ball_to_its_tenth_impact(pack, scheme):
    """Parabolas are exact to all schemes: what is left is rounding, at any step."""
    fmu = pack(MODELS / "bouncing_ball.xml")
    flights = 2 * 0.8 ** np.arange(1, 10)
    tenth = math.sqrt(2 * 0.801 / 10) * (1 + flights.sum())
    for dt in (0.04, 0.01):
        stop = dt * math.ceil(tenth / dt)
        r = simulate(fmu, scheme, stop, dt, ["ball.y", "solver.located_impacts", "energy.balance"])
        assert r["ball.y"] - 0.2 == pytest.approx(exact.bounce(r["time"], 10, 0.801, 0.8),
                                                  abs=1e-11)
        assert r["solver.located_impacts"][-1] >= 10
        assert np.abs(r["energy.balance"]).max() < 1e-11


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_ball_comes_to_rest(pack, scheme):
    fmu = pack(MODELS / "bouncing_ball.xml")
    r = simulate(fmu, scheme, 4.5, 1e-2, ["ball.y", "ball.velocity_y", "floor_contact.state",
                                          "solver.last_impact_time", "solver.located_impacts"])
    rest = r["time"] > 9 * math.sqrt(2 * 0.801 / 10) + 0.1
    assert r["ball.y"][rest] == pytest.approx(0.2, abs=1e-4)  # a tenth of what gravity does in a step
    assert np.abs(r["ball.velocity_y"][r["time"] > 4.4]).max() < 1e-5
    assert (r["floor_contact.state"][r["time"] > 4.4] != tools.OPEN).all()
    assert np.ptp(r["solver.located_impacts"][rest]) == 0


@pytest.mark.parametrize("scheme, order", [("moreau_jean", 2), ("generalized_alpha", 2),
                                           ("moreau_jean_projected", 2),
                                           ("moreau_jean_combined", 2), ("implicit_newmark", 1)])
def test_slider_crank_with_impacts(pack, scheme, order):
    """Some dozens of impacts of two corners at once, accumulations, sliding and parting."""
    fmu = pack(MODELS / "slider_crank.xml")
    names = ["slider.x", "slider.y", "slider.angle"]
    steps = [2e-4, 1e-4, 5e-5]
    reference = simulate(fmu, "generalized_alpha" if order == 2 else scheme, 0.05, steps[-1] / 8,
                         names, communication=1e-2)
    errors = []
    for dt in steps:
        r = simulate(fmu, scheme, 0.05, dt, [*names, "solver.located_impacts"], communication=1e-2)
        errors.append(max(abs(r[name][-1] - reference[name][-1]) for name in names))
        assert r["solver.located_impacts"][-1] > 20
    assert tools.orders(steps, errors) == pytest.approx(order, abs=0.25)


# --- accounts ---

@pytest.mark.parametrize("scheme", FRICTION[:4])  # the others lose energy between impacts, too
def test_energy_of_impacts_with_joints_and_friction(pack, scheme):
    """An impact is at one place, so that its work is exact: what is left of the balance is that of
    the motion before and behind it."""
    fmu = pack(MODELS / "slider_crank.xml")
    names = ["energy.balance", "energy.dissipated_by_impact", "energy.dissipated_by_friction"]
    # from just before the first impact, at 2.69 ms, to just behind it
    before, after = (simulate(fmu, scheme, stop, 1e-6, names, communication=stop)
                     for stop in (2.69e-3, 2.695e-3))
    lost = sum(after[name][-1] - before[name][-1] for name in names[1:])
    assert lost > 1e-3
    assert abs(after["energy.balance"][-1] - before["energy.balance"][-1]) < 1e-6 * lost


def test_forces_and_impulses_apart(pack):
    """A step with an impact elsewhere has the weight of a resting ball as a force, also with a scheme
    that knows sums alone."""
    fmu = pack(tools.mechanism("""<gravity y="-10"/><ground><line name="floor"/></ground>
<point_mass name="low" mass="2"><point name="foot"/></point_mass>
<point_mass name="high" mass="1" initial_x="1" initial_y="0.1007"><point name="foot"/></point_mass>
<contact name="seat" first="low.foot" second="ground.floor"/>
<contact name="strike" first="high.foot" second="ground.floor"/>"""))
    # percussions of schatzman_paoli are over the mean of two steps, which differ here
    for scheme in FRICTION:
        r = simulate(fmu, scheme, 0.2, 1e-3, ["seat.normal_force", "seat.normal_impulse",
                                              "seat.normal_percussion", "strike.normal_impulse"])
        r = r[1:]
        assert (r["strike.normal_impulse"] > 1e-3).sum() == 1
        assert r["strike.normal_impulse"].max() == pytest.approx(math.sqrt(2.014), rel=1e-9)
        assert r["seat.normal_force"] == pytest.approx(20.0, rel=1e-6)
        assert r["seat.normal_impulse"] == pytest.approx(0.0, abs=1e-9)
        assert r["seat.normal_percussion"] == pytest.approx(0.02, rel=1e-6)


# --- communication points, snapshots, splits ---

@pytest.mark.parametrize("model", ["slider_crank", "ball_in_corner"])
@pytest.mark.parametrize("scheme", FRICTION)
def test_to_the_last_bit(pack, model, scheme):
    """Steps of ten and of one internal step, and from a state that was serialized and went into
    another instance."""
    fmu = pack(MODELS / f"{model}.xml")
    dt, n, first = (1e-4, 100, 20) if model == "slider_crank" else (1e-2, 60, 20)
    settings = {"solver__scheme": SCHEMES[scheme], "solver__locate_impacts": YES,
                "solver__step_size": dt / 8}

    def go(instance, begin, end, parts):
        for i in range(begin * parts, end * parts):
            assert instance.step(i * dt / parts, dt / parts) == OK, instance.last_message()

    with Instance(fmu) as one, Instance(fmu) as other:
        one.start(**settings)
        other.start(**settings)
        go(one, 0, first, 1)
        state = one.serialize()
        go(one, first, n, 1)
        go(other, 0, n, 8)
        assert one.get("solver.located_impacts") > 0
        assert one.snapshot() == other.snapshot()
        status, loaded = other.deserialize(state)
        assert status == OK and other.SetFMUstate(loaded) == OK
        other.release(loaded)
        go(other, first, n, 1)
        assert one.snapshot() == other.snapshot()


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha"])
@pytest.mark.parametrize("model", ["rocking_block", "hopping_leg", "gripper", "impacting_pendulum",
                                   "slider_crank_3d"])
def test_models_go_on(tmp_path, model, scheme):
    """Nothing that could be made without locating impacts fails with it."""
    tools.clatter("run", MODELS / f"{model}.xml", "--all", "--scheme", scheme,
                  "--set=solver.locate_impacts=yes", "-o", tmp_path / "out.csv")
    r = tools.read_csv(tmp_path / "out.csv")
    assert r["solver.failed_steps"][-1] == 0
