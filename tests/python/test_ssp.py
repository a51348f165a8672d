"""clatter pack --ssp: a plant and a controller in one archive, and the closed loop in several masters."""

import importlib.util
import json
import os
import shutil
import sys
import zipfile

import numpy as np
import pytest
from fmpy.ssp.ssd import read_ssd

import tools
from tools import BUILD, MODELS

CONTROLLER = BUILD / "examples" / "pd_controller.fmu"
PLANT = MODELS / "parcel_pusher.xml"
CONNECTIONS = ["parcel_pusher.carriage.x={0}.position", "parcel_pusher.carriage.velocity_x={0}.velocity",
               "{0}.force=parcel_pusher.drive_force"]
OUTPUTS = ["carriage.x", "carriage.velocity_x", "parcel.x", "parcel.velocity_x", "parcel.angle"]
MASTERS = {"fmpy": "fmpy", "libcosim": "libcosimpy", "ecos": "ecospy", "maestro": None,
           "omsimulator": None, "pyfmi": None}
MAESTRO = tools.ROOT / "build" / "hosts" / "maestro-3.1.1.jar"
PYFMI_PYTHON = os.environ.get("PYFMI_PYTHON", sys.executable)
STEP, N_STEPS = 1 / 512, 750  # a whole number of ns: no master rounds its times


def pack_system(path, controller=CONTROLLER, *options):
    connections = [f"--connect={c.format(controller.stem)}" for c in CONNECTIONS]
    return tools.clatter("pack", PLANT, "--no-enumerations", "--ssp", controller, *connections,
                         *options, "-o", path)


def need(master):
    if master == "omsimulator":
        if shutil.which("OMSimulator") is None:
            pytest.skip("OMSimulator is not on the PATH")
    elif master == "pyfmi":
        if tools.run(PYFMI_PYTHON, "-c", "import pyfmi").returncode != 0:
            pytest.skip("PYFMI_PYTHON names no Python that has PyFMI")
    elif master == "maestro":
        if shutil.which("java") is None or not MAESTRO.exists():
            pytest.skip("there is no Java, or scripts/get_maestro.py could not fetch Maestro")
    elif importlib.util.find_spec(MASTERS[master]) is None:
        pytest.skip(f"{MASTERS[master]} is not installed")


def run_loop(ssp, master):
    need(master)
    python = PYFMI_PYTHON if master == "pyfmi" else sys.executable
    task = {"ssp": str(ssp), "step": STEP, "n_steps": N_STEPS, "component": "parcel_pusher",
            "outputs": OUTPUTS, "maestro": str(MAESTRO)}
    done = tools.run(python, tools.ROOT / "tests" / "hosts" / "couple.py", master,
                     input=json.dumps(task))
    assert done.returncode == 0 and done.stderr == "", done.stderr
    rows = np.array(json.loads(done.stdout))
    assert rows.shape == (N_STEPS, len(OUTPUTS))
    return rows


@pytest.fixture(scope="module")
def loop(tmp_path_factory):
    path = tmp_path_factory.mktemp("ssp") / "loop.ssp"
    pack_system(path)
    return path


@pytest.fixture(scope="module")
def motion(loop):
    return run_loop(loop, "fmpy")


# --- the archive ---

def test_structure_is_valid_and_connects_what_was_asked_for(loop):
    ssd = read_ssd(str(loop))  # against SSP's schema, too
    assert [c.name for c in ssd.system.elements] == ["parcel_pusher", "pd_controller"]
    assert {(c.startElement, c.startConnector, c.endElement, c.endConnector)
            for c in ssd.system.connections} == {
        ("parcel_pusher", "carriage.x", "pd_controller", "position"),
        ("parcel_pusher", "carriage.velocity_x", "pd_controller", "velocity"),
        ("pd_controller", "force", "parcel_pusher", "drive_force")}
    with zipfile.ZipFile(loop) as archive:
        assert archive.testzip() is None
        assert archive.read("resources/pd_controller.fmu") == CONTROLLER.read_bytes()


def test_omsimulator_finds_its_annotations(loop):
    """It opens no system without one, and compares names with their prefixes: no other ones will do."""
    with zipfile.ZipFile(loop) as archive:
        text = archive.read("SystemStructure.ssd").decode()
    system, experiment = text.split("</ssd:System>")
    assert ('<ssc:Annotation type="org.openmodelica">\n        <oms:Annotations>'
            '<oms:SimulationInformation><oms:FixedStepMaster description="oms-ma" stepSize="0.001"'
            ) in system
    assert "<oms:Annotations></oms:Annotations>" in experiment


def test_equal_names_are_connected_by_themselves(tmp_path):
    """Inputs that nothing is connected to are not listed: masters would set them to 0."""
    model = tmp_path / "twin.xml"
    model.write_text(tools.mechanism("""
<input name="force" unit="N"/><input name="wind" unit="N" start="3"/>
<point_mass name="carriage" mass="1"/>
<force name="f" on="carriage" x="force + wind"/>""", name="twin"))
    tools.clatter("pack", model, "--ssp", CONTROLLER, "--connect",
                  "twin.carriage.x=pd_controller.position", "-o", tmp_path / "twin.ssp")
    ssd = read_ssd(str(tmp_path / "twin.ssp"))
    assert ("pd_controller", "force", "twin", "force") in {
        (c.startElement, c.startConnector, c.endElement, c.endConnector)
        for c in ssd.system.connections}
    inputs = [c.name for c in ssd.system.elements[0].connectors if c.kind == "input"]
    assert inputs == ["force"]


@pytest.mark.parametrize("options, words", [
    (["--ssp", "nothing.fmu"], "nothing.fmu: error: the FMU cannot be read"),
    (["--ssp", PLANT], "this is no zip archive"),
    (["--ssp", "empty.fmu"], "it has no modelDescription.xml"),
    (["--ssp", "broken.fmu"], "is no well-formed XML"),
    (["--ssp", "three.fmu"], "it is no FMI 2.0 FMU"),
    (["--ssp", "exchange.fmu"], "it is not for co-simulation"),
    (["--ssp", CONTROLLER], "nothing is connected to 'parcel_pusher'"),
    (["--ssp", CONTROLLER, "--ssp", CONTROLLER], "a component of this name already"),
    (["--ssp", CONTROLLER, "--connect", "pd_controller.force"], "is not of the form"),
    (["--ssp", CONTROLLER, "--connect", "pd.force=parcel_pusher.drive_force"],
     "there are 'parcel_pusher.' 'pd_controller.'"),
    (["--ssp", CONTROLLER, "--connect", "pd_controller.forse=parcel_pusher.drive_force"],
     "has no output 'forse', did you mean 'force'?"),
    (["--ssp", CONTROLLER, "--connect", "pd_controller.force=parcel_pusher.carriage.x"],
     "has no input 'carriage.x'"),
    (["--ssp", CONTROLLER] + ["--connect", "pd_controller.force=parcel_pusher.drive_force"] * 2,
     "has a source already"),
    (["--ssp", CONTROLLER, "--connect", "parcel_pusher.push_contact.closed=pd_controller.position"],
     "has another type than its source"),
    (["--ssp", CONTROLLER, "--connect",
      "parcel_pusher.table_contact_front.state=pd_controller.position"],
     "is an enumeration: pack with --no-enumerations"),
    (["--connect", "a.b=c.d"], "--connect needs another FMU"),
])
def test_what_is_wrong_is_said_and_nothing_written(tmp_path, options, words):
    descriptions = {"empty": None, "broken": "<fmiModelDescription", "exchange":
                    '<fmiModelDescription fmiVersion="2.0"><ModelExchange/></fmiModelDescription>',
                    "three": '<fmiModelDescription fmiVersion="3.0"><CoSimulation/></fmiModelDescription>'}
    for name, text in descriptions.items():
        with zipfile.ZipFile(tmp_path / f"{name}.fmu", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("other.txt", "x")
            if text is not None:
                archive.writestr("modelDescription.xml", text)
    done = tools.try_clatter("pack", PLANT, *options, "-o", "made.ssp", cwd=tmp_path)
    assert done.returncode in (1, 2) and words in done.stderr
    assert len(done.stderr.splitlines()) == 1 and not (tmp_path / "made.ssp").exists()


def test_an_fmu_is_not_written_over(tmp_path):
    fmu = tmp_path / "pd_controller.fmu"
    fmu.write_bytes(CONTROLLER.read_bytes())
    done = tools.try_clatter("pack", PLANT, "--ssp", fmu, *[
        f"--connect={c.format('pd_controller')}" for c in CONNECTIONS], "-o", fmu)
    assert done.returncode == 2 and fmu.read_bytes() == CONTROLLER.read_bytes()


def test_damaged_archives_are_refused(tmp_path):
    """Cut, or with changed bytes: a message, never a crash."""
    good = CONTROLLER.read_bytes()
    random = np.random.default_rng(1)
    fmu = tmp_path / "pd_controller.fmu"
    for i in range(40):
        damaged = bytearray(good[:random.integers(len(good))] if i % 2 else good)
        for at in random.integers(len(damaged) or 1, size=1 if i % 2 else 40):
            if damaged:
                damaged[at] = random.integers(256)
        fmu.write_bytes(damaged)
        done = tools.try_clatter("pack", PLANT, "--ssp", fmu, "-o", tmp_path / "made.ssp")
        assert done.returncode == 1 and done.stderr


# --- the closed loop ---

def test_the_controller_does_its_work(motion):
    """The carriage goes 0.6 m within a second, pushes the parcel before it and stops there."""
    x = dict(zip(OUTPUTS, motion.T))
    assert abs(x["carriage.x"][-1] - 0.75) < 2e-3 and abs(x["carriage.velocity_x"][-1]) < 1e-2
    assert x["parcel.x"][-1] > 1.0 and np.ptp(x["parcel.velocity_x"]) > 0.5


@pytest.mark.parametrize("master", [name for name in MASTERS if name != "fmpy"])
def test_masters_give_the_same_motion(loop, motion, master):
    np.testing.assert_allclose(run_loop(loop, master), motion, rtol=0, atol=1e-12)


@pytest.mark.parametrize("master", ["libcosim", "ecos"])
def test_controller_in_python_gives_the_same_motion(tmp_path, motion, master):
    pytest.importorskip("pythonfmu")
    made = tools.run(sys.executable, "-m", "pythonfmu", "build", "-f",
                     tools.ROOT / "examples" / "controllers" / "pd_controller.py", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    os.rename(tmp_path / "PdController.fmu", tmp_path / "python_controller.fmu")
    pack_system(tmp_path / "loop.ssp", tmp_path / "python_controller.fmu")
    np.testing.assert_allclose(run_loop(tmp_path / "loop.ssp", master), motion, rtol=0, atol=1e-12)
