"""`uring seeds status` against the counters and queues of a deployed stack."""

import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from moto import mock_aws
from rich.console import Console

from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.seeds.counters import DomainCount
from uring.seeds.partition import Partition
from uring.seeds.progress import PAUSED, STOPPED, Progress, Started, Status
from uring_local.cli import main
from uring_local.operate import bucket as operators_bucket
from uring_local.seeds import view
from uring_local.seeds import watch as watch_module
from uring_local.seeds.status import CounterReading, Depth, SettlingRate, pace_of, readings
from uring_local.stack.describe import PhysicalIds, StackDescription
from uring_local.words import duration

NOW = datetime(2026, 1, 28, 9, tzinfo=UTC)
STACK = ("--stack", "uring-dev")
NEWS = Partition("sg", "news", "2026-01-28")
OLD = Partition("kr", "news", "2026-01-27")


@dataclass(frozen=True)
class Figures:
    """What a raw file came to."""

    status: str
    records: int = 100
    domains: int = 10
    duplicates: int = 80
    refused: int = 10


class Engine:
    """The counters and queues of a stack, as the functions leave them."""

    def __init__(self) -> None:
        self.sqs: Any = boto3.client("sqs")
        dynamodb: Any = boto3.client("dynamodb")
        self.ids = {"SeedTable": "uring-seeds"}
        keys = {"partition": "HASH", "key": "RANGE"}
        dynamodb.create_table(
            TableName="uring-seeds",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in keys.items()],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in keys],
        )
        for name in ("Seed", "SeedDeadLetter", "Domain", "DomainDeadLetter"):
            queue = self.sqs.create_queue(QueueName=name)
            self.ids[f"{name}Queue"] = queue["QueueUrl"]
        self.progress = Progress(DynamoTable(dynamodb, "uring-seeds", backoff=Backoff()))

    def start(self, partition: Partition = NEWS, files: int = 1, *, hour: int = 9) -> None:
        self.progress.start(partition, None, files, NOW.replace(hour=hour))

    def file(self, figures: Figures, number: int = 1, partition: Partition = NEWS) -> None:
        self.progress.file(partition, "first", number, asdict(figures), NOW)

    def settle(self, first: int, last: int, outcome: str = "collected", **further: int) -> None:
        for number in range(first, last):
            domain = f"d{number}.sg"
            digest = hashlib.sha256(domain.encode()).hexdigest()
            counted = DomainCount(domain, digest, {outcome: 1, **further})
            self.progress.domains(NEWS, "first", [counted])

    def wait(self, queue: str, messages: int = 1) -> None:
        for number in range(messages):
            self.sqs.send_message(QueueUrl=self.ids[queue], MessageBody=str(number))


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    for name in ("", "_SQS", "_DYNAMODB"):
        monkeypatch.delenv(f"AWS_ENDPOINT_URL{name}", raising=False)
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "ap-northeast-2",
        "AWS_CONFIG_FILE": "/nonexistent",
    }.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        made = Engine()
        monkeypatch.setattr(operators_bucket, "deployed", lambda _: StackDescription({}, {}))
        monkeypatch.setattr(
            operators_bucket, "physical_ids", lambda _, stack: PhysicalIds(stack, made.ids)
        )
        yield made


def document(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def reading(at: float, settled: int, *, sent: int = 100, live: int = 1) -> CounterReading:
    """One partition of one file, which is read."""
    status = Status(
        NEWS.name,
        Started("first", "2026-01-28T09:00:00Z", 1),
        {"done": 1},
        {"domains": sent},
        {"collected": settled},
    )
    return CounterReading(at, (status,), 0, (Depth("DomainQueue", live, 0),))


def test_a_collection_that_is_over_has_all_its_figures(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.start(files=2)
    engine.file(Figures("done"))
    engine.file(Figures("partial", domains=2), 2)
    engine.settle(0, 9, robots_ok=1, urls=1000, milliseconds=1100)
    engine.settle(9, 11, "unreachable", robots_unreachable_5xx=1)
    engine.settle(11, 12, "duplicates")
    assert main(["seeds", "status", NEWS.name, *STACK]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "sg/news/2026-01-28  over, started 2026-01-28T09:00:00Z",
        "  files    2 raw files listed: 1 done, 1 partial",
        "  partial  1 raw file: it ends early, without a mark; upload it whole, orchestrate again",
        "  records  200: 12 domains, 160 duplicates, 20 refused",
        "  domains  12 of 12 settled: 9 collected, 2 unreachable, 1 duplicates",
        "  robots   9 ok, 2 unreachable 5xx",
        "  found    9,000 urls",
        "  time     0.9 s a domain on average",
        "SeedQueue 0; DomainQueue 0",
    ]
    assert main(["seeds", "status", *STACK, "--json"]) == 0
    found = document(capsys)
    (partition,) = found["partitions"]
    assert partition["files"] == {"listed": 2, "done": 1, "partial": 1}
    assert partition["domains"]["settled"] == partition["domains"]["sent"] == 12
    assert (partition["is_over"], found["per_second"]) == (True, None)


def test_one_under_way_has_a_pace(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    """By two looks: when it was asked for says nothing, since it may go on after days."""
    now = [5.0]
    engine.start()
    engine.file(Figures("reading", domains=50))
    engine.settle(0, 10)
    engine.wait("DomainQueue", 40)
    engine.wait("DomainDeadLetterQueue", 2)

    def sleep(seconds: float) -> None:
        now[0] += seconds
        engine.settle(10, 16)

    assert watch_module.status(
        "s", "", watch=False, every=1, as_json=False, monotonic=lambda: now[0], sleep=sleep
    )
    said = capsys.readouterr().out
    assert "under way" in said
    assert "domains  16 of 50 settled: 16 collected" in said
    assert "SeedQueue 0; DomainQueue 40, 2 dead letters" in said
    assert said.splitlines()[-1] == "2.0 domains/s, at least 17 s left"


def test_partitions_are_found_by_the_beginning_of_their_names(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    for partition, hour in ((NEWS, 9), (OLD, 10)):
        engine.start(partition, files=0, hour=hour)
    for wanted, names in {"": [OLD, NEWS], "sg/n": [NEWS], "kr": [OLD]}.items():
        assert main(["seeds", "status", *([wanted] if wanted else []), *STACK, "--json"]) == 0
        found = [each["partition"] for each in document(capsys)["partitions"]]
        assert found == [partition.name for partition in names]


def test_of_many_partitions_the_newest_are_shown(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    for day in range(1, 24):
        engine.start(Partition("sg", "news", f"2026-01-{day:02}"), files=0, hour=day)
    assert main(["seeds", "status", *STACK]) == 0
    said = capsys.readouterr().out
    assert "sg/news/2026-01-23" in said
    assert "sg/news/2026-01-03" not in said
    assert "and 3 older partitions" in said


def test_no_collection_is_told(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    assert engine
    assert main(["seeds", "status", "xx", *STACK, "--watch"]) == 1
    assert "no collection of xx; `uring seeds collect` starts one" in capsys.readouterr().out


def test_a_file_that_failed_is_a_failure(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.start()
    engine.progress.file_failed(NEWS, "first", 1, "no such file", NOW)
    assert main(["seeds", "status", *STACK]) == 1
    assert "1 raw file listed: 1 failed" in capsys.readouterr().out


def test_a_paused_partition_is_neither_over_nor_stuck(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.start()
    engine.file(Figures("done"))
    engine.settle(0, 4)
    engine.progress.hold(NEWS, PAUSED)
    assert main(["seeds", "status", *STACK]) == 0
    said = capsys.readouterr().out
    assert "sg/news/2026-01-28  paused, started" in said
    assert "  paused   its messages wait; `uring seeds resume` lets them go on" in said
    assert main(["seeds", "status", *STACK, "--json"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    found = json.loads(last)
    assert (found["partitions"][0]["held"], found["partitions"][0]["is_over"]) == ("paused", False)
    assert (found["is_stuck"], found["seconds_left"]) == (False, None)


def test_a_stopped_partition_is_over_and_says_how_it_goes_on(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.start()
    engine.file(Figures("done"))
    engine.settle(0, 4)
    engine.settle(4, 10, "stopped")
    engine.progress.hold(NEWS, STOPPED)
    assert main(["seeds", "status", *STACK, "--watch"]) == 0
    assert capsys.readouterr().out.startswith("4 of 10 domains settled;")
    assert main(["seeds", "status", *STACK]) == 0
    said = capsys.readouterr().out
    assert "sg/news/2026-01-28  stopped, started" in said
    assert "  stopped  6 messages ended unasked; an orchestration with its country" in said


def test_a_run_s_budget_is_over_where_it_is_used(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.start(files=2)
    engine.file(Figures("done", domains=4))
    engine.settle(0, 4)
    held = {**asdict(Figures("held", domains=0)), "ceiling": "run"}
    engine.progress.file(NEWS, "first", 2, held, NOW)
    assert main(["seeds", "status", *STACK]) == 0
    said = capsys.readouterr().out
    assert "sg/news/2026-01-28  over" in said
    assert "held     1 raw file: the run's budget is used; orchestrate again" in said
    engine.progress.file(NEWS, "first", 2, asdict(Figures("held", domains=0)), NOW)
    assert main(["seeds", "status", *STACK]) == 0
    assert "the ceiling of a day (SeedDailyDomains) is reached" in capsys.readouterr().out


def test_the_time_left_is_that_of_running_partitions() -> None:
    """Two hundred messages left to a paused one, which settles none."""
    running = reading(0, 0).partitions[0]
    paused = Status(
        OLD.name, Started("first", "", 1, held=PAUSED), {"done": 1}, {"domains": 200}, {}
    )
    window = [
        CounterReading(at, (each, paused), 0, (Depth("DomainQueue", 1, 0),))
        for at, each in ((0.0, running), (10.0, reading(10, 50).partitions[0]))
    ]
    assert pace_of(window) == SettlingRate(5, 10)
    # It has just been paused: a pace of before, and no time.
    settled = Status(OLD.name, paused.started, {"done": 1}, {"domains": 200}, {"collected": 50})
    depths = (Depth("DomainQueue", 1, 0),)
    window = [
        CounterReading(at, (each,), 0, depths) for at, each in ((0.0, paused), (10.0, settled))
    ]
    assert pace_of(window) == SettlingRate(5, None)


def test_a_stack_without_the_engine_is_told(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.ids.clear()
    assert main(["seeds", "status", *STACK]) == 1
    assert "stack uring-dev has no SeedTable; deploy this release" in capsys.readouterr().err


@pytest.mark.parametrize("as_json", [True, False])
def test_a_watch_ends_when_all_is_over(
    engine: Engine,
    as_json: bool,  # noqa: FBT001
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A line for each look, in a pipe."""
    engine.start()
    engine.file(Figures("done"))
    steps = iter([(0, 4), (4, 10)])

    def sleep(_: float) -> None:
        engine.settle(*next(steps))

    assert watch_module.status("s", "", watch=True, every=1, as_json=as_json, sleep=sleep)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    if as_json:
        settled = [json.loads(line)["partitions"][0]["domains"]["settled"] for line in lines]
        assert settled == [0, 4, 10]
    else:
        assert lines[0] == ("0 of 10 domains settled; SeedQueue 0, DomainQueue 0; pace unknown yet")
        assert lines[2].startswith("10 of 10 domains settled;")


def watched(
    figures: Callable[[int], Mapping[str, int]], looks: int
) -> list[tuple[CounterReading, SettlingRate]]:
    """Looks every ten seconds at what `figures` says, until the end or so many."""
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    def read(at: float) -> CounterReading:
        return reading(at, **figures(int(at)))

    told = readings(read, every=10, monotonic=lambda: now[0], sleep=sleep)
    return [next(told, (reading(0, 0), SettlingRate())) for _ in range(looks)]


def test_a_pace_is_of_the_last_minute() -> None:
    """A hundred seconds at one domain a second, then two."""
    told = watched(lambda at: {"settled": max(at, 2 * at - 100), "sent": 1000}, 21)
    paces = [pace.per_second for _, pace in told]
    assert paces[0] is None
    assert paces[1:11] == [1.0] * 10
    assert paces[16:] == [2.0] * 5
    assert told[20][1].seconds_left == (1000 - 300) / 2


def test_a_forced_collection_that_begins_again_has_no_pace_below_nothing() -> None:
    assert pace_of([reading(0, 90), reading(10, 5)]) == SettlingRate(0, None)


def test_a_watch_ends_where_nothing_moves_for_a_minute() -> None:
    """Messages that were lost to the dead-letter queue are settled by nobody."""
    told = watched(lambda _: {"settled": 5, "live": 0}, 8)
    assert [pace.is_stuck for _, pace in told] == [False] * 6 + [True, False]
    assert told[7][0].at == 0
    # While anything waits, or may wait again after its time-out, it goes on.
    assert not any(pace.is_stuck for _, pace in watched(lambda _: {"settled": 5}, 20))


def test_the_screen_has_a_bar_for_each_partition() -> None:
    for width in (80, 120):
        out = io.StringIO()
        console = Console(file=out, width=width, force_terminal=True, color_system=None)
        console.print(view.screen(reading(0, 40), SettlingRate(2.5, 3725)))
        lines = out.getvalue().splitlines()
        assert "sg/news/2026-01-28" in lines[1]
        assert "━" in lines[1]
        assert lines[-1].strip() == "2.5 domains/s, at least 1 h 02 min left"
        assert max(map(len, lines)) <= width


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.4, "0 s"),
        (59.4, "59 s"),
        (60, "1 min 00 s"),
        (3725, "1 h 02 min"),
        (90_000, "1 d 1 h"),
        (1e9, "11,574 d 1 h"),
    ],
)
def test_a_time_has_two_units(seconds: float, said: str) -> None:
    assert duration(seconds) == said
