"""The result of a sync of a registry: adds, updates, deletions. Pure and total (R3, R8, R9)."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from uring.extract.spelling import title_letters
from uring.regulations.values import PolicyRow, RegulationEntry


@dataclass(frozen=True, slots=True)
class Stats:
    """The counts of one sync; a rename counts as an update, a return as an add."""

    total_scanned: int
    added: int
    updated: int
    deleted: int


@dataclass(frozen=True, slots=True)
class SyncResult:
    """The document's ``SyncResult``, and more from the page.

    Attributes:
        to_add: new and returned regulations.
        to_update: regulations with another file or another title.
        to_delete: titles that are proven to be gone.
        stats: the counts of these.
        renamed: the old title by the new one.
        absent: missing titles that are not proven to be gone.
        entries: an entry for every row, in the page's order; a change of an address alone is only
            here.
    """

    to_add: tuple[RegulationEntry, ...]
    to_update: tuple[RegulationEntry, ...]
    to_delete: tuple[str, ...]
    stats: Stats
    renamed: Mapping[str, str]
    absent: tuple[str, ...]
    entries: tuple[RegulationEntry, ...]


def sync(
    current: Sequence[PolicyRow],
    active: Mapping[str, RegulationEntry],
    now: str,
    *,
    archived: Collection[str] = (),
    absent_before: Collection[str] = (),
    shown: Collection[str] = (),
    is_complete: bool = True,
) -> SyncResult:
    """Compare a page with the registry.

    Args:
        current: the page's rows, each title once.
        active: the registry's active entries by title.
        now: for ``lastUpdated``, ISO 8601.
        archived: titles with a tombstone; a listed one returns.
        absent_before: titles that were missing long enough ago; missing again, they are deleted.
        shown: titles in unreadable rows: they are not missing.
        is_complete: whether every row's title was read. False deletes nothing: an unread row may
            be any missing title.
    """
    listed = {row.title for row in current}
    gone = [title for title in active if title not in listed and title not in shown]
    renamed = _renamed(current, active, gone, archived)
    entries, to_add, to_update = [], [], []
    for row in current:
        known = active.get(renamed.get(row.title, row.title))
        entry = RegulationEntry(**row.model_dump(), last_updated=now)
        if known is None:
            to_add.append(entry)
        elif row.title in renamed or not known.is_same_file(row):
            to_update.append(entry)
        elif entry == known.model_copy(update={"last_updated": now}):
            entry = known
        entries.append(entry)
    missing = [title for title in gone if title not in renamed.values()]
    proven = tuple(title for title in missing if is_complete and title in absent_before)
    absent = (title for title in missing if is_complete or title in absent_before)
    return SyncResult(
        tuple(to_add),
        tuple(to_update),
        proven,
        Stats(len(current), len(to_add), len(to_update), len(proven)),
        renamed,
        tuple(title for title in absent if title not in proven),
        tuple(entries),
    )


def squeezed(title: str) -> str:
    """Return a title without white space: sites add and drop it."""
    return "".join(title.split())


def _renamed(
    current: Sequence[PolicyRow],
    active: Mapping[str, RegulationEntry],
    gone: Iterable[str],
    archived: Collection[str],
) -> dict[str, str]:
    """Return the old title by the new one: by fileNo, else without spaces, else by letters.

    A fileNo names a regulation only if one title had the file, and one has it, of all titles that
    are not yet matched: a file may hold several regulations. Letters count among all titles, for
    some sites list every revision of a regulation, with its date. Of several new titles with the
    same spelling, or in the file of one old title, the first one goes on.
    """
    new = {row.title for row in current if row.title not in active and row.title not in archived}
    left = dict.fromkeys(gone)
    renamed: dict[str, str] = {}

    def match(old_titles: Mapping[str, str], titles: Mapping[str, str]) -> None:
        for key, title in titles.items():
            old = old_titles.get(key)
            if old in left and title in new:
                renamed[title] = old
                del left[old]
                new.remove(title)

    def had_file() -> Mapping[str, str]:
        matched = {*renamed.values()}
        return _once((active[title].file_no, title) for title in active if title not in matched)

    match(had_file(), _once((row.file_no, row.title) for row in current))
    match(
        _once((squeezed(title), title) for title in left),
        _first((squeezed(row.title), row.title) for row in current if row.title in new),
    )
    match(
        _once((title_letters(title), title) for title in active),
        _once((title_letters(row.title), row.title) for row in current),
    )
    # A title that was in the registry stands before new ones: it may have moved into the file.
    rows = sorted(current, key=lambda row: row.title in new)
    match(had_file(), _first((row.file_no, row.title) for row in rows if row.title not in renamed))
    return renamed


def _once(titles: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return titles by their keys; titles with the same key are left out."""
    pairs = [*titles]
    counts = Counter(key for key, _ in pairs)
    return {key: title for key, title in pairs if counts[key] == 1}


def _first(titles: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return titles by their keys: of titles with the same key, the first."""
    return dict(reversed([*titles]))
