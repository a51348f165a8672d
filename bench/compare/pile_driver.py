"""What the drivers of the pile that are Python scripts have in common: options, phases and the answer
are those of driver.h, the pile is that of pile.h. A step must not run Python but for the call of it."""

import json
import math
import sys
import time
from dataclasses import dataclass

import models


@dataclass
class Pile:
    """Of pile.h"""
    n: int
    n_x: int
    n_y: int
    dt: float
    settings: dict  # name to text
    radius: float = models.RADIUS
    mu: float = models.FRICTION
    gravity: float = models.GRAVITY

    @property
    def mass(self):
        return 4 / 3 * math.pi * self.radius**3 * models.DENSITY

    @property
    def inertia(self):
        return 0.4 * self.mass * self.radius**2

    @property
    def planes(self):
        """Point and normal of each"""
        width, depth = 1.15 * self.radius * self.n_x, 1.15 * self.radius * self.n_y
        return [((0, 0, 0), (0, 0, 1)), ((-width, 0, 0), (1, 0, 0)), ((width, 0, 0), (-1, 0, 0)),
                ((0, -depth, 0), (0, 1, 0)), ((0, depth, 0), (0, -1, 0))]

    @property
    def positions(self):
        return models.pile_positions(self.n_x, self.n_y, self.n // (self.n_x * self.n_y))


def run(create, pile, ends, limit, path):
    """create: a pile to a motion that has steps(from, to) and row(), a flat array. Seconds per step
    of each phase."""
    motion = create(pile)
    phases, total, before = [], 0.0, 0
    with open(path, "wb") as file:
        file.write(motion.row().tobytes())
        for end in ends:
            began = time.process_time()
            motion.steps(before, end)
            seconds = time.process_time() - began
            file.write(motion.row().tobytes())
            phases.append(seconds / (end - before))
            total, before = total + seconds, end
            if total > limit:
                break
    return {"steps": before, "failed": False, "memory": 0, "seconds": total, "phases": phases}


def main(version, create):
    words = dict(word.split("=", 1) for word in sys.argv[1:])
    settings = dict(word.split("=", 1) for word in words["settings"].split(","))
    dt, variant = float(words["dt"]), words["variants"]
    pile = Pile(int(words["n"]), int(settings["n_x"]), int(settings["n_y"]), dt, settings)
    ends = [round(float(end) / dt) for end in words["ends"].split(",")]
    try:
        result = run(create, pile, ends, float(words.get("limit", "inf")),
                     f"{words['rows']}.{variant}")
    except ValueError as error:  # there are no such settings
        result = {"absent": str(error)}
    except RuntimeError as error:  # a step failed; the first sentence says why
        result = {"absent": str(error).partition(". ")[0]}
    print(json.dumps({"version": version, "variants": {variant: result}}))
