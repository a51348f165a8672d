"""The binary inside a packed FMU: needs only libc and libm, shows only the FMI functions."""

import re
import zipfile

import pytest

import tools


@pytest.fixture(scope="module")
def binary(ball):
    return ball.binary


def test_script_that_checks_binaries_is_content(binary):
    done = tools.run(tools.ROOT / "scripts" / "check_binary.sh", binary)
    assert done.returncode == 0, done.stderr


def test_script_notices_what_is_wrong(tmp_path):
    """A library with another symbol and another dependency is not accepted."""
    source = tmp_path / "bad.c"
    source.write_text("#include <pthread.h>\nint visible(void) { return 1; }\n")
    done = tools.run("cc", "-shared", "-fPIC", "-o", tmp_path / "bad.so", source)
    assert done.returncode == 0, done.stderr
    done = tools.run(tools.ROOT / "scripts" / "check_binary.sh", tmp_path / "bad.so")
    assert done.returncode == 1
    assert "visible" in done.stderr and "fmi2DoStep" in done.stderr


def test_needed_libraries(binary):
    dynamic = tools.run("objdump", "-p", binary).stdout
    assert set(re.findall(r"NEEDED\s+(\S+)", dynamic)) <= {"libc.so.6", "libm.so.6"}
    assert "RPATH" not in dynamic and "RUNPATH" not in dynamic
    resolved = tools.run("ldd", binary).stdout
    assert "not found" not in resolved
    names = {line.split()[0].split("/")[-1] for line in resolved.splitlines()}
    assert names <= {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}


def test_glibc_is_old_enough(binary):
    table = tools.run("objdump", "-T", binary).stdout
    versions = [tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([\d.]+)", table)]
    assert versions and max(versions) <= (2, 31)


def test_visible_symbols_are_the_functions_of_fmi(binary):
    import fmi2
    table = tools.run("nm", "-D", "--defined-only", binary).stdout
    names = {line.split()[-1] for line in table.splitlines() if line.split()[-2] != "A"}
    assert names == set(fmi2.PROTOTYPES) | {"fmi2Instantiate", "fmi2FreeInstance",
                                            "fmi2GetTypesPlatform", "fmi2GetVersion"}


def test_traces(binary):
    data = binary.read_bytes()
    for trace in (b"/home/", b"/tmp/", str(tools.ROOT).encode()):
        assert trace not in data


def test_binary_is_the_one_that_was_built(binary):
    several = "," in tools.clatter("--version")  # then this one is of small code, too
    built = tools.BUILD / "linux64" if several else tools.BUILD
    assert binary.read_bytes() == (built / "clatter.so").read_bytes()


def test_archive(ball):
    path = ball.directory.parent / "model.fmu"
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert names[0] == "modelDescription.xml"
        assert {"binaries/linux64/rotating_ball.so", "resources/model.xml",
                "documentation/index.html", "model.png"} <= set(names)
        assert not [name for name in names if name.startswith("/") or ".." in name]
        assert archive.getinfo("binaries/linux64/rotating_ball.so").external_attr >> 16 & 0o111


def test_documentation_tells_every_variable(ball):
    text = (ball.directory / "documentation" / "index.html").read_text()
    for name in ball.variables:
        assert name in text
