"""FMUs of FMI 3.0 in fmi-sim, if it is there (cargo install fmi-sim, on the PATH)."""

import csv
import shutil

import fmpy
import pytest

import fmi3
import tools

# It takes every variable for a scalar and drops enumerations.
SCALARS = "--no-vectors", "--no-enumerations"
FMI_SIM = shutil.which("fmi-sim")
pytestmark = pytest.mark.skipif(FMI_SIM is None, reason="fmi-sim is not on the PATH")


def simulate(fmu, directory, *options):
    done = tools.run(FMI_SIM, "--model", directory / "model.fmu", "-o", directory / "out.csv",
                     "co-simulation", "-f", "1", "--output-interval", "0.0625", *options)
    assert done.returncode == 0, done.stderr
    assert "rror" not in done.stderr + done.stdout
    with open(directory / "out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.mark.parametrize("name", ["bouncing_ball", "rotating_ball"])
def test_same_numbers_as_fmpy(name, tmp_path):
    fmu = fmi3.pack(tools.MODELS / f"{name}.xml", tmp_path, *SCALARS)
    rows = simulate(fmu, tmp_path)
    expected = fmpy.simulate_fmu(str(fmu.directory), stop_time=1.0, output_interval=0.0625)
    assert len(expected) == 17 and set(rows) >= set(expected.dtype.names)
    for column in expected.dtype.names:
        if expected[column].dtype.kind in "fi":
            assert list(map(float, rows[column])) == list(expected[column]), column


def test_events_and_early_return(tmp_path):
    fmu = fmi3.pack(tools.MODELS / "bouncing_ball.xml", tmp_path, *SCALARS)
    rows = simulate(fmu, tmp_path, "--event-mode-used", "--early-return-allowed")
    step = 0.0625 / 63  # internal steps of at most 1e-3 s
    assert any(0.40025 <= float(time) <= 0.40025 + step for time in rows["time"]), "the impact"
    plain = simulate(fmu, tmp_path)
    assert float(rows["ball.y"][-1]) == pytest.approx(float(plain["ball.y"][-1]), abs=1e-12)
