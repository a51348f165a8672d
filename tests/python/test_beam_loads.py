"""Loads that follow a beam, at a point and along it, against the equations of its axis."""

import numpy as np
import pytest
from scipy.integrate import solve_bvp, solve_ivp

from tools import clatter, mechanism, read_csv

EA, GA, EI = 1000.0, 500.0, 1.0  # of a cantilever of length 1
ROD = (f'axial_stiffness="{EA}" shear_stiffness="{GA}" bending_stiffness="{EI}" '
       'mass_per_length="0.1"')
CLAMP = '<ground/><rigid name="clamp" first="ground" second="rod.root"/>'


def cantilever(elements, load, more='inertia_per_length="0.01" damping_time="0.5"'):
    return (f'<beam name="rod" length="1" elements="{elements}" {ROD} {more}><frame name="root"/>'
            f'<frame name="tip" x="1"/></beam>{CLAMP}{load}')


def at_rest(tmp_path, content, stop=40.0, theta=1):
    """The last row of a motion that damping has brought to rest."""
    path = tmp_path / "model.xml"
    path.write_text(mechanism(content, step=0.01, solver=f'theta="{theta}"'))
    clatter("run", path, "--stop", stop, "--interval", stop, "-o", tmp_path / "rest.csv")
    return read_csv(tmp_path / "rest.csv")[-1]


def axis(n_x, n_y, theta):
    """r' of a cross section that carries the force n."""
    c, s = np.cos(theta), np.sin(theta)
    stretch = 1 + (c * n_x + s * n_y) / EA
    shear = (c * n_y - s * n_x) / GA
    return c * stretch - s * shear, s * stretch + c * shear


# --- a force at the tip ---

def tip_under_follower(f_x, f_y):
    """Tip and its angle, seen from the root: the elastica from the tip, along whose axes the force
    is constant, back to the root: theta' = M/EI, M' = -r' x F."""
    def slope(s, z):
        x, y = axis(f_x, f_y, z[2])
        return [-x, -y, -z[3] / EI, x * f_y - y * f_x]

    end = solve_ivp(slope, (0, 1), [0, 0, 0, 0], rtol=1e-11, atol=1e-12).y[:, -1]
    c, s = np.cos(end[2]), np.sin(end[2])
    return -(c * end[0] + s * end[1]), -(-s * end[0] + c * end[1]), -end[2]


@pytest.mark.parametrize("force", [(0.0, 4.0), (0.0, 15.0), (-3.0, 8.0)])
def test_follower_at_the_tip(tmp_path, force):
    """15 EI/L^2 across the tip turn it by more than a whole turn back to its root."""
    load = (f'<force name="load" on="rod.tip" frame="body" x="{force[0]}*min(t/20, 1)" '
            f'y="{force[1]}*min(t/20, 1)"/>')
    x, y, angle = tip_under_follower(*force)
    errors = []
    for elements in (8, 16):
        end = at_rest(tmp_path, cantilever(elements, load))
        errors.append(np.hypot(end["rod.last_x"] - x, end["rod.last_y"] - y))
        assert end["rod.last_angle"] == pytest.approx(angle, abs=3e-3)
    assert errors[1] < 2e-4
    assert np.log2(errors[0] / errors[1]) > 3.5, errors


@pytest.mark.parametrize("load, grows", [(0.99, False), (1.01, True)])
def test_beck(tmp_path, load, grows):
    """A compressive follower at the tip makes a slender cantilever flutter from 20.05 EI/L^2 on
    (Beck 1952): 1 % below a push leaves it swinging, 1 % above it grows without end. The midpoint
    rule keeps what is stable stable, and what is not not."""
    push = ('<force name="squeeze" on="rod.tip" frame="body" x="-load"/>'
            '<force name="push" on="rod.tip" y="if(t &lt; 0.02, 1e-8, 0)"/>'
            f'<parameter name="load" value="{20.05 * load}"/>')
    slender = ('axial_stiffness="1e7" shear_stiffness="1e7" bending_stiffness="1" '
               'mass_per_length="1" inertia_per_length="1e-9"')
    content = (f'<beam name="rod" length="1" elements="8" {slender}><frame name="root"/>'
               f'<frame name="tip" x="1"/></beam>{CLAMP}{push}')
    path = tmp_path / "model.xml"
    path.write_text(mechanism(content, step=0.01, solver='theta="0.5"'))
    clatter("run", path, "--stop", 18, "-o", tmp_path / "flutter.csv")
    y = np.abs(read_csv(tmp_path / "flutter.csv")["rod.last_y"])
    first, last = y[:600].max(), y[-600:].max()
    assert last > 50 * first if grows else last < 3 * first


# --- along it ---

def tip_under_pressure(f_x, f_y, follows):
    """Tip of the cantilever under a force per length, along the axes of the cross sections or of
    the world: n' = -f, M' = -r' x n."""
    def slope(s, z):
        theta, n_x, n_y = z[2], z[4], z[5]
        x, y = axis(n_x, n_y, theta)
        c, s_ = (np.cos(theta), np.sin(theta)) if follows else (1 + 0 * theta, 0 * theta)
        return np.array([x, y, z[3] / EI, -(x * n_y - y * n_x), -(c * f_x - s_ * f_y),
                         -(s_ * f_x + c * f_y)])

    def ends(a, b):
        return np.array([a[0], a[1], a[2], b[3], b[4], b[5]])

    s = np.linspace(0, 1, 41)
    guess = np.zeros((6, s.size))
    guess[0] = s
    for part in np.linspace(0.1, 1, 10):  # follows the load up
        full = f_x, f_y
        f_x, f_y = part * full[0], part * full[1]
        solution = solve_bvp(slope, ends, s, guess, tol=1e-9, max_nodes=20000)
        assert solution.success
        guess = solution.sol(s)
        f_x, f_y = full
    return solution.sol(1.0)[:3]


@pytest.mark.parametrize("frame, load", [("body", (0.0, 6.0)), ("world", (0.0, 20.0)),
                                         ("body", (-4.0, 3.0))])
def test_load_along_a_cantilever(tmp_path, frame, load):
    x, y, angle = tip_under_pressure(*load, frame == "body")
    content = (f'<line_load name="load" on="rod" frame="{frame}" x="{load[0]}*min(t/20, 1)" '
               f'y="{load[1]}*min(t/20, 1)"/>')
    errors = []
    for elements in (4, 8):
        end = at_rest(tmp_path, cantilever(elements, content))
        errors.append(np.hypot(end["rod.last_x"] - x, end["rod.last_y"] - y))
        assert end["rod.last_angle"] == pytest.approx(angle, abs=2e-3)
    assert errors[1] < 2e-4
    assert np.log2(errors[0] / errors[1]) > 3.5, errors


def test_load_on_a_part(tmp_path):
    """The outer half, p over L/2: w = 41/384 p L^4/EI and 3/8 p L^2/GA, to second order in p."""
    p = 1e-4
    content = f'<line_load name="load" on="rod" first="0.5" y="{p}*min(t/20, 1)"/>'
    end = at_rest(tmp_path, cantilever(2, content))
    assert end["rod.last_y"] == pytest.approx(p * (41 / 384 / EI + 3 / 8 / GA), rel=1e-6)


@pytest.mark.parametrize("tag, axis, shear", [("beam", "y", 1), ("spline_beam", "y", 0),
                                              ("spatial_beam", "z", 1)])
def test_load_along_every_beam(tmp_path, tag, axis, shear):
    """p L^4 / 8 EI and, where it shears, p L^2 / 2 GA, to second order in p."""
    p, stiff, G = 1e-3, 2e6 * 0.05 ** 4 / 12, 2e6 / 2.6 * 5 / 6 * 0.05 ** 2
    content = (f'<{tag} name="rod" length="1" elements="3" width="0.05" height="0.05" '
               'youngs_modulus="2e6" density="40" damping_time="0.5"><frame name="root"/></{0}>'
               f'{CLAMP}<line_load name="load" on="rod" {axis}="{p}*min(t/20, 1)"/>').format(tag)
    end = at_rest(tmp_path, content)
    assert end[f"rod.last_{axis}"] == pytest.approx(p * (1 / 8 / stiff + shear / 2 / G), rel=2e-4)


def test_load_along_a_bar(tmp_path):
    """f L^2 / 2 EA at the end of a bar that is held, and the work that the load has done."""
    content = ('<elastic_bar name="rod" length="1" elements="5" area="1" youngs_modulus="100" '
               'density="1"><point name="root"/><point name="tip" x="1"/></elastic_bar><ground/>'
               '<spring_damper name="damper" first="rod.tip" damping="5"/>'
               '<distance name="clamp" first="rod.root" second="ground.away" length="1"/>'
               '<line_load name="load" on="rod" x="min(t, 1)"/>')
    content = content.replace("<ground/>", '<ground><point name="away" x="-1"/></ground>')
    end = at_rest(tmp_path, content, stop=20.0, theta=0.5)
    assert end["rod.last_x"] == pytest.approx(1 + 1 / 200, abs=1e-9)
    assert end["energy.total"] == pytest.approx(1 / 600, rel=0.02)  # f^2 L^3 / 6 EA, 5 elements
    assert end["energy.input_work"] == pytest.approx(
        end["energy.total"] + end["energy.dissipated_by_damping"], abs=1e-9)
