"""Values as the types that a program wants: converted without loss, or refused."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections.abc import Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

from ._errors import Invalid


def read(value: Any, wanted: Any, path: str) -> Any:
    """The value as the wanted type."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if wanted is Any or wanted is object:
        return value
    if origin in (Union, types.UnionType):
        return _one_of(value, inner, path)
    if wanted is None or wanted is type(None):
        return _same(value, value is None, wanted, path)
    kind = origin or wanted
    if not isinstance(kind, type):
        raise TypeError(f"{wanted!r} is no type that values are read as")
    if _is_numpy(kind):
        return _numpy(value, kind, path)
    if issubclass(kind, enum.Enum):
        return _enum(value, kind, path)
    if kind is bool:
        is_one = value in (0, 1) if isinstance(value, int) else False
        return bool(_same(value, is_one, wanted, path))
    if kind is int:
        is_whole = isinstance(value, int) or isinstance(value, float) and value.is_integer()
        return int(_same(value, is_whole, wanted, path))
    if kind is float:
        return float(_same(value, isinstance(value, (int, float)), wanted, path))
    if kind is bytes:
        is_bytes = isinstance(value, (bytes, memoryview))
        return bytes(_same(value, is_bytes, wanted, path))
    if dataclasses.is_dataclass(kind):
        return _dataclass(value, kind, path)
    if kind is list:
        listed = _same(value, isinstance(value, list), wanted, path)
        return [read(one, inner[0] if inner else Any, f"{path}[{at}]") for at, one in enumerate(listed)]
    if kind is tuple:
        return _tuple(value, inner, path)
    if kind is dict:
        held = _same(value, isinstance(value, dict), wanted, path)
        of_key, of_value = inner or (Any, Any)
        return {read(key, of_key, path): read(one, of_value, f"{path}[{key}]") for key, one in held.items()}
    return _same(value, isinstance(value, kind), wanted, path)


def _same(value: Any, fits: bool, wanted: Any, path: str) -> Any:
    if fits:
        return value
    name = wanted.__name__ if isinstance(wanted, type) else str(wanted)
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:59] + "…"
    raise Invalid(f"{path}: {shown} is no {name}", path=path)


def _one_of(value: Any, kinds: tuple[Any, ...], path: str) -> Any:
    """The first of several types that fits: a type that the value has goes before one that it is converted to."""
    same = [kind for kind in kinds if isinstance(kind, type) and type(value) is kind]
    for kind in (*same, *kinds):
        try:
            return read(value, kind, path)
        except Invalid:
            pass
    names = " or ".join(getattr(kind, "__name__", str(kind)) for kind in kinds)
    raise Invalid(f"{path}: {value!r} is no {names}", path=path)


def _enum(value: Any, kind: type[enum.Enum], path: str) -> enum.Enum:
    """By the name behind the enum's own, or by the number."""
    if isinstance(value, str):
        name = value.rpartition("::")[2]
        for member in kind:
            if name.lower() == member.name.lower() or value == member.value:
                return member
    for member in kind:
        if not isinstance(value, str) and value == member.value:
            return member
    _same(value, False, kind, path)
    raise AssertionError


def _fields(value: Any, wanted: Any, path: str) -> list[Any]:
    """The values of a struct's fields, or the elements of a list."""
    if isinstance(value, Mapping):
        return list(value.values())
    return list(_same(value, isinstance(value, list), wanted, path))


def _tuple(value: Any, inner: tuple[Any, ...], path: str) -> tuple[Any, ...]:
    """A vector, or another struct, by its fields in their order; an array by its elements."""
    fields = _fields(value, tuple, path)
    if not inner:
        return tuple(fields)
    if len(inner) == 2 and inner[1] is Ellipsis:
        inner = (inner[0],) * len(fields)
    if len(inner) != len(fields):
        raise Invalid(f"{path}: it has {len(fields)} values and not {len(inner)}", path=path)
    return tuple(read(one, kind, f"{path}[{at}]") for at, (one, kind) in enumerate(zip(fields, inner, strict=True)))


def _dataclass(value: Any, kind: type, path: str) -> Any:
    """A struct or a row as a dataclass whose fields are called as its own; further ones are left out."""
    held = _same(value, isinstance(value, dict), kind, path)
    hints = get_type_hints(kind)
    given: dict[str, Any] = {}
    for one in dataclasses.fields(kind):
        if one.name in held:
            given[one.name] = read(held[one.name], hints[one.name], f"{path}.{one.name}")
        elif one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING:
            stored = ", ".join(held)
            raise Invalid(f"{path}: it stores no {one.name}; stored are {stored}", path=path)
    return kind(**given)


def _is_numpy(kind: type) -> bool:
    return kind.__module__ == "numpy" and (kind.__name__ == "ndarray" or hasattr(kind, "dtype"))


def _numpy(value: Any, kind: type, path: str) -> Any:
    """Numbers as an array: of a vector its fields, of an array of vectors one row each; bytes as they lie."""
    import numpy

    if kind is not numpy.ndarray:
        number = _same(value, isinstance(value, (int, float)), kind, path)
        made = kind(number)
        return _same(made, isinstance(made, numpy.floating) or made == number, kind, path)
    if isinstance(value, memoryview):
        return numpy.asarray(value)
    rows = _fields(value, kind, path)
    if rows and all(isinstance(row, (Mapping, list)) for row in rows):
        rows = [_fields(row, kind, path) for row in rows]
        _same(value, len({len(row) for row in rows}) == 1, kind, path)
        numbers = [number for row in rows for number in row]
    else:
        numbers = rows
    _same(value, all(isinstance(number, (int, float)) for number in numbers), kind, path)
    return numpy.array(rows)
