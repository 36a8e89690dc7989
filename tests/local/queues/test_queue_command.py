"""`uring queue` against a deployed stack, as an operator types it."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from queue_stack import DEAD, SOURCE, STACK, Queues

from uring.errors import Unavailable
from uring_local.cli import main
from uring_local.queues import pairs as pairs_module
from uring_local.queues.letters import LetterBox
from uring_local.queues.pairs import pairs
from uring_local.queues.redrive import Redrive
from uring_local.queues.show import age

WHERE = ("--stack", STACK)


def document(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def bodies(messages: list[dict[str, Any]]) -> list[str]:
    return [message["Body"] for message in messages]


def redrive(queues: Queues, client: Any = None) -> Redrive:
    """A redrive of the notify queue with a client of its own."""
    found = {each.queue.id: each for each in pairs(boto3, STACK)}[SOURCE]
    assert found.dead is not None
    sqs = client or queues.sqs
    return Redrive(sqs, LetterBox(sqs, found.dead), found.queue, lambda _: None)


class Failing:
    """SQS with an operation that answers once, or never."""

    def __init__(self, sqs: Any, operation: str, answer: Any) -> None:
        self._sqs, self._operation, self._answer = sqs, operation, answer

    def __getattr__(self, name: str) -> Any:
        return self._fail if name == self._operation else getattr(self._sqs, name)

    def _fail(self, **request: Any) -> Any:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer(request)


DOWN = ClientError({"Error": {"Code": "ServiceUnavailable"}}, "SendMessageBatch")


def test_queues_are_listed_with_their_dead_letters(
    queues: Queues, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of every family, found by the stack and each queue's own redrive policy."""
    assert main(["queue", "list", *WHERE]) == 0
    assert "0 dead letters" in capsys.readouterr().out
    queues.reject("x")
    queues.reject("y", queue=SOURCE)
    assert main(["queue", "list", *WHERE, "--json"]) == 1
    listed = {each["id"]: each for each in document(capsys)}
    assert [*listed] == [SOURCE, "Other", "SeedQueue"]
    assert listed[SOURCE]["waiting"] == listed[SOURCE]["dead_letters"]["waiting"] == 1
    assert listed["SeedQueue"]["dead_letters"]["id"] == "SeedDeadLetterQueue"
    assert listed["Other"]["dead_letters"] == {}
    assert main(["queue", "list", *WHERE]) == 1
    (line,) = (each for each in capsys.readouterr().out.splitlines() if SOURCE in each)
    assert line.split() == [SOURCE, "1", "0", "1"]


def test_the_age_of_the_oldest_is_cloudwatch_s(
    queues: Queues, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an empty queue, for which it is minutes old, and of an unknown one there is none."""
    queues.reject("x")
    client = boto3.client("cloudwatch")
    for name in (SOURCE, DEAD):
        dimension = {"Name": "QueueName", "Value": f"{STACK}-{name}.fifo"}
        client.put_metric_data(
            Namespace="AWS/SQS",
            MetricData=[
                {
                    "MetricName": "ApproximateAgeOfOldestMessage",
                    "Dimensions": [dimension],
                    "Value": 5400,
                }
            ],
        )
    later = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=1)
    monkeypatch.setattr(pairs_module, "system_clock", lambda: later)
    (found,) = (each for each in pairs(boto3, STACK) if each.queue.id == SOURCE)
    assert found.dead is not None
    assert (found.queue.oldest_seconds, found.dead.oldest_seconds) == (None, 5400)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, ""), (0, "0 s"), (59, "59 s"), (5400, "1 h"), (90, "1 min"), (200_000, "2 d")],
)
def test_an_age_is_told_in_its_largest_unit(seconds: int | None, said: str) -> None:
    assert age(seconds) == said


@pytest.mark.parametrize("name", [SOURCE, DEAD, f"{STACK}-{SOURCE}.fifo"])
def test_letters_are_shown_and_stay(
    name: str, queues: Queues, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whichever of the two queues is named: a look at what is alive would stop its groups."""
    id_ = queues.reject('{"a": "\x85"}', group="cs", reason="body.a: \u202e no text")
    assert main(["queue", "show", name, *WHERE]) == 1
    said = capsys.readouterr().out
    for text in (id_, "cs", "1 receive", r"reason: body.a: \u202e no text", r'{"a": "\x85"}'):
        assert text in said
    assert main(["queue", "show", name, *WHERE, "--json"]) == 1
    (letter,) = document(capsys)
    assert letter["reason"] == "body.a: \u202e no text"
    assert letter["receives"] == 2
    assert (queues.depths(), queues.in_flight(DEAD)) == ([0, 1], 0)


def test_a_look_has_a_limit(queues: Queues, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(13):
        queues.reject(f"b{number}", group=f"g{number}")
    assert main(["queue", "show", SOURCE, *WHERE, "--limit", "12"]) == 1
    said = capsys.readouterr().out
    assert said.count("receive") == 12
    assert "about 1 more not shown: --limit 12" in said
    assert main(["queue", "show", SOURCE, *WHERE, "--limit", "50", "--json"]) == 1
    assert len(document(capsys)) == 13
    assert queues.depths(DEAD) == [13]


def test_no_letters_are_none(queues: Queues, capsys: pytest.CaptureFixture[str]) -> None:
    assert queues.depths() == [0, 0]
    assert main(["queue", "show", SOURCE, *WHERE]) == 0
    assert capsys.readouterr().out == f"{DEAD}: no dead letters\n"
    assert main(["queue", "redrive", SOURCE, *WHERE, "--all"]) == 0
    assert "would send 0 dead letters" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["queue", "show", "NotifyQeue", *WHERE], "did you mean NotifyQueue?"),
        (["queue", "show", "zzz", *WHERE], "the stack's queues: NotifyQueue, Other, SeedQueue"),
        (["queue", "show", "Other", *WHERE], "Other has no dead-letter queue"),
    ],
)
@pytest.mark.usefixtures("queues")
def test_a_name_that_is_none_is_told(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    assert said in capsys.readouterr().err


def test_a_plan_sends_nothing(queues: Queues, capsys: pytest.CaptureFixture[str]) -> None:
    id_ = queues.reject("x", reason="no such file")
    assert main(["queue", "redrive", SOURCE, *WHERE, "--all"]) == 0
    said = capsys.readouterr().out
    assert f"would send 1 dead letter of {DEAD} to {SOURCE}; --yes sends" in said
    assert "no such file" in said
    assert main(["queue", "redrive", SOURCE, *WHERE, "--id", id_, "--id", "gone", "--json"]) == 1
    plan = document(capsys)
    assert ([each["id"] for each in plan["would_send"]], plan["missing"]) == ([id_], ["gone"])
    assert (queues.depths(), queues.in_flight(DEAD)) == ([0, 1], 0)


def test_all_letters_go_back_in_the_order_of_their_groups(
    queues: Queues, capsys: pytest.CaptureFixture[str]
) -> None:
    """Group and content as they were, the reason gone, and no letter is left."""
    for number in range(12):
        queues.reject(f"a{number:02}", group="a", reason="once" if number == 3 else "")
        queues.reject(f"b{number:02}", group="b")
    assert main(["queue", "redrive", SOURCE, *WHERE, "--all", "--yes"]) == 0
    assert f"24 dead letters of {DEAD} sent to {SOURCE}" in capsys.readouterr().out
    assert queues.depths(DEAD) == [0]
    taken = queues.take()
    for group in "ab":
        of_group = [each for each in taken if each["Attributes"]["MessageGroupId"] == group]
        assert bodies(of_group) == [f"{group}{number:02}" for number in range(12)]
    assert not any("MessageAttributes" in each for each in taken)


def test_one_letter_goes_back_alone(queues: Queues, capsys: pytest.CaptureFixture[str]) -> None:
    queues.reject("first")
    id_ = queues.reject("second", group="b")
    arguments = ["queue", "redrive", DEAD, *WHERE, "--id", id_, "--yes", "--json"]
    assert main(arguments) == 0
    assert document(capsys)["sent"] == [id_]
    assert bodies(queues.take()) == ["second"]
    assert (queues.depths(DEAD), queues.in_flight(DEAD)) == ([1], 0)
    assert main(arguments) == 1
    assert document(capsys) == {
        "queue": DEAD,
        "source": SOURCE,
        "sent": [],
        "doubled": [],
        "refused": {},
        "returned": 0,
        "missing": [id_],
    }


def test_a_letter_that_dies_again_can_be_sent_again(queues: Queues) -> None:
    """Within SQS's five minutes, in which one name is one message."""
    queues.reject("x")
    for _ in range(3):
        assert len(redrive(queues).run(None).sent) == 1
        (message,) = queues.take()
        queues.reject(message["Body"])


def test_what_dies_again_meanwhile_is_left(queues: Queues) -> None:
    """A worker that rejects at once would keep a redrive going for ever."""

    class Rejecting(Failing):
        calls = 0

        def _fail(self, **request: Any) -> Any:
            self.calls += 1
            assert self.calls < 50, "no end"
            answer = self._sqs.send_message_batch(**request)
            for message in queues.take():
                queues.sqs.send_message(
                    QueueUrl=queues.urls[DEAD],
                    MessageBody=message["Body"],
                    MessageGroupId=message["Attributes"]["MessageGroupId"],
                    MessageDeduplicationId=message["MessageId"],
                )
            return answer

    for number in range(15):
        queues.reject(f"x{number}", group=f"g{number % 3}")
    result = redrive(queues, Rejecting(queues.sqs, "send_message_batch", None)).run(None)
    assert len(result.sent) == 15
    assert result.returned > 0
    assert not result.is_complete
    assert (queues.depths(), queues.in_flight(DEAD)) == ([0, 15], 0)


def test_a_letter_that_sqs_refuses_stays_with_those_behind_it(queues: Queues) -> None:
    """What follows in its group would overtake it; other groups go on."""
    for body in ("a0", "bad", "a2"):
        queues.reject(body, group="a")
    for body in ("b0", "b1"):
        queues.reject(body, group="b")

    def refuse(request: dict[str, Any]) -> Any:
        entries = request["Entries"]
        failed = [each for each in entries if each["MessageBody"] == "bad"]
        rest = [each for each in entries if each not in failed]
        answer = queues.sqs.send_message_batch(**request | {"Entries": rest}) if rest else {}
        lost = [{"Id": each["Id"], "Message": "too long", "SenderFault": True} for each in failed]
        return {**answer, "Failed": lost}

    result = redrive(queues, Failing(queues.sqs, "send_message_batch", refuse)).run(None)
    assert [(letter.body, reason) for letter, reason in result.refused] == [("bad", "too long")]
    assert sorted(bodies(queues.take())) == ["a0", "b0", "b1"]
    assert queues.in_flight(DEAD) == 0
    assert bodies(queues.take(DEAD)) == ["bad", "a2"]


def test_large_letters_go_one_by_one(queues: Queues) -> None:
    """SQS takes 256 KB in one call, whatever the number of messages."""
    letters = {f"{number}{'x' * 100_000}" for number in range(5)}
    for body in letters:
        queues.reject(body, group=body[0])
    sizes: list[int] = []

    def send(request: dict[str, Any]) -> Any:
        sizes.append(sum(len(each["MessageBody"]) for each in request["Entries"]))
        return queues.sqs.send_message_batch(**request)

    assert len(redrive(queues, Failing(queues.sqs, "send_message_batch", send)).run(None).sent) == 5
    assert sizes == [200_002, 200_002, 100_001]
    assert {*bodies(queues.take())} == letters


@pytest.mark.parametrize("operation", ["send_message_batch", "delete_message_batch"])
def test_a_death_loses_nothing_and_the_repeat_is_one_message(
    queues: Queues, operation: str
) -> None:
    """Before anything was sent, or after it and before it was deleted."""
    queues.reject("x")
    with pytest.raises(Unavailable):
        redrive(queues, Failing(queues.sqs, operation, DOWN)).run(None)
    assert queues.depths(DEAD) == [1]
    assert redrive(queues).run(None).is_complete
    assert queues.depths(DEAD) == [0]
    assert bodies(queues.take()) == ["x"]


def test_a_letter_that_cannot_be_deleted_is_told(queues: Queues) -> None:
    id_ = queues.reject("x")
    failed = {"Failed": [{"Id": "0", "Message": "expired", "SenderFault": True}]}
    stuck = Failing(queues.sqs, "delete_message_batch", lambda _: failed)
    result = redrive(queues, stuck).run(None)
    assert [letter.id for letter in result.doubled] == [id_]
    assert (result.sent, result.is_complete) == ([], False)


def test_what_was_sent_before_an_outage_is_told(
    queues: Queues, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    queues.reject("x")
    stuck = Failing(queues.sqs, "send_message_batch", DOWN)
    monkeypatch.setattr("uring_local.queues.operate._sqs", lambda: stuck)
    assert main(["queue", "redrive", SOURCE, *WHERE, "--all", "--yes"]) == 1
    said = capsys.readouterr()
    assert said.out == "0 dead letters sent before this:\n"
    assert "sqs:SendMessage" in said.err
