"""Which parameters decide how fast a pushed parcel becomes? Morris' elementary effects with SALib.

    pip install SALib
    python examples/sensitivity.py
"""

from pathlib import Path

import pandas
from SALib.analyze import morris as analysis
from SALib.sample import morris as sampling

import clatter

MODEL = Path(__file__).parents[1] / "resources" / "models" / "parcel_pusher.xml"
TABLE = ["table_contact_back.friction_coefficient", "table_contact_front.friction_coefficient"]
RANGES = {
    "drive_force": (10, 20),  # N
    "parcel_mass": (1, 3),  # kg
    "carriage.mass": (0.8, 1.2),  # kg
    "height": (0.2, 0.35),  # m
    TABLE[0]: (0.2, 0.4),
}


def main():
    problem = {
        "num_vars": len(RANGES),
        "names": list(RANGES),
        "bounds": list(RANGES.values()),
    }
    points = sampling.sample(problem, N=20, num_levels=4, seed=1)
    runs = pandas.DataFrame(points, columns=problem["names"])
    runs[TABLE[1]] = runs[TABLE[0]]  # one table under both edges of the parcel

    result = clatter.sweep(MODEL, runs, outputs=["parcel.velocity_x"], reduce="max")
    assert (result["status"] == "ok").all(), result["reason"]

    speed = result["parcel.velocity_x"].to_numpy()
    effects = analysis.analyze(problem, points, speed, num_levels=4, seed=1)
    table = pandas.DataFrame(
        {"mean effect": effects["mu_star"], "spread": effects["sigma"]}, index=problem["names"]
    ).sort_values("mean effect", ascending=False)
    print(f"largest speed in m/s: effect of the whole range of a parameter ({len(runs)} runs)")
    print(table.to_string(float_format="%.3f"))
    return table


if __name__ == "__main__":
    main()
