"""Wall-clock time of a sweep with one and with two workers, and their ratio.

    python bench/sweep_scaling.py [--runs 10000] [--repeats 3]

Processes of this machine and workers of a local Dask cluster, in turns, so that what else the
machine does meets all of them. Workers are started before the clock. Run it on an idle machine.
"""

import argparse
import statistics
import time
from pathlib import Path

from distributed import Client, LocalCluster

import clatter

MODEL = Path(__file__).parents[1] / "resources" / "models" / "parcel_pusher.xml"
RANGES = {"parcel_mass": (1, 3), "drive_force": (8, 20)}


def seconds(runs, **where):
    began = time.perf_counter()
    result = clatter.sweep(MODEL, runs, progress=False, **where)
    assert result.sizes["run"] == len(runs) and (result["status"] == "ok").all()
    return time.perf_counter() - began


def measure(runs):
    """Seconds by kind and number of workers."""
    times = {}
    for n in (1, 2):
        times["processes", n] = seconds(runs, processes=n)
        with (
            LocalCluster(n_workers=n, threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster) as client,
        ):
            client.wait_for_workers(n)
            times["Dask workers", n] = seconds(runs, cluster=client)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    runs = clatter.samples(RANGES, options.runs)
    ratios = {"processes": [], "Dask workers": []}
    for _ in range(options.repeats):
        times = measure(runs)
        for kind in ratios:
            one, two = times[kind, 1], times[kind, 2]
            ratios[kind].append(two / one)
            print(
                f"{kind}: 1 takes {one:.1f} s, 2 take {two:.1f} s, ratio {two / one:.2f}",
                flush=True,
            )
    for kind, found in ratios.items():
        print(f"{kind}: median ratio {statistics.median(found):.2f}")


if __name__ == "__main__":
    main()
