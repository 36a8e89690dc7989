"""Records that come into sight because their list moved up: unknown, and no news. Pure."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from uring.records.model import Observation

# Of fewer, the oldest says little.
_FEW: Final = 5


def moved_up(
    records: Sequence[Observation], known: Collection[str], marked: Collection[str] = ()
) -> frozenset[str]:
    """Return the unknown ids of records that were there before the list was watched.

    A record that is deleted, hidden or marked makes room: the first of page 2 moves up. It stands
    below every known one that has no mark, and is no newer than they are. An unknown record with a
    mark, such as a pin, is an old one that got it if it is no newer than the oldest of them. In a
    list without order places say nothing: there one is old that is older than all of them by its
    number and its date.

    Args:
        records: of all pages that were read, in the list's order; ``content`` may have a ``date``,
            ``YYYY-MM-DD``.
        known: every id that the list ever showed.
        marked: those of them that had a mark when they were last seen: they tell no place, for
            what lies between them and the others was not seen.
    """
    plain = [record for record in records if not record.is_marked]
    places = [
        place
        for place, record in enumerate(plain)
        if record.id in known and record.id not in marked
    ]
    if not places:
        return frozenset()
    rows = [plain[place] for place in places]
    unknown = [record for record in records if record.id not in known]
    below = {record.id for record in plain[places[-1] + 1 :]}
    is_ordered = _is_ordered(rows)
    return frozenset(
        record.id
        for record in unknown
        if (record.id in below and not _is_newer(record, rows))
        or (record.is_marked and _is_oldest(record, rows))
        or (
            not is_ordered and _is_first(_numbers(record, rows)) and _is_first(_dates(record, rows))
        )
    )


def _is_newer(record: Observation, rows: Sequence[Observation]) -> bool:
    """Return whether a record below all known ones came after them: a list, the newest last."""
    if numbers := _numbers(record, rows):
        return numbers[0] > max(numbers[1:])
    if dates := _dates(record, rows):
        is_ascending = dates[1] < dates[-1]
        return dates[0] > max(dates[1:]) or (is_ascending and dates[0] >= dates[-1])
    return False


def _is_oldest(record: Observation, rows: Sequence[Observation]) -> bool:
    if numbers := _numbers(record, rows):
        return numbers[0] < min(numbers[1:])
    if dates := _dates(record, rows):
        # All of one day say nothing.
        return dates[0] <= min(dates[1:]) < max(dates[1:])
    return False


def _is_ordered(rows: Sequence[Observation]) -> bool:
    """Return whether ids or dates go up or down; ids that are no numbers say nothing."""
    numbers, dates = _numbers(rows[0], rows[1:]), _dates(rows[0], rows[1:])
    return any(
        list(each) in (sorted(each), sorted(each, reverse=True)) for each in (numbers, dates)
    )


def _is_first(values: Sequence[Any]) -> bool:
    """Return whether the first of some values comes before all others."""
    return len(values) > _FEW and bool(values[0] < min(values[1:]))


def _numbers(record: Observation, rows: Sequence[Observation]) -> list[int]:
    """Return the ids as numbers, the record's first; none unless all are numbers."""
    ids = [each.id for each in (record, *rows)]
    return [int(key) for key in ids] if all(key.isascii() and key.isdigit() for key in ids) else []


def _dates(record: Observation, rows: Sequence[Observation]) -> list[str]:
    """Return the dates, the record's first; none unless it and another have one."""
    own = record.content.get("date")
    dates = [day for row in rows if (day := row.content.get("date"))]
    return [own, *dates] if own and dates else []
