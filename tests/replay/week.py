"""Working days of the campus under a rhythm: what was pushed, and how long notices waited.

Boards publish in office hours, the orchestrator ticks as its schedules do, and the judge observes a
board when it is asked.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from fakes import VirtualClock
from fakes.worlds import NoticeWorld
from weather import DirectFetcher

from uring.changes.jobs import Planned, Ticks
from uring.notices.source import Source
from uring.sources.rhythm import RhythmName
from uring_local.sites.campus import Campus
from uring_local.sites.campus.departments import DEPARTMENTS

SEOUL: Final = ZoneInfo("Asia/Seoul")
# A Thursday.
BEGIN: Final = datetime(2026, 3, 5, 7, 1, tzinfo=SEOUL)
MINUTES: Final = 2
_OFFICE: Final = range(9, 18)
_WORKING_DAYS: Final = 5
_BUSY: Final = frozenset({23, *range(11)})


def at(tick: int) -> datetime:
    """The time of a tick, from 1."""
    return BEGIN + timedelta(minutes=MINUTES * (tick - 1))


def is_office_hour(tick: int) -> bool:
    """Whether offices work; the first ticks make the boards."""
    return tick <= 1 or (at(tick).weekday() < _WORKING_DAYS and at(tick).hour in _OFFICE)


def _day(tick: int) -> date:
    return at(tick).date()


@dataclass
class Week:
    """What came of a replay.

    Attributes:
        checks: of all boards.
        due: pushes that were due.
        false: pushes without a reason.
        missed: pushes that did not come.
        delays: minutes from a publication to its push.
        most: of checks in one tick.
    """

    checks: int = 0
    due: int = 0
    false: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    delays: list[int] = field(default_factory=list)
    most: int = 0

    @property
    def mean(self) -> float:
        """The mean delay in minutes, from the middle between two ticks."""
        return MINUTES / 2 + sum(self.delays) / len(self.delays)


def play(seed: int, rhythms: Sequence[RhythmName], ticks: int) -> Week:
    """Play some ticks of two minutes; the rhythms change in equal parts of the time."""
    campus = Campus(
        seed,
        misbehave=False,
        day_of=_day,
        # So many notices a day have no order but their numbers.
        departments=[replace(each, hex_ids=False) for each in DEPARTMENTS],
        ticks_a_day=24 * 60 // MINUTES,
        publishes=is_office_hour,
    )
    world = NoticeWorld(VirtualClock(at(1)), fetcher=DirectFetcher(campus))
    week, heard = Week(), 0
    last = at(1) - timedelta(minutes=10)
    published: dict[tuple[str, str], int] = {}
    for tick in range(1, ticks + 1):
        rhythm = rhythms[(tick - 1) * len(rhythms) // ticks]
        campus.advance(tick)
        for name in (each.id for each in campus.departments):
            published |= {(name, each.id): each.published for each, _ in campus.page(name).rows()}
        schedule = Ticks(10, frozenset() if rhythm == "uniform" else _BUSY)
        campus.asked = set()
        now = at(tick)
        is_busy = now.astimezone(ZoneInfo("UTC")).hour in schedule.busy_hours
        if is_busy or now.minute % 10 == 5 or tick == 1:
            gap = (now - last) // timedelta(minutes=1) if tick > 1 else LONG
            last = now
            entries = {each["id"]: each for each in campus.sitemap()["sources"]}
            jobs = []
            for name, entry in entries.items():
                paced = Source.model_validate(entry).paced(rhythm)
                interval = Planned(name, 10, rhythm=paced).due(now, gap)
                if interval is not None:
                    jobs.append(world.job(name, entry=entry, interval_minutes=interval))
            campus.asked = {job.source for job in jobs}
            for job in jobs:
                world.checker.check(job)
            week.checks += len(jobs)
            week.most = max(week.most, len(jobs))
        journal = campus.journal
        fresh, heard = journal[heard:], len(journal)
        due = Counter((e.department, e.notice_id, e.revision) for e in fresh if e.pushed)
        pushed = Counter((m.source, m.id, m.revision) for m in world.messages())
        world.notify.messages.clear()
        week.due += due.total()
        week.missed += [f"tick {tick}: {push}" for push in (due - pushed).elements()]
        week.false += [f"tick {tick}: {push}" for push in (pushed - due).elements()]
        week.delays += [
            MINUTES * (tick - published[e.department, e.notice_id])
            for e in fresh
            if e.pushed and e.kind == "new"
        ]
        world.clock.advance(60 * MINUTES)
    campus.stop()
    return week


# At the first tick every board is due.
LONG: Final = 60
