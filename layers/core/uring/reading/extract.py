"""What a config entry's rules read from one row."""

from datetime import date, tzinfo
from typing import Final

from uring.reading.dates import parse_date
from uring.reading.links import call_argument, path_segment, query_parameter
from uring.reading.lists.rows import Record
from uring.reading.rules import DateRule, LinkRule, OptionalRule, PinnedSignal, ValueRule
from uring.reading.text import clean, shorten, without

VALUE_LIMIT: Final = 500
"""Characters of a value that a pattern gets to see."""

_SHOWN: Final = 60
# Elements of a row that one signal is looked for in; a hostile page has thousands in each other.
_SIGNS: Final = 20


class UnreadableFieldError(ValueError):
    """A field that a row does not have. The message becomes the row's reason; it goes no further.

    The message names the field, what was seen and which key of the entry to correct.
    """


def required(row: Record, name: str, rule: ValueRule) -> str:
    """The value of ``fields.{name}``: clean text, never empty.

    Raises:
        UnreadableFieldError: the row has no such value.
    """
    value = _read(row, name, rule)
    if not value:
        raise UnreadableFieldError(
            f"{name}: {_place(row, rule)} is empty; correct fields.{name}{row.escape}"
        )
    return value


def optional(row: Record, name: str, rule: OptionalRule | None) -> str | None:
    """The value of ``fields.{name}``; None without a rule or where the value is empty.

    Raises:
        UnreadableFieldError: nothing is found, and the rule is not ``optional``.
    """
    if rule is None:
        return None
    try:
        return _read(row, name, rule) or None
    except UnreadableFieldError:
        if rule.optional:
            return None
        raise


def dated(row: Record, rule: DateRule | None, day: date, zone: tzinfo) -> str | None:
    """The value of ``fields.date`` as ``YYYY-MM-DD``; None without a rule.

    Args:
        row: the row.
        rule: its rule.
        day: what a date that does not tell its year, or a bare time, is counted from.
        zone: in which an instant becomes a day.

    Raises:
        UnreadableFieldError: no format fits, and the rule is not ``optional``.
    """
    text = optional(row, "date", rule)
    if rule is None:
        return None
    found = parse_date(text, rule.compiled, day, zone) if text else None
    if found is None and not rule.optional:
        raise UnreadableFieldError(
            f"date: {shorten(text or '', _SHOWN)!r} at {_place(row, rule)} fits none of "
            f"{', '.join(rule.formats)}; add its format to fields.date.formats"
        )
    return found


def is_pinned(row: Record, signal: PinnedSignal) -> bool:
    """Whether an element in the row, or the row itself, shows this signal."""
    if signal.only_exists:
        return row.shows(signal.select)
    return any(_shows(part, signal) for part in row.every(signal.select, _SIGNS))


def _read(row: Record, name: str, rule: ValueRule) -> str:
    found = row if rule.select is None else row.first(rule.select)
    if found is None:
        raise UnreadableFieldError(
            f"{name}: nothing matches {rule.select!r} in this row; correct "
            f"fields.{name}.select{row.escape}"
        )
    value = _part(_raw(found, name, rule), name, rule)
    if rule.expression is not None:
        group = rule.expression.find(value[:VALUE_LIMIT])
        if group is None:
            raise UnreadableFieldError(
                f"{name}: {shorten(value, _SHOWN)!r} does not fit the pattern "
                f"{rule.pattern!r}; correct fields.{name}.pattern"
            )
        value = clean(group)
    value = without(value, rule.strip) if rule.strip else value
    return "" if value in rule.empty else value


def _raw(record: Record, name: str, rule: ValueRule) -> str:
    attribute = _attribute(record, rule)
    if attribute is None:
        return record.text(rule.drop)
    value = record.attribute(attribute)
    if value is None:
        raise UnreadableFieldError(
            f"{name}: {_place(record, rule)} is not there or empty; correct "
            f"fields.{name}.attribute{record.escape}"
        )
    return value


def _part(value: str, name: str, rule: ValueRule) -> str:
    if rule.parameter is not None:
        found, wanted = query_parameter(value, rule.parameter), repr(rule.parameter)
    elif rule.segment is not None:
        found, wanted = path_segment(value, rule.segment), str(rule.segment)
    elif rule.argument is not None:
        found, wanted = call_argument(value, rule.argument), str(rule.argument)
    else:
        return value
    if found is None:
        raise UnreadableFieldError(
            f"{name}: {shorten(value, _SHOWN)!r} has no {rule.part} {wanted}; "
            f"correct fields.{name}.{rule.part}"
        )
    return clean(found)


def _attribute(record: Record, rule: ValueRule) -> str | None:
    return rule.attribute or (record.link_attribute if isinstance(rule, LinkRule) else None)


def _shows(record: Record, signal: PinnedSignal) -> bool:
    name = signal.attribute
    value = record.text() if name is None else record.attribute(name) or ""
    if signal.text is not None:
        return value == signal.text
    if signal.contains is not None:
        return signal.contains in value
    if signal.empty:
        return not value
    return not (value.isascii() and value.replace(",", "").isdigit())


def _place(record: Record, rule: ValueRule) -> str:
    place = "the row" if rule.select is None else repr(rule.select)
    attribute = _attribute(record, rule)
    return place if attribute is None else f"attribute {attribute!r} of {place}"
