"""Rows of files of an object store, which are read by ranges.

What a scan of a folder there looks at, and the rows that it gets, are those of a scan of the same files on a disk. The
folder is stood for by a folder on this disk, in which a file is there while its rows are made. Containers are never
copied: their tables of contents, and what is wanted of them, are read by ranges.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from . import _farchive
from ._listing import RemoteFile, list_remote
from ._store import Store, ends, stand_in, temporary

if TYPE_CHECKING:
    import pyarrow

    from ._farchive import _FileTuple

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

    def batches(self, files: Iterable[RemoteFile]) -> Iterator[pyarrow.RecordBatch]:
        """The rows of these files."""
        import pyarrow

        for rows in self.parts(files):
            yield from pyarrow.RecordBatchReader.from_stream(rows)

    def parts(
        self, files: Iterable[RemoteFile], progress: Callable[[int], object] | None = None
    ) -> Iterator[_farchive.Rows]:
        """The same as they are made; ``progress`` is called with the files that are done."""
        with temporary() as folder:
            root = Path(folder)
            lent = _farchive.Lent(root, {}, self.store.read)
            lent_files: set[str] = set()
            shown = (str(root), self.store.address)
            scanner = _farchive.Scanner(self.table, self.columns, shown, lent=lent, **self.opening)

            done = 0
            for batch, fetched in self._ahead(scanner.needs_bodies, _batches(files)):
                for file in batch:
                    for name, (size, modified) in file.siblings.items():
                        if name not in lent_files:
                            lent_files.add(name)
                            lent.add(name, size)
                            # A store may call a file as it calls a folder: then its packages are rows with an error.
                            with contextlib.suppress(OSError):
                                stand_in(root, name, modified)
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
        self, needs_bodies: bool, batches: Iterator[list[RemoteFile]]
    ) -> Iterator[tuple[list[RemoteFile], list[_Fetched]]]:
        """Fetches each batch while the rows of the one before it are made."""
        with ThreadPoolExecutor(1) as pool:
            held: tuple[list[RemoteFile], Future[list[_Fetched]]] | None = None
            for batch in batches:
                coming = pool.submit(self._fetch, needs_bodies, batch)
                if held is not None:
                    yield held[0], held[1].result()
                held = batch, coming
            if held is not None:
                yield held[0], held[1].result()

    def _fetch(self, needs_bodies: bool, batch: list[RemoteFile]) -> list[_Fetched]:
        """The bytes of files, or of their headers, in as few rounds as there are kinds of files."""
        fetched = [_Fetched() for _ in batch]
        whole: list[int] = []
        starts: list[int] = []
        for at, file in enumerate(batch):
            if file.container is not None or file.fault is not None:
                continue
            is_called_so = file.is_named or PurePosixPath(file.name).suffix.lower() in _PACKAGES
            has_header = not needs_bodies and ends(file.name, (".uasset", ".umap"))
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
            is_asset = not needs_bodies and ends(file.name, (".uasset", ".umap"))
            return min(header_bytes(file), _HEADER_STARTS[0] if is_asset else _START)

        first = self.store.read_many([(batch[at].name, 0, start(batch[at])) for at in starts])
        more: list[tuple[int, int]] = []
        for at, content in zip(starts, first, strict=True):
            file = batch[at]
            if isinstance(content, Exception):
                fetched[at].error = content
                continue
            length = header_bytes(file)
            is_asset = not needs_bodies and ends(file.name, (".uasset", ".umap"))
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
                self._add_fault(scanner, root, file, (*one[:5], fault, relative))
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
                self._add_fault(scanner, root, file, (*one[:5], (False, str(found.error)), relative))
                continue
            self._add_whole(scanner, root, file, found, one)

    def _add_fault(self, scanner: _farchive.Scanner, root: Path, file: RemoteFile, one: _FileTuple) -> None:
        """Makes the row of what can't be looked into, for which a file of holes stands: its own name may be that of no
        file on this disk."""
        place = stand_in(root, ".unread", file.modified, size=file.size)
        scanner.add([(place, *one[1:])])
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
            made.append(stand_in(root, file.name, file.modified, found.header))
            stem = file.name.rpartition(".")[0]
            for end, size in file.beside.items():
                is_read = end == ".uexp"
                # Of others the size is in the tables, the bytes are not.
                content = found.bodies if is_read else b""
                made.append(stand_in(root, stem + end, file.modified, content, None if is_read else size))
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


def _batches(files: Iterable[RemoteFile]) -> Iterator[list[RemoteFile]]:
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


class _Count:
    """Counts the files of addresses on a thread of its own, for `progress`."""

    def __init__(self, listings: Callable[[], Iterator[RemoteFile]]) -> None:
        self.files = 0
        self._stop = threading.Event()
        threading.Thread(target=self._run, args=(listings,), daemon=True).start()

    def _run(self, listings: Callable[[], Iterator[RemoteFile]]) -> None:
        # What can't be listed is an error of the scan, not of who counts.
        with contextlib.suppress(Exception):
            for _ in listings():
                self.files += 1
                if self._stop.is_set():
                    return

    def stop(self) -> None:
        self._stop.set()


def scan_remote(
    addresses: Sequence[str],
    table: str,
    columns: list[str] | None,
    storage: Mapping[str, Any],
    opening: dict[str, Any],
    progress: Callable[[int, int], object] | None,
) -> _farchive.Rows:
    """The rows of one table of folders of object stores, listed and fetched when they are read."""
    options = dict(storage)
    keys: list[str] | None = opening["keys"]
    opening = opening | {"mappings": mappings_of(opening["mappings"], options)}
    for address in addresses:
        # One that is not there is an error here, and not where rows are read.
        list_remote(address, options, keys)

    def files() -> Iterator[RemoteFile]:
        for address in addresses:
            yield from list_remote(address, options, keys)

    def parts() -> Iterator[_farchive.Rows]:
        count = _Count(files) if progress is not None else None
        before = done = 0

        def tell(here: int) -> None:
            nonlocal done
            done = before + here
            if progress is not None and count is not None:
                # The count may be behind.
                progress(done, max(done, count.files))

        try:
            for address in addresses:
                scan = RemoteScan(address, options, table, columns, opening)
                yield from scan.parts(list_remote(address, options, keys), tell)
                before = done
        finally:
            if count is not None:
                count.stop()

    return _farchive.rows_of_parts(table, parts, columns)


def is_address(place: object) -> bool:
    """Whether a place is one of an object store, or of what else fsspec knows."""
    return isinstance(place, str) and "://" in place


def mappings_of(source: Any, storage: dict[str, Any]) -> Any:
    """Mappings, read once, also from an address."""
    if is_address(source):
        store = Store(source, storage)
        return _farchive.Mappings(bytes(store.system.cat_file(store.root)))
    if isinstance(source, (str, os.PathLike)):
        return _farchive.Mappings(source)
    return source

