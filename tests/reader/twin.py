"""reader_twin, called as web/uring.js is: its names, its arguments, its results as JSON."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from reader_twin import (
    Entry,
    Folded,
    Loaded,
    archive_path,
    changed,
    clean,
    cut,
    decide,
    fold,
    fold_case,
    is_record,
    is_retracted,
    matches,
    merge,
    month_of,
    months_back,
    pages,
    parse_lines,
    rest_title,
    retracted,
    safe_link,
    same_as,
    search,
)
from reader_twin.lines import utf16

OFFLINE: Final = "offline"


def call(name: str, *arguments: Any) -> Any:
    """Return what the function of this name in JavaScript has to return."""
    return FUNCTIONS[name](*arguments)


def canonical(value: Any) -> str:
    """Return a text that is the same for what is the same in JSON: 1 is 1.0, and not true."""
    return json.dumps(_numbers_as_floats(value), sort_keys=True)


def _numbers_as_floats(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _numbers_as_floats(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_numbers_as_floats(each) for each in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        # JSON has no zero below zero.
        return float(value) + 0.0
    return value


def _parse_lines(text: Any) -> Any:
    parsed = parse_lines(text)
    return {"lines": parsed.lines, "broken": parsed.broken, "earlier": parsed.earlier}


def _fold(*groups: Any) -> Any:
    folded = Folded()
    for lines in groups:
        folded = fold(lines, folded)
    return _told(folded)


def _told(folded: Folded) -> Any:
    return {"records": _entries(folded), "texts": _entries(folded.texts)}


def _entries(entries: Mapping[str, Entry]) -> Any:
    return [
        [
            key,
            {
                "item": entry.item,
                "history": [line["event_id"] for line in entry.history],
                "isGone": entry.is_gone,
            },
        ]
        for key, entry in sorted(entries.items(), key=lambda each: utf16(each[0]))
    ]


def _decide(message: Any, rules: Any, seen: Any, clock: str | None) -> Any:
    now = datetime.strptime(clock, "%H:%M") if clock else None  # noqa: DTZ007 - the device's own
    decision = decide(message, rules, frozenset(seen), now)
    return {name: getattr(decision, name) for name in decision.__slots__}


def _pages(source: Any, files: Any, options: Mapping[str, Any]) -> Any:
    there, asked = dict(files), []

    def load(path: str) -> Loaded:
        asked.append(path)
        text = there.get(path, 403)
        if text == OFFLINE:
            raise ConnectionError(path)
        return Loaded(text, "") if isinstance(text, int) else Loaded(200, text)

    named = {"from": "start", "emptyMonths": "empty_months", "month": "month"}
    own = {named[name]: value for name, value in options.items()}
    read = [
        {
            **{name: getattr(page, name) for name in page.__slots__},
            "items": [item["id"] for item in page.items],
            "folded": len(page.folded),
        }
        for page in pages(source, load, **own)
    ]
    return {"pages": read, "asked": asked}


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "archivePath": archive_path,
    "changed": lambda *both: [change._asdict() for change in changed(*both)],
    "clean": clean,
    "cut": cut,
    "decide": _decide,
    "fold": _fold,
    "foldCase": fold_case,
    "isRecord": is_record,
    "isRetracted": is_retracted,
    "matches": matches,
    "merge": lambda lines, items: _told(merge(fold(lines), items)),
    "monthOf": month_of,
    "monthsBack": months_back,
    "pages": _pages,
    "parseLines": _parse_lines,
    "restTitle": rest_title,
    "retracted": retracted,
    "safeLink": safe_link,
    "sameAs": same_as,
    "search": search,
}
