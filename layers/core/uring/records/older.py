"""Unknown records that are old: they show up only because their list moved up. Pure."""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any, Final, Literal

from uring.records.model import Observation

# In a shorter list the oldest record proves little.
_FEW: Final = 5


def moved_up(
    records: Sequence[Observation],
    known: Collection[str],
    marked: Collection[str] = (),
    before: Sequence[str] = (),
    came: str = "",
    since: str = "",
) -> frozenset[str]:
    """Return the unknown ids of records older than the watch on the list; empty without known ones.

    A deleted, hidden or marked record makes room, and the first record of page 2 moves up. Such a
    record is below all known records without a mark, and not newer than they are. An unknown
    record with a mark, such as a pin, is old if it is not newer than the oldest of them. In a list
    without order the place proves nothing: there a record is old if its number and its date are
    below those of all of them. A list of marked records alone is a list like any other.

    Ids that are no numbers, without dates, say nothing on the end of the list that is the newer
    one. There a record below all known ones is old if records are gone from the list, and new ones
    came on top so far or not just the first ones are gone.

    Args:
        records: of all pages read, in the list's order; ``content`` may have a ``date``,
            ``YYYY-MM-DD``.
        known: every id that the list ever showed.
        marked: the known ids that had a mark when last seen. Their place proves nothing: the
            records between them and the others were not seen.
        before: the known ids without a mark in the last list, in its order.
        came: see `came_at`; empty while nothing showed it.
        since: the day before the first look at the list, ``YYYY-MM-DD``. A record with an earlier
            date below the first known one is old: it was hidden then.
    """
    is_plain = any(not record.is_marked for record in records)
    plain = [record for record in records if not (record.is_marked and is_plain)]
    places = [
        place
        for place, record in enumerate(plain)
        if record.id in known and not (record.id in marked and is_plain)
    ]
    if not places:
        return frozenset()
    rows = [plain[place] for place in places]
    unknown = [record for record in records if record.id not in known]
    below = {record.id for record in plain[places[-1] + 1 :]}
    beside = {
        record.id
        for record in plain[places[0] + 1 :]
        if (record.content.get("date") or since) < since
    }
    is_ordered = _is_ordered(rows)
    is_told = any(_numbers(record, rows) or _dates(record, rows) for record in unknown)
    if not is_ordered or (not is_told and not _made_room(records, before, len(below), came)):
        below = set()
    return frozenset(
        record.id
        for record in unknown
        if (record.id in below and not _is_newer(record, rows))
        or record.id in beside
        or (record.is_marked and is_plain and _is_oldest(record, rows))
        or (
            not is_ordered
            and _is_first(_dates(record, rows))
            and (not _numbers(record, rows) or _is_first(_numbers(record, rows)))
        )
    )


def came_at(
    records: Sequence[Observation],
    known: Collection[str],
    old: Collection[str],
    before: Collection[str],
) -> Literal["", "top", "bottom"]:
    """Return the end of the list at which new records stand; empty if none or both have them.

    The bottom counts only where the list lost none of the records that it had ``before``:
    otherwise its last ones may have moved up.
    """
    plain = [record.id for record in records if not record.is_marked]
    places = [place for place, key in enumerate(plain) if key in known]
    new = [place for place, key in enumerate(plain) if key not in known and key not in old]
    if not places or not new:
        return ""
    if max(new) < places[0]:
        return "top"
    is_longer = {*before} <= {record.id for record in records}
    return "bottom" if min(new) > places[-1] and is_longer else ""


def _made_room(
    records: Sequence[Observation], before: Sequence[str], below: int, came: str
) -> bool:
    """Return whether records moved up into a list whose order nothing tells.

    A list that lost its first records and got as many at its end moves on downwards.
    """
    shown = {record.id for record in records}
    gone = [key for key in before if key not in shown]
    if not gone:
        # A longer page shows many more records; few more are new.
        return below >= max(_FEW, len(before))
    if came:
        return came == "top"
    return gone != [*before[: len(gone)]]


def _is_newer(record: Observation, rows: Sequence[Observation]) -> bool:
    """Return whether a record below all known ones is newer: the list has the newest last."""
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
        # Records of a single day have no order.
        return dates[0] <= min(dates[1:]) < max(dates[1:])
    return False


def _is_ordered(rows: Sequence[Observation]) -> bool:
    """Return whether ids or dates are sorted, up or down; True without numbers and dates.

    A few dates out of order, such as corrected ones, are in a sorted list, too.
    """
    numbers, dates = _numbers(rows[0], rows[1:]), _dates(rows[0], rows[1:])
    known: list[Sequence[Any]] = [each for each in (numbers, dates) if each]
    return not known or any(map(_is_sorted, known))


def _is_sorted(values: Sequence[Any]) -> bool:
    pairs = [*pairwise(values)]
    most = max(sum(one >= two for one, two in pairs), sum(one <= two for one, two in pairs))
    return bool(most * _FEW >= len(pairs) * (_FEW - 1))


def _is_first(values: Sequence[Any]) -> bool:
    """Return whether the first value is below all others; False for a short list."""
    return len(values) > _FEW and bool(values[0] < min(values[1:]))


def _numbers(record: Observation, rows: Sequence[Observation]) -> list[int]:
    """Return the ids as numbers, the record's first; empty unless all are numbers."""
    ids = [each.id for each in (record, *rows)]
    return [int(key) for key in ids] if all(key.isascii() and key.isdigit() for key in ids) else []


def _dates(record: Observation, rows: Sequence[Observation]) -> list[str]:
    """Return the dates, the record's first; empty unless the record and another have one."""
    own = record.content.get("date")
    dates = [day for row in rows if (day := row.content.get("date"))]
    return [own, *dates] if own and dates else []
