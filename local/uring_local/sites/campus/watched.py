"""A department as the judge knows it, from one healthy page to the next."""

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, Self

from uring_local.sites.campus.model import Page

HOT_ITEMS: Final = 30
_LEARNED: Final = 3
TICKS_A_DAY: Final = 144
# Checks, and an hour.
_SOON: Final = 6
_HOURS_A_DAY: Final = 24
_OFTEN: Final = 2
_CONTENTS: Final = 4
_NAMED: Final = 10
_PASTS: Final = 120
_COUNT: Final = re.compile(r" \[\d+\]\Z")

Kind = Literal["baseline", "new", "edited", "pinned", "unpinned", "renamed", "retracted"]
Text = tuple[str, str, str | None]


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


class Written(NamedTuple):
    """A notice as its page writes it; ``link`` stands for the common part of all links."""

    title: str
    date: str
    category: str | None
    link: str
    is_pinned: bool


class Past(NamedTuple):
    """The titles, dates and categories that a notice had before, the latest first.

    ``returns`` counts the edits back to one of them that came soon after the edit before. The last
    edit may be ``pushed``.
    """

    contents: tuple[Text, ...] = ()
    returns: int = 0
    tick: int = 0
    pushed: bool = False

    def pause(self, ticks_a_day: int) -> int:
        """Return the ticks for which a return alone is not recorded: an hour at first, a day later.

        Args:
            ticks_a_day: of the judge.
        """
        often = self.returns - _OFTEN
        hour = ticks_a_day // _HOURS_A_DAY
        return min(ticks_a_day, hour * 4 ** min(often, 3)) if often >= 0 else 0


class _Observed(NamedTuple):
    """A notice of a page: its id, the id it had before, and what is recorded of it."""

    notice_id: str
    old_id: str
    now: Written
    before: Written | None
    revision: int


def each_tick(_: int) -> int:
    """Return 1: a department is checked on each tick."""
    return 1


@dataclass
class Watched:
    """A department after its last healthy tick.

    After a redesign every notice has another address. So the next healthy page is recorded without
    pushes (``reread``), and so is a known notice that comes back later (``misread``). If the ids
    were counted again too (``moved``), the whole page is recorded without pushes, and known ids
    that it does not show are ``foreign``: later they belong to other notices. A notice that moves
    up from ``behind`` the page is recorded without a push too, and shown last.

    A field that all notices have in another form ``since`` a tick is not pushed where a notice was
    not ``listed_at`` a later change of the page; ``texts`` are those of the last change. What
    ``counted`` or ``rotated`` three times is not compared. A notice that returns to one of its
    ``pasts`` is recorded without a push, and after a pause where it alone goes to and fro.
    ``renamed`` are the old ids of the notices of the next page, by new ones: that is recorded
    without a push. ``undone`` are the notices that went back within a day of a pushed edit: that
    push is taken back, ten by one message. ``interval`` returns the ticks between two checks at a
    tick.
    """

    revisions: dict[str, tuple[int, Written]] = field(default_factory=dict)
    hot: list[str] = field(default_factory=list)
    reread: bool = False
    moved: bool = False
    misread: set[str] = field(default_factory=set)
    foreign: set[str] = field(default_factory=set)
    behind: frozenset[str] = frozenset()
    form: dict[str, str] = field(default_factory=dict)
    since: dict[str, int] = field(default_factory=dict)
    listed_at: dict[str, int] = field(default_factory=dict)
    listed: frozenset[str] = frozenset()
    texts: dict[str, Text] = field(default_factory=dict)
    counted: int = 0
    rotated: int = 0
    pasts: dict[str, Past] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    undone: list[str] = field(default_factory=list)
    ticks_a_day: int = TICKS_A_DAY
    interval: Callable[[int], int] = each_tick

    def copy(self) -> Self:
        """Return an independent copy."""
        return deepcopy(self)

    def items(self) -> list[dict[str, Any]]:
        """Return the items as readers see them."""
        items = []
        for notice_id in self.hot:
            revision, written = self.revisions[notice_id]
            shown = {**written._asdict(), "revision": revision}
            items.append({"id": notice_id} | {k: v for k, v in shown.items() if k != "link"})
        return items

    def observe(self, tick: int, department: str, page: Page) -> list[JournalEntry]:
        """Take in a healthy page; return the revisions that are due."""
        first_time = not self.revisions or self.moved
        shown = written(page)
        self._look(page, tick)
        entries: list[JournalEntry] = []
        moved_up: list[str] = []
        left: list[str] = []
        is_calm = not any(self._differs(key, content, tick) for key, content in shown.items())
        for notice_id, content in shown.items():
            seen = self._seen(notice_id, content, tick, is_calm=is_calm)
            misread = notice_id in self.misread
            self.misread.discard(notice_id)
            self.foreign.discard(notice_id)
            is_renamed = seen.old_id != notice_id
            if seen.before == seen.now and not is_renamed:
                continue
            is_old = seen.before is None and notice_id in self.behind
            moved_up += [notice_id] if is_old and not self.reread else []
            kind: Kind = "baseline" if first_time or is_old else _kind(seen.before, seen.now)
            if misread and kind != "new":
                kind = "baseline"
            if is_renamed:
                kind = "renamed"
                left.append(seen.old_id)
            pushed = kind == "new" or (kind == "edited" and self._is_news(seen, tick))
            # Of a notice that readers no longer see, the text before is not stored.
            now = seen.now if seen.old_id in self.hot else content
            self.revisions[notice_id] = (seen.revision, now)
            entries.append(self._entry(tick, department, notice_id, kind, pushed=pushed))
        if entries or self.reread or first_time:
            self.listed = frozenset(shown)
            self.texts = {key: self._text(each) for key, each in shown.items()}
            self.listed_at |= dict.fromkeys(shown, tick)
        self.reread = self.moved = False
        self.renamed = {}
        self.behind = page.behind
        changed = [entry.notice_id for entry in entries if entry.notice_id not in moved_up]
        others = [old for old in self.hot if old not in (*changed, *moved_up, *left)]
        moved_up.sort(key=lambda key: (shown[key].date, key), reverse=True)
        self.hot = [*changed, *others, *moved_up][:HOT_ITEMS]
        return entries + self._taken_back(tick, department)

    def _taken_back(self, tick: int, department: str) -> list[JournalEntry]:
        entries = []
        for place, notice_id in enumerate(self.undone):
            revision, content = self.revisions[notice_id]
            self.revisions[notice_id] = (revision + 1, content)
            pushed = place % _NAMED == 0
            entries.append(self._entry(tick, department, notice_id, "retracted", pushed=pushed))
        self.undone = []
        return entries

    def _entry(
        self, tick: int, department: str, notice_id: str, kind: Kind, *, pushed: bool
    ) -> JournalEntry:
        revision, content = self.revisions[notice_id]
        fields = {**content._asdict()}
        del fields["link"]
        return JournalEntry(tick, department, notice_id, kind, revision, **fields, pushed=pushed)

    def _look(self, page: Page, tick: int) -> None:
        """Take in the style of the whole page."""
        form = {
            "title": page.look.prefix,
            "date": str(page.look.shift),
            "link": page.links,
        }
        if self.reread:
            self.misread = set() if self.moved else set(self.revisions)
            self.foreign |= set(self.revisions) if self.moved else set()
            self.pasts = {}
            self.counted = self.rotated = 0
        else:
            changed = {name for name, text in form.items() if self.form.get(name, text) != text}
            self.since |= dict.fromkeys(changed, tick)
        self.form = form
        if page.is_counting:
            self.counted += 1
            self.since |= {"title": tick} if self.counted < _LEARNED else {}
        if page.is_rotating and page.shows_parameters:
            self.rotated += 1
            self.since |= {"link": tick} if self.rotated < _LEARNED else {}

    def _differs(self, notice_id: str, now: Written, tick: int) -> bool:
        """Return whether a notice differs in more than by going to and fro."""
        seen = self._seen(notice_id, now, tick, is_calm=True)
        return seen.old_id != notice_id or seen.before != seen.now

    def _seen(self, notice_id: str, now: Written, tick: int, *, is_calm: bool) -> _Observed:
        """Return a notice beside what is recorded of it, without what is not compared.

        Where nothing else on the page differs, ``is_calm``, it may go to and fro.
        """
        old_id = self.renamed.get(notice_id, notice_id)
        revision, before = self.revisions.get(old_id, (0, None))
        if before is None or self.texts.get(old_id, self._text(before))[:2] != self._text(now)[:2]:
            old_id = notice_id
            revision, before = self.revisions.get(notice_id, (0, None))
        if notice_id in self.foreign:
            before = None
        if before is not None and notice_id not in self.misread and old_id == notice_id:
            is_same = self._is_known(notice_id) and self._bare(before) == self._bare(now)
            if is_same or (is_calm and self._goes_to_and_fro(notice_id, before, now, tick)):
                now = before._replace(is_pinned=now.is_pinned)
        return _Observed(notice_id, old_id, now, before, revision + 1)

    def _is_known(self, notice_id: str) -> bool:
        """Return whether more is stored of a notice than a digest."""
        return notice_id in self.hot or notice_id in self.listed

    def _bare(self, notice: Written) -> Written:
        title = _COUNT.sub("", notice.title) if self.counted >= _LEARNED else notice.title
        link = notice.link.partition("#")[0] if self.rotated >= _LEARNED else notice.link
        return notice._replace(title=title, link=link, is_pinned=False)

    def _text(self, notice: Written) -> Text:
        return self._bare(notice)[:3]

    def _goes_to_and_fro(self, notice_id: str, before: Written, now: Written, tick: int) -> bool:
        past = self.pasts.get(notice_id)
        return (
            past is not None
            and self._is_known(notice_id)
            and self._text(now) in past.contents
            and self._text(now) != self._text(before)
            and tick - past.tick < past.pause(self.ticks_a_day)
        )

    def _is_news(self, seen: _Observed, tick: int) -> bool:
        """Return whether an edit is pushed; remember the content that it replaced."""
        key, before, now = seen.notice_id, seen.before, seen.now
        if before is None or self._remember(key, before, now, tick):
            return False
        is_news = self._is_said(key, before, now)
        if is_news and self._is_known(key) and self._text(before) != self._text(now):
            self.pasts[key] = self.pasts[key]._replace(pushed=True)
        return is_news

    def _is_said(self, key: str, before: Written, now: Written) -> bool:
        """Return whether an edit is more than a change of form."""
        listed_at = self.listed_at.get(key, 0)
        other_form = {name for name, at in self.since.items() if at > listed_at}
        if not self._is_known(key) and max(self.counted, self.rotated) >= _LEARNED:
            return False
        if not self._is_known(key):
            # Of these a digest is compared, which may differ for any reason.
            return not other_form
        pairs = zip(("title", "date", "category"), self._text(before), self._text(now), strict=True)
        return any(old != new and name not in other_form for name, old, new in pairs)

    def _remember(self, notice_id: str, before: Written, now: Written, tick: int) -> bool:
        """Remember the content that an edit replaced; return whether the new one was there."""
        past = self.pasts.get(notice_id, Past())
        old, new = self._text(before), self._text(now)
        if old == new:
            return False
        returned = new in past.contents
        if returned and past.pushed and tick - past.tick < self.ticks_a_day:
            self.undone.append(notice_id)
            self.pasts[notice_id] = past._replace(pushed=False)
        if self._is_known(notice_id):
            self.pasts.pop(notice_id, None)
            contents = tuple(dict.fromkeys((old, *past.contents)))[:_CONTENTS]
            soon = max(_SOON * self.interval(tick), 2 * past.pause(self.ticks_a_day))
            is_soon = tick - past.tick <= soon
            returns = past.returns + is_soon if returned else 0
            self.pasts[notice_id] = Past(contents, returns, tick)
            self.pasts = dict([*self.pasts.items()][-_PASTS:])
        return returned


def written(page: Page) -> dict[str, Written]:
    """Return the notices on a page in order, one for each id; pinned if any of its rows is.

    Hidden rows are left out.
    """
    items: dict[str, Written] = {}
    token = f"#{page.token}" if page.token and page.shows_parameters else ""
    for notice, is_pinned in page.rows():
        if notice.id in page.hidden:
            continue
        first = items.get(notice.id)
        items[notice.id] = Written(
            page.title(notice),
            notice.date.isoformat(),
            notice.category or None,
            page.links + token,
            is_pinned or (first is not None and first.is_pinned),
        )
    return items


def _kind(before: Written | None, now: Written) -> Kind:
    if before is None:
        return "new"
    if before[:4] != now[:4]:
        return "edited"
    return "pinned" if now.is_pinned else "unpinned"
