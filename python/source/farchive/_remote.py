"""Folders of an object store, as fsspec knows them: listed in parallel, read by ranges.

What a scan of such a folder looks at, and the rows that it gets, are those of a scan of the same files on a disk. The
folder is stood for by a folder on this disk, in which a file is there while its rows are made. Containers are never
copied: their tables of contents, and what is wanted of them, are read by ranges.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from . import _farchive

if TYPE_CHECKING:
    import pyarrow

    from ._farchive import _FileTuple

#: Files that are read together with their package, behind its name without its end.
_BESIDE = (".uexp", ".ubulk", ".uptnl", ".m.ubulk", ".upayload")
#: What containers are made of.
_CONTAINERS = (".pak", ".utoc", ".ucas")
#: What tells a project and its plugins.
_SETTINGS = (".uproject", ".uplugin")
#: What files are called that are packages: they are fetched without a look at their start.
_PACKAGES = frozenset(
    ".uasset .umap .u .unr .utx .uax .umx .usx .ukx .ut2 .ut3 .upk .udk .pcc .uvx .xxx .un2 .ctm .rom .dnf .aas".split()
)
#: Bytes that show whether a file may be a package, and those in which a header says its size.
_START = 4096
_HEADER_STARTS = (2048, 16384)
#: Bytes, and files, that are fetched at once.
_BATCH_BYTES = 16 << 20
_BATCH_FILES = 256
#: Folders that are listed at once.
_LISTINGS = 16


@dataclass
class RemoteFile:
    """A file of an object store, as one task needs to know it."""

    #: Below the root; of what lies in a container with the container's name first.
    name: str
    #: What its rows call it.
    path: str
    #: What other packages call it, where the folder says it.
    mount: str | None
    #: Whether the user has named it.
    is_named: bool
    #: Bytes, for dividing the work.
    size: int
    #: What tells its content from any other: the store's tag, or time and size.
    key: str = ""
    #: When it was written, seconds since 1970.
    modified: float | None = None
    #: Why it can't be looked into: whether its kind is not supported, and the reason.
    fault: tuple[bool, str] | None = None
    #: Its path below the place, where that is not its name.
    relative: str | None = None
    #: The files beside it, by what they are called behind its name: their bytes.
    beside: dict[str, int] = field(default_factory=dict)
    #: The container that it lies in.
    container: str | None = None
    #: The containers of the folder of that, with their bytes and times: names of imports are in any of them.
    siblings: dict[str, tuple[int, float | None]] = field(default_factory=dict)


class Store:
    """The files below an address."""

    def __init__(self, address: str, storage: dict[str, Any]) -> None:
        import fsspec

        # A cache of listings would hold each of millions of files.
        options = {"use_listings_cache": False, **storage}
        self.system, root = fsspec.core.url_to_fs(address, **options)
        self.root = str(root).rstrip("/")
        self.address = self.system.unstrip_protocol(self.root)
        #: Bytes that were fetched, and how often.
        self.fetched, self.requests = 0, 0
        self._lock = threading.Lock()

    def _at(self, name: str) -> str:
        return f"{self.root}/{name}" if name else self.root

    def _count(self, size: int, requests: int = 1) -> None:
        with self._lock:
            self.fetched += size
            self.requests += requests

    def read(self, name: str, start: int, size: int) -> bytes:
        """Bytes of a file."""
        if size == 0:
            return b""
        found = bytes(self.system.cat_file(self._at(name), start=start, end=start + size))
        self._count(len(found))
        return found

    def read_many(self, ranges: Sequence[tuple[str, int, int]]) -> list[bytes | Exception]:
        """Bytes of many files at once: name, start and end of each; an error in the place of its bytes."""
        wanted = [each for each in ranges if each[2] > each[1]]
        found: list[Any] = []
        if wanted:
            places = [self._at(name) for name, _, _ in wanted]
            starts, ends = [start for _, start, _ in wanted], [end for _, _, end in wanted]
            found = self.system.cat_ranges(places, starts, ends, on_error="return")
        results: list[bytes | Exception] = []
        given = iter(found)
        for _, start, end in ranges:
            each = next(given) if end > start else b""
            if isinstance(each, BaseException):
                results.append(each if isinstance(each, Exception) else OSError(str(each)))
            elif len(each) != end - start:
                results.append(OSError(f"{len(each)} bytes came and {end - start} were asked for"))
            else:
                self._count(len(each), requests=int(end > start))
                results.append(bytes(each))
        return results

    def list(self) -> tuple[dict[str, _Info], dict[str, str]]:
        """All files by their name below the root, and folders that can't be listed, with the reason."""
        if self.system.isfile(self.root):
            return {"": _Info.of(self.system.info(self.root))}, {}
        files: dict[str, _Info] = {}
        faults: dict[str, str] = {}
        lock = threading.Lock()

        def below(name: str) -> str:
            return name[len(self.root) :].lstrip("/")

        def note(found: Sequence[dict[str, Any]]) -> None:
            with lock:
                for info in found:
                    name = below(str(info["name"]))
                    if info.get("type") == "file" and name and not name.endswith("/"):
                        files[name] = _Info.of(info)

        def folders(place: str) -> list[str]:
            """The folders of a folder, whose files are noted."""
            try:
                found = self.system.ls(place, detail=True)
            except FileNotFoundError:
                raise
            except OSError as error:
                faults[below(place)] = str(error)
                return []
            note(found)
            return [str(info["name"]) for info in found if info.get("type") == "directory"]

        def everything(place: str) -> None:
            """All files at any depth, in as few requests as there are pages."""
            errors: list[OSError] = []
            try:
                # Stores list by prefix, file systems folder by folder, any of which may fail.
                is_store = bool(getattr(self.system, "async_impl", False))
                told: dict[str, Any] = {} if is_store else {"on_error": errors.append}
                found = self.system.find(place, detail=True, **told)
                note(list(found.values()))
                for error in errors:
                    where = getattr(error, "filename", None) or place
                    faults[below(str(where))] = str(error)
            except OSError as error:
                faults[below(place)] = str(error)

        with ThreadPoolExecutor(_LISTINGS) as pool:
            first = folders(self.root)
            # Two levels are listed one by one, what lies deeper below each of them at once.
            second = [place for found in pool.map(folders, first) for place in found]
            list(pool.map(everything, second))
        return dict(sorted(files.items())), faults


@dataclass(slots=True)
class _Info:
    """What a listing says of a file."""

    size: int
    key: str
    modified: float | None

    @classmethod
    def of(cls, info: dict[str, Any]) -> _Info:
        size = int(info.get("size") or 0)
        when = info.get("LastModified") or info.get("last_modified") or info.get("mtime") or info.get("updated")
        seconds: object = when.timestamp() if isinstance(when, datetime) else when
        modified = float(seconds) if isinstance(seconds, (int, float)) else None
        tag = info.get("ETag") or info.get("etag")
        # A size is part of it: some stores give no tag, and a time of whole seconds.
        return cls(size, f"{tag or modified}:{size}", modified)


def _is_safe(name: str) -> bool:
    """Whether a name leads nowhere but below the folder that stands for the root."""
    parts = name.split("/")
    unsafe = '\\\0:*?"<>|' if sys.platform == "win32" else "\\\0"
    return all(part not in ("", ".", "..") for part in parts) and not set(name) & set(unsafe)


def _ends(name: str, ends: Sequence[str]) -> bool:
    return name.lower().endswith(tuple(ends))


def _stand_in(folder: Path, name: str, modified: float | None = None, content: bytes = b"") -> Path:
    """A file in the folder that stands for the root."""
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    if modified is not None:
        os.utime(place, (modified, modified))
    return place


def _temporary() -> tempfile.TemporaryDirectory[str]:
    memory = "/dev/shm"
    return tempfile.TemporaryDirectory(prefix="upk-", dir=memory if os.access(memory, os.W_OK) else None)


def list_remote(address: str, storage: dict[str, Any], keys: list[str] | None = None) -> list[RemoteFile]:
    """The files that a scan of an address looks at, in order."""
    store = Store(address, storage)
    found, faults = store.list()
    if "" in found:
        return _one_file(store, found[""])
    safe = {name: info for name, info in found.items() if _is_safe(name)}
    faults |= {name: "its name is no path of a file" for name in found if name not in safe}
    containers = {name: info for name, info in safe.items() if _ends(name, _CONTAINERS)}
    with _temporary() as temporary:
        root = Path(temporary)
        for name, info in safe.items():
            if _ends(name, _SETTINGS):
                _stand_in(root, name, content=store.read(name, 0, info.size))
            elif name in containers:
                _stand_in(root, name, info.modified)
            else:
                parts = PurePosixPath(name).parts[:-1]
                if "Content" in parts and not (root / Path(*parts[: parts.index("Content") + 1])).is_dir():
                    (root / Path(*parts[: parts.index("Content") + 1])).mkdir(parents=True)
        sizes = {name: info.size for name, info in containers.items()}
        lent = _farchive.Lent(root, sizes, store.read)
        listed = _farchive.list_listing(root, [Path(name) for name in safe], lent, keys=keys)
        files = []
        siblings: dict[PurePosixPath, dict[str, tuple[int, float | None]]] = {}
        for file, _, mount, named, size, fault, _ in listed:
            name = file.relative_to(root).as_posix()
            one = RemoteFile(name, f"{store.address}/{name}", mount, named, size, fault=fault)
            _complete(one, safe, containers, siblings)
            files.append(one)
    for name, reason in faults.items():
        address_of = f"{store.address}/{name}" if name else store.address
        files.append(RemoteFile(name, address_of, None, False, 0, fault=(False, reason)))
    return sorted(files, key=lambda file: PurePosixPath(file.name).parts)


def _one_file(store: Store, info: _Info) -> list[RemoteFile]:
    """An address that is a file: a package with what lies beside it, or a container."""
    folder, _, name = store.root.rpartition("/")
    address = store.system.unstrip_protocol(folder)
    if _ends(name, (".pak", ".utoc")):
        inside = list_remote(address, {"use_listings_cache": False, **store.system.storage_options})
        return [file for file in inside if file.container == name or file.name == name]
    stem = name.rpartition(".")[0]
    beside = {}
    for end in _BESIDE:
        place = f"{folder}/{stem}{end}"
        if _ends(name, (".uasset", ".umap")) and store.system.exists(place):
            beside[end] = int(store.system.size(place) or 0)
    path = f"{address}/{name}"
    return [RemoteFile(name, path, None, True, info.size, info.key, info.modified, beside=beside)]


def _complete(
    file: RemoteFile,
    found: dict[str, _Info],
    containers: dict[str, _Info],
    siblings: dict[PurePosixPath, dict[str, tuple[int, float | None]]],
) -> None:
    """Says of a listed file what a task needs to know."""
    info = found.get(file.name)
    if info is not None:
        file.size, file.key, file.modified = info.size, info.key, info.modified
        stem = file.name.rpartition(".")[0]
        for end in _BESIDE:
            other = found.get(stem + end)
            if other is not None and _ends(file.name, (".uasset", ".umap")):
                file.beside[end] = other.size
                file.key += "|" + other.key if end == ".uexp" else ""
                file.size += other.size if end == ".uexp" else 0
        return
    for above in PurePosixPath(file.name).parents:
        container = above.as_posix()
        if container in containers:
            file.container = container
            folder = PurePosixPath(container).parent
            if folder not in siblings:
                siblings[folder] = {
                    name: (info.size, info.modified)
                    for name, info in containers.items()
                    if PurePosixPath(name).parent == folder
                }
            # One dict for all files of the folder, which pickle keeps one.
            file.siblings = siblings[folder]
            file.key = f"{containers[container].key}/{file.name}"
            return


class RemoteScan:
    """The rows of one table of files of an object store: environment, mappings and containers are opened once."""

    def __init__(
        self,
        address: str,
        storage: dict[str, Any],
        table: str,
        columns: list[str] | None,
        opening: dict[str, Any],
    ) -> None:
        self.store = Store(address, storage)
        if len(self.store.root.rsplit("/", 1)) == 2 and self.store.system.isfile(self.store.root):
            self.store.root = self.store.root.rpartition("/")[0]
            self.store.address = self.store.system.unstrip_protocol(self.store.root)
        self.table, self.columns, self.opening = table, columns, opening

    def batches(self, files: Sequence[RemoteFile]) -> Iterator[pyarrow.RecordBatch]:
        """The rows of these files."""
        import pyarrow

        for rows in self.parts(files):
            yield from pyarrow.RecordBatchReader.from_stream(rows)

    def parts(
        self, files: Sequence[RemoteFile], progress: Callable[[int], object] | None = None
    ) -> Iterator[_farchive.Rows]:
        """The same as they are made; ``progress`` is called with the files that are done."""
        with _temporary() as temporary:
            root = Path(temporary)
            lent_files: dict[str, int] = {}
            for file in files:
                for name, (size, modified) in file.siblings.items():
                    if name not in lent_files:
                        lent_files[name] = size
                        _stand_in(root, name, modified)
            lent = _farchive.Lent(root, lent_files, self.store.read)
            shown = (str(root), self.store.address)
            scanner = _farchive.Scanner(self.table, self.columns, shown, lent=lent, **self.opening)

            done = 0
            for batch, fetched in self._ahead(scanner.needs_bodies, list(_batches(files))):
                self._add(scanner, root, batch, fetched)
                done += len(batch)
                if progress is not None:
                    progress(done)
                rows = scanner.take()
                if rows is not None:
                    yield rows
            rows = scanner.take(all=True)
            if rows is not None:
                yield rows

    def _ahead(
        self, needs_bodies: bool, batches: list[list[RemoteFile]]
    ) -> Iterator[tuple[list[RemoteFile], list[_Fetched]]]:
        """Fetches each batch while the rows of the one before it are made."""
        with ThreadPoolExecutor(1) as pool:
            coming: Future[list[_Fetched]] | None = None
            for at, batch in enumerate(batches):
                fetched = coming.result() if coming else self._fetch(needs_bodies, batch)
                follows = at + 1 < len(batches)
                coming = pool.submit(self._fetch, needs_bodies, batches[at + 1]) if follows else None
                yield batch, fetched

    def _fetch(self, needs_bodies: bool, batch: list[RemoteFile]) -> list[_Fetched]:
        """The bytes of files, or of their headers, in as few rounds as there are kinds of files."""
        fetched = [_Fetched() for _ in batch]
        whole: list[int] = []
        starts: list[int] = []
        for at, file in enumerate(batch):
            if file.container is not None or file.fault is not None:
                continue
            is_called_so = file.is_named or PurePosixPath(file.name).suffix.lower() in _PACKAGES
            has_header = not needs_bodies and _ends(file.name, (".uasset", ".umap"))
            (whole if is_called_so and not has_header else starts).append(at)
        self._fetch_starts(batch, fetched, starts, whole, needs_bodies)
        self._fetch_whole(batch, fetched, whole)
        return fetched

    def _fetch_starts(
        self, batch: list[RemoteFile], fetched: list[_Fetched], starts: list[int], whole: list[int], needs_bodies: bool
    ) -> None:
        """Looks at the starts of files: what is no package is not fetched, and headers alone where those do."""

        def header_bytes(file: RemoteFile) -> int:
            return file.size - file.beside.get(".uexp", 0)

        def start(file: RemoteFile) -> int:
            is_asset = not needs_bodies and _ends(file.name, (".uasset", ".umap"))
            return min(header_bytes(file), _HEADER_STARTS[0] if is_asset else _START)

        first = self.store.read_many([(batch[at].name, 0, start(batch[at])) for at in starts])
        more: list[tuple[int, int]] = []
        for at, content in zip(starts, first, strict=True):
            file = batch[at]
            if isinstance(content, Exception):
                fetched[at].error = content
                continue
            length = header_bytes(file)
            is_asset = not needs_bodies and _ends(file.name, (".uasset", ".umap"))
            fetched[at].start = content
            if not is_asset:
                fetched[at].is_none = not file.is_named and not _farchive.may_be_package(content, length)
                if not fetched[at].is_none:
                    whole.append(at)
                continue
            size = _farchive.size_of_header(content)
            if size is None and len(content) < min(length, _HEADER_STARTS[1]):
                rest = self.store.read_many([(file.name, len(content), min(length, _HEADER_STARTS[1]))])[0]
                if not isinstance(rest, Exception):
                    content = fetched[at].start = content + rest
                    size = _farchive.size_of_header(content)
            if size is None or size > length:
                whole.append(at)
                continue
            fetched[at].header_size = size
            if size > len(content):
                more.append((at, size))
        ranges = [(batch[at].name, len(fetched[at].start), size) for at, size in more]
        for (at, _), content in zip(more, self.store.read_many(ranges), strict=True):
            if isinstance(content, Exception):
                fetched[at].error = content
            else:
                fetched[at].start += content

    def _fetch_whole(self, batch: list[RemoteFile], fetched: list[_Fetched], whole: list[int]) -> None:
        ranges = []
        for at in whole:
            file, bodies = batch[at], batch[at].beside.get(".uexp", 0)
            ranges.append((file.name, len(fetched[at].start), file.size - bodies))
            ranges.append((file.name.rpartition(".")[0] + ".uexp", 0, bodies))
        found = iter(self.store.read_many(ranges))
        for at in whole:
            header, bodies_found = next(found), next(found)
            failed = next((each for each in (header, bodies_found) if isinstance(each, Exception)), None)
            if failed is not None:
                fetched[at].error = failed
                continue
            assert isinstance(header, bytes) and isinstance(bodies_found, bytes)
            fetched[at].header, fetched[at].bodies = fetched[at].start + header, bodies_found

    def _add(
        self, scanner: _farchive.Scanner, root: Path, batch: list[RemoteFile], fetched: list[_Fetched]
    ) -> None:
        """Makes the rows of files that were fetched."""
        for file, found in zip(batch, fetched, strict=True):
            fault, place = file.fault, root / file.name
            relative = file.relative or file.name
            one = (place, file.path, file.mount, file.is_named, file.key, fault, relative)
            if found.error is not None:
                fault = (False, f"{type(found.error).__name__}: {found.error}")
            elif found.is_none:
                continue
            if fault is not None:
                self._add_fault(scanner, place, file, (*one[:5], fault, relative))
                continue
            if file.container is not None:
                scanner.add([one])
                continue
            if found.header is None and found.header_size is not None:
                header = found.start[: found.header_size]
                if scanner.add_header(header, file.size, one):
                    continue
            if found.header is None:
                self._fetch_whole([file], [found], [0])
            if found.header is None:
                self._add_fault(scanner, place, file, (*one[:5], (False, str(found.error)), relative))
                continue
            self._add_whole(scanner, root, file, found, one)

    def _add_fault(self, scanner: _farchive.Scanner, place: Path, file: RemoteFile, one: _FileTuple) -> None:
        """Makes the row of what can't be looked into, for which a file of holes stands."""
        is_there = place.exists()
        if not is_there:
            _stand_in(place.parent, place.name, file.modified)
        if place.is_file():
            os.truncate(place, file.size)
        scanner.add([one])
        if not is_there:
            place.unlink()

    def _add_whole(
        self,
        scanner: _farchive.Scanner,
        root: Path,
        file: RemoteFile,
        found: _Fetched,
        one: _FileTuple,
    ) -> None:
        assert found.header is not None
        made: list[Path] = []
        try:
            made.append(_stand_in(root, file.name, file.modified, found.header))
            stem = file.name.rpartition(".")[0]
            for end, size in file.beside.items():
                is_read = end == ".uexp"
                beside = _stand_in(root, stem + end, file.modified, found.bodies if is_read else b"")
                made.append(beside)
                if not is_read:
                    # Its size is in the tables, its bytes are not.
                    os.truncate(beside, size)
            scanner.add([one])
        except OSError as error:
            scanner.add([(*one[:5], (False, str(error)), one[6])])
        finally:
            for place in made:
                place.unlink(missing_ok=True)


@dataclass
class _Fetched:
    """What was fetched of a file."""

    start: bytes = b""
    header: bytes | None = None
    bodies: bytes = b""
    header_size: int | None = None
    #: Whether it is no package.
    is_none: bool = False
    error: Exception | None = None


def _batches(files: Sequence[RemoteFile]) -> Iterator[list[RemoteFile]]:
    held: list[RemoteFile] = []
    size = 0
    for file in files:
        if held and (size + file.size > _BATCH_BYTES or len(held) >= _BATCH_FILES):
            yield held
            held, size = [], 0
        held.append(file)
        size += 0 if file.container else file.size
    if held:
        yield held


def scan_remote(
    addresses: Sequence[str],
    table: str,
    columns: list[str] | None,
    storage: Mapping[str, Any],
    opening: dict[str, Any],
    progress: Callable[[int, int], object] | None,
    listed: dict[str, list[RemoteFile]],
) -> _farchive.Rows:
    """The rows of one table of folders of object stores, fetched when they are read; `listed` has the files that are
    known already."""
    options = dict(storage)
    keys: list[str] | None = opening["keys"]
    opening = opening | {"mappings": mappings_of(opening["mappings"], options)}
    for address in addresses:
        if address not in listed:
            listed[address] = list_remote(address, options, keys)
    total = sum(len(listed[address]) for address in addresses)

    def parts() -> Iterator[_farchive.Rows]:
        before = 0
        for address in addresses:
            tell = None
            if progress is not None:
                hook, start = progress, before

                def tell(done: int, hook: Callable[[int, int], object] = hook, start: int = start) -> None:
                    hook(start + done, total)

            yield from RemoteScan(address, options, table, columns, opening).parts(listed[address], tell)
            before += len(listed[address])

    return _farchive.rows_of_parts(table, parts, columns)


def is_address(place: object) -> bool:
    """Whether a place is one of an object store, or of what else fsspec knows."""
    return isinstance(place, str) and "://" in place


def mappings_of(source: Any, storage: dict[str, Any]) -> Any:
    """Mappings, read once, also from an address."""
    if is_address(source):
        import fsspec

        with fsspec.open(source, "rb", **storage) as file:
            return _farchive.Mappings(file.read())
    if isinstance(source, (str, os.PathLike)):
        return _farchive.Mappings(source)
    return source

