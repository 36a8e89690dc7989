"""The judge of the registries finds what is wrong, and nothing where all is well."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from registry_reader import BASE, Month, run_entry, shown_of, world

from uring_local.sites.registry.journal import Journal
from uring_local.sites.registry.judge import LAST_RUN, Shown, faults, faults_of_run
from uring_local.sites.registry.model import BYEOLHA, MULGYEOL, OPENED
from uring_local.sites.registry.script import Script
from uring_local.sites.registry.simulation import RegistrySimulation
from uring_local.sites.registry.site import RegistrySite
from uring_local.sites.registry.stories import MONTH

Spoil = Callable[[Shown], str]
"""Spoils what is published; returns what the judge has to name."""


@pytest.fixture(scope="module")
def expected() -> Journal:
    script = Script(3, BYEOLHA)
    journal = Journal(BYEOLHA, script.files)
    for day in range(1, MONTH + 1):
        journal.observe(day, script.page(day))
    return journal


@pytest.fixture
def shown(expected: Journal) -> Shown:
    """What a product without faults has published; in containers that can be spoilt."""
    return shown_of(expected)


def found(expected: Journal, shown: Shown) -> list[str]:
    return list(faults(expected, shown, BASE))


def test_nothing_is_wrong_where_all_is_well(expected: Journal, shown: Shown) -> None:
    assert found(expected, shown) == []


def test_an_empty_bucket_and_table_lack_everything(expected: Journal) -> None:
    count = len(found(expected, Shown()))
    assert count > len(expected.known) + len(expected.active) + len(expected.texts)


def policy(shown: Shown, status: str = "active") -> Any:
    return next(
        entry
        for key, entry in shown.table.items()
        if key.startswith("policy:") and entry["status"] == status
    )


def spoil_entry(**fields: Any) -> Spoil:
    def spoil(shown: Shown) -> str:
        entry = policy(shown)
        entry.update(fields)
        return f"policy:{entry['key'].removeprefix('policy:')}"

    return spoil


def lose_entry(shown: Shown) -> str:
    key: str = policy(shown)["key"]
    del shown.table[key]  # type: ignore[attr-defined]
    return f"{key} is missing"


def lose_tombstone(shown: Shown) -> str:
    entry = policy(shown, "archived")
    entry["status"] = "active"
    return f"{entry['key']}: status is 'active', not 'archived'"


def add_entry(shown: Shown) -> str:
    entry = {**policy(shown), "title": "게시 준비 중인 규정"}
    shown.table["policy:게시 준비 중인 규정"] = entry  # type: ignore[index]
    return "policy:게시 준비 중인 규정 is stored, and should not be"


def letter(shown: Shown) -> Any:
    return next(e for key, e in shown.table.items() if key.startswith("dead-letter:"))


def lose_letter(shown: Shown) -> str:
    key: str = letter(shown)["key"]
    del shown.table[key]  # type: ignore[attr-defined]
    return f"{key} is missing"


def wrong_reason(shown: Shown) -> str:
    letter(shown)["errorMessage"] = "no such file"
    return "'no such file' does not name"


def wrong_letter(shown: Shown) -> str:
    letter(shown)["fileNo"] = "1"
    return "fileNo is '1', not"


def untried_letter(shown: Shown) -> str:
    letter(shown)["retryCount"] = 0
    return "retryCount is 0, not"


def add_letter(shown: Shown) -> str:
    title = policy(shown)["title"]
    shown.table[f"dead-letter:{title}"] = letter(shown)  # type: ignore[index]
    return f"dead-letter:{title} is stored, and should not be"


def lose_item(shown: Shown) -> str:
    return f"latest.json: {shown.latest['items'].pop()['title']} is missing"


def double_item(shown: Shown) -> str:
    shown.latest["items"].append(shown.latest["items"][0])
    return "latest.json has a title twice"


def keep_deleted_item(shown: Shown) -> str:
    gone = policy(shown, "archived")
    shown.latest["items"].append({**gone, "id": gone["title"]})
    return f"latest.json: {gone['title']} is stored, and should not be"


def wrong_item(shown: Shown) -> str:
    shown.latest["items"][0]["downloadUrl"] = "http://registry.invalid/"
    return "downloadUrl is 'http://registry.invalid/'"


def archive(shown: Shown) -> list[dict[str, Any]]:
    assert isinstance(shown.archive, list)
    return shown.archive


def lose_line(shown: Shown) -> str:
    line = archive(shown).pop()
    return f"archive: {line['id']}: {line['kind']} is missing"


def double_line(shown: Shown) -> str:
    archive(shown).append(shown.archive[0])  # type: ignore[arg-type]
    return "archive: event 0 is stored 2 times"


def add_line(shown: Shown) -> str:
    archive(shown).append(
        {**shown.archive[0], "kind": "edited", "id": "없던 규정", "event_id": "x"}
    )
    return "archive: 없던 규정: edited has no reason"


def text(change: Callable[[str], str]) -> Spoil:
    def spoil(shown: Shown) -> str:
        number, (body, record) = next(iter(shown.texts.items()))
        shown.texts[number] = (change(body), record)  # type: ignore[index]
        return f"text {number}"

    return spoil


def lose_text(shown: Shown) -> str:
    number = next(iter(shown.texts))
    del shown.texts[number]  # type: ignore[attr-defined]
    return f"text {number} is missing"


def add_text(shown: Shown) -> str:
    shown.texts["12a4"] = next(iter(shown.texts.values()))  # type: ignore[index]
    return "text 12a4 is stored, and should not be"


def swap_texts(shown: Shown) -> str:
    (one, a), (other, b), *_ = shown.texts.items()
    shown.texts.update({one: b, other: a})  # type: ignore[attr-defined]
    return f"text {other}"


def wrong_source(shown: Shown) -> str:
    next(iter(shown.texts.values()))[1]["sourceSha256"] = "0" * 64  # type: ignore[index]
    return "sourceSha256 is"


def lose_difference(shown: Shown) -> str:
    pair = next(iter(shown.differences))
    del shown.differences[pair]  # type: ignore[attr-defined]
    return f"difference {pair} is missing"


def wrong_difference(shown: Shown) -> str:
    pair, document = next(iter(shown.differences.items()))
    document["articles"].append({"key": "제99조", "change": "changed"})
    return f"difference {pair}: article 제99조 is stored, and should not be"


def another_change(shown: Shown) -> str:
    pair, document = next(iter(shown.differences.items()))
    article = document["articles"][0]
    article["change"] = "renumbered"
    return f"difference {pair}: {article['key']} is 'renumbered', not"


def lose_article(shown: Shown) -> str:
    pair, document = next(iter(shown.differences.items()))
    return f"difference {pair}: article {document['articles'].pop()['key']} is missing"


def misnamed_difference(shown: Shown) -> str:
    document: Any = next(iter(shown.differences.values()))
    document["fileNo"] = "1"
    return "fileNo is '1', not"


def wrong_date_of_text(shown: Shown) -> str:
    number, (_, record) = next(iter(shown.texts.items()))
    record["effective"] = "1999-01-01"  # type: ignore[index]
    return f"text {number}: effective is '1999-01-01', not"


def wrong_date_of_difference(shown: Shown) -> str:
    name, document = next(iter(shown.differences.items()))
    document["effective"] = "1999-01-01"  # type: ignore[index]
    return f"difference {name}: effective is '1999-01-01', not"


def wrong_date_of_line(shown: Shown) -> str:
    line = next(line for line in archive(shown) if line["kind"] == "text_changed")
    line["effective"] = "1999-01-01"
    return f"archive: {line['id']}: text_changed, 1999-01-01"


def add_difference(shown: Shown) -> str:
    shown.differences["1-2"] = next(iter(shown.differences.values()))  # type: ignore[index]
    return "difference 1-2 is stored, and should not be"


@pytest.mark.parametrize(
    "spoil",
    [
        lose_entry,
        spoil_entry(fileNo="1"),
        spoil_entry(previewUrl="http://registry.invalid/"),
        spoil_entry(status="archived"),
        spoil_entry(lastUpdated="2026-02-01T16:00:00Z"),
        lose_tombstone,
        add_entry,
        lose_letter,
        wrong_reason,
        wrong_letter,
        untried_letter,
        add_letter,
        lose_item,
        double_item,
        keep_deleted_item,
        wrong_item,
        lose_line,
        double_line,
        add_line,
        lose_text,
        add_text,
        text(lambda body: body.replace("목적", "모적", 1)),
        text(lambda body: body + "오류 " * 200),
        text(lambda body: body + " "),
        swap_texts,
        wrong_source,
        lose_difference,
        wrong_difference,
        another_change,
        lose_article,
        misnamed_difference,
        wrong_date_of_text,
        wrong_date_of_difference,
        wrong_date_of_line,
        add_difference,
    ],
)
def test_a_fault_is_named(spoil: Spoil, expected: Journal, shown: Shown) -> None:
    named = spoil(shown)
    assert any(named in fault for fault in found(expected, shown))


def test_a_former_title_may_stay_as_a_tombstone_and_not_otherwise(
    expected: Journal, shown: Shown
) -> None:
    former = min(expected.former)
    entry = {**policy(shown), "title": former, "status": "archived"}
    shown.table[f"policy:{former}"] = entry  # type: ignore[index]
    assert found(expected, shown) == []
    entry["status"] = "active"
    assert found(expected, shown) == [f"policy:{former} is stored, and should not be"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"status": "failed"}, "status is 'failed', not 'success'"),
        ({"totalProcessed": 1}, "totalProcessed is 1"),
        ({"added": 0}, "added is 0, not 40"),
        ({"updated": 3}, "updated is 3, not 0"),
        ({"deleted": 1}, "deleted is 1, not 0"),
        ({"errorCount": 2}, "errorCount is 2, not 0"),
        ({"timestamp": "2026-03-01T16:00:00Z"}, "is of 2026-03-01T16:00:00Z"),
    ],
)
def test_a_wrong_record_of_a_run_is_named(
    change: dict[str, Any], named: str, expected: Journal
) -> None:
    run = run_entry(1, expected.runs[1])
    assert list(faults_of_run(1, expected.runs[1], {LAST_RUN: run})) == []
    (fault,) = faults_of_run(1, expected.runs[1], {LAST_RUN: {**run, **change}})
    assert named in fault


def test_a_run_without_record_and_a_file_that_waits_are_named(expected: Journal) -> None:
    table = {"queue:학칙": {"key": "queue:학칙"}}
    assert list(faults_of_run(1, expected.runs[1], table)) == [
        "queue:학칙 still waits",
        f"{LAST_RUN} is missing",
    ]


# The whole month in a simulation, beside a product that has no faults but those that are planted.


@pytest.fixture(scope="module")
def month() -> Month:
    return Month(1)


def test_a_product_without_faults_is_well(month: Month) -> None:
    verdict = month.verdict()
    assert verdict.problems == []
    assert verdict.pushed == verdict.expected > 40
    assert verdict.figures["dead_letters"] == 4  # files that came back are read
    assert sum(verdict.figures["runs"].values()) == 2 * MONTH


def test_a_push_that_is_lost_late_or_without_reason_is_named(month: Month) -> None:
    pushes = month.product.deliveries()
    first = pushes[0]
    assert month.verdict(pushes[1:]).lost[0].startswith("never pushed: Push(registry='byeolha")
    late = replace(first, data={**first.data, "detected_at": "2026-03-31T16:00:00Z"})
    verdict = month.verdict([late, *pushes[1:]])
    assert (len(verdict.lost), len(verdict.wrong)) == (1, 1)
    other = replace(first, event_id="another", topic=MULGYEOL.id)
    assert "pushed without reason" in month.verdict([*pushes, other]).wrong[0]
    assert month.verdict([*pushes, first]).doubled


def test_a_wrong_entry_and_text_in_the_stores_are_named(month: Month) -> None:
    product = month.product
    key = next(key for key in product.keys("data/byeolha_regulations/texts/") if key[-3:] == ".md")
    before, product.objects[key] = product.objects[key], b"no law"
    try:
        assert any("byeolha_regulations: text" in wrong for wrong in month.verdict().wrong)
    finally:
        product.objects[key] = before
    entries = product.tables[MULGYEOL.id]
    title = next(key for key in entries if key.startswith("policy:"))
    entry = entries.pop(title)
    try:
        assert month.verdict().wrong == [f"{MULGYEOL.id}: {title} is missing"]
    finally:
        entries[title] = entry
    assert month.verdict().problems == []


@pytest.mark.parametrize("finished", [4, 5])
def test_a_process_that_goes_on_begins_on_the_last_day(finished: int) -> None:
    """Messages of a killed process come back before its day begins again: to this day's files."""
    with RegistrySimulation(replace(world(1), tick=5, finished=finished)) as simulation:
        assert simulation.clock() == OPENED + timedelta(days=4)
        assert isinstance(simulation.site, RegistrySite)
        assert simulation.site.day == 5
        for journal in simulation.journals.values():
            assert list(journal.runs) == list(range(1, finished + 1))
