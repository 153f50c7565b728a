"""Values of any kind, in packages of any engine, are read back as they were set."""

from __future__ import annotations

import struct

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import farchive

ENGINES = ["4.15", "4.19", "4.24", "4.27", "5.0", "5.1", "5.3", "5.4", "5.6", "5.7"]
#: What strings of every engine hold: no zeros, no half characters.
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
#: Names are trimmed, and are not told apart by case.
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_ ,()=\"'.]{0,8}[A-Za-z]", fullmatch=True)
SINGLES = st.floats(width=32, allow_nan=False, allow_infinity=False)
DOUBLES = st.floats(allow_nan=False, allow_infinity=False)
VECTORS = st.fixed_dictionaries({"X": SINGLES, "Y": SINGLES, "Z": SINGLES})
TYPES: dict[str, st.SearchStrategy[object]] = {
    "int": st.integers(-(2**31), 2**31 - 1),
    "int64": st.integers(-(2**63), 2**63 - 1),
    "uint16": st.integers(0, 2**16 - 1),
    "float": SINGLES,
    "double": DOUBLES,
    "bool": st.booleans(),
    "string": TEXTS,
    "name": NAMES,
    "struct:Vector": VECTORS,
    "array:int": st.lists(st.integers(-(2**31), 2**31 - 1), max_size=5),
    "array:string": st.lists(TEXTS, max_size=4),
    "array:struct:Vector": st.lists(VECTORS, max_size=3),
    "map:int:string": st.dictionaries(st.integers(-9, 9), TEXTS, max_size=4),
    "set:int": st.lists(st.integers(-9, 9), unique=True, max_size=4),
}
#: Properties of a package.
COUNT = 10


def same(one: object, other: object) -> bool:
    """Whether two values are the same; numbers of four bytes are shown in as few digits as tell them."""
    match one, other:
        case float(), float() | int():
            return one == other or struct.pack("f", one) == struct.pack("f", other)
        case dict(), dict():
            return one.keys() == other.keys() and all(same(v, other[k]) for k, v in one.items())
        case list(), list():
            return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


@st.composite
def assets(draw: st.DrawFn) -> tuple[str, dict[str, object], dict[str, object]]:
    """A release; properties with their types and values; further values for them."""
    kinds = draw(st.lists(st.sampled_from(sorted(TYPES)), min_size=COUNT, max_size=COUNT))
    first = {f"P{at}:{kind}": draw(TYPES[kind]) for at, kind in enumerate(kinds)}
    then: dict[str, object] = {f"P{at}": draw(TYPES[kind]) for at, kind in enumerate(kinds)}
    return draw(st.sampled_from(ENGINES)), first, then


seen: list[int] = []


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(assets())
def test_values_come_back(asset: tuple[str, dict[str, object], dict[str, object]]) -> None:
    engine, first, then = asset
    p = farchive.new_asset("/Game/A", "/Script/M.A", first, engine=engine)
    for name, value in first.items():
        name = name.partition(":")[0]
        assert same(p[f"A.{name}"], value), (name, value, p[f"A.{name}"])
    p["A"].update(then)
    q = farchive.open(p.to_bytes())
    values = q["A"].properties
    for name, value in then.items():
        assert same(values[name], value), (name, value, values[name])
        assert same(q[f"A.{name}"], value)
    assert q.verify().identical
    seen.append(len(then))


def test_enough_was_seen() -> None:
    if seen:
        assert len(seen) >= 100 and sum(seen) >= 1000


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_damage_is_an_error_and_no_crash(data: st.DataObject) -> None:
    whole = bytearray(farchive.new_asset("/Game/A", "/Script/M.A", {"N:int": 1, "S:string": "x"}).to_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(4, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = whole[: data.draw(st.integers(0, len(whole)))] if data.draw(st.booleans()) else whole
    try:
        p = farchive.open(cut)
        for o in p.objects:
            o.properties
            bytes(o.body)
        p.verify()
    except farchive.Error as error:
        assert str(error)
