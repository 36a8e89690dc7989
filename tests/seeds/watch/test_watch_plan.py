"""Watches and collected domains to jobs; and the watches in the registry of families."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes import MemoryBucket, MemoryQueue, MemoryWorkQueue, RecordingTelemetry, VirtualClock
from fakes.watched_domains import WATCH

from uring.changes.jobs import Orchestrator, Planned, Ticks
from uring.contracts import MAX_BODY_CHARACTERS, Job
from uring.errors import ConfigInvalid, Misconfigured
from uring.functions.families import family, folders_beside
from uring.objects import Listed
from uring.seeds.registration import ENTRIES, NAME, WHAT
from uring.seeds.watch.plan import WatchPlan
from uring.seeds.watch.watch import ShardEntry, Watch
from uring.sources.config import load_entries

KEY = "config/watches.json"
MIDNIGHT = datetime(2026, 2, 1, tzinfo=UTC)


class Bucket:
    """Watches and results, and the plan over them."""

    def __init__(self, *watches: Any) -> None:
        self.objects, self.telemetry = MemoryBucket(VirtualClock()), RecordingTelemetry()
        self.write(KEY, json.dumps({ENTRIES: watches}).encode())
        self.plan = WatchPlan(
            self.objects, self.telemetry, config_key=KEY, taken={"cs": "notices"}, tick_minutes=60
        )

    def write(self, key: str, body: bytes = b"") -> None:
        self.objects.put(key, body, if_match=None, content_type="application/json")

    def collected(
        self, date: str, *domains: str, partition: str = "country=sg/category=news"
    ) -> None:
        for domain in domains:
            self.write(f"processing/{partition}/date={date}/{domain}/domain_metadata.json.success")

    def due(self, at: datetime = MIDNIGHT) -> dict[str, list[str]]:
        return {each.source: list(each.entry["domains"]) for each in self.plan.due(at)}


def job(planned: Planned) -> Job:
    return Job(
        family=NAME,
        source=planned.source,
        scheduled_at=MIDNIGHT,
        interval_minutes=planned.interval_minutes,
        entry=dict(planned.entry),
    )


def test_the_domains_of_a_partition_are_watched_once_they_are_collected() -> None:
    bucket = Bucket(WATCH)
    bucket.collected("2026-01-28", "mom.gov.sg", "a.com.sg")
    above = "processing/country=sg/category=news/date=2026-01-28"
    bucket.write(f"{above}/half.com.sg/domain_metadata.json")
    bucket.write(f"{above}/deep.com.sg/x/domain_metadata.json.success")
    bucket.collected("2026-01-28", "b.com.sg", partition="country=sg/category=sport")
    assert bucket.due() == {"sg-news.1of1": ["a.com.sg", "mom.gov.sg"]}
    (planned,) = bucket.plan.due(MIDNIGHT)
    entry = ShardEntry.of(job(planned))
    assert (entry.watch.name, entry.domains) == (WATCH["name"], ("a.com.sg", "mom.gov.sg"))


def test_the_two_newest_dates_count() -> None:
    """The newest may be under way; what two in a row do not have is watched no longer."""
    bucket = Bucket(WATCH)
    bucket.collected("2026-01-01", "old.com.sg")
    bucket.collected("2026-01-28", "a.com.sg", "b.com.sg")
    bucket.collected("2026-01-29", "c.com.sg")
    bucket.collected("2026-13-29", "d.com.sg")
    assert bucket.due() == {"sg-news.1of1": ["a.com.sg", "b.com.sg", "c.com.sg"]}


def test_a_domain_stays_in_its_shard_and_each_is_in_one() -> None:
    bucket = Bucket({**WATCH, "shards": 4})
    domains = [f"d{number}.com.sg" for number in range(200)]
    bucket.collected("2026-01-28", *domains)
    before = bucket.due()
    assert sorted(before) == [f"sg-news.{number}of4" for number in range(1, 5)]
    assert sorted(name for own in before.values() for name in own) == sorted(domains)
    assert all(30 < len(own) < 70 for own in before.values())
    bucket.collected("2026-01-29", *domains, "new.com.sg")
    after = bucket.due()
    assert all(set(own) <= set(after[source]) for source, own in before.items())


@pytest.mark.parametrize(
    ("interval", "hours"),
    [(1440, [0]), (720, [0, 12]), (60, [*range(24)])],
)
def test_a_watch_is_listed_where_it_is_due_and_at_no_other_tick(
    interval: int, hours: Sequence[int]
) -> None:
    bucket = Bucket({**WATCH, "interval_minutes": interval})
    bucket.collected("2026-01-28", "a.com.sg")
    assert [hour for hour in range(24) if bucket.due(MIDNIGHT.replace(hour=hour))] == hours
    orchestrator = Orchestrator(
        NAME,
        lambda: bucket.plan.due(MIDNIGHT),
        MemoryWorkQueue(MemoryQueue(VirtualClock())),
        bucket.telemetry,
        ticks=Ticks(60),
    )
    assert orchestrator.tick(MIDNIGHT) == 1


def test_a_watch_that_wants_more_ticks_than_there_are_is_refused() -> None:
    """Checked daily, an hourly one would be reported as unchecked all day."""
    bucket = Bucket({**WATCH, "interval_minutes": 60})
    bucket.collected("2026-01-28", "a.com.sg")
    bucket.plan = WatchPlan(
        bucket.objects, bucket.telemetry, config_key=KEY, taken={}, tick_minutes=1440
    )
    assert bucket.due() == {}
    (refused,) = bucket.telemetry.named("watch_refused")
    assert refused["remedy"] == "raise interval_minutes to 1440"


def test_more_domains_than_a_shard_takes_are_refused_with_the_remedy() -> None:
    bucket = Bucket(WATCH, {**WATCH, "id": "two", "shards": 2})
    bucket.collected("2026-01-28", *(f"d{number}.com.sg" for number in range(1_001)))
    assert sorted(bucket.due()) == ["two.1of2", "two.2of2"]
    (refused,) = bucket.telemetry.named("watch_refused")
    assert refused["watch"] == "sg-news"
    assert "raise shards" in refused["remedy"]


def test_a_partition_of_millions_is_not_listed_to_its_end() -> None:
    bucket = Bucket(WATCH)
    listed = 0

    def endless(prefix: str) -> Iterator[Listed]:
        nonlocal listed
        for listed in range(5_000):
            yield Listed(f"{prefix}d{listed}.com.sg/domain_metadata.json.success", "")

    bucket.objects.folders = lambda _: iter(["date=2026-01-28"])  # type: ignore[method-assign]
    bucket.objects.list = endless  # type: ignore[method-assign]
    assert bucket.due() == {}
    assert listed == 1_000
    assert "more than 1000 domains" in bucket.telemetry.named("watch_refused")[0]["reason"]


def test_the_fullest_shard_decides() -> None:
    bucket = Bucket({**WATCH, "shards": 2})
    watch = Watch.model_validate({**WATCH, "shards": 2})
    all_names = (f"d{number}.com.sg" for number in range(5_000))
    one = [name for name in all_names if watch.source_of(name) == "sg-news.1of2"]
    bucket.collected("2026-01-28", *one[:1_001])
    assert bucket.due() == {}
    (refused,) = bucket.telemetry.named("watch_refused")
    assert "a shard has 1001 of its 1001 domains" in refused["reason"]


def test_a_job_of_the_longest_names_fits_into_a_message() -> None:
    """No registrable domain is much longer: two labels of 63 and a suffix."""
    bucket = Bucket(WATCH)
    names = [f"{number:05}{'a' * 58}.{'b' * 63}.sch.uk" for number in range(1_000)]
    bucket.collected("2026-01-28", *names)
    (planned,) = bucket.plan.due(MIDNIGHT)
    assert len(planned.entry["domains"]) == 1_000
    assert len(job(planned).body()) < MAX_BODY_CHARACTERS


@pytest.mark.parametrize(
    "folder", ["gov.sg", "www.mom.gov.sg", "127.0.0.1", "localhost", "MOM.gov.sg", "a_b", "x.zzzz"]
)
def test_a_folder_that_is_no_registrable_domain_is_never_asked(folder: str) -> None:
    bucket = Bucket(WATCH)
    bucket.collected("2026-01-28", folder, "a.com.sg")
    assert bucket.due() == {"sg-news.1of1": ["a.com.sg"]}
    (skipped,) = bucket.telemetry.named("folders_skipped")
    assert skipped["folders"] == 1


def test_a_partition_without_results_makes_no_job_and_a_line() -> None:
    bucket = Bucket(WATCH)
    assert bucket.due() == {}
    (line,) = bucket.telemetry.named("watch_empty")
    assert line["watch"] == "sg-news"


def test_a_bad_entry_costs_itself() -> None:
    bucket = Bucket({**WATCH, "id": "bad", "country": "SGP"}, WATCH)
    bucket.collected("2026-01-28", "a.com.sg")
    assert [*bucket.due()] == ["sg-news.1of1"]
    (refused,) = bucket.telemetry.named("entry_refused")
    assert refused["entry"] == "bad"


def test_a_file_that_is_not_there_or_is_none_is_named() -> None:
    bucket = Bucket()
    bucket.objects.plant(KEY, b"[]")
    with pytest.raises(ConfigInvalid, match="the list of watches"):
        bucket.due()
    bucket.objects.remove(KEY)
    with pytest.raises(Misconfigured, match=KEY):
        bucket.due()


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        ({"interval_minutes": 10}, "interval_minutes", "do not divide a day"),
        ({"interval_minutes": 420}, "interval_minutes", "do not divide a day"),
        ({"country": "SG"}, "country", "'SG' is not a country"),
        ({"country": "sg\n"}, "country", "is not a country"),
        ({"category": "../x"}, "category", "is not a category"),
        ({"shards": 0}, "shards", "less than 1"),
        ({"shards": 65}, "shards", "more than 64"),
        ({"push": ["robots_gone"]}, "push[0]", "is not"),
        ({"compare": "words"}, "compare", "is not"),
        ({"id": "x" * 57}, "id", "57 characters"),
        ({"id": "cs"}, "id", "a folder of the family notices"),
        ({"topic": "a b"}, "topic", "is not a topic"),
        ({"name": ""}, "name", "is empty"),
        ({"shard": 4}, "shard", "unknown key"),
        ({"epoch": 0}, "epoch", "less than 1"),
    ],
)
def test_what_is_wrong_with_a_watch_is_named_with_its_place(
    change: dict[str, Any], place: str, message: str
) -> None:
    body = json.dumps({ENTRIES: [{**WATCH, **change}]}).encode()
    entries = load_entries(body, Watch, key=ENTRIES, what=WHAT, taken={"cs": "notices"})
    assert entries.sources == ()
    (problem,) = entries.problems
    assert problem.path == f"watches[0].{place}"
    assert message in problem.message
    assert problem.remedy


def test_the_monitor_watches_every_shard() -> None:
    bucket = Bucket({**WATCH, "shards": 2, "topic": "news"})
    watched = family(NAME).watched({"WATCHES_KEY": KEY}, bucket.objects, folders_beside(NAME))
    assert [(each.id, each.topic, each.interval_minutes) for each in watched] == [
        ("sg-news.1of2", "news", 1440),
        ("sg-news.2of2", "news", 1440),
    ]
    assert family(NAME).named("sg-news.1of2") == {"watch": "sg-news"}
