"""What the FCM stand-in remembers, and its plan of faults."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from uring_local.fcm.faults import FaultPlan, parse_faults
from uring_local.fcm.journal import DamagedJournal, Delivery, DeliveryJournal, doubles
from uring_local.fcm.server import FcmStandIn
from uring_local.loopback import PortTaken
from uring_local.sites.stage.verdict import judge_pushes

NOW = datetime(2026, 3, 2, tzinfo=UTC)

PUSH = {"dept": "nurisol_cse", "id": "5737", "revision": "1", "title": "장학금 \u2028 안내"}


def delivery(event: str, answered: str = "ok", process: int = 1, **data: str) -> Delivery:
    return Delivery(event, "t", data, NOW, process, answered)


def test_a_new_journal_on_the_same_file_is_the_next_process(tmp_path: Path) -> None:
    path = tmp_path / "pushes.jsonl"
    first = DeliveryJournal(path)
    made = first.deliver("e1", "t", PUSH, "drop")
    first.close()
    idle = DeliveryJournal(path)
    idle.close()
    third = DeliveryJournal(path)
    assert (first.process, idle.process, third.process) == (1, 2, 3)
    assert third.deliveries == (made,)
    third.close()


def test_a_torn_last_line_is_dropped_and_the_next_line_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "pushes.jsonl"
    journal = DeliveryJournal(path)
    journal.deliver("e1", "t", PUSH, "ok")
    journal.deliver("e2", "t", PUSH, "ok")
    path.write_bytes(path.read_bytes()[:-9])
    resumed = DeliveryJournal(path)
    assert [one.event_id for one in resumed.deliveries] == ["e1"]
    resumed.deliver("e3", "t", PUSH, "ok")
    resumed.close()
    last = DeliveryJournal(path)
    assert [(one.event_id, one.process) for one in last.deliveries] == [("e1", 1), ("e3", 2)]
    last.close()


def test_a_whole_line_that_is_no_delivery_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pushes.jsonl"
    path.write_text('{"process":1}\n{"hello":1}\n', encoding="utf-8")
    with pytest.raises(DamagedJournal, match="line 2 is not a delivery"):
        DeliveryJournal(path)
    assert path.read_text(encoding="utf-8").count("\n") == 2, "what cannot be read is left alone"


def test_a_line_that_a_full_disk_cut_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pushes.jsonl"
    journal = DeliveryJournal(path)
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, line: write(file, line[: len(line) // 2]))
    with pytest.raises(OSError, match="disk is full"):
        journal.deliver("e1", "t", PUSH, "ok")
    monkeypatch.undo()
    journal.deliver("e2", "t", PUSH, "ok")
    journal.close()
    again = DeliveryJournal(path)
    assert [one.event_id for one in again.deliveries] == ["e2"]
    assert again.ended == {1}
    again.close()


def test_deliveries_and_the_account_survive_kill_9(tmp_path: Path) -> None:
    """A process that is killed right after a delivery has lost neither it nor its sign-ins."""
    path = tmp_path / "pushes.jsonl"
    script = """
import sys, time
from pathlib import Path
from uring_local.fcm.server import FcmStandIn
standin = FcmStandIn(Path(sys.argv[1])).start()
standin._journal.deliver("e1", "t", {"id": "1"}, "ok")
print(standin.service_account()["private_key_id"], flush=True)
time.sleep(60)
"""
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as killed:
        assert killed.stdout is not None
        key_id = killed.stdout.readline().strip()
        killed.send_signal(signal.SIGKILL)
    with FcmStandIn(path) as standin:
        assert [(one.event_id, one.process) for one in standin.deliveries] == [("e1", 1)]
        assert standin.process == 2
        assert standin.attempts == {"e1": 1}
        assert standin.service_account()["private_key_id"] == key_id
    assert (tmp_path / "pushes.jsonl.key").stat().st_mode & 0o077 == 0


def test_a_stand_in_without_a_port_has_closed_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "pushes.jsonl"
    with FcmStandIn() as running, pytest.raises(PortTaken):
        FcmStandIn(path, port=running.port)
    journal = DeliveryJournal(path)
    assert journal.ended == {1}
    journal.close()


def test_an_events_delivery_is_the_last_one_of_earlier_processes_too(tmp_path: Path) -> None:
    path = tmp_path / "pushes.jsonl"
    journal = DeliveryJournal(path)
    for title in ("장학금", "장학금 (수정)"):
        journal.deliver("e1", "t", {"title": title}, "ok")
    journal.close()
    with FcmStandIn(path) as standin:
        last = standin.delivery("e1")
        assert last is not None
        assert last.data["title"] == "장학금 (수정)"
        assert standin.delivery("e2") is None


def test_the_cause_of_a_double_is_what_happened_to_the_delivery_before_it() -> None:
    assert doubles([delivery("a"), delivery("b"), delivery(""), delivery("")]) == []
    causes = [
        (("timeout", 1), ("ok", 1), "answer_lost"),
        (("503-late", 1), ("ok", 2), "answer_lost"),
        (("ok", 1), ("ok", 2), "killed"),
        (("ok", 1), ("drop", 1), "unexplained"),
    ]
    for first, second, cause in causes:
        assert doubles([delivery("a", *first), delivery("a", *second)]) == [("a", cause)]
    twice = [delivery("a"), delivery("a", process=2)]
    assert doubles(twice, ended={1}) == [("a", "unexplained")]
    early = [replace(delivery("a"), at=delivery("a").at - timedelta(minutes=2)), delivery("b")]
    late = [*early, delivery("a", process=2)]
    assert doubles(late) == [("a", "unexplained")], "it had been recorded"
    third = doubles([delivery("a", "drop"), delivery("a"), delivery("a")])
    assert third == [("a", "answer_lost"), ("a", "unexplained")]


def test_the_judge_tells_lost_from_unexpected() -> None:
    arrived = [
        delivery("a", dept="cse", id="1", revision="1"),
        delivery("b", dept="cse", id="1", revision="2"),
        delivery("b", dept="cse", id="1", revision="2"),
    ]
    verdict = judge_pushes(
        [("1", "1"), ("9", "1")], arrived, lambda one: (one.data["id"], one.data["revision"])
    )
    assert verdict.lost == ["never pushed: ('9', '1')"]
    assert verdict.wrong == ["pushed without reason: ('1', '2')"]
    assert verdict.doubled == ["pushed twice: b"]
    assert (verdict.pushed, verdict.expected) == (2, 2)


def test_two_events_of_one_push_are_one_too_many() -> None:
    arrived = [delivery("a", id="1"), delivery("b", id="1")]
    verdict = judge_pushes(["1"], arrived, lambda one: one.data["id"])
    assert verdict.problems == ["pushed without reason: 1"]


def test_faults_are_read_from_the_command_line() -> None:
    faults = parse_faults("503:0.2, 429:0.1:2,timeout:0.05")
    assert [(f.kind, f.probability, f.retry_after) for f in faults] == [
        ("503", 0.2, None),
        ("429", 0.1, 2),
        ("timeout", 0.05, None),
    ]
    assert parse_faults("429:0.1")[0].retry_after == 10
    assert len(parse_faults("503:0.7,500:0.2,drop:0.1")) == 3


@pytest.mark.parametrize(
    ("spec", "part", "remedy"),
    [
        ("", "''", "KIND:PROBABILITY"),
        ("503", "'503'", "as in 0.3"),
        ("503:0.2,404:0.1", "'404:0.1'", "one of 503"),
        ("503:2", "'503:2'", "at most 1"),
        ("503:0", "'503:0'", "above 0"),
        ("503:nan", "'503:nan'", "as in 0.3"),
        ("503:0.1:5", "'503:0.1:5'", "leave out '5'"),
        ("429:0.1:soon", "'429:0.1:soon'", "whole seconds"),
        ("429:0.1:99999999", "99999999", "whole seconds"),
        ("503:0.6,500:0.6", "503:0.6,500:0.6", "lower them"),
        ("503:0.1,503:0.1", "503", "give each kind once"),
    ],
)
def test_a_bad_fault_is_refused_with_its_part_and_the_remedy(
    spec: str, part: str, remedy: str
) -> None:
    with pytest.raises(ValueError, match=r"\A.+\Z") as caught:
        parse_faults(spec)
    assert part in str(caught.value)
    assert remedy in str(caught.value)


def test_a_plan_keeps_to_its_probability_and_its_longest_run() -> None:
    faults = parse_faults("503:0.3")
    endless = FaultPlan(faults, seed=7)
    drawn = [endless.fault(f"e{n}", attempt) for n in range(500) for attempt in range(1, 5)]
    share = sum(fault is not None for fault in drawn) / len(drawn)
    assert 0.26 < share < 0.34
    bounded = FaultPlan(parse_faults("503:1"), seed=7, most_in_a_row=3)
    runs = [bounded.fault("e", attempt) is not None for attempt in range(1, 6)]
    assert runs == [True, True, True, False, False]
