"""What `uring top` shows, and what a key does to it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal, Self

from rich.console import Group

from uring.changes.history.beats import Beat
from uring_local.look.index import Index, IndexedSource, by_need
from uring_local.look.show import health
from uring_local.queues.pairs import Pair

Name = tuple[str, str]
"""A source: the name of its list, its id."""

MOST_TYPED: Final = 60
"""The longest filter, and the longest end of a pause, in characters."""


def name_of(source: IndexedSource) -> Name:
    """Return the name of a source among all sources of a stack."""
    return source.listed, source.id


@dataclass(frozen=True, slots=True)
class StackSnapshot:
    """What a refresh has read.

    Attributes:
        at: when, aware.
        index: the published sources.
        pairs: the queues.
        beats: the last checks of the sources that were on the screen.
    """

    at: datetime
    index: Index
    pairs: Sequence[Pair]
    beats: Mapping[Name, Sequence[Beat]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Action:
    """What a key asks for.

    Attributes:
        kind: of a command of a source, or of the view itself.
        source: of the command; None for the view's own.
        until: the end of a pause, as `uring pause` takes it.
    """

    kind: Literal["check", "pause", "resume", "diff", "read", "quit"]
    source: IndexedSource | None = None
    until: str = ""


@dataclass(frozen=True, slots=True)
class PauseQuestion:
    """A pause, or the end of one, that waits for Enter.

    Attributes:
        until: the proposed end; empty if the source is paused, and is resumed.
        typed: another end.
    """

    source: IndexedSource
    until: str
    typed: str = ""


@dataclass(frozen=True, slots=True)
class TextPage:
    """A text in place of the list.

    Attributes:
        title: its first line.
        body: the rest; None for the help, and for details, which are made when they are drawn.
        of: the source of the details; None for another page.
        top: the first line that is shown.
        room: the lines that are shown at once.
    """

    title: str
    body: Group | None = None
    of: Name | None = None
    top: int = 0
    room: int = 1


HELP: Final = TextPage("keys")


@dataclass(frozen=True, slots=True)
class ViewState:
    """The view.

    Attributes:
        sources: all, with the pauses of this view.
        rows: the sources that the filter leaves, the ones that need a look first.
        chosen: the source that a key acts on; the one at `at` if it is gone.
        at: the place of the chosen source in the rows.
        top: the first row on the screen.
        room: the rows that the screen has room for.
        words: the filter.
        is_filtering: whether keys are words of the filter.
        pauses: of this view's own commands, until the index shows them: the end, and `written_at`
            of the index before.
        doing: the command under way.
        said: the last answer of a command.
        is_bad: whether that answer is an error.
        missed: why the last refresh failed; empty after a good one.
    """

    stack: str
    seen: StackSnapshot
    sources: Sequence[IndexedSource] = ()
    rows: Sequence[IndexedSource] = ()
    chosen: Name | None = None
    at: int = 0
    top: int = 0
    room: int = 1
    words: str = ""
    is_filtering: bool = False
    question: PauseQuestion | None = None
    page: TextPage | None = None
    pauses: Mapping[Name, tuple[str | None, str]] = field(default_factory=dict)
    doing: str = ""
    said: str = ""
    is_bad: bool = False
    missed: str = ""

    @classmethod
    def first(cls, stack: str, seen: StackSnapshot) -> Self:
        """Return the view of a stack that was just read."""
        return cls(stack, seen).arranged()

    @property
    def source(self) -> IndexedSource | None:
        """The chosen source."""
        return self.rows[self.at] if self.rows else None

    @property
    def on_screen(self) -> Sequence[IndexedSource]:
        """The sources whose rows are shown, or would be behind a page."""
        return self.rows[self.top : self.top + self.room]

    def refreshed(self, seen: StackSnapshot) -> Self:
        """Return the view after a refresh."""
        return replace(self, seen=seen, missed="").arranged()

    def beating(self, beats: Mapping[Name, Sequence[Beat]]) -> Self:
        """Return the view with the beats of its sources."""
        return replace(self, seen=replace(self.seen, beats=beats))

    def answered(self, said: str, *, is_bad: bool = False) -> Self:
        """Return the view with the answer of its command."""
        return replace(self, doing="", said=said, is_bad=is_bad)

    def failed(self, why: str) -> Self:
        """Return the view after a refresh that failed: what is shown stays."""
        return replace(self, missed=why)

    def opened(self, page: TextPage) -> Self:
        """Return the view with the page that its command has read."""
        return replace(self, doing="", page=page)

    def paused(self, source: IndexedSource, until: str | None) -> Self:
        """Return the view after a pause of a source, or after the end of one."""
        pauses = {**self.pauses, name_of(source): (until, self.seen.index.written_at)}
        return replace(self, pauses=pauses).arranged()

    def moved(self, by: int) -> Self:
        """Return the view with a source further down, or up, chosen."""
        at = max(0, min(self.at + by, len(self.rows) - 1))
        return replace(self, at=at, chosen=name_of(self.rows[at]) if self.rows else None)

    def filtered(self, words: str) -> Self:
        """Return the view with another filter."""
        return replace(self, words=words[:MOST_TYPED]).arranged()

    def arranged(self) -> Self:
        """Return the view with its rows: filtered and sorted, pauses of this view included."""
        index = self.seen.index
        pauses = {
            name: (until, written_at)
            for name, (until, written_at) in self.pauses.items()
            if written_at == index.written_at
        }
        sources = [
            each.paused(pauses[name_of(each)][0]) if name_of(each) in pauses else each
            for each in index.sources
        ]
        rows = [each for each in by_need(sources) if _has(each, self.words)]
        if self.chosen is None:
            # The list is read from its top until somebody moves.
            return replace(self, pauses=pauses, sources=sources, rows=rows, at=0)
        names = [name_of(each) for each in rows]
        at = names.index(self.chosen) if self.chosen in names else self.at
        placed = replace(self, pauses=pauses, sources=sources, rows=rows, at=at)
        return placed.moved(0)


def _has(source: IndexedSource, words: str) -> bool:
    """Return whether all words of a filter are in the id, the name, the list or the health."""
    name = source.entry.get("name")
    text = f"{source.id} {name} {source.listed} {health(source)}".casefold()
    return all(word in text for word in words.casefold().split())
