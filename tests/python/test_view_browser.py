"""The page of `clatter view` in a real browser: it loads, plays, scrubs, picks, plots, and says so
when it cannot."""

import re

import numpy as np
import pytest

import browser as browsers
import tools

PAGE = tools.BUILD / "page.html"

pytestmark = [
    pytest.mark.skipif(not (browsers.CHROMIUM and browsers.DRIVER),
                       reason="chromium and chromium-driver are not installed"),
    pytest.mark.skipif(not PAGE.exists() or PAGE.stat().st_size == 0,
                       reason="built without three.js (libjs-three): there is no page"),
]

WIDE = (1280, 760)
PHONE = (360, 740)


@pytest.fixture(scope="module")
def window():
    made = browsers.Browser()
    yield made
    made.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Path of the page of a model; each is written once."""
    folder = tmp_path_factory.mktemp("pages")

    def page_of(name, *options):
        path = folder / f"{name}.html"
        if not path.exists():
            tools.clatter("view", tools.MODELS / f"{name}.xml", "-o", path, *options)
        return path

    return page_of


@pytest.fixture
def ball(window, pages):
    window.resize(*WIDE)
    window.prefer("light")
    window.open(pages("rotating_ball"))
    window.settle()
    return window


def colours_near(picture, colour, distance=60):
    """How many pixels have about this colour."""
    return int((np.abs(picture - np.array(colour)).sum(axis=2) < distance).sum())


@pytest.mark.parametrize("name", [
    "rotating_ball", "slider_crank", "slider_crank_3d", "circuit_breaker", "woodpecker_toy",
    "tippe_top", "gripper", "ball_in_cylinder", "bouncing_bar", "bricard_mechanism",
    "flyball_governor", "rotating_beam", "capstan_cable"])
def test_pages_load_without_a_message_and_show_a_mechanism(window, pages, name):
    window.resize(*WIDE)
    window.open(pages(name))
    window.settle()
    assert window.run("return document.getElementById('title').textContent") == name
    assert window.messages() == []
    picture = window.picture_of("stage")
    background = picture[picture.shape[0] // 2, 2]
    drawn = (np.abs(picture - background).sum(axis=2) > 40).mean()
    assert 0.005 < drawn < 0.9


def test_it_plays_at_its_speed_and_pauses(ball):
    ball.run("location.hash = 'speed=0.5&t=0'")
    ball.wait("return document.getElementById('speed').value === '0.5'")
    elapsed, passed = ball.driver.execute_async_script("""
        const done = arguments[0];
        const from = [performance.now(), clatter.time];
        clatter.play();
        setTimeout(() => done([(performance.now() - from[0]) / 1000, clatter.time - from[1]]), 800)
        """)
    assert 0.1 * elapsed < passed < 0.5 * elapsed + 0.05  # a busy machine plays slower, never faster
    assert ball.run("return clatter.frameRate()") > 1
    ball.run("clatter.pause()")
    held = ball.run("return clatter.time")
    ball.settle()
    assert ball.run("return clatter.time") == held


def test_scrubbing_moves_the_time_and_the_picture(ball):
    ball.set_time(0)
    before = ball.picture_of("stage")
    ball.run("const s = document.getElementById('scrub'); s.value = 50000;"
             "s.dispatchEvent(new Event('input'))")
    ball.settle()
    assert ball.run("return clatter.time") == pytest.approx(0.75)
    assert ball.run("return document.getElementById('clock').textContent") == "0.750 s"
    after = ball.picture_of("stage")
    assert (np.abs(after - before).sum(axis=2) > 40).mean() > 0.005


def test_poses_are_those_of_the_csv(window, pages, tmp_path):
    csv = tmp_path / "crank.csv"
    tools.clatter("run", tools.MODELS / "slider_crank.xml", "-o", csv, "--interval", "1e-3")
    table = tools.read_csv(csv)
    window.open(pages("slider_crank"))
    for row in table[:: len(table) // 7]:
        window.run("clatter.setTime(arguments[0])", float(row["time"]))
        for body in ("crank", "rod", "slider"):
            x, y, z, qw, qx, qy, qz = window.run("return clatter.pose(arguments[0])", body)
            assert (x, y) == pytest.approx((row[f"{body}.x"], row[f"{body}.y"]), abs=1e-4)
            assert (z, qx, qy) == (0, 0, 0)
            turned = 2 * np.arctan2(qz, qw) - row[f"{body}.angle"]
            assert np.sin(turned / 2) == pytest.approx(0, abs=2e-3)


def test_a_click_picks_a_body_and_shows_what_it_does(window, pages):
    window.resize(*WIDE)
    window.open(pages("slider_crank"))
    window.set_time(0.02)
    x, y = window.run("return clatter.project('slider')")
    window.run("""
        const at = {clientX: arguments[0], clientY: arguments[1], pointerId: 1, bubbles: true};
        const canvas = document.getElementById("canvas");
        canvas.setPointerCapture = () => {};
        canvas.dispatchEvent(new PointerEvent("pointerdown", at));
        canvas.dispatchEvent(new PointerEvent("pointerup", at));""", x, y)
    window.settle()
    text = window.run("return document.getElementById('inspector').innerText")
    assert "slider" in text and "position" in text and "m/s" in text
    assert window.run("return clatter.pick(5, 300)") is None
    assert window.run("return document.getElementById('inspector').hidden")


def test_followed_body_stays_where_it_is_in_the_window(window, pages):
    window.resize(*WIDE)
    window.open(pages("slider_crank"), "#follow=slider&t=0")
    window.settle()
    first = window.run("return clatter.project('slider')")
    window.set_time(0.03)
    assert window.run("return clatter.project('slider')") == pytest.approx(first, abs=1)
    assert "follow=slider" in window.run("return location.hash")


def test_keys(ball):
    stop = 1.5
    ball.press("End")
    assert ball.run("return clatter.time") == stop
    ball.press("Home")
    assert ball.run("return clatter.time") == 0
    ball.press("ArrowRight")
    assert ball.run("return clatter.time") == pytest.approx(0.01 * stop)
    ball.press(".")
    step = ball.run("return clatter.time")
    ball.press(",")
    assert 0 < step - ball.run("return clatter.time") < 0.02
    ball.press("]")
    impact = ball.run("return clatter.time")
    assert impact == pytest.approx(np.sqrt(2 * 0.9 / 9.81), abs=2e-3)  # falls by 0.9 m
    ball.press("+")
    assert ball.run("return document.getElementById('speed').value") == "2"
    for key, button in [("l", "show_labels"), ("c", "show_forces"), ("o", "loop")]:
        ball.press(key)
        assert ball.run("return document.getElementById(arguments[0]).getAttribute("
                        "'aria-pressed')", button) == "false"
    ball.press("?")
    assert ball.run("return document.getElementById('help').open")
    ball.press("?")
    ball.press(" ")
    assert ball.run("return document.getElementById('play').getAttribute('aria-label')") == "Pause"
    assert ball.messages() == []


def test_plots_have_a_cursor_at_the_time_and_a_click_goes_there(ball):
    def cursor():
        return ball.run("const c = document.querySelector('.cursor').getBoundingClientRect();"
                        "const f = document.querySelector('.frame').getBoundingClientRect();"
                        "return (c.left - f.left - 58) / (f.width - 68)")
    for t in (0.3, 1.2):
        ball.set_time(t)
        assert cursor() == pytest.approx(t / 1.5, abs=0.01)
    ball.run("""
        const frame = document.querySelector(".frame");
        const box = frame.getBoundingClientRect();
        frame.setPointerCapture = () => {};
        const at = {clientX: box.left + 58 + (box.width - 68) / 3, clientY: box.top + 30,
                    pointerId: 1, bubbles: true};
        frame.dispatchEvent(new PointerEvent("pointerdown", at));
        frame.dispatchEvent(new PointerEvent("pointerup", at));""")
    ball.settle()
    assert ball.run("return clatter.time") == pytest.approx(0.5, abs=0.01)


def test_outputs_are_found_plotted_and_removed(ball):
    ball.run("document.getElementById('choose').click();"
             "const s = document.getElementById('search'); s.value = 'ball velocity_y';"
             "s.dispatchEvent(new Event('input'))")
    assert ball.run("return [...document.querySelectorAll('.output span')].map(s => s.textContent)"
                    ) == ["velocity_y"]
    ball.run("document.getElementById('target').value = 'new';"
             "document.querySelector('.output input').click()")
    names = "return [...document.querySelectorAll('.curve span')].map(s => s.textContent)"
    assert "ball.velocity_y" in ball.run(names)
    ball.set_time(0.2)
    shown = ball.run("return [...document.querySelectorAll('.curve')].find("
                     "c => c.innerText.includes('ball.velocity_y')).querySelector('b').textContent")
    assert float(shown.replace("−", "-")) == pytest.approx(-9.81 * 0.2, rel=1e-2)
    ball.run("document.querySelector(\"[aria-label='Remove ball.velocity_y']\").click()")
    assert "ball.velocity_y" not in ball.run(names)


def test_contact_forces_have_the_colour_of_their_state(window, pages):
    window.resize(*WIDE)
    window.prefer("light")
    window.open(pages("gripper"), "#t=2.5")
    window.press("l")
    window.settle()
    shown = window.picture_of("canvas")[:-40, :-60]  # without the key of colours and the tools
    window.press("c")
    window.settle()
    hidden = window.picture_of("canvas")[:-40, :-60]
    stick = (0, 114, 178)
    assert colours_near(shown, stick) > 100
    assert colours_near(hidden, stick) == 0


@pytest.mark.parametrize("size", [PHONE, (740, 360), (320, 480)])
def test_small_windows_have_all_controls_and_do_not_overflow(window, pages, size):
    window.resize(*size)
    window.open(pages("slider_crank"))
    window.settle()
    width, inner = window.run(
        "return [document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= inner
    outside = window.run("""
        return [...document.querySelectorAll("button, select, input")].filter((e) => {
            const b = e.getBoundingClientRect();
            return b.width > 0 && !e.closest("#plots, #chooser") && (b.left < -1
                || b.right > innerWidth + 1 || b.top < -1 || b.bottom > innerHeight + 1);
        }).map((e) => e.id)""")
    assert outside == []
    assert window.run("return document.getElementById('canvas').clientHeight") > 100


def test_dark_is_dark_by_preference_and_by_button(window, pages):
    window.resize(*WIDE)
    for scheme, dark in [("light", False), ("dark", True)]:
        window.prefer(scheme)
        window.open(pages("rotating_ball"))
        window.settle()
        assert (window.picture().mean() < 90) == dark
        window.press("d")
        window.settle()
        assert (window.picture().mean() < 90) != dark
    window.prefer("light")


def test_a_thousand_spheres_play(window, tmp_path):
    page = tmp_path / "spheres.html"
    page.write_text(browsers.fill_page(PAGE.read_text(), *browsers.spheres(1000, 60)))
    window.resize(480, 360)
    window.open(page)
    window.settle()
    script = """
        clatter.setTime(0.3);
        clatter.draw();
        const from = performance.now();
        for (let i = 0; i < 4; i++) { clatter.setTime(0.3 + 0.01 * i); clatter.draw(); }
        return (performance.now() - from) / 4;"""
    assert window.run(script) < 100  # ms of script; the processor draws the rest here
    x, y = window.run("return clatter.project('ball_0')")
    assert window.run("return clatter.pick(arguments[0], arguments[1])", x, y).startswith("ball_")
    assert window.messages() == []


def grain_shapes(plane, n):
    """Shapes of so many bodies, of all kinds that are drawn as instances, few of them equal."""
    common = {"position": [0.1, 0, 0], "axes": [0, 1, 0, -1, 0, 0, 0, 0, 1]}
    square = [[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]]
    corners = [[0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3], [-0.2, -0.2, -0.2]]
    faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [2, 1, 3]]
    hole = [[0.1, 0.1], [0.1, -0.1], [-0.1, -0.1], [-0.1, 0.1]]
    kinds = [{"kind": "circle", "radius": 0.3}, {"kind": "box", "size": [0.6, 0.4]},
             {"kind": "polygon", "points": square}, {"kind": "arc", "points": square, "hole": hole}
             ] if plane else [
        {"kind": "sphere", "radius": 0.3}, {"kind": "box", "size": [0.6, 0.4, 0.3]},
        {"kind": "hull", "points": corners, "faces": faces, "radius": 0.02},
        {"kind": "capsule", "size": [0.4], "radius": 0.1},
        {"kind": "cylinder", "size": [0.4], "radius": 0.2}]
    return [common | kinds[i % len(kinds)] | {"name": f"ball_{i}.skin", "body": i + 1}
            for i in range(n)]


@pytest.mark.parametrize("plane", [True, False])
def test_a_thousand_grains_play(window, tmp_path, plane):
    scene, motion = browsers.spheres(1000, 60)
    scene["shapes"] = grain_shapes(plane, 1000)
    scene["plane"] = plane
    page = tmp_path / "grains.html"
    page.write_text(browsers.fill_page(PAGE.read_text(), scene, motion))
    window.resize(480, 360)
    window.open(page)
    window.settle()
    script = """
        clatter.setTime(0.3);
        clatter.draw();
        const from = performance.now();
        for (let i = 0; i < 4; i++) { clatter.setTime(0.3 + 0.01 * i); clatter.draw(); }
        return (performance.now() - from) / 4;"""
    assert window.run(script) < 100
    for name in ("ball_0", "ball_3"):
        x, y = window.run("return clatter.project(arguments[0])", name)
        assert window.run("return clatter.pick(arguments[0], arguments[1])", x, y)
    assert window.messages() == []


def test_many_grains_beside_a_body_of_the_same_colour(window, tmp_path):
    """Grains are where they are, inside a drum whose colour some of them have."""
    page = tmp_path / "drum.html"
    tools.clatter("view", tools.ROOT / "resources" / "grains" / "drum.xml", "--stop", "0.02", "-o",
                  page)
    window.resize(*WIDE)
    window.prefer("light")
    window.open(page)
    window.settle()
    picture = window.picture_of("canvas")
    height, width = picture.shape[:2]
    background = picture[height // 2, 10]
    assert background.min() > 230  # beside the drum
    is_empty = np.abs(picture - background).sum(axis=2) < 12
    assert 0.4 < is_empty.mean() < 0.9  # grains of a huge size hid all of it
    left, top = window.run("const b = document.getElementById('canvas').getBoundingClientRect();"
                           "return [b.left, b.top]")
    for k, i in [(1, 1), (1, 20), (4, 7), (7, 12), (10, 3)]:  # of several colours
        x, y = window.run("return clatter.project(arguments[0])", f"grain[{k},{i}]")
        assert not is_empty[round(y - top), round(x - left)]
        assert window.run("return clatter.pick(arguments[0], arguments[1])", x, y)
    assert window.messages() == []


SURFACES = {
    True: """<experiment stop_time="0.2"/><gravity y="-9.81"/>
<ground><line name="floor" group="all"/><arc name="bowl" y="1" radius="1" from_angle="pi" to_angle="2*pi" thickness="0.05" group="all"/></ground>
<planar_body name="nut" initial_y="0.4"><polygon name="skin" density="100" sides="6" radius="0.2" group="all"/></planar_body>
<planar_body name="cam" initial_x="1.5" initial_y="0.5">
  <outline name="skin" density="100" group="all"><to x="-0.4"/><arc_to x="0.4" radius="0.4"/></outline></planar_body>
<contacts name="touch" first="all"/>""",
    False: """<experiment stop_time="0.2"/><gravity z="-9.81"/><ground><plane name="floor" group="all"/></ground>
<spatial_body name="rock" initial_z="0.3"><hull name="skin" density="100" group="all">
  <vertex x="0.3"/><vertex y="0.3"/><vertex z="0.3"/><vertex x="-0.2" y="-0.2" z="-0.2"/></hull></spatial_body>
<spatial_body name="pill" initial_x="1" initial_z="0.2"><capsule name="skin" density="100" x_1="-0.3" radius="0.1" group="all"/></spatial_body>
<spatial_body name="drum" initial_y="1" initial_z="0.4"><cylinder name="skin" density="100" radius="0.2" length="0.5" group="all"/></spatial_body>
<contacts name="touch" first="all"/>"""}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("plane", [True, False])
def test_surfaces_are_drawn_and_picked(window, tmp_path, plane, scheme):
    """Bodies are seen in their colour, and a click on one picks it."""
    model, page = tmp_path / "surfaces.xml", tmp_path / "surfaces.html"
    model.write_text(tools.mechanism(SURFACES[plane]))
    tools.clatter("view", model, "-o", page)
    window.resize(*WIDE)
    window.prefer(scheme)
    window.open(page, "#t=0")
    window.press("l")
    window.settle()
    for name in ("nut", "cam") if plane else ("rock", "pill", "drum"):
        x, y = window.run("return clatter.project(arguments[0])", name)
        assert window.run("return clatter.pick(arguments[0], arguments[1])", x, y) == name
    picture = window.picture_of("stage")
    background = picture[picture.shape[0] // 2, 2]
    assert 0.01 < (np.abs(picture - background).sum(axis=2) > 40).mean() < 0.9
    window.run("clatter.setTime(0.2)")
    window.settle()
    assert window.messages() == []
    window.prefer("light")


@pytest.mark.parametrize("plane", [True, False])
def test_any_kind_of_shape_and_link_is_drawn(window, tmp_path, plane):
    """Those that the page knows, those to come, and those that it never heard of."""
    scene, motion = browsers.spheres(2, 5)
    corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1]]
    kinds = ["circle", "ring", "box", "line", "plane", "curve", "point", "frame", "sphere", "shaft",
             "hollow_sphere", "bore", "pin", "capsule", "cylinder", "polygon", "outline", "segment",
             "arc", "hull", "mystery"]
    faces = [[3, 2, 1, 0], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]
    common = {"body": 1, "position": [0.2, 0.1, 0], "axes": [1, 0, 0, 0, 1, 0, 0, 0, 1]}
    scene["shapes"] = [common | {"name": f"ball_0.{kind}", "kind": kind, "radius": 0.3,
                                 "size": [0.5, 0.4, 0.3],
                                 "points": corners, "faces": faces} for kind in kinds]
    scene["shapes"].append(common | {"name": "ball_0.hoop", "kind": "arc", "points": corners[:4],
                                     "hole": [[0.2, 0.2], [0.2, 0.8], [0.8, 0.8], [0.8, 0.2]]})
    scene["shapes"].append(common | {"name": "ball_0.wall", "kind": "segment",
                                     "points": [[0, 0], [1, 1]]})
    scene["shapes"].append(common | {"name": "ball_1.bare", "kind": "mystery", "body": 2})
    end = {"body": 1, "position": [0.1, 0, 0], "axes": common["axes"]}
    other = end | {"body": 2, "position": [0, 0, 0]}
    scene["links"] = [{"name": kind, "kind": kind, "role": role, "first": end, "second": other}
                      for role, group in [
                          ("joint", "revolute prismatic cylindrical spherical planar rigid distance "
                           "angle_drive slide_drive speed_drive skate rolling mystery"),
                          ("force", "spring_damper torsional_spring_damper angle_actuator "
                           "slide_actuator mystery")] for kind in group.split()]
    scene["links"] += [{"name": kind, "kind": kind, "role": "force", "first": end}
                       for kind in ("force", "torque", "mystery")]
    scene["plane"] = plane
    page = tmp_path / "kinds.html"
    page.write_text(browsers.fill_page(PAGE.read_text(), scene, motion))
    window.resize(*WIDE)
    window.open(page)
    window.run("clatter.setTime(0.5); clatter.draw()")
    assert window.run("return clatter.pick(...clatter.project('ball_0'))") in ("ball_0", "ball_1")
    window.press("v")
    window.press("t")
    window.settle()
    assert window.messages() == []


def test_page_is_small_and_needs_no_network(pages):
    text = pages("rotating_ball").read_text()
    scene_and_motion = re.findall(r'id="(?:scene|motion)">(.*?)</script>', text, re.S)
    assert len(scene_and_motion) == 2
    assert len(text) - sum(map(len, scene_and_motion)) < 1.5e6
    assert "default-src 'none'" in text
    assert not re.search(r'(?:src|href)="http', text)


@pytest.mark.parametrize("damage, words", [
    (lambda text: re.sub(r'(id="motion">).*?(</script>)', r"\1AAAA\2", text, flags=re.S), "damaged"),
    (lambda text: re.sub(r'(id="motion">).*?(</script>)', r"\1!\2", text, flags=re.S), "damaged"),
    (lambda text: re.sub(r'"n_frames":\s*\d+', '"n_frames": 7', text), "damaged"),
    (lambda text: re.sub(r'(id="scene">)\s*{', r"\1", text), "cannot be read"),
    (lambda text: re.sub(r'"version":\s*1', '"version": 99', text, count=1), "version"),
    (lambda text: re.sub(r'"pose":\s*0', '"pose": 77', text, count=1), "pose"),
])
def test_damaged_pages_say_so(window, pages, tmp_path, damage, words):
    text = pages("rotating_ball").read_text()
    damaged = damage(text)
    assert damaged != text
    path = tmp_path / "damaged.html"
    path.write_text(damaged)
    window.open(path, ready="return !document.getElementById('trouble').hidden")
    assert words in window.run("return document.getElementById('trouble').innerText")
    assert window.messages() == []


def test_it_works_inside_a_frame_of_another_page(window, pages, tmp_path):
    outer = tmp_path / "outer.html"
    outer.write_text("<!DOCTYPE html><meta charset='utf-8'>"
                     "<iframe id='inner' style='width:700px;height:400px'></iframe>")
    window.resize(*WIDE)
    window.open(outer, ready="return true")
    window.run("document.getElementById('inner').srcdoc = arguments[0]",
               pages("rotating_ball").read_text())
    window.wait("const w = document.getElementById('inner').contentWindow; return Boolean(w.clatter)")
    window.run("document.getElementById('inner').contentWindow.clatter.setTime(0.4)")
    window.settle()
    assert colours_near(window.picture()[:400, :700], (150, 172, 196), 90) > 300
    assert window.messages() == []


def test_without_webgl_the_plots_work_and_words_say_why(pages):
    plain = browsers.Browser(["--disable-3d-apis"])
    try:
        plain.resize(*WIDE)
        plain.open(pages("rotating_ball"))
        plain.set_time(0.5)
        assert "WebGL" in plain.run("return document.getElementById('notice').innerText")
        assert plain.run("return document.querySelectorAll('.plot').length") > 0
        assert plain.run("return clatter.pose('ball')")[1] > 0
    finally:
        plain.close()
