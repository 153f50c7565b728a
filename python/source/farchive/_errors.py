"""What goes wrong, as exceptions."""

from __future__ import annotations


class Error(Exception):
    """Something about a package went wrong.

    Files that are not there, and the like, are Python's own ``OSError``.
    """

    #: What went wrong, in a word: ``"damaged"``, ``"too-large"``, ``"not-found"``, ``"refused"``…
    kind: str
    #: Where, in bytes from the start of the file, if it is about a byte.
    offset: int | None
    #: The path of the field, such as ``exports[12].serial_size``; empty if there is none.
    path: str
    #: The paths of the objects that stand in the way.
    objects: tuple[str, ...]

    def __init__(
        self,
        message: str,
        kind: str = "invalid",
        offset: int | None = None,
        path: str = "",
        objects: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, kind, offset, path, objects)
        self.kind, self.offset, self.path, self.objects = kind, offset, path, objects

    def __str__(self) -> str:
        return str(self.args[0])


class NotFound(Error, KeyError):
    """An object, a property, a row or a name that is not there."""

    def __str__(self) -> str:
        return Error.__str__(self)


class Refused(Error):
    """It would corrupt the package, so nothing was done; ``objects`` stand in the way."""


class Invalid(Error, ValueError):
    """What can't be done as it is asked for: a text that does not fit a type, a name that is there already."""


class NotAPackage(Error, ValueError):
    """The file is no package of Unreal Engine."""


class Unsupported(Error):
    """A package of a kind that can't be opened, or not without ``engine`` or ``mappings``."""


class Changed(Error):
    """The file is not what it was when it was opened: replacing it would lose what another program has written."""
