"""Workers of a sweep that die: processes of this machine and of a Dask cluster."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import clatter
import sweep_model

N_RUNS = 400
RUNS = [{"mass": mass} for mass in np.linspace(0.5, 2, N_RUNS)]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return sweep_model.write(tmp_path_factory.mktemp("sweep"))


@pytest.fixture(scope="module")
def expected(path):
    return clatter.sweep(path, RUNS, processes=0)


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=":0") as made:
        yield made


def die(how):
    os.kill(os.getpid(), how)
    time.sleep(60)  # the signal may come to another thread, a little later


def deadly_once(flag):
    """A reduce that kills its worker, the first time it meets a certain run."""

    def reduce(motion):
        if motion["puck.velocity_x"].values[-1] < 0.05 and not os.path.exists(flag):
            open(flag, "w").close()
            die(signal.SIGKILL)
        return motion["puck.x"].values[-1]

    return reduce


def deadly(motion):
    if motion["puck.x"].values[-1] == 0.0:
        die(signal.SIGSEGV)
    return 1.0


def test_a_process_that_is_killed_costs_nothing(path, expected, tmp_path):
    result = clatter.sweep(path, RUNS, reduce=deadly_once(str(tmp_path / "flag")), processes=2)
    assert (tmp_path / "flag").exists()
    assert (result["status"] == "ok").all()
    assert result["value"].values.tolist() == expected["puck.x"].values.tolist()


def test_a_run_that_kills_is_found(path):
    pushes = [{"push": 0.0 if n == 37 else 1.0} for n in range(100)]
    result = clatter.sweep(path, pushes, reduce=deadly, processes=2)
    assert np.flatnonzero(result["status"] != "ok").tolist() == [37]
    assert result["status"].values[37] == "crashed"
    assert result["reason"].values[37] == "the worker process was ended by signal SIGSEGV"


def test_a_script_needs_no_guard_and_its_functions_are_sent(path, tmp_path):
    import tools

    script = tmp_path / "script.py"
    script.write_text(
        "import sys, clatter\n"
        "def twice(motion):\n"
        "    return helper(motion['puck.x'].values[-1])\n"
        "def helper(x):\n"
        "    return 2*x\n"
        "result = clatter.sweep(sys.argv[1], {'mass': [1, 2, 3]}, reduce=twice, processes=2)\n"
        "print(result['value'].values.tolist())\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(os.sys.path)}
    done = tools.run(os.sys.executable, script, path, env=environment)
    assert done.returncode == 0, done.stderr
    assert len(eval(done.stdout)) == 3


def test_dask_gives_what_one_process_gives(path, expected, cluster):
    import distributed

    assert clatter.sweep(path, RUNS, cluster=cluster.scheduler_address).identical(expected)
    with distributed.Client(cluster, set_as_default=False) as client:
        assert clatter.sweep(path, RUNS, cluster=client).identical(expected)
        assert client.status == "running", "a client that was given is not closed"


def test_a_dask_worker_killed_in_the_middle(path, expected, cluster, tmp_path):
    """Nothing is lost and nothing counted twice."""
    import distributed

    counts = []
    with distributed.Client(cluster, set_as_default=False) as client:
        pids = list(client.run(os.getpid).values())

        def kill_one(done, total, failed):
            counts.append(done)
            if done > N_RUNS // 4 and pids:
                os.kill(pids.pop(), signal.SIGKILL)
                pids.clear()

        result = clatter.sweep(path, RUNS, cluster=client, store=tmp_path / "store",
                               progress=kill_one)
    assert not pids and counts[-1] == N_RUNS and counts == sorted(set(counts))
    assert result.identical(expected)


def test_a_dask_worker_that_kills_itself_at_a_run(path, expected, cluster, tmp_path):
    result = clatter.sweep(path, RUNS, cluster=cluster, reduce=deadly_once(str(tmp_path / "flag")))
    assert (tmp_path / "flag").exists()
    assert result["value"].values.tolist() == expected["puck.x"].values.tolist()


def test_a_client_killed_in_the_middle_goes_on_from_its_store(path, cluster, tmp_path):
    """Begun on the cluster, ended on this machine."""
    import subprocess
    import sys

    code = (
        "import sys, os, signal, clatter\n"
        "def end(done, total, failed):\n"
        "    if any(name.startswith('part-') for name in os.listdir(sys.argv[2])):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "clatter.sweep(sys.argv[1], clatter.samples({'mass': (1, 2)}, 5000), store=sys.argv[2],\n"
        "              cluster=sys.argv[3], stop=0.3, progress=end)\n"
    )
    store = tmp_path / "store"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.run([sys.executable, "-c", code, path, store, cluster.scheduler_address],
                            env=environment, timeout=900)
    assert killed.returncode == -signal.SIGKILL
    counts = []
    runs = clatter.samples({"mass": (1, 2)}, 5000)
    result = clatter.sweep(path, runs, store=store, stop=0.3,
                           progress=lambda done, total, failed: counts.append(done))
    assert 0 < counts[0] < 5000
    assert result.identical(clatter.sweep(path, runs, stop=0.3))


def test_a_worker_of_another_version_is_refused(path, cluster):
    import distributed

    with distributed.Client(cluster, set_as_default=False) as client:
        def pretend(version):
            import clatter._library

            clatter._library.version, own = (lambda: version), clatter._library.version
            return own()

        versions = set(client.run(pretend, "0.0.1").values())
        try:
            with pytest.raises(clatter.SweepError, match="a worker has clatter 0.0.1, but"):
                clatter.sweep(path, RUNS[:3], cluster=client)
        finally:
            client.run(pretend, versions.pop())


def test_no_scheduler(path):
    import dask

    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        with pytest.raises(clatter.SweepError, match="no Dask scheduler answers at tcp://127.0.0.1:9"):
            clatter.sweep(path, RUNS[:3], cluster="tcp://127.0.0.1:9")


def test_sweeps_of_several_threads(path, expected):
    results = {}
    threads = [threading.Thread(target=lambda n=n: results.update({n: clatter.sweep(path, RUNS,
                                                                                    processes=n)}))
               for n in (0, 1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results[n].identical(expected) for n in (0, 1, 2))
