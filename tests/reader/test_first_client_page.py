"""docs/first-client.md: its programs run against a local stack as a phone would, from the page."""

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import urllib3
from fakes.fetcher import Notice
from fakes.watched_world import Watched
from javascript import NODE, JavaScript
from phone_stage import CSE, JANUARY, MATH, PhoneStage, phone_stage
from twin import call

from uring.subscriptions.subscriber import MOST_TOPICS, SubscriptionChange

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "first-client.md").read_text("utf-8")
CLIENTS = (ROOT / "docs" / "clients.md").read_text("utf-8")
KEYWORDS = ["장학", "-설명회"]


def block(language: str) -> str:
    (code,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(code)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The page's programs as files, and how they are started."""
    folder = tmp_path_factory.mktemp("clients")
    (folder / "first-client.mjs").write_text(block("js"), "utf-8")
    (folder / "first_client.py").write_text(block("python"), "utf-8")
    return {
        "node": [str(NODE), str(folder / "first-client.mjs")],
        "python": [sys.executable, str(folder / "first_client.py")],
    }


@pytest.fixture
def stage() -> Iterator[PhoneStage]:
    with phone_stage() as stage:
        yield stage


def test_both_programs_do_the_whole_way_from_the_page_alone(
    stage: PhoneStage, programs: dict[str, list[str]]
) -> None:
    """Eight messages of two boards, three months one of which is absent, and a 304."""
    given = [stage.front.url, f"{CSE},{MATH}", "8", *KEYWORDS]
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "PYTHONIOENCODING": "utf-8"}
    running = [
        subprocess.Popen(
            [*program, *given], stdout=subprocess.PIPE, text=True, encoding="utf-8", env=environment
        )
        for program in programs.values()
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "subscribed\n"
    push_eight_messages(stage)
    expected = re.findall(r"```text\nsubscribed\n(.*?)```", PAGE, re.DOTALL)
    printed = [process.communicate(timeout=60)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    for text in printed:
        *lines, last = text.splitlines()
        *told, summary = expected[0].splitlines()
        assert lines == told
        assert json.loads(last) == json.loads(summary)


def push_eight_messages(stage: PhoneStage) -> None:
    scholarship = Notice("41", "국가장학금 2차 신청 안내", date="2026-03-02")
    jobs = Notice("44", "근로장학생 모집", date="2026-03-02")
    longer = Notice("44", "근로장학생 모집 (연장)", date="2026-03-02")
    others = [
        Notice("43", "장학 설명회", date="2026-03-02"),
        Notice("42", "봄 축제", date="2026-03-02"),
    ]
    stage.check(CSE, scholarship, *JANUARY)
    stage.check(MATH, scholarship)
    stage.check(CSE, others[1], scholarship, *JANUARY)
    stage.check(CSE, *others, scholarship, *JANUARY)
    stage.check(CSE, jobs, *others, scholarship, *JANUARY)
    stage.check(CSE, longer, *others, scholarship, *JANUARY)
    stage.check(CSE, jobs, *others, scholarship, *JANUARY)
    stage.push(next(each for each in stage.pushed.values() if each.id == "41"))


def test_an_entry_an_item_and_a_message_are_as_the_page_shows_them(stage: PhoneStage) -> None:
    """Keys and types are those that the monitor, the worker and the notifier write here."""
    entry, item, message = map(json.loads, re.findall(r"```text\n(\{.*?)```", PAGE, re.DOTALL))
    watched = Watched(CSE)
    watched.tick()
    watched.watch()
    assert shape(entry) == shape(watched.index()[CSE])

    device = "c" + "0" * 21
    stage.fcm.devices.subscribe(device, CSE)
    stage.check(CSE, Notice(item["id"], item["title"], date=item["date"]), *JANUARY)
    assert shape(message) == shape(stage.fcm.listen(device).take(0))
    latest = urllib3.request("GET", f"{stage.front.url}data/{entry['latest']}", timeout=10).json()
    assert shape(item) == shape(latest["items"][0])

    # The three are of one board and one notice.
    data = message["data"]
    assert message["from"] == f"/topics/{entry['topic']}"
    assert (data["dept"], data["id"], data["title"]) == (entry["id"], item["id"], item["title"])
    assert entry["last_change"] == item["first_seen"] == data["detected_at"]


def shape(value: Any) -> Any:
    """The keys of a document, and the types of its values."""
    if isinstance(value, Mapping):
        return {key: shape(each) for key, each in value.items()}
    return type(value)


def examples() -> list[tuple[dict[str, str], list[str], str | None]]:
    """The page's table of keywords: title, category, keywords in order, and what matches."""
    table = CLIENTS.partition("### Keywords")[2].partition("\n\n|")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip("| ").split("|")] for row in table.splitlines()[2:]]
    return [
        (
            {"title": title, "category": category},
            re.findall("`([^`]+)`", keywords),
            next(iter(re.findall("`([^`]+)`", result)), None),
        )
        for title, category, keywords, result in rows
    ]


def test_the_table_of_keywords_is_what_every_program_does(
    uring_js: JavaScript, programs: dict[str, list[str]]
) -> None:
    """`web/uring.js`, its twin, and both programs of the page."""
    found = examples()
    assert len(found) > 8
    cases = [[record, keywords] for record, keywords, _ in found]
    expected = [result for *_, result in found]
    python = runpy.run_path(programs["python"][1])["matches"]
    script = (
        f"const {{ matches }} = await import({json.dumps(programs['node'][1])});"
        f"const cases = {json.dumps(cases)};"
        "console.log(JSON.stringify(cases.map((given) => matches(...given))));"
    )
    node = subprocess.run(
        [NODE, "--input-type=module", "--eval", script], capture_output=True, text=True, check=True
    )
    results: dict[str, list[Any]] = {
        "uring.js": [uring_js.call("matches", *given) for given in cases],
        "its twin": [call("matches", *given) for given in cases],
        "the page's Python": [python(*given) for given in cases],
        "the page's Node": json.loads(node.stdout),
    }
    assert results == dict.fromkeys(results, expected)


def test_the_form_of_a_subscription_is_that_of_the_api() -> None:
    assert SubscriptionChange.model_fields["id"].metadata[0].pattern in PAGE
    assert f"{MOST_TOPICS} topics at most" in PAGE
    assert SubscriptionChange.model_fields.keys() == {"id", "subscribe", "unsubscribe"}


@pytest.mark.parametrize(("language", "most"), [("kotlin", 45), ("swift", 60)])
def test_the_apps_know_the_messages_keys(language: str, most: int) -> None:
    """Nobody compiles them here: at least their keys are those of the table of messages."""
    code = block(language)
    assert len(code.splitlines()) <= most
    keys = set(re.findall(r'(?:data|userInfo)\["(\w+)"\]', code))
    assert {"event_id", "retracts", "title"} <= keys
    told = CLIENTS.partition("## Messages")[2].partition("### One notice")[0]
    assert keys <= set(re.findall(r"`(\w+)`", told))
