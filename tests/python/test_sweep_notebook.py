"""The notebook runs from top to bottom; what it asserts itself is not repeated here."""

import nbformat
import pytest

import tools

EXAMPLES = tools.ROOT / "examples"


def test_the_notebook_is_stored_without_outputs():
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_the_notebook_runs_from_top_to_bottom(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tools.ROOT / "python"))  # for the kernel, a process
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=900, resources={"metadata": {"path": EXAMPLES}})
    client.execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    kinds = [set().union(*(output.get("data", {}) for output in cell.outputs)) for cell in code]
    assert sum("image/png" in kind for kind in kinds) == 3, "three plots"
    assert sum("text/html" in kind for kind in kinds) >= 4, "tables, results and the animation"
    bars = [output["data"]["text/plain"] for cell in code for output in cell.outputs
            if "runs" in output.get("data", {}).get("text/plain", "")]
    assert len(bars) == 1 and "] 36/36 runs" in bars[0], "a progress bar, updated in its place"
