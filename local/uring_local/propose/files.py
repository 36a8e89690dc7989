"""An entry for a page of regulations: rows with a title and links with the file's number."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from bs4 import BeautifulSoup, Tag

from uring_local.propose.guess import Guess
from uring_local.propose.paths import located
from uring_local.propose.rows import FEWEST, Rows, seldom, text_of
from uring_local.regulations.revisions import LASTING, is_date, lasting, revision_rule
from uring_local.words import counted

# In this order: a cell may contain a list or a block.
_ROW_TAGS: Final = ("tr", "li", "dl", "div")
_DOWNLOAD: Final = re.compile(r"down|내려|다운|저장", re.IGNORECASE)
_PREVIEW: Final = re.compile(r"preview|view|미리|바로|보기|열기", re.IGNORECASE)
_SAFE_WORD: Final = re.compile(r"[\w./-]+\Z", re.ASCII)

Kind = tuple[str, str]
"""The last part of the links' paths, and their parameter with a number."""


def guess_files(page: BeautifulSoup) -> Guess:
    """Propose rows and fields; the page is parsed as by a browser.

    Rows may be in several tables: many registries have a table for each chapter.
    """
    reasons: tuple[str, ...] = ()
    for tag in _ROW_TAGS:
        guessed = _guess(page, tag)
        if guessed.keys:
            return guessed
        reasons = reasons or guessed.reasons
    return Guess({}, reasons or ("no links in the page have a number that differs row by row",))


def _guess(page: BeautifulSoup, tag: str) -> Guess:
    """Propose rows and fields for rows of one tag; without keys if none fits."""
    kinds = _kinds(page, tag)
    name = _telling(kinds)
    if name is None:
        return Guess({}, ())
    kinds = {kind: links for kind, links in kinds.items() if kind[1] == name}
    first = max(kinds, key=lambda kind: len(kinds[kind]))
    numbers = {number: row for number, (row, _) in kinds[first].items()}
    elements = tuple({id(row): row for row in numbers.values()}.values())
    if seldom(len(elements), len(numbers)):
        return Guess({}, (f"the links' {name} differs, but no element holds a single one",))
    whole = [
        kind
        for kind, links in kinds.items()
        if not seldom(sum(numbers.get(no) is row for no, (row, _) in links.items()), len(numbers))
    ]
    download = _named(whole, kinds, _DOWNLOAD) or whole[-1]
    rest = [kind for kind in whole if kind != download] or whole
    preview = _named(rest, kinds, _PREVIEW) or rest[0]
    selector = f"{tag}:has({_link(download)})"
    if [id(row) for row in page.select(selector)] != [id(row) for row in elements]:
        return Guess({}, (f"{selector} selects other rows too; write the entry by hand",))
    rows = Rows(selector, (), elements, 0)
    title = located(rows, lambda row: _title(row, [_link(kind) for kind in whole]))
    titles = {text_of(element) for element in title.elements if element} if title else set()
    if title is None or seldom(len(titles), len(elements)):
        return Guess({}, (f"no single selector finds a distinct title in each {selector}",))
    reasons: tuple[str, ...] = (
        f"{counted(len(elements), 'row')} with a {name} of their own in the links: {selector}",
        f"the text is at {_link(preview)}, the file at {_link(download)}",
    )
    number = {"select": _link(download), "attribute": "href", "parameter": name}
    revision = revision_rule(elements, number, list(numbers))
    if revision is not None:
        reasons += (f"the revision is {_shown(revision)}: the {name} may last",)
    elif lasting(list(numbers)):
        reasons += (LASTING,)
    fields: dict[str, Any] = {
        "title": title.selector,
        "file_no": number,
        **({} if revision is None else {"revision": revision}),
        "preview": _link(preview),
        "download": _link(download),
    }
    return Guess({"rows": selector, "fields": fields}, reasons)


def _shown(revision: dict[str, Any] | str) -> str:
    return revision if isinstance(revision, str) else f"{revision['parameter']} in the links"


_Links = Mapping[Kind, Mapping[str, tuple[Tag, Tag]]]


def _kinds(page: BeautifulSoup, tag: str) -> _Links:
    """Return links with numbers: by their kind and number, the row and the link."""
    kinds: defaultdict[Kind, dict[str, tuple[Tag, Tag]]] = defaultdict(dict)
    for link in page.find_all("a", href=True):
        row = link.find_parent(tag)
        if row is not None:
            for kind, number in _numbers(str(link["href"])):
                kinds[kind].setdefault(number, (row, link))
    return {kind: links for kind, links in kinds.items() if len(links) >= FEWEST}


def _numbers(href: str) -> Iterator[tuple[Kind, str]]:
    try:
        parts = urlsplit(href)
        pairs = parse_qsl(parts.query)
    except ValueError:
        return
    path = parts.path.rpartition("/")[2]
    if _SAFE_WORD.match(path):
        for name, value in pairs:
            if value.isascii() and value.isdigit():
                yield (path, name), value


def _telling(kinds: _Links) -> str | None:
    """Return the parameter that distinguishes most rows, downloads' before a menu's."""
    rows: Counter[str] = Counter()
    for (_, name), links in kinds.items():
        rows[name] += len({id(row) for row, _ in links.values()})
    downloads = {kind[1] for kind in kinds if _is_named(kind, kinds, _DOWNLOAD)}
    return max(rows, key=lambda name: (name in downloads, rows[name]), default=None)


def _named(chosen: list[Kind], kinds: _Links, words: re.Pattern[str]) -> Kind | None:
    return next((kind for kind in chosen if _is_named(kind, kinds, words)), None)


def _is_named(kind: Kind, kinds: _Links, words: re.Pattern[str]) -> bool:
    """Return True if the address, or the text of nearly all its links, has one of these words."""
    if words.search(kind[0]):
        return True
    links = kinds[kind].values()
    return not seldom(sum(bool(words.search(text_of(link))) for _, link in links), len(links))


def _link(kind: Kind) -> str:
    return f"a[href*='{kind[0]}']"


def _title(row: Tag, links: list[str]) -> Tag | None:
    """Return the element with the longest own text, outside links to files if possible.

    Dates are left out.
    """
    inner = [each for each in row.find_all(True) if _own(each) and not is_date(_own(each))]
    files = {id(element) for selector in links for element in row.select(selector)}
    others = [
        element
        for element in inner
        if id(element) not in files and not any(id(each) in files for each in element.parents)
    ]
    return max(others or inner, key=lambda element: len(_own(element)), default=None)


def _own(element: Tag) -> str:
    return " ".join("".join(element.find_all(string=True, recursive=False)).split())
