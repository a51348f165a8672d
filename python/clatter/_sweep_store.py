"""The folder in which a sweep keeps what it has finished, so that it can go on after a kill.

_manifest.json says which sweep it is. Each part-*.parquet has some runs, with their values, status
and results; a part appears whole or not at all, and the run's number is in each of its rows. So a
folder can be read by itself, with pandas.read_parquet(folder), at any time.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from clatter._sweep_plan import Plan
from clatter._sweep_rows import Rows, SweepError

BETWEEN_PARTS = 2.0  # s: a part has all that was finished in this time
MANIFEST = "_manifest.json"  # readers of Parquet pass over names that begin with _
FORMAT = 1


class Store:
    """manifest: what makes a sweep what it is; its texts are compared with those of the folder."""

    def __init__(self, folder: str | os.PathLike[str], manifest: dict[str, Any], plan: Plan):
        self.folder = Path(folder)
        self.plan = plan
        self.waiting: list[Rows] = []
        self.written = time.monotonic()
        manifest = {"format": FORMAT, **manifest}
        self.open_folder()
        try:
            self.claim(manifest)
            self.parts = self.read_parts()
        except BaseException:
            self.close()
            raise

    def open_folder(self) -> None:
        """Locks it: two sweeps that write into one folder would make every run twice."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise SweepError(f"the store {self.folder} is not a folder") from None
        self.lock = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self.lock)
            raise SweepError(f"another sweep is at work in the store {self.folder}") from None

    def claim(self, manifest: dict[str, Any]) -> None:
        path = self.folder / MANIFEST
        if not path.exists():
            if any(not entry.name.startswith(".") for entry in self.folder.iterdir()):
                raise SweepError(
                    f"{self.folder} is not the store of a sweep, and not empty: choose another folder"
                )
            replace_file(path, json.dumps(manifest, indent=2).encode() + b"\n")
            return
        try:
            found = json.loads(path.read_text())
            if not isinstance(found, dict):
                raise ValueError("it is no object")
        except ValueError as error:
            raise SweepError(f"{path} cannot be read: {error}") from error
        differing = [
            f"  {key}: there {found.get(key, 'nothing')}, now {manifest.get(key, 'nothing')}"
            for key in {**manifest, **found}
            if found.get(key) != manifest.get(key)
        ]
        if differing:
            raise SweepError(
                f"the store {self.folder} belongs to another sweep:\n"
                + "\n".join(differing)
                + "\nChoose another folder, or delete this one if its results are not needed."
            )

    def read_parts(self) -> list[Rows]:
        """Every run once, should two parts have it."""
        seen = np.zeros(self.plan.n_runs, dtype=bool)
        parts = []
        for path in sorted(self.folder.glob("part-*.parquet")):
            rows = read_part(path)
            if np.any((rows.runs < 0) | (rows.runs >= self.plan.n_runs)):
                raise SweepError(f"{path} has runs that the sweep does not have")
            if np.any(seen[rows.runs]):
                raise SweepError(f"{path} has runs that another part has, too: delete one of them")
            seen[rows.runs] = True
            parts.append(rows)
        return parts

    def add(self, rows: Rows) -> None:
        self.waiting.append(rows)
        if time.monotonic() - self.written >= BETWEEN_PARTS:
            self.flush()

    def flush(self) -> None:
        """Rows whose results differ in names or shapes go to parts of their own; joining tells."""
        import pyarrow

        if self.waiting:
            tables = [table_of(rows, self.plan) for rows in self.waiting]
            groups: dict[Any, list[Any]] = {}
            for table in tables:
                groups.setdefault(schema_key(table), []).append(table)
            for group in groups.values():
                self.write_part(pyarrow.concat_tables(group))
        self.waiting = []
        self.written = time.monotonic()

    def write_part(self, table: Any) -> None:
        import pyarrow
        import pyarrow.parquet

        sink = pyarrow.BufferOutputStream()
        pyarrow.parquet.write_table(table, sink)
        first = table.column("run")[0].as_py()
        replace_file(self.folder / f"part-{first:010d}.parquet", sink.getvalue())

    def close(self) -> None:
        os.close(self.lock)


def replace_file(path: Path, data: Any) -> None:
    """Whole or not at all, also when the machine stops."""
    hidden = path.with_name(f".{path.name}.unfinished")
    with open(hidden, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(hidden, path)


def schema_key(table: Any) -> Any:
    return (
        tuple(table.schema.names),
        tuple(map(str, table.schema.types)),
        str(table.schema.metadata),
    )


def table_of(rows: Rows, plan: Plan) -> Any:
    """Arrays are lists in their cells; shapes, dimensions and coordinates are in the metadata."""
    import pyarrow

    columns: dict[str, Any] = {"run": pyarrow.array(rows.runs)}
    for name, column in plan.values_of(rows.runs).items():
        columns[name] = pyarrow.array(column)
    columns["status"] = pyarrow.array(rows.status, pyarrow.string())
    columns["reason"] = pyarrow.array(rows.reason, pyarrow.string())
    columns["time_reached"] = pyarrow.array(rows.time_reached)
    for name, column in rows.columns.items():
        if column.dtype == object:
            columns[name] = pyarrow.array(column, pyarrow.string())
        elif column.ndim == 1:
            columns[name] = pyarrow.array(column)
        else:
            size = int(np.prod(column.shape[1:]))
            columns[name] = pyarrow.FixedSizeListArray.from_arrays(column.ravel(), size)
    details = {
        "dims": rows.dims,
        "shapes": {name: column.shape[1:] for name, column in rows.columns.items()},
        "coords": {
            dim: [str(values.dtype), values.tolist()] for dim, values in rows.coords.items()
        },
    }
    return pyarrow.table(columns, metadata={"clatter": json.dumps(details)})


def read_part(path: Path) -> Rows:
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.ParquetFile(path).read()
        details = json.loads(table.schema.metadata[b"clatter"])
        columns = {
            name: array_of(table.column(name), shape) for name, shape in details["shapes"].items()
        }
        return Rows(
            runs=table.column("run").to_numpy(),
            status=table.column("status").to_pylist(),
            reason=table.column("reason").to_pylist(),
            time_reached=table.column("time_reached").to_numpy(),
            columns=columns,
            dims={name: tuple(dims) for name, dims in details["dims"].items()},
            coords={
                dim: np.array(values, dtype=kind)
                for dim, (kind, values) in details["coords"].items()
            },
        )
    except (OSError, KeyError, TypeError, ValueError, pyarrow.ArrowException) as error:
        raise SweepError(
            f"{path} cannot be read: {error}. Delete it and its runs will be made again"
        ) from error


def array_of(column: Any, shape: list[int]) -> np.ndarray:
    import pyarrow

    if pyarrow.types.is_string(column.type):
        return np.array(column.to_pylist(), dtype=object)
    if not shape:
        return np.asarray(column.to_numpy())
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return np.asarray(flat.reshape(len(column), *shape))
