"""docs/notices.md has every key of an entry and of what readers and devices get."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fakes.clock import VirtualClock
from fakes.fetcher import Notice
from fakes.worlds import NoticeWorld

from uring.changes.health import class_of
from uring.changes.registry import WatchedSource
from uring.changes.state import Health
from uring.notices.presets import PRESETS
from uring.notices.registration import NoticesRegistration
from uring.notices.source import Source
from uring.push.payload import compose
from uring.reading.request_rules import RequestRule, TlsRule
from uring.sources.entry import keys_of
from uring.watch.status import assess, facts_of, health_document, index_entry

PAGE = (Path(__file__).parents[2] / "docs" / "notices.md").read_text("utf-8")
CS = WatchedSource(
    "cs", "컴퓨터공학부", "https://cs.example.ac.kr", "cs", 10, "Asia/Seoul", college="공과대학"
)


def words(text: str) -> list[str]:
    return re.findall("`([^`]+)`", text)


def rows(heading: str) -> dict[str, str]:
    """The second cells of a table, by the words of the first."""
    _, _, table = PAGE.partition(f"| {heading} |")
    lines = table.partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return {word: second for first, second in cells for word in words(first) or [first]}


@pytest.fixture(scope="module")
def world() -> NoticeWorld:
    world = NoticeWorld(VirtualClock())
    world.check()
    world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    world.check()
    return world


def test_every_key_of_an_entry_is_there() -> None:
    assert list(rows("key")) == list(keys_of(Source))


def test_every_key_of_a_request_is_there() -> None:
    keys = [name for name in keys_of(RequestRule) if name != "tls"]
    assert list(rows("in `request`")) == [
        *keys,
        *(f"tls.{name}" for name in ("extra_ca", "legacy", "verify")),
    ]
    assert {"extra_ca", "legacy", "verify"} == {*keys_of(TlsRule)}


def test_every_preset_is_there() -> None:
    assert rows("preset").keys() == PRESETS.keys()


def test_every_reason_is_one_that_has_to_be_looked_at() -> None:
    """But for a maintenance notice, which may pass by itself."""
    health = Health(status="suspect", since="2026-03-01T00:00:00Z")
    classes = {
        word: class_of(health.model_copy(update={"reason": word})) for word in rows("reason")
    }
    assert classes.pop("maintenance") == "transient"
    assert set(classes.values()) == {"blocked", "structure"}


def test_every_key_that_readers_get_is_there(world: NoticeWorld) -> None:
    shown = {name: words(cell) for name, cell in rows("object").items()}
    latest: dict[str, Any] = world.document("data/cs/latest.json")
    (archive,) = (body for key, body in world.bucket.bodies().items() if "/archive/" in key)
    line = json.loads(archive.splitlines()[-1])
    status = assess(CS, facts_of(world.state, "etag"), world.clock())
    health = health_document(CS, status)
    assert shown["meta"] == list(latest["meta"])
    assert shown["an item"] == list(latest["items"][0])
    assert [*shown["a line of the archive"], *shown["an item"]] == list(line)
    assert shown["health.json"] == list(health)
    assert shown["/data/index.json"][1:] == [
        name for name in index_entry(NoticesRegistration(), CS, status) if name not in health
    ]


def test_every_key_that_devices_get_is_there(world: NoticeWorld) -> None:
    (change,) = world.messages()
    told = PAGE.partition("all values strings:")[2].partition(".")[0]
    assert set(words(told)) == compose(change).data.keys()
