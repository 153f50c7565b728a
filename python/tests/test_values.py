"""Values: read, set, added, removed; what is refused says why."""

from __future__ import annotations

import math
import pickle

import pytest
from conftest import weapons

import farchive


def thing(engine: str = "5.4") -> farchive.Package:
    properties = {
        "Number:int": 7,
        "Wide:int64": 2**40,
        "Unsigned:uint64": 2**64 - 1,
        "Small:int8": -3,
        "Real:float": 0.1,
        "Precise:double": 1 / 3,
        "Flag:bool": True,
        "Word:name": "Hall",
        "Line:string": 'a "word", (more)\n',
        "Label:text": farchive.Text("Hello", 'NSLOCTEXT("ns","key","Hello")'),
        "Mesh:soft-object": "/Game/M.M",
        "Place:struct:Vector": {"X": 1, "Y": 2.5, "Z": -3},
        "Tint:struct:LinearColor": {"R": 0.5, "G": 0, "B": 1, "A": 1},
        "Numbers:array:int": [1, 2, 3],
        "Words:array:string": ["a,b", "", "c"],
        "Scores:map:name:int": {"One": 1, "Two": 2},
        "Bytes:array:byte": b"\x00\xff",
        "Class:object": None,
    }
    return farchive.new_asset("/Game/Thing", "/Script/MyGame.Thing", properties, engine=engine)


@pytest.mark.parametrize("engine", ["4.15", "4.27", "5.0", "5.4", "5.7"])
def test_every_type_is_a_value_of_python(engine: str) -> None:
    p = thing(engine)
    values = p["Thing"].properties
    assert values["Number"] == 7 and values["Wide"] == 2**40
    assert values["Unsigned"] == 2**64 - 1 and values["Small"] == -3
    assert values["Real"] == 0.1 and values["Precise"] == 1 / 3
    assert values["Flag"] is True
    assert values["Word"] == "Hall" and values["Line"] == 'a "word", (more)\n'
    assert values["Label"] == "Hello" and isinstance(values["Label"], farchive.Text)
    assert values["Label"].written == 'NSLOCTEXT("ns","key","Hello")'
    assert values["Mesh"] == "/Game/M.M" and isinstance(values["Mesh"], farchive.SoftPath)
    assert values["Place"] == {"X": 1, "Y": 2.5, "Z": -3}
    assert values["Tint"] == {"R": 0.5, "G": 0, "B": 1, "A": 1}
    assert values["Numbers"] == [1, 2, 3] and values["Words"] == ["a,b", "", "c"]
    assert values["Scores"] == {"One": 1, "Two": 2}
    assert isinstance(values["Bytes"], memoryview) and bytes(values["Bytes"]) == b"\x00\xff"
    assert values["Class"] is None
    # One by one they are what they are together, and setting each to itself changes nothing.
    for name, value in values.items():
        assert p[f"Thing.{name}"] == value, name
    before = p.to_bytes()
    p["Thing"].update(values)
    assert p.to_bytes() == before


def test_values_are_set_as_python_says_them() -> None:
    p = thing()
    p["Thing.Number"] = -40
    p["Thing.Real"] = math.pi
    p["Thing.Flag"] = False
    p["Thing.Word"] = "Light_3"
    p["Thing.Line"] = '"in quotes"'
    p["Thing.Label"] = "Good bye"
    p["Thing.Place"] = {"Y": 9}
    p["Thing.Place.Z"] = 0.25
    p["Thing.Numbers"] = range(4)
    p["Thing.Numbers[0]"] = 10
    p["Thing.Scores"] = {"Two": 22, "a b": 3}
    p["Thing.Bytes"] = bytearray(b"abc")
    q = farchive.open(p.to_bytes())
    assert q["Thing.Number"] == -40 and q["Thing.Flag"] is False
    assert q["Thing.Real"] == pytest.approx(math.pi, rel=1e-7)
    assert q["Thing.Word"] == "Light_3" and q["Thing.Line"] == '"in quotes"'
    assert q["Thing.Label"].written == 'NSLOCTEXT("ns","key","Good bye")'
    assert q["Thing.Place"] == {"X": 1, "Y": 9, "Z": 0.25}
    assert q["Thing.Numbers"] == [10, 1, 2, 3]
    assert q["Thing.Scores"] == {"Two": 22, "a b": 3}
    assert bytes(q["Thing.Bytes"]) == b"abc"
    assert q["Thing"]["Scores[Two]"] == 22


def test_the_grammar_of_the_command_does_as_well() -> None:
    p = thing()
    p["Thing.Place"] = "(X=4,Y=5,Z=6)"
    p["Thing.Line"] = farchive.Raw('"tab\\t"')
    assert p.text("Thing.Place") == "(X=4.0,Y=5.0,Z=6.0)"
    assert p["Thing.Line"] == "tab\t"


def test_rows_of_tables() -> None:
    p = weapons()
    table = p["DT"]
    assert list(table.rows) == ["Sword", "Bow"]
    assert table.rows["Sword"]["Names"] == ["One", "Two"]
    assert p["DT.Sword.Damage"] == p["DT[Sword].Damage"] == 12.5
    p["DT.Sword.Damage"] = 40
    assert p["DT[Sword].Damage"] == 40
    p["DT[Axe]"] = {"Damage": 55, "Title": "An axe"}
    assert p["DT.Axe"]["Title"] == "An axe"
    p.rename_row("DT", "Axe", "Hatchet")
    del p["DT[Bow]"]
    assert list(p["DT"].rows) == ["Sword", "Hatchet"]
    strings = farchive.new_string_table("/Game/ST", {"Greeting": "Hello"})
    strings["ST[Greeting]"] = "Good day"
    assert strings["ST"].rows == {"Greeting": "Good day"}


def test_references_lead_to_objects() -> None:
    p = farchive.new("ut99")
    info = p.add("Info0", "Engine.Info", {"Tag:name": "Hall"})
    p.add("Info1", "Engine.Info", {"Owner:object": info})
    owner = p["Info1.Owner"]
    assert owner.path == "Info0" and owner.class_path == "Engine.Info" and not owner.is_import
    assert owner.object == info and str(owner) == "Info'Info0'"
    p["Info0"].update({"Sound:object": farchive.Raw("Engine.Sound'Botpack.Boom'")})
    sound = p["Info0.Sound"]
    assert sound.is_import and sound.object is None and sound.path == "Botpack.Boom"
    p["Info1.Owner"] = None
    assert p["Info1.Owner"] is None
    with pytest.raises(farchive.Refused) as refused:
        p["Info1.Owner"] = info
        p.remove("Info0")
    assert refused.value.objects


def test_a_failed_change_changes_nothing() -> None:
    p = thing()
    before = p.to_bytes()
    with pytest.raises(farchive.Invalid, match="no number"):
        p.update({"Thing.Real": 9, "Thing.Number": "no number"})
    with pytest.raises(farchive.Invalid):
        p["Thing.Numbers"] = {"a": 1}
    with pytest.raises(TypeError):
        p["Thing.Number"] = object()
    assert p.to_bytes() == before
    with pytest.raises(ZeroDivisionError), farchive.edit(p) as values:
        values["Thing.Number"] = 1
        _ = 1 / 0
    assert p.to_bytes() == before


def test_errors_say_what_and_where() -> None:
    p = thing()
    with pytest.raises(KeyError, match="Numbr"):
        p["Thing.Numbr"]
    with pytest.raises(farchive.NotFound) as missing:
        p["Nothing.At"]
    assert missing.value.kind == "not-found" and "Nothing" in str(missing.value)
    assert p.get("Thing.Numbr", 3) == 3 and p["Thing"].get("Numbr") is None
    assert "Thing.Number" in p and "Thing.Numbr" not in p and "Number" in p["Thing"]
    data = p.to_bytes()
    with pytest.raises(farchive.Error) as damaged:
        farchive.open(data[:200])
    assert damaged.value.offset is not None and damaged.value.path
    copied = pickle.loads(pickle.dumps(damaged.value))
    assert (copied.offset, copied.path, str(copied)) == (
        damaged.value.offset,
        damaged.value.path,
        str(damaged.value),
    )
    with pytest.raises(farchive.NotAPackage):
        farchive.open(b"nothing of the kind")
    with pytest.raises(FileNotFoundError) as gone:
        farchive.open("/nowhere/Map.unr")
    assert gone.value.filename == "/nowhere/Map.unr"
    with pytest.raises(farchive.NotFound, match="ut99"):
        farchive.new("ut9")


def test_what_is_not_stored_needs_a_type_and_goes_again() -> None:
    p = thing()
    with pytest.raises(farchive.Error):
        p["Thing.Fresh"] = 1
    p["Thing.Fresh:int"] = 1
    assert p["Thing.Fresh"] == 1
    del p["Thing.Fresh"]
    assert "Fresh" not in p["Thing"].properties
