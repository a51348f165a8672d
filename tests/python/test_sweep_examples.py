"""The examples and the notebook run as they stand, and give what they say."""

import runpy

import nbformat
import numpy as np
import pytest

import tools

EXAMPLES = tools.ROOT / "examples"


def run_example(name):
    return runpy.run_path(str(EXAMPLES / name))["main"]()


def test_sensitivities_of_the_parcel():
    """v^2 = 2 s (F - mu m g)/(m + M): force, mass and friction matter, the height does not."""
    table = run_example("sensitivity.py")["mean effect"]
    assert set(table.index[:2]) == {"parcel_mass", "drive_force"}
    assert table["table_contact_back.friction_coefficient"] > 4 * table["carriage.mass"]
    assert table["height"] < 0.02


def test_coefficients_come_back_from_a_noisy_record():
    found, sigma = run_example("fit.py")
    assert (sigma < 5e-4).all()
    assert (np.abs(found - [0.23, 0.62]) < 4 * sigma).all()


def test_the_notebook_is_stored_without_outputs():
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_the_notebook_runs_from_top_to_bottom(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tools.ROOT / "python"))  # for the kernel, a process
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=100, resources={"metadata": {"path": EXAMPLES}})
    client.execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    kinds = [set().union(*(output.get("data", {}) for output in cell.outputs)) for cell in code]
    assert sum("image/png" in kind for kind in kinds) == 3, "three plots"
    assert sum("text/html" in kind for kind in kinds) >= 4, "tables, results and the animation"
    bars = [output["data"]["text/plain"] for cell in code for output in cell.outputs
            if "runs" in output.get("data", {}).get("text/plain", "")]
    assert len(bars) == 1 and "] 36/36 runs" in bars[0], "a progress bar, updated in its place"
