"""What Python's libraries hand over: each value is stored as what it is, or refused with its class."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime
import enum
import fractions
import pathlib
import types
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy
import pandas
import pyarrow
import pytest

import farchive


class Number(enum.IntEnum):
    A = 3


class Old(int, enum.Enum):
    A = 4


class Word(enum.StrEnum):
    A = "Hall"


class Plain(enum.Enum):
    A = 5
    B = "Yard"


class Flags(enum.IntFlag):
    X = 1
    Y = 2


class Index:
    def __index__(self) -> int:
        return 6


class Real:
    def __float__(self) -> float:
        return 2.5


class Lying(float):
    def __repr__(self) -> str:
        return "Lying(1.5)"


class Text(str):
    pass


@dataclasses.dataclass
class Record:
    X: int = 1


PROPERTIES = {
    "Int:int": 0,
    "Wide:int64": 0,
    "Real:double": 0,
    "Single:float": 0,
    "Flag:bool": False,
    "Line:string": "",
    "Word:name": "None",
    "Label:text": farchive.Text("a", 'NSLOCTEXT("n","k","a")'),
    "Path:soft-object": "/Game/A.A",
    "Ints:array:int": [],
    "Reals:array:double": [],
    "Lines:array:string": [],
    "Bytes:array:byte": b"",
    "Map:map:name:int": {},
    "Place:struct:Vector": {"X": 0, "Y": 0, "Z": 0},
    "Owner:object": None,
}

STORED: list[tuple[str, Any, Any]] = [
    ("Int", 7, 7),
    ("Int", Number.A, 3),
    ("Int", Old.A, 4),
    ("Int", Plain.A, 5),
    ("Int", Flags.X | Flags.Y, 3),
    ("Int", Index(), 6),
    ("Int", numpy.int8(-3), -3),
    ("Int", numpy.uint16(9), 9),
    ("Int", numpy.array(4), 4),
    ("Int", Decimal("12"), 12),
    ("Int", pyarrow.scalar(8), 8),
    ("Wide", 2**62, 2**62),
    ("Wide", numpy.int64(2**62), 2**62),
    ("Wide", pandas.Series([2**40])[0], 2**40),
    ("Real", 1.5, 1.5),
    ("Real", 3, 3.0),
    ("Real", Lying(1.5), 1.5),
    ("Real", numpy.float64(1.5), 1.5),
    ("Real", numpy.float64(1e-9), 1e-9),
    ("Real", numpy.float16(0.5), 0.5),
    ("Real", Real(), 2.5),
    ("Real", Decimal("0.1"), 0.1),
    ("Real", Decimal("1E+3"), 1000.0),
    ("Real", fractions.Fraction(1, 4), 0.25),
    ("Real", pandas.Series([0.25])[0], 0.25),
    ("Single", numpy.float32(0.1), 0.1),
    ("Single", 0.1, 0.1),
    ("Flag", True, True),
    ("Flag", numpy.bool_(True), True),
    ("Flag", pandas.Series([True])[0], True),
    ("Flag", pyarrow.scalar(True), True),
    ("Line", "plain", "plain"),
    ("Line", Text("own"), "own"),
    ("Line", numpy.str_("numpy"), "numpy"),
    ("Line", Word.A, "Hall"),
    ("Line", Plain.B, "Yard"),
    ("Line", pathlib.PurePosixPath("/a/b"), "/a/b"),
    ("Line", pandas.Series(["cell"])[0], "cell"),
    ("Line", "", ""),
    ("Word", Word.A, "Hall"),
    ("Word", numpy.str_("Yard"), "Yard"),
    ("Label", "Good bye", "Good bye"),
    ("Path", farchive.SoftPath("/Game/B.B"), "/Game/B.B"),
    ("Ints", [1, 2], [1, 2]),
    ("Ints", (1, 2), [1, 2]),
    ("Ints", range(3), [0, 1, 2]),
    ("Ints", (n for n in (4, 5)), [4, 5]),
    ("Ints", numpy.arange(3), [0, 1, 2]),
    ("Ints", numpy.array([], dtype=int), []),
    ("Ints", pandas.Series([1, 2]), [1, 2]),
    ("Ints", pandas.Index([3]), [3]),
    ("Ints", pyarrow.array([1, 2]), [1, 2]),
    ("Ints", array.array("i", [8, 9]), [8, 9]),
    ("Ints", collections.deque([1]), [1]),
    ("Ints", {"a": 1, "b": 2}.values(), [1, 2]),
    ("Ints", [numpy.int32(1), Number.A], [1, 3]),
    ("Reals", numpy.array([0.5, 1]), [0.5, 1.0]),
    ("Reals", array.array("d", [0.25]), [0.25]),
    ("Lines", ["a", Word.A, pathlib.PurePosixPath("b")], ["a", "Hall", "b"]),
    ("Lines", numpy.array(["x", "y"]), ["x", "y"]),
    ("Bytes", b"\x01\x02", [1, 2]),
    ("Bytes", bytearray(b"\x03"), [3]),
    ("Bytes", memoryview(b"\x04"), [4]),
    ("Bytes", numpy.array([5, 6], dtype=numpy.uint8), [5, 6]),
    ("Map", {"One": 1}, {"One": 1}),
    ("Map", types.MappingProxyType({"Two": numpy.int64(2)}), {"Two": 2}),
    ("Map", collections.OrderedDict(Three=3), {"Three": 3}),
    ("Place", {"X": numpy.float64(1.5)}, {"X": 1.5, "Y": 0, "Z": 0}),
    ("Place", collections.ChainMap({"Y": 2}), {"X": 0, "Y": 2, "Z": 0}),
    ("Owner", None, None),
]

REFUSED: list[tuple[str, Any, str]] = [
    ("Line", 3, "int"),
    ("Line", 1.5, "float"),
    ("Line", True, "bool"),
    ("Line", None, "NoneType"),
    ("Line", ["a"], "list"),
    ("Line", [], "list"),
    ("Line", {"a": 1}, "dict"),
    ("Line", {}, "dict"),
    ("Line", b"bytes", "bytes"),
    ("Line", numpy.float64(1.5), "float"),
    ("Line", numpy.array(["a"]), "list"),
    ("Line", Number.A, "Number"),
    ("Line", Decimal("1"), "Decimal"),
    ("Word", 3, "int"),
    ("Word", None, "NoneType"),
    ("Label", 3, "int"),
    ("Path", 3, "soft path"),
    ("Lines", ["a", 3], "int"),
    ("Lines", [["a"]], "string"),
    ("Lines", numpy.array([1]), "int"),
    ("Map", {3: 1}, "int"),
    ("Int", datetime.datetime(2026, 1, 1), "datetime"),
    ("Int", datetime.timedelta(1), "timedelta"),
    ("Int", numpy.datetime64("2026-01-01"), "datetime64"),
    ("Int", pandas.Timestamp("2026-01-01"), "Timestamp"),
    ("Int", pandas.NA, "NAType"),
    ("Int", uuid.uuid4(), "UUID"),
    ("Int", object(), "object"),
    ("Int", int, "type"),
    ("Int", Plain, "EnumType"),
    ("Int", Record(), "Record"),
    ("Int", "word", "int"),
    ("Int", [1], "int"),
    ("Int", 1.5, "int"),
    ("Int", 2**40, "int"),
    ("Real", 1j, "complex"),
    ("Real", numpy.complex128(1j), "complex128"),
    ("Real", lambda: 1, "function"),
    ("Flag", "perhaps", "bool"),
    ("Ints", pandas.DataFrame({"a": [1]}), "DataFrame"),
    ("Ints", pyarrow.table({"a": [1]}), "Table"),
    ("Place", numpy.zeros(1, dtype=[("X", float)]), "ndarray"),
    ("Place", {"X": "wide"}, "double"),
]


def thing() -> farchive.Package:
    return farchive.new_asset("/Game/Thing", "/Script/M.Thing", PROPERTIES)


def test_there_are_enough() -> None:
    assert len(STORED) + len(REFUSED) >= 100 and len(STORED) >= 60


@pytest.mark.parametrize(("name", "value", "expected"), STORED, ids=lambda value: type(value).__name__)
def test_a_value_is_stored_as_what_it_is(name: str, value: Any, expected: Any) -> None:
    p = thing()
    p["Thing"].update({name: value})
    found = farchive.open(p.to_bytes())["Thing"][name]
    assert (list(found) if isinstance(found, memoryview) else found) == expected


@pytest.mark.parametrize(("name", "value", "kind"), REFUSED, ids=lambda value: type(value).__name__)
def test_a_value_is_refused_with_its_class(name: str, value: Any, kind: str) -> None:
    p = thing()
    before = p.to_bytes()
    with pytest.raises((TypeError, farchive.Invalid), match=kind):
        p[f"Thing.{name}"] = value
    assert p.to_bytes() == before


MAKERS: list[Callable[[Any], object]] = [
    lambda value: farchive.new_asset("/Game/A", "/Script/M.A", {"Line:string": value}),
    lambda value: farchive.new_data_table("/Game/A", "/Script/M.A", ["Line:string"], {"One": {"Line": value}}),
    lambda value: farchive.new("ut99").add("A", "Engine.Info", {"Line:string": value}),
    lambda value: farchive.new("ut99").add_all({"A": ("Engine.Info", {"Line:string": value})}),
    lambda value: thing()["Thing"].update({"Fresh:string": value}),
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("value", [3, None, ["a"], {"a": "b"}])
def test_no_way_in_takes_what_is_no_text_for_one(make: Callable[[Any], object], value: Any) -> None:
    with pytest.raises(farchive.Invalid, match=type(value).__name__):
        make(value)


def test_rows_take_texts_alone_as_texts() -> None:
    p = farchive.new_data_table("/Game/A", "/Script/M.A", ["Line:string", "Count:int"], {"One": {"Line": "a", "Count": 1}})
    p["A[Two]"] = {"Line": "b", "Count": numpy.int32(2)}
    assert p["A.Two"]["Count"] == 2
    with pytest.raises(farchive.Invalid, match="string"):
        p["A[Three]"] = {"Line": ["b"], "Count": 2}
    assert "Three" not in p["A"].rows
