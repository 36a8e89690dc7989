"""A report says what came since the one before it, and is made once (S9, S13)."""

from datetime import date, timedelta

import pytest
from fakes.clock import VirtualClock
from fakes.seeds import PARTITION, SeedWorld

from uring.errors import CorruptState
from uring.seeds.counters import DomainCount
from uring.seeds.names import generate_domain_hash
from uring.seeds.partition import Partition
from uring.seeds.reports.markdown import markdown
from uring.seeds.reports.report import due

OTHER = Partition("my", "edu", "2026-02-28")
TODAY = VirtualClock().now.date()
YESTERDAY = TODAY - timedelta(days=1)


def count(world: SeedWorld, number: int, partition: Partition = PARTITION, **counts: int) -> None:
    domain = f"site{number}.com"
    digest = generate_domain_hash(domain)
    started = world.progress.started(partition)
    assert started is not None
    world.progress.domains(partition, started.epoch, [DomainCount(domain, digest, counts)])


@pytest.fixture
def world() -> SeedWorld:
    world = SeedWorld()
    world.progress.start(PARTITION, None, 2, world.clock())
    for number in range(3):
        count(world, number, collected=1, urls=10, milliseconds=1_500)
    count(world, 3, unreachable=1, milliseconds=1_500)
    return world


def test_a_report_s_figures_are_those_since_the_one_before(world: SeedWorld) -> None:
    (first,) = world.reporter.make_due(world.clock.advance(days=1))
    assert first.since == {"collected": 3, "milliseconds": 6_000, "unreachable": 1, "urls": 30}
    assert (first.day, first.before) == ("2026-03-02", "")
    count(world, 4, collected=1, urls=5)
    count(world, 3, collected=1)
    (second,) = world.reporter.make_due(world.clock.advance(days=1))
    assert (second.day, second.before) == ("2026-03-03", "2026-03-02")
    assert second.since["collected"] == 2
    assert second.since["unreachable"] == -1
    assert second.totals["collected"] == 5


def test_a_tick_that_was_missed_is_made_up_for(world: SeedWorld) -> None:
    world.reporter.make_due(world.clock.advance(days=1))
    count(world, 9, collected=1)
    (report,) = world.reporter.make_due(world.clock.advance(days=3))
    assert (report.before, report.since) == ("2026-03-02", {"collected": 1})


def test_on_mondays_there_is_a_week(world: SeedWorld) -> None:
    assert TODAY.weekday() == 0
    daily, weekly = world.reporter.make_due(world.clock())
    assert (daily.kind, weekly.kind) == ("daily", "weekly")
    assert daily.key == "processing/reports/daily/2026-03-01"
    assert weekly.key == "processing/reports/weekly/2026-W09"
    count(world, 9, collected=1)
    _, weekly = world.reporter.make_due(world.clock.advance(days=7))
    assert (weekly.before, weekly.since) == ("2026-03-01", {"collected": 1})
    assert due(date(2026, 3, 3)) == [("daily", date(2026, 3, 2))]


def test_a_tick_that_comes_twice_makes_one_report(world: SeedWorld) -> None:
    """Its Markdown is of the figures that are stored, whatever has come since."""
    now = world.clock.advance(days=1)
    world.reporter.make_due(now)
    key = "processing/reports/daily/2026-03-02"
    text, body = world.bucket.body(f"{key}.md"), world.bucket.body(f"{key}.json")
    world.bucket.remove(f"{key}.md")
    count(world, 4, collected=1)
    world.reporter.make_due(now)
    assert world.bucket.body(f"{key}.json") == body
    assert world.bucket.body(f"{key}.md") == text


def test_partitions_that_changed_are_listed_and_all_are_summed(world: SeedWorld) -> None:
    world.progress.start(OTHER, None, 1, world.clock())
    count(world, 1, OTHER, collected=1)
    world.reporter.make_due(world.clock.advance(days=1))
    count(world, 2, OTHER, collected=1)
    (report,) = world.reporter.make_due(world.clock.advance(days=1))
    assert [each.partition for each in report.partitions] == [OTHER.name]
    assert report.totals["collected"] == 5


def test_a_forced_collection_is_new_all_of_it(world: SeedWorld) -> None:
    world.reporter.make_due(world.clock.advance(days=1))
    world.progress.start(PARTITION, "again", 2, world.clock())
    count(world, 0, collected=1, urls=9)
    (report,) = world.reporter.make_due(world.clock.advance(days=1))
    assert report.since == {"collected": 1, "urls": 9}


def test_the_markdown_has_the_figures(world: SeedWorld) -> None:
    (report,) = world.reporter.make_due(world.clock.advance(days=1))
    text = markdown(report)
    assert text.startswith("# Seed engine: day 2026-03-02\n")
    assert "| domains collected | 3 | 3 |" in text
    assert "| success ratio | 75.0% | 75.0% |" in text
    assert "| mean time a domain | 1.5 s | 1.5 s |" in text
    assert "| sg/news/2026-01-28 |" in text


def test_without_a_collection_there_is_no_report() -> None:
    world = SeedWorld()
    assert world.reporter.make_due(world.clock()) == []
    assert not world.bucket.bodies()


def test_what_was_asked_for_long_ago_is_in_no_report(world: SeedWorld) -> None:
    assert world.reporter.make_due(world.clock.advance(days=36)) == []


def test_a_report_that_is_none_is_told(world: SeedWorld) -> None:
    world.bucket.plant("processing/reports/daily/2026-03-01.json", b"[]")
    with pytest.raises(CorruptState, match="delete it"):
        world.reporter.make_due(world.clock.advance(days=1))
