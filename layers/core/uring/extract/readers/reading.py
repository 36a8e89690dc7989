"""The limits of a reader, its result and its error."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from uring.errors import UringError

_PRIVATE: Final = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")

Trouble = Literal["no_text", "unsupported", "encrypted", "too_big", "damaged"]


@dataclass(frozen=True, slots=True)
class ExtractLimits:
    """The limits of one extraction.

    Attributes:
        body_bytes: of the file.
        pages: of a PDF.
        characters: of the text.
        memory_bytes: the address space of the child process.
        cpu_seconds: of the child process.
        wall_seconds: from the child's start to its end.
        output_bytes: of the child's answer.
    """

    body_bytes: int = 50 << 20
    pages: int = 3_000
    characters: int = 5_000_000
    memory_bytes: int = 700 << 20
    cpu_seconds: int = 60
    wall_seconds: float = 100
    output_bytes: int = 64 << 20


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
    """Return the note on numbered paragraphs whose numbering is not in the file; none for 0."""
    if not paragraphs:
        return ()
    verb = "paragraph is" if paragraphs == 1 else "paragraphs are"
    return (f"{paragraphs} {verb} numbered by the word processor; the file does not say how",)


def private_note(text: str) -> tuple[str, ...]:
    """Return the note on letters of Unicode's private areas, such as Hancom's circled numbers."""
    count = len(_PRIVATE.findall(text))
    if not count:
        return ()
    letters = "letter shows" if count == 1 else "letters show"
    return (f"{count} {letters} only with the word processor's fonts",)
