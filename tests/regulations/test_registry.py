"""A registry through its days: table, readers, pushes and metadata (R1 to R9, R11)."""

import json
import unicodedata
from typing import Any, Literal

import pytest
from fakes.registry import Rule, registry_page
from fakes.worlds import RegulationWorld

from uring.changes.register import Superseded
from uring.errors import FetchFailed, Unavailable
from uring.regulations.values import QueueEntry

CHARTER, STAFF, LABS = Rule("학칙", "868"), Rule("직제 규정", "869"), Rule("연구소 규정", "870")
ALL = (CHARTER, STAFF, LABS, Rule("가 규정", "871"), Rule("나 규정", "872"), Rule("다 규정", "873"))


@pytest.fixture
def world() -> RegulationWorld:
    return RegulationWorld()


def metadata(world: RegulationWorld) -> dict[str, Any]:
    item = world.item("metadata:sync:lastRun")
    assert item is not None
    return dict(item)


def shown(world: RegulationWorld) -> dict[str, str]:
    document = world.document("data/rules/latest.json")
    return {item["title"]: item["fileNo"] for item in document["items"]}


def kinds(world: RegulationWorld) -> list[tuple[str, str]]:
    lines = world.bucket.body("data/rules/archive/202603.jsonl").decode().splitlines()
    return [
        (line["kind"], line["title"])
        for line in map(json.loads, lines)
        if not line["id"].startswith("text/")
    ]


def test_r1_the_first_sync_has_the_documents_keys_and_values(world: RegulationWorld) -> None:
    world.site.show(CHARTER)
    world.check()
    at = "2026-03-02T01:00:00Z"
    address = "https://rules.example.ac.kr/{}?key=7&fileNo=868"
    assert world.item("policy:학칙") == {
        "title": "학칙",
        "fileNo": "868",
        "status": "active",
        "lastUpdated": at,
        "previewUrl": address.format("www/previewMenuCntFile.do"),
        "downloadUrl": address.format("downloadContentsFile.do"),
    }
    assert world.item("queue:학칙") == {
        "title": "학칙",
        "fileNo": "868",
        "operation": "add",
        "retryCount": 0,
        "createdAt": at,
        "errorMessage": None,
    }
    assert metadata(world) == {
        "timestamp": at,
        "totalProcessed": 1,
        "added": 1,
        "updated": 0,
        "deleted": 0,
        "status": "success",
        "errorCount": 0,
    }


def test_two_rows_of_one_title_that_change_places_are_no_event(world: RegulationWorld) -> None:
    other = Rule("학칙", "900")
    world.day(*ALL, other)
    before = shown(world)
    world.day(other, *ALL)
    assert metadata(world)["status"] == "partial"
    assert metadata(world)["errorCount"] == 1
    assert shown(world) == before
    assert before["학칙"] == "868"
    assert world.pushes() == []
    world.day(Rule("학칙", "950"), *ALL[1:], other)
    assert kinds(world)[-1] == ("edited", "학칙")
    assert shown(world)["학칙"] == "950"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("교육ㆍ연구 규정", "교육·연구 규정"),
        ("학칙(대학원)", "학칙（대학원）"),  # noqa: RUF001
        ("학칙 시행세칙", "학칙 시행세칙 <개정 2026. 1. 1.>"),
    ],
)
def test_r9_another_spelling_of_a_title_is_a_rename_and_keeps_its_text(
    world: RegulationWorld, old: str, new: str
) -> None:
    world.day(*ALL, Rule(old, "880"))
    text = world.state_of("rules").texts[old]
    world.day(*ALL, Rule(new, "990"))
    for _ in range(3):
        world.day(*ALL, Rule(new, "990"))
    assert kinds(world)[-1] == ("renamed", new)
    assert [kind for kind, _ in kinds(world)].count("renamed") == 1
    assert "deleted" not in [kind for kind, _ in kinds(world)]
    assert world.state_of("rules").texts[new] == text
    assert (world.item(f"policy:{old}"), bool(world.item(f"policy:{new}"))) == (None, True)


def test_r9_every_title_at_once_may_get_another_spelling(world: RegulationWorld) -> None:
    world.day(*(Rule(f"교육ㆍ연구 규정 {number}", str(800 + number)) for number in range(5)))
    world.day(*(Rule(f"교육·연구 규정 {number}", str(900 + number)) for number in range(5)))
    assert metadata(world)["status"] == "success"
    assert metadata(world)["updated"] == 5


def test_r8_a_known_title_in_a_bad_row_is_not_missing_in_another_spelling(
    world: RegulationWorld,
) -> None:
    known = (*ALL, Rule("교육ㆍ연구 규정", "880"))
    world.day(*known)
    for _ in range(3):
        world.day(*ALL, Rule("교육·연구 규정", "88x"))
    assert "교육ㆍ연구 규정" in shown(world)


def test_r4_entry_and_queue_entry_are_one_transaction_and_metadata_is_last(
    world: RegulationWorld,
) -> None:
    world.site.show(*ALL)
    world.check()
    together = [{part.key for part in parts} for _, parts in world.items.history]
    for rule in ALL:
        assert any({f"policy:{rule.title}", f"queue:{rule.title}"} <= keys for keys in together)
    assert "metadata:sync:lastRun" in together[-1]


def test_r4_a_registry_larger_than_a_transaction_is_written_in_batches(
    world: RegulationWorld,
) -> None:
    world.site.show(*(Rule(f"규정 {number}", str(number)) for number in range(1, 200)))
    world.check()
    assert len(world.keys("policy:")) == len(world.keys("queue:")) == 199


def test_the_first_sight_is_silent_and_shows_every_regulation(world: RegulationWorld) -> None:
    world.day(*(Rule(f"규정 {number}", str(number)) for number in range(1, 96)))
    assert world.pushes() == []
    assert len(shown(world)) == 95


def test_a_new_and_a_revised_regulation_are_pushed_queued_and_counted(
    world: RegulationWorld,
) -> None:
    world.day(CHARTER)
    world.day(Rule("학칙", "900"), STAFF)
    assert {("edited", "학칙"), ("new", "직제 규정")} < set(world.pushes())
    assert shown(world) == {"학칙": "900", "직제 규정": "869"}
    assert (metadata(world)["added"], metadata(world)["updated"]) == (1, 1)


def test_an_unchanged_page_writes_the_runs_metadata_and_nothing_for_readers(
    world: RegulationWorld,
) -> None:
    world.day(*ALL)
    before = world.bucket.body("data/rules/latest.json")
    assert world.day(*ALL).outcome == "unchanged"
    assert world.bucket.body("data/rules/latest.json") == before
    assert metadata(world)["timestamp"] == "2026-03-03T01:00:00Z"
    assert world.pushes() == []


def test_r8_a_deletion_takes_two_runs_and_leaves_a_tombstone(world: RegulationWorld) -> None:
    world.day(*ALL)
    world.day(*ALL[:-1])
    assert world.item("policy:다 규정") is not None
    assert ("deleted", "다 규정") not in world.pushes()
    world.day(*ALL[:-1])
    tombstone = world.item("policy:다 규정")
    assert tombstone is not None
    assert (tombstone["status"], tombstone["fileNo"]) == ("archived", "873")
    assert world.pushes() == [("deleted", "다 규정")]
    assert "다 규정" not in shown(world)
    assert metadata(world)["deleted"] == 1


def test_r8_a_second_run_of_the_same_day_proves_no_deletion(world: RegulationWorld) -> None:
    world.day(*ALL)
    world.site.show(*ALL[:-1])
    for _ in range(3):
        world.check()
        world.clock.advance(300)
    assert "다 규정" in shown(world)
    world.clock.advance(days=1)
    world.check()
    assert "다 규정" not in shown(world)


def test_r8_a_title_that_is_back_the_next_day_was_never_gone(world: RegulationWorld) -> None:
    world.day(*ALL)
    world.day(*ALL[:-1])
    world.day(*ALL)
    world.day(*ALL[:-1])
    assert world.pushes() == []
    assert "다 규정" in shown(world)


def test_r8_a_deleted_title_that_returns_is_the_same_regulation(world: RegulationWorld) -> None:
    world.day(*ALL)
    text = world.state_of("rules").texts["다 규정"]
    for _ in range(2):
        world.day(*ALL[:-1])
    world.day(*ALL)
    assert world.pushes() == [("deleted", "다 규정"), ("returned", "다 규정")]
    item = world.item("policy:다 규정")
    assert item is not None
    assert item["status"] == "active"
    assert world.state_of("rules").texts["다 규정"] == text


@pytest.mark.parametrize(
    "page",
    ["<html><body><p>잠시 후 다시</p></body></html>", registry_page(ALL[:3]), ""],
    ids=["no list", "half a list", "empty"],
)
def test_r8_an_empty_or_short_list_deletes_nothing_and_the_run_failed(
    world: RegulationWorld, page: str
) -> None:
    world.day(*ALL)
    for _ in range(3):
        world.site.page = page
        check = world.check()
        world.clock.advance(days=1)
        assert check.outcome == "suspect"
        assert (metadata(world)["status"], metadata(world)["errorCount"]) == ("failed", 1)
    assert len(shown(world)) == 6
    assert world.day(*ALL).outcome == "unchanged"
    assert world.pushes() == []


def test_r8_the_epoch_takes_a_shrunken_list_as_it_stands(world: RegulationWorld) -> None:
    world.day(*ALL)
    world.day(*ALL[:3], epoch=2)
    world.day(*ALL[:3], epoch=2)
    assert len(shown(world)) == 3
    assert sorted(world.pushes()) == [("deleted", rule.title) for rule in ALL[3:]]


def test_r7_a_site_that_does_not_answer_is_a_failed_run(world: RegulationWorld) -> None:
    world.day(*ALL)
    world.site.page = FetchFailed("timeout", "no answer")
    assert world.check().outcome == "failed"
    assert metadata(world)["status"] == "failed"
    assert metadata(world)["timestamp"] == "2026-03-03T01:00:00Z"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (Rule("학교기업 운영규정", "891"), Rule("학교기업 운영 규정", "891")),
        (Rule("연구소 규정", "870"), Rule("연구원 규정", "870")),
        (Rule("학교기업 운영규정", "891"), Rule("학교기업 운영 규정", "1400")),
    ],
    ids=["a space", "another name", "a space and another file"],
)
def test_r9_a_rename_is_one_event_and_leaves_one_entry(
    world: RegulationWorld, old: Rule, new: Rule
) -> None:
    world.day(CHARTER, old)
    text = world.state_of("rules").texts[old.title]
    world.day(CHARTER, new)
    world.day(CHARTER, new)
    assert [push for push in world.pushes() if push[0] != "text_changed"] == [
        ("renamed", new.title)
    ]
    assert world.keys("policy:") == sorted([f"policy:{new.title}", "policy:학칙"])
    assert world.state_of("rules").texts[new.title] == text
    renamed = next(each for each in world.messages() if each.kind == "renamed")
    assert renamed.content["renamed_from"] == old.title


def test_an_old_name_that_is_given_again_is_another_regulation(world: RegulationWorld) -> None:
    world.day(CHARTER, LABS)
    world.day(CHARTER, Rule("연구원 규정", "870"))
    world.day(CHARTER, Rule("연구원 규정", "870"), Rule("연구소 규정", "950"))
    texts = world.state_of("rules").texts
    assert texts["연구원 규정"] != texts["연구소 규정"]
    world.day(CHARTER, Rule("연구원 규정", "870"), Rule("연구소 규정", "950"))
    assert world.state_of("rules").texts == texts
    assert len(world.keys("policy:")) == 3


@pytest.mark.parametrize(
    "between", [Rule("직제규정", "869"), Rule("기구 규정", "869")], ids=["a space", "another name"]
)
def test_r9_a_rename_that_is_taken_back_is_a_rename(world: RegulationWorld, between: Rule) -> None:
    world.day(CHARTER, STAFF)
    text = world.state_of("rules").texts[STAFF.title]
    for staff in (between, STAFF, STAFF, STAFF, between):
        world.day(CHARTER, staff)
    assert world.pushes() == [
        ("renamed", between.title),
        ("renamed", STAFF.title),
        ("renamed", between.title),
    ]
    assert shown(world) == {"학칙": "868", between.title: "869"}
    assert world.keys("policy:") == sorted(["policy:학칙", f"policy:{between.title}"])
    assert world.state_of("rules").texts[between.title] == text
    assert [each.revision for each in world.messages()] == [2, 3, 4]


def test_r9_a_row_in_a_comment_does_not_exist(world: RegulationWorld) -> None:
    row = registry_page([LABS]).partition("<tbody>")[2].partition("</tbody>")[0]
    world.day(CHARTER, more=f"<!-- {row} -->")
    assert shown(world) == {"학칙": "868"}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (Rule("", "880"), "title"),
        (Rule("새 규정", "88A"), "file_no"),
        (Rule("새 규정", ""), "file_no"),
        (Rule("새" * 200, "880"), "title"),
        (Rule("학칙", "999"), "title"),
    ],
    ids=["no title", "letters", "no number", "a long title", "a title twice"],
)
def test_r6_a_row_that_breaks_the_rules_is_skipped_and_counted(
    world: RegulationWorld, bad: Rule, reason: str
) -> None:
    world.day(*ALL)
    check = world.day(*ALL, bad)
    assert (metadata(world)["status"], metadata(world)["errorCount"]) == ("partial", 1)
    assert f"row 7: {reason}: " in check.lines[0].fields["reasons"][0]
    assert world.pushes() == []
    assert shown(world) == {rule.title: rule.file_no for rule in ALL}


def test_r6_a_row_twice_with_one_file_is_no_fault(world: RegulationWorld) -> None:
    world.day(*ALL, CHARTER)
    assert metadata(world)["status"] == "success"


def test_r8_a_row_without_a_title_may_be_the_one_that_is_missing(world: RegulationWorld) -> None:
    world.day(*ALL)
    for _ in range(4):
        world.day(*ALL[:-1], Rule("", "873"))
    assert "다 규정" in shown(world)


@pytest.mark.parametrize("form", ["NFC", "NFD"], ids=["composed", "decomposed"])
def test_r8_a_known_title_in_a_bad_row_is_not_missing(
    world: RegulationWorld, form: Literal["NFC", "NFD"]
) -> None:
    world.day(*ALL)
    for _ in range(4):
        world.day(*ALL[:-1], Rule(unicodedata.normalize(form, "다 규정"), "X"))
    assert "다 규정" in shown(world)


def test_r8_a_title_that_is_cut_in_a_bad_row_may_be_the_one_that_is_missing(
    world: RegulationWorld,
) -> None:
    long = Rule("긴 규정 " * 35, "880")
    world.day(*ALL, long)
    for _ in range(4):
        world.day(*ALL, Rule(long.title, "X"))
    assert long.title.strip() in shown(world)


def test_a_title_in_decomposed_letters_is_the_same(world: RegulationWorld) -> None:
    world.day(*ALL)
    world.day(*(Rule(unicodedata.normalize("NFD", rule.title), rule.file_no) for rule in ALL))
    assert world.pushes() == []
    assert shown(world) == {rule.title: rule.file_no for rule in ALL}


def test_a_page_without_rows_is_not_believed_the_first_time_either(
    world: RegulationWorld,
) -> None:
    assert world.day().reason == "no_rows"
    assert metadata(world)["status"] == "failed"


def test_a_page_without_its_landmarks_is_not_believed(world: RegulationWorld) -> None:
    check = world.day(*ALL, expect={"landmarks": ["규정집"]})
    assert (check.outcome, metadata(world)["status"]) == ("suspect", "failed")


MANY = tuple(Rule(f"{number}호 규정", str(number)) for number in range(1, 41))


def test_r8_one_a_day_that_goes_is_no_cut_page(world: RegulationWorld) -> None:
    world.day(*MANY)
    for gone in range(1, 5):
        world.day(*MANY[:-gone])
    assert world.pushes() == [("deleted", f"{number}호 규정") for number in (40, 39, 38)]


def test_r8_a_list_that_loses_a_little_less_than_the_share_each_day_is_a_cut_page(
    world: RegulationWorld,
) -> None:
    """What is missing since yesterday and what is missing since today are missing together."""
    world.day(*MANY)
    assert world.day(*MANY[:33]).outcome == "unchanged"
    assert world.day(*MANY[:26]).outcome == "suspect"
    assert len(shown(world)) == 40


def test_r8_edited_rules_that_read_half_a_page_delete_nothing(world: RegulationWorld) -> None:
    """Only a new epoch says that the list is right."""
    world.day(*MANY)
    for _ in range(3):
        assert world.day(*MANY[:20], name="한빛대학교 규정집", formats=["pdf"]).outcome == "suspect"
        rows = {"select": "table tbody tr:has(a)", "drop": ["tr:has(th)"]}
        assert world.day(*MANY[:20], rows=rows).outcome == "suspect"
    assert len(shown(world)) == 40


@pytest.mark.parametrize(
    "renamed",
    [
        [Rule(f"{rule.title} 전부", rule.file_no) for rule in ALL],
        [Rule(f"제 {rule.title}", f"{rule.file_no}0") for rule in ALL],
    ],
    ids=["a file each", "a space each"],
)
def test_r9_every_title_at_once_may_change(world: RegulationWorld, renamed: list[Rule]) -> None:
    world.day(*(Rule(f"제{rule.title}", rule.file_no) for rule in ALL))
    assert world.day(*renamed).outcome == "changed"
    assert shown(world) == {rule.title: rule.file_no for rule in renamed}
    kinds = {kind for kind, _ in world.pushes()}
    assert kinds - {"text_changed"} == {"renamed"}


def test_r8_a_deleted_title_that_returns_with_anothers_file_is_no_rename(
    world: RegulationWorld,
) -> None:
    for rules in (ALL, ALL[:-1], ALL[:-1]):
        world.day(*rules)
    texts = world.state_of("rules").texts
    world.day(*ALL[:-2], Rule("다 규정", "872"))
    told = [push for push in world.pushes() if push[0] != "text_changed"]
    assert told == [("deleted", "다 규정"), ("returned", "다 규정")]
    assert world.state_of("rules").texts["다 규정"] == texts["다 규정"]


def test_r8_more_may_go_at_once_than_the_state_remembers_beside_the_page(
    world: RegulationWorld,
) -> None:
    rules = [Rule(f"규정 {number}", str(number)) for number in range(1_800)]
    for listed in (rules, rules[:1_460], rules[:1_460]):
        world.site.show(*listed, *ALL[: 1_800 - len(listed)])
        world.check()
        world.clock.advance(days=1)
    assert metadata(world)["deleted"] == 340
    assert len(shown(world)) == 1_460 + len(ALL)


def test_r8_absence_counts_anew_where_the_reader_changed(world: RegulationWorld) -> None:
    world.day(*ALL)
    world.day(*ALL[:-1])
    world.day(*ALL[:-1], epoch=2)
    assert "다 규정" in shown(world)
    world.day(*ALL[:-1], epoch=2)
    assert "다 규정" not in shown(world)


def test_r8_a_deletion_is_archived_as_one(world: RegulationWorld) -> None:
    for rules in (ALL, ALL[:-1], ALL[:-1]):
        world.day(*rules)
    body = world.bucket.body("data/rules/archive/202603.jsonl").decode()
    line = json.loads(body.splitlines()[-1])
    assert (line["kind"], line["status"], line["fileNo"]) == ("deleted", "archived", "873")


def test_a_job_that_the_parse_queue_refuses_fails_the_run(world: RegulationWorld) -> None:
    world.texts.work_queue.refuses = lambda _: True
    world.site.show(CHARTER)
    with pytest.raises(Unavailable, match="refused 1 jobs of rules"):
        world.check()
    assert not world.state_of("rules").is_published


def test_another_address_alone_reaches_the_entry_and_is_neither_pushed_nor_read(
    world: RegulationWorld,
) -> None:
    world.day(*ALL)
    asked = len(world.site.requests)
    world.day(*(Rule(rule.title, rule.file_no, "&v=2") for rule in ALL))
    assert world.pushes() == []
    item = world.item("policy:학칙")
    assert item is not None
    assert str(item["downloadUrl"]).endswith("&v=2")
    assert len(world.site.requests) == asked + 1


def test_the_table_is_brought_back_to_what_the_state_says(world: RegulationWorld) -> None:
    world.day(*ALL)
    before = {key: world.item(key) for key in world.keys("policy:")}
    world.items.items.clear()
    world.day(*ALL)
    assert {key: world.item(key) for key in world.keys("policy:")} == before
    assert world.pushes() == []


def test_an_older_state_never_replaces_a_newer_one_in_the_table(world: RegulationWorld) -> None:
    world.day(CHARTER)
    older = world.state_of("rules")
    world.day(Rule("학칙", "900"))
    with pytest.raises(Superseded):
        world.table.project(older)
    item = world.item("policy:학칙")
    assert item is not None
    assert item["fileNo"] == "900"


def test_what_is_queued_without_a_message_is_sent_by_the_next_run(world: RegulationWorld) -> None:
    world.site.show(CHARTER)
    world.check()
    world.texts.work.messages.clear()
    world.clock.advance(days=1)
    assert world.keys("queue:") == ["queue:학칙"]
    world.day(CHARTER)
    assert world.keys("queue:") == []
    assert world.bucket.body("data/rules/texts/868.md")


def test_another_run_in_between_keeps_its_own_queue_entry(world: RegulationWorld) -> None:
    world.site.show(CHARTER)
    world.check()
    job = world.texts.work.receive(1)
    world.clock.advance(days=1)
    world.site.show(Rule("학칙", "900"))
    world.check()
    assert job
    waiting = world.table.waiting("rules", "학칙")
    assert waiting == QueueEntry(
        title="학칙", file_no="900", operation="update", created_at="2026-03-03T01:00:00Z"
    )


def test_the_archive_has_every_change_with_its_kind(world: RegulationWorld) -> None:
    world.day(CHARTER, STAFF)
    world.day(CHARTER, Rule("직제 규정", "901"))
    world.day(CHARTER, Rule("직제규정", "901"))
    assert kinds(world) == [
        ("baseline", "직제 규정"),
        ("baseline", "학칙"),
        ("edited", "직제 규정"),
        ("renamed", "직제규정"),
    ]
