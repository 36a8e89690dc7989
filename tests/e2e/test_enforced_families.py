"""Families on a stack that enforces policies: each function works with its role of the template.

Notices are in `test_run_deployed`, whose stack enforces them, too.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from enforced_stage import (
    REGISTRIES,
    STACK,
    WATCHES,
    EnforcedStage,
    enforced,
    hour,
    until,
    user,
)
from fakes.registry import Rule
from uring_command import uring

from uring.clock import parse_timestamp, timestamp
from uring.errors import Misconfigured
from uring_local.operate.signed import SignedApi, api_address
from uring_local.sites.airfield import Airfield
from uring_local.sites.airfield.comparable import faults_of_report
from uring_local.sites.airfield.simulation import PRODUCTS

PAGE = "handbook"
TEXT = "# Leave\n\nA term at most. {{issue high: two terms elsewhere}}\n"
SEEDS_ROUTE = "/api/v1/seeds/orchestrate"


@pytest.fixture(scope="module")
def stage() -> Iterator[EnforcedStage]:
    with enforced() as started:
        yield started


def test_the_weather_is_published_and_pushed(stage: EnforcedStage) -> None:
    # Every product is due on the full hour.
    for number in (1, 2):
        assert stage.tick("WeatherOrchestrator", hour(number)) == {"jobs": 3}
        until(lambda: published_as_told(stage, stage.airfield))
        if number == 1:
            assert not stage.topics() & {*stage.airfield.truth("metar")}
            stage.remove("state/weather/")
            stage.airfield.advance(stage.special_at)
    reports = stage.airfield.truth("metar")
    specials = {icao for icao, report in reports.items() if report.kind == "SPECI"}
    assert specials
    until(lambda: specials <= stage.topics())


def published_as_told(stage: EnforcedStage, airfield: Airfield) -> bool:
    for product in PRODUCTS:
        stored = stage.get(f"data/{product}/latest.json")
        told, now = stored["airports"] if stored else {}, datetime.now(UTC)
        # The stack's clock is hours ahead of the airfield's: warnings have ended since.
        truth = {
            icao: tuple(it for it in right if it.end > now) if isinstance(right, tuple) else right
            for icao, right in airfield.truth(product).items()
        }
        if told.keys() != truth.keys():
            return False
        if any(fault for icao in told for fault in faults_of_report(truth[icao], told[icao])):
            return False
    return True


def test_a_regulation_is_read_and_one_that_is_added_is_pushed(stage: EnforcedStage) -> None:
    stage.put(REGISTRIES, json.dumps(stage.registry.entries()).encode())
    assert stage.tick("RegulationOrchestrator", hour(1)) == {"jobs": 1}
    until(lambda: len(stage.keys("data/rules/texts/")) == 1)
    for family in ("regulations", "regulation_texts"):
        stage.remove(f"state/{family}/")
    stage.registry.rules.append(Rule("직제 규정", "2"))
    assert stage.tick("RegulationOrchestrator", hour(25)) == {"jobs": 1}
    until(lambda: "rules" in stage.topics())
    until(lambda: len(stage.keys("data/rules/texts/")) == 2)


def test_who_may_call_the_api_collects_domains_which_are_watched(stage: EnforcedStage) -> None:
    """Nobody else may, nor anything else."""
    records = {"meta": {"dataset_id": "sg-news"}, "records": [{"raw_url": "https://herald.sg/"}]}
    folder = "country=sg/category=news/date=2026-01-28"
    stage.put(f"datasets/{folder}/raw_0001.json", json.dumps(records).encode())
    base = api_address(stage.outputs, name="SeedApi", stack=STACK)
    arn = f"arn:aws:execute-api:*:*:{stage.ids['SeedApi']}/$default/POST{SEEDS_ROUTE}"
    allowed = {"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": arn}
    other = {**allowed, "Resource": arn.replace("POST", "GET")}
    for session in (user("stranger"), user("reader", other)):
        with pytest.raises(Misconfigured, match="execute-api:Invoke"):
            SignedApi(base, session).post(SEEDS_ROUTE, {})
    answer = SignedApi(base, user("caller", allowed)).post(SEEDS_ROUTE, {"country": "sg"})
    assert (answer.status, answer.document["files"]) == (200, 1)
    done = "domain_metadata.json.success"
    until(lambda: any(done in key for key in stage.keys(f"processing/{folder}/")))

    watch = {"id": "sg-news", "name": "News", "country": "sg", "category": "news"}
    stage.put(WATCHES, json.dumps({"watches": [watch]}).encode())
    assert stage.tick("SeedWatchOrchestrator", hour(1)) == {"jobs": 1}
    until(lambda: stage.keys("state/seeds/"))
    until(lambda: stage.keys("data/sg-news.1of1/archive/"))
    stage.remove("state/seeds/")
    stage.web.disallowed = "/b"
    assert stage.tick("SeedWatchOrchestrator", hour(25)) == {"jobs": 1}
    until(lambda: [key for key in stage.keys("state/seeds/") if stage.get(key)["unsettled"]])
    # A change counts at its second look, for which the job waits an hour; here a day passes.
    boto3.client("sqs").purge_queue(QueueUrl=stage.ids["SeedWatchQueue"])
    (key,) = stage.keys("state/seeds/")
    state = stage.get(key)
    for look in state["unsettled"].values():
        look["since"] = timestamp(parse_timestamp(look["since"]) - timedelta(days=1))
    stage.replace(key, json.dumps(state).encode())
    assert stage.tick("SeedWatchOrchestrator", hour(49)) == {"jobs": 1}
    until(lambda: "sg-news" in stage.topics())


def test_an_upload_becomes_text_translation_and_issues(
    stage: EnforcedStage, tmp_path: Path
) -> None:
    """Nothing is asked for twice; another version renews text and issues by itself."""

    def documents(command: str, *arguments: str) -> Any:
        run = uring(
            "documents", command, PAGE, *arguments, "--stack", STACK, endpoint=stage.endpoint
        )
        assert run.returncode == 0, run.stdout + run.stderr
        return json.loads(run.stdout) if "--json" in arguments else run.stdout

    file = tmp_path / "leave.md"
    file.write_text(TEXT, encoding="utf-8")
    documents("put", str(file))
    until(lambda: documents("policies", "--json")["policies"][0]["original"])
    translated = documents("policy", "leave.md", "--language", "ko", "--wait", "--json")
    assert translated["text"].startswith("# Leave⟨ko⟩\n")
    documents("analyse", "--wait")
    (issue,) = documents("issues", "--json")["issues"]
    assert (issue["title"], issue["severity"]) == ("two terms elsewhere", "high")
    assert [each.service for each in stage.language.asked] == ["translate", "bedrock"]
    documents("policy", "leave.md", "--language", "ko", "--wait", "--json")
    documents("analyse", "--wait")
    assert len(stage.language.asked) == 2

    file.write_text(TEXT.replace("high: two terms elsewhere", "low: no end"), encoding="utf-8")
    documents("put", str(file))
    until(lambda: len(documents("issues", "--json")["issues"]) == 2)
    issues = documents("issues", "--json")["issues"]
    assert {each["title"]: each["is_stale"] for each in issues} == {
        "two terms elsewhere": True,
        "no end": False,
    }
    # The texts that the worker writes lie below `pages/`, too: they are no alarm of the intake.
    group = stage.ids["DocumentIntakeLogGroup"]
    events = boto3.client("logs").filter_log_events(logGroupName=group)["events"]
    assert events
    assert not [each for each in events if "attachment_ignored" in each["message"]]


@pytest.mark.parametrize(
    ("function", "action"),
    [
        ("DocumentJanitor", "s3:ListBucket"),
        ("SeedOrchestrator", "dynamodb:Query"),
        ("WeatherOrchestrator", "sqs:SendMessage"),
    ],
)
def test_what_its_role_lacks_a_function_cannot_do(
    stage: EnforcedStage, function: str, action: str
) -> None:
    """So the work above was done with what the roles have."""
    with stage.without(function, action):
        refused = stage.tick(function, hour(48))
    assert "the calling role or user lacks this permission" in refused["errorMessage"]
    assert "errorMessage" not in stage.tick(function, hour(48))


def test_the_bucket_refuses_writes_without_a_condition(stage: EnforcedStage) -> None:
    """Whoever writes: the statement of the template's bucket policy, seen at work."""
    everything = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
    s3 = user("writer", everything).client("s3")

    def write(key: str, **condition: str) -> str:
        s3.put_object(Bucket=stage.bucket, Key=key, Body=b"{}", **condition)
        return "written"

    for key in ("state/notices/x.json", "data/x/latest.json"):
        with pytest.raises(ClientError, match="AccessDenied"):
            write(key)
        assert write(key, IfNoneMatch="*") == "written"
        with pytest.raises(ClientError, match="AccessDenied"):
            write(key)
    assert write("config/x.json") == "written"
