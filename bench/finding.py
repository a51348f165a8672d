"""Time per step to find contacts against the number of bodies, and its share of a step.

    python bench/finding.py [--clatter build/release/clatter] [--most 10000] [--figure FILE.svg]

Boxes that turn close to each other in space, stars that do so in the plane, and boxes at rest in
towers of ten, whose contact laws are solved at once: 125 to 10,000 bodies, few steps of each, by
`clatter run --profile`. Prints the time of the fastest of five runs and the exponent of a
power of the number of bodies that is fitted to all sizes. With --figure it is drawn
(docs/figures/finding.svg). Run it on an idle machine.
"""

import argparse
import math
import random
import re
import resource
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
SIZES = (125, 250, 500, 1000, 2000, 4000, 10000)
STEPS = 10
REPEATS = 5
SIDE = 0.1  # m

MODEL = """<mechanism xmlns="urn:clatter:model:1" name="finding">
<experiment stop_time="{stop}"/><solver step_size="{step}"/>
{gravity}{bodies}{ground}
<contacts name="among" first="all" friction_coefficient="0.5"/>
{contacts}
<outputs><output variable="among.contacts"/></outputs></mechanism>
"""


def model(bodies, step=1e-3, gravity="", ground="", contacts=""):
    return MODEL.format(stop=STEPS * step, step=step, gravity=gravity, ground=ground,
                        contacts=contacts, bodies="\n".join(bodies))


def attributes(**values):
    return " ".join(f'initial_{name}="{value:.17g}"' for name, value in values.items())


def places(n, axes, distance):
    """The first n points of a grid of so many axes."""
    edge = math.ceil(n ** (1 / axes) - 1e-9)
    for i in range(n):
        yield [distance * (i // edge**k % edge) for k in range(axes)]


def turned(x, y, angle):
    """By an angle about z: neighbours in a grid that stands askew have boxes around them that
    overlap."""
    return math.cos(angle) * x - math.sin(angle) * y, math.sin(angle) * x + math.cos(angle) * y


def turning_boxes(n):
    chance = random.Random(1)
    bodies = []
    for x, y, z in places(n, 3, 1.1 * SIDE):
        def some(most):
            return chance.uniform(-most, most)
        x, y = turned(x, y, 0.5)
        start = attributes(x=x, y=y, z=z, rotation_x=some(0.03), rotation_y=some(0.03),
                           rotation_z=0.5 + some(0.03), angular_velocity_x=some(1),
                           angular_velocity_y=some(1), angular_velocity_z=some(1))
        bodies.append(f'<spatial_body name="body{len(bodies)}" {start}><box name="box" '
                      f'length="{SIDE}" width="{SIDE}" height="{SIDE}" density="1000" '
                      'group="all"/></spatial_body>')
    return model(bodies)


STAR = "".join(f'<to x="{r * math.cos(f):.17g}" y="{r * math.sin(f):.17g}"/>'
               for r, f in ((SIDE * (0.3 if i % 2 else 0.6), math.pi * i / 5) for i in range(10)))


def turning_outlines(n):
    chance = random.Random(1)
    bodies = []
    for x, y in places(n, 2, 1.05 * SIDE):
        x, y = turned(x, y, 0.5)
        start = attributes(x=x, y=y, angle=0.5 + chance.uniform(-0.1, 0.1),
                           angular_velocity=chance.uniform(-1, 1))
        bodies.append(f'<planar_body name="body{len(bodies)}" {start}><outline name="star" '
                      f'density="10" group="all">{STAR}</outline></planar_body>')
    return model(bodies)


def towers(n):
    bodies = []
    for x, y in places(-(-n // 10), 2, 2 * SIDE):
        for level in range(min(10, n - len(bodies))):
            start = attributes(x=x, y=y, z=(level + 0.5) * SIDE)
            bodies.append(f'<spatial_body name="body{len(bodies)}" {start}><box name="box" '
                          f'length="{SIDE}" width="{SIDE}" height="{SIDE}" density="1000" '
                          'group="all"/></spatial_body>')
    ground = ('<ground><box name="floor" length="100" width="100" height="0.1" z="-0.05" '
              'group="floor"/></ground>')
    contacts = '<contacts name="below" first="all" second="floor" friction_coefficient="0.5"/>'
    return model(bodies, 2e-3, '<gravity z="-9.81"/>', ground, contacts)


SCENES = {"boxes that turn, in space": turning_boxes, "stars that turn, in the plane":
          turning_outlines, "towers of boxes at rest, in space": towers}


def processor_time():
    """Of the runs so far, s."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(clatter, text):
    """Seconds per step: to find contacts, and altogether.

    The profile is by the clock on the wall: what else the machine does is taken out by the share of
    the processor that the run had.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "finding.xml"
        path.write_text(text)
        best = (math.inf, math.inf)
        for _ in range(REPEATS):
            began, before = time.perf_counter(), processor_time()
            run = subprocess.run([clatter, "run", path, "--profile", "--output", Path(folder) / "o.csv"],
                                 capture_output=True, text=True, check=True)
            table = run.stdout + run.stderr
            share = (processor_time() - before) / (time.perf_counter() - began)
            found = [share * float(re.search(rf"^ *{row} +\S+ +(\d+)", table, re.MULTILINE)[1]) * 1e-9
                     for row in ("find contacts", "all phases")]
            best = min(best, tuple(found))
        return best


def exponent(sizes, times):
    """Of the power of the size that fits the times best, in logarithms."""
    x, y = [math.log(n) for n in sizes], [math.log(t) for t in times]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return (sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
            / sum((a - mean_x) ** 2 for a in x))


def draw(figure, results):
    from matplotlib import pyplot as plt  # for the figure alone

    fig, axes = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
    for (name, times), colour in zip(results.items(), ("#1f5fa8", "#2a8a4a", "#b83227"), strict=True):
        sizes = sorted(times)
        axes.loglog(sizes, [1e3 * times[n][0] for n in sizes], "o-", color=colour, ms=4, label=name)
    sizes = SIZES[0], SIZES[-1]
    axes.loglog(sizes, [1e-3 * n / 2 for n in sizes], "--", color="#888888", lw=1,
                label="in proportion to the bodies")
    axes.set_xlabel("bodies")
    axes.set_ylabel("time to find contacts, ms per step")
    axes.legend(frameon=False, fontsize=8)
    axes.grid(alpha=0.3)
    fig.savefig(figure, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clatter", default=HERE.parent / "build" / "release" / "clatter", type=Path)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    results = {}
    for name, scene in SCENES.items():
        times = {n: measure(options.clatter, scene(n)) for n in SIZES if n <= options.most}
        for n, (find, whole) in times.items():
            print(f"{name}: {n} bodies, {1e3 * find:.3f} ms to find contacts, "
                  f"{100 * find / whole:.0f} % of a step", flush=True)
        print(f"{name}: exponent {exponent(times, [t[0] for t in times.values()]):.2f}", flush=True)
        results[name] = times
    if options.figure:
        draw(options.figure, results)


if __name__ == "__main__":
    main()
