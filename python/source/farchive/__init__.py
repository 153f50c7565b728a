"""Unreal Engine packages, from UE1 to UE6: read, change, save, generate, scan.

    >>> import farchive
    >>> p = farchive.new("ut99")
    >>> info = p.add("Info0", "Engine.Info", {"Tag:name": "Hall"})
    >>> p["Info0.Tag"]
    'Hall'
"""

from __future__ import annotations

from ._batch import Batch, edit
from ._display import Diff
from ._errors import Changed, Error, Invalid, NotAPackage, NotFound, Refused, Unsupported
from ._farchive import (
    Buffer,
    Image,
    Import,
    Mappings,
    Object,
    Package,
    Reference,
    Rows,
    __version__,
    columns,
    diff,
    engines,
    games,
    list_files,
    new,
    new_asset,
    new_data_table,
    new_string_table,
    open,
    tables,
)
from ._reports import Field, Report
from ._scan import scan
from ._values import Raw, SoftPath, Text

__all__ = [
    "Batch",
    "Buffer",
    "Changed",
    "Diff",
    "Error",
    "Field",
    "Image",
    "Import",
    "Invalid",
    "Mappings",
    "NotAPackage",
    "NotFound",
    "Object",
    "Package",
    "Raw",
    "Reference",
    "Refused",
    "Report",
    "Rows",
    "SoftPath",
    "Text",
    "Unsupported",
    "__version__",
    "columns",
    "diff",
    "edit",
    "engines",
    "games",
    "list_files",
    "new",
    "new_asset",
    "new_data_table",
    "new_string_table",
    "open",
    "scan",
    "tables",
]
