"""Values as the types that programs want."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

import numpy
import pytest
from conftest import weapons

import farchive


class Team(enum.Enum):
    RED = 3
    BLUE = -1


@dataclasses.dataclass
class Weapon:
    Damage: float
    Names: list[str]
    Count: int = 0
    Missing: str = "none"


@dataclasses.dataclass
class Wanting:
    Price: float


def test_numbers_and_texts_come_as_what_is_asked_for() -> None:
    p = weapons()
    damage: float = p.read("DT.Sword.Damage", float)
    assert damage == 12.5 and type(p.read("DT.Bow.Damage", int)) is int
    either: Any = bool | int
    assert p.read("DT.Sword.Count", either) == 3 and p.read("DT.Sword.Count", float) == 3.0
    names: list[str] = p.read("DT.Sword.Names", list[str])
    assert names == ["One", "Two"] and p.read("DT.Sword.Names", tuple[str, str]) == ("One", "Two")
    assert p.read("DT.Sword.Names", tuple[str, ...]) == ("One", "Two")
    assert p["DT"].read("[Sword].Title", str) == "A sword"
    assert p.read("DT.Sword.Count", Team) is Team.RED and p.read("DT.Bow.Count", Team) is Team.BLUE
    assert type(p.read("DT.Sword.Count", numpy.int16)) is numpy.int16
    assert p.read("DT.Sword.Damage", numpy.float32) == numpy.float32(12.5)


def test_rows_are_dataclasses() -> None:
    p = weapons()
    assert p.read("DT.Sword", Weapon) == Weapon(12.5, ["One", "Two"], 3)
    assert p.read("DT.Bow", dict[str, object])["Count"] == -1
    with pytest.raises(farchive.Invalid, match="stores no Price; stored are Damage"):
        p.read("DT.Sword", Wanting)


def test_vectors_are_tuples_and_arrays() -> None:
    m = farchive.new("ut99")
    light = m.add("Light0", "Engine.Light", {"Location:struct:Vector": {"X": 1.5, "Y": 2, "Z": -3}})
    assert light.read("Location", tuple) == (1.5, 2.0, -3.0)
    place: tuple[float, float, float] = light.read("Location", tuple[float, float, float])
    assert place == (1.5, 2.0, -3.0)
    found = light.read("Location", numpy.ndarray)
    assert found.dtype == numpy.float64 and found.tolist() == [1.5, 2.0, -3.0]
    with pytest.raises(farchive.Invalid, match="it has 3 values and not 2"):
        light.read("Location", tuple[float, float])


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("DT.Sword.Damage", int),
        ("DT.Sword.Damage", str),
        ("DT.Sword.Title", float),
        ("DT.Sword.Title", list),
        ("DT.Sword.Count", bool),
        ("DT.Sword.Names", numpy.ndarray),
        ("DT.Sword.Names", list[int]),
        ("DT.Sword.Damage", Team),
        ("DT.Sword.Count", bytes),
        ("DT.Sword", tuple[float, float]),
    ],
)
def test_what_would_lose_something_is_refused_with_its_path(path: str, kind: type) -> None:
    with pytest.raises(farchive.Invalid) as refused:
        weapons().read(path, kind)
    assert path in str(refused.value) and refused.value.path.startswith(path)


def test_what_is_not_there_is_not_found() -> None:
    with pytest.raises(farchive.NotFound):
        weapons().read("DT.Sword.Nothing", int)
