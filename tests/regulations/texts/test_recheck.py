"""Files are asked for again, and a replaced one needs two nights as its proof (R15)."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes.registry import Rule, plain_extract
from fakes.worlds import RegulationWorld

from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.regulations.texts.recheck import share
from uring.tables import Write

FIRST = "제1조(목적) 이 학칙은 교육을 정한다.\n\n제2조(학과) 학과는 셋이다."
SECOND = FIRST.replace("셋", "넷")
CHARTER = Rule("학칙", "868")
NIGHTLY: dict[str, Any] = {"recheck_days": 1}


@pytest.fixture
def world() -> RegulationWorld:
    world = RegulationWorld()
    world.site.files["868"] = FIRST
    return world


def night(world: RegulationWorld, **entry: Any) -> list[Request]:
    """A night in which every file is asked for again; return the requests for files."""
    before = len(world.site.requests)
    world.day(CHARTER, **{**NIGHTLY, **entry})
    return [each for each in world.site.requests[before:] if "fileNo=" in each.url]


def results(world: RegulationWorld) -> list[str]:
    return [line["recheck"] for line in world.texts.telemetry.named("checked") if "recheck" in line]


def text_state(world: RegulationWorld) -> Any:
    return world.texts.state_of(world.state_of("rules").texts["학칙"])


def shown(world: RegulationWorld) -> str:
    return world.bucket.body("data/rules/texts/868.md").decode()


def serve(world: RegulationWorld, **headers: str) -> None:
    """Give the files of the site validators, which it honours."""
    fetch = world.site.fetch

    def conditional(request: Request) -> Response:
        answer = fetch(request)
        if "fileNo=" not in request.url:
            return answer
        known = {"etag": request.etag, "last_modified": request.last_modified}
        status = 304 if all(known[name] == headers[name] for name in headers) else 200
        body = b"" if status == 304 else answer.body
        return replace(answer, status=status, body=body, **headers)

    world.site.fetch = conditional  # type: ignore[method-assign]


def forget_validators(world: RegulationWorld) -> None:
    """Leave the state of the text as the release before wrote it."""
    key = f"state/regulation_texts/{world.state_of('rules').texts['학칙']}.json"
    drop(world, key, "validators")


def drop(world: RegulationWorld, key: str, *names: str) -> None:
    stored = world.bucket.get(key)
    assert stored is not None
    state = {name: value for name, value in json.loads(stored.body).items() if name not in names}
    body = json.dumps(state).encode()
    world.bucket.put(key, body, if_match=stored.etag, content_type="application/json")


def day(number: int) -> datetime:
    return datetime(1970, 1, 1, 16, tzinfo=UTC) + timedelta(days=number)


def test_each_file_is_due_once_in_its_days_and_new_ones_move_no_other() -> None:
    texts = {f"규정 {number}": f"{number:024x}" for number in range(200)}
    last, nights = 20_000, []
    for number in range(20_001, 20_015):
        last, due = share(texts, last, day(number), 14)
        nights.append(due)
    assert sorted(title for due in nights for title in due) == sorted(texts)
    assert max(map(len, nights)) < 40
    more = {**texts, "새 규정": "f" * 24}
    _, again = share(more, 20_014, day(20_015), 14)
    assert set(again) - {"새 규정"} == set(nights[0])


def test_missed_nights_are_made_up_for_by_one_more_a_night() -> None:
    texts = {f"규정 {number}": f"{number:024x}" for number in range(200)}
    last, seen = 20_000, list[str]()
    for number in (20_004, *range(20_005, 20_015)):
        last, due = share(texts, last, day(number), 14)
        seen += due
    assert last == 20_014
    assert sorted(seen) == sorted(texts)
    assert share(texts, last, day(20_014), 14) == (20_014, ())
    # After a long pause a whole round is due, no more.
    assert share(texts, 10_000, day(20_000), 14)[0] == 19_988


def test_a_clock_that_was_ahead_stops_no_nights() -> None:
    assert share({"학칙": "a"}, 36_500, day(20_000), 1) == (20_000, ())
    assert share({"학칙": "a"}, 20_000, day(20_001), 1) == (20_001, ("학칙",))


@pytest.mark.parametrize(("last", "days"), [(0, 14), (20_000, 0)])
def test_nothing_is_due_before_the_first_share_or_if_none_is_wanted(last: int, days: int) -> None:
    assert share({"학칙": "a"}, last, day(20_001), days) == (20_001, ())


def test_a_file_with_the_same_bytes_is_asked_once_a_night_and_writes_nothing_for_readers(
    world: RegulationWorld,
) -> None:
    night(world)
    before, entry = dict(world.bucket.bodies()), world.item("policy:학칙")
    asked = night(world)
    assert [request.url.partition("?")[0].rpartition("/")[2] for request in asked] == [
        "downloadContentsFile.do"
    ]
    after = world.bucket.bodies()
    assert {key for key in after if after[key] != before.get(key)} == {
        "state/regulations/rules.json",
        f"state/regulation_texts/{world.state_of('rules').texts['학칙']}.json",
    }
    assert world.item("policy:학칙") == entry
    assert world.keys("recheck:") == []
    assert results(world) == ["unchanged"]


@pytest.mark.parametrize(
    "headers",
    [{"etag": '"a"'}, {"last_modified": "Mon, 02 Mar 2026 01:00:00 GMT"}],
    ids=["etag", "date"],
)
def test_validators_save_the_body(world: RegulationWorld, headers: dict[str, str]) -> None:
    serve(world, **headers)
    night(world)
    (asked,) = night(world)
    assert {"etag": asked.etag, "last_modified": asked.last_modified} == {
        "etag": None,
        "last_modified": None,
        **headers,
    }
    assert results(world) == ["unchanged"]


def test_a_304_that_nobody_asked_for_is_a_failure(world: RegulationWorld) -> None:
    night(world)
    fetch = world.site.fetch

    def odd(request: Request) -> Response:
        if "fileNo=" in request.url:
            return Response(304, request.url, b"", None, None, None, 1)
        return fetch(request)

    world.site.fetch = odd  # type: ignore[method-assign]
    night(world)
    assert results(world) == ["failed"]


def test_validators_of_another_address_are_not_sent(world: RegulationWorld) -> None:
    serve(world, etag='"a"')
    night(world)
    world.site.show(Rule("학칙", "868", "&v=2"))
    world.check(**NIGHTLY)
    before = len(world.site.requests)
    world.read()
    (asked,) = world.site.requests[before:]
    assert asked.url.endswith("&v=2")
    assert asked.etag is None
    assert text_state(world).validators.url == asked.url


def test_a_replaced_file_is_told_when_a_second_night_reads_the_same_words(
    world: RegulationWorld,
) -> None:
    night(world)
    entry, seq = world.item("policy:학칙"), world.state_of("rules").changed_at
    world.site.files["868"] = SECOND
    night(world)
    assert world.texts.messages() == []
    assert shown(world).endswith(FIRST)
    assert world.keys("recheck:") == ["recheck:학칙"]
    night(world)
    (push,) = world.texts.messages()
    assert (push.kind, push.content["cause"]) == ("text_changed", "silently_replaced")
    assert push.content["articles_changed"] == "1"
    assert shown(world).endswith(SECOND)
    text = world.state_of("rules").texts["학칙"][:8]
    difference = str(push.content["difference"])
    assert difference == f"/data/rules/differences/868-868.{text}.2.html"
    assert "2026-03-02 → 2026-03-04" in world.bucket.body(difference[1:]).decode()
    line = json.loads(world.bucket.body("data/rules/archive/202603.jsonl").splitlines()[-1])
    assert (line["kind"], line["cause"]) == ("text_changed", "silently_replaced")
    # R3: for the registry itself nothing happened.
    assert world.item("policy:학칙") == entry
    assert world.state_of("rules").changed_at == seq
    assert world.messages() == []
    assert world.keys("recheck:") == []
    assert results(world) == ["unproven", "silently_replaced"]
    night(world)
    assert results(world)[-1] == "unchanged"


def test_the_same_words_twice_in_one_night_are_no_proof(world: RegulationWorld) -> None:
    night(world)
    world.site.files["868"] = SECOND
    world.site.show(CHARTER)
    world.check(**NIGHTLY)
    (message,) = world.texts.work.messages
    world.read()
    world.clock.advance(minutes=30)
    world.texts.work.send("g", "again", message.body)
    world.read()
    assert world.texts.messages() == []
    assert (world.item("recheck:학칙") or {})["retryCount"] == 1
    world.clock.advance(days=1)
    night(world)
    assert len(world.texts.messages()) == 1


def test_words_that_differ_every_night_are_never_told(world: RegulationWorld) -> None:
    night(world)
    for number in range(5):
        world.site.files["868"] = FIRST.replace("셋", f"{number}개")
        night(world)
    assert world.texts.messages() == []
    assert shown(world).endswith(FIRST)


def test_other_bytes_with_the_same_words_are_stored_in_silence(world: RegulationWorld) -> None:
    night(world)
    world.site.files["868"] = FIRST.replace("교육을 ", "교육을\n")
    night(world)
    night(world)
    assert world.texts.messages() == []
    assert shown(world).endswith(world.site.files["868"])
    assert results(world) == ["same_words", "unchanged"]


def test_what_another_reader_makes_of_other_bytes_is_not_told(world: RegulationWorld) -> None:
    """A site that makes its files anew for each request has other bytes every night."""
    night(world)

    def newer(body: bytes, formats: Any) -> Any:
        read = plain_extract(body, formats)
        text = read.text.rstrip().replace("학과는", "모든 학과는")
        return read.model_copy(update={"version": read.version + 1, "text": text})

    world.texts.extract = newer
    world.texts.restart()
    for number in range(1, 4):
        world.site.files["868"] = FIRST + " " * number
        night(world)
    assert world.texts.messages() == []
    assert "모든 학과는" in shown(world)
    assert results(world)[:2] == ["unproven", "reread"]


def test_an_older_readers_text_is_read_again_and_a_replaced_file_told_after_that(
    world: RegulationWorld,
) -> None:
    fetch = world.site.fetch
    serve(world, etag='"a"')

    def older(body: bytes, formats: Any) -> Any:
        read = plain_extract(body, formats)
        text = read.text.replace("모든 ", "")
        return read.model_copy(update={"version": read.version - 1, "text": text})

    world.site.files["868"] = FIRST.replace("학과는", "모든 학과는")
    world.texts.extract = older
    world.texts.restart()
    night(world)
    world.texts.extract = plain_extract
    world.texts.restart()
    (asked,) = night(world)
    assert asked.etag is None
    assert "모든 학과는" in shown(world)
    assert world.texts.messages() == []
    assert len(night(world)) == 1
    assert results(world) == ["read", "unchanged"]
    world.site.fetch = fetch  # type: ignore[method-assign]
    world.site.files["868"] = SECOND
    night(world)
    night(world)
    assert [push.content["cause"] for push in world.texts.messages()] == ["silently_replaced"]


@pytest.mark.parametrize(
    "file",
    [
        FetchFailed("timeout", "no answer in 60 s"),
        FetchFailed("not_found", "404"),
        "!wrong_format",
        "!damaged",
        "!no_text",
        "!encrypted",
        "서비스 점검 중입니다. 이용에 불편을 드려 죄송합니다. 잠시 후 다시 이용하여 주십시오.",
    ],
)
def test_a_failure_replaces_nothing_and_is_tried_three_nights_and_then_in_its_turn(
    world: RegulationWorld, file: Any
) -> None:
    night(world, recheck_days=300)
    # Its turn is tonight, and not for many nights after.
    item = {"title": "학칙", "fileNo": "868", "retryCount": 0, "createdAt": "2026-03-02T01:00:00Z"}
    world.items.transact("rules", [Write("recheck:학칙", item)])
    world.site.files["868"] = file
    asked = [len(night(world, recheck_days=300)) for _ in range(4)]
    assert asked == [1, 1, 1, 0]
    assert results(world) == ["failed"] * 3
    assert shown(world).endswith(FIRST)
    assert world.pushes() == []
    assert world.keys("dead-letter:") == world.keys("recheck:") == []
    assert world.texts.telemetry.counts["SourcesFailing"] == 0
    assert text_state(world).health.status == "ok"


def test_three_runs_in_one_night_are_one_night(world: RegulationWorld) -> None:
    """`dead-letters retry --now` starts a run at any time."""
    night(world)
    world.site.files["868"] = FetchFailed("timeout", "no answer in 60 s")
    world.site.show(CHARTER)
    for _ in range(3):
        world.check(**NIGHTLY)
        world.read()
        world.clock.advance(minutes=20)
    assert results(world) == ["failed"] * 3
    assert (world.item("recheck:학칙") or {})["retryCount"] == 1


def test_a_page_without_articles_never_replaces_a_text(world: RegulationWorld) -> None:
    night(world)
    world.site.files["868"] = "서비스 점검 중입니다. 잠시 후 다시 이용하여 주십시오. " * 9
    for _ in range(4):
        night(world)
    assert shown(world).endswith(FIRST)
    assert world.texts.messages() == []
    assert set(results(world)) == {"failed"}


def test_a_text_without_articles_keeps_half_of_its_letters(world: RegulationWorld) -> None:
    words = (
        "이 지침은 실험실의 안전을 정한다. 책임자는 매일 점검하고 결과를 적는다. 위반은 보고한다."
    )
    world.site.files["868"] = words
    night(world)
    world.site.files["868"] = "점검 중입니다."
    for _ in range(3):
        night(world)
    assert world.texts.messages() == []
    world.site.files["868"] = words.replace("매일", "매주")
    for _ in range(2):
        night(world)
    assert len(world.texts.messages()) == 1


def test_a_failed_night_before_the_second_reading_keeps_the_first(world: RegulationWorld) -> None:
    night(world)
    world.site.files["868"] = SECOND
    night(world)
    world.site.files["868"] = FetchFailed("timeout", "no answer")
    night(world)
    world.site.files["868"] = SECOND
    night(world)
    assert len(world.texts.messages()) == 1


def test_a_dead_letter_that_can_be_read_by_now_is_settled(world: RegulationWorld) -> None:
    world.site.files["868"] = "!encrypted"
    night(world)
    night(world)
    assert world.keys("dead-letter:") == ["dead-letter:학칙"]
    assert world.keys("recheck:") == []
    world.site.files["868"] = FIRST
    night(world)
    assert world.keys("dead-letter:") == world.keys("recheck:") == []
    assert shown(world).endswith(FIRST)
    assert world.texts.messages() == []
    assert results(world) == ["failed", "read"]


def test_a_revision_takes_the_place_of_a_recheck(world: RegulationWorld) -> None:
    night(world)
    world.site.files |= {"868": SECOND, "900": SECOND}
    night(world)
    world.day(Rule("학칙", "900"), **NIGHTLY)
    assert world.keys("recheck:") == []
    (push,) = world.texts.messages()
    assert "cause" not in push.content


def test_a_recheck_goes_with_its_regulation(world: RegulationWorld) -> None:
    others = [Rule(f"규정 {number}", str(number)) for number in range(1, 7)]
    world.day(CHARTER, *others, **NIGHTLY)
    world.site.files["868"] = SECOND
    world.day(CHARTER, *others, **NIGHTLY)
    assert world.keys("recheck:") == ["recheck:학칙"]
    for _ in range(3):
        world.day(*others, **NIGHTLY)
    assert world.keys("recheck:") == []


def test_nothing_is_asked_again_with_0(world: RegulationWorld) -> None:
    night(world)
    assert night(world, recheck_days=0) == []


def test_a_lost_job_is_sent_again_by_the_next_night(world: RegulationWorld) -> None:
    night(world)
    world.site.show(CHARTER)
    world.check(**NIGHTLY)
    world.texts.work.messages.clear()
    world.clock.advance(days=1)
    # It is not in tonight's share, and still due.
    assert len(night(world, recheck_days=300)) == 1
    assert world.keys("recheck:") == []


def night_of_previews(world: RegulationWorld) -> None:
    """A night in which the site has previews alone."""
    fetch = world.site.fetch

    def only_previews(request: Any) -> Any:
        if "download" in request.url:
            raise FetchFailed("http_status", "404")
        return fetch(request)

    world.site.fetch = only_previews  # type: ignore[method-assign]
    night(world)
    world.site.fetch = fetch  # type: ignore[method-assign]


def test_a_preview_that_was_read_is_asked_again_itself(world: RegulationWorld) -> None:
    night_of_previews(world)
    (asked,) = night(world)
    assert "previewMenuCntFile" in asked.url


def test_a_preview_that_was_read_is_asked_itself_at_its_new_address(world: RegulationWorld) -> None:
    """All addresses of a registry have a key in their query, and keys move."""
    night_of_previews(world)
    world.day(Rule("학칙", "868", "&v=2"), **NIGHTLY)
    before = len(world.site.requests)
    world.day(Rule("학칙", "868", "&v=2"), **NIGHTLY)
    asked = [each.url for each in world.site.requests[before:] if "fileNo=" in each.url]
    assert ["previewMenuCntFile" in url and "v=2" in url for url in asked] == [True]


def test_a_state_of_the_release_before_has_no_validators_and_is_asked_at_the_files_address(
    world: RegulationWorld,
) -> None:
    night(world)
    forget_validators(world)
    drop(world, "state/regulations/rules.json", "recheck_day", "rechecks")
    assert night(world) == []
    (asked,) = night(world)
    assert "downloadContentsFile" in asked.url
    assert results(world) == ["unchanged"]


def test_a_preview_that_the_release_before_read_is_asked_again_itself(
    world: RegulationWorld,
) -> None:
    night_of_previews(world)
    forget_validators(world)
    (asked,) = night(world)
    assert "previewMenuCntFile" in asked.url
    assert results(world) == ["unchanged"]


def test_a_recheck_of_an_older_file_gives_way_to_that_of_the_known_one(
    world: RegulationWorld,
) -> None:
    """A release without rechecks leaves them where they are while files are revised."""
    night(world)
    item = {"title": "학칙", "fileNo": "867", "retryCount": 0, "createdAt": "2026-03-02T01:00:00Z"}
    world.items.transact("rules", [Write("recheck:학칙", item)])
    assert len(night(world)) == 1
    assert world.keys("recheck:") == []
    assert results(world) == ["unchanged"]
