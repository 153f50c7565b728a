"""Packages: opening, looking, changing, saving, comparing."""

from __future__ import annotations

import array
import gc
import threading
from pathlib import Path

import pytest
from conftest import weapons

import farchive


def test_bytes_of_any_kind_are_opened(tmp_path: Path) -> None:
    data = weapons().to_bytes()
    file = tmp_path / "DT.uasset"
    file.write_bytes(data)
    kinds = [data, bytearray(data), memoryview(data), array.array("B", data), file, str(file)]
    for source in kinds:
        p = farchive.open(source)  # type: ignore[arg-type]
        assert p["DT.Sword.Count"] == 3 and p.to_bytes() == data
    assert farchive.open(file).path == file and farchive.open(data).path is None


def test_bodies_are_not_copied() -> None:
    data = weapons().to_bytes()
    p = farchive.open(data)
    body, source = p["DT"].body, p.source
    assert body == data[p["DT"].offset :][: p["DT"].size]
    assert body.readonly and source == data
    # They outlive the package.
    del p
    gc.collect()
    assert bytes(source[:4]) == data[:4]
    with pytest.raises(TypeError):
        body[0] = 1


def test_saving_keeps_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "DT.uasset"
    p = weapons()
    p.save_as(file)
    assert p.path == file
    first = file.read_bytes()
    with pytest.raises(farchive.Invalid, match="there already"):
        p.save_as(file)
    assert p.save() is None, "nothing was changed: nothing to keep"
    p["DT.Sword.Damage"] = 40
    kept = p.save()
    assert kept is not None and kept.read_bytes() == first
    p["DT.Sword.Damage"] = 41
    assert p.save(backup=False) is None
    assert farchive.open(file)["DT.Sword.Damage"] == 41
    copy = tmp_path / "Copy.uasset"
    p.save_as(copy)
    assert p.path == file and copy.read_bytes() == file.read_bytes()
    with pytest.raises(farchive.Invalid, match="save_as"):
        farchive.open(first).save()


def test_a_file_that_another_program_has_changed_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "DT.uasset"
    weapons().save_as(file)
    p = farchive.open(file)
    p["DT.Sword.Damage"] = 40
    other = farchive.open(file)
    other["DT.Sword.Count"] = 77
    other.save(backup=False)
    with pytest.raises(farchive.Changed):
        p.save()
    assert farchive.open(file)["DT.Sword.Count"] == 77


def test_objects_are_added_renamed_moved_and_removed() -> None:
    p = farchive.new("ut99")
    p.add("Group", "Core.Package")
    p.add("Group.Info0", "Engine.Info", {"Tag:name": "Hall"})
    p.duplicate("Group.Info0", "Info1")
    assert [o.path for o in p.objects] == ["Group", "Group.Info0", "Group.Info1"]
    assert [o.name for o in p["Group"].children] == ["Info0", "Info1"]
    assert p["Group.Info1"].outer.path == "Group"
    p.rename("Group.Info1", "Other")
    p.move("Group.Other")
    p.add_import("Botpack.Enforcer", "Core.Class")
    assert "Botpack.Enforcer" in [i.path for i in p.imports]
    held = p["Other"]
    assert p.remove("Group") == ["Group", "Group.Info0"]
    assert [o.path for o in p] == ["Other"] and len(p) == 1
    with pytest.raises(farchive.Invalid, match="anew"):
        held.path
    names, imports = p.prune()
    assert imports >= 1 and names >= 1
    assert p.verify().identical


def test_textures_are_arrays() -> None:
    numpy = pytest.importorskip("numpy")
    pixels = bytes(range(256))
    p = farchive.new("ut2004")
    p.add_texture("Walls.Grey", farchive.Image(8, 8, pixels), format="rgba8", mips=False)
    image = p["Walls.Grey"].image()
    assert (image.width, image.height, image.mode) == (8, 8, "RGBA")
    view = image.rgba
    assert view.shape == (8, 8, 4) and view.tobytes() == pixels and view[0, 1, 2] == 6
    assert numpy.asarray(view).shape == (8, 8, 4)
    assert not numpy.asarray(view).flags.owndata, "no copy"
    assert farchive.Image.read(image.to_png()).rgba.tobytes() == pixels
    indexed = farchive.new("ut99")
    indexed.add_texture("Walls.Red", farchive.Image(4, 4, b"\xc8\x1e\x1e\xff" * 16))
    red = indexed["Walls.Red"].image()
    assert red.mode == "P" and red.pixels.shape == (4, 4) and red.palette is not None
    assert red.rgba[3, 3, 0] == 200
    assert indexed["Walls.Red"].kind == "texture"
    extension, png = indexed["Walls.Red"].content()
    assert extension == "png" and png.startswith(b"\x89PNG")
    with pytest.raises(farchive.Invalid):
        farchive.Image(2, 2, b"too short")


def test_texts_and_sounds_are_content() -> None:
    p = farchive.new("ut99")
    p.add_text("Notes", "Read me")
    assert p["Notes"].content() == ("txt", b"Read me")
    assert p.replace_content("Notes", b"Read this") and not p.replace_content("Notes", b"Read this")
    samples = bytes(64)
    wave = b"RIFF" + (36 + 64).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    wave += bytes([1, 0, 1, 0]) + (8000).to_bytes(4, "little") * 2 + bytes([1, 0, 8, 0])
    wave += b"data" + (64).to_bytes(4, "little") + samples
    p.add_sound("Silence", wave)
    assert p["Silence"].content() == ("wav", wave)


def test_every_byte_is_explained() -> None:
    p = farchive.open(weapons().to_bytes())
    calls: list[tuple[int, int]] = []
    fields = p.explain(progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (p.size, p.size)
    end = 0
    for field in fields:
        assert field.start == end, field
        end = field.end
    assert end == p.size
    magic = p.explain(0, 4)[0]
    assert (magic.start, magic.path) == (0, fields[0].path)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        p.explain(progress=stop)


def test_what_differs_is_listed() -> None:
    old, new = weapons(), farchive.open(weapons().to_bytes())
    old = farchive.open(new.to_bytes())
    assert new.diff(old)["same"] and farchive.diff(old, new)["same_bytes"]
    new["DT.Sword.Damage"] = 40
    found = farchive.diff(old, new)
    assert not found["same"] and [o["path"] for o in found["changed"]] == ["DT"]
    assert "40" in str(found["changed"][0]["changes"])


def test_verify_says_what_is_known() -> None:
    p = farchive.open(weapons().to_bytes())
    report = p.verify()
    assert report.identical and report.reason == "" and report.not_decoded == []
    assert report.typed + report.payload + report.opaque + report.gap == p.size


def test_a_new_version_conforms() -> None:
    old = farchive.new("ut99")
    old.add("Info0", "Engine.Info", {"Tag:name": "Hall"})
    old = farchive.open(old.to_bytes())
    new = farchive.new("ut99")
    new.add("Info1", "Engine.Info", {"Tag:name": "Yard"})
    new.add("Info0", "Engine.Info", {"Tag:name": "Hall"})
    assert new.mismatches(old)
    done = new.conform_to(old)
    assert done["generations"] == 2 and done["exports_added"] == ["Info1"]
    assert new.guid == old.guid and new.mismatches(old) == []
    assert new["Info0.Tag"] == "Hall"
    assert new.renew_guid() != old.guid


def test_threads_see_packages_whole() -> None:
    p = weapons()
    wrong: list[object] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            row = p["DT.Sword"]
            if row["Count"] != row["Damage"] and row["Count"] != 3:
                wrong.append(row)

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(60):
        p.update({"DT.Sword.Count": number, "DT.Sword.Damage": number})
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong and p["DT.Sword.Count"] == 59


def test_packages_without_versions_need_a_release(tmp_path: Path) -> None:
    assert "5.4" in farchive.engines() and "ut99" in farchive.games()
    p = weapons()
    assert p.engine == "5.4" and p.object_version == (522, 1012) and p.game
    assert p.file_version[0] == 864 and len(p.guid) in (32, 36)
    q = farchive.new("ut2004")
    assert q.engine == "Unreal Engine 2" and q.file_version == (128, 29)
    with pytest.raises(farchive.Error):
        farchive.open(p.to_bytes(), engine="five")
