"""Folders of an object store: the rows of a scan of the same files on a disk, from as few bytes as they need."""

from __future__ import annotations

import os
import shutil
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from conftest import corpus, pak, weapons

import farchive
from farchive import _listing
from farchive._listing import RemoteFile
from farchive._remote import RemoteScan
from farchive._store import Store

OPENING: dict[str, Any] = {"mappings": None, "engine": None, "game": None, "env": None, "keys": None}
#: Real packages that are copied into a store, and their largest size: enough of each kind.
SAMPLE, LARGEST = 6, 24_000


class S3:
    """A server of the protocol of S3 on the loopback address."""

    def __init__(self, port: int) -> None:
        self.storage: dict[str, Any] = {
            "key": "test",
            "secret": "test",
            "client_kwargs": {"endpoint_url": f"http://127.0.0.1:{port}", "region_name": "us-east-1"},
        }
        #: The same for the other client.
        self.obstore: dict[str, Any] = {
            "client": "obstore",
            "access_key_id": "test",
            "secret_access_key": "test",
            "endpoint": f"http://127.0.0.1:{port}",
            "region": "us-east-1",
            # As patient as the other: the server shares a loaded machine with the test.
            "client_options": {"allow_http": True, "connect_timeout": "60s", "timeout": "120s"},
        }

    def bucket(self, folder: Path) -> str:
        """A bucket with the files of a folder."""
        import s3fs

        system = s3fs.S3FileSystem(**self.storage, use_listings_cache=False)
        # The server's buckets outlive it: those of other tests are there as well.
        name = f"depot-{uuid.uuid4().hex}"
        system.call_s3("create_bucket", Bucket=name)
        for file in folder.rglob("*"):
            if file.is_file():
                system.pipe_file(f"{name}/{file.relative_to(folder).as_posix()}", file.read_bytes())
        return f"s3://{name}"


@pytest.fixture(scope="module")
def s3() -> Iterator[S3]:
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    running = server("127.0.0.1", port, verbose=False)
    running.start()
    yield S3(port)
    running.stop()


@pytest.fixture
def project(depot: Path) -> Path:
    """A depot with a project, containers that open and that do not, pictures, and files that only look like packages."""
    (depot / "Town.uproject").write_text("{}")
    content = depot / "Content" / "Maps"
    content.mkdir(parents=True)
    asset = farchive.new_data_table("/Game/Maps/A", "/Script/M.Row", ["Count:int"], {"One": {"Count": 1}})
    asset.save_as(content / "A.uasset")
    header, bodies = weapons().to_files()
    (content / "DT.uasset").write_bytes(header)
    if bodies is not None:
        (content / "DT.uexp").write_bytes(bodies)
    (content / "DT.ubulk").write_bytes(bytes(200_000))
    (content / "Photo.png").write_bytes(bytes(300_000))
    (content / "Film.unknown").write_bytes(bytes(300_000))
    shutil.copy(depot / "Map0.unr", depot / "Oddly.called")
    (depot / "Paks").mkdir()
    (depot / "Paks" / "Game.pak").write_bytes(pak({"Town/Content/B.uasset": asset.to_bytes(), "Big.bin": bytes(500_000)}))
    (depot / "Paks" / "Broken.pak").write_bytes((depot / "Paks" / "Game.pak").read_bytes()[-200:])
    (depot / "Map1.unr.bak").write_bytes(b"old")
    return depot


def list_remote(address: str, storage: dict[str, Any], keys: list[str] | None = None) -> list[RemoteFile]:
    return list(_listing.list_remote(address, storage, keys))


def rows(batches: Any, root: str) -> list[str]:
    """Rows without what a store can't know, and paths below the root."""

    def one(row: dict[str, Any]) -> dict[str, Any]:
        texts = {name: value.replace(root, "") for name, value in row.items() if isinstance(value, str)}
        return {name: texts.get(name, value) for name, value in row.items() if name not in ("package_id", "modified")}

    return sorted(repr(one(row)) for batch in batches for row in batch.to_pylist())


def compared(folder: Path, address: str, storage: dict[str, Any], **given: Any) -> dict[str, Store]:
    """Every table from the store is that of the folder; what each one fetched."""
    opening = OPENING | given
    files = list_remote(address, storage, opening["keys"])
    stores = {}
    for table in farchive.tables():
        scan = RemoteScan(address, storage, table, None, opening)
        remote = rows(scan.batches(files), scan.store.address)
        local = rows([pyarrow.table(farchive.scan(folder, table, jobs=1, **given))], str(folder))
        assert remote == local, table
        assert local or table in ("findings", "tags"), table
        stores[table] = scan.store
    return stores


def needed(files: list[RemoteFile]) -> int:
    """Bytes of the packages of a project, as they are stored."""
    return sum(file.size for file in files if not file.name.endswith((".unknown", "Broken.pak")))


def test_a_file_system_gives_the_rows_of_the_folder(project: Path) -> None:
    stores = compared(project, f"file://{project}", {})
    files = list_remote(f"file://{project}", {})
    names = {file.name for file in files}
    assert {"Paks/Game.pak/Town/Content/B.uasset", "Oddly.called", "Content/Maps/A.uasset"} <= names
    assert not names & {"Content/Maps/Photo.png", "Map1.unr.bak", "Content/Maps/DT.ubulk", "notes.txt"}
    # The start of a file that may be anything is looked at, its rest is not.
    assert stores["packages"].fetched <= 1.2 * needed(files) + 4096
    mounts = {file.name: file.mount for file in files}
    assert mounts["Content/Maps/A.uasset"] == "/Game/Maps/A"


@pytest.mark.parametrize("client", ["s3fs", "obstore"])
def test_a_store_gives_the_rows_of_the_folder(s3: S3, project: Path, client: str) -> None:
    pytest.importorskip(client)
    stores = compared(project, s3.bucket(project), s3.storage if client == "s3fs" else s3.obstore)
    files = list_remote(f"file://{project}", {})
    for table in ("packages", "exports", "properties"):
        assert stores[table].fetched <= 1.2 * needed(files) + 4096, table
    assert stores["names"].fetched <= stores["packages"].fetched


def test_real_packages_and_containers_have_the_same_rows_in_a_store(s3: S3, tmp_path: Path) -> None:
    root = corpus()
    if root is None:
        pytest.skip("UPK_CORPUS names no folder of real packages")
    folder = tmp_path / "real"
    for part in ("classic", "modern", "modern-ue6", "wild", "containers", "saves", "uz"):
        found = sorted(file for file in (root / part).rglob("*") if file.is_file() and file.stat().st_size < LARGEST)
        step = max(1, len(found) // SAMPLE)
        for file in found[::step]:
            for each in {file, *file.parent.glob(f"{file.stem}.*")}:
                to = folder / each.relative_to(root)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(each, to)
    address = s3.bucket(folder)
    compared(folder, address, s3.storage)


def test_headers_do_for_names_imports_and_paths(tmp_path: Path) -> None:
    table = farchive.new_data_table(
        "/Game/Big", "/Script/M.Row", ["Count:int"], {f"Row{n}": {"Count": n} for n in range(20_000)}
    )
    table.save_as(tmp_path / "Big.uasset")
    header = table["Big"].offset
    for name, columns in (("names", None), ("imports", None), ("exports", ["path", "class", "size"])):
        scan = RemoteScan(f"file://{tmp_path}", {}, name, columns, OPENING)
        files = list_remote(f"file://{tmp_path}", {})
        remote = rows(scan.batches(files), scan.store.address)
        assert remote == rows([pyarrow.table(farchive.scan(tmp_path, name, columns))], str(tmp_path))
        assert scan.store.fetched <= 1.2 * header < table.size / 2


def test_what_can_not_be_looked_into_is_a_row(project: Path) -> None:
    files = list_remote(f"file://{project}", {})
    gone = next(file for file in files if file.name == "Map3.unr")
    (project / "Map3.unr").unlink()
    scan = RemoteScan(f"file://{project}", {}, "packages", None, OPENING)
    found = {row["path"]: row for batch in scan.batches(files) for row in batch.to_pylist()}
    assert found[gone.path]["status"] == "failed" and "Map3.unr" in found[gone.path]["error"]
    broken = found[f"file://{project}/Paks/Broken.pak"]
    assert broken["status"] == "failed" and broken["error"] and broken["bytes"] == 200
    assert len(found) == len(files) - 1, "all but what is no package"


@pytest.mark.parametrize("client", ["s3fs", "obstore"])
def test_one_file_that_is_gone_is_one_row(s3: S3, project: Path, client: str) -> None:
    pytest.importorskip(client)
    address = s3.bucket(project)
    storage = s3.storage if client == "s3fs" else s3.obstore
    files = list_remote(address, storage)
    Store(address, s3.storage).system.rm_file(f"{address}/Map3.unr")
    scan = RemoteScan(address, storage, "packages", None, OPENING)
    found = [row for batch in scan.batches(files) for row in batch.to_pylist() if row["status"] == "failed"]
    assert {row["path"].rpartition("/")[2] for row in found} == {"Map3.unr", "Broken.pak", "Damaged.u"}


def test_the_key_of_a_package_changes_with_its_content(project: Path) -> None:
    def ids() -> dict[str, int]:
        found = {}
        for table in ("packages", "exports"):
            scan = RemoteScan(f"file://{project}", {}, table, None, OPENING)
            batches = scan.batches(list_remote(f"file://{project}", {}))
            found[table] = {row["package_id"] for batch in batches for row in batch.to_pylist()}
        assert found["exports"] <= found["packages"]
        return {str(each): each for each in found["packages"]}

    before = ids()
    assert before == ids()
    os.utime(project / "Map0.unr", (1, 1))
    assert len(before.keys() & ids().keys()) == len(before) - 1


def test_no_name_leads_out_of_the_stand_in() -> None:
    from farchive._store import is_safe

    assert is_safe("b.uasset")
    for name in ("..", ".", "", "a/b", "a\\..\\b", "a\0b", "é" * 128):
        assert not is_safe(name), name


def test_times_that_a_store_does_not_say_are_none(s3: S3, project: Path) -> None:
    pytest.importorskip("obstore")
    address = s3.bucket(project)
    times = pyarrow.table(farchive.scan(address, "packages", ["modified"], storage=s3.obstore)).column(0)
    assert times.null_count == len(times) > 5
    known = pyarrow.table(farchive.scan(address, "packages", ["modified"], storage=s3.storage)).column(0)
    assert known.null_count == 0


def test_a_client_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no client 'boto'"):
        farchive.scan("s3://depot", "names", storage={"client": "boto"})


def test_names_that_are_no_paths_are_rows(s3: S3, tmp_path: Path) -> None:
    (tmp_path / "Map.unr").write_bytes(weapons().to_bytes())
    address = s3.bucket(tmp_path)
    import s3fs

    system = s3fs.S3FileSystem(**s3.storage, use_listings_cache=False)
    bucket = address.removeprefix("s3://")
    long = "l" * 300
    keys = ["a//Twice.u", "a/./Dot.u", "a/Real.u", "a/", "Map.unr/Below.u", "back\\slash.u", f"{long}.u"]
    for key in [*keys, "Plugins/a.uplugin", "Plugins/a.uplugin/b.uplugin", "x.pak", "x.pak/y.pak"]:
        system.call_s3("put_object", Bucket=bucket, Key=key, Body=b"x")
    files = list_remote(address, s3.storage)
    assert [file.name for file in files if file.fault is None] == ["Map.unr", "Map.unr/Below.u", "a/Real.u"]
    assert {file.name for file in files if file.fault} == {"a/", "a/.", "back\\slash.u", f"{long}.u"}
    scan = RemoteScan(address, s3.storage, "packages", None, OPENING)
    found = [row["path"] for batch in scan.batches(files) for row in batch.to_pylist()]
    assert set(found) == {f"{address}/{file.name}" for file in files}


def test_files_come_in_order_and_folders_before_they_are_asked_for(tmp_path: Path) -> None:
    names = ["a.b/One.u", "a/Two.u", "a/deep/er/Three.u", "a-b/Four.u", "Five.u", "a/Five.u", "b.u", "A/x.u"]
    names += [f"many/{n:03}/File.u" for n in range(100)]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "a" / "circle").symlink_to(tmp_path)
    listed = iter(_listing.list_remote(f"file://{tmp_path}", {}))
    assert [file.name for file in listed] == sorted(names, key=lambda name: Path(name).parts)
    # Of many folders those are asked for that come next.
    asked: list[str] = []
    folder = Store.folder

    def noted(store: Store, name: str) -> Any:
        asked.append(name)
        return folder(store, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "folder", noted)
        some = _listing.list_remote(f"file://{tmp_path}/many", {})
        assert next(some).name == "000/File.u"
        assert 1 < len(asked) < 20
        del some


def test_an_address_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        farchive.scan(f"file://{tmp_path}/nowhere", "names")


def test_a_store_that_is_not_reached_is_an_error() -> None:
    pytest.importorskip("obstore")
    storage = {"client": "obstore", "access_key_id": "a", "secret_access_key": "b", "endpoint": "http://127.0.0.1:9"}
    storage |= {"client_options": {"allow_http": True}, "retry_config": {"max_retries": 0}}  # type: ignore[dict-item]
    with pytest.raises(Exception, match="127.0.0.1:9"):
        farchive.scan("s3://depot", "exports", storage=storage)


def test_a_place_that_has_gone_is_an_error(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        weapons().save_as(tmp_path / name / "DT.uasset")
    scanned = farchive.scan([tmp_path / "one", tmp_path / "two"], "packages", ["path"], jobs=10**9)
    assert pyarrow.table(scanned).num_rows == 2
    shutil.rmtree(tmp_path / "two")
    with pytest.raises(OSError, match="two"):
        list(scanned)


def test_an_address_may_be_a_file(project: Path) -> None:
    for name in ("Content/Maps/DT.uasset", "Paks/Game.pak", "Paks/Broken.pak", "Map0.unr"):
        address = f"file://{project}/{name}"
        for table in ("packages", "exports", "properties"):
            found = rows(farchive_batches(address, table), f"file://{project}")
            assert found == rows([pyarrow.table(farchive.scan(project / name, table))], str(project)), (name, table)


def farchive_batches(address: str, table: str) -> Any:
    return [pyarrow.table(part) for part in farchive.scan(address, table)]


def test_environment_and_mappings_are_read_once_a_task(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    scanner = farchive._farchive.Scanner

    def counted(*given: Any, **named: Any) -> Any:
        made.append(named)
        return scanner(*given, **named)

    monkeypatch.setattr(farchive._farchive, "Scanner", counted)
    scan = RemoteScan(f"file://{project}", {}, "properties", None, OPENING | {"env": [project]})
    assert sum(batch.num_rows for batch in scan.batches(list_remote(f"file://{project}", {})))
    assert len(made) == 1 and made[0]["env"] == [project]


def test_scan_takes_addresses(s3: S3, project: Path) -> None:
    address = s3.bucket(project)
    told: list[tuple[int, int]] = []
    found = farchive.scan(
        address, "exports", ["path", "class"], storage=s3.storage, progress=lambda done, all: told.append((done, all))
    )
    assert isinstance(found, farchive.Rows) and found.column_names == ["path", "class"] and not told
    local = pyarrow.table(farchive.scan(project, "exports", ["path", "class"]))
    for _ in range(2):
        # Each time they are read they are made anew.
        assert rows([pyarrow.table(found)], address) == rows([local], str(project))
    files = len(list_remote(address, s3.storage))
    assert told[-1] == (files, files)
    assert sum(pyarrow.table(part).num_rows for part in found) == local.num_rows


def test_several_tables_and_addresses_are_scanned(project: Path) -> None:
    places = [f"file://{project}/Content", f"file://{project}/Paks"]
    found = farchive.scan(places, ["packages", "names"])
    assert list(found) == ["packages", "names"]
    paths = [row["path"] for row in pyarrow.table(found["packages"]).to_pylist()]
    assert any("/Content/Maps/A.uasset" in path for path in paths) and any("Game.pak/" in path for path in paths)
    assert set(farchive.scan(f"file://{project}")) == set(farchive.tables()) - {"leaves"}
    with pytest.raises(TypeError, match="one after the other"):
        farchive.scan([f"file://{project}", project], "names")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="columns are of one table"):
        farchive.scan(f"file://{project}", ["names"], ["text"])  # type: ignore[call-overload]


def test_what_progress_raises_ends_a_scan_of_addresses(project: Path) -> None:
    def refuse(done: int, all: int) -> None:
        raise ZeroDivisionError("no")

    scanned = farchive.scan(f"file://{project}", "names", progress=refuse)
    with pytest.raises(ZeroDivisionError):
        list(scanned)
    with pytest.raises(pyarrow.ArrowException, match="ZeroDivisionError"):
        pyarrow.table(scanned)
