"""Rows of a list of any kind, from which rules read values."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

ROW_LIMIT: Final = 2_000
"""Rows read of one page; a board shows a few dozen."""


class RowNode(Protocol):
    """A row, or a part of one. Text is clean, and at most `uring.reading.text.TEXT_LIMIT` long."""

    link_attribute: ClassVar[str | None]
    """The part where links are read, unless the rule says it; None is the text."""
    escape: ClassVar[str]
    """More that can be done about rows that are no notices, for messages; may be empty."""

    def first(self, select: str) -> "RowNode | None":
        """Return the first part that ``select`` finds, or None."""

    def every(self, select: str, most: int) -> "Iterable[RowNode]":
        """Return all parts that ``select`` finds, ``most`` at most."""

    def shows(self, select: str) -> bool:
        """Return True when the part is there, and says neither no nor nothing."""

    def text(self, drop: Collection[str] = (), /) -> str:
        """Return its text as a reader sees it, without the parts in ``drop``."""

    def attribute(self, name: str, /) -> str | None:
        """Return an attribute's clean text, or None."""

    def glimpse(self, most: int) -> str:
        """Return what there is to see in it, ``most`` characters at most."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The rows of a page in its order, ``ROW_LIMIT`` at most.

    Attributes:
        rows: without those that the entry leaves out.
        base: the address that the links in it are relative to.
    """

    rows: Sequence[RowNode]
    base: str
