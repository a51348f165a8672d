"""The examples run as they stand, and give what they say."""

import runpy

import numpy as np

import tools

EXAMPLES = tools.ROOT / "examples"


def run_example(name):
    return runpy.run_path(str(EXAMPLES / name))["main"]()


def test_sensitivities_of_the_parcel():
    """v^2 = 2 s (F - mu m g)/(m + M): force, mass and friction matter, the height does not."""
    table = run_example("sensitivity.py")["mean effect"]
    assert set(table.index[:2]) == {"parcel_mass", "drive_force"}
    assert table["table_contact_back.friction_coefficient"] > 4 * table["carriage.mass"]
    assert table["height"] < 0.02


def test_coefficients_come_back_from_a_noisy_record():
    found, sigma = run_example("fit.py")
    assert (sigma < 5e-4).all()
    assert (np.abs(found - [0.23, 0.62]) < 4 * sigma).all()
