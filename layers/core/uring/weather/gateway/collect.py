"""Every airport's report in one run, what fails named airport by airport."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Protocol

from uring.fetch.text import one_line
from uring.weather.gateway.errors import GatewayRefused
from uring.weather.gateway.warnings import WarningList
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import Metar, Taf
from uring.weather.product import Product

_TURN_SECONDS: Final = 600


@dataclass(frozen=True, slots=True)
class Collected:
    """What the gateway said.

    Attributes:
        fresh: reports as readers see them, by ICAO code.
        failed: why there is none of the other airports, one line each.
        partial: of warnings, those that are believed of airports that failed: they are in force,
            and nobody knows what else is.
        notes: what was odd about what is believed all the same, a sentence each.
        requests: how many were sent.
    """

    fresh: Mapping[str, Mapping[str, Any]]
    failed: Mapping[str, str]
    partial: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    requests: int = 0


class Asked(Protocol):
    """A gateway for one run; `uring.weather.gateway.client.Gateway` is the real one."""

    requests: int
    notes: list[str]

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
    """Implements `uring.weather.family.Collects`.

    Args:
        gateway: makes one, anew for each run.
        key_refused: called when the gateway does not take its key.
    """

    def __init__(self, gateway: Callable[[], Asked], key_refused: Callable[[], None]) -> None:
        self._gateway = gateway
        self._key_refused = key_refused

    def collect(self, product: Product, airports: Sequence[str], now: datetime) -> Collected:
        """One airport after the other; warnings of all at once.

        Raises:
            Misconfigured: there is no key to ask with.
        """
        gateway = self._gateway()
        if product == "warning":
            answers = self._warnings(gateway, airports)
        else:
            # Each time another comes first: where time runs out, it is not always the same ones'.
            first = int(now.timestamp()) // _TURN_SECONDS % len(airports)
            turn = [*airports[first:], *airports[:first]]
            answers = self._reports(gateway.metar if product == "metar" else gateway.taf, turn)
        return replace(answers, notes=(*answers.notes, *gateway.notes), requests=gateway.requests)

    def _reports(self, read: Callable[[str], Metar | Taf], airports: Sequence[str]) -> Collected:
        fresh: dict[str, dict[str, Any]] = {}
        failed: dict[str, str] = {}
        for icao in airports:
            try:
                fresh[icao] = read(icao).model_dump(mode="json")
            except ReportRefused as error:
                failed[icao] = str(error)
            except GatewayRefused as error:
                failed[icao] = self._refused(error)
        return Collected(fresh, failed)

    def _warnings(self, gateway: Asked, airports: Sequence[str]) -> Collected:
        """A warning is over only where all rows came and were believed."""
        try:
            listed = gateway.warnings(airports)
        except GatewayRefused as error:
            return Collected({}, dict.fromkeys(airports, self._refused(error)))
        failed = {row.icao: row.detail for row in listed.refused if row.icao is not None}
        if listed.missing:
            missing = f"{listed.missing} of {listed.total_count} rows missing"
            failed = dict.fromkeys(airports, missing)
        elif lost := next((row for row in listed.refused if row.icao is None), None):
            failed = dict.fromkeys(airports, lost.detail)
        believed = {icao: listed.airports[icao].model_dump(mode="json") for icao in airports}
        return Collected(
            {icao: report for icao, report in believed.items() if icao not in failed},
            {icao: failed[icao] for icao in airports if icao in failed},
            {icao: believed[icao] for icao in airports if icao in failed},
            tuple(_notes(listed)),
        )

    def _refused(self, error: GatewayRefused) -> str:
        if error.reason == "key":
            self._key_refused()
        return str(error)


def _notes(listed: WarningList) -> Iterator[str]:
    for each in listed.disagreements:
        yield each.detail
    for kind in listed.unknown_types:
        yield f"wrngType {one_line(kind)} is not known here: it is told as UNKNOWN"
    if listed.elsewhere:
        yield f"{listed.elsewhere} rows are of airports that are not in the settings"
