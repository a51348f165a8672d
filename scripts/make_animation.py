"""Makes docs/figures/animation.png, the moving picture of the README: six models as `clatter view`
shows them, in headless Chromium, joined into one animated PNG.

    .venv/bin/python scripts/make_animation.py      (after cmake --preset release and its build)
"""

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))
from browser import Browser  # noqa: E402 (found by the line above)

OUTPUT = ROOT / "docs" / "figures" / "animation.png"
TILE = (300, 230)
COLUMNS = 3
N_FRAMES = 64
FRAME_MS = 55
N_COLOURS = 64

# Model, options of `clatter view`, from when to when in s, and what to press or follow.
MODELS = [
    ("slider_crank", [], 0.0, 0.0838, ""),
    ("circuit_breaker", ["--set", "trip_force=5", "--stop", "0.06"], 0.0, 0.05, ""),
    ("hopping_leg", [], 1.0, 3.0, ""),
    ("gripper", [], 0.0, 1.6, ""),
    ("woodpecker_toy", ["--stop", "0.7"], 0.1, 0.5, "follow=sleeve"),
    ("tippe_top", [], 0.5, 4.6, ""),
]

ONLY_THE_PICTURE = """
    const style = document.createElement("style");
    style.textContent = "header, footer, #side, #tools, #key, #gravity, #labels { display: none !important }"
        + "main { grid-template: minmax(0, 1fr) / minmax(0, 1fr) !important }";
    document.head.append(style);
    """


def frames_of(browser, model, options, start, stop, fragment):
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        subprocess.run([ROOT / "build" / "release" / "clatter", "view",
                        ROOT / "resources" / "models" / f"{model}.xml", "-o", page, *options],
                       check=True, stdout=subprocess.DEVNULL)
        browser.open(page, f"#theme=light&{fragment}")
        browser.run(ONLY_THE_PICTURE)
        browser.settle()
        if not fragment:
            browser.run("document.getElementById('fit').click()")
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
    sample = Image.new("RGB", (sheets[0].width, 4 * sheets[0].height))
    for i in range(4):
        sample.paste(sheets[i * N_FRAMES // 4], (0, i * sheets[0].height))
    palette = sample.quantize(N_COLOURS)
    frames = [sheet.quantize(palette=palette, dither=Image.Dither.NONE) for sheet in sheets]
    frames[0].save(OUTPUT, save_all=True, append_images=frames[1:], duration=FRAME_MS, loop=0,
                   optimize=True)
    print(f"{OUTPUT.relative_to(ROOT)}: {OUTPUT.stat().st_size / 1e6:.2f} MB, "
          f"{N_FRAMES * FRAME_MS / 1000:.1f} s")


if __name__ == "__main__":
    main()
