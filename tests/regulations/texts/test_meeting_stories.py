"""Stories that meet: names that move while files are read, retried, or dead letters."""

import json
from typing import Any

import pytest
from fakes.registry import Rule
from fakes.worlds import RegulationWorld

from uring.contracts import Job

FIRST = "제1조(목적) 이 학칙은 교육을 정한다.\n\n제2조(학과) 학과는 셋이다."
SECOND = FIRST.replace("셋", "넷")
THIRD = FIRST.replace("셋", "다섯")
OTHERS = tuple(Rule(f"{name} 규정", f"{number}") for number, name in enumerate("가나다라마", 700))


@pytest.fixture
def world() -> RegulationWorld:
    world = RegulationWorld()
    world.site.files |= {"868": FIRST, "900": SECOND, "901": THIRD}
    return world


def head(world: RegulationWorld, file_no: str) -> dict[str, Any]:
    text = world.bucket.body(f"data/rules/texts/{file_no}.md").decode()
    lines = text.split("---\n")[1].splitlines()
    return {name: json.loads(value) for name, value in (line.split(": ", 1) for line in lines)}


def differences(world: RegulationWorld) -> list[str]:
    """The file numbers of each pushed difference, as in ``868-900``."""
    pushes = world.texts.messages()
    return [str(push.content["difference"]).split("/")[-1].split(".")[0] for push in pushes]


def test_a_renamed_regulation_reads_the_file_of_its_dead_letter_again(
    world: RegulationWorld,
) -> None:
    world.day(Rule("학칙", "868"), *OTHERS)
    world.site.files["900"] = "!wrong_format"
    world.day(Rule("학칙", "900"), *OTHERS)
    assert world.keys("dead-letter:") == ["dead-letter:학칙"]
    world.site.files["900"] = SECOND
    world.day(Rule("새 학칙", "900"), *OTHERS)
    assert world.keys("dead-letter:") == []
    assert differences(world) == ["868-900"]
    assert head(world, "900")["title"] == "새 학칙"


def test_a_dead_letter_moves_to_the_new_title_if_its_file_stays_unreadable(
    world: RegulationWorld,
) -> None:
    world.site.files["900"] = "!encrypted"
    world.day(Rule("학칙", "900"), *OTHERS)
    world.day(Rule("새 학칙", "900"), *OTHERS)
    assert world.keys("dead-letter:") == ["dead-letter:새 학칙"]
    assert world.keys("queue:") == []


def test_a_try_of_a_former_title_ends_in_silence(world: RegulationWorld) -> None:
    """The rename's own job reads the file; its tries begin again."""
    world.site.files["868"] = "!wrong_format"
    world.site.show(Rule("학칙", "868"), *OTHERS)
    world.check()
    world.texts.poll()
    world.site.show(Rule("새 학칙", "868"), *OTHERS)
    world.clock.advance(days=1)
    world.check()
    waiting = world.table.waiting("rules", "새 학칙")
    assert waiting is not None
    assert waiting.retry_count == 0
    world.site.files["868"] = FIRST
    world.read()
    assert (world.keys("queue:"), world.keys("dead-letter:")) == ([], [])
    assert head(world, "868")["title"] == "새 학칙"
    assert world.texts.messages() == []


def test_a_rename_while_the_file_is_read_leaves_the_text_under_the_new_title(
    world: RegulationWorld,
) -> None:
    world.day(Rule("학칙", "868"), *OTHERS)
    world.site.show(Rule("학칙", "900"), *OTHERS)
    world.check()
    fetch = world.site.fetch

    def renamed_meanwhile(request: Any) -> Any:
        if "fileNo=900" in request.url:
            world.site.fetch = fetch  # type: ignore[method-assign]
            world.site.show(Rule("새 학칙", "900"), *OTHERS)
            world.clock.advance(minutes=1)
            world.check()
        return fetch(request)

    world.site.fetch = renamed_meanwhile  # type: ignore[method-assign]
    world.read()
    assert (world.keys("queue:"), world.keys("dead-letter:")) == ([], [])
    assert differences(world) == ["868-900"]
    assert head(world, "900")["title"] == "새 학칙"


def test_two_regulations_that_change_names_differ_from_their_own_last_text(
    world: RegulationWorld,
) -> None:
    world.day(Rule("학칙", "868"), Rule("직제", "900"), *OTHERS)
    # The second one was read more often.
    world.day(Rule("학칙", "868"), Rule("직 제", "900"), *OTHERS)
    world.day(Rule("학칙", "868"), Rule("직제", "900"), *OTHERS)
    world.day(Rule("학칙", "900"), Rule("직제", "868"), *OTHERS)
    assert sorted(differences(world)) == ["868-900", "900-868"]
    assert (head(world, "900")["title"], head(world, "868")["title"]) == ("학칙", "직제")


def test_two_regulations_that_change_names_while_a_file_is_replaced(
    world: RegulationWorld,
) -> None:
    world.day(Rule("학칙", "868"), Rule("직제", "900"), *OTHERS)
    world.day(Rule("학칙", "901"), Rule("직제", "868"), *OTHERS)
    assert sorted(differences(world)) == ["868-901", "900-868"]
    assert [kind for kind, _ in world.pushes()].count("edited") == 2


def test_a_regulation_that_returns_under_another_title_is_new(world: RegulationWorld) -> None:
    world.day(Rule("학칙", "868"), *OTHERS)
    for title in ("학 칙", "학칙"):
        world.day(Rule(title, "868"), *OTHERS)
    for _ in range(2):
        world.day(*OTHERS)
    world.day(Rule("새 학칙", "868"), *OTHERS)
    assert world.pushes()[-2:] == [("deleted", "학칙"), ("new", "새 학칙")]
    assert world.texts.messages() == []
    entry = world.table.entry("rules", "학칙")
    assert entry is not None
    assert entry.status == "archived"
    assert head(world, "868")["title"] == "새 학칙"


def test_a_regulation_that_is_away_for_a_day_may_come_back_renamed(
    world: RegulationWorld,
) -> None:
    world.day(Rule("학칙", "868"), *OTHERS)
    world.day(*OTHERS)
    world.day(Rule("새 학칙", "868"), *OTHERS)
    assert world.pushes() == [("renamed", "새 학칙")]


def test_a_dead_letter_goes_with_its_regulation_and_a_return_reads_the_file(
    world: RegulationWorld,
) -> None:
    world.day(Rule("학칙", "868"), *OTHERS)
    world.site.files["900"] = "!encrypted"
    world.day(Rule("학칙", "900"), *OTHERS)
    world.day(*OTHERS)
    assert world.keys("dead-letter:") == ["dead-letter:학칙"]
    world.day(*OTHERS)
    assert world.keys("dead-letter:") == []
    world.site.files["900"] = SECOND
    world.day(Rule("학칙", "900"), *OTHERS)
    assert world.pushes()[-2:] == [("returned", "학칙"), ("text_changed", "학칙")]
    assert differences(world) == ["868-900"]


def test_a_try_that_waits_ends_with_its_regulation(world: RegulationWorld) -> None:
    world.day(Rule("학칙", "868"), *OTHERS)
    world.day(*OTHERS)
    world.site.files["900"] = "!wrong_format"
    world.site.show(Rule("학칙", "900"), *OTHERS)
    world.check()
    world.texts.poll()
    world.clock.advance(days=1)
    (waiting,) = world.texts.work.messages
    for _ in range(2):
        world.site.show(*OTHERS)
        world.check()
        world.clock.advance(days=1)
    world.site.files["900"] = SECOND
    world.texts.checker.check(Job.parse(waiting.body))
    assert world.texts.messages() == []
    assert (world.keys("queue:"), world.keys("dead-letter:")) == ([], [])
