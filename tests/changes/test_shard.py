"""Shards: each source is in exactly one, and one listing has its states."""

from fakes import MemoryBucket
from hypothesis import given
from hypothesis import strategies as st

from uring.changes.hinting import etags_of
from uring.changes.shard import is_ascending, shards_between

# Few letters, with those that sort around the dot: ids often begin alike.
IDS = st.text("a-_0b", min_size=1, max_size=4).filter(lambda text: text[0] not in "-_")


def in_order(ids: set[str]) -> list[str]:
    return sorted(ids, key=lambda each: f"{each}.")


@given(st.sets(IDS, max_size=4), st.sets(IDS, max_size=12))
def test_each_source_is_in_one_shard_and_listed_there_alone(
    bounds: set[str], sources: set[str]
) -> None:
    bucket = MemoryBucket()
    for source in sources:
        bucket.plant(f"state/notices/{source}.json", b"{}")
        bucket.plant(f"state/notices/{source}.seen.json", b"{}")
    shards = shards_between(in_order(bounds))
    listed = [etags_of(bucket, "notices", shard).keys() for shard in shards]
    assert sorted(id_ for ids in listed for id_ in ids) == sorted(sources)
    for shard, ids in zip(shards, listed, strict=True):
        assert {source for source in sources if shard.has(source)} == ids


def test_the_order_is_that_of_the_keys() -> None:
    assert is_ascending(["dance-2", "dance"])
    assert not is_ascending(["dance", "dance-2"])
    assert not is_ascending(["a", "a"])
