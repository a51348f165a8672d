"""clatter run --plot as SVG, PNG and page, and results as .csv.gz."""

import gzip
import json
import os
import re
import signal
import struct
import subprocess
import time
import zlib

import numpy as np
import pytest
from lxml import etree

import tools
from tools import MODELS, clatter, read_csv, try_clatter

BALL = MODELS / "rotating_ball.xml"
SVG = "{http://www.w3.org/2000/svg}"


def plot(path, *options, model=BALL):
    text = clatter("run", model, "--plot", path, *options)
    assert path.name in text
    return path


def texts(svg):
    return [element.text for element in etree.parse(svg).iter(f"{SVG}text")]


def curves(svg):
    """Points (n x 2) of each line inside a clipping box: these are the curves."""
    return [np.array([p.split(",") for p in line.get("points").split()], float)
            for line in etree.parse(svg).iterfind(f"{SVG}g/{SVG}polyline")]


def pixels(path):
    """A PNG as an array, read by hand: every chunk's checksum, every row."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        assert struct.unpack(">I", data[at + 8 + n:at + 12 + n])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, *form = struct.unpack(">IIBBBBB", body)
            assert form == [8, 2, 0, 0, 0]
        packed += body if kind == b"IDAT" else b""
        at += 12 + n
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


def values_at(line, frame, time_range, value_range):
    """Times and values of points in pixels."""
    x, y = line.T
    left, top, width, height = frame
    t = time_range[0] + (x - left) / width * (time_range[1] - time_range[0])
    v = value_range[0] + (top + height - y) / height * (value_range[1] - value_range[0])
    return t, v


def page_data(path):
    text = path.read_text()
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))


def test_svg_shows_the_values_of_the_csv(tmp_path):
    path = plot(tmp_path / "ball.svg", "-o", tmp_path / "ball.csv", "--plot-variables",
                "ball.y, ball.x; ball.velocity_y")
    rows = read_csv(tmp_path / "ball.csv")
    words = texts(path)
    for word in ("rotating_ball", "ball.y", "ball.x", "ball.velocity_y", "m", "m/s", "time in s"):
        assert word in words
    lines = curves(path)
    assert len(lines) == 3
    page = page_data(plot(tmp_path / "ball.html", "--plot-variables",
                          "ball.y, ball.x; ball.velocity_y"))
    for line, name, p in zip(lines, ("ball.y", "ball.x", "ball.velocity_y"), (0, 0, 1)):
        panel = page[p]
        frame = [panel[key] for key in ("left", "top", "width", "height")]
        t, v = values_at(line, frame, (panel["x0"], panel["x1"]), (panel["y0"], panel["y1"]))
        exact = np.interp(t, rows["time"], rows[name])
        scale = panel["y1"] - panel["y0"]
        # a point is rounded to a hundredth of a pixel, which matters where velocities jump
        assert np.median(np.abs(v - exact)) < 1e-3 * scale
        assert v.min() == pytest.approx(rows[name].min(), abs=1e-3 * scale)
        assert v.max() == pytest.approx(rows[name].max(), abs=1e-3 * scale)


def test_default_shows_positions_forces_and_states(tmp_path):
    words = texts(plot(tmp_path / "ball.svg"))
    for word in ("ball.x", "ball.y", "ball.angle", "floor_contact.normal_force",
                 "floor_contact.state", "open", "slip", "stick"):
        assert word in words
    assert not any(word and word.startswith("solver.") for word in words)


def test_every_model_has_a_default(tmp_path):
    for model in sorted(MODELS.glob("*.xml")):
        path = tmp_path / "plot.svg"
        done = try_clatter("run", model, "--stop", "0.01", "--plot", path)
        assert done.returncode == 0, (model, done.stderr)
        assert len(curves(path)) > 0


def test_path_of_a_body_with_equal_scales(tmp_path):
    path = plot(tmp_path / "path.html", "--set", "ball.initial_velocity_x=1", "--plot-variables",
                "ball.y over ball.x")
    panel, = page_data(path)
    assert not panel["overTime"]
    per_pixel = (panel["x1"] - panel["x0"]) / panel["width"]
    assert per_pixel == pytest.approx((panel["y1"] - panel["y0"]) / panel["height"])
    assert "ball.x in m" in path.read_text() and "ball.y in m" in path.read_text()


def test_states_are_steps_between_words(tmp_path):
    path = plot(tmp_path / "states.svg", "--plot-variables", "*.state")
    line, = curves(path)
    assert len(set(line[:, 1])) <= 3
    assert all(a[0] == b[0] or a[1] == b[1] for a, b in zip(line, line[1:]))


def test_units_share_a_panel_and_groups_do_not(tmp_path):
    def panels(choice):
        return [[curve["name"] for curve in panel["curves"]]
                for panel in page_data(plot(tmp_path / "p.html", "--plot-variables", choice))]

    assert panels("ball.x,ball.velocity_x,ball.y") == [["ball.x", "ball.y"], ["ball.velocity_x"]]
    assert panels("ball.x;ball.y") == [["ball.x"], ["ball.y"]]
    assert panels("ball.?") == [["ball.x", "ball.y"]]
    assert panels(" ball.x , ball.y ;ball.*angle") == [["ball.x", "ball.y"], ["ball.angle"]]


def test_long_runs_keep_extremes_in_small_files(tmp_path):
    """150,000 rows; a velocity's jumps must not vanish."""
    path = plot(tmp_path / "long.svg", "--step", "1e-5", "--plot-variables", "ball.velocity_y",
                "-o", tmp_path / "long.csv")
    assert path.stat().st_size < 150_000
    line, = curves(path)
    velocity = read_csv(tmp_path / "long.csv")["ball.velocity_y"]
    height = line[:, 1].max() - line[:, 1].min()
    fraction = (line[:, 1].max() - line[0, 1]) / height  # how far below the start the lowest is
    assert fraction == pytest.approx(-velocity.min() / np.ptp(velocity), abs=1e-3)


def test_png_shows_curves_in_their_colours(tmp_path):
    image = pixels(plot(tmp_path / "ball.png", "--plot-variables", "ball.y,ball.x"))
    height, width, _ = image.shape
    assert width == 1920 and 400 < height < 1200
    assert (image[:5] == 255).all() and (image[:, :5] == 255).all()  # nothing at the borders
    blue = (image == (0x00, 0x72, 0xb2)).all(axis=2)
    orange = (image == (0xd5, 0x5e, 0x00)).all(axis=2)
    assert blue.sum() > 1000 and orange.sum() > 1000
    assert blue[:, 1000:1800].any(axis=0).all()  # the line has no holes
    assert 0.85 < (image == 255).all(axis=2).mean() < 0.99


def test_plots_are_repeatable(tmp_path):
    for ending in ("svg", "png", "html"):
        paths = [plot(tmp_path / f"{i}.{ending}", "--stop", "0.5") for i in range(2)]
        assert paths[0].read_bytes() == paths[1].read_bytes()


def test_an_interrupted_run_keeps_its_plot(tmp_path):
    process = subprocess.Popen(
        [tools.BUILD / "clatter", "run", BALL, "--step", "1e-6", "--stop", "1000", "--plot",
         tmp_path / "out.svg", "-o", tmp_path / "out.csv"], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "out.csv").exists() or (tmp_path / "out.csv").stat().st_size < 10_000:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode == 130
    assert len(curves(tmp_path / "out.svg")) > 0


@pytest.mark.parametrize("options, words", [
    (["--plot", "out.pdf"], ["out.pdf", ".svg"]),
    (["--plot", "svg"], [".svg"]),
    (["--plot", "-"], [".svg"]),
    (["--plot-variables", "ball.x"], ["--plot"]),
    (["--plot", "o.svg", "--plot-variables", "ball.xx"], ["ball.xx", "did you mean 'ball.x'"]),
    (["--plot", "o.svg", "--plot-variables", "bell.*"], ["bell.*"]),
    (["--plot", "o.svg", "--plot-variables", ""], ["names"]),
    (["--plot", "o.svg", "--plot-variables", "ball.x;;ball.y"], ["names"]),
    (["--plot", "o.svg", "--plot-variables", "ball.x,,ball.y"], ["names"]),
    (["--plot", "o.svg", "--plot-variables", "ball.y over "], ["ball.y over"]),
    (["--plot", "o.svg", "--plot-variables", "ball.y over ball"], ["ball"]),
    (["--plot", "o.svg", "--plot-variables", "solver.message"], ["text"]),
    (["--plot", "o.svg", "--plot-variables", ";".join(["ball.x"] * 25)], ["24"]),
    (["--plot", "o.svg", "-o", "o.svg"], ["the CSV"]),
])
def test_wrong_command_lines(tmp_path, options, words):
    done = try_clatter("run", BALL, *options, cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    for word in words:
        assert word in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_plots_that_cannot_be_written(tmp_path):
    done = try_clatter("run", BALL, "--plot", tmp_path / "no" / "out.svg")
    assert done.returncode == 1 and "out.svg" in done.stderr
    (tmp_path / "folder.svg").mkdir()
    done = try_clatter("run", BALL, "--plot", tmp_path / "folder.svg")
    assert done.returncode == 1 and "irectory" in done.stderr
    if os.path.exists("/dev/full"):
        os.symlink("/dev/full", tmp_path / "full.svg")
        done = try_clatter("run", BALL, "--plot", tmp_path / "full.svg")
        assert done.returncode == 1 and "the plot cannot be written" in done.stderr


# --- compressed results ---

def test_compressed_csv_is_the_same(tmp_path):
    clatter("run", BALL, "--stop", "0.5", "-o", tmp_path / "a.csv")
    clatter("run", BALL, "--stop", "0.5", "-o", tmp_path / "a.csv.gz")
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == \
        (tmp_path / "a.csv").read_bytes()
    assert (tmp_path / "a.csv.gz").stat().st_size < 0.6 * (tmp_path / "a.csv").stat().st_size


def test_a_killed_run_leaves_rows_that_can_be_read(tmp_path):
    out = tmp_path / "out.csv.gz"
    process = subprocess.Popen([tools.BUILD / "clatter", "run", BALL, "--step", "1e-6", "--stop",
                                "1000", "-o", out], stdout=subprocess.PIPE)
    while not out.exists() or out.stat().st_size < 100_000:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=600)
    text = zlib.decompressobj(wbits=31).decompress(out.read_bytes()).decode()
    rows = text.splitlines()[:-1]
    assert rows[0].startswith("time,") and len(rows) > 500
    assert len({row.count(",") for row in rows}) == 1


def test_compressed_csv_that_cannot_be_written(tmp_path):
    done = try_clatter("run", BALL, "-o", tmp_path / "no" / "out.csv.gz")
    assert done.returncode == 1 and "out.csv.gz" in done.stderr
    if os.path.exists("/dev/full"):
        os.symlink("/dev/full", tmp_path / "full.csv.gz")
        done = try_clatter("run", BALL, "-o", tmp_path / "full.csv.gz")
        assert done.returncode == 1 and "the CSV cannot be written" in done.stderr
