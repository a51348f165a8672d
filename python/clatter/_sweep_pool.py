"""Worker processes of this machine.

They are fresh interpreters that import this package and nothing of the caller's script, so that a
script needs no guard around its main part and threads of a notebook are not forked. The parent
knows which chunk each of them has: when one dies, that chunk alone is made again.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

import cloudpickle

from clatter._sweep_rows import Rows, SweepError
from clatter._sweep_worker import Chunk, Task, run_chunk

SERVE = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); "
    "from clatter._sweep_pool import serve; serve(int(sys.argv[1]))"
)
PATIENCE = 10  # s, for a worker to end by itself once the connection is closed
READY = "ready"  # what a worker sends first
MOST_FALSE_STARTS = 3  # workers that died before they were ready: then there is no use in more


class Death:
    """In place of rows: the worker died, for this reason."""

    def __init__(self, reason: str):
        self.reason = reason


Finished = tuple[Chunk, Rows | Death]


class Process:
    """One worker and the chunk it has."""

    def __init__(self, message: bytes):
        ours, theirs = socket.socketpair()
        # One thread of linear algebra in each: there is a process for each core.
        environment = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"} | os.environ
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SERVE, str(theirs.fileno()), json.dumps(sys.path)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=environment,
            )
        self.connection = Connection(ours.detach())
        self.chunk: Chunk | None = None
        self.ready = False
        self.send(message)

    def send(self, message: bytes) -> None:
        try:
            self.connection.send_bytes(message)
        except OSError:
            pass  # it has died, which receiving will tell

    def give(self, chunk: Chunk) -> None:
        self.chunk = chunk
        self.send(cloudpickle.dumps(chunk))

    def receive(self) -> Rows | Death | None:
        """None: it has become ready and is at its first chunk."""
        try:
            answer: Rows | str = cloudpickle.loads(self.connection.recv_bytes())
        except (EOFError, OSError):
            return Death(self.end())
        if not isinstance(answer, str):
            return answer
        if answer != READY:
            raise SweepError(answer)
        self.ready = True
        return None

    def end(self) -> str:
        """Ends it if need be; why it ended, in words."""
        self.connection.close()
        try:
            code = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        if code < 0:
            return f"the worker process was ended by signal {signal.Signals(-code).name}"
        return f"the worker process ended with exit code {code}"


class ProcessPool:
    """n processes, started as there is work for them."""

    def __init__(self, task: Task, n: int):
        self.message = cloudpickle.dumps(task)
        self.n = n
        self.workers: list[Process] = []
        self.n_false_starts = 0

    @property
    def n_slots(self) -> int:
        """How many chunks can be under way at once."""
        return self.n

    @property
    def n_busy(self) -> int:
        return sum(worker.chunk is not None for worker in self.workers)

    def submit(self, chunk: Chunk) -> None:
        idle = next((worker for worker in self.workers if worker.chunk is None), None)
        if idle is None:
            idle = Process(self.message)
            self.workers.append(idle)
        idle.give(chunk)

    def finished(self) -> Sequence[Finished]:
        """Waits until something happens; the chunks that were finished by then."""
        active = wait([worker.connection for worker in self.workers if worker.chunk is not None])
        finished = []
        for worker in [worker for worker in self.workers if worker.connection in active]:
            answer = worker.receive()
            if isinstance(answer, Death):
                self.bury(worker, answer)
            if answer is not None and worker.chunk is not None:
                finished.append((worker.chunk, answer))
                worker.chunk = None
        return finished

    def bury(self, worker: Process, death: Death) -> None:
        self.workers.remove(worker)
        self.n_false_starts += not worker.ready
        if self.n_false_starts >= MOST_FALSE_STARTS:
            raise SweepError(f"worker processes cannot start: {death.reason}")

    def close(self) -> None:
        for worker in self.workers:
            if worker.chunk is not None:
                worker.process.kill()
        for worker in self.workers:
            worker.end()
        self.workers.clear()


def serve(descriptor: int) -> None:
    """The life of a worker process, until the parent closes the connection.

    Ctrl-C is the parent's affair. Where it cannot come, a run needs no watcher: so the runs are made
    in another thread than the main one (Handle.simulate).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = threading.Thread(target=answer_all, args=[Connection(descriptor)])
    worker.start()
    worker.join()


def answer_all(connection: Connection) -> None:
    """First a task, then chunks of it."""
    task: Any = None
    while True:
        try:
            received = cloudpickle.loads(connection.recv_bytes())
            answer: Any = READY
            if isinstance(received, Task):
                task = received
            else:
                answer = run_chunk(task, received)
        except EOFError:
            return
        except SweepError as error:
            answer = str(error)
        except Exception:
            answer = "a worker process could not go on:\n" + traceback.format_exc()
        try:
            connection.send_bytes(cloudpickle.dumps(answer))
        except BrokenPipeError:  # the parent is gone
            return
