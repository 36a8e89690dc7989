"""What could not be used of a raw file is kept beside it, whatever stops the reading (S3)."""

import json
from itertools import chain

import pytest
from fakes.seeds import SeedWorld, raw_file, raw_path, record

from uring.errors import Unavailable
from uring.seeds.files.rejected import RejectedRecord, rejected_of

KEY = raw_path() + ".rejected"
BROKEN = b'{"raw_url": "https://broken.com/", "title": "a "b" c"}'


def bad_file(*, goods: int = 4) -> bytes:
    """A file with four bad records before good ones, one of which is no JSON."""
    bad = [record("https://192.168.0.1/"), {"url": 1}, None, "BROKEN"]
    goods_listed = [record(f"https://site{number}.com/") for number in range(goods)]
    return raw_file([*bad, *goods_listed]).replace(b'"BROKEN"', BROKEN)


def planted(body: bytes, *, stride: int = 2_000) -> SeedWorld:
    world = SeedWorld(stride=stride)
    world.bucket.plant(raw_path(), body)
    world.orchestrate()
    return world


def kept(world: SeedWorld) -> list[RejectedRecord]:
    return [*rejected_of(world.bucket.body(KEY))]


def test_each_bad_record_is_kept_with_its_reason_and_text() -> None:
    world = planted(bad_file())
    world.read_files()
    refused, no_url, nothing, broken = kept(world)
    assert refused.text == json.dumps(record("https://192.168.0.1/"))
    assert (no_url.index, no_url.text) == (1, '{"url": 1}')
    assert no_url.reason == "raw_url: missing or not a text"
    assert nothing == RejectedRecord(2, "the record is not an object", "null")
    assert broken == RejectedRecord(
        3, "not JSON: Expecting ',' delimiter at its character 49", BROKEN.decode()
    )
    assert world.status().records["refused"] == 4


def test_a_thousand_are_kept_with_four_thousand_characters_each() -> None:
    world = planted(raw_file([*[{"a": "x" * 9_000}] * 1_200, record("https://a.com/")]))
    world.read_files()
    found = kept(world)
    assert [each.index for each in found] == [*range(1_000)]
    assert {len(each.text) for each in found} == {4_000}
    assert world.status().records["refused"] == 1_200


def test_those_of_a_file_without_a_good_record_are_kept() -> None:
    """It is a dead letter; whoever mends it wants to know what is wrong."""
    world = planted(b'{"records": [' + BROKEN + b', {"url": 1}, ' + BROKEN + b"]}")
    world.read_files()
    assert world.status().files == {"failed": 1}
    assert len(world.seed_letters.messages) == 1
    assert [each.index for each in kept(world)] == [0, 1, 2]
    assert [each.text for each in kept(world)] == [BROKEN.decode(), '{"url": 1}', BROKEN.decode()]


def test_a_reading_in_parts_keeps_those_of_all_parts() -> None:
    world = planted(bad_file(goods=35), stride=10)
    clock = iter(chain.from_iterable([100.0, 1.0] for _ in range(9)))
    assert world.read_files(time_left=lambda: next(clock)) == 4
    assert [each.index for each in kept(world)] == [0, 1, 2, 3]


def test_a_file_that_was_mended_has_none() -> None:
    world = planted(bad_file())
    world.read_files()
    world.bucket.plant(raw_path(), raw_file([record("https://site.com/")]))
    world.orchestrate()
    world.clock.advance(hours=1)
    world.read_files()
    assert world.status().files == {"done": 1}
    assert world.bucket.body(KEY) == b""
    world.bucket.calls.written.clear()
    world.orchestrate(force=True)
    world.read_files()
    assert KEY not in world.bucket.calls.written


def test_they_are_no_raw_file() -> None:
    world = planted(bad_file())
    world.read_files()
    world.clock.advance(hours=1)
    assert world.orchestrate().files == 1


@pytest.mark.parametrize("fails", ["put", "write"])
def test_a_death_between_two_writes_costs_none(fails: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind them is the checkpoint that says done, behind that the mark."""
    world = planted(bad_file())

    def die(*_: object, **__: object) -> str:
        raise Unavailable("no answer")

    with monkeypatch.context() as patch:
        if fails == "put":
            patch.setattr(world.bucket, "put", die)
        else:
            write = world.bucket.write
            patch.setattr(
                world.bucket,
                "write",
                lambda key, *rest: die() if key.endswith(".success") else write(key, *rest),
            )
        world.read_files()
    assert raw_path() + ".success" not in world.bucket.bodies()
    assert len(kept(world)) == 4
    world.bucket.remove(KEY) if fails == "put" else None
    world.clock.advance(minutes=20)
    world.read_files()
    assert len(kept(world)) == 4
    assert world.status().files == {"done": 1}
    assert raw_path() + ".success" in world.bucket.bodies()


def test_lines_of_another_shape_are_left_out() -> None:
    good = b'{"index": 1, "reason": "r", "text": "t", "more": 2}'
    deep = b"[" * 100_000
    body = b"\n".join([b"", b"\xff", b"[]", b"7", b'{"index": 1}', deep, good, good[:9]])
    assert [*rejected_of(body)] == [RejectedRecord(1, "r", "t")]


@pytest.mark.parametrize(
    "url", [b"https://\\ud800.com/", b"https://a.com/\\ud800", b"https://caf\xe9.com/"]
)
def test_half_a_character_stops_nothing(url: bytes) -> None:
    body = raw_file([record("URL"), record("https://good.com/")]).replace(b"URL", url)
    world = planted(body)
    world.read_files()
    assert "good.com" in {message.registrable_domain for message in world.sent()}
    assert world.status().files == {"done": 1}
