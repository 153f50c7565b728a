"""What the compiled half of `farchive` offers; the names are imported from `farchive` itself."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar, final, overload

from ._display import Diff
from ._reports import Field, Report

__version__: str

_Path: TypeAlias = str | os.PathLike[str]
class _Readable(Protocol):
    def read(self) -> bytes: ...

_Source: TypeAlias = _Path | bytes | bytearray | memoryview | _Readable
_Progress: TypeAlias = Callable[[int, int], object]
_Type = TypeVar("_Type")

@final
class Buffer:
    """Bytes that are shared with a package, a picture or a file; memoryviews of it copy nothing."""

    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Mappings:
    """Names and types of properties (`.usmap`), for cooked packages that leave them out. Read once, used often."""

    def __new__(cls, source: _Source) -> Mappings: ...
    def __getnewargs__(self) -> tuple[bytes]: ...

@final
class Import:
    """An object that a package refers to and that lies in another one."""

    @property
    def row(self) -> int: ...
    @property
    def path(self) -> str:
        """Its path, the package first: `Engine.Actor`."""
    @property
    def class_path(self) -> str: ...

@final
class Reference:
    """A value that refers to an object of the package, or to one of another package."""

    @property
    def path(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def class_path(self) -> str: ...
    @property
    def is_import(self) -> bool:
        """Whether the object lies in another package."""
    @property
    def object(self) -> Object | None:
        """The object, where it lies in this package."""
    def __eq__(self, other: Any, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Image:
    """A picture, row by row from the top."""

    def __new__(cls, width: int, height: int, rgba: bytes | bytearray | memoryview) -> Image: ...
    @staticmethod
    def read(source: _Source) -> Image:
        """Reads a PNG or BMP file."""
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def mode(self) -> str:
        """`RGBA`; `P` with a palette; `L` and `I;16` for brightness in 8 and 16 bits."""
    @property
    def pixels(self) -> memoryview:
        """The pixels as they are: (height, width, 4), or (height, width) of indices or brightness."""
    @property
    def palette(self) -> memoryview | None:
        """The colours of the indices: (count, 4)."""
    @property
    def rgba(self) -> memoryview:
        """The pixels as colours with alpha: (height, width, 4)."""
    def to_png(self) -> bytes: ...
    def _repr_png_(self) -> bytes: ...

@final
class Object:
    """An object of a package: a row of its export table."""

    @property
    def package(self) -> Package: ...
    @property
    def row(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def class_path(self) -> str: ...
    @property
    def flags(self) -> list[str]: ...
    @property
    def size(self) -> int:
        """Bytes of the body."""
    @property
    def offset(self) -> int:
        """Start of the body, from the start of the file."""
    @property
    def outer(self) -> Reference | None:
        """The object around it."""
    @property
    def parent(self) -> Reference | None:
        """What a class derives from."""
    @property
    def children(self) -> list[Object]: ...
    @property
    def body(self) -> memoryview:
        """The bytes of the body, where they lie."""
    @property
    def properties(self) -> dict[str, Any]:
        """All that it stores; of a class the defaults."""
    @property
    def rows(self) -> dict[str, Any]:
        """The rows of a data table or curve table, the texts of a string table."""
    @property
    def kind(self) -> str | None:
        """What file it becomes, if any: `texture`, `sound`, `music`, `text`, `table`, `font`."""
    def __getitem__(self, property: str, /) -> Any: ...
    def read(self, property: str, as_type: type[_Type]) -> _Type:
        """A value as a type, without loss, or `Invalid`: `read("Location", tuple)`, `read("Tags", list[str])`, a
        dataclass, an enum, `numpy.ndarray`."""
    def __setitem__(self, property: str, value: object, /) -> None: ...
    def __delitem__(self, property: str, /) -> None: ...
    def __contains__(self, property: str, /) -> bool: ...
    def get(self, property: str, default: Any = None) -> Any: ...
    def update(self, values: Mapping[str, object]) -> list[str]:
        """Sets many values at once; of those whose type nobody knows the type stands behind a colon."""
    def image(self) -> Image:
        """The picture that a texture shows."""
    def content(self) -> tuple[str, bytes]:
        """The object as a file, as `upk extract` makes it: its extension and its bytes."""
    def keys(self) -> list[str]: ...
    def items(self) -> list[tuple[str, Any]]: ...
    def values(self) -> list[Any]: ...
    def _repr_png_(self) -> bytes | None: ...
    def _repr_html_(self) -> str | None: ...
    def __eq__(self, other: Any, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Package:
    """A package. Threads that look at it see it whole, before an edit or after it."""

    @property
    def path(self) -> Path | None:
        """The file that it is from."""
    @property
    def engine(self) -> str:
        """The release, `5.4`, or `Unreal Engine 1`."""
    @property
    def game(self) -> str: ...
    @property
    def file_version(self) -> tuple[int, int]:
        """File and licensee version."""
    @property
    def object_version(self) -> tuple[int, int]:
        """Object versions of UE4 and UE5."""
    @property
    def guid(self) -> str: ...
    @property
    def size(self) -> int:
        """Bytes of the file, or of both."""
    @property
    def source(self) -> memoryview:
        """The package as it was opened: decompressed, header and bodies together."""
    @property
    def names(self) -> list[str]: ...
    @property
    def imports(self) -> list[Import]: ...
    @property
    def objects(self) -> list[Object]: ...
    @property
    def companions(self) -> list[Path]:
        """Files with bulk data that stand beside it."""
    def __enter__(self) -> Package: ...
    def __exit__(
        self, _class: type[BaseException] | None, _error: BaseException | None, _traceback: object
    ) -> None: ...
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Object]: ...
    def find(self, path: str) -> Object:
        """An object by its path, or by its row as `#12`."""
    def __getitem__(self, path: str, /) -> Any:
        """An object, or a value in one: `Light1`, `Light1.Location.X`, `DT[Sword].Damage`, `DT.Sword.Damage`."""
    def read(self, path: str, as_type: type[_Type]) -> _Type:
        """A value as a type, without loss, or `Invalid`: `read("DT.Sword.Damage", float)`."""
    def __setitem__(self, path: str, value: object, /) -> None:
        """Sets a value; a `str` that is no string of the package is read as `upk set` reads it."""
    def __delitem__(self, path: str, /) -> None: ...
    def __contains__(self, path: str, /) -> bool: ...
    def get(self, path: str, default: Any = None) -> Any: ...
    def text(self, path: str) -> str:
        """The text of a value, as `upk get` prints it."""
    def update(self, values: Mapping[str, object]) -> list[str]:
        """Sets many values at once, all of them or none: the paths that were set."""
    def add(self, path: str, class_path: str, properties: Mapping[str, object] | None = None) -> Object: ...
    def add_all(self, objects: Mapping[str, tuple[str, Mapping[str, object]]]) -> list[Object]:
        """Adds many objects at once: by path, the class and the properties of each."""
    def add_texture(
        self,
        path: str,
        image: Image,
        *,
        format: str | None = None,
        masked: bool | None = None,
        mips: bool = True,
    ) -> Object: ...
    def add_text(self, path: str, text: str) -> Object: ...
    def add_sound(self, path: str, wave: _Source) -> Object: ...
    def replace_content(self, path: str, content: _Source) -> bool:
        """Gives an object the content of a file; false where it has that already."""
    def remove(self, path: str, *, null_references: bool = False) -> list[str]:
        """Removes an object and what lies in it; `Refused` where others refer to it."""
    def rename(self, path: str, name: str) -> None: ...
    def move(self, path: str, into: str | None = None) -> None: ...
    def duplicate(self, path: str, name: str) -> Object: ...
    def rename_row(self, table: str, row: str, name: str) -> None: ...
    def add_import(self, path: str, class_path: str) -> None: ...
    def prune(self) -> tuple[int, int]:
        """Takes out names and imports that nothing uses: how many of each."""
    def renew_guid(self) -> str: ...
    def conform_to(self, old: Package) -> dict[str, Any]:
        """Conforms it to an older package of UE1 to UE3, so that both may meet on the net."""
    def mismatches(self, old: Package) -> list[str]:
        """Why it does not conform to an older package; empty where it does."""
    def diff(self, old: Package, *, progress: _Progress | None = None) -> Diff: ...
    def explain(
        self, start: int = 0, end: int | None = None, *, progress: _Progress | None = None
    ) -> list[Field]:
        """The fields with bytes in a range; without one, every byte of the package."""
    def verify(self, *, progress: _Progress | None = None) -> Report:
        """Rebuilds the package from its model and compares."""
    def to_bytes(self) -> bytes: ...
    def to_files(self) -> tuple[bytes, bytes | None]:
        """The header, and the bodies where they stand in a file of their own."""
    def save(self, *, backup: bool = True) -> Path | None:
        """Replaces the file that it is from: where the old one is kept now."""
    def save_as(self, path: _Path, *, overwrite: bool = False) -> None:
        """Writes a copy. A package that is from no file is from this one afterwards."""

@final
class Rows:
    """The rows of one table of a scan. pyarrow, polars, DuckDB and pandas take them as they are, without a copy:
    `pyarrow.table(rows)`, `polars.DataFrame(rows)`, `duckdb.sql("FROM rows")`."""

    @property
    def table(self) -> str: ...
    @property
    def column_names(self) -> list[str]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def _repr_html_(self) -> str: ...
    def __iter__(self) -> RowsIterator:
        """The rows batch by batch: exceptions of `progress` stay what they are here, which Arrow makes a text of."""

def open(
    source: _Source,
    *,
    mappings: Mappings | _Source | None = None,
    engine: str | None = None,
    game: str | None = None,
    max_image: int | None = None,
    env: Sequence[_Path] | None = None,
    keys: Sequence[str] | None = None,
    bodies: _Source | None = None,
) -> Package:
    """Opens a package: a path, or its bytes.

    `mappings` are for cooked packages that leave out names of properties, `engine` (`"5.4"`) for those that say
    no version, `game` for another layout than the detected one; `env` are folders of packages whose classes are
    used, `bodies` the `.uexp` file of bytes. A path may lead into a container (`Game.pak/Content/DT.uasset`); `keys`
    open encrypted ones: `"0x…"`, Base64, or `"GUID:KEY"`.
    """

def diff(old: Package, new: Package, *, progress: _Progress | None = None) -> Diff:
    """What two packages differ in, as `upk diff --json` says it."""

def tables() -> list[str]:
    """The tables of a scan; `leaves` is made where it is asked for alone."""

def usual_tables() -> list[str]: ...

def columns(table: str) -> list[tuple[str, str, bool, str]]:
    """The columns of a table: name, type as SQL has it, whether a row may have no value, what it means."""

_Fault: TypeAlias = tuple[bool, str]
_Listed: TypeAlias = tuple[Path, str, str | None, bool, int, _Fault | None, str]
_FileTuple: TypeAlias = tuple[Path, str, str | None, bool, str | None, _Fault | None, str]

def list_files(places: Sequence[_Path], *, keys: Sequence[str] | None = None) -> list[_Listed]:
    """The files that a scan of these places, containers among them, looks at: the file, what its rows call it, what
    other packages call it, whether it was named, its bytes with those of its bodies, and of what can't be looked into
    the reason, with whether its kind is not supported; last its path below the place."""

@final
class FileWalk:
    def __new__(cls, places: Sequence[_Path], *, keys: Sequence[str] | None = None) -> FileWalk: ...
    def __iter__(self) -> FileWalk: ...
    def __next__(self) -> list[_Listed]: ...

@final
class StoreListing:
    def __new__(cls, root: _Path, *, keys: Sequence[str] | None = None) -> StoreListing: ...
    def files(self, names: Sequence[_Path], lent: Lent) -> list[_Listed]: ...

def may_be_package(start: bytes, size: int) -> bool: ...
def size_of_header(start: bytes) -> int | None: ...
@final
class Lent:
    def __new__(cls, root: _Path, sizes: Mapping[str, int], read: Callable[[str, int, int], bytes]) -> Lent: ...
    def add(self, name: str, size: int) -> None: ...

@final
class Scanner:
    def __new__(
        cls,
        table: str,
        columns: Sequence[str] | None = None,
        shown: tuple[str, str] | None = None,
        *,
        mappings: Mappings | _Source | None = None,
        engine: str | None = None,
        game: str | None = None,
        max_image: int | None = None,
        env: Sequence[_Path] | None = None,
        keys: Sequence[str] | None = None,
        lent: Lent | None = None,
    ) -> Scanner: ...
    @property
    def needs_bodies(self) -> bool: ...
    def add(self, files: Sequence[_FileTuple]) -> None: ...
    def add_header(self, header: bytes, size: int, file: _FileTuple) -> bool: ...
    def take(self, *, all: bool = False) -> Rows | None: ...

@final
class RowsIterator:
    def __iter__(self) -> RowsIterator: ...
    def __next__(self) -> Rows: ...

@overload
def scan_files(
    files: Sequence[_FileTuple] | None,
    tables: str,
    columns: Sequence[str] | None = None,
    *,
    mappings: Mappings | _Source | None = None,
    engine: str | None = None,
    game: str | None = None,
    max_image: int | None = None,
    env: Sequence[_Path] | None = None,
    keys: Sequence[str] | None = None,
    jobs: int | None = None,
    progress: _Progress | None = None,
    places: Sequence[_Path] | None = None,
) -> Rows: ...
@overload
def scan_files(
    files: Sequence[_FileTuple] | None,
    tables: list[str],
    columns: None = None,
    *,
    mappings: Mappings | _Source | None = None,
    engine: str | None = None,
    game: str | None = None,
    max_image: int | None = None,
    env: Sequence[_Path] | None = None,
    keys: Sequence[str] | None = None,
    jobs: int | None = None,
    progress: _Progress | None = None,
    places: Sequence[_Path] | None = None,
) -> dict[str, Rows]: ...
def rows_of_parts(
    table: str, make: Callable[[], Iterator[Rows]], columns: Sequence[str] | None = None
) -> Rows: ...
def _count_properties(package: Package) -> int: ...
def games() -> list[str]:
    """The games that `new` makes packages for."""

def engines() -> list[str]:
    """The releases of UE4 and UE5 that are known."""

def new(game: str = "ut99") -> Package:
    """An empty package of UE1 to UE3."""

def new_asset(
    path: str,
    class_path: str,
    properties: Mapping[str, object] | None = None,
    *,
    engine: str = "5.4",
) -> Package:
    """A package of UE4 or UE5 with one object; properties are called `Damage:float`."""

def new_data_table(
    path: str,
    row_struct: str,
    columns: Sequence[str],
    rows: Mapping[str, Mapping[str, object]],
    *,
    engine: str = "5.4",
) -> Package:
    """A package of UE4 or UE5 with a data table; columns are called `Damage:float`."""

def new_string_table(
    path: str, entries: Mapping[str, str], *, namespace: str | None = None, engine: str = "5.4"
) -> Package:
    """A package of UE4 or UE5 with a string table."""
