"""Folders of packages as tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from . import _farchive
from ._farchive import Mappings, Rows
from ._remote import is_address, scan_remote

if TYPE_CHECKING:
    from ._farchive import _Listed

_Path = str | os.PathLike[str]


@overload
def scan(  # type: ignore[overload-overlap]  # one name is a table, not letters
    places: _Path | Sequence[_Path] | Sequence[_Listed],
    tables: str,
    columns: Sequence[str] | None = None,
    *,
    mappings: Mappings | _Path | bytes | None = None,
    engine: str | None = None,
    game: str | None = None,
    max_image: int | None = None,
    env: Sequence[_Path] | None = None,
    keys: Sequence[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    storage: Mapping[str, Any] | None = None,
) -> Rows: ...


@overload
def scan(
    places: _Path | Sequence[_Path] | Sequence[_Listed],
    tables: Sequence[str] | None = None,
    columns: None = None,
    *,
    mappings: Mappings | _Path | bytes | None = None,
    engine: str | None = None,
    game: str | None = None,
    max_image: int | None = None,
    env: Sequence[_Path] | None = None,
    keys: Sequence[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    storage: Mapping[str, Any] | None = None,
) -> dict[str, Rows]: ...


def scan(
    places: _Path | Sequence[_Path] | Sequence[_Listed],
    tables: str | Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    *,
    mappings: Mappings | _Path | bytes | None = None,
    engine: str | None = None,
    game: str | None = None,
    max_image: int | None = None,
    env: Sequence[_Path] | None = None,
    keys: Sequence[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    storage: Mapping[str, Any] | None = None,
) -> Rows | dict[str, Rows]:
    """The rows of packages and of folders of packages, as `upk scan` writes them.

    One table, ``tables="exports"``, is made while it is read, on ``jobs`` threads, each time anew, and takes no more
    memory than a few batches; ``columns`` chooses some of its columns, and names what costs more than the rest (``sha1``
    and ``md5`` of ``packages``, null where they are not named). Several, or all, are made at once and are a
    dict. ``progress`` is called with the files that are done and all. The rows of files come in their order with
    ``jobs=1``. Containers are folders; one that none of ``keys`` opens has no rows. A file that can't be opened is a row
    of ``packages`` with its error, and one of ``findings``.

    Places may be what ``list_files`` has listed: some of its files, so that several machines share them. And they may be
    addresses of object stores (``s3://depot/Content``) that fsspec knows; ``storage`` is what its file system is given.
    There each table is listed and fetched when its rows are read, on one thread, also those of a dict.
    """
    named = [places] if isinstance(places, (str, os.PathLike)) else list(places)
    addresses = [place for place in named if isinstance(place, str) and is_address(place)]
    if addresses:
        if len(addresses) < len(named):
            raise TypeError("addresses of object stores and paths of this disk are scanned one after the other")
        opening = {"mappings": mappings, "engine": engine, "game": game, "max_image": max_image, "env": env, "keys": keys}
        given = (storage or {}, opening, progress)
        if isinstance(tables, str):
            return scan_remote(addresses, tables, None if columns is None else list(columns), *given)
        if columns is not None:
            raise TypeError("columns are of one table: say which, as in tables='exports'")
        wanted = _farchive.usual_tables() if tables is None else list(tables)
        return {table: scan_remote(addresses, table, None, *given) for table in wanted}
    # What list_files has said of files is not asked for again, and what it would say of others Python need not hold.
    listed = [place for place in named if isinstance(place, tuple)]
    files = [(file, path, mount, named, None, fault, below) for file, path, mount, named, _, fault, below in listed]
    paths = [Path(place) for place in named if not isinstance(place, tuple)]
    if isinstance(tables, str):
        return _farchive.scan_files(
            files,
            tables,
            None if columns is None else list(columns),
            mappings=mappings,
            engine=engine,
            game=game,
            max_image=max_image,
            env=env,
            keys=keys,
            jobs=jobs,
            progress=progress,
            places=paths or None,
        )
    if columns is not None:
        raise TypeError("columns are of one table: say which, as in tables='exports'")
    return _farchive.scan_files(
        files,
        _farchive.usual_tables() if tables is None else list(tables),
        mappings=mappings,
        engine=engine,
        game=game,
        max_image=max_image,
        env=env,
        keys=keys,
        jobs=jobs,
        progress=progress,
        places=paths or None,
    )
