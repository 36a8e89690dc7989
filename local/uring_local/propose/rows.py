"""The rows of a page's list: elements that repeat, have links, and have dates."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from bs4 import BeautifulSoup, Tag

from uring_local.propose.date_texts import is_plain_date

FEWEST: Final = 3
GROUP: Final = "uring-row"
"""The element around a row and the siblings that belong to it."""
MOST_OF: Final = 0.9
_ROW_TAGS: Final = ("a", "article", "dd", "div", "dl", "dt", "li", "section", "tr")
_BODIES: Final = ("tbody", "thead", "tfoot")
_SAFE_NAME: Final = re.compile(r"-?[A-Za-z_][\w-]*\Z")
_LONG_ENOUGH: Final = 12
_DATE_TEXT: Final = 30
ADDRESS_ATTRIBUTES: Final = ("data-href", "data-url", "data-link")
_CLICK: Final = re.compile(r"[\w$]\s*\(|location(?:\.href)?\s*=")
_DOWNLOAD: Final = re.compile(
    r"(?:file|atch|attach|bbs)?_?down(?:load)?(?![a-z])|/(?:file|attach)\w*/|filedown|atchfile"
    r"|\.(?:hwpx?|pdf|docx?|xlsx?|pptx?|zip|jpe?g|png)(?:[?#]|$)",
    re.IGNORECASE,
)
_DATA_ID: Final = re.compile(
    r"data-(?:[\w-]*-)?(?:id|no|seq|idx|sn|key|srl|num|uid|articleno|nttid|nttno)\Z", re.IGNORECASE
)
_MENUS: Final = ("nav", "header", "footer", "aside")
_MENU: Final = re.compile(
    r"(?:[gls]nb|nav|menu|sitemap|breadcrumb|footer|quick|family)(?![a-z])", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows, and their selector in an entry.

    Attributes:
        selector: matches them, in the language of `uring.reading.rules.RowRule`.
        drop: elements that only the other matches contain.
        elements: in the page's order, only those with a link.
        dated: the number of rows with a date.
        next: matches the siblings that belong to a row, in each element after it; or None.
    """

    selector: str
    drop: tuple[str, ...]
    elements: tuple[Tag, ...]
    dated: int
    next: str | None = None


def find_rows(page: BeautifulSoup, today: date) -> Rows | None:
    """Return the likeliest list of the page; None if nothing repeats."""
    best: tuple[float, list[Tag], int] | None = None
    for group in _groups(page):
        dated = sum(any(True for _ in dates_in(row, today)) for row in group)
        lengths = [len(_longest_link(row)) for row in group]
        if len(group) < FEWEST and dated < len(group):
            continue
        is_undated = dated * 2 < len(group)
        if is_undated and (sum(lengths) < len(group) * _LONG_ENOUGH or _is_menu(group[0])):
            continue
        value = len(group) + 4 * dated + sum(min(length, 40) for length in lengths) / 20
        if best is None or value > best[0]:
            best = (value, group, dated)
    if best is None:
        return None
    _, group, dated = best
    selector = _selector(page, group)
    drop = ("th",) if any(row.th and row not in group for row in page.select(selector)) else ()
    return Rows(selector, drop, tuple(group), dated)


def grouped(page: BeautifulSoup, rows: Sequence[Tag], following: str) -> tuple[Tag, ...]:
    """Put each row and the siblings that belong to it into one element; return these elements.

    The page changes.
    """
    known = {id(row) for row in rows}
    wanted = {id(element) for element in page.select(following)}
    groups = []
    for row in rows:
        members = [row]
        for sibling in row.next_siblings:
            if id(sibling) in known:
                break
            if isinstance(sibling, Tag) and id(sibling) in wanted:
                members.append(sibling)
        group = page.new_tag(GROUP)
        group["class"] = " ".join(classes_of(row))
        row.insert_before(group)
        for member in members:
            group.append(member)
        groups.append(group)
    return tuple(groups)


def dates_in(row: Tag, today: date) -> Iterator[Tag]:
    """Yield the innermost elements of a row that are a date with hardly any other text."""
    for element in row.find_all(True):
        if is_date(element, today) and not any(
            is_date(inner, today) for inner in element.find_all(True)
        ):
            yield element


def is_date(element: Tag, today: date) -> bool:
    """Return True if an element is a date with hardly any other text."""
    text = text_of(element)
    return bool(text) and len(text) <= _DATE_TEXT and is_plain_date(text, today)


def text_of(element: Tag) -> str:
    """Return the visible text of an element, on one line."""
    return " ".join(element.get_text(" ").split())


def classes_of(element: Tag) -> list[str]:
    """Return the classes of an element that a selector can name unescaped."""
    names: list[str] = list(element.get_attribute_list("class"))
    return [name for name in names if name and _SAFE_NAME.match(name)]


def tag_of(element: Tag) -> str:
    """Return the tag as a selector; ``*`` for the invalid names of damaged pages."""
    return element.name if _SAFE_NAME.match(element.name) else "*"


def seldom(share: int, of: int) -> bool:
    """Return True if a share is less than nine in ten."""
    return share < of * MOST_OF


def is_clicked(element: Tag) -> bool:
    """Return True if a click on an element calls a function or opens an address."""
    if any(element.get(name) for name in ADDRESS_ATTRIBUTES):
        return True
    data = [name for name in element.attrs if name.startswith("data-") and element[name]]
    if data and element.name == "button":
        return len(text_of(element)) >= _LONG_ENOUGH
    if data and element.get("role") in ("button", "link"):
        return True
    if any(_DATA_ID.match(name) for name in data) and element.select_one("a, button") is None:
        return True
    return _CLICK.search(str(element.get("onclick") or "")) is not None


def links_in(row: Tag) -> list[Tag]:
    """Return the links in a row, and the elements that act as links.

    Downloads count only in a row that has no other link.
    """
    links = row.find_all(lambda element: element.name == "a" or is_clicked(element))
    return [link for link in links if not _is_download(link)] or links


def _is_download(link: Tag) -> bool:
    address = str(link.get("href") or "")
    return link.has_attr("download") or _DOWNLOAD.search(address) is not None


def _longest_link(row: Tag) -> str:
    links = [row] if row.name == "a" or is_clicked(row) else links_in(row)
    return max((text_of(link) for link in links), key=len, default="")


def _is_menu(row: Tag) -> bool:
    for element in (row, *row.parents):
        words = [*element.get_attribute_list("class"), str(element.get("id") or "")]
        if element.name in _MENUS or any(word and _MENU.match(word) for word in words):
            return True
    return False


def _groups(page: BeautifulSoup) -> Iterator[list[Tag]]:
    by_kind: defaultdict[tuple[int, str, str], list[Tag]] = defaultdict(list)
    for row in page.find_all(_ROW_TAGS):
        # Pinned rows may be in a separate body of the table.
        parent = row.find_parent("table") if row.name == "tr" else row.parent
        if parent is not None and _longest_link(row):
            kind = "" if row.name in ("tr", "li") else " ".join(classes_of(row)[:1])
            by_kind[id(parent), row.name, kind].append(row)
    yield from (group for group in by_kind.values() if len(group) > 1)


def _selector(page: BeautifulSoup, group: list[Tag]) -> str:
    """Return the shortest selector of these rows that matches no other row with a link."""
    first = group[0]
    shared = set.intersection(*(set(classes_of(row)) for row in group))
    own = first.name + "".join(f".{name}" for name in classes_of(first) if name in shared)
    parent = first.parent
    wanted = {id(row) for row in group}
    path: list[str] = []
    while parent is not None and parent.name not in ("[document]", "html"):
        for named in _names(parent) if parent.name not in _BODIES else ():
            for link in (" ", " > "):
                text = " ".join([named, *path]) + link + own
                matches = [row for row in page.select(text) if _longest_link(row)]
                if {id(row) for row in matches} == wanted:
                    return text
        path.insert(0, tag_of(parent))
        parent = parent.parent
    return " ".join([*path, own])


def _names(element: Tag) -> Iterator[str]:
    classes = classes_of(element)
    yield from (f"{tag_of(element)}.{name}" for name in classes)
    if len(classes) > 1:
        yield tag_of(element) + "".join(f".{name}" for name in classes)
    name = element.get("id")
    if isinstance(name, str) and _SAFE_NAME.match(name):
        yield f"#{name}"
    if element.name == "table":
        yield "table"
