"""The command python -m clatter sweep."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from clatter._errors import ClatterError
from clatter._sweep_plan import make_plan
from clatter._sweep_reduce import WORDS
from clatter._sweep_rows import OK
from clatter._sweep_samples import METHODS, samples
from clatter._sweep import sweep

if TYPE_CHECKING:
    import xarray

DESCRIPTION = """Simulates a model with many sets of parameters, on all cores of this machine or on
a Dask cluster, and writes a table with one row for each run. A run that fails is a row, too, with
its reason."""

EPILOG = """what --vary takes:
  NAME=LOW:HIGH:N           N values from LOW to HIGH (a grid, without --samples)
  NAME=A,B,C                these values, numbers or words (a grid, without --samples)
  NAME=LOW:HIGH             a uniform distribution (with --samples)
  NAME=normal:MEAN:SIGMA    a normal distribution (with --samples)
  NAME+NAME=...             parameters that always have the same value

examples:
  10,000 random parcels, pushed with random forces
  $ python -m clatter sweep parcel_pusher.xml --samples 10000 --vary parcel_mass=1:3 \\
        --vary drive_force=8:20 --store parcels -o parcels.parquet
  every scheme at three step sizes
  $ python -m clatter sweep rotating_ball.xml -o steps.csv \\
        --vary solver.scheme=moreau_jean,generalized_alpha,lobatto \\
        --vary solver.step_size=0.001,0.002,0.004

Exit codes: 0 done, whether or not runs failed, 1 the sweep could not be made, 2 wrong command
line, 130 interrupted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("model", metavar="MODEL.xml")
    add("--vary", metavar="NAME=VALUES", action="append", required=True,
        help="a parameter, or an input, and its values (below); may be given many times")
    add("-o", "--output", metavar="OUT", required=True, type=output_path,
        help="the table: OUT.parquet, OUT.csv or OUT.csv.gz")
    add("--samples", metavar="N", type=positive, help="N random runs instead of a grid")
    add("--method", choices=METHODS, default="latin_hypercube",
        help="how samples are drawn (default: %(default)s; sobol and halton need scipy)")
    add("--seed", type=int, default=0, help="of the samples (default: 0)")
    add("--set", metavar="NAME=VALUE", action="append", default=[],
        help="a parameter, or an input, of all runs")
    add("--stop", metavar="T", type=float, help="end of each run in s (default: the model's)")
    add("--interval", metavar="DT", type=float,
        help="time between the values of which the least, largest or mean one is taken")
    add("--outputs", metavar="NAME,...", type=names_of,
        help="variables to keep (default: the model's outputs)")
    add("--reduce", metavar="WORD,...", type=lambda text: text.split(","), default=["final"],
        help=f"what to keep of each: {', '.join(word for word in WORDS if word != 'motion')} "
             "(default: final)")
    add("--processes", metavar="N", type=positive, help="on this machine (default: one per core)")
    add("--cluster", metavar="ADDRESS", help="a Dask scheduler, such as tcp://host:8786")
    add("--store", metavar="FOLDER",
        help="keep finished runs there: the same command again makes those that are missing")
    add("--quiet", action="store_true", help="no progress bar and no summary")


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected at least 1")
    return number


def output_path(text: str) -> Path:
    if not text.endswith((".parquet", ".csv", ".csv.gz")):
        raise argparse.ArgumentTypeError("expected a name that ends in .parquet, .csv or .csv.gz")
    if not Path(text).resolve().parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {Path(text).parent}")
    return Path(text)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m clatter sweep", description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )
    add_arguments(parser)
    options = parser.parse_args(arguments)
    try:
        runs = runs_of(options)
        fixed = dict(value_of(text) for text in options.set)
    except (ImportError, TypeError, ValueError) as error:
        parser.error(str(error))
    try:
        result = sweep(
            options.model, runs, stop=options.stop, parameters=fixed, outputs=options.outputs,
            interval=options.interval, reduce=options.reduce, processes=options.processes,
            cluster=options.cluster, store=options.store,
            progress=False if options.quiet else None,
        )
        write(result, options.output)
    except KeyboardInterrupt as interrupt:
        print("\ninterrupted:", *interrupt.__notes__, file=sys.stderr)
        return 130
    except (ClatterError, ImportError, OSError, TypeError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not options.quiet:
        print_summary(result, options.output)
    return 0


def runs_of(options: argparse.Namespace) -> Any:
    """A grid, or a table of samples."""
    varied = {}
    for text in options.vary:
        key, values = split(text, "--vary")
        names = tuple(key.split("+"))
        if names in varied:
            raise ValueError(f"{key} is varied twice")
        parse = grid_values if options.samples is None else distribution
        varied[names] = parse(key, values)
    if options.samples is None:
        make_plan(varied)
        return varied
    return samples(varied, options.samples, method=options.method, seed=options.seed)


def names_of(text: str) -> list[str]:
    """Names that commas separate; those within brackets belong to a name: cell[3,2].x"""
    return re.split(r",(?![^\[]*\])", text)


def split(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise ValueError(f"{option} {text}: expected NAME=VALUE")
    return name, value


def value_of(text: str) -> tuple[str, Any]:
    name, value = split(text, "--set")
    return name, number_or_word(value)


def number_or_word(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def numbers(name: str, parts: Sequence[str]) -> list[float]:
    try:
        return [float(part) for part in parts]
    except ValueError:
        raise ValueError(f"--vary {name}={':'.join(parts)}: expected numbers") from None


def grid_values(name: str, text: str) -> Any:
    parts = text.split(":")
    if len(parts) == 1:
        return [number_or_word(word) for word in text.split(",")]
    if len(parts) == 2:
        raise ValueError(
            f"--vary {name}={text}: a range needs a number of values, as in {name}={text}:10, or "
            "--samples N for random ones"
        )
    if len(parts) > 3 or not parts[2].isdigit() or int(parts[2]) < 1:
        raise ValueError(f"--vary {name}={text}: expected LOW:HIGH:N, with N values")
    low, high = numbers(name, parts[:2])
    return np.linspace(low, high, int(parts[2]))


def distribution(name: str, text: str) -> Any:
    parts = text.split(":")
    if parts[0] == "normal" and len(parts) == 3:
        mean, sigma = numbers(name, parts[1:])
        if not sigma > 0:
            raise ValueError(f"--vary {name}={text}: expected a standard deviation > 0")
        return NormalDist(mean, sigma)
    if len(parts) == 2:
        low, high = numbers(name, parts)
        return low, high
    raise ValueError(
        f"--vary {name}={text}: with --samples, expected LOW:HIGH or normal:MEAN:SIGMA"
    )


def write(result: xarray.Dataset, path: Path) -> None:
    table = result.to_dataframe().reset_index()
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    else:
        table.to_csv(path, index=False)


def print_summary(result: xarray.Dataset, path: Path) -> None:
    """Failed runs by their status, each with one reason: most reasons have numbers of their own."""
    statuses = result["status"].to_numpy().ravel()
    reasons = result["reason"].to_numpy().ravel()
    print(f"{path}: {len(statuses)} runs, {np.count_nonzero(statuses != OK)} failed")
    for status, n in Counter(statuses[statuses != OK]).most_common():
        print(f"  {n} {status}, the first one because: {reasons[statuses == status][0]}")
