"""`uring config upload` of a divided sitemap: each entry is in force between any two writes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import ENTRY

from uring.notices.registration import ENTRIES
from uring.sources.shards import shards_in
from uring_local.cli import main
from uring_local.operate.bucket import VersionedBucket

BUCKET = "uring-data"
KEY = "config/sitemap.json"
STACK = ("--stack", "uring-dev")
IDS = ("art", "bio", "chem", "dance", "dance-2", "east", "film")


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def s3(deployed_s3: Any) -> Any:
    return deployed_s3


@pytest.fixture
def sitemap(tmp_path: Path) -> Path:
    return tmp_path / "sitemap.json"


def write(sitemap: Path, ids: tuple[str, ...], most: int) -> None:
    """Write the files of a sitemap with so many entries each."""
    for file in sitemap.parent.glob("sitemap.*.json"):
        file.unlink()
    entries = [{**ENTRY, "id": each, "url": f"https://{each}.example.ac.kr/"} for each in ids]
    sitemap.write_text(json.dumps({ENTRIES: entries}))
    assert main(["config", "split", str(sitemap), "--entries", str(most)]) == 0


def body(s3: Any, key: str) -> bytes:
    return bytes(s3.get_object(Bucket=BUCKET, Key=key)["Body"].read())


def in_force(s3: Any) -> list[str]:
    """The ids that a tick would check now, sorted."""
    found = []
    for shard in shards_in(body(s3, KEY)):
        entries = json.loads(body(s3, shard.key(KEY)))[ENTRIES]
        found += [entry["id"] for entry in entries if shard.has(entry["id"])]
    return sorted(found)


def keys(s3: Any) -> set[str]:
    return {each["Key"] for each in s3.list_objects_v2(Bucket=BUCKET)["Contents"]}


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Call a function before each write of the command; what it raises ends the command."""

    def before(look: Callable[[], None]) -> None:
        for name in ("put", "remove"):
            real = getattr(VersionedBucket, name)

            def looked(self: Any, *args: Any, real: Any = real, **more: Any) -> Any:
                look()
                return real(self, *args, **more)

            monkeypatch.setattr(VersionedBucket, name, looked)

    return before


@pytest.mark.parametrize(("before", "after"), [(7, 3), (3, 7), (3, 2), (2, 3), (1, 4), (4, 1)])
def test_each_department_is_checked_once_whatever_was_written(
    s3: Any, sitemap: Path, writes: Any, before: int, after: int
) -> None:
    write(sitemap, IDS, before)
    assert main(["config", "upload", str(sitemap), *STACK]) == 0
    write(sitemap, IDS, after)
    seen: list[list[str]] = []
    writes(lambda: seen.append(in_force(s3)))
    assert main(["config", "upload", str(sitemap), *STACK]) == 0
    assert seen
    assert all(ids == sorted(IDS) for ids in [*seen, in_force(s3)])
    assert keys(s3) == {f"config/{path.name}" for path in sitemap.parent.glob("sitemap*")}


@pytest.mark.parametrize(("before", "after"), [(7, 2), (2, 7), (2, 3)])
def test_who_dies_anywhere_uploads_again(
    s3: Any, sitemap: Path, writes: Any, before: int, after: int
) -> None:
    """One write further each time, until it comes to its end."""
    write(sitemap, IDS, before)
    assert main(["config", "upload", str(sitemap), *STACK]) == 0
    write(sitemap, IDS, after)
    left = [0]

    def kill() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed

    writes(kill)
    for allowed in range(20):
        left[0] = allowed
        try:
            assert main(["config", "upload", str(sitemap), *STACK]) == 0
        except Killed:
            assert in_force(s3) == sorted(IDS)
        else:
            break
    assert allowed
    assert keys(s3) == {f"config/{path.name}" for path in sitemap.parent.glob("sitemap*")}
    for path in sitemap.parent.glob("sitemap*"):
        assert body(s3, f"config/{path.name}") == path.read_bytes()


def test_a_department_that_goes_or_comes_costs_no_other(
    s3: Any, sitemap: Path, writes: Any
) -> None:
    write(sitemap, IDS, 3)
    assert main(["config", "upload", str(sitemap), *STACK]) == 0
    after = ("aero", *IDS[1:])
    write(sitemap, after, 2)
    stay = set(IDS) & set(after)
    writes(lambda: None if stay <= {*in_force(s3)} <= {*IDS, *after} else pytest.fail("lost"))
    assert main(["config", "upload", str(sitemap), *STACK]) == 0
    assert in_force(s3) == sorted(after)


def test_a_bad_further_file_is_not_uploaded(
    s3: Any, sitemap: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(sitemap, IDS, 4)
    (further,) = sitemap.parent.glob("sitemap.*.json")
    further.write_text('{"sources": [{"id": "zoo"}]}')
    assert main(["config", "upload", str(sitemap), *STACK]) == 1
    assert capsys.readouterr().out.endswith("not uploaded\n")
    assert "Contents" not in s3.list_objects_v2(Bucket=BUCKET)
