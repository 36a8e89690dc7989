"""Atom and JSON feeds: the same notices, dated once, readable whatever a title holds (N24)."""

import xml.etree.ElementTree as ET
from datetime import datetime
from html import unescape
from typing import Any

import pytest
from fakes import Notice, page_of
from fakes.watched_world import Watched

ATOM = "{http://www.w3.org/2005/Atom}"


class TestFeeds:
    def feeds(self, world: Watched) -> tuple[dict[str, Any], ET.Element]:
        world.watch()
        atom = ET.fromstring(world.bucket.body("data/cs/feed.atom"))  # noqa: S314 - our own
        return world.document("data/cs/feed.json"), atom

    def test_both_tell_the_same_notices(self) -> None:
        world = Watched()
        world.tick()
        feed, atom = self.feeds(world)
        assert feed["version"] == "https://jsonfeed.org/version/1.1"
        entries = atom.findall(f"{ATOM}entry")
        titles = [entry.findtext(f"{ATOM}title") for entry in entries]
        assert titles == [item["title"] for item in feed["items"]] == ["둘", "하나 <&>"]
        assert [entry.findtext(f"{ATOM}id") for entry in entries] == [
            "urn:uring:notices:cs:2",
            "urn:uring:notices:cs:1",
        ]
        for element in (atom, *entries):
            assert element.findtext(f"{ATOM}id")
            assert element.findtext(f"{ATOM}title")
            assert datetime.fromisoformat(element.findtext(f"{ATOM}updated") or "")

    def test_an_edited_notice_is_dated_once_and_keeps_its_id(self) -> None:
        world = Watched()
        world.tick()
        first, _ = self.feeds(world)
        world.sites["cs"] = page_of([Notice("2", "둘 [마감]"), Notice("1", "하나 <&>")])
        world.tick()
        edited, _ = self.feeds(world)
        world.sites["cs"] = page_of([Notice("3", "셋"), Notice("2", "둘 [마감]")])
        world.tick()
        later, _ = self.feeds(world)
        dates = [
            {item["id"]: item["date_modified"] for item in feed["items"]}["urn:uring:notices:cs:2"]
            for feed in (first, edited, later)
        ]
        assert dates == ["2026-03-02T01:05:00Z", "2026-03-02T01:25:00Z", "2026-03-02T01:25:00Z"]

    def test_a_hostile_title_makes_a_feed_that_can_be_read(self) -> None:
        world = Watched()
        title = "]]>\uffff\ufffe\u202e<script>" + "a" * 300
        world.sites["cs"] = page_of([Notice("7", title), Notice("a:/ <b>", "둘")])
        world.tick()
        feed, atom = self.feeds(world)
        assert "<script>" in (atom.findtext(f"{ATOM}entry/{ATOM}title") or "")
        assert feed["items"][1]["id"] == "urn:uring:notices:cs:a%3A%2F%20%3Cb%3E"

    def test_a_title_that_shows_markup_is_text_in_every_reader(self) -> None:
        """A summary is declared HTML: readers take what is in it for markup."""
        world = Watched()
        title = "<img src=x onerror=alert(1)> <AI 특강> A&amp;B"
        world.sites["cs"] = page_of([Notice("7", title)])
        world.tick()
        feed, atom = self.feeds(world)
        summary = atom.find(f"{ATOM}entry/{ATOM}summary")
        assert summary is not None
        assert summary.get("type") == "html"
        assert "<" not in (summary.text or "")
        assert unescape(summary.text or "") == feed["items"][0]["content_text"]
        assert title in feed["items"][0]["content_text"]

    @pytest.mark.parametrize("day", ["0001-01-01", "1900-01-01", "1969-12-31"])
    def test_a_day_that_no_notice_has_is_none(self, day: str) -> None:
        """A program's empty date; and its offset could not be written (RFC 3339)."""
        world = Watched()
        world.sites["cs"] = page_of([Notice("7", "일곱", date=day)])
        world.tick()
        feed, atom = self.feeds(world)
        assert feed["items"][0]["date_published"] == "2026-03-02T01:05:00Z"
        assert atom.findtext(f"{ATOM}entry/{ATOM}published") == "2026-03-02T01:05:00+00:00"

    def test_a_notice_is_published_on_its_own_day_in_the_zone_of_its_board(self) -> None:
        world = Watched()
        days = {"1": "2019-05-06", "2": "2026-03-02", "3": "2026-03-09"}
        world.sites["cs"] = page_of([Notice(key, key, date=day) for key, day in days.items()])
        world.tick()
        feed, atom = self.feeds(world)
        published = [item["date_published"] for item in feed["items"]]
        # A day to come is no day of publication: then it is when the notice was first seen.
        assert sorted(published) == [
            "2019-05-06T00:00:00+09:00",
            "2026-03-02T00:00:00+09:00",
            "2026-03-02T01:05:00Z",
        ]
        moments = [entry.findtext(f"{ATOM}published") for entry in atom.findall(f"{ATOM}entry")]
        assert [datetime.fromisoformat(text or "") for text in moments] == [
            datetime.fromisoformat(text) for text in published
        ]

    def test_each_object_says_what_it_is_and_how_long_it_holds(self) -> None:
        world = Watched("cs")
        world.tick()
        world.watch()
        kinds = {
            key: (versions[-1].content_type.partition(";")[0], versions[-1].cache_control)
            for key, versions in world.bucket.versions.items()
            if key.startswith("data/") and not key.endswith((".jsonl", "latest.json"))
        }
        assert kinds == {
            "data/cs/due.ics": ("text/calendar", "public, max-age=300"),
            "data/cs/feed.atom": ("application/xml", "public, max-age=300"),
            "data/cs/feed.json": ("application/json", "public, max-age=300"),
            "data/cs/health.json": ("application/json", "public, max-age=60"),
            "data/index.json": ("application/json", "public, max-age=60"),
        }

    @pytest.mark.parametrize("body", [b"{", b"[]", b'{"items": [{}]}', b'{"items": 3}'])
    def test_a_damaged_feed_is_made_anew(self, body: bytes) -> None:
        world = Watched()
        world.tick()
        world.bucket.plant("data/cs/feed.json", body)
        feed, _ = self.feeds(world)
        assert len(feed["items"]) == 2
