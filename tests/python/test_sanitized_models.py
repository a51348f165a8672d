"""Every delivered model with every scheme under the address and undefined-behaviour sanitizers
(CLATTER_BUILD_DEBUG): over its whole experiment, so through its contacts, but in at most
LONGEST_RUN steps, which are longer than its own where those would be too many. A step of such a
length may be one that cannot be solved; then the program says so and ends in order."""

import os
import re
from pathlib import Path

import pytest

import tools

LONGEST_RUN = 400  # steps
LATER_RUN = 100  # of the other schemes, which share the code of the first two
FIRST_SCHEMES = {"moreau_jean", "generalized_alpha"}
# With a spectral radius near 0 and stiff beams its updates converge slowly (velocity-schemes.md).
SLOWLY_DAMPED = {"generalized_alpha_velocity"}
# Parts of their time for all schemes but the first: islands of many contacts, thin beams, and long
# steps, take long.
COSTLY = {"shape_box": 0.15, "box_tower": 0.5, "box_tower_3d": 0.3, "bathe_bend": 0.3,
          "capstan_cable": 0.1, "flyball_governor": 0.5, "gear_pair": 0.5, "slider_crank_3d": 0.5}
# And for one scheme: from then on all steps are tried again in ever shorter parts, as those before.
# With the first contacts of snap_arch and impacting_bar.
COSTLIER = {("valve_train", "generalized_alpha"): 0.3, ("valve_train", "lobatto"): 0.1,
            ("capstan_cable", "generalized_alpha"): 0.05,
            ("capstan_cable", "generalized_alpha_velocity"): 0.02,
            ("snap_arch", "generalized_alpha"): 0.5, ("bathe_bend", "lobatto"): 0.05,
            ("impacting_bar", "lobatto"): 0.5, ("box_tower_3d", "cone_complementarity"): 0.1,
            ("guided_hopper", "generalized_alpha_velocity"): 0.3}
FOUND = 99  # exit code when a sanitizer has found something


@pytest.fixture(scope="module")
def debug_build():
    directory = os.environ.get("CLATTER_BUILD_DEBUG")
    if not directory or not Path(directory, "clatter").exists():
        pytest.skip("CLATTER_BUILD_DEBUG is not set")
    return Path(directory)


@pytest.fixture(scope="module")
def schemes():
    """As the program itself lists them."""
    said = tools.try_clatter("run", tools.MODELS / "bouncing_ball.xml", "--scheme", "?").stderr
    listed = re.search(r"expected one of ([\w, ]+)", said).group(1).split(", ")
    assert FIRST_SCHEMES <= set(listed)
    return listed


def run(model, scheme, build, directory):
    text = model.read_text()
    stop = float(re.search(r'stop_time="([^"]+)"', text).group(1))
    step = float(re.search(r'step_size="([^"]+)"', text).group(1))
    longest = LONGEST_RUN if scheme in FIRST_SCHEMES else LATER_RUN
    step = max(step, stop / longest)
    part = COSTLY.get(model.stem, 1.0) if scheme != "moreau_jean" else 1.0
    part = COSTLIER.get((model.stem, scheme), part)
    damped = ["--set", "solver.spectral_radius=0.8"] if scheme in SLOWLY_DAMPED else []
    table = directory / f"{model.stem}_{scheme}.csv"
    options = f"exitcode={FOUND}:halt_on_error=1"
    environment = dict(os.environ, ASAN_OPTIONS=options + ":detect_stack_use_after_return=1",
                       UBSAN_OPTIONS=options + ":print_stacktrace=1")
    done = tools.try_clatter("run", model, "--scheme", scheme, "--step", repr(step), "-o", table,
                             "--stop", repr(part * stop), "--all", *damped, build=build, env=environment)
    return done, table


def touched(table):
    """Did a contact carry anything, or is there none?"""
    rows = tools.read_csv(table)
    columns = [name for name in rows.dtype.names if name.endswith(".normal_percussion")]
    return not columns or any((rows[name] > 0).any() for name in columns)


def test_every_scheme(debug_build, schemes, model_path, tmp_path):
    reached = []
    for scheme in schemes:
        done, table = run(model_path, scheme, debug_build, tmp_path)
        case = f"{scheme}: {done.stderr[-3000:]}"
        assert "runtime error" not in done.stderr and "Sanitizer" not in done.stderr, case
        assert done.returncode == 0 or (
            done.returncode == 1 and re.search("could not be solved|cannot take", done.stderr)), case
        if "cannot take" not in done.stderr:
            reached.append(touched(table))
    assert not reached or any(reached)
