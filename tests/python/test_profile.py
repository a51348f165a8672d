"""clatter run --profile: what steps cost."""

import re

import pytest

import tools

COUNTS = ["Newton updates", "evaluations of rows and forces", "residuals", "factorisations",
          "Delassus matrices", "contact problems", "contact iterations"]
PHASES = ["evaluate rows and forces", "factorise and solve", "contact laws", "residual",
          "new state and energies", "the rest"]
SCHEMES = ["moreau_jean", "generalized_alpha"]


def profile(model, scheme, *options):
    """Summary, counts (total, per step, most in a step) and times (s, ns per step, percent)."""
    text = tools.clatter("run", tools.MODELS / f"{model}.xml", "--scheme", scheme, "--profile",
                         *options)
    head, table = text.split("  cost of steps")
    summary = re.findall(r"^  (\S.*?)  +(\S+)", head, re.MULTILINE)
    rows = re.findall(r"^ +(\S.*?)  +([\d.]+) +([\d.]+) +([\d.]+)$", table, re.MULTILINE)
    return ({name: float(value) for name, value in summary},
            {name: tuple(map(float, values)) for name, *values in rows})


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("model", ["rotating_ball", "slider_crank", "tippe_top"])
def test_counts_agree_with_the_summary(model, scheme):
    summary, rows = profile(model, scheme, "--step", "1e-3", "--stop", "0.5")
    steps = summary["steps"]
    assert steps == 500
    assert rows["Newton updates"][0] == summary["iterations"]
    for name in COUNTS:
        total, per_step, most = rows[name]
        assert per_step == pytest.approx(total / steps, abs=1e-3)
        assert per_step <= most + 1e-3
        assert most <= total
    # every step that is accepted is evaluated
    assert rows["evaluations of rows and forces"][0] >= steps
    assert (rows["contact problems"][0] > 0) == (rows["contact iterations"][0] > 0)
    assert rows["Delassus matrices"][0] <= rows["contact problems"][0]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_factorisation_where_the_matrix_is_the_mass_matrix(scheme):
    _, rows = profile("rotating_ball", scheme)
    assert rows["factorisations"] == (0, 0, 0)


def test_factorisations_with_joints():
    """Moreau-Jean factorises once per Newton update, but for those that old factors will do for at
    the end; generalized-alpha, without forces that depend on the motion, once per pass or less, and
    once more for the forces at the start."""
    _, rows = profile("slider_crank", "moreau_jean", "--stop", "0.05")
    assert 0.9 * rows["Newton updates"][0] <= rows["factorisations"][0] <= rows["Newton updates"][0]
    summary, rows = profile("slider_crank", "generalized_alpha", "--stop", "0.05")
    assert summary["steps"] <= rows["factorisations"][0] <= rows["Newton updates"][0] + 1


def test_a_free_fall_costs_no_contact_problem():
    _, rows = profile("rotating_ball", "moreau_jean", "--stop", "0.01", "--step", "1e-3")
    for name in ["Delassus matrices", "contact problems", "contact iterations"]:
        assert rows[name] == (0, 0, 0)
    assert rows["Newton updates"] == (10, 1, 1)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_phases_sum_to_the_whole(scheme):
    summary, rows = profile("slider_crank", scheme, "--stop", "0.2")
    total, per_step, percent = rows["all phases"]
    assert sum(rows[name][0] for name in PHASES) == pytest.approx(total, abs=1e-5)
    assert sum(rows[name][2] for name in PHASES) == pytest.approx(100, abs=0.5)
    assert percent == 100
    assert per_step == pytest.approx(1e9 * total / summary["steps"], abs=1)
    assert all(rows[name][0] > 0 for name in PHASES)
    # the steps are within the run, and reading the clock within the steps
    assert total <= summary["steps"] / summary["steps per second"] * 1.01
    assert rows["of this, reading the clock"][0] < total


def test_without_the_option_there_is_no_table():
    text = tools.clatter("run", tools.MODELS / "rotating_ball.xml")
    assert "residuals" not in text
