"""What notebooks show."""

from __future__ import annotations

from pathlib import Path

from conftest import weapons

import farchive


def test_a_difference_is_shown_in_colour() -> None:
    content = weapons().to_bytes()
    old, new = farchive.open(content), farchive.open(content)
    new["DT.Sword.Damage"] = 40
    found = farchive.diff(old, new)
    assert isinstance(found, dict) and not found["same"]
    shown = found._repr_html_()
    red, green = shown.find("#fbd9d7"), shown.find("#d4f4d9")
    assert 0 < red < shown.find("12.5") < green < shown.find("40")
    assert "DT" in shown and new.diff(old)._repr_html_() == shown
    assert farchive.diff(old, old)._repr_html_() == "<p>no differences</p>"


def test_objects_that_come_and_go_are_shown_with_their_classes() -> None:
    old = farchive.new("ut99")
    old.add("Gone", "Engine.Info", {"Tag:name": "<b>"})
    new = farchive.new("ut99")
    new.add("Come", "Engine.Light", {})
    shown = farchive.diff(old, new)._repr_html_()
    for kind, name in (("removed", "Gone"), ("added", "Come")):
        assert f"<td>{kind}</td><td>{name}</td>" in shown
    assert "Engine.Light" in shown and "<b>" not in shown


def test_objects_and_rows_are_tables(depot: Path) -> None:
    package = farchive.open(depot / "Map0.unr")
    shown = package["Info0"]._repr_html_()
    assert shown is not None and "<td>Tag</td><td>name</td><td>Hall0</td>" in shown
    wall = package.add_texture("Red", farchive.Image(4, 4, bytes([200, 30, 30, 255]) * 16))
    assert wall._repr_html_() is None and wall._repr_png_()
    shown = farchive.scan(depot, "exports", ["path", "size"])._repr_html_()
    assert "<td>size</td><td>BIGINT</td>" in shown and "body_hash" not in shown
