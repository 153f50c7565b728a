"""What the tests share. Packages are made here; real ones are used where UPK_CORPUS names a folder of them."""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
from pathlib import Path

import pytest

import farchive


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--spark", action="store_true", help="also run on Apache Spark, which needs Java")
    parser.addoption("--measure", action="store_true", help="also measure: time and memory")


def corpus() -> Path | None:
    """The folder of real packages, if there is one."""
    named = os.environ.get("UPK_CORPUS")
    return Path(named) if named and Path(named).is_dir() else None


def upk() -> str | None:
    """The command, where it is built: UPK, or on the PATH."""
    return os.environ.get("UPK") or shutil.which("upk")


needs_corpus = pytest.mark.skipif(corpus() is None, reason="UPK_CORPUS names no folder of real packages")
needs_upk = pytest.mark.skipif(upk() is None, reason="the command upk is not built (UPK names it)")


def weapons() -> farchive.Package:
    """A package with a data table."""
    rows = {
        "Sword": {"Damage": 12.5, "Names": ["One", "Two"], "Count": 3, "Title": "A sword"},
        "Bow": {"Damage": 7, "Names": [], "Count": -1, "Title": 'with "quotes", and (more)'},
    }
    columns = ["Damage:float", "Names:array:name", "Count:int", "Title:string"]
    return farchive.new_data_table("/Game/Data/DT", "/Script/MyGame.WeaponRow", columns, rows)


def pak(files: dict[str, bytes]) -> bytes:
    """A container of version 3, not compressed: a record before each file, and the index (spec: ue4-5/10)."""

    def text(value: str) -> bytes:
        return struct.pack("<i", len(value) + 1) + value.encode() + b"\0"

    def record(offset: int, content: bytes) -> bytes:
        sizes = struct.pack("<qqqi", offset, len(content), len(content), 0)
        return sizes + hashlib.sha1(content).digest() + b"\0" + struct.pack("<I", 0)

    stored, index = b"", text("../../../") + struct.pack("<i", len(files))
    for name, content in files.items():
        index += text(name) + record(len(stored), content)
        stored += record(0, content) + content
    footer = struct.pack("<IIqq", 0x5A6F12E1, 3, len(stored), len(index)) + hashlib.sha1(index).digest()
    return stored + index + footer


@pytest.fixture
def depot(tmp_path: Path) -> Path:
    """A folder of packages of several engines, one of which is damaged."""
    folder = tmp_path / "depot"
    folder.mkdir()
    for number in range(6):
        p = farchive.new("ut99")
        p.add("Info0", "Engine.Info", {"Tag:name": f"Hall{number}", "Order:int": number})
        p.save_as(folder / f"Map{number}.unr")
    weapons().save_as(folder / "DT.uasset")
    strings = {"Greeting": "Hello", "Farewell": "Good bye"}
    farchive.new_string_table("/Game/Text/ST", strings, engine="4.27").save_as(folder / "ST.uasset")
    (folder / "Damaged.u").write_bytes((folder / "Map0.unr").read_bytes()[:60])
    (folder / "notes.txt").write_text("no package")
    return folder
