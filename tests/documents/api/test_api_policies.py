"""Policies over HTTP: lists of attachments, texts in parts, what is current."""

import pytest
from fakes.document_api import PAGE, TEXT, ApiWorld

from uring.documents.store.policies import TextLost

PATH = f"/api/v1/pages/{PAGE}/policies"


@pytest.fixture
def world() -> ApiWorld:
    return ApiWorld()


def test_attachments_are_listed_with_what_was_made_of_them(world: ApiWorld) -> None:
    for source in ("b.pdf", "a.pdf", "c.pdf"):
        world.upload(source)
    world.upload("x.pdf", page=f"{PAGE}2")
    world.bucket.plant(f"pages/{PAGE}/attachments/no%20name.pdf", b"")
    world.extract("b.pdf")
    world.extract("b.pdf", "번역", "ko")
    world.extract("a.pdf", "", outcome="needs_ocr", reason="a scan: make it searchable")
    listed = world.get(PATH).json
    assert listed["next"] is None
    a, b, c = listed["policies"]
    assert (a["source"], a["original"]["outcome"]) == ("a.pdf", "needs_ocr")
    assert a["original"]["reason"] == "a scan: make it searchable"
    assert b["original"]["is_current"]
    assert [each["language"] for each in b["translations"]] == ["ko"]
    assert (c["source"], c["original"], c["translations"]) == ("c.pdf", None, [])


def test_a_list_goes_on_behind_its_last(world: ApiWorld) -> None:
    names = [f"p{number:02}.pdf" for number in range(7)]
    for name in names:
        world.upload(name)
    seen: list[str] = []
    after = ""
    for _ in range(4):
        listed = world.get(f"{PATH}?limit=2&after={after}").json
        seen += [each["source"] for each in listed["policies"]]
        after = listed["next"]
    assert (seen, after) == (names, None)


def test_a_part_of_a_list_has_all_that_is_known_of_its_attachments(world: ApiWorld) -> None:
    """Names sort before and behind the colon that stands between a name and a language."""
    for name in ("a", "a-b", "a.b", "ab", "b"):
        world.upload(name)
        world.extract(name, name)
        world.extract(name, name, "ko")
    after, found = "", []
    for _ in range(5):
        listed = world.get(f"{PATH}?limit=1&after={after}").json
        found += listed["policies"]
        after = listed["next"] or ""
    assert [(each["source"], len(each["translations"])) for each in found] == [
        (name, 1) for name in ("a", "a-b", "a.b", "ab", "b")
    ]
    assert all(each["original"] for each in found)


@pytest.mark.parametrize("token", ["x", "YQ=", "%20", "_w", "gICA", "YR", "AAAA", "YWFh" * 400])
def test_a_token_that_no_answer_had_is_refused(world: ApiWorld, token: str) -> None:
    assert world.get(f"{PATH}?after={token}").status == 422


def test_a_text_comes_whole_or_in_parts(world: ApiWorld) -> None:
    world.upload("leave.pdf")
    world.extract("leave.pdf")
    whole = world.get(f"{PATH}/leave.pdf").json
    assert (whole["text"], whole["next_offset"], whole["is_current"]) == (TEXT, None, True)
    parts, offset = "", 0
    while offset is not None:
        part = world.get(f"{PATH}/leave.pdf?limit=7&offset={offset}").json
        parts += part["text"]
        offset = part["next_offset"]
    assert parts == TEXT
    behind = world.get(f"{PATH}/leave.pdf?offset=1000").json
    assert (behind["text"], behind["next_offset"]) == ("", None)


@pytest.mark.parametrize("letter", ["휴", "\x01", '"'])
def test_no_part_is_larger_than_an_answer_may_be(world: ApiWorld, letter: str) -> None:
    world.upload("leave.pdf")
    world.extract("leave.pdf", letter * 400_000)
    first = world.get(f"{PATH}/leave.pdf?limit=200000").json
    assert first["next_offset"] == len(first["text"]) >= 100_000


def test_a_text_that_the_caller_has_is_not_sent_again(world: ApiWorld) -> None:
    world.upload("leave.pdf")
    world.extract("leave.pdf")
    first = world.get(f"{PATH}/leave.pdf")
    etag = first.headers["ETag"]
    same = world.get(f"{PATH}/leave.pdf", if_none_match=f'W/{etag}, "other"')
    assert (same.status, same.text, same.headers["ETag"]) == (304, "", etag)
    assert "Content-Type" not in same.headers
    assert world.get(f"{PATH}/leave.pdf?offset=1", if_none_match=etag).status == 200
    assert world.get(f"{PATH}/leave.pdf", if_none_match="nonsense").status == 200
    world.upload("leave.pdf", b"newer")
    newer = world.get(f"{PATH}/leave.pdf", if_none_match=etag)
    assert (newer.status, newer.json["is_current"]) == (200, False)


def test_a_translation_is_current_with_its_original_alone(world: ApiWorld) -> None:
    world.upload("leave.pdf")
    world.extract("leave.pdf", "번역", "ko")
    path = f"{PATH}/leave.pdf?language=ko"
    assert not world.get(path).json["is_current"]
    world.extract("leave.pdf")
    assert world.get(path).json["is_current"]
    world.extract("leave.pdf", "another text")
    assert not world.get(path).json["is_current"]


def test_a_text_that_was_not_made_is_told_with_the_remedy(world: ApiWorld) -> None:
    world.upload("leave.pdf")
    for path in (f"{PATH}/leave.pdf", f"{PATH}/gone.pdf", f"{PATH}/leave.pdf?language=ko"):
        reply = world.get(path)
        assert reply.status == 404
        assert "submit a job" in reply.json["detail"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/pages/a:b/policies",
        "/api/v1/pages/job/policies",
        "/api/v1/pages/system/policies",
        f"/api/v1/pages/{'a' * 129}/policies",
        f"{PATH}/..",
        f"{PATH}/leave.pdf?language=xx",
        f"{PATH}/leave.pdf?language=en&language=ko",
        f"{PATH}/leave.pdf?limit=200001",
        f"{PATH}/leave.pdf?offset=-1",
        f"{PATH}/leave.pdf?offset={'9' * 5000}",
        f"{PATH}?limit=0",
    ],
)
def test_what_names_nothing_is_a_problem_of_the_caller(world: ApiWorld, path: str) -> None:
    reply = world.get(path)
    assert reply.status == 422
    assert reply.json["errors"]
    assert not world.table.items


def test_an_entry_that_is_replaced_while_it_is_read_is_read_again(world: ApiWorld) -> None:
    world.upload("leave.pdf")
    before = world.extract("leave.pdf", "before")
    get = world.bucket.get

    def replaced(key: str) -> object:
        if key == before.body:
            world.bucket.remove(key)
            world.extract("leave.pdf", "after")
        return get(key)

    world.bucket.get = replaced  # type: ignore[method-assign, assignment]
    assert world.get(f"{PATH}/leave.pdf").json["text"] == "after"


def test_a_text_that_is_lost_is_no_answer_of_another(world: ApiWorld) -> None:
    world.upload("leave.pdf")
    entry = world.extract("leave.pdf")
    world.bucket.remove(entry.body)
    reply = world.get(f"{PATH}/leave.pdf")
    assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
    assert entry.body not in reply.text
    (line,) = world.telemetry.named("request_failed")
    assert line["error"] == TextLost.__name__
