"""Values that are more than a text."""

from __future__ import annotations


class Text(str):
    """A text that can be translated: what it says in the language that it was written in.

    Setting a property of this type to a plain ``str`` keeps namespace and key.
    """

    #: How it is written with its key: ``NSLOCTEXT("namespace","key","text")``.
    written: str

    def __new__(cls, source: str, written: str | None = None) -> Text:
        made = super().__new__(cls, source)
        made.written = source if written is None else written
        return made

    def __reduce__(self) -> tuple[type[Text], tuple[str, str]]:
        return (type(self), (str(self), self.written))


class SoftPath(str):
    """The path of an object that need not be loaded: ``/Game/Folder/Asset.Asset``."""

    __slots__ = ()


class Raw(str):
    """A value in the grammar of ``upk set``, taken as it stands: ``Raw("(X=1,Y=2)")``."""

    __slots__ = ()
