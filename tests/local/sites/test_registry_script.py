"""The script of the registries: repeatable, and within a month everything happens."""

from collections import Counter
from typing import Any

import pytest

from uring_local.sites.registry.journal import Journal, Known, run_record
from uring_local.sites.registry.model import BYEOLHA, MULGYEOL, REGISTRIES, Page, Registry, Row
from uring_local.sites.registry.script import Script
from uring_local.sites.registry.stories import MONTH, STORIES

SEEDS = (1, 2, 3)


def played(seed: int, registry: Registry, days: int = MONTH) -> tuple[Script, Journal]:
    script = Script(seed, registry)
    journal = Journal(registry, script.files)
    for day in range(1, days + 1):
        journal.observe(day, script.page(day))
    return script, journal


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.id)
def test_a_seed_gives_the_same_registry_again(seed: int, registry: Registry) -> None:
    at_once, stepwise = Script(seed, registry), Script(seed, registry)
    last = at_once.page(MONTH)
    pages = [stepwise.page(day) for day in range(1, MONTH + 1)]
    assert pages[-1] == last
    assert pages == [at_once.page(day) for day in range(1, MONTH + 1)]
    assert (stepwise.files, stepwise.notes) == (at_once.files, at_once.notes)
    assert Script(seed + 100, registry).page(MONTH) != last


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.id)
def test_every_story_trouble_and_trap_happens_within_a_month(seed: int, registry: Registry) -> None:
    script, _ = played(seed, registry)
    seen = Counter(note.story for note in script.notes)
    steps = Counter(
        {name: times * len(STORIES[name].steps) for name, times in registry.stories.items()}
    )
    assert all(seen[name] == times for name, times in steps.items())
    assert {*registry.troubles, *registry.traps} <= seen.keys()


def test_between_them_the_registries_know_every_story() -> None:
    assert {name for registry in REGISTRIES for name in registry.stories} == STORIES.keys()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_reader_meets_every_kind_of_event_and_outcome(seed: int) -> None:
    _, journal = played(seed, BYEOLHA)
    expected = journal
    assert {push.kind for push in expected.pushes} == {
        "new",
        "edited",
        "renamed",
        "deleted",
        "returned",
        "text_changed",
    }
    assert {run["status"] for run in expected.runs.values()} == {"success", "partial", "failed"}
    silent = [day for day, run in expected.runs.items() if run["status"] == "failed"]
    assert len(silent) == len(BYEOLHA.troubles)
    assert sorted(letter.reason for letter in expected.dead_letters.values()) == [
        "encrypted",
        "encrypted",  # that of the regulation that was renamed since
        "no_text",
        "not_found",
        "too_big",
        "wrong_format",
    ]
    # Of two error pages one was replaced by a file.
    assert "error_page" not in {due.file.fate for due in expected.texts.values()}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_missing_file_whose_preview_is_its_text_costs_nothing(seed: int) -> None:
    script, journal = played(seed, MULGYEOL)
    missing = {number for number, file in script.files.items() if file.fate == "missing"}
    assert missing
    assert missing <= journal.texts.keys()
    assert journal.dead_letters == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_page_that_is_relinked_is_no_event(seed: int) -> None:
    script, journal = played(seed, BYEOLHA)
    (day,) = (note.day for note in script.notes if note.operation == "relink_page")
    before, after = script.page(day - 1), script.page(day)
    both = {row.title: row for row in before.rows if row.file_no.isdigit()}
    moved = [row for row in after.rows if row.title in both and row.key != both[row.title].key]
    assert len(moved) > len(journal.active) // 2
    told = {push.title for push in journal.pushes if push.day == day}
    assert len(told) < len(moved) // 4


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.id)
def test_a_script_goes_on_for_months(registry: Registry) -> None:
    script, journal = played(5, registry, 4 * MONTH)
    assert (
        Counter(note.story for note in script.notes)["revised"] == 4 * registry.stories["revised"]
    )
    assert len(journal.active) > registry.size // 2


@pytest.mark.parametrize("seed", SEEDS)
def test_titles_differ_by_more_than_spaces(seed: int) -> None:
    """But for a title that stands there twice, and one that is renamed by a space."""
    script, _ = played(seed, BYEOLHA)
    for day in range(1, MONTH + 1):
        rows = [row for row in script.page(day).rows if row.title and not row.is_comment]
        titles = {row.title for row in rows}
        assert len({"".join(title.split()) for title in titles}) == len(titles)


# The journal, on pages by hand.


def rows(*names: str) -> tuple[Row, ...]:
    """Rows of ``title:fileNo``."""
    return tuple(
        Row(title, number, 0, "610") for title, _, number in (name.partition(":") for name in names)
    )


FIVE = ("가 규정:1", "나 규정:2", "다 규정:3", "라 규정:4", "마 규정:5")


class Reading:
    """A journal that gets pages by hand; every file says the same."""

    def __init__(self) -> None:
        script = Script(1, BYEOLHA)
        script.page(1)
        sound = next(file for file in script.files.values() if file.fate == "sound")
        self._journal = Journal(BYEOLHA, {str(number): sound for number in range(100)})
        self._day = 0
        self.see(*FIVE)

    def see(self, *names: str, page: Page | None = None) -> list[tuple[str, str]]:
        """The kinds and titles of the events of a day."""
        self._day += 1
        self._journal.observe(self._day, page or Page(rows(*names)))
        return sorted(
            (push.kind, push.title) for push in self._journal.pushes if push.day == self._day
        )

    @property
    def run(self) -> dict[str, Any]:
        return self._journal.runs[self._day]

    @property
    def known(self) -> dict[str, Known]:
        return self._journal.known


def test_the_first_list_is_silent() -> None:
    reading = Reading()
    assert reading.run == run_record("success", totalProcessed=5, added=5)
    assert reading.see(*FIVE) == []
    assert reading.run == run_record("success", totalProcessed=5)


def test_a_title_is_gone_after_two_complete_runs_and_returns() -> None:
    reading = Reading()
    assert reading.see(*FIVE[1:]) == []
    assert reading.see(*FIVE[1:]) == [("deleted", "가 규정")]
    assert reading.run["deleted"] == 1
    assert not reading.known["가 규정"].is_active
    assert reading.see(*FIVE) == [("returned", "가 규정")]


def test_a_run_without_a_list_or_with_a_row_without_title_proves_no_absence() -> None:
    reading = Reading()
    reading.see(*FIVE[1:])
    assert reading.see(page=Page((), "http_503")) == []
    assert reading.run == run_record("failed", errorCount=1)
    assert reading.see(*FIVE[1:], ":12") == []
    assert reading.run == run_record("partial", totalProcessed=4, errorCount=1)
    assert reading.see(*FIVE[1:], "바 규정:12a4") == [("deleted", "가 규정")]
    assert reading.run == run_record("partial", totalProcessed=4, deleted=1, errorCount=1)


def test_a_title_that_is_away_for_a_day_is_no_event() -> None:
    reading = Reading()
    assert reading.see(*FIVE[1:]) == []
    assert reading.see(*FIVE) == []
    assert reading.see(*FIVE[1:]) == []


def test_more_than_a_fifth_gone_is_not_believed() -> None:
    reading = Reading()
    assert reading.see(*FIVE[2:]) == []
    assert reading.run["status"] == "failed"
    assert reading.see(*FIVE[2:]) == []


@pytest.mark.parametrize(
    ("name", "kind", "title"),
    [
        ("가 규정:9", "edited", "가 규정"),
        ("새 규정:1", "renamed", "새 규정"),
        ("가규정:1", "renamed", "가규정"),
    ],
)
def test_a_row_goes_on_under_its_title_or_its_file(name: str, kind: str, title: str) -> None:
    reading = Reading()
    assert reading.see(name, *FIVE[1:]) == [(kind, title)]
    assert reading.see(name, *FIVE[1:]) == []


def test_another_title_with_another_file_is_another_regulation() -> None:
    reading = Reading()
    assert reading.see("새 규정:9", *FIVE[1:]) == [("new", "새 규정")]
    assert reading.see("새 규정:9", *FIVE[1:]) == [("deleted", "가 규정")]


def test_a_row_that_stands_there_twice_is_one() -> None:
    reading = Reading()
    assert reading.see(*FIVE, "가 규정:1") == []
    assert reading.run == run_record("success", totalProcessed=5)


def test_rows_that_are_not_to_be_believed_are_counted() -> None:
    reading = Reading()
    comment = Row("옛 규정", "90", 0, "610", is_comment=True)
    page = Page((*rows(*FIVE, ":91", "바 규정:a2", "가 규정:99"), comment))
    assert reading.see(page=page) == []
    assert reading.run == run_record("partial", totalProcessed=5, errorCount=3)


def test_another_link_to_the_same_file_is_recorded_in_silence() -> None:
    reading = Reading()
    moved = Page(tuple(Row(row.title, row.file_no, 0, "611") for row in rows(*FIVE)))
    assert reading.see(page=moved) == []
    assert {known.row.key for known in reading.known.values()} == {"611"}
