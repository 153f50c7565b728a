"""What Python's own tools do with the objects: `with`, files, pickle, notebooks, and Ctrl-C."""

from __future__ import annotations

import io
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import weapons

import farchive


def test_packages_are_opened_from_files_and_within_with(tmp_path: Path) -> None:
    file = tmp_path / "DT.uasset"
    weapons().save_as(file)
    with open(file, "rb") as opened, farchive.open(opened) as p:
        assert p["DT.Sword.Count"] == 3 and p.path is None
    assert farchive.open(io.BytesIO(file.read_bytes()))["DT.Sword.Count"] == 3
    with open(file, encoding="latin-1") as text, pytest.raises(TypeError, match="rb"):
        farchive.open(text)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="int"):
        farchive.open(3)  # type: ignore[arg-type]


def test_what_is_not_there_has_a_default() -> None:
    p = weapons()
    assert p.get("Nope") is None and p.get("Nope", 3) == 3 and p.get("DT.Nope", 4) == 4
    assert "Nope" not in p and "DT" in p
    for path in ("Nope", "DT.Nope"):
        with pytest.raises(KeyError):
            p[path]


def test_an_object_is_a_mapping_for_dict() -> None:
    p = farchive.new_asset("/Game/A", "/Script/M.A", {"X:int": 1, "Y:int": 2})
    assert dict(p["A"]) == p["A"].properties == dict(p["A"].items())
    assert p["A"].keys() == ["X", "Y"] and p["A"].values() == [1, 2]
    assert {**p["A"]} == {"X": 1, "Y": 2}


def test_handles_show_themselves_after_rows_have_changed() -> None:
    p = farchive.new("ut99")
    for name in ("Info0", "Info1"):
        p.add(name, "Engine.Info")
    held = p["Info1"]
    p.remove("Info0")
    assert "before rows changed" in repr(held)
    with pytest.raises(farchive.Invalid, match="anew"):
        held.path


def test_saving_over_its_own_file_goes_on_from_it(tmp_path: Path) -> None:
    file = tmp_path / "DT.uasset"
    p = weapons()
    p.save_as(file)
    p["DT.Sword.Count"] = 4
    p.save_as(file, overwrite=True)
    p["DT.Sword.Count"] = 5
    p.save(backup=False)
    assert farchive.open(file)["DT.Sword.Count"] == 5


def test_notebooks_show_packages_and_pictures() -> None:
    p = farchive.new("ut99")
    p.add_texture("Walls.Red", farchive.Image(4, 4, bytes([200, 30, 30, 255]) * 16))
    html = p._repr_html_()
    assert "<table>" in html and "Walls.Red" in html and "&lt;farchive.Package" in html
    png = p["Walls.Red"]._repr_png_()
    assert png is not None and png.startswith(b"\x89PNG")
    assert p["Walls"]._repr_png_() is None
    assert p["Walls.Red"].image()._repr_png_().startswith(b"\x89PNG")


def test_a_release_that_nobody_knows_is_refused() -> None:
    for engine in ("9.9", "4.99"):
        with pytest.raises(farchive.Error, match="known"):
            farchive.open(weapons().to_bytes(), engine=engine)
        with pytest.raises(farchive.Error, match="known"):
            farchive.new_asset("/Game/A", "/Script/M.A", engine=engine)


def test_mappings_are_pickled() -> None:
    # An empty list of names, enums and structs (spec: ue4-5/04), not compressed.
    content = bytes(12)
    data = b"\xc4\x30" + bytes([0, 0]) + len(content).to_bytes(4, "little") * 2 + content
    mappings = farchive.Mappings(data)
    copied = pickle.loads(pickle.dumps(mappings))
    assert repr(copied) == repr(mappings) == f"<farchive.Mappings of {len(data)} bytes>"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as POSIX has them")
@pytest.mark.parametrize(
    "work",
    [
        "pyarrow.table(rows)",
        "list(rows)",
        "farchive._farchive.scan_files(files, ['names', 'exports'])",
        "list(rows_with_progress)",
    ],
)
def test_an_interrupt_ends_a_scan_of_many_files_at_once(tmp_path: Path, work: str) -> None:
    weapons().save_as(tmp_path / "DT.uasset")
    program = f"""
import sys, time, pathlib, pyarrow, farchive
file = pathlib.Path({str(tmp_path / "DT.uasset")!r})
files = [(file, str(file), None, False, None, None, str(file))] * 100_000
rows = farchive._farchive.scan_files(files, "properties", jobs=2)
rows_with_progress = farchive._farchive.scan_files(files, "properties", jobs=2, progress=lambda done, all: None)
print("ready", flush=True)
try:
    {work}
except (KeyboardInterrupt, pyarrow.ArrowException):
    # Arrow's streams hand an interrupt on as an error of their own.
    sys.exit(7)
sys.exit(0)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.perf_counter()
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 7
    # A second on a machine of its own; this one may be busy.
    assert time.perf_counter() - start < 4


def test_progress_comes_by_time_and_not_by_batches(tmp_path: Path) -> None:
    weapons().save_as(tmp_path / "DT.uasset")
    file = tmp_path / "DT.uasset"
    count, seconds = 1_500, 0.0
    calls: list[tuple[int, int]] = []
    # A fast machine is done with a few files before the first time is over: then it gets more.
    while seconds < 0.5:
        count, calls = count * 2, []
        files = [(file, str(file), None, False, None, None, str(file))] * count
        start = time.perf_counter()
        farchive._farchive.scan_files(files, ["packages"], jobs=1, progress=lambda done, all: calls.append((done, all)))
        seconds = time.perf_counter() - start
    assert calls[-1] == (count, count) and [done for done, _ in calls] == sorted(done for done, _ in calls)
    # A call every twentieth of a second on a machine of its own; this one may be busy.
    assert len(calls) >= 1 + int(seconds * 4), (len(calls), seconds)
