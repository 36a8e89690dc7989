"""What a site shows now: robots.txt, the list, further pages where needed, all of it judged.

page 1 ─ same bytes? ─► unchanged
   └► read ─► nothing known among its normal rows? ─► page 2, 3 … ─► judge ─► notices
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from uring.changes.check import Observed
from uring.errors import FetchFailed, SourceTrouble, SuspectPage
from uring.fetch import Fetches, Response
from uring.fetch.robots import RobotsDecision
from uring.notices.guards import NOUNS, judge_change
from uring.notices.item import NoticeItem
from uring.notices.page import merged, read_page
from uring.notices.paging import page_of
from uring.notices.source import Source
from uring.notices.state import NoticeState
from uring.records.model import Known
from uring.sources.guards import diagnosed, judge_empty, judge_length, judge_page
from uring.sources.requests import Requests, ask_robots, obey, page_fingerprint
from uring.sources.rows import Page
from uring.sources.site import Validators, request_for, text_of

VISIT_SECONDS: Final = 30
"""For all requests of one visit together: the function has other sources to visit."""

_SLOW: Final = "lower paging.most if the site is slow"
# A page that is not there, or has no rows.
_PAST_THE_END: Final = frozenset({"no_rows", "not_found", "rejected"})

Lookup = Callable[[Collection[str]], Mapping[str, Known]]
"""Finds ids in the ``.seen`` object."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit of a site that showed something new.

    Attributes:
        items: the notices, each id once.
        recalled: what the ``.seen`` object knows of those that are not in the state.
        listed: how many notices are on page 1.
        rows: how many rows were read.
        skipped: how many of them could not be (N23).
        fingerprint: of the entry and the bytes, for the state.
        validators: for the next conditional request.
    """

    items: tuple[NoticeItem, ...]
    recalled: Mapping[str, Known]
    listed: int
    rows: int
    skipped: int
    fingerprint: str
    validators: Validators


@dataclass(frozen=True, slots=True)
class _Place:
    """A visit's goal, and what is known there."""

    source: Source
    state: NoticeState
    lookup: Lookup
    today: date

    @property
    def knows_board(self) -> bool:
        """True when these rules have read this board before."""
        is_known = self.state.baseline_at is not None
        return is_known and self.state.is_read_by(self.source.reading)

    def recall(self, items: Iterable[NoticeItem], known: Mapping[str, Known]) -> dict[str, Known]:
        """Return ``known`` and what the ``.seen`` object knows of ids unknown so far."""
        unknown = {item.id for item in items} - self.state.known.keys() - known.keys()
        if not self.state.spilled or not unknown:
            return dict(known)
        return {**known, **self.lookup(unknown)}

    def first_seen(self, recalled: Mapping[str, Known]) -> dict[str, date]:
        """Return the days on which notices were first seen, where their dates hang on it."""
        if not self.source.dates_need_first_seen:
            return {}
        zone = ZoneInfo(self.source.zone)
        return {
            key: datetime.fromisoformat(record.first_seen).astimezone(zone).date()
            for key, record in {**self.state.known, **recalled}.items()
        }


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

    def visit(
        self, source: Source, state: NoticeState, lookup: Lookup, now: datetime
    ) -> Observed[Visit]:
        """Return what the site shows; without data where it shows the same bytes, or trouble.

        Raises:
            Retryable: the ``.seen`` object could not be read.
        """
        requests = Requests(self._fetcher, self._monotonic, VISIT_SECONDS, _SLOW)
        place = _Place(source, state, lookup, now.astimezone(ZoneInfo(source.zone)).date())
        decision, visit, trouble = state.permission, None, None
        try:
            addresses = (source.url, page_of(source, 2).url if source.paging else source.url)
            decision = ask_robots(source, decision, requests, now, addresses)
            obey(source, decision)
            visit = self._look(place, requests, decision)
        except SourceTrouble as caught:
            trouble = caught
        remembered = {} if decision is state.permission else {"permission": decision}
        return Observed(visit, trouble, requests.sent, remembered=remembered)

    def _look(
        self, place: _Place, requests: Requests, decision: RobotsDecision | None
    ) -> Visit | None:
        source, state = place.source, place.state
        is_edited = not state.is_of(source.fingerprint)
        response = requests.fetch(
            request_for(source, Validators() if is_edited else state.validators)
        )
        fingerprint = page_fingerprint(source, response.body)
        if response.status == 304 or fingerprint == state.fingerprint:  # noqa: PLR2004
            return None
        page, text, recalled = self._read(place, response)
        visit = Visit(
            page.items,
            recalled,
            len(page.items),
            len(page.rows),
            page.skipped,
            fingerprint,
            Validators(etag=response.etag, last_modified=response.last_modified),
        )
        if source.paging is not None and _may_page(source, decision):
            visit = self._further(place, requests, visit)
        judge_page(source.expect, text, page.items, NOUNS)
        if place.knows_board:
            judge_length(state.listed, visit.listed, text if source.kind == "html" else "", NOUNS)
            judge_change(source.expect, state, visit.items, state.own(visit.recalled))
        return visit

    def _read(
        self, place: _Place, response: Response
    ) -> tuple[Page[NoticeItem], str, dict[str, Known]]:
        """Read page 1; twice where dates hang on when a recalled notice was first seen."""
        page, text = self._first_page(place, response, {})
        recalled = place.recall(page.items, {})
        if recalled and place.source.dates_need_first_seen:
            page, text = self._first_page(place, response, recalled)
        return page, text, recalled

    def _further(self, place: _Place, requests: Requests, visit: Visit) -> Visit:
        """Page on until a known notice stands in the normal list (N21)."""
        source = place.source
        if all(item.is_pinned for item in visit.items):
            # What is new stands on a page that these bytes say nothing about.
            visit = replace(
                visit, fingerprint=page_fingerprint(source, None), validators=Validators()
            )
        for number in range(2, (source.paging.most if source.paging else 1) + 1):
            if _is_continued(place, visit):
                break
            entry = page_of(source, number)
            try:
                page = self._page(place, entry, requests.fetch(request_for(entry)), visit.recalled)
            except (FetchFailed, SuspectPage) as trouble:
                if trouble.reason in _PAST_THE_END:
                    break
                raise
            if {item.id for item in page.items} <= {item.id for item in visit.items}:
                # Past the end, or the site does not know the parameter.
                break
            visit = replace(
                visit,
                items=merged((*visit.items, *page.items)),
                recalled=place.recall(page.items, visit.recalled),
                rows=visit.rows + len(page.rows),
                skipped=visit.skipped + page.skipped,
            )
        return visit

    def _page(
        self, place: _Place, entry: Source, response: Response, recalled: Mapping[str, Known]
    ) -> Page[NoticeItem]:
        with self._reading:
            text = text_of(entry, response.body, response.content_type)
            first_seen = place.first_seen(recalled)
            return read_page(entry, text, response.url, place.today, first_seen)

    def _first_page(
        self, place: _Place, response: Response, recalled: Mapping[str, Known]
    ) -> tuple[Page[NoticeItem], str]:
        source = place.source
        with self._reading:
            text = text_of(source, response.body, response.content_type)
            try:
                page = read_page(
                    source, text, response.url, place.today, place.first_seen(recalled)
                )
                if not page.rows:
                    judge_empty(source.expect, text)
            except SuspectPage as trouble:
                raise diagnosed(trouble, text) from None
            return page, text


def _may_page(source: Source, decision: RobotsDecision | None) -> bool:
    return not source.request.honour_robots or decision is None or decision.paging


def _is_continued(place: _Place, visit: Visit) -> bool:
    """Return whether the normal list was reached, and in it what was known before, if anything.

    Pinned rows prove nothing: they stay while the list below them moves on.
    """
    normal = [item.id for item in visit.items if not item.is_pinned]
    if not place.knows_board:
        return bool(normal)
    return not place.state.own(visit.recalled).isdisjoint(normal)
