"""Lines of words, prepared for a translation service and put back.

line ─► masked ─► pieces of at most 10,000 bytes ─► batches
line ◄─ harmless in Markdown ◄─ joined ◄─ the result of each piece
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from uring.documents.work.markdown import TextSpan
from uring.documents.work.masks import Masked, mask, split
from uring.documents.work.pieces import pieces, size
from uring.language import MOST_BYTES

_LINES: Final = re.compile(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
# With such a beginning, a line is not a paragraph in Markdown.
_BLOCK: Final = re.compile(r"(?:#{1,6}|[-+*]|=+|-+)(?=\s|$)|>|`{3}|~{3}|\|")
_NUMBERED: Final = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_PIPE: Final = re.compile(r"\\.|\|")


@dataclass(slots=True)
class LinePiece:
    """A part of a line that fits into a request, and its result.

    Attributes:
        before: white space before it, as ``after`` is behind it; services do not keep it.
        result: the translation; at first the original.
    """

    before: str
    masked: Masked
    after: str
    result: str

    @classmethod
    def of(cls, masked: Masked) -> "LinePiece":
        """Return a piece without the white space around it; its result is the original."""
        core = masked.text.strip()
        start = masked.text.index(core) if core else 0
        return cls(
            masked.text[:start],
            replace(masked, text=core),
            masked.text[start + len(core) :],
            masked.join(split(masked.text)[0]),
        )

    def take(self, text: str) -> None:
        """Set the result to a translation whose marks were replaced by their markup."""
        self.result = f"{self.before}{text}{self.after}"


@dataclass(slots=True)
class TextLine:
    """The words of a line, or of a cell.

    Attributes:
        pieces: the pieces of the words; empty for a line that has marks only.
    """

    span: TextSpan
    pieces: list[LinePiece]

    @classmethod
    def of(cls, span: TextSpan) -> "TextLine":
        """Return the line of a span."""
        masked = mask(span.text)
        parts: list[LinePiece] = []
        if masked.has_words:
            parts = [LinePiece.of(masked.part(text)) for text in pieces(masked.text, MOST_BYTES)]
        return cls(span, parts)

    def result(self) -> str:
        """Return the translated line; without pieces, the original."""
        if not self.pieces:
            return self.span.text
        return _harmless("".join(piece.result for piece in self.pieces), self.span)


def batches_of(lines: Sequence[TextLine]) -> Iterator[list[LinePiece]]:
    """Yield the pieces of each request, a line each; pieces without words are left out."""
    batch: list[LinePiece] = []
    room = MOST_BYTES
    for piece in (piece for line in lines for piece in line.pieces if piece.masked.has_words):
        needed = size(piece.masked.text) + 1
        if batch and needed > room + 1:
            yield batch
            batch, room = [], MOST_BYTES
        batch.append(piece)
        room -= needed
    if batch:
        yield batch


def one_line(text: str) -> str:
    """Return a text without line breaks, and without white space around it."""
    return _LINES.sub(" ", text.strip())


def _harmless(text: str, span: TextSpan) -> str:
    """Return a translation, escaped so that Markdown reads it as the block of its original."""
    if span.in_row:
        text = _PIPE.sub(lambda found: "\\|" if found[0] == "|" else found[0], text)
    if not span.starts_line or text == span.text:
        return text
    if _BLOCK.match(text) and not _BLOCK.match(span.text):
        return f"\\{text}"
    if _NUMBERED.match(text) and not _NUMBERED.match(span.text):
        return _NUMBERED.sub(r"\1\\\2", text, count=1)
    return text
