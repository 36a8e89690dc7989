"""Departments whose jobs carry hints: the real orchestrator, worker and monitor over one bucket."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from fakes import ENTRY, MemoryBucket, Notice, VirtualClock, page_of, response
from fakes.worlds import NoticeWorld

from uring.changes.hint import Hints, hints_key
from uring.changes.hinting import CurrentHints
from uring.changes.jobs import Hinting, Orchestrator, Planned, Ticks
from uring.contracts import Job
from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.functions.families import FAMILIES, folders_beside
from uring.notices.visit import NoticeVisitor
from uring.objects import Listed, Stored
from uring.watch.monitor import Monitor, WatchedFamily

TICK = timedelta(minutes=10)
BEGIN = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
HINTS = hints_key("notices")
STATE = "state/notices/cs.json"
ONE = Notice("1", "하나")
TWO = Notice("2", "둘")
THREE = Notice("3", "셋")

Answer = Response | FetchFailed


class Counted:
    """A bucket as one function sees it: its calls are counted by kind."""

    def __init__(self, inner: MemoryBucket) -> None:
        self.inner = inner
        self.calls = Counter[str]()

    def get(self, key: str) -> Stored | None:
        self.calls["get"] += 1
        return self.inner.get(key)

    def put(self, key: str, body: bytes, **more: Any) -> str:
        self.calls["put"] += 1
        return self.inner.put(key, body, **more)

    def write(self, key: str, *more: Any) -> None:
        self.calls["write"] += 1
        self.inner.write(key, *more)

    def past(self, key: str) -> Iterator[bytes]:
        self.calls["past"] += 1
        return self.inner.past(key)

    def list(self, prefix: str, after: str = "") -> Iterator[Listed]:
        self.calls["list"] += 1
        return self.inner.list(prefix, after)


class Sites:
    """The departments' sites: what each shows, and what happens while it is asked.

    Attributes:
        shown: by address.
        robots: what every robots.txt says.
        asked: the requests, in order.
        meanwhile: called once behind the next request for a board, before its answer arrives.
        conditional: whether a page that is the same by its ETag is answered with 304.
    """

    def __init__(self) -> None:
        self.shown: dict[str, Answer] = {}
        self.robots = "User-agent: *\nDisallow: /private/"
        self.asked: list[Request] = []
        self.meanwhile: list[Callable[[], Any]] = []
        self.conditional = True

    def fetch(self, request: Request) -> Response:
        self.asked.append(request)
        if request.url.endswith("/robots.txt"):
            return replace(response(self.robots), content_type="text/plain", url=request.url)
        answer = self.shown[request.url]
        if self.meanwhile:
            self.meanwhile.pop()()
        if isinstance(answer, FetchFailed):
            raise answer.with_traceback(None)
        is_same = answer.etag is not None and request.etag == answer.etag
        if self.conditional and is_same:
            return replace(answer, status=304, body=b"")
        return answer


class HintedWorld(NoticeWorld):
    """Departments, cs alone unless others are named, whose site obeys no robots.txt by default."""

    def __init__(self, *ids: str, **entry: Any) -> None:
        self.sites = Sites()
        self.ids = ids or ("cs",)
        self.keys = entry
        self.seen_by: dict[str, Counted] = {}
        super().__init__(
            VirtualClock(BEGIN - TICK),
            visitor=NoticeVisitor(self.sites, monotonic=lambda: self.clock().timestamp()),
            objects=lambda bucket: self._counted("worker", bucket),
        )
        self.alerts: list[str] = []
        self.listing = self._counted("orchestrator", self.bucket)
        self.hints: Hinting = CurrentHints(self.listing, "notices")
        self.orchestrator = Orchestrator(
            "notices",
            self._plan,
            self.work_queue,
            self.telemetry,
            ticks=Ticks(10),
            hints=self._current_hints,
        )
        self.monitor = Monitor(
            [
                WatchedFamily(family, self._watched(family))
                for family in FAMILIES
                if family.name == "notices"
            ],
            self._counted("monitor", self.bucket),
            self,
            self.telemetry,
            clock=self.clock,
        )
        for source in self.ids:
            self.show(TWO, ONE, source=source)

    def entry_of(self, source: str) -> dict[str, Any]:
        return {**ENTRY, "id": source, "url": self.url(source), **self.keys}

    def url(self, source: str = "cs") -> str:
        return f"https://{source}.example.ac.kr/board/notice"

    def show(
        self,
        *notices: Notice,
        decoration: str = "",
        source: str = "cs",
        etag: str | None = None,
    ) -> None:
        page = response(page_of(notices, decoration=decoration), url=self.url(source), etag=etag)
        self.sites.shown[self.url(source)] = page

    def send(self, subject: str, text: str) -> None:
        """Implement `Alerts`."""
        del subject
        self.alerts += text.splitlines()

    def watch(self) -> dict[str, int]:
        document = {"sources": [self.entry_of(source) for source in self.ids]}
        self.bucket.plant("config/sitemap.json", json.dumps(document).encode())
        return self.monitor.run(lambda: 60)

    def dispatch(self) -> None:
        """Let the next tick come: its jobs wait in the queue."""
        passed = (self.clock() - BEGIN) // TICK + 1
        self.clock.now = BEGIN + passed * TICK
        self.orchestrator.tick(self.clock())

    def run(self) -> list[dict[str, Any]]:
        """Run what waits in the queue; return the lines of its checks."""
        before = len(self.telemetry.named("checked"))
        while self.work.messages:
            # A second behind the tick, as Lambda is.
            self.clock.advance(1)
            if not self.poll_some():
                break
        return self.telemetry.named("checked")[before:]

    def poll_some(self) -> bool:
        before = len(self.work.messages)
        self.poll()
        return len(self.work.messages) < before

    def tick(self) -> list[dict[str, Any]]:
        """Let the monitor run, then the next tick and its checks."""
        self.watch()
        self.dispatch()
        return self.run()

    def begin(self) -> None:
        """Take the baseline, and let the monitor see it."""
        self.tick()
        self.watch()
        self.forget()

    def forget(self) -> None:
        """Count anew."""
        self.sites.asked.clear()
        self.telemetry.counts.clear()
        for seen in self.seen_by.values():
            seen.calls.clear()

    @property
    def hinted(self) -> int:
        """How many checks read no state."""
        return self.telemetry.counts["ChecksHinted"]

    def waiting(self) -> list[Job]:
        """Return the jobs in the queue."""
        return [Job.parse(message.body) for message in self.work.messages]

    def stored_hints(self) -> Hints:
        hints = Hints.read(self.bucket.body(HINTS))
        assert hints is not None
        return hints

    def _current_hints(self) -> Mapping[str, dict[str, Any]]:
        return self.hints()

    def _counted(self, who: str, bucket: MemoryBucket) -> Counted:
        return self.seen_by.setdefault(who, Counted(bucket))

    def _plan(self) -> list[Planned]:
        return [
            Planned(source, self.keys.get("interval_minutes", 10), self.entry_of(source))
            for source in self.ids
        ]

    def _watched(self, family: Any) -> Callable[[], Any]:
        taken = folders_beside(family.name)
        environment = {"CONFIG_KEY": "config/sitemap.json"}
        return lambda: family.watched(environment, self.bucket, taken)
