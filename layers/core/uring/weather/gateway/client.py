"""Asking a gateway: one call at a time, spaced, few attempts, and none once it has had enough.

    metar(icao)  taf(icao)  warnings()  ─►  [space ─► fetch ─► read_envelope] at most 3 times

A parallel burst makes the service fail, an outage must not eat the day's quota, and a key that is
refused once is refused 15 times.
"""

import random
import time
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Final, Protocol, TypeVar
from urllib.parse import urlencode

from uring.clock import Clock, system_clock
from uring.errors import FetchFailed
from uring.fetch import Request, Response
from uring.weather.gateway.envelope import MOST_BYTES, Envelope, Item, read_envelope
from uring.weather.gateway.errors import GatewayRefused, refusal_of_fetch
from uring.weather.gateway.key import GatewayKey
from uring.weather.gateway.parse_report import read_metar_answer, read_taf_answer
from uring.weather.gateway.retry import OPERATIONS, PACE, Operations, Pace, Patience
from uring.weather.gateway.warnings import WarningList, list_warnings, no_warnings
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import Metar, Taf

_Report = TypeVar("_Report", Metar, Taf)

_MOST_PAGES: Final = 10
_ROWS_OF_AIRPORT: Final = 10
_ROWS_OF_WARNINGS: Final = 100


class Fetches(Protocol):
    """What a `uring.fetch.Fetcher` does."""

    def fetch(self, request: Request) -> Response:
        """Fetch, or raise FetchFailed."""
        ...


class Gateway:
    """One gateway in one run, by one thread. No message, log or repr has the key.

    Args:
        fetcher: a `uring.fetch.Fetcher`.
        base_url: `HUB`, `PORTAL`, or a stand-in.
        key_name: of the query parameter: ``authKey`` at the hub, ``serviceKey`` at the portal.
        key: a key of that gateway.
        operations: paths.
        pace: see there.
        data_type: ``XML`` or ``JSON``, as it is asked for.
        sleep: waits, seconds.
        clock: the time, against which reports of the future are refused.
        jitter: a number from 0 to 1.

    Raises:
        Misconfigured: the key is no key.
    """

    def __init__(
        self,
        fetcher: Fetches,
        base_url: str,
        key_name: str,
        key: str,
        *,
        operations: Operations = OPERATIONS,
        pace: Pace = PACE,
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
        self._pace = pace
        self._data_type = data_type
        self._sleep = sleep
        self._clock = clock
        self._patience = Patience(pace, jitter)
        self._ends = clock() + timedelta(seconds=pace.run_seconds)
        self.requests = 0
        self.notes: list[str] = []

    def __repr__(self) -> str:
        return f"Gateway({self._base_url}, {self._key!r}, requests={self.requests})"

    def metar(self, icao: str) -> Metar:
        """The newest METAR or SPECI of an airport.

        Raises:
            GatewayRefused: none came; ``no_data`` where the gateway says that there is none.
            ReportRefused: what came is not to be believed.
        """
        envelope = self._ask(self._operations.metar, _ROWS_OF_AIRPORT, icao=icao)
        return self._hiding(lambda: read_metar_answer(envelope, icao, self._clock(), self.notes))

    def taf(self, icao: str) -> Taf:
        """The newest TAF of an airport.

        Raises:
            GatewayRefused: none came; ``no_data`` where the gateway says that there is none.
            ReportRefused: what came is not to be believed.
        """
        envelope = self._ask(self._operations.taf, _ROWS_OF_AIRPORT, icao=icao)
        return self._hiding(lambda: read_taf_answer(envelope, icao, self._clock(), self.notes))

    def warnings(self, airports: Collection[str]) -> WarningList:
        """The warnings of all pages; empty and complete where the gateway has no data.

        Raises:
            GatewayRefused: any page failed: half a list would lift the warnings of the other half.
        """
        rows: list[Item] = []
        earlier: set[tuple[object, ...]] = set()
        total: int | None = None
        for page in range(1, _MOST_PAGES + 1):
            try:
                envelope = self._ask(self._operations.warnings, _ROWS_OF_WARNINGS, page=page)
            except GatewayRefused as error:
                if not error.no_data:
                    raise
                if page == 1:
                    return no_warnings(airports)
                break
            # A page that does not say it takes nothing back.
            total = max(
                (each for each in (total, envelope.total_count) if each is not None), default=None
            )
            # A row more at the top moves all others down: the last of a page comes again.
            fresh = [item for item in envelope.items if _identity(item) not in earlier]
            earlier.update(map(_identity, fresh))
            rows += fresh
            if not fresh or total is None or len(rows) >= total:
                break
        listed = list_warnings(rows, total, airports, now=self._clock())
        return listed.reworded(self._key.hide)

    def _ask(
        self, operation: str, rows: int, *, page: int = 1, icao: str | None = None
    ) -> Envelope:
        query = {"pageNo": page, "numOfRows": rows, "dataType": self._data_type}
        if icao is not None:
            query["icao"] = icao
        url = f"{self._base_url}/{operation}?{self._key_name}={self._key.quoted}&{urlencode(query)}"
        request = Request(
            url,
            timeout_seconds=self._pace.timeout_seconds,
            max_bytes=MOST_BYTES,
            most_redirects=0,
        )
        attempt = 1
        while isinstance(answer := self._attempt(request), GatewayRefused):
            wait = self._patience.wait(answer, attempt)
            if wait is None:
                raise answer
            self._sleep(wait)
            attempt += 1
        return answer

    def _attempt(self, request: Request) -> Envelope | GatewayRefused:
        """What came, or why not; returned, so that no key hangs on it as the error's context."""
        if closed := self._patience.closed:
            return closed.not_asked()
        spacing = self._pace.spacing_seconds if self.requests else 0.0
        if self._clock() + timedelta(seconds=spacing) >= self._ends:
            detail = f"not asked, for this run is {self._pace.run_seconds:.0f} s old"
            return GatewayRefused("late", "network", detail, asked=False)
        if spacing:
            self._sleep(spacing)
        self.requests += 1
        try:
            response = self._fetcher.fetch(request)
            return read_envelope(response.body, response.content_type)
        except FetchFailed as error:
            refused = refusal_of_fetch(error)
        except GatewayRefused as error:
            refused = error
        return refused.reworded(self._key.hide)

    def _hiding(self, read: Callable[[], _Report]) -> _Report:
        hidden: GatewayRefused | ReportRefused
        try:
            report = read()
        except GatewayRefused as error:
            hidden = error.reworded(self._key.hide)
        except ReportRefused as error:
            hidden = ReportRefused(error.reason, self._key.hide(error.detail))
        else:
            self.notes[:] = map(self._key.hide, self.notes)
            return report
        raise hidden


def _identity(item: Item) -> tuple[object, ...]:
    return *sorted(item.fields.items()), item.message.text
