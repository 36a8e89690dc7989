"""The client of a gateway: one call at a time, spaced, retried a few times, none once it is closed.

    metar(icao)  taf(icao)  warnings()  ─►  [space ─► fetch ─► read_envelope] at most 3 times

Parallel calls make the service fail, an outage must not use up the day's quota, and a key that is
refused once is refused 15 times.
"""

import random
import time
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Final, TypeVar
from urllib.parse import urlencode

from uring.clock import Clock, system_clock
from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring.weather.gateway.envelope import MOST_BYTES, Envelope, Item, read_envelope
from uring.weather.gateway.errors import GatewayError, error_of_fetch
from uring.weather.gateway.key import GatewayKey
from uring.weather.gateway.parse_report import (
    ReportResponse,
    read_metar_response,
    read_taf_response,
)
from uring.weather.gateway.retry import OPERATIONS, RATE_LIMIT, GatewayPaths, RateLimit, RetryBudget
from uring.weather.gateway.warnings import WarningList, list_warnings, no_warnings
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import Metar, Taf

_Report = TypeVar("_Report", Metar, Taf)

_MOST_PAGES: Final = 10
_ROWS_OF_AIRPORT: Final = 10
_ROWS_OF_WARNINGS: Final = 100


class GatewayClient:
    """One gateway in one run, for one thread. No message, log or repr has the key.

    Args:
        fetcher: sends the requests, and raises FetchFailed.
        base_url: of the hub, the portal, or a stand-in.
        key_name: the query parameter: ``authKey`` at the hub, ``serviceKey`` at the portal.
        key: a key of that gateway.
        operations: the paths.
        rate_limit: see `RateLimit`.
        data_type: ``XML`` or ``JSON``, the requested format.
        sleep: waits, seconds.
        clock: the current time, against which reports of the future are refused.
        jitter: returns a number from 0 to 1.

    Raises:
        Misconfigured: the key is malformed.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        base_url: str,
        key_name: str,
        key: str,
        *,
        operations: GatewayPaths = OPERATIONS,
        rate_limit: RateLimit = RATE_LIMIT,
        data_type: str = "XML",
        sleep: Callable[[float], None] = time.sleep,
        clock: Clock = system_clock,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._fetcher = fetcher
        self._base_url = base_url.rstrip("/")
        self._key_name = key_name
        self._key = GatewayKey(key)
        self._operations = operations
        self._rate_limit = rate_limit
        self._data_type = data_type
        self._sleep = sleep
        self._clock = clock
        self._retries = RetryBudget(rate_limit, jitter)
        self._ends = clock() + timedelta(seconds=rate_limit.run_seconds)
        self.requests = 0

    def __repr__(self) -> str:
        return f"GatewayClient({self._base_url}, {self._key!r}, requests={self.requests})"

    def metar(self, icao: str) -> ReportResponse[Metar]:
        """Request the newest METAR or SPECI of an airport.

        Raises:
            GatewayError: no report came; ``no_data`` where the gateway has none.
            ReportRefused: the report is not believed.
        """
        envelope = self._ask(self._operations.metar, _ROWS_OF_AIRPORT, icao=icao)
        return self._redacted(lambda: read_metar_response(envelope, icao, self._clock()))

    def taf(self, icao: str) -> ReportResponse[Taf]:
        """Request the newest TAF of an airport.

        Raises:
            GatewayError: no report came; ``no_data`` where the gateway has none.
            ReportRefused: the report is not believed.
        """
        envelope = self._ask(self._operations.taf, _ROWS_OF_AIRPORT, icao=icao)
        return self._redacted(lambda: read_taf_response(envelope, icao, self._clock()))

    def warnings(self, airports: Collection[str]) -> WarningList:
        """Request the warnings of all pages; empty and complete if the gateway has no data.

        A later page that fails leaves the list incomplete, with its ``trouble``.

        Raises:
            GatewayError: the first page failed.
        """
        rows: list[Item] = []
        earlier: set[tuple[object, ...]] = set()
        total: int | None = None
        trouble: GatewayError | None = None
        for page in range(1, _MOST_PAGES + 1):
            try:
                envelope = self._ask(self._operations.warnings, _ROWS_OF_WARNINGS, page=page)
            except GatewayError as error:
                if page == 1 and error.no_data:
                    return no_warnings(airports)
                if page == 1:
                    raise
                trouble = None if error.no_data else error
                break
            # A page without a count does not take back the count of an earlier one.
            counts = [count for count in (total, envelope.total_count) if count is not None]
            total = max(counts, default=None)
            # A new row at the top moves all others down: the last row of a page comes again.
            fresh = [item for item in envelope.items if _identity(item) not in earlier]
            earlier.update(map(_identity, fresh))
            rows += fresh
            if not fresh or total is None or len(rows) >= total:
                break
        listed = list_warnings(rows, total, airports, now=self._clock(), trouble=trouble)
        return listed.redacted(self._key.redact)

    def _ask(
        self, operation: str, rows: int, *, page: int = 1, icao: str | None = None
    ) -> Envelope:
        query = {"pageNo": page, "numOfRows": rows, "dataType": self._data_type}
        if icao is not None:
            query["icao"] = icao
        url = f"{self._base_url}/{operation}?{self._key_name}={self._key.quoted}&{urlencode(query)}"
        request = Request(
            url,
            timeout_seconds=self._rate_limit.timeout_seconds,
            max_bytes=MOST_BYTES,
            most_redirects=0,
        )
        attempt = 1
        while isinstance(outcome := self._attempt(request), GatewayError):
            wait = self._retries.wait(outcome, attempt)
            if wait is None:
                raise outcome
            self._sleep(wait)
            attempt += 1
        return outcome

    def _attempt(self, request: Request) -> Envelope | GatewayError:
        """Return the envelope, or the error: if raised, its context would hold the key."""
        if closed := self._retries.closed:
            return closed.not_asked()
        spacing = self._rate_limit.spacing_seconds if self.requests else 0.0
        if self._clock() + timedelta(seconds=spacing) >= self._ends:
            detail = f"not asked, for this run is {self._rate_limit.run_seconds:.0f} s old"
            return GatewayError("late", "network", detail, asked=False)
        if spacing:
            self._sleep(spacing)
        self.requests += 1
        try:
            response = self._fetcher.fetch(request)
            return read_envelope(response.body, response.content_type)
        except FetchFailed as error:
            failure = error_of_fetch(error)
        except GatewayError as error:
            failure = error
        return failure.redacted(self._key.redact)

    def _redacted(self, read: Callable[[], ReportResponse[_Report]]) -> ReportResponse[_Report]:
        redacted: GatewayError | ReportRefused
        try:
            return read().redacted(self._key.redact)
        except (GatewayError, ReportRefused) as error:
            redacted = error.redacted(self._key.redact)
        # Raised outside the except block, whose error would be its context and hold the report.
        raise redacted


def _identity(item: Item) -> tuple[object, ...]:
    return *sorted(item.fields.items()), item.message.text
