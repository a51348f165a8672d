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


# --- surfaces ---

SHAPES_OF_THE_PLANE = """
<experiment stop_time="0.3"/><gravity y="-9.81"/>
<ground><line name="floor" group="wall"/><segment name="ramp" x_1="2" x_2="3" y_2="1" group="wall"/>
  <arc name="hoop" x="-3" y="1" radius="1" from_angle="0" to_angle="2*pi" thickness="0.1" group="wall"/></ground>
<planar_body name="grain" initial_y="0.3">
  <polygon name="skin" density="100" group="grain"><vertex x="-0.3" y="-0.3"/><vertex x="0.4" y="-0.3"/><vertex y="0.5"/></polygon>
</planar_body>
<planar_body name="cam" initial_x="1" initial_y="0.5">
  <outline name="skin" density="100" angle="0.2" group="grain"><to x="-0.4" y="0"/><arc_to x="0.4" y="0" radius="0.4"/></outline>
</planar_body>
<contacts name="touch" first="grain" second="wall" friction_coefficient="0.3"/>
<contact name="pair" first="grain.skin" second="cam.skin"/>"""

SHAPES_OF_SPACE = """
<experiment stop_time="0.3"/><gravity z="-9.81"/><ground><plane name="floor"/></ground>
<spatial_body name="rock" initial_z="0.4">
  <hull name="skin" density="100" rounding="0.02"><vertex x="0.3"/><vertex y="0.3"/><vertex z="0.3"/><vertex x="-0.2" y="-0.2" z="-0.2"/></hull>
</spatial_body>
<spatial_body name="pill" initial_x="1" initial_z="0.5"><capsule name="skin" density="100" x_1="-0.3" z_2="0.4" radius="0.1"/></spatial_body>
<spatial_body name="drum" initial_x="2" initial_z="0.5"><cylinder name="skin" density="100" radius="0.2" length="0.5"/></spatial_body>
<spatial_body name="crate" initial_x="3" initial_z="0.5"><box name="skin" density="100" length="0.2" width="0.3" height="0.4" rotation_x="0.5"/></spatial_body>
""" + "".join(f'<contact name="on_{name}" first="{name}.skin" second="ground.floor"/>' for name in ("rock", "pill", "drum", "crate"))


def run_and_view(tmp_path, content):
    """Model, CSV, scene and motion of a run."""
    path, csv, page = (tmp_path / name for name in ("shapes.xml", "shapes.csv", "shapes.html"))
    path.write_text(tools.mechanism(content))
    clatter("run", path, "-o", csv, "--all", "--view", page)
    return path, csv, *view_page.read(page)


def shape_of(scene, name):
    return next(shape for shape in scene["shapes"] if shape["name"] == name)


def area(points):
    x, y = np.array(points)[:, :2].T
    return 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))


def test_shapes_of_the_plane_have_points_around_them(tmp_path):
    _, _, scene, motion = run_and_view(tmp_path, SHAPES_OF_THE_PLANE)
    assert area(shape_of(scene, "grain.skin")["points"]) == pytest.approx(0.28, rel=1e-5)
    cam = shape_of(scene, "cam.skin")
    assert area(cam["points"]) == pytest.approx(np.pi * 0.4**2 / 2, rel=5e-3)
    np.testing.assert_allclose(np.hypot(*np.array(cam["points"]).T), 0.4, rtol=1e-5)
    assert len(shape_of(scene, "ground.ramp")["points"]) == 2
    hoop = shape_of(scene, "ground.hoop")
    assert area(hoop["points"]) == pytest.approx(np.pi * 1.05**2, rel=5e-3)
    assert area(hoop["hole"]) == pytest.approx(-np.pi * 0.95**2, rel=5e-3)
    # the pose is that of the centre of mass: the position of the polygon there is that of its origin
    np.testing.assert_allclose(shape_of(scene, "grain.skin")["position"], [-0.1 / 3, 0.1 / 3, 0], atol=1e-9)


def test_solids_have_faces_axes_and_sizes(tmp_path):
    _, _, scene, _ = run_and_view(tmp_path, SHAPES_OF_SPACE)
    rock = shape_of(scene, "rock.skin")
    corners = np.array(rock["points"])
    assert rock["radius"] == 0.02 and corners.shape == (4, 3) and len(rock["faces"]) == 4
    volume = sum(np.linalg.det(corners[face]) / 6 for face in rock["faces"])
    assert volume == pytest.approx((3 * 0.3**2 * 0.2 + 0.3**3) / 6, rel=1e-5)
    pill = shape_of(scene, "pill.skin")
    assert pill["size"] == [pytest.approx(0.5)] and pill["radius"] == 0.1
    np.testing.assert_allclose(np.abs(pill["axes"][6:]), [0.6, 0, 0.8], atol=1e-12)
    assert shape_of(scene, "drum.skin")["size"] == [0.5]
    crate = shape_of(scene, "crate.skin")
    np.testing.assert_allclose(crate["axes"][3:6], [0, np.cos(0.5), np.sin(0.5)], atol=1e-12)


@pytest.mark.parametrize("content", [SHAPES_OF_THE_PLANE, SHAPES_OF_SPACE], ids=["plane", "space"])
def test_contacts_that_are_found_are_shown_live_and_not_from_a_result(tmp_path, content):
    path, csv, scene, motion = run_and_view(tmp_path, content)
    names = [contact["name"] for contact in scene["contacts"]]
    assert len(motion.contacts) > 20 and set(motion.contacts[:, 0]) <= set(range(len(names)))
    for contact in scene["contacts"]:
        assert ("first" in contact) == (contact["name"] != "touch") == ("second" in contact)
    table = read_csv(csv)
    rows = rows_of_frames(table, motion)
    untold = {index: name for index, name in enumerate(names) if f"{name}.state" not in table.dtype.names}
    assert 2 <= len(untold) < 4
    for index, name in untold.items():
        forces = table[f"{name}.total_normal_force"][rows]
        for frame in range(0, len(rows), 5):
            found = [record for record in view_page.records(motion, frame) if record[0] == index]
            assert (len(found) > 0) >= (forces[frame] > 1e-9)
    page = tmp_path / "again.html"
    done = try_clatter("view", csv, "--model", path, "-o", page)
    assert done.returncode == 0 and "no column" not in done.stderr
    assert f"where {len(untold)} of the contacts touch" in done.stderr
    again, other = view_page.read(page)
    np.testing.assert_array_equal(other.poses, motion.poses)
    assert again["shapes"] == scene["shapes"] and again["missing"] == []
    told = motion.contacts[~np.isin(motion.contacts[:, 0], list(untold))]
    np.testing.assert_array_equal(other.contacts, told)
    assert again["n_untold_contacts"] == len(untold) and scene["n_untold_contacts"] == 0


@pytest.mark.parametrize("content", [SHAPES_OF_THE_PLANE, SHAPES_OF_SPACE], ids=["plane", "space"])
def test_the_drawing_shows_surfaces(tmp_path, content):
    path = tmp_path / "shapes.xml"
    path.write_text(tools.mechanism(content))
    text = documentation(tmp_path, path).read("documentation/index.html").decode()
    svg = text[text.index("<svg"):text.index("</svg>") + len("</svg>")]
    assert "nan" not in svg and "inf" not in svg
    areas = [element for element in etree.fromstring(svg).iter("{*}path") if element.get("d", "").startswith("M")]
    assert len(areas) >= 2 and all(element.get("d").endswith("Z") for element in areas)


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
