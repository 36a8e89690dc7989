"""The values of one row, read by the rules of a config entry."""

from collections.abc import Iterator
from datetime import date, tzinfo
from functools import lru_cache
from typing import Final

from uring.reading.dates import DateReading, read_date
from uring.reading.links import call_argument, path_segment, query_parameter
from uring.reading.lists.rows import RowNode
from uring.reading.rules import (
    DateRule,
    OptionalRule,
    PinnedSignal,
    ValueRule,
    compiled_formats,
)
from uring.reading.text import clean, shorten, without

VALUE_LIMIT: Final = 500
"""The characters of a value that a pattern searches; the rest is ignored."""

_SHOWN: Final = 60
# The longest text of a date that is cached; whole sentences are not.
_DATE_LENGTH: Final = 40
# The most elements of a row checked for one signal; a hostile page nests thousands.
_SIGNS: Final = 20


class UnreadableField(ValueError):
    """A field that a row does not have. Its message becomes the reason why the row is skipped.

    The message names the field, the text found and the key of the entry to correct.
    """


class _OtherForm(UnreadableField):
    """A value that says something, but not in the form that the rule expects."""


def required(row: RowNode, name: str, rule: ValueRule) -> str:
    """Read ``fields.{name}``: clean text, never empty.

    Raises:
        UnreadableField: the row has no such value.
    """
    value = _read(row, name, rule)
    if not value:
        raise UnreadableField(
            f"{name}: {_place(row, rule)} is empty; correct fields.{name}{row.escape}"
        )
    return value


def optional(row: RowNode, name: str, rule: OptionalRule | None) -> str | None:
    """Read ``fields.{name}``; None without a rule or for an empty value.

    Raises:
        UnreadableField: the row has no such value, and the rule is not ``optional``.
    """
    if rule is None:
        return None
    try:
        return _read(row, name, rule) or None
    except UnreadableField:
        if rule.optional:
            return None
        raise


def dated(
    row: RowNode, rule: DateRule | None, day: date, zone: tzinfo, now: date | None = None
) -> DateReading:
    """Read ``fields.date``.

    The day is None without a rule, for an optional bad date, and for a text such as ``2주 전``,
    which names no single day: a known notice may keep one of the further days.

    Args:
        row: the row.
        rule: for the date.
        day: the reference for a date without a year and for a bare time, see `read_date`.
        zone: for the day of an instant.
        now: the reference for relative texts, see `read_date`.

    Raises:
        UnreadableField: the date is missing, empty, refused or fits no format, and the rule is not
            ``optional``.
    """
    text = optional(row, "date", rule)
    if rule is None:
        return _NO_DATE
    read = _parsed(text, rule, day, zone, now) if text else _NO_DATE
    if text and not read.says_something:
        others = _values_of_others(row, "date", rule)
        readings = (_parsed(other, rule, day, zone, now) for other in others)
        read = next((each for each in readings if each.says_something), read)
    if not read.says_something and not rule.optional:
        raise undated(row, rule, read.reason)
    return read


def undated(row: RowNode, rule: DateRule, reason: str) -> UnreadableField:
    """Return the error for a date that cannot be read; it is empty or fits no format.

    A reason says why a date is refused although a format fits.
    """
    text = shorten(optional(row, "date", rule) or "", _SHOWN)
    seen = f"date: {text!r} at {_place(row, rule)}"
    if reason:
        return UnreadableField(
            f"{seen}: {reason}; correct fields.date, or set fields.date.optional to keep such rows "
            "without a date"
        )
    return UnreadableField(
        f"{seen} fits none of {', '.join(rule.formats)}; add its format to fields.date.formats"
    )


_NO_DATE: Final = DateReading(None)


def _parsed(text: str, rule: DateRule, day: date, zone: tzinfo, now: date | None) -> DateReading:
    if rule.is_relative:
        return read_date(text, rule.compiled, day, zone, now)
    if len(text) > _DATE_LENGTH:
        return read_date(text, rule.compiled, day, zone)
    return _known_date(text, rule.formats, day, zone)


# The rows of a list share dates, and every check reads the same ones.
@lru_cache(maxsize=2048)
def _known_date(text: str, formats: tuple[str, ...], day: date, zone: tzinfo) -> DateReading:
    return read_date(text, compiled_formats(formats), day, zone)


def is_pinned(row: RowNode, signal: PinnedSignal) -> bool:
    """Return True when an element in the row, or the row itself, has this signal."""
    if signal.only_exists:
        return row.shows(signal.select)
    return any(_shows(part, signal) for part in row.every(signal.select, _SIGNS))


def _read(row: RowNode, name: str, rule: ValueRule) -> str:
    """Read a value: of alternatives the first that says something; empty if none does."""
    steps = rule.steps
    node = row if steps.select is None else row.first(steps.select)
    if node is None:
        raise UnreadableField(
            f"{name}: nothing matches {rule.select!r} in this row; correct "
            f"fields.{name}.select{row.escape}"
        )
    try:
        value = _value(node, name, rule)
    except _OtherForm:
        if not row.has_names:
            raise
        value = _of_others(row, name, rule)
        if not value:
            raise
    except UnreadableField:
        value = _of_others(row, name, rule)
        if not value:
            raise
    return value or _of_others(row, name, rule)


def _of_others(row: RowNode, name: str, rule: ValueRule) -> str:
    return next(_values_of_others(row, name, rule), "")


def _values_of_others(row: RowNode, name: str, rule: ValueRule) -> Iterator[str]:
    """Yield the values of further alternatives that say something."""
    if rule.select is None:
        return
    for node in row.others(rule.select):
        try:
            value = _value(node, name, rule)
        except UnreadableField:
            continue
        if value:
            yield value


def _value(node: RowNode, name: str, rule: ValueRule) -> str:
    steps = rule.steps
    attribute = steps.attribute or (node.link_attribute if steps.is_link else None)
    if attribute is None:
        value = node.text(steps.drop)
    else:
        value = _of_attribute(node, name, rule, attribute)
    if steps.is_address:
        value = node.address(value)
    if steps.part is not None:
        value = _part(value, name, rule)
    if steps.expression is not None:
        group = steps.expression.find(value[:VALUE_LIMIT])
        if group is None:
            raise _OtherForm(
                f"{name}: {shorten(value, _SHOWN)!r} does not fit the pattern "
                f"{rule.pattern!r}; correct fields.{name}.pattern"
            )
        value = clean(group)
    value = without(value, steps.strip) if steps.strip else value
    return "" if value in steps.empty else value


def _of_attribute(node: RowNode, name: str, rule: ValueRule, attribute: str) -> str:
    value = node.attribute(attribute)
    if value is None:
        raise UnreadableField(
            f"{name}: {_place(node, rule)} is missing or empty; correct "
            f"fields.{name}.attribute{node.escape}"
        )
    return value


def _part(value: str, name: str, rule: ValueRule) -> str:
    if rule.parameter is not None:
        part, wanted = query_parameter(value, rule.parameter), repr(rule.parameter)
    elif rule.segment is not None:
        part, wanted = path_segment(value, rule.segment), str(rule.segment)
    else:
        number = rule.argument or 1
        part, wanted = call_argument(value, number), str(number)
    if part is None:
        raise _OtherForm(
            f"{name}: {shorten(value, _SHOWN)!r} has no {rule.part} {wanted}; "
            f"correct fields.{name}.{rule.part}"
        )
    return clean(part)


def _shows(node: RowNode, signal: PinnedSignal) -> bool:
    name = signal.attribute
    value = node.text() if name is None else node.attribute(name) or ""
    if signal.text is not None:
        return value == signal.text
    if signal.contains is not None:
        return signal.contains in value
    if signal.empty:
        return not value
    return not (value.isascii() and value.replace(",", "").isdigit())


def _place(node: RowNode, rule: ValueRule) -> str:
    place = "the row" if rule.select is None else repr(rule.select)
    attribute = rule.attribute or (node.link_attribute if rule.reads_links else None)
    return place if attribute is None else f"attribute {attribute!r} of {place}"
