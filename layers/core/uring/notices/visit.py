"""What a site shows now: robots.txt, the list, further pages where needed, all of it judged.

page 1 ─ same bytes? ─► unchanged
   └► read ─► nothing known among its normal rows? ─► page 2, 3 … ─► judge ─► notices
"""

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from uring.errors import FetchFailed, SuspectPage
from uring.fetch import Request, Response, robots
from uring.fetch.robots import Fetches
from uring.notices.config import Source
from uring.notices.guards import explained, judge_change, judge_empty, judge_page
from uring.notices.item import NoticeItem
from uring.notices.page import Page, read_page
from uring.notices.paging import page_of
from uring.notices.site import request_for, text_of
from uring.records.model import Known, Permission, SourceState, Validators

VISIT_SECONDS = 30
"""For all requests of one visit together: the function has other sources to visit."""

# A page that is not there, or has no rows.
_PAST_THE_END = frozenset({"no_rows", "not_found", "rejected"})

Recall = Callable[[frozenset[str]], Mapping[str, Known]]


@dataclass(slots=True)
class Visit:
    """One visit of a site, filled as far as it got.

    Attributes:
        source: the entry.
        state: the committed state.
        recall: looks ids up that the state has spilled.
        deadline: of all its requests together, by the visitor's clock.
        requests: HTTP requests made so far, failed ones included.
        permission: a fresh word of robots.txt, or None where the state's still holds.
        unchanged: page 1 has the bytes of the committed one: nothing was read.
        items: the notices, each id once.
        recalled: what the ``.seen`` object knows of those that are not in the state.
        rows: how many rows were read.
        skipped: how many of them could not be (N23).
        fingerprint: of the entry and the bytes, for the state.
        validators: for the next conditional request.
    """

    source: Source
    state: SourceState
    recall: Recall
    deadline: float = 0.0
    requests: int = 0
    permission: Permission | None = None
    unchanged: bool = False
    items: tuple[NoticeItem, ...] = ()
    recalled: dict[str, Known] = field(default_factory=dict)
    rows: int = 0
    skipped: int = 0
    fingerprint: str = ""
    validators: Validators = field(default_factory=Validators)

    @property
    def reread(self) -> bool:
        """Whether other rules read what the state holds."""
        return self.state.reading not in ("", self.source.reading)

    @property
    def edited(self) -> bool:
        """Whether the entry is another than that of the state, in whatever way."""
        return not self.state.fingerprint.startswith(f"{self.source.fingerprint}:")


class Visitor:
    """Visits sites; safe to share between threads.

    Args:
        fetcher: the guarded HTTP client.
        monotonic: seconds of a clock that never goes back.
    """

    def __init__(
        self, fetcher: Fetches, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._fetcher = fetcher
        self._monotonic = monotonic
        # One page's tree in memory at a time: the interpreter parses one at a time anyway.
        self._reading = threading.Lock()

    def visit(self, visit: Visit, now: datetime) -> None:
        """Fill ``visit``.

        Raises:
            FetchFailed: no usable answer, or robots.txt forbids it.
            SuspectPage: an answer that must not be believed.
            Retryable: the ``.seen`` object could not be read.
        """
        source, state = visit.source, visit.state
        visit.deadline = self._monotonic() + VISIT_SECONDS
        self._ask_permission(visit, now)
        validators = Validators() if visit.edited else state.validators
        response = self._fetch(visit, request_for(source, validators))
        visit.fingerprint = _fingerprint(source, response.body)
        if response.status == 304 or visit.fingerprint == state.fingerprint:  # noqa: PLR2004
            visit.unchanged = True
            return
        visit.validators = Validators(etag=response.etag, last_modified=response.last_modified)
        today = now.astimezone(ZoneInfo(source.zone)).date()
        page, text = self._read(visit, response, today)
        self._further(visit, page.items, today)
        judge_page(source.expect, text, page.items)
        if state.baseline_at is not None and not visit.reread:
            judge_change(
                state,
                visit.items,
                {*state.known, *visit.recalled},
                paged=source.paging is not None,
            )

    def _ask_permission(self, visit: Visit, now: datetime) -> None:
        source, known = visit.source, visit.state.permission
        if not source.request.honour_robots:
            return
        if robots.due(known, source.fingerprint, now):
            try:
                known = robots.ask(lambda request: self._fetch(visit, request), source, now)
            except FetchFailed:
                # What was read last holds while the file cannot be read (RFC 9309, 2.4).
                if known is None or known.entry != source.fingerprint:
                    raise
            else:
                visit.permission = known
        if known is not None and not known.allowed:
            raise FetchFailed(
                "robots",
                "robots.txt does not want this address to be fetched; ask the site's operator, and "
                "with the permission set request.honour_robots to false",
            )

    def _fetch(self, visit: Visit, request: Request) -> Response:
        left = visit.deadline - self._monotonic()
        if left < 1:
            raise FetchFailed(
                "timeout",
                f"robots.txt and pages took {VISIT_SECONDS} s together; lower paging.most if the "
                "site is slow",
            )
        visit.requests += 1
        timeout = min(request.timeout_seconds, left)
        response = self._fetcher.fetch(replace(request, timeout_seconds=timeout))
        visit.requests += response.requests - 1
        return response

    def _read(self, visit: Visit, response: Response, today: date) -> tuple[Page, str]:
        """Read page 1; twice where dates hang on when a recalled notice was first seen."""
        page, text = self._page(visit.source, response, today, self._first_seen(visit))
        if self._recalled(visit, page.items) and visit.source.dates_need_first_seen:
            page, text = self._page(visit.source, response, today, self._first_seen(visit))
        self._take(visit, page)
        return page, text

    def _further(self, visit: Visit, first: Sequence[NoticeItem], today: date) -> None:
        """Page on until a known notice stands in the normal list (N21)."""
        source, state = visit.source, visit.state
        if source.paging is None:
            return
        permission = visit.permission or state.permission
        if source.request.honour_robots and permission is not None and not permission.paging:
            return
        if all(item.is_pinned for item in first):
            # What is new stands on a page that these bytes say nothing about.
            visit.fingerprint, visit.validators = _fingerprint(source, None), Validators()
        number = 1
        while number < source.paging.most and not self._continued(visit):
            number += 1
            entry = page_of(source, number)
            try:
                response = self._fetch(visit, request_for(entry))
                page = self._further_page(entry, response, today, self._first_seen(visit))
            except (FetchFailed, SuspectPage) as trouble:
                if trouble.reason in _PAST_THE_END:
                    return
                raise
            fresh = {item.id for item in page.items} - {item.id for item in visit.items}
            if not fresh:
                # Past the end, or the site does not know the parameter.
                return
            self._recalled(visit, page.items)
            self._take(visit, page)

    def _further_page(
        self, source: Source, response: Response, today: date, first_seen: Mapping[str, date]
    ) -> Page:
        with self._reading:
            text = text_of(source, response.body, response.content_type)
            return read_page(source, text, response.url, today, first_seen)

    def _page(
        self, source: Source, response: Response, today: date, first_seen: Mapping[str, date]
    ) -> tuple[Page, str]:
        with self._reading:
            text = text_of(source, response.body, response.content_type)
            try:
                page = read_page(source, text, response.url, today, first_seen)
                if not page.rows:
                    judge_empty(source.expect, text)
            except SuspectPage as trouble:
                raise explained(trouble, text) from None
            return page, text

    def _recalled(self, visit: Visit, items: Iterable[NoticeItem]) -> bool:
        """Look up what the state does not know; whether anything was found."""
        strangers = frozenset(
            item.id
            for item in items
            if item.id not in visit.state.known and item.id not in visit.recalled
        )
        if not visit.state.spilled or not strangers:
            return False
        found = visit.recall(strangers)
        visit.recalled.update(found)
        return bool(found)

    def _first_seen(self, visit: Visit) -> dict[str, date]:
        if not visit.source.dates_need_first_seen:
            return {}
        zone = ZoneInfo(visit.source.zone)
        return {
            key: datetime.fromisoformat(record.first_seen).astimezone(zone).date()
            for key, record in (visit.state.known | visit.recalled).items()
        }

    def _take(self, visit: Visit, page: Page) -> None:
        known = {item.id: item for item in visit.items}
        for item in page.items:
            earlier = known.setdefault(item.id, item)
            if item.is_pinned and not earlier.is_pinned:
                known[item.id] = replace(earlier, is_pinned=True)
        visit.items = tuple(known.values())
        visit.rows += len(page.rows)
        visit.skipped += page.skipped

    def _continued(self, visit: Visit) -> bool:
        """Whether the normal list has been reached, and in it what was known before, if anything.

        Pinned rows prove nothing: they stay while the list below them moves on.
        """
        normal = [item.id for item in visit.items if not item.is_pinned]
        if visit.state.baseline_at is None or visit.reread:
            return bool(normal)
        return any(key in visit.state.known or key in visit.recalled for key in normal)


def _fingerprint(source: Source, body: bytes | None) -> str:
    digest = "" if body is None else hashlib.blake2b(body, digest_size=16).hexdigest()
    return f"{source.fingerprint}:{digest}"
