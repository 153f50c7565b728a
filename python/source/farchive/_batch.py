"""Many changes that become one edit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ._farchive import Package


class Batch:
    """Values that are to be set: by path, as ``package[path] = value`` takes them."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}

    def __setitem__(self, path: str, value: object) -> None:
        self.values[path] = value


@contextmanager
def edit(package: Package) -> Iterator[Batch]:
    """Sets all values of the block at its end: one layout and one proof, all of them or none.

    >>> import farchive
    >>> p = farchive.new_asset("/Game/A", "/Script/M.A", {"X:int": 1, "Y:int": 2})
    >>> with farchive.edit(p) as values:
    ...     values["A.X"] = 3
    ...     values["A.Y"] = 4
    >>> p["A.X"] + p["A.Y"]
    7
    """
    batch = Batch()
    yield batch
    package.update(batch.values)
