"""The URLs that are new since the last marked collection: none is lost, whatever dies."""

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count

import pytest
from again import LATER, RULES, AgainWorld, index, pages
from fakes import Died

from uring.seeds.known.urls import (
    MOST_URLS,
    NewUrls,
    SitemapUrls,
    pack_hashes,
    read_new_urls,
    unpack_hashes,
    write_new_urls,
)

SINCE = "2026-03-02T01:00:00Z"


@pytest.mark.parametrize(
    ("before", "after", "new", "is_complete"),
    [
        (pages("1"), pages("1", "2"), ["2"], True),
        (pages("1", "2"), pages("2"), [], True),
        (None, pages("1", "2"), ["1", "2"], True),
        (pages("1"), pages("1", "2")[:-20], ["2"], False),
        (pages("1")[:-9], pages("1", "2"), ["2"], False),
        (b"https://a.com/1\n", b"https://a.com/1\nhttps://a.com/2\n", ["2"], True),
        (pages("1"), b"https://a.com/1\nhttps://a.com/2\n", ["2"], True),
        (pages("1"), None, [], True),
    ],
    ids=["more", "less", "first", "cut", "was cut", "text", "another format", "gone"],
)
def test_the_difference_is_that_of_the_addresses(
    before: bytes | None, after: bytes | None, new: list[str], *, is_complete: bool
) -> None:
    world = AgainWorld(before)
    since = world.again()["collected_at"]
    world.show("sitemap.xml", after)
    metadata = world.again("one")
    head = {"url_count": len(new), "is_complete": is_complete, "since": since}
    assert metadata["new_urls"] == head
    assert world.new_urls()[1] == new


def test_the_file_has_a_line_about_itself() -> None:
    world = AgainWorld(pages("1"))
    since = world.again()["collected_at"]
    world.show("sitemap.xml", pages("1", "2"))
    world.again("one")
    key = "processing/country=sg/category=news/date=2026-01-28/a.com/new_urls.jsonl.gz"
    lines = gzip.decompress(world.bucket.body(key)).decode().splitlines()
    assert [json.loads(line) for line in lines] == [
        {
            "registrable_domain": "a.com",
            "epoch": "one",
            "url_count": 1,
            "is_complete": True,
            "since": since,
        },
        {"url": "https://a.com/2"},
    ]


def test_several_sitemap_lines_and_nested_indexes_are_one_set() -> None:
    lines = b"Sitemap: https://a.com/x.xml\nSitemap: https://a.com/y.xml\n"
    world = AgainWorld(robots=RULES + lines)
    world.show("x.xml", pages("1"))
    world.show("y.xml", index("z"))
    world.show("z.xml", pages("2", "3"))
    world.again()
    world.show("x.xml", pages("1", "4"))
    world.show("z.xml", pages("3", "5"))
    assert world.again("one")["new_urls"]["url_count"] == 2
    assert world.new_urls() == ("one", ["4", "5"])
    # The hashes of this collection are those that the next one is compared with.
    assert world.again("two")["new_urls"]["url_count"] == 0


def test_a_child_that_fails_makes_the_difference_incomplete_and_loses_nothing() -> None:
    world = AgainWorld(index("x", "y"))
    world.show("x.xml", pages("1"))
    world.show("y.xml", pages("2"))
    world.again()
    world.show("y.xml", None)
    assert world.again("one")["new_urls"]["is_complete"] is False
    world.show("y.xml", pages("2", "3"))
    assert world.again("two")["new_urls"]["is_complete"] is False
    assert world.new_urls()[1] == ["2", "3"]


def test_without_the_stored_urls_of_an_index_nothing_is_said() -> None:
    world = AgainWorld(index("x"))
    world.show("x.xml", pages("1"))
    world.again()
    world.bucket.remove(
        "processing/country=sg/category=news/date=2026-01-28/a.com/sitemap_urls.hashes"
    )
    assert "new_urls" not in world.again("one")
    assert "new_urls" in world.again("two")


def test_another_partition_has_a_difference_of_its_own() -> None:
    world = AgainWorld(pages("1"))
    world.again()
    world.show("sitemap.xml", pages("1", "2"))
    world.again("first", LATER)
    world.again("one")
    assert world.new_urls(LATER)[1] == world.new_urls()[1] == ["2"]


def test_a_marked_difference_is_named_once() -> None:
    world = AgainWorld(pages("1"))
    world.again()
    world.show("sitemap.xml", pages("1", "2"))
    world.again("one")
    world.show("sitemap.xml", pages("1", "2", "3"))
    assert world.again("two")["new_urls"]["url_count"] == 1
    assert world.new_urls() == ("two", ["3"])


def _dying(
    write: Callable[..., None], number: int, *, is_after: bool = True
) -> Callable[..., None]:
    """A write that dies at a call."""
    calls = count()

    def dying(*args: object, **keys: object) -> None:
        is_it = next(calls) == number
        if is_it and not is_after:
            raise Died
        write(*args, **keys)
        if is_it:
            raise Died

    return dying


def deaths() -> Iterator[tuple[int, bool, bool]]:
    for number in range(7):
        for is_after in (False, True):
            for is_index in (False, True):
                yield number, is_after, is_index


@pytest.mark.parametrize("second", range(7))
def test_two_deaths_lose_no_new_url_either(second: int) -> None:
    for first in range(7):
        world = AgainWorld(pages("1"))
        world.again()
        world.clock.advance(days=2)
        write, named = world.bucket.write, {"1"}
        world.send("one")
        for step, number in enumerate((first, second)):
            world.show("sitemap.xml", pages("1", *map(str, range(2, 3 + step))))
            world.bucket.write = _dying(write, number)  # type: ignore[method-assign]
            with suppress(Died):
                world.collect()
            world.clock.advance(minutes=10)
        world.bucket.write = write  # type: ignore[method-assign]
        world.show("sitemap.xml", pages("1", "2", "3", "4"))
        world.collect()
        named |= {*world.new_urls()[1]}
        world.again("two")
        assert named | {*world.new_urls()[1]} == {"1", "2", "3", "4"}, (first, second)


@pytest.mark.parametrize(("number", "is_after", "is_index"), [*deaths()])
def test_a_death_at_any_write_loses_no_new_url(
    number: int, *, is_after: bool, is_index: bool
) -> None:
    """Between the death and the next try the site changes again."""
    world = AgainWorld(index("x") if is_index else pages("1"))
    name = "x.xml" if is_index else "sitemap.xml"
    world.show(name, pages("1"))
    world.again()
    world.show(name, pages("1", "2"))
    write = world.bucket.write
    world.bucket.write = _dying(write, number, is_after=is_after)  # type: ignore[method-assign]
    world.clock.advance(days=2)
    world.send("one")
    try:
        world.collect()
    except Died:
        world.show(name, pages("1", "2", "3"))
        world.clock.advance(minutes=10)
        world.collect()
    world.bucket.write = write  # type: ignore[method-assign]
    marked = world.bucket.metadata[
        "processing/country=sg/category=news/date=2026-01-28/a.com/domain_metadata.json.success"
    ]
    assert marked["epoch"] == "one"
    epoch, urls = world.new_urls()
    known = {"1", *urls}
    assert epoch == "one"
    assert "2" in urls
    world.show(name, pages("1", "2", "3"))
    world.again("two")
    # What this one does not name, the next one does.
    assert known | {*world.new_urls()[1]} == {"1", "2", "3"}


def test_a_forced_collection_that_died_for_good_leaves_its_difference_to_the_next() -> None:
    world = AgainWorld(pages("1"))
    world.again()
    world.show("sitemap.xml", pages("1", "2"))
    write = world.bucket.write

    def dying(key: str, *args: object, **keys: object) -> None:
        if key.endswith(".success"):
            raise Died
        write(key, *args, **keys)  # type: ignore[arg-type]

    world.bucket.write = dying  # type: ignore[method-assign]
    world.send("one")
    with pytest.raises(Died):
        world.collect()
    world.bucket.write = write  # type: ignore[method-assign]
    world.domains.messages.clear()
    world.show("sitemap.xml", pages("1", "2", "3"))
    assert world.again("two")["new_urls"]["url_count"] == 2
    assert world.new_urls() == ("two", ["2", "3"])


def test_the_number_and_length_of_urls_are_bounded() -> None:
    urls = SitemapUrls(frozenset())
    for number in range(MOST_URLS + 5):
        urls.add(f"https://a.com/{number}")
        urls.add(f"https://a.com/{number}")
    assert (len(urls.hashes), len(urls.new), urls.is_cut) == (MOST_URLS, MOST_URLS, True)
    long = SitemapUrls(frozenset())
    for number in range(5_000):
        long.add(f"https://a.com/{number}{'x' * 2_000}")
    assert (len(long.hashes), long.is_cut) == (5_000, True)
    assert sum(map(len, long.new.values())) <= 8_000_000


def test_hashes_are_read_as_they_were_written() -> None:
    urls = SitemapUrls()
    for number in range(1_000):
        urls.add(f"https://a.com/{number}")
    content = pack_hashes(urls.hashes)
    assert len(content) == 8_000
    assert unpack_hashes(content) == unpack_hashes(content + b"rest") == urls.hashes
    assert urls.new == {}


@pytest.mark.parametrize(
    "url", ["https://a.com/\u2028\n", "https://a.com/\ud800", "https://한국.kr/"]
)
def test_any_text_is_a_line(url: str) -> None:
    head = NewUrls(url_count=1, is_complete=True, since=SINCE)
    content = write_new_urls(head, "a.com", "one", [url])
    assert read_new_urls(content) == ("one", [url])


@pytest.mark.parametrize("text", [b"", b"1\n", b"{}\n{}", b'{"epoch": "one"}\n[]', b"\xff"])
def test_a_file_that_cannot_be_read_has_nothing(text: bytes) -> None:
    assert read_new_urls(gzip.compress(text)) == read_new_urls(text) == ("", [])
