"""The Python package: animations, inline and as files."""

import base64
import html
import json
import re
import zlib

import numpy as np
import pytest

import tools

import clatter


def poses_of(page):
    """Where the bodies are in each frame."""
    layout = json.loads(re.search(r'id="scene">([^<]*)<', page).group(1))["layout"]
    packed = re.search(r'id="motion">([^<]*)<', page).group(1)
    motion = zlib.decompress(base64.b64decode(packed))
    n = layout["n_frames"] * layout["n_poses"] * 7
    return np.frombuffer(motion, np.float32, n, 8 * layout["n_frames"])


@pytest.fixture(scope="module")
def pusher():
    return clatter.Model(tools.MODELS / "parcel_pusher.xml")


def test_page(pusher, tmp_path):
    view = pusher.view(stop=0.5, interval=0.05, parameters={"parcel_mass": 1.5})
    path = view.save(tmp_path / "motion.html")
    assert path.read_text() == view.page
    assert re.search(r"<!doctype html>", view.page, re.IGNORECASE)
    assert '"parcel_pusher"' in view.page
    assert "MB" in repr(view)


def test_inline(pusher):
    view = pusher.view(stop=0.1, height=333)
    frame = view._repr_html_()
    source = re.fullmatch(r'<iframe srcdoc="([^"]*)" width="100%" height="333" [^>]*></iframe>', frame)
    assert html.unescape(source.group(1)) == view.page


def test_inputs(pusher, tmp_path):
    """The same page as with the table that the command reads."""
    (tmp_path / "in.csv").write_text("time,drive_force\n0,10\n0.25,30\n0.25,5\n")
    tools.clatter("view", tools.MODELS / "parcel_pusher.xml", "--stop", 0.5, "--inputs",
                  tmp_path / "in.csv", "-o", tmp_path / "wanted.html")
    view = pusher.view(stop=0.5, inputs={"drive_force": ([0, 0.25, 0.25], [10, 30, 5])})
    idle = pusher.view(stop=0.5)
    wanted, got, idle = (poses_of(page) for page in (
        (tmp_path / "wanted.html").read_text(), view.page, idle.page))
    assert len(wanted) > 1000
    assert np.abs(wanted - got).max() < 1e-5 < 1e-2 < np.abs(wanted - idle).max()


def test_what_is_wrong_is_told(pusher):
    with pytest.raises(clatter.VariableError, match="did you mean"):
        pusher.view(stop=0.1, parameters={"parcel_mas": 1})
    with pytest.raises(clatter.ProgramError, match="stop time"):
        pusher.view(stop=-1.0)
    with pytest.raises(TypeError, match="stop="):
        pusher.view(1.0)
