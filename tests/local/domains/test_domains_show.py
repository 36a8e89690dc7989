"""`uring domains show` against the bucket of a deployed stack: evidence of objects and segments."""

import json
from typing import Any

import pytest
from fakes.seeds import PARTITION, SeedWorld, record, sitemap_of

from uring_local.cli import main

BUCKET = "uring-data"
DOMAIN = "mom.gov.sg"
ROBOTS = b"User-agent: *\nDisallow: /\xff\n"
COMMAND = ("domains", "show", DOMAIN, PARTITION.name, "--stack", "uring-here")


@pytest.fixture
def s3(deployed_s3: Any) -> Any:
    return deployed_s3


def collect(client: Any, evidence: Any) -> None:
    """Collect the domain as the engine does, and upload what it stored."""
    world = SeedWorld(ranges=True, evidence=evidence)
    world.web.put(DOMAIN, ROBOTS, sitemap_of(2))
    world.put([record(f"https://{DOMAIN}/")])
    world.orchestrate()
    world.read_files()
    world.collect()
    for key, body in world.bucket.bodies().items():
        client.put_object(Bucket=BUCKET, Key=key, Body=body)


@pytest.mark.parametrize("evidence", ["objects", "segments"])
def test_a_body_is_printed_wherever_it_is_kept(
    s3: Any, evidence: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    collect(s3, evidence)
    assert main([*COMMAND, "--evidence", "robots.txt"]) == 0
    assert capfdbinary.readouterr().out == ROBOTS
    assert main([*COMMAND, "--evidence", "homepage.html"]) == 1


def test_the_metadata_are_printed_with_the_mark(
    s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    collect(s3, "segments")
    assert main([*COMMAND]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["registrable_domain"], document["is_collected"]) == (DOMAIN, True)
    assert [each["name"] for each in document["evidence"]] == ["robots.txt", "sitemap.xml"]


def test_a_domain_that_was_not_collected_is_named(
    s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    del s3
    assert main([*COMMAND]) == 1
    assert "mom.gov.sg: not collected in sg/news/2026-01-28" in capsys.readouterr().out


def test_a_segment_that_is_another_object_is_told(
    s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    collect(s3, "segments")
    for each in s3.list_objects_v2(Bucket=BUCKET)["Contents"]:
        if each["Key"].endswith(".warc.gz"):
            s3.put_object(Bucket=BUCKET, Key=each["Key"], Body=b"other")
    assert main([*COMMAND, "--evidence", "robots.txt"]) != 0
    assert "collect the domain again" in capsys.readouterr().err


def test_a_partition_is_a_name(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    del s3
    assert main(["domains", "show", DOMAIN, "sg/news", "--stack", "uring-here"]) != 0
    assert "not a partition" in capsys.readouterr().err
