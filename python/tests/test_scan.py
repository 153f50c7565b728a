"""Folders as tables: the same rows for pyarrow, polars, DuckDB, and as what packages say themselves."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow
import pytest
from conftest import pak

import farchive


def fetched(relation: Any) -> list[tuple[Any, ...]]:
    return list(relation.fetchall())


def sorted_rows(table: pyarrow.Table) -> list[str]:
    return sorted(map(repr, table.to_pylist()))


def test_tables_and_columns_are_documented() -> None:
    assert farchive.tables()[0] == "packages"
    for table in farchive.tables():
        for name, kind, nullable, doc in farchive.columns(table):
            assert name and kind in {"VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"} and doc
            assert isinstance(nullable, bool)


def test_rows_are_what_the_packages_say(depot: Path) -> None:
    exports = pyarrow.table(farchive.scan(depot, "exports", jobs=1)).to_pylist()
    packages = pyarrow.table(farchive.scan(depot, "packages", jobs=1)).to_pylist()
    paths = {row["package_id"]: row["path"] for row in packages}
    expected = []
    for file in sorted(depot.iterdir()):
        if file.suffix in {".unr", ".uasset"}:
            for o in farchive.open(file):
                expected.append((str(file), o.row, o.path, o.class_path, o.size, o.offset))
    found = [
        (paths[row["package_id"]], row["i"], row["path"], row["class"], row["size"], row["offset"])
        for row in exports
    ]
    assert found == expected and len(found) == 10


def test_damaged_files_are_rows(depot: Path) -> None:
    packages = pyarrow.table(farchive.scan(depot, "packages")).to_pylist()
    assert len(packages) == 9, "the text is no row"
    wrong = [row for row in packages if row["status"] != "opened"]
    assert [Path(row["path"]).name for row in wrong] == ["Damaged.u"] and wrong[0]["error"]
    findings = pyarrow.table(farchive.scan(depot, "findings")).to_pylist()
    assert [row["package_id"] for row in findings] == [wrong[0]["package_id"]]
    named = pyarrow.table(farchive.scan([depot / "notes.txt"], "packages")).to_pylist()
    assert named[0]["status"] == "failed", "what is named is a row, package or not"


def test_all_engines_take_the_rows(depot: Path) -> None:
    tables = farchive.scan(depot)
    assert list(tables) == [table for table in farchive.tables() if table != "leaves"]
    for name, rows in tables.items():
        table = pyarrow.table(rows)
        assert table.column_names == [column for column, *_ in farchive.columns(name)]
        assert polars.DataFrame(rows).height == table.num_rows
        assert fetched(duckdb.sql("SELECT count(*) FROM rows")) == [(table.num_rows,)]
        # The stream is made anew each time, alone as with the others.
        assert sorted_rows(pyarrow.table(farchive.scan(depot, name))) == sorted_rows(table)
    rows = tables["properties"]
    found = fetched(duckdb.sql("SELECT text FROM rows WHERE path = 'Tag' ORDER BY text"))
    assert found == [(f"Hall{number}",) for number in range(6)]


def test_columns_are_chosen(depot: Path) -> None:
    rows = farchive.scan(depot, "exports", ["class", "path"])
    assert rows.column_names == ["class", "path"] and rows.table == "exports"
    table = pyarrow.table(rows)
    assert table.column_names == ["class", "path"] and table.num_rows == 10
    assert pyarrow.schema(rows) == table.schema
    with pytest.raises(farchive.Invalid, match="klass"):
        farchive.scan(depot, "exports", ["klass"])
    with pytest.raises(farchive.NotFound, match="exports"):
        farchive.scan(depot, "export")


def test_hashes_that_are_named_are_made(depot: Path) -> None:
    rows = pyarrow.table(farchive.scan(depot, "packages", ["path", "status", "sha1", "md5"])).to_pylist()
    opened = [row for row in rows if row["status"] == "opened"]
    for row in opened:
        file = Path(row["path"]).read_bytes()
        assert (row["sha1"], row["md5"]) == (hashlib.sha1(file).hexdigest(), hashlib.md5(file).hexdigest())
    assert opened
    some = pyarrow.table(farchive.scan(depot, "packages", ["path", "md5"])).to_pylist()
    assert {row["md5"] for row in some if row["md5"]} == {row["md5"] for row in opened}
    whole = pyarrow.table(farchive.scan(depot, "packages")).to_pylist()
    assert all(row["sha1"] is None and row["md5"] is None for row in whole), "nobody asked for them"


def test_progress_is_told_and_ends_the_scan(depot: Path) -> None:
    calls: list[tuple[int, int]] = []
    farchive.scan(depot, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (9, 9), "what is called notes.txt is not opened"

    def stop(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        farchive.scan(depot, ["names"], progress=stop)
    # Arrow's C interface knows texts alone, iteration keeps the exception.
    with pytest.raises(pyarrow.ArrowInvalid, match="enough"):
        pyarrow.table(farchive.scan(depot, "names", progress=stop))
    with pytest.raises(RuntimeError, match="enough"):
        list(farchive.scan(depot, "names", progress=stop))
    parts = [pyarrow.table(rows) for rows in farchive.scan(depot, "names", jobs=1)]
    assert pyarrow.concat_tables(parts) == pyarrow.table(farchive.scan(depot, "names", jobs=1))


def test_nobody_has_to_read_to_the_end(depot: Path) -> None:
    for _ in range(50):
        reader = pyarrow.RecordBatchReader.from_stream(farchive.scan(depot, "names", jobs=3))
        reader.read_next_batch()
        del reader


def test_containers_are_folders(tmp_path: Path) -> None:
    content = farchive.new_data_table("/Game/A", "/Script/M.Row", ["Count:int"], {"One": {"Count": 1}}).to_bytes()
    (tmp_path / "Game.pak").write_bytes(pak({"Town/Content/A.uasset": content}))
    inside = tmp_path / "Game.pak" / "Town" / "Content" / "A.uasset"
    assert [file for file, *_ in farchive.list_files([tmp_path])] == [inside]
    assert farchive.list_files([tmp_path])[0][4] == len(content)
    assert farchive.open(inside)["A.One.Count"] == 1
    rows = pyarrow.table(farchive.scan(tmp_path, "packages", keys=["0x" + "00" * 32])).to_pylist()
    assert [(row["path"], row["bytes"], row["status"]) for row in rows] == [(str(inside), len(content), "opened")]
    with pytest.raises(farchive.Error):
        farchive.scan(tmp_path, keys=["0x12"])
    # One that can't be opened is a row, and nothing that was passed over without a word.
    (tmp_path / "Cut.pak").write_bytes((tmp_path / "Game.pak").read_bytes()[-160:])
    rows = pyarrow.table(farchive.scan(tmp_path, "packages")).to_pylist()
    assert [(Path(row["path"]).name, row["status"]) for row in rows] == [("Cut.pak", "failed"), ("A.uasset", "opened")]


def test_equal_folders_have_equal_tables_wherever_they_lie(depot: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "another" / "place"
    shutil.copytree(depot, elsewhere)
    (elsewhere / "Game.pak").write_bytes(pak({"Town/Content/A.uasset": (depot / "DT.uasset").read_bytes()}))
    shutil.copy(elsewhere / "Game.pak", depot / "Game.pak")
    for table in farchive.tables():
        here, there = (pyarrow.table(farchive.scan(folder, table)).to_pylist() for folder in (depot, elsewhere))
        for rows in (here, there):
            for row in rows:
                for name in ("path", "modified") if table == "packages" else ():
                    row.pop(name)
        assert sorted(map(repr, here)) == sorted(map(repr, there)) and here, table
    rows = pyarrow.table(farchive.scan([depot, elsewhere], "packages", ["package_id", "relative_path"])).to_pylist()
    names = {row["relative_path"] for row in rows}
    assert {"depot/Map0.unr", "place/Game.pak/Town/Content/A.uasset"} <= names
    assert len(names) == len({row["package_id"] for row in rows}) == len(rows) == 20
    named = pyarrow.table(farchive.scan([depot / "Map0.unr", elsewhere / "Map0.unr"], "packages")).to_pylist()
    assert [row["relative_path"] for row in named] == [row["path"] for row in named], "two would be called the same"
