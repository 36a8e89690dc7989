"""Every source is asked in time and never too often, whatever table, zone, edit or repeated tick.

The ticks are those of the template's two schedules, the tables and zones are drawn.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from fakes import (
    ENTRY,
    MemoryBucket,
    MemoryQueue,
    MemoryWorkQueue,
    RecordingTelemetry,
    VirtualClock,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

from uring.changes.jobs import Orchestrator, Planned, Ticks
from uring.contracts import Job
from uring.errors import Unavailable
from uring.notices.source import Source
from uring.sources.plan import EntriesPlan
from uring.sources.rhythm import DAYS, Rhythm, Weekly

MINUTE = timedelta(minutes=1)
KEY = "config/sitemap.json"
SOURCES = ("cs", "ee", "me", "law")
# Half hours and quarters, and clocks that change within the next two days, one of them by half an
# hour.
BEGINS = {
    "Asia/Seoul": ["2026-03-05T22:00"],
    "Asia/Kathmandu": ["2026-03-05T22:00"],
    "Asia/Kolkata": ["2026-03-06T00:00"],
    "America/New_York": ["2026-03-07T12:00", "2026-10-31T12:00"],
    "Europe/Berlin": ["2026-03-28T12:00", "2026-10-24T12:00"],
    "Australia/Lord_Howe": ["2026-04-03T20:00", "2026-10-02T20:00"],
}
HOURS = 26

minutes = st.integers(2, 30)
spans = st.tuples(st.integers(0, 23), st.integers(1, 24)).filter(lambda span: span[0] < span[1])
days = st.tuples(st.sampled_from(DAYS), st.sampled_from(DAYS)).map("-".join)
hours = st.builds(
    lambda day, span, every: {"days": day, "hours": f"{span[0]}-{span[1]}", "minutes": every},
    days,
    spans,
    minutes,
)
tables = st.builds(
    lambda spans, otherwise: {"hours": spans, "otherwise": otherwise},
    st.lists(hours, max_size=5),
    minutes,
)
places = st.sampled_from(
    [(zone, datetime.fromisoformat(f"{at}+00:00")) for zone, all_ in BEGINS.items() for at in all_]
)
busy = st.one_of(
    st.just(frozenset[int]()),
    spans.map(lambda span: frozenset(range(*span))),
    st.just(frozenset({23, *range(11)})),
)


def ticks_of(busy_hours: frozenset[int], begin: datetime) -> Iterator[tuple[datetime, timedelta]]:
    """The ticks of the template's schedules, and the time since the one before."""
    last = None
    for minute in range(-20, HOURS * 60):
        at = begin + minute * MINUTE
        if at.minute % 10 == 5 or (busy_hours and at.hour in busy_hours and at.minute % 2):
            if last is not None and minute >= 0:
                yield at, at - last
            last = at


@given(places, tables, busy, st.sampled_from(SOURCES))
# Half an hour, then 29 minutes: each border was a gap of up to 58.
@example(
    ("Asia/Seoul", datetime(2026, 3, 5, 22, tzinfo=UTC)),
    {
        "hours": [
            {"days": "Mon-Sun", "hours": f"{hour}-{hour + 1}", "minutes": 29}
            for hour in range(0, 24, 2)
        ]
    },
    frozenset[int](),
    "cs",
)
# Clocks that are put back by half an hour doubled a gap of half an hour.
@example(
    ("Australia/Lord_Howe", datetime(2026, 4, 3, 20, tzinfo=UTC)),
    {"otherwise": 30},
    frozenset[int](),
    "cs",
)
@settings(max_examples=60, deadline=None)
def test_a_gap_is_between_the_intervals_at_its_ends_but_for_a_tick(
    place: tuple[str, datetime], table: Any, busy_hours: frozenset[int], name: str
) -> None:
    zone, begin = place
    pace = Weekly(Rhythm.model_validate(table).week, zone)
    planned, ticks = Planned(name, 10, rhythm=pace), Ticks(10, busy_hours)
    checks = []
    for at, gap in ticks_of(busy_hours, begin):
        assert ticks.since(at) * MINUTE == gap
        interval = planned.due(at, ticks.since(at))
        if interval is not None:
            assert interval * MINUTE == max(pace(at) * MINUTE, gap)
            checks.append((at, gap))
    for (before, first), (after, second) in pairwise(checks):
        longest, shortest, has_moved = between(pace, before - first, after)
        assert after - before < longest + second, (before, after)
        # Where clocks change, one check comes early.
        assert after - before > shortest - first or has_moved, (before, after)


def between(pace: Weekly, begin: datetime, end: datetime) -> tuple[timedelta, timedelta, bool]:
    """The longest and shortest interval between two times, and whether clocks change there."""
    times = [begin + number * MINUTE for number in range((end - begin) // MINUTE + 1)]
    found = {pace(at) for at in times}
    offsets = {at.astimezone(ZoneInfo(pace.zone)).utcoffset() for at in (begin, end)}
    return max(found) * MINUTE, min(found) * MINUTE, len(offsets) > 1


@dataclass(frozen=True)
class Edit:
    """The entries of the sitemap from a minute on."""

    minute: int
    entries: Sequence[dict[str, Any]]


rhythms = st.one_of(st.none(), st.sampled_from(["uniform", "sooner", "thrifty"]), tables)


@st.composite
def edits(draw: st.DrawFn) -> list[Edit]:
    """Sitemaps in the order of their time; in each, every source has a rhythm and an interval."""
    times = sorted(draw(st.sets(st.integers(1, HOURS * 60), max_size=12)))
    return [
        Edit(
            minute,
            [
                {
                    **ENTRY,
                    "id": name,
                    "zone": draw(st.sampled_from([*BEGINS])),
                    "interval_minutes": draw(st.sampled_from([10, 10, 20, 60])),
                    "rhythm": draw(rhythms),
                }
                for name in SOURCES
            ],
        )
        for minute in [0, *times]
    ]


class Interrupted:
    """A queue that takes some jobs of a tick, then the process ends."""

    def __init__(self, work: MemoryWorkQueue) -> None:
        self._work = work
        self.left = 0

    def dispatch(self, jobs: Sequence[Job]) -> int:
        for job in jobs:
            if self.left == 0:
                raise Unavailable("killed")
            self.left -= 1
            self._work.dispatch([job])
        return 0


@given(places, edits(), busy, st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_edits_between_a_tick_and_its_repeats_lose_no_source_and_double_no_job(
    place: tuple[str, datetime], sitemaps: list[Edit], busy_hours: frozenset[int], chance: Any
) -> None:
    """A killed tick is repeated after a minute and after three, with the sitemap of that time."""
    _, begin = place
    clock, objects, telemetry = VirtualClock(begin), MemoryBucket(), RecordingTelemetry()
    queue = MemoryQueue(clock)
    work = Interrupted(MemoryWorkQueue(queue))
    plan = EntriesPlan(
        objects,
        telemetry,
        config_key=KEY,
        model=Source,
        key="sources",
        what="a sitemap",
        taken={},
        rhythm=lambda source: source.paced("sooner"),
    )
    orchestrator = Orchestrator("notices", plan, work, telemetry, ticks=Ticks(10, busy_hours))
    waiting = list(sitemaps)
    # A call may be made while the next tick is under way.
    calls = [
        (at + late * MINUTE + timedelta(seconds=30), at, number)
        for at, _ in ticks_of(busy_hours, begin)
        for number, late in enumerate((0, 1, 3))
    ]
    done: set[datetime] = set()
    for now, at, number in sorted(calls):
        while waiting and begin + waiting[0].minute * MINUTE < now:
            objects.plant(KEY, json.dumps({"sources": waiting.pop(0).entries}).encode())
        clock.now = now
        if at in done:
            continue
        work.left = len(SOURCES) if number == 2 else chance.choice([0, 1, 2, 4, 4, 4])
        try:
            orchestrator.tick(at)
            done.add(at)
        except Unavailable:
            pass
    assert not telemetry.named("entry_refused")
    for name in SOURCES:
        judge(name, [Job.parse(m.body) for _, m in queue.accepted], sitemaps, busy_hours, begin)


def judge(
    name: str, jobs: Sequence[Job], sitemaps: list[Edit], busy: frozenset[int], begin: datetime
) -> None:
    """No tick asks a source twice, and under no sitemap it waits for more than its interval."""
    times = sorted(job.scheduled_at for job in jobs if job.source == name)
    assert len(set(times)) == len(times), f"{name}: a tick has two jobs"
    gaps = dict(ticks_of(busy, begin))
    end = max(gaps)
    edited = [begin + each.minute * MINUTE for each in sitemaps]
    for edit, at, until in zip(sitemaps, edited, [*edited[1:], end], strict=True):
        own = [at, *(time for time in times if at < time < until), until]
        for before, after in pairwise(own):
            # A repeat reads what was edited within three minutes.
            most = longest_of(entry(edit, name)) + gaps.get(after, 10 * MINUTE) + 3 * MINUTE
            assert after - before <= most, (name, before, after)


def entry(edit: Edit, name: str) -> Source:
    """A source as a sitemap has it."""
    return Source.model_validate(next(each for each in edit.entries if each["id"] == name))


def longest_of(source: Source) -> timedelta:
    """The longest interval of a week."""
    pace = source.paced("sooner")
    return (max(pace.week) if pace else source.interval_minutes) * MINUTE
