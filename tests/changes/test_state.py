"""The stored state: whole or refused, shared by releases, never overwritten by a guess."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from uring.changes.health import reset
from uring.changes.state import Health, SourceState, event_id
from uring.errors import CorruptState, NewerRelease
from uring.fetch.request import Validators
from uring.fetch.robots import RobotsDecision
from uring.notices.state import NoticeState
from uring.records.model import Event, Known, Revision
from uring.weather.state import WeatherOutboxEvent, WeatherState

KEY = "state/notices/cs.json"
STAMP = "2026-03-02T01:00:00Z"


def state() -> NoticeState:
    item = Revision(
        id="1", revision=1, hash="h", is_marked=False, first_seen=STAMP, content={"title": "공지"}
    )
    event = Event(
        **item.model_dump(),
        event_id=event_id("cs", "1", 1, "h"),
        kind="new",
        detected_at=STAMP,
        push=True,
    )
    return NoticeState(
        source="cs",
        seq=7,
        writer="w",
        baseline_at=STAMP,
        changed_at=STAMP,
        known={"1": Known("h", 1, False, STAMP, STAMP)},
        spilled=True,
        hot=(item,),
        outbox=(event,),
        validators=Validators(etag='"e"', last_modified="Mon, 02 Mar 2026 01:00:00 GMT"),
        fingerprint="f:0",
        reading="r",
        reread_at=STAMP,
        permission=RobotsDecision(entry="f", allowed=True, paging=False, asked_at=STAMP),
        health=Health(status="failed", reason="timeout", since=STAMP),
    )


def test_what_is_stored_is_read_again() -> None:
    assert NoticeState.from_json(state().to_json(), key=KEY, source="cs") == state()


LATER = (
    "republish",
    "reading",
    "reread_at",
    "moved_at",
    "history",
    "rewritten",
    "rows",
    "permission",
    "board",
    "listed",
    "page",
    "past",
    "streaks",
    "noise",
    "came",
    "doubt",
    "decision",
    "charset",
    "slowness",
)
FIRST = [name for name in json.loads(state().to_json()) if name not in LATER]


def test_a_state_of_an_earlier_version_is_read() -> None:
    document = json.loads(state().to_json())
    for name in LATER:
        del document[name]
    document["health"] = {"status": "ok", "reason": "", "since": STAMP}
    found = NoticeState.from_json(json.dumps(document).encode(), key=KEY, source="cs")
    assert (found.known, found.reading, found.republish) == (state().known, "", False)


@pytest.mark.parametrize("name", FIRST)
def test_a_stored_state_has_every_key(name: str) -> None:
    """A default would take an object that lost its keys for a source never seen."""
    document = json.loads(state().to_json())
    del document[name]
    with pytest.raises(CorruptState, match=r"restore an earlier version"):
        NoticeState.from_json(json.dumps(document).encode(), key=KEY, source="cs")


def test_the_stored_form() -> None:
    """Other versions of this program, and people, read it."""
    document = json.loads(state().to_json())
    assert list(document) == [
        "schema",
        "source",
        "seq",
        "writer",
        "outbox",
        "health",
        "baseline_at",
        "changed_at",
        "known",
        "spilled",
        "hot",
        *LATER[:6],
        "validators",
        "fingerprint",
        *LATER[6:],
    ]
    (item,), (event,) = document["hot"], document["outbox"]
    assert item.keys() == {"id", "revision", "hash", "is_pinned", "first_seen", "content"}
    more = {"event_id", "kind", "detected_at", "push", "digest_of", "renamed_from"}
    assert event.keys() == item.keys() | more
    assert document["schema"] == 1
    assert document["known"] == {"1": ["h", 1, False, STAMP, STAMP]}


def changed(**fields: Any) -> bytes:
    return json.dumps(json.loads(state().to_json()) | fields).encode()


CORRUPT: dict[str, tuple[bytes, str]] = {
    "truncated": (state().to_json()[:-20], "the object"),
    "empty": (b"", "the object"),
    "no text": (b"\xff\xfe\x00", "the object"),
    "a list": (b"[]", "the object"),
    "no schema": (changed(schema=0), "schema"),
    "no health": (changed(health=None), "health"),
    "a negative seq": (changed(seq=-1), "seq"),
    "a bad time": (changed(baseline_at="yesterday"), "baseline_at"),
    "a short record": (changed(known={"1": ["h", 1]}), r"known\.1"),
    "a long record": (changed(known={"1": ["h", 1, False, STAMP, STAMP, 0]}), r"known\.1"),
    "a revision 0": (changed(hot=[{**json.loads(changed())["hot"][0], "revision": 0}]), r"hot\.0"),
    "an event without a kind": (
        changed(outbox=[{**json.loads(changed())["outbox"][0], "kind": None}]),
        r"outbox\.0\.kind",
    ),
    "nested for ever": (b'{"known":' + b"[" * 100_000, "the object"),
}


@pytest.mark.parametrize("case", CORRUPT)
def test_what_is_no_state_is_refused_with_the_place_and_the_remedy(case: str) -> None:
    body, place = CORRUPT[case]
    with pytest.raises(
        CorruptState, match=rf"^{KEY}: {place}.*: .*restore an earlier version of the object"
    ):
        NoticeState.from_json(body, key=KEY, source="cs")


def weather() -> WeatherState:
    event = WeatherOutboxEvent(
        event_id="e" * 40, kind="speci", id="1", detected_at=STAMP, topic="RKSI", content={}
    )
    report = {"header": {"observation_time": STAMP, "of_a_later_release": 1}, "raw": None}
    return WeatherState(
        source="metar",
        fetched_at=STAMP,
        airports={"RKSI": report},
        is_shown=False,
        outbox=(event,),
        health=Health(since=STAMP),
    )


@pytest.mark.parametrize("stored", [state(), weather()], ids=lambda stored: stored.source)
class TestReleases:
    """Stored states outlive a release in both directions."""

    def test_keys_of_another_release_are_kept_and_written_back(self, stored: SourceState) -> None:
        document = json.loads(stored.to_json())
        names = ("health", "validators", "permission")
        parts = [document, *(document[name] for name in names if name in document)]
        parts += [*document["outbox"], *document.get("hot", ())]
        for part in parts:
            part["later"] = {"any": ["thing"]}
        body = json.dumps(document).encode()
        read = type(stored).from_json(body, key=KEY, source=stored.source)
        health = reset(read.health, datetime(2026, 3, 3, tzinfo=UTC))
        written = json.loads(read.replace(seq=8, health=health).to_json())
        assert written["health"].pop("later") == {"any": ["thing"]}
        assert written | {"seq": 0, "health": 0} == document | {"seq": 0, "health": 0}

    @pytest.mark.parametrize("more", [{}, {"health": 3}, {"outbox": {"1": []}}], ids=str)
    def test_a_newer_schema_waits_for_its_release(
        self, stored: SourceState, more: dict[str, Any]
    ) -> None:
        """Whether this one could read it or not."""
        body = json.dumps(json.loads(stored.to_json()) | {"schema": 2} | more).encode()
        with pytest.raises(
            NewerRelease, match=rf"^{KEY}: schema 2, .*deploy the newer release again"
        ):
            type(stored).from_json(body, key=KEY, source=stored.source)


def test_the_state_of_another_source_is_refused() -> None:
    with pytest.raises(CorruptState, match=rf"^{KEY}: source: is 'cs', expected 'ee'; restore"):
        NoticeState.from_json(state().to_json(), key=KEY, source="ee")


def test_the_message_never_shows_what_is_stored() -> None:
    with pytest.raises(CorruptState) as caught:
        NoticeState.from_json(changed(seq="s3cret"), key=KEY, source="cs")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: setattr(s, "seq", 8),
        lambda s: setattr(s.hot[0], "revision", 8),
        lambda s: setattr(s.health, "status", "ok"),
    ],
)
def test_a_state_is_frozen(change: Callable[[NoticeState], None]) -> None:
    with pytest.raises(ValueError, match="frozen"):
        change(state())


def test_the_month_of_an_event_is_that_of_its_detection_in_utc() -> None:
    (event,) = state().outbox
    assert event.month == "202603"
    assert event.model_copy(update={"detected_at": "2026-12-31T23:59:59Z"}).month == "202612"
