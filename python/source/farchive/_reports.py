"""What looking at a package gives."""

from __future__ import annotations

from typing import NamedTuple


class Field(NamedTuple):
    """Bytes of a package and the field that they are."""

    #: First byte, from the start of the package.
    start: int
    #: Behind the last byte.
    end: int
    #: The section that has them.
    section: str
    #: The path of the field, such as ``exports[3].object_name``.
    path: str
    #: How it is stored: ``u32``, ``compact``, ``name``…
    type: str
    #: The value.
    value: str
    #: What it means; empty when the value says it all.
    meaning: str


class Report(NamedTuple):
    """A package rebuilt from its model and compared with its file."""

    #: Whether it comes out byte for byte.
    identical: bool
    #: Where it differs, or why it can't be rebuilt.
    reason: str
    #: Bytes that are named fields.
    typed: int
    #: Bytes of bulk data whose meaning is known.
    payload: int
    #: Bytes that are kept as they are, not decoded.
    opaque: int
    #: Bytes that nothing claims.
    gap: int
    #: Positions in the file that lead nowhere.
    wrong_positions: list[str]
    #: Objects that are not decoded whole, and why.
    not_decoded: list[tuple[str, str]]
