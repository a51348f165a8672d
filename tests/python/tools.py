"""The program as a subprocess, its CSV, and simulations through FMPy."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import fmpy
import numpy as np
from lxml import etree

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CLATTER_BUILD", ROOT / "build" / "release")).resolve()
MODELS = ROOT / "resources" / "models"
NAMESPACE = 'xmlns="urn:clatter:model:1"'
OPEN, SLIP, STICK = 1, 2, 3  # states of a contact
MOREAU_JEAN, GENERALIZED_ALPHA, LOBATTO = 1, 2, 8  # values of solver.scheme


def run(*command, **options):
    """A finished process with its output as text. The time limit is only against hanging."""
    options = {"capture_output": True, "text": True, "timeout": 900} | options
    return subprocess.run([str(part) for part in command], **options)


def time_of_children():
    """Processor time of all finished processes so far: other programs do not change it much."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def try_clatter(*arguments, build=BUILD, **options):
    return run(Path(build) / "clatter", *arguments, **options)


def clatter(*arguments, **options):
    done = try_clatter(*arguments, **options)
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


def python(code, *arguments, **options):
    """Runs a test's helper code in a process of its own, with these modules to import."""
    environment = dict(options.pop("env", os.environ))
    environment["PYTHONPATH"] = str(Path(__file__).parent)
    done = run(sys.executable, "-c", code, *arguments, env=environment, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def mechanism(content, name="model", step=1e-3, attributes="", solver=""):
    return (f'<mechanism {NAMESPACE} name="{name}" {attributes}>\n'
            f'<solver step_size="{step}" {solver}/>\n{content}\n</mechanism>\n')


def simulate(fmu, stop, dt, parameters=None, output=None, communication=None, inputs=None):
    """Result of FMPy's own simulation as a structured array, one row per communication step."""
    start_values = {"solver.step_size": dt} | (parameters or {})
    return fmpy.simulate_fmu(str(fmu.directory), validate=False, stop_time=stop,
                             output_interval=communication or dt, start_values=start_values,
                             output=output, input=inputs)


def read_csv(path):
    """A structured array with a field for each column; what is empty or a text is no number."""
    import pandas  # takes a second: for those that read tables; six times as fast as numpy's reader
    table = pandas.read_csv(path)
    rows = np.empty(len(table), dtype=[(name, float) for name in table.columns])
    for name in table.columns:
        rows[name] = pandas.to_numeric(table[name], errors="coerce")
    return rows


# Of tests whose answers depend on the scheme: the one that keeps accelerations and one that does not
FIRST_SCHEMES = {"moreau_jean": 1, "generalized_alpha": 2}


def orders(steps, errors):
    """Observed orders of convergence between consecutive steps."""
    return np.diff(np.log(errors)) / np.diff(np.log(steps))


def draw_figures(script, names, folder):
    """Some of those in docs/figures, drawn again by their script."""
    code = f"""
import pathlib, sys
sys.path.insert(0, {str(ROOT / 'docs' / 'figures')!r})
import figures, {script}
figures.main(pathlib.Path(sys.argv[1]), {{name: {script}.FIGURES[name] for name in sys.argv[2:]}})"""
    python(code, folder, *names)
    for name in names:
        assert (Path(folder) / f"{name}.svg").read_text().count("<path") > 20, name


def description(fmu):
    """The root of an extracted FMU's modelDescription.xml."""
    return etree.parse(fmu.directory / "modelDescription.xml").getroot()


def upward_crossings(t, x):
    """Times at which x passes zero from below, between the samples by a straight line."""
    i = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    return t[i] - x[i] * (t[i + 1] - t[i]) / (x[i + 1] - x[i])


def quaternion(result, body):
    return np.array([result[f"{body}.quaternion_{i}"] for i in range(4)])


def rotation(p):
    """Rotation matrices (n x 3 x 3) of unit quaternions (4 x n)."""
    w, x, y, z = p
    return np.moveaxis(np.array(
        [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]), -1, 0)
