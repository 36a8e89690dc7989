"""Departments and, where wanted, the weather: checked, and watched by the real monitor."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from fakes import ENTRY, Notice, VirtualClock, page_of
from fakes.worlds import NoticeWorld, WeatherWorld
from uring.errors import FetchFailed, Unavailable
from uring.functions.families import FAMILIES, folders_beside
from uring.watch.monitor import Monitor, WatchedFamily

if TYPE_CHECKING:
    from fakes.fetcher import Answer

DOWN = FetchFailed("timeout", "no answer from 10.0.0.7")
ENVIRONMENT = {
    "CONFIG_KEY": "config/sitemap.json",
    "METAR_MINUTES": "10",
    "TAF_MINUTES": "30",
    "WARNING_MINUTES": "5",
    "AIRPORTS": "RKSI,RKPC",
}


class Mail:
    """Alerts that were sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []
        self.refuses = False

    def send(self, subject: str, text: str) -> None:
        if self.refuses:
            raise Unavailable("no answer")
        self.sent.append((subject, text))

    @property
    def lines(self) -> list[str]:
        return [line for _, text in self.sent for line in text.splitlines()]


class Watched(NoticeWorld):
    """Departments, cs and ee unless others are named, each with a site of its own."""

    families: tuple[str, ...] = ("notices",)
    at_once = 1

    def __init__(self, *ids: str) -> None:
        super().__init__(VirtualClock(datetime(2026, 3, 2, 1, 5, tzinfo=UTC)))
        self.weather = WeatherWorld(self.clock, bucket=self.bucket)
        self.mail = Mail()
        self.ids = ids or ("cs", "ee")
        self.sites: dict[str, Answer] = dict.fromkeys(
            self.ids, page_of([Notice("2", "둘"), Notice("1", "하나 <&>")])
        )
        self.upload()
        self.environment = dict(ENVIRONMENT)
        self.monitored = [
            self._watched(family) for family in FAMILIES if family.name in self.families
        ]
        self.monitor = Monitor(
            self.monitored,
            self.bucket,
            self.mail,
            self.telemetry,
            clock=self.clock,
            at_once=self.at_once,
        )

    def _watched(self, family: Any) -> WatchedFamily:
        taken = folders_beside(family.name)
        return WatchedFamily(family, lambda: family.watched(self.environment, self.bucket, taken))

    def entry(self, source: str) -> dict[str, Any]:
        return {**ENTRY, "id": source, "name": f"{source} 학과"}

    def upload(self) -> None:
        document = {"sources": [self.entry(source) for source in self.ids]}
        self.bucket.plant("config/sitemap.json", json.dumps(document).encode())

    def tick(self, times: int = 1) -> None:
        """Check every department, then let ten minutes pass."""
        for _ in range(times):
            for source in self.ids:
                self.site = self.sites[source]
                self.check(**self.entry(source))
            self.clock.advance(600)

    def watch(self) -> dict[str, int]:
        """Run the monitor."""
        return self.monitor.run(lambda: 60)

    def index(self, family: str = "departments") -> dict[str, Any]:
        return {each["id"]: each for each in self.document("data/index.json")[family]}

    def written(self) -> dict[str, bytes]:
        """Run the monitor; return what it wrote."""
        before = {key: len(versions) for key, versions in self.bucket.versions.items()}
        self.watch()
        return {
            key: versions[-1].body
            for key, versions in self.bucket.versions.items()
            if len(versions) > before.get(key, 0)
        }


def interrupted(
    world: Watched,
    at: str,
    other: Callable[[], Any],
    patch: pytest.MonkeyPatch,
    *,
    calls: Sequence[str] = ("get", "put"),
) -> None:
    """Let another run happen just before the first of these calls for this key."""
    pending = [other]

    def before(call: Callable[..., Any]) -> Callable[..., Any]:
        def around(key: str, *rest: Any, **more: Any) -> Any:
            if key == at and pending:
                pending.pop()()
            return call(key, *rest, **more)

        return around

    for call in calls:
        patch.setattr(world.bucket, call, before(getattr(world.bucket, call)))
