"""All that can be wrong with an answer, by name."""

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Final

from uring_local.airfield.dress import Dress, Row
from uring_local.airfield.iwxxm import Writer
from uring_local.airfield.model import AIRPORTS, Bulletin, Report, Warned
from uring_local.airfield.nodes import Node, to_xml
from uring_local.loopback import Answer

_BIG: Final = 8_000_000
_LATER: Final = timedelta(hours=3)
REPORTS: Final = ("metar", "taf")
WARNING: Final = ("warning",)
ALL: Final = (*REPORTS, *WARNING)


@dataclass(frozen=True)
class Moment:
    """What an answer would be made of.

    Attributes:
        product: ``metar``, ``taf`` or ``warning``.
        report: the airport's true one; as the next two of a report's product only.
        older: what it replaced.
        other: another airport's.
        listed: the warnings on this page of their list.
        warned: all in force, by airport.
        page: of the list; with ``size`` rows.
        dress: of the call.
    """

    product: str
    at: datetime
    dress: Dress
    report: Report | None = None
    older: Report | None = None
    other: Report | None = None
    listed: tuple[Bulletin, ...] = ()
    warned: Warned | None = None
    page: int = 1
    size: int = 100

    @property
    def whole(self) -> Answer:
        """The true answer."""
        if self.report is not None:
            return self.dress.report(self.report)
        if not self.listed:
            return self.dress.header("03", "NO_DATA")
        return self.list([self.dress.warning_row(each) for each in self.listed])

    def list(self, rows: Sequence[Row]) -> Answer:
        """A page with these rows."""
        total = sum(map(len, (self.warned or {}).values()))
        return self.dress.rows(rows, total=total, page=self.page, size=self.size)


Told = tuple[Answer, Report | Warned | None]


@dataclass(frozen=True)
class Fault:
    """One way of failing.

    Attributes:
        make: the answer and what a reader may still take from it; None when it cannot befall now.
        products: which it can befall.
        weight: how often, in relation to others: those that close the gateway are rare.
    """

    make: Callable[[Moment], Told | None]
    products: tuple[str, ...] = ALL
    weight: int = 10


def _always(answer: Callable[[Moment], Answer]) -> Callable[[Moment], Told]:
    return lambda moment: (answer(moment), None)


def _status(status: int, body: str = "", **headers: str) -> Callable[[Moment], Told]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return _always(lambda _: Answer(status, body.encode(), named))


def _text(body: str, kind: str) -> Callable[[Moment], Told]:
    return _status(200, body, Content_Type=kind)


def _code(code: str, message: str) -> Callable[[Moment], Told]:
    return _always(lambda moment: moment.dress.header(code, message))


def hub_error(status: int, message: str, *, http: int = 200) -> Answer:
    """What the hub says before any service, in JSON even where XML was asked for."""
    body = json.dumps({"result": {"status": status, "message": message}}, ensure_ascii=False)
    return Answer(http, body.encode(), {"Content-Type": "application/json;charset=UTF-8"})


def _portal_error(code: str, message: str) -> Callable[[Moment], Told]:
    header = (
        f"<errMsg>SERVICE ERROR</errMsg><returnAuthMsg>{message}</returnAuthMsg>"
        f"<returnReasonCode>{code}</returnReasonCode>"
    )
    body = (
        f"<OpenAPI_ServiceResponse><cmmMsgHeader>{header}</cmmMsgHeader></OpenAPI_ServiceResponse>"
    )
    return _text(body, "text/xml;charset=UTF-8")


def _message(make: Callable[[Moment, Report], str | Node]) -> Callable[[Moment], Told | None]:
    """A row whose message is something else than a report that can be read."""

    def told(moment: Moment) -> Told | None:
        report = moment.report
        if report is None:
            return None
        row = moment.dress.message_row(report.icao, moment.product, make(moment, report))
        return moment.dress.rows([row]), None

    return told


def _written(
    change: Callable[[Moment, Report], Report | None] = lambda _, report: report,
    *,
    version: str | None = None,
    usage: tuple[str, str] | None = None,
) -> Callable[[Moment], Told | None]:
    """A report that is another than the true one, or is written in another way."""

    def told(moment: Moment) -> Told | None:
        report = moment.report and change(moment, moment.report)
        if report is None:
            return None
        writer = Writer(version or report.iwxxm_version, moment.dress.random, usage)
        return moment.dress.report(report, writer=writer), None

    return told


def _of_future(moment: Moment, report: Report) -> Report:
    later = moment.at + _LATER
    return replace(report, time=later, issued=later)


def _impossible(_: Moment, report: Report) -> Report | None:
    return None if report.wind_speed is None else replace(report, wind_speed=999)


def _older(moment: Moment) -> Told | None:
    older = moment.older
    return None if older is None else (moment.dress.report(older), older)


def _malformed(moment: Moment) -> Told:
    answer = moment.dress.xml(f"<response>{_cut(moment.whole.body)}")
    return answer, None


def _cut(body: bytes) -> str:
    return body.decode()[: len(body) // 3].rpartition("<")[0].replace("<?xml", "<xml")


def _doctype(moment: Moment) -> Told:
    said = to_xml(Node("response", "&many;")).replace("&amp;", "&")
    entity = '<!DOCTYPE response [<!ENTITY many "many">]>'
    return replace(moment.dress.xml(""), body=(entity + said).encode()), None


def _broken_off(moment: Moment) -> Told:
    return replace(moment.whole, manner="drip"), None


def _no_items(moment: Moment) -> Told | None:
    if moment.product == "warning" and not moment.listed:
        return None  # would be the truth
    return moment.list([]), None


def _row(
    change: Callable[[Row, Moment], Row], *, nameless: bool = False
) -> Callable[[Moment], Told | None]:
    """A row of the list that is not to be believed, so that its airport is not settled."""

    def told(moment: Moment) -> Told | None:
        if not moment.listed:
            return None
        bad = moment.dress.random.choice(moment.listed)
        rows = [moment.dress.warning_row(each) for each in moment.listed]
        at = moment.listed.index(bad)
        rows[at] = change(rows[at], moment)
        others = {
            icao: listed for icao, listed in (moment.warned or {}).items() if icao != bad.icao
        }
        return moment.list(rows), None if nameless else others

    return told


def _nameless(row: Row, _: Moment) -> Row:
    text = str(row["wrngMsg"]).partition(" ")[2]
    return {**row, "icaoCode": "", "airportName": "", "wrngMsg": text}


def _issued_later(row: Row, moment: Moment) -> Row:
    return {**row, "tm": f"{moment.at + _LATER:%Y%m%d%H%M}"}


def _short(moment: Moment) -> Told | None:
    """A page with a row less than there are."""
    rows = [moment.dress.warning_row(each) for each in moment.listed]
    return (moment.list(rows[1:]), None) if rows else None


@cache
def _big_body() -> bytes:
    return gzip.compress(b"<response>" + b" " * _BIG + b"</response>", mtime=0)


_MAINTENANCE: Final = (
    "<!DOCTYPE html><html><head><title>시스템 점검 안내</title></head>"
    "<body><h1>서비스 점검 중입니다.</h1></body></html>"
)
_QUOTA: Final = "API 호출 한도를 초과했습니다."

FAULTS: Final[Mapping[str, Fault]] = MappingProxyType(
    {
        "http_500": Fault(_status(500, "Unexpected errors")),
        "http_503": Fault(_status(503)),
        "http_429": Fault(_status(429, Retry_After="1"), weight=3),
        "no_answer": Fault(_always(lambda _: Answer(200, manner="cut"))),
        "broken_off": Fault(_broken_off),
        "empty_body": Fault(_status(200)),
        "html": Fault(_text(_MAINTENANCE, "text/html;charset=UTF-8")),
        "plain_text": Fault(_text("Unexpected errors", "text/plain")),
        "code_01": Fault(_code("01", "APPLICATION_ERROR")),
        "code_02": Fault(_code("02", "DB_ERROR")),
        "code_05": Fault(_code("05", "SERVICETIME_OUT")),
        "code_99": Fault(_code("99", "UNKNOWN_ERROR")),
        "portal_quota": Fault(
            _portal_error("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"), weight=1
        ),
        "portal_key": Fault(_portal_error("30", "SERVICE_KEY_IS_NOT_REGISTERED_ERROR"), weight=1),
        "hub_quota": Fault(_always(lambda _: hub_error(403, _QUOTA, http=403)), weight=1),
        "hub_quota_200": Fault(_always(lambda _: hub_error(403, _QUOTA)), weight=1),
        "malformed": Fault(_malformed),
        "doctype": Fault(_doctype),
        "big": Fault(
            _always(
                lambda _: Answer(
                    200, _big_body(), {"Content-Type": "text/xml", "Content-Encoding": "gzip"}
                )
            )
        ),
        "no_items": Fault(_no_items),
        "no_data": Fault(_code("03", "NO_DATA"), REPORTS),
        "null": Fault(_message(lambda *_: "null"), REPORTS),
        "no_message": Fault(_message(lambda *_: ""), REPORTS),
        "tac": Fault(
            _message(lambda moment, report: f"{moment.product.upper()} {report.icao} NOT IWXXM="),
            REPORTS,
        ),
        "unknown_version": Fault(_written(version="2099-1"), REPORTS),
        "other_airport": Fault(_written(lambda moment, _: moment.other), REPORTS),
        "future": Fault(_written(_of_future), REPORTS),
        "test": Fault(_written(usage=("NON-OPERATIONAL", "TEST")), REPORTS),
        "exercise": Fault(_written(usage=("NON-OPERATIONAL", "EXERCISE")), REPORTS),
        "impossible": Fault(_written(_impossible), REPORTS),
        "older": Fault(_older, REPORTS, weight=30),
        "row_period": Fault(
            _row(lambda row, _: {**row, "validTm1": row["validTm2"], "validTm2": row["tm"]}),
            WARNING,
            weight=20,
        ),
        "row_time": Fault(_row(lambda row, _: {**row, "tm": "20261"}), WARNING),
        "row_future": Fault(_row(_issued_later), WARNING),
        "row_nameless": Fault(_row(_nameless, nameless=True), WARNING),
        "short_page": Fault(_short, WARNING, weight=20),
    }
)


def befall(moment: Moment, random: Random, name: str | None = None) -> tuple[str, Told] | None:
    """The fault of that name, or any; None when that one cannot befall now."""
    left = [
        each
        for each, fault in FAULTS.items()
        if moment.product in fault.products and name in {None, each}
    ]
    while left:
        chosen = random.choices(left, [FAULTS[each].weight for each in left])[0]
        told = FAULTS[chosen].make(moment)
        if told is not None:
            return chosen, told
        left.remove(chosen)
    return None


def another(icao: str, random: Random) -> str:
    """Another airport."""
    return random.choice([each for each in AIRPORTS if each != icao])
