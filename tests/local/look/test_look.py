"""`uring list` and `uring check`: all sources of a stack in a terminal, and one looked at again."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from fakes import Notice, VirtualClock
from fakes.worlds import NoticeWorld

from uring.changes.history.beats import Beat
from uring.contracts import Job
from uring_local.cli import main
from uring_local.look.beats import beats_in
from uring_local.look.changes import newest_changes
from uring_local.look.index import IndexedSource
from uring_local.operate.bucket import VersionedBucket

BUCKET = "uring-data"
STACK = ("--stack", "uring-here")
STATE = "state/notices/cs.json"
WELL = {
    "id": "cs",
    "status": "ok",
    "reason": None,
    "consecutive_failures": 0,
    "last_success": "2026-03-02T00:00:00Z",
    "interval_minutes": 10,
}
ENTRY = {
    "id": "cs",
    "name": "컴퓨터공학과",
    "url": "https://cs.example.ac.kr/bbs/cs/1/artclList.do",
    "preset": "k2web",
}


def failing(source: str, failures: int, **changes: Any) -> dict[str, Any]:
    trouble = {"status": "failed", "reason": "timeout", "consecutive_failures": failures}
    return {**WELL, "id": source, **trouble, **changes}


@pytest.fixture
def index(deployed_s3: Any) -> Any:
    """Publishes an index."""

    def put(document: Mapping[str, Any], name: str = "index.json") -> None:
        deployed_s3.put_object(Bucket=BUCKET, Key=f"data/{name}", Body=json.dumps(document))

    return put


def test_a_paused_source_says_until_when_and_needs_no_look(
    index: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    index({"departments": [failing("cs", 9, paused_until="2026-03-07T01:15:00Z")]})
    assert main(["list", *STACK]) == 0
    said = capsys.readouterr().out
    assert "failed timeout, paused until 2026-03-07T01:15:00Z" in said
    assert "none needs a look" in said


def test_every_source_of_every_list_and_shard_has_a_line_the_ill_ones_first(
    index: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shards = {"departments": {"shards": [{"from": "m", "path": "index.m.json"}]}}
    index({"departments": [WELL], "weather": [failing("metar", 1)], "families": shards})
    index({"departments": [failing("math", 3)]}, "index.m.json")
    assert main(["list", *STACK]) == 1
    rows = [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:]]
    assert rows == ["math", "metar", "cs", "1"]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (WELL, 0),
        (failing("cs", 2), 0),
        (failing("cs", 3), 1),
        ({**WELL, "status": "unchecked"}, 1),
        ({**WELL, "status": "corrupt"}, 1),
        ({**WELL, "stale_since": "2026-01-02"}, 1),
        # Of a later release, and broken ones.
        ({**WELL, "status": "resting"}, 0),
        ({"id": "cs"}, 0),
        ({"id": 7}, 0),
        ("cs", 0),
    ],
)
def test_the_exit_code_says_whether_one_needs_a_look(
    entry: Any, code: int, index: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    index({"departments": [entry], "generated_at": "2026-03-02T00:00:00Z", "families": 7})
    assert main(["list", *STACK]) == code
    assert main(["list", *STACK, "--needs-look", "--json"]) == code
    assert len(json.loads(capsys.readouterr().out.splitlines()[-1])) == code


def test_a_machine_gets_the_published_entries_whole(
    index: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    index({"departments": [WELL]})
    main(["list", *STACK, "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert row == {"list": "departments", "needs_look": False, **WELL}


def test_no_index_is_told_with_its_remedy(
    deployed_s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", *STACK]) == 1
    assert "the monitor writes it at its first run" in capsys.readouterr().err
    deployed_s3.put_object(Bucket=BUCKET, Key="data/index.json", Body=b"{")
    assert main(["list", *STACK]) == 1
    assert "is not JSON" in capsys.readouterr().err


def test_an_id_cannot_control_the_terminal(index: Any, capsys: pytest.CaptureFixture[str]) -> None:
    index({"departments": [failing("a\x1b[2Jb", 3, reason="x\x1b]0;t\x07")]})
    main(["list", *STACK])
    assert "\x1b" not in capsys.readouterr().out


@pytest.fixture
def queues(deployed_s3: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The queues of a stack with one board and the weather; returns the sent jobs of one."""
    sitemap = json.dumps({"sources": [ENTRY]})
    deployed_s3.put_object(Bucket=BUCKET, Key="config/sitemap.json", Body=sitemap)
    sqs = boto3.client("sqs")
    names = ("NoticeQueue", "WeatherQueue")
    urls = {
        name: sqs.create_queue(QueueName=f"{name}.fifo", Attributes={"FifoQueue": "true"})[
            "QueueUrl"
        ]
        for name in names
    }
    parameters = {"WeatherKeySecret": "weather/key", "MetarMinutes": "15"}
    subject = SimpleNamespace(
        stack="uring-here",
        client=boto3.client,
        output=lambda _: BUCKET,
        parameter=lambda name: parameters.get(name, ""),
        description=SimpleNamespace(parameters=parameters),
        physical=lambda _: urls,
    )
    monkeypatch.setattr("uring_local.look.again.Subject", lambda _: subject)

    def jobs(name: str) -> list[Job]:
        received = sqs.receive_message(QueueUrl=urls[name], MaxNumberOfMessages=10)
        return [Job.parse(each["Body"]) for each in received.get("Messages", ())]

    return jobs


def test_a_board_is_checked_again_by_the_orchestrator_s_own_job(queues: Any) -> None:
    assert main(["check", "cs", *STACK]) == 0
    # A second one of the same minute is the same job.
    assert main(["check", "cs", *STACK]) == 0
    sent = queues("NoticeQueue")
    assert 1 <= len(sent) <= 2  # the minute may have passed
    assert (sent[0].family, sent[0].source, sent[0].interval_minutes) == ("notices", "cs", 10)
    # As the plan of a tick has it: with what its preset says, in place of the preset.
    assert sent[0].entry["url"] == ENTRY["url"]
    assert sent[0].entry["fields"]


def test_a_product_of_the_weather_is_checked_again(queues: Any) -> None:
    assert main(["check", "metar", *STACK]) == 0
    (job,) = queues("WeatherQueue")
    assert (job.family, job.source, job.interval_minutes) == ("weather", "metar", 15)


def test_what_the_stack_does_not_check_is_told(
    queues: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "math", *STACK]) == 1
    assert "no source 'math' among 1 boards" in capsys.readouterr().err
    assert queues("NoticeQueue") == []


def test_a_source_that_waits_after_failures_is_asked_at_once(
    queues: Any, deployed_s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else the worker would drop the job: it is not yet due."""
    later = "2999-01-01T00:00:00Z"
    checked(deployed_s3, status="failed", reason="timeout", failures=9, retry_at=later)
    assert main(["check", "cs", *STACK]) == 0
    assert f"it was to wait until {later}" in capsys.readouterr().out
    health = stored(deployed_s3, STATE)["health"]
    assert (health.get("retry_at"), health["failures"]) == (None, 9)
    assert len(queues("NoticeQueue")) == 1


def test_a_paused_source_is_not_asked(
    queues: Any, deployed_s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    until = "2999-01-01T00:00:00Z"
    checked(deployed_s3, paused_until=until)
    assert main(["check", "cs", *STACK]) == 1
    assert f"cs is paused until {until}; `uring resume` ends it" in capsys.readouterr().err
    assert queues("NoticeQueue") == []


def test_a_paused_source_needs_no_look() -> None:
    paused = failing("math", 9, paused_until="2999-01-01T00:00:00Z")
    assert not IndexedSource("departments", paused).needs_look
    assert IndexedSource("departments", failing("math", 9)).needs_look


def checked(s3: Any, **health: Any) -> None:
    """Store the state of a board that was checked once, with another health."""
    world = NoticeWorld(
        VirtualClock(datetime.now(UTC)), objects=lambda _: VersionedBucket(s3, BUCKET)
    )
    world.show(Notice("1", "글"))
    world.check()
    state = stored(s3, STATE)
    state["health"] |= health
    s3.put_object(Bucket=BUCKET, Key=STATE, Body=json.dumps(state))


def stored(s3: Any, key: str) -> Any:
    return json.loads(s3.get_object(Bucket=BUCKET, Key=key)["Body"].read())


def test_the_newest_changes_are_beside_what_was_before_them(deployed_s3: Any) -> None:
    """A first check announces nothing, and damaged lines of the archive are skipped."""
    now = datetime.now(UTC)
    world = NoticeWorld(VirtualClock(now), objects=lambda _: VersionedBucket(deployed_s3, BUCKET))
    for title in ("글", "글 (연장)"):
        world.show(Notice("1", title))
        world.check()
        world.clock.advance(600)
    (change,) = newest_changes(VersionedBucket(deployed_s3, BUCKET), "cs", now)
    assert change.before is not None
    assert (change.before.content["title"], change.line.content["title"]) == ("글", "글 (연장)")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"beats": 7}', b'{"beats": [7, {"at": 7}]}'])
def test_a_health_of_another_shape_has_no_beats(body: bytes) -> None:
    assert beats_in(body) == []


def test_beats_are_as_the_engine_writes_them_and_broken_ones_are_left_out() -> None:
    written = Beat(datetime(2026, 3, 2, tzinfo=UTC), "changed", 312, 30, 2)
    odd = [{"at": "2026-03-02T00:00:00Z", "outcome": "rested"}, {"at": "soon", "outcome": "failed"}]
    assert beats_in(json.dumps({"beats": [*odd, written.document()]}).encode()) == [written]
