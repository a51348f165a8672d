"""What all tests share: the built program, FMUs packed with it, and places to put them.

CLATTER_BUILD names the directory with clatter and clatter.so (default build/release),
CLATTER_BUILD_DEBUG, if set, one that was built with sanitizers.
"""

import os
import zipfile
from pathlib import Path

import pytest

import fmi2
import tools

ROOT = tools.ROOT


def pytest_generate_tests(metafunc):
    if "model_path" in metafunc.fixturenames:
        models = sorted((ROOT / "resources" / "models").glob("*.xml"))
        assert models, "there are no models"
        metafunc.parametrize("model_path", models, ids=lambda path: path.stem)


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


@pytest.fixture(scope="session")
def ball(pack):
    return pack(ROOT / "resources" / "models" / "rotating_ball.xml")


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
