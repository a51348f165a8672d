"""Beams on B-splines against exact solutions: statics of large rotations whatever the slenderness,
frequencies, curved beams, momenta; and what the guided hopper (GA 10.5) must show."""

import math

import numpy as np
import pytest

from test_beam import at_rest, relative_error
from tools import MODELS, clatter, mechanism, read_csv, try_clatter
from vibration import euler_frequency, push

CLAMP = '<ground/><rigid name="clamp" first="ground" second="rod.root"/>'
ENDS = '<frame name="root"/><frame name="tip" x="1"/>'


def cantilever(elements, degree, load, axial=1e3, attributes="", inside=""):
    """Length, EI: 1; the height of its cross section is sqrt(12/axial)."""
    return (f'<spline_beam name="rod" length="1" elements="{elements}" degree="{degree}" '
            f'axial_stiffness="{axial}" bending_stiffness="1" mass_per_length="0.1" '
            f'damping_time="0.5" {attributes}>{ENDS}{inside}</spline_beam>{CLAMP}{load}')


# --- statics ---

@pytest.mark.parametrize("degree, elements, attributes",
                         [(2, 3, ""), (3, 3, ""), (5, 1, ""), (2, 3, 'gauss_points="5"')])
def test_stretch(tmp_path, degree, elements, attributes):
    """A constant strain, to rounding."""
    load = '<force name="load" on="rod.tip" x="100*min(t/20, 1)"/>'
    end = at_rest(tmp_path, cantilever(elements, degree, load, attributes=attributes))
    assert end["rod.last_x"] == pytest.approx(1.1, abs=1e-13)
    assert end["rod.last_y"] == pytest.approx(0.0, abs=1e-13)
    assert end["rod.strain_energy"] == pytest.approx(0.5 * 100 * 0.1, rel=1e-12)


def roll_up_error(tmp_path, elements, degree, axial):
    """Distance of the tip from where the end moment bends it, 0.3 of a circle, and of its angle.
    Splines have no circles: nothing but the order is exact."""
    angle = 0.6 * math.pi
    load = f'<torque name="load" on="rod.tip" value="{angle}*min(t/20, 1)"/>'
    end = at_rest(tmp_path, cantilever(elements, degree, load, axial))
    exact = (math.sin(angle) / angle, (1 - math.cos(angle)) / angle)
    return (math.hypot(end["rod.last_x"] - exact[0], end["rod.last_y"] - exact[1]),
            abs(end["rod.last_angle"] - angle))


@pytest.mark.parametrize("axial", [1e3, 1e6])
@pytest.mark.parametrize("degree, expected, coarse", [(2, 4, 2e-3), (3, 4, 3e-4), (4, 6, 2e-6),
                                                      (5, 8, 2e-8)])
def test_part_of_a_circle(tmp_path, degree, expected, coarse, axial):
    errors = [roll_up_error(tmp_path, n, degree, axial) for n in (4, 8, 16)]
    assert errors[0][0] < coarse and errors[0][1] < 3 * coarse
    for error, finer in zip(errors, errors[1:]):
        assert math.log2(error[0] / finer[0]) > expected - 0.5, errors


def test_angle_of_the_tip_goes_on(tmp_path):
    """Beyond half a turn: not reduced to one."""
    angle = 3 * math.pi
    load = f'<torque name="load" on="rod.tip" value="{angle}*min(t/20, 1)"/>'
    end = at_rest(tmp_path, cantilever(12, 3, load))
    assert end["rod.last_angle"] == pytest.approx(angle, rel=5e-3)


def elastica(force, axial, n=2000):
    """The tip of a cantilever (L, EI: 1) under a force across, by Runge-Kutta's method from the
    root; the moment there by bisection."""

    def slope(x):
        stretch = 1 + force * math.sin(x[2]) / axial
        return np.array([stretch * math.cos(x[2]), stretch * math.sin(x[2]), x[3],
                         -stretch * force * math.cos(x[2])])

    def tip(moment):
        x = np.array([0, 0, 0, moment])
        for _ in range(n):
            a = slope(x)
            b = slope(x + a / (2 * n))
            c = slope(x + b / (2 * n))
            x = x + (a + 2 * b + 2 * c + slope(x + c / n)) / (6 * n)
        return x

    low, high = 0.0, force
    for _ in range(45):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if tip(middle)[3] > 0 else (middle, high)
    return tip(low)[:2]


def bent_error(tmp_path, elements, degree, axial, attributes=""):
    load = '<force name="load" on="rod.tip" y="5*min(t/20, 1)"/>'
    end = at_rest(tmp_path, cantilever(elements, degree, load, axial, attributes))
    return math.dist((end["rod.last_x"], end["rod.last_y"]), elastica(5, axial, 400))


def test_slender_beams_do_not_lock(tmp_path):
    """The error under a force at the tip, which bends it by 70 degrees, does not depend on the
    slenderness (height/length 0.1 to 3e-4). With strains integrated as they are it grows a
    hundredfold."""
    errors = {axial: bent_error(tmp_path, 4, 3, axial) for axial in (1e3, 1e5, 1e8)}
    assert max(errors.values()) < 1.5e-4, errors
    plain = bent_error(tmp_path, 4, 3, 1e8, 'gauss_points="3"')
    assert plain > 100 * errors[1e8]


@pytest.mark.parametrize("degree, expected", [(2, 2), (3, 4)])
def test_bent_by_a_force(tmp_path, degree, expected):
    errors = [bent_error(tmp_path, n, degree, 1e6) for n in (8, 16)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(expected, abs=0.4), errors


def test_gauges(tmp_path):
    """Force and moment of cross sections of a cantilever under a small load: F and F (L - x), in
    degrees 3 and 2, where the moment is constant in each element; stresses in the outer fibres."""
    force = 1e-3
    load = (f'<force name="load" on="rod.tip" x="{force}*min(t/20, 1)" y="{force}*min(t/20, 1)"/>'
            '<gauge name="g" at="rod.middle"/>')
    for degree, elements in ((3, 4), (2, 21)):
        end = at_rest(tmp_path, cantilever(elements, degree, load, inside='<point name="middle" '
                                           'x="0.5"/>', attributes='width="0.2" height="0.1"'))
        assert end["g.normal_force"] == pytest.approx(force, rel=2e-3)
        assert end["g.shear_force"] == pytest.approx(force, rel=2e-3)
        assert end["g.bending_moment"] == pytest.approx(force / 2, rel=2e-3)
        assert end["g.curvature"] == pytest.approx(force / 2, rel=2e-3)
        bending = 6 * force / 2 / (0.2 * 0.1 ** 2)
        assert end["g.stress_right"] == pytest.approx(force / 0.02 + bending, rel=2e-3)
        assert end["g.stress_left"] == pytest.approx(force / 0.02 - bending, rel=2e-3)


# --- frequencies ---

EI, MASS, HEIGHT = 1.0, 1.0, 1e-3


def vibrating(elements, degree, content):
    return (f'<spline_beam name="rod" length="1" elements="{elements}" degree="{degree}" '
            f'axial_stiffness="{12 * EI / HEIGHT ** 2}" bending_stiffness="{EI}" '
            f'mass_per_length="{MASS}">{ENDS}<frame name="middle" x="0.5"/></spline_beam>{content}')


def wave_number(guess, sign):
    """cos(beta) cosh(beta) = sign: clamped -1, free 1"""
    low, high = guess - 0.01, guess + 0.01
    for _ in range(100):
        middle = 0.5 * (low + high)
        value = (math.cos(middle) * math.cosh(middle) - sign) * \
            (math.cos(low) * math.cosh(low) - sign)
        low, high = (middle, high) if value > 0 else (low, middle)
    return low


def frequency_error(tmp_path, elements, degree, free):
    """Of the first frequency, of a cantilever or a free beam, from a run of the FMU."""
    omega = euler_frequency(EI, MASS, 1, wave_number(4.730 if free else 1.875, 1 if free else -1))
    dt = 2 * math.pi / omega / 100
    load = (push("rod.middle", dt, -1) + push("rod.root", dt, 0.5) + push("rod.tip", dt, 0.5)
            if free else CLAMP + push("rod.tip", dt))
    return relative_error(tmp_path, vibrating(elements, degree, load), dt, omega, "rod.last_y")


@pytest.mark.parametrize("free, degree, elements, expected",
                         [(False, 2, (8, 16, 32), 2), (False, 3, (4, 8, 16), 4),
                          (False, 4, (3, 6), 6), (True, 2, (8, 16, 32), 2),
                          (True, 3, (4, 8, 16), 4), (True, 4, (4, 8), 6)])
def test_first_frequency(tmp_path, free, degree, elements, expected):
    errors = [frequency_error(tmp_path, n, degree, free) for n in elements]
    orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
    assert orders == pytest.approx([expected] * len(orders), abs=0.35), errors


# --- motion ---

def momenta(rows, names, weights):
    """Linear momentum x, y and the angular one about the origin, from sensors at points of
    integration that are exact for them."""
    total = np.zeros((3, len(rows)))
    for name, weight in zip(names, weights):
        x, y, u, v = (rows[f"{name}.{k}"] for k in ("x", "y", "velocity_x", "velocity_y"))
        total += weight * np.array([u, v, x * v - y * u])
    return total


def test_free_beam_keeps_energy_and_momenta(tmp_path):
    """Bent by a push, then free and turning: the energy changes by what the scheme's order says,
    the momenta do not (theta = 0.5 is the midpoint rule, and q are places)."""
    elements, degree = 3, 3
    x, w = np.polynomial.legendre.leggauss(degree + 1)
    places = [float((k + 0.5 * (1 + a)) / elements) for k in range(elements) for a in x]
    weights = np.tile(0.5 * w / elements, elements)
    names = [f"s{i}" for i in range(len(places))]
    points = "".join(f'<point name="{n}" x="{p!r}"/>' for n, p in zip(names, places))
    sensors = "".join(f'<sensor name="{n}" at="rod.{n}"/>' for n in names)
    content = (f'<spline_beam name="rod" length="1" elements="{elements}" degree="{degree}" '
               'axial_stiffness="1e4" bending_stiffness="1" mass_per_length="1" '
               'initial_angular_velocity="3" initial_velocity_x="1">'
               f'<point name="middle" x="0.5"/>{points}</spline_beam>{sensors}'
               '<force name="push" on="rod.middle" y="if(t &lt; 0.1, 10*sin(10*pi*t)^2, 0)"/>')
    path = tmp_path / "model.xml"
    drift = []
    for step in (2e-3, 1e-3):
        path.write_text(mechanism(content, step=step, solver='theta="0.5" tolerance="1e-12"'))
        clatter("run", path, "--stop", 2, "-o", tmp_path / "free.csv")
        rows = read_csv(tmp_path / "free.csv")
        rows = rows[rows["time"] > 0.11]
        assert np.max(rows["rod.strain_energy"]) > 0.01
        linear_x, linear_y, angular = momenta(rows, names, weights)
        assert np.ptp(linear_x) < 1e-10 and np.ptp(linear_y) < 1e-10
        assert np.ptp(angular) < 1e-10 * abs(angular[0])
        drift.append(np.ptp(rows["energy.total"]) / rows["energy.total"][0])
    assert drift[1] < 1e-4
    assert drift[0] / drift[1] > 3.0, drift


def test_damping_is_accounted_for(tmp_path):
    """What the vibration loses is dissipated_by_damping; the balance has second order."""
    load = '<force name="push" on="rod.tip" y="if(t &lt; 0.2, sin(5*pi*t)^2, 0)"/>'
    content = cantilever(4, 3, load).replace('damping_time="0.5"', 'damping_time="0.01"')
    path = tmp_path / "model.xml"
    balance = []
    for step in (2e-3, 1e-3):
        path.write_text(mechanism(content, step=step, solver='theta="0.5"'))
        clatter("run", path, "--stop", 3, "-o", tmp_path / "damped.csv")
        rows = read_csv(tmp_path / "damped.csv")
        balance.append(np.max(np.abs(rows["energy.balance"])))
        lost = rows["energy.dissipated_by_damping"][-1]
        assert np.all(np.diff(rows["energy.dissipated_by_damping"]) >= 0)
    assert lost > 100 * balance[1]
    assert balance[0] / balance[1] == pytest.approx(4.0, rel=0.2)


# --- curved beams ---

def curve(curvature, angle, n=4000):
    """End and direction of the curve, by Simpson's rule"""
    s = np.linspace(0, 1, 2 * n + 1)
    kappa = curvature(s)
    turn = np.concatenate([[0], np.cumsum((kappa[:-1] + kappa[1:]) / 2 / (2 * n))])
    weights = np.ones(2 * n + 1)
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    weights /= 6 * n
    theta = angle + turn
    return weights @ np.cos(theta), weights @ np.sin(theta), theta[-1]


@pytest.mark.parametrize("text, curvature", [("2", lambda s: 2 + 0 * s),
                                             ("4 - 9*x", lambda s: 4 - 9 * s),
                                             ("5*sin(3*x)", lambda s: 5 * np.sin(3 * s))])
def test_curved_beam_is_relaxed(tmp_path, text, curvature):
    """It begins and ends where the curve does, with its directions, and stays there, clamped, at
    rest and without energy."""
    content = (f'<spline_beam name="rod" length="1" elements="5" curvature="{text}" width="0.01" '
               'height="0.01" youngs_modulus="2e11" density="7800" initial_angle="0.3">'
               '<frame name="root"/></spline_beam><ground><frame name="wall" angle="0.3"/></ground>'
               '<rigid name="clamp" first="ground.wall" second="rod.root"/>')
    end = at_rest(tmp_path, content, stop=1.0, step=1e-3)
    exact = curve(curvature, 0.3)
    told = [end["rod.last_x"], end["rod.last_y"], end["rod.last_angle"]]
    assert told == pytest.approx(exact, abs=1e-6)
    assert abs(end["rod.strain_energy"]) < 1e-15


def test_curved_beam_turns_as_if_rigid(tmp_path):
    """Turning slowly and freely, an arc stays one: rotations strain nothing."""
    content = ('<spline_beam name="rod" length="1" elements="3" degree="2" curvature="3" '
               'axial_stiffness="1e6" bending_stiffness="100" mass_per_length="1" '
               'initial_angular_velocity="0.1"/>')
    path = tmp_path / "model.xml"
    path.write_text(mechanism(content, step=0.01, solver='theta="1"'))
    clatter("run", path, "--stop", 50, "--interval", 0.5, "-o", tmp_path / "arc.csv")
    rows = read_csv(tmp_path / "arc.csv")
    chord = np.hypot(rows["rod.last_x"] - rows["rod.first_x"],
                     rows["rod.last_y"] - rows["rod.first_y"])
    assert np.ptp(rows["rod.last_angle"]) > 5 * math.pi / 3  # nearly a turn
    assert np.ptp(chord) < 1e-4 * chord[0]
    assert np.max(rows["rod.strain_energy"]) < 1e-4 * rows["energy.kinetic"][0]


def test_arch_under_a_load_is_linear_in_it(tmp_path):
    """Castigliano: the free end of a quarter of a circle (R 1, EI 1) under a small radial force F
    moves by pi/4 F along it and by 1/2 F across."""
    force = 1e-4
    content = (f'<spline_beam name="rod" length="pi/2" elements="8" curvature="1" '
               'axial_stiffness="1e7" bending_stiffness="1" mass_per_length="0.1" '
               'damping_time="0.5"><frame name="root"/><frame name="tip" x="pi/2"/></spline_beam>'
               f'{CLAMP}<force name="load" on="rod.tip" x="{force}*min(t/20, 1)"/>')
    end = at_rest(tmp_path, content)
    # from (0, 0) along x to (1, 1) along y; the moment of F along x at the angle a is F cos(a)
    assert end["rod.last_x"] - 1 == pytest.approx(math.pi / 4 * force, rel=1e-3)
    assert end["rod.last_y"] - 1 == pytest.approx(-force / 2, rel=1e-3)


# --- what users do wrong ---

@pytest.mark.parametrize("attributes, words", [
    ('youngs_modulus="2e9" density="1"', "has no stiffness"),
    ('width="1" height="1" youngs_modulus="1"', "has no mass"),
    ('width="1" height="1" youngs_modulus="1" density="1" curvature="log(x - 0.5)"',
     "has a curvature that is not finite all along its length")])
def test_what_is_missing_is_told(tmp_path, attributes, words):
    path = tmp_path / "model.xml"
    path.write_text(mechanism(f'<spline_beam name="rod" length="1" {attributes}/>'))
    done = try_clatter("run", path)
    assert done.returncode == 1
    assert words in done.stderr and "line 3" in done.stderr, done.stderr
    assert words in try_clatter("check", path).stdout


@pytest.mark.parametrize("attributes, words", [
    ('curvature="2*t"', "time t cannot be used here"), ('degree="1"', "degree"),
    ('degree="6"', "degree"), ('gauss_points="11"', "gauss_points"), ('elements="0"', "elements"),
    ('order="2"', "order"), ('curvature="1 +"', "curvature")])
def test_attributes_out_of_range(tmp_path, attributes, words):
    path = tmp_path / "model.xml"
    path.write_text(mechanism('<spline_beam name="rod" length="1" width="1" height="1" '
                              f'youngs_modulus="1" density="1" {attributes}/>'))
    done = try_clatter("check", path)
    assert done.returncode == 1 and "3:" in done.stdout and words in done.stdout, done.stdout


def test_shape_outside_of_the_beam(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(mechanism('<spline_beam name="rod" length="1" width="0.1" height="0.1" '
                              'youngs_modulus="1" density="1"><point name="p" x="1.1"/>'
                              '</spline_beam>'))
    assert "rod.p stands outside of rod" in try_clatter("check", path).stdout


# --- guided_hopper, GA 10.5 ---

@pytest.fixture(scope="module")
def hopper(tmp_path_factory):
    table = tmp_path_factory.mktemp("hopper") / "hopper.csv"
    clatter("run", MODELS / "guided_hopper.xml", "--all", "-o", table)
    return read_csv(table)


def test_hopper_friction_is_within_its_cone(hopper):
    """Figure 6: P_F within mu P_N all along; the foot slips one way, sticks, and slips back."""
    P_N, P_F = hopper["foot.normal_percussion"], hopper["foot.friction_percussion"]
    assert np.max(np.abs(P_F) - 0.2 * P_N) < 1e-12
    assert np.max(P_N) > 0.05
    for first, last in ((0.12, 0.2), (0.55, 0.62)):  # the two times that it is on the ground
        during = (hopper["time"] > first) & (hopper["time"] < last)
        assert np.max(P_F[during]) > 5e-3 and np.min(P_F[during]) < -5e-3
        assert {2, 3} <= set(hopper["foot.state"][during])
    assert np.all(P_N[(hopper["time"] > 0.2) & (hopper["time"] < 0.55)] == 0)


def test_hopper_joints_and_contact_hold(hopper):
    assert np.max(hopper["solver.joint_violation"]) < 1e-9
    assert np.min(hopper["foot.gap"]) > -1e-9
    closed = hopper["foot.normal_percussion"] > 0
    assert np.max(np.abs(hopper["foot.gap"][closed])) < 1e-9
    alpha = math.pi / 3 - math.pi / 30 * (1 - np.cos(4 * math.pi * hopper["time"]))
    assert hopper["thigh.angle"] == pytest.approx(alpha - math.pi / 2, abs=1e-9)
    assert hopper["shank.first_angle"] == pytest.approx(-math.pi / 2 - alpha, abs=1e-9)


def test_hopper_newton_updates(hopper):
    """GA: 1.23 on average, 5 at most"""
    steps = hopper["solver.steps"][-1]
    assert steps == 20000
    assert hopper["solver.total_iterations"][-1] <= 1.2 * steps
    assert hopper["solver.inexact_steps"][-1] == hopper["solver.retried_steps"][-1] == 0


def test_hopper_as_with_another_scheme(tmp_path, hopper):
    """Moreau-Jean with steps of a quarter: the same motion until the second contact. (Both differ
    from steps ten times as short by as much.)"""
    clatter("run", MODELS / "guided_hopper.xml", "--scheme", "moreau_jean", "--set",
            "solver.theta=1", "--step", 1.25e-5, "--interval", 1e-3, "--stop", 0.5, "-o",
            tmp_path / "moreau.csv")
    rows = read_csv(tmp_path / "moreau.csv")
    same = hopper[:len(rows) * 20:20][:len(rows)]
    assert same["time"] == pytest.approx(rows["time"])
    first = rows["time"] < 0.185  # it has left the ground again
    assert np.max(np.abs(same["trunk.y"] - rows["trunk.y"])[first]) < 5e-4
    assert np.max(np.abs(same["shank.last_x"] - rows["shank.last_x"])[first]) < 1e-3
    assert np.max(np.abs(same["trunk.y"] - rows["trunk.y"])) < 2e-3
