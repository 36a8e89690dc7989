"""What holds when: a TAF as pieces of time in which nothing changes. Pure.

base, groups ─► pieces between all starts and ends ─► equal neighbours become one
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final

from uring.weather.iwxxm.category import Prevailing, by_time, flight_category, worst
from uring.weather.iwxxm.fields import FlightCategory, Part, Utc
from uring.weather.iwxxm.reports import Base, ChangeGroup, Taf

MOST_GROUPS: Final = 49
"""A group adds at most two pieces: a timeline has at most a hundred."""

_STAYS: Final = frozenset({"BECMG", "FM"})


class PieceConditions(Part):
    """A category, and the groups that hold: 0 is the base, n is the n-th change."""

    flight_category: FlightCategory | None
    groups: tuple[int, ...]


class Piece(Part):
    """A piece of a timeline, without its end.

    Attributes:
        start: UTC.
        end: UTC, the start of the next piece.
        prevailing: base, FM, and BECMG whose transition has ended.
        worst: these with the BECMG in transition, TEMPO and PROB of that time: its category is the
            worst that any of them gives.
    """

    start: Utc
    end: Utc
    prevailing: PieceConditions
    worst: PieceConditions


def timeline(taf: Taf) -> tuple[Piece, ...]:
    """Return the pieces from ``valid_start`` to ``valid_end``, without a gap, at most a hundred.

    A group without an end holds to the end of the period. Empty without a forecast: NIL, cancelled,
    not translated, without a period, with a group that has no start, or with too many groups.
    """
    start, end = taf.header.valid_start, taf.header.valid_end
    is_timed = all(group.start is not None for group in taf.changes)
    if taf.base is None or taf.header.cancelled or not is_timed:
        return ()
    if start is None or end is None or start >= end or len(taf.changes) > MOST_GROUPS:
        return ()
    return tuple(_joined(_pieces(taf.base, taf.changes, start, end)))


def _pieces(
    base: Base, changes: Sequence[ChangeGroup], start: datetime, end: datetime
) -> Iterator[Piece]:
    inner = (at for it in changes for at in (it.start, it.end) if at and start < at < end)
    prevailing, waiting = Prevailing(base), [*reversed(by_time(changes))]
    for at, until in pairwise(sorted({start, end, *inner})):
        while waiting and _begins(changes[waiting[-1]], at):
            place = waiting.pop()
            if changes[place].type == "FM":
                prevailing.replace(changes[place], place + 1)
            elif changes[place].type == "BECMG":
                prevailing.become(changes[place], place + 1)
        passing = [place for place, change in enumerate(changes) if _passes(change, at)]
        prevailing.settle(at)
        categories = prevailing.categories()
        for place in passing:
            categories |= prevailing.categories(changes[place])
        groups = {*prevailing.groups, *prevailing.becoming, *(place + 1 for place in passing)}
        yield Piece(
            start=at,
            end=until,
            prevailing=PieceConditions(
                flight_category=flight_category(prevailing.settled),
                groups=tuple(sorted(prevailing.groups)),
            ),
            worst=PieceConditions(flight_category=worst(categories), groups=tuple(sorted(groups))),
        )


def _begins(change: ChangeGroup, at: datetime) -> bool:
    return change.start is None or change.start <= at


def _passes(change: ChangeGroup, at: datetime) -> bool:
    """Return True while TEMPO or PROB lasts."""
    is_over = change.end is not None and change.end <= at
    return change.type not in _STAYS and _begins(change, at) and not is_over


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Join neighbours with the same conditions."""
    last = next(pieces)
    for piece in pieces:
        if (piece.prevailing, piece.worst) == (last.prevailing, last.worst):
            last = last.model_copy(update={"end": piece.end})
        else:
            yield last
            last = piece
    yield last
