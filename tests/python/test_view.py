"""clatter view: scene and motion against the CSV of clatter run, results of hosts, hostile names
and tables, the pictures in an FMU."""

import zipfile

import numpy as np
import pytest

import tools
import view_page
from lxml import etree
from tools import clatter, read_csv, try_clatter

PLANE = ["parcel_pusher", "rocking_block", "point_on_slope", "gripper"]
SPACE = ["tippe_top", "ball_in_hole", "slider_crank_3d"]


def model(name):
    return tools.MODELS / f"{name}.xml"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Page and CSV of one run of a model, made when they are first asked for."""
    folder = tmp_path_factory.mktemp("view")
    made = {}

    def get(name):
        if name not in made:
            csv, page = folder / f"{name}.csv", folder / f"{name}.html"
            clatter("run", model(name), "-o", csv, "--all", "--view", page)
            made[name] = (csv, read_csv(csv), *view_page.read(page))
        return made[name]

    return get


def rows_of_frames(table, motion):
    """Row of the CSV at the time of each frame; every frame is at the end of a step."""
    rows = np.searchsorted(table["time"], motion.time - 1e-9)
    np.testing.assert_allclose(table["time"][rows], motion.time, rtol=0, atol=1e-12)
    return rows


@pytest.mark.parametrize("name", PLANE)
def test_poses_of_the_plane(runs, name):
    _, table, scene, motion = runs(name)
    rows = rows_of_frames(table, motion)
    assert scene["plane"] and len(motion.time) >= 200
    for body in scene["bodies"]:
        if f"{body['name']}.x" not in table.dtype.names:
            continue
        pose = motion.poses[:, body["pose"]]
        angle = table[f"{body['name']}.angle"] if f"{body['name']}.angle" in table.dtype.names else 0 * table["time"]
        np.testing.assert_allclose(pose[:, 0], table[f"{body['name']}.x"][rows], atol=1e-6)
        np.testing.assert_allclose(pose[:, 1], table[f"{body['name']}.y"][rows], atol=1e-6)
        turned = 2 * np.arctan2(pose[:, 6], pose[:, 3])
        np.testing.assert_allclose(np.cos(turned - angle[rows]), 1, atol=1e-6)


@pytest.mark.parametrize("name", SPACE)
def test_poses_of_space(runs, name):
    _, table, scene, motion = runs(name)
    rows = rows_of_frames(table, motion)
    assert not scene["plane"]
    for body in scene["bodies"]:
        if f"{body['name']}.quaternion_0" not in table.dtype.names:
            continue
        pose = motion.poses[:, body["pose"]]
        for i, axis in enumerate("xyz"):
            np.testing.assert_allclose(pose[:, i], table[f"{body['name']}.{axis}"][rows], atol=1e-6)
        quaternion = np.stack([table[f"{body['name']}.quaternion_{i}"][rows] for i in range(4)], 1)
        same = np.abs(np.sum(quaternion * pose[:, 3:], axis=1))  # q and -q are one orientation
        np.testing.assert_allclose(same, 1, atol=1e-5)


@pytest.mark.parametrize("name", PLANE + SPACE)
def test_contacts_are_those_of_the_outputs(runs, name):
    _, table, scene, motion = runs(name)
    rows = rows_of_frames(table, motion)
    for frame in range(0, len(rows), 7):
        found = {int(record[0]): record for record in view_page.records(motion, frame)}
        for index, contact in enumerate(scene["contacts"]):
            state = table[f"{contact['name']}.state"][rows[frame]]
            assert (index in found) == (state != tools.OPEN)
            if index not in found:
                continue
            record = found[index]
            friction = [table[column][rows[frame]] for column in table.dtype.names
                        if column.startswith(f"{contact['name']}.friction_force")]
            normal = table[f"{contact['name']}.normal_force"][rows[frame]]
            assert record[1] == state
            np.testing.assert_allclose(np.linalg.norm(record[5:]), np.hypot(normal, np.linalg.norm(friction)),
                                       rtol=1e-5, atol=1e-6)


def test_outputs_are_those_of_the_csv(runs):
    _, table, scene, motion = runs("parcel_pusher")
    rows = rows_of_frames(table, motion)
    for entry in scene["outputs"]:
        if entry["name"] in table.dtype.names:
            np.testing.assert_allclose(view_page.output(scene, motion, entry["name"]), table[entry["name"]][rows],
                                       rtol=1e-6, atol=1e-30)
    units = {entry["name"]: entry["unit"] for entry in scene["outputs"]}
    assert units["energy.total"] == "J" and units["parcel.x"] == "m"
    state = next(entry for entry in scene["outputs"] if entry["name"].endswith(".state"))
    assert state["values"] == ["open", "slip", "stick"]
    assert state["group"] + ".state" == state["name"]


def test_a_force_points_from_the_floor_to_the_body(runs):
    """The block rests on the floor y = 0: contact points are there, forces point up."""
    _, _, scene, motion = runs("parcel_pusher")
    floor = [i for i, contact in enumerate(scene["contacts"]) if contact["second"] == "ground.table"]
    assert floor
    on_floor = motion.contacts[np.isin(motion.contacts[:, 0], floor)]
    assert len(on_floor) > 100
    np.testing.assert_allclose(on_floor[:, 3], 0, atol=1e-4)
    assert np.all(on_floor[:, 6] >= 0)


def test_impacts_of_a_bouncing_ball(runs):
    _, table, scene, _ = runs("bouncing_ball")
    times = [impact["time"] for impact in scene["impacts"]]
    assert scene["n_impacts"] == len(times) > 10 and times == sorted(times)
    contact = scene["contacts"][0]["name"]
    jumps = np.flatnonzero(np.diff(table["ball.velocity_y"]) > 0.5)  # far more than gravity in a step
    np.testing.assert_allclose(times[:len(jumps)], table["time"][jumps + 1], atol=1e-9)
    for impact in scene["impacts"][:3]:
        row = np.argmin(np.abs(table["time"] - impact["time"]))
        assert impact["impulse"] == pytest.approx(table[f"{contact}.normal_impulse"][row], rel=1e-6)


def test_interval_and_number_of_frames(tmp_path):
    page = tmp_path / "ball.html"
    clatter("view", model("rotating_ball"), "-o", page, "--interval", "0.05", "--stop", "0.5")
    _, motion = view_page.read(page)
    np.testing.assert_allclose(motion.time, np.arange(11) * 0.05, atol=1e-9)
    clatter("view", model("simple_pendulum"), "-o", page, "--stop", "300", "--step", "0.01")
    _, motion = view_page.read(page)
    assert 5900 < len(motion.time) <= 6001 and motion.time[-1] == pytest.approx(300)


def test_bars_and_beams(runs):
    for name, part in [("bouncing_bar", "bar"), ("rotating_beam", "rod")]:
        _, table, scene, motion = runs(name)
        rows = rows_of_frames(table, motion)
        entry = view_page.body(scene, part)
        points = motion.points[:, entry["line"]:entry["line"] + entry["n_points"]]
        np.testing.assert_allclose(points[:, 0, 0], table[f"{part}.first_x"][rows], atol=1e-6)
        np.testing.assert_allclose(points[:, -1, 0], table[f"{part}.last_x"][rows], atol=1e-6)
        shape = next(shape for shape in scene["shapes"] if shape["body"] == scene["bodies"].index(entry))
        assert shape["pose"] >= 0 and "pose" not in entry


# --- a run that fails ---

def test_the_motion_up_to_a_failure(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(tools.mechanism(
        '<experiment stop_time="2"/><point_mass name="m" mass="1"/>'
        '<force name="f" on="m" x="1/(1-t)"/>', step=0.01))
    page = tmp_path / "page.html"
    done = try_clatter("view", path, "-o", page)
    assert done.returncode == 1 and "m" in done.stderr
    scene, motion = view_page.read(page)
    assert "f" in scene["failure"] and 0.9 < motion.time[-1] < 1.01
    assert scene["stop"] == pytest.approx(motion.time[-1])


# --- hostile names ---

def test_what_could_end_a_script_is_escaped(tmp_path):
    path = tmp_path / "a&\"'<!--b.xml"
    path.write_text(tools.mechanism(
        '<point_mass name="m" mass="1"/>',
        attributes='description="&lt;/script&gt;&lt;!--motion--&gt;&lt;script&gt;alert(1) é \\ &quot;"'))
    page = tmp_path / "page.html"
    clatter("view", path, "-o", page, "--stop", "0.01")
    text = page.read_text(encoding="utf-8")
    scene, _ = view_page.read(page)
    assert scene["description"] == '</script><!--motion--><script>alert(1) é \\ "'
    assert scene["source"].endswith("a&\"'<!--b.xml")
    assert "<script>alert" not in text and "<!--motion-->" not in text


# --- results of hosts ---

@pytest.mark.parametrize("name", PLANE + SPACE + ["circuit_breaker", "bouncing_oscillator"])
def test_a_result_gives_the_same_motion(runs, name, tmp_path):
    csv, _, scene, motion = runs(name)
    page = tmp_path / "page.html"
    done = try_clatter("view", csv, "--model", model(name), "-o", page)
    assert done.returncode == 0 and "no column" not in done.stderr
    again, other = view_page.read(page)
    for array in ("time", "poses", "ends", "contacts"):
        np.testing.assert_array_equal(getattr(other, array), getattr(motion, array))
    assert again["shapes"] == scene["shapes"] and again["missing"] == []
    assert again["source"] == str(csv)


def test_a_bar_of_a_result_is_straight(runs, tmp_path):
    csv, table, _, _ = runs("bouncing_bar")
    page = tmp_path / "page.html"
    clatter("view", csv, "--model", model("bouncing_bar"), "-o", page)
    scene, motion = view_page.read(page)
    ends = motion.points[:, [0, -1], 0]
    rows = rows_of_frames(table, motion)
    np.testing.assert_allclose(ends[:, 0], table["bar.first_x"][rows], atol=1e-6)
    np.testing.assert_allclose(ends[:, 1], table["bar.last_x"][rows], atol=1e-6)
    np.testing.assert_allclose(motion.points[:, 16, 0], ends.mean(axis=1), atol=1e-5)


def small_result(header, rows, separator=","):
    return "\n".join(separator.join(line) for line in [header, *rows]) + "\n"


BALL = ["time", "ball.x", "ball.y", "ball.angle"]
FALL = [["0", "0", "1", "0"], ["0.1", "0.1", "0.9", "1"], ["0.2", "0.2", "0.6", "2"]]


def show(tmp_path, text, name="rotating_ball"):
    csv, page = tmp_path / "result.csv", tmp_path / "page.html"
    csv.write_text(text)
    return try_clatter("view", csv, "--model", model(name), "-o", page), page


@pytest.mark.parametrize("text", [
    small_result(BALL, FALL),
    small_result(BALL, FALL, ";"),
    small_result([f'"{name}"' for name in BALL], FALL),
    small_result(["time"] + [f"model.root.fmu.{name}" for name in BALL[1:]], FALL),
    small_result(BALL, [FALL[0], ["0.1", "7", "7", "7"], *FALL[1:]]),  # the later row at 0.1 s holds
])
def test_results_as_hosts_write_them(tmp_path, text):
    done, page = show(tmp_path, text)
    assert done.returncode == 0, done.stderr
    scene, motion = view_page.read(page)
    np.testing.assert_allclose(motion.time, [0, 0.1, 0.2])
    np.testing.assert_allclose(motion.poses[:, 0, 0], [0, 0.1, 0.2], atol=1e-7)
    np.testing.assert_allclose(2 * np.arctan2(motion.poses[:, 0, 6], motion.poses[:, 0, 3]), [0, 1, 2], atol=1e-6)
    assert any(name.endswith(".state") for name in scene["missing"])
    assert "no column" in done.stderr and len(motion.contacts) == 0


@pytest.mark.parametrize("text, words", [
    (small_result(["ball.x", "ball.y"], [["0", "1"]]), ["result.csv:1:", "time"]),
    (small_result(["time", "puck.x"], [["0", "1"]]), ["result.csv:1:", "ball.x"]),
    (small_result(BALL, [FALL[1], FALL[0]]), ["result.csv:3:1:", "back"]),
    (small_result(BALL, [FALL[0], ["nan", "0", "0", "0"]]), ["result.csv:3:1:", "time"]),
    (small_result(BALL, [FALL[0], ["0.1", "0", "nan", "0"]]), ["result.csv:3:7:", "ball"]),
    (small_result(BALL, [FALL[0], ["0.1", "0", "up", "0"]]), ["result.csv:3:7:", "up"]),
    (small_result(BALL, [FALL[0], ["0.1", "0"]]), ["result.csv:3:"]),
    (small_result(["time", "a.ball.x", "b.ball.x"], [["0", "1", "2"]]), ["a.ball.x", "b.ball.x"]),
    ("", ["result.csv"]),
    ("time\n", ["result.csv"]),
    ("\0\1\2\xff", ["result.csv"]),
])
def test_results_that_cannot_be_shown(tmp_path, text, words):
    done, page = show(tmp_path, text)
    assert done.returncode == 1 and not page.exists()
    for word in words:
        assert word in done.stderr


@pytest.mark.parametrize("arguments, words", [
    (["missing.csv", "--model", model("rotating_ball")], ["missing.csv"]),
    ([model("rotating_ball"), "--stop", "-1"], ["stop"]),
    (["x.csv", "--model", model("rotating_ball"), "--stop", "1"], ["--stop"]),
    ([], ["model"]),
])
def test_wrong_command_lines(arguments, words, tmp_path):
    done = try_clatter("view", *arguments, "-o", tmp_path / "page.html")
    assert done.returncode in (1, 2)
    for word in words:
        assert word in done.stderr


@pytest.mark.parametrize("command", ["view", "run"])
def test_plots_to_show_at_first(command, tmp_path):
    page = tmp_path / "page.html"
    options = ["-o", page] if command == "view" else ["--view", page]
    clatter(command, model("rotating_ball"), *options, "--stop", "0.1", "--plot-variables", "ball.x, ball.y; *.state",
            "--plot-variables", "energy.total")
    assert view_page.read(page)[0]["plots"] == [["ball.x", "ball.y"], ["floor_contact.state"], ["energy.total"]]
    done = try_clatter("view", model("rotating_ball"), "-o", page, "--plot-variables", "ball.nothing")
    assert done.returncode == 2 and "ball.nothing" in done.stderr


def test_a_page_on_standard_output(tmp_path):
    text = clatter("view", model("rotating_ball"), "-o", "-", "--stop", "0.1")
    page = tmp_path / "page.html"
    page.write_text(text)
    assert view_page.read(page)[0]["name"] == "rotating_ball"


# --- pictures in an FMU ---

def documentation(tmp_path, path, *options):
    fmu = tmp_path / "model.fmu"
    clatter("pack", path, "-o", fmu, *options)
    return zipfile.ZipFile(fmu)


@pytest.mark.parametrize("path", sorted(tools.MODELS.glob("*.xml")), ids=lambda path: path.stem)
def test_every_model_has_a_drawing(tmp_path, path):
    text = documentation(tmp_path, path).read("documentation/index.html").decode()
    svg = text[text.index("<svg"):text.index("</svg>") + len("</svg>")]
    drawing = etree.fromstring(svg)
    assert "nan" not in svg and "inf" not in svg
    width, height = (float(drawing.get(name)) for name in ("width", "height"))
    assert width == 720 and 150 <= height <= 470
    shown = [element for element in drawing.iter() if element.tag.split("}")[-1] in ("polyline", "polygon", "circle")]
    assert shown
    for label in drawing.iter("{*}text"):
        assert 0 <= float(label.get("x")) <= width and 0 <= float(label.get("y")) <= height


def test_the_animation_in_an_fmu(tmp_path):
    archive = documentation(tmp_path, model("rotating_ball"), "--animation")
    assert 'href="animation.html"' in archive.read("documentation/index.html").decode()
    page = tmp_path / "animation.html"
    page.write_bytes(archive.read("documentation/animation.html"))
    scene, motion = view_page.read(page)
    assert scene["name"] == "rotating_ball" and motion.time[-1] == pytest.approx(scene["stop"])
    assert "documentation/animation.html" not in documentation(tmp_path, model("rotating_ball")).namelist()


# --- size ---

def test_a_thousand_spheres(tmp_path):
    """Pages grow in proportion to bodies and contacts."""
    def pile(n):
        bodies = "".join(
            f'<spatial_body name="b{i}" mass="1" inertia_xx="0.1" inertia_yy="0.1" inertia_zz="0.1" '
            f'initial_x="{i % 32}" initial_y="{i // 32}" initial_z="0.45"><sphere name="s" radius="0.4"/></spatial_body>'
            f'<contact name="c{i}" first="b{i}.s" second="ground.floor"/>' for i in range(n))
        return tools.mechanism(f'<experiment stop_time="0.2"/><gravity z="-9.81"/><ground><plane name="floor"/></ground>{bodies}', step=0.01)

    sizes = {}
    for n in (125, 1000):
        path, page = tmp_path / "pile.xml", tmp_path / "pile.html"
        path.write_text(pile(n))
        clatter("view", path, "-o", page)
        scene, motion = view_page.read(page)
        assert scene["layout"]["n_poses"] == n and len(scene["contacts"]) == n
        assert motion.ends[-1] - motion.ends[-2] == n
        sizes[n] = scene["layout"]["n_bytes"]
    assert sizes[1000] < 8.5 * sizes[125]
