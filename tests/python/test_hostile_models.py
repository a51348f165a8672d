"""Model files that are wrong, broken or meant to harm: told where and why, never a crash."""

import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import models
import tools
from fmi2 import Instance, Refused
from tools import NAMESPACE, mechanism, try_clatter

BALL = (tools.MODELS / "rotating_ball.xml").read_text()
PLACE = re.compile(r"^.*model\.xml:(\d+):(\d+): error: .+$")


def check(tmp_path, content, materials=None):
    """Output lines of clatter check for a text that must be refused."""
    path = tmp_path / "model.xml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if materials is not None:
        (tmp_path / "materials.xml").write_text(materials)
    done = try_clatter("check", path)
    assert done.returncode == 1, done.stdout + done.stderr
    lines = (done.stdout + done.stderr).splitlines()
    assert [line for line in lines if "error:" in line]
    return lines


def refuse(fmu, tmp_path, content):
    """The FMU with the same model in its resources gives NULL and a reason."""
    resources = tmp_path / "resources"
    shutil.rmtree(resources, ignore_errors=True)
    shutil.copytree(fmu.resources, resources)
    model = resources / "model.xml"
    if content is None:
        model.unlink()
    else:
        model.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(Refused) as refused:
        Instance(fmu, uri=str(resources))
    assert refused.value.messages
    assert all(m.category == b"logError" for m in refused.value.messages)
    return str(refused.value)


# Each: what is wrong, a text, a word of the message, and the line and column if one is meant.
BODY = '<point_mass name="a" mass="1"/>'


def with_line(content):
    """The content in line 3."""
    return f'<mechanism {NAMESPACE} name="m">\n<solver step_size="1e-3"/>\n{content}\n</mechanism>\n'


CASES = {
    "empty": ("", "well-formed", None),
    "only space": ("  \n \n", "well-formed", None),
    "no xml": ("hello", "well-formed", (1, 1)),
    "zero bytes": (bytes(1000), "well-formed", None),
    "utf-16 garbage": (b"\xff\xfe" + bytes(range(200)), "well-formed", None),
    "truncated": (BALL[: len(BALL) // 2], "well-formed", None),
    "truncated in a tag": (with_line("<point_ma")[:-15], "well-formed", None),
    "doctype": ('<!DOCTYPE m>\n' + with_line(BODY), "document type", None),
    "external entity": ('<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n'
                        + with_line('<point_mass name="a" mass="&x;"/>'), "document type", None),
    "entity bomb": ('<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY a{i} "{("&a%s;" % (i - 1 if i else "")) * 10}">' for i in range(20))
        + "]>" + with_line('<point_mass name="&a19;" mass="1"/>'), "document type", None),
    "undefined entity": (with_line('<point_mass name="&x;" mass="1"/>'), "well-formed", None),
    "deeply nested": (f'<mechanism {NAMESPACE} name="m">' + 100_000 * "<ground>", "nested", None),
    "wrong namespace": (with_line(BODY).replace("model:1", "model:9"), "namespace", (1, 1)),
    "no namespace": ("<mechanism name='m'/>", "namespace", (1, 1)),
    "another root": (f'<machine {NAMESPACE} name="m"/>', "mechanism", (1, 1)),
    "text": (with_line(BODY + "hello"), "text", (3, 32)),
    "no body": (with_line(""), "body", (1, 1)),
    "unknown element": (with_line("<point_moss/>" + BODY), "point_moss", (3, 1)),
    "unknown attribute": (with_line('<point_mass name="a" mass="1" colour="red"/>'), "colour", None),
    "missing attribute": (with_line('<point_mass name="a"/>'), "mass", (3, 1)),
    "missing name": (with_line('<point_mass mass="1"/>'), "name", (3, 1)),
    "bad name": (with_line('<point_mass name="1a" mass="1"/>'), "1a", (3, 19)),
    "name with dot": (with_line('<point_mass name="a.b" mass="1"/>'), "a.b", (3, 19)),
    "reserved name": (with_line('<point_mass name="ground" mass="1"/>'), "ground", (3, 19)),
    "duplicate name": (with_line(BODY + BODY), "twice", None),
    "name of input and body": (with_line('<input name="a"/>' + BODY), "twice", None),
    "negative mass": (with_line('<point_mass name="a" mass="-1"/>'), "-1", (3, 28)),
    "zero mass": (with_line('<point_mass name="a" mass="0"/>'), "mass", (3, 28)),
    "infinite mass": (with_line('<point_mass name="a" mass="1e999"/>'), "mass", (3, 28)),
    "mass is no number": (with_line('<point_mass name="a" mass="0/0"/>'), "mass", (3, 28)),
    "nan": (with_line('<point_mass name="a" mass="nan"/>'), "nan", (3, 28)),
    "hexadecimal": (with_line('<point_mass name="a" mass="0x10"/>'), "0x10", (3, 29)),
    "decimal comma": (with_line('<point_mass name="a" mass="1,5"/>'), "1,5", (3, 29)),
    "expression": (with_line('<point_mass name="a" mass="1+2*"/>'), "1+2*", (3, 32)),
    "unknown function": (with_line('<point_mass name="a" mass="1+foo(2)"/>'), "foo", (3, 30)),
    "unknown parameter": (with_line('<point_mass name="a" mass="3*k"/>'), "k", (3, 30)),
    "nested parentheses": (with_line(f'<point_mass name="a" mass="{100_000 * "("}"/>'), "mass",
                           None),
    "long expression": (with_line(f'<point_mass name="a" mass="{"1+" * 1_000_000}1"/>'), "mass",
                        None),
    "time in a mass": (with_line('<point_mass name="a" mass="1+t"/>'), "t", (3, 30)),
    "input in a mass": (with_line('<input name="f"/><point_mass name="a" mass="f"/>'),
                        "'f' is an input, and mass cannot depend on one", (3, 45)),
    "body in a mass": (with_line(BODY + '<point_mass name="b" mass="2*a"/>'),
                       "'a' is a <point_mass>, and expressions know", (3, 61)),
    "output in a force": (with_line(BODY + '<force name="f" on="a" x="a.x"/>'),
                          "'a.x' is an output, and expressions know no outputs", (3, 58)),
    "attribute in a mass": (with_line(BODY + '<point_mass name="b" mass="a.mass"/>'),
                            "'a.mass' belongs to an element", (3, 59)),
    "time by its name": (with_line(BODY + '<force name="f" on="a" x="time"/>'),
                         "unknown name 'time', did you mean 't'?", (3, 58)),
    "function misspelt": (with_line('<point_mass name="a" mass="sqr(2)"/>'),
                          "did you mean 'sqrt'?", (3, 28)),
    "parameter misspelt": (with_line('<parameter name="weight" value="1"/>\n'
                                     '<point_mass name="a" mass="wieght"/>'),
                           "unknown name 'wieght', did you mean 'weight'?", (4, 28)),
    "attribute misspelt": (with_line('<point_mass name="a" mas="1"/>'),
                           "<point_mass> has no attribute mas, did you mean 'mass'?", (3, 27)),
    "element misspelt": (with_line(BODY + "<planar_boddy/>"), "did you mean 'planar_body'?",
                         (3, 32)),
    "reference misspelt": (with_line('<point_mass name="ball" mass="1"/>'
                                     '<force name="f" on="bal" x="1"/>'), "did you mean 'ball'?",
                           None),
    "output misspelt": (with_line(BODY + '<outputs><output variable="a.velocty_x"/></outputs>'),
                        "did you mean 'a.velocity_x'?", None),
    "attribute of space": (with_line(BODY + '<force name="f" on="a" z="1"/>'),
                           "<force> has the attribute z only in space", (3, 58)),
    "tunable parameter in a curve": (
        with_line('<parameter name="p" value="1" tunable="true"/>' + BODY
                  + '<ground><curve name="c" function="p*x"/></ground>'),
        "function is fixed and cannot depend on the tunable parameter p", None),
    "structural parameter": (with_line('<parameter name="n" value="3"/><elastic_bar name="a" '
                                       'length="1" area="1e-4" youngs_modulus="1e9" density="1e3" '
                                       'elements="n"/>'),
                             "'n' is a parameter, and a constant is expected here", None),
    "parameter used before": (with_line('<parameter name="a" value="b"/>'
                                        '<parameter name="b" value="1"/>' + BODY),
                              "'b' is a parameter, but stands after this one", None),
    "parameter of itself": (with_line('<parameter name="p" value="p+1"/>' + BODY),
                            "'p' is a parameter, which cannot depend on itself", None),
    "restitution too large": (with_line('<point_mass name="a" mass="1"><point name="p"/>'
                                        '</point_mass><ground><line name="l"/></ground>'
                                        '<contact name="c" first="a.p" second="ground.l" '
                                        'normal_restitution="1.5"/>'), "1.5", None),
    "unknown reference": (with_line(BODY + '<force name="f" on="b" x="1"/>'), "b", None),
    "reference to a force": (with_line(BODY + '<force name="f" on="f" x="1"/>'), "force", None),
    "contact with a body": (with_line(BODY + '<contact name="c" first="a" second="ground.l"/>'),
                            "shape", None),
    "line on line": (with_line('<planar_body name="a" mass="1" inertia="1"><line name="l"/>'
                               '</planar_body><ground><line name="l"/></ground>'
                               '<contact name="c" first="a.l" second="ground.l"/>'), "line", None),
    "same body": (with_line('<planar_body name="a" mass="1" inertia="1"><point name="p"/>'
                            '<circle name="c" radius="1"/></planar_body>'
                            '<contact name="k" first="a.p" second="a.c"/>'), "same body", None),
    "unit": (with_line('<parameter name="p" value="1" unit="furlong"/>' + BODY), "furlong", (3, 37)),
    "scheme": (with_line(BODY).replace('step_size="1e-3"', 'scheme="magic"'), "magic", (2, 17)),
    "step size": (with_line(BODY).replace("1e-3", "0"), "step_size", (2, 20)),
    "solver twice": (with_line("<solver/>" + BODY), "once", (3, 1)),
    "stop before start": (with_line('<experiment start_time="2" stop_time="1"/>' + BODY), "stop_time",
                          (3, 1)),
    "output unknown": (with_line(BODY + '<outputs><output variable="b.x"/></outputs>'), "b.x", None),
    "shape without body": (with_line(BODY + '<circle name="c" radius="1"/>'), "circle", None),
    "a thousand million bodies": (with_line(f'<repeat count="1e9">{BODY}</repeat>'),
                                  "expected from 0 to 1e+06", (3, 16)),
    "a million times a million": (with_line('<repeat count="1e5"><repeat count="1e5" index="j">'
                                            f'{BODY}</repeat></repeat>'),
                                  "make more than 1000000 elements", (3, 21)),
    "nothing, often": (with_line('<repeat count="1e6"><repeat count="1e6" index="j"/></repeat>'),
                       "make more than 1000000 elements", None),
    "half a body": (with_line(f'<repeat count="0.5">{BODY}</repeat>'), "a whole number", (3, 16)),
    "less than none": (with_line(f'<repeat count="-2">{BODY}</repeat>'), "expected from 0", (3, 16)),
    "count of a parameter": (with_line('<parameter name="n" value="3"/>'
                                       f'<repeat count="n">{BODY}</repeat>'),
                             "'n' is a parameter, which can change in the FMU", (3, 47)),
    "count of itself": (with_line(f'<repeat count="i">{BODY}</repeat>'), "unknown name 'i'", (3, 16)),
    "index outside": (with_line(f'<repeat count="2">{BODY}</repeat><force name="f" on="a[i]" '
                                'x="1"/>'), "no whole number", None),
    "neighbour of the first": (with_line(f'<repeat count="2">{BODY}<force name="f" on="a[i-1]" '
                                         'x="1"/></repeat>'), "here a[0] is not the name", None),
    "repeated and single": (with_line(f'<repeat count="2">{BODY}</repeat>{BODY}'),
                            "differ in their indices alone", None),
    "part of itself": (with_line('<part name="p"><use part="p" name="u"/></part>'
                                 '<use part="p" name="v"/>' + BODY), "the part p uses itself", None),
    "parts in a circle": (with_line('<part name="p"><use part="q" name="u"/></part><part name="q">'
                                    '<use part="p" name="u"/></part><use part="p" name="v"/>' + BODY),
                          "the part p uses itself", None),
    "unknown part": (with_line('<use part="wheel" name="v"/>' + BODY), "is not the name of a <part>",
                     (3, 12)),
    "unknown parameter of a part": (with_line(f'<part name="p">{BODY}</part>'
                                              '<use part="p" name="v" mass="2"/>'),
                                    "<use> has no attribute mass", None),
    "mistake in a part": (with_line('<part name="p"><point_mass name="a" mass="-1"/></part>\n'
                                    '<use part="p" name="v"/>'), "(v of line 4)", (3, 43)),
    "body in a body": (with_line('<planar_body name="a" mass="1" inertia="1">'
                                 '<planar_body name="b" mass="1" inertia="1"/></planar_body>'),
                       "planar_body", None),
}


@pytest.mark.parametrize("name", CASES)
def test_refused_with_place_and_reason(tmp_path, pack, name):
    content, word, place = CASES[name]
    lines = check(tmp_path, content)
    errors = [line for line in lines if "error:" in line]
    assert any(word in line for line in errors), errors
    for line in errors:
        assert PLACE.match(line), line
        assert len(line) < 2000
    if place is not None:
        assert f"model.xml:{place[0]}:{place[1]}: error:" in "\n".join(errors), errors
    assert word in refuse(pack(models.SLED), tmp_path, content)


def test_all_problems_are_told_in_one_run(tmp_path):
    lines = check(tmp_path, with_line("\n".join([
        '<point_mass name="a" mass="-1"/>', '<point_mass name="a" mass="1"/>', "<spring/>",
        '<force name="f" on="nobody" x="1+"/>',
        '<planar_body name="b" mass="1" inertia="0" color="red"/>'])))
    errors = [tuple(map(int, PLACE.match(line).groups())) for line in lines if "error:" in line]
    assert {line for line, _ in errors} == {3, 4, 5, 6, 7}
    assert len(errors) >= 7


def test_missing_files(tmp_path, pack):
    done = try_clatter("check", tmp_path / "nothing.xml")
    assert done.returncode == 1 and "nothing.xml" in done.stdout + done.stderr
    done = try_clatter("check", tmp_path)
    assert done.returncode == 1 and "directory" in done.stdout + done.stderr
    assert "model.xml" in refuse(pack(models.SLED), tmp_path, None)


def test_oversized_file(tmp_path, pack):
    """65 MiB, mostly a comment: too large before it is parsed."""
    content = with_line(BODY).encode() + b"<!--" + b"x" * (65 << 20) + b"-->"
    lines = check(tmp_path, content)
    assert "limit" in "\n".join(lines)
    assert "limit" in refuse(pack(models.SLED), tmp_path, content)


MATERIAL_MODEL = mechanism("""<point_mass name="a" mass="1" material="steel"><point name="p"/></point_mass>
<ground material="ice"><line name="l"/></ground>
<contact name="c" first="a.p" second="ground.l"/>""", attributes='materials="materials.xml"')
TABLE = '<materials xmlns="urn:clatter:materials:1">{}</materials>'


@pytest.mark.parametrize("table, word", [
    (None, "materials.xml"),
    (TABLE.format(""), "steel and ice"),
    (TABLE.format('<pair first="steel" second="ice" friction_coefficient="-1"/>'), "-1"),
    (TABLE.format('<pair first="steel" second="ice" friction_coefficient="much"/>'), "much"),
    (TABLE.format('<pair first="steel"/>'), "second"),
    (TABLE.format('<pair first="steel" second="ice"/><pair first="ice" second="steel"/>'), "twice"),
    (TABLE.format("<couple/>"), "couple"),
    ("<materials/>", "namespace"),
    ("", "well-formed"),
    ("<!DOCTYPE x>" + TABLE.format(""), "document type"),
])
def test_materials(tmp_path, table, word):
    assert word in "\n".join(check(tmp_path, MATERIAL_MODEL, table))


def test_materials_without_a_table(tmp_path):
    lines = check(tmp_path, MATERIAL_MODEL.replace('materials="materials.xml"', ""))
    assert "steel and ice" in "\n".join(lines)


# --- counts ---

def test_many_bodies(tmp_path):
    """100000 bodies: taken, or refused with a reason; never a crash."""
    path = tmp_path / "model.xml"
    path.write_text(mechanism("\n".join(
        f'<point_mass name="m{i}" mass="1"/>' for i in range(100_000))))
    done = try_clatter("check", path)
    assert done.returncode in (0, 1), done.stderr
    text = done.stdout + done.stderr
    assert "100000" in text if done.returncode == 0 else "error:" in text


def test_many_contacts_cost_in_proportion(tmp_path):
    """5,000 balls with a contact each, which share no body, load and step within 200 MB."""
    n = 5_000
    path = tmp_path / "model.xml"
    path.write_text(mechanism(
        "<gravity y='-9.81'/><ground><line name='floor'/></ground>" + "\n".join(
            f'<planar_body name="m{i}" mass="1" inertia="0.1" initial_y="{0.1 + 1e-6 * i!r}">'
            f'<circle name="p" radius="0.1"/></planar_body><contact name="c{i}" first="m{i}.p" '
            'second="ground.floor" friction_coefficient="0.3"/>' for i in range(n))))
    for scheme in ("moreau_jean", "generalized_alpha"):
        limited = f"ulimit -v {200 * 1024}; exec {tools.BUILD}/clatter run {path} --stop 0.005 "
        done = subprocess.run(["bash", "-c", limited + f"--scheme {scheme}"], capture_output=True,
                              text=True, timeout=900)
        assert done.returncode == 0, done.stdout + done.stderr
        assert re.search(r"failed steps\s+0", done.stdout)


def test_many_errors(tmp_path):
    """As many messages as there are problems, each with its place."""
    lines = check(tmp_path, with_line("\n".join(["<nothing/>"] * 3000)))
    assert len([line for line in lines if "nothing" in line]) in range(20, 3001)


# --- fuzz ---

def mutate(data, generator):
    data = bytearray(data)
    for _ in range(generator.choice((1, 1, 2, 5, 20))):
        kind = generator.randrange(6)
        at = generator.randrange(len(data))
        if kind == 0:
            data[at] = generator.randrange(256)
        elif kind == 1:
            del data[at: at + generator.randrange(1, 30)]
        elif kind == 2:
            data[at:at] = data[at: at + generator.randrange(1, 60)]
        elif kind == 3:
            data[at:at] = generator.choice(
                [b"&", b"<", b">", b'"', b"-", b"1e999", b"%s%n", b"0/0", b"((((", b"\0", b"\xc3",
                 b"t", b"^^", b"9" * 400, b"sqrt(-1)", b'name="x"', b"ground", b"/>", b"1e-320"])
        elif kind == 4 and len(data) > 100:
            del data[at:]
        else:
            digits = [i for i, c in enumerate(data) if chr(c).isdigit()]
            if digits:
                data[generator.choice(digits)] = ord(generator.choice("0123456789.-e"))
        if not data:
            data = bytearray(b"<")
    return bytes(data)


SEEDS = [models.SLED, models.FLIGHT, models.BOWL, BALL, MATERIAL_MODEL,
         (tools.MODELS / "n_four_bar.xml").read_text()]


@pytest.mark.parametrize("build, n", [("CLATTER_BUILD", 400), ("CLATTER_BUILD_DEBUG", 150)])
def test_mutated_models_never_crash(tmp_path, build, n):
    directory = tools.BUILD if build == "CLATTER_BUILD" else os.environ.get(build)
    if not directory or not Path(directory, "clatter").exists():
        pytest.skip(f"{build} is not set")
    generator = random.Random(20240229)
    path = tmp_path / "model.xml"
    (tmp_path / "materials.xml").write_text(
        TABLE.format('<pair first="steel" second="ice" friction_coefficient="0.1"/>'))
    codes = {0: 0, 1: 0}
    for i in range(n):
        data = mutate(generator.choice(SEEDS).encode(), generator)
        path.write_bytes(data)
        done = try_clatter("check", path, build=directory, text=False)
        assert done.returncode in (0, 1), (i, data, done.stderr)
        codes[done.returncode] += 1
        if done.returncode == 0 and codes[0] % 5 == 0:
            done = try_clatter("run", path, "--stop", "0.02", build=directory, text=False)
            assert done.returncode in (0, 1, 2), (i, data, done.stderr)
    assert min(codes.values()) > n // 50, codes
