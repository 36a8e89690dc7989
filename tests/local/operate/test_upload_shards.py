"""`uring config upload` of a divided sitemap: each entry is in force between any two writes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import ENTRY

from uring.notices.registration import ENTRIES
from uring.sources.shards import usable_shards
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
    for shard in usable_shards(body(s3, KEY)):
        entries = json.loads(body(s3, shard.key(KEY)))[ENTRIES]
        found += [entry["id"] for entry in entries if shard.has(entry["id"])]
    return sorted(found)


def keys(s3: Any) -> set[str]:
    return {each["Key"] for each in s3.list_objects_v2(Bucket=BUCKET)["Contents"]}


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Call a function before each write of the command; what it raises ends the command."""

    def before(look: Callable[[], None]) -> None:
        real = VersionedBucket.put

        def looked(self: Any, *args: Any, **more: Any) -> Any:
            look()
            return real(self, *args, **more)

        monkeypatch.setattr(VersionedBucket, "put", looked)

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
    assert keys(s3) >= {f"config/{path.name}" for path in sitemap.parent.glob("sitemap*")}


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
    assert keys(s3) >= {f"config/{path.name}" for path in sitemap.parent.glob("sitemap*")}
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


def test_what_lies_beside_the_files_stays(s3: Any, sitemap: Path) -> None:
    for name in ("sitemap.backup-2026.json", "sitemap.schema.json", "sitemap.json.bak"):
        s3.put_object(Bucket=BUCKET, Key=f"config/{name}", Body=b"{}")
    write(sitemap, IDS, 4)
    assert main(["config", "upload", str(sitemap), *STACK]) == 0
    write(sitemap, IDS, 7)
    assert main(["config", "upload", str(sitemap), *STACK]) == 0
    assert body(s3, "config/sitemap.backup-2026.json") == b"{}"
    assert keys(s3) > {f"config/sitemap.{name}" for name in ("schema.json", "json.bak")}


@pytest.mark.parametrize("turn", range(4))
def test_of_two_uploads_at_once_one_is_refused_or_both_are_whole(
    s3: Any, sitemap: Path, writes: Any, tmp_path: Path, turn: int
) -> None:
    """The other one comes just before this write; what is in force is whole afterwards."""
    write(sitemap, IDS, 3)
    assert main(["config", "upload", str(sitemap), *STACK]) == 0
    write(sitemap, IDS, 4)
    other = tmp_path / "other" / "sitemap.json"
    other.parent.mkdir()
    write(other, IDS, 2)
    count, inner = [0], [False]

    def meanwhile() -> None:
        if inner[0]:
            return
        if count[0] == turn:
            inner[0] = True
            assert main(["config", "upload", str(other), *STACK]) == 0
            inner[0] = False
        count[0] += 1

    writes(meanwhile)
    ended = main(["config", "upload", str(sitemap), *STACK])
    assert ended == (1 if count[0] > turn else 0)
    assert in_force(s3) == sorted(IDS)
