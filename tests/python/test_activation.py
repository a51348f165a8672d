"""When the Moreau-Jean scheme considers a contact: the rules PR (61), explicit, and PR (62), free
(docs/moreau-jean.md)."""

import numpy as np
import pytest

import exact
import tools
from tools import MODELS, OPEN, mechanism

EXPLICIT, FREE = 1, 2

# Fractions of a step at which the first impacts fall are spread over the step by these.
HEIGHTS = np.linspace(0.9, 1.1, 9)
PAPER_STEP = 5e-2  # PR figures 4 and 5


@pytest.fixture(scope="module")
def bounce(pack):
    """PR example 1: m 1, f -2, e 1/2, from height 1."""
    fmu = pack(MODELS / "bouncing_point.xml")

    def run(dt=PAPER_STEP, stop=5.0, height=1.0, interval=None, **solver):
        settings = {f"solver.{name}": value for name, value in solver.items()}
        result = tools.simulate(fmu, stop, dt, settings | {"ball.initial_y": height}, output=[
            "ball.y", "ball.velocity_y", "floor_contact.gap", "floor_contact.state",
            "floor_contact.normal_force", "floor_contact.normal_percussion",
            "solver.retried_steps", "solver.failed_steps"], communication=interval)
        assert result["solver.retried_steps"][-1] == 0
        assert result["solver.failed_steps"][-1] == 0
        return result

    return run


@pytest.mark.parametrize("theta", [2 / 3, 1.0])
@pytest.mark.parametrize("height", HEIGHTS)
def test_free_activation_never_penetrates(bounce, theta, height):
    """PR 4.5: "the constraint is never violated". A step with an impact ends with the gap
    g + dt (1 - theta (1 + e)) U, not below zero if theta (1 + e) >= 1; here e = 1/2."""
    assert bounce(activation=FREE, theta=theta, height=height)["floor_contact.gap"].min() >= -1e-12
    late = bounce(activation=EXPLICIT, forecast=0.0, theta=theta, height=height)
    assert late["floor_contact.gap"].min() < -1e-3


@pytest.mark.parametrize("height", HEIGHTS)
def test_free_activation_with_theta_one_half(bounce, height):
    """The same gap, with theta = e = 1/2: in a step it goes below zero by a quarter of the step's
    way at most, less than where the contact has to penetrate to be considered."""
    free = bounce(activation=FREE, theta=0.5, height=height)
    gap, U = free["floor_contact.gap"], free["ball.velocity_y"]
    allowed = np.minimum(0.0, gap[:-1]) + PAPER_STEP / 4 * np.minimum(0.0, U[:-1])
    assert (gap[1:] >= allowed - 1e-12).all()
    late = bounce(activation=EXPLICIT, forecast=0.0, theta=0.5, height=height)
    assert late["floor_contact.gap"].min() < min(0.0, gap.min())


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_bounces_end_in_rest_without_chatter(bounce, theta):
    """PR figure 5: a constant force after the accumulation of impacts at t = 3."""
    result = bounce(activation=FREE, theta=theta)
    rest = result[result["time"] > 4.5]
    assert len(rest) >= 10
    assert np.ptp(rest["floor_contact.gap"]) <= 1e-6
    assert (rest["floor_contact.state"] != OPEN).all()
    assert rest["floor_contact.normal_force"] == pytest.approx(2.0, abs=1e-6)


@pytest.mark.parametrize("activation", [EXPLICIT, FREE])
@pytest.mark.parametrize("gap", [0.0, 1e-17, -1e-17])
def test_resting_contact_stays_closed(bounce, activation, gap):
    """Rounding in the gap opens nothing."""
    result = bounce(activation=activation, height=gap, stop=2.0)
    assert (result["floor_contact.state"] != OPEN).all()
    assert np.abs(result["ball.y"] - gap).max() <= 1e-15
    assert result["floor_contact.normal_percussion"][1:] == pytest.approx(2 * PAPER_STEP, rel=1e-9)


def test_both_rules_converge_to_the_same_motion(bounce):
    """With order 1, over the accumulation of impacts; the mean over motions whose impacts fall at
    different fractions of a step."""
    steps, heights = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4], np.linspace(0.9, 1.1, 17)
    sizes = np.zeros((3, len(steps)))
    for i, dt in enumerate(steps):
        for height in heights:
            explicit, free = (bounce(dt, 4.0, height, interval=0.04, activation=activation)
                              for activation in (EXPLICIT, FREE))
            reference = exact.bounce(free["time"], 2.0, height, 0.5)
            sizes[:, i] += [np.abs(explicit["ball.y"] - reference).mean(),
                            np.abs(free["ball.y"] - reference).mean(),
                            np.abs(free["ball.y"] - explicit["ball.y"]).mean()]
    for row in sizes:
        order = np.polyfit(np.log(steps), np.log(row), 1)[0]
        assert 0.85 < order < 1.15, sizes


# A lever of mass 1 and inertia 1 about its end, where the hinge is; its tip, at 1 m, is 20 mm above
# the floor and comes down at 0.1 m/s.
LEVER = """
<parameter name="friction" value="0" unit="N.m"/>
<gravity y="-10"/>
<planar_body name="lever" mass="1" inertia="{inertia}" initial_x="{x}" initial_velocity_y="{v}"
             initial_angular_velocity="-0.1">
  <point name="axle" x="{axle}"/><point name="tip" x="{tip}"/>
</planar_body>
<ground><line name="floor" y="-0.02"/></ground>
<revolute name="hinge" first="lever.axle" friction_torque="friction"/>
{more}
<contact name="floor" first="lever.tip" second="ground.floor"/>
<outputs><output variable="lever.angular_velocity"/><output variable="floor.gap"/>
<output variable="floor.normal_percussion"/><output variable="solver.failed_steps"/></outputs>"""
BALANCED = dict(inertia=1, x=0, v=0, axle=0, tip=1, more="")
HANGING = dict(inertia=0.75, x=0.5, v=-0.05, axle=-0.5, tip=0.5, more="")
HELD = HANGING | {"more": '<torque name="brake" on="lever" value="5"/>'}


@pytest.mark.parametrize("lever, friction", [(BALANCED, 0.0), (HELD, 0.0), (HANGING, 5.0)],
                         ids=["joint", "force", "friction in the joint"])
def test_free_motion_has_all_but_contacts(pack, lever, friction):
    """Nothing accelerates the lever, because a hinge, a torque or friction in the hinge carries the
    weight: the tip goes down 5 mm a step and is stopped in the last of them before it would
    penetrate. Falling freely it would come down 12.5 mm more in a step, and be stopped at once."""
    fmu = pack(mechanism(LEVER.format(**lever), step=0.05, solver='activation="free"'))
    result = tools.simulate(fmu, 0.5, 0.05, {"friction": friction})
    gap, P = result["floor.gap"], result["floor.normal_percussion"]
    hit = int(np.argmax(P > 0))
    assert P[hit] > 0.0
    assert hit == pytest.approx(4, abs=1)
    assert result["lever.angular_velocity"][:hit] == pytest.approx(-0.1, abs=1e-3)
    assert gap[hit - 1] < 0.0056
    assert result["lever.angular_velocity"][hit] == pytest.approx(0.0, abs=1e-9)
    assert result["solver.failed_steps"][-1] == 0


@pytest.mark.parametrize("activation", ["explicit", "free"])
def test_force_that_closes_a_contact_within_a_step(pack, activation):
    """At rest 1 mm above the floor, pressed by a force that a step feels: (61) sees no speed."""
    fmu = pack(mechanism("""
<point_mass name="mass" mass="1" initial_y="1e-3"><point name="tip"/></point_mass>
<ground><line name="floor"/></ground>
<force name="press" on="mass" y="-100"/>
<contact name="floor" first="mass.tip" second="ground.floor"/>
<outputs><output variable="floor.gap"/></outputs>""", solver=f'activation="{activation}"'))
    gap = tools.simulate(fmu, 0.1, 0.01)["floor.gap"]
    if activation == "free":
        assert gap == pytest.approx(1e-3, abs=1e-12)
    else:
        assert gap[1] == pytest.approx(1e-3 - 100 * 0.01**2 / 2, abs=1e-12)


@pytest.mark.parametrize("activation", ["explicit", "free"])
def test_force_that_turns_a_body_round(pack, activation):
    """Towards the floor at 0.5 m/s, turned round by a force 0.4 mm above it: (61) with a whole step
    of forecast stops the mass in the air, (62) does not touch it."""
    fmu = pack(mechanism("""
<point_mass name="mass" mass="1" initial_y="4e-3" initial_velocity_y="-0.5"><point name="tip"/>
</point_mass>
<ground><line name="floor"/></ground>
<force name="lift" on="mass" y="35"/>
<contact name="floor" first="mass.tip" second="ground.floor"/>
<outputs><output variable="floor.gap"/><output variable="floor.normal_percussion"/></outputs>""",
                         solver=f'activation="{activation}" forecast="1"'))
    result = tools.simulate(fmu, 0.05, 0.01)
    t, P = result["time"], result["floor.normal_percussion"]
    if activation == "free":
        assert result["floor.gap"] == pytest.approx(4e-3 - 0.5 * t + 17.5 * t**2, abs=1e-12)
        assert P.max() == 0.0
    else:
        assert P[1] == pytest.approx(0.5 - 0.35, abs=1e-9)


def test_slider_crank_with_free_activation(pack):
    """Joints, friction and four contacts; what is left of the penetration shrinks with the step."""
    fmu = pack(MODELS / "slider_crank.xml")
    depths = []
    for dt in (1e-4, 1e-5):
        depth = {}
        for activation, forecast in ((FREE, 0.5), (EXPLICIT, 0.0)):
            result = tools.simulate(fmu, 0.05, dt, {"solver.activation": activation,
                                                    "solver.forecast": forecast},
                                    output=["solver.penetration", "solver.failed_steps",
                                            "solver.last_impact_time"])
            assert result["solver.failed_steps"][-1] == 0
            assert result["solver.last_impact_time"][-1] > 0.0
            depth[activation] = result["solver.penetration"].max()
        assert depth[FREE] < depth[EXPLICIT]
        depths.append(depth[FREE])
    assert depths[1] < depths[0] / 5, depths
