"""The notices in a run: the campus, by a rhythm or not, or real sources instead."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from math import ceil
from statistics import fmean
from typing import Any, Final

from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.fcm.journal import Delivery
from uring_local.project import SITEMAP
from uring_local.sites.campus.rhythm import (
    BUSY_HOURS,
    FIRST_STEP,
    Timetable,
    delay,
    time_of,
    working_campus,
)
from uring_local.sites.campus.site import Campus
from uring_local.sites.campus.verdict import judge_campus
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.real import RealSources, push_of, read_sources
from uring_local.sites.stage.simulation import SimulatedDays, World
from uring_local.sites.stage.verdict import Verdict, is_late
from uring_local.stack.application import FamilyResources

NOTICES: Final = FamilyResources("Notice")

# The period of the notices' schedule; intervals are multiples of it.
_TICK_MINUTES: Final = 10
# Longer than between two checks by any rhythm, also where its interval changes.
_LONGEST_GAP: Final = timedelta(hours=1)
_MOST: Final = 0.95


class RealNotices(RealSources):
    """The sources of a sitemap."""

    family = "notices"
    listed = "departments"
    list_key = SITEMAP.as_posix()
    entries = NOTICE_ENTRIES
    resources = NOTICES

    def advance(self, tick: int, at: datetime) -> int:  # noqa: ARG002
        """Return the number of sources whose interval begins in this tick, counted from 1970."""
        minute = int(at.timestamp()) // 60
        intervals = (source.interval_minutes for source in self.entered)
        return sum(minute % interval < _TICK_MINUTES for interval in intervals)


class CampusSimulation(RealNotices):
    """The bundled campus, with a journal of its own.

    A machine with more to do than it can, this process included, does not read some healthy page in
    time. The application is not at fault, and what only that page showed is not expected.
    """

    def __init__(self, world: World) -> None:
        self._checks = self._overlooked = 0
        # A repeated tick would make a source fail more often in a row than in the script. The
        # product would then pause it for some real time, and the ticks in between would be lost.
        self._campus = Campus(
            world.seed,
            port=world.port,
            opened=world.opened,
            ticks_a_day=world.ticks_a_day,
            undisturbed=world.repeated,
        )
        # Functions may find jobs of a killed run: the site must not be empty then.
        self._campus.advance(world.tick)
        super().__init__(json.dumps(self._campus.sitemap(), ensure_ascii=False).encode())
        self.site = self._campus
        self.addresses = (f"campus site: http://{self._campus.host}/",)

    def advance(self, tick: int, at: datetime) -> int:
        """Move the campus; return the number of its sources that are due."""
        self._campus.advance(tick)
        return super().advance(tick, at)

    def observe(self, event: Mapping[str, Any]) -> None:
        """Overlook a healthy page that was not read in time."""
        self._checks += event["event"] == "checked"
        if is_late(event) and self._campus.overlook(event["source"]):
            self._overlooked += 1

    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """Compare the published data and the pushes with the campus's journal."""
        departments = self.read(published)
        verdict = judge_campus(self._campus.expected(), departments, deliveries, ended)
        verdict.wrong += [f"campus site: {failure!r}" for failure in self._campus.failures]
        verdict.overlook(self._overlooked, self._checks)
        return verdict


class RhythmSimulation(SimulatedDays):
    """The campus in office hours, checked by a rhythm, on its own clock."""

    family = "notices"
    listed = "departments"
    list_key = SITEMAP.as_posix()
    opened = FIRST_STEP
    resources = NOTICES
    change = "changed"
    lines = RealNotices.lines

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._table = Timetable(world.rhythm)
        self._campus = working_campus(world.seed, lambda _: world.rhythm, port=world.port)
        entries = self._campus.sitemap()["sources"]
        self.sources = [(entry["id"], entry["name"]) for entry in entries]
        self.site = self._campus
        self.parameters = {"Rhythm": world.rhythm, "BusyHours": BUSY_HOURS}
        sitemap = json.dumps({"sources": entries}, ensure_ascii=False)
        self.objects = {SITEMAP.as_posix(): sitemap.encode()}
        self.injected = self.on_clock("NoticeWorker")
        self.addresses = (f"campus site: http://{self._campus.host}/",)
        # The real time at which each tick began, and its own.
        self._began: list[tuple[datetime, datetime]] = []
        self._asked_at = {entry["id"]: FIRST_STEP for entry in entries}
        self._gaps: dict[str, timedelta] = {}
        self._most_checks = 0

    def time_of(self, tick: int, period: timedelta) -> datetime:  # noqa: ARG002
        """See `Simulation.time_of`: the schedules' ticks."""
        return time_of(self._table.step(tick))

    def advance(self, tick: int, at: datetime) -> int:
        """Move the clock and the campus; the functions alone know what is due."""
        self.clock.move(at)
        self._campus.advance(self._table.step(tick))
        self._began.append((datetime.now(UTC), at))
        return 0

    def inspect(self, at: datetime, published: Published) -> None:  # noqa: ARG002
        """Note which boards were asked in this tick."""
        asked = self._campus.asked or set()
        self._most_checks = max(self._most_checks, len(asked))
        for source, last in self._asked_at.items():
            self._gaps[source] = max(self._gaps.get(source, at - last), at - last)
        self._asked_at |= dict.fromkeys(asked, at)

    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """Compare data and pushes with the campus's journal; measure the delays of new notices."""
        departments = read_sources(published, self._asked_at)
        verdict = judge_campus(self._campus.expected(), departments, deliveries, ended)
        verdict.wrong += [f"campus site: {failure!r}" for failure in self._campus.failures]
        verdict.wrong += [
            f"{source}: not asked for {gap // timedelta(minutes=1)} minutes"
            for source, gap in self._gaps.items()
            if gap > _LONGEST_GAP
        ]
        verdict.figures |= {
            "until": self.clock().isoformat(),
            "most_checks_in_a_tick": self._most_checks,
            "delay_minutes": self._delays(deliveries),
        }
        return verdict

    def _delays(self, deliveries: Sequence[Delivery]) -> dict[str, float]:
        """Return mean and 95th percentile; empty without any new notice."""
        arrived = {push_of(each): each.at for each in reversed(deliveries)}
        delays = sorted(
            delay(self._campus.published(entry.department, entry.notice_id), self._tick_of(at))
            for entry in self._campus.journal
            if entry.kind == "new"
            and (at := arrived.get((entry.department, entry.notice_id, str(entry.revision))))
        )
        if not delays:
            return {}
        return {"mean": round(fmean(delays), 1), "p95": delays[ceil(_MOST * len(delays)) - 1]}

    def _tick_of(self, at: datetime) -> datetime:
        """Return the time of the tick that was under way at a real time."""
        return [time for began, time in self._began if began <= at][-1]
