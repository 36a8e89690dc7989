"""Every airport's report in one run, what fails named airport by airport."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any, Protocol

from uring.weather.collect import Answers
from uring.weather.errors import ReportRefused
from uring.weather.product import Product
from uring.weather.refusals import GatewayRefused
from uring.weather.reports import Metar, Taf
from uring.weather.warnings import WarningList


class Asked(Protocol):
    """A gateway for one run; `uring.weather.gateway.Gateway` is the real one."""

    def metar(self, icao: str) -> Metar:
        """An airport's METAR; raises GatewayRefused or ReportRefused."""
        ...

    def taf(self, icao: str) -> Taf:
        """An airport's TAF; raises GatewayRefused or ReportRefused."""
        ...

    def warnings(self, airports: Collection[str]) -> WarningList:
        """All warnings; raises GatewayRefused."""
        ...


class GatewayAnswers:
    """Implements `uring.weather.collect.Asks` through a gateway made anew for each run."""

    def __init__(self, gateway: Callable[[], Asked]) -> None:
        self._gateway = gateway

    def ask(self, product: Product, airports: Sequence[str], now: datetime) -> Answers:
        """One airport after the other; warnings of all at once."""
        del now
        gateway = self._gateway()
        if product == "warning":
            return _warned(gateway, airports)
        read: Callable[[str], Metar | Taf] = gateway.metar if product == "metar" else gateway.taf
        fresh: dict[str, dict[str, Any]] = {}
        failed: dict[str, str] = {}
        for icao in airports:
            try:
                fresh[icao] = read(icao).model_dump(mode="json")
            except (GatewayRefused, ReportRefused) as error:
                failed[icao] = str(error)
        return Answers(fresh, failed)


def _warned(gateway: Asked, airports: Sequence[str]) -> Answers:
    """A warning is over only where all rows came and were believed."""
    try:
        listed = gateway.warnings(airports)
    except GatewayRefused as error:
        return Answers({}, dict.fromkeys(airports, str(error)))
    failed = {row.icao: row.detail for row in listed.refused if row.icao is not None}
    if listed.missing:
        failed = dict.fromkeys(airports, f"{listed.missing} of {listed.total_count} rows missing")
    elif lost := next((row for row in listed.refused if row.icao is None), None):
        failed = dict.fromkeys(airports, lost.detail)
    fresh = {
        icao: listed.airports[icao].model_dump(mode="json")
        for icao in airports
        if icao not in failed and icao in listed.airports
    }
    return Answers(fresh, {icao: failed[icao] for icao in airports if icao in failed})
