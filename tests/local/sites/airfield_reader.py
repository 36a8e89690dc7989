"""The real client of the weather gateways at their stand-in, and what it must have read there."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import urllib3
from fakes.warnings import settles

from uring.fetch.http import Fetcher
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.errors import GatewayError
from uring.weather.gateway.warnings import WarningList
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import ChangeGroup, Metar, Taf
from uring_local.sites.airfield import Airfield, Bulletin, Call, Report
from uring_local.sites.airfield.model import AIRPORTS, Conditions

if TYPE_CHECKING:
    from uring.weather.iwxxm.fields import CloudLayer, PresentWeather, Wind

OPENED = datetime(2026, 1, 30, 21, 5, tzinfo=UTC)
STORM = datetime(2026, 1, 31, 3, 10, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def client(airfield: Airfield, now: datetime, data_type: str = "XML") -> GatewayClient:
    """The product's own, which waits for nothing."""
    fetcher = Fetcher(user_agent="uring-test/1", allowed_private_hosts=[airfield.host])
    return GatewayClient(
        fetcher,
        airfield.url,
        "authKey",
        airfield.key,
        data_type=data_type,
        sleep=lambda _: None,
        clock=lambda: now,
    )


def ask(gateway: GatewayClient, product: str, icao: str = "RKSI") -> Metar | Taf | WarningList:
    if product == "warning":
        return gateway.warnings(AIRPORTS)
    response = gateway.metar(icao) if product == "metar" else gateway.taf(icao)
    return response.report


def told_conditions(part: Any) -> dict[str, Any]:
    """What a published observation, base forecast or group tells, by the stand-in's names."""
    wind: Wind | None = part.wind
    visibility = part.visibility
    weather: tuple[PresentWeather, ...] | None = part.weather
    clouds: tuple[CloudLayer, ...] | None = part.clouds
    return {
        "wind_direction": wind and wind.direction,
        "wind_speed": wind and wind.speed,
        "gust": wind and wind.gust,
        "variable": bool(wind and wind.variable),
        "visibility": visibility and visibility.value,
        "cavok": bool(visibility and visibility.cavok),
        "weather": weather and tuple(each.raw for each in weather),
        "clouds": clouds and tuple((each.amount, each.base, each.type) for each in clouds),
        "vertical_visibility": part.vertical_visibility,
    }


def invented_conditions(part: Conditions) -> dict[str, Any]:
    names = list(Conditions.__dataclass_fields__)
    return {name: getattr(part, name) for name in names}


def told_change(change: ChangeGroup) -> dict[str, Any]:
    told = {"type": change.type, "start": change.start, "end": change.end}
    return told | told_conditions(change)


def assert_same(read: Metar | Taf, report: Report) -> None:
    """The judge: everything that the report says is read, and nothing else."""
    header = read.header
    status = {"NIL": "NORMAL", "CANCEL": "AMENDMENT"}.get(report.status, report.status)
    assert header.icao == report.icao
    assert header.report_status == status
    assert header.nil == (report.status == "NIL")
    assert header.airport_name == AIRPORTS[report.icao].name
    assert header.iwxxm_version == report.iwxxm_version
    line = f"{report.kind} {report.icao} {report.time:%d%H%MZ}="
    assert not (read.raw_derived and report.iwxxm_version == "2.1")
    if read.raw_derived:
        words = (read.raw or "").split()
        assert words[0] == report.kind
        assert {report.icao, f"{report.time:%d%H%MZ}"} <= {*words[:4]}
    else:
        assert read.raw == line
    if isinstance(read, Metar):
        assert read.header.report_type == report.kind
        assert read.header.observation_time == report.time
        assert read.header.issue_time == report.issued
        assert read.header.automated == report.automated
        seen: Any = read.observation
    else:
        assert report.kind == "TAF"
        assert read.header.issued == report.time
        assert read.header.cancelled == (report.status == "CANCEL")
        assert (read.header.valid_start, read.header.valid_end) == (
            report.valid_start,
            report.valid_end,
        )
        temperatures = {(each.type, each.value, each.time) for each in read.header.temperatures}
        assert temperatures == set(report.temperatures)
        assert [told_change(each) for each in read.changes] == [
            {"type": each.type, "start": each.start, "end": each.end} | invented_conditions(each)
            for each in report.groups
        ]
        seen = read.base
    if report.status in {"NIL", "CANCEL"}:
        assert seen is None
        return
    expected = invented_conditions(report)
    if report.cavok:
        assert seen.clouds == () or seen.clouds is None
    assert told_conditions(seen) == expected
    assert seen.nsc == report.nsc
    if isinstance(read, Metar):
        assert seen.ncd == report.ncd
        assert [(each.runway, each.mean) for each in seen.rvr] == list(report.rvr)
        assert (seen.temperature.air, seen.temperature.dewpoint) == (report.air, report.dewpoint)
        assert seen.qnh.value == report.qnh
        missing = {"weather"} if report.weather is None else set()
        is_windless = (report.wind_speed, report.wind_direction) == (None, None)
        assert {*seen.missing} == missing | ({"wind"} if is_windless else set())


def told_bulletins(listed: WarningList, at: datetime) -> dict[str, set[Bulletin]]:
    return {
        icao: {
            Bulletin(
                icao,
                each.wrng_type,
                each.issued,
                each.valid_start,
                each.valid_end,
                each.raw_message,
            )
            for each in airport.warnings
            if each.valid_end > at
        }
        for icao, airport in listed.airports.items()
    }


def said_and_read(
    gateway: GatewayClient, product: str, icao: str
) -> tuple[str, Metar | Taf | WarningList | None]:
    """Why the client refused it, all or a row, and what it has nevertheless."""
    try:
        read = ask(gateway, product, icao)
    except GatewayError as error:
        return f"{error.reason} {error.code}", None
    except ReportRefused as error:
        return error.reason, None
    if isinstance(read, WarningList):
        if read.missing:
            return "missing", read
        return next((row.reason for row in read.refused), "nothing"), read
    return "nothing", read


def assert_known(read: Metar | Taf | WarningList | None, call: Call, at: datetime) -> None:
    """What the client may store is what was served."""
    if call.product == "warning":
        told = {}
        if isinstance(read, WarningList):
            told = told_bulletins(read, at)
            told = {icao: told[icao] for icao in told if settles(read, icao)}
        assert told == as_sets(call.served if isinstance(call.served, dict) else {})
    elif isinstance(call.served, Report):
        assert isinstance(read, Metar | Taf)
        assert_same(read, call.served)
    else:
        assert read is None


def as_sets(warned: Mapping[str, Report | tuple[Bulletin, ...]]) -> dict[str, set[Bulletin]]:
    """Return rows by airport; what one extends, or fails to cancel, is in its text alone."""
    return {
        icao: {replace(row, extends=None, doubtful=False) for row in each}
        for icao, each in warned.items()
        if isinstance(each, tuple)
    }


def report_of(airfield: Airfield, product: str, icao: str) -> Report:
    report = airfield.truth(product)[icao]
    assert isinstance(report, Report)
    return report


def raw_answer(airfield: Airfield, operation: str, **query: str) -> urllib3.BaseHTTPResponse:
    """An answer as it comes, asked for with the key if no other one is given."""
    sent = {"authKey": airfield.key, **query}
    url = f"{airfield.url}/{operation}?{urlencode(sent)}"
    return urllib3.PoolManager(retries=False, timeout=10.0).request("GET", url)
