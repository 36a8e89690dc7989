"""`uring seeds collect`: the request, and what is said of each answer."""

import json
from io import BytesIO
from typing import Any

import pytest
from fakes.objects import MemoryObject
from fakes.seeds import PARTITION, SeedWorld, raw_file, raw_path, record

from uring.seeds.messages import OrchestrateRequest
from uring.seeds.partition import Partition
from uring.seeds.progress import STOPPED
from uring_local.cli import main
from uring_local.operate import bucket as operators_bucket
from uring_local.operate.signed import ApiAnswer
from uring_local.seeds import orchestrate as orchestrate_module
from uring_local.seeds.moves import Object
from uring_local.seeds.plan import deployed_as, dollars_of_a_domain, make_plan, way_of
from uring_local.stack.describe import StackDescription

COMMAND = ("seeds", "collect", "--stack", "uring-dev", "--yes")
OUTPUTS = {
    "SeedApiUrl": "https://abc.execute-api.eu-west-1.amazonaws.com",
    "BucketName": "uring-data",
}
OTHER = Partition("my", "edu", "2026-01-27")


class Datasets:
    """The datasets of the stack's bucket, as the operator lists them."""

    def __init__(self, **files: bytes) -> None:
        self.bodies = {f"datasets/{name}": body for name, body in files.items()}
        self.opened: list[str] = []

    def objects(self, prefix: str) -> list[Object]:
        found = sorted(key for key in self.bodies if key.startswith(prefix))
        return [Object(key, '"e"', len(self.bodies[key])) for key in found]

    def open(self, key: str) -> MemoryObject:
        self.opened.append(key)
        body = self.bodies[key]
        return MemoryObject('"e"', len(body), BytesIO(body))


class Api:
    """Answers as it is told to, and keeps what it was asked."""

    answer = ApiAnswer(200, {})
    asked: tuple[str, str, Any]

    def __init__(self, base: str, _: Any) -> None:
        self._base = base

    def post(self, path: str, document: Any) -> ApiAnswer:
        Api.asked = (self._base, path, document)
        return Api.answer


@pytest.fixture(autouse=True)
def datasets(monkeypatch: pytest.MonkeyPatch) -> Datasets:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:4566")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-northeast-2")
    described, found = StackDescription({}, OUTPUTS), Datasets()
    monkeypatch.setattr(operators_bucket, "deployed", lambda _: described)
    monkeypatch.setattr(orchestrate_module, "SignedApi", Api)
    monkeypatch.setattr(orchestrate_module, "open_copies", lambda _: found)
    return found


def begun(files: int, *, is_complete: bool = True) -> ApiAnswer:
    partitions = ["sg/news/2026-01-28"] if files else []
    document = {"run": "r1", "files": files, "partitions": partitions, "is_complete": is_complete}
    return ApiAnswer(200 if is_complete else 202, document)


def test_a_collection_is_begun(capsys: pytest.CaptureFixture[str]) -> None:
    Api.answer = begun(20, is_complete=False)
    assert main([*COMMAND[:-1], "--country", "sg", "--date", "2026-01-28", "--force"]) == 0
    assert Api.asked == (
        "http://127.0.0.1:4566/_aws/execute-api/abc",
        "/api/v1/seeds/orchestrate",
        {"country": "sg", "date": "2026-01-28", "force": True},
    )
    said = capsys.readouterr().out
    assert said.startswith("plan: 0 raw files to read, 0 finished\n")
    assert "\n20 raw files of 1 partition sent; run r1\n  sg/news/2026-01-28\n" in said
    assert "sends the rest" in said
    assert "uring seeds status --stack uring-dev --watch" in said


def test_what_is_passed_over_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    answer = begun(1)
    more = {"skipped": 4, "misnamed": ["datasets/country=SG/\x1b[2J"]}
    Api.answer = ApiAnswer(200, {**answer.document, **more})
    assert main([*COMMAND]) == 0
    said = capsys.readouterr().out
    assert "4 objects passed over: the name or folder misses the layout" in said
    assert r"  datasets/country=SG/\x1b[2J" in said


def test_nothing_to_collect_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Api.answer = begun(0)
    assert main([*COMMAND]) == 0
    assert Api.asked[2] == {"force": False}
    assert "no raw file matches" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        (
            ApiAnswer(
                400,
                {"title": "Bad Request", "detail": "correct them", "errors": {"date": "no day"}},
            ),
            ["refused (400): Bad Request: correct them", "  date: no day"],
        ),
        (ApiAnswer(404, {"message": "Not Found"}), ["refused (404): Not Found"]),
        (ApiAnswer(502, {}, "<html>\x1b[2J"), [r"refused (502): <html>\x1b[2J"]),
        (ApiAnswer(302, {}), ["refused (302): no reason given"]),
    ],
)
def test_a_refusal_is_told_with_its_fields(
    answer: ApiAnswer, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Api.answer = answer
    assert main([*COMMAND]) == 1
    assert capsys.readouterr().out.splitlines()[3:] == lines
    assert main([*COMMAND, "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said.pop("plan")["domains"] == 0
    assert said == {"status": answer.status, **answer.document}


def put(datasets: Datasets, number: int, records: int, *, stated: object = None) -> str:
    """Put a raw file of the news of a day there; ``stated`` as its ``record_count``."""
    key = raw_path(number)
    body = raw_file(record(f"https://d{each}.com/") for each in range(records))
    count = records if stated is None else stated
    datasets.bodies[key] = body.replace(f'"record_count": {records}'.encode(), _count(count))
    return key


def _count(stated: object) -> bytes:
    return f'"record_count": {json.dumps(stated)}'.encode()


def planned(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    Api.answer = begun(1)
    assert main([*COMMAND, *options, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["plan"]
    return found


def test_a_plan_has_files_domains_time_and_dollars(
    datasets: Datasets, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (1, 2):
        put(datasets, number, 100)
    datasets.bodies[put(datasets, 3, 50) + ".success"] = b""
    datasets.bodies[raw_path(1, OTHER)] = datasets.bodies[raw_path(1)]
    Api.answer = begun(2)
    assert main([*COMMAND, "--country", "sg"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:3] == [
        "plan: 2 raw files to read, 1 finished",
        "  200 records at most (stated by 2 files, else by size)",
        "  200 domains at most: 27 s at DomainConcurrency=50, 0.01 dollars",
    ]
    assert planned(capsys)["files"] == 3
    assert planned(capsys, "--force")["files"] == 4


def test_a_plan_of_a_stopped_partition_has_the_files_that_are_read_again(
    datasets: Datasets, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their marks say that domains were sent; whose messages ended unasked is sent again."""
    world = SeedWorld()
    monkeypatch.setattr(orchestrate_module, "open_progress", lambda _: world.progress)
    datasets.bodies[put(datasets, 1, 100) + ".success"] = b""
    datasets.bodies[raw_path(1, OTHER) + ".success"] = datasets.bodies[raw_path(1, OTHER)] = b""
    named = ("--country", "sg", "--category", "news", "--date", "2026-01-28")
    assert planned(capsys, *named)["files"] == 0
    world.put(record(f"https://site{number}.com/") for number in range(3))
    world.orchestrate()
    assert planned(capsys, *named)["files"] == 0
    world.progress.hold(PARTITION, STOPPED)
    found = planned(capsys, *named)
    assert (found["files"], found["finished"], found["records"]) == (1, 0, 100)
    # Whoever does not name it lets it stand.
    assert planned(capsys, "--country", "sg")["files"] == 0


@pytest.mark.parametrize("stated", [10**9, -5, "many", None, 0])
def test_a_count_that_cannot_be_is_estimated_by_size(
    stated: object, datasets: Datasets, capsys: pytest.CaptureFixture[str]
) -> None:
    put(datasets, 1, 100)
    put(datasets, 2, 100, stated="" if stated is None else stated)
    found = planned(capsys)
    assert 100 <= found["records"] <= 210


def test_a_plan_reads_the_heads_of_the_twenty_largest_files_alone(
    datasets: Datasets, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(1, 40):
        put(datasets, number, number)
    found = planned(capsys)
    assert len(datasets.opened) == 20
    assert found["records"] == pytest.approx(780, rel=0.1)


def test_without_a_filter_a_plan_is_all_that_happens(
    datasets: Datasets, capsys: pytest.CaptureFixture[str]
) -> None:
    put(datasets, 1, 100)
    Api.asked = ("", "", None)
    with pytest.raises(SystemExit) as ended:
        main([*COMMAND[:-1]])
    assert ended.value.code == 2
    said = capsys.readouterr().out
    assert said.startswith("plan: 1 raw file to read")
    assert said.endswith("without a filter everything is collected: repeat it with --yes\n")
    with pytest.raises(SystemExit):
        main([*COMMAND[:-1], "--json", "--most", "5"])
    assert json.loads(capsys.readouterr().out)["plan"]["domains"] == 5
    assert Api.asked == ("", "", None)


def test_a_budget_is_sent_in_domains(
    datasets: Datasets, capsys: pytest.CaptureFixture[str]
) -> None:
    """A domain costs some 33 millionths of a dollar."""
    put(datasets, 1, 1_000)
    assert planned(capsys, "--most", "70")["domains"] == 70
    assert Api.asked[2] == {"force": False, "most": 70}
    found = planned(capsys, "--dollars", "0.01")
    assert 250 < found["domains"] == found["most"] < 350
    assert found["dollars"] == 0.01
    assert planned(capsys, "--dollars", "0.01", "--most", "70")["most"] == 70
    assert main([*COMMAND, "--dollars", "0.00001"]) == 1
    assert "--dollars: a domain costs 0.0000" in capsys.readouterr().err
    Api.answer = begun(1)
    assert main([*COMMAND, "--most", "70"]) == 0
    assert ", the budget is 70 domains" in capsys.readouterr().out


def test_a_plan_knows_the_way_of_work() -> None:
    by_domains = deployed_as({"DomainConcurrency": "3", "CpuArchitecture": "x"})
    by_ranges = deployed_as({"DomainConcurrency": "3", "SeedWork": "ranges"})
    in_segments = deployed_as({"SeedWork": "ranges", "Evidence": "segments"})
    dollars = [
        dollars_of_a_domain(each, "us-east-1") * 1e6
        for each in (by_domains, by_ranges, in_segments)
    ]
    assert dollars == [pytest.approx(each, rel=0.02) for each in (33, 26, 16)]
    assert (way_of(by_domains), way_of(by_ranges)) == ("domains", "ranges")
    seconds = [
        make_plan(
            [Object(raw_path(1), '"e"', 200_000_000)],
            lambda _: b"",
            OrchestrateRequest(),
            concurrency=int(each.concurrency("DomainWorker")),
            dollars_each=1,
            way=way_of(each),
        ).seconds
        for each in (by_domains, by_ranges)
    ]
    assert 5 < seconds[0] / seconds[1] < 8


def test_a_held_partition_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    answer = begun(0)
    Api.answer = ApiAnswer(200, {**answer.document, "held": {"sg/news/2026-01-28": "paused"}})
    assert main([*COMMAND]) == 0
    said = capsys.readouterr().out
    assert "sg/news/2026-01-28 is paused, and passed over" in said
    assert "no raw file matches" not in said


def test_a_word_that_is_no_filter_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMMAND, "--country", "Singapore"]) == 1
    assert "--country: " in capsys.readouterr().err
