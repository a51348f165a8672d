"""The models that come with the package."""

from __future__ import annotations

from pathlib import Path

from clatter._errors import ClatterError, nearest


def example(name: str) -> Path:
    """The path of a model that comes with Clatter, by its name: "parcel_pusher", "rotating_ball"."""
    here = Path(__file__).parent
    folder = here / "models"
    if not folder.is_dir():  # not installed: in the repository
        folder = here.parents[1] / "resources" / "models"
    path = folder / f"{name}.xml"
    if not path.is_file():
        known = sorted(path.stem for path in folder.glob("*.xml"))
        raise ClatterError(f"there is no example '{name}'{nearest(name, known)}; there are "
                           f"{', '.join(known)}")
    return path
