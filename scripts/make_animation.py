"""Makes docs/figures/animation.png, the moving picture of the README: six models as `clatter view`
shows them, in headless Chromium, joined into one animated PNG.

    .venv/bin/python scripts/make_animation.py

CLATTER_BUILD names the directory with the program (default build/release).
"""

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))
from browser import Browser  # noqa: E402 (found by the line above)

BUILD = Path(os.environ.get("CLATTER_BUILD", ROOT / "build" / "release"))
OUTPUT = ROOT / "docs" / "figures" / "animation.png"
TILE = (300, 230)
COLUMNS = 3
N_FRAMES = 64
FRAME_MS = 55
N_COLOURS = 96
BAND = 60  # px

# Model, options of `clatter view`, from when to when in s, body to follow, and how far to zoom in.
MODELS = [
    ("slider_crank", [], 0.0, 0.0838, "", 1.2),
    ("circuit_breaker", ["--set", "trip_force=5", "--stop", "0.06"], 0.0, 0.04, "", 1.1),
    ("hopping_leg", [], 1.0, 2.55, "", 1.1),
    ("gripper", [], 0.0, 1.4, "", 1.15),
    ("woodpecker_toy", ["--stop", "0.7"], 0.1, 0.5, "sleeve", 2.2),
    ("tippe_top", [], 0.5, 4.6, "", 1.4),
]

ONLY_THE_PICTURE = """
    const style = document.createElement("style");
    style.textContent = "header, footer, #side, #tools, #key, #gravity, #labels { display: none !important }"
        + "#app { display: block !important }"
        + "main { height: 100vh; grid-template: minmax(0, 1fr) / minmax(0, 1fr) !important }";
    document.head.append(style);
    """

ZOOM = """
    const canvas = document.getElementById("canvas");
    canvas.dispatchEvent(new WheelEvent("wheel", {deltaY: -Math.log(arguments[0]) / 0.0014,
        clientX: canvas.clientWidth / 2, clientY: canvas.clientHeight / 2}));
    """


def frames_of(browser, model, options, start, stop, followed, zoom):
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        subprocess.run([BUILD / "clatter", "view",
                        ROOT / "resources" / "models" / f"{model}.xml", "-o", page, *options],
                       check=True, stdout=subprocess.DEVNULL)
        browser.open(page, f"#theme=light&follow={followed}")
        browser.run(ONLY_THE_PICTURE)
        browser.settle()
        if not followed:
            browser.run("document.getElementById('fit').click()")
        browser.run(ZOOM, zoom)
        for i in range(N_FRAMES):
            browser.set_time(start + (stop - start) * i / N_FRAMES)
            yield Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")


def mosaic(tiles):
    rows = -(-len(tiles) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * TILE[0], rows * TILE[1]), "white")
    for i, tile in enumerate(tiles):
        sheet.paste(tile, ((i % COLUMNS) * TILE[0], (i // COLUMNS) * TILE[1]))
    return sheet


def main():
    browser = Browser()
    try:
        browser.resize(*TILE)
        films = [list(frames_of(browser, *model)) for model in MODELS]
    finally:
        browser.close()
    sheets = [mosaic(tiles) for tiles in zip(*films)]
    # One palette for all frames, from a few of them side by side.
    # The colours of contacts and the white are few pixels or many: here they get their share.
    width, height = sheets[0].size
    sample = Image.new("RGB", (width, 4 * height + 4 * BAND))
    for i, colour in enumerate(["#ffffff", "#d55e00", "#0072b2", "#e69f00"]):
        sample.paste(sheets[i * N_FRAMES // 4], (0, i * height))
        sample.paste(colour, (0, 4 * height + i * BAND, width, 4 * height + (i + 1) * BAND))
    palette = sample.quantize(N_COLOURS)
    frames = [sheet.quantize(palette=palette, dither=Image.Dither.NONE) for sheet in sheets]
    frames[0].save(OUTPUT, save_all=True, append_images=frames[1:], duration=FRAME_MS, loop=0,
                   optimize=True)
    print(f"{OUTPUT.relative_to(ROOT)}: {OUTPUT.stat().st_size / 1e6:.2f} MB, "
          f"{N_FRAMES * FRAME_MS / 1000:.1f} s")


if __name__ == "__main__":
    main()
