"""Makes docs/figures/shapes.png, the picture of docs/shape-models.md: twelve models as `clatter view`
shows them at a moment, in headless Chromium.

    .venv/bin/python scripts/make_shapes.py

CLATTER_BUILD names the directory with the program (default build/release).
"""

import io

from PIL import Image, ImageDraw

import make_animation
from make_animation import ROOT, TILE, Browser, frames_of, mosaic

OUTPUT = ROOT / "docs" / "figures" / "shapes.png"
N_COLOURS = 128

# Model, options of `clatter view`, time in s, body to follow, and how far to zoom in.
MODELS = [
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

HIDE_FORCES = """
    document.getElementById("show_forces").click();
    """


def main():
    make_animation.N_FRAMES = 1
    make_animation.ONLY_THE_PICTURE += HIDE_FORCES
    browser = Browser()
    try:
        browser.resize(*TILE)
        tiles = []
        for model, options, time, followed, zoom in MODELS:
            tile = next(frames_of(browser, model, options, time, time, followed, zoom))
            ImageDraw.Draw(tile).text((8, 6), model, fill="#333333")
            tiles.append(tile)
    finally:
        browser.close()
    buffer = io.BytesIO()
    mosaic(tiles).quantize(N_COLOURS).save(buffer, "PNG", optimize=True)
    OUTPUT.write_bytes(buffer.getvalue())
    print(f"{OUTPUT.relative_to(ROOT)}: {OUTPUT.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
