"""Runs Clatter and its peers on the same mechanisms and prints the comparison.

    compare.py --build DIRECTORY --drivers DIRECTORY --json FILE [--clatter] [--smoke] [CASE...]

A case that is called schemes compares the schemes themselves (schemes.py), one called beams the
beams (beams.py). --build has clatter.so and bench/clatter; --drivers has the peers' drivers, those that there are.
METHOD.md says what is measured and how.
"""

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

import beams
import cases as catalogue
import schemes

SCHEMES = ("moreau_jean", "generalized_alpha")
ALL_SCHEMES = (*SCHEMES, "moreau_jean_projected", "moreau_jean_combined", "schatzman_paoli",
               "generalized_alpha_velocity", "implicit_newmark")
WAYS = ("core", "fmi", "shared")
PEERS = {"siconos": "Siconos", "mujoco": "MuJoCo", "ode": "ODE", "exudyn": "Exudyn"}
NEVER = {"cardillo": "in no package registry"}
SICONOS_PROJECTED = ("direct_projection", "combined_projection")
ROUNDS, BUDGET = 8, 0.2  # s per program, case and round
TIMEOUT = 120            # s of one run of a driver


class Program:
    """One driver."""

    def __init__(self, name, executable, library=None):
        self.name, self.executable, self.library = name, executable, library
        self.version = None

    def run(self, case, variants, **options):
        """The driver's answer: variant to result."""
        words = {"case": case.mechanism or case.name, "variants": ",".join(variants),
                 "dt": repr(case.step), "stop": repr(case.stop), "n": case.size, **options}
        if self.name == "clatter":
            words |= {"model": case.clatter, "library": self.library,
                      "observe": ",".join(case.observe), "settings": ",".join(case.settings)}
        elif self.name == "mujoco":
            words["model"] = case.mujoco
        if case.ends and "stop" not in options:
            words["ends"] = ",".join(map(repr, case.ends))
        try:
            done = subprocess.run([self.executable, *(f"{k}={v}" for k, v in words.items())],
                                  capture_output=True, text=True, timeout=TIMEOUT, check=False,
                                  env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        except subprocess.TimeoutExpired:
            return {v: {"absent": f"takes more than {TIMEOUT} s"} for v in variants}
        if done.returncode != 0:
            why = (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1]
            return {v: {"absent": why} for v in variants}
        answer = json.loads(done.stdout.splitlines()[-1])
        self.version = answer["version"]
        return answer["variants"]

    def trajectory(self, case, variant, step=None):
        """Rows at all steps, or None; step: another one than the case's."""
        with tempfile.TemporaryDirectory() as directory:
            prefix = Path(directory) / "rows"
            options = {"dt": repr(step)} if step else {}
            result = self.run(case, [variant], trajectory=prefix, **options)[variant]
            if "absent" in result or result["failed"]:
                return None
            n = round(case.stop / (step or case.step)) + 1
            return np.fromfile(f"{prefix}.{variant}").reshape(n, -1)


# --- accuracy ---

def positions(case, rows, step):
    """At the times of the case's own steps."""
    return case.place(rows)[:: round(case.step / step)]


def mean_distance(a, b):
    return float(np.mean(np.linalg.norm(a - b, axis=1)))


def reference(case, programs):
    """Positions that count as right, and how far they can be trusted: {} for an exact solution."""
    t = case.step * np.arange(case.n_steps + 1)
    if case.exact:
        return case.exact(t), {"reference": "exact"}
    step = case.reference_step
    fine, coarse = (positions(case, programs["clatter"].trajectory(case, "moreau_jean.core", s), s)
                    for s in (step, 2 * step))
    notes = {"reference": f"Clatter, Moreau-Jean, step {step:g} s",
             "change_from_twice_the_step": mean_distance(fine, coarse)}
    if case.cross_check and case.cross_check[0] in programs:
        name, variant, step, end = case.cross_check
        rows = [programs[name].trajectory(case, variant, s) for s in (step, 2 * step)]
        if all(r is not None for r in rows):
            fine_2, coarse_2 = (positions(case, r, s) for r, s in zip(rows, (step, 2 * step)))
            # The peer is of first order: its two steps extrapolate to step 0.
            until = round(end / case.step) + 1
            notes["cross_check"] = {
                "program": f"{PEERS[name]} {variant}, extrapolated from steps {step:g} and "
                           f"{2 * step:g} s, until {end:g} s",
                "distance": mean_distance(fine[:until], (2 * fine_2 - coarse_2)[:until])}
    return fine, notes


def accuracy(case, rows, right):
    return {"error": mean_distance(case.place(rows), right),
            "penetration": float(max(0.0, -np.min(case.gap(rows))))}


# --- the cases ---

def wanted_variants(case, name):
    """Groups of variants that share a process."""
    if name != "clatter":
        return [case.peers[name]] if name in case.peers else []
    return [[f"{scheme}.{way}" for way in WAYS] for scheme in SCHEMES]


def first_run(case, programs, right):
    """Memory and accuracy of every variant."""
    results = {}
    for name, program in programs.items():
        for variants in wanted_variants(case, name):
            for variant in variants:
                with tempfile.TemporaryDirectory() as directory:
                    prefix = Path(directory) / "rows"
                    result = program.run(case, [variant], trajectory=prefix,
                                         memory="yes")[variant]
                    if "absent" not in result and not result["failed"]:
                        rows = np.fromfile(f"{prefix}.{variant}").reshape(case.n_steps + 1, -1)
                        result |= accuracy(case, rows, right)
                results[name, variant] = result
    return results


def keep_best(result, other):
    if "seconds" in other:
        result.setdefault("rounds", []).append(other["seconds"])
        result["seconds"] = min(result["seconds"], other["seconds"])
        result["phases"] = [min(pair) for pair in zip(result["phases"], other["phases"])]


def time_case(case, programs, results, budget):
    """One round: every program in turn."""
    for name, program in programs.items():
        for variants in wanted_variants(case, name):
            variants = [v for v in variants if "seconds" in results[name, v]]
            if variants:
                for variant, other in program.run(case, variants, budget=budget).items():
                    keep_best(results[name, variant], other)


def finish(results):
    for result in results.values():
        if "seconds" in result:
            result["steps_per_second"] = result["steps"] / result["seconds"]


# --- error against time ---

def accuracy_sweep(case, programs, right, steps):
    """Error and time of several steps: {program, variant: [(step, error, seconds)]}"""
    sweep = {}
    chosen = [("clatter", f"{scheme}.core") for scheme in SCHEMES]
    chosen += [("siconos", v) for v in SICONOS_PROJECTED if "siconos" in programs]
    for name, variant in chosen:
        points = []
        for step in steps:
            rows = programs[name].trajectory(case, variant, step)
            if rows is None:
                continue
            results = [programs[name].run(case, [variant], dt=repr(step), budget=0.3)[variant]
                       for _ in range(2)]
            at = np.arange(0, len(rows)) * step / case.reference_step
            error = mean_distance(case.place(rows), right[np.rint(at).astype(int)])
            points.append((step, error, min(r["seconds"] for r in results)))
        if points:
            sweep[name, variant] = points
    return sweep


def time_to_reach(points, error):
    """Of the cheapest run that is at least as accurate."""
    return min((seconds for _, e, seconds in points if e <= error), default=math.inf)


# --- growth ---

def exponent(sizes, times):
    """Of the larger sizes, where the linear algebra is that of large systems."""
    return float(np.polyfit(np.log(sizes[-3:]), np.log(times[-3:]), 1)[0])


def best_of(program, case, rounds, budget, **options):
    """Seconds per step of Clatter's core."""
    variant = "moreau_jean.core"
    runs = [program.run(case, [variant], budget=budget, **options)[variant] for _ in range(rounds)]
    return min(run["seconds"] / run["steps"] for run in runs)


def growing_cases(directory):
    """Kind of growth to sizes and cases, shorter than in the comparison."""
    def short(case, stop):
        return replace(case, stop=stop, ends=(), observe=("solver.penetration",))

    return {
        "links of a chain of 1 m, no contact": {
            n: short(catalogue.chain(directory, n, contacts=False), 0.1)
            for n in (10, 20, 40, 80, 160)},
        "links of 0.1 m of a chain, no contact": {
            n: short(catalogue.chain(directory, n, contacts=False, length=0.1), 0.1)
            for n in (10, 20, 40, 80, 160)},
        "links of a chain on the floor": {
            n: short(catalogue.chain(directory, n), 0.5) for n in (5, 10, 20, 40)},
        "balls with one contact each": {
            n: short(catalogue.row_of_balls(directory, n), 0.2) for n in (1, 4, 16, 64)},
        "elements of a bar": {
            n: short(catalogue.bar(directory, n), 0.6) for n in (10, 30, 100, 300, 1000)},
    }


def growth(program, directory, rounds, budget):
    """Seconds per step against size, and the exponent of the fit."""
    table = {}
    for kind, cases in growing_cases(directory).items():
        times = [best_of(program, case, rounds, budget) for case in cases.values()]
        table[kind] = {"sizes": list(cases), "seconds_per_step": times,
                       "exponent": exponent(list(cases), times)}
    ball = next(c for c in catalogue.all_cases(directory) if c.name == "rotating_ball")
    sizes = [1, 10, 100, 1000]
    times = [best_of(program, ball, rounds, budget, instances=n) for n in sizes]
    table["instances of the rotating ball in turn"] = {
        "sizes": sizes, "seconds_per_step": times, "exponent": exponent(sizes, times)}
    # As many balls as threads: the time of a step of all of them stays as it is for one.
    sizes = sorted({1, os.cpu_count()})
    table["threads, a rotating ball in each"] = {"sizes": sizes, "seconds_per_step": [
        best_of(program, ball, rounds, budget, threads=n) for n in sizes]}
    return table


# --- what is printed ---

def number(value, pattern="{:9.2e}"):
    return pattern.format(value) if value is not None else "–".rjust(9)


def print_case(case, results, notes):
    print(f"\n{case.name}: {case.title}; step {case.step:g} s, {case.n_steps} steps")
    if notes["reference"] != "exact":
        print(f"  reference: {notes['reference']}; twice that step moves it by "
              f"{notes['change_from_twice_the_step']:.1e} m")
        if "cross_check" in notes:
            check = notes["cross_check"]
            print(f"  {check['program']}: {check['distance']:.1e} m away from it")
    print(f"  {'':38}{'steps/s':>9} {'us/step':>9} {'error m':>9} {'penetr. m':>9} {'KiB':>9}"
          f" {'x speed':>9} {'x error':>9}")
    base = results["clatter", "moreau_jean.core"]
    for (name, variant), result in results.items():
        label = f"{PEERS.get(name, 'Clatter')} {variant}"
        if "absent" in result:
            if not variant.endswith((".fmi", ".shared")):  # the same as of the core
                print(f"  {label.removesuffix('.core'):38}absent: {result['absent']}")
            continue
        if result["failed"]:
            print(f"  {label:38}a step failed")
            continue
        per_step = 1e6 * result["seconds"] / result["steps"]
        speed = base["seconds"] / result["seconds"] if "seconds" in base else None
        # An error of rounding is no measure of another.
        error = result["error"] / base["error"] if base.get("error", 0.0) > 1e-12 else None
        print(f"  {label:38}{result['steps_per_second']:9.3g} {per_step:9.3g} "
              f"{number(result['error'])} {number(result['penetration'])} "
              f"{result['memory'] / 1024:9.1f} {number(speed, '{:9.3g}')} "
              f"{number(error, '{:9.3g}')}")


def print_growth(table):
    print("\nHow Clatter's cost grows (us per step, core, Moreau-Jean)")
    for kind, entry in table.items():
        sizes = "  ".join(f"{n}: {1e6 * t:.3g}"
                          for n, t in zip(entry["sizes"], entry["seconds_per_step"]))
        power = f"   exponent {entry['exponent']:.2f}" if "exponent" in entry else ""
        print(f"  {kind:40} {sizes}{power}")


def print_sweep(case, sweep):
    print(f"\nAccuracy against time, {case.title}: mean error of the slider's position, m (ms)")
    for (name, variant), points in sweep.items():
        print(f"  {PEERS.get(name, 'Clatter')} {variant}: " + ", ".join(
            f"{step:g} s: {error:.1e} ({1e3 * seconds:.3g})" for step, error, seconds in points))


# --- what is wanted of Clatter ---

def per_step(results, key):
    result = results.get(key, {})
    return result["seconds"] / result["steps"] if "seconds" in result else None


def unrest(result):
    """How much longer than the best round the middle one was: 1 on a quiet machine."""
    return float(np.median(result["rounds"])) / result["seconds"] if "rounds" in result else 1.0


def judge(tables, sweep, growths, pairs, measured_beams=()):
    """What was wanted, what was measured and whether that is enough. A ratio of times that the
    unrest of the machine can explain is neither met nor missed: unsure."""
    lines = []

    def add(what, value, bound, at_least=False, between=()):
        if value is None:
            return
        doubt = max((unrest(result) for result in between), default=1.0)
        unsure = value / doubt < bound < value * doubt
        met = value >= bound if at_least else value <= bound
        lines.append({"what": what, "measured": value, "wanted": bound, "at_least": at_least,
                      "met": "unsure" if unsure else "yes" if met else "no"})

    ball = tables.get("bouncing_ball", {})
    core = per_step(ball, ("clatter", "moreau_jean.core"))
    peer = per_step(ball, ("siconos", "moreau_jean"))
    if peer and core:
        add("bouncing ball, core: times as fast as Siconos", peer / core, 10, True,
            [ball["clatter", "moreau_jean.core"], ball["siconos", "moreau_jean"]])
    for name, table in tables.items():
        core, fmi = (per_step(table, ("clatter", f"moreau_jean.{way}")) for way in WAYS[:2])
        if core and fmi and name.endswith("_ball"):
            add(f"{name}: ns of the FMI layer per step", 1e9 * (fmi - core), 150)
    crank = tables.get("slider_crank", {})
    peer = per_step(crank, ("siconos", "combined_projection"))
    for scheme in SCHEMES:
        core = per_step(crank, ("clatter", f"{scheme}.core"))
        if peer and core:
            add(f"slider_crank, {scheme}: time per step in units of Siconos' combined projection",
                core / peer, 1.0, between=[crank["clatter", f"{scheme}.core"],
                                           crank["siconos", "combined_projection"]])
    for pair in pairs:
        bound = {"bouncing_ball": 10, "slider_crank": 5}.get(pair.case.name)
        if pair.scheme == "moreau_jean_combined" and bound:
            add(f"{pair.case.name}, combined projection: times as fast as Siconos", pair.ratio,
                bound, True, [pair.clatter, pair.siconos])
    peers = {key: points for key, points in sweep.items() if key[0] == "siconos"}
    for scheme in SCHEMES:
        points = sweep.get(("clatter", f"{scheme}.core"))
        if not points or not peers:
            continue
        for key, other in peers.items():
            error = min(e for _, e, _ in other)
            add(f"slider-crank, {scheme}: time to an error of {error:.1e} m in units of Siconos' "
                f"{key[1]}", time_to_reach(points, error) / time_to_reach(other, error), 1.0)
    for kind in ("elements of a bar", "links of 0.1 m of a chain, no contact",
                 "links of a chain of 1 m, no contact"):
        if kind in growths:
            add(f"exponent of growth, {kind}", growths[kind]["exponent"], 1.1)
    for what, ratio in beams.wanted(measured_beams):
        add(what, ratio, 5, True)
    memory = ball.get(("clatter", "moreau_jean.shared"), {}).get("memory")
    add("KiB per instance of the bouncing ball", memory / 1024 if memory else None, 64)
    return lines


def print_judgement(lines):
    print("\nWanted of Clatter")
    for line in lines:
        bound = f"{'>=' if line['at_least'] else '<='} {line['wanted']:g}"
        print(f"  {line['met']:8}{line['what']}: {line['measured']:.3g} "
              f"(wanted {bound})")


# --- all together ---

def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def find_programs(arguments):
    build = Path(arguments.build)
    programs = {"clatter": Program("clatter", build / "bench" / "clatter", build / "clatter.so")}
    for name in PEERS:
        path = Path(arguments.drivers) / name
        if not arguments.clatter and path.exists():
            programs[name] = Program(name, path)
    return programs


def run_cases(programs, chosen, rounds, budget):
    """Tables and notes of all cases, and the references that sweeps need."""
    tables, notes = {}, {}
    for case in chosen:
        right, notes[case.name] = reference(case, programs)
        tables[case.name] = first_run(case, programs, right)
    for i in range(rounds):
        print(f"round {i + 1} of {rounds}", file=sys.stderr)
        for case in chosen:
            time_case(case, programs, tables[case.name], budget)
    for table in tables.values():
        finish(table)
    return tables, notes


def smoke(programs, chosen):
    """Every case a few steps, Clatter alone: each way runs and all give the same motion."""
    program = programs["clatter"]
    for case in chosen:
        case = replace(case, stop=20 * case.step, ends=())
        rows = [program.trajectory(case, f"moreau_jean.{way}") for way in WAYS]
        good = all(r is not None and np.array_equal(r, rows[0]) for r in rows)
        result = program.run(case, ["moreau_jean.core"], memory="yes")["moreau_jean.core"]
        good = good and result["seconds"] > 0 and result["memory"] > 0
        good = good and np.all(np.isfinite(rows[0])) and np.min(case.gap(rows[0])) > -1e-2
        print(f"{case.name}: {'passed' if good else 'FAILED'}")
        if not good:
            return 1
    return 0


def as_json(tables, notes, sweep, growths, scheme_results, beam_results, judgement, programs):
    return {
        "processor": processor(), "cores": os.cpu_count(), "load": os.getloadavg()[1],
        "programs": {name: p.version for name, p in programs.items()},
        "absent": {name: "not installed" for name in PEERS if name not in programs} | NEVER,
        "cases": {name: {**notes[name], "results": {" ".join(key): r for key, r in table.items()}}
                  for name, table in tables.items()},
        "accuracy_against_time": {" ".join(key): [dict(zip(("step", "error", "seconds"), point))
                                                  for point in points]
                                  for key, points in sweep.items()},
        "growth": growths, "schemes": schemes.as_json(*scheme_results),
        "beams": beams.as_json(beam_results), "wanted": judgement}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--drivers", default="")
    parser.add_argument("--json")
    parser.add_argument("--clatter", action="store_true", help="without the peers")
    parser.add_argument("--smoke", action="store_true", help="a few steps of each case, no times")
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    programs = find_programs(arguments)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        chosen = [case for case in catalogue.all_cases(directory)
                  if not arguments.cases or case.name in arguments.cases]
        if arguments.smoke:
            return smoke(programs, chosen + beams.smoke_cases(directory))
        tables, notes = run_cases(programs, chosen, ROUNDS, BUDGET)
        crank = next((c for c in chosen if c.name == "slider_crank_frictionless"), None)
        sweep = {}
        if crank:
            rows = programs["clatter"].trajectory(crank, "moreau_jean.core", crank.reference_step)
            sweep = accuracy_sweep(crank, programs, crank.place(rows),
                                   (4e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5))
        growths = {} if arguments.cases else growth(programs["clatter"], directory, 2, 0.3)
        pairs, times = [], {}
        if not arguments.cases or "schemes" in arguments.cases:
            if "siconos" in programs:
                pairs = schemes.beside_siconos(programs, directory, ROUNDS, BUDGET)
            times = schemes.ch_table(programs["clatter"], ALL_SCHEMES, ROUNDS, BUDGET)
        measured_beams = []
        if not arguments.cases or "beams" in arguments.cases:
            measured_beams = beams.measure(programs, directory)
    judgement = judge(tables, sweep, growths, pairs, measured_beams)
    print(f"{processor()}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.1f}; "
          + ", ".join(p.version or f"{p.name}: absent" for p in programs.values()))
    for name, why in ({n: "not installed" for n in PEERS if n not in programs} | NEVER).items():
        print(f"{PEERS.get(name, name)}: absent ({why})")
    for case in chosen:
        print_case(case, tables[case.name], notes[case.name])
    if sweep:
        print_sweep(crank, sweep)
    if growths:
        print_growth(growths)
    if pairs:
        schemes.print_pairs(pairs)
    if times:
        schemes.print_ch_table(times)
    for problem in measured_beams:
        beams.print_problem(problem)
    print_judgement(judgement)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(
            as_json(tables, notes, sweep, growths, (pairs, times), measured_beams, judgement,
                    programs), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
