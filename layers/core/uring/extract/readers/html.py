"""HTML by BeautifulSoup: the text of a page without its menus, scripts and hidden parts.

The tree is walked without recursion, so a page may nest to any depth. Of a link only its text is
kept: its address is not part of a regulation, and a script's address is a danger.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PageElement, Tag

from uring.errors import SuspectPage
from uring.extract.readers.hancom.numbering import spelled
from uring.extract.readers.hidden import ALIKE, UNKNOWN, Ink, declarations, hidden_note, hides
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
_GROUPS: Final = frozenset({"tbody", "thead", "tfoot"})
_TERMS: Final = frozenset({"dt", "dd"})
_CELLS: Final = frozenset({"td", "th", "tr"}) | _GROUPS
# Tags that may lack an end, and what ends them.
_ENDS: Final[Mapping[str, frozenset[str]]] = {
    "p": _BLOCKS - _CELLS - _TERMS - {"caption", "legend", "li"},
    "li": frozenset({"li"}),
    **dict.fromkeys(_TERMS, _TERMS),
    **dict.fromkeys(("td", "th"), _CELLS),
    "tr": _GROUPS | {"tr"},
    **dict.fromkeys(_GROUPS, _GROUPS),
}
_DOUBTFUL: Final = (
    "styles of the page would hide more than half of its text; all of it is read, "
    "though some of it may be hidden"
)
# What may change how letters look, and what may lie behind white ones, anywhere in a page.
_DRAWN: Final = re.compile(r"shadow|stroke|text-fill|filter|blend|mask", re.IGNORECASE)
_GROUND: Final = re.compile(
    rf"{_DRAWN.pattern}|background|bgcolor|color-scheme|\stext\s*=|"
    r"<(?:img|picture|svg|video|canvas|object|embed|iframe|image|input|marquee)\b",
    re.IGNORECASE,
)


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
    styles = _Styles(page, text)
    frames = _frames(page)
    markdown = join(_Walk(frames, styles).blocks(page))
    notes = hidden_note(styles.hidden)
    if notes:
        styles.open()
        whole = join(_Walk(frames, styles).blocks(page))
        if 2 * _letters(markdown) < _letters(whole):
            return FileReading(whole, notes=(*hidden_note(styles.hidden), _DOUBTFUL))
    return FileReading(markdown, notes=notes)


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


class _Styles:
    """The styles of a page; counts the characters that they hide.

    Attributes:
        hidden: the characters that were hidden.
    """

    def __init__(self, page: BeautifulSoup, text: str) -> None:
        self.hidden = 0
        self._is_open = False
        self._sheets = StyleSheets(has_script=page.find("script") is not None)
        self._is_drawn, self._has_ground = _DRAWN.search(text), _GROUND.search(text)
        self._tags: dict[int, StyledElement] = {}
        self._elements: dict[tuple[object, ...], StyledElement] = {}
        self._hides: dict[int, bool] = {}
        for tag in page.find_all("style"):
            self._sheets.add("".join(map(str, tag.contents)), is_known=_holds(tag))
        for tag in page.find_all("link"):
            if "style" in f"{tag.get('rel')} {tag.get('as')}".lower():
                self._sheets.doubt()

    def open(self) -> None:
        """Hide by the attribute ``hidden`` and by a tag's own ``display`` alone; count again."""
        self.hidden = 0
        self._is_open = True
        self._hides.clear()

    def hides(self, tag: Tag) -> bool:
        """Return whether a tag is hidden with all that is in it; count its characters once."""
        if id(tag) in self._hides:
            return self._hides[id(tag)]
        if self._is_open:
            usual, urgent = declarations(str(tag.get("style") or ""))
            is_off = tag.has_attr("hidden") or (usual | urgent).get("display") == "none"
            is_hidden = is_off and not _is_unclosed(tag)
        else:
            is_hidden = self._element(tag).is_hidden
        if is_hidden:
            self.hidden += sum(len(" ".join(text.split())) for text in tag.strings)
        self._hides[id(tag)] = is_hidden
        return is_hidden

    def is_unseen(self, text: NavigableString) -> bool:
        """Return whether nobody can read a text that is not hidden; count its characters."""
        if self._is_open or text.parent is None:
            return False
        ink = self._element(text.parent).ink
        is_unseen = (
            ink.is_invisible
            or ink.is_tiny
            or (ink.is_alike and not self._is_drawn)
            or (ink.is_white and not (self._has_ground or self._sheets.is_in_doubt))
        )
        if is_unseen:
            self.hidden += len(" ".join(text.split()))
        return is_unseen

    def _element(self, tag: Tag) -> StyledElement:
        waiting: list[Tag] = []
        around: Tag | None = tag
        while around is not None and id(around) not in self._tags:
            waiting.append(around)
            around = around.parent
        above = self._tags[id(around)] if around is not None else None
        for each in reversed(waiting):
            if isinstance(each, BeautifulSoup):
                continue
            classes = each.get("class") or ()
            above = self._tags[id(each)] = self._styled(
                above,
                each.name,
                str(each.get("id") or ""),
                classes if isinstance(classes, str) else " ".join(classes),
                str(each.get("style") or ""),
                _hints(each),
                (each.has_attr("hidden"), _is_unclosed(each)),
            )
        return above or self._styled(None, "body")

    def _styled(
        self,
        above: StyledElement | None,
        name: str,
        ident: str = "",
        classes: str = "",
        style: str = "",
        hints: tuple[tuple[str, str], ...] = (),
        marks: tuple[bool, bool] = (False, False),
    ) -> StyledElement:
        """Return an element; those with the same attributes and elements around are one."""
        # Ends and elements that a browser adds.
        while above is not None and name in _ENDS.get(above.name, ()):
            above = above.above
        if name == "tr" and above is not None and above.name == "table":
            above = self._styled(above, "tbody")
        elif above is None and name != "html":
            above = self._styled(None, "html")
        if above is not None and above.name == "html" and name not in ("head", "body"):
            above = self._styled(above, "body")
        key = (id(above), name, ident, classes, style, hints, marks)
        found = self._elements.get(key)
        if found is None:
            bare = StyledElement(name, ident, frozenset(classes.split()), above)
            values = self._sheets.of(bare, dict(hints), style)
            ink = (above.ink if above is not None else Ink()).under(values)
            is_off, is_unclosed = marks
            is_hidden = hides(values) or is_off
            if is_hidden and is_unclosed:
                # What a browser has behind it is below it here.
                is_hidden, ink = False, Ink(is_invisible=True)
            found = replace(bare, is_hidden=is_hidden, ink=ink)
            self._elements[key] = found
        return found


def _holds(style: Tag) -> bool:
    """Return whether a sheet surely holds on a screen."""
    above = {each.name for each in islice(style.parents, _MOST_ABOVE)}
    return (
        "[document]" in above
        and not above & (_SILENT - {"head"})
        and str(style.get("media") or "").strip().lower() in ("", "all", "screen")
        and str(style.get("type") or "").strip().lower() in ("", "text/css")
    )


def _is_unclosed(tag: Tag) -> bool:
    """Return whether a tag holds a tag that ends it."""
    ends = _ENDS.get(tag.name, ())
    return bool(ends) and any(isinstance(each, Tag) and each.name in ends for each in tag.contents)


def _hints(tag: Tag) -> tuple[tuple[str, str], ...]:
    """Return the values by name and old attributes; unknown for what is not inherited."""
    found: dict[str, str] = {}
    if tag.name in ("a", "mark", "table"):
        found |= {"color": UNKNOWN, ALIKE: UNKNOWN}
    if tag.name == "table" or (tag.name == "font" and tag.has_attr("size")):
        found["font-size"] = UNKNOWN
    if tag.has_attr("bgcolor") or tag.has_attr("background"):
        found[ALIKE] = UNKNOWN
    if tag.name == "font" and tag.has_attr("color"):
        found |= {"color": str(tag.get("color")).strip().lower(), ALIKE: UNKNOWN}
    return tuple(found.items())


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
        rows = [row for row in tag.find_all("tr") if not self._is_row_hidden(row, tag)]
        for number, row in enumerate(rows):
            column = 0
            for cell in row.find_all(["td", "th"], recursive=False):
                if self.styles.hides(cell):
                    continue
                while reach.get(column, 0) > number:
                    column += 1
                cells[number, column] = self._words(cell)
                below = number + _span(cell, "rowspan")
                for _ in range(_span(cell, "colspan")):
                    reach[column] = below
                    column += 1
        return cells

    def _is_row_hidden(self, row: Tag, table_tag: Tag) -> bool:
        group = row.parent or table_tag
        return (group is not table_tag and self.styles.hides(group)) or self.styles.hides(row)

    def _words(self, cell: Tag) -> str:
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
