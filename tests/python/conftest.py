"""What all tests share: the built program, FMUs packed with it, and places to put them.

CLATTER_BUILD names the directory with clatter, clatter.so and libclatter.so (default build/release),
CLATTER_BUILD_DEBUG, if set, one that was built with sanitizers. The Python package is that of the
source tree, with the library of the build.
"""

import os
import signal
import sys
import zipfile
from pathlib import Path

import pytest

# Before numpy is there: one thread for its matrices, which are small. Tests run side by side, and
# threads that wait for each other on busy cores took twenty times as long as one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import fmi2
import models
import tools

ROOT = tools.ROOT
sys.path.insert(0, str(ROOT / "python"))
os.environ["CLATTER_BUILD"] = str(tools.BUILD)

# Started in the background by a shell, or under nohup, tests and their children would never see the
# interruptions that some of them are about.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_generate_tests(metafunc):
    if "model_path" in metafunc.fixturenames:
        paths = sorted((ROOT / "resources" / "models").glob("*.xml"))
        assert paths, "there are no models"
        metafunc.parametrize("model_path", paths, ids=lambda path: path.stem)


# Some of their tests take ten seconds and more.
LONG = {"test_random_mechanisms", "test_sanitized_models", "test_package_documentation",
        "test_package_install", "test_projected_schemes", "test_lobatto", "test_beam_models"}


def pytest_collection_modifyitems(items):
    """The longest first: no core waits for the last of them."""
    items.sort(key=lambda item: item.path.stem not in LONG)


@pytest.fixture(scope="session")
def pack(tmp_path_factory):
    """Packs a model (a path, or the text of one) and extracts it; the same model only once."""
    made = {}

    def pack_model(model, materials=None):
        key = str(model), materials
        if key not in made:
            directory = tmp_path_factory.mktemp("fmu")
            path = model
            if not isinstance(model, Path):
                path = directory / "model.xml"
                path.write_text(model)
                if materials is not None:
                    (directory / "materials.xml").write_text(materials)
            tools.clatter("pack", path, "-o", directory / "model.fmu")
            with zipfile.ZipFile(directory / "model.fmu") as archive:
                archive.extractall(directory / "extracted")
            made[key] = fmi2.Fmu(directory / "extracted")
        return made[key]

    return pack_model


@pytest.fixture(params=tools.FIRST_SCHEMES)
def scheme(request):
    """The number of a scheme."""
    return tools.FIRST_SCHEMES[request.param]


@pytest.fixture(scope="session")
def ball(pack):
    return pack(ROOT / "resources" / "models" / "rotating_ball.xml")


@pytest.fixture
def run(tmp_path):
    """Simulates a model (a path, or the text of one) with the program; all variables by name."""

    def run_model(model, stop, dt, settings=None, interval=None):
        path = model
        if isinstance(model, str):
            path = tmp_path / "model.xml"
            path.write_text(model)
        options = [f"--set={name}={value!r}" for name, value in (settings or {}).items()]
        tools.clatter("run", path, "--all", "--stop", stop, "--step", dt, "--interval",
                      interval or dt, "-o", tmp_path / "out.csv", *options)
        result = tools.read_csv(tmp_path / "out.csv")
        assert abs(result["time"][-1] - stop) < 1e-9
        assert result["solver.failed_steps"][-1] == 0
        return result

    return run_model


@pytest.fixture(scope="session")
def sled(pack):
    return pack(models.SLED)


@pytest.fixture(scope="session")
def flight(pack):
    return pack(models.FLIGHT)


@pytest.fixture(scope="session")
def bowl(pack):
    return pack(models.BOWL)


@pytest.fixture(scope="session")
def comma_locale(tmp_path_factory):
    """Environment in which de_DE.UTF-8 exists: test.sh's, or made here without touching the
    system's."""
    environment = dict(os.environ)
    if not Path(environment.get("LOCPATH", "/nowhere"), "de_DE.UTF-8").is_dir():
        directory = tmp_path_factory.mktemp("locale")
        made = tools.run("localedef", "-i", "de_DE", "-f", "UTF-8", directory / "de_DE.UTF-8")
        if made.returncode != 0:
            pytest.skip("localedef cannot make de_DE.UTF-8: " + made.stderr)
        environment["LOCPATH"] = str(directory)
    environment["LC_ALL"] = "de_DE.UTF-8"
    return environment
