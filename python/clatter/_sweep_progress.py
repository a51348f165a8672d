"""How far a sweep is: a bar on a terminal or in a notebook, or a function of the caller's."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

WIDTH = 30  # of the bar, in characters
BETWEEN = 0.2  # s, between two drawings

Report = Callable[[int, int, int], Any]  # runs done, runs in all, runs failed


def reporter(progress: bool | Report | None) -> Report:
    """progress: None shows a bar where a person looks, True always, False never."""
    if callable(progress):
        return progress
    if progress is False:
        return lambda done, total, failed: None
    if in_notebook():
        return Bar(draw_in_notebook())
    if progress is True or sys.stderr.isatty():
        return Bar(draw_on_terminal)
    return lambda done, total, failed: None


class Bar:
    def __init__(self, draw: Callable[[str, bool], None]):
        self.draw = draw
        self.began = self.drawn = time.monotonic()
        self.pace: tuple[float, int] | None = None  # time and runs done when workers had started
        self.done_before: int | None = None  # by an earlier sweep with the same store

    def __call__(self, done: int, total: int, failed: int) -> None:
        now = time.monotonic()
        if self.done_before is None:
            self.done_before = done
        elif self.pace is None:
            self.pace = now, done
        if done < total and now - self.drawn < BETWEEN:
            return
        self.drawn = now
        self.draw(self.line(done, total, failed, now), done == total)

    def line(self, done: int, total: int, failed: int, now: float) -> str:
        n_full = WIDTH * done // max(total, 1)
        text = f"[{'#' * n_full}{'.' * (WIDTH - n_full)}] {done}/{total} runs"
        if failed:
            text += f", {failed} failed"
        if done == total:
            text += f"  in {duration(now - self.began)}"
        elif self.pace is not None and done > self.pace[1]:
            seconds_per_run = (now - self.pace[0]) / (done - self.pace[1])
            text += f"  remaining: {duration(seconds_per_run * (total - done))}"
        return text


def duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{int(seconds) // 60} min {int(seconds) % 60:02d} s"
    return f"{int(seconds) // 3600} h {int(seconds) // 60 % 60:02d} min"


def draw_on_terminal(line: str, ended: bool) -> None:
    sys.stderr.write(f"\r{line}\033[K" + ("\n" if ended else ""))
    sys.stderr.flush()


def in_notebook() -> bool:
    """An IPython kernel, whose front end shows what is displayed."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    return shell is not None and hasattr(shell, "kernel")


def draw_in_notebook() -> Callable[[str, bool], None]:
    from IPython.display import DisplayHandle

    handle: Any = DisplayHandle()
    shown = False

    def draw(line: str, ended: bool) -> None:
        nonlocal shown
        show = handle.update if shown else handle.display
        show({"text/plain": line}, raw=True)
        shown = True

    return draw
