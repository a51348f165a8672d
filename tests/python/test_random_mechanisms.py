"""Some of the random mechanisms of tests/random_mechanisms, with both schemes: none fails, crashes,
hangs, gives values that are no numbers, or breaks what its scheme promises. `run.py` there does the
same for thousands."""

import sys

import pytest

import tools

DIRECTORY = tools.ROOT / "tests" / "random_mechanisms"
sys.path.insert(0, str(DIRECTORY))
import generate  # noqa: E402
import run as runner  # noqa: E402

# The first ones, and some on which the first edition of the contact solver failed: driven joints with
# friction at the start (67, 344), loops in space whose joints had drifted (332, 350) and piles (171).
# In the loops 41 and 872 percussions of redundant joints grew without bound, and steps were too long;
# impacts in 374 and 527 have no solution with restitution, because friction wedges contacts. Rows of
# the loops 206, 412, 544 and 999 that depend on others contradicted them by more and more.
NUMBERS = [*range(51), 67, 171, 206, 332, 344, 350, 374, 412, 527, 544, 872, 999]
# Runs that have no solution, with the reason. An entry whose run succeeds is to be removed.
EXPLAINED = {}  # (number, scheme): reason
SCHEMES = ("moreau_jean", "generalized_alpha")
# Those on positions: piles (6, 43), and trees that are thrown about so that displacements do not go on
# from step to step as they did (8, 11). Of the first 180 none stops; some piles take a minute, as 6
# does with the combined scheme.
PROJECTED = ("moreau_jean_projected", "moreau_jean_combined")
PROJECTED_NUMBERS = [2, 8, 11, 20, 43]
# docs/lobatto.md tells which of the first 80 stop or are slow.
LOBATTO = ("lobatto",)
LOBATTO_NUMBERS = [number for number in range(25) if number != 6]


def test_same_number_same_model():
    for number in (0, 1, 2, 3, 500, 999):
        assert generate.model(number) == generate.model(number)


def test_all_families_and_parts_occur():
    made = [generate.model(number) for number in range(300)]
    families = {name for name, *_ in generate.FAMILIES}
    assert {model.kind.split("/")[0] for model in made} == families
    assert {model.kind.split("/")[1] for model in made} == {"plane", "space"}
    assert max(model.n_bodies for model in made) >= 35
    text = "".join(model.text for model in made)
    for tag in ("revolute", "prismatic", "cylindrical", "spherical", "planar", "rigid", "distance",
                "angle_drive", "slide_drive", "speed_drive", "skate", "rolling", "spring_damper",
                "torsional_spring_damper", "angle_actuator", "slide_actuator", "force", "torque",
                "contact", "point", "circle", "ring", "line", "curve", "sphere", "hollow_sphere",
                "plane", "shaft", "bore", "box", "pin", "driven_frame", "elastic_bar",
                "planar_body", "spatial_body"):
        assert f"<{tag} " in text, tag


@pytest.mark.parametrize("number, schemes", [
    *((number, SCHEMES) for number in NUMBERS), *((number, PROJECTED) for number in PROJECTED_NUMBERS),
    (6, PROJECTED[:1]), *((number, LOBATTO) for number in LOBATTO_NUMBERS)])
def test_none_fails(number, schemes):
    options = runner.parse(["--clatter", str(tools.BUILD / "clatter"), "--jobs", "1", "--timeout",
                            "1200", "--schemes", *schemes, "--numbers", str(number)])
    results = runner.run_all(options, tell=lambda line: None)
    assert {result.scheme for result in results} == set(schemes)
    wrong = [runner.describe(result) for result in results
             if any(runner.word(trouble) in runner.FATAL for trouble in result.trouble)
             and (result.number, result.scheme) not in EXPLAINED]
    assert not wrong, "\n".join(wrong)
