"""Cams in polar form and curves that touch every shape of the plane: followers against the exact
lift and acceleration, planks on humps, circles in hollows, masses, and what is no profile."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import tools
from tools import MODELS, NAMESPACE, clatter, mechanism, try_clatter

G = 9.81
SPEED = 10.0  # rad/s
R, E, ROLLER = 0.03, 0.005, 0.01
POSITION_LEVEL = ("generalized_alpha", "lobatto")
ECCENTRIC = f"{E}*cos(angle) + sqrt({R}^2 - ({E}*sin(angle))^2)"  # a circle about (E, 0)
OUTPUTS = ("tappet.y", "tappet.acceleration_y", "touch.closed_points", "solver.penetration",
           "solver.failed_steps")


@pytest.fixture
def simulate(tmp_path):
    def run_model(text, stop, step=1e-3, scheme="generalized_alpha", **settings):
        path = tmp_path / "model.xml"
        path.write_text(text)
        clatter("run", path, "-o", tmp_path / "out.csv", "--stop", stop, "--scheme", scheme,
                f"--set=solver.step_size={step}",
                *(f"--set={key}={value!r}" for key, value in settings.items()))
        result = tools.read_csv(tmp_path / "out.csv")
        assert result["solver.failed_steps"][-1] == 0
        return result

    return run_model


def follower(cam, face, y, velocity):
    """A driven cam under a tappet that slides along y."""
    outputs = "".join(f'<output variable="{name}"/>' for name in OUTPUTS)
    return mechanism(
        f'<gravity y="-9.81"/><driven_frame name="shaft" angle="{SPEED}*t">'
        f'<cam name="cam" {cam}/></driven_frame>'
        f'<planar_body name="tappet" mass="0.2" inertia="1e-4" initial_y="{y!r}" '
        f'initial_velocity_y="{velocity!r}">{face}<frame name="stem" angle="pi/2"/></planar_body>'
        '<ground><frame name="guide" angle="pi/2"/></ground>'
        '<prismatic name="slide" first="ground.guide" second="tappet.stem"/>'
        '<contact name="touch" first="shaft.cam" second="tappet.face"/>'
        f'<outputs>{outputs}</outputs>')


def assert_follows(result, y, acceleration):
    """Lift to 1e-12 m and acceleration to 1e-9 of its size: what the exact function asks for."""
    assert (result["touch.closed_points"][1:] == 1).all()
    assert np.abs(result["tappet.y"] - y).max() < 1e-12
    wrong = np.abs(result["tappet.acceleration_y"] - acceleration)[1:]
    assert wrong.max() < 1e-9 * np.abs(acceleration).max()


# --- followers ---

FLAT = {
    "line": '<line name="face" normal_angle="-pi/2"/>',
    "segment": '<segment name="face" x_1="-0.04" x_2="0.04"/>',
    "box": '<box name="face" length="0.08" height="0.02" y="0.01"/>',
    "polygon": '<polygon name="face"><vertex x="-0.04"/><vertex x="0.04"/><vertex y="0.05"/>'
               '</polygon>',
    "outline": '<outline name="face"><to x="-0.04"/><to x="0.04"/><to x="0.04" y="-0.1"/>'
               '<to x="0.05" y="-0.1"/><to x="0.05" y="0.01"/><to x="-0.04" y="0.01"/></outline>',
}
ROUND = {
    "circle": f'<circle name="face" radius="{ROLLER}"/>',
    "arc": f'<arc name="face" radius="{ROLLER - 1e-3}" thickness="0.002" from_angle="-2.8" '
           'to_angle="0.2"/>',
    "cam": f'<cam name="face" y="-0.004" function="0.004*sin(angle) + sqrt({ROLLER}^2 - '
           '(0.004*cos(angle))^2)"/>',
}


@pytest.mark.parametrize("scheme", POSITION_LEVEL)
@pytest.mark.parametrize("face", FLAT)
def test_flat_face_on_an_eccentric(simulate, face, scheme):
    result = simulate(follower(f'function="{ECCENTRIC}"', FLAT[face], R, E * SPEED), 1.0,
                      scheme=scheme)
    angle = SPEED * result["time"]
    assert_follows(result, R + E * np.sin(angle), -E * SPEED**2 * np.sin(angle))


def roller_motion(angle, reach):
    """Of a round follower whose centre is over the shaft, the sum of radii being reach"""
    height = np.sqrt(reach**2 - (E * np.cos(angle)) ** 2)
    rate = E**2 * np.sin(angle) * np.cos(angle) * SPEED / height
    second = (E**2 * SPEED**2 * np.cos(2 * angle) - rate**2) / height
    return E * np.sin(angle) + height, -E * SPEED**2 * np.sin(angle) + second


@pytest.mark.parametrize("scheme", POSITION_LEVEL)
@pytest.mark.parametrize("face", [*ROUND, "point"])
def test_round_face_on_an_eccentric(simulate, face, scheme):
    reach = R + (0 if face == "point" else ROLLER)
    shape = '<point name="face"/>' if face == "point" else ROUND[face]
    start = math.sqrt(reach**2 - E**2)
    result = simulate(follower(f'function="{ECCENTRIC}"', shape, start, E * SPEED), 1.0,
                      scheme=scheme)
    assert_follows(result, *roller_motion(SPEED * result["time"], reach))


def test_cam_within_a_ring(simulate):
    """A yoke with a round hole that hangs on the eccentric from inside"""
    hole = 0.05
    start = -math.sqrt((hole - R) ** 2 - E**2)
    result = simulate(follower(f'function="{ECCENTRIC}"', f'<ring name="face" radius="{hole}"/>',
                               start, E * SPEED), 1.0)
    angle = SPEED * result["time"]
    y = E * np.sin(angle) - np.sqrt((hole - R) ** 2 - (E * np.cos(angle)) ** 2)
    assert np.abs(result["tappet.y"] - y).max() < 1e-12


# A cycloidal rise over a third of a turn, a dwell, a fall and a dwell, from 40 to 50 mm
CYCLOID = ("0.04 + 0.01*if(angle &lt; b, angle/b - sin(2*pi*angle/b)/(2*pi), if(angle &lt; pi, 1, "
           "if(angle &lt; pi + b, 1 - (angle - pi)/b + sin(2*pi*(angle - pi)/b)/(2*pi), 0)))")
BETA = 2 * math.pi / 3


def cycloid(angle):
    """Lift of the knife edge, and its second derivative in the angle, which is continuous"""
    a = np.mod(angle, 2 * np.pi)
    x = np.where(a < np.pi, a, a - np.pi) / BETA
    sign = np.where(a < np.pi, 1.0, -1.0)
    rising = x < 1
    rise = np.where(rising, x - np.sin(2 * np.pi * x) / (2 * np.pi), 1.0)
    second = np.where(rising, 2 * np.pi * np.sin(2 * np.pi * x) / BETA**2, 0.0)
    return 0.04 + 0.01 * np.where(a < np.pi, rise, 1 - rise), 0.01 * sign * second


@pytest.mark.parametrize("scheme", POSITION_LEVEL)
def test_knife_edge_on_a_cycloidal_cam(simulate, scheme):
    """Dwells, hollow flanks and all: the edge over the shaft has the radius as its height. The
    cam's own angle under it falls as the shaft turns."""
    text = follower(f'function="{CYCLOID}"', '<point name="face"/>', 0.04, 0.0)
    text = text.replace("<gravity", f'<parameter name="b" value="{BETA!r}"/><gravity', 1)
    text = text.replace('<cam name="cam"', '<cam name="cam" angle="pi/2"')
    result = simulate(text, 1.2, step=5e-4, scheme=scheme)
    lift, second = cycloid(-SPEED * result["time"])
    assert_follows(result, lift, SPEED**2 * second)


def test_forces_go_on_around_the_cam(simulate):
    """The record of the contact travels with it: no force jumps from step to step."""
    result = simulate(follower(f'function="{ECCENTRIC}"', FLAT["line"], R, E * SPEED).replace(
        '<output variable="touch.closed_points"/>',
        '<output variable="touch.closed_points"/><output variable="touch.total_normal_force"/>'),
        1.3)
    force = result["touch.total_normal_force"]
    expected = 0.2 * (G - E * SPEED**2 * np.sin(SPEED * result["time"]))
    assert np.abs(force - expected).max() < 1e-5 * expected.max()


# --- the model ---

@pytest.mark.parametrize("scheme", POSITION_LEVEL)
def test_cam_tappet(tmp_path, scheme):
    """The face is where the support function h(psi) = max r(phi) cos(phi - psi) is, psi being its
    direction in the cam; y'' = omega^2 (rho - h) with the radius of curvature rho."""
    clatter("run", MODELS / "cam_tappet.xml", "-o", tmp_path / "out.csv", "--scheme", scheme)
    result = tools.read_csv(tmp_path / "out.csv")[::25]
    base, nose, omega = 0.02, 0.004, 40 * math.pi

    def r(phi):
        return base + nose * math.sin(phi / 2) ** 4

    def slope(phi):
        return 2 * nose * math.sin(phi / 2) ** 3 * math.cos(phi / 2)

    def bend(phi):
        s, c = math.sin(phi / 2), math.cos(phi / 2)
        return nose * (3 * s**2 * c**2 - s**4)

    for row in result:
        psi = -omega * row["time"]  # pi/2 of the face less pi/2 of the cam on its shaft

        def tangent(phi):
            return slope(phi) * math.cos(phi - psi) - r(phi) * math.sin(phi - psi)

        phi = brentq(tangent, psi - 0.5, psi + 0.5, xtol=1e-15)
        h = r(phi) * math.cos(phi - psi)
        rho = (r(phi)**2 + slope(phi)**2)**1.5 / (r(phi)**2 + 2 * slope(phi)**2
                                                  - r(phi) * bend(phi))
        assert row["tappet.y"] == pytest.approx(h, abs=1e-14)
        assert row["tappet.acceleration_y"] == pytest.approx(omega**2 * (rho - h), abs=1e-8)
        assert row["touch.closed_points"] == 1


def test_cam_tappet_flies(tmp_path):
    out = tmp_path / "out.csv"
    clatter("run", MODELS / "cam_tappet.xml", "-o", out, "--set=speed=60", "--scheme=lobatto")
    result = tools.read_csv(out)
    assert (result["touch.closed_points"] == 1).all()
    assert result["touch.total_normal_force"].min() == pytest.approx(8.24, abs=0.02)
    clatter("run", MODELS / "cam_tappet.xml", "-o", out, "--set=speed=80", "--scheme=lobatto")
    result = tools.read_csv(out)
    assert result["touch.smallest_gap"].max() == pytest.approx(1.143e-3, rel=1e-2)
    assert result["touch.total_normal_impulse"].max() > 0.1


# --- curves ---

def over_curve(body, function, contact='<contact name="touch" first="body.s" second="ground.curve" '
               'friction_coefficient="1"/>', curve=""):
    return mechanism(f'<gravity y="-{G}"/>{body}<ground><curve name="curve" function="{function}" '
                     f'{curve}/></ground>{contact}')


@pytest.mark.parametrize("scheme", POSITION_LEVEL)
def test_plank_rocks_on_a_hump(simulate, scheme):
    """A board of half thickness h on a top of radius R_c, which no corner touches: it rocks with
    omega^2 = g (R_c - h)/(k^2 + h^2)."""
    top, h, length = 0.5, 0.02, 0.4
    k2 = (length**2 + 4 * h**2) / 12
    body = (f'<planar_body name="body" mass="1" inertia="{k2}" initial_y="{h}" '
            f'initial_angular_velocity="0.02" initial_velocity_x="{-0.02 * h}">'
            f'<box name="s" length="{length}" height="{2 * h}"/></planar_body>')
    result = simulate(over_curve(body, f"-x^2/(2*{top})"), 1.0, scheme=scheme)
    angle, t = result["body.angle"], result["time"]
    i = np.flatnonzero((angle[1:-1] > 0) & (angle[2:] <= 0))[0] + 1
    half_turn = t[i] + 1e-3 * angle[i] / (angle[i] - angle[i + 1])
    omega = math.sqrt(G * (top - h) / (k2 + h**2))
    assert half_turn == pytest.approx(math.pi / omega, rel=2e-4)
    assert (result["touch.closed_points"] == 1).all()
    assert result["solver.penetration"].max() < 1e-12


def test_plank_rests_on_three_humps(simulate):
    body = ('<planar_body name="body" mass="1" inertia="0.02" initial_y="0.02">'
            '<box name="s" length="0.5" height="0.02"/></planar_body>')
    result = simulate(over_curve(body, "0.01*cos(2*pi*x/0.2)"), 1.0)
    assert np.abs(result["body.y"] - 0.02).max() < 1e-12
    assert np.abs(result["body.angle"]).max() < 1e-12
    assert (result["touch.closed_points"] == 3).all()
    assert result["touch.total_normal_force"] == pytest.approx(G, rel=1e-8)


def test_circle_touches_both_sides_of_a_hollow(simulate):
    """y = sqrt(x^2 + e^2) turns more narrowly at its bottom than the circle is."""
    radius, e = 0.1, 0.01
    body = ('<planar_body name="body" mass="1" inertia="0.01" initial_y="0.16">'
            f'<circle name="s" radius="{radius}" group="discs"/></planar_body>')
    result = simulate(over_curve(body, f"sqrt(x^2 + {e}^2)", curve='group="ground"', contact=(
        '<contacts name="touch" first="discs" second="ground"/>')), 1.0)

    def distance(y):
        return minimize_scalar(lambda x: math.hypot(x, y - math.sqrt(x**2 + e**2)),
                               bounds=(0.01, 0.2), method="bounded",
                               options={"xatol": 1e-13}).fun

    y = brentq(lambda height: distance(height) - radius, 0.12, 0.16)
    assert result["body.y"][-1] == pytest.approx(y, abs=1e-9)
    assert result["touch.contacts"][-1] == 2
    foot = brentq(lambda x: 2 * x**2 - y * x**2 / math.sqrt(x**2 + e**2), 0.02, 0.2)
    slope = foot / math.sqrt(foot**2 + e**2)
    assert result["touch.total_normal_force"][-1] == pytest.approx(
        G * math.sqrt(1 + slope**2), rel=1e-5)


MOVING = {
    "segment": '<segment name="s" x_1="-0.1" x_2="0.1"/>',
    "arc": '<arc name="s" radius="0.1" thickness="0.01" from_angle="-2" to_angle="2"/>',
    "polygon": '<polygon name="s" sides="5" radius="0.1"/>',
    "outline": '<outline name="s"><to x="-0.1"/><to x="0.1"/><to x="0.1" y="0.1"/>'
               '<arc_to x="-0.1" y="0.1" radius="-0.15"/></outline>',
    "cam": '<cam name="s" function="0.1 + 0.005*cos(3*angle)"/>',
    "box": '<box name="s" length="0.3" height="0.05"/>',
}


@pytest.mark.parametrize("shape", MOVING)
@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha"])
def test_nothing_falls_through_a_wavy_curve(simulate, shape, scheme):
    body = ('<planar_body name="body" mass="1" inertia="5e-3" initial_y="0.2" '
            f'initial_velocity_x="0.5" initial_angular_velocity="-4">{MOVING[shape]}</planar_body>')
    result = simulate(over_curve(body, "0.01*sin(20*x)"), 1.5, scheme=scheme)
    step_way = 1e-3 * math.sqrt(2 * G * 0.3)
    assert result["solver.penetration"].max() < (step_way if scheme == "moreau_jean" else 1e-6)
    assert result["touch.closed_points"].max() > 0
    assert result["energy.total"][-1] <= result["energy.total"][0] + 1e-6


@pytest.mark.parametrize("scheme", POSITION_LEVEL)
def test_rocker_on_a_line(simulate, scheme):
    """A parabola with its top down rolls on a line: a body whose centre of mass is d below the
    centre of curvature of its foot swings with omega^2 = m g d/(J + m (R_c - d)^2)."""
    curvature, d, inertia = 0.3, 0.1, 0.01
    body = (f'<planar_body name="body" mass="1" inertia="{inertia}" initial_y="{curvature - d}" '
            'initial_angular_velocity="0.02" '
            f'initial_velocity_x="{-0.02 * (curvature - d)}"><curve name="s" y="{d - curvature}" '
            f'angle="pi" reach="0.2" function="-x^2/(2*{curvature})"/></planar_body>')
    text = mechanism(f'<gravity y="-{G}"/>{body}<ground><line name="floor"/></ground>'
                     '<contact name="touch" first="body.s" second="ground.floor" '
                     'friction_coefficient="1"/>')
    result = simulate(text, 1.5, scheme=scheme)
    angle, t = result["body.angle"], result["time"]
    i = np.flatnonzero((angle[1:-1] > 0) & (angle[2:] <= 0))[0] + 1
    half_turn = t[i] + 1e-3 * angle[i] / (angle[i] - angle[i + 1])
    omega = math.sqrt(G * d / (inertia + (curvature - d) ** 2))
    assert half_turn == pytest.approx(math.pi / omega, rel=2e-3)
    assert np.abs(result["touch.smallest_gap"]).max() < 1e-9


# --- masses, and what is no profile ---

def with_cam(function, attributes="", before=""):
    return (f'<mechanism {NAMESPACE} name="m">\n{before}<planar_body name="b">\n'
            f'<cam name="c" density="8" {attributes} function="{function}"/>\n</planar_body>\n'
            '<ground><line name="floor" y="-1"/></ground>\n'
            '<contact name="touch" first="b.c" second="ground.floor"/></mechanism>')


def test_mass_of_an_eccentric(simulate):
    result = simulate(with_cam(ECCENTRIC, 'x="0.1" angle="pi/2"') .replace(
        "</mechanism>", '<outputs><output variable="b.x"/><output variable="solver.failed_steps"/>'
        '<output variable="energy.potential"/></outputs></mechanism>').replace(
        '<planar_body name="b">', '<gravity y="-10"/><planar_body name="b">'), 1e-3)
    assert result["energy.potential"][0] == pytest.approx(8 * math.pi * R**2 * 10 * E, rel=1e-10)


def test_mass_follows_parameters(pack):
    fmu = pack(with_cam("r", before='<parameter name="r" value="0.1"/>'))
    result = tools.simulate(fmu, 0.01, 1e-3, {"r": 0.2}, ["b.mass", "b.inertia"])
    assert result["b.mass"][0] == pytest.approx(8 * math.pi * 0.04, rel=1e-12)
    assert result["b.inertia"][0] == pytest.approx(4 * math.pi * 0.2**4, rel=1e-12)


@pytest.mark.parametrize("function, words", [
    ("0.1*cos(angle)", "not above 0 at every angle"),
    ("0.1/(angle - 1)", "not above 0 at every angle"),
    ("0.1 + 0.01*angle", "not closed"),
    ("0.1 + 0.01*abs(sin(angle/2))", "has a kink there"),
    ("0.1 + 0.01*abs(cos(angle))", "has a kink, or changes too quickly"),
    ("0.1 + 0.01*sin(500*angle)", "has a kink, or changes too quickly"),
    ("0.1 + 0.01*cos(x)", "unknown name 'x'"),
    ("0.1 + 0.01*cos(t)", "time t cannot be used"),
    ("0.1 +", "expected"),
])
def test_what_is_no_profile(tmp_path, function, words):
    path = tmp_path / "m.xml"
    path.write_text(with_cam(function))
    done = try_clatter("check", path)
    errors = [line for line in done.stdout.splitlines() if "error" in line]
    assert done.returncode == 1 and len(errors) >= 1, done.stdout
    assert errors[0].startswith(f"{path}:3:") and words in errors[0], errors


def test_a_cam_needs_a_function(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(with_cam("0.1").replace('function="0.1"', ""))
    done = try_clatter("check", path)
    assert done.returncode == 1 and "<cam> needs the attribute function" in done.stdout


def test_a_profile_by_a_table(simulate):
    """A smooth table that repeats is a profile, too."""
    rows = "; ".join(f"{k * 10} {0.03 + 0.002 * math.cos(k * math.pi / 18)!r}" for k in range(37))
    text = follower('function="lift(angle*180/pi)"', FLAT["line"], 0.0301, 0.0)
    text = text.replace("<gravity", '<table name="lift" interpolation="smooth" beyond="repeat" '
                        f'rows="{rows}"/><gravity', 1)
    result = simulate(text, 1.0)
    settled = result[result["time"] > 0.3]
    angle = math.pi / 2 - SPEED * settled["time"]
    phi = np.linspace(0, 2 * np.pi, 2001)
    support = ((0.03 + 0.002 * np.cos(phi)) * np.cos(phi - angle[:, None])).max(axis=1)
    assert np.abs(settled["tappet.y"] - support).max() < 1e-5
    assert (settled["touch.closed_points"] >= 1).all()


def test_a_curve_without_a_value(tmp_path):
    body = ('<planar_body name="body" mass="1" inertia="1" initial_y="0.2">'
            '<box name="s" length="0.1" height="0.1"/></planar_body>')
    path = tmp_path / "m.xml"
    path.write_text(over_curve(body, "sqrt(x - 1)"))
    done = try_clatter("run", path, "-o", tmp_path / "out.csv", "--stop", "0.1")
    assert done.returncode != 0 and "is not a number" in done.stderr


def test_cams_are_drawn(tmp_path):
    clatter("view", MODELS / "cam_tappet.xml", "-o", tmp_path / "page.html")
    assert '"kind":"cam"' in (tmp_path / "page.html").read_text().replace(" ", "")
