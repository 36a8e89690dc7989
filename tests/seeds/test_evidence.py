"""Evidence of many domains is one segment; the metadata say where each record is."""

import gzip
import io
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes.seeds import PARTITION, SeedWorld, record, sitemap_of

from uring.errors import Unavailable
from uring.seeds.domains.warc import BadSegment, Segment, read_record

ROBOTS = b"User-agent: *\nAllow: /\n"
NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)


def name(number: int) -> str:
    return f"site{number}.com"


def collected(domains: int, *, ranges: bool = True, evidence: Any = "segments") -> SeedWorld:
    """A world in which so many domains are collected."""
    world = SeedWorld(ranges=ranges, evidence=evidence)
    for number in range(domains):
        world.web.put(name(number), ROBOTS + b"# %d" % number, sitemap_of(number + 1))
    world.put(record(f"https://{name(number)}/") for number in range(domains))
    world.orchestrate()
    world.read_files()
    world.collect()
    return world


def evidence_of(world: SeedWorld, domain: str) -> dict[str, bytes]:
    """The bodies that the metadata of a domain name."""
    found = {}
    for each in world.metadata(domain)["evidence"]:
        segment = world.bucket.body(each["key"])
        member = segment[each["offset"] : each["offset"] + each["length"]]
        found[each["name"]] = read_record(member)
    return found


@pytest.mark.parametrize("ranges", [True, False])
def test_the_metadata_lead_to_the_bodies(*, ranges: bool) -> None:
    world = collected(30, ranges=ranges)
    for number in range(30):
        assert evidence_of(world, name(number)) == {
            "robots.txt": ROBOTS + b"# %d" % number,
            "sitemap.xml": sitemap_of(number + 1),
        }
    keys = world.bucket.bodies()
    segments = [key for key in keys if key.endswith(".warc.gz")]
    assert all(key.startswith(f"processing/evidence/{PARTITION.path}/") for key in segments)
    assert len(segments) == (2 if ranges else 30)
    assert not [key for key in keys if key.endswith(("/robots.txt", "/sitemap.xml"))]


def test_a_segment_comes_before_metadata_and_these_before_marks() -> None:
    world = collected(2)
    kinds = [key.rpartition("/")[2] for key in world.bucket.calls.written[-5:]]
    assert kinds[0].endswith(".warc.gz")
    assert kinds[1:] == ["domain_metadata.json"] * 2 + ["domain_metadata.json.success"] * 2


def test_without_evidence_there_is_the_result_alone() -> None:
    world = collected(2, evidence="none")
    assert "evidence" not in world.metadata(name(0))
    assert world.metadata(name(0))["robots"]["content_length"] == len(ROBOTS) + 3
    endings = {key.rpartition("/")[2] for key in world.bucket.bodies() if name(0) in key}
    assert endings == {"domain_metadata.json", "domain_metadata.json.success"}


def test_objects_are_what_they_were() -> None:
    world = collected(1, evidence="objects")
    assert "evidence" not in world.metadata(name(0))
    assert world.bucket.body(f"processing/{PARTITION.path}/site0.com/sitemap.xml") == sitemap_of(1)


def test_a_segment_that_cannot_be_saved_costs_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    world = SeedWorld(ranges=True, evidence="segments")
    write = world.bucket.write

    def fail(key: str, *arguments: Any) -> None:
        if key.endswith(".warc.gz"):
            raise Unavailable("no answer")
        write(key, *arguments)

    monkeypatch.setattr(world.bucket, "write", fail)
    world.web.put("a.com", ROBOTS, sitemap_of(1))
    world.put([record("https://a.com/")])
    world.orchestrate()
    world.read_files()
    world.collect()
    assert world.is_marked("a.com")
    assert "evidence" not in world.metadata("a.com")
    assert len(world.telemetry.named("evidence_not_saved")) == 1


def test_domains_without_a_body_make_no_segment() -> None:
    world = SeedWorld(ranges=True, evidence="segments")
    world.put([record("https://nothing.com/")])
    world.orchestrate()
    world.read_files()
    world.collect()
    assert world.is_marked("nothing.com")
    assert not [key for key in world.bucket.bodies() if key.endswith(".warc.gz")]


def test_a_segment_is_a_warc_file_of_gzip_members() -> None:
    segment = Segment("evidence/x.warc.gz", NOW)
    offset, length = segment.add(
        "https://a.com/robots.txt\r\nX: y", "text/plain", ROBOTS, truncated=True
    )
    assert offset + length == len(segment.content)
    text = gzip.GzipFile(fileobj=io.BytesIO(segment.content)).read()
    info, resource = text.split(b"WARC/1.1\r\n")[1:]
    assert b"WARC-Type: warcinfo\r\n" in info
    head, body = resource.split(b"\r\n\r\n", 1)
    lines = head.decode().split("\r\n")
    assert lines[0] == "WARC-Type: resource"
    assert lines[1].startswith("WARC-Record-ID: <urn:uuid:")
    assert lines[2:] == [
        "WARC-Date: 2026-03-02T01:00:00Z",
        "WARC-Target-URI: https://a.com/robots.txtX:y",
        "WARC-Truncated: length",
        "Content-Type: text/plain",
        f"Content-Length: {len(ROBOTS)}",
    ]
    assert body == ROBOTS + b"\r\n\r\n"


@pytest.mark.parametrize(
    "member",
    [
        b"",
        b"no gzip",
        gzip.compress(b"", mtime=0),
        gzip.compress(b"HTTP/1.1 200\r\n\r\n", mtime=0),
        gzip.compress(b"WARC/1.1\r\nContent-Length: x\r\n\r\n", mtime=0),
        gzip.compress(b"WARC/1.1\r\nContent-Length: 9\r\n\r\nshort", mtime=0),
    ],
)
def test_other_bytes_are_not_a_record(member: bytes) -> None:
    with pytest.raises(BadSegment):
        read_record(member)
