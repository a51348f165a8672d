"""Beams beside those of Exudyn, without contact: a cantilever that an end moment rolls up, an
elastic pendulum and a slider-crank with elastic crank and rod. The roll-up is static in Exudyn, and
has so little mass in Clatter that each step ends at rest: the steps are the load steps of both.
Both programs run with several numbers of elements and steps; what counts is the time that each
needs for an error.

Exudyn's geometrically exact elements have the theory of Clatter's beam (Timoshenko), its cables
have another (Euler and Bernoulli: no shear, no inertia of turning cross sections): errors are taken
against the limit of the theory. Both limits are Clatter's, the second one with cross sections that
neither shear nor resist turning; where Exudyn's errors go to zero with its elements and steps, its
limit is the same.
"""

import sys
from dataclasses import dataclass, field

import numpy as np

import cases as catalogue
import models

# Clatter's ways: the scheme, the order of the elements (0: splines), and whose theory they have
WAYS = {"moreau_jean": ("moreau_jean", 2, "exact"),
        "generalized_alpha": ("generalized_alpha", 2, "exact"),
        "moreau_jean, spline_beam": ("moreau_jean", 0, "cable")}
KINDS = {"exact": "geometrically exact", "cable": "ANCF cable"}
# as in Exudyn: the spectral radius and the relative residual at which a step counts as solved
SETTINGS = ("solver.spectral_radius=0.8", "solver.tolerance=1e-8")
ROUNDS, BUDGET = 4, 0.1  # s per run and round
DENSE_MAX = 16         # elements
FINE = 32              # elements of the reference
WITHOUT_SHEAR = 1e-3   # of shear's compliance and of the cross sections' inertia


@dataclass
class Problem:
    name: str
    title: str
    stop: float            # s
    sample: float          # s between the instants at which errors are taken
    model: callable        # (elements, order, what is left of shear) to the model's text
    observe: tuple
    steps: tuple           # s
    elements: tuple        # of Clatter, order 2
    peer_elements: dict    # kind to numbers of elements
    errors: tuple          # m, at which times are compared
    exact: np.ndarray = None   # where the columns end; None: converged
    points: dict = field(default_factory=dict)  # who to [Point]
    limits: dict = field(default_factory=dict)  # kind to rows
    doubt: dict = field(default_factory=dict)   # kind to how far twice the step moves the limit, m


@dataclass
class Point:
    elements: int
    step: float
    error: float     # m, the mean over the instants
    case: catalogue.Case
    variants: list   # that differ in time alone
    seconds: float = np.inf


def problems():
    angle = 0.6 * np.pi
    return [
        Problem("roll_up", "cantilever bent to 0.3 of a circle by an end moment", 2.0, 2.0,
                models.roll_up, ("rod.last_x", "rod.last_y"), (2.0, 1.0, 0.4), (2, 4, 8, 16),
                {"exact": (4, 16, 64, 256), "cable": (2, 4, 8, 16)}, (1e-2, 1e-3, 1e-4, 1e-5),
                exact=np.array([[np.sin(angle), 1 - np.cos(angle)]]) / angle),
        Problem("pendulum", "elastic pendulum", 1.0, 0.02, models.pendulum,
                ("rod.last_x", "rod.last_y"), (5e-3, 2e-3, 1e-3), (3, 4, 6, 8, 12),
                {"exact": (8, 16, 32, 64, 128), "cable": (4, 6, 8, 12)}, (1e-3, 3e-4, 1e-4, 4e-5)),
        Problem("crank", "slider-crank, crank and rod elastic", 0.05, 1e-3, models.elastic_crank,
                ("slider.x", "slider.y", "middle.x", "middle.y"), (2e-4, 1e-4, 5e-5, 2e-5),
                (2, 4, 8), {"exact": (4, 8, 16, 32, 64), "cable": (2, 4, 8)},
                (1e-3, 3e-4, 1e-4, 3e-5)),
    ]


def make_case(problem, directory, elements, step, order=2, shear=1.0):
    path = directory / f"{problem.name}_{elements}_{order}_{shear:g}.xml"
    path.write_text(problem.model(elements, order, shear))
    return catalogue.Case(problem.name, problem.title, step, problem.stop, path, problem.observe,
                          lambda rows: np.zeros(len(rows)), lambda rows: rows, size=elements,
                          settings=SETTINGS)


def at_samples(problem, rows, step):
    return rows[-1:] if problem.exact is not None else rows[:: round(problem.sample / step)]


def distance(a, b):
    """Mean over the instants of the mean distance of the points"""
    difference = (a - b).reshape(len(a), -1, 2)
    return float(np.mean(np.linalg.norm(difference, axis=2)))


def find_limits(problem, program, directory):
    for kind, shear in (("exact", 1.0), ("cable", WITHOUT_SHEAR)):
        if problem.exact is not None:
            problem.limits[kind] = problem.exact
            continue
        step = problem.steps[-1] / 10
        rows = []
        for s in (step, 2 * step):
            case = make_case(problem, directory, FINE, s, shear=shear)
            rows.append(at_samples(problem, program.trajectory(case, "moreau_jean.core"), s))
        problem.limits[kind] = (4 * rows[0] - rows[1]) / 3  # of second order: extrapolated
        problem.doubt[kind] = distance(*rows)


def who(program, kind):
    return f"Exudyn {KINDS[kind]}" if program == "exudyn" else f"Clatter {kind}"


def find_points(problem, programs, directory):
    """Errors of all runs; those that fail are left out."""
    wanted = [("clatter", label, WAYS[label][2], n) for label in WAYS for n in problem.elements
              if problem.exact is None or label != "generalized_alpha"]  # which does not come to rest
    if "exudyn" in programs:
        wanted += [("exudyn", kind, kind, n) for kind, numbers in problem.peer_elements.items()
                   for n in numbers]
    for name, label, kind, n in wanted:
        for step in problem.steps:
            if name == "exudyn":
                case = make_case(problem, directory, n, step)
                variants = [f"{label}_dense", f"{label}_sparse"]
            else:
                case = make_case(problem, directory, n, step, WAYS[label][1])
                variants = [f"{WAYS[label][0]}.core"]
            rows = programs[name].trajectory(case, variants[-1])
            if rows is not None:
                error = distance(at_samples(problem, rows, case.step), problem.limits[kind])
                # Dense matrices of many elements are slow, and tell nothing.
                point = Point(n, step, error, case, variants if n <= DENSE_MAX else variants[-1:])
                problem.points.setdefault((name, label), []).append(point)


def measure(programs, directory):
    """All problems, the programs taking turns."""
    measured = problems()
    for problem in measured:
        find_limits(problem, programs["clatter"], directory)
        find_points(problem, programs, directory)
    for i in range(ROUNDS):
        print(f"beams, round {i + 1} of {ROUNDS}", file=sys.stderr)
        for problem in measured:
            for (name, _), points in problem.points.items():
                for point in points:
                    results = programs[name].run(point.case, point.variants, budget=BUDGET)
                    point.seconds = min([point.seconds] + [result.get("seconds", np.inf)
                                                           for result in results.values()])
    return measured


def smoke_cases(directory):
    return [make_case(problem, directory, problem.elements[1], problem.steps[-1], order)
            for problem in problems() for order in (2, 0)]


def cheapest(points, error):
    """The cheapest run that is at least as accurate, or None"""
    return min((p for p in points if p.error <= error), key=lambda p: p.seconds, default=None)


def ratios(problem):
    """Of each error: Exudyn's kind to how many times as fast Clatter's fastest scheme is."""
    ours = [p for (name, _), points in problem.points.items() if name == "clatter" for p in points]
    table = {}
    for error in problem.errors:
        best = cheapest(ours, error)
        table[error] = {}
        for kind in KINDS:
            peer = cheapest(problem.points.get(("exudyn", kind), []), error)
            if best and peer:
                table[error][kind] = peer.seconds / best.seconds
    return table


def print_problem(problem):
    print(f"\nBeams: {problem.title}; mean error of position, m (ms)")
    for kind, doubt in problem.doubt.items():
        print(f"  limit, {KINDS[kind]}: twice the step moves it by {doubt:.1e} m")
    for (name, label), points in problem.points.items():
        print(f"  {who(name, label)}")
        for n in sorted({p.elements for p in points}):
            cells = []
            for step in problem.steps:
                here = [p for p in points if p.elements == n and p.step == step]
                if here:
                    best = min(here, key=lambda p: p.seconds)
                    cells.append(f"{step:g} s: {best.error:.1e} ({1e3 * best.seconds:.3g})")
            print(f"    {n:4} elements  " + "  ".join(cells))
    print("  time to an error, ms")
    for error, row in ratios(problem).items():
        cells = []
        for (name, label), points in problem.points.items():
            best = cheapest(points, error)
            cells.append(f"{who(name, label)} "
                         + (f"{1e3 * best.seconds:.3g}" if best else "–"))
        faster = ", ".join(f"x {ratio:.3g} ({kind})" for kind, ratio in row.items())
        print(f"    {error:.0e} m: " + ", ".join(cells) + (f"; {faster}" if faster else ""))


def wanted(measured):
    """(what, times as fast) of each problem: the least of all errors that both reach"""
    for problem in measured:
        for kind, label in KINDS.items():
            values = [row[kind] for row in ratios(problem).values() if kind in row]
            if values:
                yield (f"beams, {problem.name}: times as fast as Exudyn's {label} elements at "
                       "equal error, at least", min(values))


def as_json(measured):
    return {problem.name: {
        "limits_move_by": problem.doubt,
        "runs": {who(*key): [{"elements": p.elements, "step": p.step, "error": p.error,
                              "seconds": p.seconds} for p in points]
                 for key, points in problem.points.items()},
        "times_as_fast": {f"{error:g}": row for error, row in ratios(problem).items()}}
        for problem in measured}
