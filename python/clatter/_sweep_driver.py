"""Hands the runs of a sweep to workers in chunks and books what comes back, each run once."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from clatter._sweep_plan import Plan
from clatter._sweep_pool import Death, Finished
from clatter._sweep_progress import Report
from clatter._sweep_rows import Outcome, Rows, SweepError, rows_of
from clatter._sweep_store import Store
from clatter._sweep_worker import Chunk, Task, run_chunk

SECONDS_PER_CHUNK = 0.5  # handing one over takes about a millisecond
CHUNKS_LEFT_PER_SLOT = 2  # towards the end chunks become smaller, so that all workers end together
MOST_DEATHS = 2  # of workers that had one run alone: then it is the run that kills them
MOST_REDUCE_FAILURES = 10  # before any run went well: then reduce is wrong


class Workers(Protocol):
    """Makers of chunks. finished waits until something happens, and then says what was finished."""

    @property
    def n_slots(self) -> int: ...
    @property
    def n_busy(self) -> int: ...
    def submit(self, chunk: Chunk) -> None: ...
    def finished(self) -> Sequence[Finished]: ...
    def close(self) -> None: ...


class ThisProcess:
    """No worker but the caller itself, so that a debugger sees what reduce does."""

    n_slots = 1

    def __init__(self, task: Task):
        self.task = task
        self.chunks: list[Chunk] = []

    @property
    def n_busy(self) -> int:
        return len(self.chunks)

    def submit(self, chunk: Chunk) -> None:
        self.chunks.append(chunk)

    def finished(self) -> Sequence[Finished]:
        chunk = self.chunks.pop()
        return [(chunk, run_chunk(self.task, chunk))]

    def close(self) -> None:
        pass


class Ledger:
    """Which runs are done, and which are missing, that is not given out."""

    def __init__(self, plan: Plan, store: Store | None, report: Report):
        self.plan = plan
        self.store = store
        self.report = report
        self.parts = list(store.parts) if store is not None else []
        self.n_done = sum(len(part.runs) for part in self.parts)
        self.n_failed = sum(part.n_failed for part in self.parts)
        missing = np.ones(plan.n_runs, dtype=bool)
        for part in self.parts:
            missing[part.runs] = False
        self.missing = np.flatnonzero(missing)
        self.seconds, self.n_timed = 0.0, 0
        self.report(self.n_done, plan.n_runs, self.n_failed)

    def add(self, rows: Rows) -> None:
        self.parts.append(rows)
        if self.store is not None:
            self.store.add(rows)
        self.n_done += len(rows.runs)
        self.n_failed += rows.n_failed
        self.seconds += rows.seconds
        self.n_timed += len(rows.runs)
        self.report(self.n_done, self.plan.n_runs, self.n_failed)
        self.give_up_on_reduce(rows)

    @property
    def seconds_per_run(self) -> float:
        """Infinite before the first one: then a chunk is one run."""
        return max(self.seconds / self.n_timed, 1e-9) if self.n_timed else math.inf

    def give_up_on_reduce(self, rows: Rows) -> None:
        """A mistake in reduce should not cost all the runs before it is seen."""
        if self.n_failed < self.n_done or "reduce_failed" not in rows.status:
            return
        n = sum(part.status.count("reduce_failed") for part in self.parts)
        if n >= min(MOST_REDUCE_FAILURES, self.plan.n_runs):
            reason = rows.reason[rows.status.index("reduce_failed")]
            raise SweepError(f"reduce failed in each of the first {n} runs: {reason}")

    def close(self) -> None:
        if self.store is not None:
            self.store.flush()
            self.store.close()

    def summary(self) -> str:
        text = f"{self.n_done} of {self.plan.n_runs} runs were finished"
        if self.store is None:
            return f"{text}, but there is no store that keeps them"
        return f"{text}; the same sweep with the store {self.store.folder} makes the others"


def make_runs(ledger: Ledger, workers: Workers) -> None:
    returned: deque[Chunk] = deque()  # chunks whose worker died
    try:
        while len(ledger.missing) or returned or workers.n_busy:
            for _ in range(workers.n_slots - workers.n_busy):
                if returned:
                    workers.submit(returned.popleft())
                elif len(ledger.missing):
                    workers.submit(next_chunk(ledger, workers.n_slots))
            for chunk, answer in workers.finished():
                if isinstance(answer, Death):
                    bury(chunk, answer, ledger, returned)
                else:
                    ledger.add(answer)
    finally:
        workers.close()


def next_chunk(ledger: Ledger, n_slots: int) -> Chunk:
    fair = math.ceil(len(ledger.missing) / (CHUNKS_LEFT_PER_SLOT * n_slots))
    n = max(1, min(fair, int(SECONDS_PER_CHUNK / ledger.seconds_per_run)))
    runs, ledger.missing = ledger.missing[:n], ledger.missing[n:]
    return Chunk(runs, ledger.plan.values_of(runs))


def bury(chunk: Chunk, death: Death, ledger: Ledger, returned: deque[Chunk]) -> None:
    """Runs of a worker that died are made again, in halves, until the one that kills is alone."""
    if len(chunk.runs) == 1 and chunk.n_deaths + 1 >= MOST_DEATHS:
        ledger.add(rows_of(chunk.runs, [Outcome("crashed", death.reason, np.nan)]))
    else:
        returned.extend(chunk.divided())
