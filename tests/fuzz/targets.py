"""What is fuzzed: a reader, what it may be given, and the only errors it may answer with.

An input is a first line that names the reader, and the bytes that it gets.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random
from typing import Any, Final

import regulation_targets as regulations
import seed_targets as seeds
import weather_targets as weather
from fakes import ENTRY, Notice, VirtualClock, response
from fakes.worlds import NoticeWorld
from mutators import Mutator, damaged_json, damaged_markup, repeated, several

from uring.changes.state import event_id
from uring.contracts import ChangePublished, Job
from uring.errors import CorruptState, MalformedMessage, NewerRelease, SuspectPage, UringError
from uring.fetch.request import STRICT
from uring.fetch.robots import ask
from uring.notices.page import ID_LIMIT, read_page
from uring.notices.source import Source
from uring.push.payload import compose
from uring.records.apply import KNOWN_BEYOND_PAGE
from uring.sources.site import text_of
from uring.weather.gateway.errors import GatewayError
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.product import Product

_FIXTURES: Final = Path(__file__).parents[1] / "fixtures"
_CONTENT_TYPES: Final = ("", "text/html", "text/html; charset=utf-8", "text/html; charset=EUC-KR")
_STATE: Final = "state/notices/cs.json"
_SEEN: Final = "state/notices/cs.seen.json"
_LATEST: Final = "data/cs/latest.json"


class WrongAnswerError(Exception):
    """The reader took an input and made something of it that it promises never to make."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One reader of a target.

    Attributes:
        samples: good inputs.
        read: takes the bytes; returns when it took them, raises ``refuses`` when it did not.
    """

    samples: Sequence[bytes]
    read: Callable[[bytes], None]
    refuses: tuple[type[UringError], ...]


@dataclass(frozen=True, slots=True)
class Target:
    """Readers that are fuzzed together; what takes more CPU than ``slow_seconds`` is a finding."""

    readers: Mapping[str, Reader]
    mutator: Mutator
    slow_seconds: float = 5.0

    def make(self, chance: Random) -> bytes:
        """An input; the same for the same state of ``chance``."""
        name = chance.choice([*self.readers])
        samples = self.readers[name].samples
        sample = chance.choice(samples)
        if self.mutator is repeated:
            return name.encode() + b"\n" + repeated(chance, sample, samples)
        return name.encode() + b"\n" + several(self.mutator, chance, sample, samples)

    def try_(self, given: bytes) -> str:
        """``accepted``, or the name of the error that refused it; anything else is raised."""
        name, _, body = given.partition(b"\n")
        reader = self.readers[name.decode()]
        try:
            reader.read(body)
        except reader.refuses as refusal:
            return getattr(refusal, "reason", "") or type(refusal).__name__
        return "accepted"


def targets() -> dict[str, Target]:
    """By name: ``page``, ``answer``, ``cpu``, ``state``, ``weather``, ``queue`` and the rest."""
    answers = weather.answers()
    return {
        "page": Target(_pages(), damaged_markup),
        "answer": Target(_answers(answers), damaged_markup),
        "cpu": Target(_costly(answers), repeated, slow_seconds=1.0),
        "state": Target(_states(), damaged_json),
        "weather": Target(_weather(answers), damaged_json),
        "queue": Target(_messages(), damaged_json),
        "registry": Target(_registry(), damaged_markup),
        "rules": Target({"rules": _rules_state()}, damaged_json),
        "domain": Target(_domain(), damaged_markup),
    }


def _domain() -> dict[str, Reader]:
    refuses = (SuspectPage,)
    return {
        "robots": Reader([seeds.ROBOTS, seeds.ROBOTS, seeds.PAGE], seeds.read_rules, refuses),
        "sitemap": Reader([*seeds.SITEMAPS, *seeds.PACKED, seeds.PAGE], seeds.read_file, refuses),
        "homepage": Reader([seeds.PAGE], seeds.read_page, refuses),
        "site": Reader([seeds.URLSET, *seeds.SITEMAPS, seeds.ROBOTS], seeds.collect_site, refuses),
    }


def _registry() -> dict[str, Reader]:
    return {
        "list": Reader(regulations.pages(), regulations.read_page, (SuspectPage,)),
        "text": Reader(
            [regulations.TEXT.encode(), regulations.OTHER.encode()], regulations.read_text, ()
        ),
    }


def _rules_state() -> Reader:
    refuses = (CorruptState, NewerRelease)
    return Reader(regulations.states(), regulations.check_state(), refuses)


def _costly(answers: Mapping[Product, Sequence[bytes]]) -> dict[str, Reader]:
    """All that reads what strangers write, one address or entry each."""
    pages = {name: reader for name, reader in _pages().items() if name.endswith(".0")}
    sitemap = b"User-agent: *\nDisallow: /admin\nDisallow: /*?page=\nCrawl-delay: 5\n"
    robots = Reader([sitemap], _robots, ())
    domain = {f"domain {name}": reader for name, reader in _domain().items() if name != "site"}
    return {**pages, **_answers(answers), **domain, "robots": robots}


def _robots(body: bytes) -> None:
    answer = replace(response(""), body=body)
    urls = ("https://x.example/" + "a" * 2_000, "https://x.example/?page=2" + "ab" * 1_000)
    now = datetime(2026, 3, 2, tzinfo=UTC)
    ask(lambda _: answer, "x", urls, now, timeout_seconds=10, tls=STRICT)


def _answers(answers: Mapping[Product, Sequence[bytes]]) -> dict[str, Reader]:
    refuses = (GatewayError, ReportRefused)
    # The readers are asked for one airport's reports: those that the airfield gave for it.
    one = {name: bodies[:: len(weather.AIRPORTS)] for name, bodies in answers.items()}
    return {
        "metar": Reader(one["metar"], weather.read_metar, refuses),
        "taf": Reader(one["taf"], weather.read_taf, refuses),
        "warnings": Reader(answers["warning"], weather.read_list, refuses),
    }


def _weather(answers: Mapping[Product, Sequence[bytes]]) -> dict[str, Reader]:
    return {
        runs.product: Reader(
            [body],
            weather.check_state(runs.product, answers[runs.product]),
            (CorruptState, NewerRelease),
        )
        for runs, body in weather.states(answers)
    }


def _pages() -> dict[str, Reader]:
    folders = sorted(path.parent for path in _FIXTURES.glob("*/entry.json"))
    bodies = {folder.name: next(folder.glob("input.*")).read_bytes() for folder in folders}
    readers = {}
    for folder in folders:
        expected = json.loads((folder / "expected.json").read_bytes())
        source = Source.model_validate_json((folder / "entry.json").read_bytes())
        # The board's own page as often as all others together.
        samples = [bodies[folder.name]] * len(bodies) + [*bodies.values()]
        today = date.fromisoformat(expected["today"])
        for number, content_type in enumerate(_CONTENT_TYPES):
            read = _page_reader(source, expected["url"], today, content_type)
            readers[f"{folder.name}.{number}"] = Reader(samples, read, (SuspectPage,))
    return readers


def _page_reader(
    source: Source, url: str, today: date, content_type: str
) -> Callable[[bytes], None]:
    def read(body: bytes) -> None:
        text = text_of(source, body, content_type or None)
        for item in read_page(source, text, url, today).items:
            content = {"title": item.title, "date": item.date, "link": item.link}
            change = ChangePublished(
                event_id=event_id(source.id, item.id, 1, item.hash),
                family="notices",
                source=source.id,
                topic=source.topic,
                kind="new",
                id=item.id,
                revision=1,
                detected_at="2026-03-02T01:00:00Z",
                content={**content, "category": item.category},
            )
            if ChangePublished.parse(change.body()) != change:
                raise WrongAnswerError(f"{item.id!r} does not survive the queue")
            if not (0 < len(item.id) <= ID_LIMIT and item.title):
                raise WrongAnswerError(f"{item!r} is no notice")

    return read


class _Department(NoticeWorld):
    """A department that is checked every ten minutes."""

    def __init__(self) -> None:
        super().__init__()
        self.show(*(Notice(str(number), f"글 {number}") for number in range(5, 0, -1)))

    def run(self) -> None:
        self.check()
        self.clock.advance(minutes=10)

    def change(self) -> None:
        """One returns from the memory, one is edited, one is new."""
        self.show(Notice("9", "더 새"), Notice("8", "고침"), Notice("1", "글 1"))

    def written(self) -> dict[str, Any]:
        """Return the state; an input is the same in every hunt, a writer never."""
        return dict(self.document(_STATE)) | {"writer": "w"}


def _grown() -> _Department:
    """Return a department with a full memory."""
    world = _Department()
    world.run()
    world.show(Notice("8", "새 글"), Notice("7", "새 글", is_pinned=True))
    world.run()
    # Beyond what a state holds, so that each check has a memory to write.
    state = world.written()
    stamp = "2026-01-01T00:00:00Z"
    many = {f"old-{n}": ["h", 1, False, stamp, stamp] for n in range(KNOWN_BEYOND_PAGE)}
    state["known"] |= many
    state["spilled"] = True
    world.bucket.plant(_STATE, json.dumps(state).encode())
    world.bucket.plant(_SEEN, json.dumps(dict([*many.items()][:5])).encode())
    return world


def _states() -> dict[str, Reader]:
    grown = _grown().bucket
    plain = _Department()
    plain.run()
    state = plain.written()
    line = state["hot"][0]
    event = {
        **line,
        "event_id": event_id("cs", line["id"], 1, line["hash"]),
        "kind": "new",
        "detected_at": state["changed_at"],
        "push": True,
    }
    pending = json.dumps(state | {"outbox": [event]}).encode()
    samples = [json.dumps(state).encode(), pending, pending, grown.body(_STATE)]
    bodies = grown.bodies()

    def read(key: str) -> Callable[[bytes], None]:
        return lambda body: _check_with(bodies, key, body)

    return {
        "state": Reader(samples, read(_STATE), (CorruptState, NewerRelease)),
        "state again": Reader(samples, read(_STATE), (CorruptState, NewerRelease)),
        "seen": Reader([grown.body(_SEEN)], read(_SEEN), (CorruptState, NewerRelease)),
        "latest": Reader([grown.body(_LATEST)], read(_LATEST), ()),
    }


def _check_with(bodies: Mapping[str, bytes], key: str, given: bytes) -> None:
    """Two checks with a change between find this object; what they write can be read again."""
    world = _Department()
    for each, body in bodies.items():
        world.bucket.plant(each, given if each == key else body)
    world.change()
    try:
        world.run()
    except (CorruptState, NewerRelease):
        if world.bucket.bodies() != {**bodies, key: given}:
            raise WrongAnswerError("a state that is refused was written to") from None
        raise
    world.run()
    state = world.state
    if state.outbox or not {"9", "8", "1"} <= state.known.keys():
        raise WrongAnswerError("the check did not do its work")


def _messages() -> dict[str, Reader]:
    clock = VirtualClock()

    def job(entry: Mapping[str, Any]) -> bytes:
        made = Job(
            family="notices",
            source=entry["id"],
            scheduled_at=clock(),
            interval_minutes=10,
            entry=dict(entry),
        )
        return made.body().encode()

    entries = [
        job(json.loads(path.read_bytes())) for path in sorted(_FIXTURES.glob("*/entry.json"))
    ]
    change = ChangePublished(
        event_id="e" * 40,
        family="notices",
        source="cs",
        topic="cs",
        kind="new",
        id="1",
        revision=1,
        detected_at="2026-03-02T01:00:00Z",
        content={
            "title": "수강신청 안내 " * 30,
            "date": None,
            "category": "학사",
            "link": "https://x/",
            "is_pinned": "false",
        },
    )
    long_ = change.model_copy(update={"content": {**change.content, "title": "공지" * 1500}})
    return {
        "work": Reader([job(ENTRY), *entries], _collect, (MalformedMessage, NewerRelease)),
        "notify": Reader(
            [change.body().encode(), long_.body().encode()],
            _compose,
            (MalformedMessage, NewerRelease),
        ),
    }


def _collect(body: bytes) -> None:
    job = Job.parse(body.decode("utf-8", "surrogateescape"))
    world = _Department()
    if len(job.job_id) > 0:
        world.checker.check(job)


def _compose(body: bytes) -> None:
    change = ChangePublished.parse(body.decode("utf-8", "surrogateescape"))
    push = compose(change)
    if not all(isinstance(value, str) for value in push.data.values()):
        raise WrongAnswerError("a value of the push is no text")
    if ChangePublished.parse(change.body()) != change or not change.ledger_key:
        raise WrongAnswerError("the message does not survive a second journey")
