"""A long life: resources/grains/drum.xml as an FMU for as many steps as CLATTER_DRUM_STEPS says (2,000
without it), its speed an input that changes all the time. With pytest -s it tells how it goes."""

import math
import os
from pathlib import Path

import numpy as np

import tools
from fmi2 import OK, Instance

DRUM = tools.ROOT / "resources" / "grains" / "drum.xml"
N_STEPS = int(os.environ.get("CLATTER_DRUM_STEPS", 2000))
STEP, STEPS_PER_CALL = 2e-3, 100
ITERATIONS = 30  # fewer than by default: quicker, and harder for what keeps grains apart
ROWS, COLUMNS, RADIUS, GRAIN = 10, 20, 0.25, 0.009  # of the drum, and the least radius of a grain
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024


def resident_kb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_KB


def drum_with_positions(path):
    outputs = "".join(f'<output variable="{name}"/>' for name in (
        "solver.failed_steps", "solver.steps", "solver.residual", "lining.largest_penetration"))
    path.write_text(DRUM.read_text().replace("</mechanism>", f"""<outputs>{outputs}
<repeat index="k" count="{ROWS}"><repeat index="i" count="{COLUMNS}"><output variable="grain.x"/>
<output variable="grain.y"/></repeat></repeat></outputs></mechanism>"""))
    return path


def test_a_long_life(pack, tmp_path):
    fmu = pack(drum_with_positions(tmp_path / "drum.xml"))
    names = [f"grain[{k},{i}].{axis}" for axis in "xy" for k in range(1, ROWS + 1)
             for i in range(1, COLUMNS + 1)]
    n_calls = N_STEPS // STEPS_PER_CALL
    memory = np.zeros(n_calls)  # KB; taken at once, so that it does not grow itself
    farthest = deepest = 0.0
    with Instance(fmu) as instance:
        instance.start(solver__cone_iterations=ITERATIONS)
        for call in range(n_calls):
            t = call * STEPS_PER_CALL * STEP
            instance.set(speed=1.6 + 1.4 * math.sin(0.37 * t))  # from 0.2 rad/s to 3 rad/s
            assert instance.step(t, STEPS_PER_CALL * STEP) == OK, instance.last_message()
            status, positions = instance.try_get(*names)
            assert status == OK
            x, y = np.array(positions).reshape(2, ROWS * COLUMNS)
            farthest = max(farthest, np.hypot(x, y).max())
            deepest = max(deepest, instance.get("lining.largest_penetration"))
            memory[call] = resident_kb()
            if (call + 1) % 100 == 0:
                print(f"{(call + 1) * STEPS_PER_CALL} steps: farthest grain {farthest:.5f} m, "
                      f"deepest in the wall {deepest:.2e} m, {memory[call]} KB", flush=True)
            assert farthest < RADIUS - GRAIN + 1e-3
        assert instance.get("solver.failed_steps") == 0
        assert instance.get("solver.steps") == n_calls * STEPS_PER_CALL
    # all room that contacts need is taken in the first steps
    assert memory[-1] - memory[n_calls // 4] < 512
