"""One host that runs one FMU several times, in a process of its own: what it prints, and what it breaks,
is its own. Standard output gets nothing but the result.

    python tests/hosts/drive.py HOST < task.json > result.json

task: {"fmu": path, "step": communication step, "n_steps": their number,
       "settings": [{variable: value, ...} of each run], "outputs": [variable, ...],
       "fmi4j": directory of its jars}
result: of each run a list of rows, one per communication point after the start.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile


FMI3_TYPES = {"Float64": "Real", "Int64": "Integer"}  # others have the name that they have in FMI 2.0


def variables_of(fmu):
    """Type and value reference by name."""
    with zipfile.ZipFile(fmu) as archive:
        root = ElementTree.fromstring(archive.read("modelDescription.xml"))
    is_fmi2 = root.get("fmiVersion") == "2.0"
    return {v.get("name"): (v[0].tag if is_fmi2 else FMI3_TYPES.get(v.tag, v.tag),
                            int(v.get("valueReference"))) for v in root.find("ModelVariables")}


def fmpy_run(task, settings):
    import fmpy
    result = fmpy.simulate_fmu(task["fmu"], start_values=settings, output=task["outputs"],
                               output_interval=task["step"], step_size=task["step"],
                               stop_time=task["step"] * task["n_steps"])
    return [[row[name].tolist() for name in task["outputs"]] for row in result][1:]


def libcosim_run(task, settings):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    log_output_level(CosimLogLevel.WARNING)
    execution = CosimExecution.from_step_size(round(task["step"] * 1e9))  # ns
    fmu = execution.add_local_slave(CosimLocalSlave(task["fmu"], "plant"))
    variables = variables_of(task["fmu"])
    for name, value in settings.items():
        kind, reference = variables[name]
        setter = {"Real": execution.real_initial_value, "Integer": execution.integer_initial_value}
        assert setter[kind](fmu, reference, value), name
    observer = CosimObserver.create_last_value()
    assert execution.add_observer(observer)
    getters = {"Real": observer.last_real_values, "Integer": observer.last_integer_values,
               "Boolean": observer.last_boolean_values}
    rows = []
    for _ in range(task["n_steps"]):
        assert execution.step()
        row = []
        for name in task["outputs"]:
            kind, reference = variables[name]
            row.append(getters[kind](fmu, [reference])[0])
        rows.append(row)
    return rows


def ecos_run(task, settings):
    import ecospy

    ecospy.EcosLib.set_log_level("warn")
    variables = variables_of(task["fmu"])
    with ecospy.EcosSimulationStructure() as structure:
        structure.add_model("plant", task["fmu"])
        structure.add_parameter_set("run", {f"plant::{name}": value
                                            for name, value in settings.items()})
        with ecospy.EcosSimulation(structure=structure, step_size=task["step"]) as simulation:
            getters = {"Real": simulation.get_real, "Integer": simulation.get_integer,
                       "Boolean": simulation.get_bool}
            simulation.init(parameter_set="run")
            rows = []
            for _ in range(task["n_steps"]):
                simulation.step()
                rows.append([getters[variables[name][0]](f"plant::{name}")
                             for name in task["outputs"]])
            simulation.terminate()
    return rows


def container_runs(task):
    """Containers made by fmucontainer, all at once, with the FMU in each, run by FMPy."""
    with tempfile.TemporaryDirectory() as directory:
        name = os.path.basename(task["fmu"])
        shutil.copy(task["fmu"], directory)
        boxes = [f"box{i}" for i in range(len(task["settings"]))]
        command = [sys.executable, "-m", "fmu_manipulation_toolbox.cli.fmucontainer",
                   "-fmu-directory", directory]
        for box, settings in zip(boxes, task["settings"]):
            lines = ["rule;from_fmu;from_port;to_fmu;to_port", f"FMU;{name};;;"]
            lines += [f"START;{name};{variable};{value!r};" for variable, value in settings.items()]
            with open(os.path.join(directory, f"{box}.csv"), "w") as file:
                file.write("\n".join(lines) + "\n")
            command += ["-container", f"{box}.csv:{task['step']!r}"]
        made = subprocess.run(command, capture_output=True, text=True)
        said = [line for line in (made.stdout + made.stderr).splitlines() if "INFO" not in line]
        assert made.returncode == 0 and said == [], said
        return [fmpy_run(task | {"fmu": os.path.join(directory, f"{box}.fmu")}, {}) for box in boxes]


def fmusim_run(task, settings):
    """Version 0.0.x is written in C, later ones in Rust, with other arguments."""
    version = subprocess.run(["fmusim", "--version"], capture_output=True, text=True).stdout
    if " 0.0." in version:
        command = ["fmusim"]
        for name, value in settings.items():
            command += ["--start-value", name, repr(value)]
    else:
        command = ["fmusim", "simulate"]
        command += [f"--start-value={name}={value!r}" for name, value in settings.items()]
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "result.csv")
        subprocess.run([*command, "--interface-type", "cs", "--output-interval", repr(task["step"]),
                        "--stop-time", repr(task["step"] * task["n_steps"]), "--output-file", path,
                        task["fmu"]], check=True)
        with open(path) as file:
            rows = list(csv.DictReader(file))
    words = {"true": 1.0, "false": 0.0}
    return [[words[row[name]] if row[name] in words else float(row[name])
             for name in task["outputs"]] for row in rows][1:]


def omsimulator_run(task, settings):
    import omsimulator

    variables = variables_of(task["fmu"])
    with tempfile.TemporaryDirectory() as directory:
        model = omsimulator.Model(directory)
        model.new(task["fmu"])
        for name, value in settings.items():
            model.set(f"root.plant.{name}", variables[name][0], value)
        return model.run(task["step"], task["n_steps"], lambda: [
            model.get(f"root.plant.{name}", variables[name][0]) for name in task["outputs"]])


def pyfmi_run(task, settings):
    """PyFMI has no communication points beside those of its results."""
    import pyfmi

    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        model = pyfmi.load_fmu(task["fmu"], log_level=3)  # warnings
        model.set(list(settings), list(settings.values()))
        result = model.simulate(final_time=task["step"] * task["n_steps"], options={
            "ncp": task["n_steps"], "result_handling": "memory", "silent_mode": True,
            "filter": task["outputs"]})
        columns = [[float(value) for value in result[name]] for name in task["outputs"]]
        os.chdir("/")
    return [list(row) for row in zip(*columns)][1:]


def fmi4j_runs(task):
    """All runs in one Java machine, as it takes a second to start."""
    variables = variables_of(task["fmu"])
    with tempfile.TemporaryDirectory() as directory:
        paths = [os.path.join(directory, f"task{i}") for i in range(len(task["settings"]))]
        for path, settings in zip(paths, task["settings"]):
            lines = [task["fmu"], repr(task["step"]), str(task["n_steps"])]
            lines += ["set {} {} {!r}".format(*variables[name], value)
                      for name, value in settings.items()]
            lines += ["get {} {}".format(*variables[name]) for name in task["outputs"]]
            with open(path, "w") as file:
                file.write("\n".join(lines) + "\n")
        with open(os.path.join(directory, "log4j.properties"), "w") as file:
            file.write("log4j.rootLogger=WARN, console\n"
                       "log4j.appender.console=org.apache.log4j.ConsoleAppender\n"
                       "log4j.appender.console.layout=org.apache.log4j.SimpleLayout\n")
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Fmi4jRun.java")
        subprocess.run(["java", f"-Dlog4j.configuration=file:{file.name}", "-cp",
                        os.path.join(task["fmi4j"], "*"), program, *paths], check=True)
        runs = []
        for path in paths:
            with open(f"{path}.result") as file:
                runs.append([[float(value) for value in line.split()] for line in file])
        return runs


def one_by_one(run):
    return lambda task: [run(task, settings) for settings in task["settings"]]


HOSTS = {"fmpy": one_by_one(fmpy_run), "libcosim": one_by_one(libcosim_run),
         "ecos": one_by_one(ecos_run), "container": container_runs, "fmi4j": fmi4j_runs,
         "fmusim": one_by_one(fmusim_run), "omsimulator": one_by_one(omsimulator_run),
         "pyfmi": one_by_one(pyfmi_run)}


def main():
    task = json.load(sys.stdin)
    result = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a host prints is a message, wherever it goes
    json.dump(HOSTS[sys.argv[1]](task), result)


if __name__ == "__main__":
    main()
