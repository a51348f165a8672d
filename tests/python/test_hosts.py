"""Hosts: each runs the FMUs with every scheme and must give what `clatter run` gives, to the last digit
that it has, without a word. Those that do not install by name (the last of the list) are run where they
are found: on the PATH, and PyFMI in the Python that PYFMI_PYTHON names, or in this one.

The communication step is a power of two, so that no host rounds its times: what is left to differ is
what a host does with the FMU.
"""

import importlib.util
import json
import os
import shutil
import sys

import pytest

import tools
from tools import MODELS

STEP, N_STEPS, INTERNAL_STEP = 1 / 128, 48, 1 / 1024
SETTINGS = {  # beside scheme and step size: parameters and inputs that a host sets
    "bouncing_ball": {},
    "parcel_pusher": {"drive_force": 20.0, "parcel_mass": 1.5},
    "rotating_ball": {},
    "slider_crank": {},
}
PLAIN = ["--no-enumerations"]
HOSTS = {  # host: how to pack for it
    "fmpy": [], "libcosim": PLAIN, "ecos": PLAIN, "container": PLAIN, "fmi4j": [],
    "fmusim": [], "fmusim 3": ["--fmi", "3"], "omsimulator": [], "pyfmi": [],
    "omsimulator 3": ["--fmi", "3", "--no-vectors"],
}
PACKAGES = {"fmpy": "fmpy", "libcosim": "libcosimpy", "ecos": "ecospy",
            "container": "fmu_manipulation_toolbox"}
COMMANDS = {"fmusim": "fmusim", "omsimulator": "OMSimulator"}
PYFMI_PYTHON = os.environ.get("PYFMI_PYTHON", sys.executable)
FMI4J = tools.ROOT / "build" / "hosts" / "fmi4j-0.38.0"
CONTAINER_SAYS = {"[WARNING] FMUContainer 'V2.0'", "[ERROR] Solver configure....",
                  "[WARNING] Container use PARALLEL mode with MONO thread."}  # of itself, always


def need(host):
    if host == "fmi4j":
        if shutil.which("java") is None or not FMI4J.exists():
            pytest.skip("there is no Java, or scripts/get_fmi4j.py could not fetch FMI4j")
    elif host in COMMANDS:
        if shutil.which(COMMANDS[host]) is None:
            pytest.skip(f"{COMMANDS[host]} is not on the PATH")
    elif host == "pyfmi":
        if tools.run(PYFMI_PYTHON, "-c", "import pyfmi").returncode != 0:
            pytest.skip("PYFMI_PYTHON names no Python that has PyFMI")
    elif importlib.util.find_spec(PACKAGES[host]) is None:
        pytest.skip(f"{PACKAGES[host]} is not installed")


def schemes_of(pack, model):
    """Number and name of those that take a model."""
    names = [item.get("name") for item in tools.description(pack(model)).iterfind(
        "TypeDefinitions/SimpleType[@name='Scheme']/Enumeration/Item")]
    assert len(names) >= 9
    return [(i, name) for i, name in enumerate(names, 1)
            if tools.try_clatter("check", model, "--scheme", name).returncode == 0]


@pytest.fixture(scope="module")
def reference(tmp_path_factory, pack):
    """Of a model: settings, names of outputs and rows of all runs of the program."""
    made = {}

    def run_all(name):
        if name in made:
            return made[name]
        csv = tmp_path_factory.mktemp(name) / "out.csv"
        settings, runs = [], []
        for number, scheme in schemes_of(pack, MODELS / f"{name}.xml"):
            own = SETTINGS[name]
            tools.clatter("run", MODELS / f"{name}.xml", "--scheme", scheme, "--step", INTERNAL_STEP,
                          "--interval", STEP, "--stop", STEP * N_STEPS, "-o", csv,
                          *[f"--set={key}={value!r}" for key, value in own.items()])
            header, *rows = [line.split(",") for line in csv.read_text().splitlines()]
            settings.append({"solver.scheme": number, "solver.step_size": INTERNAL_STEP} | own)
            runs.append([[float(value) for value in row[1:]] for row in rows[1:]])
        made[name] = settings, header[1:], runs
        return made[name]

    return run_all


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("model", SETTINGS)
def test_every_host_gives_the_same_motion(reference, tmp_path, name, model):
    host = name.removesuffix(" 3")
    need(host)
    settings, outputs, runs = reference(model)
    fmu = tmp_path / f"{model}.fmu"
    tools.clatter("pack", MODELS / f"{model}.xml", "-o", fmu, *HOSTS[name])
    task = {"fmu": str(fmu), "step": STEP, "n_steps": N_STEPS, "settings": settings,
            "outputs": outputs, "fmi4j": str(FMI4J)}
    python = PYFMI_PYTHON if host == "pyfmi" else sys.executable
    done = tools.run(python, tools.ROOT / "tests" / "hosts" / "drive.py", host,
                     input=json.dumps(task), cwd=tmp_path)
    said = [line for line in done.stderr.splitlines() if line not in CONTAINER_SAYS]
    assert done.returncode == 0 and said == [], said
    rounds = host == "fmusim" and " 0.0." in tools.run("fmusim", "--version").stdout
    for of_host, of_program in zip(json.loads(done.stdout), runs, strict=True):
        assert len(of_program) == N_STEPS
        if rounds:
            of_program = [[float(f"{value:.16g}") for value in row] for row in of_program]
        assert of_host == of_program


@pytest.mark.parametrize("model, option", [("parcel_pusher", []), ("slider_crank", []),
                                           ("parcel_pusher", ["--no-enumerations"])])
def test_fmutool_finds_nothing(tmp_path, model, option):
    need("container")
    fmu = tmp_path / f"{model}.fmu"
    tools.clatter("pack", MODELS / f"{model}.xml", "-o", fmu, *option)
    done = tools.run(sys.executable, "-m", "fmu_manipulation_toolbox.cli.fmutool", "-input", fmu,
                     "-check", cwd=tmp_path)
    said = (done.stdout + done.stderr).splitlines()
    assert done.returncode == 0 and any("seems to be compliant with FMI-2.0" in line for line in said)
    assert [line for line in said if not line.startswith("INFO")] == []
