"""Piles of spheres: Clatter beside programs for many bodies with contacts, on one thread.

    piles.py --build DIRECTORY --drivers DIRECTORY [--json FILE] [--rounds N] [--limit SECONDS]
             [--only PROGRAM,...] [SIZE...]

A SIZE is NXxNYxNZ spheres. --build has bench/clatter, --drivers the peers' drivers pile_PROGRAM,
those that there are. Each program runs with several settings. What counts is the time at the same
penetration, which is found here from the positions, for all alike. METHOD.md says more.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import models
from compare import processor

SIZES = ("10x10x10", "10x10x100")
SETTLING, REST, STOP = 0.8, 2.5, 3.0  # s: end of the first phase, start and end of the second
SAMPLE = 0.1                          # s between the positions that are looked at
TOUCHING = 1e-3                       # spheres nearer than this part of a radius count as contacts
SAME_START = 1e-6                     # m, beyond which programs do not start alike: single precision
BOUNDS = (1e-2, 3e-3, 1e-3, 3e-4)     # largest penetrations at rest to compare at, in radii
LIMIT = 600.0                         # s of processor time, after which a run ends with its phase
TITLES = {"clatter": "Clatter", "ode": "ODE", "bullet": "Bullet", "bullet_single": "Bullet, single",
          "jolt": "Jolt", "rapier": "Rapier", "rapier_single": "Rapier, single",
          "mujoco": "MuJoCo", "drake": "Drake", "siconos": "Siconos"}
NEVER = {"Chrono": "in no package registry but Anaconda's; projectchrono on the Python package "
                   "index holds no program yet, pychrono there is another one",
         "DART": "its Python module leaves out all contacts but 1,000"}

LARGEST = {"drake": 1000, "siconos": 1000}  # spheres: seconds per step there, and more than in
                                            # proportion beyond
# Clatter's scheme, its steps and settings; the rest of the comparison knows none of their names
CLATTER_SCHEME = os.environ.get("PILES_SCHEME", "cone_complementarity")
CLATTER = [(dt, f"solver.cone_iterations={n}")
           for dt, n in ((2e-3, 10), (2e-3, 20), (2e-3, 50), (2e-3, 100), (4e-3, 10), (4e-3, 20),
                         (4e-3, 50), (4e-3, 100), (6e-3, 10), (6e-3, 20), (6e-3, 50), (8e-3, 10),
                         (8e-3, 20), (8e-3, 50), (1e-2, 10), (1e-2, 20), (1e-2, 50))]
# Of each peer: steps and settings, which the heads of its drivers explain, from soft to hard
RUNS = {
    "ode": [(8e-3, "iterations=100"), (6e-3, "iterations=50"), (4e-3, "iterations=20"),
            (4e-3, "iterations=30"), (4e-3, "iterations=50"), (3e-3, "iterations=20"),
            (2e-3, "iterations=20"), (2e-3, "iterations=50"), (2e-3, "iterations=100"),
            (1e-3, "iterations=50"), (5e-4, "iterations=50")],
    "bullet": [(6e-3, "iterations=100"), (4e-3, "iterations=10"), (4e-3, "iterations=30"),
               (4e-3, "iterations=50"), (3e-3, "iterations=20"), (2e-3, "iterations=10"),
               (2e-3, "iterations=50"), (2e-3, "iterations=200"), (1e-3, "iterations=50")],
    "bullet_single": [(2e-3, "iterations=10"), (2e-3, "iterations=50"), (2e-3, "iterations=200"),
                      (1e-3, "iterations=50")],
    "jolt": [(2e-3, "iterations=10,positions=2"), (2e-3, "iterations=30,positions=10"),
             (1e-3, "iterations=10,positions=2")],
    "rapier": [(2e-3, "iterations=4"), (2e-3, "iterations=8,frequency=120"),
               (2e-3, "iterations=8,frequency=500"), (2e-3, "iterations=16,frequency=1000")],
    "rapier_single": [(2e-3, "iterations=4"), (2e-3, "iterations=8,frequency=120"),
                      (2e-3, "iterations=8,frequency=500"),
                      (2e-3, "iterations=16,frequency=1000")],
    "mujoco": [(2e-3, "solver=1,iterations=20"), (2e-3, "solver=1,iterations=100"),
               (2e-3, "solver=2,iterations=20"), (1e-3, "solver=1,iterations=50")],
    "drake": [(2e-3, "model=sap,stiffness=1e5,damping=10"), (2e-3, "model=similar,stiffness=1e5"),
              (2e-3, "model=similar,stiffness=1e6")],
    "siconos": [(2e-3, "iterations=50"), (2e-3, "iterations=500")],
}


@dataclass
class Size:
    n_x: int
    n_y: int
    n_z: int

    @property
    def n(self):
        return self.n_x * self.n_y * self.n_z


@dataclass
class Run:
    program: str
    step: float
    settings: str
    version: str = ""
    absent: str = ""         # why there is none
    reached: float = 0.0     # s of the motion
    settling: float = None   # s per step until SETTLING, or as far as it came
    settled: float = None    # s per step between REST and STOP
    found: dict = field(default_factory=dict)  # of the positions

    @property
    def cost(self):
        """Processor time per time of the motion, at rest"""
        return self.settled / self.step if self.settled else None


def ends(stop):
    """Of the phases: samples while it settles and at rest"""
    settling = np.arange(1, round(SETTLING / SAMPLE) + 1) * SAMPLE
    rest = np.arange(round(REST / SAMPLE), round(STOP / SAMPLE) + 1) * SAMPLE
    return [float(round(t, 9)) for t in (*settling, *rest) if t <= stop + 1e-9]


# --- from positions ---

def near_pairs(x, reach):
    """Pairs of points (m, 2) not farther from each other than reach along each axis, by cells of
    that size."""
    cells = np.floor((x - x.min(axis=0)) / reach).astype(np.int64) + 1
    shape = cells.max(axis=0) + 2
    key = (cells[:, 0] * shape[1] + cells[:, 1]) * shape[2] + cells[:, 2]
    order = np.argsort(key, kind="stable")
    key = key[order]
    pairs = []
    for offset in np.ndindex(3, 3, 3):
        d = np.array(offset) - 1
        shift = (d[0] * shape[1] + d[1]) * shape[2] + d[2]
        if shift < 0:
            continue  # the other of the two finds it
        first, last = (np.searchsorted(key, key + shift, side) for side in ("left", "right"))
        a = np.repeat(np.arange(len(key)), last - first)
        b = np.arange(len(a)) - np.repeat(np.cumsum(last - first) - (last - first), last - first)
        b += np.repeat(first, last - first)
        chosen = a < b if shift == 0 else slice(None)
        pairs.append(np.column_stack((order[a], order[b]))[chosen])
    return np.concatenate(pairs)


def depths(x, size):
    """Of all spheres that touch each other or the box, negative where they are apart"""
    R = models.RADIUS
    pairs = near_pairs(x, 2 * R * (1 + TOUCHING))
    between = 2 * R - np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1)
    walls = [np.abs(x[:, 0]) + R - 1.15 * R * size.n_x, np.abs(x[:, 1]) + R - 1.15 * R * size.n_y,
             R - x[:, 2]]
    every = np.concatenate([between, *walls])
    return every[every > -TOUCHING * R]


def energy(row):
    mass = 4 / 3 * np.pi * models.RADIUS**3 * models.DENSITY
    inertia = 0.4 * mass * models.RADIUS**2
    return float(0.5 * mass * np.sum(row[:, 3:6] ** 2) + 0.5 * inertia * np.sum(row[:, 6:] ** 2))


def largest(samples):
    return max(float(max(d.max(), 0.0)) for d in samples if len(d)) if samples else None


def look_at(rows, times, size):
    """rows: (times, n, 9), the first at the start; lengths in m"""
    d = [depths(row[:, :3], size) for row in rows[1:]]
    settling = [each for each, t in zip(d, times) if t <= SETTLING]
    settled = [each for each, t in zip(d, times) if t > REST] if len(d) == len(times) else []
    found = {"penetration_settling": largest(settling), "height_settling": None}
    at = [row for row, t in zip(rows[1:], times) if abs(t - SETTLING) < 1e-9]
    if at:
        found |= {"height_settling": float(at[0][:, 2].mean()), "energy_settling": energy(at[0])}
    if settled:
        found |= {"penetration": largest(settled),
                  "mean_penetration": float(np.mean([np.maximum(e, 0.0).mean() for e in settled])),
                  "contacts": round(float(np.mean([len(e) for e in settled]))),
                  "height": float(rows[-1][:, 2].mean()), "energy": energy(rows[-1])}
    return found


# --- running ---

def words(run, size, directory, limit):
    name = f"{size.n_x}x{size.n_y}x{size.n_z}"
    every = {"case": "pile", "n": size.n, "dt": repr(run.step), "stop": repr(STOP),
             "ends": ",".join(map(repr, ends(STOP))), "limit": limit, "variants": "pile"}
    settings = [f"n_x={size.n_x}", f"n_y={size.n_y}", *filter(None, run.settings.split(","))]
    if run.program == "clatter":
        every |= {"variants": f"{CLATTER_SCHEME}.core", "model": directory / f"{name}.xml",
                  "observe": f"@{directory / name}.names"}
        settings = settings[2:]
    elif run.program == "mujoco":
        every["model"] = directory / f"{name}.mjcf"
    return every | {"settings": ",".join(settings)}


def write_models(size, directory):
    name = f"{size.n_x}x{size.n_y}x{size.n_z}"
    shape = (size.n_x, size.n_y, size.n_z)
    (directory / f"{name}.xml").write_text(models.pile(*shape))
    (directory / f"{name}.names").write_text("\n".join(models.pile_names(*shape)))
    (directory / f"{name}.mjcf").write_text(models.pile_mjcf(*shape))


def measure(run, executable, size, directory, limit):
    """One round; the best of all rounds counts."""
    options = words(run, size, directory, limit)
    variant = options["variants"]
    try:
        done = subprocess.run(
            [executable, *(f"{k}={v}" for k, v in options.items()), f"rows={directory / 'rows'}"],
            capture_output=True, text=True, check=False, timeout=3 * limit + 600,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
    except subprocess.TimeoutExpired:
        run.absent = f"takes more than {limit:g} s for {SAMPLE:g} s of the motion"
        return
    if done.returncode != 0:
        run.absent = (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1]
        return
    answer = json.loads(done.stdout.splitlines()[-1])
    run.version, result = answer["version"], answer["variants"][variant]
    if "absent" in result or result["failed"]:
        run.absent = result.get("absent", "a step failed")
        return
    path = directory / f"rows.{variant}"
    rows = np.fromfile(path).reshape(-1, size.n, 9)
    path.unlink()
    start = np.array(models.pile_positions(size.n_x, size.n_y, size.n_z))
    if np.abs(rows[0][:, :3] - start).max() > SAME_START:
        run.absent = "does not start like the others"
        return
    keep_times(run, result["phases"])
    if not run.found:
        run.found = look_at(rows, ends(STOP), size)


def keep_times(run, phases):
    """phases: s per step of those that were reached"""
    times = np.array(ends(STOP)[: len(phases)])
    steps = np.diff([0.0, *times]) / run.step
    run.reached = float(times[-1])
    chosen = {"settling": times <= SETTLING}
    if run.reached == STOP:
        chosen["settled"] = times > REST
    for name, which in chosen.items():
        value = float((steps * phases)[which].sum() / steps[which].sum())
        known = getattr(run, name)
        setattr(run, name, value if known is None else min(known, value))


def all_runs(executables):
    runs = [Run("clatter", *pair) for pair in CLATTER]
    for name, settings in RUNS.items():
        if name in executables:
            runs += [Run(name, *pair) for pair in settings]
    return [run for run in runs if run.program in executables]


def measure_size(size, executables, rounds, limit):
    runs = all_runs(executables)
    for run in runs:
        if size.n > LARGEST.get(run.program, size.n):
            run.absent = f"not run with more than {LARGEST[run.program]} spheres: too slow"
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        write_models(size, directory)
        for i in range(rounds):
            for run in runs:
                if not run.absent:
                    print(f"{size.n} spheres, round {i + 1} of {rounds}: {run.program}, step "
                          f"{run.step:g} s {run.settings}", file=sys.stderr)
                    measure(run, executables[run.program], size, directory, limit)
    return runs


# --- what is printed ---

def cell(value, pattern, scale=1.0):
    return pattern.format(scale * value) if value is not None else "–"


def label(run):
    return f"{run.step * 1e3:g} ms {run.settings.replace('iterations', 'it').replace(',', ' ')}"


def print_runs(size, runs):
    R = models.RADIUS
    print(f"\n{size.n} spheres ({size.n_x} x {size.n_y} x {size.n_z}); processor time; "
          "penetrations in % of the radius")
    print(f"  {'':17}{'':38}{'ms/step':>8} {'ms/step':>8} {'steps/s':>8} {'s/s':>8} "
          f"{'largest':>8} {'largest':>8} {'mean':>8} {'contacts':>8} {'height':>8} {'energy':>8}")
    print(f"  {'':17}{'step, settings':38}{'settling':>8} {'settled':>8} {'settled':>8} "
          f"{'settled':>8} {'settling':>8} {'settled':>8} {'settled':>8} {'settled':>8} "
          f"{'m':>8} {'J':>8}")
    for run in runs:
        head = f"  {TITLES[run.program]:17}{label(run):38}"
        if run.absent:
            print(f"{head}absent: {run.absent}")
            continue
        f = run.found
        rate = 1 / run.settled if run.settled else None
        print(head + " ".join(text.rjust(8) for text in (
            cell(run.settling, "{:.3g}", 1e3), cell(run.settled, "{:.3g}", 1e3),
            cell(rate, "{:.3g}"), cell(run.cost, "{:.3g}"),
            cell(f.get("penetration_settling"), "{:.3g}", 100 / R),
            cell(f.get("penetration"), "{:.3g}", 100 / R),
            cell(f.get("mean_penetration"), "{:.2g}", 100 / R), cell(f.get("contacts"), "{:d}", 1),
            cell(f.get("height"), "{:.4f}"), cell(f.get("energy"), "{:.2g}")))
            + (f"  until {run.reached:g} s" if run.reached < STOP else ""))


def cheapest(runs, program, bound):
    """Of those whose largest penetration at rest is at most bound radii"""
    good = [run for run in runs if run.program == program and run.cost
            and run.found["penetration"] <= bound * models.RADIUS]
    return min(good, key=lambda run: run.cost, default=None)


def print_curve(runs):
    print("  At the same largest penetration at rest: s of processor time per s of motion, of the "
          "cheapest run that has no more")
    programs = list(dict.fromkeys(run.program for run in runs))
    print(f"    {'':17}" + "".join(f"{100 * bound:>9g} %" for bound in BOUNDS))
    for program in programs:
        best = [cheapest(runs, program, bound) for bound in BOUNDS]
        print(f"    {TITLES[program]:17}"
              + "".join(cell(run and run.cost, "{:.3g}").rjust(11) for run in best))


def as_json(size, runs):
    return {"spheres": [size.n_x, size.n_y, size.n_z], "runs": [
        {"program": TITLES[run.program], "version": run.version, "step": run.step,
         "settings": run.settings, **({"absent": run.absent} if run.absent else
         {"reached": run.reached, "seconds_per_step_settling": run.settling, "seconds_per_step_settled": run.settled,
          **run.found})} for run in runs]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--drivers", default="")
    parser.add_argument("--json")
    parser.add_argument("--rounds", type=int, default=1, help="of which the shortest times count")
    parser.add_argument("--limit", type=float, default=LIMIT)
    parser.add_argument("--only", default="", help="these programs alone, separated by commas")
    parser.add_argument("sizes", nargs="*", default=SIZES)
    arguments = parser.parse_args()
    places = {"clatter": Path(arguments.build) / "bench" / "clatter"}
    places |= {name: Path(arguments.drivers) / f"pile_{name}" for name in RUNS}
    wanted = arguments.only.split(",") if arguments.only else list(places)
    executables = {name: path for name, path in places.items() if path.exists() and name in wanted}
    missing = {TITLES[name]: "not installed" for name in wanted if name not in executables} | NEVER
    results, load = [], []
    for text in arguments.sizes:
        size = Size(*map(int, text.split("x")))
        load.append(os.getloadavg()[1])
        results.append((size, measure_size(size, executables, arguments.rounds, arguments.limit)))
        load.append(os.getloadavg()[1])
    print(f"{processor()}, {os.cpu_count()} cores, load {max(load):.1f}; "
          + ", ".join(sorted({run.version for _, runs in results for run in runs if run.version})))
    for name, why in missing.items():
        print(f"{name}: absent ({why})")
    for size, runs in results:
        print_runs(size, runs)
        print_curve(runs)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(
            {"processor": processor(), "load": load, "absent": missing,
             "sizes": [as_json(*pair) for pair in results]}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
