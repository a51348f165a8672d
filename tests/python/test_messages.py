"""What the program says when a step cannot be solved: which joints and contacts, how much, and what
may help; in the terminal and in the log of a host."""

import re

import pytest

import fmi2
import models
import tools
from tools import mechanism

# Drives that contradict each other from the start on
CONTRADICTION = mechanism("""
<planar_body name="carriage" mass="1" inertia="1" initial_velocity_x="1"/>
<prismatic name="rail" first="ground" second="carriage"/>
<slide_drive name="slow" first="ground" second="carriage" position="t"/>
<slide_drive name="fast" first="ground" second="carriage" position="t + t^2"/>
<slide_drive name="faster" first="ground" second="carriage" position="t + 2*t^2"/>
<slide_drive name="fastest" first="ground" second="carriage" position="t + 3*t^2"/>
""", solver='scheme="generalized_alpha"')
RESIDUALS = re.compile(r"(\S+) of (\w+) (\w+) in line (\d+)")


def check_message(text):
    assert "the internal step of 0.001 s from t = 0 s could not be solved" in text
    found = RESIDUALS.findall(text)
    assert 2 <= len(found) <= 3
    assert {(kind, name) for _, kind, name, _ in found} <= {
        ("slide_drive", name) for name in ("slow", "fast", "faster", "fastest")}
    assert len({name for *_, name, _ in found}) == len(found)  # each once
    residuals = [float(value) for value, *_ in found]
    assert residuals == sorted(residuals, reverse=True) and residuals[-1] > 0
    assert float(re.search(r"\(residual ([^:]+):", text)[1]) == pytest.approx(residuals[0])
    lines = CONTRADICTION.splitlines()
    assert all(f'name="{name}"' in lines[int(line) - 1] for _, _, name, line in found)
    assert "solver.step_size" in text and "solver.scheme" in text


def test_a_failed_step_names_the_joints_with_the_largest_residuals(tmp_path, pack):
    path = tmp_path / "model.xml"
    path.write_text(CONTRADICTION)
    done = tools.try_clatter("run", path)
    assert done.returncode == 1
    check_message(done.stderr)
    with fmi2.Instance(pack(CONTRADICTION), logging=True) as instance:
        instance.start()
        assert instance.step(0.0, 1e-3) in (fmi2.DISCARD, fmi2.ERROR)
        check_message("\n".join(message.text for message in instance.messages))


def test_a_mass_that_is_not_positive_definite_is_told_with_its_body(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(mechanism("""<parameter name="J" value="0" unit="kg.m2"/>
<spatial_body name="top" mass="1" inertia_xx="3" inertia_yy="3" inertia_zz="3" inertia_xy="J"/>"""))
    done = tools.try_clatter("run", path, "--set", "J=4")
    assert done.returncode == 1
    assert ("the motion cannot start: spatial_body top (line 4, column 1) has a mass matrix that is not "
            "positive definite") in done.stderr


def test_a_scheme_that_cannot_take_a_contact_names_it_and_nothing_else(pack):
    fmu = pack(mechanism("""<point_mass name="m" mass="1" initial_y="1"><point name="p"/></point_mass>
<ground><line name="floor"/></ground>
<contact name="c" first="m.p" second="ground.floor" friction_coefficient="0.3"/>""",
                         solver='scheme="schatzman_paoli"'))
    with fmi2.Instance(fmu) as instance:
        assert instance.EnterInitializationMode() == fmi2.OK
        assert instance.ExitInitializationMode() == fmi2.ERROR
        assert instance.last_message().endswith(
            "the motion cannot start: the scheme schatzman_paoli cannot take contact c "
            "(line 5, column 1): it has no law of friction")


def test_a_model_beyond_the_limit_of_memory_names_its_largest_element(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(mechanism("\n".join(
        f'<elastic_bar name="bar_{i}" length="1" elements="{100000 - 1000 * (i != 3)}" area="1" '
        'youngs_modulus="1" density="1"/>' for i in range(240))))
    done = tools.try_clatter("check", path)
    assert done.returncode == 1
    assert "model.xml:6:1: error: the model needs more than 4096 MiB: " in done.stdout
    assert "the largest element is <elastic_bar> bar_3" in done.stdout


@pytest.mark.parametrize("shape", ["circle", "ring"])
def test_a_radius_of_zero_is_refused(tmp_path, shape):
    """Nothing would stop a point from passing through a circle that is a point."""
    path = tmp_path / "model.xml"
    path.write_text(mechanism(f'''<parameter name="r" value="0" unit="m"/>
<planar_body name="b" mass="1" inertia="1"><point name="p"/></planar_body>
<ground><{shape} name="c" radius="r"/></ground>
<contact name="k" first="b.p" second="ground.c"/>'''))
    done = tools.try_clatter("check", path)
    assert done.returncode == 1
    assert "expected at least 1e-09" in done.stdout


def test_an_impact_without_restitution_is_told_in_terminal_and_log(tmp_path, pack):
    """The prop of tests/c/test_restitution.c: friction above sqrt(3) leaves no rebound. The host is
    told once, logging or not; the terminal, too."""
    path = tmp_path / "model.xml"
    path.write_text(models.WEDGE)
    line = next(i for i, text in enumerate(models.WEDGE.splitlines(), 1) if "<contact" in text)
    done = tools.try_clatter("run", path, "--stop", "1")
    assert done.returncode == 0 and re.search(r"inelastic steps +1\n", done.stdout)
    said = done.stderr.splitlines()
    assert len(said) == 1 and f"model.xml:{line}:" in said[0]
    assert re.search(rf"the laws of impact have no solution .* contact \w+ \(line {line}\)", said[0])
    with fmi2.Instance(pack(models.WEDGE), logging=False) as instance:
        for _ in range(2):
            instance.start()
            instance.messages.clear()
            instance.steps(0.0, 0.1, 10)
            told = [m for m in instance.messages if m.category == b"logStatusWarning"]
            assert len(told) == 1 == len(instance.messages) and "have no solution" in told[0].text
            assert instance.get("solver.inelastic_steps") == 1
            instance.Reset()


# Steps that fail in different places: in a projection or in the first update, at numbers that are too
# large, at a singular position, where the laws have no solution
FAILURES = {
    "starts at 1e16 m": ('''<planar_body name="block" mass="1" inertia="1" initial_y="-1e16" initial_angle="1">
<box name="rim" length="1" height="1"/></planar_body><ground><line name="floor"/></ground>
<contact name="touch" first="block.rim" second="ground.floor" normal_restitution="0.5"/>''',
                         ("moreau_jean_projected", "moreau_jean_combined")),
    "faster than numbers": ('''<planar_body name="ball" mass="1" inertia="1" initial_velocity_y="-1e200">
<circle name="rim" radius="0.1"/></planar_body><ground><line name="floor"/></ground>
<contact name="touch" first="ball.rim" second="ground.floor"/>''', None),
    "driven through a singular position": ('''
<planar_body name="a" mass="1" inertia="1" initial_x="1"><point name="p" x="-1"/><point name="q" x="1"/>
</planar_body>
<planar_body name="b" mass="1" inertia="1" initial_x="3"><point name="p" x="-1"/><point name="q" x="1"/>
</planar_body><ground><point name="end" x="4"/></ground>
<revolute name="j1" first="ground" second="a.p"/><revolute name="j2" first="a.q" second="b.p"/>
<revolute name="j3" first="b.q" second="ground.end"/>
<angle_drive name="drive" first="ground" second="a" angle="t"/>''', None),
    "pressed flat": ('''<driven_frame name="lid" y="1.01-t"><line name="face" normal_angle="-pi/2"/></driven_frame>
<planar_body name="ball" mass="1" inertia="1" initial_y="0.5"><circle name="rim" radius="0.5"/></planar_body>
<ground><line name="floor"/></ground><contact name="low" first="ball.rim" second="ground.floor"/>
<contact name="high" first="ball.rim" second="lid.face"/>''', None),
}
SCHEMES = ("moreau_jean", "generalized_alpha", "moreau_jean_projected", "moreau_jean_combined",
           "generalized_alpha_velocity", "implicit_newmark", "schatzman_paoli", "lobatto")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("failure", FAILURES)
def test_every_failed_step_names_a_joint_or_contact(tmp_path, failure, scheme):
    content, schemes = FAILURES[failure]
    path = tmp_path / "model.xml"
    path.write_text(mechanism(f'<gravity y="-9.81"/>{content}'))
    done = tools.try_clatter("run", path, "--scheme", scheme)
    if schemes is not None and scheme not in schemes:
        assert done.returncode == 0
        return
    assert done.returncode == 1
    found = re.search(r"\(residual ([^:]+): (\S+) of (contact|revolute|angle_drive) \S+ in line \d+",
                      done.stderr)
    assert found, done.stderr
    assert found[2] != "0"
