"""Title, category and pins of rows without a matching preset."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Final

from bs4 import Tag

from uring_local.propose.dates import head_column
from uring_local.propose.paths import Located, located
from uring_local.propose.rows import (
    Rows,
    classes_of,
    dates_in,
    is_date,
    seldom,
    tag_of,
    text_of,
)

_BADGE: Final = re.compile(
    r"\W*(?:조회수?\W*\d+|새\s?글|new|n|hot|공지(?:사항)?|일반공지|첨부(?:파일)?|file|비밀글|\+?\d{1,4})\W*",
    re.IGNORECASE,
)
_CATEGORY_HEADS: Final = re.compile(r"분류|구분|카테고리|말머리|category", re.IGNORECASE)
_CATEGORY_CLASSES: Final = re.compile(r"cate|categ|bunryu|gubun", re.IGNORECASE)
_TITLE_CLASSES: Final = re.compile(r"tit|subj", re.IGNORECASE)
_PIN_CLASSES: Final = re.compile(r"noti|top|pin|fix|headline|gongji|important", re.IGNORECASE)
_PIN_IMAGES: Final = re.compile(r"[\w-]*(?:notice|noti|gongji|pin)[\w-]*", re.IGNORECASE)
_STRESSED: Final = ("h2", "h3", "h4", "strong", "b")
_PREFIX: Final = re.compile(r"\[[^\[\]]{1,12}\]\s*")
_CUT: Final = ("...", "…", "..")


def title_rule(link: Located, today: date) -> dict[str, Any] | str:
    """Return a rule: the link's text without badges and dates, or its title attribute if cut."""
    links = [element for element in link.elements if element is not None]
    texts = [text_of(element) for element in links]
    if any(text.endswith(_CUT) for text in texts):
        titles = [str(element.get("title") or "") for element in links]
        if all(
            title.startswith(_PREFIX.sub("", text).rstrip(".… ")[:10])
            for title, text in zip(titles, texts, strict=True)
        ):
            return {"select": link.selector, "attribute": "title"}
    inner = _core(links)
    if inner is not None:
        return f"{link.selector} {inner}"
    rule: dict[str, Any] = {"select": link.selector}
    drop = {name for element in links for name in _badges(element, len(links), links)}
    drop |= {name for element in links for name in _dates(element, links, today)}
    if drop:
        rule["drop"] = sorted(drop)
    strip = sorted({mark for element in links for mark in _marks(element)})
    if strip:
        rule["strip"] = strip
    return rule if len(rule) > 1 else link.selector


def category_rule(rows: Rows) -> dict[str, Any] | None:
    """Return the rule for a column or element named like a category; None without one."""
    column = head_column(rows, _CATEGORY_HEADS)

    def choose(row: Tag) -> Tag | None:
        for element in row.find_all(["span", "em", "i", "td", "p", "div"]):
            if any(_CATEGORY_CLASSES.search(name) for name in classes_of(element)):
                return element
        cells = row.find_all("td", recursive=False)
        return cells[column] if column is not None and column < len(cells) else None

    place = located(rows, choose)
    if place is None:
        return None
    values = {text_of(element) for element in place.elements if element is not None}
    if len(values) * 2 > len(rows.elements) or not any(values):
        return None
    return {"select": place.selector, "optional": True}


def pinned_signals(rows: Rows) -> list[Any]:
    """Return the signals of a pin: the row's class, the number's cell, or a picture."""
    every = len(rows.elements)
    signals: list[Any] = []
    head = rows.elements[0]
    tag = next((inner.name for inner in head.find_all(True)), "") if rows.next else head.name
    counts = Counter(name for row in rows.elements for name in classes_of(row))
    for name, count in counts.items():
        if count < every and _PIN_CLASSES.search(name):
            signals.append(f"{tag}.{name}")
    first = [row.find(["td", "span"]) for row in rows.elements]
    numbers = [cell is not None and _is_number(text_of(cell)) for cell in first]
    if any(numbers) and tag == "tr":
        signals.append({"select": "td:first-child", "not_integer": True})
    elif any(cell is not None and text_of(cell) == "공지" for cell in first):
        signals.append({"select": "td:first-child", "text": "공지"})
    images = Counter(
        sign[0]
        for row in rows.elements
        for image in row.find_all("img", src=True)
        for sign in [_PIN_IMAGES.search(str(image["src"]).rpartition("/")[2])]
        if sign
    )
    signals += [
        {"select": "img", "attribute": "src", "contains": name}
        for name, count in images.items()
        if count < every
    ]
    return signals


def _is_number(text: str) -> bool:
    return text.isascii() and text.replace(",", "").isdigit()


def _core(links: Sequence[Tag]) -> str | None:
    """Return an element of every link that has the title, if the link has more text."""
    for name in ("h2", "h3", "h4", "strong", "b", "p", "span", "em", "div"):
        inner = [link.find_all(name) for link in links]
        if not all(inner):
            continue
        first = [chain[0] for chain in inner]
        texts = [text_of(element) for element in first]
        good = sum(len(text) > 1 and not _BADGE.fullmatch(text) for text in texts)
        if seldom(good, len(texts)) or len(set(texts)) * 2 < len(texts):
            continue
        pairs = zip(texts, links, strict=True)
        rest = [text_of(link).replace(text, "", 1).strip() for text, link in pairs]
        said = name in _STRESSED or all(_TITLE_CLASSES.search(_class(element)) for element in first)
        if said or all(not badge or _BADGE.fullmatch(badge) for badge in rest):
            return name if not any(map(classes_of, first)) else _named(inner)
    return None


def _class(element: Tag) -> str:
    return " ".join(classes_of(element))


def _named(inner: Sequence[Sequence[Tag]]) -> str:
    shared = set.intersection(*(set(classes_of(chain[0])) for chain in inner))
    return inner[0][0].name + "".join(f".{name}" for name in sorted(shared)[:1])


def _badges(link: Tag, every: int, links: Sequence[Tag]) -> Iterator[str]:
    for element in link.find_all(True):
        if not text_of(element) or not _BADGE.fullmatch(text_of(element)):
            continue
        name = tag_of(element) + "".join(f".{css_class}" for css_class in classes_of(element)[:1])
        hits = sum(bool(other.select(name)) for other in links)
        if seldom(hits, every) or "." in name:
            yield name


def _dates(link: Tag, links: Sequence[Tag], today: date) -> Iterator[str]:
    """Find elements inside the link that are its date, by a name that nothing else in it has."""
    for element in dates_in(link, today):
        names = [f"{tag_of(element)}.{name}" for name in classes_of(element)]
        for name in (*names, tag_of(element)):
            named = [other for each in links for other in each.select(name)]
            if all(is_date(other, today) for other in named):
                yield name
                break


def _marks(link: Tag) -> Iterator[str]:
    """Find a repeat of the number's column, in brackets before the title: "[ 일반공지 ]"."""
    row = link.find_parent(["tr", "li"])
    first = row.find("td") if row else None
    mark = _PREFIX.match(text_of(link))
    if first and mark and text_of(first) == mark[0].strip().strip("[]").strip():
        yield mark[0].strip()
