"""Makes docs/figures/shapes.png, grains.png and grain_models.png, the pictures of docs/shape-models.md,
docs/cone-complementarity.md and docs/grain-models.md: models as `clatter view` shows them at a moment,
in headless Chromium.

    .venv/bin/python scripts/make_shapes.py [shapes] [grains] [grain_models]

CLATTER_BUILD names the directory with the program (default build/release).
"""

import io
import sys
from pathlib import Path

from PIL import Image, ImageDraw

import make_animation
from make_animation import ROOT, TILE, Browser, frames_of, mosaic

FIGURES = ROOT / "docs" / "figures"
N_COLOURS = 128

# Picture to its models: model, options of `clatter view`, time in s, body to follow, and how far to zoom in.
SHAPES = [
    ("box_tower", [], 0.62, "box[10]", 2.2),
    ("box_tower_3d", [], 0.42, "box[6]", 2.5),
    ("domino_row", [], 0.45, "", 1.3),
    ("crate_over_edge", [], 1.95, "", 1.4),
    ("ratchet", [], 0.15, "", 0.9),
    ("geneva_drive", [], 0.46, "", 1.2),
    ("door_latch", ["--stop", "0.2"], 0.085, "bolt", 9.0),
    ("gear_pair", [], 0.3, "", 1.1),
    ("box_gripper", [], 0.6, "", 0.9),
    ("shape_box", ["--stop", "0.6"], 0.25, "", 1.3),
    ("rolling_hull", [], 0.3, "stone", 12.0),
    ("bullet_plate", ["--set", "start=0"], 0.005, "ball", 12.0),
]

GRAINS = [
    ("../grains/pile", ["--stop", "1.2"], 1.1, "", 1.3),
    ("../grains/mixed_pile", ["--stop", "1"], 0.9, "", 1.3),
]

GRAIN_MODELS = [
    ("../grains/hopper", ["--stop", "1.2"], 1.2, "", 1.3),
    ("../grains/feeder", ["--stop", "2", "--set", "amplitude=0.004"], 2.0, "", 1.2),
    ("../grains/drum", ["--stop", "2"], 2.0, "", 0.95),
    ("../grains/repose", ["--stop", "1.5"], 1.5, "grain[6,10]", 3.0),
    ("../grains/sieve", ["--stop", "0.5"], 0.5, "sieve", 2.0),
    ("../grains/bucket", ["--stop", "2.6"], 2.6, "bucket", 3.0),
]

PICTURES = {"shapes": SHAPES, "grains": GRAINS, "grain_models": GRAIN_MODELS}

HIDE_FORCES = """
    document.getElementById("show_forces").click();
    """


def make_picture(browser, models, output):
    tiles = []
    for model, options, time, followed, zoom in models:
        tile = next(frames_of(browser, model, options, time, time, followed, zoom))
        ImageDraw.Draw(tile).text((8, 6), Path(model).name, fill="#333333")
        tiles.append(tile)
    buffer = io.BytesIO()
    mosaic(tiles).quantize(N_COLOURS).save(buffer, "PNG", optimize=True)
    output.write_bytes(buffer.getvalue())
    print(f"{output.relative_to(ROOT)}: {output.stat().st_size / 1e6:.2f} MB")


def main():
    make_animation.N_FRAMES = 1
    make_animation.ONLY_THE_PICTURE += HIDE_FORCES
    browser = Browser()
    try:
        browser.resize(*TILE)
        for name in sys.argv[1:] or PICTURES:
            make_picture(browser, PICTURES[name], FIGURES / f"{name}.png")
    finally:
        browser.close()


if __name__ == "__main__":
    main()
