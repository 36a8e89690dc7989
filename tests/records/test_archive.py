"""The archive: each event exactly once, whole lines, in its own month (N8)."""

import json
from datetime import timedelta

import pytest
from fakes import FlakyBucket, MemoryBucket, VirtualClock

from uring.changes.retry import ATTEMPTS, Backoff
from uring.changes.state import event_id
from uring.errors import Contended, PreconditionFailed, Unavailable, WriteConflict
from uring.notices.item import fields
from uring.records import archive as subject
from uring.records import months
from uring.records.archive import Archive
from uring.records.model import Event

FOLDER = "data/cs/archive/"
MARCH = f"{FOLDER}202603.jsonl"


def event(number: int, *, at: str = "2026-03-02T01:00:00Z", title: str = "공지") -> Event:
    return Event(
        event_id=event_id("cs", str(number), 1, "h"),
        kind="new",
        detected_at=at,
        push=True,
        id=str(number),
        revision=1,
        hash="h",
        is_marked=False,
        first_seen=at,
        content={"title": title, "date": None, "category": "장학", "link": "https://x/"},
    )


def line(of: Event) -> bytes:
    return subject.line(of, fields)


def append(body: bytes, events: list[Event]) -> bytes:
    objects = MemoryBucket()
    if body:
        objects.plant(MARCH, body)
    add(objects, *events)
    stored = objects.get(MARCH)
    return stored.body if stored else b""


class TestAppend:
    def test_a_line_is_an_item_with_what_happened_when(self) -> None:
        text = line(event(1))
        assert text.endswith(b"}\n")
        assert text.count(b"\n") == 1
        assert json.loads(text) == {
            "event_id": event(1).event_id,
            "kind": "new",
            "detected_at": "2026-03-02T01:00:00Z",
            "push": True,
            "id": "1",
            "title": "공지",
            "date": None,
            "category": "장학",
            "link": "https://x/",
            "is_pinned": False,
            "revision": 1,
            "hash": "h",
            "first_seen": "2026-03-02T01:00:00Z",
        }

    def test_what_is_there_stays_byte_by_byte(self) -> None:
        before = append(b"", [event(1)])
        after = append(before, [event(2)])
        assert after == before + line(event(2))

    def test_appending_twice_is_appending_once(self) -> None:
        once = append(b"", [event(1), event(2)])
        assert append(once, [event(1), event(2)]) == once

    def test_only_what_is_missing_is_appended(self) -> None:
        before = append(b"", [event(1)])
        assert append(before, [event(1), event(2)]) == before + line(event(2))

    def test_nothing_to_append_touches_nothing_not_even_a_torn_line(self) -> None:
        assert append(b'{"torn', []) == b'{"torn'

    def test_a_torn_last_line_is_closed_and_never_joined(self) -> None:
        torn = line(event(1)).rstrip(b"\n")
        assert append(torn, [event(2)]) == torn + b"\n" + line(event(2))

    def test_a_title_that_spells_an_event_id_hides_nothing(self) -> None:
        """A hostile site may guess ids: they are hashes of what it publishes."""
        spelled = event(1, title=f'{{"event_id":"{event(2).event_id}"')
        after = append(b"", [spelled, event(2)])
        assert [json.loads(text)["id"] for text in after.splitlines()] == ["1", "2"]

    def test_a_title_with_line_breaks_is_one_line(self) -> None:
        text = append(b"", [event(1, title="a\nb\r\u2028c\u0085d")])
        assert text.count(b"\n") == 1
        assert json.loads(text)["title"] == "a\nb\r\u2028c\u0085d"


def add(objects: MemoryBucket, *events: Event, clock: VirtualClock | None = None) -> None:
    backoff = Backoff((clock or VirtualClock()).sleep)
    Archive(objects, backoff=backoff).add("cs", events, fields)


def march(count: int) -> list[Event]:
    """So many events, one a minute, whose lines have one length."""
    return [event(100 + n, at=f"2026-03-02T{n // 60:02}:{n % 60:02}:00Z") for n in range(count)]


def read(objects: MemoryBucket) -> list[Event]:
    """What a reader of the address gets who follows ``earlier``; fails where a line comes twice."""
    lines: list[dict[str, str]] = []
    body = objects.body(MARCH)
    while True:
        own = [json.loads(text) for text in body.splitlines()]
        lines = own + lines
        if "earlier" not in own[0]:
            break
        body = objects.body(FOLDER + own[0]["earlier"]["file"])
    assert len({each["event_id"] for each in lines}) == len(lines)
    return [event(int(each["id"]), at=each["detected_at"]) for each in lines]


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many lines fill a month here."""
    monkeypatch.setattr(months, "MONTH_BYTES", 10 * len(line(march(1)[0])))
    return 10


class TestAdd:
    def test_each_event_goes_to_the_month_in_which_it_was_detected(self) -> None:
        """Whatever the time is when the outbox is drained."""
        objects = MemoryBucket()
        april = event(2, at="2026-04-01T00:00:00Z")
        add(objects, event(1, at="2026-03-31T23:59:59Z"), april)
        assert objects.body(MARCH) == line(event(1, at="2026-03-31T23:59:59Z"))
        assert objects.body("data/cs/archive/202604.jsonl") == line(april)

    def test_readers_may_keep_it_for_five_minutes(self) -> None:
        objects = MemoryBucket()
        add(objects, event(1))
        (version,) = objects.versions[MARCH]
        assert version.cache_control == "public, max-age=300"
        assert version.content_type == "text/plain; charset=utf-8"

    def test_adding_again_writes_nothing(self) -> None:
        objects = MemoryBucket()
        add(objects, event(1))
        add(objects, event(1))
        assert objects.writes == 1

    @pytest.mark.parametrize(
        "error", [PreconditionFailed("412"), Contended("409"), Unavailable("503")], ids=str
    )
    @pytest.mark.parametrize("when", ["refused", "lost"])
    def test_a_write_in_doubt_is_looked_at_again(self, error: Exception, when: str) -> None:
        objects = FlakyBucket(**{when: [error]})
        add(objects, event(1), event(2))
        assert objects.body(MARCH) == line(event(1)) + line(event(2))

    def test_a_baseline_taken_anew_keeps_what_the_archive_holds(self) -> None:
        """An operator deleted the state; the month has lines already."""
        objects = MemoryBucket()
        baseline = event(1).model_copy(update={"kind": "baseline"})
        add(objects, event(2))
        add(objects, baseline)
        add(objects, baseline)
        assert objects.body(MARCH) == line(event(2)) + line(baseline)

    def test_another_writers_lines_survive(self) -> None:
        objects = MemoryBucket()
        add(objects, event(1))
        real = objects.get
        raced: list[str] = []

        def race(key: str) -> object:
            stored = real(key)
            if not raced:
                raced.append(key)
                add(objects, event(2))
            return stored

        objects.get = race  # type: ignore[method-assign,assignment]
        add(objects, event(3))
        assert objects.body(MARCH) == line(event(1)) + line(event(2)) + line(event(3))

    def test_a_full_month_begins_anew_and_names_what_came_before(self, full: int) -> None:
        objects = MemoryBucket()
        events = march(full + 1)
        add(objects, *events[:-1])
        before = objects.body(MARCH)
        add(objects, events[-1])
        link = json.loads(objects.body(MARCH).splitlines()[0])["earlier"]
        file = objects.body(f"{FOLDER}{link['file']}")
        assert before.startswith(file)
        assert read(objects) == events
        # Half of it stays for whoever reads the address alone.
        assert objects.body(MARCH).count(b"\n") == full // 2 + 1
        assert link["until"] == events[full - full // 2 - 1].detected_at

    def test_a_closed_file_never_changes_and_may_be_kept_for_ever(self, full: int) -> None:
        objects = MemoryBucket()
        for each in march(full * 3):
            add(objects, each)
        closed = [key for key in objects.versions if key != MARCH]
        assert [len(objects.versions[key]) for key in closed] == [1] * 5
        assert {objects.versions[key][0].cache_control for key in closed} == {
            "public, max-age=31536000, immutable"
        }
        assert read(objects) == march(full * 3)

    @pytest.mark.parametrize("late", range(12))
    def test_a_run_that_was_late_finds_its_lines_wherever_they_are(
        self, late: int, full: int
    ) -> None:
        """It stalled before its append; others wrote its lines, and filled the month twice."""
        objects, events = MemoryBucket(), march(full * 3)
        for each in events:
            add(objects, each)
        bodies = objects.bodies()
        add(objects, *events[late : late + 3])
        assert objects.bodies() == bodies

    def test_a_late_line_that_is_nowhere_is_appended(self, full: int) -> None:
        objects, events = MemoryBucket(), march(full * 3)
        for each in events[1:]:
            add(objects, each)
        add(objects, events[0])
        assert read(objects) == [*events[1:], events[0]]

    def test_events_of_one_second_in_two_files_are_found_again(self, full: int) -> None:
        objects = MemoryBucket()
        events = [event(number) for number in range(full * 2)]
        for each in events:
            add(objects, each)
        add(objects, *events)
        assert read(objects) == events

    def test_a_new_line_reads_no_earlier_file(self, full: int) -> None:
        """The millionth line costs the calls of the first in a month that is there."""
        objects, events = MemoryBucket(), march(full * 4 + 1)
        for each in events[:-1]:
            add(objects, each)
        reads, writes = objects.reads, objects.writes
        add(objects, events[-1])
        assert (objects.reads - reads, objects.writes - writes) in ((1, 1), (1, 2))
        assert len(objects.body(MARCH)) < months.MONTH_BYTES + 200

    @pytest.mark.parametrize("writes", [1, 2])
    @pytest.mark.parametrize("when", ["refused", "lost"])
    def test_whatever_write_of_a_full_month_is_in_doubt_each_line_is_there_once(
        self, when: str, writes: int, full: int
    ) -> None:
        events = march(full + 1)
        calm = MemoryBucket()
        add(calm, *events[:-1])
        objects = FlakyBucket(**{when: [Unavailable("503")] * writes})
        objects.plant(MARCH, calm.body(MARCH))
        add(objects, events[-1])
        assert read(objects) == events

    def test_a_death_between_its_two_writes_leaves_the_month_as_it_was(self, full: int) -> None:
        objects, events = MemoryBucket(), march(full + 1)
        add(objects, *events[:-1])
        put, body = objects.put, objects.body(MARCH)

        def die(key: str, *args: object, **kwargs: object) -> str:
            if key == MARCH:
                raise SystemExit
            return put(key, *args, **kwargs)  # type: ignore[arg-type]

        objects.put = die  # type: ignore[method-assign,assignment]
        with pytest.raises(SystemExit):
            add(objects, events[-1])
        assert (objects.body(MARCH), read(objects)) == (body, events[:-1])
        objects.put = put  # type: ignore[method-assign]
        add(objects, events[-1])
        assert read(objects) == events
        (file,) = objects.versions.keys() - {MARCH}
        assert len(objects.versions[file]) == 1, "it was there already"

    def test_what_a_release_before_left_goes_on(self, full: int) -> None:
        """One object for a whole month, however large it had become."""
        objects, events = MemoryBucket(), march(full * 9)
        objects.plant(MARCH, b"".join(line(each) for each in events[:-1]))
        add(objects, events[-1])
        assert read(objects) == events
        assert len(objects.body(MARCH)) < months.MONTH_BYTES

    def test_a_release_before_may_append_to_what_this_one_wrote(self, full: int) -> None:
        """It knows no links: it looks for ids in the object, and puts lines behind the last."""
        objects, events = MemoryBucket(), march(full * 2 + 2)
        for each in events[:-2]:
            add(objects, each)
        objects.plant(MARCH, objects.body(MARCH) + line(events[-2]))
        add(objects, events[-1])
        assert read(objects) == events

    def test_it_gives_up_after_bounded_attempts_with_growing_pauses(self) -> None:
        clock = VirtualClock()
        objects = FlakyBucket(refused=[Contended("409")] * 99)
        with pytest.raises(WriteConflict, match=r"202603\.jsonl.*the next run tries again"):
            add(objects, event(1), clock=clock)
        assert len(objects.refused) == 99 - ATTEMPTS
        assert len(clock.slept) == ATTEMPTS - 1
        assert timedelta(seconds=sum(clock.slept)) < timedelta(seconds=10)
