"""The rows of a list of any kind, from which rules read values."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

ROW_LIMIT: Final = 2_000
"""The most rows read from one page; a board shows a few dozen."""


class RowNode(Protocol):
    """A row, or a part of one. Text is clean, and at most `uring.reading.text.TEXT_LIMIT` long."""

    link_attribute: ClassVar[str | None]
    """The attribute with links, unless the rule names one; None for the text."""
    escape: ClassVar[str]
    """A further remedy in messages, for rows that are not notices; may be empty."""
    has_names: ClassVar[bool]
    """Whether ``select`` names values, so that each alternative may be tried to the end."""

    def first(self, select: str) -> "RowNode | None":
        """Return the first part that ``select`` finds, or None."""

    def every(self, select: str, most: int) -> "Iterable[RowNode]":
        """Return the first ``most`` parts that ``select`` finds."""

    def others(self, select: str) -> "Iterable[RowNode]":
        """Return the parts for a value that `first` lacks: those of alternatives in ``select``."""

    def address(self, value: str, /) -> str:
        """Return an address in it, against its own base; empty if it is not an address."""

    def shows(self, select: str) -> bool:
        """Return True if ``select`` finds a part whose value is not false or empty."""

    def text(self, drop: Collection[str] = (), /) -> str:
        """Return its text as a reader sees it, without the parts in ``drop``."""

    def attribute(self, name: str, /) -> str | None:
        """Return an attribute's clean text, or None."""

    def glimpse(self, most: int) -> str:
        """Return a sample of its text, at most ``most`` characters."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The rows of a page in its order, ``ROW_LIMIT`` at most.

    Attributes:
        rows: the rows, without the dropped ones.
        base: the address that relative links are resolved against.
    """

    rows: Sequence[RowNode]
    base: str
