"""`uring seeds orchestrate`: the request, and what is said of each answer."""

import json
from typing import Any

import pytest

from uring_local.cli import main
from uring_local.operate import bucket as operators_bucket
from uring_local.operate.signed import ApiAnswer
from uring_local.seeds import orchestrate as orchestrate_module
from uring_local.stack.describe import StackDescription

COMMAND = ("seeds", "orchestrate", "--stack", "uring-dev")
OUTPUTS = {"SeedApiUrl": "https://abc.execute-api.eu-west-1.amazonaws.com"}


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
def stack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:4566")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-northeast-2")
    described = StackDescription({}, OUTPUTS)
    monkeypatch.setattr(operators_bucket, "deployed", lambda _: described)
    monkeypatch.setattr(orchestrate_module, "SignedApi", Api)


def begun(files: int, *, is_complete: bool = True) -> ApiAnswer:
    partitions = ["sg/news/2026-01-28"] if files else []
    document = {"run": "r1", "files": files, "partitions": partitions, "is_complete": is_complete}
    return ApiAnswer(200 if is_complete else 202, document)


def test_a_collection_is_begun(capsys: pytest.CaptureFixture[str]) -> None:
    Api.answer = begun(20, is_complete=False)
    assert main([*COMMAND, "--country", "sg", "--date", "2026-01-28", "--force"]) == 0
    assert Api.asked == (
        "http://127.0.0.1:4566/_aws/execute-api/abc",
        "/api/v1/seeds/orchestrate",
        {"country": "sg", "date": "2026-01-28", "force": True},
    )
    said = capsys.readouterr().out
    assert said.startswith("20 raw files of 1 partition sent; run r1\n  sg/news/2026-01-28\n")
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
    assert capsys.readouterr().out.splitlines() == lines
    assert main([*COMMAND, "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"status": answer.status, **answer.document}
