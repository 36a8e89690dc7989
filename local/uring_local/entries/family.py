"""The interface of a family with a configuration file, for the commands.

Each family is one subclass in its own module; its line in `uring_local.families` names it.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from uring.changes.shard import WHOLE, Shard
from uring.errors import SourceTrouble
from uring.functions import families
from uring.records.model import Event, Revision
from uring.sources.config import Entries, Judge, load_entries
from uring.sources.entry import E, F
from uring.sources.guards import Nouns, judge_rows
from uring.sources.problems.findings import ConfigFinding
from uring.sources.rows import Page, Row
from uring_local.entries.pages import doubled_pages, refused_pages

if TYPE_CHECKING:
    from bs4 import BeautifulSoup
    from rich.text import Text

    from uring_local.propose.guess import Guess
    from uring_local.propose.rows import Rows

I = TypeVar("I")  # noqa: E741 - an item


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes from a first page to a second.

    Attributes:
        before: the records after the first page, by id.
        events: in page order; ``push`` says whether an event is pushed.
        suspect: the reason why the second page is suspect, or None.
    """

    before: Mapping[str, Revision]
    events: tuple[Event, ...]
    suspect: SourceTrouble | None


class ConfiguredFamily(Generic[F]):
    """A family with a configuration file.

    Attributes:
        name: of the family.
        what: its file in words: ``the sitemap``.
        path: of that file, in the project and in the bucket.
        model: of an entry.
        title: of the file's JSON Schema.
        interval: the schema's constraints on ``interval_minutes``.
        adding: the remedy for an empty list.
    """

    name: ClassVar[str]
    what: ClassVar[str]
    path: ClassVar[Path]
    title: ClassVar[str]
    interval: ClassVar[Mapping[str, Any]] = {}
    adding: ClassVar[str]
    model: type[F]

    @property
    def key(self) -> str:
        """The key of the list of entries in the file: ``sources``."""
        return families.family(self.name).config

    def load(
        self, body: bytes, judge: Judge[F] = lambda *_: (), shard: Shard = WHOLE
    ) -> Entries[F]:
        """Return the usable entries of a file, and the problems of the others.

        Args:
            body: of the file.
            judge: see `load_entries`.
            shard: of the file.

        Raises:
            ConfigInvalid: the file as a whole is unreadable.
        """
        taken = families.folders_beside(self.name)
        return load_entries(
            body, self.model, key=self.key, what=self.what, taken=taken, judge=judge, shard=shard
        )

    def vain(
        self, sources: Mapping[int, F], allowed_hosts: Collection[str]
    ) -> Iterator[ConfigFinding]:
        """Yield a finding for each valid but useless entry: refused at every check, or doubled.

        Args:
            sources: the usable entries, by their place in the list.
            allowed_hosts: ``host:port`` of the private hosts that the deployed worker may ask.
        """
        del sources, allowed_hosts
        yield from ()


class FileFamily(ConfiguredFamily[E], ABC, Generic[E, I]):
    """A family whose entries are pages with rows.

    Attributes:
        noun: for one record: ``notice``.
        nouns: for judgements, see `uring.sources.guards.Nouns`.
        columns: of `uring try`, after the row's number.
        fields: the fields of a row that advice is given on.
        compared: the fields of a record whose changes `uring diff` shows.
    """

    adding = "`uring add URL --write` adds a source"
    noun: ClassVar[str]
    nouns: ClassVar[Nouns]
    columns: ClassVar[Sequence[str]]
    fields: ClassVar[Sequence[str]]
    compared: ClassVar[Sequence[str]]
    model: type[E]

    def vain(
        self, sources: Mapping[int, E], allowed_hosts: Collection[str]
    ) -> Iterator[ConfigFinding]:
        """See `ConfiguredFamily.vain`."""
        yield from refused_pages(self.key, sources, allowed_hosts)
        yield from doubled_pages(self.key, sources)

    @abstractmethod
    def read(self, source: E, text: str, url: str, today: date) -> Page[I]:
        """Return every row of a page, before any guard judges them.

        Args:
            source: the entry.
            text: the decoded page.
            url: its final address.
            today: in the source's zone.

        Raises:
            SuspectPage: the page cannot be parsed as the entry's kind. A page without rows is
                returned.
        """

    def judge(self, source: E, page: Page[I]) -> None:
        """Judge the rows as the worker does.

        Raises:
            SuspectPage: their number, their fields or their ids are not believed.
        """
        judge_rows(source, page)

    @abstractmethod
    def cells(self, item: I, row: Row[I]) -> Sequence["str | Text"]:
        """Return the cells of a read row, in the order of ``columns``."""

    @abstractmethod
    def document(self, item: I) -> dict[str, Any]:
        """Return the JSON object of an item."""

    @abstractmethod
    def compare(self, source: E, before: bytes, after: bytes) -> Comparison:
        """Run two pages through the engine, in memory.

        Raises:
            SourceTrouble: the first page is suspect, so there is nothing to compare with.
        """

    @abstractmethod
    def content(self, record: Revision) -> dict[str, Any]:
        """Return the public fields of a record."""

    @abstractmethod
    def guess(self, page: "BeautifulSoup", url: str, today: date) -> "Guess":
        """Propose rows and fields for a page that no preset reads."""

    def guess_json(self, answer: Any, url: str, today: date, link: str | None) -> "Guess":  # noqa: ARG002 - a subclass's
        """Propose rows and fields for a JSON answer; ``link`` is a notice's template, if given."""
        from uring_local.propose.guess import Guess  # noqa: PLC0415 - BeautifulSoup is slow

        return Guess({}, (f"a list of {self.nouns.records} is read from HTML alone",))

    def guess_state(self, page: "BeautifulSoup", today: date, link: str | None) -> "Guess":  # noqa: ARG002 - a subclass's
        """Propose rows and fields for the JSON in a page's scripts."""
        from uring_local.propose.guess import Guess  # noqa: PLC0415 - BeautifulSoup is slow

        return Guess({}, ())

    def advise(self, source: E, rows: "Rows", page: Page[I], today: date) -> Iterator[str]:  # noqa: ARG002 - a subclass's
        """Yield sentences on faults that only this family can have; the page has rows."""
        yield from ()

    def telling_rule(self, source: E, page: Page[I]) -> dict[str, Any] | None:  # noqa: ARG002
        """Return a rule for the id that tells records apart which share one; None without one."""
        return None

    def warn(self, source: E, page: Page[I], today: date) -> Iterator[str]:  # noqa: ARG002
        """Yield sentences on doubtful values in a feed or in JSON."""
        yield from ()
