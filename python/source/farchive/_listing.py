"""The files of an object store that a scan looks at: those that a scan of the same files on a disk does."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from . import _farchive
from ._store import FileInfo, Folder, FolderWalk, Store, ends, stand_in, temporary

#: Files that are read together with their package, behind its name without its end.
_BESIDE = (".uexp", ".ubulk", ".uptnl", ".m.ubulk", ".upayload")
#: What containers are made of.
_CONTAINERS = (".pak", ".utoc", ".ucas")
#: Folders in folders in which plugins are looked for, as on a disk.
_PLUGINS_DEPTH = 8


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


def list_remote(address: str, storage: dict[str, Any], keys: list[str] | None = None) -> Iterator[RemoteFile]:
    """The files that a scan of an address looks at, in order, found while they are asked for: folders are listed one by
    one, some ahead. An address that is not there is an error at once."""
    store = Store(address, storage)
    if store.is_file():
        return _one_file(store, keys)
    return _files(store, store.folder(""), keys)


def _files(store: Store, top: Folder, keys: list[str] | None) -> Iterator[RemoteFile]:
    walk = FolderWalk(store)
    try:
        with temporary() as folder:
            root = Path(folder)
            _stand_for_project(store, top, root, walk)
            listing = _farchive.StoreListing(root, keys=keys)
            # Folders in folders, without a call for each: names may be long.
            stack = [_merged(store, listing, root, walk, top)]
            while stack:
                each = next(stack[-1], None)
                if each is None:
                    stack.pop()
                elif isinstance(each, RemoteFile):
                    yield each
                else:
                    stack.append(_merged(store, listing, root, walk, each))
    finally:
        walk.close()


def _merged(
    store: Store, listing: _farchive.StoreListing, root: Path, walk: FolderWalk, folder: Folder
) -> Iterator[RemoteFile | Folder]:
    """The files of a folder and the folders in it, by their names."""
    files = iter(_files_of(store, listing, root, folder))
    file = next(files, None)
    for name, coming in walk.below(folder):
        while file is not None and _key(file.name) <= _key(name):
            yield file
            file = next(files, None)
        yield coming.result()
    while file is not None:
        yield file
        file = next(files, None)


def _key(name: str) -> tuple[str, ...]:
    return PurePosixPath(name).parts


def _files_of(store: Store, listing: _farchive.StoreListing, root: Path, folder: Folder) -> list[RemoteFile]:
    """The files of one folder, and those in its containers."""

    files = []
    for name, reason in folder.faults.items():
        path = f"{store.address}/{name}" if name else store.address
        files.append(RemoteFile(name, path, None, False, 0, fault=(False, reason)))
    containers = {name: info for name, info in folder.files.items() if ends(name, _CONTAINERS)}
    for name, info in containers.items():
        # A store may call a file as it calls a folder: such a container is a row with its error.
        with contextlib.suppress(OSError):
            stand_in(root, name, info.modified)
    lent = _farchive.Lent(root, {name: info.size for name, info in containers.items()}, store.read)
    siblings = {name: (info.size, info.modified) for name, info in containers.items()}
    for file, _, mount, named, size, wrong, _ in listing.files([Path(name) for name in folder.files], lent):
        name = file.relative_to(root).as_posix()
        one = RemoteFile(name, f"{store.address}/{name}", mount, named, size, fault=wrong)
        _complete(one, folder.files, siblings)
        files.append(one)
    for name in containers:
        (root / name).unlink(missing_ok=True)
    return sorted(files, key=lambda file: _key(file.name))


def _stand_for_project(store: Store, top: Folder, root: Path, walk: FolderWalk) -> None:
    """Makes what tells a project and its plugins: packages are called by that."""
    for name in top.files:
        if ends(name, (".uproject",)):
            _stand_in(root, name)
    engine = walk.folder("Engine/").folders if "Engine/" in top.folders else []
    for name in ("Content/", "Engine/Content/"):
        if name in top.folders or name in engine:
            _stand_in(root, name)
    if "Plugins/" not in top.folders:
        return
    stack = [iter([walk.folder("Plugins/")])]
    while stack:
        folder = next(stack[-1], None)
        if folder is None:
            stack.pop()
            continue
        plugins = [name for name in folder.files if ends(name, (".uplugin",))]
        for name in plugins:
            _stand_in(root, name)
        content = f"{folder.name}Content/"
        if plugins and content in folder.folders:
            _stand_in(root, content)
        if len(stack) <= _PLUGINS_DEPTH:
            stack.append(coming.result() for _, coming in walk.below(folder))


def _stand_in(root: Path, name: str) -> None:
    """A file, or a folder, whose name ends with a slash. A store may call both the same, of which one is there then."""
    with contextlib.suppress(OSError):
        if name.endswith("/"):
            (root / name).mkdir(parents=True, exist_ok=True)
        else:
            stand_in(root, name)


def _one_file(store: Store, keys: list[str] | None) -> Iterator[RemoteFile]:
    """An address that is a file: a package with what lies beside it, or a container."""
    around, name = store.around()
    if ends(name, (".pak", ".utoc")):
        with temporary() as folder:
            root = Path(folder)
            listing = _farchive.StoreListing(root, keys=keys)
            inside = _files_of(around, listing, root, around.folder(""))
            yield from (file for file in inside if name in (file.container, file.name))
        return
    stem = name.rpartition(".")[0]
    wanted = [name, *(stem + end for end in _BESIDE)] if ends(name, (".uasset", ".umap")) else [name]
    found = {each: around.info(each) for each in wanted if each == name or around.exists(each)}
    one = RemoteFile(name, f"{around.address}/{name}", None, True, 0)
    _complete(one, found, {})
    yield one


def _complete(
    file: RemoteFile, found: dict[str, FileInfo], siblings: dict[str, tuple[int, float | None]]
) -> None:
    """Says of a listed file what a task needs to know, by the files of its folder and the containers among them."""
    info = found.get(file.name)
    if info is not None:
        file.size, file.key, file.modified = info.size, info.key, info.modified
        stem = file.name.rpartition(".")[0]
        for end in _BESIDE:
            other = found.get(stem + end)
            if other is not None and ends(file.name, (".uasset", ".umap")):
                file.beside[end] = other.size
                file.key += "|" + other.key if end == ".uexp" else ""
                file.size += other.size if end == ".uexp" else 0
        return
    for above in PurePosixPath(file.name).parents:
        container = above.as_posix()
        if container in siblings:
            # One dict for all files of the folder, which pickle keeps one.
            file.container, file.siblings = container, siblings
            file.key = f"{found[container].key}/{file.name}"
            return
