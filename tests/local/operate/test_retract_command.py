"""`uring retract`: one write takes pushes back, and the next check says so once, everywhere."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes import Notice, VirtualClock
from fakes.worlds import NoticeWorld

from uring.errors import Unavailable
from uring_local.cli import main
from uring_local.operate import bucket as operators_bucket
from uring_local.operate.bucket import VersionedBucket

BUCKET = "uring-data"
STACK = ("--stack", "uring-here")
FIRST = [Notice("2", "둘째 글"), Notice("1", "첫 글")]


class Interrupted(VersionedBucket):
    """The operator's bucket: another run commits first, or the answer of a write gets lost."""

    before_put: Callable[[], None] = staticmethod(lambda: None)
    loses = False

    def put(self, key: str, body: bytes, **options: Any) -> str:
        """See `VersionedBucket.put`."""
        act, Interrupted.before_put = Interrupted.before_put, staticmethod(lambda: None)
        act()
        etag = super().put(key, body, **options)
        if Interrupted.loses:
            Interrupted.loses = False
            raise Unavailable("no answer")
        return etag


@pytest.fixture
def board(deployed_s3: Any, monkeypatch: pytest.MonkeyPatch) -> NoticeWorld:
    """The department cs after its first check, on a stack of moto."""
    monkeypatch.setattr(operators_bucket, "VersionedBucket", Interrupted)
    world = NoticeWorld(
        VirtualClock(datetime.now(UTC)), objects=lambda _: VersionedBucket(deployed_s3, BUCKET)
    )
    look(world, *FIRST)
    return world


def look(world: NoticeWorld, *page: Notice) -> None:
    world.clock.advance(600)
    world.show(*page)
    world.check()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = main(["retract", "cs", *arguments, *STACK, "--json"])
    out = capsys.readouterr()
    return code, json.loads(out.out) if out.out else out.err


def lines(world: NoticeWorld) -> list[dict[str, Any]]:
    found = []
    for listed in world.objects.list("data/cs/archive/"):
        stored = world.objects.get(listed.key)
        assert stored
        found += [json.loads(line) for line in stored.body.splitlines()]
    return found


def item(world: NoticeWorld, name: str) -> dict[str, Any]:
    stored = world.objects.get("data/cs/latest.json")
    assert stored
    items = json.loads(stored.body)["items"]
    return next(each for each in items if each["id"] == name)


def state(world: NoticeWorld) -> Any:
    version = world.register.read("cs")
    assert version
    return version.state


WRONG = Notice("3", "잘못 알린 글")


def test_a_wrong_push_is_taken_back_by_one_message(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    look(board, WRONG, *FIRST)
    [pushed] = board.messages()
    code, said = run(capsys, "3")
    assert (code, said["next"]) == (1, "--yes stores it")
    assert said["retract"] == [f"{pushed.event_id} 3 잘못 알린 글"]
    look(board, WRONG, *FIRST)
    assert len(board.messages()) == 1
    assert run(capsys, "3", "--yes")[0] == 0
    look(board, WRONG, *FIRST)
    _, message = board.messages()
    assert (message.kind, message.id, message.revision) == ("retracted", "3", 2)
    assert message.content["retracts"] == pushed.event_id
    assert message.content["title"] == "[취소] 잘못 알린 글"
    assert lines(board)[-1]["kind"] == "retracted"
    assert lines(board)[-1]["retracts"] == pushed.event_id
    assert lines(board)[-1]["title"] == "잘못 알린 글"
    shown = item(board, "3")
    assert (shown["retracts"], shown["retracted"]) == (pushed.event_id, "all")
    assert (shown["title"], shown["revision"]) == ("잘못 알린 글", 2)


def test_a_second_run_takes_nothing_more_back(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    look(board, WRONG, *FIRST)
    look(board, Notice("3", "고친 글"), *FIRST)
    for _ in range(2):
        # Before the next check the outbox says so, afterwards the archive does.
        assert run(capsys, "3", "--yes")[0] == 0
        code, said = run(capsys, "3", "--yes")
        assert (code, said["retract"], len(said["already"])) == (0, [], 1)
        look(board, Notice("3", "고친 글"), *FIRST)
    assert [kind for _, kind in board.pushes()] == ["new", "edited", "retracted"]
    assert item(board, "3")["retracted"] == "part"


def test_an_event_names_any_push(board: NoticeWorld, capsys: pytest.CaptureFixture[str]) -> None:
    look(board, WRONG, *FIRST)
    look(board, Notice("3", "고친 글"), *FIRST)
    first, second = board.messages()
    assert run(capsys, "3", "--event", first.event_id, "--yes")[0] == 0
    look(board, Notice("3", "고친 글"), *FIRST)
    assert set(str(board.messages()[-1].content["retracts"]).split()) == {
        first.event_id,
        second.event_id,
    }
    assert item(board, "3")["retracted"] == "all"


def test_several_notices_are_one_message(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    page = [*(Notice(str(number), f"잘못 {number}") for number in range(9, 2, -1)), *FIRST]
    look(board, *page)
    wrong = board.messages()
    assert run(capsys, "3", "4", "9", "--yes")[0] == 0
    look(board, *page)
    [message] = board.messages()[len(wrong) :]
    named = {each.event_id for each in wrong if each.id in ("3", "4", "9")}
    assert set(str(message.content["retracts"]).split()) == named
    retracted = [line for line in lines(board) if line["kind"] == "retracted"]
    assert sorted(line["id"] for line in retracted) == ["3", "4", "9"]
    assert all("retracts" in item(board, name) for name in ("3", "4", "9"))
    assert "retracts" not in item(board, "5")


def test_a_digest_is_taken_back_with_all_its_notices(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    page = [*(Notice(str(number), f"새 글 {number}") for number in range(40, 2, -1)), *FIRST]
    look(board, *page)
    [digest] = board.messages()
    assert digest.digest_of == 38
    assert run(capsys, "5", "--yes")[0] == 1
    code, said = run(capsys, "--event", digest.event_id, "--yes")
    assert (code, len(said["retract"])) == (0, 38)
    look(board, *page)
    _, retraction = board.messages()
    assert retraction.content["retracts"] == digest.event_id
    assert {item(board, str(each))["retracted"] for each in range(11, 41)} == {"all"}
    assert run(capsys, "--event", digest.event_id, "--yes")[1]["retract"] == []


def test_what_came_with_another_push_keeps_its_mark(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    """A silent edit beside a push is not of a digest, and a baseline is not either."""
    look(board, WRONG, Notice("2", "둘째 글", is_pinned=True), FIRST[1])
    assert run(capsys, "3", "--yes")[0] == 0
    look(board, WRONG, Notice("2", "둘째 글", is_pinned=True), FIRST[1])
    assert "retracts" not in item(board, "2")


def test_a_push_that_is_still_in_the_outbox_is_followed_by_its_retraction(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    board.clock.advance(600)
    board.show(WRONG, *FIRST)
    board.outlet.refuses = lambda _: True
    with pytest.raises(Unavailable):
        board.check()
    assert run(capsys, "3", "--yes")[0] == 0
    board.outlet.refuses = lambda _: False
    look(board, WRONG, *FIRST)
    assert board.pushes() == [("3", "new"), ("3", "retracted")]


def test_a_check_that_commits_meanwhile_keeps_its_commit(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    look(board, WRONG, *FIRST)
    later = Notice("4", "넷째 글")
    Interrupted.before_put = staticmethod(lambda: look(board, later, WRONG, *FIRST))
    assert run(capsys, "3", "--yes")[0] == 0
    look(board, later, WRONG, *FIRST)
    assert board.pushes() == [("3", "new"), ("4", "new"), ("3", "retracted")]


def test_the_latest_push_is_that_of_the_commit_that_it_rests_on(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    look(board, WRONG, *FIRST)
    edited = Notice("3", "고친 글")
    Interrupted.before_put = staticmethod(lambda: look(board, edited, *FIRST))
    assert run(capsys, "3", "--yes")[0] == 0
    look(board, edited, *FIRST)
    _, edit, retraction = board.messages()
    assert retraction.content["retracts"] == edit.event_id


def test_a_lost_answer_of_the_write_takes_back_once(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    look(board, WRONG, *FIRST)
    Interrupted.loses = True
    assert run(capsys, "3", "--yes")[0] == 0
    assert run(capsys, "3", "--yes")[1]["retract"] == []
    look(board, WRONG, *FIRST)
    assert [kind for _, kind in board.pushes()] == ["new", "retracted"]


def test_a_later_edit_is_pushed_and_shown_as_usual(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    look(board, WRONG, *FIRST)
    run(capsys, "3", "--yes")
    look(board, WRONG, *FIRST)
    look(board, Notice("3", "잘못 알린 글", is_pinned=True), *FIRST)
    assert item(board, "3")["retracted"] == "all"
    look(board, Notice("3", "고친 글", is_pinned=True), *FIRST)
    assert board.pushes()[-1] == ("3", "edited")
    assert "retracts" not in item(board, "3")


def test_a_notice_that_was_renumbered_is_found_by_its_new_id(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    page = [
        Notice(str(each), f"글의 제목 {each}", date=f"2026-02-{each:02}")
        for each in range(9, 0, -1)
    ]
    look(board, *page)
    look(board, Notice("10", "잘못 알린 글", date="2026-02-10"), *page)
    pushed = board.messages()[-1]
    moved = [Notice("10", "잘못 알린 글", date="2026-02-10"), *page]
    for _ in range(4):
        look(
            board,
            *(Notice(f"{5000 + int(each.id)}", each.title, date=each.date) for each in moved),
        )
    assert "5010" in state(board).known
    assert run(capsys, "5010", "--yes")[0] == 0
    look(board, *(Notice(f"{5000 + int(each.id)}", each.title, date=each.date) for each in moved))
    assert board.messages()[-1].content["retracts"] == pushed.event_id
    assert item(board, "5010")["retracted"] == "all"


def test_a_notice_that_left_latest_json_keeps_its_content(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    look(board, WRONG, *FIRST)
    for first in (10, 30):
        more = [Notice(str(first + each), f"다른 {first + each}") for each in range(19, -1, -1)]
        look(board, *more, WRONG)
    assert "3" not in [each.id for each in state(board).hot]
    assert run(capsys, "3", "--yes")[0] == 0
    look(board, *more, WRONG)
    assert lines(board)[-1]["title"] == "잘못 알린 글"
    assert "link" in lines(board)[-1]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["1"], "1 was not pushed by itself"),
        (["77"], "77 has no revision"),
        (["--event", "0" * 40], "is not in the archive"),
        (["3", "77"], "77 has no revision"),
        ([], "name 1 to 100 pushes"),
    ],
)
def test_what_was_not_pushed_is_refused_and_nothing_is_written(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    look(board, WRONG, *FIRST)
    before = state(board)
    code, said = run(capsys, *arguments, "--yes")
    assert code == 1
    assert why in said
    assert state(board) == before


@pytest.mark.usefixtures("board")
def test_an_unknown_department_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retract", "ghost", "3", *STACK, "--yes"]) == 1
    assert "no department ghost" in capsys.readouterr().err
