"""The place of the date in the rows of a list, and the rule that reads it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, Final

from bs4 import Tag

from uring.reading.date_formats import DEFAULT_FORMATS, compile_format
from uring.reading.dates import parse_date
from uring_local.propose.date_texts import (
    ChosenFormats,
    chosen_formats,
    dates_like,
    is_plain_date,
    is_relative,
    is_stamp,
)
from uring_local.propose.paths import located
from uring_local.propose.rows import Rows, classes_of, seldom, text_of

_HEADS: Final = re.compile(
    r"등록|작성일|작성 일|게시|날짜|일자|date|発表日|日付|发布|日期", re.IGNORECASE
)
_TIME_NAMES: Final = re.compile(r"time|date|stamp|created|posted|reg|epoch|\Ats\Z", re.IGNORECASE)
_TITLES: Final = re.compile(r"tit|subj", re.IGNORECASE)
_TITLE_TAGS: Final = ("a", "b", "h1", "h2", "h3", "h4", "h5", "strong")
_SENTENCE: Final = 120
_ATTRIBUTE: Final = 40


@dataclass(frozen=True, slots=True)
class DateProposal:
    """The rule for the date.

    Attributes:
        rule: None without a place that has a date in nearly all rows.
        reason: what the rows lack, where the rule is None.
        is_fault: whether the rows show dates all the same.
        sample: a text that the rule reads.
    """

    rule: dict[str, Any] | str | None
    reason: str = ""
    is_fault: bool = False
    sample: str = ""


@dataclass(frozen=True, slots=True)
class _Spot:
    """A text with a date: an element's own, or an attribute's.

    Its rank: it is a single day, headed as a date, alone with its year or month, absolute, surely
    a date, with its year or month, visible.
    """

    element: Tag
    attribute: str | None
    text: str
    rank: tuple[bool, ...]


def date_proposal(rows: Rows, today: date) -> DateProposal:
    """Propose the rule for the date of the rows.

    A column that is called so wins; then a single date before a period, a day before a relative
    text, a date alone before a sentence. The date in a title is never taken.
    """
    head = head_column(rows, _HEADS)
    chosen = [_best(row, head, today) for row in rows.elements]
    found = [spot for spot in chosen if spot is not None]
    if seldom(len(found), len(rows.elements)):
        return _none(rows, "no place has a date in every row", [spot.text for spot in found])
    if not seldom(sum(not spot.rank[0] for spot in found), len(found)):
        return _none(rows, f"{found[0].text!r} is a period, not a day", [found[0].text])
    place = _place(rows, chosen)
    if place is None:
        return _none(rows, "no single selector finds the date in every row", [found[0].text])
    rule, elements = place
    attribute = rule.get("attribute")
    texts = [text for each in elements if each is not None and (text := _text(each, attribute))]
    formats = chosen_formats(texts, today)
    if not any(spot.rank[4] for spot in found) and _is_unsorted(texts, formats.names, today):
        return _none(rows, f"{texts[0]!r} is hardly a date", [texts[0]])
    return _proposal(rule, formats, texts[0])


def _place(
    rows: Rows, chosen: Sequence[_Spot | None]
) -> tuple[dict[str, Any], Sequence[Tag | None]] | None:
    """Return the rule's select and attribute, and their elements; None without one place."""
    counts = Counter(spot.attribute for spot in chosen if spot is not None)
    ((attribute, _),) = counts.most_common(1)
    rule = {} if attribute is None else {"attribute": attribute}
    pairs = list(zip(rows.elements, chosen, strict=True))
    if not seldom(sum(spot is not None and spot.element is row for row, spot in pairs), len(pairs)):
        return rule, rows.elements
    by_row = {
        id(row): spot.element
        for row, spot in pairs
        if spot is not None and spot.attribute == attribute
    }
    place = located(rows, lambda row: by_row.get(id(row)))
    return ({"select": place.selector, **rule}, place.elements) if place else None


def _proposal(rule: dict[str, Any], formats: ChosenFormats, sample: str) -> DateProposal:
    if not formats.names:
        return DateProposal(None, f"date: {formats.reason}", is_fault=True)
    if formats.names != DEFAULT_FORMATS:
        rule = {**rule, "formats": list(formats.names)}
    return DateProposal(rule["select"] if [*rule] == ["select"] else rule, sample=sample)


def _is_unsorted(texts: Sequence[str], names: Sequence[str], today: date) -> bool:
    """Return whether a third of the days is later than the one above it."""
    known = [compile_format(name) for name in names]
    days = [day for text in texts if (day := parse_date(text, known, today))]
    return sum(later > day for day, later in pairwise(days)) * 3 > len(days)


def head_column(rows: Rows, words: re.Pattern[str]) -> int | None:
    """Return the place of the column whose head has one of these words; None without one."""
    table = rows.elements[0].find_parent("table")
    heads = table.find_all("th") if table else []
    return next((at for at, head in enumerate(heads) if words.search(text_of(head))), None)


def _none(rows: Rows, reason: str, texts: Sequence[str]) -> DateProposal:
    """Return a proposal without a rule; a fault if most rows show something like a date."""
    shown = [text for row in rows.elements for text in [_beside_title(row)] if dates_like(text)]
    if len(shown) * 2 <= len(rows.elements):
        return DateProposal(None, f"{reason}; notices get no date")
    example = texts[0] if texts else shown[0][:60]
    return DateProposal(
        None,
        f"date: {reason}, and the rows show dates such as {example!r}; write fields.date by hand, "
        "or leave it out",
        is_fault=True,
    )


def _beside_title(row: Tag) -> str:
    """Return the text of a row without its links, which have titles."""
    links = row.find_all("a") if row.name != "a" else row.find_all(_TITLE_TAGS)
    text = text_of(row)
    for link in links:
        text = text.replace(text_of(link), " ", 1)
    return text


def _text(element: Tag, attribute: str | None) -> str:
    return text_of(element) if attribute is None else str(element.get(attribute) or "").strip()


def _best(row: Tag, head: int | None, today: date) -> _Spot | None:
    """Return the first spot of the highest rank."""
    cells = row.find_all(["td", "th"], recursive=False)
    wanted = cells[head] if head is not None and head < len(cells) else None
    spots = list(_spots(row, wanted, today))
    return max(spots, key=lambda spot: spot.rank, default=None)


def _spots(row: Tag, wanted: Tag | None, today: date) -> Iterator[_Spot]:
    for element in (row, *row.find_all(True)):
        is_headed = wanted is not None and (element is wanted or wanted in element.parents)
        text = text_of(element)
        if element is not row and _is_innermost(element, text, today):
            is_alone = is_plain_date(text, today)
            if is_alone or _is_sentence(element, text, today):
                is_day = len(dates_like(text)) <= 1
                is_strong = bool(dates_like(text, strong=True))
                is_now = is_relative(text, today)
                # 1/3 may be anything.
                is_sure = is_alone and (is_now or bool(dates_like(text)))
                rank = (is_day, is_headed, is_alone and is_strong, not is_now, is_sure, is_strong)
                yield _Spot(element, None, text, (*rank, True))
        for name, value in _dated_attributes(element, today):
            yield _Spot(element, name, value, (True, is_headed, True, True, True, True, False))


def _is_innermost(element: Tag, text: str, today: date) -> bool:
    if not text or len(text) > _SENTENCE:
        return False
    return not any(
        _has_date(text_of(inner), today) for inner in element.find_all(True) if text_of(inner)
    )


def _has_date(text: str, today: date) -> bool:
    return bool(dates_like(text)) or is_relative(text, today) or is_plain_date(text, today)


def _is_sentence(element: Tag, text: str, today: date) -> bool:
    """Return whether an element has a date among other words, outside the title."""
    if not dates_like(text, strong=True) and not is_relative(text, today):
        return False
    return not any(_is_title(part) for part in (element, *element.find_all(True))) and not any(
        _is_title(part) for part in element.parents if part.name not in ("a", "tr", "li", "div")
    )


def _is_title(element: Tag) -> bool:
    return element.name in _TITLE_TAGS or any(map(_TITLES.search, classes_of(element)))


def _dated_attributes(element: Tag, today: date) -> Iterator[tuple[str, str]]:
    for name, value in element.attrs.items():
        if not isinstance(value, str) or not value.strip() or len(value) > _ATTRIBUTE:
            continue
        is_named = _TIME_NAMES.search(name) is not None
        if is_named and is_stamp(value.strip()):
            yield name, value.strip()
        elif not is_named and name not in ("title", "content"):
            continue
        elif dates_like(value, strong=True) and is_plain_date(value, today):
            yield name, value.strip()
