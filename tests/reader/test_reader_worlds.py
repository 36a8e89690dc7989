"""What the engine writes, as its readers read it: the archive alone makes `latest.json`."""

import json
from typing import Any, get_args

import pytest
from fakes.clock import VirtualClock
from fakes.fetcher import Notice
from fakes.registry import Rule
from fakes.worlds import FamilyWorld, NoticeWorld, RegulationWorld
from javascript import JavaScript
from reader_twin import Loaded, fold, merge, pages, parse_lines
from twin import call, canonical

from uring.push.payload import compose
from uring.seeds.watch.watch import Kind
from uring.weather.events import EventKind

CHARTER, STAFF, LABS = Rule("학칙", "868"), Rule("직제 규정", "869"), Rule("연구소 규정", "870")
RENAMED, REVISED = Rule("연구원 규정", "870"), Rule("직제 규정", "880")
REGISTRY_DAYS = [
    [CHARTER, STAFF, LABS],
    [CHARTER, REVISED, LABS],
    [CHARTER, REVISED, RENAMED],
    # Its old name is given to another regulation.
    [CHARTER, REVISED, RENAMED, Rule("연구소 규정", "950")],
    # Deleted once it is missing twice, and back.
    [REVISED, RENAMED, Rule("연구소 규정", "950")],
    [REVISED, RENAMED, Rule("연구소 규정", "950")],
    [CHARTER, REVISED, RENAMED, LABS],
    [CHARTER, REVISED, LABS],
]


def registry() -> RegulationWorld:
    world = RegulationWorld()
    for rules in REGISTRY_DAYS:
        world.day(*rules)
    return world


def board() -> NoticeWorld:
    world = NoticeWorld(VirtualClock())
    world.check()
    for number in range(3, 9):
        world.clock.advance(days=20)
        world.show(Notice(str(number), "새"), Notice(str(number - 1), "고침"), Notice("1", "하나"))
        world.check()
    return world


def loader(world: FamilyWorld[Any]) -> Any:
    def load(path: str) -> Loaded:
        stored = world.bucket.get(f"data/{path}")
        return Loaded(403, None) if stored is None else Loaded(200, stored.body.decode())

    return load


def archive(world: FamilyWorld[Any], source: str) -> list[dict[str, Any]]:
    return [
        line
        for each in world.bucket.list(f"data/{source}/archive/")
        for line in parse_lines(world.bucket.body(each.key).decode()).lines
    ]


@pytest.mark.parametrize(("make", "source"), [(registry, "rules"), (board, "cs")])
def test_a_folded_archive_has_the_items_of_latest_json(
    make: Any, source: str, uring_js: JavaScript
) -> None:
    world = make()
    lines = archive(world, source)
    latest = {item["id"]: item for item in world.document(f"data/{source}/latest.json")["items"]}
    folded = fold(lines)
    assert {key: entry.item for key, entry in folded.items() if not entry.is_gone} == latest
    assert merge(folded, [*latest.values()]).keys() == folded.keys()
    assert canonical(uring_js.call("fold", lines)) == canonical(call("fold", lines))


def test_a_registry_has_its_texts_apart_and_its_former_names_in_the_history() -> None:
    folded = fold(archive(registry(), "rules"))
    assert all(key.startswith("text/") for key in folded.texts)
    assert {entry.item["title"] for entry in folded.texts.values()} >= {"학칙", "직제 규정"}
    assert not any(key.startswith("text/") for key in folded)
    renamed = [entry.history for entry in folded.values() if "renamed_from" in entry.history[-1]]
    assert all(len(history) > 1 for history in renamed)


def test_pages_lead_back_to_the_first_sight() -> None:
    world = board()
    read = [*pages("cs", loader(world))]
    assert [page.month for page in read[1:-1]] == ["202606", "202605", "202604", "202603"]
    ids = [item["id"] for page in read for item in page.items]
    assert sorted(ids) == [str(number) for number in range(1, 9)]
    assert not read[-1].more
    assert not any(page.broken or page.missing for page in read)


@pytest.mark.parametrize("kind", [*get_args(EventKind), *get_args(Kind)])
def test_every_kind_of_weather_and_watches_has_words(kind: str) -> None:
    for language, none in (("ko", "바뀜"), ("en", "Changed")):
        message = {"event_id": "e", "title": "t", "kind": kind}
        assert call("decide", message, {"language": language}, [], None)["body"] != none


@pytest.mark.parametrize("make", [registry, board])
def test_every_push_has_words_and_leads_somewhere(make: Any, uring_js: JavaScript) -> None:
    world = make()
    changes = [*world.messages(), *(world.texts.messages() if make is registry else ())]
    assert changes
    for change in changes:
        push = compose(change)
        whole = json.loads(json.dumps({"data": push.data, "from": f"/topics/{push.topic}"}))
        shown = call("decide", whole, {}, [], "12:00")
        assert (shown["show"], shown["reason"]) == ("banner", "all")
        assert shown["title"] == change.content["title"]
        assert not shown["body"].startswith("바뀜")
        assert shown["url"]
        assert canonical(uring_js.call("decide", whole, {}, [], "12:00")) == canonical(shown)
