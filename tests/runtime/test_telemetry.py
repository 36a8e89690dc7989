"""What operators see: one JSON line an event, counters in the embedded metric format (N13)."""

import json
import threading
from itertools import count
from typing import Any

import pytest
from fakes.telemetry import RESERVED

from uring.runtime.telemetry import LambdaTelemetry

NUMBERS = count(1)


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    # A name of its own: Powertools keeps the stream that it first met under a name.
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", f"service-{next(NUMBERS)}")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "uRing")


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(text) for text in capsys.readouterr().out.splitlines()]


def test_an_event_is_one_line_of_json_with_its_fields(
    capsys: pytest.CaptureFixture[str],
) -> None:
    telemetry = LambdaTelemetry()
    telemetry.event("checked", department_id="cs", new_items_count=2, revision=1)
    (line,) = lines(capsys)
    assert line["message"] == "checked"
    assert line["level"] == "INFO"
    assert line["service"].startswith("service-")
    assert "location" not in line, "it would be this module, always"
    assert (line["department_id"], line["new_items_count"], line["revision"]) == ("cs", 2, 1)


def test_a_problem_is_an_error_with_a_traceback_on_demand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    telemetry = LambdaTelemetry()
    try:
        _ = 1 / 0
    except ZeroDivisionError:
        telemetry.problem("record_failed", reason="x", trace=False)
        telemetry.problem("record_failed", reason="x", trace=True)
    short, long = lines(capsys)
    assert (short["level"], long["level"]) == ("ERROR", "ERROR")
    assert "exception" not in short
    assert "ZeroDivisionError" in long["exception"]


def test_fields_do_not_leak_into_the_next_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    telemetry = LambdaTelemetry()
    telemetry.event("a", department_id="cs")
    telemetry.event("b")
    assert "department_id" not in lines(capsys)[1]


def test_counters_are_metrics_with_the_service_as_their_only_dimension(
    capsys: pytest.CaptureFixture[str],
) -> None:
    telemetry = LambdaTelemetry()
    telemetry.count("Pushes")
    telemetry.count("Pushes", 2)
    telemetry.flush({"aws_calls": {"s3:GetObject": 1}})
    (invoked,) = lines(capsys)
    assert (invoked["message"], invoked["aws_calls"]) == ("invoked", {"s3:GetObject": 1})
    assert invoked["_aws"]["Timestamp"] > 1_700_000_000_000
    (directive,) = invoked["_aws"]["CloudWatchMetrics"]
    assert directive["Metrics"] == [{"Name": "Pushes", "Unit": "Count"}]
    assert directive["Namespace"] == "uRing"
    assert directive["Dimensions"] == [["service"]]
    assert invoked["service"].startswith("service-")
    assert invoked["Pushes"] == [3.0]


def test_each_invocation_counts_from_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    telemetry = LambdaTelemetry()
    telemetry.count("Pushes")
    telemetry.flush({})
    telemetry.flush({})
    counted, empty = lines(capsys)
    assert counted["Pushes"] == [1.0]
    assert {"_aws", "Pushes"}.isdisjoint(empty)


def test_counters_that_are_not_named_are_in_the_line_and_no_metrics(
    capsys: pytest.CaptureFixture[str],
) -> None:
    telemetry = LambdaTelemetry()
    for metrics in (["Checks", "Changes"], ["Checks"], []):
        telemetry.count("Checks", 10)
        telemetry.count("ChecksUnchanged", 9)
        telemetry.flush({}, metrics)
    *named, unnamed = lines(capsys)
    for line in named:
        (directive,) = line["_aws"]["CloudWatchMetrics"]
        assert directive["Metrics"] == [{"Name": "Checks", "Unit": "Count"}]
        assert (line["Checks"], line["ChecksUnchanged"]) == ([10.0], 9)
    assert "_aws" not in unnamed
    assert (unnamed["Checks"], unnamed["ChecksUnchanged"]) == (10, 9)


def test_what_is_of_no_note_is_no_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    LambdaTelemetry().detail("checked", source="cs")
    assert lines(capsys) == []
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", f"service-{next(NUMBERS)}")
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    LambdaTelemetry().detail("checked", source="cs")
    (line,) = lines(capsys)
    assert (line["message"], line["source"]) == ("checked", "cs")


def test_what_a_person_looks_at_names_the_invocation(capsys: pytest.CaptureFixture[str]) -> None:
    """And no line names an earlier one."""
    telemetry = LambdaTelemetry()
    telemetry.begin("4711")
    telemetry.event("changed")
    telemetry.warning("dropped")
    telemetry.problem("record_failed")
    telemetry.flush({})
    telemetry.begin("")
    telemetry.problem("record_failed")
    named = [line.get("request_id") for line in lines(capsys)]
    assert named == [None, "4711", "4711", "4711", None]


def test_threads_do_not_lose_counts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    telemetry = LambdaTelemetry()

    def add() -> None:
        for _ in range(500):
            telemetry.count("Checks")

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    telemetry.flush({})
    assert lines(capsys)[-1]["Checks"] == [4000.0]


@pytest.mark.parametrize("name", ["name", "message", "module", "args", "msg"])
def test_field_names_that_logging_refuses_are_refused_by_the_fake_too(name: str) -> None:
    telemetry = LambdaTelemetry()
    with pytest.raises(KeyError):
        telemetry.event("pushed", **{name: "x"})
    assert name in RESERVED
