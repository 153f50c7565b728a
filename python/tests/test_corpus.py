"""Real packages: everything in them is a value of Python, and they come out as they were."""

from __future__ import annotations

from pathlib import Path

import pyarrow
import pytest
from conftest import corpus, needs_corpus

import farchive


def packages(most: int) -> list[tuple[Path, farchive.Package]]:
    """Some packages of each folder, spread over it."""
    root = corpus()
    assert root is not None
    found = []
    for folder in ("classic", "conform", "modern"):
        files = [f for f in sorted((root / folder).iterdir()) if f.suffix not in {".uexp", ".ubulk", ".tsv"}]
        for file in files[:: max(1, len(files) // most)]:
            if not file.is_file():
                continue
            try:
                found.append((file, farchive.open(file)))
            except farchive.Error as error:
                assert str(error)
    return found


@needs_corpus
def test_real_packages_are_values_and_come_out_as_they_were() -> None:
    seen = values = tables = 0
    for file, p in packages(40):
        seen += 1
        for o in p.objects:
            try:
                properties = o.properties
            except farchive.Invalid:
                continue
            values += len(properties)
            for name in list(properties)[:3]:
                got = o.get(name)
                assert got == properties[name] or got != got, (file, o.path, name)
            if o.class_path.endswith("DataTable"):
                tables += len(o.rows)
        report = p.verify()
        if report.identical:
            files = p.to_files()
            assert files[0] == file.read_bytes(), file
    assert seen > 60 and values > 5_000, (seen, values)


@needs_corpus
def test_setting_values_to_themselves_changes_nothing() -> None:
    count = 0
    for file, p in packages(12):
        before = p.to_bytes() if p.verify().identical else None
        if before is None or p.size > 400_000:
            continue
        for o in p.objects[:20]:
            try:
                properties = o.properties
            except farchive.Invalid:
                continue
            # What is not decoded can't be set, nor can what two properties are called.
            plain = {k: v for k, v in properties.items() if isinstance(v, (int, float, bool, str, dict, list))}
            for name, value in list(plain.items())[:4]:
                try:
                    o[name] = value
                except farchive.Error as error:
                    assert "decoded" in str(error) or "opaque" in str(error) or "names" in str(error), (file, o, name, value, error)
                    continue
                count += 1
        assert p.to_bytes() == before, file
    assert count > 200, count


@needs_corpus
def test_scans_of_real_packages_have_what_they_say() -> None:
    root = corpus()
    assert root is not None
    table = pyarrow.table(farchive.scan(root / "conform", "exports", jobs=2))
    expected = 0
    for file in sorted((root / "conform").iterdir()):
        try:
            expected += len(farchive.open(file))
        except (farchive.Error, OSError):
            continue
    assert table.num_rows == expected > 1_000
    _ = pytest


@needs_corpus
def test_sizes_of_objects_and_tables_are_those_of_the_files() -> None:
    """To the byte: those of objects with their bulk data, of tables, and of bulk data that nobody refers to."""
    root = corpus()
    assert root is not None
    named = ("modern", "modern-ue6", "wild/modern")
    found = [file for part in named for file in sorted((root / part).glob("*.uasset"))]
    with_bulk = [file for file in found if file.with_suffix(".ubulk").exists()]
    tables = farchive.scan(found[::10] + with_bulk, ["packages", "exports"])
    sizes: dict[int, int] = {}
    for row in pyarrow.table(tables["exports"]).to_pylist():
        sizes[row["package_id"]] = sizes.get(row["package_id"], 0) + row["total_size"]
        parts = ("package_bulk", "trailer_bulk", "ubulk", "uptnl", "upayload")
        assert row["total_size"] == row["size"] + sum(row[part] for part in parts)
    seen = beside = unknown = 0
    for row in pyarrow.table(tables["packages"]).to_pylist():
        if row["status"] != "opened":
            continue
        file = Path(row["path"])
        ends = (".ubulk", ".uptnl", ".m.ubulk", ".upayload")
        bulk = sum(file.with_suffix(end).stat().st_size for end in ends if file.with_suffix(end).exists())
        assert row["total_bytes"] == row["image_bytes"] + bulk
        assert sizes[row["package_id"]] + row["table_bytes"] + row["unknown_bulk"] == row["total_bytes"], file
        seen, beside = seen + 1, beside + (bulk > 0)
        unknown += row["unknown_bulk"] > 0.001 * row["total_bytes"]
    assert seen > 50 and beside > 0
    assert unknown <= 0.03 * seen, "what nobody refers to is in few packages"
