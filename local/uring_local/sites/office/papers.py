"""Attachments: their content, their shape, and the issues planted in them.

    {{issue high: the deadlines differ}}       a mark, which the model's stand-in reports, see
                                               `uring_local.language.model`

The bytes of a version follow from its fields alone.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final, Literal

from uring_local.sites.files.html import html
from uring_local.sites.files.paper import Paper
from uring_local.sites.files.pdf import pdf
from uring_local.sites.office import words

Severity = Literal["low", "medium", "high", "critical"]
Shape = Literal["text", "page", "pdf", "long", "scan", "empty", "zeros", "disguised"]
"""``long`` needs several requests for a translation; ``disguised`` is a page named like a PDF."""

_WITHOUT_TEXT: Final[dict[Shape, str]] = {
    "scan": "no_text",
    "empty": "wrong_format",
    "zeros": "too_big",
}
"""The outcome of reading shapes without text, see `uring.extract.extraction`."""
SUFFIXES: Final[dict[Shape, str]] = {
    "text": "txt",
    "page": "html",
    "pdf": "pdf",
    "long": "md",
    "disguised": "pdf",
    "scan": "pdf",
    "empty": "txt",
    "zeros": "bin",
}

_ZEROS: Final = 60 << 20
_PARAGRAPHS: Final = 4
_MANY_PARAGRAPHS: Final = 60
_SENTENCES: Final = 4
_COMMENT: Final = re.compile("<!--.*?-->")


@dataclass(frozen=True, slots=True)
class Mark:
    """An issue planted in a text."""

    severity: Severity
    words: str

    @property
    def text(self) -> str:
        """The sentence in the document, which an issue quotes."""
        return f"{{{{issue {self.severity}: {self.words}}}}}"


@dataclass(frozen=True, slots=True)
class Version:
    """A version of an attachment.

    Attributes:
        number: of its words; another number gives another text.
        marks: planted in it, each once.
    """

    shape: Shape
    language: words.Language
    number: int
    marks: tuple[Mark, ...] = ()

    @property
    def outcome(self) -> str:
        """The outcome of reading it."""
        return _WITHOUT_TEXT.get(self.shape, "text")

    @property
    def has_text(self) -> bool:
        """True when it has readable text."""
        return self.outcome == "text"

    @property
    def paper(self) -> Paper:
        """Its content, with the marks between the paragraphs."""
        random = Random(f"{self.language}/{self.number}")
        count = _MANY_PARAGRAPHS if self.shape == "long" else _PARAGRAPHS
        said = [words.paragraph(random, self.language, _SENTENCES) for _ in range(count)]
        for mark in self.marks:
            said.insert(random.randrange(len(said) + 1), mark.text)
        # No two versions have the same text, whatever the random words are.
        said.append(f"No. {self.number}")
        return Paper(words.title(random, self.language), tuple(said))

    @property
    def letters(self) -> str:
        """The letters and digits of its readable text, in order; empty without text."""
        return letters("".join(self._said)) if self.has_text else ""

    @property
    def body(self) -> bytes:
        """Its bytes; b"" for an empty one."""
        match self.shape:
            case "text" | "long":
                return "\n\n".join(self._said).encode()
            case "page" | "disguised":
                return html(self.paper)
            case "pdf":
                return pdf(self.paper)
            case "scan":
                return pdf(self.paper, scanned=True)
            case "zeros":
                return _zeros()
        return b""

    @property
    def _said(self) -> Iterator[str]:
        paper = self.paper
        yield paper.title
        yield from map(str, paper.paragraphs)


def letters(text: str) -> str:
    """Return only the letters and digits of a text; extracted texts differ in the rest."""
    plain = _COMMENT.sub("", unicodedata.normalize("NFC", text))
    return "".join(char for char in plain if char.isalnum())


@lru_cache(maxsize=1)
def _zeros() -> bytes:
    return bytes(_ZEROS)
