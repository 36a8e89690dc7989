"""Hot: exactly the document of N7, and an older one never replaces a newer one."""

import json

import pytest
from fakes import MemoryBucket, VirtualClock

from uring.changes.retry import Backoff
from uring.changes.state import Health
from uring.errors import Contended, PreconditionFailed, Unavailable, WriteConflict
from uring.notices.item import fields
from uring.records.latest import Latest, Publication, project
from uring.records.model import RecordState, Revision

KEY = "data/cs/latest.json"
STAMP = "2026-03-02T01:00:00Z"
META = {"dept_name": "컴퓨터공학부", "base_url": "https://cs.example.ac.kr"}
PUBLICATION = Publication("notices", "cs", "cs", META, fields)


def state(seq: int) -> RecordState:
    item = Revision(
        id="17",
        revision=2,
        hash="0123abcd",
        is_marked=True,
        first_seen=STAMP,
        content={
            "title": "수강신청",
            "date": "2026-03-01",
            "category": None,
            "link": "https://x/17",
        },
    )
    return RecordState(
        source="cs", seq=seq, changed_at=STAMP, hot=(item,), health=Health(since=STAMP)
    )


def latest(objects: MemoryBucket) -> Latest:
    return Latest(objects, backoff=Backoff(VirtualClock().sleep))


def test_the_document() -> None:
    assert json.loads(project(state(7), PUBLICATION)) == {
        "meta": {
            "dept_name": "컴퓨터공학부",
            "base_url": "https://cs.example.ac.kr",
            "last_updated": STAMP,
            "seq": 7,
        },
        "items": [
            {
                "id": "17",
                "title": "수강신청",
                "date": "2026-03-01",
                "category": None,
                "link": "https://x/17",
                "is_pinned": True,
                "revision": 2,
                "hash": "0123abcd",
                "first_seen": STAMP,
            }
        ],
    }


def test_korean_is_written_as_it_is() -> None:
    assert "수강신청".encode() in project(state(7), PUBLICATION)


def test_the_same_state_is_the_same_bytes() -> None:
    assert project(state(7), PUBLICATION) == project(state(7), PUBLICATION)


def test_readers_may_keep_it_for_five_minutes() -> None:
    objects = MemoryBucket()
    latest(objects).write(state(7), PUBLICATION)
    (version,) = objects.versions[KEY]
    assert version.cache_control == "public, max-age=300, s-maxage=5"
    assert version.content_type == "application/json; charset=utf-8"


@pytest.mark.parametrize("seq", [6, 7])
def test_an_older_or_the_same_state_writes_nothing(seq: int) -> None:
    objects = MemoryBucket()
    latest(objects).write(state(7), PUBLICATION)
    latest(objects).write(state(seq), PUBLICATION)
    assert objects.writes == 1


def test_a_newer_state_replaces_it() -> None:
    objects = MemoryBucket()
    latest(objects).write(state(7), PUBLICATION)
    latest(objects).write(state(8), PUBLICATION)
    assert json.loads(objects.body(KEY))["meta"]["seq"] == 8


@pytest.mark.parametrize(("stored", "left"), [(6, 7), (8, 8)])
def test_a_baseline_taken_anew_meets_what_is_published(stored: int, left: int) -> None:
    """An operator deleted the state; a document is there already."""
    objects = MemoryBucket()
    latest(objects).write(state(stored), PUBLICATION)
    latest(objects).write(state(7).replace(baseline_at=STAMP), PUBLICATION)
    assert json.loads(objects.body(KEY))["meta"]["seq"] == left


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"meta":{}}', b'{"meta":{"seq":"x"}}', b"\xff"]
)
def test_what_cannot_be_read_is_made_again(body: bytes) -> None:
    """It is a projection: everything in it is in the state."""
    objects = MemoryBucket()
    objects.plant(KEY, body)
    latest(objects).write(state(7), PUBLICATION)
    assert objects.body(KEY) == project(state(7), PUBLICATION)


class Racing(MemoryBucket):
    """Another writer puts a newer document there between the read and the write."""

    def __init__(self, newer: bytes) -> None:
        super().__init__()
        self.newer: bytes | None = newer

    def put(self, key: str, body: bytes, **more: object) -> str:
        if self.newer is not None:
            newer, self.newer = self.newer, None
            self.plant(key, newer)
        return super().put(key, body, **more)  # type: ignore[arg-type]


def test_a_newer_document_that_appears_meanwhile_stays() -> None:
    newer = project(state(9), PUBLICATION)
    objects = Racing(newer)
    latest(objects).write(state(7), PUBLICATION)
    assert objects.body(KEY) == newer


@pytest.mark.parametrize("error", [PreconditionFailed, Contended, Unavailable])
def test_it_gives_up_after_bounded_attempts(error: type[Exception]) -> None:
    objects = MemoryBucket()

    def refuse(*_: object, **__: object) -> str:
        raise error("no")

    objects.put = refuse  # type: ignore[method-assign]
    with pytest.raises(WriteConflict, match="the next run tries again"):
        latest(objects).write(state(7), PUBLICATION)
