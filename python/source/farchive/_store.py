"""The files below an address of an object store, as fsspec knows them: listed folder by folder, read by ranges."""

from __future__ import annotations

import copy
import os
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

#: Folders that are listed at once, and single files that are read.
LISTINGS = 16
#: Bytes that the name of a file may have on this disk, where it is stood for.
_LONGEST = 255


@dataclass(slots=True)
class FileInfo:
    """What a listing says of a file."""

    size: int
    key: str
    modified: float | None

    @classmethod
    def of(cls, info: dict[str, Any]) -> FileInfo:
        size = int(info.get("size") or 0)
        when = info.get("LastModified") or info.get("last_modified") or info.get("mtime") or info.get("updated")
        seconds: object = when.timestamp() if isinstance(when, datetime) else when
        modified = float(seconds) if isinstance(seconds, (int, float)) else None
        tag = info.get("ETag") or info.get("etag") or info.get("e_tag")
        # A size is part of it: some stores give no tag, and a time of whole seconds.
        return cls(size, f"{tag or modified}:{size}", modified)


@dataclass(slots=True)
class Folder:
    """What stands in one folder."""

    #: Below the root, with a slash at its end; empty for the root.
    name: str
    #: Its files by their names below the root.
    files: dict[str, FileInfo] = field(default_factory=dict)
    #: The names of the folders in it, likewise.
    folders: list[str] = field(default_factory=list)
    #: What can't be looked into, with the reason: the folder itself, where it can't be listed.
    faults: dict[str, str] = field(default_factory=dict)


class Store:
    """The files below an address."""

    system: Any

    def __init__(self, address: str, storage: dict[str, Any]) -> None:
        options = dict(storage)
        client = options.pop("client", "fsspec")
        if client == "obstore":
            # A request takes a fifth of the processor time that it takes by s3fs.
            protocol, _, root = address.partition("://")
            self.system = import_module("obstore.fsspec").FsspecStore(protocol, **options)
        elif client == "fsspec":
            import fsspec

            # A cache of listings would hold each of millions of files.
            self.system, root = fsspec.core.url_to_fs(address, **{"use_listings_cache": False, **options})
        else:
            raise ValueError(f"storage: there is no client '{client}': there are fsspec and obstore")
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
            try:
                found = self.system.cat_ranges(places, starts, ends, on_error="return")
            except Exception:
                # One that fails is an error of all with some clients: then each is asked for by itself.
                with ThreadPoolExecutor(LISTINGS) as pool:
                    found = list(pool.map(self._read_one, places, starts, ends))
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

    def _read_one(self, place: str, start: int, end: int) -> bytes | Exception:
        try:
            return bytes(self.system.cat_file(place, start=start, end=end))
        except Exception as error:
            return error

    def is_file(self) -> bool:
        """Whether the address is that of one file."""
        # A bucket by itself is none, which some clients ask the store for as if it were.
        return "/" in self.root and bool(self.system.isfile(self.root))

    def around(self) -> tuple[Store, str]:
        """The folder around the file of the address, and its name."""
        folder, _, name = self.root.rpartition("/")
        around = copy.copy(self)
        around.root, around.address = folder, self.system.unstrip_protocol(folder)
        return around, name

    def info(self, name: str) -> FileInfo:
        """What a listing says of a file."""
        return FileInfo.of(self.system.info(self._at(name)))

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        return bool(self.system.isfile(self._at(name)))

    def folder(self, name: str) -> Folder:
        """One folder; one that is there and can't be listed has its fault."""
        folder = Folder(name)
        try:
            # Names end with a slash so that a folder is meant where a file is called the same.
            found = self.system.ls(self._at(name.rstrip("/")), detail=True)
        except FileNotFoundError:
            raise
        except Exception as error:
            # Nothing is known of what lies there then.
            if not name:
                raise
            # Not every client says by an OSError that something is not allowed.
            folder.faults[name.rstrip("/")] = str(error)
            return folder
        self._count(0)
        for info in found:
            below = str(info["name"])[len(self.root) :].removeprefix("/")
            part = below.removeprefix(name)
            if info.get("type") == "directory":
                # A link within the folder leads to what is listed anyway, or in circles.
                if not is_safe(part) or not below.startswith(name):
                    folder.faults[below] = "its name is no path of a folder"
                elif not info.get("islink"):
                    folder.folders.append(f"{below}/")
            elif info.get("type") == "file" and part and not part.endswith("/"):
                if is_safe(part) and below.startswith(name):
                    folder.files[below] = FileInfo.of(info)
                else:
                    folder.faults[below] = "its name is no path of a file"
        folder.folders.sort(key=lambda name: name[:-1])
        return folder


class FolderWalk:
    """Folders of a store in the order in which they are asked for, those that come next listed ahead.

    Held are the entries of the folders around the one that was asked for last, and of a few in each of them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pool = ThreadPoolExecutor(LISTINGS)

    def close(self) -> None:
        """Nothing more is listed."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def below(self, folder: Folder) -> Iterator[tuple[str, Future[Folder]]]:
        """The folders in a folder, by their names."""
        names = iter(folder.folders)
        coming: list[tuple[str, Future[Folder]]] = []
        while True:
            for name in names:
                coming.append((name, self._pool.submit(self.folder, name)))
                if len(coming) >= LISTINGS:
                    break
            if not coming:
                return
            yield coming.pop(0)

    def folder(self, name: str) -> Folder:
        """One folder, which a listing has named."""
        try:
            return self._store.folder(name)
        except FileNotFoundError as error:
            # It was there a moment ago.
            return Folder(name, faults={name.rstrip("/"): str(error)})


def is_safe(name: str) -> bool:
    """Whether the name of a file or folder leads nowhere but into the folder that it stands in."""
    unsafe = '/\\\0:*?"<>|' if sys.platform == "win32" else "/\\\0"
    return name not in ("", ".", "..") and not set(name) & set(unsafe) and len(os.fsencode(name)) <= _LONGEST


def ends(name: str, ends: Sequence[str]) -> bool:
    return name.lower().endswith(tuple(ends))


def stand_in(
    folder: Path, name: str, modified: float | None = None, content: bytes = b"", size: int | None = None
) -> Path:
    """A file in the folder that stands for the root, with holes up to its size."""
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    if size is not None:
        os.truncate(place, size)
    # A time before 1970 is none in the tables.
    when = -1.0 if modified is None else modified
    os.utime(place, (when, when))
    return place


def temporary() -> tempfile.TemporaryDirectory[str]:
    memory = "/dev/shm"
    return tempfile.TemporaryDirectory(prefix="upk-", dir=memory if os.access(memory, os.W_OK) else None)
