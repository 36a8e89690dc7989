"""What operators fear: every selector breaks at once, and every page is read anew at once."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from fakes import RecordingTelemetry
from weather import SUCCESSOR, Replay

from uring.notices.registration import NoticesRegistration
from uring.sources import entry
from uring.sources.config import validated
from uring.watch.monitor import Monitor, WatchedFamily

# The tick after is a calm one: what a board changes in the very tick of a re-parse is taken for the
# reader's doing, in silence.
_BEFORE = 3
_BROKEN = 6
_AFTER = 4


@dataclass
class Mail:
    """Alerts that were sent."""

    sent: list[str] = field(default_factory=list)

    def send(self, subject: str, text: str) -> None:
        self.sent.append(f"{subject}\n{text}")


@dataclass(frozen=True)
class Story:
    """What came of it.

    Attributes:
        outcomes: of all checks, a counter for each tick.
        false: pushes without reason.
        missed: changes that were not pushed.
        differences: where archive or hot is not what the judge expects in the end.
        mails: alerts, in order.
    """

    outcomes: list[Counter[str]]
    false: list[str]
    missed: list[str]
    differences: list[str]
    mails: list[str]


def redesign(seed: int) -> Story:
    """All boards get another software; an hour later the entries follow."""

    def break_all(replay: Replay) -> None:
        for department in replay.campus.departments:
            style = SUCCESSOR[department.style]
            replay.campus.redesign(department.id, style, ticks=_BROKEN)

    return _story(seed, break_all)


def reparse(seed: int) -> Story:
    """The same entries read the same pages by other rules: a new version of the reader."""
    version = entry.READER_VERSION

    def read_anew(_: Replay) -> None:
        entry.READER_VERSION = version + 1
        validated.cache_clear()

    try:
        return _story(seed, read_anew)
    finally:
        entry.READER_VERSION = version
        validated.cache_clear()


def _story(seed: int, happens: Callable[[Replay], None]) -> Story:
    replay = Replay(seed, mischief=False)
    mail = Mail()
    notices, environment = NoticesRegistration(), {"CONFIG_KEY": "config/sitemap.json"}
    monitor = Monitor(
        [WatchedFamily(notices, lambda: notices.watched(environment, replay.objects, {}))],
        replay.objects,
        mail,
        RecordingTelemetry(),
        clock=replay.clock,
    )
    outcomes = []
    for tick in range(1, _BEFORE + _BROKEN + _AFTER + 1):
        if tick == _BEFORE + 1:
            replay.tick(tick, partial(happens, replay))
        else:
            replay.tick(tick)
        outcomes.append(Counter(check.outcome for check in replay.checks.values()))
        replay.upload()
        monitor.run(lambda: 60)
    replay.campus.stop()
    lines = replay.lines.values()
    return Story(
        outcomes,
        [text for line in lines for text in line.false],
        [text for line in lines for text in line.missed],
        replay.differences(),
        mail.sent,
    )
