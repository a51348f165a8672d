"""Motions that a step damps down to rounding: forces are then rounding of the places, angles and
velocities that they come from, and a step is solved when it is solved to that."""

import numpy as np
import pytest

from tools import mechanism

SCHEMES = ["moreau_jean", "generalized_alpha", "moreau_jean_projected", "moreau_jean_combined",
           "generalized_alpha_velocity", "implicit_newmark", "schatzman_paoli"]
# unit mass, 30 rad/s, steps of 1 s, forces taken where steps end: damped by up to 30 in each
OSCILLATORS = {
    "a controller's force": '<point_mass name="body" mass="1" initial_x="1"/>'
                            '<ground><frame name="far" x="50"/></ground>'
                            '<slide_actuator name="servo" first="ground.far" second="body"'
                            ' proportional_gain="900" target="-50"/>',
    "a spring with no free length": '<point_mass name="body" mass="1" initial_x="51"/>'
                                    '<ground><point name="far" x="50"/></ground>'
                                    '<spring_damper name="spring" first="body" second="ground.far"'
                                    ' stiffness="900"/>',
    "springs that pull against each other":
        '<point_mass name="body" mass="1" initial_x="1"/>'
        '<ground><point name="left" x="-1e6"/><point name="right" x="1e6"/></ground>'
        '<spring_damper name="one" first="body" second="ground.left" stiffness="450"/>'
        '<spring_damper name="two" first="body" second="ground.right" stiffness="450"/>',
    "a torsion spring after many turns":
        '<planar_body name="body" mass="1" inertia="1" initial_x="1" initial_angle="6001"/>'
        '<spring_damper name="spring" first="body" second="ground" stiffness="900"/>'
        '<torsional_spring_damper name="torsion" first="ground" second="body" stiffness="900"'
        ' free_angle="6000"/>',
    "a damper in a fast train":
        '<point_mass name="body" mass="1" initial_x="1" initial_velocity_x="300"/>'
        '<driven_frame name="train" x="300*t"/>'
        '<spring_damper name="spring" first="body" second="train" stiffness="900" damping="10"/>',
    "an elastic bar far away":
        '<elastic_bar name="body" length="1" elements="4" area="1" youngs_modulus="1e4" density="1"'
        ' initial_x="1e3"><point name="end" x="1"/></elastic_bar>'
        '<ground><point name="wall" x="1001"/></ground>'
        '<spring_damper name="spring" first="body.end" second="ground.wall" stiffness="900"/>'
        '<force name="weight" on="body.end" x="step(3 - t)"/>',
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("forces", OSCILLATORS)
def test_a_motion_that_has_decayed_to_rounding_goes_on(run, forces, scheme):
    result = run(mechanism(OSCILLATORS[forces],
                           solver=f'scheme="{scheme}" theta="1" spectral_radius="0.3"'),
                 stop=100, dt=1)
    assert result["solver.inexact_steps"][-1] == 0
    assert result["solver.damped_steps"][-1] == result["solver.retried_steps"][-1] == 0


def test_a_relaxed_spring_of_fifty_metres(run):
    result = run(mechanism("""<point_mass name="body" mass="1" initial_x="1"/>
<ground><point name="far" x="50"/></ground>
<spring_damper name="spring" first="body" second="ground.far" stiffness="900" free_length="50"/>
""", solver='theta="1"'), stop=40, dt=1)
    assert result["solver.inexact_steps"][-1] == 0
    # the implicit Euler method on x'' = -900 x, until x is the rounding of a length of 50 m
    x, v = 1.0, 0.0
    for row in result:
        assert row["body.x"] == pytest.approx(x, rel=1e-9, abs=4 * np.spacing(50.0))
        v = (v - 900 * x) / 901
        x += v
