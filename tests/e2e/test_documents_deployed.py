"""Documents on the deployed application: an upload, its event, the functions, the commands."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from conftest import uring

from uring_local.language.server import LanguageStandIn
from uring_local.stack.deploy import deploy
from uring_local.stack.ministack import MiniStack
from uring_local.stack.stack import Endpoint

STACK = "uring-documents"
PAGE = "handbook"
TEXT = "# Leave\n\nA term at most. {{issue high: two terms elsewhere}}\n"
PATIENCE_SECONDS = 120


@pytest.fixture(scope="module")
def language() -> Iterator[LanguageStandIn]:
    with LanguageStandIn() as started:
        yield started


@pytest.fixture(scope="module")
def endpoint(language: LanguageStandIn) -> Iterator[Endpoint]:
    parameters = {
        "Contact": "https://uring.invalid/test",
        "FcmProjectId": "uring-test",
        "Operations": "false",
        "ScheduleState": "DISABLED",
        "TranslateEndpoint": language.url,
        "BedrockEndpoint": language.url,
    }
    with MiniStack() as started:
        deploy(started, parameters=parameters, stack_name=STACK)
        yield started


def test_an_upload_becomes_text_translation_and_issues(
    endpoint: Endpoint, language: LanguageStandIn, tmp_path: Path
) -> None:
    """Nothing is asked for twice; another version renews text and issues by itself."""

    def documents(command: str, *arguments: str) -> Any:
        given = (command, PAGE, *arguments, "--stack", STACK)
        run = uring("documents", *given, endpoint=endpoint, timeout=PATIENCE_SECONDS)
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
    assert [each.service for each in language.asked] == ["translate", "bedrock"]
    documents("policy", "leave.md", "--language", "ko", "--wait", "--json")
    documents("analyse", "--wait")
    assert len(language.asked) == 2

    file.write_text(TEXT.replace("high: two terms elsewhere", "low: no end"), encoding="utf-8")
    documents("put", str(file))
    until(lambda: len(documents("issues", "--json")["issues"]) == 2)
    issues = documents("issues", "--json")["issues"]
    assert {each["title"]: each["is_stale"] for each in issues} == {
        "two terms elsewhere": True,
        "no end": False,
    }


def test_texts_that_the_worker_writes_are_no_alarm_of_the_intake(endpoint: Endpoint) -> None:
    """They lie below `pages/`, too, and are told of like an attachment."""
    client: Any = boto3.client(
        "logs",
        endpoint_url=endpoint.url,
        region_name=endpoint.region,
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )
    events = client.filter_log_events(logGroupName=f"/aws/lambda/{STACK}-document-intake")["events"]
    assert events
    assert not [each for each in events if "attachment_ignored" in each["message"]]


def until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "nothing came of it"
        time.sleep(0.5)
