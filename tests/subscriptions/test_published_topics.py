"""The topics that there are, from the published index."""

import json
from typing import Any

import pytest
from fakes import MemoryBucket, VirtualClock
from fakes.subscriptions import AIRPORTS, INDEX, TOPICS

from uring.errors import Misconfigured, Unavailable
from uring.subscriptions.published import INDEX_KEY, PublishedTopics


class World:
    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.bucket = MemoryBucket(self.clock)
        self.published = PublishedTopics(self.bucket, clock=self.clock)

    def put(self, index: Any) -> None:
        self.bucket.plant(INDEX_KEY, json.dumps(index).encode())


@pytest.fixture
def world() -> World:
    return World()


def test_they_are_those_of_every_family(world: World) -> None:
    world.put(INDEX)
    assert world.published.topics() == {*TOPICS, *AIRPORTS}


def test_the_index_is_read_once_a_minute(world: World) -> None:
    world.put(INDEX)
    for second in range(120):
        world.published.topics()
        assert world.bucket.reads == 1 + second // 60
        world.clock.advance(1)


def test_a_clock_that_was_set_back_does_not_keep_an_index_for_ever(world: World) -> None:
    world.put(INDEX)
    world.published.topics()
    world.clock.advance(-86_400)
    world.put({"departments": [{"topic": "newer"}]})
    assert world.published.topics() == {"newer"}


@pytest.mark.parametrize("body", [None, b"{torn"])
def test_what_is_known_outlives_an_index_that_cannot_be_read_by_ten_minutes(
    world: World, body: bytes | None
) -> None:
    """One failed request refuses nobody; an index that stays away is not trusted for ever."""
    world.put(INDEX)
    known = world.published.topics()
    if body is None:
        world.bucket.remove(INDEX_KEY)
    else:
        world.bucket.plant(INDEX_KEY, body)
    world.clock.advance(599)
    assert world.published.topics() == known
    world.clock.advance(1)
    with pytest.raises(Unavailable):
        world.published.topics()
    world.put({"departments": [{"topic": "newer"}]})
    assert world.published.topics() == {"newer"}


def test_an_index_that_is_back_is_read_at_once(world: World) -> None:
    world.put(INDEX)
    world.published.topics()
    world.bucket.remove(INDEX_KEY)
    world.clock.advance(60)
    world.published.topics()
    world.put({"departments": [{"topic": "newer"}]})
    assert world.published.topics() == {"newer"}


def test_an_index_that_is_missing_is_looked_for_each_time(world: World) -> None:
    for _ in range(2):
        with pytest.raises(Unavailable, match="is missing"):
            world.published.topics()
    world.put(INDEX)
    assert TOPICS[0] in world.published.topics()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000])
def test_an_index_that_is_none_is_the_monitors_to_mend(world: World, body: bytes) -> None:
    world.bucket.plant(INDEX_KEY, body)
    with pytest.raises(Unavailable, match="the monitor's next run"):
        world.published.topics()


def test_what_a_later_release_adds_is_ignored(world: World) -> None:
    """New lists count as well: a new family's topics are topics."""
    world.put(
        {
            "version": 2,
            "more": {"topic": "no entry"},
            "departments": [
                {"topic": "known", "more": {}},
                {"topic": 7},
                {"topic": None, "topics": None},
                {"topics": "abc"},
                {"topics": [7, "RKSI", None, ["x"]]},
                "no entry",
                None,
            ],
            "later_family": [{"topic": "later"}],
        }
    )
    assert world.published.topics() == {"known", "RKSI", "later"}


SHARDS = [{"from": "g", "path": "index.g.json"}, {"from": "m", "path": "index.m.json"}]


def sharded(topics: list[str]) -> dict[str, Any]:
    """The first shard's index, with a description of the others."""
    described = {"departments": {"family": "notices", "shards": SHARDS}}
    return {"families": described, "departments": [{"topic": topic} for topic in topics]}


class DeniedBucket(MemoryBucket):
    """S3 for a role that may not list: access to a missing object is denied."""

    def get(self, key: str) -> Any:
        stored = super().get(key)
        if stored is None and key != INDEX_KEY:
            raise Misconfigured(f"s3:GetObject {key}: AccessDenied")
        return stored


def test_the_topics_of_further_shards_count_as_soon_as_their_index_is_there(world: World) -> None:
    """The monitor writes it minutes after the sitemap was divided; nobody else is refused."""
    world.bucket = DeniedBucket(world.clock)
    world.published = PublishedTopics(world.bucket, clock=world.clock)
    world.put(sharded(["art"]))
    assert world.published.topics() == {"art"}
    world.bucket.plant("data/index.g.json", b'{"departments": [{"topic": "gym"}]}')
    world.clock.advance(60)
    assert world.published.topics() == {"art", "gym"}
    world.bucket.remove("data/index.g.json")
    world.clock.advance(60)
    assert world.published.topics() == {"art", "gym"}


@pytest.mark.parametrize(
    "shards", [None, "index.g.json", [None, {"path": 1}], {"path": "index.g.json"}]
)
def test_a_malformed_description_of_shards_is_ignored(world: World, shards: Any) -> None:
    index = sharded(["art"])
    index["families"]["departments"]["shards"] = shards
    world.put(index)
    assert world.published.topics() == {"art"}
