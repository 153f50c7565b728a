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
| ``table`` | ``packages``, ``names``, ``imports``, ``exports`` (if not said), ``properties``, ``leaves``, ``refs``, ``findings``, ``tags`` |
| ``columns`` | some of its columns, separated by commas (``sha1`` and ``md5`` are made for those who name columns); a schema (``.schema("path STRING")``) chooses them as well |
| ``partition_bytes`` | about so many bytes of packages become one partition (64 MiB) |
| ``partition_files`` | and at most so many files (2,000) |
| ``engine``, ``mappings``, ``game``, ``env``, ``keys`` | as ``farchive.open`` takes them; the last two with commas |
| ``storage.NAME`` | what the file system of an object store is given: ``storage.anon`` |
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from . import _farchive
from ._listing import RemoteFile, list_remote
from ._remote import RemoteScan, is_address, mappings_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql.types import StructType

#: SQL's types by those that tables are documented with.
_DDL = {"VARCHAR": "STRING", "BIGINT": "BIGINT", "DOUBLE": "DOUBLE", "BOOLEAN": "BOOLEAN"}
_PARTITION_BYTES = 64 << 20
_PARTITION_FILES = 2_000
#: What farchive.open takes.
_OPENING = ("engine", "game")


class _Partition(InputPartition):
    """Files that one task reads: held, and sent, in as few bytes as can be, since all partitions are at once."""

    def __init__(self, files: list[RemoteFile], is_remote: bool) -> None:
        super().__init__(None)
        self._packed, self.is_remote = zlib.compress(pickle.dumps(files)), is_remote

    @property
    def files(self) -> list[RemoteFile]:
        files: list[RemoteFile] = pickle.loads(zlib.decompress(self._packed))
        return files


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
        columns: list[str] | None = [str(name) for name in schema.names]
        # Columns that cost more than the rest are made where they are named.
        if columns == [name for name, *_ in _farchive.columns(self._table())]:
            columns = None
        return _Reader(dict(self.options), self._table(), columns)


class _Reader(DataSourceReader):
    def __init__(self, options: Mapping[str, str], table: str, columns: list[str] | None) -> None:
        self.options, self.table, self.columns = {k.lower(): v for k, v in options.items()}, table, columns

    def partitions(self) -> Sequence[InputPartition]:
        path = self.options.get("path")
        if not path:
            raise ValueError("the source upk needs a path: .load('/data/depot')")
        keys = _several(self.options, "keys")
        is_remote = is_address(path)
        files = list_remote(path, self._storage(), keys) if is_remote else _local_files(path, keys)
        most_bytes = int(self.options.get("partition_bytes", _PARTITION_BYTES))
        most_files = int(self.options.get("partition_files", _PARTITION_FILES))
        return [_Partition(part, is_remote) for part in _parts(files, most_bytes, most_files)]

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        assert isinstance(partition, _Partition)
        storage = self._storage()
        # Read once for all files of the task, as folders of other packages are.
        mappings = mappings_of(self.options.get("mappings"), storage)
        opening: dict[str, Any] = {name: self.options.get(name) for name in _OPENING}
        opening |= {name: _several(self.options, name) for name in ("env", "keys")}
        opening["mappings"] = mappings
        batches: Iterator[pyarrow.RecordBatch]
        if partition.is_remote:
            scan = RemoteScan(self.options["path"], storage, self.table, self.columns, opening)
            batches = scan.batches(partition.files)
        else:
            batches = self._local_rows(partition.files, opening)
        # To Spark every column of a source may be null, and it wants to be told so.
        for batch in batches:
            schema = pyarrow.schema([field.with_nullable(True) for field in batch.schema])
            yield pyarrow.RecordBatch.from_arrays(batch.columns, schema=schema)

    def _local_rows(self, files: list[RemoteFile], opening: dict[str, Any]) -> Iterator[pyarrow.RecordBatch]:
        tuples = [
            (Path(file.name), file.path, file.mount, file.is_named, None, file.fault, file.relative or file.path)
            for file in files
        ]
        # The engine has as many tasks as there are cores.
        rows = _farchive.scan_files(tuples, self.table, self.columns, jobs=1, **opening)
        yield from pyarrow.RecordBatchReader.from_stream(rows)

    def _storage(self) -> dict[str, Any]:
        head = "storage."
        words: dict[str, Any] = {"true": True, "false": False}
        own = {name[len(head) :]: value for name, value in self.options.items() if name.startswith(head)}
        return {name: words.get(value.lower(), value) for name, value in own.items()}


def _several(options: dict[str, str], name: str) -> list[Any] | None:
    """What an option says with commas."""
    return [each for each in options.get(name, "").split(",") if each] or None


def _local_files(path: str, keys: list[str] | None) -> Iterator[RemoteFile]:
    for some in _farchive.FileWalk([path], keys=keys):
        for file, shown, mount, named, size, fault, relative in some:
            yield RemoteFile(str(file), shown, mount, named, size, fault=fault, relative=relative)


def _parts(files: Iterable[RemoteFile], most_bytes: int, most_files: int) -> Iterator[list[RemoteFile]]:
    """Files in order, cut where one more would be too many or too much; at least one part."""
    held: list[RemoteFile] = []
    size = 0
    for file in files:
        if held and (size + file.size > most_bytes or len(held) >= most_files):
            yield held
            held, size = [], 0
        held.append(file)
        size += file.size
    yield held
