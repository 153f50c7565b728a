"""Folders of packages as a source of Apache Spark, and of engines that are compatible with it such as Sail.

    from farchive.spark import UpkDataSource

    spark.dataSource.register(UpkDataSource)
    exports = spark.read.format("upk").option("table", "exports").load("/data/depot")
    exports.groupBy("class").count().write.parquet("/data/classes")

The rows are those of ``farchive.scan`` and of ``upk scan``. A file that can't be opened does not end the job: it is a
row of the tables ``packages`` and ``findings``, with its error.

| option | means |
|---|---|
| ``path`` | a folder or a package, on a disk or in an object store (``s3://…``, whatever fsspec knows) |
| ``table`` | ``packages``, ``names``, ``imports``, ``exports`` (if not said), ``properties``, ``refs``, ``findings`` |
| ``columns`` | some of its columns, separated by commas; a schema (``.schema("path STRING")``) chooses them as well |
| ``partition_bytes`` | about so many bytes of packages become one partition (64 MiB) |
| ``partition_files`` | and at most so many files (2,000) |
| ``engine``, ``mappings``, ``game``, ``env``, ``keys`` | as ``farchive.open`` takes them; the last two with commas |
| ``storage.NAME`` | what the file system of an object store is given: ``storage.anon`` |
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from . import _farchive

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql.types import StructType

#: SQL's types by those that tables are documented with.
_DDL = {"VARCHAR": "STRING", "BIGINT": "BIGINT", "DOUBLE": "DOUBLE", "BOOLEAN": "BOOLEAN"}
#: Files that are read together with their package.
_COMPANIONS = {".uexp", ".ubulk", ".uptnl", ".upayload"}
_PARTITION_BYTES = 64 << 20
_PARTITION_FILES = 2_000
#: What farchive.open takes.
_OPENING = ("engine", "mappings", "game")


@dataclass
class _File:
    """A file to scan."""

    #: Where it lies: a path, or an address of fsspec.
    place: str
    #: What its rows call it.
    path: str
    #: What other packages call it, where the folder says it.
    mount: str | None
    #: Whether the user has named it.
    is_named: bool
    size: int
    #: The file of its bodies in an object store.
    bodies: str | None = None


class _Partition(InputPartition):
    """Files that one task reads."""

    def __init__(self, files: list[_File]) -> None:
        super().__init__(None)
        self.files = files


class UpkDataSource(DataSource):
    """The source named ``upk``; see the module for its options."""

    @classmethod
    def name(cls) -> str:
        return "upk"

    def _table(self) -> str:
        table = self.options.get("table", "exports")
        if table not in _farchive.tables():
            known = ", ".join(_farchive.tables())
            raise ValueError(f"there is no table '{table}': the tables are {known}")
        return table

    def _columns(self) -> list[str]:
        wanted = [name.strip() for name in self.options.get("columns", "").split(",") if name.strip()]
        return wanted or [name for name, *_ in _farchive.columns(self._table())]

    def schema(self) -> str:
        table = self._table()
        known = {name: kind for name, kind, _, _ in _farchive.columns(table)}
        for name in self._columns():
            if name not in known:
                all_names = ", ".join(known)
                raise ValueError(f"the table {table} has no column '{name}': its columns are {all_names}")
        return ", ".join(f"`{name}` {_DDL[known[name]]}" for name in self._columns())

    def reader(self, schema: StructType) -> DataSourceReader:
        # Sail hands over a schema of Arrow, which calls its fields the same.
        columns = [str(name) for name in schema.names]
        return _Reader(dict(self.options), self._table(), columns)


class _Reader(DataSourceReader):
    def __init__(self, options: Mapping[str, str], table: str, columns: list[str]) -> None:
        self.options, self.table, self.columns = {k.lower(): v for k, v in options.items()}, table, columns

    def partitions(self) -> Sequence[InputPartition]:
        path = self.options.get("path")
        if not path:
            raise ValueError("the source upk needs a path: .load('/data/depot')")
        if _is_remote(path):
            files = _remote_files(path, self._storage())
        else:
            files = _local_files(path, _several(self.options, "keys"))
        most_bytes = int(self.options.get("partition_bytes", _PARTITION_BYTES))
        most_files = int(self.options.get("partition_files", _PARTITION_FILES))
        return _parts(files, most_bytes, most_files)

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        assert isinstance(partition, _Partition)
        local = [file for file in partition.files if not _is_remote(file.place)]
        yield from self._rows([(Path(file.place), file) for file in local])
        remote = [file for file in partition.files if _is_remote(file.place)]
        # One after the other: what lies on the disk of a worker is one package.
        for file in remote:
            with tempfile.TemporaryDirectory(prefix="upk-") as folder:
                yield from self._rows([(_fetch(file, Path(folder), self._storage()), file)])

    def _rows(self, files: list[tuple[Path, _File]]) -> Iterator[pyarrow.RecordBatch]:
        if not files:
            return
        opening: dict[str, Any] = {name: self.options.get(name) for name in _OPENING}
        rows = _farchive.scan_files(
            [(place, file.path, file.mount, file.is_named) for place, file in files],
            self.table,
            self.columns,
            env=_several(self.options, "env"),
            keys=_several(self.options, "keys"),
            # The engine has as many tasks as there are cores.
            jobs=1,
            **opening,
        )
        reader = pyarrow.RecordBatchReader.from_stream(rows)
        # To Spark every column of a source may be null, and it wants to be told so.
        schema = pyarrow.schema([field.with_nullable(True) for field in reader.schema])
        for batch in reader:
            yield pyarrow.RecordBatch.from_arrays(batch.columns, schema=schema)

    def _storage(self) -> dict[str, Any]:
        head = "storage."
        words: dict[str, Any] = {"true": True, "false": False}
        own = {name[len(head) :]: value for name, value in self.options.items() if name.startswith(head)}
        return {name: words.get(value.lower(), value) for name, value in own.items()}


def _is_remote(path: str) -> bool:
    return "://" in path


def _several(options: dict[str, str], name: str) -> list[Any] | None:
    """What an option says with commas."""
    return [each for each in options.get(name, "").split(",") if each] or None


def _local_files(path: str, keys: list[str] | None) -> list[_File]:
    listed = _farchive.list_files([path], keys=keys)
    return [_File(str(file), shown, mount, named, size) for file, shown, mount, named, size in listed]


def _remote_files(path: str, storage: dict[str, Any]) -> list[_File]:
    import fsspec

    system, root = fsspec.core.url_to_fs(path, **storage)
    named = system.isfile(root)
    found = {root: system.info(root)} if named else system.find(root, detail=True)
    sizes = {name: int(info.get("size") or 0) for name, info in sorted(found.items())}
    files = []
    for name, size in sizes.items():
        place = PurePosixPath(name)
        if not named and place.suffix.lower() in _COMPANIONS:
            continue
        bodies = str(place.with_suffix(".uexp"))
        has_bodies = bodies in sizes or named and place.suffix.lower() in {".uasset", ".umap"} and system.exists(bodies)
        address = system.unstrip_protocol(name)
        own = system.unstrip_protocol(bodies) if has_bodies else None
        files.append(_File(address, address, None, named, size + sizes.get(bodies, 0), own))
    return files


def _fetch(file: _File, folder: Path, storage: dict[str, Any]) -> Path:
    """A copy of a package of an object store; where it can't be had, a path at which there is nothing."""
    import fsspec

    to = folder / PurePosixPath(file.place).name
    for place in (file.place, file.bodies):
        if place is None:
            continue
        system, name = fsspec.core.url_to_fs(place, **storage)
        copy = folder / PurePosixPath(name).name
        try:
            system.get_file(name, str(copy))
            written = system.modified(name).timestamp()
            os.utime(copy, (written, written))
        except NotImplementedError:
            pass
        except OSError:
            # The row says that it can't be read.
            copy.unlink(missing_ok=True)
            return to
    return to


def _parts(files: list[_File], most_bytes: int, most_files: int) -> list[InputPartition]:
    """Files in order, cut where one more would be too many or too much."""
    parts: list[InputPartition] = []
    held: list[_File] = []
    size = 0
    for file in files:
        if held and (size + file.size > most_bytes or len(held) >= most_files):
            parts.append(_Partition(held))
            held, size = [], 0
        held.append(file)
        size += file.size
    if held or not parts:
        parts.append(_Partition(held))
    return parts
