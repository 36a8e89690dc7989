"""The campus site as a whole: the model, its script, the server and the judge."""

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any, Final, get_args

from uring_local.sites.campus.boards import STYLES
from uring_local.sites.campus.departments import DEPARTMENTS
from uring_local.sites.campus.judge import Expected, Judge
from uring_local.sites.campus.model import Department, Look, Notice, Page, Redesign, calm
from uring_local.sites.campus.script import baseline, play, publish_page
from uring_local.sites.campus.server import BoardServer
from uring_local.sites.campus.trouble import Kind, Trouble, scripted
from uring_local.sites.campus.watched import TICKS_A_DAY, JournalEntry, each_tick

OPENED: Final = date(2026, 3, 2)
_TICKS_PER_DAY: Final = 6


class Campus(BoardServer):
    """A server of a university's boards on 127.0.0.1; a seeded script moves it tick by tick.

    Two sites with the same seed are equal on every tick, except for view counters and session ids,
    which differ with every request. Before the first ``advance`` every list is 404.

    Args:
        seed: of the script.
        opened: the day of tick 1 on the boards; six ticks make a day.
        day_of: the day of a tick on the boards, in place of both, for boards whose days run with
            the clock of the product under test.
        departments: in their first form. One whose format of dates lacks the year has only dates
            that a reader can tell: none is more than three months after the first sight of its
            notice, or more than nine before.
        ticks_a_day: by the clock of the product under test.
        interval: returns the ticks between two checks at a tick.
        publishes: whether offices work on a tick; by default they always do.
        misbehave: whether the script makes departments misbehave, from tick 3 on.
        undisturbed: the ticks on which no department misbehaves by the script.
        port: 0 picks a free one. Bound at once, served from ``start`` to ``stop``.

    Attributes:
        day_of: the day of a tick on the boards.
        departments: in their first form.
        asked: the departments whose list was asked for on this tick, which alone the judge
            observes; None, the default: all. A set is kept up to date.
        pages: page 1 of every department on this tick, healthy or not; empty before tick 1.
        troubles: the troubles on this tick, by department.
        redesigns: by department, for departments that have changed their board system.
        sites: department ids by the first segment of a path.

    Raises:
        PortTaken: another server listens on the port.
    """

    def __init__(
        self,
        seed: int,
        *,
        opened: date = OPENED,
        day_of: Callable[[int], date] | None = None,
        departments: Sequence[Department] = DEPARTMENTS,
        ticks_a_day: int = TICKS_A_DAY,
        interval: Callable[[int], int] = each_tick,
        publishes: Callable[[int], bool] = lambda _: True,
        misbehave: bool = True,
        undisturbed: Collection[int] = (),
        port: int = 0,
    ) -> None:
        self.seed = seed
        self.day_of = day_of or (lambda tick: opened + timedelta(days=tick // _TICKS_PER_DAY))
        self.departments = departments
        self.asked: set[str] | None = None
        self._overlooked: set[str] = set()
        self._publishes = publishes
        self._scripted = misbehave
        self._undisturbed = undisturbed
        self._boards = {
            d.id: baseline(seed, d, self.day_of(1), repeats_pinned=STYLES[d.style].repeats_pinned)
            for d in departments
        }
        self._tick = 0
        self._changing = threading.RLock()
        self._demanded: dict[tuple[int, str], Trouble] = {}
        self.pages: dict[str, Page] = {}
        self.sites = {department.site: department.id for department in departments}
        self.troubles: dict[str, Trouble] = {}
        self.redesigns: dict[str, Redesign] = {}
        # Of the ticks before this one.
        self._judge = Judge(self._boards, ticks_a_day, interval)
        super().__init__(port=port)

    @property
    def tick(self) -> int:
        """The current tick; 0 before the first ``advance``."""
        return self._tick

    @staticmethod
    def calm(tick: int) -> bool:
        """Return whether nothing changes or misbehaves on a tick (4, 8, 12, …)."""
        return calm(tick)

    def advance(self, tick: int) -> None:
        """Move to the state of ``tick``, through every tick between; each counts as observed.

        Raises:
            ValueError: the site is past that tick. Make a new one with the same seed.
        """
        with self._changing:
            if tick < self._tick:
                raise ValueError(
                    f"tick {tick} is over, the site is at {self._tick}; "
                    "make a new Campus with the same seed to go back"
                )
            while self._tick < tick:
                self._step(self._tick + 1)

    def misbehave(
        self, department: str, kind: Kind, ticks: int = 1, *, seconds: float = 30.0
    ) -> None:
        """Make a department misbehave from this tick on, or from tick 1 before it.

        Call it between ``advance`` and the first request of the tick: the judge treats the whole
        tick as unobservable, unless the kind leaves the list readable. It replaces the script's
        own trouble.

        Args:
            department: the department's id.
            kind: see ``Trouble``.
            ticks: number of ticks, at least 1.
            seconds: duration of the drip (``slow``) or of the wait (``late``).

        Raises:
            ValueError: the department or kind is unknown, or ``ticks`` is below 1.
        """
        if department not in self._boards:
            raise ValueError(f"department {department!r}: unknown, use one of {[*self._boards]}")
        if kind not in get_args(Kind):
            raise ValueError(f"kind {kind!r}: unknown, use one of {get_args(Kind)}")
        if ticks < 1:
            raise ValueError(f"ticks {ticks}: give at least 1")
        timed = kind in {"slow", "late"}
        with self._changing:
            first = max(self._tick, 1)
            for tick in range(first, first + ticks):
                self._demanded[tick, department] = Trouble(kind, seconds if timed else 0.0)
            if self._tick:
                self.troubles = self._troubles_of(self._tick)

    def redesign(self, department: str, style: str, *, ticks: int) -> None:
        """Give a department another board system from this tick on, at the old address too.

        The ids stay and every link changes. ``sitemap`` has the new entry ``ticks`` ticks later;
        until then the judge treats the department as unobservable.

        Raises:
            ValueError: an unknown department or style, or no tick at all.
        """
        self._follow(department, ticks, style=style, variant="")

    def move(self, department: str, style: str, *, ticks: int, back: int) -> None:
        """Move a department to another board system, as `redesign`, but count the ids again.

        The newest notice gets the id of the notice ``back`` places before it. So the next notices
        get ids that the old system gave to other notices.

        Raises:
            ValueError: an unknown department or style, or no tick at all.
        """
        site = f"{self.department(department).site}{self._tick}"
        self._follow(department, ticks, style=style, variant="", site=site, moved=True)
        with self._changing:
            self._boards[department].renumber(back)
            self._redraw(department)

    def respell(self, department: str, dates: str, *, ticks: int) -> None:
        """Change the format of dates, as in ``strftime``; the entry follows as in `redesign`.

        Raises:
            ValueError: the department is unknown, or ``ticks`` is below 1.
        """
        self._follow(department, ticks, dates=dates)

    def _follow(self, department: str, ticks: int, *, moved: bool = False, **changed: Any) -> None:
        style = changed.get("style", "k2web")
        if department not in self._boards or style not in STYLES or ticks < 1:
            raise ValueError(f"{department!r}, {style!r}, {ticks} ticks: no such redesign")
        with self._changing:
            now = self.department(department)
            after = replace(now, **changed)
            self.sites[after.site] = department
            self.redesigns[department] = Redesign(now, after, self._tick + ticks, moved)
            self._redraw(department)

    def look(self, department: str, look: Look) -> None:
        """Give a board another style of links and dates from this tick on."""
        with self._changing:
            self._boards[department].look = look
            self._redraw(department)

    def purge(self, department: str, notices: int) -> None:
        """Delete `notices` notices from page 1; the same number moves up from the next pages."""
        with self._changing:
            board = self._boards[department]
            page = self.pages[department]
            free = [n.id for n in page.normal if n.id not in board.pinned]
            board.removed |= set(
                Random(f"{self.seed}/{self._tick}").sample(
                    free, min(notices, len(free) // 2, len(page.later))
                )
            )
            self._redraw(department)

    def renumber(self, department: str, ahead: int, *, half: bool) -> None:
        """Give a board's notices other ids, or the upper half of its page; nothing else changes."""
        with self._changing:
            board, page = self._boards[department], self.pages[department]
            upper = [notice.id for notice in page.normal[: len(page.normal) // 2]]
            chosen = upper if half else [*board.notices]
            self._judge.renumber(department, board.renew_ids(chosen, ahead))
            self._redraw(department)

    def turn_over(self, department: str) -> None:
        """Publish a whole page of notices at once, under ids far ahead."""
        with self._changing:
            board = self._boards[department]
            publish_page(board, self.seed, self._tick, self.day_of(self._tick))
            self._redraw(department)

    def to_and_fro(self, department: str, marker: str) -> None:
        """Give four notices of the page another marker in their titles."""
        with self._changing:
            board = self._boards[department]
            for notice in self.pages[department].normal[2:6]:
                board.notices[notice.id] = replace(board.notices[notice.id], marker=marker)
            self._redraw(department)

    def hide(self, department: str, notices: int, *, ticks: int) -> None:
        """Hide the content of `notices` rows of page 1 for `ticks` ticks; they keep their place."""
        with self._changing:
            board = self._boards[department]
            upper = self.pages[department].normal[: board.department.rows // 2]
            chosen = Random(f"{self.seed}/{self._tick}").sample(upper, min(notices, len(upper)))
            board.hidden |= {notice.id: self._tick + ticks for notice in chosen}
            self._redraw(department)

    def overlook(self, department: str) -> bool:
        """Expect nothing of a department on this tick; return whether its page was healthy."""
        with self._changing:
            is_healthy = department in self._healthy()
            self._overlooked.add(department)
        return is_healthy

    @property
    def journal(self) -> list[JournalEntry]:
        """All observable revisions up to this tick, in order of ticks, departments and rows."""
        return self._judged().journal

    def expected(self) -> dict[str, Expected]:
        """Return the expected state of each department after this tick."""
        return self._judged().expected()

    def page(self, department: str) -> Page:
        """Return the model's page 1 of a department on this tick, healthy or not."""
        return self.pages[department]

    def sitemap(self) -> dict[str, Any]:
        """Return the notice sources of this site, in the form of the product's sitemap."""
        return {
            "sources": [
                {
                    "id": department.id,
                    "name": f"누리솔대학교 {department.name}",
                    **STYLES[department.style].entry(department, self.host),
                }
                for department in (self._watched(known.id) for known in self.departments)
            ]
        }

    def _step(self, tick: int) -> None:
        if self._tick:
            self._judge.observe(self._tick, self._healthy())
        self.asked = None if self.asked is None else set()
        self._overlooked = set()
        # The changes never depend on trouble by `misbehave`, or on its absence.
        script = scripted(self.seed, tick, [*self._boards])
        today = self.day_of(tick)
        touched = set()
        if self._publishes(tick):
            touched = play(self.seed, tick, list(self._boards.values()), script, today)
        pages = {}
        for name, board in self._boards.items():
            before = self.pages.get(name)
            changed = tick if name in touched or before is None else before.changed
            changed = tick if tick in board.hidden.values() else changed
            changed = (
                tick if tick <= max(board.look.counts_until, board.look.rotates_until) else changed
            )
            pages[name] = self._page(name, tick, changed)
        self._tick, self.pages, self.troubles = tick, pages, self._troubles_of(tick)
        for name, redesign in self.redesigns.items():
            if redesign.known_from == tick:
                # A removed notice that came back now would look like a new one.
                self._boards[name].forget_removed()
                (self._judge.move if redesign.moved else self._judge.reread)(name)

    def _page(self, name: str, tick: int, changed: int) -> Page:
        department, page = self.department(name), self._boards[name].page(tick, changed)
        links = STYLES[department.style].links
        now, other = (links(department, look) for look in (page.look, Look(parameter="other=1")))
        plain = links(department, Look())
        day = self.day_of(tick)
        return replace(page, links=now, shows_parameters=other != plain, day=day)

    def _redraw(self, name: str) -> None:
        if self._tick:
            self.pages = {**self.pages, name: self._page(name, self._tick, self._tick)}

    def _judged(self) -> Judge:
        """Return the judge after this tick, as a copy: `misbehave` may still change the tick."""
        with self._changing:
            judge = self._judge.copy()
            if self._tick:
                judge.observe(self._tick, self._healthy())
        return judge

    def _troubles_of(self, tick: int) -> dict[str, Trouble]:
        disturbed = self._scripted and tick not in self._undisturbed
        troubles = scripted(self.seed, tick, [*self._boards]) if disturbed else {}
        demanded = {name: trouble for (at, name), trouble in self._demanded.items() if at == tick}
        return {**troubles, **demanded}

    def _healthy(self) -> dict[str, Page]:
        hidden = {name for name, trouble in self.troubles.items() if self._hides(name, trouble)}
        hidden |= {
            name for name, redesign in self.redesigns.items() if self._tick < redesign.known_from
        }
        hidden |= self._overlooked
        if self.asked is not None:
            hidden |= {name for name in self.pages if name not in self.asked}
        return {name: page for name, page in self.pages.items() if name not in hidden}

    def _hides(self, name: str, trouble: Trouble) -> bool:
        """Return whether a trouble makes the list unreadable.

        Another charset does so where the entry names one.
        """
        department = self._watched(name)
        entry = STYLES[department.style].entry(department, self.host)
        return trouble.hides or (trouble.kind == "recoded" and "encoding" in entry)

    def department(self, name: str) -> Department:
        """Return a department in its current form."""
        redesign = self.redesigns.get(name)
        return redesign.after if redesign else self._boards[name].department

    def _watched(self, name: str) -> Department:
        """Return a department in the form that the sitemap describes."""
        redesign = self.redesigns.get(name)
        if redesign is not None and self._tick < redesign.known_from:
            return redesign.before
        return self.department(name)

    def published(self, department: str, notice_id: str) -> int:
        """Return the tick on which a notice was published; 0 before the first."""
        return self._boards[department].notices[notice_id].published

    def article(self, department: str, notice_id: str) -> Notice | None:
        """Return a notice of any age; None if it was removed or never published."""
        board = self._boards[department]
        return None if notice_id in board.removed else board.notices.get(notice_id)
