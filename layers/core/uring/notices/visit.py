"""A visit of a board: robots.txt, the list, further pages where needed; all are judged.

page 1 ─ same bytes? ─► unchanged
   └► read ─ same rows, by a hint? ─► unchanged
        └► no known notice among its normal rows? ─► page 2, 3 … ─► judge ─► notices
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from uring.changes.family import Glance, Observed
from uring.changes.health import DAILY, is_write_due
from uring.changes.history.refused import RefusedAnswer
from uring.errors import FetchFailed, SourceTrouble, SuspectPage
from uring.fetch.decode import Decoded
from uring.fetch.http import Fetches, Response
from uring.fetch.request import Validators
from uring.fetch.robots import RobotsDecision
from uring.notices.guards import NOUNS, judge_letters
from uring.notices.identity import identify, renamed_ids
from uring.notices.item import NoticeItem, rows_digest
from uring.notices.noise.memory import doubt_of, masked_rows
from uring.notices.page import merged, page_of, read_page, rows_of
from uring.notices.place import Lookup, NoticeVisit, VisitGoal, is_moved
from uring.notices.source import Source
from uring.notices.state import LastPage, NoticeState
from uring.records.model import Known
from uring.sources.guards import diagnosed, judge_empty, judge_length, judge_page
from uring.sources.refusal import Cells, refusal
from uring.sources.requests import (
    KnownRedirects,
    RedirectUnknown,
    Requests,
    ask_robots,
    decided,
    obey,
    page_fingerprint,
    slowness,
)
from uring.sources.rows import Page
from uring.sources.site import charset_of, decoded_page, request_for

VISIT_SECONDS: Final = 30
"""The limit for all requests of one visit: the function has other sources to visit."""

_SLOW: Final = "lower paging.most if the site is slow"
_NOT_MODIFIED: Final = 304
# The reasons of a missing page, or of one without rows.
_PAST_THE_END: Final = frozenset({"no_rows", "not_found", "rejected"})


@dataclass(slots=True)
class _First:
    """The response, content or trouble of page 1, where it was asked before the state was read."""

    response: Response | None = None
    read: tuple[Page[NoticeItem], Decoded] | None = None
    trouble: SourceTrouble | None = None


class NoticeVisitor:
    """The visitor of boards; safe to share between threads.

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

    def glance(
        self, source: Source, known: Mapping[str, Any], lookup: Lookup, now: datetime
    ) -> Glance[NoticeState, NoticeVisit] | None:
        """Ask for page 1 by a hint, before the state is read.

        None for a malformed hint, and where robots.txt, or that of a redirect, must be asked first.
        """
        last = LastPage.read(known)
        if last is None or (source.request.honour_robots and not last.is_allowed):
            return None
        requests, first, is_same = self._requests(), _First(), False
        if source.request.honour_robots:
            requests.redirects = KnownRedirects(source, last.redirects)
        try:
            first.response = requests.fetch(request_for(source, last.validators))
            is_same = _is_same(source, first.response, last.fingerprint)
            if not is_same and last.rows and not source.dates_need_first_seen:
                today = now.astimezone(ZoneInfo(source.zone))
                page, decoded = first.read = self._first_page(
                    source, first.response, today, {}, last.charset
                )
                text = decoded.text
                judge_page(source.expect, text, page.items, NOUNS)
                shown = masked_rows(page.items, last.noise)
                is_same = rows_digest(shown, last.fingerprint) == last.rows
        except RedirectUnknown:
            return None
        except SourceTrouble as trouble:
            first.trouble = trouble
        rows = first.read[0] if first.read else None
        return Glance(
            is_same,
            requests.sent,
            {"rows": len(rows.rows), "skipped_rows": rows.skipped} if rows else {},
            go_on=lambda state, now: self._visit(source, state, lookup, now, requests, first),
            observe_again=lambda state, now: self._visit(
                source, state, lookup, now, requests, _First()
            ),
        )

    def visit(
        self, source: Source, state: NoticeState, lookup: Lookup, now: datetime
    ) -> Observed[NoticeVisit]:
        """Return the observation of the site; without data for the same bytes or for trouble.

        Raises:
            Retryable: the ``.seen`` object could not be read.
        """
        return self._visit(source, state, lookup, now, self._requests(), _First())

    def _requests(self) -> Requests:
        return Requests(self._fetcher, self._monotonic, VISIT_SECONDS, _SLOW)

    def _visit(
        self,
        source: Source,
        state: NoticeState,
        lookup: Lookup,
        now: datetime,
        requests: Requests,
        first: _First,
    ) -> Observed[NoticeVisit]:
        place = VisitGoal(source, state, lookup, now)
        # Once a day without validators: a site may wrongly answer 304 for ever.
        is_daily = state.health.status == "ok" and is_write_due(state.health, source.id, now, DAILY)
        decision, visit, trouble, refused = state.permission, None, None, None
        refreshed: dict[str, Any] = {"doubt": None, "decision": ""} if state.doubt else {}
        remembered: dict[str, Any] = {}
        response = first.response
        try:
            addresses = (source.url, page_of(source, 2).url if source.paging else source.url)
            decision = ask_robots(source, decision, requests, now, addresses, again=is_daily)
            obey(source, decision)
            is_fresh = is_daily or not state.is_of(source.fingerprint)
            if first.trouble is not None:
                raise first.trouble
            validators = Validators() if is_fresh else state.validators
            response = response or requests.fetch(request_for(source, validators))
            if not _is_same(source, response, state.fingerprint):
                visit = self._look(place, requests, decision, response, first)
                if visit.doubt is not None:
                    remembered = _doubt(state, visit, now)
                    raise visit.doubt
                refreshed = visit.read
            elif response.status != _NOT_MODIFIED:
                refreshed |= {"validators": response.validators}
            refreshed = {**refreshed, "slowness": slowness(requests.longest)}
        except SourceTrouble as caught:
            trouble, visit, refreshed = caught, None, {}
            if response is not None and isinstance(caught, SuspectPage):
                refused = self._refusal(place, caught, response)
        decision = decided(requests, decision)
        if decision is not state.permission:
            remembered["permission"] = decision
        return Observed(visit, trouble, requests.sent, remembered, refreshed, refused=refused)

    def _refusal(self, place: VisitGoal, trouble: SuspectPage, response: Response) -> RefusedAnswer:
        source = place.source
        with self._reading:
            return refusal(
                source,
                trouble,
                response,
                lambda text: rows_of(source, text, response.url, place.today),
                lambda item: Cells(item.id, item.title, item.date or ""),
                place.state.charset,
            )

    def _look(
        self,
        place: VisitGoal,
        requests: Requests,
        decision: RobotsDecision | None,
        response: Response,
        first: _First,
    ) -> NoticeVisit:
        source, state = place.source, place.state
        page, decoded, recalled = self._read(place, response, first)
        text = decoded.text
        fingerprint = page_fingerprint(source, response.body)
        shown = masked_rows(page.items, state.noise)
        visit = NoticeVisit(
            place.with_stored_years(page.items, recalled),
            recalled,
            len(page.items),
            len(page.rows),
            page.skipped,
            fingerprint,
            response.validators,
            "" if source.dates_need_first_seen else rows_digest(shown, fingerprint),
            charset_of(decoded),
        )
        if source.paging is not None and _may_page(source, decision):
            visit = self._further(place, requests, visit)
        judge_page(source.expect, text, page.items, NOUNS)
        if place.knows_board:
            judge_length(state.listed, visit.listed, text if source.kind == "html" else "", NOUNS)
            judge_letters(source.expect, state, visit.items)
            known = state.own(visit.recalled)
            try:
                identity = identify(state, visit.items, known, place.now, source.zone)
            except SuspectPage as doubt:
                return replace(visit, doubt=doubt)
            return replace(visit, identity=identity)
        return visit

    def _read(
        self, place: VisitGoal, response: Response, first: _First
    ) -> tuple[Page[NoticeItem], Decoded, dict[str, Known]]:
        """Read page 1; again where dates depend on the first sight of a recalled notice.

        Again also on another board, where a known id is another notice.
        """
        source, today, charset = place.source, place.today, place.state.charset
        page, decoded = first.read or self._first_page(
            source, response, today, place.first_seen({}), charset
        )
        recalled = place.recall(page.items, {})
        moved = is_moved(source, place.state, page.items)
        if (recalled or moved) and source.dates_need_first_seen:
            first_seen = {} if moved else place.first_seen(recalled)
            page, decoded = self._first_page(source, response, today, first_seen, charset)
        return page, decoded, recalled

    def _further(self, place: VisitGoal, requests: Requests, visit: NoticeVisit) -> NoticeVisit:
        """Read further pages until a known notice is in the normal list (N21).

        It ends at the entry's limit, past the last page, and where the site ignores the parameter.

        Raises:
            SourceTrouble: a further page could not be read.
        """
        source = place.source
        if all(item.is_pinned for item in visit.items):
            # New notices are on another page, so page 1 cannot show that nothing changed.
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
            recalled = place.recall(page.items, visit.recalled)
            visit = replace(
                visit,
                items=place.with_stored_years(merged((*visit.items, *page.items)), recalled),
                recalled=recalled,
                rows=visit.rows + len(page.rows),
                skipped=visit.skipped + page.skipped,
            )
        return visit

    def _page(
        self, place: VisitGoal, entry: Source, response: Response, recalled: Mapping[str, Known]
    ) -> Page[NoticeItem]:
        with self._reading:
            charset = place.state.charset
            text = decoded_page(entry, response.body, response.content_type, charset).text
            first_seen = place.first_seen(recalled)
            return read_page(entry, text, response.url, place.today, first_seen)

    def _first_page(
        self,
        source: Source,
        response: Response,
        today: date,
        first_seen: Mapping[str, date],
        charset: str,
    ) -> tuple[Page[NoticeItem], Decoded]:
        with self._reading:
            decoded = decoded_page(source, response.body, response.content_type, charset)
            text = decoded.text
            try:
                page = read_page(source, text, response.url, today, first_seen)
                if not page.rows:
                    judge_empty(source.expect, text)
            except SuspectPage as trouble:
                raise diagnosed(trouble, text) from None
            return page, decoded


def _doubt(state: NoticeState, visit: NoticeVisit, now: datetime) -> dict[str, Any]:
    """Return the doubt to remember: what the page showed when it began."""
    reason = visit.doubt.reason if visit.doubt else ""
    if state.doubt is not None and state.is_in_doubt and state.doubt.reason == reason:
        return {}
    return {"doubt": doubt_of(reason, visit.items, now)}


def _is_same(source: Source, response: Response, fingerprint: str) -> bool:
    """Return whether a response is a 304, or has the bytes of this fingerprint."""
    is_it = page_fingerprint(source, response.body) == fingerprint
    return response.status == _NOT_MODIFIED or is_it


def _may_page(source: Source, decision: RobotsDecision | None) -> bool:
    return not source.request.honour_robots or decision is None or decision.paging


def _is_continued(place: VisitGoal, visit: NoticeVisit) -> bool:
    """Return whether the visit reached a known notice that is not pinned, under whatever id.

    On an unknown board any notice that is not pinned is enough. Pinned rows prove nothing: they
    stay while the list below them moves on.
    """
    normal = [item.id for item in visit.items if not item.is_pinned]
    if not place.knows_board:
        return bool(normal)
    known = place.state.own(visit.recalled)
    if not known.isdisjoint(normal):
        return True
    return not renamed_ids(place.state, visit.items, known, place.now).keys().isdisjoint(normal)
