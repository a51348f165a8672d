"""Communication steps of any length: what rounding in hosts leaves over, steps that are a trace too
long, and very short ones. Times and forces are those of the motion."""

import numpy as np
import pytest

from fmi2 import OK, Instance
from models import SLED
from tools import MODELS

SCHEMES = {"moreau_jean": 1, "generalized_alpha": 2}
STICKS, SLIDES = 5.0, 20.0  # N, of 10 N of friction


@pytest.fixture(params=SCHEMES, name="scheme")
def scheme_number(request):
    return SCHEMES[request.param]


@pytest.fixture(scope="module", name="sled")
def sled_fmu(pack):
    return pack(SLED)


def values(instance):
    """All real values but the time."""
    names = [n for n in instance.fmu.names(kind="Real") if n != "time"]
    names = [n for n in names if "acceleration" not in n]
    status, result = instance.try_get(*names)
    assert status == OK, instance.last_message()
    return dict(zip(names, result))


@pytest.mark.parametrize("model", ["hopping_leg", "parcel_pusher", "slider_crank"])
@pytest.mark.parametrize("remnant", [1e-13, 3e-18, 1e-300])
def test_remnant_changes_nothing_but_the_time(pack, scheme, model, remnant):
    with Instance(pack(MODELS / f"{model}.xml")) as instance:
        instance.start(solver__scheme=scheme)
        size = 10 * instance.get("solver.step_size")
        instance.steps(0.0, size, 20)
        before, time = values(instance), instance.get("time")
        assert instance.step(time, remnant) == OK, instance.last_message()
        assert values(instance) == before
        assert instance.get("time") == time + remnant
        assert instance.step(time + remnant, size) == OK, instance.last_message()
        assert instance.get("time") == pytest.approx(time + remnant + size, rel=1e-15)


@pytest.mark.parametrize("size", [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 2e-10])
@pytest.mark.parametrize("push", [STICKS, SLIDES])
def test_short_step_has_the_forces_of_the_motion(sled, scheme, size, push):
    """m 2 kg, g 10 m/s^2, friction 0.5: 20 N, and -push or -10 N. Moreau-Jean divides percussions
    by the step, so that the rounding of velocities of about 1 m/s is seen in forces."""
    with Instance(sled) as instance:
        instance.start(solver__scheme=scheme, push=push)
        instance.steps(0.0, 0.01, 50)
        speed = instance.get("sled.velocity_x")
        assert instance.step(0.5, size) == OK, instance.last_message()
        rounding = 1e-15 / size
        assert instance.get("floor.normal_force") == pytest.approx(20.0, abs=10 * rounding)
        assert instance.get("floor.friction_force") == pytest.approx(-min(push, 10.0),
                                                                    abs=10 * rounding)
        assert instance.get("floor.state") == (3 if push == STICKS else 2)
        expected = 0.0 if push == STICKS else (push - 10.0) / 2.0
        assert (instance.get("sled.velocity_x") - speed) / size == pytest.approx(
            expected, abs=10 * rounding)


@pytest.mark.parametrize("n", [1, 10, 1000])
@pytest.mark.parametrize("error", [1e-9, -1e-9, 1e-12])
def test_step_a_trace_too_long_is_not_divided(sled, scheme, n, error):
    with Instance(sled) as instance:
        instance.start(solver__scheme=scheme, push=SLIDES)
        size = n * 1e-3 * (1.0 + error)
        t = 0.0
        for i in range(5):
            assert instance.step(t, size) == OK, instance.last_message()
            t += size
            assert instance.get("solver.steps") == n * (i + 1)
            assert instance.get("time") == pytest.approx(t, rel=1e-15)


def test_clock_of_a_host_that_is_always_a_trace_longer(sled, scheme):
    """The difference adds up to a step of its own in the end: none of it is lost."""
    with Instance(sled) as instance:
        instance.start(solver__scheme=scheme, push=SLIDES)
        size, n = 1e-3 * (1.0 + 5e-8), 3000
        for i in range(n):
            assert instance.step(i * size, size) == OK, instance.last_message()
        assert instance.get("time") == pytest.approx(n * size, rel=1e-13)
        assert instance.get("sled.velocity_x") == pytest.approx(5.0 * n * size, abs=5.0 * 1e-9)


def test_many_tiny_steps_make_one(sled, scheme):
    with Instance(sled) as instance:
        instance.start(solver__scheme=scheme, push=SLIDES)
        instance.steps(0.0, 0.01, 1)
        t, tiny, n = 0.01, 3e-12, 2000
        for _ in range(n):
            assert instance.step(t, tiny) == OK, instance.last_message()
            t += tiny
        assert instance.step(t, 1e-3) == OK
        t += 1e-3
        assert instance.get("time") == pytest.approx(t, rel=1e-13)
        assert instance.get("sled.velocity_x") == pytest.approx(5.0 * t, abs=5.0 * 2e-10)


def test_times_below_rounding_add_up(sled, scheme):
    """Each step is less than one unit of the last place of the time."""
    with Instance(sled) as instance:
        instance.start(solver__scheme=scheme, push=SLIDES)
        instance.steps(0.0, 0.5, 1)
        tiny = np.spacing(0.5) / 4
        for _ in range(400):
            assert instance.step(instance.get("time"), tiny) == OK, instance.last_message()
        assert instance.get("time") == 0.5 + 400 * tiny
