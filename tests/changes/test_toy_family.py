"""What a third family gets from the engine alone: all of it, in a hundred and thirty lines."""

import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes import MemoryWorkQueue
from fakes.toy_family import NAME
from faulty import KINDS
from toy_shop import SAW, TICK, Shop
from verdict import CAUSES, UNEXPLAINED, Verdict, judge

from uring.changes.jobs import Orchestrator, Planned, Ticks
from uring.contracts import Job
from uring.errors import FetchFailed

TOY = Path(__file__).parents[1] / "fakes" / "toy_family.py"


def judged(shop: Shop) -> Verdict:
    return judge(shop, hot_items=30)


def test_it_is_small() -> None:
    assert len(TOY.read_text().splitlines()) <= 150


def test_its_changes_are_committed_archived_shown_and_pushed() -> None:
    shop = Shop()
    shop.run()
    assert not judged(shop).wrong, str(judged(shop))
    assert shop.kinds() == [
        ("new", "lamp"),
        ("edited", "kettle"),
        ("renamed", "chain saw"),
        ("deleted", "kettle"),
        ("returned", "kettle"),
    ]
    items = shop.document("data/shop/latest.json")["items"]
    assert [item["id"] for item in items] == ["kettle", "chain saw", "lamp"]
    archive = b"".join(
        body for key, body in sorted(shop.objects.bodies().items()) if "/archive/" in key
    )
    lines = [json.loads(line) for line in archive.splitlines()]
    assert [line["renamed_from"] for line in lines if line["kind"] == "renamed"] == ["saw"]
    pushed = [post.data for post in shop.fcm.accepted if post.data["kind"] == "renamed"]
    assert [data["renamed_from"] for data in pushed] == ["saw"]


def test_its_feed_health_index_and_alerts_come_from_the_monitor() -> None:
    shop = Shop([[SAW], FetchFailed("timeout", "closed")])
    for number in range(4):
        shop.clock.now = shop.begins + number * TICK
        shop.round()
    shop.monitor.run(lambda: 100)
    feed = shop.document("data/shop/feed.json")
    assert [item["title"] for item in feed["items"]] == ["saw"]
    assert b"urn:uring:recalls:shop:saw" in shop.objects.body("data/shop/feed.atom")
    assert shop.document("data/shop/health.json")["status"] == "failed"
    (entry,) = shop.document("data/index.json")["recalls"]
    assert (entry["id"], entry["class"], entry["reason"]) == ("shop", "transient", "timeout")
    ((subject, text),) = shop.mail
    assert subject == "uRing: 1 source down, 0 up"
    assert text.startswith("DOWN shop (A shop): timeout (transient)")
    shop.shelves = [[SAW]]
    shop.clock.advance(hours=2)
    shop.round()
    shop.monitor.run(lambda: 100)
    assert shop.mail[1:] == [
        ("uRing: 0 sources down, 1 up", "UP shop (A shop): up again, was transient")
    ]


def test_any_single_fault_loses_nothing_and_doubles_only_what_fcm_does() -> None:
    shop = Shop()
    shop.run()
    faults = [
        (number, kind) for number, call in enumerate(shop.faults.calls) for kind in KINDS[call]
    ]
    causes = set()
    for number, kind in faults:
        broken = Shop(plan={number: kind})
        broken.run()
        verdict = judged(broken)
        assert not verdict.wrong, f"{number}:{kind}: {verdict}"
        assert UNEXPLAINED not in verdict.doubled, f"{number}:{kind}"
        causes |= verdict.doubled.keys()
    assert causes == set(CAUSES.values())


def test_pairs_of_faults_lose_nothing() -> None:
    shop = Shop()
    shop.run()
    chance = random.Random(NAME)
    calls = shop.faults.calls
    for _ in range(60):
        first, second = sorted(chance.sample(range(len(calls)), 2))
        plan = {number: chance.choice(KINDS[calls[number]]) for number in (first, second)}
        broken = Shop(plan=plan)
        broken.run()
        assert not judged(broken).wrong, f"{plan}: {judged(broken)}"


@pytest.mark.parametrize("minutes", [10, 30])
def test_its_jobs_come_from_the_engine_s_orchestrator(minutes: int) -> None:
    shop = Shop()
    orchestrator = Orchestrator(
        NAME,
        lambda: [Planned("shop", minutes)],
        MemoryWorkQueue(shop.work),
        shop.telemetry,
        ticks=Ticks(10),
    )
    midnight = datetime(2026, 4, 1, tzinfo=UTC)
    due = [orchestrator.tick(midnight + number * TICK) for number in range(6)]
    assert due == [int(number * 10 % minutes == 0) for number in range(6)]
    job = Job.parse(shop.work.messages[0].body)
    assert (job.family, job.source, job.interval_minutes) == (NAME, "shop", minutes)
