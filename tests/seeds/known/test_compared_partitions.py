"""What a collection is compared with: large sitemaps, other partitions, and what was named."""

import gc
import sys

import pytest
from again import LATER, RULES, AgainWorld, index, pages
from fakes import Died
from fakes.seeds import PARTITION, folder, record, sitemap_of

from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.seeds.collect.answers import Collection
from uring.seeds.known.urls import NewUrls, SitemapUrls, read_new_urls, write_new_urls
from uring.seeds.partition import Partition

OTHER, OTHER_LATER = (
    Partition(PARTITION.country, "blogs", date) for date in (PARTITION.date, LATER.date)
)
SPACE = b" " * 1_100_000
FIRST, SECOND = pages("1") + SPACE, pages("1", "2") + SPACE


@pytest.mark.parametrize("partition", ["same", "later"])
def test_a_single_large_sitemap_has_new_urls(partition: str) -> None:
    world = AgainWorld(FIRST)
    world.again()
    world.show("sitemap.xml", SECOND)
    epoch, place = ("one", {}) if partition == "same" else ("first", {"partition": LATER})
    metadata = world.again(epoch, **place)
    assert metadata["new_urls"]["url_count"] == 1
    assert world.new_urls(**place) == (epoch, ["2"])


def _both(world: AgainWorld, epochs: tuple[str, str]) -> None:
    """Collect the domain for two partitions, whose messages arrive together."""
    world.clock.advance(days=2)
    world.send(epochs[0])
    world.send(epochs[1], LATER)
    world.conditional.requests.clear()
    world.collect()


def test_a_partition_without_a_collection_before_leaves_the_others_their_differences() -> None:
    world = AgainWorld(pages("1"))
    world.again("first", OTHER)
    world.show("sitemap.xml", pages("1", "2"))
    world.clock.advance(days=2)
    world.send()
    world.send("first", OTHER_LATER)
    world.collect()
    assert "new_urls" not in world.metadata_at()
    assert world.metadata_at(OTHER_LATER)["new_urls"]["url_count"] == 1
    assert world.new_urls(OTHER_LATER) == ("first", ["2"])


def test_partitions_with_other_urls_before_share_nothing_that_lacks_them() -> None:
    world = AgainWorld(pages("1"))
    world.again("first", LATER)
    world.show("sitemap.xml", pages("1", "2"))
    world.again("first")
    world.show("sitemap.xml", pages("1", "2", "3"))
    _both(world, ("two", "two"))
    assert world.new_urls() == ("two", ["3"])
    assert world.new_urls(LATER) == ("two", ["2", "3"])
    assert world.metadata_at(LATER)["new_urls"]["is_complete"] is True


def test_partitions_with_the_same_urls_before_share_a_collection() -> None:
    world = AgainWorld(pages("1"))
    world.again("first", LATER)
    world.again("first")
    world.show("sitemap.xml", pages("1", "3"))
    _both(world, ("two", "two"))
    assert world.new_urls() == world.new_urls(LATER) == ("two", ["3"])
    assert len(world.conditional.statuses("https://a.com/sitemap.xml")) == 1


def test_what_was_named_is_not_named_again_after_a_collection_without_news() -> None:
    world = AgainWorld(pages("1"))
    world.again()
    world.show("sitemap.xml", pages("1", "2"))
    counts = [world.again(f"e{number}")["new_urls"]["url_count"] for number in range(6)]
    assert counts == [1, 0, 0, 0, 0, 0]


def test_a_server_that_ignores_validators_has_them_stored_all_the_same() -> None:
    world = AgainWorld(pages("1"))
    world.conditional.is_met = lambda *_: False
    for epoch in ("first", "one", "two"):
        assert "validators" in world.again(epoch)["sitemap"]


def _dies_after(world: AgainWorld, name: str) -> None:
    """Collect once more; it dies when it has written this."""
    write = world.bucket.write

    def dying(key: str, *args: object, **keys: object) -> None:
        write(key, *args, **keys)  # type: ignore[arg-type]
        if key.endswith(f"/{name}"):
            raise Died

    world.bucket.write = dying  # type: ignore[method-assign]
    world.clock.advance(days=2)
    world.send("one")
    with pytest.raises(Died):
        world.collect()
    world.bucket.write = write  # type: ignore[method-assign]
    world.clock.advance(minutes=10)


def test_a_death_after_another_kind_of_sitemap_was_stored_is_no_complete_difference() -> None:
    world = AgainWorld(pages("1", "2"))
    world.again()
    world.show("sitemap.xml", index("x"))
    world.show("x.xml", pages("1", "2", "3"))
    _dies_after(world, "sitemap.xml")
    world.collect()
    assert "3" in world.new_urls()[1]
    assert world.metadata_at()["new_urls"]["is_complete"] is False


def test_a_death_of_a_collection_that_lacked_a_child_is_no_complete_difference() -> None:
    world = AgainWorld(index("x", "y"))
    world.show("x.xml", pages("1"))
    world.show("y.xml", pages("2"))
    world.again()
    world.show("x.xml", pages("1", "3"))
    world.show("y.xml", None)
    _dies_after(world, "sitemap_urls.hashes")
    world.show("y.xml", pages("2"))
    world.collect()
    assert world.new_urls() == ("one", ["2", "3"])
    assert world.metadata_at()["new_urls"]["is_complete"] is False


def test_urls_of_wide_letters_take_no_more_memory_and_are_read_again() -> None:
    urls = SitemapUrls(frozenset())
    for number in range(6_000):
        urls.add(f"https://a.com/{number}/{chr(0x1F600) * 1_500}")
    assert urls.is_cut
    assert sum(map(sys.getsizeof, urls.new.values())) <= 8_500_000
    head = NewUrls(url_count=1, is_complete=True, since="2026-03-02T01:00:00Z")
    content = write_new_urls(head, "a.com", "one", urls.new.values())
    assert read_new_urls(content) == ("one", [*urls.new.values()])


def test_the_hashes_of_unchanged_sitemaps_are_not_written_again() -> None:
    world = AgainWorld(index("x"))
    world.show("x.xml", pages("1", "2"))
    world.again()
    world.written()
    world.again("one")
    assert world.written() == ["domain_metadata.json", "domain_metadata.json.success"]


def _collections() -> int:
    gc.collect()
    return sum(isinstance(each, Collection) for each in gc.get_objects())


def test_a_domain_is_collected_without_the_one_before_in_memory() -> None:
    world = AgainWorld(pages("1"))
    world.web.put("b.com", RULES, sitemap_of(3))
    plain, alive, others = world.conditional.fetch, list[int](), _collections()

    def fetch(request: Request) -> Response:
        if request.url.endswith("/sitemap.xml"):
            alive.append(_collections())
        return plain(request)

    world.put([record("https://a.com/"), record("https://b.com/")])
    world.orchestrate()
    world.read_files()
    world.conditional.fetch = fetch  # type: ignore[method-assign]
    world.collect()
    assert world.is_marked("a.com")
    assert world.is_marked("b.com")
    assert alive == [others, others]


def test_a_difference_from_evidence_of_another_collection_is_not_complete() -> None:
    """The collection before kept its evidence in a segment; an older one left its sitemap."""
    world = AgainWorld(pages("1", "2"))
    world.again()
    world.show("sitemap.xml", pages("2"))
    world.again("one")
    world.bucket.plant(f"{folder('a.com')}/sitemap.xml", pages("1", "2"))
    world.show("sitemap.xml", pages("1", "2", "3"))
    assert world.again("two")["new_urls"]["is_complete"] is False
    assert world.new_urls() == ("two", ["3"])
