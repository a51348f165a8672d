"""The Python package as pip installs it: by itself, away from the repository."""

import os
import sys

import pytest

import tools


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A directory with the package alone, made by pip of the repository and of what was built."""
    target, work = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("work")
    done = tools.run(sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation",
                     "--no-deps", "--no-index", "--disable-pip-version-check", "--target", target,
                     f"--config-settings=build-dir={work}",
                     f"--config-settings=cmake.define.CLATTER_PREBUILT={tools.BUILD}", tools.ROOT,
                     timeout=900)
    assert done.returncode == 0, done.stderr
    return target


def run_installed(site, *arguments, **options):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("CLATTER") and name != "PYTHONPATH"}
    environment["PYTHONPATH"] = str(site)
    done = tools.run(sys.executable, *arguments, env=environment, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_installed_package_works(site, tmp_path):
    code = """
import clatter, gymnasium, clatter.envs, os, pathlib
assert "CLATTER_BUILD" not in os.environ
print(pathlib.Path(clatter.__file__).parent)
model = clatter.Model(clatter.example("parcel_pusher"))
print(clatter.__version__, float(model.simulate(0.5)["parcel.x"][-1]))
print(model.pack("pusher.fmu").stat().st_size > 100000)
gymnasium.make("clatter/HoppingLeg-v0").reset(seed=1)
"""
    where, facts, packed = run_installed(site, "-c", code, cwd=tmp_path).splitlines()
    assert where == str(site / "clatter")
    assert packed == "True"
    import clatter
    version, x = facts.split()
    result = clatter.Model(tools.MODELS / "parcel_pusher.xml").simulate(0.5)
    assert version == clatter.__version__
    assert float(x) == float(result["parcel.x"][-1])


def test_the_command_is_there(site, tmp_path):
    text = run_installed(site, site / "bin" / "clatter", "--version", cwd=tmp_path)
    assert text == tools.clatter("--version")


def test_nothing_else_is_installed(site):
    names = {path.name for path in site.iterdir()}
    assert {name.split("-")[0] for name in names} == {"clatter", "bin"}
    assert (site / "clatter" / "py.typed").is_file()
    assert (site / "clatter" / "libclatter.so").stat().st_size < 3e6


def test_the_library_shows_its_functions_alone_and_needs_nothing():
    from clatter._library import PROTOTYPES
    library = tools.BUILD / "libclatter.so"
    table = tools.run("nm", "-D", "--defined-only", library).stdout
    assert {line.split()[-1] for line in table.splitlines()} == set(PROTOTYPES)
    header = (tools.ROOT / "api" / "clatter.h").read_text()
    assert all(f" {name}(" in header or f"* {name}(" in header for name in PROTOTYPES)
    needed = tools.run("objdump", "-p", library).stdout.count("NEEDED")
    assert needed <= 2  # libc, libm
