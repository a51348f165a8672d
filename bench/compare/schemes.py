"""The schemes of PR and CH. Those that Siconos has, too, whose authors wrote both papers, beside it
on the same mechanisms, step by step; and the time per step of all of Clatter's schemes, beside CH
table I."""

import re
from dataclasses import dataclass, replace

import numpy as np

import cases as catalogue

# solver.keep_active=1 (no): contacts are active by the forecast alone, as in PR and in Siconos
AS_PRINTED = "solver.keep_active=1"
# Clatter's scheme to that of Siconos and the settings with which both take the same steps
SAME = {"moreau_jean": ("moreau_jean", ("solver.forecast=0.5", AS_PRINTED)),
        "moreau_jean_projected": ("direct_projection", ("solver.forecast=0", AS_PRINTED)),
        "moreau_jean_combined": ("combined_projection", (AS_PRINTED,)),
        "schatzman_paoli": ("schatzman_paoli", ("solver.theta=1",))}
CH_TABLE_I = {"generalized_alpha_velocity": 1.02, "moreau_jean": 1.0, "implicit_newmark": 1.01}
CH_SETTINGS = {"moreau_jean": ("solver.theta=1",),
               "generalized_alpha_velocity": ("solver.spectral_radius=0.8",)}
CH_STEP, CH_FINER_STEP = 5e-4, 5e-5  # s


@dataclass
class Pair:
    """One mechanism with one scheme in both programs; results are added to it."""
    case: catalogue.Case
    scheme: str
    variant: str
    distance: float = None      # largest one of the positions at any step, m; None: one has failed
    finer_distance: float = None  # with a tenth of the step, where one was wanted
    clatter: dict = None        # of the drivers: seconds, steps
    siconos: dict = None

    @property
    def ratio(self):
        """Times as fast as Siconos."""
        return self.siconos["seconds"] / self.clatter["seconds"]


def impacting_bar(directory, n):
    path = directory / f"impacting_bar_{n}.xml"
    text = (catalogue.MODELS / "impacting_bar.xml").read_text()
    path.write_text(re.sub(r'elements="\d+"', f'elements="{n}"', text))
    return catalogue.Case("impacting_bar", f"impacting bar of {n} elements", 2e-6, 1.2e-3, path,
                          ("bar.first_x",), lambda rows: rows[:, 0], lambda rows: rows,
                          mechanism="impacting_bar", size=n)


def pairs(directory):
    every = {case.name: case for case in catalogue.all_cases(directory)}
    ball, crank, bar = every["bouncing_ball"], every["slider_crank"], impacting_bar(directory, 100)
    result = []
    for case in (ball, crank, bar):
        for scheme, (variant, settings) in SAME.items():
            if scheme == "schatzman_paoli" and case is crank:
                continue  # friction here; in Siconos linear systems alone
            if scheme == "schatzman_paoli" and case is ball:
                # Siconos starts without acceleration before the first step, Clatter with it
                settings += (f"ball.initial_velocity_y={-10.0 * case.step / 2}",)
            chosen = replace(case, settings=case.settings + settings)
            result.append(Pair(chosen, scheme, variant))
    return result


def distance(pair, programs, step=None):
    rows = [programs["clatter"].trajectory(pair.case, f"{pair.scheme}.core", step),
            programs["siconos"].trajectory(pair.case, pair.variant, step)]
    if any(r is None for r in rows):
        return None
    a, b = (pair.case.place(r)[1:] for r in rows)
    return float(np.max(np.linalg.norm(a - b, axis=1)))


def keep_best(result, other):
    """result: None before the first round"""
    if result is None:
        return other | {"rounds": [other["seconds"]]}
    result["rounds"].append(other["seconds"])
    result["seconds"] = min(result["seconds"], other["seconds"])
    return result


def beside_siconos(programs, directory, rounds, budget):
    measured = pairs(directory)
    for pair in measured:
        pair.distance = distance(pair, programs)
        if pair.case.name == "slider_crank":
            pair.finer_distance = distance(pair, programs, pair.case.step / 10)
    measured = [pair for pair in measured if pair.distance is not None]
    for _ in range(rounds):
        for pair in measured:
            variant = f"{pair.scheme}.core"
            ours = programs["clatter"].run(pair.case, [variant], budget=budget)[variant]
            theirs = programs["siconos"].run(pair.case, [pair.variant], budget=budget)
            pair.clatter = keep_best(pair.clatter, ours)
            pair.siconos = keep_best(pair.siconos, theirs[pair.variant])
    return measured


def ch_table(program, schemes, rounds, budget):
    """Seconds per step of the bouncing oscillator over [0, 4] s, and with the last key those of
    Moreau-Jean's with a tenth of the step for each step of the others."""
    case = catalogue.Case("bouncing_oscillator", "", CH_STEP, 4.0,
                          catalogue.MODELS / "bouncing_oscillator.xml", ("lower.y",), None, None)
    times = {}
    for _ in range(rounds):
        for scheme in (*schemes, "moreau_jean, a tenth of the step"):
            name = scheme.partition(",")[0]
            step = CH_STEP if name == scheme else CH_FINER_STEP
            chosen = replace(case, step=step, settings=CH_SETTINGS.get(name, ()))
            run = program.run(chosen, [f"{name}.core"], budget=budget)[f"{name}.core"]
            if "seconds" in run:
                seconds = run["seconds"] * CH_STEP / 4.0
                times[scheme] = min(seconds, times.get(scheme, seconds))
    return times


def print_pairs(measured):
    print("\nThe same scheme in Siconos: us per step, and the largest distance at any step, m")
    print(f"  {'':38}{'Clatter':>9} {'Siconos':>9} {'x speed':>9} {'distance':>9}")
    for pair in measured:
        label = f"{pair.case.name} {pair.scheme}"
        ours, theirs = (1e6 * r["seconds"] / r["steps"] for r in (pair.clatter, pair.siconos))
        finer = ("" if pair.finer_distance is None
                 else f"  ({pair.finer_distance:.1e} with a tenth of the step)")
        print(f"  {label:38}{ours:9.3g} {theirs:9.3g} {pair.ratio:9.3g} {pair.distance:9.1e}{finer}")


def print_ch_table(times):
    print("\nCH table I, the oscillator over [0, 4] s: relative time, in brackets CH's")
    for scheme, seconds in times.items():
        theirs = 10.42 if "," in scheme else CH_TABLE_I.get(scheme)
        beside = f" ({theirs:g})" if theirs else ""
        print(f"  {scheme:38}{seconds / times['moreau_jean']:9.3g}{beside}")


def as_json(measured, times):
    return {"beside_siconos": [
        {"case": pair.case.name, "scheme": pair.scheme, "siconos": pair.variant,
         "distance": pair.distance, "finer_distance": pair.finer_distance, "ratio": pair.ratio}
        for pair in measured],
        "seconds_per_step_of_the_oscillator": times}
