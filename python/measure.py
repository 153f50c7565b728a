"""How the scan grows with workers: on one machine, on Apache Spark and on Sail.

    python/.venv/bin/python python/measure.py --packages 400 --engine scan spark sail

Packages are made (every second one a map of UE1, else assets of UE5, 200 objects each), and all properties of all of
them are read and summed up; ``--folder`` names real ones. Of each engine and number of workers the best of three runs
counts, after one that does not; runs with one and two workers take turns. Starting the engine is not counted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import farchive

OBJECTS = 200
ROUNDS = 3


def make(folder: Path, count: int) -> int:
    """Packages in a folder; how many bytes they have."""
    def values(number: int) -> dict[str, object]:
        return {"Radius:int": number, "Tag:name": f"Tag{number % 50}", "Title:string": f"Object {number}", "Scale:float": 1.25}

    old = farchive.new("ut99")
    old.add_all({f"Light{n}": ("Engine.Light", values(n)) for n in range(OBJECTS)})
    new = farchive.new_asset("/Game/A", "/Script/M.A", values(0))
    new.add_all({f"B{n}": ("/Script/M.A", values(n)) for n in range(1, OBJECTS)})
    kinds = [(old.to_bytes(), "unr"), (new.to_bytes(), "uasset")]
    for number in range(count):
        content, suffix = kinds[number % 2]
        place = folder / f"{number % 20}"
        place.mkdir(exist_ok=True)
        (place / f"P{number}.{suffix}").write_bytes(content)
    return sum(len(kinds[number % 2][0]) for number in range(count))


def timed(run: Callable[[], int], expected: int) -> None:
    """Runs on each line of input, so that runs of several processes take turns; prints seconds."""
    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.perf_counter()
        count = run()
        assert count == expected, (count, expected)
        print(f"{time.perf_counter() - start:.3f}", flush=True)


def worker(engine: str, workers: int, folder: str, expected: int) -> None:
    """What a process of its own does for one engine and number of workers."""
    if engine == "scan":
        import pyarrow.compute

        def scanned() -> int:
            rows = pyarrow.RecordBatchReader.from_stream(
                farchive.scan(folder, "properties", ["name", "number"], jobs=workers)
            )
            return sum(batch.num_rows for batch in rows)

        timed(scanned, expected)
        return
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session: Any
    if engine == "spark":
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(f"local[{workers}]").config("spark.ui.enabled", "false")
        session = builder.config("spark.driver.host", "127.0.0.1").config("spark.log.level", "ERROR").getOrCreate()
    else:
        slots = {"MODE": "local-cluster", "CLUSTER__WORKER_TASK_SLOTS": "1"}
        slots |= {"CLUSTER__WORKER_INITIAL_COUNT": str(workers), "CLUSTER__WORKER_MAX_COUNT": str(workers)}
        slots |= {"EXECUTION__DEFAULT_PARALLELISM": str(workers)}
        os.environ.update({f"SAIL_{name}": value for name, value in slots.items()})
        from pysail.spark import SparkConnectServer
        from pyspark.sql import SparkSession

        server = SparkConnectServer()
        server.start(background=True)
        address = server.listening_address
        assert address is not None
        session = SparkSession.builder.remote(f"sc://{address[0]}:{address[1]}").getOrCreate()
    from farchive.spark import UpkDataSource

    session.dataSource.register(UpkDataSource)
    sizes = [file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()]
    # Sail wants a place for every part of the work at once, and each worker has one here.
    parts = max(workers, len(sizes) // 25) if engine == "spark" else workers
    part = sum(sizes) // parts + (max(sizes) if engine != "spark" else 0)

    def counted() -> int:
        reader = session.read.format("upk").option("table", "properties").option("columns", "name,number")
        frame = reader.option("partition_bytes", str(part)).load(folder)
        return int(sum(row["count"] for row in frame.groupBy("name").count().collect()))

    timed(counted, expected)


def measure(engine: str, counts: list[int], folder: str, expected: int) -> dict[int, float]:
    """The best seconds of each number of workers."""
    running = {}
    for count in counts:
        words = [sys.executable, __file__, "--worker", engine, str(count), folder, str(expected)]
        running[count] = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    best: dict[int, float] = {}
    for round_ in range(ROUNDS + 1):
        for count, process in running.items():
            assert process.stdin is not None and process.stdout is not None
            while round_ == 0 and process.stdout.readline().strip() != "ready":
                assert process.poll() is None, f"{engine} with {count} workers ended"
            process.stdin.write("\n")
            process.stdin.flush()
            seconds = float(process.stdout.readline())
            if round_ > 0:
                best[count] = min(best.get(count, seconds), seconds)
    for process in running.values():
        process.kill()
        process.wait()
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=int, default=400)
    parser.add_argument("--folder", type=Path, help="real packages, instead of those that are made")
    parser.add_argument("--engine", nargs="+", default=["scan", "sail"], choices=["scan", "sail", "spark"])
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--at-least", type=float, help="how many times one worker's speed the last count must have")
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        engine, workers, folder, expected = given.worker
        worker(engine, int(workers), folder, int(expected))
        return
    with tempfile.TemporaryDirectory() as made:
        folder = str(given.folder or made)
        if given.folder:
            found = farchive.list_files([folder])
            size, count = sum(file[4] for file in found), len(found)
            import pyarrow

            rows = pyarrow.RecordBatchReader.from_stream(farchive.scan(folder, "properties", ["name"]))
            expected = sum(batch.num_rows for batch in rows)
        else:
            size, count = make(Path(folder), given.packages), given.packages
            expected = count * OBJECTS * 4
        print(f"{count} packages, {size / 1e6:.1f} MB, {expected:,} properties, {os.cpu_count()} cores")
        slow = []
        for engine in given.engine:
            best = measure(engine, given.workers, folder, expected)
            first = best[given.workers[0]]
            for count, seconds in best.items():
                print(f"{engine:6} {count} workers: {seconds:7.2f} s, {first / seconds:.2f} times one")
            if given.at_least and first / best[given.workers[-1]] < given.at_least:
                slow.append(engine)
    if slow:
        sys.exit(f"less than {given.at_least} times one worker: {', '.join(slow)}")


if __name__ == "__main__":
    main()
