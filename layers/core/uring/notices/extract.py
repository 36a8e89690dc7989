"""What a config entry's rules read from one row."""

from datetime import date
from typing import Final

from selectolax.lexbor import LexborNode

from uring.notices.backtracking import VALUE_LIMIT
from uring.notices.dates import parse_date
from uring.notices.links import query_parameter
from uring.notices.rules import DateRule, OptionalRule, PinnedSignal, ValueRule
from uring.notices.text import TEXT_LIMIT, clean, shorten, text_of, without

_SHOWN: Final = 60
# Elements of a row that one signal is looked for in; a hostile page has thousands in each other.
_SIGNS: Final = 20


class UnreadableFieldError(ValueError):
    """A field that a row does not have. The message becomes the row's reason; it goes no further.

    The message names the field, what was seen and which key of the entry to correct.
    """


def required(row: LexborNode, name: str, rule: ValueRule) -> str:
    """The value of ``fields.{name}``: clean text, never empty.

    Raises:
        UnreadableFieldError: the row has no such value.
    """
    value = _read(row, name, rule)
    if not value:
        raise UnreadableFieldError(
            f"{name}: {_place(rule)} is empty; correct fields.{name}, "
            "or leave such rows out with rows.drop"
        )
    return value


def optional(row: LexborNode, name: str, rule: OptionalRule | None) -> str | None:
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


def dated(row: LexborNode, rule: DateRule | None, today: date) -> str | None:
    """The value of ``fields.date`` as ``YYYY-MM-DD``; None without a rule.

    Raises:
        UnreadableFieldError: no format fits, and the rule is not ``optional``.
    """
    text = optional(row, "date", rule)
    if rule is None:
        return None
    found = parse_date(text, rule.compiled, today) if text else None
    if found is None and not rule.optional:
        raise UnreadableFieldError(
            f"date: {shorten(text or '', _SHOWN)!r} at {_place(rule)} fits none of "
            f"{', '.join(rule.formats)}; add its format to fields.date.formats"
        )
    return found


def is_pinned(row: LexborNode, signal: PinnedSignal) -> bool:
    """Whether an element in the row, or the row itself, shows this signal."""
    if signal.only_exists:
        return row.css_matches(signal.select)
    return any(_shows(node, signal) for node in row.css(signal.select)[:_SIGNS])


def _read(row: LexborNode, name: str, rule: ValueRule) -> str:
    node = row if rule.select is None else row.css_first(rule.select)
    if node is None:
        raise UnreadableFieldError(
            f"{name}: nothing matches {rule.select!r} in this row; correct "
            f"fields.{name}.select, or leave such rows out with rows.drop"
        )
    value = _raw(node, name, rule)
    if rule.parameter is not None:
        found = query_parameter(value, rule.parameter)
        if found is None:
            raise UnreadableFieldError(
                f"{name}: {shorten(value, _SHOWN)!r} has no parameter {rule.parameter!r}; "
                f"correct fields.{name}.parameter"
            )
        value = clean(found)
    if rule.expression is not None:
        match = rule.expression.search(value[:VALUE_LIMIT])
        group = match[min(1, rule.expression.groups)] if match else None
        if group is None:
            raise UnreadableFieldError(
                f"{name}: {shorten(value, _SHOWN)!r} does not fit the pattern "
                f"{rule.pattern!r}; correct fields.{name}.pattern"
            )
        value = clean(group)
    return without(value, rule.strip) if rule.strip else value


def _raw(node: LexborNode, name: str, rule: ValueRule) -> str:
    attribute = rule.source_attribute
    if attribute is None:
        return text_of(node, rule.drop)
    value = node.attrs.get(attribute)
    if value is None:
        raise UnreadableFieldError(
            f"{name}: {_place(rule)} is not there or empty; correct "
            f"fields.{name}.attribute, or leave such rows out with rows.drop"
        )
    return clean(value[:TEXT_LIMIT])


def _shows(node: LexborNode, signal: PinnedSignal) -> bool:
    if signal.attribute is None:
        value = text_of(node)
    else:
        value = clean(node.attrs.get(signal.attribute) or "")
    if signal.text is not None:
        return value == signal.text
    if signal.contains is not None:
        return signal.contains in value
    if signal.empty:
        return not value
    return not (value.isascii() and value.replace(",", "").isdigit())


def _place(rule: ValueRule) -> str:
    place = "the row" if rule.select is None else repr(rule.select)
    attribute = rule.source_attribute
    return place if attribute is None else f"attribute {attribute!r} of {place}"
