"""The seeded week: the actions on each page, tick by tick.

A page changes once a tick at most, and not while it waits for the janitor. So the expected store
after a tick does not depend on the order of jobs. Simultaneous actions are by several people on the
same issue or job.
Ticks are played in order and kept: the same seed gives the same week.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from uring_local.sites.office import words
from uring_local.sites.office.actions import (
    Action,
    Edit,
    Events,
    Read,
    Refusal,
    Refused,
    Remove,
    Stray,
    Submit,
    Upload,
)
from uring_local.sites.office.ledger import Ledger, Quotes
from uring_local.sites.office.papers import SUFFIXES, Mark, Severity, Shape, Version

TICKS_A_DAY: Final = 4
PAGES: Final = 20
SINGLE: Final = "page-19"
"""A page with one attachment: without it there is no text to analyse."""
STRAYS: Final = (
    "pages/page-03/attachments/두 번째: 사본.txt",
    "pages/page-04/attachments/a/b.txt",
    "pages/page:5/attachments/colon.txt",
    "pages/job/list.txt",
    "pages/system/attachments/notes.txt",
)
"""Objects whose names no attachment can have; some have the names of the table's partitions."""

_SHAPES: Final[Sequence[Shape]] = ("text", "text", "page", "page", "pdf", "disguised", "long")
_ODD: Final[Sequence[Shape]] = ("scan", "empty")
_SEVERITIES: Final[Sequence[Severity]] = ("low", "medium", "high", "critical")
_LANGUAGES: Final = ("ja", "fr", "vi", "pt-PT")
_STATES: Final = {"open": ("resolved", "archived"), "resolved": ("open", "archived")}
_EVENTS: Final[Sequence[Events]] = ("sent", "sent", "sent", "twice", "late", "lost")
_CHANGES: Final = 4
_JOBS: Final = 3
_EDITS: Final = 4
_READERS: Final = 3
_AT_ONCE: Final = 5
# The number of attachments of a page that share a mark, its first ones.
_SHARING: Final = 2
# The ticks of events that happen once; all pages they need exist by then.
_ZEROS, _ANALYSED, _DELETED, _CLEARED, _TAKEN, _RETURNED, _FLIPPED = 3, 5, 6, 9, 10, 11, 13


class Script:
    """A week and the weeks after it, in which fewer and fewer actions are new."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._ledger = Ledger()
        self._versions = 0
        self._issues = 0
        self._removed: dict[tuple[str, str], Version] = {}
        self._deleted: set[str] = set()
        self._ticks: list[Sequence[Action]] = []

    def actions(self, tick: int) -> Sequence[Action]:
        """Return the actions of a tick, from 1: changes, then jobs, then editors and readers."""
        while len(self._ticks) < tick:
            self._ticks.append(self._play(len(self._ticks) + 1))
        return self._ticks[tick - 1]

    def _play(self, tick: int) -> Sequence[Action]:
        random = Random(f"{self._seed}/{tick}")
        is_janitors = is_janitors_tick(tick)
        # The janitor's repairs of this tick run while the other actions happen.
        waiting = {name for name, page in self._ledger.pages.items() if page.is_pending}
        issues = {
            (name, quotes) for name, page in self._ledger.pages.items() for quotes in page.issues
        }
        self._ledger.begin(is_janitors=is_janitors)
        changes = self._founding(random, tick) + self._once(tick)
        changes += self._changes(random, {*waiting, *(each.page for each in changes)}, tick)
        for change in changes:
            self._take(change)
        taken = {*waiting, *(each.page for each in changes if _is_lost(each))}
        jobs = self._jobs(random, taken, {each.page for each in changes}, tick)
        cleared = {job.page for job in jobs if job.operation == "clear"}
        for job in jobs:
            self._ledger.submit(job)
        left = cleared | self._deleted
        known = [each for each in issues if each[0] not in left and self._is_there(each)]
        # A set's order and its repr differ between processes.
        known.sort(key=lambda each: (each[0], sorted(map(repr, each[1]))))
        edits = self._edits(random, known)
        for edit in edits:
            if isinstance(edit, Edit):
                self._ledger.assume(edit)
        readers = [Read(random.choice(self._pages)) for _ in range(_READERS if tick > 1 else 0)]
        strays = [Stray(key) for key in STRAYS] if tick == _ZEROS else []
        for stray in strays:
            self._ledger.stray(stray.key.split("/")[1])
        return [*changes, *strays, *jobs, *edits, *readers]

    @property
    def _pages(self) -> list[str]:
        return sorted(
            name
            for name, page in self._ledger.pages.items()
            if name not in self._deleted and page.attachments
        )

    def _is_there(self, issue: tuple[str, Quotes]) -> bool:
        return issue[1] in self._ledger.pages[issue[0]].issues

    def _take(self, change: Upload | Remove) -> None:
        if isinstance(change, Upload):
            self._ledger.upload(change)
        else:
            version, _ = self._ledger.pages[change.page].attachments[change.source]
            self._removed[change.page, change.source] = version
            self._ledger.remove(change)

    def _founding(self, random: Random, tick: int) -> list[Upload | Remove]:
        """Return the first attachments of this tick's new pages; empty after the fourth tick."""
        numbers = [number for number in range(PAGES) if 1 + number * 4 // PAGES == tick]
        founded: list[Upload | Remove] = []
        for number in numbers:
            page = f"page-{number:02}"
            count = 1 if page == SINGLE else random.randint(2, 4)
            # The same mark in several attachments is one issue.
            shared = self._mark(random, "en") if count > 1 else None
            for place in range(count):
                shape = random.choice(_ODD if place == _SHARING else _SHAPES)
                version = self._version(
                    random,
                    shape,
                    shared if place < _SHARING else None,
                    least=page == SINGLE,
                )
                # An office writes names in its own script, with blanks and brackets.
                name = f"규정 [{place}]" if place == 1 else f"paper-{place}"
                founded.append(Upload(page, f"{name}.{SUFFIXES[shape]}", version))
        return founded

    def _once(self, tick: int) -> list[Upload | Remove]:
        """Return the changes that happen once, on this tick; empty on most ticks."""
        pages = self._ledger.pages
        if tick == _ZEROS:
            return [Upload("page-00", "zeros.bin", Version("zeros", "en", 0))]
        if tick == _DELETED:
            self._deleted.add("page-07")
            names = sorted(pages["page-07"].attachments)
            return [Remove("page-07", name) for name in names]
        single = sorted({*pages[SINGLE].attachments} if SINGLE in pages else ())
        if tick == _TAKEN:
            return [Remove(SINGLE, name) for name in single]
        if tick == _RETURNED:
            name, version = next(
                (source, version)
                for (page, source), version in self._removed.items()
                if page == SINGLE
            )
            return [Upload(SINGLE, name, version)]
        return []

    def _changes(self, random: Random, taken: set[str], tick: int) -> list[Upload | Remove]:
        if tick < _ZEROS:
            return []
        once = {SINGLE} if tick < _FLIPPED else set()
        free = [page for page in self._pages if page not in taken | once]
        chosen = random.sample(free, min(len(free), _CHANGES))
        return [self._change(random, page) for page in chosen]

    def _change(self, random: Random, page: str) -> Upload | Remove:
        there = self._ledger.pages[page].attachments
        source = random.choice(sorted(there))
        version, _ = there[source]
        gone = [name for owner, name in self._removed if owner == page and name not in there]
        events = random.choice(_EVENTS)
        what = random.choice(("edit", "edit", "edit", "again", "remove", "return"))
        if what == "return" and gone:
            name = random.choice(sorted(gone))
            return Upload(page, name, self._removed[page, name], events)
        if what == "remove" and len(there) > 1:
            return Remove(page, source, events)
        if what == "again" or not version.has_text:
            return Upload(page, source, version, events)
        return Upload(page, source, self._edited(random, version), events)

    def _edited(self, random: Random, version: Version) -> Version:
        """Return the next version: other words, fewer of the old marks, and perhaps a new one."""
        self._versions += 1
        kept = tuple(mark for mark in version.marks if random.random() < 0.7)  # noqa: PLR2004
        new = (self._mark(random, version.language),) if random.random() < 0.6 else ()  # noqa: PLR2004
        return Version(version.shape, version.language, self._versions, kept + new)

    def _version(
        self, random: Random, shape: Shape, shared: Mark | None, *, least: int = 0
    ) -> Version:
        self._versions += 1
        language: words.Language = random.choice(("ko", "ko", "en"))
        own = tuple(self._mark(random, language) for _ in range(random.randint(least, 2)))
        marks = (*own, *((shared,) if shared else ()))
        return Version(shape, language, self._versions, marks)

    def _mark(self, random: Random, language: words.Language) -> Mark:
        self._issues += 1
        return Mark(random.choice(_SEVERITIES), words.issue(language, self._issues))

    def _jobs(self, random: Random, taken: set[str], changed: set[str], tick: int) -> list[Submit]:
        free = [page for page in self._pages if page not in taken]
        jobs: list[Submit] = []
        for page in random.sample(free, min(len(free), 2 * _JOBS)):
            state = self._ledger.pages[page]
            if state.analysis is None:
                jobs.append(Submit(page, "issues", times=random.choice((1, 1, 3))))
            elif len(jobs) < _JOBS:
                jobs.append(Submit(page, random.choice(("policies", "issues"))))
            source = random.choice(sorted(state.attachments))
            times = random.choice((1, 2, _AT_ONCE))
            jobs.append(Submit(page, "policy", source, random.choice(_LANGUAGES), times))
        if tick == _ANALYSED:
            jobs.append(Submit(SINGLE, "issues"))
        if free and tick % 3 == 0:
            jobs.append(Submit(free[0], "policy", "no-such.txt"))
        if tick == _CLEARED and (calm := [page for page in free if page not in changed]):
            # The page has no other action in this tick.
            jobs = [job for job in jobs if job.page != calm[0]]
            jobs.append(Submit(calm[0], "clear"))
        return jobs

    def _edits(self, random: Random, known: list[tuple[str, Quotes]]) -> list[Edit | Refused]:
        edits: list[Edit | Refused] = []
        for page, quotes in random.sample(known, min(len(known), _EDITS)):
            issue = self._ledger.pages[page].issues[quotes]
            place = (page, issue.words, issue.sources)
            match random.choice(("annotate", "annotate", "classify", "transition", "refused")):
                case "annotate":
                    notes = tuple(words.note(random) for _ in range(random.choice((1, 2, 3))))
                    edits.append(Edit(*place, "annotate", notes))
                case "classify":
                    edits.append(Edit(*place, "classify", (random.choice(_SEVERITIES),)))
                case "transition":
                    to = random.choice(_STATES.get(issue.state, ("open",)))
                    edits.append(Edit(*place, "transition", (to,)))
                case _:
                    why: Sequence[Refusal] = ("stale", "blind", "illegal", "unknown")
                    edits.append(Refused(*place, random.choice(why)))
        return edits


def is_janitors_tick(tick: int) -> bool:
    """Return whether a tick begins with a round of the janitor: once a day, never tick 1."""
    return tick > 1 and tick % TICKS_A_DAY == 1


def _is_lost(change: Upload | Remove) -> bool:
    return change.events == "lost"
