"""Every model that is delivered: packs, is valid in every way, and runs to its stop time."""

from pathlib import Path

import fmpy
import fmpy.validation
import lark
import numpy as np
import pytest
from lxml import etree

import tools

RIGHT_PARTS = set()  # of names, as FMPy has found
FMI_SCHEMA = Path(fmpy.__file__).parent / "schema" / "fmi2" / "fmi2ModelDescription.xsd"


def test_there_are_the_models_of_the_papers():
    names = {path.stem for path in tools.MODELS.glob("*.xml")}
    assert {"rotating_ball", "bouncing_ball", "ball_in_cylinder", "bouncing_oscillator"} <= names


@pytest.fixture
def quick_names(monkeypatch):
    """FMPy's grammar of names takes milliseconds for each, but a name without quotes and parentheses
    is right if all between its dots are, and these are mostly the same."""
    whole = lark.Lark.parse

    def parse(self, name):
        parts = [name] if set(name) & set("'()") else name.split(".")
        for part in parts:
            if part not in RIGHT_PARTS:
                whole(self, part)
                RIGHT_PARTS.add(part)

    monkeypatch.setattr(lark.Lark, "parse", parse)


def test_no_problem_found_by_fmpy(model_path, pack, quick_names):
    assert fmpy.validation.validate_fmu(str(pack(model_path).directory.parent / "model.fmu")) == []


def test_wrong_names_are_found_by_fmpy(ball, quick_names, tmp_path):
    text = (ball.directory / "modelDescription.xml").read_text()
    for wrong in ("ball.", "ball..x", "ball.2x", ".x", "ball.x y", "ball.x[1", "der(ball.x"):
        (tmp_path / "modelDescription.xml").write_text(text.replace('"ball.x"', f'"{wrong}"'))
        problems = fmpy.validation.validate_fmu(str(tmp_path))
        assert [problem for problem in problems if f'"{wrong}"' in problem
                and "not a legal variable name" in problem], (wrong, problems)


def test_description_is_valid_against_the_schema_of_fmi(model_path, pack):
    schema = etree.XMLSchema(etree.parse(FMI_SCHEMA))
    schema.assertValid(etree.parse(pack(model_path).directory / "modelDescription.xml"))


def test_model_is_valid_against_its_schema(model_path, pack):
    schema = etree.XMLSchema(etree.parse(tools.ROOT / "resources" / "schema" / "model.xsd"))
    schema.assertValid(etree.parse(model_path))
    packed = etree.parse(pack(model_path).resources / "model.xml")
    schema.assertValid(packed)


def test_schema_refuses_what_the_program_refuses():
    schema = etree.XMLSchema(etree.parse(tools.ROOT / "resources" / "schema" / "model.xsd"))
    good = tools.mechanism('<point_mass name="a" mass="1"/>')
    for bad in (good.replace("point_mass", "point_masses"), good.replace("mass=", "weight="),
                good.replace("urn:clatter:model:1", "urn:clatter:model:7")):
        assert not schema.validate(etree.fromstring(bad)), bad
    assert schema.validate(etree.fromstring(good)), schema.error_log


def test_runs_to_its_stop_time(model_path, pack):
    fmu = pack(model_path)
    stop = float(fmpy.read_model_description(str(fmu.directory)).defaultExperiment.stopTime)
    result = fmpy.simulate_fmu(str(fmu.directory))
    assert abs(result["time"][-1] - stop) <= 1e-9 * stop
    for name in result.dtype.names:
        assert np.isfinite(result[name]).all(), name
    assert result["solver.failed_steps"][-1] == 0


def test_command_line_agrees_with_the_fmu(model_path, pack, tmp_path):
    """The same steps by the program and by the FMU give the same numbers to the last bit."""
    dt = float(pack(model_path).variables["solver.step_size"].start)
    tools.clatter("run", model_path, "--stop", 299 * dt, "-o", tmp_path / "out.csv")
    rows = tools.read_csv(tmp_path / "out.csv")
    n = len(rows)
    assert n == 300
    result = tools.simulate(pack(model_path), stop=(n - 1) * dt, dt=dt,
                            output=[name for name in rows.dtype.names if name != "time"])
    assert len(result) == n
    for name in result.dtype.names[1:]:
        assert (result[name] == rows[name][:n]).all(), name


def test_scheme_is_set_by_number_in_fmpy(ball, tmp_path):
    """As the README says: 2 is generalized_alpha."""
    by_number = tools.simulate(ball, 0.01, 1e-3, {"solver.scheme": 2}, output=["ball.y"])
    tools.clatter("run", tools.MODELS / "rotating_ball.xml", "--stop", "0.01", "--step", "1e-3",
                  "--scheme", "generalized_alpha", "-o", tmp_path / "o.csv")
    assert list(by_number["ball.y"]) == list(tools.read_csv(tmp_path / "o.csv")["ball.y"])
