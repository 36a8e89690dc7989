"""HTML by BeautifulSoup: the text of a page without its menus, scripts and hidden parts.

The tree is walked without recursion, so a page may nest to any depth. Of a link only its text is
kept: its address is not part of a regulation, and a script's address is a danger.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PageElement, Tag

from uring.errors import SuspectPage
from uring.extract.readers.hancom.numbering import spelled
from uring.extract.readers.hidden import WHITE, Ink, hidden_note, hides
from uring.extract.readers.markdown import join, paragraph, table, tidy
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable
from uring.extract.readers.styles import StyledElement, StyleSheets
from uring.fetch.decode import decode_html

_BYTES: Final = 5_000_000
_TAGS: Final = 200_000
_DEPTH: Final = 20
_MOST_SPAN: Final = 100
_SILENT_NAMES: Final = (
    "script style nav aside footer noscript template svg iframe object head title select button "
    "input textarea canvas audio video"
)
_SILENT: Final = frozenset(_SILENT_NAMES.split())
_HEADINGS: Final = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLOCK_NAMES: Final = (
    "address article blockquote body caption center dd details div dl dt fieldset figcaption "
    "figure form header hgroup hr legend li main menu ol p pre section summary table tbody td "
    "tfoot th thead tr ul"
)
_BLOCKS: Final = frozenset(_BLOCK_NAMES.split()) | {*_HEADINGS}
_SHAPES: Final = {
    "a": "LATIN_SMALL",
    "A": "LATIN_CAPITAL",
    "i": "ROMAN_SMALL",
    "I": "ROMAN_CAPITAL",
}
_MOST_ROMAN: Final = 4_000
_NUMBER: Final = re.compile(r"[0-9]{1,6}")
_MOST_ABOVE: Final = 64


def read(body: bytes, _: ExtractLimits) -> FileReading:
    """Return the text of a page.

    Raises:
        Unreadable: ``damaged`` where no charset fits, ``too_big`` for more than 5 MB or 200,000
            tags, or for a table with too many cells.
    """
    if len(body) > _BYTES:
        raise Unreadable("too_big", f"a page of {len(body)} bytes; at most {_BYTES} are read")
    if body.count(b"<") > _TAGS:
        raise Unreadable("too_big", f"a page of more than {_TAGS} tags")
    try:
        text = decode_html(body, None).text
    except SuspectPage as error:
        raise Unreadable("damaged", error.detail) from error
    page = BeautifulSoup(text, "html.parser")
    styles = _Styles(page)
    markdown = join(_Walk(_frames(page), styles).blocks(page))
    return FileReading(markdown, notes=hidden_note(styles.hidden))


class _Styles:
    """The styles of a page; counts the characters that they hide."""

    def __init__(self, page: BeautifulSoup) -> None:
        self.hidden = 0
        self._sheets = StyleSheets()
        for tag in page.find_all("style"):
            if re.search(r"^\s*$|screen|all", str(tag.get("media") or ""), re.IGNORECASE):
                self._sheets.add("".join(map(str, tag.contents)))
        is_linked = any("stylesheet" in str(tag.get("rel")) for tag in page.find_all("link"))
        # A sheet elsewhere may have put a dark ground behind white letters.
        self._inks: dict[int, Ink] = {id(page): Ink(paper=None if is_linked else WHITE)}

    def hides(self, tag: Tag) -> bool:
        """Return whether a tag is hidden with all that is in it; count its characters."""
        is_hidden = tag.has_attr("hidden") or hides(self._values(tag))
        if is_hidden:
            self.hidden += sum(len(" ".join(text.split())) for text in tag.strings)
        return is_hidden

    def is_unseen(self, text: NavigableString) -> bool:
        """Return whether nobody can read a text that is not hidden; count its characters."""
        is_unseen = text.parent is not None and self._ink(text.parent).is_unseen
        if is_unseen:
            self.hidden += len(" ".join(text.split()))
        return is_unseen

    def _ink(self, tag: Tag) -> Ink:
        waiting: list[Tag] = []
        above: Tag | None = tag
        while above is not None and id(above) not in self._inks:
            waiting.append(above)
            above = above.parent
        ink = self._inks[id(above)] if above is not None else Ink()
        for each in reversed(waiting):
            values = self._values(each)
            ink = self._inks[id(each)] = ink.under(values) if values else ink
        return ink

    def _values(self, tag: Tag) -> dict[str, str]:
        style = str(tag.get("style") or "")
        if not (style or self._sheets.count or tag.has_attr("bgcolor") or tag.name == "font"):
            return {}
        old = {"background-color": tag.get("bgcolor")}
        if tag.name == "font":
            old["color"] = tag.get("color")
        above = (_element(each) for each in islice(tag.parents, _MOST_ABOVE))
        return {
            **{name: str(value).lower() for name, value in old.items() if value},
            **self._sheets.of(_element(tag), above, style),
        }


def _element(tag: Tag) -> StyledElement:
    classes = tag.get("class") or ()
    names = classes.split() if isinstance(classes, str) else classes
    return StyledElement(tag.name, str(tag.get("id") or ""), frozenset(names))


@dataclass(slots=True)
class _Walk:
    """One pass over the tree; ``line`` collects words until their block ends.

    ``lists`` has the next number and the shape of each list around, None for one of dots.
    """

    frames: frozenset[int]
    styles: _Styles
    line: list[str] = field(default_factory=list)
    prefix: str = ""
    lists: list[tuple[int, str] | None] = field(default_factory=list)

    def blocks(self, root: Tag) -> Iterator[str]:
        """Yield paragraphs, headings, list items and tables, in order."""
        waiting: list[PageElement | str] = [root]
        while waiting:
            node = waiting.pop()
            if isinstance(node, str) and not isinstance(node, NavigableString):
                yield from self._closed(node)
            elif isinstance(node, NavigableString):
                # Comments, CDATA and doctypes are subclasses, and are left out.
                if type(node) is NavigableString and not self.styles.is_unseen(node):
                    self.line.append(re.sub(r"\s+", " ", node))
            elif isinstance(node, Tag) and not self._is_silent(node):
                yield from self._opened(node, waiting)
        yield from self._flush()

    def _opened(self, tag: Tag, waiting: list[PageElement | str]) -> Iterator[str]:
        if tag.name == "br":
            self.line.append("\n")
            return
        if tag.name in _BLOCKS:
            yield from self._flush()
        if tag.name == "table" and id(tag) not in self.frames and _is_data(tag):
            yield table(self._cells(tag))
            return
        if tag.name in ("ul", "ol"):
            shape = _SHAPES.get(str(tag.get("type")), "")
            self.lists.append((_number(tag, "start", 1), shape) if tag.name == "ol" else None)
        elif tag.name == "li":
            self.prefix = self._item(tag)
        elif tag.name in _HEADINGS:
            self.prefix = _HEADINGS[tag.name]
        if tag.name in _BLOCKS:
            waiting.append(tag.name)
        waiting.extend(reversed(tag.contents))

    def _closed(self, name: str) -> Iterator[str]:
        yield from self._flush()
        self.prefix = ""
        if name in ("ul", "ol"):
            self.lists.pop()

    def _item(self, tag: Tag) -> str:
        indent = "  " * min(len(self.lists) - 1, _DEPTH)
        if not self.lists or self.lists[-1] is None:
            return f"{indent}- "
        number, shape = self.lists[-1]
        number = _number(tag, "value", number)
        self.lists[-1] = (number + 1, shape)
        label = spelled(number, shape) if 0 < number < _MOST_ROMAN else str(number)
        return f"{indent}{label}. "

    def _flush(self) -> Iterator[str]:
        text = tidy("".join(self.line)).strip()
        self.line.clear()
        if self.prefix.startswith("#"):
            text = text.replace("\n", " ")
        if text:
            yield f"{self.prefix}{text}" if self.prefix else paragraph(text)
            self.prefix = ""

    def _is_silent(self, tag: Tag) -> bool:
        return tag.name in _SILENT or self.styles.hides(tag)

    def _cells(self, tag: Tag) -> dict[tuple[int, int], str]:
        cells: dict[tuple[int, int], str] = {}
        reach: dict[int, int] = {}  # by column: the first row below the cells read so far
        for number, row in enumerate(tag.find_all("tr")):
            column = 0
            for cell in row.find_all(["td", "th"], recursive=False):
                while reach.get(column, 0) > number:
                    column += 1
                cells[number, column] = self._words(cell)
                below = number + _span(cell, "rowspan")
                for _ in range(_span(cell, "colspan")):
                    reach[column] = below
                    column += 1
        return cells

    def _words(self, cell: Tag) -> str:
        if self._is_silent(cell):
            return ""
        return " ".join(" ".join(_Walk(frozenset(), self.styles).blocks(cell)).split())


def _frames(page: BeautifulSoup) -> frozenset[int]:
    """Return the ids of the tables that hold tables; no tag is visited twice, at any depth."""
    frames: set[int] = set()
    passed: set[int] = set()
    for table_tag in page.find_all("table"):
        above = table_tag.parent
        while above is not None and id(above) not in passed:
            passed.add(id(above))
            if above.name == "table":
                frames.add(id(above))
                break
            above = above.parent
    return frozenset(frames)


def _is_data(tag: Tag) -> bool:
    """Return whether a row of the table has two cells; other tables are frames of the layout."""
    return any(len(row.find_all(["td", "th"], recursive=False)) > 1 for row in tag.find_all("tr"))


def _span(cell: Tag, name: str) -> int:
    return min(max(_number(cell, name, 1), 1), _MOST_SPAN)


def _number(tag: Tag, name: str, default: int) -> int:
    """Return an attribute as a number; the default without one, or for another value."""
    value = str(tag.get(name) or "")
    return int(value) if _NUMBER.fullmatch(value) else default
