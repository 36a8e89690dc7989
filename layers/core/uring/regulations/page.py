"""A visit of a registry: robots.txt, the page, its rows; all are judged."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from uring.changes.history.refused import RefusedAnswer
from uring.errors import SourceTrouble, SuspectPage
from uring.extract.spelling import folded, title_letters
from uring.fetch.http import Fetches, Response
from uring.fetch.robots import RobotsDecision
from uring.reading.extract import VALUE_LIMIT, UnreadableField, required
from uring.reading.lists.rows import RowNode
from uring.reading.rules import ValueRule
from uring.reading.text import shorten
from uring.regulations.revision import REVISION_LIMIT, revision_of
from uring.regulations.source import Registry
from uring.regulations.state import RegistryState
from uring.regulations.values import PolicyRow, RegulationEntry
from uring.sources.guards import Nouns, accept, diagnosed, judge_page, judge_rows
from uring.sources.refusal import Cells, refusal
from uring.sources.requests import Requests, ask_page
from uring.sources.rows import Links, Page, Row, read_rows

VISIT_SECONDS: Final = 40
TITLE_LIMIT: Final = 190
"""Characters of a title: it becomes part of keys."""

NOUNS: Final = Nouns("regulations", "registry")
# A fileNo is part of keys and addresses.
_DIGITS: Final = re.compile(r"[0-9]{1,20}\Z")


@dataclass(frozen=True, slots=True)
class RegistryPage:
    """A registry's page, read and judged.

    Attributes:
        policies: each title once.
        rows: the number of rows, unreadable ones included.
        skipped: the reasons of skipped rows (R6).
        shown: titles of known regulations that occur in unreadable rows.
        is_complete: False where an unreadable row may show any title.
    """

    policies: tuple[PolicyRow, ...]
    rows: int
    skipped: tuple[str, ...]
    shown: frozenset[str]
    is_complete: bool


@dataclass(frozen=True, slots=True)
class RegistryVisit:
    """The result of a visit: a page or trouble, never both; ``refused`` is a page not believed."""

    page: RegistryPage | None
    trouble: SourceTrouble | None
    requests: int
    permission: RobotsDecision | None
    refused: RefusedAnswer | None = None


class RegistryVisitor:
    """The visitor of registries; safe to share between threads.

    Args:
        fetcher: the guarded HTTP client.
        monotonic: seconds of a clock that never goes back.
    """

    def __init__(
        self, fetcher: Fetches, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._fetcher = fetcher
        self._monotonic = monotonic

    def visit(self, registry: Registry, state: RegistryState, now: datetime) -> RegistryVisit:
        """Return the page or the trouble. The page is read in full daily: absence counts days."""
        requests = Requests(self._fetcher, self._monotonic, VISIT_SECONDS)
        permission, page, trouble = state.permission, None, None
        response, refused = None, None
        try:
            permission, response, text = ask_page(registry, permission, requests, now)
            page = read_registry(registry, text, response.url, state.active)
            # Edited rules may read half a page; only a new epoch accepts a loss.
            if state.baseline_at is not None and state.epoch == registry.epoch:
                _judge_absence(registry, state, page)
        except SourceTrouble as caught:
            page, trouble = None, caught
            if response is not None and isinstance(caught, SuspectPage):
                refused = _refusal(registry, caught, response)
        return RegistryVisit(page, trouble, requests.sent, permission, refused)


def _refusal(registry: Registry, trouble: SuspectPage, response: Response) -> RefusedAnswer:
    return refusal(
        registry,
        trouble,
        response,
        lambda text: rows_of(registry, text, response.url),
        lambda policy: Cells(policy.file_no, policy.title),
    )


def read_registry(
    registry: Registry, text: str, url: str, known: Mapping[str, RegulationEntry] | None = None
) -> RegistryPage:
    """Read a registry's page and judge it.

    Args:
        registry: the config entry.
        text: the decoded page.
        url: its final address, after redirects.
        known: the active regulations by title. Of several rows with one title, the row with the
            known file is read, wherever it stands.

    Raises:
        SuspectPage: as `read_rows`, `judge_rows` and `judge_page`.
    """
    page = rows_of(registry, text, url)
    try:
        judge_rows(registry, page)
    except SuspectPage as trouble:
        raise diagnosed(trouble, text) from None
    judge_page(registry.expect, text, page.items, NOUNS)
    known = known or {}
    chosen = _chosen(page, known)
    skipped = [f"row {row.index}: {row.reason}" for row in page.rows if row.item is None]
    skipped += [
        f"row {row.index}: title: {shorten(row.item.title, 60)!r} is also that of row "
        f"{chosen[row.item.title][0]}, with another file; ask the site's operator"
        for row in page.rows
        if row.item and not row.item.is_same_file(chosen[row.item.title][1])
    ]
    unread = [row for row in page.rows if row.item is None]
    texts = [folded(row.text) for row in unread]
    return RegistryPage(
        tuple(chosen[policy.title][1] for policy in page.items),
        len(page.rows),
        tuple(skipped),
        frozenset(
            title for title in known if any(title_letters(title) in shown for shown in texts)
        ),
        not any(_may_be_any(row) for row in unread),
    )


def _chosen(
    page: Page[PolicyRow], known: Mapping[str, RegulationEntry]
) -> dict[str, tuple[int, PolicyRow]]:
    """Return the row of each title, with its index: with the known file, or else the first."""
    chosen: dict[str, tuple[int, PolicyRow]] = {}
    for row in page.rows:
        if row.item is None:
            continue
        title, entry = row.item.title, known.get(row.item.title)
        is_known = entry is not None and row.item.is_same_file(entry)
        if title not in chosen or (is_known and not chosen[title][1].is_same_file(row.item)):
            chosen[title] = (row.index, row.item)
    return chosen


def _may_be_any(row: Row[PolicyRow]) -> bool:
    """Return whether an unreadable row may show any title: its title failed, or its text is cut."""
    return (row.reason or "").startswith("title:") or row.text.endswith("…")


def rows_of(registry: Registry, text: str, url: str) -> Page[PolicyRow]:
    """Read a page without any judgement: it shows every row to people.

    Raises:
        SuspectPage: as `read_rows`.
    """
    fields = registry.fields

    def read(row: RowNode, links: Links) -> PolicyRow:
        title = required(row, "title", fields.title)
        if len(title) > TITLE_LIMIT:
            raise UnreadableField(
                f"title: {shorten(title, 60)!r} is longer than {TITLE_LIMIT} characters; "
                "narrow it with fields.title.pattern"
            )
        file_no = required(row, "file_no", fields.file_no)
        if not _DIGITS.match(file_no):
            raise UnreadableField(
                f"file_no: {shorten(file_no, 60)!r} is not a number; correct fields.file_no"
            )
        revision = "" if fields.revision is None else _revision(row, fields.revision)
        preview = links.read(row, "preview", fields.preview, file_no)
        download = links.read(row, "download", fields.download, file_no)
        return PolicyRow(
            title=title,
            file_no=file_no,
            file_revision=revision,
            preview_url=preview,
            download_url=download,
        )

    return read_rows(registry, text, url, read, lambda policy: policy.title)


def _revision(row: RowNode, rule: ValueRule) -> str:
    """Return the revision of a row. A row without one is skipped: it would be one more revision."""
    text = required(row, "revision", rule)
    revision = revision_of(text) if len(text) <= VALUE_LIMIT else ""
    if not revision or len(revision) > REVISION_LIMIT:
        raise UnreadableField(
            f"revision: {shorten(text, 60)!r} has no letter or digit, or more than "
            f"{REVISION_LIMIT}; narrow it with fields.revision.pattern"
        )
    return revision


def _judge_absence(registry: Registry, state: RegistryState, page: RegistryPage) -> None:
    """Refuse a page on which too many known regulations are missing (R8).

    Regulations whose loss the last epoch accepted do not count.

    Raises:
        SuspectPage: ``too_few_rows``: more than ``gone_percent`` of the active ones.
    """
    listed = {policy.title for policy in page.policies} | page.shown
    files = {policy.file_no for policy in page.policies}
    active = state.active
    # As `sync` takes them for renames.
    letters = {title_letters(title) for title in listed if title not in active}
    unaccepted = {since for since in state.absent.values() if since != state.accepted_at}
    gone = [
        title
        for title, entry in active.items()
        if title not in listed
        and state.absent.get(title) in (None, *unaccepted)
        and entry.file_no not in files
        and title_letters(title) not in letters
    ]
    if len(gone) * 100 > len(active) * registry.expect.gone_percent:
        raise SuspectPage(
            "too_few_rows",
            f"{len(gone)} of {len(active)} regulations are missing, such as "
            f"{shorten(gone[0], 60)!r}: the page may be cut off; {accept(NOUNS)}",
        )
