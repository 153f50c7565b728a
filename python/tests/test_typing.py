"""Programs as people write them are what the stubs say."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import farchive

PROGRAM = '''
import dataclasses
import pathlib
from collections.abc import Mapping

import numpy

import farchive


@dataclasses.dataclass
class Weapon:
    Damage: float


def lights(path: pathlib.Path) -> dict[str, int]:
    with farchive.open(path, env=[path.parent]) as package:
        return {one.path: one.read("LightRadius", int) for one in package if one.class_path.endswith("Light")}


def tables(places: list[pathlib.Path]) -> list[str]:
    rows: farchive.Rows = farchive.scan(places, "exports", ["path", "class"], progress=lambda done, all: None)
    every: dict[str, farchive.Rows] = farchive.scan("s3://depot/Content", storage={"anon": True})
    leaves = farchive.scan(places[0], "leaves")
    return [*rows.column_names, *every, *leaves.column_names]


def change(package: farchive.Package, values: Mapping[str, float]) -> farchive.Diff:
    with farchive.edit(package) as changes:
        for name, value in values.items():
            changes[name] = numpy.float32(value)
    try:
        package.update(values)
    except farchive.NotFound as error:
        print(error.kind, error.offset, error.path, error.objects)
    weapon: Weapon = package.read("DT.Sword", Weapon)
    place: tuple[float, ...] = package.read("Light0.Location", tuple[float, ...])
    pixels = numpy.asarray(package.find("Walls.Red").image().rgba)
    print(weapon.Damage, place, pixels.shape, [field.path for field in package.explain(0, 4)])
    package.save_as(pathlib.Path("x.u"), overwrite=True)
    return farchive.diff(package, package)
'''
#: What a checker must find: neither is what the stub says.
WRONG = '''
import farchive

radius: str = farchive.open("x.u").read("Light0.LightRadius", int)
farchive.scan("x.u", "exports", columns=3)
'''


def checked(tool: list[str], folder: Path, program: str) -> tuple[int, str]:
    # To pyright; mypy has its option.
    (folder / "program.py").write_text("# pyright: strict\n" + program)
    source = Path(farchive.__file__).parent.parent
    # What is installed mypy finds by itself, and wants not named.
    where = {} if source.name == "site-packages" else {"MYPYPATH": str(source)}
    run = subprocess.run(
        [*tool, "program.py"],
        cwd=folder,
        env={**os.environ, **where},
        capture_output=True,
        text=True,
    )
    return run.returncode, run.stdout + run.stderr


@pytest.mark.parametrize("name", ["mypy", "pyright"])
def test_real_programs_are_typed(name: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    tool = [sys.executable, "-m", name]
    if name == "mypy":
        tool += ["--strict", "--no-incremental"]
    else:
        tool += ["--pythonpath", sys.executable]
        if subprocess.run([*tool, "--version"], capture_output=True).returncode:
            pytest.skip("pyright has no node to run on")
    status, said = checked(tool, tmp_path, PROGRAM)
    assert status == 0, said
    status, said = checked(tool, tmp_path, WRONG)
    assert status == 1 and said.count("error") >= 2, said
