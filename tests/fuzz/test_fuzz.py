"""A sample of the hunt, what the hunt found once, and that it would find it again."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fakes import ENTRY
from fuzzing import hunt, input_of
from mutators import damaged_json, damaged_markup
from targets import Reader, Target, targets

from uring.errors import CorruptState, SuspectPage
from uring.notices.page import read_page
from uring.notices.source import Source
from uring.reading.rules import RowRule

INPUTS = {"page": 600, "answer": 600, "cpu": 20, "state": 400, "weather": 200, "queue": 2000}
INPUTS |= {"registry": 200, "rules": 80, "domain": 600}
PINNED = [{"select": "td", "text": "공지"}]
BOARD = Source.model_validate({**ENTRY, "rows": "tr", "pinned": PINNED})


@pytest.mark.parametrize("name", INPUTS)
def test_damaged_input_is_taken_or_refused_and_nothing_else(name: str) -> None:
    target = targets()[name]
    # Seconds of CPU stretch where cores are shared; `make fuzz` has the strict limit.
    tally = hunt(
        target,
        "sample",
        goes_on=lambda number: number < INPUTS[name],
        slow_seconds=10 * target.slow_seconds,
    )
    assert [finding.detail for finding in tally.findings] == []
    assert tally.inputs == INPUTS[name]
    refused = tally.inputs - tally.outcomes["accepted"]
    assert min(tally.outcomes["accepted"], refused) > tally.inputs // 20, tally.row()


@pytest.mark.parametrize("name", INPUTS)
def test_undamaged_input_is_taken(name: str) -> None:
    """Else the hunt would only ever see the first check of each reader."""
    target = targets()[name]
    for label, reader in target.readers.items():
        assert target.try_(label.encode() + b"\n" + reader.samples[0]) == "accepted", label


@pytest.mark.parametrize("name", INPUTS)
def test_an_input_is_made_again_from_seed_and_number(name: str) -> None:
    one, two = targets()[name], targets()[name]
    made = [input_of(one, "seed", number) for number in range(50)]
    assert made == [input_of(two, "seed", number) for number in range(50)]
    assert len(set(made)) > 40
    assert input_of(one, "another", 0) != made[0]


def _raise(body: bytes) -> None:
    if b"x" in body:
        raise ZeroDivisionError


def _refuse(body: bytes) -> None:
    raise CorruptState(repr(body))


def _hold(body: bytes) -> None:
    bytearray(60_000_000)[::4096] = b"x" * (60_000_000 // 4096 + 1)
    del body


def _planted(read: Callable[[bytes], None]) -> Target:
    return Target({"it": Reader([b'{"x": 1}'], read, (CorruptState,))}, damaged_json)


def test_an_error_that_is_not_documented_is_one_finding_with_its_place() -> None:
    tally = hunt(_planted(_raise), "s", goes_on=lambda number: number < 50)
    assert [finding.kind for finding in tally.findings] == ["ZeroDivisionError at _raise"]
    assert tally.outcomes["finding"] > 1


def test_a_documented_error_is_none() -> None:
    tally = hunt(_planted(_refuse), "s", goes_on=lambda number: number < 5)
    assert (tally.findings, tally.outcomes["CorruptState"]) == ([], 5)


def test_slow_and_huge_inputs_are_findings() -> None:
    slow = hunt(_planted(_refuse), "s", goes_on=lambda number: number < 2, slow_seconds=0)
    assert [finding.kind for finding in slow.findings] == ["slow"]
    command = (
        "from fuzzing import hunt; from test_fuzz import _hold, _planted; "
        "y = hunt(_planted(_hold), 's', goes_on=lambda n: n < 2, huge_megabytes=20); "
        "print(y.findings[0].kind)"
    )
    folder = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", command],
        cwd=folder,
        env={"PYTHONPATH": f"{folder}:{folder.parent}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "huge\n"


def test_the_command_writes_a_finding_nowhere_when_there_is_none() -> None:
    folder = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, folder, "--target", "queue", "--seconds", "0.5", "--seed", "1", "--json"],
        env={"PYTHONPATH": str(folder.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert '"findings": 0' in done.stdout


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("listed", 10**12),
        ("listed", -1),
        ("outbox", [{"kind": "https://cs.example.ac.kr/board/view?no=1"}]),
        ("outbox", [{"kind": ""}]),
    ],
)
def test_a_state_that_would_stop_its_source_for_ever_is_corrupt(part: str, value: Any) -> None:
    """Once a foreign error at every tick, once a list that was too short at every tick."""
    reader = targets()["state"].readers["state"]
    state = json.loads(reader.samples[1])
    if part == "outbox":
        value = [{**state["outbox"][0], **value[0]}]
    reader.read(json.dumps(state).encode())
    with pytest.raises(CorruptState, match=part):
        reader.read(json.dumps({**state, part: value}).encode())


def read(html: str) -> int:
    return len(read_page(BOARD, html, BOARD.url, date(2026, 3, 2)).rows)


@pytest.mark.parametrize("drop", [(), ("th",)])
def test_rows_in_rows_in_rows_are_refused_before_they_take_a_minute(drop: tuple[str, ...]) -> None:
    """Each is read, or left out, for all that is in it: 400 of them, 39 KB, took 20 s."""
    board = BOARD.model_copy(update={"rows": RowRule(select="div", drop=drop)})
    html = '<div data-no="1"><p class="subject"><a href="view?no=1">글</a></p>' * 400 + "<th>"
    with pytest.raises(SuspectPage, match="markup_bomb: rows inside"):
        read_page(board, html, BOARD.url, date(2026, 3, 2))


def test_a_layout_of_tables_in_tables_is_no_bomb() -> None:
    """Old sites put the list three tables deep."""
    plain = (
        '<tr data-no="1"><td class="subject"><a href="view?no=1">글</a><td class="date">2026-03-01'
    )
    board = f"<table>{plain * 900}</table>"
    for _ in range(3):
        board = f"<table><tr><td>{board}</td></tr></table>"
    assert read(board) == 903


def test_markup_is_damaged_in_its_structure() -> None:
    chance = random.Random(1)
    page = b"<ul><li>a<li>b</ul>"
    made = {damaged_markup(chance, page, [page]) for _ in range(200)}
    assert len(made) > 60


def test_a_selector_of_three_parts_is_not_tried_on_a_thousand_tables() -> None:
    """80 KB of them took 2 s without a single row, 160 KB ten times that."""
    board = BOARD.model_copy(update={"rows": RowRule(select="table.board tbody tr")})
    html = "<table><tbody><tr><td>" * 800
    with pytest.raises(SuspectPage, match="markup_bomb: elements nested"):
        read_page(board, html, BOARD.url, date(2026, 3, 2))


@pytest.mark.parametrize(("place", "pinned"), [(20, True), (21, False)])
def test_a_signal_is_looked_for_in_twenty_elements_of_a_row(place: int, *, pinned: bool) -> None:
    """A thousand in each other would each be read with all that is in it."""
    cells = ["<td>-</td>"] * 25
    cells[place - 1] = "<td>공지</td>"
    fields = dict.fromkeys(("title", "link"), "th a") | {"id": {"attribute": "data-no"}}
    board = Source.model_validate({**ENTRY, "rows": "tr", "fields": fields, "pinned": PINNED})
    row = '<tr data-no="1"><th><a href="view?no=1">글</a></th>'
    html = f"<table>{row}{''.join(cells)}</table>"
    (item,) = read_page(board, html, BOARD.url, date(2026, 3, 2)).items
    assert item.is_pinned is pinned
