"""A revision beside a number that lasts: an edit, a file to read, and nothing on its first day."""

from typing import Any

import pytest
from fakes.registry import Rule
from fakes.worlds import RegulationWorld

from uring.contracts import Job
from uring.regulations.revision import revision_of
from uring.regulations.values import RegulationFile

REVISION: dict[str, Any] = {
    "fields": {
        "revision": {
            "select": "a[href*='downloadContentsFile.do']",
            "attribute": "href",
            "parameter": "rev",
        }
    }
}
FIRST = "제1조(목적) 이 학칙은 교육을 정한다.\n\n제2조(학과) 학과는 셋이다."
SECOND = FIRST.replace("셋", "넷")


def rule(revision: str, title: str = "학칙", file_no: str = "23") -> Rule:
    return Rule(title, file_no, f"&rev={revision}")


STAFF = rule("7", "직제 규정", "24")


@pytest.fixture
def world() -> RegulationWorld:
    world = RegulationWorld()
    world.site.files["23"] = FIRST
    return world


@pytest.mark.parametrize(
    ("text", "revision"),
    [
        ("2024-03-01", "2024-03-01"),
        ("2024. 3. 1.", "2024-03-01"),
        ("2024.03.01", "2024-03-01"),
        ("20240301", "2024-03-01"),
        ("2024년 3월 1일", "2024-03-01"),
        ("２０２４/3/1", "2024-03-01"),  # noqa: RUF001
        ("20241399", "20241399"),
        ("제12호", "제12호"),
        ("제 12 호 (개정)", "제-12-호-개정"),
        ("Rev. B/2", "rev-b-2"),
        ("../..", ""),
        (" - ", ""),
    ],
)
def test_a_revision_has_one_spelling_and_nothing_that_a_key_may_not_have(
    text: str, revision: str
) -> None:
    assert revision_of(text) == revision
    assert revision_of(revision) == revision


def test_another_revision_of_one_number_is_an_edit_and_its_file_is_read(
    world: RegulationWorld,
) -> None:
    world.day(rule("2024-03-01"), STAFF, **REVISION)
    world.site.files["23"] = SECOND
    world.site.show(rule("20250301"), STAFF)
    world.check(**REVISION)
    assert world.item("queue:학칙")["fileRevision"] == "2025-03-01"  # type: ignore[index]
    assert world.item("policy:학칙")["fileNo"] == "23"  # type: ignore[index]
    world.read()
    assert world.pushes() == [("edited", "학칙"), ("text_changed", "학칙")]
    assert world.keys("queue:") == []
    (push,) = world.texts.messages()
    assert push.content["fileRevision"] == "2025-03-01"
    text = world.state_of("rules").texts["학칙"][:8]
    assert push.content["difference"] == f"/data/rules/differences/23-23.{text}.2.html"
    page = world.bucket.body(str(push.content["difference"])[1:]).decode()
    assert "<h1>학칙: 2024-03-01 → 2025-03-01</h1>" in page
    document = world.document(f"data/rules/differences/23-23.{text}.2.json")
    assert (document["previousFileRevision"], document["fileRevision"]) == (
        "2024-03-01",
        "2025-03-01",
    )
    # Clients of the release before find the text by its number.
    shown = world.bucket.body("data/rules/texts/23.md").decode()
    assert shown.endswith(f"---\n\n{SECOND}")
    assert 'fileRevision: "2025-03-01"' in shown


def test_three_revisions_of_one_number_have_a_difference_each(world: RegulationWorld) -> None:
    for revision, text in (("1", FIRST), ("2", SECOND), ("3", SECOND.replace("넷", "다섯"))):
        world.site.files["23"] = text
        world.day(rule(revision), **REVISION)
    differences = [str(push.content["difference"]) for push in world.texts.messages()]
    assert len(set(differences)) == 2
    assert all(world.bucket.body(key[1:]) for key in differences)


def test_another_spelling_of_a_revision_is_none(world: RegulationWorld) -> None:
    world.day(rule("2024-03-01"), STAFF, **REVISION)
    world.day(rule("2024.%203.%201."), STAFF, **REVISION)
    assert world.pushes() == []


def test_a_registry_that_gains_a_revision_announces_and_reads_nothing(
    world: RegulationWorld,
) -> None:
    world.day(rule("1"), STAFF)
    before = world.item("policy:학칙")
    assert "fileRevision" not in (before or {})
    asked = len(world.site.requests)
    world.day(rule("1"), STAFF, **REVISION)
    assert world.pushes() == []
    assert len(world.site.requests) == asked + 1
    assert world.item("policy:학칙")["fileRevision"] == "1"  # type: ignore[index]
    world.day(rule("2"), STAFF, **REVISION)
    assert world.pushes() == [("edited", "학칙")]


def test_a_file_that_waits_while_its_registry_gains_a_revision_is_read(
    world: RegulationWorld,
) -> None:
    world.site.show(rule("1"))
    world.check()
    world.texts.work.messages.clear()
    world.clock.advance(days=1)
    world.day(rule("1"), **REVISION)
    assert world.keys("queue:") == []
    assert world.bucket.body("data/rules/texts/23.md").decode().endswith(FIRST)


def test_a_queue_entry_goes_for_its_own_revision_alone(world: RegulationWorld) -> None:
    world.site.show(rule("2"))
    world.check(**REVISION)
    world.table.done("rules", RegulationFile(title="학칙", file_no="23", file_revision="1"))
    assert world.keys("queue:") == ["queue:학칙"]
    world.table.done("rules", RegulationFile(title="학칙", file_no="23", file_revision="2"))
    assert world.keys("queue:") == []


def test_a_job_reads_the_revision_that_is_queued_by_now(world: RegulationWorld) -> None:
    world.site.show(rule("1"))
    world.check(**REVISION)
    (job,) = world.texts.work.receive(1)
    world.clock.advance(minutes=30)
    world.site.show(rule("2"))
    world.check(**REVISION)
    world.texts.checker.check(Job.parse(job.body))
    assert 'fileRevision: "2"' in world.bucket.body("data/rules/texts/23.md").decode()
    assert world.keys("queue:") == []


@pytest.mark.parametrize("revision", ["", "-", "가" * 41, "1" * 600])
def test_a_row_without_a_revision_is_skipped_and_counted(
    world: RegulationWorld, revision: str
) -> None:
    world.day(rule("1"), STAFF, **REVISION)
    world.day(rule(revision), STAFF, **REVISION)
    last = world.item("metadata:sync:lastRun") or {}
    assert (last["status"], last["errorCount"]) == ("partial", 1)
    assert world.item("policy:학칙")["fileRevision"] == "1"  # type: ignore[index]


def test_two_rows_of_one_title_with_a_revision_each_that_change_places_are_no_event(
    world: RegulationWorld,
) -> None:
    world.day(rule("1"), rule("2"), STAFF, **REVISION)
    world.day(rule("2"), rule("1"), STAFF, **REVISION)
    assert world.pushes() == []
    assert (world.item("metadata:sync:lastRun") or {})["status"] == "partial"
