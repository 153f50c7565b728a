"""What is measured, with --measure: time beside Rust's, and memory."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import weapons

import farchive
from farchive import _farchive


def lights() -> farchive.Package:
    """A map of Unreal Tournament."""
    p = farchive.new("ut99")

    def light(number: int) -> dict[str, object]:
        return {
            "LightRadius:byte": number % 256,
            "LightBrightness:byte": 64,
            "Tag:name": f"Light{number % 50}",
            "Location:struct:Vector": {"X": number, "Y": -2 * number, "Z": 32.5},
            "bStatic:bool": True,
            "DrawScale:float": 1.25,
            "Health:int": number,
            "Title:string": f"The light with number {number}",
        }

    p.add_all({f"Light{n}": ("Engine.Light", light(n)) for n in range(1_000)})
    return farchive.open(p.to_bytes())


def assets() -> farchive.Package:
    """Objects of UE5."""
    p = farchive.new_asset("/Game/A", "/Script/M.A", engine="5.4")

    def asset(number: int) -> dict[str, object]:
        return {
            "Radius:int": number,
            "Brightness:double": 0.1 * number,
            "Tag:name": f"Light{number % 50}",
            "Location:struct:Vector": {"X": number, "Y": -2 * number, "Z": 32.5},
            "bStatic:bool": True,
            "Scale:float": 1.25,
            "Numbers:array:int": [1, 2, 3],
            "Title:string": f"The asset with number {number}",
        }

    p["A"].update(asset(0))
    p.add_all({f"B{n}": ("/Script/M.A", asset(n)) for n in range(1, 1_000)})
    return farchive.open(p.to_bytes())


@pytest.fixture(autouse=True)
def _measured(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--measure"):
        pytest.skip("measured with --measure")


def memory() -> int:
    """Bytes that the process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_ten_thousand_opens_leave_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "DT.uasset"
    weapons().save_as(file)
    data = file.read_bytes()

    def open_and_look(count: int) -> None:
        for number in range(count):
            p = farchive.open(data if number % 2 else file)
            p["DT"].rows
            p["DT.RowStruct"].path
            body = p["DT"].body
            if number % 20 == 0:
                p["DT.Sword.Damage"] = number
                p.to_bytes()
                with pytest.raises(farchive.NotFound):
                    p["DT.Nothing"]
            del p, body

    open_and_look(2_000)
    gc.collect()
    before = memory()
    open_and_look(10_000)
    gc.collect()
    grown = memory() - before
    print(f"memory after 10,000 opens: {grown:+,} bytes")
    assert grown < 4 << 20


#: Ways to go through a folder, and the most bytes that a file may add to what they hold.
WAYS = {
    "scan": ('for part in farchive.scan(sys.argv[1], "packages", ["path"]): pass', 100),
    "files": ("for some in farchive._farchive.FileWalk([sys.argv[1]]): pass", 100),
    "store": ("for file in list_remote('file://' + sys.argv[1], {}): pass", 100),
    # All partitions of a job are held at once.
    "partitions": ("held = list(map(lambda it: _Partition(it, False), _parts(_local_files(sys.argv[1], None), 64 << 20, 2_000)))", 200),
}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("way", WAYS)
def test_more_files_take_no_more_memory(tmp_path: Path, way: str) -> None:
    """Files are found while they are asked for: what is left is the noise of an allocator."""
    work, most = WAYS[way]
    if way == "partitions":
        pytest.importorskip("pyspark.sql.datasource")
        work = f"from farchive.spark import _Partition, _local_files, _parts\n{work}"
    program = f"""
import sys, farchive
from farchive._listing import list_remote
{work}
import resource
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    content = weapons().to_bytes()
    held = []
    for count in (20_000, 60_000):
        folder = tmp_path / str(count)
        for number in range(count):
            place = folder / f"{number // 1_000:02}"
            if number % 1_000 == 0:
                place.mkdir(parents=True)
                (place / "DT0.uasset").write_bytes(content)
            else:
                os.link(place / "DT0.uasset", place / f"DT{number % 1_000}.uasset")
        said = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True, check=True)
        held.append(int(said.stdout) << 10)
    each = (held[1] - held[0]) / 40_000
    print(f"{way}: {held[0] >> 20} and {held[1] >> 20} MB, {each:.0f} bytes a file")
    assert each < most


@pytest.mark.parametrize("make", [lights, assets])
def test_a_loop_over_properties_is_near_rust(make: Callable[[], farchive.Package]) -> None:
    p = make()
    assert len(p) >= 1_000
    best = {"python": 9.0, "rust": 9.0}
    for _ in range(9):
        start = time.perf_counter()
        count = sum(len(o.properties) for o in p.objects)
        best["python"] = min(best["python"], time.perf_counter() - start)
        start = time.perf_counter()
        assert _farchive._count_properties(p) == count == 8_000
        best["rust"] = min(best["rust"], time.perf_counter() - start)
    ratio = best["python"] / best["rust"]
    print(f"1,000 objects, 8,000 properties: {best}, {ratio:.2f} times Rust's time")
    assert ratio <= 3
