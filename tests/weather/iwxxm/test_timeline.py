"""The timeline of a TAF, against a reckoning of its own for each quarter of an hour."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.weather.iwxxm.fields import Visibility
from uring.weather.iwxxm.reports import Base, ChangeGroup, Taf, TafHeader
from uring.weather.iwxxm.timeline import MOST_GROUPS, Piece, timeline

ISSUED: Final = datetime(2026, 2, 27, 23, tzinfo=UTC)
HOURS: Final = 30
CATEGORIES: Final = {500: "LIFR", 2_000: "IFR", 6_000: "MVFR", 10_000: "VFR"}
WORST_FIRST: Final = [*CATEGORIES]
METRES = st.sampled_from(WORST_FIRST)
PASSING = st.sampled_from(["TEMPO", "PROB30", "PROB40", "PROB30_TEMPO", "PROB40_TEMPO"])


def at(hour: float) -> datetime:
    return ISSUED + timedelta(hours=hour)


def taf(metres: int | None, changes: Sequence[ChangeGroup], **header: Any) -> Taf:
    told = {
        "icao": "RKSI",
        "airport_name": None,
        "report_status": "NORMAL",
        "issued": ISSUED,
        "valid_start": ISSUED,
        "valid_end": at(HOURS),
        "iwxxm_version": None,
        **header,
    }
    base = Base(
        wind=None,
        visibility=None if metres is None else Visibility(value=metres),
        weather=(),
        clouds=(),
        nsc=True,
    )
    return Taf(header=TafHeader.model_validate(told), base=base, changes=tuple(changes))


def group(kind: str, start: float | None, end: float | None, metres: int) -> ChangeGroup:
    return ChangeGroup.model_validate(
        {
            "type": kind,
            "start": None if start is None else at(start),
            "end": None if end is None else at(end),
            "visibility": {"value": metres},
            **({"clouds": (), "nsc": True} if kind == "FM" else {}),
        }
    )


def told(piece: Piece) -> tuple[Any, ...]:
    return (
        *(round((it - ISSUED) / timedelta(hours=1), 2) for it in (piece.start, piece.end)),
        (piece.prevailing.flight_category, piece.prevailing.groups),
        (piece.worst.flight_category, piece.worst.groups),
    )


@st.composite
def forecasts(draw: st.DrawFn) -> Taf:
    """Return a TAF whose transitions do not overlap, with groups in any order and place."""
    changes = []
    points = sorted(draw(st.lists(st.integers(-6, 72), unique=True, max_size=10)))
    for start, end in zip(points[::2], points[1::2], strict=False):
        kind = draw(st.sampled_from(["BECMG", "BECMG", "FM"]))
        changes.append(group(kind, start / 2, None if kind == "FM" else end / 2, draw(METRES)))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(-6, 66))
        end = start + draw(st.integers(0, 16))
        changes.append(group(draw(PASSING), start / 2, end / 2, draw(METRES)))
    return taf(draw(METRES), draw(st.permutations(changes)))


def reckoned(report: Taf, minute: datetime) -> tuple[Any, ...]:
    """Return what holds in a minute, by visibility alone."""
    assert report.base is not None
    assert report.base.visibility is not None
    prevailing, holds, becoming = report.base.visibility.value, {0}, {}
    passing = {}
    in_time = sorted(enumerate(report.changes, 1), key=lambda it: it[1].start or minute)
    for number, change in in_time:
        assert change.visibility is not None
        metres = change.visibility.value
        if change.start is None or change.start > minute:
            continue
        is_over = change.end is not None and change.end <= minute
        if change.type == "FM":
            prevailing, holds, becoming = metres, {number}, {}
        elif change.type == "BECMG" and is_over:
            prevailing = metres
            holds.add(number)
        elif change.type == "BECMG":
            becoming[number] = metres
        elif not is_over:
            passing[number] = metres
    possible = [it for it in (prevailing, *becoming.values(), *passing.values()) if it is not None]
    return (
        (CATEGORIES[prevailing or 0], tuple(sorted(holds))),
        (CATEGORIES[min(possible)], tuple(sorted({*holds, *becoming, *passing}))),
    )


@given(forecasts())
def test_each_quarter_has_the_conditions_that_hold_in_it(report: Taf) -> None:
    pieces = timeline(report)
    for minutes in range(0, HOURS * 60, 15):
        minute = ISSUED + timedelta(minutes=minutes)
        [piece] = [piece for piece in pieces if piece.start <= minute < piece.end]
        assert told(piece)[2:] == reckoned(report, minute), minute


@given(forecasts())
def test_pieces_cover_the_period_without_a_gap_and_equal_neighbours_are_one(report: Taf) -> None:
    pieces = timeline(report)
    assert (pieces[0].start, pieces[-1].end) == (ISSUED, at(HOURS))
    for before, after in pairwise(pieces):
        assert before.end == after.start > before.start
        assert (before.prevailing, before.worst) != (after.prevailing, after.worst)


@given(forecasts(), st.randoms(use_true_random=False))
def test_places_in_the_list_do_not_count(report: Taf, random: Any) -> None:
    """Only the numbers of the groups follow their places."""
    shuffled = report.model_copy(
        update={"changes": tuple(random.sample(report.changes, len(report.changes)))}
    )
    categories = [
        [
            (it.start, it.prevailing.flight_category, it.worst.flight_category)
            for it in timeline(one)
        ]
        for one in (report, shuffled)
    ]
    assert categories[0] == categories[1]


def test_fog_at_night_with_a_shower_listed_behind_it() -> None:
    report = taf(10_000, [group("BECMG", 14, 16, 500), group("TEMPO", 2, 4, 2_000)])
    assert [told(piece) for piece in timeline(report)] == [
        (0, 2, ("VFR", (0,)), ("VFR", (0,))),
        (2, 4, ("VFR", (0,)), ("IFR", (0, 2))),
        (4, 14, ("VFR", (0,)), ("VFR", (0,))),
        (14, 16, ("VFR", (0,)), ("LIFR", (0, 1))),
        (16, 30, ("LIFR", (0, 1)), ("LIFR", (0, 1))),
    ]


def test_fm_replaces_the_base_and_a_transition_that_lasts() -> None:
    report = taf(10_000, [group("BECMG", 2, 6, 500), group("FM", 4, None, 6_000)])
    assert [told(piece) for piece in timeline(report)] == [
        (0, 2, ("VFR", (0,)), ("VFR", (0,))),
        (2, 4, ("VFR", (0,)), ("LIFR", (0, 1))),
        (4, 30, ("MVFR", (2,)), ("MVFR", (2,))),
    ]


def test_a_better_shower_makes_nothing_better() -> None:
    report = taf(500, [group("PROB40", 2, 4, 10_000)])
    assert [told(piece)[3] for piece in timeline(report)] == [
        ("LIFR", (0,)),
        ("LIFR", (0, 1)),
        ("LIFR", (0,)),
    ]


def test_groups_without_an_end_last_and_those_of_no_time_never_hold() -> None:
    report = taf(10_000, [group("TEMPO", 28, None, 500), group("TEMPO", 5, 5, 500)])
    assert [told(piece) for piece in timeline(report)] == [
        (0, 28, ("VFR", (0,)), ("VFR", (0,))),
        (28, 30, ("VFR", (0,)), ("LIFR", (0, 1))),
    ]


def test_an_unknown_visibility_is_unknown_and_not_vfr() -> None:
    [piece] = timeline(taf(None, []))
    assert told(piece) == (0, 30, (None, (0,)), (None, (0,)))


@pytest.mark.parametrize(
    "report",
    [
        taf(10_000, [], cancelled=True),
        taf(10_000, [], valid_start=None),
        taf(10_000, [], valid_end=None),
        taf(10_000, [], valid_end=ISSUED),
        taf(10_000, [group("TEMPO", None, 4, 500)]),
        taf(10_000, []).model_copy(update={"base": None}),
        taf(10_000, [group("TEMPO", 1, 2, 500)] * (MOST_GROUPS + 1)),
    ],
)
def test_what_is_not_known_in_time_has_no_timeline(report: Taf) -> None:
    assert timeline(report) == ()


def test_the_most_groups_make_at_most_a_hundred_pieces() -> None:
    changes = [group("TEMPO", number / 2, number / 2 + 0.25, 500) for number in range(MOST_GROUPS)]
    assert 90 < len(timeline(taf(10_000, changes))) <= 100
