"""Records that come into sight because their list moved up: unknown, and no news. Pure."""

from collections.abc import Collection, Sequence

from uring.records.model import Observation


def moved_up(records: Sequence[Observation], known: Collection[str]) -> frozenset[str]:
    """Return the unknown ids of records that were there before the list was watched.

    A record that is deleted, hidden or marked makes room: the first of page 2 moves up. It stands
    below every known one that has no mark, and is no newer than they are. An unknown record with a
    mark, such as a pin, is an old one that got it if it is no newer than the oldest of them.

    Args:
        records: of all pages that were read, in the list's order; ``content`` may have a ``date``,
            ``YYYY-MM-DD``.
        known: every id that the list ever showed.
    """
    plain = [record for record in records if not record.is_marked]
    places = [place for place, record in enumerate(plain) if record.id in known]
    if not places:
        return frozenset()
    rows = [plain[place] for place in places]
    below = [record for record in plain[places[-1] + 1 :] if not _is_newer(record, rows)]
    marked = [record for record in records if record.is_marked and record.id not in known]
    old = [*below, *(record for record in marked if _is_oldest(record, rows))]
    return frozenset(record.id for record in old)


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


def _numbers(record: Observation, rows: Sequence[Observation]) -> list[int]:
    """Return the ids as numbers, the record's first; none unless all are numbers."""
    ids = [each.id for each in (record, *rows)]
    return [int(key) for key in ids] if all(key.isascii() and key.isdigit() for key in ids) else []


def _dates(record: Observation, rows: Sequence[Observation]) -> list[str]:
    """Return the dates, the record's first; none unless it and another have one."""
    own = record.content.get("date")
    dates = [day for row in rows if (day := row.content.get("date"))]
    return [own, *dates] if own and dates else []
