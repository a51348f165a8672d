"""One master that runs a system of coupled FMUs (SSP), in a process of its own.

    python tests/hosts/couple.py MASTER < task.json > result.json

task: {"ssp": path, "step": communication step, "n_steps": their number,
       "component": name, "outputs": [real variable of it, ...]}
result: a list of rows, one per communication point after the start.
"""

import json
import os
import sys
import tempfile
import zipfile


def fmpy_run(task):
    from fmpy.ssp.simulation import simulate_ssp
    step, n_steps = task["step"], task["n_steps"]
    result = simulate_ssp(task["ssp"], step_size=step, stop_time=(n_steps - 0.5) * step)
    return [[float(row[f"{task['component']}.{name}"]) for name in task["outputs"]] for row in result]


def libcosim_run(task):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver

    log_output_level(CosimLogLevel.WARNING)
    with tempfile.TemporaryDirectory() as directory:  # it reads extracted archives
        with zipfile.ZipFile(task["ssp"]) as archive:
            archive.extractall(directory)
        execution = CosimExecution.from_ssp_file(directory, round(task["step"] * 1e9))  # ns
        observer = CosimObserver.create_last_value()
        assert execution.add_observer(observer)
        component = execution.slave_index_from_instance_name(task["component"])
        references = {v.name.decode(): v.reference for v in execution.slave_variables(component)}
        rows = []
        for _ in range(task["n_steps"]):
            assert execution.step()
            rows.append(observer.last_real_values(component, [references[name]
                                                              for name in task["outputs"]]))
        return rows


def ecos_run(task):
    import ecospy

    ecospy.EcosLib.set_log_level("warn")
    with ecospy.EcosSimulation(ssp_path=task["ssp"], step_size=task["step"]) as simulation:
        simulation.init()
        rows = []
        for _ in range(task["n_steps"]):
            simulation.step()
            rows.append([simulation.get_real(f"{task['component']}::{name}")
                         for name in task["outputs"]])
        simulation.terminate()
    return rows


MASTERS = {"fmpy": fmpy_run, "libcosim": libcosim_run, "ecos": ecos_run}


def main():
    task = json.load(sys.stdin)
    result = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a master prints is a message, wherever it goes
    json.dump(MASTERS[sys.argv[1]](task), result)


if __name__ == "__main__":
    main()
