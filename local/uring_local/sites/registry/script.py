"""The seeded script: the page and the files of a registry, day by day.

Days are played in order and kept, so that a replay gives the same registry.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType

from uring_local.sites.registry.model import File, Note, Page, Registry, Row
from uring_local.sites.registry.shelf import Shelf
from uring_local.sites.registry.stories import MONTH, Dealt, deal


class Script:
    """The days of a registry.

    Attributes:
        files: every file up to the last played day, by number.
    """

    def __init__(self, seed: int, registry: Registry) -> None:
        self._name = f"{seed}/{registry.id}"
        self._registry = registry
        self._shelf = Shelf(registry, registry.key)
        # The titles of this month's stories, by the number of the story.
        self._subjects: dict[int, str] = {}
        self._month = deal(Random(f"{self._name}/month 0"), registry)
        self._pages: list[Page] = []
        self._notes: list[Note] = []
        self.files: Mapping[str, File] = MappingProxyType(self._shelf.files)

    def page(self, day: int) -> Page:
        """Return the list of a day, from 1; play the days up to it first."""
        while len(self._pages) < day:
            self._pages.append(self._play(len(self._pages) + 1))
        return self._pages[day - 1]

    @property
    def notes(self) -> Sequence[Note]:
        """The steps up to the last played day, in order."""
        return self._notes

    def _play(self, day: int) -> Page:
        random = Random(f"{self._name}/{day}")
        month, of_month = divmod(day - 1, MONTH)
        if day == 1:
            self._shelf.fill(random)
        elif of_month == 0:
            self._month = deal(Random(f"{self._name}/month {month}"), self._registry)
            self._subjects = {}
        for dealt in self._month.steps.get(of_month + 1, ()):
            self._take(dealt, random, day)
        page = self._shelf.page()
        for trap in self._month.traps.get(of_month + 1, ()):
            page = _trapped(page, trap, self._pages)
            self._notes.append(Note(day, trap, "trap"))
        trouble = self._month.troubles.get(of_month + 1, "")
        if trouble:
            self._notes.append(Note(day, trouble, "trouble"))
        return replace(page, trouble=trouble)

    def _take(self, dealt: Dealt, random: Random, day: int) -> None:
        number, step = dealt.number, dealt.step
        title = "" if step.operation == "publish" else self._subject(number, random)
        title = self._shelf.take(step, title, random, day)
        self._subjects[number] = title
        self._notes.append(Note(day, dealt.story, step.operation, title))

    def _subject(self, number: int, random: Random) -> str:
        """Return a story's title; a new story takes a random title without a story this month."""
        known = self._subjects.get(number)
        claimed = {*self._subjects.values(), *self._shelf.twins.values()}
        return known or random.choice([title for title in self._shelf.rows if title not in claimed])


def _trapped(page: Page, trap: str, earlier: Sequence[Page]) -> Page:
    """Return a page with one more row, by the trap: an unbelievable row or a repeated one."""
    first, last = page.rows[0], [row for row in page.rows if not row.is_comment][-1]
    if trap == "changed_places":
        return _with_places_changed(page, earlier)
    rows = {
        "letters": Row("게시 준비 중인 규정", "12a4", last.chapter, last.key),
        "no_title": Row("", "99999", last.chapter, last.key),
        "twice": replace(first, file_no="99998", chapter=last.chapter),
        "repeated": replace(first, chapter=last.chapter),
    }
    at = page.rows.index(last) + 1
    return replace(page, rows=(*page.rows[:at], rows[trap], *page.rows[at:]))


def _with_places_changed(page: Page, earlier: Sequence[Page]) -> Page:
    """Return a page with another row before a row of the same title, which it had every day."""
    names = [{(row.title, row.file_no) for row in day.rows} for day in earlier]
    for at, row in enumerate(page.rows[1:], start=1):
        if not row.is_comment and all((row.title, row.file_no) in name for name in names):
            twin = replace(row, file_no="99997")
            return replace(page, rows=(*page.rows[:at], twin, *page.rows[at:]))
    return page
