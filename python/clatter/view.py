"""An animation in a page of its own: shown inline by Jupyter, or kept as a file."""

from __future__ import annotations

import html
import os
from pathlib import Path


class View:
    """A page with the animation of a motion."""

    def __init__(self, page: str, height: int = 600) -> None:
        self.page = page  #: the whole page, as HTML
        self.height = height  #: of the frame in a notebook, in pixels

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page, which any browser opens from disk."""
        path = Path(path)
        path.write_text(self.page, encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="{self.height}" '
                'style="border: 0" allowfullscreen></iframe>')

    def __repr__(self) -> str:
        return f"<View: a page of {len(self.page) / 1e6:.2f} MB; save(path) keeps it>"
