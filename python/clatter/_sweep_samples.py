"""Random samples of parameters for a sweep, the same for the same seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from clatter._sweep_plan import check_names, names_of

if TYPE_CHECKING:
    import pandas

METHODS = ("random", "latin_hypercube", "sobol", "halton")


def samples(
    ranges: Mapping[Any, Any], n: int, *, method: str = "latin_hypercube", seed: int = 0
) -> pandas.DataFrame:
    """n random sets of parameters, one in each row.

    ranges: for each name, or tuple of names that take the same value, a pair (low, high) for a
    uniform distribution; or anything with a method ppf, such as scipy.stats.norm(0.3, 0.02), or
    inv_cdf, such as statistics.NormalDist(0.3, 0.02).
    method: random (independent), latin_hypercube (each of n equal slices of every range is met
    once), sobol or halton (sequences that fill the space evenly; both need scipy).
    """
    import pandas

    if n < 1:
        raise ValueError(f"{n} samples: expected at least 1")
    groups = [names_of(key) for key in ranges]
    check_names([name for names in groups for name in names])
    points = unit_points(n, len(groups), method, seed)
    columns = {}
    for names, distribution, share in zip(groups, ranges.values(), points.T, strict=True):
        values = quantiles(distribution, names[0])(share)
        columns.update(dict.fromkeys(names, values))
    return pandas.DataFrame(columns)


def unit_points(n: int, n_dims: int, method: str, seed: int) -> np.ndarray:
    """Points (n x n_dims) inside of the unit cube."""
    if method not in METHODS:
        raise ValueError(f"method {method!r}: expected one of {', '.join(METHODS)}")
    generator = np.random.default_rng(seed)
    if method == "random":
        points = generator.random((n, n_dims))
    elif method == "latin_hypercube":
        slices = np.stack([generator.permutation(n) for _ in range(n_dims)], axis=1)
        points = (slices + generator.random((n, n_dims))) / n
    else:
        points = sequence_points(n, n_dims, method, generator)
    tiny = np.finfo(float).tiny  # the quantile of 0 may be infinite
    return np.clip(points, tiny, 1 - np.finfo(float).epsneg)


def sequence_points(n: int, n_dims: int, method: str, generator: np.random.Generator) -> np.ndarray:
    try:
        from scipy.stats import qmc
    except ImportError as error:
        raise ImportError(f"method {method!r} needs scipy: pip install scipy") from error
    if method == "halton":
        return np.asarray(qmc.Halton(n_dims, rng=generator).random(n))
    # A Sobol sequence is balanced at powers of two; of what is drawn for one, the first n are used.
    drawn = qmc.Sobol(n_dims, rng=generator).random_base2(math.ceil(math.log2(n)))
    return np.asarray(drawn[:n])


def quantiles(distribution: Any, name: str) -> Callable[[np.ndarray], np.ndarray]:
    """The function from shares between 0 and 1 to values."""
    if hasattr(distribution, "ppf"):
        return lambda share: np.asarray(distribution.ppf(share), dtype=float)
    if hasattr(distribution, "inv_cdf"):
        return np.vectorize(distribution.inv_cdf, otypes=[float])
    try:
        low, high = (float(bound) for bound in distribution)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name}: expected a pair (low, high) or a distribution with ppf or inv_cdf, "
            f"not {distribution!r}"
        ) from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(f"{name}: expected two numbers low < high, not ({low:g}, {high:g})")
    return lambda share: low + share * (high - low)
