"""The records, pushes and texts of a correct reader of a registry, day by day.

It reads the model's pages by the document's rules, and takes the files from the script.

    page of a day ─► believed? ─► rows ─► added, revised, renamed, returned, gone twice ─► events
                                                       └─► files to parse ─► texts, differences
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from uring_local.sites.registry.model import (
    SILENT,
    Fate,
    File,
    Page,
    Registry,
    Row,
    changes,
    in_force_of_change,
)
from uring_local.sites.registry.supplements import InForce

MOST_GONE_PERCENT: Final = 20
SILENTLY_REPLACED: Final = "silently_replaced"
_MARK: Final = re.compile(r"<개정[^<>]*>$")
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
    """A push that is due.

    Attributes:
        articles: number of changed articles and supplements of a text.
        files: the old and new fileNo of a changed text, as in ``870-911``.
        in_force: when the changed text comes into force.
        cause: ``silently_replaced`` for other words under the same number; else empty.
    """

    registry: str
    kind: str
    title: str
    day: int
    articles: int = 0
    files: str = ""
    in_force: InForce = InForce()
    cause: str = ""


class TextChange(NamedTuple):
    """The difference of two files of a regulation.

    Attributes:
        files: their numbers, as in ``870-911``.
        title: of the regulation at that time.
        changes: the kind of change of each article and supplement, by key.
    """

    files: str
    title: str
    changes: Mapping[str, str]
    in_force: InForce

    @property
    def name(self) -> str:
        """A name of its own: two regulations may change between the same files."""
        return f"{self.files} {self.title}"


class Text(NamedTuple):
    """A file that was read, and the title of its regulation at that time."""

    file: File
    title: str


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


@dataclass
class Journal:
    """The journal of a registry, kept from page to page.

    Attributes:
        files: of the script, by number; a day's files must be in it on that day.
        known: regulations by title; a renamed one has its last title only.
        former: earlier titles of renamed regulations.
        dead_letters: by title.
        runs: the records of the runs, by day.
        texts: by fileNo, each with the title under which it was read last.
        differences: by name.
        asked_on: the last day on which a file was asked for, by its number.
    """

    registry: Registry
    files: Mapping[str, File]
    known: dict[str, Known] = field(default_factory=dict)
    former: set[str] = field(default_factory=set)
    dead_letters: dict[str, DeadLetter] = field(default_factory=dict)
    runs: dict[int, dict[str, Any]] = field(default_factory=dict)
    pushes: Counter[Push] = field(default_factory=Counter)
    texts: dict[str, Text] = field(default_factory=dict)
    differences: dict[str, TextChange] = field(default_factory=dict)
    asked_on: dict[str, int] = field(default_factory=dict)
    _parsed: dict[str, File] = field(default_factory=dict)
    _doubts: dict[str, tuple[int, File]] = field(default_factory=dict)

    def copy(self) -> "Journal":
        """Return a journal that goes on by itself from here."""
        shared = ("registry", "files")
        own = {name: copy(value) for name, value in vars(self).items() if name not in shared}
        return replace(self, **own)

    def fail(self, day: int) -> None:
        """Expect a failed run on a day, and nothing of its page."""
        self.runs[day] = run_record("failed", errorCount=1)

    @property
    def active(self) -> dict[str, Known]:
        """The regulations in force, by title."""
        return {title: known for title, known in self.known.items() if known.is_active}

    def observe(self, day: int, page: Page) -> None:
        """Take in the page of a day; days must come in order."""
        numbers = {title: known.row.file_no for title, known in self.active.items()}
        rows, skipped = readable(page.served, numbers)
        if page.trouble in SILENT or self._is_suspect(rows):
            self.fail(day)
            return
        # A row without a title may be any of the missing ones.
        is_complete = all(row.title for row in page.served if not row.is_comment)
        events = self._sync(day, rows, is_complete=is_complete)
        self.runs[day] = run_record(
            "partial" if skipped else "success",
            totalProcessed=len(rows),
            errorCount=skipped,
            added=events["new"] + events["returned"] + events["baseline"],
            updated=events["edited"] + events["renamed"],
            deleted=events["deleted"],
        )

    def asked(
        self, day: int, numbers: frozenset[str], letters: Collection[str] | None = None
    ) -> None:
        """Take in the files that were asked for on a day, after its page.

        A file with other words counts when they are read on a second day. A dead letter whose file
        can be read is settled.

        Args:
            day: the day.
            numbers: of the files.
            letters: titles of the stored dead letters; None if nobody looked. They tell which title
                a file was read for that two titles name, a missing row's and a new one's.
        """
        letters = {*self.dead_letters} if letters is None else letters
        self.asked_on |= dict.fromkeys(numbers, day)
        listed = {known.row.file_no for known in self.active.values() if not known.absent}
        for title, known in self.active.items():
            file = self.files[known.row.file_no]
            is_shared = known.absent and file.number in listed
            is_settled = title in self.dead_letters and title not in letters
            is_asked = file.number in numbers and (is_settled or not is_shared)
            if not is_asked or self._fate(file, day) in _DEAD_LETTERS:
                continue
            if title in self.dead_letters:
                self._parse(day, known.row)
            elif self._parsed[title].number == file.number and self._parsed[title] != file:
                first, words = self._doubts.get(title, (day, file))
                self._doubts[title] = (first, file) if words == file else (day, file)
                if first < day and words == file:
                    self._parse(day, known.row, SILENTLY_REPLACED)

    def unasked(self, day: int, nights: int) -> Iterator[str]:
        """Yield a sentence for each listed file that was not asked for in these nights."""
        for title, known in self.active.items():
            last = max(self.asked_on.get(known.row.file_no, 0), known.updated)
            if not known.absent and day - last > nights:
                yield f"{title}: {known.row.file_no} was last asked for on day {last}"

    def _is_suspect(self, rows: Mapping[str, Row]) -> bool:
        """Return whether a list is suspect: empty, or over 20 % of the titles are gone.

        A title that was gone on the day before counts, too.
        """
        active = self.active
        gone = [title for title in active if title not in rows]
        gone = [title for title in gone if not _successor(active[title].row, rows, self.known)]
        return not rows or len(gone) * 100 > MOST_GONE_PERCENT * len(active) > 0

    def _sync(self, day: int, rows: Mapping[str, Row], *, is_complete: bool) -> Counter[str]:
        """Record new and gone regulations; return the number of events of each kind."""
        is_baseline = not self.known
        events: Counter[str] = Counter()
        for title, known in self.active.items():
            heir = None if title in rows else _successor(known.row, rows, self.known)
            if heir is not None:
                events["renamed"] += 1
                self._rename(day, known, heir)
        for title, row in rows.items():
            known_before = self.known.get(title)
            kind = "baseline" if is_baseline else self._kind(known_before, row)
            if kind:
                events[kind] += 1
                self._push(day, kind, row)
                self.known[title] = Known(row, day)
                self.former.discard(title)
                self._parse(day, row)
            elif known_before is not None:
                relinked = known_before.relinked if known_before.row.key == row.key else day
                self.known[title] = replace(known_before, row=row, relinked=relinked, absent=0)
        for title, known in self.active.items():
            if title not in rows and is_complete:
                gone = replace(known, absent=known.absent + 1)
                if gone.absent >= _ABSENT_RUNS:
                    gone = replace(gone, is_active=False, updated=day)
                    events["deleted"] += 1
                    self._push(day, "deleted", known.row)
                    self.dead_letters.pop(title, None)
                self.known[title] = gone
        return events

    def _rename(self, day: int, known: Known, row: Row) -> None:
        old = known.row.title
        del self.known[old]
        self.former.add(old)
        self.former.discard(row.title)
        self.known[row.title] = Known(row, day)
        self._push(day, "renamed", row)
        if old in self._parsed:
            self._parsed[row.title] = self._parsed.pop(old)
        self._doubts.pop(old, None)
        # The file is read again, since its text names the regulation.
        self.dead_letters.pop(old, None)
        self._parse(day, row)

    def _kind(self, known: Known | None, row: Row) -> str:
        """Return the kind of a row's event, empty for none; changed links are not an event."""
        if known is None:
            return "returned" if row.title in self.former else "new"
        if not known.is_active:
            return "returned"
        return "edited" if known.row.file_no != row.file_no else ""

    def _push(self, day: int, kind: str, row: Row, **more: Any) -> None:
        if kind != "baseline":
            self.pushes[Push(self.registry.id, kind, row.title, day, **more)] += 1

    def _parse(self, day: int, row: Row, cause: str = "") -> None:
        """Take in the result of parsing a row's file on a day, after all its tries."""
        file = self.files[row.file_no]
        self._doubts.pop(row.title, None)
        fate = self._fate(file, day)
        if fate in _DEAD_LETTERS:
            self.dead_letters[row.title] = _DEAD_LETTERS[fate]
            return
        self.dead_letters.pop(row.title, None)
        self.texts[file.number] = Text(file, row.title)
        before = self._parsed.get(row.title)
        self._parsed[row.title] = file
        if before is None:
            return
        changed, force = changes(before, file), in_force_of_change(before, file)
        if changed:
            files = f"{before.number}-{file.number}"
            difference = TextChange(files, row.title, changed, force)
            self.differences[difference.name] = difference
            more = {"files": files, "in_force": force, "cause": cause}
            self._push(day, "text_changed", row, articles=len(changed), **more)

    @staticmethod
    def _fate(file: File, day: int) -> Fate:
        fate = file.fate_on(day)
        # The preview of a page is its text.
        return "sound" if file.format == "html" and fate == "missing" else fate


def run_record(status: str, **counts: int) -> dict[str, Any]:
    """Return the published record of a run; its other counts are 0."""
    names = ("totalProcessed", "added", "updated", "deleted", "errorCount")
    return {"status": status, **dict.fromkeys(names, 0), **counts}


def readable(
    rows: Iterable[Row], numbers: Mapping[str, str] = MappingProxyType({})
) -> tuple[dict[str, Row], int]:
    """Return the believable rows by title, and the number of skipped rows.

    Rows in comments and exact repeats are in neither. Of rows with one title, the row with its
    known fileNo counts, or else the first.

    Args:
        rows: in the page's order.
        numbers: the known fileNo by title.
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
            if row.file_no == numbers.get(row.title):
                good[row.title] = row
    return good, skipped


def _successor(old: Row, rows: Mapping[str, Row], known: Mapping[str, Known]) -> Row | None:
    """Return the row of a renamed regulation: with its file, or with its title in another spelling.

    None without such a row; the file has precedence. A known title, in force or deleted, is no
    other's new name.
    """
    unknown = [row for row in rows.values() if row.title not in known]
    same_file = [row for row in unknown if row.file_no == old.file_no]
    same_title = [row for row in unknown if _squeezed(row.title) == _squeezed(old.title)]
    return next(iter([*same_file, *same_title]), None)


def _squeezed(title: str) -> str:
    """Return a title without spaces and without a mark of amendment at its end."""
    return _MARK.sub("", "".join(title.split()))
