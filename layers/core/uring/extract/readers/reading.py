"""The result of a reader, and its error."""

from dataclasses import dataclass
from typing import Literal

from uring.errors import UringError

Trouble = Literal["no_text", "unsupported", "encrypted", "too_big", "damaged"]


@dataclass(frozen=True, slots=True)
class FileReading:
    """A file's text; see `uring.extract.extraction.Extraction` for the fields."""

    text: str
    pages: int | None = None
    unreliable_pages: tuple[int, ...] = ()
    truncated: bool = False
    notes: tuple[str, ...] = ()


class Unreadable(UringError):
    """Raised when a file's text cannot be read.

    Args:
        outcome: one of `uring.extract.extraction.Outcome`.
        reason: a sentence for people with the remedy.
    """

    def __init__(self, outcome: Trouble, reason: str) -> None:
        super().__init__(reason)
        self.outcome: Trouble = outcome
        self.reason = reason


def numbering_note(paragraphs: int) -> tuple[str, ...]:
    """Return the note on paragraphs that a style numbers; none for a count of 0."""
    if not paragraphs:
        return ()
    verb = "paragraph is" if paragraphs == 1 else "paragraphs are"
    return (f"{paragraphs} {verb} numbered by the word processor; the file has no such numbers",)
