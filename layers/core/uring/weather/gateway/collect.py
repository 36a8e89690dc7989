"""The reports of one product for all airports in one run; each failure names its airport."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from uring.errors import FetchFailed, Misconfigured, SourceTrouble, SuspectPage
from uring.fetch.url import one_line
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.errors import GatewayError
from uring.weather.gateway.warnings import WarningList
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.product import Product
from uring.weather.warning_text import Cancellation

_TURN_SECONDS: Final = 600


@dataclass(frozen=True, slots=True)
class CollectedReports:
    """The result of one run.

    Attributes:
        fresh: reports as readers see them, by ICAO code.
        failed: the trouble of every other airport.
        partial: believed warnings of airports that failed: they are in force, others are unknown.
        notes: oddities in believed reports, a sentence each.
        requests: the number of requests sent.
        specials: older SPECI that came beside a newer report, by ICAO code.
        cancelled: cancelled warnings, by ICAO code.
    """

    fresh: Mapping[str, Mapping[str, Any]]
    failed: Mapping[str, SourceTrouble]
    partial: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    requests: int = 0
    specials: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    cancelled: Mapping[str, Sequence[Cancellation]] = field(default_factory=dict)


class Gateway:
    """The gateway for a run: implements `uring.weather.family.CollectsReports`.

    Args:
        connect: makes a new client for each run.
        key_refused: called when the gateway refuses its key, or the key is malformed.
    """

    def __init__(
        self, connect: Callable[[], GatewayClient], key_refused: Callable[[], None]
    ) -> None:
        self._connect = connect
        self._key_refused = key_refused

    def collect(self, product: Product, airports: Sequence[str], now: datetime) -> CollectedReports:
        """Request one airport after the other; warnings of all airports at once.

        Failures are part of the result, not raised.

        Raises:
            Unavailable: Secrets Manager failed.
        """
        try:
            client = self._connect()
        except Misconfigured as error:
            return CollectedReports(
                {}, dict.fromkeys(airports, self._noted(FetchFailed("key", str(error))))
            )
        if product == "warning":
            collected = self._warnings(client, airports)
        else:
            # Each run begins with another airport: if time runs out, it does not always hit the
            # same ones.
            first = int(now.timestamp()) // _TURN_SECONDS % len(airports)
            collected = self._reports(client, product, [*airports[first:], *airports[:first]])
        return replace(collected, requests=client.requests)

    def _reports(
        self, client: GatewayClient, product: Product, airports: Sequence[str]
    ) -> CollectedReports:
        fresh: dict[str, dict[str, Any]] = {}
        failed: dict[str, SourceTrouble] = {}
        notes: list[str] = []
        specials: dict[str, list[dict[str, Any]]] = {}
        for icao in airports:
            try:
                response = client.metar(icao) if product == "metar" else client.taf(icao)
            except (ReportRefused, GatewayError) as error:
                failed[icao] = self._noted(error)
            else:
                fresh[icao] = response.report.model_dump(mode="json")
                notes += response.notes
                if response.specials:
                    specials[icao] = [it.model_dump(mode="json") for it in response.specials]
        return CollectedReports(fresh, failed, notes=tuple(notes), specials=specials)

    def _warnings(self, client: GatewayClient, airports: Sequence[str]) -> CollectedReports:
        """Collect warnings; an airport is fresh only if all rows came and its own are believed."""
        try:
            listed = client.warnings(airports)
        except GatewayError as error:
            return CollectedReports({}, dict.fromkeys(airports, self._noted(error)))
        refused = {row.icao: _unbelieved(row.reason, row.detail) for row in listed.refused}
        failed = {icao: trouble for icao, trouble in refused.items() if icao is not None}
        if listed.missing:
            missing = f"{listed.missing} of {listed.total_count} rows missing"
            why = self._noted(listed.trouble) if listed.trouble else None
            failed = dict.fromkeys(airports, why or _unbelieved("rows_missing", missing))
        elif None in refused:
            failed = dict.fromkeys(airports, refused[None])
        believed = {icao: listed.airports[icao].model_dump(mode="json") for icao in airports}
        return CollectedReports(
            {icao: report for icao, report in believed.items() if icao not in failed},
            {icao: failed[icao] for icao in airports if icao in failed},
            {icao: believed[icao] for icao in airports if icao in failed},
            tuple(_notes(listed)),
            cancelled=listed.cancelled,
        )

    def _noted(self, error: SourceTrouble) -> SourceTrouble:
        """Return the trouble without its traceback, which would hold the key."""
        if error.reason == "key":
            self._key_refused()
        return FetchFailed(error.reason, error.detail, is_structural=error.is_structural)


def _unbelieved(reason: str, detail: str) -> SourceTrouble:
    return SuspectPage(reason, detail, is_structural=True)


def _notes(listed: WarningList) -> Iterator[str]:
    for disagreement in listed.disagreements:
        yield disagreement.detail
    for kind in listed.unknown_types:
        yield f"wrngType {one_line(kind)} is unknown: reported as UNKNOWN"
    if listed.elsewhere:
        yield f"{listed.elsewhere} rows are of airports that are not in the settings"
