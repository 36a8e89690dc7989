"""A domain becomes a result: evidence, metadata, counters, mark, once (S5, S6, S13, S14)."""

import base64
import hashlib
import json
import zlib
from typing import Any

import pytest
from fakes.seeds import PARTITION, SeedWorld, folder, raw_path, record, sitemap_of

from uring.errors import FetchFailed, Unavailable
from uring.seeds.messages import DomainMessage

MOM = "mom.gov.sg"
ROBOTS = b"User-agent: *\nAllow: /\nSitemap: https://mom.gov.sg/sitemap.xml\n"
DOWN = FetchFailed("timeout", "the answer was not complete in time")


def send(world: SeedWorld, domain: str = MOM, **more: Any) -> None:
    fields = {
        "domain_id": f"gov:sg:{domain}",
        "domain_url": f"https://www.{domain}/newsroom",
        "registrable_domain": domain,
        "authority": "gov",
        "partition_info": {"country": "sg", "category": "news", "date": "2026-01-28"},
        "source_file_path": raw_path(),
        "record_index": 0,
        **more,
    }
    message = DomainMessage.parse(json.dumps(fields))
    world.domains.send(message.group, message.name, message.body())


@pytest.fixture
def world() -> SeedWorld:
    world = SeedWorld()
    world.progress.start(PARTITION, None, 1, world.clock())
    world.web.put(MOM, ROBOTS, sitemap_of(150))
    return world


def counts(world: SeedWorld) -> dict[str, int]:
    return {name: amount for name, amount in world.status().counts.items() if amount}


def test_scenario_3_robots_and_sitemap_are_collected(world: SeedWorld) -> None:
    send(world)
    world.collect()
    metadata = world.metadata(MOM)
    assert metadata["domain_id"] == "gov:sg:mom.gov.sg"
    assert (metadata["country"], metadata["category"]) == ("SG", "news")
    assert metadata["robots"]["exists"] is True
    assert metadata["robots"]["status_code"] == 200
    assert metadata["robots"]["sitemap_urls"] == ["https://mom.gov.sg/sitemap.xml"]
    assert metadata["sitemap"]["exists"] is True
    assert metadata["sitemap"]["url_count"] == 150
    assert metadata["sitemap"]["url"] == "https://mom.gov.sg/sitemap.xml"
    assert metadata["source"] == {"raw_file_path": raw_path(), "record_index": 0}
    assert world.bucket.body(f"{folder(MOM)}/robots.txt") == ROBOTS
    assert world.bucket.body(f"{folder(MOM)}/sitemap.xml") == sitemap_of(150)
    assert world.is_marked(MOM)
    assert not world.domains.messages
    assert counts(world) == {
        "collected": 1,
        "robots_ok": 1,
        "with_sitemap_lines": 1,
        "with_sitemap": 1,
        "urls": 150,
    }


def test_the_order_of_what_is_written_makes_the_mark_true(world: SeedWorld) -> None:
    send(world)
    world.collect()
    written = [key.removeprefix(folder(MOM)) for key in world.bucket.calls.written]
    assert written == [
        "/robots.txt",
        "/sitemap.xml",
        "/domain_metadata.json",
        "/domain_metadata.json.success",
    ]


def test_the_metadata_object_says_what_it_is_of(world: SeedWorld) -> None:
    send(world)
    world.collect()
    assert world.bucket.metadata[f"{folder(MOM)}/domain_metadata.json"] == {
        "domain_id": "gov:sg:mom.gov.sg",
        "registrable_domain": "mom.gov.sg",
        "country": "sg",
        "category": "news",
        "date": "2026-01-28",
    }


def test_a_domain_that_is_done_costs_one_head(world: SeedWorld) -> None:
    send(world)
    world.collect()
    asked, writes = len(world.web.asked), world.bucket.writes
    transactions = len(world.table.history)
    world.bucket.calls.heads.clear()
    world.clock.advance(hours=1)
    send(world)
    world.collect()
    assert len(world.bucket.calls.heads) == 1
    assert (len(world.web.asked), world.bucket.writes) == (asked, writes)
    assert len(world.table.history) == transactions
    assert counts(world)["collected"] == 1


def test_a_domain_of_another_file_is_a_duplicate_and_is_not_asked_again(world: SeedWorld) -> None:
    send(world)
    send(world, source_file_path=raw_path(2))
    world.collect()
    assert world.web.asked.count("https://mom.gov.sg/robots.txt") == 1
    assert counts(world)["collected"] == 1
    assert counts(world)["duplicates"] == 1


def test_force_collects_again_once(world: SeedWorld) -> None:
    send(world)
    world.collect()
    world.progress.start(PARTITION, "again", 1, world.clock())
    world.web.put(MOM, ROBOTS, sitemap_of(151))
    for _ in range(2):
        send(world, force=True, epoch="again")
        world.collect()
        world.clock.advance(hours=1)
    assert world.web.asked.count("https://mom.gov.sg/robots.txt") == 2
    assert world.metadata(MOM)["sitemap"]["url_count"] == 151
    assert world.metadata(MOM)["epoch"] == "again"
    assert counts(world)["collected"] == 1


def test_robots_txt_is_asked_once_a_day_for_all_partitions(world: SeedWorld) -> None:
    send(world)
    other = {"country": "sg", "category": "policy", "date": "2026-01-28"}
    send(world, partition_info=other)
    world.collect()
    assert world.web.asked.count("https://mom.gov.sg/robots.txt") == 1
    body = world.bucket.body(
        "processing/country=sg/category=policy/date=2026-01-28/mom.gov.sg/robots.txt"
    )
    assert body == ROBOTS
    world.clock.advance(hours=24)
    send(world, partition_info={**other, "date": "2026-01-29"})
    world.collect()
    assert world.web.asked.count("https://mom.gov.sg/robots.txt") == 2


def test_a_copy_of_just_now_is_none_for_a_forced_collection(world: SeedWorld) -> None:
    send(world)
    world.collect()
    world.progress.start(PARTITION, "again", 1, world.clock())
    send(world, force=True, epoch="again")
    world.collect()
    assert world.web.asked.count("https://mom.gov.sg/robots.txt") == 2


def plant(world: SeedWorld, **copy: str | int) -> None:
    world.table.put(f"robots/{MOM}", "copy", copy)


@pytest.mark.parametrize("document", [b"", b"{}", b'{"answer": {}, "body": "%"}', b"\xff"])
def test_a_copy_that_cannot_be_read_is_none(world: SeedWorld, document: bytes) -> None:
    plant(world, copy=base64.b64encode(zlib.compress(document)).decode())
    send(world)
    world.collect()
    assert world.metadata(MOM)["robots"]["exists"] is True


@pytest.mark.parametrize("copy", [{"copy": "%"}, {"copy": "AAAA"}, {"copy": 1}, {"object": "x"}])
def test_a_copy_that_is_none_of_ours_is_none(world: SeedWorld, copy: dict[str, str | int]) -> None:
    plant(world, **copy)
    send(world)
    world.collect()
    assert world.metadata(MOM)["robots"]["exists"] is True


def test_a_large_copy_is_an_object(world: SeedWorld) -> None:
    """A write unit of DynamoDB is 1 KB: beyond eight an object is cheaper."""
    lines = (f"Disallow: /{hashlib.sha256(str(n).encode()).hexdigest()}" for n in range(400))
    world.web.put(MOM, ROBOTS + "\n".join(lines).encode(), sitemap_of(1))
    send(world)
    other = {"country": "sg", "category": "policy", "date": "2026-01-28"}
    send(world, partition_info=other)
    world.collect()
    assert world.web.asked.count("https://mom.gov.sg/robots.txt") == 1
    assert world.bucket.calls.written[0] == "processing/robots/mom.gov.sg.json"
    world.bucket.remove("processing/robots/mom.gov.sg.json")
    send(world, partition_info={**other, "date": "2026-01-29"})
    world.collect()
    assert world.web.asked.count("https://mom.gov.sg/robots.txt") == 2


def test_a_copy_expires(world: SeedWorld) -> None:
    send(world)
    world.collect()
    item = world.table.get(f"robots/{MOM}", "copy")
    assert item is not None
    assert int(str(item["expires_at"])) - world.clock().timestamp() == pytest.approx(
        2 * 86_400, abs=1
    )


def test_a_404_is_a_result_and_a_time_out_is_none(world: SeedWorld) -> None:
    world.web.put("nothing.sg", FetchFailed("not_found", "HTTP 404", status=404))
    world.web.put("down.sg", DOWN)
    send(world, "nothing.sg")
    send(world, "down.sg")
    world.collect()
    assert world.metadata("nothing.sg")["robots"]["outcome"] == "unavailable_4xx"
    assert world.metadata("nothing.sg")["robots"]["exists"] is False
    assert world.is_marked("nothing.sg")
    assert not world.is_marked("down.sg")
    (waiting,) = world.domains.messages
    assert waiting.group == "down.sg"
    assert "RecordsFailed" not in world.telemetry.counts


def test_a_domain_that_never_answers_is_asked_three_times_and_told(world: SeedWorld) -> None:
    world.web.put("down.sg", DOWN)
    send(world, "down.sg")
    for _ in range(5):
        world.collect()
        world.clock.advance(minutes=16)
    assert world.web.asked.count("https://down.sg/robots.txt") == 3
    assert "https://down.sg/sitemap.xml" not in world.web.asked
    metadata = world.metadata("down.sg")
    assert metadata["robots"]["outcome"] == "unreachable_network"
    assert metadata["robots"]["status_code"] == 0
    assert not world.is_marked("down.sg")
    (letter,) = world.domain_letters.messages
    assert "unreachable_network" in letter.attributes["reason"]
    assert not world.domains.messages
    assert counts(world) == {"unreachable": 1, "robots_unreachable_network": 1}
    # It is no failure of ours.
    assert "RecordsFailed" not in world.telemetry.counts


def test_a_forced_collection_that_fails_leaves_the_result_before_it(world: SeedWorld) -> None:
    """An outage is no removal: the mark stays true of the metadata beside it."""
    send(world)
    world.collect()
    before = world.metadata(MOM)
    world.web.put(MOM, DOWN)
    world.progress.start(PARTITION, "again", 1, world.clock())
    send(world, force=True, epoch="again")
    for _ in range(3):
        world.collect()
        world.clock.advance(minutes=16)
    assert world.metadata(MOM) == before
    assert counts(world)["unreachable"] == 1
    assert len(world.domain_letters.messages) == 1


def test_a_domain_that_answers_at_the_second_try_is_collected(world: SeedWorld) -> None:
    world.web.put(MOM, DOWN)
    send(world)
    world.collect()
    world.web.put(MOM, ROBOTS, sitemap_of(3))
    world.clock.advance(minutes=16)
    world.collect()
    assert world.is_marked(MOM)
    assert counts(world)["collected"] == 1


def test_a_redriven_domain_leaves_the_unreachable(world: SeedWorld) -> None:
    world.web.put(MOM, DOWN)
    send(world)
    for _ in range(3):
        world.collect()
        world.clock.advance(minutes=16)
    world.web.put(MOM, ROBOTS, sitemap_of(3))
    send(world)
    world.clock.advance(minutes=60)
    world.collect()
    assert world.is_marked(MOM)
    assert "unreachable" not in counts(world)
    assert counts(world)["collected"] == 1


def test_an_outage_that_another_partition_met_is_not_asked_for_again_at_once(
    world: SeedWorld,
) -> None:
    world.web.put("down.sg", DOWN)
    send(world, "down.sg")
    world.collect()
    other = {"country": "sg", "category": "policy", "date": "2026-01-28"}
    world.clock.advance(minutes=14)
    asked = len(world.web.asked)
    send(world, "down.sg", partition_info=other)
    world.collect()
    assert len(world.web.asked) == asked


def test_a_bug_has_three_tries_and_its_letter_a_reason(world: SeedWorld) -> None:
    """The queue's own limit is for deaths, which can give no reason (S7)."""

    def fail(*_: Any) -> None:
        raise RuntimeError("a bug")

    world.web.fetch = fail  # type: ignore[method-assign, assignment]
    send(world)
    for tries in range(1, 4):
        assert not world.domain_letters.messages
        world.collect()
        assert world.telemetry.counts["RecordsFailed"] == tries
        world.clock.advance(minutes=16)
    (letter,) = world.domain_letters.messages
    assert letter.attributes["reason"] == "3 tries, the last: RuntimeError: a bug"
    assert not world.domains.messages


def test_evidence_that_cannot_be_saved_costs_no_result(world: SeedWorld) -> None:
    write = world.bucket.write

    def fail(key: str, *arguments: Any) -> None:
        if key.endswith("robots.txt"):
            raise Unavailable("no answer")
        write(key, *arguments)

    world.bucket.write = fail  # type: ignore[method-assign]
    send(world)
    world.collect()
    assert world.is_marked(MOM)
    (line,) = world.telemetry.named("evidence_not_saved")
    assert line["key"] == f"{folder(MOM)}/robots.txt"


def test_html_is_no_robots_txt(world: SeedWorld) -> None:
    world.web.put("html.sg", b"<!DOCTYPE html><html><body>Sitemap: https://html.sg/x</body></html>")
    send(world, "html.sg")
    world.collect()
    robots = world.metadata("html.sg")["robots"]
    assert (robots["outcome"], robots["exists"], robots["sitemap_lines"]) == ("html", False, 0)


@pytest.mark.parametrize("body", ["{}", "x", '{"domain_id": "gov:sg:a.b/c"}'])
def test_a_message_that_is_none_is_a_dead_letter_at_once(world: SeedWorld, body: str) -> None:
    world.domains.send("g", "n", body)
    world.collect()
    (letter,) = world.domain_letters.messages
    assert "DomainMessage" in letter.attributes["reason"]
    assert world.telemetry.counts["RecordsFailed"] == 1


def test_the_log_says_what_came(world: SeedWorld) -> None:
    send(world)
    world.collect()
    assert [name for name, _ in world.telemetry.events] == [
        "domain_processing_start",
        "robots_fetched",
        "sitemap_fetched",
        "domain_processing_complete",
    ]
    assert world.telemetry.counts["DomainsCollected"] == 1


def test_the_whole_pipeline() -> None:
    """From raw files to marks: duplicates, bad records and a dead domain among them."""
    world = SeedWorld()
    for number in range(20):
        world.web.put(f"site{number}.com", ROBOTS, sitemap_of(number + 1))
    world.web.put("site7.com", DOWN)
    world.put([record(f"https://www.site{number}.com/x") for number in range(12)], 1)
    world.put([record(f"https://site{number}.com/y") for number in range(9, 20)] + ["bad"], 2)
    world.orchestrate()
    world.read_files()
    for _ in range(4):
        world.collect()
        world.clock.advance(minutes=16)
    status = world.status()
    assert status.files == {"done": 2}
    assert status.records == {"records": 24, "domains": 23, "duplicates": 0, "refused": 1}
    assert (status.sent, status.settled) == (23, 23)
    assert counts(world)["collected"] == 19
    assert counts(world)["unreachable"] == 1
    assert counts(world)["duplicates"] == 3
    assert counts(world)["urls"] == sum(range(1, 21)) - 8
    for number in range(20):
        asked = world.web.asked.count(f"https://site{number}.com/robots.txt")
        assert asked == (3 if number == 7 else 1)
        assert world.is_marked(f"site{number}.com") == (number != 7)
    world.clock.advance(hours=1)
    world.bucket.calls.heads.clear()
    sent = len(world.domains.accepted)
    world.orchestrate()
    world.read_files()
    assert world.bucket.calls.heads == [raw_path(1) + ".success", raw_path(2) + ".success"]
    assert len(world.domains.accepted) == sent


def test_an_outage_of_ours_makes_no_dead_letters(
    world: SeedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten minutes without the bucket: three receives last for three."""
    send(world)
    with monkeypatch.context() as broken:

        def head(_: str) -> None:
            raise Unavailable("s3:HeadObject: 503")

        broken.setattr(world.bucket, "head", head)
        for _ in range(10):
            world.collect()
            world.clock.advance(minutes=1)
    for _ in range(16):
        world.collect()
        world.clock.advance(minutes=1)
    assert not world.domain_letters.messages
    assert not world.domains.messages
    assert counts(world)["collected"] == 1


def test_a_message_of_a_newer_release_waits_for_it(world: SeedWorld) -> None:
    """A release that was rolled back for a day leaves no dead letters (X7)."""
    world.domains.send(MOM, "next", json.dumps({"version": 2, "domain": MOM}))
    for _ in range(24):
        world.collect()
        world.clock.advance(hours=1)
    assert not world.domain_letters.messages
    assert len(world.domains.messages) == 1


def test_a_record_s_host_speaks_for_no_other_s(world: SeedWorld) -> None:
    """Else who names any host of a domain that is down decides for every partition."""
    world.web.put("host.com", FetchFailed("connect", "no connection"))
    world.web.answers["https://mallory.host.com/robots.txt"] = b"Disallow: /\n"
    world.web.answers["https://www.host.com/robots.txt"] = ROBOTS
    send(world, "host.com", domain_url="https://mallory.host.com/")
    other = {"country": "sg", "category": "policy", "date": "2026-01-28"}
    send(world, "host.com", partition_info=other)
    world.collect()
    key = "processing/country=sg/category=policy/date=2026-01-28/host.com/robots.txt"
    assert world.bucket.body(key) == ROBOTS
