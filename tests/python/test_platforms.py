"""One FMU, several platforms: its binaries run under Wine and qemu, as on the machine itself.

Platforms that the build lacks compilers for, or this machine emulators, are skipped with a word.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import fmpy
import numpy as np
import pytest

import tools

SUFFIX = {"linux64": ".so", "win64": ".dll", "aarch64-linux": ".so"}
OTHERS = ("win64", "aarch64-linux")
# Models with the schemes that they are run with: all of them, schatzman_paoli where there is no friction
MODELS = {"rotating_ball": (1, 2, 3, 4, 5, 6, 8, 9), "bouncing_ball": (7,), "slider_crank": (1, 2),
          "woodpecker_toy": (2,), "box_tower_3d": (1,)}
# For FMPy there: with the schemes, beside the first two, that take them
FMPY_MODELS = {"rotating_ball": (8, 9), "bouncing_ball": (7,), "slider_crank": (5,),
               "parcel_pusher": (3,)}
STEP, N_STEPS = 1 / 128, 48  # communication steps: no host rounds their times


def packed_platforms():
    listed = re.search(r"^FMUs for (.+)$", tools.clatter("--version"), re.MULTILINE).group(1)
    return listed.split(", ")


def emulator(platform):
    """The command before a program of the platform."""
    if platform == "linux64":
        return []
    if platform not in packed_platforms():
        pytest.skip(f"the build has no compiler for {platform}")
    cache = (tools.BUILD / platform / "CMakeCache.txt").read_text()
    found = re.search(r"^CLATTER_EMULATOR:FILEPATH=(/.+)$", cache, re.MULTILINE)
    if not found:
        pytest.skip(f"there is no emulator for {platform}")
    root = ["-L", "/usr/aarch64-linux-gnu"] if platform == "aarch64-linux" else []
    return [found.group(1), *root]


@pytest.fixture(scope="session", autouse=True)
def wine():
    """A home for Wine, and its server, which would else be started by every program."""
    home = tools.ROOT / "build" / "wine"
    server = shutil.which("wineserver") or "/usr/lib/wine/wineserver"
    os.environ |= {"WINEPREFIX": str(home), "WINEDEBUG": "-all"}
    if "win64" in packed_platforms() and os.path.exists(server):
        home.mkdir(parents=True, exist_ok=True)
        subprocess.run([server, "-p60"], check=False)
        subprocess.run([*emulator("win64"), "wineboot", "-i"], check=False, timeout=900,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture(params=OTHERS)
def platform(request):
    emulator(request.param)
    return request.param


def program(platform, name):
    folder = tools.BUILD if platform == "linux64" else tools.BUILD / platform
    return folder / (name + (".exe" if platform == "win64" else ""))


def run_there(platform, name, *arguments, **options):
    """As text, with the line ends of here."""
    done = tools.run(*emulator(platform), program(platform, name), *arguments, **options)
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout.replace("\r\n", "\n")


def host_run(fmu, platform, scheme, n_steps=200, step=1e-3):
    """Real outputs by the host in tests/platforms, one row per communication step."""
    outputs = fmu.names("output", "Real")[:60]
    binary = fmu.directory / "binaries" / platform / (fmu.identifier + SUFFIX[platform])
    uri = fmu.uri.replace("file:///", "file:///Z:/") if platform == "win64" else fmu.uri
    text = run_there(platform, "fmu_host", binary, uri, fmu.guid, fmu.reference("solver.scheme"),
                     scheme, step, n_steps, *(fmu.reference(name) for name in outputs))
    rows = np.array([[float(word) for word in line.split()] for line in text.splitlines()])
    assert rows.shape == (n_steps, len(outputs))
    return rows


def test_fmu_has_a_binary_for_each_platform(ball):
    with zipfile.ZipFile(ball.directory.parent / "model.fmu") as archive:
        names = [name for name in archive.namelist() if name.startswith("binaries/")]
        assert names == [f"binaries/{platform}/rotating_ball{SUFFIX[platform]}"
                         for platform in packed_platforms()]
        assert all(entry.compress_type == zipfile.ZIP_DEFLATED for entry in archive.infolist()
                   if entry.file_size > 1000 and not entry.filename.endswith(".png"))
    assert "linux64" in packed_platforms()


def test_binaries_need_and_show_what_they_may(ball):
    for platform in packed_platforms():
        path = ball.directory / "binaries" / platform / ("rotating_ball" + SUFFIX[platform])
        done = tools.run(tools.ROOT / "scripts" / "check_binary.sh", path)
        assert done.returncode == 0, done.stderr
        assert str(tools.ROOT).encode() not in path.read_bytes()


@pytest.mark.parametrize("model", MODELS)
def test_motion_is_that_of_linux(pack, platform, model):
    """To 1e-10, each output relative to its largest value."""
    fmu = pack(tools.MODELS / f"{model}.xml")
    for scheme in MODELS[model]:
        here = host_run(fmu, "linux64", scheme)
        there = host_run(fmu, platform, scheme)
        scale = np.maximum(1, np.abs(here).max(axis=0))
        assert (np.abs(here - there) / scale).max() <= 1e-10, scheme


def test_program_gives_the_same_rows(tmp_path, platform):
    model = tools.MODELS / "rotating_ball.xml"
    tools.clatter("run", model, "--stop", 0.5, "-o", tmp_path / "here.csv")
    run_there(platform, "clatter", "run", model, "--stop", 0.5, "-o", tmp_path / "there.csv")
    here, there = (tools.read_csv(tmp_path / f"{name}.csv") for name in ("here", "there"))
    assert here.dtype.names == there.dtype.names
    for name in here.dtype.names:
        assert np.allclose(here[name], there[name], rtol=1e-10, atol=1e-10), name


def test_program_packs_the_same_fmu(tmp_path, platform):
    """Byte for byte, but for what a picture's numbers round to."""
    model = tools.MODELS / "slider_crank.xml"
    tools.clatter("pack", model, "-o", tmp_path / "here.fmu")
    run_there(platform, "clatter", "pack", model, "-o", tmp_path / "there.fmu")
    here, there = (zipfile.ZipFile(tmp_path / f"{name}.fmu") for name in ("here", "there"))
    with here, there:
        assert here.namelist() == there.namelist()
        for name in here.namelist():
            if not name.startswith("documentation/"):
                assert here.read(name) == there.read(name), name


def test_program_takes_names_in_utf_8(tmp_path, platform):
    """Of files, and of folders with spaces in them; what is there is replaced."""
    folder = tmp_path / "Kühlung 冷"
    folder.mkdir()
    model = folder / "Modell ä.xml"
    shutil.copy(tools.MODELS / "rotating_ball.xml", model)
    shutil.copy(tools.ROOT / "resources" / "materials.xml", tmp_path)
    for _ in range(2):
        run_there(platform, "clatter", "run", model, "--stop", 0.01, "-o", folder / "größe.csv",
                  env=os.environ | {"LC_ALL": "C.UTF-8"})
        assert (folder / "größe.csv").read_bytes().startswith(b"time,")
        run_there(platform, "clatter", "view", model, "--stop", 0.01, "-o", folder / "Bewegung ü.html",
                  env=os.environ | {"LC_ALL": "C.UTF-8"})
        assert (folder / "Bewegung ü.html").stat().st_size > 100_000
    done = tools.run(*emulator(platform), program(platform, "clatter"), "check", folder / "ö.xml",
                     env=os.environ | {"LC_ALL": "C.UTF-8"})
    assert done.returncode == 1 and "ö.xml" in done.stdout


@pytest.fixture(scope="session")
def windows_python():
    """The command of Python for Windows."""
    before = emulator("win64")
    found = sorted((tools.ROOT / "build" / "hosts").glob("windows-python-*/python.exe"))
    if not found:
        pytest.skip("scripts/get_windows_python.py was not run")
    return [*before, found[-1]]


def fmpy_runs(python, fmu, outputs, schemes, root=""):
    """By FMPy in that Python, in a process of its own: of each scheme the outputs by their names."""
    settings = [{"solver.scheme": scheme, "solver.step_size": STEP / 8} for scheme in schemes]
    task = {"fmu": f"{root}{fmu}", "step": STEP, "n_steps": N_STEPS, "settings": settings,
            "outputs": outputs}
    done = tools.run(*python, tools.ROOT / "tests" / "hosts" / "drive.py", "fmpy",
                     input=json.dumps(task), cwd=fmu.parent)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return [{name: np.array(values, float) for name, values in zip(outputs, zip(*rows), strict=True)}
            for rows in json.loads(done.stdout)]


def program_run_there(platform, model, scheme, csv):
    """As fmpy_runs, by the program."""
    run_there(platform, "clatter", "run", model, "--set", f"solver.scheme={scheme}", "--step", STEP / 8,
              "--interval", STEP, "--stop", N_STEPS * STEP, "-o", csv)
    rows = tools.read_csv(csv)[1:]
    return {name: rows[name] for name in rows.dtype.names}


def assert_close(one, other):
    """What both have, to 1e-10, relative to its largest value."""
    names = one.keys() & other.keys()
    assert len(names) > 5
    for name in names:
        assert len(one[name]) == N_STEPS
        assert np.abs(one[name] - other[name]).max() <= 1e-10 * max(1, np.abs(one[name]).max()), name


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("model", FMPY_MODELS)
def test_fmpy_on_windows(tmp_path, windows_python, model, fmi):
    """Outputs as by FMPy here, and as by the program there."""
    path, fmu = tools.MODELS / f"{model}.xml", tmp_path / "model.fmu"
    tools.clatter("pack", path, "--fmi", fmi, "-o", fmu)
    variables = fmpy.read_model_description(str(fmu)).modelVariables
    outputs = [variable.name for variable in variables if variable.causality == "output"]
    schemes = (1, 2, *FMPY_MODELS[model])
    here = fmpy_runs([sys.executable], fmu, outputs, schemes)
    there = fmpy_runs(windows_python, fmu, outputs, schemes, root="Z:")
    for scheme, of_here, of_there in zip(schemes, here, there, strict=True):
        assert of_here.keys() == of_there.keys()
        assert_close(of_here, of_there)
        assert_close(of_there, program_run_there("win64", path, scheme, tmp_path / "there.csv"))


def test_program_tells_its_platforms(platform):
    assert run_there(platform, "clatter", "--version") == tools.clatter("--version")


def test_fmu_is_small(ball):
    assert (ball.directory.parent / "model.fmu").stat().st_size <= 2_000_000
