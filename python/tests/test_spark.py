"""The source `upk`: on Sail, and with --spark on Apache Spark, the rows are those of the scan."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import farchive

pytest.importorskip("pyspark")
from farchive.spark import UpkDataSource  # noqa: E402

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


def sail() -> Iterator[Any]:
    server = pytest.importorskip("pysail.spark").SparkConnectServer()
    from pyspark.sql import SparkSession

    server.start(background=True)
    host, port = server.listening_address
    session = SparkSession.builder.remote(f"sc://{host}:{port}").getOrCreate()
    yield session
    session.stop()
    server.stop()
    # What its client has noted would lead the next session to it.
    for name in ("SPARK_CONNECT_MODE_ENABLED", "SPARK_REMOTE"):
        os.environ.pop(name, None)


def apache() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module", params=["sail", "spark"])
def session(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "spark":
        if not request.config.getoption("--spark"):
            pytest.skip("Apache Spark is asked for with --spark")
        if shutil.which("java") is None:
            pytest.skip("there is no Java machine")
        yield from apache()
        return
    yield from sail()


def rows_of(frame: Any) -> list[tuple[Any, ...]]:
    return sorted(map(tuple, frame.collect()), key=repr)


def read(session: Any, path: Path | str, **options: str) -> Any:
    session.dataSource.register(UpkDataSource)
    return session.read.format("upk").options(**options).load(str(path))


def test_every_table_is_that_of_the_scan(session: Any, depot: Path) -> None:
    for table in farchive.tables():
        expected = pyarrow.table(farchive.scan(depot, table)).to_pylist()
        found = rows_of(read(session, depot, table=table, partition_files="2"))
        assert found == sorted((tuple(row.values()) for row in expected), key=repr), table


def test_a_poisoned_file_does_not_end_the_job(session: Any, depot: Path) -> None:
    for number in range(8):
        (depot / f"Poison{number}.uasset").write_bytes(bytes.fromhex("c1832a9e") + bytes([255 - number]) * 900)
    (depot / "Empty.umap").write_bytes(b"")
    found = read(session, depot, table="packages", partition_files="3").where("status <> 'opened'").collect()
    failed = [row for row in found if row["error"]]
    assert len(failed) == len(found) >= 9
    opened = read(session, depot, table="exports", partition_files="3").count()
    assert opened == 10


def test_columns_are_pruned(session: Any, depot: Path) -> None:
    frame = read(session, depot, table="exports", columns="class, path")
    assert frame.columns == ["class", "path"] and frame.count() == 10
    session.dataSource.register(UpkDataSource)
    chosen = session.read.format("upk").schema("path STRING, size BIGINT").load(str(depot))
    assert chosen.columns == ["path", "size"]
    assert rows_of(chosen) == rows_of(read(session, depot, columns="path,size"))
    with pytest.raises(Exception, match="klass"):
        read(session, depot, columns="klass").count()


def test_an_object_store_gives_the_same_rows(session: Any, depot: Path) -> None:
    local = rows_of(read(session, depot, table="properties", columns="path,type,text"))
    remote = rows_of(read(session, f"file://{depot}", table="properties", columns="path,type,text"))
    assert remote == local and remote
    packages = read(session, f"file://{depot}", table="packages")
    by_status = {row["status"]: row["count"] for row in packages.groupBy("status").count().collect()}
    assert by_status == {"opened": 8, "failed": 1}
    place = packages.where("status = 'failed'").collect()[0]["path"]
    assert place == f"file://{depot}/Damaged.u"


def test_results_are_written_by_the_engine(session: Any, depot: Path, tmp_path: Path) -> None:
    out = tmp_path / "classes"
    read(session, depot).groupBy("class").count().write.parquet(str(out))
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(out).to_pylist()
    assert {row["class"]: row["count"] for row in table}["Engine.Info"] == 6


def test_partitions_are_cut_by_bytes_and_files(depot: Path) -> None:
    def count(**options: str) -> list[int]:
        source = UpkDataSource({"path": str(depot), **options})
        from pyspark.sql.types import StructType

        reader = source.reader(StructType())
        return [len(part.files) for part in reader.partitions()]  # type: ignore[attr-defined]

    assert count() == [9]
    assert count(partition_files="4") == [4, 4, 1]
    assert count(partition_bytes="1") == [1] * 9
