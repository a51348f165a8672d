"""One master that runs a system of coupled FMUs (SSP), in a process of its own.

    python tests/hosts/couple.py MASTER < task.json > result.json

task: {"ssp": path, "step": communication step, "n_steps": their number,
       "component": name, "outputs": [real variable of it, ...], "maestro": its jar}
result: a list of rows, one per communication point after the start.
"""

import contextlib
import csv
import io
import json
import logging
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

SSD = "{http://ssp-standard.org/SSP1/SystemStructureDescription}"


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


def maestro_run(task):
    """Maestro reads no SSP: its own description says the same."""
    def instance(component):
        return f"{{{component}}}.{component}"

    with tempfile.TemporaryDirectory() as directory:
        with zipfile.ZipFile(task["ssp"]) as archive:
            archive.extractall(directory)
        root = ElementTree.parse(Path(directory, "SystemStructure.ssd")).getroot()
        connections = {}
        for c in root.iter(f"{SSD}Connection"):
            source, sink = (f"{instance(c.get(f'{end}Element'))}.{c.get(f'{end}Connector')}"
                            for end in ("start", "end"))
            connections.setdefault(source, []).append(sink)
        system = {
            "fmus": {f"{{{c.get('name')}}}": Path(directory, c.get("source")).as_uri()
                     for c in root.iter(f"{SSD}Component")},
            "connections": connections, "parameters": {},
            "logVariables": {instance(task["component"]): task["outputs"]},
            "algorithm": {"type": "fixed-step", "size": task["step"]},
            "startTime": 0, "endTime": task["step"] * task["n_steps"]}
        Path(directory, "system.json").write_text(json.dumps(system))
        done = subprocess.run(["java", "-jar", task["maestro"], "import", "sg1", "system.json", "-i",
                               "-output", "made", "--inline-framework-config"],
                              cwd=directory, capture_output=True, text=True)
        said = [line for line in (done.stdout + done.stderr).splitlines()
                if "WARN" in line or "ERROR" in line or "xception" in line]
        assert done.returncode == 0 and said == [], done.stderr + done.stdout
        with open(Path(directory, "made", "outputs.csv")) as file:
            rows = list(csv.DictReader(file))
        return [[float(row[f"{instance(task['component'])}.{name}"]) for name in task["outputs"]]
                for row in rows[1:]]


def omsimulator_run(task):
    import omsimulator

    with tempfile.TemporaryDirectory() as directory:
        model = omsimulator.Model(directory)
        model.import_system(task["ssp"])
        return model.run(task["step"], task["n_steps"], lambda: [
            model.get(f"system.{task['component']}.{name}") for name in task["outputs"]])


def pyfmi_run(task):
    """PyFMI reads no SSP: its master gets FMUs and connections. That outputs depend on no input it takes
    for something left out, and says so."""
    import pyfmi
    from pyfmi.master import Master

    logging.getLogger().addFilter(
        lambda record: not record.getMessage().startswith("No dependency information"))
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        with zipfile.ZipFile(task["ssp"]) as archive:
            archive.extractall(directory)
        root = ElementTree.parse("SystemStructure.ssd").getroot()
        models = {c.get("name"): pyfmi.load_fmu(c.get("source"), log_level=3)
                  for c in root.iter(f"{SSD}Component")}
        connections = [(models[c.get("startElement")], c.get("startConnector"),
                        models[c.get("endElement")], c.get("endConnector"))
                       for c in root.iter(f"{SSD}Connection")]
        master = Master(list(models.values()), connections)
        options = master.simulate_options()
        options.update(step_size=task["step"], result_handling="memory")
        with contextlib.redirect_stdout(io.StringIO()):  # statistics
            result = master.simulate(final_time=task["step"] * task["n_steps"], options=options)
        own = result[models[task["component"]]]
        columns = [[float(value) for value in own[name]] for name in task["outputs"]]
        os.chdir("/")
    return [list(row) for row in zip(*columns)][1:]


MASTERS = {"fmpy": fmpy_run, "libcosim": libcosim_run, "ecos": ecos_run, "maestro": maestro_run,
           "omsimulator": omsimulator_run, "pyfmi": pyfmi_run}


def main():
    task = json.load(sys.stdin)
    result = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a master prints is a message, wherever it goes
    json.dump(MASTERS[sys.argv[1]](task), result)


if __name__ == "__main__":
    main()
