"""What a step of a beam costs, counted in instructions, which do not depend on the machine's load:
in proportion to the elements."""

import math
import re
import shutil

import pytest

from tools import BUILD, mechanism, run

STEP = 1e-3
FEW, MANY = 100, 1000  # elements


def cantilever(elements, has_contact):
    """Falls from the level into its vibration; with a contact its tip comes down on a floor in the
    first step."""
    contact = '<contact name="stop" first="rod.tip" second="ground.floor"/>' if has_contact else ""
    return (f'<gravity y="-9.81"/><beam name="rod" length="1" elements="{elements}" width="0.01" '
            'height="0.01" youngs_modulus="1e8" density="1000"><frame name="root"/>'
            '<point name="tip" x="1"/></beam><ground><line name="floor" y="-1e-6"/></ground>'
            f'<rigid name="clamp" first="ground" second="rod.root"/>{contact}')


def instructions(tmp_path, path, n_steps):
    stop = n_steps * STEP
    done = run("valgrind", "--tool=callgrind", f"--callgrind-out-file={tmp_path / 'counts'}",
               BUILD / "clatter", "run", path, "--stop", stop, "--interval", stop, "-o",
               tmp_path / "motion.csv")
    assert done.returncode == 0, done.stderr
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def instructions_per_step(tmp_path, elements, scheme, has_contact):
    """From the difference of two runs: without what reading and setting up take"""
    path = tmp_path / "model.xml"
    path.write_text(mechanism(cantilever(elements, has_contact), step=STEP,
                              solver=f'scheme="{scheme}" theta="{1 if has_contact else 0.5}"'))
    few, many = (instructions(tmp_path, path, n) for n in (2, 5))
    return (many - few) / 3


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="no valgrind")
@pytest.mark.parametrize("has_contact", [False, True])
@pytest.mark.parametrize("scheme", ["generalized_alpha", "moreau_jean"])
def test_a_step_costs_in_proportion_to_the_elements(tmp_path, scheme, has_contact):
    few, many = (instructions_per_step(tmp_path, n, scheme, has_contact) for n in (FEW, MANY))
    exponent = math.log(many / few) / math.log(MANY / FEW)
    assert 0.8 < exponent < 1.1, (few, many)
