"""Random shapes of all kinds fall into a container: no step fails, nothing falls through anything
else, no more is penetrated than the scheme says, and the motion is the same twice."""

import os
import random

import numpy as np
import pytest

import tools
from random_scenes import HEAD, bodies_of, scene

# Penetration: what a body moves in a step with schemes that promise no better, else a small part of
# its size, for what is left where steps are made again with other features than those of their start
# (3e-6 at most in 320 scenes; features that are missed leave a hundredth)
PART_OF_SIZE = {"generalized_alpha": 1e-4, "moreau_jean_projected": 1e-4,
                "moreau_jean_combined": 1e-4, "lobatto": 1e-4}
SCHEMES = ["moreau_jean", "generalized_alpha", "schatzman_paoli", "moreau_jean_projected",
           "moreau_jean_combined", "generalized_alpha_velocity", "implicit_newmark", "lobatto",
           "cone_complementarity"]


def speeds(table, words):
    """The largest speed, and the largest angular velocity, of any body at any time."""
    axes = "xyz" if words["spatial"] else "xy"
    v = w = 0.0
    for i in range(1, words["n"] + 1):
        v = max(v, np.sqrt(sum(table[f"b{i}.velocity_{c}"] ** 2 for c in axes)).max())
        spin = [f"b{i}.angular_velocity_{c}" for c in "xyz"] if words["spatial"] else [
            f"b{i}.angular_velocity"]
        w = max(w, np.sqrt(sum(table[name] ** 2 for name in spin)).max())
    return v, w


def run_scene(seed, scheme, folder, arguments=(), **options):
    text, words = scene(seed, rubs=scheme != "schatzman_paoli", **options)
    model, result = folder / f"scene{seed}.xml", folder / f"scene{seed}.csv"
    model.write_text(text)
    done = tools.try_clatter("run", model, "--scheme", scheme, "-o", result, *arguments)
    case = f"scene {seed}, {scheme}, {words}: {done.stderr[-300:]}"
    assert done.returncode == 0, case
    return tools.read_csv(result), result.read_bytes(), words, case


def check_scene(seed, scheme, folder, **options):
    table, _, words, case = run_scene(seed, scheme, folder, **options)
    size, step = words["size"], words["step"]
    v, w = speeds(table, words)
    way = step * (v + w * size)
    exact = scheme == "schatzman_paoli" and words["restitution"] == 0
    most = (1e-4 if exact else PART_OF_SIZE.get(scheme, 0.0)) * size or 1.5 * way
    assert table["solver.failed_steps"].max() == 0, case
    assert table["solver.penetration"].max() <= most, case
    for i in range(1, words["n"] + 1):  # centres stay within the container
        assert table[f"b{i}.{words['up']}"].min() > -most - 1e-3 * size, f"body {i}, {case}"
        across = "xy" if words["spatial"] else "x"
        for c in across:
            assert np.abs(table[f"b{i}.{c}"]).max() < words["half"] + most, f"body {i}, {case}"


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha"])
@pytest.mark.parametrize("chunk", range(4))
def test_scenes(tmp_path, chunk, scheme):
    for seed in range(12 * chunk, 12 * chunk + 12):
        check_scene(seed, scheme, tmp_path)


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha"])
def test_a_hundred_bodies(tmp_path, scheme):
    for seed in (0, 1):
        check_scene(seed, scheme, tmp_path, n=100)


@pytest.mark.parametrize("scheme", SCHEMES[2:])
def test_other_schemes(tmp_path, scheme):
    for seed in range(100, 106):
        check_scene(seed, scheme, tmp_path, n=5)


@pytest.mark.parametrize("seed, n, scheme", [
    (227, None, "implicit_newmark"),     # a box jams between the floor and a ball
    (402, 50, "implicit_newmark"),       # an impact in a short part of a step
    (266, None, "moreau_jean_combined"),  # a gap that jumps below zero where an impact is looked for
    # more contacts press than can be closed at once
    (195, bodies_of(195), "moreau_jean_combined"), (162, bodies_of(162), "moreau_jean_combined"),
    (192, bodies_of(192), "moreau_jean_combined"),
    (279, bodies_of(279), "moreau_jean_combined"),
    (400, 50, "lobatto"),                # edges that turn parallel within a step
    (0, None, "schatzman_paoli"),        # penetration that a short part of a step leads out of
    (402, 50, "schatzman_paoli"),
    (171, 50, "moreau_jean"),            # a thin rod that turns through a second corner in a step
    (87, 100, "lobatto"),                # likewise
    (180, 30, "lobatto"),                # two balls for which no part of a step was short enough
    (297, bodies_of(297), "generalized_alpha")])  # the pair below, among 100 bodies
def test_what_went_wrong_once(tmp_path, seed, n, scheme):
    check_scene(seed, scheme, tmp_path, n=n)


def jamming_pair(seed):
    """A star falls into the jaws of an arc, the line between both contacts within their cones of
    friction: percussions of any size along it move nothing."""
    rng = random.Random(seed)
    speed, spin_1, spin_2 = rng.uniform(-8, -1), rng.uniform(-6, 6), rng.uniform(-6, 6)
    friction, step = rng.uniform(0.5, 1.5), 10 ** rng.uniform(-3.5, -1.8)
    points = [(0.525907, 0), (0.183681, 0.318145), (-0.262954, 0.455449), (-0.367362, 0),
              (-0.262954, -0.455449), (0.183681, -0.318145)]
    star = "".join(f'<to x="{x}" y="{y}"/>' for x, y in points)
    return (HEAD + '<mechanism xmlns="urn:clatter:model:1" name="jamming_pair">'
            f'<experiment stop_time="0.3"/><solver step_size="{step}"/><gravity y="-9.81"/>'
            '<planar_body name="arc" initial_x="-1.6917841557199083" '
            'initial_y="2.0221662549765314" initial_angle="3.408980055450493" '
            'initial_velocity_x="0.0634415" initial_velocity_y="-0.4203126" '
            f'initial_angular_velocity="{spin_1}"><arc name="hull" group="things" density="1000" '
            'radius="0.368135" from_angle="0" to_angle="3.35941" thickness="0.166065"/></planar_body>'
            '<planar_body name="star" initial_x="-1.7949349069666796" '
            'initial_y="2.299651338587431" initial_angle="0.5381902926218449" '
            f'initial_velocity_x="0.2548239" initial_velocity_y="{speed}" '
            f'initial_angular_velocity="{spin_2}"><outline name="hull" group="things" '
            f'density="1000">{star}</outline></planar_body><contacts name="among" first="things" '
            f'friction_coefficient="{friction}"/></mechanism>')


def test_bodies_that_jam(tmp_path):
    """Scene 297 with all but two bodies left out, with other velocities, friction and steps: three
    of the first 400 failed once."""
    for seed in (230, 231, 282):
        model, result = tmp_path / "pair.xml", tmp_path / "pair.csv"
        model.write_text(jamming_pair(seed))
        done = tools.try_clatter("run", model, "--scheme", "generalized_alpha", "-o", result)
        assert done.returncode == 0, f"pair {seed}: {done.stderr[-300:]}"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_survey(tmp_path, scheme):
    """As many of 300 scenes of 2 to 100 bodies as CLATTER_SCENES says, from one of them on that
    CLATTER_FIRST_SCENE says."""
    first = int(os.environ.get("CLATTER_FIRST_SCENE", 41))
    for seed in range(first, first + int(os.environ.get("CLATTER_SCENES", 1))):
        check_scene(seed, scheme, tmp_path, n=bodies_of(seed))


def test_energy_does_not_grow(tmp_path):
    """Without restitution, where the scheme promises it."""
    for seed in (3, 8, 10, 23):
        table, _, words, case = run_scene(seed, "moreau_jean", tmp_path,
                                          ["--set", "solver.theta=1"], steps=120)
        assert words["restitution"] == 0
        assert np.diff(table["energy.total"]).max() < 0, case


@pytest.mark.parametrize("seed, n, scheme", [
    # percussions of an impact were the start for the next step, penetrations came back as velocities
    (12, None, "cone_complementarity"), (64, None, "cone_complementarity"),
    (24, None, "cone_complementarity"),
    # stages that fulfil all laws, but of another motion than that of the step before
    (249, None, "lobatto")])
def test_energy_that_grew_once(tmp_path, seed, n, scheme):
    table, _, words, case = run_scene(seed, scheme, tmp_path, n=n)
    assert words["restitution"] == 0
    assert np.diff(table["energy.total"]).max() < 1e-4 * table["energy.kinetic"].max(), case


@pytest.mark.parametrize("seed", [23, 64, 173])
def test_steps_that_add_energy_are_divided(tmp_path, seed):
    """Corners press while bodies turn by a tenth of a radian in a step: 4e-3, 1e-2 and 8e-2 of the
    largest kinetic energy came from one step each."""
    table, _, words, case = run_scene(seed, "generalized_alpha", tmp_path)
    assert words["restitution"] == 0
    assert 0 < table["solver.retried_steps"].max() < 10, case
    assert np.diff(table["energy.total"]).max() < 1e-3 * table["energy.kinetic"].max(), case


def test_energy_grows_by_the_error_of_the_step_alone(tmp_path):
    """In each step by an error of second order: a quarter of the step makes a sixteenth of it."""
    grown = []
    for part in (1, 4):
        text, words = scene(23)
        model, result = tmp_path / "scene.xml", tmp_path / "scene.csv"
        model.write_text(text)
        step = words["step"] / part
        tools.clatter("run", model, "--step", step, "--stop", 120 * words["step"], "-o", result)
        energy = tools.read_csv(result)["energy.total"]
        grown.append(np.diff(energy).max())
    assert 0 < grown[1] < grown[0] / 8


@pytest.mark.parametrize("scheme", SCHEMES)
def test_same_twice(tmp_path, scheme):
    for seed in (200, 201):
        first = run_scene(seed, scheme, tmp_path)[1]
        assert run_scene(seed, scheme, tmp_path)[1] == first
