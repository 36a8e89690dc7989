"""What is promised of boards whose rhythm changes: as in `verdict`, and asked once and in time."""

from collections import Counter
from datetime import timedelta

from rhythm_world import SOURCES, RhythmWorld
from verdict import Verdict, judge

from uring.contracts import Job
from uring.sources.rhythm import Weekly

_MINUTE = timedelta(minutes=1)


def judge_rhythm(world: RhythmWorld, *, hot_items: int) -> Verdict:
    """Hold a finished run against every promise, source by source."""
    verdict, posts = Verdict(), world.fcm.accepted
    for source in SOURCES:
        world.source = source
        world.fcm.accepted = [post for post in posts if post.data["dept"] == source]
        own = judge(world, hot_items=hot_items)
        for kind, problems in own.wrong.items():
            for problem in problems:
                verdict.add(kind, f"{source}: {problem}")
        verdict.doubled += own.doubled
        _asked(world, source, verdict)
    world.fcm.accepted = posts
    return verdict


def _asked(world: RhythmWorld, source: str, verdict: Verdict) -> None:
    """No tick has two jobs of a source; none is left out for longer than its longest interval.

    After an edit the new interval counts, from the first tick that knows it.
    """
    jobs = [Job.parse(message.body) for _, message in world.work.accepted]
    times = Counter(job.scheduled_at for job in jobs if job.source == source)
    if again := [f"{at:%H:%M}" for at, number in times.items() if number > 1]:
        verdict.add("order", f"{source}: two jobs of one tick: {again}")
    pace, since = None, min(times)
    for at in sorted({*world.ticks, *world.dropped}):
        if at in world.dropped:
            # A lost tick is made up for by the next one that is due.
            since = at
            continue
        ticks, plan = world.ticks[at]
        planned, gap = plan[source], ticks.since(at) * _MINUTE
        if planned != pace:
            pace, since = planned, max(since, at - gap)
        if at in times:
            since = at
        rhythm = planned.rhythm
        longest = max(rhythm.week) if isinstance(rhythm, Weekly) else planned.interval_minutes
        if at - since > longest * _MINUTE + gap:
            verdict.add("lost", f"{source}: at {at:%H:%M} not asked since {since:%H:%M}")
