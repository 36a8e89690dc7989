"""A domain that is collected again: by validators, and only what changed is stored."""

from typing import Any

import pytest
from again import HOME, LATER, ROBOTS, RULES, SITEMAP, AgainWorld, index, pages

from uring.seeds.collect.metadata import DomainMetadata

MARK = "domain_metadata.json.success"
MONDAY = "Mon, 02 Mar 2026 08:00:00 GMT"


def test_where_nothing_changed_metadata_and_mark_alone_are_written() -> None:
    world = AgainWorld(pages("1", "2"))
    first = world.again()
    assert world.written() == ["robots.txt", "sitemap.xml", "domain_metadata.json", MARK]
    second = world.again("one")
    assert [sent.status for sent in world.conditional.requests] == [304, 304]
    assert world.written() == ["domain_metadata.json", MARK]
    assert second["epoch"] == "one"
    assert second["new_urls"] == {
        "url_count": 0,
        "is_complete": True,
        "since": first["collected_at"],
    }
    for file in ("robots", "sitemap"):
        assert second[file]["read_at"] == first[file]["fetched_at"]
        assert second[file]["fetched_at"] == second["collected_at"]
        kept = {
            "status_code",
            "exists",
            "content_length",
            "validators",
            "digest",
            "outcome",
            "kind",
        }
        kept |= {"url_count", "is_complete", "sitemap_lines", "crawl_delay"}
        assert {key: second[file].get(key) for key in kept} == {
            key: first[file].get(key) for key in kept
        }


def test_what_changed_alone_is_stored() -> None:
    world = AgainWorld(pages("1", "2"))
    world.again()
    world.written()
    world.show("sitemap.xml", pages("1", "2", "3"))
    world.again("one")
    assert [sent.status for sent in world.conditional.requests] == [304, 200]
    names = ["new_urls.jsonl.gz", "sitemap.xml", "domain_metadata.json", MARK]
    assert world.written() == names


def test_a_first_collection_sends_no_validators_and_has_no_new_urls() -> None:
    world = AgainWorld(pages("1"))
    metadata = world.again()
    assert {(sent.etag, sent.status) for sent in world.conditional.requests} == {(None, 200)}
    assert "new_urls" not in metadata
    assert world.new_urls() == ("", [])


def test_a_later_date_asks_by_the_validators_of_the_earlier_one_and_has_all_evidence() -> None:
    world = AgainWorld(pages("1", "2"))
    world.again()
    metadata = world.again("first", LATER)
    assert [sent.status for sent in world.conditional.requests] == [304, 304]
    place = f"processing/{LATER.path}/a.com"
    assert world.bucket.body(f"{place}/sitemap.xml") == pages("1", "2")
    assert world.bucket.body(f"{place}/robots.txt") == RULES
    assert metadata["new_urls"]["url_count"] == 0
    world.show("sitemap.xml", pages("2", "3"))
    world.again("again", LATER)
    assert world.new_urls(LATER) == ("again", ["3"])


def test_an_earlier_date_does_not_ask_by_a_later_one() -> None:
    world = AgainWorld(pages("1"))
    world.again("first", LATER)
    assert "new_urls" not in world.again()


def test_an_index_that_is_unchanged_has_its_children_read() -> None:
    world = AgainWorld(index("x", "y"))
    world.show("x.xml", pages("1", "2"))
    world.show("y.xml", pages("3"))
    first = world.again()
    assert "sitemap_urls.hashes" in world.written()
    world.show("y.xml", pages("3", "4"))
    second = world.again("one")
    statuses = {sent.url: sent.status for sent in world.conditional.requests}
    assert statuses == {
        ROBOTS: 304,
        SITEMAP: 304,
        f"{HOME}/x.xml": 200,
        f"{HOME}/y.xml": 200,
    }
    assert (first["sitemap"]["url_count"], second["sitemap"]["url_count"]) == (3, 4)
    assert second["new_urls"]["url_count"] == 1
    assert world.new_urls() == ("one", ["4"])
    assert "sitemap.xml" not in world.written()


@pytest.mark.parametrize(
    "damage",
    [
        {"sitemap.xml": b"<urlset><url><loc>https://a.com/other</loc></url></urlset>"},
        {"sitemap.xml": None},
        {"domain_metadata.json": b"{}"},
        {"domain_metadata.json": b"\xff"},
        {"domain_metadata.json": None},
    ],
    ids=["other evidence", "no evidence", "no keys", "no text", "no metadata"],
)
def test_validators_without_the_file_that_they_belong_to_are_not_sent(
    damage: dict[str, bytes | None],
) -> None:
    world = AgainWorld(pages("1"))
    world.again()
    for name, body in damage.items():
        key = f"processing/country=sg/category=news/date=2026-01-28/a.com/{name}"
        if body is None:
            world.bucket.remove(key)
        else:
            world.bucket.plant(key, body)
    metadata = world.again("one")
    assert world.conditional.statuses(SITEMAP) == [200]
    assert metadata["sitemap"]["url_count"] == 1
    assert world.is_marked("a.com")


def test_metadata_of_an_earlier_release_are_read() -> None:
    world = AgainWorld(pages("1"))
    world.again()
    key = "processing/country=sg/category=news/date=2026-01-28/a.com/domain_metadata.json"
    stored = world.metadata_at()
    for file in ("robots", "sitemap"):
        for name in ("validators", "digest", "read_at"):
            stored[file].pop(name, None)
    world.bucket.plant(key, DomainMetadata.model_validate(stored).to_json())
    world.show("sitemap.xml", pages("1", "2"))
    world.again("one")
    assert [sent.status for sent in world.conditional.requests] == [200, 200]
    assert world.new_urls() == ("one", ["2"])


def test_a_server_that_says_304_for_ever_is_believed_for_a_month() -> None:
    world = AgainWorld(pages("1"))
    world.conditional.is_met = lambda *_: True
    world.again()
    world.show("sitemap.xml", pages("1", "2"))
    statuses = []
    for number in range(20):
        world.again(f"e{number}")
        statuses += world.conditional.statuses(SITEMAP)
    assert statuses.index(200) == 14
    assert world.metadata_at()["sitemap"]["url_count"] == 2


def test_a_date_alone_is_believed_every_other_time() -> None:
    world = AgainWorld(pages("1"))
    world.conditional.etag = lambda _: None
    world.conditional.last_modified = lambda _: MONDAY
    world.again()
    statuses = []
    for number in range(4):
        world.again(f"e{number}")
        statuses += world.conditional.statuses(SITEMAP)
    assert statuses == [304, 200, 304, 200]


def test_validators_that_stay_while_the_file_changes_are_not_stored() -> None:
    world = AgainWorld(pages("1"))
    world.conditional.etag = lambda _: '"same"'
    world.conditional.is_met = lambda *_: False
    world.again()
    world.show("sitemap.xml", pages("1", "2"))
    assert "validators" not in world.again("one")["sitemap"]
    world.again("two")
    assert [sent.etag for sent in world.conditional.requests] == ['"same"', None]


def test_a_server_that_ignores_conditions_is_no_liar() -> None:
    world = AgainWorld(pages("1"))
    world.conditional.is_met = lambda *_: False
    world.again()
    for epoch in ("one", "two"):
        metadata = world.again(epoch)
        assert {file: "validators" in metadata[file] for file in ("robots", "sitemap")} == {
            "robots": True,
            "sitemap": True,
        }
        assert None not in {sent.etag for sent in world.conditional.requests}


def test_validators_belong_to_the_last_hop() -> None:
    world = AgainWorld()
    robots = RULES + b"Sitemap: https://a.com/moved.xml\n"
    world.show("robots.txt", robots)
    pages_by_url: dict[str, Any] = {f"{HOME}/moved.xml": f"{HOME}/real.xml"}
    world.show("real.xml", pages("1"))
    plain = world.conditional.fetch

    def fetch(request: Any) -> Any:
        if to := pages_by_url.get(request.url):
            assert request.etag is None
            assert request.may_follow is not None
            request.may_follow(to)
        return plain(request)

    world.conditional.fetch = fetch  # type: ignore[method-assign]
    world.again()
    metadata = world.again("one")
    assert world.conditional.statuses(f"{HOME}/real.xml") == [304]
    assert metadata["sitemap"]["url"] == f"{HOME}/moved.xml"
    assert metadata["sitemap"]["url_count"] == 1
