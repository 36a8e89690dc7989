"""Working days of the campus under a rhythm: what was pushed, and how long notices waited."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import fmean

from fakes import VirtualClock
from fakes.worlds import NoticeWorld
from weather import DirectFetcher

from uring.changes.jobs import Planned
from uring.notices.source import Source
from uring.sources.rhythm import RhythmName
from uring_local.sites.campus.rhythm import STEP, delay, is_tick, time_of, working_campus


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
    delays: list[float] = field(default_factory=list)
    most: int = 0

    @property
    def mean(self) -> float:
        """The mean delay in minutes."""
        return fmean(self.delays)


def play(seed: int, rhythms: Sequence[RhythmName], steps: int) -> Week:
    """Play some steps of the campus; the rhythms change in equal parts of the time."""

    def rhythm_at(step: int) -> RhythmName:
        return rhythms[(step - 1) * len(rhythms) // steps]

    campus = working_campus(seed, rhythm_at)
    world = NoticeWorld(VirtualClock(time_of(1)), fetcher=DirectFetcher(campus))
    week, heard = Week(), 0
    last = time_of(1) - timedelta(minutes=10)
    for step in range(1, steps + 1):
        rhythm, now = rhythm_at(step), time_of(step)
        campus.advance(step)
        jobs = []
        if is_tick(rhythm, now):
            gap, last = (now - last) // timedelta(minutes=1), now
            for entry in campus.sitemap()["sources"]:
                paced = Source.model_validate(entry).paced(rhythm)
                interval = Planned(entry["id"], 10, rhythm=paced).due(now, gap)
                if interval is not None:
                    jobs.append(world.job(entry["id"], entry=entry, interval_minutes=interval))
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
        week.missed += [f"step {step}: {push}" for push in (due - pushed).elements()]
        week.false += [f"step {step}: {push}" for push in (pushed - due).elements()]
        week.delays += [
            delay(campus.published(e.department, e.notice_id), now)
            for e in fresh
            if e.kind == "new"
        ]
        world.clock.advance(STEP.total_seconds())
    campus.stop()
    return week
