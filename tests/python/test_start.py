"""The start of a motion: joints that do not hold are told in words or made to hold; those that do
are left as they are."""

import re

import pytest

import fmi2
import tools
from tools import MODELS, mechanism

# A slide along x whose body stands across: the usual mistake
ASKEW = """<gravity y="-9.81"/>
<ground><frame name="rail" angle="pi/2"/></ground>
<planar_body name="block" mass="1" inertia="0.1" initial_y="0.2"/>
<prismatic name="guide" first="ground.rail" second="block"/>"""

FAULTS = {
    "revolute": ('<planar_body name="b" mass="1" inertia="1" initial_y="0.25"/>'
                 '<revolute name="j" first="ground" second="b"/>',
                 "the two points are 0.25 m apart along y"),
    "prismatic": ('<planar_body name="b" mass="1" inertia="1" initial_y="-0.25"/>'
                  '<prismatic name="j" first="ground" second="b"/>',
                  "the second point is off by 0.25 m along the y axis of the first"),
    "rigid": ('<planar_body name="b" mass="1" inertia="1" initial_angle="pi/6"/>'
              '<rigid name="j" first="ground" second="b"/>',
              "the axes of the two are turned against each other by 30 deg"),
    "distance": ('<planar_body name="b" mass="1" inertia="1" initial_x="1.5"/>'
                 '<distance name="j" first="ground" second="b" length="1"/>',
                 "the distance of the two points is off its length by 0.5 m"),
    "slide_drive": ('<planar_body name="b" mass="1" inertia="1"/>'
                    '<slide_drive name="j" first="ground" second="b" position="0.5 + 0*t"/>',
                    "the position is off the prescribed one by 0.5 m"),
    "angle_drive": ('<planar_body name="b" mass="1" inertia="1"/>'
                    '<angle_drive name="j" first="ground" second="b" angle="pi/6 + 0*t"/>',
                    "the angle is off the prescribed one by an angle of sine 0.5"),
    "rolling": ('<ground><line name="floor"/></ground><planar_body name="b" mass="1" inertia="1" '
                'initial_y="0.75"><circle name="rim" radius="0.5"/></planar_body>'
                '<rolling name="j" first="b.rim" second="ground.floor"/>',
                "the shapes are 0.25 m apart"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_joint_that_does_not_hold_is_told_in_words(kind, tmp_path):
    content, words = FAULTS[kind]
    model = tmp_path / "model.xml"
    model.write_text(mechanism(content))
    told = tools.try_clatter("check", model).stdout
    assert re.search(r"model.xml:3:\d+: warning: joint j does not hold at the start: ", told)
    assert words in told


def test_violated_velocities_have_a_unit(tmp_path):
    model = tmp_path / "model.xml"
    model.write_text(mechanism("""<planar_body name="b" mass="1" inertia="1"
  initial_angular_velocity="0.5"/><prismatic name="j" first="ground" second="b"/>"""))
    told = tools.try_clatter("check", model).stdout
    assert "the initial velocities violate joint j by 0.5 rad/s" in told


def test_a_body_across_its_slide_is_told_with_place_and_angle(tmp_path):
    model = tmp_path / "model.xml"
    model.write_text(mechanism(ASKEW))
    told = tools.try_clatter("check", model).stdout
    assert "model.xml:6:1: warning: joint guide" in told and "by 90 deg" in told
    assert "has to be turned" in told and "project_start" not in told  # which cannot mend it


def test_a_start_that_cannot_be_made_to_hold_is_refused_with_place_and_amount(tmp_path, pack):
    text = mechanism(ASKEW, solver='project_start="yes"')
    model = tmp_path / "model.xml"
    model.write_text(text)
    reason = (r"the bodies could not be moved to where the joints hold: .* the worst is joint guide "
              r"\(line 6, column 1\): the axes of the two are turned against each other by 90 deg")
    for command in ("check", "run"):
        done = tools.try_clatter(command, model)
        assert done.returncode == 1
        assert re.search("the motion cannot start: " + reason, done.stdout + done.stderr)
    with fmi2.Instance(pack(text)) as instance:
        assert instance.SetupExperiment(0, 0.0, 0.0, 0, 0.0) == fmi2.OK
        assert instance.EnterInitializationMode() == fmi2.OK
        assert instance.ExitInitializationMode() == fmi2.ERROR
        assert re.search(reason, instance.last_message())


# The mechanism of millimetres holds to the last digit of its positions; so do others.
@pytest.mark.parametrize("model", ["andrews_squeezer", "slider_crank", "four_bar_spatial",
                                   "n_four_bar", "flyball_governor"])
def test_a_start_that_holds_is_left_as_it_is(model, tmp_path):
    text = (MODELS / f"{model}.xml").read_text()
    given = re.sub(r' ?project_start="\w+"', "", text)
    starts = []
    for project in ("no", "yes"):
        path = tmp_path / f"{project}.xml"
        path.write_text(given.replace("<solver", f'<solver project_start="{project}"'))
        done = tools.try_clatter("run", path, "--stop", "1e-3", "--step", "1e-3", "--all", "-o",
                                 tmp_path / "out.csv")
        assert done.returncode == 0, done.stderr
        starts.append(tools.read_csv(tmp_path / "out.csv")[0])
    given, projected = starts
    for name in given.dtype.names:
        if re.search(r"\.(x|y|z|angle|quaternion_\d)$", name):
            assert given[name] == projected[name]
        elif "velocity" in name:
            assert given[name] == pytest.approx(projected[name], abs=1e-12)
