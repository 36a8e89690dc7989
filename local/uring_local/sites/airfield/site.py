"""The stand-in: the gateways' three operations at a time of the world."""

import threading
from datetime import UTC, datetime
from random import Random
from types import MappingProxyType
from typing import Final

from uring.weather.gateway.retry import OPERATIONS
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.sites.airfield.faults import FAULTS, inject_fault
from uring_local.sites.airfield.model import AIRPORTS, Bulletin, Call, Report, cancelled
from uring_local.sites.airfield.moment import Moment, Response
from uring_local.sites.airfield.response_encoder import ResponseEncoder
from uring_local.sites.airfield.scripts.metars import metars
from uring_local.sites.airfield.scripts.standstills import served_at
from uring_local.sites.airfield.scripts.tafs import tafs
from uring_local.sites.airfield.scripts.warnings import lists, warnings
from uring_local.sites.airfield.wrong_responses import hub_error

_BASE: Final = "/api/typ02/openApi"
_PRODUCTS: Final = MappingProxyType(
    {
        f"{_BASE}/{OPERATIONS.metar}": "metar",
        f"{_BASE}/{OPERATIONS.taf}": "taf",
        f"{_BASE}/{OPERATIONS.warnings}": "warning",
    }
)
_MOST_ROWS: Final = 999
# The share of answers that have the SPECI before the newest report too.
_BESIDE: Final = 0.5


class Airfield(LoopbackServer):
    """A server of the gateways' operations on 127.0.0.1, between ``start`` and ``stop``.

    Args:
        seed: of the weather and of the faults.
        opened: the world's time at the start, aware.
        failing: share of the calls that get a fault. It depends on seed, product, airport, and the
            number of the call for these.
        port: 0 picks a free one.

    Attributes:
        key: the key that requests carry as ``authKey`` or ``serviceKey``.

    Raises:
        PortTaken: another server listens on the port.
    """

    key: Final = "fake-weather-key"

    def __init__(self, seed: int, *, opened: datetime, failing: float = 0.0, port: int = 0) -> None:
        self._seed = seed
        self._at = opened.astimezone(UTC)
        self._failing = failing
        self._injected: tuple[str, str | None, str | None] | None = None
        self._calls: list[Call] = []
        self._numbers: dict[tuple[str, str | None], int] = {}
        self._lock = threading.RLock()
        super().__init__(self.respond, port=port)

    @property
    def url(self) -> str:
        """The base URL of the operations."""
        return f"http://{self.host}{_BASE}"

    def advance(self, at: datetime) -> None:
        """Set the world's time, aware.

        Raises:
            ValueError: the time is before the world's current one.
        """
        with self._lock:
            if at < self._at:
                raise ValueError(f"the world is at {self._at}, it does not go back to {at}")
            self._at = at.astimezone(UTC)

    def inject_fault(
        self, fault: str | None, product: str | None = None, icao: str | None = None
    ) -> None:
        """Inject a fault into every call where it can happen, until the next call of this method.

        Args:
            fault: its name in `uring_local.sites.airfield.faults`; None ends it.
            product: only into calls for this product; None for all.
            icao: only into calls for this airport; None for all.

        Raises:
            ValueError: the fault is unknown; the message lists all names.
        """
        if fault not in {None, *FAULTS}:
            raise ValueError(f"unknown fault {fault}; use one of {', '.join(FAULTS)}")
        with self._lock:
            self._injected = (fault, product, icao) if fault else None

    def truth(self, product: str) -> dict[str, Report | tuple[Bulletin, ...]]:
        """Return what is true and served: METAR or TAF by airport, or the warnings in force."""
        with self._lock:
            if product == "warning":
                return dict(warnings(self._seed, self._at))
            return {icao: self._history(product, icao)[-1] for icao in AIRPORTS}

    def take_calls(self) -> list[Call]:
        """Return the calls since the last `take_calls`, in order, and forget them."""
        with self._lock:
            calls, self._calls = self._calls, []
            return calls

    def _history(self, product: str, icao: str) -> list[Report]:
        script = metars if product == "metar" else tafs
        return script(self._seed, icao, served_at(self._seed, product, icao, self._at))

    def respond(self, request: Request) -> Answer:
        """Return the answer to a request at the world's time."""
        product = _PRODUCTS.get(request.path)
        query = request.query
        if product is None:
            return hub_error(404, "요청하신 API를 찾을 수 없습니다.", http=404)
        with self._lock:
            if query.get("authKey", query.get("serviceKey")) != self.key:
                self._calls.append(Call(product, query.get("icao"), "wrong_key", None))
                return hub_error(401, "유효한 인증키가 아닙니다.", http=401)
            return self._answer_call(product, query)

    def _answer_call(self, product: str, query: dict[str, str]) -> Answer:
        icao = None if product == "warning" else query.get("icao", "")
        number = self._numbers.get((product, icao), 0)
        self._numbers[product, icao] = number + 1
        random = Random(f"{self._seed}/call/{product}/{icao}/{number}")
        fails = random.random() < self._failing
        encoder = ResponseEncoder(random, as_json=query.get("dataType", "XML").upper() == "JSON")
        page, size = (_number(query.get(name)) for name in ("pageNo", "numOfRows"))
        if page is None or size is None:
            self._calls.append(Call(product, icao, "parameter", None))
            return encoder.header("10", "INVALID_REQUEST_PARAMETER_ERROR")
        if icao is not None and icao not in AIRPORTS:
            self._calls.append(Call(product, icao, "parameter", None))
            missing = ("11", "NO_MANDATORY_REQUEST_PARAMETERS_ERROR")
            return encoder.header(*(("03", "NO_DATA") if icao else missing))
        moment = self._moment(product, icao, encoder, page, size)
        truth = Response(moment.whole, moment.report or moment.warned, over=cancelled(moment.rows))
        fault, response = self._faulty(moment, random, icao, fails=fails) or (None, truth)
        beside = None if fault else moment.beside
        served = response.served if page == 1 else None
        partial = response.partial or {}
        self._calls.append(Call(product, icao, fault, served, page, partial, response.over, beside))
        return response.answer

    def _moment(
        self, product: str, icao: str | None, encoder: ResponseEncoder, page: int, size: int
    ) -> Moment:
        if icao is None:
            rows = tuple(row for listed in lists(self._seed, self._at).values() for row in listed)
            return Moment(
                product,
                self._at,
                encoder,
                rows=rows,
                listed=rows[(page - 1) * size : page * size],
                warned=warnings(self._seed, self._at),
                page=page,
                size=size,
            )
        history = self._history(product, icao)
        report, older = history[-1], (history[-2] if history[1:] else None)
        elsewhere = encoder.random.choice([airport for airport in AIRPORTS if airport != icao])
        other = self._history(product, elsewhere)[-1]
        is_special = older is not None and older.kind == "SPECI"
        beside = older if is_special and encoder.random.random() < _BESIDE else None
        return Moment(product, self._at, encoder, report, older, beside, other)

    def _faulty(
        self, moment: Moment, random: Random, icao: str | None, *, fails: bool
    ) -> tuple[str, Response] | None:
        if self._injected:
            fault, product, airport = self._injected
            if product in {None, moment.product} and airport in {None, icao}:
                return inject_fault(moment, random, fault)
        return inject_fault(moment, random) if fails else None


def _number(text: str | None) -> int | None:
    """Return a number from 1 to 999; 1 for a missing one, None for a malformed one."""
    if text is None:
        return 1
    known = text.isascii() and text.isdigit() and 0 < int(text[:9]) <= _MOST_ROWS
    return int(text) if known else None
