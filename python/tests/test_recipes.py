"""The recipes of docs/scale.md, as they stand there."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from test_remote import S3, s3

import farchive

__all__ = ["s3"]

PAGE = Path(__file__).parent.parent.parent / "docs" / "scale.md"


def recipe(module: str, replaced: dict[str, str]) -> dict[str, Any]:
    """Runs the block that imports a module; the names that it leaves."""
    blocks = [block.split("```")[0] for block in PAGE.read_text().split("```python\n")[1:]]
    code = next(block for block in blocks if f"import {module}" in block)
    for old, new in replaced.items():
        assert old in code, old
        code = code.replace(old, new)
    # Few files, and all the same several parts.
    code = code.replace("500", "4")
    names: dict[str, Any] = {"__name__": "recipe"}
    exec(compile(code, f"docs/scale.md ({module})", "exec"), names)
    return names


def classes(folder: Path) -> Counter[str]:
    found = pyarrow.table(farchive.scan(folder, "exports", ["class"])).column(0).to_pylist()
    return Counter(str(each) for each in found)


def test_ray(depot: Path) -> None:
    ray = pytest.importorskip("ray", reason="ray is not installed")
    pytest.importorskip("ray.data", reason="ray is installed without its data")
    here = os.path.dirname(farchive.__path__[0])
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": here}})
    try:
        found = recipe("farchive, pyarrow, ray", {"/data/depot": str(depot)})["classes"]
    finally:
        ray.shutdown()
    assert dict(zip(found["class"], found["count()"], strict=True)) == classes(depot)


def test_dask(depot: Path) -> None:
    pytest.importorskip("dask.dataframe", reason="dask[dataframe] is not installed")
    found = recipe("dask.dataframe", {"/data/depot": str(depot)})["classes"]
    assert found.to_dict() == classes(depot)


def test_delta(depot: Path, tmp_path: Path) -> None:
    deltalake = pytest.importorskip("deltalake", reason="deltalake is not installed")
    table = tmp_path / "exports"
    for _ in range(2):
        recipe("deltalake", {"/data/depot": str(depot), "/data/tables/exports": str(table)})
    found = pyarrow.table(deltalake.DeltaTable(table).to_pyarrow_table())
    assert Counter(found.column("class").to_pylist()) == classes(depot)


def test_duckdb_over_s3(s3: S3, depot: Path, tmp_path: Path) -> None:
    import fsspec

    made = tmp_path / "tables" / "exports"
    made.mkdir(parents=True)
    pyarrow.parquet.write_table(pyarrow.table(farchive.scan(depot, "exports")), made / "1.parquet")
    storage = repr(s3.storage)
    replaced = {
        "s3://depot/Content": s3.bucket(depot),
        "storage={}": f"storage={storage}",
        'fsspec.filesystem("s3")': f'fsspec.filesystem("s3", **{storage})',
        "s3://results": s3.bucket(tmp_path / "tables"),
    }
    fsspec.filesystem("s3", **s3.storage).invalidate_cache()
    found = recipe("duckdb", replaced)
    assert Counter(dict(found["classes"])) == Counter(dict(found["tables"])) == classes(depot)


def test_listed_files_have_the_rows_of_the_folder(depot: Path) -> None:
    (depot / "Oddly.called").write_bytes(b"no package, and nobody calls it one")
    listed = farchive.list_files([depot])
    one = pyarrow.table(farchive.scan(depot, "packages", ["path", "status"], jobs=1)).to_pylist()
    parts = [farchive.scan(listed[at : at + 3], "packages", ["path", "status"], jobs=1) for at in range(0, len(listed), 3)]
    assert [row for part in parts for row in pyarrow.table(part).to_pylist()] == one
