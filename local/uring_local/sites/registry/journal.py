"""The records, pushes and texts of a correct reader of a registry, day by day.

It reads the model's pages by the document's rules, and takes the files from the script.

    page of a day ─► believed? ─► rows ─► added, revised, renamed, returned, gone twice ─► events
                                                       └─► files to parse ─► texts, differences
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, NamedTuple

from uring_local.sites.registry.model import SILENT, Changed, Fate, File, Page, Registry, Row

MOST_GONE_PERCENT: Final = 20
_ABSENT_RUNS: Final = 2


class DeadLetter(NamedTuple):
    """A file that cannot be read.

    Attributes:
        reason: the reason that its message must name.
        tries: three, or one where a retry cannot help.
    """

    reason: str
    tries: int


_DEAD_LETTERS: Final[Mapping[Fate, DeadLetter]] = MappingProxyType(
    {
        "error_page": DeadLetter("wrong_format", 3),
        "missing": DeadLetter("not_found", 3),
        "encrypted": DeadLetter("encrypted", 1),
        "scanned": DeadLetter("no_text", 1),
        "bomb": DeadLetter("too_big", 1),
    }
)


class Push(NamedTuple):
    """A push that is due; for a changed text, with the number of changed articles."""

    registry: str
    kind: str
    title: str
    day: int
    articles: int = 0


@dataclass(frozen=True)
class Known:
    """The last record of a regulation.

    Attributes:
        updated: the day of its last event.
        relinked: the last day on which its links changed without an event; 0 without such a day.
        absent: number of complete runs in a row that did not show it.
    """

    row: Row
    updated: int
    is_active: bool = True
    relinked: int = 0
    absent: int = 0


@dataclass(frozen=True)
class Metadata:
    """The record of a run; a failed run has one error and no other counts."""

    status: str
    processed: int = 0
    added: int = 0
    updated: int = 0
    deleted: int = 0
    errors: int = 0


@dataclass
class Expected:
    """The expected records, events and pushes of a registry.

    Attributes:
        known: regulations by title; a renamed one has its last title only.
        former: earlier titles of renamed regulations.
        dead_letters: by title.
        runs: by day.
        events: number of events, by kind and title.
        texts: by fileNo.
        differences: of the articles, by old and new fileNo.
    """

    known: dict[str, Known] = field(default_factory=dict)
    former: set[str] = field(default_factory=set)
    dead_letters: dict[str, DeadLetter] = field(default_factory=dict)
    runs: dict[int, Metadata] = field(default_factory=dict)
    events: Counter[tuple[str, str]] = field(default_factory=Counter)
    pushes: Counter[Push] = field(default_factory=Counter)
    texts: dict[str, File] = field(default_factory=dict)
    differences: dict[tuple[str, str], Changed] = field(default_factory=dict)

    @property
    def active(self) -> dict[str, Known]:
        """The regulations in force, by title."""
        return {title: known for title, known in self.known.items() if known.is_active}


class Journal:
    """The journal of a registry, kept from page to page.

    Args:
        files: of the script, by number; a day's files must be in it on that day.
    """

    def __init__(self, registry: Registry, files: Mapping[str, File]) -> None:
        self._registry = registry
        self._files = files
        self._parsed: dict[str, File] = {}
        self.expected = Expected()

    def observe(self, day: int, page: Page) -> None:
        """Take in the page of a day; days must come in order."""
        rows, skipped = readable(page.served)
        if page.trouble in SILENT or self._is_suspect(rows):
            self.expected.runs[day] = Metadata("failed", errors=1)
            return
        # A row without a title may be any of the missing ones.
        is_complete = all(row.title for row in page.served if not row.is_comment)
        changes = self._sync(day, rows, is_complete=is_complete)
        self.expected.runs[day] = Metadata(
            "partial" if skipped else "success",
            processed=len(rows),
            errors=skipped,
            added=changes["new"] + changes["returned"] + changes["baseline"],
            updated=changes["edited"] + changes["renamed"],
            deleted=changes["deleted"],
        )

    def _is_suspect(self, rows: Mapping[str, Row]) -> bool:
        """Return whether a list is suspect: empty, or with over 20 % of the titles newly gone."""
        active = self.expected.active
        gone = [title for title in active if title not in rows and not active[title].absent]
        gone = [title for title in gone if not _successor(active[title].row, rows, active)]
        return not rows or len(gone) * 100 > MOST_GONE_PERCENT * len(active) > 0

    def _sync(self, day: int, rows: Mapping[str, Row], *, is_complete: bool) -> Counter[str]:
        """Record new and gone regulations; return the number of events of each kind."""
        expected = self.expected
        is_baseline = not expected.known
        changes: Counter[str] = Counter()
        for title, known in expected.active.items():
            heir = None if title in rows else _successor(known.row, rows, expected.active)
            if heir is not None:
                changes["renamed"] += 1
                self._rename(day, known, heir)
        for title, row in rows.items():
            known_before = expected.known.get(title)
            kind = "baseline" if is_baseline else _kind(known_before, row)
            if kind:
                changes[kind] += 1
                self._record(day, kind, row)
                expected.known[title] = Known(row, day)
                self._parse(day, row)
            elif known_before is not None:
                relinked = known_before.relinked if known_before.row.key == row.key else day
                known = replace(known_before, row=row, relinked=relinked, absent=0)
                expected.known[title] = known
        for title, known in expected.active.items():
            if title not in rows and is_complete:
                gone = replace(known, absent=known.absent + 1)
                if gone.absent >= _ABSENT_RUNS:
                    gone = replace(gone, is_active=False, updated=day)
                    changes["deleted"] += 1
                    self._record(day, "deleted", known.row)
                    expected.dead_letters.pop(title, None)
                expected.known[title] = gone
        return changes

    def _rename(self, day: int, known: Known, row: Row) -> None:
        expected, old = self.expected, known.row.title
        del expected.known[old]
        expected.former.add(old)
        expected.former.discard(row.title)
        expected.known[row.title] = Known(row, day)
        self._record(day, "renamed", row)
        if old in self._parsed:
            self._parsed[row.title] = self._parsed.pop(old)

    def _record(self, day: int, kind: str, row: Row, articles: int = 0) -> None:
        self.expected.events[kind, row.title] += 1
        if kind != "baseline":
            self.expected.pushes[Push(self._registry.id, kind, row.title, day, articles)] += 1

    def _parse(self, day: int, row: Row) -> None:
        """Take in the result of parsing a row's file on a day, after all its tries."""
        expected, file = self.expected, self._files[row.file_no]
        fate = file.fate_on(day)
        if file.format == "html" and fate == "missing":
            fate = "sound"  # its preview is the text
        if fate in _DEAD_LETTERS:
            expected.dead_letters[row.title] = _DEAD_LETTERS[fate]
            return
        expected.dead_letters.pop(row.title, None)
        expected.texts[file.number] = file
        before = self._parsed.get(row.title)
        self._parsed[row.title] = file
        if before is None or before.number == file.number:
            return
        changed = Changed.between(before, file)
        if changed.count:
            expected.differences[before.number, file.number] = changed
            self._record(day, "text_changed", row, changed.count)


def readable(rows: Iterable[Row]) -> tuple[dict[str, Row], int]:
    """Return the believable rows by title, and the number of skipped rows.

    Rows in comments and exact repeats are in neither.
    """
    good: dict[str, Row] = {}
    skipped = 0
    for row in rows:
        if row.is_comment:
            continue
        if not row.title or not row.file_no.isdigit():
            skipped += 1
        elif row.title not in good:
            good[row.title] = row
        elif good[row.title].file_no != row.file_no:
            skipped += 1
    return good, skipped


def _successor(old: Row, rows: Mapping[str, Row], active: Mapping[str, Known]) -> Row | None:
    """Return the row of a renamed regulation: with its file, or with its title apart from spaces.

    None without such a row; the file has precedence.
    """
    unknown = [row for row in rows.values() if row.title not in active]
    same_file = [row for row in unknown if row.file_no == old.file_no]
    same_title = [row for row in unknown if _squeezed(row.title) == _squeezed(old.title)]
    return next(iter([*same_file, *same_title]), None)


def _kind(known: Known | None, row: Row) -> str:
    """Return the kind of a row's event, empty for none; changed links are not an event."""
    if known is None:
        return "new"
    if not known.is_active:
        return "returned"
    return "edited" if known.row.file_no != row.file_no else ""


def _squeezed(text: str) -> str:
    return "".join(text.split())
