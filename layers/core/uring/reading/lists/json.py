"""The rows of a JSON answer."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Final

from uring.errors import SuspectPage
from uring.reading.kinds import EACH, KEY, Require, Scalar, paths
from uring.reading.lists.json_text import Number, at, document, document_in, values_at
from uring.reading.lists.rows import ROW_LIMIT, Listing
from uring.reading.rules import RowRule
from uring.reading.text import plain, shorten

_SHOWN: Final = 60
_LIST_LIMIT: Final = 20
_OF_KEY: Final = (KEY,)


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value; ``select`` is a path of keys, or of indices of lists from 0.

    ``$key`` is the key of a row, where the list, or the group around the row, is an object.
    """

    link_attribute: ClassVar[str | None] = None
    escape: ClassVar[str] = ""
    has_names: ClassVar[bool] = True
    value: Any
    key: str | None = None

    def first(self, select: str) -> "JsonNode | None":
        """Return the first part that ``select`` finds, or None."""
        return next(iter(self.every(select, 1)), None)

    def every(self, select: str, most: int) -> Iterable["JsonNode"]:
        """Return the first ``most`` parts that ``select`` finds."""
        values = (self.key if path == _OF_KEY else at(self.value, path) for path in paths(select))
        return islice((JsonNode(value) for value in values if value is not None), most)

    def others(self, select: str) -> Iterable["JsonNode"]:
        """Return the parts after the first one."""
        return islice(self.every(select, len(paths(select))), 1, None)

    def address(self, value: str, /) -> str:
        """Return it unchanged: a value has no base of its own."""
        return value

    def shows(self, select: str) -> bool:
        """Return whether ``select`` finds a value that is not false, null, 0 or empty."""
        return any(
            bool(part.value) and not (isinstance(part.value, Number) and _is_zero(part.value))
            for part in self.every(select, len(paths(select)))
        )

    def text(self, _drop: Collection[str] = (), /) -> str:
        """Return the value as text, a list with commas; empty for an object. Ignores ``_drop``."""
        return plain(_text(self.value))

    def attribute(self, _name: str, /) -> str | None:
        """Return None: JSON has no attributes."""
        return None

    def glimpse(self, most: int) -> str:
        """Return the text of its values, at most ``most`` characters."""
        values = self.value.values() if isinstance(self.value, dict) else [self.value]
        texts = (plain(_text(value)[: most * 2]) for value in islice(values, _LIST_LIMIT))
        return shorten(" ".join(filter(None, texts)), most)


def json_rows(rule: RowRule, require: Require, text: str, url: str) -> Listing:
    """Return the rows of an answer; empty if ``rows.select`` finds no list.

    The list may be an object of objects: its values are the rows.

    Raises:
        SuspectPage: ``not_json``, ``wrong_envelope`` or ``markup_bomb``.
    """
    value = document_in(rule, text) if rule.is_in_page else document(text)
    judge_envelope(value, require)
    rows = (JsonNode(row, key) for key, row in islice(_rows(value, rule.select), ROW_LIMIT))
    return Listing([*rows], url)


def markup_in(rule: RowRule, require: Require, text: str) -> str:
    """Return the markup at ``rows.markup`` of a JSON answer; empty without any.

    Several texts, of a list or by ``*``, are joined.

    Raises:
        SuspectPage: ``not_json``, ``wrong_envelope`` or ``markup_bomb``.
    """
    value = document(text)
    judge_envelope(value, require)
    texts = (part for _, part in values_at(value, rule.markup or "$"))
    parts = (part for one in texts for part in (one if isinstance(one, list) else [one]))
    return "\n".join(part for part in parts if isinstance(part, str))


def judge_envelope(value: Any, require: Require) -> None:
    """Check the values that a JSON answer must have.

    Raises:
        SuspectPage: ``wrong_envelope``.
    """
    for path, wanted in require.items():
        seen = at(value, paths(path)[0])
        if not _is(seen, wanted):
            raise SuspectPage(
                "wrong_envelope",
                f"{path} is {_shown(seen)}, not {_shown(wanted)}: the site reports an error, or "
                "answers in another form; correct require if the answer has the list",
            )


def _rows(document: Any, select: str) -> Iterator[tuple[str | None, Any]]:
    is_starred = any(EACH in path for path in paths(select))
    for key, value in values_at(document, select):
        if isinstance(value, list):
            yield from ((key, row) for row in value)
        elif isinstance(value, dict):
            if value and all(isinstance(row, dict) for row in value.values()):
                yield from value.items()
            elif is_starred:
                yield key, value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        texts = (_text(part) for part in value[:_LIST_LIMIT] if not isinstance(part, list))
        return ", ".join(filter(None, texts))
    return ""


def _is_zero(number: Number) -> bool:
    return not number.strip("-0.")


def _is(seen: Any, wanted: Scalar) -> bool:
    if isinstance(seen, Number):
        return (
            isinstance(wanted, int | float)
            and not isinstance(wanted, bool)
            and float(seen) == float(wanted)
        )
    return type(seen) is type(wanted) and bool(seen == wanted)


def _shown(value: Any) -> str:
    if value is None:
        return "absent or null"
    if isinstance(value, Number):
        return shorten(str(value), _SHOWN)
    if isinstance(value, Mapping | list):
        return "an object or a list"
    return shorten(json.dumps(value, ensure_ascii=False), _SHOWN)
