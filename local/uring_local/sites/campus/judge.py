"""The answer key: the changes that a correct product must notice, store and push.

It reads the model's pages, not the product, and shares no code with it. A department is observed
once a tick, and only when its page is healthy; later changes are seen at the next healthy tick.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, Self

from uring_local.sites.campus.model import Page

HOT_ITEMS: Final = 30

Kind = Literal["baseline", "new", "edited", "pinned", "unpinned"]


@dataclass(frozen=True)
class JournalEntry:
    """A revision of a notice, as observed on a tick.

    ``date`` is ``YYYY-MM-DD``; ``category`` is None where the board shows none.
    """

    tick: int
    department: str
    notice_id: str
    kind: Kind
    revision: int
    title: str
    date: str
    category: str | None
    is_pinned: bool
    pushed: bool


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


class Content(NamedTuple):
    """The fields of a notice that readers see."""

    title: str
    date: str
    category: str | None
    is_pinned: bool


class Manner(NamedTuple):
    """The style of all rows: the common part of their links, and the shift of dates in days."""

    links: str
    shift: int


@dataclass
class Watched:
    """A department after its last healthy tick.

    After a redesign every notice has another address. So the next healthy page is recorded without
    pushes (``reread``), and so is a known notice that comes back later (``misread``). If the ids
    were counted again too (``moved``), the whole page is recorded without pushes, and known ids
    that it does not show are ``foreign``: later they belong to other notices. A notice that moves
    up from ``behind`` the page is recorded without a push too, and shown last.
    """

    revisions: dict[str, tuple[int, Content, Manner]] = field(default_factory=dict)
    hot: list[str] = field(default_factory=list)
    reread: bool = False
    moved: bool = False
    misread: set[str] = field(default_factory=set)
    foreign: set[str] = field(default_factory=set)
    behind: frozenset[str] = frozenset()
    seen_at: dict[str, int] = field(default_factory=dict)
    manner: Manner | None = None
    rewritten_at: int = 0


def visible(page: Page) -> dict[str, Content]:
    """Return the notices on a page in order, one for each id; pinned if any of its rows is.

    Hidden rows are left out.
    """
    items: dict[str, Content] = {}
    for notice, is_pinned in page.rows():
        if notice.id in page.hidden:
            continue
        first = items.get(notice.id)
        items[notice.id] = Content(
            notice.title,
            notice.date.isoformat(),
            notice.category or None,
            is_pinned or (first is not None and first.is_pinned),
        )
    return items


class Judge:
    """The judge of the departments, from one healthy page to the next."""

    def __init__(self, departments: Iterable[str]) -> None:
        self.journal: list[JournalEntry] = []
        self.watched = {department: Watched() for department in departments}

    def copy(self) -> Self:
        """Return an independent copy of this judge."""
        other = type(self)(())
        other.journal = self.journal.copy()
        other.watched = {
            department: replace(
                known,
                revisions=known.revisions.copy(),
                hot=known.hot.copy(),
                misread=known.misread.copy(),
                foreign=known.foreign.copy(),
                seen_at=known.seen_at.copy(),
            )
            for department, known in self.watched.items()
        }
        return other

    def observe(self, tick: int, pages: Mapping[str, Page]) -> None:
        """Take in the pages of the departments that are healthy on a tick."""
        for department, page in pages.items():
            self.journal += _observe(self.watched[department], tick, department, page)

    def reread(self, department: str) -> None:
        """Expect that from now on another entry reads the department."""
        self.watched[department].reread = True

    def move(self, department: str) -> None:
        """Expect that from now on the department is another list, whose ids are counted again."""
        self.watched[department].reread = self.watched[department].moved = True

    def expected(self) -> dict[str, Expected]:
        """Return the expected state of each department by now."""
        entries: dict[str, list[JournalEntry]] = {department: [] for department in self.watched}
        for entry in self.journal:
            entries[entry.department].append(entry)
        return {
            department: Expected(
                archive_lines=len(entries[department]),
                pushes=[(e.notice_id, e.revision) for e in entries[department] if e.pushed],
                hot=[_item(known, notice_id) for notice_id in known.hot],
            )
            for department, known in self.watched.items()
        }


def _observe(known: Watched, tick: int, department: str, page: Page) -> list[JournalEntry]:
    first_time = not known.revisions or known.moved
    entries, moved_up = [], []
    shown, manner = visible(page), Manner(page.links, page.look.shift)
    if known.reread:
        known.misread = set() if known.moved else set(known.revisions)
        known.foreign |= set(known.revisions) if known.moved else set()
    if manner != known.manner:
        known.manner, known.rewritten_at = manner, tick
    for notice_id, now in shown.items():
        # For other notices only a digest is stored, which may differ for any reason.
        is_told = notice_id in known.hot or known.seen_at.get(notice_id, 0) >= known.rewritten_at
        known.seen_at[notice_id] = tick
        revision, before, as_before = known.revisions.get(notice_id, (0, None, manner))
        if notice_id in known.foreign:
            before = None
        misread = notice_id in known.misread
        known.misread.discard(notice_id)
        known.foreign.discard(notice_id)
        if (before, as_before) == (now, manner):
            continue
        is_old = before is None and notice_id in known.behind
        moved_up += [notice_id] if is_old and not known.reread else []
        kind: Kind = "baseline" if first_time or is_old else _kind(before, now, manner != as_before)
        if misread and kind != "new":
            kind = "baseline"
        known.revisions[notice_id] = (revision + 1, now, manner)
        entries.append(
            JournalEntry(
                tick=tick,
                department=department,
                notice_id=notice_id,
                kind=kind,
                revision=revision + 1,
                **now._asdict(),
                pushed=kind == "new"
                or (
                    kind == "edited"
                    and is_told
                    and (manner == as_before or _says_more(before, now, as_before, manner))
                ),
            )
        )
    known.reread = known.moved = False
    known.behind = page.behind
    changed = [entry.notice_id for entry in entries if entry.notice_id not in moved_up]
    others = [old for old in known.hot if old not in (*changed, *moved_up)]
    moved_up.sort(key=lambda key: (shown[key].date, key), reverse=True)
    known.hot = [*changed, *others, *moved_up][:HOT_ITEMS]
    return entries


def _kind(before: Content | None, now: Content, is_written_otherwise: bool) -> Kind:  # noqa: FBT001
    if before is None:
        return "new"
    if before[:3] != now[:3] or is_written_otherwise:
        return "edited"
    return "pinned" if now.is_pinned else "unpinned"


def _says_more(before: Content | None, now: Content, old: Manner, new: Manner) -> bool:
    """Return whether a notice differs by more than its board's new style.

    If all dates have shifted, an edited date cannot be recognised and does not count.
    """
    if before is None:
        return True
    same_date = old.shift != new.shift or before.date == now.date
    return not (same_date and (before.title, before.category) == (now.title, now.category))


def _item(known: Watched, notice_id: str) -> dict[str, Any]:
    revision, content, _ = known.revisions[notice_id]
    return {"id": notice_id, **content._asdict(), "revision": revision}
