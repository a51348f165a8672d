"""Workers of a Dask cluster.

A chunk is a task of the scheduler. If a worker dies the scheduler gives its chunk to another one;
a chunk that kills several workers comes back and is divided until the run that does it is known.
Only the client collects results, each chunk once.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from clatter._sweep_pool import Death, Finished
from clatter._sweep_rows import SweepError
from clatter._sweep_worker import Chunk, Task, run_chunk

CHUNKS_PER_THREAD = 2  # under way, so that no worker waits for the client
PATIENCE = 60  # s, for the first worker of a cluster
MOST_LOST = 100  # chunks: beyond that the cluster is no use


class DaskWorkers:
    """cluster: an address such as tcp://host:8786, a Client, or a cluster object."""

    def __init__(self, task: Task, cluster: Any):
        try:
            from distributed import Client, as_completed
        except ImportError as error:
            raise ImportError("cluster needs Dask: pip install distributed") from error
        self.owns_client = not isinstance(cluster, Client)
        self.client = connect(cluster) if self.owns_client else cluster
        self.task = task
        self.chunks: dict[Any, Chunk] = {}  # by their futures
        self.n_lost = 0  # chunks whose results were lost with their workers
        self.completed: Any = as_completed(loop=self.client.loop, raise_errors=False)
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            self.close()
            raise SweepError(f"the Dask cluster has had no worker for {PATIENCE} s") from None

    @property
    def n_slots(self) -> int:
        """Follows workers that come and go."""
        n_threads: int = sum(self.client.nthreads().values())
        return CHUNKS_PER_THREAD * max(1, n_threads)

    @property
    def n_busy(self) -> int:
        return len(self.chunks)

    def submit(self, chunk: Chunk) -> None:
        key = f"clatter-sweep-{uuid.uuid4().hex}"
        future = self.client.submit(run_chunk, self.task, chunk, key=key, pure=False)
        self.chunks[future] = chunk
        self.completed.add(future)

    def finished(self) -> Sequence[Finished]:
        collected = [self.collect(future) for future in self.completed.next_batch()]
        return [finished for finished in collected if finished is not None]

    def collect(self, future: Any) -> Finished | None:
        """None: the result was lost with its worker, and the chunk is made again."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        chunk = self.chunks.pop(future)
        try:
            if future.status == "finished":
                return chunk, future.result()
            lost = future.status in ("cancelled", "lost")
        except CancelledError:
            lost = True
        if lost:
            self.n_lost += 1
            if self.client.status != "running" or self.n_lost > MOST_LOST:
                raise SweepError(
                    "the Dask cluster dropped the sweep's work: is its scheduler still there?"
                )
            self.submit(chunk)
            return None
        error = future.exception()
        if isinstance(error, KilledWorker):
            return chunk, Death("the Dask workers that made the run died")
        if isinstance(error, SweepError):
            raise error
        raise SweepError(
            f"a Dask worker could not go on: {type(error).__name__}: {error}"
        ) from error

    def close(self) -> None:
        if self.chunks:
            self.client.cancel(list(self.chunks))
            self.chunks.clear()
        if self.owns_client:
            self.client.close()


def connect(cluster: Any) -> Any:
    import distributed

    client: Any = distributed.Client
    try:
        return client(cluster, set_as_default=False)
    except OSError as error:
        raise SweepError(f"no Dask scheduler answers at {cluster}: {error}") from error
