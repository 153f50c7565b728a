"""The command and the module do the same: `upk set` and assigning, `upk get` and reading, byte for byte."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from conftest import needs_upk, upk, weapons

import farchive

CHANGES = {
    "DT[Sword].Damage": "40",
    "DT[Sword].Title": "A (sharp) sword, once more",
    "DT[Sword].Names": '("One","Two","A third")',
    "DT[Axe]": '(Damage=55.0,Title="An axe")',
}


def run(*words: str) -> str:
    command = upk()
    assert command is not None
    return subprocess.run([command, *words], check=True, capture_output=True, text=True).stdout


@needs_upk
def test_setting_and_saving_gives_the_same_bytes(tmp_path: Path) -> None:
    file, one, all_at_once = (tmp_path / name for name in ("DT.uasset", "One.uasset", "All.uasset"))
    weapons().save_as(file)
    run("set", str(file), *(f"{path}={text}" for path, text in CHANGES.items()), "-o", str(all_at_once))
    p = farchive.open(file)
    p.update(CHANGES)
    assert p.to_bytes() == all_at_once.read_bytes()
    # One edit after the other, too.
    before = file
    for number, (path, text) in enumerate(CHANGES.items()):
        then = tmp_path / f"Step{number}.uasset"
        run("set", str(before), f"{path}={text}", "-o", str(then))
        before = then
    p = farchive.open(file)
    for path, text in CHANGES.items():
        p[path] = text
    p.save_as(one)
    assert one.read_bytes() == before.read_bytes()


@needs_upk
def test_texts_are_those_that_the_command_prints(tmp_path: Path) -> None:
    file = tmp_path / "DT.uasset"
    weapons().save_as(file)
    p = farchive.open(file)
    for line in run("get", str(file), "DT", "--json").splitlines():
        found = json.loads(line)
        path = found["property"]
        assert p.text(f"DT{'' if path.startswith('[') else '.'}{path}") == found["value"]


@needs_upk
def test_scan_gives_the_rows_of_the_command(depot: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    run("scan", str(depot), "-o", str(tmp_path / "out"), "--tables", ",".join(farchive.tables()))
    for table in farchive.tables():
        files = sorted((tmp_path / "out" / table).glob("*.parquet"))
        written = [row for file in files for row in parquet.read_table(file).to_pylist()]
        found = pyarrow.table(farchive.scan(depot, table)).to_pylist()
        assert sorted(map(repr, found)) == sorted(map(repr, written)), table
