#!/usr/bin/env python3
"""Runs random mechanisms with each scheme and reports what went wrong.

    run.py --count 1000 --start 0 --clatter build/ci/clatter --jobs 2 --keep build/random

Trouble is, by word:

    check      the model is refused (a fault of the generator)
    start      the model starts with penetration or with joints that do not hold (likewise)
    failed     a step could not be solved; with the program's reason
    unsolvable the program says that a step has no solution
    crash      any other exit code, or a run ended by a signal
    timeout    not done within --timeout seconds
    nonfinite  an output is not a finite number
    penetration, joints   more than the scheme promises (see `promises`)

Any of them makes the program exit with 1. Notes, which are no trouble: retried, inexact (steps that
were solved in smaller ones, or not to the tolerance), inelastic (impacts without restitution, as the
laws have no solution with it), energy (the balance is off by more than half of all energy that has
gone around), slow (more than --slow seconds).
"""

import argparse
import collections
import csv
import math
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import generate  # noqa: E402

FATAL = {"check", "start", "failed", "unsolvable", "crash", "timeout", "nonfinite", "penetration",
         "joints"}
START_TOLERANCE = 1e-9  # m or rad, of a start that was computed in double precision
ROWS = 40  # of the CSV

Result = collections.namedtuple("Result", "number kind scheme trouble notes seconds figures")


def schemes_of(clatter):
    """The names that the program itself lists."""
    any_model = Path(__file__).resolve().parents[2] / "resources" / "models" / "bouncing_ball.xml"
    said = subprocess.run([clatter, "run", any_model, "--scheme", "?"], capture_output=True,
                          text=True, timeout=20)
    return re.search(r"expected one of ([\w, ]+)", said.stderr).group(1).split(", ")


def read_rows(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    names = rows[0]
    return names, [[float(value) for value in row] for row in rows[1:] if len(row) == len(names)]


def summary(text):
    """The figures that the program prints at the end of a run."""
    found = {}
    for line in text.splitlines():
        match = re.match(r"  ([a-z ]+?)  +([-+.0-9e]+)( m)?$", line)
        if match:
            found[match.group(1)] = float(match.group(2))
    return found


def fastest(names, rows):
    """The largest velocity of a body or angular velocity times 1 m."""
    columns = [i for i, name in enumerate(names) if re.search(r"velocity_?[xyz]?$", name)
               and not name.startswith("solver.")]
    return max((abs(row[i]) for row in rows for i in columns), default=0.0)


def promises(scheme, names, rows, figures, step, interval):
    """Trouble with what README says of a scheme. generalized_alpha and lobatto hold contacts and
    joints on position level, as do the projected schemes. moreau_jean lets contacts penetrate by
    what a body moves in a step and joints drift, but holds joints on velocity level."""
    last = dict(zip(names, rows[-1]))
    worst = {name: max(row[i] for row in rows) for i, name in enumerate(names)
             if name.startswith("solver.")}
    speed = fastest(names, rows)
    depth = figures.get("worst penetration", worst.get("solver.penetration", 0.0))
    trouble = []
    if scheme in ("generalized_alpha", "lobatto"):
        # The tolerance is on positions relative to what moves in a step.
        allowed = 1e-7 * (1.0 + speed)
        if depth > allowed:
            trouble.append(f"penetration {depth:.1e}")
        if worst["solver.joint_violation"] > allowed:
            trouble.append(f"joints {worst['solver.joint_violation']:.1e}")
    elif scheme in ("moreau_jean_projected", "moreau_jean_combined"):
        # 1e-12 and 1e-10 of the distance to the farthest body
        columns = [i for i, name in enumerate(names) if re.search(r"(\.|\.first_|\.last_)[xyz]$", name)]
        size = max((abs(row[i]) for row in rows for i in columns), default=0.0) + 10.0
        if depth > 1e-11 * size:
            trouble.append(f"penetration {depth:.1e}")
        if worst["solver.joint_violation"] > 2e-10 * size:
            trouble.append(f"joints {worst['solver.joint_violation']:.1e}")
    elif scheme == "moreau_jean":
        # Between two rows of the table a body may fall and be stopped again.
        speed += 9.81 * interval
        if depth > 2.0 * step * speed + 1e-6:
            trouble.append(f"penetration {depth:.1e} at speed {speed:.1e}")
        if worst["solver.joint_velocity_violation"] > 1e-6 * (1.0 + speed):
            trouble.append(f"joints (velocity) {worst['solver.joint_velocity_violation']:.1e}")
    return trouble, last


def judge_start(names, rows):
    first = dict(zip(names, rows[0]))
    if first["solver.penetration"] > START_TOLERANCE:
        return [f"start penetration {first['solver.penetration']:.1e}"]
    if first["solver.joint_violation"] > START_TOLERANCE:
        return [f"start joints {first['solver.joint_violation']:.1e}"]
    return []


def judge(scheme, done, table, step, interval):
    """Trouble, notes and figures of a finished run."""
    trouble, notes = [], []
    figures = summary(done.stdout)
    error = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""
    if done.returncode not in (0, 1):
        return [f"crash {done.returncode}: {error}"], notes, figures
    if done.returncode == 1 and "cannot take" in error:
        return trouble, ["refused"], figures
    if done.returncode == 1:
        kind = "unsolvable" if "no solution" in error else "failed"
        trouble.append(f"{kind}: " + error.removeprefix("clatter run: error: "))
    names, rows = read_rows(table) if table.exists() else ([], [])
    if rows:
        trouble += judge_start(names, rows)
        if not all(math.isfinite(value) for row in rows for value in row):
            return trouble + ["nonfinite"], notes, figures
        more, last = promises(scheme, names, rows, figures, step, interval)
        trouble += more
        for name in ("retried", "inexact", "inelastic"):
            count = last.get(f"solver.{name}_steps", 0.0)
            if count > 0:
                notes.append(f"{name} {count:.0f}")
        columns = [i for i, name in enumerate(names) if name.startswith("energy.")
                   and name != "energy.balance"]
        scale = max(1e-3, *(abs(row[i] - rows[0][i]) for row in rows for i in columns))
        gain = last["energy.balance"] / scale
        figures["balance"] = gain
        if abs(gain) > 0.5:
            notes.append(f"energy {gain:.1e}")
    return trouble, notes, figures


def run_one(model, scheme, options, directory):
    path = directory / f"{model.number}.xml"
    table = directory / f"{model.number}_{scheme}.csv"
    if not path.exists():
        path.write_text(model.text)
    stop, step = (float(re.search(f'{name}="([^"]+)"', model.text).group(1))
                  for name in ("stop_time", "step_size"))
    interval = max(step, round(stop / ROWS / step) * step)
    began = time.monotonic()
    try:
        done = subprocess.run([options.clatter, "run", path, "--scheme", scheme, "-o", table,
                               "--interval", repr(interval)], capture_output=True, text=True,
                              timeout=options.timeout)
        trouble, notes, figures = judge(scheme, done, table, step, interval)
    except subprocess.TimeoutExpired:
        trouble, notes, figures = [f"timeout {options.timeout:.0f} s"], [], {}
    seconds = time.monotonic() - began
    if seconds > options.slow:
        notes.append(f"slow {seconds:.1f} s")
    table.unlink(missing_ok=True)
    return Result(model.number, model.kind, scheme, trouble, notes, seconds, figures)


def checked(model, options, directory):
    path = directory / f"{model.number}.xml"
    path.write_text(model.text)
    done = subprocess.run([options.clatter, "check", path], capture_output=True, text=True,
                          timeout=60)
    return [] if done.returncode == 0 else ["check: " + (done.stderr + done.stdout).splitlines()[0]]


def run_number(number, options, directory):
    model = generate.model(number)
    refused = checked(model, options, directory)
    if refused:
        return [Result(number, model.kind, "", refused, [], 0.0, {})]
    results = [run_one(model, scheme, options, directory) for scheme in options.schemes]
    if not options.keep or not any(result.trouble for result in results):
        (directory / f"{number}.xml").unlink(missing_ok=True)
    return results


def run_all(options, tell=print):
    """Results of all runs; `tell` gets a line for each that has trouble."""
    numbers = options.numbers or range(options.start, options.start + options.count)
    results, began, shown = [], time.monotonic(), 0.0
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(options.keep or temporary)
        directory.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(options.jobs) as pool:
            runs = pool.map(lambda number: run_number(number, options, directory), numbers)
            for i, some in enumerate(runs):
                results += some
                for result in some:
                    if result.trouble or (options.verbose and result.notes):
                        tell(describe(result))
                elapsed = time.monotonic() - began
                if sys.stderr.isatty() and elapsed > shown + 0.2:
                    shown = elapsed
                    troubled = sum(1 for result in results if result.trouble)
                    print(f"\r{i + 1}/{len(numbers)} models, {troubled} runs with trouble, "
                          f"{elapsed:.0f} s ", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return results


def describe(result):
    return (f"{result.number:6d} {result.kind:16s} {result.scheme:18s} "
            + "; ".join(result.trouble + result.notes))


def word(trouble):
    return re.match(r"[a-z]+", trouble).group(0)


def print_summary(results, tell=print):
    by_scheme = collections.defaultdict(list)
    for result in results:
        by_scheme[result.scheme].append(result)
    for scheme, some in by_scheme.items():
        troubles = collections.Counter(word(t) for r in some for t in r.trouble)
        notes = collections.Counter(word(t) for r in some for t in r.notes)
        tell(f"{scheme}: {len(some)} runs, {sum(1 for r in some if r.trouble)} with trouble "
             f"{dict(troubles)}, notes {dict(notes)}, {sum(r.seconds for r in some):.0f} s")
        kinds = collections.defaultdict(list)
        for result in some:
            for trouble in result.trouble:
                kinds[word(trouble), result.kind].append(result.number)
        for (trouble, kind), numbers in sorted(kinds.items()):
            tell(f"  {trouble:12s} {kind:16s} {len(numbers):3d}: {' '.join(map(str, numbers))}")


def parse(arguments=None):
    parser = argparse.ArgumentParser(description="Runs random mechanisms with each scheme.")
    parser.add_argument("--count", type=int, default=100, help="how many models")
    parser.add_argument("--start", type=int, default=0, help="number of the first model")
    parser.add_argument("--numbers", type=int, nargs="+", help="these models instead")
    parser.add_argument("--clatter", default="build/release/clatter", help="the program")
    parser.add_argument("--schemes", nargs="+", help="default: all that the program knows")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--timeout", type=float, default=30.0, help="of a run, s")
    parser.add_argument("--slow", type=float, default=5.0, help="what counts as slow, s")
    parser.add_argument("--keep", help="folder for the models that made trouble")
    parser.add_argument("--verbose", action="store_true", help="tell notes, too")
    options = parser.parse_args(arguments)
    options.schemes = options.schemes or schemes_of(options.clatter)
    return options


def main():
    options = parse()
    results = run_all(options)
    print_summary(results)
    return any(word(t) in FATAL for result in results for t in result.trouble)


if __name__ == "__main__":
    sys.exit(main())
