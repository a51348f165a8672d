"""What a page of clatter view carries: its scene and its motion (docs/view.md)."""

import base64
import json
import re
import zlib
from types import SimpleNamespace

import numpy as np


def read(path):
    text = path.read_text(encoding="utf-8")

    def script(name):
        return re.search(rf'<script [^>]*id="{name}">(.*?)</script>', text, re.DOTALL).group(1)

    return json.loads(script("scene")), motion(json.loads(script("scene")), script("motion"))


def motion(scene, text):
    data = zlib.decompress(base64.b64decode(text, validate=True))
    layout = scene["layout"]
    assert len(data) == layout["n_bytes"]
    at = 0

    def take(kind, *shape):
        nonlocal at
        array = np.frombuffer(data, kind, int(np.prod(shape)), at).reshape(shape)
        at += array.nbytes
        return array

    n = layout["n_frames"]
    arrays = SimpleNamespace(
        time=take("<f8", n), poses=take("<f4", n, layout["n_poses"], 7),
        points=take("<f4", n, layout["n_points"], 3), ends=take("<u4", n),
        contacts=take("<f4", layout["n_contact_records"], 8),
        outputs=take("<f4", layout["n_outputs"], n))
    assert at == len(data)
    assert arrays.ends[-1] == layout["n_contact_records"]
    return arrays


def output(scene, arrays, name):
    return arrays.outputs[[entry["name"] for entry in scene["outputs"]].index(name)]


def body(scene, name):
    return next(entry for entry in scene["bodies"] if entry["name"] == name)


def records(arrays, frame):
    """Contact records of a frame."""
    return arrays.contacts[arrays.ends[frame - 1] if frame > 0 else 0:arrays.ends[frame]]
