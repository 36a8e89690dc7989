"""The operator's page and Python judge, word and advise alike."""

import ast
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from index_of_status import failing
from playwright.sync_api import Page
from site_of_client import Site

import uring
from uring.changes.health import CLASSES, DAILY, OVERDUE
from uring.changes.registry import WatchedSource
from uring.changes.state import PartTrouble
from uring.functions.families import FAMILIES
from uring.watch.status import Facts, assess, corrupt, index_entry, list_entry
from uring.weather.gateway.errors import GatewayReason
from uring.weather.iwxxm.errors import RefusedReason
from uring_local.cli import application
from uring_local.project import ROOT

Status = Callable[[], Page]
LIBRARY = Path(uring.__file__).parent
NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
SOURCE = WatchedSource(
    "cs", "cs", "https://cs.example.ac.kr", "cs", 10, "Asia/Seoul", heartbeat=DAILY
)
LATE = "2026-03-01T22:00:00Z"
WELL = {"etag": "x", "since": LATE, "succeeded_at": LATE}
QUIET = tuple(f"2025-01-{day:02}" for day in range(20, 0, -1))
TROUBLE = {"airport": PartTrouble(reason="timeout", since=LATE)}
# Classes of which a literal reason may be the first argument.
TROUBLES = ("FetchFailed", "SuspectPage", "SourceTrouble", "_unbelieved")


def given_reasons() -> set[str]:
    """Return every reason that Python's code gives a trouble."""
    given = {*CLASSES, *get_args(GatewayReason), *get_args(RefusedReason)}
    given |= {OVERDUE, corrupt("").reason}
    for path in LIBRARY.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(word)), *_]):
                    if name in TROUBLES:
                        given.add(word)
                case ast.Assign(targets=[ast.Name(id="_Reason")], value=ast.Subscript(slice=words)):
                    given |= {
                        each.value for each in ast.walk(words) if isinstance(each, ast.Constant)
                    }
    return given


@pytest.fixture
def page(status: Status) -> Page:
    return status()


def test_every_reason_has_words_in_both_languages(page: Page) -> None:
    """And none that Python cannot give: who renames a reason comes by here."""
    told: Mapping[str, list[str]] = page.evaluate(
        "async () => (await import('/status/reasons.js')).REASONS"
    )
    assert set(told) == given_reasons()
    assert all(len(words) == 2 and all(words) for words in told.values())
    assert all(re.search("[가-힣]", korean) for korean, _ in told.values())
    for unknown in ("quantum_noise", "constructor", "__proto__"):
        assert unknown == page.evaluate(
            "async (word) => (await import('/status/runbook.js')).reasonWords(word)", unknown
        )


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        (None, "pending"),
        (corrupt("x"), "corrupt"),
        (Facts(**WELL), "ok"),
        (Facts(**WELL, parts=15, failing=1, troubles=TROUBLE), "parts"),
        (Facts(**{**WELL, "succeeded_at": "2026-02-20T00:00:00Z", "since": None}), "unchecked"),
        (Facts(**WELL, dates=QUIET), "stale"),
        (Facts(**WELL, status="failed", trouble="transient", reason="dns", failures=2), "soon"),
        (Facts(**WELL, status="failed", trouble="transient", reason="dns", failures=3), "failed"),
        (
            Facts(**WELL, status="suspect", trouble="structure", reason="no_rows", failures=3),
            "suspect",
        ),
        (
            Facts(**WELL, status="failed", failures=1, dates=QUIET),
            "stale",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_needs_a_look_is_what_the_monitor_mails(
    page: Page, facts: Facts | None, kind: str
) -> None:
    """One set of facts, judged by the monitor and, as it is published, by the page."""
    status = assess(SOURCE, facts, NOW)
    published = index_entry(FAMILIES[0], SOURCE, status)
    judged = page.evaluate(
        """async ([entry, now]) => {
             const {assess} = await import("/status/health.js");
             return assess(entry, "departments", now);
           }""",
        [published, NOW.timestamp() * 1000],
    )
    mailed = status.down is not None or (status.status == "ok" and bool(status.parts_down))
    assert (judged["kind"], judged["needs"]) == (kind, mailed)


def advised(page: Page) -> list[dict[str, Any]]:
    """Return the advice on every kind and class of trouble, of every family and on the whole."""
    kinds = ["corrupt", "unchecked", "failed", "suspect", "parts", "stale", "soon", "later", "ok"]
    return list(
        page.evaluate(
            """async ([kinds, families]) => {
                 const {advice, adviceOnAll} = await import("/status/runbook.js");
                 const all = ["no_index", "silent", "outage"].map((k) => adviceOnAll(k, "prod"));
                 for (const family of families)
                   for (const kind of kinds)
                     for (const word of ["transient", "blocked", "structure", "ok"])
                       all.push(advice({id: "cs", family, kind, class: word}, "prod"));
                 return all;
               }""",
            [[*kinds, "pending"], [*(each.index_key for each in FAMILIES), "later"]],
        )
    )


def test_every_command_is_one_of_the_project(page: Page) -> None:
    """It parses, its file is there, and its queue is in the template."""
    commands = {command for each in advised(page) for command in each["commands"]}
    assert len(commands) > 10
    template = (ROOT / "template.yaml").read_text()
    for command in commands:
        name, *tokens = command.split()
        assert name == "uring"
        application().parse_args(tokens, exit_on_error=False, print_error=False)
        for file in (token for token in tokens if token.startswith("config/")):
            assert (ROOT / file).is_file()
        for queue in (token for token in tokens if token.endswith("Queue")):
            assert f"\n  {queue}:\n" in template


def test_every_section_is_in_the_docs(page: Page) -> None:
    """A heading that is renamed is found here."""
    sections = {each["section"] for each in advised(page)}
    assert len(sections) > 6
    for section in sections:
        name, _, anchor = section.partition("#")
        headings = re.findall(r"^#+ (.+)$", (ROOT / name).read_text(), re.MULTILINE)
        slugs = [re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings]
        assert anchor in slugs, section


def test_every_advice_is_a_sentence(page: Page) -> None:
    """No key of ours is shown where words are missing; a source that is well needs none."""
    for each in advised(page):
        assert re.fullmatch(r"|.*[가-힣].*\.", each["todo"]), each


def test_every_family_has_a_name_and_advice_of_its_own(site: Site, status: Status) -> None:
    """The index says the name; its page of the docs is there, or the page knows a better one."""
    lists = {each.index_key: [failing(f"{each.index_key}.1", "timeout")] for each in FAMILIES}
    described = {each.index_key: list_entry(each) for each in FAMILIES}
    site.put(
        "index.json",
        {"generated_at": "2026-03-02T00:00:00Z", "families": described, **lists},
    )
    page = status()
    for family in FAMILIES:
        shown = page.locator(f"[data-family='{family.index_key}']").inner_text()
        assert family.word["ko"] in shown
        assert re.search("[가-힣]", family.word["ko"])
        assert re.search("[A-Za-z]", family.word["en"])
        key = f"[data-source='{family.index_key}/{family.index_key}.1']"
        assert "docs/operations.md#alarms" not in (page.locator(key).text_content() or "")
        assert (ROOT / "docs" / f"{family.name}.md").is_file()


def test_an_index_of_the_release_before_is_named_as_this_one_names_its_lists(page: Page) -> None:
    """A word or a view that changes here changes there; a family that it had not is not there."""
    earlier = page.evaluate("async () => (await import('/app/families.js')).EARLIER")
    now = {each.index_key: {"view": each.view, "word": dict(each.word)} for each in FAMILIES}
    assert earlier == {list_: now[list_] for list_ in earlier}
    assert len(earlier) == 4
