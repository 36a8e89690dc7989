"""The answer key: the changes that a correct product must notice, store and push.

It reads the model's pages, not the product, and shares no code with it. A department is observed
once a tick, and only when its page is healthy; later changes are seen at the next healthy tick.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from uring_local.sites.campus.model import Page
from uring_local.sites.campus.watched import TICKS_A_DAY, JournalEntry, Watched, each_tick


@dataclass(frozen=True)
class Expected:
    """The expected state of a department.

    Args:
        archive_lines: one for each revision, the baseline included.
        pushes: (notice id, revision) of every push, in order of observation, and within one
            observation in page order.
        hot: items as readers see them: id, title, date, category, is_pinned, revision.
    """

    archive_lines: int
    pushes: list[tuple[str, int]]
    hot: list[dict[str, Any]]


class Judge:
    """The judge of the departments, from one healthy page to the next.

    Args:
        ticks_a_day: of the site.
        interval: returns the ticks between two checks of a department at a tick.
    """

    def __init__(
        self,
        departments: Iterable[str],
        ticks_a_day: int = TICKS_A_DAY,
        interval: Callable[[int], int] = each_tick,
    ) -> None:
        self.journal: list[JournalEntry] = []
        self.watched = {
            each: Watched(ticks_a_day=ticks_a_day, interval=interval) for each in departments
        }

    def copy(self) -> Self:
        """Return an independent copy of this judge."""
        other = type(self)(())
        other.journal = self.journal.copy()
        other.watched = {department: known.copy() for department, known in self.watched.items()}
        return other

    def observe(self, tick: int, pages: Mapping[str, Page]) -> None:
        """Take in the pages of the departments that are healthy on a tick."""
        for department, page in pages.items():
            self.journal += self.watched[department].observe(tick, department, page)

    def reread(self, department: str) -> None:
        """Expect that from now on another entry reads the department."""
        self.watched[department].reread = True

    def move(self, department: str) -> None:
        """Expect that from now on the department is another list, whose ids are counted again."""
        self.watched[department].reread = self.watched[department].moved = True

    def renumber(self, department: str, ids: Mapping[str, str]) -> None:
        """Expect that notices have other ids from now on: new ids by the old ones."""
        self.watched[department].renamed |= {new: old for old, new in ids.items()}

    def expected(self) -> dict[str, Expected]:
        """Return the expected state of each department by now."""
        entries: dict[str, list[JournalEntry]] = {department: [] for department in self.watched}
        for entry in self.journal:
            entries[entry.department].append(entry)
        return {
            department: Expected(
                archive_lines=len(entries[department]),
                pushes=[(e.notice_id, e.revision) for e in entries[department] if e.pushed],
                hot=known.items(),
            )
            for department, known in self.watched.items()
        }
