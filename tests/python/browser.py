"""A headless Chromium for tests and for the script that makes animations, and what they do with it."""

import base64
import io
import json
import shutil
import struct
import tempfile
import time
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


class Browser:
    """One browser window without a network, and the page in it."""

    def __init__(self, flags=()):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in [*FLAGS, *flags, f"--user-data-dir={self.profile.name}"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))

    def close(self):
        self.driver.quit()
        self.profile.cleanup()

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def prefer(self, scheme):
        """What the system would say of light and dark."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, path, fragment="", ready="return Boolean(window.clatter)"):
        self.driver.get("about:blank")
        self.messages()
        self.driver.get(Path(path).as_uri() + fragment)
        self.wait(ready)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition, seconds=120):
        deadline = time.monotonic() + seconds
        while not self.run(condition):
            assert time.monotonic() < deadline, f"waited in vain for: {condition}"
            time.sleep(0.02)

    def settle(self):
        """Until what was asked for is on the screen."""
        self.driver.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def set_time(self, t):
        self.run("clatter.setTime(arguments[0])", t)
        self.settle()

    def press(self, key):
        """A key as the page sees it, wherever the focus is."""
        self.run("(document.activeElement || document.body).dispatchEvent("
                 "new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))", key)

    def messages(self):
        """Errors and warnings of the page since the last call; a driver's remark that taking
        pictures is slow is none of the page's."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if "GPU stall due to ReadPixels" not in entry["message"]]

    def picture(self):
        """The window as an array (height, width, 3)."""
        png = self.driver.get_screenshot_as_png()
        return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)

    def picture_of(self, identifier):
        """The part of the window that an element covers."""
        x, y, width, height = self.run(
            "const b = document.getElementById(arguments[0]).getBoundingClientRect();"
            "return [b.left, b.top, b.width, b.height].map(Math.round)", identifier)
        return self.picture()[y:y + height, x:x + width]


def fill_page(template, scene, motion):
    """The page with a scene and the bytes of a motion, as `clatter view` writes it."""
    text = json.dumps(scene).replace("<", "\\u003c")
    packed = base64.b64encode(zlib.compress(motion)).decode()
    return template.replace("<!--scene-->", text).replace("<!--motion-->", packed)


def spheres(n_bodies, n_frames):
    """Scene and motion of so many balls that swing above a floor, for one second."""
    time_axis = np.linspace(0, 1, n_frames)
    side = int(np.ceil(np.sqrt(n_bodies)))
    poses = np.zeros((n_frames, n_bodies, 7), "<f4")
    index = np.arange(n_bodies)
    poses[:, :, 0] = index % side
    poses[:, :, 1] = index // side
    poses[:, :, 2] = 1 + np.abs(np.sin(6 * time_axis[:, None] + index))
    poses[:, :, 3] = 1
    bodies = [{"name": "ground", "kind": "ground"}]
    bodies += [{"name": f"ball_{i}", "kind": "spatial_body", "pose": i, "centre": [0, 0, 0]}
               for i in range(n_bodies)]
    axes = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    shapes = [{"name": f"ball_{i}.skin", "kind": "sphere", "body": i + 1, "position": [0, 0, 0],
               "axes": axes, "radius": 0.4} for i in range(n_bodies)]
    scene = {"version": 1, "name": "spheres", "description": "", "plane": False,
             "gravity": [0, 0, -9.81], "start": 0, "stop": 1, "bodies": bodies, "shapes": shapes,
             "links": [], "contacts": [], "impacts": [], "outputs": [], "plots": [], "missing": [],
             "layout": {"n_frames": n_frames, "n_poses": n_bodies, "n_points": 0, "n_outputs": 0,
                        "n_contact_records": 0, "deflated": True, "n_bytes": 0}}
    motion = time_axis.astype("<f8").tobytes() + poses.tobytes() + struct.pack(
        f"<{n_frames}I", *[0] * n_frames)
    return scene, motion
