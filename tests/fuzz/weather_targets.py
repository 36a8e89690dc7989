"""The weather's readers: a gateway's answers, and the states of the products."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from fakes import VirtualClock
from fakes.warnings import rows_of
from fakes.worlds import WeatherWorld

from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring.weather.derived import published
from uring.weather.gateway.envelope import read_envelope
from uring.weather.gateway.parse_report import read_metar_response, read_taf_response
from uring.weather.gateway.retry import OPERATIONS
from uring.weather.gateway.warnings import AirportWarnings, list_warnings
from uring.weather.iwxxm.reports import Metar, Taf
from uring.weather.product import Product
from uring_local.sites.airfield import Airfield

AIRPORTS: Final = ("RKSI", "RKPC", "RKNW", "RKNY", "RKPK", "RKSS")
OPENED: Final = datetime(2026, 3, 2, 0, 1, tzinfo=UTC)
_LATER: Final = OPENED + timedelta(days=4)
# There are warnings at each of these.
_HOURS: Final = (3, 14, 25, 38)


def answers() -> dict[Product, list[bytes]]:
    """What the airfield answers over two days, in all its envelopes."""
    found: dict[Product, list[bytes]] = {"metar": [], "taf": [], "warning": []}
    paths = {"metar": OPERATIONS.metar, "taf": OPERATIONS.taf, "warning": OPERATIONS.warnings}
    with Airfield(7, opened=OPENED) as airfield:
        fetcher = Fetcher(user_agent="uRing/1", allowed_private_hosts=frozenset({airfield.host}))
        for hours in _HOURS:
            airfield.advance(OPENED + timedelta(hours=hours))
            for product, path in paths.items():
                for kind in ("XML", "JSON"):
                    for icao in AIRPORTS:
                        query = {"authKey": airfield.key, "dataType": kind, "icao": icao}
                        url = f"{airfield.url}/{path}?{urlencode(query)}"
                        found[product].append(fetcher.fetch(Request(url)).body)
    return found


def read_metar(body: bytes) -> None:
    """A METAR that is believed is one when it is read again."""
    report = read_metar_response(read_envelope(body, None), "RKSI", _LATER).report
    assert Metar.model_validate_json(report.model_dump_json()) == report


def read_taf(body: bytes) -> None:
    """A TAF that is believed is one when it is read again."""
    report = read_taf_response(read_envelope(body, None), "RKSI", _LATER).report
    text = report.model_dump_json()
    assert Taf.model_validate_json(text).model_dump_json() == text


def read_list(body: bytes) -> None:
    """Warnings that are believed are so when they are read again."""
    listed = list_warnings(*rows_of(read_envelope(body, None)), AIRPORTS, now=_LATER)
    for each in listed.airports.values():
        assert AirportWarnings.model_validate_json(each.model_dump_json()) == each


class Runs(WeatherWorld):
    """Runs of one product over the reports of two times; one airport fails."""

    def __init__(self, product: Product, bodies: Sequence[bytes]) -> None:
        kinds = ("speci", "taf_amended", "taf_cancelled", "warning_raised")
        super().__init__(VirtualClock(_LATER), airports=AIRPORTS, push_kinds=kinds)
        self.product = product
        self._pages = [*_pages(product, bodies)]
        self._turn = 0

    def run(self) -> None:
        """One run, with the next reports."""
        self._turn += 1
        self.reports = {**self._pages[self._turn % len(self._pages)]}
        self.check(self.product, interval_minutes=30)
        self.clock.advance(600)

    @property
    def key(self) -> str:
        """Of the state."""
        return f"state/weather/{self.product}.json"


def states(bodies: Mapping[Product, Sequence[bytes]]) -> Iterator[tuple[Runs, bytes]]:
    """Runs of each product, and a state that they left."""
    for product in bodies:
        runs = Runs(product, bodies[product])
        runs.run()
        state = runs.document(runs.key) | {"writer": "the same in every run"}
        yield runs, json.dumps(state, ensure_ascii=False).encode()


def check_state(product: Product, bodies: Sequence[bytes]) -> Callable[[bytes], None]:
    """Two runs find this state; what they leave can be read."""

    def check(given: bytes) -> None:
        runs = Runs(product, bodies)
        runs.bucket.plant(runs.key, given)
        runs.run()
        runs.run()
        state = runs.state_of(product)
        assert state.is_published
        assert not state.outbox
        latest = runs.document(f"data/{product}/latest.json")
        due = {icao: published(product, icao, it, {}) for icao, it in state.airports.items()}
        assert latest["airports"] == due or latest["fetched_at"] > str(state.fetched_at)

    return check


def _pages(product: Product, bodies: Sequence[bytes]) -> Iterator[dict[str, dict[str, Any]]]:
    """The reports of each time; the last airport has none in the first."""
    share = len(bodies) // len(_HOURS)
    for number in range(len(_HOURS)):
        some = bodies[number * share : (number + 1) * share]
        page: dict[str, dict[str, Any]] = {}
        if product == "warning":
            listed = list_warnings(*rows_of(read_envelope(some[0], None)), AIRPORTS, now=_LATER)
            page = {icao: each.model_dump(mode="json") for icao, each in listed.airports.items()}
        else:
            read = read_metar_response if product == "metar" else read_taf_response
            for icao, body in zip(AIRPORTS, some, strict=False):
                report = read(read_envelope(body, None), icao, _LATER).report
                page[icao] = report.model_dump(mode="json")
        if number == 0:
            page.pop(AIRPORTS[-1], None)
        yield page
