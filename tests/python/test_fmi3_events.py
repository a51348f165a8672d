"""FMI 3.0: event mode, early return at impacts, and what a host can do between internal steps."""

import fmpy
import numpy as np
import pytest

import fmi3
import tools

MODEL = tools.MODELS / "bouncing_ball.xml"
STEP = 1e-3
FIRST_IMPACT, RESTITUTION = 0.40025, 0.8  # of the exact solution

# A body on wheels that an input pushes against a wall.
CART = tools.mechanism("""
<experiment stop_time="1"/>
<input name="push" unit="N"/>
<point_mass name="cart" mass="2" initial_x="-0.3"><point name="nose"/></point_mass>
<ground><line name="wall" normal_angle="pi"/></ground>
<force name="hand" on="cart" x="push"/>
<contact name="bump" first="cart.nose" second="ground.wall" normal_restitution="0.5"/>
""", step=STEP)


@pytest.fixture(scope="module")
def ball3(tmp_path_factory):
    return fmi3.pack(MODEL, tmp_path_factory.mktemp("ball"))


@pytest.fixture(scope="module")
def cart3(tmp_path_factory):
    return fmi3.pack(CART, tmp_path_factory.mktemp("cart"))


def handle_event(instance):
    instance.enterEventMode()
    assert instance.updateDiscreteStates()[:5] == (False, False, False, False, False)
    instance.enterStepMode()


def run(instance, stop, size, events=False):
    """Communication steps to a stop time, cut where the FMU returns early; ends of such steps."""
    time, returns, n = 0.0, [], 0
    if events:
        assert instance.updateDiscreteStates()[0] is False
        instance.enterStepMode()
    while time < stop - 1e-9:
        goal = (n + 1) * size
        event, terminate, early, last = instance.doStep(time, goal - time)
        assert not terminate and last == instance.get("time")
        assert early == (last < goal - 1e-9)
        time = last if early else goal
        n += not early
        if early:
            returns.append(last)
        if event:
            handle_event(instance)
    return returns


# --- early return ---

def test_returns_early_at_every_impact(ball3):
    """At the end of the internal step that holds the impact, and nowhere else."""
    with fmi3.Instance(ball3, events=True, early=True) as instance:
        returns = run(instance.start(), 2.0, 0.1, events=True)
    exact = [FIRST_IMPACT]
    while exact[-1] < 2.0:
        exact.append(exact[-1] + 2 * FIRST_IMPACT * RESTITUTION ** len(exact))
    assert len(returns) == len(exact) - 1 == 4
    assert np.abs(np.array(returns) - exact[:-1]).max() < 6 * STEP  # of first order in the step


@pytest.mark.parametrize("scheme", [1, 2, 4, 8])
@pytest.mark.parametrize("events, early", [(False, False), (True, False), (False, True),
                                           (True, True)])
def test_motion_does_not_depend_on_events(ball3, scheme, events, early):
    """To the last bit, over all impacts and the rest that they accumulate at."""
    with fmi3.Instance(ball3) as plain, fmi3.Instance(ball3, events, early) as instance:
        assert run(plain.start(solver__scheme=scheme), 4.0, 0.1) == []
        returns = run(instance.start(solver__scheme=scheme), 4.0, 0.1, events)
        assert instance.everything() == plain.everything()
        assert (len(returns) > 10) == early
        assert not returns or returns[-1] < 3.7, "a ball that rests has no impacts"


def test_event_is_told_without_early_return(ball3):
    with fmi3.Instance(ball3, events=True) as instance:
        instance.start()
        instance.enterStepMode()
        assert instance.doStep(0.0, 0.3) == (False, False, False, pytest.approx(0.3))
        assert instance.doStep(0.3, 0.3) == (True, False, False, pytest.approx(0.6))
        handle_event(instance)
        assert instance.get("solver.last_impact_time") == pytest.approx(0.401)
        assert instance.doStep(0.6, 0.1)[0] is False


def test_without_event_mode_no_event_is_told(ball3):
    with fmi3.Instance(ball3, early=True) as instance:
        event, _, early, last = instance.start().doStep(0.0, 1.0)
        assert (event, early) == (False, True) and last == pytest.approx(0.401)


def test_impact_at_the_end_of_a_step_is_no_early_return(ball3):
    with fmi3.Instance(ball3, events=True, early=True) as instance:
        instance.start()
        instance.enterStepMode()
        event, _, early, last = instance.doStep(0.0, 0.401)
        assert (event, early) == (True, False) and last == pytest.approx(0.401)


def test_located_impacts(ball3):
    """The step ends with the internal step; the instant of the impact is an output."""
    with fmi3.Instance(ball3, events=True, early=True) as instance:
        instance.start(solver__locate_impacts=2)  # yes
        instance.enterStepMode()
        event, _, early, last = instance.doStep(0.0, 1.0)
        assert event and early and last == pytest.approx(0.401)
        assert instance.get("solver.last_impact_time") == pytest.approx(FIRST_IMPACT, abs=1e-5)


def test_fmpy_simulates_with_events(ball3):
    """The example of docs/fmi.md: rows at the impacts beside those of the output interval."""
    result = fmpy.simulate_fmu(str(ball3.directory), stop_time=2.0, output_interval=0.1,
                               use_event_mode=True, early_return_allowed=True)
    plain = fmpy.simulate_fmu(str(ball3.directory), stop_time=2.0, output_interval=0.1)
    at_impacts = result[~np.isin(np.round(result["time"], 9), np.round(plain["time"], 9))]
    assert sorted(set(np.round(at_impacts["time"], 9))) == [0.401, 1.042, 1.555, 1.966]
    assert (at_impacts["ball.velocity_y"] > 0).all(), "behind the impact"
    assert result["ball.y"][-1] == plain["ball.y"][-1]


def test_a_controller_answers_at_the_impact(cart3):
    """The push ends with the impact that early return tells of, not 0.1 s later."""
    with fmi3.Instance(cart3, events=True, early=True) as instance:
        instance.start(push=4.0)
        instance.enterStepMode()
        time = 0.0
        for _ in range(100):
            event, _, _, time = instance.doStep(time, 0.1)
            if event:
                instance.enterEventMode()
                instance.set("push", 0.0)
                instance.updateDiscreteStates()
                instance.enterStepMode()
                break
        assert event
        speed = instance.get("cart.velocity_x")
        assert speed == pytest.approx(-0.5 * np.sqrt(2 * 2.0 * 0.3), rel=1e-2)
        instance.doStep(time, 0.1)
        assert instance.get("cart.velocity_x") == pytest.approx(speed, rel=1e-9)


# --- between internal steps ---

def test_update_after_each_internal_step(ball3):
    """Values read there change nothing, and are those of the internal steps."""
    seen = []
    look = lambda instance, time: seen.append((time, instance.get("time"), instance.get("ball.y")))
    with fmi3.Instance(ball3, update=look) as instance, fmi3.Instance(ball3) as plain:
        run(instance.start(), 0.5, 0.05)
        fine = []
        plain.start()
        for i in range(500):
            plain.doStep(i * STEP, STEP)
            fine.append(plain.get("ball.y"))
        assert len(seen) == 500 and [y for _, _, y in seen] == fine
        assert all(time == own for time, own, _ in seen)
        assert instance.everything() == plain.everything()


@pytest.mark.parametrize("wanted, reached", [(0.02, 0.02), (0.0203, 0.0203), (0.0, 0.005),
                                             (fmi3.NAN, 0.005), (1.0, 0.05)])
def test_host_asks_for_early_return(ball3, wanted, reached):
    """At the time that it names, which need not be the end of an internal step; now if it is over."""
    ask = lambda instance, time: wanted if abs(time - 0.005) < 1e-9 else None
    with fmi3.Instance(ball3, early=True, update=ask) as instance:
        event, _, early, last = instance.start().doStep(0.0, 0.05)
        assert last == pytest.approx(reached, abs=1e-12) == instance.get("time")
        assert (event, early) == (False, reached < 0.05)
        instance.doStep(last, 0.05)
        y = 1.001 - 5.0 * (last + 0.05) ** 2
        assert instance.get("ball.y") == pytest.approx(y, abs=1e-2 * STEP)


def test_early_return_must_be_allowed(ball3):
    with fmi3.Instance(ball3, update=lambda instance, time: time) as instance:
        assert instance.start().doStep(0.0, 0.05)[2:] == (False, pytest.approx(0.05))


def test_inputs_set_between_internal_steps(cart3):
    """As if the host had divided the communication step there, to the last bit."""
    push = lambda time: 4.0 * np.cos(20.0 * STEP * round(time / STEP))
    update = lambda instance, time: instance.set("push", push(time))
    with (fmi3.Instance(cart3, update=update, intermediate=["push"]) as instance,
          fmi3.Instance(cart3) as plain):
        instance.start(push=push(0.0)).doStep(0.0, 0.2)
        plain.start()
        time = 0.0
        for _ in range(200):
            plain.set("push", push(time))
            plain.doStep(time, STEP)
            time = plain.get("time")
        plain.set("push", push(time))
        assert instance.everything() == plain.everything()


def test_what_cannot_be_done_between_internal_steps(cart3):
    refused = []

    def update(instance, time):
        if not refused:
            instance.refused(instance.doStep, time, STEP, words="intermediate update mode")
            instance.refused(instance.getFMUState, words="intermediate update mode")
            instance.refused(instance.reset, words="intermediate update mode")
            instance.refused(instance.set, "bump.normal_restitution", 0.1, words="is no input")
            instance.refused(instance.set, "push", fmi3.NAN, words="finite")
            refused.append(time)

    with fmi3.Instance(cart3, update=update) as instance:
        instance.start(push=1.0).doStep(0.0, 0.01)
        assert refused and instance.get("time") == pytest.approx(0.01)


def test_intermediate_variables_must_exist(cart3):
    with pytest.raises(Exception, match="instantiate"):
        instance = fmi3.Instance.__new__(fmi3.Instance)
        cart3.variables["nothing"] = type("V", (), {"valueReference": 10 ** 6})
        try:
            instance.__init__(cart3, intermediate=["nothing"])
        finally:
            del cart3.variables["nothing"]
    assert "value reference 1000000" in instance.messages[-1][2]


def test_hostile_order_of_event_mode(ball3):
    with fmi3.Instance(ball3, events=True, early=True) as instance:
        instance.start()
        instance.refused(instance.doStep, 0.0, 0.1, words='state "event mode"')
        instance.refused(instance.enterEventMode, words='state "event mode"')
        instance.enterStepMode()
        instance.refused(instance.enterStepMode, words='state "step mode"')
        instance.refused(instance.updateDiscreteStates, words='state "step mode"')
        instance.doStep(0.0, 1.0)
        instance.doStep(instance.get("time"), 0.1)  # the event need not be handled
        handle_event(instance)
        instance.enterEventMode()
        instance.terminate()
