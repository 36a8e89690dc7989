"""The document store in a run: a week of an office on a clock of its own."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from uring_local.environment import patched_environment
from uring_local.fcm.journal import Delivery
from uring_local.language.faults import parse_language_faults
from uring_local.language.server import LanguageStandIn
from uring_local.sites.office.clock import OfficeClock
from uring_local.sites.office.diary import Diary
from uring_local.sites.office.judge.edits import faults_of_edits
from uring_local.sites.office.judge.pages import faults_of_pages
from uring_local.sites.office.judge.tick import faults_of_tick
from uring_local.sites.office.judge.work import (
    faults_of_accounts,
    faults_of_calls,
    price,
    repeated,
)
from uring_local.sites.office.people import People
from uring_local.sites.office.post import Post
from uring_local.sites.office.script import PAGES, TICKS_A_DAY, is_janitors_tick
from uring_local.sites.office.snapshot import Snapshot, read
from uring_local.sites.office.week import Week
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import Simulation, World
from uring_local.sites.stage.verdict import Verdict
from uring_local.stack.application import Application, FamilyResources
from uring_local.words import counted

OPENED: Final = datetime(2026, 3, 2, tzinfo=UTC)
TICK: Final = timedelta(days=1) / TICKS_A_DAY
FAULTS: Final = "429:0.01,500:0.005,lost:0.005,invalid:0.08,invented:0.2"
"""The faults of the services; faults that delay the worker for a minute are rare."""

_MOST_FAULTS: Final = 20
# The store keeps accounts this long; after that the first are gone.
_ACCOUNTS_KEPT: Final = timedelta(days=8)
# Longer than any job of the office takes.
_AWAY_SECONDS: Final = 100
_OK, _NOT_FOUND = 200, 404
_SERVICES: Final = ("translate:", "bedrock:")


@dataclass(frozen=True)
class OfficeResources(FamilyResources):
    """The functions and the queue of documents; there are no pushes."""

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions of documents, and the function that reads files for them."""
        return "DocumentJanitor", "DocumentApi", "DocumentIntake", "DocumentWorker", "TextExtractor"

    @property
    def orchestrator(self) -> str:
        """The function that a schedule triggers: the janitor."""
        return "DocumentJanitor"

    @property
    def live(self) -> tuple[str, ...]:
        """The queue of jobs."""
        return ("DocumentQueue",)


class OfficeSimulation(Simulation):
    """An office with pages of agreements, on its own clock."""

    family = "documents"
    opened = OPENED
    is_resumable = True
    is_alone = True
    resources = OfficeResources(
        "Document",
        # As on Lambda, where each job has an invocation of its own.
        instances={"DocumentWorker": 4},
        ticks=TICK,
        visibility_seconds=_AWAY_SECONDS,
    )
    check = "job_done"
    change = ""
    has_latest = False
    lines: ClassVar[Mapping[str, str]] = {
        "job_done": "  done     {page} {operation}",
        "job_failed": "  refused  {page} {operation}: {reason}",
        "attachment_ignored": "  ignored  {key}",
        "swept": "  swept    {swept}: {bodies} bodies, {items} items, {refreshed} refreshed, "
        "{deleted} deleted",
    }

    def __init__(self, world: World) -> None:
        self._repeated = world.repeated
        self._diary = Diary(world.journal)
        self._clock = OfficeClock(OPENED, self._diary)
        self._language = LanguageStandIn(
            world.journal and _beside(world.journal),
            faults=parse_language_faults(FAULTS),
            seed=world.seed,
            most_faults_in_a_row=1,
        )
        self._week = Week(world.seed, self._diary)
        self._found = Snapshot({})
        self._patched = ExitStack()
        self._people: People | None = None
        self.sources = [(f"page-{number:02}", "agreements") for number in range(PAGES)]
        self.parameters = {"Documents": "ENABLED"}
        self.objects = {}
        self.injected = {
            name: {"clock": self._clock}
            for name in self.resources.functions
            if name.startswith("Document")
        }
        self.addresses = [f"Translate and Bedrock: {self._language.url}"]
        for tick in range(1, world.finished + 1):
            self._week.replay(tick)

    def __enter__(self) -> Self:
        self._language.start()
        self._patched.enter_context(patched_environment(self._language.environment))
        return self

    def __exit__(self, *_: object) -> None:
        self._patched.close()
        self._language.stop()
        self._diary.close()

    def session(self) -> Any:
        """Return a session whose objects have times on the office's clock."""
        return self._clock.session()

    def advance(self, tick: int, at: datetime) -> int:
        """Move the clock to a tick; return 0, as only people's requests are due."""
        if self._week.tick != tick:
            self._week.begin(tick)
        self._clock.move(tick, at)
        return 0

    def act(self, tick: int, application: Application) -> None:  # noqa: ARG002 - it was begun
        """Do the rest of the tick's actions."""
        post = Post(application)
        self._people = People(post, self._diary)
        self._week.act(self._people, post)

    def inspect(self, at: datetime, published: Published) -> None:
        """Read the jobs of the tick, and compare the whole store; note at most 20 faults."""
        tick = self._week.tick
        before, self._found = self._found, self._read(published)
        faults = [
            *self._faults_of_jobs(),
            *faults_of_tick(
                self._week.pages,
                self._week.of_tick,
                before,
                self._found,
                swept_at=at if is_janitors_tick(tick) else None,
                is_repeated=tick in self._repeated,
            ),
        ]
        for fault in islice(faults, _MOST_FAULTS):
            self._diary.complain(f"tick {tick}: {fault}")

    def judge(
        self,
        published: Published,
        deliveries: Sequence[Delivery],  # noqa: ARG002 - nothing is pushed
        ended: Collection[int],  # noqa: ARG002
    ) -> Verdict:
        """Compare the store with the week, and the services' journal with the accounts."""
        found, week, asked = self._read(published), self._week, self._language.asked
        verdict = Verdict(pushed=0, expected=0)
        verdict.wrong += self._diary.wrong
        verdict.wrong += faults_of_pages(week.pages, found)
        verdict.lost += faults_of_edits(week.edits, found, week.lives)
        verdict.doubled += faults_of_calls(asked)
        if self._clock() < OPENED + _ACCOUNTS_KEPT:
            verdict.wrong += faults_of_accounts(asked, found)
        verdict.wrong += [f"language stand-in: {each!r}" for each in self._language.failures]
        if again := repeated(asked):
            verdict.repeated["charged_again"] = again
        verdict.figures = {
            "until": self._clock().isoformat(timespec="minutes"),
            "actions": dict(sorted(week.actions.items())),
            "pages": len([page for page in week.pages.values() if page.attachments]),
            "texts": sum(len(page.entries) for page in week.pages.values()),
            "translations": sum(len(page.translations) for page in week.pages.values()),
            "issues": sum(len(page.issues) for page in week.pages.values()),
            "stale": sum(
                each.is_stale for page in week.pages.values() for each in page.issues.values()
            ),
            "edits": len(week.edits),
            "calls": dict(Counter(each.service for each in asked)),
            "faults": dict(sorted(Counter(each.answered for each in asked).items())),
            "dollars": round(sum(map(price, asked)) / 1_000_000, 4),
            "processes": self._diary.process,
        }
        return verdict

    def is_expected(self, failure: Mapping[str, Any]) -> bool:
        """Return whether a service's fault caused the failure."""
        return any(service in failure["reason"] for service in _SERVICES)

    def describe(self, event: Mapping[str, Any]) -> str | None:
        """Return a line about an event; empty for a refresh, which nobody asked for."""
        if event["event"] == "job_done" and event.get("operation") == "refresh":
            return ""
        return super().describe(event)

    def fields(self, event: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return an event's fields, and as ``swept`` the number of pages swept, in words."""
        swept = counted(event["pages"], "page") if event["event"] == "swept" else ""
        return {**super().fields(event), "swept": swept}

    def _read(self, published: Published) -> Snapshot:
        return read(published, self._week.pages, self._found.texts)

    def _faults_of_jobs(self) -> Iterator[str]:
        """Yield the jobs of this tick without the expected end; each is read through the API."""
        people, is_repeated = self._people, self._week.tick in self._repeated
        for id_, (action, end) in self._week.jobs.items():
            if people is None:
                return
            answer = people.job(action.page, id_)
            if answer.status == _NOT_FOUND and is_repeated:
                # The job ended before the kill, ten minutes ago, and has expired.
                continue
            if answer.status != _OK:
                yield f"{action}: {answer.status}: {answer.document}"
                continue
            error = (answer.document["error"] or {}).get("code")
            came = error if answer.document["state"] == "failed" else answer.document["state"]
            if came != end:
                yield f"{action}: {came}: {answer.document['error']}, expected {end}"


def _beside(journal: Path) -> Path:
    return journal.with_suffix(".language.jsonl")
