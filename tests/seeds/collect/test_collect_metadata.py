"""domain_metadata.json: the keys of the document's schema, and none of them null."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from collecting import DOMAIN, HOME, collect, index, pages_of
from fakes.web import Page

from uring.seeds.collect.answers import Collection
from uring.seeds.collect.metadata import DomainMetadata, build_metadata
from uring.seeds.normalize import PSL_VERSION
from uring.seeds.partition import Partition

AT = datetime(2026, 1, 28, 10, 30, tzinfo=UTC)
RAW = "datasets/country=sg/category=news/date=2026-01-28/raw_0001.json"
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def metadata_of(collection: Collection, raw: str | None = RAW) -> DomainMetadata:
    return build_metadata(
        collection,
        domain_id=f"gov:sg:{DOMAIN}",
        registrable_domain=DOMAIN,
        partition=Partition("sg", "news", "2026-01-28"),
        collected_at=AT,
        epoch="first",
        source_file_path=raw,
        record_index=7 if raw else None,
    )


def document_of(pages: dict[str, Page | bytes]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(metadata_of(collect(pages)[0]).to_json())
    return document


def nulls(value: object) -> bool:
    if isinstance(value, dict):
        return any(nulls(part) for part in value.values())
    return any(nulls(part) for part in value) if isinstance(value, list) else value is None


SITES: dict[str, dict[str, Page | bytes]] = {
    "all": {
        "/robots.txt": b"Sitemap: /s.xml\n",
        "/s.xml": index("/a.xml"),
        "/a.xml": pages_of(3),
        "/": Page(b"<title>x"),
    },
    "nothing": {"/": Page(status=404)},
    "unreachable": {"/robots.txt": Page(status=503)},
    "html": {path: Page(b"<html>") for path in ("/robots.txt", "/sitemap.xml", "/")},
    "forbidden": {"/robots.txt": b"User-agent: *\nDisallow: /"},
    "odd status": {"/robots.txt": Page(status=404), "/sitemap.xml": Page(status=999)},
}


@pytest.mark.parametrize("site", SITES)
def test_the_documents_schema_holds(site: str) -> None:
    document = document_of(SITES[site])
    assert not nulls(document)
    assert document["domain_id"] == f"gov:sg:{DOMAIN}"
    assert (document["registrable_domain"], document["country"]) == (DOMAIN, "SG")
    assert (document["category"], document["collected_at"]) == ("news", "2026-01-28T10:30:00Z")
    assert document["source"] == {"raw_file_path": RAW, "record_index": 7}
    for part in (document["robots"], document["sitemap"]):
        assert 0 <= part["status_code"] <= 599
        assert part["content_length"] >= 0
        assert isinstance(part["exists"], bool)
        assert INSTANT.fullmatch(part.get("fetched_at", "2026-01-28T10:30:00Z"))
    assert document["sitemap"]["url"].startswith("https://")
    assert all(url.startswith("https://") for url in document["robots"]["sitemap_urls"])


@pytest.mark.parametrize(
    ("site", "robots", "sitemap", "outcome"),
    [
        ("all", True, True, "ok"),
        ("nothing", False, False, "unavailable_4xx"),
        ("unreachable", False, False, "unreachable_5xx"),
        ("html", False, False, "html"),
        ("forbidden", True, False, "ok"),
    ],
)
def test_what_exists_is_one(site: str, outcome: str, *, robots: bool, sitemap: bool) -> None:
    document = document_of(SITES[site])
    assert (document["robots"]["exists"], document["sitemap"]["exists"]) == (robots, sitemap)
    assert document["robots"]["outcome"] == outcome
    assert ("url_count" in document["sitemap"]) == sitemap


def test_what_measuring_found_stands_beside_it() -> None:
    document = document_of(SITES["all"])
    assert (document["epoch"], document["date"]) == ("first", "2026-01-28")
    assert document["psl_version"] == PSL_VERSION
    sitemap = document["sitemap"]
    assert (sitemap["kind"], sitemap["parse_mode"], sitemap["truncated"]) == (
        "sitemapindex",
        "strict",
        False,
    )
    assert (sitemap["url_count"], sitemap["is_complete"]) == (3, True)
    assert sitemap["children"]["tried"][0]["url"] == f"{HOME}/a.xml"
    assert document["homepage"]["title"] == "x"
    assert document["requests"] == 3


def test_a_domain_that_no_file_named_has_no_source() -> None:
    collection, _ = collect(SITES["all"])
    assert "source" not in json.loads(metadata_of(collection, None).to_json())


def test_what_is_written_can_be_read_with_keys_of_a_later_release() -> None:
    written = metadata_of(collect(SITES["all"])[0])
    document = json.loads(written.to_json())
    document["later"] = document["sitemap"]["later"] = 1
    again = DomainMetadata.from_json(json.dumps(document).encode())
    assert json.loads(again.to_json()) == document
    assert DomainMetadata.from_json(written.to_json()).to_json() == written.to_json()


def test_the_objects_own_metadata_is_ascii() -> None:
    found = metadata_of(collect(SITES["all"])[0]).object_metadata()
    assert found == {
        "domain_id": f"gov:sg:{DOMAIN}",
        "registrable_domain": DOMAIN,
        "country": "sg",
        "category": "news",
        "date": "2026-01-28",
    }
    assert all(value.isascii() for value in found.values())
