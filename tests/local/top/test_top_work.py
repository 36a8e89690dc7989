"""What `uring top` asks AWS, on a stack of moto."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from fakes.worlds import NoticeWorld
from moto import mock_aws
from rich.console import Console
from watched_stack import BUCKET, ENVIRONMENT, HOSTILE, STACK, create, publish, put

from uring.errors import Misconfigured, Unavailable
from uring_local.cli import main
from uring_local.doctor.subject import Subject
from uring_local.top.model import Action, ViewState
from uring_local.top.work import KeptReads, Reader, ViewChange, act

CS = ("departments", "cs")


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[NoticeWorld]:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        yield create()


@pytest.fixture
def s3(board: NoticeWorld) -> Any:  # noqa: ARG001
    return boto3.client("s3")


@pytest.fixture
def view(board: NoticeWorld) -> ViewState:  # noqa: ARG001
    return ViewState.first(STACK, Reader(STACK).read())


def after(state: ViewState, changes: Iterable[ViewChange]) -> ViewState:
    for change in changes:
        state = change(state)
    return state


def done(state: ViewState, kind: Any, id_: str = "cs", until: str = "") -> ViewState:
    (source,) = (each for each in state.sources if each.id == id_)
    return after(state, act(Action(kind, source, until), source, STACK))


def text(state: ViewState) -> str:
    console = Console(width=100)
    assert state.page is not None
    assert state.page.body is not None
    with console.capture() as caught:
        console.print(state.page.body)
    return caught.get()


class Counting:
    """A client of S3 whose answers are counted by their status."""

    def __init__(self, client: Any) -> None:
        self.statuses: list[int] = []
        client.meta.events.register("after-call.s3.GetObject", self._count)

    def _count(self, http_response: Any, **_: Any) -> None:
        self.statuses.append(http_response.status_code)


def test_an_unchanged_object_is_not_sent_again_and_a_changed_one_is(s3: Any) -> None:
    counting, reads = Counting(s3), KeptReads(s3, BUCKET)
    assert reads.get("data/index.json") == reads.get("data/index.json")
    publish(s3, name="other")
    stored = reads.get("data/index.json")
    assert stored is not None
    assert json.loads(stored.body)["departments"][0]["name"] == "other"
    assert counting.statuses == [200, 304, 200]


def test_an_object_that_was_removed_is_missing_and_comes_back(s3: Any) -> None:
    reads = KeptReads(s3, BUCKET)
    assert reads.get("data/index.json") is not None
    s3.delete_object(Bucket=BUCKET, Key="data/index.json")
    assert reads.get("data/index.json") is None
    publish(s3)
    assert reads.get("data/index.json") is not None


def test_a_bucket_that_denies_is_named(s3: Any) -> None:
    with pytest.raises(Misconfigured, match="s3:GetObject no-such-bucket/k"):
        KeptReads(s3, "no-such-bucket").get("k")


def test_a_refresh_shows_the_list_before_the_beats(view: ViewState) -> None:
    reader = Reader(STACK)
    first, *rest = reader.refresh(view.rows)
    assert first(view).seen.beats == {}
    outcomes = [beat.outcome for beat in after(first(view), rest).seen.beats[CS]]
    assert outcomes == ["baseline", "unchanged", "changed", "failed"]
    assert [each.queue.id for each in view.seen.pairs] == ["NoticeQueue"]
    assert view.seen.pairs[0].dead is not None


def test_a_source_without_a_health_has_no_beats(view: ViewState, s3: Any) -> None:
    s3.put_object(Bucket=BUCKET, Key="data/cs/health.json", Body=b"{")
    filled = after(view, Reader(STACK).fill(view.rows))
    assert [[*beats] for beats in filled.seen.beats.values()] == [[], []]


def test_a_refresh_that_fails_is_a_sentence_and_the_next_one_is_not(
    view: ViewState, s3: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(STACK)
    shown = after(view, reader.refresh(view.rows))
    s3.put_object(Bucket=BUCKET, Key="data/index.json", Body=b"[")
    failed = after(shown, reader.refresh(view.rows))
    assert failed.missed.startswith("data/index.json is not JSON")
    assert (failed.rows, failed.seen) == (shown.rows, shown.seen)
    publish(s3)
    assert after(failed, reader.refresh(view.rows)).missed == ""

    def down(*_: Any) -> None:
        raise Unavailable("sqs:GetQueueAttributes: 503")

    monkeypatch.setattr("uring_local.top.work.pairs_at", down)
    assert after(shown, reader.refresh(view.rows)).missed == "sqs:GetQueueAttributes: 503"


class TestCommands:
    def test_a_check_is_the_job_of_uring_check(self, view: ViewState) -> None:
        said = done(view, "check")
        assert (said.is_bad, said.said.partition(";")[0]) == (False, "cs: its job is sent")
        sqs: Any = boto3.client("sqs")
        url = sqs.get_queue_url(QueueName="notices.fifo")["QueueUrl"]
        (message,) = sqs.receive_message(QueueUrl=url)["Messages"]
        assert json.loads(message["Body"])["source"] == "cs"

    def test_a_pause_is_that_of_uring_pause_and_is_shown_at_once(
        self, view: ViewState, s3: Any
    ) -> None:
        paused = done(view, "pause", until="2026-12-01")
        assert paused.said.startswith("cs is paused until 20")
        (cs,) = (each for each in paused.sources if each.id == "cs")
        state = json.loads(s3.get_object(Bucket=BUCKET, Key="state/notices/cs.json")["Body"].read())
        assert state["health"]["paused_until"] == cs.entry["paused_until"]
        resumed = done(paused, "resume")
        assert resumed.said == "cs: it is asked at its next tick"
        (cs,) = (each for each in resumed.sources if each.id == "cs")
        assert "paused_until" not in cs.entry

    @pytest.mark.parametrize(
        ("kind", "id_", "until", "said"),
        [
            ("pause", "cs", "tomorrow", "--until 'tomorrow' is not a day such as 2026-12-01"),
            ("pause", "cs", "2999-01-01", "is not within the year to come"),
            ("check", HOSTILE, "", "has no source"),
            ("resume", HOSTILE, "", "state/notices/bad"),
        ],
    )
    def test_a_refusal_is_a_sentence(
        self, view: ViewState, kind: Any, id_: str, until: str, said: str
    ) -> None:
        refused = done(view, kind, id_, until)
        assert refused.is_bad
        assert said in refused.said
        assert refused.seen == view.seen

    def test_an_error_of_aws_is_a_sentence(
        self, view: ViewState, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Denied:
            def client(self, _: str, **__: Any) -> Any:
                raise ClientError({"Error": {"Code": "ExpiredToken"}}, "DescribeStacks")

        monkeypatch.setattr(
            "uring_local.look.again.Subject", lambda stack: Subject(stack, Denied())
        )
        refused = done(view, "check")
        assert (refused.is_bad, "renew the AWS credentials" in refused.said) == (True, True)


class TestDiff:
    def test_it_has_each_change_beside_what_was_before(self, view: ViewState) -> None:
        shown = done(view, "diff")
        assert shown.page is not None
        assert shown.page.title == "cs: the newest changes"
        assert "title: 장학금 신청 → 장학금 신청 연장" in text(shown)

    def test_of_a_suspect_source_it_is_the_refused_page(
        self, view: ViewState, board: NoticeWorld, s3: Any
    ) -> None:
        board.site = "<p>closed</p>"
        assert board.check().outcome == "suspect"
        publish(s3, status="suspect")
        suspect = after(view, Reader(STACK).refresh(()))
        shown = done(suspect, "diff")
        assert shown.page is not None
        assert shown.page.title == "cs: the page that was refused"
        assert "not on the page" in text(shown)

    def test_a_suspect_source_whose_page_is_gone_has_its_changes(
        self, view: ViewState, s3: Any
    ) -> None:
        publish(s3, status="suspect")
        shown = done(after(view, Reader(STACK).refresh(())), "diff")
        assert shown.page is not None
        assert shown.page.title == "cs: the newest changes"

    def test_a_source_without_changes_says_so(self, view: ViewState) -> None:
        assert "no change since 20" in text(done(view, "diff", HOSTILE))

    def test_a_weather_product_keeps_none(self, view: ViewState) -> None:
        metar = replace(view.sources[0], family="weather")
        said = after(view, act(Action("diff", metar), metar, STACK))
        assert said.is_bad
        assert "no list of changes" in said.said


@pytest.mark.usefixtures("board")
class TestWithoutTerminal:
    def test_a_pipe_gets_the_queues_and_the_sources_once(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["top", "--stack", STACK]) == 1
        out = capsys.readouterr().out
        assert "NoticeQueue" in out
        assert "1 of 2 sources needs a look" in out
        assert "\x1b" not in out

    def test_an_unknown_stack_is_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["top", "--stack", "uring-none"]) == 1
        said = capsys.readouterr()
        assert "there is no stack uring-none" in said.err
        assert said.out == ""

    def test_a_stack_without_an_index_has_the_remedy(
        self, s3: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        s3.delete_object(Bucket=BUCKET, Key="data/index.json")
        assert main(["top", "--stack", STACK]) == 1
        assert "the monitor writes it at its first run" in capsys.readouterr().err

    def test_an_index_of_another_shape_is_shown_empty(
        self, s3: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        put(s3, "data/index.json", {"version": 9, "departments": {"cs": {}}, "families": [7]})
        assert main(["top", "--stack", STACK]) == 0
        assert "0 sources, none needs a look" in capsys.readouterr().out


def test_without_credentials_it_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    assert main(["top", "--stack", STACK, "--region", "us-east-1"]) == 1
    assert "run with a role or with AWS_* variables" in capsys.readouterr().err
