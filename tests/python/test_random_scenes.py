"""Random shapes of all kinds fall into a container: no step fails, nothing falls through anything
else, no more is penetrated than the scheme says, and the motion is the same twice."""

import numpy as np
import pytest

import tools
from random_scenes import scene

# Penetration: what a body moves in a step with schemes that promise no better, else a small part of
# its size, for what is left where steps are made again with other features than those of their start
# (3e-6 at most in 320 scenes; features that are missed leave a hundredth)
PART_OF_SIZE = {"generalized_alpha": 1e-4}


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


def run_scene(seed, scheme, folder, **options):
    text, words = scene(seed, **options)
    model, result = folder / f"scene{seed}.xml", folder / f"scene{seed}.csv"
    model.write_text(text)
    done = tools.try_clatter("run", model, "--scheme", scheme, "-o", result)
    case = f"scene {seed}, {scheme}, {words}: {done.stderr[-300:]}"
    assert done.returncode == 0, case
    return tools.read_csv(result), result.read_bytes(), words, case


def check_scene(seed, scheme, folder, **options):
    table, _, words, case = run_scene(seed, scheme, folder, **options)
    size, step = words["size"], words["step"]
    v, w = speeds(table, words)
    way = step * (v + w * size)
    most = PART_OF_SIZE.get(scheme, 0.0) * size or 1.5 * way
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


@pytest.mark.parametrize("scheme", ["moreau_jean_projected", "moreau_jean_combined",
                                    "generalized_alpha_velocity", "implicit_newmark", "lobatto",
                                    "cone_complementarity"])
def test_other_schemes(tmp_path, scheme):
    for seed in range(100, 106):
        run_scene(seed, scheme, tmp_path, n=5)


def test_same_twice(tmp_path):
    for seed in (200, 201, 202):
        first = run_scene(seed, "moreau_jean", tmp_path)[1]
        assert run_scene(seed, "moreau_jean", tmp_path)[1] == first
