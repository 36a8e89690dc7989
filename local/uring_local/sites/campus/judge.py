"""The answer key: the changes that a correct product must notice, store and push.

It reads the model's pages, not the product, and shares no code with it. A department is observed
once a tick, and only when its page is healthy; later changes are seen at the next healthy tick.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, Self

from uring_local.sites.campus.model import Page

HOT_ITEMS: Final = 30
_TICKS_A_DAY: Final = 144
_LEARNED: Final = 2
_SOON: Final = 6
_OFTEN: Final = 2
_CONTENTS: Final = 4
_PASTS: Final = 60

Kind = Literal["baseline", "new", "edited", "pinned", "unpinned", "renamed"]


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


Written = tuple[str, str, str | None]


class Past(NamedTuple):
    """The contents that a notice had before: title, date, category; the latest first.

    ``returns`` counts the edits back to one of them that came soon after the edit before.
    """

    contents: tuple[Written, ...] = ()
    returns: int = 0
    tick: int = 0


class Manner(NamedTuple):
    """The style of all rows.

    Attributes:
        links: their common part.
        shift: of dates, in days.
        prefix: of titles.
        counted: how often titles with a number that grows were recorded: that of the third check
            is not compared any more.
        rotated: how often links with another token were recorded, likewise.
    """

    links: str
    shift: int
    prefix: str = ""
    counted: int = 0
    rotated: int = 0


@dataclass
class Watched:
    """A department after its last healthy tick.

    After a redesign every notice has another address. So the next healthy page is recorded without
    pushes (``reread``), and so is a known notice that comes back later (``misread``). If the ids
    were counted again too (``moved``), the whole page is recorded without pushes, and known ids
    that it does not show are ``foreign``: later they belong to other notices. A notice that moves
    up from ``behind`` the page is recorded without a push too, and shown last. A notice that
    returns to one of its ``pasts`` is recorded without a push, and at most once a day where it goes
    to and fro. ``renamed`` are the old ids of the notices of the next page, by new ones: that is
    recorded without a push. ``listed`` are the notices on the last page that differed.
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
    pasts: dict[str, Past] = field(default_factory=dict)
    listed: frozenset[str] = frozenset()
    renamed: dict[str, str] = field(default_factory=dict)


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
                pasts=known.pasts.copy(),
                renamed=known.renamed.copy(),
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
                hot=[_item(known, notice_id) for notice_id in known.hot],
            )
            for department, known in self.watched.items()
        }


def _observe(known: Watched, tick: int, department: str, page: Page) -> list[JournalEntry]:
    first_time = not known.revisions or known.moved
    entries, moved_up = [], []
    shown, manner = visible(page), _manner(known, page)
    settled = manner if known.manner is None else known.manner
    if known.reread:
        known.misread = set() if known.moved else set(known.revisions)
        known.foreign |= set(known.revisions) if known.moved else set()
        known.pasts = {}
    if manner != known.manner:
        known.manner, known.rewritten_at = manner, tick
    left = []
    for notice_id, content in shown.items():
        # For other notices only a digest is stored, which may differ for any reason.
        is_told = notice_id in known.hot or known.seen_at.get(notice_id, 0) >= known.rewritten_at
        known.seen_at[notice_id] = tick
        old_id = known.renamed.pop(notice_id, None)
        revision, before, as_before = known.revisions.get(old_id or notice_id, (0, None, manner))
        if notice_id in known.foreign:
            before = None
        as_written = as_before
        as_before = _as_compared(as_before, manner, settled, page, is_hot=notice_id in known.hot)
        misread = notice_id in known.misread
        now, manner_now = _as_recorded(known, notice_id, content, manner, tick)
        known.misread.discard(notice_id)
        known.foreign.discard(notice_id)
        if (before, as_before) == (now, manner_now) and old_id is None:
            continue
        is_old = before is None and notice_id in known.behind
        moved_up += [notice_id] if is_old and not known.reread else []
        is_written_otherwise = manner_now != as_before
        kind: Kind = (
            "baseline" if first_time or is_old else _kind(before, now, is_written_otherwise)
        )
        if misread and kind != "new":
            kind = "baseline"
        if old_id is not None and before is not None:
            kind = "renamed"
            left.append(old_id)
        known.revisions[notice_id] = (revision + 1, now, manner_now)
        had_before = (
            kind == "edited"
            and before is not None
            and _remember(known, notice_id, (before, as_before), (now, manner_now), tick)
        )
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
                    and not had_before
                    and (manner == as_written or _says_more(before, now, as_written, manner))
                ),
            )
        )
    if entries or known.reread or first_time:
        known.listed = frozenset(shown)
    known.reread = known.moved = False
    known.renamed = {}
    known.behind = page.behind
    changed = [entry.notice_id for entry in entries if entry.notice_id not in moved_up]
    others = [old for old in known.hot if old not in (*changed, *moved_up, *left)]
    moved_up.sort(key=lambda key: (shown[key].date, key), reverse=True)
    known.hot = [*changed, *others, *moved_up][:HOT_ITEMS]
    return entries


def _manner(known: Watched, page: Page) -> Manner:
    """Return the style of a page as it is recorded: what counts or rotates is learned."""
    before = Manner("", 0) if known.manner is None or known.reread else known.manner
    rotates = page.is_rotating and page.shows_parameters
    return Manner(
        page.links,
        page.look.shift,
        page.look.prefix,
        min(before.counted + page.is_counting, _LEARNED),
        min(before.rotated + rotates, _LEARNED),
    )


def _as_compared(
    as_before: Manner, manner: Manner, settled: Manner, page: Page, *, is_hot: bool
) -> Manner:
    """Return a notice's style without what is not compared any more, or shows no difference."""
    if (settled.counted == _LEARNED and is_hot) or not (as_before.counted or page.is_counting):
        as_before = as_before._replace(counted=manner.counted)
    if (settled.rotated == _LEARNED and is_hot) or not (as_before.rotated or page.is_rotating):
        as_before = as_before._replace(rotated=manner.rotated)
    return as_before


def _as_recorded(
    known: Watched, notice_id: str, now: Content, manner: Manner, tick: int
) -> tuple[Content, Manner]:
    """Return a notice as it is recorded: one that goes to and fro keeps its content for a day."""
    _, before, as_before = known.revisions.get(notice_id, (0, None, manner))
    if before is None or notice_id in known.misread or notice_id in known.foreign:
        return now, manner
    if not _has_returned_often(known, notice_id, _written(now, manner, as_before), tick):
        return now, manner
    return Content(*before[:3], now.is_pinned), as_before


def _has_returned_often(known: Watched, notice_id: str, now: Written, tick: int) -> bool:
    past = known.pasts.get(notice_id)
    _, before, as_before = known.revisions[notice_id]
    return (
        past is not None
        and past.returns >= _OFTEN
        and now in past.contents
        and now != _written(before, as_before)
        and tick - past.tick < _TICKS_A_DAY
    )


def _written(content: Content, manner: Manner, before: Manner | None = None) -> Written:
    """Return title, date and category as a page shows them, without a count that is learned."""
    count = manner.counted
    is_recorded = count == 1 or (before is not None and before.counted != count)
    title = f"{manner.prefix}{content.title}{f' #{count}' if count and is_recorded else ''}"
    return title, content.date, content.category


def _remember(
    known: Watched,
    notice_id: str,
    before: tuple[Content, Manner],
    now: tuple[Content, Manner],
    tick: int,
) -> bool:
    """Remember the content that an edit replaced; return whether the new one was there before."""
    past = known.pasts.get(notice_id, Past())
    old, new = _written(*before), _written(*now, before[1])
    if old == new:
        return False
    returned = new in past.contents
    if notice_id in known.hot or notice_id in known.listed:
        known.pasts.pop(notice_id, None)
        contents = tuple(dict.fromkeys((old, *past.contents)))[:_CONTENTS]
        is_soon = tick - past.tick <= _SOON
        returns = past.returns + is_soon if returned else 0
        known.pasts[notice_id] = Past(contents, returns, tick)
        known.pasts = dict([*known.pasts.items()][-_PASTS:])
    return returned


def _kind(before: Content | None, now: Content, is_written_otherwise: bool) -> Kind:  # noqa: FBT001
    if before is None:
        return "new"
    if before[:3] != now[:3] or is_written_otherwise:
        return "edited"
    return "pinned" if now.is_pinned else "unpinned"


def _says_more(before: Content | None, now: Content, old: Manner, new: Manner) -> bool:
    """Return whether a notice differs by more than its board's new style.

    If all dates have shifted, an edited date cannot be recognised and does not count; the same
    holds for titles with another prefix or count.
    """
    if before is None:
        return True
    same_date = old.shift != new.shift or before.date == now.date
    same_title = (old.prefix, old.counted) != (new.prefix, new.counted) or before.title == now.title
    return not (same_date and same_title and before.category == now.category)


def _item(known: Watched, notice_id: str) -> dict[str, Any]:
    revision, content, manner = known.revisions[notice_id]
    item = {"id": notice_id, **content._asdict(), "revision": revision}
    return {**item, "title": f"{manner.prefix}{content.title}"}
