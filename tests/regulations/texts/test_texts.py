"""The texts of regulations: read, compared, published, retried, given up (R5, R10)."""

import hashlib
import json
from typing import Any

import pytest
from fakes.registry import Rule, plain_extract
from fakes.worlds import RegulationWorld

from uring.contracts import Job
from uring.errors import FetchFailed, NewerRelease
from uring.push.payload import compose
from uring.regulations.values import RegulationFile
from uring.tables import Write

FIRST = (
    "제1조(목적) 이 학칙은 교육을 정한다.\n\n제2조(학과) 학과는 셋이다.\n\n제3조(휴업) 휴업은 없다."
)
SECOND = FIRST.replace("셋", "넷")
CHARTER = Rule("학칙", "868")
REVISED = Rule("학칙", "900")


@pytest.fixture
def world() -> RegulationWorld:
    world = RegulationWorld()
    world.site.files |= {"868": FIRST, "900": SECOND}
    return world


def head(world: RegulationWorld, file_no: str) -> dict[str, Any]:
    text = world.bucket.body(f"data/rules/texts/{file_no}.md").decode()
    lines = text.split("---\n")[1].splitlines()
    return {name: json.loads(value) for name, value in (line.split(": ", 1) for line in lines)}


def dead(world: RegulationWorld) -> dict[str, Any]:
    item = world.item("dead-letter:학칙")
    assert item is not None
    return dict(item)


def test_a_first_text_is_published_with_the_hash_of_its_source_and_silent(
    world: RegulationWorld,
) -> None:
    world.day(CHARTER)
    body = world.bucket.body("data/rules/texts/868.md").decode()
    assert body.endswith(f"---\n\n{FIRST}")
    known = head(world, "868")
    assert known["sourceSha256"] == hashlib.sha256(FIRST.encode()).hexdigest()
    assert (known["title"], known["fileNo"], known["articles"]) == ("학칙", "868", 3)
    assert world.keys("queue:") == []
    assert world.pushes() == []


def test_a_changed_text_says_how_many_articles_changed_and_where_to_read_it(
    world: RegulationWorld,
) -> None:
    world.day(CHARTER)
    world.day(REVISED)
    (push,) = world.texts.messages()
    assert (push.kind, push.topic, push.source, push.family) == (
        "text_changed",
        "rules",
        "rules",
        "regulations",
    )
    assert push.content["articles_changed"] == "1"
    difference = push.content["difference"]
    text = world.state_of("rules").texts["학칙"][:8]
    assert difference == f"/data/rules/differences/868-900.{text}.2.html"
    difference = difference.removeprefix("/")
    assert "넷" in world.bucket.body(difference).decode()
    document = world.document(difference.replace(".html", ".json"))
    assert [article["key"] for article in document["articles"]] == ["제2조"]
    assert (document["previousFileNo"], document["fileNo"]) == ("868", "900")
    assert head(world, "900")["difference"] == f"/data/rules/differences/868-900.{text}.2.json"
    assert world.bucket.body("data/rules/texts/868.md").decode().endswith(FIRST)


def test_another_file_with_the_same_text_is_published_and_not_pushed(
    world: RegulationWorld,
) -> None:
    world.site.files["900"] = FIRST
    world.day(CHARTER)
    world.day(REVISED)
    assert head(world, "900")["textSha256"] == head(world, "868")["textSha256"]
    assert world.texts.messages() == []
    assert world.keys("queue:") == []


@pytest.mark.parametrize(
    "words",
    [
        FIRST.replace("교육을", "교육을  ").replace("셋이다.", "셋이다. <개정 2024. 1. 1.>"),
        FIRST.replace("교육을 ", "교육을\n"),
    ],
    ids=["blanks and a mark", "lines"],
)
def test_a_text_whose_words_are_the_same_is_stored_in_silence(
    world: RegulationWorld, words: str
) -> None:
    world.site.files |= {"900": words, "910": words, "920": words.replace("셋", "넷")}
    world.day(CHARTER)
    world.day(REVISED)
    world.day(Rule("학칙", "910"))
    assert world.texts.messages() == []
    known = head(world, "900")
    assert known["textSha256"] != head(world, "868")["textSha256"]
    assert (known["fileNo"], known["difference"]) == ("900", None)
    assert not [key for key in world.bucket.bodies() if "/differences/" in key]
    assert world.keys("queue:") == []
    world.day(Rule("학칙", "920"))
    (push,) = world.texts.messages()
    assert push.content["articles_changed"] == "1"
    assert "/910-920." in str(push.content["difference"])
    assert push.revision == 2
    assert str(push.content["difference"]).endswith(".2.html")


def test_a_mark_that_moves_to_another_column_is_pushed(world: RegulationWorld) -> None:
    old = f"{FIRST}\n\n| 과목 | 필수 | 선택 |\n|---|---|---|\n| 윤리 | ○ |  |\n"
    world.site.files |= {"868": old, "900": old.replace("| ○ |  |", "|  | ○ |")}
    world.day(CHARTER)
    world.day(REVISED)
    (push,) = world.texts.messages()
    assert push.content["articles_changed"] == "1"
    page = world.bucket.body(str(push.content["difference"])[1:]).decode()
    assert "<del>○</del>" in page
    assert "<ins>○</ins>" in page


def test_a_text_goes_on_through_a_rename(world: RegulationWorld) -> None:
    world.day(CHARTER)
    world.day(Rule("학 칙", "868"))
    world.day(Rule("학 칙", "900"))
    (push,) = world.texts.messages()
    assert push.content["title"] == "학 칙"
    assert "/868-900." in str(push.content["difference"])


@pytest.mark.parametrize(
    ("file", "told"), [(FIRST, []), (SECOND, ["text_changed"])], ids=["same", "another"]
)
def test_another_reader_is_no_news_and_another_file_is(
    world: RegulationWorld, file: str, told: list[str]
) -> None:
    world.day(CHARTER)

    def newer(body: bytes, formats: Any) -> Any:
        read = plain_extract(body, formats)
        return read.model_copy(update={"version": read.version + 1, "text": f"{read.text} 덧붙임"})

    world.texts.extract = newer
    world.texts.restart()
    world.site.files["900"] = file
    world.day(REVISED)
    assert [message.kind for message in world.texts.messages()] == told


def test_r5_a_file_that_fails_is_tried_three_times_and_then_a_dead_letter(
    world: RegulationWorld,
) -> None:
    world.site.files["868"] = FetchFailed("timeout", "no answer in 60 s")
    world.site.show(CHARTER)
    world.check()
    counts = []
    for pause in (600, 3_600, 0):
        world.texts.poll()
        waiting = world.table.waiting("rules", "학칙")
        counts.append(None if waiting is None else waiting.retry_count)
        world.clock.advance(pause - 1)
        assert not world.texts.work.receive(10)
        world.clock.advance(1)
    assert counts == [1, 2, None]
    assert dead(world)["retryCount"] == 3
    assert dead(world)["errorMessage"] == "timeout: no answer in 60 s"
    assert not world.texts.work.messages
    assert not world.texts.dead.messages


def test_r5_a_queue_entry_without_a_message_counts_its_tries_too(world: RegulationWorld) -> None:
    world.site.files["868"] = "!damaged"
    world.site.show(CHARTER)
    world.check()
    item = dict(world.item("queue:학칙") or {})
    del item["errorMessage"]
    world.items.transact("rules", [Write("queue:학칙", item)])
    world.read()
    assert dead(world)["retryCount"] == 3


def test_r5_a_file_that_comes_right_is_read_by_a_later_try(world: RegulationWorld) -> None:
    world.site.files["868"] = "!wrong_format"
    world.site.show(CHARTER)
    world.check()
    world.texts.poll()
    waiting = world.table.waiting("rules", "학칙")
    assert waiting is not None
    assert waiting.error_message == "wrong_format: a reason; a remedy"
    world.site.files["868"] = FIRST
    world.read()
    assert (world.keys("queue:"), world.keys("dead-letter:")) == ([], [])
    assert head(world, "868")["articles"] == 3


@pytest.mark.parametrize("outcome", ["no_text", "unsupported", "encrypted", "too_big"])
def test_r5_what_no_try_can_mend_is_a_dead_letter_at_once(
    world: RegulationWorld, outcome: str
) -> None:
    world.site.files["868"] = f"!{outcome}"
    world.site.show(CHARTER)
    world.check()
    world.texts.poll()
    assert dead(world)["errorMessage"] == f"{outcome}: a reason; a remedy"
    assert world.keys("queue:") == []
    assert not world.texts.work.messages


@pytest.mark.parametrize(
    ("preview", "is_dead"),
    [("!wrong_format", True), (FetchFailed("timeout", "no answer in 60 s"), False)],
)
def test_r5_a_preview_gives_hope_only_where_it_did_not_answer(
    world: RegulationWorld,
    preview: str | Exception,
    is_dead: bool,  # noqa: FBT001
) -> None:
    """In place of a preview most sites serve a viewer, a page that scripts fill in."""
    world.site.files["868"] = "!encrypted"
    world.site.show(CHARTER)
    world.check()
    fetch = world.site.fetch

    def with_viewer(request: Any) -> Any:
        if "download" not in request.url:
            world.site.files["868"] = preview
        return fetch(request)

    world.site.fetch = with_viewer  # type: ignore[method-assign]
    world.texts.poll()
    waiting = world.table.waiting("rules", "학칙")
    assert (waiting is None) == is_dead
    if is_dead:
        assert dead(world)["errorMessage"] == "encrypted: a reason; a remedy"
        assert dead(world)["retryCount"] == 1


def test_a_dead_letter_costs_no_other_text(world: RegulationWorld) -> None:
    world.site.files["868"] = "!encrypted"
    world.day(CHARTER, Rule("직제 규정", "869"))
    assert world.bucket.body("data/rules/texts/869.md")
    assert world.keys("dead-letter:") == ["dead-letter:학칙"]


def test_a_new_file_takes_the_place_of_a_dead_letter(world: RegulationWorld) -> None:
    world.site.files["868"] = "!encrypted"
    world.day(CHARTER)
    world.day(REVISED)
    assert world.keys("dead-letter:") == []
    assert head(world, "900")["articles"] == 3


def test_a_dead_letter_that_is_retried_is_read_by_the_next_run(world: RegulationWorld) -> None:
    world.site.files["868"] = "!encrypted"
    world.day(CHARTER)
    (letter,) = world.table.dead_letters("rules")
    assert world.table.retry("rules", letter)
    assert not world.table.retry("rules", letter)
    world.site.files["868"] = FIRST
    world.day(CHARTER)
    assert head(world, "868")["articles"] == 3
    assert world.keys("dead-letter:") == []


def test_r10_a_job_reads_the_file_that_is_queued_by_now(world: RegulationWorld) -> None:
    """SQS may take the job of a newer file for a repeat of an older one."""
    world.site.show(CHARTER)
    world.check()
    (job,) = world.texts.work.receive(1)
    world.clock.advance(minutes=30)
    world.site.show(REVISED)
    world.check()
    world.texts.checker.check(Job.parse(job.body))
    assert head(world, "900")["fileNo"] == "900"
    assert "fileNo=900" in head(world, "900")["sourceUrl"]
    assert "data/rules/texts/868.md" not in world.bucket.bodies()
    assert world.keys("queue:") == []


def test_r10_a_queue_entry_of_a_file_that_was_not_read_stays(world: RegulationWorld) -> None:
    world.site.show(CHARTER)
    world.check()
    world.table.done("rules", RegulationFile(title="학칙", file_no="900"))
    assert world.keys("queue:") == ["queue:학칙"]


def test_a_job_twice_reads_once(world: RegulationWorld) -> None:
    world.site.show(CHARTER)
    world.check()
    (message,) = world.texts.work.messages
    world.read()
    asked = len(world.site.requests)
    world.texts.work.send("g", "again", message.body)
    world.read()
    assert len(world.site.requests) == asked


def test_a_preview_is_read_where_the_file_cannot_be(world: RegulationWorld) -> None:
    world.site.show(CHARTER)
    world.check()
    fetch = world.site.fetch

    def only_previews(request: Any) -> Any:
        if "download" in request.url:
            raise FetchFailed("http_status", "404")
        return fetch(request)

    world.site.fetch = only_previews  # type: ignore[method-assign]
    world.read()
    assert "previewMenuCntFile" in head(world, "868")["sourceUrl"]


def test_x7_a_job_with_a_key_of_a_newer_release_waits_for_that_release(
    world: RegulationWorld,
) -> None:
    world.site.show(CHARTER)
    world.check()
    job = Job.parse(world.texts.work.messages[0].body)
    registry = {**job.entry["registry"], "later": 1}
    newer = job.model_copy(update={"entry": {**job.entry, "registry": registry}})
    with pytest.raises(NewerRelease, match=r"entry\.registry\.later"):
        world.texts.checker.check(newer)


def test_two_regulations_in_one_file_have_a_difference_each(world: RegulationWorld) -> None:
    world.day(CHARTER, Rule("학칙 부칙", "868"))
    world.day(REVISED, Rule("학칙 부칙", "900"))
    pages = {
        str(push.content["title"]): world.bucket.body(str(push.content["difference"])[1:]).decode()
        for push in world.texts.messages()
    }
    assert {title for title, page in pages.items() if f"<h1>{title}: 868" in page} == {
        "학칙",
        "학칙 부칙",
    }


def test_each_address_is_asked_of_the_robots_of_its_own_host(world: RegulationWorld) -> None:
    entry = {"request": {"honour_robots": True}}
    world.site.files["868"] = FetchFailed("http_status", "503")
    world.site.show(CHARTER)
    world.check(**entry)
    world.texts.poll()
    asked = [request.url for request in world.site.requests if request.url.endswith("robots.txt")]
    assert len(asked) >= 2


SUPPLEMENT = "\n\n부칙 <2026. 2. 1.>\n제1조(시행일) 이 학칙은 2026년 3월 1일부터 시행한다."


class TestEffective:
    """When a change comes into force: in the push, the archive, the difference and the head."""

    def test_it_is_told_wherever_the_change_is(self, world: RegulationWorld) -> None:
        world.site.files["900"] = f"{SECOND}{SUPPLEMENT}"
        world.day(CHARTER)
        world.day(REVISED)
        (push,) = world.texts.messages()
        assert push.content["effective"] == "2026-03-01"
        assert push.content["effective_text"] is None
        path = str(push.content["difference"])[1:]
        assert ">2026. 3. 1.</time>" in world.bucket.body(path).decode()
        document = world.document(path.replace(".html", ".json"))
        assert (document["effective"], document["effectiveText"]) == ("2026-03-01", None)
        assert (head(world, "900")["effective"], head(world, "868")["effective"]) == (
            "2026-03-01",
            None,
        )
        lines = [
            json.loads(line)
            for key in world.bucket.bodies()
            if "/archive/" in key
            for line in world.bucket.body(key).splitlines()
        ]
        told = [line["effective"] for line in lines if line["kind"] == "text_changed"]
        assert told == ["2026-03-01"]

    def test_an_old_supplement_says_nothing_of_a_change(self, world: RegulationWorld) -> None:
        world.site.files |= {"868": f"{FIRST}{SUPPLEMENT}", "900": f"{SECOND}{SUPPLEMENT}"}
        world.day(CHARTER)
        world.day(REVISED)
        (push,) = world.texts.messages()
        assert push.content["effective"] is None
        assert head(world, "900")["effective"] == "2026-03-01"

    def test_without_a_calendar_date_the_texts_words_are_told(self, world: RegulationWorld) -> None:
        words = "이 학칙은 2026학년도 1학기부터 시행한다."
        world.site.files["900"] = f"{SECOND}\n\n부칙\n{words}"
        world.day(CHARTER)
        world.day(REVISED)
        (push,) = world.texts.messages()
        assert (push.content["effective"], push.content["effective_text"]) == (None, words)
        assert compose(push).data["effective_text"] == words

    def test_the_date_of_a_push_that_is_too_long_stays(self, world: RegulationWorld) -> None:
        more = f"{SUPPLEMENT} 다만, {'제9조의 개정규정과 ' * 60}나머지는 공포한 날부터 시행한다."
        world.site.files["900"] = f"{SECOND}{more}"
        world.day(CHARTER)
        world.day(REVISED)
        (push,) = world.texts.messages()
        assert len(str(push.content["effective_text"])) <= 200
        long = push.model_copy(update={"content": {**push.content, "title": "규" * 900}})
        assert compose(long).data["effective"] == "2026-03-01"
