"""What notebooks show."""

from __future__ import annotations

from html import escape
from typing import Any

#: Objects that are shown; more are counted.
_SHOWN = 200
_GREEN, _RED, _GREY = "#d4f4d9", "#fbd9d7", "#eeeeee"


class Diff(dict[str, Any]):
    """What two packages differ in, as ``upk diff --json`` says it; notebooks show it in colour."""

    def _repr_html_(self) -> str:
        if self.get("same"):
            return "<p>no differences</p>"
        lines: list[tuple[str, str, str]] = []
        for one in self["header"]:
            lines.append(("header", str(one.get("field", one.get("path", ""))), _change(one)))
        for kind in ("removed", "added"):
            lines += [(kind, str(one["path"]), _cell("", str(one.get("class", "")), kind)) for one in self[kind]]
        for one in self["renamed"]:
            lines.append(("renamed", str(one["old"]), _cell(str(one["old"]), str(one["new"]))))
            lines += [("", str(each.get("property", each.get("kind", ""))), _change(each)) for each in one.get("changes", ())]
        for one in self["changed"]:
            changes = one.get("changes", ())
            lines.append(("changed", str(one["path"]), _cell("", str(one.get("class", "")))))
            lines += [("", str(each.get("property", each.get("kind", ""))), _change(each)) for each in changes]
        rows = "".join(
            f"<tr><td>{kind}</td><td>{escape(path)}</td><td>{change}</td></tr>" for kind, path, change in lines[:_SHOWN]
        )
        more = f"<p>and {len(lines) - _SHOWN} more</p>" if len(lines) > _SHOWN else ""
        return f"<table><tr><th></th><th>object</th><th>change</th></tr>{rows}</table>{more}"


def _change(one: dict[str, Any]) -> str:
    return _cell(_text(one.get("old")), _text(one.get("new")))


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _cell(old: str, new: str, kind: str = "") -> str:
    """A former value in red, a new one in green; what has neither in grey."""

    def part(text: str, colour: str) -> str:
        cut = text if len(text) <= 200 else text[:199] + "…"
        return f'<span style="background:{colour};color:black">{escape(cut)}</span>' if text else ""

    if not old:
        return part(new, {"added": _GREEN, "removed": _RED}.get(kind, _GREY))
    return " ".join(filter(None, (part(old, _RED), part(new, _GREEN))))
